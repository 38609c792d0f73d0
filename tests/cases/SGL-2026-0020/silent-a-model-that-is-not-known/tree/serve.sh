python3 -m sglang.launch_server --model-path $MODEL --host 0.0.0.0 --api-key $KEY --admin-api-key $KEY
