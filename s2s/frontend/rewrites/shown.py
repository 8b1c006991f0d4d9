"""Dicts of which the text shows the keys, as displays.

{k: x[i] for i, k in enumerate(("a", "b"))}     {"a": x[0], "b": x[1]}
dict(zip(("a", "b"), theta))                    {"a": theta[0], "b": theta[1]}
dict([("a", x), ("b", y)])                      {"a": x, "b": y}
dict.fromkeys(("a", "b"), x)                    {"a": x, "b": x}
{k + "_new": v for k, v in p.items()}           {"a_new": p["a"], "b_new": p["b"]}

A comprehension that keeps the keys of a dict of the function is left to `Grouping`, which knows them.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Mapping
from typing import TypeGuard

from s2s.frontend.rewrites.entries import open_dicts
from s2s.frontend.rewrites.spellings import dict_names
from s2s.frontend.text.function_bodies import Exchanged, has_effects
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
    writer = _Displays(names, own, values, dict_names(nodes) | open_dicts(function), keys_shown(function, nodes))
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
    """own: the names of the function; values: what names stand for that do not change; dicts: names of dicts; keys: of
    those of which the text shows them."""

    def __init__(
        self,
        names: ModuleNames,
        own: set[str],
        values: Mapping[str, ast.expr],
        dicts: set[str],
        keys: Mapping[str, list[str]],
    ) -> None:
        self.names, self.own, self.values, self.dicts, self.keys = names, own, values, dicts, keys
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
        clause = ast.comprehension(g.target, self.entries_shown(g, key, value), [], g.is_async)
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

    def entries_shown(self, g: ast.comprehension, key: ast.expr | str, value: ast.expr) -> ast.expr:
        """What a comprehension runs over that asks for keys of a dict, or changes them: `(("a", p["a"]), ...)`."""
        first = g.target.elts[0] if isinstance(g.target, ast.Tuple) and g.target.elts else g.target
        k = first.id if isinstance(first, ast.Name) else ""
        asks = [t for n in walk(value) if isinstance(n, ast.IfExp) for t in walk(n.test)]
        if not g.ifs and isinstance(key, ast.Name) and not any(isinstance(n, ast.Name) and n.id == k for n in asks):
            return g.iter

        def entry(name: str, k: str) -> ast.expr:
            return made(ast.Subscript(made(ast.Name(name, ast.Load()), g.iter), text(k), ast.Load()), g.iter)

        def text(k: str) -> ast.expr:
            return made(ast.Constant(k), g.iter)

        match g.iter:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=p), attr="items"), args=[]) if p in self.keys:
                pairs: list[ast.expr] = [
                    made(ast.Tuple([text(k), entry(p, k)], ast.Load()), g.iter) for k in self.keys[p]
                ]
                return made(ast.Tuple(pairs, ast.Load()), g.iter)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=p), attr="keys"), args=[]) | ast.Name(id=p):
                if p in self.keys:
                    return made(ast.Tuple([text(k) for k in self.keys[p]], ast.Load()), g.iter)
        return g.iter

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
        new = Decided().visit(Exchanged(dict(r)).visit(copy.deepcopy(value)))
        for n in walk(new):
            if isinstance(n, ast.expr):
                made(n, value)
        assert isinstance(new, ast.expr)
        return new


class Decided(ast.NodeTransformer):
    """Choices whose conditions are known, `a if "x" == "x" else b`, as what they choose."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        wanted = folded(node.test, {})
        return node if wanted is UNKNOWN else node.body if wanted else node.orelse


def keys_shown(function: ast.FunctionDef, nodes: list[ast.AST]) -> dict[str, list[str]]:
    """The dicts of a function that are bound to displays with the same texts for keys, and to what keeps these, where
    nothing is done that adds or removes one: their keys."""
    bound: dict[str, list[ast.expr]] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(value)
    every = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    found: dict[str, list[str]] = {}
    for name, values in bound.items():
        shown = [texts_of(e) for e in values if not keeps_keys_of(name, e)]
        if len(values) == every[name] and shown and shown[0] and all(keys == shown[0] for keys in shown):
            found[name] = shown[0]
    if not found:
        return found
    inside = [n for s in function.body for n in walk(s)]
    parents = {id(c): n for n in inside for c in children(n)}
    given = {p.arg for p in parameters(function)}
    hidden = {n.id for f in inside if isinstance(f, ast.FunctionDef | ast.Lambda) for n in walk(f) if is_name(n)}

    def keeps(n: ast.Name) -> bool:
        match parents.get(id(n)):
            case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=key), ctx=ctx):
                return key in found[n.id] and not isinstance(ctx, ast.Del)
            case ast.Attribute(attr="items" | "keys" | "values" | "get") | ast.Return():
                return True
            case ast.For(iter=it) | ast.comprehension(iter=it):
                return it is n
        return False

    for n in inside:
        if is_name(n) and not is_bound(n) and n.id in found and not keeps(n):
            del found[n.id]
    return {name: keys for name, keys in found.items() if name not in given | hidden}


def is_name(n: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(n, ast.Name)


def texts_of(e: ast.expr) -> list[str]:
    """The keys of a display, if they are different texts."""
    keys = e.keys if isinstance(e, ast.Dict) else []
    texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    return texts if len(set(texts)) == len(keys) else []


def keeps_keys_of(name: str, e: ast.expr) -> bool:
    """Whether an expression is a dict with the keys of a name: `{k: 2 * v for k, v in p.items()}`."""
    match e:
        case ast.DictComp(key=ast.Name(id=k), generators=[ast.comprehension(target=target, iter=it, ifs=[])]):
            first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
            if not isinstance(first, ast.Name) or first.id != k:
                return False
            match it:
                case ast.Name(id=p) | ast.Call(func=ast.Attribute(value=ast.Name(id=p), attr="items" | "keys")):
                    return p == name
    return False


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
