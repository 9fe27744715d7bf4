"""Names, budgets and checks for the copies of a Python program between CPU and GPU.

    with xfercheck.scope("step"): ...                        names a part of the run
    with xfercheck.expect(h2d=1, bytes="<= 4096"): ...       holds a block to a budget
    with xfercheck.no_sync(): ...                            nothing may make the host wait
    with xfercheck.no_transfers(): ...                       nothing may cross the border
    with xfercheck.no_findings(): ...                        xfertrace must find nothing

Each also decorates functions. xfertrace must count: run the program by `xfertrace python3 ...`, or
by `xfertrace --emulate python3 ...` without a GPU. Only the calling thread's work counts;
PyTorch's backward passes run on it within these blocks.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._counters import Counters, counters, is_tracing
    from ._error import TransferError
    from ._expect import expect, no_transfers
    from ._findings import no_findings
    from ._naming import name
    from ._scopes import scope
    from ._sync import allow_sync, no_sync
    from ._untraced import NotTraced

__all__ = ["Counters", "NotTraced", "TransferError", "allow_sync", "counters", "expect",
           "is_tracing", "name", "no_findings", "no_sync", "no_transfers", "scope"]

# Loaded when asked for: pytest loads this package in every run where it is installed. (Not in
# __dir__ before: pytest would ask for all.)
_MODULES = {"Counters": "_counters", "NotTraced": "_untraced", "TransferError": "_error",
            "allow_sync": "_sync", "counters": "_counters", "expect": "_expect",
            "is_tracing": "_counters", "name": "_naming", "no_findings": "_findings",
            "no_sync": "_sync", "no_transfers": "_expect", "scope": "_scopes"}

# `pytest -p xfercheck` where the package is not installed and only on PYTHONPATH.
pytest_plugins = ["xfercheck.pytest_plugin"]


def __getattr__(attribute: str) -> Any:
    if attribute == "__version__":
        value = importlib.import_module("._version", __name__).version()
    elif attribute in _MODULES:
        value = getattr(importlib.import_module(f".{_MODULES[attribute]}", __name__), attribute)
    else:
        raise AttributeError(f"module 'xfercheck' has no attribute {attribute!r}")
    globals()[attribute] = value
    return value


if os.environ.get("LD_PRELOAD"):  # who listens is preloaded
    importlib.import_module("._torch_ranges", __name__).follow()
