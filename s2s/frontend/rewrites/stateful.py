"""Functions that a helper makes over variables which they change: they are made where the helper is called.

    def running(start):                     total = x[0]
        total = start
        def add(v):                         def add(v):
            nonlocal total                      nonlocal total
            total += v                          total += v
            return total                        return total
        return add

    add = running(x[0])

Each call has variables of its own, and so has each place where it is written out. The helper may return several such
functions, in a tuple that is taken apart, or in a dict that is only read under texts.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import TypeGuard

from s2s.frontend.text.function_bodies import arguments, is_fixed
from s2s.frontend.text.names import MUTATING_METHODS, ModuleNames
from s2s.frontend.text.scopes import (
    blocks_of,
    body_nodes,
    bound_names,
    children,
    free_names,
    new_name,
    own_walk,
    parameters,
    read_names,
    rename,
    walk,
)
from s2s.frontend.text.source import made, put

SCOPES = ast.FunctionDef | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
DEPTH = 8  # of makers that call makers


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    if any(maker_of(s, names) for s in body_nodes(function)):
        _Stateful(function, names).block(function.body, DEPTH)
    without_counts(function)


def without_counts(function: ast.FunctionDef) -> None:
    """Drops numbers that functions inside of this one count up, and that nobody reads: `calls += 1`."""
    nodes = [n for s in function.body for n in walk(s)]
    counted = {x for n in nodes if isinstance(n, ast.Nonlocal) for x in n.names}
    counted -= {p.arg for n in (function, *nodes) for p in own_parameters(n)}
    if not counted:
        return

    alone = {id(n.targets[0] if isinstance(n, ast.Assign) else n.target) for n in nodes if is_count(n)}
    counted -= {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in alone}

    def kept(body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            if is_count(s) and read_names(s.targets[0] if isinstance(s, ast.Assign) else s.target) <= counted:
                continue
            if isinstance(s, ast.Nonlocal):
                s.names = [x for x in s.names if x not in counted]
                if not s.names:
                    continue
            for inner in [s.body] if isinstance(s, ast.FunctionDef) else blocks_of(s):
                inner[:] = kept(inner)
            out.append(s)
        return out or [made(ast.Pass(), s) for s in body[:1]]

    function.body[:] = kept(function.body)


def maker_of(s: ast.AST, names: ModuleNames) -> ast.FunctionDef | None:
    """The function of the module that a statement calls for functions over variables which they change."""
    match s:
        case ast.Assign(targets=[_], value=ast.Call(func=ast.Name(id=called))):
            maker = names.functions.get(called)
            return maker if isinstance(maker, ast.FunctionDef) and is_maker(maker) else None
    return None


def is_maker(maker: ast.FunctionDef) -> bool:
    inner = {s.name: s for s in maker.body if isinstance(s, ast.FunctionDef)}
    last = maker.body[-1]
    a = maker.args
    if not inner or maker.decorator_list or a.vararg or a.kwarg or not isinstance(last, ast.Return):
        return False
    returned = functions_of(last.value)
    others = [n for s in maker.body[:-1] for n in own_walk(s)]
    if not returned or not all(isinstance(f, ast.Name) and f.id in inner for f in returned.values()):
        return False
    if any(isinstance(n, ast.Return | ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal) for n in others):
        return False
    if any(isinstance(n, ast.Import | ast.ImportFrom | ast.ClassDef) for s in maker.body for n in walk(s)):
        return False
    own = bound_names(body_nodes(maker)) | {p.arg for p in parameters(maker)}
    return any(changes_outside(s, own) for s in inner.values())


def functions_of(value: ast.expr | None) -> dict[object, ast.expr]:
    """What a helper returns, by where it lies in that: `add`, `add, get` or `{"add": add, "get": get}`."""
    match value:
        case ast.Name():
            return {None: value}
        case ast.Tuple(elts=items):
            return dict(enumerate(items))
        case ast.Dict(keys=keys, values=items) if all(
            isinstance(k, ast.Constant) and isinstance(k.value, str) for k in keys
        ):
            return {k.value: v for k, v in zip(keys, items, strict=True) if isinstance(k, ast.Constant)}
    return {}


def changes_outside(inner: ast.FunctionDef, own: set[str]) -> bool:
    """Whether a function changes variables of the function around it, or what they hold."""
    captured = own & {*free_names(inner)}
    for n in walk(inner):
        match n:
            case ast.Nonlocal():
                return True
            case ast.Call(func=ast.Attribute(value=place, attr=attr)) if attr in MUTATING_METHODS:
                pass
            case ast.Subscript(value=place, ctx=ast.Store() | ast.Del()):
                pass
            case ast.Attribute(value=place, ctx=ast.Store() | ast.Del()):
                pass
            case _:
                continue
        while isinstance(place, ast.Subscript | ast.Attribute):
            place = place.value
        if isinstance(place, ast.Name) and place.id in captured:
            return True
    return False


class _Stateful:
    def __init__(self, function: ast.FunctionDef, names: ModuleNames) -> None:
        self.function, self.names = function, names
        self.nodes = [n for s in function.body for n in walk(s)]
        self.own = bound_names(self.nodes) | {p.arg for p in parameters(function)}
        self.taken = self.own | {x for s in function.body for x in read_names(s)}

    def block(self, body: list[ast.stmt], depth: int, repeats: bool = False) -> None:
        """repeats: a loop runs it more than once."""
        out: list[ast.stmt] = []
        for s in body:
            for inner in blocks_of(s) if not isinstance(s, ast.FunctionDef | ast.ClassDef) else ():
                self.block(inner, depth, repeats or isinstance(s, ast.For | ast.While))
            maker = maker_of(s, self.names) if depth else None
            found = self.made_here(s, maker, repeats) if isinstance(s, ast.Assign) and maker is not None else None
            if found is not None:
                self.block(found, depth - 1, repeats)
            out += [s] if found is None else found
        body[:] = out

    def made_here(self, s: ast.Assign, maker: ast.FunctionDef, repeats: bool) -> list[ast.stmt] | None:
        call, last = s.value, maker.body[-1]
        assert isinstance(call, ast.Call) and isinstance(last, ast.Return)
        bound = bound_names(body_nodes(maker)) | {p.arg for p in parameters(maker)}
        given = arguments(maker, call, is_fixed)
        if given is None or maker.name in self.own or self.own & {*free_names(maker)}:
            return None  # a name of the module would be one of the function here
        functions = functions_of(last.value)
        names = read_names(s.targets[0])
        if repeats and not all(map(self.is_only_called, names)):
            return None  # those of an earlier round have variables of their own
        wishes = self.wishes(s.targets[0], functions)
        if wishes is None:
            return None
        new: dict[str, str] = {}
        for where, f in functions.items():
            assert isinstance(f, ast.Name)
            new.setdefault(f.id, wishes[where])
        if len(new) < len(wishes):  # one function under two names
            return None
        whole = next(iter(new.values())) if len(names) > 1 else next(iter(names))
        for name in (n for n in [*given, *sorted(bound)] if n not in new):
            new[name] = new_name(self.taken, f"{whole}_{name}" if name in self.taken else name)
        before: list[ast.stmt] = [
            made(ast.Assign([made(ast.Name(new[p], ast.Store()), s)], value, None), s) for p, value in given.items()
        ]
        docstring = ast.get_docstring(maker, clean=False) is not None
        copied = copy.deepcopy(maker)
        for old in new:  # which may be what another one is to be called
            rename(copied, old, f"{old} ")
        for old, own in new.items():
            rename(copied, f"{old} ", own)
        return [*before, *copied.body[docstring:-1]]

    def wishes(self, target: ast.expr, functions: Mapping[object, ast.expr]) -> dict[object, str] | None:
        """The names that the functions have here: those that they are bound to, and to which nothing else is."""
        places: list[ast.expr]
        match target:
            case ast.Name(id=name) if None in functions:
                places = [target]
            case ast.Name(id=name):
                if not self.is_bound_once(name):
                    return None
                return self.under_texts(name, functions)
            case ast.Tuple(elts=items) if len(items) == len(functions) and 0 in functions:
                places = items
            case _:
                return None
        found: dict[object, str] = {}
        for where, place in zip(functions, places, strict=True):
            if not (isinstance(place, ast.Name) and self.is_bound_once(place.id)):
                return None
            found[where] = place.id
        return found if len({*found.values()}) == len(found) else None

    def is_bound_once(self, name: str) -> bool:
        outer = (n for n in self.nodes if isinstance(n, ast.Nonlocal | ast.Global))
        given = {p.arg for n in [self.function, *self.nodes] if isinstance(n, SCOPES) for p in own_parameters(n)}
        times = sum(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in self.nodes)
        defined = any(isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == name for n in self.nodes)
        return times == 1 and not defined and name not in given and all(name not in n.names for n in outer)

    def is_only_called(self, name: str) -> bool:
        """Whether a function, or a dict of functions, is never handed on."""
        called = [n.func for n in self.nodes if isinstance(n, ast.Call)]
        places = [f.value if isinstance(f, ast.Subscript) else f for f in called]
        reads = [n for n in self.nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
        return all(any(n is p for p in places) for n in reads)

    def under_texts(self, name: str, functions: Mapping[object, ast.expr]) -> dict[object, str] | None:
        """Of a dict of functions, each gets a name, and stands where the dict is read under its text."""
        parents = {c: n for n in self.nodes for c in children(n)}
        reads: list[tuple[ast.expr, object]] = []
        for n in self.nodes:
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load):
                match parents.get(n):
                    case ast.Subscript(slice=ast.Constant() as key, ctx=ast.Load()) as place if key.value in functions:
                        reads.append((place, key.value))
                    case _:
                        return None
        found = {key: new_name(self.taken, f"{name}_{key}" if str(key).isidentifier() else name) for key in functions}
        for read, text in reads:
            put(parents[read], read, made(ast.Name(found[text], ast.Load()), read))
        return found


def is_count(s: ast.AST) -> TypeGuard[ast.Assign | ast.AugAssign]:
    """Whether a name is set to a number, or a number is added to it."""
    match s:
        case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=int() | float())):
            return True
        case ast.AugAssign(target=ast.Name(), value=ast.Constant(value=int() | float())):
            return True
    return False


def own_parameters(scope: ast.AST) -> list[ast.arg]:
    return parameters(scope) if isinstance(scope, ast.FunctionDef | ast.Lambda) else []
