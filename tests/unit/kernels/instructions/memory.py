"""Moves, addresses, loads and stores."""

from integers import number
from writer import Table

SPACES = {"global": "%m", "shared": "cell", "": "%m"}


def space(name):
    return "." * bool(name) + name


def moves(t):
    t.note("Moves, of parts and of wholes")
    for bits in (16, 32, 64):
        for kind in "bus":
            t.apply(f"b{bits} -> b{bits}", f"mov.{kind}{bits} %r, %a", lambda a: a,
                    [(0x123456789ABCDEF0 >> (64 - bits),)])
    t.apply("f32 -> f32", "mov.f32 %r, %a", lambda a: a, [(0x7F800001,), (0x80000000,)])
    t.apply("f64 -> f64", "mov.f64 %r, %a", lambda a: a, [(0x7FF0000000000001,)])
    t.apply("pred -> pred", "mov.pred %r, %a", lambda a: a, [(0,), (1,)])
    t.apply("b16 b16 -> b32", "mov.b32 %r, {%a, %b}", lambda a, b: b << 16 | a,
            [(0x1234, 0xABCD)])
    t.apply("b32 b32 -> b64", "mov.b64 %r, {%a, %b}", lambda a, b: b << 32 | a,
            [(0x89ABCDEF, 0xF1234567)])
    t.apply("b16 b16 b16 b16 -> b64", "mov.b64 %r, {%a, %b, %c, %d}",
            lambda *v: sum(x << 16 * i for i, x in enumerate(v)), [(1, 0x8002, 3, 0xF004)])
    t.apply("b32 -> b16 b16", "mov.b32 {%r, %s}, %a", lambda a: (a, a >> 16), [(0x89ABCDEF,)])
    t.apply("b64 -> b32 b32", "mov.b64 {%r, %s}, %a", lambda a: (a, a >> 32),
            [(0x89ABCDEF01234567,)])
    t.apply("b64 -> b32", "mov.b64 {_, %r}, %a", lambda a: a >> 32, [(0x89ABCDEF01234567,)])
    t.apply("b64 -> b16 b16 b16 b16", "mov.b64 {%r, %s, %t, %u}, %a",
            lambda a: tuple(a >> 16 * i for i in range(4)), [(0x89ABCDEF01234567,)])
    t.apply("b64 b64 -> b64 b64",
            "{ .reg .b128 x; mov.b128 x, {%a, %b}; mov.b128 {%s, %r}, x; }",
            lambda a, b: (b, a), [(1, 0x8000000000000002)])
    t.apply("b32 -> b16", "{ .reg .b8 x, y; mov.b32 {x, y, _, _}, %a; mov.b16 %r, {y, x}; }",
            lambda a: (a & 255) << 8 | a >> 8 & 255, [(0x89ABCDEF,)])


def addresses(t):
    t.note("Addresses: of shared memory in the generic space and back")
    t.form("-> b64 pred pred pred", "{ .reg .b64 x, y; mov.u64 x, cell; cvta.shared.u64 y, x; "
           "cvta.to.shared.u64 %r, y; sub.u64 %r, %r, x; isspacep.shared %s, y; "
           "isspacep.global %t, y; isspacep.local %u, y; }", [((), (0, 1, 0, 0))])
    t.form("-> pred pred pred", "{ .reg .b64 y; cvta.global.u64 y, %m; isspacep.shared %r, y; "
           "isspacep.global %s, y; isspacep.local %t, y; }", [((), (0, 1, 0))])
    t.form("-> pred pred b64", "{ .local .b8 own[16]; .reg .b64 x, y; mov.u64 x, own; "
           "cvta.local.u64 y, x; isspacep.local %r, y; isspacep.global %s, y; "
           "cvta.to.local.u64 %t, y; sub.u64 %t, %t, x; }", [((), (1, 0, 0))])
    t.apply("b32 -> b32", "{ .reg .b64 x, y; mov.u64 x, cell; cvta.shared.u64 y, x; "
            "st.shared.u32 [cell+8], %a; ld.u32 %r, [y+8]; }", lambda a: a, [(0x12345678,)])
    t.apply("b32 -> b32", "{ .reg .b32 x; mov.u32 x, cell; st.shared.u32 [x+12], %a; "
            "ld.shared.u32 %r, [cell+12]; }", lambda a: a, [(0x12345678,)])


