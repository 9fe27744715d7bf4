"""Blocks in which nothing may make the host wait."""

from __future__ import annotations

import threading
from typing import List, Optional, Tuple

from ._block import Block
from ._counters import Counters, read
from ._decorator import BlockDecorator


class _Thread(threading.local):
    """Of each thread: the blocks that are open, and whether an exemption is."""

    def __init__(self) -> None:
        self.blocks: List[no_sync] = []
        self.exempt = 0


_thread = _Thread()


class no_sync(Block):
    """Allows no call that makes the host wait in a block, or in each call of a function.

    Those are syncs, copies that are synchronous or touch pageable memory (`non_blocking=True`
    waits there all the same), and frees of device memory. Code that must wait says so by
    `allow_sync`. TransferError: there are others; the text has their lines.
    """

    allowed = 0

    def start(self) -> None:
        super().start()
        self.allowed = 0
        _thread.blocks.append(self)

    def stop(self) -> Optional[Counters]:
        if self in _thread.blocks:
            _thread.blocks.remove(self)
        return super().stop()

    def verdict(self, counted: Counters) -> str:
        more = counted.host_waits - self.allowed
        if more <= 0:
            return ""
        text = (f"Expected of this {self.place}: no call that makes the host wait\n"
                f"There are {more}, and {self.allowed} under allow_sync\n")
        count, calls = self.examine("host_waits")
        return text + f"All of them:\n{calls}" if count > 0 else text


class allow_sync(BlockDecorator):
    """Exempts a block, or each call of a function, from the `no_sync` blocks around it.

        with xfercheck.allow_sync("the loss is printed every 100 steps"):
            print(loss.item())
    """

    def __init__(self, reason: str) -> None:
        if not isinstance(reason, str) or not reason.strip():
            raise TypeError("xfercheck.allow_sync: say why: allow_sync(\"the loss is printed\")")
        self._entered: List[Tuple[int, List[no_sync]]] = []

    def __enter__(self) -> allow_sync:
        # Inside of another exemption these waits are allowed already.
        blocks = [] if _thread.exempt else list(_thread.blocks)
        counted = read() if blocks else None
        self._entered.append((counted.host_waits if counted else 0, blocks if counted else []))
        _thread.exempt += 1
        return self

    def __exit__(self, *_exception: object) -> None:
        _thread.exempt -= 1
        begin, blocks = self._entered.pop()
        counted = read() if blocks else None
        if counted is not None:
            for block in blocks:
                block.allowed += counted.host_waits - begin

    def _recreate_cm(self) -> allow_sync:
        return allow_sync("of a function")
