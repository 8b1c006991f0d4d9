"""What has been asserted is not asserted again where nothing has changed what it asks for.

assert all(np.ndim(v) == 0 for v in p)          assert all(np.ndim(v) == 0 for v in p)
a = sum(p)                                      a = sum(p)
assert all(np.ndim(w) == 0 for w in p)    ->    b = max(p)
b = max(p)

A method that asserts something and is called twice stands in a function twice.
"""

from __future__ import annotations

from s2s import ir
from s2s.ir import Block, Comprehension, Expr, Inert, Op, Stmt, Var
from s2s.optimise.keys import may_write


def once(body: Block) -> Block:
    """The block of a function without what it asserts again."""
    out: list[Stmt] = []
    said: dict[Expr, frozenset[str]] = {}  # with the names that each of them reads
    for s in body:
        test = plain(s.values[0]) if isinstance(s, Inert) and s.keyword == "assert" else None
        if test in said:
            continue
        bound = {n for inner in ir.statements((s,)) for n in ir.binds(inner)}
        said = {} if may_change(s) else {t: names for t, names in said.items() if not names & bound}
        if test is not None and not may_change(s):
            said[test] = frozenset(ir.reads(test))
        out.append(s)
    return tuple(out)


def plain(test: Expr) -> Expr:
    """A test of all items, `all(t(v) for v in p)`, whatever its variable is called."""
    match test:
        case Op(args=(Comprehension(clauses=((Var(name=name), items, _),)),)) if name not in ir.reads(items):
            return ir.substitute(test, {name: Var("%")})
    return test


def may_change(s: Stmt) -> bool:
    """Whether a statement may do more than bind names: write into an array or a list, or call what does."""
    for inner in ir.statements((s,)):
        if isinstance(inner, ir.Store | ir.Augment | ir.Append) or (
            isinstance(inner, Inert) and inner.keyword not in ("assert", "pass")
        ):
            return True
        if any(may_write(n) or (isinstance(n, ir.Raw) and not n.atom) for n in ir.nodes(inner)):
            return True
    return False


__all__ = ["once"]
