"""Rows and totals of runs of other people's programs, as text."""

import collections
import dataclasses

from kernel_verdicts import KINDS

MISSING = "needs more"  # a library or a header that is not there
ENDS = ("passes", "says nothing", "fails its check")  # with exit code 0
UNCHECKED = ("says nothing", "waives", "needs data")  # these are no part of the percentage
COLUMNS = ("programs", MISSING, "does not build", "built", "exit 0", *KINDS,
           "% of checks", "skipped kernels", "in programs")


def row(build, result):
    """One program, as plain values."""
    program = build.program
    kind = f"needs {build.needs}" if build.needs else "does not build" if build.error else "built"
    values = {"collection": program.collection, "name": program.name, "kind": kind,
              "detail": build.error}
    if result:
        values.update(dataclasses.asdict(result), runs=program.runs)
    return values


def line(values):
    skipped = sum(values.get("skipped", {}).values())
    return (f"{values['collection'] + '/' + values['name']:54} {values['kind']:18}"
            f"{values.get('seconds', 0):7.1f} s"
            f"{f'{skipped} skipped' if skipped else '':>16}  {values['detail']}").rstrip()


def totals(rows):
    """Of each collection: how many programs ended in each way, and what was skipped."""
    found = {}
    for name in dict.fromkeys(values["collection"] for values in rows):
        its = [values for values in rows if values["collection"] == name]
        kinds = collections.Counter(MISSING if is_missing(values) else values["kind"]
                                    for values in its)
        run = [values for values in its if values["kind"] in KINDS]
        checked = sum(values["kind"] not in UNCHECKED for values in run)
        found[name] = {
            **dict.fromkeys(COLUMNS, 0), **kinds,
            "programs": len(its), "built": kinds["built"] + len(run),
            "exit 0": sum(kinds[kind] for kind in ENDS),
            "% of checks": round(100 * kinds["passes"] / checked, 1) if checked else 0,
            "skipped kernels": sum(len(values["skipped"]) for values in run),
            "in programs": sum(bool(values["skipped"]) for values in run)}
    return found


def is_missing(values):
    return values["kind"].startswith("needs ") and values["kind"] not in KINDS


def text(rows):
    found = totals(rows)
    parts = [*map(line, rows), "", " " * 20 + "".join(f"{name:>16}" for name in found)]
    for column in COLUMNS:
        parts.append(f"{column:20}" + "".join(f"{its[column]:16}" for its in found.values()))
    for name in found:
        missing = collections.Counter(values["kind"].removeprefix("needs ") for values in rows
                                      if values["collection"] == name and is_missing(values))
        if missing:
            parts.append(f"{name} needs " + ", ".join(f"{what} ({count})"
                                                      for what, count in missing.most_common()))
    return "\n".join(parts)
