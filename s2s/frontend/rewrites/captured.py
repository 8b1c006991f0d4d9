"""Dicts that nested functions use, or whose lists lose items, entry by entry: their entries are variables.

    rates = {"growth": g, "loss": l}    rates_growth = g;  rates_loss = l
    def step(x):                        def step(x):
        return rates["growth"] * x          return rates_growth * x

    state = {"queue": [x], "sum": y}    state_queue = [x];  state_sum = y
    state["queue"].insert(0, z)         state_queue.insert(0, z)

What a nested function assigns to such an entry is a nonlocal name; what is done with lists that have names is followed
(`takes`). A dict that is used in another way, or of which an entry may be missing, is left as it is written. All other
dicts are taken apart by `Objects`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import cast

from s2s.frontend.rewrites.objects import is_key, word
from s2s.frontend.rewrites.takes import resized
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    blocks_of,
    body_nodes,
    bound_names,
    every_block,
    mentions,
    parameters,
    read_names,
    string_key,
    walk,
)
from s2s.frontend.text.source import made

FUNCTIONS = ast.FunctionDef | ast.Lambda


def write_out(function: ast.FunctionDef, names: ModuleNames) -> bool:
    """Changes the body of a function; whether there was such a dict. What is done already is not done again."""
    found = False
    while entries_named(function, names):  # `d["a"]["b"]` is an entry of one that has a name by then
        found = True
    return found


def entries_named(function: ast.FunctionDef, module: ModuleNames) -> bool:
    nodes = body_nodes(function)
    inner = [n for n in nodes if isinstance(n, FUNCTIONS)]
    captured = {x.id for n in inner for x in walk(n) if isinstance(x, ast.Name)}
    changed = {root_of(of) for n in nodes if isinstance(of := resized(n), ast.Subscript)}
    params = {p.arg for p in parameters(function)}
    own = bound_names(nodes) | params
    names = (captured | changed) & own - params
    if not names:
        return False
    found = False
    hidden = module.hides(frozenset(["dict"])) or "dict" in own
    functions = {n.name for n in inner if isinstance(n, ast.FunctionDef)}
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)}
    taken |= {n.arg for n in walk(function) if isinstance(n, ast.arg)}
    for name in sorted(names):
        keys = keys_of(function, name, hidden)
        if keys is None:
            continue
        found = True
        variables: dict[str, str] = {}
        for key in keys:
            variables[key] = f"{name}_{word(key)}"
            while variables[key] in taken:
                variables[key] += "_"
            taken.add(variables[key])
        callees, nested = (own, functions) if name in captured else (set[str](), set[str]())
        bind_entries(function.body, name, variables, partial(may_read, name=name, callees=callees, functions=nested))
        for n in inner:
            if isinstance(n, ast.FunctionDef):
                declare(n, name, variables)
        exchanged = _Entries(name, variables)
        function.body[:] = [cast(ast.stmt, exchanged.visit(s)) for s in function.body]
    return found


def keys_of(function: ast.FunctionDef, name: str, hidden: bool) -> list[str] | None:
    """The keys of a dict that is only ever bound to displays of the same keys, and used by its entries; else None.

    hidden: `dict` is a name of the user's.
    """
    keys: list[str] | None = None
    allowed: set[int] = set()  # the occurrences of the name that are understood
    for s in (s for block in every_block(function.body) for s in block):
        match s:
            case ast.Assign(targets=[ast.Name(id=target) as bound], value=value) if target == name:
                shown = display(value)
                keys_shown = [k.value for k in shown.keys if isinstance(k, ast.Constant)] if shown else []
                found = [k for k in keys_shown if isinstance(k, str)]
                if shown is None or len(found) < len(shown.keys) or (hidden and isinstance(value, ast.Call)):
                    return None
                if len(set(found)) < len(found) or not all(map(is_key, found)):
                    return None
                if not found or (keys is not None and keys != found):
                    return None
                keys = found
                allowed.add(id(bound))
    for n in walk(function):
        match n:
            case ast.Subscript(value=ast.Name(id=owner) as read, ctx=ast.Load() | ast.Store()) if owner == name:
                if string_key(n) in (keys or ()):
                    allowed.add(id(read))
            case ast.Global(names=names) | ast.Nonlocal(names=names) if name in names:
                return None
            case ast.FunctionDef() | ast.Lambda() if n is not function:
                own = {p.arg for p in parameters(n)}
                if name in own or (isinstance(n, ast.FunctionDef) and name in bound_names(body_nodes(n))):
                    return None
            case ast.ClassDef() | ast.AsyncFunctionDef():
                return None
    known = all(id(n) in allowed for n in walk(function) if isinstance(n, ast.Name) and n.id == name)
    return keys if known else None


def display(value: ast.expr) -> ast.Dict | None:
    """The display of a dict that is made in one: `{"a": x}`, `dict(a=x)`."""
    match value:
        case ast.Dict():
            return value
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=options):
            keys: list[ast.expr | None] = [made(ast.Constant(o.arg), o) if o.arg else None for o in options]
            return made(ast.Dict(keys, [o.value for o in options]), value)
    return None


def may_read(value: ast.expr, name: str, callees: set[str], functions: set[str]) -> bool:
    """Whether a value reads a dict: by its name, or by a function that captures it, which is called or handed on.

    callees: the variables that may stand for such a function; functions: the names of nested ones.
    """
    calls = [n for n in walk(value) if isinstance(n, ast.Call)]
    called = {root_of(n.func) for n in calls if isinstance(n.func, ast.Name | ast.Subscript)}
    return mentions(value, name) or bool(called & callees) or any(read_names(n) & functions for n in calls)


def bind_entries(body: list[ast.stmt], name: str, own: dict[str, str], reads_it: Callable[[ast.expr], bool]) -> None:
    """`d = {"a": x, "b": y}` as `d_a = x` and `d_b = y`, at once where a value may read the dict that was there."""
    at = 0
    while at < len(body):
        s = body[at]
        for block in blocks_of(s):
            bind_entries(block, name, own, reads_it)
        match s:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                shown = display(value)
                assert shown is not None
                values = shown.values
                targets: list[ast.expr] = [made(ast.Name(n, ast.Store()), s) for n in own.values()]
                if len(values) > 1 and any(map(reads_it, values)):
                    s.targets = [made(ast.Tuple(targets, ast.Store()), s)]
                    s.value = made(ast.Tuple(values, ast.Load()), value)
                else:
                    each = zip(targets, values, strict=True)
                    body[at : at + 1] = [ast.copy_location(made(ast.Assign([t], v, None), s), s) for t, v in each]
                    at += len(values) - 1
        at += 1


def declare(function: ast.FunctionDef, name: str, own: dict[str, str]) -> None:
    """The entries that a nested function assigns are nonlocal there; so they are for functions inside it."""
    stored: dict[str, None] = {}
    for n in body_nodes(function):
        if isinstance(n, ast.FunctionDef):
            declare(n, name, own)
        match n:
            case ast.Subscript(value=ast.Name(id=owner), ctx=ast.Store()) if owner == name:
                stored.setdefault(own[string_key(n) or ""])
    if stored:
        function.body.insert(0, made(ast.Nonlocal(list(stored)), function.body[0]))


class _Entries(ast.NodeTransformer):
    """`d["a"]` as `d_a`; what holds such an entry has a text of its own."""

    def __init__(self, name: str, own: dict[str, str]) -> None:
        self.name, self.own, self.count = name, own, 0

    def visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id=owner)) if owner == self.name:
                self.count += 1
                return made(ast.Name(self.own[string_key(node) or ""], node.ctx), node)
        before = self.count
        self.generic_visit(node)
        if isinstance(node, ast.expr) and self.count > before:
            node.made = True  # type: ignore[attr-defined]
        return node


__all__ = ["write_out"]
