"""Comparisons, and choices by their results."""

import operator

from arithmetic import numbers
from floats import FORMATS, NAN, value
from integers import number, pairs
from writer import Table

ORDER = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
         "gt": operator.gt, "ge": operator.ge}
UNSIGNED = {"lo": operator.lt, "ls": operator.le, "hi": operator.gt, "hs": operator.ge}
COMBINE = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


def infinite_value(x):
    return (-1 if x[0] else 1) * 10 ** 400 if x[1] == "inf" else value(x)


def compare_floats(f, how, a, b, ftz=False):
    x, y = f.decode(a), f.decode(b)
    if ftz:
        x, y = f.flush(x), f.flush(y)
    unordered = NAN in (x[1], y[1])
    if how in ("num", "nan"):
        return int(unordered == (how == "nan"))
    if unordered:
        return int(how.endswith("u") and how[:-1] in ORDER)
    return int(ORDER[how[:2]](infinite_value(x), infinite_value(y)))


def float_rows(f):
    n, s = numbers(f), f.sign
    return [(n[a] | sa * s, n[b] | sb * s) for a, sa, b, sb in (
        ("zero", 0, "zero", 1), ("one", 0, "one", 0), ("one", 0, "more", 0), ("one", 1, "more", 1),
        ("nan", 0, "one", 0), ("one", 0, "quiet", 1), ("nan", 0, "nan", 0), ("inf", 0, "max", 0),
        ("inf", 0, "inf", 0), ("inf", 1, "max", 1), ("tiny", 0, "zero", 0), ("tiny", 1, "tiny", 0),
        ("sub", 0, "least", 0), ("inf", 0, "quiet", 0))]


def of_integers(t):
    t.note("setp on integers")
    for bits in (16, 32, 64):
        reg = f"b{bits}"
        for kind in (f"b{bits}", f"u{bits}", f"s{bits}"):
            ways = {"b": ("eq", "ne"), "u": (*ORDER, *UNSIGNED), "s": tuple(ORDER)}[kind[0]]
            of = kind.replace("b", "u")
            for part in (ways[:6], ways[6:]):
                if not part:
                    continue
                text = "; ".join(f"setp.{w}.{kind} %{r}, %a, %b" for w, r in zip(part, "rstuvwxy"))
                t.apply(f"{reg} {reg} ->" + " pred" * len(part), text,
                        lambda a, b, p=part: tuple(int({**ORDER, **UNSIGNED}[w](
                            number(a, of), number(b, of))) for w in p), pairs(bits))


def of_floats(t):
    t.note("setp on floats: the second six hold where one is a NaN")
    ways = (tuple(ORDER), tuple(f"{w}u" for w in ORDER) + ("num", "nan"))
    for kind in ("f32", "f64", "f16", "bf16"):
        f = FORMATS[kind]
        for ftz in (False, True) if kind in ("f32", "f16") else (False,):
            for part in ways:
                name = lambda w: f"setp.{w}{'.ftz' * ftz}.{kind}"
                text = "; ".join(f"{name(w)} %{r}, %a, %b" for w, r in zip(part, "rstuvwxy"))
                t.apply(f"{kind} {kind} ->" + " pred" * len(part), text,
                        lambda a, b, p=part: tuple(compare_floats(f, w, a, b, ftz) for w in p),
                        float_rows(f))


def combined(t):
    t.note("With a predicate, and with the opposite as a second result")
    for name, f in COMBINE.items():
        rows = [(a, b, c) for a, b in ((1, 2), (2, 1)) for c in (0, 1)]
        t.apply("b32 b32 pred -> pred pred", f"setp.lt.{name}.s32 %r|%s, %a, %b, %c",
                lambda a, b, c, f=f: (f(int(a < b), c), f(int(a >= b), c)), rows)
        t.apply("b32 b32 pred -> pred", f"setp.hs.{name}.u32 %r, %a, %b, !%c",
                lambda a, b, c, f=f: f(int(a >= b), 1 - c), rows)
        t.apply("b32 b32 pred -> b32", f"set.ne.{name}.u32.s32 %r, %a, %b, %c",
                lambda a, b, c, f=f: -f(int(a != b), c), rows)
        form = FORMATS["f32"]
        rows = [(a, b, c) for a, b in ((0x7FC00000, 0), (0x80000000, 0), (0x3F800000, 0))
                for c in (0, 1)]
        t.apply("f32 f32 pred -> pred pred", f"setp.neu.{name}.f32 %r|%s, %a, %b, %c",
                lambda a, b, c, f=f: (f(compare_floats(form, "neu", a, b), c),
                                      f(1 - compare_floats(form, "neu", a, b), c)), rows)
    t.apply("b64 b64 -> pred pred", "setp.gt.u64 %r|%s, %a, %b",
            lambda a, b: (int(a > b), int(a <= b)), pairs(64))
    t.apply("b32 b32 -> pred", "setp.eq.s32 %r|_, %a, %b", lambda a, b: int(a == b), pairs(32))


