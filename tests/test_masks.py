"""Masks and counts: Booleans and unsigned numbers beside floats. `-m` of them is an error or wraps around, `m + n` of
two masks is `m or n`: the derivative is that for the same numbers as floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from checking import evaluate
from s2s.pipeline import Request, differentiate_unformatted

PROGRAMS = {
    "negative log likelihood": "return -np.sum(m * x)",
    "divided by the number of them": "return -np.sum(m * x) / np.sum(m)",
    "two masks": "n = x > 0.2\n    return np.sum(x * m + n * x)",
    "two masks inside of a function": "n = x > 0.2\n    return np.sum(np.sin(x * m + n * x))",
    "difference of two": "n = x > 0.2\n    return np.sum(x * m - n * x)",
    "one after the other": "n = x > 0.2\n    s = np.sum(x * n)\n    s = s + np.sum(m * x)\n    return s",
    "the same twice": "return np.sum(x * m) + np.sum(m * x)",
    "in a branch": "s = np.sum(x * (m > 0))\n    if x[0] > 0.0:\n        s = s + np.sum(x * m)\n    return s",
    "the sign is further down": "y = -x\n    z = -y\n    return np.sum(y * m) - np.sum(z * m)",
    "element by element": """s = 0.0
    for i in range(len(x)):
        s -= m[i] * x[i]
        q = -s * m[i]
        s = s - m[i] * q - m[i] * s
    return s""",
    "in place": "y = x * m\n    y[1:] -= x[1:] * m[1:]\n    return np.sum(y * y) - np.sum(x * m)",
    "helper": "return h(x, m) - h(x, m[::-1])",
    "vector": "r = -x * m\n    return r - m * x",
    "vector of a difference": "r = x * m - (x > 0.2) * x\n    return -r * m",
    "sum, greatest and power of counts": "return x[1:] - x[1:] * np.sum(m) - x[1:] * m.max() - x[1:] * m[1:] ** 2",
    "sum in a scalar": "return np.sum(x) - np.sum(x) * m.sum() - m.sum() * m.max() * x[0] + x[1] * m[0] ** 2",
    "converted": """n = (m > 0).astype(np.uint8)
    return -(n * x) - (m > 0).astype(np.uint8) * x - np.ones_like(m) * x""",
    "of a given type": """n = np.ones(5, dtype=np.uint8)
    return -(np.asarray(m, dtype=np.uint8) * x) - np.sum(n * x)""",
    "products": "return -np.outer(x, m) @ m - m @ x * m",
}
HELPER = "def h(a, m):\n    return np.sum(a * m) - np.sum(a * (m > 0))\n"


@pytest.mark.parametrize("stated", ["# s2s: wrt=x\n", "# s2s: x (n,), m (n,) wrt=x\n", "# s2s: x (n,), m (n,)\n"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_masks_are_as_the_same_numbers_in_floats(name: str, stated: str) -> None:
    source = f"import numpy as np\n\n\n{HELPER}\n\n{stated}def f(x, m):\n    {PROGRAMS[name]}\n"
    x = np.array([0.3, 0.1, 0.9, 0.5, 0.7])
    x_dot = np.array([0.2, -0.4, 0.6, 0.1, -0.3])
    m = np.array([1, 0, 1, 1, 0])
    value = evaluate(source, "<primal>")["f"](x, 1.0 * m)
    scalar, size = np.ndim(value) == 0, np.size(value)
    emit = ("vjp", "jvp", "grad") if scalar else ("vjp", "jvp")
    text = differentiate_unformatted(source, Request(functions=("f",), emit=emit))
    derived = evaluate(text, "<derivative>")
    several = "m_dot" in text
    if several and name == "in a branch":
        pytest.skip("the adjoint of a mask is of its own type there, which raises")

    def results(m: Any) -> list[np.ndarray]:
        more = {"m_dot": np.zeros(5)} if several else {}
        out_bar = 0.7 if scalar else np.arange(1.0, 1.0 + size)
        bars = derived["f_vjp"](x, m, out_bar=out_bar)[1]
        found = [derived["f_jvp"](x, m, x_dot=x_dot, **more)[1], bars[0] if several else bars]
        if scalar:
            grad = derived["f_grad"](x, m)
            found.append(grad[0] if several else grad)
        return found

    want = results(1.0 * m)
    for dtype in (bool, np.uint8, int):
        for got, right in zip(results(m.astype(dtype)), want, strict=True):
            np.testing.assert_allclose(got, right, rtol=1e-12, atol=1e-14, err_msg=str(dtype))
