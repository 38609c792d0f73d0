python3 train.py --rollout-num-gpus 16 --prefill-num-servers 1 --sglang-mem-fraction-static 0.8
# sglang is started by the framework
