"""The table of derivatives, entry by entry: no function is named here but where a convention is tested.

Each rule runs twice, on arrays and traced to text that is evaluated, without facts and with all ranks known; both modes
are held against numerical derivatives of the function itself, and against each other by <g, jvp(d)> = <vjp(g), d>.
Element-wise rules get their operands from their `domain`, all others from the calls that stand in `at`.
"""

from __future__ import annotations

import ast
import builtins
import cmath
import copy
import itertools
import math
import types
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.linalg
import scipy.special
import scipy.stats

from s2s import helpers, ir, rules
from s2s.analysis import aliases
from s2s.ir import Const, Expr, Form, Op, Sequence, Var
from s2s.rules import NO_FACTS, Operand, Rule, RuleError, kinds

pytestmark = pytest.mark.table

R = np.random.default_rng(11)


def vector(*shape: int) -> np.ndarray:
    return R.uniform(-2.0, 2.0, shape)


def positive_definite(*shape: int) -> np.ndarray:
    a = R.standard_normal(shape)
    return a @ np.swapaxes(a, -1, -2) + shape[-1] * np.eye(shape[-1])


def real_spectrum(*shape: int) -> np.ndarray:
    """Matrices that are not symmetric, with eigenvalues that are real and apart."""
    v = R.standard_normal(shape) + 2.0 * np.eye(shape[-1])
    return v @ (np.arange(1.0, shape[-1] + 1.0)[:, None] * np.linalg.inv(v))


POOL: dict[str, Any] = {
    "s": 0.7, "t": -1.3, "v": vector(4), "w": vector(4), "u": vector(3),
    "M": vector(3, 4), "W": vector(3, 4), "N": vector(4, 5),
    "T": vector(2, 3, 4), "A": vector(4, 4) + 5.0 * np.eye(4), "AA": vector(2, 4, 4) + 5.0 * np.eye(4),
    "S": positive_definite(4, 4), "SS": positive_definite(2, 4, 4), "col": vector(3, 1),
    "E": real_spectrum(4, 4), "EE": real_spectrum(2, 4, 4), "tall": vector(5, 3), "talls": vector(2, 5, 3),
    "low": vector(5, 2) @ vector(2, 3), "B6": vector(2, 3, 6), "b23": vector(2, 3),
    "b5": vector(5), "b52": vector(5, 2),
    "p": np.array([0.4, 1.3, 2.2, 0.9]), "p2": np.array([[0.7], [1.9]]),
    "bands": np.array([[0.3, -0.7, 1.1, 0.2], [4.0, 5.0, -4.5, 6.0], [0.4, 0.8, -0.5, 0.9]]),
    "null": np.diag([1.0, 2.0, 0.0]) @ vector(3, 3), "H": 0.3 * vector(3, 3),
    "c": np.array([True, False, True, False]), "k": np.array([1, 0, 3, 0]), "k2": np.array([[0, 2], [3, 0]]),
    "zeros_in": np.array([[1.5, 0.0, 0.0, 2.0], [0.0, 0.0, 3.0, 1.0], [2.0, 3.0, 0.5, -1.0]]),
    "ramp": np.array([0.0, 0.7, 1.1, 2.3]), "knots": np.array([-1.5, -0.2, 0.9, 1.7]), "v2": vector(2),
    "one": 1, "one_number": vector(1), "bits": np.array([0, 1, 1, 0]), "far": np.array([1, 9, -3]), "positive": 1.7,
    "columns": np.array([[0, 2], [3, 3], [1, 0]]),
    "cube": vector(3, 3, 3),
    "gaps": np.where(vector(3, 4) > -1.3, vector(3, 4), np.nan),
    "L": [vector(4), vector(4), vector(4)], "Q": [0.4, -1.2, 2.2],
    "LU": [vector(2), vector(3)], "LR": [vector(2, 4), vector(4)],
    "LM": [vector(3, 4), vector(3, 2), vector(3, 1)], "perm": (1, 2, 0),
    "float": float,
    "sparse": scipy.sparse.csc_array(np.diag([3.0, 4.0, 5.0, 6.0]) + np.diag([1.0, -2.0, 0.5], 1)),
    "column": vector(4, 1),
}  # fmt: skip
# Calls beyond those that stand with the rules: for every way of writing that a rule chooses between, and for operands
# that broadcast; `make mutate` says what is missing.
MORE = {
    "numpy.power": "np.power(v**2 + 0.3, 0); np.power(v**2 + 0.3, 1); np.power(v, 2); np.power(v**2 + 0.3, 0.5); "
    "np.power(v**2 + 0.3, -1.5); np.power(0.5, v); np.power(2.0, M)",
    "numpy.concatenate": "np.concatenate([v, w, u, v]); np.concatenate([M, T[0], col, M], axis=1); np.concatenate(L); "
    "np.concatenate(LM, axis=1); np.concatenate([M, W], one); np.concatenate([M, T[0], col], axis=-1)",
    "numpy.stack": "np.stack([M, W], axis=-1); np.stack([M, W, M], axis=-2); np.stack([M, W], axis=one); np.stack(L)",
    "numpy.hstack": "np.hstack(L); np.hstack(LM); np.hstack([s, v]); np.hstack([col, M])",
    "numpy.vstack": "np.vstack(L); np.vstack([v, M, w])",
    "numpy.transpose": "np.transpose(T, perm); np.transpose(T, (-1, 0, 1)); np.transpose(T, (1, -1, 0))",
    "numpy.diag": "np.diag(A)",
    "numpy.pad": "np.pad(v, (1, 2)); np.pad(M, (1, 2)); np.pad(v, ((2, 1),)); np.pad(M, ((0, 1), (2, 0)))",
    "numpy.linspace": "np.linspace(v, s, 5); np.linspace(s, v, 5); np.linspace(M, w, 3); np.linspace(w, M, 3)",
    "numpy.vecdot": "np.vecdot(T, w); np.vecdot(w, M); np.vecdot(M, W)",
    "numpy.matvec": "np.matvec(A, M); np.matvec(AA, w)",
    "numpy.vecmat": "np.vecmat(M, A); np.vecmat(w, AA)",
    "numpy.vdot": "np.vdot(M, np.reshape(W, (4, 3))); np.vdot(v, np.reshape(w, (2, 2))); np.vdot(s, t)",
    "numpy.tensordot": "np.tensordot(M, N, axes=([-1], [0])); np.tensordot(T, np.transpose(T), axes=([2, 1], [0, 1])); "
    "np.tensordot(np.transpose(T), T, axes=([0, 2], [-1, 0])); np.tensordot(M, N, 1)",
    "numpy.einsum": "np.einsum('...j,j', M, w); np.einsum('ij,j', M, w)",
    "math.log": "math.log(s); math.log(s, 2.0)",
    "numpy.interp": "np.interp(2.0 * ramp - 2.5, knots, w, left=s); np.interp(2.0 * ramp - 2.5, knots, w, right=s)",
    "numpy.mean": "np.mean(M, axis=one)",
    "scipy.special.ive": "sp.special.ive(2, v)",
    "scipy.special.boxcox": "sp.special.boxcox(p, 0.5 * bits)",
    "builtins.sum": "sum([v, M]); sum([s, v]); sum([s, t], v); sum([v, w], s); sum([v, w], M); sum(L, s); "
    "sum(v, M); sum(M, w); sum(M, T); sum(M[:0], W)",
}  # fmt: skip
NAMESPACE = {"np": np, "math": math, "cmath": cmath, "copy": copy, "scipy": scipy, "sp": scipy} | {
    n: getattr(helpers, n) for n in helpers.names()
}
SHOW = ir.Printer()
OPERATORS = {ast.MatMult: "numpy.matmul", ast.Mult: "numpy.multiply"}


# ---------------------------------------------------------------- values: numbers, arrays, lists of them


def flat(value: Any) -> np.ndarray:
    """All numbers of a value in one vector."""
    if isinstance(value, list | tuple):
        return np.concatenate([flat(v) for v in value]) if value else np.zeros(0)
    return np.ravel(np.asarray(value))


def fill(like: Any, numbers: np.ndarray) -> Any:
    """A value of the form of `like` with other numbers."""
    if isinstance(like, list | tuple):
        parts, start = [], 0
        for v in like:
            parts.append(fill(v, numbers[start : start + flat(v).size]))
            start += flat(v).size
        return type(like)(parts)
    if isinstance(like, np.ndarray):
        return numbers.reshape(like.shape)
    return numbers[0].item()


def random_like(value: Any, rng: np.random.Generator) -> Any:
    """Numbers for a cotangent or tangent of a value; that of a 0-d array is a scalar."""
    if isinstance(value, list | tuple):
        return type(value)(random_like(v, rng) for v in value)
    numbers = rng.uniform(-1.5, 1.5, flat(value).size)
    if numbers.size > 2:
        numbers[1] = 0.0  # a rule must not divide by it
    filled = fill(value, numbers)
    return filled[()] if isinstance(filled, np.ndarray) and filled.ndim == 0 else filled


def cast(value: Any, dtype: type) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(cast(v, dtype) for v in value)
    return value.astype(dtype) if isinstance(value, np.ndarray) and value.dtype == float else value


def narrow(value: Any) -> Any:
    return np.float32(value) if np.isscalar(value) else cast(value, np.float32)


def strided(value: Any) -> Any:
    """The same numbers in memory that is not contiguous, with a negative stride."""
    if isinstance(value, list):
        return [strided(v) for v in value]
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return value
    wide = np.repeat(np.flip(value), 2, axis=-1)
    return np.flip(wide)[..., ::2]


# ---------------------------------------------------------------- cases


@dataclass(frozen=True)
class Case:
    """One call with values for its operands."""

    rule: Rule
    op: Op
    env: dict[str, Any]
    label: str

    def primal(self, env: dict[str, Any]) -> Any:
        return eval(self.code, NAMESPACE | env)

    @cached_property
    def code(self) -> types.CodeType:
        """The call: differences evaluate it many times."""
        return compile(SHOW(self.op), "<call>", "eval")

    def with_env(self, change: Callable[[Any], Any], label: str) -> Case:
        return Case(self.rule, self.op, {n: change(v) for n, v in self.env.items()}, f"{self.label} {label}")


