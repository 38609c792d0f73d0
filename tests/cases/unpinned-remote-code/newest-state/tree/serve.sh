python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --host 127.0.0.1 --trust-remote-code
