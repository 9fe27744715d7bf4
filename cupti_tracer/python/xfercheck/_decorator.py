"""Context managers that also decorate functions, safely."""

from __future__ import annotations

import contextlib
import copy
import inspect
from typing import Any, Callable, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


class BlockDecorator(contextlib.ContextDecorator):
    """`with it:` for a block, `@it` for all calls of a function."""

    def __call__(self, func: Function) -> Function:
        kind = ("a coroutine function" if inspect.iscoroutinefunction(func) else
                "a generator function" if inspect.isgeneratorfunction(func) or
                inspect.isasyncgenfunction(func) else "")
        if kind:  # the call only makes it; its code runs later
            raise TypeError(f"@xfercheck.{type(self).__name__}: {func.__qualname__} is {kind}, "
                            "whose code runs after the call; use `with` inside of it")
        return super().__call__(func)

    def _recreate_cm(self) -> BlockDecorator:
        """One for each call: calls may be nested, and on several threads."""
        return copy.copy(self)
