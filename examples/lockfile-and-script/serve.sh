#!/usr/bin/env bash
# One node of each half, on bare metal: ./serve.sh on the prefill host and on the decode host.
set -euo pipefail

MODEL=${MODEL:-/models/chat}
COMMON=(--model-path "$MODEL" --host 0.0.0.0 --disaggregation-transfer-backend mooncake)

if [[ $(hostname) == prefill* ]]; then
  exec uv run python -m sglang.launch_server "${COMMON[@]}" --disaggregation-mode prefill
else
  exec uv run python -m sglang.launch_server "${COMMON[@]}" --disaggregation-mode decode
fi
