# Outboard's commands. `make help` lists them; .ci/run calls the same ones.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

UV_VERSION := 0.13.9
UV := .build/uv/bin/uv
PYTHON := .venv/bin/python
RUN := env PYTHONPATH=. $(PYTHON)

# jsii fills half a screen about Node 20 at each start; docs/adr/0006-one-machine.md says which Node we need.
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION := 20

.PHONY: help
help: ## Say what can be made.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

.PHONY: run
run: setup client ## Outboard on this machine, until Ctrl-C. OUTBOARD_PORT moves it.
	@exec $(RUN) -m infra.local

# Two lanes side by side: what starts the whole product mostly waits, the others compute. What a lane
# has to say comes when it is over, in one piece; one that fails lets the other end, and fails it all.
.PHONY: test
test: setup client github-openapi .build/python3.12/.synced ## Every test, as CI runs them. What this machine can't run is skipped, and said to be.
	@$(MAKE) --jobs=2 --output-sync=recurse --no-print-directory test-whole test-parts

.PHONY: test-whole
test-whole: setup client ## The tests of the whole product on one machine.
	@time $(RUN) -m pytest -m e2e

.PHONY: test-parts
test-parts: setup client github-openapi .build/python3.12/.synced
	@time $(RUN) -m pytest -m "not e2e"
	@time $(RUN) -m tests.simulation --seeds $(SEEDS)
	@time $(MAKE) --no-print-directory sandbox-python

# A sandbox may carry an older Python than we run: what ships into it passes on that, too.
.PHONY: sandbox-python
sandbox-python: .build/python3.12/.synced ## The tests of what runs inside sandboxes, on Python 3.12.
	@PYTHONPATH=. .build/python3.12/bin/python -m pytest -p no:cacheprovider -m "not sandbox and not slow" \
		tests/shared/domain tests/shared/protocol tests/sandbox_bridge

# Every test of the client takes pictures, in .build/screenshots; these are of the README's states.
.PHONY: screenshots
screenshots: setup ## Take the pictures of the client again that docs/screenshots shows.
	@LOGNAME=ada $(RUN) -m pytest -q --basetemp=/tmp/outboard-pictures tests/browser/test_main_job.py
	@$(RUN) -m tests.browser.pictures

SEEDS := 1000-1300

# A seed is one story: the last line says what was tried and found, and `--trace` tells a seed's story again.
.PHONY: sim
sim: setup ## The simulation: the whole under faults, on one clock. SEEDS=1000-1300
	@$(RUN) -m tests.simulation --seeds $(SEEDS)

.PHONY: quick
quick: setup github-openapi ## The tests that need no running program and take no time.
	@$(RUN) -m pytest -m "not e2e and not sandbox and not local_aws and not slow"

.PHONY: check
check: lint types client-check ## Everything that needs no running program: format, lint, imports, types.

.PHONY: lint
lint: setup ## Formatting, lint rules, import contracts.
	@.venv/bin/ruff format --check --quiet .
	@.venv/bin/ruff check --quiet .
	@mkdir -p .build; env PYTHONPATH=. .venv/bin/lint-imports --no-logo >.build/lint-imports.log 2>&1 \
		|| { cat .build/lint-imports.log >&2; exit 1; }

.PHONY: types
types: setup ## basedpyright, strict.
	@.venv/bin/basedpyright --level error

CLIENT := functions/web/client

# npm reads settings beside package.json, and ours are at the top.
NPM := npm --userconfig $(CURDIR)/.npmrc --prefix $(CLIENT)

$(CLIENT)/node_modules/.synced: $(CLIENT)/package-lock.json
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null \
		|| { echo "outboard: needs Node.js: 20.19 or newer, or from 22.12 on" >&2; exit 1; }
	@echo "outboard: installing the client's packages"
	@$(NPM) ci --silent
	@touch $@

