export SGLANG_ZMQ_ALLOWED_PEERS=10.0.0.0/24
if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode prefill \
    --tp-size 16 \
    --dp-size 16 \
    --enable-dp-attention \
    --dist-init-addr 10.0.0.1:20000
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode decode --enable-metrics \
    --tp-size 16 \
    --dp-size 16 \
    --enable-dp-attention \
    --dist-init-addr 10.0.0.2:20000
fi
