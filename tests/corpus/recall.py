#!/usr/bin/env python3
"""Recall by injection: puts faults into correct code, one at a time, and counts how many are found.

    recall.py --path DIR [--path DIR ...] [--limit N] [--each N] [--kinds delete,discard,...]
              [--why]

A fault counts as found when the project with it has more findings of the rule that the fault is
about than the project without. Some changes are no faults where they are made (the value is moved
again before it is used, or is never used beside another), others are for some input files only (a
module that is read from a file is where the file says); a person who has looked at one says so in
--labels, by the fingerprint that is printed with each missed one, and it is left out: `depends`
marks the latter, which are counted by themselves. The whole project is linted with each fault,
which may show in another file. Files that do not parse whole take no faults; mutants that do not
parse, or that stand where the preprocessor leaves code out, are no faults either: others are taken
in their place, up to --limit. --why lints the missed ones again and prints why values became
unknown in them. Exit code 1: recall is below --at-least.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import cuda_mutations
import mutations
import projects

RULES = ("-*,missing-transfer,discarded-transfer,repeated-transfer,transfer-in-loop,round-trip,"
         "read-before-sync,async-source-reuse,host-access,host-pointer-to-kernel,copy-kind,"
         "copy-size,use-after-free,alloc-in-loop,leak,wrong-current-device")
ERROR = re.compile(r": error: ")
MUTATIONS = {"tensors": mutations, "cuda": cuda_mutations}


def fingerprint(tree, file, mutant):
    """Of the change, wherever in its file the line is."""
    line = projects.read(file).split("\n")[mutant.line - 1].strip()
    text = f"{file.relative_to(tree)}|{mutant.kind}|{line}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Sample:
    """Mutants of one project, in a copy of it: each lies beside the file that it is made from."""

    def __init__(self, folder, arguments, out):
        self.folder, self.out, self.arguments = folder, out / folder.name, arguments
        tree = self.out / "tree"
        projects.copy_sources(folder, tree)
        self.project = projects.Project(tree, arguments.about)
        self.flags = projects.Project(folder, arguments.about).flags(arguments)
        self.tree = tree
        made = MUTATIONS[arguments.about].of_files(
            {file: projects.read(file) for file in self.project.sources},
            [projects.read(file) for file in self.project.files
             if file.suffix in projects.SOURCES | projects.HEADERS])
        self.mutants = [(file, mutant) for file, mutant in made
                        if not arguments.kinds or mutant.kind in arguments.kinds]
        labels = [arguments.labels.get(fingerprint(tree, file, mutant))
                  for file, mutant in self.mutants]
        self.mutants = [mutant for mutant, label in zip(self.mutants, labels) if label is None]
        self.left_to_input = sum(1 for label in labels if label and label.get("depends"))
        self.no_faults = sum(1 for label in labels if label) - self.left_to_input
        random.Random(arguments.seed).shuffle(self.mutants)
        self.facts = {}  # of each file, as it is
        self.whole = set()  # files that parse whole

    def parse(self, file, name, text=None):
        """Writes the facts of a file, or of the file with another text; tells whether it parses
        whole."""
        copy = file
        if text is not None:
            copy = file.with_name(f"{name}_{file.name}")
            copy.write_text(text)
        facts = self.out / "facts" / f"{name}_{file.name}.facts"
        facts.parent.mkdir(exist_ok=True)
        command = self.project.command(copy, self.flags, file)
        said, _ = projects.run(projects.find_xferlint(self.arguments.xferlint), [command],
                               self.tree, self.out / "one", ["--emit-facts", facts], jobs=1)
        if text is not None:
            copy.unlink()
        return facts if facts.exists() else None, not ERROR.search(said)

    def compiles(self, file, line):
        """Tells whether the preprocessor keeps a line of a file that parses whole."""
        lines = projects.read(file).split("\n")
        lines.insert(line - 1, "#error kept")
        return not self.parse(file, "kept", "\n".join(lines))[1]

    def parse_all(self):
        for number, file in enumerate([*self.project.sources, *self.project.beside]):
            facts, whole = self.parse(file, f"{number:04}")
            if facts:
                self.facts[file] = facts
            if facts and whole:
                self.whole.add(file)

    def lint(self, file=None, facts=None, extra=()):
        """The findings of the whole project, by rule and by rule and line of `file`; `facts` are
        taken for those of `file`. Returns the text of standard error, too."""
        given = [facts if other == file and facts else own for other, own in self.facts.items()]
        report = self.out / "findings.json"
        done = subprocess.run([projects.find_xferlint(self.arguments.xferlint), "--root", self.tree,
                               "--checks", RULES, "--format", "json", "-o", report, *extra,
                               "--merge", *given], capture_output=True, text=True, errors="replace")
        if done.returncode not in (0, 1, 3):
            raise projects.Unusable(f"xferlint ended with exit code {done.returncode}: "
                                    f"{done.stderr[-500:]}")
        found = collections.Counter()
        for finding in json.loads(report.read_text())["findings"]:
            found[finding["rule"]] += 1
            place = self.tree / finding["location"]["file"]
            if place == file:
                found[finding["rule"], finding["location"]["line"]] += 1
        return found, done.stderr


def examine(sample):
    sample.parse_all()
    before, found, missed, left_out = {}, [], [], 0
    for number, (file, mutant) in enumerate(sample.mutants):
        if len(found) + len(missed) == sample.arguments.limit:
            break
        kinds = collections.Counter(tried.kind for _, tried in found + missed)
        if kinds[mutant.kind] == sample.arguments.each:
            continue
        if file not in sample.whole:
            left_out += 1
            continue
        if file not in before:
            before[file] = sample.lint(file)[0]
        # A move whose result is discarded already is no loss.
        if mutant.kind == "drop-move" and before[file]["discarded-transfer", mutant.line]:
            left_out += 1
            continue
        facts, whole = sample.parse(file, f"mutant{number:05}", mutant.text)
        if not facts or not whole:
            left_out += 1
            continue
        if sample.lint(file, facts)[0][mutant.rule] > before[file][mutant.rule]:
            found.append((file, mutant))
        elif sample.compiles(file, mutant.line):
            missed.append((file, mutant))
        else:
            left_out += 1
    return found, missed, left_out


def say_why(sample, missed):
    print(f"why values were unknown in the missed ones of {sample.folder.name}:")
    reasons = collections.Counter()
    for number, (file, mutant) in enumerate(missed):
        facts, _ = sample.parse(file, f"missed{number:05}", mutant.text)
        _, said = sample.lint(file, facts, ["--explain-unknown"])
        for times, reason in re.findall(r"^xferlint: +(\d+)  (.*)$", said, re.M):
            reasons[reason] += int(times)
    for reason, times in reasons.most_common(25):
        print(f"  {times:6}  {reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    projects.add_arguments(parser)
    parser.add_argument("--limit", type=int, default=200, help="most faults of one folder")
    parser.add_argument("--each", type=int, help="most faults of one kind in one folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", type=lambda text: set(text.split(",")), default=set())
    parser.add_argument("--at-least", type=float, default=0.0)
    parser.add_argument("--why", action="store_true")
    parser.add_argument("--labels", type=lambda path: json.loads(pathlib.Path(path).read_text()),
                        default={},
                        help="changes that are no faults: fingerprint -> at, why, depends")
    parser.add_argument("--output", type=pathlib.Path, help="write the figures there, as JSON")
    arguments = parser.parse_args()
    table = collections.defaultdict(lambda: [0, 0])
    left_out = no_faults = left_to_input = 0
    with tempfile.TemporaryDirectory(prefix="xfer-recall-") as out:
        try:
            for folder in arguments.path:
                sample = Sample(folder.resolve(), arguments, pathlib.Path(out))
                found, missed, unusable = examine(sample)
                left_out += unusable
                no_faults += sample.no_faults
                left_to_input += sample.left_to_input
                for _, mutant in found:
                    table[mutant.kind, mutant.rule][0] += 1
                for file, mutant in missed:
                    table[mutant.kind, mutant.rule][1] += 1
                    print(f"missed: {fingerprint(sample.tree, file, mutant)} "
                          f"{file.relative_to(sample.tree)}:{mutant.line}: {mutant.kind}",
                          flush=True)
                if arguments.why and missed:
                    say_why(sample, missed)
        except projects.Unusable as problem:
            print(f"recall.py: {problem}", file=sys.stderr)
            return 2
    print(f"{'fault':12} {'rule':20} {'found':>6} {'missed':>7}  recall")
    rows = sorted(table.items())
    for (kind, rule), (found, missed) in rows:
        print(f"{kind:12} {rule:20} {found:6} {missed:7}  {found / (found + missed):.2f}")
    found, missed = (sum(counts[i] for _, counts in rows) for i in (0, 1))
    recall = found / (found + missed) if found + missed else 1.0
    print(f"{'all':12} {'':20} {found:6} {missed:7}  {recall:.2f}   ({left_out} left out: they are "
          f"not compiled; {no_faults}: no faults; {left_to_input}: for some input files only)")
    if arguments.output:
        arguments.output.write_text(json.dumps(
            {"faults": [{"kind": kind, "rule": rule, "found": f, "missed": m}
                        for (kind, rule), (f, m) in rows],
             "left_out": left_out, "no_faults": no_faults, "left_to_input": left_to_input,
             "recall": round(recall, 3)}, indent=1) + "\n")
    return 1 if recall < arguments.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
