TAG="${TAG:-v0.5.16}"
MODE="${1:-decode}"
ROLE="${ROLE:-decode}"
docker run --rm "lmsysorg/sglang:${TAG}" python3 -m sglang.launch_server --model-path m \
  --host 0.0.0.0 --disaggregation-mode "${ROLE}"
