"""Functions of the table that return several values: every way of taking the result apart gives the same derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate
from test_rules import POOL, numeric_vjp

FORMS = {
    "subscript": "return np.sum(np.linalg.slogdet(A)[1])",
    "from the end": "return np.sum(np.linalg.slogdet(A)[-1])",
    "attribute": "return np.sum(np.linalg.slogdet(A).logabsdet)",
    "subscripts of a name": "t = np.linalg.slogdet(A)\n    return np.sum(t[0] * t[1])",
    "attributes of a name": "t = np.linalg.slogdet(A)\n    return np.sum(t.sign * t.logabsdet)",
    "unpacked": "sign, logdet = np.linalg.slogdet(A)\n    return np.sum(sign * logdet)",
    "unpacked twice": "t = np.linalg.slogdet(A)\n    _, logdet = t\n    return np.sum(logdet)",
    "unpacked and read": "t = np.linalg.slogdet(A)\n    s, _ = t\n    return np.sum(s * t[1])",
    "one of two bindings": "t = np.linalg.slogdet(A)\n    t = np.linalg.slogdet(2.0 * A)[1]\n    return np.sum(t)",
    "handed on": "t = np.linalg.slogdet(A)\n    u = t\n    return np.sum(u[1])",
    "a computed place": "t = np.linalg.slogdet(A)\n    i = 1\n    return np.sum(t[i])",
    "in a loop": "s = 0.0\n    for k in range(3):\n        t = np.linalg.slogdet(A + k)\n"
    "        s += t[1] * t[1]\n    return s",
    "in a comprehension": "return sum([np.linalg.slogdet(A + k)[1] for k in range(3)])",
    "unpacked behind a star": "sign, *rest = np.linalg.slogdet(A)\n    return rest[0] + np.sum(sign)",
}  # fmt: skip


@pytest.mark.parametrize("body", FORMS.values(), ids=FORMS)
def test_every_form(body: str) -> None:
    source = f"import numpy as np\n\n\ndef f(A):\n    {body}\n"
    text = differentiate(source, Request(functions=("f",), emit=("grad", "jvp")))
    space: dict[str, Any] = {}
    exec(source, space)
    reference = numeric_vjp(space["f"], POOL["A"], 1.0).reshape(4, 4)
    exec(text, space)
    np.testing.assert_allclose(space["f_grad"](POOL["A"]), reference, rtol=1e-7)
    dot = POOL["S"]
    np.testing.assert_allclose(space["f_jvp"](POOL["A"], A_dot=dot)[1], np.sum(reference * dot), rtol=1e-7)


WHOLE = [
    "t = np.linalg.slogdet(A)\n    t = np.linalg.slogdet(t[1] * A)\n    return t[1]",
]


@pytest.mark.parametrize("body", WHOLE)
def test_a_result_that_is_not_taken_apart_is_refused(body: str) -> None:
    source = f"import numpy as np\n\n\ndef f(A):\n    {body}\n"
    with pytest.raises(S2SError, match="S302") as raised:
        differentiate(source, Request(functions=("f",)))
    assert "is a tuple of sign, logabsdet" in str(raised.value)


FACTORED = {
    "Cholesky, a pair": "c, low = cho_factor(A @ A.T)\n    x = cho_solve((c, low), b)",
    "Cholesky, one name": "factor = cho_factor(A @ A.T, lower=True)\n    x = cho_solve(factor, b)",
    "Cholesky, at once": "x = cho_solve(cho_factor(A @ A.T), b)",
    "LU, one name": "factor = lu_factor(A)\n    x = lu_solve(factor, b)",
    "LU, at once, transposed": "x = lu_solve(lu_factor(A), b, trans=1)",
}  # fmt: skip
FACTORING = """import numpy as np
from scipy.linalg import cho_factor, cho_solve, lu_factor, lu_solve


def f(A, b):
    {body}
    return np.sum(x * x)
"""


@pytest.mark.parametrize("shapes", ["", "A (n, n), b (n,)"])
@pytest.mark.parametrize("body", FACTORED.values(), ids=FACTORED)
def test_factors_are_handed_on(body: str, shapes: str) -> None:
    source = FACTORING.format(body=body)
    text = differentiate(source, Request(functions=("f",), emit=("grad", "jvp"), shapes=shapes))
    space: dict[str, Any] = {}
    exec(source, space)
    args = {"A": POOL["A"], "b": POOL["v"]}
    wanted = [numeric_vjp(lambda x, n=n: space["f"](**args | {n: x}), args[n], 1.0) for n in args]  # type: ignore[misc]
    exec(text, space)
    for found, reference in zip(space["f_grad"](**args), wanted, strict=True):
        np.testing.assert_allclose(np.ravel(found), reference, rtol=1e-6, atol=1e-8)
    _, tangent = space["f_jvp"](**args, A_dot=POOL["S"], b_dot=POOL["w"])
    np.testing.assert_allclose(tangent, wanted[0] @ np.ravel(POOL["S"]) + wanted[1] @ POOL["w"], rtol=1e-6)


def test_a_pair_that_is_not_taken_apart_is_refused() -> None:
    source = "from scipy.linalg import cho_solve\n\n\ndef f(factor, b):\n    return cho_solve(factor, b) @ b\n"
    with pytest.raises(S2SError, match="written as a tuple"):
        differentiate(source, Request(functions=("f",)))
