"""What a comprehension binds in each of its rounds, where its text says what it runs over.

[make(k) for k in (1.0, w)]                 k = 1.0, then k = w
{n: partial(g, i) for i, n in enumerate(("a", "b"))}
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from s2s.frontend.text.source import made

LONGEST = 24  # rounds that are written out
Round = dict[str, ast.expr]


def rounds(
    node: ast.comprehension,
    values: Mapping[str, ast.expr],
    is_local: Callable[[str], bool],
    is_numbered: Callable[[ast.expr], bool] = lambda e: False,
) -> list[Round]:
    """The values of the variables in each round; empty where the text does not say them.

    values: what names of the module stand for; is_numbered: whether what a zip has beside items that are written out
    may be read by the numbers of its items, `zip(("a", "b"), x)`.
    """
    items = written_items(node.iter, values, is_local, is_numbered)
    if items is None or node.ifs or node.is_async or len(items) > LONGEST:
        return []
    found = [bound(node.target, item) for item in items]
    return [] if any(b is None for b in found) else [b for b in found if b is not None]


def bound(target: ast.expr, item: ast.expr) -> Round | None:
    match target, item:
        case ast.Name(id=name), _:
            return {name: item}
        case ((ast.Tuple(elts=names) | ast.List(elts=names)), (ast.Tuple(elts=parts) | ast.List(elts=parts))):
            if len(names) != len(parts):
                return None
            out: Round = {}
            for n, p in zip(names, parts, strict=True):
                inner = bound(n, p)
                if inner is None:
                    return None
                out |= inner
            return out
    return None


def written_items(
    it: ast.expr,
    values: Mapping[str, ast.expr],
    is_local: Callable[[str], bool],
    is_numbered: Callable[[ast.expr], bool] = lambda e: False,
) -> list[ast.expr] | None:
    """The items of displays, of ranges of literals, and of enumerate and zip of these."""

    def builtin(name: str) -> bool:
        return not is_local(name) and name not in values

    match it:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
            return list(elts)
        case ast.Name(id=name) if not is_local(name) and isinstance(values.get(name), ast.List | ast.Tuple):
            items = written_items(values[name], {}, is_local)
            return items if items is not None and all(isinstance(e, ast.Constant) for e in items) else None
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=entries), attr="items"), args=[]):
            if None in keys:
                return None
            return [made(ast.Tuple([k, v], ast.Load()), it) for k, v in zip(keys, entries, strict=True) if k]
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if builtin("range"):
            numbers = [a.value for a in args if isinstance(a, ast.Constant) and isinstance(a.value, int)]
            if not 1 <= len(numbers) == len(args) <= 2 or len(range(*numbers)) > LONGEST:
                return None
            return [made(ast.Constant(i), it) for i in range(*numbers)]
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner], keywords=[]) if builtin("enumerate"):
            items = written_items(inner, values, is_local, is_numbered)
            pairs = enumerate(items or ())
            return (
                None
                if items is None
                else [made(ast.Tuple([made(ast.Constant(i), it), e], ast.Load()), it) for i, e in pairs]
            )
        case ast.Call(func=ast.Name(id="zip"), args=args, keywords=[]) if builtin("zip"):
            lists = [written_items(a, values, is_local) for a in args]
            known = [x for x in lists if x is not None]
            if not known or not all(is_numbered(a) for a, x in zip(args, lists, strict=True) if x is None):
                return None
            count = min(map(len, known))
            lists = [numbered(a, count) if x is None else x[:count] for a, x in zip(args, lists, strict=True)]
            return [made(ast.Tuple([x[i] for x in lists if x], ast.Load()), it) for i in range(count)]
    return None


def numbered(e: ast.expr, count: int) -> list[ast.expr]:
    """The first items of a sequence."""
    return [made(ast.Subscript(e, made(ast.Constant(i), e), ast.Load()), e) for i in range(count)]
