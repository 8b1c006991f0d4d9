"""Small programs on which a careless reverse sweep is silently wrong.

Each trap: a name, the source of a module with a function `f`, arguments for it (deterministic), and the arguments whose
final contents are outputs (`of`). A derivative is right when it agrees with central differences of f; the arguments
stay untouched.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from programs import Program

R = np.random.default_rng(7)
TRAPS: list[tuple[str, str, tuple[Any, ...], tuple[str, ...]]] = []


def vector(n: int = 5) -> Any:
    return R.standard_normal(n)


def matrix(m: int = 3, n: int = 4) -> Any:
    return R.standard_normal((m, n))


def trap(name: str, source: str, *args: Any, of: tuple[str, ...] = ()) -> None:
    TRAPS.append((name, source, args, of))


# ---------------------------------------------------------------- the first sixty
trap(
    "alias then store",
    """
import numpy as np


def f(x):
    y = np.zeros(5)
    z = y
    z[0] = x[0] ** 2
    z[1] = y[0] * x[1]
    return np.sum(y * x)
""",
    vector(),
)
trap(
    "write through a view",
    """
import numpy as np


def f(x):
    y = x * 2.0
    v = y[1:]
    v[0] = x[0] * x[1]
    return np.sum(y**2)
""",
    vector(),
)
trap(
    "view of view",
    """
import numpy as np


def f(x):
    y = x**2
    v = y[1:]
    w = v[::2]
    w[1] = x[2] * v[0]
    v[0] = w[1] * 2.0
    return np.sum(y * y)
""",
    vector(),
)
trap(
    "augmented slice",
    """
import numpy as np


def f(x):
    y = x * 1.5
    y[1:] += y[:-1] * x[1:]
    y[:2] *= x[:2]
    return np.sum(y**2)
""",
    vector(),
)
trap(
    "repeated index reads",
    """
import numpy as np


def f(x):
    return x[0] * x[0] * x[1] + x[0] / x[2]
""",
    vector(),
)
trap(
    "swap of buffers in a loop",
    """
import numpy as np


def f(x, n):
    A = x.copy()
    B = np.zeros(5)
    for k in range(n):
        B[1:-1] = A[:-2] * A[2:] + 0.3 * A[1:-1]
        A, B = B, A
    return np.sum(A**2) + B[2]
""",
    vector(),
    3,
)
trap(
    "swap by temporaries",
    """
import numpy as np


def f(x, n):
    A = x.copy()
    B = x * 2.0
    for k in range(n):
        B[1:] = A[1:] * A[:-1]
        t = A
        A = B
        B = t
    return np.sum(A * B)
""",
    vector(),
    4,
)
trap(
    "buffer in a list written later",
    """
import numpy as np


def f(x):
    A = x * 1.0
    L = []
    L.append(A)
    A[0] = x[1] * x[2]
    L[0][1] = A[0] ** 2
    return np.sum(A**2)
""",
    vector(),
)
trap(
    "buffers in a list, loop",
    """
import numpy as np


def f(x, n):
    L = []
    for k in range(n):
        b = x * (k + 1.0)
        L.append(b)
    for k in range(n):
        c = L[k]
        c[0] = c[1] * c[2]
    s = 0.0
    for k in range(n):
        s += np.sum(L[k] ** 2)
    return s
""",
    vector(),
    3,
)
trap(
    "buffer chosen by a branch",
    """
import numpy as np


def f(x, c):
    A = x * 2.0
    B = x * 3.0
    if c > 0.0:
        t = A
    else:
        t = B
    t[0] = x[1] ** 2 * c
    return np.sum(A * A * B)
""",
    vector(),
    0.7,
)
trap(
    "buffer chosen by ifexp",
    """
import numpy as np


def f(x, c):
    A = x * 2.0
    B = x * 3.0
    t = A if c > 0.0 else B
    t[1] = x[1] ** 2 * c
    return np.sum(A * A * B)
""",
    vector(),
    -0.7,
)
trap(
    "element overwritten, used nonlinearly",
    """
import numpy as np


def f(x, n):
    y = x.copy()
    for k in range(n):
        y[k + 1] = y[k] * y[k + 1] + np.sin(y[k])
    return np.sum(y**2)
""",
    vector(),
    4,
)
trap(
    "branch returning a constant",
    """
import numpy as np


def f(x, c):
    if c > 1.0:
        return 3.0
    return x * c
""",
    1.3,
    2.0,
)
trap(
    "branch assigning a constant",
    """
import numpy as np


def f(x, c):
    y = x * x
    if c > 1.0:
        y = 3.0
    return y * c
""",
    1.3,
    2.0,
)
trap(
    "before and after overwriting",
    """
import numpy as np


def f(x):
    y = x[0] * x[1]
    z = np.sin(y)
    y = y * z
    w = y**2 * z
    y = w * x[2]
    return y * z * w
""",
    vector(),
)
trap(
    "nested loops, reset inside",
    """
import numpy as np


def f(x, n):
    t = 0.0
    for i in range(n):
        s = 0.0
        for j in range(i):
            s = s + x[j] * s + x[i]
        t = t + s * s
    return t
""",
    vector(),
    4,
)
trap(
    "while, zero trips",
    """
import numpy as np


def f(x):
    y = x * x
    while y < 0.5:
        y = y * x + 1.0
    return y * x
""",
    1.7,
)
trap(
    "while, some trips",
    """
import numpy as np


def f(x):
    y = x * x
    while y < 50.0:
        y = y * y * x + 1.0
    return y * x
""",
    1.7,
)
trap(
    "break, live prefix",
    """
import numpy as np


def f(x, v):
    s = x
    p = 1.0
    for i in range(len(v)):
        p = s * v[i]
        s = s + p * p
        if s > 3.0:
            s = s * p
            break
        s = s * x
    return s * p
""",
    1.1,
    vector(6),
)
trap(
    "break, not taken",
    """
import numpy as np


def f(x, v):
    s = x
    p = 1.0
    for i in range(len(v)):
        p = s * v[i]
        if s > 3000.0:
            s = s * p
            break
        s = s * x + p
    return s * p
""",
    1.1,
    vector(6),
)
trap(
    "return inside nested loops",
    """
import numpy as np


def f(x, n):
    s = x[0]
    for i in range(n):
        for j in range(n):
            s = s * x[j] + x[i]
            if s > 4.0:
                return s * s * x[i]
        s = s + 1.0
    return s * x[1]
""",
    vector(4),
    4,
)
trap(
    "return nested, not taken",
    """
import numpy as np


def f(x, n):
    s = x[0]
    for i in range(n):
        for j in range(n):
            s = s * x[j] + x[i]
            if s > 1e9:
                return s * s * x[i]
        s = s + 1.0
    return s * x[1]
""",
    vector(4),
    3,
)
trap(
    "continue",
    """
import numpy as np


def f(x):
    s = 1.0
    for i in range(len(x)):
        if x[i] > 0.0:
            s = s + x[i] ** 2
            continue
        s = s * x[i] - 1.0
    return s * s
""",
    vector(6),
)
trap(
    "recursion",
    """
import numpy as np


def p(x, n):
    if n == 0:
        return 1.0
    return x * p(x, n - 1) + np.sin(x)


def f(x, n):
    return p(x, n) * x
""",
    1.2,
    4,
)
trap(
    "helper writing its argument",
    """
import numpy as np


def step(a, c):
    a[1:] = a[1:] * a[:-1] * c


def f(x, c, n):
    y = x.copy()
    for k in range(n):
        step(y, c)
    return np.sum(y**2)
""",
    vector(),
    1.3,
    3,
)
trap(
    "helper writes and returns",
    """
import numpy as np


def step(a, c):
    s = np.sum(a) * c
    a[0] = a[1] * s
    return s * s


def f(x, c):
    y = x * 2.0
    t = step(y, c)
    u = step(y, t)
    return np.sum(y**2) * u
""",
    vector(3),
    0.8,
)
trap(
    "x = x[::-1]",
    """
import numpy as np


def f(x, n):
    y = x * x
    for k in range(n):
        y = y[::-1]
        y = y * x
    return np.sum(y[1:] * x[:-1])
""",
    vector(),
    3,
)
trap(
    "x = x[::-1], written",
    """
import numpy as np


def f(x, n):
    y = x * x
    for k in range(n):
        y = y[::-1]
        y[0] = y[1] * y[0]
    return np.sum(y * x)
""",
    vector(),
    3,
)
trap(
    "shrinking array",
    """
import numpy as np


def f(x, n):
    y = x * 1.0
    for k in range(n):
        y = y[1:] * y[:-1] + y[1:]
    return np.sum(y**2)
""",
    vector(),
    3,
)
trap(
    "accumulator of lists",
    """
import numpy as np


def f(x):
    hs = []
    h = x[0]
    for k in range(len(x)):
        h = h * x[k] + np.sin(h)
        hs.append(h)
    s = 0.0
    for k in range(len(hs)):
        s += hs[k] * hs[-1]
    return s
""",
    vector(),
)
trap(
    "list of lists",
    """
import numpy as np


def f(x):
    rows = []
    for i in range(3):
        row = []
        for j in range(3):
            row.append(x[i] * x[j])
        rows.append(row)
    s = 0.0
    for i in range(3):
        r = rows[i]
        s += r[0] * r[2]
    return s
""",
    vector(),
)
trap(
    "row view in a loop",
    """
import numpy as np


def f(A):
    B = A * 1.0
    for i in range(2):
        row = B[i]
        row[0] = row[1] * row[2]
        nxt = B[i + 1]
        nxt += row * nxt
    return np.sum(B**2)
""",
    matrix(),
)
trap(
    "transposed view",
    """
import numpy as np


def f(A):
    B = A * 1.0
    C = B.T
    C[0] = C[1] * C[2]
    return np.sum(B**2)
""",
    matrix(),
)
trap(
    "local buffer per iteration",
    """
import numpy as np


def f(x, n):
    s = 0.0
    for k in range(n):
        w = np.zeros(5)
        w[1:] = x[1:] * x[:-1]
        w[0] = w[1] ** 2 + s
        s = s + np.sum(w * w)
    return s
""",
    vector(),
    3,
)
trap(
    "carried buffer by copy",
    """
import numpy as np


