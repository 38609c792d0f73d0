python3 -m sglang.launch_server --model-path /models/chat --disaggregation-mode decode --disaggregation-transfer-backend fake
