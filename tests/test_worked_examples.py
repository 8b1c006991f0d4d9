"""Worked examples of the literature on automatic differentiation, with their known answers."""

from __future__ import annotations

import math
import re
import tracemalloc
from typing import Any

import numpy as np
import pytest

from checking import evaluate
from s2s.pipeline import Request, differentiate


def derive(
    source: str, *emit: str, function: str = "f", wrt: tuple[str, ...] | None = None
) -> tuple[str, dict[str, Any]]:
    text = differentiate(source, Request(functions=(function,), wrt=wrt, emit=emit))
    return text, evaluate(text, "<derivative>")


def body(text: str, name: str) -> str:
    """The lines of one generated function."""
    return re.search(rf"^def {name}\(.*?(?=^def |\Z)", text, re.S | re.M)[0]  # type: ignore[index]


# ---------------------------------------------------------------- quadratic: four derivatives


QUADRATIC = """
def f(a, b, c, x):
    y = a * x**2 + b * x + c
    return y
"""


@pytest.mark.parametrize(("a", "b", "c", "x"), [(2.0, -3.0, 0.5, 1.7), (0.0, 1.0, 1.0, 0.0), (-1.5, 0.2, 4.0, -2.25)])
def test_quadratic_has_its_four_derivatives(a: float, b: float, c: float, x: float) -> None:
    _, module = derive(QUADRATIC, "grad", "jvp")
    assert np.allclose(module["f_grad"](a, b, c, x), (x**2, x, 1.0, 2.0 * a * x + b), rtol=1e-15)
    for k, want in enumerate((x**2, x, 1.0, 2.0 * a * x + b)):
        seeds = dict.fromkeys(("a_dot", "b_dot", "c_dot", "x_dot"), 0.0)
        seeds[list(seeds)[k]] = 1.0
        value, tangent = module["f_jvp"](a, b, c, x, **seeds)
        assert value == a * x**2 + b * x + c
        assert np.isclose(tangent, want, rtol=1e-15)


def test_quadratic_needs_no_adjoint_of_what_nobody_differentiates_in() -> None:
    text, module = derive(QUADRATIC, "grad", wrt=("x",))
    assert module["f_grad"](2.0, 3.0, 1.0, 0.5) == 5.0
    assert not re.search(r"\b[abc]_bar\b", text)


# ---------------------------------------------------------------- log(x1 x2) sin(x2)


def test_log_of_product_times_sine() -> None:
    source = "import numpy as np\n\n\ndef f(x1, x2):\n    return np.log(x1 * x2) * np.sin(x2)\n"
    _, module = derive(source, "grad", "value_and_grad", "jvp")
    gradient = module["f_grad"](0.5, 0.75)
    assert np.round(gradient, 4).tolist() == [1.3633, 0.1912]
    assert np.isclose(gradient[0], math.sin(0.75) / 0.5, rtol=1e-15)
    assert np.isclose(gradient[1], math.sin(0.75) / 0.75 + math.log(0.375) * math.cos(0.75), rtol=1e-14)
    value, same = module["f_value_and_grad"](0.5, 0.75)
    assert value == math.log(0.375) * math.sin(0.75) or np.isclose(value, math.log(0.375) * math.sin(0.75), rtol=1e-15)
    assert same == gradient
    assert np.isclose(module["f_jvp"](0.5, 0.75, x1_dot=1.0, x2_dot=0.0)[1], gradient[0], rtol=1e-14)


# ---------------------------------------------------------------- x1 x2 + sin(x1)


@pytest.mark.parametrize("module_name", ["numpy", "math"])
def test_product_plus_sine(module_name: str) -> None:
    source = f"import {module_name} as m\n\n\ndef f(x1, x2):\n    return x1 * x2 + m.sin(x1)\n"
    _, module = derive(source, "value_and_grad")
    value, gradient = module["f_value_and_grad"](2.0, 3.0)
    assert value == 6.909297426825682
    assert tuple(gradient) == (2.5838531634528574, 2.0)


def test_several_paths_into_one_variable_are_summed() -> None:
    source = "import math\n\n\ndef f(x):\n    y = x * x\n    return y * x + math.sin(y)\n"
    _, module = derive(source, "grad")
    assert np.isclose(module["f_grad"](1.3), 3.0 * 1.3**2 + 2.0 * 1.3 * math.cos(1.69), rtol=1e-14)


