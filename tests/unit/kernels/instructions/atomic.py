"""Atomic operations and mbarriers."""

import floats
from arithmetic import result
from floats import BF16, F16, F32, F64
from half import joined
from integers import number
from memory import SPACES, space
from writer import Table


def extreme(kind, function):
    return lambda old, v: function(number(old, kind), number(v, kind))


def operations():
    """Name, register and what memory holds afterwards, of what it held and the operand."""
    for kind in ("u32", "s32", "u64", "s64"):
        yield f"min.{kind}", f"b{kind[1:]}", extreme(kind, min)
        yield f"max.{kind}", f"b{kind[1:]}", extreme(kind, max)
    for kind in ("u32", "s32", "u64"):
        yield f"add.{kind}", f"b{kind[1:]}", lambda old, v: old + v
    for bits in (32, 64):
        yield f"and.b{bits}", f"b{bits}", lambda old, v: old & v
        yield f"or.b{bits}", f"b{bits}", lambda old, v: old | v
        yield f"xor.b{bits}", f"b{bits}", lambda old, v: old ^ v
    yield "inc.u32", "b32", lambda old, v: 0 if old >= v else old + 1
    yield "dec.u32", "b32", lambda old, v: v if old == 0 or old > v else old - 1


def float_sums():
    """Of f32 in global memory, subnormal numbers are flushed: not in shared memory."""
    def one(f):
        return lambda old, v: result(f, "rn", floats.add(f.decode(old), f.decode(v), "rn"))

    def two(f):
        return lambda old, v: joined(one(f)(old >> 16, v >> 16), one(f)(old & 0xFFFF, v & 0xFFFF))

    yield "f32", "f32", one(F32), [(0x3F800000, 0x40000000), (0x3F800000, 0xBF800000),
                                   (0x3F800000, 0x33800000), (0x7F7FFFFF, 0x7F7FFFFF),
                                   (0x7F800000, 0xFF800000), (0x80000000, 0x80000000)]
    yield "f64", "f64", one(F64), [(0x3FF0000000000000, 0x4000000000000000),
                                   (0x3FF0000000000000, 0x3CA0000000000001), (1, 1)]
    yield "noftz.f16", "f16", one(F16), [(0x3C00, 0x4000), (1, 1), (0x7BFF, 0x7BFF),
                                         (0x7C00, 0xFC00)]
    yield "noftz.f16x2", "f16x2", two(F16), [(0x3C000001, 0x40000002), (0x7BFF8001, 0x7BFF0003)]
    yield "noftz.bf16", "bf16", one(BF16), [(0x3F80, 0x4000), (1, 1), (0x7F7F, 0x7F7F),
                                            (0x3F80, 0x3B80)]
    yield "noftz.bf16x2", "bf16x2", two(BF16), [(0x3F800001, 0x40000002), (0x7F7F8001, 0x7F7F0003)]


def rows_of(bits):
    top, ones = 1 << (bits - 1), (1 << bits) - 1
    return [(0, 0), (0, 1), (1, 0), (5, 3), (3, 5), (5, 5), (ones, 1), (top, ones), (top - 1, top),
            (ones, ones), (0x5A5A5A5A, 0x0FF00FF0)]


def atomics(t):
    t.note("atom: what memory held, and what it holds then. red: the second alone")
    for name, at in SPACES.items():
        def both(kind, reg, function, rows):
            before = f"st{space(name)}.b{reg_bits(reg)} [{at}], %a; "
            after = f"; ld{space(name)}.b{reg_bits(reg)}"
            t.apply(f"{reg} {reg} -> {reg} {reg}",
                    f"{before}atom{space(name)}.{kind} %r, [{at}], %b{after} %s, [{at}]",
                    lambda old, v: (old, function(old, v)), rows)
            if not kind.startswith("exch"):
                t.apply(f"{reg} {reg} -> {reg}",
                        f"{before}red{space(name)}.{kind} [{at}], %b{after} %r, [{at}]",
                        function, rows)

        for kind, reg, function in operations():
            both(kind, reg, function, rows_of(int(reg[1:])))
        for kind, reg, function, rows in float_sums():
            both(f"add.{kind}", reg, function, rows)
        for bits in (32, 64):
            both(f"exch.b{bits}", f"b{bits}", lambda old, v: v, rows_of(bits)[:4])
        for bits in (16, 32, 64):
            reg = f"b{bits}"
            t.apply(f"{reg} {reg} {reg} -> {reg} {reg}",
                    f"st{space(name)}.{reg} [{at}], %a; atom{space(name)}.cas.{reg} %r, [{at}], "
                    f"%b, %c; ld{space(name)}.{reg} %s, [{at}]",
                    lambda old, wanted, v: (old, v if old == wanted else old),
                    [(5, 5, 9), (5, 6, 9), (0x8001, 0x8001, 0), (0x8001, 1, 0)])
        wide = ("{{ .reg .b128 x, y, z; st{0}.v2.b64 [{1}], {{%a, %b}}; mov.b128 y, {{%c, %d}}; "
                "mov.b128 z, {{%e, %f}}; atom{0}.{2}; mov.b128 {{%r, %s}}, x; "
                "ld{0}.v2.b64 {{%t, %u}}, [{1}]; }}")
        t.apply("b64 b64 b64 b64 b64 b64 -> b64 b64 b64 b64",
                wide.format(space(name), at, f"cas.b128 x, [{at}], y, z"),
                lambda a, b, c, d, e, f: (a, b, *((e, f) if (a, b) == (c, d) else (a, b))),
                [(1, 2, 1, 2, 3, 4), (1, 2, 1, 3, 3, 4), (1, 2, 2, 2, 3, 4)])
        t.apply("b64 b64 b64 b64 b64 b64 -> b64 b64 b64 b64",
                wide.format(space(name), at, f"exch.b128 x, [{at}], y"),
                lambda a, b, c, d, e, f: (a, b, c, d), [(1, 2, 3, 4, 5, 6)])
    sums = [s for s in float_sums() if s[0] == "f32"][0]
    t.apply("f32 f32 -> f32 f32 f32 f32", "st.global.v2.f32 [%m], {%a, %a}; atom.global.v2.f32.add "
            "{%r, %s}, [%m], {%b, %a}; ld.global.v2.f32 {%t, %u}, [%m]",
            lambda a, b: (a, a, sums[2](a, b), sums[2](a, a)), sums[3][:4])
    for order in ("relaxed.cta", "acquire.gpu", "release.sys", "acq_rel.gpu"):
        t.apply("b32 b32 -> b32 b32", f"st.global.u32 [%m], %a; atom.{order}.global.add.u32 %r, "
                "[%m], %b; ld.global.u32 %s, [%m]", lambda a, b: (a, a + b), [(5, 7)])
    t.apply("b32 b32 -> b32", "st.global.u32 [%m], %a; atom.global.add.u32 _, [%m], %b; "
            "ld.global.u32 %r, [%m]", lambda a, b: a + b, [(5, 7)])


