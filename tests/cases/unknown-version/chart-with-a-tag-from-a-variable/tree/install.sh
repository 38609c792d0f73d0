#!/bin/sh
helm upgrade --install pair ./chart --set image.tag="$SGLANG_TAG"
