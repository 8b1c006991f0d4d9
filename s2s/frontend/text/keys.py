"""Keys that are known before the run, and tests of them: `k + "_new"`, `f"w{i}"`, `k.upper()`, `k not in FROZEN`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from s2s.frontend.text.scopes import walk
from s2s.frontend.text.source import made

OF_TEXTS = frozenset(["endswith", "lower", "removeprefix", "removesuffix", "replace", "startswith", "strip", "upper"])
UNKNOWN = object()


def folded(e: ast.expr, known: Mapping[str, object]) -> object:
    """The text, the number, the truth value or the tuple of these that an expression is; else UNKNOWN.

    known: the values of names.
    """
    match e:
        case ast.Constant(value=str() | int() | None):
            return e.value
        case ast.Name(id=name):
            return known.get(name, UNKNOWN)
        case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
            items = tuple(folded(x, known) for x in elts)
            return UNKNOWN if UNKNOWN in items else items
        case ast.JoinedStr(values=values):
            texts = [folded_text(v, known) for v in values]
            return UNKNOWN if None in texts else "".join(t for t in texts if t is not None)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            a, b = folded(left, known), folded(right, known)
            if isinstance(a, str) and isinstance(b, str):
                return a + b
            return a + b if isinstance(a, int) and isinstance(b, int) else UNKNOWN
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = folded(operand, known)
            return UNKNOWN if value is UNKNOWN else not value
        case ast.BoolOp(op=op, values=values):
            value = UNKNOWN
            for x in values:
                value = folded(x, known)
                if value is UNKNOWN or bool(value) is isinstance(op, ast.Or):
                    break
            return value
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return compared(op, folded(left, known), folded(right, known))
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            value = folded(inner, known)
            return str(value) if isinstance(value, str | int) else UNKNOWN
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=args, keywords=[]) if attr in OF_TEXTS:
            text, given = folded(inner, known), [folded(a, known) for a in args]
            if not isinstance(text, str) or UNKNOWN in given:
                return UNKNOWN
            try:
                found: object = getattr(text, attr)(*given)
            except TypeError:
                return UNKNOWN
            return found
    return UNKNOWN


def is_put_together(n: ast.AST) -> bool:
    """Whether an entry is read or stored under a key that is computed: `params[f"{name}_W"]`, `params[name + "_W"]`."""
    return isinstance(n, ast.Subscript) and (
        isinstance(n.slice, ast.JoinedStr)
        or (
            isinstance(n.slice, ast.BinOp)
            and isinstance(n.slice.op, ast.Add)
            and any(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in (n.slice.left, n.slice.right))
        )
    )


def show_keys(body: Sequence[ast.stmt]) -> None:
    """params["a" + "_W"] as params["a_W"]: the keys that are known, now that the text holds what they are made of."""
    for n in [n for s in body for n in walk(s)]:
        if isinstance(n, ast.Subscript) and is_put_together(n):
            key = folded(n.slice, {})
            if isinstance(key, str):
                n.slice = made(ast.Constant(key), n.slice)


def folded_text(e: ast.expr, known: Mapping[str, object]) -> str | None:
    """A piece of an f-string."""
    match e:
        case ast.Constant(value=str() as text):
            return text
        case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
            value = folded(inner, known)
            return str(value) if isinstance(value, str | int) else None
    return None


def compared(op: ast.cmpop, a: object, b: object) -> object:
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    match op:
        case ast.Eq():
            return a == b
        case ast.NotEq():
            return a != b
        case ast.In() | ast.NotIn() if isinstance(b, tuple) or (isinstance(a, str) and isinstance(b, str)):
            return (a in b) is isinstance(op, ast.In)
    return UNKNOWN


def kept(node: ast.DictComp, keys: Sequence[str], values: Mapping[str, ast.expr]) -> list[tuple[str, str]] | None:
    """What becomes of the keys of a dict in a comprehension over it, `{k + "_0": e for k, v in p.items() if k != "b"}`:
    each that is kept, with the new one. None where that is not known, or where two become one.

    values: what names of the module stand for, and those of the function that stand for constants.
    """
    target = node.generators[0].target
    first = target.elts[0] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else target
    if not isinstance(first, ast.Name) or any(isinstance(n, ast.NamedExpr) for n in walk(node)):
        return None
    fixed = constants(values)
    others = {n.id for n in walk(target) if isinstance(n, ast.Name)}
    found: list[tuple[str, str]] = []
    for key in keys:
        known = {n: v for n, v in fixed.items() if n not in others} | {first.id: key}
        wanted = [folded(t, known) for t in node.generators[0].ifs]
        if UNKNOWN in wanted:
            return None
        if all(wanted):
            new = folded(node.key, known)
            if not isinstance(new, str) or new in (n for _, n in found):
                return None
            found.append((key, new))
    return found


def is_one_for_each(key: ast.expr, name: str) -> bool:
    """Whether a comprehension makes of each key another one: `k`, `k + "_new"`, `"old_" + k`."""
    match key:
        case ast.Name(id=own):
            return own == name
        case (
            ast.BinOp(left=inner, op=ast.Add(), right=ast.Constant(value=str()))
            | ast.BinOp(left=ast.Constant(value=str()), op=ast.Add(), right=inner)
        ):
            return is_one_for_each(inner, name)
    return False


def constants(values: Mapping[str, ast.expr]) -> dict[str, object]:
    """The names that stand for texts, numbers and tuples of these."""
    found = {n: folded(e, {}) for n, e in values.items()}
    return {n: v for n, v in found.items() if v is not UNKNOWN}


__all__ = ["UNKNOWN", "constants", "folded", "is_one_for_each", "kept"]
