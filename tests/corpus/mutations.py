"""Faults put into correct code, one at a time: what a transfer statement looks like, and how each
fault changes it. Text in, text out; whether the result still parses is for the caller to find out.

Only what is a fault is put in. Left out, because the changed program is as right as the original:
- anything in a file that names no device but the CPU, or whose devices are all the CPU: its
  transfers do nothing;
- what stands in comments;
- `x.to(T)` where T is declared as an element type: a conversion;
- dropping `model->to(torch::kCPU)`: a module is made there;
- dropping the move of a library module that has no parameters.
"""

import re
from dataclasses import dataclass

# `auto y = expr.to(device);`, `y = expr.to(device);` and `model->to(device);`, one statement on one
# line.
ASSIGN = re.compile(
    r"^(?P<indent>\s*)(?P<type>(?:const\s+)?(?:auto|torch::Tensor|at::Tensor|Tensor)\s*&?&?\s+)?"
    r"(?P<name>[\w.]+(?:->\w+)?)\s*=\s*"
    r"(?P<value>[^;=]+?)\.(?P<call>to\((?P<to>[^;()]*(?:\([^;()]*\))?[^;()]*)\)|cuda\(\)|cpu\(\))"
    r"(?P<rest>[^;]*);\s*(?://.*)?$")
MOVE = re.compile(r"^(?P<indent>\s*)(?P<name>[\w.>-]+?)(?P<dot>->|\.)"
                  r"(?P<call>to\((?P<to>[\w:.>() -]*)\)|cuda\(\));\s*$")
# Arguments that name a place and not (only) an element type.
DTYPE = re.compile(r"^\s*(?:torch::|at::|c10::)?(?:k[A-Z]\w*|ScalarType::\w+|"
                   r"[\w.>-]*(?:dtype|scalar_type)\w*(?:\(\))?)\s*$")
PLACE = re.compile(r"(?:torch::|at::|c10::)?kC(?:PU|UDA)\b")
PLACE_CPU = re.compile(r"\bkCPU\b|^cpu\(|\"cpu\"")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
DEVICE = r"\b(?:torch::|c10::|at::)?Device\s*&?\s*\w+\s*"
DEVICE_VALUE = re.compile(DEVICE + r"(?:\(|=|\{)([^;]*);")
DEVICE_PARAMETER = re.compile(DEVICE + r"[,)]")
CUDA_VALUE = re.compile(r"kCUDA|\"cuda|\.cuda\(\)")
OTHER_DEVICE = re.compile(r"cuda|\bDevice(?:Type)?\b|\bdevice", re.I)
NO_PARAMETERS = (
    r"(?:Dropout\w*|FeatureDropout|AlphaDropout|ReLU6?|LeakyReLU|ELU|SELU|CELU|GELU|SiLU|Mish|"
    r"Tanh|Sigmoid|LogSigmoid|Softmax\w*|LogSoftmax|Softplus|Flatten|Unflatten|Identity|"
    r"\w+Pool[123]d|Upsample|PixelShuffle|\w+Loss)")
# A copy to the host that does not wait, and what waits for it.
EARLY = re.compile(r"(?P<name>\w+)\s*=\s*[^;=]+?\.to\((?:torch::|at::|c10::)?kCPU\b"
                   r"[^;]*?(?:non_blocking=\*/\s*)?\btrue\b[^;]*;")
WAIT = re.compile(r"^(?P<indent>\s*)(?:[\w:.>-]+(?:::|\.|->))?"
                  r"(?:synchronize|cudaDeviceSynchronize|cudaStreamSynchronize)"
                  r"\([^;]*\)\s*;\s*(?://.*)?$")


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


