"""The findings that the tools must report for a case file, as its comments say:

    // LINT: RULE[, fix]     xferlint reports RULE on this line; `fix`: with a repair, after which
                             the file is linted again and RULE is gone from it
    // NOTE: RULE            a finding of RULE has a note on this line
    // TRACE: RULE [xN]      xfertrace reports RULE on this line (N times)
    // RUN-ERROR: TYPE       the program ends by an uncaught exception TYPE, not with exit code 0
    // NAMED                 the program's output names this line (as FILE:LINE)
    // OUTPUT: TEXT          the output contains TEXT, after the TEXT of the OUTPUT before it

LINT, NOTE, TRACE and NAMED are about the line at whose end they stand, or when they stand alone,
about the next line with code. Nothing else may happen: no other finding, exit code 0.
"""

import pathlib
import re
from dataclasses import dataclass, field

WORD = re.compile(r"//\s*(LINT|NOTE|TRACE|RUN-ERROR|NAMED|OUTPUT)\b:?\s*((?:(?!//).)*)")


class BadCase(Exception):
    pass


@dataclass
class Expectations:
    lint: set = field(default_factory=set)        # (rule, line)
    fixes: set = field(default_factory=set)       # (rule, line), a part of lint
    notes: set = field(default_factory=set)       # (rule, line)
    trace: dict = field(default_factory=dict)     # (rule, line) -> count, or None
    error: str = ""
    named: set = field(default_factory=set)       # lines
    output: list = field(default_factory=list)


def read(path):
    found = Expectations()
    lines = pathlib.Path(path).read_text().splitlines()
    code = [number for number, line in enumerate(lines, 1)
            if line.strip() and not line.lstrip().startswith("//")]
    for number, line in enumerate(lines, 1):
        for word, rest in WORD.findall(line):
            rest = rest.strip()
            if word == "OUTPUT":
                found.output.append(line.partition("OUTPUT:")[2].strip())
                break
            if word == "RUN-ERROR":
                found.error = rest
                continue
            place = number
            if line.lstrip().startswith("//"):
                place = next((after for after in code if after > number), None)
                if place is None:
                    raise BadCase(f"{path}:{number}: {word} stands behind all code")
            _add(found, word, rest, place, f"{path}:{number}")
    return found


def _add(found, word, rest, line, where):
    if word == "NAMED":
        found.named.add(line)
        return
    match = re.fullmatch(r"([a-z-]+)(, fix)?(?: x(\d+))?", rest)
    if not match:
        raise BadCase(f"{where}: {word}: {rest!r} is not RULE, as expectations.py describes it")
    rule, fix, count = match.groups()
    if word == "LINT":
        found.lint.add((rule, line))
        if fix:
            found.fixes.add((rule, line))
    elif word == "NOTE":
        found.notes.add((rule, line))
    else:
        found.trace[rule, line] = int(count) if count else None
