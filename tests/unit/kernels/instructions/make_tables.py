#!/usr/bin/env python3
"""Writes the tables beside it: PTX instructions against the bits that the PTX ISA says they give.

Run it after a change of the scripts, and look at what changed in the tables. It shares nothing with
the translator: integers are Python's, floats are fractions that are rounded once.
"""

import importlib
import pathlib
import sys

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).parent
for module in ("integers", "logic", "arithmetic", "compare", "half", "approximate", "convert",
               "pack", "memory", "atomic", "newer", "video"):
    for name, table in importlib.import_module(module).tables().items():
        table.write(here / f"{name}.table")
