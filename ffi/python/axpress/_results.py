"""What goes in and what comes out, as plain values."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Optional, Union

#: A payload, an original or a blob: any bytes, or a text that stands for its UTF-8. A buffer is read in place, and not
#: to be changed during the call.
Payload = Union[bytes, bytearray, memoryview, str]


class Uid(NamedTuple):
    """A handle of a node as a view prints it: ``@12``, or ``@2.12`` in the frame that the caller numbered 2."""

    #: The number that the caller gave the frame; 0 for the page's own process.
    frame: int
    #: ``backendDOMNodeId``
    node: int

    def __str__(self) -> str:
        return f"{self.frame}.{self.node}" if self.frame else str(self.node)


#: A uid, or the backend node id of a node in the page's own process.
UidLike = Union[Uid, int]


@dataclass(frozen=True)
class Frame:
    """The document of a frame."""

    #: The element that holds the frame.
    owner: UidLike
    #: The ``result`` of ``Accessibility.getFullAXTree`` for it.
    payload: Payload
    #: 0 where the page's own process has the document, else a number that no other document of the session had.
    number: int = 0


@dataclass(frozen=True)
class Statistics:
    """Counts of one payload."""

    #: Nodes, without repeats.
    nodes: int
    #: Nodes that repeat an earlier node's id: Chrome writes some generated text twice. They are not there.
    repeats: int
    #: Nodes whose parent is absent or not in the payload: 1 for a whole page.
    roots: int


@dataclass(frozen=True)
class Outline:
    """The plain rendering: a line a node."""

    text: str
    #: Nodes of the payload, without repeats.
    nodes: int
    #: Nodes that no root reaches: not printed.
    unreached: int
    #: Nodes below level 59: not printed.
    too_deep: int


@dataclass(frozen=True)
class LeftOut:
    """What of the full view is not in a view, because of a query or a budget."""

    uids: int
    #: Without indentation and line feeds.
    characters: int
    #: Lines of which nothing is there.
    lines: int
    #: Rows, items and lines that match the query and are not shown.
    matches: int


@dataclass(frozen=True)
class View:
    """What an agent should read."""

    text: str
    #: The uids in the text, in the order in which they stand there, and no others.
    uids: Sequence[Uid]
    #: Nodes of all payloads, repeats included.
    nodes: int
    #: Frames that no element of the page holds: they are not in the view.
    frames_left_out: int
    left_out: LeftOut


@dataclass(frozen=True)
class Compressed:
    """A view and what it stands for. Handle and blob are those of the page's own payload, without frames."""

    view: View
    #: The original's name.
    handle: str
    #: What :meth:`Compressor.unpack` makes the original of.
    blob: bytes
    original_bytes: int
    #: The view is no smaller than the payload: pass the payload on instead.
    uncompressed: bool


@dataclass(frozen=True)
class Packed:
    """A blob, and the handle of its original."""

    handle: str
    blob: bytes


class Range(NamedTuple):
    """Where in a payload something is: ``payload[start:end]`` of its bytes."""

    start: int
    end: int


class DeltaKind(enum.IntEnum):
    """What the text of a delta is."""

    #: ``no change``
    UNCHANGED = 0
    #: The changes.
    CHANGED = 1
    #: The new view, below a line that says so: little is left of the old one, or its changes are no shorter.
    REWRITTEN = 2


class ChangeKind(enum.IntEnum):
    """What happened to a line."""

    CAME = 0
    WENT = 1
    #: It stands for the same as the old line, and reads differently.
    CHANGED = 2
    #: It reads as before, elsewhere.
    MOVED = 3
    #: It reads as before, deeper or less deep; it is not in the text.
    INDENTED = 4


@dataclass(frozen=True)
class Change:
    """One change, by the positions of lines, from 0."""

    kind: ChangeKind
    #: Position of the line in the old view; None where it came.
    before: Optional[int]
    #: Position of the line in the new view; None where it went.
    after: Optional[int]
    #: The line as it stands in the new view, indented; empty where it went.
    line: str


@dataclass(frozen=True)
class Delta:
    """What changed between two payloads of a page."""

    kind: DeltaKind
    text: str
    #: The uids in the text, all of the new view.
    uids: Sequence[Uid]
    #: All changes, whatever the text says. The lines of the old view that none names fill the positions of the new one
    #: that none names, in their order.
    changes: Sequence[Change]
    lines_before: int
    lines_after: int
    #: Of the new page.
    frames_left_out: int
