python3 -m sglang.launch_server --model-path /models/Qwen3-32B --disaggregation-mode prefill &
python3 -m sglang.launch_server --model-path /models/Qwen3-14B --port 30001 --disaggregation-mode decode --enable-metrics
