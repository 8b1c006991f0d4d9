"""Dicts of lists under known keys, each made where it is asked for first: all of them begin as empty lists.

    log = defaultdict(list)                     log = {"x": [], "e": []}
    for _ in range(n):                          for _ in range(n):
        log["x"].append(x)                          log["x"].append(x)
        log.setdefault("e", []).append(e)           log["e"].append(e)

Nothing else is done with such a dict: what it holds before something is appended can't be told apart from what it would
be given then.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping

from s2s.frontend.rewrites.makers import maker
from s2s.frontend.rewrites.objects import is_key
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, children, is_bound, parameters, read_names, walk
from s2s.frontend.text.source import expression, put


def write_out(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function."""
    nodes = body_nodes(function)
    begun: dict[str, ast.Assign | ast.AnnAssign] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if n.value is not None and begins(n.value, module):
                    begun[name] = n
    if not begun:
        return
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    texts = known_texts(nodes)
    bound = Counter(n.id for n in parents if isinstance(n, ast.Name) and is_bound(n))
    given = {p.arg for p in parameters(function)}
    for name, s in begun.items():
        if bound[name] != 1 or name in given:
            continue
        surely = s.value is not None and maker_of(s.value, module) == "default"
        keys = keys_of(name, nodes, parents, texts, surely)
        if not keys or (not surely and any(isinstance(n, ast.Try) for n in nodes)):
            continue
        for n in nodes:
            match n:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=own) as of, attr="setdefault")) if own == name:
                    put(parents[n], n, ast.copy_location(ast.Subscript(of, n.args[0], ast.Load()), n))
        s.value = expression("{" + ", ".join(f"{k!r}: []" for k in keys) + "}", s)


def begins(value: ast.expr, module: ModuleNames) -> bool:
    """{}, dict(), defaultdict(list)"""
    match value:
        case ast.Dict(keys=[]) | ast.Call(func=ast.Name(id="dict"), args=[], keywords=[]):
            return True
        case ast.Call(args=[ast.Name(id="list")], keywords=[]):
            return maker_of(value, module) == "default"
    return False


def maker_of(value: ast.expr, module: ModuleNames) -> str:
    return maker(value.func, module) if isinstance(value, ast.Call) else ""


def keys_of(
    name: str,
    nodes: list[ast.AST],
    parents: Mapping[ast.AST, ast.AST],
    texts: Mapping[str, list[str]],
    surely: bool,
) -> list[str]:
    """The keys under which a dict holds lists, [] where more is done with it.

    surely: it has a list for each key that is asked for; else for those of which `setdefault` was asked.
    """
    found: dict[str, bool] = {}
    own = set(nodes)
    for n in parents:
        if not isinstance(n, ast.Name) or n.id != name or is_bound(n):
            continue
        if n not in own:
            return []  # of a function inside
        up = parents[n]
        match up:
            case ast.Subscript(value=value, ctx=ast.Load()) if value is n:
                keys, asked = texts_of(up.slice, texts), surely
            case ast.Attribute(attr="setdefault") if isinstance(call := parents[up], ast.Call) and call.func is up:
                match call.args:
                    case [key, ast.List(elts=[])] if not call.keywords:
                        keys, asked = texts_of(key, texts), True
                    case _:
                        return []
            case _:
                return []
        if not keys:
            return []
        for text in keys:
            found[text] = found.get(text, False) or asked
    return list(found) if all(found.values()) and all(map(is_key, found)) else []


def texts_of(key: ast.expr, texts: Mapping[str, list[str]]) -> list[str]:
    """The texts that a key may be, [] where they are not known."""
    match key:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Name(id=name):
            return texts.get(name, [])
    return []


def known_texts(nodes: list[ast.AST]) -> dict[str, list[str]]:
    """The variables of loops over texts, and over the keys of dicts that are shown, with these texts."""
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    stored = {root_of(n) for n in nodes if isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load)}
    shown = {
        n.targets[0].id: keys
        for n in nodes
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and (keys := shown_keys(n.value))
    }
    shown = {n: keys for n, keys in shown.items() if bound[n] == 1 and n not in stored}
    found: dict[str, list[str]] = {}
    loops: Counter[str] = Counter()
    unknown: set[str] = set()
    for n in nodes:
        if not isinstance(n, ast.For | ast.comprehension):
            continue
        match n.target, n.iter:
            case (
                ast.Tuple(elts=[ast.Name(id=name), _]),
                ast.Call(func=ast.Attribute(value=of, attr="items"), args=[]),
            ):
                pass
            case ast.Name(id=name), ast.Call(func=ast.Attribute(value=of, attr="keys"), args=[]) | of:
                pass
            case _:
                unknown |= read_names(n.target)
                continue
        match of:
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                keys = [e.value for e in elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
                keys = keys if len(keys) == len(elts) else []
            case ast.Name(id=whole):
                keys = shown.get(str(whole), [])
            case _:
                keys = shown_keys(of)
        found.setdefault(name, []).extend(keys)
        unknown |= set() if keys else {name}
        loops[name] += isinstance(n, ast.For)
    return {n: keys for n, keys in found.items() if loops[n] == bound[n] and n not in unknown}


def shown_keys(value: ast.expr) -> list[str]:
    """The keys of a display, all of them texts; [] of others."""
    if not isinstance(value, ast.Dict):
        return []
    keys = [k.value for k in value.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    return keys if len(keys) == len(value.keys) else []
