"""Parameters that are a list, a tuple or a dict where they are left out: without them, and with lists and arrays."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import checking
import numeric
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

X = np.array([0.7, 1.3, -0.4, 0.9])
PAIR = {
    "read by number": "def f(x, w={0}):\n    return x[1] * w[0] + w[1] * x[0]",
    "by keyword": "def f(x, *, w={0}):\n    return x[1] * w[0] + w[1] * x[0]",
    "unpacked": "def f(x, w={0}):\n    a, b = w\n    return np.sum(x) * a + b * x[0]",
    "looped over": "def f(x, w={0}):\n    s = 0.0\n    for c in w:\n        s += c * x[0] ** 2\n    return s",
    "beside an array": "def f(x, w={0}):\n    s = 0.0\n    for a, b in zip(w, x):\n        s += a * b\n    return s",
    "where it has items": "def f(x, w={0}):\n    s = np.sum(x**2)\n    if w is None or len(w) == 0:\n"
    "        return s\n    return s * w[0]",
    "computed with as an array": "def f(x, w={0}):\n    return np.sum((x[:2] - w) ** 2)",
}
DEFAULTS = ("(1.0, 2.0)", "[1.0, 2.0]")
CHOSEN = {
    "an if": "def f(x, w=None):\n    if w is None:\n        w = [1.0, 2.0]\n    return x[1] * w[0] + w[1] * x[0]",
    "an if of truth": "def f(x, w=None):\n    if not w:\n        w = [2.0, x[0]]\n    return np.sum(x) * w[0] + w[1]",
    "a conditional": "def f(x, w=None):\n    w = (1.0, 2.0) if w is None else w\n    a, b = w\n    return x[0] * a * b",
    "another": "def f(x, w=None):\n    w = w if w is not None else [1.0, 2.0]\n    return x[1] * w[0] + w[1] * x[0]",
    "or": "def f(x, w=None):\n    w = w or [1.0, 2.0]\n    return x[1] * w[0] + w[1] * x[0]",
    "annotated": "def f(x, w: list[float] | None = None):\n    w = w or [1.0, 2.0]\n    return np.sum(x) * w[0] * w[1]",
}
DICTS = {
    "read by key": 'def f(x, w={"a": 1.0, "b": 2.0}):\n    return np.sum(x) * w["a"] * w["b"]',
    "looped over": "def f(x, w={}):\n    s = x[0] + 1\n    for k, v in w.items():\n        s += v * x[0]\n    return s",
    "an if": 'def f(x, w=None):\n    if w is None:\n        w = {"a": 1.0, "b": 2.0}\n    return x[0] * w["a"]',
    "or": 'def f(x, w=None):\n    w = w or {"a": 1.0, "b": 2.0}\n    return x[0] * w["a"]',
}
ARRAYS = {  # which are read by element, by row, as a whole, where they are there
    "an element": "def f(x, w=None):\n    if w is None:\n        return x[0] ** 2\n    return x[0] * w[1]",
    "a slice": "def f(x, w=None):\n    s = np.sum(x**2)\n    if w is not None:\n        s += np.sum(w[1:] * x[0])\n"
    "    return s",
    "an expression": "def f(x, w=None):\n    return np.sum(x**2) + (0.0 if w is None else w[0] * w[1])",
    "a helper": "def f(x, w=None):\n    return g(x[1], w if x[0] > 0.0 else None)\n\n\n"
    "def g(z, w):\n    if w is None:\n        return z\n    return z * w[1]",
    "None by a test": "def f(x, w=None):\n    if x[0] < 0.0 or w is None:\n        w = None\n"
    "    return g(x[1], w)\n\n\n"
    "def g(z, w):\n    if w is None:\n        return z\n    return z * w[1]",
}
VALUES: list[Any] = [..., [0.5, 0.3], (0.5, 0.3), np.array([0.5, 0.3])]
CASES = [
    *((text.format(d), v) for text in PAIR.values() for d in DEFAULTS for v in VALUES),
    *((text, v) for name, text in CHOSEN.items() for v in (VALUES if "truth" not in name else VALUES[:3])),
    *((text, v) for text in ARRAYS.values() for v in (..., np.array([0.5, 0.3]))),
    *((text, v) for text in DICTS.values() for v in (..., {"a": 0.5, "b": 0.3})),
]


def derivative(text: str, kind: str) -> Callable[..., Any]:
    source = f"import numpy as np\n\n\n{text}\n"
    return checking.evaluate(differentiate(source, Request("model.py", ("f",), None, emit=(kind,))), "f")[f"f_{kind}"]


@pytest.mark.parametrize(("text", "w"), CASES)
def test_default(text: str, w: Any) -> None:
    if w is not ... and isinstance(w, np.ndarray) and ("w or " in text or "w = w or" in text):
        pytest.skip("the truth value of an array")
    f = checking.evaluate(f"import numpy as np\n\n\n{text}\n", "f")["f"]
    given = {} if w is ... else {"w": w}
    d = np.random.default_rng(0).standard_normal(4 + len(given.get("w", ())))
    call = (lambda x: f(x)) if w is ... else (lambda x, w: f(x, w=w))
    along, _ = numeric.along(call, (X.copy(), *given.values()), list(range(1 + len(given))), d)
    pulled = derivative(text, "vjp")(X.copy(), **given, out_bar=1.0)[1]
    x_bar, w_bar = pulled if isinstance(pulled, tuple) else (pulled, None)
    like = np.asarray(w) if isinstance(w_bar, np.ndarray) else w  # of what is computed with as an array, it is one
    found = x_bar @ d[:4] + (numeric.flat_beside(like, w_bar) @ d[4:] if given else 0.0)
    np.testing.assert_allclose(found, along, rtol=1e-6)
    jvp = derivative(text, "jvp")
    default = inspect.signature(f).parameters["w"].default
    tangent: Any = d[4:]
    if w is ...:
        tangent = None if default is None else {} if default == {} else numeric.flat(default) * 0.0
        tangent = dict.fromkeys(default, 0.0) if isinstance(default, dict) else tangent
    elif not isinstance(w, np.ndarray):
        tangent = dict(zip(w, d[4:], strict=True)) if isinstance(w, dict) else type(w)(d[4:])
    np.testing.assert_allclose(jvp(X.copy(), **given, x_dot=d[:4], w_dot=tangent)[1], along, rtol=1e-6)
