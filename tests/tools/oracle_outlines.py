#!/usr/bin/env python3
"""Writes the outlines that are expected of the fixtures, as the oracle makes them.

    oracle_outlines.py [NAME…]      writes those of all fixtures or the named ones
    oracle_outlines.py --check      writes nothing; exits 1 where a file is not what the oracle says

For each payload of a fixture, `ax.json` or `frame-<n>.ax.json`: `outline.txt` and `outline-dedup.txt`, after `frame-<n>.`
for a frame. Nothing else writes these files: what the Rust core gives is compared with them, never put in them.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"
sys.path.insert(0, str(HERE.parent / "oracle"))

import ax_outline  # noqa: E402  (its folder was added just above)


def expected(path):
    """file -> text, for one payload."""
    prefix = path.name.removesuffix("ax.json")
    nodes = ax_outline.parse_nodes(path.read_bytes())
    for name, dedup_text in (("outline.txt", False), ("outline-dedup.txt", True)):
        text = ax_outline.render_ax_outline(ax_outline.trim_ax_tree(nodes, dedup_text))
        yield path.with_name(prefix + name), text.encode("utf-8")


def main():
    check = "--check" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    folders = [FIXTURES / name for name in names] or sorted(FIXTURES.iterdir())
    differ = 0
    for folder in folders:
        for path in sorted(folder.glob("*ax.json")):
            for target, text in expected(path):
                if not target.exists() or target.read_bytes() != text:
                    differ += 1
                    print(f"{target.relative_to(FIXTURES)}: {'not what the oracle says' if check else 'written'}")
                    if not check:
                        target.write_bytes(text)
    return 1 if check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
