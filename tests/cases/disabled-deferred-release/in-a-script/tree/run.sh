#!/bin/bash
export SGLANG_DISAGGREGATION_DEFERRED_DECODE_KV_RELEASE=no
IMAGE=lmsysorg/sglang:v0.5.22
docker run -e SGLANG_DISAGGREGATION_DEFERRED_DECODE_KV_RELEASE $IMAGE python3 -m sglang.launch_server --host 0.0.0.0 --disaggregation-mode decode
