"""Accessibility trees, pressed.

The bytes of a real ``Accessibility.getFullAXTree`` result go in; a view for agents, an outline, and a blob that gives the
bytes back come out. It is the Rust core, called through its C ABI: what it gives is what Rust gives, byte for byte.

    >>> from axpress import ax_outline
    >>> ax_outline('[{"nodeId":"1","role":{"value":"button"},"name":{"value":"Moor"},"backendDOMNodeId":7}]')
    'button "Moor"  #ref=7'

:class:`Compressor` has everything else. Its calls release the GIL, and any number of threads may share one. A failure is
an :class:`AxpressError` with a code, the byte offset in the input at which it shows, and what to do next.
"""

from __future__ import annotations

from ._compressor import Compressor, ax_outline, handle_of, parse_handle, version
from ._errors import AxpressError, ClosedError
from ._results import (
    Change,
    ChangeKind,
    Compressed,
    Delta,
    DeltaKind,
    Frame,
    LeftOut,
    Outline,
    Packed,
    Payload,
    Range,
    Statistics,
    Uid,
    UidLike,
    Uids,
    View,
)

__all__ = [
    "AxpressError",
    "Change",
    "ChangeKind",
    "ClosedError",
    "Compressed",
    "Compressor",
    "Delta",
    "DeltaKind",
    "Frame",
    "LeftOut",
    "Outline",
    "Packed",
    "Payload",
    "Range",
    "Statistics",
    "Uid",
    "UidLike",
    "Uids",
    "View",
    "ax_outline",
    "handle_of",
    "parse_handle",
    "version",
]

__version__ = version()
