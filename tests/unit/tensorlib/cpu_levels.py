"""Wide vectors are in libtensorlib.so, and only in the code that is chosen where a processor has
them.

usage: cpu_levels.py LIBRARY
"""

import re
import subprocess
import sys

# A copy of a function that the compiler made for callers in the same object file.
COPY = re.compile(r"\.(isra|constprop|part|cold)\b")


def main():
    library = sys.argv[1]
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", library], check=True,
                          capture_output=True, text=True).stdout
    inside, outside, function = 0, {}, ""
    for line in code.splitlines():
        if line.endswith(">:"):
            function = line[line.index("<") + 1:-2]
        elif re.search(r"%[yz]mm|\tv[a-z0-9]+ ", line):
            if "4avx2" in function:
                inside += 1
            elif not COPY.search(function):
                outside[function] = line.strip()
    for function, line in outside.items():
        print(f"{library}: {function} would end on an older processor: {line}")
    if inside == 0:
        print(f"{library}: has no code for AVX2")
    return 1 if outside or inside == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
