python3 -m sglang.launch_server --model-path /models/chat --host 127.0.0.1
