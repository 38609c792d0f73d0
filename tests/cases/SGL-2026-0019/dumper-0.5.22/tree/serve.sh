export DUMPER_SERVER_PORT=40000
python3 -m sglang.launch_server --model-path /models/chat --host 0.0.0.0 --api-key $KEY --admin-api-key $KEY
