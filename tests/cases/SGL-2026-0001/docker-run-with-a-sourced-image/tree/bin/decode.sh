#!/bin/sh
. "$(dirname "$0")/common.sh"
start decode
