if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill \
    --page-size 64
else
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode decode --enable-metrics \
    --page-size 64
fi
