#!/usr/bin/env python3
"""Races in other people's CUDA programs: what xfertrace finds in them as they are, and once a wait
has been left out.

Takes checkouts; fetches nothing. Each file with a main that copies asynchronously is built by
itself, and built again without each of its waits. Whether leaving one out makes a race of data is
asked of the schedule, and not of the tool: a program that prints something else where all work runs
as late as it may (emulate_schedule=lazy). Whether a finding in a program as it is holds, a person
must say: they are printed.

    races.py --path CHECKOUT [--path ...] --work FOLDER [--only PATTERN] [--json FILE]

The checkouts stay as they are.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys

import emulated
import projects

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = {"async-source-reuse", "read-before-sync", "use-after-free"}
ASYNCHRONOUS = re.compile(r"cudaMemcpyAsync|cudaStreamCreate|cudaMallocManaged|cudaGraphLaunch")
MAIN = re.compile(r"\bmain\s*\(")
# Alone on its line, so that nothing else goes with it.
WAIT = re.compile(r"^\s*(?:\w+\s*\(\s*)?"
                  r"cuda(?:(?:Thread|Device|Stream|Event)Synchronize|StreamWaitEvent)\b"
                  r"[^;]*;\s*(?://.*)?$")
# Times and rates differ from run to run.
MEASURED = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?\s*(?:[mun]?s|sec\w*|[GMK]i?B/s|[GT]?FLOPS?|x)?\b",
                      re.I)
MOST_WAITS = 6  # of one program


@dataclasses.dataclass
class Tools:
    xfertrace: pathlib.Path
    emulator: pathlib.Path
    work: pathlib.Path
    seconds: float


def main():
    arguments = parsed()
    try:
        if not projects.NVCC:
            raise projects.Unusable("nvcc is not there; install the CUDA toolkit")
        tools = Tools(arguments.xfertrace.resolve(), emulated.folder(arguments.emulator),
                      arguments.work.resolve(), arguments.time)
        sources = [source for path in arguments.path for source in sources_of(path)]
    except projects.Unusable as problem:
        print(f"races.py: {problem}", file=sys.stderr)
        return 2
    tools.work.mkdir(parents=True, exist_ok=True)
    rows = [row for source in sources if re.search(arguments.only, str(source))
            for row in rows_of(source, tools)]
    print(summary(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--path", action="append", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--xfertrace", type=pathlib.Path, default=ROOT / "build/bin/xfertrace")
    parser.add_argument("--emulator", type=pathlib.Path, default=ROOT / "build/lib/emulator")
    parser.add_argument("--time", type=float, default=40, help="seconds that a run may take")
    parser.add_argument("--only", default="", help="of the files' paths, a pattern")
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def sources_of(path):
    """The files, or the one that `path` is, which are programs that copy asynchronously."""
    if not path.exists():
        raise projects.Unusable(f"{path}: no such file or folder")
    files = [path] if path.is_file() else sorted(path.rglob("*.cu"))
    return [file for file in files
            if (text := projects.read(file)) and MAIN.search(text) and ASYNCHRONOUS.search(text)]


def rows_of(source, tools):
    """One for the program as it is, one for each wait that is left out."""
    text = projects.read(source).split("\n")
    program = built(source, text, tools)
    if program is None:
        return [said({"file": str(source), "kind": "does not build"})]
    late, usual = (run(program, schedule, tools) for schedule in ("lazy", "eager"))
    if late is None or usual is None:
        return [said({"file": str(source), "kind": "too long"})]
    rows = [said({"file": str(source), "kind": "as it is", "prints_the_same": late == usual,
                  "findings": findings(program, tools)})]
    waits = [number for number, line in enumerate(text)
             if WAIT.match(line) and not is_for_the_clock(text, number)][:MOST_WAITS]
    for number in waits if late == usual else []:
        without = text[:number] + ["  ;"] + text[number + 1:]
        program = built(source, without, tools)
        late = run(program, "lazy", tools) if program else None
        if late is not None:
            rows.append(said({"file": str(source), "line": number + 1, "kind": "a wait left out",
                              "prints_the_same": late == usual,
                              "findings": findings(program, tools)}))
    return rows


def is_for_the_clock(text, number):
    """Without it the time between two events cannot be asked for, and the program ends there."""
    return any("cudaEventElapsedTime" in line for line in text[number:number + 6])


def built(source, text, tools):
    copy, program = tools.work / "program.cu", tools.work / "program"
    copy.write_text("\n".join(text))
    program.unlink(missing_ok=True)
    subprocess.run([projects.NVCC, "-g", "-lineinfo", "-std=c++17", "-arch=sm_80",
                    "-I", source.parent, "-I", source.parent.parent, copy, "-o", program],
                   capture_output=True, check=False)
    return program if program.exists() else None


def run(program, schedule, tools):
    """The exit code, and the output without measured values; None: it took too long."""
    toolkit = pathlib.Path(projects.NVCC).parents[1] / "lib64"
    environment = emulated.environment(tools.emulator, 1, [toolkit],
                                       XFERCHECK_OPTIONS=f"emulate_schedule={schedule}")
    try:
        done = subprocess.run([program], cwd=tools.work, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=tools.seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, MEASURED.sub("#", done.stdout.decode(errors="replace"))


def findings(program, tools):
    """Lines and rules; None: there is no report."""
    report = tools.work / "report.json"
    report.unlink(missing_ok=True)
    try:
        subprocess.run([tools.xfertrace, "--emulate", "--format", "json", "-o", report, "--",
                        program], cwd=tools.work, stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=2 * tools.seconds, check=False,
                       env={**os.environ, "XFERCHECK_OPTIONS": ""})
    except subprocess.TimeoutExpired:
        return None
    if not report.exists():
        return None
    return [f"{finding['location']['line']}: {finding['rule']}: {finding['message']}"
            for finding in json.loads(report.read_text())["findings"]
            if finding["rule"] in RULES and finding["severity"] != "advice"]


def said(row):
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


def summary(rows):
    count = collections.Counter(row["kind"] for row in rows)
    as_they_are = {row["file"]: row["findings"] for row in rows if row["kind"] == "as it is"}
    lines = [f"{count['as it is']} programs run, {count['does not build']} do not build, "
             f"{count['too long']} take too long",
             f"{sum(bool(found) for found in as_they_are.values())} have findings as they are:"]
    lines += [f"  {file}: {finding}"
              for file, found in as_they_are.items() for finding in found or []]
    left_out = [row for row in rows if row["kind"] == "a wait left out"]
    races = [row for row in left_out if not row["prints_the_same"]]
    new = [row for row in races if set(row["findings"] or []) - set(as_they_are[row["file"]] or [])]
    lines.append(f"{len(left_out)} waits left out: {len(races)} print something else, of which "
                 f"{len(new)} are found")
    lines += [f"  not found: {row['file']}:{row['line']}" for row in races if row not in new]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
