"""What users of tools for automatic differentiation asked for, or were given wrong numbers for: programs of that kind.

Each: what it is about, the text of a module with a function `f`, arguments for it, and the arguments whose final
contents are outputs (`of`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from programs import Program
from traps import program

R = np.random.default_rng(17)
CASES: dict[str, Program] = {}


def case(name: str, source: str, *args: Any, of: tuple[str, ...] = ()) -> None:
    CASES[name] = program(name, source.strip() + "\n", args, of)


def draw(*shape: int) -> Any:
    return R.uniform(0.3, 1.5, shape)


# ---------------------------------------------------------------- formulas

case(
    "sigmoid",
    """
import numpy as np

def f(x):
    return 1.0 / (1.0 + np.exp(-x))
""",
    draw(4),
)
case(
    "log(1 + exp(x)) far out",
    """
import numpy as np

def f(x):
    return np.log(1.0 + np.exp(x))
""",
    100.0,
)
case(
    "two x",
    """
def f(x):
    return 2 * x
""",
    0.7,
)
case(
    "square of a difference",
    """
def f(x, y):
    return (x - y) * (x - y)
""",
    0.7,
    0.2,
)
case(
    "no NaN from the branch not taken",
    """
import numpy as np

def f(x):
    return np.where(x >= 0, x, np.sqrt(-x))
""",
    np.array([1.0, -2.0, 3.0]),
)
case(
    "norm at zero",
    """
import numpy as np

def f(x):
    return np.linalg.norm(x)
""",
    np.zeros(3),
)
case(
    "squared norm at zero",
    """
import numpy as np

def f(x):
    return np.linalg.norm(x) ** 2
""",
    np.zeros(3),
)
case(
    "w.T.dot(x)",
    """
def f(w, x):
    return w.T.dot(x)
""",
    draw(3),
    draw(3),
)
case(
    "half ties",
    """
import numpy as np

def f(w, X, y):
    m = y * (X @ w)
    return np.sum(np.maximum(-m, 0.0) + np.log1p(np.exp(-np.abs(m))))
""",
    np.zeros(3),
    draw(4, 3),
    np.array([1.0, -1.0, 1.0, -1.0]),
)

# ---------------------------------------------------------------- imports and names

case(
    "the math module",
    """
import math

def f(x):
    return math.sin(x) * math.sqrt(x) + math.pi
""",
    0.7,
)
case(
    "from math import *",
    """
from math import *

def f(x):
    return exp(sin(x)) + pi * x
""",
    0.7,
)
case(
    "from numpy import sin",
    """
from numpy import sin, sum

def f(x):
    return sum(sin(x) * x)
""",
    draw(3),
)
case(
    "numpy under another name",
    """
import numpy as xp

def f(x):
    return xp.tanh(x).sum() + 1
""",
    draw(3),
)
case(
    "numpy by its own name",
    """
import numpy

def f(W, x):
    h = numpy.dot(x, W)
    return numpy.sum(numpy.tanh(h))
""",
    draw(3, 2),
    draw(3),
)
case(
    "constants of the module",
    """
BTU_TO_HP, TORQUE = 1.4148532, 5252.11

def f(w_in, w_out, h_in, h_ideal, eff, speed, bleed):
    h_out = w_in / w_out * (h_in * (1.0 - eff) + h_ideal * eff)
    power = w_in * eff * (h_in - h_ideal) * BTU_TO_HP
    h_out += bleed / w_out * \\
        (h_in * (1.0 - eff) +
         h_ideal * eff)
    power += bleed * eff * \\
        (h_in - h_ideal)
    torque = power / \\
        speed * TORQUE
    return power, h_out, torque
""",
    *[float(v) for v in draw(7)],
)

# ---------------------------------------------------------------- assignment into arrays

case(
    "block of a larger array",
    """
import numpy as np

def f(A):
    B = np.zeros((4, 4))
    B[:2, :2] = A
    return (B @ B).sum()
""",
    draw(2, 2),
)
case(
    "vector of results, element by element",
    """
