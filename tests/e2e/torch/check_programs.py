#!/usr/bin/env python3
"""Programs as people write them (programs/) on emulated devices: what is marked as waste is found,
nothing else is, and each prints what it prints on the CPU.

usage: check_programs.py XFERTRACE PYTHON [NAME...]

A mark is "# WASTE: ..." on a line, or "# WASTE, not found: ..." where it is known to be missed.
Advice on other lines is let pass, a warning is not. Exit code 77 (skipped) where PYTHON has no
PyTorch that its operators are emulated for.
"""

import os
import pathlib
import re
import subprocess
import sys

from check_same import SKIPPED, is_emulated
from traced import traced

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def marks(program):
    """(the lines that are to be found, all that are marked)"""
    wanted, marked = set(), set()
    for number, line in enumerate(program.read_text().splitlines(), 1):
        if mark := re.search(r"# WASTE(, not found)?:", line):
            marked.add(number)
            if not mark[1]:
                wanted.add(number)
    return wanted, marked


def without_device(text):
    return re.sub(r",\s+device='cuda(:\d)?'", "", text)


def problems_of(xfertrace, python, program):
    on_cpu = {**os.environ, "DEVICE": "cpu"}
    expected = subprocess.run([python, program], capture_output=True, text=True, check=False,
                              env=on_cpu)
    ran, findings = traced(xfertrace, python, program, devices=2)
    if ran.returncode != 0 or findings is None:
        return [f"exit code {ran.returncode}: {ran.stderr[-2000:]}"]
    problems = []
    if expected.returncode == 0 and without_device(ran.stdout) != expected.stdout:
        problems.append(f"prints {ran.stdout!r} and not {expected.stdout!r}")
    wanted, marked = marks(program)
    lines = {finding["location"]["line"] for finding in findings
             if finding["location"]["file"].endswith(program.name)}
    problems += [f"line {line}: not found" for line in sorted(wanted - lines)]
    problems += [f"{f['location']['file']}:{f['location']['line']}: {f['message']} [{f['rule']}]"
                 for f in findings
                 if f["severity"] != "advice" and f["location"]["line"] not in marked]
    return problems


def main():
    xfertrace, python, *names = sys.argv[1:]
    if not is_emulated(xfertrace, python):
        print(f"{python} has no PyTorch that is emulated")
        return SKIPPED
    wrong = 0
    programs = [path for path in sorted(PROGRAMS.glob("*/*.py")) if not names or path.stem in names]
    for program in programs:
        problems = problems_of(xfertrace, python, program)
        wrong += bool(problems)
        print(f"{program.parent.name}/{program.stem}: {'WRONG' if problems else 'right'}",
              flush=True)
        for problem in problems:
            print(f"  {problem}")
    return 1 if wrong or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
