"""Operators of the user's classes as the calls of methods that they are, where the class of an operand is known.

    r = p + 2.0 * q             r = p.__add__(q.__rmul__(2.0))
    pos += dt * vel             pos = pos.__add__(vel.__rmul__(dt))
    abs(p), u[i], len(u)        p.__abs__(), u.__getitem__(i), u.__len__()
    u[i] = e                    u.__setitem__(i, e)
    body.momentum = p           body.set_momentum(p), the setter of a property
    for x in path               for x in path.__iter__()
    for x in squares            for x in [v * v for v in squares.xs], where that is what its `__iter__` runs over
    sum(p), list(p)             sum(p.__iter__()), list(p.__iter__())
    for x in path               for x in [path[k] for k in range(len(path))], where it has no `__iter__`
    type(p)(x, y)               Vec(x, y), as p.__class__(x, y)
    p.norm_of(x, y)             Vec.norm_of(x, y), a static method
    replace(p, x=2.0)           Vec(x=2.0, y=p.y), of a dataclass with a __post_init__

The text of the methods is then written out where they are called (`methods`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from s2s.frontend.rewrites.methods import exchange, loaded
from s2s.frontend.rewrites.objects import affects
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import evaluated, is_docstring
from s2s.frontend.text.kinds import SPECIAL, Call, Following, Kind, Several, has_slice, update
from s2s.frontend.text.origins import optional_parameters
from s2s.frontend.text.scopes import is_bound, parameters, read_names, walk
from s2s.frontend.text.source import NOTHING, Substitute, made

if TYPE_CHECKING:
    from s2s.frontend.lowering.normalise import Lowering

READERS = frozenset(["sum", "list", "tuple", "max", "min", "sorted", "enumerate", "zip", "any", "all", "set", "map"])
NESTED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def write_out(lowering: Lowering) -> bool:
    """Changes the body of a function. Whether there was such an operator."""
    classes = lowering.known_classes()
    special = any(c.setters or c.statics or SPECIAL & c.methods.keys() or "__iter__" in c.methods for c in classes)
    if not special and not any(names_type(n) for s in lowering.node.body for n in walk(s)):
        return False
    work = _Operators(lowering)
    lowering.node.body[:] = work.block(lowering.node.body)
    return work.done


def asks_type(n: ast.AST) -> bool:
    """Whether a node is the class of an object: `type(self)`, `self.__class__`."""
    match n:
        case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
            return True
    return False


def names_type(n: ast.AST) -> bool:
    """Whether a node may be the class of an object, or a copy of one."""
    return asks_type(n) or (
        isinstance(n, ast.Name | ast.Attribute) and "replace" in (getattr(n, "id", ""), getattr(n, "attr", ""))
    )


def rename_parameters(function: ast.FunctionDef, classes: Mapping[str, ClassInfo]) -> None:
    """p = p + q, of a parameter whose class has operators, as a variable of its own: p1 = p; p1 = p1 + q."""
    typed = {p.arg: note_of(p.annotation) for p in parameters(function) if note_of(p.annotation) in classes}
    if not typed:
        return
    nodes = [n for s in function.body for n in walk(s)]
    made_anew: set[str] = set()
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() | ast.UnaryOp()):
                made_anew.add(name)
            case ast.AugAssign(target=ast.Name(id=name)):
                made_anew.add(name)
    hidden = {x.id for n in nodes if isinstance(n, NESTED) for x in walk(n) if isinstance(x, ast.Name)}
    used = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    for p, cls in typed.items():
        if p not in made_anew - hidden or not SPECIAL & classes[cls].methods.keys():
            continue
        k = 1
        while f"{p}{k}" in used:
            k += 1
        for n in nodes:
            if isinstance(n, ast.Name) and n.id == p:
                n.id = f"{p}{k}"
                n.made = True  # type: ignore[attr-defined]
        first = ast.Assign([ast.Name(f"{p}{k}", ast.Store())], ast.Name(p, ast.Load()))
        at = 1 if ast.get_docstring(function, clean=False) is not None else 0
        function.body.insert(at, ast.fix_missing_locations(made(first, function.body[at])))


def note_of(annotation: ast.expr | None) -> str:
    match annotation:
        case ast.Name(id=name) | ast.Constant(value=str() as name):
            return name
    return ""


def decided(lowering: Lowering) -> bool:
    """Leaves out what no object of the classes that parameters are stated to have reaches. Whether there was any."""
    asks = any(isinstance(n, ast.Name) and n.id in ("isinstance", "hasattr") for n in walk(lowering.node))
    if not asks or not lowering.typed:
        return False
    kinds = lowering.kinds()
    env = {p.arg: kinds.kind(made(ast.Name(p.arg, ast.Load()), p)) for p in parameters(lowering.node)}
    work = Following(kinds, lowering.node, env, optional_parameters(lowering.node))
    body = work.block(lowering.node.body)
    if work.decided:
        lowering.node.body[:] = body
    return work.decided


class _Operators(ast.NodeTransformer):
    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.kinds = lowering.kinds()
        self.done = False
        self.given: set[str] = set()

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in [x for each in body for x in (*self.sums(each), each)]:
            new = self.visit(s)
            assert isinstance(new, ast.stmt)
            each = self.one_by_one(new)
            if each[0] is not s:
                self.lowering.notes[id(each[0])] = self.lowering.notes.get(id(s), NOTHING)
            out += each
        return out

    def sums(self, s: ast.stmt) -> list[ast.stmt]:
        """total = sum(forces, Vec2(0.0, 0.0)) as a loop of additions before the statement."""
        out: list[ast.stmt] = []
        if not isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return) or s.value is None:
            return out
        for n in evaluated(s.value):
            match n:
                case ast.Call(func=ast.Name(id="sum"), args=[items, start]) if not self.lowering.is_local("sum"):
                    pass
                case _:
                    continue
            if not isinstance(self.kinds.kind(start), ClassInfo):
                continue
            total, item = self.free("total"), self.free("item")
            add = ast.BinOp(ast.Name(total, ast.Load()), ast.Add(), ast.Name(item, ast.Load()))
            if isinstance(items, ast.GeneratorExp):
                items = ast.ListComp(items.elt, items.generators)
            loop = ast.For(ast.Name(item, ast.Store()), items, [ast.Assign([ast.Name(total, ast.Store())], add)], [])
            for x in (ast.Assign([ast.Name(total, ast.Store())], start), loop):
                for inner in walk(x):
                    if isinstance(inner, ast.expr | ast.stmt) and not hasattr(inner, "lineno"):
                        made(inner, s)
                out.append(made(x, s))
            exchange(s, n, made(ast.Name(total, ast.Load()), n))
            self.done = True
        return out

    def free(self, wish: str) -> str:
        taken = {n.id for n in walk(self.lowering.node) if isinstance(n, ast.Name)} | self.lowering.used
        while wish in taken | self.given:
            wish += "_"
        self.given.add(wish)
        return wish

    def one_by_one(self, s: ast.stmt) -> list[ast.stmt]:
        """a, b = p + q, p - q of objects as a = p + q; b = p - q, by names of their own where b reads a."""
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values) as value) if (
                len(targets) == len(values)
                and isinstance(self.kinds.kind(value), Several)
                and all(isinstance(t, ast.Name | ast.Attribute) for t in targets)
            ):
                pass
            case _:
                return [s]
        self.done = True
        first: list[ast.stmt] = []
        then: list[ast.stmt] = []
        for i, (t, v) in enumerate(zip(targets, values, strict=True)):
            later = self.lowering.read_through((*values[i + 1 :], *targets[i + 1 :]))
            if root_of(t) not in later and not then:
                first.append(made(ast.Assign([t], v), s))
                continue
            own = self.free(f"{root_of(t)}_{getattr(t, 'attr', 'new')}")
            self.lowering.node.temps = {*getattr(self.lowering.node, "temps", ()), own}  # type: ignore[attr-defined]
            first.append(made(ast.Assign([made(ast.Name(own, ast.Store()), s)], v), s))
            then.append(made(ast.Assign([t], made(ast.Name(own, ast.Load()), s)), s))
        return [*first, *then]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, NESTED):
            return node
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                value[:] = self.block(value)
            elif isinstance(value, list):
                value[:] = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        node = self.generic_visit(node)
        match node:
            case ast.AugAssign():
                return self.augmented(node)
            case ast.Assign(targets=[target], value=value):
                return self.assigned(node, target, value)
            case ast.For(iter=it) | ast.comprehension(iter=it):
                node.iter = self.items(it)
            case ast.Starred(value=value):
                node.value = self.items(value)
            case ast.expr():
                call = self.kinds.operator(node)
                if call is not None:
                    return self.call(call, node)
                if isinstance(node, ast.Call):
                    self.plainer(node)
        return node

    def plainer(self, call: ast.Call) -> None:
        """Names the class that a call asks an object for, and what a function that reads items runs over."""
        match call.func:
            case ast.Name(id=name) if name in READERS and not self.lowering.is_local(name):
                first = 1 if name == "map" else 0  # the function
                call.args = [*call.args[:first], *map(self.items, call.args[first:])]
            case ast.Attribute(value=ast.Name() as receiver, attr=attr) if not asks_type(call.func):
                cls = self.kinds.kind(receiver)
                if not isinstance(cls, ClassInfo) or attr not in cls.statics:
                    return
                if self.is_named(cls) and not affects(cls.methods[attr], self.lowering.names):
                    call.func = made(ast.Attribute(self.name_of(cls, receiver), attr, ast.Load()), call.func)
            case func if self.lowering.resolve(func) == ("dataclasses.replace", None):
                self.replaced(call)
            case func if asks_type(func):
                kind = self.kinds.kind(func)
                if isinstance(kind, Kind) and self.is_named(kind.of):
                    call.func = self.name_of(kind.of, func)

    def replaced(self, call: ast.Call) -> None:
        """A copy of a dataclass whose constructor does more than to keep what it is given: it is called again."""
        match call:
            case ast.Call(args=[ast.Name() as whole], keywords=options) if all(k.arg for k in options):
                cls = self.kinds.kind(whole)
            case _:
                return
        if (
            not isinstance(cls, ClassInfo)
            or not self.is_named(cls)
            or "__post_init__" not in cls.methods
            or not cls.init
        ):
            return
        given = {k.arg: k for k in options}
        for p in cls.init.args.args[1:]:
            if p.arg not in given:
                part = made(ast.Attribute(copy.deepcopy(whole), p.arg, ast.Load()), call)
                options.append(made(ast.keyword(p.arg, part), call))
        call.args, call.func = [], self.name_of(cls, call.func)
        made(call, call)

    def is_named(self, cls: ClassInfo) -> bool:
        return self.lowering.names.classes.get(cls.name) is cls and not self.lowering.is_local(cls.name)

    def name_of(self, cls: ClassInfo, like: ast.expr) -> ast.Name:
        self.done = True
        return made(ast.Name(cls.name, ast.Load()), like)

    def call(self, call: Call, like: ast.expr) -> ast.Call:
        self.done = True
        receiver, name, args = call
        new = made(ast.Call(made(ast.Attribute(receiver, name, ast.Load()), like), args, []), like)
        new.inside = getattr(like, "inside", ())  # type: ignore[attr-defined]
        return new

    def items(self, it: ast.expr) -> ast.expr:
        """What a loop over an object runs over."""
        match it:
            case ast.Call(func=ast.Name(id="iter"), args=[inner], keywords=[]):
                self.done = True
                return inner
        cls = self.kinds.kind(it)
        if not isinstance(cls, ClassInfo):
            return it
        if "__iter__" in cls.methods:
            if self.is_named(cls) and (shown := self.shown_items(cls.methods["__iter__"], it)) is not None:
                self.done = True
                return shown
            return self.call((it, "__iter__", []), it)
        if "__getitem__" in cls.methods:
            if not isinstance(it, ast.Name) or not ends_with_its_items(cls):
                self.lowering.refuse("sequence", it, ast.unparse(it))
                return it
            return self.by_number(it)
        return it

    def shown_items(self, method: ast.FunctionDef, owner: ast.expr) -> ast.expr | None:
        """What an `__iter__` runs over, of an object that has a name; None where it is more than one expression."""
        root, items = root_of(owner), items_of(method)
        if items is None or not root or any(not isinstance(n, ast.Name | ast.Attribute) for n in expressions(owner)):
            return None
        receiver = method.args.args[0].arg
        bound = {n.id for n in walk(items) if isinstance(n, ast.Name) and is_bound(n)}
        others = read_names(items) - bound - {receiver}
        if {root, receiver} & bound or any(map(self.lowering.is_local, others)):
            return None
        shown = cast(ast.expr, Substitute(receiver, owner).visit(copy.deepcopy(items)))
        for n in expressions(shown):
            made(n, owner)
        return cast(ast.expr, self.visit(shown))

    def by_number(self, owner: ast.Name) -> ast.expr:
        """[path[k] for k in range(len(path))]"""
        k = self.free("k")

        def again() -> ast.Name:
            return ast.Name(owner.id, ast.Load())

        count = ast.Call(ast.Name("range", ast.Load()), [ast.Call(ast.Name("len", ast.Load()), [again()], [])], [])
        item = ast.Subscript(again(), ast.Name(k, ast.Load()), ast.Load())
        each = ast.ListComp(item, [ast.comprehension(ast.Name(k, ast.Store()), count, [], 0)])
        self.done = True
        for n in walk(each):
            if isinstance(n, ast.expr):
                made(n, owner)
        new = self.visit(each)
        assert isinstance(new, ast.expr)
        return new

    def assigned(self, s: ast.Assign, target: ast.expr, value: ast.expr) -> ast.stmt:
        match target:
            case ast.Subscript(value=owner, slice=key):
                cls = self.kinds.kind(owner)
                if isinstance(cls, ClassInfo) and "__setitem__" in cls.methods:
                    call = (owner, "__setitem__", [key, value])
                    if not has_slice(key) or self.kinds.takes_slices(call):
                        return self.statement(call, s)
            case ast.Attribute(value=owner, attr=attr):
                cls = self.kinds.kind(owner)
                if isinstance(cls, ClassInfo) and attr in cls.setters:
                    return self.statement((owner, cls.setters[attr], [value]), s)
            case ast.Tuple() | ast.List():
                s.value = self.items(value)
        return s

    def statement(self, call: Call, s: ast.stmt) -> ast.stmt:
        return made(ast.Expr(self.call(call, call[0])), s)

    def augmented(self, s: ast.AugAssign) -> ast.stmt:
        """p += q as p = p + q, or as the call of `__iadd__`."""
        place = loaded(s.target)
        operator = self.kinds.operator(update(place, s.op, s.value))
        cls = self.kinds.kind(place)
        if operator is not None and isinstance(cls, ClassInfo) and operator[1].startswith("__i"):
            method = cls.methods[operator[1]]
            if returns_self(method):
                return self.statement(operator, s)
        if operator is None and not self.is_set(s.target):
            return s
        read = self.kinds.operator(place)
        if read is not None:  # u[i] += e
            place = self.call(read, place)
        both = made(ast.BinOp(place, s.op, s.value), s)
        value = self.call(operator, both) if operator is not None else both
        return self.assigned(made(ast.Assign([s.target], value), s), s.target, value)

    def is_set(self, target: ast.expr) -> bool:
        """Whether a class has a setter, or a `__setitem__`, for a place."""
        match target:
            case ast.Attribute(value=owner, attr=attr):
                cls = self.kinds.kind(owner)
                return isinstance(cls, ClassInfo) and attr in cls.setters
            case ast.Subscript(value=owner):
                cls = self.kinds.kind(owner)
                return isinstance(cls, ClassInfo) and "__setitem__" in cls.methods
        return False


def items_of(method: ast.FunctionDef) -> ast.expr | None:
    """`return iter([v * v for v in self.xs])`, `yield from self.xs`, `for v in self.xs: yield v * v`"""
    match [s for s in method.body if not is_docstring(s)]:
        case [ast.Return(value=ast.Call(func=ast.Name(id="iter"), args=[ast.List() | ast.ListComp() as items]))]:
            return items
        case [ast.Return(value=ast.GeneratorExp() as items)] | [ast.Expr(value=ast.YieldFrom(value=items))]:
            return items
        case [ast.For(target=target, iter=it, body=[s], orelse=[])]:
            tests: list[ast.expr] = []
            if isinstance(s, ast.If) and len(s.body) == 1 and not s.orelse:
                tests, s = [s.test], s.body[0]
            match s:
                case ast.Expr(value=ast.Yield(value=ast.expr() as item)):
                    return made(ast.GeneratorExp(item, [ast.comprehension(target, it, tests, 0)]), it)
    return None


def expressions(e: ast.expr) -> list[ast.expr]:
    return [n for n in walk(e) if isinstance(n, ast.expr)]


def ends_with_its_items(cls: ClassInfo) -> bool:
    """Whether the keys for which `__getitem__` has an item are those below `__len__`: `self.items[i]` is read, whatever
    i is, and the length is that of `self.items`."""
    method, length = cls.methods["__getitem__"], cls.methods.get("__len__")
    if length is None or len(method.args.args) != 2:
        return False
    key = method.args.args[1].arg
    if any(isinstance(n, ast.Name) and n.id == key and is_bound(n) for n in walk(method)):
        return False
    lists = {
        ast.unparse(n.value)
        for s in method.body
        if isinstance(s, ast.Return | ast.Assign) and s.value is not None
        for n in evaluated(s.value)
        if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id == key
    }
    match [s for s in length.body if not isinstance(s, ast.Expr)]:
        case [ast.Return(value=ast.Call(func=ast.Name(id="len"), args=[of]))]:
            return method.args.args[0].arg == length.args.args[0].arg and ast.unparse(of) in lists
    return False


def returns_self(method: ast.FunctionDef) -> bool:
    own = method.args.args[0].arg if method.args.args else ""
    values = [n.value for n in walk(method) if isinstance(n, ast.Return)]
    return bool(values) and all(isinstance(v, ast.Name) and v.id == own for v in values)
