#!/bin/bash
set -e
IMAGE=lmsysorg/sglang:v0.5.22
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 \
  --disaggregation-mode decode --disaggregation-decode-enable-offload-kvcache --hicache-storage-backend file