def accesses(t):
    t.note("Loads extend to the register by the sign of the type; stores cut")
    for name, at in SPACES.items():
        for kind in ("u8", "s8", "u16", "s16", "u32", "s32", "b8", "b16", "b32"):
            bits = int(kind[1:])
            for reg in ("b16", "b32", "b64"):
                if int(reg[1:]) < bits:
                    continue
                wide = 1 << 64 if kind[0] == "s" else 0
                t.apply(f"{reg} -> {reg}", f"st{space(name)}.b{bits} [{at}+8], %a; "
                        f"ld{space(name)}.{kind} %r, [{at}+8]",
                        lambda v: number(v, kind.replace("b", "u")) + wide,
                        [(v,) for v in (0x89ABCDEF89ABCDEF & ((1 << int(reg[1:])) - 1),
                                        0x7F7F7F7F & ((1 << int(reg[1:])) - 1))])
        t.apply("b64 -> b64", f"st{space(name)}.u64 [{at}], %a; ld{space(name)}.s64 %r, [{at}]",
                lambda v: v, [(0x89ABCDEF01234567,)])
        t.apply("f64 -> f64", f"st{space(name)}.f64 [{at}], %a; ld{space(name)}.f64 %r, [{at}]",
                lambda v: v, [(0x7FF0000000000001,)])
        row = (0x11223344, 0x80FFEE99, 0xFFFFFFFF, 0x00000080)
        t.apply("b32 b32 b32 b32 -> b32 b32 b32 b32",
                f"st{space(name)}.v4.b32 [{at}], {{%a, %b, %c, %d}}; "
                f"ld{space(name)}.v4.u32 {{%r, %s, %t, %u}}, [{at}]", lambda *v: v, [row])
        t.apply("b32 b32 b32 b32 -> b32 b32 b32 b32",
                f"st{space(name)}.v4.u8 [{at}+4], {{%a, %b, %c, %d}}; "
                f"ld{space(name)}.v4.s8 {{%r, %s, %t, %u}}, [{at}+4]",
                lambda *v: tuple(number(x, "s8") for x in v), [row])
        t.apply("b64 b64 -> b64 b64", f"st{space(name)}.v2.b64 [{at}+16], {{%a, %b}}; "
                f"ld{space(name)}.v2.f64 {{%r, %s}}, [{at}+16]", lambda *v: v,
                [(0x123456789ABCDEF0, 0xFEDCBA9876543210)])
        t.apply("b16 b16 -> b32 b32", f"st{space(name)}.v2.u16 [{at}+4], {{%a, %b}}; "
                f"ld{space(name)}.v2.s16 {{%r, %s}}, [{at}+4]",
                lambda *v: tuple(number(x, "s16") for x in v), [(0x8000, 0x7FFF)])
    for order in ("volatile", "relaxed.gpu", "acquire.sys"):
        store = {"acquire.sys": "release.sys"}.get(order, order)
        t.apply("b32 -> b32", f"st.{store}.global.u32 [%m], %a; ld.{order}.global.u32 %r, [%m]",
                lambda v: v, [(0x12345678,)])


def stack(t):
    t.note("Memory of the stack")
    t.apply("b64 b32 -> b32 b64", "{ .reg .b64 old, at; stacksave.u64 old; "
            "alloca.u64 at, %a, 32; and.b64 %s, at, 31; st.local.b32 [at], %b; "
            "ld.local.b32 %r, [at]; stackrestore.u64 old; }",
            lambda size, value: (value, 0), [(4, 7), (48, 0xFFFFFFFF), (65536, 1)])


def tables():
    t = Table("sm_90", "Moves, addresses, loads and stores.")
    for part in (moves, addresses, accesses, stack):
        part(t)
    return {"memory": t}
