"""Functions that are handed to solvers of SciPy: roots, fixed points and integrals, in both modes and twice.

The references are differences of the primal, whose solvers run at tight tolerances: the derivative is that of the
exact solution, so that both agree to the tolerance of the solver.
"""

from __future__ import annotations

import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import checking
import numeric
from high_precision import MP
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

HEAD = """
import functools
import numpy as np
from scipy import optimize
from scipy.integrate import quad, quad_vec, solve_ivp
from scipy.optimize import (
    bisect, brenth, brentq, fixed_point, fsolve, newton, ridder, root, root_scalar, toms748
)


def cubic(x, k, c):
    return x**3 + k * x - c


def circle(x, p):
    return np.array([x[0] ** 2 + p * x[1] ** 2 - 1.0, x[1] - np.sin(p * x[0])])


def coupled(x, A, b):
    return A @ x + 0.1 * x**3 - b


def put(w, s):
    w[0] = s


def step(s):
    if s > 0.3:
        return 1.0
    return s


def pendulum(t, y, g, c):
    return [y[1], -g * np.sin(y[0]) - c * y[1]]


def bell(t, k, m=0.0):
    return np.exp(-k * (t - m) ** 2)
"""
A = np.array([[2.0, 0.3, -0.1], [0.2, 1.5, 0.4], [-0.3, 0.1, 1.8]])
PROGRAMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "brentq": ("def f(k, c):\n    return k * np.sin(brentq(cubic, 0.0, 10.0, args=(k, c)))", (1.3, 2.0)),
    "captured": ("def f(k, c):\n    x = brentq(lambda x: x**3 + k * x - c, 0.0, 10.0)\n    return x * c", (1.3, 2.0)),
    "nested function": (
        """
        def f(k, re):
            def balance(x):
                s = np.sqrt(x)
                return 1.0 / s + 2.0 * np.log10(k / 3.7 + 2.51 / (re * s))
            x = bisect(balance, 1e-3, 0.2, xtol=1e-14)
            return 100.0 * x
        """,
        (1e-2, 3e3),
    ),
    "partial": ("def f(k, c):\n    return brentq(functools.partial(cubic, k=k, c=c), 0.0, 9.0) * k", (1.3, 2.0)),
    "captured and given": (
        """
        def f(k, c):
            def g(x, m):
                return x * k + m * x**3 - c
            return ridder(g, 0.0, 9.0, args=(k * c,))
        """,
        (1.3, 2.0),
    ),
    "other bracketing solvers": (
        """
        def f(k, c):
            x = brenth(cubic, 0.0, 10.0, (k, c))
            y = toms748(cubic, 0.0, 10.0, args=(c, k), xtol=1e-13)
            return x * y + optimize.brentq(f=cubic, a=0.0, b=5.0, args=(k, c)) * k
        """,
        (1.3, 2.0),
    ),
    "bracket that depends on what is active": (
        "def f(k, c):\n    return brentq(cubic, 0.0, 2.0 * c, args=(k, c)) * k",
        (1.3, 2.0),
    ),
    "newton": (
        """
        def f(e, M: float):
            E = newton(lambda E: E - e * np.sin(E) - M, M, fprime=lambda E: 1.0 - e * np.cos(E), tol=1e-13)
            return np.cos(E)
        """,
        (0.3, 1.1),
    ),
    "newton, a wrong slope": (
        "def f(k: float):\n    return newton(lambda x: np.cos(x) - k * x, 1.0, fprime=lambda x: -1.5 * k, tol=1e-14)",
        (0.9,),
    ),
    "newton on a vector": (
        "def f(k):\n    return newton(lambda x: x**3 - k, np.array([1.0, 1.5]), tol=1e-14) * k",
        (np.array([1.2, 3.0]),),
    ),
    "root": ("def f(p):\n    return root(circle, np.array([0.5, 0.8]), args=(p,), tol=1e-13).x", (1.2,)),
    "root with a Jacobian": (
        """
        def f(p):
            jac = lambda x, p: np.array([[2 * x[0], 2 * p * x[1]], [-p * np.cos(p * x[0]), 1.0]])
            sol = root(circle, [0.5, 0.8], args=(p,), jac=jac, tol=1e-13)
            if not sol.success:
                raise RuntimeError(sol.message)
            return sol.x[0] * sol.x[1] ** 2
        """,
        (1.2,),
    ),
    "root in arrays": (
        "def f(A, b):\n    sol = optimize.root(coupled, np.zeros(3), args=(A, b), tol=1e-13)\n    return sol.x",
        (A, np.array([1.0, -0.5, 0.7])),
    ),
    "fsolve of a list": (
        """
        def f(p):
            def g(x):
                return [x[0] + p[0] * x[1] ** 2 - 1.0, np.exp(x[0]) - p[1] * x[1]]
            x = fsolve(g, np.array([0.1, 0.5]), xtol=1e-13)
            return x[0] * x[1]
        """,
        (np.array([0.5, 2.0]),),
    ),
    "a number for a vector of one": (
        "def f(k):\n    return fsolve(lambda x: np.sum(np.ones(2) * x**2) - k, 1.0, xtol=1e-13)[0]",
        (1.3,),
    ),
    "a number that is computed of the only unknown": (
        "def f(k):\n    return fsolve(lambda x: x[0] ** 2 - k, [1.0])[0] + root(lambda x: x[0] - k, 1.0).x[0]",
        (1.3,),
    ),
    "a start of unknown rank": (
        "def f(k):\n    return np.sum(fsolve(lambda x: x**3 - k, 0.0 * k + 1.0, xtol=1e-13))",
        (np.array([1.3, 0.7]),),
    ),
    "unpacked": (
        """
        def f(k):
            x, y = fsolve(lambda v: [v[0] ** 2 + v[1] - k, v[1] ** 3 - v[0]], [1.0, 1.0], xtol=1e-13)
            u, _ = root(circle, [0.5, 0.8], args=(k,), tol=1e-13).x
            return x * y + u * k
        """,
        (1.3,),
    ),
    "rebound and stored": (
        """
        def f(w, k):
            A = np.zeros(2)
            A[0] = w[0]
            A[1] = w[1] * brentq(lambda x: x**3 + x - k, 0.0, 5.0)
            x = fsolve(lambda x: x**3 + x - A, np.ones(2), xtol=1e-13)
            A[0] = x[1] * A[1]
            k = k + x[0]
            y = fsolve(lambda x: x**3 + x - A, np.ones(2), xtol=1e-13)
            return np.sum(x * y) * A[0] + brentq(lambda x: x**3 + x - k, 0.0, 5.0)
        """,
        (np.array([0.5, 1.2]), 1.1),
    ),
    "two kinds at once": (
        "def f(k):\n    return brentq(lambda x: x - k, 0.0, 5.0) * root(lambda x: x**2 - k, [1.0], tol=1e-13).x[0]",
        (1.3,),
    ),
    "root_scalar": (
        """
        def f(k):
            r = root_scalar(lambda x: np.exp(-k * x) - x, bracket=[0.0, 2.0], xtol=1e-14)
            return k * r.root
        """,
        (1.2,),
    ),
    "root_scalar at once": (
        "def f(k: float):\n    return root_scalar(lambda x: k * x - np.cos(x), x0=0.5, x1=1.0, xtol=1e-14).root ** 2",
        (1.2,),
    ),
    "fixed point": (
        "def f(a: float):\n    x = fixed_point(lambda x: np.cos(a * x), 0.5, xtol=1e-14)\n    return x * x",
        (0.9,),
    ),
    "fixed point of a vector": (
        """
        def f(a, b):
            step = lambda x, s: 0.4 * np.tanh(a * x[::-1]) + s
            return fixed_point(step, np.zeros(2), args=(b,), xtol=1e-14)
        """,
        (0.9, np.array([0.3, -0.2])),
    ),
    "in a loop": (
        """
        def f(x: float, k, n: int):
            for i in range(n):
                x = brentq(lambda y: y - x + 0.1 * k * y**3, -5.0, 5.0, xtol=1e-14)
            return x
        """,
        (0.7, 1.2, 4),
    ),
    "in a comprehension": (
        "def f(ks):\n    return sum([brentq(lambda x: np.exp(-k * x) - x, 0.0, 2.0, xtol=1e-14) ** 2 for k in ks])",
        (np.array([0.5, 1.0, 2.0]),),
    ),
    "in a branch": (
        """
        def f(k, c):
            if k > 1.0:
                x = brentq(cubic, 0.0, 10.0, args=(k, c))
            else:
                x = k * c
            return x * c
        """,
        (1.3, 2.0),
    ),
    "in a helper": (
        """
        def f(k, c):
            return solve(k, c) * solve(c, k)


        def solve(k, c):
            return brentq(cubic, 0.0, 10.0, args=(k, c))
        """,
        (1.3, 2.0),
    ),
    "quad": ("def f(k, b):\n    y, err = quad(lambda t: np.exp(-k * t**2), 0.0, b)\n    return y", (0.7, 1.3)),
    "quad of a function of the table": (
        "def f(k):\n    return k * quad(np.tanh, 0.0, k)[0] + brentq(np.cos, 0.0, 3.0) * k",
        (0.7,),
    ),
    "quad, bounds": ("def f(k, a, b):\n    return 2.0 * quad(bell, a, b * k, args=(k,))[0] * k", (0.7, 0.2, 1.3)),
    "quad, bounds alone": ("def f(a, b):\n    return quad(lambda t: 1.0 / (1.0 + t**2), a, b)[0] ** 2", (0.7, 1.3)),
    "quad of an array": (
        "def f(w):\n    return quad(lambda t: w[0] * np.sin(w[1] * t), 0.0, 2.0, epsabs=1e-12)[0] ** 2",
        (np.array([0.5, 1.2]),),
    ),
    "quad, infinite": ("def f(k, m):\n    return quad(bell, -np.inf, np.inf, args=(k, m))[0] * m", (1.4, 0.3)),
    "quad, tests that do not move": (
        """
        def f(k, b):
            g = quad(lambda t: k * t if t < 0.5 else k * (1.0 - t), 0.0, b, points=[0.5])[0]
            return g + quad(lambda t: t**2 if k > 1.0 else t * k, 0.0, 1.0)[0] * b
        """,
        (0.7, 1.3),
    ),
    "quad_vec": (
        """
        def f(w, b: float):
            y, _ = quad_vec(lambda t: np.array([w[0] * np.sin(w[1] * t), w[1] * t**2]), 0.0, b)
            return y[0] * y[1]
        """,
        (np.array([0.5, 1.2]), 1.3),
    ),
    "root in an integrand": (
        """
        def f(k: float):
            def inner(t):
                return brentq(lambda x: x**3 + x - k * t, -3.0, 3.0, xtol=1e-14)
            return quad(inner, 0.0, 1.0)[0]
        """,
        (1.3,),
    ),
    "integral in a residual": (
        """
        def f(k: float):
            return brentq(lambda x: quad(lambda t: bell(t, k), 0.0, x)[0] - 0.5, 0.0, 5.0, xtol=1e-14)
        """,
        (1.3,),
    ),
}


