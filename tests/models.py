"""Programs as people write them: formulas with tables and guards, simulations, filters, small networks.

Each: the text of a module with a function `f`, arguments, and the parameters to differentiate in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

r = np.random.default_rng(3)
MODELS: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {}


def case(name: str, source: str, args: tuple[Any, ...], wrt: tuple[str, ...] = ()) -> None:
    MODELS[name] = (source, args, wrt)


case(
    "saturation",
    '''
import math

T0 = 273.15
COEFFS = (6.112, 17.67, 243.5)

def saturation_pressure(t, over_ice=False):
    """Bolton."""
    a, b, c = COEFFS
    if over_ice and t < T0:
        b, c = 22.46, 272.62
    tc = t - T0
    return a * math.exp(b * tc / (tc + c))

def mixing_ratio(p, e):
    if e >= p:
        return float("inf")
    return 0.622 * e / (p - e)

def f(t: float, p: float = 1000.0, rh: float = 0.5, *, ice=False):
    if not 0.0 <= rh <= 1.0:
        raise ValueError(f"relative humidity {rh}")
    if t <= 0.0:
        return 0.0
    e = rh * saturation_pressure(t, over_ice=ice)
    w = mixing_ratio(p, e)
    return w * 1e3
''',
    (280.0, 900.0, 0.7),
)
case(
    "lennard-jones",
    '''
import numpy as np

# s2s: x (n, 3)
def f(x, eps: float, sigma: float, cutoff: float):
    """Pairwise energy with a cutoff."""
    energy = 0.0
    n = len(x)
    for i in range(n):
        for j in range(i + 1, n):
            d = x[i] - x[j]
            r2 = d @ d
            if r2 > cutoff**2:
                continue
            s6 = (sigma**2 / r2) ** 3
            energy += 4.0 * eps * (s6**2 - s6)
    return energy
''',
    (r.standard_normal((5, 3)) * 2, 0.7, 1.1, 2.5),
    ("x", "eps", "sigma"),
)
case(
    "hmm forward",
    """
import numpy as np

def logsumexp(v):
    m = np.max(v)
    return m + np.log(np.sum(np.exp(v - m)))

# s2s: log_pi (k,), log_A (k, k), log_B (k, m), obs (T,)
def f(log_pi, log_A, log_B, obs):
    alpha = log_pi + log_B[:, obs[0]]
    for t in range(1, len(obs)):
        alpha = np.array([logsumexp(alpha + log_A[:, j]) for j in range(len(log_pi))]) + log_B[:, obs[t]]
    return logsumexp(alpha)
""",
    (r.standard_normal(3), r.standard_normal((3, 3)), r.standard_normal((3, 4)), np.array([0, 2, 1, 3, 2])),
    ("log_pi", "log_A", "log_B"),
)
case(
    "attention",
    """
import numpy as np

def softmax(z):
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)

# s2s: x (n, d), Wq (d, h), Wk (d, h), Wv (d, h), Wo (h, d)
def f(x, Wq, Wk, Wv, Wo):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.T / np.sqrt(q.shape[-1])
    mask = np.tril(np.ones((len(x), len(x)))) > 0
    weights = softmax(np.where(mask, scores, -1e9))
    y = x + (weights @ v) @ Wo
    mean = y.mean(axis=-1, keepdims=True)
    var = ((y - mean) ** 2).mean(axis=-1, keepdims=True)
    return np.sum(((y - mean) / np.sqrt(var + 1e-5)) ** 3)
""",
    (
        r.standard_normal((4, 3)),
        r.standard_normal((3, 2)),
        r.standard_normal((3, 2)),
        r.standard_normal((3, 2)),
        r.standard_normal((2, 3)),
    ),
)
case(
    "heat by concatenation",
    """
import numpy as np

# s2s: u (n,)
def f(u, nu: float, dt: float, steps: int):
    for _ in range(steps):
        lap = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u = np.concatenate([u[:1], u[1:-1] + nu * dt * lap, u[-1:]])
    return np.sum(u**2)
""",
    (r.standard_normal(7), 0.3, 0.5, 4),
    ("u", "nu"),
)
case(
    "bisection",
    """
def g(x, a):
    return x**3 + a * x - 2.0

def f(a: float, tol: float = 1e-10):
    lo, hi = 0.0, 4.0
    while hi - lo > 1e-3:
        mid = 0.5 * (lo + hi)
        if g(lo, a) * g(mid, a) <= 0:
            hi = mid
        else:
            lo = mid
    x = 0.5 * (lo + hi)
    for k in range(20):
        dx = g(x, a) / (3.0 * x**2 + a)
        x -= dx
        if abs(dx) < tol:
            break
    return x
