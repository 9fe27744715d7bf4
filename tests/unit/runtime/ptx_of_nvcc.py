#!/usr/bin/env python3
"""Compiles CUDA files to PTX with nvcc, each for one architecture after the other, and has
ptx_check read it.

    ptx_of_nvcc.py --nvcc NVCC --check ptx_check [--every] [--include DIR ...] FILE.cu ...

Files that nvcc does not compile are left out and counted. With --every each file is compiled for
each architecture that nvcc knows.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile


def architectures(nvcc):
    said = subprocess.run([nvcc, "--list-gpu-arch"], capture_output=True, text=True, check=True)
    return said.stdout.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--check", required=True)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    known = architectures(arguments.nvcc)
    flags = ["-ptx", "-std=c++17", *[f"-I{folder}" for folder in arguments.include]]
    jobs = [(file, known[number % len(known)]) for number, file in enumerate(arguments.files)]
    if arguments.every:
        jobs = [(file, name) for file in arguments.files for name in known]
    with tempfile.TemporaryDirectory() as folder:

        def compiled(number):
            file, name = jobs[number]
            out = pathlib.Path(folder) / f"{number:04}_{file.stem}_{name}.ptx"
            done = subprocess.run([arguments.nvcc, *flags, f"-arch={name}", "-o", out, file],
                                  capture_output=True, check=False)
            return out if done.returncode == 0 else None

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            texts = [text for text in pool.map(compiled, range(len(jobs))) if text]
        print(f"{len(jobs) - len(texts)} of {len(jobs)} not compiled; for {' '.join(known)}")
        sys.stdout.flush()
        if not texts:
            return 1
        return subprocess.run([arguments.check, *texts], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
