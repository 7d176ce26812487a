# Everything a newcomer needs; `make help` lists it.
SHELL := /bin/bash
.DEFAULT_GOAL := help

BIN := .venv/bin
STAMP := .venv/.installed
# Of several interpreters the first that was built with optimizations (a distribution builds so), else the first.
OPTIMIZED := __import__("importlib.util").util.find_spec("ensurepip") and \
	("--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "") or sys.base_prefix == "/usr")
PYTHON ?= $(shell for wanted in '$(OPTIMIZED)' True; do \
	for p in python3 python3.14 python3.13 python3.12 python3.11 python /usr/bin/python3; do \
		$$p -c "import sys, sysconfig; sys.exit(sys.version_info < (3, 11) or not ($$wanted))" 2>/dev/null && \
			echo $$p && break 2; done; done)

# Bytecode is kept even where the environment says otherwise: each test worker and each program that a test starts
# would compile the whole tree again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help env compile web types serve check parts test busy-test format demo bench golden mutate fields finished soak docs pages release lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

env: $(STAMP) ## create or refresh the environment in .venv

$(STAMP): requirements/dev.lock pyproject.toml build_hook.py
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is missing; install it, for example: apt-get install python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing; run: apt-get install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/python && $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { rm -rf .venv; $(PYTHON) -m venv .venv; }
	@echo "installing into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

compile: env ## compile the YAML of the systems into a form that loads in milliseconds, and write the stubs of their mechanics
	@$(BIN)/python -m tablewright.game.rules.yaml_compiler
	@$(BIN)/python tools/stubs.py

BUILT := src/tablewright/server/web/index.html

web: $(BUILT) ## build the web page into the package, where its sources have changed (needs Node 20)
	@:

# The folders count too: their times change when a file is removed.
$(BUILT): web/node_modules/.installed web/index.html web/package.json web/vite.config.ts \
		$(shell find web/src web/public web/tools)
	@cd web && npm run --silent build
	@touch $@

web/node_modules/.installed: web/package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing; install Node.js 20 or newer" >&2; exit 1; }
	@cd web && npm ci --silent
	@touch $@

types: web/node_modules/.installed compile ## generate the web page's types from the OpenAPI document
	@$(BIN)/python tools/openapi.py web/openapi.json && cd web && npm run --silent types

serve: compile web ## serve the table in the browser, with a demo campaign for each game
	@$(BIN)/tablewright serve

check: compile ## check style, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

APT := RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends

parts: ## install Debian's Chromium, PostgreSQL, nginx and openssl for the tests, if they are missing
	@command -v chromium >/dev/null && ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { \
		echo "installing chromium and postgresql ..."; \
		{ apt-get install -y -q chromium postgresql || { apt-get update -q && apt-get install -y -q chromium postgresql; }; } \
			>/dev/null 2>&1 || { echo "install chromium and postgresql, for example: apt-get install chromium postgresql" >&2; exit 1; }; }
	@command -v chromium-headless-shell >/dev/null || $(APT) chromium-headless-shell >/dev/null 2>&1 || true # a lighter browser, if there is one
	@PATH="$$PATH:/usr/sbin"; command -v nginx >/dev/null && command -v openssl >/dev/null || { \
		echo "installing nginx and openssl ..."; \
		{ $(APT) nginx openssl || { apt-get update -q && $(APT) nginx openssl; }; } >/dev/null 2>&1 || \
			echo "without nginx and openssl the test behind a proxy is skipped; install them, for example: apt-get install nginx openssl" >&2; }

# One process more than there are cores: tests wait for browsers and databases.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

test: check web parts ## run everything that must pass before a commit, in WORKERS processes
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

RUNS ?= 3

busy-test: ## run make test RUNS times in the background, with SIGINT ignored, beside four endless loops
	@tools/busy-test --runs $(RUNS)

format: env ## format the sources
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/ruff format .

DEMO := "roll 4d6kh3 --seed 7" \
	"odds mars.check roll_value=r16 difficulty=14" \
	"odds renaissance.opposed a=60 b=65" \
	"roll opend6.check code=4D+1 difficulty=15 --seed 3" \
	"advise stage.leveled dice=5 difficulty=10" \
	"odds marchen.check core=2d6 difficulty=difficult modifier=3" \
	"rules mars.check.outcomes" \
	"rules wild die" \
	"mechanics stage"

demo: compile ## show the program on all five games
	@set -e; for line in $(DEMO); do printf '\n$$ tablewright %s\n' "$$line"; $(BIN)/tablewright $$line; done

bench: compile ## measure side by side with icepool, dyce and NumPy, and with a compiled checkout BEFORE; writes bench/RESULTS.md
	$(BIN)/python bench/run.py $(BEFORE)

golden: compile ## record every golden campaign again, or FILE; read the difference before you commit it
	@PYTHONPATH=$(if $(PYTHONPATH),$(PYTHONPATH):)tests:tests/sixth $(BIN)/python -m golden.runner $(FILE)

pages: compile ## record the output of every command in README.md and docs/ again, or of PAGE
	@PYTHONPATH=$(if $(PYTHONPATH),$(PYTHONPATH):)tests:tests/sixth $(BIN)/python -m golden.pages --write \
		$(or $(PAGE),$(shell grep -lE '^```console' README.md docs/*.md docs/systems/*.md))

SYSTEM ?= coinfolk
N ?= 30
SEED ?= 1
JOBS ?= 2
FROM ?= 1

mutate: compile ## change N figures of SYSTEM one at a time and list those that no test notices (SYSTEM=mars N=30 SEED=1 JOBS=2 FROM=1)
	@$(BIN)/python tools/mutate.py $(SYSTEM) --n $(N) --seed $(SEED) --jobs $(JOBS) --from $(FROM)

fields: compile ## find the test of each field of the packs that notices its change, and list the fields without one
	@PYTHONPATH=$(if $(PYTHONPATH),$(PYTHONPATH):)tests:tests/sixth $(BIN)/python -m conformance.field_changes marchen mars opend6 renaissance stage

finished: compile ## ask everything that a finished SYSTEM must have, and list it as met or missing (SYSTEM=mars)
	@PYTHONPATH=$(if $(PYTHONPATH),$(PYTHONPATH):)tests:tests/sixth CONFORMANCE=all $(BIN)/python -m conformance.finished $(SYSTEM)

PLAYS ?= 400
SCRIPTS ?= 1500
KILLS ?= 200
INTERVALS ?= 2000
SETS ?= 250

soak: compile ## play every system for long: PLAYS random plays, demo fights by every policy, SCRIPTS fuzzed ones, KILLS of a table, INTERVALS, SETS of arguments for each closed form
	@PYTHONPATH=$(if $(PYTHONPATH),$(PYTHONPATH):)tests:tests/sixth $(BIN)/python -m conformance.random_play all --plays $(PLAYS) --seed $(SEED) --jobs $(JOBS)
	@mkdir -p build && for grid in bench/fights/*.yaml; do \
		$(BIN)/tablewright sweep $$grid --output build/$$(basename $$grid .yaml).sweep --workers $(JOBS) || exit 1; done
	CONFORMANCE=all $(BIN)/pytest -q tests/golden tests/conformance/test_systems.py tests/conformance/test_random_play.py \
		tests/conformance/test_content.py
	CLOSED_FORM_SETS=$(SETS) $(BIN)/pytest -q tests/conformance/test_closed_forms.py
	FUZZ_SCRIPTS=$(SCRIPTS) $(BIN)/pytest -q tests/conformance/test_fuzz.py
	TABLE_KILLS=$(KILLS) TABLE_POWER_LOSSES=$(KILLS) $(BIN)/pytest -q tests/table/test_kill.py tests/table/test_power_loss.py \
		tests/server/test_kill_servers.py
	CONFORMANCE=all LUCK_INTERVALS=$(INTERVALS) $(BIN)/pytest -q tests/lab/test_cluster.py tests/lab/test_exactly.py tests/lab/test_luck.py \
		tests/lab/test_ranking.py tests/lab/test_same_everywhere.py tests/table/test_every_process.py tests/table/test_long_campaign.py tests/table/test_secrets.py \
		tests/server/test_twins.py tests/server/test_growth.py tests/server/test_labels.py tests/api/test_live.py \
		tests/server/test_creation.py tests/server/test_schema.py tests/table/test_at_random.py \
		tests/systems/opend6/test_exact_odds.py tests/systems/renaissance/test_facing.py tests/engine/test_circles.py tests/cli/test_fuzz.py \
		tests/cli/game/test_typed_anything.py tests/web tests/agents
	$(BIN)/python bench/load.py --seconds 300
	$(BIN)/python bench/load.py --seconds 300 --busy

docs: compile ## build the documentation site into build/site, without a network
	@$(BIN)/python tools/docs_site.py

release: compile web ## build a tested release into dist/, or list what prevents it
	@$(BIN)/python tools/release.py

LOCK := build/lock-env/bin/uv pip compile pyproject.toml --all-extras --quiet --universal --python-version 3.11 --generate-hashes \
	--no-config --no-header --annotation-style line

lock: ## choose the newest versions and write requirements/*.lock
	@$(PYTHON) -m venv build/lock-env
	@build/lock-env/bin/python -m pip install --quiet --disable-pip-version-check uv
	@for name in run dev; do \
		group=$$(test $$name = dev && echo --group dev); \
		$(LOCK) $$group --upgrade --output-file build/$$name.lock && \
		{ echo "# Written by: make lock"; cat build/$$name.lock; } > requirements/$$name.lock || exit 1; \
		if grep -nE '://|^ *(-|--)(i|f|index|extra|find|trusted)|^ *[^ ]+ @ |file:' requirements/$$name.lock; then \
			echo "requirements/$$name.lock names an address" >&2; exit 1; fi; \
	done

clean: ## remove everything that can be rebuilt
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests -name '__pycache__' -prune -exec rm -rf {} + -o -name '*.compiled.json' -delete
