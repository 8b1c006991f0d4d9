"""Combinations, permutations and products of items, by the places of the items.

    for a, b in combinations(bodies, 2):          for i, j in combinations(range(len(bodies)), 2):
        push(a, b)                                    a = bodies[i]
                                                      b = bodies[j]
                                                      push(a, b)
    sum(u * v for u, v in product(xs, ys))        sum(xs[i] * ys[j] for i, j in product(range(len(xs)), range(len(ys))))

and the slices of a list of new objects that a loop runs over:

    for a, b in zip(bodies[:-1], bodies[1:]):     for i in range(len(bodies) - 1):
        push(a, b)                                    a = bodies[i]
                                                      b = bodies[i + 1]
                                                      push(a, b)
    for b in bodies[k + 1 :]:                     for i in range(k + 1, len(bodies)):
        push(a, b)                                    b = bodies[i]
                                                      push(a, b)

The places carry no derivative, so that both sweeps run over them; an item keeps its name, its object and its adjoint.
Python takes the items out before the first pass: a loop that may put others into their places is left as it is.
"""

from __future__ import annotations

import ast
from typing import cast

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    bound_names,
    children,
    dotted,
    every_block,
    is_bound,
    parameters,
    walk,
)
from s2s.frontend.text.source import Substitute, expression, made


def mentions_target(s: ast.Assign, name: str) -> bool:
    return any(isinstance(t, ast.Name) and t.id == name for t in s.targets)


