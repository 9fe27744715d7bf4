"""The sources of a Makefile's program, and its arguments in a run: read from the commands that
make would start."""

import dataclasses
import pathlib
import re
import shlex
import subprocess

import projects

SOURCES = {".cu", ".cpp", ".cc", ".cxx", ".c"}
WITH_VALUE = {"-o", "-gencode", "--generate-code", "-arch", "-code", "-ccbin", "-gpu-name", "-MF",
              "-MT"}
DROPPED = re.compile(r"-(?:c|g|G|O\w?|lineinfo|MM?D|w|pg|lcudart)$|"
                     r"-(?:arch|code|gencode|-?gpu-\w+|-generate-code|ccbin|cudart)=|"
                     r"-[Wf][\w=-]*$|-m(?:\d|arch|tune)")
COMPILERS = {"nvcc", "g++", "gcc", "cc", "c++", "mpicxx", "mpic++", "mpicc"}
FOR_HOST = re.compile(r"-[IDLl]")
USAGE = re.compile(r"[Uu]sage:?\s*(?:\./)?(?:%s|main)?((?:\s*[<\[][^<>\[\]\"]*[>\]])+)")
REPEATS = re.compile(r"repeat|iter|trial|number of runs|time ?steps", re.I)
FEWEST = 2  # what a count of repeats is cut to


@dataclasses.dataclass
class Said:
    sources: list = dataclasses.field(default_factory=list)
    flags: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)


def read(folder):
    """Where make says no source, those are all of the folder that no other one includes."""
    said = Said()
    for words in dry_run(folder, []):
        if pathlib.Path(words[0]).name in COMPILERS:
            add_command(said, words)
    said.sources = [source for source in said.sources if (folder / source).exists()]
    if not said.sources:
        said.sources = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*"))
                        if path.suffix in SOURCES and not is_included(path)]
    for words in dry_run(folder, ["run"]):
        at = next((at for at, word in enumerate(words) if re.match(r"\./\w", word)), None)
        if at is not None:
            said.arguments = fewer_repeats(folder, said.sources, words[at + 1:])
    return said


def dry_run(folder, goal):
    """The commands that make would start, as words."""
    done = subprocess.run(["make", "-n", "-B", "-k", "CC=nvcc", "NVCC=nvcc", *goal], cwd=folder,
                          capture_output=True, text=True, errors="replace", timeout=60)
    for line in done.stdout.replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        if words:
            yield words


def add_command(said, words):
    if {"-cuda", "-ptx", "-cubin", "--ptx", "--cubin"} & set(words):
        return
    of_device = pathlib.Path(words[0]).name == "nvcc"
    rest = iter(words[1:])
    for word in rest:
        if word in WITH_VALUE:
            next(rest, None)
        elif word in ("-dc", "-rdc=true", "--relocatable-device-code=true"):
            add(said.flags, "-rdc=true")
        elif word in ("-Xcompiler", "-x", "-include", "-Xptxas", "-maxrregcount"):
            value = next(rest, "")
            if value != "-Wall":
                said.flags += [word, value]
        elif not word.startswith("-"):
            if pathlib.Path(word).suffix in SOURCES:
                add(said.sources, word)
        elif word == "-fopenmp":
            said.flags += ["-Xcompiler", word]
        elif not DROPPED.match(word) and (of_device or FOR_HOST.match(word)) and word != "-L":
            add(said.flags, word)


def add(items, item):
    if item not in items:
        items.append(item)


def is_included(path):
    """By another source of its folder."""
    wanted = re.compile(rf'#\s*include\s*[<"](?:\./)?{re.escape(path.name)}[>"]')
    return any(wanted.search(projects.read(other)) for other in path.parent.iterdir()
               if other != path and other.suffix in SOURCES | projects.HEADERS)


def fewer_repeats(folder, sources, arguments):
    """Counts of repeats are for clocks: two are enough to see whether the results hold."""
    for source in sources:
        for usage in USAGE.finditer(projects.read(folder / source)):
            names = re.findall(r"[<\[]([^<>\[\]]*)[>\]]", usage[1])
            if len(names) == len(arguments):
                return [str(min(int(value), FEWEST)) if REPEATS.search(name) and value.isdigit()
                        else value for name, value in zip(names, arguments)]
    return arguments
