"""Sizes as programs write them: which of them count elements."""

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
