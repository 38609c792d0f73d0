#!/bin/bash
vllm serve m --config vllm.yaml
