"""The GitLab template: its lines are run as a runner runs them."""

import json
import os

import yaml
from sample import GOOD, ROOT, PieceCase, main, run, write_project, write_script

TEMPLATE = ROOT / ".gitlab" / "xferlint.gitlab-ci.yml"
PIP = """#!/bin/sh
printf '%s\\n' "$@" > {asked}
ln -sf {xferlint} "$(dirname "$0")/xferlint"
"""


class Template(PieceCase):
    def setUp(self):
        super().setUp()
        self.job = yaml.safe_load(TEMPLATE.read_text())[".xferlint"]
        self.project = self.folder / "project"
        write_project(self.project)
        self.asked = self.folder / "asked"
        write_script(self.folder / "bin" / "pip", PIP.format(
            asked=self.asked, xferlint=self.prefix / "bin" / "xferlint"))

    def use(self, code, **variables):
        known = self.job["variables"]
        given = {f"XFERLINT_{name.upper()}": value for name, value in variables.items()}
        self.assertLessEqual(set(given), set(known))
        script = self.folder / "job.sh"
        script.write_text("\n".join([*self.job["before_script"], *self.job["script"]]) + "\n")
        env = {**known, **given, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        return run("bash", "-eo", "pipefail", script, folder=self.project, env=env, code=code)

    def issues(self):
        return json.loads((self.project / self.job["artifacts"]["reports"]["codequality"])
                          .read_text())

    def test_findings(self):
        self.assertIn("bad.cc:3:5: warning: ", self.use(1))
        (issue,) = self.issues()
        self.assertEqual(("discarded-transfer", "major", {"path": "bad.cc", "lines": {"begin": 3}}),
                         (issue["check_name"], issue["severity"], issue["location"]))
        self.assertTrue(issue["fingerprint"] and issue["description"])
        self.assertEqual("always", self.job["artifacts"]["when"])

    def test_nothing_found(self):
        (self.project / "bad.cc").write_text(GOOD)
        self.use(0)
        self.assertEqual([], self.issues())

    def test_variables(self):
        self.use(0, fail_on="error")
        self.use(0, diff_only="main")
        self.use(0, checks="-*,round-trip", version="1.2.3")
        self.assertEqual("xfercheck==1.2.3", self.asked.read_text().splitlines()[-1])
        run(self.prefix / "bin" / "xferlint", "-p", "build", "--write-baseline", "known",
            folder=self.project, code=1)
        self.use(0, baseline="known")
        self.use(2, build_folder="nowhere")

    def test_variables_are_no_commands(self):
        proof = self.folder / "proof"
        for name in self.job["variables"]:
            for text in (f"x; touch {proof}", f"$(touch {proof})", f"`touch {proof}`"):
                self.use(None, **{name.removeprefix("XFERLINT_").lower(): text})
                self.assertFalse(proof.exists(), f"{name}={text}")


if __name__ == "__main__":
    main()
