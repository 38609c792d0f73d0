pip install sglang==0.5.22
docker run lmsysorg/sglang:v0.5.19 python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
