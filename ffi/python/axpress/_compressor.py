"""The compressor: native ones in a pool, one for each call, and values made of what they lend."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Optional

from ._errors import AxpressError, ClosedError
from ._native import ffi, lib
from ._results import (
    UID,
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

#: An ``axp_range`` in memory.
_RANGE = struct.Struct("@NN")
_HANDLE_LENGTH = 36


def version() -> str:
    """The version of the library."""
    return _text(lib.axp_version())


def handle_of(original: Payload) -> str:
    """The handle of any bytes, as they came: ``ccr_`` and the first 16 bytes of their SHA-256 in hex."""
    data = _bytes_in(original)
    handle = ffi.new("axp_handle *")
    _check(lib.axp_handle_of(data, len(data), handle))
    return _handle(handle)


def parse_handle(text: str) -> tuple[str, str]:
    """Reads a handle, or the first 8 or more digits of one, with or without ``ccr_``.

    Gives the first and the last of all handles that begin so; they are the same where all 32 digits were given.
    """
    data = _bytes_in(text)
    first, last, offset = ffi.new("axp_handle *"), ffi.new("axp_handle *"), ffi.new("size_t *")
    status = lib.axp_handle_parse(data, len(data), first, last, offset)
    if status != lib.AXP_OK:
        raise _error(status, offset[0])
    return _handle(first), _handle(last)


class Compressor:
    """Makes outlines, views and blobs. Any number of threads may share one.

    A call takes a native compressor out of a pool, releases the GIL while it works, and copies what comes out. ``idle``
    native ones are kept for the next calls, with their memory: as many as there are processors if it is not given.
    Limits that are not given are 1 GiB of input, 16 M nodes, 256 MiB of output.

        >>> with Compressor() as compressor:
        ...     compressor.view('[{"nodeId":"1","role":{"value":"button"},"backendDOMNodeId":7}]').uids
        (Uid(frame=0, node=7),)
    """

    def __init__(
        self,
        *,
        input_bytes: Optional[int] = None,
        nodes: Optional[int] = None,
        output_bytes: Optional[int] = None,
        idle: Optional[int] = None,
    ) -> None:
        self._limits = _new("axp_limits", lib.axp_limits_new, lib.axp_limits_free)
        if input_bytes is not None:
            _check(lib.axp_limits_set_input_bytes(self._limits, input_bytes))
        if nodes is not None:
            _check(lib.axp_limits_set_nodes(self._limits, nodes))
        if output_bytes is not None:
            _check(lib.axp_limits_set_output_bytes(self._limits, output_bytes))
        self._most = (os.cpu_count() or 1) if idle is None else idle
        self._idle: list[_Native] = []
        self._closed = False
        self._lock = threading.Lock()

    def __enter__(self) -> Compressor:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees what the compressor holds. Calls that are running end well; later ones raise :class:`ClosedError`."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for native in idle:
            native.free()

    def scan(self, payload: Payload) -> Statistics:
        """Reads a payload, validates all of it and counts what it holds."""
        data = _bytes_in(payload)
        with _Call(self) as native:
            out = ffi.new("axp_statistics **")
            native.check(lib.axp_compressor_scan(native.compressor, data, len(data), out))
            counts = out[0]
            return Statistics(counts.nodes, counts.repeats, counts.roots)

    def outline(
        self, payload: Payload, *, max_chars: int = 0, dedup_text: bool = False, secrets: Iterable[int] = ()
    ) -> Outline:
        """The outline of a payload: a line a node.

        It is cut at ``max_chars`` code points, 0 for no end. ``dedup_text`` drops texts that the name or value of what
        they stand in already says. ``secrets`` are backend node ids whose value and inner text are never printed.
        """
        data = _bytes_in(payload)
        nodes = ffi.new("uint64_t[]", [*secrets, 0])
        with _Call(self) as native:
            options = native.outline
            _check(lib.axp_outline_options_set_max_chars(options, max_chars))
            _check(lib.axp_outline_options_set_dedup_text(options, dedup_text))
            _check(lib.axp_outline_options_set_secrets(options, nodes, len(nodes) - 1))
            out = ffi.new("axp_outline **")
            native.check(lib.axp_compressor_outline(native.compressor, data, len(data), options, out))
            made = out[0]
            return Outline(_text(made.text), made.nodes, made.unreached, made.too_deep)

    def view(
        self,
        payload: Payload,
        *,
        frames: Sequence[Frame] = (),
        query: Optional[str] = None,
        max_bytes: Optional[int] = None,
        viewport: Iterable[UidLike] = (),
        urls: bool = False,
        root: Optional[UidLike] = None,
        secrets: Iterable[UidLike] = (),
        clickable: Iterable[UidLike] = (),
    ) -> View:
        """The view of a page, with its frames: what an agent should read.

        ``query`` keeps only the best of what matches these words. ``max_bytes`` is a budget, 200 at least, under which
        the nodes of ``viewport`` are kept before the rest. ``urls`` prints the addresses of links. ``root`` is the node
        whose subtree alone is wanted. ``secrets`` are nodes whose value and inner text are never printed, ``clickable``
        such as get a uid whatever their role.
        """
        page = _Page(payload, frames)
        with _Call(self) as native:
            native.set(query, max_bytes, viewport, urls, root, secrets, clickable)
            out = ffi.new("axp_view **")
            if page.snapshot is None:
                data = page.payload
                status = lib.axp_compressor_view(native.compressor, data, len(data), native.view, out)
            else:
                status = lib.axp_compressor_view_snapshot(native.compressor, page.snapshot, native.view, out)
            native.check(status)
            return _view(out[0])

    def compress(
        self,
        payload: Payload,
        *,
        frames: Sequence[Frame] = (),
        query: Optional[str] = None,
        max_bytes: Optional[int] = None,
        viewport: Iterable[UidLike] = (),
        urls: bool = False,
        root: Optional[UidLike] = None,
        secrets: Iterable[UidLike] = (),
        clickable: Iterable[UidLike] = (),
    ) -> Compressed:
        """View, handle and blob of a page, from one call. The options are those of :meth:`view`."""
        page = _Page(payload, frames)
        with _Call(self) as native:
            native.set(query, max_bytes, viewport, urls, root, secrets, clickable)
            out = ffi.new("axp_compressed **")
            if page.snapshot is None:
                data = page.payload
                status = lib.axp_compressor_compress(native.compressor, data, len(data), native.view, out)
            else:
                status = lib.axp_compressor_compress_snapshot(native.compressor, page.snapshot, native.view, out)
            native.check(status)
            made = out[0]
            return Compressed(
                _view(made.view),
                _handle(ffi.addressof(made, "handle")),
                _bytes(made.blob),
                made.original_bytes,
                made.uncompressed,
            )

    def delta(
        self,
        before: Payload,
        after: Payload,
        *,
        frames_before: Sequence[Frame] = (),
        frames_after: Sequence[Frame] = (),
        max_bytes: Optional[int] = None,
        viewport: Iterable[UidLike] = (),
        urls: bool = False,
        root: Optional[UidLike] = None,
        secrets: Iterable[UidLike] = (),
        clickable: Iterable[UidLike] = (),
    ) -> Delta:
        """What changed from one payload of a page to the next. The options are those of :meth:`view`, for both."""
        old, new = _Page(before, frames_before), _Page(after, frames_after)
        if old.snapshot is not None or new.snapshot is not None:
            old.with_frames()
            new.with_frames()
        with _Call(self) as native:
            native.set(None, max_bytes, viewport, urls, root, secrets, clickable)
            out = ffi.new("axp_delta **")
            if old.snapshot is None:
                one, two = old.payload, new.payload
                status = lib.axp_compressor_delta(
                    native.compressor, one, len(one), two, len(two), native.view, out
                )
            else:
                status = lib.axp_compressor_delta_snapshots(
                    native.compressor, old.snapshot, new.snapshot, native.view, out
                )
            native.check(status)
            return _delta(out[0])

    def nodes(self, payload: Payload, query: str) -> list[Range]:
        """Where in a payload the nodes are that match a query, the best first."""
        data, words = _bytes_in(payload), _bytes_in(query)
        with _Call(self) as native:
            out = ffi.new("axp_nodes **")
            status = lib.axp_compressor_nodes(native.compressor, data, len(data), words, len(words), out)
            native.check(status)
            found = out[0]
            memory = ffi.buffer(found.ranges, found.ranges_length * _RANGE.size)
            return [Range._make(each) for each in _RANGE.iter_unpack(memory)]

    def pack(self, original: Payload) -> Packed:
        """The blob of any bytes, JSON or not, and their handle."""
        data = _bytes_in(original)
        with _Call(self) as native:
            out = ffi.new("axp_packed **")
            native.check(lib.axp_compressor_pack(native.compressor, data, len(data), out))
            return Packed(_handle(ffi.addressof(out[0], "handle")), _bytes(out[0].blob))

    def unpack(self, blob: Payload) -> bytes:
        """The original of a blob, its hash checked."""
        data = _bytes_in(blob)
        with _Call(self) as native:
            out = ffi.new("axp_bytes *")
            native.check(lib.axp_compressor_unpack(native.compressor, data, len(data), out))
            return _bytes(out[0])

    def _take(self) -> _Native:
        with self._lock:
            if self._closed:
                raise ClosedError
            if self._idle:
                return self._idle.pop()
        return _Native(self._limits)

    def _give(self, native: _Native) -> None:
        with self._lock:
            if not self._closed and not native.poisoned and len(self._idle) < self._most:
                self._idle.append(native)
                return
        native.free()


class _Call:
    """A native compressor, for as long as one call needs it and what it lends."""

    def __init__(self, compressor: Compressor) -> None:
        self._compressor = compressor
        self._native = compressor._take()

    def __enter__(self) -> _Native:
        return self._native

    def __exit__(self, *_: object) -> None:
        self._compressor._give(self._native)


class _Native:
    """A compressor of the library with options of its own. What nobody frees, the collector does."""

    def __init__(self, limits: Any) -> None:
        self.poisoned = False
        self.compressor = _new(
            "axp_compressor", lambda out: lib.axp_compressor_new_with_limits(limits, out), lib.axp_compressor_free
        )
        self.view = _new("axp_view_options", lib.axp_view_options_new, lib.axp_view_options_free)
        self.outline = _new("axp_outline_options", lib.axp_outline_options_new, lib.axp_outline_options_free)

    def free(self) -> None:
        for each in (self.compressor, self.view, self.outline):
            ffi.release(each)

    def check(self, status: int) -> None:
        """Raises what the compressor's last call failed with."""
        if status == lib.AXP_OK:
            return
        self.poisoned = status in (lib.AXP_PANIC, lib.AXP_POISONED)
        raise self._last_error(status, lib.axp_compressor_error, self.compressor)

    @staticmethod
    def _last_error(status: int, read: Any, failed: Any) -> AxpressError:
        out = ffi.new("axp_error **")
        if read(failed, out) == lib.AXP_OK and out[0].status == status:
            error = out[0]
            return AxpressError(
                status, _text(error.code), error.offset, _text(error.message), _text(error.next_step)
            )
        return _error(status, 0)

    def set(
        self,
        query: Optional[str],
        max_bytes: Optional[int],
        viewport: Iterable[UidLike],
        urls: bool,
        root: Optional[UidLike],
        secrets: Iterable[UidLike],
        clickable: Iterable[UidLike],
    ) -> None:
        """Makes the library's options of ours."""
        options = self.view
        _check(lib.axp_view_options_reset(options))
        if query is not None:
            words = _bytes_in(query)
            status = lib.axp_view_options_set_query(options, words, len(words))
            if status != lib.AXP_OK:
                raise self._last_error(status, lib.axp_view_options_error, options)
        if max_bytes is not None:
            _check(lib.axp_view_options_set_max_bytes(options, max_bytes))
        if urls:
            _check(lib.axp_view_options_set_urls(options, True))
        if root is not None:
            _check(lib.axp_view_options_set_root(options, _uid(root)[0]))
        for uids, setter in (
            (viewport, lib.axp_view_options_set_viewport),
            (secrets, lib.axp_view_options_set_secrets),
            (clickable, lib.axp_view_options_set_clickable),
        ):
            pairs = [_pair(uid) for uid in uids]
            if pairs:
                _check(setter(options, ffi.new("axp_uid[]", pairs), len(pairs)))