def f(x, n):
    A = x * 1.0
    for k in range(n):
        B = A.copy()
        B[1:] = A[1:] * A[:-1]
        A = B
    return np.sum(A**2)
""",
    vector(),
    3,
)
trap(
    "parameter rebound and written",
    """
import numpy as np


def f(x):
    y = x
    x = x * 2.0
    y[0] = x[1] * x[0]
    return np.sum(x * y)
""",
    vector(),
)
trap(
    "uniform adjoint broadcast",
    """
import numpy as np


def f(x, s):
    return np.sum(x + s)
""",
    vector(),
    0.3,
)
trap(
    "mean with a scalar",
    """
import numpy as np


def f(x, s):
    y = x * s + s
    return np.mean(y)
""",
    vector(),
    0.3,
)
trap(
    "dead name, other lives",
    """
import numpy as np


def f(x):
    t = x[0] ** 2
    y = t * x[1]
    t = x[1] ** 3
    y = y * t
    t = y * x[2]
    return y + t
""",
    vector(),
)
trap(
    "test name killed in branch",
    """
import numpy as np


def f(x, n):
    s = x
    for k in range(n):
        if s > 1.0:
            s = s * 0.5
            s = s * s
        else:
            s = s * s + x
        s = s + 0.1 * s * x
    return s
""",
    1.3,
    6,
)
trap(
    "array in test, stored",
    """
import numpy as np


def f(x, n):
    y = x.copy()
    for k in range(n):
        if y[k] > 0.0:
            y[k] = y[k] * y[k + 1]
        else:
            y[k + 1] = y[k] ** 2
    return np.sum(y * y)
""",
    vector(),
    4,
)
trap(
    "loop variable reused",
    """
import numpy as np


def f(x):
    s = 0.0
    for i in range(3):
        for i in range(2):
            s = s + x[i] ** 2 * s + x[i]
        s = s * x[i]
    return s
""",
    vector(),
)
trap(
    "bound changed in the body",
    """
import numpy as np


def f(x):
    n = 2
    s = x
    for i in range(n):
        n = n + 1
        s = s * s + x
        for j in range(n):
            s = s * 0.9 + x * j
    return s * s
""",
    0.4,
)
trap(
    "temporary live after the loop",
    """
import numpy as np


def f(x):
    t = 0.0
    for i in range(len(x)):
        t = x[i] * x[i] * (t + 1.0)
        u = t * x[i]
    return t * u
""",
    vector(),
)
trap(
    "conditionally defined carried",
    """
import numpy as np


def f(x):
    s = 0.0
    for i in range(len(x)):
        if i > 0:
            s = s + t * t * x[i]
        t = x[i] * 2.0
    return s
""",
    vector(),
)
trap(
    "scalar slot swap",
    """
import numpy as np


def f(x):
    y = x * 1.0
    y[0], y[1] = y[1] * y[2], y[0]
    return np.sum(y**2 * x)
""",
    vector(),
)
trap(
    "list slot overwritten",
    """
import numpy as np


def f(x):
    L = [x[0], x[1]]
    L[0] = L[0] * L[1]
    L[1] = L[0] * L[1]
    return L[0] * L[1]
""",
    vector(),
)
trap(
    "list param",
    """
import numpy as np


def f(L, c):
    s = 0.0
    for k in range(len(L)):
        s = s * c + np.sum(L[k] ** 2)
    return s
""",
    [vector(3), vector(3)],
    0.6,
)
trap(
    "store of a broadcast scalar",
    """
import numpy as np


def f(x, s):
    y = x * 1.0
    y[1:3] = s * s
    y[3:] *= s
    return np.sum(y**2)
""",
    vector(),
    0.6,
)
trap(
    "while with break, flags",
    """
import numpy as np


def f(x):
    s = x
    k = 0
    while s < 100.0:
        k = k + 1
        t = s * x
        if k > 5:
            s = t * t
            break
        s = s + t * t * 0.1
    return s * t
""",
    1.2,
)
trap(
    "procedure",
    """
import numpy as np


def f(a, b, n):
    for k in range(n):
        a[1:] = a[1:] * b[:-1]
        b[0] = np.sum(a)
""",
    vector(),
    vector(),
    3,
    of=("a", "b"),
)
trap(
    "procedure and result, swap inside",
    """
import numpy as np


def f(a, n):
    b = a * 0.5
    for k in range(n):
        b[1:] = a[1:] * a[:-1]
        a, b = b, a
    return np.sum(a * b)
""",
    vector(),
    3,
    of=("a",),
)
trap(
    "in-place on parameter alias",
    """
import numpy as np


def f(x):
    y = x
    y += x * y
    return np.sum(x**2)
""",
    vector(),
)
trap(
    "matmul chain in loop",
    """
import numpy as np


def f(W, x, n):
    h = x
    for k in range(n):
        h = np.tanh(W @ h)
    return np.sum(h**2)
""",
    matrix(3, 3),
    vector(3),
    3,
)
trap(
    "exp overwriting its operand",
    """
import numpy as np


def f(x, n):
    for k in range(n):
        x = np.exp(-x * x)
    return np.sum(x)
""",
    vector(),
    3,
)
trap(
    "helper in branch in loop",
    """
import numpy as np


def h(a, b):
    if a > b:
        return a * b
    return a + b * b


def f(x, n):
    s = x
    for k in range(n):
        if k > 1:
            s = h(s, x)
        s = s * 0.7
    return s
""",
    1.4,
    5,
)
trap(
    "self update lends its adjoint",
    """
import numpy as np


def f(x, n):
    y = x * x
    z = x * 3.0
    for k in range(n):
        w = y * x
        z = z + w
        y = y + z
        z = z * x
    return np.sum(y * z)
""",
    vector(),
    3,
)
trap(
    "sum of two, both updated",
    """
import numpy as np


def f(x):
    a = x * x
    b = x * 2.0
    p = a * b
    q = a + b
    a2 = q + p
    return np.sum(a2 * q) + np.sum(p * a)
""",
    vector(),
)
trap(
    "views of a borrowed adjoint",
    """
import numpy as np


def f(A):
    B = A * A
    C = B.T
    D = C + 1.0
    E = D.T * B
    return np.sum(E * A) + np.sum(B)
""",
    matrix(),
)
trap(
    "shadow lent to a value",
    """
import numpy as np


def f(x, n):
    y = x * x
    s = 0.0
    for k in range(n):
        c = y.copy()
        y[0] = y[1] * y[2]
        d = c * x
        s = s + np.sum(d * c)
    return s + np.sum(y)
""",
    vector(),
    3,
)


# ---------------------------------------------------------------- views: what is a view, and what is a copy


def body(text: str) -> str:
    """A module with `f(x)` that works on `y`, a copy of x, and ends in a nonlinear sum of both."""
    lines = "\n".join("    " + line for line in text.strip().splitlines())
    return f"import numpy as np\n\n\ndef f(x):\n    y = x * 1.5\n{lines}\n    return np.sum(y**2 * np.cos(x))\n"


def on(name: str, text: str, *args: Any) -> None:
    trap(name, body(text), *args)


on(
    "identity, alias, store",
    """
z = y
z[0] = z[0] * z[1]
""",
    vector(),
)
on(
    "whole slice is a view",
    """
z = y[:]
z[1] = x[0] * z[0]
""",
    vector(),
)
on(
    "ellipsis is a view",
    """
z = y[...]
z[1] = x[0] * z[0]
""",
    vector(),
)
on(
    "reversed view, written",
    """
z = y[::-1]
z[0] = x[0] * z[1]
z[1:3] *= x[:2]
""",
    vector(),
)
on(
    "strided view, written",
    """
z = y[1::2]
z += x[:2] * z
""",
    vector(),
)
on("negative step store", "y[::-2] = x[:3] * y[:3]", vector())
on(
    "integer index is a copy",
    """
z = y[[0, 2]]
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "boolean index is a copy",
    """
z = y[y > -9.0]
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "take is a copy",
    """
