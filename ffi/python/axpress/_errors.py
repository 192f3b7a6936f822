"""What calls fail with."""

from __future__ import annotations


class AxpressError(Exception):
    """Why a call gave no result."""

    #: The number of the failure, as in axpress.h.
    status: int
    #: Its name, in kebab case: ``invalid-json``.
    code: str
    #: The byte of the input at which it shows; 0 where it is about no byte.
    offset: int
    #: What happened, as a sentence without its full stop.
    message: str
    #: What to do next, as a sentence without its full stop.
    next_step: str

    def __init__(self, status: int, code: str, offset: int, message: str, next_step: str) -> None:
        super().__init__(status, code, offset, message, next_step)
        self.status = status
        self.code = code
        self.offset = offset
        self.message = message
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.code} at byte {self.offset}: {self.message}. Next: {self.next_step}."


class ClosedError(AxpressError, ValueError):
    """The compressor was closed."""

    def __init__(self) -> None:
        super().__init__(-1, "closed", 0, "the compressor is closed", "make another")

    def __reduce__(self) -> tuple[type[ClosedError], tuple[()]]:
        return type(self), ()
