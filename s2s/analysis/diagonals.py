"""Diagonals and other views that nobody can write into, of arrays that are written: copies where they are read at once.

    L[i, i] = np.exp(np.diag(L))        L[i, i] = np.exp(np.diag(L).copy())

The value is the same, and nothing has to be known of how a view of the old elements hangs together with the new ones.
"""

from __future__ import annotations

from collections import Counter

from s2s import ir, rules
from s2s.analysis.aliases import READ_ONLY, written_by
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, Op, Stmt, Var


def apart(f: ir.Function) -> ir.Function:
    every = list(ir.statements(f.body))
    bound = Counter(n for s in every for n in ir.binds(s))
    views = {s.target: s.value for s in every if isinstance(s, Assign) and is_view(s.value) and ir.is_unnamed(s)}
    views = {name: value for name, value in views.items() if bound[name] == 1}
    if not views:
        return f
    written = {n for s in every for n in written_by(s, None)}
    held = {n for s in every for e in ir.expressions(s) for n in parts(s, e)}
    read = Counter(n.name for s in every for n in ir.nodes(s) if isinstance(n, Var) and n.name in views)
    once: set[str] = set()
    made: dict[str, Expr] = {}  # what the user copies, in one expression with its copy
    for s in every:
        if isinstance(s, Assign | ir.Store):
            here = held | (ir.reads(s.target.array) if isinstance(s, ir.Store) else set())
            of = {name for name in arguments(s.value) & views.keys() if read[name] == 1}
            of = {name for name in of if ir.reads(views[name]) & written}
            if isinstance(s.value, Op) and s.value.fn == "numpy.copy":
                made |= {name: views[name] for name in of}
            else:
                once |= {name for name in of if ir.reads(views[name]) & here}

    def block(body: Block) -> Block:
        out: list[Stmt] = []
        for s in body:
            s = ir.with_blocks(s, block)
            if isinstance(s, Assign) and s.target in made:
                continue
            if isinstance(s, Assign) and s.target in once:
                s = replace(s, value=copied(s.value))
            out.append(ir.with_expressions(s, lambda e: ir.substitute(e, made) if ir.reads(e) & made.keys() else e))
        return tuple(out)

    return replace(f, body=block(f.body)) if once or made else f


def parts(s: Stmt, e: Expr) -> set[str]:
    """The names that a statement puts into something else."""
    match e:
        case Var(name=name) if isinstance(s, ir.Append | ir.Store):
            return {name}
        case ir.Sequence() | ir.Dict():
            return set(ir.reads(e))
    return set()


def is_view(e: Expr) -> bool:
    return isinstance(e, Op) and e.fn in READ_ONLY


def copied(e: Expr) -> Op:
    """The copy of a view that has no name: one operation."""
    return Op("numpy.copy", (e,), form=ir.Form.METHOD, spelling="copy")


def arguments(e: Expr) -> set[str]:
    """The names whose values a new value is computed of."""
    if not isinstance(e, Op) or not (e.fn == "numpy.copy" or getattr(rules.lookup(e.fn), "kind", "") == "elementwise"):
        return set()
    return {a.name for a in e.args if isinstance(a, Var)}


__all__ = ["apart", "copied", "is_view"]
