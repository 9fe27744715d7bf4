"""All but the version is in pyproject.toml."""

import pathlib
import re

import setuptools

HERE = pathlib.Path(__file__).resolve().parent


def version() -> str:
    """The project's: CMakeLists.txt has it, and in a source distribution PKG-INFO."""
    project = HERE.parents[1] / "CMakeLists.txt"
    for file, pattern in ((project, r"^project\(xfercheck VERSION (\S+)"),
                          (HERE / "PKG-INFO", r"^Version: (\S+)")):
        if file.exists() and (found := re.search(pattern, file.read_text("utf-8"), flags=re.M)):
            return found[1]
    raise RuntimeError("xfercheck: no version; build in the project's tree, or from its source "
                       "distribution")


setuptools.setup(version=version())
