"""Dicts of which the text shows the keys, as displays.

{k: x[i] for i, k in enumerate(("a", "b"))}     {"a": x[0], "b": x[1]}
dict(zip(("a", "b"), theta))                    {"a": theta[0], "b": theta[1]}
dict([("a", x), ("b", y)])                      {"a": x, "b": y}
dict.fromkeys(("a", "b"), x)                    {"a": x, "b": x}

A comprehension over a dict of the function is left to `Grouping`, which knows its keys.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Mapping

from s2s.frontend.rewrites.entries import open_dicts
from s2s.frontend.rewrites.methods import Exchanged
from s2s.frontend.rewrites.spellings import dict_names
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.keys import UNKNOWN, constants, folded
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.rounds import Round, rounds
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    body_nodes,
    bound_names,
    children,
    every_block,
    is_bound,
    parameters,
    walk,
)
from s2s.frontend.text.source import made

READING = frozenset(["dict", "enumerate", "len", "list", "sorted", "tuple", "zip"])


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if not any(makes_dict(n) for n in nodes):
        return
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    values = {n: e for n, e in names.values.items() if n not in own} | local_constants(function)
    writer = _Displays(names, own, values, dict_names(nodes) | open_dicts(function))
    for block in every_block(function.body):
        for s in block:
            writer.statement(s)


def makes_dict(n: ast.AST) -> bool:
    match n:
        case ast.DictComp():
            return True
        case (
            ast.Call(func=ast.Name(id="dict"))
            | ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"))
        ):
            return True
    return False


def local_constants(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """The names of a function that are bound once, at its top, to lists and tuples of constants that stay."""
    nodes = [n for s in function.body for n in walk(s)]
    stores = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    own = {p.arg for p in parameters(function)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    found: dict[str, ast.expr] = {}
    for s in function.body:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=(ast.List() | ast.Tuple()) as value):
                if stores[name] == 1 and name not in own and folded(value, {}) is not UNKNOWN:
                    found[name] = value
    if not found:
        return found
    parents = {id(c): n for n in nodes for c in children(n)}

    def is_read(n: ast.Name) -> bool:
        match parents.get(id(n)):
            case ast.Call(func=ast.Name(id=fn)):
                return fn in READING
            case ast.Subscript(ctx=ast.Load(), value=value):
                return value is n
            case ast.For(iter=it) | ast.comprehension(iter=it):
                return it is n
            case ast.Compare() | ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys")):
                return True
        return False

    changed = {
        n.id
        for n in nodes
        if isinstance(n, ast.Name) and not is_bound(n) and isinstance(found.get(n.id), ast.List) and not is_read(n)
    }
    return {n: e for n, e in found.items() if n not in changed}


class _Displays(ast.NodeTransformer):
    """own: the names of the function; values: what names stand for that do not change; dicts: names of dicts."""

    def __init__(self, names: ModuleNames, own: set[str], values: Mapping[str, ast.expr], dicts: set[str]) -> None:
        self.names, self.own, self.values, self.dicts = names, own, values, dicts
        self.changed = False

    def statement(self, s: ast.stmt) -> None:
        """The expressions of a statement; its blocks are others."""
        if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return
        for field, value in ast.iter_fields(s):
            if isinstance(value, ast.expr):
                setattr(s, field, self.visit(value))

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        outer, self.changed = self.changed, False
        super().generic_visit(node)
        if self.changed and isinstance(node, ast.expr):
            node.made = True  # type: ignore[attr-defined]
        self.changed |= outer
        return node

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        self.generic_visit(node)
        return self.display(node, self.comprehended(node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="dict"), args=[e], keywords=keywords) if self.is_builtin("dict"):
                entries = self.entries(e)
                if entries is not None and all(k.arg for k in keywords):
                    given = [(made(ast.Constant(k.arg), k.value), k.value) for k in keywords]
                    return self.display(node, [*entries, *given])
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[keys, *rest], keywords=[]
            ) if self.is_builtin("dict") and len(rest) < 2:
                value = rest[0] if rest else made(ast.Constant(None), node)
                k = made(ast.Name("k", ast.Store()), keys)
                if is_plain(value):
                    return self.display(node, self.written([ast.comprehension(k, keys, [], 0)], "k", value, node))
        return node

    def is_builtin(self, name: str) -> bool:
        return name not in self.own and not self.names.hides(frozenset([name]))

    def display(self, node: ast.expr, entries: list[tuple[ast.Constant, ast.expr]] | None) -> ast.expr:
        """The display of entries under different keys."""
        if entries is None or len({k.value for k, _ in entries}) < len(entries):
            return node
        self.changed = True
        return made(ast.Dict([k for k, _ in entries], [e for _, e in entries]), node)

    def entries(self, e: ast.expr) -> list[tuple[ast.Constant, ast.expr]] | None:
        """What `dict(e)` holds."""
        match e:
            case (
                ast.GeneratorExp(elt=ast.Tuple(elts=[k, v]), generators=generators)
                | ast.ListComp(elt=ast.Tuple(elts=[k, v]), generators=generators)
            ):
                return self.comprehended(made(ast.DictComp(k, v, generators), e))
            case ast.List() | ast.Tuple() | ast.Call(func=ast.Name(id="zip" | "enumerate")):
                k, v = made(ast.Name("k", ast.Store()), e), made(ast.Name("v", ast.Store()), e)
                target = made(ast.Tuple([k, v], ast.Store()), e)
                return self.written([ast.comprehension(target, e, [], 0)], "k", made(ast.Name("v", ast.Load()), e), e)
        return None

    def comprehended(self, node: ast.DictComp) -> list[tuple[ast.Constant, ast.expr]] | None:
        return self.written(node.generators, node.key, node.value, node)

    def written(
        self, generators: list[ast.comprehension], key: ast.expr | str, value: ast.expr, node: ast.expr
    ) -> list[tuple[ast.Constant, ast.expr]] | None:
        """The entries that a comprehension makes, where the text says what it runs over."""
        inside = [n for e in (key, value) if isinstance(e, ast.expr) for n in walk(e)]
        if len(generators) > 1 or any(isinstance(n, ast.Lambda | ast.NamedExpr) for n in inside):
            return None
        g = generators[0]
        clause = ast.comprehension(g.target, g.iter, [], g.is_async)
        found = rounds(clause, self.values, lambda n: n in self.own and n not in self.values, self.is_numbered)
        fixed = constants(self.values)
        out: list[tuple[ast.Constant, ast.expr]] = []
        alone = all(isinstance(e, ast.Constant) for r in found for e in r.values())
        read = {n.id for n in walk(value) if isinstance(n, ast.Name)}
        if alone and read and read <= {n for r in found for n in r}:
            return None  # a table of constants: it stays as it is written
        for r in found:
            known = fixed | {n: folded(e, {}) for n, e in r.items()}
            wanted = [folded(t, known) for t in g.ifs]
            new = folded(key if isinstance(key, ast.expr) else made(ast.Name(key, ast.Load()), node), known)
            if UNKNOWN in wanted or not isinstance(new, str | int) or isinstance(new, bool):
                return None
            if all(wanted):
                if not self.fits(r, value):
                    return None
                out.append((made(ast.Constant(new), node), self.put(r, value)))
            elif any(has_effects(e, self.names.functions) for e in r.values()):
                return None
        return out or None

    def is_numbered(self, e: ast.expr) -> bool:
        """Whether the items of an expression can be had by their numbers, as far as its text shows."""
        return isinstance(e, ast.Name) and e.id in self.own - self.dicts

    def fits(self, r: Round, value: ast.expr) -> bool:
        """Whether what the variables stand for can be written in their place: it is calculated once, and its names are
        the same there."""
        inner = [n for n in walk(value) if isinstance(n, COMPREHENSIONS)]
        bound = {n.id for c in inner for n in walk(c) if isinstance(n, ast.Name) and is_bound(n)}
        read = {n.id for e in r.values() for n in walk(e) if isinstance(n, ast.Name)}
        if bound & (read | r.keys()):
            return False
        counts = Counter(n.id for n in walk(value) if isinstance(n, ast.Name))
        deep = {n.id for c in inner for n in walk(c) if isinstance(n, ast.Name)}
        return all(
            is_plain(e) or (counts[n] == 1 and n not in deep and not has_effects(e, self.names.functions))
            for n, e in r.items()
            if counts[n] or not is_plain(e)
        )

    def put(self, r: Round, value: ast.expr) -> ast.expr:
        new = Exchanged(dict(r)).visit(copy.deepcopy(value))
        for n in walk(new):
            if isinstance(n, ast.expr):
                made(n, value)
        assert isinstance(new, ast.expr)
        return new


def is_plain(e: ast.expr) -> bool:
    """A constant, a name, an attribute or an item of a name under a constant: what may be written twice."""
    match e:
        case ast.Constant() | ast.Name():
            return True
        case ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Attribute(value=inner) | ast.Subscript(value=inner, slice=ast.Constant()):
            return is_plain(inner) and not isinstance(inner, ast.Constant)
    return False


__all__ = ["write_out"]
