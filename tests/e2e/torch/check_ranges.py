#!/usr/bin/env python3
"""PyTorch's NVTX ranges are scopes: budgets of them hold, or do not.

usage: check_ranges.py XFERTRACE PYTHON

Exit code 77 (skipped) where PYTHON has no PyTorch with CUDA 13.
"""

import pathlib
import subprocess
import sys

from check import SKIPPED, has_torch

SCRIPT = pathlib.Path(__file__).parent / "ranges.py"
EXPECTED = {
    "h2d_bytes_per_scope(step)>64KiB,h2d_count_per_scope(forward)>0": 0,
    "h2d_bytes_per_scope(step)>=64KiB": 1,
}


def main() -> int:
    xfertrace, python = sys.argv[1:]
    if not has_torch(python):
        print(f"{python} has no PyTorch with CUDA 13")
        return SKIPPED
    wrong = 0
    for budget, expected in EXPECTED.items():
        ran = subprocess.run([xfertrace, "--emulate", "--fail-on", budget, python, SCRIPT],
                             capture_output=True, text=True, check=False)
        if ran.returncode != expected:
            wrong += 1
            print(f"{budget}: exit code {ran.returncode}, not {expected}\n{ran.stderr[-2000:]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
