"""The programs that the CMakeLists.txt of a sample builds, and their flags."""

import dataclasses
import pathlib
import re

import projects
from kernel_makefiles import SOURCES

LIBRARIES = {"cuda_driver": "cuda", "cufft_static": "cufft"}  # by their names in CMake
STANDARD = ["-std=c++17", "--extended-lambda"]


@dataclasses.dataclass
class Said:
    targets: list = dataclasses.field(default_factory=list)  # (name, sources)
    flags: list = dataclasses.field(default_factory=list)
    images: list = dataclasses.field(default_factory=list)  # (nvcc's option, source, file)
    headers: list = dataclasses.field(default_factory=list)  # the toolkit's, read when it runs


def read(build):
    folder = build.parent
    text = re.sub(r"#.*", "", projects.read(build))
    values = {name: value for name, value in re.findall(r"\bset\((\w+)\s+\"?([^\s\")]+)", text)}
    named = re.search(r"\bproject\(\s*([\w.+-]+)", text)
    values.update(CMAKE_CURRENT_SOURCE_DIR=".", CMAKE_CURRENT_BINARY_DIR=".",
                  PROJECT_NAME=named[1] if named else folder.name)
    said = Said(flags=list(STANDARD))
    for listed in re.findall(r"\b(?:target_)?include_directories\(([^)]*)\)", text):
        said.flags += [f"-I{folder / path}" for path in expanded(listed, values).split()
                       if (folder / path).is_dir()]
    said.flags += [f"-l{LIBRARIES.get(name, name)}"
                   for name in dict.fromkeys(re.findall(r"\bCUDA::(\w+)", text))
                   if name != "cudart"]
    if "find_package(OpenMP" in text:
        said.flags += ["-Xcompiler", "-fopenmp"]
    said.images = [(option, expanded(source, values), expanded(out, values))
                   for out, option, source in re.findall(r"-o\s+(\S+)\s+(-fatbin|-ptx)\s+(\S+)",
                                                         text)]
    said.headers = re.findall(r"\$\{CUDA_INCLUDE_DIR\}/(\S+)", text)
    for name, listed in re.findall(r"\badd_executable\(\s*(\S+)([^)]*)\)", text):
        sources = [expanded(source, values) for source in listed.split()]
        sources = [source for source in sources if pathlib.Path(source).suffix in SOURCES]
        if sources:
            said.targets.append((expanded(name, values), sources))
    return said


def expanded(text, values):
    for _ in range(4):
        text = re.sub(r"\$\{(\w+)\}", lambda found: values.get(found[1], ""), text)
    return text.strip('"')
