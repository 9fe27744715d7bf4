"""The C++ programs of pytorch/examples, unchanged, and those of the folder programs/, on tensorlib
and on LibTorch: equal losses, equal output.

A program is compiled with tensorlib's `compat` folder among the include paths, so that its
`#include <torch/torch.h>` is tensorlib, and once more with LibTorch. Both draw LibTorch's random
numbers (TENSORLIB_RANDOM=libtorch), so they start from the same weights and see the same batches.
On tensorlib it runs on the CPU and on an emulated CUDA device.

usage: programs.py PROGRAM --examples CHECKOUT --out FOLDER --compiler C++ --include DIR --library
       SO
Exit status 77: skipped, and why is said.
"""

import argparse
import itertools
import math
import os
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = "https://github.com/pytorch/examples"
TORCH_INCLUDE = pathlib.Path("/usr/include/torch/csrc/api/include")
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?")


class Skip(Exception):
    pass


def parse_arguments(parser):
    """The command line, with what both scripts are told added; the output folder is made."""
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--include", required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--emulate", type=int, default=1)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    arguments.out, arguments.library = arguments.out.resolve(), arguments.library.resolve()
    return arguments


def sources(arguments):
    """The checkout's cpp folder, fetched where none is named."""
    if arguments.examples:
        root = pathlib.Path(arguments.examples)
    else:
        root = arguments.out / "examples"
        if not root.exists():
            done = subprocess.run(["git", "clone", "--quiet", "--depth", "1", REPOSITORY, root],
                                  capture_output=True, text=True, timeout=120)
            if done.returncode != 0:
                raise Skip(f"{REPOSITORY} cannot be fetched ({done.stderr.strip()}); "
                           "name a checkout: cmake -DXFER_PYTORCH_EXAMPLES=PATH")
    if not (root / "cpp").is_dir():
        raise Skip(f"{root} is no checkout of {REPOSITORY}")
    return root / "cpp"


def build(arguments, source, library):
    """The program's path, for tensorlib or LibTorch; None where LibTorch is not installed."""
    target = arguments.out / f"{source.stem}_{library}"
    flags = ["-std=c++17", "-O1", f"-I{HERE}"]
    if library == "tensorlib":
        folder = arguments.library.parent
        flags += [f"-I{arguments.include}/tensorlib/compat", f"-I{arguments.include}"]
        links = [f"-L{folder}", "-ltensorlib", f"-Wl,-rpath,{folder}"]
    else:
        if not TORCH_INCLUDE.is_dir():
            return None
        flags += ["-isystem", str(TORCH_INCLUDE)]
        links = ["-ltorch", "-ltorch_cpu", "-lc10"]
    made_of = [source, HERE / "seed.cc", *HERE.glob("*.h"), *HERE.glob("programs/*.h")]
    if library == "tensorlib":
        made_of.append(arguments.library)
    newest = max(path.stat().st_mtime for path in made_of)
    if not target.exists() or target.stat().st_mtime < newest:
        subprocess.run([arguments.compiler, *flags, str(source), str(HERE / "seed.cc"),
                        "-o", str(target), *links], check=True, timeout=900)
    return target


def write_digits(folder):
    """Files in MNIST's format: ten patterns, shifted, in noise."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, count in ("train", 60000), ("t10k", 10000):
        images = folder / f"{name}-images-idx3-ubyte"
        if images.exists() and images.stat().st_size == 16 + count * 784:
            continue
        draw = random.Random(name)
        patterns = [[(x, y) for x in range(16) for y in range(16)
                     if math.sin((k + 2) * x / 5) * math.cos((11 - k) * y / 7) > 0.3]
                    for k in range(10)]
        some, labels = [], bytearray()
        for i in range(500):
            label = draw.randrange(10)
            image = bytearray(draw.randrange(40) for _ in range(784))
            left, top = draw.randrange(4, 9), draw.randrange(4, 9)
            for x, y in patterns[label]:
                image[(top + y) * 28 + left + x] = draw.randrange(160, 256)
            some.append(bytes(image))
            labels.append(label)
        repeats = count // len(some)
        header = count.to_bytes(4, "big")
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(
            (2049).to_bytes(4, "big") + header + bytes(labels) * repeats)
        images.write_bytes((2051).to_bytes(4, "big") + header + (28).to_bytes(4, "big") * 2 +
                           b"".join(some) * repeats)


def run(program, environment, pattern=None, enough=0):
    """The program's output. Kills the program as soon as `pattern` has matched `enough` times."""
    variables = {**os.environ, "TENSORLIB_RANDOM": "libtorch", **environment}
    if "XFERCHECK_EMULATE" not in environment:
        variables.pop("XFERCHECK_EMULATE", None)
    process = subprocess.Popen(["stdbuf", "-o0", program], stdout=subprocess.PIPE, env=variables,
                               cwd=program.parent)
    text = ""
    while chunk := os.read(process.stdout.fileno(), 65536):
        text += chunk.decode()
        if enough and len(pattern.findall(text)) >= enough:
            process.kill()
            break
    status = process.wait()
    if status != 0 and not enough:
        raise AssertionError(f"{program} ended with {status}")
    if enough and len(pattern.findall(text)) < enough:
        raise AssertionError(f"{program} ended with {status} after\n{text[-2000:]}")
    return text


def close(actual, expected, tolerance):
    return abs(actual - expected) <= tolerance * max(1, abs(expected))


def worst(actual, expected):
    return max(abs(a - e) / max(1, abs(e)) for a, e in zip(actual, expected, strict=True))


