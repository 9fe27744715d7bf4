"""./dev gpu's command line: each wrong one is one line that says what there is; programs.py gathers
what its list names."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
STAGES = {file.stem for file in (HERE / "stages").glob("*.sh")}


def run(*words, **environment):
    return subprocess.run([HERE / "run", *words], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


class Command(unittest.TestCase):
    def refused(self, done, *texts):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("gpu: "), done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_an_unknown_stage_is_told_all_that_there_are(self):
        done = run("--dry-run", "benhc")
        self.refused(done, "no stage 'benhc'")
        listed = done.stderr.partition("there are: ")[2].split()
        self.assertEqual(set(listed), STAGES)

    def test_an_unknown_option(self):
        self.refused(run("--dryrun"), "--dryrun", "--dry-run", "--pack")
        self.refused(run("--pack", "--program", "x"), "--programs DIR")

    @unittest.skipIf(shutil.which("nvidia-smi"), "there may be a GPU")
    def test_without_a_gpu_it_says_what_goes_without(self):
        with tempfile.TemporaryDirectory() as out:
            self.refused(run("build", OUT=out), "no GPU", "--dry-run")

    def test_each_stage_says_what_it_shows_and_has_a_result(self):
        for name in STAGES:
            text = (HERE / "stages" / f"{name}.sh").read_text()
            self.assertRegex(text, r"\A# \w", name)
            self.assertRegex(text, r"\"= |summary\.py|programs\.py|printf \"= ", name)


class Programs(unittest.TestCase):
    def test_gathers_the_sources_and_what_their_options_name(self):
        with tempfile.TemporaryDirectory() as folder:
            checkout = pathlib.Path(folder) / "PolyBench"
            source = checkout / "CUDA/linear-algebra/kernels/2mm/2mm.cu"
            header = checkout / "CUDA/utilities/polybench.h"
            for file in source, header, checkout / "CUDA/unrelated/big.cu":
                file.parent.mkdir(parents=True)
                file.write_text("// " + file.name)
            done = subprocess.run([HERE / "programs.py", "gather", f"{folder}/dest", checkout],
                                  text=True, capture_output=True, check=True)
            self.assertRegex(done.stdout, r"gpu: 1 of \d+ programs found")
            gathered = {str(file.relative_to(f"{folder}/dest"))
                        for file in pathlib.Path(folder, "dest").rglob("*.*") if file.is_file()}
            self.assertEqual(gathered, {"PolyBench/CUDA/linear-algebra/kernels/2mm/2mm.cu",
                                        "PolyBench/CUDA/utilities/polybench.h"})

    def test_every_line_of_the_list_has_four_parts(self):
        for line in (HERE / "programs.txt").read_text().replace("\\\n", " ").splitlines():
            if not line.startswith("#"):
                self.assertRegex(line, re.compile(r"^[\w-]+ *\|[^|]+\|[^|]*\|[^|]*$"))


if __name__ == "__main__":
    unittest.main()
