"""Builds programs with nvcc into a folder of work, as PTX alone, once: a second build of the same
files with the same flags is the first one's."""

import dataclasses
import hashlib
import json
import pathlib
import re
import subprocess

import projects

TO_PTX = ["-gencode", "arch=compute_90,code=compute_90"]
LONGEST = 900  # seconds of one build
REMEDIES = (  # what an error asks for
    (r"__cudaRegisterLinkedBinary|from a __(?:device|global)__ function|Unresolved extern|"
     r"undefined in|requires separate compilation", ["-rdc=true", "-lcudadevrt"]),
    (r"undefined reference to symbol", ["-Xlinker", "--copy-dt-needed-entries"]),
    (r"undefined reference to `nvJitLink", ["-lnvJitLink"]),
    (r"undefined reference to `nvvm", ["-lnvvm"]),
    (r"undefined reference to `cu[A-Z]", ["-lcuda"]),
)
NEEDS = (  # what an error says is not there
    (r"\b(?:GL|GLES\d?|EGL|glad|GLFW|X11|vulkan|VX)/[\w/]+\.h|freeglut|helper_gl|rendercheck|"
     r"\bcuEGL|-l(?:GL\w*|glut|EGL|X11|vulkan|glfw)\b|\b(?:gl|glut|glew)[A-Z]\w+|cudaEGL|"
     r"GL_VERSION|vulkan/", "graphics"),
    (r"\bnpp\w*\.h|-lnpp", "NPP"),
    (r"d3d\w*\.h|windows\.h|dxgi", "Windows"),
    (r"\bmpi\.h|-lmpi", "MPI"),
    (r"nvsci\w*\.h|nvscierror", "NvSci"),
    (r"screen/screen\.h|nvmedia|cudla\.h", "a Drive or Jetson board"),
    (r"cannot find -l:?(\S+?)(?::|$)", None),
    (r"fatal error: ([\w./+-]+): No such file", None),
    (r"could not open source file \"([^\"]+)\"", None),
)


@dataclasses.dataclass
class Build:
    program: object
    folder: pathlib.Path  # of what was built
    error: str  # the first line that says what is wrong; empty: built
    needs: str  # what is not there, where that is the reason

    @property
    def binary(self):
        return self.folder / "program"


def build(program, work, emulator, more_flags):
    folder = work / "built" / program.collection / program.name
    command = [projects.NVCC, "-w", "-O2", "-cudart", "shared", *TO_PTX, *more_flags,
               *program.flags]
    key = key_of(program, command)
    known = folder / "build.key"
    if not program.sources:
        return Build(program, folder, "no source is there", "its sources")
    if not known.exists() or projects.read(known) != key:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "build.txt").write_text(compiled(program, folder, command, emulator))
        known.write_text(key)
    if (folder / "program").exists():
        return Build(program, folder, "", "")
    output = projects.read(folder / "build.txt")
    return Build(program, folder, first_error(output), what_is_missing(output))


def linked(command, emulator):
    """With the emulator's libcuda: there may be no other."""
    at = [["-Xlinker", emulator / "libcuda.so.1"] if word == "-lcuda" else [word]
          for word in command]
    return [word for words in at for word in words]


def key_of(program, command):
    digest = hashlib.sha256(json.dumps([command, program.sources, program.images]).encode())
    for path in sorted(program.folder.rglob("*")):
        if path.suffix in SOURCES_AND_HEADERS and path.is_file():
            digest.update(path.read_bytes())
    for source in program.sources:
        if source.startswith(".."):
            digest.update((program.folder / source).read_bytes())
    return digest.hexdigest()


SOURCES_AND_HEADERS = projects.HEADERS | projects.INCLUDED | {".cu", ".cpp", ".cc", ".cxx"}


def compiled(program, folder, command, emulator):
    """Returns the output of nvcc; the program is there where it went well."""
    binary = folder / "program"
    binary.unlink(missing_ok=True)
    includes = [flag for flag in program.flags if flag.startswith("-I")]
    for option, source, file in program.images:
        nvcc([projects.NVCC, *TO_PTX, *includes, option, source, "-o",
              folder / pathlib.Path(file).name], program.folder)
    more = []
    while True:
        output = nvcc([*linked([*command, *more], emulator), *program.sources, "-o", binary],
                      program.folder)
        asked = next((flags for pattern, flags in REMEDIES
                      if re.search(pattern, output) and flags[-1] not in more), None)
        if binary.exists() or not asked:
            return output
        more += asked


def nvcc(command, folder):
    try:
        done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True,
                              errors="replace", timeout=LONGEST, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"error: nvcc takes longer than {LONGEST} s"
    return done.stdout + done.stderr


def first_error(output):
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    said = next((line for line in lines if re.search(r"error|undefined|cannot find", line)), None)
    return (said or next(iter(lines), "nvcc failed and said nothing"))[:200]


def what_is_missing(output):
    for pattern, name in NEEDS:
        if found := re.search(pattern, output, re.M):
            return name or found[1].rstrip(":")
    return ""
