#!/usr/bin/env python3
"""Tests of the Python package and of its plugin for pytest.

usage: run.py package                   the package, by this Python
       run.py plugin PYTHON             the plugin, by a Python that has pytest
       run.py torch PYTHON XFERTRACE    both with PyTorch, on emulated devices, or on the real ones
                                        where XFER_TEST_DEVICE is "gpu"

Exit code 77 (skipped) where pytest, PyTorch with CUDA 13 or a compiler is missing.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PACKAGE = ROOT / "cupti_tracer" / "python"
SKIPPED = 77
HAS = {"pytest": "import pytest", "PyTorch with CUDA 13":
       "import torch; raise SystemExit(not (torch.version.cuda or '').startswith('13.'))"}


def lacks(python: str, *wanted: str) -> bool:
    for what in wanted:
        asked = subprocess.run([python, "-c", HAS[what]], capture_output=True, check=False)
        if asked.returncode != 0:
            print(f"{python} has no {what}")
            return True
    return False


def build_listener(folder: str) -> str:
    """Without the build's flags: a library with sanitizers cannot be preloaded into Python."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if not compiler:
        return ""
    library = os.path.join(folder, "libfake_listener.so")
    subprocess.run([*compiler.split(), "-std=c++17", "-shared", "-fPIC", "-I",
                    ROOT / "runtime" / "include", HERE / "fake_listener.cc", "-o", library],
                   check=True)
    return library


def main() -> int:
    which, *rest = sys.argv[1:]
    python = rest[0] if rest else sys.executable
    needed = {"package": [], "plugin": ["pytest"], "torch": ["pytest", "PyTorch with CUDA 13"]}
    if lacks(python, *needed[which]):
        return SKIPPED
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("XFERCHECK_", "PYTEST_")) and name != "LD_PRELOAD"}
    environment = {**kept, "PYTHONPATH": f"{PACKAGE}:{HERE}", "PYTHONDONTWRITEBYTECODE": "1"}
    runner = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "pytester"]
    with tempfile.TemporaryDirectory() as folder:
        if which == "torch":
            environment["XFERTRACE"] = os.path.abspath(rest[1])
            command = [*runner, str(HERE / "torch_test.py")]
        else:
            listener = build_listener(folder)
            if not listener:
                print("there is no C++ compiler: set CXX")
                return SKIPPED
            environment["FAKE_LISTENER"] = listener
            environment["XFERTRACE"] = str(HERE / "fake_xfertrace")
            if which == "package":
                environment["LD_PRELOAD"] = listener
                command = [python, "-m", "unittest", "discover", "-s", str(HERE),
                           "-p", "package_*_test.py"]
            else:
                command = [*runner, *map(str, sorted(HERE.glob("plugin_*_test.py")))]
        return subprocess.run(command, env=environment, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
