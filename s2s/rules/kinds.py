"""The kinds of derivative rule. One entry of the table gives both modes.

The key is the call as a user writes it, with the options that are supported. Then follows one function per operand,
the linear action on `g`, which is the operand's tangent going forward and the result's cotangent going back. Its
parameters are bound by name: `g`, `out` (the result), `item` (the position inside a list argument), and the names of
the key. None stands for a parameter without derivative.

    elementwise   the Jacobian is diagonal; the engine sums over broadcast axes
    reduction     elementwise, with `g` and `out` expanded to x; forward sums the same product over the axes
    linear        forward is the call itself on the tangents; only the transpose is written
    multilinear   forward is the sum of the calls with one operand replaced
    general       both directions are written
    constant      the derivative is zero, or there is none
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, reduce
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from s2s import ir
from s2s.ir import Const, Expr, Form, Op, Sequence, Var
from s2s.rules.tracing import (
    IMPORTED,
    NO_FACTS,
    BranchError,
    Facts,
    NoLiteralError,
    RuleError,
    Sym,
    h,
    is_literal,
    is_number,
    is_scalar,
    is_traced,
    ndim,
    pick,
    resolve,
    to_expr,
    to_symbol,
    to_value,
)

Part = Callable[..., Any]
Path = int | tuple[int, ...] | None
NAMESPACES = {"np": "numpy", "math": "math", "cmath": "cmath", "sp": "scipy"}
MODULES = (*IMPORTED, "scipy")
MISSING = object()


def not_called(*args: Any, **options: Any) -> Any:
    """Stands for a function of a user's own module, which is never imported."""
    raise TypeError("a function of a user's own module has no value here")


