.PHONY: demo test cases format

demo: ## install and lint an example
	sh tools/demo.sh

test: ## install and run every check
	sh tools/test.sh

cases: ## write the expected output of all cases anew; review the diff
	CASES=update .venv-test/bin/python -m pytest -q tests/test_cases.py

format: ## format and fix what can be fixed
	.venv-test/bin/ruff check --fix .
	.venv-test/bin/ruff format .
