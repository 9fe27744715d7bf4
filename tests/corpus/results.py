#!/usr/bin/env python3
"""Keeps RESULTS.md: how often xferlint's findings on other people's code hold, and how many of the
faults that are put into such code it finds.

    results.py                    writes the page from the labels and the stored figures
    results.py --projects DIR     measures each project below DIR first (precision.py and recall.py)
    results.py --check            exit code 1 where the page is stale

DIR holds one folder for each project, named as the project is. Nothing is fetched. --about, --torch
and --limit go on to the two scripts.
"""

import argparse
import collections
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "bench"), str(HERE.parents[1] / "rules")]
import catalogue  # noqa: E402
import machine  # noqa: E402

PAGE = HERE / "RESULTS.md"
MEASURED = HERE / "measured.json"
HEAD = """# Findings on other people's code

`tests/corpus/results.py` writes this page from `labels.json`, `no_faults.json`, `measured.json` and
`carried.json`. `tests/corpus/results.py --projects DIR` measures the projects whose checkouts lie
below DIR first. [tests](../README.md) says how the two measurements work.
"""
ADVICE = {rule.slug for rule in catalogue.read_rules() if rule.tier == "advice"}


def table(columns, rows):
    lines = ["| " + " | ".join(map(str, line)) + " |" for line in [columns, *rows]]
    return "\n".join([lines[0], "|---" * len(columns) + "|", *lines[1:]])


def wrapped(text, indent=""):
    return textwrap.fill(text, 100, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


def section(title, about, columns, rows):
    return f"## {title}\n\n{wrapped(about)}\n\n{table(columns, rows)}\n"


def labels():
    """The judged findings by project; all findings that are reported today have a label here."""
    counts = collections.defaultdict(lambda: [0, 0, 0, 0])
    for label in json.loads((HERE / "labels.json").read_text()).values():
        held = {True: 0, False: 1, None: 2}[label["true"]]
        counts[label["at"].split("/")[0]][3 if label["rule"] in ADVICE and not held else held] += 1
    rows = [[project, *counts[project]] for project in sorted(counts, key=str.lower)]
    total = [sum(row[i] for row in rows) for i in (1, 2, 3, 4)]
    return section(
        "Judged findings",
        "A person has read each and written down why it holds (`labels.json`). A false finding "
        "whose kind was mended is no longer reported and is not in the file.",
        ["project", "true", "false", "not judged", "true, of the advice tier"],
        [*rows, ["all", *total]])


def no_faults():
    counts = collections.defaultdict(lambda: [0, 0])
    for change in json.loads((HERE / "no_faults.json").read_text()).values():
        counts[change["at"].split("/")[0]][bool(change.get("depends"))] += 1
    return section(
        "Changes that are no faults",
        "`recall.py --labels tests/corpus/no_faults.json` leaves them out: the program is right "
        "with the change, or wrong for some input files only.",
        ["project", "no fault", "for some input files only"],
        [[project, *counts[project]] for project in sorted(counts, key=str.lower)])


def measured():
    runs = json.loads(MEASURED.read_text()) if MEASURED.exists() else []
    if not runs:
        return ""
    rows = []
    for run in runs:
        precision, recall = run["precision"], run["recall"]
        found = sum(row["found"] for row in recall["faults"])
        faults = found + sum(row["missed"] for row in recall["faults"])
        rows.append([run["project"], run["about"], precision["files"], precision["incomplete"],
                     precision["true"], precision["false"], precision["open"],
                     f"{found} of {faults}", run["date"], run["machine"]])
    return section(
        "Measured by this command",
        "The default tier, and the faults that `recall.py` puts in. A file that lacks a header, or "
        "wants a newer LibTorch than the one here, does not parse whole and takes no faults.",
        ["project", "about", "files", "did not parse whole", "true", "false", "not judged",
         "faults found", "date", "machine"], rows)


def carried():
    parts = []
    for entry in json.loads((HERE / "carried.json").read_text()):
        machine = entry.get("machine", "an AMD EPYC")
        about = (f"Measured {entry['date']} on {machine} with 2 cores and no GPU, and carried "
                 "over since.")
        notes = "".join("\n" + wrapped(f"- {note}", "  ") for note in entry["notes"])
        parts.append(section(entry["title"], about, entry["columns"], entry["rows"]) +
                     (f"{notes}\n" if notes else ""))
    return parts


def page():
    return "\n".join(part for part in [HEAD, labels(), no_faults(), measured(), *carried()] if part)


def run_script(script, folder, arguments, out):
    """One script's figures for one project, or None where it has no file that it can measure."""
    command = [sys.executable, "-B", HERE / script, "--path", folder, "--output", out,
               "--about", arguments.about]
    if arguments.torch:
        command += ["--torch", arguments.torch]
    if script == "recall.py":
        command += ["--labels", HERE / "no_faults.json", "--limit", str(arguments.limit)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not out.exists():
        print(f"results.py: left out: {done.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(out.read_text())


def measure(arguments):
    runs = {(run["project"], run["about"]): run
            for run in (json.loads(MEASURED.read_text()) if MEASURED.exists() else [])}
    for folder in sorted(path for path in arguments.projects.iterdir() if path.is_dir()):
        on = machine.describe()
        with tempfile.TemporaryDirectory(prefix="xfer-results-") as out:
            figures = {}
            for script in ("precision.py", "recall.py"):
                figures[script] = run_script(script, folder, arguments, pathlib.Path(out) / script)
                if figures[script] is None:
                    break
            else:
                runs[folder.name, arguments.about] = {
                    "project": folder.name, "about": arguments.about,
                    "date": datetime.date.today().isoformat(), "machine": on,
                    "precision": figures["precision.py"], "recall": figures["recall.py"]}
    MEASURED.write_text(json.dumps([runs[key] for key in sorted(runs)], indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--projects", type=pathlib.Path, help="folder of checkouts to measure")
    parser.add_argument("--about", choices=["tensors", "cuda"], default="tensors")
    parser.add_argument("--torch", help="the LibTorch whose headers to use; default: Debian's")
    parser.add_argument("--limit", type=int, default=200, help="most faults in one project")
    parser.add_argument("--check", action="store_true", help="is the page fresh?")
    arguments = parser.parse_args()
    if arguments.projects:
        if not arguments.projects.is_dir():
            print(f"results.py: {arguments.projects}: no such folder", file=sys.stderr)
            return 2
        measure(arguments)
    new = page()
    if arguments.check:
        if not PAGE.exists() or PAGE.read_text() != new:
            print(f"{PAGE.name}: stale; run tests/corpus/results.py", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
