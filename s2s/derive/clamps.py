"""Functions whose slope is infinite where a clamp holds their operand: `np.sqrt(np.maximum(x, 0.0))`

Beyond its bound the slope of a clamp is 0, and 0 times infinity is no number. What is divided by gets a 1 there, so
that the product is 0, in both modes:

    0.5 * np.heaviside(x, 0.5) / (r + (r == 0.0)) * r_bar
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from s2s import algebra, ir
from s2s.algebra import ZERO
from s2s.ir import Const, Expr, Op, Var

if TYPE_CHECKING:
    from s2s.derive.context import Context

POWERS = ("numpy.power", "math.pow")
# The numbers at which the slope of a function is infinite, and its value is not.
POLES: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("numpy.sqrt", "math.sqrt", *POWERS), (0.0,)),
    **dict.fromkeys(("numpy.arccos", "numpy.arcsin", "math.acos", "math.asin"), (-1.0, 1.0)),
    **dict.fromkeys(("numpy.arccosh", "math.acosh"), (1.0,)),
}


def past_pole(ctx: Context, value: Op, out: Expr, slope: Expr) -> Expr:
    """What a rule has written for `value`, whose result is `out`, with divisors that are not 0 where it is held."""
    poles = sorted(set(held(ctx, value.args[0])) & set(POLES[value.fn])) if value.fn in POLES else []
    if not poles:
        return slope
    a = value.args[0]
    place = a if len(poles) == 1 else Op("numpy.abs", (a,))

    def past(e: Expr) -> Expr:
        match e:
            case Op(fn="numpy.sqrt" | "math.sqrt", args=(of,)) if value.fn not in POWERS:
                return Op(e.fn, (algebra.op(algebra.ADD, of, equal(place, Const(poles[-1]))),), e.options, e.form)
            case Op(fn="numpy.power" | "math.pow", args=(base, n)) if base == a and value.fn in POWERS:
                return Op(e.fn, (nonzero(base), n), e.options, e.form)
        return nonzero(e) if e == out else ir.rebuild(e, past)

    return past(slope) if value.fn not in POWERS or is_root(value.args[1]) else slope


def held(ctx: Context, e: Expr) -> Iterator[float]:
    """The numbers of the text between which a value is held."""
    if isinstance(e, Var):
        made = ctx.temps.get(e.name) or (None if ctx.aliases.is_stored(e.name) else ctx.definition(e.name))
        if made is not None:
            yield from held(ctx, made)
        return
    match e:
        case Op(fn="numpy.maximum" | "numpy.minimum" | "builtins.max" | "builtins.min", args=args):
            bounds, others = args, args
        case Op(fn="numpy.clip", args=(x, *bounds), options=options):
            bounds, others = (*bounds, *(v for _, v in options)), (x,)
        case _:
            return
    yield from (float(v.value) for v in bounds if isinstance(v, Const) and v.kind in ("int", "float"))
    for other in others:
        yield from held(ctx, other)


def is_root(power: Expr) -> bool:
    return isinstance(power, Const) and power.kind == "float" and 0.0 < power.value < 1.0


def nonzero(e: Expr) -> Op:
    return algebra.op(algebra.ADD, e, equal(e, ZERO))


def equal(a: Expr, b: Expr) -> Op:
    return algebra.op("numpy.equal", a, b)