PROGRAMS |= {
    "place of a minimum": (
        "def f(k: float):\n    return k * optimize.minimize_scalar(lambda x: np.exp(-k * x) + x, (0.0, 1.0)).x",
        (1.7,),
    ),
    "place of a minimum, and its value": (
        """
        def f(k, c):
            def cost(x, k):
                return (x - k) ** 2 + c * x**2
            r = optimize.minimize_scalar(cost, args=(k,))
            if not r.success:
                raise RuntimeError(r.message)
            return r.x**2 * r.fun
        """,
        (1.2, 0.7),
    ),
    "place of a minimum within bounds": (
        """
        def f(k):
            bounds = (-1.0, 2.0)
            x = optimize.minimize_scalar(lambda x: (x - k**2) ** 2, bounds=bounds, method="bounded").x
            return k * x**2
        """,
        (1.2,),
    ),
    "place of a minimum at a bound": (
        """
        def f(k):
            low = optimize.minimize_scalar(lambda x: k * np.exp(x), bounds=(0.5, 2.0)).x
            high = optimize.minimize_scalar(lambda x: (x - k) ** 2, bounds=(-2.0, 0.4), method="bounded").x
            return k**2 * (low + 2.0 * high)
        """,
        (1.2,),
    ),
    "place of a minimum over a vector": (
        """
        def f(k, c: float):
            def cost(z):
                return (z[0] - k) ** 2 + c * z[1] ** 2 + z[0] ** 2 * z[1] ** 2 - z[1]
            def slope(z):
                return np.array([2 * (z[0] - k + z[0] * z[1] ** 2), 2 * z[1] * (c + z[0] ** 2) - 1.0])
            z = optimize.minimize(cost, [0.5, 0.5], jac=slope, tol=1e-12).x
            return z[0] * np.sin(z[1])
        """,
        (0.8, 1.3),
    ),
}
FLOWS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "place of a minimum within a minimum": (
        """
        def f(k, c):
            def outer(y):
                x = optimize.minimize_scalar(lambda x: (x - k * y) ** 2 + 0.5 * x**2).x
                return (x - c) ** 2 + 0.1 * y**2
            return optimize.minimize_scalar(outer).x
        """,
        (1.1, 0.6),
    ),
    "least value": (
        """
        def f(k):
            far = optimize.minimize_scalar(lambda x: np.exp(-k * x) + x, bounds=(0.0, 0.05), method="bounded")
            return k * optimize.minimize_scalar(lambda x: np.exp(-k * x) + x, (0.0, 1.0), tol=1e-12).fun + far.fun
        """,
        (1.7,),
    ),
    "least value over a vector": (
        """
        def f(data, w):
            def cost(z, w):
                return np.sum(w * (data - z[0] - z[1] * np.arange(4.0)) ** 2) + 0.1 * np.sum(z**4)
            best = optimize.minimize(cost, np.zeros(2), args=(w,), method="Nelder-Mead", tol=1e-13)
            if not best.success:
                raise RuntimeError(best.message)
            return best.fun**2
        """,
        (np.array([0.3, 1.0, 2.5, 3.0]), np.array([1.0, 0.5, 2.0, 1.2])),
    ),
    "final state": (
        """
        def f(k, y0):
            def rhs(t, y):
                return -k * y
            return solve_ivp(rhs, (0.0, 1.0), [y0], rtol=1e-10, atol=1e-12).y[0, -1]
        """,
        (0.7, 1.3),
    ),
    "states at given times": (
        """
        def f(x0, g, c, data):
            y0 = np.array([x0, 0.0])
            times = np.linspace(0.5, 4.0, len(data))
            sol = solve_ivp(pendulum, (0.0, 4.0), y0, t_eval=times, args=(g, c), rtol=1e-10, atol=1e-12)
            if not sol.success:
                raise RuntimeError(sol.message)
            return np.sum((sol.y[0] - data) ** 2) + sol.t[-1] * x0
        """,
        (0.7, 1.3, 0.2, np.linspace(0.0, 1.0, 8)),
    ),
    "all states": (
        """
        def f(u, A):
            times = [0.0, 0.4, 1.0]
            g = lambda t, y: A @ y + np.cos(t)
            return solve_ivp(g, [0.0, 1.0], u, "DOP853", times, rtol=1e-11, atol=1e-13).y
        """,
        (np.array([0.7, 1.3]), np.array([[0.1, 0.4], [-0.3, 0.2]])),
    ),
    "a stiff one, backwards in time, with a Jacobian": (
        """
        def f(k, u):
            def g(t, y):
                a, b = y
                return k * b - a**3, -20.0 * (b - a) * k
            def jac(t, y):
                return np.array([[-3.0 * y[0] ** 2, k], [20.0 * k, -20.0 * k]])
            y = solve_ivp(g, (0.0, 0.5), u, method="Radau", rtol=1e-10, atol=1e-12, jac=jac).y[:, -1]
            return solve_ivp(g, (0.05, 0.0), y, rtol=1e-11, atol=1e-13).y[0, -1] * y[1]
        """,
        (0.9, np.array([0.7, 1.3])),
    ),
    "in a loop, with a fixed start": (
        """
        def f(k, n: int):
            total = 0.0
            for i in range(n):
                sol = solve_ivp(lambda t, y: k * y * (1.0 - y), (0.0, 0.5), [0.1 + 0.2 * i], rtol=1e-10, atol=1e-12)
                total = total + sol.y[0, -1] ** 2
            return total
        """,
        (0.9, 3),
    ),
}


