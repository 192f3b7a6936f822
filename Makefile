# What is done here, each as one target. `make test` runs all tests; the rest is for who works on axpress.
#
# CORPUS=FOLDER    payloads for parity and score: NAME.ax.json at any depth
# AXPRESS_CHROME   the Chromium that captures fixtures and that the browser's tests drive; AXPRESS_CHROME_ARGS its further flags (root needs --no-sandbox)

CARGO ?= cargo
PYTHON ?= python3
CORPUS ?= tests/fixtures
STAGE ?= compress

.PHONY: test browser lint format-check clippy doc deny bench counted parity score goldens fixtures fixtures-check readme

# Everything: the core, the command line, the README's commands, and the oracle (Python), which is asked as a program.
test:
	@command -v $(PYTHON) >/dev/null || { echo "make test needs $(PYTHON): apt-get install python3" >&2; exit 1; }
	$(CARGO) test --workspace --locked --features axpress-tests/oracle
	$(PYTHON) tests/tools/goldens.py --check

# The browser against a real Chromium, on pages that the tests serve themselves.
browser:
	$(CARGO) test --locked -p axpress --features chromium --test browser

lint: format-check clippy doc
	@if command -v cargo-deny >/dev/null; then $(MAKE) --no-print-directory deny; \
	else echo "cargo-deny is not installed: licences were not checked" >&2; fi

format-check:
	$(CARGO) fmt --all --check

clippy:
	$(CARGO) clippy --workspace --all-targets --all-features --locked -- -D warnings

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

deny:
	$(CARGO) deny --all-features check licenses bans sources

# How fast each stage is, beside its peers on the same bytes.
bench:
	$(CARGO) run --release --locked -p axpress-benches --bin ratios -- $(CORPUS)

# Instructions a byte of one stage (valgrind): what does not depend on the machine's load.
counted:
	$(CARGO) build --release --locked -p axpress-benches --bin counted
	sh benches/counted.sh $(STAGE) $(CORPUS)/table/ax.json

# The core against its contracts on every payload below a folder.
parity:
	$(CARGO) run --release --locked -p axpress-tests --bin parity -- $(CORPUS)

# Views against the pages' own text. The folder needs truth files, and Python tiktoken.
score:
	$(CARGO) build --release --locked -p axpress
	$(PYTHON) tests/score/score.py --corpus $(CORPUS) -- $(CURDIR)/target/release/axpress view

# The expected outlines, made by the oracle.
goldens:
	$(PYTHON) tests/tools/goldens.py

# Captures the fixtures again. What differs in ids alone is not written.
fixtures:
	$(PYTHON) tests/tools/capture.py fixtures
	$(PYTHON) tests/tools/goldens.py

fixtures-check:
	$(PYTHON) tests/tools/capture.py check

# Writes into the README what its commands print now.
readme:
	AXP_UPDATE=1 $(CARGO) test --locked -p axpress --test readme
