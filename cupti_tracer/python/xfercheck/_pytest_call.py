"""The judgement of one test, after its call."""

from __future__ import annotations

from typing import Any, List

import pytest

from . import _pytest_marks, _untraced
from ._block import Block
from ._error import TransferError


class Failed(TransferError, pytest.fail.Exception):  # type: ignore[misc,name-defined]
    """A test did what it must not. pytest shows the text alone, no lines of the plugin's."""

    def __init__(self, text: str) -> None:
        pytest.fail.Exception.__init__(self, text, pytrace=False)


# pytest's output calls it by these names.
Failed.__module__ = "xfercheck"
Failed.__qualname__ = Failed.__name__ = TransferError.__name__


def begin(item: pytest.Item, run: Any) -> List[Block]:
    """The blocks that judge the test, counting from now on; `run` is the traced run, or None."""
    blocks = _pytest_marks.blocks_of(item)
    if run is not None:
        blocks.append(run.watch(item, blocks))
    for block in blocks:
        block.start()
    return blocks


def end(blocks: List[Block], unchecked: List[str], outcome: Any) -> None:
    """Fails the test if something is wrong, and skips it if something could not be checked."""
    # Each is ended before one is judged, which takes time and may read the trace.
    counts = [block.stop() for block in reversed(blocks)]
    if outcome.excinfo is not None:  # the test's own failure is the news
        return
    texts = []
    for block, counted in zip(blocks, reversed(counts)):
        if counted is None:
            unchecked.append(block.why_not())
        elif wrong := block.verdict(counted):
            texts.append(wrong.rstrip("\n"))
    if texts or (unchecked and _untraced.required()):
        _raise(outcome, Failed("\n".join(texts or unchecked[:1])))
    elif unchecked:
        _raise(outcome, pytest.skip.Exception(unchecked[0], _use_item_location=True))


def _raise(outcome: Any, error: BaseException) -> None:
    if hasattr(outcome, "force_exception"):
        outcome.force_exception(error)
    else:  # pluggy before 1.1
        raise error
