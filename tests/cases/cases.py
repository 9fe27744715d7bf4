#!/usr/bin/env python3
"""Runs the case files and compares what happens with what they expect (see expectations.py).

    cases.py lint --xferlint BIN --out DIR --flags "..." CASE...   lint all cases, keep the findings
    cases.py check-lint --out DIR CASE                      compare one case with the kept findings
    cases.py check-run --program BIN CASE                   run the program on two emulated devices
    cases.py check-trace --xfertrace BIN --program BIN CASE ... under the tracer

A case is a file, or for lint a folder whose files are one program. All cases of one file are linted
in one run, and each program in a run of its own, with the same flags: they share the precompiled
header.

Where XFER_TEST_DEVICE is "gpu" programs run on the machine's own GPUs; a case that wants one more
than there are is skipped (exit code 77).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import expectations

TIMEOUT_S = 300
LINT_TIMEOUT_S = 1100  # of all files at once; ctest gives them 1200
SKIPPED = 77
EMULATED = os.environ.get("XFER_TEST_DEVICE") != "gpu"
# How a program ends that asks for a second GPU where there is one.
LACKS_A_DEVICE = re.compile(r"no cuda:\d+: the index is out of range, this machine has")


class Failure(Exception):
    pass


class Skip(Exception):
    pass


def same_file(reported, case):
    """Tools name files relative to their root; case files' names are unique below theirs."""
    reported = pathlib.PurePath(reported)
    if reported.is_absolute():
        return os.path.realpath(reported) == os.path.realpath(case)
    return pathlib.PurePath(os.path.realpath(case)).parts[-len(reported.parts):] == reported.parts


def compare(what, case, expected, found):
    problems = [f"{case}:{line}: {what} misses {rule}" for rule, line in sorted(expected - found)]
    problems += [f"{case}:{line}: {what} reports {rule}, which is not expected"
                 for rule, line in sorted(found - expected)]
    return problems


def raise_if(problems, context=""):
    if problems:
        raise Failure("\n".join(problems + ([context] if context else [])))


# --- lint ---------------------------------------------------------------------------------------

def run_lint(xferlint, folder, flags, files):
    """One xferlint over all files; its findings."""
    folder.mkdir(parents=True, exist_ok=True)
    database = [{"directory": str(folder), "file": str(file),
                 "arguments": ["c++", *flags, "-c", str(file), "-o", f"{file.stem}.o"]}
                for file in files]
    (folder / "compile_commands.json").write_text(json.dumps(database, indent=1))
    report = folder / "findings.json"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        [xferlint, "-p", folder, "--checks", "*", "--format", "json", "-o", report, *files],
        capture_output=True, text=True, timeout=LINT_TIMEOUT_S)
    if done.returncode not in (0, 1):
        raise Failure(
            f"xferlint ended with exit code {done.returncode}\n{done.stdout}{done.stderr}")
    findings = json.loads(report.read_text())["findings"]
    failing = [finding for finding in findings if finding["severity"] != "advice"]
    if done.returncode != (1 if failing else 0):
        raise Failure(f"exit code {done.returncode}, but {len(failing)} findings that fail a run")
    return findings


def program_files(folder):
    """The files of a case that is a folder, its headers too."""
    return sorted(file for file in folder.iterdir() if file.suffix in (".cc", ".cu", ".h"))


def program_out(out, folder):
    """Where the findings of a case that is a folder are kept."""
    return out / "programs" / f"{folder.parent.name}.{folder.name}"


def fail_on_strangers(findings, files):
    strangers = [finding["location"] for finding in findings
                 if not any(same_file(finding["location"]["file"], file) for file in files)]
    if strangers:
        raise Failure(f"findings outside the cases: {strangers}")


def lint_program(xferlint, out, flags, folder):
    files = program_files(folder)
    sources = [file for file in files if file.suffix != ".h"]
    fail_on_strangers(run_lint(xferlint, program_out(out, folder), flags, sources), files)


def lint(arguments):
    flags = shlex.split(arguments.flags)
    everything = [case.resolve() for case in arguments.cases]
    cases = [case for case in everything if not case.is_dir()]
    programs = [case for case in everything if case.is_dir()]
    wanted = {case: expectations.read(case).fixes for case in cases}
    # Repaired copies lie elsewhere, and equal flags let both runs share one precompiled header.
    flags += [f"-I{folder}" for folder in sorted({case.parent for case in cases if wanted[case]})]
    findings = run_lint(arguments.xferlint, arguments.out, flags, cases)
    fail_on_strangers(findings, cases)

    # Repaired copies, linted again.
    fixed = arguments.out / "fixed"
    fixed.mkdir(exist_ok=True)
    copies = []
    for case in cases:
        if wanted[case]:
            copy = fixed / f"{case.parent.name}_{case.name}"
            copy.write_bytes(with_fixes(case, findings, wanted[case]))
            copies.append(copy)
    if copies:
        run_lint(arguments.xferlint, fixed, flags, copies)

    # Programs, a few at a time. The precompiled header is there by now.
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for done in [pool.submit(lint_program, arguments.xferlint, arguments.out, flags, program)
                     for program in programs]:
            done.result()


def with_fixes(case, findings, wanted):
    text = case.read_bytes()
    edits = set()
    for finding in findings:
        key = (finding["rule"], finding["location"]["line"])
        if key in wanted and finding["fix"] and same_file(finding["location"]["file"], case):
            edits |= {(edit["offset"], edit["length"], edit["text"])
                      for edit in finding["fix"]["replacements"]}
    for offset, length, new in sorted(edits, reverse=True):
        text = text[:offset] + new.encode() + text[offset + length:]
    return text


