"""Functions handed to functions of other modules, and functions that these return: `rk4(rhs, y)`, rk4 imported.

The helper is made in its own module, where its names mean what they mean in its text; the function that it is given is
one of the file, with names of its own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from s2s.cli import main
from test_modules import BOTH, agree, made, project, write

pytestmark = pytest.mark.table

__all__ = ["project"]

STEPPERS = '''"""Integrators, solvers and the like, in the words of their own module."""

import numpy as xp

G = 9.81


def rhs(t, y):
    return y * 1000.0


def damp(y):
    return G * 0.01 * y


def rk2(f, y, t, h=0.1):
    # the slope in the middle
    k1 = f(t, y) - damp(y)
    return y + h * f(t + 0.5 * h, y + 0.5 * h * k1) * xp.exp(-h)


def solve(f, y, n):
    for i in range(n):
        y = rk2(f, y, 0.1 * i)
    return y


def with_args(f, y, *args):
    for i in range(3):
        y = y + 0.1 * f(0.1 * i, y, *args)
    return y


def by_default(y, f=rhs):
    return f(1.0, y)


def stacked(*arrays):
    arrays = [xp.asarray(a)[..., xp.newaxis] for a in arrays]
    return xp.concatenate(arrays, axis=-1)


def weighted(x, *rest, scale=1.0, **options):
    width = options.pop("width", 2.0)
    for v in rest:
        x = x + v * width
    return x * scale * options.get("last", G)


def named(**options):
    return options["a"] * options["b"] + options.get("c", 0.5)


EPS = 4 * xp.finfo(float).eps


def root(func, x0, fprime, args=(), tol=1e-12, rtol=EPS):
    for _ in range(50):
        step = func(x0, *args) / fprime(x0, *args)
        x0 = x0 - step
        if abs(step) < tol + rtol * abs(x0):
            break
    return x0


def quad(f, a, b):
    m = 0.5 * (a + b)
    if b - a < 0.3:
        return (b - a) * f(m)
    return quad(f, a, m) + quad(f, m, b)


def compose(fs, x):
    for g in fs:
        x = g(x)
    return x


def apply_in(f, out):
    f(out)
    return out


def twice_in(f, y):
    def g(u):
        return f(0.0, u) * G

    return g(y) + g(2.0 * y)


def newton(f, x0, df=None):
    x = x0
    for _ in range(5):
        if df is None:
            d = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        else:
            d = df(x)
        x = x - f(x) / d
    return x


def maybe(x, act=None):
    if act is not None:
        x = act(x)
    return x * x


def maps(f, xs):
    return xp.array([f(x) for x in xs])


def scaled(f, w):
    c = xp.sin(w) * G

    def g(u):
        return c * f(u) * w

    return g


def field(w):
    return lambda t, y: w * y * G


def twice(g):
    def inner(*a):
        return 2.0 * g(*a)

    return inner


@twice
def decorated(f, x):
    return f(x) * x


CACHE = {}


def cached(f, x, cache=CACHE):
    cache["x"] = x
    return f(x)
'''

HEAD = """import math
from functools import partial

import numpy as np

import odes
from odes import *