import numpy as np

def f(param):
    res = np.zeros(5)
    for m in range(5):
        res[m] = np.sum(param[m] * param[0])
    return np.sum(res**2)
""",
    draw(5, 3),
)
case(
    "components one by one",
    """
import numpy as np

def f(b):
    c = np.zeros(2)
    c[0] = b[0]*b[0]
    c[1] = b[1] * b[0] + b[2]
    return c
""",
    draw(3),
)
case(
    "two diagonal blocks",
    """
import numpy as np

size = 2

def f(x):
    mat = np.diag([4, 6, 6, 3])
    blocks = np.zeros(shape=(size, 2*size))
    blocks[:size, :size] = np.diag(x)
    blocks[:size, size:] = np.diag(x)
    xx = np.hstack((x, x))
    return np.dot(blocks @ mat, xx)
""",
    draw(2),
)
case(
    "an array of the module is written",
    """
import numpy as np

board = np.ones((7, 7))

def f(b):
    board[2:5, 3:6] = b.flatten().reshape((3, 3))
    return np.sum(board**2)
""",
    draw(3, 3),
)
case(
    "running sum in an element",
    """
import numpy as np

def f(y):
    x = np.zeros((2, 2))
    for i in range(len(y)):
        x[0, 0] = x[0, 0] + y[i]
        x[1, 1] = x[0, 0] * y[i]
    return np.sum(x**2)
""",
    draw(4),
)
case(
    "weights updated in place",
    """
import numpy as np

def f(w, X, y, rate):
    for k in range(5):
        w[:] = w - rate * X.T @ (X @ w - y)
    return np.sum((X @ w - y) ** 2)
""",
    draw(2),
    draw(4, 2),
    draw(4),
    0.05,
)
case(
    "input overwritten by its square",
    """
def f(x):
    for i in range(len(x)):
        x[i] = x[i] ** 2
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[0]
    return s
""",
    draw(4),
)
case(
    "argument of a procedure overwritten",
    """
def f(x, y):
    for i in range(len(x)):
        y[i] = x[i] * y[i]
        x[i] = y[i] ** 2
""",
    draw(4),
    draw(4),
    of=("x", "y"),
)
case(
    "conjugate gradients, column by column",
    """
import numpy as np

def solve(A, b, x0, tol, max_iter):
    r = b - A@x0
    p = r + 0.0
    count = 0
    x = x0+0.0
    while count <= min(max_iter, A.shape[0]):
        alpha = np.dot(p, r) / np.dot(p, A@p)
        x = x + alpha*p
        r_ = r - alpha * A @ p
        if np.linalg.norm(r_) < tol:
            return x
        beta = -np.dot(A@p, r_)/np.dot(p, A@p)
        p = r_ + beta * p
        count += 1
        r = r_+0.0
    print('iteration limit reached')
    return x

def f(b, A, G, X_old, tol, max_iter):
    X = np.zeros((G.shape[0], G.shape[1]))
    M = A.T @ np.diag(b) @ A
    for z in range(G.shape[1]):
        X[:, z] = solve(M, G[:, z], X_old[:, z], tol, max_iter)
    return np.sum(np.diag(b) @ A @ X)
""",
    draw(3),
    np.eye(3) + 0.2 * draw(3, 3),
    draw(3, 2),
    0.1 * draw(3, 2),
    1e-6,
    10,
)
case(
    "a name bound under a test in a loop",
    """
import numpy as np

def f(d, n):
    S = np.zeros((n, n))
    for i in range(n):
        S[i, 2] = 1.
        if i == 2:
            S[i, i] += d[i]
    return S
""",
    draw(4),
    4,
)
case(
    "overwritten array read by several steps",
    """
import numpy as np

def f(q, v, dt):
    for step in range(3):
        force = -q * np.sum(q**2)
        v += dt * force
        q += dt * v
    return np.sum(q * v)
""",
    draw(3),
    draw(3),
    0.1,
)

# ---------------------------------------------------------------- loops

case(
    "logsumexp with loops",
    """