def parse_sample(rule: Rule, text: str) -> Case:
    """A sample call as IR; every operand in it gets a name of its own."""
    env: dict[str, Any] = {}

    def leaf(node: ast.expr) -> Expr:
        match node:
            case ast.Constant():
                return Const(node.value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                return Const(-value)
            case ast.List() | ast.Tuple():
                return Sequence(tuple(leaf(e) for e in node.elts), "list" if isinstance(node, ast.List) else "tuple")
            case ast.Name(id="float"):
                return Var("float")
            case ast.Attribute(attr="inf"):
                return ir.Attribute(Var("np"), "inf")
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return Op("numpy.negative", (leaf(inner),), form=Form.OPERATOR)
        name = f"x{len(env)}"
        env[name] = eval(ast.unparse(node), {"np": np} | POOL)
        return Var(name)

    match ast.parse(text.strip(), mode="eval").body:
        case ast.Call() as call:
            options = tuple((k.arg or "", leaf(k.value)) for k in call.keywords)
            op = Op(rule.fn, tuple(leaf(a) for a in call.args), options)
        case ast.BinOp() as node:
            op = Op(OPERATORS[type(node.op)], (leaf(node.left), leaf(node.right)), form=Form.OPERATOR)
        case ast.Subscript(value=of, slice=key):
            op = Op(rule.fn, (leaf(key),), form=Form.SUBSCRIPT, spelling=ast.unparse(of))
        case ast.Attribute(attr="T") as node:
            op = Op("numpy.transpose", (leaf(node.value),), form=Form.ATTRIBUTE, spelling="T")
        case _:
            raise ValueError(text)
    return Case(rule, op, env, text.strip())


def interval(rule: Rule, name: str) -> tuple[float, float]:
    domain = rule.domain
    if isinstance(domain[0], tuple):
        return domain[rule.params.index(name)]
    return domain


def draw(rule: Rule, name: str, shape: tuple[int, ...] | None, rng: np.random.Generator) -> Any:
    low, high = interval(rule, name)
    numbers = rng.uniform(low, high, shape or ())
    return float(numbers) if shape is None else numbers


SHAPES = {
    1: [(None,), ((4,),), ((3, 4),), ((0,),), ((2, 0, 3),)],
    2: [(None, None), ((4,), (4,)), ((3, 4), (4,)), ((4,), (3, 4)), ((3, 1), (1, 4)), (None, (3, 4)), ((3, 4), None),
        ((0,), (1,)), ((1,), (0,))],
    3: [(None, None, None), ((3, 4), None, (4,)), ((4,), (3, 1), None), ((4,), (4,), (4,)), (None, (3, 1), (4,))],
}  # fmt: skip


def elementwise_cases(rule: Rule) -> list[Case]:
    """Operands of every kind; functions of `math` and builtins take numbers."""
    names = [n for n in rule.params if rule.actions.get(n) or n in rule.names]
    if len(names) not in SHAPES:
        raise ValueError(f"{rule} needs samples: at=...")
    scalars = not rule.fn.startswith(("numpy.", "scipy."))
    cases = []
    for number in range(4 if scalars else 1):
        for shapes in SHAPES[len(names)][:1] if scalars else SHAPES[len(names)]:
            rng = np.random.default_rng(zlib.crc32(repr((rule.key, shapes, number)).encode()))
            env = {n: draw(rule, n, shape, rng) for n, shape in zip(names, shapes, strict=True)}
            cases.append(Case(rule, Op(rule.fn, tuple(Var(n) for n in names)), env, f"{rule.spelled}{shapes}{number}"))
    return cases


def samples(rule: Rule) -> list[Case]:
    more = [parse_sample(rule, text) for text in MORE.get(rule.fn, "").split(";") if text]
    return own_samples(rule) + more


def own_samples(rule: Rule) -> list[Case]:
    if rule.kind in ("constant", "solver"):  # solvers need a function: test_solvers.py
        return []
    if rule.at:
        return [parse_sample(rule, text) for text in rule.at.split(";")]
    if rule.kind == "elementwise":
        return elementwise_cases(rule)
    raise ValueError(f"{rule} has no samples: give it at=...")


CASES = [case for rule in rules.all_rules() for case in samples(rule)]
VARIED = [c.with_env(strided, "strided") for c in CASES if c.rule.fn.startswith(("numpy.", "scipy."))]


# ---------------------------------------------------------------- numerical references


Parts = tuple[int, ...] | None  # positions in a tuple result; None: a single result


def part_of(result: Any, parts: Parts) -> Any:
    return result if parts is None else [result[i] for i in parts]


def whole(result: Any, parts: Parts, values: Any) -> Any:
    """The values of some parts as a tuple of the form of the result, with None for the others."""
    return values if parts is None else tuple(dict(zip(parts, values, strict=True)).get(i) for i in range(len(result)))


def numeric_vjp(f: Callable[[Any], Any], x: Any, g: Any) -> np.ndarray:
    """The gradient of <g, f(x)>: central differences with Richardson extrapolation, fourth order."""

    def value(numbers: np.ndarray) -> float:
        return float(flat(g) @ flat(f(fill(x, numbers))))

    x0 = flat(x).astype(float)
    result = np.zeros(x0.size)
    for i in range(x0.size):
        e = np.zeros(x0.size)
        e[i] = 1.0
        eps = 2e-3
        slopes = [(value(x0 + h * e) - value(x0 - h * e)) / (2.0 * h) for h in (eps, eps / 2.0, eps / 4.0)]
        first = [(4.0 * b - a) / 3.0 for a, b in itertools.pairwise(slopes)]
        result[i] = (16.0 * first[1] - first[0]) / 15.0
    return result


def complex_vjp(f: Callable[[Any], Any], x: Any, g: Any) -> np.ndarray | None:
    """The same by complex steps, exact to rounding; None where the function has no complex form."""
    x0 = flat(x).astype(complex)
    result = np.zeros(x0.size)
    for i in range(x0.size):
        step = x0.copy()
        step[i] += 1e-30j
        try:
            y = flat(f(fill(x, step)))
        except (TypeError, ValueError):
            return None
        if not np.iscomplexobj(y):
            return None
        result[i] = float(flat(g) @ y.imag) / 1e-30
    return result


# ---------------------------------------------------------------- what the engine does around a rule


class AllFacts:
    """Ranks and lengths of everything that has a value."""

    def __init__(self, env: dict[str, Any]) -> None:
        self.env = env

    def value(self, e: Expr) -> Any:
        return eval(SHOW(e), NAMESPACE | self.env)

    def ndim(self, e: Expr) -> int | None:
        if not isinstance(e, Var | Const):
            return None
        value = self.value(e)
        return None if isinstance(value, list) and np.ndim(value[0]) > 0 else np.ndim(value)

    def same_shape(self, a: Expr, b: Expr) -> bool:
        return np.shape(self.value(a)) == np.shape(self.value(b))

    def is_integer(self, e: Expr) -> bool:
        return np.issubdtype(np.result_type(self.value(e)), np.integer)

    def is_scalar(self, e: Expr) -> bool:
        return self.ndim(e) == 0

    def is_float(self, e: Expr) -> bool:
        return np.asarray(self.value(e)).dtype.kind == "f"

    def is_array(self, e: Expr) -> bool:
        return isinstance(self.value(e), np.ndarray)

    def is_list(self, e: Expr) -> bool:
        return isinstance(self.value(e), list)

    def dims(self, e: Expr) -> tuple[object, ...] | None:
        return np.shape(self.value(e)) if isinstance(e, Var | Const) else None


def item_of(values: Any, item: Any) -> Any:
    for i in () if item is None else item if isinstance(item, tuple) else (item,):
        values = values[i]
    return values


def on_arrays(case: Case) -> tuple[dict[str, Any], dict[Operand, Any]]:
    """The scope of the rule run on arrays, and its operands."""

    def value(e: Expr) -> Any:
        if isinstance(e, Sequence):
            return [value(i) for i in e.items] if e.kind == "list" else tuple(value(i) for i in e.items)
        return e.value if isinstance(e, Const) else eval(SHOW(e), NAMESPACE | {"float": float} | case.env)

    bound = case.rule.arguments(tuple(value(a) for a in case.op.args), {k: value(v) for k, v in case.op.options})
    scope = {n: case.rule.defaults[n] if v is kinds.MISSING else v for n, v in bound.items()}
    return scope, dict(case.rule.find_operands(scope))


def finish(case: Case, contribution: Any, x: Any) -> Any:
    return helpers._unbroadcast(contribution, x) if case.rule.kind in ("elementwise", "reduction") else contribution


def ends(call: kinds.Call, g: Any) -> tuple[Expr, Expr, dict[str, Any]]:
    """Names for the cotangents and the results of a call, and the values of the former."""
    if not call.results:
        return Var("g"), Var("out"), {"g": g}
    given = {f"g{i}": v for i, v in enumerate(g) if v is not None}
    names = [Var(f"g{i}") if v is not None else ir.NONE for i, v in enumerate(g)]
    return Sequence(tuple(names)), results(call), given


def results(call: kinds.Call) -> Expr:
    return Sequence(tuple(Var(f"out{i}") for i in range(len(call.results)))) if call.results else Var("out")


def named(call: kinds.Call, out: Any) -> dict[str, Any]:
    return {f"out{i}": v for i, v in enumerate(out)} if call.results else {"out": out}


def known(case: Case, g: Any, out: Any) -> AllFacts:
    call = case.rule.bind(case.op)
    return AllFacts(case.env | ends(call, g)[2] | named(call, out))


def pulled(case: Case, operand: Operand, g: Any, out: Any, facts: Any) -> tuple[Any, str]:
    """The traced contribution: its value and its text."""
    call = case.rule.bind(case.op)
    g_expr, out_expr, given = ends(call, g)
    if isinstance(case.rule, kinds.Reduction):
        g_expr, out_expr = case.rule.expand(call, g_expr, facts), case.rule.expand(call, out_expr, facts)
    own = next(o for o in call.operands if o == operand)
    text = SHOW(case.rule.vjp(call, own, g_expr, out_expr, facts))
    return eval(text, NAMESPACE | case.env | given | named(call, out)), text


def pulled_on_arrays(case: Case, operand: Operand, g: Any, out: Any) -> Any:
    scope, _ = on_arrays(case)
    if isinstance(case.rule, kinds.Reduction):
        g, out = case.rule.widen(scope, g), case.rule.widen(scope, out)
    return case.rule.pull(scope, operand, g, out)


def pushed(case: Case, dots: dict[Operand, Any], out: Any, parts: Parts, facts: Any) -> tuple[Any, str]:
    call = case.rule.bind(case.op)
    names = {o: Var(f"dot{i}") for i, o in enumerate(call.operands) if o in dots}
    wanted = () if parts is None else tuple(i in parts for i in range(len(call.results)))
    text = SHOW(case.rule.jvp(call, names, results(call), facts, wanted))
    value = eval(text, NAMESPACE | case.env | named(call, out) | {v.name: dots[o] for o, v in names.items()})
    return part_of(value, parts), text


def broadcast_to_out(value: Any, out: Any) -> Any:
    if isinstance(out, list | tuple):
        return [broadcast_to_out(v, o) for v, o in zip(value, out, strict=True)]
    return np.broadcast_to(value, np.shape(out))


def selections(case: Case) -> list[Parts]:
    """The parts of a tuple result whose cotangents are given: one by one, and all."""
    call = case.rule.bind(case.op)
    single: list[Parts] = [(i,) for i in call.parts]
    return [*single, call.parts] if len(single) > 1 else single or [None]


def case_id(case: Case) -> str:
    return f"{case.rule.fn}: {case.label}"


def close(a: Any, b: Any, rtol: float) -> None:
    a, b = flat(a), flat(b)
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * (1.0 + np.max(np.abs(b), initial=0.0)))


