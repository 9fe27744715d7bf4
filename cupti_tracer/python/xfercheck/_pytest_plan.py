"""The limits for the tests of a run, from its options and ini file."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from typing import Any, Dict, Optional

import pytest

from . import _pytest_budgets


class Plan:
    """UsageError: a file without budgets, or unknown rules."""

    def __init__(self, config: pytest.Config, options: Any) -> None:
        self.fail_on: Optional[str] = (options.xfercheck_fail_on or
                                       config.getini("xfercheck_fail_on") or None)
        self.record = _command_line_path(config, options.xfercheck_record)
        self.budgets_file = (_command_line_path(config, options.xfercheck_budgets) or
                             _ini_path(config, config.getini("xfercheck_budgets")))
        self.budgets: Optional[Dict[str, _pytest_budgets.Budget]] = None
        self.recorded: Dict[str, _pytest_budgets.Budget] = {}  # before this run
        if self.record:  # what is written anew is not held
            self.budgets_file = None
        try:
            if self.record:
                _pytest_budgets.check_writable(self.record)
                if self.record.exists():
                    self.recorded = _pytest_budgets.read(self.record)
            elif self.budgets_file:
                self.budgets = _pytest_budgets.read(self.budgets_file)
        except _pytest_budgets.BadFile as error:
            raise pytest.UsageError(f"xfercheck: {error}") from None
        if self.fail_on and not hasattr(config, "workerinput"):
            _check_rules(self.fail_on)


def find_xfertrace() -> Optional[str]:
    """$XFERTRACE, that of PATH, or the one that lies in the package; None: there is none.
    UsageError: XFERTRACE is not a program."""
    named = os.environ.get("XFERTRACE")
    if named:
        if os.path.isfile(named) and os.access(named, os.X_OK):
            return os.path.abspath(named)
        raise pytest.UsageError(f"xfercheck: XFERTRACE is {named}, which is not a program")
    beside = pathlib.Path(__file__).resolve().parent / "_prefix" / "bin" / "xfertrace"
    return shutil.which("xfertrace") or (str(beside) if os.access(beside, os.X_OK) else None)


def _check_rules(which: str) -> None:
    """By xfertrace, in its words; it knows the rules before it starts a program."""
    program = find_xfertrace()
    if program is None:
        return
    done = subprocess.run([program, f"--fail-on={which}", "-o", os.devnull, "--", "/bin/true"],
                          capture_output=True, text=True, check=False)
    if done.returncode == 2:
        said = done.stderr.strip().replace("xfertrace: --fail-on:", "--xfercheck-fail-on:")
        raise pytest.UsageError(said)


def _command_line_path(config: pytest.Config, text: Optional[str]) -> Optional[pathlib.Path]:
    return config.invocation_params.dir / text if text else None


def _ini_path(config: pytest.Config, text: str) -> Optional[pathlib.Path]:
    folder = config.inipath.parent if config.inipath else config.rootpath
    return folder / text if text else None
