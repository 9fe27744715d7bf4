#!/usr/bin/env python3
"""Checks that the PTX of other CUDA versions is read and translated.

NVRTC has nvcc's compiler of device code, and PyPI has NVRTC of every version. Each file of the
checkouts that has kernels is compiled as device code alone, so most are not (they have code of the
host beside them); what comes out goes to ptx_check and to translate_ptx.

    pip download --no-deps -d WHEELS nvidia-cuda-nvrtc-cu12==12.0.140 \\
        nvidia-cuda-runtime-cu12==12.0.146 nvidia-cuda-cccl-cu12
    nvrtc_ptx.py --wheels WHEELS --path CHECKOUT [--path CHECKOUT ...] --work FOLDER [--arch 75 ...]
"""

import argparse
import ctypes
import pathlib
import re
import subprocess
import sys
import zipfile

import projects

BIN = pathlib.Path(__file__).resolve().parents[2] / "build" / "bin"
SOURCES = {".cu", ".cuh", ".h"}
KERNEL = re.compile(r"\b__global__\b")
# Headers of the host's, which NVRTC does not have, and the names that code takes from them.
OF_HOST = re.compile(r"^\s*#\s*include\s*<(?!cuda_|cooperative|mma|cub|thrust|cuda/).*$", re.M)
NAMES = "".join(f"typedef {meaning} {name};\n" for name, meaning in (
    ("uint", "unsigned int"), ("uchar", "unsigned char"), ("ushort", "unsigned short"),
    ("int8_t", "signed char"), ("int16_t", "short"), ("int32_t", "int"), ("int64_t", "long long"),
    ("uint8_t", "unsigned char"), ("uint16_t", "unsigned short"), ("uint32_t", "unsigned int"),
    ("uint64_t", "unsigned long long")))


class Compiler:
    """NVRTC of one folder of wheels."""

    def __init__(self, wheels, work):
        for wheel in wheels.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(work)
        library = next(work.rglob("libnvrtc.so.*"), None)
        if library is None:
            raise projects.Unusable(f"{wheels}: no wheel of nvidia-cuda-nvrtc there")
        self.includes = sorted({header.parent for name in ("cuda_fp16.h", "cub/cub.cuh")
                                for header in work.rglob(name)}
                               | {folder.parent for folder in work.rglob("include/cub")})
        self.library = ctypes.CDLL(str(library))
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.version = f"{major.value}.{minor.value}"

    def ptx(self, file, arch):
        """None: it does not compile as device code."""
        text = NAMES + OF_HOST.sub("", projects.read(file))
        program = ctypes.c_void_p()
        self.library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), file.name.encode(),
                                        0, None, None)
        options = [f"--gpu-architecture=compute_{arch}", "-default-device", "-std=c++17",
                   *(f"-I{folder}" for folder in (file.parent, *self.includes))]
        words = (ctypes.c_char_p * len(options))(*map(str.encode, options))
        try:
            if self.library.nvrtcCompileProgram(program, len(options), words) != 0:
                return None
            size = ctypes.c_size_t()
            self.library.nvrtcGetPTXSize(program, ctypes.byref(size))
            made = ctypes.create_string_buffer(size.value)
            self.library.nvrtcGetPTX(program, made)
            return made.value.decode()
        finally:
            self.library.nvrtcDestroyProgram(ctypes.byref(program))


def last_line(program, files):
    done = subprocess.run([BIN / program, *files], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or [f"{program} ended with {done.returncode}"])[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheels", type=pathlib.Path, required=True)
    parser.add_argument("--path", action="append", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--arch", action="append", help="compute capability: 75, 120; default: 80")
    arguments = parser.parse_args()
    try:
        compiler = Compiler(arguments.wheels, arguments.work / "toolkit")
    except projects.Unusable as problem:
        print(f"nvrtc_ptx.py: {problem}", file=sys.stderr)
        return 2
    sources = [file for path in arguments.path for file in sorted(path.rglob("*"))
               if file.suffix in SOURCES and file.is_file() and KERNEL.search(projects.read(file))]
    for arch in arguments.arch or ["80"]:
        folder = arguments.work / f"{compiler.version}-sm_{arch}"
        folder.mkdir(parents=True, exist_ok=True)
        made = []
        for number, source in enumerate(sources):
            text = compiler.ptx(source, arch)
            if text is None or ".entry" not in text:
                continue
            made.append(folder / f"{number}.{source.stem}.ptx")
            made[-1].write_text(text)
        print(f"NVRTC {compiler.version}, compute_{arch}: {len(made)} of {len(sources)} files")
        print(f"  read: {last_line('ptx_check', made)}")
        print(f"  translated: {last_line('translate_ptx', made)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
