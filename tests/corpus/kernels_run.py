#!/usr/bin/env python3
"""Counts the programs of other people's collections that run on emulated devices.

Takes checkouts of NVIDIA/cuda-samples, HeCBench, gpu-rodinia, PolyBench-ACC and llm.c, and of
collections whose projects say in demo/expected_output.txt what they print; fetches nothing. Builds
each program with nvcc, as PTX alone, and runs it on emulated devices: does it end, and does it pass
its own check?

    kernels_run.py --path CHECKOUT [--path CHECKOUT ...] --work FOLDER [--only PATTERN] [-j N]

The checkouts stay as they are. The built programs stay in the folder of work, for the next run.
"""

import argparse
import concurrent.futures
import fcntl
import json
import pathlib
import re
import sys

import emulated
import kernel_builds
import kernel_programs
import kernel_runs
import kernel_table
import projects

HERE = pathlib.Path(__file__).resolve().parent
SIZES = HERE / "kernel_sizes.json"


def main():
    arguments = parsed()
    try:
        emulator = emulated.folder(arguments.emulator)
        if not projects.NVCC:
            raise projects.Unusable("nvcc is not there; install the CUDA toolkit")
        programs = chosen(arguments)
        work = arguments.work.resolve()
        lock = locked(work)
    except projects.Unusable as problem:
        print(f"kernels_run.py: {problem}", file=sys.stderr)
        return 2
    limits = kernel_runs.Limits(arguments.time, int(arguments.memory * 2**30))

    def row(program):
        build = kernel_builds.build(program, work, emulator, arguments.flag)
        result = None
        if not build.error and not arguments.build_only:
            result = kernel_runs.run(build, work, emulator, limits, arguments.devices)
        done = kernel_table.row(build, result)
        print(kernel_table.line(done), file=sys.stderr, flush=True)
        return done

    with lock, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(row, programs))
    print(kernel_table.text(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps(
            {"programs": rows, "totals": kernel_table.totals(rows)}, indent=1) + "\n")
    return 0


def locked(work):
    """Two runs in one folder of work would take each other's files away."""
    work.mkdir(parents=True, exist_ok=True)
    lock = (work / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise projects.Unusable(f"{work}: another run is using it; give --work another folder")
    return lock


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--path", action="append", type=pathlib.Path, required=True,
                        help="a checkout; may be given again")
    parser.add_argument("--work", type=pathlib.Path, required=True,
                        help="a folder for what is built")
    parser.add_argument("--emulator", type=pathlib.Path,
                        default=HERE.parents[1] / "build" / "lib" / "emulator",
                        help="the folder of the emulator's libraries; default: of build/")
    parser.add_argument("--only", type=re.compile, default=re.compile(""),
                        help="those whose collection/name has this pattern")
    parser.add_argument("--smallest", type=int,
                        help="of each collection, this many that have the least source")
    parser.add_argument("--time", type=float, default=60, help="seconds for one run (60)")
    parser.add_argument("--memory", type=float, default=6, help="GiB for one run (6)")
    parser.add_argument("--devices", type=int, default=1, help="emulated devices (1)")
    parser.add_argument("--flag", action="append", default=[], help="one more for nvcc")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--json", type=pathlib.Path, help="the rows and the totals as a file")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    return parser.parse_args()


def chosen(arguments):
    sizes = json.loads(projects.read(SIZES))
    found = []
    for path in arguments.path:
        programs = [program for program in kernel_programs.programs_of(path)
                    if arguments.only.search(f"{program.collection}/{program.name}")]
        if arguments.smallest:
            programs = sorted(filter(source_bytes, programs), key=source_bytes)
            programs = programs[:arguments.smallest]
        found += programs
    for program in found:
        if runs := sizes.get(f"{program.collection}/{program.name}"):
            program.runs = [run.split() for run in runs]
    return found


def source_bytes(program):
    return sum((program.folder / source).stat().st_size for source in program.sources
               if (program.folder / source).exists())


if __name__ == "__main__":
    sys.exit(main())
