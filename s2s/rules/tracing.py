"""Rules are ordinary NumPy; traced on symbols they become IR expressions.

A `Sym` stands for an expression. NumPy hands every call on it over through `__array_ufunc__` and `__array_function__`,
so that `g * np.cos(x)` in a rule becomes the `Op` nodes of that text. A rule cannot branch on values, only on what is
known when text is written: literals (`literal`), ranks (`ndim`), and the options of the call, which arrive as Python
values where the call has them as literals.
"""

from __future__ import annotations

import bisect
import builtins
import cmath
import copy
import importlib
import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from s2s import helpers, ir
from s2s.ir import Attribute, Const, Expr, Form, Index, Op, Sequence, Slice, Var


class RuleError(Exception):
    """A call that its rule does not cover: an option, a value of an option, or a rank; the text says which."""

    code = "S302"
    help: tuple[str, ...] = ()  # instead of what the caller would advise


class Facts(Protocol):
    """What the caller knows about expressions. False and None mean "not known".

    It may have more: `is_array(e)`, whether the value is proved to be a NumPy array or NumPy scalar, which has `.shape`
    and `.size`; `is_list(e)`, whether it is proved to be a Python list or tuple; `may_be_list(e)`, whether it may be
    one though it is used as an array; `dims(e)`, the symbolic lengths of the axes, where equal objects are equal
    lengths.
    """

    def ndim(self, e: Expr) -> int | None:
        """The rank, 0 for scalars."""

    def same_shape(self, a: Expr, b: Expr) -> bool:
        """Whether both are proved to have one shape."""

    def is_scalar(self, e: Expr) -> bool:
        """Whether the rank is proved to be 0."""

    def is_float(self, e: Expr) -> bool:
        """Whether the value is proved to be of a floating-point type."""

    def is_integer(self, e: Expr) -> bool:
        """Whether the value is proved to be a whole number, or an array of them: nothing depends on it smoothly."""


class NoFacts:
    """Nothing is known, except what a literal tells."""

    def ndim(self, e: Expr) -> int | None:
        return 0 if isinstance(e, Const) and isinstance(e.value, int | float | complex) else None

    def same_shape(self, a: Expr, b: Expr) -> bool:
        return a == b

    def is_scalar(self, e: Expr) -> bool:
        return self.ndim(e) == 0

    def is_float(self, e: Expr) -> bool:
        return isinstance(e, Const) and isinstance(e.value, float)

    def is_integer(self, e: Expr) -> bool:
        return isinstance(e, Const) and isinstance(e.value, int)


NO_FACTS = NoFacts()


class BranchError(TypeError):
    """A rule asks for the truth, or the items, of a value that is known at run time only."""


class NoLiteralError(RuleError):
    """An option that the rule chooses by is known at run time only."""

    help = ("write the value itself; for several, one call for each, in the branches of an `if`",)


UFUNC_NAMES = {"absolute": "abs", "conjugate": "conj"}  # the names that people write


