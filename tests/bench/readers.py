#!/usr/bin/env python3
"""Time and memory of `xfertrace report` over large traces of other profilers.

usage: readers.py BUILD_DIR [MEGABYTES]

The traces are made here, in the formats of torch.profiler and of nsys export, with the events of a
training run: a third operators, a third arrows, and calls with their kernels and copies. Beside
them `gzip -dc | wc -c` of the same file, and a scan of all rows by Python's sqlite3.
"""

import gzip
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

STEP = """  {{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 7, "tid": 7,
    "ts": {t}.125, "dur": 90.5, "args": {{"External id": {n}, "Ev Idx": {n},
      "Input Dims": [[64, 1024], [1024, 1024], []]}}}},
  {{"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 7, "tid": 7,
    "ts": {t}.375, "dur": 70.25, "args": {{"External id": {n}, "Ev Idx": {n},
      "Input Dims": [[1024], [64, 1024], [1024, 1024], [], []]}}}},
  {{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 7,
    "ts": {t}.875, "dur": 6.5, "args": {{"External id": {n}, "cbid": 211, "correlation": {n}}}}},
  {{"ph": "s", "id": {n}, "pid": 7, "tid": 7, "ts": {t}.875, "cat": "ac2g", "name": "ac2g"}},
  {{"ph": "X", "cat": "kernel", "name": "ampere_sgemm_128x64_tn", "pid": 0, "tid": 7,
    "ts": {k}.125, "dur": 40.5, "args": {{"External id": {n}, "queued": 0, "device": 0,
      "context": 1, "stream": 7, "correlation": {n}, "registers per thread": 122,
      "shared memory": 12544, "blocks per SM": 5.925926, "grid": [8, 16, 5], "block": [128, 1, 1],
      "est. achieved occupancy %": 25}}}},
  {{"ph": "f", "id": {n}, "pid": 0, "tid": 7, "ts": {k}.125, "cat": "ac2g", "name": "ac2g",
    "bp": "e"}},
"""
COPY = """  {{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 7, "tid": 7,
    "ts": {t}.5, "dur": 20, "args": {{"cbid": 41, "correlation": {m}}}}},
  {{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7,
    "ts": {k}.5, "dur": 12, "args": {{"device": 0, "context": 1, "stream": 7, "correlation": {m},
      "bytes": 262144}}}},
"""


def write_kineto(file, size):
    written = n = 0
    with file.open("w") as out:
        out.write('{"schemaVersion": 1, "traceEvents": [\n')
        while written < size:
            n += 1
            values = {"n": n, "m": 1 << 28 | n, "t": 1_700_000_000_000_000 + 100 * n,
                      "k": 1_700_000_000_000_030 + 100 * n}
            text = STEP.format(**values) + (COPY.format(**values) if n % 10 == 0 else "")
            written += out.write(text)
        out.write('  {"ph": "M", "name": "process_name", "pid": 7}\n]}\n')


def write_nsys(file, rows):
    table = sqlite3.connect(file)
    table.executescript("""
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
        INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'ampere_sgemm_128x64_tn');
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER,
          globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER,
          callchainId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
          contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
          demangledName INTEGER, shortName INTEGER, gridX INTEGER, gridY INTEGER,
          gridZ INTEGER);""")
    table.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES "
                      "(?, ?, 0, 16777223, ?, 1, 0, 0)",
                      ((n * 10000, n * 10000 + 6000, n) for n in range(1, rows + 1)))
    table.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
                      "(?, ?, 0, 1, 7, ?, 16777216, 2, 2, 8, 16, 5)",
                      ((n * 10000 + 7000, n * 10000 + 9000, n) for n in range(1, rows + 1)))
    table.commit()


def seconds(command):
    start = time.monotonic()
    subprocess.run(command, shell=isinstance(command, str), check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def memory_mib(command):
    before = subprocess.run([sys.executable, "-c", "import resource, subprocess, sys; "
                             "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
                             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
                             *command], capture_output=True, text=True, check=True)
    return int(before.stdout) / 1024


def scan(file):
    start = time.monotonic()
    table = sqlite3.connect(file)
    for name in ("RUNTIME", "KERNEL"):
        for _ in table.execute(f"SELECT * FROM CUPTI_ACTIVITY_KIND_{name}"):
            pass
    return time.monotonic() - start


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    size = int(sys.argv[2] if len(sys.argv) > 2 else 1000) * 1_000_000
    report = [str(build / "bin" / "xfertrace"), "report"]
    with tempfile.TemporaryDirectory(prefix="xfer-bench-") as name:
        folder = pathlib.Path(name)
        plain, packed = folder / "trace.json", folder / "trace.json.gz"
        write_kineto(plain, size)
        with plain.open("rb") as source, gzip.open(packed, "wb", compresslevel=6) as out:
            shutil.copyfileobj(source, out)
        rows = size // 250
        write_nsys(folder / "profile.sqlite", rows)
        base = min(seconds(f"gzip -dc {packed} | wc -c") for _ in range(3))
        print(f"{'':46}{'s':>8}{'ratio':>8}{'MiB':>8}")
        for label, file in ((f"report, {size / 1e9:.1f} GB of JSON, gzip", packed),
                            ("report, the same, plain", plain)):
            took = min(seconds([*report, str(file)]) for _ in range(3))
            print(f"{label:46}{took:8.2f}{took / base:8.2f}{memory_mib([*report, str(file)]):8.0f}")
        print(f"{'gzip -dc | wc -c':46}{base:8.2f}{1:8.2f}")
        database = folder / "profile.sqlite"
        base = min(scan(database) for _ in range(3))
        took = min(seconds([*report, str(database)]) for _ in range(3))
        label = f"report, SQLite, {2 * rows / 1e6:.0f} million rows"
        print(f"{label:46}{took:8.2f}{took / base:8.2f}"
              f"{memory_mib([*report, str(database)]):8.0f}")
        label = "all rows by Python's sqlite3"
        print(f"{label:46}{base:8.2f}{1:8.2f}")


if __name__ == "__main__":
    main()
