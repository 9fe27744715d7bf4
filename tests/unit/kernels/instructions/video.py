"""Video instructions: parts of registers, saturation, and what is done with a third operand."""

import itertools

from integers import clamp, number, pairs, signed
from writer import Table

WORD = 0xFFFFFFFF
OPERATIONS = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
    "vavrg": lambda a, b: (a + b + 1) >> 1 if a + b >= 0 else (a + b) >> 1,
}
COMPARISONS = {
    "eq": lambda a, b: int(a == b), "ne": lambda a, b: int(a != b), "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b), "gt": lambda a, b: int(a > b), "ge": lambda a, b: int(a >= b),
}
SECOND = {"add": lambda t, c: t + c, "min": min, "max": max}
KINDS = ("u32", "s32")
ROWS = [(a, b, c) for (a, b), c in zip(
    pairs(32) + [(0x7F80FF01, 0x80017FFE), (0x00FF8000, 0xFF00007F)],
    itertools.cycle([0, 1, WORD, 0x7FFFFFFF, 0x80000000, 0x12345678]))]


def bits_of(part):
    return {"": 32, "b": 8, "h": 16}[part[:1]]


def extract(word, part, kind):
    bits = bits_of(part)
    at = int(part[1:] or 0) * bits
    return number(word >> at & ((1 << bits) - 1), f"{kind[0]}{bits}")


def merged(value, part, word):
    bits = bits_of(part)
    mask = ((1 << bits) - 1) << int(part[1:] or 0) * bits
    return (value << int(part[1:] or 0) * bits) & mask | word & ~mask


def dotted(register, part):
    return register + (f".{part}" if part else "")


def scalar(t, name, kinds, function, parts=("", "", ""), sat=False, second="", more=""):
    """`kinds`: of the result and of both operands. `parts`: likewise."""
    to, first, other = parts

    def run(a, b, c):
        value = function(extract(a, first, kinds[1]), extract(b, other, kinds[2]))
        if sat:
            value = clamp(value, f"{kinds[0][0]}{bits_of(to)}")
        if second:
            return SECOND[second](value, number(c, kinds[0]))
        return merged(value, to, c)

    written = kinds[1:] if name == "vset" else kinds
    text = ".".join([name, *written, *(["sat"] if sat else []), *([more] if more else []),
                     *([second] if second else [])])
    operands = [dotted("%r", to), dotted("%a", first), dotted("%b", other)]
    if to or second:
        operands.append("%c")
    t.apply("b32 b32 b32 -> b32", f"{text} {', '.join(operands)}", run, ROWS)


def scalars(t):
    t.note("Of one value")
    for name, function in OPERATIONS.items():
        if name == "vavrg":
            continue
        for kinds in itertools.product(KINDS, repeat=3):
            for sat in (False, True):
                scalar(t, name, kinds, function, sat=sat)
        for to, kinds in (("b0", ("u32", "u32", "u32")), ("b3", ("s32", "s32", "s32")),
                          ("h1", ("u32", "s32", "s32")), ("h0", ("s32", "u32", "s32"))):
            scalar(t, name, kinds, function, (to, "h1", "b2"), sat=True)
            scalar(t, name, kinds, function, (to, "b3", "h0"))
        for second in SECOND:
            scalar(t, name, ("s32", "s32", "s32"), function, ("", "b1", "h1"), second=second)
            scalar(t, name, ("u32", "u32", "u32"), function, ("", "b0", "b3"), True, second)


def comparisons(t):
    t.note("Comparisons give 0 or 1")
    for name, function in COMPARISONS.items():
        for kinds in itertools.product(KINDS, repeat=2):
            scalar(t, "vset", ("u32", *kinds), function, more=name)
        scalar(t, "vset", ("u32", "s32", "u32"), function, ("h1", "b1", "h0"), more=name)
        scalar(t, "vset", ("u32", "s32", "s32"), function, ("", "b1", "b0"), more=name,
               second="add")


def shifts(t):
    t.note("Shifts")
    modes = {"clamp": lambda by: min(by, 32), "wrap": lambda by: by & 31}
    for name, shift in (("vshl", lambda a, by: a << by), ("vshr", lambda a, by: a >> by)):
        for mode, amount in modes.items():
            function = lambda a, b, s=shift, m=amount: s(a, m(b))
            for kinds in itertools.product(KINDS, repeat=2):
                for sat in (False, True):
                    scalar(t, name, (*kinds, "u32"), function, ("", "", "b0"), sat, more=mode)
            scalar(t, name, ("s32", "s32", "u32"), function, ("h1", "b2", "b1"), True, more=mode)
            scalar(t, name, ("u32", "u32", "u32"), function, ("", "h0", "b0"), more=mode,
                   second="add")


