"""Heaps, as lists of which the least item is taken.

    heapq.heappush(heap, (d, u))        heap.append((d, u))
    d, u = heapq.heappop(heap)          least = min(range(len(heap)), key=lambda k: heap[k])
                                        d, u = heap[least]
                                        heap = heap[:least] + heap[least + 1 :]

Items come out in the same order, for a list that is made here, and with which nothing else is done than with a heap.
"""

from __future__ import annotations

import ast

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    children,
    full_path,
    mentions,
    new_name,
    parameters,
    rewritten,
    walk,
)
from s2s.frontend.text.source import expression, made, put

HEAPS = frozenset(["heapq.heapify", "heapq.heappop", "heapq.heappush"])


def write_out(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function."""
    imports = module.imports.names
    if not any(path.partition(".")[0] == "heapq" for path in imports.values()):
        return
    nodes = body_nodes(function)
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    if own & {"len", "min", "range"} or module.hides(frozenset(["len", "min", "range"])):
        return
    calls = [n for n in nodes if isinstance(n, ast.Call) and full_path(n.func, imports) in HEAPS]
    names = {n.args[0].id for n in calls if n.args and isinstance(n.args[0], ast.Name)} & bound_names(nodes)
    heaps = {n for n in names if is_heap(n, function, {id(c) for c in calls})}
    taken = own | {n.id for n in walk(function) if isinstance(n, ast.Name)}

    def statement(s: ast.stmt) -> list[ast.stmt]:
        match s:
            case ast.Expr(value=ast.Call(args=[ast.Name(id=heap), *given]) as call) if call in calls and heap in heaps:
                path = full_path(call.func, imports)
                if path == "heapq.heapify":
                    return []
                if path == "heapq.heappush" and len(given) == 1:
                    call.func = made(ast.Attribute(call.args[0], "append", ast.Load()), call)
                    call.args = given
                    return [s]
            case ast.Assign(value=value) | ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
                up: ast.AST = s
                while isinstance(value, ast.Subscript):
                    up, value = value, value.value
                match value:
                    case ast.Call(args=[ast.Name(id=heap)]) if value in calls and heap in heaps:
                        least = new_name(taken, "least")
                        found = f"min(range(len({heap})), key=lambda k: {heap}[k])"
                        put(up, value, expression(f"{heap}[{least}]", value))
                        rest = assigned(heap, f"{heap}[:{least}] + {heap}[{least} + 1 :]", s)
                        first = assigned(least, found, s)
                        return [first, s] if isinstance(s, ast.Return) else [first, s, rest]
        return [s]

    if heaps:
        function.body[:] = rewritten(function.body, statement)


def assigned(name: str, text: str, like: ast.stmt) -> ast.stmt:
    return made(ast.Assign([made(ast.Name(name, ast.Store()), like)], expression(text, like)), like)


def is_heap(name: str, function: ast.FunctionDef, calls: set[int]) -> bool:
    """Whether a name is only bound to lists that are made there, which nothing is done with than with a heap."""
    nodes = list(walk(function))
    if any(isinstance(n, ast.FunctionDef | ast.Lambda) and n is not function and mentions(n, name) for n in nodes):
        return False
    parents = {id(c): n for n in nodes for c in children(n)}
    for n in nodes:
        if not isinstance(n, ast.Name) or n.id != name:
            continue
        match parents.get(id(n)):
            case ast.Assign(targets=[target], value=ast.List() | ast.ListComp()) if target is n:
                pass
            case ast.Call() as call if id(call) in calls or getattr(call.func, "id", "") == "len":
                pass
            case ast.If(test=test) | ast.While(test=test) if test is n:
                pass
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
                pass
            case _:
                return False
    return True


__all__ = ["write_out"]
