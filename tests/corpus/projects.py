"""Folders of other people's projects as compile databases: which files are about tensors, and with which
flags they parse. Nothing is configured or built: the flags are the library's headers plus the projects'
own include folders."""

import json
import pathlib
import re
import shutil
import subprocess

SOURCES = {".cpp", ".cc", ".cxx"}
HEADERS = {".h", ".hpp", ".hh", ".cuh", ""}
ABOUT_TENSORS = re.compile(r"\btorch::|<torch/|<ATen/|\bat::Tensor|tensorlib")
SKIPPED = {".git", "build", "third_party", "external", "android", "node_modules"}
TORCH_INCLUDES = ["/usr/include/torch/csrc/api/include"]


class Unusable(Exception):
    """One line for the person: what is wrong and what to do."""


def read(path):
    return path.read_text(errors="replace")


def sources(folder):
    """The C++ files of a folder that are about tensors, by name."""
    if not folder.is_dir():
        raise Unusable(f"{folder}: no such folder")
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SOURCES or SKIPPED & set(path.relative_to(folder).parts):
            continue
        if ABOUT_TENSORS.search(read(path)):
            found.append(path)
    return found


def include_folders(folder, file):
    """Where a project's quoted includes may lie: above the file up to the folder, and their include/, src/."""
    found = []
    for parent in [file.parent, *file.parent.parents]:
        found += [parent] + [parent / name for name in ("include", "src", "utils") if (parent / name).is_dir()]
        if parent == folder:
            break
    for extra in sorted(folder.glob("utils/*/include")) + sorted(folder.glob("*/include")):
        found.append(extra)
    return list(dict.fromkeys(found))


def compile_command(directory, file, flags, includes):
    return {"directory": str(directory), "file": str(file),
            "arguments": ["c++", *flags, *[f"-I{folder}" for folder in includes], "-c", str(file),
                          "-o", "unit.o"]}


def default_flags(standard):
    return [f"-std={standard}", "-w"] + [f"-isystem{folder}" for folder in TORCH_INCLUDES
                                        if pathlib.Path(folder).is_dir()]


def find_xferlint(given):
    path = given or shutil.which("xferlint") or pathlib.Path(__file__).resolve().parents[2] / "build/bin/xferlint"
    if not pathlib.Path(path).exists():
        raise Unusable(f"{path}: not there; build it (./dev build) or give --xferlint")
    return pathlib.Path(path).resolve()


def lint(xferlint, database, root, out, arguments=(), jobs=None, timeout=3600):
    """Findings of one run, what xferlint said beside them, and its exit code."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "compile_commands.json").write_text(json.dumps(database, indent=1))
    report = out / "findings.json"
    report.unlink(missing_ok=True)
    command = [xferlint, "-p", out, "--root", root, "--format", "json", "-o", report, *arguments]
    if jobs:
        command += ["-j", str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout)
    if done.returncode not in (0, 1, 3) or not report.exists():
        raise Unusable(f"xferlint ended with exit code {done.returncode}: {done.stderr[-500:]}")
    return json.loads(report.read_text())["findings"], done.stderr, done.returncode
