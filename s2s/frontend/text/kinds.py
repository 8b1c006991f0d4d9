"""Of which class of the module an expression is an object: through constructors, methods, operators and fields.

    p = Vec2(a, b)          Vec2
    q = p + 2.0 * p         what `__add__` returns, which is given what `__rmul__` returns
    q.norm()                plain: no object of such a class

A function is followed with the kinds of its arguments: of `if isinstance(other, Vec2)` only what such an argument
reaches. What is not known is None.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Sequence as List
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import cast

from s2s.frontend.text.bindings import looped, sources
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.origins import Origins, optional_parameters
from s2s.frontend.text.scopes import bound_names, parameters, walk
from s2s.frontend.text.source import made

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
COMPARE = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
BUILTIN = {"abs": "__abs__", "len": "__len__", "iter": "__iter__", "float": "__float__"}
SPECIAL = frozenset(
    [f"__{i}{n}__" for n in BINARY.values() for i in ("", "r", "i")]
    + [f"__{n}__" for n in [*UNARY.values(), *COMPARE.values(), "getitem", "setitem", "contains", "call"]]
    + [*BUILTIN.values()]
)
NUMBERS = frozenset(["int", "float", "complex", "bool", "str", "numbers.Number", "numbers.Real", "np.ndarray"])
ARRAYS = frozenset(["ndarray", "NDArray", "ArrayLike", "array", "Array"])


@dataclass(frozen=True)
class Plain:
    """A number, an array, a list, a text: no object of a class of the module."""


@dataclass(frozen=True, eq=False)
class Several:
    """A tuple of which the parts are known, some being objects."""

    parts: tuple[Known, ...]


@dataclass(frozen=True, eq=False)
class Kind:
    """A class itself, as `cls` of a class method is."""

    of: ClassInfo


@dataclass(frozen=True, eq=False)
class Items:
    """A list of objects of one class, or a dict of them."""

    of: ClassInfo
    in_dict: bool = False


class Absent:
    """None, which may stand where there is no object."""


class NotDefined:
    """What an operator method returns that leaves the work to the other operand."""


@dataclass
class Pending:
    """The result of a function that is being followed."""

    met: bool = False  # whether it calls itself


PLAIN = Plain()
ABSENT = Absent()
NOT_DEFINED = NotDefined()
Known = ClassInfo | Plain | Kind | Several | Items | Absent | NotDefined | None
Call = tuple[ast.expr, str, list[ast.expr]]  # the receiver, its method, what that is given


def same(a: Known, b: Known) -> bool:
    if isinstance(a, Several) and isinstance(b, Several):
        return len(a.parts) == len(b.parts) and all(map(same, a.parts, b.parts))
    return _identity(a) == _identity(b) and type(a) is type(b)


def merged(kinds: List[Known]) -> Known:
    """The kind of what is of one of these: of an object or None the object's class (`Origins`)."""
    given = [k for k in kinds if k is not ABSENT] or kinds
    return given[0] if given and all(same(k, given[0]) for k in given) else None


def _identity(k: Known) -> object:
    """What tells a kind from others: of a class its definition, as what is imported is read anew."""
    if isinstance(k, Several):
        return tuple((_identity(p), type(p)) for p in k.parts)
    if isinstance(k, Items):
        return (_identity(k.of), k.in_dict)
    cls = k.of if isinstance(k, Kind) else k
    return (cls.name, id(cls.node)) if isinstance(cls, ClassInfo) else id(cls)


