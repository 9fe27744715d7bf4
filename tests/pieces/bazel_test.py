"""The Bazel aspect and rules, run offline in a workspace with a finding."""

import json
import os
import pathlib
import re
import shutil
import unittest

from sample import HERE, MOCK, PieceCase, expected, found, main, run

# Where Debian puts what Bazel would fetch; rules_cc is the stub beside the sample.
RULES = pathlib.Path("/usr/share/bazel")


@unittest.skipUnless(shutil.which("bazel"), "Bazel is not installed (Debian: bazel-bootstrap)")
class Bazel(PieceCase):
    @classmethod
    def setUpClass(cls):
        """One workspace, and so one server, for all tests."""
        super().setUpClass()
        cls.work = cls.prefix.parent / "work"
        cls.out = cls.prefix.parent / "out"
        shutil.copytree(HERE / "bazel", cls.work)
        (package,) = cls.prefix.rglob("xferlint.bzl")
        (cls.work / "WORKSPACE").write_text(
            (cls.work / "WORKSPACE.in").read_text()
            .replace("@PACKAGE@", str(package.parent)).replace("@MOCK@", str(MOCK)))
        instead = {"rules_cc": cls.work / "rules_cc",
                   "remote_coverage_tools": cls.work / "coverage",
                   "rules_java": RULES / "rules/java", "rules_proto": RULES / "rules/proto",
                   "platforms": RULES / "platforms", "bazel_skylib": RULES / "skylib"}
        cls.options = [f"--override_repository={name}={path}" for name, path in instead.items()
                       if path.is_dir()]
        cls.addClassCleanup(cls.clean)

    @classmethod
    def bazel(cls, command, *arguments, code=0):
        return run("bazel", f"--output_user_root={cls.out}", command,
                   *(cls.options if command != "shutdown" else ()), *arguments, code=code,
                   folder=cls.work, env={"HOME": str(cls.prefix.parent),
                                         "XFERLINT": str(cls.prefix / "bin" / "xferlint")})

    @classmethod
    def clean(cls):
        """Bazel takes the right to write from what it made."""
        cls.bazel("shutdown", code=None)
        for folder, _, _ in os.walk(cls.out):
            pathlib.Path(folder).chmod(0o755)

    def report(self):
        return found(json.loads((self.work / "bazel-bin" / "app" / "report.json").read_text()))

    def test_a_report(self):
        self.bazel("build", "//app:report")
        self.assertEqual(expected(self.work), self.report())
        main_file = self.work / "app" / "main.cc"
        text = main_file.read_text()
        self.addCleanup(main_file.write_text, text)
        main_file.write_text("\n" + text)
        output = self.bazel("build", "//app:report", "--subcommands")
        self.assertEqual(["app/main.cc"], re.findall(r"\[action 'Linting ([\w./]+)'", output))
        self.assertEqual(expected(self.work), self.report())

    def test_a_test(self):
        output = self.bazel("test", "//app:lint", "--test_output=errors", code=3)
        self.assertIn("app/main.cc:10:3: error: ", output)
        self.bazel("test", "//app:lint_discarded")

    def test_by_command_line(self):
        self.bazel("build", "//engine", "--output_groups=xferlint",
                   "--aspects=@xfercheck//:xferlint.bzl%xferlint_aspect")
        facts = self.work / "bazel-bin" / "engine" / "_xferlint" / "engine" / "engine"
        self.assertEqual(["combine.cc.facts"], [file.name for file in facts.iterdir()])


if __name__ == "__main__":
    main()
