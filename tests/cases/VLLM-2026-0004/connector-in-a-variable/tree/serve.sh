#!/bin/bash
vllm serve m --kv-transfer-config "{\"kv_connector\": \"$CONNECTOR\", \"kv_role\": \"kv_consumer\"}"
