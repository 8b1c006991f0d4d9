"""Lists that are filled first and then taken apart from their end: pops become reads at a position that counts down.

    E_saved.append(E)                   E_saved.append(E)
    ...                                 ...
                                        E_top = len(E_saved)
    for k in range(n):                  for k in range(n):
        E = E_saved.pop()                   E_top -= 1
                                            E = E_saved[E_top]

Save lists of derivatives are such. A list that grows again behind a pop is left as it is written, and refused.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from s2s.frontend.rewrites.takes import is_read_by, makes_list, popped
from s2s.frontend.text.function_bodies import evaluated
from s2s.frontend.text.scopes import AT_ONCE, blocks_of, body_nodes, bound_names, children, mentions, parameters, walk
from s2s.frontend.text.source import expression
from s2s.frontend.text.source import made as marked

if TYPE_CHECKING:
    from s2s.frontend.text.names import ModuleNames

SIMPLE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return
NEW = ("_added", "_zeros_like")  # helpers of the output that make new lists


def write_out(function: ast.FunctionDef, names: ModuleNames) -> tuple[str, ...]:
    """Changes the body of a function: what is done already is not done again. The positions that count down."""
    tops: list[str] = []
    nodes = body_nodes(function)
    lists = set(map(popped, nodes)) - {""}
    taken = bound_names(nodes) | {p.arg for p in parameters(function)}
    made = {n for n in NEW if lists and names.carries(n)}
    least = least_values(function, nodes) if lists else {}
    for name in sorted(lists - {p.arg for p in parameters(function)}):
        home = home_of(function.body, name)
        at = first_pop(home, name)
        if taken & AT_ONCE or not fits(home, at, name, made, least):
            continue
        place = inner_place(home, at, name)
        if place is None:
            continue
        home, at = place
        drained = home[at:]
        top = name.removesuffix("_saved") + "_top"
        while top in taken:
            top += "_"
        taken.add(top)
        home[at:] = Drain(name, top).block(drained)
        home.insert(at, parsed(f"{top} = len({name})", drained[0]))
        tops.append(top)
    return tuple(tops)


def home_of(body: list[ast.stmt], name: str) -> list[ast.stmt]:
    """The innermost block in which all of a list's life takes place."""
    inside = [s for s in body if any(isinstance(n, ast.Name) and n.id == name for n in walk(s))]
    if len(inside) == 1:
        blocks = [b for b in blocks_of(inside[0]) if any(mentions(s, name) for s in b)]
        outer = [n for n in children(inside[0]) if isinstance(n, ast.expr) and mentions(n, name)]
        if len(blocks) == 1 and not outer:
            return home_of(blocks[0], name)
    return body


def first_pop(block: list[ast.stmt], name: str) -> int:
    return next(i for i, s in enumerate(block) if any(popped(n) == name for n in walk(s)))


def inner_place(home: list[ast.stmt], at: int, name: str) -> tuple[list[ast.stmt], int] | None:
    """Where the list is surely bound, and no pop stands before: in the branch that has them all, if it is made in one.

    None where there is no such place.
    """
    if any(isinstance(s, ast.Assign) and any(binds(t, name) for t in s.targets) for s in home[:at]):
        return home, at
    s = home[at]
    branches = [b for b in blocks_of(s) if any(mentions(x, name) for x in b)] if isinstance(s, ast.If) else []
    if len(branches) != 1 or any(mentions(x, name) for x in home[at + 1 :]):
        return None
    inside = branches[0]
    at = first_pop(inside, name)
    if any(isinstance(x, ast.If) for x in inside[at : at + 1]):
        return inner_place(inside, at, name)
    return inside, at


def binds(target: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in walk(target))


def count(n: ast.AST, name: str) -> int:
    return sum(isinstance(x, ast.Name) and x.id == name for x in walk(n))


def fits(home: list[ast.stmt], at: int, name: str, made: set[str], least: dict[str, int | None]) -> bool:
    """Whether the list is made and filled before position `at` of its block, and then only taken apart and read.

    Nothing else may have the list: it would see that items are gone. made: functions that make new lists. least: the
    least values of names.
    """
    every = [n for s in home[:at] for n in walk(s)]
    start = behind_binding(home[:at], name, made)
    before = [n for s in home[start:at] for n in walk(s)]
    after = [n for s in home[at:] for n in walk(s)]
    parents = {id(c): n for n in [*every, *after] for c in children(n)}
    if not any(binds(n, name) for n in every if isinstance(n, ast.Name)):
        return False
    if not all(is_own_use(n, parents, name, made) for n in before if isinstance(n, ast.Name) and n.id == name):
        return False
    for s in (n for n in after if isinstance(n, ast.stmt)):
        pops = [n for e in children(s) if not isinstance(e, ast.stmt) for n in walk(e) if popped(n) == name]
        if pops and (len(pops) > 1 or not isinstance(s, SIMPLE) or count(s, name) > 1):
            return False  # what else the statement reads of the list, it may read before the item is gone
        if pops and not any(n is pops[0] for e in children(s) for n in evaluated(e)):
            return False  # in `x if c else L.pop()`, not each run takes an item
    later = ast.Lambda | ast.FunctionDef | ast.GeneratorExp  # these read the list when they are called
    for n in after:
        if isinstance(n, ast.Name) and n.id == name and not known_use(n, parents, least):
            return False
        if isinstance(n, later | ast.ListComp) and mentions(n, name):
            return False
    return not any(isinstance(n, later) and mentions(n, name) and not is_used_up(n, parents) for n in every)


