"""Faults put into copies of the CUDA driver API, one at a time, as cuda_mutations.py does for those
of the runtime. A copy is `cuMemcpyHtoD(to, from, bytes)` in one statement on one line."""

import re

from cuda_sizes import NAME, elements, elements_in_variable
from mutations import Mutant

COPY = re.compile(r"^(?P<indent>\s*)(?P<before>[^;]*?)\bcuMemcpy(?P<way>HtoD|DtoH)\s*\(\s*"
                  r"(?P<to>[^,;]+?)\s*,\s*(?P<from>[^,;]+?)\s*,\s*(?P<bytes>[^,;]+?)\s*\)"
                  r"(?P<after>[^;]*);\s*$")
OTHER = {"HtoD": "DtoH", "DtoH": "HtoD"}


def copy_text(copy, **changed):
    parts = {**copy.groupdict(), **changed}
    return "{before}cuMemcpy{way}({to}, {from}, {bytes}){after};".format(**parts)


def of_lines(lines, code):
    for index, line in enumerate(code):
        copy = COPY.match(line)
        if not copy or any(part.count("(") != part.count(")")
                           for part in (copy["to"], copy["from"], copy["bytes"])):
            continue
        indent = copy["indent"]
        device = copy["to"] if copy["way"] == "HtoD" else copy["from"]

        def mutant(kind, rule, new, at=index):
            return Mutant(kind, rule, at + 1, "\n".join(lines[:at] + [new] + lines[at + 1:]))

        back = copy_text(copy, **{"to": copy["from"], "from": copy["to"],
                                  "way": OTHER[copy["way"]]})
        yield mutant("duplicate", "repeated-transfer",
                     f"{indent}{{ {copy_text(copy)} {copy_text(copy)} }}")
        yield mutant("round-trip", "round-trip", f"{indent}{{ {copy_text(copy)} {back} }}")
        if count := elements(copy["bytes"]):
            yield mutant("elements", "copy-size", indent + copy_text(copy, bytes=count))
        if count := elements_in_variable(code, index, copy["bytes"]):
            yield mutant("elements-variable", "copy-size", indent + copy_text(copy, bytes=count))
        yield mutant("too-many", "copy-size",
                     indent + copy_text(copy, bytes=f"2 * ({copy['bytes']})"))
        if NAME.match(device):
            read = f"{{ volatile char xfer = ((const char*){device})[0]; (void)xfer; }}"
            yield mutant("host-read", "host-access", f"{line} {read}")
        if copy["way"] == "DtoH":
            yield mutant("freed", "use-after-free",
                         f"{indent}{{ cuMemFree({device}); {copy_text(copy)} }}")