class Sym(NDArrayOperatorsMixin):
    """An expression in a rule that is being traced."""

    __slots__ = ("expr", "facts")

    def __init__(self, expr: Expr, facts: Facts = NO_FACTS) -> None:
        self.expr = expr
        self.facts = facts

    def __repr__(self) -> str:
        return f"Sym({ir.Printer()(self.expr)})"

    def __bool__(self) -> bool:
        raise BranchError("a rule cannot branch on a value: use np.where, an option, ndim(x), or a helper")

    def __iter__(self) -> Any:
        raise BranchError("a rule cannot iterate over a value: use a helper")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Sym:
        if method != "__call__" or "out" in options:
            raise TypeError(f"a rule may not use {ufunc.__name__}.{method}: write a helper")
        fn = "numpy." + UFUNC_NAMES.get(ufunc.__name__, ufunc.__name__)
        return self.make(operation(fn, [to_expr(i) for i in inputs], options))

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, options: dict[str, Any]) -> Sym:
        fn = f"{func.__module__ or 'numpy'}.{func.__name__}"
        if fn in ("numpy.shape", "numpy.size") and len(args) == 1 and is_array(args[0]):
            return self.make(Attribute(to_expr(args[0]), fn.rpartition(".")[2]))
        return self.make(operation(fn, [to_expr(a) for a in args], options))

    def __getitem__(self, key: Any) -> Sym:
        if isinstance(self.expr, Sequence) and isinstance(key, int) and not self.expr.starred:
            return self.make(self.expr.items[key])
        return self.make(Index(self.expr, to_expr(key)))

    def make(self, expr: Expr) -> Sym:
        return Sym(expr, self.facts)

    @property
    def T(self) -> Sym:
        return self.make(Op("numpy.transpose", (self.expr,), form=Form.ATTRIBUTE, spelling="T"))

    @property
    def dtype(self) -> Sym:
        return self.make(Attribute(self.expr, "dtype"))

    def astype(self, dtype: Any) -> Sym:
        return self.make(Op("numpy.astype", (self.expr, to_expr(dtype)), form=Form.METHOD, spelling="astype"))

    def copy(self) -> Sym:
        return self.make(Op("numpy.copy", (self.expr,), form=Form.METHOD, spelling="copy"))

    def tolist(self) -> Sym:
        return self.make(Op("numpy.ndarray.tolist", (self.expr,), form=Form.METHOD, spelling="tolist"))


def is_number(e: Expr, value: float) -> bool:
    return isinstance(e, Const) and isinstance(e.value, int | float) and e.kind != "bool" and e.value == value


def operation(fn: str, args: list[Expr], options: dict[str, Any] | None = None) -> Expr:
    """The node of a call; operators print as operators; no factor 1.0, no double sign is made."""
    pairs = tuple((k, to_expr(v)) for k, v in (options or {}).items())
    if not pairs and ((fn in ir.OPERATORS and len(args) == 2) or (fn in ir.UNARY and len(args) == 1)):
        match fn, args:
            case "numpy.multiply", [a, b] if is_number(a, 1.0):
                return b
            case "numpy.multiply" | "numpy.divide", [a, b] if is_number(b, 1.0):
                return a
            case "numpy.subtract" | "numpy.add", [a, b] if is_number(b, 0.0):
                return a
            case "numpy.add", [a, b] if is_number(a, 0.0):
                return b
            case "numpy.subtract", [a, b] if is_number(a, 0.0):
                return operation("numpy.negative", [b])
            case "numpy.power", [a, b] if is_number(b, 1.0):
                return a
            case "numpy.multiply", [a, b] if is_number(a, -1.0):
                return operation("numpy.negative", [b])
            case "numpy.negative", [Op(fn="numpy.negative", args=(a,))]:
                return a
            case "numpy.negative", [Const(value=int() | float() as v)] if not isinstance(v, bool):
                return Const(-v)
        return Op(fn, tuple(args), form=Form.OPERATOR)
    return Op(fn, tuple(args), pairs)


def to_expr(value: Any) -> Expr:
    """The expression of a value that a rule computes with.

    Raises TypeError for values that have no literal (arrays: a rule must not compute with its own).
    """
    match value:
        case Sym():
            return value.expr
        case bool() | int() | float() | complex() | str() | None:
            if isinstance(value, np.generic):
                value = value.item()
            return Const(value)
        case np.generic():
            return Const(value.item())
        case tuple():
            return Sequence(tuple(to_expr(v) for v in value))
        case list():
            return Sequence(tuple(to_expr(v) for v in value), "list")
        case slice():
            parts = (None if p is None else to_expr(p) for p in (value.start, value.stop, value.step))
            return Slice(*parts)
        case type():
            return Var(value.__name__)
    if value is Ellipsis:
        return Const(...)
    raise TypeError(f"a rule may not use the value {value!r} in its result")


def is_zeros(x: Any) -> bool:
    """Whether a value is written as `np.zeros_like(...)`: the cotangent of a part that nobody reads."""
    return isinstance(x, Sym) and isinstance(x.expr, Op) and x.expr.fn == "numpy.zeros_like"


def is_literal(value: Any) -> bool:
    """Whether nothing in a value from `to_value` is symbolic."""
    if isinstance(value, tuple | list):
        return all(is_literal(v) for v in value)
    return not isinstance(value, Sym)


