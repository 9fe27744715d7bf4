"""Runs built programs on emulated devices, within limits of time and memory, and says how each
ended and whether it passed its own check."""

import collections
import dataclasses
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

import emulated
import projects
from kernel_verdicts import KINDS, compared, verdict

LARGEST_OUTPUT = 64 << 20  # bytes; a program that prints more is stopped
LARGEST_COPY = 16 << 20  # of a file of data; larger ones are linked to
SKIPPED = re.compile(r"^xfercheck:\s+(\d+) x (.*)", re.M)


@dataclasses.dataclass
class Limits:
    seconds: float
    memory: int  # bytes


@dataclasses.dataclass
class Result:
    kind: str
    detail: str  # what it said last, or the number of the signal
    seconds: float
    skipped: dict  # launches of each kernel
    said: list  # the emulator's lines


def run(build, work, emulator, limits, devices):
    """The worst of the program's runs, with the skipped kernels of all."""
    place = place_of(build, work)
    worst = None
    skipped = collections.Counter()
    for arguments in build.program.runs:
        result = run_once(build, place, emulator, limits, devices, arguments)
        skipped.update(result.skipped)
        if worst is None or KINDS.index(result.kind) > KINDS.index(worst.kind):
            worst = result
    worst.skipped = dict(skipped)
    shutil.rmtree(work / "run" / build.program.collection / build.program.name)
    return worst


def place_of(build, work):
    """A copy of the program's folder, with what lies beside it in reach as it is there."""
    program = build.program
    base = work / "run" / program.collection / program.name
    shutil.rmtree(base, ignore_errors=True)
    origin, copy = program.root, base
    copy.mkdir(parents=True)
    for part in program.folder.relative_to(program.root).parts:
        for path in origin.iterdir():
            if path.name != part:
                (copy / path.name).symlink_to(path)
        origin, copy = origin / part, copy / part
        copy.mkdir()
    shutil.copytree(program.folder, copy, dirs_exist_ok=True, copy_function=copy_or_link,
                    ignore_dangling_symlinks=True)
    for file in build.folder.iterdir():
        if file.suffix in (".fatbin", ".ptx"):
            copy_or_link(file, copy / file.name)
    for header in build.program.headers:
        (copy / pathlib.Path(header).name).symlink_to(projects.TOOLKIT / header)
    (copy / "program").unlink(missing_ok=True)
    os.link(build.binary, copy / "program")  # a copy may still be open where another run starts
    return copy


def copy_or_link(source, target):
    if pathlib.Path(source).stat().st_size > LARGEST_COPY:
        pathlib.Path(target).symlink_to(source)
    else:
        shutil.copy(source, target)


def run_once(build, place, emulator, limits, devices, arguments):
    toolkit = pathlib.Path(projects.NVCC).parents[1]
    environment = emulated.environment(emulator, max(devices, build.program.devices),
                                       [toolkit / "lib64"], CUDA_PATH=str(toolkit))
    out, err = build.folder / "run.out", build.folder / "run.err"
    start = time.monotonic()
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen([place / "program", *arguments], cwd=place, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                                   start_new_session=True)
        limit(process.pid)
        ended = watched(process, limits, start)
    seconds = time.monotonic() - start
    printed, said = projects.read(out), projects.read(err)
    lines = [line for line in said.splitlines() if line.startswith("xfercheck:")]
    skipped = collections.Counter()
    for launches, name in SKIPPED.findall(said):
        skipped[name] += int(launches)
    own = [line for line in said.splitlines() if not line.startswith("xfercheck:")]
    text = "\n".join([printed, *own])
    kind, detail = ended or verdict(process.returncode, text)
    if build.program.expected and process.returncode == 0:
        kind, detail = compared(projects.read(build.program.expected), printed)
    if kind == "says nothing" and build.program.code_tells and not skipped:
        kind = "passes"
    return Result(kind, detail, seconds, skipped, lines)


def limit(pid):
    try:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LARGEST_OUTPUT, LARGEST_OUTPUT))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
    except ProcessLookupError:
        pass  # it has ended


def watched(process, limits, start):
    """Waits. The kind and the detail where a limit ended the program."""
    while True:
        try:
            process.wait(timeout=0.2)
            return None
        except subprocess.TimeoutExpired:
            pass
        used = memory_of(process.pid)
        if time.monotonic() - start > limits.seconds:
            ended = "too long", f"over {limits.seconds:g} s"
        elif used > limits.memory:
            ended = "too much memory", f"over {limits.memory >> 20} MiB"
        else:
            continue
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return ended


def memory_of(pid):
    """The share of the process alone: device memory is mapped more than once."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return next((int(line.split()[1]) << 10 for line in file if line.startswith("Pss:")), 0)
    except OSError:
        return 0
