#!/bin/bash
set -e
git clone https://github.com/sgl-project/sglang.git
cd sglang
git checkout main
pip install -e "python[all]"
python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill
