"""Draws whose parameters carry a derivative, and helpers that draw: the same numbers, drawn once."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

X = np.array([0.5, -1.25, 2.0, 0.75])
W = np.array([[0.5, -1.2, 0.7], [1.5, 0.3, -0.4]])
V = np.array([0.3, 0.2, -0.4])
TABLE: dict[str, tuple[str, tuple[Any, ...]]] = {
    "of a size": (
        """
        def f(mu, s):
            rng = np.random.default_rng(0)
            z = rng.normal(loc=mu, scale=s, size=(3, 2))
            u = rng.uniform(low=mu, high=s, size=3) * rng.uniform(-s, s, 3)
            v = rng.uniform(high=s, size=3) * rng.normal(scale=s, size=3) + rng.normal(mu, 1.0, 3)
            return np.sum(z ** 2) + np.sum(u ** 2) + np.sum(v ** 3)
        """,
        (0.5, 1.2),
    ),
    "of the shape of the parameters": (
        "def f(mu, s):\n    rng = np.random.default_rng(0)\n    return np.sum(rng.normal(mu, s) ** 2)\n",
        (X, 0.3),
    ),
    "numbers, one by one": (
        """
        def f(x: float, s: float, n: int):
            rng = np.random.default_rng(3)
            path = np.empty(n)
            for k in range(n):
                x = x + rng.normal(x, s)
                path[k] = x ** 2
            return np.mean(path)
        """,
        (0.3, 0.2, 4),
    ),
    "of the module numpy.random": (
        """
        def f(mu, s):
            np.random.seed(0)
            return np.sum(np.random.normal(mu, s, size=5) ** 2) * np.sum(np.random.uniform(-s, s, 3))
        """,
        (0.5, 1.2),
    ),
    "of the module random": (
        "def f(mu, s):\n    random.seed(1)\n    return random.gauss(mu, s) ** 2 + random.uniform(mu, s) ** 2\n",
        (0.4, 0.3),
    ),
    "of other distributions": (
        """
        def f(mu, s):
            rng = np.random.RandomState(0)
            z = rng.exponential(s, 4) ** 2 + rng.gamma(2.0, s, 4)
            return np.sum(z) + np.sum(rng.lognormal(mu, s, 4)) + rng.exponential(s)
        """,
        (0.2, 0.3),
    ),
    "of what is computed": (
        """
        def f(W, x):
            rng = np.random.default_rng(0)
            mu = W @ x
            return np.sum(rng.normal(mu, np.exp(0.1 * mu), mu.shape) ** 2)
        """,
        (W, V),
    ),
    "a helper, in an expression": (
        """
        def sample(rng, mu, s):
            z = rng.standard_normal(4)
            return mu + s * z

        def f(mu, s):
            rng = np.random.default_rng(7)
            return np.sum(sample(rng, mu, s) ** 2) * np.mean(sample(rng, mu * s, s))
        """,
        (X, 0.3),
    ),
    "a helper, in a loop": (
        """
        def step(x, dt, sigma, rng):
            noise = rng.normal(0.0, sigma, x.shape)
            if dt > 0.5:
                return x
            return x - dt * x**3 + np.sqrt(dt) * noise

        def f(x, sigma, n: int):
            rng = np.random.default_rng(7)
            for _ in range(n):
                x = step(x, 0.01, sigma, rng)
            return np.mean(x ** 2)
        """,
        (X, 0.3, 3),
    ),
    "a helper of a helper": (
        """
        def noise(rng, s, n):
            return s * rng.standard_normal(n)

        def sample(rng, mu, s):
            return mu + noise(rng, s, 4)

        def f(mu, s):
            rng = np.random.default_rng(7)
            return np.sum(sample(rng, mu, s) ** 2)
        """,
        (X, 0.3),
    ),
    "a function inside": (
        """
        def f(x, s, n: int):
            rng = np.random.default_rng(7)
            def kick(v):
                return v + s * rng.standard_normal()
            for _ in range(n):
                x = np.sin(kick(x))
            return x
        """,
        (0.4, 0.3, 3),
    ),
    "a method": (
        """
        class SDE:
            def __init__(self, theta, sigma, seed):
                self.theta = theta
                self.sigma = sigma
                self.rng = np.random.default_rng(seed)

            def step(self, x, dt):
                z = self.rng.standard_normal()
                return x - self.theta * x * dt + self.sigma * np.sqrt(dt) * z

            def run(self, x, n):
                for _ in range(n):
                    x = self.step(x, 0.1)
                return x

        def f(x, theta, sigma):
            return SDE(theta, sigma, 3).run(x, 4) ** 2
        """,
        (0.5, 0.7, 0.2),
    ),
    "a method of that name": (
        """
        class Plane:
            def __init__(self, a):
                self.a = a

            def normal(self, x, y):
                return self.a * x - y

        def f(x, y):
            return Plane(x).normal(x, y)
        """,
        (0.5, 0.3),
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_draws(name: str) -> None:
    text, args = TABLE[name]
    source = "import random\nimport numpy as np\n\n" + textwrap.dedent(text)
    code = checking.evaluate(source, "<primal>")["f"].__code__
    params = code.co_varnames[: code.co_argcount]
    wrt = tuple(p for p, a in zip(params, args, strict=True) if not isinstance(a, int))
    assert checking.check(Program(source, args, wrt, params, False), emit=("vjp", "jvp"), margin=0.0).kind == "right"


def body(text: str) -> str:
    return f"import numpy as np\n\n\ndef f(mu, s, n: int):\n    rng = np.random.default_rng(0)\n    {text}\n"


def test_a_draw_has_a_line_of_its_own() -> None:
    text = differentiate(body("z = rng.normal(mu, s, n)\n    return np.sum(z**2)"), Request(emit=("vjp",)))
    assert "    draw = rng.standard_normal(n)\n    z = mu + s * draw\n" in text
    text = differentiate(body("z = rng.normal(0.0, 0.5, n)\n    return np.sum(mu * z)"), Request(emit=("vjp",)))
    assert "    z = rng.normal(0.0, 0.5, n)\n" in text, "parameters that are literals stay"


def test_a_shape_that_varies_is_refused() -> None:
    with pytest.raises(S2SError, match="S304"):
        differentiate(body("return np.sum(rng.gamma(mu, 2.0, n))"), Request(wrt=("mu",)))


@pytest.mark.parametrize(
    "text",
    [
        "def f(a, rng):\n    return a * rng.standard_normal(2)[0] * rng.random()\n",
        "def step(a, draw):\n    return a * draw.normal(0.0, 1.0)\n\n\n"
        "def f(a, draw):\n    for _ in range(3):\n        a = step(a, draw)\n    return a * draw.choice([1.0, 2.0])\n",
    ],
)
def test_a_parameter_that_is_drawn_from_is_a_generator(text: str) -> None:
    found = checking.evaluate(differentiate(text, Request(emit=("vjp",))), "<derivative>")["f_vjp"]
    value, a_bar = found(0.5, np.random.default_rng(1), out_bar=1.0)
    primal = checking.evaluate("import numpy as np\n\n" + text, "<primal>")["f"]
    other = primal(0.5 + 1e-6, np.random.default_rng(1))
    assert value == primal(0.5, np.random.default_rng(1)) and np.isclose(a_bar, (other - value) / 1e-6, rtol=1e-4)


def test_what_is_more_than_a_generator_is_none() -> None:
    with pytest.raises(S2SError, match="S304"):
        differentiate("def f(a, surface):\n    return surface.normal(a) + surface.height\n", Request())
