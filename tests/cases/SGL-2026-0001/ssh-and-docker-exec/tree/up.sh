docker run -d --name worker lmsysorg/sglang:v0.5.12 sleep infinity
ssh node2 "docker exec -d worker bash -c 'python3 -m sglang.launch_server --disaggregation-mode decode'"