""",
    (1.5,),
    ("a",),
)
case(
    "euler pendulum",
    """
import numpy as np

def deriv(state, g, L):
    theta, omega = state
    return omega, -g / L * np.sin(theta)

def f(theta0: float, g: float, L: float, n: int):
    state = (theta0, 0.0)
    dt = 0.05
    history = [state[0]]
    for _ in range(n):
        dtheta, domega = deriv(state, g, L)
        state = (state[0] + dt * dtheta, state[1] + dt * domega)
        history.append(state[0])
    return sum(h**2 for h in history)
""",
    (0.5, 9.81, 1.2, 6),
    ("theta0", "g", "L"),
)
case(
    "binomial tree",
    """
import math

def f(s: float, k: float, r: float, sigma: float, t: float, n: int):
    dt = t / n
    u = math.exp(sigma * math.sqrt(dt))
    d = 1.0 / u
    p = (math.exp(r * dt) - d) / (u - d)
    disc = math.exp(-r * dt)
    values = [max(s * u**j * d ** (n - j) - k, 0.0) for j in range(n + 1)]
    for i in range(n, 0, -1):
        values = [disc * (p * values[j + 1] + (1.0 - p) * values[j]) for j in range(i)]
    return values[0]
""",
    (100.0, 95.3, 0.03, 0.2, 1.0, 5),
    ("s", "k", "r", "sigma", "t"),
)
case(
    "horner and spline",
    """
import numpy as np

def horner(c, x):
    y = 0.0
    for a in reversed(c):
        y = y * x + a
    return y

# s2s: knots (m,), values (m,), c (p,)
def f(c, knots, values, x: float):
    i = 0
    while i < len(knots) - 2 and knots[i + 1] < x:
        i += 1
    w = (x - knots[i]) / (knots[i + 1] - knots[i])
    return horner(c, x) * ((1.0 - w) * values[i] + w * values[i + 1])
""",
    (r.standard_normal(4), np.array([0.0, 1.0, 2.5, 3.0]), r.standard_normal(4), 1.7),
    ("c", "knots", "values", "x"),
)
case(
    "conv1d",
    """
import numpy as np

# s2s: x (n,), w (k,)
def f(x, w, b: float):
    n, k = len(x), len(w)
    y = np.array([np.dot(x[i : i + k], w) for i in range(n - k + 1)]) + b
    y = np.maximum(y, 0.0)
    return float(np.mean(y**2))
""",
    (r.standard_normal(8), r.standard_normal(3), 0.1),
)
case(
    "quaternion",
    """
import numpy as np

def rotate(q, v):
    w, x, y, z = q / np.linalg.norm(q)
    R = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])
    return R @ v

# s2s: q (4,), v (3,), target (3,)
def f(q, v, target):
    return np.sum((rotate(q, v) - target) ** 2)
""",
    (r.standard_normal(4), r.standard_normal(3), r.standard_normal(3)),
)
case(
    "pid with limits",
    """
def clamp(x, lo, hi):
    return lo if x < lo else hi if x > hi else x

def f(kp: float, ki: float, kd: float, n: int, dt: float = 0.1, setpoint: float = 1.0):
    y = v = 0.0
    integral = 0.0
    previous = None
    cost = 0.0
    for step in range(n):
        error = setpoint - y
        integral += error * dt
        derivative = 0.0 if previous is None else (error - previous) / dt
        u = clamp(kp * error + ki * integral + kd * derivative, -2.0, 2.0)
        v = v + dt * (u - 0.5 * v)
        y = y + dt * v
        previous = error
        cost += error**2 * dt
    return cost
""",
    (1.2, 0.3, 0.05, 9),
    ("kp", "ki", "kd"),
)
case(
    "gp predict",
    """
import numpy as np

def kernel(a, b, ell, sf):
    d2 = np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
    return sf**2 * np.exp(-0.5 * d2 / ell**2)

# s2s: X (n, d), y (n,), Z (m, d)
def f(X, y, Z, ell: float, sf: float, sn: float):
    K = kernel(X, X, ell, sf) + sn**2 * np.eye(len(X))
    alpha = np.linalg.solve(K, y)
    mean = kernel(Z, X, ell, sf) @ alpha
    sign, logdet = np.linalg.slogdet(K)
    return np.sum(mean**2) + 0.5 * logdet
