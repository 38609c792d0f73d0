if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path openai/gpt-oss-120b --disaggregation-mode prefill \
    --tp 2
else
  python3 -m sglang.launch_server --model-path openai/gpt-oss-120b --disaggregation-mode decode --enable-metrics \
    --tp 4
fi
