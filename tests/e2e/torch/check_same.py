#!/usr/bin/env python3
"""PyTorch programs (same.py) on emulated devices print what they print on the CPU, whenever the
work of a stream is done; nothing is found in them.

usage: check_same.py XFERTRACE PYTHON

Exit code 77 (skipped) where PYTHON has no PyTorch that its operators are emulated for.
"""

import os
import pathlib
import re
import subprocess
import sys

from traced import traced

HERE = pathlib.Path(__file__).parent
SKIPPED = 77
SCHEDULES = ("eager", "lazy", "random")


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def is_emulated(xfertrace, python):
    ask = "import torch; raise SystemExit(float(torch.full((2,), 21.0, device='cuda').sum()) != 42)"
    return run([xfertrace, "--emulate", "-o", os.devnull, python, "-c", ask]).returncode == 0


def on_device(xfertrace, python, case, schedule):
    ran, findings = traced(xfertrace, python, HERE / "same.py", case, "cuda",
                           XFERCHECK_OPTIONS=f"emulate_schedule={schedule}")
    if ran.returncode != 0:
        return f"exit code {ran.returncode}: {ran.stderr[-2000:]}", []
    return ran.stdout, [finding["message"] for finding in findings]


def main():
    xfertrace, python = sys.argv[1:]
    if not is_emulated(xfertrace, python):
        print(f"{python} has no PyTorch that is emulated")
        return SKIPPED
    cases = re.findall(r"^def (\w+)\(device\)", (HERE / "same.py").read_text(), re.M)
    wrong = 0
    for number, case in enumerate(cases):
        expected = run([python, HERE / "same.py", case, "cpu"]).stdout
        schedule = SCHEDULES[number % len(SCHEDULES)]
        printed, findings = on_device(xfertrace, python, case, schedule)
        right = printed == expected and expected and not findings
        wrong += not right
        print(f"{case} ({schedule}): {'the same' if right else 'WRONG'}")
        if not right:
            print(f"on the CPU:\n{expected}\non the device:\n{printed}\nfound: {findings}")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