import numpy as np

def f(a):
    result = 0.0
    largest_in_a = a[0]
    a_shape = len(a)
    for i in range(1, a_shape):
        if a[i] > largest_in_a:
            largest_in_a = a[i]
    for i in range(a_shape):
        result += np.exp(a[i] - largest_in_a)
    return np.log(result) + largest_in_a
""",
    np.array([1.0, 2.0, 3.0, 4.0]),
)
case(
    "soft counts of pairs",
    """
import numpy as np

def f(pos, weight, edges):
    counts = np.zeros(len(edges) - 1)
    n = len(pos)
    for i in range(n):
        for j in range(i + 1, n):
            d = np.sqrt(np.sum((pos[i] - pos[j]) ** 2))
            for b in range(len(edges) - 1):
                inside = 1.0 / (1.0 + np.exp(-20.0 * (d - edges[b]))) - 1.0 / (1.0 + np.exp(-20.0 * (d - edges[b + 1])))
                counts[b] += weight[i] * weight[j] * inside
    return counts
""",
    draw(4, 2),
    draw(4),
    np.array([0.0, 0.3, 0.6, 1.0]),
)
case(
    "upper triangle",
    """
import numpy as np

def f(x):
    sum = 0
    rows, cols = x.shape
    for i in np.arange(rows):
        for j in np.arange(i, cols):
            sum = sum + x[i, j] ** 2
    return sum
""",
    draw(3, 3),
)
case(
    "shape of the argument",
    """
import numpy as np

def f(wrapped):
    feats = np.zeros((4, np.shape(wrapped)[0]))
    for k in range(4):
        feats[k] = wrapped ** (k + 1)
    return feats
""",
    draw(3),
)
case(
    "a slice in a loop",
    """
import numpy as np

