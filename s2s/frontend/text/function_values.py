"""What is known of a function as a value, when a call of it is lowered."""

from __future__ import annotations

import ast
import copy
import importlib
from dataclasses import dataclass, field

from s2s import ir
from s2s.frontend.text.exits import negate
from s2s.frontend.text.function_bodies import FunctionLike
from s2s.frontend.text.source import made
from s2s.frozen import replace
from s2s.ir import Const, Expr, Form, Op, Var


@dataclass(frozen=True)
class Known:
    """One function. `before` are arguments given in advance, first of all what it captures (`captured`)."""

    callee: ast.expr  # an expression that names it
    key: str  # its canonical name: "numpy.sin", "local._f_g"
    word: str  # for the names of what is made for it
    before: tuple[Argument, ...] = ()
    options: tuple[tuple[str, Argument], ...] = ()  # keywords given in advance
    node: FunctionLike | None = None  # of one that may be written out
    captured: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()  # nonlocal names that it binds
    home: str = ""  # the function whose nested functions it calls
    functions: tuple[tuple[str, Argument], ...] = ()  # what other names of functions in it stand for

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return (*self.before, *(v for _, v in self.options))

    @property
    def atoms(self) -> tuple[Expr, ...]:
        return tuple(x for a in self.arguments for x in (a.atoms if isinstance(a, Known | Choice) else (a,)))

    def identity(self) -> object:
        """What is the same for functions that differ in the values only that they are given in advance."""
        fixed = (
            a.identity() if isinstance(a, Known | Choice) else a if isinstance(a, Const) else None
            for a in self.arguments
        )
        return self.key, len(self.before), tuple(k for k, _ in self.options), tuple(fixed)

    def swapped(self, swap: dict[str, Expr]) -> Known:
        """The function with other expressions for the names that it is given in advance."""

        def each(pairs: tuple[tuple[str, Argument], ...]) -> tuple[tuple[str, Argument], ...]:
            return tuple((k, swapped(a, swap)) for k, a in pairs)

        before = tuple(swapped(a, swap) for a in self.before)
        return replace(self, before=before, options=each(self.options), functions=each(self.functions))


@dataclass(frozen=True)
class Choice:
    """One of several functions: the one whose tag the subject equals."""

    subject: Expr
    cases: tuple[tuple[Expr, Known], ...]
    exhaustive: bool = True  # else no case may hold, and the table has no such key
    flag: bool = False  # the subject is a test: of two cases, the first where it holds
    objects: bool = False  # the subject is the function itself, and so are the tags

    def holds(self, tags: tuple[Expr, ...]) -> Expr:
        """What is true where the function is that of these tags."""
        if self.flag:
            return self.subject if tags == (Const(True),) else negate(self.subject)
        if self.objects:
            return is_one_of(self.subject, tags)
        if len(tags) == 1:
            return Op("numpy.equal", (self.subject, tags[0]), form=Form.OPERATOR)
        return Op("operator.in", (self.subject, ir.Sequence(tags)), form=Form.OPERATOR)

    @property
    def atoms(self) -> tuple[Expr, ...]:
        return (self.subject, *(a for _, k in self.cases for a in k.atoms))

    def identity(self) -> object:
        return "choice", tuple((tag, k.identity()) for tag, k in self.cases), self.exhaustive

    def swapped(self, swap: dict[str, Expr]) -> Choice:
        cases = tuple((tag, f.swapped(swap)) for tag, f in self.cases)
        return replace(self, subject=ir.substitute(self.subject, swap), cases=cases)


@dataclass(frozen=True)
class Table:
    """A display of functions: its keys (positions of a list), and what names each (see `known_as`), where it is one of
    the module what its text says."""

    entries: tuple[tuple[Const, ast.expr], ...]
    is_list: bool


