"""Iterators over a sequence, of which first single items are taken and then the rest, by the numbers of the items.

it = iter(x)                            a = x[0]
a = next(it)                            for v in x[1:]:
for v in it:                                ...
    ...
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TypeGuard

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.scopes import every_block, is_bound, parameters, walk
from s2s.frontend.text.source import expression, made, put


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = [n for s in function.body for n in walk(s)]
    if not any(isinstance(n, ast.Name) and n.id == "iter" for n in nodes):
        return
    stores = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    given = {p.arg for p in parameters(function)}
    own = {n.arg for n in nodes if isinstance(n, ast.arg)} | given
    if {"iter", "next"} & (own | stores.keys()):
        return
    written = {root_of(n) for n in nodes if isinstance(n, ast.Subscript | ast.Attribute) and not is_read(n)}
    called = [n.func.value for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    written |= {e.id for e in called if is_name(e)}
    aliases = {n.value.id for n in nodes if isinstance(n, ast.Assign | ast.NamedExpr) and is_name(n.value)}
    inner = {n.id for f in nodes if isinstance(f, ast.FunctionDef | ast.Lambda) for n in walk(f) if is_name(n)}
    for block in every_block(function.body):
        for s in list(block):
            match s:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(func=ast.Name(id="iter"), args=[ast.Name(id=of)], keywords=[]),
                ) if stores[name] == 1 and name not in own and stores[of] == (of not in given):
                    if of not in written | aliases and not {name, of} & inner:
                        taken_apart(block, s, name, of, sum(is_name(n) and n.id == name for n in nodes) - 1)


def taken_apart(block: list[ast.stmt], s: ast.Assign, name: str, of: str, reads: int) -> None:
    """Writes items for what the statements of a block take of an iterator, if these are all of its reads."""
    taken: list[tuple[ast.AST, ast.Call]] = []
    for after in block[block.index(s) + 1 :]:
        if isinstance(after, ast.For) and is_name(after.iter) and after.iter.id == name:
            if len(taken) + 1 == reads and not has_other_uses(after, of):
                after.iter = expression(f"{of}[{len(taken)}:]" if taken else of, after.iter)
                number(taken, of)
                block.remove(s)
            return
        if isinstance(after, ast.Assign | ast.Expr | ast.Return | ast.AugAssign):
            calls = [n for n in ordered(after) if is_next(n, name)]
            if any(isinstance(n, ast.IfExp | ast.BoolOp | ast.comprehension) for n in walk(after)) and calls:
                return
            if len({(c.lineno, c.col_offset) for c in calls}) < len(calls):  # the frontend has made them
                return
            taken += [(after, c) for c in calls]
    if len(taken) == reads:
        number(taken, of)
        block.remove(s)


def has_other_uses(loop: ast.For, of: str) -> bool:
    """Whether a loop does more with a sequence than reading items: it might get longer there."""
    nodes = [n for s in loop.body for n in walk(s)]
    items = {id(n.value) for n in nodes if isinstance(n, ast.Subscript)}
    return any(is_name(n) and n.id == of and id(n) not in items for n in nodes)


def number(taken: list[tuple[ast.AST, ast.Call]], of: str) -> None:
    for i, (s, call) in enumerate(taken):
        new = expression(f"{of}[{i}]", call)
        for up in walk(s):
            put(up, call, new)
        for e in walk(s):
            if isinstance(e, ast.expr) and any(n is new for n in walk(e)):
                made(e, e)


def ordered(node: ast.AST) -> list[ast.Call]:
    """The calls in a statement in the order in which Python evaluates them, one beside another: that of the text."""
    found = [n for n in walk(node) if isinstance(n, ast.Call)]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def is_next(n: ast.AST, name: str) -> bool:
    match n:
        case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=of)], keywords=[]):
            return of == name
    return False


def is_read(n: ast.Subscript | ast.Attribute) -> bool:
    return isinstance(n.ctx, ast.Load)


def is_name(n: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(n, ast.Name)


__all__ = ["write_out"]
