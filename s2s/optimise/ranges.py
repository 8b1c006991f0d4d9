"""Ranges that the user counts down are counted up by the reverse sweep.

    for i in reversed(range(n - 2, -1, -1)):    ->    for i in range(n - 1):

One is added only to numbers that loops count with: an integer of NumPy may have no next one.
"""

from __future__ import annotations

from functools import partial

from s2s import algebra, ir
from s2s.analysis import loops
from s2s.frozen import replace
from s2s.ir import Block, Const, Expr, Op, Stmt, Var

ZERO, ONE = Const(0), Const(1)
DOWN = (Const(-1), Op("numpy.negative", (ONE,)))


def count_up(body: Block, counting: frozenset[str] = frozenset()) -> Block:
    """`body` with loops over a reversed range of step -1 written as loops of step 1; counting: those of outer loops."""
    out: list[Stmt] = []
    for s in body:
        inside = counting
        if isinstance(s, ir.For):
            s = replace(s, iterable=upwards(s.iterable, counting))
            if isinstance(s.target, Var) and loops.is_range(s.iterable):
                inside |= {s.target.name}
        out.append(ir.with_blocks(s, partial(count_up, counting=inside)))
    return tuple(out)


def upwards(e: Expr, counting: frozenset[str]) -> Expr:
    match e:
        case Op(fn="builtins.reversed", args=(Op(fn="builtins.range", args=(start, stop, step)),)) if step in DOWN:
            least, behind = successor(stop, counting), successor(start, counting)
            if least is not None and behind is not None:
                return Op("builtins.range", (behind,) if least == ZERO else (least, behind))
    return e


def successor(e: Expr, counting: frozenset[str]) -> Expr | None:
    """e + 1, of a whole number."""
    match e:
        case Const(value=int() as value):
            return Const(value + 1)
        case Op(fn="numpy.negative", args=(Const(value=int() as value),)):
            return Const(1 - value)
        case Op(fn="numpy.subtract", args=(a, Const(value=int() as value))) if value > 0:
            return a if value == 1 else replace(e, args=(a, Const(value - 1)))
        case Var(name=name) if name in counting:
            return algebra.op(algebra.ADD, e, ONE)
    return None
