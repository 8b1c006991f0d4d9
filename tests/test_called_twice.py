"""Functions that are called twice with the same arguments: their reverse runs once, and is added twice."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import checking
from programs import Program
from s2s.pipeline import Request, differentiate

X = np.array([0.5, -1.25, 2.0, 0.75])
M = np.array([[0.5, -1.2, 0.7], [1.5, 0.3, -0.4], [0.2, 0.1, 0.9]])
WAVES = """
def g(x):
    s = 0.0
    for k in range(3):
        s = s + np.sin(x * k)
    return s
"""
TABLE: dict[str, tuple[str, tuple[Any, ...]]] = {
    "an array": ("def f(x):\n    return g(x) + g(x * x) + g(x)\n", (X,)),
    "an array, and nothing else": ("def f(x):\n    return g(x) + g(x)\n", (X,)),
    "an array, in a loop": (
        "def f(x):\n    for _ in range(2):\n        x = g(x) + g(x * x) + g(x)\n    return x\n",
        (X,),
    ),
    "a row": ("def f(M):\n    return g(M[0]) + g(M[1] * M[0]) + g(M[0])\n", (M,)),
    "a view": ("def f(M):\n    return g(M.T) + g(M * M) + g(M.T)\n", (M,)),
    "two arrays": (
        "def h(x, y):\n    return g(x) * y\n\ndef f(x, y):\n    return h(x, y) + h(y, x) + h(x, y) + x\n",
        (X, 0.3 * X),
    ),
    "what is captured": (
        """
        def f(x, w):
            def h(t):
                for _ in range(2):
                    t = np.sin(t) * w
                return t
            return h(x) + h(w * x) + h(x)
        """,
        (X, 0.3 * X),
    ),
    "a parameter that may be a list": (
        """
        def h(p):
            return np.sum(np.sin(p[0] * p[1][0]) * p[1])

        def f(p):
            return h(p) + h([p[1], p[0]]) + h(p)
        """,
        ([X, 0.3 * X],),
    ),
    "a list": (
        """
        def h(p):
            return np.sum(np.sin(p[0] * p[1][0]) * p[1])

        def f(x, y):
            p = [x, y]
            return h(p) + h([p[1], p[0]]) + h(p) + np.sum(p[0])
        """,
        (X, 0.3 * X),
    ),
    "a list of numbers": (
        """
        def h(p: list):
            s = 0.0
            for v in p:
                s += np.sum(np.sin(v))
            return s

        def f(p: list):
            return h(p) + p[0] * p[1] + h(p)
        """,
        ([0.3, 0.4],),
    ),
    "a dict": (
        """
        def h(p):
            return np.sum(g(p["a"]) * p["b"])

        def f(p):
            return h(p) + np.sum(p["a"]) + h(p)
        """,
        ({"a": X, "b": 0.3 * X},),
    ),
    "an item of a list": ("def f(p: list):\n    return g(p[0]) + p[0] * p[1] + g(p[0])\n", ([X, 0.3 * X],)),
}


def source_of(name: str) -> str:
    return "import numpy as np\n" + WAVES + "\n" + textwrap.dedent(TABLE[name][0])


@pytest.mark.parametrize("name", TABLE)
def test_each_call_counts(name: str) -> None:
    """What the reverse gave was updated in place before it was added once more."""
    args = TABLE[name][1]
    source = source_of(name)
    code = checking.evaluate(source, "<primal>")["f"].__code__
    params = code.co_varnames[: code.co_argcount]
    program = Program(source, args, params, params, False)
    assert checking.check(program, emit=("vjp", "jvp"), margin=0.0).kind == "right"


def test_the_reverse_runs_once() -> None:
    text = differentiate(source_of("an array, and nothing else"), Request(functions=("f",), emit=("vjp",)))
    assert "x_bar = 2.0 * _g_rev(x, out_bar)\n" in text


GIVEN_TWICE = {
    "written as a whole, from the other": "q /= 2\n    q[...] = p",
    "a mean, read again behind a store through the other": "q[:] = np.tanh(p.mean())\n    p += p.mean()",
    "a sum of the other, after a store of zeros": "p[...] = 0.0\n    q += np.sum(q) + 1.0",
}


@pytest.mark.parametrize("name", GIVEN_TWICE)
def test_the_tangent_of_a_helper_that_gets_an_array_for_two_parameters(name: str) -> None:
    head = f"import numpy as np\n\n\ndef put(p, q):\n    {GIVEN_TWICE[name]}\n\n\n"
    source = head + "# s2s: x (n,)\ndef f(x):\n    a = np.sin(x)\n    b = a\n    put(a, b)\n    return a * x\n"
    assert checking.check(Program(source, (X,), ("x",), ("x",), False), ("jvp",)).kind == "right"


RETURNED = {
    "an array": "return x",
    "a tuple": "return x, y",
    "a list beside an array": "return [x, y], x",
}


@pytest.mark.parametrize("again", [False, True], ids=["", "which calls itself"])
@pytest.mark.parametrize("name", RETURNED)
def test_the_tangent_of_what_a_helper_returns_comes_with_the_value(name: str, again: bool) -> None:
    """One call gives both: two calls at each depth of a recursion would be as many as two to the power of the depth."""
    body = f"    y = x * x\n    for _ in range(2):\n        y = np.sin(y) * x\n    {RETURNED[name]}\n"
    if again:
        body = f"    if n == 0:\n{textwrap.indent(body, '    ')}    return p(np.cos(x), n - 1)\n"
    source = f"import numpy as np\n\n\ndef p(x, n):\n{body}\n\ndef f(x, n: int):\n    return p(x, n)\n"
    text = differentiate(source, Request(functions=("f",), wrt=("x",), emit=("jvp",)))
    assert text.count(" p(") == 1 and text.count("_p_jvp(") == 2 + again
    env = checking.evaluate(text, "<derivative>")
    x, x_dot = X.copy(), np.ones_like(X)
    value, value_dot = env["f_jvp"](x, 2, x_dot=x_dot)
    ends = [checking.evaluate(source, "<primal>")["f"](x + h * x_dot, 2) for h in (1e-6, -1e-6)]
    up, down, own, of_value = map(leaves, (*ends, value_dot, value))
    for a, b, c in zip(up, down, own, strict=True):
        np.testing.assert_allclose(c, (a - b) / 2e-6, rtol=1e-6)
    for k, a in enumerate(own):
        assert not any(np.shares_memory(a, b) for b in (*own[:k], *of_value, x, x_dot))


def leaves(v: Any) -> list[np.ndarray]:
    return [v] if isinstance(v, np.ndarray) else [x for i in v for x in leaves(i)]


def test_functions_that_call_themselves_twice_are_called_once_for_each_tangent() -> None:
    source = """import numpy as np


