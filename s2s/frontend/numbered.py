"""Dicts whose keys are 0, 1, 2, ... and that are only read, as the lists of their values.

    d = {i: x[i] ** 2 for i in range(n)}        d = [x[i] ** 2 for i in range(n)]
    d[0] + d[n - 1]                             d[0] + d[n - 1]
    for k, v in d.items():                      for k, v in enumerate(d):

A key that is not there raises an error in both, but for negative ones, where the function itself raises it.
"""

from __future__ import annotations

import ast

from s2s.frontend.scopes import bound_names, is_bound, parameters, walk
from s2s.frontend.source import expression, made


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: what is done already is not done again."""
    displays = [s for s in function.body if isinstance(s, ast.Assign) and is_numbered(s.value)]
    every = [n for s in function.body for n in ast.walk(s)] if displays else []
    if not displays or any(isinstance(n, ast.Try) for n in every):  # a missing key may be an `except KeyError`
        return
    own = {p.arg for p in parameters(function)} | bound_names(every)
    for s in displays:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.DictComp(value=value, generators=generators)):
                stores = [n for n in every if isinstance(n, ast.Name) and n.id == name and is_bound(n)]
                hidden = any(isinstance(n, ast.arg) and n.arg == name for n in every)
                if len(stores) != 1 or hidden or own & {"range", "enumerate", "len"} or not only_read(every, name):
                    continue
                s.value = made(ast.ListComp(value, generators), s.value)
                s.made = True  # type: ignore[attr-defined]
                for inner in function.body:
                    _Read(name).visit(inner)


def is_numbered(e: ast.expr) -> bool:
    """{i: ... for i in range(n)}"""
    match e:
        case ast.DictComp(
            key=ast.Name(id=key),
            generators=[
                ast.comprehension(
                    target=ast.Name(id=own), iter=ast.Call(func=ast.Name(id="range"), args=[_], keywords=[]), ifs=[]
                )
            ],
        ):
            return key == own
    return False


def only_read(nodes: list[ast.AST], name: str) -> bool:
    """Whether a dict is used by its items, its length and loops over it only."""
    known: set[int] = set()
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Name() as d, slice=key, ctx=ast.Load()):
                if not isinstance(key, ast.Slice | ast.Tuple):
                    known.add(id(d))
            case ast.Call(func=ast.Attribute(value=ast.Name() as d, attr="items" | "values" | "keys"), args=[]):
                known.add(id(d))
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as d]):
                known.add(id(d))
            case ast.For(iter=ast.Name() as d) | ast.comprehension(iter=ast.Name() as d):
                known.add(id(d))
    loads = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and not is_bound(n)]
    return all(id(n) in known for n in loads)


class _Read(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self.name = name

    def visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[]) if name == self.name:
                text = {"items": f"enumerate({name})", "values": name, "keys": f"range(len({name}))"}[attr]
                return expression(text, node)
            case ast.For(iter=ast.Name(id=name)) | ast.comprehension(iter=ast.Name(id=name)) if name == self.name:
                node.iter = expression(f"range(len({name}))", node.iter)
        inside = isinstance(node, ast.expr) and any(isinstance(n, ast.Name) and n.id == self.name for n in walk(node))
        self.generic_visit(node)
        if inside:
            node.made = True  # type: ignore[attr-defined]
        return node


__all__ = ["write_out"]
