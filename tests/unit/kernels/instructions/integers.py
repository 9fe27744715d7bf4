"""Arithmetic on integers: what the PTX ISA says, in Python's unbounded integers."""

from writer import Table


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def number(value, kind):
    """The bits as a number of the type `s32`, `u16`."""
    bits = int(kind[1:])
    return signed(value, bits) if kind[0] == "s" else value & ((1 << bits) - 1)


def clamp(value, kind):
    bits = int(kind[1:])
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (
        0, (1 << bits) - 1)
    return max(low, min(high, value))


def edges(bits):
    return {"max": (1 << (bits - 1)) - 1, "min": 1 << (bits - 1), "ones": (1 << bits) - 1,
            "some": 0x9E3779B97F4A7C15 >> (64 - bits), "other": 0x6A09E667F3BCC908 >> (64 - bits)}


def pairs(bits):
    e = edges(bits)
    return [(0, 0), (1, e["ones"]), (e["max"], 1), (e["min"], e["ones"]), (e["min"], 1),
            (e["max"], e["max"]), (e["min"], e["min"]), (e["ones"], e["ones"]), (0, e["min"]),
            (e["some"], e["other"]), (e["other"], e["some"]), (e["some"], 7), (100, e["ones"] - 6)]


def triples(bits):
    e = edges(bits)
    thirds = [0, 1, e["ones"], e["max"], e["min"], e["some"]]
    return [(a, b, thirds[i % 6]) for i, (a, b) in enumerate(pairs(bits))]


def divide(a, b, kind):
    """Truncates. By zero: all ones, of both results, as the code does that ptxas makes."""
    x, y = number(a, kind), number(b, kind)
    if y == 0:
        return -1, -1
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return quotient, x - quotient * y


def basic(t):
    for kind in ("u16", "s16", "u32", "s32", "u64", "s64"):
        bits = int(kind[1:])
        reg = f"b{bits}"
        two, three = f"{reg} {reg} -> {reg}", f"{reg} {reg} {reg} -> {reg}"
        of = lambda f, k=kind: lambda *v: f(*(number(x, k) for x in v))
        rows = pairs(bits)
        t.note(kind)
        t.apply(two, f"add.{kind} %r, %a, %b", of(lambda a, b: a + b), rows)
        t.apply(two, f"sub.{kind} %r, %a, %b", of(lambda a, b: a - b), rows)
        t.apply(two, f"mul.lo.{kind} %r, %a, %b", of(lambda a, b: a * b), rows)
        t.apply(two, f"mul.hi.{kind} %r, %a, %b", of(lambda a, b: a * b >> bits), rows)
        t.apply(two, f"div.{kind} %r, %a, %b", lambda a, b: divide(a, b, kind)[0],
                rows + [(5, 0), (edges(bits)["min"], 0), (edges(bits)["some"], 3)])
        t.apply(two, f"rem.{kind} %r, %a, %b", lambda a, b: divide(a, b, kind)[1],
                rows + [(5, 0), (edges(bits)["min"], 0), (edges(bits)["some"], 3)])
        t.apply(two, f"min.{kind} %r, %a, %b", of(min), rows)
        t.apply(two, f"max.{kind} %r, %a, %b", of(max), rows)
        rows = triples(bits)
        t.apply(three, f"mad.lo.{kind} %r, %a, %b, %c", of(lambda a, b, c: a * b + c), rows)
        t.apply(three, f"mad.hi.{kind} %r, %a, %b, %c", of(lambda a, b, c: (a * b >> bits) + c),
                rows)
        t.apply(three, f"sad.{kind} %r, %a, %b, %c", of(lambda a, b, c: c + abs(a - b)), rows)
        if bits < 64:
            wide = f"b{2 * bits}"
            t.apply(f"{reg} {reg} -> {wide}", f"mul.wide.{kind} %r, %a, %b",
                    of(lambda a, b: a * b), pairs(bits))
            t.apply(f"{reg} {reg} {wide} -> {wide}", f"mad.wide.{kind} %r, %a, %b, %c",
                    lambda a, b, c: number(a, kind) * number(b, kind) + c,
                    [(a, b, x[0]) for (a, b), x in zip(pairs(bits), triples(2 * bits))])
        if kind[0] == "s":
            one = f"{reg} -> {reg}"
            e = edges(bits)
            ones = [(v,) for v in (0, 1, e["ones"], e["min"], e["max"], e["some"])]
            t.apply(one, f"abs.{kind} %r, %a", of(abs), ones)
            t.apply(one, f"neg.{kind} %r, %a", of(lambda a: -a), ones)


