"""The plugin's markers, as checks."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import pytest

from ._block import Block
from ._expect import expect, no_transfers
from ._findings import no_findings
from ._sync import no_sync

_MAKE: Dict[str, Callable[..., Block]] = {
    "transfers": expect, "no_transfers": no_transfers, "no_sync": no_sync,
    "no_findings": no_findings}


def blocks_of(item: pytest.Item) -> List[Block]:
    """One for each marker that the test has. Of several of a name the closest counts: a test's own
    before its class's. UsageError: a marker that means nothing."""
    marks: Dict[str, Any] = {}
    for mark in item.iter_markers():
        if mark.name in _MAKE:
            marks.setdefault(mark.name, mark)
    return [_block(item, mark) for mark in marks.values()]


def _block(item: pytest.Item, mark: Any) -> Block:
    try:
        if mark.args and mark.name != "no_findings":
            raise TypeError(f"expected counters by name, as h2d=1, got {mark.args[0]!r}"
                            if mark.name == "transfers" else "it takes no arguments")
        block = _MAKE[mark.name](*mark.args, **mark.kwargs)
    except (TypeError, ValueError) as error:
        said = str(error).replace("xfercheck.expect: ", "")
        raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.{mark.name}: {said}") from None
    block.place = "test"
    return block


def check(items: List[pytest.Item]) -> None:
    """UsageError: a marker of one of the tests means nothing."""
    for item in items:
        blocks_of(item)
