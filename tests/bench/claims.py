"""What the wasteful seed cases move over the bus, beside their right twins: counts and bytes, on an emulated device.

usage: tests/bench/claims.py BUILD_DIR
"""

import json
import pathlib
import subprocess
import sys
import tempfile

# What is done, the case that does it, and its twin.
CLAIMS = [
    ("operands copied unasked, 5 images", "s02_implicit_loop", "s02_moved_right"),
    ("to the device and back, 5 batches", "s14_ping_pong", "s14_ping_pong_right"),
    ("the same weights on each of 10 steps", "s19_weights_in_loop", "s19_weights_in_loop_right"),
    ("float64 moved, then narrowed", "s10_narrowed_after", "s10_narrow_side_right"),
    ("a result of to() thrown away", "s13_statement", "s13_statement_right"),
]


def traced(build, case):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([build / "bin/xfertrace", "--emulate", "--format", "json", "-o", report,
                        build / f"bin/case_{case}"], check=True, stdout=subprocess.DEVNULL)
        return json.loads(report.read_text())


def moved(report):
    copies = report["stats"]["copies"].values()
    return sum(each["count"] for each in copies), sum(each["bytes"] for each in copies)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    print(f"{'':38} {'copies':>7} {'bytes':>8}   {'right: copies':>13} {'bytes':>8}   found")
    for text, case, twin in CLAIMS:
        report, right = traced(build, case), traced(build, twin)
        found = [f"{each['rule']} x{each['cost']['count']}" for each in report["findings"]]
        extra = [each["rule"] for each in right["findings"]]
        print("{:38} {:7} {:8}   {:13} {:8}   {}".format(text, *moved(report), *moved(right), ", ".join(found))
              + (f" (right: {', '.join(extra)})" if extra else ""))


if __name__ == "__main__":
    main()
