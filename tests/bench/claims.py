"""Copies of the wasteful seed cases beside those of their right twins: counts and bytes, on an
emulated device.

usage: tests/bench/claims.py BUILD_DIR

Where XFER_TEST_DEVICE is "gpu", on the machine's GPU, and with the time that the copies took there.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# The waste, the case that has it, and its twin.
CLAIMS = [
    ("operands copied unasked, 5 images", "s02_implicit_loop", "s02_moved_right"),
    ("to the device and back, 5 batches", "s14_ping_pong", "s14_ping_pong_right"),
    ("the same weights on each of 10 steps", "s19_weights_in_loop", "s19_weights_in_loop_right"),
    ("float64 moved, then narrowed", "s10_narrowed_after", "s10_narrow_side_right"),
    ("a result of to() thrown away", "s13_statement", "s13_statement_right"),
]
EMULATED = os.environ.get("XFER_TEST_DEVICE") != "gpu"


def traced(build, case):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        emulate = ["--emulate"] if EMULATED else []
        subprocess.run([build / "bin/xfertrace", *emulate, "--format", "json", "-o", report,
                        build / f"bin/case_{case}"], check=True, stdout=subprocess.DEVNULL)
        return json.loads(report.read_text())


def moved(report):
    """Copies, bytes and, where it means something, the microseconds that they took on the
    device."""
    copies = report["stats"]["copies"].values()
    count, size, took = (sum(each[key] for each in copies)
                         for key in ("count", "bytes", "device_ns"))
    return f"{count:7} {size:8}" + ("" if EMULATED else f" {took / 1000:9.1f}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    head = f"{'copies':>7} {'bytes':>8}" + ("" if EMULATED else f" {'us':>9}")
    print(f"{'':38} {head}   right: {head}   found")
    for text, case, twin in CLAIMS:
        report, right = traced(build, case), traced(build, twin)
        found = [f"{each['rule']} x{each['cost']['count']}" for each in report["findings"]]
        extra = [each["rule"] for each in right["findings"]]
        print(f"{text:38} {moved(report)}          {moved(right)}   {', '.join(found)}"
              + (f" (right: {', '.join(extra)})" if extra else ""))


if __name__ == "__main__":
    main()
