"""The repository's files, as the layout tests see them."""

import functools
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = {".h", ".cc", ".cu", ".cuh", ".inc", ".def"}


@functools.cache
def files():
    """Paths relative to the root: what git tracks, or without git what is there and not built."""
    try:
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True,
                                capture_output=True, text=True).stdout.split("\0")
        paths = [pathlib.Path(name) for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path.relative_to(ROOT) for path in ROOT.rglob("*") if ".git" not in path.parts]
        paths = [path for path in paths if not path.parts[0].startswith("build")]
    return sorted(path for path in paths if (ROOT / path).is_file())


@functools.cache
def file_set():
    return frozenset(files())


def code_files():
    return [path for path in files() if path.suffix in CODE]


def text_of(path):
    return (ROOT / path).read_text(errors="replace")
