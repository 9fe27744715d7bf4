"""Faults put into correct code of the CUDA runtime, one at a time, as mutations.py does for
tensors. Text in, text out.

A copy is `cudaMemcpy(to, from, bytes, direction)` in one statement on one line, within whatever
checks its result; a launch `kernel<<<...>>>(...)` likewise. The faults of an order that is missing
are in cuda_orders.py, those of the driver API in driver_copies.py.
"""

import re

import cuda_orders
import driver_copies
from cuda_copies import NAME, is_whole, read_by_host, wrong_sizes
from mutations import Mutant, without_comments

COPY = re.compile(
    r"^(?P<indent>\s*)(?P<before>[^;]*?)\bcudaMemcpy\s*\(\s*"
    r"(?P<to>[^,;]+?)\s*,\s*(?P<from>[^,;]+?)\s*,\s*(?P<bytes>[^,;]+?)\s*,\s*"
    r"cudaMemcpy(?P<way>HostToDevice|DeviceToHost)\s*\)(?P<after>[^;]*);\s*$")
LAUNCH = re.compile(r"^\s*[\w:]+(?:<[^<>]*>)?\s*<<<.*>>>\s*\((?P<arguments>[^;]*)\)\s*;\s*$")
OTHER = {"HostToDevice": "DeviceToHost", "DeviceToHost": "HostToDevice"}


def copy_text(copy, **changed):
    parts = {**copy.groupdict(), **changed}
    return "{before}cudaMemcpy({to}, {from}, {bytes}, cudaMemcpy{way}){after};".format(**parts)


def launches_with(lines, start, name):
    """The next launch in the same function that is given `name`."""
    for index in range(start, len(lines)):
        if lines[index].startswith("}"):
            return None
        launch = LAUNCH.match(lines[index])
        if launch and re.search(rf"(?<![\w.>&]){name}(?![\w\[])", launch["arguments"]):
            return index
    return None


def given_to(launch, name, places):
    """The kernel that is launched is given `name` in one of the places that are its, by name."""
    call = re.search(r"(\w+)(?:<[^<>]*>)?\s*<<<", launch)
    given = [text.strip() for text in launch[launch.index(">>>"):].split("(", 1)[1].split(",")]
    place = next((at for at, text in enumerate(given)
                  if re.search(rf"(?<![\w.>&]){name}(?![\w\[])", text)), None)
    return call is not None and place in places.get(call[1], ())


def of_files(texts, project):
    """All mutants of the texts of files, by file, in order. Kernels may be in any text of the
    project."""
    kernels = cuda_orders.Kernels(map(without_comments, project))
    for file, text in texts.items():
        for mutant in of_file(text, kernels):
            yield file, mutant


def of_file(text, kernels):
    """All mutants of a file, in order."""
    lines = text.split("\n")
    code = without_comments(text).split("\n")
    for index, line in enumerate(code):
        copy = COPY.match(line)
        if not copy or not is_whole(copy):
            continue

        def replaced(new, at=index):
            return "\n".join(lines[:at] + [new] + lines[at + 1:])

        indent, up = copy["indent"], copy["way"] == "HostToDevice"
        yield Mutant("duplicate", "repeated-transfer", index + 1,
                     replaced(f"{indent}{{ {copy_text(copy)} {copy_text(copy)} }}"))
        back = copy_text(copy,
                         **{"to": copy["from"], "from": copy["to"], "way": OTHER[copy["way"]]})
        yield Mutant("round-trip", "round-trip", index + 1,
                     replaced(f"{indent}{{ {copy_text(copy)} {back} }}"))
        yield Mutant("swap-kind", "copy-kind", index + 1,
                     replaced(indent + copy_text(copy, way=OTHER[copy["way"]])))
        for kind, wrong in wrong_sizes(copy, code, index,
                                       lambda size, of=copy: copy_text(of, bytes=size)):
            yield Mutant(kind, "copy-size", index + 1, replaced(indent + wrong))
        yield from cuda_orders.of_copy(copy, code, index, replaced)
        device, host = (copy["to"], copy["from"]) if up else (copy["from"], copy["to"])
        if NAME.match(device):
            yield Mutant("host-read", "host-access", index + 1,
                         replaced(read_by_host(line, device)))
        if not up and NAME.match(device):
            yield Mutant("freed", "use-after-free", index + 1,
                         replaced(f"{indent}{{ cudaFree({device}); {copy_text(copy)} }}"))
        launch = launches_with(code, index + 1, device) if up and NAME.match(device) else None
        if launch is None:
            continue
        given = code[launch]
        # An upload to memory that the kernel overwrites is not missed.
        if not given_to(given, device, kernels.overwritten):
            yield Mutant("delete", "missing-transfer", index + 1, replaced(indent + ";"))
        both = f"{{ {copy_text(copy)} {given.strip()} }}"
        # To copy again to what the kernel writes to is no waste.
        if not given_to(given, device, kernels.written):
            yield Mutant("into-loop", "transfer-in-loop", index + 1,
                         replaced(f"for (int xfer = 0; xfer < 4; ++xfer) {both}", launch))
        scratch = (f"{{ void* xfer_p = nullptr; cudaMalloc(&xfer_p, 4096); {given.strip()} "
                   f"cudaFree(xfer_p); }}")
        yield Mutant("allocate", "alloc-in-loop", index + 1,
                     replaced(f"for (int xfer = 0; xfer < 4; ++xfer) {scratch}", launch))
        kept = (f"{{ void* xfer_p = nullptr; cudaMalloc(&xfer_p, 4096); "
                f"cudaMemset(xfer_p, 0, 4096); {given.strip()} }}")
        yield Mutant("leak", "leak", index + 1,
                     replaced(f"for (int xfer = 0; xfer < 4; ++xfer) {kept}", launch))
        start = given.index(">>>")
        of_other = re.sub(rf"(?<![\w.>&]){device}(?![\w\[])", f"(decltype({device}))xfer_p",
                          given[start:], count=1)
        yield Mutant("other-device", "wrong-current-device", index + 1,
                     replaced(f"{{ void* xfer_p; cudaSetDevice(1); cudaMalloc(&xfer_p, 4096); "
                              f"cudaMemset(xfer_p, 0, 4096); cudaSetDevice(0); "
                              f"{given[:start].strip()}{of_other} }}", launch))
        if NAME.match(host):
            named = re.sub(rf"(?<![\w.>&]){device}(?![\w\[])", host, given[start:], count=1)
            yield Mutant("host-pointer", "host-pointer-to-kernel", index + 1,
                         replaced(given[:start] + named, launch))
    yield from cuda_orders.of_lines(lines, code, kernels)
    yield from driver_copies.of_lines(lines, code)