z = np.take(y, [0, 2])
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "element is a number",
    """
z = y[0]
z = z * x[1]
z += x[2]
y[1] = z * y[0]
""",
    vector(),
)
on(
    "positive is a copy",
    """
z = +y
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "np.array is a copy",
    """
z = np.array(y)
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "asarray is an alias",
    """
z = np.asarray(y)
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "atleast_1d is an alias",
    """
z = np.atleast_1d(y)
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "atleast_2d is a view",
    """
z = np.atleast_2d(y)
z[0, 0] = x[1] * 9.0
y[1] = z[0, 1] * z[0, 0]
""",
    vector(),
)
on(
    "newaxis is a view",
    """
z = y[:, None]
z[2] = x[1] * z[0]
""",
    vector(),
)
on(
    "expand_dims is a view",
    """
z = np.expand_dims(y, 0)
z[0, 2] = x[1] * z[0, 0]
""",
    vector(),
)
on(
    "squeeze is a view",
    """
z = np.squeeze(y[None, :])
z[2] = x[1] * z[0]
""",
    vector(),
)
on(
    "reshape is a view",
    """
z = y.reshape(2, 3)
z[1] = z[0] * x[:3]
y[0] = z[1, 1]
""",
    vector(6),
)
on(
    "np.reshape is a view",
    """
z = np.reshape(y, (3, 2))
z[:, 1] = z[:, 0] * x[:3]
""",
    vector(6),
)
on(
    "ravel is a view",
    """
z = y.ravel()
z[1:4] *= x[0, 0]
""",
    matrix(2, 3),
)
on(
    "reshape(-1) is a view",
    """
z = y.reshape(-1)
z[1:4] *= x[0, 0]
""",
    matrix(2, 3),
)
on(
    "flatten is a copy",
    """
z = y.flatten()
z[1:4] *= x[0, 0]
y[0] = z[:3] * y[1]
""",
    matrix(2, 3),
)
on(
    "ravel of a transpose is a copy",
    """
z = y.T.ravel()
z[1:4] *= x[0, 0]
y[0] = z[:3] * y[1]
""",
    matrix(2, 3),
)
on(
    "reshape of a slice is a copy",
    """
z = y[:, 1:].reshape(-1)
z[1:3] *= x[0, 0]
y[0, :2] = z[:2] * y[1, :2]
""",
    matrix(2, 3),
)
on(
    "transposed and copied",
    """
z = y.T.copy()
z[0] *= x[0, 0]
y[0] = z[:, 1] * y[1]
""",
    matrix(3, 3),
)
on(
    "transpose twice",
    """
z = y.T
w = z.T
w[0] = z[1] * x[0]
""",
    matrix(3, 3),
)
on(
    "swapaxes is a view",
    """
z = np.swapaxes(y, 0, 1)
z[0] = z[1] * x[:, 0]
""",
    matrix(3, 3),
)
on(
    "moveaxis is a view",
    """
z = np.moveaxis(y, 0, 1)
z[0] = z[1] * x[:, 0]
""",
    matrix(3, 3),
)
on(
    "column view",
    """
c = y[:, 1]
c *= y[:, 0]
y[:, 2] = c * x[:, 1]
""",
    matrix(3, 3),
)
on(
    "block view",
    """
b = y[1:, :2]
b[...] = b * x[:2, :2]
b[0] += y[0, 1:]
""",
    matrix(3, 3),
)
on(
    "row of a row of a transpose",
    """
z = y.T[1:]
w = z[0]
w[1] = x[0, 0] * w[0]
""",
    matrix(3, 3),
)
on(
    "split gives views",
    """
a, b = np.split(y, 2)
a[0] = b[1] * x[0]
b *= a
""",
    vector(6),
)
on(
    "rows unpacked are views",
    """
a, b = y
a[0] = b[1] * x[0, 0]
b *= a
""",
    matrix(2, 3),
)
on(
    "slices unpacked are views",
    """
a, b = y[:2], y[1:3]
a[1] = b[1] * x[0]
b *= a
""",
    vector(),
)
on(
    "loop over rows writes them",
    """
for row in y:
    row[0] = row[1] * row[2]
    row *= x[0]
""",
    matrix(3, 3),
)
on(
    "enumerate rows writes them",
    """
for i, row in enumerate(y):
    row[i] = row[i] * x[i, 0]
""",
    matrix(3, 3),
)
on(
    "zip of rows writes them",
    """
for p, q in zip(y, x):
    p[1:] *= q[:-1]
""",
    matrix(3, 3),
)
on(
    "rows reversed",
    """
for row in y[::-1]:
    row[0] = row[1] * y[0, 0]
""",
    matrix(3, 3),
)
on(
    "astype is a copy",
    """
z = y.astype(float)
z[0] = x[1] * 9.0
y[1] = z[1] * z[0]
""",
    vector(),
)
on(
    "view chosen by ifexp",
    """
v = y[0] if x[0, 0] > 0.0 else y[1]
v *= x[2]
v[0] += y[0, 1]
""",
    matrix(3, 3),
)
on(
    "view kept over a store",
    """
v = y[1:]
y[2] = v[0] * x[0]
w = v[1] * v[2]
y[0] = w * v[0]
""",
    vector(),
)
on(
    "view of a rebound name",
    """
v = y[1:]
y = y * x
v[0] = 3.0 * x[0]
y[0] += v[0] * v[1]
""",
    vector(),
)
on(
    "diagonal by indices",
    """
i = np.arange(3)
y[i, i] = x[i, 0] * y[0, i]
""",
    matrix(3, 3),
)
on(
    "real is an alias",
    """
z = y.real
z[0] = x[1] * z[1]
""",
    vector(),
)

# ---------------------------------------------------------------- overlap: the right-hand side is read first

on("shift right", "y[1:] = y[:-1]", vector())
on("shift left, times itself", "y[:-1] = y[1:] * y[:-1]", vector())
on("reverse in place", "y[:] = y[::-1] * x", vector())
on("reversed into the reverse", "y[::-1] = y * x", vector())
on("add its transpose", "y += y.T * x", matrix(3, 3))
on(
    "add its shift",
    """
y[1:] += y[:-1]
y[:-1] *= y[1:]
""",
    vector(),
)
on("subtract its first row", "y -= y[0] * x", matrix(3, 3))
on("divide by its element", "y /= y[0] + 3.0", vector())
on("element divided by itself", "y[1] /= y[1] ** 2 + x[0]", vector())
on(
    "power in place",
    """
y[1:3] **= 2
y **= 3
""",
    vector(),
)
on("element power", "y[0] **= 3", vector())
on(
    "modulo in place",
    """
y[1] %= 1.7
y[2:] %= 2.3
""",
    vector(),
)
on("matmul in place", "y @= x", matrix(3, 3))
on("product of two elements into both", "y[0], y[1] = y[0] * y[1], y[0] + y[1]", vector())
on("chained targets", "y[0] = y[1] = y[2] * x[0]", vector())
on("chained overlapping targets", "y[1:, 0] = y[0, 1:] = y[0, :-1] * x[0, 1:]", matrix(3, 3))
on(
    "chained name and element",
    """
z = y[0] = y[2] * x[0]
y[1] = z * z
""",
    vector(),
)
on(
    "swap of two rows through copies",
    """
t = y[0].copy()
y[0] = y[1]
y[1] = t
""",
    matrix(3, 3),
)
on("swap of two rows by fancy index", "y[[0, 1]] = y[[1, 0]] * x[:2]", matrix(3, 3))
on("wrong swap of rows", "y[0], y[1] = y[1], y[0]", matrix(3, 3))  # both rows are views: the first is overwritten
on("swap of slices", "y[:2], y[2:4] = y[2:4] * x[0], y[:2].copy()", vector())
on("rotation of elements", "y[0], y[1], y[2] = y[1], y[2], y[0] * x[0]", vector())
on(
    "index changed by the same statement",
    """
i = 0
i, y[i] = 2, x[1] * y[2]
""",
    vector(),
)

# ---------------------------------------------------------------- stores by broadcast, by index, by mask

on(
    "scalar to a slice",
    """
s = x[0] * x[1]
y[1:4] = s
y[4:] += s
""",
    vector(),
)
on("scalar to all", "y[...] = x[0] * x[1]", vector())
on("row to all rows", "y[:] = x[0] * y[1]", matrix(3, 4))
on("column to all columns", "y[:] = x[:, :1] * y[:, 1:2]", matrix(3, 4))
on("one-row block", "y[1:] += y[:1] * x[1:]", matrix(3, 4))
on("length one to a slice", "y[1:4] = x[:1] * y[2:3]", vector())
on(
    "scalar times a row",
    """
y[0] *= y[1, 1]
y[:, 0] += x[0, 0]
""",
    matrix(3, 4),
)
on(
    "nothing stored",
    """
y[3:3] = x[3:3] * 2.0
y[0] = y[1] * x[0]
""",
    vector(),
)
on(
    "integer array store",
    """
i = np.array([3, 0])
y[i] = x[1:3] * y[1:3]
""",
    vector(),
)
on(
    "integer array augmented",
    """
i = np.array([3, 0])
y[i] *= x[1:3]
""",
    vector(),
)
on(
    "repeated index, last wins",
    """
i = np.array([0, 2, 0])
y[i] = x[1:4] * 2.0
""",
    vector(),
)
on(
    "repeated index, augmented once",
    """
i = np.array([0, 2, 0])
y[i] += x[1:4] * 2.0
""",
    vector(),
)
on(
    "repeated index, augmented product",
    """
i = np.array([0, 2, 0])
y[i] *= x[1:4]
""",
    vector(),
)
on(
    "repeated index read",
    """
i = np.array([0, 2, 0, 0])
y = y[i] * x[:4]
x = x[i]
""",
    vector(),
)
on(
    "repeated rows",
    """
i = [0, 2, 0]
y[i] = x * y[1]
""",
    matrix(3, 3),
)
on(
    "add.at with repeats",
    """
i = np.array([0, 2, 0])
np.add.at(y, i, x[1:4] * y[1:4])
""",
    vector(),
)
on(
    "subtract.at with repeats",
    """
i = np.array([0, 2, 0])
np.subtract.at(y, i, x[1:4] * y[1:4])
""",
    vector(),
)
on(
    "add.at a scalar",
    """
i = np.array([0, 2, 0])
np.add.at(y, i, x[0])
""",
    vector(),
)
on("add.at of pairs", "np.add.at(y, ([0, 1, 0], [2, 0, 2]), x[0])", matrix(3, 3))
on("pairs of indices", "y[[0, 1], [2, 0]] = x[0, :2] * y[1, :2]", matrix(3, 3))
on("ix_ block", "y[np.ix_([0, 2], [1, 2])] = x[:2, :2]", matrix(3, 3))
on("mask store", "y[y > 0.0] = x[0]", vector())
on(
    "mask store of values",
    """
m = x > 0.0
y[m] = x[m] * y[m]
""",
    vector(),
)
on(
    "mask augmented",
    """
y[x > 0.0] *= 3.0
y[x < 0.0] += x[x < 0.0]
""",
    vector(),
)
on("mask of its own contents", "y[y > 0.5] = y[y > 0.5] ** 1.5", vector())
on(
    "mask taken before a store",
    """
m = y > 0.0
y *= -1.0
y[m] *= x[m]
""",
    vector(),
)
on(
    "mask and its complement",
    """
m = y > 0.0
y[m] = 2.0 * x[m]
y[~m] = np.sin(x[~m])
""",
    vector(),
)
on(
    "mask without a hit",
    """
y[y > 99.0] = x[0] ** 2
y[0] *= x[1]
""",
    vector(),
)
on(
    "mask of rows",
    """
m = x[:, 0] > 0.0
y[m] = x[m] * y[m]
y[~m] *= 2.0
""",
    matrix(3, 4),
)
on("mask of a matrix", "y[y < 0.0] = x[0, 0]", matrix(3, 4))
on(
    "mask by where",
    """
i = np.where(x > 0.0)[0]
y[i] *= x[i]
""",
    vector(),
)
on(
    "fill with a number",
    """
y.fill(0.3)
y[0] = x[0] * y[1]
""",
    vector(),
)
on("fill with an active value", "y[1:].fill(x[0] * x[1])", vector())
on("copyto", "np.copyto(y, x * x[0])", vector())
on("copyto a view", "np.copyto(y[1:], x[:-1] * y[:-1])", vector())
on("copyto where", "np.copyto(y, x * x[0], where=x > 0.0)", vector())
on("out of a product", "np.multiply(y, x, out=y)", vector())
on(
    "out of an exponential",
    """
np.exp(y, out=y)
y *= x
""",
    vector(),
)
on(
    "out, positional",
    """
np.multiply(y, x, y)
np.add(y, 1.0, y)
""",
    vector(),
)
on("out into a view", "np.multiply(y[1:], x[:-1], out=y[:-1])", vector())
on(
    "out and its result",
    """
z = np.multiply(y, x, out=y)
z[0] = x[0] ** 2
""",
    vector(),
)
on("out of a maximum", "np.maximum(y, 0.1, out=y)", vector())
on(
    "out of clip",
    """
np.clip(y, -0.5, 0.5, out=y)
y += x * y
""",
    vector(),
)
on(
    "out of a matmul",
    """
z = np.empty(3)
np.dot(x, y[0], out=z)
y[1] = z * z
""",
    matrix(3, 3),
)
on(
    "out of a sum",
    """
z = np.zeros(3)
np.sum(y * x, axis=0, out=z)
y[1] = z * z
""",
    matrix(3, 3),
)
on("sort in place", "y.sort()", vector())
on(
    "sort a view",
    """
y[1:4].sort()
y[2] *= x[0]
""",
    vector(),
)
on("sort each column", "y.sort(axis=0)", matrix(3, 4))
on("fill the diagonal", "np.fill_diagonal(y, x[0, 0] * x[1, 1])", matrix(3, 3))
on("put", "np.put(y, [0, 3], x[1:3] * y[1:3])", vector())
on(
    "augmented ellipsis",
    """
y[...] += x * y
y[..., 0] = x[..., 1]
""",
    matrix(3, 4),
)
on(
    "negative index",
    """
y[-1] = y[-2] * x[-3]
y[-3:] *= x[-1]
""",
    vector(),
)
on(
    "tuple key",
    """
k = (0, 1)
y[k] = x[1, 1] * y[1, 0]
""",
    matrix(3, 3),
)
on(
    "slice object",
    """
k = slice(1, 3)
y[k] = x[k] * y[k]
""",
    vector(),
)

