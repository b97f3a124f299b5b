# Needs Python 3.11 or newer with venv and pip. Another interpreter than the first one found: make test PYTHON=python3.13
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
INSTALLED_DEV := $(VENV)/installed-dev
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
SEEDS ?= 0:200
WORKERS ?= 2
STACKS ?=
CACHE ?= .stacks

.PHONY: demo test stacks bench validate docs

demo: $(INSTALLED)
	$(BIN)/python examples/watch_episode.py Agentbench/ta-two-leg-itinerary-SG --seed 4
	@echo
	$(BIN)/agentbench rollout ta-two-leg-itinerary --policy expert --seeds 0:20 --workers $(WORKERS)

test: $(INSTALLED_DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/pytest -n auto --dist worksteal

stacks: | $(BIN)/python
	$(BIN)/python tests/stacks/run.py --cache $(CACHE) $(STACKS)

bench: $(INSTALLED_DEV)
	$(BIN)/python -m benchmarks

validate: $(INSTALLED)
	$(BIN)/agentbench validate --seeds $(SEEDS) --workers $(WORKERS)

docs: $(INSTALLED)
	$(BIN)/python docs/make_api.py
	$(BIN)/python docs/draw_episode.py

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(INSTALLED_DEV): pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[dev]'
	@touch $@ $(INSTALLED)
