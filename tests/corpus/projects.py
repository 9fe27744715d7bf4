"""Folders of other people's projects as compile databases: which files are about tensors, and with
which flags they parse. Nothing is configured or built: the flags are the library's headers plus the
projects' own include folders."""

import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess

NVCC = shutil.which("nvcc") or next(
    map(str, pathlib.Path("/usr/local").glob("cuda*/bin/nvcc")), None)
TOOLKIT = pathlib.Path(NVCC).parents[1] / "include" if NVCC else None
SOURCES = {".cpp", ".cc", ".cxx"} | ({".cu"} if NVCC else set())
HEADERS = {".h", ".hpp", ".hh", ".cuh"}
INCLUDED = {".c", ".inc", ".inl", ".hu"}  # besides headers
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)', re.M)
ABOUT = {"tensors": re.compile(r"\btorch::|<torch/|<ATen/|\bat::Tensor|tensorlib"),
         "cuda": re.compile(r"\bcudaMemcpy|\bcudaMalloc|\bcuMem(?:cpy|Alloc)|<<<")}
BUILD_FILES = {"CMakeLists.txt", "Makefile", "meson.build", "BUILD", "BUILD.bazel"}
STANDARD = re.compile(r"CMAKE_CXX_STANDARD\s+(\d\d)|cxx_std_(\d\d)|"
                      r"-std=(?:c|gnu)\+\+(\d\w)|cpp_std=(?:c|gnu)\+\+(\d\w)")
SKIPPED = {".git", "build", "third_party", "external", "android", "node_modules"}
TORCH = pathlib.Path("/usr")  # Debian's


class Unusable(Exception):
    """One line for the person: what is wrong and what to do."""


def read(path):
    return path.read_text(errors="replace")


def add_arguments(parser):
    """Adds the arguments that every tool of this folder takes."""
    parser.add_argument("--path", action="append", type=pathlib.Path, required=True)
    parser.add_argument("--xferlint", type=pathlib.Path)
    parser.add_argument("--about", choices=ABOUT, default="tensors",
                        help="which files: those that use a tensor "
                        "library, or the CUDA runtime")
    parser.add_argument("--std", help="default: what each project's build files ask for")
    parser.add_argument(
        "--torch", type=pathlib.Path, default=TORCH,
        help="the LibTorch whose headers to use: the folder with include/; default: Debian's")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--jobs", type=int)


