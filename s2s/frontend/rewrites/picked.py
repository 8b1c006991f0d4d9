"""Functions that are picked from tables which the text shows.

LAWS.get("decay")(x)            LAWS["decay"](x)
for name in sorted(laws):       for name in ("decay", "growth"):
[*map(g, x)]                    list(map(g, x))
"""

from __future__ import annotations

import ast
from collections import Counter

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, children, is_bound, parameters, walk
from s2s.frontend.text.source import made

READING = frozenset(["get", "items", "keys", "values"])


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    nodes = body_nodes(function)
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    if not names.hides(frozenset(["list", "map", "sorted"])) and not own & {"list", "map", "sorted"}:
        work = _Picked(tables(function, names, own))
        function.body[:] = [work.visit(s) for s in function.body]


def tables(function: ast.FunctionDef, names: ModuleNames, own: set[str]) -> dict[str, list[str]]:
    """The keys of dicts of functions: of the module, and those of the function that nothing changes."""
    every = [n for s in function.body for n in walk(s)]
    stores = Counter(n.id for n in every if isinstance(n, ast.Name) and is_bound(n))
    shown: dict[str, ast.expr] = {n: e for n, e in names.values.items() if n not in own}
    for n in every:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as value) if stores[name] == 1:
                shown[name] = value
    found: dict[str, list[str]] = {}
    for name, e in shown.items():
        if not isinstance(e, ast.Dict) or not holds_functions(e):
            continue
        keys = [k.value for k in e.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
        if keys and len(set(keys)) == len(e.keys) and (name not in own or is_only_read(name, every)):
            found[name] = keys
    return found


def holds_functions(shown: ast.Dict) -> bool:
    """Whether the values of a table may be functions: names, lambdas, `np.sin`, tuples with such."""
    return any(isinstance(n, ast.Lambda | ast.Name | ast.Attribute) for v in shown.values for n in walk(v))


def is_only_read(name: str, every: list[ast.AST]) -> bool:
    """Whether a dict is only read by its keys, run over and sorted: it has no second name, and gets no other entry."""
    parents = {c: n for n in every for c in children(n)}
    for n in every:
        if not isinstance(n, ast.Name) or n.id != name or is_bound(n):
            continue
        match parents.get(n):
            case ast.Subscript(value=value, ctx=ast.Load()) if value is n:
                continue
            case ast.Attribute(attr=attr) if attr in READING:
                continue
            case (
                ast.Call(func=ast.Name(id="len" | "list" | "sorted")) | ast.For() | ast.comprehension() | ast.Compare()
            ):
                continue
        return False
    return True


class _Picked(ast.NodeTransformer):
    def __init__(self, tables: dict[str, list[str]]) -> None:
        self.tables = tables

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name) as table, attr="get"),
                    args=[ast.Constant(value=str(k)) as key, *default],
                    keywords=[],
                ) as got
            ) if name in self.tables and (k in self.tables[name] or default):
                picked = made(ast.Subscript(table, key, ast.Load()), got)
                node.func = picked if k in self.tables[name] else default[0]
                return made(node, node)
            case ast.Call(
                func=ast.Name(id="sorted"),
                args=[ast.Name(id=name) | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="keys"), args=[])],
                keywords=[],
            ) if name in self.tables:
                keys: list[ast.expr] = [made(ast.Constant(k), node) for k in sorted(self.tables[name])]
                return made(ast.List(keys, ast.Load()), node)
        return node

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        match node.elts:
            case [ast.Starred(value=ast.Call(func=ast.Name(id="map")) as mapped)] if isinstance(node.ctx, ast.Load):
                return made(ast.Call(made(ast.Name("list", ast.Load()), node), [mapped], []), node)
        return node


__all__ = ["write_out"]
