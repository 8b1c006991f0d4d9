"""Loops over texts that are written out, in which these are keys, or names of attributes: they are unrolled.

d = {}                                  d = {}
for name in ("mass", "heat"):           d["mass"] = rate * share["mass"]
    d[name] = rate * share[name]        d["heat"] = rate * share["heat"]
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Sequence as List

from s2s.frontend.rewrites.unrolled import LONGEST, Loop, Round, Unrolling
from s2s.frontend.text.scopes import body_nodes, read_names, walk
from s2s.frontend.text.source import Note

OF_DICTS = frozenset(["get", "pop", "setdefault"])
OF_ATTRIBUTES = frozenset(["delattr", "getattr", "hasattr", "setattr"])


def write_out(function: ast.FunctionDef, notes: Callable[[], dict[int, Note]]) -> None:
    """Changes the body of a function. notes: the comments of its statements."""
    if not any(texts(n) for n in body_nodes(function)):
        return
    loops = _Texts(function, function, [], notes())
    if loops.keeps_names(function.body):
        function.body = loops.block(function.body)


def texts(n: ast.AST) -> List[ast.expr]:
    """The texts that a loop runs over, where its body uses them as keys."""
    match n:
        case ast.For(
            target=ast.Name(id=name), iter=ast.Tuple(elts=elts) | ast.List(elts=elts), orelse=[], body=body
        ) if all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in elts):
            inside = [x for s in body for x in walk(s)]
            return elts if len(elts) <= LONGEST and any(is_key_in(x, name) for x in inside) else []
    return []


def is_key_in(n: ast.AST, name: str) -> bool:
    """Whether a text is a key, under which is stored, of a dict in a dict or of a display, or names an attribute."""
    match n:
        case ast.Subscript(slice=key, ctx=ast.Store() | ast.Del()):
            return name in read_names(key)
        case ast.Subscript(value=ast.Subscript(slice=key)) | ast.Attribute(value=ast.Subscript(slice=key)):
            return name in read_names(key)
        case ast.Dict(keys=keys):
            return any(k is not None and name in read_names(k) for k in keys)
        case ast.Call(func=ast.Attribute(attr=attr), args=[key, *_]) if attr in OF_DICTS:
            return name in read_names(key)
        case ast.Call(func=ast.Name(id=called), args=[_, key, *_]) if called in OF_ATTRIBUTES:
            return name in read_names(key)
    return False


class _Texts(Unrolling):
    def rounds(self, loop: Loop) -> List[Round]:
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
            return []
        return [{loop.target.id: e} for e in texts(loop)]


__all__ = ["write_out"]
