#!/bin/sh
set -e
python3 -m sglang.launch_server --model-path /models/m --host 0.0.0.0 \
  --disaggregation-mode prefill