def is_element_type(name, text):
    """The file declares `name` as an element type, or as options that are made of one."""
    if not re.fullmatch(r"\w+", name or ""):
        return False
    declared = re.compile(rf"\b(?:ScalarType|Dtype|TypeMeta)\s+{name}\b|"
                          rf"\b(?:TensorOptions|auto)\s+{name}\s*(?:=|\(|\{{)\s*"
                          rf"[^;]*?\bk(?!C(?:PU|UDA)\b)[A-Z]\w*[^;]*;")
    other = re.compile(rf"\b(?:Device|DeviceType)\s*&?\s+{name}\b")
    found = declared.search(text)
    return bool(found) and not other.search(text) and not OTHER_DEVICE.search(found[0])


def has_no_parameters(name, text):
    return bool(re.search(rf"\b{NO_PARAMETERS}\s+{re.escape(name)}\b|"
                          rf"\b{re.escape(name)}\s*=\s*(?:torch::)?nn::{NO_PARAMETERS}\b", text))


def drop_waits(lines):
    """Waits for a copy to the host that is read later in the same function."""
    for index, line in enumerate(lines):
        wait = WAIT.match(line)
        if not wait:
            continue
        for before in range(index - 1, max(-1, index - 12), -1):
            if lines[before].startswith("}") or WAIT.match(lines[before]):
                break
            copy = EARLY.search(lines[before])
            if not copy:
                continue
            end = next((at for at in range(index + 1, len(lines)) if lines[at].startswith("}")),
                       len(lines))
            if any(re.search(rf"\b{copy['name']}\b", after) for after in lines[index + 1:end]):
                yield index, wait["indent"]
            break


def without_comments(text):
    """The same lines, with blanks for comments."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def is_on_host_only(code):
    """No device but the CPU is named or chosen."""
    if not OTHER_DEVICE.search(code):
        return True
    values = DEVICE_VALUE.findall(code)
    return (bool(values) and all("kCPU" in value for value in values) and
            not DEVICE_PARAMETER.search(code) and not CUDA_VALUE.search(code))


def of_file(text):
    """All mutants of a file, in order."""
    code = without_comments(text)
    if is_on_host_only(code):
        return
    code = code.split("\n")
    for mutant in of_lines(text):
        if code[mutant.line - 1].strip():
            yield mutant


def of_files(texts, _project):
    """All mutants of the texts of files, by file, in order."""
    for file, text in texts.items():
        for mutant in of_file(text):
            yield file, mutant


def of_lines(text):
    lines = text.split("\n")
    for index, indent in drop_waits(lines):
        yield Mutant("drop-wait", "read-before-sync", index + 1,
                     "\n".join(lines[:index] + [indent + ";"] + lines[index + 1:]))
    for index, line in enumerate(lines):
        def replaced(new):
            return "\n".join(lines[:index] + [new] + lines[index + 1:])

        move = MOVE.match(line)
        if (move and is_place(move["call"], move["to"]) and not PLACE_CPU.search(move["call"]) and
                not is_element_type(move["to"], text) and
                not has_no_parameters(move["name"], text)):
            yield Mutant("drop-move", "missing-transfer", index + 1, replaced(move["indent"] + ";"))
        found = ASSIGN.match(line)
        if (not found or not is_place(found["call"], found["to"]) or
                is_element_type(found["to"], text)):
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
            again = re.sub(r"[^A-Za-z0-9]", "_", name) + "_again"
            yield Mutant("duplicate", "repeated-transfer", index + 1,
                         replaced(f"{line} auto {again} = {value}.{call}; "
                                  f"(void)({name}.sum() + {again}.sum());"))
            count = f"xfer_{index}"
            yield Mutant("into-loop", "transfer-in-loop", index + 1,
                         replaced(f"{line} for (int {count} = 0; {count} < 4; ++{count}) "
                                  f"{{ auto {count}_copy = {value}.{call}; "
                                  f"(void){count}_copy.sum(); }}"))
        if not to_host and not rest:
            yield Mutant("round-trip", "round-trip", index + 1,
                         replaced(f"{head}{value}.{call}.to(torch::kCPU).{call};"))
