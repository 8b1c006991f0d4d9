"""Numeric code as people write it, with arrays that are filled, updated and swapped in place.

Each: what it is, the text of a module with a function `f`, arguments for it, and the arguments whose final contents are
outputs (`of`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from programs import Program
from traps import program

R = np.random.default_rng(23)
CASES: dict[str, Program] = {}


def case(name: str, source: str, *args: Any, of: tuple[str, ...] = ()) -> None:
    CASES[name] = program(name, source.strip() + "\n", args, of)


def draw(*shape: int) -> Any:
    return R.uniform(0.4, 1.4, shape)


def signed(*shape: int) -> Any:
    return R.standard_normal(shape)


# ---------------------------------------------------------------- linear algebra by hand

case(
    "tridiagonal solver",
    """
import numpy as np


def thomas(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


def f(a, b, c, d):
    return np.sum(thomas(a, 3.0 + b, c, d) ** 2)
""",
    draw(5),
    draw(5),
    draw(5),
    signed(5),
)
case(
    "elimination with pivoting",
    """
import numpy as np


def f(A, b):
    A = A.copy()
    x = b.copy()
    n = len(x)
    for k in range(n):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            x[k], x[p] = x[p], x[k]
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            A[i, k:] -= m * A[k, k:]
            x[i] -= m * x[k]
    for k in range(n - 1, -1, -1):
        x[k] = (x[k] - A[k, k + 1:] @ x[k + 1:]) / A[k, k]
    return x
""",
    np.array([[0.1, 2.0, 0.3], [1.5, 0.2, 0.7], [0.4, 0.9, 3.0]]),
    signed(3),
)
case(
    "determinant by elimination, in the argument",
    """
def det(M):
    d = 1.0
    n = M.shape[0]
    for k in range(n):
        d *= M[k, k]
        for i in range(k + 1, n):
            M[i] -= M[k] * (M[i, k] / M[k, k])
    return d


def f(A):
    return det(A.copy()) + det(A * 2.0)
""",
    np.eye(3) * 2.0 + draw(3, 3),
)
case(
    "QR by Householder",
    """
import numpy as np


def f(A):
    R = A.copy()
    m, n = R.shape
    Q = np.eye(m)
    for k in range(n):
        x = R[k:, k]
        v = x.copy()
        v[0] += np.sign(x[0]) * np.sqrt(x @ x)
        v /= np.sqrt(v @ v)
        R[k:, k:] -= 2.0 * np.outer(v, v @ R[k:, k:])
        Q[:, k:] -= 2.0 * np.outer(Q[:, k:] @ v, v)
    return Q[:, 0] @ Q[:, 1] + np.sum(R[0] ** 3)
""",
    signed(4, 3),
)
case(
    "power iteration",
    """
import numpy as np


def f(A, v, steps):
    v = v / np.linalg.norm(v)
    lam = np.zeros(steps)
    for k in range(steps):
        w = A @ v
        lam[k] = v @ w
        v[:] = w / np.linalg.norm(w)
    return lam
""",
    np.diag([1.0, 2.0, 4.0]) + 0.1 * draw(3, 3),
    draw(3),
    4,
)

# ---------------------------------------------------------------- time steps

case(
    "leapfrog of bodies",
    """
import numpy as np


def forces(pos, mass, eps):
    acc = np.zeros_like(pos)
    n = len(mass)
    for i in range(n):
        for j in range(n):
            if i != j:
                r = pos[j] - pos[i]
                acc[i] += mass[j] * r / (r @ r + eps**2) ** 1.5
    return acc


def f(pos, vel, mass, eps, dt, steps):
    acc = forces(pos, mass, eps)
    for k in range(steps):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = forces(pos, mass, eps)
        vel += 0.5 * dt * acc
    return 0.5 * np.sum(mass[:, None] * vel**2)
""",
    signed(3, 2),
    signed(3, 2),
    draw(3),
    0.5,
    0.1,
    3,
)
case(
    "shallow water, staggered",
    """
# s2s: h (n,), u (m,)
def f(h, u, dt: float, dx: float, steps: int):
    g = 9.81
    for k in range(steps):
        u[1:-1] -= g * dt / dx * (h[1:] - h[:-1])
        flux = u * 1.0
        flux[1:-1] *= 0.5 * (h[1:] + h[:-1])
        h -= dt / dx * (flux[1:] - flux[:-1])
""",
    draw(5),
    0.1 * signed(6),
    0.01,
    0.2,
    3,
    of=("h", "u"),
)
case(
    "two buffers that swap",
    """
import numpy as np


def f(u0, c, steps):
    old = u0.copy()
    now = u0.copy()
    new = np.zeros_like(u0)
    for k in range(steps):
        new[1:-1] = 2.0 * now[1:-1] - old[1:-1] + c**2 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        old, now, new = now, new, old
    return np.sum(now**2)
""",
    signed(6),
    0.7,
    4,
)
case(
    "red and black Gauss-Seidel",
    """
import numpy as np


def f(u, rhs, omega, sweeps):
    n = u.shape[0]
    for s in range(sweeps):
        for colour in (0, 1):
            for i in range(1, n - 1):
                for j in range(1, n - 1):
                    if (i + j) % 2 == colour:
                        gs = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - rhs[i, j])
                        u[i, j] = (1.0 - omega) * u[i, j] + omega * gs
    return np.sum(u**2)
""",
    signed(4, 4),
    signed(4, 4),
    1.3,
    2,
)
case(
    "advection with a limiter",
    """
import numpy as np


def f(q, speed, dt, dx, steps):
    n = len(q)
    for k in range(steps):
        slope = np.zeros(n)
        left = q[1:-1] - q[:-2]
        right = q[2:] - q[1:-1]
        same = left * right > 0.0
        slope[1:-1][same] = np.where(np.abs(left) < np.abs(right), left, right)[same]
        face = q + 0.5 * (1.0 - speed * dt / dx) * slope
        q[1:] -= speed * dt / dx * (face[1:] - face[:-1])
    return np.sum(q**2)
""",
    np.array([0.1, 0.5, 1.3, 2.4, 2.9, 3.1, 3.15]),
    0.8,
    0.1,
    0.3,
    2,
)
case(
    "boundary values by a helper",
    """
import numpy as np


def bounds(u, inflow):
    u[0] = inflow
    u[-1] = u[-2]


def f(u, inflow, nu, steps):
    for k in range(steps):
        un = u.copy()
        u[1:-1] = un[1:-1] - 0.1 * un[1:-1] * (un[1:-1] - un[:-2]) + nu * (un[2:] - 2.0 * un[1:-1] + un[:-2])
        bounds(u, inflow)
    return u
""",
    draw(6),
    0.9,
    0.1,
    3,
)
case(
    "Runge-Kutta into a table",
    """
import numpy as np


def rhs(t, y, p):
    out = np.empty(2)
    out[0] = p[0] * y[0] - p[1] * y[0] * y[1]
    out[1] = p[2] * y[0] * y[1] - p[3] * y[1]
    return out


def f(y0, p, dt, steps):
    ys = np.empty((steps + 1, 2))
    ys[0] = y0
    ks = np.zeros((4, 2))
    for n in range(steps):
        ks[0] = rhs(0.0, ys[n], p)
        ks[1] = rhs(0.5, ys[n] + 0.5 * dt * ks[0], p)
        ks[2] = rhs(0.5, ys[n] + 0.5 * dt * ks[1], p)
        ks[3] = rhs(1.0, ys[n] + dt * ks[2], p)
        ys[n + 1] = ys[n] + dt / 6.0 * (ks[0] + 2.0 * ks[1] + 2.0 * ks[2] + ks[3])
    return ys
""",
    draw(2),
    draw(4),
    0.1,
    3,
)

# ---------------------------------------------------------------- filters, dynamic programs, networks

case(
    "Kalman filter into tables",
    """
import numpy as np


def f(z, q, r):
    n = len(z)
    xs = np.zeros(n)
    ps = np.zeros(n)
    x, p = 0.0, 1.0
    for k in range(n):
        p = p + q
        gain = p / (p + r)
        x = x + gain * (z[k] - x)
        p *= 1.0 - gain
        xs[k], ps[k] = x, p
    for k in range(n - 2, -1, -1):
        c = ps[k] / (ps[k] + q)
        xs[k] += c * (xs[k + 1] - xs[k])
    return np.sum((xs - z) ** 2)
""",
    signed(5),
    0.3,
    0.6,
)
case(
    "forward algorithm",
    """
import numpy as np


