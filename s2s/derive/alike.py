"""Items of what may be a list that were taken to be of one shape, as those of an array are.

    p[i] * p[i + 1]         for a, b in zip(p, p[1:]): a - b

Of `[1.0, np.ones(3)]`, the cotangent of the number would have the shape of the array: the output asserts that there is
none such.
"""

from __future__ import annotations

from s2s import ir
from s2s.derive.context import Context
from s2s.derive.phrases import is_none
from s2s.derive.survey import survey
from s2s.ir import Const, Expr, Op, Var

__all__ = ["one_shape_guards"]

APART = ("builtins.", "helper.", "operator.")  # which broadcast no operands against each other; helpers of the user may


def one_shape_guards(ctx: Context) -> list[ir.Stmt]:
    """`assert len({np.shape(v) for v in p}) < 2`, for the items of items too."""
    depths: dict[tuple[str, int], None] = {}
    for s in ir.statements(ctx.function.body):
        for e in ir.nodes(s):
            if isinstance(e, Op) and not e.fn.startswith(APART):
                items = [owner for a in dict.fromkeys(e.args) if (owner := owner_of(ctx, a)) is not None]
                depths.update(dict.fromkeys(owner for owner in items if items.count(owner) > 1))
    return [ir.Inert("assert", (_one_shape(name, depth, name in ctx.optional),)) for name, depth in depths]


def owner_of(ctx: Context, e: Expr) -> tuple[str, int] | None:
    """The parameter that may be a list and the depth, where the shape of a value is known as that of all items of it
    at this depth: 1 of `p[i]`, 2 of `p[i][k]`."""
    if ctx.facts.of(e).kind != "any":
        return None
    shape = ctx.facts.shape(e)
    symbol, axis = shape.tail or ("", 0)
    depth = axis - len(shape.dims)
    held = [n for n in ctx.function.names if n in survey(ctx).containers]
    owner = next((n for n in held if ctx.facts.shape(Var(n)).tail == (symbol, 0)), None)
    return None if owner is None or depth < 1 or shape.over else (owner, depth)


def _one_shape(name: str, depth: int, may_lack: bool) -> Expr:
    clauses: list[tuple[Var, Expr, tuple[Expr, ...]]] = []
    of: Expr = Var(name)
    for letter in "vwxyz"[: min(depth, 5)]:
        clauses.append((Var(letter), of, ()))
        of = Var(letter)
    shapes = ir.Comprehension(Op("numpy.shape", (of,)), tuple(clauses), "set")
    test = Op("numpy.less", (Op("builtins.len", (shapes,)), Const(2)), form=ir.Form.OPERATOR)
    return Op("operator.or", (is_none(Var(name)), test), form=ir.Form.OPERATOR) if may_lack else test