# ---------------------------------------------------------------- the tests


@pytest.mark.parametrize("case", CASES + VARIED, ids=case_id)
def test_both_modes(case: Case) -> None:
    rng = np.random.default_rng(3)
    result = case.primal(case.env)
    for parts in selections(case):
        out = part_of(result, parts)
        g_parts = random_like(out, rng)
        g = whole(result, parts, g_parts)
        operands = operands_of(case)
        assert operands
        dots = {o: random_like(x, rng) for o, x in operands.items()}
        references: dict[Operand, tuple[np.ndarray, np.ndarray | None]] = {}  # whatever the facts are
        tangent = 0.0
        for facts in (NO_FACTS, known(case, g, result)):
            tangent = 0.0
            for operand, x in operands.items():

                def f(value: Any, name: str = name_of(operand), parts: Parts = parts) -> Any:
                    return part_of(case.primal(case.env | {name: value}), parts)

                with np.errstate(all="raise"):
                    try:
                        traced, text = pulled(case, operand, g, result, facts)
                    except RuleError:
                        assert facts is NO_FACTS  # a rule may want to know a rank
                        continue
                    traced = finish(case, traced, x)
                    if not isinstance(x, list):
                        run = finish(case, pulled_on_arrays(case, operand, g, result), x)
                        close(traced, run, 1e-13)
                if case.rule.kind in ("linear", "multilinear", "general") and not isinstance(x, list):
                    assert np.shape(traced) == np.shape(x), text
                if isinstance(facts, AllFacts) and not isinstance(x, list) and np.ndim(x) == 0:
                    assert not isinstance(traced, np.ndarray), f"a 0-d array for a scalar: {text}"
                if isinstance(facts, AllFacts) and isinstance(x, list):
                    assert isinstance(traced, list), text
                if isinstance(x, list):
                    assert [np.shape(v) for v in traced] == [np.shape(v) for v in x], text
                elif isinstance(x, np.ndarray) and x.ndim:
                    assert isinstance(traced, np.ndarray), text
                if operand not in references:
                    exact = complex_vjp(f, x, g_parts) if case.rule.analytic else None
                    references[operand] = numeric_vjp(f, x, g_parts), exact
                expected, exact = references[operand]
                close(traced, expected, 1e-2 if flat(out).dtype == np.float32 else 1e-7)
                if exact is not None:
                    close(traced, exact, 1e-11)
                tangent += flat(traced) @ flat(dots[operand])
                with np.errstate(all="raise"):
                    alone, _ = pushed(case, {operand: dots[operand]}, result, parts, facts)
                if case.rule.kind != "elementwise":  # whose tangents the engine broadcasts
                    pairs = zip(alone, out, strict=True) if isinstance(out, list | tuple) else [(alone, out)]
                    assert all(np.shape(t) == np.shape(o) for t, o in pairs), "shape of the tangent"
                alone = broadcast_to_out(alone, out)
                close(flat(g_parts) @ flat(alone), flat(traced) @ flat(dots[operand]), 1e-12)
            if facts is NO_FACTS and tangent == 0.0:
                continue
            with np.errstate(all="raise"):
                together, _ = pushed(case, dots, result, parts, facts)
            together = broadcast_to_out(together, out)
            assert flat(together).shape == flat(out).shape
            close(flat(g_parts) @ flat(together), tangent, 1e-12)


def name_of(operand: Operand) -> str:
    assert isinstance(operand.expr, Var)
    return operand.expr.name


def operands_of(case: Case) -> dict[Operand, Any]:
    return {o: case.env[name_of(o)] for o in case.rule.bind(case.op).operands}


WIDENING = ("numpy.power", "numpy.float_power", "numpy.heaviside")  # np.log of a Python float is a float64


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_views_are_known(case: Case) -> None:
    """A contribution that shares memory with what it reads must be known to: it must not be added to in place."""
    result = case.primal(case.env)
    for parts in selections(case):
        g = whole(result, parts, random_like(part_of(result, parts), np.random.default_rng(3)))
        for operand in operands_of(case):
            for facts in (NO_FACTS, known(case, g, result)):
                call = case.rule.bind(case.op)
                wide = case.rule.expand if isinstance(case.rule, kinds.Reduction) else None
                g_expr, out_expr, given = ends(call, g)
                pair = [wide(call, e, facts) if wide else e for e in (g_expr, out_expr)]
                try:
                    e = case.rule.vjp(call, operand, *pair, facts)
                except RuleError:
                    continue
                value = eval(SHOW(e), NAMESPACE | case.env | given | named(call, result))
                there = [*given.values(), *named(call, result).values(), *case.env.values()]
                there = [a for a in there if isinstance(a, np.ndarray)]
                if isinstance(value, np.ndarray) and any(np.shares_memory(value, a) for a in there):
                    assert rules.may_alias(e), SHOW(e)


def arrays_in(value: Any) -> list[np.ndarray]:
    if isinstance(value, list | tuple):
        return [a for v in value for a in arrays_in(v)]
    return [value] if isinstance(value, np.ndarray) else []


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_results_that_share_memory_are_known(case: Case) -> None:
    """What may be a view of an operand must be known to: either may be written."""
    operands = [a for v in case.env.values() for a in arrays_in(v)]
    if any(np.shares_memory(a, b) for a in arrays_in(case.primal(case.env)) for b in operands):
        assert rules.may_alias(case.op)
        assert aliases.sources(case.op, None)


# The Fréchet derivative is computed in double precision, and a hypergeometric function of literal parameters.
WIDER = ("scipy.linalg.expm", "scipy.special.elliprd")
FLOAT32 = [
    c
    for c in CASES
    if c.rule.fn not in WIDER and any(isinstance(v, np.ndarray) and v.dtype == float for v in c.env.values())
]


@pytest.mark.parametrize("case", FLOAT32, ids=case_id)
def test_float32_stays_float32(case: Case) -> None:
    small = case.with_env(lambda v: cast(v, np.float32), "float32")
    rng = np.random.default_rng(5)
    result = small.primal(small.env)
    for parts in selections(case):
        out = part_of(result, parts)
        if any(np.asarray(o).dtype != np.float32 for o in (out if isinstance(out, list | tuple) else [out])):
            pytest.skip("the function itself widens")
        g64 = random_like(part_of(case.primal(case.env), parts), rng)
        g = whole(result, parts, narrow(g64) if parts is None else [narrow(x) for x in g64])
        for operand, x in operands_of(small).items():
            if any(np.asarray(v).dtype != np.float32 for v in (x if isinstance(x, list) else [x])):
                continue
            widening = small.rule.fn in WIDENING or small.rule.fn.startswith("scipy.")
            if widening and any(isinstance(v, float) for v in small.env.values()):
                continue
            facts = known(small, g, result)
            for have in (NO_FACTS, facts):
                try:
                    value, text = pulled(small, operand, g, result, have)
                except RuleError:
                    assert have is NO_FACTS
                    continue
                first = value[0] if isinstance(value, list) else value
                assert np.asarray(first).dtype == np.float32, text
            scalars = [v for v in small.env.values() if isinstance(v, float)]
            tangent, text = pushed(small, {operand: x}, result, parts, facts)
            first = tangent[0] if isinstance(tangent, list | tuple) else tangent
            assert np.asarray(first).dtype == np.float32 or scalars, text


def whole_numbers(value: Any, dtype: type) -> Any:
    """Whole numbers for those of a value, as floats or as integers."""
    if isinstance(value, list | tuple):
        return [whole_numbers(v, dtype) for v in value]
    return np.rint(3.0 * np.asarray(value)).astype(dtype)[()] if np.isrealobj(value) else value


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_seeds_of_whole_numbers(case: Case) -> None:
    """Unit vectors are often written with integers: nothing is cut off."""
    rng = np.random.default_rng(4)
    result = case.primal(case.env)
    for parts in selections(case):
        g = random_like(part_of(result, parts), rng)
        floats, integers = (whole(result, parts, whole_numbers(g, dtype)) for dtype in (float, int))
        facts = known(case, floats, result)
        for operand, x in operands_of(case).items():
            try:
                a, b = (finish(case, pulled(case, operand, seed, result, facts)[0], x) for seed in (floats, integers))
            except RuleError:
                continue
            close(flat(b), flat(a), 1e-12)
            x_dot = random_like(x, rng)
            dots = [{operand: whole_numbers(x_dot, dtype)} for dtype in (float, int)]
            if case.rule.fn != "numpy.ediff1d":  # which takes no ends of floats for integers
                a, b = (pushed(case, d, result, parts, facts)[0] for d in dots)
                close(flat(b), flat(a), 1e-12)


BETWEEN_NUMBERS = ["linspace", "logspace"]  # np.geomspace itself widens


@pytest.mark.parametrize("name", BETWEEN_NUMBERS)
def test_points_between_numbers_of_single_precision(name: str) -> None:
    a, b, g = np.float32(1.5), np.float32(2.5), np.ones(5, np.float32)
    rule = rules.lookup(f"numpy.{name}")
    assert rule is not None
    case = Case(rule, Op(rule.fn, (Var("a"), Var("b"), Const(5))), {"a": a, "b": b}, name)
    out = case.primal(case.env)
    for operand in operands_of(case):
        assert pulled(case, operand, g, out, known(case, g, out))[0].dtype == np.float32
        facts = AllFacts(known(case, g, out).env | {"dot0": a, "dot1": b})
        assert np.asarray(pushed(case, {operand: a}, out, None, facts)[0]).dtype == np.float32


