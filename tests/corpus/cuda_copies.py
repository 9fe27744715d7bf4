"""Copies as programs write them: which of their sizes count elements."""

import re

ELEMENTS = re.compile(r"^(?:(?P<first>[\w.>()*+ -]+?)\s*\*\s*)?sizeof\s*\([^()]*\)"
                      r"(?:\s*\*\s*(?P<second>[\w.>()*+ -]+))?$")
ONE_BYTE = re.compile(r"sizeof\s*\(\s*(?:unsigned\s+|signed\s+)?(?:char|bool|u?int8_t|uchar)\s*\)")
NAME = re.compile(r"^\w+$")


def elements(size):
    """`n` of `n * sizeof(T)`, where T has more than one byte."""
    found = ELEMENTS.match(size)
    if not found or ONE_BYTE.search(size):
        return None
    if found["first"]:
        return None if found["second"] else found["first"]
    return found["second"]


def elements_in_variable(code, index, size):
    """`n` of `size = n * sizeof(T)`, the last setting above the line in its function."""
    if not NAME.match(size):
        return None
    for line in reversed(code[:index]):
        if line.startswith("}"):
            return None
        if found := re.search(rf"(?<![\w.>]){size}\s*=(?!=)\s*([^;,]+);", line):
            return elements(found[1].strip())
    return None


def is_whole(copy):
    """The pattern has cut no argument in two."""
    return all(copy[part].count("(") == copy[part].count(")") for part in ("to", "from", "bytes"))


def wrong_sizes(copy, code, index, written):
    """Of each size that is wrong for the copy: the kind of fault, and the copy with it, which
    `written` makes of the number of bytes."""
    if count := elements(copy["bytes"]):
        yield "elements", written(count)
    if count := elements_in_variable(code, index, copy["bytes"]):
        yield "elements-variable", written(count)
    yield "too-many", written(f"2 * ({copy['bytes']})")


def read_by_host(line, device):
    """The copy's line, and a look at the memory of the device."""
    return f"{line} {{ volatile char xfer = ((const char*){device})[0]; (void)xfer; }}"
