"""Counters compared with numbers: h2d=1, bytes="<= 4 KiB"."""

from __future__ import annotations

import operator
import re
from typing import Any, Callable, Dict, List, NamedTuple

from ._counters import NAMES, Counters

_COMPARE: Dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge,
    "<": operator.lt, ">": operator.gt}
_UNITS = {"": 1, "B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9,
          "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_TEXT = re.compile(r"\s*(==|!=|<=|>=|<|>)?\s*([0-9][0-9_]*)\s*([A-Za-z]*)\s*")


class Condition(NamedTuple):
    counter: str
    sign: str
    limit: int

    def failure(self, counted: Counters) -> str:
        """Empty where it holds."""
        value = getattr(counted, self.counter)
        if _COMPARE[self.sign](value, self.limit):
            return ""
        return f"{self.counter} is {value}, not {self.sign} {self.limit}"

    def __str__(self) -> str:
        return f"{self.counter} {self.sign} {self.limit}"


def conditions(prefix: str, wanted: Dict[str, Any]) -> List[Condition]:
    """`prefix` begins the error: TypeError for a counter that there is not and for what is no
    condition, ValueError for a condition that cannot be read."""
    if not wanted:
        raise TypeError(f"{prefix}: which counters? e.g. h2d=1, bytes=\"<=4096\"")
    return [_condition(prefix, counter, limit) for counter, limit in wanted.items()]


def _condition(prefix: str, counter: str, limit: Any) -> Condition:
    if counter not in NAMES:
        import difflib
        near = difflib.get_close_matches(counter, NAMES, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise TypeError(f"{prefix}: there is no counter {counter!r}{hint} "
                        f"(there are {', '.join(NAMES)})")
    if isinstance(limit, str):
        return _parsed(prefix, counter, limit)
    if isinstance(limit, bool) or not hasattr(type(limit), "__index__"):
        raise TypeError(f"{prefix}: {counter}: expected a number or a comparison as \"<=4096\", "
                        f"got {limit!r}")
    if limit < 0:
        raise ValueError(f"{prefix}: {counter}: a counter is never {limit}")
    return Condition(counter, "==", operator.index(limit))


def _parsed(prefix: str, counter: str, text: str) -> Condition:
    found = _TEXT.fullmatch(text)
    if not found or found[3] not in _UNITS or (found[3] and not counter.endswith("bytes")):
        units = ", with B, kB, MB, GB, KiB, MiB or GiB" if counter.endswith("bytes") else ""
        raise ValueError(f"{prefix}: {counter}: expected == != < <= > or >= and a number{units}, "
                         f"got {text!r}")
    return Condition(counter, found[1] or "==", int(found[2].replace("_", "")) * _UNITS[found[3]])
