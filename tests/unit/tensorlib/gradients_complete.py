"""Every operation that the public headers declare has a case among the gradient tests, or is named
here with what it does to gradients. usage: gradients_complete.py INCLUDE_FOLDER
"""

import pathlib
import re
import sys

from declared_operations import declared

HERE = pathlib.Path(__file__).resolve().parent

# No gradient comes through: truths, places, whole numbers, and what sets elements to what was not
# computed.
WITHOUT = {
    "all", "any", "argmax", "argmin", "argsort", "nonzero", "one_hot", "isnan", "logical_and",
    "logical_not", "logical_or", "logical_xor", "isinf", "isfinite", "bernoulli_", "normal",
    "randint_like", "new_empty", "new_zeros", "new_ones", "new_full", "resize_", "bernoulli",
    "multinomial", "exponential_", "bitwise_not", "detach", "detach_", "data", "uniform_",
    "normal_", "fill_",
}
# Throws where a gradient is wanted, and says what to use instead.
REFUSED = {"as_strided", "add_out"}
# Not operations, or another one's other name, which takes the same way.
OTHER_NAMES = {"grad", "mutable_grad", "set_requires_grad", "requires_grad_", "cuda"}

def main():
    files = ("autograd_test.cc", "gradient_table_test.cc", "gradient_composed_test.cc")
    cases = "".join((HERE / file).read_text() for file in files)
    called = set(re.findall(r"\b(\w+)\(", cases)) | set(re.findall(r"XFER_UNARY\((\w+)", cases))
    operations = declared(pathlib.Path(sys.argv[1]))
    missing = sorted(operations - called - WITHOUT - REFUSED - OTHER_NAMES)
    print(f"{len(operations)} operations beside the table's, "
          f"{len(operations & called)} with gradient cases")
    if missing:
        sys.exit("no gradient case for: " + ", ".join(missing))
    stale = sorted((WITHOUT | REFUSED | OTHER_NAMES) - operations)
    if stale:
        sys.exit("named here, but not in the headers: " + ", ".join(stale))


if __name__ == "__main__":
    main()
