"""Who may include whom.

    rules <- analyzer
    rules <- runtime <- cupti_tracer
    rules, the annotations and the host-kernel headers <- tensorlib
    all <- tests, and nobody includes tests
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
    "rules": ["rules/"],
    "analyzer": ["analyzer/", "rules/"],
    "runtime": ["runtime/", "rules/"],
    "cupti_tracer": ["cupti_tracer/", "runtime/", "rules/"],
    "tensorlib": ["tensorlib/", "rules/", "runtime/include/xfer/annotate",
                  "runtime/include/xfer/assert", "runtime/cuda_emulator/include/"],
    "tests": [""],
}

# Headers of other people that a folder must not know, and the subfolders that may.
CUDA = re.compile(
    r"^(cuda|cupti|cublas|cudnn|nvtx|curand)\w*(\.h$|/)|^(driver_types|vector_types)\.h$")
LLVM = re.compile(r"^(clang|llvm)(-c)?/")
FORBIDDEN = [
    ("rules", CUDA, []), ("rules", LLVM, []),
    ("analyzer", CUDA, []),
    ("runtime", CUDA, ["runtime/cuda_emulator/"]), ("runtime", LLVM, []),
    ("cupti_tracer", LLVM, []),
    ("tensorlib/include", CUDA, []), ("tensorlib", LLVM, []),
]


def includes(path):
    """(quoted?, name) of every include directive outside comments and raw strings."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', repository.text_of(path), flags=re.S)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    # What only a CUDA compiler sees does not concern those who include a header without one.
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
