"""`pytest --xfercheck-emulate` starts itself again under xfertrace, once, before anything is
collected."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any, List, Optional, Sequence

import pytest

from . import _listener
from ._pytest_plan import Plan, find_xfertrace

MARK = "XFERCHECK_PYTEST_RESTARTED"  # set for the started process alone
TRY = "start pytest by hand: xfertrace --emulate python3 -m pytest ..."


def restart(config: pytest.Config, options: Any) -> None:
    """Returns where the process is traced already. UsageError: it cannot be started again."""
    devices: Optional[int] = options.xfercheck_emulate
    asked = "--xfercheck-emulate" if devices else "--xfercheck"
    if options.help or options.version or hasattr(config, "workerinput"):
        return
    restarted = os.environ.pop(MARK, None) is not None
    if _listener.find() is not None:
        if devices and not os.environ.get("XFERCHECK_EMULATE"):
            raise pytest.UsageError("--xfercheck-emulate: xfertrace runs pytest already, "
                                    "without --emulate; leave one of the two out")
        return
    if restarted:
        raise pytest.UsageError(f"{asked}: pytest was started under xfertrace, but its library is "
                                f"not in the process (is {sys.executable} linked statically, or "
                                "started by a program that drops LD_PRELOAD?)")
    program = find_xfertrace()
    if program is None:
        raise pytest.UsageError(f"{asked}: xfertrace is not in PATH; add its folder, or "
                                "set XFERTRACE=/path/to/xfertrace")
    Plan(config, options)  # what is wrong with it is said now
    command = own_command(asked, config.invocation_params)
    emulate = [f"--emulate={devices}"] if devices else []
    # The findings are told by the plugin; the report would follow pytest's output.
    _become([program, *emulate, "-o", os.devnull, "--", *command], config)


def own_command(asked: str, invocation: Any) -> List[str]:
    """The command that started this process, to start it again: python's own options, coverage and
    such stay. UsageError: another program called pytest, with arguments of its own."""
    words = _process_words()
    given = [str(word) for word in invocation.args]
    if invocation.plugins or words[len(words) - len(given):] != given:
        raise pytest.UsageError(f"{asked}: another program calls pytest, which cannot start "
                                f"that again; start it under xfertrace, or {TRY}")
    return [sys.executable or words[0], *words[1:]]


def _process_words() -> Sequence[str]:
    words = getattr(sys, "orig_argv", None)  # from Python 3.10 on
    if words is None:
        raw = pathlib.Path("/proc/self/cmdline").read_bytes()
        words = [os.fsdecode(word) for word in raw.split(b"\0")[:-1]]
    return words


def _become(command: List[str], config: pytest.Config) -> None:
    # pytest may have put files in the place of standard output and error.
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture is not None:
        capture.stop_global_capturing()
    sys.stdout.flush()
    sys.stderr.flush()
    os.environ[MARK] = "1"
    try:
        os.execv(command[0], command)
    except OSError as error:
        del os.environ[MARK]
        raise pytest.UsageError(f"{command[0]} cannot be run: {error.strerror}") from None
