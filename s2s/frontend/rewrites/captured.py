"""Dicts that nested functions use, entry by entry: their entries are variables of the function around.

    rates = {"growth": g, "loss": l}    rates_growth = g;  rates_loss = l
    def step(x):                        def step(x):
        return rates["growth"] * x          return rates_growth * x

What a nested function assigns to such an entry is a nonlocal name. A dict that is used in another way, or of which an
entry may be missing, is left as it is written. Dicts that no nested function uses are taken apart by `Objects`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence as List
from typing import cast

from s2s.frontend.rewrites.objects import is_key, word
from s2s.frontend.text.scopes import blocks_of, body_nodes, bound_names, every_block, parameters, string_key, walk
from s2s.frontend.text.source import made

FUNCTIONS = ast.FunctionDef | ast.Lambda


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    inner = [n for n in nodes if isinstance(n, FUNCTIONS)]
    captured = {x.id for n in inner for x in walk(n) if isinstance(x, ast.Name)}
    if not captured:
        return
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)}
    taken |= {n.arg for n in walk(function) if isinstance(n, ast.arg)}
    for name in sorted(captured & bound_names(nodes) - {p.arg for p in parameters(function)}):
        keys = keys_of(function, inner, name)
        if keys is None:
            continue
        own: dict[str, str] = {}
        for key in keys:
            own[key] = f"{name}_{word(key)}"
            while own[key] in taken:
                own[key] += "_"
            taken.add(own[key])
        bind_entries(function.body, name, own)
        for n in inner:
            if isinstance(n, ast.FunctionDef):
                declare(n, name, own)
        exchanged = _Entries(name, own)
        function.body[:] = [cast(ast.stmt, exchanged.visit(s)) for s in function.body]


def keys_of(function: ast.FunctionDef, inner: List[ast.AST], name: str) -> list[str] | None:
    """The keys of a dict that is only ever bound to displays of the same keys, and used by its entries; else None."""
    keys: list[str] | None = None
    allowed: set[int] = set()  # the occurrences of the name that are understood
    for s in (s for block in every_block(function.body) for s in block):
        match s:
            case ast.Assign(targets=[ast.Name(id=target) as bound], value=ast.Dict() as display) if target == name:
                found = [k.value for k in display.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
                if len(found) < len(display.keys) or len(set(found)) < len(found) or not all(map(is_key, found)):
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
    used = any(isinstance(x, ast.Name) and x.id == name for n in inner for x in walk(n))
    known = all(id(n) in allowed for n in walk(function) if isinstance(n, ast.Name) and n.id == name)
    return keys if used and known else None


def bind_entries(body: list[ast.stmt], name: str, own: dict[str, str]) -> None:
    """`d = {"a": x, "b": y}` as `d_a = x` and `d_b = y`, at once where a value reads the dict."""
    at = 0
    while at < len(body):
        s = body[at]
        for block in blocks_of(s):
            bind_entries(block, name, own)
        match s:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Dict(values=values) as display) if target == name:
                targets: list[ast.expr] = [made(ast.Name(n, ast.Store()), s) for n in own.values()]
                if len(values) == 1:
                    s.targets, s.value = targets, values[0]
                else:
                    s.targets = [made(ast.Tuple(targets, ast.Store()), s)]
                    s.value = made(ast.Tuple(values, ast.Load()), display)
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
