"""Functions that devices approximate: results are as far off as the PTX ISA allows."""

import math
import struct

from arithmetic import numbers
from floats import BF16, F16, F32, F64, INF, NAN, Fraction
from writer import Table


def exact(x):
    """As a double of Python."""
    sign = -1.0 if x[0] else 1.0
    if x[1] == NAN:
        return math.nan
    return sign * (math.inf if x[1] == INF else float(x[1]))


def number_of(v):
    if math.isnan(v):
        return 0, NAN
    sign = int(math.copysign(1, v) < 0)
    return sign, INF if math.isinf(v) else abs(Fraction(v))


def guarded(function):
    def apply(*v):
        try:
            return function(*v)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan
    return apply


def log2(v):
    return -math.inf if v == 0 else math.log2(v)


def divided(v):
    return math.copysign(math.inf, v) if v == 0 else 1 / v


def root(v):
    return math.copysign(math.inf, v) if v == 0 else 0.0 if v == math.inf else 1 / math.sqrt(v)


def tolerant(f, function, units, ftz=False, absolute=0):
    """`absolute`: how far off it may be, where that is more than `units` are."""
    def apply(*codes):
        given = [f.decode(c) for c in codes]
        given = [f.flush(x) for x in given] if ftz else given
        number = number_of(guarded(function)(*(exact(x) for x in given)))
        number = f.flush(number) if ftz else number
        code = f.encode(number)
        if code == "nan" or number[1] in (0, INF):
            return code if code == "nan" else f"{code:0{f.bits // 4}x}"
        size = code & (f.sign - 1)
        if size == f.inf:
            return code
        off, least = units, number[1] - Fraction(absolute)
        if absolute:  # in codes, from the least number to the result
            low = f.encode((0, abs(least))) * (-1 if least < 0 else 1)
            off = max(units, size - low)
        return f"{code:0{f.bits // 4}x}~{off}"
    return apply


def single(v):
    return struct.unpack("<I", struct.pack("<f", v))[0]


def rows_of(values):
    return [(single(v),) for v in values]


def of_f32(t):
    t.note("f32")
    edges = [(c | s,) for n, c in numbers(F32).items() if n in ("zero", "one", "inf", "nan")
             for s in (0, F32.sign)]
    small = [(1,), (0x80000001,), (0x007FFFFF,)]
    powers = rows_of((0.5, -0.5, 1.75, 10.3, -20.9, 127.5, 128.5, -126.5, -149.5, -151.0, 1e-6))
    logs = rows_of((0.5, 2.0, 3.0, 10.0, 1e-30, 1e30, 0.1, 1023.0))
    angles = rows_of((0.5, -0.5, 1.0, 1.5, 2.0, 3.0, -3.0, 0.01, 1e-3))
    others = rows_of((2.0, 3.0, 0.1, 1e30, 1e-30, 7.5, 1234.5))
    for ftz in (False, True):
        m = ".ftz" * ftz
        for name, function, rows, units, absolute in (
                ("ex2.approx", lambda v: 2.0 ** v, edges + small + powers, 4, 0),
                ("lg2.approx", log2, edges + small + logs, 4, 2.0 ** -22),
                ("sin.approx", math.sin, edges + small[:2] + angles, 1, 2.0 ** -20.5),
                ("cos.approx", math.cos, edges + small[:2] + angles, 1, 2.0 ** -20.5),
                ("rcp.approx", divided, edges + others, 1, 0),
                ("rsqrt.approx", root, edges + others, 2, 0),
                ("sqrt.approx", math.sqrt, edges + others, 2, 0)):
            t.apply("f32 -> f32", f"{name}{m}.f32 %r, %a",
                    tolerant(F32, function, units, ftz, absolute), rows)
        ratios = [(single(a), single(b)) for a, b in ((1.0, 3.0), (-10.0, 7.0), (1e20, 3e-10),
                                                      (0.0, 5.0), (5.0, 0.0), (0.0, 0.0),
                                                      (1.5, -0.1), (math.inf, 2.0))]
        ratio = lambda a, b: a * divided(b) if b == 0 or math.isinf(a) else a / b
        for kind in ("approx", "full"):
            t.apply("f32 f32 -> f32", f"div.{kind}{m}.f32 %r, %a, %b",
                    tolerant(F32, ratio, 2, ftz), ratios)
    tanhs = rows_of((0.1, -0.5, 1.0, 3.0, -20.0, 1e-3))
    t.apply("f32 -> f32", "tanh.approx.f32 %r, %a", tolerant(F32, math.tanh, 2 ** 13),
            edges + tanhs)


def of_halves(t):
    for kind, f in (("f16", F16), ("bf16", BF16)):
        t.note(kind)
        n, s = numbers(f), f.sign
        rows = [(c | m,) for c in (0, n["one"], n["inf"], n["nan"], n["half"], n["three"])
                for m in (0, s)]
        rows += [(f.encode((0, Fraction(19, 4))),), (f.encode((1, Fraction(9))),)]
        power, hyperbola = lambda v: 2.0 ** v, math.tanh
        ftz = kind == "bf16"
        if ftz:
            rows.append((f.encode((1, Fraction(130))),))  # to what .ftz takes for zero
        for name, function, units, flush in ((f"ex2.approx{'.ftz' * ftz}", power, 4, ftz),
                                             ("tanh.approx", hyperbola, 2 if f is F16 else 1,
                                              False)):
            one = tolerant(f, function, units, flush)
            t.apply(f"{kind} -> {kind}", f"{name}.{kind} %r, %a", one, rows)
            text = lambda v: v if isinstance(v, str) else f"{v:04x}"
            t.apply(f"{kind}x2 -> {kind}x2", f"{name}.{kind}x2 %r, %a",
                    lambda a, g=one: f"{text(g(a >> 16))}/{text(g(a & 0xFFFF))}",
                    [(a[0] << 16 | b[0],) for a, b in zip(rows, rows[3:] + rows[:3])])


def by_halves(apply):
    """`.ftz` of an f64 looks at the upper half: a NaN may be an infinity there."""
    def of(code):
        return apply(code >> 32 << 32 if F64.decode(code)[1] == NAN else code)
    return of


def of_f64(t):
    t.note("f64: the upper half alone is computed, the lower one is zero")
    n = numbers(F64)
    rows = [(c | s,) for c in (0, n["one"], n["three"], n["third"], n["inf"], n["nan"])
            for s in (0, F64.sign)]
    for name, function in (("rcp.approx.ftz", divided), ("rsqrt.approx.ftz", root),
                           ("rsqrt.approx", root)):
        ftz = name.endswith("ftz")
        near = tolerant(F64, function, 2 ** 32, ftz)
        t.apply("f64 -> f64", f"{name}.f64 %r, %a", by_halves(near) if ftz else near, rows)


def tables():
    t = Table("sm_90", "Functions that devices approximate: as far off as the PTX ISA allows.")
    of_f32(t)
    of_halves(t)
    of_f64(t)
    return {"functions": t}
