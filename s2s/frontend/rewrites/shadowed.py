"""Variables of comprehensions and inner functions that have the name of an object, or a dict, of the function around:
they get names of their own.

    def f(v, ps):                               def f(v, ps):
        return v.x + sum(v.x for v in ps)           return v.x + sum(v1.x for v1 in ps)

What the later steps know of an object, they know by its name.
"""

from __future__ import annotations

import ast

from s2s.frontend.text.function_bodies import nonlocals
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    body_nodes,
    bound_names,
    children,
    keyword_of,
    new_name,
    parameters,
    read_names,
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


def binds(scope: ast.AST) -> set[str]:
    """The names that a comprehension, or a function inside, has for itself."""
    match scope:
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return {name for g in scope.generators for name in read_names(g.target)}
        case ast.Lambda():
            return {p.arg for p in parameters(scope)}
        case ast.FunctionDef():
            bound = {p.arg for p in parameters(scope)} | bound_names(body_nodes(scope))
            return bound - {*nonlocals(scope)} - {n for g in walk(scope) if isinstance(g, ast.Global) for n in g.names}
    return set()


def outside(scope: ast.AST) -> list[ast.AST]:
    """What of a comprehension, or of a function inside, is evaluated in the scope around."""
    match scope:
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return [scope.generators[0].iter]
        case ast.Lambda(args=args):
            return [*args.defaults, *(d for d in args.kw_defaults if d is not None)]
        case ast.FunctionDef(args=args, decorator_list=decorators, returns=returns):
            notes = [*(p.annotation for p in parameters(scope)), returns]
            return [*args.defaults, *(d for d in (*args.kw_defaults, *notes) if d is not None), *decorators]
    return []


def rename(scope: ast.AST, old: str, new: str) -> None:
    """Another name for a variable of a scope, where it is seen."""
    skipped = outside(scope)
    todo = [scope]
    while todo:
        n = todo.pop()
        if any(n is e for e in skipped):
            continue
        match n:
            case ast.Name() if n.id == old:
                n.id = new
            case ast.arg() if n.arg == old:
                n.arg, n.keyword = new, keyword_of(n)  # type: ignore[attr-defined]
            case ast.FunctionDef() if n.name == old and n is not scope:
                n.name = new
        todo += children(n) if n is scope or old not in binds(n) else outside(n)


__all__ = ["write_out"]
