"""The version is in CMakeLists.txt, and the changelog tells of it. Everything else asks CMake."""

import re
import unittest

import repository

MAY_HAVE_IT = {"CMakeLists.txt", "CHANGELOG.md"}
VERSION = re.search(r"^project\(xfercheck VERSION (\S+)", repository.text_of("CMakeLists.txt"),
                    flags=re.M)[1]


class Version(unittest.TestCase):
    def test_has_three_numbers(self):
        self.assertRegex(VERSION, r"^\d+\.\d+\.\d+$")

    def test_stands_nowhere_else(self):
        written = re.compile(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.]*\d)")
        wrong = [f"{path}:{number}: {line.strip()[:80]}" for path in repository.files()
                 if path.as_posix() not in MAY_HAVE_IT and written.search(repository.text_of(path))
                 for number, line in enumerate(repository.text_of(path).splitlines(), 1)
                 if written.search(line)]
        self.assertEqual([], wrong)

    def test_is_the_newest_in_the_changelog(self):
        newest = re.search(r"^## (\d\S*)", repository.text_of("CHANGELOG.md"), flags=re.M)[1]
        self.assertEqual(VERSION, newest)


if __name__ == "__main__":
    unittest.main()
