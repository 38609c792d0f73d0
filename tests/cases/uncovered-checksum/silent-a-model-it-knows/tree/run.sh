#!/bin/bash
set -e
IMAGE=lmsysorg/sglang:v0.5.23
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --host 0.0.0.0 \
  --disaggregation-mode prefill --disaggregation-enable-kv-checksum
