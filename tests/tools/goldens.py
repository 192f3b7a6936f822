#!/usr/bin/env python3
"""Makes the expected outlines of the fixtures by the oracle, which shares no code with what they test.

    goldens.py              writes outline.txt and outline.dedup.txt beside each ax.json (frame-1.outline.txt and so on)
    goldens.py --check      writes nothing; ends with 1 where a stored outline is not the oracle's, is missing, or has no
                            payload
    goldens.py --oracle F   asks that oracle instead of ../oracle/ax_outline.py

The views (view.txt) are not made here: no oracle knows them.
"""
import argparse
import importlib.util
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent


def load_oracle(path):
    specification = importlib.util.spec_from_file_location("ax_outline", path)
    oracle = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(oracle)
    return oracle


def outlines(oracle, payload):
    """file name -> expected bytes, for one payload."""
    raw = payload.read_bytes()
    start = payload.name.removesuffix("ax.json")
    return {payload.with_name(f"{start}outline{kind}.txt"):
            oracle.render_ax_outline(oracle.trim_ax_tree(oracle.parse_nodes(raw), dedup)).encode()
            for kind, dedup in (("", False), (".dedup", True))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", type=pathlib.Path, default=TESTS / "oracle" / "ax_outline.py")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    oracle = load_oracle(arguments.oracle)
    fixtures = TESTS / "fixtures"
    expected = {}
    for payload in sorted(fixtures.glob("*/*ax.json")):
        expected |= outlines(oracle, payload)
    stored = {path: path.read_bytes() for kind in ("outline.txt", "outline.dedup.txt")
              for path in fixtures.glob(f"*/*{kind}")}
    wrong = sorted(path for path in expected.keys() | stored.keys() if expected.get(path) != stored.get(path))
    for path in wrong:
        print(f"{path.relative_to(fixtures)}: {'no payload' if path not in expected else 'new' if path not in stored else 'changed'}")
        if not arguments.check:
            if path in expected:
                path.write_bytes(expected[path])
            else:
                path.unlink()
    print(f"{len(expected)} outlines, {len(wrong)} {'wrong' if arguments.check else 'written'}")
    return 1 if wrong and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
