#!/usr/bin/env python3
"""Precision of `xfertrace report` on traces that real GPUs gave: a person judged each finding.

    profiles.py XFERTRACE CHECKOUT...

A checkout holds traces of torch.profiler or databases of nsys export, anywhere below it. Judged
were facebookresearch/HolisticTraceAnalysis, pytorch/kineto before August 2026 (tb_plugin/samples),
AMD-AGI/TraceLens, and a hundred traces of some 90 other projects, most of which keep them in their
history alone: these are named OWNER+REPOSITORY-FILE. Prints each finding with its verdict and the
reason, from profiles.json. Exit code 1: a finding has no verdict.
"""

import json
import pathlib
import subprocess
import sys

VERDICTS = pathlib.Path(__file__).with_suffix(".json")


def verdicts():
    return {(row["trace"], row["rule"], row["place"]): (row["verdict"], row["reason"])
            for row in json.loads(VERDICTS.read_text())}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    known = verdicts()
    read = refused = unjudged = 0
    counts = {"right": 0, "wrong": 0}
    for trace in sorted(file for checkout in sys.argv[2:]
                        for file in pathlib.Path(checkout).rglob("*")
                        if file.name.endswith((".json", ".json.gz", ".sqlite"))):
        done = subprocess.run([sys.argv[1], "report", "--format", "json", str(trace)],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            refused += 1
            continue
        read += 1
        for finding in json.loads(done.stdout)["findings"]:
            key = (trace.name, finding["rule"], finding["location"]["function"])
            verdict, reason = known.get(key, ("not judged", ""))
            unjudged += verdict == "not judged"
            if verdict in counts:
                counts[verdict] += 1
            print(f"{trace.name}\t{key[1]}\t{key[2]}\t{verdict}\t{reason}\n"
                  f"    {finding['message']}")
    judged = sum(counts.values())
    share = f", precision {counts['right'] / judged:.2f}" if judged else ""
    print(f"{read} traces read, {refused} refused; {judged} findings judged, "
          f"{counts['right']} right{share}; {unjudged} not judged")
    sys.exit(unjudged != 0)


if __name__ == "__main__":
    main()
