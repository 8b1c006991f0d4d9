"""Lists that functions of NumPy take for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

HEAD = "import numpy as np\n\n\n"
X = np.array([0.7, 0.31, 0.52])

# expressions of x and of L, a list of as many numbers
EXPRESSIONS = """
np.reshape(L, (3, 1))
np.ravel(L)
np.flip(L)
np.roll(L, 1)
np.squeeze(L)
np.expand_dims(L, 0)
np.atleast_2d(L)
np.diag(L)
np.tile(L, 2)
np.repeat(L, 2)
np.take(L, [0, 2])
np.abs(L)
np.negative(L)
np.exp(L) * 2
np.clip(L, 0.1, 0.3)
np.pad(L, 1)
np.append(L, x)
np.insert(L, 1, x[0])
np.delete(L, 1)
np.gradient(L)
np.ediff1d(L)
np.cumprod(L)
np.sort(L)
np.quantile(L, 0.3)
np.ptp(L)
np.kron(L, x)
np.inner(L, x)
np.vdot(L, x)
np.tensordot(L, x, 1)
np.einsum("i,i->", L, x)
np.einsum("i,j->ij", L, L)
np.meshgrid(L, x)[0]
np.vander(L)
np.correlate(L, x)
np.nan_to_num(L)
np.minimum(L, x)
np.hypot(L, x)
np.arctan2(L, x)
np.power(L, 2)
np.linalg.norm(L, 1)
np.fft.rfft(L).real
np.trapezoid(L, x)
np.broadcast_to(L, (2, 3))
np.stack([L, x])
np.concatenate([L, x])
np.vstack([L, x])
np.hstack([L, x[0], x])
np.array([L, x])
np.column_stack([L, x])
np.argsort(L) * x
np.zeros_like(L) + x
np.ones_like(L) * x
np.full_like(L, 2.0) * x
np.mean(L, axis=0) * x
np.sum(L, keepdims=True) * x
np.average(L) * x
np.cov(L) * x
np.corrcoef(L, x)
np.linalg.norm(np.array(L)) * L[0]
np.real(L)
np.isnan(L) + x
np.unwrap(L)
np.triu(L)
np.outer(x, L)
np.add(L, x)
np.subtract(x, L)
np.divide(L, x)
np.add.reduce(L)
np.maximum.reduce(L)
np.add.accumulate(L)
np.multiply.outer(L, x)
np.logaddexp(L, x)
np.nansum(L)
np.rot90([L, x])
np.select([x > 0.5], [L], x)
np.where(x > 0.5, L, L)
np.choose([0, 1, 0], [L, x])
np.compress([True, False, True], L)
np.extract(x > 0.4, L)
np.moveaxis([L, x], 0, 1)
L @ x
x @ L
x * np.array(L) + L
-x + L
np.array(L) ** 2 - L
"""

PROGRAMS: dict[str, str] = {
    "rows that grow, along both axes": """
def f(x):
    L = []
    for k in range(3):
        L.append(x * (k + 1) + x[k])
    return np.sum(np.max(L, axis=0) * np.mean(L, axis=1)) + np.sum(np.sum(L, axis=1) ** 2) + np.linalg.norm(L)
""",
    "lists of lists as matrices": """
def f(x):
    L = [[v * w for v in x] for w in x]
    return np.linalg.det(L) + np.trace(L) + np.sum(np.linalg.solve(np.eye(3) + L, x))
""",
    "lists of lists in products": """
def f(x):
    L = [[v * w + 1.0 for v in x] for w in x]
    return np.sum(np.transpose(L) @ x) + np.sum(np.matmul(L, x)) + np.sum(np.dot(x, L))
""",
    "a list that changes between two calls": """
def f(x):
    L = [x[0], x[1]]
    a = np.prod(L)
    L[0] = a * x[2]
    b = np.std(L)
    L.append(b)
    c = np.max(L) + np.median(L)
    L.pop()
    return c * np.prod(L)
""",
    "a list that grows between calls": """
def f(x):
    L = []
    s = 0.0
    for v in x:
        L.append(v * v)
        s = s * 0.5 + np.std(L) * np.prod(L)
    return s
""",
    "in the test of a loop": """
def f(x):
    L = [x[0]]
    while np.max(L) < 3.0:
        L.append(L[-1] * 1.7 + x[1])
    return np.prod(L)
""",
    "in tests of branches": """
def f(x):
    L = [v * v for v in x]
    if np.max(L) > 0.2 and np.median(L) < 5.0:
        return np.prod(L)
    return np.min(L)
""",
    "a helper that is given lists and arrays": """
def score(L):
    return np.std(L) / np.mean(L)
def f(x):
    return score([v * v for v in x]) + score([x[0], x[1]]) + score(x)
""",
    "lists of constants": """
def f(x):
    ts = [0.0]
    for k in range(2):
        ts.append(ts[-1] + 0.5)
    return np.sum(np.interp([0.2, 0.7], ts, x)) + np.prod(ts) * x[0]
