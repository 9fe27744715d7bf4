#!/usr/bin/env python3
"""CUDA programs of others (programs.txt): gathered, compiled, run without and with the tracer.

    programs.py gather DEST CHECKOUT...      copies what the list names and a checkout has below
                                             it, with its folders
    programs.py compile OUT [--static]       compiles them into OUT, from programs/ in the pack
                                             and $XFER_GPU_PROGRAMS
    programs.py trace OUT --xfertrace BIN    each once without and once with the tracer: same end,
                                             same output; what it found
    programs.py overhead OUT --xfertrace BIN [--pairs N]
                                             run times without and with it, in turn: ratios

Exit code 77 where there are no programs.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DRY_RUN = os.environ.get("XFER_GPU_DRY_RUN") == "1"
TIMEOUT_S = 120
LARGEST = 1 << 20  # a source or header is smaller
# Names that CUDA 13 no longer has.
OLD_NAMES = ["-DcudaThreadSynchronize=cudaDeviceSynchronize", "-DcudaThreadExit=cudaDeviceReset"]


class Program:
    def __init__(self, line):
        self.name, sources, options, arguments = (part.strip() for part in line.split("|"))
        self.sources, self.options = sources.split(), options.split()
        self.arguments = arguments.split()

    def checkout(self, checkouts):
        return next((folder for folder in checkouts if (folder / self.sources[0]).exists()), None)

    def folders(self):
        """Whose files it needs: its sources', and those that its options name."""
        first = pathlib.PurePath(self.sources[0]).parent
        folders = [option.removeprefix("-I").replace("DIR", str(first))
                   for option in self.options if "DIR" in option]
        named = [pathlib.PurePath(os.path.normpath(folder)) for folder in folders]
        named = [path.parent if path.suffix else path for path in named]
        return {pathlib.PurePath(source).parent for source in self.sources} | set(named)


def programs():
    lines = (HERE / "programs.txt").read_text().replace("\\\n", " ").splitlines()
    return [Program(line) for line in lines if line.strip() and not line.startswith("#")]


def checkouts():
    """Each gathered checkout lies in a folder of its own; others are named by
    $XFER_GPU_PROGRAMS."""
    packed = ROOT / "build" / "gpu-pack" / "programs"
    given = os.environ.get("XFER_GPU_PROGRAMS", "").split(":")
    named = [pathlib.Path(path) for path in given if path]
    return (sorted(packed.iterdir()) if packed.is_dir() else []) + named


def gather(arguments):
    found = 0
    for program in programs():
        checkout = program.checkout(arguments.checkouts)
        if checkout is None:
            continue
        found += 1
        for folder in program.folders():
            for file in (checkout / folder).iterdir():
                if file.is_file() and file.stat().st_size < LARGEST:
                    copy = arguments.dest / checkout.resolve().name / folder / file.name
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(file, copy)
    print(f"gpu: {found} of {len(programs())} programs found in the checkouts")


def compile_one(program, checkout, out, static):
    if checkout is None:
        return program.name, "not in the checkouts"
    binary = out / (program.name + (".static" if static else ""))
    folder = (checkout / program.sources[0]).parent
    options = [option.replace("DIR", str(folder)) for option in program.options]
    command = ["nvcc", "-O2", "-g", "-lineinfo", "-arch=" + ("sm_90" if DRY_RUN else "native"),
               "-std=c++17", "-w", *OLD_NAMES, "-cudart", "static" if static else "shared",
               *(str(checkout / source) for source in program.sources), *options,
               "-o", str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines()
                  if "error" in line or "undefined" in line]
        return program.name, (errors or [done.stderr[-200:]])[0]
    return program.name, ""


def compile_all(arguments):
    arguments.out.mkdir(parents=True, exist_ok=True)
    folders = checkouts()
    found = [(program, program.checkout(folders)) for program in programs()]
    if not any(checkout for _, checkout in found):
        print("= no CUDA programs here: ./dev gpu --pack --programs DIR takes them along")
        return 77
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(
            lambda pair: compile_one(*pair, arguments.out, arguments.static), found))
    for name, problem in results:
        print(f"{name:24} {'compiled' if not problem else 'not compiled: ' + problem}")
    return 0


def built(out, suffix=""):
    return [(program, binary) for program in programs()
            if (binary := (out / (program.name + suffix)).resolve()).exists()]


def execute(command, folder):
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              check=False, timeout=TIMEOUT_S, cwd=folder)
    except subprocess.TimeoutExpired:
        return None, "", TIMEOUT_S
    return done.returncode, done.stdout, time.perf_counter() - start


