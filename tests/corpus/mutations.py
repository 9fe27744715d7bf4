"""Faults put into correct code, one at a time: what a transfer statement looks like, and how each fault
changes it. Text in, text out; whether the result still parses is for the caller to find out."""

import re
from dataclasses import dataclass

# `auto y = expr.to(device);`, `y = expr.to(device);` and `model->to(device);`, one statement on one line.
ASSIGN = re.compile(
    r"^(?P<indent>\s*)(?P<type>(?:const\s+)?(?:auto|torch::Tensor|at::Tensor|Tensor)\s*&?&?\s+)?(?P<name>[\w.]+(?:->\w+)?)\s*=\s*"
    r"(?P<value>[^;=]+?)\.(?P<call>to\((?P<to>[^;()]*(?:\([^;()]*\))?[^;()]*)\)|cuda\(\)|cpu\(\))(?P<rest>[^;]*);\s*(?://.*)?$")
MOVE = re.compile(r"^(?P<indent>\s*)(?P<name>[\w.>-]+?)(?P<dot>->|\.)(?P<call>to\((?P<to>[\w:.>() -]*)\)|cuda\(\));\s*$")
# Arguments that name a place and not (only) an element type.
DTYPE = re.compile(r"^\s*(?:torch::|at::|c10::)?(?:k[A-Z]\w*|ScalarType::\w+|[\w.>-]*(?:dtype|scalar_type)\w*(?:\(\))?)\s*$")
PLACE = re.compile(r"(?:torch::|at::|c10::)?kC(?:PU|UDA)\b")
LOOPS = re.compile(r"^\s*(?:for|while)\b")


@dataclass(frozen=True)
class Mutant:
    kind: str       # what was done
    rule: str       # what must be found
    line: int       # of the original, from 1
    text: str       # of the whole file


def is_place(call, to):
    if call.startswith(("cuda", "cpu")):
        return True
    return bool(to) and (not DTYPE.match(to) or bool(PLACE.search(to)))


def of_file(text):
    """All mutants of a file, in order."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        def replaced(new):
            return "\n".join(lines[:index] + [new] + lines[index + 1:])

        move = MOVE.match(line)
        if move and is_place(move["call"], move["to"]):
            yield Mutant("drop-move", "missing-transfer", index + 1, replaced(move["indent"] + ";"))
        found = ASSIGN.match(line)
        if not found or not is_place(found["call"], found["to"]):
            continue
        indent, kind, name = found["indent"], found["type"] or "", found["name"]
        value, call, rest = found["value"].strip(), found["call"], found["rest"]
        to_host = call == "cpu()" or "kCPU" in (found["to"] or "")
        if value.count("(") != value.count(")"):
            continue
        head = f"{indent}{kind}{name} = "
        if not to_host:
            yield Mutant("delete", "missing-transfer", index + 1, replaced(f"{head}{value}{rest};"))
        yield Mutant("discard", "discarded-transfer", index + 1,
                     replaced(f"{indent}{{ {value}.{call}; }}" if value == name
                              else f"{head}{value}{rest}; {name}.{call};"))
        simple = re.fullmatch(r"[\w.]+(?:->\w+)?", value)
        if simple and value != name and not rest:
            yield Mutant("duplicate", "repeated-transfer", index + 1,
                         replaced(f"{line} auto {re.sub(r'[^A-Za-z0-9]', '_', name)}_again = {value}.{call}; "
                                  f"(void)({name}.sum() + {re.sub(r'[^A-Za-z0-9]', '_', name)}_again.sum());"))
            variable = f"xfer_{index}"
            yield Mutant("into-loop", "transfer-in-loop", index + 1,
                         replaced(f"{line} for (int {variable} = 0; {variable} < 4; ++{variable}) "
                                  f"{{ auto {variable}_copy = {value}.{call}; (void){variable}_copy.sum(); }}"))
        if not to_host and not rest:
            yield Mutant("round-trip", "round-trip", index + 1,
                         replaced(f"{head}{value}.{call}.to(torch::kCPU).{call};"))