def losses(text, pattern, count):
    values = []
    for match in pattern.finditer(text):
        values += [float(group) for group in match.groups()]
    per_match = pattern.groups
    return values[:count * per_match]


class Trained:
    """A program that prints its losses on the way."""

    moves = True

    def __init__(self, pattern, count, emulated_count, tolerance):
        self.pattern = re.compile(pattern)
        self.count, self.emulated_count, self.tolerance = count, emulated_count, tolerance

    def result(self, program, environment):
        count = self.emulated_count if environment else self.count
        text = run(program, environment, self.pattern, count)
        if environment and "GPU" not in text:
            raise AssertionError("the program did not find the emulated device")
        return losses(text, self.pattern, count)

    def compare(self, name, actual, expected):
        expected = expected[:len(actual)]
        off = worst(actual, expected)
        print(f"{name}: {len(actual)} losses, from {actual[0]} to {actual[-1]}; "
              f"off by {off:.2g} at most, allowed {self.tolerance}")
        assert off <= self.tolerance, f"{actual}\n{expected}"

    def check_alone(self, name, actual):
        assert all(math.isfinite(value) for value in actual), actual
        print(f"{name}: {len(actual)} losses, from {actual[0]} to {actual[-1]}")


class Printed:
    """A program that runs to its end: what it prints, number by number."""

    def __init__(self, tolerance, moves=False):
        self.tolerance, self.moves = tolerance, moves

    def result(self, program, environment):
        return run(program, environment).replace("tensorlib::", "torch::").replace("CUDA", "CPU")

    def compare(self, name, actual, expected):
        def words(text):
            return re.sub(r"\s+", " ", NUMBER.sub("#", text).replace("-", "")).strip()
        assert words(actual) == words(expected), f"{actual}\n--- LibTorch ---\n{expected}"
        pairs = list(zip(map(float, NUMBER.findall(actual)),
                         map(float, NUMBER.findall(expected)), strict=True))
        off = worst([a for a, _ in pairs], [e for _, e in pairs])
        print(f"{name}: {len(pairs)} numbers, off by {off:.2g} at most, allowed {self.tolerance}")
        assert off <= self.tolerance, f"{actual}\n--- LibTorch ---\n{expected}"

    def check_alone(self, name, actual):
        assert "nan" not in actual, actual
        print(f"{name}: {len(actual.splitlines())} lines")


class Exact(Printed):
    """One whose output is the same, letter by letter."""

    def __init__(self):
        super().__init__(0)

    def compare(self, name, actual, expected):
        ours, theirs = actual.splitlines(), expected.splitlines()
        differences = [f"{a}\n  LibTorch: {e}"
                       for a, e in itertools.zip_longest(ours, theirs) if a != e]
        print(f"{name}: {len(theirs)} lines, {len(differences)} of them different")
        assert not differences, "\n".join(differences)


# How many losses (their patterns end with the last digit, so that none is cut off), how many of
# them on the emulated device (which is slow), and how far they may be off: sums in another order
# drift apart with every step, and most in dcgan: Adam begins with the gradients' signs, and two
# networks pull at each other. With another number of threads, or another processor, tensorlib is
# off from itself by 0.01 there.
PROGRAMS = {
    "autograd": Printed(2e-4),
    "regression": Printed(2e-2),
    "mnist": Trained(r"Loss: (\d+\.\d{4})", 30, 4, 5e-3),
    "dcgan": Trained(r"D_loss: (\d+\.\d{4}) \| G_loss: (\d+\.\d{4})", 3, 1, 4e-2),
}


# The programs of this repository, which train for seconds.
OWN = {
    "attention": Printed(1e-3, moves=True),
    "autoencoder": Printed(2e-4, moves=True),
    "containers": Printed(1e-4, moves=True),
    "optimizers": Printed(1e-3, moves=True),
    "printing": Exact(),
    "q_learning": Printed(1e-4, moves=True),
    "recurrent": Printed(1e-3, moves=True),
    "recurrent_layers": Printed(1e-3, moves=True),
    "sampling": Printed(1e-4, moves=True),
    "segmentation": Printed(1e-3, moves=True),
    "transformer": Printed(1e-3, moves=True),
    "transformer_layers": Printed(1e-3, moves=True),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", choices=[*PROGRAMS, *OWN])
    parser.add_argument("--examples", default="")
    arguments = parse_arguments(parser)
    if arguments.program in OWN:
        source = HERE / "programs" / f"{arguments.program}.cc"
        kind = OWN[arguments.program]
    else:
        source = sources(arguments) / arguments.program / f"{arguments.program}.cpp"
        write_digits(arguments.out / "data")
        kind = PROGRAMS[arguments.program]
    ours, theirs = build(arguments, source, "tensorlib"), build(arguments, source, "libtorch")
    expected = kind.result(theirs, {}) if theirs else None
    if theirs is None:
        print("LibTorch is not installed (Debian: libtorch-dev); tensorlib alone")
    places = [("cpu", {})]
    if arguments.emulate:
        places.append(("emulated cuda", {"XFERCHECK_EMULATE": "1"}))
    for place, environment in places:
        if environment and not kind.moves:
            continue
        actual = kind.result(ours, environment)
        if expected is None:
            kind.check_alone(f"{arguments.program} on {place}", actual)
        else:
            kind.compare(f"{arguments.program} on {place}", actual, expected)


if __name__ == "__main__":
    try:
        main()
    except Skip as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
