"""Conditional expressions become if statements, so that later stages know one kind of branch.

`x = a if c else b` is printed as it was, where nothing but the assignments is left in the branches (`rejoin`). Those
that keep the zero of an adjoint stay expressions: see `zeros`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from s2s import ir
from s2s.analysis import zeros
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, Op, Stmt, Var


def write_out(f: ir.Function) -> ir.Function:
    """Also binds what is returned to a name, so that the derivative can read the value of a costly result."""
    taken = {n for s in ir.statements(f.body) for n in ir.binds(s)} | set(f.names)
    names = (n for i in count(1) if (n := f"result_{i}") not in taken)
    return replace(f, body=_block(f.body, names))


def _block(block: Block, names: Iterator[str]) -> Block:
    out: list[Stmt] = []
    values = {s.target: s.value for s in block if isinstance(s, Assign) and ir.is_unnamed(s)}

    def tree(e: Expr) -> Expr:
        return tree(values[e.name]) if isinstance(e, Var) and e.name in values else ir.rebuild(e, tree)

    for s in block:
        match s:
            case Assign(value=Op(fn="operator.ifexp") as value) if zeros.kept(value, tree):
                out.append(s)
            case ir.Return(value=Op(fn="operator.ifexp", args=(test, a, b))):
                body, orelse = (_block((replace(s, value=e),), names) for e in (a, b))
                out.append(ir.If(test, body, orelse, s.origin))
            case ir.Return(value=Op()):
                name = next(names)
                out += [Assign(name, s.value, s.origin), replace(s, value=ir.Var(name))]
            case Assign(value=Op(fn="operator.ifexp", args=(test, a, b))):
                out.append(ir.If(test, (replace(s, value=a),), (replace(s, value=b),), s.origin))
            case ir.If():
                out.append(replace(s, body=_block(s.body, names), orelse=_block(s.orelse, names)))
            case ir.For() | ir.While():
                out.append(replace(s, body=_block(s.body, names)))
            case _:
                out.append(s)
    return tuple(out)


def choices(block: Block) -> Iterator[str]:
    """The names that conditional expressions are bound to."""
    for s in ir.statements(block):
        match s:
            case ir.If(body=(*_, Assign() as a), orelse=(*_, Assign() as b)):
                if a.target == b.target and a.origin is b.origin is s.origin:
                    yield a.target


def rejoin(block: Block) -> Block:
    """The inverse, for what is printed."""
    out: list[Stmt] = []
    for s in block:
        match s:
            case ir.If(body=(Assign() as a,), orelse=(Assign() as b,)) if (
                a.target == b.target and a.origin is b.origin is s.origin is not None
            ):
                out.append(replace(a, value=Op("operator.ifexp", (s.test, a.value, b.value))))
            case ir.If(body=(ir.Return() as a,), orelse=(ir.Return() as b,)) if (
                a.origin is b.origin is s.origin is not None
                and not isinstance(a.value, ir.Sequence)
                and not isinstance(b.value, ir.Sequence)
            ):
                out.append(replace(a, value=Op("operator.ifexp", (s.test, a.value, b.value))))
            case ir.If():
                out.append(replace(s, body=rejoin(s.body), orelse=rejoin(s.orelse)))
            case ir.For() | ir.While():
                out.append(replace(s, body=rejoin(s.body)))
            case _:
                out.append(s)
    return tuple(out)
