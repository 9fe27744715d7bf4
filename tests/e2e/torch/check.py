#!/usr/bin/env python3
"""PyTorch programs under xfertrace: each waste on the script's line, nothing on right programs.

usage: check.py XFERTRACE PYTHON wasteful|right

Exit code 77 (skipped) where PYTHON has no PyTorch with CUDA 13. On emulated devices, or on the real
ones where XFER_TEST_DEVICE is "gpu".
"""

import os
import pathlib
import re
import subprocess
import sys

from traced import traced

HERE = pathlib.Path(__file__).parent
SKIPPED = 77


def has_torch(python: str) -> bool:
    ask = "import torch; raise SystemExit(not (torch.version.cuda or '').startswith('13.'))"
    return subprocess.run([python, "-c", ask], capture_output=True, check=False).returncode == 0


def cases(script: pathlib.Path, emulated: bool) -> dict[str, set[tuple[str, int]]]:
    """The functions of a script, with the rule and line of what is to be found in each."""
    found: dict[str, set[tuple[str, int]]] = {}
    name = ""
    for number, line in enumerate(script.read_text().splitlines(), 1):
        if function := re.match(r"def (\w+)\(\):", line):
            name = function[1]
            found[name] = set()
        for rule, where in re.findall(r"FIND: ([\w-]+)(?: \((emulated|gpu)\))?", line):
            if where in ("", "emulated" if emulated else "gpu"):
                found[name].add((rule, number))
    return found


def trace(xfertrace: str, python: str, script: pathlib.Path, case: str, emulated: bool):
    ran, findings = traced(xfertrace, python, script, case, emulated=emulated, devices=2)
    if ran.returncode != 0 or findings is None:
        return f"exit code {ran.returncode}: {ran.stderr[-2000:]}", set()
    places = {(f["rule"], f["location"]["line"]) for f in findings
              if f["location"]["file"].endswith(script.name)}
    elsewhere = [f["message"] for f in findings
                 if not f["location"]["file"].endswith(script.name)]
    return f"not in the script: {elsewhere}" if elsewhere else "", places


def main() -> int:
    xfertrace, python, which = sys.argv[1:]
    if not has_torch(python):
        print(f"{python} has no PyTorch with CUDA 13")
        return SKIPPED
    emulated = os.environ.get("XFER_TEST_DEVICE") != "gpu"
    script = HERE / f"{which}.py"
    expected_of = cases(script, emulated)
    wrong = 0
    for case, expected in expected_of.items():
        if which == "wasteful" and not expected:
            continue
        problem, found = trace(xfertrace, python, script, case, emulated)
        right = not problem and found == expected
        wrong += not right
        print(f"{case}: {'as it should be' if right else 'WRONG'}")
        if not right:
            print(f"  expected {sorted(expected)}, found {sorted(found)} {problem}")
    return 1 if wrong or not expected_of else 0


if __name__ == "__main__":
    sys.exit(main())