""",
    (r.standard_normal((5, 2)), r.standard_normal(5), r.standard_normal((3, 2)), 0.8, 1.1, 0.3),
)
case(
    "vectorised trapezoid",
    """
import numpy as np

def integrand(x, a, b):
    return np.exp(-a * x**2) * np.cos(b * x)

def f(a: float, b: float, upper: float, n: int = 20):
    x = np.linspace(0.0, upper, n + 1)
    y = integrand(x, a, b)
    h = upper / n
    return h * (np.sum(y) - 0.5 * (y[0] + y[-1]))
""",
    (0.7, 1.3, 2.0),
    ("a", "b", "upper"),
)
case(
    "weighted stats",
    """
import numpy as np

# s2s: x (n, d), w (n,)
def f(x, w):
    p = w / w.sum()
    mu = p @ x
    centred = x - mu
    cov = (centred * p[:, np.newaxis]).T @ centred
    return np.log(np.linalg.det(cov + np.eye(x.shape[1]))) + np.trace(cov) + np.linalg.norm(mu)
""",
    (r.standard_normal((6, 3)), r.uniform(0.5, 2, 6)),
)
case(
    "nested dict config",
    """
import numpy as np

def layer(p, x):
    return np.tanh(x @ p["W"] + p["b"])

# s2s: x (n, d)
def f(net, x):
    h = layer(net["first"], x)
    h = layer(net["second"], h)
    return np.sum(h**2) + net["scale"] * np.sum(net["first"]["W"] ** 2)
""",
    (
        {
            "first": {"W": r.standard_normal((3, 4)), "b": r.standard_normal(4)},
            "second": {"W": r.standard_normal((4, 2)), "b": r.standard_normal(2)},
            "scale": 0.3,
        },
        r.standard_normal((5, 3)),
    ),
    ("net",),
)
case(
    "ou likelihood",
    """
import math

def step_loglik(x0, x1, dt, kappa, theta, sigma):
    e = math.exp(-kappa * dt)
    mean = theta + (x0 - theta) * e
    var = sigma**2 * (1.0 - e**2) / (2.0 * kappa)
    return -0.5 * (math.log(2.0 * math.pi * var) + (x1 - mean) ** 2 / var)

def f(kappa: float, theta: float, sigma: float, xs, dt: float):
    if kappa <= 0 or sigma <= 0:
        return -math.inf
    total = 0.0
    for x0, x1 in zip(xs[:-1], xs[1:]):
        total += step_loglik(x0, x1, dt, kappa, theta, sigma)
    return total
""",
    (1.2, 0.3, 0.5, r.standard_normal(6), 0.1),
    ("kappa", "theta", "sigma"),
)
case(
    "runge kutta with list state",
    """
import numpy as np

def lorenz(s, sigma, rho, beta):
    x, y, z = s
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])

# s2s: s (3,)
def f(s, sigma: float, rho: float, beta: float, n: int, dt: float = 0.01):
    path = [s]
    for _ in range(n):
        k1 = lorenz(s, sigma, rho, beta)
        k2 = lorenz(s + 0.5 * dt * k1, sigma, rho, beta)
        k3 = lorenz(s + 0.5 * dt * k2, sigma, rho, beta)
        k4 = lorenz(s + dt * k3, sigma, rho, beta)
        s = s + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
        path.append(s)
    path = np.stack(path)
    return np.mean(path[:, 2]) + np.var(path[:, 0])
""",
    (np.array([1.0, 0.5, 2.0]), 10.0, 28.0, 8 / 3, 5),
    ("s", "sigma", "rho", "beta"),
)
case(
    "logistic with while convergence",
    '''
import numpy as np

# s2s: X (n, d), y (n,)
def f(X, y, lam: float):
    """Ridge by gradient descent to a tolerance."""
    w = np.zeros(X.shape[1])
    step = 0.05
    it = 0
    while True:
        g = X.T @ (X @ w - y) / len(y) + lam * w
        w = w - step * g
        it += 1
        if np.linalg.norm(g) < 1e-3 or it >= 30:
            break
    return w @ w
''',
    (r.standard_normal((8, 2)), r.standard_normal(8), 0.2),
)
case(
    "list replaced in a branch",
    """
import numpy as np
def f(x: float, y: float, n: int):
    v = [x, y, x * y]
    for i in range(n):
        if i > 0:
            v = [a * y + v[0] for a in v]
    return v[0] * v[2] + v[1]
""",
    (1.2, 0.7, 3),
    ("x", "y"),
)
case(
    "lists swapped",
    """
