"""A block of code whose counters are judged when it ends."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Optional, Type

from . import _listener, _torch_backward, _untraced
from ._counters import Counters, read
from ._decorator import BlockDecorator
from ._error import TransferError


class Block(BlockDecorator):
    """Counts what the calling thread does in a block, and raises TransferError if that is wrong.

    A block that an exception leaves is not judged. An object serves one block at a time.
    """

    place = "block"  # what the texts call it; pytest's plugin has tests
    _begin: Optional[Counters] = None
    _open = False
    _thread = 0

    def __enter__(self) -> Any:
        __tracebackhide__ = True
        self.start()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        __tracebackhide__ = True  # pytest shows the line of the block
        counted = self.stop()
        if kind is not None:
            return
        if counted is None:
            _untraced.tell(self.why_not(), stacklevel=3)
        elif wrong := self.verdict(counted):
            raise TransferError(wrong.rstrip("\n"))

    def start(self) -> None:
        if self._open:
            raise RuntimeError(f"xfercheck.{type(self).__name__}: this object's block is open "
                               "already; make one for each block")
        self._open = True
        self._thread = threading.get_ident()
        self._begin = read()
        self._restore = _torch_backward.on_this_thread() if self._begin is not None else None

    def stop(self) -> Optional[Counters]:
        """The block's counters. None: nothing counted it; why_not() says why."""
        self._open = False
        if self._restore is not None:
            self._restore()
            self._restore = None
        if threading.get_ident() != self._thread:
            return None
        end = read()
        return end - self._begin if end is not None and self._begin is not None else None

    def why_not(self) -> str:
        if threading.get_ident() != self._thread:
            return ("Transfers were not checked: the block began on another thread, and counters "
                    "belong to threads")
        return _untraced.why("Transfers were not checked")

    def verdict(self, counted: Counters) -> str:
        """The violations, line by line; empty: none."""
        raise NotImplementedError

    def examine(self, about: str) -> Any:
        """Listener.examine since the block's begin."""
        listener = _listener.find()
        assert listener is not None and self._begin is not None
        return listener.examine(about, self._begin.time_ns)
