"""Options of the functions of the table: what a rule takes is right, and all else is refused.

Each parameter of a key that is no operand is given values of many kinds, written as literals and by name. Where the
function takes such a value and the rule does, too, the derivative in both modes is held against differences. A
parameter that moves the result continuously must be an operand, or be refused where it is active (`closed`).
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from s2s import rules
from s2s.errors import S2SError
from s2s.ir import Const, Expr, Op, Sequence, Var
from s2s.pipeline import Request
from s2s.pipeline import differentiate_unformatted as differentiate
from s2s.rules import NO_FACTS, Rule, RuleError, kinds
from test_rules import (
    CASES,
    AllFacts,
    Case,
    Parts,
    broadcast_to_out,
    finish,
    flat,
    known,
    name_of,
    on_arrays,
    operands_of,
    part_of,
    pulled,
    pushed,
    random_like,
    selections,
    whole,
)

WORDS = (
    *("L", "U", "r", "complete", "reduced", "raw", "economic", "full", "valid", "same", "wrap", "clip", "raise"),
    *("constant", "edge", "reflect", "symmetric", "linear_ramp", "mean", "linear", "nearest", "weibull", "ortho"),
    *("forward", "nuc", "fro", "b", "F", "xy", "ij", "left", "pos", "gen", "diagonal", "T"),
)
WHOLE = (0, 1, -1, 2, 3)
FRACTIONS = (0.5, 1.5, 2.5, -0.7)
LISTS = ((0,), (0, 1), (1, 0), (1, 2))
OPTION = "option"


def given(case: Case, name: str, e: Expr, value: Any) -> Case:
    """The call with another value for one of its parameters."""
    rule = case.rule
    at = rule.params.index(name)
    args, options = list(case.op.args), dict(case.op.options)
    if at < len(args) and not rule.star:
        args[at] = e
    else:
        options[name] = e
    env = case.env | ({OPTION: value} if isinstance(e, Var) else {})
    return Case(rule, Op(rule.fn, tuple(args), tuple(options.items())), env, f"{case.label} with {name}={value!r}")


def kinds_of(value: Any) -> tuple[Any, ...]:
    """Values of the kind that a parameter has in a call; of a default of None all that there are."""
    match value:
        case bool():
            return (True, False)
        case int():
            return WHOLE
        case float():
            return WHOLE + FRACTIONS
        case str():
            return WORDS
        case None:
            return (None, *WHOLE, *FRACTIONS, *WORDS, *LISTS)
        case tuple():
            return WHOLE + LISTS
    return ()


def variants(case: Case) -> Iterator[Case]:
    rule = case.rule
    scope, _ = on_arrays(case)
    for name in rule.params:
        if rule.actions.get(name) is not None or name == rule.star:
            continue
        for value in kinds_of(scope[name]):
            if name == "axis" and value in FRACTIONS:
                continue
            if isinstance(value, tuple):
                yield given(case, name, Sequence(tuple(Const(v) for v in value), "tuple"), value)
            else:
                yield given(case, name, Const(value), value)
            if value in (scope[name], None, 1, 0.5, "r", "wrap", (0, 1)):
                yield given(case, name, Var(OPTION), value)


def result_of(case: Case, env: dict[str, Any] | None = None) -> Any:
    """The value of a call, which may overwrite its arguments."""
    return case.primal(copy.deepcopy(case.env if env is None else env))


def right(case: Case) -> bool:
    """Whether the rule takes a call; then its derivative must be right."""
    try:
        with np.errstate(all="ignore"):
            result = result_of(case)
    except Exception:
        return False
    try:
        case.rule.bind(case.op)
    except RuleError:
        return False
    rng = np.random.default_rng(4)
    taken = False
    for parts in selections(case):
        out = part_of(result, parts)
        numbers = flat(out)
        if numbers.dtype.kind != "f" or not np.all(np.isfinite(numbers)):
            continue
        g_parts = random_like(out, rng)
        g = whole(result, parts, g_parts)
        dots = {o: random_like(x, rng) for o, x in operands_of(case).items()}
        all_known = AllFacts(known(case, g, result).env | {f"dot{i}": d for i, d in enumerate(dots.values())})
        for facts in (NO_FACTS,) if OPTION in case.env else (NO_FACTS, all_known):
            for operand, dot in dots.items():
                x = case.env[name_of(operand)]
                name = name_of(operand)
                try:
                    bar, text = pulled(case, operand, g, result, facts)
                    tangent, _ = pushed(case, {operand: dot}, result, parts, facts)
                except (RuleError, np.linalg.LinAlgError):
                    continue
                except Exception:
                    if case.env.get(OPTION, 0) is None:  # it crashes where None by name leads to other operations
                        continue
                    raise
                bar = flat(finish(case, bar, x))
                expected = slope(case, parts, name, dot, g_parts)
                assert abs(bar @ flat(dot) - expected) <= 1e-5 * (1.0 + np.sum(np.abs(bar * flat(dot)))), text
                forward = flat(g_parts) @ flat(broadcast_to_out(tangent, out))
                assert abs(forward - bar @ flat(dot)) <= 1e-9 * (1.0 + np.sum(np.abs(bar * flat(dot)))), text
                taken = True
    return taken


def slope(case: Case, parts: Parts, name: str, dot: Any, g: Any) -> float:
    def value(t: float) -> float:
        return float(flat(g) @ flat(part_of(result_of(case, case.env | {name: moved(case.env[name], t, dot)}), parts)))

    first, second = ((value(h) - value(-h)) / (2.0 * h) for h in (1e-4, 5e-5))
    return (4.0 * second - first) / 3.0


def moved(x: Any, t: float, dot: Any) -> Any:
    if isinstance(x, list):
        return [moved(a, t, b) for a, b in zip(x, dot, strict=True)]
    return x + t * dot


# Calls that NumPy or SciPy take by chance, and what is written does not.
ODD = {
    "numpy.cumulative_sum": ("(0,)", "(0, 1)"),  # an axis is a number
    "numpy.linalg.lstsq": ("(0,)",),  # a cut-off is a number
    "scipy.special.multigammaln": ("d=0", "d=-1"),  # a number of dimensions
    "scipy.special.eval_legendre": ("n=-1",),  # a degree
}
ONE_EACH = {c.rule.fn: c for c in reversed(CASES) if flat(c.primal(c.env)).size}


@pytest.mark.parametrize("case", ONE_EACH.values(), ids=lambda c: c.rule.fn)
def test_what_is_taken_is_right(case: Case) -> None:
    for variant in variants(case):
        if not variant.label.endswith(ODD.get(case.rule.fn, ("nothing",))):
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                right(variant)


def moves(case: Case, name: str, value: float) -> bool:
    """Whether the result depends on a parameter continuously."""
    varied = given(case, name, Var(OPTION), value)

    def smooth(result: Any) -> Any:
        return part_of(result, case.rule.bind(case.op).parts or None)

    return changes(varied, varied.env, varied.env | {OPTION: value * (1.0 + 1e-6)}, smooth)


def changes(case: Case, env: dict[str, Any], other: dict[str, Any], smooth: Callable[[Any], Any]) -> bool:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a, b = (flat(smooth(result_of(case, e))) for e in (env, other))
    except Exception:
        return False
    if a.shape != b.shape or a.dtype.kind != "f" or not (np.all(np.isfinite(a)) and np.all(np.isfinite(b))):
        return False
    return bool(0.0 < np.max(np.abs(a - b), initial=0.0) < 1e-3 * (1.0 + np.max(np.abs(a))))


# What no rule takes: the reverse sweep reads what would be overwritten, and integers have no derivative.
NEVER: dict[str, Expr] = {n: Const(True) for n in ("overwrite_a", "overwrite_b", "overwrite_ab", "full_output")}
NEVER |= {"dtype": Var("int"), "extrapolate": Const(True)}
WITH_THOSE = [r for r in rules.all_rules() if r.kind != "constant" and NEVER.keys() & set(r.params)]


@pytest.mark.parametrize("rule", WITH_THOSE, ids=lambda r: r.fn)
def test_what_is_never_taken(rule: Rule) -> None:
    needed = tuple(Var(n) for n in rule.names) if rule.fn not in ONE_EACH else ONE_EACH[rule.fn].op.args
    for name in NEVER.keys() & set(rule.params):
        others = () if rule.params.index(name) >= len(needed) else needed[: rule.params.index(name)]
        assert not taken_by(rule, Op(rule.fn, others or needed, ((name, NEVER[name]),))), name


def taken_by(rule: Rule, op: Op) -> bool:
    try:
        rule.bind(op)
    except RuleError:
        return False
    return True


@pytest.mark.parametrize("case", ONE_EACH.values(), ids=lambda c: c.rule.fn)
def test_what_moves_the_result_is_an_operand_or_closed(case: Case) -> None:
    rule = case.rule
    for name in rule.params:
        if rule.actions.get(name) is None and name != rule.star and name not in rule.closed:
            for value in (0.3, 0.7, 1.5, 2.5, -3.1):
                assert not (moves(case, name, value) and is_taken(given(case, name, Var(OPTION), value))), name


def is_taken(case: Case) -> bool:
    return taken_by(case.rule, case.op)


# Active options that the tests above can't move: a program is refused.
CLOSED = (
    *("np.nan_to_num(x, nan=a)", "np.nan_to_num(x, posinf=a)", "np.nan_to_num(x, neginf=a)"),
    *("np.pad(x, 2, constant_values=a)", "np.ix_(x, a)", "np.ix_(x, x, a)", "np.ix_(x, x, x, a)"),
    *("np.histogram(x, 3, (a, 2.0), weights=x)[0]", "np.histogram(x, a, weights=x)[0]", "np.gradient(1j * x, a).real"),
    "np.cov(1j * x, aweights=a * x).real",
)


@pytest.mark.parametrize("call", CLOSED)
def test_what_is_closed(call: str) -> None:
    wrt = ("a",) if "ix_" in call else ("x", "a")
    source = f"import numpy as np\n\n\ndef f(x, a):\n    return np.sum({call}[0])\n"
    with pytest.raises(S2SError, match="with an active `"):
        differentiate(source, Request(functions=("f",), wrt=wrt, shapes="x (n,), a ()"))


CONSTANT = [
    r
    for r in rules.all_rules()
    if r.kind == "constant" and r.params and not r.fn.startswith("builtins.") and "empty" not in r.fn
]


@pytest.mark.parametrize("rule", CONSTANT, ids=lambda r: r.fn)
def test_what_moves_a_constant_is_closed(rule: Rule) -> None:
    """Of a function without a derivative no parameter moves the result, but those that must not be active."""
    numbers = [np.array([0.3, 1.7]), np.array([1.2, 2.6])]
    for args in ([0.4, 2.7, 0.3][: len(rule.params)], [numbers[i % 2] for i in range(len(rule.names))]):
        for i, name in enumerate(rule.params[: len(args)]):
            case = Case(rule, Op(rule.fn, tuple(Var(f"x{k}") for k in range(len(args)))), {}, rule.key)
            env = {f"x{k}": a for k, a in enumerate(args)}
            if name not in rule.closed:
                assert not changes(case, env, env | {f"x{i}": args[i] * (1.0 + 1e-6)}, lambda result: result), name


COMPLEX = [r for r in rules.complex_rules() if r.fn in kinds.COMPLEX and r.fn in ONE_EACH]


@pytest.mark.parametrize("rule", COMPLEX, ids=lambda r: r.fn)
def test_a_complex_rule_refuses_what_the_real_one_does(rule: Rule) -> None:
    case = ONE_EACH[rule.fn]
    assert set(case.rule.closed) & set(rule.params) - {n for n in rule.params if rule.actions.get(n)} <= set(
        rule.closed
    )
    for variant in variants(case):
        if not is_taken(variant) and all(n in rule.params for n in variant.rule.params):
            assert not is_taken(replace(variant, rule=rule)), variant.label