def behind_binding(block: list[ast.stmt], name: str, made: set[str]) -> int:
    """The place behind the statement that binds a name to a new list, last of all in a block; 0 where none does.

    path_bar = list(path_bar)      what the name was before is over
    """
    for i in reversed(range(len(block))):
        match block[i]:
            case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
                return i + 1 if is_new_list(value, name, made) else 0
    return 0


def is_new_list(value: ast.expr, name: str, made: set[str]) -> bool:
    by_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in made
    return by_call or makes_list(value, name, listed=True)


def is_used_up(n: ast.AST, parents: dict[int, ast.AST]) -> bool:
    """Whether a generator expression is read where it stands."""
    match parents.get(id(n)):
        case ast.Call(func=ast.Name(id=reader), args=[given, *_]):
            return isinstance(n, ast.GeneratorExp) and given is n and reader in AT_ONCE
    return False


def is_own_use(n: ast.Name, parents: dict[int, ast.AST], name: str, made: set[str]) -> bool:
    """Whether the list is a new one where it is bound, and nothing else has it from here on where it is read."""
    up = parents.get(id(n))
    match up:
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value) if target is n:
            return value is not None and is_new_list(value, name, made)
        case ast.Tuple(elts=names):
            match parents.get(id(up)):
                case ast.Assign(targets=[target], value=ast.Tuple(elts=values)) if target is up:
                    starred = any(isinstance(e, ast.Starred) for e in (*names, *values))
                    return not starred and any(
                        is_new_list(v, name, made) for t, v in zip(names, values, strict=False) if t is n
                    )
        case ast.AugAssign(target=target):
            return target is n
        case ast.Attribute(attr="append" | "extend" | "insert" | "copy" | "index" | "count" | "sort" | "reverse"):
            call = parents.get(id(up))
            return isinstance(call, ast.Call) and call.func is up
        case ast.Subscript(value=array):
            return array is n and isinstance(n.ctx, ast.Load)
        case ast.Call(func=ast.Name(id=reader)) if reader in AT_ONCE:
            return is_read_by(up, n, {})
        case ast.Call(func=ast.Name(id="zip" | "enumerate" | "reversed")):
            return isinstance(parents.get(id(up)), ast.For | ast.comprehension)
        case ast.For(iter=it) | ast.comprehension(iter=it):
            return it is n
        case ast.Starred() | ast.If() | ast.While() | ast.Compare() | ast.BinOp() | ast.UnaryOp():
            return True
        case ast.IfExp(test=test):
            return test is n
    return False


def known_use(n: ast.Name, parents: dict[int, ast.AST], least: dict[str, int | None]) -> bool:
    up = parents.get(id(n))
    match up:
        case ast.Attribute(attr="pop"):
            return bool(popped(parents[id(up)]))
        case ast.Subscript(value=ast.Name(), slice=key) if up.value is n:
            match key:  # from the end, which is not that of the list with all of its items
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                    return True
                case ast.BinOp(ast.Call(ast.Name("len"), [ast.Name(own)]), ast.Sub(), ast.Constant(1)) if own == n.id:
                    return True  # there is an item, or the user's text raises
            lowest = least_value(key, least | least_in_loops(n, parents, least))
            return lowest is not None and lowest >= 0
        case ast.Call(func=ast.Name(id="len"), args=[_]):
            return True
        case ast.While(test=test) | ast.If(test=test):
            return test is n
    return False