""",
    "places in a list": """
def f(x):
    L = [v * v for v in x]
    k = np.argmax(L)
    i = int(np.argmin(L))
    o = np.argsort(L)
    return L[k] * L[i] + L[o[1]]
""",
    "copies": """
def f(x):
    L = [v * v for v in x]
    M = L.copy()
    M[0] = M[1] * 3.0
    N = np.copy(L)
    N[0] = 2.0
    return np.prod(M) + np.prod(L) + np.sum(N ** 2)
""",
    "sorted into an array, and in place": """
def f(x):
    L = [v * v for v in x]
    M = np.sort(L)
    L.sort()
    return M[0] * L[1] + np.sum(np.sort(L) * x)
""",
    "rows in comprehensions": """
def f(x):
    rows = [[v * w for v in x] for w in x]
    return sum([np.std(r) for r in rows]) + sum(np.prod(r) for r in rows)
""",
    "rows in a loop": """
def f(x):
    rows = [[v * w for v in x] for w in x]
    s = 0.0
    for r in rows:
        s = s + np.std(r) * np.max(r)
    return s + np.median(rows[1])
""",
    "lists of a dict": """
def f(x):
    d = {"a": [x[0], x[1]], "b": []}
    d["b"].append(x[2])
    d["b"].append(x[2] * x[0])
    return np.std(d["a"]) * np.prod(d["b"])
""",
    "the list of an object": """
class H:
    def __init__(self):
        self.log = []
    def add(self, v):
        self.log.append(v)
def f(x):
    h = H()
    for v in x:
        h.add(v * v)
    return np.std(h.log) + np.prod(h.log[1:])
""",
    "parts of a list": """
def f(x):
    L = [v * v for v in x]
    return np.std(L[-2:]) + np.prod(L[:2]) + np.median(L[::-1])
""",
    "coefficients": """
def f(x):
    c = [x[0], x[1] ** 2, x[2]]
    return np.polyval(c, 0.4) + np.sum(np.convolve(c, [1.0, -1.0])) + np.sum(np.polyval(c, x)) + np.cross(c, x)[0]
""",
    "masks and choices": """
def f(x):
    L = [v * v for v in x]
    m = np.greater(L, 0.2)
    y = np.sum(np.asarray(L) > 0.2) * x[0] + np.sum(np.select([m, ~m], [L, x]))
    return np.sum(np.where(m, L, x)) + np.sum(np.clip(L, 0.1, 0.4)) + y
""",
    "a list or an array": """
def f(x):
    L = [v * v for v in x]
    y = L if x[0] > 0.5 else x
    return np.prod(y)
""",
    "columns that grow": """
# s2s: x (3,)
def f(x):
    L = []
    for k in range(4):
        L.append(x ** k)
    V = np.column_stack(L)
    return np.sum(V @ np.array([1.0, 2.0, 0.5, 0.1])) + np.sum(V ** 2)
""",
    "the columns of an array": """
def f(x):
    L = list(x.T)
    return np.sum(L[0] * L[1] ** 2)
""",
    "parts of complex numbers": """
def f(x):
    z = x * (1.0 + 2.0j)
    L = list(z.imag)
    M = list(z.real)
    return L[0] * L[1] * M[2]
""",
}


@pytest.mark.parametrize("e", EXPRESSIONS.split("\n")[1:-1])
def test_lists_for_arrays(e: str) -> None:
    source = (
        f"{HEAD}# s2s: x (3,)\ndef f(x):\n    L = [v * v for v in x]\n    y = {e}\n    return np.sum(y ** 2) * 1.5\n"
    )
    found = checking.check(Program(source, (X,), ("x",), ("x",), True), ("value_and_grad", "jvp"), margin=0.0)
    assert found.kind == "right", found.detail


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    x: Any = np.array([[0.7, 0.2], [0.3, 0.5]]) if "columns of an" in name else X
    found = checking.check(Program(HEAD + PROGRAMS[name].lstrip(), (x,), ("x",), ("x",), True), ("grad", "vjp", "jvp"))
    assert found.kind == "right", found.detail


def test_lists_are_not_arrays() -> None:
    """L + M and n * L are lists, and what may be either is refused."""
    for e, code in (("2 * L", "S231"), ("x * L", "S231")):
        source = f"{HEAD}def f(x):\n    L = [v * v for v in x]\n    return np.sum(np.cumsum({e}))\n"
        with pytest.raises(S2SError, match=code):
            differentiate(source, Request(functions=("f",)))


def test_the_list_is_made_an_array_once() -> None:
    source = f"{HEAD}def f(x):\n    L = [v * v for v in x]\n    return np.dot(L, L)\n"
    text = differentiate(source, Request(functions=("f",), emit=("vjp",)))
    assert text.count("np.array(L)") == 1
