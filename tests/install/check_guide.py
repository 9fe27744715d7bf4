#!/usr/bin/env python3
"""A GUIDE.md, followed as a reader follows it, with the installed package.

In the page a comment before a code block says what the block is:

    <!-- file: NAME -->   a file
    <!-- edit: NAME -->   a change to that file: lines with -, + or a blank in front
    <!-- run -->          commands, which succeed; <!-- run: 1 -->: the last exits with 1
    <!-- printed -->      what the commands before it print; a line `...` stands for any lines

usage: check_guide.py BUILD GUIDE WORK [PYTHON]    PYTHON's folder comes into PATH; exit code 77: it
has no torch or pytest
"""

import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^<!-- (file|edit|run|printed)(?:: (\S+))? -->\n```\w*\n(.*?)^```$",
                   re.M | re.S)
# Times and dates, which differ from run to run; compare() removes the folder, which differs too.
VARIES = re.compile(r"\d+(\.\d+)? (ns|us|ms|s|%)\b|\d+(\.\d+)?s\b|[\d-]{10} [\d:]{8} UTC")


def environment(prefix, python):
    """A reader's, with the package and PyTorch's Python: this build's compiler cache is not theirs,
    and shortens paths. git needs an author."""
    own = {name: value for name, value in os.environ.items()
           if not name.startswith(("CMAKE_", "CCACHE_", "XFERCHECK_"))}
    path = [str(prefix / "bin"), os.environ["PATH"]]
    if python:
        path.insert(1, str(pathlib.Path(python).parent))
    return {**own, "PATH": os.pathsep.join(path), "CMAKE_PREFIX_PATH": str(prefix),
            "PYTHONPATH": str(prefix / "share/xfercheck/python"),
            "GIT_AUTHOR_NAME": "A reader", "GIT_AUTHOR_EMAIL": "reader@example.org",
            "GIT_COMMITTER_NAME": "A reader", "GIT_COMMITTER_EMAIL": "reader@example.org"}


def edit(file, change):
    """Replaces the change's old lines by its new ones."""
    lines = change.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] in keep) for keep in (" -", " +"))
    text = file.read_text()
    if text.count(old) != 1:
        sys.exit(f"{file.name} has these lines {text.count(old)} times, not once:\n{old}")
    file.write_text(text.replace(old, new))


def run(commands, expected, folder, variables):
    """The output of the commands, both streams as they come."""
    # The last line keeps the shell from becoming the last command: a signal is an exit code then.
    done = subprocess.run(["bash", "-e", "-c", f"{commands}:\n"], cwd=folder, env=variables,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    if done.returncode != expected:
        sys.exit(f"exit code {done.returncode}, not {expected}:\n{commands}\n{done.stdout}")
    return done.stdout


def compare(shown, printed, folder):
    """The shown lines between two `...` are printed one after the other. Findings of like cost may
    come in any order."""
    def plain(text):
        return [VARIES.sub("#", line.replace(f"{folder}/", "").rstrip())
                for line in text.splitlines()]

    lines = plain(printed)
    for anywhere, group in itertools.groupby(plain(shown), lambda line: line == "..."):
        wanted = list(group)
        if not anywhere and not any(lines[start:start + len(wanted)] == wanted
                                    for start in range(len(lines))):
            sys.exit("not printed:\n" + "\n".join(wanted) + f"\n\nbut\n{printed}")


def has_torch(python):
    return python and not subprocess.run([python, "-c", "import torch, pytest"],
                                         stderr=subprocess.DEVNULL).returncode


def main():
    build, guide, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    python = shutil.which(sys.argv[4]) if len(sys.argv) > 4 else None
    if len(sys.argv) > 4 and not has_torch(python):
        sys.exit(77)
    shutil.rmtree(work, ignore_errors=True)
    folder, prefix, printed = work / "project", work / "prefix", ""
    folder.mkdir(parents=True)
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    variables = environment(prefix, python)
    run("git init -q\n", 0, folder, variables)
    for what, detail, text in BLOCK.findall(guide.read_text()):
        if what == "file":
            (folder / detail).write_text(text)
        elif what == "edit":
            edit(folder / detail, text)
        elif what == "run":
            printed = run(text, int(detail or 0), folder, variables)
        else:
            compare(text, printed, folder)


if __name__ == "__main__":
    main()
