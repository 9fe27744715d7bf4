"""The section `xfercheck` at the end of pytest's output."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Tuple

from . import _listener, _pytest_budgets
from ._counters import Counters

MOST_TESTS = 10
MOST_FINDINGS = 5
_HEAD = re.compile(r"^\S.*: (?:error|warning): ", re.M)


def where() -> str:
    devices = os.environ.get("XFERCHECK_EMULATE")
    if not devices:
        return "copies are counted on this machine's GPU"
    return f"copies are counted on {devices} emulated device{'' if devices == '1' else 's'}"


class Summary:
    """Gathered from the reports of tests."""

    def __init__(self) -> None:
        self.tests: Dict[str, Counters] = {}
        self.findings: Dict[str, int] = {}  # where they were looked for
        self.passed: List[str] = []
        self.fixtures = Counters()
        self.fewer: Dict[str, List[Tuple[str, int, int]]] = {}
        self.unknown: List[str] = []
        self.notes: List[str] = []

    def take(self, report: Any, numbers: Dict[str, Any]) -> None:
        if "fixtures" in numbers:
            self.fixtures += Counters(**numbers["fixtures"])
        if "counted" not in numbers:
            return
        test = report.nodeid
        self.tests[test] = Counters(**numbers["counted"])
        if report.passed:
            self.passed.append(test)
        if numbers["findings"] is not None:
            self.findings[test] = numbers["findings"]
        if numbers["fewer"]:
            self.fewer[test] = numbers["fewer"]
        if numbers["unknown"] and test not in self.unknown:
            self.unknown.append(test)

    def passed_budgets(self) -> Dict[str, _pytest_budgets.Budget]:
        return {test: _pytest_budgets.of(self.tests[test]) for test in self.passed}


def write(run: Any, reporter: Any) -> None:
    summary: Summary = run.summary
    if reporter.verbosity < -1 or not (summary.tests or summary.notes):
        return
    reporter.write_sep("=", "xfercheck")
    for line in (*_table(summary), *_budget_notes(run.plan, summary), *summary.notes):
        reporter.write_line(line)
    if not summary.findings and not _is_distributed(reporter.config):
        for line in _findings(run):
            reporter.write_line(line)


def _is_distributed(config: Any) -> bool:
    """pytest-xdist runs the tests in other processes, each with a trace of its own."""
    return bool(config.getoption("dist", "no") != "no")


def _table(summary: Summary) -> List[str]:
    total = sum(summary.tests.values(), Counters())
    costly = [(test, counted) for test, counted in summary.tests.items()
              if counted.transfers or counted.host_waits or summary.findings.get(test)]
    costly.sort(key=lambda row: (-row[1].bytes, -row[1].transfers, -row[1].host_waits, row[0]))
    rows = [_row(counted, summary.findings.get(test, "-") if summary.findings else None, test)
            for test, counted in costly[:MOST_TESTS]]
    lines = [f"{'copies':>7} {'bytes':>11} {'waits':>6}" +
             (f" {'findings':>8}" if summary.findings else "") + "  test"] if rows else []
    lines += rows
    if len(costly) > MOST_TESTS:
        lines.append(f"{'':26}  and {len(costly) - MOST_TESTS} more")
    quiet = len(summary.tests) - len(costly)
    lines.append(_row(total, sum(summary.findings.values()) if summary.findings else None,
                      f"{_number(len(summary.tests), 'test')} together" +
                      (f", {quiet} of them without copies and waits" if quiet else "")))
    if summary.fixtures.transfers or summary.fixtures.host_waits:
        lines.append(_row(summary.fixtures, "-" if summary.findings else None,
                          "in fixtures, which no budget counts"))
    return lines


def _row(counted: Counters, findings: Any, what: str) -> str:
    found = f" {findings:>8}" if findings is not None else ""
    return (f"{counted.transfers:>7} {_size(counted.bytes):>11} {counted.host_waits:>6}{found}"
            f"  {what}")


def _budget_notes(plan: Any, summary: Summary) -> List[str]:
    lines = []
    if plan.record and plan.record.exists():
        lines.append(f"recorded: {_number(len(set(summary.passed)), 'test')} that passed, in "
                     f"{plan.record.name}")
    if summary.fewer:
        lines.append(f"{plan.budgets_file.name} can be tightened, by --xfercheck-record:")
        rows = [f"  {test}: " + ", ".join(f"{name} {before} -> {now}"
                                          for name, before, now in fewer)
                for test, fewer in sorted(summary.fewer.items())]
        lines += _first(rows, MOST_TESTS)
    if summary.unknown:
        lines.append(f"not in {plan.budgets_file.name}, and not held:")
        lines += _first([f"  {test}" for test in summary.unknown], MOST_TESTS)
    return lines


def _findings(run: Any) -> List[str]:
    """One reading of the whole trace. Copies and waits are what the tests' thread did."""
    listener = _listener.find()
    if listener is None:
        return []
    count, text = listener.examine("warning", run.begin_ns)
    if count < 0:
        return [f"findings are not known: {text}"]
    if count == 0:
        return []
    heads = [line for line in text.splitlines() if _HEAD.match(line)]
    return [f"xfertrace found in this run ({_number(count, 'finding')}; "
            "--xfercheck-fail-on=warning shows them in full, and fails their tests):",
            *_first([f"  {line}" for line in heads], MOST_FINDINGS)]


def _first(rows: List[str], most: int) -> List[str]:
    return rows[:most] + ([f"  and {len(rows) - most} more"] if len(rows) > most else [])


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _size(count: int) -> str:
    size, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size /= 1024
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