import numpy as np
def f(x: float, y: float, n: int):
    v = [x, y]
    w = [y, x * x]
    for i in range(n):
        v, w = w, [a * b for a, b in zip(v, w)]
    return v[0] * w[1] + v[1]
""",
    (1.2, 0.7, 3),
    ("x", "y"),
)
case(
    "rows of Pascal's triangle",
    """
import numpy as np
def f(x: float, y: float, n: int):
    row = [x]
    for i in range(n):
        new = [y]
        for j in range(len(row) - 1):
            new.append(row[j] + x * row[j + 1])
        new.append(x)
        row = new
    return sum(row)
""",
    (1.2, 0.7, 4),
    ("x", "y"),
)
case(
    "de Casteljau",
    """
import numpy as np
# s2s: p (n, d)
def f(p, t: float):
    b = [q for q in p]
    while len(b) > 1:
        b = [(1.0 - t) * b[i] + t * b[i + 1] for i in range(len(b) - 1)]
    return np.sum(b[0] ** 2)
""",
    (r.standard_normal((4, 2)), 0.3),
    ("p", "t"),
)
case(
    "list replaced after it grew",
    """
import numpy as np
def f(x: float, y: float, n: int):
    s = 0.0
    v = [x]
    for i in range(n):
        for j in range(2):
            v.append(x * v[-1] + y * s)
        s = s + v[0] * v[-1]
        v = [y, s]
    return s
""",
    (1.2, 0.7, 3),
    ("x", "y"),
)
case(
    "list reversed by replacing it",
    """
import numpy as np
# s2s: x (n,)
def f(x, y: float, n: int):
    v = [x, y * x, x * x]
    for i in range(n):
        v = [v[2 - j] for j in range(len(v))]
    w = [u for u in v]
    return np.sum(v[0] * w[2] + v[1])
""",
    (r.standard_normal(3), 0.7, 3),
    ("x", "y"),
)
case(
    "choices in a chain",
    """
def clamp(x, lo, hi):
    return lo if x < lo else hi if x > hi else x

def f(x: float, y: float):
    a = x if x > y else y if x > 0.0 else x * y
    return clamp(x * a, 0.0, y) * clamp(x, 0.0, 5.0) if x > 1.0 else clamp(y, 0.0, 0.1)
""",
    (1.2, 0.7),
)
case(
    "mean of a list of arrays",
    """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    hs = []
    for i in range(n):
        hs.append(np.sin(x) * (i + 1))
    return np.mean(hs) ** 2
""",
    (r.standard_normal(3), 4),
    ("x",),
)
case(
    "a list read as a whole twice",
    """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    hs = []
    for i in range(n):
        hs.append(np.sin(x) * (i + 1))
    return np.sum(hs) ** 2 + np.mean(hs) + np.mean(hs)
""",
    (r.standard_normal(3), 4),
    ("x",),
)
case(
    "a list of numbers read as a whole twice",
    """
import numpy as np

# s2s: x ()
def f(x, n: int):
    hs = []
    for i in range(n):
        hs.append(np.sin(x) * (i + 1))
    return np.sum(hs) + np.mean(hs)
""",
    (1.3, 4),
    ("x",),
)
case(
    "rows of matrices",
    """
import numpy as np

# s2s: x (n, m)
def f(x, n: int):
    hs = []
    for i in range(n):
        hs.append(np.sin(x) * (i + 1))
    return np.sum(np.vstack(hs) ** 2) + np.sum(np.hstack(hs) ** 3)
""",
    (r.standard_normal((3, 2)), 4),
    ("x",),
)
case(
    "numbers on top of each other",
    """
import numpy as np

# s2s: x ()
def f(x, n: int):
    hs = []
    for i in range(n):
        hs.append(np.sin(x) * (i + 1))
    return np.sum(np.vstack(hs) ** 2) + np.sum(np.hstack(hs) ** 3)
""",
    (1.3, 4),
    ("x",),
)
case(
    "items of several shapes",
    """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    hs = []
    for i in range(n):
        hs.append(np.sin(x[: i + 1]))
    return np.sum(hs[0] * hs[2]) + np.sum(hs[1] * hs[0])
""",
    (r.standard_normal(4), 4),
    ("x",),
)
case(
    "a sum of a number and arrays",
    """
import numpy as np

# s2s: x (n,)
def f(x, n: int):
    hs = [2.0 * np.sum(x)]
    for i in range(n):
        hs.append(np.sin(x) * (i + 1))
    return np.sum(np.cos(sum(hs))) + np.sum(hs[0] * hs[1] * hs[n])
