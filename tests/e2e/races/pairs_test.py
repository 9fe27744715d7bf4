"""Each two operations that nothing orders, on the same bytes and side by side (pairs.cu): they race
where they share bytes and one of them writes, and are silent else.

    pairs_test.py XFERTRACE RACE_PAIRS [EVERY]   each pair, or one of EVERY
"""

import concurrent.futures
import itertools
import json
import subprocess
import sys

WRITES = {"kernel-writes", "kernel-adds", "fill", "upload", "copy-to", "box-to", "host-writes"}
READS = {"kernel-reads", "download", "copy-from", "box-from", "host-reads"}
ON_HOST = {"host-reads", "host-writes"}
RACES = {"async-source-reuse", "read-before-sync"}


def is_possible(memory, first, second):
    if first in ON_HOST or (memory == "device" and second in ON_HOST):
        return False
    # A copy within host memory waits.
    return memory != "pinned" or not {first, second} & {"upload", "download"}


def is_left_alone(first, second):
    """Kernels that both write may do so by atomic operations, or write the same."""
    return {first, second} <= {"kernel-writes", "kernel-adds"}


def races(xfertrace, program, arguments):
    run = subprocess.run([xfertrace, "--emulate", "--format", "json", "-o", "-", "--", program,
                          *arguments], capture_output=True, text=True, check=False, timeout=120)
    if run.returncode != 0:
        return f"exit code {run.returncode}: {run.stderr[-500:]}"
    report = run.stdout[run.stdout.index("{"):]
    return bool(RACES & {finding["rule"] for finding in json.loads(report)["findings"]})


def main():
    xfertrace, program = sys.argv[1:3]
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    operations = sorted(WRITES | READS)
    pairs = [pair for pair in itertools.product(
        ("device", "managed", "pinned"), operations, operations, ("together", "apart"),
        ("stream", "graph")) if is_possible(*pair[:3])][::every]
    wrong = 0

    def judge(pair):
        _, first, second, where, _ = pair
        race = where == "together" and bool({first, second} & WRITES)
        found = races(xfertrace, program, pair)
        return race and not is_left_alone(first, second), found

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for pair, (race, found) in zip(pairs, pool.map(judge, pairs)):
            if found != race:
                wrong += 1
                print(f"{' '.join(pair)}: {found}, should be {race}")
    print(f"{len(pairs) - wrong} of {len(pairs)} as they should be")
    return 1 if wrong or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
