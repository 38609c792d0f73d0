docker run lmsysorg/sglang:v0.5.22 python3 -m sglang.launch_server --model-path m \
  --nsa-decode-backend a --stream-output --mem-fraction-statc 0.8
