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
    "sign, *rest = np.linalg.slogdet(A)\n    return rest[0]",
    "t = np.linalg.slogdet(A)\n    t = np.linalg.slogdet(t[1] * A)\n    return t[1]",
]


@pytest.mark.parametrize("body", WHOLE)
def test_a_result_that_is_not_taken_apart_is_refused(body: str) -> None:
    source = f"import numpy as np\n\n\ndef f(A):\n    {body}\n"
    with pytest.raises(S2SError, match="S302") as raised:
        differentiate(source, Request(functions=("f",)))
    assert "is a tuple of sign, logabsdet" in str(raised.value)
