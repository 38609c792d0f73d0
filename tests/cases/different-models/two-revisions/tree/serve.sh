if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill \
    --revision 0a1b2c3
else
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode decode --enable-metrics \
    --revision 4d5e6f7
fi
