"""The programs of collections of CUDA samples and benchmarks: what each is built from, and how it
is run. Reads build files; builds and writes nothing."""

import dataclasses
import json
import pathlib
import re

import kernel_cmake
import kernel_makefiles
import projects

MAIN = re.compile(r"^\s*(?:int|void|auto)?\s*main\s*\(", re.M)
RENAMED = [f"-D{old}={new}" for old, new in (  # what CUDA 13 has no more
    ("cudaThreadSynchronize", "cudaDeviceSynchronize"), ("cudaThreadExit", "cudaDeviceReset"),
    ("cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig"))]
REPEATS = re.compile(r"\b(?:n?repeats?|(?:num_?)?iterations?|n_?iters?)\s*=\s*(?:std::)?"
                     r"(?:ato[il]|stoi|strtol)\s*\(\s*argv\s*\[\s*(\d+)\s*\]", re.I)


@dataclasses.dataclass
class Program:
    collection: str
    name: str
    root: pathlib.Path  # of the checkout
    folder: pathlib.Path  # where it is built and run
    sources: list
    flags: list = dataclasses.field(default_factory=list)
    runs: list = dataclasses.field(default_factory=lambda: [[]])  # arguments of each
    devices: int = 1
    images: list = dataclasses.field(default_factory=list)  # (nvcc's option, source, file)
    headers: list = dataclasses.field(default_factory=list)  # the toolkit's, read when it runs
    code_tells: bool = False  # its collection judges it by the exit code alone
    expected: pathlib.Path = None  # the lines that it prints on a device, and others


def programs_of(root):
    root = root.resolve()
    for marker, finder in (("Samples", samples), ("src/accuracy-cuda", hecbench),
                           ("cuda/bfs", rodinia), ("CUDA/stencils", polybench),
                           ("dev/cuda", llm_c), ("projects", demos)):
        if (root / marker).is_dir():
            return sorted(finder(root), key=lambda program: program.name)
    raise projects.Unusable(f"{root}: is none of cuda-samples, HeCBench, gpu-rodinia, "
                            "PolyBench-ACC, llm.c, projects with "
                            "demo/expected_output.txt")


def samples(root):
    """NVIDIA/cuda-samples: the targets of each CMakeLists.txt."""
    file = root / "test_args.json"
    told = json.loads(projects.read(file)) if file.exists() else {}
    for build in sorted(root.glob("Samples/*/*/CMakeLists.txt")):
        folder = build.parent
        said = kernel_cmake.read(build)
        its = told.get(folder.name, {})
        runs = [run.get("args", []) for run in its.get("runs", [its])]
        for name, sources in said.targets:
            yield Program("cuda-samples", name, root, folder, sources, said.flags, runs,
                          its.get("min_gpus", 1), said.images, said.headers, code_tells=True)


def demos(root):
    """Collections of which each project says what its demo prints on a device."""
    for expected in sorted(root.glob("projects/*/*/demo/expected_output.txt")):
        folder = expected.parents[1]
        sample = re.search(r'^SAMPLE="\$ROOT/([^"]+)"', projects.read(expected.parent /
                                                                      "run_demo.sh"), re.M)
        said = kernel_cmake.read(folder / "CMakeLists.txt")
        for name, sources in said.targets[:1]:
            yield Program(root.name, f"{folder.parent.name}/{folder.name}", root, folder, sources,
                          said.flags, [[sample[1]] if sample else []], images=said.images,
                          expected=expected)


def hecbench(root):
    for build in sorted(root.glob("src/*-cuda/Makefile")):
        for program in apart(made_by(build, root, "HeCBench", ["-std=c++17"])):
            yield measured_twice(program)


def measured_twice(program):
    """Benchmarks repeat what they measure, up to many thousand times: twice is enough here."""
    text = "".join(projects.read(program.folder / source) for source in program.sources
                   if (program.folder / source).exists())
    for arguments in program.runs:
        for at in map(int, REPEATS.findall(text)):
            if at <= len(arguments) and arguments[at - 1].isdigit():
                arguments[at - 1] = str(min(2, int(arguments[at - 1])))
    return program


def rodinia(root):
    for build in sorted((root / "cuda").rglob("Makefile*")):
        if any(build.parent.glob("*.cu")) and build.name == "Makefile":
            yield from apart(made_by(build, root, "Rodinia", [f"-I{root}/cuda/util",
                                                              f"-I{root}/common", *RENAMED]))


def polybench(root):
    for build in sorted((root / "CUDA").rglob("Makefile")):
        yield made_by(build, root, "PolyBench-ACC", [*RENAMED, "-DSMALL_DATASET"])


def llm_c(root):
    flags = ["-std=c++17", "--use_fast_math", "-lcublas", "-lcublasLt"]
    for pattern in ("dev/cuda/*.cu", "dev/test/*.cu", "test_*.cu"):
        for file in sorted(root.glob(pattern)):
            text = projects.read(file)
            if MAIN.search(text):
                runs = sorted(set(re.findall(rf"\./{file.stem} (\d+)", text)), key=int)
                yield Program("llm.c", file.stem, root, file.parent, [file.name], flags,
                              [[run] for run in runs] or [[]])


def made_by(build, root, collection, flags):
    name = str(build.parent.relative_to(root)).removeprefix("src/").removesuffix("-cuda")
    said = kernel_makefiles.read(build.parent)
    flags = flags + [flag for flag in said.flags if flag not in flags]
    return Program(collection, name, root, build.parent, said.sources, flags, [said.arguments])


def apart(program):
    """Sources that each have a main are programs of their own."""
    mains = [source for source in program.sources
             if MAIN.search(projects.read(program.folder / source))]
    shared = [source for source in program.sources if source not in mains]
    mains = [main for main in mains if main.endswith(".cu")] or mains
    if len(mains) < 2:
        yield dataclasses.replace(program, sources=[*mains, *shared])
        return
    for main in mains:
        yield dataclasses.replace(program, sources=[main, *shared], name=(
            f"{program.name}/{pathlib.Path(main).with_suffix('')}"))