def derivatives(name: str, *emit: str) -> tuple[str, dict[str, Any]]:
    source = HEAD + "\n\n" + textwrap.dedent((PROGRAMS | FLOWS)[name][0]).strip() + "\n"
    text = differentiate(source, Request(functions=("f",), emit=emit))
    return source, checking.evaluate(text, "f")


def active(values: tuple[Any, ...]) -> list[int]:
    return [i for i, v in enumerate(values) if not isinstance(v, int)]


def difference(g: Any, h: float = 2e-3) -> Any:
    """The derivative of g(h) at 0, by differences of the sixth order."""
    steps = [(45.0, h), (-9.0, 2.0 * h), (1.0, 3.0 * h)]
    return sum(c * (np.asarray(g(s)) - np.asarray(g(-s))) for c, s in steps) / (60.0 * h)


def moved(values: tuple[Any, ...], dots: dict[int, Any], h: float) -> tuple[Any, ...]:
    return tuple(v + h * dots[i] if i in dots else v for i, v in enumerate(values))


def names_of(source: str) -> list[str]:
    return [p.partition(":")[0] for p in source.partition("def f(")[2].partition(")")[0].split(", ")]


def tolerance(name: str) -> float:
    """Where a function is least is known to half of the digits of its values."""
    return 1e-4 if name.startswith("place") else 2e-6