@dataclass(eq=False)
class Closure:
    """A nested function or lambda of the function being lowered."""

    node: FunctionLike
    name: str
    defaults: dict[str, Expr] = field(default_factory=dict)  # values of defaults that are no literals
    awaited: bool = False  # these are names, which get their values where the function is defined


Argument = Expr | Known | Choice
Value = Known | Choice | Table | Closure


def swapped(a: Argument, swap: dict[str, Expr]) -> Argument:
    return a.swapped(swap) if isinstance(a, Known | Choice) else ir.substitute(a, swap)


def marker(value: Value, like: ast.AST) -> ast.expr:
    """An expression that stands for a function that is known already."""
    node = made(ast.Name(like.id if isinstance(like, ast.Name) else "function", ast.Load()), like)
    node.value_of = value  # type: ignore[attr-defined]
    return node


def known_as(value: Value, e: ast.expr) -> ast.expr:
    """The expression of a function of which the value is known already: what it captures is not read again."""
    node = copy.copy(e)
    node.value_of = value  # type: ignore[attr-defined]
    return node


def canonical(key: str, like: ast.AST) -> ast.expr:
    """A name that means the same in each module: no name of the user's has a dot."""
    return made(ast.Name(key, ast.Load()), like)


def is_canonical(e: ast.expr) -> bool:
    return isinstance(e, ast.Name) and "." in e.id


def as_node(e: Argument, like: ast.AST) -> ast.expr:
    """An expression that has been lowered already, as part of one that has not."""
    if isinstance(e, Known | Choice):
        return marker(e, like)
    if isinstance(e, Const):
        node: ast.expr = made(ast.Constant(e.value), like)
        node.text = e.text  # type: ignore[attr-defined]
        return node
    name = made(ast.Name(e.name if isinstance(e, Var) else "_", ast.Load()), like)
    name.expr = e  # type: ignore[attr-defined]
    return name


def captured_node(e: Expr, like: ast.AST) -> ast.expr:
    """What a function captures that is handed on: it is read when the function is called, not before."""
    node = as_node(e, like)
    node.captured = True  # type: ignore[attr-defined]
    return node


def is_captured(node: ast.expr) -> bool:
    return hasattr(node, "captured")


def made_keyword(name: str, value: Argument, like: ast.expr) -> ast.keyword:
    return made(ast.keyword(name, as_node(value, like)), like)


def is_one_of(subject: Expr, objects: tuple[Expr, ...]) -> Expr:
    """`act is np.tanh or act is np.sin`"""
    tests = tuple(Op("operator.is", (subject, e), form=Form.OPERATOR) for e in objects)
    return tests[0] if len(tests) == 1 else Op("operator.or", tests, form=Form.OPERATOR)


def are_one(a: Known, b: Known) -> bool | None:
    """Whether two functions of modules are one object: `np.abs` is `np.absolute`. None where nobody knows."""
    if a.before or a.options or a.captured or b.before or b.options or b.captured:
        return None
    if a.key == b.key:
        return True
    objects = [library_object(k.key) for k in (a, b)]
    if None not in objects:
        return objects[0] is objects[1]
    own = (k.key.startswith("local.") for k in (a, b))  # each `def` makes one
    return False if all(o or found is not None for o, found in zip(own, objects, strict=True)) else None


def library_object(key: str) -> object:
    """What NumPy, `math` or Python have under a path; else None."""
    root, *rest = key.split(".")
    value: object = importlib.import_module(root) if root in ("numpy", "math", "builtins") else None
    for part in rest:
        value = getattr(value, part, None)
    return value


def merged(cases: tuple[tuple[Expr, Known], ...]) -> list[tuple[tuple[Expr, ...], Known]]:
    """Cases of one function together."""
    out: list[tuple[tuple[Expr, ...], Known]] = []
    for tag, f in cases:
        at = next((i for i, (_, g) in enumerate(out) if g == f), None)
        if at is None:
            out.append(((tag,), f))
        else:
            out[at] = ((*out[at][0], tag), f)
    return out
