if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode prefill \
    --chunked-prefill-size 65536
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode decode --enable-metrics \
    --chunked-prefill-size 8192
fi
