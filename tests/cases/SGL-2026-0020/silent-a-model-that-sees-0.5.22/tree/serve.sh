python3 -m sglang.launch_server --model-path Qwen/Qwen3-VL-8B-Instruct --host 0.0.0.0 --api-key $KEY --admin-api-key $KEY
