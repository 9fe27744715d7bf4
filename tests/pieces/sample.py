"""Helpers of the tests of CI pieces: xferlint installed into a prefix, and marks in sources."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MOCK = ROOT / "tests" / "e2e" / "lint" / "mock"
BUILD = pathlib.Path(os.environ["XFER_BUILD"])
MARK = re.compile(r"// LINT: ([\w-]+)$")


def run(*command, folder=None, env=None, code=0):
    """The output of both kinds; the exit code is `code`, or any where that is None."""
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True,
                          env={**os.environ, **(env or {})}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}, "
                             f"expected {code}:\n{done.stdout[-6000:]}")
    return done.stdout


def expected(folder, *names):
    """{"RULE FILE:LINE"} of the marks in the folder's sources, named from `folder`."""
    marks = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".cc", ".cu", ".in"} or (names and path.name not in names):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if found := MARK.search(line):
                marks.add(f"{found[1]} {path.relative_to(folder)}:{number}")
    return marks


def found(report):
    """The same of a report in JSON."""
    return {f"{finding['rule']} {finding['location']['file']}:{finding['location']['line']}"
            for finding in report["findings"]}


BAD = """#include <torch/torch.h>
torch::Tensor move(torch::Tensor x) {
  x.to(torch::kCUDA);  // LINT: discarded-transfer
  return x;
}
"""
GOOD = BAD.replace("  x.to", "  x = x.to").replace("  // LINT: discarded-transfer", "")


def write_project(folder):
    """A git repository with bad.cc, good.cc, and build/compile_commands.json."""
    (folder / "build").mkdir(parents=True)
    entries = []
    for name, text in (("bad.cc", BAD), ("good.cc", GOOD)):
        (folder / name).write_text(text)
        entries.append({"directory": str(folder / "build"), "file": f"../{name}",
                        "command": f"c++ -std=c++17 -isystem {MOCK} -c ../{name}"})
    (folder / "build" / "compile_commands.json").write_text(json.dumps(entries))
    (folder / ".gitignore").write_text("build/\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Begin")


def git(folder, *arguments):
    return run("git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments,
               folder=folder)


def write_script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class PieceCase(unittest.TestCase):
    """A folder of its own for each test, and a prefix for all of them."""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="xfer-piece-")
        cls.addClassCleanup(holder.cleanup)
        cls.prefix = pathlib.Path(holder.name).resolve() / "prefix"
        run("cmake", "--install", BUILD, "--component", "lint", "--prefix", cls.prefix)

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="xfer-piece-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
