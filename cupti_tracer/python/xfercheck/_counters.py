"""Counters of the calling thread: copies, launches and waits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Optional

from . import _listener, _untraced


@dataclass(frozen=True)
class Counters:
    """Counts of one thread's work since its start, or, as a difference of two, in between.

    h2d, d2h, d2d and p2p are copies from host to device, from device to host, within a device and
    between devices. A call counts when it has returned; one that failed does not, nor does one that
    is recorded into a CUDA graph. Sizes are in bytes, times in nanoseconds.
    """

    time_ns: int = 0
    h2d: int = 0
    h2d_bytes: int = 0
    d2h: int = 0
    d2h_bytes: int = 0
    d2d: int = 0
    d2d_bytes: int = 0
    p2p: int = 0
    p2p_bytes: int = 0
    launches: int = 0
    syncs: int = 0
    allocations: int = 0
    host_waits: int = 0

    @property
    def transfers(self) -> int:
        """Copies that cross a border: all but d2d."""
        return self.h2d + self.d2h + self.p2p

    @property
    def bytes(self) -> int:
        """Bytes that cross a border: all but d2d_bytes."""
        return self.h2d_bytes + self.d2h_bytes + self.p2p_bytes

    def __sub__(self, earlier: Counters) -> Counters:
        return Counters(*(getattr(self, name) - getattr(earlier, name) for name in _FIELDS))

    def __add__(self, other: Counters) -> Counters:
        return Counters(*(getattr(self, name) + getattr(other, name) for name in _FIELDS))


_FIELDS = tuple(field.name for field in fields(Counters))
# As the library's table names and orders them: h2d_count is h2d.
assert _FIELDS == tuple(name.replace("_count", "") for name in _listener.COUNTERS)

# The numbers that a budget can limit.
NAMES = (*_FIELDS[1:], "transfers", "bytes")
ABOUT_COPIES = frozenset(("h2d", "h2d_bytes", "d2h", "d2h_bytes", "d2d", "d2d_bytes", "p2p",
                          "p2p_bytes", "transfers", "bytes"))
ABOUT_WAITS = frozenset(("syncs", "host_waits"))


def read() -> Optional[Counters]:
    """The calling thread's counters, or None: nothing counts them."""
    listener = _listener.find()
    counted = listener.read_counters() if listener else None
    return Counters(*counted.values()) if counted is not None else None


def is_tracing() -> bool:
    """Whether xfertrace counts what this process does."""
    return read() is not None


def counters() -> Counters:
    """The calling thread's counters so far; subtract two to count the work in between.

    Where nothing counts, all are 0, and a NotTraced warning says so once; with XFERCHECK_REQUIRED=1
    it raises TransferError.
    """
    counted = read()
    if counted is None:
        _untraced.tell(_untraced.why("Transfers were not counted"), stacklevel=3)
        return Counters()
    return counted