def saturating(t):
    t.note(".sat")
    of = lambda f: lambda *v: clamp(f(*(number(x, "s32") for x in v)), "s32")
    two, three = "b32 b32 -> b32", "b32 b32 b32 -> b32"
    t.apply(two, "add.sat.s32 %r, %a, %b", of(lambda a, b: a + b), pairs(32))
    t.apply(two, "sub.sat.s32 %r, %a, %b", of(lambda a, b: a - b), pairs(32))
    t.apply(three, "mad.hi.sat.s32 %r, %a, %b, %c", of(lambda a, b, c: (a * b >> 32) + c),
            triples(32) + [(0x40000000, 0x40000000, 0x7FFFFFFF), (0x80000000, 16, 0x80000003)])


def of_24_bits(t):
    t.note("24 bits")
    for kind in ("u32", "s32"):
        cut = lambda v, k=kind: number(v & 0xFFFFFF, f"{k[0]}24")
        lo = lambda a, b: cut(a) * cut(b)
        hi = lambda a, b: cut(a) * cut(b) >> 16
        rows = pairs(32) + [(0xFFFFFF, 0xFFFFFF), (0x800000, 0x800000), (0x7FFFFF, 0x7FFFFF)]
        with_c = [(a, b, c) for (a, b), (_, _, c) in zip(rows, triples(32) * 2)]
        for name, f in (("lo", lo), ("hi", hi)):
            t.apply("b32 b32 -> b32", f"mul24.{name}.{kind} %r, %a, %b", f, rows)
            t.apply("b32 b32 b32 -> b32", f"mad24.{name}.{kind} %r, %a, %b, %c",
                    lambda a, b, c, f=f: f(a, b) + c, with_c)
    t.apply("b32 b32 b32 -> b32", "mad24.hi.sat.s32 %r, %a, %b, %c",
            lambda a, b, c: clamp((cut(a) * cut(b) >> 16) + signed(c, 32), "s32"),
            with_c + [(0x7FFFFF, 0x7FFFFF, 0x7FFFFFFF), (0x7FFFFF, 0x800000, 0x80000000)])


def dot_products(t):
    t.note("Dot products")
    rows = [(0, 0, 0), (0xFFFFFFFF, 0xFFFFFFFF, 0), (0x80808080, 0x7F7F7F7F, 1),
            (0x01020304, 0x05060708, 0xFFFFFFFF), (0x80017FFF, 0xFF80017F, 0x12345678),
            (0x9E3779B9, 0x7F4A7C15, 0x80000000)]
    part = lambda v, i, bits, kind: number(v >> (i * bits) & ((1 << bits) - 1), f"{kind[0]}{bits}")
    for a_kind in ("u32", "s32"):
        for b_kind in ("u32", "s32"):
            t.apply("b32 b32 b32 -> b32", f"dp4a.{a_kind}.{b_kind} %r, %a, %b, %c",
                    lambda a, b, c: c + sum(part(a, i, 8, a_kind) * part(b, i, 8, b_kind)
                                            for i in range(4)), rows)
            for first, name in ((0, "lo"), (2, "hi")):
                t.apply("b32 b32 b32 -> b32", f"dp2a.{name}.{a_kind}.{b_kind} %r, %a, %b, %c",
                        lambda a, b, c: c + sum(
                            part(a, i, 16, a_kind) * part(b, first + i, 8, b_kind)
                            for i in range(2)), rows)