# ---------------------------------------------------------------- whole-array updates, and who else sees them

on(
    "update of an alias",
    """
z = y
y += x * x
y = y * z
""",
    vector(),
)
on(
    "update after a rebinding",
    """
z = y
y = y + x
y *= z
z *= 2.0
y += z
""",
    vector(),
)
on(
    "update of a view in a loop",
    """
for k in range(3):
    v = y[k:]
    v *= x[k:]
""",
    vector(),
)
on(
    "zero-dimensional buffer",
    """
s = np.array(0.0)
for k in range(3):
    s += x[k] * s + x[k] ** 2
y = y * s
""",
    vector(),
)
on(
    "zero-dimensional alias",
    """
s = np.array(1.0)
t = s
s += x[0]
y = y * t
""",
    vector(),
)
on(
    "scalar is rebound",
    """
s = x[0]
t = s
s += x[1]
y = y * t + s
""",
    vector(),
)
on(
    "list grows in place",
    """
L = [x[0]]
M = L
L += [x[1] * x[2]]
y = y * M[1] + M[0]
""",
    vector(),
)
on(
    "inactive buffer becomes active",
    """
z = np.ones(5)
z[1] = 2.0
w = z * 3.0
z[2] = x[0] * x[1]
y = y * z + w
""",
    vector(),
)
on(
    "active buffer becomes inactive",
    """
y[0] = x[0] ** 2
y[:] = 1.5
y[1] = x[2]
""",
    vector(),
)
on(
    "buffer of integers truncates",
    """
z = np.zeros(5, dtype=int)
z[0] = 7.9 + 0.0 * x[0]
z[1] = 3
y = y * z
""",
    vector(),
)
on(
    "arange is of integers",
    """
z = np.arange(5)
z[1] = 4.7 * np.cos(0.01 * x[0])
y = y * z
""",
    vector(),
)
on(
    "float buffer like an array",
    """
z = np.empty_like(y)
for k in range(5):
    z[k] = x[k] * y[k]
y = z
""",
    vector(),
)
on(
    "full of an active value",
    """
z = np.full(5, x[0])
z[1] = x[1]
y = y * z
""",
    vector(),
)
on(
    "ones like, scaled",
    """
z = np.ones_like(x)
z *= x[0]
z[1:] *= z[:-1]
y = y * z
""",
    vector(),
)
on(
    "buffer used, then refilled",
    """
z = np.zeros(5)
for k in range(3):
    z[:] = x * (k + 1.0)
    y = y + z**2
""",
    vector(),
)
on(
    "buffer refilled from itself",
    """
z = x.copy()
for k in range(3):
    z[:] = np.sin(z) * x
    y = y + z**2
""",
    vector(),
)

# ---------------------------------------------------------------- containers of buffers

on(
    "list of views",
    """
L = [y[i] for i in range(3)]
L[1][0] = x[0, 0] * L[0][1]
""",
    matrix(3, 3),
)
on(
    "list twice the same",
    """
L = [np.zeros(5)] * 2
L[0][0] = x[0] ** 2
y = y * L[1] + L[0]
""",
    vector(),
)
on(
    "history of one buffer",
    """
hs = []
for k in range(3):
    y *= x
    hs.append(y)
y = hs[0] * hs[2]
""",
    vector(),
)
on(
    "history of copies",
    """
hs = []
for k in range(3):
    y *= x
    hs.append(y.copy())
y = hs[0] * hs[2]
""",
    vector(),
)
on(
    "tuple of buffers",
    """
z = x * 2.0
t = (y, z)
t[0][1] = t[1][0] * x[2]
z[0] = y[1]
y = y * z
""",
    vector(),
)
on(
    "dict of buffers",
    """
d = {"a": y, "b": x * 2.0}
d["a"][1] = d["b"][0] ** 2
d["b"][0] = y[1]
y = y * d["b"]
""",
    vector(),
)
on(
    "list slot replaced",
    """
L = [y, y * 2.0]
L[0] = x * 3.0
L[0][1] = x[0] ** 2
y = L[0] * L[1]
""",
    vector(),
)
on(
    "list swapped",
    """
L = [y, y * 2.0]
L[0], L[1] = L[1], L[0]
L[0][1] = x[0] ** 2
y = L[0] - L[1]
""",
    vector(),
)
on(
    "loop over buffers",
    """
z = y * 2.0
for b in [y, z, y]:
    b[0] = b[1] * x[0]
    b *= x
y = y * z
""",
    vector(),
)
on(
    "popped buffer",
    """
L = [y * 1.0, y * 2.0]
b = L.pop()
b[0] = x[0] ** 2
L[0][1] = b[0]
y = L[0] * b
""",
    vector(),
)
on(
    "rows stored into a table",
    """
T = np.zeros((4, 5))
for k in range(3):
    T[k + 1] = np.sin(T[k]) + x * y
y = T[3] * T[1]
""",
    vector(),
)
on(
    "table row is a copy of the state",
    """
T = np.zeros((3, 5))
for k in range(3):
    T[k] = y
    y *= x
y = T[0] * T[2]
""",
    vector(),
)

# ---------------------------------------------------------------- loops, branches and exits around stores

on(
    "element loop",
    """
for k in range(1, 5):
    y[k] = y[k] + y[k - 1] * x[k]
""",
    vector(),
)
on(
    "element loop backwards",
    """
for k in range(3, -1, -1):
    y[k] -= y[k + 1] * x[k]
""",
    vector(),
)
on(
    "loop without a trip",
    """
n = 0
for k in range(n):
    y[k] = x[k] ** 3
    y *= 2.0
""",
    vector(),
)
on(
    "inner loop without a trip",
    """
for i in range(3):
    for j in range(i):
        y[j] = y[i] * x[j]
""",
    vector(),
)
on(
    "break around a store",
    """
for k in range(4):
    y[k] *= x[k]
    if k > 1:
        break
    y[k + 1] += y[k] ** 2
""",
    vector(),
)
on(
    "break on the contents",
    """
for k in range(4):
    if y[k] > 0.4:
        y[k] = x[0] ** 2
        break
    y[k + 1] *= y[k]
""",
    vector(),
)
on(
    "continue around a store",
    """
for k in range(4):
    y[k] *= x[k]
    if y[k] < 0.0:
        continue
    y[k + 1] += y[k] ** 2
""",
    vector(),
)
on(
    "return between stores",
    """
y[0] = x[1] ** 2
if y[0] > 0.0:
    y[1] *= y[0]
    return np.sum(y * x)
y[2] = 3.0
""",
    vector(),
)
on(
    "return in a loop of stores",
    """
for k in range(4):
    y[k] = y[k + 1] * x[k]
    if k == 2:
        return np.sum(y**2)
""",
    vector(),
)
on(
    "while with a stored test",
    """
k = 0
while k < 4 and np.abs(y[0]) > 0.2:
    y *= 0.6
    y[1] += x[1] * y[0]
    k += 1
""",
    vector(),
)
on(
    "while, no trip, stores",
    """
while y[0] > 99.0:
    y[0] = y[0] * x[0]
y[1] *= y[0]
""",
    vector(),
)
on(
    "branch stores or not",
    """
if x[0] > 0.0:
    y[0] = x[1] * y[1]
else:
    y = x * 1.0
    y[1] = x[0] ** 2
""",
    vector(),
)
on(
    "branch on the overwritten",
    """
if y[0] > 0.0:
    y[0] = -y[0] * x[1]
else:
    y[0] = y[0] * x[2]
if y[0] > 0.0:
    y[1] *= y[0]
""",
    vector(),
)
on(
    "buffer or copy",
    """
z = y
if x[0] > 0.0:
    z = y.copy()
z[0] = x[1] ** 2
y[1] += z[0] * z[1]
""",
    vector(),
)
on(
    "buffer or copy, the other way",
    """
z = y
if x[0] < 0.0:
    z = y.copy()
z[0] = x[1] ** 2
y[1] += z[0] * z[1]
""",
    vector(),
)
on(
    "alias in the second trip only",
    """
z = x * 1.0
for k in range(3):
    z[k] = y[k] * z[k + 1]
    z = y
""",
    vector(),
)
on(
    "three buffers rotate",
    """
a, b, c = y, y * 2.0, y * 3.0
for k in range(4):
    c[1:] = a[:-1] * b[1:]
    a, b, c = b, c, a
y = a + b * c
""",
    vector(),
)
on(
    "minimum by <=",
    """
m = y[0]
for k in range(1, 5):
    if y[k] <= m:
        m = y[k]
y[0] = m * m
""",
    vector(),
)
on(
    "minimum kept in a buffer",
    """
m = np.full(2, 9.0)
for k in range(5):
    if y[k] <= m[0]:
        m[0] = y[k]
        m[1] = x[k]
y[0] = m[0] * m[1]
""",
    vector(),
)
on(
    "insertion sort",
    """
for i in range(1, 5):
    j = i
    while j > 0 and y[j - 1] > y[j]:
        y[j - 1], y[j] = y[j], y[j - 1]
        j -= 1
y[1] *= y[0]
""",
    vector(),
)
on(
    "overwritten by a constant",
    """
y[1] = x[1] ** 3
y[1] = 0.0
y[2:] = 1.0
y[0] *= y[1] + y[3]
""",
    vector(),
)
on("logaddexp at a tie", "y[0] = np.logaddexp(y[1], y[1] + 0.0 * x[2])", vector())
on(
    "time steps with a stencil",
    """
for k in range(3):
    y[1:-1] = y[1:-1] - 0.1 * y[1:-1] * (y[1:-1] - y[:-2])
    y[0] = y[-1]
""",
    vector(6),
)
on(
    "two stencils, one buffer",
    """
z = y.copy()
for k in range(3):
    z[1:-1] = y[1:-1] + 0.2 * (y[2:] * y[:-2])
    y[:] = z
""",
    vector(6),
)
on(
    "Gauss-Seidel",
    """
for k in range(2):
    for i in range(1, 4):
        y[i] = 0.3 * (y[i - 1] * y[i + 1] + x[i])
""",
    vector(),
)
on(
    "cumulative product by hand",
    """
c = np.empty(5)
c[0] = y[0]
for i in range(1, 5):
    c[i] = c[i - 1] * y[i]
y = c
""",
    vector(),
)
on(
    "Cholesky by hand",
    """
y = x @ x.T + 3.0 * np.eye(3)
for i in range(3):
    for j in range(i):
        y[i, j] = (y[i, j] - y[i, :j] @ y[j, :j]) / y[j, j]
    y[i, i] = np.sqrt(y[i, i] - y[i, :i] @ y[i, :i])
""",
    matrix(3, 3),
)
on(
    "forward substitution",
    """
z = np.zeros(3)
for i in range(3):
    z[i] = (x[i, 0] - y[i, :i] @ z[:i]) / (3.0 + y[i, i] ** 2)
y[0] = z
""",
    matrix(3, 3),
)
on(
    "Gram-Schmidt",
    """
for k in range(3):
    y[:, k] /= np.sqrt(y[:, k] @ y[:, k])
    for j in range(k + 1, 3):
        y[:, j] -= y[:, k] * (y[:, k] @ y[:, j])
""",
    matrix(4, 3),
)

