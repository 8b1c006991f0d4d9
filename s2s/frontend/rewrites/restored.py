"""Entries of dicts that get back what they were, in what s2s has written: a second list says which ones were there.

sums_saved.append(sums.get(k))              there_saved.append(k in sums)
                                            sums_saved.append(sums[k] if k in sums else None)
...                                         ...
_put_back(sums, k, sums_saved.pop())        if there_saved.pop():
                                                sums[k] = sums_saved.pop()
                                            else:
                                                sums_saved.pop()
                                                del sums[k]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, children, every_block, new_name, parameters, walk
from s2s.frontend.text.source import made

PUT_BACK = "_put_back"  # of `s2s.helpers`


def write_out(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function."""
    if not module.carries(PUT_BACK):
        return
    nodes = body_nodes(function)
    saved = {name for n in nodes if (name := taken_from(n)) is not None}
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    for n in [n for s in function.body for n in walk(s)]:
        if isinstance(n, ast.Name) and n.id in saved and not is_followed(n, parents):
            saved.discard(n.id)
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    there = {name: new_name(taken, "there_saved") for name in sorted(saved - {p.arg for p in parameters(function)})}
    for block in list(every_block(function.body)) if there else ():
        block[:] = [x for s in block for x in _written(s, there, taken)]


def put_back(n: ast.AST) -> ast.Call | None:
    match n:
        case ast.Call(func=ast.Name(id=name), args=[ast.Name(), _, _], keywords=[]) if name == PUT_BACK:
            return n
    return None


def taken_from(n: ast.AST) -> str | None:
    """The name, or the list, that holds what a dict gets back."""
    match put_back(n):
        case ast.Call(
            args=[
                _,
                _,
                ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=[])
                | ast.Subscript(value=ast.Name(id=name))
                | ast.Name(id=name),
            ]
        ):
            return name
    return None


def is_followed(n: ast.Name, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a name is bound to what was there, or to a list that gets nothing else, or what it holds is put back."""
    up = parents[n]
    match up:
        case ast.Assign(targets=[target], value=ast.List(elts=[])) if target is n:
            return True
        case ast.Assign(targets=[target], value=value) if target is n:
            return asked(value) is not None
        case ast.Call(func=ast.Name(id="len")):
            return True
        case ast.Call() if put_back(up) is not None:
            return up.args[2] is n and is_statement(up, parents)
        case ast.Subscript(value=array, slice=ast.Name() | ast.Constant()) if array is n and isinstance(
            call := parents[up], ast.Call
        ):
            return put_back(call) is not None and call.args[2] is up and is_statement(call, parents)
        case ast.Attribute(attr="append") if isinstance(call := parents[up], ast.Call):
            return len(call.args) == 1 and asked(call.args[0]) is not None and is_statement(call, parents)
        case ast.Attribute(attr="pop") if isinstance(call := parents[parents[up]], ast.Call):
            return put_back(call) is not None and call.args[2] is parents[up] and is_statement(call, parents)
    return False


def is_statement(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> bool:
    return isinstance(parents[call], ast.Expr)


def asked(e: ast.AST) -> tuple[str, str] | None:
    """The dict and the key of `d.get(k)`; a key that does something is computed once."""
    match e:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=d), attr="get"), args=[key], keywords=[]):
            plain = not any(isinstance(n, ast.Call | ast.NamedExpr) for n in walk(key))
            return (d, ast.unparse(key)) if plain else None
    return None


def _written(s: ast.stmt, there: dict[str, str], taken: set[str]) -> Iterator[ast.stmt]:
    match s:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List()) if name in there:
            yield from parsed(f"{there[name]} = []", s)
            yield s
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in there:
            is_there, item = parts(value)
            yield from parsed(f"{there[name]} = {is_there}\n{name} = {item}", s)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value])) if (
            name in there
        ):
            is_there, item = parts(value)
            yield from parsed(f"{there[name]}.append({is_there})\n{name}.append({item})", s)
        case ast.Expr(value=ast.Call() as call) if (held := taken_from(call)) in there:
            entry = f"{ast.unparse(call.args[0])}[{ast.unparse(call.args[1])}]"
            old = ast.unparse(call.args[2])
            test = there[held] + old.removeprefix(held)
            lost = f"{old}\n    " if isinstance(call.args[2], ast.Call) else ""
            yield from parsed(f"if {test}:\n    {entry} = {old}\nelse:\n    {lost}del {entry}", s)
        case _:
            yield s


def parts(value: ast.expr) -> tuple[str, str]:
    """Whether an entry is there, and what it is."""
    found = asked(value)
    assert found is not None
    d, key = found
    return f"{key} in {d}", f"{d}[{key}] if {key} in {d} else None"


def parsed(text: str, like: ast.stmt) -> list[ast.stmt]:
    """Statements for which a statement of the text stands."""
    body = ast.parse(text).body
    for s in body:
        for n in ast.walk(s):
            if isinstance(n, ast.expr):
                made(n, like)
            elif isinstance(n, ast.stmt):
                ast.copy_location(n, like)
    return body
