"""Every operation that the public headers declare has a case beside LibTorch, or is named here with
the reason why not.

usage: operations_complete.py INCLUDE_FOLDER
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "unit" / "tensorlib"))

from declared_operations import declared  # noqa: E402

# Random numbers: programs/sampling.cc draws them beside LibTorch's.
DRAWN = {"exponential_", "multinomial", "normal", "normal_"}
# No results of their own: what a tensor is and where it lies; memory that is given; gradients.
NOT_COMPARED = {"add_out", "cpu", "cuda", "data", "grad", "mutable_grad", "pin_memory",
                "requires_grad_", "set_requires_grad"}


def main():
    include = pathlib.Path(sys.argv[1])
    cases = "".join(file.read_text() for file in sorted(HERE.glob("operations*.*"))
                    if file.suffix in {".cc", ".h"})
    called = set(re.findall(r"\b(\w+)\(", cases))
    called |= set(re.findall(r"\b(?:ONE|TWO)\((\w+)\)", cases))
    table = set(re.findall(r"^TENSORLIB_\w+_OP\((\w+)\)",
                           (include / "tensorlib" / "op_names.def").read_text(), re.M))
    operations = declared(include) | table
    missing = sorted(operations - called - DRAWN - NOT_COMPARED)
    print(f"{len(operations)} operations, {len(operations & called)} with cases beside LibTorch")
    if missing:
        sys.exit("no case beside LibTorch for: " + ", ".join(missing))
    stale = sorted((DRAWN | NOT_COMPARED) - operations)
    if stale:
        sys.exit("named here, but not in the headers: " + ", ".join(stale))


if __name__ == "__main__":
    main()
