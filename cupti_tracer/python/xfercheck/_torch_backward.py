"""PyTorch's backward passes on the calling thread, where they are counted.

PyTorch runs the backward pass of a GPU's tensors on a thread of its own for each device, and
counters belong to threads: what the pass copies would be missed. PyTorch can be told otherwise, for
the calling thread.
"""

from __future__ import annotations

import sys
from typing import Callable


def _nothing() -> None:
    pass


def on_this_thread() -> Callable[[], None]:
    """Until what it returns is called. Nothing where PyTorch is not loaded, or has no such way."""
    autograd = getattr(sys.modules.get("torch"), "autograd", None)
    switch = getattr(autograd, "set_multithreading_enabled", None)
    if switch is None:
        return _nothing
    switched = switch(False)
    return lambda: switched.__exit__(None, None, None)
