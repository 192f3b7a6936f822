"""The library as cffi loads it. The build makes this module; its functions and types are those of axpress.h."""

from typing import Any

ffi: Any
lib: Any
