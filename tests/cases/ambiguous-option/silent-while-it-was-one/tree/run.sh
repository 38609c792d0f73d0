docker run lmsysorg/sglang:v0.5.19 sglang serve m --cuda-graph-max-bs 8
