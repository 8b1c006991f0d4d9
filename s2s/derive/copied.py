"""`copy.deepcopy` of what is known: a number is its own copy, and arrays have a method for it.

    b = copy.deepcopy(a)        b = a               of a number
                                b = a.copy()        of an array

Of what may be both, and of objects, it stays: its derivative is that of a copy. Lists and dicts are written out before
(`frontend/rewrites/deep.py`).
"""

from __future__ import annotations

from typing import TypeGuard

from s2s import ir
from s2s.analysis.aliases import CONTAINERS
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Facts
from s2s.analysis.loops import Header, rewritten
from s2s.analysis.shapes import SCALAR
from s2s.derive.phrases import method
from s2s.frozen import replace
from s2s.ir import Assign, Expr, Op, Stmt, Var

DEEP = "copy.deepcopy"


def settled_copies(f: ir.Function, facts: Facts, headers: dict[int, Header]) -> tuple[ir.Function, dict[int, Header]]:
    """The function with these copies written out."""
    last: Stmt | None = None
    items = {id(t) for h in headers.values() for t in h.items}

    def steps(s: Stmt) -> tuple[Stmt, ...]:
        nonlocal last
        before, last = last, s

        def settled(e: Expr) -> Expr:
            if not is_deep_copy(e):
                return ir.rebuild(e, settled) if isinstance(e, ir.Dict | ir.Sequence) else e
            (of,) = e.args
            fact = facts.of(of)
            if fact.kind in NOT_DIFFERENTIABLE or (fact.kind not in CONTAINERS and facts.shapes(fact.shape) == SCALAR):
                match before:  # `copy.deepcopy(p["a"])`
                    case Assign(target=name, value=ir.Index() as part) if Var(name) == of and id(before) not in items:
                        return part
                return of
            return method("copy", of) if fact.kind not in CONTAINERS and facts.ndim(of) else e

        match s:
            case Assign() | ir.Append() | ir.Return() | ir.Store() if s.value is not None and has_deep_copy(s):
                return (replace(s, value=settled(s.value)),)
        return (s,)

    if not any(map(has_deep_copy, ir.statements(f.body))):
        return f, headers
    f, headers = rewritten(f, headers, steps)
    facts.function = f
    return f, headers


def has_deep_copy(s: Stmt) -> bool:
    return any(map(is_deep_copy, ir.nodes(s)))


def is_deep_copy(e: object) -> TypeGuard[Op]:
    return isinstance(e, Op) and e.fn == DEEP and len(e.args) == 1 and not e.options