PLACES = "ijkl"
MAKERS = ("array", "copy", "zeros", "zeros_like", "ones", "ones_like", "outer", "linspace", "arange")
NEW = frozenset(["list", "sorted", *(f"numpy.{n}" for n in MAKERS)])
# What gives a number, and what gives the items: nobody gets the row itself by them.
READERS = frozenset(["len", "sum", "min", "max", *(f"numpy.{n}" for n in ("sum", "mean", "max", "min"))])
ARRANGED = ("combinations", "combinations_with_replacement", "permutations", "product")
ITEMS = frozenset(["enumerate", "zip", "itertools.pairwise", *(f"itertools.{n}" for n in ARRANGED)])


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the loops and comprehensions of a function: what is done already is not done again."""
    arranged = any(path.startswith("itertools") for path in names.imports.names.values())
    if not arranged and not names.classes:
        return
    work = _Pairs(function, names)
    for block in every_block(function.body):
        for s in block:
            if isinstance(s, ast.For):
                work.sliced(s)
                work.loop(s)
    if not arranged:
        return
    for n in walk(function):
        if isinstance(n, COMPREHENSIONS):
            work.comprehension(n)


class _Pairs:
    def __init__(self, function: ast.FunctionDef, names: ModuleNames) -> None:
        self.names = names
        self.function = function
        self.nodes = list(walk(function))
        self.parents = {c: n for n in self.nodes for c in children(n)}
        over = [n.iter for n in self.nodes if isinstance(n, ast.For)]
        zipped = [a for e in over if isinstance(e, ast.Call) and ast.unparse(e.func) == "zip" for a in e.args]
        self.run_over_once = {*over, *zipped}
        self.params = {p.arg for p in parameters(function)}
        methods = {m for cls in names.classes.values() for m in cls.methods}
        self.has_operators = any(m.startswith("__") and m != "__init__" for m in methods)
        self.own = bound_names(self.nodes) | self.params
        self.counters = {
            n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and self.counts(n)
        } - {n.id for n in self.nodes if isinstance(n, ast.Name) and is_bound(n) and not self.counts(n)}
        self.counters -= self.params
        self.taken = {n.id for n in self.nodes if isinstance(n, ast.Name)}
        self.taken |= {n.arg for n in self.nodes if isinstance(n, ast.arg)}

    def loop(self, s: ast.For) -> None:
        outer, target, call = self.numbered(s.target, s.iter)
        rows = self.rows(call)
        inside = [n for inner in (*s.body, *s.orelse) for n in walk(inner)]
        if not rows or not self.stay({*rows}, inside):
            return
        places = self.places(len(rows))
        items = [self.item(row, place, s.iter) for row, place in zip(rows, places, strict=True)]
        match target:
            case ast.Tuple(elts=parts) if len(parts) == len(items) and not any(
                isinstance(p, ast.Starred) for p in parts
            ):
                pairs = list(zip(parts, items, strict=True))
            case _:
                pairs = [(target, made(ast.Tuple(items, ast.Load()), s.iter))]
        s.target, s.iter = self.run_over(places, outer, target, call)
        first = [ast.copy_location(ast.Assign([part], item), s.iter) for part, item in pairs]
        for bound in first:
            bound.made = True  # type: ignore[attr-defined]
        s.body[:0] = first

    def sliced(self, s: ast.For) -> None:
        """A loop over slices of a list of new objects: each is bound by its place there."""
        parts: list[ast.expr]
        match s.target, s.iter:
            case ast.Name() as part, ast.Subscript(
                value=ast.Name(id=row), slice=ast.Slice(lower=ast.expr() as first, upper=None, step=None)
            ) if self.counts_up(first):
                bounds, parts = f"{ast.unparse(first)}, len({row})", [part]
            case ast.Tuple(elts=[ast.Name(), ast.Name()] as parts), ast.Call(
                func=ast.Name(id="zip"),
                args=[
                    former,
                    ast.Subscript(
                        value=ast.Name(id=row), slice=ast.Slice(lower=ast.Constant(value=1), upper=None, step=None)
                    ),
                ],
                keywords=[],
            ) if ast.unparse(former) in (row, f"{row}[:-1]") and "zip" not in self.own:
                bounds = f"len({row}) - 1"
            case _:
                return
        inside = [n for inner in (*s.body, *s.orelse) for n in walk(inner)]
        if not self.is_of_objects(row) or {"len", "range"} & self.own or not self.stay({row}, inside):
            return
        (place,) = self.places(1)
        items = [self.item(row, f"{place} + {k}" if k else place, s.iter) for k in range(len(parts))]
        s.target, s.iter = made(ast.Name(place, ast.Store()), s.target), expression(f"range({bounds})", s.iter)
        s.body[:0] = [
            ast.copy_location(ast.Assign([part], item), s.iter) for part, item in zip(parts, items, strict=True)
        ]

    def is_of_objects(self, row: str) -> bool:
        """Whether a name is bound to lists of new objects of a class only."""
        values = [n.value for n in self.nodes if isinstance(n, ast.Assign) and mentions_target(n, row)]
        makers = [v.elt.func for v in values if isinstance(v, ast.ListComp) and isinstance(v.elt, ast.Call)]
        known = [f for f in makers if isinstance(f, ast.Name) and f.id in self.names.classes and f.id not in self.own]
        return bool(known) and len(known) == len(values) and row not in self.params

    def counts_up(self, e: ast.expr) -> bool:
        """Whether a bound is surely no count from the end: `2`, `i`, `i + 1`."""
        match e:
            case ast.Constant(value=int() as value):
                return value >= 0
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.counts_up(left) and self.counts_up(right)
            case ast.Name(id=name):
                return name in self.counters and self.rises(name)
        return False

    def rises(self, name: str) -> bool:
        """Whether a counter is one of `enumerate(x)`, or of `range(n)`, whose numbers are none below 0."""
        loops = [n for n in self.nodes if isinstance(n, ast.For | ast.comprehension)]
        for loop in loops:
            if not any(isinstance(t, ast.Name) and t.id == name for t in walk(loop.target)):
                continue
            call = loop.iter
            if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
                return False
        return True

    def comprehension(self, node: ast.expr) -> None:
        clauses: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        for k, g in enumerate(clauses):
            outer, target, call = self.numbered(g.target, g.iter)
            match target:
                case ast.Tuple(elts=parts) if all(isinstance(p, ast.Name) for p in parts):
                    bound = [p.id for p in parts if isinstance(p, ast.Name)]
                case _:
                    continue
            inside = [n for n in walk(node) if isinstance(n, (ast.Lambda, ast.NamedExpr, *COMPREHENSIONS))]
            rows = self.rows(call)
            if inside[1:] or len(rows) != len(bound) or not self.stay({*rows}, list(walk(node))):
                continue
            places = self.places(len(rows))
            for name, row, place in zip(bound, rows, places, strict=True):
                item = self.item(row, place, g.iter)
                put = Substitute(name, item)
                for field in ("elt", "key", "value"):
                    if isinstance(e := getattr(node, field, None), ast.expr):
                        setattr(node, field, put.visit(e))
                for inner in clauses[k:]:
                    inner.ifs = [cast(ast.expr, put.visit(t)) for t in inner.ifs]
                    if inner is not g:
                        inner.iter = cast(ast.expr, put.visit(inner.iter))
            g.target, g.iter = self.run_over(places, outer, target, call)

    def numbered(self, target: ast.expr, it: ast.expr) -> tuple[ast.expr | None, ast.expr, ast.expr]:
        """The name of the number that enumerate() counts, the target beside it, and what is run over."""
        match target, it:
            case ast.Tuple(elts=[number, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[call], keywords=[]) if (
                "enumerate" not in self.own
            ):
                return number, inner, call
        return None, target, it

    def rows(self, call: ast.expr) -> list[str]:
        """The rows, which are names, of the items that itertools arranges; none where it is another call."""
        if not isinstance(call, ast.Call) or not (path := self.path(call.func)).startswith("itertools."):
            return []
        rows: list[ast.expr] = []
        match path.removeprefix("itertools."), call.args, call.keywords:
            case "product", _, []:
                rows = call.args
            case "product", [row], [ast.keyword(arg="repeat", value=ast.Constant(value=int(times)))]:
                rows = [row] * times
            case (("combinations" | "combinations_with_replacement" | "permutations"), [row, number], []):
                rows = [row] * number.value if isinstance(number, ast.Constant) and type(number.value) is int else []
        named = [r.id for r in rows if isinstance(r, ast.Name) and r.id in self.own]
        return named if len(named) == len(rows) <= len(PLACES) else []

    def run_over(
        self, places: list[str], outer: ast.expr | None, target: ast.expr, call: ast.expr
    ) -> tuple[ast.expr, ast.expr]:
        """The target and the iterable of a loop over places; outer: of the number that enumerate() counts."""
        assert isinstance(call, ast.Call)
        args = [expression(f"range(len({ast.unparse(a)}))", a) if dotted(a) else a for a in call.args]
        arranged: ast.expr = made(ast.Call(call.func, args, call.keywords), call)
        names: list[ast.expr] = [made(ast.Name(p, ast.Store()), target) for p in places]
        new: ast.expr = made(ast.Tuple(names, ast.Store()), target)
        if outer is None:
            return new, arranged
        listed = made(ast.Call(made(ast.Name("list", ast.Load()), call), [arranged], []), call)
        counted = made(ast.Call(made(ast.Name("enumerate", ast.Load()), call), [listed], []), call)
        return made(ast.Tuple([outer, new], ast.Store()), target), counted

    def stay(self, rows: set[str], inside: list[ast.AST]) -> bool:
        """Whether the nodes inside a loop leave the items of these rows where they are.

        Each row is a parameter that is never bound, or is made here, and nothing but its own name ever leads to it.
        """
        return all(self.is_kept(row, {id(n) for n in inside}) for row in rows)

    def is_kept(self, row: str, inside: set[int]) -> bool:
        bound = 0
        for n in self.nodes:
            if not isinstance(n, ast.Name) or n.id != row:
                continue
            if self.is_within_function(n):
                return False
            up = self.parents[n]
            match up:
                case ast.Assign(targets=[target], value=value) if target is n:
                    bound += 1
                    if id(n) in inside or not self.is_new(value):
                        return False
                case ast.Subscript(value=value, slice=ast.Slice(), ctx=ast.Load()) if value is n and (
                    up in self.run_over_once or self.is_only_read(up)
                ):
                    pass
                case ast.Subscript(value=value, slice=place) if value is n:
                    stored = not isinstance(up.ctx, ast.Load) or self.is_updated(up)
                    if (stored and id(n) in inside) or not self.is_place(place):
                        return False
                case ast.For(iter=it) | ast.comprehension(iter=it) if it is n:
                    pass
                case ast.BinOp() | ast.UnaryOp() | ast.Compare() if not self.has_operators:
                    pass
                case ast.Return():
                    pass
                case ast.Call(func=func, args=[_], keywords=[]) if n in up.args and self.path(func) in READERS:
                    pass
                case ast.Call(func=func) if n in up.args and self.path(func) in ITEMS:
                    pass
                case ast.Attribute(attr="append") if id(n) not in inside:
                    call = self.parents[up]
                    if not isinstance(call, ast.Call) or not isinstance(self.parents[call], ast.Expr):
                        return False
                case _:
                    return False
        return bool(bound) or row in self.params

    def is_only_read(self, e: ast.expr) -> bool:
        """Whether a part of a row is asked for its items, or for a number: `zip(x, x[1:])`"""
        up = self.parents[e]
        return isinstance(up, ast.Call) and e in up.args and self.path(up.func) in ITEMS | READERS

    def counts(self, n: ast.Name) -> bool:
        """Whether a name is bound to the numbers of range() or enumerate(), or to several of those of range()."""
        up = self.parents.get(n)
        match self.parents.get(up) if isinstance(up, ast.Tuple) else None:
            case (
                ast.For(target=target, iter=ast.Call(func=func, args=args))
                | ast.comprehension(target=target, iter=ast.Call(func=func, args=args))
            ) if target is up and self.path(func).removeprefix("itertools.") in ARRANGED:
                return all(
                    isinstance(a, ast.Constant) or (isinstance(a, ast.Call) and self.path(a.func) == "range")
                    for a in args
                )
        match up:
            case ast.Tuple(elts=[first, *_]) if first is n:
                loop, wanted = self.parents.get(up), "enumerate"
            case _:
                up, loop, wanted = n, up, "range"
        match loop:
            case (
                ast.For(target=target, iter=ast.Call(func=func))
                | ast.comprehension(target=target, iter=ast.Call(func=func))
            ):
                return target is up and self.path(func) == wanted
        return False

    def is_updated(self, e: ast.expr) -> bool:
        up = self.parents.get(e)
        return isinstance(up, ast.AugAssign) and up.target is e

    def is_within_function(self, n: ast.AST) -> bool:
        while (up := self.parents.get(n)) is not None:
            if isinstance(up, ast.FunctionDef | ast.Lambda | ast.ClassDef) and up is not self.function:
                return True
            n = up
        return False

    def is_new(self, e: ast.expr) -> bool:
        """Whether a value is surely a list or an array that nothing else holds."""
        match e:
            case ast.List() | ast.ListComp():
                return True
            case ast.BinOp() | ast.UnaryOp():
                return not self.has_operators
            case ast.Call(func=ast.Attribute(attr="copy"), args=[], keywords=[]):
                return not any(cls.has("copy") for cls in self.names.classes.values())
            case ast.Call(func=func, keywords=[]):
                return self.path(func) in NEW
        return False

    def is_place(self, e: ast.expr) -> bool:
        """Whether a key is one number, or several: what it takes is no view of the row."""
        match e:
            case ast.Constant(value=value):
                return type(value) is int
            case ast.Name(id=name):
                return name in self.counters
            case ast.UnaryOp(operand=operand):
                return self.is_place(operand)
            case ast.BinOp(left=left, right=right):
                return self.is_place(left) and self.is_place(right)
            case ast.Tuple(elts=[_, *_] as elts):
                return all(map(self.is_place, elts))
        return False

    def path(self, func: ast.expr) -> str:
        """The path of a function outside of the module, "" of all else."""
        path = dotted(func)
        if path is None or path[0] in self.own | self.names.functions.keys():
            return ""
        return ".".join([self.names.imports.names.get(path[0], path[0]), *path[1:]])

    def places(self, count: int) -> list[str]:
        """Names of places that the function does not have."""
        found: list[str] = []
        for wish in PLACES[:count]:
            while wish in self.taken:
                wish += "_"
            found.append(wish)
        self.taken |= {*found}
        return found

    @staticmethod
    def item(row: str, place: str, like: ast.expr) -> ast.expr:
        return expression(f"{row}[{place}]", like)
