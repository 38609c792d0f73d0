python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --host 0.0.0.0 --api-key $KEY --admin-api-key $KEY
