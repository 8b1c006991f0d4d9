"""A list that has two names, and gets or loses items, is written with one of them.

    L = [x]                 L = [x]
    M = L
    M.append(y)             L.append(y)
    s = L[1]                s = L[1]

The first name is bound once, and what the second one is read for is this list alone, behind its binding in the same
block: `xs = new_xs` of a parameter, too.
"""

from __future__ import annotations

import ast
from collections import Counter

from s2s.frontend.text.reaching import Reaching
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, is_bound, mentions, parameters, walk

LATER = ast.FunctionDef | ast.Lambda | ast.ClassDef  # what these read, they read when they are called
RESIZED = ("append", "extend", "insert", "pop", "clear", "reverse", "sort", "remove")


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: names that are bound once, to one that is bound once, and read behind that."""
    nodes = body_nodes(function)
    resized = {name for n in nodes if (name := resizes(n))}
    if not resized:
        return
    in_place = {id(n.target) for n in nodes if isinstance(n, ast.AugAssign) and resizes(n)}
    stores = [n for n in nodes if isinstance(n, ast.Name) and is_bound(n) and id(n) not in in_place]
    bound = Counter([*(n.id for n in stores), *(p.arg for p in parameters(function))])
    later = [n for n in walk(function) if n is not function and isinstance(n, LATER)]
    keys = {id(k.value) for n in nodes if isinstance(n, ast.Call) for k in n.keywords if is_key(n, k)}
    looped = {id(x) for n in nodes if isinstance(n, ast.For | ast.While) for x in walk(n)}
    others = bound_names(n for n in nodes if not isinstance(n, ast.Name))
    for block in every_block(function.body):
        for s in list(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=twin)], value=ast.Name(id=name)) if {twin, name} & resized:
                    pass
                case _:
                    continue
            behind = block[block.index(s) + 1 :]
            before = all(is_before(n, s) for n in stores if n.id == name)
            if bound[name] != 1 or not before or {twin, name} & others:
                continue
            asked = [n for n in later if id(n) not in keys or id(s) in looped or not is_before(n, s)]
            if any(mentions(n, twin) or mentions(n, name) for n in asked):
                continue
            uses = [n for b in behind for n in walk(b) if isinstance(n, ast.Name) and n.id == twin]
            if bound[twin] != 1:
                uses = reached(function, s, uses)
            elif len(uses) != sum(n.id == twin for n in walk(function) if isinstance(n, ast.Name)) - 1:
                continue
            if uses:
                block[:] = [b for b in block if b is not s] or [ast.copy_location(ast.Pass(), s)]
                for n in uses:
                    n.id = name


def reached(function: ast.FunctionDef, s: ast.Assign, behind: list[ast.Name]) -> list[ast.Name]:
    """The places behind a binding that see its value; none where one of them may see another one, or where another
    place may see it."""
    reaching = Reaching(function)
    found = [n for n in walk(function) if isinstance(n, ast.Name) and id(s.value) in reaching.at.get(id(n), ())]
    alone = all(reaching.of(n) == [s.value] for n in found)
    return found if alone and {*map(id, found)} <= {*map(id, behind)} else []


def is_before(n: ast.Name | ast.stmt | ast.Lambda, s: ast.stmt) -> bool:
    return (n.lineno, n.col_offset) < (s.lineno, s.col_offset)


def is_key(call: ast.Call, option: ast.keyword) -> bool:
    """Whether a function is called before the call that it is given to returns: `sorted(xs, key=lambda x: ...)`."""
    return option.arg == "key" and isinstance(call.func, ast.Name) and call.func.id in ("sorted", "min", "max")


def resizes(n: ast.AST) -> str:
    """The list that a node makes longer or shorter; "" for other nodes."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in RESIZED:
            return name
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.List()):  # a number would raise
            return name
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Slice())], value=ast.List()):
            return name
    return ""
