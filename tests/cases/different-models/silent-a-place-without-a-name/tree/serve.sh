python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B --disaggregation-mode prefill &
python3 -m sglang.launch_server --model-path /model --port 30001 --disaggregation-mode decode --enable-metrics
