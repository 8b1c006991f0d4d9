"""Dicts of objects, or functions, under texts that a loop runs over: each gets a name, and the loop is written out.

    springs = {"a": Spring(k), "b": Spring(m)}      springs_a = Spring(k)
                                                    springs_b = Spring(m)
    for name, s in springs.items():                 e = e + w["a"] * springs_a.energy(x)
        e = e + w[name] * s.energy(x)               e = e + w["b"] * springs_b.energy(x)
    springs["a"].k                                  springs_a.k

A dict that is read by its keys only is followed as it is (`objects`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping

from s2s.frontend.rewrites import optional
from s2s.frontend.rewrites.mixed import LONGEST, NESTED, in_turn, leaves, without_tails
from s2s.frontend.text.function_bodies import copied_body
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    children,
    dotted,
    is_bound,
    names_used,
    new_name,
    parameters,
    read_names,
    rewritten,
    string_key,
    walk,
)
from s2s.frontend.text.source import NOTHING, Note, made, put

Loop = ast.For | ast.comprehension


def write_out(function: ast.FunctionDef, module: ModuleNames, notes: dict[int, Note]) -> None:
    """Changes the body of a function; notes: what the comments of its statements say."""
    classes = module.classes
    if not any(isinstance(s, ast.Assign) and isinstance(s.value, ast.Dict) for s in function.body):
        return
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    local = bound_names(nodes) | given
    counts: dict[str, int] = {}
    for n in nodes:
        if isinstance(n, ast.Name) and is_bound(n):
            counts[n.id] = counts.get(n.id, 0) + 1

    def is_new(e: ast.expr) -> bool:
        match e:
            case ast.Call(func=ast.Name(id=name)):
                return name in classes and name not in local
        return False

    def is_function(e: ast.expr) -> bool:
        match e:
            case ast.Name(id=name):
                return name not in local and (name in module.functions or name in module.imports.names)
            case ast.Attribute():
                return (dotted(e) or [""])[0] in module.imports.names.keys() - local
        return isinstance(e, ast.Lambda)

    objects = {
        s.targets[0].id
        for s in function.body
        if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and is_new(s.value)
    }
    for s in list(function.body):
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys, values=values)):
                pass
            case _:
                continue
        texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
        named = [v.id for v in values if isinstance(v, ast.Name) and v.id in objects - given and counts[v.id] == 1]
        if (
            0 < len(keys) <= LONGEST
            and len({*texts}) == len(keys)
            and (len(named) + sum(map(is_new, values)) == len(values) or all(map(is_function, values)))
            and counts[name] == 1
            and name not in given
        ):
            work = _Dict(function, name, texts, notes)
            if work.is_followed(s):
                work.write(s, values)


class _Dict:
    """One dict of new objects."""

    def __init__(self, function: ast.FunctionDef, name: str, keys: list[str], notes: dict[int, Note]) -> None:
        self.function, self.name, self.keys, self.notes = function, name, keys, notes
        self.items: list[ast.expr] = []

    def is_followed(self, made_at: ast.stmt) -> bool:
        """Whether loops run over the dict, and nothing is done with it but to read its entries, in them and by key."""
        nodes = [n for s in self.function.body for n in walk(s)]
        parents = {c: n for n in nodes for c in children(n)}
        own = set(body_nodes(self.function))
        loops: list[Loop] = []
        for n in nodes:
            if isinstance(n, ast.For) and self.is_written(n):
                loops.append(n)
            elif isinstance(n, ast.ListComp | ast.GeneratorExp | ast.DictComp) and self.is_written_comprehension(n):
                loops += n.generators
        inside = {id(x): g for g in loops for x in walk(g if isinstance(g, ast.For) else parents[g])}
        for n in parents:
            if not isinstance(n, ast.Name) or n.id != self.name or is_bound(n):
                continue
            up = parents[n]
            if n not in own and not any(isinstance(g, ast.comprehension) for g in loops):
                return False
            if any(n in set(walk(g.iter)) for g in loops):
                continue
            match up:
                case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if value is n:
                    around = inside.get(id(n))
                    if string_key(up) in self.keys or (
                        around is not None and isinstance(key, ast.Name) and key.id == self.variables(around)[0]
                    ):
                        continue
            return False
        bound = {v for g in loops if isinstance(g, ast.For) for v in self.own_names(g)}
        every = [n for n in nodes if isinstance(n, Loop)]  # others may bind the same names
        own_to = {
            id(x)
            for g in every
            for x in walk(g if isinstance(g, ast.For) else parents[g])
            if isinstance(x, ast.Name) and x.id in self.own_names(g)
        }
        outside = [n for n in parents if isinstance(n, ast.Name) and n.id in bound and id(n) not in own_to]
        return bool(loops) and not outside and made_at in self.function.body

    # ------------------------------------------------------------ loops

    def own_names(self, loop: Loop) -> set[str]:
        """The names that a loop binds, that of the object among them where its first statement does."""
        return read_names(loop.target) | {*self.variables(loop)} - {""}

    def variables(self, loop: Loop) -> tuple[str, str]:
        """The names of the key and of the object in a loop over the dict: "" for one that it has not."""
        key, item = self.named(loop)
        match loop.body[0] if isinstance(loop, ast.For) else None:
            case ast.Assign(
                targets=[ast.Name(id=first)], value=ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=k))
            ) if name == self.name and k == key != "" and not item:
                return key, first
        return key, item

    def named(self, loop: Loop) -> tuple[str, str]:
        """The same, of the names that the loop itself binds."""
        match loop.target, loop.iter:
            case ast.Tuple(elts=[ast.Name(id=k), ast.Name(id=v)]), ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="items"), args=[], keywords=[]
            ) if name == self.name:
                return k, v
            case ast.Name(id=v), ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="values"), args=[], keywords=[]
            ) if name == self.name:
                return "", v
            case ast.Name(id=k), (
                ast.Name(id=name)
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="keys"), args=[], keywords=[])
                | ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)], keywords=[])
            ) if name == self.name:
                return k, ""
            case ast.Name(id=k), ast.Tuple(elts=elts) | ast.List(elts=elts) if self.texts(elts):
                return k, ""
        return "", ""

    def texts(self, elts: list[ast.expr]) -> list[str]:
        """The keys of the dict that a display names; none, where it has anything else."""
        found = [e.value for e in elts if isinstance(e, ast.Constant) and e.value in self.keys]
        return [str(k) for k in found] if len(found) == len(elts) else []

    def rounds(self, loop: Loop) -> Iterator[dict[str, ast.expr]]:
        """What the names of a loop stand for, in each of its rounds."""
        key, item = self.variables(loop)
        keys = self.texts(loop.iter.elts) if isinstance(loop.iter, ast.Tuple | ast.List) else self.keys
        for k in keys:
            found: dict[str, ast.expr] = {key: ast.Constant(k)} if key else {}
            yield found | ({item: self.items[self.keys.index(k)]} if item else {})

    def is_written(self, loop: ast.For) -> bool:
        """Whether a loop over the dict can be written out."""
        names = {*self.variables(loop)} - {""}
        inside = [n for s in self.rest(loop) for n in walk(s)]
        if not names or loop.orelse or not any(isinstance(n, ast.Name) and n.id == self.name for n in walk(loop)):
            return False
        rebound = {n.id for n in inside if isinstance(n, ast.Name) and is_bound(n)}
        return (
            not names & rebound
            and not any(isinstance(n, NESTED) for n in inside)
            and not leaves(without_tails(loop.body))
        )

    def is_written_comprehension(self, e: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> bool:
        g, *more = e.generators
        names = {*self.variables(g)} - {""}
        if not names or more or g.ifs or not any(isinstance(n, ast.Name) and n.id == self.name for n in walk(e)):
            return False
        inner = [n for x in parts(e) for n in walk(x)]
        return not any(isinstance(n, NESTED | ast.comprehension | ast.NamedExpr) for n in inner)

    def rest(self, loop: ast.For) -> list[ast.stmt]:
        """The body of a loop, without `s = springs[name]` at its beginning."""
        return loop.body if self.variables(loop) == self.named(loop) else loop.body[1:]

    # ------------------------------------------------------------ the text

    def write(self, made_at: ast.Assign, values: list[ast.expr]) -> None:
        taken = names_used(self.function) | {p.arg for p in parameters(self.function)}
        first: list[ast.stmt] = []
        for key, value in zip(self.keys, values, strict=True):
            if isinstance(value, ast.Name | ast.Attribute):
                self.items.append(value)
                continue
            own_name = new_name(taken, f"{self.name}_{key}" if key.isidentifier() else self.name)
            self.items.append(ast.Name(own_name, ast.Load()))
            new = made(ast.Assign([made(ast.Name(own_name, ast.Store()), value)], value), value)
            self.notes[id(new)] = self.notes.get(id(made_at), NOTHING) if not first else NOTHING
            first.append(new)

        def statement(s: ast.stmt) -> list[ast.stmt]:
            if s is made_at:
                return first
            if isinstance(s, ast.For) and self.is_written(s):
                return in_turn([self.one_round(s, found) for found in self.rounds(s)])
            return [s]

        self.function.body[:] = rewritten(self.function.body, statement)
        for s in self.function.body:
            for up in list(walk(s)):
                for e in children(up):
                    if isinstance(e, ast.ListComp | ast.GeneratorExp | ast.DictComp) and (
                        self.is_written_comprehension(e)
                    ):
                        put(up, e, self.display(e))
            for up in list(walk(s)):
                for e in children(up):
                    if isinstance(e, ast.Subscript) and isinstance(e.value, ast.Name) and e.value.id == self.name:
                        text = string_key(e)
                        assert text is not None
                        put(up, e, made(copy.deepcopy(self.items[self.keys.index(text)]), e))
        ast.fix_missing_locations(self.function)

    def one_round(self, loop: ast.For, found: Mapping[str, ast.expr]) -> list[ast.stmt]:
        """The body of a loop for one entry: a copy, as the text is read again by others."""
        return optional.with_values(copied_body(self.rest(loop), self.notes), found, self.notes)

    def display(self, e: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> ast.expr:
        rows = [
            [optional.with_value(copy.deepcopy(x), found) for x in parts(e)] for found in self.rounds(e.generators[0])
        ]
        if isinstance(e, ast.DictComp):
            return made(ast.Dict([k for k, _ in rows], [v for _, v in rows]), e)
        return made(ast.List([x for row in rows for x in row], ast.Load()), e)


def parts(e: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> list[ast.expr]:
    """What a comprehension makes for each item."""
    return [e.key, e.value] if isinstance(e, ast.DictComp) else [e.elt]


__all__ = ["write_out"]
