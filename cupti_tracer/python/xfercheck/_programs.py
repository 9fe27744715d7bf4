"""The commands of the wheel: each becomes the program of its name that the wheel brings."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn

PREFIX = pathlib.Path(__file__).resolve().parent / "_prefix"


def _become(name: str) -> NoReturn:
    program = PREFIX / "bin" / name
    try:
        os.execv(program, [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{name}: cannot start {program}: {error.strerror}; reinstall it: "
                 "pip install --force-reinstall xfercheck")


def xferlint() -> NoReturn:
    _become("xferlint")


def xfertrace() -> NoReturn:
    _become("xfertrace")


def xfercheck_report() -> NoReturn:
    _become("xfercheck-report")
