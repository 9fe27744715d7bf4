"""Arithmetic on f16, bf16 and pairs of them; least and greatest of floats."""

import floats
from arithmetic import functions, numbers, operation, pairs, triples
from floats import BF16, F16, F32, FORMATS, INF, NAN
from writer import Table


def joined(upper, lower):
    """The results of both halves, as the table writes them."""
    text = [v if isinstance(v, str) else f"{v:04x}" for v in (upper, lower)]
    return f"{text[0]}/{text[1]}"


def both(function):
    """Of one half, for a pair."""
    return lambda *codes: joined(function(*(c >> 16 for c in codes)),
                                 function(*(c & 0xFFFF for c in codes)))


def doubled(rows):
    """Pairs made of each row and a later one."""
    others = rows[5:] + rows[:5]
    return [tuple(a << 16 | b for a, b in zip(x, y)) for x, y in zip(rows, others)]


def relu(function, f):
    def apply(*codes):
        code = function(*codes)
        if isinstance(code, str) or not code & f.sign:
            return code
        return 0 if code != f.sign else "*"
    return apply


def both_widths(t, kind, count, name, function, rows):
    """The form of a half and that of a pair."""
    operands = ", ".join(["%r", "%a", "%b", "%c"][:count + 1])
    for pair in (False, True):
        of = f"{kind}x2" if pair else kind
        t.apply(" ".join([of] * count) + f" -> {of}", f"{name}.{of} {operands}",
                both(function) if pair else function, doubled(rows)[::2] if pair else rows)


def arithmetic(t):
    for kind, f in (("f16", F16), ("bf16", BF16)):
        t.note(kind)
        for name, function in functions("rn").items():
            if name == "div":
                continue
            count, rows = (3, triples(f)) if name == "fma" else (2, pairs(f))
            if name == "fma":
                n = numbers(f)
                # A product halfway between two numbers, and next to nothing on either side.
                rows = rows + [(n["more"], n["three"], n["tiny"]),
                               (n["more"], n["three"], n["tiny"] | f.sign)]
            for ftz, sat in ((False, False), (True, False), (False, True), (True, True)):
                if kind == "bf16" and (ftz or sat):
                    continue
                for rnd in (".rn",) if name == "fma" else ("", ".rn"):
                    if rnd and sat and name != "fma":
                        continue
                    both_widths(t, kind, count, f"{name}{rnd}{'.ftz' * ftz}{'.sat' * sat}",
                                operation(f, "rn", function, ftz, sat),
                                rows[::3] if sat else rows)
            if name == "fma":
                for ftz in (False, True) if kind == "f16" else (False,):
                    both_widths(t, kind, 3, f"fma.rn{'.ftz' * ftz}.relu",
                                relu(operation(f, "rn", function, ftz, False), f), rows)
        ones = [(c | s,) for c in numbers(f).values() for s in (0, f.sign)]
        for ftz in (False, True) if kind == "f16" else (False,):
            keep = f.flush if ftz else lambda x: x
            both_widths(t, kind, 1, f"abs{'.ftz' * ftz}",
                        lambda a: f.encode((0, keep(f.decode(a))[1])), ones)
            both_widths(t, kind, 1, f"neg{'.ftz' * ftz}",
                        lambda a: f.encode(floats.negated(keep(f.decode(a)))), ones)


def extreme(f, least, ftz, nan, absolute, three):
    """-0 is less than +0; a NaN is left out, unless `.NaN` says that it wins."""
    def place(x):
        return (10 ** 400 if x[1] == INF else x[1]) * (-1 if x[0] else 1), -x[0]

    def apply(*codes):
        given = [f.decode(c) for c in codes]
        given = [f.flush(x) for x in given] if ftz else given
        sign = 0 if three else sum(c >> (f.bits - 1) for c in codes) & 1  # .xorsign is of two
        given = [(0, x[1]) for x in given] if absolute else given
        left = [x for x in given if x[1] != NAN]
        if not left or nan and len(left) < len(given):
            return "nan"
        x = (min if least else max)(left, key=place)
        return f.encode((sign, x[1]) if absolute else x)
    return apply


def extremes(t, three=False):
    for kind, f in {"f32": F32}.items() if three else FORMATS.items():
        t.note(f"Least and greatest {kind}")
        n, s = numbers(f), f.sign
        names = [("zero", "zero", 1), ("one", "more", 0), ("one", "more", 1), ("nan", "one", 1),
                 ("one", "quiet", 0), ("nan", "quiet", 0), ("inf", "max", 1), ("tiny", "zero", 1),
                 ("sub", "tiny", 1), ("inf", "inf", 1), ("inf", "nan", 0), ("zero", "tiny", 1)]
        rows = [(n[a], n[b] | m * s) for a, b, m in names]
        rows += [(b, a) for a, b in rows] + [(a | s, b | s) for a, b in rows]
        if three:
            rows = [(*r, c) for r, c in zip(rows, [n["one"], n["nan"], s, n["inf"] | s, 0] * 9)]
        for least, name in ((True, "min"), (False, "max")):
            for ftz, nan, absolute in ((a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)):
                if kind == "f64" and (ftz or nan or absolute) or kind == "bf16" and ftz:
                    continue
                sizes = ".abs" if three else ".xorsign.abs"
                mods = ".ftz" * ftz + ".NaN" * nan + sizes * absolute
                function = extreme(f, least, ftz, nan, absolute, three)
                if kind in ("f16", "bf16"):
                    both_widths(t, kind, 2, name + mods, function, rows)
                else:
                    operands = "%r, %a, %b" + ", %c" * three
                    t.apply(" ".join([kind] * (3 if three else 2)) + f" -> {kind}",
                            f"{name}{mods}.{kind} {operands}", function, rows)


def tables():
    t = Table("sm_90", "Arithmetic on f16 and bf16; least and greatest of floats.")
    arithmetic(t)
    extremes(t)
    return {"halves": t}
