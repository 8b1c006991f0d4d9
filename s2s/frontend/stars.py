"""`**d` in a call of a function whose text is known: the items of d that its parameters name.

    assert "eps" not in p["norm"]
    x = norm(x, **p["norm"])          ->      x = norm(x, g=p["norm"]["g"], b=p["norm"]["b"])

d is a parameter, what a loop runs over, or an item of these. A parameter with a default keeps it, and the output asks
that d has no item of its name; where d has a name too many, Python raises when the function itself runs.
"""

from __future__ import annotations

import ast

from s2s.frontend.bindings import Bindings
from s2s.frontend.names import ModuleNames
from s2s.frontend.scopes import blocks_of, body_nodes, bound_names, parameters
from s2s.frontend.source import made


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if not any(isinstance(n, ast.Call) and any(k.arg is None for k in n.keywords) for n in nodes):
        return
    work = _Stars(function, names, nodes)
    function.body[:] = work.block(function.body)


class _Stars(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef, names: ModuleNames, nodes: list[ast.AST]) -> None:
        self.names = names
        options = function.args.kwarg.arg if function.args.kwarg else None
        self.given = {p.arg for p in parameters(function)} - {options}
        self.own = bound_names(nodes) | self.given
        self.bindings = Bindings(nodes)
        self.before: list[ast.stmt] = []
        self.may_not_run = 0  # branches of an expression, comprehensions and tests of loops around

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            if not isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for inner in blocks_of(s):
                    inner[:] = self.block(inner)
                self.before = []
                for field in ("value", "iter", "test"):
                    e = getattr(s, field, None)
                    if isinstance(e, ast.expr):
                        self.may_not_run = int(isinstance(s, ast.While))
                        setattr(s, field, self.visit(e))
                out += self.before
            out.append(s)
        return out

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Lambda):
            return node
        inside = isinstance(node, ast.IfExp | ast.BoolOp | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        self.may_not_run += inside
        node = super().generic_visit(node)
        self.may_not_run -= inside
        if isinstance(node, ast.Call) and sum(k.arg is None for k in node.keywords) == 1:
            self.call(node)
        return node

    def call(self, node: ast.Call) -> None:
        """The keywords of a call, written out where what they stand for is known."""
        star = next(k for k in node.keywords if k.arg is None)
        callee = self.callee(node.func)
        if callee is None or not self.is_item(star.value) or any(isinstance(a, ast.Starred) for a in node.args):
            return
        a = callee.args
        plain, only = [p.arg for p in a.args], [p.arg for p in a.kwonlyargs]
        given = {k.arg for k in node.keywords} | {*plain[: max(len(node.args) - len(a.posonlyargs), 0)]}
        free = {*plain[len(plain) - len(a.defaults) :]} if a.defaults else set()
        free |= {n for n, d in zip(only, a.kw_defaults, strict=True) if d is not None}
        left = [n for n in (*plain, *only) if n not in given]
        if a.vararg or a.kwarg or (self.may_not_run and free & {*left}):
            return
        e = star.value
        for n in left:
            if n in free:
                absent = made(ast.Compare(made(ast.Constant(n), e), [ast.NotIn()], [e]), e)
                self.before.append(made(ast.Assert(absent, None), e))
        items = [made(ast.Subscript(e, made(ast.Constant(n), e), ast.Load()), e) for n in left if n not in free]
        named = [n for n in left if n not in free]
        at = node.keywords.index(star)
        node.keywords[at : at + 1] = [made(ast.keyword(n, i), star) for n, i in zip(named, items, strict=True)]

    def callee(self, func: ast.expr) -> ast.FunctionDef | None:
        """The function of a call, of this module or of another one of the program."""
        if not isinstance(func, ast.Name) or func.id in self.own:
            return None
        found: object = self.names.made[func.id].node if func.id in self.names.made else None
        found = found or self.names.functions.get(func.id)
        if found is None and (path := self.names.imports.names.get(func.id)) is not None:
            linked = self.names.link(path)
            found = self.names.find_function(linked[6:]) if linked.startswith("local.") else None
        return found if isinstance(found, ast.FunctionDef) and not found.decorator_list else None

    def is_item(self, e: ast.expr | None, seen: frozenset[str] = frozenset()) -> bool:
        """Whether an expression is a parameter that is not bound again, what a loop binds, or an item of these."""
        while isinstance(e, ast.Attribute) or (
            isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Constant | ast.Name)
        ):
            e = e.value
        if not isinstance(e, ast.Name) or e.id in seen:
            return False
        bound = self.bindings[e.id]
        if e.id in self.given:
            return bound.stores == 0
        items = [v for v in bound.values if isinstance(v, ast.Subscript)]
        loops = [over for n, over in bound.lists if not isinstance(n, ast.Assign)]
        every = [*items, *loops]
        return bound.stores == len(every) > 0 and all(self.is_item(x, seen | {e.id}) for x in every)
