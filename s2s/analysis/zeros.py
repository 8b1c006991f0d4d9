"""Zeros that reverse sweeps keep, seen by derivatives of the second order.

Where an adjoint is zero because a branch was not taken, a reverse sweep keeps it zero, whatever it is multiplied with:

    x_bar += np.where(s_bar == 0.0, 0.0, 0.5 * s_bar / s)

That is 0.5 * s_bar / s wherever s is sound, so its derivative is that of the product, not that of a constant: s_bar
may be zero here and not beside. Only where the tangent of s_bar is zero, too, was no branch taken:

    np.where((s_bar == 0.0) & (s_bar_dot == 0.0), 0.0, 0.5 * s_bar_dot / s - 0.5 * s_bar / s**2 * s_dot)

These choices are told by the name that they ask: an adjoint's. Those that the user wrote are differentiated as they
stand, each branch by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s import algebra, ir
from s2s.algebra import ZERO
from s2s.ir import Const, Expr, Form, Op

LINEAR = ("numpy.negative", "numpy.conj", "numpy.conjugate", "numpy.real", "numpy.imag")
# Functions that are infinite at a pole, or have a derivative that is, and those that overflow; in two modules each.
POLES = frozenset(
    f"{m}.{name}"
    for m in ("numpy", "math")
    for name in "log log2 log10 log1p sqrt tan reciprocal".split()  # noqa: SIM905
)
OVERFLOWING = POLES | {f"{m}.{name}" for m in ("numpy", "math") for name in ("exp", "exp2", "expm1", "sinh", "cosh")}


def has_pole(e: Op) -> bool:
    """Whether an operation may make something infinite, or no number, of any number: times a zero it is none either."""
    match e:
        case Op(fn="numpy.divide", args=(_, below)):
            return not isinstance(below, Const)
        case Op(fn="numpy.power", args=(_, power)):
            return not (isinstance(power, Const) and power.kind == "int" and power.value >= 0)
    return e.fn in POLES


def kept(e: Expr, tree: Callable[[Expr], Expr]) -> tuple[Expr, ...]:
    """The adjoints that `e` is proportional to, if it is a choice that keeps it zero where all of them are.

    tree: an expression with the values of its temporaries.
    """
    match e:
        case Op(fn="numpy.where" | "operator.ifexp", args=(test, a, of)) if a == ZERO:
            asked = zeros(tree(test))
            if any(ir.is_adjoint(root(w)) for w in asked) and is_linear(tree(of), asked):
                return asked
    return ()


def zeros(test: Expr) -> tuple[Expr, ...]:
    """`a == 0.0`, or `(a == 0.0) & (b == 0.0)`: a, b."""
    match test:
        case Op(fn="numpy.equal", args=(ir.Var() | ir.Index() as w, right)) if right == ZERO:
            return (w,)
        case Op(fn="numpy.bitwise_and" | "operator.and", args=parts):
            found = [zeros(p) for p in parts]
            return tuple(w for ws in found for w in ws) if all(found) else ()
    return ()


def root(w: Expr) -> str:
    while isinstance(w, ir.Index):
        w = w.array
    return w.name if isinstance(w, ir.Var) else ""


def is_linear(e: Expr, ws: tuple[Expr, ...]) -> bool:
    """Whether every term of `e` has one of `ws` for a factor, and does not depend on them otherwise."""
    if e in ws or e == ZERO:
        return True
    match e:
        case Op(fn=algebra.ADD | algebra.SUBTRACT, args=(a, b)):
            return is_linear(a, ws) and is_linear(b, ws)
        case Op(fn=algebra.MULTIPLY, args=(a, b)):
            return (is_linear(a, ws) and is_free(b, ws)) or (is_free(a, ws) and is_linear(b, ws))
        case Op(fn="numpy.divide", args=(a, b)):
            return is_linear(a, ws) and is_free(b, ws)
        case Op(fn=fn, args=(a,)) if fn in LINEAR:
            return is_linear(a, ws)
        case Op(fn="numpy.where" | "operator.ifexp", args=(test, a, b)):
            return is_free(test, ws) and is_linear(a, ws) and is_linear(b, ws)
    return False


def is_free(e: Expr, ws: tuple[Expr, ...]) -> bool:
    return not (ir.reads(e) & {root(w) for w in ws})


def also(test: Expr, tangents: list[Expr], scalar: bool) -> Expr:
    """The condition that tangents are zero, too."""
    parts = [test, *(Op("numpy.equal", (d, ZERO), form=Form.OPERATOR) for d in tangents)]
    if scalar:
        return Op("operator.and", tuple(parts), form=Form.OPERATOR)
    out = parts[0]
    for part in parts[1:]:
        out = Op("numpy.bitwise_and", (out, part), form=Form.OPERATOR)
    return out


__all__ = ["OVERFLOWING", "also", "has_pole", "kept", "root"]
