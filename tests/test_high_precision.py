"""Rules that the complex step is no reference for, against the functions themselves in forty digits.

Each rule of the table has two references that know nothing of it: Richardson's differences (test_rules.py), and either
the complex step there, or differences here, whose error is far below that of double precision. Order 2: the Hessian of
the program of test_second_order.py along two directions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from high_precision import DEFINITIONS, MP, STEP, WIDE, precise, rounded
from s2s.ir import Const, Expr, Sequence
from s2s.rules import kinds
from test_rules import (
    CASES,
    NAMESPACE,
    SHOW,
    Case,
    Parts,
    broadcast_to_out,
    close,
    complex_vjp,
    elementwise_cases,
    finish,
    flat,
    known,
    name_of,
    operands_of,
    part_of,
    pulled,
    pushed,
    random_like,
    selections,
    whole,
)


def evaluated(case: Case, env: dict[str, Any]) -> Any:
    """The call with operands of forty digits."""

    def value(e: Expr) -> Any:
        if isinstance(e, Sequence):
            return [value(i) for i in e.items] if e.kind == "list" else tuple(value(i) for i in e.items)
        return e.value if isinstance(e, Const) else eval(SHOW(e), NAMESPACE | {"float": object} | env)

    f = DEFINITIONS.get(case.rule.fn, case.rule.function)
    return f(*(value(a) for a in case.op.args), **{k: value(v) for k, v in case.op.options})


def has_complex_step(case: Case) -> bool:
    """Whether test_rules.py holds the rule against the complex step of this call."""
    if not case.rule.analytic:
        return False
    result = case.primal(case.env)
    for parts in selections(case):
        g = random_like(part_of(result, parts), np.random.default_rng(0))
        for operand, x in operands_of(case).items():

            def f(value: Any, name: str = name_of(operand), parts: Any = parts) -> Any:
                return part_of(case.primal(case.env | {name: value}), parts)

            if complex_vjp(f, x, g) is None:
                return False
    return True


def shifted(x: Any, t: Any, d: Any) -> Any:
    """x + t d, item by item for lists."""
    if isinstance(x, list | tuple):
        return type(x)(shifted(a, t, b) for a, b in zip(x, d, strict=True))
    return x + t * d


def slope(case: Case, parts: Parts, g: Any, dots: dict[str, Any]) -> float:
    """The derivative of <g, f> along a direction."""
    weights, env = flat(precise(g)), precise_all(case.env)

    def value(t: Any) -> Any:
        moved = {n: shifted(env[n], t, precise(d)) for n, d in dots.items()}
        return np.sum(weights * flat(part_of(evaluated(case, env | moved), parts)))

    return float((value(STEP) - value(-STEP)) / (2 * STEP))


def curvature(case: Case, u: dict[str, Any], v: dict[str, Any]) -> float:
    """The second derivative, along two directions, of what `program` of test_rules_end_to_end.py makes of the call."""
    env, parts = precise_all(case.env), case.rule.bind(case.op).parts

    def value(s: int, t: int) -> Any:
        moved = {n: shifted(shifted(env[n], s * WIDE, precise(u[n])), t * WIDE, precise(v[n])) for n in u}
        result = evaluated(case, env | moved)
        if parts:
            result = [result[i] for i in parts]
        elif isinstance(result, list | tuple):
            result = result[0]
        return sum(MP.sin(x) for x in flat(result))

    return float((value(1, 1) - value(1, -1) - value(-1, 1) + value(-1, -1)) / (4 * WIDE**2))


def precise_all(env: dict[str, Any]) -> dict[str, Any]:
    return {n: precise(v) for n, v in env.items()}


def compare(case: Case) -> None:
    result = case.primal(case.env)
    rng = np.random.default_rng(3)
    for parts in selections(case):
        out = part_of(result, parts)
        tolerance = 1e-6 if flat(out).dtype == np.float32 else 1e-10
        close(rounded(part_of(evaluated(case, precise_all(case.env)), parts)), out, tolerance)
        g_parts = random_like(out, rng)
        g = whole(result, parts, g_parts)
        dots = {o: random_like(x, rng) for o, x in operands_of(case).items()}
        for operand, dot in dots.items():
            facts = known(case, g, result)
            expected = slope(case, parts, g_parts, {name_of(operand): dot})
            bar, _ = pulled(case, operand, g, result, facts)
            bar = flat(finish(case, bar, case.env[name_of(operand)]))
            scale = 1.0 + np.sum(np.abs(bar * flat(dot)))
            assert abs(bar @ flat(dot) - expected) <= tolerance * scale, (
                case.label,
                operand,
                bar @ flat(dot),
                expected,
            )
            tangent = broadcast_to_out(pushed(case, {operand: dot}, result, parts, facts)[0], out)
            assert abs(flat(g_parts) @ flat(tangent) - expected) <= tolerance * scale, (case.label, operand)


def groups() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in CASES:
        found.setdefault(case.rule.fn, []).append(case)
    return found


def is_broadcast(case: Case) -> bool:
    """Whether the operands of an element-wise rule are larger than a reference of it needs."""
    return case.rule.kind == "elementwise" and not case.rule.at and flat(case.primal(case.env)).size > 4


@pytest.mark.parametrize(("fn", "cases"), groups().items(), ids=list(groups()))
def test_two_references(fn: str, cases: list[Case]) -> None:
    there = [c for c in cases if flat(c.primal(c.env)).size and not is_broadcast(c)]
    assert there
    for case in there:
        if not has_complex_step(case):
            compare(case)


def test_a_wrong_rule_is_noticed() -> None:
    rule = kinds.Elementwise("np.hypot(a, b)", lambda g, a, out: a / out * g, lambda g, b, out: -b / out * g)
    with pytest.raises(AssertionError):
        compare(elementwise_cases(rule)[1])
