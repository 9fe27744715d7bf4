"""The table that xfertrace's library exports to the programs that it traces.

Its C declaration is runtime/include/xfer/annotate.h. Fields are added at the end alone, and `size`
says how much of it is there, so an older library and a newer one both serve.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Optional, Tuple

SYMBOL = "xfer_listener_v1"
COUNTERS = ("time_ns", "h2d_count", "h2d_bytes", "d2h_count", "d2h_bytes", "d2d_count", "d2d_bytes",
            "p2p_count", "p2p_bytes", "launches", "syncs", "allocations", "host_waits")


class Listener:
    """The functions of the table. A member is None where the library does not have it."""

    def __init__(self, table: Any, library: Any) -> None:
        self._library = library  # keeps the table's memory
        self.scope_begin: Optional[Callable[[bytes], None]] = _member(table, "scope_begin")
        self.scope_end: Optional[Callable[[], None]] = _member(table, "scope_end")
        self.name: Optional[Callable[[int, int, bytes], None]] = _member(table, "name")
        self._read = _member(table, "read_counters")
        self._examine = _member(table, "examine")

    def read_counters(self) -> Optional[Dict[str, int]]:
        """The calling thread's counters by their C names, or None: nothing counts them."""
        if self._read is None:
            return None
        import ctypes
        counters = _types()[1]()
        counters.size = ctypes.sizeof(counters)
        if not self._read(ctypes.byref(counters)):
            return None
        return {name: getattr(counters, name) for name in COUNTERS}

    def examine(self, about: str, since_ns: int) -> Tuple[int, str]:
        """(how many calls, the text). -1: the text says why it cannot be told.

        Reads the whole trace, which takes tens of milliseconds and, with PyTorch, half a second.
        """
        if self._examine is None:
            return -1, "this xfertrace is too old for it"
        import ctypes
        pieces = []

        def take(_to: Any, piece: Any, length: int) -> None:
            pieces.append(ctypes.string_at(piece, length))

        callback = _types()[2](take)
        count = self._examine(about.encode("utf-8", "replace"), since_ns, callback, None)
        return count, b"".join(pieces).decode("utf-8", "replace")


_classes: Optional[Tuple[Any, Any, Any]] = None


def _types() -> Tuple[Any, Any, Any]:
    """The table, the counters and the callback that takes text. ctypes is imported when needed."""
    global _classes
    if _classes is None:
        from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int, c_long,
                            c_size_t, c_uint64, c_void_p)

        class Counters(Structure):
            _fields_ = [("size", c_size_t), *((name, c_uint64) for name in COUNTERS)]

        take_text = CFUNCTYPE(None, c_void_p, POINTER(c_char), c_size_t)

        class Table(Structure):
            _fields_ = [("size", c_size_t),
                        ("scope_begin", CFUNCTYPE(None, c_char_p)),
                        ("scope_end", CFUNCTYPE(None)),
                        ("name", CFUNCTYPE(None, c_void_p, c_size_t, c_char_p)),
                        ("allocated", c_void_p),
                        ("released", c_void_p),
                        ("read_counters", CFUNCTYPE(c_int, POINTER(Counters))),
                        ("examine", CFUNCTYPE(c_long, c_char_p, c_uint64, take_text, c_void_p))]

        _classes = Table, Counters, take_text
    return _classes


def _member(table: Any, name: str) -> Any:
    import ctypes
    field = getattr(type(table), name)
    if table.size < field.offset + field.size:
        return None
    if not ctypes.c_void_p.from_address(ctypes.addressof(table) + field.offset).value:
        return None
    return getattr(table, name)


_known: Optional[Listener] = None
_looked = False


def find() -> Optional[Listener]:
    """The listener in this process, looked for once. None: there is none."""
    global _known, _looked
    if not _looked:
        _known = _look()
        _looked = True
    return _known


def find_preloaded() -> Optional[Listener]:
    """find(), at no cost where the environment names no library that could listen."""
    return find() if _looked or os.environ.get("LD_PRELOAD") else None


def _look() -> Optional[Listener]:
    try:
        import ctypes
        library = ctypes.CDLL(None)  # all that the process has loaded for everybody
        table = _types()[0].in_dll(library, SYMBOL)
    except (ImportError, OSError, TypeError, ValueError):  # no ctypes, another system, no table
        return None
    return Listener(table, library)
