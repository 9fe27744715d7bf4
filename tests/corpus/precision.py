#!/usr/bin/env python3
"""Precision on code that nobody here wrote, by labels that a person gave to the findings.

Lints all files of the given folders that are about tensors, and compares every finding with its
label.

    precision.py --path DIR [--path DIR ...] [--labels FILE] [--checks GLOB] [--at-least 0.95]

The labels are a JSON object: fingerprint -> {"rule", "at", "true": true|false|null, "why"}. `null`
is a finding that nobody has judged yet; --add writes those for the findings that have no label.
Exit code 1: the default tier's precision is below --at-least, a finding has no label and --strict
is given, or the analysis crashed on a file.
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

import projects


def gather(arguments, out):
    found, files, failed, crashed = [], 0, 0, 0
    for folder in arguments.path:
        folder = folder.resolve()
        project = projects.Project(folder, arguments.about)
        flags = project.flags(arguments)
        database = [project.command(file, flags)
                    for file in [*project.sources, *project.beside]]
        findings, said, _ = projects.lint(
            projects.find_xferlint(arguments.xferlint), database, folder, out / folder.name,
            ["--checks", arguments.checks] if arguments.checks else [], arguments.jobs)
        files += len(database)
        incomplete = re.search(r"(\d+) did not parse completely", said)
        failed += int(incomplete[1]) if incomplete else 0
        crashed += len(projects.crashes(said))
        for finding in findings:
            finding["project"] = folder.name
        found += findings
    return found, files, failed, crashed


def place(finding):
    return f"{finding['project']}/{finding['location']['file']}:{finding['location']['line']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    projects.add_arguments(parser)
    parser.add_argument("--labels", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent / "labels.json")
    parser.add_argument("--checks", default="")
    parser.add_argument("--at-least", type=float, default=0.0)
    parser.add_argument("--strict", action="store_true", help="a finding without a label fails")
    parser.add_argument("--add", action="store_true",
                        help="add findings without a label to the file, as null")
    parser.add_argument("--output", type=pathlib.Path, help="write the figures there, as JSON")
    arguments = parser.parse_args()
    labels = json.loads(arguments.labels.read_text()) if arguments.labels.exists() else {}
    with tempfile.TemporaryDirectory(prefix="xfer-corpus-") as out:
        try:
            findings, files, failed, crashed = gather(arguments, pathlib.Path(out))
        except projects.Unusable as problem:
            print(f"precision.py: {problem}", file=sys.stderr)
            return 2

    counts = collections.defaultdict(lambda: [0, 0, 0])  # rule -> true, false, not judged
    severity = {}
    for finding in findings:
        severity[finding["rule"]] = finding["severity"]
        label = labels.get(finding["fingerprint"], {}).get("true")
        counts[finding["rule"]][2 if label is None else 0 if label else 1] += 1
        if label is None:
            print(f"not judged: {place(finding)}: {finding['rule']}: {finding['message']}")
            unlabeled = {"rule": finding["rule"], "at": place(finding), "true": None, "why": ""}
            labels.setdefault(finding["fingerprint"], unlabeled)
        elif not label:
            print(f"false: {place(finding)}: {finding['rule']}: {finding['message']}")
    if arguments.add:
        arguments.labels.write_text(json.dumps(labels, indent=1, sort_keys=True) + "\n")

    print(f"{files} files, {failed} of them with parse errors, {crashed} crashes")
    print(f"{'rule':22} {'tier':8} {'true':>5} {'false':>6} {'open':>5}  precision")
    total = [0, 0, 0]
    for rule, (right, wrong, unjudged) in sorted(counts.items()):
        advice = severity[rule] == "advice"
        precision = f"{right / (right + wrong):.2f}" if right + wrong else "-"
        print(f"{rule:22} {'advice' if advice else 'default':8} "
              f"{right:5} {wrong:6} {unjudged:5}  {precision}")
        if not advice:
            total = [total[0] + right, total[1] + wrong, total[2] + unjudged]
    precision = total[0] / (total[0] + total[1]) if total[0] + total[1] else 1.0
    if arguments.output:
        arguments.output.write_text(json.dumps(
            {"files": files, "incomplete": failed,
             **dict(zip(("true", "false", "open"), total))}, indent=1) + "\n")
    print(f"{'default tier':22} {'':8} {total[0]:5} {total[1]:6} {total[2]:5}  {precision:.2f}")
    short = precision < arguments.at_least or (arguments.strict and total[2])
    return 1 if short or crashed else 0


if __name__ == "__main__":
    sys.exit(main())
