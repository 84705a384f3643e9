# make run     install on the first call, then serve on 127.0.0.1:$(PORT)
# make test    run the tests (ARGS="-k embedded" chooses some)
# make lint    style, formatting and types
# make schema  write schema.graphql anew from the code
# make bench   measure
#
# PYTHON picks the interpreter of .venv: by default the first on the path that is 3.11 or newer.

PORT ?= 8000
ARGS ?=
BIN := .venv/bin

.PHONY: run test lint schema bench

run: .venv/installed
	@exec $(BIN)/graph-session serve --port $(PORT)

test: .venv/installed-dev
	$(BIN)/python -m pytest $(ARGS)

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# By way of another file: the command may read the one that is there.
schema: .venv/installed
	$(BIN)/graph-session schema > .venv/schema.graphql
	mv .venv/schema.graphql schema.graphql

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks $(ARGS)

$(BIN)/python:
	@for python in $(or $(PYTHON),python3.11 python3.12 python3.13 python3.14 python3 python); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "making .venv with $$python"; "$$python" -m venv .venv; exit; \
	  fi; \
	done; \
	echo "No Python 3.11 or newer was found: install one, or name it with PYTHON=..." >&2; exit 1

.venv/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch .venv/installed $@
