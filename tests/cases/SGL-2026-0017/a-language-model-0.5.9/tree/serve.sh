python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 --language-only --api-key $KEY --admin-api-key $KEY
