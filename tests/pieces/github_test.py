"""The GitHub action, its steps run as a runner runs them, and this project's own workflow."""

import json
import os
import re

import yaml
from sample import ROOT, PieceCase, git, main, run, write_project, write_script

ACTION = ROOT / ".github" / "actions" / "lint" / "action.yml"
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")

# Stands for Python's venv: its pip writes down what it is asked for, and brings xferlint.
PYTHON = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exit 9
mkdir -p "$3/bin"
cat > "$3/bin/pip" <<'PIP'
#!/bin/sh
printf '%s\\n' "$@" > {asked}
ln -sf {xferlint} "$(dirname "$0")/xferlint"
PIP
chmod +x "$3/bin/pip"
"""


class Action(PieceCase):
    def setUp(self):
        super().setUp()
        self.action = yaml.safe_load(ACTION.read_text())
        self.steps = self.action["runs"]["steps"]
        self.project = self.folder / "project"
        write_project(self.project)
        self.asked = self.folder / "asked"
        write_script(self.folder / "bin" / "python3", PYTHON.format(
            asked=self.asked, xferlint=self.prefix / "bin" / "xferlint"))

    def inputs(self, given):
        known = self.action["inputs"]
        self.assertLessEqual(set(given), set(known))
        return {name: given.get(name, known[name].get("default", "")) for name in known}

    def use(self, code, **given):
        """Runs the steps; the last one must end with `code`. Its log, and the outputs."""
        inputs = self.inputs({name.replace("_", "-"): value for name, value in given.items()})
        files = {name: self.folder / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT")}
        for file in files.values():
            file.write_text("")
        log = ""
        for number, step in enumerate(self.steps):
            env = {name: EXPRESSION.sub(lambda use: inputs[use[1].removeprefix("inputs.")], value)
                   for name, value in step.get("env", {}).items()}
            script = self.folder / "step.sh"
            script.write_text(step["run"])
            added = files["GITHUB_PATH"].read_text().split()
            env |= {"PATH": ":".join([*added, str(self.folder / "bin"), os.environ["PATH"]]),
                    "RUNNER_TEMP": str(self.folder),
                    **{name: str(file) for name, file in files.items()}}
            is_last = number + 1 == len(self.steps)
            log = run("bash", "--noprofile", "--norc", "-eo", "pipefail", script,
                      folder=self.project, env=env, code=code if is_last else 0)
        return log, dict(line.split("=", 1) for line
                         in files["GITHUB_OUTPUT"].read_text().splitlines())

    def test_inputs_come_by_the_environment(self):
        used = set()
        for step in self.steps:
            self.assertNotIn("${{", step["run"], "an expression in a script is run as one")
            self.assertEqual("bash", step["shell"])
            for value in step.get("env", {}).values():
                self.assertRegex(value, r"^\$\{\{ inputs\.[a-z-]+ \}\}$")
                used.add(EXPRESSION.fullmatch(value)[1].removeprefix("inputs."))
        self.assertEqual(set(self.action["inputs"]), used)

    def test_outputs_come_from_steps(self):
        for output in self.action["outputs"].values():
            _, step, _, name = EXPRESSION.fullmatch(output["value"])[1].split(".")
            (script,) = [one["run"] for one in self.steps if one.get("id") == step]
            self.assertIn(f'echo "{name}=', script)

    def test_findings_are_annotations_and_sarif(self):
        log, outputs = self.use(1)
        self.assertIn("::warning file=bad.cc,line=3,col=5,title=discarded-transfer::", log)
        self.assertEqual({"sarif-file": "xferlint.sarif"}, outputs)
        sarif = json.loads((self.project / "xferlint.sarif").read_text())
        self.assertEqual("2.1.0", sarif["version"])
        (result,) = sarif["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(("bad.cc", 3), (place["artifactLocation"]["uri"],
                                         place["region"]["startLine"]))
        rules = sarif["runs"][0]["tool"]["driver"]["rules"]
        self.assertIn(result["ruleId"], [rule["id"] for rule in rules])

    def test_exit_codes(self):
        self.use(0, fail_on="error")
        self.use(0, fail_on="never")
        self.use(2, fail_on="sometimes")
        self.use(2, build_folder="nowhere")
        (self.project / "good.cc").write_text("int x = undeclared;\n")
        log, outputs = self.use(3, fail_on="never")
        self.assertIn("good.cc:1:9: error: ", log)
        self.assertIn("sarif-file", outputs)

    def test_choices(self):
        self.use(0, checks="-*,round-trip")
        self.use(0, diff_only="main")
        (self.project / "good.cc").write_text((self.project / "bad.cc").read_text())
        log, _ = self.use(1, diff_only="main", sarif_file="other.sarif")
        self.assertIn("file=good.cc", log)
        self.assertNotIn("file=bad.cc", log)
        self.assertTrue((self.project / "other.sarif").exists())
        git(self.project, "checkout", "-q", "good.cc")
        run(self.prefix / "bin" / "xferlint", "-p", "build", "--write-baseline", "known",
            folder=self.project, code=1)
        self.use(0, baseline="known")

    def test_the_version(self):
        self.use(1)
        self.assertEqual("xfercheck", self.asked.read_text().splitlines()[-1])
        self.use(1, version="1.2.3")
        self.assertEqual("xfercheck==1.2.3", self.asked.read_text().splitlines()[-1])

    def test_inputs_are_no_commands(self):
        proof = self.folder / "proof"
        for name in self.action["inputs"]:
            for text in (f"x; touch {proof}", f"$(touch {proof})", f"`touch {proof}`",
                         f'"; touch {proof}; "'):
                with self.subTest(name, text=text):
                    self.use(None, **{name.replace("-", "_"): text})
                    self.assertFalse(proof.exists())


class Workflow(PieceCase):
    def test_runs_what_a_developer_runs(self):
        workflow = yaml.safe_load(WORKFLOW.read_text())
        (job,) = workflow["jobs"].values()
        self.assertEqual("debian:12", job["container"])
        self.assertEqual(".ci/run", job["steps"][-1]["run"])
        self.assertTrue(os.access(ROOT / ".ci" / "run", os.X_OK))
        self.assertEqual({"contents": "read"}, workflow["permissions"])
        for step in job["steps"]:
            self.assertNotIn("${{", step.get("run", ""))


if __name__ == "__main__":
    main()
