#!/bin/bash
set -e
vllm serve "$MODEL" --port "$PORT" \
  --kv_transfer_config.kv_connector MooncakeConnector \
  --kv_transfer_config.kv_role=kv_producer