ONE = {"u16": 0xFFFF, "s16": 0xFFFF, "u32": -1, "s32": -1, "f32": 0x3F800000, "f16": 0x3C00,
       "bf16": 0x3F80}


def register(kind):
    return kind if kind in FORMATS else f"b{kind[1:]}"


def sets(t):
    t.note("set: all ones, or 1.0")
    for of in ("s16", "u32", "s32", "b32", "u64", "s64"):
        bits = int(of[1:])
        for to in ("u32", "s32", "f32", "f16", "bf16"):
            way = "eq" if of[0] == "b" else "lt"
            kind = of.replace("b", "u")
            t.apply(f"b{bits} b{bits} -> {register(to)}", f"set.{way}.{to}.{of} %r, %a, %b",
                    lambda a, b: ONE[to] if ORDER[way](number(a, kind), number(b, kind)) else 0,
                    pairs(bits)[:6])
    for of in ("f32", "f64", "f16", "bf16"):
        f = FORMATS[of]
        for to in ("u32", "s32", "f32", "f16", "bf16", "u16", "s16"):
            if to[1:] == "16" and of not in ("f16", "bf16") or to == "f32" and of in (
                    "f16", "bf16") or to == "bf16" and of == "f16" or to == "f16" and of == "bf16":
                continue
            for ftz in (False, True) if of == "f32" and to != "bf16" else (False,):
                t.apply(f"{of} {of} -> {register(to)}",
                        f"set.leu{'.ftz' * ftz}.{to}.{of} %r, %a, %b",
                        lambda a, b: ONE[to] if compare_floats(f, "leu", a, b, ftz) else 0,
                        float_rows(f))


def of_pairs(t):
    t.note("Pairs: a result for each half")
    for kind in ("f16", "bf16"):
        f = FORMATS[kind]
        ones = float_rows(f)
        rows = [(a << 16 | c, b << 16 | d) for (a, b), (c, d) in zip(ones, ones[3:] + ones[:3])]
        both = lambda way, a, b: [compare_floats(f, way, a >> i & 0xFFFF, b >> i & 0xFFFF)
                                  for i in (0, 16)]
        for way in ("eq", "ltu", "nan"):
            t.apply(f"{kind}x2 {kind}x2 -> pred pred", f"setp.{way}.{kind}x2 %r|%s, %a, %b",
                    lambda a, b: tuple(both(way, a, b)), rows)
            for to, one in ((f"{kind}x2", ONE[kind]), ("u32", 0xFFFF), ("s32", 0xFFFF)):
                t.apply(f"{kind}x2 {kind}x2 -> b32", f"set.{way}.{to}.{kind}x2 %r, %a, %b",
                        lambda a, b: sum(h * one << 16 * i
                                         for i, h in enumerate(both(way, a, b))), rows)
        t.apply(f"{kind}x2 {kind}x2 pred -> pred pred",
                f"setp.ge.xor.{kind}x2 %r|%s, %a, %b, %c",
                lambda a, b, c: tuple(h ^ c for h in both("ge", a, b)),
                [(*r, i & 1) for i, r in enumerate(rows)])


def choices(t):
    t.note("Choices")
    for kind in ("b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"):
        bits = int(kind[1:])
        reg = f"b{bits}"
        rows = [(*pairs(bits)[9], 0), (*pairs(bits)[9], 1)]
        t.apply(f"{reg} {reg} pred -> {reg}", f"selp.{kind} %r, %a, %b, %c",
                lambda a, b, c: a if c else b, rows)
        signs = [(*r[:2], c) for r in rows[:1] for c in (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)]
        t.apply(f"{reg} {reg} b32 -> {reg}", f"slct.{kind}.s32 %r, %a, %b, %c",
                lambda a, b, c: b if c >> 31 else a, signs)
    floats = (0, 0x80000000, 1, 0x80000001, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
              0x7FC00000, 0xFFC00000)
    for ftz in (False, True):
        f = FORMATS["f32"]
        keep = f.flush if ftz else lambda x: x
        t.apply("b32 b32 f32 -> b32", f"slct{'.ftz' * ftz}.u32.f32 %r, %a, %b, %c",
                lambda a, b, c: a if f.decode(c)[1] != NAN
                and infinite_value(keep(f.decode(c))) >= 0 else b, [(1, 2, c) for c in floats])


def tables():
    t = Table("sm_90", "Comparisons, and choices by their results.")
    for part in (of_integers, of_floats, combined, sets, of_pairs, choices):
        part(t)
    return {"comparisons": t}
