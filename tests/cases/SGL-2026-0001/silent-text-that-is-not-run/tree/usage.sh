# python3 -m sglang.launch_server --disaggregation-mode prefill
echo "python3 -m sglang.launch_server --disaggregation-mode prefill"
echo python3 -m sglang.launch_server --disaggregation-mode prefill
pkill -f "sglang.launch_server --disaggregation-mode decode"