def widened(value: Any) -> Any:
    return np.longdouble(value) if np.isscalar(value) else cast(value, np.longdouble)


FIRST = {c.rule.fn: c for c in reversed(FLOAT32)}
# NumPy's linear algebra, its counts and interpolation, and SciPy have no longdouble: they raise TypeError, or give a
# narrower result. So do the tangents of these, which count.
COUNTED = ("numpy.unique", "numpy.histogram")


@pytest.mark.parametrize("case", FIRST.values(), ids=case_id)
def test_longdouble_survives(case: Case) -> None:
    big = case.with_env(lambda v: cast(v, np.longdouble), "longdouble")
    try:
        result = big.primal(big.env)
    except TypeError:
        without = ("scipy.", "numpy.linalg.", "numpy.bincount", "numpy.interp", "numpy.polyfit")
        assert case.rule.fn.startswith(without)
        return
    rng = np.random.default_rng(5)
    for parts in selections(case):
        out = part_of(result, parts)
        if any(np.asarray(o).dtype != np.longdouble for o in (out if isinstance(out, list | tuple) else [out])):
            pytest.skip("the function itself narrows")
        g64 = random_like(part_of(case.primal(case.env), parts), rng)
        g = whole(result, parts, widened(g64) if parts is None else [widened(x) for x in g64])
        for operand, x in operands_of(big).items():
            items = x if isinstance(x, list) else [x]
            if any(np.asarray(v).dtype != np.longdouble for v in items):
                continue
            value, text = pulled(big, operand, g, result, known(big, g, result))
            assert all(np.asarray(v).dtype == np.longdouble for v in (value if isinstance(value, list) else [value])), (
                text
            )
            if case.rule.fn not in COUNTED:
                tangent, text = pushed(big, {operand: x}, result, parts, known(big, g, result))
                first = tangent[0] if isinstance(tangent, list | tuple) else tangent
                assert np.asarray(first).dtype == np.longdouble, text


EMPTY = [
    (rule, shape, axis)
    for rule in rules.all_rules()
    if rule.kind == "reduction"
    for shape, axis in (((0,), None), ((0, 4), 0), ((0, 4), 1), ((3, 0), 0))
]


@pytest.mark.parametrize(("rule", "shape", "axis"), EMPTY, ids=str)
def test_reductions_of_nothing(rule: Rule, shape: tuple[int, ...], axis: int | None) -> None:
    op = Op(rule.fn, (Var(rule.names[0]),), () if axis is None else (("axis", Const(axis)),))
    case = Case(rule, op, {rule.names[0]: np.zeros(shape)}, "empty")
    with np.errstate(all="ignore"):
        try:
            out = case.primal(case.env)
        except ValueError:
            pytest.skip("the function has no value here")
        contribution, _ = pulled(case, Operand(rule.names[0]), np.ones_like(out), out, NO_FACTS)
        assert np.shape(finish(case, contribution, case.env[rule.names[0]])) == shape


CONSTANTS = [r for r in rules.all_rules() if r.kind == "constant" and set(r.names) <= {"x", "a", "b"}]
CONSTANTS = [r for r in CONSTANTS if not r.fn.startswith("builtins.")]


@pytest.mark.parametrize("rule", CONSTANTS, ids=repr)
def test_constants_do_not_change(rule: Rule) -> None:
    """A rule that says "no derivative" must not sit on a function that has one."""
    numbers: list[Any] = [0.37, 1.61] if rule.fn.startswith("math.") else [np.array([0.37, 1.61]), np.array([1.3, 0.2])]
    if rule.fn.startswith("bisect."):
        numbers[1] = 1.3
    args = numbers[: len(rule.names)]
    try:
        before, after = rule.function(*args), rule.function(*[a + 1e-9 for a in args])
    except TypeError:
        pytest.skip("not a function of floats")
    if isinstance(before, float | np.ndarray) and np.asarray(before).dtype.kind == "f":
        assert np.array_equal(before, after)


# ---------------------------------------------------------------- conventions at the edges


def function_of(call: ast.Call) -> str:
    """The canonical name of the function of a call."""
    name = ast.unparse(call.func)
    module, _, rest = name.partition(".")
    return f"{kinds.NAMESPACES[module]}.{rest}" if rest else f"builtins.{name}"


def contribution(call: str, wrt: str, g: Any = 1.0, **env: Any) -> Any:
    """What `g` contributes to the cotangent of one name in a call, through the text of the rule.

    The tangent of the result is held against it.
    """
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    fn = function_of(node)

    def expr(e: ast.expr) -> Expr:
        match e:
            case ast.Name():
                return Var(e.id)
            case ast.Constant():
                return Const(e.value)
            case ast.List():
                return Sequence(tuple(expr(i) for i in e.elts), "list")
        raise ValueError(ast.unparse(e))

    op = Op(fn, tuple(expr(a) for a in node.args), tuple((k.arg or "", expr(k.value)) for k in node.keywords))
    rule = rules.lookup(fn)
    assert rule is not None
    case = Case(rule, op, env, call)
    with np.errstate(all="ignore"):
        out = case.primal(env)
    operand = next(o for o in rule.bind(op).operands if o.expr == Var(wrt))
    bar = finish(case, pulled(case, operand, g, out, NO_FACTS)[0], env[wrt])
    dot = np.linspace(0.5, 1.5, np.size(env[wrt])).reshape(np.shape(env[wrt]))[()]
    tangent = broadcast_to_out(pushed(case, {operand: dot}, out, None, NO_FACTS)[0], out)
    np.testing.assert_allclose(flat(g) @ flat(tangent) if np.ndim(g) else g * flat(tangent), np.sum(bar * dot), 1e-12)
    return bar


