"""Attributes and entries of objects made in the function that are another variable all along: they go by its name.

body = Body(m0, x0)         body_mass = m0
...                         ...                     2.0 * m0
                            2.0 * body_mass
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from s2s import ir
from s2s.ir import Assign, Block, Expr, Var


def without(block: Block, parts: Collection[str], params: Collection[str], named: Collection[str]) -> Block:
    """The block of a function.

    parts: the variables that stand for attributes and entries; named: the names that the user has given.
    """
    every = list(ir.statements(block))
    bound = Counter(n for s in every for n in ir.binds(s))
    bound.update(params)
    looped = {n for s in every for b in loops_in(s) for inner in ir.statements(b) for n in ir.binds(inner)}
    looped |= {n for s in every if isinstance(s, ir.For) for n in ir.binds(s)}
    fixed = {s.array for s in every if isinstance(s, ir.Append)}
    for n in (n for s in every for n in ir.nodes(s)):
        match n:
            case ir.Comprehension(clauses=clauses):  # inside, the name is another variable's
                fixed.update(name for target, *_ in clauses for name in ir.target_names(target))
            case ir.Op(fn=ir.LAMBDA, spelling=names):
                fixed.update(names.split(", "))
            case ir.Raw(names=names):
                fixed |= names
    other: dict[str, str] = {}
    for s in every:
        match s:
            case Assign(target=part, value=Var(name=name)) if part in parts and bound[part] == bound[name] == 1:
                name = other.get(name, name)
                if name in named and name not in looped and not {name, part} & fixed:
                    other[part] = name
    if not other:
        return block
    values: dict[str, Expr] = {part: Var(name) for part, name in other.items()}

    def rest(b: Block) -> Block:
        kept = (s for s in b if not (isinstance(s, Assign) and s.target in other))
        return tuple(ir.with_expressions(ir.with_blocks(s, rest), lambda e: ir.substitute(e, values)) for s in kept)

    return rest(block)


def loops_in(s: ir.Stmt) -> tuple[Block, ...]:
    return ir.blocks(s) if isinstance(s, ir.For | ir.While) else ()


__all__ = ["without"]
