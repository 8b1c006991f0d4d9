"""Dicts that are shown under numbers, or tuples of numbers and texts, and only read, as the lists of their values.

rates = {(0, 1): a, (1, 2): b}              rates = [a, b]
for (i, j), rate in rates.items():          for (i, j), rate in zip([(0, 1), (1, 2)], rates):
rates[0, 1] + max(rates.values())           rates[0] + max(rates)
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping

from s2s.frontend.text.scopes import body_nodes, children, is_bound, parameters, walk
from s2s.frontend.text.source import expression, made, put

ITERATING = frozenset(["list", "tuple", "sorted", "enumerate", "zip"])
LEAST = 2  # entries: of one there is nothing to run over


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: what is done already is not done again."""
    displays = [n for n in body_nodes(function) if isinstance(n, ast.Assign) and isinstance(n.value, ast.Dict)]
    shown = {id(s): keys for s in displays if (keys := keys_of(s.value)) is not None}
    if not shown:
        return
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    own = set(body_nodes(function))
    for s in displays:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(values=values)) if id(s) in shown:
                keys = shown[id(s)]
                uses = [n for n in parents if isinstance(n, ast.Name) and n.id == name]
                if name in {p.arg for p in parameters(function)} or not own.issuperset(uses):
                    continue
                reads = [n for n in uses if not is_bound(n)]
                if len(uses) != len(reads) + 1 or not all(is_read(n, parents, keys) for n in reads):
                    continue
                for n in reads:
                    write_read(n, parents, keys)
                s.value = made(ast.List(values, ast.Load()), s.value)


def keys_of(value: ast.expr) -> list[Hashable] | None:
    """The keys of a display, some of them no texts; None where they are not written out, or count from 0."""
    if not isinstance(value, ast.Dict) or len(value.keys) < LEAST:
        return None
    keys: list[Hashable] = []
    for k in value.keys:
        try:
            keys.append(None if k is None else ast.literal_eval(k))
        except (ValueError, TypeError):
            return None
    plain = all(isinstance(k, int | float | str | tuple) and not isinstance(k, bool) for k in keys)
    if not plain or len(set(keys)) < len(keys) or all(isinstance(k, str) for k in keys):
        return None
    return None if keys == [*range(len(keys))] else keys


def is_read(n: ast.Name, parents: Mapping[ast.AST, ast.AST], keys: list[Hashable]) -> bool:
    """Whether a use of the name reads an entry under a key that is written out, or runs over all of them."""
    up = parents[n]
    match up:
        case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if value is n:
            try:
                return ast.literal_eval(key) in keys
            except (ValueError, TypeError):
                return False
        case ast.Attribute(attr="values"):
            return is_call(parents[up], up)
        case ast.Attribute(attr="items"):
            call = parents[up]
            return is_call(call, up) and is_run_over(call, parents)
        case ast.For() | ast.comprehension():
            return up.iter is n
    return False


def is_call(call: ast.AST, func: ast.Attribute) -> bool:
    return isinstance(call, ast.Call) and call.func is func and not call.args and not call.keywords


def is_run_over(call: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether the items are read where they stand, once."""
    up = parents[call]
    match up:
        case ast.For(iter=it) | ast.comprehension(iter=it):
            return it is call
        case ast.Call(func=ast.Name(id=name)):
            return name in ITERATING
    return False


def write_read(n: ast.Name, parents: Mapping[ast.AST, ast.AST], keys: list[Hashable]) -> None:
    """A use of the dict as one of the list."""
    up = parents[n]
    match up:
        case ast.Subscript(slice=key):
            up.slice = expression(str(keys.index(ast.literal_eval(key))), key)
        case ast.Attribute(attr=attr):
            call = parents[up]
            text = n.id if attr == "values" else f"zip({keys}, {n.id})"
            put(parents[call], call, expression(text, n))
        case ast.For() | ast.comprehension():
            up.iter = expression(str(keys), n)
