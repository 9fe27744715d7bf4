"""One warning where nothing counts, or an error where counting is required."""

from __future__ import annotations

import os
import warnings
from . import _gathered, _listener
from ._error import TransferError


class NotTraced(UserWarning):
    """A check was asked for, but nothing counts in this process."""


_warned = False


def required() -> bool:
    """Whether XFERCHECK_REQUIRED is set to something other than 0."""
    return os.environ.get("XFERCHECK_REQUIRED", "") not in ("", "0")


def why(what: str) -> str:
    if _listener.find() is not None:
        return f"{what}: xfertrace does not trace this process; it said why when CUDA started"
    return (f"{what}: nothing counts them. Run it by `xfertrace python3 ...` (on a machine without "
            "a GPU: `xfertrace --emulate python3 ...`), or pytest by `pytest --xfercheck` "
            "(`pytest --xfercheck-emulate`)")


def tell(reason: str, stacklevel: int) -> None:
    """Raises TransferError where counting is required."""
    global _warned
    if required():
        raise TransferError(reason)
    if _gathered.reasons is not None:  # pytest's plugin skips the test
        _gathered.reasons.append(reason)
    elif not _warned:
        _warned = True
        warnings.warn(reason, NotTraced, stacklevel=stacklevel)
