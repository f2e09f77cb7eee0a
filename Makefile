# Outboard's commands. `make help` lists them; .ci/run calls the same ones.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

UV := .build/uv/bin/uv
PYTHON := .venv/bin/python
RUN := PYTHONPATH=. $(PYTHON)

.PHONY: help
help: ## Say what can be made.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

# uv comes from PyPI into the checkout: nothing is installed for the user, nothing is downloaded by uv itself.
$(UV):
	@command -v python3 >/dev/null || { echo "outboard: needs python3 on PATH" >&2; exit 1; }
	@echo "outboard: fetching uv"
	@python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target .build/uv uv 2>.build-uv.log \
		|| { cat .build-uv.log >&2; rm -f .build-uv.log; exit 1; }
	@rm -f .build-uv.log

.venv/.synced: layers/requirements.lock .python-version | $(UV)
	@echo "outboard: installing Python packages"
	@$(UV) venv --quiet --clear --python 3.13 .venv
	@$(UV) pip sync --quiet --require-hashes --python $(PYTHON) layers/requirements.lock
	@touch $@

.PHONY: setup
setup: .venv/.synced

.PHONY: check
check: lint types ## Everything that needs no running program: format, lint, imports, types.

.PHONY: lint
lint: setup ## Formatting, lint rules, import contracts.
	@.venv/bin/ruff format --check --quiet .
	@.venv/bin/ruff check --quiet .
	@PYTHONPATH=. .venv/bin/lint-imports --no-logo 2>&1 | tail -n 4

.PHONY: types
types: setup ## basedpyright, strict.
	@.venv/bin/basedpyright --level error

.PHONY: format
format: setup ## Let ruff format and fix what it can.
	@.venv/bin/ruff format --quiet .
	@.venv/bin/ruff check --fix --quiet . || true

.PHONY: lock
lock: $(UV) ## Resolve the dependency groups again into layers/requirements.lock.
	@$(UV) pip compile --quiet --universal --generate-hashes --no-header --group dev -o layers/requirements.lock

.PHONY: clean
clean: ## Remove everything that was built; sessions and users in .outboard stay.
	rm -rf .build .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
