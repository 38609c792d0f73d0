python3 -m sglang.launch_server --model-path /models/qwen --host 127.0.0.1 --trust-remote-code