def reg_bits(reg):
    return {"f16x2": 32, "bf16x2": 32}.get(reg) or int(reg.lstrip("bf"))


def barriers(t):
    """By hand: what a thread sees that arrives alone."""
    t.note("mbarrier: init, then phases that end with the last arrival")
    new = "{ .reg .b64 x; mbarrier.init.shared.b64 [cell], %a; "
    arrive = "mbarrier.arrive.shared.b64 x, [cell]; "
    wait = "mbarrier.test_wait.shared.b64 %{0}, [cell], x; "
    t.form("b32 -> pred pred", f"{new}{arrive}{wait.format('r')}mbarrier.arrive.shared.b64 _, "
           f"[cell]; {wait.format('s')}}}", [((1,), (1, "*")), ((2,), (0, 1)), ((3,), (0, 0))])
    t.form("b32 -> pred pred pred pred",
           f"{new}mbarrier.test_wait.parity.shared.b64 %r, [cell], 0; "
           f"mbarrier.test_wait.parity.shared.b64 %s, [cell], 1; {arrive}"
           "mbarrier.test_wait.parity.shared.b64 %t, [cell], 0; "
           "mbarrier.test_wait.parity.shared.b64 %u, [cell], 1; }",
           [((1,), (0, 1, 1, 0)), ((2,), (0, 1, 0, 1))])
    t.form("b32 b32 -> b32 b32", f"{new}mbarrier.arrive.noComplete.shared.b64 x, [cell], %b; "
           "mbarrier.pending_count.b64 %r, x; mbarrier.arrive.noComplete.shared.b64 x, [cell], 1; "
           "mbarrier.pending_count.b64 %s, x; }",
           [((5, 2), (5, 3)), ((0xFFFFF, 0x80000), (0xFFFFF, 0x7FFFF))])
    t.form("b32 -> pred pred b32", f"{new}mbarrier.arrive_drop.shared.b64 x, [cell]; {arrive}"
           f"{wait.format('r')}mbarrier.arrive.noComplete.shared.b64 x, [cell], 1; "
           f"{wait.format('s')}mbarrier.pending_count.b64 %t, x; }}",
           [((3,), (0, 1, 1)), ((4,), (0, 0, 2))])
    t.form("b32 b32 b32 -> pred pred pred",
           f"{new}mbarrier.arrive.expect_tx.shared.b64 x, [cell], %b; {wait.format('r')}"
           "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [cell], %c; "
           f"{wait.format('s')}sub.u32 %b, %b, %c; "
           f"mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [cell], %b; {wait.format('t')}}}",
           [((1, 64, 64), (0, 1, 1)), ((1, 64, 16), (0, 0, 1)), ((2, 64, 64), (0, 0, 0)),
            ((1, 0xFFFFF, 1), (0, 0, 1))])
    t.form("b32 b32 -> pred pred", f"{new}mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [cell], "
           f"%b; mbarrier.arrive.expect_tx.shared.b64 x, [cell], %b; {wait.format('r')}"
           f"{arrive}{wait.format('s')}}}", [((1, 64), (1, 1)), ((2, 64), (0, 1))])
    t.form("b32 -> pred pred", f"{new}mbarrier.arrive.shared.b64 x, [cell], %a; "
           f"mbarrier.try_wait.shared.b64 %r, [cell], x; mbarrier.inval.shared.b64 [cell]; "
           "mbarrier.init.shared.b64 [cell], 2; "
           "mbarrier.test_wait.parity.shared.b64 %s, [cell], 0; }",
           [((1,), (1, 0)), ((7,), (1, 0))])


def tables():
    t = Table("sm_90", "Atomic operations and mbarriers.")
    for part in (atomics, barriers):
        part(t)
    return {"atomics": t}
