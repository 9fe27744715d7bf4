#!/usr/bin/env python3
"""Compares our discarded-transfer with what a compiler says when the library declares its transfers
[[nodiscard]]: the same files, with every discard that mutations.py can put into them, through both.

    differential.py --path DIR [--path DIR ...] [--compiler clang++-22]

A line that only one of them names is shown. Ours is silent on purpose where a transfer is timed or
warms a device up. Exit code 1: the compiler names a line that ours does not.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import mutations
import projects

TRANSFER = re.compile(r"^(\s+)((?:inline )?(?:at::)?Tensor (?:to|cpu|cuda)\()", re.M)
WARNING = re.compile(r"^(.+?):(\d+):\d+: warning: ignoring return value", re.M)


def overlay(folder, torch):
    """A copy of the header that declares at::Tensor, whose transfers must be used."""
    header = torch / "include/ATen/core/TensorBody.h"
    if not header.exists():
        raise projects.Unusable(f"{header}: not there; install libtorch-dev")
    text, changed = TRANSFER.subn(r"\1[[nodiscard]] \2", header.read_text())
    if not changed:
        raise projects.Unusable(f"{header}: declares no transfers that this script knows")
    copy = folder / "ATen/core/TensorBody.h"
    copy.parent.mkdir(parents=True)
    copy.write_text(text)
    return folder


def with_discards(text):
    """The file with all its discards at once: each changes only its own line."""
    lines = text.split("\n")
    for mutant in mutations.of_file(text):
        if mutant.kind == "discard":
            lines[mutant.line - 1] = mutant.text.split("\n")[mutant.line - 1]
    return "\n".join(lines)


def said_by_compiler(compiler, entry, include):
    arguments = [compiler, *entry["arguments"][1:-3], f"-I{include}", "-fsyntax-only",
                 "-Wunused-result"]
    arguments = [argument for argument in arguments if argument != "-w"] + [entry["file"]]
    done = subprocess.run(arguments, capture_output=True, text=True, errors="replace",
                          cwd=entry["directory"])
    return {(os.path.realpath(os.path.join(entry["directory"], file)), int(line))
            for file, line in WARNING.findall(done.stderr)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    projects.add_arguments(parser)
    parser.add_argument("--compiler", default="clang++-22")
    arguments = parser.parse_args()
    missed = agreed = 0
    with tempfile.TemporaryDirectory(prefix="xfer-differential-") as out:
        out = pathlib.Path(out).resolve()
        try:
            include = overlay(out / "overlay", arguments.torch)
            for folder in arguments.path:
                tree = out / folder.name
                shutil.copytree(folder, tree, ignore=shutil.ignore_patterns(*projects.SKIPPED),
                                ignore_dangling_symlinks=True)
                project = projects.Project(tree, arguments.about)
                for file in project.sources:
                    file.write_text(with_discards(projects.read(file)))
                flags = projects.Project(folder, arguments.about).flags(arguments)
                database = [project.command(file, flags) for file in project.sources]
                findings, _, _ = projects.lint(projects.find_xferlint(arguments.xferlint), database,
                                               tree, out / "run",
                                               ["--checks", "-*,discarded-transfer"],
                                               arguments.jobs)
                ours = {(str(tree / finding["location"]["file"]), finding["location"]["line"])
                        for finding in findings}
                theirs = set().union(*(said_by_compiler(arguments.compiler, entry, include)
                                       for entry in database))
                theirs = {(file, line) for file, line in theirs if file.startswith(str(tree))}
                for file, line in sorted(theirs - ours):
                    print(f"only the compiler: {file[len(str(tree)) + 1:]}:{line}")
                for file, line in sorted(ours - theirs):
                    print(f"only ours: {file[len(str(tree)) + 1:]}:{line}")
                missed += len(theirs - ours)
                agreed += len(theirs & ours)
        except projects.Unusable as problem:
            print(f"differential.py: {problem}", file=sys.stderr)
            return 2
    print(f"{agreed} discards named by both, {missed} by the compiler alone")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