def f(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += np.prod(x[i:i + 2])
    return s
""",
    draw(5),
)
case(
    "a row of a matrix",
    """
import numpy as np

def f(x):
    return np.sum(x[0, :] * x[1, :])
""",
    draw(3, 4),
)
case(
    "normalised traces",
    """
import numpy as np

def f(p, o):
    # Shape is [ntrace, nsamp]
    pscale = 1.0 / np.sqrt(np.sum(p*p, axis=1))
    oscale = 1.0 / np.sqrt(np.sum(o*o, axis=1))

    pscaled = p*pscale.reshape((-1, 1))
    oscaled = o*oscale.reshape((-1, 1))

    residual = pscaled - oscaled
    return 0.5*np.sum(residual*residual)
""",
    draw(3, 4),
    draw(3, 4),
)
case(
    "fit of an ODE",
    """
import numpy as np

def rhs(y, k):
    return np.array([-k[0] * y[0] + k[1] * y[1], k[0] * y[0] - k[1] * y[1] - k[2] * y[1]])

def integrate(y0, k, t):
    y = np.zeros((len(t), len(y0)))
    y[0] = y0
    for i in range(len(t) - 1):
        h = t[i + 1] - t[i]
        k1 = rhs(y[i], k)
        k2 = rhs(y[i] + h / 2 * k1, k)
        k3 = rhs(y[i] + h / 2 * k2, k)
        k4 = rhs(y[i] + h * k3, k)
        y[i + 1] = y[i] + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y

def f(k, y0, t, data):
    return np.sum((integrate(y0, k, t) - data) ** 2)
""",
    draw(3),
    draw(2),
    np.linspace(0.0, 1.0, 6),
    draw(6, 2),
)
case(
    "independent iterations",
    """
import numpy as np

def f(a, b):
    out = np.empty(len(a))
    for i in range(len(a)):
        t = a[i] * b[i]
        u = np.sin(t) * t
        out[i] = u / (1.0 + b[i] ** 2)
    return out
""",
    draw(5),
    draw(5),
)
case(
    "running sums",
    """
import numpy as np

def f(x):
    out = np.zeros_like(x)
    s = 0.0
    for i in range(x.shape[0]):
        s = s + x[i] ** 2
        out[i] = s
    return out
""",
    draw(5),
)
case(
    "Newton with a tolerance",
    """
def f(a, x):
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x
""",
    2.0,
    1.0,
)
case(
    "Gram-Schmidt",
    """
import numpy as np

def f(A):
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for j in range(n):
        v = A[:, j].copy()
        for i in range(j):
            R[i, j] = Q[:, i] @ A[:, j]
            v -= R[i, j] * Q[:, i]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return Q, R
""",
    draw(4, 3) + 2.0 * np.eye(4, 3),
)
case(
    "Lanczos",
    """
import numpy as np

def f(A, v0, m):
    n = len(v0)
    V = np.zeros((m, n))
    alpha = np.zeros(m)
    beta = np.zeros(m)
    V[0] = v0 / np.linalg.norm(v0)
    for j in range(m):
        w = A @ V[j]
        if j > 0:
            w = w - beta[j - 1] * V[j - 1]
        alpha[j] = w @ V[j]
        w -= alpha[j] * V[j]
        beta[j] = np.linalg.norm(w)
        if beta[j] < 1e-10:
            break
        if j + 1 < m:
            V[j + 1] = w / beta[j]
    return alpha, beta
""",
    np.diag([1.0, 2.0, 4.0, 7.0]) + 0.1 * draw(4, 4),
    draw(4),
    3,
)
case(
    "an expensive inner loop",
    """
import numpy as np

def f(topics, counts):
    loss = 0.0
    for d in range(counts.shape[0]):
        pi = np.ones(topics.shape[0]) / topics.shape[0]
        for it in range(20):
            old = pi.copy()
            p = pi @ topics
            pi *= topics @ (counts[d] / p)
            pi /= pi.sum()
            if np.max(np.abs(pi - old)) < 1e-3:
                break
        loss -= counts[d] @ np.log(pi @ topics)
    return loss
""",
    draw(2, 4),
    draw(3, 4),
)
case(
    "heat equation",
    """
def f(u, alpha, steps):
    for k in range(steps):
        u[1:-1] = u[1:-1] + alpha * (u[2:] - 2.0 * u[1:-1] + u[:-2])
""",
    draw(7),
    0.2,
    4,
    of=("u",),
)

# ---------------------------------------------------------------- functions in functions

case(
    "a nested function",
    """
def f(x):
    def a(x):
        return x * x
    return a(x)
""",
    0.7,
)
case(
    "a function that captures",
    """
import numpy as np

def f(x, y):
    scale = np.sum(y)
    def g(z):
        return z * scale + x
    return np.sum(g(y) * g(x))
""",
    draw(3),
    draw(3),
)
case(
    "descent inside the objective",
    """
import numpy as np

def f(rate, w0, X, y):
    def slope(w):
        return 2.0 * X.T @ (X @ w - y)
    w = w0
    for k in range(4):
        w = w - rate * slope(w)
    return np.sum((X @ w - y) ** 2)
""",
    0.03,
    draw(2),
    draw(4, 2),
    draw(4),
)
case(
    "a lambda",
    """
import numpy as np

def f(x):
    sq = lambda v: v * v
    return np.sum(sq(x) + sq(x[::-1]) * x)
""",
    draw(3),
)

# ---------------------------------------------------------------- casts, dtypes, structures

case(
    "float() and int()",
    """
def f(x, n):
    s = float(x[0])
    for k in range(int(n)):
        s += float(x[k]) ** 2
    return s
""",
    draw(3),
    2,
)
case(
    "a dict of parameters, updated",
    """
import numpy as np

def f(params, x):
    h = np.tanh(params["W"] @ x + params["b"])
    return np.sum(h**2)
""",
    {"W": draw(2, 3), "b": draw(2)},
    draw(3),
)
case(
    "a table of lists",
    """
def f(x):
    rows = []
    for i in range(3):
        rows.append([x[i], x[i] ** 2])
    return sum(r[0] * r[1] for r in rows)
""",
    draw(3),
)
