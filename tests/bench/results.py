#!/usr/bin/env python3
"""Keeps RESULTS.md: a section for each benchmark, with the day and the machine of its run.

    results.py BENCH FILE MACHINE  puts what the benchmark printed into its section
    results.py --check             exit code 1 where the text around the figures is stale
    results.py                     writes that text again; the figures stay

`./dev bench --write [BENCH...]` runs benchmarks and calls this for each.
"""

import datetime
import pathlib
import re
import sys
import textwrap

PAGE = pathlib.Path(__file__).resolve().parent / "RESULTS.md"
HEAD = """# Measurements

`./dev bench --write [BENCH...]` runs the benchmarks and writes this page; it replaces the sections
of the benchmarks that it ran and keeps the others. Each section says when and where it was
measured. Each figure stands beside its competitor's from the same run. On a busy machine they mean
little: the load at the start is part of the machine's line.

None of these figures is from a GPU. `./dev gpu` measures there; see [tests](../README.md).
"""
# Each benchmark's title, the programs that it compares, and its target figures (bars).
SECTIONS = {
    "lint": ("Lint one LibTorch file", """
`xferlint` beside clang-tidy-22 with one check, on a small program that includes
`<torch/torch.h>`. Bars: a cold run takes at most 0.40 of clang-tidy's time, the next file of the
project at most 0.05, and the analysis itself at most 5 % of a plain parse."""),
    "ci": ("Lint a project in CI", """
A generated project over the CUDA runtime. A file includes `<cuda_runtime.h>` and six headers of
the standard library, has two functions with copies, and calls another file. The target of
`xfercheck_lint()`, by ninja, beside run-clang-tidy-22 with one check; both on all cores. clang-tidy
keeps nothing between runs. Cold, the cache of precompiled headers is empty too. `./dev bench ci`
takes 50 files; `tests/bench/ci.py build 1000` takes as many as its second argument says."""),
    "tracer": ("What the tracer adds to each call", """
One program without and with `libxfertrace.so`, in turn, on an emulated device; processor time of
the calling thread. Bar: 1 us for each launch or sync."""),
    "watch": ("Watch host memory beside copies in flight", """
Three loops that touch a counter on the page of a copy's source while the copy is in flight, on an
emulated device without the tracer and with it, which watches the source: nothing but touches, one
beside some 0.3 us of other work, one beside some 0.3 ms. Bar: 5 times for touches only."""),
    "engine": ("Write, hash, read and examine a trace", """
Bars: 8 GB/s of hashed content on one core, 64 bytes in the file for each event, and a report over
10 million events within 10 s and 1 GiB."""),
    "readers": ("Read other profilers' traces", """
`xfertrace report` over traces in the formats of torch.profiler and of nsys export, made for it.
Bars: a JSON of 1 GB within 3 times `gzip -dc | wc -c` and 1 GiB of memory."""),
    "kernels": ("Kernels on emulated devices", """
Kernels from their PTX on one core, warp by warp (`emulate_warps=always`) and thread by thread
(`never`), beside the same work in C++ at -O2 without other flags; in brackets the multiple of
its time. Bars: 2 for a tiled product of matrices, 3 for a reduction by shuffles, 1.5 for
vectorAdd."""),
    "tensorlib": ("tensorlib beside LibTorch", """
One source, compiled for each, run in turn; Debian's LibTorch 1.13. Bar: 1.0 times LibTorch's time
with the same number of threads."""),
    "torch": ("PyTorch on emulated devices", """
Calls whose work is nothing, and steps of training, on an emulated device under `xfertrace` and on
the CPU, in turn. Bars: 3 us more for a call, and 1.5 times the CPU's time for a step."""),
    "ledger": ("What tensorlib's transfer ledger costs", """
Adding single numbers with and without guards, budgets and stream checks, on an emulated
device."""),
    "claims": ("What wasteful programs move", """
The wasteful seed cases of `tests/cases/seed` beside their right twins, as the tracer counts them on
an emulated device. Counts and bytes are the same on every machine; times want a GPU.

The first twin copies as much, but says so in the program. The second's bytes include the model's
move. The fourth moves half the bytes for the same data, and an image besides; xferlint reports the
wasteful one (convert-side). In the fifth the device computes only when done right."""),
    "link": ("Link the facts of a program", """
`xferlint --merge` over the facts of a generated project, by how many functions it has. Bar: 100,000
functions in at most 4 GiB. No other tool of this kind has such a step to measure beside it."""),
    "install": ("From the install command to the first finding", """
This project's wheel (`./dev wheel`) and PyPI's clang-tidy, each put into a new virtual environment
with one check over the same LibTorch file. Bar: 60 s."""),
    "build": ("Build from nothing", """
Processor time without ccache: what `./dev demo` runs, and everything with its tests. Bars: 6 and 25
minutes. The slowest steps, by the clock."""),
}


def begin(name):
    return f"<!-- {name}:begin -->"


def end(name):
    return f"<!-- {name}:end -->"


def kept(text, name):
    """The text between a section's markers."""
    found = re.search(rf"{begin(name)}\n(.*?){end(name)}", text, flags=re.S)
    return found[1] if found else "\nNot measured yet.\n\n"


def page(text, fresh):
    """The whole page: `text` is what it was, `fresh` the sections that were measured now."""
    parts = [HEAD]
    for name, (title, about) in SECTIONS.items():
        body = fresh.get(name, kept(text, name))
        parts.append(f"## {title}\n{about}\n\n`./dev bench {name}`\n\n"
                     f"{begin(name)}\n{body}{end(name)}\n")
    return "\n".join(parts)


def measured(output, machine):
    day = datetime.date.today().isoformat()
    where = textwrap.fill(f"Measured {day}: {machine}.", 100, break_on_hyphens=False)
    lines = "\n".join(line.rstrip() for line in output.rstrip().splitlines())
    return f"\n{where}\n\n```text\n{lines}\n```\n\n"


def main(arguments):
    old = PAGE.read_text() if PAGE.exists() else ""
    fresh = {}
    if len(arguments) == 3 and arguments[0] in SECTIONS:
        name, file, machine = arguments
        output = pathlib.Path(file).read_text()
        if not output.strip() or "not measured" in output:
            print(f"results.py: {name} measured nothing, so its section stays as it was",
                  file=sys.stderr)
            return 1
        fresh[name] = measured(output, machine)
    elif arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    new = page(old, fresh)
    if arguments == ["--check"]:
        if new != old:
            print(f"{PAGE.name}: its text is stale; run tests/bench/results.py", file=sys.stderr)
        return int(new != old)
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
