"""Functions that write into some items only of an array which they are given: `def put(a, i, v): a[i] = v`"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from s2s.frontend.rewrites.objects import filled
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.names import target_names
from s2s.frontend.text.scopes import is_bound, parameters, walk


def touched(
    function: ast.FunctionDef, functions: Mapping[str, ast.AST], captured: Collection[str] = (), depth: int = 0
) -> set[str]:
    """The parameters, and captured names, of which a function writes some items only: under keys that its parameters
    say, or in a slice around such a place. None where it writes others as wholes, or sweeps over them.

    functions: those of the module, which it may hand them to.
    """
    own = {a.arg for a in parameters(function)} | {*captured}
    bound = moving(function)
    found: set[str] = set()
    for n in walk(function):
        match n:
            case ast.Subscript(ctx=ast.Store()) if (root := root_of(n)) in own:
                if not any(is_place(k, bound) for k in keys(n)):
                    return set()
                found.add(root)
            case ast.AugAssign(target=ast.Name(id=name)) if name in own:
                return set()
            case ast.Call(func=ast.Name(id=name)) if isinstance(g := functions.get(name), ast.FunctionDef):
                given = dict(zip([a.arg for a in parameters(g)], n.args, strict=False))
                inner = touched(g, functions, (), depth + 1) if depth < 4 and g is not function else set()
                handed = {e.id for p, e in given.items() if p in inner and isinstance(e, ast.Name)} & own
                read = set().union(*map(names_in, n.args))
                if handed and read & bound:
                    return set()
                found |= handed
        if {root_of(e) for e in filled(n)} & own:
            return set()
    return found


def moving(function: ast.FunctionDef) -> set[str]:
    """The names of a function that may stand for one place after the other while it runs: what its loops run over, but
    for a few numbers, what is counted on, and what is computed from such."""
    nodes = list(walk(function))
    loops = [n for n in nodes if isinstance(n, ast.For)]
    found = {n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n)}
    found -= {n for loop in loops if is_short(loop) for n in names_of(loop)}
    plain = [n for n in nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)]
    again = True
    while again:
        again = False
        for s in plain:
            target = s.targets[0]
            assert isinstance(target, ast.Name)
            once = sum(isinstance(n, ast.Name) and n.id == target.id and is_bound(n) for n in nodes) == 1
            read = names_in(s.value)
            if target.id in found and once and not read & found:
                found.discard(target.id)
                again = True
    return found


def names_of(loop: ast.For) -> set[str]:
    return {*target_names(loop.target)}


def is_short(loop: ast.For) -> bool:
    """for j in range(3)"""
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=args):
            return all(isinstance(a, ast.Constant) for a in args)
        case ast.Tuple() | ast.List():
            return True
    return False


def keys(target: ast.Subscript) -> list[ast.expr]:
    """i and j of a[i, j], and of a[i][j]."""
    items = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    return [*keys(target.value), *items] if isinstance(target.value, ast.Subscript) else [*items]


def is_place(key: ast.expr, bound: set[str]) -> bool:
    """Whether a key says one place along an axis, `i` or `i + 1`, or some around it, `i - 1 : i + 2`."""
    if isinstance(key, ast.Slice):
        ends = [names_in(e) if e is not None else set() for e in (key.lower, key.upper)]
        return bool(ends[0] & ends[1] - bound) and key.step is None
    read = names_in(key)
    return bool(read) and not read & bound


def names_in(e: ast.expr) -> set[str]:
    return {n.id for n in walk(e) if isinstance(n, ast.Name)}
