"""Combinations, permutations and products of items, by the places of the items.

    for a, b in combinations(bodies, 2):          for i, j in combinations(range(len(bodies)), 2):
        push(a, b)                                    a = bodies[i]
                                                      b = bodies[j]
                                                      push(a, b)
    sum(u * v for u, v in product(xs, ys))        sum(xs[i] * ys[j] for i, j in product(range(len(xs)), range(len(ys))))

The places carry no derivative, so that both sweeps run over them; an item keeps its name, its object and its adjoint.
Python takes the items out before the first pass: a loop that may put others into their places is left as it is.
"""

from __future__ import annotations

import ast
from typing import cast

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import COMPREHENSIONS, bound_names, dotted, every_block, parameters, read_names, walk
from s2s.frontend.text.source import Substitute, expression, made

PLACES = "ijkl"
READERS = frozenset(["len", "range", "sum", "min", "max", "enumerate", "zip", "abs", "float", "print"])
MAKERS = ("sum", "mean", "array", "copy", "zeros", "zeros_like", "ones", "ones_like", "empty", "empty_like")
NEW = frozenset(["len", "range", "sum", "abs", "float", "int", *(f"numpy.{n}" for n in MAKERS)])
WRITERS = frozenset(["at", "copyto", "put", "place", "putmask", "put_along_axis", "fill_diagonal", "shuffle"])


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the loops and comprehensions of a function: what is done already is not done again."""
    if not any(path.startswith("itertools") for path in names.imports.names.values()):
        return
    work = _Pairs(function, names)
    for block in every_block(function.body):
        for s in block:
            if isinstance(s, ast.For):
                work.loop(s)
    for n in walk(function):
        if isinstance(n, COMPREHENSIONS):
            work.comprehension(n)


class _Pairs:
    def __init__(self, function: ast.FunctionDef, names: ModuleNames) -> None:
        self.names = names
        self.nodes = list(walk(function))
        self.own = bound_names(self.nodes) | {p.arg for p in parameters(function)}
        self.taken = {n.id for n in self.nodes if isinstance(n, ast.Name)}
        self.taken |= {n.arg for n in self.nodes if isinstance(n, ast.arg)}

    def loop(self, s: ast.For) -> None:
        outer, target, call = self.numbered(s.target, s.iter)
        rows = self.rows(call)
        inside = [n for inner in (*s.body, *s.orelse) for n in walk(inner)]
        if not rows or not self.stay({*rows}, bound_names(walk(target)), inside):
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
            if inside[1:] or len(rows) != len(bound) or not self.stay({*rows}, {*bound}, list(walk(node))):
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
        """The rows, which are paths, of the items that itertools arranges; none where it is another call."""
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
        return [ast.unparse(r) for r in rows] if len(rows) <= len(PLACES) and all(map(dotted, rows)) else []

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

    def stay(self, rows: set[str], parts: set[str], inside: list[ast.AST]) -> bool:
        """Whether the nodes inside a loop leave the items where they are: they write into none of what may be a row.

        parts: the names of the items, which may be written into.
        """
        roots = {row.partition(".")[0] for row in rows}
        seen = self.seen_as(roots)
        inner = (n for n in self.nodes[1:] if isinstance(n, ast.FunctionDef | ast.Lambda))
        if any(isinstance(n, ast.Name) and n.id in seen for function in inner for n in walk(function)):
            return False  # it may be called in the loop, by any name
        for n in inside:
            match n:
                case ast.Call() if self.path(n.func).startswith("itertools."):
                    continue
                case ast.FunctionDef() | ast.Nonlocal() | ast.Global():
                    return False
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in roots:
                    return False
                case ast.AugAssign(target=ast.Name(id=name)) if name in seen - parts:
                    return False
                case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()) if (
                    root_of(n) in seen - parts
                ):
                    return False
                case ast.Call(func=func, args=args, keywords=keywords):
                    given = [*args, *(k.value for k in keywords)]
                    if isinstance(func, ast.Attribute) and root_of(func) in seen - parts:
                        return False
                    if any(read_names(a) & (seen - parts) for a in given) and not self.only_reads(n):
                        return False
        return True

    def only_reads(self, call: ast.Call) -> bool:
        path = self.path(call.func)
        if path in READERS:
            return True
        stores = path.rpartition(".")[2] in WRITERS or any(k.arg == "out" for k in call.keywords)
        return path.startswith(("numpy.", "math.")) and not stores

    def path(self, func: ast.expr) -> str:
        """The path of a function outside of the module, "" of all else."""
        path = dotted(func)
        if path is None or path[0] in self.own | self.names.functions.keys():
            return ""
        return ".".join([self.names.imports.names.get(path[0], path[0]), *path[1:]])

    def seen_as(self, roots: set[str]) -> set[str]:
        """The names that may stand for an object of these, or for a part of one, or hold one, and what they are of."""
        found = set(roots)
        while True:
            more: set[str] = set()
            for n in self.nodes:
                match n:
                    case ast.Assign(targets=targets, value=value):
                        pass
                    case (
                        ast.AnnAssign(target=target, value=ast.expr() as value)
                        | ast.NamedExpr(target=target, value=value)
                    ):
                        targets = [target]
                    case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                        if dotted(value) or isinstance(value, ast.Call):  # the items, which may change
                            continue
                        targets = [target]
                    case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                        targets = [target]
                    case _:
                        continue
                if self.is_new(value):
                    continue
                bound = {n.id for t in targets for n in walk(t) if isinstance(n, ast.Name)}
                if found & (together := bound | read_names(value) & self.own):
                    more |= together
            if more <= found:
                return found
            found |= more

    def is_new(self, e: ast.expr) -> bool:
        """Whether a value is surely neither an object that it is computed from, nor a part of one."""
        match e:
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.Constant():
                return True
            case ast.Call(func=ast.Attribute(attr="copy" | "sum" | "mean")):
                return True
            case ast.Call(func=func):
                return self.path(func) in NEW
        return False

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


def root_of(e: ast.expr) -> str:
    """The name at the beginning of a path of attributes and subscripts, "" where there is none."""
    while isinstance(e, ast.Attribute | ast.Subscript):
        e = e.value
    return e.id if isinstance(e, ast.Name) else ""
