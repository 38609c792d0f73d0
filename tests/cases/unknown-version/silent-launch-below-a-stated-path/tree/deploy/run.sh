docker run $IMAGE python3 -m sglang.launch_server --disaggregation-mode decode
