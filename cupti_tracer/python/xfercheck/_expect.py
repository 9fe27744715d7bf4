"""Budgets of a block: how much it may copy, launch and wait."""

from __future__ import annotations

from typing import Any, Dict, List

from ._block import Block
from ._conditions import conditions
from ._counters import ABOUT_COPIES, ABOUT_WAITS, Counters


class expect(Block):
    """Holds a block, or each call of a function, to counters.

        with xfercheck.expect(h2d=1, bytes="<= 4096"):
            scores = model(batch.cuda())

    A number means exactly that many. A string compares: == != < <= > >= and a number, which may
    have a unit (B, kB, MB, GB, KiB, MiB, GiB) where it counts bytes.

    Counters are those of the calling thread: h2d, d2h, d2d, p2p (copies: host to device, device to
    host, within a device, between devices), the same with _bytes, transfers and bytes (those that
    cross a border: all but d2d), launches, syncs, allocations, host_waits (calls that make the
    host wait).

    TransferError: a comparison does not hold; the text says what was counted, and which lines made
    the copies. TypeError, ValueError: a counter or comparison that there is not.
    """

    def __init__(self, **counters: Any) -> None:
        self._wanted = conditions("xfercheck.expect", counters)

    def verdict(self, counted: Counters) -> str:
        wrong = {wanted.counter: failure for wanted in self._wanted
                 if (failure := wanted.failure(counted))}
        if not wrong:
            return ""
        return f"Expected of this {self.place}: {self.expected()}\n" + told(self, wrong)

    def expected(self) -> str:
        return ", ".join(map(str, self._wanted))


class no_transfers(expect):
    """Allows no copy across a border in a block, or in each call of a function. Copies within a
    device are allowed."""

    def __init__(self) -> None:
        super().__init__(transfers=0)

    def expected(self) -> str:
        return "no transfers"


def told(block: Block, wrong: Dict[str, str]) -> str:
    """The failures by counter, and the lines of the program that made them."""
    lines: List[str] = list(wrong.values())
    for counters, about, title in ((ABOUT_COPIES, "transfers", "Its copies:"),
                                   (ABOUT_WAITS, "host_waits", "Its calls that wait:")):
        if not counters.isdisjoint(wrong):
            count, text = block.examine(about)
            if count > 0:
                lines += [title, text.rstrip("\n")]
    return "\n".join(lines) + "\n"
