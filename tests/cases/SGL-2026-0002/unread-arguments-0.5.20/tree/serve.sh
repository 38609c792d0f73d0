python -m sglang.launch_server --disaggregation-mode prefill $EXTRA_ARGS