"""

X, K = np.array([1.0, 2.0]), 0.7

CASES = {
    "a function of the file": (
        "def rhs(t, y):\n    return -np.sin(y)\n\ndef f(y):\n    return np.sum(rk2(rhs, y, 0.0))",
        X,
    ),
    "by keyword": (
        "def rhs(t, y):\n    return -y * t\n\ndef f(y):\n    return np.sum(rk2(t=1.0, y=y, f=rhs, h=0.2))",
        X,
    ),
    "a nested function": (
        "def f(y, k):\n    def rhs(t, y):\n        return -k * y\n    return np.sum(solve(rhs, y, 3))",
        X,
        K,
    ),
    "a lambda": ("def f(y, k):\n    return np.sum(odes.solve(lambda t, y: -k * y + t, y, 3))", X, K),
    "arguments for it": (
        "def rhs(t, y, a, b):\n    return a * y + b * t\n\ndef f(y, a, b):\n    return np.sum(with_args(rhs, y, a, b))",
        X,
        K,
        0.3,
    ),
    "one of the name that another has there": (
        "def rhs(t, y):\n    return -y * y\n\n"
        "def f(y):\n    return np.sum(by_default(y, rhs) + by_default(y, f=rhs) + by_default(y) * 1e-3)",
        X,
    ),
    "arguments for it in a tuple": (
        "def g(x, a, b):\n    return x**3 - a * b\n\ndef dg(x, a, b):\n    return 3.0 * x**2\n\n"
        "def f(a, b):\n    return root(g, 1.5, dg, args=(a, b)) + root(lambda x: x**2 - a, 1.0, lambda x: 2.0 * x)"
        " + root(lambda x, c: x - c, 1.0, lambda x, c: 1.0, (b,))",
        2.0,
        1.5,
    ),
    "functions of NumPy and math": ("def f(x):\n    return quad(np.sin, 0.0, x) + quad(math.exp, 0.0, x)", 1.0),
    "a helper that calls itself": (
        "def f(x, w):\n    return quad(lambda t: np.cos(w * t), 0.0, x)",
        1.0,
        2.0,
    ),
    "a list of functions": (
        "def a(x):\n    return x * x\n\ndef f(x, w):\n    return np.sum(compose([a, np.sin, lambda u: w * u], x))",
        X,
        K,
    ),
    "lambdas of a comprehension": (
        "def f(x, w):\n    fs = [lambda u, i=i: w * u * i for i in range(1, 4)]\n    return np.sum(compose(fs, x))",
        X,
        K,
    ),
    "one that writes into what it is given": (
        "def a(x):\n    x[:] = x * x\n\n# s2s: x (n,)\n"
        "def f(x):\n    y = x * 2.0\n    apply_in(a, y)\n    return np.sum(y * x)",
        X,
    ),
    "one that writes into what it captures": (
        "def f(x, w):\n    z = x * w\n    def a(t, u):\n        z[0] = z[0] + u[1]\n        return u * z\n"
        "    y = solve(a, x, 2)\n    return np.sum(y * z)",
        X,
        K,
    ),
    "one that captures what is bound anew": (
        "def f(x, w):\n    k = w\n    g = lambda t, u: k * u\n    y = solve(g, x, 2)\n    k = w * w\n"
        "    return np.sum(y * solve(g, x, 2))",
        X,
        K,
    ),
    "a nested function of the helper calls it": (
        "def f(y, k):\n    def rhs(t, y):\n        return -k * y * y\n    return np.sum(twice_in(rhs, y))",
        X,
        K,
    ),
    "functions that may be left out": (
        "def f(a):\n    g = lambda x: x * x - a\n"
        "    return newton(g, 1.0) * 0.0 + newton(g, 1.0, df=lambda x: 2.0 * x) + maybe(a) + maybe(a, np.tanh)",
        2.0,
    ),
    "in a comprehension there": ("def f(x, w):\n    return np.sum(maps(lambda u: np.sin(w * u), x))", X, K),
    "one of two": (
        "def a(t, y):\n    return -y\n\ndef b(t, y):\n    return y * y\n\n"
        "def f(y, k):\n    rhs = a if k > 0.5 else b\n    return np.sum(solve(rhs, y, 2)) * k",
        X,
        K,
    ),
    "from a table": (
        "def a(t, y):\n    return -y\n\ndef b(t, y):\n    return y * y\n\nT = {'a': a, 'b': b}\n\n"
        "def f(y, k):\n    s = 0.0\n    for n in ['a', 'b']:\n        s += np.sum(solve(T[n], y, 2)) * k\n    return s",
        X,
        K,
    ),
    "partial": (
        "def a(t, y, k):\n    return -y * k\n\ndef f(y, k):\n    return np.sum(solve(partial(a, k=k), y, 2))",
        X,
        K,
    ),
    "a bound method": (
        "class M:\n    def __init__(self, k):\n        self.k = k\n\n"
        "    def rhs(self, t, y):\n        return -self.k * y\n\n"
        "def f(y, k):\n    m = M(k)\n    return np.sum(solve(m.rhs, y, 2) + solve(lambda t, y: m.rhs(t, y), y, 1))",
        X,
        K,
    ),
    "of a constant": (
        "def f(x):\n    c = solve(lambda t, y: -2.0 * y, np.array([0.1, 0.2]), 3)\n    return np.sum(c * x)",
        X,
    ),
    "functions of that module": (
        "def f(x):\n    return np.sum(solve(odes.rhs, x * 1e-3, 2)) + np.sum(maybe(x, odes.damp))",
        X,
    ),
    "handed on by the file": (
        "def _run(g, y):\n    return solve(g, y, 2)\n\ndef rhs(t, y):\n    return -np.sin(y)\n\n"
        "def f(y, k):\n    return np.sum(_run(rhs, y)) + np.sum(_run(lambda t, y: k * y, y))",
        X,
        K,
    ),
    "names that mean something else there": (
        "G = 0.2\n\ndef rhs(t, y):\n    return -np.sin(y) * G\n\ndef damp(y):\n    return y * y\n\n"
        "def f(y):\n    xp = 2.0\n    return np.sum(solve(rhs, y * xp, 2)) + np.sum(maybe(y, damp)) + G",
        X,
    ),
    "what it returns is called": (
        "def f(x, w):\n    g = scaled(np.sin, w)\n    h = odes.scaled(lambda u: u * w, w)\n"
        "    return np.sum(g(x) * h(x)) + np.sum(solve(field(w), x, 2))",
        X,
        K,
    ),
    "any number of arguments": ("def f(x, w):\n    return np.sum(odes.stacked(x, w * x, x**2) * w)", X, K),
    "arguments and keywords": (
        "def f(x, w):\n    a = odes.weighted(x, w, x * w, width=w, scale=w)\n"
        "    return np.sum(a * odes.weighted(x) + odes.weighted(w, x, last=w))",
        X,
        K,
    ),
    "keywords alone": ("def f(x, w):\n    return np.sum(odes.named(a=x, b=w) * odes.named(b=x, a=w, c=x))", X, K),
    "what it returns, in a loop": (
        "def f(x, w):\n    s = 0.0\n    for i in range(3):\n        g = scaled(np.tanh, w * i)\n"
        "        s = s + np.sum(g(x) * g(x * w))\n    return s",
        X,
        K,
    ),
    "what it returns, made when the file is imported": (
        "g = odes.field(0.3)\n\ndef f(x, w):\n    return np.sum(g(1.0, x) * w)",
        X,
        K,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_function_is_handed_to_another_module(name: str, project: Path) -> None:
    text, *args = CASES[name]
    primal, derived = made(project, {"odes.py": STEPPERS, "model.py": f"{HEAD}\n{text}\n"}, "model", *BOTH)
    agree(primal, derived, "f", *args)  # type: ignore[arg-type]


REFUSED = {
    "decorated": ("decorated(np.sin, x)", "S301", "decorated with `twice` [S212]"),
    "cached": ("cached(np.sin, x)", "S301", "the default of `cache` in `cached` is one object"),
    "unknown inside": ("rk2(lambda t, y: np.frobnicate(y), x, 0.0)", "S301", "numpy.frobnicate"),
    "object": ("by_default(C(x), bump)", "S217", "can't be differentiated for the functions that it is given"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_helper_elsewhere_is_refused(name: str, project: Path) -> None:
    call, code, words = REFUSED[name]
    text = (
        "class C:\n    def __init__(self, n):\n        self.n = n\n\n"
        f"def bump(t, c):\n    c.n = c.n * 2.0\n    return c.n\n\ndef f(x):\n    return np.sum({call})\n"
    )
    write(project, {"odes.py": STEPPERS, "model.py": f"{HEAD}\n{text}"})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1
    assert f"error[{code}]" in result.output and words in " ".join(result.output.split())


def test_the_comments_of_the_helper_are_kept(project: Path) -> None:
    """The text is that of the helper's own module, its comments included, and refers to both modules by their names."""
    text = "def rhs(t, y):\n    return -np.sin(y)\n\ndef f(y):\n    return np.sum(rk2(rhs, y, 0.0))\n"
    made(project, {"odes.py": STEPPERS, "model.py": HEAD + text}, "model")
    assert "# the slope in the middle" in (project / "model_grad.py").read_text()


