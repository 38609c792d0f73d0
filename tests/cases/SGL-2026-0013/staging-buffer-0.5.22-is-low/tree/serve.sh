export SGLANG_DISAGG_STAGING_BUFFER=1
if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill \
    --tp-size 4
else
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode decode --enable-metrics \
    --tp-size 2
fi
