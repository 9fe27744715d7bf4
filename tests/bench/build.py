"""Processor time of a build from nothing: what ./dev demo needs, and all of it; the slowest files.

usage: build.py BUILD_DIR
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLOWEST = 20
DEMO_BAR, WHOLE_BAR = 6, 25  # minutes


def run(*command):
    """Processor seconds of the command and all that it starts."""
    environment = dict(os.environ, CCACHE_DISABLE="1")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"build: {' '.join(command)} failed:\n{done.stdout[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def steps(folder):
    """(seconds on the clock, what was made), of each step of the build."""
    for line in (folder / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, made, _ = line.split("\t")
        yield (int(end) - int(start)) / 1000, made


def row(what, seconds, bar):
    minutes = seconds / 60
    verdict = "within" if minutes <= bar else "OVER"
    print(f"{what:48} {minutes:5.1f} min, {verdict} the bar of {bar} min")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve() / "bench" / "from_nothing"
    shutil.rmtree(folder, ignore_errors=True)
    configure = run("cmake", "--preset", "dev", "-B", str(folder), "-DXFER_TESTS=ON")
    demo = configure + run("cmake", "--build", str(folder), "--target", "xfer_demo")
    whole = demo + run("cmake", "--build", str(folder))
    row("configure and build what ./dev demo runs", demo, DEMO_BAR)
    row("configure and build everything, with its tests", whole, WHOLE_BAR)
    print("\nslowest steps, seconds by the clock")
    for seconds, made in sorted(steps(folder), reverse=True)[:SLOWEST]:
        print(f"{seconds:8.1f}  {made.replace('CMakeFiles/', '')}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
