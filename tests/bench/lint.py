#!/usr/bin/env python3
"""Lint time of one LibTorch file: xferlint cold and warm, clang-tidy with one check, a plain parse.

usage: lint.py BUILD_DIR [--repeat N]

Wall time is what a person waits; CPU time is steadier on a shared machine. Each row is the median
of its runs; the ratios are against clang-tidy's.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TORCH = "/usr/include/torch/csrc/api/include"
FLAGS = ["-std=gnu++17", "-isystem", TORCH]


def measure(command, folder, environment, repeat, before=None):
    """Medians of wall and CPU seconds, and the largest MiB."""
    walls, cpus, peak = [], [], 0
    for _ in range(repeat):
        if before:
            before()
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        errors = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        walls.append(time.monotonic() - start)
        cpus.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss // 1024)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{errors[:2000]}")
    return statistics.median(walls), statistics.median(cpus), peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    xferlint = arguments.build.resolve() / "bin" / "xferlint"
    clang = shutil.which("clang++-22") or shutil.which("clang++")
    tidy = shutil.which("clang-tidy-22")
    needed = [(str(xferlint), xferlint.exists()), ("clang++-22", clang), ("clang-tidy-22", tidy),
              (TORCH, os.path.exists(TORCH))]
    missing = [what for what, there in needed if not there]
    if missing:
        print(f"lint: not measured, missing: {', '.join(missing)}")
        return

    with tempfile.TemporaryDirectory(prefix="xfer-bench-") as name:
        folder = pathlib.Path(name)
        cache = folder / "cache"
        environment = dict(os.environ, XDG_CACHE_HOME=str(cache))
        shutil.copy(HERE / "lint" / "train.cc", folder / "first.cc")
        text = (HERE / "lint" / "train.cc").read_text()
        (folder / "next.cc").write_text(text.replace("Net", "OtherNet"))
        stored = [xferlint, "-j", "1"]
        lint = [*stored, "--no-stored-facts"]

        def empty_cache():
            shutil.rmtree(cache, ignore_errors=True)

        rows = [("clang-tidy-22, one check", measure(
            [tidy, "--quiet", "--checks=-*,bugprone-unused-return-value", "first.cc", "--", *FLAGS],
            folder, environment, arguments.repeat))]
        rows.append(("clang -fsyntax-only",
                     measure([clang, *FLAGS, "-fsyntax-only", "first.cc"], folder, environment,
                             arguments.repeat)))
        rows.append(("xferlint, cold",
                     measure([*stored, "first.cc", "--", *FLAGS], folder, environment,
                             arguments.repeat, before=empty_cache)))
        rows.append(("xferlint, second run (precompiles)",
                     measure([*lint, "first.cc", "--", *FLAGS], folder, environment, 1)))
        rows.append(("xferlint, same file again", measure([*lint, "first.cc", "--", *FLAGS], folder,
                                                          environment, 3 * arguments.repeat)))
        rows.append(("xferlint, next file",
                     measure([*lint, "next.cc", "--", *FLAGS], folder, environment,
                             3 * arguments.repeat)))
        rows.append(("xferlint, nothing changed",
                     measure([*stored, "first.cc", "--", *FLAGS], folder, environment,
                             3 * arguments.repeat)))
        base_wall, base_cpu, _ = rows[0][1]
        print(f"{'':38}{'wall s':>9}{'ratio':>8}{'CPU s':>9}{'ratio':>8}{'MiB':>7}")
        for label, (wall, cpu, peak) in rows:
            print(f"{label:38}{wall:9.2f}{wall / base_wall:8.3f}"
                  f"{cpu:9.2f}{cpu / base_cpu:8.3f}{peak:7}")
        print_engine_share([*lint, "--format", "json", "first.cc", "--", *FLAGS], folder,
                           environment, rows)


def print_engine_share(command, folder, environment, rows):
    report = json.loads(subprocess.run(command, cwd=folder, env=environment, capture_output=True,
                                       check=False).stdout)
    engine = report["stats"]["engine_seconds"]
    plain = dict(rows)["clang -fsyntax-only"][1]
    print(f"\nanalysis (CFG, lattice, checks): {engine * 1000:.1f} ms, "
          f"{100 * engine / plain:.2f} % of a plain parse")


if __name__ == "__main__":
    main()
