#!/usr/bin/env python3
"""Counts the tests of a Python package that pass on emulated devices.

Runs each module of tests by itself, with the package and its tests as they are installed:

    suite_runs.py --python PYTHON --numba numba.cuda.tests.cudapy.test_atomics ...
    suite_runs.py --python PYTHON --pytest tests/cupy_tests/core_tests/test_raw.py ...

Numba's tests come with numba-cuda; CuPy's are in its repository, of which a copy of `tests` is
needed. Tests that compare with a GPU's machine code, or that need a library that is not emulated,
fail and are named.
"""

import argparse
import collections
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys

import emulated
import projects

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("passed", "failed", "skipped")
TOO_LONG = 124  # as timeout(1) says it
REASON = re.compile(r"^(?:E\s+)?([\w.]*(?:Error|Exception|Failed)\b:? .*)", re.M)


@dataclasses.dataclass
class Outcome:
    counts: collections.Counter
    code: int
    reasons: list


def main():
    arguments = parsed()
    try:
        arguments.emulator = emulated.folder(arguments.emulator)
        if shutil.which(arguments.python) is None:
            raise projects.Unusable(f"{arguments.python}: there is no such program")
    except projects.Unusable as problem:
        print(f"suite_runs.py: {problem}", file=sys.stderr)
        return 2
    total, reasons, late = collections.Counter(), collections.Counter(), 0
    for module in arguments.numba or arguments.pytest:
        outcome = run(arguments, module)
        print(f"{module:60} " + ("too long" if outcome.code == TOO_LONG else ", ".join(
            f"{outcome.counts[kind]} {kind}" for kind in KINDS)), flush=True)
        total.update(outcome.counts)
        reasons.update(outcome.reasons)
        late += outcome.code == TOO_LONG
    print(", ".join(f"{total[kind]} {kind}" for kind in KINDS) + f"; {late} modules took too long")
    for reason, count in reasons.most_common(arguments.reasons):
        print(f"{count:5} x {reason}")
    return 0


def run(arguments, module):
    words = ["-m", "numba.runtests", module] if arguments.numba else [
        "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "-m", "not slow", module]
    environment = emulated.environment(arguments.emulator, CUPY_CACHE_DIR=str(arguments.cache),
                                       CUPY_TEST_GPU_LIMIT="1")
    try:
        done = subprocess.run([arguments.python, *words], env=environment, capture_output=True,
                              text=True, errors="replace", timeout=arguments.time, check=False)
    except subprocess.TimeoutExpired:
        return Outcome(collections.Counter(), TOO_LONG, [])
    text = done.stdout + done.stderr
    return Outcome(counted(text), done.returncode,
                   [reason[:120] for reason in REASON.findall(text)])


def counted(text):
    """Of what unittest or pytest says last."""
    said = collections.Counter({kind: int(count) for count, kind in re.findall(
        r"(\d+) (passed|failed|skipped|errors?)\b", text.rstrip().rpartition("\n")[2])})
    ran = re.search(r"^Ran (\d+) tests?", text, re.M)
    if ran:
        told = collections.Counter({kind: int(count) for kind, count in re.findall(
            r"(failures|errors|skipped|expected failures)=(\d+)", text[ran.end():])})
        said = collections.Counter(failed=told["failures"] + told["errors"],
                                   skipped=told["skipped"] + told["expected failures"])
        # A test's parts may fail by themselves.
        said["passed"] = max(int(ran[1]) - said["failed"] - said["skipped"], 0)
    said["failed"] += said["error"] + said["errors"]
    return said


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True, help="that has the package installed")
    suites = parser.add_mutually_exclusive_group(required=True)
    suites.add_argument("--numba", nargs="+", metavar="MODULE")
    suites.add_argument("--pytest", nargs="+", metavar="FILE")
    parser.add_argument("--emulator", type=pathlib.Path, help="the folder of its libraries",
                        default=HERE.parents[1] / "build" / "lib" / "emulator")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path("cupy_cache").resolve(),
                        help="where CuPy keeps what it compiled")
    parser.add_argument("--time", type=float, default=150, help="seconds for a module (150)")
    parser.add_argument("--reasons", type=int, default=15, help="how many to name (15)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
