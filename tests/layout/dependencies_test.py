"""Checks which parts include which.

    rules <- analyzer
    rules <- runtime <- cupti_tracer
    rules, the annotations and the host-kernel headers <- tensorlib
    all <- tests, and nobody includes tests

Inside the analyzer its rooms (folders) use each other in one direction, and so do its units: a
header and the file that is named like it.
"""

import pathlib
import re
import unittest

import repository

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]', re.M)

# Folders that the build gives to the compiler. A quoted include is looked for beside its file
# first.
INCLUDE_ROOTS = ["", "rules", "rules/include", "runtime", "runtime/include",
                 "runtime/cuda_emulator", "runtime/cuda_emulator/include", "cupti_tracer",
                 "cupti_tracer/src", "cupti_tracer/launcher", "analyzer", "tensorlib",
                 "tensorlib/include", "tensorlib/src", "tests"]

# Made while building, from the toolkit's headers.
GENERATED = re.compile(r"^emulator_\w+\.inc$")

ALLOWED = {
    ".cmake": [],
    "rules": ["rules/"],
    "analyzer": ["analyzer/", "rules/"],
    "runtime": ["runtime/", "rules/"],
    "cupti_tracer": ["cupti_tracer/", "runtime/", "rules/"],
    "tensorlib": ["tensorlib/", "rules/", "runtime/include/xfer/annotate",
                  "runtime/include/xfer/assert", "runtime/cuda_emulator/include/"],
    "tests": [""],
}

# The rooms of a part: each may include those before it. Files in the part's own folder ("") are
# above the other rooms; `driver` is the way in from outside.
ROOMS = {
    "analyzer": ["models", "facts", "flow", "program", "checks", "", "driver"],
}

# Parts whose units use each other in one direction. A unit is a header and the file that is named
# like it.
UNITS = ["analyzer"]

# Circles of units that are still there. A new one is a fault; so is one in this list that is gone.
CIRCLES = [
    {"analyzer/analyze", "analyzer/analyze_program", "analyzer/unit_analysis"},
    {"analyzer/driver/console", "analyzer/driver/diagnostics", "analyzer/driver/parse",
     "analyzer/driver/parse_files", "analyzer/driver/worker", "analyzer/driver/worker_pool",
     "analyzer/driver/worker_process"},
    {"analyzer/driver/lint", "analyzer/driver/model_check"},
    {"analyzer/models/api_models", "analyzer/models/model_yaml"},
]

ENTRIES = {"tool_main.cc"}  # programs: above all rooms

# Headers of other people that a folder must not know, and the subfolders that may.
CUDA = re.compile(
    r"^(cuda|cupti|cublas|cudnn|nvtx|curand)\w*(\.h$|/)|^(driver_types|vector_types)\.h$")
LLVM = re.compile(r"^(clang|llvm)(-c)?/")
AST = re.compile(r"^clang/(AST|ASTMatchers|Analysis|Sema)/")
FORBIDDEN = [
    ("rules", CUDA, []), ("rules", LLVM, []),
    # Shims that xferlint gives to a parse; it includes none of them itself.
    ("analyzer", CUDA, ["analyzer/driver/shims/"]),
    # All knowledge of a unit is in its facts. The two front ends run Clang and hand its AST over.
    ("analyzer", AST, ["analyzer/facts/", "analyzer/precompiled.h", "analyzer/driver/parse.cc",
                       "analyzer/tidy_module.cc"]),
    ("runtime", CUDA, ["runtime/cuda_emulator/"]), ("runtime", LLVM, ["runtime/kernels/"]),
    ("cupti_tracer", LLVM, []),
    ("tensorlib/include", CUDA, []), ("tensorlib", LLVM, []),
]


def includes(path):
    """(quoted?, name) of every include directive outside comments and raw strings."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', repository.text_of(path), flags=re.S)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    # Code that only a CUDA compiler sees does not matter to a file that another one compiles.
    text = re.sub(r"^#if(def| defined\()[ ]?__CUDACC__\)?$.*?^#(else|endif)", "", text,
                  flags=re.S | re.M)
    return [(quote == '"', name) for quote, name in INCLUDE.findall(text)]


def resolve(path, name, quoted):
    """The repository's file that an include names, or None."""
    places = ([path.parent] if quoted else []) + [pathlib.Path(root) for root in INCLUDE_ROOTS]
    for place in places:
        candidate = pathlib.Path(*[part for part in (place / name).parts if part != "."])
        parts = []
        for part in candidate.parts:
            if part == ".." and parts:
                parts.pop()
            else:
                parts.append(part)
        candidate = pathlib.Path(*parts)
        if candidate in repository.file_set():
            return candidate
    return None


