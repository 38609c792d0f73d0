python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 --enable-custom-logit-processor
