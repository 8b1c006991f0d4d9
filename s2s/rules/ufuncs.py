"""Methods of ufuncs: outer, accumulate, reduceat; `reduce` stands with the reductions, `at` is a store.

`outer(a, b)` is the function of a, with an axis of length 1 for each axis of b, and b. `accumulate` is a linear
recurrence once its partial derivatives are known: out[k] = f(out[k - 1], x[k]).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.kinds import TABLE, Elementwise, Part, constant, general, keeps_floats, linear, names_of, run, total
from s2s.rules.shaping import cumsum_x
from s2s.rules.tracing import h, ndim

OUTER = (
    "add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "fmax", "fmin", "arctan2", "hypot",
    "logaddexp", "logaddexp2", "copysign", "float_power", "fmod", "remainder", "heaviside",
)  # fmt: skip
FOLDED = ("maximum", "minimum", "fmax", "fmin", "logaddexp", "logaddexp2", "hypot")


def widened(a: Any, b: Any, e: Any = None) -> Any:
    """a, or a value of its shape, with an axis of length 1 behind for each axis of b."""
    m, n, e = ndim(a), ndim(b), a if e is None else e
    if n == 0:
        return e
    if m is not None and n is not None:
        return np.expand_dims(e, m if n == 1 else tuple(range(m, m + n)))
    return h._widened(e, b)


def outer_bar(part: Part, first: bool) -> Part:
    def action(g: Any, a: Any, b: Any, out: Any) -> Any:
        wide = widened(a, b)
        e = run(part, {"a": wide, "b": b, "x": wide, "g": g, "out": out})
        m, n = ndim(a), ndim(b)
        if m is None or n is None:
            return h._outer_sum(e, g, a, first)
        behind, before = tuple(range(m, m + n)), tuple(range(m))
        axes = behind if first else before
        return np.sum(e, axis=axes[0] if len(axes) == 1 else axes) if axes else e

    return action


def outer_dot(parts: list[Part | None]) -> Part:
    def action(a: Any, b: Any, out: Any, a_dot: Any, b_dot: Any) -> Any:
        scope = {"a": widened(a, b), "b": b, "x": widened(a, b), "out": out}
        dots = (None if a_dot is None else widened(a, b, a_dot)), b_dot
        terms = [run(p, scope | {"g": dot}) for p, dot in zip(parts, dots, strict=True) if p and dot is not None]
        if len(terms) == 2:
            return total(terms)
        part, own, other = (parts[0], ("a", "x"), b) if b_dot is None else (parts[1], ("b", "h"), a)
        spread = part is None or not set(names_of(part)) <= {"g", *own} or ndim(other) == 0
        return terms[0] if spread else terms[0] * np.ones_like(out)

    return action


def outer_rule(name: str) -> None:
    rule = TABLE[f"numpy.{name}"]
    assert isinstance(rule, Elementwise)
    parts = [rule.actions[n] for n in rule.names]
    bars = [outer_bar(p, i == 0) if p else None for i, p in enumerate(parts)]
    low = "v**2 + 0.3" if name in ("power", "float_power", "divide", "remainder", "fmod") else "v"
    high = "u**2 + 0.4"
    samples = f"np.{name}.outer({low}, {high}); np.{name}.outer(M**2 + 0.3, {high}); np.{name}.outer(u**2 + 0.7, s); "
    samples += (
        f"np.{name}.outer(u**2 + 0.7, M**2 + 0.4); np.{name}.outer(col**2 + 0.3, p2 + 0.2); np.{name}.outer(s, {high})"
    )
    general(f"np.{name}.outer(a, b)", jvp=outer_dot(parts), vjp=bars, at=samples, analytic=rule.analytic)


for name in OUTER:
    outer_rule(name)


# ---------------------------------------------------------------- accumulate


def slopes(name: str, before: Any, x: Any, out: Any) -> tuple[Any, Any]:
    """The partial derivatives of one step of a fold."""
    rule = TABLE[f"numpy.{name}"]
    scope = {"a": before, "b": x, "out": out, "g": 1.0}
    found = [rule.actions[n] for n in ("a", "b")]
    return tuple(run(p, scope) for p in found if p)


def behind(x: Any, axis: Any, cut: slice) -> Any:
    return (
        x[cut]
        if axis == 0
        else x[(..., cut, *(slice(None),) * (-1 - axis))]
        if axis < 0
        else x[(*(slice(None),) * axis, cut)]
    )


def fold_rule(name: str) -> None:
    def partial(x: Any, out: Any, axis: Any) -> tuple[Any, Any]:
        ahead, rest = slice(None, -1), slice(1, None)
        return slopes(name, behind(out, axis, ahead), behind(x, axis, rest), behind(out, axis, rest))

    def x_bar(g: Any, x: Any, out: Any, axis: Any) -> Any:
        return h._fold_bar(g, *partial(x, out, axis), **({} if axis == 0 else {"axis": axis}))

    def x_dot(g: Any, x: Any, out: Any, axis: Any) -> Any:
        return h._fold_dot(g, *partial(x, out, axis), **({} if axis == 0 else {"axis": axis}))

    general(
        f"np.{name}.accumulate(x, axis=0, dtype=None)",
        jvp=[x_dot],
        vjp=[x_bar],
        check=fold_check,
        at=f"np.{name}.accumulate(v); np.{name}.accumulate(M); np.{name}.accumulate(T, axis=-1); "
        f"np.{name}.accumulate(T, axis=1); np.{name}.accumulate(T, axis=2); np.{name}.accumulate(T, axis=-2)",
    )


def fold_check(scope: dict[str, Any]) -> str | None:
    if not isinstance(scope["axis"], int):
        return "a fold is supported with a literal axis"
    return keeps_floats(scope)


for name in FOLDED:
    fold_rule(name)
linear(
    "np.add.accumulate(x, axis=0, dtype=None)",
    cumsum_x,
    check=keeps_floats,
    at="np.add.accumulate(v); np.add.accumulate(M); np.add.accumulate(T, axis=-1)",
)
general(
    "np.multiply.accumulate(x, axis=0, dtype=None)",
    jvp=[lambda g, x, axis: h._cumprod_dot(g, x, axis)],
    vjp=[lambda g, x, axis: h._cumprod_bar(g, x, axis)],
    check=keeps_floats,
    at="np.multiply.accumulate(v); np.multiply.accumulate(zeros_in, axis=1)",
)
linear(
    "np.add.reduceat(x, indices, axis=0, dtype=None)",
    lambda g, x, indices, axis: h._reduceat_bar(g, x, indices, **({} if axis == 0 else {"axis": axis})),
    check=keeps_floats,
    at="np.add.reduceat(v, k); np.add.reduceat(M, k, axis=1); np.add.reduceat(v, [0, 2])",
)


for rule in [r for r in TABLE.values() if r.kind == "constant" and r.fn.startswith("numpy.")]:
    if isinstance(rule.function, np.ufunc) and rule.function.nin == 2 and rule.function.nout == 1:
        folds = () if rule.fn == "numpy.floor_divide" else ("reduce", "accumulate", "reduceat")  # x[0] comes through
        constant(*(f"{rule.spelled}.{method}(x)" for method in (*folds, "outer")))
