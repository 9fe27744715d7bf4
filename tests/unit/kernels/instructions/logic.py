"""Logic, shifts, and the counting and moving of bits, by the pseudocode of the PTX ISA."""

from integers import edges, pairs, signed
from writer import Table


def singles(bits):
    e = edges(bits)
    return [(v,) for v in (0, 1, 2, e["ones"], e["min"], e["max"], e["some"], e["other"])]


def logic(t):
    for bits in (16, 32, 64):
        two = f"b{bits} b{bits} -> b{bits}"
        one = f"b{bits} -> b{bits}"
        rows = [(e[0], e[1]) for e in pairs(bits)[-5:]]
        t.apply(two, f"and.b{bits} %r, %a, %b", lambda a, b: a & b, rows)
        t.apply(two, f"or.b{bits} %r, %a, %b", lambda a, b: a | b, rows)
        t.apply(two, f"xor.b{bits} %r, %a, %b", lambda a, b: a ^ b, rows)
        t.apply(one, f"not.b{bits} %r, %a", lambda a: ~a, singles(bits))
        t.apply(one, f"cnot.b{bits} %r, %a", lambda a: int(a == 0), singles(bits))
    rows = [(0, 0), (0, 1), (1, 0), (1, 1)]
    for name, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b),
                    ("xor", lambda a, b: a ^ b)):
        t.apply("pred pred -> pred", f"{name}.pred %r, %a, %b", f, rows)
    t.apply("pred -> pred", "not.pred %r, %a", lambda a: 1 - a, [(0,), (1,)])


def shifts(t):
    t.note("Shifts: an amount of the width or more leaves no bits, or the sign alone")
    for bits in (16, 32, 64):
        e = edges(bits)
        amounts = (0, 1, 7, bits - 1, bits, bits + 1, 2 * bits, 255, 256, 0x80000000, 0xFFFFFFFF)
        rows = [(v, n) for v in (e["some"], e["max"], e["min"]) for n in amounts]
        types = f"b{bits} b32 -> b{bits}"
        t.apply(types, f"shl.b{bits} %r, %a, %b", lambda v, n: v << min(n, bits), rows)
        for kind in ("b", "u"):
            t.apply(types, f"shr.{kind}{bits} %r, %a, %b", lambda v, n: v >> n, rows)
        t.apply(types, f"shr.s{bits} %r, %a, %b", lambda v, n: signed(v, bits) >> n, rows)
    rows = [(0x9E3779B9, 0x7F4A7C15, n) for n in (0, 1, 8, 31, 32, 33, 63, 64, 255, 0xFFFFFFFF)]
    for mode, amount in (("clamp", lambda n: min(n, 32)), ("wrap", lambda n: n & 31)):
        t.apply("b32 b32 b32 -> b32", f"shf.l.{mode}.b32 %r, %a, %b, %c",
                lambda a, b, n, f=amount: (b << 32 | a) << f(n) >> 32, rows)
        t.apply("b32 b32 b32 -> b32", f"shf.r.{mode}.b32 %r, %a, %b, %c",
                lambda a, b, n, f=amount: (b << 32 | a) >> f(n), rows)