def read_findings(folder):
    return json.loads((folder / "findings.json").read_text())["findings"]


def compare_lint(file, expected, findings):
    """Returns how the findings in a file differ from its expectations."""
    keys = {(finding["rule"], finding["location"]["line"]) for finding in findings
            if same_file(finding["location"]["file"], file)}
    notes = {(finding["rule"], note["location"]["line"]) for finding in findings
             for note in finding["notes"] if same_file(note["location"]["file"], file)}
    fixes = {(finding["rule"], finding["location"]["line"]) for finding in findings
             if finding["fix"] and same_file(finding["location"]["file"], file)}
    problems = compare("xferlint", file, expected.lint, keys)
    problems += [f"{file}:{line}: no finding of {rule} has a note here"
                 for rule, line in sorted(expected.notes - notes)]
    problems += [f"{file}:{line}: the finding of {rule} has no fix"
                 for rule, line in sorted(expected.fixes - fixes)]
    return problems


def compare_fixed(copy, rules, findings):
    return [f"{copy}:{finding['location']['line']}: still {finding['rule']} after the fix"
            for finding in findings
            if finding["rule"] in rules and same_file(finding["location"]["file"], copy)]


def check_lint(arguments):
    case = arguments.case.resolve()
    is_program = case.is_dir()
    folder = program_out(arguments.out, case) if is_program else arguments.out
    files = program_files(case) if is_program else [case]
    # All rules are on, but advice is looked at in the cases of its own rule only.
    findings = [finding for finding in read_findings(folder)
                if any(same_file(finding["location"]["file"], file) for file in files)
                and (finding["severity"] != "advice" or case.parent.name == finding["rule"])]
    problems = []
    for file in files:
        expected = expectations.read(file)
        if is_program and expected.fixes:
            raise expectations.BadCase(f"{file}: the files of a program are not repaired")
        found = compare_lint(file, expected, findings)
        if expected.fixes and not found:
            found = compare_fixed(
                arguments.out / "fixed" / f"{case.parent.name}_{case.name}",
                {rule for rule, _ in expected.fixes}, read_findings(arguments.out / "fixed"))
        problems += found
    raise_if(problems, "found: " + json.dumps(findings, indent=1) if problems else "")


# --- run and trace --------------------------------------------------------------------------------

def execute(command, environment=None):
    done = subprocess.run(command, env={**os.environ, **(environment or {})},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=TIMEOUT_S)
    if not EMULATED and (lacking := LACKS_A_DEVICE.search(done.stdout)):
        raise Skip(done.stdout[lacking.start():].splitlines()[0])
    return done.returncode, done.stdout


def check_execution(case, expected, code, output):
    problems = []
    if expected.error:
        if code == 0:
            problems.append(f"{case}: exit code 0, but {expected.error} is expected")
        if expected.error not in output:
            problems.append(f"{case}: the output does not name {expected.error}")
    elif code != 0:
        problems.append(f"{case}: exit code {code}")
    position = 0
    for text in expected.output:
        found = output.find(text, position)
        if found < 0:
            problems.append(f"{case}: the output lacks {text!r}")
        else:
            position = found + len(text)
    problems += [f"{case}:{line}: the output does not name this line"
                 for line in sorted(expected.named) if f"{case.name}:{line}" not in output]
    raise_if(problems, f"--- output ---\n{output}")


def check_run(arguments):
    code, output = execute([arguments.program], {"XFERCHECK_EMULATE": "2"} if EMULATED else None)
    check_execution(arguments.case, expectations.read(arguments.case), code, output)


def check_trace(arguments):
    case = arguments.case
    expected = expectations.read(case)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "findings.json"
        emulate = ["--emulate=2"] if EMULATED else []
        code, output = execute([arguments.xfertrace, *emulate, "--format", "json", "-o", report,
                                "--", arguments.program])
        check_execution(case, expected, code, output)
        findings = json.loads(report.read_text())["findings"]
    problems = compare("xfertrace", case, set(expected.trace),
                       {(finding["rule"], finding["location"]["line"]) for finding in findings
                        if same_file(finding["location"]["file"], case)})
    for finding in findings:
        key = (finding["rule"], finding["location"]["line"])
        if not same_file(finding["location"]["file"], case):
            problems.append(
                f"{finding['location']['file']}:{key[1]}: {key[0]}, which is not the case's")
        elif expected.trace.get(key) not in (None, finding["cost"]["count"]):
            problems.append(f"{case}:{key[1]}: {key[0]} {finding['cost']['count']} times, "
                            f"not {expected.trace[key]}")
    raise_if(problems, "found: " + json.dumps(findings, indent=1) if problems else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)

    def command(name, function, *options):
        sub = commands.add_parser(name)
        for option in options:
            sub.add_argument(option, required=True, type=pathlib.Path if option == "--out" else str)
        if name == "lint":
            sub.add_argument("cases", nargs="+", type=pathlib.Path)
        else:
            sub.add_argument("case", type=pathlib.Path)
        sub.set_defaults(function=function)

    command("lint", lint, "--xferlint", "--out", "--flags")
    command("check-lint", check_lint, "--out")
    command("check-run", check_run, "--program")
    command("check-trace", check_trace, "--xfertrace", "--program")
    arguments = parser.parse_args()
    try:
        arguments.function(arguments)
    except Skip as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    except (Failure, expectations.BadCase) as failure:
        print(failure, file=sys.stderr)
        return 1
    except FileNotFoundError as error:
        print(f"cases.py: {error.filename}: not there", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
