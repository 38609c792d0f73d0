if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1-0528 --disaggregation-mode prefill \
    --tp 8
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1-0528 --disaggregation-mode decode --enable-metrics \
    --tp 16
fi
