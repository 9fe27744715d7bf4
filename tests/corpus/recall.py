#!/usr/bin/env python3
"""Recall by injection: puts faults into correct code, one at a time, and counts how many are found.

    recall.py --path DIR [--path DIR ...] [--limit N] [--kinds delete,discard,...] [--why]

A fault counts as found when the file with it has more findings of the rule that the fault is about
than the file without. Some changes are no faults where they are made (the value is moved again
before it is used, or is never used beside another), others are for some input files only (a module
that is read from a file is where the file says); a person who has looked at one says so in
--labels, by the fingerprint that is printed with each missed one, and it is left out: `depends`
marks the latter, which are counted by themselves. What a project's other files do is known from
their summaries, as it is when the whole project is linted; a fault that is not found in its own
file is put into the project, whose other files may be where it shows. Mutants that do not parse as
the original does are left out. --why lints the missed ones again and prints why values became
unknown in them. Exit code 1: recall is below --at-least.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile

import cuda_mutations
import mutations
import projects

RULES = ("-*,missing-transfer,discarded-transfer,repeated-transfer,transfer-in-loop,round-trip,"
         "read-before-sync,host-access,host-pointer-to-kernel,copy-kind,copy-size")
INCLUDED = {".c", ".inc", ".inl", ".hu"}  # besides headers
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
        skipped = projects.SKIPPED - {"third_party", "external"}  # whose headers are included
        shutil.copytree(folder, tree, ignore=lambda at, names: [
            name for name in names if name in skipped or not (
                os.path.isdir(os.path.join(at, name)) or
                pathlib.PurePath(name).suffix in projects.SOURCES | projects.HEADERS | INCLUDED)],
            ignore_dangling_symlinks=True)
        self.project = projects.Project(tree, arguments.about)
        self.flags = projects.Project(folder, arguments.about).flags(arguments)
        self.tree = tree
        self.mutants = [(file, mutant) for file in self.project.sources
                        for mutant in MUTATIONS[arguments.about].of_file(projects.read(file))
                        if not arguments.kinds or mutant.kind in arguments.kinds]
        labels = [arguments.labels.get(fingerprint(tree, file, mutant))
                  for file, mutant in self.mutants]
        self.mutants = [mutant for mutant, label in zip(self.mutants, labels) if label is None]
        self.left_to_input = sum(1 for label in labels if label and label.get("depends"))
        self.no_faults = sum(1 for label in labels if label) - self.left_to_input
        random.Random(arguments.seed).shuffle(self.mutants)
        self.mutants = self.mutants[:arguments.limit]
        self.summaries = self.summarise()

    def summarise(self):
        """What the functions of all files do, for the runs that see one file's mutants."""
        database = [self.project.command(file, self.flags) for file in self.project.sources]
        out = self.out / "summaries"
        summaries = out / "summaries.json"
        projects.run(projects.find_xferlint(self.arguments.xferlint), database, self.tree, out,
                     ["--emit-summaries", summaries], self.arguments.jobs)
        return summaries

    def lint(self, texts, name, extra=()):
        """texts: [(original file, text)] -> findings by index, files with errors, what was said.
        Mutants of one file at a time: what one of them does to a function is nothing to the
        others."""
        by_index, broken, said = collections.defaultdict(collections.Counter), set(), ""
        indices = collections.defaultdict(list)
        for index, (file, _) in enumerate(texts):
            indices[file].append(index)
        for own in indices.values():
            found, errors, more = self.lint_one([texts[index] for index in own], name, extra)
            for index, counts in found.items():
                by_index[own[index]] = counts
            broken |= {own[index] for index in errors}
            said += more
        return by_index, broken, said

    def lint_one(self, texts, name, extra):
        database, names = [], {}
        for index, (file, text) in enumerate(texts):
            copy = file.with_name(f"{name}{index:05}_{file.name}")
            copy.write_text(text)
            names[copy.name] = index
            database.append(self.project.command(copy, self.flags, file))
        findings, said, _ = projects.lint(
            projects.find_xferlint(self.arguments.xferlint), database, self.tree, self.out / name,
            ["--checks", RULES, "--use-summaries", self.summaries, *extra], self.arguments.jobs)
        by_index = collections.defaultdict(collections.Counter)
        for finding in findings:
            index = names.get(pathlib.PurePath(finding["location"]["file"]).name)
            if index is not None:
                by_index[index][finding["rule"]] += 1
                by_index[index][finding["rule"], finding["location"]["line"]] += 1
        error = rf"({name}\d{{5}}_[\w.-]+?)(?::\d+:\d+)?: error:"
        broken = {names[match[1]] for match in re.finditer(error, said) if match[1] in names}
        for index in names.values():
            texts[index][0].with_name(f"{name}{index:05}_{texts[index][0].name}").unlink()
        return by_index, broken, said


    def around(self, file):
        """Counts by rule the findings of `file`, as it is then, and of all files that share a
        header of the project with it."""
        shared = self.project.reached(file)
        database = [self.project.command(other, self.flags) for other in self.project.sources
                    if other == file or self.project.reached(other) & shared]
        known = json.loads(self.summaries.read_text())
        known["units"] = [unit for unit in known["units"] if self.tree / unit["file"] != file]
        others = self.out / "others.json"
        others.write_text(json.dumps(known))

        def count():
            found, _, _ = projects.lint(projects.find_xferlint(self.arguments.xferlint), database,
                                        self.tree, self.out / "whole",
                                        ["--checks", RULES, "--use-summaries", others],
                                        self.arguments.jobs)
            return collections.Counter(finding["rule"] for finding in found)
        return count

    def is_used_elsewhere(self, file):
        """Another file calls a function of this one, or both know a class of modules."""
        own, others = set(), set()
        for unit in json.loads(self.summaries.read_text())["units"]:
            classes = {(entry["file"], entry["line"], entry["name"]) for entry in unit["classes"]}
            if self.tree / unit["file"] == file:
                own = set(unit["functions"]) | classes
            else:
                others |= set(unit["calls"]) | classes
        return bool(own & others)

    def shows_elsewhere(self, missed):
        """Those of the mutants that other files' findings show."""
        shown, by_file = [], collections.defaultdict(list)
        for file, mutant in missed:
            by_file[file].append(mutant)
        for file, mutants in by_file.items():
            if not self.is_used_elsewhere(file):
                continue
            count = self.around(file)
            before, original = count(), file.read_bytes()
            for mutant in mutants:
                file.write_text(mutant.text)
                if count()[mutant.rule] > before[mutant.rule]:
                    shown.append((file, mutant))
            file.write_bytes(original)
        return shown


