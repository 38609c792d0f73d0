#!/bin/sh
# Installs servelint and what its tests need into .venv-test, then runs every check.
# Arguments go to pytest.
set -eu
cd "$(dirname "$0")/.."
. tools/environment.sh
environment .venv-test
.venv-test/bin/python -m pip install --quiet --editable . --group dev
.venv-test/bin/ruff check .
.venv-test/bin/ruff format --check .
.venv-test/bin/mypy
.venv-test/bin/python -m pytest "$@"
