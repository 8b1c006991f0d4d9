"""Variables of comprehensions and inner functions that have the name of an object, or a dict, of the function around:
they get names of their own.

    def f(v, ps):                               def f(v, ps):
        return v.x + sum(v.x for v in ps)           return v.x + sum(v1.x for v1 in ps)

What the later steps know of an object, they know by its name.
"""

from __future__ import annotations

import ast

from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    binds,
    body_nodes,
    bound_names,
    new_name,
    parameters,
    rename,
    string_key,
    walk,
)


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function."""
    nodes = [n for s in function.body for n in walk(s)]
    inner = [n for n in nodes if isinstance(n, (*COMPREHENSIONS, ast.FunctionDef, ast.Lambda))]
    if not inner:
        return
    own = {p.arg for p in parameters(function)} | bound_names(body_nodes(function))
    parts = {n.value for n in nodes if isinstance(n, ast.Attribute) or (isinstance(n, ast.Subscript) and string_key(n))}
    objects = own & {n.id for n in parts if isinstance(n, ast.Name)}
    targets = [n.target for n in nodes if isinstance(n, ast.For)]
    items = own & {n.id for t in targets for n in walk(t) if isinstance(n, ast.Name)}
    objects |= items & {n.iter.id for n in nodes if isinstance(n, ast.For) and isinstance(n.iter, ast.Name)}
    if not objects:
        return
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)} | own
    others: dict[str, str] = {}  # names that scopes may share of which none is inside of another
    for scope in inner:
        for name in sorted(binds(scope) & objects):
            apart = not any(n is not scope and name in binds(n) for n in walk(scope))
            new = others.get(name, "") if apart else ""
            new = new or new_name(taken, f"{name}1")
            if apart:
                others[name] = new
            rename(scope, name, new)


__all__ = ["write_out"]
