"""Arithmetic on f32 and f64 in all roundings, with .ftz and .sat."""

import floats
from floats import F32, FORMATS
from writer import Table

MODES = ("rn", "rz", "rm", "rp")


def numbers(f):
    """Codes that are worth trying, by name."""
    one = f.bias << f.mantissa
    return {"zero": 0, "tiny": 1, "sub": (1 << f.mantissa) - 1, "least": 1 << f.mantissa,
            "one": one, "more": one + 1, "less": one - 1, "half": one - (1 << f.mantissa),
            "third": one + 0x5555555555555 % (1 << f.mantissa), "max": f.max, "inf": f.inf,
            "nan": f.inf + 1, "quiet": f.inf | 1 << (f.mantissa - 1),
            "three": one + (3 << f.mantissa) // 2, "step": one - (f.mantissa << f.mantissa),
            "under": one - ((f.mantissa + 1) << f.mantissa)}


def pairs(f):
    n, s = numbers(f), f.sign
    named = [("one", "step", 0), ("one", "under", 0), ("more", "under", 0), ("one", "under", 1),
             ("third", "third", 0), ("third", "more", 1), ("max", "max", 0), ("max", "more", 1),
             ("one", "one", 1), ("zero", "zero", 1), ("zero", "zero", 0), ("tiny", "tiny", 0),
             ("tiny", "half", 0), ("sub", "tiny", 1), ("least", "half", 0), ("least", "less", 0),
             ("least", "tiny", 1), ("sub", "three", 0), ("inf", "one", 1), ("inf", "inf", 1),
             ("inf", "inf", 0), ("inf", "zero", 0), ("nan", "one", 0), ("one", "quiet", 1),
             ("one", "three", 0), ("three", "max", 0), ("tiny", "max", 1), ("max", "tiny", 0),
             ("one", "zero", 1), ("sub", "sub", 0)]
    rows = [(n[a], n[b] | (s if minus else 0)) for a, b, minus in named]
    return rows + [(n["third"] | s, n["more"]), (s, 0), (s, s), (n["max"] | s, n["max"] | s)]


def result(f, mode, number, ftz=False, sat=False):
    """As it is written; "*" where the ISA leaves it open."""
    code = f.encode(number, mode)
    if ftz and code != "nan":
        flushed = f.flush(number)
        if flushed != number and f.decode(code)[1] >= f.least_normal:
            return "*"  # tiny before it is rounded, not after
        code = f.encode(f.flush(f.decode(code)))
    if sat:
        if code == "nan" or code & f.sign and code != f.sign:
            return 0
        return "*" if code == f.sign else min(code, f.bias << f.mantissa)
    return code


def operation(f, mode, function, ftz, sat):
    def apply(*codes):
        given = [f.decode(c) for c in codes]
        given = [f.flush(x) for x in given] if ftz else given
        return result(f, mode, function(*given), ftz, sat)
    return apply


def functions(mode):
    return {"add": lambda x, y: floats.add(x, y, mode),
            "sub": lambda x, y: floats.add(x, floats.negated(y), mode),
            "mul": floats.mul, "div": floats.div,
            "fma": lambda x, y, z: floats.add(floats.mul(x, y), z, mode)}


def triples(f):
    n, s = numbers(f), f.sign
    thirds = [0, n["tiny"], n["one"] | s, n["max"], s, n["under"], n["least"] | s]
    exact = [(n["more"], n["more"], n["one"] | s), (n["more"], n["less"], n["one"] | s),
             (n["third"], n["third"], n["three"] | s), (n["max"], n["three"], n["max"] | s),
             (n["inf"], n["zero"], n["one"]), (n["inf"], n["one"], n["inf"] | s),
             (n["one"], n["one"], n["tiny"]), (n["one"], n["one"], n["quiet"])]
    return exact + [(a, b, thirds[i % 7]) for i, (a, b) in enumerate(pairs(f))]