def with_tracer(arguments, program, binary, report, *options):
    emulate = ["--emulate"] if DRY_RUN else []
    return [str(arguments.xfertrace), *emulate, "--format", "json", "-o", str(report), *options,
            "--", str(binary), *program.arguments]


def without_tracer(arguments, program, binary):
    if DRY_RUN:
        emulator = arguments.xfertrace.parent.parent / "lib/emulator/libcudart.so.13"
        return ["env", "XFERCHECK_EMULATE=1", f"LD_PRELOAD={emulator}", str(binary),
                *program.arguments]
    return [str(binary), *program.arguments]


def same_output(plain, traced):
    """But for numbers, which are times as often as not."""
    words = [re.sub(r"[-+]?[\d.]+(e[-+]?\d+)?", "#", text) for text in (plain, traced)]
    return words[0] == words[1]


def disturbed(plain_code, code, plain, traced):
    """Emulated, kernels write nothing: a program that looks at its results may say and end as it
    likes, but not crash."""
    if DRY_RUN:
        return code is None or (code < 0) != (plain_code is not None and plain_code < 0)
    return code != plain_code or not same_output(plain, traced)


def trace(arguments):
    rows, problems = [], []
    suffix = ".static" if arguments.static else ""
    for program, binary in built(arguments.out, suffix):
        report = arguments.out / f"{program.name}{suffix}.json"
        report.unlink(missing_ok=True)
        plain_code, plain, plain_s = execute(without_tracer(arguments, program, binary),
                                             arguments.out)
        command = with_tracer(arguments, program, binary, report, "--record",
                              str(report.with_suffix(".xft")))
        code, traced, traced_s = execute(command, arguments.out)
        if disturbed(plain_code, code, plain, traced):
            problems.append(program.name)
            print(f"{program.name}: alone it ended with {plain_code}, traced with {code}; "
                  f"output {'the same' if same_output(plain, traced) else 'another'}")
        findings = json.loads(report.read_text())["findings"] if report.exists() else []
        rows.append((program.name, plain_s, traced_s, findings))
        print(f"{program.name:24} {plain_s:8.2f} s {traced_s:8.2f} s  {len(findings)} findings",
              flush=True)
        for finding in findings:
            place = finding["location"]
            print(f"    {finding['rule']:20} {place['file']}:{place['line']}  {finding['message']}")
    print(f"= {len(rows)} programs, {sum(len(row[3]) for row in rows)} findings"
          f"{'; disturbed: ' + ' '.join(problems) if problems else ''}")
    return 1 if problems else 0


def overhead(arguments):
    ratios = []
    print(f"{'program':24} {'without, s':>12} {'with, s':>12} {'ratio':>8}   "
          f"medians of {arguments.pairs}")
    for program, binary in built(arguments.out):
        report = arguments.out / "overhead.json"
        alone, traced = [], []
        for _ in range(arguments.pairs):
            alone.append(execute(without_tracer(arguments, program, binary), arguments.out)[2])
            command = with_tracer(arguments, program, binary, report)
            traced.append(execute(command, arguments.out)[2])
        alone, traced = sorted(alone)[len(alone) // 2], sorted(traced)[len(traced) // 2]
        ratios.append((traced / alone, program.name))
        print(f"{program.name:24} {alone:12.3f} {traced:12.3f} {traced / alone:7.3f}x", flush=True)
    mean = math.exp(sum(math.log(ratio) for ratio, _ in ratios) / len(ratios))
    worst, name = max(ratios)
    print(f"= {len(ratios)} programs, {'emulated: ' if DRY_RUN else ''}"
          f"geometric mean {mean:.3f}x, worst {worst:.3f}x ({name})")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    sub = commands.add_parser("gather")
    sub.add_argument("dest", type=pathlib.Path)
    sub.add_argument("checkouts", nargs="+", type=pathlib.Path)
    sub.set_defaults(function=gather)
    for name, function in ("compile", compile_all), ("trace", trace), ("overhead", overhead):
        sub = commands.add_parser(name)
        sub.add_argument("out", type=lambda path: pathlib.Path(path).resolve())
        sub.add_argument("--static", action="store_true", help="with the static CUDA runtime")
        if name != "compile":
            sub.add_argument("--xfertrace", required=True,
                             type=lambda path: pathlib.Path(path).resolve())
            sub.add_argument("--pairs", type=int, default=5)
        sub.set_defaults(function=function)
    arguments = parser.parse_args()
    return arguments.function(arguments) or 0


if __name__ == "__main__":
    sys.exit(main())
