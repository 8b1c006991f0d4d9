"""Imports inside of functions, of names that the module has for something else: they get names of their own.

from math import log                    from math import log
                                        from numpy import log as numpy_log

def f(x):                               def f(x):
    from numpy import log                   return numpy_log(x)
    return log(x)
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from s2s import rules
from s2s.frontend.text.names import LIKE_NUMPY, Imports, ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, parameters, rename, rewritten, walk
from s2s.frontend.text.source import made


def write_out(function: ast.FunctionDef, names: ModuleNames, notes: Callable[[], object]) -> None:
    """Changes the body of a function, and what its module imports. notes: reads the comments of its statements."""
    nodes = body_nodes(function)
    local = [n for n in nodes if isinstance(n, ast.Import | ast.ImportFrom)]
    if not local:
        return
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    own |= {n for g in walk(function) if isinstance(g, ast.Global | ast.Nonlocal) for n in g.names}
    nested = any(isinstance(n, ast.Lambda | ast.FunctionDef) for n in nodes)
    paths: dict[str, set[str]] = {}
    for s in local:
        alone = Imports()
        alone.add(s)
        for name, path in alone.names.items():
            paths.setdefault(name, set()).add(path)
    new: dict[str, str] = {}
    for name, found in paths.items():
        path = min(found)
        known = any(map(rules.is_module, (path, path.rpartition(".")[0])))
        if len(found) == 1 and known and name not in own and is_other(name, path, names, nested):
            owner = path.rpartition(".")[0].rpartition(".")[2]
            new[name] = names.new_name(f"{owner}_{name}" if owner else f"own_{name}")
            names.bind_import(new[name], path)
    if not new:
        return
    notes()  # by the statements that the text has

    def without(s: ast.stmt) -> list[ast.stmt]:
        if not isinstance(s, ast.Import | ast.ImportFrom):
            return [s]
        kept = [a for a in s.names if (a.asname or a.name.partition(".")[0]) not in new]
        if len(kept) == len(s.names):
            return [s]
        if not kept:
            return []
        left = ast.Import(kept) if isinstance(s, ast.Import) else ast.ImportFrom(s.module, kept, s.level)
        return [made(left, s)]

    function.body[:] = rewritten(function.body, without) or [made(ast.Pass(), function)]
    for old, name in new.items():
        rename(function, old, name)
    for e in (n for s in function.body for n in walk(s)):
        if isinstance(e, ast.expr) and any(isinstance(n, ast.Name) and n.id in new.values() for n in walk(e)):
            made(e, e)


def is_other(name: str, path: str, names: ModuleNames, nested: bool) -> bool:
    """Whether a name stands for something else in the module."""
    if name in {*names.functions, *names.constants, *names.others, *names.classes, *names.values}:
        return True
    outside = names.imports.names.get(name, path)
    modules = not nested and rules.is_module(path) and rules.is_module(outside)
    return path != outside and not modules and not {path, outside} <= LIKE_NUMPY


__all__ = ["write_out"]
