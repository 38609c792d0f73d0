python -m sglang.launch_server --disaggregation-mode decode