def p(t, x):
    if isinstance(t, tuple):
        return p(t[0], x) * p(t[1], x)
    return np.sin(t * x)


def f(t, x):
    return np.sum(p(t, x))
"""
    text = differentiate(source, Request(functions=("f",), emit=("jvp",)))
    assert text.count(" p(") == 1 and text.count("_p_jvp(") == 4
    program = Program(source, (((X, (X * 0.5, X)), 0.3 * X), X), ("t", "x"), ("t", "x"), True)
    assert checking.check(program, ("jvp",)).kind == "right"


def test_what_is_put_first_on_a_list_is_no_argument() -> None:
    """The gradient of `K.pop(0) * x` puts x first on K_bar, whose items are added to: x may be an array of rank 0."""
    text = """
def f(x, y):
    # s2s: x (), y ()
    K = [x, x * y, y]
    s = 0.0
    for q in K:
        s = s + q * q * y
    return K.pop(0) * x - K.pop(0) ** 2 + s
"""
    written = differentiate(text, Request("model.py", ("f",), wrt=("x", "y"), emit=("grad",)))
    gradient = checking.evaluate(written, "<derivative>")["f_grad"]
    x, y = np.array(0.7), np.array(1.3)
    assert np.allclose(gradient(x, y), gradient(0.7, 1.3))
    assert (x, y) == (0.7, 1.3)