class _Page:
    """A page's bytes, and a snapshot of the library where it has frames. It keeps what the snapshot borrows."""

    def __init__(self, payload: Payload, frames: Sequence[Frame]) -> None:
        self.payload = _bytes_in(payload)
        self.snapshot: Any = None
        self._kept: list[Any] = []
        if frames:
            self.with_frames()
        for frame in frames:
            data = _bytes_in(frame.payload)
            self._kept.append(data)
            owner = _uid(frame.owner)[0]
            _check(lib.axp_snapshot_add_frame(self.snapshot, owner, frame.number, data, len(data)))

    def with_frames(self) -> None:
        """Makes a snapshot, if there is none."""
        if self.snapshot is None:
            data = self.payload
            self.snapshot = _new(
                "axp_snapshot", lambda out: lib.axp_snapshot_new(data, len(data), out), lib.axp_snapshot_free
            )


def _new(kind: str, make: Any, free: Any) -> Any:
    """An object of the library, freed with the Python object or before."""
    out = ffi.new(f"{kind} **")
    _check(make(out))
    return ffi.gc(out[0], free)


def _check(status: int) -> None:
    if status != lib.AXP_OK:
        raise _error(status, 0)


def _error(status: int, offset: int) -> AxpressError:
    code, message = _text(lib.axp_status_code(status)), _text(lib.axp_status_message(status))
    return AxpressError(status, code, offset, message, _text(lib.axp_status_next_step(status)))


