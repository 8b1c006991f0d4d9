"""What `functools.cached_property` keeps is computed once.

    solution = np.linalg.solve(gp.L.T, np.linalg.solve(gp.L, y))

is lowered as if the text of `L` stood at each place. Where it is followed, nothing in the module changes an object or
an array (see `text.cached`): equal expressions over names that are not bound anew in between have equal values, and the
first temporary that gets one serves for all. (Global value numbering within a block, and in the blocks inside of it.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeGuard

from s2s import ir
from s2s.ir import Assign, Block, Expr, Form, Op, Stmt, Var

CALLED = (Form.CALL, Form.METHOD)


def once(body: Block, repeats: Callable[[Op], bool]) -> Block:
    """`body` with one temporary for calls that give the same; repeats: whether an operation does that each time."""
    every = list(ir.statements(body))
    bound = Counter(n for s in every for n in ir.binds(s))
    sharing = _Once({s.target for s in filter(is_temporary, every) if bound[s.target] == 1}, repeats)
    sharing.block(body, {})
    if not sharing.twins:
        return body
    body = ir.mapped(body, lambda e: ir.rename(e, sharing.twins))
    while (rest := without_unread(body, sharing.pure)) is not body:
        body = rest
    return body


def is_temporary(s: Stmt) -> TypeGuard[Assign]:
    return isinstance(s, Assign) and s.origin is not None and ir.is_unnamed(s)


class _Once:
    def __init__(self, temporaries: set[str], repeats: Callable[[Op], bool]) -> None:
        self.temporaries, self.repeats = temporaries, repeats
        self.trees: dict[str, Expr] = {}  # what temporaries stand for, in names of the user's
        self.twins: dict[str, Var] = {}
        self.pure: set[str] = set()

    def block(self, block: Block, known: dict[Expr, str]) -> None:
        """known: the temporaries that have the values of trees."""
        for s in block:
            if isinstance(s, Assign) and s.target in self.temporaries and self.is_pure(s.value):
                tree = ir.substitute(s.value, self.trees)
                self.trees[s.target] = tree
                self.pure.add(s.target)
                if isinstance(s.value, Op) and s.value.form in CALLED:
                    if tree in known:
                        self.twins[s.target] = Var(known[tree])
                    known.setdefault(tree, s.target)
                continue
            bound = {n for t in ir.statements((s,)) for n in ir.binds(t)}
            self.forget(bound, known)
            for inner in ir.blocks(s):
                self.block(inner, dict(known))
            self.forget(bound, known)

    def forget(self, names: set[str], known: dict[Expr, str]) -> None:
        """What is made of names that are bound anew is not what their names stand for any more."""
        for tree in [t for t in known if not names.isdisjoint(ir.reads(t))]:
            del known[tree]
        for name in [n for n, t in self.trees.items() if not names.isdisjoint(ir.reads(t))]:
            del self.trees[name]

    def is_pure(self, e: Expr) -> bool:
        return all(
            isinstance(n, Var | ir.Const | ir.Index | ir.Slice | ir.Sequence | ir.Dict | ir.Attribute)
            or (isinstance(n, Op) and self.repeats(n))
            for n in ir.walk(e)
        )


def without_unread(body: Block, names: set[str]) -> Block:
    """`body` without the statements that bind one of these names for nobody."""
    read = {n for s in ir.statements(body) for e in ir.expressions(s) for n in ir.reads(e)}
    if all(n in read for s in ir.statements(body) for n in ir.binds(s) if n in names):
        return body

    def kept(block: Block) -> Block:
        return tuple(
            ir.with_blocks(s, kept)
            for s in block
            if not (isinstance(s, Assign) and s.target in names and s.target not in read)
        )

    return kept(body)


__all__ = ["once"]
