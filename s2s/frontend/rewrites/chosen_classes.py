"""Objects of a class that is chosen when the function runs: those of each class have a name, and a branch where they
are used.

    rule = RULES[kind](f, h)            if kind == "euler":
                                            rule_euler = Euler(f, h)
                                        elif kind == "rk4":
                                            rule_rk4 = RK4(f, h)
                                        else:
                                            raise KeyError(kind)
    y = rule.step(y)                    if kind == "euler":
                                            y = rule_euler.step(y)
                                        else:
                                            y = rule_rk4.step(y)

What a call of a method means is then known in each branch. The tests read names that are bound once.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import cast

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    blocks_of,
    every_block,
    is_bound,
    mentions,
    names_used,
    new_name,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import Note, copied_body, expression, made

MANY = 6  # classes of which one is chosen
FIXED = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name, ast.Constant, ast.boolop, ast.cmpop, ast.unaryop, ast.Load)


def write_out(function: ast.FunctionDef, module: ModuleNames, notes: dict[int, Note]) -> None:
    """Changes the body of a function; notes: what the comments of its statements say."""
    if len(module.classes) > 1:
        for block in list(every_block(function.body)):
            one_name(function, block, module.classes)
        work = _Chosen(function, module, notes)
        for block in list(every_block(function.body)):
            work.named_classes(block)
            work.chosen_objects(block)


def one_name(function: ast.FunctionDef, block: list[ast.stmt], classes: Mapping[str, ClassInfo]) -> None:
    """An object that a function has made in its branches has the name that its caller gives it."""
    for s, t in pairwise(list(block)):
        match s, t:
            case ast.If(), ast.Assign(targets=[ast.Name(id=new)], value=ast.Name(id=old)):
                every = [n.id for n in walk(function) if isinstance(n, ast.Name)]
                inside = [n.id for n in walk(s) if isinstance(n, ast.Name)]
                if (
                    every.count(old) == inside.count(old) + 1
                    and binds(s, old)
                    and new not in inside
                    and new not in {p.arg for p in parameters(function)}
                ):
                    for branch in every_block([s]):
                        end = [i for i, x in enumerate(branch) if isinstance(x, ast.Raise)]
                        del branch[end[0] + 1 if end else len(branch) :]
                    _renamed([s], old, new)
                    block.remove(t)


def binds(s: ast.stmt, name: str) -> bool:
    """Whether a statement binds a name on each of its paths on which it does not raise."""
    match s:
        case ast.If(test=test, body=body, orelse=orelse):
            both = all(any(binds(x, name) for x in branch) for branch in (body, orelse))
            return both and name not in read_names(test)
        case ast.Assign(targets=[ast.Name(id=target)]):
            return target == name
    return isinstance(s, ast.Raise)


def target_of(s: ast.Assign) -> str:
    return s.targets[0].id if isinstance(s.targets[0], ast.Name) else ""


Choices = list[tuple[ast.expr | None, ast.expr]]  # classes, each with the test for it


class _Chosen:
    def __init__(self, function: ast.FunctionDef, module: ModuleNames, notes: dict[int, Note]) -> None:
        self.function, self.notes = function, notes
        nodes = list(walk(function))
        self.stores = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
        self.stores.update(n.arg for n in nodes if isinstance(n, ast.arg))
        self.classes: Mapping[str, ClassInfo] = {n: c for n, c in module.classes.items() if n not in self.stores}
        self.values = {n: e for n, e in module.values.items() if n not in self.stores}
        self.taken = names_used(function)

    def named_classes(self, block: list[ast.stmt]) -> None:
        """`rule = RULES[kind]` and `rule(f, h)` as `RULES[kind](f, h)`."""
        for s in list(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                    self.stores[name] == 1 and len(block) > 1 and self.choices(value) is not None
                ):
                    calls = [n for x in block for n in walk(x) if isinstance(n, ast.Call)]
                    made_here = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == name]
                    reads = [n for n in walk(self.function) if isinstance(n, ast.Name) and n.id == name]
                    if len(made_here) == len(reads) - 1:
                        for n in made_here:
                            n.func = copy.deepcopy(value)
                        block.remove(s)

    def choices(self, e: ast.expr) -> Choices | None:
        """The classes that an expression may be, each with the test for it; the last may have None."""
        match e:
            case ast.IfExp(test=test, body=ast.Name(id=name) as cls, orelse=rest) if name in self.classes:
                last = isinstance(rest, ast.Name) and rest.id in self.classes
                others: Choices | None = [(None, rest)] if last else self.choices(rest)
                return None if others is None else [(test, cls), *others]
            case ast.Subscript(value=table, slice=ast.Name() | ast.Constant() as key):
                table = self.values.get(table.id, table) if isinstance(table, ast.Name) else table
                each: Sequence[ast.expr | None]
                match table:
                    case ast.Dict(keys=each, values=values):
                        pass
                    case ast.List(elts=values) | ast.Tuple(elts=values):
                        each = [made(ast.Constant(i), e) for i in range(len(values))]
                    case _:
                        return None
                keys = [k.value for k in each if isinstance(k, ast.Constant)]
                known = all(isinstance(v, ast.Name) and v.id in self.classes for v in values)
                if not known or len(keys) < len(values) or not 0 < len(values) <= MANY:
                    return None
                if isinstance(key, ast.Constant):
                    found: Choices = [(None, v) for k, v in zip(keys, values, strict=True) if k == key.value]
                    return found[-1:] or None
                tests = [expression(f"{key.id} == {k!r}", e) for k in keys]
                return [*zip(tests, values, strict=True)]
        return None

    # ------------------------------------------------------------ objects

    def chosen_objects(self, block: list[ast.stmt]) -> None:
        for s in list(block):
            at = block.index(s)
            block[at : at + 1] = self.branches(s)
        for s in list(block):
            if isinstance(s, ast.If) and (found := self.cases(block, s)) is not None:
                name, cases = found
                behind = block[block.index(s) + 1 :]
                used = self.used(behind, name, cases)
                if used is None:
                    continue
                for _, body, new in cases:
                    _renamed(body, name, new)
                block[block.index(s) + 1 :] = used

    def branches(self, s: ast.stmt) -> list[ast.stmt]:
        """A statement in which an object of a chosen class is made first."""
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.IfExp(test=asked, body=a, orelse=b)):
                if self.is_new(a) and (self.is_new(b) or isinstance(b, ast.IfExp)):
                    self.stores[name] += 1
                    parts = [made(ast.Assign([copy.deepcopy(s.targets[0])], e), s) for e in (a, b)]
                    return [made(ast.If(asked, [parts[0]], self.branches(parts[1])), s)]
            case ast.Assign() | ast.Return(value=ast.expr()) | ast.Expr():
                value = cast(ast.expr, s.value)
                call = _first_call(value)
                found = None if call is None else self.choices(call.func)
                if call is None or found is None:
                    return [s]
                if len(found) == 1 and found[0][0] is None:
                    call.func = copy.deepcopy(found[0][1])
                    return [s]
                match s:
                    case ast.Assign(targets=[ast.Name(id=target)]) if call is value:
                        name, rest = target, []
                    case _:
                        name = new_name(self.taken, ast.unparse(found[0][1]).lower())
                        self.stores[name] = len(found)
                        rest = [s]
                error = "IndexError" if all(_is_number(t) for t, _ in found) else "KeyError"
                last: list[ast.stmt] = []
                if found[-1][0] is not None:
                    key = copy.deepcopy(call.func.slice)  # type: ignore[attr-defined]
                    last = [made(ast.Raise(made(ast.Call(expression(error, s), [key], []), s), None), s)]
                for test, cls in reversed(found):
                    new = made(
                        ast.Call(copy.deepcopy(cls), copy.deepcopy(call.args), copy.deepcopy(call.keywords)), call
                    )
                    body: list[ast.stmt] = [made(ast.Assign([made(ast.Name(name, ast.Store()), s)], new), s)]
                    last = body if test is None else [made(ast.If(test, body, last), s)]
                self.stores[name] += len(found) - 1 if not rest else 0
                if rest:
                    _put_in(s, call, made(ast.Name(name, ast.Load()), call))
                return [*last, *rest]
        return [s]

    def is_new(self, e: ast.expr) -> bool:
        return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in self.classes

    def cases(
        self, block: list[ast.stmt], s: ast.If
    ) -> tuple[str, list[tuple[ast.expr | None, list[ast.stmt], str]]] | None:
        """The name of an object that the branches make, and for each branch its test, its body, and the new name."""
        tests: list[tuple[ast.expr | None, list[ast.stmt]]] = [(s.test, s.body)]
        rest = s.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            tests.append((rest[0].test, rest[0].body))
            rest = rest[0].orelse
        tests.append((None, rest))
        names: list[str] = []
        found: list[tuple[ast.expr | None, list[ast.stmt], str]] = []
        kinds: set[str] = set()
        for test, body in tests:
            if test is not None and not self.is_fixed(test):
                return None
            if body and isinstance(body[-1], ast.Raise):
                if test is not None:
                    return None
                continue
            made_here = [x for x in body if isinstance(x, ast.Assign) and self.is_new(x.value)]
            match made_here:
                case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=cls)))]:
                    names.append(name)
                    kinds.add(cls)
                    found.append((test, body, f"{name}_{cls.lower()}"))
                case _:
                    return None
        name = names[0]
        behind = block[block.index(s) :]
        reads = sum(1 for n in walk(self.function) if isinstance(n, ast.Name) and n.id == name)
        here = sum(1 for x in behind for n in walk(x) if isinstance(n, ast.Name) and n.id == name)
        if len({*names}) > 1 or len(kinds) < 2 or self.stores[name] != len(found) or reads != here:
            return None
        return name, [(test, body, new_name(self.taken, new)) for test, body, new in found]

    def is_fixed(self, test: ast.expr) -> bool:
        """Whether a test says the same wherever it stands."""
        return all(isinstance(n, FIXED) for n in walk(test)) and all(self.stores[n] <= 1 for n in read_names(test))

    def used(
        self, body: list[ast.stmt], name: str, cases: list[tuple[ast.expr | None, list[ast.stmt], str]]
    ) -> list[ast.stmt] | None:
        """Statements behind, with a branch for each class around those that use the object; None where a loop or a test
        asks for it itself."""
        out: list[ast.stmt] = []
        group: list[ast.stmt] = []  # statements that share their branches

        def written() -> None:
            if not group:
                return
            last: list[ast.stmt] = []
            for i, (test, _, new) in enumerate(reversed(cases)):
                each = copied_body(group, self.notes)
                _renamed(each, name, new)
                last = [made(ast.If(copy.deepcopy(test), each, last), group[0])] if i and test is not None else each
            out.extend(last)
            group.clear()

        for s in body:
            inner = list(blocks_of(s))
            if not mentions(s, name):
                written()
                out.append(s)
            elif not inner and not isinstance(s, ast.FunctionDef | ast.ClassDef):
                group.append(s)
            else:
                written()
                within = [n for b in inner for x in b for n in walk(x) if isinstance(n, ast.Name) and n.id == name]
                if len(within) < sum(1 for n in walk(s) if isinstance(n, ast.Name) and n.id == name):
                    return None
                for b in inner:
                    new = self.used(b, name, cases)
                    if new is None:
                        return None
                    b[:] = new
                out.append(s)
        written()
        return out


def _renamed(body: list[ast.stmt], old: str, new: str) -> None:
    for n in (n for s in body for n in walk(s)):
        if isinstance(n, ast.Name) and n.id == old:
            n.id = new


def _first_call(e: ast.expr) -> ast.Call | None:
    """The call of a class that is not a name, where it is evaluated first: `RULES[kind](f).step(y)`."""
    while True:
        match e:
            case ast.Call(func=ast.Subscript() | ast.IfExp()):
                return e
            case ast.Call(func=inner) | ast.Attribute(value=inner):
                e = inner
            case _:
                return None


def _is_number(test: ast.expr | None) -> bool:
    return isinstance(test, ast.Compare) and type(getattr(test.comparators[0], "value", None)) is int


def _put_in(s: ast.stmt, old: ast.expr, new: ast.expr) -> None:
    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    Put().visit(s)


__all__ = ["write_out"]
