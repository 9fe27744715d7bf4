"""The version: that of the installed package, or in the source tree what CMakeLists.txt says."""

from __future__ import annotations

import pathlib
import re


def version() -> str:
    from importlib import metadata
    cmake = pathlib.Path(__file__).resolve().parents[3] / "CMakeLists.txt"
    try:
        found = re.search(r"^project\(xfercheck VERSION ([0-9.]+)", cmake.read_text(), flags=re.M)
        if found:
            return found[1]
    except OSError:  # installed
        pass
    try:
        return metadata.version("xfercheck")
    except metadata.PackageNotFoundError:
        return "unknown"
