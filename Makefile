# Commands of this project; `make` alone lists them.
PORT ?= 8000
PYTHON ?=
export PYTHON
VENV = deploy/venv.sh
PY = .venv/bin/python
CATALOGUES = --no-wrap --no-location --ignore=.venv --ignore=var --ignore=tests

# What a site behind https has in its environment, for `make check`.
DEPLOYED = SITE_URL=https://marchstone.example ALLOWED_HOSTS=marchstone.example \
	DATABASE_URL=postgres://marchstone@db.example/marchstone \
	REDIS_URL=redis://redis.example:6379/0 EMAIL_URL=smtp://mail.example:25 \
	SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(64))')

.DEFAULT_GOAL := help
.PHONY: help run test check format messages bench crashes season mutants fuzz pins

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# With a terminal, `set -m` gives the site the terminal's Ctrl-C for itself, so that make
# ends with the site's own exit code.
run: ## Make everything ready and serve the site (PORT=8000, PYTHON=python3)
	@$(VENV) requirements.txt
	@since=$$($(PY) -c 'import time; print(time.time())'); \
	if [ -t 0 ]; then set -m; fi; \
	$(PY) manage.py serve --prepare --port $(PORT) --since $$since

test: ## Run the whole suite; REQUIRE_SERVICES=1 makes a missing service a failure
	@$(VENV) requirements-dev.txt
	@$(PY) -m tests.run

check: ## Format, lint, types, imports, migrations, translations, deployment
	@$(VENV) requirements-dev.txt
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) -m tests.messages
	$(DEPLOYED) $(PY) manage.py check --deploy --fail-level WARNING

format: ## Format the code
	@$(VENV) requirements-dev.txt
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

messages: ## Extract texts into the catalogues and compile them (needs gettext)
	@$(VENV) requirements-dev.txt
	$(PY) manage.py makemessages --all $(CATALOGUES)
	$(PY) manage.py compilemessages --ignore=.venv

bench: ## Measure the engine and the ladders
	@$(VENV) requirements-dev.txt
	$(PY) -m tests.bench.engine
	$(PY) -m tests.bench.ladder

crashes: ## Rate 10,000 matches by workers that are killed (needs PostgreSQL and Redis)
	@$(VENV) requirements-dev.txt
	LADDER_MATCHES=10000 $(PY) -m pytest -q -n0 --postgres -m postgres \
		tests/ladder/test_workers.py tests/ladder/test_races.py -k "eight or serial"

season: ## Play a season of 500 matches in minutes (needs PostgreSQL and Redis)
	@$(VENV) requirements-dev.txt
	$(PY) -m tests.season

mutants: ## Break the rules in many small ways and see that a test notices each
	@$(VENV) requirements-dev.txt
	$(PY) -m tests.engine.mutants

fuzz: ## Play many more random games against naive twins (FUZZ_FACTOR=20 FUZZ_SEED=1)
	@$(VENV) requirements-dev.txt
	FUZZ_FACTOR=$(or $(FUZZ_FACTOR),20) FUZZ_GAMES=$(or $(FUZZ_GAMES),5000) \
		$(PY) -m pytest -q tests/engine -k naive

pins: ## Pin anew what the requirements bring along, into constraints.txt
	deploy/pins.sh
