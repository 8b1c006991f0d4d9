"""What objects may be, to judge by the text: None, and objects of the caller's. Rather too often than too seldom.

best = None                         best may be None, and what find returns;
for s in spheres:                   both are the caller's objects where spheres
    if s.hits(ray):                 are: these may be of a subclass
        best = s

def find(spheres, x):
    for s in spheres:
        if s.holds(x):
            return s
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable
from collections.abc import Sequence as List
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.names import target_names
from s2s.frontend.text.scopes import body_nodes, parameters, walk

FILLING = frozenset(["append", "appendleft", "extend", "insert", "add", "update", "setdefault"])


@dataclass
class Origins:
    """functions: those that a call may run; is_new: whether it makes an object; may_lack, may_be_lent: whether objects
    may have an attribute of a name as None, or as an object of the caller's."""

    functions: Callable[[ast.Call], List[ast.FunctionDef]]
    is_new: Callable[[ast.Call], bool]
    may_lack: Callable[[str], bool]
    may_be_lent: Callable[[str], bool]
    known: dict[ast.FunctionDef, bool] = field(default_factory=dict)  # of the results of functions
    assigned: dict[ast.FunctionDef, dict[str, list[ast.expr]]] = field(default_factory=dict)
    bound: dict[ast.FunctionDef, dict[str, list[ast.expr | None]]] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)  # the fields that `lacks` is being asked for

    def may_be_none(
        self, e: ast.expr | None, function: ast.FunctionDef, given: Container[str], seen: set[str] | None = None
    ) -> bool:
        """Of an expression of a function, of which some parameters may be None: `given`; `seen`: names that have been
        asked for, which need no second look."""
        seen = set() if seen is None else seen
        match e:
            case ast.Constant(value=None):
                return True
            case ast.IfExp(body=a, orelse=b) if (found := present(e)) is not None:
                return self.may_be_none(b if found is a else a, function, given, seen)
            case ast.IfExp(body=a, orelse=b):
                return self.may_be_none(a, function, given, seen) or self.may_be_none(b, function, given, seen)
            case ast.BoolOp(op=ast.Or(), values=[*_, last]):
                return self.may_be_none(last, function, given, seen)
            case ast.BoolOp(values=values):
                return any(self.may_be_none(v, function, given, seen) for v in values)
            case ast.NamedExpr(value=value):
                return self.may_be_none(value, function, given, seen)
            case ast.Attribute(attr=attr):
                return self.may_lack(attr)
            case ast.Name(id=name) if name in given:
                return True
            case ast.Name(id=name) if name not in seen:
                seen.add(name)
                if function not in self.assigned:
                    self.assigned[function] = assigned_to(function)
                return any(self.may_be_none(v, function, given, seen) for v in self.assigned[function].get(name, ()))
            case ast.Call(args=args, keywords=options):
                passed = [*args, *(k.value for k in options)]
                return any(self.may_be_none(a, function, given, seen) for a in passed) or any(
                    map(self.gives_none, self.functions(e))
                )
        return False

    def may_be_given(
        self,
        e: ast.expr | None,
        function: ast.FunctionDef,
        given: AbstractSet[str],
        seen: set[tuple[str, AbstractSet[str]]] | None = None,
    ) -> bool:
        """Whether what an expression of a function gives, or holds, may be an object of the caller's, where some
        parameters are: `given`; `seen`: names that have been asked for, and what was given then."""
        seen = set() if seen is None else seen

        def may_be(x: ast.expr | None) -> bool:
            return self.may_be_given(x, function, given, seen)

        def is_lent(x: ast.expr) -> bool:
            """Of what a comprehension runs over. What is found on the way holds only as long as the answer is no: where
            it is yes, a name that waited for it may be asked for again."""
            inner = set(seen)
            if self.may_be_given(x, function, given, inner):
                return True
            seen.update(inner)
            return False

        match e:
            case ast.Constant() | ast.Lambda() | ast.Compare() | ast.JoinedStr() | ast.Slice():
                return False
            case ast.Name(id=name) if name in given:
                return True
            case ast.Name(id=name):
                if (name, frozenset(given)) in seen:
                    return False
                seen.add((name, frozenset(given)))
                if function not in self.bound:
                    self.bound[function] = bound_to(function)
                return any(map(may_be, self.bound[function].get(name, ())))
            case ast.Attribute(value=value, attr=attr):
                return may_be(value) or self.may_be_lent(attr)
            case ast.Subscript(value=value) | ast.Starred(value=value) | ast.NamedExpr(value=value):
                return may_be(value)
            case ast.Call(func=func, args=args, keywords=options):
                if self.is_new(e):
                    return False
                receiver = [func.value] if isinstance(func, ast.Attribute) else []
                return any(map(may_be, (*receiver, *args, *(k.value for k in options))))
            case ast.IfExp(body=a, orelse=b) | ast.BinOp(left=a, right=b):
                return may_be(a) or may_be(b)
            case ast.BoolOp(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
                return any(map(may_be, parts))
            case ast.UnaryOp(operand=value):
                return may_be(value)
            case ast.ListComp(elt=value) | ast.GeneratorExp(elt=value) | ast.DictComp(value=value):
                lent = {n for g in e.generators if is_lent(g.iter) for n in target_names(g.target)}
                return self.may_be_given(value, function, given | lent, seen)
        return True

    def gives_none(self, function: ast.FunctionDef) -> bool:
        """Whether a function may return None, beside what it is given."""
        if function not in self.known:
            self.known[function] = False  # of one that calls itself the other returns say it
            returned = [n.value for n in body_nodes(function) if isinstance(n, ast.Return)]
            given = optional_parameters(function)
            self.known[function] = not is_left(function.body) or any(
                v is None or self.may_be_none(v, function, given) for v in returned
            )
        return self.known[function]

    def lacks(self, cls: ClassInfo, attr: str) -> bool:
        """Whether the constructor of a class may leave a field None, of which something else is stated."""
        of, init = cls.fields.get(attr), cls.init
        if of is None or not of.annotation:
            return False
        if (of.default is not None and has_none(of.default)) or is_optional(of.annotation):
            return True
        if init is None:
            return False
        given = optional_parameters(init)
        stored = [n for n in walk(init) if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None]
        values = [n.value for n in stored for t in targets_of(n) if isinstance(t, ast.Attribute) and t.attr == attr]
        if (cls.name, attr) in self.asked:  # fields that are made of each other: the others say it
            return False
        self.asked.add((cls.name, attr))
        found = any(self.may_be_none(v, init, given) for v in values)
        self.asked.remove((cls.name, attr))
        return found


def present(e: ast.IfExp) -> ast.expr | None:
    """The side of a choice that a test says not to be None: `s` of `s if s is not None else S()`."""
    match e.test, e.body, e.orelse:
        case ast.Compare(left=x, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]), body, _:
            return body if ast.dump(x) == ast.dump(body) else None
        case ast.Compare(left=x, ops=[ast.Is()], comparators=[ast.Constant(value=None)]), _, orelse:
            return orelse if ast.dump(x) == ast.dump(orelse) else None
    return None


