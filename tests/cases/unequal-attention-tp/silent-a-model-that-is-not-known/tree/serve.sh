if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path /models/chat --disaggregation-mode prefill \
    --tp 4
else
  python3 -m sglang.launch_server --model-path /models/chat --disaggregation-mode decode --enable-metrics \
    --tp 8
fi
