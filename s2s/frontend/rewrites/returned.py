"""Dicts that functions of the module return, under keys which their text shows, where the caller has to know the keys.

out.update(extra(x))                    more = extra(x)
                                        out.update({"c": more["c"], "d": more["d"]})
p = {**extra(x), "a": y}                more = extra(x)
                                        p = {"c": more["c"], "d": more["d"], "a": y}
p = extra(x)                            p_all = extra(x)
p["z"] = y                              p = {"c": p_all["c"], "d": p_all["d"]}
                                        p["z"] = y

A dict of which only entries are read, or that is run over, stays what it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from s2s.frontend.rewrites.objects import is_key
from s2s.frontend.rewrites.order import is_quiet
from s2s.frontend.text.function_bodies import evaluated
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    children,
    every_block,
    is_bound,
    names_used,
    new_name,
    parameters,
)
from s2s.frontend.text.source import expression, made

CHANGING = frozenset(["pop", "popitem", "setdefault", "update"])


def write_out(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function."""
    nodes = body_nodes(function)
    own = bound_names(nodes) | {p.arg for p in parameters(function)}

    def keys_of(e: ast.expr | None) -> list[str]:
        match e:
            case ast.Call(func=ast.Name(id=name)) if name not in own and name != function.name:
                return keys_returned(module.functions.get(name))
        return []

    if not any(isinstance(n, ast.Call) and keys_of(n) for n in nodes):
        return
    asked = keys_asked(nodes)
    taken = names_used(function)
    for block in list(every_block(function.body)):
        for s in list(block):
            before: list[ast.stmt] = []
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in asked and (keys := keys_of(value)):
                    if any(k is None or k not in keys for k in asked[name]):
                        whole = new_name(taken, f"{name}_all")
                        before.append(named(whole, value, s))
                        s.value = entries(whole, keys, value)
                case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return():
                    for place, call in spread(s):
                        if (keys := keys_of(call)) and is_quiet(s, module):
                            whole = new_name(taken, "more")
                            before.append(named(whole, call, s))
                            replace(place, call, entries(whole, keys, call))
            at = block.index(s)
            block[at:at] = before


def keys_returned(function: ast.AST | None) -> list[str]:
    """The keys of the dict that a function returns, in their order; none where its text does not show them."""
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return []
    nodes = body_nodes(function)
    if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await) for n in nodes):
        return []
    returns = [n.value for n in nodes if isinstance(n, ast.Return)]
    found = [keys_shown(function, nodes, e) for e in returns]
    same = (
        bool(found) and all(keys == found[0] for keys in found) and isinstance(function.body[-1], ast.Return | ast.If)
    )
    return found[0] if same and all(map(is_key, found[0])) else []


def keys_shown(function: ast.FunctionDef, nodes: list[ast.AST], e: ast.expr | None) -> list[str]:
    match e:
        case ast.Dict(keys=keys):
            texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
            return texts if len({*texts}) == len(keys) else []
        case ast.Name(id=name):
            pass
        case _:
            return []
    parents = {id(c): n for n in nodes for c in children(n)}
    found: list[str] = []
    for n in nodes:
        if not isinstance(n, ast.Name) or n.id != name:
            continue
        match parents.get(id(n)):
            case ast.Assign(targets=[target], value=ast.Dict() as value) as made_at if (
                target is n and made_at in function.body
            ):
                shown = keys_shown(function, nodes, value)
                if found or len(shown) < len(value.keys):
                    return []
                found += shown
            case ast.Subscript(value=of, slice=ast.Constant(value=str() as key), ctx=ctx) as place if of is n:
                if isinstance(ctx, ast.Load) or key in found:
                    continue
                s = parents.get(id(place))
                if not isinstance(s, ast.Assign) or s not in function.body or isinstance(ctx, ast.Del):
                    return []
                found.append(key)
            case ast.Return():
                pass
            case _:
                return []
    bound = sum(isinstance(n, ast.Name) and n.id == name and is_bound(n) for n in nodes)
    return found if bound == 1 and name not in {p.arg for p in parameters(function)} else []


def keys_asked(nodes: list[ast.AST]) -> dict[str, set[str | None]]:
    """What has to be known of dicts by their names: the keys under which something is stored, None for all keys."""
    found: dict[str, set[str | None]] = {}
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key), ctx=ast.Store()):
                found.setdefault(name, set()).add(key)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in CHANGING:
                found.setdefault(name, set()).add(None)
        for e in spread_in(n):
            if isinstance(e, ast.Name):
                found.setdefault(e.id, set()).add(None)
    for n in reversed(nodes):
        match n:
            case ast.Assign(targets=[ast.Name(id=second)], value=ast.Name(id=name)) if second in found:
                found.setdefault(name, set()).update(found[second])
    return found


def spread_in(n: ast.AST) -> Iterator[ast.expr]:
    """The dicts whose entries go into something else."""
    match n:
        case ast.Dict(keys=keys, values=values):
            yield from (v for k, v in zip(keys, values, strict=True) if k is None)
        case ast.BinOp(left=a, op=ast.BitOr(), right=b):
            yield from (a, b)
        case ast.Call(func=ast.Attribute(attr="update"), args=[given], keywords=[]):
            yield given
    if isinstance(n, ast.Call):
        yield from (k.value for k in n.keywords if k.arg is None)


def spread(s: ast.stmt) -> Iterator[tuple[ast.AST, ast.Call]]:
    """The calls whose results are taken apart in a statement that evaluates them once, with what holds them."""
    for e in children(s):
        for n in list(evaluated(e)) if isinstance(e, ast.expr) else []:
            yield from ((n, call) for call in spread_in(n) if isinstance(call, ast.Call))


def named(name: str, value: ast.expr, s: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), value)], value), s)


def entries(whole: str, keys: list[str], like: ast.expr) -> ast.expr:
    return expression("{" + ", ".join(f"{k!r}: {whole}[{k!r}]" for k in keys) + "}", like)


def replace(place: ast.AST, old: ast.expr, new: ast.expr) -> None:
    """Puts an expression in the place of another one, which something holds."""
    for field, value in ast.iter_fields(place):
        if value is old:
            setattr(place, field, new)
        elif isinstance(value, list):
            value[:] = [new if x is old else x for x in value]
            for x in value:
                if isinstance(x, ast.keyword) and x.value is old:
                    x.value = new


__all__ = ["write_out"]