# ---------------------------------------------------------------- helpers

HELPERS = """
import numpy as np


def scale(a, c):
    a *= c


def head(a):
    return a[:2]


def same(a):
    return a


def push(a, b):
    a[1:] += b[:-1] * a[:-1]
    return a


def both(a, b):
    a[0] = b[1] * a[1]
    b[0] = a[0] * b[2]


def total(a):
    s = 0.0
    for k in range(len(a)):
        s = s * a[k] + a[k]
    return s


def table(v, n):
    T = np.zeros((n, 3))
    for k in range(n):
        T[k] = v[:3] * (k + 1.0)
    return T


def advance(u, dt, n):
    if n == 0:
        return u
    for k in range(n):
        u[1:] = u[1:] - dt * u[1:] * u[:-1]
        if u[0] > 90.0:
            return u
    return u
"""


def calling(name: str, text: str, *args: Any) -> None:
    trap(name, HELPERS + body(text).removeprefix("import numpy as np\n"), *args)


calling("helper writes a view", "scale(y[1:3], x[0])", vector())
calling(
    "helper writes twice",
    """
scale(y, x[0])
scale(y, x[1])
""",
    vector(),
)
calling(
    "helper writes in a loop",
    """
for k in range(3):
    scale(y[k:], x[k])
""",
    vector(),
)
calling(
    "helper writes a row",
    """
for i in range(3):
    scale(y[i], x[i, 0])
""",
    matrix(3, 3),
)
calling(
    "helper writes in a branch",
    """
if x[0] > 0.0:
    scale(y, x[0])
else:
    scale(y[1:], x[1])
""",
    vector(),
)
calling(
    "helper returns a view",
    """
h = head(y)
h[0] = x[1] * h[1]
""",
    vector(),
)
calling(
    "helper returns its argument",
    """
z = same(y)
z[0] = x[1] * z[1]
""",
    vector(),
)
calling(
    "helper writes and returns its argument",
    """
z = push(y, x)
z[0] = x[1] * y[1]
""",
    vector(),
)
calling("the same buffer twice", "both(y, y)", vector())
calling("overlapping views", "both(y[:3], y[1:])", vector())
calling(
    "disjoint views",
    """
both(y[:2], x * 1.0)
both(y[2:], x * 2.0)
""",
    vector(),
)
calling(
    "helper only reads a buffer",
    """
s = total(y)
y[0] = s
y *= total(y[1:])
""",
    vector(),
)
calling(
    "helper makes a buffer",
    """
T = table(y, 2)
T[0] *= T[1]
y[0] = np.sum(T**2)
""",
    vector(),
)
calling(
    "helper with exits writes",
    """
advance(y, x[0], 3)
z = advance(y, x[1], 0)
z[1] *= x[1]
""",
    vector(),
)
calling("result and effect", "y[0] = total(push(y, x)) * y[2]", 0.2 * vector())

# ---------------------------------------------------------------- procedures


def procedure(name: str, text: str, *args: Any, of: tuple[str, ...]) -> None:
    trap(name, "import numpy as np\n\n\n" + text.strip() + "\n", *args, of=of)


procedure(
    "procedure, one array",
    """
def f(a, s):
    a[0] = s * a[1]
    a *= a
""",
    vector(),
    0.7,
    of=("a",),
)
procedure(
    "procedure, nothing written",
    """
def f(a, b):
    b[0] = a[0] ** 2
""",
    vector(),
    vector(),
    of=("a", "b"),
)
procedure(
    "procedure, one of two",
    """
def f(a, b):
    b *= a
    a[0] = b[1] ** 2
""",
    vector(),
    vector(),
    of=("b",),
)
procedure(
    "procedure, all overwritten",
    """
def f(a, b):
    b[:] = a * a
""",
    vector(),
    vector(),
    of=("b",),
)
procedure(
    "procedure, rebound",
    """
def f(a):
    a[0] = a[1] ** 2
    a = a * 2.0
    a[1] = 3.0
""",
    vector(),
    of=("a",),
)
procedure(
    "procedure, returns",
    """
def f(a):
    a[0] = a[1] ** 2
    return np.sum(a**2)
""",
    vector(),
    of=("a",),
)
procedure(
    "procedure, returns what it wrote",
    """
def f(a):
    a[0] = a[1] ** 2
    return a
""",
    vector(),
    of=("a",),
)
procedure(
    "procedure, returns a view",
    """
def f(a):
    a[0] = a[1] ** 2
    return a[1:]
""",
    vector(),
    of=("a",),
)
procedure(
    "procedure, returns an array",
    """
def f(a, b):
    a *= b
    return a * b
""",
    vector(),
    vector(),
    of=("a",),
)
procedure(
    "procedure, returns early",
    """
def f(a, n):
    for k in range(n):
        a[k] *= a[k + 1]
        if k == 1:
            return
    a[0] = 3.0
""",
    vector(),
    3,
    of=("a",),
)
procedure(
    "procedure, two buffers swap",
    """
def f(a, b, n):
    for k in range(n):
        b[1:] = a[1:] * a[:-1]
        a, b = b, a
""",
    vector(),
    vector(),
    3,
    of=("a", "b"),
)
procedure(
    "procedure, zero trips",
    """
def f(a, n):
    for k in range(n):
        a *= a
""",
    vector(),
    0,
    of=("a",),
)
procedure(
    "procedure, view of a parameter",
    """
def f(a):
    v = a[1:]
    v *= a[:-1]
    a.T[0] = 2.0 * a[1]
""",
    vector(),
    of=("a",),
)
procedure(
    "procedure, matrix",
    """
def f(A, b):
    for i in range(3):
        b[i] -= A[i, :i] @ b[:i]
        b[i] /= A[i, i] + 5.0
        A[i, i] = b[i]
""",
    matrix(3, 3),
    vector(3),
    of=("A", "b"),
)
procedure(
    "procedure calls a procedure",
    """
def g(u, c):
    u[1:] += c * u[:-1]


def f(a, c):
    g(a, c)
    g(a[1:], c * c)
""",
    vector(),
    0.4,
    of=("a",),
)
procedure(
    "procedure, scalars change",
    """
def f(a, c):
    c += a[0]
    a *= c
    c = 2.0 * c
""",
    vector(),
    0.4,
    of=("a",),
)
procedure(
    "procedure, a name like a seed",
    """
def f(out, a_bar):
    out[0] = a_bar[0] * out[1]
    return out[0] * 2.0
""",
    vector(),
    vector(),
    of=("out",),
)

# ---------------------------------------------------------------- parameters

trap(
    "parameter written",
    """
import numpy as np


def f(x):
    x[0] += x[1] * x[0]
    return np.sum(x**2)
""",
    vector(),
)
trap(
    "parameter updated",
    """
import numpy as np


def f(x, s):
    x *= s
    return np.sum(x**2) * s
""",
    vector(),
    0.7,
)
trap(
    "parameter of any rank",
    """
def f(x, s):
    x = x * s
    x *= s
    return x
""",
    0.4,
    0.7,
)
trap(
    "two parameters, one result",
    """
def f(x, y):
    y += x * y
    x = y
    x *= x
    return y
""",
    vector(),
    vector(),
)
trap(
    "default and keyword",
    """
def f(x, n=2, *, c=0.5):
    for k in range(n):
        x[k] = x[k + 1] * c
    return x
""",
    vector(),
)
trap(
    "list parameter written",
    """
import numpy as np


def f(L, c):
    L[0][1] = L[1][0] * c
    return np.sum(L[0] * L[1])
""",
    [vector(3), vector(3)],
    0.6,
)
trap(
    "result is the buffer",
    """
import numpy as np


def f(x):
    y = np.zeros(5)
    y[1:] = x[:-1] ** 2
    return y
""",
    vector(),
)
trap(
    "result is a view",
    """
import numpy as np


def f(x):
    y = x * 2.0
    v = y[1:]
    y[2] = x[0] ** 2
    return v
""",
    vector(),
)
trap(
    "result is twice the buffer",
    """
import numpy as np


def f(x):
    y = x * 2.0
    y[2] = x[0] ** 2
    return y, y
""",
    vector(),
)
trap(
    "result is a buffer and its view",
    """
import numpy as np


def f(x):
    y = x * 2.0
    y[2] = x[0] ** 2
    return y, y[1:]
""",
    vector(),
)
trap(
    "result is a list of rows",
    """
import numpy as np


def f(A):
    B = A * A
    B[0] *= B[1]
    return [B[0], B[2]]
""",
    matrix(3, 3),
)


