if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode prefill \
    --tp-size 8
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode decode --enable-metrics \
    --tp-size 8 \
    --dp-size 8 \
    --enable-dp-attention
fi
