"""tests/corpus/kernels_run.py on a collection of programs that end in each way there is."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BODIES = {
    "passes": 'puts("max error: 0.0, 0 errors\\nResult = PASS");',
    "says nothing": 'puts("Device 0");',
    "fails its check": 'puts("Absolute error: 3.1\\nTest failed!");',
    "exits non-zero": "return 3;",
    "needs data": 'puts("error: file <image.pgm> not found"); return 1;',
    "waives": 'puts("Waiving the test"); return 2;',
    "signal": "std::abort();",
    "too long": "for (;;) pause();",
}
OF_SAMPLES = {"says_nothing": "passes"}  # NVIDIA's own runner goes by the exit code


def write_collection(root):
    folder = root / "Samples" / "0_Introduction" / "ends"
    folder.mkdir(parents=True)
    build = ["include_directories(.)  # add_executable(not_this not_this.cpp)"]
    for kind, body in BODIES.items():
        name = kind.replace(" ", "_").replace("-", "_")
        (folder / f"{name}.cpp").write_text(
            "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n"
            f"int main() {{ {body} }}\n")
        build.append(f"add_executable({name} {name}.cpp)")
    (folder / "missing.cpp").write_text("#include <no_such/library.h>\nint main() {}\n")
    (folder / "graphics.cpp").write_text("#include <helper_gl.h>\nint main() {}\n")
    build += ["add_executable(missing missing.cpp)", "add_executable(graphics graphics.cpp)"]
    (folder / "CMakeLists.txt").write_text("\n".join(build))


class KernelsRun(unittest.TestCase):
    def test_names_how_each_program_ended_and_builds_it_once(self):
        with tempfile.TemporaryDirectory() as base:
            base = pathlib.Path(base)
            write_collection(base / "checkout")
            before = sorted((base / "checkout").rglob("*"))
            first = self.run_tool(base)
            kinds = {row["name"]: row["kind"] for row in first["programs"]}
            wanted = {kind.replace(" ", "_").replace("-", "_"): kind for kind in BODIES}
            wanted.update(OF_SAMPLES, missing="needs no_such/library.h", graphics="needs graphics")
            self.assertEqual(wanted, kinds)
            self.assertEqual(2, first["totals"]["cuda-samples"]["passes"])
            self.assertEqual(before, sorted((base / "checkout").rglob("*")))

            built = list((base / "work").rglob("program"))
            times = [path.stat().st_mtime_ns for path in built]
            self.run_tool(base)
            self.assertEqual(times, [path.stat().st_mtime_ns for path in built])

    def run_tool(self, base):
        subprocess.run([sys.executable, "-B", ROOT / "tests" / "corpus" / "kernels_run.py",
                        "--path", base / "checkout", "--work", base / "work", "--emulator",
                        emulator, "--time", "2", "--json", base / "found.json", "-j", "2"],
                       check=True, stdout=subprocess.DEVNULL)
        return json.loads((base / "found.json").read_text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("emulator", type=pathlib.Path)
    arguments, rest = parser.parse_known_args()
    emulator = arguments.emulator
    unittest.main(argv=[sys.argv[0], *rest])
