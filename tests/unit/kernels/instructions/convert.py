"""cvt between all types of numbers."""

from fractions import Fraction

from arithmetic import MODES, numbers
from floats import BF16, F16, F32, FORMATS, INF, NAN, rounded
from integers import clamp, number
from writer import Table

INTEGERS = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")
WHOLE = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}
FOUR = "rstu"


def register(kind, of_eight="b16"):
    if kind in FORMATS:
        return kind
    return of_eight if kind[1:] == "8" else f"b{kind[1:]}"


def between_integers(t):
    t.note("Integers: cut or extended, or clamped")
    for of in INTEGERS:
        bits = int(of[1:])
        some = {0, 1, 0x7F, 0x80, 0xFF, 0x8001, 0x7FFFFFFF, 0x80000000, 0xFFFFFF80, 0xFFFF7FFF,
                0x123456789ABCDEF0, (1 << 64) - 1, 1 << 63, (1 << 64) - 200}
        rows = [(v,) for v in sorted({v & ((1 << bits) - 1) for v in some})]
        for to in INTEGERS:
            wide = 1 << 64 if to[0] == "s" else 0
            types = f"{register(of, 'b32')} -> {register(to, 'b32')}"
            t.apply(types, f"cvt.{to}.{of} %r, %a", lambda v: number(number(v, of), to) + wide,
                    rows)
            if clamp(-1 << 63, of) < clamp(-1 << 63, to) or clamp(1 << 64, of) > clamp(1 << 64, to):
                t.apply(types, f"cvt.sat.{to}.{of} %r, %a",
                        lambda v: clamp(number(v, of), to) + wide, rows)


def whole(x, way):
    """To an integer, exactly as it is rounded."""
    return rounded(x[1], WHOLE[way], x[0]) * (-1 if x[0] else 1)


def to_integer(x, way, to, of):
    if x[1] == NAN:
        return number(1 << (int(to[1:]) - 1), to) if of == "f64" or to[1:] == "64" else 0
    if x[1] == INF:
        return clamp((-1 if x[0] else 1) << 70, to)
    return clamp(whole(x, way), to)


def floats_worth_converting(f):
    n = numbers(f)
    sizes = [Fraction(v) for v in (Fraction(1, 2), Fraction(3, 2), Fraction(5, 2), Fraction(7, 4),
                                   127, 128, Fraction(511, 2), 256, 32768, 65504, 2 ** 31, 2 ** 32,
                                   2 ** 63, 2 ** 64, 2 ** 31 - 128, 10 ** 10)]
    codes = [f.encode((0, v), "rz") for v in sizes] + [
        n[k] for k in ("zero", "one", "tiny", "less", "third", "max", "inf", "nan")]
    return [(c | s,) for c in dict.fromkeys(codes) for s in (0, f.sign)]


def to_integers(t):
    t.note("Floats to integers, in the four roundings: always clamped, a NaN as the ISA says")
    for of, f in FORMATS.items():
        for to in INTEGERS:
            if of == "bf16" and to[1:] == "8":
                continue  # ptxas takes none
            for ftz in (False, True) if of == "f32" else (False,):
                keep = f.flush if ftz else lambda x: x
                text = "; ".join(f"cvt.{w}{'.ftz' * ftz}.{to}.{of} %{r}, %a"
                                 for w, r in zip(WHOLE, FOUR))
                t.apply(f"{of} ->" + f" {register(to)}" * 4, text,
                        lambda v: tuple(to_integer(keep(f.decode(v)), w, to, of) for w in WHOLE),
                        floats_worth_converting(f))


def from_integers(t):
    t.note("Integers to floats, in the four roundings")
    some = (0, 1, 0x7F, 0x80, 0xFF, 0x101, 0x801, 0x803, 0x8000, 0xFFFF, 0x1000001, 0x1000003,
            0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF,
            0x8000000000000000, 0x8000008000000001, 0x20000000000001, 0x20000000000003,
            0x8000000000000401, 0xFFE0, 0xFFF0)
    for to, f in FORMATS.items():
        for of in INTEGERS:
            if to == "bf16" and of[1:] == "8":
                continue  # ptxas takes none
            rows = [(v,) for v in dict.fromkeys(v & ((1 << int(of[1:])) - 1) for v in some)]
            text = "; ".join(f"cvt.{m}.{to}.{of} %{r}, %a" for m, r in zip(MODES, FOUR))
            exact = lambda v: (int(number(v, of) < 0), Fraction(abs(number(v, of))))
            t.apply(f"{register(of)} ->" + f" {to}" * 4, text,
                    lambda v: tuple(f.encode(exact(v), m) for m in MODES), rows)


