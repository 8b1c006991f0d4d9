"""Elements that are written through attributes and `out=`: what is refused, or asserted where it runs."""

from __future__ import annotations

import numpy as np
import pytest

import checking
from programs import Program

X = np.array([0.7, 1.3, 0.2, 0.9])
LARGE = 1e8


def check(body: str, head: str = "") -> checking.Verdict:
    source = f"import numpy as np\n\n{head}\ndef f(x):\n{body}"
    return checking.check(Program(source, (X,), ("x",), ("x",), True), ("vjp", "jvp"), margin=0.0, largest=LARGE)


GUARDED = {
    "join": "    y = x * x\n    np.concatenate([y[1:], y[:1]], out=y)\n    return np.sum(y * x)\n",
    "list": "    y = x * x\n    l = [y[1:], y[:1]]\n    np.concatenate(l, out=y)\n    return np.sum(y * x)\n",
    "stack": "    y = np.outer(x, x)\n    np.stack([y[1], y[0]], out=y[:2])\n    return np.sum(y * x)\n",
    "ptp": "    y = np.outer(x, x)\n    np.ptp(y, axis=0, out=y[0])\n    return np.sum(y * x)\n",
    "flat of a copy": "    y = np.outer(x, x).T\n    y.flat[1] = x[0]\n    return np.sum(y * x)\n",
    "flat under places": "    y = np.outer(x, x)\n    k = np.array([[1, 2, 3], [4, 5, 6]])\n"
    "    y.flat[k] = x[:2].reshape(2, 1)\n    return np.sum(y * x)\n",
}


@pytest.mark.parametrize("name", GUARDED)
def test_what_depends_on_the_run_is_asserted(name: str) -> None:
    """These functions of NumPy write before they have read all, and `flat` repeats values where a view broadcasts."""
    assert check(GUARDED[name]).kind == "guarded"


REFUSED = {
    "an iterator": "    v = x.flat\n    s = 0.0\n    for e in v:\n        s += e\n    return s\n",
    "a written iterator": "    y = np.outer(x, x)\n    v = y.flat\n    v[:] = x\n    return np.sum(y * x)\n",
    "a view of rank 0": "    y = x * 2.0\n    v = y[0:1].reshape(())\n    v[...] = x[1]\n    return np.sum(y * x)\n",
    "an item with dots": "    y = x * 2.0\n    v = y[0, ...]\n    v *= x[1]\n    return np.sum(y * x)\n",
    "two results": "    a, b = x * 1.0, x * 1.0\n    np.modf(x, out=(a, b))\n    return np.sum(a * x)\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_refused(name: str) -> None:
    assert check(REFUSED[name], "# s2s: x (n,)").kind == "refused"


OUT = {
    "a call": (
        "    return np.multiply(v, v, out=out)",
        "    y = np.zeros(4)\n    g(x, y)\n    return np.sum(y * g(x))",
    ),
    "a method": (
        "    return v.cumsum(out=out)",
        "    y = np.zeros(4)\n    z = g(x, out=y)\n    return np.sum(y * z * g(x))",
    ),
    "a statement": (
        "    np.exp(v, out=out)\n    return v * v",
        "    y = np.zeros(4)\n    return np.sum(g(x, y) * y * g(x))",
    ),
    "an array made": (
        "    if out is None:\n        out = np.empty_like(v)\n    np.exp(v, out)\n    return out",
        "    y = np.zeros(4)\n    g(x, y)\n    return np.sum(y * g(x))",
    ),
    "a test": (
        "    w = v * v\n    if out is not None:\n        np.add(w, v, out=out)\n    return w",
        "    y = np.zeros(4)\n    return np.sum(g(x, y) * y * g(x))",
    ),
    "in an expression": (
        "    return 2.0 * np.exp(v, out=out)",
        "    y = np.zeros(4)\n    return np.sum(g(x, y) * y * g(x))",
    ),
}


@pytest.mark.parametrize("name", OUT)
def test_out_that_may_be_none(name: str) -> None:
    """`out=None` was taken for an array that is written into: the term of the result was lost."""
    helper, body = OUT[name]
    assert check(f"{body}\n", f"def g(v, out=None):\n{helper}\n\n").kind == "right"


def test_a_helper_that_sets_an_attribute_called_real() -> None:
    head = "import types\n\ndef g(p, v):\n    p.real = v\n    return p.real * 2.0\n\n"
    body = "    p = types.SimpleNamespace(x=1.0)\n    p.real = x * x\n    y = g(p, 2.0 * x[0])\n"
    assert check(f"{body}    return np.sum(p.real * x) * y\n", head).kind == "right"
