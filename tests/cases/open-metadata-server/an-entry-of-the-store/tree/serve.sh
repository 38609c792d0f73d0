if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill \
    --hicache-storage-backend mooncake \
    --hicache-storage-backend-extra-config '{"metadata_server": "http://10.0.0.9:8080/metadata"}'
else
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode decode --enable-metrics
fi
