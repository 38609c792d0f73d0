docker run lmsysorg/sglang:v0.5.19 python3 -m sglang.launch_server --model-path m \
  --nsa-decode-backend a --stream-output --mem-frac 0.8
