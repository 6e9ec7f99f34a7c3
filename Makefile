# Needs Python >= 3.11 and nothing else: each target first makes .venv and installs the lock, once.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
UV := uv==0.13.9
# Many tests wait for servers of their own, so one more than two cores are kept busy.
PARALLEL := --numprocesses 3
# The tests themselves are compiled once, also where a setting of the machine keeps Python from writing it down.
TEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate

IN_IMAGE := --extra postgres --extra mysql --extra redis --extra excel --extra otel

.DEFAULT_GOAL := help
.PHONY: help run test slow coverage reach mutate deep chaos fuzz check fix bench buckets lock wheel

help: ## Print these targets
	@sed -n 's/^\([a-z]*\): .*## /\1\t/p' Makefile

run: $(or $(wildcard .venv/dev.stamp),.venv/run.stamp) ## Start the bot, with the local Slack and demo data unless .env says otherwise
	@$(BIN)/python -m bot run

test: .venv/dev.stamp ## Run the tests (minutes)
	@$(TEST) $(PARALLEL) --dist worksteal

slow: .venv/dev.stamp ## Run the tests with browsers, servers and many processes
	@$(TEST) -m slow $(PARALLEL) --dist worksteal

coverage: .venv/dev.stamp ## Run both of these, and fail where they leave more than 5 % of the product's lines aside
	@rm -f .covered/notes
	@$(TEST) $(PARALLEL) --dist worksteal -p tests.covered.plugin
	@$(TEST) -m slow $(PARALLEL) --dist worksteal -p tests.covered.plugin
	@$(BIN)/python -m tests.covered

reach: .venv/dev.stamp ## List the functions that no conversation, HTTP call or command executes
	@$(BIN)/python -m tests.reach

mutate: .venv/dev.stamp ## Change the lines changed since main in small ways, and list what no test notices
	@$(BIN)/python -m tests.mutants --minutes 9 --seconds 20

deep: .venv/dev.stamp ## Run the long forms of the tests (many minutes)
	@$(BIN)/python -m pytest -m deep --timeout 1800

chaos: .venv/dev.stamp ## Kill and disconnect bots while a crowd asks (minutes)
	@$(BIN)/python -m pytest -m chaos

fuzz: .venv/dev.stamp ## Generate queries and inputs to break a promise; goes on where it stopped
	@$(BIN)/python -m pytest -m fuzz --timeout 1800
	@$(BIN)/python -m tests.fuzz.campaign --seconds $(or $(SECONDS_TO_FUZZ),3600)

check: .venv/dev.stamp ## Check format, lint, types, layers and shape
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -q tests/architecture/test_shape.py

fix: .venv/dev.stamp ## Format, fix lint, regenerate documents
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@$(BIN)/python -m tests.docs.pages

bench: .venv/dev.stamp ## Measure all beside its peers and write docs/benchmarks.md; ONLY="search turns" measures some (half an hour)
	@$(BIN)/python -m benchmarks $(ONLY)

wheel: .venv/dev.stamp ## Build the wheel and the source archive into dist/
	@$(BIN)/python -m hatchling build

# It pins what the bot needs newer, so it has an environment of its own.
buckets: ## Install moto, an S3 server for the tests
	@$(PYTHON) -m venv .venv-peers/moto && .venv-peers/moto/bin/python -m pip install --quiet 'moto[server]>=5,<6'

lock: .venv/dev.stamp ## Resolve pyproject.toml into requirements/
	$(COMPILE) --upgrade pyproject.toml --output-file requirements/run.txt
	$(COMPILE) --upgrade pyproject.toml $(IN_IMAGE) --constraints requirements/run.txt --output-file requirements/image.txt
	$(COMPILE) --upgrade pyproject.toml --group dev --constraints requirements/run.txt --output-file requirements/dev.txt

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python >= 3.11 is needed: make PYTHON=/path/to/python3.11")'
	@$(PYTHON) -m venv .venv

# The command runs from this folder: nothing is built or copied, and a change is there at once.
.venv/bin/datathread: | .venv/bin/python
	@printf '#!/bin/sh\nPYTHONPATH="%s" exec "%s/$(BIN)/python" -m bot "$$@"\n' "$(CURDIR)" "$(CURDIR)" > $@ && chmod +x $@

# uv installs the lock several times faster, from the index that pip is set up for; without uv, pip installs the same hashes.
install = @index=$${PIP_INDEX_URL:-$$($(PIP) config get global.index-url 2>/dev/null)}; \
	$(PIP) install --quiet $(UV) \
	&& $(BIN)/uv pip sync --quiet --compile-bytecode --require-hashes $${index:+--default-index "$$index"} $(1) \
	|| $(PIP) install --quiet --require-hashes --requirement $(1)

# Without bytecode a start takes half as long again, and a folder or a setting may keep Python from writing it later.
BYTES = $(BIN)/python -m compileall -q ai bot local_slack config.py

.venv/run.stamp: requirements/run.txt | .venv/bin/datathread
	$(call install,$<)
	@$(BYTES)
	@touch $@

# The development lock holds all of the other one: where it is installed, `run` is content with it.
.venv/dev.stamp: requirements/dev.txt | .venv/bin/datathread
	$(call install,$<)
	@$(BYTES)
	@touch $@
