"""Faults put into copies of the CUDA driver API, one at a time, as cuda_mutations.py does for those
of the runtime. A copy is `cuMemcpyHtoD(to, from, bytes)` in one statement on one line."""

import re

from cuda_copies import NAME, is_whole, read_by_host, wrong_sizes
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
        if not copy or not is_whole(copy):
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
        for kind, wrong in wrong_sizes(copy, code, index,
                                       lambda size, of=copy: copy_text(of, bytes=size)):
            yield mutant(kind, "copy-size", indent + wrong)
        if NAME.match(device):
            yield mutant("host-read", "host-access", read_by_host(line, device))
        if copy["way"] == "DtoH":
            yield mutant("freed", "use-after-free",
                         f"{indent}{{ cuMemFree({device}); {copy_text(copy)} }}")
