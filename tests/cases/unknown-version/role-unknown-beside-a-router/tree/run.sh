python -m sglang.launch_server --model-path m "$@" &
python -m sglang_router.launch_router --pd-disaggregation --prefill "http://a:1" --decode "http://b:1"
