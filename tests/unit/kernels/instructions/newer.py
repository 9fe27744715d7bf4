"""Instructions of sm_100: pairs of f32, mixed types, three operands, floats of 6 and 4 bits."""

import floats
from arithmetic import MODES, functions, numbers, operation, pairs, result, triples
from convert import limited, narrow_rows
from floats import BF16, F16, F32, NAN, TF32, Format, Fraction
from half import extremes, joined
from writer import Table


def wide(function):
    """Of a half, for a pair of f32."""
    def apply(*codes):
        both = [function(*(c >> i & 0xFFFFFFFF for c in codes)) for i in (32, 0)]
        return "/".join(v if isinstance(v, str) else f"{v:08x}" for v in both)
    return apply


def of_pairs(t):
    t.note("Pairs of f32")
    for mode in MODES:
        for name, function in functions(mode).items():
            if name == "div":
                continue
            rows = triples(F32) if name == "fma" else pairs(F32)
            rows = [tuple(a << 32 | b for a, b in zip(x, y))
                    for x, y in zip(rows, rows[5:] + rows[:5])][::2]
            for ftz in (False, True):
                t.apply("f32x2 " * len(rows[0]) + "-> f32x2",
                        f"{name}.{mode}{'.ftz' * ftz}.f32x2 %r, %a, %b"
                        + ", %c" * (name == "fma"),
                        wide(operation(F32, mode, function, ftz, False)), rows)


def mixed(t):
    t.note("Mixed types: halves into an f32")
    for kind, f in (("f16", F16), ("bf16", BF16)):
        n, s = numbers(f), F32.sign
        rows = [(c, d) for c in (n["one"], n["tiny"], n["third"] | f.sign, n["max"], n["inf"],
                                 n["nan"])
                for d in (0x3F800001, 0xBF800000, 0x33800000, 1, 0x7F800000 | s)]
        for mode in MODES:
            for name, way in (("add", 0), ("sub", 1)):
                for sat in (False, True):
                    def sum_of(a, c):
                        y = F32.decode(c)
                        y = floats.negated(y) if way else y
                        return result(F32, mode, floats.add(f.decode(a), y, mode), False, sat)
                    t.apply(f"{kind} f32 -> f32",
                            f"{name}.{mode}{'.sat' * sat}.f32.{kind} %r, %a, %b", sum_of,
                            rows[::3] if sat else rows)
            t.apply(f"{kind} {kind} f32 -> f32", f"fma.{mode}.f32.{kind} %r, %a, %b, %c",
                    lambda a, b, c: result(F32, mode, floats.add(
                        floats.mul(f.decode(a), f.decode(b)), F32.decode(c), mode)),
                    [(a, n["third"], c) for a, c in rows])


def tf32(t):
    t.note("tf32, too large is the largest")
    for mode in ("rn", "rz"):
        def cut(v):
            x = F32.decode(v)
            return "nan" if x[1] == NAN else TF32.encode(x, mode, True) << 13
        t.apply("f32 -> f32", f"cvt.{mode}.satfinite.tf32.f32 %r, %a", cut, narrow_rows(F32, TF32))


class Finite(Format):
    """All codes are numbers; a NaN becomes the largest."""

    def __init__(self, exponent, mantissa):
        super().__init__(exponent, mantissa, False)
        self.max = self.sign - 1

    def decode(self, bits):
        sign, size = bits >> (self.bits - 1) & 1, bits & (self.sign - 1)
        top = Format(self.exponent + 1, self.mantissa)  # one bit more: nothing is special in it
        scale = Fraction(2) ** (top.bias - self.bias)
        if size < 1 << self.mantissa:
            step = Fraction(2) ** (1 - self.bias - self.mantissa)
            return sign, size * step
        return sign, top.decode(size)[1] * scale

    def encode(self, number, mode="rn", finite=True):
        code = super().encode(number, mode, finite)
        return self.max if code == "nan" else code


def small(t):
    t.note("Floats of six and four bits")
    for kind, g in (("e2m3", Finite(2, 3)), ("e3m2", Finite(3, 2)), ("e2m1", Finite(2, 1))):
        shift = 4 if kind == "e2m1" else 8
        for relu in (False, True):
            mods = ".relu" * relu
            one = lambda v: g.encode(limited(F32.decode(v), False, relu))
            sizes = [g.decode(c)[1] * k for c in range(1, g.sign)
                     for k in (1, Fraction(5, 4), Fraction(17, 16))]
            values = [F32.encode((s, size)) for size in sizes for s in (0, 1)]
            values += [0, 0x7F800000, 0xFF800000, 0x7FC00000, 0x80000001, 0x42FF0000]
            down = f"cvt.rn.satfinite{mods}.{kind}x2.f32"
            up = f"cvt.rn{mods}.f16x2.{kind}x2"
            if shift == 4:
                down = f"{down} x, %a, %b; mov.b16 %r, {{x, z}}; }}"
                down = "{ .reg .b8 x, z; mov.b16 {x, z}, 0; " + down
                up = "{ .reg .b8 x, z; mov.b16 {x, z}, %a; " + f"{up} %r, x; }}"
            else:
                down, up = f"{down} %r, %a, %b", f"{up} %r, %a"
            t.apply("f32 f32 -> b16", down, lambda a, b: one(a) << shift | one(b),
                    list(zip(values, values[5:] + values[:5])))
            back = lambda c: F16.encode(limited(g.decode(c), False, relu))
            top = g.sign * 2
            t.apply("b16 -> f16x2", up, lambda a: joined(back(a >> shift), back(a & (top - 1))),
                    [(c << shift | (c * 7 + 3) % top,) for c in range(top)])


def tables():
    t = Table("sm_100a", "What wants sm_100.")
    for part in (of_pairs, mixed, tf32, small):
        part(t)
    extremes(t, three=True)
    return {"newer": t}
