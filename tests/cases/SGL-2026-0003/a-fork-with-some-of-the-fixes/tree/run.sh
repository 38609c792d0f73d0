pip install -r requirements.txt
python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