def limited(x, sat, relu):
    if x[1] == NAN:
        return (0, Fraction(0)) if sat else x
    if (sat or relu) and x[0]:
        return 0, Fraction(0)
    return (0, Fraction(1)) if sat and (x[1] == INF or x[1] > 1) else x


def narrow_rows(f, to):
    """Numbers at the edges of the other format."""
    n, codes = numbers(f), []
    for code in (1, 2, (1 << to.mantissa) - 1, 1 << to.mantissa, to.bias << to.mantissa,
                 (to.bias << to.mantissa) + 1, to.max - 1, to.max):
        size = to.decode(code)[1]
        above = to.decode(code + 1)[1]
        half = (size + above) / 2 if above not in (INF, NAN) else size + (
            size - to.decode(code - 1)[1]) / 2
        for v in (size, half, half * (1 + Fraction(1, 2 ** (f.mantissa - 1))),
                  size * Fraction(3, 4)):
            codes.append(f.encode((0, v), "rz"))
    codes += [n[k] for k in ("zero", "tiny", "sub", "third", "max", "inf", "nan", "quiet")]
    return [(c | s,) for c in dict.fromkeys(codes) for s in (0, f.sign)]


def between_floats(t):
    t.note("Floats to wider and to narrower ones")
    for of, f in FORMATS.items():
        for to, g in FORMATS.items():
            if f is g:
                continue
            wider = f.mantissa <= g.mantissa and f.exponent <= g.exponent
            rows = narrow_rows(f, g if f.bits >= g.bits else f)
            for ftz in (False, True) if F32 in (f, g) and BF16 not in (f, g) else (False,):
                keep = f.flush if ftz and f is F32 and g is not F16 else lambda x: x
                code = g.encode_flushed if ftz and g is F32 else g.encode
                modes = ("",) if wider and not (BF16 in (f, g) and of == "f16") else MODES
                text = "; ".join(f"cvt{'.' * bool(m)}{m}{'.ftz' * ftz}.{to}.{of} %{r}, %a"
                                 for m, r in zip(modes, FOUR))
                t.apply(f"{of} ->" + f" {to}" * len(modes), text,
                        lambda v: tuple(code(keep(f.decode(v)), m or "rn") for m in modes), rows)
            if BF16 not in (f, g):
                mode = "" if wider else ".rn"
                t.apply(f"{of} -> {to}", f"cvt{mode}.sat.{to}.{of} %r, %a",
                        lambda v: g.encode(limited(f.decode(v), True, False)), rows)
    for to, g in (("f16", F16), ("bf16", BF16)):
        for mode in ("rn", "rz"):
            for relu, finite in ((True, False), (False, True), (True, True)):
                t.apply(f"f32 -> {to}",
                        f"cvt.{mode}{'.relu' * relu}{'.satfinite' * finite}.{to}.f32 %r, %a",
                        lambda v: g.encode(limited(F32.decode(v), False, relu), mode, finite),
                        narrow_rows(F32, g))


def to_whole(t):
    t.note("Floats to whole numbers of the same type")
    for kind in ("f16", "f32", "f64"):
        f = FORMATS[kind]
        rows = floats_worth_converting(f)[:12] + [(numbers(f)[k] | s,) for s in (0, f.sign) for k in
                                                  ("zero", "tiny", "less", "max", "inf", "nan")]
        for ftz in (False, True) if kind == "f32" else (False,):
            keep = f.flush if ftz else lambda x: x
            text = "; ".join(f"cvt.{w}{'.ftz' * ftz}.{kind}.{kind} %{r}, %a"
                             for w, r in zip(WHOLE, FOUR))
            t.apply(f"{kind} ->" + f" {kind}" * 4, text,
                    lambda v: tuple(
                        f.encode(x if x[1] in (INF, NAN) else
                                 (x[0], Fraction(rounded(x[1], WHOLE[w], x[0]))))
                        for w in WHOLE for x in [keep(f.decode(v))]), rows)
        t.apply(f"{kind} -> {kind}", f"cvt.sat.{kind}.{kind} %r, %a",
                lambda v: "*" if v == f.sign else f.encode(limited(f.decode(v), True, False)),
                rows)


def tables():
    t = Table("sm_90", "cvt between all types of numbers.")
    for part in (between_integers, to_integers, from_integers, between_floats, to_whole):
        part(t)
    return {"conversions": t}
