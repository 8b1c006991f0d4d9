"""Questions about the text of a function, and small changes of it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from s2s.frontend.text import names as known_names
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    blocks_of,
    body_nodes,
    children,
    own_walk,
    parameters,
    walk,
)
from s2s.frontend.text.source import made

FunctionLike = ast.FunctionDef | ast.Lambda


def is_docstring(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)


def own_expressions(s: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement's own expressions, without those of its blocks."""
    for c in children(s):
        if not isinstance(c, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from walk(c)


def evaluated(e: ast.AST) -> Iterator[ast.AST]:
    """The nodes of an expression that are surely evaluated once, operands before what is made of them."""
    match e:
        case ast.Lambda():
            return
        case ast.ListComp(generators=[first, *_]) | ast.SetComp(generators=[first, *_]):
            yield from evaluated(first.iter)
            return
        case ast.DictComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            yield from evaluated(first.iter)
            return
        case ast.IfExp(test=test):
            yield from evaluated(test)
        case ast.BoolOp(values=[first, *_]):
            yield from evaluated(first)
        case ast.Compare(left=left, comparators=[first, *_]):
            yield from evaluated(left)
            yield from evaluated(first)
        case _:
            for c in children(e):
                yield from evaluated(c)
    yield e


def default_nodes(node: FunctionLike) -> list[tuple[str, ast.expr]]:
    a = node.args
    normal = [*a.posonlyargs, *a.args]
    found = [(p.arg, d) for p, d in zip(normal[len(normal) - len(a.defaults) :], a.defaults, strict=True)]
    return found + [(p.arg, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None]


def is_fixed(e: ast.expr) -> bool:
    """A default that is the same wherever it is written: numbers, texts, None, what is calculated of them, tuples."""
    match e:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=x):
            return is_fixed(x)
        case ast.BinOp(left=a, right=b):
            return is_fixed(a) and is_fixed(b)
        case ast.Tuple(elts=elts):
            return all(map(is_fixed, elts))
    return False


def arguments(
    function: ast.FunctionDef, call: ast.Call, is_taken: Callable[[ast.expr], bool]
) -> dict[str, ast.expr] | None:
    """What a call gives the parameters of a function, in the order of the call, then its defaults; None where that is
    not known. is_taken: whether a default may stand at the call."""
    a = function.args
    if a.vararg or a.kwarg or any(isinstance(x, ast.Starred) for x in call.args):
        return None
    order = [p.arg for p in (*a.posonlyargs, *a.args)]
    if len(call.args) > len(order):
        return None
    given = dict(zip(order, call.args, strict=False))
    keywords = {p.arg for p in (*a.args, *a.kwonlyargs)}
    for k in call.keywords:
        if k.arg is None or k.arg in given or k.arg not in keywords:
            return None
        given[k.arg] = k.value
    for p, default in default_nodes(function):
        if p not in given:
            if not is_taken(default):
                return None
            given[p] = copy.deepcopy(default)
    return given if given.keys() == {p.arg for p in parameters(function)} else None


def one_expression(node: FunctionLike | None) -> ast.expr | None:
    """The body of a function that is one small expression."""
    if node is None:
        return None
    if isinstance(node, ast.Lambda):
        body: ast.expr = node.body
    else:
        rest = [s for s in node.body if not is_docstring(s)]
        if len(rest) != 1 or not isinstance(rest[0], ast.Return) or rest[0].value is None:
            return None
        body = rest[0].value
    heavy = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.JoinedStr, *COMPREHENSIONS)
    nodes = list(walk(body))
    if any(isinstance(n, heavy) for n in nodes):
        return None
    if isinstance(node, ast.FunctionDef) and any(isinstance(n, ast.Name) and n.id == node.name for n in nodes):
        return None
    return body


def identifiers(node: ast.AST) -> set[str]:
    found = {n.id for n in walk(node) if isinstance(n, ast.Name)}
    return found | {n.arg for n in walk(node) if isinstance(n, ast.arg)} | set(known_names.BUILTINS)


