"""Dicts that lose entries are bound to new dicts.

    del d[k]            d = {key: v for key, v in d.items() if key != k}
    x = d.pop(k)        x = d[k]
                        d = {key: v for key, v in d.items() if key != k}

A new dict is the same as the changed one where nothing else has the dict: of a dict that is made here, and that only
its own name sees. Entries of dicts that show their keys are variables (`missing`); lists have a module of their own
(`takes`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from s2s.frontend.rewrites.keyed import is_alone
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, mentions, new_name, parameters, walk
from s2s.frontend.text.source import expression, made


def write_out(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function."""
    statements = [s for block in every_block(function.body) for s in block]
    names = {taken[0].id for s in statements if (taken := removal(s)) is not None}
    if not names:
        return
    names &= bound_names(body_nodes(function)) - {p.arg for p in parameters(function)}
    names -= {n for s in statements if isinstance(s, ast.Global | ast.Nonlocal) for n in s.names}
    for t in statements:
        if isinstance(t, ast.Try):  # a key that is not there raises; the new dict does not
            names -= {taken[0].id for s in walk(t) if isinstance(s, ast.stmt) and (taken := removal(s)) is not None}
    for name in sorted(names):
        if all(makes_open(s.value) for s in statements if isinstance(s, ast.Assign) and binds(s, name)):
            trial = copy.deepcopy(function)
            bind_anew(trial, name)
            if is_alone(trial, name, module):
                bind_anew(function, name)


def removal(s: ast.stmt) -> tuple[ast.Name, ast.expr] | None:
    """The dict and the key of an entry that a statement takes away; it may be the item of a list."""
    match s:
        case ast.Delete(targets=[ast.Subscript(value=ast.Name() as d, slice=key)]) if not isinstance(key, ast.Slice):
            return d, key
        case ast.Assign(targets=[ast.Name()], value=value) | ast.Expr(value=value):
            match value:
                case ast.Call(func=ast.Attribute(value=ast.Name() as d, attr="pop"), args=[key, *rest], keywords=[]):
                    simple = len(rest) <= 1 and all(isinstance(e, ast.Constant | ast.Name) for e in rest)
                    if simple and not isinstance(key, ast.Starred):
                        return d, key
    return None


def binds(s: ast.Assign, name: str) -> bool:
    return any(mentions(t, name) for t in s.targets if not isinstance(t, ast.Subscript | ast.Attribute))


def makes_open(value: ast.expr) -> bool:
    """Whether a dict is made of which the text does not show the keys."""
    match value:
        case ast.Dict(keys=[]) | ast.DictComp() | ast.Call(func=ast.Name(id="dict")):
            return True
    return False


def bind_anew(function: ast.FunctionDef, name: str) -> None:
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    for block in list(every_block(function.body)):
        block[:] = [x for s in block for x in without(s, name, taken)]


def without(s: ast.stmt, name: str, taken: set[str]) -> Iterator[ast.stmt]:
    """What stands for a statement that may take an entry away."""
    found = removal(s)
    if found is None or found[0].id != name:
        yield s
        return
    _, key = found
    at = ast.unparse(key)
    lost = isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == at  # k = d.pop(k)
    if lost or not isinstance(key, ast.Constant | ast.Name):
        own = at = new_name(taken, f"{name}_key")  # evaluated once, before anything else
        yield ast.copy_location(ast.Assign([made(ast.Name(own, ast.Store()), key)], key), s)
    if isinstance(s, ast.Assign):
        assert isinstance(s.value, ast.Call)
        item = f"{name}[{at}]"
        text = f"{item} if {at} in {name} else {ast.unparse(s.value.args[1])}" if s.value.args[1:] else item
        yield ast.copy_location(ast.Assign(s.targets, expression(text, s.value)), s)
    k, v = new_name(taken, "key"), new_name(taken, "v")
    left = expression(f"{{{k}: {v} for {k}, {v} in {name}.items() if {k} != {at}}}", s)
    yield ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), s)], left), s)
