#!/usr/bin/env python3
"""Wall time of a lint step in CI on a generated project: cold, warm, and after one file changed.

usage: ci.py BUILD_DIR [FILES]

The project is one library over the CUDA runtime: each file includes <cuda_runtime.h> and what
programs include of the standard library, has device buffers of its own, and calls other files.
xferlint is the target of xfercheck_lint(), by ninja; beside it run-clang-tidy-22 with one check,
which keeps nothing between runs. Both use all cores.
"""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

CUDA = pathlib.Path("/usr/local/cuda")
TIDY_CHECK = "-*,bugprone-unused-return-value"

LISTS = """cmake_minimum_required(VERSION 3.25)
project(generated LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include_directories(SYSTEM {cuda})
file(GLOB sources CONFIGURE_DEPENDS *.cc)
add_library(generated STATIC ${{sources}})
"""

HEADER = """#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

void check(cudaError_t code);
"""

SOURCE = """#include "common.h"

float total_{other}(const std::vector<float>& values);

namespace {{

class Buffer{n} {{
 public:
  explicit Buffer{n}(std::size_t count) : count_(count) {{
    check(cudaMalloc(&data_, count * sizeof(float)));
  }}
  ~Buffer{n}() {{ cudaFree(data_); }}
  void fill(const std::vector<float>& values) {{
    check(cudaMemcpy(data_, values.data(), count_ * sizeof(float), cudaMemcpyHostToDevice));
  }}
  std::vector<float> read() const {{
    std::vector<float> values(count_);
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(float), cudaMemcpyDeviceToHost));
    return values;
  }}

 private:
  std::size_t count_;
  float* data_ = nullptr;
}};

std::vector<float> halved(const std::vector<float>& values) {{
  std::vector<float> half(values.begin(), values.begin() + values.size() / 2);
  std::sort(half.begin(), half.end());
  return half;
}}

}}  // namespace

float total_{n}(const std::vector<float>& values) {{
  if (values.size() < 2) return values.empty() ? 0 : values.front();
  Buffer{n} buffer(values.size());
  buffer.fill(values);
  float sum = 0;
  for (const float value : buffer.read()) sum += value;
  std::map<std::string, float> parts;
  parts["other"] = total_{other}(halved(values));
  return sum + parts["other"];
}}

float rows_{n}(const float* values, std::size_t count, std::size_t rows) {{
  float* device = nullptr;
  check(cudaMalloc(&device, count * sizeof(float)));
  std::vector<float> row(count);
  float sum = 0;
  for (std::size_t i = 0; i < rows; ++i) {{
    check(cudaMemcpy(device, values + i * count, count * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemcpy(row.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost));
    for (const float value : row) sum += value;
  }}
  cudaFree(device);
  return sum;
}}
"""


def write_project(folder, files):
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(LISTS.format(cuda=CUDA / "include"))
    (folder / "common.h").write_text(HEADER)
    (folder / "check.cc").write_text(
        '#include "common.h"\n\nvoid check(cudaError_t code) {\n'
        "  if (code != cudaSuccess) std::cerr << cudaGetErrorString(code) << '\\n';\n}\n")
    for n in range(files - 1):
        (folder / f"part{n}.cc").write_text(SOURCE.format(n=n, other=(n + 7) % (files - 1)))


def measure(command, environment, codes=(0, 1)):
    """Wall and CPU seconds; on a busy machine the second are steadier."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], env=environment, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall = time.monotonic() - start
    if done.returncode not in codes:
        sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def change(file):
    file.write_text(file.read_text() + "// changed\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", type=int, nargs="?", default=50)
    arguments = parser.parse_args()
    xferlint = arguments.build.resolve() / "bin" / "xferlint"
    run_tidy, tidy = shutil.which("run-clang-tidy-22"), shutil.which("clang-tidy-22")
    needed = [(str(xferlint), xferlint.exists()), ("clang-tidy-22", tidy and run_tidy),
              ("ninja", shutil.which("ninja")), (str(CUDA), CUDA.exists())]
    missing = [what for what, there in needed if not there]
    if missing:
        print(f"ci: not measured, missing: {', '.join(missing)}")
        return
    with tempfile.TemporaryDirectory(prefix="xfer-bench-") as name:
        folder = pathlib.Path(name).resolve()
        source, build, prefix = folder / "source", folder / "build", folder / "prefix"
        environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
        write_project(source, arguments.files)
        measure(["cmake", "--install", arguments.build, "--component", "lint", "--prefix", prefix],
                environment, (0,))
        (package,) = prefix.rglob("XfercheckLintAll.cmake")
        configure, _ = measure(["cmake", "-S", source, "-B", build, "-G", "Ninja",
                                f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={package}",
                                "-DXFERCHECK_LINT_OPTIONS=FAIL_ON;never"], environment, (0,))
        lint = ["cmake", "--build", build, "--target", "xferlint"]
        part = source / "part1.cc"
        rows = [("the lint target, cold", measure(lint, environment, (0,))),
                ("nothing changed", measure(lint, environment, (0,)))]
        change(part)
        rows.append(("one file changed", measure(lint, environment, (0,))))
        change(source / "common.h")
        rows.append(("a header of all files changed", measure(lint, environment, (0,))))
        shutil.rmtree(build / "CMakeFiles" / "generated_xferlint.dir")
        rows.append(("a new build folder, the cache kept", measure(lint, environment, (0,))))
        tidies = [run_tidy, "-quiet", "-clang-tidy-binary", tidy, f"-checks={TIDY_CHECK}",
                  "-p", build]
        base = measure(tidies, environment)
        one = measure([tidy, "--quiet", f"--checks={TIDY_CHECK}", "-p", build, part], environment)
        print(f"{arguments.files} files, {os.cpu_count()} cores; CMake configures in "
              f"{configure:.1f} s\n")
        print(f"{'':42}{'wall s':>9}{'ratio':>8}{'CPU s':>9}{'ratio':>8}")
        for label, (wall, cpu) in [*rows, ("run-clang-tidy-22, one check, always", base),
                                   ("clang-tidy-22, the changed file alone", one)]:
            print(f"{label:42}{wall:9.2f}{wall / base[0]:8.3f}{cpu:9.2f}{cpu / base[1]:8.3f}")


if __name__ == "__main__":
    main()