""",
    (r.standard_normal(3), 3),
    ("x",),
)
case(
    "Kalman filter of a class",
    """
import numpy as np


class Kalman:
    def __init__(self, F, H, Q, R):
        self.F, self.H, self.Q, self.R = F, H, Q, R
        self.x = np.zeros(F.shape[0])
        self.P = np.eye(F.shape[0])
        self.loglik = 0.0

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ y
        self.P = (np.eye(len(self.x)) - K @ self.H) @ self.P
        _, logdet = np.linalg.slogdet(S)
        self.loglik -= 0.5 * (y @ np.linalg.solve(S, y) + logdet + len(y) * np.log(2 * np.pi))


# s2s: theta (3,), zs (n, 1)
def f(theta, zs):
    q, r, damp = np.exp(theta)
    F = np.array([[1.0, 0.1], [0.0, 1.0 - 0.1 * damp]])
    H = np.array([[1.0, 0.0]])
    kf = Kalman(F, H, q * np.eye(2), r * np.eye(1))
    for z in zs:
        kf.predict()
        kf.update(z)
    return -kf.loglik
""",
    (np.array([-1.0, -0.5, -0.3]), r.standard_normal((5, 1))),
    ("theta", "zs"),
)
case(
    "bars in a row",
    """
import numpy as np


def element_stiffness(E, A, L):
    k = E * A / L
    return k * np.array([[1.0, -1.0], [-1.0, 1.0]])


def f(areas, E, lengths, load):
    n = len(areas)
    K = np.zeros((n + 1, n + 1))
    for e in range(n):
        ke = element_stiffness(E, areas[e], lengths[e])
        dofs = [e, e + 1]
        K[np.ix_(dofs, dofs)] += ke
    f = np.zeros(n + 1)
    f[-1] = load
    free = np.arange(1, n + 1)
    u = np.zeros(n + 1)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
    return f @ u
""",
    (np.array([1.0, 2.0, 1.5]), 3.0, np.array([1.0, 0.7, 0.4]), 2.0),
    ("areas", "E", "lengths", "load"),
)
case(
    "LSTM",
    """
import numpy as np


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def f(params, xs, targets):
    H = params["Wh"].shape[1] // 4 if False else params["Wh"].shape[0]
    h = np.zeros(H)
    c = np.zeros(H)
    loss = 0.0
    for x, t in zip(xs, targets):
        z = x @ params["Wx"] + h @ params["Wh"] + params["b"]
        i, f, o, g = np.split(z, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        pred = h @ params["Wy"]
        loss += 0.5 * np.sum((pred - t) ** 2)
    return loss / len(xs)
""",
    (
        {
            "Wx": r.standard_normal((2, 12)),
            "Wh": r.standard_normal((3, 12)),
            "b": r.standard_normal(12),
            "Wy": r.standard_normal((3, 2)),
        },
        r.standard_normal((4, 2)),
        r.standard_normal((4, 2)),
    ),
    ("params", "xs", "targets"),
)
case(
    "hidden Markov model",
    """
import numpy as np


def logsumexp(a, axis=None):
    m = np.max(a, axis=axis, keepdims=True)
    out = np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True)) + m
    return np.squeeze(out, axis=axis)


def f(log_pi, log_A, means, stds, obs):
    T, K = len(obs), len(log_pi)
    alpha = np.full((T, K), -np.inf)
    for t in range(T):
        for k in range(K):
            emit = -0.5 * ((obs[t] - means[k]) / stds[k]) ** 2 - np.log(stds[k])
            if t == 0:
                alpha[t, k] = log_pi[k] + emit
            else:
                alpha[t, k] = logsumexp(alpha[t - 1] + log_A[:, k]) + emit
    return logsumexp(alpha[-1])
""",
    (
        r.standard_normal(3),
        r.standard_normal((3, 3)),
        r.standard_normal(3),
        np.array([0.5, 1.0, 2.0]),
        r.standard_normal(4),
    ),
    ("log_pi", "log_A", "means", "stds", "obs"),
)
case(
    "option price by Crank-Nicolson",
    """
import numpy as np


