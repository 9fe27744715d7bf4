"""The hooks, run by pre-commit in a repository with a finding."""

import os
import shutil
import unittest

import yaml
from sample import BAD, GOOD, ROOT, PieceCase, git, main, run, write_project

HOOKS = ROOT / ".pre-commit-hooks.yaml"


@unittest.skipUnless(shutil.which("pre-commit"),
                     "pre-commit is not installed (pip install pre-commit)")
class Hooks(PieceCase):
    def setUp(self):
        super().setUp()
        self.project = self.folder / "project"
        write_project(self.project)
        self.hooks = self.folder / "hooks"
        self.hooks.mkdir()
        shutil.copy(HOOKS, self.hooks)
        git(self.hooks, "init", "-q", "-b", "main")
        git(self.hooks, "add", ".")
        git(self.hooks, "commit", "-q", "-m", "Begin")

    def use(self, hook, *arguments, code, path=None):
        path = path or self.prefix / "bin"
        env = {"PATH": f"{path}:{os.environ['PATH']}",
               "PRE_COMMIT_HOME": str(self.folder / "pre-commit")}
        return run("pre-commit", "try-repo", self.hooks, hook, *arguments,
                   folder=self.project, env=env, code=code)

    def test_the_files_that_changed(self):
        output = self.use("xferlint", "--files", "bad.cc", code=1)
        self.assertIn("bad.cc:3:5: warning: ", output)
        self.use("xferlint", "--files", "good.cc", code=0)
        self.assertIn("Skipped", self.use("xferlint", "--files", ".gitignore", code=0))

    def test_headers_are_linted_with_the_sources(self):
        for name in ("a.h", "a.hpp", "a.cuh"):
            (self.project / name).write_text(BAD)
            git(self.project, "add", name)
            self.assertIn("Skipped", self.use("xferlint", "--files", name, code=0))
        (self.project / "a.cu").write_text("int x;\n")
        git(self.project, "add", "a.cu")
        self.assertNotIn("Skipped", self.use("xferlint", "--files", "a.cu", code=0))

    def test_the_lines_that_changed(self):
        (self.project / "good.cc").write_text(GOOD + "\n")
        git(self.project, "add", ".")
        self.use("xferlint-diff", code=0)
        (self.project / "good.cc").write_text(BAD)
        git(self.project, "add", ".")
        output = self.use("xferlint-diff", code=1)
        self.assertIn("good.cc:3:5: warning: ", output)
        self.assertNotIn("bad.cc", output)

    def test_without_xferlint(self):
        output = self.use("xferlint", "--files", "bad.cc", code=1, path=self.folder)
        self.assertIn("Executable `xferlint` not found", output)


class File(PieceCase):
    def test_each_hook_is_of_the_system(self):
        hooks = yaml.safe_load(HOOKS.read_text())
        self.assertEqual(["xferlint", "xferlint-diff"], [hook["id"] for hook in hooks])
        self.assertEqual({"system"}, {hook["language"] for hook in hooks})


if __name__ == "__main__":
    main()
