ARG TAG=v0.5.22
FROM lmsysorg/sglang:${TAG} AS decode
CMD ["python3", "-m", "sglang.launch_server", "--disaggregation-mode", "decode"]