def thomas(a, b, c, d):
    n = len(d)
    cp = np.empty(n)
    dp = np.empty(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m if i < n - 1 else 0.0
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.empty(n)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


# s2s: sigma (), r (), S (), K (), T ()
def f(sigma, r, S, K, T, M=30, N=20):
    s = np.linspace(0, 3 * S, M + 1)
    dt = T / N
    v = np.maximum(s - K, 0.0)
    j = np.arange(1, M)
    alpha = 0.25 * dt * (sigma**2 * j**2 - r * j)
    beta = -0.5 * dt * (sigma**2 * j**2 + r)
    gamma = 0.25 * dt * (sigma**2 * j**2 + r * j)
    for _ in range(N):
        rhs = alpha * v[:-2] + (1 + beta) * v[1:-1] + gamma * v[2:]
        v[1:-1] = thomas(-alpha, 1 - beta, -gamma, rhs)
        v[-1] = s[-1] - K * np.exp(-r * dt)
    return np.interp(S, s, v)
""",
    (0.3, 0.05, 1.03, 0.9, 1.2, 12, 5),
    ("sigma", "r", "S", "K", "T"),
)
case(
    "robot arm",
    """
import numpy as np


def dh(theta, d, a, alpha):
    ct, st = np.cos(theta), np.sin(theta)
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [ct, -st * ca, st * sa, a * ct],
            [st, ct * ca, -ct * sa, a * st],
            [0.0, sa, ca, d],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def f(q, links, target):
    T = np.eye(4)
    for theta, (d, a, alpha) in zip(q, links):
        T = T @ dh(theta, d, a, alpha)
    return np.linalg.norm(T[:3, 3] - target) ** 2
""",
    (r.standard_normal(3), [(0.1, 0.5, 0.2), (0.2, 0.3, -0.4), (0.0, 0.7, 1.0)], np.array([0.3, 0.2, 0.1])),
    ("q", "links", "target"),
)
case(
    "leapfrog on a lattice",
    """
import numpy as np


def energy(phi, m2, lam):
    kinetic = 0.0
    for axis in range(phi.ndim):
        d = np.roll(phi, -1, axis=axis) - phi
        kinetic += 0.5 * np.sum(d * d)
    return kinetic + np.sum(0.5 * m2 * phi**2 + lam * phi**4)


def f(phi, mom, m2, lam, eps, n):
    def force(x):
        lap = -2 * x.ndim * x
        for axis in range(x.ndim):
            lap += np.roll(x, 1, axis) + np.roll(x, -1, axis)
        return lap - m2 * x - 4 * lam * x**3

    mom = mom + 0.5 * eps * force(phi)
    for k in range(n):
        phi = phi + eps * mom
        if k < n - 1:
            mom = mom + eps * force(phi)
    mom = mom + 0.5 * eps * force(phi)
    return energy(phi, m2, lam) + 0.5 * np.sum(mom**2)
""",
    (r.standard_normal((3, 4)), r.standard_normal((3, 4)), 0.5, 0.1, 0.05, 4),
    ("phi", "mom", "m2", "lam", "eps"),
)
case(
    "truss",
    """
import numpy as np


# s2s: A (m,), nodes (n, 2), loads (k,)
def f(A, nodes, bars, fixed, loads, E=1.0, rho=1.0, limit=2.0):
    n = len(nodes)
    K = np.zeros((2 * n, 2 * n))
    lengths = []
    for (i, j), a in zip(bars, A):
        d = nodes[j] - nodes[i]
        L = np.sqrt(d[0] ** 2 + d[1] ** 2)
        c, s = d / L
        k = a * E / L * np.array([[c * c, c * s], [c * s, s * s]])
        ii = slice(2 * i, 2 * i + 2)
        jj = slice(2 * j, 2 * j + 2)
        K[ii, ii] += k
        K[jj, jj] += k
        K[ii, jj] -= k
        K[jj, ii] -= k
        lengths.append(L)
    free = [d for d in range(2 * n) if d not in fixed]
    u = np.zeros(2 * n)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], loads[free])
    penalty = 0.0
    for (i, j), L in zip(bars, lengths):
        d = (nodes[j] - nodes[i]) / L
        stress = E / L * (d @ (u[2 * j : 2 * j + 2] - u[2 * i : 2 * i + 2]))
        penalty += max(abs(stress) - limit, 0.0) ** 2
    return rho * sum(a * L for a, L in zip(A, lengths)) + 10.0 * penalty
""",
    (
        np.array([1.0, 1.2, 0.8, 1.1, 0.9]),
        np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)],
        [0, 1, 3],
        np.array([0, 0, 1.0, 0, 5.0, 2.0, 0, 1.0]),
        1.0,
        1.3,
        2.0,
    ),
    ("A", "nodes", "loads", "E", "rho", "limit"),
)
