#!/usr/bin/env python3
"""Keeps ../CONTENTS.md, the list of what tensorlib has, as its public headers declare it.

    tensorlib/doc/contents.py            writes the page
    tensorlib/doc/contents.py --check    exit code 1 where it is stale
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include" / "tensorlib"
PAGE = ROOT / "CONTENTS.md"
HEAD = """# What tensorlib has

Made from the headers by `tensorlib/doc/contents.py`. Names and behaviour are LibTorch's where it
has the same, in namespace `tensorlib`. `add(_)` stands for `add` and `add_`. The
[README](README.md) says how to use it and how to port a LibTorch program.
"""
RESULT = r"(?:Tensor&?|std::vector<Tensor>|std::tuple<Tensor, Tensor>)"
DECLARED = re.compile(rf"\b{RESULT}\s+([a-z]\w*)\(")
FORWARDED = re.compile(r"TENSORLIB_FORWARD\((?:Tensor|TensorPair|std::vector<Tensor>), (\w+),")


def text_of(*names):
    files = [path for name in names for path in sorted(INCLUDE.glob(name))]
    assert files, names
    return "\n".join(re.sub(r"//.*", "", path.read_text()) for path in files)


def names(pattern, *files, without=()):
    return sorted(set(re.findall(pattern, text_of(*files), flags=re.M)) - set(without))


def with_in_place(found):
    """add, add_ -> add(_)"""
    both = {name for name in found if name + "_" in found}
    return sorted([f"{name}(_)" if name in both else name for name in found
                   if not (name.endswith("_") and name[:-1] in both)], key=str.lower)


def operations():
    text = text_of("tensor.h", "ops.h", "composed.h", "resample.h")
    found = set(DECLARED.findall(text)) | set(FORWARDED.findall(text))
    table = re.findall(r"^TENSORLIB_(UNARY|BINARY|COMPARE)_OP\((\w+)\)",
                       (INCLUDE / "op_names.def").read_text(), flags=re.M)
    found |= {name for _, name in table} | {name + "_" for kind, name in table if kind != "COMPARE"}
    return with_in_place(found - {"name", "site"})


def sections():
    functions = r"^(?:TENSORLIB_PURE )?(?:TENSORLIB_API|inline)\b[^(;]*?\b([a-z]\w*)\("
    types = r'^TENSORLIB_SCALAR_TYPE\([^,]+, \w+, "(\w+)"\)'
    classes = r"^\s*class (?:TENSORLIB_API )?(\w+)"
    yield "Element types", re.findall(types, (INCLUDE / "scalar_types.def").read_text(), flags=re.M)
    yield "Make a tensor", names(r"\bTensor\s+([a-z]\w*)\(", "factories.h")
    yield "Operations", operations()
    yield "Losses", names(DECLARED.pattern, "loss.h")
    yield "Modules (`nn`)", names(r"^TENSORLIB_MODULE\((\w+)\)", "nn/modules/*.h",
                                  without=["Name"]) + ["ModuleDict", "Sequential", "AnyModule"]
    yield "Loss modules (`nn`)", names(r"TENSORLIB_LOSS\(([A-Z]\w+)", "nn/modules/*.h",
                                       without=["Name"])
    yield "Functions (`nn::functional`)", sorted(
        names(functions, "nn/functional.h") +
        names(r"TENSORLIB_LOSS\(([a-z]\w+)", "nn/functional.h", without=["name"]))
    yield "Initialisation (`nn::init`)", names(functions, "nn/init.h")
    yield "Gradient clipping and parameters (`nn::utils`)", names(functions, "nn/utils.h")
    yield "Optimizers (`optim`)", names(r"^class TENSORLIB_API (\w+) : public Optimizer\b",
                                        "optim.h", "lbfgs.h")
    yield "Learning rates (`optim`)", names(r"^class TENSORLIB_API (\w+) : public LRScheduler\b",
                                            "lr_scheduler.h")
    yield "Models (`models`)", names(r"TENSORLIB_API \w+ (resnet\d+)\(|\b(resnet\d+)\b",
                                     "models/resnet.h") or []
    yield "Data sets, samplers, transforms (`data`)", names(
        classes, "data/dataset.h", "data/mnist.h", "data/samplers.h", "data/transforms.h",
        "data/data_loader.h", without=["Iterator"])
    yield "Files (`io`)", names(r"\b((?:load|save|read|decode|to|from)_\w+)\(", "io/*.h")
    yield "Streams (`cuda`)", names(classes, "cuda_stream.h")
    yield "Transfers, counted and forbidden", names(classes, "transfer.h")


def page():
    parts = [HEAD]
    for title, found in sections():
        flat = [next(filter(None, name)) if isinstance(name, tuple) else name for name in found]
        assert flat, title
        listed = textwrap.fill(", ".join(f"`{name}`" for name in dict.fromkeys(flat)), 100,
                               break_long_words=False, break_on_hyphens=False)
        parts.append(f"## {title}\n\n{listed}\n")
    headers = sorted(str(path.relative_to(INCLUDE / "compat"))
                     for path in (INCLUDE / "compat").rglob("*.h"))
    listed = textwrap.fill(", ".join(f"`{name}`" for name in headers), 100,
                           break_long_words=False, break_on_hyphens=False)
    parts.append(f"## LibTorch's headers, with `-I.../tensorlib/compat`\n\n{listed}\n")
    return "\n".join(parts)


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    new = page()
    if arguments:
        if not PAGE.exists() or PAGE.read_text() != new:
            print(f"{PAGE.name}: stale; run tensorlib/doc/contents.py", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
