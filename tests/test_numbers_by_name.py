"""`b = x; b += y` of numbers leaves x as it was; an array, of rank 0 too, would be written into."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2s.pipeline import Request, differentiate_unformatted

UPDATES = {
    "a second name": "b = x\n    b += y\n    return b * x",
    "in a loop": "b = x\n    for i in range(3):\n        b += y * i\n    return b * x",
    "the parameter itself": "b = x\n    x += y\n    return b * x",
    "one of two": "b = x if y > 0 else y\n    b += y\n    return b * x",
    "its real part": "b = x.real\n    b *= y\n    return b * x",
}


@pytest.mark.parametrize("name", UPDATES)
def test_an_array_of_rank_zero_is_refused(name: str) -> None:
    source = f"import numpy as np\n\n\ndef f(x, y):\n    {UPDATES[name]}\n"
    space: dict[str, Any] = {}
    exec(source, space)
    text = differentiate_unformatted(source, Request(functions=("f",), emit=("vjp", "grad", "jvp")))
    exec(text, space)
    f, h = space["f"], 1e-6
    slope = (f(0.7 + h, 0.3) - f(0.7 - h, 0.3)) / (2 * h)
    for number in (0.7, np.float64(0.7)):
        assert abs(space["f_grad"](number, 0.3)[0] - slope) < 1e-8
        assert abs(space["f_jvp"](number, 0.3, x_dot=1.0, y_dot=0.0)[1] - slope) < 1e-8
    with pytest.raises(AssertionError):
        space["f_grad"](np.array(0.7), 0.3)
    with pytest.raises(AssertionError):
        space["f_vjp"](np.array(0.7), 0.3, out_bar=1.0)
    with pytest.raises(AssertionError):
        space["f_jvp"](np.array(0.7), 0.3, x_dot=1.0, y_dot=0.0)


def test_all_of_an_array_of_rank_zero_is_a_view_and_its_item_is_none() -> None:
    source = "import numpy as np\n\n\ndef f(x, y):\n    b = x[...]\n    b += y\n    return b * x\n"
    source += "\n\ndef g(x, y):\n    b = x[()]\n    b *= y\n    return b * x\n"
    space: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request(functions=("f", "g"), emit=("grad",))), space)
    assert space["f_grad"](np.float64(2.0), 3.0) == (7.0, 2.0)
    with pytest.raises(AssertionError):
        space["f_grad"](np.array(2.0), 3.0)
    assert space["g_grad"](np.float64(2.0), 3.0) == space["g_grad"](np.array(2.0), 3.0) == (12.0, 4.0)


def test_an_array_of_integers_is_written_into() -> None:
    source = "import numpy as np\n\n\n# s2s: x (n,)\ndef f(x):\n    a = np.arange(len(x))\n    b = a\n    b += 1\n"
    source += "    return np.sum(x**2 * a)\n"
    space: dict[str, Any] = {}
    exec(source, space)
    exec(differentiate_unformatted(source, Request(functions=("f",), emit=("value_and_grad", "jvp"))), space)
    x = np.array([0.3, 0.5, 0.7])
    value, x_bar = space["f_value_and_grad"](x)
    assert value == space["f"](x) == space["f_jvp"](x, x_dot=x)[0]
    np.testing.assert_allclose(x_bar, 2.0 * x * [1.0, 2.0, 3.0])


def test_texts_and_lists_of_texts_carry_no_derivative() -> None:
    source = (
        "def f(x, line):\n    s = 0.0\n    for word in line.split():\n        s = s + (x if word == 'x' else 1.0)\n"
        "    return s * x\n\n\n"
        "def g(x, words):\n    s = 0.0\n    for word in words:\n        if word == 'x':\n            s = s + x\n"
        "        else:\n            s = s * float(word)\n    return s\n"
    )
    space: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request(functions=("f", "g"), emit=("vjp",))), space)
    assert space["f_vjp"](0.5, "x y x", out_bar=1.0) == (1.0, 3.0)
    assert space["g_vjp"](0.5, ["x", "2.5", "x"], out_bar=1.0) == (1.75, 3.5)