def least_values(function: ast.FunctionDef, nodes: list[ast.AST]) -> dict[str, int | None]:
    """Numbers that names of the function are never below, for those that count in loops and what is made of them."""
    bound: dict[str, list[ast.expr | None]] = {p.arg: [None] for p in parameters(function)}
    for n in nodes:
        match n:
            case ast.For(target=ast.Name(id=name), iter=it):
                bound.setdefault(name, []).append(it)
            case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_])) if is_enumerate(n.iter):
                bound.setdefault(name, []).append(ast.Constant(0))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(value)
    every = Counter(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    least: dict[str, int | None] = {n: None for n, values in bound.items() if len(values) != every[n]}
    while True:
        more: dict[str, int | None] = {}
        for name in bound.keys() - least.keys():
            values = [v for v in bound[name] if v is not None]
            lowest = [first_value(v, least) if is_range(v) else least_value(v, least) for v in values]
            known = [v for v in lowest if v is not None]
            if len(known) == len(bound[name]):
                more[name] = min(known)
        if not more:
            return least
        least |= more


def least_in_loops(n: ast.AST, parents: dict[int, ast.AST], least: dict[str, int | None]) -> dict[str, int | None]:
    """The least values that the loops around a node give to their variables, which nothing in them binds again."""
    found: dict[str, int | None] = {}
    up = parents.get(id(n))
    while up is not None:
        match up:
            case ast.For(target=ast.Name(id=name), iter=it, body=body) if name not in found and is_range(it):
                again = any(isinstance(m, ast.Name) and m.id == name and binds(m, name) for s in body for m in walk(s))
                found[name] = None if again else first_value(it, least)
        up = parents.get(id(up))
    return found


def is_enumerate(e: ast.expr) -> bool:
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "enumerate" and len(e.args) == 1


def is_range(e: ast.expr) -> bool:
    match e:
        case ast.Call(func=ast.Name(id="reversed"), args=[inner]) | ast.Subscript(value=inner, slice=ast.Slice()):
            return is_range(inner)
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "range"


def first_value(e: ast.expr, least: dict[str, int | None]) -> int | None:
    """The least number in a range, in turn or reversed, or in a part of one."""
    match e:
        case ast.Call(func=ast.Name(id="reversed"), args=[inner]) | ast.Subscript(value=inner):
            return first_value(inner, least)
        case ast.Call(args=[_]):
            return 0
        case ast.Call(args=[start, _]) | ast.Call(args=[start, _, ast.Constant()]):
            return least_value(start, least)
        case ast.Call(args=[_, stop, ast.UnaryOp(op=ast.USub(), operand=ast.Constant())]):
            last = least_value(stop, least)
            return None if last is None else last + 1
    return None


def least_value(e: ast.expr, least: dict[str, int | None]) -> int | None:
    """A number that a whole number is never below; None where none is known."""
    match e:
        case ast.Constant(value=int() as k):
            return k
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as k)):
            return -k
        case ast.Name(id=name):
            return least.get(name)
        case ast.Call(func=ast.Name(id="len")):
            return 0
        case ast.BinOp(op=ast.Mod(), right=right):
            above = least_value(right, least)
            return 0 if above is not None and above >= 0 else None
        case ast.BinOp(left, ast.Sub(), ast.Constant(value=int() as k)):
            above = least_value(left, least)
            return None if above is None else above - k
        case ast.BinOp(left, ast.Add() | ast.Mult() | ast.FloorDiv() as op, right):
            a, b = least_value(left, least), least_value(right, least)
            if a is None or b is None:
                return None
            return a + b if isinstance(op, ast.Add) else 0 if a >= 0 and b >= 0 else None
    return None


class Drain(ast.NodeTransformer):
    """The statements from the first pop on."""

    def __init__(self, name: str, top: str) -> None:
        self.name, self.top = name, top

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            for inner in blocks_of(s):
                inner[:] = self.block(inner)
            if isinstance(s, SIMPLE) and any(popped(n) == self.name for n in walk(s)):
                out.append(parsed(f"{self.top} -= 1", s))
                if isinstance(s, ast.Expr) and popped(s.value) == self.name:
                    continue
            if isinstance(s, ast.While | ast.If) and isinstance(s.test, ast.Name) and s.test.id == self.name:
                s.test = expression(f"{self.top} > 0", s.test)  # whether there is an item
            for field, value in ast.iter_fields(s):
                if isinstance(value, ast.expr):
                    setattr(s, field, self.visit(value))
                elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                    setattr(s, field, [self.visit(v) for v in value])
            out.append(s)
        return out

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if popped(node) == self.name:
            return expression(f"{self.name}[{self.top}]", node)
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=self.name)]):
                return expression(self.top, node)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        match node:
            case ast.Subscript(
                value=ast.Name(id=own), slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as k))
            ) if own == self.name:
                new = expression(f"{self.name}[{self.top} - {k}]", node)
                assert isinstance(new, ast.Subscript)
                new.ctx = node.ctx
                return new
        self.generic_visit(node)
        return node


def parsed(text: str, like: ast.AST) -> ast.stmt:
    s = ast.parse(text).body[0]
    for n in walk(s):
        if isinstance(n, ast.expr | ast.stmt):
            marked(n, like)
    return s
