"""A command under xfertrace, with what it prints and what is found."""

import json
import os
import pathlib
import subprocess
import tempfile


def traced(xfertrace, *command, emulated=1, **variables):
    """(the finished process, its findings): None where it left no report.

    emulated: how many devices are; 0: the machine's own are used.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        ran = subprocess.run(
            [xfertrace, *([f"--emulate={emulated}"] if emulated else []), "--format", "json", "-o",
             report, *command], capture_output=True, text=True, check=False,
            env={**os.environ, **variables})
        findings = json.loads(report.read_text())["findings"] if report.exists() else None
    return ran, findings