def f(log_init, log_trans, log_emit, obs):
    T, K = len(obs), len(log_init)
    alpha = np.zeros((T, K))
    alpha[0] = log_init + log_emit[:, obs[0]]
    for t in range(1, T):
        for k in range(K):
            s = alpha[t - 1] + log_trans[:, k]
            m = np.max(s)
            alpha[t, k] = m + np.log(np.sum(np.exp(s - m))) + log_emit[k, obs[t]]
    m = np.max(alpha[-1])
    return m + np.log(np.sum(np.exp(alpha[-1] - m)))
""",
    signed(3),
    signed(3, 3),
    signed(3, 2),
    np.array([0, 1, 1, 0]),
)
case(
    "soft dynamic time warping",
    """
import numpy as np


def softmin(a, b, c, gamma):
    m = min(a, b, c)
    return m - gamma * np.log(np.exp((m - a) / gamma) + np.exp((m - b) / gamma) + np.exp((m - c) / gamma))


def f(x, y, gamma):
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), 1e3)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = (x[i - 1] - y[j - 1]) ** 2 + softmin(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1], gamma)
    return D[n, m]
""",
    signed(3),
    signed(4),
    1.0,
)
case(
    "convolution with padding",
    """
import numpy as np


def f(img, w, b):
    k = w.shape[0]
    pad = k // 2
    big = np.zeros((img.shape[0] + 2 * pad, img.shape[1] + 2 * pad))
    big[pad:-pad, pad:-pad] = img
    out = np.empty_like(img)
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            out[i, j] = np.sum(big[i:i + k, j:j + k] * w) + b
    out[out < 0.0] *= 0.1
    return out
""",
    signed(3, 4),
    signed(3, 3),
    0.2,
)
case(
    "max pooling",
    """
import numpy as np


