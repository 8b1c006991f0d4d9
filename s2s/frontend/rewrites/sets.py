"""Sets that get or lose items are bound to new sets.

    seen.add(i)             seen = {*seen, i}
    seen.update(xs)         seen = {*seen, *xs}
    seen.discard(i)         seen = seen - {i}
    seen.remove(i)          assert i in seen
                            seen = seen - {i}

A new set is the same as the changed one where nothing else has the set, and nothing depends on the order of its items:
of a set that is made here, and that is only asked for items, measured, tested and sorted.
"""

from __future__ import annotations

import ast

from s2s.frontend.text.scopes import body_nodes, bound_names, children, every_block, mentions, parameters, walk
from s2s.frontend.text.source import expression, made

CHANGES = frozenset(["add", "update", "discard", "remove"])
READ_AT_ONCE = frozenset(["len", "sorted", "min", "max", "set", "frozenset", "any", "all", "bool"])


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function."""
    nodes = [n for s in function.body for n in walk(s)]
    names = {changed(n) for n in nodes} - {""}
    names &= bound_names(body_nodes(function)) - {p.arg for p in parameters(function)}
    if not names:
        return
    parents = {id(c): n for n in nodes for c in children(n)}
    alone = {name for name in names if is_alone(name, nodes, parents)}
    for block in every_block(function.body):
        for s in list(block):
            i = block.index(s)
            match s:
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[item])) if (
                    name in alone and attr in CHANGES
                ):
                    text = ast.unparse(item)
                    new = {"add": f"{{*{name}, {text}}}", "update": f"{{*{name}, *{text}}}"}.get(attr)
                    value = expression(new or f"{name} - {{{text}}}", s)
                    block[i] = ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), s)], value), s)
                    if attr == "remove" and isinstance(
                        item, ast.Name | ast.Constant
                    ):  # of what is not there, it raises
                        block.insert(i, made(ast.Assert(expression(f"{text} in {name}", s)), s))


def changed(n: ast.AST) -> str:
    """The set that a statement changes; "" for other nodes."""
    match n:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[item], keywords=[])
        ) if attr in CHANGES and not isinstance(item, ast.Starred):
            return name
    return ""


def is_alone(name: str, nodes: list[ast.AST], parents: dict[int, ast.AST]) -> bool:
    """Whether a name is only ever bound to sets that are made there, and nothing else can have them."""
    for n in nodes:
        if isinstance(n, ast.FunctionDef | ast.Lambda | ast.ClassDef) and mentions(n, name):
            return False
        if not (isinstance(n, ast.Name) and n.id == name):
            continue
        up = parents.get(id(n))
        match up:
            case ast.Assign(targets=[target], value=value) if target is n:
                if not makes_set(value):
                    return False
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[it]) if it is n:
                pass
            case ast.Call() if reads_at_once(up):
                pass
            case ast.BinOp() if reads_at_once(parents.get(id(up))):  # sorted(every - seen)
                pass
            case ast.Attribute() if changed(parents.get(id(parents.get(id(up))), up)) == name:
                pass
            case ast.UnaryOp(op=ast.Not()):
                pass
            case ast.If(test=test) | ast.While(test=test) if test is n:
                pass
            case _:
                return False
    return True


def reads_at_once(n: ast.AST | None) -> bool:
    match n:
        case ast.Call(func=ast.Name(id=fn), args=[_]):
            return fn in READ_AT_ONCE
    return False


def makes_set(value: ast.expr) -> bool:
    match value:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set")):
            return True
        case ast.BinOp(left=left, op=ast.Sub() | ast.BitOr() | ast.BitAnd()):
            return makes_set(left)
    return False
