export MC_FORCE_TCP=0 MOONCAKE_PROTOCOL=rdma
if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill \
    --hicache-storage-backend mooncake
else
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode decode --enable-metrics
fi
