"""What goes in and what comes out, as plain values."""

from __future__ import annotations

import enum
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Optional, Union, overload

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


#: An ``axp_uid`` of axpress.h in memory.
UID = struct.Struct("@IQ")


class Uids(Sequence[Uid]):
    """Uids as they lie in memory: each is made when it is asked for. A page has hundreds, and most are never looked at.

    Equal to any sequence of the same uids.
    """

    __slots__ = ("_packed",)

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed) // UID.size

    @overload
    def __getitem__(self, position: int) -> Uid: ...

    @overload
    def __getitem__(self, position: slice) -> tuple[Uid, ...]: ...

    def __getitem__(self, position: Union[int, slice]) -> Union[Uid, tuple[Uid, ...]]:
        if isinstance(position, slice):
            return tuple(self)[position]
        if position < 0:
            position += len(self)
        if not 0 <= position < len(self):
            raise IndexError("there are fewer uids")
        return Uid._make(UID.unpack_from(self._packed, position * UID.size))

    def __iter__(self) -> Iterator[Uid]:
        return map(Uid._make, UID.iter_unpack(self._packed))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and not isinstance(other, (str, bytes)):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


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
    uids: Uids
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
    uids: Uids
    #: All changes, whatever the text says. The lines of the old view that none names fill the positions of the new one
    #: that none names, in their order.
    changes: Sequence[Change]
    lines_before: int
    lines_after: int
    #: Of the new page.
    frames_left_out: int
