"""Does what a list of cases says and writes down what came of it, byte for byte, as the other hosts do. The format is
described where the list is made, in tests/src/hosts.rs.

    transcript.py CASES > TRANSCRIPT
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

from axpress import AxpressError, Compressor, Delta, Frame, Uid, Uids, View, handle_of


class Case:
    """A line of the list."""

    def __init__(self, line: str) -> None:
        self.operation, *fields = line.split("\t")
        self.payload = b""
        self.before = b""
        self.frames: list[Frame] = []
        self.max_chars = 0
        self.dedup_text = False
        self.nodes: list[int] = []
        self.query: str | None = None
        self.max_bytes: int | None = None
        self.urls = False
        self.root: Uid | None = None
        self.viewport: list[Uid] = []
        self.secrets: list[Uid] = []
        self.clickable: list[Uid] = []
        for field in fields:
            self.read(*field.split("=", 1))

    def read(self, key: str, value: str) -> None:
        if key in ("payload", "before"):
            setattr(self, key, Path(value).read_bytes())
        elif key == "cut":
            self.payload = self.payload[: int(value)]
        elif key == "frame":
            owner, number, file = value.split(" ", 2)
            self.frames.append(Frame(uid(owner), Path(file).read_bytes(), int(number)))
        elif key in ("max_chars", "max_bytes"):
            setattr(self, key, int(value))
        elif key in ("dedup_text", "urls"):
            setattr(self, key, True)
        elif key == "nodes":
            self.nodes = [int(node) for node in value.split(",")]
        elif key == "query":
            self.query = value
        elif key == "root":
            self.root = uid(value)
        elif key in ("viewport", "secrets", "clickable"):
            setattr(self, key, [uid(each) for each in value.split(",")])
        else:
            raise ValueError(f"unknown field {key}")


def uid(text: str) -> Uid:
    frame, node = text.split(".")
    return Uid(int(frame), int(node))


class Transcript:
    """What is written down."""

    def __init__(self, out: BinaryIO) -> None:
        self.out = out

    def line(self, *words: object) -> None:
        self.out.write((" ".join(str(word) for word in words) + "\n").encode())

    def bytes(self, name: str, data: bytes | str) -> None:
        data = data.encode() if isinstance(data, str) else data
        self.line(name, len(data))
        self.out.write(data + b"\n")

    def uids(self, uids: Uids) -> None:
        self.line("uids", *(f"{each.frame}.{each.node}" for each in uids))

    def view(self, view: View) -> None:
        self.bytes("text", view.text)
        self.uids(view.uids)
        left = view.left_out
        self.line("counts", view.nodes, view.frames_left_out, left.uids, left.characters, left.lines, left.matches)

    def delta(self, delta: Delta) -> None:
        self.line("delta", delta.kind.name.lower(), delta.lines_before, delta.lines_after)
        self.bytes("text", delta.text)
        self.uids(delta.uids)
        for change in delta.changes:
            before = -1 if change.before is None else change.before
            self.line(change.kind.name.lower(), before, -1 if change.after is None else change.after)
            self.bytes("line", change.line)
        self.line("frames_left_out", delta.frames_left_out)

    def run(self, compressor: Compressor, case: Case) -> None:
        payload = case.payload
        if case.operation == "scan":
            counts = compressor.scan(payload)
            self.line("statistics", counts.nodes, counts.repeats, counts.roots)
        elif case.operation == "outline":
            outline = compressor.outline(
                payload, max_chars=case.max_chars, dedup_text=case.dedup_text, secrets=case.nodes
            )
            self.bytes("text", outline.text)
            self.line("counts", outline.nodes, outline.unreached, outline.too_deep)
        elif case.operation == "view":
            self.view(
                compressor.view(
                    payload,
                    frames=case.frames,
                    query=case.query,
                    max_bytes=case.max_bytes,
                    viewport=case.viewport,
                    urls=case.urls,
                    root=case.root,
                    secrets=case.secrets,
                    clickable=case.clickable,
                )
            )
        elif case.operation == "compress":
            compressed = compressor.compress(
                payload,
                frames=case.frames,
                query=case.query,
                max_bytes=case.max_bytes,
                viewport=case.viewport,
                urls=case.urls,
                root=case.root,
                secrets=case.secrets,
                clickable=case.clickable,
            )
            self.view(compressed.view)
            self.bytes("handle", compressed.handle)
            self.bytes("blob", compressed.blob)
            self.line("original_bytes", compressed.original_bytes)
            self.line("uncompressed", int(compressed.uncompressed))
        elif case.operation == "delta":
            self.delta(
                compressor.delta(
                    case.before,
                    payload,
                    frames_before=case.frames,
                    frames_after=case.frames,
                    max_bytes=case.max_bytes,
                    urls=case.urls,
                )
            )
        elif case.operation == "nodes":
            for node in compressor.nodes(payload, case.query or ""):
                self.line("node", node.start, node.end)
        elif case.operation == "pack":
            packed = compressor.pack(payload)
            self.bytes("handle", packed.handle)
            self.bytes("handle", handle_of(payload))
            self.bytes("blob", packed.blob)
        elif case.operation == "unpack":
            self.bytes("original", compressor.unpack(payload))
        else:
            raise ValueError(f"unknown operation {case.operation}")


def main() -> None:
    cases = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    transcript = Transcript(sys.stdout.buffer)
    with Compressor(idle=1) as compressor:
        for number, line in enumerate(cases, 1):
            case = Case(line)
            transcript.line("case", number, case.operation)
            try:
                transcript.run(compressor, case)
            except AxpressError as error:
                transcript.line("status", error.status, "offset", error.offset)
                transcript.bytes("error", str(error))


if __name__ == "__main__":
    main()
