"""Lengths that are multiples and sums of others, as `4*h` and `n+1`: proved, stated and guarded."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.frontend.text.pragma import parse_shapes
from s2s.pipeline import Request, differentiate_unformatted

R = np.random.default_rng(3)


def N(*shape: int) -> np.ndarray:
    return R.uniform(0.5, 1.5, shape)


def program(text: str, args: tuple[Any, ...]) -> Program:
    source = "import numpy as np\n\n" + textwrap.dedent(text)
    params = tuple(source[source.index("(", source.index("def f")) + 1 : source.index("):")].split(", "))
    names = tuple(p.partition(":")[0] for p in params)
    wrt = tuple(n for n, a in zip(names, args, strict=True) if not isinstance(a, int))
    return Program(source, args, wrt, names, True)


# (text, several arguments): no code for broadcasting is needed
PROVED: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "halves of a state": (
        """
        # s2s: y (2*n,)
        def f(y, k: float):
            n = len(y) // 2
            q, p = y[:n], y[n:]
            return 0.5 * np.sum(p * p) + 0.5 * k * np.sum(q * q * p)
        """,
        [(N(6), 0.7), (N(2), 0.7), (N(0), 0.7)],
    ),
    "gates": (
        """
        # s2s: W (4*h, d), h (h,), x (d,)
        def f(W, h, x):
            n = len(h)
            z = W @ x
            a, b, c, d = z[:n], z[n : 2 * n], z[2 * n : 3 * n], z[3 * n :]
            return np.sum(a * h + b * c * d)
        """,
        [(N(12, 2), N(3), N(2)), (N(4, 2), N(1), N(2))],
    ),
    "sizes": (
        """
        # s2s: x (n,), M (n, 4), c (m, 2)
        def f(x, M, c):
            n = x.size
            y = np.zeros(n)
            y[:] = x * x
            z = np.zeros(np.size(x) - 1)
            z += y[1:] * x[:-1]
            w = np.zeros(M.size)
            w += M.ravel() ** 2
            b = M.reshape((-1, 4)) * x[:, None] * y[:, None]
            return np.sum(z) + np.sum(w * M.reshape(-1)) + np.sum(b) * np.sum(c)
        """,
        [(N(3), N(3, 4), N(2, 2)), (N(1), N(1, 4), N(1, 2))],
    ),
    "ghost cells": (
        """
        # s2s: u (n+2,), f (n,), w (n+1,)
        def f(u, f, w):
            flux = w * (u[1:] - u[:-1])
            return np.sum((flux[1:] - flux[:-1] - f) ** 2)
        """,
        [(N(6), N(4), N(5)), (N(3), N(1), N(2)), (N(2), N(0), N(1))],
    ),
    "a buffer of one more": (
        """
        # s2s: x (n,)
        def f(x):
            n = len(x)
            total = np.zeros(n + 1)
            for i in range(n):
                total[i + 1] = total[i] + x[i] ** 2
            return np.sum(total[1:] * x) + np.sum(total[:-1] * x)
        """,
        [(N(4),), (N(1),), (N(0),)],
    ),
    "stacked derivatives": (
        """
        # s2s: y (2*n,), M (n, n)
        def f(y, M):
            n = M.shape[0]
            q, p = y[:n], y[n : 2 * n]
            out = np.zeros(2 * n)
            out[:n] = p * q
            out[n:] = -(M @ q)
            return np.sum(out * y)
        """,
        [(N(6), N(3, 3)), (N(2), N(1, 1))],
    ),
    "coefficients and their orders": (
        """
        # s2s: c (n+1,), x ()
        def f(c, x):
            n = len(c) - 1
            r = c[n]
            for i in range(n - 1, -1, -1):
                r = r * x + c[i]
            return r + np.sum(c[1:] * np.arange(1, n + 1))
        """,
        [(N(4), 0.7), (N(1), 0.7)],
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved(name: str) -> None:
    text, calls = PROVED[name]
    for args in calls:
        verdict = checking.check(program(text, args), emit=("grad", "vjp", "jvp"))
        assert verdict.kind == "right", verdict
        assert "_unbroadcast" not in verdict.text


# Where a bound may be negative, be cut off or change, nothing is proved, and the derivative is right nonetheless.
UNPROVED: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "a negative bound": (
        """
        # s2s: x (n,)
        def f(x, k: int):
            return np.sum(x[:k] * x[0]) + np.sum(x[k:] ** 2)
        """,
        [(N(4), -1), (N(4), 2), (N(4), 9)],
    ),
    "minus zero": (
        """
        # s2s: x (m,), y (n,)
        def f(x, y):
            n = len(y)
            return np.sum(x[-n:] ** 2) + np.sum(y)
        """,
        [(N(4), N(0)), (N(4), N(2)), (N(4), N(4))],
    ),
    "cut off at zero, and one more": (
        """
        # s2s: x (n,)
        def f(x):
            m = len(x[1:]) + 1
            y = np.ones(m) * 0.5
            return np.sum(y[: len(x)] ** 2) + np.sum(x * x) * np.sum(y)
        """,
        [(N(0),), (N(1),), (N(3),)],
    ),
    "halves of an odd length": (
        """
        def f(y):
            n = len(y) // 2
            return np.sum(y[:n] ** 2) * np.sum(y[n:])
        """,
        [(N(5),), (N(1),), (N(4),)],
    ),
    "a length that doubles in a loop": (
        """
        # s2s: x (n,)
        def f(x):
            k = 1
            y = np.sum(x) * np.ones(1)
            while k < len(x):
                k = 2 * k
                y = np.concatenate([y, y * 0.5])
            return np.sum(y[:k] ** 2) + np.sum(x[:k])
        """,
        [(N(5),), (N(1),), (N(2),)],
    ),
    "a bound from another array": (
        """
        # s2s: x (n,), y (m,)
        def f(x, y):
            k = 2 * len(y)
            return np.sum(x[:k] ** 2) + np.sum(x[k:]) + np.sum(y[:k])
        """,
        [(N(5), N(2)), (N(3), N(2)), (N(3), N(0))],
    ),
}


@pytest.mark.parametrize("name", UNPROVED)
def test_unproved(name: str) -> None:
    text, calls = UNPROVED[name]
    for args in calls:
        verdict = checking.check(program(text, args), emit=("grad", "vjp", "jvp"))
        assert verdict.kind == "right", verdict


# (statement of x, y and z, lengths that are taken, lengths that are not)
GUARDS = [
    ("x (2*n,)", [(4,), (0,)], [(3,)]),
    ("x (2*n+1,)", [(5,), (1,)], [(4,), (0,)]),
    ("x (n+1,)", [(1,), (3,)], [(0,)]),
    ("x (2*n,), y (n,)", [(4, 2), (0, 0)], [(4, 3), (5, 2)]),
    ("y (n,), x (n-1,)", [(2, 3), (0, 1)], [(3, 3)]),
    ("x (2*n,), y (3*n,)", [(4, 6)], [(4, 4), (3, 3)]),
    ("x (2*n,), y (2*n,), z (n+1,)", [(4, 4, 3)], [(4, 2, 3), (4, 4, 4), (3, 3, 2)]),
]


@pytest.mark.parametrize(("stated", "taken", "refused"), GUARDS, ids=[g[0] for g in GUARDS])
def test_what_is_stated_is_guarded(stated: str, taken: list[tuple[int, ...]], refused: list[tuple[int, ...]]) -> None:
    names = sorted(parse_shapes(stated))
    total = " + ".join(f"np.sum({n} ** 2)" for n in names)
    source = f"import numpy as np\n\n\n# s2s: {stated}\ndef f({', '.join(names)}):\n    return {total}\n"
    space: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request(functions=("f",))), space)
    for lengths in taken:
        args = [N(n) for n in lengths]
        found = space["f_grad"](*args)
        for x, x_bar in zip(args, found if len(args) > 1 else (found,), strict=True):
            assert np.allclose(x_bar, 2.0 * x, rtol=1e-12)
    for lengths in refused:
        with pytest.raises(AssertionError):
            space["f_grad"](*(N(n) for n in lengths))


def test_blanks_and_jaxtyping_say_the_same() -> None:
    assert parse_shapes("x (2 * n + 1, m - 1)") == {"x": ("2*n+1", "m-1")}
    text = """
    def f(u: Float[Array, "n+1"], w: Float[Array, "n"]):
        return np.sum(w * (u[1:] - u[:-1]))
    """
    source = "import numpy as np\nfrom jaxtyping import Array, Float\n" + textwrap.dedent(text)
    made = differentiate_unformatted(source, Request(functions=("f",)))
    assert "np.shape(u)[0] == np.shape(w)[0] + 1" in made
    assert "_unbroadcast" not in made


@pytest.mark.parametrize("dim", ["n*2", "n**2", "-n", "0*n", "n+m", "2n"])
def test_other_expressions_are_refused(dim: str) -> None:
    with pytest.raises(S2SError, match="is not a dimension"):
        parse_shapes(f"x ({dim},)")
