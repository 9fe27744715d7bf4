"""One test's call, counted, and held to its recorded budget and to the findings it may have."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional, Tuple

from . import _pytest_budgets
from ._block import Block
from ._counters import Counters
from ._expect import told
from ._pytest_plan import Plan


class Watch(Block):
    place = "test"

    def __init__(self, plan: Plan, test: str, fail_on: Optional[str]) -> None:
        self._plan = plan
        self._test = test
        self._fail_on = fail_on
        self._counted: Optional[Counters] = None
        self._findings: Optional[int] = None  # not looked for
        self._fewer: List[Tuple[str, int, int]] = []
        self._unknown = False

    def stop(self) -> Optional[Counters]:
        self._counted = super().stop()
        return self._counted

    def verdict(self, counted: Counters) -> str:
        return self._over_budget(counted) + self._found(counted)

    def _over_budget(self, counted: Counters) -> str:
        if self._plan.budgets is None or self._plan.budgets_file is None:
            return ""
        budget = self._plan.budgets.get(self._test)
        if budget is None:
            self._unknown = True
            return ""
        now = {name: getattr(counted, name) for name in budget}
        more = {name: f"{name}: {budget[name]} before, {now[name]} now"
                for name in budget if now[name] > budget[name]}
        if more:
            return (f"More than {self._plan.budgets_file.name} allows this test\n" +
                    told(self, more))
        self._fewer = [(name, budget[name], now[name]) for name in sorted(budget)
                       if now[name] < budget[name]]
        return ""

    def _found(self, counted: Counters) -> str:
        # A test that did nothing is not worth a reading of the trace.
        if not self._fail_on or not any(_pytest_budgets.of(counted).values()):
            return ""
        count, text = self.examine(self._fail_on)
        if count < 0:
            return f"This test could not be checked for findings: {text}"
        self._findings = count
        return f"xfertrace found in this test ({self._fail_on}):\n{text}" if count else ""

    def numbers(self) -> Dict[str, Any]:
        """For the summary; nothing but what JSON has, for pytest-xdist."""
        if self._counted is None:
            return {}
        return {"counted": dataclasses.asdict(self._counted), "findings": self._findings,
                "fewer": self._fewer, "unknown": self._unknown}
