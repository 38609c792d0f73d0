docker run lmsysorg/sglang:v0.5.22 sglang serve m --cuda-graph-max-bs 8
