"""The operations that tensorlib's public headers declare."""

import re

DECLARED = re.compile(
    r"\b(?:Tensor&?|std::vector<Tensor>|std::tuple<Tensor, Tensor>)\s+([a-z]\w*)\(")
FORWARDED = re.compile(r"TENSORLIB_FORWARD\((?:Tensor|TensorPair|std::vector<Tensor>), (\w+),")


def declared(include):
    """The names of all of them, without those of op_names.def."""
    names = set()
    for header in "tensor.h", "ops.h", "loss.h", "composed.h", "resample.h":
        text = re.sub(r"//.*", "", (include / "tensorlib" / header).read_text())
        names |= set(DECLARED.findall(text)) | set(FORWARDED.findall(text))
    return names - {"name"}
