pip install sglang==0.5.19
if [ -n "$NEW" ]; then pip install sglang==0.5.22; fi
python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
