docker run nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.6.0 python3 -m dynamo.sglang --model-path m \
  --nsa-decode-backend a --endpoint e
docker run lmsysorg/sglang:latest sglang serve m --stream-output
