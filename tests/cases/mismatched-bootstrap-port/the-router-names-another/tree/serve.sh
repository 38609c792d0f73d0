if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill \
    --host 10.0.0.1
else
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode decode --enable-metrics \
    --host 10.0.0.2
fi
python3 -m sglang_router.launch_router --pd-disaggregation --prefill http://10.0.0.1:30000 9000 --decode http://10.0.0.2:30000