# ---------------------------------------------------------------- what carries no derivative is the caller's, too


def with_np(name: str, text: str, *args: Any) -> None:
    trap(name, "import numpy as np\n\n\n" + text.strip() + "\n", *args)


with_np(
    "integer parameter written",
    """
def f(x, idx):
    idx[0] = 2
    idx += 1
    return np.sum(x[idx] ** 2)
""",
    vector(),
    np.array([0, 1]),
)
with_np(
    "integer parameter sorted",
    """
def f(x, idx):
    idx.sort()
    return x[idx[0]] * x[idx[1]] ** 2
""",
    vector(),
    np.array([3, 1, 2]),
)
with_np(
    "integer parameter written by a helper",
    """
def shift(idx):
    idx += 1


def f(x, idx):
    shift(idx)
    return np.sum(x[idx] ** 2)
""",
    vector(),
    np.array([3, 1, 2]),
)
with_np(
    "list of integers grows",
    """
def f(x, L):
    L.append(3)
    return x[L[-1]] * len(L)
""",
    vector(),
    [1, 2],
)
with_np(
    "list of integers written",
    """
def f(x, L):
    L[0] = 3
    return x[L[0]] * x[L[1]]
""",
    vector(),
    [1, 2],
)
with_np(
    "list of integers popped",
    """
def f(x, L):
    k = L.pop()
    return x[k] * len(L)
""",
    vector(),
    [1, 2],
)
with_np(
    "dict of settings written",
    """
def f(x, config):
    config["n"] = 3
    return x[config["n"]] ** 2
""",
    vector(),
    {"n": 1},
)
with_np(
    "mask parameter written",
    """
def f(x, mask):
    mask[0] = True
    return np.sum(x[mask] ** 2)
""",
    vector(),
    np.array([False, True, False, True, True]),
)
with_np(
    "zero-dimensional array from where",
    """
def f(x):
    s = np.where(x[0] > 0.0, x[1], x[2])
    t = s
    s += x[0]
    return t * s
""",
    vector(),
)
with_np(
    "zero-dimensional array, not written",
    """
def f(x):
    s = np.where(x[0] > 0.0, x[1], x[2])
    t = s
    s = s + x[0]
    return t * s
""",
    vector(),
)
with_np(
    "number from a reduction is rebound",
    """
def f(x):
    s = np.sum(x)
    t = s
    s += x[0]
    s *= t
    return t * s
""",
    vector(),
)
with_np(
    "store into an array of integers that was given",
    """
def f(x, counts):
    counts[1] = x[0] * 10.0
    return np.sum(x * counts)
""",
    vector(3),
    np.array([1, 2, 3]),
)
with_np(
    "random numbers drawn once, in place",
    """
def f(x, seed):
    rng = np.random.default_rng(seed)
    y = x * 1.0
    y += rng.standard_normal(5) * x
    for k in range(3):
        y[k] *= rng.uniform()
    return np.sum(y**2)
""",
    vector(),
    3,
)
with_np(
    "store under errstate",
    """
def f(x):
    y = np.zeros(5)
    with np.errstate(divide="ignore"):
        y[:] = 1.0 / x
        y[0] = np.log(np.abs(x[0]))
    return np.sum(y * x**2)
""",
    vector(),
)


with_np(
    "like terms that cancel",
    """
def f(a: float):
    r = np.inner((a - a) * np.arange(2), a + np.zeros(2))
    return a + r
""",
    0.7,
)


with_np(
    "appended from its own end",
    """
def f(a: float):
    hs = [a]
    hs.append(hs[-1])
    s = 0.0
    for u in hs:
        s = u
    return s
""",
    0.7,
)
with_np(
    "appended from its own end, in a loop",
    """
def f(a: float):
    hs = [a, a * a]
    for k in range(3):
        hs.append(hs[-1] * hs[-2])
        hs.append(hs[-1])
    return hs[-1] * hs[0] + hs[3]
""",
    0.7,
)

on(
    "a bare name into integers",
    """
z = np.array([1, 2, 3, 4, 5])
z[1] = x[0]
y = y * np.sum(z)
""",
    vector(),
)