def test_a_change_of_the_helper_is_noticed(project: Path) -> None:
    text = "def rhs(t, y):\n    return -np.sin(y)\n\ndef f(y):\n    return np.sum(rk2(rhs, y, 0.0))\n"
    made(project, {"odes.py": STEPPERS, "model.py": HEAD + text}, "model")
    assert CliRunner().invoke(main, ["check", "model.py"]).exit_code == 0
    for old, new in (("0.5 * h * k1", "0.25 * h * k1"), ("G * 0.01", "G * 0.02")):
        write(project, {"odes.py": STEPPERS.replace(old, new)})
        assert CliRunner().invoke(main, ["check", "model.py"]).exit_code == 1


SOLVER = """def steps(func, x, args=(), kwargs={}):
    for _ in range(5):
        x = x - 0.1 * func(x, *args, **kwargs)
    return x


def changed(func, x, kwargs={}):
    kwargs["b"] = 2.0
    return func(x, **kwargs)


def by_name(func, x):
    return func(x) * unknown
"""
STARRED = {
    "left out": "steps(lambda x: x**3 - a * b, 1.0)",
    "a tuple": "steps(residual, 1.0, (a, b))",
    "a dict": 'steps(residual, 1.0, kwargs={"b": b, "a": a})',
    "both": 'steps(residual, 1.0, args=(a,), kwargs={"b": b})',
}


@pytest.mark.parametrize("name", STARRED)
def test_a_solver_hands_on_what_it_is_given(name: str, project: Path) -> None:
    """`func(x, *args, **kwargs)` in another module, where a call says what these hold, or leaves them out."""
    text = "from solver import steps\n\n\ndef residual(x, a, b):\n    return x**3 - a * a * b\n\n\n"
    text += f"def f(a, b):\n    return {STARRED[name]}\n"
    primal, derived = made(project, {"solver.py": SOLVER, "model.py": text}, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 1.1)
    assert "(())" not in (project / "model_grad.py").read_text()


def test_why_a_solver_elsewhere_is_not_followed(project: Path) -> None:
    text = "from solver import by_name, changed\n\n\ndef f(a):\n    return by_name(lambda x: x * a, a)\n\n\n"
    text += "def g(a):\n    return changed(lambda x, b: x * a * b, a)\n"
    write(project, {"solver.py": SOLVER, "model.py": text})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert "error[S217]" in result.output
    assert "solver.py:13: the name `unknown` is not defined in this module [S107]" in result.output
    assert CliRunner().invoke(main, ["grad", "model.py::g"]).exit_code == 1
