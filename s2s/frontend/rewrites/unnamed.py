"""Tuples with dicts in them that are taken apart or handed on at once, without the names that they have for that.

    r = scaled(k, rates)
    q, after = r                    q, after = scaled(k, rates)

    r_bar = q_bar, after_bar
    k_bar = scaled_rev(k, r_bar)    k_bar = scaled_rev(k, (q_bar, after_bar))

Dicts under keys of the run are followed by their names, and not in what holds them.
"""

from __future__ import annotations

import ast
from collections import Counter

from s2s.frontend.text.scopes import body_nodes, children, every_block, is_bound, walk
from s2s.frontend.text.source import put


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function that makes dicts by comprehensions."""
    if not any(isinstance(n, ast.DictComp) for n in body_nodes(function)):
        return
    for block in every_block(function.body):
        for s in list(block):
            if isinstance(s, ast.Assign) and s in block:
                unpack_at_once(s, block, function)
        for s in reversed(list(block)):
            if isinstance(s, ast.Assign):
                hand_on(s, block, function)


def uses_of(function: ast.FunctionDef) -> tuple[Counter[str], Counter[str]]:
    """How often each name is read, and how often it is bound."""
    names = [n for s in function.body for n in walk(s) if isinstance(n, ast.Name)]
    return Counter(n.id for n in names if not is_bound(n)), Counter(n.id for n in names if is_bound(n))


def unpack_at_once(s: ast.Assign, block: list[ast.stmt], function: ast.FunctionDef) -> None:
    """`r, g = f(x)`, `q, after = r`, `g, c = g`: (q, after), (g, c) = f(x)"""
    while isinstance(s.value, ast.Call) and len(s.targets) == 1:
        at = block.index(s) + 1
        reads, stores = uses_of(function)
        match block[at] if at < len(block) else None:
            case ast.Assign(targets=[ast.Tuple() as parts], value=ast.Name(id=name)) as t:
                again = {n.id for n in walk(parts) if isinstance(n, ast.Name)}
            case _:
                return
        # bound once, or by the parts again: what is read later is one of these
        if (reads[name], stores[name]) != (1, 1) and name not in again:
            return
        found = [n for n in walk(s.targets[0]) if isinstance(n, ast.Name) and n.id == name]
        others = {n.id for n in walk(s.targets[0]) if isinstance(n, ast.Name)} - {name}
        plain = all(isinstance(n, ast.Name | ast.Tuple) for n in walk(s.targets[0]) if isinstance(n, ast.expr))
        if len(found) != 1 or not plain or others & again:
            return
        if s.targets[0] is found[0]:
            s.targets[0] = parts
        else:
            up = next(n for n in walk(s.targets[0]) if isinstance(n, ast.Tuple) and found[0] in n.elts)
            put(up, found[0], parts)
        block.remove(t)


def hand_on(s: ast.Assign, block: list[ast.stmt], function: ast.FunctionDef) -> None:
    """`t = a, b` where the next statement alone reads t, and hands it to a function: `f((a, b))`"""
    at = block.index(s) + 1
    following = block[at] if at < len(block) else None
    match s:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=items) as shown) if isinstance(
            following, ast.Assign | ast.Return
        ):
            pass
        case _:
            return
    reads, stores = uses_of(function)
    once = (reads[name], stores[name]) == (1, 1)
    if block is function.body and not once and not any(isinstance(n, ast.FunctionDef) for n in block):
        rest = [n for t in block[at:] for n in walk(t) if isinstance(n, ast.Name) and n.id == name and not is_bound(n)]
        once = len(rest) == 1
    if not once or not all(isinstance(e, ast.Name) for e in items):
        return
    later = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    if any(isinstance(n, later) for n in walk(following)):
        return  # the names of the items may stand for something else there
    parents = {c: n for n in walk(following) for c in children(n)}
    use = next((n for n in parents if isinstance(n, ast.Name) and n.id == name and not is_bound(n)), None)
    top = use and parents[use]
    while isinstance(top, ast.Tuple):
        top = parents[top]
    if use is not None and isinstance(top, ast.Call):
        put(parents[use], use, shown)
        block.remove(s)