@pytest.mark.parametrize("name", PROGRAMS | FLOWS)
def test_in_both_modes(name: str) -> None:
    source, module = derivatives(name, "vjp", "jvp")
    primal, values = checking.evaluate(source, "f")["f"], (PROGRAMS | FLOWS)[name][1]
    rng, own = np.random.default_rng(0), active(values)
    names = names_of(source)
    dots = {i: checking.seeds_like(values[i], rng) for i in own}
    scale = 0.01 if name == "nested function" else 0.2  # of arguments that are small
    dots = {i: scale * np.asarray(values[i]) * d if np.ndim(d) == 0 else scale * d for i, d in dots.items()}
    value, out_dot = module["f_jvp"](*values, **{f"{names[i]}_dot": d for i, d in dots.items()})
    np.testing.assert_array_equal(value, primal(*values))
    expected = difference(lambda h: primal(*moved(values, dots, h)), 5e-2)
    np.testing.assert_allclose(out_dot, expected, rtol=tolerance(name), atol=1e-9)
    out_bar = checking.seeds_like(value, rng)
    bars = module["f_vjp"](*values, out_bar=out_bar)[1]
    bars = bars if len(own) > 1 else (bars,)
    inner = sum(np.sum(b * dots[i]) for i, b in zip(own, bars, strict=True))
    np.testing.assert_allclose(inner, np.sum(out_bar * out_dot), rtol=1e-7, atol=1e-12)


