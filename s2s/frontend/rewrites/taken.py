"""Keywords that a function takes out of its `**options`, where a call says which ones it gets.

    def smooth(x, **options):             smooth(x, width=w, order=2)
        width = options.pop("width", 1.0)     width = options["width"]
        if options:                           return kernel(x, width, order=options["order"])
            raise TypeError(...)
        return kernel(x, width, **options)

What is left in the dict is known behind each statement of the body, so that reads, tests and `**options` are those of
the keywords that are left.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterable

from s2s.frontend.text.names import MUTATING_METHODS
from s2s.frontend.text.scopes import mentions, walk
from s2s.frontend.text.source import made


class Unknown(Exception):
    """The dict is used in another way, or loses a keyword on one path alone."""


def taken_out(body: list[ast.stmt], name: str, given: Iterable[str]) -> list[ast.stmt] | None:
    """The body of a function whose `**name` holds these keywords, with reads of it instead of what takes them out; the
    body itself where it takes out none, and None where it does so on some paths only."""
    if not any(is_pop(n, name) for s in body for n in walk(s)):
        return body
    writer = _Left(name, list(given))
    out: list[ast.stmt] = []
    try:
        for s in body:
            out += writer.statement(s)
    except Unknown:
        return None
    return out


def is_idle(default: ast.expr) -> bool:
    """Whether a default may be left out where its keyword is given: Python evaluates it, and it may change things."""
    for n in walk(default):
        match n:
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
            case ast.Call(func=ast.Name(id=name)) if not hasattr(builtins, name) or name in ("next", "setattr", "exec"):
                return False
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in MUTATING_METHODS:
                return False
    return True


def is_pop(n: ast.AST, name: str) -> bool:
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="pop")):
            return of == name
    return False


class _Left(ast.NodeTransformer):
    """Replaces what reads a dict of keywords, in the order in which Python evaluates."""

    def __init__(self, name: str, left: list[str]) -> None:
        self.name, self.left = name, left
        self.sure = True  # what is visited is evaluated in any case
        self.kept = False  # a function that is defined further up reads the dict when it is called

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        if not mentions(s, self.name):
            return [s]
        match s:
            case ast.If(test=ast.Name(id=name), body=body, orelse=orelse) if name == self.name:
                return [x for inner in (body if self.left else orelse) for x in self.statement(inner)]
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)), body=body, orelse=orelse) if (
                name == self.name
            ):
                return [x for inner in (orelse if self.left else body) for x in self.statement(inner)]
            case ast.If(test=ast.Compare(comparators=[ast.Name(id=name)]) as test) if name == self.name:
                holds = self.visit_Compare(copy.deepcopy(test))
                if isinstance(holds, ast.Constant):
                    return [x for inner in (s.body if holds.value else s.orelse) for x in self.statement(inner)]
        s = copy.deepcopy(s)
        plain = isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Return)
        targets = (
            [t for t in (*getattr(s, "targets", ()), getattr(s, "target", None)) if t is not None] if plain else []
        )
        if any(mentions(t, self.name) for t in targets):
            raise Unknown
        self.sure = plain
        return [self.visit(s)]

    def maybe(self, node: ast.AST) -> ast.AST:
        """What is inside may run not at all, or more than once."""
        before, self.sure = self.sure, False
        out = self.generic_visit(node)
        self.sure = before
        return out

    visit_IfExp = visit_BoolOp = visit_ListComp = visit_SetComp = visit_DictComp = maybe
    visit_Dict = maybe

    def later(self, node: ast.AST) -> ast.AST:
        """What is inside runs when it is called: what the dict loses in between is gone by then."""
        self.kept |= mentions(node, self.name)
        return self.maybe(node)

    visit_Lambda = visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_GeneratorExp = later

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == self.name:
            raise Unknown
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=of), attr="get" | "pop" as attr),
                args=[ast.Constant(value=str(key)), *rest],
                keywords=[],
            ) if of == self.name and len(rest) < 2:
                return self.read(key, rest, attr == "pop", node)
        node.func = self.visit(node.func)
        node.args = [self.visit(a) for a in node.args]
        keywords: list[ast.keyword] = []
        for k in node.keywords:
            if k.arg is None and isinstance(k.value, ast.Name) and k.value.id == self.name:
                keywords += [made(ast.keyword(key, self.entry(key, node)), node) for key in self.left]
            else:
                k.value = self.visit(k.value)
                keywords.append(k)
        node.keywords = keywords
        return node

    def read(self, key: str, rest: list[ast.expr], takes: bool, node: ast.Call) -> ast.expr:
        rest = [self.visit(e) for e in rest]
        if takes and not self.sure:
            raise Unknown
        if key in self.left:
            if (takes and self.kept) or not all(map(is_idle, rest)):
                raise Unknown
            if takes:
                self.left.remove(key)
            return self.entry(key, node)
        if takes and not rest:
            raise Unknown  # a KeyError
        return rest[0] if rest else made(ast.Constant(None), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id=of), slice=ast.Constant(value=key), ctx=ast.Load()) if of == self.name:
                if key not in self.left:
                    raise Unknown
                return node
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        match node:
            case ast.Compare(
                left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn() as op], comparators=[ast.Name(id=of)]
            ) if of == self.name:
                return made(ast.Constant((key in self.left) == isinstance(op, ast.In)), node)
        return self.generic_visit(node)

    def entry(self, key: str, like: ast.AST) -> ast.expr:
        name = made(ast.Name(self.name, ast.Load()), like)
        return made(ast.Subscript(name, made(ast.Constant(key), like), ast.Load()), like)


__all__ = ["taken_out"]
