#!/usr/bin/env python3
"""Recorded traces, reported again: each NAME.xft here gives the findings that NAME.expected lists.

    replay.py check XFERTRACE                 compares all of them
    replay.py expect XFERTRACE FILE.xft...    writes FILE.expected, to be read by a person before
                                              it is committed

An expectation is a line "RULE COUNT BYTES", one a finding, and last "copies COUNT BYTES". Places
are left out: the programs are not here. README.md says where each trace comes from.
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def findings_of(xfertrace, trace):
    done = subprocess.run([xfertrace, "report", "--format", "json", "-o", "-", trace],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{trace}: xfertrace report ended with {done.returncode}\n{done.stderr}")
    report = json.loads(done.stdout)
    found = sorted(f"{each['rule']} {each['cost']['count']} {each['cost']['bytes']}"
                   for each in report["findings"])
    copies = report["stats"]["copies"].values()
    return found + [f"copies {sum(c['count'] for c in copies)} {sum(c['bytes'] for c in copies)}"]


def check(xfertrace):
    traces = sorted(HERE.glob("*.xft"))
    if not traces:
        raise SystemExit(f"{HERE}: no traces")
    told = (HERE / "README.md").read_text()
    wrong = 0
    for trace in traces:
        expected = trace.with_suffix(".expected").read_text().splitlines()
        found = findings_of(xfertrace, trace)
        problems = [f"  misses {line}" for line in expected if line not in found]
        problems += [f"  has {line}, which is not expected"
                     for line in found if line not in expected]
        problems += [] if f"`{trace.stem}`" in told else ["  is not in README.md"]
        print(f"{trace.stem}: {'as it was' if not problems else 'ANOTHER'}", *problems, sep="\n")
        wrong += bool(problems)
    return wrong


def main():
    command, xfertrace, *traces = sys.argv[1:]
    if command == "check":
        return 1 if check(xfertrace) else 0
    for trace in map(pathlib.Path, traces):
        trace.with_suffix(".expected").write_text("\n".join(findings_of(xfertrace, trace)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