@dataclass(frozen=True, slots=True)
class Operand:
    """A differentiable operand of one call: a parameter of the key, or an item of its list argument."""

    name: str
    item: Path = None
    expr: Expr = field(default=ir.NONE, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call whose arguments are bound to the names of its rule's key."""

    rule: Rule
    op: Op
    values: dict[str, Expr]
    operands: tuple[Operand, ...]
    results: tuple[str, ...] = ()  # the names of the parts of a tuple result

    @property
    def parts(self) -> tuple[int, ...]:
        """The positions in the result that carry a derivative."""
        return tuple(i for i, n in enumerate(self.results) if n in self.rule.smooth)

    def scope(self, facts: Facts) -> dict[str, Any]:
        return {n: self.rule.enter(n, e, facts) for n, e in self.values.items()}


SEVERAL = frozenset(["arrays", "choices", "choicelist"])  # parameters that take a list of arrays
DISPLAYED = frozenset(["numpy.array", "numpy.asarray", "numpy.sum"])  # functions whose rules know lists


class Rule:
    """An entry of the table.

    `results` names the parts of the result of a function that returns several, and `smooth` those of them that carry a
    derivative. In the actions of such a rule `out` is a tuple, and `g` of a `vjp` is a tuple with None for the parts
    whose cotangent is zero. The `jvp` returns the tuple of tangents, or a helper's call that does; `wanted` says which
    of them are read.
    """

    kind = ""
    adjoint = False  # whether the actions give the adjoint for Re(conj(a) b), not the transpose: `for_complex`

    def __init__(
        self,
        key: str,
        *actions: Part | None,
        at: str = "",
        domain: Any = (-2.0, 2.0),
        check: Callable[[dict[str, Any]], str | None] | None = None,
        results: tuple[str, ...] | Callable[[dict[str, Any]], tuple[str, ...]] = (),
        smooth: tuple[str, ...] = (),
        closed: dict[str, str] | None = None,
        analytic: bool = True,
        also: dict[str, str] | None = None,
        ignored: tuple[str, ...] = (),
        within: dict[str, int] | None = None,
        ranks: dict[str, int | tuple[int, ...]] | None = None,
    ) -> None:
        """Read the key.

        at: sample calls for the tests, separated by `;`, over the names of `tests/test_rules.py`.
        domain: the interval of the samples of an elementwise function, or one per parameter.
        check: says what is wrong with the options of a call, or None.
        results: the names of the parts of a tuple result, where they depend on the options as a function of them.
        smooth: those parts that carry a derivative; without it, all.
        closed: parameters that have a derivative which is not given, so that they must not be active: why, for each.
        analytic: False where the complex step is no reference.
        also: other keywords of the function for parameters of the key.
        ignored: options that say how the function computes, not what.
        within: for parameters that are tuples, the one item that carries a derivative.
        ranks: what the rule takes parameters to be: 0 for numbers, 1 for vectors, 2 for matrices. Others are refused,
            and where the rank is not known, the output asserts it: the first one, where a rule takes several.

        Parameters of the key behind a bare `*` are given by keyword only.
        """
        callee, _, arguments = key.rstrip(")").partition("(")
        self.fn = named(callee)
        self.key = key
        positional, _, by_keyword = arguments.partition("*, ")
        pairs = [a.partition("=") for a in (positional + by_keyword).split(", ") if a]
        self.star = next((n[1:] for n, _, _ in pairs if n.startswith("*")), "")
        self.names = tuple(n.lstrip("*") for n, equals, _ in pairs if not equals)
        self.defaults = {n: constant_of(text) for n, equals, text in pairs if equals}
        self.params = self.names + tuple(self.defaults)
        self.positional = len(self.params) - len([a for a in by_keyword.split(", ") if a])
        self.actions = dict(zip(self.params, actions, strict=False))
        self.at, self.domain, self.check = at, domain, check
        self.results, self.closed = results, closed or {}
        self.smooth = smooth or (() if callable(results) else results)
        self.analytic = analytic
        self.also, self.ignored, self.within = also or {}, ignored, within or {}
        self.ranks = {n: r if isinstance(r, tuple) else (r,) for n, r in (ranks or {}).items()}
        self.renames: dict[str, str] = {}
        if unknown := (self.ranks.keys() | self.closed.keys() | self.within.keys()) - set(self.params):
            raise ValueError(f"{key} has no parameter {', '.join(sorted(unknown))}")

    def __repr__(self) -> str:
        return f"{self.kind}({self.key!r})"

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function itself; one of a user's own module stays text. Raises AttributeError where there is none."""
        found: Callable[..., Any] = resolve(self.fn) if self.fn.partition(".")[0] in MODULES else not_called
        return found if callable(found) else found.__getitem__  # np.c_

    # ------------------------------------------------------------ arguments

    def arguments(self, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        """Arguments by the names of the key, those left out by their defaults. Raises RuleError."""
        if self.star:
            before = self.names.index(self.star)
            values = dict(zip(self.names[:before], args, strict=False)) | {self.star: list(args[before:])}
            if self.star and len(args) < before:
                raise RuleError(f"`{self.spelled}` lacks an argument")
        else:
            if len(args) > self.positional:
                raise RuleError(f"`{self.spelled}` is supported with at most {self.positional} positional arguments")
            values = dict(zip(self.params, args, strict=False))
        for given, value in options.items():
            if given in self.ignored:
                continue
            name = given if given in self.params else self.spelling(given)
            if name not in self.params:
                raise RuleError(f"the option `{given}` of `{self.spelled}` is not supported")
            if name in values:
                raise RuleError(f"`{self.spelled}` got `{name}` twice")
            values[name] = value
        for name in self.names:
            if name not in values:
                raise RuleError(f"`{self.spelled}` lacks its argument `{name}`")
        return {n: values.get(n, MISSING) for n in self.params}

    def spelling(self, keyword: str) -> str:
        """The parameter of the key that a keyword means: the function may have another name for it."""
        if keyword in self.also:
            return self.also[keyword]
        try:
            names = list(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return keyword
        at = names.index(keyword) if keyword in names else self.positional
        return self.params[at] if at < self.positional and not self.star else keyword

    @property
    def spelled(self) -> str:
        return self.fn.replace("numpy.", "np.").removeprefix("builtins.").removeprefix(OWN)

    def enter(self, name: str, e: Expr, facts: Facts) -> Any:
        """An argument as the rule sees it: a symbol for an operand, a Python value for an option."""
        value = to_symbol(e, facts) if self.actions.get(name) else to_value(e, facts)
        return list(value) if name == self.star else value

    def bind(self, op: Op) -> Call:
        """The arguments of a call by the names of the key.

        Raises RuleError with a sentence that names the option or argument that is not supported.
        """
        for a in op.args:
            if isinstance(a, Sequence) and a.starred:
                raise RuleError(f"an argument of `{self.spelled}` holds a starred item: extend a list before")
        bound = self.arguments(op.args, dict(op.options))
        values: dict[str, Expr] = {}
        for name, value in bound.items():
            if value is MISSING:
                value = to_expr(self.defaults[name])
            elif name == self.star:
                value = Sequence(tuple(value), "list")
            values[name] = value
        scope = {n: self.enter(n, e, NO_FACTS) for n, e in values.items()}
        with self.by_literals(scope):
            self.verify(scope)
            operands = tuple(
                Operand(o.name, o.item, e)
                for o, v in self.find_operands(scope)
                if not isinstance(e := to_expr(v), Const)
            )
            return Call(self, op, values, operands, self.results_of(scope))

    @contextmanager
    def by_literals(self, scope: dict[str, Any]) -> Iterator[None]:
        """Raises NoLiteralError where the rule chooses by an option that is known at run time only."""
        try:
            yield
        except BranchError:
            if not (names := [n for n, v in scope.items() if self.actions.get(n) is None and not is_literal(v)]):
                raise
            literals = ", ".join(f"`{n}`" for n in names)
            raise NoLiteralError(f"`{self.spelled}` is supported with a literal {literals}") from None

    def is_sum_in(self, name: str) -> bool:
        """Whether the derivative in a parameter is one, as in the terms of a sum: `a` of `a % b`."""
        part, g = self.actions.get(name), Sym(ir.Var("g"))
        return part is not None and names_of(part) == ("g",) and part(g) is g

    def carriers(self, op: Op) -> Iterator[Expr]:
        """The arguments that a derivative may come through; axes, shifts, masks and shapes carry none.

        Those whose derivative is not given (`closed`) do, so that they are refused where they vary. Raises RuleError.
        """
        for name, value in self.arguments(op.args, dict(op.options)).items():
            if value is not MISSING and (self.actions.get(name) is not None or name in self.closed):
                yield from value if isinstance(value, list) else (value,)

    def single(self, op: Op, plain: bool = False) -> Iterator[Expr]:
        """The arguments that the rule takes for one array each, so that a list for one is an array first.

        plain: the lists hold literals only, of which elementwise functions and sums make arrays themselves. Raises
        RuleError.
        """
        if self.fn in DISPLAYED or (plain and self.kind in ("elementwise", "reduction")):
            return
        for name, value in self.arguments(op.args, dict(op.options)).items():
            if value is not MISSING and self.actions.get(name) is not None and name not in self.within:
                if name not in SEVERAL:
                    yield from value if isinstance(value, list) else (value,)
                elif isinstance(value, Sequence) and self.fn != "numpy.block":
                    yield from value.items

    def results_of(self, scope: dict[str, Any]) -> tuple[str, ...]:
        """The names of the parts of the result, where it is a tuple."""
        return self.results(scope) if callable(self.results) else self.results

    @property
    def converts(self) -> bool:
        """Whether its dtype has to be one of floats."""
        return self.check is keeps_floats

    def verify(self, scope: dict[str, Any]) -> None:
        """Raises RuleError where the rule does not cover these options."""
        if self.check and (problem := self.check(scope)):
            raise RuleError(problem)

    def find_operands(self, scope: dict[str, Any]) -> Iterator[tuple[Operand, Any]]:
        """Operands and their values, in the order of the arguments; those inside lists one by one."""
        for name in self.params:
            if self.actions.get(name) is not None and scope[name] is not None:
                if isinstance(scope[name], list | tuple):
                    for path, value in leaves(scope[name]):
                        if name in self.within and path != (self.within[name],):
                            continue
                        yield Operand(name, path[0] if len(path) == 1 else path), value
                elif name in self.within:
                    raise RuleError(
                        f"`{self.spelled}` is supported with `{name}` written as a tuple, or unpacked from a call"
                    )
                else:
                    yield Operand(name), scope[name]

    # ------------------------------------------------------------ on expressions

    def vjp(self, call: Call, operand: Operand, g: Expr, out: Expr, facts: Facts = NO_FACTS) -> Expr:
        """What the cotangent `g` of the result contributes to an operand's cotangent.

        Of a tuple result, `g` and `out` are displays; None stands for a cotangent that is zero.
        """
        inside = to_symbol if call.results else Sym
        scope = self.numbers(call, facts)
        with self.by_literals(scope):
            return self.leave(self.pull(scope, operand, inside(g, facts), inside(out, facts)), (*call.op.args, g, out))

    def jvp(
        self,
        call: Call,
        dots: dict[Operand, Expr],
        out: Expr,
        facts: Facts = NO_FACTS,
        wanted: tuple[bool, ...] = (),
    ) -> Expr:
        """The tangent of the result from the operands' tangents; an operand that is not there has none.

        Of a tuple result it is a display, or one expression whose value is a tuple; what is not `wanted` may be None.
        """
        scope = self.numbers(call, facts) | {"wanted": wanted or (True,) * len(call.results)}
        result = to_symbol(out, facts) if call.results else Sym(out, facts)
        with self.by_literals(scope):
            given = (*call.op.args, *dots.values(), out)
            return self.leave(self.push(scope, {o: Sym(d, facts) for o, d in dots.items()}, result, call.op), given)

    def numbers(self, call: Call, facts: Facts) -> dict[str, Any]:
        scope = call.scope(facts)
        for name, taken in self.ranks.items():
            value = scope[name]
            if name in self.within:
                value = value[self.within[name]] if isinstance(value, tuple | list) else None
            if value is not None and (found := ndim(value)) is not None and found not in taken:
                ranks = " or ".join(map(str, taken))
                raise RuleError(f"`{self.spelled}` is supported with `{name}` of rank {ranks}, and it has rank {found}")
        return scope

    def ranked(self, op: Op) -> Iterator[tuple[Expr, int]]:
        """The arguments of a call that are taken to have a rank, with that rank."""
        if self.ranks:
            values = self.bind(op).values
            for n, taken in self.ranks.items():
                value = values[n]
                if n in self.within:  # of a tuple: the item that carries a derivative, where it is written out
                    if not isinstance(value, ir.Sequence) or len(value.items) <= self.within[n]:
                        continue
                    value = value.items[self.within[n]]
                if value != ir.NONE:
                    yield value, taken[0]

    def leave(self, value: Any, given: tuple[Expr, ...]) -> Expr:
        """What a rule has made of the given expressions, which keep the functions that they call."""
        e = to_expr(value)
        if not self.renames:
            return e
        kept = {n for g in given for n in ir.walk(g) if isinstance(n, Op) and n.fn in self.renames}
        return rename(e, self.renames, kept)

    def linear_in(self, call: Call) -> bool:
        """Whether the tangent of the result reads tangents only."""
        return self.kind in ("linear", "constant")

    # ------------------------------------------------------------ on values: arrays or symbols

    def pull(self, scope: dict[str, Any], operand: Operand, g: Any, out: Any) -> Any:
        return run(self.action(operand), scope | {"g": g, "out": out, "item": operand.item})

    def push(self, scope: dict[str, Any], dots: dict[Operand, Any], out: Any, op: Op | None = None) -> Any:
        raise NotImplementedError

    def action(self, operand: Operand) -> Part:
        part = self.actions[operand.name]
        assert part is not None
        return part

    def again(self, scope: dict[str, Any], op: Op | None) -> Any:
        """The same call on other operands: options at their defaults are left out, the way of writing is kept."""
        args: list[Any] = []
        for name in self.names:
            args += list(scope[name]) if name == self.star else [scope[name]]
        options = {n: scope[n] for n in self.defaults if not same(scope[n], self.defaults[n])}
        if not is_traced(*args, *options.values()):
            return self.function(*args, **options)
        form: Form = op.form if op and op.form in (Form.OPERATOR, Form.ATTRIBUTE, Form.SUBSCRIPT) else Form.CALL
        if op and op.form is Form.METHOD and op.fn == "numpy.dot" and to_expr(args[0]) == op.args[0]:
            form = Form.METHOD  # A.dot(x) of a sparse A is no np.dot(A, x)
        spelling = op.spelling if op and op.form is not Form.METHOD and op.spelling != "+=" else ""
        args_, pairs = tuple(to_expr(a) for a in args), tuple((k, to_expr(v)) for k, v in options.items())
        return Sym(Op(self.fn, args_, pairs, form, spelling))


@cache
def constant_of(text: str) -> Any:
    """The value of a default in a key."""
    return ast.literal_eval(text)


def same(a: Any, b: Any) -> bool:
    """Equality of option values that tells 0 from False and never compares arrays or symbols."""
    return type(a) is type(b) and not isinstance(a, Sym | np.ndarray) and bool(a == b)


def leaves(value: list[Any] | tuple[Any, ...], path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    for i, v in enumerate(value):
        if isinstance(v, list | tuple):
            yield from leaves(v, (*path, i))
        else:
            yield (*path, i), v


def replace_leaf(value: Any, path: Path, new: Any) -> Any:
    """A nested list with one item replaced."""
    if path is None or path == ():
        return new
    first, rest = (path, ()) if isinstance(path, int) else (path[0], path[1:])
    items = [replace_leaf(v, rest, new) if i == first else v for i, v in enumerate(value)]
    return tuple(items) if isinstance(value, tuple) else items


def run(part: Part, scope: dict[str, Any]) -> Any:
    """Call an action with what its parameters name."""
    return part(**{n: scope[n] for n in names_of(part)})


def names_of(part: Part) -> tuple[str, ...]:
    """The parameters of an action; one that is made of another says so itself, as `reads`."""
    own: tuple[str, ...] | None = getattr(part, "reads", None)
    return own if own is not None else part.__code__.co_varnames[: part.__code__.co_argcount]


def total(terms: list[Any]) -> Any:
    return reduce(lambda a, b: a + b, terms)


def projected(gradient: Any, dot: Any) -> Any:
    """The change of a real value along dot."""
    return np.real(np.conj(gradient) * dot)


def rename(e: Expr, names: dict[str, str], kept: Set[Expr]) -> Expr:
    """Functions of an expression replaced by others of the same meaning: `np.cos` by `math.cos`."""
    if e in kept:
        return e
    e = ir.rebuild(e, lambda c: rename(c, names, kept))
    if isinstance(e, Op) and e.fn in names and e.form is Form.CALL:
        return Op(names[e.fn], e.args, e.options, e.form)
    return e


def is_constant(value: Any) -> bool:
    return isinstance(value.expr, Const) if isinstance(value, Sym) else isinstance(value, int | float)


def zero_like(value: Any) -> Any:
    """A zero tangent of an operand that has none."""
    return 0.0 if is_constant(value) or is_scalar(value) else np.zeros_like(value)


UFUNC_OPTIONS = ("where", "out", "dtype")
FLOATS = (None, float, complex, "float", "float64", "float32", "d", "f", "complex", "complex64", "complex128")
COMPLEX_DTYPES = ("complex", "complex64", "complex128", "cdouble", "csingle")

FLOAT_NAMES = ("float", "float64", "float32", "dtype", "longdouble", *COMPLEX_DTYPES)  # of variables and attributes
FLOAT_TYPES = frozenset(n for n in (*FLOATS, *FLOAT_NAMES) if isinstance(n, str) and n != "dtype")
NO_CONVERSION = "a conversion to this dtype is not supported: only to a floating-point type"


def is_inexact_literal(e: Expr) -> bool:
    return isinstance(e, Const) and isinstance(e.value, float | complex)


def keeps_floats(scope: dict[str, Any]) -> str | None:
    """A conversion to a floating-point type is the identity; one to integers has no derivative, and is refused."""
    dtype = scope.get("dtype")
    made = to_expr(dtype) if isinstance(dtype, Sym) else None
    if isinstance(made, Op) and made.fn == "numpy.result_type":
        wide = [to_expr(v) for k, v in scope.items() if isinstance(v, Sym) and k != "dtype"]
        if any(a in wide or is_inexact_literal(a) for a in made.args):
            return None
    elif made is None:
        if dtype in FLOATS:
            return None
    elif isinstance(made, Var) and made.name not in ("int", "bool"):
        return None  # which types a variable may be is asked of the facts: `derive.phrases.bind`
    elif getattr(made, "name", "") in FLOAT_NAMES:
        return None
    return NO_CONVERSION


class Elementwise(Rule):
    kind = "elementwise"

    def __init__(
        self, key: str, *actions: Part | None, jvp: Part | None = None, gradient: bool = False, **more: Any
    ) -> None:
        """jvp: the whole tangent in one expression, where that is shorter than the sum; `x_dot` is the tangent of x.

        gradient: the result is real and the operand complex; its tangent is Re(conj(action(1)) x_dot).
        """
        super().__init__(key, *actions, **more)
        self.whole = jvp
        self.gradient = gradient

    def arguments(self, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        """The options of a ufunc are not in its key: `where` with the array `out` whose elements stay, and `dtype`."""
        own = {n: v for n, v in options.items() if n in UFUNC_OPTIONS and isinstance(self.function, np.ufunc)}
        return super().arguments(args, {n: v for n, v in options.items() if n not in own}) | own

    def taken(self, scope: dict[str, Any], value: Any) -> Any:
        """`value` where the function is evaluated, else 0."""
        where = scope.get("where", True)
        return value if where is True or "where" in self.params else pick(where, value, 0.0)

    def verify(self, scope: dict[str, Any]) -> None:
        super().verify(scope)
        if scope.get("where", True) is not True and "out" not in scope and "where" not in self.params:
            raise RuleError(f"`{self.spelled}` with `where` and without `out` leaves elements unset")
        if isinstance(self.function, np.ufunc) and (problem := keeps_floats(scope)):
            raise RuleError(problem)
        for name, value in scope.items():
            if name != self.star and self.actions.get(name) and isinstance(value, list | tuple):
                raise RuleError(f"`{self.spelled}` of a list display is not supported: write np.array([...])")

    def pull(self, scope: dict[str, Any], operand: Operand, g: Any, out: Any) -> Any:
        if self.results:  # one of them is smooth
            g = next(x for x in g if x is not None)
        return self.taken(scope, super().pull(scope, operand, g, out))

    def push(self, scope: dict[str, Any], dots: dict[Operand, Any], out: Any, op: Op | None = None) -> Any:
        if self.results:
            tangent = total([super(Elementwise, self).pull(scope, o, d, out) for o, d in dots.items()])
            return tuple(tangent if n in self.smooth else None for n in self.results_of(scope))
        if self.whole:
            given = {f"{n}_dot": 0.0 for n in self.actions} | {f"{o.name}_dot": d for o, d in dots.items()}
            return self.taken(scope, run(self.whole, scope | given | {"out": out}))
        if self.gradient:
            return total([projected(self.pull(scope, o, 1.0, out), d) for o, d in dots.items()])
        return total([self.pull(scope, o, d, out) for o, d in dots.items()])


def expanded(e: Any, axis: Any) -> Any:
    """np.expand_dims(e, axis), as far as broadcasting needs it; `e[:, None]` of what is known to be an array."""
    rank = ndim(e) if isinstance(e, Sym) else None
    if not rank:
        return np.expand_dims(e, axis)
    axes = axis if isinstance(axis, tuple) else (axis,)
    whole = rank + len(axes)
    new = {a % whole for a in axes}
    if new == set(range(len(new))):
        return e  # broadcasting puts these in front
    if rank > 1 and min(new) >= rank:
        return e[(..., *(None for _ in axes))]
    return e[tuple(None if i in new else slice(None) for i in range(max(new) + 1))]


class Reduction(Rule):
    kind = "reduction"

    def __init__(
        self, key: str, *actions: Part | None, recall: bool = False, gradient: bool = False, **more: Any
    ) -> None:
        """recall: the function is linear, so its tangent is the function of the tangent.

        gradient: the result is real and the operand complex; its tangent is a sum of Re(conj(action(1)) x_dot).
        """
        super().__init__(key, *actions, **more)
        self.recall = recall
        self.gradient = gradient

    def expand(self, call: Call, e: Expr, facts: Facts = NO_FACTS) -> Expr:
        """A value of the result's shape with the reduced axes back, so that it broadcasts against the operand."""
        return to_expr(self.widen(self.numbers(call, facts), Sym(e, facts)))

    def widen(self, scope: dict[str, Any], e: Any) -> Any:
        axis, keepdims = scope["axis"], scope.get("keepdims", False)
        if is_literal(keepdims) and keepdims:
            return e
        if not is_literal(axis) or not is_literal(keepdims):
            return h._expand(e, axis, keepdims)
        return e if axis is None else expanded(e, axis)

    def verify(self, scope: dict[str, Any]) -> None:
        super().verify(scope)
        if isinstance(scope[self.names[0]], list | tuple):
            raise RuleError(f"`{self.spelled}` of a list display is not supported: write np.array([...])")

    def linear_in(self, call: Call) -> bool:
        return self.recall

    def push(self, scope: dict[str, Any], dots: dict[Operand, Any], out: Any, op: Op | None = None) -> Any:
        ((operand, dot),) = dots.items()
        if self.recall:
            return self.again(scope | {operand.name: dot} | {n: self.defaults[n] for n in self.closed}, op)
        wide, one = self.widen(scope, out), self.gradient
        product = projected(self.pull(scope, operand, 1.0, wide), dot) if one else self.pull(scope, operand, dot, wide)
        plain = {"axis": None, "keepdims": False}
        return np.sum(product, **{n: scope[n] for n, v in plain.items() if n in scope and not same(scope[n], v)})


class Linear(Rule):
    kind = "linear"

    def push(self, scope: dict[str, Any], dots: dict[Operand, Any], out: Any, op: Op | None = None) -> Any:
        swapped = dict(scope)
        for operand, value in self.find_operands(scope):
            if operand not in dots and operand.name in self.defaults and is_constant(value):
                neutral = self.defaults[operand.name]  # a number that is added has no tangent
                swapped[operand.name] = 0.0 if neutral is None else neutral
                continue
            dot = dots[operand] if operand in dots else zero_like(value)
            swapped[operand.name] = replace_leaf(swapped[operand.name], operand.item, dot)
        return self.again(swapped, op)


class Multilinear(Rule):
    kind = "multilinear"

    def push(self, scope: dict[str, Any], dots: dict[Operand, Any], out: Any, op: Op | None = None) -> Any:
        terms = []
        for operand, dot in dots.items():
            swapped = replace_leaf(scope[operand.name], operand.item, dot)
            terms.append(self.again(scope | {operand.name: swapped}, op))
        return total(terms)


class MissingMode(RuleError):
    """A derivative is asked for in the mode that a rule does not have."""

    code = "S306"
    help = ("give the rule both `jvp=` and `vjp=`",)


def no_reverse() -> Any:
    raise MissingMode("its rule has no reverse part")


class General(Rule):
    kind = "general"

    def __init__(
        self,
        key: str,
        *,
        jvp: Part | list[Part | None] | None = None,
        vjp: list[Part | None] | None = None,
        **more: Any,
    ) -> None:
        """jvp: one function per operand, or one for all, where `x_dot` is the tangent of x, None if it has none; those
        of a starred parameter are a list.

        A rule that has only one of the two modes is refused in the other.
        """
        whole = None if jvp is None or isinstance(jvp, list) else jvp
        forward = jvp if isinstance(jvp, list) else []
        if vjp is None:  # an operand is what the forward part takes
            params = Rule(key).params
            of_whole = [f"{p}_dot" in names_of(whole) for p in params] if whole else []
            vjp = [no_reverse if has else None for has in of_whole or (p is not None for p in forward)]
        super().__init__(key, *vjp, **more)
        self.whole = whole
        self.forward = dict(zip(self.params, forward, strict=False))

    def push(self, scope: dict[str, Any], dots: dict[Operand, Any], out: Any, op: Op | None = None) -> Any:
        if self.whole:
            given = {f"{n}_dot": None for n in self.actions} | {f"{o.name}_dot": d for o, d in dots.items()}
            if given.get(f"{self.star}_dot") is not None:  # a list, as long as that of the arguments
                given[f"{self.star}_dot"] = [dots.get(Operand(self.star, i)) for i in range(len(scope[self.star]))]
            return run(self.whole, scope | given | {"out": out})
        terms = []
        for operand, dot in dots.items():
            part = self.forward.get(operand.name)
            if part is None:
                raise MissingMode(f"its rule has no forward part for `{operand.name}`")
            terms.append(run(part, scope | {"g": dot, "out": out, "item": operand.item}))
        return total(terms)


class Solver(Rule):
    """A function that calls one of the user's, its first argument, at points of its own choice.

    What its derivative is made of, the derivatives of that function, is not known here: `derive/solvers.py`.
    """

    kind = "solver"

    def __init__(
        self,
        key: str,
        equation: str,
        *,
        functions: tuple[str, ...] = (),
        part: str = "",
        place: str = "",
        **more: Any,
    ) -> None:
        """part: the attribute of the result that is the solution, where the result is an object.

        place: the attribute that is where the least value is, of an optimum: there the gradient of f is zero.

        equation: of what the result x is the solution, for a function f(x, ...):

            "root"      f(x, ...) = 0
            "fixed"     f(x, ...) = x
            "integral"  x = integral of f(t, ...) from a to b, the second and third argument
            "optimum"   x is the least value of f(z, ...) over z
            "initial"   x' = f(t, x, ...), at the times of the result, from t_span[0] and y0, second and third argument

        functions: other parameters that are functions of the same arguments, as `fprime`.
        """
        super().__init__(key, **more)
        self.equation = equation
        self.part, self.place = part, place
        self.functions = (self.names[0], *functions)

    def arguments(self, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        return super().arguments(args, {n: v for n, v in options.items() if n != ir.SOLUTION})

    def parts(self) -> tuple[str, ...]:
        """The attributes of the result that have a derivative."""
        return tuple(filter(None, (self.place, self.part)))

    def is_place(self, op: Op) -> bool:
        """Whether a call is that of the place of the optimum, `minimize(f, x0).x`."""
        return bool(self.place) and op.form is Form.PART and op.spelling.endswith(f".{self.place}")


class Constant(Rule):
    kind = "constant"

    def bind(self, op: Op) -> Call:
        """Any arguments: nothing of the call carries a derivative."""
        return Call(self, op, dict(zip(self.params, op.args, strict=False)) if self.closed else {}, ())


# ---------------------------------------------------------------- partial derivatives and Jacobians


class Slope:
    """The action of a partial derivative: `g` times it."""

    def __init__(self, slope: Part) -> None:
        self.slope = slope
        self.reads = ("g", *names_of(slope))

    def __call__(self, g: Any, **scope: Any) -> Any:
        return self.slope(**scope) * g


class Contracted:
    """The action of a Jacobian, an array with the axes of the result, then those of the operand `x`."""

    def __init__(self, matrix: Part, operand: str, forward: bool) -> None:
        self.matrix, self.operand, self.forward = matrix, operand, forward
        self.names = names_of(matrix)
        self.reads = tuple(dict.fromkeys(("g", operand, *self.names)))

    def __call__(self, g: Any, **scope: Any) -> Any:
        x, matrix = scope[self.operand], self.matrix(**{n: scope[n] for n in self.names})
        if self.forward:
            return push_matrix(matrix, g, x)
        return pull_matrix(matrix, g, x)


def push_matrix(matrix: Any, x_dot: Any, x: Any) -> Any:
    rank = ndim(x)
    if rank == 0:
        return matrix * x_dot
    return matrix @ x_dot if rank == 1 else np.tensordot(matrix, x_dot, axes=np.ndim(x) if rank is None else rank)


def pull_matrix(matrix: Any, g: Any, x: Any) -> Any:
    rank = ndim(g)
    if rank == 0:
        return matrix * g
    if ndim(x) == 0:
        return np.sum(matrix * g)
    if rank == 1 and ndim(x) == 1:
        return g @ matrix
    return np.tensordot(g, matrix, axes=np.ndim(g) if rank is None else rank)


# ---------------------------------------------------------------- the table


class Table(Protocol):
    """Rules beside the built-in ones: those of a file of the user's."""

    rules: dict[str, Rule]

    def make(self, kind: type[Rule], key: str, actions: tuple[Any, ...], more: dict[str, Any]) -> Rule:
        """Enter a rule; problems are collected."""


TABLE: dict[str, Rule] = {}
BY_FUNCTION: dict[int, Rule] = {}  # by identity: np.abs is np.absolute
ALIASES: dict[str, str] = {}  # of functions of SciPy, which is not imported to find them
SAME: dict[str, str] = {}  # functions of SciPy that are those of NumPy in all that is known of them
FAMILIES: dict[str, Callable[[str], Rule]] = {}  # by the start of a name: rules that are made when they are asked for
CARRIED: dict[str, Rule] = {}  # of functions of s2s that outputs carry: an output is a program like any other
READING: ContextVar[Table | None] = ContextVar("READING", default=None)  # the file whose entries are being made
USED: ContextVar[Table | None] = ContextVar("USED", default=None)  # beside the built-in table, in this run
OWN = "own."  # in front of the name of a function of the user's file that has a rule


def named(callee: str) -> str:
    """The canonical name of the function of a key. A typo fails here, but SciPy is not imported for that, and a user's
    own modules never are."""
    module, _, rest = callee.partition(".")
    if READING.get() is None or module in NAMESPACES or callee.startswith("numpy."):
        fn = f"{NAMESPACES.get(module, module)}.{rest}" if rest else f"builtins.{module}"
        if module != "sp":
            resolve(fn)
        return fn
    return callee if rest else OWN + callee


def make(kind: type[Rule], key: str, *actions: Any, **more: Any) -> Rule:
    reading = READING.get()
    return reading.make(kind, key, actions, more) if reading is not None else enter(kind(key, *actions, **more))


def enter(rule: Rule) -> Rule:
    """Put a rule into the table; two rules for one function are a mistake."""
    if rule.fn in TABLE:
        raise ValueError(f"two rules for {rule.fn}")
    TABLE[rule.fn] = rule
    if not rule.fn.startswith("scipy."):
        BY_FUNCTION.setdefault(id(rule.function), rule)
    return rule


# For calls in which complex numbers take part. With the inner product Re(conj(a) b) the adjoint of multiplication by a
# is multiplication by conj(a), so the engine makes the adjoint of a holomorphic function of its transpose:
# conj(rule(conj(g))), with the conjugates moved to where they are cheap. A function that is not holomorphic, or whose
# real rule takes another branch of a root, has an entry in COMPLEX, whose actions are the adjoint itself.
COMPLEX: dict[str, Rule] = {}
HOLOMORPHIC: set[str] = set()


def for_complex(rule: Rule, adjoint: bool = True) -> Rule:
    """Enter the rule for calls with complex operands or results.

    adjoint: whether its reverse actions give the adjoint; otherwise the transpose, as those of a holomorphic rule.
    """
    if rule.fn in COMPLEX:
        raise ValueError(f"two rules for complex {rule.fn}")
    rule.adjoint = adjoint
    COMPLEX[rule.fn] = rule
    return rule


def lookup_complex(fn: str) -> Rule | None:
    """The rule of a function where complex numbers take part; None where there is none."""
    if fn in COMPLEX:
        return COMPLEX[fn]
    rule = lookup(fn)
    if rule is None or rule.fn in COMPLEX:
        return rule and COMPLEX[rule.fn]
    return rule if rule.fn in HOLOMORPHIC or rule.adjoint or rule.kind == "constant" else None


def elementwise(key: str, *actions: Part | None, **more: Any) -> Rule:
    return make(Elementwise, key, *actions, **more)


def reduction(key: str, *actions: Part | None, **more: Any) -> Rule:
    return make(Reduction, key, *actions, **more)


def linear(key: str, *actions: Part | None, **more: Any) -> Rule:
    return make(Linear, key, *actions, **more)


def multilinear(key: str, *actions: Part | None, **more: Any) -> Rule:
    return make(Multilinear, key, *actions, **more)


def general(
    key: str,
    *,
    jvp: Part | list[Part | None] | None = None,
    vjp: list[Part | None] | None = None,
    **more: Any,
) -> Rule:
    return make(General, key, jvp=jvp, vjp=vjp, **more)


def solver(key: str, equation: str, **more: Any) -> Rule:
    return make(Solver, key, equation, **more)


def constant(*keys: str) -> None:
    for key in keys:
        make(Constant, key)


def partials(key: str, *slopes: Part | None, **more: Any) -> Rule:
    """An elementwise rule from the partial derivatives alone: `partials("f(x)", lambda x: ...)` is f'(x)."""
    return make(Elementwise, key, *(s and Slope(s) for s in slopes), **more)


def jacobian(key: str, *matrices: Part | None, **more: Any) -> Rule:
    """A rule from the full Jacobian for each operand, with the axes of the result before those of the operand."""
    params = [p.partition("=")[0] for p in key.rstrip(")").partition("(")[2].split(", ")]
    pairs = list(zip(params, matrices, strict=False))
    jvp, vjp = ([m and Contracted(m, p, forward) for p, m in pairs] for forward in (True, False))
    return make(General, key, jvp=jvp, vjp=vjp, **more)


@cache
def load_scipy() -> None:
    """Enter the rules for SciPy, which few programs need."""
    token = READING.set(None)
    for name in ("special", "linalg", "stats", "sparse", "solvers"):
        import_module(f"s2s.rules.scipy_{name}")
    READING.reset(token)


def canonical(fn: str) -> str:
    """The name by which the function that a user calls is known: that of NumPy, where SciPy has the same one, too."""
    used = USED.get()
    return fn if used is not None and fn in used.rules else SAME.get(fn, fn)


def lookup(fn: str) -> Rule | None:
    """The rule of a function by its canonical name ("numpy.sin"); aliases of NumPy are found, too."""
    used = USED.get()
    if used is not None and fn in used.rules:
        return used.rules[fn]
    if fn.startswith("scipy."):
        load_scipy()
        fn = ALIASES.get(fn, fn)
    if fn.startswith("helper."):
        return CARRIED.get(fn)
    if fn in TABLE or fn.startswith("scipy."):
        return TABLE.get(fn) or COMPLEX.get(fn)
    return None if fn.startswith(("local.", "method.")) else by_another_name(fn)


@lru_cache(maxsize=1024)
def by_another_name(fn: str) -> Rule | None:
    """The rule of a function that the table has not under this name."""
    for start, family in FAMILIES.items():
        if fn.startswith(start):
            return family(fn)
    try:
        owner, _, method = fn.rpartition(".")
        if isinstance(ufunc := resolve(owner) if owner.count(".") == 1 else None, np.ufunc):
            return TABLE.get(f"numpy.{ufunc.__name__}.{method}")
        found = BY_FUNCTION.get(id(resolve(fn)))
    except (AttributeError, KeyError):
        found = None
    return found or COMPLEX.get(fn)


__all__ = ["Call", "Facts", "Operand", "Rule", "RuleError", "is_number", "lookup"]
