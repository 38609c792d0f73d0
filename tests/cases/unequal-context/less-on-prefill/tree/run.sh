#!/bin/bash
set -e
IMAGE=lmsysorg/sglang:v0.5.19
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 \
  --disaggregation-mode prefill --context-length 65536 &
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 \
  --disaggregation-mode decode --context-length 131072
