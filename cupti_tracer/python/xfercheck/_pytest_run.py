"""A run of tests that is traced: what each test did is counted, and held to budgets."""

from __future__ import annotations

import dataclasses
from typing import Any, Generator, List

import pytest

from . import _listener, _pytest_budgets, _pytest_options, _pytest_summary, _scopes, _untraced
from ._block import Block
from ._counters import Counters, read
from ._findings import no_findings
from ._pytest_plan import Plan
from ._pytest_watch import Watch


def start(config: pytest.Config) -> None:
    """Registers a Run where the process is traced. UsageError: an option cannot be followed."""
    asked = _pytest_options.asked(config.option)
    traced = _listener.find_preloaded() is not None and read() is not None
    if traced:
        config.pluginmanager.register(Run(config), _pytest_options.RUN)
    elif asked and not config.option.help:
        raise pytest.UsageError(f"--xfercheck-{asked[0].replace('_', '-')}: nothing counts copies; "
                                "add --xfercheck-emulate, or --xfercheck on a machine with a GPU")
    elif _untraced.required() and (config.getini("xfercheck_budgets") or
                                   config.getini("xfercheck_fail_on")):
        raise pytest.UsageError("XFERCHECK_REQUIRED is set, but nothing counts copies; "
                                "add --xfercheck-emulate, or --xfercheck on a machine with a GPU")


class Run:
    """A plugin of its own, with the hooks that a run without tracing is spared."""

    def __init__(self, config: pytest.Config) -> None:
        self.plan = Plan(config, config.option)
        self.is_worker = hasattr(config, "workerinput")
        self.summary = _pytest_summary.Summary()
        begin = read()
        self.begin_ns = begin.time_ns if begin else 0

    def watch(self, item: pytest.Item, by_markers: List[Block]) -> Block:
        """Counts the test's call. No finding is looked for twice, here and by a marker."""
        looked_for = [block.which for block in by_markers if isinstance(block, no_findings)]
        fail_on = self.plan.fail_on if self.plan.fail_on not in looked_for else None
        watch = Watch(self.plan, item.nodeid, fail_on)
        item.stash[_WATCH] = watch
        return watch

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        with _scopes.scope(item.nodeid):
            yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        yield from _count_fixtures(item)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, None, None]:
        yield from _count_fixtures(item)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item,
                                  call: Any) -> Generator[None, Any, None]:
        """The numbers travel with the report, from pytest-xdist's workers too."""
        outcome = yield
        if outcome.excinfo is None:
            watch = item.stash.get(_WATCH, None)
            numbers = (watch.numbers() if call.when == "call" and watch is not None else
                       {"fixtures": dataclasses.asdict(item.stash.get(_FIXTURES, Counters()))})
            outcome.get_result().xfercheck = numbers

    def pytest_runtest_logreport(self, report: Any) -> None:
        if numbers := getattr(report, "xfercheck", None):
            self.summary.take(report, numbers)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self.plan.record or self.is_worker:
            return
        try:
            _pytest_budgets.write(self.plan.record,
                                  {**self.plan.recorded, **self.summary.passed_budgets()})
        except _pytest_budgets.BadFile as error:
            self.summary.notes.append(f"--xfercheck-record: {error}")
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_report_header(self) -> str:
        return f"xfercheck: {_pytest_summary.where()}"

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        _pytest_summary.write(self, terminalreporter)


_WATCH = pytest.StashKey[Watch]()
_FIXTURES = pytest.StashKey[Counters]()


def _count_fixtures(item: pytest.Item) -> Generator[None, None, None]:
    begin = read()
    yield
    end = read()
    if begin is not None and end is not None:
        item.stash[_FIXTURES] = end - begin
