"""python3 -m xfercheck: where the files for C++ projects are."""

from __future__ import annotations

import argparse

from ._programs import PREFIX
from ._version import version

FILES = {"includedir": (PREFIX / "include", "the folder of xfer/annotate.h and xfer/assert.h"),
         "cmakedir": (PREFIX / "lib" / "cmake" / "xfercheck", "for CMake: -Dxfercheck_DIR=..."),
         "tracer": (PREFIX / "lib" / "libxfertrace.so", "the library to preload by hand")}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m xfercheck", description=__doc__)
    parser.add_argument("--version", action="version", version=f"xfercheck {version()}")
    choices = parser.add_mutually_exclusive_group(required=True)
    for name, (path, purpose) in FILES.items():
        choices.add_argument(f"--{name}", dest="path", action="store_const", const=path,
                             help=purpose)
    path = parser.parse_args().path
    if not path.exists():
        parser.exit(1, f"xfercheck: there is no {path}: only the wheel brings it (pip install "
                       "xfercheck)\n")
    print(path)


if __name__ == "__main__":
    main()
