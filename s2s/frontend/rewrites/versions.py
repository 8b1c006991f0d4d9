"""Names that stand for one function and then for another: a name for each.

    law = lambda y: k * y           law = lambda y: k * y
    first = law                     first = law
    law = lambda y: first(y) ** 2   law_2 = lambda y: first(y) ** 2
    return law(u)                   return law_2(u)

Where a branch or a loop decides which function a name stands for, the name holds what tells them apart (`bind_tag`). A
name that a nested function reads is left: it reads what the name stands for when it is called.
"""

from __future__ import annotations

import ast
from collections import Counter

from s2s.frontend.text.scopes import SCOPES, body_nodes, new_name, parameters, walk
from s2s.frontend.text.source import made


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function."""
    nodes = body_nodes(function)
    bound: Counter[str] = Counter()
    functions = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    for s in function.body:
        match s:
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
                functions.add(name)
                bound[name] += 1
            case ast.Assign(targets=[ast.Name(id=name)]):
                bound[name] += 1
    several = {n for n in functions if bound[n] > 1} - {p.arg for p in parameters(function)}
    if not several:
        return
    several -= {n.id for scope in nodes if isinstance(scope, SCOPES) for n in walk(scope) if isinstance(n, ast.Name)}
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    taken |= {n.name for n in walk(function) if isinstance(n, ast.FunctionDef)}
    for name in sorted(several):
        current = ""
        for s in function.body:
            match s:
                case ast.FunctionDef(name=own) if own == name:
                    s.name = current = new_name(taken, name) if current else name
                case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
                    rename(value, name, current or name)
                    current = new_name(taken, name) if current else name
                    s.targets = [made(ast.Name(current, ast.Store()), s.targets[0])]
                case _:
                    rename(s, name, current or name)


def rename(node: ast.AST, name: str, new: str) -> None:
    for n in walk(node):
        if isinstance(n, ast.Name) and n.id == name:
            n.id = new
        elif isinstance(n, ast.FunctionDef) and n.name == name:
            n.name = new


__all__ = ["write_out"]
