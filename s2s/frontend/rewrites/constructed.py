"""Objects whose constructor does more than to keep what it is given, which this function makes and only reads and binds
attributes of: they are what the constructor makes of its arguments.

    ps = [Particle(x) for x in xs]          ps = [SimpleNamespace(x=x, v=0.0) for x in xs]
    springs = [Spring(ps[0], ps[1], k)]     springs = [Spring(ps[0], ps[1], k)]
    springs[0].a.v += f                     springs[0].a.v += f

Other objects, names and lists may hold them. Where one is returned, handed to a function, or asked for its class, all
stay as they are. Those that only lie in one list are named by their places there (`items`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from s2s.frontend.rewrites.items import attributes, namespace
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.names import NAMESPACE, ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, children, full_path, parameters, walk
from s2s.frontend.text.source import put

Maker = Callable[[ast.Call], ClassInfo | None]
ONE, SEVERAL = "an object", "a list of objects"
READING = frozenset(["enumerate", "len", "list", "max", "min", "range", "reversed", "sorted", "sum", "tuple", "zip"])


def write_out(function: ast.FunctionDef, maker: Maker, module: ModuleNames) -> bool:
    """Changes the body of a function. maker: the class of which a call makes an object, where its constructor does more
    than to keep what it is given. Whether there was one."""
    calls = [n for n in walk(function) if isinstance(n, ast.Call)]
    found: dict[str, list[ast.Call]] = {}
    for call in calls:
        cls = maker(call)
        if cls is not None:
            found.setdefault(cls.name, []).append(call)
    own = bound_names(body_nodes(function)) | {p.arg for p in parameters(function)}
    if not found or module.hides(READING) or own & READING:
        return False
    done = False
    while more := [name for name, calls in found.items() if _put(function, name, calls, own, module)]:
        done = True
        found = {name: calls for name, calls in found.items() if name not in more}  # objects of these may lie in others
    return done


def _put(
    function: ast.FunctionDef, name: str, calls: list[ast.Call], own: AbstractSet[str], module: ModuleNames
) -> bool:
    """Puts the attributes that a constructor makes in the place of its calls; whether that can be.

    name: of the class; own: the names of the function.
    """
    cls = module.classes.get(name)
    if cls is None or cls.init is None:
        return False
    anew = {id(call): attributes(call, cls.init, own) for call in calls}
    if not all(values is not None for values in anew.values()):
        return False
    if not _Objects(function, cls, {*anew}, module).only_attributes():
        return False
    for up in [n for n in walk(function) if any(id(c) in anew for c in children(n))]:
        for c in list(children(up)):
            if (values := anew.get(id(c))) is not None and isinstance(c, ast.Call):
                put(up, c, namespace(values, c))
    return True


class _Objects:
    """Where the objects of one class may be."""

    def __init__(self, function: ast.FunctionDef, cls: ClassInfo, calls: set[int], module: ModuleNames) -> None:
        """calls: the nodes that make them."""
        self.cls, self.calls, self.module = cls, calls, module
        self.nodes = [n for s in function.body for n in walk(s)]
        self.parents = {id(c): n for n in self.nodes for c in children(n)}
        self.names: dict[str, str] = {}
        self.held: dict[str, str] = {}  # by attributes of other objects
        while self.spread():
            pass

    def kind(self, e: ast.AST | None) -> str:
        match e:
            case ast.Call() if id(e) in self.calls:
                return ONE
            case ast.Name(id=name):
                return self.names.get(name, "")
            case ast.Attribute(attr=attr):
                return self.held.get(attr, "")
            case ast.Subscript(value=of, slice=key) if self.kind(of) == SEVERAL:
                return SEVERAL if isinstance(key, ast.Slice) else ONE
            case ast.IfExp(body=a, orelse=b):
                return self.kind(a) or self.kind(b)
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return SEVERAL if any(map(self.kind, elts)) else ""
            case ast.ListComp(elt=elt):
                return SEVERAL if self.kind(elt) else ""
            case ast.Call(func=ast.Name(id="min" | "max"), args=[of]):
                return ONE if self.kind(of) == SEVERAL else ""
            case ast.Call(func=ast.Name(id="list" | "reversed" | "sorted" | "tuple"), args=[of]):
                return self.kind(of)
        return ""

    def spread(self) -> bool:
        """Notes what more of them may be objects; whether there was more."""
        before = dict(self.names), dict(self.held)
        for n in self.nodes:
            match n:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self.give(target, value)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self.give(target, value)
                case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                    self.run_over(target, it)
                case ast.Call(func=ast.Attribute(value=of, attr="append"), args=[item]) if self.kind(item):
                    self.hold(of, SEVERAL)
                case ast.Call(func=ast.Name(id="max" | "min" | "sorted"), args=[of], keywords=options) if self.kind(of):
                    keys = [o.value for o in options if isinstance(o.value, ast.Lambda)]
                    self.names |= {p.arg: ONE for key in keys for p in parameters(key)}
                case ast.Call():
                    for attr, e in self.kept_by(n):
                        if kind := self.kind(e):
                            self.held[attr] = kind
        return before != (self.names, self.held)

    def give(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
                for t, v in zip(targets, values, strict=False):
                    self.give(t, v)
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _) if self.kind(value) == SEVERAL:
                for t in targets:
                    self.hold(t, ONE)
            case _ if kind := self.kind(value):
                self.hold(target, kind)

    def hold(self, target: ast.expr, kind: str) -> None:
        match target:
            case ast.Name(id=name):
                self.names[name] = kind
            case ast.Attribute(attr=attr):
                self.held[attr] = kind

    def run_over(self, target: ast.expr, it: ast.expr) -> None:
        match it, target:
            case ast.Call(func=ast.Name(id="enumerate"), args=[of, *_]), ast.Tuple(elts=[_, item]):
                self.run_over(item, of)
            case ast.Call(func=ast.Name(id="zip"), args=parts), ast.Tuple(elts=items):
                for part, item in zip(parts, items, strict=False):
                    self.run_over(item, part)
            case ast.Call(func=func, args=[of, *_]), ast.Tuple(elts=items) if self.gives_tuples(func):
                for item in items if self.kind(of) == SEVERAL else ():
                    self.hold(item, ONE)
            case _ if self.kind(it) == SEVERAL:
                self.hold(target, ONE)

    def gives_tuples(self, func: ast.expr) -> bool:
        return full_path(func, self.module.imports.names) in ("itertools.combinations", "itertools.permutations")

    def kept_by(self, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """What a constructor that only keeps what it is given keeps, and under which names."""
        cls = self.module.classes.get(getattr(call.func, "id", ""))
        if cls is not None and cls.makes:
            yield from zip(cls.fields, call.args, strict=False)
        if (cls is not None and cls.makes) or full_path(call.func, self.module.imports.names) == NAMESPACE:
            yield from ((k.arg, k.value) for k in call.keywords if k.arg)

    # ------------------------------------------------------------ uses

    def only_attributes(self) -> bool:
        if not self.held and SEVERAL not in self.names.values():
            return False  # each has a name, and its attributes are variables
        strange = {
            *self.cls.methods,
            *self.cls.properties,
            *self.cls.constants,
            *self.cls.values,
            "__class__",
            "__dict__",
        }
        for e in self.nodes:
            kind = self.kind(e) if isinstance(e, ast.expr) else ""
            if not kind or not isinstance(getattr(e, "ctx", ast.Load()), ast.Load):
                continue
            up = self.parents.get(id(e))
            match up:
                case ast.Attribute(attr=attr):
                    used = attr == "append" if kind == SEVERAL else attr not in strange
                case ast.Subscript(value=of):
                    used = kind == SEVERAL and of is e
                case ast.Assign(targets=targets):
                    used = all(isinstance(t, ast.Name | ast.Attribute | ast.Tuple | ast.List) for t in targets)
                case ast.AnnAssign() | ast.IfExp() | ast.List() | ast.Tuple():
                    used = not (isinstance(up, ast.IfExp) and up.test is e)
                case ast.ListComp() | ast.GeneratorExp():
                    used = isinstance(up, ast.ListComp)
                case ast.For(iter=it) | ast.comprehension(iter=it):
                    used = kind == SEVERAL and it is e
                case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                    used = kind == ONE
                case ast.Call(func=ast.Attribute(attr="append"), args=[item]):
                    used = item is e
                case ast.Call(func=ast.Name(id=name)) if name in READING:
                    used = kind == SEVERAL
                case ast.Call(func=func) if func is not e:
                    used = self.gives_tuples(func) or any(x is e for _, x in self.kept_by(up))
                    used = used or (kind == ONE and self.is_only_read(up, e, strange))
                case ast.keyword():
                    call = self.parents.get(id(up))
                    used = isinstance(call, ast.Call) and any(x is e for _, x in self.kept_by(call))
                case _:
                    used = False
            if not used:
                return False
        return True

    def is_only_read(self, call: ast.Call, e: ast.AST, strange: set[str]) -> bool:
        """Whether the functions that a call may run read attributes of an object, and do nothing else with it.

        strange: attributes that it has by its class alone.
        """
        at = next((i for i, a in enumerate(call.args) if a is e), None)
        if at is None or any(isinstance(a, ast.Starred) for a in call.args):
            return False
        match call.func:
            case ast.Name(id=name) if name in self.module.functions:
                functions, before = [self.module.functions[name]], 0
            case ast.Attribute(attr=attr):
                classes = [c for c in self.module.classes.values() if attr in c.methods]
                if any(attr in c.statics | c.strange | c.class_methods for c in classes):
                    return False
                functions, before = [c.methods[attr] for c in classes], 1
            case _:
                return False
        return bool(functions) and all(reads_attributes(f, at + before, strange) for f in functions)


def reads_attributes(function: ast.AST, at: int, strange: set[str]) -> bool:
    if not isinstance(function, ast.FunctionDef):
        return False
    params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
    if at >= len(params):
        return False
    parents = {id(c): n for n in walk(function) for c in children(n)}
    for n in walk(function):
        if isinstance(n, ast.Name) and n.id == params[at]:
            up = parents.get(id(n))
            if not isinstance(up, ast.Attribute) or not isinstance(up.ctx, ast.Load) or up.attr in strange:
                return False
    return True


__all__ = ["write_out"]
