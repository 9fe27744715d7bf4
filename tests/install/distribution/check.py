#!/usr/bin/env python3
"""Wheel and Debian packages as users have them.

usage: check.py contents DIST WORK
       check.py python DIST WORK INTERPRETER CUDA_INCLUDE CUDA_LIBRARIES
       check.py generation DIST WORK CUDA_INCLUDE CUDA_LIBRARIES
       check.py root SUITE DIST WORK KEEP CUDA_INCLUDE CUDA_LIBRARIES

DIST has them (build/dist); WORK is made anew. Exit code 77: skipped, and why.
"""

import pathlib
import shutil
import sys

import root_checks
import wheel_checks


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    check, *words = sys.argv[1:]
    if check == "root":
        suite, dist, work, keep, *cuda = words
    else:
        dist, work, *rest = words
    work = pathlib.Path(work).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.parent.mkdir(parents=True, exist_ok=True)
    dist = pathlib.Path(dist).resolve()
    if check == "root":
        root_checks.root(suite, dist, work, pathlib.Path(keep).resolve(), *cuda)
    elif check == "python":
        wheel_checks.python(dist, work, *rest)
    elif check == "generation":
        wheel_checks.generation(dist, work, *rest)
    elif check == "contents":
        wheel_checks.contents(dist, work)
    else:
        sys.exit(__doc__)
    shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
