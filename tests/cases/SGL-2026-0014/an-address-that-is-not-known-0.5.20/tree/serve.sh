if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode prefill \
    --tp-size 16 \
    --dp-size 16 \
    --enable-dp-attention \
    --dist-init-addr $LEADER:20000
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode decode --enable-metrics \
    --tp-size 16 \
    --dp-size 16 \
    --enable-dp-attention \
    --dist-init-addr $LEADER:20000
fi
