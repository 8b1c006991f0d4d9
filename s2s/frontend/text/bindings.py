"""What each name of one function is bound to, read off its body in one walk.

Asked for name after name (which class has it, over which items does it run), so that the body is not walked for each.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from s2s import rules
from s2s.frontend.text.scopes import children, read_names, string_key, walk
from s2s.frontend.text.source import made

KEEPING = frozenset(["sort", "reverse", "pop", "remove", "clear", "index", "count", "copy"])  # they add no item


@dataclass
class Bound:
    """What is known of one name."""

    stores: int = 0  # to the name itself, of all kinds
    values: list[ast.expr] = field(default_factory=list)  # of plain assignments
    lists: list[tuple[ast.AST, ast.expr | None]] = field(default_factory=list)  # it is given their items, and by what
    appended: list[ast.expr | None] = field(default_factory=list)  # None for a call of another method
    put: list[ast.expr | None] = field(default_factory=list)  # by subscripts, None for what is no plain assignment
    is_stored_into: bool = False  # by subscripts


class Bindings:
    """By name. Made anew where the body is rewritten."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        """nodes: the `body_nodes` of the function."""
        self.names: dict[str, Bound] = {}
        self.shared: list[set[str]] = []  # names of which one may hold memory of another
        values: dict[int, ast.expr] = {}  # of places that are assigned to
        for n in nodes:
            self.share(n)
            match n:
                case ast.Assign(targets=targets, value=value):
                    values |= {id(t): e for target in targets for t, e in assigned(target, value)}
            match n:
                case ast.Name(id=name, ctx=ast.Store()):
                    self[name].stores += 1
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    for name in bound_outside(n):
                        self[name].stores += 1
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self[name].values.append(value)
                    if isinstance(value, ast.Subscript):
                        self[name].lists.append((n, value.value))
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self[name].values.append(value)
                case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                    for name, items in looped(target, it):
                        self[name].lists.append((n, items))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=args) if attr not in KEEPING:
                    self[name].appended.append(args[0] if attr == "append" and len(args) == 1 else None)
                case ast.Subscript(ctx=ast.Store()):
                    self[root_of(n)].is_stored_into = True
                    self[root_of(n)].put.append(None if in_list(n) else values.get(id(n)))

    def share(self, n: ast.AST) -> None:
        match n:
            case ast.Assign(targets=targets, value=value):
                names = {root for t in targets for root in roots_of(t)} | held_names(value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                names = roots_of(target) | held_names(value)
            case ast.AugAssign(target=target, op=ast.Add() | ast.BitOr(), value=value):  # of lists, of dicts
                names = roots_of(target) | held_names(value)
            case ast.For(target=target, iter=value):
                names = roots_of(target) | held_names(value)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                names = roots_of(target) | held_names(value)
            case ast.Call(func=ast.Attribute(value=of), args=args):
                names = held_names(of) | {name for a in args for name in held_names(a)}
            case _:
                return
        if len(names) > 1:
            self.shared.append(names)

    def together(self, names: set[str], own: set[str], more: Iterable[set[str]] = ()) -> set[str]:
        """These names, and those that may see what is written through them. Rather too many than too few.

        own: the variables of the function; more: names that share memory beside.
        """
        found, rest = set(names), [group & own for group in (*self.shared, *more)]
        while near := [group for group in rest if group & found]:
            found = found.union(*near)
            rest = [group for group in rest if group not in near]
        return found

    def __getitem__(self, name: str) -> Bound:
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = Bound()
        return found


def assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The places that an assignment gives values to, each with its own: those of `a[0], b = p, q`."""
    match target, value:
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
            if len(targets) == len(values) and not any(isinstance(e, ast.Starred) for e in (*targets, *values)):
                for t, v in zip(targets, values, strict=True):
                    yield from assigned(t, v)
        case _:
            yield target, value


def in_list(place: ast.Subscript) -> bool:
    """Whether a place is not one of the items of a list, but lies in one, or is a part of the list."""
    return not isinstance(place.value, ast.Name) or isinstance(place.slice, ast.Slice | ast.Tuple)


def bound_outside(function: ast.AST) -> Iterator[str]:
    """The variables of the function around it that a nested function binds."""
    for n in walk(function):
        if isinstance(n, ast.Nonlocal):
            yield from n.names


def tuple_names(nodes: Iterable[ast.AST], given: Collection[str]) -> set[str]:
    """Names that are bound to nothing but tuples: displays, parts of tuples, and what tuples are joined with.

    nodes: the `body_nodes` of the function; given: its parameters.
    """
    values: dict[str, list[ast.expr]] = {}
    stores = Counter[str]()

    def bind(target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            values.setdefault(target.id, []).append(value)

    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=shown)) if len(targets) == len(
                shown
            ):
                for t, v in zip(targets, shown, strict=True):
                    bind(t, v)
            case ast.Assign(targets=targets, value=value):
                for t in targets:
                    bind(t, value)
            case ast.AugAssign(target=target, op=ast.Add(), value=value):
                bind(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                bind(target, value)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                stores[name] += 1
    found = {name for name, bound in values.items() if len(bound) == stores[name] and name not in given}

    def is_tuple(e: ast.expr) -> bool:
        match e:
            case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name), slice=ast.Slice()):
                return name in found
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return is_tuple(a) and is_tuple(b)
        return isinstance(e, ast.Tuple)

    while others := {name for name in found if not all(map(is_tuple, values[name]))}:
        found -= others
    return found


