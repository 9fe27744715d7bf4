"""operations.cc on tensorlib and on LibTorch: every operation x element type x layout, and what is
an error.

On tensorlib it runs on the CPU and on an emulated CUDA device. A line that differs fails, unless
DIFFERENCES says why it may. Where LibTorch has no code for a type (float16 on the CPU, mostly),
tensorlib is held to its own float64 instead.

usage: operations.py --out FOLDER --compiler C++ --include DIR --library SO [--emulate 0|1]
Exit status 77: skipped, and why is said.
"""

import argparse
import math
import os
import pathlib
import re
import subprocess
import sys

import programs

HERE = pathlib.Path(__file__).resolve().parent
# How far a result may be off, relative to max(1, |expected|); whole numbers not at all.
TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 4e-6, "float64": 1e-12}

# Where tensorlib does what LibTorch does not, by operation and types (regular expressions), and
# why.
DIFFERENCES = [
    ("sign|square", "bool", "arithmetic of truths is refused"),
    ("max dim", "bool", "places in truths are refused"),
    ("addcmul|clamp by tensors|median|trace", "bool", "truths count as numbers"),
    ("index_add|scatter of numbers", "bool", "sums of truths are refused"),
    ("edge", r"with\(torch::(max_pool1d|adaptive_avg_pool1d)",
     "a window that does not fit is refused"),
    ("all", "uint8", "bool, as of every other type"),
]


def lines_of(program, environment):
    variables = {**os.environ, **environment}
    if "XFERCHECK_EMULATE" not in environment:
        variables.pop("XFERCHECK_EMULATE", None)
    done = subprocess.run([program], capture_output=True, text=True, env=variables, timeout=900)
    if done.returncode != 0:
        raise AssertionError(f"{program} ended with {done.returncode}\n{done.stderr[-2000:]}")
    lines = {}
    for line in done.stdout.splitlines():
        name, what, result = line.split(" | ", 1)[0], *line.split(" | ", 1)[1].rsplit(" |", 1)
        lines[name, what] = result.split()
    return lines


def type_of(what):
    return what.split(",")[0]


def number(word):
    try:
        return float(word)
    except ValueError:
        return None


def off(actual, expected, same_type=True):
    """How far apart two results are, relative to max(1, |expected|); None where they are different
    things."""
    if len(actual) != len(expected):
        return None
    worst = 0.0
    for ours, theirs in zip(actual, expected):
        a, e = number(ours), number(theirs)
        if a is None or e is None:
            if ours != theirs and (same_type or ours[0] == "["):
                return None
        elif not (a == e or (math.isnan(a) and math.isnan(e))):
            worst = max(worst, abs(a - e) / max(1, abs(e)))
    return worst


# What LibTorch refuses on some processors only: 1.13 gives it to oneDNN where the processor has
# bfloat16, which takes the weight for that of a plain convolution.
REFUSED_ON_SOME = {("conv_transpose2d", "bfloat16")}


def compare(place, ours, theirs):
    assert ours.keys() == theirs.keys()
    problems, used, alone = [], {}, 0
    for key, actual in ours.items():
        name, what = key
        expected, same_type = theirs[key], True
        if any(re.fullmatch(operation, name) and re.match(types, what)
               for operation, types, _ in DIFFERENCES):
            continue
        if expected == ["error"] and (name, type_of(what)) in REFUSED_ON_SOME:
            expected = ["unsupported"]
        if expected == ["unsupported"]:
            alone += 1
            if actual in (["error"], ["unsupported"]):
                continue
            expected, same_type = ours[name, what.replace(type_of(what), "float64", 1)], False
        distance = off(actual, expected, same_type)
        allowed = TOLERANCE.get(type_of(what), TOLERANCE["float32"])
        if distance is None or distance > allowed:
            problems.append(f"{name} | {what}:\n  tensorlib {' '.join(actual)[:300]}\n"
                            f"  LibTorch  {' '.join(expected)[:300]}")
        elif distance:
            used[type_of(what)] = max(used.get(type_of(what), 0), distance / allowed)
    shares = ", ".join(f"{name} {share:.0%}" for name, share in sorted(used.items()))
    print(f"{place}: {len(ours)} lines, {alone} of them on types that LibTorch has no code for; "
          f"of the tolerance used: {shares}")
    assert not problems, f"{len(problems)} lines differ on {place}:\n" + "\n".join(problems[:40])


def main():
    arguments = programs.parse_arguments(argparse.ArgumentParser())
    source = HERE / "operations.cc"
    theirs = programs.build(arguments, source, "libtorch")
    if theirs is None:
        raise programs.Skip("LibTorch is not installed (Debian: libtorch-dev)")
    ours = programs.build(arguments, source, "tensorlib")
    expected = lines_of(theirs, {})
    compare("cpu", lines_of(ours, {}), expected)
    if arguments.emulate:
        compare("emulated cuda", lines_of(ours, {"XFERCHECK_EMULATE": "1"}), expected)


if __name__ == "__main__":
    try:
        main()
    except programs.Skip as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