CLIENT_SOURCES := $(shell find $(CLIENT)/src $(CLIENT)/public $(CLIENT)/scripts $(CLIENT)/*.* -type f)

.PHONY: client
client: .build/web/index.html ## The browser client, built into .build/web.

.build/web/index.html: $(CLIENT)/node_modules/.synced $(CLIENT_SOURCES)
	@echo "outboard: building the client"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@

WIRE := $(CLIENT)/src/protocol/wire.ts

.PHONY: wire
wire: setup $(CLIENT)/node_modules/.synced ## The client's types of the wire, from shared/protocol.
	@$(RUN) -m shared.protocol.schema | node $(CLIENT)/scripts/wire.mjs >.build/wire.ts
	@cp .build/wire.ts $(WIRE)

.PHONY: client-check
client-check: setup $(CLIENT)/node_modules/.synced ## The client's format, lint, types and tests; are its wire types today's?
	@$(RUN) -m shared.protocol.schema | node $(CLIENT)/scripts/wire.mjs >.build/wire.ts
	@cmp --silent .build/wire.ts $(WIRE) || { echo "outboard: the wire has changed: make wire" >&2; exit 1; }
	@$(NPM) run --silent check
	@$(NPM) test --silent

# What GitHub publishes is large: kept is what the tests use of it.
FORGE_TESTS := tests/forge

.build/github-openapi.json: $(FORGE_TESTS)/package-lock.json $(FORGE_TESTS)/published.py .venv/.synced
	@echo "outboard: fetching GitHub's OpenAPI and its examples of webhooks"
	@npm --userconfig $(CURDIR)/.npmrc --prefix $(FORGE_TESTS) ci --silent
	@mkdir -p .build
	@$(RUN) -m tests.forge.published $(FORGE_TESTS)/node_modules/@octokit/openapi/generated/api.github.com.json $@
	@cp $(FORGE_TESTS)/node_modules/@octokit/webhooks-examples/api.github.com/index.json .build/github-webhooks.json
	@rm -rf $(FORGE_TESTS)/node_modules

.PHONY: github-openapi
github-openapi: .build/github-openapi.json ## What tests hold our calls of GitHub against.

.PHONY: synth
synth: setup client ## The cloud assembly that AWS deploys, with its layers, in .build/cdk.out.
	@rm -rf .build/cdk.out
	@$(RUN) -m infra.app --out .build/cdk.out
	@echo "outboard: the cloud assembly is in .build/cdk.out"

# What sandboxes are made from at E2B; E2B_API_KEY is the team's. CPUS and MEMORY_MIB make the one for
# sandboxes of that size, TEMPLATE is the deployment's name for all of them, TAGS are a build's own.
.PHONY: template
template: setup ## Build the sandbox template at E2B, try it, and have new sandboxes made from it.
	@$(RUN) -m infra.sandbox_template build $(if $(TEMPLATE),--name $(TEMPLATE)) $(if $(CPUS),--cpus $(CPUS)) \
		$(if $(MEMORY_MIB),--memory-mib $(MEMORY_MIB)) $(foreach tag,$(TAGS),--tag $(tag))

.PHONY: format
format: setup ## Let ruff format and fix what it can.
	@.venv/bin/ruff format --quiet .
	@.venv/bin/ruff check --fix --quiet . || true

.PHONY: lock
lock: $(UV) ## Resolve the dependency groups again into layers/requirements.lock.
	@$(UV) pip compile --quiet --universal --generate-hashes --no-header --group dev -o layers/requirements.lock
	@for name in claude tools; do $(UV) pip compile --quiet --generate-hashes --no-header --no-annotate \
		--python-version 3.12 --python-platform x86_64-manylinux_2_28 --constraints layers/requirements.lock \
		infra/sandbox_template/locks/$$name.in -o infra/sandbox_template/locks/$$name.txt; done

.PHONY: clean
clean: ## Remove everything that was built; sessions and users in .outboard stay.
	rm -rf .build .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

.PHONY: setup
setup: .venv/.synced

# uv comes from PyPI into the checkout: nothing is installed for the user.
$(UV):
	@command -v python3 >/dev/null || { echo "outboard: needs python3 on PATH" >&2; exit 1; }
	@python3 -m pip --version >/dev/null 2>&1 || { echo "outboard: needs pip: install the package python3-pip" >&2; exit 1; }
	@echo "outboard: fetching uv"
	@mkdir -p .build
	@python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --upgrade \
		--target .build/uv uv==$(UV_VERSION) >.build/uv.log 2>&1 || { cat .build/uv.log >&2; exit 1; }

.venv/.synced: layers/requirements.lock .python-version | $(UV)
	@echo "outboard: installing Python packages"
	@$(UV) venv --quiet --clear --python 3.13 .venv || { echo "outboard: needs Python 3.13" >&2; exit 1; }
	@$(UV) pip sync --quiet --require-hashes --python $(PYTHON) layers/requirements.lock
	@touch $@

.build/python3.12/.synced: layers/requirements.lock .python-version pyproject.toml | $(UV)
	@echo "outboard: installing Python 3.12's packages"
	@$(UV) venv --quiet --clear --python 3.12 .build/python3.12 || { echo "outboard: needs Python 3.12" >&2; exit 1; }
	@$(UV) pip install --quiet --python .build/python3.12 --constraint layers/requirements.lock --group bridge --group local --group test
	@touch $@
