#!/usr/bin/env python3
"""Seconds from the install command to the first finding: this project's wheel, and clang-tidy's.

Each goes into a new virtual environment and lints the same LibTorch file, with Debian's headers.
xfercheck's wheel is a file (build/dist, from ./dev wheel); PyPI's is downloaded beforehand.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent / "install" / "distribution" / "serve.cc"
OTHER_CHECK = "modernize-use-trailing-return-type"
FLAGS = ["-std=c++17", "-I/usr/include/torch/csrc/api/include"]


def timed(command, allowed=(0,), **options):
    begin = time.monotonic()
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)
    if done.returncode not in allowed:
        sys.exit(f"install: {command} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return time.monotonic() - begin, done.stdout


def measure(name, wheel, work, command, finding):
    environment = work / name
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    installed, _ = timed([environment / "bin" / "pip", "install", "-q", "--no-index", "--no-deps",
                          "--disable-pip-version-check", wheel])
    found, told = timed([environment / "bin" / command[0], *command[1:]], allowed=(0, 1),
                        env={"HOME": str(work / name), "PATH": "/usr/bin:/bin"})
    if finding not in told:
        sys.exit(f"install: {name} found nothing:\n{told}")
    size = pathlib.Path(wheel).stat().st_size / 1e6
    print(f"{name:12} {size:8.1f} {installed:10.1f} {found:14.1f} {installed + found:8.1f}",
          flush=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    own = sorted((build / "dist").glob("xfercheck-*.whl"))
    if not own:
        sys.exit("install: there is no wheel; make it: ./dev wheel")
    with tempfile.TemporaryDirectory(prefix="xfer-bench-") as folder:
        work = pathlib.Path(folder)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps",
                        "--disable-pip-version-check", "-d", work, "clang-tidy"], check=True)
        other = next(work.glob("clang_tidy-*.whl"))
        print(f"{'wheel':12} {'MB':>8} {'install s':>10} {'first file s':>14} {'sum s':>8}")
        measure("xfercheck", own[0], work, ["xferlint", str(SOURCE), "--", *FLAGS],
                "[discarded-transfer]")
        measure("clang-tidy", other, work,
                ["clang-tidy", f"--checks=-*,{OTHER_CHECK}", str(SOURCE), "--", *FLAGS],
                f"[{OTHER_CHECK}]")


if __name__ == "__main__":
    main()