def circles(uses):
    """The sets of nodes of a graph that reach each other (Tarjan)."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for used in sorted(uses.get(node, ())):
            if used not in number:
                visit(used)
                lowest[node] = min(lowest[node], lowest[used])
            elif used in stack:
                lowest[node] = min(lowest[node], number[used])
        if lowest[node] == number[node]:
            start = stack.index(node)
            if len(stack) - start > 1:
                found.append(set(stack[start:]))
            del stack[start:]

    for node in sorted(uses):
        if node not in number:
            visit(node)
    return found


class Dependencies(unittest.TestCase):
    def test_direction(self):
        wrong = []
        for path in repository.code_files():
            allowed = ALLOWED.get(path.parts[0])
            self.assertIsNotNone(allowed, f"{path} is in a folder that ALLOWED does not know")
            for quoted, name in includes(path):
                target = resolve(path, name, quoted)
                if target and not any(target.as_posix().startswith(prefix) for prefix in allowed):
                    wrong.append(f"{path} includes {target}")
        self.assertEqual([], wrong)

    def test_rooms(self):
        """Of a part: its folders use each other in one direction."""
        wrong = []
        for path in repository.code_files():
            rooms = ROOMS.get(path.parts[0])
            if not rooms:
                continue
            room = path.parts[1] if len(path.parts) > 2 else ""
            if path.name in ENTRIES:
                room = rooms[-1]
            for quoted, name in includes(path):
                target = resolve(path, name, quoted)
                if not target or target.parts[0] != path.parts[0]:
                    continue
                used = target.parts[1] if len(target.parts) > 2 else ""
                self.assertIn(used, rooms, f"{target} is in a room that ROOMS does not know")
                if rooms.index(used) > rooms.index(room):
                    wrong.append(f"{path} includes {target}")
        self.assertEqual([], wrong)

    def test_units(self):
        """Of a part, one folder deeper: its units use each other in one direction."""
        uses = {}
        for path in repository.code_files():
            if path.parts[0] not in UNITS:
                continue
            unit = path.with_suffix("").as_posix()
            for quoted, name in includes(path):
                target = resolve(path, name, quoted)
                if target and target.parts[0] == path.parts[0]:
                    uses.setdefault(unit, set()).add(target.with_suffix("").as_posix())
        for unit, used in uses.items():
            used.discard(unit)
        found = circles(uses)
        self.assertEqual([], [sorted(circle) for circle in found if circle not in CIRCLES],
                         "these units use each other in a circle: let the lower one be given what "
                         "it needs, or part what both need from one of them")
        self.assertEqual([], [sorted(circle) for circle in CIRCLES if circle not in found],
                         "these circles are gone: take them out of CIRCLES")

    def test_no_header_includes_itself(self):
        """By way of others: what is taken for two units would be one."""
        uses = {path: {target for quoted, name in includes(path)
                       if (target := resolve(path, name, quoted))}
                for path in repository.code_files() if path.suffix == ".h"}
        done, circles = set(), []

        def visit(path, above):
            if path in above:
                circles.append(" -> ".join(map(str, above[above.index(path):] + [path])))
            elif path not in done:
                for target in sorted(uses.get(path, ())):
                    visit(target, above + [path])
                done.add(path)

        for path in sorted(uses):
            visit(path, [])
        self.assertEqual([], circles)

    def test_foreign_headers(self):
        wrong = []
        for path in repository.code_files():
            for folder, pattern, exceptions in FORBIDDEN:
                if not path.as_posix().startswith(folder + "/"):
                    continue
                if any(path.as_posix().startswith(prefix) for prefix in exceptions):
                    continue
                wrong += [f"{path} includes {name}" for _, name in includes(path)
                          if pattern.match(name)]
        self.assertEqual([], wrong)

    def test_quoted_includes_exist(self):
        """A quoted include is a file of this repository."""
        wrong = [f"{path} includes \"{name}\""
                 for path in repository.code_files()
                 for quoted, name in includes(path)
                 if quoted and not GENERATED.match(name) and resolve(path, name, quoted) is None]
        self.assertEqual([], wrong)

    def test_own_headers_are_quoted_or_public(self):
        """<...> names a public header: below an include folder."""
        wrong = []
        for path in repository.code_files():
            for quoted, name in includes(path):
                target = None if quoted else resolve(path, name, quoted)
                if target and "include" not in target.parts:
                    wrong.append(f"{path} includes <{name}>, which is {target}")
        self.assertEqual([], wrong)


if __name__ == "__main__":
    unittest.main()