def gives_value(node: FunctionLike) -> bool:
    """Whether a function returns something else than None."""
    if isinstance(node, ast.Lambda):
        return True
    returns = (n.value for s in node.body for n in own_walk(s) if isinstance(n, ast.Return))
    return any(v is not None and not (isinstance(v, ast.Constant) and v.value is None) for v in returns)


def all_writes(lifted: ast.FunctionDef, writes: tuple[str, ...]) -> bool:
    """Whether a function made by `with_results` returns the names that it binds and nothing else."""
    last = lifted.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    items = value.elts if isinstance(value, ast.Tuple) else [value]
    return len(items) == len(writes)


def with_results(node: ast.FunctionDef, writes: list[str]) -> ast.FunctionDef:
    """A function that also returns the nonlocal names that it binds."""

    alone = not gives_value(node)

    def results(value: ast.expr | None, at: ast.stmt) -> ast.stmt:
        items: list[ast.expr] = [made(ast.Name(n, ast.Load()), at) for n in writes]
        if not alone:
            items.insert(0, value if value is not None else made(ast.Constant(None), at))
        return made(ast.Return(items[0] if len(items) == 1 else made(ast.Tuple(items, ast.Load()), at)), at)

    class Returns(ast.NodeTransformer):
        def visit_Return(self, s: ast.Return) -> ast.stmt:
            return results(s.value, s)

        def visit_Nonlocal(self, s: ast.Nonlocal) -> ast.stmt:
            return made(ast.Pass(), s)

        def visit_FunctionDef(self, s: ast.FunctionDef) -> ast.stmt:
            return s

        def visit_Lambda(self, e: ast.Lambda) -> ast.expr:
            return e

    body = [cast(ast.stmt, Returns().visit(copy.deepcopy(s))) for s in node.body]
    if not isinstance(body[-1], ast.Return):
        body.append(results(None, node.body[-1]))
    out = ast.FunctionDef(node.name, node.args, body, [], None)
    return ast.copy_location(out, node)


# ---------------------------------------------------------------- functions that are left to differences

FRESH = (
    "zeros",
    "ones",
    "empty",
    "full",
    "zeros_like",
    "ones_like",
    "empty_like",
    "full_like",
    "array",
    "copy",
    "list",
)


def whole(s: ast.stmt) -> ast.expr | None:
    """The value of an assignment or a return."""
    return s.value if isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return) else None


def not_by_differences(fn: str, node: ast.Call, definition: ast.FunctionDef | None) -> Iterator[str]:
    """Why a call can't be differentiated by differences: it is run again, at other points."""
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        yield "its arguments are not written out"
    if fn.startswith(("numpy.random.", "random.", "secrets.", "time.")):
        yield "it is not the same at every call"
    written = may_write(definition) if definition is not None else ""
    if written:
        yield f"it may write into its arguments, through `{written}`"
    if definition is not None and any(isinstance(n, ast.Global | ast.Nonlocal) for n in walk(definition)):
        yield "it binds a global name"


def may_write(f: ast.FunctionDef) -> str:
    """A name that a function writes elements of and that is not always memory of its own, "" for none."""
    stores = [n.id for n in body_nodes(f) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    fresh = [
        t.id
        for n in body_nodes(f)
        if isinstance(n, ast.Assign) and is_fresh(n.value)
        for t in n.targets
        if isinstance(t, ast.Name)
    ]
    updated = [n.target.id for n in body_nodes(f) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)]
    params = {p.arg for p in parameters(f)}
    own = {n for n in fresh if fresh.count(n) + updated.count(n) == stores.count(n) and n not in params}
    for n in body_nodes(f):
        match n:
            case ast.Subscript(value=base, ctx=ast.Store()) | ast.Attribute(value=base, ctx=ast.Store()):
                pass
            case ast.AugAssign(target=ast.Name() as base):
                pass
            case ast.Call(func=ast.Attribute(value=base, attr=attr)) if attr in known_names.MUTATING_METHODS:
                pass
            case ast.Call(args=[base, *_], keywords=_) if any(k.arg == "out" for k in n.keywords):
                base = next(k.value for k in n.keywords if k.arg == "out")
            case _:
                continue
        while isinstance(base, ast.Subscript | ast.Attribute):
            base = base.value
        name = base.id if isinstance(base, ast.Name) else ast.unparse(base)
        if name not in own:
            return name
    return ""


