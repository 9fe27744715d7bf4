"""The cases of races under xfertrace, on emulated devices: each is found on the marked line, and
nothing is said of it done right, nor of what is no race (SILENT_CASE).

    races_test.py XFERTRACE RACE_CASES CASE
    races_test.py XFERTRACE RACE_CASES --by-content   refilled.cu, replayed.cu: nothing is watched
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RULES = {"async-source-reuse", "read-before-sync", "use-after-free", "data-race"}


def marked(case):
    """(rule, file, line) of each marked line of the case."""
    for source in sorted(HERE.glob("*.cu")):
        lines = source.read_text().splitlines()
        begin = next((i for i, line in enumerate(lines) if f"_CASE({case})" in line), None)
        if begin is None:
            continue
        end = next(i for i in range(begin, len(lines)) if lines[i] == "}")
        found_here = {(rule, source.name, i + 1) for i in range(begin, end)
                      for rule in re.findall(r"// RACE ([\w-]+)", lines[i])}
        assert bool(found_here) == lines[begin].startswith("RACE"), f"the marks of {case}"
        return found_here
    raise SystemExit(f"races_test.py: no source has a case {case}")


def found(xfertrace, program, *arguments, options=""):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        run = subprocess.run([xfertrace, "--emulate", "--format", "json", "-o", report, "--",
                              program, *arguments], capture_output=True, text=True, check=False,
                             env={**os.environ, "XFERCHECK_OPTIONS": options})
        if run.returncode != 0:
            raise SystemExit(f"{' '.join(arguments)} ended with {run.returncode}\n{run.stderr}")
        findings = json.loads(report.read_text())["findings"]
    return {(finding["rule"], pathlib.Path(finding["location"]["file"]).name,
             finding["location"]["line"]) for finding in findings if finding["rule"] in RULES}


def by_content(xfertrace, program):
    """A source that is filled again is found by what it holds too, as it is on a real device."""
    sources = "".join((HERE / name).read_text() for name in ("refilled.cu", "replayed.cu"))
    wrong = []
    for case in re.findall(r"^RACE_CASE\((\w+)\)", sources, re.M):
        if all(rule != "async-source-reuse" for rule, _, _ in marked(case)):
            continue
        for arguments, rules in (([case], {"async-source-reuse"}), ([case, "right"], set())):
            findings = found(xfertrace, program, *arguments, options="watch_host=0")
            if {rule for rule, _, _ in findings} != rules:
                wrong.append(f"{' '.join(arguments)}: {sorted(findings)}")
    print("\n".join(wrong))
    return 1 if wrong else 0


def main():
    xfertrace, program, case = sys.argv[1:]
    if case == "--by-content":
        return by_content(xfertrace, program)
    expected = marked(case)
    wrong, right = found(xfertrace, program, case), found(xfertrace, program, case, "right")
    for what, is_there, should_be in (("wrong", wrong, expected), ("right", right, set())):
        if is_there != should_be:
            print(f"{case}, done {what}:\n  found {sorted(is_there)}\n"
                  f"  should be {sorted(should_be)}")
    return 0 if (wrong, right) == (expected, set()) else 1


if __name__ == "__main__":
    sys.exit(main())
