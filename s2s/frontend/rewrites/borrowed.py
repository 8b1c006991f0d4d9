"""Functions that another module holds under other names: tables, lambdas, partial, second names.

    from acts import TABLE              TABLE of acts.py is {"relu": relu, "tanh": np.tanh}:
    y = TABLE[kind](x)                  with `from acts import relu`, it is one of this module, too

A path, `acts.TABLE`, is read as the name `TABLE` where that is free.
"""

from __future__ import annotations

import ast

from s2s import rules
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, dotted, parameters, walk
from s2s.frontend.text.source import made


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Makes known what the function calls, reads by a key, runs over or hands on, and changes paths in it to names."""
    nodes = body_nodes(function)
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    adopt_classes(function, names)
    wanted: list[ast.expr] = []
    for n in nodes:
        match n:
            case ast.Call(func=func, args=args, keywords=keywords):
                wanted += [func, *args, *(k.value for k in keywords)]
            case ast.Subscript(value=value):
                wanted.append(value)
            case ast.For(iter=it) | ast.comprehension(iter=it):
                wanted.append(it)
            case ast.Compare(comparators=items):
                wanted += items
            case ast.Attribute(value=ast.Name() | ast.Attribute() as value):  # TABLE.get
                wanted.append(value)
    paths: dict[int, str] = {}
    for e in wanted:
        path = dotted(e) if isinstance(e, ast.Name | ast.Attribute) else None
        if path is None or path[0] in own or path[0] not in names.imports.names:
            continue
        full = ".".join([names.imports.names[path[0]], *path[1:]])
        if rules.lookup(full) is not None or rules.is_module(full):
            continue
        name = path[-1]
        if len(path) > 1 and (name in own or not names.is_free(name, full)):
            continue
        if (names.borrow(full, name) or name in names.adopted) and len(path) > 1:
            paths[id(e)] = name
    if paths:
        function.body[:] = [_Named(paths).visit(s) for s in function.body]


def adopt_classes(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Makes classes of other modules known as classes of this one, of which a function makes objects, or one of this
    module that it may call: what is read of their text stands here then (`Program.adopt`)."""
    todo, seen = [function], set[str]()
    for f in todo:
        for n in walk(f):
            match n:
                case ast.Call(func=ast.Name() | ast.Attribute() as e):
                    pass
                case ast.arg(annotation=ast.Name() | ast.Attribute() as e):
                    pass
                case _:
                    continue
            path = dotted(e)
            cut = next(
                (i for i, part in enumerate(path or ()) if part[:1].isupper()), None
            )  # Filter, filters.Filter.of
            if path is None or cut is None or path[0] not in names.imports.names:
                continue
            full = ".".join([names.imports.names[path[0]], *path[1 : cut + 1]])
            if rules.lookup(full) is None and not rules.is_module(full) and names.is_free(path[cut], full):
                names.adopt(full, path[cut], e)
        read = {n.id for n in walk(f) if isinstance(n, ast.Name)} - seen
        seen |= read
        for own in sorted(read & names.classes.keys()):
            names.derive(own)
        todo += [g for n in read if isinstance(g := names.functions.get(n), ast.FunctionDef)]
        todo += [m for n in read if n in names.classes for m in names.classes[n].methods.values()]


class _Named(ast.NodeTransformer):
    def __init__(self, paths: dict[int, str]) -> None:
        self.paths = paths

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if id(node) in self.paths:
            return made(ast.Name(self.paths[id(node)], node.ctx), node)
        self.generic_visit(node)
        return node


class Renamed(ast.NodeTransformer):
    """Names of a module by those that another one has for them; those of lambdas and comprehensions stay."""

    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self.names.get(node.id)
        return made(found, node) if found is not None else node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        hidden = {p.arg for p in parameters(node)}
        node.body = Renamed({n: e for n, e in self.names.items() if n not in hidden}).visit(node.body)
        node.args = self.visit(node.args)
        return made(node, node)
