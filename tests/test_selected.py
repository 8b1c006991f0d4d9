"""Items of what a key selects, `X[key][0]`, where it shows only in a run whether the key is a number or several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import checking
from programs import Program

ROWS = np.array([[0.5, -1.2, 0.7], [1.5, 0.3, -0.4], [0.2, 0.1, 0.9]])
BODIES = {
    "named": "rows = X[key]\n    return np.sum(rows[0]) * np.sum(rows[1])",
    "at once": "return np.sum(X[key][0]) * np.sum(X[key][1])",
    "in a loop": "s = 0.0\n    for i in range(2):\n        s += np.sum(X[key][i]) ** 2\n    return s",
    "beside other items": "return np.sum(X[key][0]) * np.sum(X[0][1])",
}
NUMBER_OR_SLICE: dict[str, Any] = {"number": 1, "slice": slice(0, 2)}
KEYS: dict[str, Any] = NUMBER_OR_SLICE | {
    "places": np.array([2, 0]),
    "places that repeat": np.array([1, 1]),
    "matrix of places": np.array([[0, 1], [1, 1]]),
    "list of places": [1, 0],
    "mask": np.array([True, False, True]),
}
LISTS: dict[str, Any] = {
    "lists": ROWS[:, :2].tolist(),
    "tuples": tuple(map(tuple, ROWS[:, :2].tolist())),
    "arrays": list(ROWS),
}
DRAWN = """
import numpy as np


def f(w, X):
    rng = np.random.default_rng(7)
    order = rng.permutation(len(X))
    return np.sum(X[order][0] * w)
"""


def verdict(body: str, X: Any, key: Any) -> str:
    source = f"import numpy as np\n\n\ndef f(X, key):\n    {body}\n"
    program = Program(source, (X, key), ("X",), ("X", "key"), True)
    return checking.check(program, emit=("vjp", "jvp"), margin=0.0).kind


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("key", KEYS)
def test_of_an_array(body: str, key: str) -> None:
    """The adjoint of X[key][0] was written into a copy, and lost; that of places that repeat was counted once."""
    assert verdict(BODIES[body], ROWS, KEYS[key]) == "right"


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("rows", LISTS)
@pytest.mark.parametrize("key", NUMBER_OR_SLICE)
def test_of_a_list(body: str, rows: str, key: str) -> None:
    assert verdict(BODIES[body], LISTS[rows], KEYS[key]) == "right"


def test_in_an_order_that_is_drawn() -> None:
    program = Program(DRAWN, (ROWS[0], ROWS), ("w", "X"), ("w", "X"), True)
    assert checking.check(program, emit=("vjp", "jvp"), margin=0.0).kind == "right"
