#!/usr/bin/env python3
"""PyTorch programs (same.py, distributed.py) on emulated devices print what they print on the CPU,
whenever the work of a stream is done; nothing is found in them.

usage: check_same.py XFERTRACE PYTHON [same|distributed]

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
DEVICES = {"same": 1, "distributed": 2}
SCHEDULES = ("eager", "lazy", "random")


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def is_emulated(xfertrace, python):
    ask = "import torch; raise SystemExit(float(torch.full((2,), 21.0, device='cuda').sum()) != 42)"
    return run([xfertrace, "--emulate", "-o", os.devnull, python, "-c", ask]).returncode == 0


def on_device(xfertrace, python, script, case, schedule):
    ran, findings = traced(xfertrace, python, script, case, "cuda",
                           devices=DEVICES[script.stem],
                           XFERCHECK_OPTIONS=f"emulate_schedule={schedule}")
    if ran.returncode != 0:
        return f"exit code {ran.returncode}: {ran.stderr[-2000:]}", []
    return ran.stdout, [finding["message"] for finding in findings]


def main():
    xfertrace, python, *which = sys.argv[1:]
    script = HERE / f"{which[0] if which else 'same'}.py"
    if not is_emulated(xfertrace, python):
        print(f"{python} has no PyTorch that is emulated")
        return SKIPPED
    cases = re.findall(r"^def (\w+)\((?:device|ranks)\)", script.read_text(), re.M)
    wrong = 0
    for number, case in enumerate(cases):
        expected = run([python, script, case, "cpu"]).stdout
        schedule = SCHEDULES[number % len(SCHEDULES)]
        printed, findings = on_device(xfertrace, python, script, case, schedule)
        right = printed == expected and expected and not findings
        wrong += not right
        print(f"{case} ({schedule}): {'the same' if right else 'WRONG'}")
        if not right:
            print(f"on the CPU:\n{expected}\non the device:\n{printed}\nfound: {findings}")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
