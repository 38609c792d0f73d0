export SGLANG_DISAGG_STAGING_BUFFER=1
if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3.1 --disaggregation-mode prefill
else
  python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3.1 --disaggregation-mode decode --enable-metrics
fi