def is_open(axis: Any) -> bool:
    """Whether an axis is chosen at run time and may be None or a tuple of axes: it is not known to be one number."""
    return isinstance(axis, Sym) and ndim(axis) != 0


def to_value(e: Expr, facts: Facts) -> Any:
    """What an option is in a rule: the Python value of a literal, a list or tuple of such, else a symbol."""
    match e:
        case Const():
            return e.value
        case Op(fn="numpy.negative", args=(Const(value=int() | float() as v),)):
            return -v
        case Op(fn="numpy.positive", args=(Const(value=int() | float() as v),)):
            return v
        case Sequence(kind="tuple") if not e.starred:
            return tuple(to_value(i, facts) for i in e.items)
        case Sequence(kind="list") if not e.starred:
            return [to_value(i, facts) for i in e.items]
    return Sym(e, facts)


def to_symbol(e: Expr, facts: Facts) -> Any:
    """What an operand is in a rule: a symbol, also for a literal (`np.log(2.0)` stays); displays become lists."""
    match e:
        case Const(value=None):
            return None
        case Sequence(kind="tuple" | "list") if not e.starred:
            items = [to_symbol(i, facts) for i in e.items]
            return items if e.kind == "list" else tuple(items)
    return Sym(e, facts)


# ---------------------------------------------------------------- what a rule may ask


def is_option(value: Any, number: float) -> bool:
    """Whether an option is written as this number; a symbol is not known to be."""
    return isinstance(value, int | float) and value == number


def is_traced(*values: Any) -> bool:
    return any(isinstance(v, Sym) or (isinstance(v, tuple | list) and is_traced(*v)) for v in values)


def facts_of(*values: Any) -> Facts:
    for v in values:
        if isinstance(v, Sym):
            return v.facts
        if isinstance(v, tuple | list) and is_traced(*v):
            return facts_of(*v)
    return NO_FACTS


def ndim(a: Any) -> int | None:
    """The rank of an operand: always known for arrays, None for a symbol of unknown rank."""
    if isinstance(a, Sym):
        return 0 if a.facts.is_scalar(a.expr) else a.facts.ndim(a.expr)
    if isinstance(a, tuple | list) and is_traced(*a):
        inner = ndim(a[0])
        return None if inner is None else inner + 1
    return int(np.ndim(a))


def literal(a: Any) -> Any:
    """The number that an operand is, where it is written as a literal; else None."""
    if isinstance(a, Sym):
        value = to_value(a.expr, a.facts)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None
    return a if isinstance(a, int | float) and not isinstance(a, bool | np.generic) else None


def fraction(a: Any) -> tuple[float, float] | None:
    """The two numbers of an operand that is written as their quotient, `1.0 / 3.0`."""
    found = ask(a, "quotient") if isinstance(a, Sym) else None
    return found if isinstance(found, tuple) else None


def quotient(n: float, d: float, like: Any) -> Any:
    """n / d as a person writes it: where `like` is traced, as the quotient of the two."""
    return like.make(Op("numpy.divide", (Const(n), Const(d)), form=Form.OPERATOR)) if isinstance(like, Sym) else n / d


def is_integer(a: Any) -> bool:
    """Whether an operand is known to be a whole number."""
    return a.facts.is_integer(a.expr) if isinstance(a, Sym) else isinstance(a, int)


def is_scalar(a: Any) -> bool:
    """Whether an operand is known to have rank 0."""
    return ndim(a) == 0


def pi(like: Any) -> Any:
    """math.pi, by its name where `like` is traced."""
    return like.make(Attribute(Var("math"), "pi")) if isinstance(like, Sym) else math.pi


def is_finite(a: Any) -> bool:
    """Whether an operand is known to be a finite number: a literal, or a constant of the module that is one."""
    value = literal(a)
    if value is None:
        return isinstance(a, Sym) and ask(a, "is_finite") is True
    return math.isfinite(value)