def multiplication(t):
    t.note("a * b + c, scaled")

    def vmad(kinds, parts=("", ""), sat=False, scale=0, minus=(False, False, False), po=False):
        is_signed = "s32" in kinds[1:] or minus[0] != minus[1] or minus[2]

        def run(a, b, c):
            product = extract(a, parts[0], kinds[1]) * extract(b, parts[1], kinds[2])
            if minus[0] != minus[1]:
                product = -product
            third = ~c & WORD if minus[2] else c
            value = product + (signed(third, 32) if is_signed else third) + int(po or minus[2])
            value >>= scale
            return clamp(value, "s32" if is_signed else "u32") if sat else value

        text = ".".join(["vmad", *kinds, *(["po"] if po else []), *(["sat"] if sat else []),
                         *([f"shr{scale}"] if scale else [])])
        operands = [("-" if m else "") + dotted(r, p)
                    for r, p, m in zip(("%a", "%b", "%c"), (*parts, ""), minus)]
        t.apply("b32 b32 b32 -> b32", f"{text} %r, {', '.join(operands)}", run, ROWS)

    for kinds in (("u32", "u32", "u32"), ("s32", "s32", "s32"), ("s32", "u32", "s32")):
        for sat in (False, True):
            for scale in (0, 7, 15):
                vmad(kinds, ("h1", "b0"), sat, scale)
        vmad(kinds, ("h0", "h1"), po=True)
    for minus in ((True, False, False), (False, True, False), (False, False, True)):
        vmad(("s32", "s32", "s32"), ("b3", "h0"), minus=minus)


def lanes(t, count):
    letter, bits = ("h", 16) if count == 2 else ("b", 8)

    def simd(name, kinds, function, to="", parts=("", ""), sat=False, add=False, more=""):
        first, other = (
            [int(digit) for digit in reversed(part[1:])] or [lane + base for lane in range(count)]
            for part, base in zip(parts, (0, count)))
        chosen = [int(digit) for digit in to[1:]] or list(range(count))

        def run(a, b, c):
            both = b << 32 | a
            part = lambda n, kind: extract(both >> (n // count * 32) & WORD, f"{letter}{n % count}",
                                           kind)
            result = c
            for lane in chosen:
                value = function(part(first[lane], kinds[1]), part(other[lane], kinds[2]))
                if sat:
                    value = clamp(value, f"{kinds[0][0]}{bits}")
                result = result + value if add else merged(value, f"{letter}{lane}", result)
            return result

        written = kinds[1:] if name.startswith("vset") else kinds
        text = ".".join([name, *written, *([more] if more else []), *(["sat"] if sat else []),
                         *(["add"] if add else [])])
        t.apply("b32 b32 b32 -> b32",
                f"{text} {dotted('%r', to)}, {dotted('%a', parts[0])}, {dotted('%b', parts[1])}, "
                "%c", run, ROWS)

    t.note("Of two halves" if count == 2 else "Of four bytes")
    mask, crossed = ("h1", ("h01", "h23")) if count == 2 else ("b20", ("b0123", "b7531"))
    for name, function in OPERATIONS.items():
        for kinds in itertools.product(KINDS, repeat=3):
            simd(f"{name}{count}", kinds, function)
        for kind in KINDS:
            simd(f"{name}{count}", (kind,) * 3, function, mask, crossed, sat=True)
            simd(f"{name}{count}", (kind,) * 3, function, add=True)
    for name, function in COMPARISONS.items():
        simd(f"vset{count}", ("u32", "u32", "u32"), function, more=name)
        simd(f"vset{count}", ("u32", "s32", "s32"), function, mask, crossed, more=name)
        simd(f"vset{count}", ("u32", "s32", "u32"), function, more=name, add=True)


def tables():
    t = Table("sm_90", "Video instructions.")
    for part in (scalars, comparisons, shifts, multiplication):
        part(t)
    for count in (2, 4):
        lanes(t, count)
    return {"video": t}