def carries(t):
    t.note("Chains: two words each, low and high, then the carry or the borrow")
    for bits in (32, 64):
        reg, mask = f"b{bits}", (1 << bits) - 1
        e = edges(bits)
        rows = [(e["ones"], 0, 1, 0), (e["ones"], e["ones"], 1, 0), (0, 0, 1, 0), (0, 1, 0, 1),
                (e["some"], e["other"], e["other"], e["some"]), (e["min"], e["max"], e["min"], 0),
                (0, 0, e["ones"], e["ones"]), (5, 5, 5, 5)]
        types = f"{reg} {reg} {reg} {reg} -> {reg} {reg} {reg}"

        def split(total):
            return total & mask, total >> bits & mask, total >> (2 * bits)

        def add(a, b, c, d):
            return split((b << bits | a) + (d << bits | c))

        def sub(a, b, c, d):
            low, high, borrow = split((b << bits | a) - (d << bits | c))
            return low, high, borrow & 1

        for kind in (f"u{bits}", f"s{bits}"):
            t.apply(types, f"add.cc.{kind} %r, %a, %c; addc.cc.{kind} %s, %b, %d; "
                    f"addc.{kind} %t, 0, 0", add, rows)
            t.apply(types, f"sub.cc.{kind} %r, %a, %c; subc.cc.{kind} %s, %b, %d; "
                    f"subc.{kind} %t, 0, 0; neg.s{bits} %t, %t", sub, rows)
            # a * b + {d, c}, in two words, and what is carried out of them.
            t.apply(types, f"mad.lo.cc.{kind} %r, %a, %b, %c; madc.hi.cc.{kind} %s, %a, %b, %d; "
                    f"addc.{kind} %t, 0, 0",
                    lambda a, b, c, d, k=kind: split(
                        (number(a, k) * number(b, k) & ((1 << 2 * bits) - 1)) + (d << bits | c)),
                    rows)
            t.apply(f"{reg} {reg} {reg} {reg} -> {reg} {reg}",
                    f"mad.hi.cc.{kind} %r, %a, %b, %c; madc.lo.{kind} %s, %a, %b, %d",
                    lambda a, b, c, d, k=kind: (
                        (number(a, k) * number(b, k) >> bits) + c,
                        number(a, k) * number(b, k) + d
                        + (((number(a, k) * number(b, k) >> bits & mask) + c) >> bits)), rows)


def of_pairs(t):
    t.note("Both halves of a register")
    rows = pairs(32) + [(0x7FFF8000, 0x00018000), (0x80007FFF, 0xFFFF0001)]
    halves = lambda v, k: (number(v, k), number(v >> 16, k))
    for kind in ("u16", "s16"):
        for name, f in (("add", lambda a, b: a + b), ("min", min), ("max", max)):
            t.apply("b32 b32 -> b32", f"{name}.{kind}x2 %r, %a, %b",
                    lambda a, b, f=f, k=kind: sum(
                        (f(x, y) & 0xFFFF) << 16 * i
                        for i, (x, y) in enumerate(zip(halves(a, k), halves(b, k)))), rows)
    for name, f in (("min", min), ("max", max)):
        t.apply("b32 b32 -> b32", f"{name}.relu.s16x2 %r, %a, %b",
                lambda a, b, f=f: sum((max(f(x, y), 0) & 0xFFFF) << 16 * i for i, (x, y) in
                                      enumerate(zip(halves(a, "s16"), halves(b, "s16")))), rows)
        t.apply("b32 b32 -> b32", f"{name}.relu.s32 %r, %a, %b",
                lambda a, b, f=f: max(f(signed(a, 32), signed(b, 32)), 0), rows)


def tables():
    t = Table("sm_90", "Arithmetic on integers.")
    for part in (basic, saturating, of_24_bits, dot_products, carries, of_pairs):
        part(t)
    return {"integers": t}
