#!/usr/bin/env python3
"""Time of whole projects: xferlint beside run-clang-tidy-22 with one check.

Runs over the files of each given folder: run-clang-tidy, xferlint with an empty cache, and xferlint
again after changes of one file.

    speed.py --path DIR [--path DIR ...] [--about cuda] [--jobs N]

Seconds are wall and CPU time; the memory is that of the largest single process.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import projects

CHECK = "-*,bugprone-unused-return-value"


def measured(command, cache):
    """Wall seconds, CPU seconds and the largest MiB of a command and of all that it starts."""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               env=dict(os.environ, XDG_CACHE_HOME=str(cache)))
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) < 0:
        raise projects.Unusable(f"{command[0]} was killed by signal "
                                f"{-os.waitstatus_to_exitcode(status)}")
    return (time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024)


def rows(folder, arguments, tidy, out):
    project = projects.Project(folder, arguments.about)
    flags = project.flags(arguments)
    copy = out / folder.name
    shutil.copytree(folder, copy, symlinks=True)
    project = projects.Project(copy, arguments.about)
    database = [project.command(file, flags) for file in project.sources]
    (out / "compile_commands.json").write_text(json.dumps(database, indent=1))
    jobs = ["-j", arguments.jobs or os.cpu_count()]
    lint = [projects.find_xferlint(arguments.xferlint), "-p", out, "--root", copy, *jobs]
    cache = out / "cache"
    yield "run-clang-tidy, one check", measured(
        [tidy, "-quiet", "-p", out, f"-checks={CHECK}", *jobs], cache)
    yield "xferlint, cold", measured(lint, cache)
    for label in ("first file changed", "the same file again"):
        with project.sources[0].open("a") as file:
            file.write("\n// one line more\n")
        yield f"xferlint, {label}", measured(lint, cache)
    yield "xferlint, nothing changed", measured(lint, cache)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    projects.add_arguments(parser)
    arguments = parser.parse_args()
    tidy = shutil.which("run-clang-tidy-22")
    try:
        if not tidy:
            raise projects.Unusable("run-clang-tidy-22 is not there; install clang-tidy-22")
        for folder in arguments.path:
            with tempfile.TemporaryDirectory(prefix="xfer-corpus-") as out:
                print(f"{folder.name:30}{'wall s':>9}{'ratio':>8}"
                      f"{'CPU s':>9}{'ratio':>8}{'MiB':>7}")
                base = None
                for label, (wall, cpu, peak) in rows(folder.resolve(), arguments, tidy,
                                                     pathlib.Path(out)):
                    base = base or (wall, cpu)
                    print(f"{label:30}{wall:9.2f}{wall / base[0]:8.3f}{cpu:9.2f}"
                          f"{cpu / base[1]:8.3f}{peak:7}", flush=True)
    except projects.Unusable as problem:
        print(f"speed.py: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
