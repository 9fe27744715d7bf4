"""The commands that write the pages of figures: one benchmark's section changes and no other, and a
run that measured nothing changes none."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import repository

sys.path.insert(0, str(repository.ROOT / "tests" / "bench"))
import results  # noqa: E402


class Bench(unittest.TestCase):
    def setUp(self):
        self.old_page = results.PAGE
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        results.PAGE = pathlib.Path(folder.name) / "RESULTS.md"
        results.PAGE.write_text(self.old_page.read_text())
        self.output = pathlib.Path(folder.name) / "output"

    def tearDown(self):
        results.PAGE = self.old_page

    def write(self, output):
        self.output.write_text(output)
        return results.main(["lint", str(self.output), "a machine; no GPU"])

    def test_one_section_changes(self):
        before = results.PAGE.read_text()
        self.assertEqual(0, self.write("cold 1.0 s  \nwarm 0.1 s\n"))
        after = results.PAGE.read_text()
        self.assertIn("a machine; no GPU.\n\n```text\ncold 1.0 s\nwarm 0.1 s\n```", after)
        for name in results.SECTIONS:
            same = results.kept(before, name) == results.kept(after, name)
            self.assertEqual(name != "lint", same, name)

    def test_what_was_not_measured_is_not_written(self):
        before = results.PAGE.read_text()
        for output in ("", "lint: not measured, missing: clang-tidy-22\n"):
            self.assertEqual(1, self.write(output))
        self.assertEqual(before, results.PAGE.read_text())

    def test_each_benchmark_has_a_section(self):
        scripts = {path.stem for path in (repository.ROOT / "tests" / "bench").glob("*.sh")}
        self.assertEqual(scripts, set(results.SECTIONS))


class Corpus(unittest.TestCase):
    def test_a_folder_that_is_not_there(self):
        script = repository.ROOT / "tests" / "corpus" / "results.py"
        done = subprocess.run([sys.executable, "-B", script, "--projects", "/nonexistent"],
                              capture_output=True, text=True)
        self.assertEqual(2, done.returncode)
        self.assertEqual("results.py: /nonexistent: no such folder\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
