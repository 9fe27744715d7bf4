"""Helpers that the checks of wheel and packages share."""

import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def fail(what, output=""):
    sys.exit(f"FAILED: {what}" + (f"\n{output}" if output else ""))


def expect(holds, what, output=""):
    if not holds:
        fail(what, output)


def run(command, expected=0, **options):
    """The output of both kinds; the check fails where the exit code is another one."""
    done = subprocess.run([str(word) for word in command], check=False, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, **options)
    expect(done.returncode == expected,
           f"{' '.join(map(str, command))} gave {done.returncode}, not {expected}", done.stdout)
    return done.stdout


def files_below(folder):
    return {os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names}


class Watch:
    """Says how long the steps took; nothing depends on it."""

    def __init__(self):
        self._begin = time.monotonic()

    def say(self, what):
        print(f"{time.monotonic() - self._begin:6.1f} s  {what}", flush=True)


def wheel_of(folder):
    found = sorted(pathlib.Path(folder).glob("xfercheck-*.whl"))
    expect(len(found) == 1, f"there is no one wheel in {folder}: {found}")
    return found[0]


def compile_program(work, include, libraries):
    """The sample, against the CUDA runtime of this toolkit."""
    program = work / "program"
    run(["cc", HERE / "program.c", "-o", program, f"-I{include}", f"-L{libraries}", "-lcudart"])
    return program
