if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill \
    --disaggregation-bootstrap-port 8998 \
    --trust-remote-code \
    --disaggregation-bootstrap-port 9001
else
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode decode --enable-metrics
fi
