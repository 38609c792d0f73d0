#!/bin/bash
set -e
IMAGE=lmsysorg/sglang:v0.5.22
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 \
  --disaggregation-mode prefill --context-length 65536 --port 1 &
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 \
  --disaggregation-mode decode --context-length 65536 --port 2 &
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 \
  --disaggregation-mode prefill --context-length 131072 --port 3 &
docker run --gpus all --network host $IMAGE \
  python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 \
  --disaggregation-mode decode --context-length 131072 --port 4
