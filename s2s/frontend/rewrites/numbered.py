"""Dicts whose keys are 0, 1, 2, ..., each new one the next, as the lists of their values.

    d = {i: x[i] ** 2 for i in range(n)}        d = [x[i] ** 2 for i in range(n)]
    d[0] + d[n - 1]                             d[0] + d[n - 1]
    for k, v in d.items():                      for k, v in enumerate(d):
    memo = {0: x}                               memo = [x]
    for i in range(1, n):                       for i in range(1, n):
        memo[i] = f(memo[i - 1])                    memo.append(f(memo[i - 1]))
    {0: a, 1: b}[i]                             [a, b][i]

A key that is not there raises an error in both, but for negative ones, where the function itself raises it.
"""

from __future__ import annotations

import ast
from typing import cast

from s2s.frontend.text.scopes import bound_names, every_block, is_bound, mentions, parameters, walk
from s2s.frontend.text.source import expression, made

PLACES = {"argmax", "argmin", "searchsorted", "digitize"}


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: what is done already is not done again."""
    others = truths(function)
    _Pick(others).visit(function)
    fill(function, others)
    displays = [s for s in function.body if isinstance(s, ast.Assign) and is_numbered(s.value)]
    every = [n for s in function.body for n in walk(s)] if displays else []
    if not displays or any(isinstance(n, ast.Try) for n in every):  # a missing key may be an `except KeyError`
        return
    own = {p.arg for p in parameters(function)} | bound_names(every)
    for s in displays:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.DictComp(value=value, generators=generators)):
                stores = [n for n in every if isinstance(n, ast.Name) and n.id == name and is_bound(n)]
                hidden = any(isinstance(n, ast.arg) and n.arg == name for n in every)
                if len(stores) != 1 or hidden or own & {"range", "enumerate", "len"} or not only_read(every, name):
                    continue
                s.value = made(ast.ListComp(value, generators), s.value)
                s.made = True  # type: ignore[attr-defined]
                for inner in function.body:
                    _Read(name).visit(inner)


# ---------------------------------------------------------------- dicts that are filled


def fill(function: ast.FunctionDef, others: set[str]) -> None:
    """Dicts that get their keys in order. others: the names that may stand for something else than a whole number."""
    every = [n for s in function.body for n in walk(s)]
    stored = {
        n.value.id
        for n in every
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    own = {p.arg for p in parameters(function)} | bound_names(every)
    if own & {"range", "enumerate", "len"} or any(isinstance(n, ast.Try) for n in every):
        return
    for block in every_block(function.body):
        for at, s in enumerate(block):
            match s:
                case (
                    ast.Assign(targets=[ast.Name(id=name) as target], value=ast.Dict() as display)
                    | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.Dict() as display)
                ):
                    used = is_listed(every, name, others) if display.keys else name in stored
                    if not used or not is_counted(display) or mentions(display, name):
                        continue
                    if not is_alone(function, block, at, name):
                        continue
                    appended = in_order(block[at + 1 :], name, len(display.keys))
                    if appended is not None:
                        listed = made(ast.List(display.values, ast.Load()), display)
                        block[at] = made(ast.Assign([target], listed), s)
                        write_in(block, at + 1, name, appended)


def is_counted(display: ast.Dict) -> bool:
    """Whether the keys of a dict are 0, 1, 2, ..."""
    keys = [k.value if isinstance(k, ast.Constant) else None for k in display.keys]
    return all(type(k) is int for k in keys) and keys == [*range(len(keys))]


def is_listed(nodes: list[ast.AST], name: str, others: set[str]) -> bool:
    """Whether a list could stand for a dict where its items are named: by whole numbers, and none is called."""
    if any(is_item(n.func, name) for n in nodes if isinstance(n, ast.Call)):
        return False
    keys = [n.slice for n in nodes if isinstance(n, ast.Subscript) and is_item(n, name)]
    return all(is_number(k) or is_place(k, others) for k in keys)


def is_number(key: ast.expr) -> bool:
    return isinstance(key, ast.Constant) and type(key.value) is int and key.value >= 0


def is_place(key: ast.expr, others: set[str]) -> bool:
    """Whether a key is a number that the run finds, and a whole one for all that the text says: `True` and `1.0` are
    keys of such a dict, too, and no places of a list. others: the names that may stand for these."""
    match key:
        case ast.Name(id=name):
            return name not in others
        case ast.Call(func=ast.Name(id="int" | "len")):
            return True
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in PLACES
        case ast.Subscript(value=value):
            return isinstance(value, ast.Name)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Mod() | ast.FloorDiv(), right=right):
            sides = [e for e in (left, right) if not is_number(e)]
            return bool(sides) and all(is_place(e, others) for e in sides)
    return False


def truths(function: ast.FunctionDef) -> set[str]:
    """The names that are bound to something else than a whole number."""
    found = {
        p.arg
        for p in parameters(function)
        if p.annotation is not None and not (isinstance(p.annotation, ast.Name) and p.annotation.id == "int")
    }
    every = [n for s in function.body for n in walk(s)]
    bound: dict[str, list[ast.expr]] = {}
    for n in every:
        match n:
            case ast.Assign(targets=targets, value=value):
                for t in targets:
                    if isinstance(t, ast.Name):
                        bound.setdefault(t.id, []).append(value)
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                bound.setdefault(name, []).append(value)
    more = True
    while more:
        new = {k for k, es in bound.items() if not all(is_number(e) or is_place(e, found) for e in es)} - found
        found, more = found | new, bool(new)
    return found


def is_alone(function: ast.FunctionDef, block: list[ast.stmt], at: int, name: str) -> bool:
    """Whether a name is bound by one statement, and used behind it in its block, by its items, its length and loops."""
    every = [n for s in function.body for n in walk(s)]
    behind = [n for s in block[at + 1 :] for n in walk(s)]
    uses = [n for n in every if isinstance(n, ast.Name) and n.id == name]
    inside = {id(n) for n in behind}
    scopes = [n for n in every if isinstance(n, ast.FunctionDef | ast.Lambda)]
    hidden = any(isinstance(n, ast.arg) and n.arg == name for n in every)
    if hidden or any(isinstance(n, ast.Name) and n.id == name for f in scopes for n in walk(f)):
        return False
    bound = [n for n in uses if is_bound(n)]
    return len(bound) == 1 and all(id(n) in inside for n in uses if n is not bound[0]) and only_read(behind, name, True)


def in_order(body: list[ast.stmt], name: str, count: int | None) -> list[ast.Assign] | None:
    """The statements that give a dict its next key; None where a key may be another one.

    count: the keys that it has before; None where their number is not known.
    """
    found: list[ast.Assign] = []
    for s in body:
        stores = [n for n in walk(s) if is_item(n, name) and isinstance(n.ctx, ast.Store)]  # type: ignore[attr-defined]
        updates = [n for n in walk(s) if isinstance(n, ast.AugAssign) and any(n.target is x for x in stores)]
        there = [n for n in stores if count is not None and is_number(n.slice) and n.slice.value < count]  # type: ignore[attr-defined]
        new = [n for n in stores if n not in there and not any(u.target is n for u in updates)]
        match s:
            case _ if not new:
                continue
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=int(key)))]) if new == s.targets:
                if count is None or type(key) is not int or not 0 <= key <= count:
                    return None
                if key == count:
                    found.append(s)
                    count += 1
            case ast.For(target=ast.Name(id=i), iter=ast.Call(func=ast.Name(id="range"), args=args, keywords=[])) if (
                len(new) == 1 and not s.orelse and len(args) < 3
            ):
                first = args[0].value if len(args) == 2 and isinstance(args[0], ast.Constant) else 0
                if len(args) == 2 and not isinstance(args[0], ast.Constant):
                    return None
                store = next((x for x in s.body if isinstance(x, ast.Assign) and x.targets == new), None)
                inner = [n for x in s.body for n in walk(x)]
                if any(isinstance(n, ast.Break | ast.Continue) for n in inner) or i in bound_names(inner):
                    return None
                step = beyond(new[0].slice, i)  # type: ignore[attr-defined]
                if store is None or step is None or type(first) is not int or first + step != count:
                    return None
                found.append(store)
                count = None
            case _:
                return None
    return found


def beyond(key: ast.expr, i: str) -> int | None:
    """k of `i + k`"""
    match key:
        case ast.Name(id=own) if own == i:
            return 0
        case ast.BinOp(left=ast.Name(id=own), op=ast.Add(), right=ast.Constant(value=int(k))) if own == i:
            return k
        case ast.BinOp(left=ast.Name(id=own), op=ast.Sub(), right=ast.Constant(value=int(k))) if own == i:
            return -k
    return None


def is_item(n: ast.AST, name: str) -> bool:
    return isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id == name


def write_in(block: list[ast.stmt], start: int, name: str, appended: list[ast.Assign]) -> None:
    """The stores as what is appended, and the loops over the keys as loops over numbers."""
    for inner in every_block(block[start:]):
        for at, s in enumerate(inner):
            if any(s is a for a in appended):
                inner[at] = append(cast(ast.Assign, s), name)
    for at in range(start, len(block)):
        if any(block[at] is a for a in appended):
            block[at] = append(cast(ast.Assign, block[at]), name)
        _Read(name).visit(block[at])


def append(s: ast.Assign, name: str) -> ast.stmt:
    func = made(ast.Attribute(made(ast.Name(name, ast.Load()), s), "append", ast.Load()), s)
    return ast.copy_location(ast.Expr(made(ast.Call(func, [s.value], []), s.value)), s)


# ---------------------------------------------------------------- dicts that are only read


def is_numbered(e: ast.expr) -> bool:
    """{i: ... for i in range(n)}"""
    match e:
        case ast.DictComp(
            key=ast.Name(id=key),
            generators=[
                ast.comprehension(
                    target=ast.Name(id=own), iter=ast.Call(func=ast.Name(id="range"), args=[_], keywords=[]), ifs=[]
                )
            ],
        ):
            return key == own
    return False


def only_read(nodes: list[ast.AST], name: str, filled: bool = False) -> bool:
    """Whether a dict is used by its items, its length and loops over it only; filled: its items may be bound."""
    known: set[int] = set()
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Name() as d, slice=key, ctx=ctx):
                if not isinstance(key, ast.Slice | ast.Tuple) and isinstance(
                    ctx, ast.Load | ast.Store if filled else ast.Load
                ):
                    known.add(id(d))
            case ast.Call(func=ast.Attribute(value=ast.Name() as d, attr="items" | "values" | "keys"), args=[]):
                known.add(id(d))
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as d]):
                known.add(id(d))
            case ast.For(iter=ast.Name() as d) | ast.comprehension(iter=ast.Name() as d):
                known.add(id(d))
    loads = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and not is_bound(n)]
    return all(id(n) in known for n in loads)


class _Pick(ast.NodeTransformer):
    """One of several values by its number: `{0: a, 1: b}[i]`, but for tables of constants and of functions."""

    def __init__(self, others: set[str]) -> None:
        self.others = others

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = [self.visit(a) for a in node.args]
        for k in node.keywords:
            self.visit(k)
        if not isinstance(node.func, ast.Subscript):
            node.func = self.visit(node.func)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Dict(keys=[_, *_], values=values) as display, slice=key, ctx=ast.Load()):
                constant = all(isinstance(v, ast.Constant) for v in values)
                if not constant and is_counted(display) and is_place(key, self.others):
                    node.value = made(ast.List(values, ast.Load()), display)
                    node.made = True  # type: ignore[attr-defined]
        return node


class _Read(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self.name = name

    def visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[]) if name == self.name:
                text = {"items": f"enumerate({name})", "values": name, "keys": f"range(len({name}))"}[attr]
                return expression(text, node)
            case ast.For(iter=ast.Name(id=name)) | ast.comprehension(iter=ast.Name(id=name)) if name == self.name:
                node.iter = expression(f"range(len({name}))", node.iter)
        inside = isinstance(node, ast.expr) and any(isinstance(n, ast.Name) and n.id == self.name for n in walk(node))
        self.generic_visit(node)
        if inside:
            node.made = True  # type: ignore[attr-defined]
        return node


__all__ = ["write_out"]
