#!/bin/sh
# Installs servelint into .venv and lints an example that has something to find.
set -eu
cd "$(dirname "$0")/.."
. tools/environment.sh
environment .venv
.venv/bin/python -m pip install --quiet .
echo "installed: .venv/bin/servelint"
# Exit code 1 means that it found what is there to be found.
.venv/bin/servelint check --root examples/kubernetes-pd || [ $? -eq 1 ]
