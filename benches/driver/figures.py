#!/usr/bin/env python3
"""What axpress costs an agent and a machine, beside the tools that do the same, in one run.

    figures.py --program target/release/axpress                      # axpress alone, held to its limits
    figures.py --program target/release/axpress --peers FOLDER       # peers beside it, installed there by npm

Each tool is driven as a client that knows nothing of it would: on the same pages of this repository, served on
loopback, with the same Chrome. Tokens are those of o200k_base, of the text that a model reads, counted by `axpress
tokens`. Memory and processor time are those of the tool's own processes, Chrome's apart. Prints a table; exits with 1
where axpress is over a limit, other than one on time, or could not be measured. AXPRESS_CHROME and AXPRESS_CHROME_ARGS
are as for axpress; as root, Chrome is started without its sandbox. Linux only: it reads /proc.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import pages
from protocol import Failed
from tools import PEERS, Axpress, Peer

HERE = pathlib.Path(__file__).resolve().parent
STARTS = 9
ROUNDS, SNAPSHOTS = 7, 10
VISITS = 20
ROW = "PCL-00250"

# Name, how it is printed, and what axpress must not exceed.
MEASURES = (
    ("tools", "{:,.0f}", None),
    ("catalog, tokens", "{:,.0f}", 600),
    ("login form, tokens", "{:,.0f}", None),
    ("checkout form, tokens", "{:,.0f}", 65),
    ("table of 200 rows, tokens", "{:,.0f}", 4900),
    ("table of 500 rows, tokens", "{:,.0f}", None),
    ("below the view, tokens", "{:,.0f}", 30),
    ("a click in 500 rows, tokens", "{:,.0f}", 90),
    ("its answer shows what came of it", "{}", "yes"),
    ("start to the answer to initialize, ms", "{:,.0f}", 50),
    ("memory before the first call, MB", "{:,.0f}", 25),
    ("memory after the first snapshot, MB", "{:,.0f}", 100),
    ("memory after 500 rows 20 times, MB", "{:,.0f}", 140),
    ("a snapshot of 200 rows, own CPU, ms", "{:,.1f}", 15),
    ("Chrome's CPU for it, ms", "{:,.0f}", None),
    ("from the call to its answer, ms", "{:,.0f}", None),
)


class Tokens:
    """Counts tokens with the program itself."""

    def __init__(self, program):
        self.program = program

    def __call__(self, text):
        counted = subprocess.run([self.program, "tokens", "-"], input=text.encode(), capture_output=True, check=True)
        return int(counted.stdout)

    def even(self, text):
        """With each handle as @1234: which ids a page's nodes get is Chrome's affair."""
        return self(re.sub(r"(?<!\\)@[\d.]*\d", "@1234", text))


def seen(text, wanted):
    """A text that must show this."""
    if wanted not in text:
        raise Failed(f"its snapshot does not show {wanted!r}: {text[:200]}")
    return text


def snapshots(tool):
    """What a snapshot of the page takes, each in ms: of the processors, its own and Chrome's; the quickest answer."""
    own, chrome = tool.processor_time()
    answers = []
    for _ in range(SNAPSHOTS):
        begin = time.monotonic()
        tool.snapshot()
        answers.append((time.monotonic() - begin) * 1000)
    own_after, chrome_after = tool.processor_time()
    return (own_after - own) / SNAPSHOTS, (chrome_after - chrome) / SNAPSHOTS, min(answers)