SCALAR = [n for n in PROGRAMS if n not in ("newton on a vector", "root", "root in arrays", "fixed point of a vector")]


@pytest.mark.parametrize("name", SCALAR)
def test_at_second_order(name: str) -> None:
    source, module = derivatives(name, "grad", "hvp")
    values = PROGRAMS[name][1]
    rng, own = np.random.default_rng(1), active(values)
    names = names_of(source)
    dots = {i: 0.01 * np.asarray(values[i]) * checking.seeds_like(values[i], rng) for i in own}
    product = module["f_hvp"](*values, **{f"{names[i]}_dot": d for i, d in dots.items()})
    found = np.concatenate([np.ravel(p) for p in numeric.leaves(product)])

    def gradient(h: float) -> Any:
        return np.concatenate([np.ravel(g) for g in numeric.leaves(module["f_grad"](*moved(values, dots, h)))])

    np.testing.assert_allclose(found, difference(gradient, 0.3), rtol=5 * tolerance(name), atol=1e-7)


def test_the_text() -> None:
    source = HEAD + "\n\ndef f(k, c):\n    x = brentq(cubic, 0.0, 10.0, args=(k, c))\n    return x * k\n"
    text = differentiate(source, Request(functions=("f",)))
    for line in (
        "    x = brentq(cubic, 0.0, 10.0, args=(k, c))",
        "    # implicit function theorem, at the root",
        "    slope = _cubic_jvp(x, k, c, 1.0)[1]",
        "    k_inc, c_bar = _cubic_rev(x, k, c, -x_bar / slope)",
    ):
        assert line in text.splitlines()
    assert "optimize import brentq" in text


def test_the_text_of_the_place_of_a_minimum() -> None:
    source = (
        HEAD
        + "\n\ndef f(k, c):\n    r = optimize.minimize_scalar(cubic, (0.0, 1.0), args=(k, c))\n    return r.x * k\n"
    )
    lines = differentiate(source, Request(functions=("f",))).splitlines()
    for line in (
        "    r = optimize.minimize_scalar(cubic, bracket=(0.0, 1.0), args=(k, c))",
        "    r_x = r.x",
        "    # implicit function theorem, at the minimum",
        "    slope, curvature = _cubic_slope_jvp(r_x, k, c, 1.0)",
        "    assert abs(slope) < curvature * (0.001 * abs(r_x) + 1e-05)",
        "    k_bar += _cubic_slope_rev(r_x, k, c, -r_x_bar / curvature)",
    ):
        assert line in lines


KINKS = {
    "a number": ("minimize_scalar(lambda x: abs(x - k) + c * x**2)", AssertionError),
    "within bounds": ("minimize_scalar(lambda x: abs(x - k) + c * x**2, bounds=(-9.0, 9.0))", ValueError),
    "a vector": (
        "minimize(lambda x: abs(x[0] - k) + c * np.sum(x**2), [0.0, 1.0], tol=1e-10, method='Nelder-Mead')",
        AssertionError,
    ),
}


@pytest.mark.parametrize("name", KINKS)
def test_a_minimum_at_a_kink(name: str) -> None:
    """There the slope is not zero, nor need the curvature be: what holds the minimum is the jump of the slope."""
    call, error = KINKS[name]
    source = f"{HEAD}\n\ndef f(k, c: float):\n    return np.sum(optimize.{call}.x)\n"
    module = checking.evaluate(source + differentiate(source, Request(functions=("f",), emit=("grad", "jvp"))), "f")
    for c in (0.0, 0.1):
        with pytest.raises((error, np.linalg.LinAlgError)):
            module["f_grad"](0.3, c)
        with pytest.raises((error, np.linalg.LinAlgError)):
            module["f_jvp"](0.3, c, k_dot=1.0, c_dot=0.0)
    x = 1.0 / 0.8  # less than k: the slope is zero there
    np.testing.assert_allclose(module["f_grad"](3.0, 0.4), (0.0, -x / 0.4), rtol=1e-3, atol=1e-9)


def test_a_function_without_parameters_is_a_constant() -> None:
    source = HEAD + "\n\ndef f(x, hi):\n    return x * brentq(np.cos, 0.0, hi)\n"
    text = differentiate(source, Request(functions=("f",), wrt=("x",)))
    assert "brentq(np.cos, 0.0, hi)" in text and "slope" not in text