@dataclass
class Kinds:
    """The kinds of expressions, `lookup` giving those of names and paths, `class_of` the class that a name stands for,
    or that of a namespace that is made of its attributes.

    functions: those of the module, by name.
    """

    lookup: Callable[[ast.expr], Known]
    class_of: Callable[[ast.expr], ClassInfo | None]
    functions: Mapping[str, ast.FunctionDef | object]
    classes: Callable[[], List[ClassInfo]]
    field_of: Callable[[ClassInfo, str], Known]  # of a field of which no kind is stated
    results: dict[tuple[object, ...], object] = field(
        default_factory=dict
    )  # of functions, by the kinds of their arguments
    seen: dict[ast.expr, Known] = field(default_factory=dict)  # to be dropped where a name changes its kind
    as_called: Callable[[ast.FunctionDef, ast.Call], ast.FunctionDef] = lambda function, call: function
    """A function as it is for the constants that a call gives; the same one for the same constants."""
    members: Callable[[ast.expr], Items | None] = lambda e: None
    origins: Origins | None = None
    is_optional: Callable[[ast.expr], bool] = lambda e: False  # whether what is an object else may be None
    is_lent: Callable[[ast.expr], bool] = lambda e: False  # whether an object may be the caller's
    guesses: bool = False  # whether to take a choice between what is known and what is not for the former

    # ------------------------------------------------------------ expressions

    def kind(self, e: ast.expr | None) -> Known:
        if e is None:
            return None
        if e not in self.seen:
            self.seen[e] = self.of_expression(e)
        return self.seen[e]

    def of_expression(self, e: ast.expr) -> Known:
        match e:
            case ast.Constant(value=None):
                return ABSENT
            case ast.Constant() | ast.Compare() | ast.BoolOp() | ast.JoinedStr():
                return PLAIN
            case ast.Tuple(elts=elts):
                parts = tuple(self.kind(x) for x in elts)
                return Several(parts) if any(isinstance(k, ClassInfo | Several) for k in parts) else PLAIN
            case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp():
                return PLAIN
            case ast.Name(id="NotImplemented"):
                return NOT_DEFINED
            case ast.Name():
                found = self.lookup(e)
                if found is None and (cls := self.class_of(e)) is not None:
                    return Kind(cls)
                return found
            case ast.Attribute():
                return self.attribute(e)
            case ast.Call():
                return self.called(e)
            case ast.IfExp(test=test, body=a, orelse=b):
                holds = self.decided(test)
                if holds is not None:
                    return self.kind(a if holds else b)
                first, second = self.kind_where(test, a), self.kind_where(negated(test), b)
                if self.guesses and (first is None or second is None):
                    return first or second
                return merged([first, second])
            case ast.BinOp() | ast.UnaryOp() | ast.Subscript():
                call = self.operator(e)
                if call is not None:
                    return self.of_method(*call)
                if isinstance(e, ast.Subscript):
                    found = self.lookup(e)
                    return found if found is not None else self.part(e)
                operands = [e.operand] if isinstance(e, ast.UnaryOp) else [e.left, e.right]
                return PLAIN if all(self.kind(o) is PLAIN for o in operands) else None
            case ast.NamedExpr(value=value):
                return self.kind(value)
        return None

    def kind_where(self, test: ast.expr, e: ast.expr) -> Known:
        """The kind of an expression where a test holds: of `q` in `q if isinstance(q, Dual) else Dual(q)`."""
        return self.said(test).get(e.id) or self.kind(e) if isinstance(e, ast.Name) else self.kind(e)

    def said(self, test: ast.expr) -> dict[str, Known]:
        """The names of which a test says, where it holds, what class they are of."""
        match test:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), wanted]):
                kind = self.kind(wanted)
                return {name: kind.of} if isinstance(kind, Kind) and not self.is_base(kind.of) else {}
        return {}

    def part(self, e: ast.Subscript) -> Known:
        """The kind of a part of a tuple of which the parts are known."""
        return self.part_of(self.kind(e.value), e.slice)

    @staticmethod
    def part_of(whole: Known, key: ast.expr) -> Known:
        match whole, key:
            case Items(of=cls), _ if not has_slice(key):
                return cls
            case Several(parts=parts), ast.Constant(value=int() as i) if i < len(parts):
                return parts[i]
        return None

    def given(self, e: ast.expr) -> Known:
        """The kind of an argument: an object, or what holds some."""
        kind = self.kind(e)
        return (self.members(e) or kind) if kind is PLAIN or kind is None else kind

    def item(self, items: ast.expr | None) -> Known:
        """The kind of the items of a sequence."""
        if items is None:
            return None
        if inner := sources(items):
            return merged([self.item(e) for e in inner])
        match self.given(items):
            case Items(of=cls, in_dict=False):
                return cls
        return None

    def picked(self, call: ast.Call) -> Known:
        """The kind of one item of a sequence that a builtin function picks."""
        match call:
            case ast.Call(func=ast.Name(id="min" | "max"), args=[items]):
                return self.item(items)
            case ast.Call(func=ast.Name(id="next"), args=[ast.GeneratorExp() as items, *other], keywords=[]):
                return merged([self.item(items), *map(self.kind, other)])
        return None

    def attribute(self, e: ast.Attribute) -> Known:
        found = self.lookup(e)
        if found is not None:
            return found
        owner = self.kind(e.value)
        if isinstance(owner, ClassInfo):
            if e.attr == "__class__":
                return Kind(owner)
            if e.attr in owner.properties:
                return self.returned(owner.methods[e.attr], [owner])
            if e.attr in owner.fields:
                stated = self.annotated(owner.fields[e.attr].annotation)
                is_sure = stated is not None and not (isinstance(stated, ClassInfo) and self.is_base(stated))
                return stated if is_sure else self.field_of(owner, e.attr)
        return None

    def annotated(self, text: str) -> Known:
        try:
            note = ast.parse(text, mode="eval").body if text else None
        except SyntaxError:
            return None
        if isinstance(note, ast.Constant) and isinstance(note.value, str):
            return self.annotated(note.value)
        if note is None:
            return None
        cls = self.class_of(note)
        if cls is not None:
            return cls
        if isinstance(note, ast.Subscript):
            note = note.value
        last = note.attr if isinstance(note, ast.Attribute) else note.id if isinstance(note, ast.Name) else ""
        return PLAIN if last in NUMBERS | ARRAYS else None

    def called(self, call: ast.Call) -> Known:
        if (namespace := self.class_of(call)) is not None:
            return namespace
        match call.func:
            case ast.Name(id=name) if name in BUILTIN and len(call.args) == 1:
                method = self.operator(call)
                return self.of_method(*method) if method is not None else PLAIN
            case ast.Attribute(value=receiver, attr=attr):
                owner = self.kind(receiver)
                cls = owner.of if isinstance(owner, Kind) else owner
                if isinstance(cls, ClassInfo) and attr in cls.methods:
                    return self.of_method(receiver, attr, call.args, call.keywords)
                if attr in ("copy", "deepcopy", "replace") and len(call.args) == 1 and owner is None:
                    inner = self.kind(call.args[0])  # of the modules copy and dataclasses
                    return inner if isinstance(inner, ClassInfo) else None
                if isinstance(receiver, ast.Name) and receiver.id in ("np", "numpy", "math"):
                    return PLAIN
        if isinstance(call.func, ast.Name) and call.func.id == "type" and len(call.args) == 1:
            inner = self.kind(call.args[0])
            return Kind(inner) if isinstance(inner, ClassInfo) else None
        if (one := self.picked(call)) is not None:
            return one
        cls_ = self.kind(call.func)
        if isinstance(cls_, Kind):
            return cls_.of
        if isinstance(cls_, ClassInfo) and "__call__" in cls_.methods:
            return self.of_method(call.func, "__call__", call.args, call.keywords)
        match call.func:
            case ast.Name(id=name) if isinstance(function := self.functions.get(name), ast.FunctionDef):
                if self.lookup(call.func) is None and not function.decorator_list:
                    given = [self.given(a) for a in call.args]
                    absent = [self.is_optional(a) for a in call.args]
                    return self.returned(self.as_called(function, call), given, call.keywords, absent)
        return None

    # ------------------------------------------------------------ operators

    def operator(self, e: ast.expr) -> Call | None:
        """The call of a method that an operator, a subscript or a builtin function stands for, if it is one."""
        match e:
            case ast.BinOp(left=a, op=op, right=b):
                if getattr(e, "updates", False) and (call := self.defined(a, f"__i{BINARY[type(op)]}__", [b])):
                    return call
                return self.either(a, b, BINARY[type(op)], f"r{BINARY[type(op)]}")
            case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in COMPARE:
                return self.either(a, b, COMPARE[type(op)], SWAPPED[COMPARE[type(op)]])
            case ast.Compare(left=a, ops=[ast.In()], comparators=[b]):
                return self.defined(b, "__contains__", [a])
            case ast.UnaryOp(op=op, operand=a) if type(op) in UNARY:
                return self.defined(a, f"__{UNARY[type(op)]}__", [])
            case ast.Subscript(value=a, slice=key, ctx=ast.Load()):
                call = self.defined(a, "__getitem__", [key])
                return call if call is None or not has_slice(key) or self.takes_slices(call) else None
            case ast.Call(func=ast.Name(id=name), args=[a], keywords=[]) if name in BUILTIN:
                return self.defined(a, BUILTIN[name], [])
        return None

    def takes_slices(self, call: Call) -> bool:
        """Whether a method uses a key for nothing but a subscript: slices can't stand elsewhere."""
        cls = self.kind(call[0])
        method = cls.methods[call[1]] if isinstance(cls, ClassInfo) else None
        if method is None or len(method.args.args) < 2:
            return False
        own = method.args.args[1].arg
        reads = [n for n in walk(method) if isinstance(n, ast.Name) and n.id == own]
        keys = [n.slice for n in walk(method) if isinstance(n, ast.Subscript)]
        return all(any(n is k for k in keys) for n in reads)

    def defined(self, receiver: ast.expr, method: str, args: list[ast.expr]) -> Call | None:
        cls = self.kind(receiver)
        return (receiver, method, args) if isinstance(cls, ClassInfo) and method in cls.methods else None

    def either(self, a: ast.expr, b: ast.expr, first: str, swapped: str) -> Call | None:
        """The method of the left operand, or the reflected one of the right."""
        left, right = self.kind(a), self.kind(b)
        call = self.defined(a, f"__{first}__", [b])
        if isinstance(left, ClassInfo) and isinstance(right, ClassInfo) and left is not right:
            own = right.methods.get(f"__{swapped}__")
            if left.name in self.ancestors(right) and own is not left.methods.get(f"__{swapped}__"):
                return self.defined(b, f"__{swapped}__", [a])  # that of a subclass goes first
        if call is not None and self.of_method(*call) is not NOT_DEFINED:
            return call
        return self.defined(b, f"__{swapped}__", [a])

    # ------------------------------------------------------------ what functions return

    def of_method(self, receiver: ast.expr, name: str, args: List[ast.expr], keywords: List[ast.keyword] = ()) -> Known:
        owner = self.kind(receiver)
        cls = owner.of if isinstance(owner, Kind) else owner
        if not isinstance(cls, ClassInfo):
            return None
        given = [self.given(a) for a in args]
        absent = [self.is_optional(a) for a in args]
        if name in cls.class_methods:
            given.insert(0, Kind(cls))
        elif name not in cls.statics and isinstance(owner, ClassInfo):
            given.insert(0, owner)
        absent = [False] * (len(given) - len(absent)) + absent
        return self.returned(cls.methods[name], given, keywords, absent)

    def returned(
        self,
        function: ast.FunctionDef,
        given: List[Known],
        keywords: List[ast.keyword] = (),
        absent: List[bool] = (),
    ) -> Known:
        """The kind of what a function returns, of arguments of these kinds, some of which may be None."""
        stated = self.annotated(ast.unparse(function.returns)) if function.returns is not None else None
        if stated is not None and not (isinstance(stated, ClassInfo) and self.is_base(stated)):
            return stated
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        env: dict[str, Known] = dict(zip(params, given, strict=False))
        env |= {k.arg: self.given(k.value) for k in keywords if k.arg is not None}
        optional = {p for p, maybe in zip(params, absent, strict=False) if maybe}
        optional |= {k.arg for k in keywords if k.arg is not None and self.is_optional(k.value)}
        key = (function, *((n, _identity(k), type(k), n in optional) for n, k in sorted(env.items())))
        if key in self.results:
            before = self.results[key]
            if isinstance(before, Pending):  # it calls itself
                before.met = True
                return None
            return cast("Known", before)
        self.results[key] = pending = Pending()
        found = Following(self, function, env, optional)
        found.block(copy.deepcopy(function.body) if chooses(function) else function.body)
        kinds = [k for k in found.returns if k is not None] if pending.met else found.returns
        result = merged([k for k in kinds if k is not NOT_DEFINED] or kinds)
        if any(isinstance(k, Pending) and k.met and k is not pending for k in self.results.values()):
            del self.results[key]  # not known for sure before that is
        else:
            self.results[key] = result
        return result

    # ------------------------------------------------------------ tests

    def decided(self, test: ast.expr) -> bool | None:
        """What a test of a class says; None where that is not known."""
        match test:
            case ast.Constant(value=bool() as value):
                return value
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                holds = self.decided(inner)
                return None if holds is None else not holds
            case ast.BoolOp(op=op, values=values):
                sides = [self.decided(v) for v in values]
                stop = isinstance(op, ast.Or)
                if sides[0] is stop:
                    return stop
                return not stop if all(s is (not stop) for s in sides) else None
            case ast.Call(func=ast.Name(id="isinstance"), args=[subject, wanted]):
                of = self.kind(subject)
                if not isinstance(of, ClassInfo | Plain) or self.is_optional(subject):
                    return None
                parts = wanted.elts if isinstance(wanted, ast.Tuple) else [wanted]
                answers = [self.is_of(of, p) for p in parts]
                if any(a is True for a in answers):
                    return True
                return None if None in answers else False
            case ast.Call(func=ast.Name(id="hasattr"), args=[subject, ast.Constant(value=str() as attr)]):
                of = self.kind(subject)
                if isinstance(of, ClassInfo) and of.is_known and (attr in of.fields or attr in of.methods):
                    return None if self.is_optional(subject) else True
            case ast.Compare(left=a, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
                if isinstance(self.kind(a), ClassInfo) and not self.is_optional(a):
                    return isinstance(op, ast.IsNot)
        return None

    def is_of(self, of: ClassInfo | Plain, wanted: ast.expr) -> bool | None:
        """Whether an object is one of a class, None where that is not known."""
        kind = self.kind(wanted)
        if isinstance(of, Plain):
            return False if isinstance(kind, Kind) else None
        if isinstance(kind, Kind):
            if kind.of.name in self.ancestors(of):
                return True
            both = any({of.name, kind.of.name} <= self.ancestors(c) for c in self.classes())
            return None if both else False  # a parameter may be of a subclass
        return False if ast.unparse(wanted) in NUMBERS | {"list", "tuple", "dict", "(int, float)"} else None

    def is_base(self, cls: ClassInfo) -> bool:
        """Whether an object that an annotation says to be of a class may be one of another class that inherits from
        it."""
        return any(c.name != cls.name and cls.name in self.ancestors(c) for c in self.classes())

    def ancestors(self, cls: ClassInfo) -> set[str]:
        """A class of the module and those that it inherits from."""
        found = {cls.name}
        for b in cls.node.bases:
            base = self.class_of(b)
            if base is not None and base.name not in found:
                found |= self.ancestors(base)
        return found

    def within(self, function: ast.FunctionDef, env: dict[str, Known]) -> Kinds:
        """The kinds of expressions of another function, where its names are of those of `env`."""
        local = {p.arg for p in parameters(function)} | bound_names(walk(function))

        def lookup(e: ast.expr) -> Known:
            return env.get(e.id) if isinstance(e, ast.Name) else None

        def class_of(e: ast.expr) -> ClassInfo | None:
            named = e.func if isinstance(e, ast.Call) else e
            return None if isinstance(named, ast.Name) and named.id in local else self.class_of(e)

        found = self.other(lookup, class_of)
        found.stand_in(function, optional_parameters(function))
        return found

    def stand_in(
        self, function: ast.FunctionDef, optional: AbstractSet[str], lent: AbstractSet[str] = frozenset()
    ) -> None:
        """The names are those of a function, of whose parameters these may be None, and these the caller's objects."""
        if (origins := self.origins) is not None:
            self.is_optional = lambda e: origins.may_be_none(e, function, optional)
            self.is_lent = lambda e: origins.may_be_given(e, function, lent)

    def other(
        self, lookup: Callable[[ast.expr], Known], class_of: Callable[[ast.expr], ClassInfo | None] | None = None
    ) -> Kinds:
        """The kinds of expressions whose names are of other kinds."""
        return Kinds(
            lookup,
            class_of or self.class_of,
            self.functions,
            self.classes,
            self.field_of,
            self.results,
            as_called=self.as_called,
            origins=self.origins,
            is_optional=self.is_optional,
            is_lent=self.is_lent,
        )


def negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return inner
    return ast.UnaryOp(ast.Not(), test)


def update(place: ast.expr, op: ast.operator, value: ast.expr) -> ast.BinOp:
    """What `place += value` binds the place to."""
    both = made(ast.BinOp(place, op, value), value)
    both.updates = True  # type: ignore[attr-defined]
    return both


class Following:
    """A function from statement to statement: of which kinds its names are, and which of its branches are reached.

    absent: the parameters that may be None.
    """

    def __init__(
        self,
        kinds: Kinds,
        function: ast.FunctionDef,
        env: dict[str, Known],
        absent: AbstractSet[str] = frozenset(),
    ) -> None:
        self.env = env
        for p in parameters(function):
            if p.annotation is not None and env.get(p.arg) is None:
                env[p.arg] = kinds.annotated(ast.unparse(p.annotation))
        defaults = zip(reversed(parameters(function)), reversed(function.args.defaults), strict=False)
        if not function.args.kwonlyargs:
            for p, d in defaults:
                env.setdefault(p.arg, kinds.kind(d))
        self.kinds = kinds.within(function, env)
        self.kinds.stand_in(function, absent)
        self.returns: list[Known] = []
        self.decided = False  # whether a test was left out

    def block(self, body: List[ast.stmt]) -> list[ast.stmt]:
        """The statements that are reached, without tests of classes."""
        out: list[ast.stmt] = []
        for i, s in enumerate(body):
            if isinstance(s, ast.If) and self.kinds.decided(s.test) is None:
                s.test = self.assumed(s.test, s.body, s.orelse or body[i + 1 :])
            new = self.statement(s)
            out += new
            if new and isinstance(new[-1], ast.Return | ast.Raise):
                break
        return out

    def assumed(self, test: ast.expr, body: List[ast.stmt], other: List[ast.stmt]) -> ast.expr:
        """A test for a number, as True where another value has no result: `return NotImplemented`."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                holds, leaves = False, body
            case inner:
                holds, leaves = True, other
        match inner, leaves[:1]:
            case (
                ast.Call(func=ast.Name(id="isinstance"), args=[subject, wanted]),
                [ast.Return(value=ast.Name(id="NotImplemented")) | ast.Raise()],
            ) if self.kinds.kind(subject) is PLAIN:
                parts = wanted.elts if isinstance(wanted, ast.Tuple) else [wanted]
                if all(ast.unparse(p) in NUMBERS for p in parts):
                    return ast.copy_location(ast.Constant(holds), test)
        return test

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        match s:
            case ast.Return(value=value):
                if value is not None:
                    s.value = self.chosen(value)
                self.returns.append(self.kinds.kind(s.value) if s.value is not None else PLAIN)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                s.value = self.chosen(value)
                if isinstance(s.value, ast.Name) and s.value.id == name:  # x = x if isinstance(x, Dual) else Dual(x)
                    return []
                self.bind(name, self.kinds.kind(s.value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                s.value = self.chosen(value)
                self.bind(name, self.kinds.kind(update(ast.Name(name, ast.Load()), op, s.value)))
            case ast.If(test=test, body=body, orelse=orelse):
                holds = self.kinds.decided(test)
                if holds is not None:
                    self.decided = True
                    return self.block(body if holds else orelse)
                s.test = self.chosen(test)
                before = dict(self.env)
                self.restore(before | self.kinds.said(s.test))
                s.body = self.block(body) or [ast.copy_location(ast.Pass(), s)]
                after, leaves = dict(self.env), isinstance(s.body[-1], ast.Return | ast.Raise)
                self.restore(before | self.kinds.said(negated(s.test)))
                s.orelse = self.block(orelse)
                if s.orelse and isinstance(s.orelse[-1], ast.Return | ast.Raise):
                    self.restore(after)
                elif not leaves:
                    self.restore({n: merged([after[n], k]) for n, k in self.env.items() if n in after})
            case ast.For() | ast.While() | ast.With() | ast.Try():
                self.restore(self.env | self.bound_in(s))
                for n in walk(s):
                    if isinstance(n, ast.Return):
                        self.returns.append(self.kinds.kind(n.value) if n.value is not None else PLAIN)
            case ast.Assign() | ast.AnnAssign() | ast.Delete():
                for name in bound_names(walk(s)):
                    self.bind(name, None)
            case ast.Expr():
                s.value = self.chosen(s.value)
        return [s]

    def bound_in(self, s: ast.stmt) -> dict[str, Known]:
        """The kinds of the names that a statement with others inside binds: one for all that a name is bound to in it,
        and before it."""
        values: dict[str, list[Callable[[], Known]]] = {n: [] for n in bound_names(walk(s))}
        for n in walk(s):
            match n:
                case ast.For(target=target, iter=it):
                    for name, items in looped(target, it):
                        values[name].append(lambda items=items: self.kinds.item(items))  # type: ignore[misc]
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    values[name].append(lambda value=value: self.kinds.kind(value))  # type: ignore[misc]
        stores = Counter(n.id for n in walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        before = dict(self.env)
        known = {n for n, v in values.items() if v and len(v) == stores[n]}
        found: dict[str, Known] = {n: before.get(n) if n in known else None for n in values}
        for _ in range(len(values) + 1):
            self.restore(before | found)
            new = {n: merged([*([before[n]] if n in before else []), *(v() for v in values[n])]) for n in sorted(known)}
            new |= {n: None for n in values if n not in known}
            if all(same(new[n], found[n]) for n in values):
                self.restore(before)
                return found
            found = new
        self.restore(before)
        return dict.fromkeys(values)

    def bind(self, name: str, kind: Known) -> None:
        self.env[name] = kind
        self.kinds.seen.clear()

    def restore(self, env: dict[str, Known]) -> None:
        self.kinds.seen.clear()
        self.env.clear()
        self.env.update(env)

    def chosen(self, e: ast.expr) -> ast.expr:
        """An expression without choices that are decided."""
        following = self

        class Choose(ast.NodeTransformer):
            def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
                self.generic_visit(node)
                holds = following.kinds.decided(node.test)
                if holds is None:
                    return node
                following.decided = True
                return node.body if holds else node.orelse

            def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
                return node

        if not any(isinstance(n, ast.IfExp) for n in walk(e)):
            return e
        new: ast.expr = Choose().visit(e)
        for n in walk(new):
            if isinstance(n, ast.expr):
                made(n, e)
        return new


def has_slice(key: ast.expr) -> bool:
    """Whether a key is a slice, or has one: `u[1:]`, `u[0, :]`."""
    return isinstance(key, ast.Slice) or (isinstance(key, ast.Tuple) and any(map(has_slice, key.elts)))


def chooses(function: ast.FunctionDef) -> bool:
    """Whether a function has a choice that `Following` may put in."""
    return any(isinstance(n, ast.IfExp | ast.If) for n in walk(function))
