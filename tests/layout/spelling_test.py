"""No usual slip of spelling in any text. `codespell FILE` shows them; .codespellrc lists what is
meant so."""

import shutil
import subprocess
import unittest

import repository

# Other people's lines, as they wrote them.
QUOTED = {".json", ".xft"}


class Spelling(unittest.TestCase):
    maxDiff = None

    def test_no_usual_slips(self):
        program = shutil.which("codespell")
        if program is None:
            self.skipTest("codespell is not installed (Debian: codespell)")
        paths = [str(path) for path in repository.files() if path.suffix not in QUOTED]
        # 2: no warnings about binary files. Names of files are read as well.
        done = subprocess.run([program, "-q", "2", "-f", *paths], cwd=repository.ROOT,
                              capture_output=True, text=True, errors="replace")
        self.assertEqual("", done.stderr)
        self.assertEqual([], done.stdout.splitlines())


if __name__ == "__main__":
    unittest.main()