@pytest.mark.parametrize("by_name", [False, True])
def test_parts_of_a_dict(by_name: bool) -> None:
    call = "state, 0.2, 100.0, args=(p, T)" if by_name else "lambda v: state(v, p, T), 0.2, 100.0"
    source = (
        "from scipy.optimize import brentq\n\n\ndef state(v, p, T):\n"
        '    return T / (v - p["b"]) - p["a"] / v**2 - 1.0\n\n\n'
        f'def f(p, T):\n    return p["a"] * brentq({call})\n'
    )
    module = checking.evaluate(source + differentiate(source, Request(functions=("f",))), "f")
    p, T = {"a": 0.5, "b": 0.1}, 2.3
    p_bar, T_bar = module["f_grad"](p, T)
    for key in p:
        expected = difference(lambda h, key=key: module["f"](p | {key: p[key] + h}, T))
        np.testing.assert_allclose(p_bar[key], expected, rtol=1e-7)
    np.testing.assert_allclose(T_bar, difference(lambda h: module["f"](p, T + h)), rtol=1e-7)


def test_an_initial_value_problem_at_loose_tolerance() -> None:
    """The derivative is that of the exact solution, to the tolerance asked for, whatever the size of the seed."""
    source = HEAD + "\n\ndef f(k, y0):\n    return solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [y0]).y[0, -1]\n"
    module = checking.evaluate(differentiate(source, Request(functions=("f",), emit=("vjp",))), "f")
    for size in (1e-9, 1.0, 1e9):
        k_bar, y0_bar = module["f_vjp"](0.7, 1.3, out_bar=size)[1]
        np.testing.assert_allclose([k_bar, y0_bar], [-1.3 * np.exp(-0.7) * size, np.exp(-0.7) * size], rtol=2e-3)
    with pytest.raises(S2SError, match="can't be differentiated once more"):
        differentiate(source, Request(functions=("f",), emit=("hvp",)))


def test_a_kink_that_moves() -> None:
    """Leibniz's rule holds for it; for its slope, which jumps, it does not."""
    source = HEAD + "\n\ndef f(k):\n    return quad(lambda t: abs(t - k), 0.0, 1.0)[0]\n"
    module = checking.evaluate(differentiate(source, Request(functions=("f",))), "f")
    np.testing.assert_allclose(module["f_grad"](0.3), 2.0 * 0.3 - 1.0, atol=1e-7)
    with pytest.raises(S2SError, match="may jump where"):
        differentiate(source, Request(functions=("f",), emit=("hvp",)))


def test_a_function_of_another_module() -> None:
    laws = "def law(x, k):\n    return 1.5 * x**3 + k * x - 1.0\n"
    source = (
        "import laws\nfrom laws import law\nfrom scipy.optimize import brentq\n\n\ndef f(k):\n"
        "    return brentq(law, 0.0, 3.0, args=(k,)) * brentq(lambda x: laws.law(x, 2.0 * k), 0.0, 3.0, xtol=1e-14)\n"
    )
    request = Request(functions=("f",), read={"laws": laws}.get)
    text = differentiate(source, request)
    assert "brentq(law, 0.0, 3.0, args=(k,))" in text
    space: dict[str, Any] = {}
    module = types.ModuleType("laws")
    exec(laws, module.__dict__)
    sys.modules["laws"] = module
    try:
        exec(source + text, space)
    finally:
        del sys.modules["laws"]
    np.testing.assert_allclose(space["f_grad"](0.7), difference(lambda h: space["f"](0.7 + h)), rtol=1e-7)


