"""Each `L.pop()` in a statement of its own: `L.pop()`, or `x = L.pop()`.

    x += f(a) * L.pop()     f_value = f(a)
                            L_item = L.pop()
                            x += f_value * L_item

What Python evaluates before the item is taken gets a name before that: it may read the list, by another name, too.
"""

from __future__ import annotations

import ast
from collections import Counter

from s2s.frontend.rewrites.takes import popped
from s2s.frontend.text.scopes import blocks_of, body_nodes, bound_names, children, new_name, parameters, walk
from s2s.frontend.text.source import made

PLAIN = (ast.BinOp, ast.UnaryOp, ast.Call, ast.keyword, ast.Subscript, ast.Attribute, ast.Tuple, ast.List)


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function. What may not be evaluated at all is left as it is written, and refused."""
    nodes = body_nodes(function)
    if any(map(popped, nodes)):
        bound = bound_names(nodes)
        given = {p.arg for p in parameters(function)}
        function.body[:] = _Pops(bound, bound | given, positions(nodes) - given).block(function.body)


def positions(nodes: list[ast.AST]) -> set[str]:
    """Variables of loops over `range(n)`, and over that backwards, which nothing else binds: they count from zero."""
    counted: list[str] = []
    for n in nodes:
        match n:
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=[_], keywords=[])
                | ast.Call(
                    func=ast.Name(id="reversed"), args=[ast.Call(func=ast.Name(id="range"), args=[_], keywords=[])]
                ),
            ):
                counted.append(name)
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    return {name for name, times in Counter(counted).items() if bound[name] == times}


class _Pops:
    def __init__(self, own: set[str], taken: set[str], counts: set[str]) -> None:
        self.own, self.taken, self.counts = own, taken, counts
        self.out: list[ast.stmt] = []

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            for inner in blocks_of(s):
                inner[:] = self.block(inner)
            self.out = []
            self.statement(s)
            out += [*self.out, s]
        return out

    def statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Expr(value=value) if popped(value):
                return
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if popped(value) not in ("", name):
                return
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(), slice=key) as place) if self.has_pop(key):
                if self.follows(key) and not self.has_pop(s.value):  # which Python evaluates behind the key
                    place.slice = self.spilled(key)
                return
            case ast.AugAssign(target=ast.Name()):
                pass
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(), slice=ast.Constant(value=int() as k))) if k >= 0:
                pass
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(), slice=ast.Name(id=k))) if k in self.counts:
                pass
            case ast.Assign() | ast.AnnAssign() | ast.Expr() | ast.Return():
                pass
            case ast.If(test=test):
                if self.follows(test):
                    s.test = self.spilled(test)
                return
            case _:
                return
        if s.value is not None and self.follows(s.value):
            s.value = self.spilled(s.value)

    def has_pop(self, e: ast.AST) -> bool:
        return any(popped(n) in self.own for n in walk(e))

    def follows(self, e: ast.AST) -> bool:
        """Whether each pop in an expression is surely evaluated, once, at a place that is known."""
        if popped(e):
            return True
        if not self.has_pop(e):
            return not any(isinstance(n, ast.NamedExpr) for n in walk(e))
        if isinstance(e, ast.Compare) and len(e.comparators) > 1:
            return False
        return isinstance(e, (*PLAIN, ast.Compare)) and all(map(self.follows, children(e)))

    def spilled(self, e: ast.expr) -> ast.expr:
        """The expression behind the statements that evaluate, in its order, what stands before its last pop, and it."""
        if popped(e):
            return self.named(e, f"{popped(e)}_item")
        fields = [c for c in children(e) if isinstance(c, ast.expr | ast.keyword)]
        last = max((i for i, c in enumerate(fields) if self.has_pop(c)), default=-1)
        new: dict[int, ast.expr] = {}
        for i, c in enumerate(fields[: last + 1]):
            value = c.value if isinstance(c, ast.keyword) else c
            while isinstance(value, ast.Attribute) and isinstance(e, ast.Call) and i == 0:
                value = value.value  # the object whose method is called
            if self.has_pop(value):
                new[id(value)] = inner = self.spilled(value)
                if i < last and not isinstance(inner, ast.Name):  # its other operands, too, are read before that pop
                    new[id(value)] = self.named(inner, "value")
            elif not isinstance(value, ast.Name | ast.Constant):
                new[id(value)] = self.named(value, "value")
        exchanged = Exchange(new).visit(e) if new else e
        assert isinstance(exchanged, ast.expr)
        return exchanged

    def named(self, value: ast.expr, wish: str) -> ast.Name:
        name = new_name(self.taken, wish)
        self.out.append(made(ast.Assign([made(ast.Name(name, ast.Store()), value)], value, None), value))
        return made(ast.Name(name, ast.Load()), value)


class Exchange(ast.NodeTransformer):
    """new: what is to stand in the place of nodes, by their ids."""

    def __init__(self, new: dict[int, ast.expr]) -> None:
        self.new = new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new[id(node)] if id(node) in self.new else self.generic_visit(node)
