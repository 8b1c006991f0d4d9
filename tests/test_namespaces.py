"""Modules as values: `xp=np` as a default, handed to a function, or under a second name; what only looks like it."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

X = np.array([0.5, -1.25, 2.0, 0.75])
HELPER = """
def g(x, xp=np):
    s = xp.zeros_like(x)
    for k in range(3):
        s = s + xp.sin(x * k)
    return s
"""
RIGHT = {
    "a default": "def f(x, xp=np):\n    return xp.sum(xp.sin(x) * xp.pi)\n",
    "defaults of two kinds": """
        def f(x, lib=np.linalg, *, m=math):
            return lib.norm(np.sin(x)) * m.exp(0.5)
    """,
    "a helper's default": HELPER + "\ndef f(x):\n    return np.sum(g(x) + g(x * x, np) * g(x, xp=np))\n",
    "handed on": """
        def h(x, lib):
            return lib.exp(-x)

        def g(x, xp):
            return h(xp.sin(x), xp) * h(x, lib=xp)

        def f(x, xp=np):
            return xp.sum(g(x, xp))
    """,
    "one of two modules": """
        def g(x, xp):
            return xp.sin(x) * xp.exp(x)

        def f(x):
            return sum(g(x[k], math) for k in range(2)) + np.sum(g(x, np))
    """,
    "a function of it": """
        def apply(act, x):
            return act(act(x))

        def f(x, xp=np):
            return xp.sum(apply(xp.tanh, x)) + sum(map(xp.sin, [x[0], x[1]]))
    """,
    "captured": """
        def f(x, xp=np):
            def g(t):
                return xp.tanh(t) * xp.sum(x)
            return xp.sum(g(x)) + xp.sum(xp.where(x > 0, x, xp.abs(x)))
    """,
    "a second name": "def f(x):\n    xp = np\n    return xp.sum(xp.sin(x))\n",
    "None unless it is given": """
        def f(x, xp=None):
            if xp is None:
                xp = np
            return xp.sum(xp.sin(x))
    """,
    "a helper's, None unless it is given": """
        def g(x, xp=None):
            xp = np if xp is None else xp
            return xp.sin(x) * xp.exp(x)

        def f(x):
            return np.sum(g(x) + g(x, np) * g(x * x, xp=np))
    """,
}
REFUSED = {
    "a parameter": ("", "xp.sum(xp.sin(x)) + np.sum(x)"),
    "a model": ("", "xp.mean(x) + np.sum(x)"),
    "a model that a helper asks": ("def g(model, x):\n    return model.mean(np.sin(x))\n\n\n", "g(xp, x) + np.sum(x)"),
}


def source_of(text: str) -> str:
    return "import math\nimport numpy as np\n\n" + textwrap.dedent(text)


@pytest.mark.parametrize("name", RIGHT)
def test_modules(name: str) -> None:
    source = source_of(RIGHT[name])
    program = Program(source, (X,), ("x",), ("x",), True)
    assert checking.check(program, emit=("vjp", "jvp"), margin=0.0).kind == "right"


def test_any_other_module_is_refused_when_it_runs() -> None:
    text = differentiate(source_of(RIGHT["a default"]), Request(functions=("f",), wrt=("x",)))
    assert "    assert xp is np\n" in text
    with pytest.raises(AssertionError):
        checking.evaluate(text, "<derivative>")["f_grad"](X, np.linalg)


@pytest.mark.parametrize("name", REFUSED)
def test_methods_of_what_may_be_no_array_are_refused(name: str) -> None:
    """`model.mean(x)` was read as np.mean(model, axis=x), of which nothing depends on x."""
    helper, result = REFUSED[name]
    with pytest.raises(S2SError, match="S304"):
        differentiate(source_of(f"{helper}def f(x, xp):\n    return {result}\n"), Request(functions=("f",), wrt=("x",)))


def test_an_axis_is_an_axis() -> None:
    for text in (
        "def f(x, axis):\n    return x.sum(axis)\n",
        "def g(x, axis):\n    return x / x.sum(axis=axis)\n\n\ndef f(x, axis):\n    return g(x, axis)\n",
    ):
        made = checking.evaluate(differentiate(source_of(text), Request(functions=("f",), emit=("jvp",))), "<d>")
        value, tangent = made["f_jvp"](X, 0, x_dot=np.ones(4))
        assert np.shape(value) == np.shape(tangent)
