"""Keys that name no item twice: what they read is added back by `+=`, what they store is read as it lies there. Where
they may, `np.add.at`, and the last value of each item."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import checking
from s2s.pipeline import Request, differentiate_unformatted
from test_lengths import N, program

I = np.array
SQUARE = np.eye(4) + 0.1 * np.arange(16.0).reshape(4, 4) ** 0.5

# (text, several arguments): nothing may repeat, and it is known
ONCE: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "a system without its fixed unknowns": (
        """
        # s2s: x (n,), A (n, n), fixed (m,)
        def f(x, A, fixed):
            n = len(x)
            free = np.setdiff1d(np.arange(n), fixed)
            u = np.zeros(n)
            u[free] = np.linalg.solve(A[np.ix_(free, free)], x[free])
            return np.sum(u**2)
        """,
        [(N(4), SQUARE, I([0])), (N(4), SQUARE, I([1, 3, 1]))],
    ),
    "items that are chosen, and their order": (
        """
        # s2s: x (n,), y (n,)
        def f(x, y):
            u = np.zeros(len(x))
            k = np.flatnonzero(y > 0.8)
            u[k] += y[k] * x[k]
            u[np.argsort(y)] += x**2
            return u @ y
        """,
        [(N(5), N(5)), (N(0), N(0))],
    ),
    "one item of each row": (
        """
        # s2s: logits (n, k), labels (n,)
        def f(logits, labels: np.ndarray):
            z = np.exp(logits)
            return -np.sum(np.log(z[np.arange(len(labels)), labels]))
        """,
        [(N(3, 4), I([1, 1, 0])), (N(1, 2), I([0]))],
    ),
    "columns by number": (
        """
        # s2s: x (n, 4), y (n, 2)
        def f(x, y):
            z = x[:, [3, 1]] * y
            z[:, [1, 0]] += y**2
            return np.sum(z**2)
        """,
        [(N(3, 4), N(3, 2))],
    ),
    "numbers from the end": (
        """
        # s2s: x (n,)
        def f(x):
            return np.sum(x[[-1, -2]] ** 2) * np.sum(x[[0, 2]])
        """,
        [(N(3),)],
    ),
}


@pytest.mark.parametrize("name", ONCE)
def test_once(name: str) -> None:
    text, calls = ONCE[name]
    for args in calls:
        verdict = checking.check(program(text, args), emit=("grad", "vjp", "jvp"))
        assert verdict.kind == "right", verdict
        assert "add.at" not in verdict.text and "unique" not in verdict.text


# What looks alike and may repeat.
TWICE: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "both ends of a vector may be one": (
        """
        # s2s: x (n,)
        def f(x):
            return np.sum(x[[0, -1]] ** 2)
        """,
        [(N(3),), (N(1),)],
    ),
    "the order along an axis": (
        """
        # s2s: x (3,), A (3, 3)
        def f(x, A):
            return np.sum(x[np.argsort(A, axis=1)] * A)
        """,
        [(N(3), N(3, 3))],
    ),
    "places that are changed": (
        """
        # s2s: x (n,), y (n,)
        def f(x, y):
            k = np.argsort(y)
            k[0] = k[1]
            return np.sum(x[k] * y)
        """,
        [(N(3), N(3))],
    ),
    "one row for all": (
        """
        # s2s: x (n, 3), labels (m,)
        def f(x, labels: np.ndarray):
            return np.sum(x[np.arange(len(x)), labels] ** 2)
        """,
        [(N(1, 3), I([1, 1, 2])), (N(2, 3), I([1, 1]))],
    ),
    "places that count from below zero": (
        """
        # s2s: x (n,)
        def f(x):
            return np.sum(x[np.arange(-2, 2)] ** 2)
        """,
        [(N(3),), (N(4),)],
    ),
    "differences of numbers that may be negative": (
        """
        # s2s: x (n,), k (m,)
        def f(x, k, without):
            return np.sum(x[np.setdiff1d(k, without)] ** 2)
        """,
        [(N(3), I([-1, 0, 2]), I([0]))],
    ),
    "bound again": (
        """
        # s2s: x (n,), y (n,)
        def f(x, y):
            k = np.argsort(y)
            for _ in range(2):
                k = k // 2
            return np.sum(x[k] * y)
        """,
        [(N(5), N(5))],
    ),
}


@pytest.mark.parametrize("name", TWICE)
def test_twice(name: str) -> None:
    text, calls = TWICE[name]
    for args in calls:
        verdict = checking.check(program(text, args), emit=("grad", "vjp", "jvp"))
        assert verdict.kind == "right", verdict


def test_both_ends_are_stored_be_they_two_or_one() -> None:
    text = """
import numpy as np


# s2s: x (n,), T (m, n)
def f(x, T):
    y = x**2
    y[[0, -1]] = 3.0 * x[[-1, 0]]
    Y = T * T
    Y[:, [0, -2]] = 2.0 * T[:, [1, 0]]
    return np.sum(y**2) + np.sum(Y**3)
"""
    space = checking.evaluate(differentiate_unformatted(text, Request(emit=("grad",))), "text")
    x, T = N(3), N(2, 3)
    x_bar, T_bar = space["f_grad"](x, T)
    np.testing.assert_allclose(x_bar, [18.0 * x[0], 4.0 * x[1] ** 3, 18.0 * x[2]])
    np.testing.assert_allclose(T_bar[:, 2], 6.0 * T[:, 2] ** 5)
    assert checking.check(program(text, (N(2), N(2, 2))), ("vjp", "jvp")).kind == "right"  # where -2 is 0


def test_of_an_item_that_is_named_twice_the_last_value_counts() -> None:
    text = "# s2s: x (n,)\ndef f(x):\n    y = x * x\n    y[[1, 1]] = x[[0, 1]] * 2.0\n    return y @ y\n"
    assert checking.check(program(text, (np.array([0.3, 0.7, 1.2]),)), ("vjp", "jvp")).kind == "right"
