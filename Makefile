# The commands of this project. Each installs what it needs.

SHELL := /bin/sh
BIN := .venv/bin
PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
CODE := spades_core server arena clients/python clients/web/build.py clients/web/wheel_hook.py tests

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: help play test test-long check fix e2e chaos arena bench bench-memory bench-reconnect bench-experts tune web protocol clean

help:
	@echo "make play      set everything up, serve the game, print where to open it"
	@echo "make test      set everything up and run all tests, with a real browser (five minutes)"
	@echo "make test-long the same tests with more games and random cases, before a release"
	@echo "make check     check formatting, lint, types and imports"
	@echo "make fix       format, and fix what ruff can fix"
	@echo "make e2e       run the end-to-end tests only"
	@echo "make chaos     kill servers, store and connections during play, then check every card (over two minutes)"
	@echo "make arena     how much each level of bots beats the level below"
	@echo "make bench     the speed of the core, compared with open_spiel"
	@echo "make bench-memory     the memory of a table and of a finished game"
	@echo "make bench-reconnect  how long thousands of players take to reconnect"
	@echo "make bench-experts    how many tables with expert bots this machine carries, and their cost"
	@echo "make tune      fit the value of cards and the safety of a lead to self-play"
	@echo "make web       build the page"
	@echo "make protocol  write the TypeScript types of the messages"
	@echo "make clean     remove everything that was built or installed here"

play: .venv/play web
	@$(BIN)/spades serve --host 0.0.0.0

test: .venv/test web
	@$(BIN)/python tests/end_to_end/browser.py
	@$(BIN)/python clients/web/build.py test
	$(PYTEST)

# The tests with `cases(short, long)` in their long form; see tests/scale.py.
test-long: export LONG_TESTS = 1
test-long: export PYTEST_TIMEOUT = 1200
test-long: test

e2e: .venv/test web
	@$(BIN)/python tests/end_to_end/browser.py
	$(PYTEST) tests/end_to_end

chaos: .venv/test
	@$(BIN)/python -m tests.chaos

arena: .venv/play
	@$(BIN)/spades arena ladder --deals 100

bench: .venv/test
	@$(BIN)/python -m tests.benchmarks.core

tune: .venv/test
	@$(BIN)/python -m arena.tune trick-weights
	@$(BIN)/python -m arena.tune win-weights

bench-memory: .venv/test
	@$(BIN)/python -m tests.benchmarks.memory

bench-reconnect: .venv/test
	@$(BIN)/python -m tests.benchmarks.reconnect_load

bench-experts: .venv/test
	@$(BIN)/python -m tests.benchmarks.experts

check: .venv/test
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python clients/web/build.py check

fix: .venv/test
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

web: .venv/play
	@$(BIN)/python clients/web/build.py

protocol: .venv/play
	$(BIN)/python -m spades_core.protocol.typescript > clients/web/src/protocol.ts

clean:
	rm -rf .venv clients/web/node_modules server/gateway/page

# The virtual environment: .venv/play marks the packages of the server as installed, .venv/test also those of the tests.

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; if it has another name: make PYTHON=... play"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "On Debian: apt-get install python3-venv"; exit 1; }

.venv/play: pyproject.toml | .venv/bin/python
	@echo "Installing the server ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/test: pyproject.toml | .venv/bin/python
	@echo "Installing the test tools ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ .venv/play
