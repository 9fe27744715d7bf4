#!/usr/bin/env python3
"""Crashes on code that does not parse: takes lines and words out of sources at random, and lints
what is left.

    broken.py --path DIR [--path DIR ...] [--count N] [--seed N] [--keep DIR]

Prints each copy on which the analysis crashed; --keep says where these are kept. Exit code 1: there
was one.
"""

import argparse
import pathlib
import random
import re
import shutil
import sys
import tempfile

import projects


def broken(text, chance):
    """The text without some lines and words."""
    lines = text.split("\n")
    for _ in range(chance.choice([1, 2, 4, 8])):
        at = chance.randrange(len(lines))
        words = re.split(r"(\W)", lines[at])
        if len(words) < 2 or chance.random() < 0.3:
            lines[at] = ""
        else:
            words[chance.randrange(len(words))] = ""
            lines[at] = "".join(words)
    return "\n".join(lines)


def examine(folder, arguments, chance, out):
    """The broken copies of one project's sources on which the analysis crashed: path -> how."""
    tree = out / folder.name
    projects.copy_sources(folder, tree)
    project = projects.Project(tree, arguments.about)
    flags = projects.Project(folder, arguments.about).flags(arguments)
    database = []
    for number in range(arguments.count):
        file = chance.choice(project.sources)
        copy = file.with_name(f"broken{number}_{file.name}")
        copy.write_text(broken(projects.read(file), chance))
        database.append(project.command(copy, flags, file))
    _, said, _ = projects.lint(projects.find_xferlint(arguments.xferlint), database, tree,
                               out / "run", ["--no-stored-facts"], arguments.jobs)
    return {tree / path: how for path, how in projects.crashes(said).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    projects.add_arguments(parser)
    parser.add_argument("--count", type=int, default=100, help="copies of each project's sources")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="where to keep what it crashed on")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    crashed = 0
    for folder in arguments.path:
        with tempfile.TemporaryDirectory(prefix="xfer-corpus-") as out:
            try:
                found = examine(folder.resolve(), arguments, chance, pathlib.Path(out))
            except projects.Unusable as problem:
                print(f"broken.py: {problem}", file=sys.stderr)
                return 2
            for path, how in found.items():
                print(f"{folder.name}/{path.name}: {how}")
                if arguments.keep:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, arguments.keep)
            crashed += len(found)
    print(f"{arguments.count * len(arguments.path)} broken files, {crashed} crashes")
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())
