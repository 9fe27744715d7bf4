"""Blocks that xfertrace must find nothing in."""

from __future__ import annotations

from ._block import Block
from ._counters import Counters


class no_findings(Block):
    """Allows xfertrace to find nothing in a block, or in each call of a function.

        with xfercheck.no_findings():                                # warnings and errors
        with xfercheck.no_findings("repeated-transfer,round-trip"):  # these rules

    Runs xfertrace over the trace of the run so far, which takes tens of milliseconds, and half a
    second with PyTorch. It is judged by what is known at the block's end: a copy that nothing has
    used yet may still be used. TransferError: there are findings, or they cannot be told.
    """

    def __init__(self, which: str = "warning") -> None:
        if not isinstance(which, str) or not which.strip():
            raise TypeError("xfercheck.no_findings: expected rules and severities, separated by "
                            f"commas, as \"warning\", got {which!r}")
        self.which = which

    def verdict(self, counted: Counters) -> str:
        count, text = self.examine(self.which)
        if count == 0:
            return ""
        if count < 0:
            return f"This {self.place} could not be checked for findings: {text}"
        return f"Expected no findings of this {self.place} ({self.which})\n{text}"
