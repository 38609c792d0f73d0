#!/bin/bash
podman build --build-arg TAG=v0.5.22 -t serving:release .
