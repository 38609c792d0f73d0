python3 -m dynamo.sglang --model-path m --disaggregation-mode prefill