class Project:
    """One folder, and where its own headers lie."""

    def __init__(self, folder, about="tensors"):
        if not folder.is_dir():
            raise Unusable(f"{folder}: no such folder")
        self.folder = folder
        self.about = about
        self.files = [path for path in sorted(folder.rglob("*"))
                      if path.is_file() and not SKIPPED & set(path.relative_to(folder).parts)]
        self.headers = [path for path in self.files if path.suffix in HEADERS]
        self.sources = [path for path in self.files
                        if path.suffix in SOURCES and self._is_about(path)]
        if not self.sources:
            raise Unusable(f"{folder}: no C++ file there is about {about}")
        # Of the same programs, it may be: what the sources call is there.
        folders = {path.parent for path in self.sources}
        self.beside = [path for path in self.files if path.suffix in SOURCES and
                       path.parent in folders and path not in set(self.sources)]

    def _is_about(self, file):
        """The file, or a header of the project that it includes."""
        return any(ABOUT[self.about].search(read(path)) for path in [file, *self.reached(file)])

    def flags(self, arguments):
        """Of the arguments: the language's standard, or else what the project's build files ask
        for: the newest of those; LibTorch's headers; what is given besides."""
        standard = arguments.std
        if not standard:
            asked = ["".join(found) for path in self.files if path.name in BUILD_FILES
                     for found in STANDARD.findall(read(path))]
            early = {"1z": "17", "2a": "20", "2b": "23"}
            standard = "c++" + max([early.get(one, one) for one in asked] + ["17"])
        if self.about == "cuda":
            toolkit = [f"-isystem{TOOLKIT}"] if TOOLKIT else []
            return [f"-std={standard}", "-w", *toolkit, *arguments.flag]
        include = arguments.torch / "include"
        folders = [include / "torch/csrc/api/include"]
        if arguments.torch != TORCH:
            folders.append(include)
        if not folders[0].is_dir():
            raise Unusable(f"{folders[0]}: not there; install libtorch-dev or give --torch")
        return [f"-std={standard}", "-w", *[f"-isystem{folder}" for folder in folders],
                *arguments.flag]

    def include_folders(self, file):
        """The folders that a file's includes need and that its own folder does not give. As few as
        possible: files with equal flags share a precompiled header."""
        return self._follow_includes(file)[0]

    def reached(self, file):
        """The project's headers that a file includes, directly or not."""
        return self._follow_includes(file)[1]

    def _follow_includes(self, file):
        needed, seen, pending = [], {file}, [file]
        while pending:
            at = pending.pop()
            for quote, name in INCLUDE.findall(read(at)):
                if quote == "<" and TOOLKIT and (TOOLKIT / name).is_file():
                    continue  # a project's own cuda.h is not what is meant
                beside = [at.parent] if quote == '"' else []
                candidates = (pathlib.Path(os.path.normpath(base / name))
                              for base in [*beside, *needed])
                header = next((path for path in candidates if path.is_file()), None)
                if header is None:
                    base = self._base(at, name)
                    if base is None:
                        continue
                    header = base / name
                    needed.append(base)
                if header not in seen:
                    seen.add(header)
                    pending.append(header)
        return sorted(needed), seen - {file}

    def _base(self, at, name):
        """The folder from which `at` includes `name`: of those that have it, the nearest one; of
        equally near ones that which has most of what `at` includes."""
        wanted = pathlib.PurePath(name).parts
        bases = [header.parents[len(wanted) - 1] for header in self.headers
                 if header.parts[-len(wanted):] == wanted]
        names = [name for _, name in INCLUDE.findall(read(at))]

        def fits(base):
            same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(base.parts, at.parts))
            shared = sum(1 for _ in same)
            return shared, sum((base / other).is_file() for other in names)
        return max(bases, key=fits, default=None)

    def command(self, file, flags, original=None):
        """How `file` is compiled; `original` is the file that it is a changed copy of, in the same
        folder."""
        includes = self.include_folders(original or file)
        compiler = NVCC if file.suffix == ".cu" else "c++"
        return {"directory": str(file.parent), "file": str(file),
                "arguments": [compiler, *flags, *[f"-I{folder}" for folder in includes],
                              "-c", str(file), "-o", "unit.o"]}


def copy_sources(folder, tree):
    """Makes `tree` a copy of a folder, as far as it is code: one that may be changed."""
    skipped = SKIPPED - {"third_party", "external"}  # whose headers are included
    shutil.copytree(folder, tree, ignore=lambda at, names: [
        name for name in names if name in skipped or not (
            os.path.isdir(os.path.join(at, name)) or
            pathlib.PurePath(name).suffix in SOURCES | HEADERS | INCLUDED)],
        ignore_dangling_symlinks=True)


def find_xferlint(given):
    path = (given or shutil.which("xferlint") or
            pathlib.Path(__file__).resolve().parents[2] / "build/bin/xferlint")
    if not pathlib.Path(path).exists():
        raise Unusable(f"{path}: not there; build it (./dev build) or give --xferlint")
    return pathlib.Path(path).resolve()


def run(xferlint, database, root, out, arguments, jobs=None, timeout=3600):
    """One run over a database, with its files in `out`; what xferlint said, and its exit code."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "compile_commands.json").write_text(json.dumps(database, indent=1))
    command = [xferlint, "-p", out, "--root", root, *arguments]
    if jobs:
        command += ["-j", str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          timeout=timeout)
    if done.returncode not in (0, 1, 3):
        raise Unusable(f"xferlint ended with exit code {done.returncode}: {done.stderr[-500:]}")
    return done.stderr, done.returncode


def crashes(said):
    """Of what xferlint said: the files on which the analysis crashed or ran out of time -> how."""
    return dict(re.findall(r"^(.*): error: not analysed: (.*)$", said, re.M))


def lint(xferlint, database, root, out, arguments=(), jobs=None):
    """Findings of one run, what xferlint said beside them, and its exit code."""
    report = out / "findings.json"
    report.unlink(missing_ok=True)
    said, code = run(xferlint, database, root, out, ["--format", "json", "-o", report, *arguments],
                     jobs)
    if not report.exists():
        raise Unusable(f"xferlint wrote no findings: {said[-500:]}")
    return json.loads(report.read_text())["findings"], said, code