# ---------------------------------------------------------------- what may be one array, or a view
with_np(
    "view of a reshaped transpose",
    """
def f(A):
    u = A.T.reshape(-1)
    v = u[1:]
    v[0] = A[1, 1] * A[0, 2]
    return np.sum(A**2) + np.sum(v**3)
""",
    matrix(3, 4),
)
with_np(
    "closure that writes, called with constants",
    """
def f(x):
    W = np.ones((2, 3))

    def put(v):
        B = W[1:]
        B[0] = v * W[0, 1]
        B *= v

    put(2.5)
    return np.sum(x**2) * W[1, 1]
""",
    vector(3),
)
with_np(
    "closure that writes, some calls with constants",
    """
def f(x):
    W = np.ones((2, 3)) * x[0]

    def put(v):
        if v > 100.0:
            return
        W[0, 1] = v * W[1, 1]
        W[1, 1] += W[0, 0]

    put(2.5)
    put(x[1] * W[0, 1])
    return x[2] * np.sum(W**2)
""",
    vector(3),
)
with_np(
    "closure that updates an argument",
    """
def f(x):
    W = np.ones((2, 3))
    V = W

    def put(A, v):
        A += v
        A *= v

    put(W, 2.5)
    return x[0] * np.sum(V**2)
""",
    vector(3),
)
with_np(
    "helper that writes is given an item of the array",
    """
def put(A, v):
    A[0, 1] = v * A[1, 1]


def f(A):
    B = A @ A.T
    put(B, B[1, 0] * 2.0)
    return np.sum(B**2)
""",
    matrix(2, 3),
)
with_np(
    "array without a copy",
    """
def f(A):
    B = np.array(A, copy=None)
    B[0, 1] = A[1, 1] * A[0, 0]
    return np.sum(A**2)
""",
    matrix(2, 3),
)
with_np(
    "astype without a copy",
    """
def f(A):
    B = A.astype(float, copy=False)
    B[0, 1] = A[1, 1] * A[0, 0]
    return np.sum(A**2)
""",
    matrix(2, 3),
)
with_np(
    "require gives its argument",
    """
def f(A):
    B = np.require(A)
    B[0, 1] = A[1, 1] * A[0, 0]
    return np.sum(A**2)
""",
    matrix(2, 3),
)
with_np(
    "method conj gives its argument",
    """
def f(A):
    B = A.conj()
    B[0, 1] = A[1, 1] * A[0, 0]
    return np.sum(A**2)
""",
    matrix(2, 3),
)
with_np(
    "greatest of arrays by a key",
    """
def f(A):
    B = max(A[0], A[1], key=np.sum)
    B[0] = A[1, 1] * A[0, 0]
    return np.sum(A**2)
""",
    matrix(2, 3),
)
with_np(
    "diagonal read after a store",
    """
def f(A):
    d = np.diag(A)
    A[0, 0] = A[1, 1] * A[0, 1]
    return np.sum(A**2) + np.sum(d**3)
""",
    matrix(3, 3),
)
with_np(
    "copy of a diagonal",
    """
def f(A):
    d = np.diag(A).copy()
    A[0, 0] = A[1, 1] * A[0, 1]
    d[0] = A[1, 1]
    return np.sum(A**2) + np.sum(d**3)
""",
    matrix(3, 3),
)
with_np(
    "diagonal of a vector, read after a store",
    """
def f(x):
    y = x * 1.5
    B = np.diag(y)
    y[0] = y[1] * x[2]
    B[0, 1] = y[0]
    return np.sum(B**2) + np.sum(y**3)
""",
    vector(3),
)
with_np(
    "broadcast read after a store",
    """
def f(x):
    y = x * 1.5
    B = np.broadcast_to(y, (2, 3))
    y[0] = y[1] * x[2]
    return np.sum(B**2)
""",
    vector(3),
)
with_np(
    "sum by einsum, read after a store",
    """
def f(A):
    d = np.einsum("ij->i", A)
    A[0, 0] = A[1, 1] * A[0, 1]
    d[1] = d[0] * A[0, 0]
    return np.sum(A**2) + np.sum(d**3)
""",
    matrix(3, 3),
)
with_np(
    "transpose by einsum, read after a store",
    """
def f(A):
    B = np.einsum("ij->ji", A)
    A[0, 0] = A[1, 1] * A[0, 1]
    return np.sum(A**2) + np.sum(B[0] ** 3)
""",
    matrix(3, 3),
)
with_np(
    "parts by hsplit, read after a store",
    """
def f(A):
    d = np.hsplit(A, 3)[1]
    A[1, 1] = A[0, 1] * A[0, 0]
    return np.sum(A**2) + np.sum(d**3)
""",
    matrix(3, 3),
)
with_np(
    "array of the module under another name",
    """
TABLE = np.array([1.0, 2.0, 3.0])


def f(x):
    y = TABLE
    y[0] = x[0] * x[1]
    return np.sum(y * x)
""",
    vector(3),
)
with_np(
    "array of the module written by a helper",
    """
TABLE = np.array([1.0, 2.0, 3.0])


def put(t, v):
    t[0] = v


def f(x):
    put(TABLE[1:], x[0])
    return np.sum(TABLE * x)
""",
    vector(3),
)
with_np(
    "number of the module updated under another name",
    """
EPS = 0.5


def f(x):
    e = EPS
    e *= 2.0
    e += 1.0
    return np.sum(x * e) * EPS
""",
    vector(3),
)
with_np(
    "array and number in a tuple",
    """
def f(A, s):
    p = (A, s)
    B, c = p
    B[0, 0] = A[1, 1] * c
    return np.sum(A**2) * p[1]
""",
    matrix(2, 3),
    1.3,
)
with_np(
    "tuple taken apart behind new bindings",
    """
def f(A, s):
    B = A * 2.0
    p = (B, s)
    s = s * 2.0
    B = A * 3.0
    C, c = p
    C[0, 0] = A[1, 1] * c * s
    return np.sum(B**2) + np.sum(C**3)
""",
    matrix(2, 3),
    1.3,
)
with_np(
    "arrays in a dict",
    """
def f(A, s):
    d = {"a": A, "s": s}
    d["a"][0] = d["s"] * A[1]
    return np.sum(A**2)
""",
    vector(3),
    1.3,
)
with_np(
    "array and number, by a branch",
    """
def f(A, s):
    B = A * 2.0
    if s > 1.0:
        p = (A, 2.0)
    else:
        p = (B, s)
    C, c = p
    C[0] = C[1] * c
    return np.sum(A**2) + np.sum(B**3)
""",
    vector(3),
    1.3,
)
with_np(
    "list of arrays and numbers",
    """
def f(A, s):
    B = A * 2.0
    L = [(A, 2.0), (B, s)]
    for C, c in L:
        C[0] = C[1] * c
    return np.sum(A**2) + np.sum(B**3)
""",
    vector(3),
    1.3,
)
with_np(
    "helper writes into arrays of a list",
    """
def put(L):
    L[0][0] = 2.0 * L[1][0]


def f(A, s):
    B = A * s
    put([A, B])
    return np.sum(A**2) + np.sum(B**3)
""",
    vector(3),
    1.3,
)
with_np(
    "helper returns arrays that are written",
    """
def pair(A):
    return A * 2.0, A[0] * A[1]


def f(A, s):
    B, c = pair(A)
    B[0] = c * s
    return np.sum(B**2) + c
""",
    vector(3),
    1.3,
)
with_np(
    "helper returns a tuple that is written",
    """
def pair(A):
    return A * 2.0, A[0] * A[1]


def f(A, s):
    p = pair(A)
    B, c = p
    B[0] = c * s
    return np.sum(p[0] ** 2) + c
""",
    vector(3),
    1.3,
)
with_np(
    "helper writes into an unnamed array",
    """
def put(a, s):
    a[0] = a[1] * s
    return np.sum(a**2)


def f(x, s):
    r = 0.0
    for k in range(3):
        r = r * s + put(x * s, r) + put((x * x)[1:], s)
        x = x * 1.1
    return r * s
""",
    vector(3),
    1.3,
)
with_np(
    "helper writes into an unnamed product, a list beside it",
    """
def put(w, x):
    mask = x > 0.4
    x[~mask] *= np.tanh(x[~mask])
    return np.sum(x * x) + np.sum(w**2)


def f(w, W, s):
    r = put(np.ones(2), w @ W)
    c = W * 2.0
    z = c if s > 0.0 else W
    z += np.log(2.0 + z**2)
    return r * np.sum(c) + np.sum(W)
""",
    vector(2),
    matrix(2, 5),
    0.4,
)
with_np(
    "helper writes through a list of one array",
    """
def put(q, y):
    view = y
    both = [view, view]
    again = both[1]
    again *= view + q


def f(u, w):
    w = w * 2.0
    put(u, w)
    return np.sum(w)
""",
    vector(3),
    vector(3),
)
with_np(
    "number broadcast into a slot",
    """
def f(v, s):
    L = [v]
    L[0] = s + np.zeros(5)
    v[1] = s
    return np.sum(v) * np.sum(L[0] ** 2)
""",
    vector(3),
    1.3,
)
with_np(
    "self-update through costly parts",
    """
def f(v):
    v = v * 2.0
    b = v
    b *= b
    for k in range(2):
        v[k] = np.sin(v[k]) * v[k]
        b = np.tanh(b) * np.sin(b)
    return np.sum(b**2) * v[0]
""",
    vector(3),
)
with_np(
    "block by ix_, updated",
    """
def f(A, i, j):
    B = A * 2.0
    k = np.ix_(i, j)
    B[k] = A[:2, :2] ** 2
    B[np.ix_(i, j)] *= A[:2, :2] ** 2
    return np.sum(B**2)
""",
    matrix(3, 4),
    np.array([0, 2]),
    np.array([1, 3]),
)
with_np(
    "block of repeated rows",
    """
def f(A, i, j):
    B = A * 2.0
    B[np.ix_(i, j)] = A[:2, :2] ** 2
    return np.sum(B**2)
""",
    matrix(3, 4),
    np.array([0, 0]),
    np.array([1, 3]),
)
with_np(
    "mesh of rows and columns",
    """
def f(A, i, j):
    B = A * 2.0
    B[i[:, None], j] = A[:2, :2] ** 2
    return np.sum(B**2)
""",
    matrix(3, 4),
    np.array([0, 2]),
    np.array([1, 3]),
)
with_np(
    "mesh of repeated rows",
    """
def f(A, i, j):
    B = A * 2.0
    B[i[:, None], j] = A[:2, :2] ** 2
    return np.sum(B**2)
""",
    matrix(3, 4),
    np.array([0, 0]),
    np.array([1, 3]),
)
with_np(
    "places found by where",
    """
def f(A):
    B = A * 2.0
    k = np.where(A > 0.5)
    B[k] = A[k] ** 2
    return np.sum(B**2)
""",
    matrix(3, 4),
)
with_np(
    "root of the branch that is not taken",
    """
def f(x):
    return np.sum(np.where(x >= 0, x, np.sqrt(-x)) * x)
""",
    np.array([1.0, 0.5, -2.0]),
)
with_np(
    "power of the branch that is not taken",
    """
def f(x):
    return np.sum(np.where(x > 0, x**1.5, 0.0) ** 2)
""",
    np.array([-1.0, 1.0, 2.0]),
)
with_np(
    "rows without a norm",
    """
def f(x):
    n = np.sum(x**2, axis=1)
    return np.sum(np.where(n > 0, np.sqrt(n), 0.0) ** 2)
""",
    np.array([[0.0, 0.0], [1.0, 2.0]]),
)
with_np(
    "quotient of the branch that is not taken",
    """
def f(x, y):
    return np.sum(np.where(x > 0.5, y / x, y * x))
""",
    np.array([0.0, 1.0, 2.0]),
    np.array([0.5, 1.0, 2.0]),
)
with_np(
    "logarithm of the branch that is not taken",
    """
def f(x):
    return np.sum(np.where(x > 0.5, x * np.log(x), x))
""",
    np.array([0.0, -1.0, 2.0]),
)
with_np(
    "root with a name, of the branch that is not taken",
    """
def f(x, k):
    s = np.sqrt(x)
    y = s if x > 0 else x**2
    return y * k + x
""",
    -0.5,
    0.7,
)
with_np(
    "logarithm with a name, behind a return",
    """
def f(x, k):
    r = np.log(x)
    z = r * r * k
    d = k / r
    if x < 0.1:
        return k * x
    if k > 0:
        z = z + d
    return z * x
""",
    -0.5,
    0.7,
)
with_np(
    "numbered items from the end, of an array that is written",
    """
def f(x):
    y = x * 1.0
    s = 0.0
    for i, v in reversed(list(enumerate(y))):
        if i > 0:
            y[i - 1] = y[i - 1] * v
        s = s + v * v
    return s + np.sum(y)
""",
    vector(3),
)
with_np(
    "roots of an array, of a branch that is not taken",
    """
def f(x, n):
    y = x * x
    for i in range(n):
        s = np.sqrt(x - 1.0)
        q = np.log(x - 1.0)
        if x[i] > 1.0:
            y = y + s * q
    return np.sum(y)
""",
    vector(3) * 0.5,
    2,
)
with_np(
    "updated, then reshaped",
    """
def f(A, v):
    A += np.outer(v, v[1:])
    u = np.reshape(A, (6,))
    u += v[0]
    return np.sum(A)
""",
    np.asfortranarray(matrix(3, 2)),
    vector(3),
)
with_np(
    "view of an unnamed array, chosen beside another",
    """
def f(w, n):
    q = w * w
    M = (q / (2.0 + w**2))[::-1]
    M[-1] = w[0] ** 3
    for i in range(n):
        m = w > 0.1
        w[m] += np.tanh((w if i > 1 else M)[m])
        if n > 5:
            return np.sum(w)
        M[1:] = np.tanh(M[1] ** 2)
    return np.sum(w) + np.sum(M**2)
""",
    vector(4),
    2,
)


# ---------------------------------------------------------------- as programs
with_np(
    "root before a loop, of a branch that is never taken",
    """
def f(x, k, n: int):
    r = np.sqrt(x)
    s = k * x
    for i in range(n):
        if i > 4:
            s = s + r * i
        else:
            s = s + x * x
    return s
""",
    -0.5,
    0.7,
    3,
)
with_np(
    "distances in a table, without those of points to themselves",
    """
def f(points):
    n = len(points)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d[i, j] = np.sqrt(np.sum((points[i] - points[j]) ** 2))
    e = 0.0
    for i in range(n):
        for j in range(n):
            if i != j:
                e += 1.0 / d[i, j]
    return e
""",
    matrix(3, 2),
)
with_np(
    "distances by a helper, without those of points to themselves",
    """
def distance(a, b):
    d = a - b
    return np.sqrt(np.sum(d * d))


def f(points, c):
    e = 0.0
    for i in range(len(points)):
        for j in range(len(points)):
            r = distance(points[i], points[j])
            if r > 1e-9:
                e += c / r
    return e
""",
    matrix(3, 2),
    0.7,
)
with_np(
    "distances of pairs, of all with all",
    """
def distances(points):
    d = points[:, None, :] - points[None, :, :]
    return np.sqrt((d**2).sum(axis=-1))


def f(points, c):
    r = distances(points)
    i, j = np.triu_indices(len(points), 1)
    e = np.sum(c / r[i, j])
    r = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    for i in range(len(points)):
        for j in range(i):
            e += r[i, j] ** 3
    return e
""",
    matrix(3, 2),
    0.7,
)
with_np(
    "distances with ones on the diagonal",
    """
def f(points):
    r = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    np.fill_diagonal(r, 1.0)
    q = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    for i in range(len(points)):
        q[i, i] = 1.0
    return np.sum(1 / r) + np.sum(1 / q)
""",
    matrix(3, 2),
)
with_np(
    "radius and direction by a helper, of a point in the origin",
    """
def polar(x, y):
    r = np.sqrt(x * x + y * y)
    return r, x / r if r > 0 else 0.0


def f(x, y, n: int):
    s = x * y
    for k in range(n):
        r, c = polar(x * k, y * k)
        if k > 0:
            s = s + r * c
    return s
""",
    0.3,
    0.4,
    3,
)
with_np(
    "sum of a row of the step before, made anew for each item",
    """
def f(A, B):
    score = np.zeros((4, 3))
    score[0] = B[0]
    for t in range(1, 4):
        for k in range(3):
            s = score[t - 1] + A[:, k]
            score[t, k] = s[1] ** 2 + B[t, k]
    return np.sum(score[3] ** 2)
""",
    matrix(3, 3),
    matrix(4, 3),
)


