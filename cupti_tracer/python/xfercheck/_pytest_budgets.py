"""Budgets of tests in a file: written by one run, held in later ones."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Dict

from ._counters import NAMES, Counters

FORMAT = "xfercheck-budgets/1"
# Not allocations: PyTorch's and CuPy's allocators keep memory, so these depend on which tests ran
# before. Not the sums of others.
RECORDED = tuple(name for name in NAMES if name not in ("allocations", "transfers", "bytes"))

Budget = Dict[str, int]


class BadFile(Exception):
    """One line: which file, what is wrong, what to do."""


def of(counted: Counters) -> Budget:
    return {name: getattr(counted, name) for name in RECORDED}


def read(path: pathlib.Path) -> Dict[str, Budget]:
    """Tests' budgets by node id. BadFile: it cannot be read, or is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadFile(f"{path} is not there; write it by --xfercheck-record={path}") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadFile(f"{path} cannot be read: {reason}") from None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path} is not JSON: {error}") from None
    return _checked(path, content)


def _checked(path: pathlib.Path, content: Any) -> Dict[str, Budget]:
    found = content.get("format") if isinstance(content, dict) else None
    if found != FORMAT:
        what = f"has format {found!r}" if found is not None else "has no \"format\""
        raise BadFile(f"{path} {what}; this xfercheck reads {FORMAT!r}")
    tests = content.get("tests")
    if not isinstance(tests, dict):
        raise BadFile(f"{path}: \"tests\" is missing, or is not an object of tests")
    for test, budget in tests.items():
        if not isinstance(budget, dict):
            raise BadFile(f"{path}: {test}: expected an object of counters")
        for counter, limit in budget.items():
            if counter not in NAMES:
                raise BadFile(f"{path}: {test}: there is no counter {counter!r} "
                              f"(there are {', '.join(NAMES)})")
            if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
                raise BadFile(f"{path}: {test}: {counter}: expected a number from 0 on, got "
                              f"{json.dumps(limit)}")
    return tests


def write(path: pathlib.Path, tests: Dict[str, Budget]) -> None:
    """Replaces the file in one step; sorted, so that a change is a small one. BadFile: it cannot
    be written."""
    text = json.dumps({"format": FORMAT, "tests": tests}, indent=1, sort_keys=True,
                      ensure_ascii=False) + "\n"
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadFile(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise BadFile(f"{path} cannot be written: {error.strerror}") from None


def check_writable(path: pathlib.Path) -> None:
    """BadFile: write() would not do, known before the tests have run."""
    if path.is_dir():
        raise BadFile(f"{path} is a folder")
    if not path.parent.is_dir():
        raise BadFile(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise BadFile(f"{path} cannot be written: Permission denied")
