#!/usr/bin/env python3
"""Memory and time of xferlint's link step on a generated project, by how many functions it has.

Each unit has 100 functions in the shape of ordinary LibTorch code over the small header of the
engine's tests: modules, training steps, preparation of batches, and calls into other units.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MOCK = HERE.parent / "unit" / "analyzer" / "mock"
FUNCTIONS_PER_UNIT = 100
UNITS_PER_RUN = 100  # that one run parses

FUNCTIONS = """
struct Block{n} : torch::nn::Module {{
  Block{n}() : first(register_module("first", torch::nn::Linear(8, 16))),
               second(register_module("second", torch::nn::Linear(16, 8))) {{}}
  torch::Tensor forward(torch::Tensor input) {{
    torch::Tensor hidden = torch::relu(first->forward(input));
    hidden = hidden + torch::ones({{16}}, input.device());
    return torch::relu(second->forward(hidden));
  }}
  torch::nn::Linear first{{nullptr}}, second{{nullptr}};
}};

torch::Tensor normalise_{n}(torch::Tensor batch, torch::Tensor mean, torch::Tensor scale) {{
  torch::Tensor centred = batch + mean.to(batch.device());
  if (scale.size(0) > 1) {{
    centred = centred * scale.to(batch.device());
  }} else {{
    centred = centred * 2;
  }}
  return centred.view({{-1, 8}});
}}

torch::Tensor prepare_{n}(torch::Tensor batch, torch::Device device) {{
  torch::Tensor moved = batch.to(device);
  torch::Tensor mean = torch::zeros({{8}}, device);
  torch::Tensor scale = torch::ones({{8}}, device);
  for (int step = 0; step < 3; ++step) {{
    moved = normalise_{n}(moved, mean, scale);
    mean = mean + moved.mean();
  }}
  return normalise_{other}(moved, mean, scale);
}}

double step_{n}(Block{n}& block, torch::Tensor batch, torch::Tensor target, torch::Device device) {{
  block.to(device);
  torch::Tensor input = prepare_{n}(batch, device);
  torch::Tensor output = block.forward(input);
  torch::Tensor difference = output + target.to(device);
  torch::Tensor loss = (difference * difference).mean();
  double total = 0;
  for (int i = 0; i < 4; ++i) {{
    total += loss.item<double>();
    if (total > 100) break;
  }}
  return total + check_{other}(output, device);
}}

double check_{n}(torch::Tensor output, torch::Device device) {{
  torch::Tensor expected = torch::zeros({{8}}).to(device);
  torch::Tensor wrong = (output + expected).relu();
  torch::Tensor kept = wrong.cpu();
  return kept.sum().item<double>();
}}
"""
PER_GROUP = 6  # functions of the text above: the constructor counts

DECLARATIONS = """
torch::Tensor normalise_{n}(torch::Tensor batch, torch::Tensor mean, torch::Tensor scale);
double check_{n}(torch::Tensor output, torch::Device device);
"""


def unit_text(unit, units):
    """Every third group calls into another unit, one that comes before or after."""
    groups = FUNCTIONS_PER_UNIT // PER_GROUP
    text = ['#include "torch.h"\n']
    bodies = []
    for group in range(groups):
        number = unit * groups + group
        other = (number + 7 * groups) % (units * groups) if group % 3 == 0 else number
        text.append(DECLARATIONS.format(n=number))
        if other != number:
            text.append(DECLARATIONS.format(n=other))
        bodies.append(FUNCTIONS.format(n=number, other=other))
    return "".join(text + bodies)


def write_project(folder, units):
    entries = []
    for unit in range(units):
        file = folder / f"unit{unit}.cc"
        file.write_text(unit_text(unit, units))
        entries.append({"directory": str(folder), "file": str(file),
                        "command": f"c++ -std=c++17 -I{MOCK} -c {file}"})
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def run(command, folder):
    """Wall and processor seconds and the highest memory in MiB."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1) or "did not parse" in errors:
        sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{errors[:2000]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("functions", type=int, nargs="*", default=[1000, 10000, 100000])
    parser.add_argument("--keep", type=pathlib.Path,
                        help="the projects and their facts stay there, for the next run")
    arguments = parser.parse_args()
    xferlint = arguments.build.resolve() / "bin" / "xferlint"
    if not xferlint.exists():
        print(f"link: not measured, missing: {xferlint}")
        return
    print(f"{'functions':>10}{'facts MiB':>11}{'link MiB':>10}{'CPU s':>8}{'bytes a function':>18}")
    with tempfile.TemporaryDirectory(prefix="xfer-bench-") as name:
        top = (arguments.keep or pathlib.Path(name)).resolve()
        for functions in arguments.functions:
            folder = top / str(functions)
            facts = folder / "facts"
            units = max(1, functions // FUNCTIONS_PER_UNIT)
            if not facts.exists():
                facts.mkdir(parents=True)
                write_project(folder, units)
                for first in range(0, units, UNITS_PER_RUN):
                    files = [f"unit{unit}.cc"
                             for unit in range(first, min(units, first + UNITS_PER_RUN))]
                    run([xferlint, "-p", ".", "--root", ".", "--no-stored-facts", "--emit-facts",
                         facts / f"{first}.facts", *files], folder)
            size = sum(file.stat().st_size for file in facts.iterdir())
            cpu, peak = run([xferlint, "--root", ".", "--merge", facts, "--format", "json"], folder)
            print(f"{functions:10}{size / 2**20:11.1f}{peak:10.0f}{cpu:8.2f}"
                  f"{peak * 2**20 / functions:18.0f}", flush=True)


if __name__ == "__main__":
    main()
