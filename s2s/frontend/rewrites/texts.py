"""Loops over texts that are written out, in which these are keys, or names of attributes: they are unrolled.

d = {}                                  d = {}
for name in ("mass", "heat"):           d["mass"] = rate * share["mass"]
    d[name] = rate * share[name]        d["heat"] = rate * share["heat"]

Attributes that a text names are read and bound as such.

setattr(p, "v", k * getattr(p, "v"))    p.v = k * p.v
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as List

from s2s.frontend.rewrites.unrolled import LONGEST, Loop, Round, Unrolling, header, parts
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, parameters, read_names, rewritten, walk
from s2s.frontend.text.source import Note, made

OF_DICTS = frozenset(["get", "pop", "setdefault"])
OF_ATTRIBUTES = frozenset(["delattr", "getattr", "hasattr", "setattr"])


def write_out(function: ast.FunctionDef, names: ModuleNames, notes: Callable[[], dict[int, Note]]) -> None:
    """Changes the body of a function. notes: the comments of its statements."""
    nodes = body_nodes(function)
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    shown = {name: e for name, e in names.values.items() if name not in own}
    if any(texts(n, shown) for n in nodes if isinstance(n, Loop)):
        loops = _Texts(function, function, [], notes())
        loops.shown = shown
        if loops.keeps_names(function.body):
            function.body = loops.block(function.body)
    name_attributes(function, names)


def name_attributes(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function, in which texts may name attributes."""
    own = bound_names(body_nodes(function)) | {p.arg for p in parameters(function)}
    if not own.isdisjoint(OF_ATTRIBUTES) or names.hides(OF_ATTRIBUTES):
        return
    if any(isinstance(n, ast.Name) and n.id in OF_ATTRIBUTES for s in function.body for n in walk(s)):
        function.body[:] = [_Attributes().visit(s) for s in rewritten(function.body, bound_attribute)]


def texts(loop: Loop, shown: Mapping[str, ast.expr]) -> List[Round]:
    """The texts that a loop runs over, where its body uses them as keys, and what else it binds with each of them.

    shown: what the names of the module stand for.
    """
    g = header(loop)
    one_by_one = isinstance(loop, ast.For) or (len(loop.generators) == 1 and not loop.generators[0].ifs)
    if not one_by_one or getattr(loop, "orelse", None):
        return []
    items = constants(g.iter, shown)
    if items is None or len(items) > LONGEST:
        return []
    match g.target:
        case ast.Name(id=name):
            rounds = [{name: e} for e in items]
        case ast.Tuple(elts=targets):
            rows = [e.elts for e in items if isinstance(e, ast.Tuple | ast.List) and len(e.elts) == len(targets)]
            if len(rows) < len(items) or not all(isinstance(t, ast.Name) for t in targets):
                return []
            rounds = [{t.id: e for t, e in zip(targets, row, strict=True) if isinstance(t, ast.Name)} for row in rows]
        case _:
            return []
    if not all(isinstance(e, ast.Constant) for r in rounds for e in r.values()):
        return []
    inside = [x for s in (loop.body if isinstance(loop, ast.For) else parts(loop)) for x in walk(s)]
    keys = [k for k in (rounds[0] if rounds else ()) if all(is_text(r[k]) for r in rounds)]
    plain = isinstance(loop, ast.For) and isinstance(g.target, ast.Name) and isinstance(g.iter, ast.Tuple | ast.List)
    is_key = is_key_in if plain else names_attribute  # a loop over a table of the module stays one
    return rounds if any(is_key(x, k) for x in inside for k in keys) else []


def constants(it: ast.expr, shown: Mapping[str, ast.expr]) -> List[ast.expr] | None:
    """The items that something which is run over has, where they are written out."""
    match it:
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            return elts
        case ast.Name(id=name) if name in shown and isinstance(shown[name], ast.Tuple | ast.List):
            return constants(shown[name], {})
        case ast.Call(func=ast.Name(id="enumerate"), args=[items], keywords=[]):
            found = constants(items, shown)
            return found and [made(ast.Tuple([ast.Constant(i), e], ast.Load()), it) for i, e in enumerate(found)]
        case ast.Call(func=ast.Name(id="zip"), args=[first, second], keywords=[]):
            a, b = constants(first, shown), constants(second, shown)
            pairs = zip(a, b, strict=False) if a and b else ()
            return [made(ast.Tuple([*pair], ast.Load()), it) for pair in pairs] or None
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=values), attr="items"), args=[]):
            if not all(isinstance(k, ast.Constant) for k in keys):
                return None
            return [made(ast.Tuple([k, v], ast.Load()), it) for k, v in zip(keys, values, strict=True) if k]
    return None


def is_text(e: ast.expr) -> bool:
    return isinstance(e, ast.Constant) and isinstance(e.value, str)


def bound_attribute(s: ast.stmt) -> list[ast.stmt]:
    """`setattr(p, "v", e)` as `p.v = e`"""
    match s:
        case ast.Expr(
            value=ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(name)), value], keywords=[])
        ) if is_attribute(name):
            target = made(ast.Attribute(owner, name, ast.Store()), s)
            return [ast.copy_location(ast.Assign([target], value), s)]
    return [s]


def is_attribute(name: str) -> bool:
    """Whether a name means the same in a class: those with two underscores are others there."""
    return name.isidentifier() and (not name.startswith("__") or name.endswith("__"))


class _Attributes(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name))], keywords=[]) if (
                is_attribute(name)
            ):
                return made(ast.Attribute(owner, name, ast.Load()), node)
        return node


def names_attribute(n: ast.AST, name: str) -> bool:
    """Whether a variable that is bound to a text names an attribute."""
    match n:
        case ast.Call(func=ast.Name(id=called), args=[_, key, *_]) if called in OF_ATTRIBUTES:
            return name in read_names(key)
    return False


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
    return names_attribute(n, name)


class _Texts(Unrolling):
    shown: Mapping[str, ast.expr]

    def rounds(self, loop: Loop) -> List[Round]:
        return texts(loop, self.shown)


__all__ = ["write_out"]
