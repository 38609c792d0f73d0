if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode prefill \
    --context-length 8192 \
    --max-total-tokens 131072
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode decode --enable-metrics \
    --context-length 8192 \
    --max-total-tokens 524288
fi
