"""What is known of a variable of a caller is not known of the variable of that name in a helper."""

from __future__ import annotations

import numpy as np
import pytest

from s2s.analysis.facts import Fact, symbols
from s2s.analysis.shapes import Length, Shape, Shapes, unknown
from s2s.derive.scopes import kept_apart
from s2s.errors import S2SError
from s2s.ir import Const, Function, Param, Return
from s2s.pipeline import Request, differentiate_unformatted

SHARED = """import math
import numpy as np

def thrice(x):
    t = 0.0
    for i in range(3):
        t = t + x
    return t

def f(u, v, y):
    t = 0.0
    for i in range(3):
        t = t + v
    return np.sum(thrice(u) * y) + math.sin(t)
"""

# of `w` in f it is known that it is an array; of that in damped it is not
UPDATED = """import numpy as np

def damped(q, w):
    for _ in range(2):
        w -= np.tanh(q)
    return w

def level(x, u):
    return np.tanh(x) + np.sum(u)

def f(y, w, v, b):
    while np.abs(y) > 0.35:
        b = y
        for _ in range(3):
            b = np.tanh(y * b + b)
            w = np.tanh(w[::-1] + w)
    higher = np.array([b, b, b]) > level(b, v[2:4])
    c = np.concatenate([np.where(higher, w, b + b)[:1], np.clip(w, -0.6, 0.8)[1:]])
    y = np.tanh(np.prod(np.tanh(v + v))) ** 2
    b -= np.tanh(damped(y, w=b))
    return np.minimum(y, 0.45) * c[1] + b + np.sum(c)
"""


def test_a_number_of_the_caller_may_be_an_array_in_the_helper() -> None:
    namespace: dict[str, object] = {}
    text = differentiate_unformatted(SHARED, Request("model.py", ("f",), ("u", "v", "y"), emit=("vjp",)))
    exec(text, namespace)
    u, y = np.array([0.3, -0.8, 1.1]), np.array([0.5, 0.7, -0.2])
    _, bars = namespace["f_vjp"](u, 0.4, y, out_bar=1.0)  # type: ignore[operator]
    np.testing.assert_allclose(bars[0], 3.0 * y)
    np.testing.assert_allclose(bars[2], 3.0 * u)
    np.testing.assert_allclose(bars[1], 3.0 * np.cos(1.2))


def test_an_array_of_the_caller_may_be_a_number_in_the_helper() -> None:
    with pytest.raises(S2SError, match="in-place update of `w`"):
        differentiate_unformatted(UPDATED, Request("model.py", ("f",), ("w", "b"), emit=("vjp",)))


def test_what_is_found_out_of_the_arguments_goes_with_them() -> None:
    shapes = Shapes()
    shapes.demand_rank(unknown("t~"), 1)
    shapes.demand_equal(Length("n"), Length("m"))
    helper = Function("helper", (Param("x"),), (Return(Const(1.0)),))
    given = {"x": Fact("float", unknown("x~"))}
    shapes.demand_axes(unknown("x~"), 1)
    apart = kept_apart(helper, given, shapes)
    assert symbols(apart.given["x"]) == {"0x~"}
    assert apart.shapes.has_axis(unknown("0x~")) and not apart.shapes.has_axis(unknown("x~"))
    assert apart.shapes(unknown("t~")) == Shape((Length("t~.0"),))
    assert apart.back("0x~") == "x~"
