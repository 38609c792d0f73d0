if [ "$ROLE" = prefill ]; then
  python3 -m sglang.launch_server --model-path zai-org/GLM-4.5-Air --disaggregation-mode prefill
else
  python3 -m sglang.launch_server --model-path zai-org/GLM-4.5-Air --disaggregation-mode decode --enable-metrics \
    --speculative-algorithm EAGLE \
    --speculative-num-steps 3
fi
