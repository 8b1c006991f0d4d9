"""Dicts of objects, or functions, under texts that a loop runs over: each gets a name, and the loop is written out.

So do objects that a constructor computes, and those that a dict gets one by one.

    springs = {"a": Spring(k), "b": Spring(m)}      springs_a = Spring(k)
                                                    springs_b = Spring(m)
    for name, s in springs.items():                 e = e + w["a"] * springs_a.energy(x)
        e = e + w[name] * s.energy(x)               e = e + w["b"] * springs_b.energy(x)
    springs["a"].k                                  springs_a.k

Any other dict that is read by its keys only is followed as it is (`objects`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as List

from s2s.frontend.rewrites.unrolled import LONGEST, Loop, Round, Unrolling, header, may_wait
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    dotted,
    is_bound,
    names_used,
    new_name,
    parameters,
    read_names,
    string_key,
    walk,
)
from s2s.frontend.text.source import Note, made, put

Notes = dict[int, Note]


def write_out(function: ast.FunctionDef, module: ModuleNames, notes: Notes) -> None:
    """Changes the body of a function; notes: what the comments of its statements say."""
    classes = module.classes
    displays = [(s, *found) for s in function.body for n in walk(s) if (found := _display(n))]
    if not displays and not any(isinstance(s, ast.Assign) and isinstance(s.value, ast.Dict) for s in function.body):
        return
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    local = bound_names(nodes) | given
    if "list" in local or module.hides(frozenset(["list"])):
        return
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

    for s, of, entries in displays:
        inner = {
            n.id for c in walk(s) if isinstance(c, ast.comprehension) for n in walk(c.target) if isinstance(n, ast.Name)
        }
        if all(map(is_function, entries.values)) and inner.isdisjoint(read_names(entries)):
            name = new_name(names_used(function), "entries")
            put(of, entries, made(ast.Name(name, ast.Load()), entries))
            first = ast.Assign([made(ast.Name(name, ast.Store()), entries)], entries)
            function.body.insert(function.body.index(s), made(first, s))
            counts[name] = 1

    objects = {
        s.targets[0].id: s.value
        for s in function.body
        if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and is_new(s.value)
    }
    _join(function.body, lambda e: is_new(e) or (isinstance(e, ast.Name) and e.id in objects), classes)

    def computes(e: ast.expr) -> bool:
        """Whether an object is made by a constructor that does more than to keep what it is given."""
        match objects.get(e.id) if isinstance(e, ast.Name) else e:
            case ast.Call(func=ast.Name(id=name)) as call:
                return is_new(call) and not classes[name].makes
        return False

    for s in list(function.body):
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys, values=values)):
                pass
            case _:
                continue
        texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
        named = [
            v.id for v in values if isinstance(v, ast.Name) and v.id in objects.keys() - given and counts[v.id] == 1
        ]
        if (
            0 < len(keys) <= LONGEST
            and len({*texts}) == len(keys)
            and (len(named) + sum(map(is_new, values)) == len(values) or all(map(is_function, values)))
            and counts[name] == 1
            and name not in given
        ):
            work = _Dict(function, s, name, dict(zip(texts, values, strict=True)), notes)
            if work.is_followed(function, any(map(computes, values))):
                function.body[:] = work.block(function.body)
                ast.fix_missing_locations(function)


def _join(block: list[ast.stmt], makes: Callable[[ast.expr], bool], classes: Mapping[str, ClassInfo]) -> None:
    """`springs = {}`, and the entries that it gets before it is read, as one display. makes: of which values."""
    begun: dict[str, ast.Assign] = {}
    for s in list(block):
        match s:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str()) as key)], value=value
            ) if name in begun and makes(value) and name not in read_names(value):
                shown = begun[name].value
                assert isinstance(shown, ast.Dict)
                if key.value not in [k.value for k in shown.keys if isinstance(k, ast.Constant)]:
                    shown.keys.append(key)
                    shown.values.append(value)
                    block.remove(begun[name])
                    block[block.index(s)] = begun[name]
                    continue
        # what a display holds is evaluated where it gets its last entry
        begun = {n: t for n, t in begun.items() if may_wait(t, s, classes)}
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys)) if None not in keys:
                begun[name] = s


def _display(n: ast.AST) -> tuple[ast.Attribute, ast.Dict] | None:
    """`{"a": np.sin, "b": np.cos}.items`, and the dict"""
    match n:
        case ast.Attribute(value=ast.Dict() as shown, attr="items" | "values"):
            return n, shown
    return None


class _Dict(Unrolling):
    """A function without one dict of new objects."""

    def __init__(
        self, function: ast.FunctionDef, made_at: ast.Assign, name: str, things: Mapping[str, ast.expr], notes: Notes
    ) -> None:
        wishes = [(f"{name}_{key}" if key.isidentifier() else name, e) for key, e in things.items()]
        super().__init__(function, made_at, wishes, notes)
        self.name, self.keys = name, [*things]
        self.entries = dict(zip(things, self.items, strict=True))

    def is_followed(self, function: ast.FunctionDef, anyhow: bool) -> bool:
        """Whether loops run over the dict, and nothing is done with it but to read its entries, in them and by key.

        anyhow: without loops, too.
        """
        loops = [n for n in body_nodes(function) if isinstance(n, Loop) and self.is_written(n)]
        known: set[ast.AST] = set()
        for loop in loops:
            known.update(walk(header(loop).iter))
            first = self.rounds(loop)[0]
            keys = {k for k, e in first.items() if isinstance(e, ast.Constant)}
            for n in walk(loop):
                match n:
                    case ast.Subscript(value=of, slice=ast.Name(id=k), ctx=ast.Load()) if k in keys:
                        known.add(of)
        own = set(body_nodes(function))
        for n in (n for s in function.body for n in walk(s)):
            match n:
                case ast.Subscript(value=of, ctx=ast.Load()) if string_key(n) in self.keys:
                    known.add(of)
                case ast.Name() if n.id == self.name and not is_bound(n) and not (n in known and n in own):
                    return False
        return (anyhow or bool(loops)) and self.keeps_names(function.body)

    # ------------------------------------------------------------ loops

    def rounds(self, loop: Loop) -> List[Round]:
        key, item = self.variables(loop)
        if not (key or item) or self.name not in read_names(loop):
            return []
        it = header(loop).iter
        keys = self.texts(it.elts) if isinstance(it, ast.Tuple | ast.List) else self.keys
        return [({key: ast.Constant(k)} if key else {}) | ({item: self.entries[k]} if item else {}) for k in keys]

    def variables(self, loop: Loop) -> tuple[str, str]:
        """The names of the key and of the object in a loop over the dict: "" for one that it has not."""
        key, item = self.named(loop)
        if key and not item and isinstance(loop, ast.For) and (first := self.entry(loop.body[0], key)):
            return key, first
        return key, item

    def entry(self, s: ast.stmt, key: str) -> str:
        """The name that a statement gives to the entry under a key: `s = springs[name]`."""
        match s:
            case ast.Assign(
                targets=[ast.Name(id=first)], value=ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=k))
            ) if name == self.name and k == key:
                return first
        return ""

    def body(self, loop: ast.For) -> list[ast.stmt]:
        return loop.body if self.variables(loop) == self.named(loop) else loop.body[1:]

    def named(self, loop: Loop) -> tuple[str, str]:
        """The names of the key and of the object that the loop itself binds."""
        match header(loop).target, header(loop).iter:
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

    def texts(self, elts: List[ast.expr]) -> list[str]:
        """The keys of the dict that a display names; none, where it has anything else."""
        found = [e.value for e in elts if isinstance(e, ast.Constant) and e.value in self.keys]
        return [str(k) for k in found] if len(found) == len(elts) else []

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == self.name:
            return self.item(self.keys.index(string_key(node) or ""), node)
        self.generic_visit(node)
        return node


__all__ = ["write_out"]