def f(x):
    out = np.zeros((x.shape[0] // 2, x.shape[1] // 2))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.max(x[2 * i:2 * i + 2, 2 * j:2 * j + 2])
    return out
""",
    signed(4, 6),
)
case(
    "momentum and weight decay",
    """
import numpy as np


def f(w, X, y, rate, beta, decay):
    v = np.zeros_like(w)
    for k in range(4):
        g = X.T @ (X @ w - y)
        g += decay * w
        v *= beta
        v += g
        w -= rate * v
    return np.sum((X @ w - y) ** 2)
""",
    signed(2),
    signed(4, 2),
    signed(4),
    0.05,
    0.9,
    0.1,
)
case(
    "recurrent net, states in a table",
    """
import numpy as np


def f(W, U, b, xs):
    T = xs.shape[0]
    hs = np.zeros((T + 1, len(b)))
    for t in range(T):
        pre = hs[t] @ W
        pre += xs[t] @ U
        pre += b
        np.tanh(pre, out=hs[t + 1])
    return np.sum(hs[1:] ** 2)
""",
    0.5 * signed(3, 3),
    signed(2, 3),
    signed(3),
    signed(4, 2),
)
case(
    "standardised columns",
    """
import numpy as np


def f(X):
    X = X.astype(float)
    X -= X.mean(axis=0)
    sd = X.std(axis=0)
    sd[sd < 1e-8] = 1.0
    X /= sd
    C = np.zeros((X.shape[1], X.shape[1]))
    for i in range(X.shape[1]):
        for j in range(i, X.shape[1]):
            C[i, j] = C[j, i] = X[:, i] @ X[:, j] / len(X)
    return C
""",
    signed(5, 3),
)

# ---------------------------------------------------------------- histograms, sums by group, assembly

case(
    "sums by group",
    """
import numpy as np


def f(x, group, weight):
    total = np.zeros(3)
    np.add.at(total, group, x * weight)
    return np.sum(total**2)
""",
    signed(5),
    np.array([0, 2, 0, 1, 2]),
    draw(5),
)
case(
    "sums by group in a loop",
    """
import numpy as np


def f(x, group):
    total = np.zeros(3)
    count = np.zeros(3, dtype=int)
    for i, g in enumerate(group):
        total[g] += x[i]
        count[g] += 1
    mean = total / count
    s = 0.0
    for i, g in enumerate(group):
        s += (x[i] - mean[g]) ** 2
    return s
""",
    signed(5),
    np.array([0, 2, 0, 1, 2]),
)
case(
    "finite elements, assembled",
    """
import numpy as np


def f(stiff, load):
    n = len(stiff) + 1
    K = np.zeros((n, n))
    F = np.zeros(n)
    local = np.array([[1.0, -1.0], [-1.0, 1.0]])
    for e in range(n - 1):
        K[e:e + 2, e:e + 2] += stiff[e] * local
        F[e:e + 2] += 0.5 * load[e]
    K[0, :] = 0.0
    K[:, 0] = 0.0
    K[0, 0] = 1.0
    F[0] = 0.0
    u = np.linalg.solve(K, F)
    return F @ u
""",
    draw(4),
    signed(4),
)
case(
    "geometry: rotation filled in",
    """
import numpy as np


def rotation(a):
    R = np.eye(3)
    R[0, 0] = R[1, 1] = np.cos(a)
    R[1, 0] = np.sin(a)
    R[0, 1] = -R[1, 0]
    return R


def f(angles, p):
    for a in angles:
        p = rotation(a) @ p
        p[2] += 0.1 * p[0]
    return p
""",
    signed(3),
    signed(3),
)
case(
    "ray through layers",
    """
import numpy as np


def f(v, thick, p):
    t = np.zeros(len(v) + 1)
    x = np.zeros(len(v) + 1)
    for i in range(len(v)):
        s = p * v[i]
        if s >= 1.0:
            t[i + 1:] = t[i]
            x[i + 1:] = x[i]
            break
        c = np.sqrt(1.0 - s * s)
        t[i + 1] = t[i] + thick[i] / (v[i] * c)
        x[i + 1] = x[i] + thick[i] * s / c
    return t, x
""",
    np.array([1.0, 1.4, 2.0, 2.9]),
    draw(4),
    0.4,
)
case(
    "Monte Carlo with numbers drawn once",
    """
import numpy as np


def f(s0, sigma, strike, seed):
    rng = np.random.default_rng(seed)
    paths = np.empty((4, 6))
    paths[0] = s0
    for t in range(3):
        z = rng.standard_normal(6)
        paths[t + 1] = paths[t] * np.exp(-0.5 * sigma**2 * 0.1 + sigma * np.sqrt(0.1) * z)
    payoff = np.maximum(paths[-1] - strike, 0.0)
    return payoff.mean()
""",
    1.0,
    0.3,
    0.95,
    5,
)
case(
    "binomial tree, in place",
    """
import numpy as np


def f(s, k, r, sigma, n):
    dt = 1.0 / n
    u = np.exp(sigma * np.sqrt(dt))
    d = 1.0 / u
    p = (np.exp(r * dt) - d) / (u - d)
    v = np.zeros(n + 1)
    for i in range(n + 1):
        v[i] = max(k - s * u**i * d ** (n - i), 0.0)
    for step in range(n, 0, -1):
        for i in range(step):
            v[i] = np.exp(-r * dt) * (p * v[i + 1] + (1.0 - p) * v[i])
            v[i] = max(v[i], k - s * u**i * d ** (step - 1 - i))
    return v[0]
""",
    1.0,
    1.05,
    0.05,
    0.4,
    4,
)
case(
    "cubic spline",
    """
import numpy as np


def f(x, y, t):
    n = len(x)
    h = np.diff(x)
    A = np.zeros((n, n))
    rhs = np.zeros(n)
    A[0, 0] = A[-1, -1] = 1.0
    for i in range(1, n - 1):
        A[i, i - 1] = h[i - 1]
        A[i, i] = 2.0 * (h[i - 1] + h[i])
        A[i, i + 1] = h[i]
        rhs[i] = 6.0 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    m = np.linalg.solve(A, rhs)
    i = np.searchsorted(x, t) - 1
    a, b = (x[i + 1] - t) / h[i], (t - x[i]) / h[i]
    return a * y[i] + b * y[i + 1] + ((a**3 - a) * m[i] + (b**3 - b) * m[i + 1]) * h[i] ** 2 / 6.0
""",
    np.array([0.0, 0.7, 1.5, 2.6]),
    signed(4),
    1.1,
)

case(
    "a list that is added to arrays, as an array is",
    """
import numpy as np


def f(x):
    weights = [1.0, -2.0, 3.0]
    y = 2.0 * np.sin(x)
    y[1:] += weights[1:]
    z = y - weights
    return np.sum((weights + np.cos(z)) * (z < weights)) + z[0] * y[2]
""",
    signed(3),
)

case(
    "items of a view that nobody can write into",
    """
import numpy as np


# s2s: M (3, 3)
def f(M):
    M = M.copy()
    for t in range(3):
        M[t, 0] = M[t, 0] * np.diag(M)[1] + np.diagonal(M)[2]
        d = np.diag(M)
        M[t, 1] = d[t] * 2.0 + d[0] + np.broadcast_to(M[1, :1], (2,))[1]
    return np.sum(M**2)
""",
    signed(3, 3),
)

case(
    "an array of an object that is bound to a copy and written into",
    """
import numpy as np


class Grid:
    def __init__(self, nx, ny, h):
        self.h = h
        self.T = np.zeros((nx, ny))

    def step(self, kappa, dt):
        T = self.T
        lap = (T[2:, 1:-1] + T[:-2, 1:-1] - 2 * T[1:-1, 1:-1]) / self.h**2
        self.T = T.copy()
        self.T[1:-1, 1:-1] += dt * kappa[1:-1, 1:-1] * lap


def f(kappa, T0, q, dt, steps: int):
    g = Grid(T0.shape[0], T0.shape[1], 0.5)
    g.T[:] = T0
    for n in range(steps):
        g.step(kappa, dt)
        g.T[0, :] = q * np.sin(n * dt)
        g.T[-1, :] = g.T[-2, :]
    return 0.5 * (g.T**2).sum() * g.h**2
""",
    signed(4, 3),
    signed(4, 3),
    0.7,
    0.1,
    3,
)

case(
    "walls of a box, one of them read by a number that is a parameter",
    """
import numpy as np


def walls(n, x):
    x[0, 1:-1] = -x[1, 1:-1]
    x[-1, 1:-1] = x[n, 1:-1]
    x[1:-1, -1] = x[1:-1, n]
    x[-1, -1] = 0.5 * (x[n, -1] + x[-1, n])


def f(n, x, y, a):
    x = x.copy()
    h = 1.0 / n
    for k in range(3):
        x[1:-1, 1:-1] = (y[1:-1, 1:-1] + a * (x[:n, 1:-1] + x[2:, 1:-1] + x[1:-1, :n])) / (1 + 4 * a)
        walls(n, x)
    return h * np.sum(x**2)
""",
    3,
    signed(5, 5),
    signed(5, 5),
    0.3,
)

case(
    "calls that write into views: rows, parts of rows, transposes, items of a list",
    """
import numpy as np


def spread(g, i, t):
    g[i].fill(t)
    np.copyto(g[i + 1, 1:], g[i, :-1] * t)


def f(x, t):
    a = np.outer(x, x)
    spread(a, 0, x[2])
    for i in range(4):
        a[i].sort()
        a[:, i].fill(a[i, 0] * x[i])
    np.copyto(a[0, 1:3], x[:2] * t, where=x[:2] > 0)
    np.copyto(a[3][1:], a[1:, 2] * x[1:])
    a.T[1].sort()
    a[2:, ::2].T.fill(t)
    for row in a:
        row[1:2].fill(row[0] * t)
    parts = [x * 2, x.copy()]
    parts[0][:2].sort()
    parts[1].fill(x[3])
    np.copyto(parts[0][2:], parts[1][:2] * x[:2])
    return a * parts[0] * parts[1]
""",
    signed(4),
    0.7,
)
case(
    "vectors and numbers joined with arrays of another rank",
    """
import numpy as np


def f(x, t):
    a = np.vstack((x, np.eye(4)))
    b = np.hstack((x[0], np.ones(2), x[1:3]))
    c = np.column_stack((np.ones((4, 2)), x, x * t))
    d = np.vstack((np.ones((1, 4)), x * 2.0, np.outer(x, x)))
    rows = [x, np.outer(x, x)]
    return np.cos(a) * x, b**2, c * t, np.sin(d), np.vstack(rows) ** 2, np.hstack((np.sum(x), x))
""",
    signed(4),
    0.7,
)
case(
    "a seed that is the adjoint of a number",
    """
import numpy as np


def f(x, t):
    w = x[1:] * 0.3
    s = x[0] * t
    w -= s
    if w[-1] > -9.0:
        s = s + np.sum(w[-1] * w.copy()) * 0.3
    s = s + np.sum(w.copy()) * 0.3
    m = t
    out = w[-1] + m
    if s < 99.0:
        m = x[0]
    return s + w @ w + out * m
""",
    signed(4),
    0.7,
)
case(
    "lists of constants in products",
    """
import numpy as np


def f(x, t):
    a = [3, 5, 2, 1]
    c = [1.0, 2, 5, 2]
    e = c * np.exp(-((x[0] - a) ** 2) / np.pi) * np.cos(np.pi * (x[1] - a) ** 2)
    return np.sum(e) * t + np.sum(np.cos(x) / c * np.exp(x))
""",
    signed(4),
    0.7,
)
case(
    "arrays of displays with starred items, and of lists that are added",
    """
import numpy as np


def f(x, t):
    a = np.asarray([0.0, x[0]] + list(x[1::2]))
    b = np.array([t, *x, x[0] * x[1]])
    c = np.array((*x[:2], x[3] ** 2, *x[1:]))
    rows = np.outer(x, x)
    d = np.array([*rows, x])
    items = [x[0], x[1] * 2]
    e = np.array([*items, *items, 1.0])
    items[0] = x[3]
    g = np.array([*items] + [x[2]] + [1.0, x[0]])
    b[0] += x[1]
    whole = np.array([*x])
    whole[1:] = t
    return np.sum(a * a[::-1]) * b, np.sin(c) * c, d @ whole, e * g, np.array([0.0] * 2 + list(x)) ** 2
""",
    signed(4),
    0.7,
)
case(
    "tables of constants that are repeated, beside arrays",
    """
import numpy as np

ONE = [2.0]
TWO = [1.0, 2.0]


def f(x, t, n):
    y = np.sin(x) * (ONE * n) + TWO * (n // 2) * np.exp(-x)
    return np.sum(ONE * n * x * x) * y * t + (np.cos(x) - x) * (ONE * n) / (TWO * (n // 2))
""",
    signed(4),
    0.7,
    4,
)
case(
    "sums of arrays whose names are those of lists, too",
    """
import numpy as np


def f(x, t):
    v = [1.0]
    v = x * 2
    w = (1.0, 2.0)
    w = x * x
    a = [x[0]]
    b = [x[1], t]
    return np.array(v + w) * t, np.array(a + b) ** 2
""",
    signed(4),
    0.7,
)

# ---------------------------------------------------------------- where results go: out=, flat, real and imag
case(
    "results that are written into attributes",
    """
import numpy as np


class S:
    def __init__(self, x):
        self.a = np.zeros(4)
        self.x = x
    def step(self):
        np.add(self.x, 1.0, out=self.a)
        np.multiply(self.a, self.x, out=self.a)


def f(x):
    s = S(x)
    s.step()
    s.step()
    return np.sum(s.a * x)
""",
    draw(4),
)
case(
    "results that are written into entries of a dict",
    """
import numpy as np


def f(x):
    p = {"buf": np.zeros(4), "c": x}
    np.multiply(x, x, out=p["buf"])
    np.add(p["buf"], p["c"], out=p["buf"])
    return np.sum(p["buf"] * x)
""",
    draw(4),
)
case(
    "out as a tuple of one",
    """
import numpy as np


def f(x):
    y = np.zeros(4)
    np.multiply(x, x, out=(y,))
    z = np.add(y, x, out=(y,))
    return np.sum(z * y)
""",
    draw(4),
)
case(
    "results that are written into views that a method makes",
    """
import numpy as np


def f(x):
    y = np.zeros((2, 2))
    np.multiply(x, x, out=y.reshape(-1))
    np.multiply(x, 2.0, out=y.ravel())
    return np.sum(y ** 2)
""",
    draw(4),
)
case(
    "results that are written into a transposed view",
    """
import numpy as np


def f(x):
    y = np.zeros((2, 3))
    np.multiply(x, x, out=y.T)
    return np.sum(y ** 2)
""",
    draw(3, 2),
)
case(
    "out=None",
    """
import numpy as np


def f(x):
    y = np.multiply(x, x, out=None)
    return np.sum(y ** 2)
""",
    draw(3, 2),
)
case(
    "a list of arrays that is joined into another one",
    """
import numpy as np


def f(x):
    y = np.zeros(4)
    parts = [x[1:] * 2.0, x[:1]]
    np.concatenate(parts, out=y)
    return np.sum(y * x)
""",
    draw(4),
)
case(
    "np.put and its kin into rows",
    """
import numpy as np


def f(x, v):
    y = np.outer(x, x)
    np.put(y[1], [0, 2], v)
    np.place(y[2], x > 0.8, v)
    np.putmask(y[0], x > 0.8, v[0])
    np.put_along_axis(y[:2], np.array([[0, 2], [1, 3]]), v, axis=1)
    np.fill_diagonal(y[1:, 1:], v[0])
    return np.sum(y * x)
""",
    draw(4),
    draw(2),
)
case(
    "np.put into an attribute",
    """
import numpy as np


class S:
    def __init__(self, x):
        self.a = np.outer(x, x)
    def put(self, v):
        np.put(self.a, [0, 2], v)


def f(x, v):
    s = S(x)
    s.put(v)
    return np.sum(s.a * x)
""",
    draw(4),
    draw(2),
)
case(
    "np.place into an attribute",
    """
import numpy as np


class S:
    def __init__(self, x):
        self.a = np.outer(x, x)
    def put(self, v):
        np.place(self.a, self.a > 0.8, v)


def f(x, v):
    s = S(x)
    s.put(v)
    return np.sum(s.a * x)
""",
    draw(4),
    draw(2),
)
case(
    "np.putmask into an attribute",
    """
import numpy as np


class S:
    def __init__(self, x):
        self.a = np.outer(x, x)
    def put(self, v):
        np.putmask(self.a, self.a > 0.8, v)


def f(x, v):
    s = S(x)
    s.put(v)
    return np.sum(s.a * x)
""",
    draw(4),
    draw(4),
)
case(
    "a.flat by keys",
    """
import numpy as np


def f(x, v):
    a = np.outer(x, x)
    a.flat[3] = v[0]
    a.flat[::5] = v[1]
    a.flat[1:4] += v[:3]
    a.flat[[7, 8]] = v[:2]
    return np.sum(a * x)
""",
    draw(4),
    draw(4),
)
case(
    "a.flat as a whole",
    """
import numpy as np


def f(x, v):
    a = np.zeros((2, 2))
    a.flat = v
    return np.sum(a * x)
""",
    draw(2),
    draw(4),
)
case(
    "a.flat that is read",
    """
import numpy as np


def f(x, v):
    a = np.outer(x, x)
    s = 0.0
    for e in a.flat:
        s += e * e
    return np.sum(a.flat[1:3] * v[:2]) * a.flat[2] + s
""",
    draw(2),
    draw(4),
)
case(
    "a.flat of an attribute",
    """
import numpy as np


class S:
    def __init__(self, x):
        self.a = np.outer(x, x)
    def put(self, v):
        self.a.flat[::5] = v


def f(x, v):
    s = S(x)
    s.put(v[0])
    return np.sum(s.a * x)
""",
    draw(4),
    draw(4),
)
case(
    "the real part is set",
    """
import numpy as np


def f(x):
    z = np.zeros(4, dtype=complex)
    z.real = x
    return np.sum(np.abs(z + 1j * x) ** 2)
""",
    draw(4),
)
case(
    "the imaginary part is updated",
    """
import numpy as np


def f(x):
    z = x * (1.0 + 2.0j)
    z.imag += x * x
    z.real *= 2.0
    return np.sum(np.abs(z) ** 2 * z.real)
""",
    draw(4),
)
case(
    "the real part of a slice is set",
    """
import numpy as np


def f(x):
    z = x * (1.0 + 2.0j)
    z[1:].real = x[:-1]
    return np.sum(np.abs(z) ** 2)
""",
    draw(4),
)
case(
    "a.flat in a loop",
    """
import numpy as np


def f(x):
    a = np.outer(x, x)
    n = a.size
    for k in range(n):
        a.flat[k] = a.flat[k] * x[k % 4]
        if k > 0:
            a.flat[k] += a.flat[k - 1]
    return np.sum(a * x)
""",
    draw(4),
)
case(
    "a.flat by a mask",
    """
import numpy as np


def f(x):
    a = np.outer(x, x)
    m = np.ravel(a) > 0.8
    a.flat[m] = x[0]
    return np.sum(a * x)
""",
    draw(4),
)
case(
    "a.flat at the largest element",
    """
import numpy as np


def f(x):
    a = np.outer(x, x)
    k = np.argmax(a)
    a.flat[k] = a.flat[k - 1] * 2.0
    return np.sum(a * x) + a.flat[np.argmin(a)]
""",
    draw(4),
)
case(
    "a.flat takes values again and again",
    """
import numpy as np


def f(x):
    a = np.zeros((3, 4))
    a.flat = x[:3]
    b = np.zeros((3, 4))
    b.flat[:] = [x[0], x[1]]
    c = np.zeros((2, 2))
    c.flat = np.outer(x, x)
    c.flat = 2.0 * x[0] + c.T
    return np.sum(a * x) + np.sum(b * b * x) + np.sum(c * c)
""",
    draw(4),
)
case(
    "a.flat of the argument",
    """
import numpy as np


def f(x):
    return x.flat[3] * x.flat[0] + np.sum(x.flat[1:3]) + sum(e * e for e in x.flat) + np.dot(x.flat, x.flat)
""",
    draw(2, 3),
)
case(
    "a.flat of two arguments",
    """
import numpy as np


def f(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x.flat, y.flat)):
        s += a * b * (i + 1)
    z = np.array([v * v for v in x.flat])
    w = list(y.flat)
    return s + np.sum(z) + w[2] * len(x.flat)
""",
    draw(2, 3),
    draw(2, 3),
)
case(
    "objects whose attributes are called flat and real",
    """
import numpy as np


class Rent:
    def __init__(self, x):
        self.flat = x * 2.0
        self.real = x[0]


def f(x):
    r = Rent(x)
    r.flat = r.flat * r.real
    r.real = 3.0 * r.flat[1]
    return np.sum(r.flat) * r.real
""",
    draw(4),
)
case(
    "a list of objects whose attributes are called flat and real",
    """
import numpy as np


class Rent:
    def __init__(self, x):
        self.flat = x * 2.0
        self.real = x[0]


def f(x):
    rs = [Rent(x), Rent(x * 2.0)]
    for r in rs:
        r.flat = r.flat * r.real
    rs[0].real = 3.0 * rs[1].flat[1]
    rs[0].flat = rs[1].flat
    rs[0].flat[0] = 2.0
    return np.sum(rs[0].flat) * rs[0].real
""",
    draw(4),
)
case(
    "a.flat of an array in a branch",
    """
import numpy as np


def f(x, y):
    s = y * 1.0
    if np.ndim(y) > 0:
        for v in y.flat:
            s = s + v * v
    return np.sum(s * x)
""",
    draw(3),
    1.3,
)
case(
    "a.flat of an array that a loop binds",
    """
import numpy as np


def f(x):
    s = 0.0
    for k in range(3):
        a = x * (k + 1.0)
        a.flat[k] = x[0, 0] ** 2
        s += np.sum(a * x) + a.flat[k + 1]
        a.flat[k + 1] *= s
        s += a[0, 1]
    return s
""",
    draw(3, 3),
)
case(
    "a.flat of a name that is bound twice",
    """
import numpy as np


def f(x):
    a = x * 2.0
    a.flat[1] = 3.0 * x[0, 0]
    a = a * x
    a.flat[2] = a.flat[1] * 2.0
    a *= 3.0
    return np.sum(a * x)
""",
    draw(3, 3),
)
case(
    "a.flat of the argument, in place",
    """
import numpy as np


def f(a, x):
    a.flat[::4] += x
    a.flat[1] = a.flat[0] * x
    return np.sum(a)
""",
    draw(3, 3),
    1.3,
    of=("a",),
)
case(
    "a.flat in the test of a loop",
    """
import numpy as np


def f(x):
    a = np.outer(x, x)
    k = 0
    while a.flat[k] < 1.0 and k < 8:
        a.flat[k] += x[0]
        k += 1
    return np.sum(a * x)
""",
    draw(3),
)
case(
    "a.flat of slices",
    """
import numpy as np


def f(x):
    a = np.zeros((2, 3, 2))
    a[0].flat[1:4] = x
    a[1, :2].flat = [x[0], x[1]]
    a[1].flat[-1] = a[0].flat[1] * x[2]
    return np.sum(a ** 2)
""",
    draw(3),
)
case(
    "both parts are set at once",
    """
import numpy as np


def f(x):
    z = np.zeros(3, dtype=complex)
    w = np.zeros(3, dtype=complex)
    z.real, z.imag = x, x ** 2
    w.real = w.imag = x * 2.0
    z.real, w.imag[1:] = z.imag * 2.0, z.real[:-1]
    return np.sum(np.abs(z * w) ** 2)
""",
    draw(3),
)
case(
    "parts of views are set",
    """
import numpy as np


def f(x):
    z = np.zeros((2, 3), dtype=complex)
    z.real = x
    z.imag = x[0]
    z[0].imag = 2.0
    z[0].real *= x
    z[:, 1].imag -= x[:2]
    z.T.real += 1.0
    return np.sum(np.abs(z) ** 2 * x)
""",
    draw(3),
)
case(
    "parts are set in a loop",
    """
import numpy as np


def f(x):
    z = x.astype(complex)
    for k in range(3):
        z.real = z.real * x - z.imag
        z.imag += x * z.real
        if x[k] > 0.8:
            z[k] *= 1j
            z.imag[k] = x[0]
    return np.sum(np.abs(z) ** 2)
""",
    draw(3),
)
case(
    "parts of a second name are set",
    """
import numpy as np


def f(x):
    z = x * (1.0 + 1.0j)
    w = z
    r = z.real
    i = w.imag
    w.real = x ** 2
    i[1:] = r[1:] * 2.0
    r *= x
    return np.sum(np.abs(z) ** 2)
""",
    draw(3),
)
case(
    "parts of a spectrum are set",
    """
import numpy as np


def f(x):
    z = np.fft.fft(x)
    z.imag = 0.5 * z.imag
    z[1:].real *= 2.0
    return np.fft.ifft(z).real
""",
    draw(5),
)
case(
    "parts of an entry are set",
    """
import numpy as np


def f(x):
    d = {"z": x * 1j}
    d["z"].real = x ** 2
    d["z"].imag[1:] = x[1:]
    return np.sum(np.abs(d["z"]) ** 2)
""",
    draw(5),
)
case(
    "an object with attributes called real and imag",
    """
import types

import numpy as np


def f(x):
    p = types.SimpleNamespace(real=x * 2.0, imag=x)
    p.real = p.imag * p.real
    p.imag = 2.0 * x[0]
    return np.sum(p.real) * p.imag
""",
    draw(5),
)
case(
    "an entry that a helper hands on to one that computes into it",
    """
import numpy as np


def put(a, c):
    np.multiply(a, c, out=a)


def step(d, c):
    put(d["u"], c)


def f(x):
    d = {"u": x * 1.0}
    step(d, x[0])
    step(d, 2.0)
    return np.sum(d["u"] * x)
""",
    draw(3),
)
case(
    "an attribute that a helper computes into",
    """
import numpy as np


def step(s, c):
    np.multiply(s.u, c, out=s.u)


class S:
    def __init__(self, x):
        self.u = x * 1.0


def f(x):
    s = S(x)
    step(s, x[0])
    step(s, 2.0)
    return np.sum(s.u * x)
""",
    draw(3),
)
case(
    "an entry that a helper computes into",
    """
import numpy as np


def step(d, c):
    np.multiply(d["u"], c, out=d["u"])


def f(x):
    d = {"u": x * 1.0}
    step(d, x[0])
    step(d, 2.0)
    return np.sum(d["u"] * x)
""",
    draw(3),
)
case(
    "an attribute that a helper puts values into",
    """
import numpy as np


def step(s, c):
    np.put(s.u, [0, 1], c)
    np.add.at(s.u, [1, 1], c)
    s.u.flat[2] = c * c


class S:
    def __init__(self, x):
        self.u = x * 1.0


def f(x):
    s = S(x)
    step(s, x[0])
    y = s.u * 2.0
    step(s, x[1])
    return np.sum(s.u * x) + np.sum(y)
""",
    draw(3),
)
case(
    "items that a helper computes into",
    """
import numpy as np


def step(l, c):
    np.multiply(l[0], c, out=l[1])
    np.put(l[0], [0, 1], c)


def f(x):
    l = [x * 1.0, x * 2.0]
    step(l, x[0])
    step(l, x[1])
    return np.sum(l[0] * x) + np.sum(l[1])
""",
    draw(3),
)
case(
    "a selection of unknown rank that is updated in place: a copy",
    """
import numpy as np


def f(x, y):
    z = np.where(x > 0, x, y)
    w = z[z > 0]
    w *= 2.0
    z[z > 0] = w * x[z > 0]
    v = w[w < 1.5]
    v *= np.sum(w)
    return np.sum(z * y) + np.sum(w) * np.sum(v)
""",
    draw(6),
    draw(6),
)
case(
    "an array without a name that a helper writes, as a view of what is computed",
    """
import numpy as np


def f(w):
    def scaled(p, x):
        p *= x
        return np.sum(p)

    return scaled(np.linspace(0.3, 1.1, 4).reshape(4), np.sum(w))
""",
    draw(2),
)
case(
    "rows that are centred and scaled in a loop, each a view of unknown rank",
    """
import numpy as np


def f(A):
    A = A.copy()
    for row in A:
        row -= row.mean()
        row /= np.sqrt(np.sum(row * row))
    return A
""",
    draw(4, 3),
)
case(
    "columns that are centred through a view, with a length of its own",
    """
import numpy as np


def f(A):
    A = A.copy()
    for j in range(A.shape[1]):
        c = A[:, j]
        c -= c.mean()
        c *= c
    return A
""",
    draw(4, 3),
)
case(
    "a total that gets more axes as loops go on",
    """
import numpy as np


def f(x, w, z, A):
    s = z
    for i in range(len(x)):
        if x[i] > 0.8:
            s = s + x[i] * w
        elif np.sum(s) < 1e6:
            s = s - np.sin(2.0 * w)
    for i in range(len(A)):
        for j in range(i):
            s = A[j] * x[i] + s + w
    t = 0.0
    for row in A:
        t += row * s
        t = t + w[0]
    s = s * t
    for k in range(2):
        s = s - A
    return s
""",
    draw(3),
    draw(1),
    0.7,
    draw(3, 4),
)


# ---------------------------------------------------------------- ufuncs that update what indices name
case(
    "np.maximum.at with repeated indices",
    """
import numpy as np


def f(a, idx, x):
    out = a * 1.0
    np.maximum.at(out, idx, x)
    return np.sum(out**2)
""",
    draw(4),
    np.array([0, 2, 2, 1, 0]),
    draw(5),
)
case(
    "np.minimum.at with repeated indices",
    """
import numpy as np


def f(a, idx, x):
    out = a * 1.0
    np.minimum.at(out, idx, x * x)
    return np.sum(out**2)
""",
    draw(4),
    np.array([0, 2, 2, 1, 0]),
    draw(5),
)
case(
    "np.multiply.at with repeated indices",
    """
import numpy as np


def f(a, idx, x):
    out = a * 1.0
    np.multiply.at(out, idx, x)
    return np.sum(out**2)
""",
    draw(4),
    np.array([0, 2, 2, 1, 0]),
    draw(5),
)
case(
    "np.divide.at with repeated indices",
    """
import numpy as np


def f(a, idx, x):
    out = a * 1.0
    np.divide.at(out, idx, x)
    return np.sum(out**2)
""",
    draw(4),
    np.array([0, 2, 2, 1, 0]),
    draw(5),
)
case(
    "np.maximum.at of the rows of a matrix",
    """
import numpy as np


def f(a, idx, x):
    out = a * 1.0
    np.maximum.at(out, idx, np.sin(x) * 2)
    return np.sum(out**2)
""",
    draw(4, 3),
    np.array([0, 2, 2, 1, 0]),
    draw(5, 3),
)
case(
    "np.multiply.at of pairs of indices, by one number",
    """
import numpy as np


def f(a, e, x):
    out = a * 1.0
    np.multiply.at(out, (e[:, 0], e[:, 1]), x)
    return np.sum(out**2 * a)
""",
    draw(4, 3),
    np.array([[0, 2], [2, 1], [1, 0], [1, 0]]),
    1.7,
)
case(
    "np.multiply.at of an array by a part of itself",
    """
import numpy as np


def f(a, e):
    out = a * 1.0
    np.multiply.at(out, e, out[:3])
    return np.sum(out**2 * a)
""",
    draw(6),
    np.array([1, 2, 3]),
)
case(
    "values that are computed again of elements, of which others are stored later",
    """
import numpy as np


# s2s: u (3,)
def f(y: float, u):
    for i in range(2):
        y = u[0] + y + y
        y = y * u[2]
    u[1] = u[2]
    u *= y
    return u
""",
    0.7,
    draw(3),
)
case(
    "diagonals that are read where the array is written, and lies in a list",
    """
import numpy as np


# s2s: theta (k, m)
def f(theta, X):
    n = X.shape[1]
    factors = []
    for row in theta:
        L = np.zeros((n, n))
        L[np.tril_indices(n)] = row
        L[np.diag_indices(n)] = np.exp(np.diag(L))
        factors.append(L)
    total = 0.0
    for L in factors:
        d = np.log(np.diagonal(L).copy())
        L[0] *= 2.0
        total += np.sum((X @ L) ** 2) - np.sum(d)
    return total
""",
    draw(2, 3),
    draw(3, 2),
)
case(
    "a diagonal that is filled by what it holds",
    """
import numpy as np


# s2s: L (n, n)
def f(L):
    L = L * 1.0
    np.fill_diagonal(L, np.exp(np.diag(L)))
    d = np.diag(L)
    L[1] = L[0] * d
    return L
""",
    draw(3, 3),
)
case(
    "triangular loops over the elements that they write",
    """
import numpy as np


# s2s: A (n, n)
def f(A):
    n = len(A)
    A = A + 3.0 * np.eye(n)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = np.sqrt(s**2 + 1.0) if i == j else s / (1.0 + L[j, j])
    U = A.copy()
    for k in range(n - 1, -1, -1):
        for i in range(k):
            U[i, k] = U[i, k] / (2.0 + U[k, k] ** 2)
            for j in reversed(range(k)):
                U[i, j] = U[i, j] - U[i, k] * np.sin(U[k, j])
    T = np.ones((n, n))
    for i in range(1, n):
        for j in range(i, n):
            T[i, j] = np.sin(T[i - 1, j]) * A[i, j] + T[i, j - 1] * np.cos(T[j, i])
            T[j, i] *= np.tanh(T[i, j])
    return np.sum(L**2) + np.sum(np.cos(U)) + np.sum(T * A)
""",
    draw(4, 4),
)
case(
    "a loop variable behind a loop that did not run",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    R = np.ones((n, n))
    j = 0
    for k in range(n):
        for j in range(k + 1, n):
            R[k, j] = np.sin(R[k, k] * x[j])
        R[k, j] = R[k, j] ** 2 * x[k]
    return np.sum(R * R)
""",
    draw(4),
)
case(
    "arrays that are updated by what is made of them, under a name",
    """
import numpy as np


# s2s: w (n,), r (n,)
def f(y: float, w, r):
    a = w
    for i in range(2):
        z = w * r
        w = w + z
    for i in range(2):
        w = w + (w * r if y > 1 else np.sin(w) * r)
    for i in range(2):
        z = w * a
        v = z
        w = w - v
        r = r + w
    if y > 0.5:
        z = np.sin(w) * r
        w += z
        z = w * r * a
        w = 0.5 * w + z
    return w * r
""",
    1.7,
    draw(3),
    draw(3),
)
case(
    "an array of unknown rank that is updated by what is made of it, under a name",
    """
def f(y, w, r):
    z = w * r
    if y > 0.5:
        w = w + z
    for i in range(2):
        z = w * r
        w = w + z
    return w
""",
    1.7,
    draw(3),
    draw(3),
)
case(
    "views by functions of np.linalg, of an array that is written",
    """
import numpy as np


def f(T, k):
    T = T.copy()
    a = np.linalg.matrix_transpose(T)
    T *= k
    b, c = np.meshgrid(T[0], T[1])
    T[0] = 0.2 * k
    return np.sum(a * a) + np.sum(b * c)
""",
    draw(3, 3),
    0.7,
)
case(
    "fractions of an array that is written then",
    """
import numpy as np


def f(x, k):
    x = x.copy()
    a, b = np.modf(x)
    x[...] = 0.1 * k
    return k * np.sum(a * a) + np.sum(b * b) + np.sum(x)
""",
    draw(3),
    0.7,
)
case(
    "slices of what is flat, and sums of displays, of arrays that are written then",
    """
import numpy as np


def f(T, k):
    T = T.copy()
    a = T.flat[:3]
    b = sum([T])
    d = np.unstack(T)[1]
    T *= k
    return np.sum(a * a) + np.sum(b * T) + np.sum(d * d) + np.sum(T.flat[::2] * k)
""",
    draw(3, 3),
    0.7,
)
case(
    "a sum of masks",
    """
import numpy as np


def f(x, k):
    return np.sum(sum([x > 0.2, x > k]) * x) + sum([k * x[0], x[1]])
""",
    draw(4),
    0.7,
)
case(
    "items by their numbers, and a matrix that is unpacked",
    """
import numpy as np


def f(M, w, k: int):
    a, b, c, d = M.flat
    s = a * d - b * c + M.item(0, 1) * M[1].item(-1)
    for i in range(k):
        s += w[i] * M.item(i) ** 2
    return s * w.item(0)
""",
    signed(2, 2),
    draw(4),
    3,
)
case(
    "numbers written side by side, into rows, slices and views",
    """
import numpy as np


def f(k, c, a, n: int):
    A = np.zeros((n, n))
    A[0, :2] = [-k[0] / c[0], k[0] * a]
    for i in range(1, n - 1):
        A[i, i - 1 : i + 2] = [k[i - 1] / c[i], -(k[i - 1] + k[i]) / c[i], k[i] / c[i]]
    A[-1, -2:] = k[-1] / c[-1], -k[-1] * A[0, 1]
    A[1:3, 1:3] = [[A[1, 1], A[1, 2]], [A[2, 1] * a, a]]
    row = A[2]
    row[1:3] = [row[2], row[1]]
    A[:2, 0] += [a, k[1]]
    A[3, :] = [a, 2.0, A[3, 2], a * a]
    B = np.empty((n, 2))
    B[:] = [a, k[1] * a]
    return np.sum(A @ A * A) + np.sum(B**2)
""",
    draw(4),
    draw(4),
    0.7,
    4,
)
case(
    "a diagonal that is read where a row was written, and is not any more",
    """
import numpy as np


# s2s: L (n, n)
def f(L, c: float):
    L = L * 1.0
    d = np.diag(L)
    L[1] = c * d
    L[0] = c * np.sin(L[1])
    return L
""",
    draw(3, 3),
    0.7,
)
BESIDE = {
    "the sum of a list beside an array that goes back": "np.sum(sum(L) * u)",
    "the product of a list of rows and an array that goes back": "np.vdot(np.array(L), B)",
    "a list of rows in another shape beside an array that goes back": "np.sum(np.reshape(L, (3, 4)) * B)",
}
for name, e in BESIDE.items():
    case(
        name,
        f"""
import numpy as np


# s2s: u (4,), A (3, 4), B (3, 4)
def f(u, A, B, k: float, n: int):
    L = [r * k for r in A]
    u = u.copy()
    B = B.copy()
    for i in range(n):
        u -= u[::-1] ** 2
        B[i] -= B[i + 1] ** 2
    return {e}
""",
        draw(4),
        draw(3, 4),
        draw(3, 4),
        0.7,
        2,
    )
case(
    "an argument of no account under a second name, that is written behind an early return",
    """
import numpy as np


# s2s: u (3,), v (3,), x ()
def f(x, u, v, n):
    w = u
    if n > 1:
        return x * v[0]

    def shift():
        w[:] += 1.0

    shift()
    return np.sum(v) * x
""",
    0.7,
    draw(3),
    draw(3),
    1,
)

# ---------------------------------------------------------------- which element is set to zero and read again

case(
    "elements that later iterations read again",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i] = np.sin(x[i])
        for j in range(i + 1):
            x = x + 0.1 * y[j] ** 2
    return np.sum(x * y)
""",
    signed(6),
)

case(
    "elements counted from the end by a loop",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(-1, n - 1):
        y[i] = np.sin(x[i]) * y[i - 1] + x[i]
        s = s + y[i] ** 2 * y[n - 1]
    return s
""",
    signed(6),
)

case(
    "the last element read as the one before the first",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = x * 1.0
    s = 0.0
    for i in range(n):
        y[i] = np.sin(x[i]) * y[i - 1] + x[i]
        s = s + y[i] ** 2
    return s
""",
    signed(6),
)

case(
    "elements from the last one down",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = x * 1.0
    for i in range(n - 1, 0, -1):
        y[i - 1] = np.sin(y[i]) * x[i - 1]
    return y[0] * 1.0
""",
    signed(6),
)

case(
    "an element that an iteration writes twice",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(n):
        y[i] = np.sin(x[i])
        s = s + y[i] ** 2
        y[i] = s * x[i]
        s = s * y[i]
    return s
""",
    signed(6),
)

case(
    "elements and those across the diagonal",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros((n, n))
    s = 0.0
    for i in range(n):
        for j in range(n):
            y[i, j] = np.sin(x[i] * x[j]) + y[j, i]
            s = s + y[i, j] ** 2 * y[j, i]
    return s
""",
    signed(6),
)

case(
    "an element that an inner loop multiplies",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] ** 2
        for j in range(i):
            y[i] = y[i] * x[j] + y[j]
    s = 0.0
    for i in range(n):
        s = s + y[i] * y[0]
    return s
""",
    signed(6),
)

case(
    "elements behind the one that is written",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    y[0] = x[0] ** 2
    y[1] = x[1] ** 3
    for i in range(1, n):
        y[i] = y[i] * x[i] + y[i - 1]
        y[i - 1] = np.sin(x[i])
    return np.sum(y[1:] * y[:-1])
""",
    signed(6),
)

case(
    "an array that is filled again and again",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for t in range(3):
        for i in range(n):
            y[i] = np.sin(x[i] + s)
            s = s + y[i] * 0.1
        for i in range(n):
            s = s + y[i] ** 2
    return s
""",
    signed(6),
)

case(
    "an array that each iteration makes anew",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    s = 0.0
    for t in range(3):
        y = np.zeros(n)
        for i in range(n):
            y[i] = np.sin(x[i] + s)
            s = s + y[i] * 0.1 * y[i - 1]
    return s
""",
    signed(6),
)

case(
    "the index of a loop that is bound anew",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(n):
        i = i // 2
        y[i] = np.sin(x[i] + s)
        s = s + y[i]
    return s
""",
    signed(6),
)

case(
    "an inner loop with the index of the outer one",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(n):
        for i in range(3):
            y[i] = np.sin(x[i] + s)
        s = s + y[i]
    return s
""",
    signed(6),
)

case(
    "an array that is filled in a while loop",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    k = 0
    while k < 3:
        for i in range(n):
            y[i] = np.sin(x[i] + s)
            s = s + y[i] * y[0]
        k = k + 1
    return s
""",
    signed(6),
)

case(
    "elements that branches write",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(1, n):
        if x[i] > 0:
            y[i] = np.sin(x[i] + s)
        else:
            y[i - 1] = np.cos(x[i])
        s = s + y[i] * y[i - 1]
    return s
""",
    signed(6),
)

case(
    "every second element",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(0, n, 2):
        y[i] = np.sin(x[i] + s)
        s = s + y[i] * y[i - 1]
    return s
""",
    signed(6),
)

case(
    "rows with a second name",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros((n, n))
    s = 0.0
    for i in range(n):
        y[i] = np.sin(x * x[i])
        r = y[i]
        s = s + np.sum(r ** 2) + y[0, i]
    return s
""",
    signed(6),
)

case(
    "columns of which rows are read",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros((n, n))
    s = 0.0
    for i in range(n):
        y[:, i] = np.sin(x * x[i])
        s = s + np.sum(y[i] ** 2)
    return s
""",
    signed(6),
)

case(
    "elements on both sides of the diagonal",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    n = len(x)
    y = np.zeros((n, n))
    s = 0.0
    for i in range(n):
        for j in range(i, n):
            y[i, j] = np.sin(x[i] * x[j])
            y[j, i] = y[i, j] * x[i]
            s = s + y[j, i] ** 2 + y[i, i]
    return s
""",
    signed(6),
)

# ---------------------------------------------------------------- shapes of what is looked up, and of half spectra
case(
    "a table in which numbers, vectors and matrices are looked up",
    """
import numpy as np


# s2s: x (n,), y (n,), q (m,), Q (k, m)
def f(x, y, q, Q):
    total = 0.0
    for p in q:
        k = np.searchsorted(x, p) - 1
        t = (p - x[k]) / (x[k + 1] - x[k])
        total += ((1 - t) * y[k] + t * y[k + 1]) ** 2
    k = np.searchsorted(x, q) - 1
    K = np.searchsorted(x, v=Q) - 1
    return total + np.sum(y[k] * y[k + 1] * q) + np.sum(y[K] * Q * q)
""",
    np.array([0.0, 0.3, 0.5, 1.1, 1.6]),
    draw(5),
    np.array([0.1, 0.41, 0.47]),
    np.array([[0.2, 1.3, 0.6], [1.2, 0.7, 0.35]]),
)
case(
    "gains of half a spectrum, of even and odd numbers of samples",
    """
import numpy as np


# s2s: x (n,), y (m,), S (k, n)
def f(x, y, S, cutoff: float):
    gain = 1.0 / (1.0 + (np.fft.rfftfreq(len(x)) / cutoff) ** 2)
    u = np.fft.irfft(gain * np.fft.rfft(x), n=len(x))
    w = np.fft.irfft(np.fft.rfft(y), len(y)) * y
    z = np.fft.irfft(np.fft.rfft(x) * gain)
    T = np.fft.irfft(np.fft.rfft(S) * gain, len(x)) * x
    B = np.fft.irfft(np.fft.rfft(S, axis=0), len(S), axis=0) * S
    return np.sum((u - x) ** 2) + np.sum(w) + np.sum(z) + np.sum(T**3) + np.sum(B)
""",
    signed(6),
    signed(5),
    signed(3, 6),
    0.3,
)
case(
    "products of vectors in space, of known and unknown lengths",
    """
import numpy as np


# s2s: u (3,), v (3,), w (n,), A (n, 3)
def f(u, v, w, A):
    c = np.cross(u, v)
    e = np.cross(u, w)
    return np.sum(c * (u + w)) + np.sum(e * np.cross(w, v)) + np.sum(np.cross(u, A) * np.cross(A[1], A[2:]))
""",
    signed(3),
    signed(3),
    signed(3),
    signed(3, 3),
)
case(
    "a sweep that returns when it has converged, and raises if it does not",
    """
import numpy as np


# s2s: x (n,), A (n, n), b (n,)
def f(x, A, b, tol: float):
    for sweep in range(100):
        worst = 0.0
        for i in range(len(b)):
            new = (b[i] - A[i] @ x + A[i, i] * x[i]) / A[i, i]
            worst = max(worst, abs(new - x[i]))
            x[i] = new
        if worst < tol:
            return
    raise RuntimeError("no convergence")
""",
    draw(3),
    draw(3, 3) + 4.0 * np.eye(3),
    draw(3),
    1e-3,
    of=("x",),
)
case(
    "a procedure of which one path never ends",
    """
import numpy as np


# s2s: x (n,)
def f(x, least: float):
    if x[0] > 99.0:
        x[0] *= 2.0
        raise ValueError("x[0] is too large")
    for k in range(10):
        x[k % 3] = np.sin(x[k % 3]) * x[0]
        if x[0] < least:
            return
    while True:
        least += 1.0
        if least > 5.0:
            raise RuntimeError("no convergence")
""",
    draw(3),
    0.3,
    of=("x",),
)
case(
    "branches that raise, in a loop that changes what the test reads",
    """
import numpy as np


# s2s: x (n,)
def f(x, steps: int):
    for k in range(steps):
        if x[k] > 1.0:
            x[k] *= x[0]
        elif x[k] < -1.0:
            raise ValueError("negative")
        else:
            y = 0.7 * x[0]
            if y > 99.0:
                x[0] = 2.0 * y
                raise ValueError("too large")
            else:
                x[0] *= y
                if k > 2:
                    break
            x[k] += y**2
    if x[0] > 0.0:
        return np.sum(x) * y
    else:
        raise ValueError("negative")
""",
    draw(4),
    4,
)

case(
    "two buffers in turn, by a procedure",
    """
import numpy as np


def step(A, B, k):
    B[1:-1] = A[1:-1] + k * A[:-2] * A[2:]


# s2s: u (n,)
def f(u, k: float, n: int):
    cur = u.copy()
    new = u.copy()
    for _ in range(n):
        step(cur, new, k)
        cur, new = new, cur
    return np.sum(cur**2)
""",
    np.array([0.4, -0.3, 0.6, 0.2]),
    0.7,
    3,
)
case(
    "three buffers in turn: the wave equation",
    """
import numpy as np


# s2s: u0 (n,)
def f(u0, c: float, steps: int):
    u_prev = u0.copy()
    u = u0.copy()
    u_next = np.zeros_like(u0)
    for _ in range(steps):
        u_next[1:-1] = 2.0 * u[1:-1] - u_prev[1:-1] + c**2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u_prev, u, u_next = u, u_next, u_prev
    return np.sum(u**2)
""",
    np.array([0.4, -0.3, 0.6, 0.2, 0.1]),
    0.7,
    4,
)
case(
    "buffers that change their places where a test says so, by a temporary",
    """
import numpy as np


# s2s: u (n,)
def f(u, k: float, n: int):
    a = u.copy()
    b = u * k
    for i in range(n):
        if np.sum(a) > 0.5:
            tmp = a
            a = b
            b = tmp
        a[1:] *= b[:-1]
        if i == 2:
            a, b = b, a
            break
    return np.sum(a * b) + np.sum(a)
""",
    np.array([0.4, -0.3, 0.6, 0.2]),
    0.7,
    4,
)
case(
    "buffers that change their places, under a mask",
    """
import numpy as np


# s2s: u (n,), m (n,)
def f(u, k: float, m):
    a = u.copy()
    b = u * k
    for i in range(3):
        a[1:] *= b[:-1]
        a, b = b, a
    return np.sum(a * (m > 0))
""",
    np.array([0.4, -0.3, 0.6, 0.2]),
    0.7,
    np.array([1, -1, 2, 1]),
)

case(
    "an element of a product of a matrix of unknown rank, added to another array",
    """
import numpy as np


def f(x, B, A):
    u = B.T @ A[:, 0]
    total = np.zeros((2, 3))
    total[0, 0] += u[0]
    return np.sum(u * x)
""",
    np.array([0.5, 1.2, -0.3]),
    np.array([[1.0, 0.3, 0.2], [0.4, 0.5, 0.6], [-0.3, 0.8, 0.1]]),
    np.array([[0.7, 0.1, 0.0], [0.2, 0.9, 0.3], [0.4, 0.0, 1.1]]),
)

for _name, _write in {
    "by one axis": "w = C.ravel()[:2]\n    w += q",
    "by flat": "C.flat[1] = q",
    "by a reshaped part": "C.reshape(-1)[1:3] += q",
}.items():
    case(
        f"a transposed copy is written {_name}",
        f"""
import numpy as np


def f(A, q: float):
    # s2s: A (2, 2)
    C = A.T.copy()
    {_write}
    return np.sum(A * C)
""",
        np.array([[0.4, -0.9], [0.3, 0.7]]),
        0.6,
    )

case(
    "a half transform back, as long as a complex array",
    """
import numpy as np


def f(x, k: float):
    # s2s: x (n,)
    v = np.zeros(3, dtype=complex)
    v[1:] = np.exp(1j * k)
    a = np.fft.irfft(v[:2], 3)
    return np.sum(a) + np.sum(a * x)
""",
    np.array([0.5, 1.2, -0.3]),
    0.6,
)

case(
    "a transposed copy is written by one axis in a helper",
    """
import numpy as np


def put(C, q):
    w = C.ravel()
    w[1] += q


def f(A, q: float):
    # s2s: A (2, 2)
    C = A.T.copy()
    put(C, q)
    return np.sum(A * C)
""",
    np.array([[0.4, -0.9], [0.3, 0.7]]),
    0.6,
)
case(
    "an element that a loop adds to, set before and asked for later",
    """import numpy as np


# s2s: w (k,), x (n,m)
def f(w, x):
    n, m = x.shape
    s = np.ones(n)
    p = 0.0
    for r in range(2):
        for t in range(n):
            p += s[t] ** 2 * w[0]
            s[t] = w[0] * np.sin(p)
            for j in range(m):
                s[t] += w[1] * x[t, j]
            p += s[t] ** 2 * 0.1
    return p + np.sum(s ** 2)
""",
    np.array([0.3, 0.7, 0.4]),
    np.array([[0.3, -0.7, 0.4], [0.9, -0.2, 0.5], [-0.6, 0.8, 0.1], [0.2, 0.35, -0.45]]),
)
case(
    "an element that is set and added to under a key that changes",
    """import numpy as np


# s2s: w (k,), x (n,m)
def f(w, x):
    n, m = x.shape
    s = np.ones(n)
    p = 0.0
    for r in range(2):
        k = 0
        for t in range(n):
            s[k] = w[0] * np.sin(p)
            k = (k + 1) % n
            p += s[k] ** 2
            s[k] += w[1] * x[t, 0]
            p += s[k] ** 2 * 0.1
    return p + np.sum(s ** 2)
""",
    np.array([0.3, 0.7, 0.4]),
    np.array([[0.3, -0.7, 0.4], [0.9, -0.2, 0.5], [-0.6, 0.8, 0.1], [0.2, 0.35, -0.45]]),
)
case(
    "an element that is exchanged and added to",
    """import numpy as np


# s2s: w (k,), x (n,m)
def f(w, x):
    n, m = x.shape
    s = np.ones(n) * w[0]
    p = 0.0
    for t in range(1, n):
        p += s[t - 1] ** 2 * s[t] ** 2 * 0.1
        s[t - 1], s[t] = s[t], s[t - 1]
        s[t] += w[1] * x[t, 0]
        p += s[t] ** 2
    return p + np.sum(s ** 2)
""",
    np.array([0.3, 0.7, 0.4]),
    np.array([[0.3, -0.7, 0.4], [0.9, -0.2, 0.5], [-0.6, 0.8, 0.1], [0.2, 0.35, -0.45]]),
)
case(
    "rows that are set, and whose elements get more",
    """import numpy as np


# s2s: w (k,), x (n,m)
def f(w, x):
    n, m = x.shape
    C = np.zeros((n, m))
    p = 0.0
    for r in range(2):
        for t in range(n):
            p += np.sum(C[t] ** 2) * 0.1
            C[t] = w[0] * x[t] ** 2
            for j in range(m):
                if x[t, j] > 0:
                    C[t, j] += w[1] * x[t, j]
            p += C[t, 0] ** 2 * 0.1
    return p
""",
    np.array([0.3, 0.7, 0.4]),
    np.array([[0.3, -0.7, 0.4], [0.9, -0.2, 0.5], [-0.6, 0.8, 0.1], [0.2, 0.35, -0.45]]),
)
case(
    "a row that is set, read by a view and gets more",
    """import numpy as np


# s2s: w (k,), x (n,m)
def f(w, x):
    n, m = x.shape
    C = np.ones((n, m))
    p = 0.0
    for r in range(2):
        for t in range(n):
            C[t] = w[0] * x[t] ** 2
            v = C[t]
            p += np.sum(v * w[1] * v)
            for j in range(m):
                C[t, j] += w[1] * x[t, j]
            p += C[t, 0] ** 2 * 0.1
    return p
""",
    np.array([0.3, 0.7, 0.4]),
    np.array([[0.3, -0.7, 0.4], [0.9, -0.2, 0.5], [-0.6, 0.8, 0.1], [0.2, 0.35, -0.45]]),
)
case(
    "elements under an index array that changes in between",
    """import numpy as np


# s2s: w (k,), x (n,m)
def f(w, x):
    n, m = x.shape
    s = np.ones(n)
    idx = np.arange(2)
    p = 0.0
    for r in range(2):
        p += np.sum(s[idx] ** 3)
        s[idx] = w[0] * np.sin(p)
        idx[0] = 2
        s[idx] += w[1] * x[0, 0]
        p += np.sum(s ** 2)
        idx[0] = 0
    return p
""",
    np.array([0.3, 0.7, 0.4]),
    np.array([[0.3, -0.7, 0.4], [0.9, -0.2, 0.5], [-0.6, 0.8, 0.1], [0.2, 0.35, -0.45]]),
)
case(
    "a loop that writes a row in a loop, and one that writes all",
    """import numpy as np


# s2s: w (k,), x (n,m)
def f(w, x):
    n, m = x.shape
    A = np.ones((n, n))
    p = 0.0
    for t in range(n):
        p += np.sum(A ** 2)
        for j in range(n):
            A[t, j] += w[1] * x[j, 0]
        for j in range(n):
            for q in range(n):
                A[j, q] += w[0]
    return p
""",
    np.array([0.3, 0.7, 0.4]),
    np.array([[0.3, -0.7, 0.4], [0.9, -0.2, 0.5], [-0.6, 0.8, 0.1], [0.2, 0.35, -0.45]]),
)
BY_KEYWORD = {
    "copied into": "np.copyto(dst=a, src=k * x)",
    "copied into, the source first": "np.copyto(src=k * x, dst=a)",
    "copied into, where": "np.copyto(where=x > 0.5, dst=a, src=x * k)",
    "put": "np.put(a=a, ind=[0, 1], v=k)",
    "placed": "np.place(arr=a, mask=a > 0.5, vals=np.array([k, 2.0 * k]))",
    "put along an axis": "np.put_along_axis(arr=a, indices=np.array([1, 0]), values=k * x[1:], axis=0)",
}
for name, text in BY_KEYWORD.items():
    case(
        f"arrays that functions write into, by keywords: {name}",
        f"""
import numpy as np


# s2s: x (n,), k ()
def f(x, k):
    a = x.copy()
    {text}
    return np.sum(a * a * x)
""",
        np.array([0.3, 0.8, 1.1]),
        0.7,
    )