def is_item(n: ast.AST) -> bool:
    """Whether an assignment of `items[key]` binds one item of a list, by its number."""
    match n:
        case ast.Assign(value=ast.Subscript(slice=key) as value):
            return not isinstance(key, ast.Slice | ast.Tuple) and string_key(value) is None
    return True


def looped(target: ast.expr, it: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a loop binds, each with the list of which it is given the items, if it is one."""
    match target, it:
        case ast.Name(id=name), _:
            yield name, it
        case ast.Tuple(elts=[first, second]), ast.Call(func=ast.Name(id="enumerate"), args=[items, *_]):
            yield from ((n, None) for n in read_names(first))
            yield from looped(second, items)
        case ast.Tuple(elts=[first, second]), ast.Call(func=ast.Attribute(value=of, attr="items") as func, args=[]):
            yield from ((n, None) for n in read_names(first))
            yield from looped(second, made(ast.Call(made(ast.Attribute(of, "values", func.ctx), func), [], []), it))
        case ast.Tuple(elts=elts), ast.Call(func=ast.Name(id="zip"), args=args) if len(elts) == len(args):
            for t, e in zip(elts, args, strict=True):
                yield from looped(t, e)
        case _:
            yield from ((n, None) for n in read_names(target))


def sources(e: ast.expr | None) -> list[ast.expr]:
    """The lists of which a sequence holds items, some of them or all, in whatever order, and nothing else: `ps[1:]`,
    `sorted(ps, key=...)`, `[p for p in ps if p.m > 0.0]`, `ps + qs`. Empty for what is a list itself, or a new one."""
    match e:
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return [inner]
        case ast.Call(func=ast.Name(id="list" | "tuple" | "reversed"), args=[inner], keywords=[]):
            return [inner]
        case ast.Call(func=ast.Name(id="sorted"), args=[inner]) | ast.Call(func=ast.Name(id="filter"), args=[_, inner]):
            return [inner]
        case ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[], keywords=[]):
            return [inner]
        case ast.BinOp(left=a, op=ast.Add(), right=b) | ast.IfExp(body=a, orelse=b):
            return [a, b]
        case ast.BinOp(left=a, op=ast.Mult(), right=ast.Constant()):
            return [a]
        case (
            ast.ListComp(elt=ast.Name(id=name), generators=generators)
            | ast.GeneratorExp(elt=ast.Name(id=name), generators=generators)
        ):
            found = [of for g in generators for n, of in looped(g.target, g.iter) if n == name]
            return [of for of in found if of is not None] if len(found) == 1 else []
    return []


def roots_of(target: ast.expr) -> set[str]:
    """The names that are bound or stored into by an assignment to a target."""
    match target:
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            return {name for t in elts for name in roots_of(t)}
        case ast.Starred(value=value):
            return roots_of(value)
    return {root_of(target)} - {""}


def held_names(e: ast.expr) -> set[str]:
    """The names whose memory the value of an expression may hold, as far as its text tells."""
    match e:
        case ast.Name(id=name):
            return {name}
        case ast.Compare() | ast.UnaryOp() | ast.Constant() | ast.JoinedStr():
            return set()
        case ast.BinOp(op=op) if not isinstance(op, ast.Add | ast.Mult):  # of lists
            return set()
        case ast.Subscript(value=value):
            return held_names(value)
        case ast.Call(func=ast.Attribute(attr=attr), keywords=keywords) if is_fresh(attr):
            return {name for k in keywords if k.arg == "out" for name in held_names(k.value)}
        case ast.Lambda():
            return {n.id for n in walk(e.body) if isinstance(n, ast.Name)}
    parts = (c.value if isinstance(c, ast.keyword) else c for c in children(e))
    inner = {name for c in parts if isinstance(c, ast.expr) for name in held_names(c)}
    clauses = (c.iter for c in children(e) if isinstance(c, ast.comprehension))
    return inner | {name for it in clauses for name in held_names(it)}


def is_fresh(attr: str) -> bool:
    """Whether a function of NumPy, or a method of arrays, makes new memory."""
    known = f"numpy.{attr}" not in rules.VIEWS and rules.lookup(f"numpy.{attr}") is not None
    return known and attr not in ("array", "astype", "einsum")  # which may give what they are given, or a view


def root_of(node: ast.AST) -> str:
    """The name that a path of attributes and subscripts starts with, "" where it starts with none."""
    root = root_node(node)
    return root.id if root is not None else ""


def root_node(node: ast.AST) -> ast.Name | None:
    """Where that name stands."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node if isinstance(node, ast.Name) else None
