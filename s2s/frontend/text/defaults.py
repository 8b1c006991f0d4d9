"""Defaults that are one object for all calls which leave them out, and that a function changes.

    def count(x, seen=[]):
        seen.append(x)          the second call has what the first one left there

What a default flows into is followed by names: variables, attributes, what functions return, their parameters. Rather
too much than too little: an attribute of one class is not told from that of another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from s2s.frontend.text import names as known_names
from s2s.frontend.text.function_bodies import FunctionLike, default_nodes, is_fixed
from s2s.frontend.text.reaching import Reaching
from s2s.frontend.text.scopes import FunctionNode, full_path, parameters, walk

VIEWS = frozenset(known_names.words("reshape view ravel transpose swapaxes squeeze get setdefault pop items values"))
SHARING = frozenset(
    known_names.words("""
    numpy.asarray numpy.asanyarray numpy.atleast_1d numpy.atleast_2d numpy.atleast_3d
    numpy.ravel numpy.reshape numpy.transpose numpy.squeeze numpy.swapaxes
""")
)
CHANGING = known_names.MUTATING_METHODS | {"popleft", "appendleft", "extendleft", "rotate"}
DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


class Default(NamedTuple):
    """A default, of which parameter of which function."""

    function: str
    parameter: str
    value: ast.expr


@dataclass
class Callee:
    """A function, and the names under which calls know it."""

    node: FunctionLike
    name: str
    names: frozenset[str]
    is_method: bool
    top: int  # the `id` of the function of the module, or the method, that it stands in, or is


class Place(NamedTuple):
    """Where objects may be: a variable (`of` is the function), an attribute, what a function returns."""

    kind: str
    of: int
    name: str


def changed_defaults(
    asked: str,
    functions: Iterable[FunctionNode],
    classes: Iterable[ast.ClassDef],
    imports: Mapping[str, str],
    elsewhere: Iterable[FunctionNode] = (),
) -> list[Default]:
    """The defaults that calls among these functions leave out, and that something among them may change.

    asked: the function whose calls are not seen. elsewhere: functions of other modules, which may call it.
    """
    own = list(found_callees(functions, classes))
    callees = [*own, *found_callees(elsewhere, ())]
    found = [(c, p, d) for c in own for p, d in default_nodes(c.node) if is_open(d)]
    nodes = [(c.top, n) for c in callees if c.top == id(c.node) for n in walk(c.node)]
    out: list[Default] = []
    for c, p, d in found:
        if is_left_out(c, p, nodes, asked):
            flow = Flow(callees, nodes, imports)
            flow.places.add(Place("variable", c.top, p))
            if flow.is_changed(isinstance(d, DISPLAYS) or is_array(d, imports)):
                out.append(Default(c.name, p, d))
    return out


def is_open(default: ast.expr) -> bool:
    """Whether a default may be an object that can be changed."""
    return not (is_fixed(default) or isinstance(default, ast.Lambda))


def has_open_defaults(tree: ast.Module) -> bool:
    functions = (n for n in walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda))
    return any(is_open(d) for f in functions for _, d in default_nodes(f))


def found_callees(functions: Iterable[FunctionNode], classes: Iterable[ast.ClassDef]) -> Iterator[Callee]:
    tops = [(f, f.name, frozenset((f.name,)), False) for f in functions if isinstance(f, ast.FunctionDef)]
    for c in classes:
        for f in c.body:
            if isinstance(f, ast.FunctionDef):
                called = frozenset((c.name, f.name)) if f.name in ("__init__", "__new__") else frozenset((f.name,))
                tops.append((f, f"{c.name}.{f.name}", called, True))
    for f, name, called, is_method in tops:
        yield Callee(f, name, called, is_method, id(f))
        for n in walk(f):
            match n:
                case ast.FunctionDef(name=own) if n is not f:
                    yield Callee(n, own, frozenset((own,)), False, id(f))
                case ast.Assign(targets=[ast.Name(id=own)], value=ast.Lambda() as inner):
                    yield Callee(inner, own, frozenset((own,)), False, id(f))


def is_left_out(c: Callee, parameter: str, nodes: list[tuple[int, ast.AST]], asked: str) -> bool:
    """Whether a call may leave out an argument: it does, or the function is handed on, or somebody else calls it."""
    if c.name == asked:
        return True
    called: set[int] = set()
    for _, n in nodes:
        if isinstance(n, ast.Call) and name_of(n.func) in c.names:
            called.add(id(n.func))
            if parameter not in dict(given(c, n)):
                return True
    return any(
        isinstance(n, ast.Name | ast.Attribute) and name_of(n) in c.names and id(n) not in called for _, n in nodes
    )


def name_of(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def given(c: Callee, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that a call gives, with their arguments; what is spread may be any of them."""
    names = [p.arg for p in parameters(c.node)][int(c.is_method) :]
    for i, a in enumerate(call.args):
        if isinstance(a, ast.Starred):
            yield from ((p, a.value) for p in names)
            break
        if i < len(names):
            yield names[i], a
    for k in call.keywords:
        if k.arg is not None:
            yield k.arg, k.value
        else:
            yield from ((p, k.value) for p in names)