def carries(arg: Any) -> bool:
    """Is this an argument that one differentiates in?"""
    if isinstance(arg, dict):
        return all(map(carries, arg.values()))
    if isinstance(arg, list):
        return all(map(carries, arg))
    return isinstance(arg, float) or (isinstance(arg, np.ndarray) and bool(arg.dtype.kind == "f"))


trap(
    "updates in a loop of parameters whose final contents are read",
    """
import numpy as np


def outer(p):
    return p[:, 0:1] * 2.0


def f(pos, vel, dt, n):
    acc = outer(pos)
    for i in range(n):
        vel += acc * dt
        pos += vel * dt
        acc = outer(pos)
""".strip()
    + "\n",
    np.array([[0.3, 0.8], [1.1, -0.4]]),
    np.array([[0.1, 0.2], [-0.7, 0.6]]),
    0.1,
    3,
    of=("pos", "vel"),
)
trap(
    "distances of points to themselves, in a triangle that is not summed",
    """
import numpy as np


def f(pos, mass):
    x = pos[:, 0:1]
    dx = x.T - x
    near = np.sqrt(dx**2)
    near[near > 0] = 1.0 / near[near > 0]
    return np.sum(np.triu(-(mass * mass.T) * near, 1)) + np.sum(np.tril(np.sqrt((x - x.T) ** 2), -1))
""".strip()
    + "\n",
    np.array([[0.3, 0.8], [1.1, -0.4], [2.4, 0.5]]),
    np.array([[1.0], [0.4], [0.8]]),
)


trap(
    "displays and arrays are unpacked into parts",
    """
import numpy as np


def f(x):
    X = np.outer(x, x)
    a, *b = x * 2
    *c, d = np.sin(x)
    e, g = X[[0, 2]]
    i, *j = (x * 3)[1:]
    [k, [l, m]] = [x[0], x[1:3] * 2]
    (n, o), *p = (x[:2] * 2, x[1] * 3, x[2])
    q, r = (x * 2)[[0, 2]]
    first = a * b[0] + c[1] * d + e @ g + i * j[0]
    return first + k * l**2 * m + n**2 * o * p[0] + p[1] ** 3 + q * r**2
""".strip()
    + "\n",
    vector(),
)
trap(
    "nested functions that give displays",
    """
import math


def f(x, y):
    def swap(a, b):
        return b, a

    def turn(a, b, c):
        return c, (a, b)

    def position(angle):
        return math.cos(angle) - x, math.sqrt(1.0 + x**2) * math.sin(angle)

    for _ in range(3):
        x, y = swap(x, y * 1.1)
        x, y = swap(x, y)
    z, (x, y) = turn(x, y, x * y)
    u, *v = position(y)
    return x**2 * y + z * u + v[0]
""".strip()
    + "\n",
    0.7,
    0.3,
)
trap(
    "an array in a display inside a list is updated in place",
    """
import numpy as np


def f(x):
    a = x * 1.0
    history = [(a, 1.0)]
    table = [None, None]
    table[1] = a
    a[0] = 7.0
    a *= x
    return history[0][0] @ x + table[1] @ x**2
""".strip()
    + "\n",
    vector(),
)


# results that the reverse sweep takes apart, or restores
trap(
    "a list that grows is returned in a tuple",
    """
import numpy as np


def f(x: float, r):
    T = [x]
    P = [x * 2]
    for k in range(len(r)):
        T.append(T[-1] - r[k] * P[-1] ** 2)
        P.append(T[-1] * P[k])
    return T, P, x
""".strip()
    + "\n",
    0.9,
    np.array([0.3, 0.8, -0.2]),
)
trap(
    "a list that grows is returned in a dict, by another name",
    """
import numpy as np


def f(x: float, r):
    T = [x]
    P = [x * 2]
    for k in range(len(r)):
        T.append(T[-1] - r[k] * P[-1] ** 2)
        P.append(T[-1] * P[k])
    ends = T if x > 0.1 else P
    return {"T": T, "ends": ends, "last": P[-1]}
""".strip()
    + "\n",
    0.9,
    np.array([0.3, 0.8, -0.2]),
)
trap(
    "a tuple of lists that grow has a name",
    """
import numpy as np


def f(x: float, r):
    T = [x]
    P = [x * 2]
    for k in range(len(r)):
        T.append(T[-1] - r[k] * P[-1] ** 2)
        P.append(T[-1] * P[k])
    both = (T, P)
    return both
""".strip()
    + "\n",
    0.9,
    np.array([0.3, 0.8, -0.2]),
)
trap(
    "an array that is written is returned in a dict",
    """
import numpy as np


def f(x: float, r):
    u = x * r
    history = [u]
    for k in range(3):
        u[k] = np.sin(u[k]) * u[0]
    return {"u": u, "inner": {"v": u[1:]}, "s": u[1] * x}
""".strip()
    + "\n",
    0.9,
    np.array([0.3, 0.8, -0.2]),
)
trap(
    "a list with an array that is written is returned",
    """
import numpy as np


def f(x: float, r):
    u = x * r
    history = [u]
    for k in range(3):
        u[k] = np.sin(u[k]) * u[0]
    return history
""".strip()
    + "\n",
    0.9,
    np.array([0.3, 0.8, -0.2]),
)
trap(
    "a list of lists is written and returned",
    """
import numpy as np


def f(x: float, r):
    rows = []
    for k in range(2):
        row = [x * 2]
        for j in range(len(r)):
            row.append(r[j] * row[-1])
        rows.append(row)
    table = rows
    table[0][1] = x * 3
    return table
""".strip()
    + "\n",
    0.9,
    np.array([0.3, 0.8, -0.2]),
)
trap(
    "an object with an array that is written is returned",
    """
from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    u: np.ndarray
    t: float


def f(x: float, r):
    state = State(x * r, 0.0)
    for k in range(3):
        state.u[k] = np.sin(state.u[k]) * state.u[0]
        state.t += state.u[k] ** 2
    return {"u": state.u, "t": state.t}
""".strip()
    + "\n",
    0.9,
    np.array([0.3, 0.8, -0.2]),
)


trap(
    "numbers that all objects of a class share",
    """
import numpy as np


class Body:
    G = 6.0
    drag = -0.1

    def __init__(self, m, x, v):
        self.m, self.x, self.v = m, np.array(x, dtype=float), np.array(v, dtype=float)

    def force(self, other):
        d = other.x - self.x
        return self.G * self.m * other.m * d / np.linalg.norm(d) ** 3

    def kick(self, F, dt):
        self.v += (F / self.m + self.drag * self.v) * dt
        self.x += self.v * dt


class Sail(Body):
    drag = -2.0


def f(m: float):
    p = Body(m, [0.0, 0.0], [0.0, 0.1])
    q = Sail(2.0, [1.0, m], [0.2, 0.3])
    for _ in range(3):
        F = p.force(q)
        p.kick(F, 0.01)
        q.kick(-F, 0.01)
    return p.x @ q.v * q.drag
""".strip()
    + "\n",
    0.7,
)


trap(
    "the greatest of three, negated",
    """
import numpy as np


def f(t: float, h: float):
    wide = np.float64(2.0) * t
    return -max(t**2, wide, h) * min(wide, h, t) - max(h, wide, t)
""".strip()
    + "\n",
    0.9,
    0.7,
)


trap(
    "an attribute is updated by what a method gives that changes the object",
    """
import numpy as np


class Line:
    def __init__(self, u, dx):
        self.u = np.array(u, dtype=float)
        self.dx = dx
        self.ghost = np.zeros(len(u) + 2)

    def fill(self):
        self.ghost[1:-1] = self.u
        self.ghost[0] = self.ghost[-2]
        self.ghost[-1] = self.ghost[1]
        return self.ghost

    def curvature(self):
        g = self.fill()
        return (g[2:] - 2 * g[1:-1] + g[:-2]) / self.dx**2

    def halved(self):
        self.u[0] *= 0.5
        return self.u[1] * self.u[0]

    def advance(self, dt, nu):
        self.u += dt * nu * self.curvature()
        self.u += self.halved()


def f(u, dx: float, nu: float):
    line = Line(u, dx)
    for _ in range(3):
        line.advance(0.01, nu)
    return line.u
""".strip()
    + "\n",
    vector(),
    0.3,
    0.2,
)
trap(
    "part of a reshaped array that lies column by column",
    """
import numpy as np


def f(A, q: float):
    # s2s: A (2, 2)
    C = np.zeros_like(A.T)
    C += A
    w = C.ravel()[:2]
    w += q
    return np.sum(A * C)
""",
    np.array([[0.4, -0.9], [0.3, 0.7]]),
    0.6,
)


def program(name: str, source: str, args: tuple[Any, ...], of: tuple[str, ...]) -> Program:
    """A trap as a program, to be differentiated in all its floats."""
    namespace: dict[str, Any] = {}
    exec(compile(source, name, "exec"), namespace)
    code = namespace["f"].__code__
    params = code.co_varnames[: code.co_argcount]
    wrt = tuple(p for p, arg in zip(params, args, strict=False) if carries(arg))
    result = namespace["f"](*copy.deepcopy(args))
    return Program(source, args, wrt, params, isinstance(result, float), of)


PROGRAMS = {t[0]: program(*t) for t in TRAPS}
