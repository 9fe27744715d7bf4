"""Writes tables of instructions; ../instruction_table.h says what they look like."""

BITS = {"pred": 1, "b16": 16, "b32": 32, "b64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64,
        "f16x2": 32, "bf16x2": 32, "f32x2": 64}


def text_of(value, kind):
    if isinstance(value, str):
        return value
    bits = BITS[kind]
    return f"{value & ((1 << bits) - 1):0{(bits + 3) // 4}x}"


class Table:
    def __init__(self, target, about):
        self.lines = ["# Made by make_tables.py.", f"# {about}", f"target {target}"]

    def note(self, text):
        self.lines += ["", f"# {text}"]

    def form(self, types, text, cases, absent=False):
        """`types`: "b32 b32 -> b32". `cases`: a list of inputs and a list of results each."""
        inputs, results = (side.split() for side in types.split("->"))
        self.lines.append(f"{'absent ' if absent else ''}{types} : {text}")
        for given, wanted in cases:
            assert len(given) == len(inputs) and len(wanted) == len(results), text
            left = " ".join(text_of(v, t) for v, t in zip(given, inputs))
            right = " ".join(text_of(v, t) for v, t in zip(wanted, results))
            self.lines.append(f"  {left} -> {right}".replace("   ->", "  ->"))

    def apply(self, types, text, function, rows, absent=False):
        """As `form`, of a function from the inputs to a result or a tuple of results."""
        cases = []
        for row in rows:
            wanted = function(*row)
            cases.append((row, wanted if isinstance(wanted, tuple) else (wanted,)))
        self.form(types, text, cases, absent)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines) + "\n")