def is_array(e: ast.expr, imports: Mapping[str, str]) -> bool:
    return isinstance(e, ast.Call) and full_path(e.func, imports).startswith("numpy.")


class Flow:
    """Where a default may be."""

    def __init__(self, callees: list[Callee], nodes: list[tuple[int, ast.AST]], imports: Mapping[str, str]) -> None:
        self.callees, self.nodes, self.imports = callees, nodes, imports
        tops = [c for c in callees if c.top == id(c.node)]
        self.reaching = {c.top: Reaching(c.node) for c in tops if isinstance(c.node, ast.FunctionDef)}
        self.places: set[Place] = set()

    def is_changed(self, grows: bool) -> bool:
        """Whether what is in the places may be changed. grows: `x += e` changes it, too."""
        before = -1
        while before != len(self.places):
            before = len(self.places)
            for top, n in self.nodes:
                self.follow(top, n)
            for c in self.callees:
                self.follow_results(c)
        return any(self.changes(top, n, grows) for top, n in self.nodes)

    def holds(self, top: int, e: ast.expr | None, seen: frozenset[int] = frozenset()) -> bool:
        """Whether an expression may be one of the objects, or hold it."""
        match e:
            case None | ast.Constant():
                return False
            case ast.Name(id=name):
                values = self.reaching[top].of(e) if top in self.reaching else None
                if values is None:
                    return Place("variable", top, name) in self.places
                new = [v for v in values if id(v) not in seen]
                return any(self.holds(top, v, seen | {id(v) for v in new}) for v in new)
            case ast.Attribute(value=inner, attr=attr):
                return Place("attribute", 0, attr) in self.places or self.holds(top, inner, seen)
            case ast.Subscript(value=inner) | ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                return self.holds(top, inner, seen)
            case ast.IfExp(body=a, orelse=b):
                return self.holds(top, a, seen) or self.holds(top, b, seen)
            case ast.BoolOp(values=inner) | ast.Tuple(elts=inner) | ast.List(elts=inner) | ast.Dict(values=inner):
                return any(self.holds(top, i, seen) for i in inner)
            case ast.Call(func=func, args=args):
                if isinstance(func, ast.Attribute) and func.attr in VIEWS and self.holds(top, func.value, seen):
                    return True
                if args and full_path(func, self.imports) in SHARING and self.holds(top, args[0], seen):
                    return True
                return Place("result", 0, name_of(func)) in self.places
        return False

    def put(self, top: int, target: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                self.places.add(Place("variable", top, name))
            case ast.Attribute(attr=attr):
                self.places.add(Place("attribute", 0, attr))
            case ast.Subscript(value=inner) | ast.Starred(value=inner):
                self.put(top, inner)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                for t in elts:
                    self.put(top, t)

    def follow(self, top: int, n: ast.AST) -> None:
        match n:
            case ast.Assign(targets=targets, value=value) if self.holds(top, value):
                for t in targets:
                    self.put(top, t)
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                if self.holds(top, value):
                    self.put(top, target)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                inner = value.args if isinstance(value, ast.Call) else [value]  # zip, enumerate, reversed
                if any(self.holds(top, i) for i in (value, *inner)):
                    self.put(top, target)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target) if self.holds(top, value):
                self.put(top, target)
            case ast.Call(func=func):
                name = name_of(func)
                for c in self.callees:
                    if name in c.names:
                        for p, a in given(c, n):
                            if self.holds(top, a):
                                self.places.add(Place("variable", c.top, p))
                if isinstance(func, ast.Attribute) and name in CHANGING and any(self.holds(top, a) for a in n.args):
                    self.put(top, func.value)

    def follow_results(self, c: Callee) -> None:
        if isinstance(c.node, ast.Lambda):
            returned: list[ast.expr | None] = [c.node.body]
        else:
            returned = [n.value for n in walk(c.node) if isinstance(n, ast.Return | ast.Yield)]
        if any(self.holds(c.top, e) for e in returned):
            for name in c.names:
                self.places |= {Place("result", 0, name), Place("attribute", 0, name)}  # a property is read as one

    def changes(self, top: int, n: ast.AST, grows: bool) -> bool:
        match n:
            case ast.Subscript(value=of, ctx=ast.Store() | ast.Del()) | ast.Attribute(value=of, ctx=ast.Store()):
                return self.holds(top, of)
            case ast.AugAssign(target=target) if grows:
                return self.holds(top, target)
            case ast.Call(func=func, args=args, keywords=keywords):
                full = full_path(func, self.imports)
                if isinstance(func, ast.Attribute) and func.attr in CHANGING and self.holds(top, func.value):
                    return True
                written = [k.value for k in keywords if k.arg == "out"]
                if full in known_names.MUTATING_FUNCTIONS or full.endswith(".at"):
                    written += args[:1]
                return any(self.holds(top, e) for e in written)
        return False
