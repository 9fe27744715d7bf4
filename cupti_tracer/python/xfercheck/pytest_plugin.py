"""pytest's plugin: markers that hold tests to what they may copy, and `pytest --xfercheck-emulate`.

Loaded by pytest where the package is installed; `pytest -p xfercheck` where it is on PYTHONPATH.
Where none of its options and markers is used it does nothing, and loads nothing else.
"""

from __future__ import annotations

import os
from typing import Any, Generator, List

import pytest

from . import _gathered, _pytest_options


def pytest_addoption(parser: pytest.Parser) -> None:
    _pytest_options.add(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    _restart_if_asked(early_config, early_config.known_args_namespace)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """For a plugin that a conftest.py names, which comes too late for the hook above."""
    _restart_if_asked(config, config.option)


def _restart_if_asked(config: pytest.Config, options: Any) -> None:
    if options.xfercheck or options.xfercheck_emulate:
        from . import _pytest_restart
        _pytest_restart.restart(config, options)


def pytest_configure(config: pytest.Config) -> None:
    for text in _pytest_options.MARKERS.values():
        config.addinivalue_line("markers", text)
    # A listener is preloaded; without one, the plugin can at most say that nothing counts.
    if (os.environ.get("LD_PRELOAD") or os.environ.get("XFERCHECK_REQUIRED") or
            _pytest_options.asked(config.option)):
        from . import _pytest_run
        _pytest_run.start(config)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    """A marker that means nothing is said before any test runs."""
    if marked := [item for item in items if _is_marked(item)]:
        from . import _pytest_marks
        _pytest_marks.check(marked)


@pytest.hookimpl(hookwrapper=True, trylast=True)  # the innermost: other plugins' calls are not seen
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    run = item.config.pluginmanager.getplugin(_pytest_options.RUN)
    blocks = []
    if run is not None or _is_marked(item):
        from . import _pytest_call
        blocks = _pytest_call.begin(item, run)
    outer, _gathered.reasons = _gathered.reasons, []
    outcome = yield
    reasons, _gathered.reasons = _gathered.reasons, outer
    if blocks or reasons:
        from . import _pytest_call
        _pytest_call.end(blocks, reasons, outcome)


def _is_marked(item: pytest.Item) -> bool:
    node: Any = item
    while node is not None:  # as iter_markers does, in a fifth of its time: each test pays for it
        for mark in node.own_markers:
            if mark.name in _pytest_options.MARKERS:
                return True
        node = node.parent
    return False
