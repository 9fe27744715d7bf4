"""Faults of order put into correct CUDA code: a wait that is left out, a blocking copy that became
an asynchronous one of pinned memory. Text in, text out, as in cuda_mutations.py."""

import collections
import re

from mutations import Mutant

POINTER = r"\s*\(\s*(?:\(\s*void\s*\*\*\s*\)\s*)?&\s*(\w+)"
WAIT = re.compile(r"^\s*(?:[\w:]+\s*\(\s*)?cuda(?:Device|Stream|Thread)Synchronize\s*\([^;]*\)\s*;"
                  r"\s*$")
WAITS = re.compile(r"\bcuda(?:Device|Stream|Event|Thread)Synchronize\b|\bcudaMemcpy\s*\("
                   r"|\bcudaFree\w*\b|\bcudaStreamDestroy\b|\bcudaDeviceReset\b")
MANAGED = re.compile(r"\bcudaMallocManaged" + POINTER)
PINNED = re.compile(r"\bcuda(?:MallocHost|HostAlloc)" + POINTER)
COPY = re.compile(r"\bcudaMemcpyAsync\s*\(\s*(\w+)\s*,\s*(\w+)\s*,[^;]*"
                  r"cudaMemcpy(HostToDevice|DeviceToHost)[^;]*;\s*$")
KERNEL = re.compile(r"__global__[^;{(]*?\b(\w+)\s*\(([^{;]*)\)\s*\{")
LAUNCH = re.compile(r"\b(\w+)(?:<[^<>]*>)?\s*<<<.*>>>\s*\(([^;]*)\)\s*;")


class Kernels:
    """The kernels of some texts, by name, and the places of the pointers among their parameters:
    those that the body writes through or hands on, and those that it only overwrites."""

    def __init__(self, texts):
        self.written = collections.defaultdict(set)
        self.overwritten = collections.defaultdict(set)
        for text in texts:
            for kernel in KERNEL.finditer(text):
                end = text.find("\n}", kernel.end())
                self._add(kernel, text[kernel.end():end if end >= 0 else len(text)])

    def _add(self, kernel, body):
        for at, parameter in enumerate(kernel[2].split(",")):
            name = re.search(r"\*[\s\w]*?(\w+)\s*$", parameter)
            if not name or re.search(r"\bconst\b", parameter):
                continue
            stored = rf"\b{name[1]}\s*\[[^;=]*\]\s*=(?!=)"
            changed = rf"\b{name[1]}\s*\[[^;=]*\]\s*(?:[-+*/|&^%]|<<|>>)=(?!=)"
            handed_on = rf"&\s*{name[1]}\s*\[|\b\w+\s*\([^;]*\b{name[1]}\s*[,)+]"
            if re.search(rf"{stored}|{changed}|\*\s*{name[1]}\b|{handed_on}", body):
                self.written[kernel[1]].add(at)
            uses = len(re.findall(rf"\b{name[1]}\b", body))
            if uses and uses == len(re.findall(stored, body)):
                self.overwritten[kernel[1]].add(at)


def written_before(code, start, kernels, managed, pinned):
    """The names that work of the device writes to, begun since the wait before the line."""
    names = set()
    for line in reversed(code[:start]):
        if line.startswith("}") or WAITS.search(line):
            break
        if copy := COPY.search(line):
            if copy[3] == "DeviceToHost" and copy[1] in pinned:
                names.add(copy[1])
        elif launch := LAUNCH.search(line):
            given = [text.strip() for text in launch[2].split(",")]
            names.update(name for at, name in enumerate(given)
                         if name in managed and at in kernels.written.get(launch[1], ()))
    return names


def read_after(code, start, names):
    """The host reads what one of the names points to, before anything else waits."""
    for line in code[start:]:
        if line.startswith("}") or WAITS.search(line) or "<<<" in line:
            return False
        for name in names:
            if re.search(rf"(?<![\w.>&]){name}\s*\[[^\]]*\](?!\s*=[^=])", line):
                return True
    return False


def made_asynchronous(copy, then=""):
    """The copy's statement as one of pinned memory that nothing waits for."""
    up = copy["way"] == "HostToDevice"
    host = copy["from"] if up else copy["to"]
    return (f"{copy['indent']}{{ cudaHostRegister((void*)({host}), {copy['bytes']}, 0); "
            f"cudaMemcpyAsync({copy['to']}, {copy['from']}, {copy['bytes']}, "
            f"cudaMemcpy{copy['way']}, 0); {then}}}")


def waits_elsewhere(copy):
    """The copy's statement as one of pinned memory on a stream, and a wait for another stream."""
    return (f"{copy['indent']}{{ cudaStream_t xfer_a, xfer_b; cudaStreamCreate(&xfer_a); "
            f"cudaStreamCreate(&xfer_b); cudaHostRegister((void*)({copy['to']}), {copy['bytes']}, "
            f"0); cudaMemcpyAsync({copy['to']}, {copy['from']}, {copy['bytes']}, "
            f"cudaMemcpyDeviceToHost, xfer_a); cudaStreamSynchronize(xfer_b); }}")


def of_copy(copy, code, index, replaced):
    """Mutants of a blocking copy between the host and a device."""
    if copy["way"] == "HostToDevice":
        if re.fullmatch(r"\w+", copy["from"]):
            write = f"((volatile char*){copy['from']})[0] = 0; "
            yield Mutant("early-write", "async-source-reuse", index + 1,
                         replaced(made_asynchronous(copy, write)))
    elif re.fullmatch(r"\w+", copy["to"]) and read_after(code, index + 1, [copy["to"]]):
        yield Mutant("early-read", "read-before-sync", index + 1,
                     replaced(made_asynchronous(copy)))
        yield Mutant("other-stream", "read-before-sync", index + 1, replaced(waits_elsewhere(copy)))


def of_lines(lines, code, kernels):
    """Mutants that leave a wait out."""
    text = "\n".join(code)
    managed, pinned = set(MANAGED.findall(text)), set(PINNED.findall(text))
    if not managed and not pinned:
        return
    for index, line in enumerate(code):
        if WAIT.match(line):
            names = written_before(code, index, kernels, managed, pinned)
            if names and read_after(code, index + 1, names):
                yield Mutant("no-wait", "read-before-sync", index + 1,
                             "\n".join(lines[:index] + [";"] + lines[index + 1:]))
