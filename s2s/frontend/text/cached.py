"""Properties that are computed once: `functools.cached_property`.

s2s writes them out at each read, which is the same as long as nothing changes the object, or an array that is part of
it; equal calls are then computed once (`lowering.once`). Of a class of which a module may do that, they are not
followed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from s2s.frontend.text.defaults import name_of
from s2s.frontend.text.function_bodies import FRESH
from s2s.frontend.text.names import MUTATING_FUNCTIONS
from s2s.frontend.text.scopes import walk

if TYPE_CHECKING:
    from s2s.frontend.text.classes import ClassInfo

MAKERS = frozenset(["__init__", "__new__", "__post_init__"])
IN_PLACE = frozenset(path.rpartition(".")[2] for path in MUTATING_FUNCTIONS)
NUMBERS = frozenset(["float", "int", "len", "sum", "abs", "round", "print", "range", "str"])  # make no views
# functions and methods that make new arrays, and such that reduce
NEW = frozenset([*FRESH, "sum", "mean", "prod", "dot", "std", "var"])


def doubt_cached(info: ClassInfo, *trees: ast.Module) -> None:
    """Takes the cached properties of a class for unknown where one of these modules may change its objects."""
    if info.cached and any(changes_objects(tree) for tree in trees):
        info.strange |= info.cached
        info.getters = {n: g for n, g in info.getters.items() if n not in info.cached}


def changes_objects(tree: ast.Module) -> bool:
    """Whether a module may change an object after it is made, or an array that may be part of one: a
    property that is computed once may then differ from one that is computed at each read."""
    makers = [f for f in walk(tree) if isinstance(f, ast.FunctionDef) and f.name in MAKERS]
    own = {id(n) for f in makers for n in walk(f) if isinstance(n, ast.Attribute)}
    for n in walk(tree):
        match n:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if id(n) not in own:
                return True
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.AugAssign(target=ast.Attribute()):
                return True
            case ast.Call(func=func) if writes(n, name_of(func)):
                return True
            case ast.Expr(value=ast.Call(func=func)) if not (isinstance(func, ast.Name) and func.id == "print"):
                return True
    return not all(updates_its_own(scope) for scope in walk(tree) if isinstance(scope, ast.Module | ast.FunctionDef))


def writes(call: ast.Call, name: str) -> bool:
    """Whether a call writes into an argument: `np.add(x, y, out=x)`, `np.add(x, y, x)`, `operator.iadd(x, y)`."""
    ufunc = getattr(np, name, None)
    starred = any(isinstance(a, ast.Starred) for a in call.args)
    placed = isinstance(ufunc, np.ufunc) and (starred or len(call.args) > ufunc.nin)
    return placed or name in IN_PLACE or any(k.arg == "out" for k in call.keywords)


def updates_its_own(scope: ast.Module | ast.FunctionDef) -> bool:
    """Whether `x += e` only updates variables that hold numbers, or arrays that nothing else holds."""
    nodes = list(inside(scope))
    updated = {n.target.id for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}
    made: set[str] = set()
    held: set[str] = set()  # bound to what may be another's, or given to another
    for n in nodes if updated else ():
        match n:
            case ast.Assign(targets=targets, value=value):
                names = {x.id for t in targets for x in walk(t) if isinstance(x, ast.Name)}
                (made if is_new(value) and not isinstance(targets[0], ast.Tuple) else held).update(names)
                held |= shared(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                (made if is_new(value) else held).add(name)
                held |= shared(value)
            case ast.For(target=target) | ast.comprehension(target=target):
                held |= {x.id for x in walk(target) if isinstance(x, ast.Name)}
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                held |= {name, *shared(value)}
            case ast.Call(args=args, keywords=keywords) if not is_new(n):
                held |= {x for a in (*args, *(k.value for k in keywords)) for x in shared(a)}
    return updated <= made - held


def inside(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of functions and classes in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield from inside(child)


def is_new(e: ast.expr) -> bool:
    """Whether an expression makes a number or an array that nothing else holds."""
    match e:
        case ast.Constant() | ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in NUMBERS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in NEW
        case ast.IfExp(body=body, orelse=other):
            return is_new(body) and is_new(other)
    return False


def shared(e: ast.AST) -> set[str]:
    """The names whose arrays the value of an expression may hold, or be a view of."""
    if isinstance(e, ast.expr) and is_new(e):
        return set()
    return {e.id} if isinstance(e, ast.Name) else {x for child in ast.iter_child_nodes(e) for x in shared(child)}
