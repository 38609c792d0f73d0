#!/bin/sh
# sglang
helm upgrade --install pair ./chart --set image.tag=v0.5.9
