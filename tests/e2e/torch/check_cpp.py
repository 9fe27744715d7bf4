#!/usr/bin/env python3
"""A program of LibTorch prints on an emulated device what it prints on the CPU, and nothing is
found in it.

usage: check_cpp.py XFERTRACE PROGRAM
"""

import subprocess
import sys

from traced import traced

xfertrace, program = sys.argv[1:]
expected = subprocess.run([program, "cpu"], capture_output=True, text=True, check=True).stdout
for schedule in ("eager", "lazy", "random"):
    ran, findings = traced(xfertrace, program, "cuda",
                           XFERCHECK_OPTIONS=f"emulate_schedule={schedule}")
    if ran.returncode != 0 or ran.stdout != expected or not expected or findings != []:
        sys.exit(f"{schedule}: exit code {ran.returncode}, {findings}\non the CPU:\n{expected}\n"
                 f"on the device:\n{ran.stdout}{ran.stderr[-2000:]}")