# ---------------------------------------------------------------- outputs, seeds, compositions


def test_two_outputs_differentiated_apart_and_composed() -> None:
    inner = "import numpy as np\n\n\ndef f(x):\n    return np.sin(x), x**2\n"
    outer = "def g(y1, y2):\n    return y1 * y2\n"
    both = """
import numpy as np


def f(x):
    return np.sin(x), x**2


def h(x):
    y1, y2 = f(x)
    return y1 * y2
"""
    f_vjp = derive(inner, "vjp")[1]["f_vjp"]
    g_grad = derive(outer, "grad", function="g")[1]["g_grad"]
    h_grad = derive(both, "grad", function="h")[1]["h_grad"]
    x = 0.8
    (y1, y2), _ = f_vjp(x, out_bar=(0.0, 0.0))
    by_hand = f_vjp(x, out_bar=tuple(g_grad(y1, y2)))[1]
    assert np.isclose(by_hand, math.cos(x) * x**2 + math.sin(x) * 2.0 * x, rtol=1e-15)
    assert np.isclose(h_grad(x), by_hand, rtol=1e-15)


def test_seed_of_the_outputs_shape() -> None:
    source = """
import numpy as np


# s2s: W (m, n), x (n, k)
def f(W, x):
    return np.tanh(W @ x)
"""
    vjp = derive(source, "vjp")[1]["f_vjp"]
    r = np.random.default_rng(0)
    W, x = r.standard_normal((3, 4)), r.standard_normal((4, 5))
    value, (W_bar, x_bar) = vjp(W, x, out_bar=np.ones((3, 5)))
    s = 1.0 - value**2
    assert np.allclose(W_bar, s @ x.T, rtol=1e-14)
    assert np.allclose(x_bar, W.T @ s, rtol=1e-14)
    with pytest.raises((AssertionError, ValueError)):
        vjp(W, x, out_bar=np.ones((5, 3)))


def test_chain_of_sine_cosine_exponential() -> None:
    source = """
import numpy as np


# s2s: x (n,)
def f(x):
    return np.exp(np.cos(np.sin(x)))
"""
    _, module = derive(source, "vjp", "jvp")
    x = np.array([34.0, 54.0, 65.0])
    value, x_bar = module["f_vjp"](x, out_bar=np.ones(3))
    want = -np.exp(np.cos(np.sin(x))) * np.sin(np.sin(x)) * np.cos(x)
    assert np.array_equal(value, np.exp(np.cos(np.sin(x))))
    assert np.allclose(x_bar, want, rtol=1e-14)
    assert np.allclose(module["f_jvp"](x, x_dot=np.ones(3))[1], want, rtol=1e-14)


def test_full_jacobian_from_seeds() -> None:
    """Rows from the reverse mode and columns from the forward mode give the same p x n matrix."""
    source = """
import numpy as np


# s2s: A (p, n), x (n,)
def f(A, x):
    return np.sin(A @ x) * 2.0
"""
    _, module = derive(source, "vjp", "jvp", wrt=("x",))
    r = np.random.default_rng(1)
    A, x = r.standard_normal((3, 4)), r.standard_normal(4)
    rows = np.stack([module["f_vjp"](A, x, out_bar=e)[1] for e in np.eye(3)])
    columns = np.stack([module["f_jvp"](A, x, x_dot=e)[1] for e in np.eye(4)], axis=1)
    assert rows.shape == (3, 4)
    assert np.allclose(rows, columns, rtol=1e-13)
    assert np.allclose(rows, 2.0 * np.cos(A @ x)[:, None] * A, rtol=1e-13)


# ---------------------------------------------------------------- forward mode in flat memory


UPDATES = """
import numpy as np


# s2s: x (n,)
def f(x, n_updates: int):
    y = x
    for k in range(n_updates):
        y = y + 1e-3 * np.sin(y)
    return np.sum(y)
"""


