if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode prefill \
    --context-length 262144
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode decode --enable-metrics \
    --context-length 262144 \
    --enable-dp-attention \
    --tp-size 8 \
    --dp-size 8
fi