INF = math.inf
EDGES = [
    ("np.abs(x)", "x", {"x": 0.0}, 0.0),
    ("abs(x)", "x", {"x": 0.0}, 0.0),
    ("np.fabs(x)", "x", {"x": 0.0}, 0.0),
    ("math.fabs(x)", "x", {"x": 0.0}, 0.0),
    ("np.maximum(x, y)", "x", {"x": 1.5, "y": 1.5}, 0.5),
    ("np.maximum(x, y)", "y", {"x": 1.5, "y": 1.5}, 0.5),
    ("np.maximum(x, y)", "x", {"x": -INF, "y": -INF}, 0.5),
    ("np.maximum(x, y)", "x", {"x": INF, "y": 0.0}, 1.0),
    ("np.maximum(x, 0.0)", "x", {"x": 0.0}, 0.5),
    ("np.minimum(x, y)", "x", {"x": 1.5, "y": 1.5}, 0.5),
    ("np.minimum(x, y)", "y", {"x": 1.0, "y": 1.5}, 0.0),
    ("np.fmax(x, y)", "x", {"x": 1.5, "y": 1.5}, 0.5),
    ("np.fmax(x, y)", "y", {"x": 1.5, "y": 1.5}, 0.5),
    ("np.fmin(x, y)", "x", {"x": 1.5, "y": 1.5}, 0.5),
    ("np.fmin(x, y)", "y", {"x": 1.5, "y": 1.5}, 0.5),
    ("max(x, y)", "x", {"x": 1.5, "y": 1.5}, 0.5),
    ("min(x, y)", "y", {"x": 1.5, "y": 1.5}, 0.5),
    ("max(x, y, z)", "y", {"x": 1.5, "y": 1.5, "z": 1.5}, 1.0 / 3.0),
    ("max(x, y, z)", "y", {"x": np.float64(1.5), "y": np.float64(1.5), "z": np.float64(1.5)}, 1.0 / 3.0),
    ("max(x, y, z)", "z", {"x": 1.5, "y": 1.5, "z": 1.0}, 0.0),
    ("max(x)", "x", {"x": np.array([1.0, 2.0, 2.0])}, [0.0, 0.5, 0.5]),
    ("min(x)", "x", {"x": np.array([1.0, 2.0, 1.0])}, [0.5, 0.0, 0.5]),
    ("np.max(x)", "x", {"x": np.array([2.0, 1.0, 2.0, 2.0])}, [1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0]),
    ("np.min(x, axis=0)", "x", {"x": np.array([[2.0, 1.0], [2.0, 3.0]])}, [[0.5, 1.0], [0.5, 0.0]]),
    ("np.clip(x, 0.0, 1.0)", "x", {"x": np.array([-1.0, 0.0, 0.5, 1.0, 2.0])}, [0.0, 0.5, 1.0, 0.5, 0.0]),
    ("np.clip(x, lo, hi)", "lo", {"x": 0.0, "lo": 0.0, "hi": 1.0}, 0.5),
    ("np.clip(x, lo, hi)", "hi", {"x": 1.0, "lo": 0.0, "hi": 1.0}, 0.5),
    ("np.clip(x, lo, hi)", "hi", {"x": -1.0, "lo": 2.0, "hi": 1.0}, 1.0),
    ("np.clip(x, lo, hi)", "lo", {"x": -1.0, "lo": 2.0, "hi": 1.0}, 0.0),
    ("np.clip(x, None, 1.0)", "x", {"x": np.array([0.0, 1.0, 2.0])}, [1.0, 0.5, 0.0]),
    ("np.clip(x, 1.0, None)", "x", {"x": np.array([0.0, 1.0, 2.0])}, [0.0, 0.5, 1.0]),
    ("np.clip(x, None, hi)", "hi", {"x": np.array([0.0, 1.0, 2.0]), "hi": 1.0}, 1.5),
    ("np.clip(x, None, hi)", "hi", {"x": np.array([0.0, 2.0]), "hi": 1.0}, 1.0),
    ("np.clip(x, None, hi)", "hi", {"x": np.array([2.0, 3.0]), "hi": 1.0}, 2.0),
    ("np.clip(x, lo, None)", "lo", {"x": np.array([0.0, 1.0, 2.0]), "lo": 1.0}, 1.5),
    ("np.copysign(x, y)", "x", {"x": np.array([0.0, 2.0, -2.0]), "y": -1.0}, [0.0, -1.0, 1.0]),
    ("np.linalg.norm(x)", "x", {"x": np.zeros(3)}, [0.0, 0.0, 0.0]),
    ("np.linalg.norm(x, 4)", "x", {"x": np.zeros(2)}, [0.0, 0.0]),
    ("np.linalg.norm(x, 3)", "x", {"x": np.zeros(2)}, [0.0, 0.0]),
    ("np.linalg.vector_norm(x)", "x", {"x": np.zeros(2)}, [0.0, 0.0]),
    ("np.linalg.vector_norm(x, ord=6)", "x", {"x": np.zeros(2)}, [0.0, 0.0]),
    ("np.linalg.vector_norm(x, ord=3)", "x", {"x": np.zeros(2)}, [0.0, 0.0]),
    ("np.linalg.matrix_norm(x)", "x", {"x": np.zeros((1, 2))}, [[0.0, 0.0]]),
    ("np.linalg.norm(x, axis=1)", "x", {"x": np.array([[0.0, 0.0], [3.0, 4.0]])}, [[0.0, 0.0], [0.6, 0.8]]),
    ("np.std(x)", "x", {"x": np.full(3, 2.0)}, [0.0, 0.0, 0.0]),
    ("np.hypot(x, y)", "x", {"x": 0.0, "y": 0.0}, 0.0),
    ("np.hypot(x, y)", "y", {"x": 0.0, "y": 0.0}, 0.0),
    ("math.hypot(x, y)", "y", {"x": 0.0, "y": 0.0}, 0.0),
    ("math.dist([x, z], [y, z])", "x", {"x": 1.0, "y": 1.0, "z": 0.0}, 0.0),
    ("np.arctan2(x, y)", "x", {"x": 0.0, "y": 0.0}, 0.0),
    ("np.arctan2(x, y)", "y", {"x": 0.0, "y": 0.0}, 0.0),
    ("math.atan2(x, y)", "x", {"x": 0.0, "y": 0.0}, 0.0),
    ("np.power(x, 0)", "x", {"x": 0.0}, 0.0),
    ("np.power(x, p)", "x", {"x": np.array([0.0, 0.0, 2.0]), "p": np.array([0.0, 1.0, 0.0])}, [0.0, 1.0, 0.0]),
    ("np.power(x, p)", "p", {"x": np.array([0.0, 0.0]), "p": np.array([0.0, 2.0])}, [0.0, 0.0]),
    ("np.power(0.0, p)", "p", {"p": 2.0}, 0.0),
    ("np.power(x, 2)", "x", {"x": 0.0}, 0.0),
    ("np.prod(x)", "x", {"x": np.array([0.0, 2.0, 3.0])}, [6.0, 0.0, 0.0]),
    ("np.cumprod(x)", "x", {"x": np.array([3.0, 0.0, 2.0])}, [1.0, 9.0, 0.0]),
    ("np.ptp(x)", "x", {"x": np.array([1.0, 2.0, 1.0])}, [-0.5, 1.0, -0.5]),
    ("np.prod(x)", "x", {"x": np.array([0.0, 0.0, 3.0])}, [0.0, 0.0, 0.0]),
    ("np.logaddexp(x, y)", "x", {"x": -INF, "y": -INF}, 0.5),
    ("np.logaddexp(x, y)", "x", {"x": -INF, "y": 0.0}, 0.0),
    ("np.logaddexp(x, y)", "y", {"x": -INF, "y": 0.0}, 1.0),
    ("np.logaddexp(x, y)", "y", {"x": -INF, "y": -INF}, 0.5),
    ("np.logaddexp2(x, y)", "y", {"x": -INF, "y": -INF}, 0.5),
    ("np.logaddexp2(x, y)", "x", {"x": -INF, "y": -INF}, 0.5),
    ("np.logaddexp2(x, y)", "x", {"x": 0.0, "y": -INF}, 1.0),
    ("np.logaddexp2(x, y)", "x", {"x": -INF, "y": 0.0}, 0.0),
    ("np.logaddexp2(x, y)", "y", {"x": -INF, "y": 0.0}, 1.0),
    ("np.logaddexp2(x, y)", "x", {"x": 0.0, "y": -200.0}, 1.0),
    ("np.logaddexp2(x, y)", "y", {"x": -200.0, "y": 0.0}, 1.0),
    ("np.logaddexp2(x, y)", "x", {"x": -200.0, "y": 0.0}, 2.0**-200),
    ("np.logaddexp(x, y)", "x", {"x": 0.0, "y": -200.0}, 1.0),
    ("np.logaddexp(x, y)", "y", {"x": -200.0, "y": 0.0}, 1.0),
    ("np.heaviside(x, h)", "h", {"x": np.array([-1.0, 0.0, 1.0]), "h": 0.5}, 1.0),
    ("math.lgamma(x)", "x", {"x": -0.5}, 0.03648997397857652),
    ("math.lgamma(x)", "x", {"x": 20.0}, 2.9705239922421493),
    ("np.sinc(x)", "x", {"x": np.array([0.0, 1e-3])}, [0.0, -math.pi**2 / 3.0 * 1e-3]),
    ("np.where(c, x, y)", "x", {"c": np.array([True, False]), "x": np.ones(2), "y": np.ones(2)}, [1.0, 0.0]),
    ("np.take(x, k)", "x", {"x": np.ones(3), "k": np.array([2, 2, 0, 2])}, [1.0, 0.0, 3.0]),
    ("np.nan_to_num(x)", "x", {"x": np.array([np.nan, 1.0])}, [0.0, 1.0]),
    ("np.max(x, initial=2.0)", "x", {"x": np.array([2.0, 1.0])}, [0.5, 0.0]),
    ("np.max(x, where=c, initial=0.0)", "x", {"x": np.array([2.0, 2.0, 1.0]), "c": np.array([True, False, True])},
     [1.0, 0.0, 0.0]),
    ("np.max(x, initial=9.0)", "x", {"x": np.array([2.0, 1.0])}, [0.0, 0.0]),
    ("np.nansum(x)", "x", {"x": np.array([np.nan, 1.0])}, [0.0, 1.0]),
    ("np.nanmean(x)", "x", {"x": np.array([np.nan, 1.0, 3.0])}, [0.0, 0.5, 0.5]),
    ("np.nanmax(x)", "x", {"x": np.array([np.nan, 3.0, 3.0])}, [0.0, 0.5, 0.5]),
    ("np.nanprod(x)", "x", {"x": np.array([np.nan, 0.0, 3.0])}, [0.0, 3.0, 0.0]),
    ("np.nanstd(x)", "x", {"x": np.array([np.nan, 2.0, 2.0])}, [0.0, 0.0, 0.0]),
    ("np.median(x)", "x", {"x": np.array([1.0, 2.0, 2.0, 2.0, 5.0])}, [0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]),
    ("np.median(x)", "x", {"x": np.array([1.0, 2.0, 2.0, 5.0])}, [0.0, 0.5, 0.5, 0.0]),
    ("np.nanmedian(x)", "x", {"x": np.array([np.nan, 1.0, 2.0])}, [0.0, 0.5, 0.5]),
    ("np.quantile(x, 1.0)", "x", {"x": np.array([2.0, 1.0, 2.0])}, [0.5, 0.0, 0.5]),
    ("np.percentile(x, 50.0)", "x", {"x": np.array([2.0, 1.0, 4.0])}, [1.0, 0.0, 0.0]),
    ("np.unique(x)", "x", {"x": np.array([2.0, 1.0, 2.0])}, [0.5, 1.0, 0.5]),
    ("np.maximum.accumulate(x)", "x", {"x": np.array([1.0, 1.0, 0.0])}, [2.0, 1.0, 0.0]),
    ("np.interp(x, p, q)", "x", {"x": np.array([-1.0, 1.0, 2.0, 3.0]), "p": np.arange(3.0), "q": np.arange(3.0) ** 2},
     [0.0, 3.0, 3.0, 0.0]),
    ("np.trim_zeros(x)", "x", {"x": np.array([0.0, 1.0, 0.0, 2.0, 0.0])}, [0.0, 1.0, 1.0, 1.0, 0.0]),
    ("np.trim_zeros(x, 'f')", "x", {"x": np.array([0.0, 1.0, 2.0, 0.0])}, [0.0, 1.0, 1.0, 1.0]),
    ("np.trim_zeros(x, 'b')", "x", {"x": np.array([0.0, 1.0, 2.0, 0.0])}, [1.0, 1.0, 1.0, 0.0]),
    ("np.nancumsum(x)", "x", {"x": np.array([np.nan, 1.0])}, [0.0, 1.0]),
    ("np.logaddexp.reduce(x)", "x", {"x": np.array([0.0, -INF])}, [1.0, 0.0]),
    ("np.logaddexp.reduce(x)", "x", {"x": np.array([-INF, -INF])}, [0.5, 0.5]),
    ("np.logaddexp.reduce(x)", "x", {"x": np.array([1000.0, 1000.0])}, [0.5, 0.5]),
    ("np.hypot.reduce(x)", "x", {"x": np.zeros(2)}, [0.0, 0.0]),
    ("np.nanmean(x)", "x", {"x": np.array([np.nan, 1.0])}, [0.0, 1.0]),
    ("np.interp(x, p, q, left=z)", "z", {"x": np.array([-1.0, 0.0, 1.0]), "p": np.arange(3.0), "q": np.arange(3.0),
     "z": 0.5}, 1.0),
    ("np.interp(x, p, q, right=z)", "z", {"x": np.array([3.0, 2.0, 1.0]), "p": np.arange(3.0), "q": np.arange(3.0),
     "z": 0.5}, 1.0),
    ("np.cumsum(x, axis=a)", "x", {"x": np.ones((2, 3)), "a": None}, [[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]]),
    ("sp.special.xlogy(x, y)", "y", {"x": np.zeros(2), "y": np.array([0.0, -1.0])}, [0.0, 0.0]),
    ("sp.special.xlogy(x, y)", "y", {"x": np.ones(1), "y": np.zeros(1)}, [INF]),
    ("sp.special.logsumexp(a)", "a", {"a": np.array([-INF, -INF])}, [0.0, 0.0]),
    ("sp.special.logsumexp(a)", "a", {"a": np.array([-INF, 0.0])}, [0.0, 1.0]),
    ("sp.special.radian(d, m, s)", "s", {"d": 1.0, "m": 2.0, "s": 3.0}, math.pi / 648000.0),
    ("sp.stats.expon.logpdf(x)", "x", {"x": np.array([-1.0, 0.0, 1.0])}, [0.0, -1.0, -1.0]),
    ("sp.stats.gamma.logpdf(x, a)", "x", {"x": np.array([-1.0, 0.0, 1.0]), "a": 3.0}, [0.0, 0.0, 1.0]),
    ("sp.stats.beta.logpdf(x, a, b)", "x", {"x": np.array([-1.0, 0.0, 0.5, 1.0, 1.5]), "a": 3.0, "b": 2.0},
     [0.0, 0.0, 2.0, 0.0, 0.0]),
    ("sp.stats.chi2.logpdf(x, df)", "x", {"x": np.array([-1.0, 0.0, 1.0]), "df": 4.0}, [0.0, 0.0, 0.5]),
    ("sp.stats.lognorm.logpdf(x, s)", "x", {"x": np.array([-1.0, 0.0, 1.0]), "s": 1.0}, [0.0, 0.0, -1.0]),
    ("sp.stats.uniform.logpdf(x, 0.0, c)", "c", {"x": np.array([-1.0, 0.0, 0.5, 1.0, 1.5]), "c": np.ones(5)},
     [0.0, -1.0, -1.0, -1.0, 0.0]),
    ("np.i0(x)", "x", {"x": np.array([0.0, 1.0, 50.0])}, [0.0, 0.5651591039924851, 2.9030785901035567e20]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "wrt", "env", "expected"), EDGES, ids=[f"{i} {e[0]} {e[1]}" for i, e in enumerate(EDGES)]
)
def test_edges(call: str, wrt: str, env: dict[str, Any], expected: Any) -> None:
    with np.errstate(invalid="ignore"):
        probe = np.full(np.shape(eval(call, NAMESPACE | env)), 2.0)
        value = contribution(call, wrt, probe if probe.ndim else 2.0, **env)
    np.testing.assert_allclose(value, 2.0 * np.asarray(expected), rtol=1e-5, atol=1e-300)


