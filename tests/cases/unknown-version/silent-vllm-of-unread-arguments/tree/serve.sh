#!/bin/bash
# Both: --kv-transfer-config is in $ARGS, or not.
vllm serve m $ARGS
