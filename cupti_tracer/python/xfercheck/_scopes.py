"""Names for parts of the run."""

from __future__ import annotations

import threading
from typing import List

from . import _listener
from ._decorator import BlockDecorator


def begin(name: str) -> None:
    listener = _listener.find()
    if listener is not None and listener.scope_begin is not None:
        listener.scope_begin(name.encode("utf-8", "replace").replace(b"\0", b"?"))


def end() -> None:
    listener = _listener.find()
    if listener is not None and listener.scope_end is not None:
        listener.scope_end()


class scope(BlockDecorator):
    """Names a part of the run, for xfertrace's report and its budgets per scope.

        with xfercheck.scope("step"): ...

        @xfercheck.scope("step")
        def step(): ...

    Scopes nest and belong to the calling thread. Does nothing where nobody listens, and before the
    process's first CUDA call.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"xfercheck.scope: the name must be a string, not {name!r}")
        self._name = name
        self._threads: List[int] = []  # on which it was begun, for each time that it is open

    def __enter__(self) -> scope:
        if _listener.find() is not None:
            begin(self._name)
            self._threads.append(threading.get_ident())
        return self

    def __exit__(self, *_exception: object) -> None:
        # On another thread it would end a scope of that one's.
        if self._threads and self._threads.pop() == threading.get_ident():
            end()

    def _recreate_cm(self) -> scope:
        return scope(self._name)