def test_sqrt_at_zero_is_infinite() -> None:
    with np.errstate(divide="ignore"):
        assert contribution("np.sqrt(x)", "x", x=np.zeros(1))[0] == INF


# ---------------------------------------------------------------- text, binding, refusals


def call_of(call: str) -> Op:
    """A call in text, with names as they are."""
    tree = ast.parse(call, mode="eval").body

    def expr(e: ast.expr) -> Expr:
        match e:
            case ast.Name():
                return Var(e.id)
            case ast.Constant():
                return Const(e.value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                return Const(-value)
            case ast.List() | ast.Tuple():
                return Sequence(tuple(expr(i) for i in e.elts), "list" if isinstance(e, ast.List) else "tuple")
        raise ValueError(ast.unparse(e))

    assert isinstance(tree, ast.Call)
    options = tuple((k.arg or "", expr(k.value)) for k in tree.keywords)
    return Op(function_of(tree), tuple(expr(a) for a in tree.args), options)


def text(call: str, wrt: str, facts: Any = NO_FACTS, lookup: Callable[[str], Rule | None] = rules.lookup) -> str:
    """The contribution to the cotangent of one name, as text."""
    op = call_of(call)
    rule = lookup(op.fn)
    assert rule is not None
    call_ = rule.bind(op)
    operand = next(o for o in call_.operands if o.expr == Var(wrt))
    g, out = Var("g"), Var("out")
    if isinstance(rule, kinds.Reduction):
        return SHOW(rule.vjp(call_, operand, rule.expand(call_, g, facts), rule.expand(call_, out, facts), facts))
    return SHOW(rule.vjp(call_, operand, g, out, facts))


RANKS = AllFacts(
    {
        "A": np.ones((2, 2)),
        "B": np.ones((2, 2)),
        "C": np.ones((3, 2, 2)),
        "D": np.ones((3, 2, 2)),
        "x": np.ones(2),
        "y": np.ones(2),
        "s": 1.0,
        "t": 1.0,
    }
)
FALLING = "np.linspace(1.0, 0.0, 5, dtype=np.result_type(g, 0.0))"
RISING = "np.linspace(0.0, 1.0, 5, dtype=np.result_type(g, 0.0))"
POINTS = AllFacts(RANKS.env | {"g": np.ones(5), "out": np.ones(5)})
NUMBERS = AllFacts(RANKS.env | {"g": 1.0, "out": 1.0})
VECTORS = AllFacts(RANKS.env | {"g": np.ones(2), "out": np.ones(2)})
MATRICES = AllFacts(RANKS.env | {"g": np.ones((2, 2)), "out": np.ones((2, 2))})
GRIDS = AllFacts({"P": np.ones((4, 3)), "Q": np.ones((4, 3)), "U": np.ones((3, 4)), "V": np.ones((3, 4))})
TEXTS = [
    ("max(s, t)", "s", RANKS, "((s > t) + 0.5 * (s == t)) * g"),
    ("max(s, x)", "s", RANKS, "np.sum(np.heaviside(np.where(s == x, 0.0, s - x), 0.5) * g)"),
    ("min(s, x)", "x", RANKS, "np.heaviside(np.where(s == x, 0.0, s - x), 0.5) * g"),
    ("np.cross(x, y)", "x", VECTORS, "np.cross(y, g)"),
    ("np.cross(P, Q)", "Q", GRIDS, "np.cross(g, P)"),
    ("np.cross(U, V, axis=0)", "U", GRIDS, "np.cross(V, g, axis=0)"),
    ("np.cross(A, B)", "A", MATRICES, "_cross_bar(B, g, A)"),
    ("sp.linalg.solve(A, B)", "B", MATRICES, "scipy.linalg.solve(A.T, g)"),
    ("sp.linalg.solve_triangular(A, B)", "B", MATRICES, "scipy.linalg.solve_triangular(A, g, trans='T')"),
    ("np.tril(A)", "A", MATRICES, "np.tril(g)"),
    ("np.trapezoid(x, dx=s)", "s", NUMBERS, "g * np.trapezoid(x)"),
    ("np.linalg.cholesky(A, upper=True)", "A", MATRICES, "_cholesky_bar(g.T, out.T).T"),
    ("np.linalg.matrix_power(A, -1)", "A", MATRICES, "-np.linalg.inv(A).T @ g @ np.linalg.inv(A).T"),
    ("np.linalg.cross(x, y)", "x", VECTORS, "np.linalg.cross(y, g)"),
    ("np.linalg.cross(x, y)", "y", VECTORS, "np.linalg.cross(g, x)"),
    ("np.linalg.trace(A)", "A", NUMBERS, "g * _ones_on_diagonal(A, 0)"),
    (
        "np.linalg.matrix_norm(A)",
        "A",
        NUMBERS,
        "A / (np.expand_dims(out, (-2, -1)) + (np.expand_dims(out, (-2, -1)) == 0.0)) * g",
    ),
    ("np.linalg.cond(A)", "A", NUMBERS, "g * _cond_slope(A, out)"),
    ("np.linalg.pinv(A, 1e-12)", "A", MATRICES, "_pinv_bar(g, A, out)"),
    ("np.linalg.pinv(A, 1e-10)", "A", MATRICES, "_pinv_bar(g, A, out)"),
    ("np.linalg.pinv(A, rtol=0.5)", "A", MATRICES, "_pinv_bar(g, A, _of_its_rank(out, A))"),
    ("np.linalg.norm(x, 3)", "x", RANKS, "np.sign(x) * (np.abs(x) / (out + (out == 0.0))) ** 2 * g"),
    ("sp.linalg.solve(A, x)", "A", VECTORS, "-np.outer(scipy.linalg.solve(A.T, g), out)"),
    (
        "sp.linalg.solve_triangular(A, x)",
        "A",
        VECTORS,
        "-np.triu(np.outer(scipy.linalg.solve_triangular(A, g, trans='T'), out))",
    ),
    ("sp.stats.norm.cdf(x)", "x", None, "np.exp(-0.5 * x ** 2) / math.sqrt(2.0 * math.pi) * g"),
    ("np.ndarray.tolist(x)", "x", RANKS, "np.array(g, dtype=np.result_type(x, 0.0))"),
    ("np.atleast_1d(x)", "x", RANKS, "g"),
    ("np.atleast_2d(A)", "A", RANKS, "g"),
    ("np.atleast_3d(C)", "C", RANKS, "g"),
    ("np.hstack([x, y])", "y", RANKS, "g[len(x):]"),
    ("np.hstack([A, B])", "B", RANKS, "g[:, A.shape[1]:]"),
    ("np.pad(x, (1, 2))", "x", RANKS, "g[1:1 + len(x)]"),
    ("np.diag(A)", "A", VECTORS, "np.diag(g)"),
    ("np.diagonal(A)", "A", RANKS, "_diag_bar(g, A)"),
    ("np.trace(A)", "A", RANKS, "g * np.eye(len(A), A.shape[1], dtype=A.dtype)"),
    ("np.linspace(s, t, 5)", "s", POINTS, f"g @ {FALLING}"),
    ("np.linspace(s, t, 5)", "t", POINTS, f"g @ {RISING}"),
    ("np.geomspace(s, t, 5)", "s", POINTS, f"np.sum({FALLING} * (out * g)) / s"),
    ("np.geomspace(s, t, 5)", "t", POINTS, f"np.sum({RISING} * (out * g)) / t"),
    (
        "np.logspace(s, t, 5)",
        "s",
        POINTS,
        f"2.302585092994046 * np.sum({FALLING} * (out * g))",
    ),
    (
        "np.logspace(s, t, 5)",
        "t",
        POINTS,
        f"2.302585092994046 * np.sum({RISING} * (out * g))",
    ),
    ("np.meshgrid(x, y)", "x", RANKS, "np.sum(g[0], axis=0)"),
    ("sum([s, t], s)", "t", RANKS, "g"),
    ("math.fsum([s, t])", "s", RANKS, "g"),
    ("np.fft.fft(x)", "x", None, "np.fft.ifft(g, norm='forward')"),
    ("np.fft.ifft(x)", "x", None, "np.fft.fft(g, norm='forward')"),
    ("np.fft.rfft(x)", "x", None, "np.real(np.fft.ifft(g, np.shape(x)[-1], norm='forward'))"),
    ("np.fft.ihfft(x)", "x", None, "np.real(np.fft.fft(g, np.shape(x)[-1], norm='forward'))"),
    ("np.fft.fft2(x)", "x", None, "np.fft.ifft2(g, norm='forward')"),
    ("np.fft.rfft2(x)", "x", None, "np.real(np.fft.ifft2(g, (np.shape(x)[-2], np.shape(x)[-1]), norm='forward'))"),
    ("np.average(x, weights=y)", "x", RANKS, "y / np.sum(y) * g"),
    ("np.sin(x)", "x", None, "np.cos(x) * g"),
    ("math.sin(x)", "x", None, "math.cos(x) * g"),
    ("math.erf(x)", "x", None, "2.0 / math.sqrt(math.pi) * math.exp(-x ** 2) * g"),
    ("math.log(x)", "x", None, "g / x"),
    ("np.tanh(x)", "x", None, "(1.0 - out ** 2) * g"),
    ("np.divide(a, b)", "b", None, "-a / b ** 2 * g"),
    ("np.power(x, 2)", "x", None, "2.0 * x * g"),
    ("np.power(x, 3)", "x", None, "3.0 * x ** 2 * g"),
    ("np.power(x, 1)", "x", None, "g"),
    ("np.power(x, 0.5)", "x", None, "0.5 * g / out"),
    ("np.maximum(x, 0.0)", "x", None, "np.heaviside(x, 0.5) * g"),
    ("np.sum(x, axis=1)", "x", None, "np.expand_dims(g, 1)"),
    (
        "np.max(x, axis=1)",
        "x",
        None,
        "(x == np.expand_dims(out, 1)).astype(out.dtype)"
        " / np.sum((x == np.expand_dims(out, 1)).astype(out.dtype), axis=1, keepdims=True) * np.expand_dims(g, 1)",
    ),
    ("np.mean(x)", "x", None, "g / np.size(x)"),
    ("np.clip(x, 0.0, 1.0)", "x", None, "np.heaviside(x, 0.5) * np.heaviside(1.0 - x, 0.5) * g"),
    ("np.mean(x)", "x", RANKS, "g / x.size"),
    ("np.matmul(A, x)", "A", RANKS, "np.outer(g, x)"),
    ("np.matmul(A, x)", "x", RANKS, "A.T @ g"),
    ("np.matmul(A, B)", "A", RANKS, "g @ B.T"),
    ("np.matmul(A, B)", "B", RANKS, "A.T @ g"),
    ("np.matmul(x, y)", "x", RANKS, "y * g"),
    ("np.matmul(a, b)", "a", None, "_matmul_bar_a(g, a, b)"),
    ("np.matmul(x, A)", "x", RANKS, "A @ g"),
    ("np.matmul(x, A)", "A", RANKS, "np.outer(x, g)"),
    ("np.matmul(C, D)", "C", RANKS, "g @ np.swapaxes(D, -1, -2)"),
    ("np.matmul(C, D)", "D", RANKS, "np.swapaxes(C, -1, -2) @ g"),
    ("np.matmul(C, A)", "C", RANKS, "g @ A.T"),
    ("np.dot(A, B)", "B", RANKS, "A.T @ g"),
    ("np.dot(s, A)", "s", RANKS, "np.sum(A * g)"),
    ("np.dot(s, A)", "A", RANKS, "s * g"),
    ("np.inner(A, B)", "A", RANKS, "g @ B"),
    ("np.inner(A, B)", "B", RANKS, "g.T @ A"),
    ("np.inner(A, x)", "A", RANKS, "np.outer(g, x)"),
    ("np.inner(A, x)", "x", RANKS, "g @ A"),
    ("np.inner(x, A)", "A", RANKS, "np.outer(g, x)"),
    ("np.vdot(x, y)", "x", RANKS, "y * g"),
    ("np.vdot(A, B)", "A", RANKS, "B * g"),
    ("np.vdot(a, b)", "a", None, "np.reshape(b, np.shape(a)) * g"),
    ("np.tensordot(C, A, axes=1)", "C", RANKS, "np.tensordot(g, A, axes=([2], [1]))"),
    ("np.tensordot(a, b)", "a", None, "_tensordot_bar_a(g, a, b, 2)"),
    ("np.einsum('ij,jk->ik', a, b)", "a", None, "_unbroadcast(np.einsum('ik,jk->ij', g, b), a)"),
    ("np.einsum('ij->i', a)", "a", None, "np.einsum('i,ij->ij', g, np.ones_like(a))"),
    ("np.einsum('i,j->ij', a, b)", "a", None, "np.einsum('ij,j->i', g, b)"),
    ("sum([s, t])", "s", RANKS, "g"),
    ("np.linalg.inv(A)", "A", RANKS, "-out.T @ g @ out.T"),
    ("np.linalg.det(A)", "A", RANKS, "g * _cofactors(A, out)"),
    ("np.outer(x, y)", "x", RANKS, "g @ y"),
    ("np.dot(x, y)", "y", RANKS, "x * g"),
    ("np.einsum('ij,jk->ik', A, B)", "A", RANKS, "np.einsum('ik,jk->ij', g, B)"),
    ("np.where(c, s, t)", "s", AllFacts({"c": True, "s": 1.0, "t": 1.0, "g": 1.0}), "g if c else 0.0"),
    ("np.concatenate([a, b])", "b", None, "g[len(a):]"),
    ("np.concatenate([a, b, d], axis=1)", "b", None, "g[:, np.shape(a)[1]:np.shape(a)[1] + np.shape(b)[1]]"),
    ("np.array([a, b])", "b", None, "g[1]"),
    ("np.linalg.solve(A, x)", "x", RANKS, "np.linalg.solve(A.T, g)"),
    ("np.reshape(x, (2, n))", "x", None, "np.reshape(g, np.shape(x))"),
]  # fmt: skip


def test_a_histogram_whose_edges_are_those_of_the_data() -> None:
    """Its counts have a derivative in the weights, its edges one that is not given."""
    rule = rules.lookup("numpy.histogram")
    assert rule is not None
    call = rule.bind(Op("numpy.histogram", (Var("x"), Const(3)), (("weights", Var("w")),)))
    x, w = call.operands
    out = Sequence((Var("counts"), Var("edges")))
    only_counts, only_edges = Sequence((Var("g"), ir.NONE)), Sequence((ir.NONE, Var("g")))
    assert SHOW(rule.vjp(call, x, only_counts, out)) == "np.zeros_like(x)"
    assert SHOW(rule.vjp(call, w, only_edges, out)) == "np.zeros_like(w)"
    dots: dict[Operand, Expr] = {x: Var("x_dot"), w: Var("w_dot")}
    tangent = rule.jvp(call, dots, out, wanted=(True, False))
    assert SHOW(tangent) == "(_histogram_dot(w_dot, x, edges), np.zeros_like(edges))"
    assert SHOW(rule.jvp(call, {w: Var("w_dot")}, out, wanted=(True, True))) == SHOW(tangent)
    with pytest.raises(RuleError, match="give it a `range`"):
        rule.vjp(call, x, only_edges, out)
    with pytest.raises(RuleError, match="give it a `range`"):
        rule.jvp(call, dots, out, wanted=(True, True))


class Gridded(type(NO_FACTS)):  # type: ignore[misc]
    """The ranks of some names; that of k is not known."""

    def ndim(self, e: Expr) -> int | None:
        return {"s": 0, "x": 1, "y": 1, "A": 2, "C": 3}.get(SHOW(e))


GRIDDED = Gridded()
GRADIENTS = [  # a call, its facts, the cotangents of its arguments, its tangent
    (
        "np.gradient(x, y)",
        GRIDDED,
        ("_gradient_bar_along(g, step=y)", "_gradient_bar_points(g, x, y)"),
        "np.gradient(x_dot, y) + _gradient_points_dot(y_dot, x, y)",
    ),
    (
        "np.gradient(A, s, y, edge_order=2)",
        GRIDDED,
        (
            "_gradient_bar_along(g[0], step=s, edge_order=2) + _gradient_bar_along(g[1], step=y, axis=1, edge_order=2)",
            "-np.sum(g[0] * out[0]) / s",
            "_gradient_bar_points(g[1], A, y, axis=1, edge_order=2)",
        ),
        "[np.gradient(A_dot, s, axis=0, edge_order=2) + -out[0] * (s_dot / s), "
        "np.gradient(A_dot, y, axis=1, edge_order=2) + _gradient_points_dot(y_dot, A, y, axis=1, edge_order=2)]",
    ),
    (
        "np.gradient(C, k, axis=(1, 0))",
        GRIDDED,
        (
            "_gradient_bar_along(g[0], step=k, axis=1) + _gradient_bar_along(g[1], step=k)",
            "_gradient_bar_step(g[0], C, out[0], k, axis=1) + _gradient_bar_step(g[1], C, out[1], k)",
        ),
        "[np.gradient(C_dot, k, axis=1) + _gradient_step_dot(k_dot, C, out[0], k, axis=1), "
        "np.gradient(C_dot, k, axis=0) + _gradient_step_dot(k_dot, C, out[1], k)]",
    ),
    (
        "np.gradient(u, k, edge_order=2)",
        NO_FACTS,
        (
            "_gradient_bar(np.asarray(g), u, (k,), edge_order=2)",
            "_gradient_bar_spacing(g, u, out, (k,), 0, edge_order=2)",
        ),
        "_gradient_dot(u, out, (k,), (k_dot,), f_dot=u_dot, edge_order=2)",
    ),
    (
        "np.gradient(u, edge_order=2)",
        NO_FACTS,
        ("_gradient_bar(np.asarray(g), u, edge_order=2)",),
        "np.gradient(u_dot, edge_order=2)",
    ),
]


@pytest.mark.parametrize(("call", "facts", "bars", "tangent"), GRADIENTS, ids=[e[0] for e in GRADIENTS])
def test_texts_of_gradients(call: str, facts: Any, bars: tuple[str, ...], tangent: str) -> None:
    rule = rules.lookup("numpy.gradient")
    assert rule is not None
    bound = rule.bind(call_of(call))
    g, out = Var("g"), Var("out")
    assert tuple(SHOW(rule.vjp(bound, o, g, out, facts)) for o in bound.operands) == bars
    dots: dict[Operand, Expr] = {o: Var(f"{SHOW(o.expr)}_dot") for o in bound.operands}
    assert SHOW(rule.jvp(bound, dots, out, facts)) == tangent


def test_a_part_of_a_gradient_that_nobody_reads() -> None:
    rule = rules.lookup("numpy.gradient")
    assert rule is not None
    bound = rule.bind(call_of("np.gradient(A)"))
    g = Sequence((Op("numpy.zeros_like", (Var("a"),)), Var("b_bar")))
    assert SHOW(rule.vjp(bound, bound.operands[0], g, Var("out"), GRIDDED)) == "_gradient_bar_along(b_bar, axis=1)"


CUT_OFF = [
    ("np.linalg.pinv(A, 0.5)", True), ("np.linalg.pinv(A, rtol=s)", True), ("np.linalg.pinv(A, 1e-12)", False),
    ("np.linalg.pinv(A)", False), ("np.linalg.lstsq(A, v)", False),
    ("np.linalg.lstsq(A, v, 0.5)", True), ("np.linalg.lstsq(A, v, 1e-12)", False),
    ("np.linalg.lstsq(A, v, 1)", False),
]  # fmt: skip


@pytest.mark.parametrize(("call", "guarded"), CUT_OFF)
def test_a_pseudo_inverse_that_is_cut_off(call: str, guarded: bool) -> None:
    """Below the rank of the matrix it has another derivative: the output raises. Rounding errors may be cut off."""
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    rule = rules.lookup(function_of(tree))
    assert rule is not None
    case = parse_sample(rule, call)
    operand = next(iter(operands_of(case)))
    case.env[name_of(operand)] = np.diag([1.0, 0.9, 0.1, 1e-13])
    result = case.primal(case.env)
    g = whole(result, (0,), [np.ones_like(result[0])]) if rule.results else np.ones_like(result)
    parts = (0,) if rule.results else None
    for run in (
        lambda: pulled(case, operand, g, result, NO_FACTS),
        lambda: pushed(case, {operand: np.ones((4, 4))}, result, parts, NO_FACTS),
    ):
        if guarded:
            with pytest.raises(np.linalg.LinAlgError, match="cuts off singular values"):
                run()
        else:
            value, text = run()
            assert np.all(np.isfinite(flat(value))) and "_of_its_rank" not in text
    if rule.results:  # linear in the right-hand side, whatever is cut off
        tangent = pushed(case, {list(operands_of(case))[1]: POOL["w"]}, result, parts, NO_FACTS)[0]
        close(tangent, case.primal(case.env | {"x1": POOL["w"]})[0], 1e-12)


def test_the_characteristic_polynomial_is_refused() -> None:
    with pytest.raises(RuleError, match="of rank 1"):
        text("np.poly(A)", "A", RANKS)


@pytest.mark.parametrize(
    ("c", "q", "c_dot", "q_dot"),
    [
        ([2.0], [1.0, 3.0], [0.0], [0.0, 1.0]),
        ([2.0, 1.0], [1.0, 3.0], [0.0, 1.0], [0.0, 0.0]),
        ([0.0, 2.0], [0.0, 1.0, 3.0], [0.0, 1.0], [0.0, 0.0, 0.5]),
    ],
)
def test_tangents_of_products_of_polynomials_keep_their_zeros(
    c: list[float], q: list[float], c_dot: list[float], q_dot: list[float]
) -> None:
    """np.polymul leaves leading zeros out of what it is given: those of a tangent have their places."""
    tangent = helpers._polymul_dot(c_dot, c, q) + helpers._polymul_dot(q_dot, q, c)
    step = 1e-6
    ahead = np.polymul(np.add(c, step * np.array(c_dot)), np.add(q, step * np.array(q_dot)))
    back = np.polymul(np.subtract(c, step * np.array(c_dot)), np.subtract(q, step * np.array(q_dot)))
    assert tangent == pytest.approx((ahead - back) / (2 * step), abs=1e-8)


def test_a_power_of_a_literal_with_a_complex_exponent() -> None:
    assert text("np.power(2.0, x)", "x", lookup=rules.lookup_complex) == "0.6931471805599453 * out * g"


@pytest.mark.parametrize(("call", "wrt", "facts", "expected"), TEXTS, ids=[c for c, *_ in TEXTS])
def test_text(call: str, wrt: str, facts: Any, expected: str) -> None:
    assert text(call, wrt, facts or NO_FACTS) == expected


REFUSED = [
    ("np.sum(x, dtype=int)", "only to a floating-point type"),
    ("np.sum(x, order=d)", "the option `order` of `np.sum` is not supported"),
    ("np.sum(x, 0, None, y)", "at most 3 positional arguments"),
    ("np.add(x, y, where=c)", "leaves elements unset"),
    ("np.sum()", "lacks its argument `x`"),
    ("np.nan_to_num(x, copy=False)", "copy=False writes into its argument"),
    ("np.sin([a, b])", "list display"),
    ("np.pad(x, 1, mode='mean')", "modes constant, edge"),
    ("np.einsum(sub, x)", "have to be known"),
    ("np.convolve(x, y, mode)", "a convolution is supported with a literal `mode`"),
    ("np.correlate(x, y, mode)", "a convolution is supported with a literal `mode`"),
    ("np.choose(k, [x, y], mode='wrap')", "supported with mode='raise'"),
    ("np.split(x, [3, 1])", "have to ascend"),
    ("np.hsplit(x, (-1, -2))", "have to ascend"),
    ("np.reshape(x, 4, 'A')", "literal 'C' or 'F'"),
    ("np.ravel(x, 'K')", "literal 'C' or 'F'"),
    ("np.meshgrid(x, y, indexing=m)", "literal options"),
    ("np.linalg.svd(x, hermitian=True)", "hermitian=False only"),
    ("np.linalg.pinv(x, hermitian=True)", "hermitian=False only"),
    ("np.linalg.cholesky(x, upper=m)", "a literal `upper`"),
    ("sp.special.factorial(x, exact=True)", "exact=False only"),
    ("np.histogram(x, 3, r, density=True)", "without `density`"),
    ("np.array(x, dtype=int)", "only to a floating-point type"),
    ("math.dist(x, y)", "written out"),
    ("np.ndarray.item(x, 0)", "without an index"),
    ("sp.linalg.solve(x, y, assume_a='tridiagonal')", "supported with assume_a"),
    ("sp.linalg.eigh(x, 1.0)", "supported with b"),
    ("sp.linalg.eigvalsh(x, 1.0)", "supported with b"),
    ("sp.linalg.qr(x, mode='r')", "supported with mode"),
    ("sp.linalg.solve_triangular(x, y, 3)", "supported with trans"),
    ("sp.linalg.lu_solve((x, k), y, trans=3)", "supported with trans"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[c for c, _ in REFUSED])
def test_refusals(call: str, message: str) -> None:
    with pytest.raises(RuleError, match=message.replace("(", r"\(")):
        text(call, "x")


def test_literals_keep_to_python_floats() -> None:
    """A NumPy scalar in the text of a rule would widen float32."""
    assert text("np.log2(x)", "x") == "g / (0.6931471805599453 * x)"
    assert text("np.power(2.0, x)", "x") == "0.6931471805599453 * out * g"


def test_aliases() -> None:
    assert rules.lookup("numpy.absolute") is rules.lookup("numpy.abs")
    assert rules.lookup("numpy.acos") is rules.lookup("numpy.arccos")
    assert rules.lookup("numpy.concat") is rules.lookup("numpy.concatenate")
    assert rules.lookup("numpy.no_such_function") is None
    assert rules.lookup("scipy.special.psi") is rules.lookup("scipy.special.digamma")
    assert rules.lookup("scipy.special.no_such_function") is None


def test_every_float_ufunc_of_numpy_has_a_rule() -> None:
    missing = []
    for name in dir(np):
        f = getattr(np, name)
        of_floats = isinstance(f, np.ufunc) and any(t.startswith("d") for t in f.types)
        if of_floats and rules.lookup("numpy." + name) is None:
            missing.append(name)
    assert missing == []


def test_every_function_of_math_has_a_rule() -> None:
    names = [n for n in dir(math) if callable(getattr(math, n)) and not n.startswith("_")]
    assert [n for n in names if rules.lookup("math." + n) is None] == []


def test_helpers_stand_alone() -> None:
    """The text of a helper with those it calls runs on NumPy alone."""
    for name in helpers.names():
        todo, seen = [name], []
        while todo:
            n = todo.pop()
            seen.append(n)
            todo += [r for r in helpers.requires(n) if r not in seen]
        space: dict[str, Any] = {"np": np}
        exec("\n".join(helpers.source(n) for n in seen), space)
        known = {
            "np",
            "at",
            *dir(np),
            *dir(np.ndarray),
            *dir(np.linalg),
            *dir(np.fft),
            *dir(dict),
            *dir(list),
            "__dict__",
            "eps",
            *("sol", "t", "y"),  # of what solve_ivp gives
            *dir(builtins),
            *seen,
        }
        assert set(space[name].__code__.co_names) <= known
        assert space[name].__doc__


def test_a_rule_without_samples_is_noticed() -> None:
    rule = kinds.Linear("np.flip(x, axis=None)", lambda g: g)
    with pytest.raises(ValueError, match="no samples"):
        samples(rule)


def test_a_wrong_rule_is_noticed() -> None:
    rule = kinds.Elementwise("np.sin(x)", lambda g, x: -np.cos(x) * g)
    with pytest.raises(AssertionError):
        test_both_modes(elementwise_cases(rule)[1])


def test_a_typo_in_a_key_is_noticed() -> None:
    with pytest.raises(AttributeError):
        kinds.Elementwise("np.sni(x)", lambda g, x: g)


def test_the_page_on_rules_shows_rules_of_the_table() -> None:
    page = Path(rules.__file__).parent.parent / "pages" / "add-a-rule.md"
    shown = [line.strip() for line in page.read_text().splitlines() if line.startswith("    ") and "(" in line]
    calls = [ast.parse(line, mode="eval").body for line in shown if not line.startswith("python")]
    keys = [(c.func.id, a.value) for c in calls for a in c.args if isinstance(a, ast.Constant)]  # type: ignore[attr-defined]
    assert len(keys) > 5
    table = {rule.key.partition("(")[0]: rule for rule in rules.all_rules()}
    for kind, key in keys:
        rule = table[key.partition("(")[0]]
        assert (rule.kind, rule.key) == (kind, key)


def test_which_arguments_of_helpers_are_only_measured() -> None:
    assert helpers.measured("_unbroadcast") == {1}
    assert helpers.measured("_matmul_bar_a") == {1}  # through another helper
    assert helpers.measured("_matmul_bar_b") == {2}
    assert helpers.measured("_norm_slope") == frozenset()
