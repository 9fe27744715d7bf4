"""PyTorch's record_function ranges as scopes.

PyTorch is never imported here: its class is changed once the program itself has imported it, and
only in a process that xfertrace traces.
"""

from __future__ import annotations

import functools
import sys
import threading
from typing import Any

from . import _listener, _scopes

MODULE = "torch.autograd.profiler"
_DONE = "_xfercheck_opens_scopes"


class _Watch:
    """Looks, at each import, whether PyTorch's class is there by now; finds no module itself."""

    def find_spec(self, _name: str, _path: Any = None, _target: Any = None) -> None:
        if _change_class() and self in sys.meta_path:
            sys.meta_path.remove(self)


def follow() -> None:
    """From now on, as soon as PyTorch is there."""
    if _listener.find_preloaded() is None or _change_class():
        return
    if not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


def _change_class() -> bool:
    """False: it is not there yet."""
    ranges = getattr(sys.modules.get(MODULE), "record_function", None)
    if ranges is None:
        return False
    if not isinstance(ranges, type) or _DONE in vars(ranges):
        return True
    enter, leave = vars(ranges).get("__enter__"), vars(ranges).get("__exit__")
    if not callable(enter) or not callable(leave):
        return True  # a PyTorch that does it in another way

    # `wraps`, so that TorchScript, which compiles the class from its source, finds PyTorch's.
    @functools.wraps(enter)
    def __enter__(self: Any) -> Any:
        entered = enter(self)
        _scopes.begin(str(getattr(self, "name", "")))
        vars(self).setdefault("_xfercheck_threads", []).append(threading.get_ident())
        return entered

    @functools.wraps(leave)
    def __exit__(self: Any, *exception: Any) -> Any:
        threads = vars(self).get("_xfercheck_threads")
        if threads and threads.pop() == threading.get_ident():
            _scopes.end()
        return leave(self, *exception)

    ranges.__enter__, ranges.__exit__ = __enter__, __exit__  # type: ignore[attr-defined]
    setattr(ranges, _DONE, True)
    return True