def examine(sample):
    files = list(dict.fromkeys(file for file, _ in sample.mutants))
    before, broken_before, _ = sample.lint([(file, projects.read(file)) for file in files],
                                           "original_")
    usable = [(file, mutant) for file, mutant in sample.mutants
              if files.index(file) not in broken_before
              # What is discarded already is no loss.
              and not (mutant.kind == "drop-move" and
                       before[files.index(file)]["discarded-transfer", mutant.line])]
    after, broken, _ = sample.lint([(file, mutant.text) for file, mutant in usable], "mutant_")
    found, missed = [], []
    for index, (file, mutant) in enumerate(usable):
        if index in broken:
            continue
        more = after[index][mutant.rule] > before[files.index(file)][mutant.rule]
        (found if more else missed).append((file, mutant))
    elsewhere = sample.shows_elsewhere(missed)
    found += elsewhere
    missed = [mutant for mutant in missed if mutant not in elsewhere]
    return found, missed, len(sample.mutants) - len(usable) + len(broken)


def say_why(sample, missed):
    _, _, said = sample.lint([(file, mutant.text) for file, mutant in missed], "missed_",
                             ["--explain-unknown"])
    print(f"why values were unknown in the missed ones of {sample.folder.name}:")
    lines = [line for line in said.splitlines() if re.match(r"xferlint: +\d+  ", line)]
    print("\n".join("  " + line for line in lines[:25]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    projects.add_arguments(parser)
    parser.add_argument("--limit", type=int, default=200, help="most mutants of one folder")
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
    print(f"{'all':12} {'':20} {found:6} {missed:7}  {recall:.2f}   ({left_out} left out: they do "
          f"not parse; {no_faults}: no faults; {left_to_input}: for some input files only)")
    if arguments.output:
        arguments.output.write_text(json.dumps(
            {"faults": [{"kind": kind, "rule": rule, "found": f, "missed": m}
                        for (kind, rule), (f, m) in rows],
             "left_out": left_out, "no_faults": no_faults, "left_to_input": left_to_input,
             "recall": round(recall, 3)}, indent=1) + "\n")
    return 1 if recall < arguments.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
