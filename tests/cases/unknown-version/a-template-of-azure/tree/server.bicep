var image = 'lmsysorg/sglang:v0.5.9'
