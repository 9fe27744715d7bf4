"""cvt of several numbers at once, and to formats that have no arithmetic."""

from convert import limited, narrow_rows
from floats import BF16, E4M3, E5M2, F16, F32, NAN, TF32
from half import joined
from integers import clamp, number
from writer import Table


def packed(t):
    t.note("Two floats in one register: the first operand is the upper half")
    for to, g in (("f16x2", F16), ("bf16x2", BF16)):
        ones = [r[0] for r in narrow_rows(F32, g)]
        rows = list(zip(ones, ones[7:] + ones[:7]))[::2]
        for mode in ("rn", "rz"):
            for relu in (False, True):
                one = lambda v: g.encode(limited(F32.decode(v), False, relu), mode)
                t.apply(f"f32 f32 -> {to}", f"cvt.{mode}{'.relu' * relu}.{to}.f32 %r, %a, %b",
                        lambda a, b: joined(one(a), one(b)), rows)
    t.note("tf32: an f32 with the upper ten bits of the mantissa")
    def tf32(x, mode, finite=False):
        return "nan" if x[1] == NAN else TF32.encode(x, mode, finite) << 13

    def upper(v, mode):
        """`rna` adds to the bits: a NaN of low ones alone is an infinity."""
        return v & ~0x1FFF if mode == "rna" and F32.decode(v)[1] == NAN else v

    for mode in ("rna", "rn", "rz"):
        for relu, finite in ((False, False), (True, False), (False, True)):
            if mode == "rna" and relu or mode != "rna" and finite:
                continue  # the second wants sm_100
            t.apply("f32 -> f32",
                    f"cvt.{mode}{'.satfinite' * finite}{'.relu' * relu}.tf32.f32 %r, %a",
                    lambda v: tf32(limited(F32.decode(upper(v, mode)), False, relu), mode,
                                   finite),
                    narrow_rows(F32, TF32))


def of_eight_bits(t):
    t.note("Floats of eight bits: too large is the largest, a NaN is 7f")
    for to, g in (("e4m3x2", E4M3), ("e5m2x2", E5M2)):
        def one(f, v, relu, g=g):
            code = g.encode(limited(f.decode(v), False, relu), "rn", True)
            return 0x7F if code == "nan" else code
        for relu in (False, True):
            mods = ".relu" * relu
            ones = [r[0] for r in narrow_rows(F32, g)]
            t.apply("f32 f32 -> b16", f"cvt.rn.satfinite{mods}.{to}.f32 %r, %a, %b",
                    lambda a, b: one(F32, a, relu) << 8 | one(F32, b, relu),
                    list(zip(ones, ones[5:] + ones[:5])))
            ones = [r[0] for r in narrow_rows(F16, g)]
            t.apply("f16x2 -> b16", f"cvt.rn.satfinite{mods}.{to}.f16x2 %r, %a",
                    lambda a: one(F16, a >> 16, relu) << 8 | one(F16, a & 0xFFFF, relu),
                    [(a << 16 | b,) for a, b in zip(ones, ones[5:] + ones[:5])])
            back = lambda c: F16.encode(limited(g.decode(c), False, relu))
            t.apply("b16 -> f16x2", f"cvt.rn{mods}.f16x2.{to} %r, %a",
                    lambda a: joined(back(a >> 8), back(a & 255)),
                    [(2 * i << 8 | 2 * i + 1,) for i in range(128)])


def integers_packed(t):
    t.note("cvt.pack: a above b, and c above both")
    rows = [(5, 0xFFFFFFFF, 0x12345678), (40000, 0xFFFF0000, 0xAABBCCDD),
            (0x7FFFFFFF, 0x80000000, 1), (200, 0xFFFFFF38, 0),
            (7, 0xFFFFFFF8, 0x11223344), (15, 8, 0xFFFFFFFF)]
    for to in ("u16", "s16"):
        cut = lambda v: clamp(number(v, "s32"), to) & 0xFFFF
        t.apply("b32 b32 -> b32", f"cvt.pack.sat.{to}.s32 %r, %a, %b",
                lambda a, b: cut(a) << 16 | cut(b), [r[:2] for r in rows])
    for to in ("u8", "s8", "u4", "s4", "u2", "s2"):
        bits = int(to[1:])
        cut = lambda v: clamp(number(v, "s32"), to) & ((1 << bits) - 1)
        t.apply("b32 b32 b32 -> b32", f"cvt.pack.sat.{to}.s32.b32 %r, %a, %b, %c",
                lambda a, b, c: c << 2 * bits | cut(a) << bits | cut(b), rows,
                absent=bits == 2)


def tables():
    t = Table("sm_90", "cvt of several numbers at once, and to formats without arithmetic.")
    for part in (packed, of_eight_bits, integers_packed):
        part(t)
    return {"packed": t}