def _bytes_in(payload: Payload) -> Any:
    """The bytes of a payload, in place."""
    if isinstance(payload, str):
        # Half of a surrogate pair becomes bytes that are not UTF-8, and the library says where.
        payload = payload.encode("utf-8", "surrogatepass")
    elif isinstance(payload, (dict, list)):
        raise TypeError("pass the payload's bytes as Chrome sent them, not what a JSON reader made of them")
    return ffi.from_buffer("uint8_t[]", payload)


def _text(borrowed: Any) -> str:
    return str(ffi.buffer(borrowed.data, borrowed.length), "utf-8")


def _bytes(borrowed: Any) -> bytes:
    return bytes(ffi.buffer(borrowed.data, borrowed.length))


def _handle(handle: Any) -> str:
    return str(ffi.buffer(handle.text, _HANDLE_LENGTH), "ascii")


def _pair(uid: UidLike) -> tuple[int, int]:
    return (0, uid) if isinstance(uid, int) else (uid[0], uid[1])


def _uid(uid: UidLike) -> Any:
    """An ``axp_uid *``."""
    return ffi.new("axp_uid *", _pair(uid))


def _uids(first: Any, length: int) -> Uids:
    return Uids(bytes(ffi.buffer(first, length * UID.size)) if length else b"")


