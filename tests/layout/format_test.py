"""Every C++ file is as clang-format 22 writes it. clang-format-22 -i FILE mends one."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import unittest

import repository

VERSION = 22
# Rows of macros (.def, .inc) are tables, set by hand.
FORMATTED = {".h", ".hpp", ".c", ".cc", ".cu", ".cuh"}
FAULT = re.compile(r"^(.+?:\d+):\d+: error: code should be clang-formatted", re.M)


def clang_format():
    """The program, or None: another version writes some lines otherwise."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if program := shutil.which(name):
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if f"version {VERSION}." in said:
                return program
    return None


def unformatted(program, paths):
    """Where `paths` are otherwise, as FILE:LINE."""
    done = subprocess.run([program, "--dry-run", "-Werror", *paths], cwd=repository.ROOT,
                          capture_output=True, text=True, errors="replace")
    if done.returncode and not FAULT.search(done.stderr):
        raise RuntimeError(f"{program} failed: {done.stderr}")
    return FAULT.findall(done.stderr)


class Format(unittest.TestCase):
    maxDiff = None  # a failure lists all

    def test_format(self):
        program = clang_format()
        if program is None:
            self.skipTest(f"clang-format {VERSION} is not installed (Debian: "
                          f"clang-format-{VERSION})")
        paths = [str(path) for path in repository.files() if path.suffix in FORMATTED]
        self.assertTrue(paths)
        workers = len(os.sched_getaffinity(0))
        parts = [paths[start::4 * workers] for start in range(4 * workers)]
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            found = pool.map(lambda part: unformatted(program, part) if part else [], parts)
        wrong = sorted({place for places in found for place in places})
        self.assertEqual([], wrong, "clang-format-22 -i mends them")


if __name__ == "__main__":
    unittest.main()
