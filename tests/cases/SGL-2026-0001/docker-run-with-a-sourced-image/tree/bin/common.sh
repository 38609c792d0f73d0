ENGINE_IMAGE=${ENGINE_IMAGE:-lmsysorg/sglang:v0.5.16}
ARGS=(--model-path m --disaggregation-transfer-backend nixl)
start() {
  docker run -d --name "$1" --gpus all "$ENGINE_IMAGE" \
    python3 -m sglang.launch_server "${ARGS[@]}" --disaggregation-mode "$1"
}
