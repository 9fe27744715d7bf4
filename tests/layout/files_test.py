"""Checks where files lie, and how they look."""

import re
import unittest

import repository

TOP_FOLDERS = {"rules", "analyzer", "runtime", "cupti_tracer", "tensorlib", "tests"}
TOP_FILES = {"CMakeLists.txt", "README.md", "CMakePresets.json", "dev", "LICENSE",
             "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "pyproject.toml"}

MOST_LINES = 1000
LONGEST_LINE = 100
# Data, foreign texts, and pages, whose lines have a test of their own.
ANY_LENGTH = {".json", ".xft", ".expected", ".png", ".md", ".table"}
# A test's mark for a line stands at the end of that line, however long that makes it.
MARKER = re.compile(r"\s*// (?:LINT|NOTE|TRACE|NAMED|RUN-ERROR|OUTPUT)\b.*")
MARKED = ("tests/cases/", "tests/unit/analyzer/")
TEXT = {".h", ".cc", ".cu", ".cuh", ".inc", ".def", ".py", ".cmake", ".txt", ".md", ".yaml",
        ".css", ".js", ".json", ".sh", ""}

# Put together here so that this file does not hold them.
FOREIGN_WORDS = re.compile("|".join([
    "/" + "work/", "/" + "root/", "/" + "farm/", r"\bTO" + r"DO\b", r"\bFIX" + r"ME\b",
]))


class Files(unittest.TestCase):
    maxDiff = None  # a failure lists all

    def test_top_level(self):
        known = {path: TOP_FOLDERS if len(path.parts) > 1 else TOP_FILES
                 for path in repository.files() if not path.parts[0].startswith(".")}
        wrong = sorted({path.parts[0] for path in known if path.parts[0] not in known[path]})
        self.assertEqual([], wrong)

    def test_every_folder_is_there(self):
        self.assertEqual(TOP_FOLDERS, TOP_FOLDERS & {path.parts[0] for path in repository.files()})

    def test_size(self):
        wrong = []
        for path in repository.files():
            if path.suffix in TEXT and path.name != "LICENSE":
                lines = repository.text_of(path).count("\n")
                if lines > MOST_LINES:
                    wrong.append(f"{path} has {lines} lines")
        self.assertEqual([], wrong)

    def test_line_length(self):
        wrong = []
        for path in repository.files():
            if path.suffix in ANY_LENGTH or path.name == "LICENSE":
                continue
            for number, line in enumerate(repository.text_of(path).split("\n"), 1):
                if len(line) > LONGEST_LINE and str(path).startswith(MARKED):
                    line = MARKER.sub("", line)
                if len(line) > LONGEST_LINE:
                    wrong.append(f"{path}:{number}: {len(line)} columns")
        self.assertEqual([], wrong, f"at most {LONGEST_LINE} columns")

    def test_words(self):
        wrong = []
        for path in repository.files():
            if path.suffix not in TEXT:
                continue
            for number, line in enumerate(repository.text_of(path).splitlines(), 1):
                if found := FOREIGN_WORDS.search(line):
                    wrong.append(f"{path}:{number}: {found.group()}")
        self.assertEqual([], wrong)

    def test_names(self):
        """Sources are snake_case; seed cases begin with their number, which is snake_case too.
        LibTorch's own headers have LibTorch's names."""
        wrong = [str(path) for path in repository.code_files() if "compat" not in path.parts
                 and not re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", path.stem)]
        self.assertEqual([], wrong)

    def test_headers_are_guarded(self):
        guard = re.compile(r"^#pragma once$|^#ifndef (\w+)\n#define \1$", re.M)
        wrong = [str(path) for path in repository.code_files()
                 if path.suffix in {".h", ".cuh"} and not guard.search(repository.text_of(path))]
        self.assertEqual([], wrong)

    def test_lines_end_clean(self):
        wrong = []
        for path in repository.code_files():
            text = repository.text_of(path)
            if text and not text.endswith("\n"):
                wrong.append(f"{path}: no line end at its end")
            wrong += [f"{path}:{number}: white space at the end" for number, line
                      in enumerate(text.split("\n"), 1) if line != line.rstrip()]
        self.assertEqual([], wrong)


if __name__ == "__main__":
    unittest.main()
