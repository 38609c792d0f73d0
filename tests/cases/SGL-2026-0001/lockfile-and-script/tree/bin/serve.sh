#!/bin/sh
BACKEND=${BACKEND:-nixl}
exec python -m sglang.launch_server --model-path m \
  --disaggregation-mode prefill --disaggregation-transfer-backend "$BACKEND"
