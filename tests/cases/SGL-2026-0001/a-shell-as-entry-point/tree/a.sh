docker run --entrypoint bash lmsysorg/sglang:v0.5.19 -c 'python3 -m sglang.launch_server --model-path m --disaggregation-mode decode'