def pick(condition: Any, a: Any, b: Any) -> Any:
    """np.where(condition, a, b), and `a if condition else b` where all are scalars: np.where makes a 0-d array."""
    if is_traced(condition, a, b) and all(is_scalar(v) for v in (condition, a, b)):
        args = (to_expr(condition), to_expr(a), to_expr(b))
        return Sym(Op("operator.ifexp", args, form=Form.OPERATOR), facts_of(condition, a, b))
    return np.where(condition, a, b)


def is_list(a: Any) -> bool:
    """Whether an operand is known to be a list or tuple, whose cotangent is a list."""
    return ask(a, "is_list") is True if isinstance(a, Sym) else isinstance(a, list | tuple)


def is_array(a: Any) -> bool:
    """Whether an operand is known to be a NumPy array or NumPy scalar."""
    return ask(a, "is_array") is True if isinstance(a, Sym) else isinstance(a, np.ndarray | np.generic)


def may_be_list(a: Any) -> bool:
    """Whether an operand is what the caller gives, and may be a list, though it is used as an array is."""
    return ask(a, "may_be_list") is True if isinstance(a, Sym) else isinstance(a, list | tuple)


def is_sparse(a: Any) -> bool:
    """Whether an operand is known to be a sparse matrix of SciPy."""
    return ask(a, "is_sparse") is True if isinstance(a, Sym) else hasattr(a, "tocsr")


def ask(a: Sym, question: str) -> Any:
    """What the facts say of a symbol, None where they do not know the question."""
    answer = getattr(a.facts, question, None)
    return answer(a.expr) if answer else None


def is_real(a: Any) -> bool:
    """Whether an operand is known to be real."""
    return ask(a, "is_real") is not False if isinstance(a, Sym) else not np.iscomplexobj(a)


def length(a: Any) -> Any:
    """len(a)"""
    return Sym(Op("builtins.len", (a.expr,)), a.facts) if isinstance(a, Sym) else len(a)


def dims(a: Any) -> tuple[object, ...] | None:
    """The lengths of the axes of an operand: numbers for arrays, what is known for symbols."""
    if isinstance(a, Sym):
        found = ask(a, "dims")
        return tuple(found) if isinstance(found, tuple) else None
    return tuple(np.shape(a))


def listed(a: Any) -> Any:
    """list(a)"""
    return Sym(Op("builtins.list", (a.expr,)), a.facts) if isinstance(a, Sym) else list(a)


def call(fn: str, *args: Any, like: Any = None, **options: Any) -> Any:
    """A call of a function that NumPy's protocols do not see (`math.exp`, `np.linspace`), or the call's value.

    It is text where an argument or `like` is traced.
    """
    if is_traced(like, *args, *options.values()):
        return Sym(operation(fn, [to_expr(a) for a in args], options), facts_of(like, *args, *options.values()))
    return resolve(fn)(*args, **options)


IMPORTED = {
    "numpy": np,
    "math": math,
    "cmath": cmath,
    "bisect": bisect,
    "builtins": builtins,
    "copy": copy,
    "helper": helpers,
}


def resolve(fn: str) -> Any:
    """The function of a canonical name. Raises AttributeError where there is none: a typo in a key fails at import."""
    module, *path = fn.split(".")
    if module == "scipy" and len(path) > 1:
        value: Any = importlib.import_module(f"scipy.{path.pop(0)}")
        if path[0] == "linalg":  # scipy.sparse.linalg
            value = importlib.import_module(f"{value.__name__}.{path.pop(0)}")
    else:
        value = IMPORTED[module]
    for name in path:
        value = getattr(value, name)
    return value


class _Module:
    """A module for rules: `m.exp(x)` is a call on a symbol and the value on a number."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **options: call(f"{self.name}.{name}", *args, **options)


class _Carried:
    """The functions of `s2s.helpers` for rules: a call of one on a symbol becomes a call in the generated text."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(helpers, name)

        def carried(*args: Any, **options: Any) -> Any:
            if is_traced(*args, *options.values()):
                return Sym(operation("helper." + name, [to_expr(a) for a in args], options), facts_of(*args))
            return function(*args, **options)

        return carried


m = _Module("math")
special = _Module("scipy.special")
scipy_linalg = _Module("scipy.linalg")
scipy_sparse_linalg = _Module("scipy.sparse.linalg")
h = _Carried()