def lookup(a, b, c, table):
    return sum((table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i
               for i in range(32))


def tables_of_three(t):
    t.note("All 256 functions of three bits, eight at a time")
    rows = [(0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA), (0x9E3779B9, 0x7F4A7C15, 0x6A09E667)]
    for first in range(0, 256, 8):
        text = "; ".join(f"lop3.b32 %{r}, %a, %b, %c, {first + i:#04x}"
                         for i, r in enumerate("rstuvwxy"))
        t.apply("b32 b32 b32 ->" + " b32" * 8, text,
                lambda a, b, c, n=first: tuple(lookup(a, b, c, n + i) for i in range(8)), rows)
    rows = [(0xF0, 0xCC, 0xAA, 0), (0xF0, 0xCC, 0xAA, 1), (0, 0, 0, 0), (0, 0, 0, 1)]
    t.apply("b32 b32 b32 pred -> b32 pred", "lop3.or.b32 %r|%s, %a, %b, %c, 0x80, %d",
            lambda a, b, c, p: (a & b & c, int(a & b & c != 0) | p), rows)
    t.apply("b32 b32 b32 pred -> b32 pred", "lop3.and.b32 %r|%s, %a, %b, %c, 0x80, %d",
            lambda a, b, c, p: (a & b & c, int(a & b & c != 0) & p), rows)


def place_of(number, bits):
    """The ISA says eight bits. An H200 has that of fields of 32 bits alone."""
    return number & 255 if bits == 32 else number


def extract(a, b, c, bits, sign):
    top, pos, length = bits - 1, place_of(b, bits), place_of(c, bits)
    fill = a >> min(pos + length - 1, top) & 1 if sign and length else 0
    return sum((a >> (pos + i) & 1 if i < length and pos + i <= top else fill) << i
               for i in range(bits))


def insert(a, b, c, d, bits):
    pos, length = place_of(c, bits), place_of(d, bits)
    for i in range(min(length, bits)):
        if pos + i < bits:
            b = b & ~(1 << (pos + i)) | (a >> i & 1) << (pos + i)
    return b


def fields(t):
    t.note("Bit fields: positions and lengths are eight bits, in those of 64 bits all")
    for bits in (32, 64):
        e = edges(bits)
        places = [(0, 0), (0, 1), (0, bits), (4, 8), (bits - 8, 8), (bits - 4, 8), (bits - 1, 1),
                  (bits, 4), (bits + 8, 4), (255, 255), (3, 255), (256, 4), (0, 256 + 5), (7, 0),
                  (0x80000003, 0xFFFFFF04), (1, bits - 1)]
        rows = [(v, *p) for v in (e["some"], e["other"]) for p in places]
        for sign, kind in ((False, "u"), (True, "s")):
            t.apply(f"b{bits} b32 b32 -> b{bits}", f"bfe.{kind}{bits} %r, %a, %b, %c",
                    lambda a, b, c: extract(a, b, c, bits, sign), rows)
        t.apply(f"b{bits} b{bits} b32 b32 -> b{bits}", f"bfi.b{bits} %r, %a, %b, %c, %d",
                lambda a, b, c, d: insert(a, b, c, d, bits),
                [(e["some"], v, *p) for v in (0, e["ones"]) for p in places])


def find_high(a, bits, sign, amount):
    if sign and a >> (bits - 1):
        a = ~a & ((1 << bits) - 1)
    if a == 0:
        return -1
    return bits - a.bit_length() if amount else a.bit_length() - 1


def find_nth(mask, base, offset):
    offset = signed(offset, 32)
    if offset == -1 << 31:
        return "*"  # an H200 gives 0
    if offset == 0:
        return base if mask >> base & 1 else -1
    places = [i for i in (range(base, 32) if offset > 0 else range(base, -1, -1)) if mask >> i & 1]
    return places[abs(offset) - 1] if abs(offset) <= len(places) else -1


def counting(t):
    t.note("Counting and finding")
    for bits in (32, 64):
        one, rows = f"b{bits} -> b32", singles(bits)
        t.apply(one, f"popc.b{bits} %r, %a", lambda a: bin(a).count("1"), rows)
        t.apply(one, f"clz.b{bits} %r, %a", lambda a: bits - a.bit_length(), rows)
        t.apply(f"b{bits} -> b{bits}", f"brev.b{bits} %r, %a",
                lambda a: int(f"{a:0{bits}b}"[::-1], 2), rows)
        for sign, kind in ((False, "u"), (True, "s")):
            for amount in (False, True):
                t.apply(one, f"bfind{'.shiftamt' * amount}.{kind}{bits} %r, %a",
                        lambda a: find_high(a, bits, sign, amount), rows)
    rows = [(m, b, n) for m in (0x80000001, 0x00F0F00F, 0, 0xFFFFFFFF)
            for b, n in ((0, 0), (0, 1), (0, 2), (31, 0xFFFFFFFF), (31, 0xFFFFFFFE), (12, 3),
                         (12, 0xFFFFFFFB), (16, 32), (16, 0), (0, 0x80000000))]
    t.apply("b32 b32 b32 -> b32", "fns.b32 %r, %a, %b, %c", find_nth, rows)


MODES = {  # the bytes of {b, a} that become byte 3, 2, 1 and 0, by the two bits of c
    "f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
    "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
    "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"]}


def permute(a, b, c):
    both, result = b << 32 | a, 0
    for i in range(4):
        nibble = c >> (4 * i) & 15
        byte = both >> (8 * (nibble & 7)) & 255
        if nibble & 8:
            byte = 255 if byte & 128 else 0
        result |= byte << (8 * i)
    return result


def bytes_of(t):
    t.note("Bytes")
    a, b = 0x83828180, 0x07068504
    t.apply("b32 b32 b32 -> b32", "prmt.b32 %r, %a, %b, %c", permute,
            [(a, b, c) for c in (0x3210, 0x7654, 0x0123, 0xFEDC, 0xBA98, 0x8D8D, 0xFFFF3210, 0)])
    for mode, rows in MODES.items():
        t.apply("b32 b32 b32 -> b32", f"prmt.b32.{mode} %r, %a, %b, %c",
                lambda a, b, c: int.from_bytes(
                    [(b << 32 | a) >> (8 * int(i)) & 255 for i in rows[c & 3]], "big"),
                [(a, b, c) for c in (0, 1, 2, 3, 4, 7, 0xFFFFFFF2)])


def mask(a, b, clamp):
    low, count = a & 31, b & 31
    top = low + count
    first = 0 if clamp and a >= 32 else -1 << low
    above = 0 if top >= 32 or clamp and (a >= 32 or b >= 32) else -1 << top
    return first & ~above


def extend(a, b, clamp, sign):
    count = b & 31
    large = clamp and b >= 32
    above = 0 if large else -1 << count
    negative = sign and count != 0 and not large and a >> (count - 1) & 1
    return a & ~above | (above if negative else 0)


def masks(t):
    t.note("Masks and extensions")
    amounts = (0, 1, 8, 31, 32, 33, 63, 64, 0xFFFFFFFF)
    for clamp, mode in ((True, "clamp"), (False, "wrap")):
        t.apply("b32 b32 -> b32", f"bmsk.{mode}.b32 %r, %a, %b", lambda a, b: mask(a, b, clamp),
                [(a, b) for a in amounts for b in amounts])
        for sign, kind in ((False, "u32"), (True, "s32")):
            t.apply("b32 b32 -> b32", f"szext.{mode}.{kind} %r, %a, %b",
                    lambda a, b: extend(a, b, clamp, sign),
                    [(a, b) for a in (0x9E3779B9, 0x80FF7F01) for b in amounts])


def tables():
    t = Table("sm_90", "Logic, shifts, and the counting and moving of bits.")
    for part in (logic, shifts, tables_of_three, fields, counting, bytes_of, masks):
        part(t)
    return {"bits": t}