def targets_of(n: ast.Assign | ast.AnnAssign) -> List[ast.expr]:
    return n.targets if isinstance(n, ast.Assign) else [n.target]


def assigned_to(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """What assignments bind each name to, alone or in tuples."""
    found: dict[str, list[ast.expr]] = {}

    def bind(target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(id=name), _:
                found.setdefault(name, []).append(value)
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
                if len(targets) == len(values):
                    for t, v in zip(targets, values, strict=True):
                        bind(t, v)

    for n in body_nodes(function):
        match n:
            case ast.Assign(targets=targets, value=value):
                for t in targets:
                    bind(t, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                bind(target, value)
    return found


def bound_to(function: ast.FunctionDef) -> dict[str, list[ast.expr | None]]:
    """What each name is bound to, or part of which: what a loop runs over, and what is put into it; None for what is
    not seen here."""
    found: dict[str, list[ast.expr | None]] = {}

    def put(names: Iterable[str | None], *values: ast.expr | None) -> None:
        for name in names:
            if name is not None:
                found.setdefault(name, []).extend(values)

    def bind(target: ast.expr, value: ast.expr | None) -> None:
        match target, value:
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
                if len(targets) == len(values):
                    for t, v in zip(targets, values, strict=True):
                        bind(t, v)
                    return
            case (ast.Subscript(), _):
                put([root_of(target)], value)
                return
            case (ast.Attribute(), _):  # `may_be_lent`
                return
        put(dict.fromkeys(target_names(target)), value)

    for n in body_nodes(function):
        match n:
            case ast.Assign(targets=targets, value=value):
                for t in targets:
                    bind(t, value)
            case ast.AugAssign(target=target, value=value) | ast.AnnAssign(target=target, value=value):
                bind(target, value)
            case ast.NamedExpr(target=target, value=value):
                bind(target, value)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                bind(target, ast.Starred(value))  # a part of it
            case ast.withitem(optional_vars=ast.expr() as target):
                put(dict.fromkeys(target_names(target)), None)
            case ast.MatchAs(name=own) | ast.MatchStar(name=own) | ast.ExceptHandler(name=own):
                put([own], None)
            case ast.Call(func=ast.Attribute(value=holder, attr=attr), args=args) if attr in FILLING:
                put([root_of(holder)], *args)
    return found


def is_left(body: List[ast.stmt]) -> bool:
    """Whether a function surely returns, or raises, before its text ends."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=then, orelse=other):
            return is_left(then) and is_left(other)
        case ast.With(body=inner) | ast.Try(body=inner, handlers=[]):
            return is_left(inner)
        case ast.While(test=ast.Constant(value=True), body=inner):
            return not any(isinstance(n, ast.Break) for s in inner for n in walk(s))
        case ast.Match(cases=[*cases]):
            last = cases[-1]
            every = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
            return every and all(is_left(c.body) for c in cases)
    return False


def optional_parameters(function: ast.FunctionDef) -> set[str]:
    """The parameters that may be None, by their annotations and defaults: `ell: Ellipsoid | None = None`."""
    found = {p for p, d in default_nodes(function) if has_none(d)}
    noted = {p.arg: ast.unparse(p.annotation) for p in parameters(function) if p.annotation is not None}
    return found | {name for name, text in noted.items() if is_optional(text)}


def is_optional(annotation: str) -> bool:
    return re.search(r"\b(None|Optional)\b", annotation) is not None


def has_none(e: ast.expr) -> bool:
    return any(isinstance(n, ast.Constant) and n.value is None for n in walk(e))


def is_none(e: ast.expr | None) -> bool:
    return isinstance(e, ast.Constant) and e.value is None


__all__ = ["Origins", "is_none", "optional_parameters"]
