"""Lists that a loop fills, one item in each of its iterations: they are as long as it runs.

q = []                      q has as many items as x
for v in x:
    q.append(np.sin(v))
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from s2s import ir
from s2s.ir import Assign, Const, Expr, Op, Var


@lru_cache(maxsize=256)  # asked each time that the facts of a function are collected
def fillings(f: ir.Function) -> dict[str, tuple[int, Expr]]:
    """Lists that are seen in their full length only: how many items each begins with, and what its loop runs over."""
    every = list(ir.statements(f.body))
    if not any(isinstance(s, ir.Append) for s in every):
        return {}
    bound = Counter([*f.names, *(n for s in every for n in ir.binds(s))])
    resized = Counter(n for s in every for n in ir.resized(s))
    known = {n for n in resized if resized[n] == bound[n] == 1 and is_alone(every, n)}
    written = {ir.written_name(s.target) for s in every if isinstance(s, ir.Store) and isinstance(s.target, ir.Index)}
    found: dict[str, tuple[int, Expr]] = {}
    for block in (f.body, *(b for s in every for b in ir.blocks(s))):
        begun: dict[str, int] = {}
        for s in block:
            match s:
                case Assign(target=name, value=ir.Sequence(items=items, kind="list", starred=starred)) if not starred:
                    if name in known - written:
                        begun[name] = len(items)
                        continue
                case ir.For(body=body):
                    filled = [t.array for t in body if type(t) is ir.Append and t.array in begun]
                    for name in filled if all(map(runs_through, body)) else ():
                        if not any(sees(t, name) for t in ir.statements(body)):
                            found[name] = begun.pop(name), s.iterable
            for name in [n for n in begun if any(n in ir.reads(e) for t in (s, *inner(s)) for e in ir.expressions(t))]:
                del begun[name]
    return found


def is_alone(every: list[ir.Stmt], name: str) -> bool:
    """Whether nothing else has the list: it is read by its items, measured, summed, made an array of, and returned."""

    def kept(e: Expr) -> bool:
        match e:
            case Var(name=read):
                return read == name
            case ir.Index(array=Var(), key=key) if not isinstance(key, ir.Slice):
                return kept(key)
            case Op(fn=fn, args=args) if fn.startswith(MEASURING):
                return any(kept(a) for a in args if not isinstance(a, Var))
        return any(map(kept, ir.children(e)))

    return not any(
        kept(e)
        for s in every
        for e in ir.expressions(s)
        if not (isinstance(s, ir.Return | ir.For) and isinstance(e, Var))
    )


def inner(s: ir.Stmt) -> list[ir.Stmt]:
    return [t for b in ir.blocks(s) for t in ir.statements(b)]


def runs_through(s: ir.Stmt) -> bool:
    """Whether a statement of a loop's body leaves neither its iteration nor the loop."""
    if isinstance(s, ir.For | ir.While):
        return not any(isinstance(t, ir.Return) for t in inner(s))
    return not any(isinstance(t, ir.Break | ir.Return) for t in (s, *inner(s)))


def sees(s: ir.Stmt, name: str) -> bool:
    """Whether a statement reads more of a list than one of its items."""
    items = Counter(
        n.array.name
        for n in ir.nodes(s)
        if isinstance(n, ir.Index) and isinstance(n.array, Var) and not isinstance(n.key, ir.Slice)
    )
    return sum(n == Var(name) for n in ir.nodes(s)) > items[name]


MEASURING = ("numpy.", "builtins.len", "builtins.sum", "builtins.max", "builtins.min", "builtins.zip", "builtins.enum")


def trips(iterable: Expr) -> list[Expr]:
    """The expressions, equal to each other where the number of iterations is known, that say how often a loop runs."""
    match iterable:
        case Op(fn="builtins.range", args=(Op(fn="builtins.min", args=several),)):
            return list(several)
        case Op(fn="builtins.range", args=(count,)) | Op(fn="builtins.range", args=(Const(value=0), count)):
            return [count]
        case Op(fn="builtins.zip", args=several):
            return [Op("builtins.len", (a,)) for a in several]
        case Op(fn="builtins.enumerate", args=(over,)):
            return [Op("builtins.len", (over,))]
        case Var():
            return [Op("builtins.len", (iterable,))]
    return []


__all__ = ["fillings", "trips"]
