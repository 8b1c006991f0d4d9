"""Axes, orders and sizes that are chosen at run time: None, counted from the end, or several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import checking
import programs

pytestmark = pytest.mark.table

X = np.random.default_rng(7).random((2, 3, 4)) + 0.1
REDUCTIONS = ("sum", "mean", "var", "std", "prod", "max", "min", "median", "ptp", "nansum", "nanmean")
AXES = (None, 0, -1, (0, -1))
ONE_AXIS = (0, -1, -2)
WEIGHTS = "np.cos(np.arange(4.0))"

BODIES: list[tuple[str, str, tuple[Any, ...]]] = [
    *((f"np.sum(np.{fn}(x, axis=axis) ** 2)", "axis=None", AXES) for fn in REDUCTIONS),
    *((f"np.sum(np.{fn}(x, axis=axis, keepdims=True) ** 2 * x)", "axis", AXES) for fn in REDUCTIONS),
    ("np.sum(np.mean(x, axis=axis, keepdims=True) ** 3 + np.max(x, axis=axis, keepdims=True))", "axis", AXES),
    *((f"np.sum(np.{fn}(x, axis=axis) ** 2)", "axis=None", (None, *ONE_AXIS)) for fn in ("cumsum", "cumprod")),
    (f"np.sum(np.flip(x, axis=axis) ** 2 * {WEIGHTS})", "axis", AXES),
    (f"np.sum(np.roll(x, 1, axis=axis) ** 2 * {WEIGHTS})", "axis", (None, *ONE_AXIS)),
    ("np.sum(np.repeat(x, 2, axis=axis) ** 2)", "axis", (None, *ONE_AXIS)),
    ("np.sum(np.take(x, [0, 1, 1], axis=axis) ** 2)", "axis", (None, *ONE_AXIS)),
    ("np.sum(np.transpose(x, axes)[1] ** 2)", "axes=None", ((-1, 0, 1), (1, 2, 0), None)),
    ("np.sum(np.transpose(x, (i, 0, 1))[1] ** 2)", "i", (2, -1)),
    ("np.sum(np.linalg.matrix_power(x[0, :, :3], n) ** 2)", "n", (3, 1, 0, -2)),
    ("np.sum(np.moveaxis(x, axis, 0)[1] ** 3)", "axis", ONE_AXIS),
    ("np.sum(np.swapaxes(x, axis, 0)[1] ** 3)", "axis", ONE_AXIS),
    ("np.sum(np.diff(x, axis=axis) ** 3)", "axis", ONE_AXIS),
    ("np.sum(np.reshape(x, shape)[1:] ** 3)", "shape", (-1, (4, -1), (6, 4))),
]
CASES = [(value, parameter, at) for value, parameter, points in BODIES for at in points]


@pytest.mark.parametrize(("value", "parameter", "at"), CASES, ids=lambda v: str(v))
def test_chosen_at_run_time(value: str, parameter: str, at: Any) -> None:
    name = parameter.partition("=")[0]
    text = f"import numpy as np\n\n\ndef f(x, {parameter}):\n    return {value}\n"
    verdict = checking.check(programs.Program(text, (X.copy(), at), ("x",), ("x", name), True), margin=0.0)
    assert verdict.kind == "right", verdict
