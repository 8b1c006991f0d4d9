"""A list that has two names, and gets or loses items, is written with one of them.

    L = [x]                 L = [x]
    M = L
    M.append(y)             L.append(y)
    s = L[1]                s = L[1]

Both names are bound once, and the second one is read only behind its binding, in the same block.
"""

from __future__ import annotations

import ast
from collections import Counter

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
    others = bound_names(n for n in nodes if not isinstance(n, ast.Name))
    for block in every_block(function.body):
        for s in list(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=twin)], value=ast.Name(id=name)) if {twin, name} & resized:
                    pass
                case _:
                    continue
            behind = block[block.index(s) + 1 :]
            here = sum(n.id == twin for b in behind for n in walk(b) if isinstance(n, ast.Name))
            every = sum(n.id == twin for n in walk(function) if isinstance(n, ast.Name))
            before = all((n.lineno, n.col_offset) < (s.lineno, s.col_offset) for n in stores if n.id == name)
            if (
                bound[twin] == bound[name] == 1
                and here == every - 1
                and before
                and not {twin, name} & others
                and not any(mentions(n, twin) or mentions(n, name) for n in later)
            ):
                block[:] = [b for b in block if b is not s] or [ast.copy_location(ast.Pass(), s)]
                for b in behind:
                    for n in walk(b):
                        if isinstance(n, ast.Name) and n.id == twin:
                            n.id = name


def resizes(n: ast.AST) -> str:
    """The list that a node makes longer or shorter; "" for other nodes."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in RESIZED:
            return name
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.List()):  # a number would raise
            return name
    return ""