REFUSED = {
    "a parameter": ("return brentq(c, 0.0, 9.0 + k, args=(k,))", "S217", "which function"),
    "result as a whole": ("r = root(circle, [0.5, 0.8], args=(k,))\n    return np.asarray(r)", "S217", "as a whole"),
    "other part": ("r = root(circle, [0.5, 0.8], args=(k,))\n    return np.sum(r.fun)", "S217", "`fun` of the result"),
    "full output": ("return brentq(cubic, 0.0, 9.0, args=(k, 2.0), full_output=True)[0]", "S302", "full_output"),
    "full output of toms748": (
        "return toms748(cubic, 0.0, 9.0, args=(k, 2.0), full_output=True)[0]",
        "S302",
        "full_output",
    ),
    "full output of newton": ("return newton(cubic, 1.0, args=(k, 2.0), full_output=True)[0]", "S302", "full_output"),
    "full output of fsolve": (
        "return fsolve(circle, [0.5, 0.8], args=(k,), full_output=1)[0][0]",
        "S302",
        "full_output",
    ),
    "full output of quad": ("return quad(lambda t: t * k, 0.0, 1.0, full_output=1)[0]", "S302", "full_output=0"),
    "full output of quad_vec": (
        "return quad_vec(lambda t: t * k, 0.0, 1.0, full_output=True)[0]",
        "S302",
        "full_output",
    ),
    "complex integrand": ("return quad(lambda t: t * k, 0.0, 1.0, complex_func=True)[0]", "S302", "complex_func"),
    "products with the Hessian": (
        "return optimize.minimize(lambda x: np.sum((x - k) ** 2), [0.0], hessp=step).fun",
        "S302",
        "hessp=None",
    ),
    "dense output": (
        "return solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [c], dense_output=True).y[0, -1]",
        "S302",
        "dense_output",
    ),
    "vectorized": (
        "return solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [c], vectorized=True).y[0, -1]",
        "S302",
        "vectorized",
    ),
    "start of unknown shape": ("return np.sum(newton(lambda x: x**3 - k, c, tol=1e-13))", "S302", "shape of its start"),
    "args by a name": ("a = pack(k)\n    return brentq(cubic, 0.0, 9.0, args=a)", "S217", "not written out"),
    "weights": ("return quad(lambda t: t * k, 0.0, 1.0, weight='cos', wvar=3.0)[0]", "S302", "weight=None"),
    "minimum as a whole": ("return optimize.minimize_scalar(lambda x: (x - k) ** 2)", "S217", "as a whole"),
    "another part of a minimum": (
        "r = optimize.minimize(lambda x: (x[0] - k) ** 2, [0.0])\n    return r.fun + np.sum(r.hess_inv)",
        "S217",
        "`hess_inv` of",
    ),
    "place of a minimum in a box": (
        "return optimize.minimize(lambda x: (x[0] - k) ** 2, [0.0], bounds=[(0.0, 1.0)]).x[0]",
        "S302",
        "which of them hold the minimum",
    ),
    "bounds of the place of a minimum": (
        "return optimize.minimize_scalar(lambda x: (x - k) ** 2, bounds=(k, 3.0)).x",
        "S302",
        "bounds that carry",
    ),
    "place of a minimum, a straight line": (
        "return optimize.minimize_scalar(lambda x: k * x, bounds=(0.0, 1.0)).x",
        "S302",
        "the slope of the function does not depend on `x`",
    ),
    "place of a kink": (
        "return optimize.minimize_scalar(lambda x: abs(x - k) + 0.1 * x**2).x",
        "S302",
        "may jump where `np.sign(x - k)` turns",
    ),
    "place of a minimum of chance": (
        "return optimize.minimize_scalar(lambda x: (x - k) ** 2 + np.random.normal()).x",
        "S202",
        "draws random numbers",
    ),
    "minimum of a function of NumPy": (
        "return optimize.minimize_scalar(np.hypot, args=(k,)).fun",
        "S302",
        "user's own",
    ),
    "root of a function of NumPy": ("return brentq(np.arctan2, -1.0, 1.0, args=(k,))", "S302", "user's own"),
    "bounds of a minimum": (
        "return optimize.minimize_scalar(lambda x: x * k, bounds=(k, 3.0)).fun",
        "S302",
        "bounds that carry",
    ),
    "constraints": (
        "return optimize.minimize(lambda x: np.sum(x * k), [0.0], constraints=({'type': 'eq', 'fun': step},)).fun",
        "S302",
        "constraints=()",
    ),
    "which function": (
        "g = cubic if k > 1.0 else bell\n    return brentq(g, 0.0, 9.0, args=(k, 2.0))",
        "S217",
        "which",
    ),
    "unknown is not there": ("return brentq(lambda x: np.round(x) - k, -1.0, 9.0)", "S302", "does not depend on `x`"),
    "a jump that moves": (
        "return quad(lambda t: np.where(t < k, np.exp(-t * k), 2.0), 0.0, 1.0)[0]",
        "S302",
        "may jump where `t < k`",
    ),
    "a jump that moves, in a helper": (
        "def g(t):\n        s = t / k\n        return step(s) * t\n    return quad(g, 0.0, 1.0)[0]",
        "S302",
        "may jump",
    ),
    "times of its own": ("return np.sum(solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [c]).y)", "S217", "times"),
    "times of its own, by name": (
        "sol = solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [c])\n    return np.sum(sol.y[0, -2])",
        "S217",
        "times",
    ),
    "times that are active": (
        "return np.sum(solve_ivp(lambda t, y: -y, (0.0, k), [c]).y[:, -1])",
        "S302",
        "times that carry",
    ),
    "events": ("return solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [c], events=step).y[0, -1]", "S302", "events=None"),
    "a test of the state": (
        "g = lambda t, y: -k * y if y[0] > 0.5 else k + y\n    return solve_ivp(g, (0.0, 1.0), [c]).y[0, -1]",
        "S302",
        "may jump",
    ),
    "no state": (
        "return solve_ivp(lambda t, y: [k * t], (0.0, 1.0), [c]).y[0, -1]",
        "S302",
        "does not depend on the state",
    ),
    "writes": (
        "def g(x):\n        x[0] = x[0] - k\n        return x\n    return np.sum(fsolve(g, np.zeros(2)))",
        "S202",
        "writes into",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    body, code, words = REFUSED[name]
    with pytest.raises(S2SError) as fault:
        differentiate(f"{HEAD}\n\ndef f(k, c):\n    {body}\n", Request(functions=("f",), wrt=("k",)))
    found = fault.value.diagnostics
    assert code in {d.code for d in found}, found
    assert any(words in d.message for d in found), found


# What is solved, and its solution in closed form; how exact the solver is at order 1 and 2 (0: there is no order 2).
CLOSED: dict[str, tuple[str, Callable[[Any], Any], float, float]] = {
    "root": ("brentq(lambda x: x**3 - k, 0.0, 9.0, xtol=1e-15)", lambda k: MP.cbrt(k), 1e-12, 1e-12),
    "root of a system": (
        "root(lambda x: np.array([[2.0, k], [1.0, 3.0]]) @ x - np.array([1.0, k]), np.zeros(2), tol=1e-14).x[0]",
        lambda k: (3 - k * k) / (6 - k),
        1e-12,
        1e-10,
    ),
    "fixed point": (
        "fixed_point(lambda x: k / (1.0 + x), 0.5, xtol=1e-14)",
        lambda k: (MP.sqrt(1 + 4 * k) - 1) / 2,
        1e-12,
        1e-12,
    ),
    "integral": ("quad(lambda t: np.exp(-k * t), 0.0, 1.0)[0]", lambda k: (1 - MP.exp(-k)) / k, 1e-12, 1e-12),
    "integral to infinity": (
        "quad(lambda t: np.exp(-k * t**2), 0.0, np.inf, epsabs=1e-13, epsrel=1e-12)[0]",
        lambda k: MP.sqrt(MP.pi / k) / 2,
        1e-9,
        1e-9,
    ),
    "integral to a bound": (
        "quad(lambda t: k * t**2, 1.0 - k, k)[0]",
        lambda k: k * (k**3 - (1 - k) ** 3) / 3,
        1e-12,
        1e-12,
    ),
    "integral of vectors": (
        "np.sum(quad_vec(lambda t: np.cos(k * t) * np.arange(1.0, 3.0), 0.0, 1.0, epsabs=1e-13)[0])",
        lambda k: 3 * MP.sin(k) / k,
        1e-12,
        1e-12,
    ),
    "initial value problem": (
        "solve_ivp(lambda t, y: [y[1], -(k**2) * y[0]], (0.0, 2.0), [1.0, 0.0], rtol=1e-11, atol=1e-13).y[0, -1]",
        lambda k: MP.cos(2 * k),
        1e-8,
        0.0,
    ),
    "least value": (
        "optimize.minimize_scalar(lambda x: np.exp(-k * x) + x).fun",
        lambda k: (1 + MP.log(k)) / k,
        1e-7,
        1e-6,
    ),
    "place of a minimum": (
        "optimize.minimize_scalar(lambda x: np.exp(-k * x) + x).x",
        lambda k: MP.log(k) / k,
        1e-6,
        1e-5,
    ),
    "place of a minimum over a vector": (
        "optimize.minimize(lambda x: (x[0] - k) ** 2 * x[1] ** 2 + k**2 * x[1] ** 2 - x[1], [1.0, 0.3], tol=1e-9).x[1]",
        lambda k: 1 / (2 * k**2),
        1e-5,
        1e-4,
    ),
}


@pytest.mark.parametrize("name", CLOSED)
def test_against_solutions_in_closed_form(name: str) -> None:
    call, solution, first, second = CLOSED[name]
    source = f"{HEAD}\n\ndef f(k: float):\n    return {call}\n"
    emit = ("value_and_grad", "jvp", *(("hvp",) if second else ()))
    module = checking.evaluate(differentiate(source, Request(functions=("f",), emit=emit)), "f")
    at = MP.mpf("1.3")
    value, slope = module["f_value_and_grad"](1.3)
    np.testing.assert_allclose(value, float(solution(at)), rtol=first)
    np.testing.assert_allclose(slope, float(MP.diff(solution, at)), rtol=first)
    np.testing.assert_allclose(module["f_jvp"](1.3, k_dot=0.7)[1], 0.7 * float(MP.diff(solution, at)), rtol=first)
    if second:
        np.testing.assert_allclose(module["f_hvp"](1.3, k_dot=0.7), 0.7 * float(MP.diff(solution, at, 2)), rtol=second)