def test_forward_mode_loop_of_12345_updates_keeps_memory_flat() -> None:
    text, module = derive(UPDATES, "jvp", wrt=("x",))
    assert ".append(" not in text
    x = np.linspace(0.1, 1.0, 1000)

    def peak(n_updates: int) -> int:
        tracemalloc.start()
        module["f_jvp"](x, n_updates, x_dot=np.ones(1000))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    few, many = peak(20), peak(12345)
    assert many < few + 20_000  # bytes: not one more array of the state
    y, tangent = x.copy(), np.ones(1000)
    for _ in range(12345):
        y, tangent = y + 1e-3 * np.sin(y), (1.0 + 1e-3 * np.cos(y)) * tangent
    value, got = module["f_jvp"](x, 12345, x_dot=np.ones(1000))
    assert value == np.sum(y)
    assert np.allclose(got, np.sum(tangent), rtol=1e-9)


# ---------------------------------------------------------------- when to accumulate, when to pass straight on


def test_value_used_once_passes_its_contribution_straight_on() -> None:
    """exp(-x) is used once: no adjoint of its own, the factor goes on to x."""
    text, module = derive("import math\n\n\ndef f(x):\n    e = math.exp(-x)\n    return math.sin(e)\n", "grad")
    e = math.exp(-0.4)
    assert np.isclose(module["f_grad"](0.4), -math.cos(e) * e, rtol=1e-15)
    assert "+=" not in body(text, "f_grad")
    assert "-=" not in body(text, "f_grad")


def test_value_with_many_uses_accumulates_and_propagates_once() -> None:
    """y has three readers: its adjoint is complete before the costly step to x runs, once."""
    source = """
import numpy as np


# s2s: A (n, n), x (n,)
def f(A, x):
    y = A @ x
    a = np.sum(np.sin(y))
    b = np.sum(y**2)
    c = np.sum(np.exp(-(y**2)))
    return a * b + c
"""
    text, module = derive(source, "grad", wrt=("x",))
    assert len(re.findall(r"A\.T @", body(text, "f_grad"))) == 1
    r = np.random.default_rng(2)
    A, x = r.standard_normal((4, 4)), r.standard_normal(4)
    y = A @ x
    y_bar = np.cos(y) * np.sum(y**2) + 2.0 * y * np.sum(np.sin(y)) - 2.0 * y * np.exp(-(y**2))
    assert np.allclose(module["f_grad"](A, x), A.T @ y_bar, rtol=1e-12)


def test_first_contribution_assigns_later_ones_accumulate() -> None:
    source = """
import numpy as np


# s2s: x (n,)
def f(x):
    a = np.sin(x)
    b = np.exp(x)
    return np.sum(a * b) + np.sum(x)
"""
    text, module = derive(source, "grad")
    assert "zeros" not in body(text, "f_grad")
    x = np.array([0.3, -0.4, 1.1])
    assert np.allclose(module["f_grad"](x), (np.cos(x) + np.sin(x)) * np.exp(x) + 1.0, rtol=1e-14)


def test_level_zero_values_that_nobody_differentiates_in_get_no_update() -> None:
    source = """
import numpy as np


# s2s: W (m, n), x (n,), t (m,)
def f(W, x, t):
    return np.sum((W @ x - t) ** 2)
"""
    text, _ = derive(source, "grad", wrt=("W",))
    assert not re.search(r"\b[xt]_bar\b", text)
    assert "W.T" not in text


def test_sum_of_terms_stores_no_adjoint_of_the_partial_sums() -> None:
    """a + b + c + d: the adjoint of the result is passed to each term, whatever was between."""
    source = "def f(a, b, c, d):\n    s = a + b\n    s = s + c\n    s = s + d\n    return s * s\n"
    text, module = derive(source, "grad")
    assert np.allclose(module["f_grad"](1.0, 2.0, 3.0, 4.0), (20.0,) * 4)
    assert len(re.findall(r"\bs_bar =", body(text, "f_grad"))) <= 1


def test_derivative_is_re_entrant() -> None:
    """No state outside a call: an exception in one call leaves nothing for the next."""
    source = """
import numpy as np


def f(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
    return y
"""
    _, module = derive(source, "grad", wrt=("x",))
    first = module["f_grad"](0.7, 5)
    with pytest.raises(TypeError):
        module["f_grad"](0.7, "5")
    assert module["f_grad"](0.7, 5) == first
