echo --disaggregation-mode decode | xargs python3 -m sglang.launch_server --disaggregation-transfer-backend nixl
