#!/usr/bin/env python3
"""Answers for ax_outline over a pipe, so that thousands of payloads take one process.

Asked: a line `LENGTH MODE MODE…`, then the payload of LENGTH bytes; a mode is `DEDUP:MAX_CHARS`, as in `1:1000`.
Answered: for each mode a line `ok LENGTH` and the outline of LENGTH bytes, or a line with the error's code and `0`.
Begins with a line that says which Unicode this Python has. Ends when its input does.
"""
import sys
import unicodedata

import ax_outline


def outlines(payload, modes):
    """For each mode, `ok` and the outline, or the error's code and nothing."""
    try:
        nodes = ax_outline.parse_nodes(payload)
        for dedup_text, max_chars in modes:
            forest = ax_outline.trim_ax_tree(nodes, dedup_text)
            yield "ok", ax_outline.render_ax_outline(forest, max_chars).encode("utf-8")
    except ax_outline.PayloadError as error:
        for _ in modes:
            yield error.code, b""


def main():
    source, target = sys.stdin.buffer, sys.stdout.buffer
    target.write(f"{unicodedata.unidata_version}\n".encode())
    target.flush()
    while line := source.readline():
        length, *modes = line.split()
        payload = source.read(int(length))
        modes = [(dedup == b"1", int(most)) for dedup, most in (mode.split(b":") for mode in modes)]
        for status, text in outlines(payload, modes):
            target.write(f"{status} {len(text)}\n".encode())
            target.write(text)
        target.flush()


if __name__ == "__main__":
    main()
