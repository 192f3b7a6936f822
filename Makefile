# What is done here, each as one target. `make test` runs all tests; the rest is for who works on axpress.
#
# CORPUS=FOLDER    payloads for parity and score: NAME.ax.json at any depth
# PREFIX, DESTDIR  where make install puts the C library
# AXPRESS_CHROME   the Chromium that captures fixtures and that the browser's tests drive
# AXPRESS_CHROME_ARGS  its further flags (root needs --no-sandbox)

CARGO ?= cargo
PYTHON ?= python3
CORPUS ?= tests/fixtures
STAGE ?= compress

.PHONY: test browser mcp-clients lint format-check clippy doc deny bench bench-driver counted parity score goldens fixtures \
	fixtures-check readme header library install uninstall hosts boundary wasm wasm-test wasm-bench wasm-screenshots

# Everything: the core, the command line, the README's commands, and the oracle (Python), which is asked as a program.
test:
	@command -v $(PYTHON) >/dev/null || { echo "make test needs $(PYTHON): apt-get install python3" >&2; exit 1; }
	$(CARGO) test --workspace --locked --features axpress-tests/oracle
	$(PYTHON) tests/tools/goldens.py --check

# With a real Chromium, headless: the browser, and what agents and commands get of it.
browser:
	$(CARGO) test -p axpress --locked --features chromium --test browser --test agent --test lifetime

# The official clients of the Model Context Protocol, from their registries, against the program: `npm` and `python3`.
mcp-clients:
	$(CARGO) build --locked -p axpress
	sh tests/mcp/run.sh

lint: format-check clippy doc
	@if command -v cargo-deny >/dev/null; then $(MAKE) --no-print-directory deny; \
	else echo "cargo-deny is not installed: licences were not checked" >&2; fi

format-check:
	$(CARGO) fmt --all --check

clippy:
	$(CARGO) clippy --workspace --all-targets --all-features --locked -- -D warnings

# Both as readers of the packages see it and as we do.
doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --document-private-items
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

deny:
	$(CARGO) deny --all-features check licenses bans sources

# How fast each stage is, beside its peers on the same bytes.
bench:
	$(CARGO) run --release --locked -p axpress-benches --bin ratios -- $(CORPUS)

# What the driver costs an agent and a machine, beside the tools that do the same, on one Chrome: npm installs them in
# PEERS. With PEERS= it is measured alone. Fails where the driver is over a limit that is no time.
PEERS ?= $(TARGET)/bench-peers
bench-driver:
	$(CARGO) build --release --locked -p axpress
	$(PYTHON) benches/driver/figures.py --program $(TARGET)/release/axpress $(if $(PEERS),--peers $(PEERS))

# Instructions a byte of one stage (valgrind): what does not depend on the machine's load.
counted:
	$(CARGO) build --release --locked -p axpress-benches --bin counted
	sh benches/counted.sh "$(STAGE)" $(CORPUS)/table/ax.json

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

# Writes the C header from the crate.
header:
	AXP_UPDATE=1 $(CARGO) test --locked -p axpress-tests --test header

# The C library, with link-time optimisation: always in target/release, where the Go module looks for it.
LIBRARY_OUT := target/release
library:
	$(CARGO) rustc --release --locked -p axpress-ffi --lib --crate-type staticlib,cdylib --target-dir target

PREFIX ?= /usr/local
ABI := $(shell sed -n 's/^\#define AXP_ABI_VERSION //p' include/axpress.h)
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# What rustc says that stands behind the static library; the README of ffi has the same, which a test compares.
NATIVE := -lgcc_s -lutil -lrt -lpthread -lm -ldl
INSTALLED := $(DESTDIR)$(PREFIX)

install: library
	install -d $(INSTALLED)/include $(INSTALLED)/lib/pkgconfig
	install -m 644 include/axpress.h $(INSTALLED)/include/axpress.h
	install -m 755 $(LIBRARY_OUT)/libaxpress.so $(INSTALLED)/lib/libaxpress.so.$(ABI)
	ln -sf libaxpress.so.$(ABI) $(INSTALLED)/lib/libaxpress.so
	install -m 644 $(LIBRARY_OUT)/libaxpress.a $(INSTALLED)/lib/libaxpress.a
	strip --strip-debug $(INSTALLED)/lib/libaxpress.a
	strip --strip-unneeded $(INSTALLED)/lib/libaxpress.so.$(ABI)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@NATIVE@|$(NATIVE)|' ffi/axpress.pc.in \
		> $(INSTALLED)/lib/pkgconfig/axpress.pc
	chmod 644 $(INSTALLED)/lib/pkgconfig/axpress.pc

uninstall:
	rm -f $(INSTALLED)/include/axpress.h $(INSTALLED)/lib/libaxpress.a $(INSTALLED)/lib/libaxpress.so
	rm -f $(INSTALLED)/lib/libaxpress.so.$(ABI) $(INSTALLED)/lib/pkgconfig/axpress.pc

# Every fixture through C, Go and Python, with the bytes of Rust; the C tests under sanitizers and valgrind; panics,
# threads, memory. Fails by its name where a host is missing.
hosts:
	$(CARGO) test --locked -p axpress-tests --features hosts --test hosts -- --test-threads=1 --nocapture

# What crossing the boundary costs, in instructions and in time. Needs what make hosts has made.
boundary:
	$(CARGO) build --release --locked -p axpress-benches --bin boundary
	$(CARGO) run --release --locked -p axpress-benches --bin boundary -- instructions
	$(CARGO) run --release --locked -p axpress-benches --bin boundary -- time

# Where builds go: build scripts of our own need to know it too.
TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),$(CURDIR)/target)
# How long the fuzz test goes on.
AXPRESS_FUZZ_SECONDS ?= 5
export AXPRESS_FUZZ_SECONDS

# The npm package in wasm/package and the extension in wasm/extension. Installs what is missing (Debian).
wasm:
	bash wasm/build.sh

# The package in Node, in a page of Chromium and in the extension, held to what the core answers.
wasm-test: wasm
	@command -v $${AXPRESS_CHROME:-chromium} >/dev/null || { echo "make wasm-test needs chromium: apt-get install chromium" >&2; exit 1; }
	$(CARGO) run --release --locked --quiet -p axpress-tests --bin answers -- $(TARGET)/wasm-package
	cd wasm && AXPRESS_ANSWERS=$(TARGET)/wasm-package \
		node --test --expose-gc --test-concurrency=1 --test-reporter=spec tests/*.test.mjs

# How fast the package is in Node, beside the core.
wasm-bench: wasm
	$(CARGO) build --release --locked --quiet -p axpress-benches --bin ratios
	$(CARGO) run --release --locked --quiet -p axpress-tests --bin answers -- $(TARGET)/wasm-package
	node benches/wasm.mjs $(TARGET)/wasm-package/table.ax.json $(TARGET)/release/ratios

# The screenshots in the extension's README.
wasm-screenshots: wasm
	cd wasm && node tests/screenshots.mjs