def measure(kind, make, site, tokens, figures):
    """Takes all figures of a tool of this kind."""
    ours = kind is Axpress
    count = tokens.even if ours else tokens
    with make() as tool:
        catalog, number = tool.catalog()
        if number is not None:
            figures["tools"] = number
        figures["catalog, tokens"] = tokens(catalog)
        figures["memory before the first call, MB"] = tool.memory()

        tool.open(f"{site}/login")
        figures["login form, tokens"] = count(seen(tool.snapshot(), "Password"))
        figures["memory after the first snapshot, MB"] = tool.memory()
        tool.open(f"{site}/checkout")
        figures["checkout form, tokens"] = count(seen(tool.snapshot(), "Order ticket"))

        tool.open(f"{site}/orders")
        answer = seen(seen(tool.snapshot(), "ORD-0000"), "ORD-0199")
        figures["table of 200 rows, tokens"] = count(answer)
        if ours:
            figures["below the view, tokens"] = tokens(answer) - tokens(answer.rpartition("\n")[0])
        own, chrome, answers = zip(*(snapshots(tool) for _ in range(ROUNDS)))
        figures["a snapshot of 200 rows, own CPU, ms"] = statistics.median(own)
        figures["Chrome's CPU for it, ms"] = statistics.median(chrome)
        figures["from the call to its answer, ms"] = min(answers)

        tool.open(f"{site}/parcels")
        view = seen(seen(tool.whole(), "PCL-00000"), "PCL-00499")
        figures["table of 500 rows, tokens"] = count(view)
        answer = tool.click(view, ROW)
        figures["a click in 500 rows, tokens"] = count(answer)
        figures["its answer shows what came of it"] = "yes" if f"Opened {ROW}" in answer else "no"
        seen(tool.whole(), f"Opened {ROW}")
        for _ in range(VISITS):
            tool.open(f"{site}/parcels")
            seen(tool.whole(), "PCL-00499")
        figures["memory after 500 rows 20 times, MB"] = tool.memory()
    starts = []
    for _ in range(STARTS):
        with make() as tool:
            starts.append(tool.initialized_in)
    if None not in starts:
        # What else the machine does makes a start slower, and never quicker.
        figures["start to the answer to initialize, ms"] = min(starts)


def install(folder):
    """Installs the peers. Their versions are exact, and what they need is exact in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", folder)
    command = ["npm", "install", "--loglevel=error", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else f"npm install failed: {(done.stderr or done.stdout).strip()[:300]}"
    except OSError as error:
        return f"npm does not run: {error}"


def chrome():
    """The Chrome that all are given, and its further flags."""
    names = (os.environ.get("AXPRESS_CHROME"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        sys.exit("there is no Chrome: set AXPRESS_CHROME")
    flags = os.environ.get("AXPRESS_CHROME_ARGS", "").split()
    if os.geteuid() == 0 and "--no-sandbox" not in flags:
        flags.append("--no-sandbox")
    return found, flags


def over(figures):
    """The figures that exceed their limits, or that are missing: what is said of each, and whether it is a time."""
    for name, form, limit in MEASURES:
        if limit is None:
            continue
        if name not in figures:
            yield f"{name}: not measured", False
        elif figures[name] != limit if isinstance(limit, str) else figures[name] > limit:
            yield f"{name}: {form.format(figures[name])}, and the limit is {limit}", name.endswith(", ms")


def table(columns):
    """All figures, a column a tool, and the limits of axpress."""
    yield "| | " + " | ".join(columns) + " | limit |"
    yield "| --- |" + " ---: |" * (len(columns) + 1)
    for name, form, limit in MEASURES:
        cells = [form.format(figures[name]) if figures.get(name) is not None else "" for figures in columns.values()]
        cells.append("" if limit is None else f"{limit:,}" if isinstance(limit, int) else limit)
        yield f"| {name} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the axpress that is measured")
    parser.add_argument("--peers", type=pathlib.Path, help="where npm installs the peers; without it there are none")
    arguments = parser.parse_args()
    Axpress.program = str(arguments.program.resolve())
    tokens = Tokens(Axpress.program)
    failures = {}
    tools = {"axpress": Axpress}
    if arguments.peers:
        Peer.modules = arguments.peers.resolve() / "node_modules"
        failed = install(arguments.peers)
        for peer in PEERS:
            if failed:
                failures[peer.name] = failed
            else:
                tools[f"{peer.name} {peer.version()}"] = peer
    given, site, columns = chrome(), pages.serve(), {}
    for name, tool in tools.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        columns[name] = {}

        def make(tool=tool):
            return tool(*given)

        try:
            measure(tool, make, site, tokens, columns[name])
        except (Failed, OSError, subprocess.SubprocessError) as error:
            failures[name] = str(error)
    print("\n".join(table(columns)))
    for name, why in failures.items():
        print(f"\n{name} could not be measured to the end: {' '.join(why.split())}")
    faults = list(over(columns["axpress"]))
    for fault, _ in faults:
        print(f"over the limit: {fault}", file=sys.stderr)
    # How long a thing takes is also the machine's doing: that is told, and fails nothing.
    failed = any(not is_time for _, is_time in faults)
    sys.exit(1 if failed or "axpress" in failures else 0)


if __name__ == "__main__":
    main()