def rounded(t):
    for kind in ("f32", "f64"):
        f = FORMATS[kind]
        t.note(kind)
        for mode in MODES:
            for name, function in functions(mode).items():
                rows = triples(f) if name == "fma" else pairs(f)
                operands = "%a, %b, %c" if name == "fma" else "%a, %b"
                for ftz in (False, True):
                    for sat in (False, True):
                        if f is not F32 and (ftz or sat) or name == "div" and sat:
                            continue
                        t.apply(" ".join([kind] * len(rows[0])) + f" -> {kind}",
                                f"{name}.{mode}{'.ftz' * ftz}{'.sat' * sat}.{kind} %r, {operands}",
                                operation(f, mode, function, ftz, sat), rows[::3] if sat else rows)
        n = numbers(f)
        ones = [(v,) for v in n.values()] + [(v | f.sign,) for v in n.values()] + [
            (n["half"] + 12345,), (n["three"] + 777,), (n["max"] - 1,), (n["least"] + 1,)]
        for mode in MODES:
            for ftz in (False, True) if f is F32 else (False,):
                for name, function in (
                        ("rcp", lambda x: floats.div((0, floats.Fraction(1)), x)),
                        ("sqrt", floats.sqrt)):
                    t.apply(f"{kind} -> {kind}", f"{name}.{mode}{'.ftz' * ftz}.{kind} %r, %a",
                            operation(f, mode, function, ftz, False), ones)


def plain(t):
    t.note("To the nearest where no rounding is said")
    for kind in ("f32", "f64"):
        f = FORMATS[kind]
        for name in ("add", "sub", "mul"):
            if (kind, name) != ("f64", "none"):
                t.apply(f"{kind} {kind} -> {kind}", f"{name}.{kind} %r, %a, %b",
                        operation(f, "rn", functions("rn")[name], False, False), pairs(f)[::2])
        t.apply(f"{kind} {kind} {kind} -> {kind}", f"mad.rn.{kind} %r, %a, %b, %c",
                operation(f, "rn", functions("rn")["fma"], False, False), triples(f)[::2])


def signs(t):
    t.note("Signs and classes")
    for kind in ("f32", "f64"):
        f = FORMATS[kind]
        codes = [c | s for c in numbers(f).values() for s in (0, f.sign)]
        ones = [(c,) for c in codes]
        for ftz in (False, True) if f is F32 else (False,):
            keep = f.flush if ftz else lambda x: x
            t.apply(f"{kind} -> {kind}", f"abs{'.ftz' * ftz}.{kind} %r, %a",
                    lambda a: f.encode((0, keep(f.decode(a))[1])), ones)
            t.apply(f"{kind} -> {kind}", f"neg{'.ftz' * ftz}.{kind} %r, %a",
                    lambda a: f.encode(floats.negated(keep(f.decode(a)))), ones)
        t.apply(f"{kind} {kind} -> {kind}", f"copysign.{kind} %r, %a, %b",
                lambda a, b: a & f.sign | b & ~f.sign,
                [(a, b) for a in (0, f.sign, f.inf | f.sign, f.inf | 1) for b in codes[::3]])
        size = lambda a: a & (f.sign - 1)
        # Zeros are normal, says the ISA.
        for name, test in (("finite", lambda a: size(a) < f.inf),
                           ("infinite", lambda a: size(a) == f.inf),
                           ("number", lambda a: size(a) <= f.inf),
                           ("notanumber", lambda a: size(a) > f.inf),
                           ("normal", lambda a: size(a) == 0
                            or 1 << f.mantissa <= size(a) < f.inf),
                           ("subnormal", lambda a: 0 < size(a) < 1 << f.mantissa)):
            t.apply(f"{kind} -> pred", f"testp.{name}.{kind} %r, %a", lambda a: int(test(a)), ones)


def tables():
    t = Table("sm_90", "Arithmetic on f32 and f64.")
    for part in (rounded, plain, signs):
        part(t)
    return {"floats": t}
