sglang serve /models/chat --disaggregation-mode decode --enable-metrics --disaggregation-transfer-backend fake
