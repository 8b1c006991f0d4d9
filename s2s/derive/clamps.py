"""Functions whose slope is infinite where a clamp holds their operand: `np.sqrt(np.maximum(x, 0.0))`

Beyond its bound the slope of a clamp is 0, and 0 times infinity is no number. What is divided by gets a 1 there, so
that the product is 0, in both modes:

    0.5 * np.heaviside(x, 0.5) / (r + (r == 0.0)) * r_bar

So it is where a choice holds it, `np.where(x > 0, x, 0.0)`, or a branch, `if h < 0.0: h = 0.0`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from s2s import algebra, ir
from s2s.algebra import ZERO
from s2s.ir import Const, Expr, Op, Var

if TYPE_CHECKING:
    from s2s.derive.context import Context

ROOTS = ("numpy.sqrt", "math.sqrt")
POWERS = ("numpy.power", "math.pow")
# The numbers at which the slope of a function is infinite, and its value is not.
POLES: dict[str, tuple[float, ...]] = {
    **dict.fromkeys((*ROOTS, *POWERS, "numpy.cbrt"), (0.0,)),
    **dict.fromkeys(("numpy.arccos", "numpy.arcsin", "math.acos", "math.asin"), (-1.0, 1.0)),
    **dict.fromkeys(("numpy.arccosh", "math.acosh"), (1.0,)),
}
# What is done to a value that is held, with a number.
MAPS: dict[str, Callable[[float, float], float]] = {
    "numpy.add": operator.add,
    "numpy.subtract": operator.sub,
    "numpy.multiply": operator.mul,
    "numpy.divide": operator.truediv,
    "numpy.power": operator.pow,
}
FAR = 3  # variables through which a value is followed


def past_pole(ctx: Context, value: Op, out: Expr, slope: Expr) -> Expr:
    """What a rule has written for `value`, whose result is `out`, with divisors that are not 0 where it is held."""
    poles = sorted(set(held(ctx, value.args[0])) & set(POLES[value.fn])) if value.fn in POLES else []
    if not poles:
        return slope
    a = value.args[0]
    place = a if len(poles) == 1 else Op("numpy.abs", (a,))

    def past(e: Expr) -> Expr:
        match e:
            case Op(fn=fn, args=(of,)) if fn in ROOTS and value.fn not in POWERS:
                return Op(e.fn, (algebra.op(algebra.ADD, of, equal(place, Const(poles[-1]))),), e.options, e.form)
            case Op(fn="numpy.power" | "math.pow", args=(base, n)) if base == a and value.fn in POWERS:
                return Op(e.fn, (nonzero(base), n), e.options, e.form)
        return nonzero(e) if e == out else ir.rebuild(e, past)

    return past(slope) if value.fn not in POWERS or is_root(ctx, value.args[1]) else slope


def held(ctx: Context, e: Expr, seen: frozenset[str] = frozenset()) -> Iterator[float]:
    """The numbers of the text between which a value is held; seen: variables that it has been asked of already."""
    if isinstance(e, Var):
        if e.name in seen or len(seen) > FAR:
            return
        made = ctx.temps.get(e.name) or (None if ctx.aliases.is_stored(e.name) else ctx.definition(e.name))
        for value in branches(ctx, e.name) if made is None else (made,):
            yield from () if (n := number(ctx, value)) is None else (n,)
            yield from held(ctx, value, seen | {e.name})
        return
    bounds: Iterable[Expr]
    others: Iterable[Expr]
    match e:
        case Op(fn="numpy.maximum" | "numpy.minimum" | "builtins.max" | "builtins.min", args=args):
            bounds, others = args, args
        case Op(fn="operator.ifexp" | "numpy.where", args=(test, *args)):
            bounds = others = args if asks_about(ctx, [test], args) else ()
        case Op(fn="numpy.multiply", args=(a, b)) if "bool" in (kinds := [ctx.facts.of(v).kind for v in (a, b)]):
            mask, other = (a, b) if kinds[0] == "bool" else (b, a)  # `x * (x > 0)` is a choice
            bounds, others = (ZERO,) if asks_about(ctx, [mask], [other]) else (), (other,)
        case Op(fn="numpy.clip", args=(x, *bounds), options=options):
            bounds, others = (*bounds, *(v for _, v in options)), (x,)
        case Op(fn="numpy.negative", args=(a,)):
            yield from (-v for v in held(ctx, a, seen))
            return
        case Op(fn=fn, args=(a,)) if fn in ROOTS:
            yield from (math.sqrt(v) for v in held(ctx, a, seen) if v >= 0.0)
            return
        case Op(fn=fn, args=(a, b)) if fn in MAPS:
            n, m = number(ctx, a), number(ctx, b)
            if m is not None:
                yield from mapped(MAPS[fn], ((v, m) for v in held(ctx, a, seen)))
            elif n is not None:
                yield from mapped(MAPS[fn], ((n, v) for v in held(ctx, b, seen)))
            return
        case _:
            return
    yield from (n for v in bounds if (n := number(ctx, v)) is not None)
    for other in others:
        yield from held(ctx, other, seen)


def branches(ctx: Context, name: str) -> tuple[Expr, ...]:
    """What a variable is bound to that a branch binds to a number, `if h < 0.0: h = 0.0`, and something else; or is
    a number unless a branch binds it, `h = 0.0`, `if x > 1.0: h = x - 1.0`."""
    if ctx.aliases.is_stored(name):
        return ()
    every = list(ir.statements(ctx.function.body))
    values = [s.value for s in assigned(every, name)]
    inside = [(i.test, s.value) for i in every if isinstance(i, ir.If) for b in ir.blocks(i) for s in assigned(b, name)]
    anew = tuple(e for e in values if name not in ir.reads(e))
    bound = [e for _, e in inside] if len(anew) < len(values) else values
    if not inside or all(number(ctx, e) is None for e in bound):
        return ()
    tests = [test for test, _ in inside]
    asked = any(name in ir.reads(ctx.tree(test)) for test in tests)
    return anew if asked or asks_about(ctx, tests, anew) else ()


def asks_about(ctx: Context, tests: Iterable[Expr], values: Iterable[Expr]) -> bool:
    """Whether tests ask about all that these values are made of, so that it is these that the number stands for: in
    `0.0 if x < 0.0 else x * y` the product is 0 for y = 0, too, where the slope of its root is infinite."""
    asked = {n for test in tests for n in ir.reads(test_of(ctx, test))}
    return all(ir.reads(ctx.tree(e)) <= asked for e in values if number(ctx, e) is None)


def test_of(ctx: Context, test: Expr) -> Expr:
    """A test that has a name, `ok = x > 0`, of what is bound once and never written."""
    made = ctx.definition(test.name) if isinstance(test, Var) else None
    if made is None or any(ctx.definitions[n] > 1 or ctx.aliases.is_stored(n) for n in ir.reads(made)):
        return ctx.tree(test)
    return ctx.tree(made)


def assigned(block: Iterable[ir.Stmt], name: str) -> Iterator[ir.Assign]:
    yield from (s for s in block if isinstance(s, ir.Assign) and s.target == name)


def mapped(f: Callable[[float, float], float], pairs: Iterable[tuple[float, float]]) -> Iterator[float]:
    for a, b in pairs:
        try:
            result = f(a, b)
        except (ArithmeticError, ValueError):
            continue
        if isinstance(result, float):
            yield result


def number(ctx: Context, e: Expr) -> float | None:
    """The number that an expression writes out, or a name of the module stands for."""
    match e:
        case Var(name=name) if name in ctx.temps:
            return number(ctx, ctx.temps[name])
        case Const(value=value, kind="int" | "float"):
            return float(value)
        case Op(fn="numpy.negative", args=(Const(value=value, kind="int" | "float"),)):
            return -float(value)
        case Op(fn=fn, args=(a, b)) if fn in MAPS and (n := number(ctx, a)) is not None:
            return next(mapped(MAPS[fn], [(n, m)]), None) if (m := number(ctx, b)) is not None else None
        case Var(name=name) if name in ctx.calls.module_numbers and name not in ctx.function.names:
            return ctx.calls.written_number(name)
    return None


def is_root(ctx: Context, power: Expr) -> bool:
    n = number(ctx, power)
    return n is not None and 0.0 < n < 1.0


def nonzero(e: Expr) -> Op:
    return algebra.op(algebra.ADD, e, equal(e, ZERO))


def equal(a: Expr, b: Expr) -> Op:
    return algebra.op("numpy.equal", a, b)