FUNCTIONS_THAT_WRITE = {n.rpartition(".")[2] for n in known_names.MUTATING_FUNCTIONS} | {"at"}


def written_names(f: ast.FunctionDef, functions: Mapping[str, ast.AST]) -> set[str]:
    """The names of what a function, or those inside it, may write into, itself or by functions among these."""
    found: set[str] = set()
    for n in walk(f):
        match n:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                found.add(root_of(n))
            case ast.Call(func=func, args=args, keywords=keywords):
                callee = functions.get(func.id) if isinstance(func, ast.Name) else None
                if isinstance(func, ast.Attribute):
                    found |= {root_of(func.value)} if func.attr in known_names.MUTATING_METHODS else set()
                    found |= {root_of(a) for a in args[:1]} if func.attr in FUNCTIONS_THAT_WRITE else set()
                elif isinstance(callee, ast.FunctionDef) and may_write(callee):
                    found |= {root_of(a) for a in (*args, *(k.value for k in keywords))}
                found |= {root_of(k.value) for k in keywords if k.arg == "out"}
    return found


def has_effects(e: ast.expr, functions: Mapping[str, ast.AST], inside: frozenset[str] = frozenset()) -> bool:
    """Whether an expression may change or bind something, itself or through a function among these."""
    for n in walk(e):
        match n:
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Call(func=ast.Name(id="next")):
                return True
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in known_names.MUTATING_METHODS:
                return True
            case ast.Call(func=ast.Attribute(attr="popleft" | "appendleft" | "extendleft" | "rotate" | "send")):
                return True
            case ast.Call(keywords=keywords) if any(k.arg == "out" for k in keywords):
                return True
            case ast.Call(func=ast.Name(id=name)) if name not in inside:
                callee = functions.get(name)
                if not isinstance(callee, ast.FunctionDef):
                    continue
                nodes = body_nodes(callee)
                if may_write(callee) or any(isinstance(x, ast.Global | ast.Nonlocal | ast.Delete) for x in nodes):
                    return True
                if any(isinstance(x, ast.Call) and has_effects(x, functions, inside | {name}) for x in nodes):
                    return True
    return False


def is_fresh(value: ast.expr) -> bool:
    """Whether an expression gives a new object."""
    match value:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in FRESH
    return isinstance(value, ast.BinOp | ast.UnaryOp | ast.Constant | ast.List | ast.ListComp | ast.Dict | ast.Compare)


def without_continue(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a loop with the rest of it in the other branch of `if test: continue`; as it is where a `continue`
    stands elsewhere."""
    new: list[ast.stmt] = []
    for i, s in enumerate(body):
        if isinstance(s, ast.Continue):
            return new or [ast.copy_location(ast.Pass(), s)]
        if isinstance(s, ast.If) and any(isinstance(n, ast.Continue) for n in own_exits(s)):
            rest = body[i + 1 :]
            first, second = (bool(b) and isinstance(b[-1], ast.Continue) for b in (s.body, s.orelse))
            if not first and not second:
                return body
            sides = [b[:-1] if left else [*b, *rest] for b, left in ((s.body, first), (s.orelse, second))]
            sides = [without_continue(b) if b else [ast.copy_location(ast.Pass(), s)] for b in sides]
            return [*new, ast.copy_location(ast.If(s.test, sides[0], sides[1]), s)]
        new.append(s)
    return new


def own_exits(s: ast.stmt) -> Iterator[ast.stmt]:
    """The statements in a statement of a loop's body that are not inside of another loop or function."""
    yield s
    if isinstance(s, ast.For | ast.While | ast.FunctionDef | ast.ClassDef):
        return
    for block in blocks_of(s):
        for inner in block:
            yield from own_exits(inner)


class Exchanged(ast.NodeTransformer):
    """Names as the expressions that stand for them."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        new = self.values.get(node.id)
        if new is None:
            return node
        if isinstance(new, ast.Name):
            return made(ast.Name(new.id, node.ctx), node)
        out = copy.deepcopy(new)
        for n in walk(out):
            if isinstance(n, ast.expr):
                made(n, node)
        return out