def _view(view: Any) -> View:
    left_out = LeftOut(
        view.uids_left_out, view.characters_left_out, view.lines_left_out, view.matches_left_out
    )
    return View(_text(view.text), _uids(view.uids, view.uids_length), view.nodes, view.frames_left_out, left_out)


def _delta(delta: Any) -> Delta:
    def position(line: int) -> Optional[int]:
        return None if line == lib.AXP_NO_LINE else line

    changes = []
    for number in range(delta.changes_length):
        change = delta.changes[number]
        kind = ChangeKind(change.kind)
        changes.append(Change(kind, position(change.before), position(change.after), _text(change.line)))
    return Delta(
        DeltaKind(delta.kind),
        _text(delta.text),
        _uids(delta.uids, delta.uids_length),
        tuple(changes),
        delta.lines_before,
        delta.lines_after,
        delta.frames_left_out,
    )


#: The compressor of :func:`ax_outline`.
_shared = Compressor()


def ax_outline(payload: Payload, max_chars: int = 0, dedup_text: bool = False) -> str:
    """The outline of a payload: ``render_ax_outline(trim_ax_tree(payload))`` in one.

    It is cut at ``max_chars`` code points, 0 for no end. ``dedup_text`` drops texts that the name or value of what they
    stand in already says.
    """
    return _shared.outline(payload, max_chars=max_chars, dedup_text=dedup_text).text
