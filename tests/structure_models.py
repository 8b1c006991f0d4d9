"""Structures and functions as people write them: lists, dicts, objects, methods, closures, and what loops over them.

Each: what it is, the text of a module with a function `f`, and arguments for it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from programs import Program
from traps import program

R = np.random.default_rng(5)
CASES: dict[str, Program] = {}


def v(n: int = 4) -> Any:
    return R.uniform(0.4, 1.4, n)


def m(a: int = 3, b: int = 3) -> Any:
    return R.uniform(0.4, 1.4, (a, b))


def case(name: str, source: str, *args: Any, wrt: tuple[str, ...] = ()) -> None:
    """wrt: the parameters that carry a derivative, where those that are numbers and arrays are not all of them."""
    made = program(name, source.strip() + "\n", args, ())
    CASES[name] = replace(made, wrt=wrt) if wrt else made


case(
    "lol comprehension",
    """
import numpy as np


def f(x, n: int):
    grid = [[x * i + j for j in range(3)] for i in range(n)]
    s = 0.0
    for i in range(n):
        for j in range(3):
            s = s + grid[i][j] ** 2
    return s
""",
    0.7,
    3,
)
case(
    "lol param",
    """
import numpy as np


def f(A):
    s = 0.0
    for i in range(len(A)):
        for j in range(len(A[i])):
            s = s + A[i][j] ** 2 * (i + 1)
    return s
""",
    [[0.3, 0.7], [1.2, 0.5, 0.4]],
)
case(
    "lol param iter",
    """
import numpy as np


def f(layers, x):
    for W, b in layers:
        x = np.tanh(W @ x + b)
    return np.sum(x)
""",
    [(m(), v(3)), (m(), v(3))],
    v(3),
)
case(
    "list of arrays param",
    """
import numpy as np


def f(L, c):
    s = 0.0
    for k in range(len(L)):
        s = s * c + np.sum(L[k] ** 2)
    return s
""",
    [v(3), v(2)],
    0.6,
)
case(
    "lol store",
    """
import numpy as np


def f(x, n: int):
    T = [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        T[i][0] = x * (i + 1.0)
        for j in range(1, 3):
            T[i][j] = T[i][j - 1] * x + T[i - 1][j]
    return T[n - 1][2]
""",
    0.7,
    3,
)
case(
    "dp table",
    """
import numpy as np


def f(a, b):
    n = len(a)
    D = [[0.0] * (n + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            D[i][j] = (a[i - 1] - b[j - 1]) ** 2 + D[i - 1][j - 1] * 0.5 + D[i][j - 1] * 0.3
    return D[n][n]
""",
    v(3),
    v(3),
)
case(
    "matrix lists to array",
    """
import numpy as np


def f(x, y):
    R = [[np.cos(x), -np.sin(x)], [np.sin(x), np.cos(x)]]
    return np.sum(np.array(R) @ y)
""",
    0.4,
    v(2),
)
case(
    "matrix lists read",
    """
import numpy as np


def f(x, y):
    R = [[np.cos(x), -np.sin(x)], [np.sin(x), np.cos(x)]]
    return R[0][0] * y[0] + R[0][1] * y[1] + R[1][0]
""",
    0.4,
    v(2),
)
case(
    "list of tuples",
    """
import numpy as np


def f(x, n: int):
    pts = []
    for i in range(n):
        pts.append((x * i, x ** 2 + i))
    s = 0.0
    for a, b in pts:
        s = s + a * b
    return s
""",
    0.7,
    3,
)
case(
    "list of objects",
    """
import numpy as np


class P:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def f(x, n: int):
    pts = [P(x * i, x ** 2 + i) for i in range(n)]
    s = 0.0
    for p in pts:
        s = s + p.x * p.y
    return s
""",
    0.7,
    3,
)
case(
    "list of dicts",
    """
import numpy as np


def f(x, n: int):
    pts = []
    for i in range(n):
        pts.append({"a": x * i, "b": x ** 2 + i})
    s = 0.0
    for p in pts:
        s = s + p["a"] * p["b"]
    return s
""",
    0.7,
    3,
)
case(
    "list of states param",
    """
import numpy as np


def f(states, c):
    s = 0.0
    for st in states:
        s = s + st["pos"] @ st["vel"] * c
    return s
""",
    [{"pos": v(2), "vel": v(2)}, {"pos": v(2), "vel": v(2)}],
    0.3,
)
case(
    "list in dict",
    """
import numpy as np


def f(x, n: int):
    h = {"x": [], "y": []}
    for i in range(n):
        x = np.sin(x) * 1.1
        h["x"].append(x)
        h["y"].append(x ** 2)
    return sum(h["x"]) + np.sum(np.array(h["y"]))
""",
    0.7,
    3,
)
case(
    "list in attr",
    """
import numpy as np


class Rec:
    def __init__(self):
        self.xs = []

def f(x, n: int):
    r = Rec()
    for i in range(n):
        x = np.sin(x) * 1.1
        r.xs.append(x)
    return sum(r.xs)
""",
    0.7,
    3,
)
case(
    "queue pop0",
    """
import numpy as np


def f(x, n: int):
    q = [x]
    s = 0.0
    k = 0
    while q:
        a = q.pop(0)
        s = s + a ** 2
        k += 1
        if k < n:
            q.append(a * 0.5)
            q.append(np.sin(a))
    return s
""",
    0.7,
    4,
)
case(
    "stack pop",
    """
import numpy as np


def f(x, n: int):
    q = [x]
    s = 0.0
    k = 0
    while q:
        a = q.pop()
        s = s + a ** 2
        k += 1
        if k < n:
            q.append(a * 0.5)
            q.append(np.sin(a))
    return s
""",
    0.7,
    4,
)
case(
    "rpn stack",
    """
import numpy as np


def f(x, y):
    stack = []
    for tok in ["x", "y", "+", "x", "*"]:
        if tok == "x":
            stack.append(x)
        elif tok == "y":
            stack.append(y)
        else:
            b = stack.pop()
            a = stack.pop()
            stack.append(a + b if tok == "+" else a * b)
    return stack[0]
""",
    0.7,
    0.4,
)
case(
    "insert end",
    """
import numpy as np


def f(x, n: int):
    h = []
    for i in range(n):
        h.insert(len(h), x * i)
    return sum(h)
""",
    0.7,
    3,
)
case(
    "insert front",
    """
import numpy as np


def f(x, n: int):
    h = []
    for i in range(n):
        h.insert(0, x * i)
    return h[0] * h[1] + h[2]
""",
    0.7,
    3,
)
case(
    "extend",
    """
import numpy as np


def f(x, n: int):
    h = [x]
    for i in range(n):
        h.extend([x * i, x ** i])
    h += [x, 2.0 * x]
    return sum(h)
""",
    0.7,
    3,
)
case(
    "slices",
    """
import numpy as np


def f(x, n: int):
    h = [x * i for i in range(6)]
    a = h[1:n]
    b = h[n:]
    c = h[:-1]
    return sum(a) * sum(b) + c[0] + c[-1] + sum(h[::2])
""",
    0.7,
    3,
)
case(
    "moving window",
    """
import numpy as np


def f(x, w: int):
    hist = []
    s = 0.0
    for v in x:
        hist.append(v ** 2)
        if len(hist) > w:
            hist.pop(0)
        s = s + sum(hist) / len(hist)
    return s
""",
    v(5),
    2,
)
case(
    "moving window slice",
    """
import numpy as np


def f(x, w: int):
    hist = []
    s = 0.0
    for v in x:
        hist.append(v ** 2)
        hist = hist[-w:]
        s = s + sum(hist) / len(hist)
    return s
""",
    v(5),
    2,
)
case(
    "moving window slice 2",
    """
import numpy as np


def f(x, w: int):
    hist = []
    s = 0.0
    for v in x:
        hist = hist + [v ** 2]
        s = s + sum(hist[-w:])
    return s
""",
    v(5),
    2,
)
case(
    "object step loop",
    """
import numpy as np


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.v = self.v - dt * self.x
        self.x = self.x + dt * self.v


def f(x, v, dt, n: int):
    p = Particle(x, v)
    for _ in range(n):
        p.step(dt)
    return p.x ** 2 + p.v
""",
    0.7,
    0.3,
    0.1,
    4,
)
case(
    "adam",
    """
import numpy as np


class Adam:
    def __init__(self, lr, beta=0.9):
        self.lr = lr
        self.beta = beta
        self.m = 0.0
        self.t = 0

    def update(self, w, g):
        self.t += 1
        self.m = self.beta * self.m + (1 - self.beta) * g
        mh = self.m / (1 - self.beta ** self.t)
        return w - self.lr * mh


def f(w, target, lr, n: int):
    opt = Adam(lr)
    for _ in range(n):
        g = 2.0 * (w - target)
        w = opt.update(w, g)
    return np.sum((w - target) ** 2)
""",
    v(3),
    v(3),
    0.1,
    4,
)
case(
    "counter method",
    """
import numpy as np


class Acc:
    def __init__(self):
        self.total = 0.0
        self.n = 0

    def add(self, v):
        self.total += v
        self.n += 1

    def mean(self):
        return self.total / self.n


def f(x):
    acc = Acc()
    for v in x:
        acc.add(v ** 2)
    return acc.mean()
""",
    v(4),
)
case(
    "method calls method",
    """
import numpy as np


class Sim:
    def __init__(self, u, nu):
        self.u = u
        self.nu = nu
        self.t = 0.0

    def rhs(self, u):
        return -self.nu * u ** 2

    def step(self, dt):
        k1 = self.rhs(self.u)
        k2 = self.rhs(self.u + 0.5 * dt * k1)
        self.u = self.u + dt * k2
        self.t += dt

    def run(self, dt, n):
        for _ in range(n):
            self.step(dt)
        return self.u


def f(u0, nu, dt, n: int):
    sim = Sim(u0, nu)
    return np.sum(sim.run(dt, n) ** 2)
""",
    v(3),
    0.3,
    0.1,
    3,
)
case(
    "dataclass state step",
    """
import numpy as np


from dataclasses import dataclass


@dataclass
class State:
    x: float
    v: float

    def advance(self, dt: float):
        self.x += dt * self.v
        self.v -= dt * self.x


def f(x: float, v: float, dt: float, n: int):
    s = State(x, v)
    for _ in range(n):
        s.advance(dt)
    return s.x * s.v
""",
    0.3,
    0.5,
    0.1,
    3,
)
case(
    "helper changes obj",
    """
import numpy as np


class S:
    def __init__(self, x, v):
        self.x = x
        self.v = v


def kick(s, dt):
    s.v = s.v - dt * s.x


def f(x, v, dt, n: int):
    s = S(x, v)
    for _ in range(n):
        kick(s, dt)
        s.x = s.x + dt * s.v
    return s.x * s.v
""",
    0.3,
    0.5,
    0.1,
    3,
)
case(
    "helper changes dict",
    """
import numpy as np


def kick(s, dt):
    s["v"] = s["v"] - dt * s["x"]


def f(x, v, dt, n: int):
    s = {"x": x, "v": v}
    for _ in range(n):
        kick(s, dt)
        s["x"] = s["x"] + dt * s["v"]
    return s["x"] * s["v"]
""",
    0.3,
    0.5,
    0.1,
    3,
)
case(
    "items loop params",
    """
import numpy as np


def f(params, x):
    s = params["a"] * x
    for k, v in params.items():
        s = s + v ** 2
    return s
""",
    {"a": 0.4, "b": 0.6},
    0.3,
)
case(
    "items loop unknown",
    """
import numpy as np


def f(params, x):
    s = 0.0
    for k, v in params.items():
        s = s + np.sum(v ** 2) * x
    return s
""",
    {"a": v(2), "b": m()},
    0.3,
)
case(
    "items loop of an annotated dict",
    """
import numpy as np


def f(params: dict[str, np.ndarray], x):
    s = 0.0
    for k, v in params.items():
        s = s + np.sum(v ** 2) * x
    return s
""",
    {"a": v(2), "b": m()},
    0.3,
)
case(
    "keys loop unknown",
    """
import numpy as np


def f(params, x):
    s = 0.0
    for k in params:
        s = s + np.sum(params[k] ** 2) * x
    return s
""",
    {"a": v(2), "b": m()},
    0.3,
)
case(
    "sum values",
    """
import numpy as np


def f(params, x):
    return sum(v ** 2 for v in params.values()) * x
""",
    {"a": 0.3, "b": 0.5},
    0.3,
)
case(
    "sum values 2",
    """
import numpy as np


def f(params, x):
    reg = sum(np.sum(v ** 2) for v in params.values())
    return reg + np.sum(params["W"] @ x + params["b"])
""",
    {"W": m(), "b": v(3)},
    v(3),
)
case(
    "fstring keys",
    """
import numpy as np


def f(params, x):
    h = x
    for i in range(2):
        h = np.tanh(params[f"W{i}"] @ h + params[f"b{i}"])
    return np.sum(h)
""",
    {"W0": m(), "b0": v(3), "W1": m(), "b1": v(3)},
    v(3),
)
case(
    "fstring keys runtime",
    """
import numpy as np


def f(params, x, n: int):
    h = x
    for i in range(n):
        h = np.tanh(params[f"W{i}"] @ h + params[f"b{i}"])
    return np.sum(h)
""",
    {"W0": m(), "b0": v(3), "W1": m(), "b1": v(3)},
    v(3),
    2,
)
case(
    "str concat keys runtime",
    """
import numpy as np


def f(params, x, n: int):
    h = x
    for i in range(n):
        h = np.tanh(params["W" + str(i)] @ h + params["b" + str(i)])
    return np.sum(h)
""",
    {"W0": m(), "b0": v(3), "W1": m(), "b1": v(3)},
    v(3),
    2,
)
case(
    "keys list of strings",
    """
import numpy as np


def f(params, x):
    s = 0.0
    for name in ["W", "b"]:
        s = s + np.sum(params[name] ** 2) * x
    return s
""",
    {"W": m(), "b": v(3)},
    0.3,
)
case(
    "dict in",
    """
import numpy as np


def f(p, x):
    y = p["w"] * x
    if "bias" in p:
        y = y + p["bias"]
    return y
""",
    {"w": 0.7, "bias": 0.3},
    0.4,
)
case(
    "dict pass helper",
    """
import numpy as np


def layer(p, x):
    return np.tanh(p["W"] @ x + p["b"])


def f(p, x):
    return np.sum(layer(p, layer(p, x)))
""",
    {"W": m(), "b": v(3)},
    v(3),
)
case(
    "nested dict param",
    """
import numpy as np


def layer(p, x):
    return np.tanh(p["W"] @ x + p["b"])


def f(p, x):
    return np.sum(layer(p["l2"], layer(p["l1"], x)))
""",
    {"l1": {"W": m(), "b": v(3)}, "l2": {"W": m(), "b": v(3)}},
    v(3),
)
case(
    "list of dict layers",
    """
import numpy as np


def f(layers, x):
    for p in layers:
        x = np.tanh(p["W"] @ x + p["b"])
    return np.sum(x)
""",
    [{"W": m(), "b": v(3)}, {"W": m(), "b": v(3)}],
    v(3),
)
case(
    "kwargs helper",
    """
import numpy as np


def h(x, **kw):
    return x * kw["a"] + kw.get("b", 1.0)


def f(x, y):
    return h(x, a=y, b=x * y)
""",
    0.3,
    0.5,
)
case(
    "kwargs pass",
    """
import numpy as np


def h(x, a=1.0, b=2.0):
    return x * a + b


def g(x, **kw):
    return h(x, **kw)


def f(x, y):
    return g(x, a=y, b=x * y) + h(x, **{"a": y})
""",
    0.3,
    0.5,
)
case(
    "kwargs dict local",
    """
import numpy as np


def h(x, a=1.0, b=2.0):
    return x * a + b


def f(x, y):
    opts = {"a": y, "b": x}
    return h(x, **opts)
""",
    0.3,
    0.5,
)
case(
    "args helper",
    """
import numpy as np


def h(*xs):
    s = 0.0
    for x in xs:
        s = s + x ** 2
    return s


def f(x, y):
    t = (x, y, x * y)
    return h(x, y) + h(*t)
""",
    0.3,
    0.5,
)
case(
    "axpy returns arg fresh",
    """
import numpy as np


def axpy(y, x):
    y += x
    return y


def f(y, x):
    z = axpy(y.copy(), x)
    return np.sum(z ** 2)
""",
    v(3),
    v(3),
)
case(
    "print in helper",
    """
import numpy as np


def h(x):
    print("h")
    return x ** 2


def f(x):
    return h(x) * 2.0
""",
    0.3,
)
case(
    "list made in branch",
    """
import numpy as np


def f(x, c: float):
    if c > 0.5:
        z = [x * 2.0, x]
    else:
        z = [x, x ** 2]
    if c > 0.3:
        return z[0] * c + z[1]
    return x
""",
    0.3,
    0.6,
)
case(
    "list made in branch read in other",
    """
import numpy as np


def f(x, c: float):
    z = []
    if c > 0.5:
        z = [x * 2.0, x]
    s = x
    if len(z) > 0:
        s = z[0] * z[1]
    return s
""",
    0.3,
    0.6,
)
case(
    "npsum list written",
    """
import numpy as np


def f(x):
    z = [x, x ** 2, 0.0]
    z[2] = x * z[1]
    return np.sum(z)
""",
    0.3,
)
case(
    "sum generator",
    """
import numpy as np


def f(x, y):
    return sum(a * b for a, b in zip(x, y)) + max(a ** 2 for a in x) + float(any(a > 0 for a in x))
""",
    v(3),
    v(3),
)
case(
    "max gen",
    """
import numpy as np


def f(x, y):
    return max(abs(a - b) for a, b in zip(x, y)) * min(v for v in x)
""",
    v(3),
    v(3),
)
case(
    "zip star",
    """
import numpy as np


def f(x, y):
    pairs = [(a, b * a) for a, b in zip(x, y)]
    p, q = zip(*pairs)
    return sum(p) * sum(q)
""",
    v(3),
    v(3),
)
case(
    "map",
    """
import numpy as np


def f(x):
    return sum(map(lambda v: v ** 2, x)) + sum(list(map(np.sin, x)))
""",
    v(3),
)
case(
    "map helper",
    """
import numpy as np


def sq(v):
    return v ** 2


def f(x):
    return sum(map(sq, x))
""",
    v(3),
)
case(
    "map two",
    """
import numpy as np


def f(x, y):
    return sum(map(lambda a, b: a * b, x, y))
""",
    v(3),
    v(3),
)
case(
    "partial",
    """
import numpy as np


from functools import partial


def g(a, b, x):
    return a * x + b


def f(a, b, x):
    h = partial(g, a, b=b)
    return h(x=x) ** 2
""",
    0.3,
    0.4,
    0.5,
)
case(
    "partial 2",
    """
import numpy as np


import functools


def g(a, x):
    return a * x


def app(h, x):
    return h(x) * h(x + 1.0)


def f(a, x):
    return app(functools.partial(g, a), x)
""",
    0.3,
    0.5,
)
case(
    "reduce",
    """
import numpy as np


from functools import reduce
import operator


def f(x):
    return reduce(operator.mul, x) + reduce(lambda a, b: a * b + 1.0, x, 0.5) + reduce(operator.add, [x[0], x[1]])
""",
    v(3),
)
case(
    "reduce matmul",
    """
import numpy as np


from functools import reduce


def f(A, B, C):
    return np.sum(reduce(np.matmul, [A, B, C]))
""",
    m(),
    m(),
    m(),
)
case(
    "recursion",
    """
import numpy as np


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def f(x, n: int):
    return power(x, n)
""",
    0.7,
    4,
)
case(
    "recursion self",
    """
import numpy as np


def f(x, n: int):
    if n == 0:
        return x
    return np.sin(f(x, n - 1)) * x
""",
    0.7,
    3,
)
case(
    "mutual",
    """
import numpy as np


def even(x, n):
    if n == 0:
        return x
    return odd(x * 2.0, n - 1) + x


def odd(x, n):
    if n == 0:
        return x ** 2
    return even(np.sin(x), n - 1) * x


def f(x, n: int):
    return even(x, n)
""",
    0.7,
    4,
)
case(
    "tree recursion",
    """
import numpy as np


def tree(x, d):
    if d == 0:
        return np.sin(x)
    return tree(x * 0.5, d - 1) * tree(x + 0.1, d - 1)


def f(x, d: int):
    return tree(x, d)
""",
    0.7,
    3,
)
case(
    "recursion on array halves",
    """
import numpy as np


def total(x):
    if len(x) == 1:
        return x[0] ** 2
    k = len(x) // 2
    return total(x[:k]) + 1.5 * total(x[k:])


def f(x):
    return total(x)
""",
    v(4),
)
case(
    "dict of functions",
    """
import numpy as np


ACT = {"tanh": np.tanh, "sq": lambda v: v ** 2}


def f(x, kind: str = "tanh"):
    return np.sum(ACT[kind](x))
""",
    v(3),
)
case(
    "local dict of functions",
    """
import numpy as np


def sq(v):
    return v ** 2


def f(x):
    ops = {"a": np.sin, "b": sq}
    return ops["a"](x) + ops["b"](x)
""",
    0.4,
)
case(
    "list of functions",
    """
import numpy as np


def sq(v):
    return v ** 2


def f(x):
    for g in [np.sin, sq, lambda t: t * x]:
        x = g(x)
    return x
""",
    0.4,
)
case(
    "list of layers fns",
    """
import numpy as np


def lin(p, x):
    return p * x


def sq(p, x):
    return p + x ** 2


def f(p, x):
    layers = [lin, sq, lin]
    for i, g in enumerate(layers):
        x = g(p[i], x)
    return x
""",
    v(3),
    0.4,
)
case(
    "closure returned",
    """
import numpy as np


def make(a):
    def g(x):
        return a * x ** 2
    return g


def f(a, x):
    h = make(a)
    k = make(a ** 2)
    return h(x) + k(h(x))
""",
    0.4,
    0.7,
)
case(
    "closure nonlocal",
    """
import numpy as np


def f(x, n: int):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v ** 2

    for i in range(n):
        add(x * i)
    return total
""",
    0.4,
    3,
)
case(
    "closure captured later",
    """
import numpy as np


def f(x, y):
    def g(t):
        return a * t

    a = y ** 2
    r = g(x)
    a = x
    return r + g(y)
""",
    0.4,
    0.6,
)
case(
    "lru cache",
    """
import numpy as np


from functools import lru_cache


@lru_cache(maxsize=None)
def h(x):
    return x ** 2


def f(x):
    return h(x) * x
""",
    0.4,
)
case(
    "static method, property",
    """
import numpy as np


class M:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    @staticmethod
    def act(x):
        return np.tanh(x)

    @property
    def scale(self):
        return self.a * 2.0

    def __call__(self, x):
        return self.act(self.scale * x + self.b)


def f(a, b, x):
    net = M(a, b)
    return net(x) + net.scale
""",
    0.4,
    0.6,
    0.7,
)
case(
    "for else",
    """
import numpy as np


def f(x, n: int):
    for i in range(n):
        x = x * 1.1
        if x > 5.0:
            break
    else:
        x = x ** 2
    return x
""",
    0.7,
    4,
)
case(
    "while else",
    """
import numpy as np


def f(x, n: int):
    k = 0
    while k < n:
        x = np.sin(x)
        k += 1
        if x < 0.1:
            break
    else:
        x = x * 3.0
    return x
""",
    0.7,
    4,
)
case(
    "try finally",
    """
import numpy as np


def f(x):
    y = 0.0
    try:
        y = x ** 2
    except ValueError:
        y = 0.0
    else:
        y = y * 2.0
    finally:
        y = y + x
    return y
""",
    0.7,
)
case(
    "errstate",
    """
import numpy as np


def f(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.where(x > 0, np.log(x), 0.0)
    return np.sum(y)
""",
    v(3),
)
case(
    "match",
    """
import numpy as np


def f(x, kind: str):
    match kind:
        case "a":
            y = x ** 2
        case "b" | "c":
            y = np.sin(x)
        case _:
            y = x
    return y
""",
    0.7,
    "b",
)
case(
    "del name",
    """
import numpy as np


def f(x):
    y = x ** 2
    z = y * x
    del y
    return z
""",
    0.7,
)
case(
    "del item list",
    """
import numpy as np


def f(x):
    z = [x, x ** 2, x ** 3]
    del z[1]
    return z[0] * z[1]
""",
    0.7,
)
case(
    "set constants",
    """
import numpy as np


SKIP = {1, 3}


def f(x):
    s = 0.0
    for i in range(len(x)):
        if i not in SKIP and i not in {0}:
            s = s + x[i] ** 2
    return s
""",
    v(5),
)
case(
    "namedtuple",
    """
import numpy as np


from typing import NamedTuple


class S(NamedTuple):
    x: float
    v: float


def step(s, dt):
    return S(s.x + dt * s.v, s.v - dt * s.x)


def f(x: float, v: float, dt: float, n: int):
    s = S(x, v)
    for _ in range(n):
        s = step(s, dt)
    return s.x * s.v
""",
    0.3,
    0.5,
    0.1,
    4,
)
case(
    "none flag",
    """
import numpy as np


def f(x, y, b=None):
    if b is None:
        b = 0.5
    z = y if y is not None else x
    return x * b * z
""",
    0.3,
    0.5,
)
case(
    "string flag",
    """
import numpy as np


def f(x, mode="sum"):
    if mode == "sum":
        return np.sum(x ** 2)
    elif mode == "mean":
        return np.mean(x ** 2)
    raise ValueError(mode)
""",
    v(3),
)
case(
    "fn param entry",
    """
import numpy as np


def f(x, act=np.tanh):
    return np.sum(act(x))
""",
    v(3),
)
case(
    "generators any all",
    """
import numpy as np


def f(x):
    if all(a > 0 for a in x) and any(a > 0.1 for a in x):
        return sum(a ** 2 for a in x if a > 0.2)
    return 0.0
""",
    v(3),
)
case(
    "nested comprehension",
    """
import numpy as np


def f(x, n: int):
    return sum(x[i] * x[j] for i in range(n) for j in range(i))
""",
    v(4),
    4,
)
case(
    "enumerate zip unpack",
    """
import numpy as np


def f(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y)):
        s = s + a * b * i
    return s
""",
    v(3),
    v(3),
)
case(
    "starred assign",
    """
import numpy as np


def f(x):
    a, *rest = x
    return a * sum(rest)
""",
    v(4),
)
case(
    "swap tuple",
    """
import numpy as np


def f(x, y, n: int):
    for i in range(n):
        x, y = y, x * y
    return x
""",
    0.4,
    0.6,
    4,
)
case(
    "tuple carried",
    """
import numpy as np


def f(x, n: int):
    s = (x, 1.0)
    for i in range(n):
        s = (s[0] * s[1], s[1] + x)
    return s[0]
""",
    0.4,
    3,
)
case(
    "tuple helper carried",
    """
import numpy as np


def step(s, dt):
    x, v = s
    return (x + dt * v, v - dt * x)


def f(x, v, dt, n: int):
    s = (x, v)
    for i in range(n):
        s = step(s, dt)
    return s[0] * s[1]
""",
    0.4,
    0.5,
    0.1,
    3,
)
case(
    "logging",
    """
import numpy as np


import logging

log = logging.getLogger(__name__)


def h(x):
    log.info("h %s", x)
    assert x > 0
    return x ** 2


def f(x):
    for i in range(3):
        x = h(x)
        print(i)
    return x
""",
    0.7,
)
case(
    "walrus",
    """
import numpy as np


def f(x, n: int):
    s = 0.0
    while (x := x * 0.5) > 0.1:
        s = s + x ** 2
    return s
""",
    0.7,
    3,
)
case(
    "list mult",
    """
import numpy as np


def f(x):
    y = [x] * 3
    y[1] = x ** 2
    return y[0] * y[1] * y[2]
""",
    0.7,
)
case(
    "list eq sum",
    """
import numpy as np


def f(x):
    y = [a ** 2 for a in x]
    y.reverse()
    return y[0] * 2.0 + y[1]
""",
    v(2),
)
case(
    "inline early return",
    """
import numpy as np


class Reg:
    def __init__(self, x):
        self.x = x

    def clip(self, a):
        if self.x > a:
            self.x = a * a
            return 1.0
        self.x = self.x * 2.0
        return self.x


def f(x, a, n: int):
    r = Reg(x)
    s = 0.0
    for i in range(n):
        s = s + r.clip(a)
    return s * r.x
""",
    0.3,
    1.9,
    5,
)
case(
    "inline locals collide",
    """
import numpy as np


class Sim:
    def __init__(self, u):
        self.u = u

    def step(self, dt, k=2.0):
        h = dt * k
        k1 = np.sin(self.u)
        self.u = self.u + h * k1
        return k1


def f(u, dt, n: int):
    sim = Sim(u)
    h = 0.5
    s = 0.0
    for k in range(n):
        k1 = sim.step(dt * h)
        s = s + k1 * sim.step(k=3.0, dt=h)
    return s + np.sum(sim.u)
""",
    0.3,
    0.2,
    3,
)
case(
    "array attr store",
    """
import numpy as np


class Grid:
    def __init__(self, n):
        self.u = np.zeros(n)

    def set(self, i, v):
        self.u[i] = v

    def diffuse(self, c):
        self.u[1:-1] += c * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2])


def f(x, c, n: int):
    g = Grid(len(x))
    for i in range(len(x)):
        g.set(i, x[i] ** 2)
    for _ in range(n):
        g.diffuse(c)
    return g.u[2] ** 2 + g.u[1]
""",
    v(5),
    0.1,
    3,
)
case(
    "history in object",
    """
import numpy as np


class Rec:
    def __init__(self, x):
        self.x = x
        self.history = []

    def step(self, h):
        self.x = self.x + h * np.cos(self.x)
        self.history.append(self.x)


def f(x, h, n: int):
    r = Rec(x)
    for _ in range(n):
        r.step(h)
    return sum(v ** 2 for v in r.history) + r.history[-1] + np.sum(np.array(r.history))
""",
    0.3,
    0.2,
    3,
)
case(
    "object holds object",
    """
import numpy as np


class Body:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def drift(self, dt):
        self.x = self.x + dt * self.v

    def kick(self, dt, a):
        self.v = self.v + dt * a


class Integrator:
    def __init__(self, body, dt):
        self.body = body
        self.dt = dt

    def step(self):
        self.body.drift(self.dt * 0.5)
        self.body.kick(self.dt, -self.body.x)
        self.body.drift(self.dt * 0.5)


def f(x, v, dt, n: int):
    integ = Integrator(Body(x, v), dt)
    for _ in range(n):
        integ.step()
    return integ.body.x * integ.body.v
""",
    0.3,
    0.7,
    0.1,
    3,
)
case(
    "two objects",
    """
import numpy as np


class Body:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def attract(self, other, dt):
        a = other.x - self.x
        self.v = self.v + dt * a
        other.v = other.v - dt * a

    def move(self, dt):
        self.x = self.x + dt * self.v


def f(x, y, dt, n: int):
    a = Body(x, 0.1)
    b = Body(y, -0.1)
    for _ in range(n):
        a.attract(b, dt)
        a.move(dt)
        b.move(dt)
    return a.x * b.v
""",
    0.3,
    0.7,
    0.1,
    3,
)
case(
    "setup in init loop",
    """
import numpy as np


class Table:
    def __init__(self, x, n):
        self.vals = []
        for i in range(n):
            self.vals.append(x ** i)

    def at(self, i):
        return self.vals[i]


def f(x, n: int):
    t = Table(x, n)
    return t.at(1) * t.at(2)
""",
    0.3,
    4,
)
case(
    "conditional init",
    """
import numpy as np


class Rod:
    def __init__(self, length):
        if length > 0.0:
            self.length = length
        else:
            self.length = -length


def f(x):
    rod = Rod(x)
    return rod.length ** 2
""",
    -0.3,
)
case(
    "inherit",
    """
import numpy as np


class Base:
    def __init__(self, x):
        self.x = x

    def step(self, h):
        self.x = self.x + h * self.rate()

    def rate(self):
        return 0.0


class Decay(Base):
    def __init__(self, x, k):
        super().__init__(x)
        self.k = k

    def rate(self):
        return -self.k * self.x


def f(x, k, h, n: int):
    d = Decay(x, k)
    for _ in range(n):
        d.step(h)
    return d.x ** 2
""",
    0.3,
    0.5,
    0.1,
    3,
)
case(
    "rng style / pid",
    """
import numpy as np


class PID:
    def __init__(self, kp, ki, kd):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.integral = 0.0
        self.prev = None

    def __call__(self, e, dt):
        self.integral += e * dt
        d = 0.0 if self.prev is None else (e - self.prev) / dt
        self.prev = e
        return self.kp * e + self.ki * self.integral + self.kd * d


def f(kp, ki, kd, n: int):
    pid = PID(kp, ki, kd)
    x = 0.0
    cost = 0.0
    for _ in range(n):
        e = 1.0 - x
        u = pid(e, 0.1)
        x = x + 0.1 * (u - x)
        cost += e ** 2
    return cost
""",
    0.7,
    0.5,
    0.1,
    4,
)
case(
    "while object method",
    """
import numpy as np


class It:
    def __init__(self, x):
        self.x = x
        self.k = 0

    def done(self):
        return self.k >= 4

    def step(self):
        self.x = np.sin(self.x) + 0.1
        self.k += 1


def f(x):
    it = It(x)
    while not it.done():
        it.step()
    return it.x
""",
    0.5,
)
case(
    "slot gets an array",
    """
import numpy as np


def f(x):
    z = [0.0, 1.0, 0.0]
    z[0] = x * 2.0
    z[1] = z[0] * x
    return np.sum(z[0] * x + z[1])
""",
    v(3),
)
case(
    "slot of a row gets an array",
    """
import numpy as np


def f(x, n: int):
    T = [[0.0] * 3 for _ in range(n)]
    T[0][0] = x * 2.0
    for i in range(1, n):
        T[i][0] = T[i - 1][0] * x
    return np.sum(T[n - 1][0])
""",
    v(3),
    3,
)
case(
    "slot of a row scalar",
    """
import numpy as np


def f(x: float, n: int):
    T = [[0.0] * 3 for _ in range(n)]
    T[0][0] = x * 2.0
    for i in range(1, n):
        T[i][0] = T[i - 1][0] * x
    return T[n - 1][0]
""",
    0.7,
    3,
)
case(
    "row alias stored",
    """
import numpy as np


def f(x: float, n: int):
    T = [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        row = T[i]
        row[0] = x * i
        row[1] = row[0] * x
    return T[n - 1][0] * T[1][1]
""",
    0.7,
    3,
)
case(
    "grid swap",
    """
import numpy as np


def f(x: float, n: int):
    a = [[x * i + j for j in range(3)] for i in range(3)]
    for k in range(n):
        b = [[0.0] * 3 for _ in range(3)]
        for i in range(3):
            for j in range(3):
                b[i][j] = 0.5 * a[i][j] + 0.25 * a[i - 1][j] * x
        a = b
    return a[1][2] + a[0][0]
""",
    0.7,
    3,
)
case(
    "lol sum rows",
    """
import numpy as np


def f(x: float, n: int):
    a = [[x * i + j for j in range(3)] for i in range(n)]
    return sum(sum(row) ** 2 for row in a)
""",
    0.7,
    3,
)
case(
    "lol param helper",
    """
import numpy as np


def norm(rows):
    s = 0.0
    for row in rows:
        for v in row:
            s = s + v ** 2
    return s


def f(rows, c):
    return norm(rows) * c + norm(rows)
""",
    [[0.3, 0.4], [0.5]],
    0.6,
)
case(
    "lol returned",
    """
import numpy as np


def f(x: float, n: int):
    return [[x * i + j * x ** 2 for j in range(2)] for i in range(n)]
""",
    0.7,
    3,
)
case(
    "lol helper result",
    """
import numpy as np


def make(x, n):
    rows = []
    for i in range(n):
        rows.append([x * i, x ** 2])
    return rows


def f(x, n: int):
    rows = make(x, n)
    return rows[0][1] * rows[1][0] + rows[2][0]
""",
    0.7,
    3,
)
case(
    "orbit states",
    """
import numpy as np


def f(x, n: int):
    states = [{"pos": x, "vel": 0.0}]
    for k in range(n):
        s = states[-1]
        states.append({"pos": s["pos"] + 0.1 * s["vel"], "vel": s["vel"] - 0.1 * s["pos"]})
    return states[-1]["pos"] * states[1]["vel"]
""",
    0.7,
    3,
)
case(
    "list of tuples scalar",
    """
import numpy as np


def f(x: float, n: int):
    pts = []
    for i in range(n):
        pts.append((x * i, x ** 2 + i))
    s = 0.0
    for a, b in pts:
        s = s + a * b
    return s + pts[0][1]
""",
    0.7,
    3,
)
case(
    "list of pairs literal",
    """
import numpy as np


def f(x: float, y: float):
    edges = [(x, y), (y, x * y), (x ** 2, 1.0)]
    s = 0.0
    for i, (a, b) in enumerate(edges):
        s = s + a * b * (i + 1)
    return s
""",
    0.7,
    0.4,
)
case(
    "same row twice",
    """
import numpy as np


def f(x: float, n: int):
    row = [x, x ** 2]
    rows = [row, row]
    rows.append(row)
    return rows[0][0] * rows[1][1] + rows[2][0]
""",
    0.7,
    3,
)
case(
    "borrowed seed",
    """
import numpy as np


def f(x: float, y: float):
    a = [x * y, x]
    rows = [a, [y, x]]
    return rows
""",
    0.7,
    0.4,
)
case(
    "nested dict of lists local",
    """
import numpy as np


def f(x: float, y: float):
    d = {"a": [x, y], "b": [x * y]}
    return d["a"][0] * d["a"][1] + d["b"][0]
""",
    0.7,
    0.4,
)
case(
    "tuple of lists",
    """
import numpy as np


def f(x: float, n: int):
    xs, ys = [], []
    for i in range(n):
        xs.append(x * i)
        ys.append(x ** 2 * i)
    both = (xs, ys)
    return both[0][1] * both[1][2]
""",
    0.7,
    4,
)
case(
    "params list of tuples arrays",
    """
import numpy as np


def f(params, x):
    for W, b in params[:-1]:
        x = np.tanh(np.dot(W, x) + b)
    W, b = params[-1]
    return np.sum(np.dot(W, x) + b)
""",
    [(m(), v(3)), (m(), v(3)), (m(), v(3))],
    v(3),
)
case(
    "params list of lists arrays idx",
    """
import numpy as np


def f(params, x):
    for i in range(len(params)):
        W, b = params[i][0], params[i][1]
        x = np.tanh(W @ x + b)
    return np.sum(x)
""",
    [[m(), v(3)], [m(), v(3)]],
    v(3),
)
case(
    "matrix param rows",
    """
import numpy as np


def f(W, x):
    s = 0.0
    for i in range(len(W)):
        s = s + np.sum(W[i] * x)
    return s
""",
    m(),
    v(3),
)
case(
    "matrix param rows chained",
    """
import numpy as np


def f(W, x):
    s = 0.0
    for i in range(len(W)):
        for j in range(len(x)):
            s = s + W[i][j] * x[j]
    return s
""",
    m(),
    v(3),
)
case(
    "rows to an array",
    """
import numpy as np


def f(x, n: int):
    rows = []
    for i in range(n):
        rows.append([x * i, x ** 2])
    return np.sum(np.array(rows) ** 3)
""",
    0.7,
    3,
)
case(
    "rows of arrays to an array",
    """
import numpy as np


def f(x, n: int):
    rows = []
    for i in range(n):
        row = [x * i, x ** 2]
        rows.append(row)
    return np.sum(np.array(rows) ** 3)
""",
    v(3),
    3,
)
case(
    "rpn two pops",
    """
import numpy as np


def f(x, y):
    stack = [x, y, x * y]
    while len(stack) > 1:
        stack.append(stack.pop() * stack.pop() + x)
    return stack[0]
""",
    0.7,
    0.4,
)
case(
    "pop middle",
    """
import numpy as np


def f(x):
    z = [x, x ** 2, x ** 3, x ** 4]
    a = z.pop(1)
    b = z.pop(-2)
    z.insert(1, a * b)
    z.insert(0, b)
    z.reverse()
    return z[0] * a + z[1] * z[2] + z[3]
""",
    0.7,
)
case(
    "deque",
    """
import numpy as np


from collections import deque


def f(x, n: int):
    q = deque([x, x ** 2])
    s = 0.0
    for i in range(n):
        a = q.popleft()
        q.append(a * q[0])
        q.appendleft(np.sin(a))
        s = s + a
    return s + q.pop()
""",
    0.7,
    3,
)
case(
    "an item of a display that a test names",
    """
def f(x, y):
    return (x, y)[x > y] * 2.0 * x
""",
    0.7,
    0.4,
)
case(
    "an item of a display that a number names",
    """
import numpy as np


def f(x, y, k):
    c = (x, y, x * y)[k] * 2.0
    d = [x * x, np.sin(y)][k % 2]
    return np.sum(c) * np.sum(d)
""",
    v(3),
    0.4,
    2,
)
case(
    "annotated tuple",
    """
def g(p: tuple[float, float], x):
    a, b = p
    return a * x + b * x ** 2


def f(p: tuple[float, float], x: float):
    return g(p, x) * g(p, p[0])
""",
    (0.3, 1.2),
    1.4,
)
case(
    "annotated layers",
    """
import numpy as np


def f(layers: list[tuple[np.ndarray, np.ndarray]], x):
    for W, b in layers:
        x = np.tanh(W @ x + b)
    return np.sum(x)
""",
    [(m(), v(3)), (m(2), v(2))],
    v(3),
)
case(
    "annotated tuple of a tuple and a list",
    """
import numpy as np


def f(p: tuple[tuple[np.ndarray, np.ndarray], list[np.ndarray]], x: float):
    (a, b), c = p
    return a * b + c[0] * c[1] ** 2 * x
""",
    ((v(2), v(2)), [v(2), v(2)]),
    0.7,
)
case(
    "annotated lists",
    """
import numpy as np
from typing import Optional, Sequence


def f(xs: list[np.ndarray], w: Sequence[float], n: list[int], q: Optional[list[float]] = None):
    s = 0.0
    for x, c in zip(xs, w):
        s = s + c * np.sum(x ** 2) * n[0]
    if q is not None:
        s = s * q[0]
    return s
""",
    [v(2), v(3)],
    [0.3, 0.4],
    [2, 1],
    [0.5],
)
case(
    "axpy returns arg",
    """
import numpy as np


def axpy(y, x):
    y += x
    return y


def f(y, x):
    y = axpy(y, x)
    y = axpy(y, x * y)
    return np.sum(y ** 2)
""",
    v(3),
    v(3),
)
case(
    "store returns arg",
    """
import numpy as np


def set0(y, x):
    y[0] = x[0] * y[1]
    return y


def f(x):
    y = np.zeros(3)
    y = set0(y, x)
    y = set0(y, x)
    return np.sum(y * x)
""",
    v(3),
)
case(
    "same buffer twice",
    """
import numpy as np


def add(y, x):
    y[1:] += x[:-1]


def f(x):
    y = x * 2.0
    add(y, y)
    return np.sum(y ** 2)
""",
    v(4),
)
case(
    "helper overlapping views",
    """
import numpy as np


def smooth(a, b):
    a[:] = 0.5 * (a + b)


def f(x):
    y = x * 2.0
    smooth(y[1:], y[:-1])
    return np.sum(y ** 2)
""",
    v(4),
)
case(
    "open dict to helper twice",
    """
import numpy as np


def norm(params):
    return sum(np.sum(v ** 2) for v in params.values())


def f(params, x):
    return norm(params) * x + norm(params) ** 2
""",
    {"W": m(), "b": v(3)},
    0.7,
)
case(
    "open dict helper and own",
    """
import numpy as np


def norm(params):
    s = 0.0
    for k in params:
        s = s + np.sum(params[k] ** 2)
    return s


def f(params, x):
    s = norm(params)
    for k, v in params.items():
        s = s + np.sum(v) * x
    return s
""",
    {"W": m(), "b": v(3)},
    0.7,
)
case(
    "receiver attr as arg",
    """
import numpy as np


class P:
    def __init__(self, x, h):
        self.x = x
        self.h = h

    def step(self, h):
        self.h = self.h * 0.5
        self.x = self.x + h * self.x


def f(x, h, n: int):
    p = P(x, h)
    for _ in range(n):
        p.step(p.h)
    return p.x * p.h
""",
    0.7,
    0.4,
    3,
)
case(
    "object made in loop",
    """
import numpy as np


class P:
    def __init__(self, x):
        self.x = x
        self.n = 0

    def step(self, a):
        self.x = np.sin(self.x) * a
        self.n += 1
        return self.x


def f(x, a, n: int):
    s = 0.0
    for i in range(n):
        p = P(x * i)
        p.step(a)
        s = s + p.step(a) * p.n
    return s
""",
    0.7,
    0.4,
    3,
)
case(
    "array attr in place alias",
    """
import numpy as np


class S:
    def __init__(self, u):
        self.u = u

    def step(self):
        self.u[1:] += self.u[:-1]
        return self.u


def f(x):
    u = x * 2.0
    s = S(u)
    v = s.step()
    s.step()
    return np.sum(v * u) + s.u[0]
""",
    v(4),
)
case(
    "list of arrays slices written",
    """
import numpy as np


def f(x, n: int):
    h = [x * 1.0, x ** 2, x ** 3]
    a = h[:2]
    a[0][1] = x[0] * a[1][1]
    return np.sum(h[0] * a[1]) + np.sum(h[2])
""",
    v(3),
    3,
)
case(
    "helper scalar update returned",
    """
import numpy as np


def bump(y, x):
    y += x
    return y


def f(y: float, x: float):
    z = bump(y, x)
    y = bump(y, z)
    return y * z
""",
    0.7,
    0.4,
)
case(
    "view helper then store",
    """
import numpy as np


def inner(u):
    return u[1:-1]


def f(x):
    u = x * 2.0
    v = inner(u)
    v[:] = v ** 2
    return np.sum(u * x)
""",
    v(4),
)
case(
    "a step, then its object",
    """
import numpy as np


class P:
    def __init__(self, x):
        self.x = x

    def step(self):
        self.x = self.x * 1.5
        return self.x ** 2


def f(x):
    p = P(x)
    return p.step() * p.x
""",
    0.7,
)
case(
    "dict that is filled, updated and returned",
    """
import numpy as np


def parts(x, y):
    r = {"steps": 2}
    r["kinetic"] = x * y
    r.update(potential=y**2, rest=r["kinetic"] - 1.0)
    r.update({"kinetic": r["rest"] * r["kinetic"]})
    return r


def total(r, w):
    return np.sum(r["kinetic"]) * w + r["potential"]


def f(x, y):
    out = 0.0
    for k in range(3):
        r = {"kinetic": x * k}
        r["potential"] = y * k
        out = out + total(r, y)
    found = parts(x, y)
    return out + np.sum(found["kinetic"] * found["rest"]) * found["potential"]
""",
    v(3),
    0.7,
)
case(
    "named tuple of the collections",
    """
from collections import namedtuple

import numpy as np

State = namedtuple("State", ["x", "v"])
Law = namedtuple("Law", "k, d", defaults=(0.1,))


def step(s, law, h):
    a = -law.k * s.x - law.d * s.v
    return State(s.x + h * s.v, s.v + h * a)


def f(x, k, h):
    s = State(x=x, v=x**2)
    law = Law(k)
    law = law._replace(d=law.k * 0.5)
    for _ in range(3):
        s = step(s, law, h)
    return np.sum(s.x**2 + s.v) * k
""",
    v(3),
    0.7,
    0.2,
)
case(
    "numbered items from the end",
    """
import numpy as np


def f(x, w):
    s = 0.0
    for i, v in reversed(list(enumerate(x))):
        if v < 0.0:
            continue
        s = s * w + v**2 * i
    return s
""",
    v(4),
    0.7,
)
case(
    "rows bound anew",
    """
def f(x, n: int):
    T = [[0.0, x] for _ in range(n)]
    for i in range(1, n):
        T[i] = [T[i - 1][0] + x * T[i - 1][1], T[i - 1][1] * x, x]
    T[0], T[1] = T[1], T[0]
    return T[-1][0] * T[-1][1] + T[0][2] * T[1][1]
""",
    0.7,
    4,
)
case(
    "rows of a table from the row before",
    """
def f(x, k):
    n = len(x)
    D = [[0.0] * n for _ in range(n)]
    D[0] = [v * k for v in x]
    for i in range(1, n):
        prev = D[i - 1]
        D[i] = [prev[j] * k + x[j] for j in range(n)]
    return sum(D[n - 1]) + D[n - 1][1] ** 2 * D[1][1]
""",
    v(4),
    0.7,
)
case(
    "one row twice",
    """
def f(x, y):
    r = [x, y]
    T = [r, r]
    for i in range(3):
        T[i % 2] = [T[0][1] * x, T[1][0] + y]
    return T[0][1] * T[1][1] ** 2 * T[0][0]
""",
    0.7,
    0.4,
)
case(
    "tables of tables",
    """
def f(x, k: float):
    D = [[[0.0] * 2 for _ in range(2)] for _ in range(2)]
    D[0] = [[x[0], k], [x[1], k]]
    D[1][0] = [k * x[0], x[1]]
    D[1][1][1] = k * D[0][0][0]
    return sum(sum(sum(c) for c in b) for b in D) * D[1][1][1] + D[1][0][0] ** 2
""",
    v(2),
    0.7,
)
case(
    "entries with a default",
    """
import numpy as np


def f(p, x):
    h = np.tanh(p["net"]["W"] @ x + p["net"]["b"])
    if "mask" in p:
        h = h * p["mask"]
    return np.sum(h) * p.get("scale", 2.0) * p.get("gain", p.get("scale", x[0]))
""",
    {"net": {"W": m(), "b": v(3)}, "scale": 0.7},
    v(3),
)
case(
    "entries that one branch adds, in a loop",
    """
def f(x, y, n: int):
    s = 0.0
    for i in range(n):
        d = {"a": x * i}
        if i == 1:
            d["b"] = y
        if "b" in d:
            s = s + d["b"] ** 2
        s = s * d.get("b", x) + d["a"]
    return s
""",
    0.7,
    0.4,
    4,
)
case(
    "entries that are taken out",
    """
def f(x, y):
    d = {"a": x, "b": y, "c": x * y}
    del d["a"]
    b = d.pop("b")
    d["e"] = b * b
    s = 0.0
    for k in d:
        s = s * b + d[k] ** 2
    return s * sum(d.values()) * len(d)
""",
    0.7,
    0.4,
)
case(
    "parts of unlike shapes, unpacked",
    """
import numpy as np


def f(p, x):
    W, b, s = p
    return s * np.sum(np.tanh(W @ x + b))
""",
    [m(2, 3), v(2), 0.7],
    v(3),
)
case(
    "parts of unlike shapes, by number",
    """
import numpy as np


def f(p, x):
    return p[2] * np.sum(np.tanh(p[0] @ x + p[1]))
""",
    [m(2, 3), v(2), 0.7],
    v(3),
)
case(
    "parts of unlike shapes, for helpers",
    """
import numpy as np


def layer(W, b, x):
    return np.tanh(W @ x + b)


def f(p, q, x):
    W, b = p
    x = layer(W, b, x)
    return np.sum(layer(q[0], q[1], x))
""",
    [m(2, 3), v(2)],
    [m(4, 2), v(4)],
    v(3),
)
case(
    "all layers but the last",
    """
import numpy as np


def f(params, x):
    for W, b in params[:-1]:
        x = np.tanh(W @ x + b)
    W, b = params[-1]
    return np.sum(W @ x + b)
""",
    [(m(2, 3), v(2)), (m(4, 2), v(4)), (m(2, 4), v(2))],
    v(3),
)
case(
    "product of a list of matrices",
    """
from functools import reduce

import numpy as np


def f(factors, c):
    product = reduce(np.matmul, factors, np.eye(2))
    return np.trace(product) * c
""",
    [m(2, 2), m(2, 2), m(2, 2)],
    0.6,
)
case(
    "statistics that one branch makes anew",
    """
def f(x, running, training: bool):
    mu = x.mean()
    if training:
        running = {"mu": 0.9 * running["mu"] + 0.1 * mu, "var": running["var"] * mu}
    return mu**2 + running["mu"] * running["var"]
""",
    v(3),
    {"mu": v(2), "var": v(2)},
    True,
)
case(
    "names for what a generator makes of each",
    """
import numpy as np


def f(X, A, B, y):
    Q, K = (np.tanh(X @ W) * y for W in (A, B))
    A, B = [2.0 * Q[0, 0] * W for W in (B, A)]
    a, b, c = (y * v**2 for v in X[0])
    return np.sum(Q * K) * np.sum(A) + np.sum(B[0]) * a * b + c
""",
    m(2, 3),
    m(3, 2),
    m(3, 2),
    0.7,
)
case(
    "lists that are sorted",
    """
import operator

import numpy as np


def f(x, w, y):
    pts = list(zip(x, w))
    pts.sort(key=lambda p: p[1], reverse=True)
    s = 0.0
    for i, (a, b) in enumerate(sorted(pts, key=operator.itemgetter(0))):
        s = s * 0.9 + i * a * b**2
    for i, (a, b) in enumerate(pts):
        s = s + i * a * b
    middle = sorted([y, x[0], y * x[1]])[1]
    return s + sum(sorted(x)[1:-1]) * middle
""",
    v(4),
    v(4),
    0.7,
)
case(
    "the least and the greatest by a key",
    """
def distance(v):
    return abs(v - 0.6)


def f(x, y):
    near = min(x, key=lambda v: abs(v - y))
    far = max(x, key=distance)
    return near * far**2 + max(y, near * y, key=abs)
""",
    np.array([0.4, 0.85, 1.1, 1.3]),
    0.7,
)
case(
    "entries in the order of their keys",
    """
def f(p):
    s = 0.0
    for k in sorted(p):
        s = s * 0.5 + p[k] ** 2
    for k, v in sorted(p.items()):
        s = s * v
    return s + sum(p[k] for k in list(p))
""",
    {"b": 0.7, "a": 0.4},
)
case(
    "places of an array, and sets of numbers",
    """
import numpy as np


def f(W, x):
    s = 0.0
    for i, j in np.ndindex(W.shape):
        s += W[i, j] ** 2 * (i + 2 * j)
    for place in np.ndindex(*W.shape):
        s += W[place] ** 3
    for k in {3, 1, 2}:
        s = s * x + x**k
    for k in frozenset((1, 4)):
        s += k * x
    return s
""",
    m(2, 3),
    0.7,
)
case(
    "columns, pairs and combinations",
    """
import itertools


def f(rows, x, y):
    s = 1.0
    for column in zip(*rows):
        s = s * sum(column)
    for a, b in itertools.pairwise(x):
        s = s + a * b**2
    for i, j in itertools.combinations(range(len(x)), 2):
        s = s + x[i] * x[j] ** 2
    for v in itertools.chain(x, y):
        s = s * 0.9 + v**2
    return s
""",
    [(0.3, 0.4), (0.5, 0.6), (0.7, 0.2)],
    v(4),
    v(2),
)
case(
    "named tuple that is stated, unpacked and by number",
    """
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    x: np.ndarray
    v: np.ndarray


def energy(s: State, k: float):
    return k * np.sum(s[0] * s[1])


def f(x, v, k: float):
    s = State(x, v)
    return energy(s, k) + part(s, k)


def part(s: State, k: float):
    x, v = s
    return np.sum(x**2) * k + np.sum(v)
""",
    v(3),
    v(3),
    0.7,
)
case(
    "items of lists of lists that are added to",
    """
def f(x: float, n: int):
    T = [[0.0] * n for _ in range(n)]
    T[0][0] = x
    for i in range(1, n):
        for j in range(n):
            T[i][j] = T[i - 1][j] + x**2 * (j + 1)
            T[i][j] += x * i
            T[i][0] *= T[i - 1][j]
    return T[n - 1][n - 1] * T[1][0]
""",
    0.7,
    3,
)
case(
    "one row in two lists",
    """
def f(x: float):
    row = [x, x**2]
    T = [row, row]
    T[0][1] += x
    T[1][1] *= x
    U = [r for r in T]
    U[0][0] += T[1][1]
    T[0], T[1] = [x, x], T[0]
    T[0][0] -= x * T[1][0]
    return T[1][1] * row[1] + T[0][0] * row[0]
""",
    0.7,
)
case(
    "rows that a loop appends and changes",
    """
def f(x: float, n: int):
    hist = []
    for i in range(n):
        hist.append([x * i, x**2])
        hist[i][0] += x
        if i > 0:
            hist[i][1] += hist[i - 1][0] * hist[i - 1][1]
    return hist[-1][1] * hist[n - 2][0]
""",
    0.7,
    4,
)
case(
    "copies of lists of numbers inside of lists",
    """
def f(x: float, y: float):
    row = [x, y, x * y]
    T = [row[:], row[:], [*row[1:], x], row + [y], row]
    T[0][0] += y
    T[1][0] *= x
    T[2][1] -= x * y
    T[4][2] *= row[0]
    copies = [r[:2] for r in T]
    for r in copies:
        r[1] *= x
    u = T[3][:]
    u[3] += T[0][0]
    return T[0][0] * T[1][0] * T[2][1] * copies[3][1] * copies[4][1] + u[3] * T[3][3] * row[2]
""",
    0.7,
    0.4,
)

case(
    "layers of dicts handed to a function",
    """
import numpy as np


def dense(x, p):
    return np.tanh(x @ p["w"] + p["b"])


def f(layers, x):
    for p in layers:
        x = dense(x, p)
    return np.sum(x**2) + np.sum(dense(x, layers[0]))
""",
    [{"w": m(), "b": v(3)}, {"w": m(), "b": v(3)}],
    v(3),
)

case(
    "a language model of dicts",
    """
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def linear(x, w, b):
    return x @ w + b


def norm(x, g, b, eps: float = 1e-5):
    return g * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + b


def attention(q, k, v, mask):
    return softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v


def mha(x, c_attn, c_proj, n_head):
    x = linear(x, **c_attn)
    qkv = np.split(x, 3, axis=-1)
    heads = [np.split(t, n_head, axis=-1) for t in qkv]
    mask = (1 - np.tri(x.shape[0])) * -1e10
    out = [attention(q, k, v, mask) for q, k, v in zip(*heads)]
    return linear(np.hstack(out), **c_proj)


def block(x, mlp, attn, ln_1, n_head):
    x = x + mha(norm(x, **ln_1), **attn, n_head=n_head)
    return x + np.tanh(0.1 * linear(x, **mlp))


def f(params, ids: np.ndarray, n_head: int):
    x = params["wte"][ids]
    for p in params["blocks"]:
        x = block(x, **p, n_head=n_head)
    return np.sum(norm(x, **params["ln_f"])[:, 0] * x[:, 1])
""",
    {
        "wte": m(5, 4),
        "blocks": [
            {
                "mlp": {"w": m(4, 4), "b": v(4)},
                "attn": {"c_attn": {"w": m(4, 12), "b": v(12)}, "c_proj": {"w": m(4, 4), "b": v(4)}},
                "ln_1": {"g": v(4), "b": v(4)},
            }
            for _ in range(2)
        ],
        "ln_f": {"g": v(4), "b": v(4)},
    },
    np.array([1, 3, 0]),
    2,
)

case(
    "a loop over items of a dict that are written out",
    """
import numpy as np


def dense(x, layer):
    return np.tanh(x @ layer["w"] + layer["b"])


def f(p, x):
    for layer in (p["in"], p["out"]):
        x = dense(x, layer)
    for layer in [p["out"], p["in"]]:
        x = x * layer["b"]
    return np.sum(x**2)
""",
    {"in": {"w": m(), "b": v(3)}, "out": {"w": m(), "b": v(3)}},
    v(3),
)
case(
    "dicts by numbers, dicts that make objects, and items with a name that are handed on",
    """
from dataclasses import dataclass

import numpy as np


@dataclass
class Model:
    a: float
    b: float
    c: float = 2.0

    def cost(self, x):
        return np.sum(x) * self.a**2 * self.b + self.c


class Scaled:
    def __init__(self, a, b):
        self.a = 2.0 * a
        self.b = b


def dense(x, layer):
    return np.tanh(x * layer["a"] + layer["b"])


def f(p, x, n: int):
    powers = {k: x**k for k in range(n)}
    s = np.sum(powers[2]) + sum(np.sum(v) * k for k, v in powers.items())
    for k in powers:
        s = s + np.sum(powers[k] ** 2) / len(powers)
    for name in ("in", "out"):
        each = p[name]
        x = dense(x, each) * each["a"]
    layer = p["out"]
    x = dense(x, layer)
    layer = p["in"]
    x = dense(x, layer=layer)
    made = Scaled(**p["in"])
    return s * Model(**p["out"]).cost(x) + made.a * made.b
""",
    {"in": {"a": 0.7, "b": 0.3}, "out": {"a": 1.2, "b": 0.4}},
    v(3),
    3,
)
case(
    "the mean of a list of arrays along it",
    """
import numpy as np


def f(x, y, w):
    runs = [np.outer(x, y) * w**i for i in range(3)]
    spread = [r - np.mean(runs, axis=0) for r in runs]
    return np.sum(np.mean(runs, 0) ** 2) + np.sum(np.sum(spread, axis=0) * x) + np.mean(runs) ** 2 + np.sum(runs)
""",
    v(3),
    v(3),
    0.7,
)
case(
    "sums of what a helper returns, without a name",
    """
import numpy as np


def parts(x, y):
    return x * y, x + y, x


def listed(x, y):
    return [x * y, x + y]


def nested(x, y):
    return {"pair": [x * y, x + y], "both": ((x, y), (y, x * x))}


def f(x: float, y: float):
    s = sum(parts(x, y)) * np.sum(listed(x, y)) + sum(nested(x, y)["both"][1]) + sum(parts(y, x)[1:]) ** 2
    return s * np.mean(listed(y, x)) * sum(nested(x, y)["pair"])
""",
    0.7,
    1.3,
)
case(
    "a dict or an object that one helper makes and the next one reads",
    """
from dataclasses import dataclass


@dataclass
class Shape:
    w: float
    h: float


def area(s):
    return s.w * s.h**2


def moved(s, d):
    return Shape(s.w + d * s.h, s.h)


def made(a, b):
    return {"in": {"w": a * b, "h": a + b}, "pair": [a, a * b], "c": a}


def of_dict(p):
    return p["w"] * p["h"] ** 2


def of_list(p):
    return p[0] * p[1] ** 2


def f(a: float, b: float):
    s = area(moved(moved(Shape(a, b), 0.3), a)) + of_dict(made(a, b)["in"]) * of_list(made(b, a)["pair"])
    for k in range(3):
        s += area(moved(Shape(a, b), k * b)) * s
    return s + sum(of_dict(made(a, k * b)["in"]) for k in range(3))
""",
    0.7,
    1.3,
)

case(
    "rows of a table that has grown, bound anew",
    """
def f(x, n: int):
    T = []
    for _ in range(n):
        T.append([0.0, x])
    for i in range(1, n):
        T[i] = [T[i - 1][0] + x * T[i - 1][1], T[i - 1][1] * x, x]
    first = T[0]
    T[0] = T[1]
    T[1] = first
    return T[-1][0] * T[-1][1] + T[0][2] * T[1][1]
""",
    0.7,
    4,
)
case(
    "numbers put into a part of a list",
    """
import numpy as np


def f(x, n: int):
    assert np.ndim(x) == 0
    c = []
    for _ in range(6 - n):
        c.append(x * x)
    q = []
    for _ in range(6):
        q.append(0.0)
    q[n:] = c
    r = []
    for i in range(6):
        v = q[i]
        r.append(i + v * x)
    return sum(r)
""",
    0.7,
    4,
)
case(
    "sums put into a part of a list of what is not known",
    """
import numpy as np


def f(x, y, n: int):
    c = []
    for _ in range(6 - n):
        c.append(np.sum(x) * 2.0)
    q = []
    for _ in range(6):
        q.append(y)
    q[n:] = c
    r = []
    for i in range(6):
        v = q[i]
        r.append(i + v * x)
    return np.sum(sum(r))
""",
    v(2),
    0.3,
    4,
)
case(
    "nearest rows as pairs of a list and a number",
    """
import numpy as np


def f(data, values):
    answer = []
    for value in values:
        near = np.sqrt(sum((a - b) ** 2 for a, b in zip(value, data[0])))
        row = data[0].tolist()
        for other in data[1:]:
            d = np.sqrt(sum((a - b) ** 2 for a, b in zip(value, other)))
            if near > d:
                near = d
                row = other.tolist()
        answer.append([row, near])
    return answer
""",
    m(3, 4),
    m(2, 4),
)
case(
    "helpers that call methods and operators of what they are given",
    """
from dataclasses import dataclass

import numpy as np


@dataclass
class Vec:
    x: float
    y: float

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)


class Circle:
    def __init__(self, r):
        self.r = r

    def area(self):
        return np.pi * self.r**2

    @property
    def size(self):
        return 2.0 * self.r

    def __call__(self, x):
        return self.r * x**2

    def scaled(self, k):
        return Circle(self.r * k)


class Square:
    def __init__(self, a):
        self.a = a

    def area(self):
        return self.a**2


def area_of(shape):
    return shape.area()


def cost(shape, k):
    return k * area_of(shape) ** 2


def at(circle, x):
    return circle(x) + circle.size


def mid(p, q):
    return (p + q) * 0.5


def length(p, q):
    return mid(p, q).norm()


def shrink(circle, n):
    if n == 0:
        return circle.area()
    return shrink(circle.scaled(0.5), n - 1) + circle.area()


def f(a: float, b: float):
    c = Circle(a)
    p, q = Vec(a, b), Vec(b, a * a)
    s = 0.0
    for shape in [Circle(a), Square(b)]:
        s = s + area_of(shape)
    for _ in range(3):
        p = mid(p, q)
        s = s * length(p, q)
    return s + cost(c, b) * cost(Square(b), a) + at(c, s) + shrink(c, 3)
""",
    0.7,
    1.3,
)
case(
    "objects in a list, of which a helper reads the attributes",
    """
import numpy as np


class Body:
    def __init__(self, m, x, spin):
        self.m = m
        self.x = x
        self.spin = spin

def pull(p, q):
    return p.m * q.m / np.sqrt(np.sum((p.x - q.x) ** 2))


def turning(spin):
    return spin.m**2 * np.sum(spin.x)


def drift(b, h):
    return Body(b.m, b.x * h, b.spin)


def f(a: float, h: float, x):
    bodies = [Body(a * (k + 1), x + k, Body(a, x * k, None)) for k in range(3)]
    e = 0.0
    for i in range(len(bodies)):
        e = e + bodies[i].m * bodies[i].x @ bodies[i].x
        for j in range(i):
            e = e - pull(bodies[i], bodies[j])
    for body in bodies:
        moved = drift(body, h)
        e = e + pull(moved, bodies[0]) * turning(body.spin)
    return e
""",
    0.7,
    1.3,
    v(3),
)

case(
    "numbers put into a list, and bound anew in both",
    """
def f(x: float, n: int):
    c = [x, x * x, x**3]
    q = [0.0 for _ in c]
    q[::-1] = c
    q[1] += c[0]
    c[1] = q[0] * x
    return q[0] * c[0] + q[1] * c[1] + n * q[2]
""",
    0.7,
    3,
)


# Rows that are filled and then put into a list of rows: from there on they are parts of that list, or shared.
case(
    "a row that is put twice into one list",
    """
import numpy as np


def f(x):
    grid = []
    for i in range(3):
        row = []
        for j in range(2):
            row.append(x * i + j)
        grid.append(row)
        grid.append(row)
    grid[1][0] = grid[0][1] * x
    s = 0.0
    for r in grid:
        for v in r:
            s += v * v
    return s
""",
    0.7,
)
case(
    "rows in two lists, one of which is written",
    """
import numpy as np


def f(x):
    g1 = []
    g2 = []
    for i in range(3):
        row = [x * i, x]
        g1.append(row)
        g2.append(row)
    g1[1][0] = g2[0][1] * x
    s = 0.0
    for i in range(3):
        s += g2[i][0] * g2[i][1] ** 2 + g1[i][0]
    return s
""",
    0.7,
)
case(
    "arrays of any rank that are made for a list, updated by its items",
    """
import numpy as np


def f(x, y):
    first = np.zeros_like(x)
    L = [first, first, np.copy(y)]
    for k in range(4):
        L[k % 3] += x * first + y
    return np.sum(L[0] * L[1] + first * L[2])
""",
    np.array([0.7, 1.3, -0.4]),
    np.array([0.6, -0.9, 1.1]),
)
case(
    "an item of a list that is read, and written by the item behind that",
    """
import numpy as np


def f(x, y):
    L = [np.copy(x)]
    a = L[0] * L[0]
    b = L[0]
    L[0] += a * y
    L[0] *= L[0]
    return np.sum(a * b)
""",
    np.array([0.7, 1.3, -0.4]),
    np.array([0.6, -0.9, 1.1]),
)
case(
    "items of rows that are made for them, updated by another row",
    """
import numpy as np


def f(x, y):
    L = [[np.zeros_like(x), np.copy(y)], [np.copy(x), np.zeros_like(y)]]
    M = L[0]
    M[1] += x
    L[0][0] += M[1] * y
    L[1] = L[0]
    L[1][0] += x
    return np.sum(L[0][0] * M[1] * L[1][0])
""",
    np.array([0.7, 1.3, -0.4]),
    np.array([0.6, -0.9, 1.1]),
)
case(
    "an asserted array of a list, updated by its name",
    """
import numpy as np


def f(x, y):
    L = [np.copy(x)]
    a = L[0]
    assert not np.isscalar(a)
    a += y
    assert not np.isscalar(a)
    a += a * L[0]
    return np.sum(a * L[0])
""",
    np.array([0.7, 1.3, -0.4]),
    np.array([0.6, -0.9, 1.1]),
)
case(
    "one row that grows while lists hold it",
    """
import numpy as np


def f(x):
    grid = []
    row = []
    for i in range(3):
        row.append(x * i + 1)
        grid.append(row)
    s = 0.0
    for i in range(3):
        s += grid[i][0] * grid[i][2] ** 2 * len(grid[i])
    return s
""",
    0.7,
)
case(
    "a row that grows behind the list that holds it",
    """
import numpy as np


def f(x):
    grid = []
    for i in range(3):
        row = []
        row.append(x * i)
        grid.append(row)
        row.append(x * x)
    s = 0.0
    for i in range(3):
        s += grid[i][0] * grid[i][1] ** 2
    return s
""",
    0.7,
)
case(
    "a row that is read when its list was written",
    """
import numpy as np


def f(x):
    grid = []
    s = 0.0
    for i in range(3):
        row = []
        for j in range(2):
            row.append(x * i + j)
        grid.append(row)
        grid[-1][0] = x ** 3
        s += sum(row) ** 2
    return s
""",
    0.7,
)
case(
    "rows that are written by their list, and the last row by its name",
    """
import numpy as np


def f(x):
    grid = []
    last = []
    for i in range(3):
        row = []
        for j in range(2):
            row.append(x * i + j)
        grid.append(row)
        last = row
    grid[2][0] = x * 5
    last[1] = x * 7
    s = 0.0
    for r in grid:
        for v in r:
            s += v ** 2
    return s + last[0]
""",
    0.7,
)
case(
    "rows of what the row holds, changed by the list",
    """
import numpy as np


def f(x):
    grid = []
    for i in range(3):
        row = []
        for j in range(3):
            if j > 0:
                row.append(x * row[j - 1] + j)
            else:
                row.append(x + i)
        grid.append(row)
    for i in range(3):
        grid[i][1] = grid[i][1] ** 2
    s = 0.0
    for i in range(3):
        for j in range(3):
            s += grid[i][j] ** 2
    return s
""",
    0.7,
)
case(
    "a cube of lists, one number of it written",
    """
import numpy as np


def f(x):
    cube = [[[x * i + j * x ** k for k in range(2)] for j in range(3)] for i in range(2)]
    cube[1][2][0] = cube[0][0][1] * x
    s = 0.0
    for i in range(2):
        for j in range(3):
            for k in range(2):
                s += cube[i][j][k] ** 2
    return s
""",
    0.7,
)
case(
    "rows of arrays, of which one is held elsewhere",
    """
import numpy as np


def f(x):
    a = np.ones(2) * x
    grid = []
    for i in range(3):
        row = []
        row.append(a)
        row.append(a * i)
        grid.append(row)
    a[0] = x ** 3
    grid[1][0][1] = x * 4
    s = 0.0
    for i in range(3):
        s += np.sum(grid[i][0] * grid[i][1])
    return s + np.sum(a)
""",
    0.7,
)
case(
    "an item from the sum of a row that the list got just before",
    """
import numpy as np


def f(x):
    grid = []
    n = 0
    while n < 3:
        row = []
        for j in range(2):
            row.append(x * n + j)
        n += 1
        grid.append(row)
        if len(grid) == 2:
            grid[0][0] = sum(grid[1])
    s = 0.0
    for r in grid:
        for v in r:
            s += v ** 2
    return s
""",
    0.7,
)
case(
    "rows that change places, and one written",
    """
import numpy as np


def f(x):
    grid = []
    for i in range(3):
        row = []
        for j in range(2):
            row.append(x * i + j)
        grid.append(row)
    grid[0], grid[1] = grid[1], grid[0]
    grid[0][0] = x ** 2
    s = 0.0
    for i in range(3):
        for v in grid[i]:
            s += v ** 2 * (i + 1)
    return s
""",
    0.7,
)
case(
    "sums of inner lists",
    """
def f(x):
    c = [[[x, x * 2.0], [x * 3.0, x]], [[x + 1, x * 2.0], [x * 3.0, x]]]
    s = 0.0
    for i in range(2):
        s += sum(c[1][i]) * max(c[0][i])
    return s
""",
    0.7,
)
case(
    "numbers put into lists of lists",
    """
def f(x):
    r = [[0.0, 0.0], [1.0, 1.0]]
    r[0][0] = x[0]
    return r[0][0] ** 2 * r[1][0]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "an item of an array put into a list of lists in loops",
    """
def f(x):
    r = [[0.0, 0.0], [1.0, 1.0]]
    for i in range(2):
        for j in range(2):
            r[i][j] = x[2 * i + j]
    return r[0][0] ** 2 * r[1][0]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "an item put into a row that a list of rows holds",
    """
def f(x):
    h = []
    state = [x[0], x[1]]
    for k in range(3):
        state = [state[0] + 0.1 * state[1], state[1] - 0.1 * state[0] * x[k]]
        h.append(state)
    h[1][0] = x[3]
    return sum(s[0] ** 2 + s[1] for s in h) + state[0]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "a state that is rebound to a list of its items, and held by a list",
    """
def f(x):
    h = []
    state = [x[0], x[1]]
    for k in range(3):
        state = [state[1], state[0] * x[k]]
        h.append(state)
    h[1][0] = x[3]
    h[0][1] = h[1][0] * x[2]
    return sum(s[0] ** 2 + s[1] for s in h) + state[0]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "a state of arrays rebound to a list of them, and a row of the history written",
    """
import numpy as np


def f(x):
    state = [x * 1.0, x * 2]
    h = [state]
    for k in range(2):
        state = [state[1] * 0.5, state[0] + state[1] * x]
        h.append(state)
    h[1][0] = x * 3
    h[0][1] = x * state[0]
    return np.sum(h[0][1] * h[1][0] * h[2][0] + state[1])
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "a state that branches rebind, and a row of the history written",
    """
def f(x):
    state = [x[0], x[1]]
    h = []
    for k in range(3):
        if x[k] > 0:
            state = [state[0] * x[k], state[1]]
        else:
            state = [state[1], state[0] ** 2]
        h.append(state)
    h[2][0] = h[0][1] * x[2]
    return h[0][0] * h[1][0] * h[2][0] * h[2][1]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "a list under a second name that is written behind the rebinding of the first",
    """
def f(x):
    state = [x[0], x[1]]
    old = state
    state = [state[1] * state[0], state[0]]
    old[0] = x[3]
    state[1] = state[1] * state[0]
    return state[0] * state[1] + old[0] ** 2 * old[1]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "an item of a row of rows that is another row too",
    """
def f(x):
    r = [[0.0, 1.0], [2.0, x[3]]]
    L = [[x[1], x[2]], [x[0], x[0]]]
    r[0] = L[1]
    L[1][0] = x[0] * 3
    return r[0][0] ** 2 * r[1][1]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "elimination in a list of lists",
    """
def f(x):
    n = 2
    m = [[x[0], x[1]], [x[2], x[3]]]
    for k in range(n):
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            for j in range(k, n):
                m[i][j] = m[i][j] - f * m[k][j]
    return m[0][0] * m[1][1]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "lists of the module, copied, joined, repeated and multiplied",
    """
import numpy as np

K = [1.0, 2.0, 0.5]
N = [[1.0, 2.0], [3.0, 4.0]]
T = (1.0, 2.0)


def f(x):
    k = list(K)
    k[0] = x[0]
    more = K + [x[1]]
    pair = T + (x[2],)
    n = np.array(N)
    n[0, 1] = x[3]
    y = np.where(x[:3] > 0, K, x[:3] ** 2) * K
    return k[0] * k[1] + more[-1] * pair[2] ** 2 + sum(K * 2) * x[0] + np.sum(n**2) + np.dot(K, y)
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "rows of a list of the module, copied, and one written",
    """
N = [[1.0, 2.0], [3.0, 4.0]]


def f(x):
    r = [n[:] for n in N]
    r[0][0] = x[0]
    return r[0][0] ** 2 * r[1][0] + N[0][0] * x[1]
""",
    np.array([0.7, 1.3]),
)
case(
    "complex arrays that are real at first, or in part, written in place",
    """
import numpy as np


def rotated(a):
    a[0] = 1j * a[1]
    return a


def f(x):
    z = x + 0j
    z[1:] = 1j * z[:-1]
    w = np.where(x > 0, x, 1j)
    w[1:] = 1j * w[:-1]
    u = np.add(x, 1j)
    np.multiply(u, 1j, out=u)
    v = x * 2 + 1j
    for _ in range(3):
        v += 1j * x
    q = 1j - x
    q[0] += 1j * x[1]
    total = z + w * u + v**2 + q + rotated(x - 0j)
    return total.real * x + total.imag
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "keys of a dict that are computed with",
    """
def f(x, p):
    s = 0.0
    for k, v in p.items():
        s += k * v * x[0]
    for k in sorted(p):
        s += k**2 * p[k] * x[1]
        k = k * x[0]
        s += k
    return s + sum(k * v for k, v in p.items()) * x[0]
""",
    np.array([0.7, 1.3]),
    {1.0: 2.0, 2.5: 3.0},
)
case(
    "keys of a dict that are numbers of items, and pairs of them",
    """
def f(x, p, q):
    s = 0.0
    for k, v in p.items():
        s += x[k] * v
    for ij in list(q):
        s += x[ij[0]] * x[ij[1]] * q[ij]
    return s
""",
    np.array([0.7, 1.3, -0.4]),
    {0: 2.0, 2: 3.0},
    {(0, 1): 2.0, (1, 2): 3.0},
)
case(
    "a list of the module that a name holds before a loop binds it anew",
    """
K = [1.0, 2.0]


def f(x):
    a = K
    for _ in range(2):
        a = [v * x[0] for v in a]
    return a[0] * x[1] + a[1]
""",
    np.array([0.7, 1.3]),
)
case(
    "rows that are copied by list, of lists, tuples and an array",
    """
import numpy as np


# s2s: x (n,)
def f(x):
    r = [[x[0], x[1]], [x[2], x[3]]]
    s = [list(v) for v in r]
    s[0][0] = 2.0 * x[1]
    r[1][1] = 3.0
    A = np.outer(x, x)
    t = [list(v) for v in A]
    t[0][0] = 2.0 * x[1]
    A[1] = 0.0
    return s[0][0] * r[0][0] * s[1][1] * r[1][1] + t[0][0] * t[1][1] * A[0, 0]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "arrays of a list that is returned, of which items are written",
    """
# s2s: v (n,)
def f(v):
    b = []
    for _ in range(3):
        b.append(v.copy())
    for i in range(3):
        b[i][i] = v[i + 1] ** 2
        b[i][1:] *= v[1:]
    return b
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "an array of a list that is returned, bound anew",
    """
# s2s: v (n,)
def f(v):
    b = []
    for k in range(2):
        b.append(v * k)
    b[1] *= v[2]
    return b
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "arrays of a list that are returned one by one, after one was written",
    """
import numpy as np


# s2s: v (n,)
def f(v):
    b = [v.copy() for _ in range(2)]
    b[1][2] = np.sum(v)
    return b[0], b[1]
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "rows of arrays that are returned in a dict beside one of them",
    """
import numpy as np


# s2s: v (n,)
def f(v):
    b = []
    for k in range(3):
        b.append([v * k, np.sin(v)])
    b[1][0][2] = np.sum(v)
    b[2] = [v, v * v]
    return {"rows": b, "one": b[1][0]}
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
)
case(
    "rows that a loop writes, and the last one read behind it",
    """
import numpy as np


# s2s: M (n, m)
def f(M, y: float):
    for value in M:
        value[0] *= y
    return np.sum(np.sin(value)) + y
""",
    np.arange(6.0).reshape(3, 2) / 7,
    0.4,
)
case(
    "a row that a loop writes before it returns",
    """
import numpy as np


# s2s: M (n, m)
def f(M, y: float):
    for value in M:
        if value[0] > y:
            value[0] = y * y
            return np.sum(np.sin(value))
    return y
""",
    np.arange(6.0).reshape(3, 2) / 7,
    0.4,
)
case(
    "an item of a new axis of an array whose rank is not known",
    """
import numpy as np


def f(u, v, n: int):
    u = u * np.ones(4)
    p = u[None][n]
    p[1:] = v[:-1]
    return np.sum(u * u)
""",
    np.array([0.7, 1.3, -0.4, 0.9]),
    np.array([0.3, -1.3, 0.5, 0.1]),
    0,
)
case(
    "a whole number or an array from a helper, taken from an array",
    """
import numpy as np


def pick(v, x, n):
    if n == 0:
        return x
    return v


# s2s: v (n,), w (n,)
def f(w, v, n: int):
    a = 1
    c = pick(w, a, n)
    for _ in range(2):
        np.subtract.at(v, [0], c)
    return v * w
""",
    np.array([0.7, 1.3]),
    np.array([0.3, -1.3]),
    0,
)
case(
    "a helper that writes, called behind what reads the array by another name",
    """
import numpy as np


def put(u, y):
    u[0] = y
    return u


# s2s: u (n,)
def f(u):
    w = u
    v = u[1:]
    a = (np.sin(w), v[0] * put(u, 2.0 * w[1]))
    b = [np.cos(w), put(v, 2.0)]
    return a[0] * a[1] + b[0] * b[1][0]
""",
    np.array([0.7, 1.3, -0.4]),
)
case(
    "a method that writes, called behind what reads the array by another name",
    """
import numpy as np


class Store:
    def __init__(self, u):
        self.u = u

    def put(self, y):
        self.u[0] = y
        return self.u


# s2s: u (n,)
def f(u):
    w = u
    c = Store(u)
    return np.sin(w) * c.put(2.0 * w[1])
""",
    np.array([0.7, 1.3, -0.4]),
)
case(
    "an array less a multiple of itself, by one of its elements",
    """
import numpy as np


# s2s: v (n,)
def f(v):
    for i in range(3):
        v = v - v[i] * v
    for i in range(3):
        v += np.sin(v) * v[i] * v[i + 1]
    return v
""",
    np.array([-0.5, 0.4, 0.6, 1.3, -0.2]),
)
case(
    "an array with two names, less a multiple of itself",
    """
import numpy as np


# s2s: v (n,)
def f(v):
    w = v
    for i in range(3):
        v -= v[i] * v[::-1] + np.sum(v[i:]) * v
    return v * w[0]
""",
    np.array([-0.5, 0.4, 0.6, 1.3, -0.2]),
)
case(
    "a helper that writes an entry of a dict into an array, and returns another one",
    """
import numpy as np


def fill(W, p):
    W[1] = p["shift"]
    return p["scale"]


# s2s: W (n, m)
def f(W, p):
    r = fill(W, p)
    return W * r
""",
    np.arange(6.0).reshape(3, 2) / 7,
    {"shift": np.array([0.4, 0.8]), "scale": 0.3},
)
case(
    "a helper that writes into the items of a list and of a dict",
    """
import numpy as np


def turn(w):
    w[0] = np.var(w)
    return np.sum(w * w)


def scale(w, s):
    w *= s * w


# s2s: w (n,)
def f(w):
    L = [w * 2.0, np.sin(w), w, w]
    for i in range(2):
        scale(L[i], np.sum(L[i + 1]))
    d = {"a": w * 2.0, "b": np.sin(w)}
    scale(d["a"], 2.0)
    return turn(L[2]) * turn(d["b"]) * np.sum(d["a"] * L[0] * L[1] + L[3])
""",
    np.array([0.4, 0.9, -0.5]),
)
case(
    "a list that each iteration makes, read by a slice",
    """
import numpy as np


# s2s: u (n,), v (m,)
def f(u, v, x: float):
    for e in u:
        r = [x]
        for _ in range(3):
            r.append(r[-1] * e)
        for item in r[::1]:
            last = item
        v[...] = last * v
    return v
""",
    np.array([0.4, 0.9]),
    np.array([0.4, 0.9, -0.5]),
    0.7,
)
case(
    "a nested function whose parameter has the name of an array",
    """
# s2s: x (), y (), v (n,)
def f(x, y, v, n: int):
    w = v
    if n > 0:

        def inner(v):
            nonlocal y
            y += x

        _ = inner(w)
    return y
""",
    0.4,
    0.8,
    np.array([0.4, 0.9, -0.5]),
    1,
)
case(
    "an array in a list less a multiple of itself, by its elements",
    """
import numpy as np


# s2s: v (n,)
def f(v):
    L = [v * 2.0, np.sin(v)]
    for i in range(2):
        L[0] = L[0] - L[0][i] * L[0]
        L[1] = L[1] - L[1][i] * L[1][i + 1] * L[0][0]
    return L[0] * L[1]
""",
    np.array([0.4, 0.9, -0.5]),
)
case(
    "an attribute and an item updated by what a call gives that writes, behind what reads another name of the array",
    """
import numpy as np


class Line:
    def __init__(self, u):
        self.u = u

    def fill(self, k):
        self.u[0] = k * self.u[1]
        return self.u


def put(u, k):
    u[0] = k
    return u


# s2s: u (n,)
def f(u, k: float):
    w = u
    line = Line(u)
    line.u += np.sin(w) * line.fill(k)
    L = [w * 2.0]
    L[0] += np.cos(w) * put(u, k)
    w[1:] += np.cos(w[:-1]) * put(u, 2.0 * k)[1:]
    return L[0] * w * line.u
""",
    np.array([0.4, 0.9, -0.5]),
    0.6,
)
case(
    "the first and the rest of a list, and a few calls of reduce",
    """
import numpy as np
from functools import reduce


def f(a: float, b: float):
    xs = [a, b, a * b]
    first = xs[0]
    rest = xs[1:]
    return first * rest[0] * rest[1] * reduce(lambda p, q: p * q + b, [np.sin(a), b, first], a)
""",
    0.7,
    0.4,
)
case(
    "lists that are repeated",
    """
# s2s: x (n,)
def f(x, b: float, n: int):
    y = [x * b] * n
    y[1][0] = b
    z = [b, x[0]] * n + [x[1]] * 2
    w = [x, x * b] * 2
    w[1] = x**2
    return y[0] * y[1] * y[2] * z[1] * z[-1] * w[1] * w[3]
""",
    np.array([0.4, 0.9, -0.5]),
    0.6,
    3,
)
case(
    "an array that is returned, written by a helper where a slot of a list holds it",
    """
def square(q):
    q[0] = q[0] ** 2


# s2s: v (n,)
def f(v):
    rows = [v, v]
    rows[0], rows[1] = rows[1], rows[0]

    def turn(x):
        v[1] = v[1] * x

    square(v)
    turn(v[2])
    w = v
    return w, rows
""",
    np.array([0.4, 0.9, -0.5]),
)
case(
    "two calls of one method in a statement, whose parameter it binds anew",
    """
class Body:
    def __init__(self, s):
        self.s = s
        self.log = []

    def push(self, x, k):
        x = x * k
        self.s = self.s + x
        self.log.append(x)
        return x


# s2s: v (3,)
def f(v):
    p, q = Body(v[0]), Body(v[2])
    x = v[1]
    a = p.push(x, 2.0) + p.push(x, 3.0) * x - q.push(p.push(x, v[0]), x)
    return a * p.s * q.s * p.log[1]
""",
    np.array([0.4, 0.9, -0.5]),
)
case(
    "helpers, and functions inside, that append to lists and take from them",
    """
def note(log, x, k=2.0):
    x = x * k
    log.append(x)
    return x


def mean_of_last(window, x):
    if len(window) > 2:
        window.pop(0)
    window.append(x)
    return sum(window) / len(window)


def swap(items, i, j):
    items[i], items[j] = items[j], items[i]


# s2s: v (3,)
def f(v):
    log, window, stack = [v[0]], [], []

    def push(x):
        stack.append(x * v[2])
        return len(stack)

    x = v[1]
    s = note(log, x) + note(log, x, 3.0) * x
    for i in range(5):
        s = s * 0.5 + mean_of_last(window, v[i % 3] * s + 1.0)
        s = s + v[i % 3] * push(s)
    swap(log, 0, 2)
    return s * log[0] * log[1] + stack[1] * stack[-1]
""",
    np.array([0.4, 0.9, -0.5]),
)
case(
    "helpers whose names are those of numbered variables",
    """
import numpy as np


def x1(u):
    return u * 2.0


def s1_bar(u):
    return u + 1.0


def t2(u):
    return np.tanh(u)


def f(x: float, s: float):
    x = np.sin(x) * x
    y = x1(x) * s1_bar(s) * t2(np.exp(x * s) * np.cos(t2(x)))
    s = s * y
    for i in range(3):
        x = x * y + x1(s)
        s = np.cos(s) * s1_bar(x)
    x = x * s
    return x
""",
    0.7,
    0.4,
)
case(
    "calls whose arguments are calls of the same method, and tuples of calls that write",
    """
import numpy as np


class Body:
    def __init__(self, s, u):
        self.s = s
        self.u = u

    def push(self, x, k):
        x = x * k
        self.s = self.s + x
        return x

    def smooth(self, k):
        t = self.u
        return np.sum(np.sin(t) * put(self.u, k))


def put(u, k):
    u[0] = k * u[1]
    return u


def shift(u, k):
    u[1:] = u[:-1] * k
    return u


def scale(y, x):
    y *= x
    return y


def both(u, k):
    w = u
    r = np.cos(w) * put(u, k)
    u[1] = r[0]
    return u, r


# s2s: v (3,)
def f(v):
    log = []

    def note(z):
        log.append(z * v[2])
        return z + log[-1]

    p, q = Body(v[0], v * 1.5), Body(v[1], np.cos(v))
    x = p.push(v[0] * q.s, q.push(v[1], v[2]))
    y = p.push(q.s * x, q.push(x, p.push(q.s, x)))
    a, b = np.sum(put(p.u, note(y))), np.sum(shift(p.u, p.s))
    y = np.arctan2(scale(y, v[1]), y)
    z, r = both(q.u, x)
    return (a * b * p.smooth(y) + x * q.s) * log[0] * np.sum(z * r * p.u)
""",
    np.array([0.4, 0.9, -0.5]),
)
case(
    "a loop that binds an array to a copy of a view of itself",
    """
import numpy as np


# s2s: u (n,)
def f(u, x: float):
    for i in range(3):
        v = u[:]
        v[0] = v[1] * x
        u = v.copy()
    while x > 0.35:
        x = x / 1.6
        w = u[::-1]
        w[[0]] = 2.0 * x * w[1]
        u = w * x + np.sin(u[::-1]) * w
    return u[0] * u[1] * x
""",
    np.array([0.4, 0.9, -0.5]),
    0.6,
)
case(
    "arguments for *ys and **options, beside helpers that write",
    """
import numpy as np


def write(u, v):
    u += v * 0.5
    v[1] = u[0]
    return u[2]


def chain(x, *ys, scale=1.0):
    for y in ys:
        x = x * y + scale
    return x


def weigh(x, y=1.0, **more):
    return x * y + more["z"] * more["q"]


# s2s: v (3,)
def f(v):
    u, w = v * 1.5, np.cos(v)
    x = chain(np.sin(u[1]), write(w, u), w[2] * u[1], scale=u[1])
    y = weigh(u[1], q=write(w, u), z=u[1] * w[2], y=write(u, w))
    return x * y * np.sum(u * w)
""",
    np.array([0.4, 0.9, -0.5]),
)
case(
    "items that are made of an argument, put into lists and dicts, and written there",
    """
import numpy as np


# s2s: u (n,), v (n,)
def f(u, v):
    windows = [u[i : i + 2] * 1.0 for i in range(3)]
    for i in range(2):
        windows[i][1] += windows[i + 1][0]
    rows = []
    for i in range(2):
        row = []
        for _ in range(2):
            row.append(v + 1.0)
        rows.append(row)
    rows[0][1][0] *= u[0]
    cells = []
    for _ in range(2):
        cells.append({"a": u + 0.0, "b": v - 1.0})
    for cell in cells:
        cell["a"][1] *= v[0]
        cell["b"][0] *= u[1]
    kept = []
    for i in range(2):
        column = u - 1.0
        kept.append(column)
    kept[1][0] *= v[1]
    part, _ = np.modf(u)
    part[0] *= v[0]
    total = np.sum(np.concatenate(windows)) + rows[0][0] * rows[0][1] * rows[1][0] * part
    return total * cells[0]["a"] * cells[1]["b"] * kept[0] * kept[1] * u
""",
    np.array([0.4, 0.9, -0.5, 0.7]),
    np.array([1.1, -0.6, 0.3, 0.8]),
)
case(
    "arrays in lists, tuples and dicts in dicts in a list, that are written, summed and handed on",
    """
import numpy as np


def product(pair):
    return pair[0] * pair[1]


def make(u, v):
    return {"pair": [v - 1.0, u * 1.0], "by": {"x": u * v, "y": v * 1.0}}


# s2s: u (n,), v (n,)
def f(u, v):
    cells = []
    for _ in range(2):
        cells.append(
            {"pair": [v - 1.0, u * 1.0], "by": {"x": [u * v, u * 1.0], "z": (v - 1.0, u * 1.0)}, "deep": [[u + v]]}
        )
    for cell in cells:
        cell["pair"][0][0] *= u[1]
        cell["pair"][1][0] *= sum(cell["pair"])[1]
        cell["by"]["x"][1][1:] *= v[0]
        cell["deep"][0][0][1] += cell["by"]["x"][1][2]
        cell["by"]["z"][0][0] *= u[2]
    made = []
    for _ in range(2):
        made.append(make(u, v))
    made[0]["pair"][0][0] *= u[1]
    made[1]["by"]["x"][0] *= u[1]
    held = made[1]["by"]
    total = cells[1]["by"]["z"][0] * cells[0]["by"]["z"][1]
    total = total + product(cells[0]["pair"]) * product(cells[1]["by"]["x"]) + np.sum(np.array(cells[1]["pair"]))
    return total * cells[1]["deep"][0][0] * product(made[0]["pair"]) * held["x"] * held["y"]
""",
    np.array([0.4, 0.9, -0.5, 0.7]),
    np.array([1.1, -0.6, 0.3, 0.8]),
)
case(
    "a helper that is given a tuple here and a list there",
    """
import numpy as np


def product(pair):
    return pair[0] * pair[1]


# s2s: u (n,), v (n,)
def f(u, v):
    rest = [v * 1.0, u * v]
    return product((u, v)) * product(rest)
""",
    np.array([0.4, 0.9, -0.5]),
    np.array([1.1, -0.6, 0.3]),
)
case(
    "results that are computed into items of lists and dicts, which have other names",
    """
import numpy as np


# s2s: u (n,), v (n,)
def f(u, v):
    items = [u + 1.0, u * v]
    first = items[0]
    np.multiply(items[0], u[1], out=items[0])
    np.add(first, items[1], items[1])
    rows = np.zeros((2, 3))
    for i in range(2):
        np.multiply(u, v[i], out=rows[i])
    return items[0] * items[1] * first * rows[0] + rows[1]
""",
    np.array([0.4, 0.9, -0.5]),
    np.array([1.1, -0.6, 0.3]),
)
case(
    "named tuples as the tuples that they are",
    """
from typing import NamedTuple

import numpy as np


class Point(NamedTuple):
    x: float
    y: float


class Pair(NamedTuple):
    u: np.ndarray
    w: np.ndarray

    def squares(self):
        return sum(v @ v for v in self)


class Box(NamedTuple):
    corner: Point
    size: float


def area(a, b):
    return a * b + a


def horner(p: Point, k: float):
    total = 0.0
    for v in p:
        total = total * k + v
    return total * sum(p) + p[-1] * p.x


def between(p: Point, q: Point):
    return sum(a * b for a, b in zip(p, q)) + np.sum(np.array(p) ** 2)


def f(x, k: float):
    p = Point(x[0], x[1] * k)
    pair = Pair(np.sin(x), x * k)
    box = Box(p, k)
    q = p
    for i in range(2):
        p = Point(p[1] * k, p[0] + i * len(p))
    pair[0][1] = k * p[0]
    s = 0.0
    for i in range(len(p)):
        s += p[i] ** 2
    for i, v in enumerate(q):
        s += v * i
    grown = lambda c: c * q[0]
    s += area(*p) * box[0][1] + box.corner[0] * box[-1] + grown(k) + max(q) + q[:1][0] * k
    return np.concatenate(pair) * s + pair.squares() * horner(q, k) * between(p, q)
""",
    v(3),
    0.7,
)
case(
    "a name bound to what a helper gives that writes into its array",
    """
import numpy as np


def square(w, t):
    w[::2] = w[::2] ** 2 * t
    return w * w


def mirror(w, t):
    w[0] = w[1] * t
    return w[::-1] * t, w[0] * t


# s2s: v (n,)
def f(v, x: float):
    if x < 0.5:
        v = square(v, 0.5)
    for i in range(3):
        v = square(v, x)
        w = v[::-1]
        v = square(w, 2.0 * x)
        v, s = mirror(v, x)
        x = x + s * 0.1
    return v * x
""",
    np.array([0.4, 0.9, -0.5]),
    0.3,
)
case(
    "items that are read of the list that extend makes longer",
    """
def f(x: float, n: int):
    c = [x]
    c.extend([x * 0.3, c[-1] * c[0] * 0.5])
    c += [c[-1] * x, c[-1] * c[1]]
    for i in range(n):
        c.extend([sum(c) * 0.3, c[-1] * c[len(c) // 2]])
    return c[0] + c[1] * c[2] - c[3] * c[-1]
""",
    0.7,
    3,
)
case(
    "levels that are filled by a loop, each a list of the one before",
    """
import numpy as np


def f(x, n: int):
    values = []
    for j in range(n):
        values.append(x * (j + 1))
    old = [x]
    for i in range(2):
        new = []
        for j in range(len(values) - 1):
            new.append(values[j] * np.sin(values[j + 1]))
        old = values
        values = new
    return sum(values) * old[-1]
""",
    np.array([0.7, -0.4]),
    4,
)
case(
    "the sum of a list, appended to a list",
    """
def f(x: float, n: int):
    a, b, c = [x], [x * x, 0.5 * x], [0.3 * x]
    c.append(sum(c) * 0.3)
    a.extend([sum(c) * 0.3, x * b[0]])
    for i in range(n):
        b.extend([sum(a) * 0.2, x * c[-1]])
        a.append(sum([v * x for v in b]))
    return sum(a) * b[-1] + c[0]
""",
    0.7,
    2,
)
case(
    "an item of a list by its other name, appended to it",
    """
import numpy as np


def f(x, n: int):
    b = [x * x, 0.5 * x]
    c = b
    b.append(np.sin(c[-1]))
    b.append(c[-1] * c[0])
    s = b[-1] * c[1]
    c = [b[-2] * s]
    for i in range(n):
        c.append(c[-1] * x)
    return c[-1] + b[-1] + sum(c)
""",
    np.array([0.7, -0.4]),
    2,
)
case(
    "random numbers that are drawn and not used",
    """
import numpy as np


def f(x, n: int):
    rng = np.random.default_rng(3)
    rng.normal()
    z = rng.normal(size=3)
    for _ in range(n):
        rng.uniform(0.0, 1.0, 2)
    return np.sum(x * z) * rng.normal()
""",
    np.array([0.7, -0.4, 1.1]),
    2,
)
case(
    "the sum of a list, put into a slot of the list",
    """
import numpy as np


def f(x, n: int):
    c = [x * 0.3, x]
    for i in range(n):
        c[i] = sum(c) * c[0] * 0.3
        if n > 1:
            c[0] = np.sum(np.stack(c)) * x
        c[-1] = c[-1] + sum(v * x for v in c)
        c[0] = sum(c[:1]) * x
    m = [[x, 2.0 * x], [x * x, 1.0 * x]]
    m[0][1] = sum(m[0]) * x
    m[1] = [sum(m[0]), sum(m[1])]
    return c[0] * c[1] + m[0][1] * m[1][0] + m[1][1]
""",
    np.array([0.7, 0.4]),
    2,
)
case(
    "defaults of functions inside that are called by other functions inside",
    """
def f(x):
    k = x[0]

    def spring(q, q0=x[1] ** 2, *, q1=k):
        return -k * (q - q0) * q1

    def energy(q):
        e = spring(q)
        return 2 * e * e

    def even(n, v, c=x[0] * 2):
        return v * c if n == 0 else odd(n - 1, v * c)

    def odd(n, v, d=x[1] * 3):
        return v * d if n == 0 else even(n - 1, v + d)

    def both(n):
        s = 0.0
        for i in range(n):
            s += even(i, x[3]) * energy(x[i])
        return s

    k = 5.0 * x[1]
    total = sum(energy(v) for v in x)
    for i in range(3):

        def slope(t, a=x[i]):
            return t * a

        def square(t):
            y = slope(t)
            return y * y

        total += square(x[3]) * k
    return total * both(3)
""",
    v(),
)
case(
    "a list in one place, an array in another",
    """
import numpy as np


def f(x):
    rows = np.outer(x, x) if x[0] > 5.0 else [x, 2.0 * x]
    if x[1] > 5.0:
        rows = (x, x)
    s = 0.0
    for r in rows:
        s = s + r * r * rows[-1]
    for i in range(2):
        s = s + rows[i] * x
    return s * rows[0]
""",
    v(),
)
case(
    "items of what has rank 0",
    """
import numpy as np


def f(x):
    g = np.asarray(x[0] * x[1])
    h = np.sum(x)
    s = h[None] * h[()] * x
    for k in np.ndindex(g.shape):
        s = s + g[k] * x
    return s
""",
    v(),
)
case(
    "gradients along axes that are not known",
    """
import numpy as np


def f(u):
    g = np.gradient(u)
    s = u
    for v in g:
        s = s + v * v
    return s * g[0] * np.gradient(u, axis=1)
""",
    m(),
)
case(
    "items by numbers of a tuple, changed in place",
    """
def f(x):
    q = [x * 1.0, x * 2.0]
    for i in (1, 0):
        w = q[i]
        w[0] += x[1]
        w *= w
    return q[0] * q[1]
""",
    v(),
)

case(
    "functions that call themselves and return lists, dicts and objects",
    """
def rows(x, n):
    if n == 0:
        return [x[0], x[1]]
    y = rows(x, n - 1)
    return [y[0] * x[0], y[1] + x[1]]


def named(x, n):
    if n == 0:
        return {"a": x[0], "b": [x[1], x[2]]}
    y = named(x, n - 1)
    return {"a": y["a"] * x[0], "b": [y["b"][1], y["b"][0] * x[2]]}


def grown(x, n):
    if n == 0:
        return [x]
    y = grown(x * 0.9, n - 1)
    return [x * y[0]] + y


def f(x):
    y = rows(x, 3)
    z = rows([x[0] * y[0], x[2]], 1)
    y[0] = z[1] * y[1]
    d = named(x, 3)
    l = grown(x[1], 3)
    return y[0] * z[0] + d["a"] * d["b"][0] * d["b"][1] + l[0] * l[1] * l[-1]
""",
    v(3),
)

case(
    "displays with starred items that are returned",
    """
def joined(x):
    y = [v * x[1] for v in x]
    return [x[1], *y]


def f(x):
    y = [x[0] * x[1], x[2]]
    l = joined(x)
    return (x[1] * l[0], *y, l[1] * l[-1], *l[1:])
""",
    v(3),
)

case(
    "arrays in a list or a dict that are updated in place where another name sees them",
    """
import numpy as np


# s2s: x (n,), y (n,)
def f(x, y, n: int):
    rows = [x * 1.0, y * 2.0, x * y]
    kept = list(rows)
    first = rows[0]
    for i in range(1, n):
        rows[i] += rows[i - 1] * y
        kept[i] *= kept[i - 1]
    rows[0] += first * y
    rows[0] *= rows[0]
    state = {"a": x * 2.0, "b": y * 1.0}
    a = state["a"]
    state["a"] -= y * state["b"]
    if n > 1:
        state["b"] *= a
    total = 0.0
    for r, k in zip(rows, kept):
        total += np.sum(r * k) + np.sum(a * state["b"])
    return total + np.sum(first)
""",
    v(3),
    v(3),
    3,
)

case(
    "a list of arrays, updated in place and returned",
    """
# s2s: x (n,), y (n,)
def f(x, y):
    rows = [x * 1.0, y * 1.0]
    first = rows[0]
    rows[0] += y[1]
    rows[1] *= first
    rows[0] *= x
    return rows
""",
    v(3),
    v(3),
)

case(
    "one array in two slots, and in a name, updated through each",
    """
import numpy as np


# s2s: x (n,), y (n,)
def f(x, y):
    a = x * y
    both = [a, a]
    both[0] += y
    both[1] *= x
    a -= y * y
    rows = [[x * 1.0, y * 1.0], [x * y]]
    row = rows[0]
    inner = row[1]
    rows[0][1] += x * rows[1][0]
    row[0] *= inner
    return np.sum(both[0] * a) + np.sum(rows[0][0] * inner * row[1])
""",
    v(3),
    v(3),
)

case(
    "functions that call themselves with other shapes, and return parts",
    """
import numpy as np


def pair(x, y, n):
    if n == 0:
        return x * y, y
    a, b = pair(x, y * x, n - 1)
    return a * b, pair(y, x, n - 1)[1] * a


def named(x, y, n):
    if n == 0:
        return {"a": x * y, "b": y}
    r = named(x, y[0], n - 1)
    return {"a": r["a"] * r["b"], "b": y}


def grown(x, y, n):
    if n == 0:
        return (x,)
    return (y * x,) + grown(x, y * x, n - 1)


def summed(x, n):
    if n == 0:
        return x * 2.0
    y = summed(x[:-1], n - 1)
    return y + x[1]


def f(x, y, n: int):
    d = named(x, y, 1)
    s = summed(x, n)
    s *= y[0]
    return np.sum(pair(x, y, n)[1] * y) + np.sum(d["a"] * d["b"]) + np.sum(grown(x, y, n)[1] * s[0])
""",
    v(3),
    v(3),
    2,
)

# ---------------------------------------------------------------- None at first
case(
    "the best of several lists, None at first",
    """
def f(x):
    best = None
    for k in range(3):
        v = [x[k], x[k + 1] ** 2]
        if best is None or v[0] < best[0]:
            best = v
    return best[0] * best[1]
""",
    v(4),
)
case(
    "the best of several arrays, None at first",
    """
def f(x):
    best = None
    for k in range(3):
        v = x[k:k + 2] ** 2
        if best is None or v[0] < best[0]:
            best = v
    return best[0] * best[1]
""",
    v(4),
)
case(
    "the best of several tuples, None at first",
    """
def f(x):
    best = None
    for k in range(3):
        v = (x[k], x[k + 1] ** 2)
        if best is None or v[0] < best[0]:
            best = v
    return best[0] * best[1]
""",
    v(4),
)
case(
    "a list that stays None",
    """
import numpy as np


def f(x, n):
    best = None
    for k in range(n):
        v = [x[k], x[k + 1] ** 2]
        if best is None or v[0] < best[0]:
            best = v
    if best is None:
        return np.sum(x)
    return best[0] * best[1]
""",
    v(4),
    0,
)
case(
    "the list of the step before, None at first",
    """
def f(x):
    prev = None
    s = 0.0
    for k in range(4):
        v = [x[k], 2.0 * x[k] ** 2]
        if prev is not None:
            s += prev[0] * v[1]
        prev = v
    return s + prev[0]
""",
    v(4),
)
case(
    "the best of several dicts, None at first",
    """
import numpy as np


def f(x):
    best = None
    for k in range(3):
        v = {"a": x[k], "b": x[k + 1:] ** 2}
        if best is None or v["a"] < best["a"]:
            best = v
    return best["a"] * np.sum(best["b"])
""",
    v(4),
)
case(
    "the best of several nested tuples, None at first",
    """
import numpy as np


def f(x):
    best = None
    for k in range(3):
        v = (x[k], [x[k + 1] ** 2, x[0]], x[k:k + 2])
        if best is None or v[0] < best[0]:
            best = v
    return best[0] * best[1][0] * np.sum(best[2])
""",
    v(4),
)
case(
    "two lists in turn, None at first",
    """
def f(x):
    a = b = None
    for k in range(3):
        if k % 2 == 0:
            a = [x[k], x[k] ** 2] if a is None else [a[0] * x[k], a[1] + x[0]]
        else:
            b = [x[k]]
    return a[0] * a[1] * b[0]
""",
    v(4),
)
case(
    "a list that a while loop waits for",
    """
def f(x):
    best = None
    k = 0
    while best is None or best[0] < 0.9:
        best = [x[k] if best is None else best[0] + 0.2 * x[k], x[0] ** 2]
        k = (k + 1) % 4
    return best[0] * best[1]
""",
    v(4),
)
case(
    "the best of several lists, by a helper",
    """
def g(v):
    return v[0] * v[1]


def f(x):
    best = None
    for k in range(3):
        v = [x[k], x[k + 1] ** 2]
        if best is None or g(v) < g(best):
            best = v
    return g(best)
""",
    v(4),
)
case(
    "a tuple of the step before that is taken apart",
    """
def f(x):
    prev = None
    s = 0.0
    for k in range(4):
        if prev is not None:
            a, b = prev
            s += a * b * x[k]
        prev = (x[k], x[k] * s)
    return s
""",
    v(4),
)
case(
    "a list that is set to None again",
    """
def f(x):
    prev = None
    s = 0.0
    for k in range(4):
        if prev is not None:
            s += prev[0] * prev[1] * x[k]
            prev = None
        else:
            prev = [x[k], x[k] ** 2 + s]
    return s
""",
    v(4),
)
case(
    "a list that is made anew of itself, None at first",
    """
def f(x):
    acc = None
    for k in range(4):
        v = [x[k], x[k] ** 2]
        acc = v if acc is None else [a + b * x[0] for a, b in zip(acc, v)]
    return acc[0] * acc[1]
""",
    v(4),
)
case(
    "one step, and None before",
    """
def f(x, n):
    prev = None
    s = x[0]
    for k in range(n):
        if prev is not None:
            s = s + prev[1]
        prev = [x[k], x[k] ** 2 + s]
    if prev is not None:
        s = s * prev[0]
    return s
""",
    v(4),
    1,
)
case(
    "the best of several objects, None at first",
    """
class P:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def f(x):
    best = None
    for k in range(3):
        p = P(x[k], x[k + 1] ** 2)
        if best is None or p.a < best.a:
            best = p
    return best.a * best.b
""",
    v(4),
)
case(
    "dicts of constants: comprehensions over zip and enumerate, dict(zip(...)), dict of pairs, dict.fromkeys",
    """
import numpy as np

NAMES = ("a", "b", "c")


def energy(a, b, c):
    return a * b + c**2


def f(x, y):
    p = dict(zip(NAMES, x))
    q = {k: v * y for k, v in p.items()}
    r = {name: x[i] * y[i] for i, name in enumerate(NAMES) if name != "b"}
    s = dict([("u", x[0]), ("v", y[1])], w=p["a"])
    t = dict.fromkeys(("m", "n"), 2.0)
    t["m"] = r["c"]
    w = {f"w{i}": x[i] ** 2 for i in range(3)}
    return energy(**p) + r["a"] * s["u"] * s["v"] * s["w"] + np.sum(q["b"]) + t["m"] * t["n"] + w["w1"]
""",
    v(3),
    v(3),
)
case(
    "dicts with some keys of others, and other keys",
    """
FROZEN = {"b"}


def total(q):
    return q["a_new"] * q["c_new"] ** 2


def f(x, y):
    p = {"a": x, "b": y, "c": x * y}
    q = {k + "_new": v * 2 for k, v in p.items() if k not in FROZEN}
    for _ in range(2):
        p = {k: v * (x if k == "a" else y) + p["a"] for k, v in p.items()}
    upper = {k.upper(): v for k, v in p.items() if k in ("a", "c")}
    return total(q) * upper["A"] + sum(upper.values()) * total({f"{k}_new": v * x for k, v in p.items() if k != "b"})
""",
    0.7,
    0.4,
)
case(
    "some entries of a dict whose keys are not known, under their keys and others",
    """
import numpy as np


def weights(p):
    return sum(np.sum(v**2) for v in p.values())


def f(params, x, frozen):
    q = {k: v * x for k, v in params.items() if k.startswith("W")}
    r = {"old_" + k: v for k, v in params.items() if k not in frozen}
    s = weights(q) * np.sum(r["old_b"])
    for k in q:
        s += np.sum(q[k] * params[k])
    t = {k: v for k, v in params.items() if np.ndim(v) > 1}
    return s + weights(t)
""",
    {"W1": m(), "b": v(3), "W2": m()},
    0.7,
    ["W2"],
)
case(
    "a parameter that is bound anew to a dict with its keys",
    """
def f(params, grads, lr):
    start = params["a"]
    params = {k: v - lr * grads[k] for k, v in params.items()}
    slow = {k: 0.9 * v for k, v in params.items()}
    return params["a"] * params["b"] * start + sum(slow.values())
""",
    {"a": 0.3, "b": 0.7},
    {"a": 0.2, "b": 0.5},
    0.1,
)
case(
    "dicts that a loop fills under numbers in their order",
    """
import numpy as np


def f(x, W, n: int):
    memo: dict[int, float] = {}
    memo[0] = x[0]
    memo[1] = x[1] * memo[0]
    for i in range(2, n):
        memo[i] = memo[i - 1] * x[2] + memo[i - 2]
    h = {0: x}
    for i in range(n):
        h[i + 1] = np.tanh(W @ h[i]) + memo[0]
    s = sum(memo.values()) * len(h)
    for k, v in h.items():
        s += k * np.sum(v)
    counts = {0: 0.0, 1: 0.0}
    for i in range(3):
        counts[i % 2] += x[i]
    return s + counts[0] * counts[1] + memo[n - 1]
""",
    v(3),
    m(),
    4,
)
case(
    "columns of rows: lists of them, comprehensions over them, and what map makes of each",
    """
import numpy as np


def step(x, i):
    return x * i, x ** (i + 1)


def f(rows, x, n: int):
    cols = list(zip(*rows))
    sums = list(map(sum, zip(*rows)))
    xs, ys = map(list, zip(*[step(x, i) for i in range(n)]))
    xs.append(x)
    us, vs = map(np.array, zip(*(step(x, i) for i in range(n))))
    a, b = [x * sum(c) for c in zip(*[step(x, i) for i in range(n)])]
    s = cols[0][1] * sums[1] + sum(xs) * ys[1] + us @ vs + a * b**2
    return s + sum(sum(c) * sum(d) for c in zip(*rows) for d in zip(*rows))
""",
    [[0.1, 0.2], [0.4, 0.3], [0.5, 0.6]],
    0.7,
    3,
)
case(
    "a product of matrices that are lists of rows",
    """
def f(A, B):
    return [[sum(a * b for a, b in zip(row, col)) for col in zip(*B)] for row in A]
""",
    [[0.1, 0.2], [0.4, 0.3], [0.5, 0.6]],
    [[0.3, 0.2], [0.8, 0.3]],
)

case(
    "the values of a dict in a list, and one of them by its key",
    """
def f(p):
    q = list(p.values())
    return q[0] * p["b"] + q[1] ** 2
""",
    {"a": 0.7, "b": 0.4},
)
case(
    "a dict that a loop fills in order, changed by a second loop",
    """
def f(x, n: int):
    d = {0: x[0]}
    for i in range(1, n):
        d[i] = x[i] * d[i - 1]
    for i in range(n):
        d[i] *= x[i] ** 2
    return d[0] + d[n - 1]
""",
    v(4),
    4,
)

# ---------------------------------------------------------------- trees
TREE = {"w": 0.3, "kids": [{"w": 0.4, "kids": []}, {"w": 0.5, "kids": [{"w": 0.6, "kids": []}]}]}
case(
    "a tree of dicts, by a function that calls itself",
    """
import numpy as np


def f(node, x):
    s = node["w"] * x
    for c in node["kids"]:
        s = s + np.sin(f(c, s))
    return s
""",
    TREE,
    0.6,
)
case(
    "a tree of dicts, given twice to a helper that calls itself by the number of a child",
    """
import numpy as np


def g(t, x):
    s = t["w"] * x
    for i in range(len(t["kids"])):
        s = s + np.sin(g(t["kids"][i], s))
    return s


def f(t, x):
    return g(t, x) + g(t, 2.0 * x)
""",
    TREE,
    0.6,
)
case(
    "dicts in lists of dicts that helpers hand on, each twice",
    """
import numpy as np


def h(t, x):
    s = t["w"] * x
    for c in t["kids"]:
        s = s + np.sin(g(c, s)) * g(c, x)
    return s


def g(t, x):
    s = t["w"] + x
    for c in t["kids"]:
        s = s * c["w"] ** 2
    return s


def f(ts, x):
    s = 0.0
    for t in ts:
        s = s + h(t, x) + h(t, 2.0 * x)
    return s
""",
    [TREE],
    0.6,
)
case(
    "a tree of lists, by a function that calls itself",
    """
import numpy as np


def f(t, x):
    w, kids = t[0], t[1]
    s = w * x
    for c in kids:
        s = s + np.sin(f(c, s))
    return s
""",
    [0.3, [[0.4, []], [0.5, [[0.6, []]]]]],
    0.6,
)

# ---------------------------------------------------------------- properties
case(
    "a class below another: super(), a list that grows, a property with a loop",
    """
class Base:
    def __init__(self, k):
        self.k = k
        self.hist = []

    def step(self, x):
        self.hist.append(x)
        return self.force(x) * 0.1 + x

    def force(self, x):
        return -self.k * x


class Duffing(Base):
    def __init__(self, k, b):
        super().__init__(k)
        self.b = b

    def force(self, x):
        return super().force(x) - self.b * x ** 3

    @property
    def energy(self):
        return sum(h ** 2 for h in self.hist)


def f(k, b, x):
    m = Duffing(k, b)
    for _ in range(4):
        x = m.step(x)
    return x + m.energy
""",
    0.7,
    0.3,
    1.1,
)
case(
    "a property of several statements",
    """
class Duffing:
    def __init__(self, k):
        self.k = k
        self.hist = []

    def step(self, x):
        self.hist.append(x)
        return x * self.k

    @property
    def energy(self):
        s = 0.0
        for h in self.hist:
            s = s + h ** 2
        return s


def f(k, x):
    m = Duffing(k)
    x = m.step(x)
    e = m.energy
    return x + e
""",
    0.7,
    1.1,
)
case(
    "a property with a setter, and one of several statements, of a class above",
    """
class A:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, v):
        self._x = v * 2.0

    @property
    def e(self):
        s = 0.0
        for k in range(3):
            s = s + self._x ** k
        return s

    def bump(self, v):
        self.x = v
        return self.e


class B(A):
    pass


def f(k, x):
    m = B(k)
    y = m.bump(x)
    m.x = y + x
    return m.x * m.e + y
""",
    0.7,
    1.1,
)
case(
    "a property of several statements, another one in the class below",
    """
class A:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, v):
        self._x = v * 2.0

    @property
    def e(self):
        s = 0.0
        for k in range(3):
            s = s + self._x ** k
        return s

    def bump(self, v):
        self.x = v
        return self.e


class B(A):
    @property
    def e(self):
        return self._x * 7.0



def f(k, x):
    m = B(k)
    y = m.bump(x)
    m.x = y + x
    return m.x * m.e + y
""",
    0.7,
    1.1,
)
case(
    "a property with a setter, another one in the class below",
    """
class A:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, v):
        self._x = v * 2.0

    @property
    def e(self):
        s = 0.0
        for k in range(3):
            s = s + self._x ** k
        return s

    def bump(self, v):
        self.x = v
        return self.e


class B(A):
    @property
    def x(self):
        return self._x * 5.0

    @x.setter
    def x(self, v):
        self._x = v * 3.0



def f(k, x):
    m = B(k)
    y = m.bump(x)
    m.x = y + x
    return m.x * m.e + y
""",
    0.7,
    1.1,
)

# ---------------------------------------------------------------- flags that are texts or numbers
case(
    "a flag that is a text in one call of a helper and a number in another",
    """
import numpy as np


def h(x, kind, p):
    if isinstance(kind, str) and kind != "l9":
        if kind in ("l1", "sum"):
            s = np.sum(np.abs(x))
        else:
            s = np.max(x)
        x = x * s
    elif isinstance(kind, (str, bytes)):
        return x.sum()
    else:
        x = x ** kind
    return np.sum(x) * p


def f(x, p):
    return h(x, "l1", p) * h(x, 2, p) + h(x, "max", 2.0) + h(x, "sum", p)
""",
    np.array([0.3, 0.5, 0.7]),
    0.7,
)
case(
    "a boundary condition by its name, or by its value",
    """
import numpy as np


def f(x, bc: str):
    u = x.copy()
    if isinstance(bc, str):
        if bc == "periodic":
            u[0] = u[-1]
        elif bc == "none":
            pass
        else:
            raise ValueError(bc)
    else:
        u[0] = bc
    return np.sum(u ** 2)
""",
    np.array([0.3, 0.5, 0.7]),
    "periodic",
)
case(
    "one of several functions in a dict without a name",
    """
import numpy as np


def relu(x):
    return np.maximum(x, 0.0)


def sq(x):
    return x ** 2


def f(x, mode: str):
    return np.sum({"a": sq, "b": np.sin, "c": lambda t: t * x[0]}[mode](x))
""",
    np.array([0.3, 0.5, 0.7]),
    "c",
)
case(
    "one of several functions in a list without a name, in a loop",
    """
import numpy as np


def relu(x):
    return np.maximum(x, 0.0)


def sq(x):
    return x ** 2


def f(x, k: int):
    s = 0.0
    for i in range(3):
        s += np.sum([sq, np.sin, relu][(k + i) % 3](x)) * s + 1.0
    return s
""",
    np.array([0.3, 0.5, 0.7]),
    1,
)

# ---------------------------------------------------------------- slots that get values of another shape
case(
    "numbers in slots of a list that become arrays, one after the other",
    """
import numpy as np


def f(z, y, k: int):
    L = [z * 1.0, z * 2.0]
    L[1] = L[0] * y
    L[0] = L[0] + L[1]
    return np.sum(L[0] * L[1])
""",
    0.7,
    np.array([0.3, -0.5, 0.8]),
    1,
)
case(
    "a list that grows, and whose first number becomes an array",
    """
import numpy as np


def f(z, y, n: int):
    L = [z * 1.0]
    for k in range(n):
        L.append(L[-1] * y)
        L[0] = L[0] + L[-1]
    return np.sum(L[-1] * L[0])
""",
    0.7,
    np.array([0.3, -0.5, 0.8]),
    3,
)
case(
    "numbers in slots of a list that arrays are added to in place",
    """
import numpy as np


def f(z, y):
    L = [z * 1.0, z * 2.0]
    L[0] += y
    L[1] -= y * L[0]
    return np.sum(L[0] ** 2) * np.sum(L[1])
""",
    0.7,
    np.array([0.3, -0.5, 0.8]),
)
case(
    "slots of a list that get arrays of other ranks, and numbers",
    """
import numpy as np


def f(z, y):
    L = [z * 1.0, z * 2.0]
    L[0] = L[0] + y
    L[1] = L[0] + L[1]
    L[0] = np.sum(L[1])
    L[1] = L[1] * L[0]
    return np.sum(L[1]) * L[0]
""",
    np.array([0.3, -0.5, 0.8]),
    np.array([[0.3, -0.5, 0.8], [1.1, 0.2, -0.4]]),
)
case(
    "numbers in slots of a list that a helper makes arrays of",
    """
import numpy as np


def g(L, y):
    L[0] = L[0] * y
    L[1] = L[1] + L[0]


def f(z, y):
    L = [z * 1.0, z * 2.0]
    g(L, y)
    return np.sum(L[0]) * np.sum(L[1])
""",
    0.7,
    np.array([0.3, -0.5, 0.8]),
)
case(
    "a list by two names, that gets and loses items by both",
    """
import numpy as np


def f(x, n: int):
    L = [x.copy()]
    M = L or [x]
    for i in range(n):
        L.append(np.sin(M[-1]) * x)
        if i % 2:
            a = M.pop()
            a[0] = a[1] * x[2]
            L.append(a)
            L[-1] *= x
    s = 0.0
    while len(M) > 1:
        q = M.pop()
        s = s + np.sum(q * q) * s + np.sum(L[-1])
    return s
""",
    np.array([1.1, 0.96, 1.3]),
    4,
)
case(
    "rows that lose items while a list of rows holds them",
    """
def f(x, n: int):
    grid = []
    for i in range(n):
        row = [x[0] * i, x[1]]
        grid.append(row)
        row.append(x[2] * row[0])
    s = 0.0
    for row in grid:
        a = row.pop()
        s = s + a * row[-1] + len(row) * x[0]
    for row in grid:
        s = s + sum(row)
    return s
""",
    np.array([1.1, 0.96, 1.3]),
    3,
)
case(
    "a stack of tuples by two names",
    """
def f(x, n: int):
    stack = [(0, x[0])]
    other = {"open": stack}
    todo = other["open"]
    s = 0.0
    while len(todo) > 0:
        i, a = todo.pop()
        s = s * x[i % 3] + a**2
        if i < n:
            stack.append((2 * i + 1, a * x[1]))
            stack.append((2 * i + 2, a * x[2]))
    return s
""",
    np.array([1.1, 0.96, 1.3]),
    4,
)
case(
    "items taken from a list by another name, inside expressions",
    """
import numpy as np


def f(x):
    L = [x[0], x[1], x[2] * x[0], x[1] ** 2]
    M = L or [x[2]]
    s = L[-1] * 2.0 + M.pop() * L.pop() - len(L) * x[2]
    s += np.sin(M[-1]) * L.pop()
    L.append(L[0] * s)
    return s * M[-1] + M.pop()
""",
    np.array([1.1, 0.96, 1.3]),
)
case(
    "slots that are bound between items that come and go, by two names",
    """
import numpy as np


def f(x, n: int):
    L = [x[0], x[1], x[2]]
    M = L or [x[0]]
    for i in range(n):
        M[0] = L[-1] * M[0]
        a = M.pop()
        L.append(a * x[0])
        M[-1] = M[-1] * a
        L[1] = np.sin(L[1])
        if len(M) > 2:
            L.append(M[0] * a)
            M.pop()
    return sum(L) + M[0]
""",
    np.array([1.1, 0.96, 1.3]),
    3,
)
case(
    "a test of a list by one name, in whose branch it gets items by another",
    """
def f(x, y):
    L = [x, y]
    d = {"a": L}
    s = x
    if len(d["a"]) < 3:
        L.append(x * y)
        s = s * L[-1]
    if len(d["a"]) < 3:
        L.append(x * s)
        s = s * y
    return s * d["a"][-1]
""",
    0.7,
    1.3,
)
case(
    "variables named as those of comprehensions in the derivative",
    """
import numpy as np


def f(x, y):
    L = [y, y]
    a = y * 1.0
    L.append(sum(L) * a)
    s = x * L[-1] + L[0]
    a = np.sin(s)
    b = a * x
    L.append(sum(L) * b)
    v = b * y
    b = v * a
    return s * a + sum(L) * L[-1] * v * b
""",
    0.7,
    1.3,
)

case(
    "an item of a row that is taken behind another read of the row",
    """
def f(x, n: int):
    g = [[x, x * x, x], [x * 2.0, x, 3.0 * x, x], [x, x * x]]
    s = x
    for i in range(n):
        r = g[i % 3]
        s = s * r[-1] + r[0]
        a = r.pop()
        s = s + a
    return s * g[0][0] * g[1][0]
""",
    0.7,
    4,
)
case(
    "rows by their number, that lose items and are bound",
    """
import numpy as np


def f(x, n: int):
    g = [[x, x * x, x], [x * 2.0, x, 3.0 * x, x], [x, x * x]]
    s = x
    for i in range(n):
        r = g[i % 3]
        s = s * r[-1] + r[0]
        a = r.pop()
        q = g[(i + 1) % 3]
        s = s + a * q[-1] * len(r)
        q[0] = q[0] * s
    return np.sum(sum(sum(r) for r in g if len(r) > 0) * s)
""",
    np.array([0.7, 1.1]),
    4,
)
case(
    "rows in two lists, that lose items",
    """
import numpy as np


def f(x, n: int):
    g = [[x, x * x, x], [x * 2.0, x, 3.0 * x, x], [x, x * x]]
    h = [g[0], g[1], g[0]]
    s = x
    for i in range(n):
        r = h[i % 3]
        if len(r) > 1:
            a = r.pop()
            s = s * a + g[0][0]
        else:
            s = s + r[0]
    return np.sum(s * g[0][0] * g[1][0])
""",
    0.7,
    6,
)
case(
    "a list that loses items while a list of lists holds it",
    """
import numpy as np


def f(x, n: int):
    hist = []
    cur = [x, x * x, x, 2.0 * x]
    s = x
    for i in range(n):
        hist.append(cur)
        a = cur.pop()
        s = s * a + hist[0][0]
        if i == 1:
            cur = [s, a, x]
    return np.sum(s * hist[0][-1] * hist[-1][0] * len(hist[1]))
""",
    np.array([0.7, 1.1]),
    4,
)


case(
    "functions and numbers in rows that a loop takes apart",
    """
import numpy as np


def f(x):
    total = 0.0
    for g, w in [(np.sin, 0.5), (np.cos, 0.25)]:
        total = total + w * np.sum(g(x))
    return total
""",
    np.array([0.7, 0.31, 0.52]),
)
case(
    "a table of the module, of functions and numbers",
    """
import numpy as np


TERMS = [(np.sin, 0.5), (np.tanh, 0.25)]
def f(x):
    return sum(w * np.sum(g(x)) for g, w in TERMS)
""",
    np.array([0.7, 0.31, 0.52]),
)
case(
    "numbered rows of functions and numbers",
    """
import numpy as np


def f(x):
    t = 0.0
    for i, (g, w) in enumerate([(np.sin, x[0]), (np.cos, x[1] * 2)]):
        t = t + (i + 1) * w * np.sum(g(x))
    return t
""",
    np.array([0.7, 0.31, 0.52]),
)
case(
    "a list of functions and numbers, looped over twice",
    """
import numpy as np


def sq(a): return a * a
def f(x):
    layers = [(sq, x[0]), (np.tanh, x[1])]
    t = 0.0
    for act, w in layers:
        t = t + np.sum(act(w * x))
    for fn, u in layers:
        x = fn(x + u)
    return t + np.sum(x)
""",
    np.array([0.7, 0.31, 0.52]),
)
case(
    "a list of functions and numbers that keeps what was put in",
    """
import numpy as np


def sq(a): return a * a
def f(x):
    w = x[0]
    layers = [(sq, w), (np.tanh, w * 2)]
    w = 3.0 * w
    t = w
    for act, w in layers:
        t = t + np.sum(act(w * x))
    return t + w
""",
    np.array([0.7, 0.31, 0.52]),
)
case(
    "a list of functions that capture and numbers",
    """
import numpy as np


def f(x, p):
    fs = [(lambda v: v * p, 2.0), (lambda v: np.exp(-v), x[1])]
    p = p * 3.0
    s = 1.0
    for g, w in fs:
        s = s * g(w * x[0]) + w
    return s
""",
    np.array([0.7, 0.31, 0.52]),
    0.7,
)
case(
    "rows of functions and bounds, handed to a helper",
    """
import numpy as np


def integrate(g, a, b):
    xs = np.linspace(0.0, 1.0, 5)
    return np.sum(g(a + (b - a) * xs))
def f(x):
    s = 0.0
    for g, a, b in [(np.sin, x[0], x[1]), (np.exp, x[1], x[2])]:
        s += integrate(g, a, b)
    return s
""",
    np.array([0.7, 0.31, 0.52]),
)
case(
    "comprehensions over a list of functions and numbers",
    """
import numpy as np


def f(x):
    fs = [(np.sin, 1.0), (np.exp, x[1])]
    return np.sum(np.array([g(a * x[0]) for g, a in fs])) * sum(g(a) for g, a in fs)
""",
    np.array([0.7, 0.31, 0.52]),
)
case(
    "a list of functions and numbers, looped over inside a function",
    """
import numpy as np


def f(x):
    fs = [(np.sin, 1.0), (np.exp, x[1])]
    def run(v):
        for g, a in fs:
            v = g(a * v)
        return v
    return run(x[0]) * run(x[1])
""",
    np.array([0.7, 0.31, 0.52]),
)

# a slot that holds a number first, then an array: the list has two names, or lies in another list
NUMBERS_FIRST = {
    "a list read by the other name": """
def f(x, y):
    r = [0.0, 1.0]
    m = r
    r[0] = x * y
    s = m[0] ** 2
    return np.sum(s * y + s)
""",
    "a list bound by the other name": """
def f(x, y):
    r = [0.0, 1.0]
    m = r
    m[0] = x * y
    s = r[0] ** 2
    return np.sum(s * y + s)
""",
    "a list bound by both names": """
def f(x, y):
    r = [0.0, 1.0]
    m = r
    m[0] = x * y
    s = r[0] ** 2 * r[1]
    m[1] = s
    r[1] = r[1] * x
    return np.sum(s * y + s) + np.sum(m[1])
""",
    "a list read in a list of lists": """
def f(x, y):
    r = [0.0, 1.0]
    g = [r, [2.0, 3.0]]
    r[0] = x * y
    s = g[0][0] ** 2 * g[1][0]
    return np.sum(s * y + s)
""",
    "a list bound in a list of lists": """
def f(x, y):
    r = [0.0, 1.0]
    g = [r, [2.0, 3.0]]
    g[0][0] = x * y
    s = r[0] ** 2 * r[1]
    return np.sum(s * y + s)
""",
    "a list bound in a list that it was appended to": """
def f(x, y):
    r = [0.0, 1.0]
    g = []
    g.append(r)
    g[0][0] = x * y
    s = r[0] ** 2 * r[1]
    return np.sum(s * y + s)
""",
    "a list bound in a slot that it was put into": """
def f(x, y):
    r = [0.0, 1.0]
    g = [[], [3.0]]
    g[0] = r
    g[0][0] = x * y
    s = r[0] ** 2 * r[1]
    return np.sum(s * y + s)
""",
    "a list that grows, in two slots": """
def f(x, y):
    r = [1.0]
    g = [r, r]
    r.append(x * y)
    s = g[1][-1] ** 2 * g[0][0]
    return np.sum(s * y + s)
""",
    "a list bound in a dict": """
def f(x, y):
    r = [0.0, 1.0]
    d = {'a': r}
    d['a'][0] = x * y
    s = r[0] ** 2
    return np.sum(s * y + s)
""",
    "a list of whole numbers, bound by the other name": """
def f(x, y):
    r = [0, 1]
    m = r
    m[0] = x * y
    s = r[0] ** 2
    return np.sum(s * y + s)
""",
    "a list of whole numbers, bound in a tuple": """
def f(x, y):
    r = [0, 1]
    g = (r, 2)
    g[0][0] = x * y
    s = r[0] ** 2
    return np.sum(s * y + s)
""",
    "a list or another one, by a test": """
def f(x, y):
    r = [0.0, 1.0]
    m = r if x[0] > 0 else [1.0, 2.0]
    m[0] = x * y
    s = r[0] ** 2
    return np.sum(s * y + s)
""",
    "a list bound in a loop over a tuple of lists": """
def f(x, y):
    r = [0.0, 1.0]
    q = [0.5, 0.7]
    for a in (r, q):
        a[0] = x * y
    s = r[0] ** 2 * q[0]
    return np.sum(s * y + s)
""",
    "a list bound by a helper, in a list of lists": """
def g(a, x):
    a[0][0] = x
def f(x, y):
    r = [0.0, 1.0]
    m = [r]
    g(m, x * y)
    s = r[0] ** 2
    return np.sum(s * y + s)
""",
    "a list bound in an object with two names": """
class S:
    def __init__(self):
        self.v = [0.0, 1.0]
def f(x, y):
    s = S()
    t = s
    r = s.v
    t.v[0] = x * y
    q = r[0] ** 2
    return np.sum(q * y + q)
""",
    "a row of a list of lists, bound by both": """
def f(z, y):
    r = [[0.0, 0.0], [1.0, 1.0]]
    m = r[0]
    r[0][0] = z[0]
    s = m[0] ** 2
    m[1] = z[1]
    m[0] = z[1] * s + m[1]
    r[1][0] = m[0] * z[0]
    return np.sum(r[0][0] * m[1] + s)
""",
}
for _name, _source in NUMBERS_FIRST.items():
    _x = np.array([[0.7, 1.1], [0.4, 0.9]]) if "(z" in _source else np.array([0.7, 1.1])
    case(f"{_name}, of numbers first", "import numpy as np\n\n\n" + _source, _x, np.array([0.4, 0.9]))
case(
    "a function that calls itself and appends to a list that it is given",
    """
import numpy as np



def walk(x, n, out):
    if n == 0:
        return
    out.append(x ** n)
    walk(x * 0.9, n - 1, out)

def f(x, n: int):
    out = []
    walk(x, n, out)
    return sum(out)
""",
    0.7,
    4,
)
case(
    "lists in lists, as one list by a function that calls itself",
    """
import numpy as np



def flatten(tree, out):
    if isinstance(tree, (list, tuple)):
        for t in tree:
            flatten(t, out)
    else:
        out.append(tree)

def f(tree):
    out = []
    flatten(tree, out)
    s = 0.0
    for i, o in enumerate(out):
        s += (i + 1) * o ** 2
    return s
""",
    [0.3, [0.7, [0.2]], 0.9],
)
case(
    "a function inside another one that calls itself and appends to a list of that",
    """
import numpy as np



def f(x, n: int):
    out = []

    def walk(y, k):
        if k == 0:
            return
        out.append(y ** 2)
        walk(y * x, k - 1)
        walk(y + x, k - 1)

    walk(x, n)
    return sum(out)
""",
    0.7,
    3,
)
case(
    "intervals by a function that calls itself and appends what they give",
    """
import numpy as np



def g(t, a):
    return np.exp(-a * t) * np.sin(t)

def simpson(lo, hi, a, depth, nodes):
    mid = 0.5 * (lo + hi)
    s = (hi - lo) / 6.0 * (g(lo, a) + 4.0 * g(mid, a) + g(hi, a))
    if depth == 0:
        nodes.append(s)
        return
    simpson(lo, mid, a, depth - 1, nodes)
    simpson(mid, hi, a, depth - 1, nodes)

def f(a):
    nodes = []
    simpson(0.0, 2.0, a, 2, nodes)
    return sum(nodes)
""",
    0.7,
)
case(
    "lists that are joined hold the items of both, into which is written",
    """
import numpy as np


# s2s: x (n,), y (n,)
def f(x, y):
    L = [x * 1.0]
    M = [y * 1.0]
    N = L + M
    N[0] += y
    M[0] *= x
    return L[0] * M[0] + N[0] * N[1]
""",
    v(),
    v(),
)
case(
    "numbers whose tangents are seeds, in a list that is added to",
    """
import numpy as np


def f(x: float, y: float):
    a = x * 1.0
    L = [a, y - 2.0]
    L[0] += y
    L[1] += a
    return a * L[0] * L[1]
""",
    0.6,
    0.8,
)
case(
    "a function that calls itself hands back one of its arguments, beside an array",
    """
import numpy as np


def spread(u, x, n):
    if n <= 0:
        return x
    return spread(u, 0.3, n - 1)


def scaled(u, y):
    y *= np.tanh(u)
    return u[::-1]


# s2s: u (n,), v (n,)
def f(x: float, u, v):
    s = 1.8
    w = u.copy()
    for k in range(1, len(v)):
        w = scaled(w, s)
        s = spread(v, x, k)
    return np.sum(np.sin(v))
""",
    0.4,
    v(3),
    v(3),
)
case(
    "a function that has an attribute",
    """
def law(x):
    return x * law.slope**2


law.slope = 3.0


def f(x):
    return law(x) * x
""",
    0.7,
)
case(
    "an item that is replaced before the list grows",
    """
import numpy as np


def f(x, u):
    items = [np.sin(u[0]), x]
    items[0] = 0.8
    items.append(u[0])
    return np.tanh(items[0]) + np.tanh(items[0]) + x * u[1]
""",
    0.7,
    v(3),
)


# ---------------------------------------------------------------- deques, itertools, contextlib
case(
    "a window of the last values: a deque with a length",
    """
from collections import deque


def f(x):
    d = deque(maxlen=3)
    s = 0.0
    for i in range(len(x)):
        d.append(x[i])
        s = s + sum(d) ** 2
    return s
""",
    v(6),
)
case(
    "a deque with a length that is filled from its left end",
    """
from collections import deque


def f(x):
    d = deque([0.0, 0.0, 0.0], maxlen=3)
    s = 0.0
    for i in range(len(x)):
        d.appendleft(x[i])
        s = s + d[0] * d[2]
    return s
""",
    v(6),
)
case(
    "a deque whose length is a parameter, made of more items than it holds",
    """
from collections import deque


def f(x, n: int):
    d = deque(x[:4], maxlen=n)
    s = 0.0
    for i in range(len(x)):
        d.append(x[i] ** 2)
        s = s + d[0] * d[-1] * len(d)
    return s
""",
    v(6),
    3,
)
case(
    "a deque with a length, tested for being full, and extended",
    """
from collections import deque


def f(x, n: int):
    d = deque(maxlen=3)
    s = 0.0
    for i in range(len(x)):
        if len(d) == 3:
            s += d.popleft() * x[i]
        d.append(x[i] ** 2)
    d.extend(x[:2])
    return s + sum(d) * d[1]
""",
    v(6),
    3,
)
case(
    "a deque of arrays with a length",
    """
import collections
import numpy as np


def f(x):
    hist = collections.deque(maxlen=2)
    y = x[0] * 1.0
    for i in range(len(x)):
        hist.append(y * x[i])
        y = np.sin(hist[0]) + y * 0.5
    return np.sum(y)
""",
    m(6, 3),
)
case(
    "a slice of a list is deleted",
    """
def f(x):
    L = [x[i] ** 2 for i in range(len(x))]
    del L[1:3]
    return L[0] * L[1] + sum(L)
""",
    v(5),
)
case(
    "the last items of a list are deleted",
    """
def f(x):
    L = [x[i] ** 2 for i in range(len(x))]
    del L[-2:]
    return L[0] * L[1] + sum(L) * len(L)
""",
    v(5),
)
case(
    "an item of a list is deleted at a place that is a parameter",
    """
def f(x, k: int):
    L = [x[i] ** 2 for i in range(len(x))]
    del L[k]
    return L[0] * L[1] + sum(L)
""",
    v(5),
    2,
)
case(
    "the list of a reversed list",
    """
def f(x):
    L = []
    for i in range(len(x)):
        L.append(x[i] ** 2)
    M = list(reversed(L))
    s = 0.0
    for i in range(len(M)):
        s = s + M[i] * i
    return s
""",
    v(5),
)
case(
    "the tuple of a reversed array",
    """
def f(x):
    a = tuple(reversed(x))
    return a[0] * a[1] ** 2
""",
    v(5),
)
case(
    "sums of itertools.accumulate in a loop",
    """
from itertools import accumulate


def f(x):
    s = 0.0
    for i, a in enumerate(accumulate(x)):
        s = s + a ** 2 * i
    return s
""",
    v(5),
)
case(
    "products of itertools.accumulate as a list",
    """
import itertools
import operator


def f(x):
    c = list(itertools.accumulate(x, operator.mul))
    return sum(c) + c[2]
""",
    v(5),
)
case(
    "itertools.accumulate with a lambda",
    """
import itertools


def f(x):
    c = list(itertools.accumulate(x, lambda a, b: a * 0.5 + b * b))
    return sum(c) + c[2]
""",
    v(5),
)
case(
    "itertools.accumulate with a first value",
    """
import itertools


def f(x, a):
    c = list(itertools.accumulate(x, initial=a))
    return sum(c) + c[2]
""",
    v(5),
    0.7,
)
case(
    "largest values so far beside other items",
    """
from itertools import accumulate


def f(x, w):
    s = 0.0
    for a, c in zip(w, accumulate(x, max)):
        s += a * c
    return s
""",
    v(5),
    v(5),
)
case(
    "itertools.accumulate with a function of the module",
    """
from itertools import accumulate
import numpy as np


def mix(a, b):
    return np.sin(a) * b + b


def f(x, w):
    s = 0.0
    for c in accumulate(x, mix):
        s += c * w[0]
    return s
""",
    v(5),
    v(5),
)
case(
    "itertools.accumulate of nothing",
    """
from itertools import accumulate


def f(x, w):
    y = list(accumulate(x[1:]))
    z = list(accumulate(w, lambda acc, v: acc * v))
    return x[0] + sum(y) + z[-1]
""",
    v(1),
    v(5),
)
case(
    "itertools.accumulate of lists that are joined",
    """
from itertools import accumulate, chain


def f(x):
    a = [u * u for u in x]
    b = [3.0, *a]
    c = list(chain(a, b))
    d = list(accumulate(c))
    return d[-1] * d[3] + sum(d)
""",
    v(5),
)
case(
    "the list of what itertools.chain joins",
    """
import itertools


def f(x, y):
    L = list(itertools.chain(x, [1.0], y))
    return L[3] * L[6] + sum(L)
""",
    v(5),
    v(3),
)
case(
    "itertools.chain.from_iterable over the rows of an array",
    """
import itertools


def f(x):
    s = 0.0
    for a in itertools.chain.from_iterable(x):
        s = s * 0.5 + a ** 2
    return s
""",
    m(3, 4),
)
case(
    "signs that alternate: itertools.cycle of literals",
    """
import itertools


def f(x):
    s = 0.0
    for sg, a in zip(itertools.cycle([1.0, -1.0]), x):
        s = s + sg * a ** 2
    return s
""",
    v(5),
)
case(
    "weights that repeat: itertools.cycle of a parameter",
    """
from itertools import cycle


def f(x, w):
    s = 0.0
    for a, b in zip(x, cycle(w)):
        s = s + a ** 2 * b
    return s
""",
    v(5),
    v(2),
)
case(
    "contextlib.suppress around what does not raise",
    """
import contextlib
import numpy as np


def f(x):
    s = 0.0
    with contextlib.suppress(ZeroDivisionError):
        s = s + np.sum(x) / x[0]
    return s
""",
    v(5),
)
case(
    "contextlib.suppress of several exceptions",
    """
from contextlib import suppress
import numpy as np


def f(x):
    s = 0.0
    with suppress(ZeroDivisionError, ValueError):
        s = s + np.sum(x) / x[0]
        s = s * x[1]
    return s
""",
    v(5),
)
case(
    "extremes of the columns of an array",
    """
def f(pts):
    xs, ys = zip(*pts)
    return max(xs) - min(xs) + max(ys) * 2
""",
    m(4, 2),
)
case(
    "extremes of the columns of a list of pairs",
    """
def f(x):
    pts = [(x[i], x[i] ** 2 * (3 - i)) for i in range(len(x))]
    xs, ys = zip(*pts)
    return max(xs) - min(xs) + max(ys) * 2
""",
    v(4),
)
case(
    "two deques with lengths of their own, and one without",
    """
from collections import deque


def f(x):
    d = deque(maxlen=2)
    e = deque([x[0], x[1]], maxlen=4)
    g = deque(x)
    s = 0.0
    for i in range(len(x)):
        d.append(x[i])
        e.append(x[i] * d[0])
        s = s + d[0] * len(e) + len(d) * e[0]
    g.append(s)
    return s * len(g) + g[-1]
""",
    v(6),
)
case(
    "a copy of a list that grows behind a helper that reads an item",
    """
def put(w, c):
    w[1] = c


def f(x: list[float], u):
    w = 2.0 * u
    items = x + [0.5]
    put(w, items[0])
    items.append(w[0])
    last = items[-1]
    return w * u
""",
    [0.3, 0.7],
    v(3),
)
case(
    "lists that may be None, in a list",
    """
def f(x):
    best = None
    kept = []
    s = 0.0
    for k in range(4):
        kept.append(best)
        if best is not None:
            s += best[0] * x[k]
        best = [x[k], x[k] ** 2]
    for b in kept:
        if b is not None:
            s += b[1] * b[0]
    return s
""",
    v(),
)
case(
    "a list by its second name, both None at first",
    """
def f(x):
    best = None
    old = None
    s = 0.0
    for k in range(4):
        if best is not None and x[k] > 0.5:
            old = best
        best = [x[k], x[k] ** 2]
        if old is not None:
            s += old[0] * best[1]
    return s
""",
    v(),
)
case(
    "the dict of the step before, None at first",
    """
def f(x):
    cur = None
    last = None
    s = 0.0
    for k in range(4):
        last = cur
        cur = {"a": x[k], "b": x[k] ** 2 * x[0]}
        if last is not None:
            s += last["a"] * cur["b"] - last["b"]
    return s
""",
    v(),
)
case(
    "dicts that may be None, in a list",
    """
def f(x):
    cur = None
    hist = []
    s = 0.0
    for k in range(4):
        hist.append(cur)
        cur = {"a": x[k], "b": x[k] ** 2 * x[0]}
    for h in hist:
        if h is not None:
            s += h["a"] * h["b"]
    return s
""",
    v(),
)
case(
    "items of the list of the step before are written",
    """
def f(x):
    cur = None
    last = None
    s = 0.0
    for k in range(4):
        last = cur
        cur = [x[k], x[k] ** 2]
        if last is not None:
            last[0] = last[1] * x[0]
            s += last[0] * cur[1]
    return s
""",
    v(),
)
case(
    "a list that is set to None again, written by its other name",
    """
def f(x):
    cur = None
    s = 0.0
    for k in range(4):
        if cur is None:
            cur = [x[k], x[k] ** 2]
        last = cur
        last[0] = last[1] * x[k]
        if k == 2:
            cur = None
        s += last[0] * last[1]
    return s
""",
    v(),
)
case(
    "a list of arrays, and the one of the step before",
    """
import numpy as np


def f(x):
    cur = None
    s = 0.0
    for k in range(4):
        last = cur
        cur = [x * x[k], np.sin(x)]
        if last is not None:
            s += np.sum(last[0] * cur[1]) + np.sum(last[1])
    return s
""",
    v(),
)
case(
    "the list of the step before is returned",
    """
def f(x):
    cur = None
    last = None
    for k in range(4):
        last = cur
        cur = [x[k], x[k] ** 2]
    return last
""",
    v(),
)
case(
    "the list of the step before, to a helper",
    """
def g(p, x):
    return p[0] * x[1] + p[1]


def f(x):
    cur = None
    last = None
    s = 0.0
    for k in range(4):
        last = cur
        cur = [x[k], x[k] ** 2]
        if last is not None:
            s += g(last, x) * x[0]
    return s
""",
    v(),
)
case(
    "a list that may be None, in a dict",
    """
def f(x):
    cur = None
    s = 0.0
    for k in range(4):
        state = {"prev": cur, "x": x[k]}
        cur = [x[k], x[k] ** 2]
        if state["prev"] is not None:
            s += state["prev"][0] * state["x"]
    return s
""",
    v(),
)
case(
    "rows that are None at first",
    """
def f(x):
    rows = [None, None, None]
    s = 0.0
    for k in range(3):
        rows[k] = [x[k], x[k + 1] ** 2]
    for r in rows:
        s += r[0] * r[1]
    return s
""",
    v(),
)
case(
    "a list or None, by its second name",
    """
def f(x):
    cur = [x[0], x[1]] if x[2] > 5.0 else None
    other = cur
    if other is None:
        other = [x[3], x[1] * x[2]]
    return other[0] * other[1]
""",
    v(),
)
case(
    "a list of lists that is made anew of itself, None at first",
    """
def f(x):
    cur = None
    s = 0.0
    for k in range(4):
        if cur is None:
            cur = [[x[k], x[0]], [x[1] * x[k]]]
        else:
            a = cur
            cur = [[a[0][1] * x[k], a[0][0]], [a[1][0] + x[k]]]
        s += cur[0][0] * cur[1][0]
    return s
""",
    v(),
)
case(
    "items behind others that are gone, by a number that may be negative",
    """
def f(x, j: int):
    L = [x[0], x[1], x[2] * x[0]]
    s = 0.0
    for i in range(2):
        a = L.pop()
        s += a * L[i - 1]
        L[j - 1] *= a
    return s + L[0]
""",
    v(),
    0,
)

# ---------------------------------------------------------------- lists for parameters of which nothing is stated
case(
    "items of a list for an array",
    """
def f(x, a):
    return x[0] * a + x[1] ** 2
""",
    [0.4, 0.9],
    2.0,
)
case(
    "loops over lists for arrays",
    """
import numpy as np


def f(p, t, a):
    s = a * len(p)
    for u, v in zip(p, t):
        s += u * v
    return s + np.sum(np.asarray(p)[1:])
""",
    [0.4, 0.9, 2.0],
    (2.0, 1.0, 0.5),
    0.3,
)
case(
    "products of lists for matrices",
    """
import numpy as np


def f(A, y):
    return np.dot(A, y) + np.matmul(A, A)[0] + np.matmul(A, y)
""",
    [[0.4, 0.9], [0.1, 0.4]],
    [1.0, 2.0],
)
# ---------------------------------------------------------------- lists of numbers that are written
case(
    "a list parameter filled",
    """
def f(x: float, A: list[float]):
    for i in range(2):
        A[i] = x * i
    return A
""",
    0.7,
    [0.3, 1.0, 2.0],
)
case(
    "a list parameter summed up from the left",
    """
def f(x: float, A: list[float]):
    for i in range(1, len(A)):
        A[i] += A[i - 1] * x
    return A[-1] * sum(A)
""",
    0.7,
    [0.3, 1.0, 2.0],
)
case(
    "a matrix of lists written",
    """
def f(x: float, A: list[list[float]]):
    A[0][1] = x * A[0][0]
    return A[0][1] * A[1][1]
""",
    0.7,
    [[1.0, 2.0], [3.0, 0.5]],
)
case(
    "a list of arrays of two lengths written",
    """
import numpy as np


def f(x: float, A: list[np.ndarray]):
    A[0][1] = x * A[0][0]
    A[1] = A[1] * x
    return A[0][1] * A[1][1] + np.sum(A[1])
""",
    0.7,
    [v(2), v(3)],
)
case(
    "a list parameter that is made where it is None",
    """
def f(x, n: int, buf: list[float] | None = None):
    if buf is None:
        buf = [0.0] * n
    for i in range(n):
        buf[i] = x * i
    return buf
""",
    0.7,
    3,
)
case(
    "a list or an array that is returned",
    """
import numpy as np


def f(x, flag: bool):
    if flag:
        y = [x, x * 2]
    else:
        y = np.array([x, x * 3])
    return y, x
""",
    0.7,
    True,
)
case(
    "what is given, or a list",
    """
def f(x, y=None):
    if y is None:
        y = [x, x * 2]
    return y
""",
    0.7,
)

# ---------------------------------------------------------------- methods as values, methods that return their object
STEPPER = """
class S:
    def __init__(self, k):
        self.k = k

    def step(self, x, h=0.5):
        return x * self.k - h

    @staticmethod
    def root(x):
        return x**0.5

    def run(self, x):
        step = self.step
        for _ in range(3):
            x = step(x)
        return rk(self.step, x, 0.1)


def rk(g, x, h):
    k1 = g(x)
    k2 = g(x + h * k1)
    return x + h * 0.5 * (k1 + k2)
"""
case(
    "methods as functions inside of a method",
    STEPPER
    + """

def f(x, y):
    return S(y).run(x)
""",
    0.5,
    2.0,
)
case(
    "methods as functions, of a local object",
    STEPPER
    + """

def f(x, y):
    s = S(y)
    step, root = s.step, s.root
    return rk(s.step, step(x, h=y), 0.1) + root(y) + sum(map(s.step, [x, y]))
""",
    0.5,
    2.0,
)
case(
    "methods as functions, of an object that is another one later",
    STEPPER
    + """

def f(x, y):
    s = S(y)
    a = s.step(x)
    s = S(x)
    return a * s.step(y)
""",
    0.5,
    2.0,
)
case(
    "methods that return their object, in a chain",
    """
class B:
    def __init__(self, x):
        self.x = x

    def add(self, y):
        self.x = self.x + y
        return self

    def mul(self, y):
        self.x *= y
        return self


def f(x, y):
    b = B(x).add(y).mul(x)
    b.add(x).mul(y)
    b = b.add(3.0)
    return b.x**2
""",
    0.5,
    2.0,
)
case(
    "methods that return their object, under two names",
    """
class B:
    def __init__(self, x):
        self.x = x

    def add(self, y):
        self.x = self.x + y
        return self

    def mul(self, y):
        self.x *= y
        return self


def f(x, y):
    b = B(x)
    c = b.add(y)
    d = c.mul(x)
    b.add(x)
    return c.x**2 * d.x
""",
    0.5,
    2.0,
)
case(
    "methods that return their object, in a loop",
    """
class B:
    def __init__(self, x):
        self.x = x

    def add(self, y):
        self.x = self.x + y
        return self

    def mul(self, y):
        self.x *= y
        return self


def f(x, y):
    s = 0.0
    for i in range(3):
        b = B(x * i)
        c = b.add(y)
        b.mul(y)
        s += c.x**2
    return s
""",
    0.5,
    2.0,
)
case(
    "fit and predict",
    """
import numpy as np


class Line:
    def fit(self, x, y):
        self.slope = np.sum(x * y) / np.sum(x * x)
        return self

    def predict(self, x):
        return self.slope * x


def f(x, y, z):
    line = Line().fit(x, y)
    return line.predict(z)
""",
    v(),
    v(),
    0.7,
)
case(
    "a function that gives its argument back, then a store",
    """
import numpy as np


class Layer:
    def __init__(self, w, b):
        self.w = w
        self.b = b


def same(p):
    return p


def f(x, v):
    p = Layer(x, v)
    q = same(p)
    p.b = v * 2.0
    return np.sum(q.b) * np.sum(x) * p.b
""",
    v(),
    2.0,
)
case(
    "a method that returns its object, in a branch",
    """
class B:
    def __init__(self, x):
        self.x = x

    def add(self, y):
        self.x = self.x + y
        return self


def f(x, y, flag: bool):
    b = B(x)
    if flag:
        c = b.add(y)
        b.add(x)
        s = c.x
    else:
        s = b.x * y
    return s * b.x
""",
    0.5,
    2.0,
    True,
)
case(
    "a method that returns another object",
    """
class B:
    def __init__(self, x):
        self.x = x

    def add(self, y, other):
        self.x = self.x + y
        return other


def f(x, y):
    b = B(x)
    o = B(y)
    c = b.add(y, o)
    c.x = c.x * 3.0
    return c.x * b.x * o.x
""",
    0.5,
    2.0,
)
case(
    "methods of two objects in a loop",
    """
class B:
    def __init__(self, x):
        self.x = x

    def mul(self, y):
        return self.x * y


def f(x, y):
    b = B(x)
    c = B(y)
    s = 0.0
    for g in (b.mul, c.mul):
        s += g(y)
    return s
""",
    0.5,
    2.0,
)
case(
    "one of two methods",
    """
class B:
    def __init__(self, x):
        self.x = x

    def mul(self, y):
        return self.x * y

    def add(self, y):
        return self.x + y

    def run(self, flag, y):
        g = self.mul if flag else self.add
        return g(y)


def f(x, y, flag: bool):
    return B(x).run(flag, y)
""",
    0.5,
    2.0,
    True,
)
case(
    "named tuples that are unpacked where they are made",
    """
from typing import NamedTuple


class Pair(NamedTuple):
    a: float
    e: float


def make(x, y):
    return Pair(x * y, y)


def f(x, y):
    s, w = Pair(x * y, e=y)
    t = 0.0
    for i in range(3):
        a, _ = make(x * i, y)
        t += a
    b, c = make(s, w)
    return t * b * c * make(x, y)[0] * make(x, y)[-1]
""",
    0.5,
    2.0,
)
case(
    "coefficients that a helper looks up in a table of lists",
    """
import numpy as np

TABLE = {"CO": {"cut": 1.0, "low": [1.0, 2.0, 3.0], "high": [0.5, 0.2, 0.1]}}


def coefficients(species, t):
    if species not in TABLE:
        return None
    data = TABLE[species]
    if t < data["cut"]:
        return data["low"]
    else:
        return data["high"]


def property_of(species, t, kind):
    c = coefficients(species, t)
    if c is None:
        return 0.0
    a, b, c = c
    if kind == "H":
        return (a * t + b * t**2 + c) * 0.1
    return a * np.log(t) + b * t


def f(t):
    h = property_of("CO", t, "H")
    s = property_of("CO", t, "S")
    return h - t * s, np.exp(-h / t)
""",
    0.7,
)
case(
    "lists as long as their loops, and others",
    """
import numpy as np


def longer(p, v):
    p.append(v)
    return p


# s2s: x (n,), y (n,)
def f(x, y):
    full = [np.sin(v) * w for v, w in zip(x, y)]
    begun = [x[0]]
    for i in range(1, len(x)):
        begun.append(begun[-1] * 0.5 + x[i])
    positive = []
    for v in x:
        if v > 0.3:
            positive.append(v)
    second = []
    other = second
    for v in x:
        second.append(v * v)
    other.append(1.5)
    handed = []
    for v in x:
        handed.append(v + 1.0)
    longer(handed, y[0])
    left = []
    for v in x:
        left.append(v**3)
        if v > 0.6:
            break
    rows = [x * v for v in y]
    t = np.sum(np.array(full) * y) + np.sum(np.array(begun) * x) + np.sum(np.array(rows) @ y)
    t += np.array(positive) @ x[: len(positive)] + np.array(second)[1:] @ y + np.array(handed)[1:] @ y
    return t + np.array(left) @ y[: len(left)]
""",
    np.array([0.4, 0.2, 0.7, 0.5]),
    np.array([1.1, 0.3, 0.8, 0.6]),
)
case(
    "tables of the module, whose shapes are known",
    """
import numpy as np

STAGES = 4
A = np.array([[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1.0, 0]])
B = np.array([1, 2, 2, 1]) / 6
C = np.linspace(0.0, 1.0, STAGES)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(3)
SIGNS = -np.sqrt(np.arange(1, 4)) * np.pi
PICK = np.array([0, 2])
UNKNOWN = np.array([float(w) for w in "1 2 3".split()])


# s2s: y (n,)
def f(y, h):
    k = np.zeros((STAGES, len(y)))
    for i in range(STAGES):
        k[i] = np.sin(y + h * (A[i, :i] @ k[:i]) + C[i] * h)
    y = y + h * (B @ k)
    t = 0.0
    for x, w in zip(NODES, WEIGHTS):
        t += w * np.sum(np.cos(x * y))
    for s in SIGNS:
        t += np.sum(np.sin(s * y[PICK]))
    return t + np.sum(y * UNKNOWN)
""",
    np.array([0.4, 0.2, 0.7]),
    0.3,
)
case(
    "items of lists that are turned round, cut and joined",
    """
# s2s: x (), y (), v (n,)
def f(x, y, v):
    s = y
    items = list(v)
    items.extend([y])
    items.reverse()
    pair = [x, y]
    pair = pair[1:] + [s]
    return [s + sum(items), *pair]
""",
    0.4,
    -0.7,
    np.array([0.3, 0.8]),
)
case(
    "numbers of a dict that are changed under keys that the run knows",
    """
import numpy as np


def total(s, w):
    d = {0: np.max(w), 1: s, 2: 0.5}
    for k in range(len(w)):
        d[int(w[k] > 0.1)] -= w[k]
    for k in range(3):
        d[int(k > 1)] = d[int(k > 1)] + s * k
        d[int(k > 1)] -= 0.5
    return sum(d.values())


def f(s, t):
    return total(s, np.array([s, 0.3, t * 0.5])) * t
""",
    0.4,
    -0.7,
)
case(
    "loop over a set",
    """
import numpy as np


def f(x):
    pinned = {0, 2}
    s = 0.0
    for p in pinned:
        s = s + x[p] ** 2
    return s
""",
    v(),
)
case(
    "sets of a module, of comprehensions and their unions",
    """
import numpy as np

SINKS = {3, 1}
NAMES = {"a": 1.0, "b": 2.0}


def f(x, t):
    s = 0.0
    for k in SINKS:
        s = s + x[k] ** 2
    picked = {i for i in range(4) if i % 2 == 0}
    for k in picked | SINKS:
        s = s + np.sin(x[k])
    for k in sorted(picked):
        s = s * x[k]
    for name in {"a", "b"}:
        s = s + t * NAMES[name]
    s += sum(x[k] for k in picked)
    for v in NAMES.values():
        s = s * (1.0 + v * t)
    for j, k in enumerate(SINKS):
        s = s + x[k] * (j + 1)
    return s
""",
    v(),
    0.3,
)
case(
    "loop over the items of dicts in a list, under whose keys another dict is read",
    """
RX = [{"re": {"A": 1, "B": 2}, "k": "k1"}, {"re": {"B": 1}, "k": "k2"}]


def f(a, b, k1, k2):
    conc = {"A": a, "B": b}
    k = {"k1": k1, "k2": k2}
    s = 0.0
    for rxn in RX:
        r = k[rxn["k"]]
        for name, order in rxn["re"].items():
            r = r * conc[name] ** order
        s = s + r
    return s
""",
    1.2,
    0.7,
    0.3,
    0.9,
)
case(
    "set that an object holds",
    """
import numpy as np


class Cloth:
    def __init__(self, pos):
        self.pos = pos.copy()
        self.pinned = {0, 1}

    def integrate(self):
        self.pos *= 2.0
        for p in self.pinned:
            self.pos[p] = self.pos[p] ** 2


def f(pos):
    cloth = Cloth(pos)
    for _ in range(2):
        cloth.integrate()
    return np.sum(cloth.pos**2)
""",
    v(),
)
case(
    "mass action kinetics by names",
    """
import numpy as np

SPECIES = ["A", "B", "C", "D"]
REACTIONS = [
    {"reactants": {"A": 1, "B": 1}, "products": {"C": 1}, "k": "k1"},
    {"reactants": {"C": 1}, "products": {"A": 1, "B": 1}, "k": "k2"},
    {"reactants": {"C": 2}, "products": {"D": 1}, "k": "k3"},
]


def rates(conc, k):
    dcdt = {s: 0.0 for s in SPECIES}
    for rxn in REACTIONS:
        r = k[rxn["k"]]
        for s, order in rxn["reactants"].items():
            r = r * conc[s] ** order
        for s, nu in rxn["reactants"].items():
            dcdt[s] -= nu * r
        for s, nu in rxn["products"].items():
            dcdt[s] += nu * r
    return dcdt


def f(c0, k1, k2, k3, dt=0.05, steps=10):
    conc = dict(zip(SPECIES, c0))
    k = {"k1": k1, "k2": k2, "k3": k3}
    history = []
    for step in range(steps):
        d = rates(conc, k)
        for s in SPECIES:
            conc[s] = conc[s] + dt * d[s]
        if step % 5 == 0:
            history.append(conc["D"])
    return conc["D"] + 0.1 * sum(history)
""",
    [1.0, 0.8, 0.1, 0.05],
    1.3,
    0.4,
    0.9,
    0.05,
    3,
)
case(
    "sets of a module under their names",
    """
SINKS = {3, 1}
NAMES = {"a", "b"}
W = {"a": 1.0, "b": 2.0}
F = frozenset((0, 2))


def f(x, t):
    s = 0.0
    for k in SINKS:
        s = s + x[k] ** 2
    for j, k in enumerate(F):
        s = s + x[k] * s
    for n in NAMES:
        s = s * t * W[n]
    return s
""",
    v(),
    0.3,
)
case(
    "constructors that hand their arguments on",
    """
class Material:
    def __init__(self, E, nu=0.3, *, density=1.0):
        self.E = E
        self.nu = nu
        self.density = density

    def stress(self, strain):
        return self.E * strain / (1.0 + self.nu)


class Hard(Material):
    def __init__(self, H, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.H = H

    def stress(self, strain):
        return super().stress(strain) + self.H


class Harder(Hard):
    def __init__(self, H, E, **kwargs):
        super().__init__(2.0 * H, E, **kwargs)


def f(E, H, e):
    total = 0.0
    for m in [Material(E), Hard(H, E, 0.2, density=2.0), Harder(H, E, density=3.0)]:
        total = total + m.stress(e) * m.density
    return total
""",
    10.0,
    1.3,
    2.0,
)
case(
    "constructor that hands its options on",
    """
class Material:
    def __init__(self, E, density=1.0):
        self.E = E
        self.density = density


class Hardening(Material):
    def __init__(self, E, H, **kw):
        super().__init__(E, **kw)
        self.H = H

    def stress(self, strain):
        return self.E * strain + self.H


def f(E, H, e):
    m = Hardening(E, H, density=2.0)
    return m.stress(e) * m.density
""",
    10.0,
    1.3,
    2.0,
)
case(
    "class that is called with a row",
    """
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    capacity: float
    r0: float
    temp: float | None = None


def f(theta, x: float):
    cell = Cell(*theta)
    return cell.capacity * x + cell.r0 + (0.0 if cell.temp is None else cell.temp)
""",
    v(2),
    0.7,
)
case(
    "class method that calls its class with a row",
    """
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    capacity: float
    r0: float

    @classmethod
    def from_array(cls, theta):
        return cls(*theta)


def f(theta, x: float):
    cell = Cell.from_array(theta)
    return cell.capacity * x + cell.r0
""",
    v(2),
    0.7,
)
case(
    "method called in a comprehension of another one",
    """
import numpy as np


class Elastic:
    def __init__(self, E, density=1.0):
        self.E = E
        self.density = density

    def stress(self, strain):
        return self.E * strain

    def energy(self, strain):
        sig = np.array([self.stress(e) for e in strain])
        return np.sum(sig)


def f(E, strains):
    m = Elastic(E)
    return m.energy(strains) * m.density
""",
    1.3,
    v(),
)
case(
    "materials with a method of their base that calls their own",
    """
from abc import ABC, abstractmethod
import numpy as np


class Material(ABC):
    def __init__(self, E, density=1.0):
        self.E = E
        self.density = density

    @abstractmethod
    def stress(self, strain):
        ...

    def energy(self, strain, n=8):
        s = np.linspace(0.0, strain, n)
        sig = np.array([self.stress(e) for e in s])
        return np.sum(0.5 * (sig[1:] + sig[:-1]) * np.diff(s))


class Elastic(Material):
    def stress(self, strain):
        return self.E * strain


class Hardening(Material):
    def __init__(self, E, yield_stress, H, **kw):
        super().__init__(E, **kw)
        self.yield_stress = yield_stress
        self.H = H

    def stress(self, strain):
        trial = self.E * strain
        if abs(trial) <= self.yield_stress:
            return trial
        sign = 1.0 if trial > 0 else -1.0
        plastic = (abs(trial) - self.yield_stress) / (self.E + self.H)
        return trial - sign * self.E * plastic


def f(E, sy, H, strains):
    mats = [Elastic(E), Hardening(E, sy, H, density=2.0)]
    w = 0.0
    for m in mats:
        for e in strains:
            w += m.density * m.energy(e)
    return w
""",
    10.0,
    1.3,
    2.0,
    np.array([0.1, 0.2, 0.33]),
)
case(
    "cloth of constraints that are pairs",
    """
import numpy as np

GRAVITY = np.array([0.0, -9.81])


class Cloth:
    def __init__(self, pos, rest, stiffness):
        self.pos = pos.copy()
        self.prev = pos.copy()
        self.constraints = [(i, i + 1) for i in range(len(pos) - 1)]
        self.rest = rest
        self.k = stiffness
        self.pinned = {0}

    def integrate(self, dt):
        vel = (self.pos - self.prev) * 0.99
        self.prev = self.pos.copy()
        self.pos += vel + GRAVITY * dt**2
        for p in self.pinned:
            self.pos[p] = self.prev[p]

    def project(self):
        for (i, j), r in zip(self.constraints, self.rest):
            d = self.pos[j] - self.pos[i]
            length = np.linalg.norm(d)
            corr = self.k * (length - r) / length * d
            if i in self.pinned:
                self.pos[j] -= corr
            else:
                self.pos[i] += 0.5 * corr
                self.pos[j] -= 0.5 * corr

    def floor(self, y=-1.0):
        below = self.pos[:, 1] < y
        self.pos[below, 1] = y


# s2s: pos (n, 2), rest (m,)
def f(pos, rest, stiffness: float, steps: int = 3):
    cloth = Cloth(pos, rest, stiffness)
    for _ in range(steps):
        cloth.integrate(0.1)
        for _ in range(2):
            cloth.project()
        cloth.floor()
    return np.mean(cloth.pos[:, 1]) + np.sum((cloth.pos - cloth.prev) ** 2)
""",
    m(4, 2),
    v(3),
    0.8,
    2,
)
case(
    "method whose default is a negative number",
    """
import numpy as np


class Cloth:
    def __init__(self, pos):
        self.pos = pos.copy()

    def floor(self, y=-1.0):
        below = self.pos[:, 1] < y
        self.pos[below, 1] = y


# s2s: pos (n, 2)
def f(pos):
    cloth = Cloth(pos)
    cloth.floor()
    return np.mean(cloth.pos[:, 1] ** 2)
""",
    m(4, 2) - 1.5,
)
case(
    "lists joined where they are put together",
    """
import numpy as np


def f(r, v):
    rs = [r, 2.0 * r]
    z = [*rs, *[3.0 * x for x in rs], v]
    w = np.concatenate(z)
    y = np.stack([r] + [x * v for x in rs], axis=1)
    rows = np.vstack([r, *rs])
    return np.sum(w**2) + np.sum(y**3) + rows[1] @ v
""",
    v(3),
    v(3),
)
case(
    "list of two comprehensions that is joined",
    """
from typing import NamedTuple

import numpy as np

class Body(NamedTuple):
    m: float
    r: np.ndarray
    v: np.ndarray

def f(m1, m2, r1, r2, v1, v2):
    bodies = [Body(m1, r1, v1), Body(m2, r2, v2)]
    masses = [b.m for b in bodies]
    y = np.hstack([b.r for b in bodies] + [b.v for b in bodies])
    return np.sum(y**3) * masses[0] + masses[1]
""",
    1.0,
    2.0,
    v(3),
    v(3),
    v(3),
    v(3),
)
case(
    "list of two comprehensions that is returned",
    """
import numpy as np


def f(r, v):
    rs = [r, 2.0 * r]
    return [x * v for x in rs] + [v * v for x in rs]
""",
    0.3,
    1.2,
)
case(
    "option that no call gives",
    """
import numpy as np


def run(precip, params, init=None, return_states=False):
    k1, k2 = params
    if init is None:
        upper, lower = 5.0, 10.0
    else:
        upper, lower = init
    q = np.zeros(len(precip))
    for i in range(len(precip)):
        upper += precip[i]
        q1 = k1 * upper
        upper -= q1
        lower += k2 * q1
        q[i] = q1 + lower
    if return_states:
        return q, upper
    return q



def f(params, precip):
    return np.sum(run(precip, params)**2)
""",
    v(2),
    v(6),
)
case(
    "numbers of which the smaller one is taken",
    """
import numpy as np


def f(precip, temp, params):
    tt, ddf = params
    n = len(precip)
    snow, soil = 0.0, 50.0
    q = np.zeros(n)
    for i in range(n):
        p = precip[i]
        if temp[i] < tt:
            snow += p
            rain = 0.0
        else:
            melt = min(ddf * (temp[i] - tt), snow)
            snow -= melt
            rain = p + melt
        soil += rain
        q[i] = soil
    return np.sum(q**2)
""",
    np.array([5.0, 0.0, 8.0, 3.0]),
    np.array([-2.0, -1.0, 3.0, 4.0]),
    np.array([0.1, 2.0]),
)
case(
    "bucket model with flags and states",
    """
import numpy as np


def run(precip, temp, pet, params, use_snow=True, init=None, return_states=False):
    tt, ddf, fc, beta, k1, k2, perc = params
    n = len(precip)
    if init is None:
        snow, soil, upper, lower = 0.0, 50.0, 5.0, 10.0
    else:
        snow, soil, upper, lower = init
    q = np.zeros(n)
    states = np.zeros((n, 4))
    for i in range(n):
        p = precip[i]
        if use_snow:
            if temp[i] < tt:
                snow += p
                rain = 0.0
            else:
                melt = min(ddf * (temp[i] - tt), snow)
                snow -= melt
                rain = p + melt
        else:
            rain = p
        recharge = rain * (soil / fc) ** beta
        soil += rain - recharge
        et = pet[i] * min(1.0, soil / fc)
        soil = max(soil - et, 0.0)
        excess = 0.0
        if soil > fc:
            excess = soil - fc
            soil = fc
        upper += recharge + excess
        drain = min(perc, upper)
        upper -= drain
        lower += drain
        q1 = k1 * upper
        q2 = k2 * lower
        upper -= q1
        lower -= q2
        q[i] = q1 + q2
        states[i] = snow, soil, upper, lower
    if return_states:
        return q, states
    return q


def f(params, precip, temp, pet, obs):
    sim = run(precip, temp, pet, params)
    warm = 2
    num = np.sum((sim[warm:] - obs[warm:]) ** 2)
    den = np.sum((obs[warm:] - obs[warm:].mean()) ** 2)
    return 1.0 - num / den
""",
    np.array([0.1, 2.0, 80.0, 2.0, 0.3, 0.05, 1.5]),
    np.array([5.0, 0.0, 8.0, 3.0, 0.0, 12.0, 1.0, 0.0]),
    np.array([-2.0, -1.0, 3.0, 4.0, 1.0, 6.0, 5.0, 2.0]),
    np.full(8, 1.2),
    v(8) * 2.0,
)
case(
    "cars in dicts that follow each other",
    """
import numpy as np


def idm_accel(v, dv, gap, p):
    s_star = p["s0"] + max(0.0, v * p["T"] + v * dv / (2.0 * np.sqrt(p["a"] * p["b"])))
    return p["a"] * (1.0 - (v / p["v0"]) ** 4 - (s_star / gap) ** 2)


def f(p, x0, v0, dt=0.2, steps=4):
    cars = [{"x": x, "v": v} for x, v in zip(x0, v0)]
    flow = []
    for _ in range(steps):
        acc = []
        for k, car in enumerate(cars):
            if k == 0:
                acc.append(0.1 * (p["v0"] - car["v"]))
            else:
                lead = cars[k - 1]
                gap = lead["x"] - car["x"] - 5.0
                acc.append(idm_accel(car["v"], car["v"] - lead["v"], gap, p))
        for car, a in zip(cars, acc):
            car["v"] = max(0.0, car["v"] + dt * a)
            car["x"] += dt * car["v"]
        flow.append(sum(c["v"] for c in cars) / len(cars))
    if any(c["v"] < 0 for c in cars):
        return 1e9
    return float(np.mean(flow)) + 0.01 * (cars[0]["x"] - cars[-1]["x"])
""",
    {"v0": 30.0, "T": 1.5, "a": 1.0, "b": 2.0, "s0": 2.0},
    np.array([100.0, 70.0, 40.0]),
    np.array([20.0, 22.0, 25.0]),
)
case(
    "options that no call gives, and tests of them",
    """
import numpy as np


def blur(img, kernel, mode="edge", norm=True, kind="a", axis=None, verbose=False):
    assert kind in ("a", "b")
    if mode is not None and norm is True:
        img = img * 2.0
    if axis is None and not verbose:
        img = img + 1.0
    if kind in ("b", "c") or not norm:
        img = img * 3.0
    elif kind != "a":
        raise ValueError(kind)
    scale = 2.0 if norm else 1.0
    if verbose and norm:
        print("blur", kind, mode)
    if norm and kernel[0, 0] > 0.0:
        img = img * kernel[0, 0]
    while norm:
        img = img * kernel[0, 1]
        if norm:
            break
    padded = np.pad(img, 1, mode=mode)
    return padded[1:-1, 1:-1] * kernel[0, 0] * scale


def f(img, kernel):
    return np.sum(blur(img, kernel) ** 2)
""",
    m(4, 3),
    m(3, 3),
)
case(
    "option that a call hands on, and others that none gives",
    """
import numpy as np


def smooth(x, w, kind="mean", return_weights=False, normalise=True):
    if kind == "mean":
        y = np.convolve(x, np.ones(3) / 3.0, mode="same")
    elif kind == "exp":
        y = np.zeros(len(x))
        y[0] = x[0]
        for i in range(1, len(x)):
            y[i] = w * x[i] + (1.0 - w) * y[i - 1]
    else:
        raise ValueError(kind)
    if normalise:
        y = y / np.sum(y)
    if return_weights:
        return y, w
    return y


# s2s: x (n,), w ()
def f(x, w):
    return np.sum(smooth(x, w, kind="exp") ** 2)
""",
    v(6),
    0.3,
)
case(
    "sharpened image with an option for its border",
    """
import numpy as np

SOBEL = np.array([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])


def to_float(img):
    if img.dtype == np.uint8:
        return img.astype(np.float64) / 255.0
    return img


def convolve(img, kernel, mode="edge"):
    kh, kw = kernel.shape
    ph, pw = kh // 2, kw // 2
    padded = np.pad(img, ((ph, ph), (pw, pw)), mode=mode)
    out = np.zeros_like(img)
    H, W = img.shape
    for i in range(kh):
        for j in range(kw):
            out += kernel[i, j] * padded[i : i + H, j : j + W]
    return out


def f(img, reference, gain, blur):
    img = to_float(img)
    ref = to_float(reference)
    blurred = convolve(img, blur / blur.sum())
    sharp = img + gain * (img - blurred)
    gx = convolve(sharp, SOBEL)
    gy = convolve(sharp, SOBEL.T)
    tv = np.sum(np.sqrt(gx**2 + gy**2 + 1e-6))
    gray = sharp[::2, ::2] + sharp[1::2, 1::2]
    fit = np.mean((sharp - ref) ** 2)
    return fit + 1e-3 * tv + 0.1 * gray.std()
""",
    m(6, 8),
    np.arange(48, dtype=np.uint8).reshape(6, 8),
    0.7,
    m(3, 3),
)
case(
    "differences of an array that is made longer at its ends",
    """
import numpy as np


# s2s: x (n,), A (n, m)
def f(x, A, t):
    d = np.diff(x, prepend=x[0])
    e = np.diff(x, append=0.0)
    g = np.diff(A, axis=0, prepend=A[:1] * t)
    h = np.diff(x, 1, prepend=t, append=[t, 1.0])
    return np.sum(d**2) + np.sum(e**3) + np.sum(g**2) + np.sum(h**2)
""",
    v(5),
    m(5, 2),
    0.3,
)
case(
    "columns that a star hands to a function of two arrays",
    """
import numpy as np


def f(xy, target):
    return np.sum(np.hypot(*(xy - target).T))
""",
    m(4, 2),
    v(2),
)
case(
    "kriging with options that a helper hands on",
    """
import numpy as np


def variogram(h, *, nugget=0.0, sill=1.0, rng=1.0, model="spherical"):
    if model == "spherical":
        x = np.minimum(h / rng, 1.0)
        g = nugget + (sill - nugget) * (1.5 * x - 0.5 * x**3)
    elif model == "exponential":
        g = nugget + (sill - nugget) * (1.0 - np.exp(-3.0 * h / rng))
    else:
        raise NotImplementedError(model)
    return np.where(h > 0, g, 0.0)


def krige(xy, z, target, **kw):
    n = len(z)
    d = np.sqrt(((xy[:, None, :] - xy[None, :, :]) ** 2).sum(-1) + 1e-12)
    A = np.ones((n + 1, n + 1))
    A[:n, :n] = variogram(d, **kw)
    A[n, n] = 0.0
    b = np.append(variogram(np.hypot(*(xy - target).T), **kw), 1.0)
    w = np.linalg.solve(A, b)
    return w[:-1] @ z, w @ b


def f(xy, z, sill, rng):
    evaluations = 0

    def estimate(t):
        nonlocal evaluations
        evaluations += 1
        return krige(xy, z, t, sill=sill, rng=rng, model="exponential")

    total = 0.0
    for t in [np.array([0.2, 0.3]), np.array([0.6, 0.9])]:
        val, var = estimate(t)
        total += val + 0.1 * var
    return total / evaluations
""",
    m(5, 2),
    v(5),
    1.2,
    0.8,
)
case(
    "options that partial, tables and dicts give, and no call",
    """
import numpy as np
from functools import partial


def norm(x, squared=False, mode="edge", w=None):
    s = np.sum(x**2)
    if mode is None:
        s = 2.0 * s
    if w is not None:
        s = s * w
    return s if squared else np.sqrt(s)


TABLE = {"n": norm, "s": partial(norm, squared=True)}


class Model:
    def __init__(self, k, norm=norm):
        self.k = k
        self.norm = norm

    def loss(self, x):
        return self.norm(x, mode=None) * self.k


# s2s: x (n,)
def f(x):
    def inner(v, flag=False, kind="a"):
        if kind == "a" and not flag:
            return np.sum(v)
        return np.sum(v * v)

    opts = {"squared": True}
    g = partial(norm, squared=True)
    t = TABLE["s"](x) + TABLE["n"](x, w=x[0]) + g(x) + Model(2.0).loss(x)
    t += norm(x, mode=None) + norm(x) + norm(x, **opts) + norm(x, *(True,))
    t += inner(x) + inner(x, flag=True) + inner(2.0 * x, kind="b")
    return t + sum(norm(v, bool(i)) for i, v in enumerate([x, 2.0 * x])) + sum(map(norm, [x, 3.0 * x]))
""",
    np.array([0.3, 0.7, 0.2]),
)
case(
    "options that only partial gives",
    """
import numpy as np
from functools import partial


def scaled(x, twice=False, kind="a"):
    return 2.0 * x if twice else x**3 if kind == "b" else x


# s2s: x (n,)
def f(x):
    double = partial(scaled, twice=True)
    cube = partial(scaled, kind="b")
    return np.sum(double(x) * cube(x)) + np.sum(scaled(x))
""",
    np.array([0.3, 0.7, 0.2]),
)
case(
    "a list without a derivative that another one takes the items of",
    """
import numpy as np


# s2s: x (), y (), v (n,)
def f(x, y, v):
    row = [x, y, x * y]
    zeros = [0.0 for _ in row]
    items = [*zeros, 0.0, *np.ones(2)]
    items[1] = x * y
    items[4] += y
    return items[1] * row[2] + items[0] + items[3] * x + items[4] * v[0]
""",
    0.7,
    -0.4,
    np.array([0.3, 0.8]),
)
case(
    "a field of a tuple that is made for it, which is an array that is written",
    """
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    a: float
    b: object


# s2s: u (3,)
def f(x: float, u, n: int):
    w = u
    w = w * x if n > 1 else Pair(0.7, w).b
    w[1] = x * u[0]
    A = np.outer(u, u)
    B = A
    A[1] += np.sin(B[1]) if n > 0 else np.diag(A)
    return np.sum(w * u) + np.sum(A)
""",
    0.7,
    np.array([0.3, 0.8, -0.4]),
    1,
)
case(
    "a star that stands for the parameters without a default",
    """
import numpy as np


def layer_norm(x, gain, shift, eps=1e-5):
    return gain * (x - x.mean()) / np.sqrt(x.var() + eps) + shift


def f(x, p):
    x = layer_norm(x, *p["first"])
    for q in p["more"]:
        x = np.sin(layer_norm(x, *q))
    return np.sum(layer_norm(x, *p["last"], eps=0.1))
""",
    v(4),
    {"first": [v(4), v(4)], "more": [[v(4), v(4)]], "last": [v(4), v(4)]},
)
case(
    "objects with a converted field in a list that a helper takes items of",
    """
import numpy as np


class Link:
    def __init__(self, axis, length):
        self.axis = np.asarray(axis, dtype=float)
        self.length = length


def reach(links, q):
    total = np.zeros(3)
    for i, link in enumerate(links):
        total = total + link.length * np.sin(q[i]) * link.axis
    for i in range(len(links) - 2, -1, -1):
        link = links[i]
        total = total + np.cross(link.axis, links[i + 1].axis) * link.length
    return total


def f(q, lengths):
    links = []
    for k in range(3):
        links.append(Link([1.0, q[k], 0.3 * k], lengths[k]))
    return np.sum(reach(links, q) ** 2)
""",
    v(3),
    v(3),
)
case(
    "default of a constructor that is calculated of a constant of NumPy",
    """
import numpy as np

SCALE = 2.0


class Spectral:
    def __init__(self, n, nu, L=SCALE * np.pi):
        k = SCALE * np.pi / L * np.fft.fftfreq(n, 1.0 / n)
        self.kx, self.ky = np.meshgrid(k, k)
        self.nu = nu

    def decay(self, w):
        return np.exp(-self.nu * (self.kx**2 + self.ky**2)) * w


def f(w, nu):
    s = Spectral(w.shape[0], nu)
    for _ in range(2):
        w = s.decay(w)
    return np.sum(w**2)
""",
    m(3, 3),
    0.3,
)
case(
    "columns of a design matrix, of a recursion that is not known to give vectors",
    """
import numpy as np


def spline(x, knots, i, k):
    if k == 0:
        return np.where((knots[i] <= x) & (x < knots[i + 1]), 1.0, 0.0)
    left = (x - knots[i]) / (knots[i + k] - knots[i]) * spline(x, knots, i, k - 1)
    right = (knots[i + k + 1] - x) / (knots[i + k + 1] - knots[i + 1]) * spline(x, knots, i + 1, k - 1)
    return left + right


def f(x, knots, y):
    B = np.column_stack([spline(x, knots, i, 2) for i in range(3)])
    C = np.column_stack([np.outer(x, y[:2]) * i for i in range(2)])
    return np.sum((B @ y[:3] - y) ** 2) + np.sum(np.sin(C))
""",
    np.array([0.2, 1.3, 2.4, 1.7]),
    np.array([-0.7, 0.1, 0.9, 2.1, 2.8, 4.2]),
    v(4),
)
case(
    "a function in a final block that is given a value in advance, on three ways out",
    """
def f(x, n):
    try:
        if n > 2:
            return x * 3
        x = x * 2
        if n > 1:
            return x
    finally:
        grown = lambda q, y=x: y * q
        x = grown(1.3) ** 2
    return x * x + grown(2.0)
""",
    1.5,
    0,
)
case(
    "items of two arrays in a loop that reads neither, one of them written under another name",
    """
def f(b, u, k):
    a = u
    for i in range(3):
        a[i % 2] = b
        if 2 < b:
            u = u / k
        else:
            w = u
        for p, q in zip(u, w):
            pass
    return (a,)
""",
    1.5,
    v(3),
    2.0,
)
case(
    "stars of vectors whose lengths are stated, before parameters that have defaults",
    """
import numpy as np


def blend(x, y, t=0.4):
    return x * np.abs(y) ** t


# s2s: v (3,), u (2,)
def f(u, v):
    return blend(*v) + blend(*u)
""",
    v(2),
    v(3),
)
case(
    "inner lists that an unpacking names, and that are written under these names",
    """
import numpy as np


def f(u, v, k):
    S = [[u], [v], [u * k]]
    first, *rest = S
    r = np.sum(first[0] ** 2)
    first[0] = v * k
    rest[1][0] = u * u
    T = [{"x": u}, {"x": v}]
    d, e = T
    d["x"] = v * k
    return r + np.sum(S[0][0] * S[1][0] * S[2][0]) + np.sum(T[0]["x"] * e["x"])
""",
    v(3),
    v(3),
    0.7,
)
case(
    "parts of what helpers put in another order, beside an array with two names that was written",
    """
import numpy as np


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def swapped(p, q):
    return q, p


def listed(p, q):
    return [q, p]


def f(u, v, k):
    u = u.copy()
    v = v.copy()
    pair = Pair(u, v)
    u *= 0.5
    pair.b = swapped(pair.a, pair.b)[0]
    a = u
    c = listed(a, v)[1]
    return np.sum(pair.b**3) * k + np.sum(c**2)
""",
    v(3),
    v(3),
    0.7,
)
case(
    "lists that become arrays, which are written",
    """
import numpy as np


def f(x, y, c):
    x = np.asarray(x)
    z = np.zeros_like(x)
    for i in range(len(x)):
        z[i] = c * x[i] ** 2
    w = np.array(y)
    w[0] = c * w[-1]
    v = np.atleast_1d(c * w[1])
    v[0] *= x[0]
    return np.sum(z) * np.sum(w**2) + v[0]
""",
    [0.4, 0.7, 1.1],
    [0.6, 0.9],
    0.3,
)
case(
    "bucket model whose parameters are compared with its states",
    """
import numpy as np


def run(precip, temp, params):
    tt, ddf, fc, perc = params
    n = len(precip)
    snow, soil, upper = 0.0, 50.0, 5.0
    q = np.zeros(n)
    for i in range(n):
        p = precip[i]
        if temp[i] < tt:
            snow += p
            rain = 0.0
        else:
            melt = min(ddf * (temp[i] - tt), snow)
            snow -= melt
            rain = p + melt
        soil += rain
        excess = 0.0
        if soil > fc:
            excess = soil - fc
            soil = fc
        upper += excess
        drain = min(perc, upper)
        upper -= drain
        q[i] = drain + 0.3 * upper
    return q


def f(params, precip, temp):
    return np.sum(run(precip, temp, params) ** 2)
""",
    np.array([0.1, 2.0, 52.0, 1.5]),
    np.array([5.0, 1.0, 8.0, 3.0, 2.0, 12.0]),
    np.array([-2.0, -1.0, 3.0, 4.0, 1.0, 6.0]),
)
case(
    "an array of the step before, None at first, that is written",
    """
import numpy as np


def f(x):
    last = None
    s = 0.0
    for k in range(3):
        now = np.sin(x) * x[k]
        if last is not None:
            last[0] = last[1] * now[k]
            s = s + np.sum(last * now)
        last = now
    return s
""",
    v(4),
)
case(
    "objects that a helper makes and its caller changes",
    """
class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def kick(self, f, h):
        self.v = self.v + h * f

    def drift(self, h):
        self.x = self.x + h * self.v

    def energy(self):
        return 0.5 * self.v**2 + 0.5 * self.x**2


def start(a, b):
    p = Particle(a * b, a - b)
    p.x += 0.1
    return p


def mirrored(a, b):
    return Particle(-a, b), a + b


def f(a: float, b: float, n: int):
    p = start(a, b)
    q, c = mirrored(b, a)
    r, s = start(b, b), start(a, a * b)
    for _ in range(n):
        p.kick(-p.x, 0.1)
        p.drift(0.1)
        q.x += c * p.v
        r.v = q.x
    s.drift(r.v)
    return p.energy() * q.energy() + r.energy() * s.energy()
""",
    0.7,
    1.3,
    3,
)
case(
    "a dict that a helper makes, and entries of which its caller updates",
    """
import numpy as np


def start(u):
    state = {}
    state["u"] = u * 2.0
    state["t"] = 0.0
    return state


def step(state, h):
    state["u"] = state["u"] + h * np.sin(state["u"]) * state["t"]
    state["t"] += h


def f(u, n: int):
    state = start(u)
    for k in range(n):
        step(state, 0.1)
        state["u"] += 0.1 * state["t"]
    return np.sum(state["u"] ** 2)
""",
    v(4),
    3,
)
case(
    "objects that are changed before a list, or another name, takes them over",
    """
from dataclasses import dataclass

import numpy as np


@dataclass
class Box:
    lo: np.ndarray
    hi: np.ndarray


def f(u, c: float):
    boxes = []
    best = None
    last = Box(u, u * c)
    for k in range(3):
        box = Box(u - 1.0, u * k)
        box.hi = box.hi * c
        if best is None or np.sum(box.lo) < np.sum(best.lo):
            before = last
            last = Box(before.lo * c, box.hi)
            last.lo = last.lo + np.sin(before.hi)
        boxes.append(box)
        near = Box(u * c, u + k)
        near.lo = near.lo * 2.0
        if best is None or np.sum(near.hi) > np.sum(best.hi):
            best = near
    return sum(np.sum(b.hi * b.lo) for b in boxes) * np.sum(best.lo) + np.sum(last.lo * last.hi)
""",
    v(4),
    0.7,
)
case(
    "entries of a dict that come back from a list and a dict of those before",
    """
import numpy as np


def f(params, x):
    p = {}
    for k in params:
        p[k] = params[k]
    saved = []
    first = {}
    for k in params:
        saved.append(p[k])
        first[k] = p[k]
        p[k] = p[k] * x
    y = p["w"] + p["b"]
    for k in params:
        p[k] = first[k] * p[k]
    z = p["w"] * y
    for k in reversed(params):
        p[k] = saved.pop()
    return np.sum(p["w"] * p["b"] * z)
""",
    {"w": v(3), "b": v(3) * 0.5},
    v(3),
)
case(
    "steps of all entries of a dict of parameters",
    """
import numpy as np


def f(params, x):
    p = dict(params)
    m = {k: 0.0 for k in params}
    for _ in range(2):
        r = p["w"] * x + p["b"]
        g = {"w": r * x, "b": r}
        for k in p:
            m[k] = 0.9 * m[k] + g[k] * p[k]
            p[k] = p[k] - 0.1 * m[k]
    return np.sum(p["w"] * p["b"])
""",
    {"w": v(3), "b": v(3) * 0.5},
    v(3),
)
case(
    "steps of a dict of parameters by comprehensions",
    """
import numpy as np


def gradients(params, x):
    r = params["w"] * x + params["b"]
    return {"w": np.sum(r * x), "b": np.sum(r)}


def f(params, x):
    for _ in range(2):
        grads = gradients(params, x)
        params = {k: v - 0.1 * grads[k] for k, v in params.items()}
    for _ in range(2):
        params = {k: params[k] * x for k in params}
    return np.sum(params["w"] * x + params["b"]) + sum(np.sum(v**2) for v in params.values())
""",
    {"w": v(3), "b": v(3) * 0.5},
    v(3),
)
case(
    "dicts bound anew by comprehensions, of which other names and lists see those before",
    """
import numpy as np


def same(p):
    return p


def f(params, x):
    p = {k: v * 1.0 for k, v in params.items()}
    old = p
    p = {k: p[k] * x for k in p}
    w = p["w"]
    q = same(p)
    p = {k: p[k] + x for k in p}
    r = {k: v * x for k, v in p.items()}
    r = {k: r[k] * r["w"] for k in r}
    return np.sum(p["w"] * old["b"] + q["w"] * w) + np.sum(r["b"])
""",
    {"w": v(3), "b": v(3) * 0.5},
    v(3),
)
case(
    "copies of a dict of parameters, bound anew by comprehensions",
    """
import numpy as np


def gradients(p, x):
    r = p["w"] * x + p["b"]
    return {"w": np.sum(r * x), "b": np.sum(r)}


def f(params, x):
    p = dict(params)
    slow = dict(params)
    m = {k: np.zeros_like(v) for k, v in params.items()}
    for _ in range(2):
        grads = gradients(p, x)
        m = {k: 0.9 * m[k] + grads[k] for k in m}
        p = {k: v - 0.1 * m[k] for k, v in p.items()}
        slow = {k: 0.9 * slow[k] + 0.1 * p[k] for k in slow}
    return np.sum(p["w"] * x + p["b"]) + np.sum(slow["w"] ** 2)
""",
    {"w": v(3), "b": v(3) * 0.5},
    v(3),
)
case(
    "a star before parameters with defaults, of arrays of several lengths",
    """
import numpy as np


def model(x, a, b, c=0.0, d=1.0):
    return a * np.exp(-b * x) * d + c


def f(p, q, x):
    r = model(x, *p) - model(x, *q)
    return np.sum(r**2)
""",
    np.array([0.7, 0.4]),
    np.array([0.5, 0.3, 0.2, 1.1]),
    np.array([0.1, 0.2, 0.7]),
)
case(
    "an item of an array in a dict whose keys are numbers, and the array is written behind it",
    """
import numpy as np


# s2s: u (3,), v (3,), q (3,)
def f(u, v, q, k: float):
    u = u.copy()
    v = v.copy()
    S = {0: u, 1: v}
    r = np.sum(np.full(3, S[0][0]) * q) * k
    u *= np.cos(u)
    return r + np.sum(u)
""",
    v(3),
    v(3),
    v(3),
    0.7,
)
case(
    "arrays under numbers in a dict: one is bound anew in a branch, one is written, some are chosen by the run",
    """
import numpy as np


# s2s: u (3,), v (3,)
def f(u, v, k: float, i: int):
    S = {0: u, 1: v * k, 2: u * v}
    s = 0.0
    for j in range(5):
        m = int(np.argmax(S[j % 3]))
        if m > 1:
            S[0] = S[0] * k
        s = s + S[j % 3][m] * S[(j + 1) % 3][0]
    w = S[1]
    w += u
    S[i] *= k
    return s + np.sum(S[1] * w) * np.sum({0: u, 1: w}[i])
""",
    v(3),
    v(3) + 0.3,
    0.7,
    1,
)
case(
    "arrays that a loop takes out of a list, one by one, are those of another list, and are written",
    """
import numpy as np


def kept(x, y):
    parts = [x * 1.0, x * y, y * 3.0]
    out = []
    for p in parts:
        if p[0] > -50.0:
            out.append(p)
    return out


def paired(xs, n):
    ys = [x * 2.0 for x in xs]
    return [ys[k] for k in range(n)]


# s2s: x (3,), y (3,)
def f(x, y):
    r = kept(x, y)
    r[0][0] = y[1] * r[1][0]
    r[1] *= 2.0
    s = paired(r, 2)
    s[1] -= x * s[0]
    joined = np.concatenate([*s, *[v * y for v in s]], axis=None)
    return np.sum(r[1] * s[1] * r[-1]) + np.sum(joined**2)
""",
    v(3),
    v(3) + 0.3,
)
case(
    "two functions that call each other, of which one writes",
    """
import numpy as np


def even(n, u):
    if n > 0:
        odd(n - 1, u)
        u[0] = 2.0 * u[1]


def odd(n, u):
    if n > 0:
        even(n - 1, u)


# s2s: x (3,), y (3,)
def f(x, y, k: float):
    x = x * k
    z = x * x
    even(2, z)
    odd(2, x)
    return np.sum(z * x * y)
""",
    v(3),
    v(3) + 0.3,
    0.7,
)
case(
    "two functions that call each other give two arrays, that are written",
    """
import numpy as np


def even(n, u, c):
    if n == 0:
        return u * c, u * 1.0
    a, b = odd(n - 1, u * c, c)
    a *= c
    b += a
    return a, b


def odd(n, u, c):
    if n == 0:
        return u * 2.0, c * u
    b, a = even(n - 1, u - 0.1, c)
    b *= a
    return a, b


# s2s: x (3,), y (3,)
def f(x, y, k: float):
    a, b = even(3, x, k)
    a *= k
    b[0] += a[1] * y[0]
    c, d = odd(2, b, k)
    c *= d
    return np.sum(a * c) * np.sum(b * d)
""",
    v(3),
    v(3) + 0.3,
    0.7,
)
case(
    "a cotangent that is part of a view of an array that goes back",
    """
import numpy as np


# s2s: u (3,), v (3,), M (3, 3)
def f(u, v, k: float, M, i: int):
    M = M.copy()
    S = [u * 1.0, v * 1.0]
    for j in range(2):
        M[...] = np.sin(M)
    return np.matmul(M.T.T[i], np.array([S[0][0], S[1][1], k]))
""",
    v(3),
    v(3),
    0.7,
    np.outer(v(3), v(3)),
    1,
)
case(
    "objects of which one changes by a number, with numbers and arrays of no stated rank",
    """
import numpy as np


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def f(u, v, k, i: int):
    u = u.copy()
    S = [Pair(u, k), Pair(v, k)]
    S[i].a = S[0].a * S[i].a
    return np.sum((np.asarray(S[0].a) * 1.0) * u) * S[i].b
""",
    v(3),
    v(3),
    0.7,
    1,
)
case(
    "a loop that appends an item of a list which it changes, and leaves by what it reads of it",
    """
import numpy as np


# s2s: u (m,), v (m,), c (m,)
def f(u, v, c, k: float, n: int):
    hist = []
    q = [u * k, v]
    i = 0
    while i < n and np.sum(q[0]) < 5.0:
        i += 1
        q[0][:2] = q[1][-2:] * q[0][:2]
        hist.append(q[0])
        if q[0][2] > 0.9:
            break
        hist.append(q[0].copy())
    return q[0] * c + q[1]
""",
    v(3),
    v(3),
    v(3),
    0.7,
    2,
)
case(
    "an item of an array of no stated rank in a display, that is a number",
    """
import numpy as np


def f(v, W, b, n: int):
    a = b * np.inner(v, v)
    A = W * np.linspace(0.2, 0.9, 3)
    r = [np.exp(a), A[1, 2]]
    r[0] = 2.0
    c = r[0] * r[1]
    A[n, n] = a
    return c
""",
    v(3),
    np.outer(v(3), v(3)),
    0.7,
    1,
)
case(
    "a sum of which one branch leaves the one part, and one the other",
    """
import numpy as np


def f(W, y, z):
    x = z
    r = y
    if y <= 2.0:
        x = y
    else:
        r = np.sum(W)
    return r + x
""",
    v(3),
    0.7,
    0.4,
)
case(
    "one of several arrays by a number, behind a store into one of them",
    """
import numpy as np


# s2s: u (3,), v (3,)
def f(u, v, k: float, i: int):
    a = u * 1.0
    b = v * 1.0
    a[0] = k
    t = [a, b][i]
    s = {0: a, 1: b}[i]
    return np.sum(a**2 + b * t) + np.sum((a, b)[i] * s)
""",
    v(3),
    v(3),
    0.7,
    1,
)
case(
    "a list that a function which calls itself is given, copied and shortened",
    """
def total(xs, n):
    if n == 0:
        return 0.0
    xs = list(xs)
    last = xs.pop()
    return last * last * n + total(xs, n - 1) * last


def f(x, n: int):
    L = [x[0], x[1], x[2] * x[0]]
    s = total(L, n)
    return s * L[2] + total(L, 2)
""",
    v(),
    3,
)
case(
    "a list parameter that each branch copies, sorted in one of them",
    """
def last(xs, c):
    if c > 0.5:
        xs = sorted(xs)
        return xs.pop() * xs.pop()
    xs = list(xs)
    xs.pop()
    xs.append(xs[-1] ** 2)
    return xs.pop()


def f(x):
    x = list(x)
    a = x.pop()
    L = [x[0], x[1], x[2] * x[0], a]
    return last(L, 0.7) * last(L, 0.2) * L[-1]
""",
    np.array([0.3, 0.7, 1.2, 0.5]),
)
case(
    "zeros in objects in a list, added to in place and seen by other names",
    """
import numpy as np
from types import SimpleNamespace


def add(L, x):
    L[0].a += x * x
    return L[0].a * 2.0


def use(L, x):
    return L[0].a * L[1].a * x


def f(x):
    L = [SimpleNamespace(a=np.zeros_like(x), b=np.zeros_like(x)) for _ in range(2)]
    keep = [L[0].a]
    L[0].a += x
    keep.append(L[0].a)
    y = add(L, x)
    for k in range(2):
        L[k].a += x ** (k + 1)
        L[1 - k].b += L[k].a
    s = use(L, x) * y * L[0].b + keep[0] * keep[1]
    L[0].a = L[1].a
    L[0].a += x
    return s + L[1].a * L[0].a
""",
    v(),
)
case(
    "an entry that a nested function reads is updated in place",
    """
import numpy as np


def f(v, x: float):
    parts = {"a": v * 1.0, "s": x * v}

    def mean(t):
        return np.mean([np.mean(part) * t for part in (parts["a"], parts["s"])])

    before = mean(x)
    parts["a"] *= x
    rows = [{"x": 0.0}, {"x": 1.0}]
    for k in range(2):
        rows[0]["x"] += v[k] * x
        rows[1]["x"] -= rows[0]["x"]
    return np.sum(parts["a"] ** 2) + mean(x) * before * rows[0]["x"] * rows[1]["x"]
""",
    v(),
    0.7,
)

# ---------------------------------------------------------------- what a helper reads of a list, and keys in tables
case(
    "layers of several sizes, in slices of lists that a helper takes apart",
    """
import numpy as np


def relu(x):
    return np.maximum(0.0, x)


def forward(weights, biases, X):
    h = X
    for W, b in zip(weights[:-1], biases[:-1]):
        h = relu(h @ W + b)
    return (h @ weights[-1] + biases[-1])[:, 0]


def f(weights, biases, X):
    return np.mean(forward(weights, biases, X) ** 2)
""",
    [m(3, 4), m(4, 2), m(2, 1)],
    [v(4), v(2), v(1)],
    m(5, 3),
)
case(
    "a number beside arrays in a list, of which products are summed",
    """
import numpy as np


def f(param):
    res = np.zeros(4)
    for i in range(4):
        res[i] = np.sum(param[i] * param[0])
    return np.sum(res**2)
""",
    [v(3), 0.7, v(3), 1.2],
)
case(
    "members that a table names by their ends",
    """
import numpy as np

MEMBERS = {"ab": ("a", "b"), "bc": ("b", "c"), "ca": ("c", "a")}
NUMBER = {"a": 0, "b": 1, "c": 2}


def f(nodes, areas):
    K = np.zeros((6, 6))
    for name, (i, j) in MEMBERS.items():
        d = nodes[j] - nodes[i]
        L = np.sqrt(d @ d)
        B = np.concatenate([-d, d]) / L
        at = np.array([2 * NUMBER[i], 2 * NUMBER[i] + 1, 2 * NUMBER[j], 2 * NUMBER[j] + 1])
        K[np.ix_(at, at)] += areas[name] / L * np.outer(B, B)
    return np.sum(K**2)
""",
    {"a": v(2), "b": v(2) + 2.0, "c": v(2) - 2.0},
    {"ab": 1.2, "bc": 0.7, "ca": 0.9},
)
case(
    "the last items of a list, taken apart",
    """
import numpy as np


def f(lam, y0, h, n: int):
    ys = [y0, y0 / (1.0 + h * lam)]
    for i in range(2, n):
        a, b = ys[-2:]
        ys.append((4.0 * b - a) / (3.0 + 2.0 * h * lam))
    first, second, third = ys[:3]
    return sum(ys[n // 2 :]) + first * second * third
""",
    0.8,
    1.1,
    0.1,
    6,
)
case(
    "a walk through a tree, by a stack of pairs",
    """
import numpy as np


# s2s: w (n,)
def f(w, children: list):
    todo = [(0, w[0])]
    energy = 0.0
    while todo:
        node, phi = todo.pop()
        energy += 0.5 * phi**2
        for c in children[node]:
            todo.append((c, np.tanh(phi + w[c])))
    return energy
""",
    v(5),
    [[1, 2], [3], [4], [], []],
)
case(
    "tuples of the items of a vector, and parts of tuples, as arguments",
    """
import numpy as np


def blend(first, *others, weight=1.0):
    out = weight * first
    for k, o in enumerate(others):
        out = out + o / (k + 2.0)
    return out**2


def euler(rate, y, h, args=()):
    return y + h * rate(y, *args)


def decay(y, a, b):
    return a * y - b


# s2s: p (2,), c ()
def f(p, c):
    parts = (c, p[0], c * p[1])
    q = tuple(p)
    y = euler(decay, c, 0.1, args=tuple(p))
    return blend(c, *parts[1:]) + blend(c, *q, weight=c) * blend(y, *parts[::2])
""",
    v(2),
    0.7,
)
case(
    "the largest of a list that has lost its last items",
    """
import numpy as np


# s2s: x (n,), y ()
def f(x, y):
    seen = [y]
    for a in x:
        seen.append(a * y)
    while len(seen) > 2:
        y += seen.pop()
    return max(seen) * y + min(seen)
""",
    v(4),
    0.9,
)
case(
    "a walk through a graph that marks what it has seen in a set",
    """
import numpy as np

EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (1, 3))


# s2s: w (n,), k ()
def f(w, k):
    seen = set()
    total = 0.0
    stack = [1]
    while stack:
        i = stack.pop()
        if i in seen:
            continue
        seen.add(i)
        total += w[i] ** 2 * k * len(seen)
        for a, b in EDGES:
            if a == i and b not in seen:
                stack.append(b)
    seen.discard(2)
    seen.update([7, 9])
    return total * (k if 2 in seen or not seen else max(seen)) + len(sorted({0, 2} - seen)) * w[0]
""",
    v(4),
    0.7,
)
case(
    "rows taken apart in the header of a loop, with a star",
    """
import numpy as np


# s2s: w (n,), k ()
def f(w, k):
    rows = [(0.1, 0.2, k), (0.4, k, 0.6)]
    s = 0.0
    for head, *tail in rows:
        s += head * sum(tail) * w[0]
        for a, *item in rows:
            s += a * item[-1] * len(tail)
    return s
""",
    v(2),
    0.7,
)
case(
    "arrays of rank 0 in a table, kept in a list and put back, beside one that is written",
    """
import numpy as np


def f(x):
    c = np.zeros(())
    c[...] = 2.0
    m = [[x[0], x[1]], [x[2], x[3]]]
    b = [[np.zeros_like(x[0]), np.zeros_like(x[1])], [np.zeros_like(x[2]), np.zeros_like(x[3])]]
    kept = []
    for k in range(2):
        for j in range(k, 2):
            kept.append(b[k][j])
            b[k][j] = np.zeros_like(m[k][j])
            b[k][j] += m[k][j] * x[k]
    for k in range(2):
        for j in range(k, 2):
            s = b[k][j]
            m[k][j] = kept.pop() + s
            b[k][j] += s * x[j]
    return m[0][0] * m[1][1] * b[0][0] * b[0][1] * c
""",
    v(4),
)
case(
    "the better of two lists, under a name of its own",
    """
import numpy as np


def f(p, q, x):
    best = p
    if np.sum(q[0]) < np.sum(p[0]):
        best = q
    s = 0.0
    for r in best:
        s = s + np.sum(r * x)
    return s * np.sum(best[0]) * np.sum(p[1])
""",
    [v(3), v(3)],
    [v(3), v(3)],
    0.7,
)
case(
    "the row of the step before, a list of a parameter, None at first",
    """
import numpy as np


def f(rows, x):
    last = None
    s = 0.0
    for row in rows:
        if last is not None:
            s = s + np.sum(last[0] * row[1]) * x
        last = row
    return s * np.sum(last[1])
""",
    [[v(3), v(3)], [v(3), v(3)], [v(3), v(3)]],
    0.7,
)
case(
    "statistics as they were, beside new ones",
    """
def f(x, running, training: bool):
    before = running
    if training:
        running = {"mu": 0.9 * running["mu"] + 0.1 * x, "var": running["var"] * x}
    return running["mu"] * running["var"] * before["mu"]
""",
    0.7,
    {"mu": 0.4, "var": v(3)},
    True,
)
case(
    "a loop that leaves with the one list or the other, by names that change their places",
    """
import numpy as np


def f(p, q, x):
    k = 0
    cur = p
    while k < 4:
        x = x * np.sum(cur[0]) + cur[1][0]
        prev = cur
        cur = q if k % 2 == 0 else prev
        k += 1
        if x > 50.0:
            return x * cur[0]
    return x * cur[1]
""",
    [v(2), v(2)],
    [v(2), v(2)],
    0.4,
)
case(
    "numbers in a list, by a name that is chosen",
    """
def f(p, x):
    q = p
    s = 0.0
    for k in range(len(p)):
        q = q if x > 10.0 else p
        s = s + q[k] * x
    return s * p[0]
""",
    [0.3, 0.5, 0.7],
    0.4,
)
case(
    "pairs of an array and a number in a list that each step makes, and the arrays are written",
    """
import numpy as np


def f(A, s):
    out = 0.0
    for k in range(3):
        B = A * (k + 1.0)
        L = [(A, 2.0), (B, s), (A, s * s)]
        for C, c in L:
            C[k] = C[1] * c + C[0]
            s = s + 0.1 * c * C[0]
        out = out + np.sum(B**2) + L[1][1]
    return out + np.sum(A**2)
""",
    v(4),
    0.7,
)
case(
    "two tuples that a helper makes, swapped by a branch, and their arrays are written",
    """
import numpy as np


def both(A, s):
    return (A * s, A[0] * A[1]), (A * A, s * s)


# s2s: A (n,), s ()
def f(A, s):
    p, q = both(A, s)
    B, c = p
    D, d = q
    B[0] = c * s + D[1]
    D[2] = B[0] * d
    if s > 0.5:
        p, q = q, p
    p[0][1] = q[0][2] * q[1]
    return np.sum(p[0] ** 2) + np.sum(q[0] ** 3) + c * p[1]
""",
    v(4),
    0.7,
)
case(
    "a tuple that a helper makes in each step of the one before, and writes into what that holds",
    """
import numpy as np


def mirrored(w, t):
    w[0] = w[1] * t
    return w[::-1] * t, w[0] * t


def f(A, s):
    r = (A * 1.0, s)
    for _ in range(3):
        r = mirrored(r[0], r[1])
        B, c = r
        B[0] = c * B[1]
        s = s + 0.1 * c
    return r[0] * s + r[1]
""",
    v(4),
    0.7,
)
case(
    "an array and a number that is counted up in a list of one of two, unpacked behind",
    """
import numpy as np


def f(x, s):
    y = x * s
    acc = [y, 0.0]
    if s > 1.0:
        acc = [x * 2.0, 1.0]
    other = acc
    for k in range(3):
        acc[0][k] = x[k] ** 2 * s
        other[1] += acc[0][k] * s
    a, c = acc
    a[1] = c + other[1]
    return np.sum(acc[0]) * c + np.sum(y)
""",
    v(4),
    0.7,
)
case(
    "a state in a dict that a helper makes anew in each step, and its boundary is written behind",
    """
import numpy as np


def step(state, dt):
    u = state["u"] + dt * state["v"] * state["load"]
    return {"u": u, "v": state["v"] - dt * np.sin(u), "load": state["load"] * 1.1, "scheme": "euler"}


def energy(state):
    return np.sum(state["u"] ** 2) + np.sum(state["v"] ** 2)


# s2s: u (n,), v (n,), dt ()
def f(u, v, dt):
    state = {"u": u, "v": v, "load": dt, "scheme": "euler"}
    total = 0.0
    last = state
    for i in range(3):
        last, state = state, step(state, dt)
        state["u"][0] = dt * last["v"][1]
        state["v"][-1] *= state["load"]
        if i > 0:
            total += energy(state)
    return total * state["load"]
""",
    v(4),
    v(4),
    0.7,
)
case(
    "a state in an object of which a helper makes a new one, swapped, and written",
    """
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np


@dataclass
class State:
    u: np.ndarray
    v: np.ndarray


def step(s, k):
    new = s.u + k * s.v
    return SimpleNamespace(u=new, v=s.v - k * new)


def made(s, k):
    new = s.u * k
    new[0] = s.v[1]
    return State(new, s.v - k * new)


# s2s: u (n,), v (n,), k ()
def f(u, v, k):
    s = SimpleNamespace(u=u, v=v)
    t = SimpleNamespace(u=v * k, v=u * 0.5)
    for _ in range(2):
        s, t = t, step(s, k)
        t.u[0] = k * s.v[1]
        if t.u[1] > 9.0:
            break
    q = made(State(s.u, t.v), k)
    q.u[1:] *= q.v[:-1]
    return np.sum(q.u * q.v) + np.sum(s.u * t.v)
""",
    v(4),
    v(4),
    0.7,
)
case(
    "a list of arrays and a number that a helper makes anew, and items of its arrays are written",
    """
import numpy as np


def step(s, k):
    return [s[0] * k + s[1], s[1] * s[2], s[2] + k * s[0][0]]


# s2s: x (n,), y (n,), k ()
def f(x, y, k):
    s = [x, y, k]
    for i in range(2):
        s = step(s, k)
        s[0][i] = k * s[2]
        s[1][1:] *= s[0][:-1]
    return np.sum(s[0] * s[1]) * s[2]
""",
    v(4),
    v(4),
    0.7,
)
case(
    "an array in a dict that is written, and a function inside reads all entries",
    """
import numpy as np


def f(v, x):
    parts = {"a": v * 1.0, "s": x}

    def mean(t):
        return np.mean([np.mean(part) * t for part in parts.values()])

    parts["a"][1] = x * x
    return np.sum(parts["a"] ** 2) + mean(x)
""",
    v(4),
    0.7,
)
case(
    "a number in a dict that lies in another dict, and is bound again there",
    """
import numpy as np


def f(x, y):
    inner = {"k": y}
    outer = {"a": inner, "n": "name"}
    outer["a"]["k"] = x * inner["k"]
    inner["k"] = inner["k"] * outer["a"]["k"]
    return np.sum(inner["k"] ** 2)
""",
    v(4),
    0.7,
)
case(
    "a helper that makes an array and writes into it, in a dict and alone, and its caller writes on",
    """
import numpy as np


def started(u, v, k):
    new = u * k
    new[0] = v[1]
    return new


def both(s, k):
    new = s["u"] * k
    new[0] = s["v"][1]
    return {"u": new, "v": 2.0 * s["v"]}


# s2s: u (n,), v (n,), k ()
def f(u, v, k):
    q = started(u, v, k)
    q[1:] *= v[:-1]
    s = both({"u": u, "v": q}, k)
    s["u"][1:] += s["v"][:-1] * k
    for _ in range(2):
        s = both(s, k)
        s["v"][2] = s["u"][0] * q[1]
    return np.sum(s["u"] * s["v"]) + np.sum(q)
""",
    v(4),
    v(4),
    0.7,
)
case(
    "a state in a dict that a helper gives is handed on at once",
    """
import numpy as np


def rhs(y, a):
    return {"x": a * (y["y"] - y["x"]), "y": y["x"] * y["y"] - 0.1}


def step(y, d, h):
    return {k: y[k] + h * d[k] for k in y}


def f(x0, y0, a):
    y = {"x": x0, "y": y0}
    for _ in range(3):
        k1 = rhs(y, a)
        k2 = rhs(step(y, k1, 0.05), a)
        y = step(y, k2, 0.1)
    return y["x"] ** 2 + y["y"]
""",
    0.3,
    0.4,
    0.5,
)
case(
    "a loss and gradients under names that are not known, in a loop that updates them",
    """
import numpy as np


def loss_and_grads(params, x):
    total = 0.0
    grads = {}
    for k, v in params.items():
        total += np.sum(np.sin(v * x))
        grads[k] = np.cos(v * x) * x
    return total, grads


def f(params, x, lr):
    losses = 0.0
    p = {k: v for k, v in params.items()}
    for i in range(3):
        loss, grads = loss_and_grads(p, x)
        if loss > 50.0:
            break
        losses += loss
        for k in p:
            p[k] = p[k] - lr * grads[k]
    return losses + sum(np.sum(v) for v in p.values())
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.7,
    0.1,
)
case(
    "moments of gradients that a helper returns beside a number",
    """
import numpy as np


def grads_of(params, x):
    return {k: 2.0 * v * x for k, v in params.items()}, x**2


def f(params, x, lr):
    m = {k: np.zeros_like(v) for k, v in params.items()}
    s = {k: np.zeros_like(v) for k, v in params.items()}
    p = dict(params)
    for t in range(1, 4):
        g, n = grads_of(p, x)
        for k in g:
            m[k] = 0.9 * m[k] + 0.1 * g[k]
            s[k] = 0.99 * s[k] + 0.01 * g[k] ** 2
            mh = m[k] / (1 - 0.9**t)
            sh = s[k] / (1 - 0.99**t)
            p[k] = p[k] - lr * n * mh / (np.sqrt(sh) + 1e-3)
    return sum(np.sum(v**2) for v in p.values())
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.7,
    0.1,
)
case(
    "a number and a dict of keys that are not known, from one of two returns",
    """
import numpy as np


def stats(params, x):
    out = {k: v * x for k, v in params.items()}
    if x > 0.5:
        return 2.0 * x, out
    return x, {k: v + x for k, v in params.items()}


def f(params, x):
    n, means = stats(params, x)
    t = 0.0
    for k, v in means.items():
        t += np.sum(v**2) * n
    return t
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.7,
)
case(
    "a loop over a dict whose keys are read in another dict only",
    """
import numpy as np


def grads(params, x):
    g = {}
    for k, v in params.items():
        g[k] = v * x
    return g


def f(params, x, extra: None = None):
    g = grads(params, x)
    total = 0.0
    for i in range(2):
        if extra is not None:
            for k in extra:
                total = total + np.sum(g[k])
        for k in params:
            total = total + np.sum(g[k] ** 2)
    return total
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.7,
)
case(
    "the dicts of all steps in a list",
    """
import numpy as np


def step(y, a):
    return {k: v * a + 0.1 * v**2 for k, v in y.items()}


def f(params, a):
    y = step(params, a)
    hist = []
    for i in range(3):
        hist.append(y)
        y = step(y, a)
    t = 0.0
    for h in hist:
        for k in h:
            t = t + np.sum(h[k] ** 2)
    return t + sum(np.sum(v) for v in y.values())
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.7,
)
case(
    "rates of the step before, as dicts in a list",
    """
import numpy as np


def rhs(y, a):
    return {k: a * np.sin(v) for k, v in y.items()}


def f(params, a):
    y = {k: v * 1.0 for k, v in params.items()}
    fs = []
    f0 = rhs(y, a)
    fs.append(f0)
    for i in range(3):
        new = rhs(y, a)
        old = fs[-1]
        y = {k: y[k] + 0.1 * (1.5 * new[k] - 0.5 * old[k]) for k in y}
        fs.append(new)
    return sum(np.sum(v**2) for v in y.values())
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.7,
)
case(
    "the best of several dicts in a list that is shortened",
    """
import numpy as np


def step(y, a):
    return {k: v * a + 0.1 * v**2 for k, v in y.items()}


def f(params, a):
    y = step(params, a)
    hist = []
    best = step(params, 2.0 * a)
    for i in range(4):
        y = step(y, a)
        if np.sum(y["w"]) > 0.01:
            hist.append(y)
    while len(hist) > 1:
        h = hist.pop()
        if np.sum(h["w"]) < 0.5:
            best = h
    return np.sum(best["w"] ** 2) + np.sum(best["b"])
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.7,
)
case(
    "rows taken apart by their number, with a star",
    """
import numpy as np


def f(x, k):
    layers = [[x, x * k, k * x**2], [x + k, x, x * 2.0]]
    s = 0.0
    for i in range(2):
        first, *rest = layers[i]
        for r in rest:
            s = s + np.sum(first * r)
    return s
""",
    np.array([0.1, 0.2]),
    0.7,
)
case(
    "rows taken apart from either end, in branches",
    """
import numpy as np


def f(x, k):
    t = [(x, k, x * k), (k, x, x)]
    s = 0.0
    for i in range(2):
        if s < 0.5:
            a, *b = t[i]
        else:
            *b, a = t[-1]
        s += a * b[0] + b[1] ** 2
        if s > 10.0:
            return s * k
    return s
""",
    0.3,
    0.7,
)
case(
    "a dict of keys that are not known in a tuple in a tuple",
    """
import numpy as np


def h(p, x):
    d = {k: v * x for k, v in p.items()}
    return (x, d), x * 2.0


def f(params, x):
    r, y = h(params, x)
    z, d = r
    return sum(np.sum(v**2) for v in d.values()) * y * z
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([0.2, -0.1])},
    0.3,
)
case(
    "dicts of keys that are not known in tuples that helpers take",
    """
import numpy as np


def scaled(pair, x):
    g, c = pair
    out = {}
    for k in g:
        out[k] = g[k] * c * x
    return out, c * x


def loss(pair, x):
    c, d = pair
    return c * sum(np.sum(np.sin(v) * x) for v in d.values())


def f(params, x, n: int):
    p = dict(params)
    total = 0.0
    g = {k: 2.0 * v * x for k, v in p.items()}
    h, c = scaled((g, x), 0.3)
    for _ in range(n):
        total = total + np.sin(c) * x
        for k in h:
            p[k] = p[k] - 0.1 * h[k] * c
    return total + loss((c, h), x) + sum(np.sum(v) for v in p.values())
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([[0.2, -0.1], [0.4, 0.7]])},
    0.7,
    2,
)
case(
    "a state of dicts and a number in a tuple that the caller gives",
    """
import numpy as np


def f(state, x):
    p, m, t = state
    new = dict(p)
    s = 0.0
    for k in sorted(p):
        s = s * 0.5 + np.sum(p[k] * m[k]) * t * x
        new[k] = new[k] * x - m[k]
    q = m
    for k in q:
        s = s + np.sum(q[k]) * t
    return s + sum(np.sum(np.sin(v)) for v in new.values()) + len(p) * t
""",
    (
        {"w": np.array([0.3, 0.5]), "b": np.array([[0.2, -0.1], [0.4, 0.7]])},
        {"w": np.array([0.1, 0.6]), "b": np.array([[0.8, -0.3], [0.2, 0.5]])},
        0.4,
    ),
    0.7,
)
case(
    "a dict parameter of keys that are not known, returned as it is beside a number",
    """
import numpy as np


def f(params, m, x):
    s = 0.0
    for k in params:
        s = s + np.sum(m[k] * params[k]) * x
    return s, m, s * x
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([[0.2, -0.1], [0.4, 0.7]])},
    {"w": np.array([0.1, 0.6]), "b": np.array([[0.8, -0.3], [0.2, 0.5]])},
    0.7,
)
case(
    "moments under the keys of a dict that only a helper reads",
    """
import numpy as np


def grads(params, x):
    return {k: v * x for k, v in params.items()}


def f(params, x):
    m = {}
    for k in params:
        m[k] = 0.0
    for _ in range(2):
        g = grads(params, x)
        for k in params:
            m[k] = 0.9 * m[k] + np.sum(g[k]) * x
    return sum(m.values())
""",
    {"w": np.array([0.3, 0.5]), "b": np.array([[0.2, -0.1], [0.4, 0.7]])},
    0.7,
)
case(
    "copies of a list of what may be numbers or arrays, put into a history, of which an item is bound again",
    """
def f(x, n: int):
    row = [x, 0.2]
    history = []
    for _ in range(n):
        row[0] = row[0] * row[1] + x
        history.append(row[:])
    history[0][1] = x
    return history[0][0] * history[-1][1]
""",
    0.3,
    3,
)
case(
    "methods that write into arrays of the object under names of their own",
    """
import numpy as np


class Grid:
    def __init__(self, u, v):
        self.u = u
        self.v = v

    def edges(self, k):
        u = self.u
        u[0] = k
        u[-1] = u[-2]

    def step(self, k):
        u, v = self.u, self.v
        u += k * v
        v[1:] -= u[:-1] * k
        self.edges(k)


# s2s: u (n,), v (n,), k ()
def f(u, v, k):
    grid = Grid(u * 1.0, v * 2.0)
    for _ in range(3):
        grid.step(k)
    return np.sum(grid.u * grid.v)
""",
    v(4),
    v(4),
    0.7,
)
case(
    "functions that write into arrays of a state under names of their own",
    """
from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    u: np.ndarray
    v: np.ndarray


def edges(s, k):
    u = s.u
    u[0] = k * s.v[1]
    np.multiply(u, k, out=u)


def advance(s, k, n):
    u, v = s.u, s.v
    for _ in range(n):
        u[1:-1] += k * v[2:]
        edges(s, k)


def damp(d, k):
    u = d["u"]
    u *= k
    v: np.ndarray = d["v"]
    v[1:] = v[:-1] * u[0]


# s2s: u (n,), v (n,), k ()
def f(u, v, k):
    s = State(u, v)
    advance(s, k, 2)
    d = {"u": s.u * 2.0, "v": s.v}
    damp(d, k)
    return np.sum(d["u"] * d["v"]) + np.sum(s.u)
""",
    v(4),
    v(4),
    0.7,
)
case(
    "a helper that binds its parameter to what another one makes, writes into that, and returns it",
    """
import numpy as np


def advanced(s, k):
    new = s["a"] + k * s["b"]
    return {"a": new, "b": s["b"] - k * new}


def bounded(s, k):
    s = advanced(s, k)
    s["b"][0] = k
    s["a"] = s["a"] * 0.5
    return s


# s2s: a (n,), b (n,), k ()
def f(a, b, k):
    s = {"a": a, "b": b}
    for _ in range(3):
        s = bounded(s, k)
        s["a"][0] = k
    t = bounded(s, k)
    return np.sum(s["a"] * t["b"])
""",
    v(4),
    v(4),
    0.7,
)
case(
    "methods and functions that add up under a name which starts from an attribute or an entry",
    """
import numpy as np


class Offset:
    def __init__(self, k, u):
        self.k = k
        self.u = u

    def total(self, x):
        t = self.k
        t += np.sum(x * self.u)
        return t


def energy(p, x):
    e = p["e0"]
    for w in x:
        e += w * w
    return e


# s2s: u (n,), v (n,), k ()
def f(u, v, k):
    s = Offset(k, u)
    p = {"e0": k}
    return sum([s.total(r) for r in (u, v)]) * s.total(u) + sum(energy(p, r) for r in (u, v))
""",
    v(4),
    v(4),
    0.7,
)

case(
    "an integrator and a network whose attributes are functions that they are given",
    """
import numpy as np


def relu(z):
    return np.maximum(z, 0.1 * z)


class Layer:
    def __init__(self, W, act=np.tanh):
        self.W = W
        self.act = act

    def __call__(self, x):
        return self.act(self.W @ x)


class Network:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Heun:
    def __init__(self, rhs, h):
        self.rhs = rhs
        self.h = h

    def step(self, t, y, p):
        k1 = self.rhs(t, y, p)
        k2 = self.rhs(t + self.h, y + self.h * k1, p)
        return y + 0.5 * self.h * (k1 + k2)


def decay(t, y, p):
    return -p * y + np.sin(t) * y**2


# s2s: W (n, n), x (n,)
def f(W, x, k: float, n: int):
    net = Network([Layer(W), Layer(W * k, relu)])
    y = net.forward(x)
    solver = Heun(decay, 0.1)
    for i in range(n):
        y = solver.step(0.1 * i, y, k)
    return np.sum(y**2)
""",
    np.array([[0.2, -0.3, 0.5], [0.1, 0.4, -0.2], [0.3, 0.2, 0.1]]),
    np.array([0.5, -0.4, 0.7]),
    0.6,
    3,
)

case(
    "a helper that binds its parameters to the parts of what another one makes, and writes into them",
    """
import numpy as np


def advanced(s, k):
    return {"a": s["a"] * k, "b": s["b"] + 1.0}, 0.5 * k


def damped(s, k):
    s, k = advanced(s, k)
    s["a"] = s["a"] * k
    s["b"][1] = k
    return s


# s2s: a (n,), b (n,), k ()
def f(a, b, k):
    s = {"a": a * 2.0, "b": b}
    t = damped(s, k)
    s["a"][0] = 3.0 * k
    return np.sum(s["a"] * t["b"] * t["a"])
""",
    v(4),
    v(4),
    0.7,
)

case(
    "an entry of the dict that a helper gives, put there again in another form",
    """
import numpy as np


def made(s, k):
    return {"a": s["a"] * k, "b": s["b"] + 1.0}


def damped(s, k):
    t = made(s, k)
    t["a"] = t["a"].reshape(-1)
    t["b"] = t["b"] * k
    return t


# s2s: a (n,), b (n,), k ()
def f(a, b, k):
    s = {"a": a * 2.0, "b": b}
    t = damped(s, k)
    u, v = t["a"], t["b"]
    u[0] = k
    return np.sum(s["a"] * v * u)
""",
    v(4),
    v(4),
    0.7,
)

case(
    "dicts in dicts that change under the names of a loop, of an item, and of a second dict",
    """
import numpy as np


def f(a, k):
    d = {"u": {"x": a * k, "v": a}, "w": {"x": a, "v": a * k}}
    for n in ("u", "w"):
        p = d[n]
        p["x"] = p["x"] * k
    q = d.get("u")
    q["v"] = q["v"] + d["w"]["x"]
    e = {"w": d["w"], "z": k}
    r = e["w"]
    r["x"] = r["x"] * r["v"]
    return np.sum(d["u"]["x"] * d["u"]["v"] + d["w"]["x"]) * e["z"]
""",
    v(4),
    0.7,
)

case(
    "one dict in all dicts of a list, written by way of one of them",
    """
import numpy as np


def f(a, k):
    s = {"y": a[0] * k}
    c = {"x": a[1], "v": 1.0}
    rows = [{"m": a[i], "s": s, "c": c} for i in range(3)]
    rows[0]["s"]["y"] = rows[0]["s"]["y"] + rows[0]["m"]
    for row in rows:
        q = row["c"]
        q["v"] = q["v"] * row["m"] + row["s"]["y"]
    return rows[1]["s"]["y"] * rows[2]["m"] + c["v"] * s["y"]
""",
    v(4),
    0.7,
)

case(
    "a dict in a dict in a dict, written by the names of the way to it",
    """
import numpy as np


def f(a, k):
    c = {"x": a[0] * k, "v": a[1]}
    q = {"c": {"d": c}}
    r = q["c"]
    s = r["d"]
    s["x"] = s["x"] * k
    return c["x"] * a[1] + q["c"]["d"]["x"] * c["v"]
""",
    v(4),
    0.7,
)

case(
    "states in objects that swap their names with what a helper makes, and are added to",
    """
from types import SimpleNamespace

import numpy as np


def step(s, k):
    return SimpleNamespace(u=s.u * k, v=s.v + s.u), k * 1.1


# s2s: a (n,), b (n,), k ()
def f(a, b, k):
    s = SimpleNamespace(u=a * 2.0, v=b * k)
    t = SimpleNamespace(u=a * 3.0, v=b * 1.0)
    for i in range(3):
        s, t = t, s
        s.u += k * b
        s.v += k * t.u
        if i == 1:
            s, k = step(s, k)
    best = s
    if np.sum(t.u) > np.sum(s.u):
        best = t
    best.v = best.v * k
    return np.sum(s.u * t.v) + np.sum(s.v) * k
""",
    v(4),
    v(4),
    0.7,
)

case(
    "particles that push each other away, under names of their own",
    """
import numpy as np


class Particle:
    def __init__(self, x, v, m):
        self.x = x
        self.v = v
        self.m = m


# s2s: x (n,), v (n,), k ()
def f(x, v, k):
    particles = [Particle(x * (i + 1.0), v + i, 1.0 + 0.5 * i) for i in range(3)]
    for _ in range(2):
        for i in range(3):
            p = particles[i]
            for j in range(i):
                q = particles[j]
                d = (p.x - q.x) / (1.0 + np.sum((p.x - q.x) ** 2))
                p.v = p.v + k * q.m * d
                q.v -= k * p.m * d
        for p in particles:
            p.x += 0.1 * p.v
    fastest = max(particles, key=lambda p: np.sum(p.v**2))
    fastest.v = 0.5 * fastest.v
    return sum(np.sum(p.x * p.v) * p.m for p in particles)
""",
    v(3),
    v(3),
    0.7,
)

case(
    "a parameter that is bound to a list made of it, which gets and loses items",
    """
def tail(xs, k):
    new = []
    for x in xs:
        new.append(x * k)
    xs = new
    y = xs.pop()
    xs.append(y * y)
    return xs


def f(x, k):
    order = sorted(range(len(x)), key=lambda i: x[i])
    ordered = [x[i] for i in order]
    x = ordered
    last = x.pop()
    L = tail(x, k)
    return sum(L) * x[-1] * last + L[-1]
""",
    v(4),
    0.7,
)

case(
    "a list of numbers that is copied, shortened and added to under its own name",
    """
def f(xs, k):
    xs = list(xs)
    last = xs.pop()
    xs.append(k * last)
    return sum(xs) * xs[0]
""",
    [0.5, 1.2, 0.9],
    0.7,
)

case(
    "loops over the values and the items of a dict of dicts, and of one of objects, that change them",
    """
import numpy as np


class Layer:
    def __init__(self, w, b):
        self.w = w
        self.b = b


def decay(p, k):
    p["x"] = p["x"] * k


# s2s: a (n,), k ()
def f(a, k):
    d = {"u": {"x": a * k, "v": a}, "w": {"x": a, "v": a * k}}
    for p in d.values():
        p["x"] = p["x"] * k + d["u"]["v"]
        decay(p, k)
    layers = {"in": Layer(a * k, a[0]), "out": Layer(a, k)}
    h = d["u"]["x"] * d["w"]["x"]
    for name, layer in layers.items():
        if name == "out":
            layer.b = layer.b * k
        h = np.tanh(layer.w * h + layer.b)
        layer.w = layer.w - 0.1 * h
    for n in d:
        q = d[n]
        q["v"] = q["v"] * h
    return np.sum(d["w"]["v"] * layers["in"].w) + np.sum(h) * layers["out"].b
""",
    v(4),
    0.7,
)

case(
    "a dict in a dict that takes the place of another one, in a loop",
    """
import numpy as np


# s2s: a (n,), k ()
def f(a, k):
    d = {"p": {"x": a * k, "v": a}, "q": {"x": a, "v": k}}
    e = {"p": {"x": a[2] * k, "v": a[0]}, "q": {"x": k, "v": k}}
    s = 0.0
    for _ in range(2):
        s = s + np.sum(d["p"]["x"] * d["q"]["x"]) * e["p"]["x"]
        e["p"] = e["q"]
        d["p"] = d["q"]
        d["q"] = {"x": d["p"]["x"] * k, "v": k}
    return s
""",
    v(4),
    0.7,
)

case(
    "recorders: dicts of lists that begin where they are asked for, in attributes and variables",
    """
from collections import defaultdict

import numpy as np


class Recorder:
    def __init__(self):
        self.data = defaultdict(list)
        self.last: dict = {"x": [], "e": []}

    def log(self, **values):
        for name, value in values.items():
            self.data[name].append(value)

    def keep(self, name, value):
        self.last[name].append(value)


class Journal:
    def __init__(self):
        self.rows = {}

    def log(self, name, value):
        self.rows.setdefault(name, []).append(value)


# s2s: a (n,), k ()
def f(a, k):
    recorder, journal = Recorder(), Journal()
    worst = {"e": [k * k], "x": []}
    seen = {}
    x, v = a[0], k
    for _ in range(4):
        v = v - 0.1 * k * x
        x = x + 0.1 * v
        recorder.log(x=x, e=0.5 * v**2)
        recorder.keep("x", x * v)
        recorder.keep("e", v)
        journal.log("x", x * a[1])
        seen.setdefault("v", []).append(v)
        for name, value in dict(x=x, e=v * x).items():
            worst[name].append(value)
    total = np.std(recorder.data["x"]) + sum(recorder.data["e"]) + sum(seen["v"])
    return total + max(worst["e"]) - min(worst["x"]) + sum(journal.rows["x"]) * sum(recorder.last["e"])
""",
    v(4),
    0.7,
)

case(
    "sums of products of slices that are updated under second names",
    """
import numpy as np


def f(x):
    n = len(x)
    r = [np.dot(x[: n - k], x[k:]) for k in range(3)]
    a = np.zeros(3)
    a[0] = 1.0
    e = r[0]
    for i in range(1, 3):
        lam = -np.dot(a[:i], np.array(r)[i:0:-1]) / e
        a[1 : i + 1] = a[1 : i + 1] + lam * a[:i][::-1]
        e *= 1.0 - lam**2
    return np.sum(a) * e + r[0]
""",
    v(5),
)

case(
    "rates of a network under pairs of states, and weights under times",
    """
import numpy as np


def f(a, k):
    rates = {(0, 1): a[0], (1, 2): a[1], (2, 0): k, (1, 0): k * a[2]}
    weights = {0.5: a[0], 2: k}
    Q = np.zeros((3, 3))
    for (i, j), rate in rates.items():
        Q[i, j] += rate
        Q[i, i] -= rate
    spread = sum(t * w for t, w in weights.items()) + rates[1, 2] * max(rates.values())
    return np.sum(np.eye(3)[0] @ (np.eye(3) + Q + 0.5 * Q @ Q) * np.arange(3.0)) * spread
""",
    v(4),
    0.7,
)

case(
    "named tuples and frozen objects in lists, made anew with other entries",
    """
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np


class Particle(NamedTuple):
    x: float
    v: float
    m: float


@dataclass(frozen=True)
class Wall:
    at: float
    k: float


def f(x, v, k: float, n: int):
    ps = [Particle(a, b, 1.0 + a) for a, b in zip(x, v)]
    walls = [Wall(1.5, k), Wall(2.0, k)]
    for _ in range(n):
        ps = [p._replace(x=p.x + 0.1 * p.v) for p in ps]
        walls = [replace(w, at=w.at + 0.1 * w.k) for w in walls]
        ps = [p._replace(v=p.v - 0.1 * p.x * walls[0].at / p.m) for p in ps]
    return sum(p.m * p.v**2 for p in ps) * walls[1].at
""",
    v(3),
    v(3),
    0.7,
    2,
)

case(
    "helpers that pick objects of a list, which change behind it",
    """
from dataclasses import dataclass


@dataclass
class Body:
    x: float
    v: float


class World:
    def __init__(self, bodies):
        self.bodies = bodies

    def moving(self):
        return [b for b in self.bodies if b.v > 0.0]


def nearest(bodies, at):
    return min(bodies, key=lambda b: abs(b.x - at))


def picked(bodies, order):
    return [bodies[j] for j in order]


def f(x, v, h: float):
    world = World([Body(a, b) for a, b in zip(x, v)])
    for b in world.moving():
        b.x = b.x + h * b.v
    bodies = [Body(a, b) for a, b in zip(v, x)]
    near = nearest(bodies, 0.7)
    near.v = near.v * h
    for b in picked(bodies, [2, 0]):
        b.x = b.x * b.v
    return sum(b.x * b.v for b in bodies) * sum(b.x * b.v for b in world.bodies)
""",
    v(3),
    v(3),
    0.7,
)

case(
    "helpers that write into arrays, called in tests",
    """
import numpy as np


def relax(u, k):
    old = u.copy()
    u[1:-1] = k * (u[:-2] + u[2:])
    return np.sum(np.abs(u - old))


def push(u, k):
    u[0] = u[0] * k + u[1]
    return u[0]


def f(x, k: float, n: int):
    u = x * 1.0
    for _ in range(n):
        if relax(u, k) < 1e-2:
            break
    count = 0
    while count < n and relax(u, 0.4) > 1e-3:
        count += 1
    if u[0] + 0.1 < push(u, k):
        u[1] = u[1] * k
    elif push(u, k) > 0.0:
        u[2] = u[0] * k
    return np.sum(u**2)
""",
    v(5),
    0.45,
    3,
)

case(
    "procedures that write into both of two arrays, which change their places",
    """
import numpy as np


def step(a, b, h):
    b[1:-1] = a[1:-1] + h * (a[2:] - a[:-2])
    if b[1] < 5.0:
        a[0] = b[1] * h
    return np.sum(b)


def f(x, h: float, n: int):
    a = x * 1.0
    b = x * 2.0
    e = 0.0
    for _ in range(n):
        e += step(a, b, h)
        a, b = b, a
    return np.sum(a * b) + e
""",
    v(4),
    0.3,
    3,
)

case(
    "items of a state that are updated and recorded, whose ranks nothing states",
    """
import numpy as np


def f(state, k):
    x, v = state[0], state[1]
    xs = [x]
    for _ in range(3):
        v -= k * x * 0.1
        x += v * 0.1
        xs.append(x)
    return np.std(xs) + sum(xs) * v
""",
    v(2),
    0.7,
)

case(
    "objects that hold dicts, remade, in lists and under names that are bound again",
    """
import numpy as np


class Part:
    def __init__(self, u, k):
        self.u = u
        self.k = k
        self.log = {}

    def copy(self):
        return type(self)(self.u, self.k)

    def value(self):
        return np.sum(self.u) * self.k


# s2s: u (n,), k ()
def f(u, k):
    B = Part(u * 1.0, k)
    B = B.copy()
    parts = [Part(u * k, k), Part(u, 2 * k)]
    C = Part(u * 1.0, k)
    for _ in range(2):
        C = Part(C.u * k, k)
    return B.value() + sum(p.value() for p in parts) * C.value()
""",
    v(4),
    0.7,
)

case(
    "inner functions with a parameter of the name of a dict around, which helpers call by keyword",
    """
import numpy as np
from functools import partial


def twice(law, u):
    return law(v=u) + law(2.0 * u)


def f(v, x):
    def law(v, w=0.5):
        return v * v * x + w

    laws = {"one": law, "other": lambda v, w: v * x - w}
    half = partial(law, v=x)
    options = dict(v=x, w=2.0)
    total = twice(law, x) + twice(lambda v: v * x, 0.3) + half(w=x) + law(**options)
    return v["a"] * (total + laws["one"](w=x, v=0.2) + laws["other"](w=x, v=x))
""",
    {"a": 0.7},
    0.4,
)

case(
    "a parameter that has the name of an inner function, and is called by keyword",
    """
def square(v):
    return v * v


def f(v, x):
    def law(v):
        return v * x

    def pick(law):
        return law(v=x)

    return v["a"] * pick(square) + law(v=v["a"])
""",
    {"a": 0.7},
    0.4,
)

case(
    "attributes annotated float that pairs of items update in place",
    """
import numpy as np
from dataclasses import dataclass

@dataclass
class Particle:
    x: float
    v: float
    m: float = 1.0

def f(x0, v0, h, n: int):
    ps = [Particle(x, v) for x, v in zip(x0, v0)]
    for _ in range(n):
        for i in range(len(ps)):
            for j in range(i + 1, len(ps)):
                a, b = ps[i], ps[j]
                d = b.x - a.x
                a.v += d * h / a.m
                b.v -= d * h / b.m
        for p in ps:
            p.x += p.v * h
    return sum(p.x * p.v for p in ps)
""",
    v(3),
    v(3),
    0.1,
    3,
)

case(
    "items of a list that an object holds, with attributes annotated float",
    """
import numpy as np
from dataclasses import dataclass, field

@dataclass
class Particle:
    x: float
    v: float


class System:
    def __init__(self, ps, k):
        self.ps = ps
        self.k = k
    def step(self, h):
        for p in self.ps:
            p.v += -self.k * p.x * h
        for p in self.ps:
            p.x += p.v * h

def f(x0, v0, k, h):
    s = System([Particle(a, b) for a, b in zip(x0, v0)], k)
    for _ in range(3):
        s.step(h)
    return sum(p.x for p in s.ps)
""",
    v(3),
    v(3),
    0.3,
    0.1,
)

case(
    "attributes annotated float with a default, updated in place by neighbours",
    """
import numpy as np
from dataclasses import dataclass
@dataclass
class Cell:
    u: float
    flux: float = 0.0

def f(u0, k, n: int):
    cells = [Cell(u) for u in u0]
    for _ in range(n):
        for c in cells:
            c.flux = 0.0
        for a, b in zip(cells[:-1], cells[1:]):
            q = k * (a.u - b.u)
            a.flux -= q
            b.flux += q
        for c in cells:
            c.u += c.flux
    return sum(c.u**2 for c in cells)
""",
    v(4),
    0.2,
    3,
)

case(
    "attributes annotated float in the constructor",
    """
import numpy as np

class Body:
    x: float
    v: float
    def __init__(self, x: float, v: float):
        self.x = x
        self.v = v
    def step(self, h: float):
        self.v += -self.x * h
        self.x += self.v * h

def f(x0, v0, h):
    bs = [Body(x, v) for x, v in zip(x0, v0)]
    e = 0.0
    for _ in range(3):
        for b in bs:
            b.step(h)
            e += b.v**2
    return e
""",
    v(3),
    v(3),
    0.1,
)

case(
    "items under other names, of which attributes annotated float are updated",
    """
import numpy as np
from dataclasses import dataclass, field

@dataclass
class Particle:
    x: float
    v: float


def f(x0, v0, h):
    ps = [Particle(a, b) for a, b in zip(x0, v0)]
    for _ in range(3):
        for i, q in enumerate(ps):
            q.v += -q.x * h * i
        q = ps[0]
        q.v += h
        ps[1].x += ps[0].v
    return sum(p.x * p.v for p in ps)
""",
    v(3),
    v(3),
    0.1,
)

case(
    "objects made of the same numbers, of which attributes annotated float are updated",
    """
import numpy as np
from dataclasses import dataclass, field

@dataclass
class Particle:
    x: float
    v: float


def f(x0, v0, h, n: int):
    ps = [Particle(x0, v0) for _ in range(n)]
    for p in ps:
        p.v += -p.x * h
        p.x += p.v * h
    return ps[0].x + ps[1].v * v0
""",
    0.3,
    0.4,
    0.1,
    2,
)

case(
    "attributes annotated float that hold arrays",
    """
import numpy as np
from dataclasses import dataclass, field

@dataclass
class Particle:
    x: float
    v: float


def f(x0, v0, h):
    ps = [Particle(np.array([a, a]), np.array([b, b])) for a, b in zip(x0, v0)]
    q = ps[0].v
    for p in ps:
        p.v += -p.x * h
    return np.sum(q)+np.sum(ps[1].v)
""",
    v(2),
    v(2),
    0.1,
)

case(
    "attributes annotated float of objects in items",
    """
import numpy as np
from dataclasses import dataclass, field

@dataclass
class Particle:
    x: float
    v: float


@dataclass
class Body:
    p: Particle
    m: float
def f(x0, v0, h):
    bs = [Body(Particle(a, b), 1.0 + a) for a, b in zip(x0, v0)]
    for _ in range(2):
        for b in bs:
            b.p.v += -b.p.x * h / b.m
            b.p.x += b.p.v * h
    return sum(b.p.x for b in bs)
""",
    v(3),
    v(3),
    0.1,
)

case(
    "a variable annotated float that may be a parameter",
    """
import numpy as np

def g(x, h):
    if h > 0.05:
        return x
    return x * h

def f(x, h):
    a: float = g(x, h)
    b = a
    c = x
    for _ in range(3):
        a += h * b
    return a * b * c
""",
    0.3,
    0.1,
)

case(
    "a variable annotated float of which a list keeps what it has been",
    """
import numpy as np

def f(xs, h, n: int):
    a: float = xs[0]
    hist = [a]
    for k in range(n):
        a += xs[k] * h
        hist.append(a)
    return sum(v**2 for v in hist)
""",
    v(4),
    0.1,
    3,
)

case(
    "a variable annotated float with a second name, to which a helper adds",
    """
import numpy as np

def g(p, h):
    return p["x"] * h

def f(p, h):
    a: float = p["x"]
    old: float = a
    for _ in range(3):
        a += g(p, h)
    return a * old * p["x"]
""",
    {"x": 0.3},
    0.1,
)

case(
    "variables bound to fields of named tuples that are annotated float",
    """
import numpy as np
from typing import NamedTuple

class State(NamedTuple):
    x: float
    v: float

def f(x0, h):
    ss = [State(x, x * h) for x in x0]
    for _ in range(2):
        new = []
        for s in ss:
            v = s.v
            v += -s.x * h
            x = s.x
            x += v * h
            new.append(State(x, v))
        ss = new
    return sum(s.x * s.v for s in ss)
""",
    v(3),
    0.1,
)

case(
    "a parameter that is a list of dicts, bound to new dicts in a loop",
    """
import numpy as np

def f(ps, h):
    for _ in range(2):
        ps = [{"x": p["x"] + h * p["v"], "v": p["v"] - h * p["x"]} for p in ps]
    return sum(p["x"] * p["v"] for p in ps)
""",
    [{"x": 0.3, "v": 0.4}, {"x": 0.5, "v": 0.2}],
    0.1,
)

case(
    "a parameter that is a list of dicts, bound to new dicts in a branch",
    """
def f(ps, h: float, n: int):
    if n > 1:
        ps = [{"v": p["v"] - h * p["x"], "x": p["x"] + h * p["v"]} for p in ps]
    return sum(p["x"] * p["v"] for p in ps) / len(ps)
""",
    [{"x": 0.3, "v": 0.4}, {"x": 0.5, "v": 0.2}],
    0.1,
    2,
)

case(
    "a parameter that is a list of dicts, bound to new dicts and returned",
    """
def f(ps, h: float, n: int):
    for k in range(n):
        ps = [{"x": p["x"] + h * p["v"], "v": p["v"] - h * p["x"]} for p in ps]
    return ps
""",
    [{"x": 0.3, "v": 0.4}, {"x": 0.5, "v": 0.2}],
    0.1,
    2,
)

case(
    "a parameter that is a list of dicts of arrays, bound to new dicts",
    """
import numpy as np
def f(ps, h: float, n: int):
    for k in range(n):
        ps = [{"x": p["x"] + h * p["v"], "v": p["v"] - h * p["x"]} for p in ps]
    return sum(np.sum(p["x"] * p["v"]) for p in ps)
""",
    [{"x": v(2), "v": v(2)}, {"x": v(3), "v": v(3)}],
    0.1,
    2,
)

case(
    "bodies that pull each other, each pair once",
    """
import numpy as np
from itertools import combinations


class Body:
    def __init__(self, p, v, m):
        self.p, self.v, self.m = p, v, m


def f(pos, mass, h: float, n: int):
    # s2s: pos (k, 2), mass (k,)
    bodies = [Body(pos[i].copy(), np.zeros(2), mass[i]) for i in range(len(mass))]
    for _ in range(n):
        for a, b in combinations(bodies, 2):
            d = b.p - a.p
            r3 = np.sum(d**2) ** 1.5
            if r3 > 50.0:
                break
            a.v += h * b.m * d / r3
            b.v -= h * a.m * d / r3
        for a in bodies:
            a.p += h * a.v
    return sum(np.sum(b.p**2) for b in bodies)
""",
    np.array([[0.0, 1.0], [2.0, 0.3], [0.7, -0.4]]),
    np.array([1.0, 2.0, 0.5]),
    0.1,
    2,
)

case(
    "an energy of pairs that are unpacked from tuples",
    """
import itertools
import numpy as np


def f(pos, mass):
    # s2s: pos (k, 2), mass (k,)
    bodies = list(zip(pos, mass))
    e = 0.0
    for (p, a), (q, b) in itertools.combinations(bodies, 2):
        e -= a * b / np.sqrt(np.sum((p - q) ** 2))
    return e
""",
    np.array([[0.0, 1.0], [2.0, 0.3], [0.7, -0.4]]),
    np.array([1.0, 2.0, 0.5]),
)

case(
    "products, permutations and numbered combinations of items",
    """
from itertools import combinations, permutations, product


def f(x, y, k: float):
    s = sum(a * b * i for i, (a, b) in enumerate(combinations(x, 2)))
    for a, b in product(x, y):
        s += a * b * s * 0.1 + a
    for n, (i, j) in enumerate(product(x, repeat=2)):
        s += i * j**2 * n
    return s * max(abs(i - j) * k for i, j in permutations(y, 2))
""",
    v(4),
    np.array([0.1, -0.7, 0.9]),
    0.7,
)

case(
    "rows of what is written, taken one by one and given other elements",
    """
import numpy as np


def f(A, k: float):
    B = A * 1.0
    for row in B:
        row *= k
        row[0] += row[1]
    for row in B:
        row -= k
    return np.sum(np.sin(B))
""",
    np.array([[0.3, 1.2], [0.8, -0.4]]),
    0.7,
)

case(
    "machine with a stack in a class",
    """
import numpy as np


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()


def f(x, tokens):
    s = Stack()
    for t in tokens:
        if t == "+":
            b = s.pop()
            a = s.pop()
            s.push(a + b)
        elif t == "*":
            s.push(s.pop() * s.pop())
        else:
            s.push(x[int(t)])
    return s.pop()
""",
    v(3),
    ["0", "1", "+", "2", "*", "0", "*"],
)
case(
    "stack that a function fills and that has a second name",
    """
import numpy as np


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()

    def is_empty(self):
        return len(self.items) == 0


def fill(stack, x):
    for v in x:
        stack.push(v * v)


def f(x):
    s = Stack()
    fill(s, x)
    items = s.items
    q = s
    q.push(2.0 * x[0])
    first = items[0] * len(items)
    total = 0.0
    while not s.is_empty():
        total = 0.5 * total + q.pop()
    return total + first
""",
    v(3),
)
case(
    "queue and window in classes",
    """
import numpy as np
from collections import deque


class Queue:
    def __init__(self, items=None):
        self.items = list(items) if items is not None else []

    def put(self, v):
        self.items.append(v)

    def get(self):
        return self.items.pop(0)

    def empty(self):
        return not self.items


class Window:
    def __init__(self):
        self.values = deque(maxlen=3)

    def add(self, v):
        self.values.append(v)

    def mean(self):
        return sum(self.values) / len(self.values)


def f(x):
    q = Queue()
    w = Window()
    for v in x:
        q.put(v ** 2)
    total = 0.0
    while not q.empty():
        w.add(q.get())
        total += w.mean()
    return total
""",
    v(5),
)
case(
    "truss that a function builds",
    """
import numpy as np


class Truss:
    def __init__(self, n):
        self.n = n
        self.bars = []

    def add_bar(self, i, j, k):
        self.bars.append((i, j, k))

    def assemble(self):
        K = np.zeros((self.n, self.n))
        for i, j, k in self.bars:
            K[i, i] += k
            K[j, j] += k
            K[i, j] -= k
            K[j, i] -= k
        return K


def build(x):
    truss = Truss(3)
    truss.add_bar(0, 1, x[0])
    truss.add_bar(1, 2, x[1])
    return truss


def energy(truss, u):
    K = truss.assemble()
    return u @ K @ u


def f(x, u):
    truss = build(x)
    truss.add_bar(0, 2, x[0] * x[1])
    return energy(truss, u) + energy(truss, u ** 2)
""",
    v(2),
    v(3),
)

MOVED = """
import numpy as np
from dataclasses import dataclass, replace
from typing import NamedTuple


@dataclass
class Body:
    x: float
    v: float

    def moved(self, h):
        return Body(self.x + h * self.v, self.v - h * np.sin(self.x))

    def energy(self):
        return 0.5 * self.v**2 + self.x**2


class Point(NamedTuple):
    x: float
    v: float

    def moved(self, h):
        return Point(self.x + h * self.v, self.v - h * self.x)


class Circle:
    def __init__(self, x, y):
        self.x = x
        self.y = y
        self.r = np.sqrt(x**2 + y**2)
        self.area = np.pi * self.r**2

    def scaled(self, k):
        return Circle(k * self.x, k * self.y)

    @property
    def rim(self):
        return 2.0 * np.pi * self.r


def f(xs, ys, h):
"""
case(
    "bodies that are moved, of new objects each time",
    MOVED
    + """
    bodies = [Body(a, b) for a, b in zip(xs, ys)]
    start = bodies
    for _ in range(3):
        bodies = [b.moved(h) for b in bodies]
    return sum(b.energy() for b in bodies) * start[0].x + bodies[1].v
""",
    v(3),
    v(3),
    0.1,
)
case(
    "bodies of which some are moved, and some replaced",
    MOVED
    + """
    bodies = [Body(*row) for row in np.stack([xs, ys], axis=1)]
    new = []
    for b in bodies:
        if b.x > 0.9:
            new.append(b.moved(h))
        else:
            new.append(b)
    new = [replace(b, v=b.v * b.x) for b in new]
    return sum(b.energy() for b in new)
""",
    v(3),
    v(3),
    0.1,
)
case(
    "named tuples of pairs, moved",
    MOVED
    + """
    ps = [Point(*a) for a in zip(xs, ys)]
    for _ in range(2):
        ps = [p.moved(h) for p in ps]
    return sum(p.x * p.v for p in ps)
""",
    v(3),
    v(3),
    0.1,
)
case(
    "circles whose constructor computes, scaled",
    MOVED
    + """
    circles = [Circle(h * xs[0], ys[0]), Circle(xs[1], h * ys[1])]
    circles = [c.scaled(xs[2]) for c in circles]
    total = 0.0
    for c in circles:
        total += c.area * c.x + c.rim
    return total
""",
    v(3),
    v(3),
    0.6,
)
case(
    "circles whose constructor computes, made in two loops under one name",
    MOVED
    + """
    circles = []
    for a, b in zip(xs, ys):
        c = Circle(h * a, b)
        circles.append(c)
    larger = []
    for c in circles:
        d = c.scaled(2.0)
        larger.append(d)
    return sum(c.area * c.x for c in larger)
""",
    v(3),
    v(3),
    0.6,
)

SIZES = """
import numpy as np
from dataclasses import dataclass


@dataclass
class Box:
    size: float
    shape: float


def volume(b):
    return b.size**2


def make(x):
    return Box(x[0], x[1])


def pick(x):
    return Box(x[0], x[1]), x[2]


def f(x):
"""
case(
    "fields with the names of attributes of arrays, in a helper",
    SIZES
    + """
    b = Box(x[0], x[1])
    c, y = pick(x)
    return volume(b) + volume(Box(x[1], 2.0)) + c.size * y * make(x).shape + x.size
""",
    v(3),
)
case(
    "fields with the names of attributes of arrays, of items",
    SIZES
    + """
    boxes = [Box(a, 2.0 * a) for a in x]
    for b in boxes:
        b.size += b.shape * x[0]
    return sum(b.size * b.shape for b in boxes) * boxes[0].size
""",
    v(3),
)

LAYERS = """
import numpy as np


def relu(z):
    return np.maximum(z, 0.0)


def square(z):
    return z * z


class Layer:
    def __init__(self, w, act):
        self.w = w
        self.act = act

    def __call__(self, x):
        return self.act(self.w * x)

    def twice(self, x):
        return self.act(self.w + self.act(x))


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def f(x, w):
    net = Net([Layer(w, np.tanh), Layer(w * 2.0, square), Layer(w, relu)])
"""
case("layers of three functions", LAYERS + "    return np.sum(net(x))", v(3), 0.7)
case(
    "a layer that calls one of three functions within itself",
    LAYERS + "    a, b = Layer(w, np.tanh), Layer(x[0], square)\n    return np.sum(a.twice(b.twice(x)) * net(x))",
    v(3),
    0.7,
)
OF_NAMES = """
import numpy as np

def named(x, y):
    return {"a": x * y, "b": x + y, "c": np.sin(y)}

def same(x, y):
    return {"a": x, "b": y, "c": x * y}

def total(d):
    s = 0.0
    for k in d:
        s = s * 0.5 + np.sum(d[k])
    return s

def f(x, y):
    g = named(x, y)
    s = 0.0
"""
for _name, _text in {
    "by its keys": "for k in g:\n        s = s * 0.5 + np.sum(g[k] ** 2)",
    "counted": "for i, k in enumerate(g):\n        s = s * 0.5 + np.sum(g[k]) * (i + 1)",
    "beside weights": "for k, w in zip(g, [1.0, 2.0, 3.0]):\n        s = s * 0.5 + np.sum(g[k] * w)",
    "from its end": "for k in reversed(g):\n        s = s * 0.5 + np.sum(g[k] ** 2)",
    "in their order": "for k in sorted(g):\n        s = s * 0.5 + np.sum(g[k] ** 2)",
    "with its entries": "for k, v in g.items():\n        s = s * 0.5 + np.sum(v * x)",
    "by its entries": "for v in g.values():\n        s = s * 0.5 + np.sum(v * x)",
    "twice, inside": "for k in g:\n        for j in g:\n            s += np.sum(g[k] * g[j] ** 2) if j != k else 0.0",
    "with exits": "for k in g:\n        if k == 'b':\n            continue\n        s = s * 0.5 + np.sum(g[k] ** 2)",
    "or that of a branch": (
        "if np.sum(x) > 0.0:\n        g = {'c': x, 'a': y * y}\n"
        "    for k in g:\n        s = s * 0.5 + np.sum(g[k] ** 2)"
    ),
    "bound anew inside": (
        "for k in g:\n        g = {'a': x * s, 'b': y, 'c': x + 1.0}\n        s = s * 0.3 + np.sum(g[k] * x)"
    ),
    "of several in a list": "for h in [g, {'q': y * y}]:\n        for k in h:\n            s = s * 0.5 + np.sum(h[k])",
    "in a comprehension": "s = sum(np.sum(g[k] ** 2) for k in g) + sum(np.sum(v) for v in g.values())",
    "of a copy that is written": (
        "h = dict(g)\n    for k in g:\n        h[k] = h[k] * y\n        s = s + np.sum(g[k] * h[k])"
    ),
    "of which another is made": (
        "h = same(y, x)\n    t = {}\n    for k in g:\n        t[k] = g[k] * h[k]\n"
        "    s = sum(np.sum(v ** 2) for v in t.values())"
    ),
    "in a loop": (
        "for t in range(3):\n        g = same(x * t, y)\n"
        "        for k in g:\n            s = s * 0.5 + np.sum(g[k] ** 2)"
    ),
    "the largest": (
        "h = {k: np.sum(v) for k, v in g.items()}\n    best = max(h, key=h.get)\n"
        "    least = min(h, key=lambda k: h[k])\n    s = h[best] ** 2 + x[0] * h[least]"
    ),
}.items():
    case(
        f"loop over a dict that a helper has shown, {_name}", OF_NAMES + f"    {_text}\n    return s", v(3), v(3) + 0.4
    )
CHOSEN = """import numpy as np

def f(x, y):
    h = {}
    for i in range(3):
        h[i] = x[i] * y[i]
    s = 0.0
"""
for _name, _text in {
    "and read": "k = max(h, key=h.get)\n    s = h[k] ** 2 * x[0] + h[min(h, key=lambda k: h[k])] * k",
    "bound anew, and chosen again": (
        "h[0] = h[0] + y[1]\n    k = max(h, key=h.get)\n    h[k] += h[2] * x[0]\n    s = h[k] * h[max(h, key=h.get)]"
    ),
    "in a loop that changes it": (
        "for _ in range(3):\n        k = min(h, key=h.get)\n        h[k] = h[k] + x[0] * h[2] + 0.8\n"
        "    s = sum(v * v for v in h.values())"
    ),
    "while one is large": (
        "while h[max(h, key=h.get)] > 0.1:\n        k = max(h, key=h.get)\n        s += h[k] ** 2\n"
        "        h[k] = h[k] - 0.2 - x[1] ** 2"
    ),
}.items():
    case(f"largest entry of a dict {_name}", CHOSEN + f"    {_text}\n    return s", v(3), v(3) + 0.4)
SHOWN_HERE = 'RX = [{"A": 1, "B": 2}, {"B": 1}]\n' + OF_NAMES.replace("g = named(x, y)", 'conc = {"A": x, "B": y}')
for _name, _text in {
    "and run over": "for k in conc:\n        s = s * 0.5 + np.sum(conc[k])",
    "and run over with its entries": "for k, u in conc.items():\n        s = s * 0.5 + np.sum(u * x)",
    "and a dict of its keys": (
        "d = {}\n    for k in conc:\n        d[k] = conc[k] * 2.0\n    s = sum(np.sum(u * x) for u in d.values())"
    ),
    "and a comprehension of its entries": (
        "d = {k: u * 2.0 for k, u in conc.items()}\n    s = np.sum(d['A'] * x) + np.sum(d['B'])"
    ),
    "and bound anew under a second name": (
        "other = conc\n    other['A'] = y * 3.0\n    for k in conc:\n        s = s * 0.5 + np.sum(conc[k])"
    ),
    "and handed on": "s = total(conc)",
}.items():
    _text += "\n    for rx in RX:\n        for name in rx:\n            s += np.sum(conc[name] ** 2)"
    case(
        f"dict that is read under the keys of others, {_name}",
        SHOWN_HERE + f"    {_text}\n    return s",
        v(3),
        v(3) + 0.4,
    )
case(
    "dict that is bound anew and written under the keys of others, and run over inside",
    SHOWN_HERE.replace('{"A": x, "B": y}', '{"A": x.copy(), "B": y.copy()}')
    + """
    for name in ["B", "A", "B"]:
        u = conc[name]
        u[0] = u[1] * 3.0
        for k, w in conc.items():
            s = s * 0.5 + np.sum(w * y)
        conc[name] = conc[name] * 2.0
    return s
""",
    v(3),
    v(3) + 0.4,
)
case(
    "a factor that is a list in one place, an array in another",
    """
import numpy as np


def f(x):
    rows = np.outer(x, x) if x[0] > 5.0 else [x, 2.0 * x, x * x]
    s = rows @ x + np.dot(x, rows)
    for r in rows:
        s = s + r * rows[0] * x
    return s * rows[1]
""",
    v(3),
)
case(
    "the best of several nested tuples",
    """
import numpy as np


def f(x):
    best = (x[0], [x[1] ** 2, x[0]], x[:2])
    for k in range(3):
        v = (x[k], [x[k + 1] ** 2, x[0]], x[k:k + 2])
        if v[0] < best[0]:
            best = v
    return best[0] * best[1][0] * np.sum(best[2])
""",
    v(4),
)
case(
    "a list that a function which calls itself makes, of what it gives for a shorter one",
    """
def scaled(xs, n):
    if n == 0:
        return [v * 2.0 for v in xs]
    ys = []
    for v in xs:
        ys.append(v)
    last = ys.pop()
    out = []
    for v in xs:
        out.append(v * last)
    for i, w in enumerate(scaled(ys, n - 1)):
        out[i] = out[i] + w
    return out


def f(x, n: int):
    L = [x[0], x[1], x[2] * x[0]]
    r = scaled(L, n)
    s = scaled(r, 1)
    r[0] = r[0] * s[1]
    return r[0] * s[0] * L[0] + r[2] * s[2]
""",
    v(3),
    2,
)
case(
    "dicts in dicts in a list, one of whose arrays is written, handed to a helper",
    """
import numpy as np


def cell(u, v):
    return {"pair": [v - 1.0, u * 1.0], "by": {"x": u * v, "y": v * 1.0}}


def total(u, d):
    return d["pair"][0] + u * d["by"]["x"] + d["by"]["y"]


def f(u, v):
    cells = [cell(u, v) for _ in range(3)]
    kept = cells[1]
    kept["by"]["x"][0] *= u[1]
    cells[2]["by"] = kept["by"]
    s = 0.0
    for k in range(3):
        s = s + total(u, cells[k])
    kept["by"]["y"][1:] *= s[0]
    return s * total(v, cells[2])
""",
    v(3),
    v(3),
)
case(
    "parts of a tuple that a helper returns within a tuple, unpacked and written",
    """
import numpy as np


def pairs(x, y):
    return (x * y, x - y), (x + y, x * x)


def given(x, y):
    return 1.0 * x, (x, y * 2.0)


def f(u, v, k):
    u = u.copy()
    a, b = pairs(u, v)[0]
    c = a
    a[1] = 2.0 * v[0] * k
    c *= b
    a, d = pairs(a, c)[-1]
    d[0] += a[1]
    (p, q), r = given(u, v)[1], u
    q[1] = 2.0 * r[0]
    return np.sum(a**2) + np.sum(c**3) + np.sum(d * p * q)
""",
    v(3),
    v(3),
    0.7,
)
case(
    "items that are copied between arrays of a tuple that a helper returns within a tuple",
    """
import numpy as np


def pairs(x, y):
    return (x * y, x - y), (x + y, x * x)


def f(u, v, k):
    a, b = u.copy(), v.copy()
    for i in range(3):
        first, second = pairs(a, b)
        b, a = first
        a[1:] = b[:-1]
        for j in range(1, 3):
            b[j] = k * a[j]
        if i == 1:
            b, a = second
    return np.sum(a**2) + np.sum(b**3)
""",
    v(3),
    v(3),
    0.7,
)
case(
    "tuples within tuples, read behind new values of their names",
    """
import numpy as np


def f(u, v, k):
    s = 0.0
    p = (u, (v, k))
    for i in range(3):
        s = s + np.sum(p[0] * v)
        u = u * v * p[1][1]
        p = (v, (u, 2.0))
        v = np.sin(u)
        a, b = p[1]
        s = s + np.sum(a * v) * b
    head, *rest = (p[0], u, v)
    return s + np.sum(head * rest[0]) + np.sum(rest[1])
""",
    v(3),
    v(3),
    0.7,
)
case(
    "items that are copied between arrays of a tuple that lies in a tuple with a name",
    """
import numpy as np


def pairs(x, y):
    return (x * y, x - y), (x + y, x * x)


def f(u, v, k):
    result = pairs(u, v)
    first, second = result
    b, a = first
    a[1:] = b[:-1]
    return np.sum(a * u) + k * np.sum(b * second[0])
""",
    v(4),
    v(4),
    0.7,
)
case(
    "lists of arrays and lists, whose items are named by their numbers",
    """
import numpy as np


def f(u, v, k):
    p = [u, [v, k]]
    for i in range(3):
        p[0] = p[0] * p[1][0] + p[1][-1]
        if i == 1:
            p = [p[1][0], [p[0], p[1][1] * 2.0]]
            continue
        p[1][0] = p[0] * 0.5
        if p[1][1] > 50.0:
            break
    return np.sum(p[0]) * p[1][1] + np.sum(p[1][0])
""",
    v(3),
    v(3),
    0.7,
)
case(
    "lists of arrays and lists, one of which gets a new list",
    """
import numpy as np


def f(u, v, k):
    p = [u, [v, k]]
    for i in range(3):
        p[0] = p[0] * 2.0
        p[1] = [p[1][0] * 0.5, p[1][1] + 1.0]
        for j in range(2):
            p[1][j] = p[1][j] * 1.1
    a, b = p[1]
    return np.sum(a * p[0]) * b
""",
    v(3),
    v(3),
    0.7,
)
case(
    "a list of an array and a list, whose items are written in place and by other names",
    """
import numpy as np


def f(u, v, k):
    p = [u.copy(), [v, k]]
    x = p[0]
    p[0] += v
    p[1][0] = x
    x[1] = 0.5 * k
    p[0][2:] = p[0][:-2] * k
    return np.sum(p[0] ** 2 * p[1][0]) + np.sum(u)
""",
    v(4),
    v(4),
    0.7,
)
case(
    "arrays of a type that is written out, of lists that grow and of lists of lists",
    """
import numpy as np


def f(u, v, k, m: list[list[float]]):
    rows, items = [], []
    for i in range(2):
        rows.append([u[i] * k, k])
        items.append(u * v[i])
    a = np.array(rows, dtype=np.result_type(u, 0.0))
    b = np.array(items, float)
    c = np.asarray(m, dtype=v.dtype)
    d = np.array([list(row) for row in c], dtype=complex) * (2.0 + 1j)
    return np.sum(a * b[:, :2]) + np.sum(b * v) + np.sum(c @ a) + np.sum(d.imag * a)
""",
    v(3),
    v(3),
    0.7,
    [[0.3, 0.8], [1.2, -0.4]],
)
case(
    "a list that a function copies, whose places it binds anew and drops, and hands on to itself",
    """
import numpy as np


def joined(xs, n):
    if n == 0:
        return xs[0] * xs[1]
    own = list(xs)
    own[0], own[1] = own[1], own[0] * 2.0
    if n == 2:
        own[0] = own[0] + own.pop()
    return joined(own, n - 1)


def f(x, y, k):
    a = [x * y, x + y, y * y]
    p = joined(a, 3)
    a[1] = a[1] * p
    return np.sum(a[0] * a[1] * k) + np.sum(a[2] * p)
""",
    v(3),
    v(3),
    0.7,
)
LAYERED = """
import numpy as np

def net(params, x):
    h = x
    for p in params:
        h = np.tanh(p["W"] @ h + p["b"])
    return h

def norm(p):
    return sum(np.sum(v ** 2) for v in p.values())

def f(params, x):
    s = np.sum(net(params, x))
"""
for _name, _text in {
    "summed by their keys": "for p in params:\n        for k in p:\n            s += np.sum(p[k] ** 2)",
    "summed by their keys in two loops, one from the end": (
        "for p in params:\n        for k in p:\n            s += np.sum(p[k] ** 2)\n"
        "    for p in reversed(params):\n        for k, u in p.items():\n            s = s * 0.5 + np.sum(u)"
    ),
    "summed by their entries": "for p in params[1:]:\n        for u in p.values():\n            s += np.sum(u ** 2)",
    "summed in a generator": "s += sum(np.sum(u ** 2) for p in params for u in p.values())",
    "counted": "for i, p in enumerate(params):\n        for k in p:\n            s += np.sum(p[k] ** 2) * i",
    "scaled by a comprehension": (
        "new = [{k: u * x[0] for k, u in p.items()} for p in params]\n    s += np.sum(net(new, x))"
    ),
    "scaled by a comprehension that is appended": (
        "new = []\n    for p in params:\n        new.append({k: u * x[0] for k, u in p.items() if k != ''})\n"
        "    s += np.sum(net(new, x))"
    ),
    "filled anew": (
        "new = []\n    for p in params:\n        q = {}\n        for k in p:\n            q[k] = p[k] * x[0]\n"
        "        new.append(q)\n    s += sum(norm(p) for p in new) + np.sum(net(new, x))"
    ),
    "added up by their keys": (
        "total = {}\n    for p in params:\n        for k in p:\n"
        "            total[k] = total.get(k, 0.0) + p[k] * x[0]\n    s += norm(total)"
    ),
}.items():
    case(
        f"dicts of layers in a list, {_name}",
        LAYERED + f"    {_text}\n    return s",
        [{"W": m(3, 3), "b": v(3)}, {"W": m(3, 3), "b": v(3)}],
        v(3),
    )
case(
    "loops and comprehensions within loops that bind the same names",
    """
import numpy as np

def named(x, y):
    return {"a": x * y, "b": x + y, "c": np.sin(y)}

def f(x, y):
    g = named(x, y)
    s = 0.0
    for k in g:
        d = {}
        for k in g:
            d[k] = g[k] * x
        s = s * 0.5 + d[k] ** 2
    for k in g:
        q = {k: 2.0 * v * x for k, v in g.items()}
        s = s * 0.5 + q[k] ** 2
    for i, v in enumerate([x, y]):
        h = {j: v * x for j, v in enumerate([y, x, y])}
        s = s * y + h[i] * v
    for i in range(3):
        L = []
        for i in range(2):
            L.append(x * i)
        s = s * y + L[1] * i
    for v in [x, y]:
        s = s * y + sum(v * x for v in [y, x]) * v + max([v * y for v in (x, 2.0)]) * v
    return s
""",
    1.3,
    0.7,
)
NAMESPACES = """
import numpy as np
from types import SimpleNamespace


def changed(pair):
    pair[0].size += pair[1] * pair[0].shape
    return pair[0].size * pair[1]


def made(x):
    p = SimpleNamespace(size=x[0], shape=x[1])
    p.size *= x[2]
    return p


"""
case(
    "namespaces with attributes named like those of arrays, in a list",
    NAMESPACES
    + """
def f(x):
    boxes = [SimpleNamespace(size=a, shape=2.0 * a) for a in x]
    for b in boxes:
        b.size += b.shape * x[0]
    big = [SimpleNamespace(size=2.0 * b.size) for b in boxes]
    return sum(b.size * c.size for b, c in zip(boxes, big)) * boxes[0].size + x.size
""",
    v(3),
)
case(
    "namespaces with attributes named like those of arrays, in a tuple that a helper is given",
    NAMESPACES
    + """
def f(x):
    b = SimpleNamespace(size=x[0], shape=x[1])
    y = changed((b, x[2])) + changed((b, b.size))
    c = made(x)
    return y * b.size * c.size * made(2.0 * x).shape
""",
    v(3),
)
case(
    "a function that calls itself, with copies of the arrays in the list that it is given, under the name of that list",
    """
import numpy as np


def mixed(L, n):
    if n == 0:
        return np.sum(L[0] * L[1])
    L = [1.0 * v for v in L]
    L[0] = L[1] * L[0]
    L[1] += L[0]
    L[0][1] = L[1][1] * L[1][2]
    return mixed(L, n - 1)


def f(x, y, n: int):
    L = [x * x, y * x]
    r = mixed(L, n)
    return r * np.sum(L[0]) + np.sum(L[1] * x)
""",
    v(3),
    v(3),
    2,
)
case(
    "copies of arrays in a list that a function which calls itself returns, and that are written",
    """
import numpy as np


def copies(xs, n):
    if n == 0:
        out = []
        for v in xs:
            w = 1.0 * v
            out.append(w)
        return out
    return copies(xs, n - 1)


def f(x, y, n: int):
    a = [x * x, x * y]
    rows = copies(a, n)
    rows[0][0] = rows[1][1] * rows[1][2]
    return np.sum(rows[0] * rows[1]) + np.sum(a[0] * a[1])
""",
    v(3),
    v(3),
    2,
)
case(
    "a tuple of arguments that is bound anew",
    """
import numpy as np


def scaled(z, u=None, mode="add"):
    if u is None:
        return z * 0.6
    return z * u[1] if mode == "add" else z


def f(x, y, s: float, n: int):
    args = (s, x)
    for i in range(n):
        s = scaled(*args)
        args = (s * s, y)
    if n > 5:
        args = [s, x + y]
    return scaled(*args) + np.sum(x * y)
""",
    v(3),
    v(3),
    0.7,
    2,
)
case(
    "a matrix as lists, and from lists",
    """
import numpy as np


def f(x, m: list[list[float]], s: float):
    a = np.array(m) * s
    rows = (a @ a.T).tolist()
    rows[0][1] = rows[1][0] * x[0]
    rows.append([x[1], s])
    table = np.outer(x, x)
    assert table.ndim == 2
    return sum(sum(r) * r[0] for r in rows) + table.tolist()[0][1] * np.sum(np.array(rows) ** 2)
""",
    v(3),
    [[0.4, -0.3], [1.1, 0.8]],
    0.7,
)
case(
    "results that are lists of lists",
    """
import numpy as np


def f(m: list[list[float]], b: list[float]):
    a = np.array(m)
    return np.linalg.inv(a).tolist(), np.linalg.solve(a, np.asarray(b)).tolist()
""",
    [[0.4, -0.3], [1.1, 0.8]],
    [0.5, 0.9],
)
case(
    "methods that return the object with other entries, called one after the other",
    """
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np


class Cell(NamedTuple):
    t: float
    x: np.ndarray

    def step(self, dt):
        return self._replace(t=self.t + dt, x=self.x + dt * np.sin(self.x))

    def moved(self, d):
        out = self._replace(x=self.x + d)
        return out

    def twice(self, dt):
        return self.step(dt).step(dt)


class Other(NamedTuple):
    t: float

    def step(self, dt):
        return Other(self.t * dt)


@dataclass
class Point:
    x: np.ndarray
    k: float = 0.5

    def scaled(self, c):
        return replace(self, x=self.x * c)


def f(x, k: float, n: int):
    s = Cell(0.0, x)
    for _ in range(n):
        s = s.step(k)
    if k > 0:
        s = s.moved(s.t).twice(k)
    r = s.moved(k).step(s.t)
    o = Other(k)
    o = o.step(r.t)
    p = Point(r.x)
    while p.k * np.sum(p.x) < 9.0:
        p = p.scaled(1.5)
    return np.sum(p.x * s.x) * r.moved(x).t + o.t
""",
    v(3),
    0.7,
    2,
)
case(
    "frozen dataclasses that check and set their fields",
    """
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Positive:
    k: float

    def __post_init__(self):
        if self.k < 0:
            raise ValueError("negative")


@dataclass(frozen=True)
class Series:
    x: np.ndarray
    scale: float = 2.0

    def __post_init__(self):
        object.__setattr__(self, "x", np.asarray(self.x, dtype=float))
        if self.scale > 1:
            object.__setattr__(self, "scale", self.scale * 0.5)
        object.__setattr__(self, "n", len(self.x))


def f(x, k: float):
    s = Series(x * k, Positive(k).k)
    return np.sum(s.x**2) * s.scale / s.n
""",
    v(3),
    1.7,
)
case(
    "loops over the entries of a dict whose name is bound anew in them",
    """
import numpy as np


def f(x, q: float):
    d = {"a": x, "b": x * 2.0}
    s = 0.0
    for k, v in d.items():
        d = {"a": d["a"] * q, "b": d["b"] * q}
        s = s + np.sum(v)
    for v in d.values():
        d = {"b": v * v, "a": d["b"] * q}
        s = s + np.sum(v)
    for k, v in d.items():
        d = {k: d[k] * q for k in d}
    a, b = x * q, x * 2.0
    for v in {"a": a, "b": b}.values():
        b = b * q
        s = s + np.sum(v * b)
    e = {"a": {"u": x, "v": x * 2.0}, "b": {"u": x * q, "v": x * 2.0}}
    for v in e.values():
        e = {"a": {"u": x * x, "v": x * 2.0}, "b": {"u": x * q * q, "v": x * 2.0}}
        s = s + np.sum(v["u"] * v["v"]) * q
    return s + np.sum(d["a"]) + np.sum(e["b"]["u"])
""",
    v(3),
    0.7,
)
case(
    "a helper that reads a dict between the stores that fill it",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def f(x, q: float, keys: list[str]):
    total = {}
    s = 0.0
    for k in keys:
        total[k] = total.get(k, 0.0) + q * x
        s += norm(total)
    for k in keys:
        total[k] = total[k] * q
        s += norm(total) * x[0]
    return s
""",
    v(3),
    0.7,
    ["a", "b", "a"],
)
case(
    "an entry of a dict that a helper gives, exchanged for a number",
    """
import numpy as np


def scaled(d, k):
    return {i: d[i] * k for i in d}


# s2s: x (3,), y (3,)
def f(x, y, q: float):
    d = {"a": x.copy(), "b": y.copy()}
    g = scaled(d, q)
    s, g["b"][1] = g["b"][1], q
    return s * s + np.sum(g["b"] * x)
""",
    v(3),
    v(3),
    0.7,
)
case(
    "a dict that a helper has shown, one of a branch in its place, with stores and another name",
    """
import numpy as np


def named(x, y):
    return {"a": x * y, "b": x + y, "c": np.sin(y)}


def f(x, y, n: int):
    s = 0.0
    g = named(x, y)
    h = g
    if np.sum(x) > 5.0:
        g = {"c": x, "q": y * y}
    h["a"] = h["a"] * x
    for i in range(n):
        if i == 2:
            break
        if i == 1:
            g = {"c": g["c"] * 2.0, "q": y * s}
        for k in g:
            g[k] = g[k] * 1.5
            s = s * 0.5 + np.sum(g[k] ** 2)
    for k in g:
        s += np.sum(g[k])
    return s
""",
    v(3),
    v(3) + 0.4,
    4,
)
case(
    "a dict of dicts that a helper has shown, or that of a branch",
    """
import numpy as np


def nested(x, y):
    return {"a": {"u": x * y}, "b": {"u": x + y}}


def f(x, y):
    s = 0.0
    e = nested(x, y)
    if np.sum(x) > 0.0:
        e = {"c": {"u": x}}
    for k in e:
        s += np.sum(e[k]["u"] ** 2)
    return s
""",
    v(3),
    v(3) + 0.4,
)
case(
    "texts beside arrays in a dict under keys of the run, and in a list that is written",
    """
import numpy as np


def f(x, y, key):
    g = {"a": x, "b": "name"}
    g[key] = y
    rows = [x, "name"]
    rows[0] = x * y
    s = np.sum(g["a"] ** 2)
    for k in g:
        if k != "b":
            s = s * 0.5 + np.sum(g[k] ** 2)
    for i in range(2):
        if i != 1:
            s = s * 0.5 + np.sum(rows[i] ** 2)
    return s
""",
    v(3),
    v(3) + 0.4,
    "q",
)
OF_SEVERAL = """
import numpy as np


def named(x, y):
    return {"a": x * y, "b": x + y, "c": np.sin(y)}


def f(x, y, key: str, other: str):
    g = named(x, y)
    s = 0.0
"""
for _name, _text in {
    "one of them twice": """items = [g, g, {"a": y * y, "b": 2.0}]
    for t in range(3):
        for k in [key, other, key]:
            items[t][k] = items[t][k] * g["b"] + y
            s = s * 0.5 + np.sum(items[t][k] ** 2)
            if s > 9.0:
                break""",
    "of other shapes": """items = [g, {"a": 3.0 * x[0], "b": 2.0}]
    old = items[0][key]
    for t in range(2):
        items[t][key] = items[t][key] * items[t][other]
        items[t][key] = np.sum(items[t][key]) * y[0]
        items[t][key] = items[t][key] * y
        items[t][key] = np.outer(items[t][key], y)
        s = s * 0.5 + np.sum(items[t][key] ** 2) + np.sum(old)""",
    "in two lists, and written into": """items = [{"a": x, "b": x}, {"a": y * y, "b": x, "c": x}]
    rows = [items[0], items[1], items[0]]
    for t in range(3):
        rows[t][key] = rows[t][key] * 1.0
        items[t % 2][other] = items[t % 2][key] + 0.5 * items[t % 2][other]
        rows[t][key][0] = 3.0 * y[1]
        s = s * 0.5 + np.sum(items[0][key] ** 2) + np.sum(rows[t][other])""",
}.items():
    case(
        f"entries of dicts with other keys each, updated under keys of the run, {_name}",
        OF_SEVERAL + f'    {_text}\n    return s + np.sum(g["a"])\n',
        v(3),
        v(3) + 0.4,
        "a",
        "b",
    )
OF_ROWS = """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def scaled(d):
    return {k: d[k] * 1.5 for k in d}


def hold(d, held):
    held.append(d)
    return 1.0


def f(params, x):
    rows = []
    held = []
    s = 0.0
"""
for _name, _text in {
    "handed to helpers as items of their list": """for p in params:
        q = {}
        for k in p:
            q[k] = p[k] * x
        rows.append(q)
    e = scaled(rows[0])
    e["a"] = e["a"] * x
    for j in range(2):
        s += norm(rows[j])
        if s > 9.0:
            break
    s += norm(e)""",
    "held by another list, by way of which an entry is bound anew": """for p in params:
        q = {}
        for k in p:
            q[k] = p[k] * x
        rows.append(q)
    s = hold(rows[0], held)
    held[0]["a"] = held[0]["a"] * x
    s += norm(rows[0])""",
    "twice in their list, and in another one": """for p in params:
        q = {}
        for k in p:
            q[k] = p[k] * x
        rows.append(q)
        rows.append(q)
        held.append(q)
    for d in rows:
        s = s * 0.9 + norm(d)
    for d in held:
        s = s * 0.9 + norm(d)""",
    "of arrays that are written before, and afterwards": """v = x * x
    for p in params:
        q = {}
        w = x * x
        for k in p:
            u = p[k] * x
            u[0] = 2.0 * u[1]
            q[k] = u * w + v
            q["more"] = v
        rows.append(q)
        w[0] = 3.0 * x[1]
    v[1] = 2.0 * x[0]
    for d in rows:
        s = s * 0.9 + norm(d)""",
    "some of them only": """for p in params:
        q = {}
        for k in p:
            if k == "b":
                continue
            q[k] = p[k] * x
        if np.sum(x) > 9.0:
            break
        rows.append(q)
        x = x * norm(rows[-1])
    for d in rows:
        s = s * 0.9 + norm(d)""",
    "and that the same name reads, and takes away": """for p in params:
        q = {}
        for k in p:
            q[k] = p[k] * x
        if np.sum(x) > 9.0:
            rows.append(q)
            break
        rows.append(q)
        x = x * norm(rows[-1])
    for j in range(len(rows)):
        q = rows[j]
        s = s * 0.9 + norm(q)
    rows.pop()
    for j in range(len(rows)):
        q = rows[j]
        s = s * x[0] + norm(q)""",
}.items():
    case(
        f"dicts that a loop fills, {_name}",
        OF_ROWS + f"    {_text}\n    return s\n",
        [{"a": v(2), "b": v(2) + 0.4}, {"b": v(2) * 0.3, "a": v(2) * 0.6}],
        v(2),
    )
OF_HELPERS = """
import numpy as np


def scaled(p, x):
    return {k: v * x for k, v in p.items()}


def some(p, x):
    out = {}
    for k in p:
        if k != "b":
            out[k] = p[k] * x
    return out


def f(p, x):
    s = 0.0
"""
for _name, _text in {
    "one after the other": """for k, v in scaled(p, x).items():
        s += np.sum(v**2) * np.sum(p[k])
    entries = 0.5 * x
    for v in some(p, x).values():
        s += np.sum(v * entries)
    for k in some(p, x).keys():
        if k == "c":
            return s * np.sum(p[k])""",
    "one in the other": """for k, v in scaled(p, x).items():
        for w in some(p, v).values():
            s += np.sum(v * w)
            x = w
        s = s * x[0]""",
    "in a loop that is left": """for i in range(2):
        for k, v in some(p, x).items():
            if np.sum(v) > 50.0:
                break
            s += np.sum(v**2) * i
            x = x * 0.9
        else:
            s = s * 2.0 + np.sum(x)""",
}.items():
    case(
        f"loops over the entries of dicts that helpers return, {_name}",
        OF_HELPERS + f"    {_text}\n    return s\n",
        {"a": v(2), "b": 0.3 + v(2), "c": 0.2 * v(2)},
        v(2),
    )
OF_ARRAYS = """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def same(d):
    return d


def f(p, x):
    g = {}
"""
for _name, _text in {
    "as they are filled": """for k in p:
        g[k] = p[k] * x
        g[k][0] = 3.0 * x[1]
        g["last"] = g[k]
    return norm(g)""",
    "of one array": """w = 2.0 * x
    for k in p:
        g[k] = w
        w = w * 0.9
    g["b"][0] = 3.0 * x[1]
    g["a"] = g["b"]
    return norm(g) + np.sum(w)""",
    "under keys of a loop, and by other names": """for k in p:
        g[k] = p[k] * x
    u = g["a"]
    for k in g:
        u[0] = g[k][1] * x[0]
        g[k][1] = 2.0 * u[0]
        u = g[k]
    return norm(g) + np.sum(u)""",
    "and exchanged": """for k in p:
        g[k] = p[k] * x
    i = 0
    while np.sum(g["a"]) < 20.0:
        g["a"][i % 2] += g["b"][1] + x[0]
        g["b"], g["a"] = g["a"], g["b"]
        i += 1
        if i > 6:
            break
    return norm(g)""",
    "and that a helper hands back": """s = 0.0
    for k in p:
        if k not in g:
            g[k] = p[k] * x
        v = g[k]
        v[0] = x[1]
        g[k] = g[k] * x
        h = same(g)
        s += np.sum(x) * norm(h) * len(h)
    return s * norm(g)""",
    "updated as wholes in between": """for t in range(2):
        for k in p:
            if k not in g:
                g[k] = p[k] * x
            v = g[k]
            g[k] += x
            v[0] = x[1]
            g[k][1] += v[0]
            g[k] = g[k] * p["b"]
    return norm(g)""",
}.items():
    case(
        f"dicts that are filled, whose arrays are written, {_name}",
        OF_ARRAYS + f"    {_text}\n",
        {"a": v(2), "b": 0.3 + v(2), "c": 0.2 * v(2)},
        v(2),
    )
for _name, _text in {
    "and kept": """saved = []
    for t in range(3):
        saved.append(g[key])
        g[key] = np.sin(x) * t
    for t in range(3):
        s += np.sum(g[key] * x)
        g[key] = saved.pop()
    return s + np.sum(g["a"])""",
    "of dicts in two lists": """items = [g, named(y, y)]
    rows = [items[1], items[0], items[1]]
    for t in range(3):
        s += np.sum(rows[t][key] ** 2)
        rows[t][key] = x * s
        for u in range(2):
            s += np.sum(items[u][other])
            items[u][other] = y * s
    return s + np.sum(items[0][key] * items[1][other])""",
    "of a dict with two names": """h = g
    a = g[key]
    g[key] = x * x
    b = h[other]
    h[other] = a * y
    a[0] = 2.0 * x[1]
    g[key][1] = b[0]
    return np.sum(h[key] * a) + np.sum(g[other])""",
}.items():
    case(
        f"entries under keys of the run, read before they are replaced, {_name}",
        OF_SEVERAL + f"    {_text}\n",
        v(3),
        v(3) + 0.4,
        "a",
        "b",
    )
case(
    "updates under keys that are taken off a list",
    """
import numpy as np


def f(p, x):
    d = {k: 1.0 * v for k, v in p.items()}
    keys = []
    for k in p:
        keys.append(k)
        keys.append(k)
    for k in p:
        d[keys.pop()] += p[k] * x[0] * len(keys)
    places = [0, 1, 2, 0]
    total = np.zeros(3)
    while len(places) > 1:
        total[places.pop() - 1] += x[1] * total[places[-1]] + len(places)
    return sum(np.sum(v**2) for v in d.values()) + total @ total
""",
    {"a": v(2), "b": 0.3 + v(2)},
    v(2),
)

STATE = """
class Queue:
    def __init__(self, items, total=0.0):
        self.items = items
        self.total = total

    def push(self, v):
        self.items.insert(0, v)
        self.total += v

    def next(self):
        return self.items.pop(0)


def put(state, v):
    state["queue"].insert(0, v)


def f(x, y, n: int):
"""
for _name, _text in {
    "dict": """state = {"queue": [x, y], "scale": y}
    state["queue"].insert(0, x * y)
    del state["queue"][1]
    u = state["queue"].pop()
    state["queue"].append(u * x)
    state["queue"].reverse()
    return state["queue"][0] * state["queue"][1] ** 2 * state["scale"]""",
    "dict that a helper changes": """state = dict(queue=[x, y], scale=y)
    put(state, x * y)
    return state["queue"][0] * state["queue"][1] * state["scale"]""",
    "dict of a loop": """state = {"queue": [x, y], "total": 0.0}
    for i in range(n):
        put(state, x * y * i)
        state["total"] += state["queue"].pop() * x
    return state["total"] * state["queue"][0]""",
    "dict in a dict": """state = {"scale": y, "parts": {"queue": [x]}}
    state["parts"]["queue"].append(x * y)
    state["parts"]["queue"].insert(0, y)
    return state["scale"] * state["parts"]["queue"][2] ** 2 * state["parts"]["queue"][0]""",
    "dict with a second name for it": """state = {"queue": [x, y], "scale": y}
    queue = state["queue"]
    state["queue"].insert(0, x * y)
    return queue[0] * queue[1] * state["scale"] * state["queue"][2]""",
    "dict and then another": """state = {"queue": [x], "spare": [y]}
    state["spare"] = state["queue"]
    state["queue"].insert(0, x * y)
    return state["spare"][0] * state["spare"][1] * len(state["spare"])""",
    "object that is given it": """q = Queue([x, y])
    for i in range(n):
        q.push(x * y * i)
        q.total += q.next() * x
    return q.items[0] * q.total * len(q.items)""",
    "object that gets others for a slice": """q = Queue([x, y], y)
    q.items[1:] = [x * y, x]
    q.items[:1] = []
    return q.items[0] * q.items[1] * q.total * len(q.items)""",
}.items():
    case(f"a list in a {_name}, which loses items", STATE + f"    {_text}", 0.7, 0.4, 3)
for _name, _text in {
    "of a parameter": """values = list(values)
    values[1:] = [x]
    return values[0] * values[1] * len(values)""",
    "of a parameter, in a loop": """values = [v * x for v in values]
    while len(values) > 1:
        values[-2:] = [values[-1] * values[-2] + x]
    return values[0]""",
    "under its second name": """own = [x, x * x, values[0]]
    other = own
    own[1:] = [values[1]]
    return other[0] * other[1] * len(other)""",
    "of a parameter, which gets an item": """values = sorted(values)
    values.insert(0, x)
    return values[0] * values[1] * len(values)""",
}.items():
    case(f"other items for a slice, {_name}", f"def f(values, x):\n    {_text}", [0.3, 0.9, 1.4], 0.7)

USED_ONCE = """
import contextlib
import itertools

import numpy as np


def f(w, x):
"""
for _name, _text in {
    "generator that is summed": """squares = (q * q * x for q in w)
    x = x * 2.0
    return sum(squares) * x""",
    "generator that a loop runs over": """squares = (q * q * x for q in w if q > 0.5)
    s = 0.0
    for v in squares:
        s = s * x + v
    return s""",
    "zip of a list that grows": """u = [x, x * x]
    pairs = zip(u, w)
    u.append(x * 3.0)
    return sum([a * b for a, b in pairs])""",
    "chain of a list that grows": """u = [x, x * x]
    parts = itertools.chain(u, [x])
    u.append(x * 3.0)
    s = 0.0
    for v in parts:
        s = s * x + v
    return s""",
    "method of an array that is written": """w = w * 1.0
    total = w.sum
    w[0] = x
    return total() * total()""",
    "method of a list": """u = [x]
    add = u.append
    for q in w:
        add(q * u[-1])
    return u[-1] * len(u)""",
}.items():
    case(f"a name for what is used up: a {_name}", USED_ONCE + f"    {_text}", v(3), 0.7)
for _name, _text in {
    "sum of lists that are joined": """u = [x, x * x]
    return sum(itertools.chain(u, w)) * sum([*u, *w])""",
    "sum of joined lists in a loop": """u = [x, x * x]
    s = 0.0
    for i in range(3):
        s = s + sum([*u, *w]) * i
        u = [*u, s]
    return s""",
    "elements and their places": """a = np.outer(w, w) * x
    b = np.zeros((len(w), len(w)))
    s = 0.0
    for (i, j), v in np.ndenumerate(a):
        s = s * x + v * (i + 2 * j)
    for k, v in np.ndenumerate(a):
        b[k] = v * s
    return s * b.sum()""",
    "contexts that do nothing": """with contextlib.nullcontext():
        s = w[0] * x
    for k in range(3):
        with contextlib.nullcontext(w * s) as u:
            if k > 1:
                break
            s = s + u[k]
    return s""",
    "a new axis of what may be a number": """a = w[0][None]
    return (a * a * x).sum() + np.sum(w[1][np.newaxis, None] * a)""",
}.items():
    case(_name, USED_ONCE + f"    {_text}", v(3), 0.7)


case(
    "lists that a helper returns in a tuple, and that get items",
    """
import numpy as np


def parts(u, v):
    return [u + 1.0], ([v * 2.0], u * v)


def f(x, y):
    r, (s, t) = parts(x, y)
    r.append(r[0] * y)
    s.append(t)
    return np.sum(r[0] * r[1] * s[0] * s[1])
""",
    v(3),
    v(3),
)

case(
    "lists that a recursion returns in a tuple, and that get items on the way",
    """
import numpy as np


def chain(u, v, n):
    if n == 0:
        return [u + 1.0], [v * 2.0]
    r, s = chain(v, u, n - 1)
    r.append(r[0] + 1.0)
    s.append(r[-1] * s[0])
    return r, s


def f(x, y):
    r, s = chain(x, y, 2)
    return np.sum(r[0] * r[-1] * s[0] * s[-1])
""",
    v(3),
    v(3),
)
DROPPED = """
import numpy as np


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.5 + np.sum(d[k] ** 2)
    return s


def f(x, q: float, keys: list[str]):
    total = {}
    for i, k in enumerate(keys):
        total[k] = q * x ** (i + 1)
"""
for _name, _text in {
    "one by one": """s = 0.0
    for k in keys:
        s = s * 0.9 + chain(total)
        del total[k]
    return s""",
    "and get them again, behind the others": """del total[keys[0]]
    s = chain(total)
    total[keys[0]] = x * x
    return s * 0.5 + chain(total)""",
    "of which one lives on": """v = total["a"]
    v[0] = 3.0 * x[1]
    del total["a"]
    v[1] = q
    return chain(total) + np.sum(v ** 2)""",
    "in a branch, and leave": """s = chain(total)
    for k in reversed(keys):
        if len(total) == 1:
            return s * total[k]
        total.pop(k)
        s = s * q + chain(total)
    return s * x""",
    "by a name that is the value then": """k = keys[0]
    k = total.pop(k)
    return chain(total) + np.sum(k * k * x)""",
    "that are there, or not": """u = total.pop("b", 0.0)
    w = total.pop("zz", q)
    return chain(total) + np.sum(u * w * x)""",
    "whose keys are computed once": """names = list(keys)
    first = total.pop(names.pop())
    del total[names[-1]]
    return total, first""",
    "as they are joined": """first = sorted(total)[0]
    for k in list(total):
        if k != first:
            total[first] = total[first] * x + total[k]
            del total[k]
    return chain(total), total""",
}.items():
    case(f"dicts that lose entries, {_name}", DROPPED + f"    {_text}", v(2), 0.7, ["a", "b", "c"])
FILLED_AND_READ = """
import numpy as np


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.5 + np.sum(d[k] ** 2)
    return s


def pairs(d):
    s = 0.0
    for k in d:
        s = s * 0.5 + np.sum(d[k][0] ** 2) * np.sum(d[k][1])
    return s


def f(x, q: float, keys: list[str]):
    total = {}
    s = 0.0
    for i, k in enumerate(keys):
"""
for _name, _text in {
    "and not returned": """    total[k] = q * x ** (i + 1)
        s = s * q + chain(total)
    return s""",
    "in some rounds": """    if i % 2 == 0:
            total[k] = q * x ** (i + 1)
        s = s * q + chain(total)
    return s""",
    "and returned": """    total[k] = q * x
        s = s * q + chain(total)
        total[k] = total[k] * x
    return s, total""",
    "and returned alone": """    total[k] = q * x * i
        total[k] = total[k] * chain(total)
    return total""",
    "of lists, and returned": """    total[k] = [q * x, x]
        s = s * q + pairs(total)
    return s, total""",
    "of lists": """    total[k] = [q * x, x]
        s = s * q + pairs(total)
    return s""",
}.items():
    case(f"a dict read as a whole while it is filled, {_name}", FILLED_AND_READ + f"    {_text}", v(2), 0.7, [*"aba"])
for _name, _text in {
    "lists of numbers": "total[k] = [q * i, q * q]",
    "lists of numbers, one of them bound anew": "total[k] = [q, q * q]\n        total[k][0] = total[k][1] * np.sum(x)",
    "lists of arrays": "total[k] = [q * x, x * x]",
    "lists that grow": "total[k] = total.get(k, []) + [q * x * i]",
    "tuples": "total[k] = (q * x, q * i)",
    "dicts": """total[k] = {"a": q * x, "b": q}""",
    "dicts, one entry of them bound anew": """total[k] = {"a": q * x * i, "b": x * x}
        if i > 0:
            total[k]["a"] = x * sum(np.sum(total[j]["a"] * total[j]["b"]) for j in total)""",
    "lists of lists": "total[k] = [[q * x, x], [q * 2.0]]",
    "lists of lists of numbers": "total[k] = [[q, q * q], [q * 2.0]]",
}.items():
    case(
        f"a dict under keys of the run that is returned, of {_name}",
        FILLED_AND_READ + f"        {_text}\n    return total",
        v(2),
        0.7,
        [*"aba"],
    )
RECORDS_UNDER_KEYS = """
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass
class P:
    a: np.ndarray
    b: float


class N(NamedTuple):
    a: np.ndarray
    b: float


def f(x, q: float, keys):
    total = {}
    for i, k in enumerate(keys):
        total[k] = MADE(x * q * (i + 1), q)
    return sum(np.sum(total[k].a ** 2) * total[k].b for k in total)
"""
for _name, _made in {"named tuples": "N", "objects": "P"}.items():
    case(f"a dict of {_name} under keys of the run", RECORDS_UNDER_KEYS.replace("MADE", _made), v(2), 0.7, [*"aba"])
case(
    "a dict of tuples under keys of the run, from those that were there",
    FILLED_AND_READ
    + """        old = total.get(k, (x, 1.0))
        total[k] = (old[0] * x * q * (i + 1), old[1] * q)
        s += sum(np.sum(total[j][0]) * total[j][1] ** 2 for j in total)
    return s, total""",
    v(2),
    0.7,
    [*"aba"],
)
case(
    "a dict of dicts under pairs of numbers, returned, with one of them",
    FILLED_AND_READ
    + """        total[(i, i + 1)] = {"u": q * x * i}
    return total, total[(0, 1)]""",
    v(2),
    0.7,
    [*"aba"],
)


case(
    "the object of the step before, None at first",
    """
from typing import NamedTuple

import numpy as np


class P(NamedTuple):
    a: float
    b: np.ndarray


def f(x, k):
    best = None
    last = None
    s = 0.0
    for i in range(3):
        if last is not None:
            s += last.a * k
        last = best
        if x[i] > 0.0:
            best = P(x[i], x * k)
    return s + best.a * np.sum(best.b)
""",
    v(4),
    0.7,
)
case(
    "lists of named tuples, of objects that can't be changed, or None",
    """
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class P(NamedTuple):
    a: float
    b: np.ndarray


@dataclass(frozen=True)
class Q:
    p: P
    c: float


def total(ps, k):
    s = 0.0
    for p in ps:
        if p is not None:
            s += p.a * np.sum(p.b) * k
    return s


def f(x, k, m: int):
    ps = []
    qs = [Q(P(x[0], x), k), None, Q(P(x[1], x * k), x[0])]
    for i in range(m):
        ps.append(P(x[i], x * k) if x[i] > 0.9 else None)
    s = total(ps, k)
    ps[1] = ps[0]
    ps[0] = P(x[1], x)
    last = None
    for q in qs:
        if last is not None:
            s += last.p.a * np.sum(last.p.b) * last.c
        if q is None:
            s += x[2]
        last = q
    while ps:
        p = ps.pop()
        if p is None:
            s = s * x[1]
        else:
            s += p.a * np.sum(p.b)
    return s
""",
    v(4),
    0.7,
    3,
)
for _name, _text in {
    "an object and a number": """
class S:
    def __init__(self, a, w):
        self.a = a
        self.w = w


def down(s, n, t):
    if n == 0:
        return S(w=t * s.a, a=s.w), t
    d, u = down(S(w=s.a, a=s.w * t), n - 1, t * s.a)
    return S(d.a * 2.0, d.w * u), t


def f(x, k):
    d, t = down(S(x[0], k), 3, x[1])
    return d.a * d.w * t + d.a
""",
    "an object of arrays and numbers in turn": """
import numpy as np


class S:
    def __init__(self, a, w):
        self.a = a
        self.w = w


def down(s, n, t):
    if n == 0:
        return S(t * s.a, s.w), t
    d, u = down(S(np.sum(s.a), s.w * t), n - 1, t * s.w)
    return S(d.a + s.a, d.w * u), t


def f(x, k):
    d, t = down(S(x, k), 2, x[1])
    return np.sum(d.a * d.w * t)
""",
    "a tuple of arrays": """
import numpy as np


def down(s, n, t):
    if n == 0:
        return (s[0] * t, s[1]), t
    (p, q), u = down((s[1], s[0] * t), n - 1, t * 0.7)
    return (p * s[0], q), u


def f(x, k):
    d, t = down((x[0] * k, x), 3, x[1])
    return np.sum(d[0]) * np.sum(d[1]) * t
""",
}.items():
    case("a recursion that is given, and returns: " + _name, _text, v(4), 0.9)

OF_THE_MODULE = """
import numpy as np

H = np.array([1.0, 2.0])
N = [1.0, 2.0, 3.0]
T = {"a": [1.0, 2.0], "b": np.ones(2)}
R = [{"k": 1.0, "p": {"u": 2.0}}, {"k": 3.0, "p": {"u": 4.0}}]


def made(u):
"""
for _name, _text in {
    "a list of an array": """rows = []
    rows.append(H)
    return rows[0] * u""",
    "an array with one of its numbers": """a = np.zeros(2)
    a[0] = H[0]
    a[1] = u
    return a""",
    "lists of lists of its numbers": """g = [[0.0, 0.0], [0.0, 0.0]]
    for i in range(2):
        for j in range(2):
            g[i][j] = N[i]
    return np.array(g[1]) * u""",
    "dicts of its arrays": """d = {}
    for n in ("a", "b"):
        d[n] = T[n]
    return d["b"] * u""",
    "pairs of entries": """out = []
    for r in R:
        items = list(r["p"].items())
        for k, v in items:
            out.append(v * u)
    return np.array(out)""",
    "a stack of its dicts": """stack = [R[0]]
    s = 0.0
    while stack:
        n = stack.pop()
        s += n["k"] * u
        if n["k"] < 2.0:
            stack.append(R[1])
    return H * s""",
    "sums that begin with its numbers": """s = N[0]
    s += u
    a = np.empty(2)
    a[:] = H
    np.add.at(a, [0, 1], H)
    return a * s""",
    "copies": """c = H.copy()
    c[0] = u
    e = list(N)
    e[0] = u
    e.append(2.0)
    return c * sum(e)""",
}.items():
    case(
        f"what a helper makes of the module's values: {_name}",
        f"{OF_THE_MODULE}    {_text}\n\n\ndef f(x, y):\n    return np.sum(made(x)) * y + x\n",
        0.7,
        1.3,
    )

case(
    "copies of the dicts in a dict under keys of the run",
    """
import numpy as np


def f(q: float, x, keys: list[str]):
    total = {}
    for i, k in enumerate(keys):
        total[k] = {"a": q * x, "b": q * i}
    value = {k: v.copy() for k, v in total.items()}
    for k in keys:
        total[k] = {"a": x, "b": q}
    s = 0.0
    for k in keys:
        s = s + np.sum(value[k]["a"]) * total[k]["b"]
    return s
""",
    1.5,
    np.array([1.0, 2.0]),
    ["u", "v"],
)
case(
    "a method that returns its object, between two that change it",
    """
import numpy as np


class Cell:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def run(self, z):
        out = z * self.w
        self.w *= z
        return out + self.b

    def step(self, h):
        self.w = self.w + h
        return self


def f(x, y):
    cell = Cell(x, y)
    return cell.run(x) * cell.step(y).w + cell.run(y)
""",
    0.7,
    1.3,
)
case(
    "all of an array, under the empty key",
    """
import numpy as np


def f(x, y):
    s = np.array(y)
    s[()] = x[1] * y
    s[()] *= y
    return np.sum(s * y)
""",
    v(),
    1.3,
)

# ---------------------------------------------------------------- names like those that facts are told apart by
for _p in range(3):
    case(
        f"a value of the module is called s{_p}, and a helper's parameters are broadcast",
        f"""
from numpy import sin, sqrt

s{_p} = sqrt(2.0)


def line(x, c, sigma):
    return sin(x - c) / max(1e-3, sigma * s{_p})


def f(x, c, sigma):
    return line(x, c, sigma) * 2.0
""",
        np.array([0.3, 0.8, 1.4]),
        np.array([[0.2, 0.5, -0.4], [1.2, 0.9, 0.1]]),
        1.3,
    )

for _text, _arg in {
    "p, w = p\n    return np.sum(p * w)": [np.array([0.3, 1.2]), 0.7],
    "p, w, k = p\n    return np.sum(p**2 * w) * k[0]": np.array([[0.3, 1.2], [0.7, -0.4], [1.1, 0.2]]),
    "q = 2.0 * p\n    q, w = q\n    return np.sum(q * w)": np.array([[0.3, 1.2], [0.7, -0.4]]),
    "w, p = p\n    w = w * p\n    return np.sum(np.exp(p) * w)": np.array([0.3, 1.2]),
}.items():
    case(
        f"one of its parts takes the name of what is unpacked: {_text}",
        f"import numpy as np\n\n\ndef f(p):\n    {_text}\n",
        _arg,
    )

case(
    "eigenvalues of a matrix, written in place",
    """
import numpy as np


def f(A):
    w, v = np.linalg.eig(A)
    w = w.real
    below = w < 0
    w[below] *= -1
    return np.sum(np.sqrt(w))
""",
    np.array([[0.4, 1.2, 0.3], [1.1, -0.7, 0.5], [0.2, 0.6, 0.9]]),
)
for _text in ("(x > c) * (x < 1.5)", "(x < c) + (x > 1.5)"):
    case(
        f"a mask that is made of two: {_text}",
        f"""
import numpy as np


def f(x, c):
    s = np.exp(x)
    inside = {_text}
    s[inside] = x[inside] ** 2
    s[~inside] *= 2.0
    return np.sum(s)
""",
        np.array([0.3, 0.8, 1.2, 1.7]),
        0.5,
    )

for _name, _text in {
    "eigenvalues": "w, v = np.linalg.eigh(A + A.T)\n    w[w < 0] *= -1\n    return np.sum(np.sqrt(w) * v[0] ** 2)",
    "singular values": "u, s, v = np.linalg.svd(A)\n    s[1:] *= s[0]\n    return np.sum((u * s) @ v * A)",
}.items():
    case(
        f"{_name} written in place, and vectors",
        f"import numpy as np\n\n\ndef f(A):\n    {_text}\n",
        np.array([[0.4, 1.2, 0.3], [1.1, -0.7, 0.5], [0.2, 0.6, 0.9]]),
    )

case(
    "a value that nobody reads, of a function under a name of the module's own",
    """
import numpy as np

sine = np.sin


def f(x, y):
    unused = sine(x)
    also = sine(y) * x
    return x * y + also
""",
    0.7,
    1.3,
)

for _text in (
    "a.w * b.step(a(y)).w",
    "a.step(b.w).w * b(a.w) + b.w * a(x)",
    "np.sin(a.w) * a(x) + np.cos(a(y)) * a.w",
    "a.step(y).step(x).w * a.w + a(y)",
):
    case(
        f"calls of objects that change them, in one statement: {_text}",
        f"""
import numpy as np


class A:
    def __init__(self, w):
        self.w = w

    def __call__(self, z):
        self.w = self.w * z
        return self.w + z

    def step(self, h):
        self.w = self.w + h
        return self


def f(x, y):
    a = A(x)
    b = A(y)
    return {_text}
""",
        0.7,
        1.3,
    )

SEEN_BY_A_LIST = """import numpy as np


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.5 + np.sum(d[k] ** 2)
    return s


def bump(d, w):
    for k in d:
        d[k] = d[k] * w


def f(x, y: float, n: int):
    p = {}
    for i in range(n):
        p[i] = x * (i + 1)
    L = []
    L.append(p)
    %s
"""
for how, rest in {
    "and is changed by its own name": "p[1] = p[2] * y\n    q = L[0]\n    return chain(q)",
    "and by way of it": "q = L[0]\n    q[1], q[2] = q[2], q[1] * y\n    return chain(p)",
    "by a helper": "bump(L[0], y)\n    return chain(p)",
    "that loses it": (
        "q = L.pop()\n    q[0] = y * q[1]\n    L.append(q)\n    r = L[0]\n    r[1] = r[0] * y\n    return chain(p)"
    ),
    "twice": "L.append(p)\n    for q in L:\n        q[0] = q[0] * y + q[1]\n    return chain(p)",
    "and in another one": (
        "M = []\n    M.append(p)\n    q = M[0]\n    q[1] = q[1] * y\n    r = L[0]\n    return chain(r) * chain(p)"
    ),
    "in each round of a loop": (
        "for j in range(3):\n        L.append(p)\n        for k in p:\n            p[k] = p[k] * y\n"
        "    q = L[0]\n    return chain(q)"
    ),
    "whose array is written": "q = L[0]\n    v = q[1]\n    v[0] = y * v[1]\n    return chain(p)",
    "which is read before": "q = L[0]\n    a = q[0]\n    p[0] = a * y\n    return chain(q) + np.sum(a * q[0])",
    "with new keys": "q = L[0]\n    q[10] = y * q[0]\n    return chain(p) * len(p)",
    "with some that have no entry": (
        "q = L[0]\n    for k in (0, 7):\n        q[k] = q.get(k, x * y) * 2.0\n    return chain(p)"
    ),
    "or another dict does": (
        "r = {}\n    for i in range(n):\n        r[i] = x * y\n    L.append(r)\n    if y > 0.0:\n        q = L[0]\n"
        "    else:\n        q = L[1]\n    q[0] = y * q[1]\n    return chain(p) + 2.0 * chain(r)"
    ),
}.items():
    case(
        f"a dict under keys of the run that a list sees, {how}",
        SEEN_BY_A_LIST % rest,
        np.array([0.4, 0.9, 1.3]),
        0.7,
        4,
    )

PLACES_THAT_CALL = """import numpy as np


def advance(a):
    a[0] = a[0] * a[1] + 0.3
    return 1


def f(x, y: float):
    a = x * y
    %s
"""
for what, rest in {
    "a key": "b = np.zeros(3)\n    b[advance(a)] = a[0]\n    return np.sum(b * a)",
    "keys of a row": (
        "b = np.zeros((3, 3))\n    b[advance(a), 0] = a[0]\n    b[advance(a)][2] = a[0]\n"
        "    b[0, advance(a) :] = a[1:]\n    return np.sum(b * np.outer(a, x))"
    ),
}.items():
    case(
        f"what is stored is read before {what} calls what changes it",
        PLACES_THAT_CALL % rest,
        np.array([0.4, 0.9, 1.3]),
        0.7,
    )

for which in ("any", "all"):
    case(
        f"draws inside of {which}",
        f"""import numpy as np


def f(x, y: float):
    rng = np.random.default_rng(3)
    found = {which}([rng.random() * y > 0.1 for k in range(3)])
    if {which}(rng.random() * y > 0.1 for k in range(3)):
        return np.sum(x) * y * rng.random() * (1.0 + found)
    return y
""",
        np.array([0.4, 0.9, 1.3]),
        0.7,
    )

# Of floats, whatever they are beside: numbers that become arrays, grids that say so, flags that a helper sets.
case(
    "a number that becomes an array that is written",
    """import numpy as np


def f(x, y: float):
    total = 0
    for k in range(3):
        total = total + x * (y + k)
    total[1] = y * total[0]
    grid = np.mgrid[0:1:3j]
    grid[0] = y
    ramp = np.r_[0.0:3]
    ramp[1:] *= x[1:]
    return np.sum(total * grid * ramp)
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "flags of both kinds that a helper sets",
    """import numpy as np


def step(u, flags, dt):
    for i in range(1, 3):
        u[i] += dt * u[i - 1]
        flags[i] = u[i] > 1.0


def f(x, y: float):
    u = x.copy()
    over, weight = np.zeros(3, dtype=bool), np.zeros(3)
    step(u, over, y)
    step(u, weight, y)
    return np.sum(u * over) + np.sum(u * weight)
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)


# lists in the slots of a list or a dict that get longer: `rows[k].append(x)`
ROWS = {
    "by their numbers": (
        """
import numpy as np


def f(x, w, bins, n):
    rows = [[] for _ in range(n)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] * w)
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            1.3,
            np.array([0, 2, 1, 0, 2, 0]),
            3,
        ),
    ),
    "that are returned": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    return rows
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "whose length is read in between": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    s = 0.0
    for i in range(len(x)):
        b = bins[i]
        s += x[i] * len(rows[b])
        rows[b].append(x[i] ** 2)
    return s + sum(sum(r) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "whose last item is read in between": (
        """
import numpy as np


def f(x, bins):
    rows = [[1.0] for _ in range(3)]
    for i in range(len(x)):
        b = bins[i]
        rows[b].append(rows[b][-1] * x[i])
    return rows[0][-1] + rows[1][-1] * rows[2][-1]
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "whose sum is read in between": (
        """
import numpy as np


def f(x, bins):
    rows = [[1.0] for _ in range(3)]
    for i in range(len(x)):
        b = bins[i]
        rows[b].append(np.sin(sum(rows[b])) * x[i])
    return rows[0][-1] + rows[1][-1] * rows[2][-1]
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "whose items are read in between": (
        """
import numpy as np


def f(x, bins):
    rows = [[1.0, 2.0] for _ in range(3)]
    for i in range(len(x)):
        b = bins[i]
        rows[b].append(rows[b][0] * rows[b][-2] * x[i])
    t = 0.0
    for r in rows:
        for v in r:
            t += v ** 2
    return t
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "in a branch": (
        """
import numpy as np


def f(x, bins):
    rows = [[], [], []]
    for i in range(len(x)):
        if x[i] > 0:
            rows[bins[i]].append(x[i] ** 2)
        else:
            rows[0].append(np.sin(x[i]))
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "in a branch on their length": (
        """
import numpy as np


def f(x, bins):
    rows = [[], [], []]
    for i in range(len(x)):
        if len(rows[bins[i]]) < 2:
            rows[bins[i]].append(x[i] ** 2)
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "in a while loop": (
        """
import numpy as np


def f(x, bins):
    rows = [[], [], []]
    i = 0
    while i < len(x):
        rows[bins[i]].append(x[i] ** 2)
        i += 1
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "in a loop that is left": (
        """
import numpy as np


def f(x, bins):
    rows = [[], [], []]
    for i in range(len(x)):
        if len(rows[0]) == 2:
            break
        rows[bins[i]].append(x[i] ** 2)
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "before a return": (
        """
import numpy as np


def f(x, bins):
    rows = [[], [], []]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
        if len(rows[0]) == 2:
            return rows[0][0] * rows[0][1]
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of arrays": (
        """
import numpy as np


def f(X, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(X)):
        rows[bins[i]].append(X[i] * 2.0)
    s = 0.0
    for r in rows:
        for v in r:
            s += np.sum(v ** 2) * np.max(v)
    return s
""",
        (
            np.arange(12.0).reshape(6, 2) / 7.0 + 0.1,
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of tuples": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append((x[i] * 2.0, x[i] ** 2))
    s = 0.0
    for r in rows:
        for a, b in r:
            s += a * b
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of numbers and places": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append((i, x[i] ** 2))
    s = 0.0
    for r in rows:
        for i, b in r:
            s += b * x[i]
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of lists": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append([x[i] * 2.0, x[i] ** 2])
    s = 0.0
    for r in rows:
        for v in r:
            s += v[0] * v[1]
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of places": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append(i)
    s = 0.0
    for r in rows:
        t = 1.0
        for i in r:
            t *= x[i]
        s += t
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of neighbours": (
        """
import numpy as np


def f(x, edges):
    n = len(x)
    adj = [[] for _ in range(n)]
    for a, b in edges:
        adj[a].append(b)
        adj[b].append(a)
    s = 0.0
    for i in range(n):
        for j in adj[i]:
            s += (x[i] - x[j]) ** 2
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            [(0, 1), (1, 2), (2, 5), (3, 4)],
        ),
    ),
    "of neighbours with weights": (
        """
import numpy as np


def f(x, w, edges):
    n = len(x)
    adj = [[] for _ in range(n)]
    for k in range(len(edges)):
        a, b = edges[k]
        adj[a].append((b, w[k]))
        adj[b].append((a, w[k]))
    s = 0.0
    for i in range(n):
        for j, v in adj[i]:
            s += v * (x[i] - x[j]) ** 2
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([1.0, 2.0, 0.5, 0.7]),
            [(0, 1), (1, 2), (2, 5), (3, 4)],
        ),
    ),
    "two deep": (
        """
import numpy as np


def f(x, bins):
    rows = [[[] for _ in range(2)] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]][i % 2].append(x[i] ** 2)
    s = 0.0
    for r in rows:
        for q in r:
            s += sum(q) ** 2
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "and lists in those": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        b = bins[i]
        rows[b].append([])
        rows[b][-1].append(x[i] ** 2)
        rows[b][0].append(x[i])
    s = 0.0
    for r in rows:
        for q in r:
            s += sum(q) ** 2
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "whose items are stored": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        b = bins[i]
        rows[b].append(x[i] ** 2)
        rows[b][0] = rows[b][0] * x[i]
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "whose items are updated": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        b = bins[i]
        rows[b].append(x[i] ** 2)
        rows[b][-1] += x[0] * rows[b][0]
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "that begin again": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    s = 0.0
    for i in range(len(x)):
        b = bins[i]
        rows[b].append(x[i] ** 2)
        if len(rows[b]) == 2:
            s += rows[b][0] * rows[b][1]
            rows[b] = []
    return s + sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "that lose items behind": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    s = 1.0
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    for b in range(3):
        v = rows[b].pop()
        s = s * v + sum(rows[b])
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "that lose items in between": (
        """
import numpy as np


def f(x, bins):
    rows = [[1.0] for _ in range(3)]
    s = 1.0
    for i in range(len(x)):
        v = rows[bins[i]].pop()
        s = s * v + x[i]
        rows[bins[i]].append(v * x[i])
    return s + rows[0][0] * rows[1][0]
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "by several items": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].extend([x[i] ** 2, x[i]])
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "that a helper reads": (
        """
import numpy as np


def g(rows):
    return sum(np.prod(np.array(r)) for r in rows)
def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    return g(rows) + sum(rows[0])
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "that a helper makes": (
        """
import numpy as np


def split(x, bins, n):
    rows = [[] for _ in range(n)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    return rows
def f(x, bins):
    rows = split(x, bins, 3)
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "under numbers that are written out": (
        """
import numpy as np


def f(x):
    rows = [[], []]
    for i in range(len(x)):
        rows[0].append(x[i] ** 2)
        rows[1].append(np.sin(x[i]))
    return np.dot(np.array(rows[0]), np.array(rows[1]))
""",
        (np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),),
    ),
    "that each round makes": (
        """
import numpy as np


def f(x, bins):
    s = 0.0
    for k in range(2):
        rows = [[] for _ in range(3)]
        for i in range(len(x)):
            rows[bins[i]].append(x[i] ** (k + 2))
        for r in rows:
            s += np.prod(np.array(r))
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "that all rounds have": (
        """
import numpy as np


def f(x, bins):
    s = 0.0
    rows = [[] for _ in range(3)]
    for k in range(2):
        for i in range(len(x)):
            rows[bins[i]].append(x[i] ** (k + 2))
        for r in rows:
            s += np.prod(np.array(r))
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "that are made on the way": (
        """
import numpy as np


def f(x):
    rows = []
    for i in range(len(x)):
        rows.append([])
        for j in range(i):
            rows[i].append(x[i] * x[j])
    return sum(sum(r) ** 2 for r in rows)
""",
        (np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),),
    ),
    "the last one": (
        """
import numpy as np


def f(x):
    rows = [[]]
    for i in range(len(x)):
        if x[i] < 0.5:
            rows.append([])
        rows[-1].append(x[i] ** 2)
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),),
    ),
    "by a key that is computed": (
        """
import numpy as np


def f(x, edges):
    rows = [[] for _ in range(len(edges) + 1)]
    for i in range(len(x)):
        rows[np.searchsorted(edges, x[i])].append(x[i] ** 2)
    return sum(np.prod(np.array(r)) for r in rows)
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0.0, 0.5, 1.0]),
        ),
    ),
    "that are copies of those of a parameter": (
        """
import numpy as np


def f(x, rows0):
    rows = [list(r) for r in rows0]
    for i in range(len(x)):
        rows[0].append(x[i] ** 2)
    return sum(rows[0]) * rows[1][0]
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            [[1.0], [2.0]],
        ),
    ),
    "made of each other": (
        """
import numpy as np


def f(x):
    rows = [[1.0], [2.0]]
    for i in range(len(x)):
        rows[i % 2].append(x[i] * rows[(i + 1) % 2][-1])
    return np.sum(np.array(rows[0])) * rows[1][-1]
""",
        (np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),),
    ),
    "counted from the end": (
        """
import numpy as np


def f(x):
    rows = [[1.0], [2.0]]
    for i in range(len(x)):
        rows[-1 - (i % 2)].append(x[i] * rows[0][-1] * rows[-1][-1])
    return np.sum(np.array(rows[0])) * rows[1][-1]
""",
        (np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),),
    ),
    "of which some items are constant": (
        """
import numpy as np


def f(x, bins):
    rows = [[], [], []]
    for i in range(len(x)):
        rows[bins[i]].append(1.0)
        rows[bins[i]].append(x[i])
    return sum(np.prod(np.array(r)) for r in rows) + rows[2][1] ** 2
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of a dict, by setdefault": (
        """
import numpy as np


def f(x, key):
    groups = {}
    for i in range(len(x)):
        groups.setdefault(key[i], []).append(x[i] ** 2)
    out = 0.0
    for k in groups:
        out += np.prod(np.array(groups[k]))
    return out
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            ["a", "b", "a", "c", "b", "a"],
        ),
    ),
    "of a dict with a default": (
        """
from collections import defaultdict

import numpy as np


def f(x, key):
    groups = defaultdict(list)
    for i in range(len(x)):
        groups[key[i]].append(x[i] ** 2)
    out = 0.0
    for k, v in groups.items():
        out += np.prod(np.array(v)) * len(v)
    return out
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            ["a", "b", "a", "c", "b", "a"],
        ),
    ),
    "of a dict, from its last item": (
        """
import numpy as np


def f(x, key):
    groups = {}
    for i in range(len(x)):
        if key[i] in groups:
            groups[key[i]].append(groups[key[i]][-1] * x[i])
        else:
            groups[key[i]] = [x[i]]
    return sum(v[-1] for v in groups.values())
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            ["a", "b", "a", "c", "b", "a"],
        ),
    ),
    "of a dict that is returned": (
        """
import numpy as np


def f(x, key):
    groups = {}
    for i in range(len(x)):
        groups.setdefault(key[i], []).append(x[i] ** 2)
    return groups
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            ["a", "b", "a", "c", "b", "a"],
        ),
    ),
    "of a dict, read in between": (
        """
import numpy as np


def f(x, key):
    groups = {}
    s = 0.0
    for i in range(len(x)):
        groups.setdefault(key[i], []).append(x[i] ** 2)
        s += len(groups[key[i]]) * groups[key[i]][0] * x[i]
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            ["a", "b", "a", "c", "b", "a"],
        ),
    ),
    "joined behind": (
        """
import numpy as np


def f(x, bins):
    rows = [[] for _ in range(3)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    flat = [v for r in rows for v in r]
    return np.dot(np.array(flat), np.arange(len(flat)))
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of which slices are read": (
        """
import numpy as np


def f(x, bins):
    rows = [[1.0, 2.0] for _ in range(3)]
    s = 0.0
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
        s += sum(rows[bins[i]][-2:]) * sum(rows[bins[i]][1:])
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "of a history": (
        """
import numpy as np


def f(x):
    hist = [[] for _ in x]
    v = x * 1.0
    for t in range(3):
        v = np.sin(v) * 1.5
        for k in range(len(v)):
            hist[k].append(v[k])
    return sum(np.prod(np.array(h)) for h in hist)
""",
        (np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),),
    ),
    "that have a name while they are read": (
        """
import numpy as np


def f(x, bins):
    rows = [[1.0] for _ in range(3)]
    s = 0.0
    for i in range(len(x)):
        r = rows[bins[i]]
        s += r[-1] * len(r) * x[i]
        rows[bins[i]].append(x[i] ** 2)
    for k in range(3):
        r = rows[k]
        s += sum(r)
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
    "in a comprehension": (
        """
import numpy as np


def f(x, bins):
    rows = [[1.0] for _ in range(3)]
    s = 0.0
    for i in range(len(x)):
        r = rows[bins[i]]
        s += sum([v * v for v in r]) * x[i]
        rows[bins[i]].append(x[i] ** 2)
    return s
""",
        (
            np.array([0.3, 1.2, -0.7, 0.9, 1.5, 0.4]),
            np.array([0, 2, 1, 0, 2, 0]),
        ),
    ),
}
for how, (text, given) in ROWS.items():
    case(f"lists in slots that get longer, {how}", text, *given)
case(
    "an item of a list in a slot that loses it, read behind",
    """
import numpy as np


def f(x, b):
    rows = [[(x[0], x[1]), (x[2] ** 2, x[3]), (x[1], x[0])], [(x[1], x[2])]]
    y = 0.0
    for k in range(2):
        item = rows[b][-1]
        rows[b] = rows[b][:-1]
        y += item[0] * item[1] * x[k]
    return y + rows[b][0][0] * rows[b][-1][1] ** 2
""",
    np.array([0.3, 1.2, -0.7, 0.9, 1.5]),
    0,
)
case(
    "an item of a list in a slot that is bound again, read behind",
    """
import numpy as np


def f(x, b):
    rows = [[[x[0], x[1]], [x[2] ** 2, x[3]], [x[1], x[0]]], [[x[1], x[2]]]]
    item = rows[b][0]
    rows[b] = [[x[3], x[3]], [x[0], x[1]]]
    y = item[0] * item[1]
    return y + rows[b][0][0] * rows[b][-1][1] ** 2
""",
    np.array([0.3, 1.2, -0.7, 0.9, 1.5]),
    0,
)
case(
    "an array in a list in a slot that is bound again, read behind",
    """
import numpy as np


def f(x, b):
    rows = [[x[:2] * 1.0, x[2:4] ** 2], [x[1:3] * x[0]]]
    item = rows[b][1]
    rows[b] = [x[:2] * x[3]]
    y = item[0] * item[1]
    return y + rows[b][0][0] * rows[b][-1][1] ** 2
""",
    np.array([0.3, 1.2, -0.7, 0.9, 1.5]),
    0,
)
case(
    "the last item of a list that gets longer, read behind",
    """
import numpy as np


def f(x, b):
    rows = [[x[0], x[1]], [x[2] ** 2, x[3]]]
    item = rows[-1]
    rows.append([x[3], x[1]])
    y = item[0] * item[1]
    return y + rows[b][0] * rows[-1][1] ** 2
""",
    np.array([0.3, 1.2, -0.7, 0.9, 1.5]),
    0,
)
case(
    "tuple that a loop makes longer, from nothing",
    """import numpy as np


def f(x, y):
    t = ()
    for i in range(3):
        t = t + (x * y * i,)
    return np.sum(np.stack(t) ** 2) + np.sum(np.concatenate(t))
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "tuple that a loop makes longer by +=",
    """import numpy as np


def f(x, y):
    t, s = (), (y,)
    for i in range(len(x)):
        t += s
        s = s[-2:] + (x[i] * y, x[i])
    return sum(t) * y + sum(s[1:])
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "sum of a tuple that a branch fills",
    """import numpy as np


def f(x, y, c=False):
    t = ()
    if c:
        t = (y, x[0])
    return sum(t) * y + x[0]
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "tuples of unlike lengths from two branches",
    """import numpy as np


def f(x, y, c=True):
    t = (y,)
    if c:
        t = (y, x[0])
    return sum(t) * t[0]
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "two tuples joined and taken apart",
    """import numpy as np


def f(x, y):
    t = (y, x[0])
    s = (x[1], x[1] * y)
    u = t + s
    a, b, c, d = u
    return a * b * c * d + sum(u[1:])
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "helper without a derivative that raises for its own handler",
    """import numpy as np


def order(text):
    try:
        if not text:
            raise ValueError(text)
        return int(text)
    except ValueError:
        return 2


def f(x, y, text=""):
    return np.sum(x) * y**2 * order(text)
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "shallow copies of an object, changed by its methods",
    """import copy

import numpy as np


class P:
    def __init__(self, w, b):
        self.w = w
        self.b = b * 2.0

    def step(self, u):
        self.b = self.b + u


def f(x, y):
    p = P(x * y, y)
    q = copy.copy(p)
    q.step(x[0])
    for v in x:
        q.step(v)
        p = copy.copy(q)
    return np.sum(p.w * q.w) * p.b + q.b ** 2
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "shallow copy of an object whose array is written",
    """import copy

import numpy as np


class P:
    def __init__(self, w, b):
        self.w = w
        self.b = b * 2.0


def f(x, y):
    p = P(x * y, y)
    q = copy.copy(p)
    q.w[0] = x[1]
    q.b = 3.0
    return np.sum(p.w ** 2) * p.b
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)
case(
    "method that returns a changed copy of its object",
    """import copy

import numpy as np


class P:
    def __init__(self, w, b):
        self.w = w
        self.b = b * 2.0

    def moved(self, u):
        q = copy.copy(self)
        q.b = q.b + u
        return q


def f(x, y):
    p = P(x * y, y)
    q = p.moved(y)
    q = q.moved(x[0])
    return np.sum(p.w ** 2) * p.b * q.b
""",
    np.array([0.4, 0.9, 1.3]),
    0.7,
)

case(
    "a second name for a list in a list, between two appends",
    """import numpy as np


def f(x, bins, n):
    rows = [[] for _ in range(n)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
        r = rows[bins[i]]
        rows[0].append(r[-1] * 2.0)
    return sum(np.prod(np.array(r)) for r in rows)
""",
    np.array([0.25, 0.5, 0.75, 1.0, 1.25, 1.5]),
    [0, 1, 1, 0, 1, 1],
    2,
)


case(
    "lists in a list that get items and lose them at their end",
    """import numpy as np


def f(x, bins, n):
    rows = [[1.0] for _ in range(n)]
    s = 0.0
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
        rows[bins[i]].append(x[i] ** 3)
        v = rows[bins[i]].pop()
        s = s * v + v ** 2 * rows[bins[i]][-1]
    return s
""",
    np.array([0.25, 0.5, 0.75, 1.0, 1.25, 1.5]),
    [0, 1, 1, 0, 1, 1],
    2,
)


case(
    "lists in a list of an object, which a method gives items",
    """import numpy as np


class Bins:
    def __init__(self, n):
        self.rows = [[] for _ in range(n)]

    def put(self, b, v):
        self.rows[b].append(v)

    def total(self):
        return sum(np.prod(np.array(r)) for r in self.rows)


def f(x, bins, n):
    t = Bins(n)
    for i in range(len(x)):
        t.put(bins[i], x[i] ** 2)
    return t.total()
""",
    np.array([0.25, 0.5, 0.75, 1.0, 1.25, 1.5]),
    [0, 1, 1, 0, 1, 1],
    2,
)

case(
    "lists in a dict that lose what they got",
    """import numpy as np


def f(x, keys, n):
    g = {}
    t = 0.0
    for i in range(len(x)):
        k = keys[i]
        g.setdefault(k, []).append(x[i])
        if len(g[k]) > 1:
            v = g[k].pop()
            t = t + v * x[i] * g[k][-1]
    return t
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    ["a", "a", "b", "a", "b", "a"],
    2,
)


case(
    "pegs that give each other what lies on their top",
    """import numpy as np


def f(x, bins, n):
    pegs = [[x[2], x[1], x[0]], [], []]
    t = 0.0
    for a, b in [(0, 2), (0, 1), (2, 1), (0, 2), (1, 0), (1, 2), (0, 2)]:
        d = pegs[a].pop()
        pegs[b].append(d * 1.5)
        t = t + d * len(pegs[b])
    return t + pegs[2][0] * pegs[2][1]
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)


case(
    "lists in a list of an object that counts what they get",
    """import numpy as np


class Bins:
    def __init__(self, n):
        self.rows = [[] for _ in range(n)]
        self.count = 0

    def put(self, k, v):
        self.rows[k].append(v)
        self.count += 1

    def total(self):
        return sum(np.prod(np.array(r)) for r in self.rows) * self.count


def f(x, bins, n):
    b = Bins(n)
    for i in range(len(x)):
        b.put(bins[i], x[i] ** 2)
    return b.total()
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)

case(
    "a list in a list that is read before another one gets an item",
    """import numpy as np


def f(x, bins, n):
    rows = [[1.0 + k] for k in range(n)]
    t = 0.0
    for k in range(n):
        q = rows[k]
        t = t + q[-1] * x[k]
        rows[1 - k].append(x[k] * t)
    return t + sum(rows[0]) * sum(rows[1])
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)


case(
    "a list in a list that gets what its other name gives",
    """import numpy as np


def f(x, bins, n):
    rows = [[1.0 + k] for k in range(n)]
    t = 0.0
    for i in range(len(x)):
        q = rows[bins[i]]
        rows[bins[i]].append(x[i] * q[-1])
    return t + sum(rows[0]) * sum(rows[1])
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)

case(
    "lists in a list that get one of two items",
    """import numpy as np


def f(x, bins, n):
    rows = [[x[0]], [x[1]]]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] if len(rows[bins[i]]) % 2 else 2.0 * x[i] * rows[bins[i]][-1])
    return sum(np.prod(np.array(r)) for r in rows)
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)


case(
    "lists in a dict that get one of two items",
    """import numpy as np


def f(x, bins, n):
    g = {}
    for i in range(len(x)):
        g.setdefault(bins[i], []).append(x[i] if x[i] > 0 else 0.1 * x[i])
    return sum(np.prod(np.array(g[k])) for k in g)
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)

case(
    "a list that goes from one list to another and changes there",
    """import numpy as np


def f(x, bins, n):
    rows = [[[x[0]], [x[1]]], [[x[2]], [x[3]]]]
    t = 0.0
    for i in range(2):
        v = rows[i].pop()
        rows[1 - i].append(v)
        t = t + v[0] * v[-1]
        rows[1 - i][-1][0] = x[4] * t
    return t + rows[0][-1][0] * rows[1][0][0]
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)


case(
    "lists in a list that lose what nobody reads",
    """import numpy as np


def f(x, bins, n):
    rows = [[x[0], x[1], x[2]], [x[3]]]
    rows[0].pop()
    rows[0].append(x[4] * rows[0][-1])
    rows[0].pop()
    rows[1].append(rows[0][-1] * 2.0)
    return sum(rows[0]) * sum(rows[1])
""",
    np.array([0.3, 0.7, -0.4, 1.1, 0.9, 1.6]),
    [0, 1, 1, 0, 1, 1],
    2,
)
case(
    "keywords that helpers take out of their options",
    """import numpy as np


def kernel(x, width, order=1.0, shift=0.0):
    return np.exp(-((x - shift) ** 2) / width) * order


def scaled(x, **kw):
    c = kw.pop("c", 2.0)
    if kw:
        raise TypeError(f"unexpected {kw}")
    return x * c


def smooth(x, **options):
    width = options.pop("width", 1.0)
    if "scale" in options:
        x = x * options.pop("scale")
    return kernel(x, width, **options)


def more(x, **options):
    width = options.pop("width", 1.0)
    s = options.pop("scale", None)
    if s is not None:
        x = x * s
    return kernel(x, width, **options) + options.get("shift", 3.0) * x


def f(x, y):
    a = scaled(x, c=y) + scaled(y)
    b = smooth(x, width=y, order=x) + smooth(y, shift=x, scale=x * y)
    return a * b + more(x, width=y, order=x) + more(y, shift=x, scale=y)
""",
    0.7,
    1.3,
)


case(
    "attributes that are functions, an option by an if",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        if g is None:
            self.g = np.sin
        else:
            self.g = g

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    s = Filter(w)
    t = Filter(x, np.tanh)
    y = s.run(x) * t.run(w)
    for _ in range(2):
        y = y + Filter(y, g=relu).run(x)
    return y * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, an option by a conditional expression",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        self.g = g if g is not None else np.sin

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    s = Filter(w)
    t = Filter(x, np.tanh)
    y = s.run(x) * t.run(w)
    for _ in range(2):
        y = y + Filter(y, g=relu).run(x)
    return y * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, an option by or",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        self.g = g or np.sin

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    s = Filter(w)
    t = Filter(x, np.tanh)
    y = s.run(x) * t.run(w)
    for _ in range(2):
        y = y + Filter(y, g=relu).run(x)
    return y * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, an option that is bound anew",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        if g is None:
            g = np.sin
        self.g = g

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    s = Filter(w)
    t = Filter(x, np.tanh)
    y = s.run(x) * t.run(w)
    for _ in range(2):
        y = y + Filter(y, g=relu).run(x)
    return y * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, an option that comes last",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        self.g = np.sin
        if g is not None:
            self.g = g

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    s = Filter(w)
    t = Filter(x, np.tanh)
    y = s.run(x) * t.run(w)
    for _ in range(2):
        y = y + Filter(y, g=relu).run(x)
    return y * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, an option with a default",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=np.sin):
        self.w = w
        self.k = 2.0 * w
        self.g = g

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    s = Filter(w)
    t = Filter(x, np.tanh)
    y = s.run(x) * t.run(w)
    for _ in range(2):
        y = y + Filter(y, g=relu).run(x)
    return y * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, of an object that changes",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        if g is None:
            self.g = np.sin
        else:
            self.g = g

    def run(self, x):
        y = self.g(self.w * x)
        self.w = self.w + y
        return y


def f(x, w):
    s = Filter(w)
    t = Filter(x, np.tanh)
    y = s.run(x) * t.run(w)
    for _ in range(2):
        y = y + Filter(y, g=relu).run(x)
    return y * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, by a text",
    """import numpy as np

class Filter:
    def __init__(self, w, g='sin'):
        self.w = w
        if g == 'sin':
            self.g = np.sin
        elif g == 'tanh':
            self.g = np.tanh
        else:
            raise ValueError(g)

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    y = Filter(w).run(x) * Filter(w, "tanh").run(x)
    return y * Filter(x, "sin" if x > w else "tanh").run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, one of two",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        if g is None:
            self.g = np.sin
        else:
            self.g = g

    def run(self, x):
        y = self.g(self.w * x)
        self.w = self.w + y
        return y


def f(x, w):
    if x > w:
        s = Filter(x, relu)
    else:
        s = Filter(x)
    return s.run(x) * s.run(w)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, in a subclass",
    """import numpy as np

def relu(z):
    return np.maximum(z, 0.1 * z)


class Filter:
    def __init__(self, w, g=None):
        self.w = w
        if g is None:
            self.g = np.sin
        else:
            self.g = g

    def run(self, x):
        return self.g(self.w * x)


class Own(Filter):
    def __init__(self, w):
        super().__init__(w)
        self.g = np.cos


class Given(Filter):
    def __init__(self, w):
        super().__init__(w, relu)

    def run(self, x):
        return super().run(x) * self.g(x)


def f(x, w):
    return Filter(w).run(x) * Own(w).run(x) + Given(w).run(x)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, called by the caller, too",
    """import numpy as np

class Filter:
    def __init__(self, w, g=None):
        self.w = w
        if g is None:
            self.g = np.sin
        else:
            self.g = g

    def run(self, x):
        return self.g(self.w * x)


def f(x, w):
    s = Filter(w)
    return s.g(x) * s.run(x)
""",
    0.7,
    0.4,
)


case(
    "attributes that are functions, with branches that do more",
    """import numpy as np

class Filter:
    def __init__(self, n):
        if n < 1:
            raise ValueError("n")
        self.F = np.eye(n)
        self.x = np.ones(n)
        self.inv = np.linalg.inv

    def update(self, z, F=None, R=None, u=None):
        if F is None:
            z = np.atleast_1d(z)
            F = self.F
        if R is None:
            R = np.eye(2)
        elif np.isscalar(R):
            R = R * np.eye(2)
        if F is not None and u is not None:
            z = z + u
        S = F.T @ F + R
        self.x = self.x + self.inv(S) @ (F @ self.x + z)


def f(x, w):
    s = Filter(2)
    s.F = w * s.F + np.array([[0.0, x], [1.0, 0.0]])
    s.update(x)
    s.update(w, F=np.eye(2) * x, R=np.eye(2) * w)
    s.update(w, R=x, u=w)
    return np.sum(s.x**2)
""",
    0.7,
    0.4,
)


_BY_HELPER = """import numpy as np


def named(x, y):
    return {"a": x * y, "b": x + y, "c": np.sin(y), "n": 2, "one": 1.0}


def total(d):
    return sum(np.sum(v ** 2) for v in d.values())


def f(x, y, key, other):
"""

for _name, _body in {
    "bound anew": """    g = named(x, y)
    g[key] = np.sin(x)
    return total(g) + np.sum(g[other])
""",
    "bound anew, of keys in a loop": """    g = named(x, y)
    s = 0.0
    for k in (key, other, key):
        g[k] = np.sin(x) * y + g["b"]
        s += total(g)
    return np.sum(g["a"] * x) + s
""",
    "bound anew, of a dict in a list": """    g = named(x, y)
    items = [g, named(y, y)]
    for t in range(2):
        items[t][key] = items[0][other] * x + t
    return total(g) + np.sum(items[1]["n"] * items[1]["one"] * y)
""",
    "bound anew, of the dict of a branch": """    g = named(x, y)
    if x[0] > 0:
        g = {"q": x * x, "one": y, "n": x}
    g[key] = np.sin(x) * y
    if x[1] > 0:
        g[key] = g[key] * 2.0
    return total(g)
""",
    "bound anew, and the arrays written": """    g = named(x, y)
    u = np.sin(x)
    g[key] = u
    g["a"][0] = y[1]
    u[1] = x[0] * 2.0
    return total(g) + np.sum(u)
""",
}.items():
    case(
        f"an entry under a key of the run, of what a helper shows, {_name}",
        _BY_HELPER + _body,
        np.array([0.4, 1.1, 0.7]),
        np.array([0.9, 0.3, 1.2]),
        "one",
        "b",
    )

for _name, _body in {
    "once": "    s *= y\n    s[...] = s * x[0]\n",
    "in a loop": "    for t in range(2):\n        s *= y\n        s[...] = s * x[t]\n",
    "twice": "    s += y\n    s -= x[0]\n    s[...] = s * x[1]\n    s /= y\n",
}.items():
    case(
        f"an array of rank 0 that is updated, and all of it stored into, {_name}",
        f"import numpy as np\n\n\ndef f(x, y):\n    s = np.array(y)\n{_body}    return np.sum(s * y)\n",
        v(),
        1.3,
    )

_TUPLES_OF_KEYS = """from typing import NamedTuple

import numpy as np


class Part(NamedTuple):
    a: np.ndarray
    b: float


def norm(d):
    return sum(np.sum(d[k].a ** 2) * d[k].b for k in d)


def f(x, q: float, keys):
    d = {}
    s = 0.0
    for i, k in enumerate(keys):
"""

for _name, _body in {
    "handed to a helper": "        d[k] = Part(x * q * i, q)\n    return norm(d)\n",
    "some of which are there": "        if k in d:\n            s += np.sum(d[k].a * x)\n"
    "        d[k] = Part(x * q + s, q)\n    return s + d[keys[0]].b\n",
    "of which another dict is a copy": "        d[k] = Part(x * q * i, q)\n    e = dict(d)\n    for k in keys:\n"
    '        e[k + "_"] = Part(d[k].a * x, q)\n    return norm(d) * norm(e)\n',
}.items():
    case(
        f"a dict of named tuples under keys of the run, {_name}",
        _TUPLES_OF_KEYS + _body,
        v(),
        1.3,
        ["u", "v", "u", "w"],
    )

# The sum of a series begins with its first term, a number of the text: no array has two names there.
_SERIES = """import numpy as np


def series(x, order):
    coeff = 1.0
    total = coeff
    for n in range(3, 3 + order):
        coeff = coeff * (2 * n) / (2 * n - 1) * x
        total += coeff
    return 4 / 3 * total


def f(w, s):
    return 2.0 * series(w / s - s, 4)
"""

case("a series that begins with the number 1, of numbers", _SERIES, 0.4, 0.7)
case("a series that begins with the number 1, of an array and a number", _SERIES, v(), 0.7)

# Functions whose slope is infinite where a clamp holds their operand: beyond the bound nothing depends on x.
for _name, _e in {
    "the root of a maximum": "np.sqrt(np.maximum(x, 0.0))",
    "the arccosine of a clip": "np.arccos(np.clip(x, -1, 1))",
    "the arcsine of a minimum": "np.arcsin(np.minimum(x / 2, 1.0))",
    "a power of a clip": "x.clip(0.0, 2.0) ** 0.3 + np.clip(x, 0.0, 1.5) ** 0.5",
    "arccosh of a maximum": "np.arccosh(np.maximum(x, 1.0))",
    "the root of a choice": "np.sqrt(np.where(x > 0, x, 0.0)) * x",
    "the root of one less a square": "np.sqrt(1 - np.clip(x, -1, 1) ** 2) + np.sqrt(3 * np.maximum(0.0, x))",
    "the root of what a mask is multiplied by": "np.sqrt(x * (x > 0)) * x",
    "the cube root of a maximum": "np.cbrt(np.maximum(x, 0.0)) * x",
}.items():
    case(
        f"{_name}, beyond its bound",
        f"import numpy as np\n\n\ndef f(x):\n    return {_e}\n",
        np.array([0.3, 1.7, -0.4, -1.2, 2.5]),
    )
case(
    "the root of a choice whose test has a name",
    """import math


def f(x: float, y: float):
    ok = x > 0
    h = x if ok else 0.0
    return math.sqrt(h) * y
""",
    -1.3,
    0.9,
)
case(
    "a cosine that is clamped by the builtins, with a name",
    """import math


def f(x: float, y: float):
    c = x * y
    c = min(1.0, max(-1.0, c))
    return math.acos(c) * x + math.sqrt(max(y - x, 0))
""",
    1.3,
    0.9,
)

# What a view of an array is updated by in a loop leaves it its shape, whatever the rank of that may be.
_VIEWS = """import numpy as np


def f(ru, D, n):
    U = np.zeros((5, 4))
    V = np.ones((5, 4))
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    u += 0.15 * ru
    for i in range(n):
        L = U[:-2, 1:-1] - 2 * u + U[2:, 1:-1]
        w = u * v * v
        u += D * L - w + 0.3 * (1 - u)
        v += w - D * v
    return V
"""

case("views that a loop updates by what has an unknown rank, of numbers", _VIEWS, 0.4, 0.2, 3)
case("views that a loop updates by what has an unknown rank, of an array", _VIEWS, m(3, 2) * 0.1, 0.2, 3)

case(
    "the items of a tuple, three at a time",
    """import numpy as np


def f(xs, *params):
    ys = np.zeros_like(xs)
    for ctr, hgt, wid in zip(*[iter(params)] * 3):
        ys = ys + hgt * np.exp(-((xs - ctr) ** 2) / (2 * wid**2))
    return ys
""",
    v(),
    0.4,
    1.2,
    0.7,
    0.9,
    0.3,
    0.8,
    5.0,
)

_AXES = """import numpy as np


def f(x, y):
    p = np.array(x, copy=True, ndmin=1).astype(np.float64)
    q = np.array(y, ndmin=2)
    p[0] *= 2.0
    return p * q
"""

case("axes that np.array puts in front of a number", _AXES, 0.4, 0.7)
case("axes that np.array puts in front of a vector, and has", _AXES, m(2, 3), v(3))

case(
    "a matrix of which a branch that is not taken would make a number of a row",
    """import numpy as np


def f(v, idx):
    c = np.zeros(2)
    s = v[0, idx[0]] * 2.0
    if s == 0.0:
        c[0] = v[0]
    else:
        c[0] = s**2
    return c
""",
    m(2, 3),
    [1, 0],
)
case(
    "a helper reads items of the array that its result goes into",
    """import numpy as np


def energy(u, i):
    a = u[i]
    b = u[i - 1]
    return np.sin(a) * b + a


def f(x):
    y = x * 1.0
    for i in range(1, len(x)):
        y[i] = energy(y, i)
    return np.sum(y ** 2)
""",
    v(6),
)
case(
    "a helper reads items of the array that its result goes into, and of another one",
    """import numpy as np


def energy(u, i):
    return np.sin(u[i]) * u[i - 1]


def f(x):
    y = x * 1.0
    for i in range(2, len(x)):
        y[i] = energy(y, i) * y[i] + energy(y, i - 1) * energy(x, i) * y[i - 1]
    return np.sum(y ** 2)
""",
    v(6),
)
case(
    "a helper reads items of the array that its result is added to",
    """import numpy as np


def energy(u, i):
    return np.sin(u[i]) * u[i - 1]


def f(x):
    y = x * 0.2
    for i in range(1, len(x)):
        y[i] += 0.3 * energy(y, i) * y[i - 1]
        y[i] *= energy(y, i) + 1.5
    return np.sum(y ** 2)
""",
    v(6),
)
case(
    "a helper reads rows of the array that its result goes into",
    """import numpy as np


def energy(u, i, k):
    return np.sin(u[i]) * u[i - 1] * k


def f(x, k):
    y = x * 1.0
    for i in range(1, len(x)):
        y[i] += energy(y, i, k)
        y[i - 1] = energy(y, i, k) + energy(y, i - 1, k * y[i, 0])
    return np.sum(y ** 2)
""",
    m(5, 3),
    1.3,
)
case(
    "a helper reads items of an array, in branches of a loop",
    """import numpy as np


def energy(u, i):
    return np.sin(u[i]) * u[i - 1]


def f(x, k):
    s = 0.0
    for i in range(1, len(x)):
        if x[i] > 0.4:
            s += energy(x, i) * k
        elif i > 3:
            s += k * (energy(x, i - 1) if x[i - 1] > 0.3 else x[i])
    return s
""",
    v(6),
    1.3,
)
case(
    "a helper reads items of an array, and hands it on to another one",
    """import numpy as np


def at(u, i):
    return u[i] ** 2


def energy(u, i):
    return np.sin(at(u, i)) * u[i - 1] + at(u, i - 1)


def f(x):
    s = 0.0
    i = 1
    while i < len(x):
        s += energy(x, i) * at(x, i)
        i += 1
    return s + np.sum(x ** 2)
""",
    v(6),
)
case(
    "a helper reads items of an array, in choices",
    """import numpy as np


def at(u, i):
    return u[i] ** 2


def f(x):
    s = 0.0
    for i in range(1, len(x)):
        s += np.where(x[i] > 0.4, at(x, i), at(x, i - 1) * s * 0.01)
        s += max(at(x, i), 0.2) + abs(at(x, i) - 0.3)
    return s
""",
    v(6),
)
case(
    "a helper reads items of an array, in comprehensions",
    """import numpy as np


def at(u, i):
    return u[i] ** 2


def f(x):
    ys = [at(x, i) * at(x, i - 1) for i in range(1, len(x))]
    return sum(ys) + sum(at(x, i) for i in range(len(x)))
""",
    v(6),
)
case(
    "a helper reads items of a matrix around one of them",
    """import numpy as np


def lap(u, i, j):
    return u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j] ** 2


def f(u):
    v = np.zeros_like(u)
    for t in range(2):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = u[i, j] + 0.1 * lap(u, i, j) + 0.1 * lap(v, i, j)
    return np.sum(v ** 2)
""",
    m(5, 3),
)
case(
    "a helper that returns early reads items of an array in a loop that is left",
    """import numpy as np


def at(u, i):
    if u[i] > 0.9:
        return u[i]
    if i == 0:
        return u[i] * 2.0
    return u[i] * u[i - 1]


def f(x):
    s = 0.0
    for i in range(len(x)):
        s = 0.5 * s + at(x, i)
        if s > 1e3:
            return s * 2.0
    return s
""",
    v(6),
)
case(
    "a helper that returns a pair reads rows of a matrix",
    """import numpy as np


def two(u, i, w):
    return u[i] * w, u[i - 1] + w[0]


def f(u, w):
    s = 0.0
    r = np.zeros(3)
    for i in range(1, len(u)):
        a, b = two(u, i, w)
        s += np.sum(b * b) * 0.1
        r = r + a
    return s + np.sum(r ** 2)
""",
    m(5, 3),
    v(3),
)
case(
    "a helper reads items of an array that is bound anew",
    """import numpy as np


def at(u, i):
    return u[i] ** 2


def f(x):
    y = x * 2.0
    s = 0.0
    for t in range(3):
        for i in range(len(y)):
            s += at(y, i) * at(x, i)
        y = y * y
    return s
""",
    v(6),
)
case(
    "a helper writes an item of an array and reads those of another one",
    """import numpy as np


def relax(u, b, w, i):
    t = b[i] * u[i - 1] + b[i - 1] * w
    for j in range(2):
        u[i] += 0.1 * np.sin(t * u[i]) * b[i - j]


def f(b, w):
    u = b * 2.0
    for k in range(2):
        for i in range(1, len(b)):
            relax(u, b, w, i)
    return np.sum(u ** 2)
""",
    v(6),
    1.3,
)
case(
    "a helper writes an item of an array, reads those of another one, and returns a number",
    """import numpy as np


def relax(u, b, i):
    t = b[i] * u[i - 1] + b[i - 1]
    u[i] += np.sin(t * u[i])
    return t * b[i]


def f(b):
    u = b * 2.0
    s = 0.0
    for i in range(1, len(b)):
        r = relax(u, b, i)
        s += r * r
    return np.sum(u ** 2) + s
""",
    v(6),
)
case(
    "a helper writes items next to a place, and returns early",
    """import numpy as np


def upd(u, k, w):
    i = k + 1
    t = u[i] * w
    if t > 0.1:
        u[i] = t * u[k]
    else:
        u[i] = np.sin(t)
        return
    u[k] += u[i]


def f(x):
    y = x.copy()
    for i in range(len(x) - 1):
        upd(y, i, x[i])
    return np.sum(y ** 2)
""",
    v(6),
)
case(
    "a helper writes all items of an array, in a loop",
    """import numpy as np


def step(u, a):
    for i in range(1, len(u) - 1):
        u[i] = u[i] + a * u[i] * (u[i + 1] - u[i - 1])


def f(x, a, nt: int):
    y = x.copy()
    for i in range(nt):
        step(y, a)
    return np.sum(y ** 2)
""",
    v(6),
    0.3,
    3,
)
case(
    "a helper writes items of an array through another one",
    """import numpy as np


def put(u, i, v):
    u[i] = v


def upd(u, i, w):
    put(u, i, np.sin(u[i - 1]) * w)
    put(u, i - 1, u[i] * w)


def f(x):
    y = x.copy()
    for i in range(1, len(x)):
        upd(y, i, x[i])
    return np.sum(y ** 2)
""",
    v(6),
)
case(
    "a helper writes an item of an array and returns a number, in a loop that is left",
    """import numpy as np


def upd(u, i, w):
    old = u[i]
    u[i] = np.sin(u[i - 1]) * w
    return abs(u[i] - old)


def f(x):
    y = x.copy()
    s = 0.0
    for i in range(1, len(x)):
        s += upd(y, i, x[i])
        if s > 1e4:
            break
    return np.sum(y ** 2) + s
""",
    v(6),
)
case(
    "a helper writes an item of an array and returns the next place",
    """import numpy as np


def push(buf, n, v):
    buf[n] = v
    return n + 1


def f(x):
    y = np.zeros(len(x) + 1)
    n = 0
    for i in range(1, len(x)):
        if x[i] > 0.3:
            n = push(y, n, x[i] * x[i - 1])
    return np.sum(y ** 2)
""",
    v(6),
)
case(
    "a helper writes a row of a matrix item by item",
    """import numpy as np


def relax(u, i, m):
    for j in range(1, m):
        u[i, j] = np.sin(u[i, j - 1]) * u[i - 1, j]


def f(x):
    y = x.copy()
    n, m = y.shape
    for i in range(1, n):
        relax(y, i, m)
    return np.sum(y ** 2)
""",
    m(5, 3),
)
case(
    "a list that is taken apart while it has items",
    """import numpy as np


def f(x):
    st = [x[0]]
    for i in range(1, len(x)):
        st.append(x[i] ** 2)
    s = 0.0
    while st:
        s = np.sin(s) + st.pop()
        if st:
            s += 0.5 * st[-1]
    return s
""",
    v(5),
)

case(
    "a_mask_of_two_axes_before_a_subscript",
    """
import numpy as np

def f(x, w):
    s = x * 1.0
    t = np.sum(s**3)
    m = x[:, :, 0] > 0
    s[:, 1] = w[0]
    s[m, 1] = w[1] * 2.0
    for i in range(1, 3):
        s[m, i] = w[i]
        t += np.sum(s[:, i - 1] ** 2)
    return float(np.sum(s**2) + t)
""",
    np.linspace(-1.0, 1.3, 27).reshape(3, 3, 3),
    np.array([0.4, 1.1, 0.7]),
)

case(
    "the_last_axis_and_the_second_one",
    """
import numpy as np

def f(x, w):
    s = x * 1.0
    t = np.sum(s**3)
    s[:, 1] = w[0]
    s[..., 1] = w[1] * 2.0
    t += np.sum(s**2)
    s[:, 0] = w[1]
    s[None, 0] = w[0]
    return float(np.sum(s**2) + t)
""",
    np.linspace(-1.0, 1.3, 12).reshape(2, 3, 2),
    np.array([0.4, 1.1]),
)

case(
    "a_tuple_of_subscripts_and_a_further_one",
    """
import numpy as np

def f(x, w):
    k = (0, 1)
    s = x * 1.0
    t = np.sum(s**3)
    s[k] = w[0]
    s[k, 2] = w[1] * 2.0
    return float(np.sum(s**2) + t)
""",
    np.linspace(-1.0, 1.3, 9).reshape(3, 3),
    np.array([0.4, 1.1]),
)

case(
    "the first numbers of a range, by the length of a list that gets longer",
    """
import numpy as np


def f(x, m: int):
    L = [1.0, 2.0]
    y = x.copy()
    for i in range(len(x))[: len(L)]:
        y[i] = y[i] * x[i]
    L.append(3.0)
    m = 1
    return np.sum(y * y) + len(L)
""",
    np.array([0.7, 0.4, 0.9, 0.6]),
    2,
)

case(
    "the first numbers of a range, counted by what the loop binds anew",
    """
import numpy as np


def f(x, m: int):
    y = x.copy()
    for i in range(1, len(x))[:m]:
        y[i] = y[i - 1] * x[i]
        m = 1
    y = y * m
    return np.sum(y * y)
""",
    np.array([0.7, 0.4, 0.9, 0.6]),
    2,
)

case(
    "the first numbers of a range backwards, left by a break",
    """
import numpy as np


def f(x, m: int):
    y = x.copy()
    for i in reversed(range(1, len(x))[:m]):
        y[i] = np.sin(y[i - 1]) * x[i]
        if y[i] > 0.3:
            break
    return np.sum(y * y)
""",
    np.array([0.7, 0.4, 0.9, 0.6]),
    2,
)

case(
    "the first numbers of a range, left by a return",
    """
import numpy as np


def f(x, m: int):
    y = x.copy()
    s = 1.0
    for i in range(1, len(x))[:m]:
        s = np.sin(y[i - 1]) * x[i] * s
        if s > 0.3:
            return s * s
    return np.sum(y * y) * s
""",
    np.array([0.7, 0.4, 0.9, 0.6]),
    2,
)

case(
    "the first numbers of a range, the last of them read behind",
    """
import numpy as np


def f(x, m: int):
    s = 1.0
    for i in range(len(x))[:m]:
        s = np.sin(x[i]) * s
    return s * x[i]
""",
    np.array([0.7, 0.4, 0.9, 0.6]),
    2,
)

case(
    "the first numbers of a range, in a loop",
    """
import numpy as np


def f(x, m: int):
    s = 1.0
    for k in range(3):
        for i in range(len(x))[:k]:
            s = np.sin(x[i]) * s + x[k]
    return s * x[i]
""",
    np.array([0.7, 0.4, 0.9, 0.6]),
    2,
)


# Branches that hold the operand of a root at 0.
for _name, _text in {
    "a choice": "    return math.sqrt(x if x > 0 else 0.0) * y + math.sqrt(y if y > 0 else LOW)\n",
    "a branch": "    h = x * x - y\n    if h < 0.0:\n        h = LOW\n    return math.sqrt(h) * x + y\n",
    "either branch": "    if x > 0:\n        z = x\n    else:\n        z = 0\n    return z**0.5 * y\n",
    "a loop": "    s = y\n    for i in range(4):\n        s = s * 0.5 + x\n        if s < 0.1:\n            s = 0.0\n"
    "    return math.sqrt(s) * x\n",
}.items():
    case(f"a root of what {_name} holds", f"import math\n\nLOW = 0.0\n\n\ndef f(x, y):\n{_text}", -0.4, 0.7)


case(
    "a_tolerance_that_is_scaled_or_none",
    """
def settle(x, tol=None, scale=0.5):
    for i in range(4):
        if tol is not None:
            tol *= scale
        if tol is not None and abs(x) < tol:
            break
        x = 0.5 * x * x
    return x

def f(x):
    return settle(x) + settle(2.0 * x, tol=0.3)
""",
    0.9,
)

case(
    "returns_of_one_value_in_several_places",
    """
def settle(x, tol):
    p = x
    for i in range(20):
        q = 0.5 * p * p
        if abs(q) < tol:
            if q > 0.0:
                return p
            q = q + 1.0
        elif abs(q - p) < tol:
            return p
        if q > 10.0:
            return q
        p = q + 0.001
    return p

def f(x):
    return settle(x, 0.01) + settle(3.0 * x, 0.01) * settle(x, 0.9)
""",
    1.3,
)


case(
    "dicts that a loop fills, twice in another list, and bound anew by way of both",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def f(params, x):
    rows = []
    held = []
    for p in params:
        q = {}
        for k in p:
            q[k] = p[k] * x
        rows.append(q)
    held.append(rows[0])
    held.append(rows[0])
    held[0]["a"] = held[1]["a"] * x
    held[1]["a"][0] = x[1] * 2.0
    rows[0]["a"] = rows[0]["a"] + held[1]["a"]
    return norm(rows[0]) + norm(held[1]) * norm(held[0])
""",
    [{"a": np.array([0.3, 0.4]), "b": np.array([0.5, -0.2])}, {"a": np.array([0.1, 0.7]), "c": np.array([0.9, 0.2])}],
    np.array([0.7, -0.4]),
)

case(
    "dicts that a loop fills, one of which gets another key by its place in their list",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def f(params, x):
    rows = []
    for p in params:
        q = {}
        for k in p:
            q[k] = p[k] * x
        rows.append(q)
    rows[1]["z"] = rows[0]["a"] * x
    rows[0]["a"] = x * 2.0
    return norm(rows[0]) + norm(rows[1])
""",
    [{"a": np.array([0.3, 0.4]), "b": np.array([0.5, -0.2])}, {"a": np.array([0.1, 0.7]), "c": np.array([0.9, 0.2])}],
    np.array([0.7, -0.4]),
)

case(
    "dicts that a loop fills, bound anew in turn by their places in their list",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def f(params, x, n: int):
    rows = []
    for p in params:
        q = {}
        for k in p:
            q[k] = p[k] * x
        rows.append(q)
    for i in range(n):
        rows[i % 2]["a"] = rows[(i + 1) % 2]["a"] * x + rows[i % 2]["a"]
    return norm(rows[0]) * norm(rows[1])
""",
    [{"a": np.array([0.3, 0.4]), "b": np.array([0.5, -0.2])}, {"a": np.array([0.1, 0.7]), "c": np.array([0.9, 0.2])}],
    np.array([0.7, -0.4]),
    3,
)

case(
    "a dict under keys of the run, in parts of a list that sees it",
    """
import numpy as np


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.5 + np.sum(d[k] ** 2)
    return s


def f(x, y: float, n: int):
    p = {}
    for i in range(n):
        p[i] = x * (i + 1)
    L = []
    L.append(p)
    M = L[:1]
    q = M[0]
    q[0] = y * q[1]
    M.append(p)
    r = M[-1]
    r[1] = r[0] * y
    s = chain(p)
    K = M[1:]
    t = K.pop()
    t[0] = t[0] * t[1]
    return chain(p) * s + chain(L[0])
""",
    np.array([0.7, -0.4]),
    0.7,
    3,
)

case(
    "a copy of a dict, whose arrays are those of the dict, and written",
    """
import numpy as np


def f(x, y: float):
    d = {"u": x * y, "v": x + y}
    L = []
    L.append(d)
    e = d.copy()
    L.append(e)
    e["u"] = e["v"] * 2.0
    d["u"][0] = y * x[1]
    e["v"][1] = y * d["u"][0]
    d["v"] = d["v"] * L[1]["u"]
    return np.sum(d["u"] * d["v"]) + np.sum(L[0]["v"] ** 2) + np.sum(L[1]["u"] * e["v"])
""",
    np.array([0.7, -0.4]),
    0.7,
)

case(
    "copies of dicts in a dict under keys of the run, that take their places",
    """
import numpy as np


def f(x, y: float, keys):
    total = {}
    for i, k in enumerate(keys):
        total[k] = {"u": x * y * (i + 1), "v": x * i}
    s = np.sum(x * y)
    for k in keys:
        e = total[k].copy()
        e["u"] = e["v"] * y
        total[k] = e
        e["v"] = e["u"] * total["p"]["v"]
        s += np.sum(e["u"] * total[k]["u"])
    return s, total
""",
    np.array([0.7, -0.4]),
    0.7,
    ["p", "q", "p"],
)

case(
    "copies of dicts in a dict under keys of the run, of which there is none",
    """
import numpy as np


def f(x, y: float, keys):
    total = {}
    for i, k in enumerate(keys):
        total[k] = {"u": x * y * (i + 1), "v": x * i}
    s = np.sum(x * y)
    for k in keys:
        e = total[k].copy()
        e["u"] = e["v"] * y
        s += np.sum(e["u"] * total[k]["u"])
    return s, total
""",
    np.array([0.7, -0.4]),
    0.7,
    [],
)

case(
    "a dict under keys of the run that is returned, of dicts, whose arrays are written",
    """
import numpy as np


def f(x, y: float, keys):
    total = {}
    for i, k in enumerate(keys):
        total[k] = {"u": x * y * (i + 1), "v": x * i}
    for k in keys:
        total[k]["u"][0] = total[k]["u"][1] * total[k]["v"][0]
    return total, total["p"]
""",
    np.array([0.7, -0.4]),
    0.7,
    ["p", "q"],
)

case(
    "dicts in a list that is returned, whose arrays are written",
    """
import numpy as np


def f(x, y: float, keys):
    total = []
    for i, k in enumerate(keys):
        total.append({"u": x * y * (i + 1), "v": x * i})
    for i in range(2):
        total[i]["u"][0] = total[i]["u"][1] * total[i]["v"][0]
    return total
""",
    np.array([0.7, -0.4]),
    0.7,
    ["p", "q"],
)

case(
    "a dict of a dict under keys of the run that is returned, with an entry bound anew",
    """
import numpy as np


def f(x, y: float, keys):
    total = {}
    for i, k in enumerate(keys):
        total[k] = {"u": x * y * (i + 1), "v": x * i}
    for k in keys:
        total[k]["u"] = total[k]["u"] * total[k]["v"]
    return total["p"]
""",
    np.array([0.7, -0.4]),
    0.7,
    ["p", "q"],
)

case(
    "a dict of a list that is returned, with an entry bound anew",
    """
import numpy as np


def f(x, y: float, n: int):
    total = []
    for i in range(n):
        total.append({"u": x * y * (i + 1), "v": x * i})
    for i in range(n):
        total[i]["u"] = total[i]["u"] * total[i]["v"]
    return total[1]
""",
    np.array([0.7, -0.4]),
    0.7,
    3,
)

case(
    "a list of a list that is returned, with an item bound anew",
    """
import numpy as np


def f(x, y: float, n: int):
    total = []
    for i in range(n):
        total.append([x * y * (i + 1), x * i])
    for i in range(n):
        total[i][0] = total[i][0] * total[i][1]
    return total[1]
""",
    np.array([0.7, -0.4]),
    0.7,
    3,
)

case(
    "a list of a dict under keys of the run that is returned, with an item bound anew",
    """
import numpy as np


def f(x, y: float, keys):
    total = {}
    for i, k in enumerate(keys):
        total[k] = [x * y * (i + 1), x * i]
    for k in keys:
        total[k][0] = total[k][0] * total[k][1]
    return total["p"], total
""",
    np.array([0.7, -0.4]),
    0.7,
    ["p", "q"],
)

case(
    "dicts in dicts in a list that is returned, whose arrays are written",
    """
import numpy as np


def f(x, y: float, n: int):
    total = []
    for i in range(n):
        total.append({"d": {"u": x * y * (i + 1), "w": 2.0 * x}, "v": x * i})
    for i in range(n):
        v = total[i]["d"]["u"]
        v[1] = v[0] * y
    return total
""",
    np.array([0.7, -0.4]),
    0.7,
    3,
)

case(
    "a dict that is returned by its place in a list, whose array is written",
    """
import numpy as np


def f(x, y: float, n: int):
    d = {"u": x * y, "v": x}
    L = []
    L.append(d)
    L.append(d)
    v = L[1]["u"]
    v[0] = v[1] * y
    return L[0]
""",
    np.array([0.7, -0.4]),
    0.7,
    3,
)

case(
    "a dict that is returned with its array, which is written in a loop",
    """
import numpy as np


def f(x, y: float, n: int):
    d = {"u": x * y, "v": x * 1.0}
    L = []
    L.append(d)
    for i in range(n):
        v = L[0]["u"]
        v[0] = v[1] * y
    return d, L[0]["u"]
""",
    np.array([0.7, -0.4]),
    0.7,
    3,
)

case(
    "dicts of a list in two results, whose entries are bound anew, and whose arrays are written",
    """
import numpy as np


def f(x, y: float, n: int):
    L = []
    for i in range(n):
        L.append({"u": x * y, "v": x * 1.0})
    for i in range(n):
        L[i]["u"] = L[0]["v"] * x * y
        L[i]["v"][0] = y * x[1]
        if i > 1:
            return {"last": L[i], "all": L}
    return {"last": L[0], "all": L}
""",
    np.array([0.7, -0.4]),
    0.7,
    3,
)

case(
    "a dict of named tuples under keys of the run, by their names and by their keys",
    """
from typing import NamedTuple

import numpy as np


class Part(NamedTuple):
    a: np.ndarray
    b: float


def norm(d):
    return sum(np.sum(d[k].a ** 2) * d[k].b for k in d)


def both(d):
    s = 0.0
    for k in d:
        p = d[k]
        s = s * p.b + np.sum(p.a * p.b)
    return s


def f(x, q: float, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = Part(x * q * i, q * i)
    return both(d) * norm(d)
""",
    np.array([0.7, -0.4]),
    0.7,
    ["a", "b", "a"],
)

case(
    "a dict of named tuples under keys of the run, made anew of themselves",
    """
from typing import NamedTuple

import numpy as np


class Part(NamedTuple):
    a: np.ndarray
    b: float


def norm(d):
    return sum(np.sum(d[k].a ** 2) * d[k].b for k in d)


def both(d):
    s = 0.0
    for k in d:
        p = d[k]
        s = s * p.b + np.sum(p.a * p.b)
    return s


def f(x, q: float, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = Part(x * q * i, q)
    for k in keys:
        d[k] = Part(d[k].a * d[k].b, norm(d))
    return norm(d)
""",
    np.array([0.7, -0.4]),
    0.7,
    ["a", "b"],
)


# Whole numbers that loops count with, which the reverse sweep counts back.
for _name, _text in {
    "counters of loops in loops, one of which goes on": (
        "def f(x, n: int):\n    i=0\n    j=0\n    s=1.0\n    while i<n:\n        while j<i:\n"
        "            s=s*np.sin(x[j])+x[i]\n            j+=1\n        s=s*x[j]\n        i+=1\n"
        "    return s\n"
    ),
    "a counter that starts again where it gets too high": (
        "def f(x, n: int):\n    i=0\n    k=0\n    s=1.0\n    while k<n:\n        s=s*np.sin(x[i])+x[0]\n"
        "        i+=1\n        if i>2:\n            i=0\n        k+=1\n    return s\n"
    ),
    "a counter, behind a test that leaves the loop": (
        "def f(x, n: int):\n    i=0\n    s=1.0\n    while True:\n        s=s*np.sin(x[i])+x[0]\n"
        "        if s>1.2 or i>=n:\n            break\n        i+=1\n        s=s*x[i]\n    return s*x[i]\n"
    ),
    "a counter, before a test that leaves the loop": (
        "def f(x, n: int):\n    i=0\n    s=1.0\n    while True:\n        s=s*np.sin(x[i])+x[0]\n"
        "        i+=1\n        if s>1.2 or i>=n:\n            break\n        s=s*x[i]\n    return s*x[i]\n"
    ),
    "a counter of a loop in a branch, read behind it": (
        "def f(x, n: int):\n    k=3\n    s=1.0\n    if x[0]>0.1:\n        for i in range(2):\n"
        "            s=s*np.sin(x[k])+x[i]\n            k-=1\n    s=s*x[k]*s\n    return s\n"
    ),
    "two counters that meet": (
        "def f(x, n: int):\n    i=0\n    j=n\n    s=1.0\n    while i<j:\n        s=s*np.sin(x[i]*x[j])+s\n"
        "        i+=1\n        j-=1\n    return s*x[i]*x[j]\n"
    ),
    "a stack that grows again, and a counter": (
        "def f(x, n: int):\n    L=[x[0],x[1]]\n    s=1.0\n    k=0\n    while L and k<6:\n"
        "        p=L.pop()\n        s=s*p+p\n        if k<2:\n            L.append(s*x[k])\n        k+=1\n"
        "    return s\n"
    ),
    "a parameter that is counted down": (
        "def f(x, n: int):\n    s=1.0\n    while n>0:\n        s=s*np.sin(x[n])+x[1]\n        n-=1\n    return s*x[n]\n"
    ),
    "a counter of a loop that nothing depends on": (
        "def f(x, n: int):\n    k=3\n    s=x[k]*x[0]\n    for i in range(2):\n        k-=1\n"
        "    s=s*x[k]*s\n    k=0\n    return s*x[k]\n"
    ),
}.items():
    case(_name, f"import numpy as np\n\n\n# s2s: x (n,)\n{_text}", np.array([0.7, 0.4, 0.9, 0.6, 0.8, 1.1]), 3)

case(
    "a dict of named tuples, handed to a helper, with another class of the same fields",
    """
from typing import NamedTuple
import numpy as np


class Part(NamedTuple):
    a: float
    b: np.ndarray


class Other(NamedTuple):
    a: float
    b: np.ndarray


def total(d):
    s = 0.0
    for k in d:
        s = s + d[k].a * np.sum(d[k].b)
    return s


# s2s: x (n,)
def f(x, keys: list[str]):
    d = {}
    for i, k in enumerate(keys):
        d[k] = Part(x[i], x * i)
    return total(d)
""",
    v(3),
    ["a", "b", "a"],
)


for number, taken in enumerate([True, False]):
    case(
        f"an attribute that a branch binds to a function, asked for behind it {number}",
        """
import numpy as np


class Block:
    def __init__(self, m):
        self.m = m
        self.act = None


def f(x, c: bool):
    block = Block(x)
    y = block.m
    if c:
        block.act = np.tanh
        y = block.act(x) if block.act is not None else x
    elif block.act is None:
        y = x * x
    if block.act is not None:
        y = y * 2.0
    return y * x
""",
        0.7,
        taken,
    )

for number, taken in enumerate([True, False]):
    case(
        f"which of two functions a test has chosen, asked for by the second {number}",
        """
import numpy as np


def f(x, c: bool):
    h = np.tanh if c else np.sin
    y = h(x) * (x if h is np.sin else 3.0)
    return y * x if h is np.tanh else y
""",
        0.7,
        taken,
    )
    case(
        f"a function that has the name by which a lambda is told apart {number}",
        """
def h_1(x):
    return x**5


def f(x, c: bool):
    h = lambda t: t * x
    if c:
        h = h_1
    return h(x)
""",
        0.7,
        taken,
    )

for rounds in (0, 2):
    case(
        f"lists in slots that get arrays of other shapes behind those that they have, {rounds} times",
        """
import numpy as np


def f(x, n: int):
    rows = [[x * 1.0], [x * 5.0, x * 3.0]]
    for i in range(n):
        rows[1] = rows[1] + [rows[1][-1][:2] * x[0]]
        rows[1][-1] *= 2.0
        rows[0] = rows[0] + [rows[0][-1][1:] + x[0]]
        rows[0][-1] *= 2.0
    return np.sum(rows[0][-1]) + sum(np.sum(q**2) for q in rows[1])
""",
        np.array([0.7, -0.4, 1.1]),
        rounds,
    )

for number, at in enumerate([0.5, -0.6, 1.3]):
    case(
        f"roots of what is held at zero: by a helper, in a branch, of a root, by a third {number}",
        """
import math

import numpy as np


def root(t):
    if t < 0.0:
        t = 0.0
    return np.sqrt(t)


def f(x: float):
    h = 0.0
    if x > 0.4:
        h = x - 0.4
    third = np.power(np.maximum(x, 0.0), 1 / 3)
    return root(x) + math.sqrt(h) * x + np.sqrt(np.sqrt(np.maximum(x, 0.0))) + third
""",
        at,
    )

for key in ("first", "more"):
    case(
        f"an entry of a dict that lies in a list by a helper, {key}",
        """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def keep(d, held):
    held.append(d)


def f(x, key: str):
    held = []
    d = {}
    d[key] = 0.5 * x
    keep(d, held)
    held[0]["more"] = 2.0 * x
    return norm(d)
""",
        np.array([0.3, 0.8]),
        key,
    )
    case(
        f"an assert that is known to hold, alone in its branch {key}",
        """
import numpy as np


class Block:
    def __init__(self, m):
        self.m = m
        self.act = None


def f(x, key: str):
    block = Block(x)
    block.act = np.tanh
    if key == "more":
        assert block.act is not None
    return np.sum(block.act(x) * block.m)
""",
        np.array([0.3, 0.8]),
        key,
    )


case(
    "unpacked_array_of_a_helper",
    """import numpy as np


def doubled(a):
    return 2.0 * a


def split(a):
    a = np.asarray(a)
    if a.ndim <= 2:
        return np.transpose(a)
    return np.transpose(a, np.concatenate([[a.ndim - 1], np.arange(0, a.ndim - 1)]))


def f(v, m):
    x, y, z = doubled(v)
    p, _, q = split(m)
    return np.sum(x * y * np.sqrt(z) + p * np.sin(q))
""",
    np.array([0.7, 0.4, 1.3]),
    np.array([[0.7, 0.4, 1.3], [0.2, 0.9, 0.5]]),
)
case(
    "place_and_count_in_a_list",
    """def f(x, v):
    d = []
    for i in range(3):
        d.append(x[i] ** 2)
    k = d.index(min(d))
    return x[k] + k * x[0] + d.count(d[0]) * x[1] * v
""",
    np.array([0.7, -0.4, 1.3]),
    0.7,
)
case(
    "laws_picked_before_the_loop",
    """import math


def rise(x):
    return x * math.sin(x)


def fall(x):
    return math.exp(-x)


LAWS = {"rise": rise, "fall": fall}


def f(x: float, kinds):
    out = []
    for law in [LAWS[k] for k in kinds]:
        x = x + law(x)
        out.append(law(x))
    return sum(out) * x
""",
    0.7,
    ["rise", "fall", "rise"],
)

case(
    "roots of two names that change their places, and that a branch sets to numbers",
    """
import numpy as np


def f(x, n: int):
    a = x
    b = x * 2
    for i in range(n):
        if x > 1:
            c = a
            a = b
            b = c
        if x > 2:
            a = 0.5
            b = 1.5
    return np.sqrt(a) + np.sqrt(b)
""",
    1.3,
    3,
)

case(
    "roots_that_are_quotients_where_a_choice_holds_them",
    """def f(T: float, Tc: float, x):
    tau = 1.0 - T / Tc if T < Tc else 0.0
    s = tau ** (1.0 / 3.0) + x[0] ** (5.0 / 3) + x[1] ** (-2 / 3)
    for i in range(3):
        s = s * x[i] ** (1 / 3) + max(1.0 - T, 0.0) ** (2.0 / 3.0)
    return s
""",
    2.0,
    1.5,
    np.array([0.7, 0.4, 1.3]),
)

case(
    "entries that are read where they are, before a test says that they are new",
    """
import numpy as np


def f(x, keys, n: int):
    g = {}
    s = 1.0
    for i in range(n):
        k = keys[i]
        t = g[(k + 1) % 3] if (k + 1) % 3 in g else x[i]
        s = s + np.sin(g.get(k, 2.0) * x[i])
        if k in g:
            g[k] = np.sin(g[k] * x[i] * t)
        else:
            g[k] = x[i] * s
            g[k] = np.cos(g[k] * s)
        s = 0.5 * s + 0.1 * np.sin(t * g[k])
    return s + sum(g.values())
""",
    np.array([0.7, 1.2, 0.4, 0.9, 1.1, 0.8]),
    [0, 1, 0, 2, 1, 0],
    6,
)


case(
    "roots of what names of the module stand for: one that is imported, and one that is computed",
    """
import numpy as np
from numpy import exp, pi, sqrt

TWICE = 2 * np.pi


def f(x, sigma):
    return 1 / sqrt(2 * pi * sigma**2) * exp(-(x**2) / (2 * sigma**2)) + sqrt(TWICE * x**2)
""",
    0.4,
    1.3,
)

case(
    "an iterator gives its first item, and a loop takes the others",
    """
import numpy as np

TERMS = (0.5, 0.25, -0.3, 1.2)


def f(t, n: int):
    terms = iter(TERMS[-n:])
    a = next(terms) * t
    for c in terms:
        a += c
        a *= t
    pairs = zip(TERMS, TERMS[1:])
    c, d = next(pairs)
    for c, d in pairs:
        a = np.sin(a * c) + d
    steps = iter(range(n))
    return a * sum(t**k for k in steps)
""",
    0.7,
    3,
)

case(
    "a function that the text imports where it is used, and whose value is needed again",
    """
def f(s, k, n: int):
    from math import log, sqrt

    d = log(s / k) / sqrt(s)
    for i in range(n):
        d = d * log(s + d * d)
    return d * log(s / k) * sqrt(s)
""",
    1.3,
    0.9,
    3,
)

case(
    "items of a list, numbers or arrays, stored into a table of whole numbers",
    """
def f(x: list, n: int):
    q = [[0] * n for i in range(n)]
    for i in range(n):
        q[i][1] = x[i]
    for i in range(2, n):
        for j in range(i, n):
            q[j][i] = q[j][i - 1] * q[j - 1][i - 1] - x[j - i]
    return [q[n - 1][n - 1], q]
""",
    [0.3, 0.4, 0.5, 0.8],
    4,
)

case(
    "a sum of matrices that is not a number before its first term",
    """
import numpy as np


def f(x, n: int):
    total = np.nan
    for i in range(n):
        if i > 0:
            total += i * np.dot(x, x.T)
        else:
            total = np.dot(x, x.T)
    return total / 2
""",
    np.array([[0.3, 0.5], [0.2, 0.9]]),
    3,
)

case(
    "quotients and roots where a mask is true, and what is made as `out` elsewhere",
    """
import numpy as np


def f(x, y):
    ratio = np.divide(x, y, out=x / 2, where=y > 0.0)
    level = np.log(x, out=np.full_like(x, -9.0), where=y > 0.0)
    return ratio + level + np.sqrt(y, out=np.repeat(0.5, 3), where=y > 0.0)
""",
    np.array([0.3, 0.4, 0.5]),
    np.array([0.7, -0.4, 0.5]),
)

case(
    "a store under a key that a test has just found to be new, and the key is changed between",
    """
import numpy as np


def f(x, keys, n: int):
    g = {}
    s = 1.0
    for i in range(n):
        k = keys[i]
        if k not in g:
            k = (k + 1) % 3
            g[k] = x[i] * s
        else:
            g[k] = g[k] * x[i]
        s = s + np.sin(g.get(k, 0.3))
    return s + sum(g.values())
""",
    np.array([0.7, 1.2, 0.4, 0.9, 1.1, 0.8]),
    [0, 1, 0, 2, 1, 0],
    6,
)

case(
    "two stores under a key that is new, the one read before the other",
    """
import numpy as np


def f(x, keys, n: int):
    g = {}
    s = 1.0
    for i in range(n):
        k = keys[i]
        new = k not in g
        if new:
            g[k] = x[i] * s
        s = s + np.cos(g[k])
        if new:
            g[k] = x[i] * 0.3
        s = s * np.sin(g[k])
        if k not in g or i % 2 == 0:
            g[k] = x[i] * s
    rows = {k: [v, v * x[0]] for k, v in g.items()}
    t = 0.0
    for k in rows:
        row = rows[k]
        t = t + np.sin(row[0] * row[1]) * t
        t += row[1]
    return s + t
""",
    np.array([0.7, 1.2, 0.4, 0.9, 1.1, 0.8]),
    [0, 1, 0, 2, 1, 0],
    6,
)

case(
    "lists that are bound twice before they are put into a slot, and items that are added where they are taken",
    """
import numpy as np


def f(x, y: float, keys, n: int):
    rows = [[] for _ in range(3)]
    extra = x * 1.5
    s = 1.0
    for i in range(n):
        k = keys[i]
        row = [0.0 for _ in range(3)]
        for j in range(3):
            row[j] += x[j] * y
        row = [a + b for a, b in zip(row, [y for _ in row])]
        rows[k] = row
        rows[k].append(x[i] * y)
        rows[k].append(y)
        s += rows[k].pop()
        extra[i] += rows[k].pop()
        s = s * 0.5 + extra[i] * y
    for k in range(3):
        for v in rows[k]:
            s = np.sin(s * v) + v
    return s + np.sum(extra)
""",
    np.array([0.7, 1.2, 0.4, 0.9, 1.1, 0.8]),
    0.6,
    [0, 1, 0, 2, 1, 0],
    4,
)


case(
    "a conversion to the dtype of floats, of none in particular, or of objects",
    """
import numpy as np


def f(x, dtype=np.float64):
    dt = dtype
    if isinstance(x, (list, tuple)):
        if len(x) > 9:
            dt = None
        return np.array(x, dtype=dt) ** 2
    if x.dtype.kind == "O":
        dt = "O"
    return x.flatten().astype(dt) ** 2
""",
    np.array([0.3, 0.4, 0.5]),
)

# What a helper says of a parameter decides whether it is a number or a matrix.
_ASKED = """
import numpy as np


def is_number(x):
    return isinstance(x, (int, float))


def f(x, y):
    if is_number(x):
        return np.concatenate([np.atleast_1d(x), np.ones(2)]) * y
    return np.reshape(x[:2, 1], (2, 1)) * y
"""

case("a number beside a matrix in another branch", _ASKED, 0.4, 1.3)
case("a matrix beside a number in another branch", _ASKED, m(3, 2), 1.3)

# A parameter of which only items are read may be a list.
_ITEMS = """
def f(x, n: int):
    y = [v * 2 for v in x]
    q = [[0.5] * 2 for i in range(n)]
    for i in range(n):
        q[i][1] = y[i]
    return sum(r[1] * r[0] * r[1] for r in q)
"""

case("rows of a table that get the items of a list", _ITEMS, [0.3, 0.4], 2)
case("rows of a table that get the items of an array", _ITEMS, np.array([0.3, 0.4]), 2)

case(
    "a dict under any keys that is given, read, and returned as it is",
    """
def f(x, y: float, g: dict):
    s = 1.0
    for k in g:
        s += g[k] ** 2 * y
    return s * x, g
""",
    0.7,
    0.6,
    {0: 0.5, 1: 0.8, 2: 1.1},
)

case(
    "a second name of a dict whose entries a loop over its keys binds anew",
    """
import numpy as np


def f(x, k: str):
    d = {"a": x * 1.5, "b": x}
    e = d
    for c in d:
        d[c] = d[c] * x
    return d["a"] * d["b"] + e["a"]
""",
    0.7,
    "a",
)

case(
    "what a function that calls itself returns for a list, handed to two functions",
    """
import numpy as np


def swap(p):
    return p[1], p[0]


def total(p):
    return np.sum(p[0] * p[1])


def rec(p, n):
    if n == 0:
        return p[0] * 2.0, p[1]
    a, b = rec((p[1], p[0] * 0.5), n - 1)
    return a + p[0], b


def f(x, y, n: int):
    p = rec([x, y], 2)
    q = None
    if n > 0:
        q = rec([y, x * y], 1)
    return total(p) + total(swap(p)) + total(q) * total(q)
""",
    np.array([0.7, 1.2]),
    np.array([0.4, 0.9]),
    2,
)

case(
    "a list of named tuples by a helper that reads their numbers",
    """
from typing import NamedTuple

import numpy as np


class P(NamedTuple):
    a: float
    b: np.ndarray


def total(ps, k):
    s = 0.0
    for p in ps:
        s += p.a * np.sum(p.b) * k
    return s


def f(x, k, m: int):
    ps = []
    for i in range(m):
        ps.append(P(x[i], x * k))
    return total(ps, k)
""",
    np.array([0.4, 0.9, -0.3]),
    0.7,
    3,
)

case(
    "items of a list that is given, under two names, and the items in them",
    """
import numpy as np


def f(x, rows: list):
    s = 0.0
    for i, g in enumerate(rows):
        h = g
        for j, v in enumerate(h):
            s += x[i] * v * v * j
    return s
""",
    np.array([0.4, 0.9]),
    [[0.5, 0.2], [0.3, -0.7]],
)

case(
    "an item of an iterator that nobody reads",
    """
def f(x, n: int):
    powers = iter(range(n))
    next(powers)
    s = 0.0
    for k in powers:
        s += x**k
    return s
""",
    0.7,
    4,
)

case(
    "a number and a list in one that is returned, beside its items that are updated",
    """
def f(x, n: int):
    q = []
    for i in range(n):
        q.append(x[i] * x[i])
    q[0] = q[1] * x[0]
    value = [q[0], q]
    for i in range(n):
        q[i] += 1.0 * x[0]
    return value, x[0]
""",
    np.array([0.4, 0.9, -0.3]),
    3,
)


case(
    "an entry that a loop takes out of a dict which has another name",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.7 + np.sum(np.sin(d[k]))
    return s


def same(d):
    return d


def f(p, x, keys):
    g = {}
    s = 0.0
    h = same(g)
    for k in keys:
        g[k] = p[k] * x
        s += chain(h)
        if x[0] > 0:
            s += norm(h) * s
            del g[k]
    return s * (1 + len(h))
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    ["a", "b", "a", "c"],
)

case(
    "an entry that is taken out of a dict, whose array is written under another name",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.7 + np.sum(np.sin(d[k]))
    return s


def same(d):
    return d


def f(p, x, keys):
    g = {}
    s = 0.0
    h = same(g)
    for k in keys:
        g[k] = p[k] * x
        v = g[k]
        v[0] = s * x[1]
        s += chain(h)
        if k == "c":
            del h[k]
            v[1] = 3.0 * x[0]
            s += np.sum(v * x)
    return s * (1 + len(h)) + norm(g)
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    ["a", "b", "c", "c"],
)

case(
    "an entry that is taken out, kept under a name, written, and bound anew",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def same(d):
    return d


def f(p, x, key):
    g = {}
    for k in p:
        g[k] = p[k] * x
    h = same(g)
    v = g[key]
    del h[key]
    v[0] = x[1]
    g[key] = v * v
    return norm(g) * np.sum(v)
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    "c",
)

case(
    "an entry that is taken out of the dict of a branch",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.7 + np.sum(np.sin(d[k]))
    return s


def f(p, x, key):
    g = {}
    q = {}
    for k in p:
        g[k] = p[k] * x
        q[k] = p[k] + x
    h = g
    if x[1] < 0:
        h = q
    s = chain(g) * chain(q)
    del h[key]
    return s * (chain(g) + 2.0 * norm(q)) * len(g)
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    "c",
)

case(
    "an entry that is taken out of each dict of a list",
    """
import numpy as np


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.7 + np.sum(np.sin(d[k]))
    return s


def f(p, x, key):
    hs = []
    for j in range(2):
        g = {}
        for k in p:
            g[k] = p[k] * x * (j + 1.0)
        hs.append(g)
    s = 0.0
    for h in hs:
        s += chain(h)
        del h[key]
    return s * chain(hs[0]) * chain(hs[1])
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    "c",
)

case(
    "loops over a dict before and after an entry is taken out",
    """
import numpy as np


def same(d):
    return d


def f(p, x, key):
    g = {}
    for k in p:
        g[k] = p[k] * x
    h = same(g)
    t = 0.0
    for k, v in g.items():
        t = t * 0.5 + np.sum(v * v)
    del h[key]
    for k, v in g.items():
        t = t * 0.5 + np.sum(np.sin(v)) * t
    for k, v in h.items():
        t = t * 0.4 + np.sum(np.sin(v)) * t
    return t
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    "c",
)

case(
    "an entry that is taken out before a loop is left",
    """
import numpy as np


def norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def chain(d):
    s = 0.0
    for k in d:
        s = s * 0.7 + np.sum(np.sin(d[k]))
    return s


def same(d):
    return d


def f(p, x, keys):
    g = {}
    h = same(g)
    s = 0.0
    for k in keys:
        g[k] = p[k] * x
        s += chain(h)
        if k == "b":
            del h[k]
            if s > 0.1:
                return s * norm(g)
    return s * len(g)
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    ["a", "b", "c"],
)

case(
    "a dict that is returned, of which another name has taken an entry",
    """
import numpy as np


def f(p, x, keys):
    g = {}
    for k in keys:
        g[k] = p[k] * x
        if k == "b":
            h = g
            del h[k]
    return g
""",
    {"a": np.array([0.2, 0.5, -0.4]), "b": np.array([1.2, 0.1, 0.3]), "c": np.array([-0.3, 0.6, 0.9])},
    np.array([0.3, -0.7, 1.1]),
    ["a", "b", "c"],
)


case(
    "lists in a tuple of a helper's tuple, made in each pass of a loop and kept",
    """
import numpy as np


def parts(u, v):
    return [u * 1.1], ([v * 2.0], u * v)


def f(x, y):
    z = x
    rows = []
    for i in range(3):
        r, (s, t) = parts(z, y)
        r.append(r[0] * y)
        s.append(t)
        rows.append(s)
        z = z + r[0] * r[1] * s[0] * s[1] * 0.1
    return np.sum(z + rows[0][1] * rows[2][0])
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)


case(
    "lists in a tuple in a tuple in that of a helper",
    """
import numpy as np


def parts(u, v):
    return [u * 1.1], ([v * 2.0], ([u * v], u + v))


def f(x, y):
    r, (s, (t, w)) = parts(x, y)
    r.append(w)
    s.append(r[1] * 2.0)
    t.append(s[1] * t[0])
    return np.sum(r[0] * r[1] * s[0] * s[1] * t[1])
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)


case(
    "lists in a tuple of a helper's tuple, returned",
    """
import numpy as np


def parts(u, v):
    return [u * 1.1], ([v * 2.0], u * v)


def f(x, y):
    r, (s, t) = parts(x, y)
    s.append(t)
    r.append(s[0] * s[1])
    return r, s
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)


case(
    "numbers in lists of a tuple of a helper's tuple, bound anew",
    """
import numpy as np


def parts(u, v):
    return [u * 1.1], ([v * 2.0], u * v)


def f(x, y):
    r, (s, t) = parts(x, y)
    s.append(t)
    r.append(s[0] * s[1])
    s[0] = r[1] * t
    return r[0] * s[0] * s[1] * r[1]
""",
    0.3,
    0.7,
)


case(
    "a named tuple in a helper's tuple, with a list that gets an item",
    """
from collections import namedtuple

import numpy as np

P = namedtuple("P", "s t")


def parts(u, v):
    return [u * 1.1], P([v * 2.0], u * v)


def f(x, y):
    r, (s, t) = parts(x, y)
    r.append(s[0] * y)
    s.append(t)
    return np.sum(r[0] * r[1] * s[0] * s[1] * t)
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)


case(
    "a list beside the user's own underscore, and a loop that is reversed without its index",
    """
import numpy as np


def parts(u, v):
    w = [v * 2.0, u * 1.5]
    w.append(u * 1.0)
    return [u * 1.1], w


def f(x, y):
    _, s = parts(x, y)
    s.append(x)
    for i in range(3):
        s.append(s[-1] * y)
    return np.sum(s[0] * s[-1])
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)


case(
    "a recursion that is given a list, then tuples, with its result returned",
    """
import numpy as np


def rec(p, n):
    if n == 0:
        return p[0] * 2.0, p[1]
    a, b = rec((p[1], p[0] * 0.5), n - 1)
    return a + p[0], b


def f(x, y):
    p = rec([x, y], 2)
    return p[0] * p[1], p
""",
    0.3,
    0.7,
)


case(
    "two functions that call each other with lists and tuples",
    """
import numpy as np


def even(p, n):
    if n == 0:
        return p[0], p[1]
    a, b = odd((p[1], p[0] * 2.0), n - 1)
    return a * b, b


def odd(p, n):
    if n == 0:
        return p[1], p[0] * p[1]
    a, b = even([p[1], p[0] * 2.0], n - 1)
    return a, b + p[0]


def f(x, y):
    p = even([x, y], 3)
    return np.sum(p[0] * p[1])
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)


case(
    "the cheapest path through a table of lists, item by item",
    """
import numpy as np


def f(a, b, gap):
    n, m = len(a), len(b)
    D = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        D[i][0] = i * gap
    for j in range(1, m + 1):
        D[0][j] = j * gap
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            D[i][j] = cost + min(D[i - 1][j] + gap, D[i][j - 1] + gap, D[i - 1][j - 1])
    return D[n][m]
""",
    np.array([0.3, -0.7, 1.2]),
    np.array([1.1, -0.4]),
    0.25,
)


case(
    "powers of a matrix of lists, by a helper with a running sum",
    """
import numpy as np


def product(A, B):
    n = len(A)
    C = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += A[i][k] * B[k][j]
            C[i][j] = s
    return C


def f(A, x):
    C = product(A, A)
    C = product(C, A)
    return C[0][0] * C[1][0] * x
""",
    [[0.3, 0.7], [0.2, -0.4]],
    0.7,
)


case(
    "running sums that a list holds, and one that goes on behind it",
    """
import numpy as np


def sums(u, w):
    C = [0.0] * 3
    s = u * 0.5
    for i in range(3):
        for k in range(2):
            s += u * w
        C[i] = s
        s = s * 1.0
        t = u * w
        if i == 1:
            C[0] = t
            t = t * 2.0
        t += u
        C[i] = C[i] + t
    return C


def f(u, w):
    C = sums(u, w)
    return np.sum(C[0] * C[1] + C[2])
""",
    np.array([0.3, 0.7]),
    0.7,
)


case(
    "a bound that is summed over the items of an array, and a mask of what is above it",
    """
import numpy as np


def f(x, y, u, v):
    s = 0.0
    for q in u:
        if q < 0.4:
            s = s + q * 0.7
    w = v * y
    w[w > s] = np.tanh(w @ v)
    u[u > s] = w[0] * x
    return np.sum(w * x) + np.sum(u * w)
""",
    0.3,
    0.7,
    np.array([0.3, 0.9, -0.2]),
    np.array([0.3, 0.5, 0.2]),
)


case(
    "items of an array beside the diagonal matrix of it: its cotangent starts as a read-only view",
    """
import numpy as np


def f(v):
    a = v[0] * v[1]
    M = np.diag(v)
    return np.sum(np.sin(M) @ M) * a
""",
    np.array([0.3, 0.7, 1.2]),
)

case(
    "items of an array beside the sum of Python over it",
    """
def f(u):
    S, E, R = u
    N = sum(u)
    return S * E / N - R
""",
    np.array([0.3, 0.7, 1.2]),
)

case(
    "matrices as tuples of tuples that generators make",
    """
def times(a, b):
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(2)) for j in range(2)) for i in range(2))


def scaled(c, a):
    return tuple(tuple(c * a[i][j] for j in range(2)) for i in range(2))


def f(x, y):
    a = scaled(x, ((y, 2.0), (x, y * y)))
    b = times(a, times(a, ((1.0, x), (y, 0.5))))
    return b[0][1] * b[1][0] - b[1][1]
""",
    0.7,
    0.4,
)

case(
    "tuples of the rows of an array, put into a list",
    """
import numpy as np


def f(x, y):
    rows = [tuple([x[i], y[i] * x[i]]) for i in range(3)]
    other = []
    for r in np.stack([x, y]):
        other.append(tuple(np.sin(r)))
    return sum(a * b for a, b in rows) + other[0][1] * other[1][2], [tuple(r) for r in rows]
""",
    np.array([0.3, 0.7, 1.2]),
    np.array([1.3, 0.4, -0.6]),
)

case(
    "a place in a list that is read behind the loop that stops there",
    """
def f(xs: list[float], x: float):
    k = 0
    for k, v in enumerate(xs):
        if v > x:
            break
    return xs[k] * k * x + v
""",
    [0.2, 0.5, 0.9, 1.4],
    0.7,
)

case(
    "a dict of numbers under keys of the run, as its annotation says",
    """
def f(d: dict[str, float], w: dict[str, float], x: float):
    e = {k: v * x for k, v in d.items() if v > 0.0}
    s = 0.0
    for k, v in e.items():
        s += w[k] * v**2
    return s * sum(w.values()), e
""",
    {"a": 0.4, "b": -0.3, "c": 1.2},
    {"a": 1.4, "b": 0.3, "c": -0.2},
    0.7,
)

case(
    "lists of lists in comprehensions of comprehensions, of which one tests",
    """
def f(M: list[list[float]], x: float):
    N = [[a * x for a in row] for row in M]
    P = [[a * b for a, b in zip(r, s)] for r, s in zip(M, N)]
    q = [a * a for a in P[0] if a > 0]
    for r in N:
        r[0] = r[0] * r[1]
    return sum(sum(r) for r in P) + sum(q) + N[1][0], N
""",
    [[0.4, 0.3], [-0.2, 0.9]],
    0.7,
)


case(
    "generators that set how errors are reported around a body, which leaves it",
    """
from contextlib import contextmanager

import numpy as np

LEVEL = "ignore"


@contextmanager
def silent(level="ignore"):
    old = np.seterr(divide=level, invalid=level)
    try:
        yield
    finally:
        np.seterr(**old)


@contextmanager
def halved(c):
    h = 0.5 * c
    with np.errstate(all=LEVEL):
        yield h
    h = 0.0


def g(x, c):
    with silent():
        return np.log(x) * c


def f(x, c):
    h = 1.0
    for i in range(4):
        with silent("warn"), halved(c * h) as s:
            if x[i] > 1.0:
                break
            h = h + s * x[i]
    with halved(h) as c:
        pass
    return h * c + np.sum(g(x, c))
""",
    np.array([0.3, 0.7, 1.2, 0.9]),
    0.6,
)

case(
    "objects with a value that are entered, and what they have set when they are left",
    """
import numpy as np


class Quiet:
    def __init__(self, level="ignore"):
        self.level = level

    def __enter__(self):
        self.old = np.seterr(all=self.level)
        return self

    def __exit__(self, kind, value, trace):
        np.seterr(**self.old)
        return False


class Tightened:
    def __init__(self, rate):
        self.rate = rate
        self.stack = []

    def __enter__(self):
        self.stack.append(self.rate)
        self.rate = 0.5 * self.rate
        return self

    def __exit__(self, *exc):
        self.last = self.rate
        self.rate = self.stack.pop()


class Scaled:
    def __init__(self, c):
        self.c = c

    def __enter__(self):
        return 2.0 * self.c

    def __exit__(self, *exc):
        pass


def f(x, c):
    with Tightened(c) as t:
        t.rate = t.rate * x[0]
        y = np.sum(x * t.rate)
    with Quiet():
        if y > 0.0:
            with Scaled(y) as s:
                return s * t.rate * t.last
    return y
""",
    np.array([0.3, 0.7, 1.2]),
    0.6,
)

case(
    "settings that the module shows, in calls and displays",
    """
import numpy as np

OPTIONS = {"axis": 0, "ddof": 1}
STEEL = dict(a=2.0, b=0.5)
TABLE = {"steel": STEEL, "iron": {"a": 1.0, "b": 0.1}}


def law(x, a, b, c=1.0):
    return a * x**b + c


def newton(g, slope, start, tol=1e-6, rounds=50):
    z = start
    for _ in range(rounds):
        step = g(z) / slope(z)
        z = z - step
        if abs(step) < tol:
            break
    return z


def h(x, **given):
    return given["a"] * x ** given["b"]


def f(x, c):
    s = 0.0
    for k in ("steel", "iron"):
        s = s + np.sum(law(x, **TABLE[k], c=c))
    p, q = {**STEEL, "b": c}, dict(STEEL, a=c)
    s = s + np.sum(law(x, **p)) + np.sum(h(x, **(STEEL | {"a": c}))) * q["a"] * q["b"]
    return s + np.var(x * c, **OPTIONS) + newton(lambda z: z**3 - c, lambda z: 3 * z**2, 1.0, **{"tol": 1e-9})
""",
    np.array([0.3, 0.7, 1.2, 0.9]),
    0.6,
)

case(
    "imports inside of functions, of names that the module has for something else",
    """
from math import e, log, sin

import numpy as np


def exp(x):
    return np.exp(x) + 1.0


class Law:
    def __init__(self, k):
        self.k = k

    def of(self, x):
        from numpy import log, sin

        return np.sum(log(x) * sin(self.k * x))


def g(x):
    # the one of NumPy
    from numpy import log

    return np.sum(log(x)) * e


def h(x, e):
    from math import exp, log

    return exp(x) * log(e) + sum(log(exp(v) + e) for v in (x, 2.0 * x))


def f(x):
    y = g(x) + log(x[0]) * sin(x[1]) + exp(x[2])
    return y * h(x[0], x[1]) + Law(x[2]).of(x)
""",
    np.array([0.3, 0.7, 1.2]),
)

case(
    "two functions that another one makes, in the module and in the function",
    """
import numpy as np


def make(a, power=2):
    scale = a**2

    def law(x):
        return scale * x

    def slope(x):
        return a + x**power

    return law, slope


def entries(a):
    return {"up": lambda x: a * x, "down": lambda x: x / a}


law, slope = make(1.5)
first = make(0.5)[0]


def f(x, a):
    value = np.sum(law(x) * slope(x) * first(x))
    down = entries(a)["down"]
    for k in range(2):
        own, other = make(a + k, power=3)
        value = value + np.sum(own(x) * other(down(x)))
    return value
""",
    np.array([0.3, 0.7, 1.2]),
    0.6,
)

case(
    "pairs that zip and enumerate give, kept in lists",
    """
import numpy as np

N = 2


def law(a, b, c):
    return a * b + c


def f(x):
    pairs = list(zip(x, x[1:]))
    s = pairs[0][1]
    for a, b in pairs:
        s = s + a * b**2
    for i, (a, b) in enumerate(list(zip(x[:-1], x[1:]))):
        x = x * 1.1
        s = s + a * b**i
    numbered = list(enumerate(x, 1))
    for k, v in numbered:
        s = s + k * v
    q = x[0] * x[1]
    k, t = 1.5, tuple(x)
    return s + law(*[q] * 3) + law(*[0.5] * N, x[1]) * law(*(x[0], q, 2.0) * 1) + k * t[2]
""",
    np.array([0.3, 0.7, 1.2]),
)

case(
    "items that are taken of an iterator, and the rest",
    """
import numpy as np


def f(x, y):
    it = iter(x)
    a = next(it)
    b = a * next(it) - next(it)
    for v in it:
        b = b + v * a * x[0]
    m = 2.0 * y
    for i in range(3):
        each = iter(y)
        first = next(each)
        table = np.array([tuple(m), tuple(m)])
        b = b + np.sum(table**2) * first
        m = m * 0.5
        for v in each:
            b = b + v * first
    return b
""",
    np.array([0.3, 0.7, 1.2, 0.9]),
    np.array([0.8, 1.1, 0.4]),
)

case(
    "a named tuple that is made and changed in one expression",
    """
from typing import NamedTuple

import numpy as np


class Drug(NamedTuple):
    rate: float = 1.0
    loss: float = 0.2
    volume: float = 10.0


def level(t, dose, drug: Drug):
    rate, loss, volume = drug
    return dose * rate / (volume * (rate - loss)) * (np.exp(-loss * t) - np.exp(-rate * t))


def f(t, rate, loss):
    drug = Drug(rate=rate, loss=loss)._replace(volume=12.5)
    c = np.zeros_like(t)
    for start, dose in {0.0: 100.0, 0.4: 50.0}.items():
        c = c + np.where(t >= start, level(t - start, dose, drug), 0.0)
    return np.sum(c) * drug.rate / Drug(loss)._replace(loss=rate, volume=2.0).loss
""",
    np.array([0.3, 0.7, 1.2]),
    1.2,
    0.3,
)

case(
    "settings of each row of a table of the module",
    """
ANTOINE = {
    "benzene": dict(A=6.90565, B=1211.033, C=220.79),
    "toluene": {"A": 6.95464, "B": 1344.8, "C": 219.482},
}


def pressure(T, *, A, B, C):
    return 10 ** (A - B / (T - 273.15 + C))


def f(T, x):
    p = [pressure(T, **c) for c in ANTOINE.values()]
    s = 0.0
    for name, row in ANTOINE.items():
        s = s + pressure(T * x[0], **row)
    q = {k: pressure(T, **v) for k, v in ANTOINE.items()}
    return sum(xi * pi for xi, pi in zip(x, p)) + s * q["benzene"]
""",
    350.0,
    np.array([0.9, 0.6]),
)


case(
    "a list of one branch, read where the test is turned around, below a store of its items",
    """
import numpy as np


def f(a: float, M, n: int):
    M = M.copy()
    done = n > 3
    if not done:
        saved = []
        for i in range(2):
            saved.append(np.sin(M[i]))
            M[i] = M[i] * a
    a = np.sin(a)
    b = 0.0
    if done:
        b = 1.0
    else:
        for i in range(2):
            row = M[i]
            row[...] = saved[i]
            b += np.sum(M[i] ** 2)
    return M * a + b
""",
    0.7,
    np.array([[0.3, 0.7], [1.3, 0.4]]),
    1,
)

case(
    "a number beside a named tuple, which a helper hands back",
    """
from typing import NamedTuple


class P(NamedTuple):
    x: float
    y: float


def moved(p: P, t: float):
    p = p._replace(x=p.y * t)
    return p.x, p


def f(x: float, y: float):
    r, q = moved(P(x, y), x)
    return y * r
""",
    0.7,
    0.4,
)

case(
    "rows of an array to which constants are added",
    """
import numpy as np


def f(M, v):
    # s2s: M (2, 3), v (2,)
    M, v = M.copy(), v.copy()
    for row in M:
        row += np.tanh(0.3)
    for row in v.reshape(2, 1):
        row -= 0.5
    v[1:] += 2.0
    return np.sum(np.sin(v)) + np.sum(M * M)
""",
    np.array([[0.3, 0.7, -0.2], [1.3, 0.4, 0.8]]),
    np.array([0.3, 0.7]),
)

case(
    "the largest item of a list that starts as a number",
    """
def f(beta: float, gamma: float, n: int):
    S, I = [0.99], [0.01]
    for _ in range(n):
        new = beta * S[-1] * I[-1]
        S.append(S[-1] - new)
        I.append(I[-1] + new - gamma * I[-1])
    peak = max(I)
    return peak - min(S) + sum(I)
""",
    0.7,
    0.2,
    5,
)


case(
    "a helper that writes, and whose results, a number and an array, nobody takes",
    """
import numpy as np


def scaled(w, c):
    for i in range(2):
        w[i] = w[i] * np.tanh(c)
    return np.sum(w), w * c


def listed(w, c):
    w[1:] *= c
    return {"a": [w[0] * c, "x"], "n": len(w)}


def f(w, b: float):
    w = w.copy()
    scaled(w, b)
    listed(w, b)
    return np.sum(w ** 2)
""",
    np.array([0.3, 0.7, 1.2]),
    0.7,
)

# What a loop binds twice: one of two names for the items of an array is read behind the other one.
case(
    "two names for each item of an array, of which one is bound before the loop, and behind it",
    """\
import numpy as np


def f(v):
    a = 2.0 * v[0]
    s = a
    for a, b in zip(v, v):
        s = s + a * np.sin(b)
    for t in range(len(v)):
        a = v[t]
        s = s + a
    return s
""",
    np.array([0.3, -0.7, 1.1]),
)

# Lists of numbers, and lists of these, that helpers go through, without annotations.
DOT = """\
def dot(u, v):
    return sum(x * y for x, y in zip(u, v))


def matvec(M, v):
    return [dot(r, v) for r in M]


"""
ROWS = [[1.0, 2.0], [0.5, 0.3]]

case(
    "rows of other lengths that a helper goes through",
    """\
def squares(r):
    t = 0.0
    for v in r:
        t += v * v
    return t


def f(M, a):
    s = 0.0
    for r in M:
        s += a * squares(r)
    return s
""",
    [[1.0, 2.0, 0.5], [0.3]],
    0.5,
)
case(
    "rows of other lengths whose items a helper counts from the end",
    """\
def horner(c, x):
    v = 0.0
    for k in reversed(c):
        v = v * x + k
    return v


def f(C, x):
    p = 1.0
    for c in C:
        p *= horner(c, x)
    return p
""",
    [[1.0, 2.0, 0.5], [0.3]],
    0.5,
)
case(
    "a list that helpers go through, and that is summed as an array, too",
    """\
import numpy as np


def squares(r):
    s = 0.0
    for v in r:
        s = s + np.sum(v) ** 2
    return s


def f(r, a):
    b = a * np.sum(r)
    return squares(r) + b * squares(r)
""",
    [1.0, 2.0],
    0.5,
)
case(
    "a helper that is given a list of the caller's, and one that another helper makes",
    DOT
    + """\
def f(M, v):
    w = matvec(M, v)
    w = matvec(M, w)
    return dot(w, v)
""",
    ROWS,
    [0.1, 0.2],
)
case(
    "a helper that is given a list that gets longer, and one of the caller's",
    DOT
    + """\
def f(M, v):
    w = matvec(M, v)
    w.append(w[0] * w[1])
    return dot(w, w) + dot(v, v)
""",
    ROWS,
    [0.1, 0.2],
)
case(
    "items of lists that helpers make are written, and the caller's list is handed on",
    DOT
    + """\
def f(M, v):
    w = matvec(M, v)
    w[0] = w[0] * w[1]
    u = matvec(M, w)
    u[1] += w[0]
    return dot(u, v)
""",
    ROWS,
    [0.1, 0.2],
)
case(
    "an array beside a list, in the same helper",
    DOT
    + """\
def f(M, v):
    w = v
    for k in range(3):
        w = matvec(M, w)
    return dot(w, v)
""",
    np.array(ROWS),
    np.array([0.1, 0.2]),
)

case(
    "a branch by a value that it changes behind a loop",
    """\
def f(x, y, a):
    q = x[1]
    w = a * x[0]
    if q > 0.5:
        w = q * w
    else:
        for j in range(len(y)):
            w = q + w * w * y[j]
        q = w * x[0]
    return q * w
""",
    np.array([0.9, 0.4, 0.7]),
    np.array([0.3, 0.8]),
    0.7,
)

# Sums at items, of which some are named twice, in loops that read them: they are put back once each.
case(
    "sums in a loop at items that the text or the run names twice",
    """\
import numpy as np


# s2s: x (3,)
def f(x, idx):
    y = x.copy()
    for i in range(3):
        np.add.at(y, [0, i, 0], x[i] * y[1] + x * x)
        np.add.at(y, [1, 1], x[:2] * y[0])
        np.subtract.at(y, idx[i], y * x[i])
    return np.sum(y**2)
""",
    np.array([0.5, 0.7, 0.4]),
    np.array([[0, 1, 2], [1, 1, 0], [2, -1, -3]]),
)
case(
    "sums in a loop at pairs, rows and columns that the text or the run names twice",
    """\
import numpy as np


# s2s: A (m, k)
def f(A, rows, n: int):
    t = np.zeros((2, 3))
    for i in range(n):
        np.add.at(t, ([0, 0, 1], [0, 0, i]), A[i] * t[0] + A[1])
        np.add.at(t, (rows[i], [1, 1, 1]), A[i] * t[0])
        np.add.at(t, (i, [0, 0, 1]), A[i] * t[0] + A[1])
        np.add.at(t, (slice(None), [0, 0, i]), A * t)
        np.add.at(t, (slice(1), slice(1, None)), A[i, 1:] * t[i, 1:])
    return t
""",
    np.array([[0.5, 0.7, 1.2], [0.1, 0.3, 0.6]]),
    np.array([[0, 0, 1], [1, -1, 0]]),
    2,
)

# Arrays that were made apart, and lie in one tuple later: a part of one into the other one.
case(
    "a part of one array into another one, where both lie in one tuple, in a loop",
    """\
import numpy as np


def step(a, b):
    a[1:] = b[:-1]
    return a, b


# s2s: x (n,), z (n,)
def f(x, z):
    a = np.zeros_like(x)
    b = np.copy(x)
    for i in range(3):
        t = step(a, b)
        a = t[1] * z
        b = t[0] + x
        a[::2] = b[:2]
    return np.sum(a * b)
""",
    np.array([0.5, 0.7, 1.2]),
    np.array([0.15, 0.27, 0.2]),
)

# What an item gets in place is not added to a list: the item is an array.
case(
    "arrays made of those of a list, written and returned in another one, whose items are written as well",
    """\
import numpy as np


def f(xs, c: float):
    out = []
    for x in xs:
        y = x.copy()
        y[0] = c * y[1]
        y[1] += y[0] * x[0]
        out.append(y)
    out[0][:] = out[1] * out[0]
    return out
""",
    [np.array([0.5, 0.7]), np.array([1.2, 0.3])],
    0.2,
)

# Arrays without a name, whose parts are written: the parts are views of one array.
case(
    "parts of arrays that have no name, unpacked and written",
    """\
import numpy as np


# s2s: x (n,)
def f(x):
    a, b, c = np.split(x.copy(), 3)
    a[:] = b * c
    b[0] += a[1]
    c -= b
    u, v = np.exp(x).reshape(2, 3)
    u *= v
    parts = np.split(x * 2.0, 2)
    q = parts[0]
    q[1:] += q[:-1] * parts[1][0]
    s = u[0] * v[1] + np.sum(parts[0] * parts[1])
    for r in np.split(x * 3.0, 2):
        r += r[0]
        s += r @ r * s
    return np.stack([a, b, c]) * s
""",
    np.array([0.5, 0.7, 1.2, 0.3, 0.8, 0.4]),
)

# A list of floats that gets other items has a largest one, as one that is written out has.
case(
    "the largest of a list of zeros into which numbers are put",
    """\
import numpy as np


# s2s: x (n,)
def f(x, w: float):
    acc = [0.0] * len(x)
    ends = [0.0, 1.0]
    for i in range(len(x)):
        acc[i] += w * x[i] * acc[i - 1] + x[i]
        ends[i % 2] *= x[i]
    m = max(acc) - min(ends)
    return [a / m for a in acc]
""",
    np.array([0.5, 0.7, 1.2, 0.3]),
    0.3,
)

# Comprehensions whose items are results of calls that change objects: loops, where the calls' text stands.
case(
    "comprehensions of calls that change an object, or a dict",
    """\
import numpy as np


class Cell:
    def __init__(self, h):
        self.h = h
        self.c = np.zeros_like(h)

    def add(self, x):
        self.c *= 0.5
        self.c[1:] += x[:-1] * self.h[1:]
        self.h = np.tanh(self.c + x)
        return self.h


def step(state, x):
    state["c"] = state["c"] * 0.5 + x
    return np.sum(np.tanh(state["c"]))


def f(x):
    cell = Cell(x * 0.1)
    state = {"c": x}
    outs = [cell.add(x * k) for k in range(1, 4)]
    total = sum(step(state, o) for o in outs) * np.sum(state["c"])
    pairs = [(np.sum(cell.c), step(state, cell.add(x))) for _ in range(2) if state["c"][0] < 9.0]
    return total + np.sum(cell.c) * pairs[0][1] * pairs[1][0]
""",
    np.array([0.5, 0.7, 1.2, 0.3]),
)

case(
    "a variable that inner loops bind, which the first round of the outer one does not have before",
    """\
def f(x, y, a):
    s = a
    for i in range(len(x)):
        for j in range(len(y)):
            w = x[i] * y[j]
        for j in range(len(y)):
            w = w * y[j] + w * w
        s = s * w
    return s * w
""",
    np.array([0.9, 0.4, 0.7]),
    np.array([0.3, 0.8]),
    0.7,
)

case(
    "a list or an array, of which a helper takes the items",
    """\
import numpy as np


def squares(rows):
    s = 0.0
    for r in rows:
        s = s + r * r
    return s


def f(x):
    rows = [x] if np.ndim(x) == 1 else x
    return squares(rows) * squares(rows)
""",
    np.array([0.3, -0.4, 0.5]),
)

# Keywords over defaults: what the caller sets of a function's parameters, in a dict of its own.
case(
    "a dict of settings for a function that takes **params over its defaults",
    """\
import numpy as np

DEFAULTS = {"k": 1.0, "c": 0.5, "m": 2.0}


def energy(x, **params):
    p = {**DEFAULTS, **params}
    return np.sum(p["k"] * x**2 / p["m"] + p["c"] * np.sin(x))


# s2s: x (n,)
def f(x, settings):
    return energy(x, **settings)
""",
    np.array([1.0, 2.0, 3.0]),
    {"k": 2.0, "m": 3.0},
)
case(
    "a dict of settings for parameters that all have defaults",
    """\
import numpy as np


def energy(x, k=1.0, c=0.5, m=2.0):
    return np.sum(k * x**2 / m + c * np.sin(x))


# s2s: x (n,)
def f(x, settings):
    return energy(x, **settings)
""",
    np.array([1.0, 2.0, 3.0]),
    {"k": 2.0, "m": 3.0},
)
case(
    "keywords over defaults, in each way of writing it",
    """\
import numpy as np

DEFAULTS = {"k": 1.0, "c": 0.5, "m": 2.0}


def energy(x, **params):
    p = DEFAULTS | params
    return np.sum(p["k"] * x**2 / p["m"] + p["c"] * np.sin(x))


def heat(x, **params):
    p = dict(DEFAULTS, **params)
    a = p["k"]
    return np.sum(a * x**2 / p["m"] + p["c"] * np.sin(x))


def work(x, **params):
    p = dict(DEFAULTS)
    p.update(params)
    a = p["k"]
    return np.sum(a * x**2 / p["m"] + p["c"] * np.sin(x))


def power(x, k):
    given = {"k": k, "c": 2.0}
    p = dict(DEFAULTS)
    p.update(given)
    return np.sum(p["k"] * x**2 / p["m"] + p["c"] * np.sin(x))


# s2s: x (n,)
def f(x, k, m):
    return energy(x, k=k) + heat(x, m=m) + work(x, k=k, m=m) + power(x, k)
""",
    np.array([1.0, 2.0, 3.0]),
    2.0,
    3.0,
)
for shown, after in (("[x[1], x[2]]", "t[1][0]"), ("(x[0], [x[1], x[2]])", "t[1][1][0]")):
    case(
        f"a tuple of a number and {shown}, which a helper reads and the function itself",
        f"""\
import numpy as np


def area(t, k):
    w, p = t
    return w * {"p[0] * p[1]" if after == "t[1][0]" else "(p[0] * p[1][0] + p[1][1])"} * k


# s2s: x (n,)
def f(x, k: float):
    t = (x[1] * 1.5, {shown})
    return area(t, k) + t[0] * {after} + area(t, 2.0)
""",
        np.array([1.0, 2.0, 3.0]),
        0.7,
    )

# A list of a number and a tuple, read only: a tuple itself.
case(
    "lists of a number and a tuple that are read only, here and in helpers",
    """\
import numpy as np


def area(t):
    w, p = t
    return w * (p[0] * p[1] + p[2])


def shifted(t, c):
    return area(t) * c


def grown(t):
    t = t + [1.0]
    return t[0] * t[2]


# s2s: x (n,)
def f(x, c: float):
    t = [x[0], tuple(x), "name"]
    u = [c, tuple(x)]
    s = 0.0
    for k in range(len(x)):
        v = [c * k, tuple(x)]
        s = s + area(v) * v[0] + v[1][k] * v[-1][0]
    q = [c, 2.0]
    return area(u) + shifted(u, c) + t[0] * t[1][2] + s + grown(q)
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
)
case(
    "a loop over the tuple beside a number in a list, or in a tuple",
    """\
# s2s: x (n,)
def f(x, a: float):
    u = (2.0, a)
    p = (a * a, tuple(x))
    t = [a, tuple(x)]
    s = 0.0
    for v in p[1]:
        s = s + v**2
    for v in t[1]:
        s = s * v
    return s * p[0] + t[0] * u[1]
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
)
case(
    "a tuple that branches of a loop read, and a helper in others",
    """\
import numpy as np


def area(t, k):
    w, p = t
    return w * (p[0] * p[1]) * k


# s2s: x (n,)
def f(x, k: float, n: int):
    t = (x[1] * 1.5, [x[0], x[1], x[2]])
    s = t[0] * t[1][2]
    for i in range(n):
        if i % 2 == 0:
            s = s + area(t, k)
        else:
            s = s * t[1][0] + t[0]
    if k > 0.5:
        s = s * area(t, s)
    else:
        s = s + t[0]
    return s
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
    3,
)

# One function for objects of two classes, whose operators and fields are not the same.
case(
    "a helper that is given objects of two classes",
    """\
class A:
    def __init__(self, u):
        self.u = u

    def __add__(self, o):
        return A(self.u * o.u)

    def val(self):
        return self.u


class B:
    def __init__(self, u):
        self.u = u

    def __add__(self, o):
        return B(self.u - o.u)

    def val(self):
        return self.u * 2.0


def add(a, b):
    c = a + b
    return c.val()


def f(x: float, y: float):
    return add(A(x), A(y)) * add(B(x), B(y))
""",
    1.3,
    0.7,
)
case(
    "named tuples of two classes that helpers take for tuples",
    """\
from collections import namedtuple
from typing import NamedTuple

import numpy as np

Point = namedtuple("Point", "x y")


class Pair(NamedTuple):
    a: float
    b: float


def first(p):
    a, b = p
    return a * b


def second(p):
    return p[0] + p[1] * p[-1] + len(p)


def third(p):
    s = 0.0
    for v in p:
        s = s + v**2
    return s


def fourth(p):
    return sum(p) * max(p)


def f(x: float, y: float):
    p = Point(x, y)
    q = Pair(x * y, y)
    return first(p) + second(p) + third(p) + fourth(p) + first(q) + second(q) + third(q) + fourth(q) + p.x
""",
    1.3,
    0.7,
)
case(
    "a named tuple that is unpacked, run over and numbered in helpers and methods",
    """\
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    pos: np.ndarray
    vel: np.ndarray

    def energy(self):
        q, v = self
        return np.sum(q**2) + np.sum(self[1] ** 2)

    def total(self):
        return sum(np.sum(v) for v in self) * len(self)


def step(s, dt):
    q, v = s
    return State(q + dt * v, v - dt * q)


def norm(s):
    return sum(np.sum(c**2) for c in s)


# s2s: x (n,), v (n,)
def f(x, v, dt: float, n: int):
    s = State(x, v)
    for _ in range(n):
        s = step(s, dt)
    return s.energy() + norm(s) + s.total() + s[0][0]
""",
    np.array([1.0, 2.0]),
    np.array([0.3, 0.4]),
    0.1,
    3,
)
case(
    "tests whether NumPy has a function",
    """\
import numpy as np


def area(a):
    # the name changed with NumPy 2
    if not hasattr(np, "trapezoid"):
        return np.trapz(a)
    return np.trapezoid(a)  # the new one


# s2s: a (n,)
def f(a):
    s = np.trapezoid(a) if hasattr(np, "trapezoid") else np.trapz(a)
    if hasattr(np.linalg, "no_such"):
        s = np.linalg.no_such(s)
    elif hasattr(a, "shape"):
        s = s * 2.0
    return s + area(a)
""",
    np.array([2.0, 1.0, 3.0]),
)
case(
    "a dict of parameters that *args hands to the right-hand side of an equation",
    """\
import numpy as np


def rhs(t, y, params):
    prey, pred = y
    growth = params["alpha"] * prey - params["beta"] * prey * pred
    death = params["delta"] * prey * pred - params["gamma"] * pred
    return np.array([growth, death])


def rk4_step(f, t, y, h, *args):
    k1 = f(t, y, *args)
    k2 = f(t + h / 2, y + h / 2 * k1, *args)
    k3 = f(t + h / 2, y + h / 2 * k2, *args)
    k4 = f(t + h, y + h * k3, *args)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def solve(params, y0, times):
    ys = [np.asarray(y0)]
    for t0, t1 in zip(times[:-1], times[1:]):
        ys.append(rk4_step(rhs, t0, ys[-1], t1 - t0, params))
    return np.array(ys)


def f(params, y0, times, data, sigma=1.0):
    model = solve(params, y0, times)
    residuals = (model - data) / sigma
    prior = sum((v - 1.0) ** 2 for v in params.values())
    return 0.5 * np.sum(residuals**2) + prior
""",
    {"alpha": 1.1, "beta": 0.4, "delta": 0.1, "gamma": 0.4},
    np.array([2.0, 1.0]),
    np.linspace(0.0, 1.0, 5),
    np.ones((5, 2)),
)
case(
    "*args and **options that are handed on, read by numbers, and counted",
    """\
import numpy as np


def integrate(f, a, b, *args, n=8, **kw):
    h = (b - a) / n
    total = 0.5 * (f(a, *args, **kw) + f(b, *args, **kw))
    for i in range(1, n):
        total += f(a + i * h, *args, **kw)
    return h * total


def gauss(x, mu, sig, scale=1.0):
    return scale * np.exp(-0.5 * ((x - mu) / sig) ** 2)


def poly(x, c):
    return sum(ck * x**k for k, ck in enumerate(c))


def newton(f, df, x, *args, steps=4):
    for _ in range(steps):
        x = x - f(x, *args) / df(x, *args)
    return x


def cubic(x, p):
    return x**3 - p["a"] * x - p["b"]


def dcubic(x, p):
    return 3 * x**2 - p["a"]


def f(mu, sig, c, p):
    area = integrate(gauss, -1.0, 2.0, mu, sig, scale=2.0) + integrate(gauss, 0.0, 1.0, mu, sig, n=4)
    q = integrate(poly, 0.0, 1.0, c)
    r = newton(cubic, dcubic, 2.0, p)
    return area * q + r + second(mu, sig, 2.0 * sig, mu) * weighted(mu, sig)


def weighted(x, *rest):
    return x * rest[0] + rest[-1] * len(rest) + sum(rest)


def second(x, *rest):
    return rest[1] * x + weighted(x, *rest)
""",
    0.3,
    0.7,
    np.array([1.0, 2.0, 0.5]),
    {"a": 1.1, "b": 0.4},
)
case(
    "rates under names that a table of reactions has",
    """\
import numpy as np

SPECIES = ["A", "B", "C"]
REACTIONS = [
    {"in": ("A",), "out": ("B",), "k": "k1"},
    {"in": ("A", "B"), "out": ("C",), "k": "k2"},
    {"in": ("C",), "out": ("A", "A"), "k": "k3"},
]


def rates(conc, k):
    out = dict.fromkeys(SPECIES, 0.0)
    for r in REACTIONS:
        v = k[r["k"]]
        for s in r["in"]:
            v = v * conc[s]
        for s in r["in"]:
            out[s] -= v
        for s in r["out"]:
            out[s] += v
    return out


def f(a0, k, dt=0.1, n=3):
    conc = {"A": a0, "B": 0.2, "C": 0.0}
    for _ in range(n):
        d = rates(conc, k)
        conc = {s: c + dt * d[s] for s, c in conc.items()}
    return conc["C"] + conc["A"] * conc["B"]
""",
    1.0,
    {"k1": 0.5, "k2": 0.3, "k3": 0.2},
)
case(
    "rates beside a dict over whose keys a loop runs, which a helper reads under texts",
    """\
import numpy as np


def prior(params, rates):
    total = 0.0
    for k in params:
        total = total + (params[k] - 1.0) ** 2 * rates[k]
    return total


def growth(params, rates, y):
    prey, pred = y
    return rates["alpha"] * prey - params["beta"] * rates["beta"] * pred


def f(params, y, rates):
    g = growth(params, rates, y)
    for k in params:
        g = g * (1.0 + params[k] * rates[k])
    return g * prior(params, rates)
""",
    {"alpha": 1.1, "beta": 0.4},
    np.array([2.0, 1.0]),
    {"alpha": -0.1, "beta": 0.3},
)
case(
    "a helper that copies the dict which it is given, under its own name, and changes the copy",
    """\
import numpy as np

NAMES = ["A", "B"]


def weighted(conc, k, rates):
    rates = dict(rates)
    total = {k: np.zeros_like(v, dtype=np.result_type(v, 0.0)) for k, v in conc.items()}
    for s in NAMES:
        total[s] += rates[s] * k * conc[s]
        rates[s] = rates[s] * k
    return total, rates


def f(a, b, k):
    total, after = weighted({"A": a, "B": b}, k, {"A": 0.3 * a, "B": 0.2 * b})
    return total["A"] * after["A"] + total["B"] * after["B"]
""",
    1.1,
    0.4,
    0.7,
)
case(
    "methods of the objects in a list that a helper is given",
    """\
import numpy as np


class Layer:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


def forward(layers, x):
    for layer in layers:
        x = layer(x)
    return x


def f(W1, W2, b1, b2, x):
    layers = [Layer(W1, b1), Layer(W2, b2)]
    return np.sum(forward(layers, x) ** 2)
""",
    np.array([[0.3, 0.5], [0.1, -0.2]]),
    np.array([[0.3, 0.4], [0.2, -0.2]]),
    np.array([0.1, 0.2]),
    np.array([0.2, 0.3]),
    np.array([1.0, 0.5]),
)
case(
    "methods of the objects in a list, in a loop over places",
    """\
import numpy as np


class Material:
    def __init__(self, E, A):
        self.E = E
        self.A = A

    def stress(self, eps):
        return self.E * eps * (1 + 0.1 * eps**2)


def residual(materials, eps):
    out = np.zeros(len(materials))
    for i, m in enumerate(materials):
        out[i] = m.stress(eps[i]) * m.A
    return out


def f(E, eps):
    materials = []
    for i in range(len(E)):
        materials.append(Material(E[i], 1.0 + i))
    r = residual(materials, eps)
    return np.sum(r**2)
""",
    np.array([0.3, 0.5, -0.2]),
    np.array([0.3, 0.5, -0.2]),
)
case(
    "a helper that moves the objects in a list",
    """\
import numpy as np


class Body:
    def __init__(self, m, q, v):
        self.m = m
        self.q = q
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2

    def move(self, dt):
        self.q = self.q + dt * self.v
        self.v = self.v - dt * np.sin(self.q)


def step(bodies, dt):
    for b in bodies:
        b.move(dt)


def energy(bodies):
    return sum(b.kinetic() for b in bodies)


def f(x, v):
    bodies = [Body(1.0 + 0.1 * i, x[i], v[i]) for i in range(len(x))]
    for _ in range(3):
        step(bodies, 0.1)
    return energy(bodies)
""",
    np.array([0.3, 0.5, -0.2]),
    np.array([0.3, 0.5, -0.2]),
)
case(
    "a helper that changes neighbours in a list of objects",
    """\
import numpy as np


class Cell:
    def __init__(self, u):
        self.u = u
        self.flux = 0.0


def fluxes(cells, c):
    for k in range(len(cells) - 1):
        left, right = cells[k], cells[k + 1]
        fl = c * (left.u - right.u) * (1 + left.u**2)
        left.flux -= fl
        right.flux += fl


def update(cells, dt):
    for cell in cells:
        cell.u += dt * cell.flux
        cell.flux = 0.0


# s2s: u (n,), c ()
def f(u, c):
    cells = [Cell(v) for v in u]
    for _ in range(4):
        fluxes(cells, c)
        update(cells, 0.1)
    return sum(cell.u**2 for cell in cells)
""",
    np.array([0.3, 0.5, -0.2]),
    0.7,
)
case(
    "a system of bodies that a comprehension makes",
    """\
import numpy as np


class Body:
    def __init__(self, m, q, v):
        self.m = m
        self.q = q
        self.v = v

    def move(self, dt):
        self.q = self.q + dt * self.v

    def kick(self, a, dt):
        self.v = self.v + dt * a


class System:
    def __init__(self, bodies):
        self.bodies = bodies

    def step(self, dt):
        for b in self.bodies:
            b.kick(-np.sin(b.q), dt)
            b.move(dt)

    def energy(self):
        return sum(0.5 * b.m * b.v**2 for b in self.bodies)


def f(x, v):
    sys = System([Body(1.0, q, w) for q, w in zip(x, v)])
    for _ in range(3):
        sys.step(0.1)
    return sys.energy()
""",
    np.array([0.3, 0.5, -0.2]),
    np.array([0.3, 0.5, -0.2]),
)
case(
    "a net of layers that a comprehension makes",
    """\
import numpy as np


class Layer:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def forward(self, x):
        return np.tanh(self.W @ x + self.b)


class Net:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


def f(Ws, bs, x):
    net = Net([Layer(W, b) for W, b in zip(Ws, bs)])
    return np.sum(net.forward(x) ** 2)
""",
    np.array([[[0.3, 0.5], [0.1, -0.2]], [[0.3, 0.4], [0.2, -0.2]]]),
    np.array([[0.1, 0.2], [0.2, 0.3]]),
    np.array([1.0, 0.5]),
)
case(
    "a net of layers and of objects that are called",
    """\
import numpy as np


class Relu:
    def __call__(self, x):
        return np.maximum(x, 0.0)


class Tanh:
    def __call__(self, x):
        return np.tanh(x)


class Layer:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def forward(self, x):
        return self.W @ x + self.b


class Net:
    def __init__(self, layers, acts):
        self.layers = layers
        self.acts = acts

    def forward(self, x):
        for layer, act in zip(self.layers, self.acts):
            x = act(layer.forward(x))
        return x


def f(W1, W2, b1, b2, x):
    net = Net([Layer(W1, b1), Layer(W2, b2)], [Relu(), Tanh()])
    return np.sum(net.forward(x) ** 2)
""",
    np.array([[0.3, 0.5], [0.1, -0.2]]),
    np.array([[0.3, 0.4], [0.2, -0.2]]),
    np.array([0.1, 0.2]),
    np.array([0.2, 0.3]),
    np.array([1.0, 0.5]),
)
case(
    "operators of a base class that make objects of the class at hand",
    """\
import numpy as np


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return self.__class__(self.x + o.x, self.y + o.y)

    def __rmul__(self, s):
        return self.__class__(self.x * s, self.y * s)

    def __sub__(self, o):
        return self + (-1.0) * o


class Force(Vec):
    def power(self, v):
        return self.x * v.x + self.y * v.y


def f(a):
    u = Force(a[0], a[1])
    v = Force(a[2], a[3])
    w = u + 2.0 * v
    z = w - u
    return w.power(z)
""",
    np.array([0.2, 0.4, 0.5, 0.1]),
)
case(
    "pairs of zip, sorted",
    """\
import numpy as np


def f(a, b):
    t = 0.0
    for i, (u, v) in enumerate(sorted(zip(a, b))):
        t += (i + 1) * u * v**2
    return t
""",
    np.array([0.2, 0.4, 0.5, 0.1]),
    np.array([0.3, 0.6, 0.7, 0.9]),
)
case(
    "the largest pair",
    """\
import numpy as np


def f(a, b):
    u, v = max(zip(a, b))
    return u * v**2
""",
    np.array([0.2, 0.4, 0.5, 0.1]),
    np.array([0.3, 0.6, 0.7, 0.9]),
)
case(
    "the nearest of numbered items",
    """\
import numpy as np


def f(a, b):
    d, i = min((abs(x - 0.3), k) for k, x in enumerate(a))
    return d * b[i]
""",
    np.array([0.2, 0.45, 0.5, 0.1]),
    np.array([0.3, 0.6, 0.7, 0.9]),
)
case(
    "two lists sorted by one of them",
    """\
import numpy as np


def f(a, b):
    a, b = zip(*sorted(zip(a, b)))
    t = 0.0
    for i in range(len(a)):
        t = 0.5 * t + a[i] * b[i] ** 2
    return t
""",
    np.array([0.2, 0.4, 0.5, 0.1]),
    np.array([0.3, 0.6, 0.7, 0.9]),
)
case(
    "objects in the order of an attribute",
    """\
import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2


def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    t = 0.0
    for i, b in enumerate(sorted(bodies, key=lambda b: b.m)):
        t += (i + 1) * b.kinetic()
    return t
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "a list of objects that is sorted, and asked by places",
    """\
import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2


def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    bodies.sort(key=lambda b: b.m)
    return bodies[0].kinetic() + 2 * bodies[-1].kinetic()
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "methods of objects by their places",
    """\
import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2


def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    e = 0.0
    for i in range(len(bodies)):
        e = e + bodies[i].kinetic() * bodies[i - 1].kinetic()
    return e
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "objects that a helper takes apart",
    """\
import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2

    def kick(self, a):
        self.v = self.v + a * self.m


def boost(bodies):
    b, c = bodies
    b.kick(2.0)
    c.kick(b.v)


def f(x):
    bodies = [Body(x[0], x[1]), Body(x[1], x[2])]
    boost(bodies)
    return bodies[0].kinetic() + bodies[1].kinetic()
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "an object that a helper chooses between two items",
    """\
import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2

    def kick(self, a):
        self.v = self.v + a * self.m


def boost(bodies, c):
    b = bodies[0] if c else bodies[1]
    b.v = b.v * 2.0


def f(x):
    bodies = [Body(x[0], x[1]), Body(x[1], x[2])]
    boost(bodies, True)
    return bodies[0].kinetic() + bodies[1].kinetic()
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "objects that a comprehension of a helper changes",
    """\
import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2

    def kick(self, a):
        self.v = self.v + a * self.m


def kick_all(bodies, a):
    return [b.kick(a) for b in bodies]


def f(x):
    bodies = [Body(x[0], x[1]), Body(x[1], x[2])]
    kick_all(bodies, x[2])
    return bodies[0].kinetic() + 3.0 * bodies[1].kinetic()
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "an object that lies twice in a list, of which argsort gives the order",
    """\
import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v


def f(x):
    b = Body(x[0], x[1])
    bodies = [b, Body(x[1], x[2]), b]
    order = np.argsort([b.m for b in bodies])
    bodies = [bodies[i] for i in order]
    for i in range(3):
        bodies[i].v = bodies[i].v * x[1]
    return np.array([b.v * b.m for b in bodies]) + b.v
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "objects that a loop puts in place of those that it runs over",
    """\
class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v


def f(x):
    bodies = [Body(x[0], x[1]), Body(x[1], x[2])]
    for i, b in enumerate(bodies):
        bodies[i] = Body(b.v, b.m * x[0])
    return bodies[0].v * bodies[1].m
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "objects of a class whose method calls that of its base, of a copied list",
    """\
import numpy as np


class Thing:
    def __init__(self, m, v, p):
        self.m = m
        self.v = v
        self.p = p

    def kick(self, a):
        self.v = self.v + a * self.m

    def push(self, a):
        self.p += a * self.v


class Body(Thing):
    def kick(self, a):
        super().kick(a * 0.5)


def f(x):
    bodies = [Body(x[0], x[1], x * 1.0), Body(x[1], x[2], x * x), Body(x[2], x[0], np.sin(x))]
    e = 0.0
    crowd = list(bodies)
    crowd[0].kick(x[1])
    for b in reversed(bodies):
        b.v = b.v + e
    return sum(b.p * b.v for b in bodies)
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "a branch in which nothing is left of a test of what an object is",
    """\
class Body:
    def __init__(self, m, p):
        self.m = m
        self.p = p


def f(x):
    bodies = [Body(x[0], x), Body(x[1], x)]
    if x[0] > 10:
        if bodies[0] is bodies[-1]:
            bodies[0].m *= 3.0
    else:
        bodies[0].m *= 2.0
    return bodies[0].m + bodies[1].m * x[0]
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "objects in a list of places that are empty before",
    """\
import numpy as np


class Body:
    def __init__(self, m, p):
        self.m = m
        self.p = p


def f(x):
    bodies = [None] * 3
    for i in range(3):
        bodies[i] = Body(x[i], x[i] * x)
    b = bodies[0]
    bodies[0], bodies[1] = bodies[1], bodies[0]
    bodies[2] = bodies[0]
    b.p[0] = x[1]
    bodies[2].m = bodies[2].m * x[2]
    return np.array([b.m * b.p[0] for b in bodies])
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "rows in a list of places that are empty before, two of which change places",
    """\
def f(x):
    rows = [None] * 3
    for i in range(3):
        rows[i] = [x[i], x[i] * 2.0]
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][0] = x[2]
    return rows[1][0] + rows[0][0] * rows[2][1]
""",
    np.array([0.3, 0.5, -0.2]),
)

case(
    "whole number stored into a list of floats",
    """
import numpy as np


def f(n: int, prices: list):
    best = [float("-inf") for _ in range(n + 1)]
    best[0] = 0
    for i in range(1, n + 1):
        most = best[i]
        for j in range(1, i + 1):
            most = max(most, prices[j - 1] + best[i - j])
        best[i] = most
    return best[n]
""",
    4,
    [1.0, 5.3, 8.1, 9.2],
)

case(
    "least values that begin with sys.maxsize",
    """
import sys


def f(x):
    n = len(x)
    least = [[0.0 for _ in range(n)] for _ in range(n)]
    for a in range(n):
        for b in range(n):
            least[a][b] = sys.maxsize
            for c in range(n):
                cost = x[a] * x[c] + 2.0 * x[b]
                if cost < least[a][b]:
                    least[a][b] = cost
    return least[0][1] * least[1][2] + least[2][2]
""",
    np.array([0.5, 0.7, 0.9]),
)
case(
    "sums and means of slices of lists",
    """import numpy as np


def f(x):
    history = []
    for v in x:
        history.append(v**2)
    tail = [v for v in history if v > 0.3]
    return np.mean(history[-2:]) + np.sum(history[1:]) * np.mean(tail[::2]) + np.sum(history[::-1], axis=0)
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "an object with methods, in an object that counts what it did",
    """import numpy as np


class Box:
    def __init__(self, length):
        self.length = length

    def wrap(self, d):
        return d - self.length * np.round(d / self.length)


class Verlet:
    def __init__(self, box):
        self.box = box
        self.pairs = None

    def rebuild(self, pos):
        n = len(pos)
        self.pairs = [
            i
            for i in range(n)
            if np.linalg.norm(self.box.wrap(pos[i] - pos[i - 1])) < self.box.length
        ]

    def energy(self, pos):
        e = 0.0
        for i in self.pairs:
            d = self.box.wrap(pos[i] - pos[i - 1])
            e += d @ d
        return e


def f(pos):
    box = Box(4.0)
    field = Verlet(box)
    field.rebuild(pos)
    return field.energy(pos)
""",
    np.array([[0.0, 0.2, 0.1], [1.2, 0.1, 0.3], [0.1, 1.3, 0.2], [1.1, 1.2, 1.0]]),
)
case(
    "objects in a dict that loops run over, and in a tuple of names",
    """import numpy as np


class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest

    def energy(self, x):
        d = x - self.rest
        return 0.5 * self.k * d * d

    def wear(self, e):
        self.k = self.k * (1.0 - 0.1 * e)


def f(x, w):
    soft = Spring(x[0], 0.1)
    springs = {"soft": soft, "hard": Spring(x[1], x[0])}
    weights = {"soft": 0.7, "hard": w}
    e = 0.0
    for name, s in springs.items():
        if name == "hard":
            s.wear(e)
        e = e + weights[name] * s.energy(x[2])
    for name in ("hard", "soft"):
        e = e + springs[name].energy(w)
        if e > 100.0:
            break
    for s in springs.values():
        s.rest = s.rest + 0.1 * e
    stiff = Spring(w, 0.3)
    for s in (soft, stiff):
        e = e * s.k
    parts = {name: s.energy(x[1]) for name, s in springs.items()}
    return e + sum(s.k * s.rest for s in springs.values()) + parts["soft"] * parts["hard"] + springs["hard"].k
""",
    np.array([1.1, 0.7, 1.9]),
    0.6,
)
case(
    "functions in a dict that a loop runs over, and what itertools repeats, joins and takes apart",
    """import itertools
import math

import numpy as np


def square(v):
    return v * v


def f(x, w):
    table = {"sin": math.sin, "exp": np.exp, "sq": square, "cube": lambda v: v * v * w}
    e = 0.0
    for name, fn in table.items():
        if name != "exp":
            e += fn(x[0]) * x[1]
    both = [fn(x[2]) for fn in table.values()]
    d = dict(zip(["a", "b"], x))
    joined = sum(v * v for v in itertools.chain(x[:1], x[1:], [w]))
    pairs = sum(itertools.starmap(lambda a, b: a * b * b, zip(x, x[::-1])))
    for v, c in zip(x, itertools.repeat(w)):
        e = e + v * c
    return e + sum(both) * d["a"] * d["b"] + joined * pairs
""",
    np.array([1.1, 0.7, 1.9]),
    0.6,
)
case(
    "objects in a field, sorted by a key in a helper",
    """import numpy as np
from dataclasses import dataclass, field


@dataclass
class Dose:
    time: float
    amount: float
    route: str = "oral"


@dataclass
class Patient:
    ka: float
    ke: float
    v: float
    doses: list = field(default_factory=list)


def concentration(patient, times, dt=0.05):
    depot, central = 0.0, 0.0
    out = np.zeros(len(times))
    t = 0.0
    pending = sorted(patient.doses, key=lambda d: d.time)
    k = 0
    for i, target in enumerate(times):
        while t < target - 1e-12:
            while k < len(pending) and pending[k].time <= t:
                dose = pending[k]
                if dose.route == "oral":
                    depot += dose.amount
                else:
                    central += dose.amount
                k += 1
            h = min(dt, target - t)
            absorbed = patient.ka * depot
            depot -= h * absorbed
            central += h * (absorbed - patient.ke * central)
            t += h
        out[i] = central / patient.v
    return out


def f(theta, observed):
    times = np.array([0.5, 1.5, 3.0])
    ka, ke, v = np.exp(theta)
    p = Patient(ka, ke, v, [Dose(0.0, 100.0), Dose(1.0, 20.0, "iv")])
    c = concentration(p, times)
    r = (observed - c) / (0.1 + 0.2 * c)
    return 0.5 * np.sum(r ** 2) + np.sum(np.log(0.1 + 0.2 * c))
""",
    np.array([0.3, -1.0, 1.5]),
    np.array([7.0, 12.0, 8.0]),
)
case(
    "a matrix that is put together of lists of places and values, and arrays that lists are added to",
    """import numpy as np


def put(K, rows, cols, data):
    np.add.at(K, (rows, cols), data)


def squares(x):
    out = []
    for v in x:
        out.append(v * v)
    return out


def f(x, K):
    n = len(x)
    rows, cols, data = [], [], []
    for e in range(n - 1):
        k = np.array([[x[e], -x[e + 1]], [-x[e + 1], x[e]]])
        for a, p in enumerate((e, e + 1)):
            for b, q in enumerate((e, e + 1)):
                rows.append(p)
                cols.append(q)
                data.append(k[a, b])
    A = np.zeros((n, n))
    np.add.at(A, (rows, cols), data)
    K = K.copy()
    np.subtract.at(K, (rows, cols), data)
    put(K, rows, cols, data)
    np.add.at(K, (cols, rows), data)
    y = np.zeros(n) + x[0]
    L = [0.0] * n
    for i in range(n):
        L[i] = x[i] * x[i - 1]
    y[:n] *= L
    y += squares(x)
    return np.sum(A * A) + np.sum(K**2) + np.sum((L - x) * y)
""",
    np.array([1.1, 0.7, 1.9]),
    np.ones((3, 3)),
)

SIGNED_POWER = """
import numpy as np


def signed_power(a, p):
    a = np.asarray(a, dtype=float)
    b = np.sign(a) * np.abs(a) ** p
    return np.float64(0 if b.ndim == 0 and np.isnan(b) else b)


def f(x):
    return signed_power(x, 0.4) * x
"""
case("truth value behind a test of the rank of a local, of an array", SIGNED_POWER, v())
case("truth value behind a test of the rank of a local, of a number", SIGNED_POWER, 0.7)
case(
    "branch that is only for numbers, by the rank of a local",
    """
import numpy as np


def f(x):
    y = np.asarray(x) * x
    if y.ndim == 0:
        if y > 2.0:
            y = y * 3.0
    return np.sqrt(y) * 2.0
""",
    v(),
)

POSITIVE_PART = """
import numpy as np


def f(x):
    x = np.asarray(x)
    y = np.zeros(x.shape)
    m = x >= 0.0
    y[m] = x[m] ** 2
    return y * 3.0
"""
ZEROED = """
import numpy as np


def f(x):
    h = np.where(x > 1.0, 3.0 * x, x * x)
    h[np.asarray(x < 0)] += 1.0
    h[np.asarray(x == 0)] = 0.0
    return h * x
"""
SCALED_AND_ZEROED = """
import numpy as np


def f(x):
    h = np.zeros_like(x)
    h += x * 2.0
    h[np.asarray(x < 0.0)] = 0.0
    return h * 3.0 * x
"""
MASKED_PRODUCT = """
import numpy as np


def f(x):
    h = np.asarray(x * x)
    h[np.asarray(x < 0.0)] = 0.0
    return h * 3.0 * x
"""
WRITTEN_BY_MASKS = {
    "part of an array that a mask picks": POSITIVE_PART,
    "choice that masks write into": ZEROED,
    "sum that a mask writes into": SCALED_AND_ZEROED,
    "product that a mask writes into": MASKED_PRODUCT,
}
for _what, _text in WRITTEN_BY_MASKS.items():
    case(_what, _text, np.array([0.7, -0.3, 1.6]))
case(
    "array updated before it lies in a list that a helper gets",
    """
import numpy as np

SCALE = "reference"


def scaled(a):
    a = np.asarray(a, dtype=float)
    if SCALE == "percent":
        a *= 100.0
    return a


def columns(a):
    a = np.asarray(a)
    if a.ndim <= 2:
        return np.transpose(a)
    return np.concatenate([x[..., None] for x in a], axis=-1)


def f(x, y):
    return columns([x, scaled(x + y)])
""",
    v(),
    v(),
)

case(
    "rows of a list as columns",
    """
import numpy as np


def f(a: list):
    return np.stack(a).T
""",
    [v(), v()],
)
case(
    "array that a helper converts, and that is written",
    """
import numpy as np


def as_floats(a):
    \"\"\"An array.\"\"\"
    return np.asarray(a, dtype=float)


def f(M, w):
    M = as_floats(M)
    w = as_floats(w)
    M[..., -1] = w - np.sum(M[..., :-1], axis=-1)
    return M
""",
    m(),
    v(3),
)
case(
    "array of a type by default, converted by a helper and scaled in place",
    """
import numpy as np
from numpy import float64 as FLOAT

K = np.array([1.0, 2.0])


def converted(a, dtype=FLOAT):
    return np.asarray(a, dtype)


def scaled(a, dtype=FLOAT):
    a = converted(a, dtype)
    a *= 3.0
    return a


def f(x):
    y = x * K
    return scaled(y) * K
""",
    v(2),
)
case(
    "number that gets an axis, and is read as it is, too",
    """
import numpy as np


def f(x, w):
    w = np.asarray(w)
    y = w[..., None] * x
    return np.sum(y * y) + np.sum(w)
""",
    v(),
    0.7,
)
case(
    "arrays that two branches make of lists, of which one is written",
    """
import numpy as np


def as_floats(a):
    return np.asarray(a, dtype=float)


def f(b, narrow: bool, whole: bool):
    if narrow:
        r = as_floats([16, 235, 240])
        r *= 2.0 ** (b - 8.0)
    else:
        r = as_floats([0.0, 2.0**b - 1.0, 2.0**b])
    if not whole:
        r = as_floats(r) / (2.0**b - 1.0)
    if not whole and not narrow:
        r[2] = -0.5
    return r
""",
    1.7,
    True,
    False,
)
case(
    "columns of a list of views, scaled in place by a helper",
    """
import numpy as np

SCALE = "reference"
LUMINANCE = np.array(1.5)


def as_floats(a):
    return np.asarray(a, dtype=float)


def scaled(a):
    a = as_floats(a)
    if SCALE == "percent":
        a *= 100.0
    return a


def unscaled(a):
    a = as_floats(a).copy()
    if SCALE == "percent":
        a /= 100.0
    return a


def columns(a):
    a = np.asarray(a)
    if a.ndim <= 2:
        return np.transpose(a)
    return np.concatenate([x[..., None] for x in a], axis=-1)


def lifted(xy, Y=None):
    if Y is None:
        Y = LUMINANCE
    xy = as_floats(xy)
    Y = as_floats(unscaled(Y))
    if xy.shape[-1] == 3:
        return xy
    x, y = np.transpose(xy)
    return scaled(columns([x, y, np.resize(Y, x.shape)]))


def f(xy):
    x, y, Y = lifted(xy)
    return x * Y + y
""",
    v(2),
)
case(
    "rows that hold new objects, taken apart by loops",
    """from dataclasses import dataclass

import numpy as np


class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest
        self.log = []

    def energy(self, x):
        e = 0.5 * self.k * (x - self.rest) ** 2
        self.log.append(e)
        return e


@dataclass
class Load:
    weight: float
    twice: float = 0.0

    def __post_init__(self):
        self.twice = 2.0 * self.weight

    def work(self, x):
        return self.twice * x


def f(x, w):
    pairs = [(Spring(x[0], 0.1), x[1]), (Spring(x[2], w), x[0] * w)]
    e = 0.0
    for s, v in pairs:
        e = e + s.energy(v) * len(s.log)
    for a, load in [(0.5, Load(x[0])), (x[1], Load(w))]:
        e = e + a * load.work(x[2])
    rows = [(Load(x[1]), w), (Load(w), x[0])]
    return e + len(pairs) * sum(p.weight * v for p, v in rows)
""",
    np.array([1.1, 0.7, 1.9]),
    0.6,
)
case(
    "lists of lists of objects, gone through row by row",
    """class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest

    def energy(self, x):
        d = x - self.rest
        return 0.5 * self.k * d * d


def f(x, w):
    grid = [[Spring(v * u, 0.1 * w) for v in x] for u in x]
    few = [[Spring(x[0], w)], [Spring(x[1], 0.2), Spring(w, x[2])]]
    e = 0.0
    for i, row in enumerate(grid):
        for s in row:
            e += s.energy(x[0]) * len(row) + i * s.k
    for w_row, row in zip(x, few):
        for s in row:
            e = e + w_row * s.energy(w)
    return e
""",
    np.array([1.1, 0.7, 1.9]),
    0.6,
)
case(
    "lambdas that map and reduce call with objects",
    """from functools import reduce


class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest

    def energy(self, x):
        d = x - self.rest
        return 0.5 * self.k * d * d


def f(x, w):
    springs = [Spring(v, 0.1 * w) for v in x]
    e = sum(map(lambda s: s.energy(x[0]), springs))
    both = list(map(lambda s, v: s.energy(v) * w, springs, x))
    y = w * w
    g = reduce(lambda a, s: a + s.energy(y), springs, y)
    return e * g + both[1] * sum((s.energy(w) for s in springs), 0.5)
""",
    np.array([1.1, 0.7, 1.9]),
    0.6,
)
case(
    "what the class of objects in a list holds, and objects that are called, in comprehensions",
    """class Element:
    scale = 0.5

    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.scale * self.k * self.shape(x)

    def shape(self, x):
        return x

    def __call__(self, x):
        return self.scale * self.k * x * x


class Spring(Element):
    def __init__(self, k, rest):
        super().__init__(k)
        self.rest = rest

    def shape(self, x):
        return (x - self.rest) ** 2


class Stiff(Element):
    scale = 3.0

    def __init__(self, k):
        super().__init__(k)


def f(x, w):
    springs = [Spring(v, 0.1 * w) for v in x]
    stiff = [Stiff(v * w) for v in x if v > 0.8]
    return sum(s.energy(x[0]) for s in springs) * sum(t.energy(w) for t in stiff) + sum(s(w) for s in springs)
""",
    np.array([1.1, 0.7, 1.9]),
    0.6,
)
case(
    "objects that a comprehension makes of two arrays, which change in a loop",
    """\
import numpy as np


class Body:
    def __init__(self, q, v):
        self.q = q
        self.v = v


def f(x, v):
    bodies = [Body(q, w) for q, w in zip(x, v)]
    for _ in range(3):
        for b in bodies:
            b.v = b.v - 0.1 * np.sin(b.q)
            b.q = b.q + 0.1 * b.v
    return sum(0.5 * b.v**2 for b in bodies)
""",
    np.array([0.3, 0.5, -0.2]),
    np.array([0.4, -0.1, 0.2]),
)
case(
    "places of a list that are empty before, some of which stay empty",
    """\
class Body:
    def __init__(self, m, p):
        self.m = m
        self.p = p


def f(x, n: int):
    rows = [None] * n
    for i in range(n):
        if i != 1:
            rows[i] = Body(x[i], x * 2.0)
    rows[0], rows[2] = rows[2], rows[0]
    s = 0.0
    for r in rows:
        if r is not None:
            r.p[0] = r.p[1] * r.m
            r.m = r.m * x[0]
    b = rows[1]
    if b is None:
        b = rows[0]
    b.p[1] = b.m * 2.0
    for r in rows:
        if r is not None:
            s = s + r.m * r.p[0] * r.p[1]
    return s
""",
    np.array([0.3, 0.5, -0.2]),
    3,
)
case(
    "a field that is 1.0 where objects are made, and bound to the one of another later",
    """\
from dataclasses import dataclass


@dataclass
class Body:
    m: float
    q: float


def scale(b, c):
    b.m = b.m * c


def read(b):
    return b.m * b.q


def f(x):
    bodies = [Body(1.0, q) for q in x]
    heavy = Body(2.0, x[1])
    z = bodies[0].m
    z += x[0]
    bodies[2].q = bodies[1].m
    bodies[2].q = bodies[2].q * z
    scale(bodies[1], x[0])
    bodies.append(heavy)
    heavy.m, k = x[2], 2
    s = sum(read(b) for b in bodies) * k
    for b in bodies:
        s = s + b.m * b.q * b.q
    return s
""",
    np.array([0.3, 0.5, -0.2]),
)
case(
    "boundary conditions in a dict under whole numbers, which an object is given",
    """import numpy as np


class Dirichlet:
    def __init__(self, value):
        self.value = value

    def apply(self, u, side):
        u[side] = self.value


class Neumann:
    def __init__(self, flux, dx):
        self.flux = flux
        self.dx = dx

    def apply(self, u, side):
        inner = 1 if side == 0 else -2
        u[side] = u[inner] + self.flux * self.dx


class Heat:
    def __init__(self, u0, kappa, dx, left, right):
        self.u = u0.copy()
        self.kappa = kappa
        self.dx = dx
        self.bcs = {0: left, -1: right}
        self.history = [self.u.copy()]

    @property
    def energy(self):
        return 0.5 * np.sum(self.u**2) * self.dx

    def laplacian(self):
        lap = np.zeros_like(self.u)
        lap[1:-1] = (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2]) / self.dx**2
        return lap

    def step(self, dt):
        self.u += dt * self.kappa * self.laplacian()
        for side, bc in self.bcs.items():
            bc.apply(self.u, side)
        self.history.append(self.u.copy())


def f(u0, kappa, flux, n=3):
    dx = 0.25
    solver = Heat(u0, kappa, dx, Dirichlet(1.0), Neumann(flux, dx))
    for _ in range(n):
        solver.step(0.01)
    hist = np.array(solver.history)
    return solver.energy + np.sum(hist.mean(axis=0) ** 2)
""",
    np.array([0.1, 0.5, 0.3, 0.8, 0.2]),
    0.7,
    0.4,
)
case(
    "keys that methods and helpers give, which change what they are given",
    """import numpy as np


class Cell:
    def __init__(self, v):
        self.v = v
        self.n = 0

    def step(self, x):
        self.v = self.v * x + 0.1
        self.n += 1
        return self.n


def place(u, k):
    u[k] = u[k] * 1.5
    return k


def f(x):
    c = Cell(x[0])
    counts = np.zeros(5)
    seen = {1: 0, 2: 0, 3: 0, 4: 0, 5: 0}
    u = x.copy()
    for v in x:
        counts[c.step(v)] += v * c.v
    for i, v in enumerate(x):
        counts[place(u, i)] += v * u[i]
    counts[c.step(x[1])] *= c.v
    seen[c.step(x[2])] += 2
    return seen[5] * np.sum(counts**2) + c.v + np.sum(u)
""",
    np.array([1.1, 0.7, 0.9]),
)
case(
    "two views of numbers, each converted by a helper and written by a mask",
    """
import numpy as np


def as_floats(a):
    return np.asarray(a, dtype=float)


def f(v):
    c, m = np.transpose(v)
    k = np.where(c < m, c, m)
    c = as_floats((c - k) / (1.0 - k))
    m = as_floats((m - k) / (1.0 - k))
    c[np.asarray(k == 1.0)] = 0.0
    m[np.asarray(k == 1.0)] = 0.0
    return np.stack([c, m, k])
""",
    np.array([0.3, 0.4]),
)
case(
    "an object with a default for the list of objects that it is given",
    """import functools
import numpy as np


class A:
    def __init__(self, w):
        self.w = w

    def go(self, x):
        return self.w * x


class B:
    def go(self, x):
        return np.tanh(x)


class Net:
    def __init__(self, layers=()):
        self.layers = layers

    def it(self):
        return [l for l in self.layers]

    def ws(self):
        return [l.w for l in self.layers if hasattr(l, "w")]

    def n(self):
        return len(self.layers)

    def run(self, y):
        for l in self.layers:
            y = l.go(y)
        return y

    def tot(self):
        return sum(self.layers)

    def vals(self):
        return self.layers.values()

    @property
    def size(self):
        return len(self.layers)

    def first(self):
        return self.layers[0]

    def score(self, v):
        return v * len(self.layers)


def f(x):
    net = Net([A(x[0]), A(x[2]), A(x[1])])
    s = 0.0
    for l in net.layers:
        s = s + l.go(x[1])
    for v in x:
        s = s + net.score(v)
    return s
""",
    np.array([1.1, 0.7, 1.9]),
)
case(
    "a list of steps over a dict of values, whose results their adjoints read",
    """import math
import numpy as np

PROGRAM = [
    ("mul", "t0", "x", "y"),
    ("sin", "t1", "t0", None),
    ("add", "t2", "t1", "x"),
    ("exp", "t3", "y", None),
    ("mul", "out", "t2", "t3"),
]


def run(program, env):
    env = dict(env)
    for op, dst, a, b in program:
        if op == "mul":
            env[dst] = env[a] * env[b]
        elif op == "add":
            env[dst] = env[a] + env[b]
        elif op == "sin":
            env[dst] = math.sin(env[a])
        elif op == "exp":
            env[dst] = math.exp(env[a])
        else:
            raise ValueError(op)
    return env


def f(x, y):
    env = run(PROGRAM, {"x": x, "y": y})
    return env["out"] + 0.1 * env["t0"] ** 2
""",
    0.7,
    0.4,
)
case(
    "a test that asks a method of objects which a comprehension makes",
    """import numpy as np
from typing import NamedTuple


class P(NamedTuple):
    x: float
    y: float

    def tot(self):
        return self.x * self.y + self.x


def f(x, v):
    # s2s: v (3,), x ()
    w = v * x
    y = x * 1.5
    put = np.sum(w)
    if put > [P(q, y).tot() for q in (x, w[0])][0]:
        return x * w[0]
    o = y
    return np.sum(w) + x * o
""",
    0.8,
    np.array([0.3, 0.5, -0.2]),
)
case(
    "a dict with a list that a helper makes, and its caller makes longer",
    """import numpy as np


def start(x, n):
    return {"pos": x, "log": [np.sum(x**2)], "n": n}


def f(x, w):
    state = start(x, 3)
    for k in range(3):
        state["pos"] = state["pos"] * w + 0.1 * k
        state["log"].append(np.sum(state["pos"] ** 2))
    return np.sum(state["pos"]) * sum(state["log"])
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)
case(
    "an object with a list that a helper makes, and its caller makes longer, under another name",
    """import numpy as np
class P:
    def __init__(self, s, t):
        self.s = s
        self.t = t

def parts(u, v):
    return P([v * 2.0], u * v)


def f(x, y):
    t1 = parts(x, y)
    s = t1.s
    s.append(t1.t)
    return np.sum(s[0] * s[1] * t1.t)
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)
case(
    "an object with a list that a helper makes, and its caller makes longer",
    """import numpy as np
class P:
    def __init__(self, s, t):
        self.s = s
        self.t = t

def parts(u, v):
    return P([v * 2.0], u * v)


def f(x, y):
    t1 = parts(x, y)
    s = t1.s
    t1.s.append(t1.t)
    return np.sum(s[0] * s[1] * t1.t)
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)
case(
    "two objects that helpers make with one list, which gets longer under three names",
    """import numpy as np

class Run:
    def __init__(self, x, trace):
        self.x = x
        self.trace = trace

def new(x, shared):
    return Run(x * 2.0, shared)


def f(x, w):
    shared = [np.sum(x)]
    a = new(x, shared)
    b = new(w, shared)
    ta = a.trace
    ta.append(np.sum(w * a.x))
    tb = b.trace
    tb.append(np.sum(x) * ta[-1])
    return sum(shared) * shared[-1] + ta[1]
""",
    np.array([0.3, 0.7]),
    np.array([1.1, -0.4]),
)
case(
    "an entry that is taken out of each dict of a list, beside those of another one",
    """import numpy as np


def f(p, x, key):
    hs = []
    gs = []
    for j in range(2):
        g = {}
        e = {}
        for k in p:
            g[k] = p[k] * x * (j + 1.0)
            e[k] = p[k] * x
        hs.append(g)
        gs.append(e)
    s = 0.0
    for h, q in zip(hs, gs):
        del h[key]
        for k in h:
            s = s + np.sum(h[k] * q[k])
    return s
""",
    {"a": np.array([0.2, 0.5]), "b": np.array([1.2, 0.1])},
    np.array([0.3, 0.7]),
    "b",
)
case(
    "a helper that copies the dict which it is given, under its own name, beside a number",
    """import numpy as np

NAMES = ["A", "B"]


def weighted(conc, k, rates):
    rates = dict(rates)
    for s in NAMES:
        rates[s] = rates[s] * k
    return k*2.0, rates


def f(a, b, k):
    q, after = weighted({"A": a, "B": b}, k, {"A": 0.3 * a, "B": 0.2 * b})
    s = 0.0
    for n, v in after.items():
        s = s + v**2
    return s*q
""",
    1.1,
    0.4,
    0.7,
)
case(
    "copies of dicts that a helper is given, in two tuples that it returns",
    """import numpy as np

NAMES = ["A", "B"]


def weighted(k, rates, more):
    new = dict(rates)
    for s in NAMES:
        new[s] = rates[s] * k
    other = dict(more)
    for t in NAMES:
        other[t] = rates[t] * more[t]
    value = k * 2.0, new
    return value, (k, other)


def f(a, b, k):
    r, g = weighted(k, {"A": 0.3 * a, "B": 0.2 * b}, {"A": a, "B": b})
    q, after = r
    g, c = g
    s = 0.0
    for n in after:
        s = s + c[n] * after[n] ** 2
    return s * q * g
""",
    1.1,
    0.4,
    0.7,
)
case(
    "dicts that helpers fill under texts that are written out",
    """import numpy as np


def parts(a, b):
    out = {}
    for name in ("mass", "heat"):
        out[name] = a * b
        out[name] += a
    return out


def later(a):
    d = {}
    d["b"] = a * a
    d["a"] = a
    return d


def f(a, b):
    inc = parts(a, b)
    s = 0.0
    for k, v in later(a).items():
        s = s * a + v
    return inc["mass"] * inc["heat"] + s + sum(later(b).values())
""",
    1.1,
    0.4,
)
case(
    "loops and comprehensions over lists of objects, and numbers beside them",
    """import numpy as np


class Dense:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return np.tanh(self.w * x)


class Scale:
    def __init__(self, s):
        self.s = s

    def forward(self, x):
        return self.s * x * x


def f(x, w):
    layers = [Dense(w), Scale(2.0), Dense(w * w)]
    for i, layer in enumerate(layers):
        if i == len(layers) - 1:
            break
        x = layer.forward(x)
    for layer, scale in zip(layers, (0.5, -1.0)):
        x = x + scale * layer.forward(x)
        if scale < 0.0:
            break
    y = sum([layer.forward(x) * (i + 1) for i, layer in enumerate(layers)])
    z = sum(law.forward(y) for law in reversed(layers))
    d = {i: law.forward(z) for i, law in enumerate(layers)}
    for layer in [1.0, 2.0]:
        z = z + layer * x
    return np.sum(z + d[0] * d[1] + d[2]) * (len(layers) - 1)
""",
    np.array([0.3, 0.7]),
    0.8,
)
case(
    "objects of a dict under a name that another loop binds, and a loop that stops at a key",
    """import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * np.sum(x**2)


def f(x, w):
    springs = {"a": Spring(1.0), "b": Spring(w * x[0])}
    e = 0.0
    for name in springs:
        s = springs[name]
        if name == "b":
            break
        e = e + w * s.energy(x)
    for v in [1.0, 2.0]:
        for n, s in springs.items():
            e += v * s.energy(x) * (1.0 if n == "a" else w)
    for s in [w, 2.0 * w]:
        e += s
    return e + springs["a"].k
""",
    np.array([0.3, 0.7]),
    0.8,
)
case(
    "what itertools repeats beside items, under names that loops bind",
    """import itertools

import numpy as np


def f(x, w):
    s = 0.0
    for a, c in zip(x, itertools.repeat(w)):
        s = s + a * c
    k = w * 2.0
    for a, c in zip(x, itertools.repeat(k)):
        k = k + a * c
        s = s + k
    c = 3.0
    w = w * w
    return s + k + c + sum([a * w for a, w in zip(x, itertools.repeat(k))]) * w
""",
    np.array([0.3, 0.7]),
    0.8,
)
case(
    "numbers beside objects in loops, under a name that is bound again",
    """import numpy as np


class A:
    def __init__(self, w):
        self.w = w

    def g(self, x):
        return self.w * x


class B:
    def __init__(self, s):
        self.s = s

    def g(self, x):
        return self.s * x * x


def f(x, w):
    p = [A(w), B(2.0)]
    for o, k in zip(p, [1, 2, 3]):
        x = o.g(x) * k
    for o, j in zip(p, [0.5, -0.5], strict=True):
        if j < 0.0:
            x = o.g(x) * j
    k = 7.0
    return np.sum(x) * k
""",
    np.array([0.3, 0.7]),
    0.8,
)
case(
    "texts that are keys of setdefault",
    """import numpy as np

def f(x):
    d = {}
    for n in ("b", "a"):
        d.setdefault(n, x[0] * x[1])
    return d["a"] * x[0] + d["b"]
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "a dict that a loop over texts fills in both branches",
    """import numpy as np

def make(x):
    d = {}
    for n in ("b", "a"):
        if x[0] > 0.5:
            d[n] = x[0] * x[1]
        else:
            d[n] = x[0] * x[2]
    return d

def f(x):
    d = make(x)
    s = x[0]
    for k, v in d.items():
        s = s * 0.5 + np.sum(v) * x[1]
    return s
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "dicts in a dict that loops over texts fill",
    """import numpy as np

def f(x):
    d = {}
    for s in ("u", "v"):
        d[s] = {}
        for t in ("p", "q"):
            d[s][t] = x[0] * x[1]
    d["u"]["p"] = d["u"]["p"] * x[2]
    return d["u"]["p"] + d["v"]["q"]
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "attributes that getattr names, in a loop over texts",
    """import numpy as np

class S:
    def __init__(self, a, b):
        self.a = a
        self.b = b

def f(x):
    s = S(x[0], x[1])
    t = 0.0
    for name in ("a", "b"):
        t += getattr(s, name) ** 2
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "entries that may be missing, in a loop over texts",
    """import numpy as np

def f(x):
    d = {"a": x[0], "b": x[1]}
    t = x[2]
    for k in ("a", "z", "b"):
        t = t * d.get(k, 1.5)
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "dicts in a dict, by texts that a loop runs over",
    """import numpy as np

def f(x):
    cfg = {"fluid": {"rho": x[0], "mu": x[1]}, "geom": {"d": x[2]}}
    re = cfg["fluid"]["rho"] * cfg["geom"]["d"] / cfg["fluid"]["mu"]
    for part in ("fluid", "geom"):
        for k, v in cfg[part].items():
            re = re + v ** 2
    return re
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "keywords that a helper gives in a dict",
    """import numpy as np

def opts(x):
    return {"a": x[0], "b": x[1]}

def model(a, b, c=1.0):
    return a * b ** 2 + c

def f(x):
    return model(**opts(x), c=x[3])
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "a dict that another one's entries are put into, which a helper gives",
    """import numpy as np

def extra(x):
    return {"c": x[0] ** 2, "a": x[1]}

def f(x):
    out = {"a": x[2], "b": x[1]}
    out.update(extra(x))
    t = x[0]
    for v in out.values():
        t = t * 0.5 + v
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "dicts that helpers give, spread twice",
    """import numpy as np

def extra(x):
    return {"c": x[0] ** 2, "a": x[1]}

def f(x):
    out = {"a": x[2], **extra(x), "b": x[1], **extra(x[::-1])}
    t = x[0]
    for v in out.values():
        t = t * 0.5 + v
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "a dict that is updated in a loop, of what a helper gives",
    """import numpy as np

def extra(x, k):
    return {"c": x[k] ** 2, "a": x[1]}

def f(x):
    out = {"a": x[2], "c": x[1]}
    for k in range(3):
        out.update(extra(x * out["c"], k))
    return out["a"] * out["c"]
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "a dict merged with one that a helper gives",
    """import numpy as np

def extra(x):
    return {"c": x[0] ** 2, "d": x[1]}

def f(x):
    e = extra(x)
    out = {"a": x[0]} | e
    return out["a"] * out["c"] + out["d"]
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "a dict that a helper gives, with another entry",
    """import numpy as np

def extra(x):
    return {"c": x[0] ** 2, "d": x[1]}

def f(x):
    e = extra(x)
    e["c"] = e["c"] * x[2]
    e["z"] = x[3]
    return e["z"] * e["c"] + e["d"]
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "an entry that all of three branches add",
    """import numpy as np

def f(x):
    d = {"z": x[3]}
    if x[0] > 5.0:
        d["a"] = x[0]
    elif x[1] > 0.5:
        d["a"] = x[2]
    else:
        d["a"] = x[1] * 2.0
    t = x[0]
    for k, v in d.items():
        t = t * 0.5 + v
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "a conditional expression that chooses between objects whose constructor computes",
    """
import numpy as np


class Spring:
    def __init__(self, k, rest=0.1):
        self.k = k
        self.rest = rest
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * (x - self.rest) ** 2


def f(k, x, stiff):
    spring = Spring(2.0 * k) if stiff else Spring(k, 0.2)
    return spring.energy(x) + spring.half
""",
    1.3,
    0.7,
    True,
)
case(
    "a comprehension of objects whose constructor computes, chosen by a condition",
    """
import numpy as np


class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * (x - self.rest) ** 2

    def soften(self, c):
        self.k = self.k * c
        self.half = 0.5 * self.k


def f(k, x):
    springs = [Spring(k[i], 0.1) if i > 0 else Spring(2.0 * k[i], x) for i in range(3)]
    total = 0.0
    for i, s in enumerate(springs):
        total += (i + 1) * s.energy(x) + s.half
    return total
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
)
case(
    "objects whose constructor computes, by their numbers and in a helper",
    """
import numpy as np


class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * (x - self.rest) ** 2

    def soften(self, c):
        self.k = self.k * c
        self.half = 0.5 * self.k


def total_energy(springs, x):
    return sum(s.energy(x) for s in springs)


def f(k, x):
    springs = [Spring(k[i], 0.1 * i) for i in range(3)]
    return total_energy(springs, x) + springs[0].half * springs[-1].energy(2.0 * x)
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
)
case(
    "a helper that chooses between objects whose constructor computes",
    """
import numpy as np


class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * (x - self.rest) ** 2

    def soften(self, c):
        self.k = self.k * c
        self.half = 0.5 * self.k


def pick(k, x, t):
    return Spring(k, 0.1) if t else Spring(2.0 * k, x)


def f(k, x):
    s = pick(k[0], x, x > 0.5)
    return s.energy(x) * s.half
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
)
case(
    "a factory that chooses a class by a text",
    """
import numpy as np


class Soft:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


class Hard:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * x**4


def make(kind, k):
    if kind == "soft":
        return Soft(k)
    return Hard(k)


def f(k, x):
    return make("soft", k).energy(x) + make("hard", 2.0 * k).energy(x)
""",
    1.3,
    0.7,
)
case(
    "objects of a factory that chooses a class, changed after they are made",
    """
import numpy as np


class Soft:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2

    def stiffen(self, c):
        self.k = self.k * c


class Hard:
    def __init__(self, k):
        self.k = k
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * x**4

    def stiffen(self, c):
        self.k = self.k * c
        self.half = self.half + c


def make(kind, k=1.5):
    if kind == "soft":
        return Soft(k)
    elif kind == "hard":
        return Hard(k)
    else:
        raise ValueError(f"unknown kind {kind!r}")


def f(k, x):
    a = make("soft", k)
    b = make("hard")
    a.stiffen(x)
    b.stiffen(k)
    return a.energy(x) + b.energy(x) * a.k * b.half
""",
    1.3,
    0.7,
)
case(
    "a list of what a factory makes by texts",
    """
import numpy as np


class Soft:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2

    def stiffen(self, c):
        self.k = self.k * c


class Hard:
    def __init__(self, k):
        self.k = k
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * x**4

    def stiffen(self, c):
        self.k = self.k * c
        self.half = self.half + c


def make(kind, k=1.5):
    if kind == "soft":
        return Soft(k)
    elif kind == "hard":
        return Hard(k)
    else:
        raise ValueError(f"unknown kind {kind!r}")


def f(k, x):
    laws = [make("soft", k), make("hard", x)]
    total = 0.0
    for law in laws:
        total += law.energy(x)
    return total
""",
    1.3,
    0.7,
)
case(
    "a helper that returns a dict of objects of two classes",
    """
import numpy as np


class Soft:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2

    def stiffen(self, c):
        self.k = self.k * c


class Hard:
    def __init__(self, k):
        self.k = k
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * x**4

    def stiffen(self, c):
        self.k = self.k * c
        self.half = self.half + c


def make(kind, k=1.5):
    if kind == "soft":
        return Soft(k)
    elif kind == "hard":
        return Hard(k)
    else:
        raise ValueError(f"unknown kind {kind!r}")


def laws(k):
    return {"soft": Soft(k), "hard": Hard(2.0 * k)}


def f(k, x):
    s = laws(k)
    t = laws(x)
    total = 0.0
    for name, law in s.items():
        total += law.energy(x) * t[name].k
    return total + s["hard"].half
""",
    1.3,
    0.7,
)
case(
    "a helper that returns a dict with one object twice, which is changed",
    """
import numpy as np


class Soft:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2

    def stiffen(self, c):
        self.k = self.k * c


class Hard:
    def __init__(self, k):
        self.k = k
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * x**4

    def stiffen(self, c):
        self.k = self.k * c
        self.half = self.half + c


def make(kind, k=1.5):
    if kind == "soft":
        return Soft(k)
    elif kind == "hard":
        return Hard(k)
    else:
        raise ValueError(f"unknown kind {kind!r}")


def laws(k):
    soft = Soft(k)
    return {"soft": soft, "again": soft}


def f(k, x):
    s = laws(k)
    s["soft"].stiffen(x)
    return s["again"].energy(x) + s["soft"].k
""",
    1.3,
    0.7,
)
case(
    "an object or a new one in a helper",
    """
import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


def energy(x, spring=None):
    spring = spring or Spring(1.0)
    return spring.energy(x)


def f(k, x):
    return energy(x) + energy(2.0 * x, Spring(k))
""",
    1.3,
    0.7,
)
case(
    "an object or a new one in a helper that changes it",
    """
import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2

    def stiffen(self, c):
        self.k = self.k * c


class Other(Spring):
    def energy(self, x):
        return self.k * x**6


def energy(x, spring=None):
    spring = spring or Spring(2.0)
    spring.stiffen(x)
    return spring.energy(x)


def f(k, x):
    s = Spring(k)
    a = energy(x, s)
    return a + energy(x) + s.energy(x)
""",
    1.3,
    0.7,
)
case(
    "an object or none in a helper",
    """
import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


def energy(x, spring=None):
    return spring.energy(x) if spring else x**2


def f(k, x):
    return energy(x) * energy(x, spring=Spring(k))
""",
    1.3,
    0.7,
)
case(
    "an object or none, as a branch says",
    """
import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


def energy(x, spring=None):
    if spring is None:
        spring = Spring(2.0)
    return spring.energy(x)


def f(k, x):
    spring = None
    if x > 0.5:
        spring = Spring(k)
    return energy(x, spring)
""",
    1.3,
    0.7,
)
case(
    "a parameter that is an object of a class or none",
    """
import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


def f(x, spring=None):
    if spring is None:
        spring = Spring(1.5)
    return np.sum(spring.energy(x))
""",
    np.array([1.3, 0.7]),
)
case(
    "a constructor that is given an object or makes one",
    """
import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2


class System:
    def __init__(self, mass, spring=None):
        self.mass = mass
        self.spring = spring or Spring(1.0)

    def energy(self, x, v):
        return self.spring.energy(x) + 0.5 * self.mass * v**2


def f(m, k, x, v):
    return System(m).energy(x, v) + System(2.0 * m, Spring(k)).energy(x, v)
""",
    1.1,
    1.3,
    0.7,
    0.2,
)
case(
    "objects of two classes, or none, in a helper",
    """
import numpy as np


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x**2

    def stiffen(self, c):
        self.k = self.k * c


class Other(Spring):
    def energy(self, x):
        return self.k * x**6


def energy(x, spring=None):
    if spring is None:
        spring = Spring(2.0)
    return spring.energy(x)


def f(k, x):
    return energy(x, Other(k)) + energy(x) + energy(x, None) + energy(x, Spring(k))
""",
    1.3,
    0.7,
)
case(
    "parameters of all layers of a network that is made here",
    """
import numpy as np


class Dense:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)

    def parameters(self):
        return [self.W, self.b]


class Network:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def f(W1, b1, W2, b2, x):
    net = Network([Dense(W1, b1), Dense(W2, b2)])
    loss = np.sum(net(x) ** 2)
    return loss + 0.01 * sum(np.sum(p**2) for p in net.parameters())
""",
    np.array([[0.4, -0.3], [0.2, 0.6], [-0.5, 0.1]]),
    np.array([0.1, -0.2, 0.3]),
    np.array([[0.3, 0.2, -0.4], [0.5, -0.1, 0.2]]),
    np.array([0.2, -0.1]),
    np.array([0.7, -0.4]),
)
case(
    "parameters of all layers in a helper",
    """
import numpy as np


class Dense:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)

    def parameters(self):
        return [self.W, self.b]


class Network:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def penalty(net):
    return sum(np.sum(p**2) for p in net.parameters())


def f(W1, b1, W2, b2, x):
    net = Network([Dense(W1, b1), Dense(W2, b2)])
    return np.sum(net(x) ** 2) + 0.1 * penalty(net)
""",
    np.array([[0.4, -0.3], [0.2, 0.6], [-0.5, 0.1]]),
    np.array([0.1, -0.2, 0.3]),
    np.array([[0.3, 0.2, -0.4], [0.5, -0.1, 0.2]]),
    np.array([0.2, -0.1]),
    np.array([0.7, -0.4]),
)
case(
    "a method that sums over what another one returns",
    """
import numpy as np


class Dense:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)

    def parameters(self):
        return [self.W, self.b]


class Network:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def penalty(self):
        return sum(np.sum(p**2) for p in self.parameters())

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def f(W1, b1, W2, b2, x):
    net = Network([Dense(W1, b1), Dense(W2, b2)])
    return np.sum(net(x) ** 2) + 0.1 * net.penalty()
""",
    np.array([[0.4, -0.3], [0.2, 0.6], [-0.5, 0.1]]),
    np.array([0.1, -0.2, 0.3]),
    np.array([[0.3, 0.2, -0.4], [0.5, -0.1, 0.2]]),
    np.array([0.2, -0.1]),
    np.array([0.7, -0.4]),
)
case(
    "parameters of all layers that were changed",
    """
import numpy as np


class Dense:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)

    def parameters(self):
        return [self.W, self.b]


class Network:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def f(W1, b1, W2, b2, x):
    net = Network([Dense(W1, b1), Dense(W2, b2)])
    for layer in net.layers:
        layer.W = 0.9 * layer.W
    return np.sum(net(x) ** 2) + 0.1 * sum(np.sum(p**2) for p in net.parameters())
""",
    np.array([[0.4, -0.3], [0.2, 0.6], [-0.5, 0.1]]),
    np.array([0.1, -0.2, 0.3]),
    np.array([[0.3, 0.2, -0.4], [0.5, -0.1, 0.2]]),
    np.array([0.2, -0.1]),
    np.array([0.7, -0.4]),
)
case(
    "objects that a helper makes, of numbers, whose attributes become arrays and are restored",
    """from types import SimpleNamespace
import numpy as np


def new(k):
    return SimpleNamespace(k=k)


def f(k, x):
    # s2s: k (n,)
    springs = [new(k[i]) for i in range(3)]
    saved = []
    kept = []
    for j in range(len(springs)):
        item = springs[j]
        saved.append(item.k)
        item.k = springs[j].k * x
        kept.append(item)
    x_bar = 0.0
    for j in reversed(range(len(springs))):
        item = kept[j]
        x_bar += springs[j].k
        item.k = saved[j]
        x_bar += springs[j].k * x ** 2
    return x_bar
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
)
case(
    "objects with a computed attribute, which a method changes in a loop",
    """import numpy as np


class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest
        self.half = 0.5 * k

    def energy(self, x):
        return self.half * (x - self.rest) ** 2

    def soften(self, c):
        self.k = self.k * c
        self.half = 0.5 * self.k


def f(k, x):
    springs = [Spring(k[i], 0.1 * i) for i in range(3)]
    total = 0.0
    for s in springs:
        s.soften(x)
        total += s.energy(x)
    for s in springs:
        total += s.half
    return total
""",
    np.array([1.0, 2.0, 3.0]),
    0.7,
)
case(
    "a method that changes its object, in a choice",
    """class Cell:
    def __init__(self, h):
        self.h = h

    def step(self):
        self.h = self.h * 0.5
        return self.h


def f(x, flag):
    cell = Cell(x)
    y = cell.step() if flag else 0.0
    return cell.h * y
""",
    0.7,
    True,
)
case(
    "a function that is given under the name of one of the module, which returns what it is given",
    """import numpy as np

def law(x):
    return x
def other(x):
    return x * 1.0
def g(x, law):
    y = law(x)
    y[0] = x[1] * 2.0
    return np.sum(y * x)
def f(x):
    return g(x * 2.0, other)
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "a helper that runs over what another one returns, made for two functions",
    """import numpy as np

def extra(x):
    out = {}
    out["c"] = x[0] ** 2
    out["a"] = x[0]
    return out
def lin(x):
    return x * 2.0
def sq(x):
    return x * x
def g(x, law):
    t = x[0]
    for k, v in extra(law(x)).items():
        t = t * x[1] + v
    return t + sum(extra(x).values())
def f(x):
    return g(x, lin) * g(x, sq)
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "entries that branches in branches add, in their order",
    """import numpy as np

def f(x):
    d = {"z": x[0]}
    if x[1] > 0.1:
        if x[2] > 10:
            d["a"] = x[0]
        else:
            d["a"] = x[3] * x[0]
        d["b"] = d["a"] * x[1]
    else:
        d["a"] = x[2]
        d["b"] = x[1]
    t = x[0]
    for v in list(d.values()):
        t = t * 0.5 + v
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "objects in a loop, whose types are asked for",
    """import numpy as np
class Soft:
    def __init__(self, k):
        self.k = k
    def energy(self, x):
        return 0.5 * self.k * x**2
class Hard:
    def __init__(self, k):
        self.k = k
    def energy(self, x):
        return self.k * x**4
def f(x):
    laws = [Soft(x[0]), Hard(x[1])]
    t = 0.0
    for law in laws:
        if type(law) is Hard:
            t += 2 * law.energy(x[3])
        else:
            t += law.energy(x[0])
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "objects in a loop over what a function of the module counts",
    """import numpy as np

def enumerate(v):
    return [(5, w) for w in v]

class A:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x
class B:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x * x

def f(x):
    ls = [A(x[0]), B(x[1])]
    t = 0.0
    for i, l in enumerate(ls):
        t += i * l.w
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "objects in a loop over what a function of the module pairs with numbers",
    """import numpy as np

def zip(a, b):
    return [(a[0], b[1])]

class A:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x
class B:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x * x

def f(x):
    ls = [A(x[0]), B(x[1])]
    t = 0.0
    for l, s in zip(ls, [1.0, 2.0]):
        t += s * l.w
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "objects in a list, of which a function of the module says how many there are",
    """import numpy as np

def len(v):
    return 7

class A:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x
class B:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x * x

def f(x):
    ls = [A(x[0]), B(x[1])]
    t = 0.0
    for i, l in enumerate(ls):
        t += len(ls) * l.w
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "objects in a loop over what a lambda makes of their list",
    """import numpy as np

class A:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x
class B:
    def __init__(self, w):
        self.w = w
    def g(self, x):
        return self.w * x * x

def f(x):
    reversed = lambda v: v
    ls = [A(x[0]), B(x[1])]
    t = 0.0
    for l in reversed(ls):
        t = t * 0.5 + l.w
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)
case(
    "what a loop runs over in pairs, and what draws for them",
    """import numpy as np

def bump(rng):
    return [rng.normal(), rng.normal()]
def extra(rng, x):
    return {"c": x[0] ** 2 * rng.normal(), "a": x[1]}
def f(x):
    rng = np.random.default_rng(0)
    t = 0.0
    for a, (k, v) in zip(bump(rng), extra(rng, x).items()):
        t = t * 0.5 + a * v
    return t
""",
    np.array([1.1, 0.7, 1.9, 0.4]),
)

case(
    "an object in an attribute, to which a method gives a name",
    """
class Params:
    def __init__(self, rate):
        self.rate = 2.0 * rate


class Glacier:
    def __init__(self, h, rate):
        self.p = Params(rate)
        self.h = h

    def flux(self):
        p = self.p
        return p.rate * self.h**3

    def thin(self):
        p = self.p
        p.rate = 0.5 * p.rate

    def step(self, dt):
        q = self.flux()
        self.thin()
        self.h = self.h - dt * q


def f(h, rate):
    ice = Glacier(h, rate)
    p = ice.p
    for _ in range(3):
        ice.step(0.1)
    ice.p.rate += 1.0
    return ice.h * p.rate
""",
    0.7,
    0.4,
)

case(
    "an object that lies in another one, and changes under both names",
    """
class Params:
    def __init__(self, a):
        self.a = 2.0 * a


class Model:
    def __init__(self, p, x):
        self.p = p
        self.x = x

    def reset(self, a):
        self.p = Params(a)

    def grow(self, a):
        self.p.a += a


def f(x, y):
    p = Params(x)
    model = Model(p, y)
    model.grow(y)
    p.a = p.a * y
    other = Model(p, x)
    other.p.a += model.p.a
    model.x = model.x * p.a
    return model.x + other.p.a**2
""",
    1.3,
    0.7,
)

case(
    "particles on a grid that lies in what holds them, whose constructor computes",
    """
import numpy as np


class Grid:
    def __init__(self, n, length):
        self.n = n
        self.dx = length / n
        self.k = 2.0 * np.pi * np.fft.fftfreq(n, d=self.dx)
        self.k[0] = 1.0

    def deposit(self, pos, rho):
        i = np.floor(pos / self.dx).astype(int)
        frac = pos / self.dx - i
        np.add.at(rho, i % self.n, 1.0 - frac)
        np.add.at(rho, (i + 1) % self.n, frac)

    def solve(self, rho):
        ek = -1j * np.fft.fft(rho - rho.mean()) / self.k
        ek[0] = 0.0
        return np.fft.ifft(ek).real


class Plasma:
    def __init__(self, grid, x):
        self.grid = grid
        self.x = x.copy()
        self.rho = np.zeros(grid.n)
        self.energies = {"kinetic": [], "field": []}

    def push(self, dt):
        self.rho[:] = 0.0
        self.grid.deposit(self.x, self.rho)
        field = self.grid.solve(self.rho)
        i = np.floor(self.x / self.grid.dx).astype(int)
        self.x += dt * field[i % self.grid.n]
        self.record(field)

    def record(self, field):
        self.energies["kinetic"].append(np.mean(self.x**2))
        self.energies["field"].append(np.sum(field**2) * self.grid.dx)


def f(x, dt):
    plasma = Plasma(Grid(8, 2.0), x)
    for _ in range(3):
        plasma.push(dt)
    return sum(plasma.energies["kinetic"]) + sum(plasma.energies["field"])
""",
    np.array([0.13, 0.42, 0.91, 1.34, 1.71]),
    0.1,
)

case(
    "a grid whose constructor computes, given to another object, and not changed",
    """
import numpy as np


class Grid:
    def __init__(self, n, length):
        self.n = n
        self.k = np.arange(n) + length / n
        self.k[0] = 1.0

    def solve(self, rho):
        return rho / self.k


class Plasma:
    def __init__(self, grid, x):
        self.grid = grid
        self.x = x

    def push(self, dt):
        self.x = self.x - dt * self.grid.solve(self.x)


def f(x, dt):
    grid = Grid(3, 2.0)
    plasma = Plasma(grid, x)
    for _ in range(3):
        plasma.push(dt)
    return np.sum(plasma.x**2)
""",
    np.array([0.3, 0.7, 1.1]),
    0.1,
)

case(
    "a tuple with a list, which a loop binds and a later round may read",
    """
def f(x, k):
    total = 0.0
    for h in (0.5, 1.5, 3.0, 4.0):
        p = x * h
        path = [p]
        for s in (1.2, k, 1.4)[: int(h)]:
            p = p * s
            path.append(p)
        if h != 3.0:
            out = p, path, True
        if h > 1.0 and h < 4.0:
            q, ps, ok = out
            total += q + sum(b * a for a, b in zip(ps, ps[1:]))
    return total
""",
    0.7,
    1.1,
)

case(
    "a dict with a list, which a loop binds and a later round may read",
    """
def f(x, k):
    total = 0.0
    for h in (0.5, 1.5, 3.0, 4.0):
        p = x * h
        path = [p]
        for s in (1.2, k, 1.4)[: int(h)]:
            p = p * s
            path.append(p)
        if h != 3.0:
            out = {"end": p, "path": path, "ok": True}
        if h > 1.0 and h < 4.0:
            total += out["end"] + sum(b * a for a, b in zip(out["path"], out["path"][1:]))
    return total
""",
    0.7,
    1.1,
)

case(
    "a list that a loop binds, a later round may read, and the end",
    """
import numpy as np


def last(xs, k):
    for x in xs:
        if np.sum(x) > 0.6:
            found = [x]
            for j in range(2):
                found.append(x * k)
    return found[0] * found[-1]


def f(x, k):
    total = np.sum(last([x, 2.0 * x, 0.5 * x], k))
    for h in (0.5, 1.5, 3.0, 4.0):
        if h != 3.0:
            out = [x * h]
            for s in (1.2, k, 1.4)[: int(h)]:
                out.append(out[-1] * s)
        if h > 1.0 and h < 4.0:
            total += np.sum(out[0] * out[-1])
    return total
""",
    np.array([0.7, 0.9]),
    1.1,
)

case(
    "rays that end early, and their paths, through objects whose constructors compute",
    """
class Lens:
    def __init__(self, r, n):
        self.k = n / r

    def through(self, p):
        return p * self.k


def trace(lenses, p):
    path = [p]
    for s in lenses:
        p = s.through(p)
        if p > 3.0:
            return p, path, False
        path.append(p)
    return p, path, True


def f(x, k):
    lenses = [Lens(0.9, k), Lens(0.9, 1.4), Lens(0.9, 1.2)]
    total = 0.0
    for h in (0.5, 1.5, 3.0):
        p, path, ok = trace(lenses, x * h)
        if not ok:
            total += p
            continue
        total += p + sum(b * a for a, b in zip(path, path[1:]))
    return total
""",
    0.7,
    1.1,
)

case(
    "a list of a branch, read in another one",
    """
import numpy as np


def f(x, n):
    s = 0.0
    if n > 0.0:
        parts = []
        for j in range(2):
            parts.append(x * (n + j))
    if n >= 1.0:
        for j in range(2):
            s += np.sin(parts[j])
    return s
""",
    0.7,
    2.0,
)

case(
    "a list that each round of a loop makes, read behind it",
    """
def f(u, rates):
    for r in rates:
        state = [r * v * (1.0 - v) for v in u]
        u = [0.5 * v for v in state]
    return state[0] + 2.0 * state[1]
""",
    np.array([0.3, 0.6]),
    np.array([1.5, 2.0, 0.7]),
)
case(
    "a method called get that changes its object, before what a helper returns is run over",
    """import numpy as np
class Acc:
    def __init__(self, v):
        self.v = v
    def get(self):
        self.v = self.v * 2.0
        return self.v

def extra(x, v):
    return {"c": v * x[0], "d": x[1]}

def f(x):
    acc = Acc(x[1])
    return acc.get() + sum(extra(x, acc.v).values())
""",
    np.array([1.1, 0.7]),
)
case(
    "lists under names of the module, which get longer in loops over these",
    """
SPECIES = ["A", "B"]
INDEX = {s: i for i, s in enumerate(SPECIES)}


def f(x, T):
    c = [x, x * T]
    hist = {s: [] for s in SPECIES}
    rates = {"A": [], "B": []}
    for k in range(3):
        c = [c[0] * T, c[1] + c[0]]
        for s in SPECIES:
            hist[s].append(c[INDEX[s]])
        for i, s in enumerate(SPECIES):
            rates[s].append(c[i] * (i + 1.0))
        for i, s in enumerate(("B", "A")):
            rates[s].append(hist[s][-1] * (i + 2.0))
    return hist["A"][-1] + 0.5 * max(hist["B"]) + sum(hist["A"]) * sum(rates["B"]) + rates["A"][2]
""",
    0.3,
    1.2,
)
case(
    "a parameter that is read, then bound to a list which loses items",
    """
import numpy as np
def f(x, y):
    z = np.sum(x)
    x = []
    for v in y:
        x.append(v * z)
    s = x.pop(0)
    return s * sum(v ** 2 for v in x)
""",
    np.array([0.7, 1.3, 0.5]),
    np.array([0.4, 0.9, 1.1]),
)
case(
    "lists under texts, of which those that have items are read",
    """
SPECIES = ["A", "B"]
def swap():
    SPECIES.reverse()
def f(x):
    hist = {"A": [], "B": [], "C": []}
    for _ in range(3):
        for s in SPECIES:
            hist[s].append(x[0] * len(hist[s]) + x[1])
    return sum(h[-1] ** 2 for h in hist.values() if h)
""",
    np.array([0.7, 1.3]),
)
case(
    "states and histories under the names of species",
    """
import numpy as np
SPECIES = ("A", "B", "C")
def f(k, y0):
    hist = {s: [] for s in SPECIES}
    y = {s: y0[i] for i, s in enumerate(SPECIES)}
    for _ in range(4):
        r1 = k[0] * y["A"]
        r2 = k[1] * y["B"]
        y["A"] = y["A"] - 0.1 * r1
        y["B"] = y["B"] + 0.1 * (r1 - r2)
        y["C"] = y["C"] + 0.1 * r2
        for s in SPECIES:
            hist[s].append(y[s])
    return sum(h[-1] ** 2 for h in hist.values()) + np.mean(np.array(hist["B"]))
""",
    np.array([0.7, 0.3]),
    np.array([1.0, 0.2, 0.1]),
)
case(
    "intensities from the lowest layer up, each put in front",
    """
import numpy as np
class Layer:
    def __init__(self, sigma, thickness):
        self.sigma = sigma
        self.thickness = thickness
    def tau(self):
        return self.sigma * self.thickness
def f(sig, thick, mu):
    layers = [Layer(s, t) for s, t in zip(sig, thick)]
    I = np.ones_like(mu)
    out = []
    for layer in reversed(layers):
        I = I * np.exp(-layer.tau() / mu) + 0.5 * (1 - np.exp(-layer.tau() / mu))
        out.insert(0, I)
    flux = {"top": out[0], "bottom": out[-1]}
    return np.sum(mu * flux["top"]) - np.sum(flux["bottom"] ** 2)
""",
    np.array([0.4, 1.3, 0.7]),
    np.array([1.0, 0.5, 0.2]),
    np.linspace(0.1, 1.0, 5),
)
case(
    "functions that a helper makes over variables which they change, each call with its own",
    """
import numpy as np
def make_adder(start, rate=0.5):
    total = start
    n = 0
    def add(v):
        nonlocal total, n
        total += rate * v ** 2
        n += 1
        return total / n
    return add
def f(x):
    add = make_adder(x[0])
    mul = make_adder(x[1], rate=x[2])
    s = 0.0
    for v in x:
        s = s + np.sin(add(v)) * mul(v)
    return s
""",
    np.array([0.4, 1.3, 0.7]),
)
case(
    "a function that a helper makes over a list which it fills",
    """
import numpy as np
def counter():
    cache = []
    def push(v):
        cache.append(v * 2.0)
        return sum(cache)
    return push
def f(x):
    push = counter()
    s = 0.0
    for v in x:
        s = s + push(v)
    return s
""",
    np.array([0.4, 1.3, 0.7]),
)
case(
    "two functions that a helper makes over one balance, in a tuple",
    """
import numpy as np
def account(balance):
    def deposit(v):
        nonlocal balance
        balance = balance + v
        return balance
    def interest(r):
        nonlocal balance
        balance = balance * (1.0 + r)
        return balance
    return deposit, interest
def f(x):
    deposit, interest = account(x[0])
    for v in x:
        deposit(v ** 2)
        b = interest(0.1 * v)
    return b
""",
    np.array([0.4, 1.3, 0.7]),
)
case(
    "functions that a helper makes over one balance, under texts",
    """
import numpy as np
def account(balance, rate=0.1):
    history = []
    def deposit(v):
        nonlocal balance
        history.append(v)
        balance = balance + v
        return balance
    def total(scale=1.0):
        return scale * sum(history) + rate * balance
    return {"deposit": deposit, "total": total}
def f(x):
    acc = account(x[0])
    other = account(x[1], rate=x[2])
    for v in x:
        acc["deposit"](v ** 2)
        w = acc["total"]()
        other["deposit"](w)
    return acc["total"](2.0) * other["total"]()
""",
    np.array([0.4, 1.3, 0.7]),
)
case(
    "a function that is made anew in each round, with a variable that a loop there has, too",
    """
import numpy as np
def make(start):
    t = start
    def add(v):
        nonlocal t
        t = t + v ** 2
        return t
    return add
def f(x):
    s = 0.0
    for v in x:
        add = make(v)
        for t in range(3):
            s += add(t * v)
    return s
""",
    np.array([0.4, 1.3, 0.7]),
)
case(
    "a window of values, which a function that a helper makes writes into",
    """
import numpy as np
def make(n):
    buf = np.zeros(n)
    k = 0
    def push(v):
        nonlocal k
        buf[k % n] = v
        k += 1
        return np.mean(buf)
    return push
class Filter:
    def __init__(self, n):
        self.push = make(n)
    def run(self, xs):
        return sum(self.push(v) ** 2 for v in xs)
def f(x):
    push = make(3)
    s = 0.0
    for v in x:
        s = s + push(v) ** 2
    return s
""",
    np.array([0.4, 1.3, 0.7]),
)

case(
    "a helper is given a product, and a factor that is called as its parameter",
    """
import numpy as np


def h(x, y):
    return np.sin(x) * y


def f(x, w):
    return np.sum(h(x * w, x))
""",
    0.7,
    np.array([0.3, 0.6, 1.1]),
)

case(
    "a default that is an array, and a variable of the caller that is called as its parameter",
    """
import numpy as np


def h(x, n=np.array([1.0, 2.0, 3.0])):
    return np.sum(x) * n


def f(n, y):
    a = h(y)
    return np.sum(a * n)
""",
    0.7,
    np.array([0.3, 0.6, 1.1]),
)

case(
    "a variable of two parameters, of which only the one that the run comes by is a number",
    """
import math

import numpy as np


def f(a, b, c):
    n = a
    if c > 0.5:
        n = b
    return math.sin(n) + np.sum(a) + np.sum(b) + c
""",
    0.3,
    0.7,
    0.9,
)

case(
    "a parameter that is an array, whose name a loop binds to numbers",
    """
import math

import numpy as np


def f(t, n):
    u = n
    for n in range(len(t)):
        t = t + u[n] * t
    return np.sum(t) + math.sin(n)
""",
    np.array([0.3, 0.6]),
    np.array([0.7, 0.2]),
)
case(
    "rows of an array, and their numbers under the same name",
    """
import numpy as np
def f(t):
    a = t[None]
    s = 0.0
    for i in a:
        s = s + i[1]
    b = 0.0
    for i in range(len(a)):
        b = b + a[i] * s
    return np.sum(b)
""",
    np.array([0.3, 0.8, 0.5, 0.9]),
)
case(
    "rows of an array, and their numbers under the same name, which is read behind",
    """
import numpy as np
def f(t):
    a = t[None]
    s = 0.0
    for i in a:
        s = s + i[1]
    b = 0.0
    for i in range(len(a)):
        b = b + a[i] * s
    return np.sum(b) + np.sum(i)
""",
    np.array([0.3, 0.8, 0.5, 0.9]),
)
case(
    "rows of an array, and one number under the same name",
    """
import numpy as np
def f(t):
    a = t[None]
    s = 0.0
    for row in a:
        s = s + row[1]
    row = 0
    return s * a[row][2]
""",
    np.array([0.3, 0.8, 0.5, 0.9]),
)
case(
    "rows of an array, and numbers of enumerate under the same name",
    """
import numpy as np
def f(t):
    a = t[None]
    s = 0.0
    for row in a:
        s = s + row[1]
    for row, w in enumerate([2.0]):
        s = s * a[row][2] * w
    return s
""",
    np.array([0.3, 0.8, 0.5, 0.9]),
)
case(
    "rows of an array, and a loop inside over their numbers under the same name",
    """
import numpy as np
def f(t):
    a = t[None] * 1.0
    s = 0.0
    for i in a:
        s = s + i[1]
        for i in range(len(a)):
            s = s + a[i][2] * s
    return s + i
""",
    np.array([0.3, 0.8, 0.5, 0.9]),
)
case(
    "a right-hand side that counts its calls, and is given to a stepper",
    """
import numpy as np
def rk4(rhs, y, t, h):
    k1 = rhs(t, y)
    k2 = rhs(t + h / 2, y + h / 2 * k1)
    k3 = rhs(t + h / 2, y + h / 2 * k2)
    k4 = rhs(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
def make_rhs(sigma, rho, beta):
    calls = 0
    def rhs(t, y):
        nonlocal calls
        calls += 1
        dx = sigma * (y[1] - y[0])
        dy = y[0] * (rho - y[2]) - y[1]
        dz = y[0] * y[1] - beta * y[2]
        return np.array([dx, dy, dz])
    return rhs
def f(p, y0):
    rhs = make_rhs(p[0], p[1], p[2])
    y = y0.copy()
    for n in range(4):
        y = rk4(rhs, y, n * 0.01, 0.01)
    return np.sum(y ** 2)
""",
    np.array([10.0, 28.0, 2.5]),
    np.array([1.0, 1.1, 0.9]),
)
case(
    "a function over a variable that it changes, with a default, which is given to another",
    """
import numpy as np
def make(start):
    t = start
    def add(v, k=2.0):
        nonlocal t
        t = t + v ** k
        return t
    return add
def run(step, xs):
    s = 0.0
    for v in xs:
        s = s + step(v)
    return s
def f(x):
    add = make(x[0])
    return run(add, x) + add(x[1])
""",
    np.array([0.4, 1.3, 0.7]),
)
case(
    "rows of a list of lists, each summed by NumPy",
    """
import numpy as np
def f(t):

    a = [[t[0], t[1]], [t[1], t[2] * 2.0]]
    s = 1.0
    for k in range(len(a)):
        s = s * 0.5 + np.sum(a[k]) * s
    return s
""",
    np.array([0.3, 0.8, 0.5]),
)
case(
    "rows of an array, and numbers of enumerate over it under the same name, read behind",
    """
import numpy as np
def f(t):
    a = t[None]
    s = 0.0
    for i in a:
        s = s + np.sum(i) * 1.5
    for i, w in enumerate(a):
        s = s + np.sum(a[i]) * np.sum(w)
    return s + np.sum(i)
""",
    np.array([0.3, 0.8, 0.5]),
)
case(
    "functions over variables that are called as those of the caller, and as names inside",
    """
import numpy as np
def running(total, t=2.0):
    add = total * t
    def step(v, t=t):
        nonlocal add
        try:
            add = add + v * t
        except ValueError as total:
            add = 0.0
        return sum(add * total for total in (1.0, 2.0))
    return step
def f(x):
    t = x[0]
    add = running(x[1])
    total = running(t, x[2])
    return add(t) * total(add(x[2])) + t
""",
    np.array([0.4, 1.3, 0.7]),
)
case(
    "parts of an array from other parts of it, and a constant, which overlap",
    """
import numpy as np
def f(t):
    p = t * 1.0
    p[1::2] = p[2:9] + np.linspace(0.0, 1.0, 7)
    p[1:] = p[:-1] + 1.0
    q = p.reshape(3, 5)
    q[0, 1:] = q[1:, 0][:1] + 2.0
    v = p[3:]
    p[::3] = v[:5] - 0.5
    return np.sum(p ** 3 * np.arange(15))
""",
    np.linspace(0.2, 0.9, 15),
)
case(
    "a function over an entry that it changes",
    """
def _running(start):
    state = {"total": start}

    def add(x):
        state["total"] = state["total"] * x
        return state["total"]

    return add


def f(x, y):
    add = _running(x)
    return add(y) * add(y)
""",
    0.7,
    0.4,
)

# A list of a number and a list, which the caller gets: variables, until it is returned.
case(
    "a number and a list in one that is returned by one branch, whose items change, and by the other beside a number",
    """\
def f(x, n: int):
    q = []
    for i in range(n):
        q.append(x[i] * x[i])
    value = [q[0], q]
    if x[0] > 0.0:
        value[0] += x[1]
        value[1][1] = value[0] * x[2]
        return value, x[0]
    q[1] = x[0]
    return x[2], value
""",
    np.array([0.4, 0.9, -0.3]),
    3,
)
case(
    "a number and a list in one, of which the list gets another name, and then an item",
    """\
def f(x):
    q = [x[0] * x[1], x[1]]
    r = q
    value = [x[1] * x[2], q]
    q = [x[0], value[0]]
    r[0] = value[0] * x[0]
    value[1].append(r[0] * q[1])
    return value, q
""",
    np.array([0.4, 0.9, -0.3]),
)
case(
    "a number and a list in one, in a tuple that is returned",
    """\
def f(x):
    q = [x[0] * x[0], x[1]]
    value = [x[0] * 2.0, q], x[0]
    return value, x[1] * x[1]
""",
    np.array([0.4, 0.9]),
)
# Copies of dicts in a list, whose entries are bound anew.
case(
    "copies of dicts in a dict under keys of the run, which lists keep, and whose entries are bound anew",
    """\
import numpy as np


def f(x, y: float, keys):
    total = {}
    for i, k in enumerate(keys):
        total[k] = {"u": x * y * (i + 1), "v": x * i}
    kept = []
    s = 0.0
    for k in keys:
        e = total[k].copy()
        kept.append(e)
        e["u"] = e["v"] * y
        s += np.sum(kept[-1]["u"] * total[k]["u"] * kept[0]["v"])
    return s, total
""",
    np.array([0.7, -0.4]),
    0.7,
    ["p", "q", "p"],
)

# What the caller gives without an annotation, and a list, under one name.
LIST_OR_GIVEN = {
    "a second name of a list that is given, bound anew in a loop, beside it": """
def f(x, u):
    w = u
    for k in range(2):
        w = [x[k] * v for v in w]
    return w, u
""",
    "a second name of a list that is given, in a helper, beside it": """
def first(v, q):
    return v[0] * q


def f(x, u):
    w = u
    if x[0] > 0.0:
        w = [x[0] * v for v in w]
    return first(w, x[0]) + first(u, x[1]) + first(w, u[0])
""",
    "a list that is given or made, summed": """
import numpy as np


def f(x, u):
    w = u if x[0] < 0.0 else [x[0] * v for v in u]
    return w[1] + np.sum(u) * w[0] * np.sum(w)
""",
    "a list that is given, handed back by a helper, and lists made of it": """
def same(v):
    return v


def f(x, u):
    w = same(u)
    for k in range(2):
        w = [x[k] * v for v in w]
    u = [a + b for a, b in zip(u, w)]
    return u, w
""",
    "a list of a list that is given and of lists made of it, the last beside the first": """
def f(x, u):
    xs = [u]
    for k in range(2):
        xs.append([x[k] * v for v in xs[-1]])
    w = xs[-1]
    return w, [u, w]
""",
    "lists in a list with one that is given in a place of it, of which two are returned": """
def f(x, u):
    w = None
    xs = []
    for k in range(3):
        xs.append(w)
        w = [x[k] * v for v in u]
    xs[0] = u
    return xs[1], xs[0]
""",
    "lists in a list, behind the None that it begins with, are returned": """
def f(x, u):
    w = None
    xs = []
    for k in range(3):
        xs.append(w)
        w = [x[k] * v for v in u]
    return xs[1:]
""",
    "a list that is given and lists made of it, each handed to a helper that gives it back": """
def same(v):
    return v


def f(x, u):
    w = u
    xs = []
    for k in range(3):
        xs.append(w)
        w = [x[k] * v for v in u]
    return same(xs), same(w)
""",
}
for name, text in LIST_OR_GIVEN.items():
    case(name, text, np.array([0.7, 1.3, -0.4]), [0.3, 0.6])
    case(f"{name}: an array", text, np.array([0.7, 1.3, -0.4]), np.array([0.3, 0.6]))
case(
    "the rows of one array joined, and differences of a matrix that begin at a number",
    """\
import numpy as np


# s2s: A (3, 4), T (2, 3, 4)
def f(A, T):
    d = np.diff(A, axis=1, prepend=0.3)
    e = np.diff(T, axis=1, prepend=0, append=-0.5)
    s = np.concatenate(T)
    s[0] *= T[0, 1]
    return d * A, e, s, np.vstack(A) * np.concatenate(d)[0]
""",
    np.arange(12.0).reshape(3, 4) ** 2 * 0.1,
    np.arange(24.0).reshape(2, 3, 4) * 0.2 + 0.1,
)
case(
    "the sum of a list whose items a loop reads, too",
    """\
def f(x, u):
    w = [x[0] * a for a in u]
    return sum(u) * sum(w)
""",
    np.array([0.4, 0.9]),
    [0.3, 0.6],
)
# Of a display under a number of the run, a list may be what lies there: its cotangent is added as a whole.
case(
    "a list of the caller's, or one made of it, under a number of the run",
    """\
import numpy as np


def f(x, u):
    i = int(x[0] > 0)
    w = [u, [x[0] * a for a in u]][i]
    v = (u, [x[1] * a for a in w])[-1]
    return w[0] * u[1] + u[0], v, np.sum(v)
""",
    np.array([0.4, 0.9]),
    [0.3, 0.6],
)

case(
    "a list in the place of a number, of which items are read",
    """
def f(x):
    table = [x[0], x[1], x[2]]
    table[0] = [table[1], x[2]]
    return table[0][0] * table[0][1] * table[2]
""",
    np.array([0.7, 1.3, -0.4]),
)

ROWS_OR_ARRAY = """
import numpy as np


def spread(rows):
    return np.max(rows) - np.min(rows)


def f(x):
    rows = [x] if np.ndim(x) == 1 else x
    return spread(rows) * spread(rows)
"""
case("rows that are a list of a vector, or an array, in a helper", ROWS_OR_ARRAY, np.array([0.7, 1.3, -0.4]))
case("an array that might be a vector, in a helper", ROWS_OR_ARRAY, np.array([[0.7, 1.3, -0.4], [0.1, 0.2, 0.9]]))

case(
    "layers in a dict that a constructor makes, called, with parameters under texts put together",
    """
import numpy as np


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


class Layer:
    def __init__(self, params, name):
        self.W = params[name + "_W"]
        self.b = params[f"{name}_b"]

    def __call__(self, *inputs):
        return np.concatenate(inputs) @ self.W + self.b


class GRU:
    def __init__(self, params):
        self.layers = {n: Layer(params, n) for n in ("z", "r", "h")}

    def step(self, x, h):
        z = sigmoid(self.layers["z"](x, h))
        r = sigmoid(self.layers["r"](x, h))
        c = np.tanh(self.layers["h"](x, r * h))
        return (1 - z) * h + z * c


def f(xs, W, b):
    params = {}
    for i, n in enumerate(("z", "r", "h")):
        params[n + "_W"] = W[i]
        params[n + "_b"] = b[i]
    cell = GRU(params)
    h = np.zeros(2)
    hs = []
    for x in xs:
        h = cell.step(x, h)
        hs.append(h)
    H = np.stack(hs)
    return np.sum(H[-1]) + 0.5 * np.mean(H**2)
""",
    np.array([[0.3, -0.2], [0.5, 0.1], [-0.4, 0.7]]),
    np.linspace(-0.6, 0.7, 24).reshape(3, 4, 2),
    np.array([[0.1, 0.2], [0.05, -0.1], [0.0, 0.3]]),
)

case(
    "objects in a list that are called",
    """
import numpy as np


class Layer:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


def f(x, W):
    layers = [Layer(W, 0.1), Layer(W.T, 0.2)]
    for layer in layers:
        x = layer(x)
    return np.sum(x) + np.sum(layers[0](x))
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "objects in a dict of an object that are called",
    """
import numpy as np


class Layer:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


class Net:
    def __init__(self, W):
        self.layers = {"z": Layer(W, 0.1), "r": Layer(W.T, 0.2)}

    def run(self, x):
        return self.layers["z"](self.layers["r"](x))


def f(x, W):
    return np.sum(Net(W).run(x))
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "a text of a constructor, beside a variable named like its parameter",
    """
import numpy as np


class Layer:
    def __init__(self, W, name):
        self.W = W
        self.label = f"layer {name}"
        self.b = 0.1

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


def f(x, W):
    name = "longer"
    a = Layer(W, "z")
    return np.sum(a(x)) * len(a.label) * len(name)
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "objects in a list that are called and change",
    """
import numpy as np


class Layer:
    def __init__(self, W):
        self.W = W
        self.last = np.zeros(2)
        self.n = 0

    def __call__(self, x):
        y = np.tanh(self.W @ x) + 0.5 * self.last
        self.last = y
        self.n += 1
        return y


def f(x, W):
    layers = [Layer(W), Layer(W.T)]
    for _ in range(2):
        for layer in layers:
            x = layer(x)
    return np.sum(x) + np.sum(layers[0].last ** 2) * layers[1].n
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "objects in a dict that are called and change",
    """
import numpy as np


class Layer:
    def __init__(self, W):
        self.W = W
        self.last = np.zeros(2)
        self.n = 0

    def __call__(self, x):
        y = np.tanh(self.W @ x) + 0.5 * self.last
        self.last = y
        self.n += 1
        return y


def f(x, W):
    layers = {'a': Layer(W), 'b': Layer(W.T)}
    for _ in range(2):
        x = layers['a'](layers['b'](x))
    return np.sum(x) + np.sum(layers['a'].last ** 2) * layers['b'].n
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "one object twice in a dict, called, and changed",
    """
import numpy as np


class Layer:
    def __init__(self, W):
        self.W = W
        self.last = np.zeros(2)
        self.n = 0

    def __call__(self, x):
        y = np.tanh(self.W @ x) + 0.5 * self.last
        self.last = y
        self.n += 1
        return y


def f(x, W):
    a = Layer(W)
    layers = {'a': a, 'b': a}
    x = layers['b'](layers['a'](x))
    return np.sum(x) + np.sum(a.last ** 2) * layers['b'].n
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "objects in a dict whose constructors read entries under texts put together, changed later",
    """
import numpy as np


class Layer:
    def __init__(self, W, name):
        self.W = W[name]
        self.b = W[name + '_b']

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


def f(x, W):
    p = {'a': W, 'a_b': x[0], 'c': W.T, 'c_b': x[1]}
    net = {n: Layer(p, n) for n in ('a', 'c')}
    net['a'].b = x[1] ** 2
    return np.sum(net['a'](net['c'](x)))
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "kernels in a list that are called in a comprehension, by position and by keyword",
    """
import numpy as np


class Kernel:
    def __init__(self, ell, var=1.0):
        self.ell = ell
        self.var = var

    def __call__(self, a, b=None, *, jitter=0.0):
        b = a if b is None else b
        d = (a[:, None] - b[None, :]) / self.ell
        return self.var * np.exp(-0.5 * d**2) + jitter * np.eye(len(a), len(b))


def f(x, W):
    ks = [Kernel(x[0]), Kernel(x[1], var=W[0, 0])]
    t = np.array([0.1, 0.4, 0.9])
    y = np.array([0.2, -0.1, 0.4])
    K = ks[0](t, jitter=0.1) + sum(k(t) for k in ks) + ks[1](a=t, b=t)
    L = np.linalg.cholesky(K)
    a = np.linalg.solve(L, y)
    return 0.5 * a @ a + np.sum(np.log(np.diag(L)))
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "methods with comments that stand further left, and with text on several lines",
    '''
import numpy as np


class Box:
    def __init__(self, q, C):
        self.q = q
        self.C = C

    def rate(self):
        """A rate
of decay."""
#        return -self.q
        return -self.C * self.q  # of first order

    def run(self, n):
        for _ in range(n):
            # explicit
#            old = self.q.copy()
            self.q = self.q + 0.1 * self.rate()
# done


def f(x, W):
    box = Box(x, W[0, 1])
    box.run(3)
    return box.q
''',
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

for state, update in (
    ("g.u *= x[0]", "g.u[:] = g.u * C"),
    ("g.u = g.u + x[0]", "g.u = g.u + C * self.slope()"),
    ("s.grid.u += x", "g.u = 0.5 * (g.u + self.slope()) + C * self.slope()"),
    ("s.grid.u = x * C", "self.grid.fill(C)"),
    ("g.fill(x[1])", "g.u = np.tanh(g.u * C)"),
):
    case(
        f"a part of an object under a name of its own, and in the caller: {state}, {update}",
        f"""
import numpy as np


class Grid:
    def __init__(self, n):
        self.n = n
        self.u = np.ones(n)

    def fill(self, v):
        self.u[0] = v * self.u[-1]


class Sim:
    def __init__(self, grid):
        self.grid = grid
        self.t = 0.0

    def slope(self):
        g = self.grid
        g.fill(0.3)
        return np.sin(g.u) * g.n

    def evolve(self, C):
        g = self.grid
        self.t = 0.0
        while self.t < 0.5:
            {update}
            self.t += 0.2


def f(x, W):
    C = W[0, 0]
    g = Grid(2)
    s = Sim(g)
    {state}
    s.evolve(C)
    {state}
    s.evolve(C)
    return g.u + s.t
""",
        np.array([0.3, 0.5]),
        np.array([[0.2, 0.1], [0.4, -0.3]]),
    )

case(
    "a part of an object under a name of its own, where the part is exchanged later",
    """
import numpy as np


class Grid:
    def __init__(self, u):
        self.u = u


class Sim:
    def __init__(self, grid):
        self.grid = grid

    def evolve(self, C):
        g = self.grid
        self.grid = Grid(C * np.sin(g.u))
        g.u = g.u * C
        return g.u + self.grid.u


def f(x, W):
    s = Sim(Grid(x))
    return s.evolve(W[0]) * s.evolve(W[1])
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "a method under a name, which a text decides",
    """
import numpy as np


class Sim:
    def __init__(self, q, C):
        self.q = q
        self.C = C

    def euler(self, h):
        return -h * self.C * self.q

    def midpoint(self, h):
        return -h * self.C * (self.q + 0.5 * self.euler(h))

    def evolve(self, n, kind="euler"):
        stepper = self.euler
        if kind == "midpoint":
            stepper = self.midpoint
        for _ in range(n):
            q1 = self.q + stepper(0.1)
            self.q = 0.5 * (self.q + q1 + stepper(0.2))


def f(x, W):
    a, b = Sim(x, W[0, 1]), Sim(x**2, W[1, 1])
    a.evolve(2)
    b.evolve(2, kind="midpoint")
    return a.q * b.q
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "what is read before a method that changes it, of names that a text brings along",
    """
import numpy as np


class Sim:
    def __init__(self, q):
        self.q = q

    def step(self):
        self.q[0] = self.q[-1]
        return -self.q**2

    def evolve(self, C):
        for _ in range(2):
            q0 = self.q.copy()
            q1 = q0 + C
            old = self.q
            q2 = (q0 + q1 + old * 1.0 + C * self.step()) / 3
            self.q = q2


def f(x, W):
    s = Sim(x * W[0, 1])
    s.evolve(W[1, 0])
    return s.q
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "constructors that call that of object, by super()",
    """
from abc import ABC, abstractmethod
import numpy as np


class Kernel(ABC):
    def __init__(self):
        super().__init__()
        self.parameters = {}
        # of both
        self.calls = 0  # so far

    @abstractmethod
    def value(self, a, b):
        raise NotImplementedError

    def __call__(self, a, b=None):
        self.calls += 1
        return self.value(a, a if b is None else b)


class Gauss(Kernel):
    def __init__(self, ell=None):
        super().__init__()
        self.parameters = {"ell": ell}

    def value(self, a, b):
        d = a[:, None] - b[None]
        return np.exp(-0.5 * d**2 / self.parameters["ell"] ** 2)


class Rates:
    scale = 2.0


class Decay(Rates):
    def __init__(self, k):
        super(Decay, self).__init__()
        self.k = k

    def step(self, y):
        self.k = self.k * 0.9
        return -self.scale * self.k * y


def f(x, W):
    kernel, decay = Gauss(W[0, 0]), Decay(W[1, 1])
    return kernel(x) + kernel(x, decay.step(x)) * kernel.calls + decay.step(x)
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "methods that count, and bind their arrays anew",
    """
import numpy as np


class Kernel:
    def __init__(self, s):
        self.s = s
        self.n = 0

    def value(self, X, Y=None):
        self.n += 1
        if X.ndim == 1:
            X = X.reshape(-1, 1)
        Y = X if Y is None else Y
        return np.exp(-self.s * X * np.sum(Y.T, axis=0)) / X.shape[0]


def f(x, W):
    k = Kernel(W[0, 0])
    return k.value(x) + k.value(2.0 * x, W) * k.n + k.value(np.array([x[1], W[1, 0]]))
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

FILLED = """
import numpy as np


class Net:
    def __init__(self, ws):
        self.layers = []
        for w in ws:
            self.layers.append(w * 2.0)

    def g(self, x):
        for l in self.layers:
            x = np.tanh(l * x)
        return x

    def loss(self, x):
        r = self.g(x) - x
        return r @ r
"""

case(
    "sums of a method of an object whose constructor fills a list",
    FILLED
    + """

def f(w, x):
    n = Net(w)
    return sum(n.loss(v) for v in x) * sum(n.loss(v * 0.5) for v in x)
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "a comprehension of what such a method returns",
    FILLED
    + """

def f(w, x):
    n = Net(w)
    ys = [n.g(v) for v in x]
    return np.sum(ys[0] * ys[-1])
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "a function inside that calls such a method",
    FILLED
    + """

def f(w, x):
    n = Net(w)

    def h(v):
        return n.loss(v) + 1.0

    return h(x[0]) * h(x[1])
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "a lambda that calls such a method",
    FILLED
    + """

def f(w, x):
    n = Net(w)
    h = lambda v: n.loss(v) + 1.0
    return h(x[0]) * h(x[1])
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "such a method under a name",
    FILLED
    + """

def f(w, x):
    n = Net(w)
    h = n.loss
    return h(x[0]) * h(x[1])
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "such a method handed to a helper",
    FILLED
    + """

def rk(fun, v):
    k1 = fun(v)
    k2 = fun(v + 0.1 * k1)
    return v + 0.05 * (k1 + k2)


def f(w, x):
    n = Net(w)
    y = rk(n.g, x[0])
    return np.sum(rk(n.g, y))
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "such a method for some items",
    FILLED
    + """

def f(w, x):
    n = Net(w)
    return sum(n.loss(v) for v in x if np.sum(v) > 0)
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "such a method of two objects",
    FILLED
    + """

def f(w, x):
    n = Net(w)
    m = Net(w * 0.3)
    return sum(n.loss(v) * m.loss(v * 0.5) for v in x)
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([[0.4, -0.7, 0.9], [0.7, -0.4, 1.2], [0.8, -1.4, 1.8]]),
)

case(
    "a method and a number under names by one assignment",
    """
import numpy as np
from dataclasses import dataclass, field


class Lorenz:
    def __init__(self, sigma, rho, beta):
        self.sigma, self.rho, self.beta = sigma, rho, beta

    def rhs(self, s):
        x, y, z = s
        d = np.empty(3)
        d[0] = self.sigma * (y - x)
        d[1] = x * (self.rho - z) - y
        d[2] = x * y - self.beta * z
        return d


class RK4:
    def __init__(self, system, dt):
        self.system = system
        self.dt = dt
        self.history = []

    def step(self, s):
        f, h = self.system.rhs, self.dt
        k1 = f(s)
        k2 = f(s + 0.5 * h * k1)
        k3 = f(s + 0.5 * h * k2)
        k4 = f(s + h * k3)
        return s + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)

    def run(self, s, n):
        for _ in range(n):
            s = self.step(s)
            self.history.append(s)
        return s


def f(p, s0):
    solver = RK4(Lorenz(p[0], p[1], p[2]), 0.01)
    solver.run(s0, 4)
    return sum(np.sum(h**2) for h in solver.history)
""",
    np.array([1.0, 2.0, 0.5]),
    np.array([0.4, -0.7, 0.9]),
)

case(
    "pairs of objects by the rest of their list",
    """
import numpy as np
from dataclasses import dataclass, field


class Particle:
    def __init__(self, x, v, m=1.0):
        self.x = np.array(x)
        self.v = np.array(v)
        self.m = m
        self.f = np.zeros(2)

    def kick(self, dt):
        self.v += dt * self.f / self.m

    def drift(self, dt):
        self.x += dt * self.v


class World:
    def __init__(self, xs, k):
        self.ps = [Particle(x, [0.0, 0.1]) for x in xs]
        self.k = k

    def forces(self):
        for p in self.ps:
            p.f[:] = 0.0
        for i, p in enumerate(self.ps):
            for q in self.ps[i + 1 :]:
                d = q.x - p.x
                r = np.sqrt(d @ d + 0.1)
                f = self.k * d / r**3
                p.f += f
                q.f -= f

    def step(self, dt):
        self.forces()
        for p in self.ps:
            p.kick(dt)
            p.drift(dt)

    def energy(self):
        return sum(0.5 * p.m * p.v @ p.v for p in self.ps)


# s2s: xs (n, 2), k ()
def f(xs, k):
    w = World(xs, k)
    for _ in range(3):
        w.step(0.1)
    return w.energy()
""",
    np.array([[0.1, 0.2], [1.3, -0.4], [0.5, 1.6]]),
    0.7,
)

case(
    "a list by default that __post_init__ appends to",
    """
import numpy as np
from dataclasses import dataclass, field


@dataclass
class Net:
    w: np.ndarray
    layers: list = field(default_factory=list)

    def __post_init__(self):
        self.layers.append(self.w * 2.0)
        self.layers.append(self.w * 3.0)

    def forward(self, x):
        for l in self.layers:
            x = np.tanh(l * x)
        return x


def f(w, x):
    return np.sum(Net(w).forward(x))
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([0.7, -0.4, 1.2]),
)

case(
    "lists and dicts by default of two objects",
    """
import numpy as np
from dataclasses import dataclass, field


@dataclass
class Net:
    w: np.ndarray
    log: list = field(default_factory=list)
    d: dict = field(default_factory=lambda: {"a": 1.0})

    def __post_init__(self):
        self.log.append(np.sum(self.w))

    def step(self, x):
        self.w = self.w * 0.5 + x
        self.d["a"] = self.d["a"] * x[0]
        self.log.append(np.sum(self.w**2))


def f(w, x):
    a, b = Net(w), Net(x)
    for k in range(3):
        a.step(x)
        b.step(w)
    return np.sum(np.array(a.log) * np.array(b.log)) * a.d["a"] + b.d["a"]
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([0.7, -0.4, 1.2]),
)

case(
    "a constructor that appends to a list of the call's own",
    """
import numpy as np
from dataclasses import dataclass, field


class Net:
    def __init__(self, w, layers):
        self.w = w
        self.layers = layers
        self.layers.append(w * 2.0)

    def forward(self, x):
        for l in self.layers:
            x = np.tanh(l * x)
        return x


def f(w, x):
    n = Net(w, [w, x])
    n.layers.append(x)
    m = Net(w, [])
    return np.sum(n.forward(x) * m.forward(w))
""",
    np.array([0.4, -0.7, 0.9]),
    np.array([0.7, -0.4, 1.2]),
)


case(
    "a helper binds a parameter to itself, and returns it in a dict",
    """
import numpy as np


def step(e, t):
    t = t
    return {"s": t * 0.5, "t": t, "u": e.copy()}


def f(x, W):
    d = {"s": x[1], "t": x[0], "u": x}
    for i in range(2):
        d = step(W[i], d["s"])
    return d["s"] * d["t"] * np.sum(d["u"])
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "what a helper gives of an array that a loop wrote is returned",
    """
import numpy as np


def largest(e, t):
    for row in e:
        if row[0] > t:
            return row
    return e[-1]


def f(x, W):
    # s2s: x (2,), W (2, 2)
    w = W * 1.0
    s = x
    for _ in range(3):
        s = s * w[0]
        w[0] *= x
        w[1] *= s
    return largest(w, 0.3)
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "what a helper gives of an array that a loop wrote is returned beside a number",
    """
import numpy as np


def parts(e, t):
    return np.sum(t), e[0]


def f(x, W):
    # s2s: x (2,), W (2, 2)
    w = W * 1.0
    s = x
    for _ in range(3):
        s = s * w[0]
        w[0] *= x
        w[1] *= s
    return parts(w, x)
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "the real part of what a helper gives of an array that a loop wrote is returned",
    """
import numpy as np


def either(e, t):
    if np.sum(t) > 9.0:
        return t
    return e


def f(x, W):
    # s2s: x (2,), W (2, 2)
    w = W * 1.0
    s = x
    for _ in range(3):
        s = s * w[0]
        w[0] *= x
        w[1] *= s
    return np.real(either(w, W))
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "a helper that adds to the cotangent of an array, called in a loop with a multiple of what it gave before",
    """
import numpy as np


def h(e, t):
    return t * e[0]


def f(x, W):
    # s2s: x (2,), W (2, 2)
    u = x * 0.8
    b = 0.6
    for i in range(2):
        c = h(u, b * 0.5)
        b = c
        u[i] = c
    return u * W[0]
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "what a helper gives that writes into an array is stored in that array",
    """
import numpy as np


def shift(a, t):
    for k in range(1, 3):
        a[k] = a[k - 1] * t + a[k]
        if a[k] > 0.5:
            return a[k] * t
    return t


def f(x, W):
    u = np.concatenate([x, W[0]])
    for i in range(2):
        u[i] = shift(u, x[i])
        u[i - 1] = shift(u, u[i]) * 0.5
    return u
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "a helper gets an array and an element of it, in a loop over the array",
    """
import numpy as np


def h(e, t):
    return t * e[0]


def f(x, W):
    # s2s: x (2,), W (2, 2)
    u = x * 2.0
    s = x[0]
    for i, d in enumerate(u):
        s = h(u, 0.6 * d)
    return s * W[0]
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "a helper gets an array and its first element, in a loop over the array that is read behind it",
    """
import numpy as np


def h(e, t):
    return t * e[0]


def f(x, W):
    # s2s: x (2,), W (2, 2)
    u = x * 2.0
    for d in u:
        s = h(u, 0.6 * d)
    return s * W[0] + d
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "a target that is bound behind a subscript of it: the old array is written",
    """
import numpy as np


def both(e, t):
    return e[0] * t, e * t


def f(x, W):
    # s2s: x (2,), W (2, 2)
    w = x * 2.0
    old = w
    for i in range(2):
        w[i], w = both(W[i], x[i])
    return old * w
""",
    np.array([0.3, 0.5]),
    np.array([[0.2, 0.1], [0.4, -0.3]]),
)

case(
    "neighbours of a cell as tuples of places, from a table of the module",
    """
import numpy as np

STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def lap(U, k):
    n, m = U.shape
    out = np.zeros_like(U)
    for i in range(n):
        for j in range(m):
            p = (i, j)
            for di, dj in STEPS:
                q = (i + di, j + dj)
                if 0 <= q[0] < n and 0 <= q[1] < m:
                    out[p] += k * (U[q] - U[p]) ** 3
    return out


def f(U, k):
    return np.sum(lap(U, k) ** 2)
""",
    np.array([[0.3, 0.9, 0.4], [0.7, 0.2, 0.6]]),
    0.7,
)

case(
    "places that a walk goes through, as tuples that are bound anew",
    """
def f(h, k):
    p = (0, 0)
    s = 0.0
    h = h * 1.0
    for _ in range(4):
        i, j = p
        s += h[p] * k
        if j + 1 < h.shape[1] and (i + 1 >= h.shape[0] or h[i, j + 1] > h[i + 1, j]):
            p = (i, j + 1)
        elif i + 1 < h.shape[0]:
            p = (i + 1, j)
        else:
            break
        h[p] *= s
    return s + h[p]
""",
    np.array([[0.3, 0.9, 0.4], [0.7, 0.2, 0.6]]),
    0.7,
)

case(
    "a row of an array of three axes by a tuple of two places",
    """
import numpy as np


def f(A, k):
    # s2s: A (2, 2, 3), k ()
    B = A * k
    for p in np.ndindex(2, 2):
        v = B[p]
        v *= A[p[1], p[0]]
        B[p][0] += np.sum(v)
    q = (1, 0)
    row = B[q]
    B[q] = row[::-1] * k
    return np.sum(B**2) + row[2]
""",
    np.linspace(0.2, 1.3, 12).reshape(2, 2, 3),
    0.7,
)

case(
    "places with a break, a change of the array that is run over, and a target that is read behind the loop",
    """
import itertools

import numpy as np


def f(A, k):
    # s2s: A (n, m)
    n, m = A.shape
    s = 1.0
    for i, j in np.ndindex(*A.shape):
        A = A * s
        s += A[i, j] * k
        if s > 3.0:
            break
    for p in itertools.product(range(n), range(m - 1)):
        s *= A[p]
    return s * A[p] * A[i, j]
""",
    np.array([[0.3, 0.9], [0.7, 0.2]]),
    0.7,
)

case(
    "the items of a list that an earlier loop has appended to, with its last one",
    """
import numpy as np


def f(x, k):
    sums = []
    for v in x:
        sums.append(sums[-1] * k + v if sums else v)
    s = 0.0
    for v in sums:
        s += v**2 * k
    sums.append(s)
    for v in sums:
        s = s * v
    return s
""",
    np.array([0.3, 0.9, 0.4]),
    0.7,
)

case(
    "a limiter that returns what it is given or a copy, of a row of an array that is written",
    """
import numpy as np


def limit(q, k=0.5):
    if np.max(q) > k:
        q = q * 0.7
    return q


def f(u, k: float):
    Q = np.zeros((2, len(u)))
    Q[0] = u
    Q[1] = k
    rows = [Q[0]]
    Q[0] -= limit(Q[1])
    Q[1] *= limit(Q[1], 3.0)
    return np.sum(Q[1] * Q[0]) + np.sum(rows[0])
""",
    np.array([0.3, 0.9, 0.4]),
    0.7,
)

case(
    "a view of an array that a constructor is given as an expression",
    """
import numpy as np


class Grid:
    def __init__(self, u):
        self.u = u
        self.inner = u[1:-1]

    def step(self, k):
        self.inner += k * self.u[2:] * self.u[:-2]


def f(x, k):
    g = Grid(x * 1.0)
    g.step(k)
    h = Grid(g.u + x)
    h.step(k)
    g.step(k)
    return np.sum(g.u**2) + np.sum(h.inner * g.inner)
""",
    np.array([0.3, 0.9, 0.4, 0.6]),
    0.7,
)

case(
    "a function that calls itself with a written out number, and writes into what it is given",
    """
import numpy as np


def spread(a, t, n):
    if n == 0 or a[n] > 0.9:
        return t
    a[n] = a[n - 1] * t
    return spread(a, a[n] * 0.5 + 0.2, n - 1)


def f(x, y):
    # s2s: x (3,), y (3,)
    u = x * y
    r = u[::-1]
    for i in range(1, 3):
        u = np.sin(u * y)
        r[1] = spread(r, u[i], 2)
    return np.sum(u * u) + np.sum(r)
""",
    np.array([0.3, 0.9, 0.4]),
    np.array([0.7, 0.6, 0.8]),
)

case(
    "classes that make objects of each other, as often as a number says",
    """
class Even:
    def __init__(self, n):
        self.n = n
        self.next = Odd(n - 1) if n > 0 else None

    def value(self, x):
        return x if self.n == 0 else x * self.n


class Odd:
    def __init__(self, n):
        self.n = n
        self.next = Even(n - 1) if n > 0 else None


def f(x):
    return Even(2).value(x) * x
""",
    0.7,
)

case(
    "entries of a dict by the texts in a list of texts and numbers",
    """
def f(x):
    # s2s: x (n,)
    st = []
    env = {"a": x[0], "b": x[1]}
    for t in ["a", 2.5, "b"]:
        if isinstance(t, str):
            st.append(env[t])
        else:
            st.append(t)
    return x[2] * st[0] * st[1] + st[2] ** 2
""",
    np.array([0.3, 0.9, 0.4]),
)

case(
    "an entry of a dict by a parameter that may be a text or a number",
    """
def f(x, mode):
    # s2s: x (n,)
    st = []
    env = {"a": x[0], "b": x[1]}
    if isinstance(mode, str):
        st.append(env[mode])
    else:
        st.append(mode)
    return x[2] * st[0]
""",
    np.array([0.3, 0.9, 0.4]),
    "b",
)

case(
    "a tree of texts, numbers and pairs, by a function that calls itself",
    """
def value(e, env):
    if isinstance(e, str):
        return env[e]
    if isinstance(e, tuple):
        op, a, b = e
        if op == "+":
            return value(a, env) + value(b, env)
        return value(a, env) * value(b, env)
    return e


def f(x):
    # s2s: x (n,)
    env = {"a": x[0], "b": x[1]}
    return value(("*", ("+", "a", 2.0), ("*", "b", "a")), env) * x[2]
""",
    np.array([0.3, 0.9, 0.4]),
)

case(
    "the place of an item that only a text reads, behind a loop with the same name",
    """
def f(x, k):
    p = {"w0": 0.0, "w1": 0.0, "w2": 0.0}
    log = []
    s = 0.0
    for i in range(2):
        s += x[i] ** 2
    for i, v in enumerate(x):
        p[f"w{i}"] = v * k
        log.append(f"step {i}: {v}")
    q = {f"u{j}": v * k for j, v in enumerate(x)}
    return s + p["w1"] * p["w2"] + q["u0"] + len(log)
""",
    np.array([0.3, 0.9, 0.4]),
    0.7,
)

case(
    "a list of numbers as a key for rows and columns",
    """
import numpy as np


def f(x, e):
    # s2s: x (n,)
    F = np.zeros((3, 3))
    F[np.ix_(e, e)] += x[0] * np.ones((2, 2))
    F[np.ix_(e, [1])] *= x[1]
    return np.sum(F**2) * x[2]
""",
    np.array([0.3, 0.9, 0.4]),
    [0, 2],
)

case(
    "texts and tuples of whole numbers beside numbers, in tuples of a list",
    """
def f(x, k):
    # s2s: x (n,), k ()
    recs = []
    s = [1, -1, 1]
    best = (x[0], tuple(s))
    for i, v in enumerate(x):
        recs.append((f"r{v:.0f}", v * k))
        recs.append((str(i), v**2))
        s[i] = -s[i]
        if v * k > 0.3:
            best = (v * k, tuple(s))
    return recs[0][1] * recs[3][1] + best[0] + best[1][0] * k
""",
    np.array([0.3, 0.9, 0.4]),
    0.7,
)

case(
    "states of a class that are numbered side by side, with what each drives in a dict",
    """
class Thermostat:
    IDLE, HEAT, COOL = range(3)
    LOW, HIGH = 0.4, 1.0

    def __init__(self, T0, k):
        self.T = T0
        self.k = k
        self.state = self.IDLE
        self.energy = self.steps = 0.0

    def transition(self):
        if self.state == self.IDLE:
            if self.T < self.LOW:
                self.state = self.HEAT
            elif self.T > Thermostat.HIGH:
                self.state = self.COOL
        elif self.state == self.HEAT and self.T >= 0.7:
            self.state = self.IDLE

    def step(self, u):
        self.transition()
        drive = {self.IDLE: 0.0, self.HEAT: 0.5, self.COOL: -0.5}[self.state]
        self.T += self.k * (u - self.T) + drive * self.k
        self.energy += abs(drive) * self.T
        self.steps += 1.0


def f(u, k):
    # s2s: u (n,), k ()
    th = Thermostat(0.5, k)
    trace = []
    for ui in u:
        th.step(ui)
        trace.append(th.T)
    return th.energy + sum(t * v for t, v in zip(trace, u)) * th.steps
""",
    np.array([0.1, 0.2, 0.9, 1.4, 1.2]),
    0.7,
)

case(
    "layers with attributes that are bound to one number, gone through from both ends",
    """
class Layer:
    def __init__(self, tau):
        self.tau = tau
        self.up = self.down = 0.0


class Column:
    def __init__(self, tau):
        self.layers = [Layer(t) for t in tau]

    def sweep(self, mu):
        for lay in self.layers:
            mu = mu * lay.tau
            lay.up += mu
        for lay in reversed(self.layers):
            mu = mu + lay.tau
            lay.down += mu
        return mu


def f(tau, k):
    # s2s: tau (n,), k ()
    col = Column(tau)
    return col.sweep(k) * col.layers[1].up * col.layers[2].down
""",
    np.array([0.3, 0.9, 0.4]),
    0.7,
)

case(
    "functions in a dict of the module that is made by a call",
    """
import numpy as np

LAWS = dict(sin=np.sin, square=lambda v: v**2)


def f(x, k):
    s = 0.0
    for name in ("sin", "square"):
        s = s + np.sum(LAWS[name](x * k))
    return s
""",
    np.array([0.3, 0.9, 0.4]),
    0.7,
)

case(
    "rates under the keys of a dict that only a helper reads",
    """
REACTIONS = [
    {"in": {"A": 1, "B": 1}, "out": {"C": 1}, "k": 0},
    {"in": {"C": 1}, "out": {"A": 1, "B": 1}, "k": 1},
]


def rate(rx, conc, k):
    r = k[rx["k"]]
    for s, n in rx["in"].items():
        r = r * conc[s] ** n
    return r


def rhs(conc, k):
    d = {s: 0.0 for s in conc}
    for rx in REACTIONS:
        r = rate(rx, conc, k)
        for s, n in rx["in"].items():
            d[s] -= n * r
        for s, n in rx["out"].items():
            d[s] += n * r
    return d


def f(c0, k):
    # s2s: c0 (3,), k (2,)
    conc = {"A": c0[0], "B": c0[1], "C": c0[2]}
    for _ in range(3):
        d = rhs(conc, k)
        conc = {s: conc[s] + 0.1 * d[s] for s in conc}
    return conc["A"] * conc["B"] + conc["C"] ** 2
""",
    np.array([0.3, 0.9, 0.4]),
    np.array([0.7, 0.2]),
)

WEIGHTS = [np.array([[0.4, -0.3], [0.2, 0.7], [0.1, 0.5]]), np.array([[0.6, 0.2, -0.4], [0.3, -0.1, 0.9]])]
BIASES = [np.array([0.1, -0.2]), np.array([0.3, 0.05, 0.2])]

case(
    "weights and biases of layers of several sizes, in two lists, side by side",
    """
import numpy as np


def f(x, weights, biases):
    for W, b in zip(weights, biases):
        x = np.tanh(x @ W + b)
    return np.sum(x * x)
""",
    np.array([0.4, -0.7, 1.2]),
    WEIGHTS,
    BIASES,
)

case(
    "weights and biases of layers of several sizes, in two lists, by their number",
    """
import numpy as np


def f(x, weights, biases):
    for i in range(len(weights)):
        x = np.tanh(x @ weights[i] + biases[i])
    return np.sum(x * x)
""",
    np.array([0.4, -0.7, 1.2]),
    WEIGHTS,
    BIASES,
)

BOXES = {"boxes": [{"C": 0.7, "k": 1.2}, {"C": 1.3, "k": 0.4}]}
TEXTS_OF_BOXES = {
    "in a loop": "s = 1.0\n    for box in boxes:\n        s = s / box['C'] + box['k']\n    return s",
    "by their numbers": "return boxes[0]['C'] * boxes[1]['k']",
    "in a sum": "return sum(b['C'] ** 2 for b in boxes)",
}
for how, lines in TEXTS_OF_BOXES.items():
    case(f"dicts in a list that has a name, {how}", f"def f(par):\n    boxes = par['boxes']\n    {lines}\n", BOXES)

case(
    "weights and biases of layers, each with a name",
    """
import numpy as np


def f(x, params):
    Ws, bs = params["W"], params["b"]
    n = len(Ws)
    for i in range(n):
        x = x @ Ws[i] + bs[i]
        if i < n - 1:
            x = np.maximum(x, 0.0)
    return np.sum(x)
""",
    np.array([0.4, -0.7, 1.2]),
    {"W": WEIGHTS, "b": BIASES},
)

for result in ("s", "np.array([s, largest])"):  # of a number, grad is made as well: of `max` it takes an array
    largest = "2.0" if result == "s" else 'max(data["y"])'
    case(
        f"numbers in lists of a dict, each with a name: {result}",
        f"""
import numpy as np
def f(data, k):
    xs = data["x"]
    ys = data["y"]
    largest = {largest}
    s = 0.0
    for i in range(len(xs)):
        s += (ys[i] / largest - k * xs[i]) ** 2
    return {result}
""",
        {"x": [0.1, 0.5], "y": [0.3, 0.9]},
        0.7,
    )

COPY = "import copy\nfrom copy import deepcopy\n\nimport numpy as np\n"
DEEP_COPIES: dict[str, tuple[str, tuple[object, ...]]] = {
    "of an array": (
        """
# s2s: x (n,), k ()
def f(x, k):
    y = copy.deepcopy(x)
    y[0] *= k
    return np.sum(x * y)
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a list of numbers": (
        """
# s2s: x (n,), k ()
def f(x, k):
    a = [x[0], x[1] * k]
    y = copy.deepcopy(a)
    y[0] *= k
    return a[0] * y[0] + y[1]
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a list of arrays": (
        """
# s2s: x (n,), k ()
def f(x, k):
    a = [x * 2.0, x * k]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(a[0] * y[0] + y[1])
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a list of lists": (
        """
# s2s: x (n,), k ()
def f(x, k):
    a = [[x[0], x[1]], [x[2], k]]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return a[0][1] * y[0][1] + y[1][0]
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a dict": (
        """
# s2s: x (n,), k ()
def f(x, k):
    a = {"u": x * 1.0, "v": k}
    y = copy.deepcopy(a)
    y["u"][1] *= k
    return np.sum(a["u"] * y["u"]) + y["v"]
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a number": (
        """
# s2s: x (n,), k ()
def f(x, k):
    a = x[0] * k
    b = copy.deepcopy(a)
    return b * a
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of an object with an array": (
        """
from dataclasses import dataclass
@dataclass
class S:
    u: np.ndarray
    t: float
# s2s: x (n,), k ()
def f(x, k):
    s = S(x * 1.0, 0.0)
    old = copy.deepcopy(s)
    s.u[0] += k
    s.t += 0.1
    return np.sum(s.u * old.u) + s.t - old.t
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of an object, in a method": (
        """
class S:
    def __init__(self, u, t):
        self.u = u
        self.t = t
    def clone(self):
        return copy.deepcopy(self)
# s2s: x (n,), k ()
def f(x, k):
    s = S(x * 1.0, 0.0)
    old = s.clone()
    s.u[0] += k
    s.t += 0.1
    return np.sum(s.u * old.u) + s.t - old.t
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of an object that changes, in a list": (
        """
class S:
    def __init__(self, u, t):
        self.u = u
        self.t = t
# s2s: x (n,), k ()
def f(x, k):
    s = S(x[0], 0.0)
    hist = []
    for i in range(3):
        s.u = s.u * k + x[i]
        hist.append(copy.deepcopy(s))
    return sum(h.u**2 for h in hist)
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a list of lists in a loop": (
        """
# s2s: x (n,), k ()
def f(x, k):
    grid = [[x[0], x[1]], [x[2], k]]
    for _ in range(3):
        old = copy.deepcopy(grid)
        for i in range(2):
            for j in range(2):
                grid[i][j] = old[i][j] * k + old[1 - i][j] * x[0]
    return grid[0][0] * grid[1][1]
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a list that is given": (
        """
def f(x: list[float], k: float):
    y = copy.deepcopy(x)
    y[0] *= k
    return x[0] * y[0] + y[1]
""",
        (
            [0.3, 0.4],
            0.7,
        ),
    ),
    "in a branch": (
        """
# s2s: x (n,), k ()
def f(x, k):
    y = deepcopy(x)
    y[0] *= k
    best = deepcopy(y)
    for i in range(3):
        y = y * k
        if y[0] > 0.1:
            best = deepcopy(y)
    return (best * x).sum()
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
    "of a dict that changes, in a branch": (
        """
# s2s: x (n,), k ()
def f(x, k):
    p = {"w": x * 1.0, "b": k}
    best = deepcopy(p)
    cost = 10.0
    for i in range(4):
        p["w"] -= 0.1 * (p["w"] - k)
        p["b"] *= 0.9
        c = (p["w"] ** 2).sum() + p["b"] ** 2
        if c < cost:
            cost = c
            best = deepcopy(p)
    return (best["w"] * x).sum() * best["b"]
""",
        (
            np.array([0.4, 1.3, -0.7]),
            0.7,
        ),
    ),
}
for of, (text, given) in DEEP_COPIES.items():
    case(f"copy.deepcopy {of}", COPY + text, *given)

ROWS = np.array([0.4, 1.3, -0.7])
for how, lines in {
    "update": "d.update({n: d[n] * k + 1.0 for n in names[1:]})",
    "`|=`": "d |= {n: d[n] * k + 1.0 for n in names[1:]}",
}.items():
    text = f"def f(x, k, names):\n    d = {{n: x[i] * k for i, n in enumerate(names)}}\n    {lines}\n    s = 0.0\n"
    case(
        f"entries of a comprehension, {how}",
        text + "    for n in names:\n        s += d[n] ** 2\n    return s\n",
        ROWS,
        0.7,
        ["a", "b", "c"],
    )

case(
    "a list that is sorted by an item",
    """
from operator import itemgetter


def f(x, k):
    rows = [(v * k, i) for i, v in enumerate(x)]
    rows.sort(key=itemgetter(0), reverse=True)
    return sum(v * (j + 1) for j, (v, i) in enumerate(rows))
""",
    ROWS,
    0.7,
)

case(
    "numbers are removed from a list of places",
    """
# s2s: x (n,), k ()
def f(x, k):
    alive = [0, 1, 2, 3]
    s = 0.0
    for j in [1, 3]:
        alive.remove(j)
        for i in alive:
            s += x[i] * k
    return s
""",
    np.array([0.4, 1.3, -0.7, 0.2]),
    0.7,
)

case(
    "the least is removed from a list",
    """
# s2s: x (n,), k ()
def f(x, k):
    L = [v * k for v in x]
    L.remove(min(L))
    return sum(v * v for v in L)
""",
    np.array([0.4, 1.3, -0.7, 0.2]),
    0.7,
)

TABLES_OF_FUNCTIONS = {
    "in a dict, by its keys in order": (
        """
import numpy as np
# s2s: x (n,), k ()
def f(x, k):
    laws = {"a": lambda v: v * k, "b": lambda v: np.sin(v) + k}
    s = 0.0
    for name in sorted(laws):
        s += laws[name](x[0])
    return s
""",
        (0.7,),
    ),
    "in a dict, by `.get` of a text": (
        """
def decay(v):
    return v * 0.5
def grow(v):
    return v * v
MODELS = {"decay": decay, "grow": grow}
# s2s: x (n,), k ()
def f(x, k):
    return MODELS.get("decay")(x[0]) + MODELS.get("grow", decay)(x[1]) * k
""",
        (0.7,),
    ),
    "that write into an array, in a dict, by a parameter": (
        """
def wrap(u):
    u[0] = u[-2]
    u[-1] = u[1]
def zero(u):
    u[0] = 0.0
    u[-1] = 0.0
BCS = {"wrap": wrap, "zero": zero}
# s2s: x (n,), k ()
def f(x, k, bc):
    u = x * k
    for i in range(2):
        BCS[bc](u)
        u[1] += u[0] * u[2]
    return u.sum()
""",
        (0.7, "wrap"),
    ),
    "with a star before `map`": (
        """
import numpy as np
# s2s: x (n,), k ()
def f(x, k):
    w = lambda v: v * k
    return sum([*map(w, x)]) + [*map(np.sin, x)][1]
""",
        (0.7,),
    ),
}
for how, (text, given) in TABLES_OF_FUNCTIONS.items():
    case(f"functions {how}", text, np.array([0.4, 1.3, 0.7]), *given)
DICTS_IN_TUPLES = """\
import numpy as np
NAMES = ["A", "B"]
def scaled(k, rates):
    new = dict(rates)
    for s in NAMES:
        new[s] = rates[s] * k
    return k * 2.0, new
def weighted(k, rates, more):
    new = {"A": rates["A"], "B": rates["B"]}
    for s in NAMES:
        new[s] = rates[s] * k
    other = dict(more)
    for t in NAMES:
        other[t] = rates[t] * more[t]
    value = k * 2.0, new
    return value, (k, other)
def f(a, b, k):
"""
for how, body in {
    "taken apart at once": """\
    r = scaled(k, {"A": 0.3 * a, "B": 0.2 * b})
    q, after = r
    s = 0.0
    for n in after:
        s = s + after[n] ** 2
    return s * q
""",
    "two of them, taken apart in one statement": """\
    (q, after), (h, c) = weighted(k, {"A": 0.3 * a, "B": 0.2 * b}, {"A": a, "B": b})
    s = 0.0
    for n in after:
        s = s + c[n] * after[n] ** 2
    return s * q * h
""",
    "two of them, taken apart one by one": """\
    r, h = weighted(k, {"A": 0.3 * a, "B": 0.2 * b}, {"A": a, "B": b})
    q, after = r
    h0, c = h
    s = 0.0
    for n in after:
        s = s + c[n] * after[n] ** 2
    return s * q * h0
""",
}.items():
    case(f"a tuple with a dict from a helper, {how}", DICTS_IN_TUPLES + body, 0.7, np.array([0.4, 1.3]), 1.2)
case(
    "a dict that is read under a text, and under texts of the module in loops",
    """\
import numpy as np
NAMES = ["A", "B"]
def total(p, k):
    t = p["A"] * 2.0
    for s in NAMES:
        t = t + p[s] * k
    return t
def f(p, k, a):
    return total(p, k) + sum(p[s] * k for s in NAMES) + p["B"] + total({"A": a, "B": k}, 2.0)
""",
    {"A": 1.2, "B": np.array([0.3, 0.5])},
    0.7,
    np.array([1.5, -0.4]),
)
PAIRS_MOVED = {
    "sorted by one of their numbers": """
def f(items):
    ranked = sorted(items, key=lambda it: it[0])
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "taken by a list of places": """
def f(items, idx):
    ranked = [items[i] for i in idx]
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "appended by a list of places": """
def f(items, idx):
    ranked = []
    for i in idx:
        ranked.append(items[i])
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "copied and sorted in place": """
def f(items):
    items = list(items)
    items.sort(key=lambda it: it[0])
    return items[0][1] * items[1][0] * 3
""",
    "two in a tuple, sorted": """
def f(items):
    pair = items[0], items[1]
    a, b = sorted(pair, key=lambda it: it[0])
    return a[1] * b[0] ** 2
""",
    "popped from a copy": """
def f(items):
    stack = list(items)
    t = 0.0
    while stack:
        a, b = stack.pop()
        t += a * b * b + t
    return t
""",
    "in the reverse order, by a comprehension": """
def f(items):
    n = len(items)
    ranked = [items[n - 1 - i] for i in range(n)]
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "appended in their order": """
def f(items):
    ranked = []
    for i in range(len(items)):
        ranked.append(items[i])
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "put into the slots of a list": """
def f(items):
    n = len(items)
    ranked = [None] * n
    for i in range(n):
        ranked[n - 1 - i] = items[i]
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "chosen by a comprehension": """
def f(items):
    ranked = [items[i] for i in range(len(items)) if items[i][0] > 0.4]
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "sorted as they are": """
def f(items):
    ranked = sorted(items)
    total = 0.0
    for i, it in enumerate(ranked):
        total += it[0] * it[1] * i
    return total
""",
    "sorted, the first and the last unpacked": """
def f(items):
    ranked = sorted(items, key=lambda it: it[0])
    a, b = ranked[0]
    c, d = ranked[-1]
    return a * b - c * d
""",
    "the largest, unpacked in a sum": """
def f(items):
    ranked = sorted(items, key=lambda it: -it[0])[:2]
    return sum(a * b * b for a, b in ranked)
""",
    "sorted, the first apart from the others": """
def f(items):
    first, *rest = sorted(items, key=lambda it: it[0])
    t = first[0] * first[1]
    for it in rest:
        t = t * it[1] + it[0]
    return t
""",
}
for name, text in PAIRS_MOVED.items():
    for kind in (tuple, list):
        pairs = [kind(p) for p in ((0.7, 2.0), (0.3, 1.0), (0.5, 1.5))]
        case(
            f"pairs in a list, {kind.__name__}s, {name}",
            text,
            pairs,
            *([[1, 0, 1]] if "idx" in text else []),
            wrt=("items",),
        )
case(
    "records in a list, sorted by an entry",
    """\
def f(items):
    ranked = sorted(items, key=lambda it: it["v"])
    total = 0.0
    for i, it in enumerate(ranked):
        total += it["v"] * it["s"] * i
    return total
""",
    [{"v": 0.7, "s": 2.0}, {"v": 0.3, "s": 1.0}, {"v": 0.5, "s": 1.5}],
    wrt=("items",),
)
STARRED_PAIRS = {
    "the others in a loop that unpacks them": """
def f(segs):
    first, *others = segs
    tot = 0.0
    for a, b in others:
        tot -= a * b
    return tot
""",
    "those between the first and the last": """
def f(segs):
    (a, b), *rest, last = segs
    tot = last[0] * b - last[1] * a
    for p in rest:
        tot += p[0] * p[1]
    return tot
""",
}
for name, text in STARRED_PAIRS.items():
    for kind in (tuple, list):
        case(
            f"unpacked with a star, {kind.__name__}s, {name}",
            text,
            [kind(p) for p in ((0.3, 0.1), (1.0, 2.0), (0.5, 0.1))],
            wrt=("segs",),
        )
TRUTH_OF_LISTS = {
    "a stack whose last item a number is compared with": (
        """
def f(x):
    merged = []
    s = 0.0
    for v in x:
        if merged and merged[-1] > v:
            merged.pop()
            s = s + 3.0 * v
        else:
            merged.append(v)
            s = s + 2.0 * v
    return s + sum(merged)
""",
        np.array([0.7, 0.3, 0.9, 0.5]),
    ),
    "intervals that are merged with the last one": (
        """
def f(flat):
    merged = []
    for t, v in flat:
        if merged and abs(merged[-1][0] - t) < 0.25:
            t0, v0 = merged.pop()
            merged.append((0.5 * (t + t0), v + v0))
        else:
            merged.append((t, v))
    return sum(t * v for t, v in merged)
""",
        np.array([[0.1, 2.0], [0.3, 1.0], [0.9, 0.4], [1.0, 0.6]]),
    ),
    "an array of one number that is added to": (
        """
import numpy as np
def f(x):
    a = np.zeros(1)
    s = 0.0
    for v in x:
        if a and v > 0.4:
            s = s + v * v
        else:
            s = s + 3.0 * v
        a[0] += v
    return s
""",
        np.array([0.7, 0.3, 0.9, 0.5]),
    ),
}
for name, (text, x) in TRUTH_OF_LISTS.items():
    case(f"tests that are saved, of what changes: {name}", text, x)
case(
    "what helpers are given backwards",
    """\
def sweep(x, order):
    s = 0.0
    for i in order:
        s = s * x[i] + x[i]
    return s


def total(vs, k=1.0):
    s = 0.0
    for v in vs:
        s = s * 0.5 + v * k
    return s


def f(x):
    ys = [v * v for v in x]
    return sweep(x, reversed(range(len(x)))) + total(reversed(ys), k=x[0]) + total(vs=reversed(list(x)))
""",
    np.array([0.3, 0.5, 0.9]),
)
case(
    "an object that may be None, of which an attribute is read where it is given",
    """\
def f(x, phase=None):
    y = x * x
    if phase is not None:
        y = y * phase.k
    return y
""",
    0.7,
)
RINGS = {
    "closed by a display": """
def f(pts):
    closed = [*pts, pts[0]]
    s = 0.0
    for i in range(len(pts)):
        s += closed[i][0] * closed[i + 1][1] - closed[i][1] * closed[i + 1][0]
    return s
""",
    "closed by a sum": """
def f(pts):
    ring = pts + [pts[0]]
    s = 0.0
    for a, b in zip(ring, ring[1:]):
        s += a[0] * b[1] - a[1] * b[0]
    return s
""",
    "closed by an append to a copy": """
def f(pts):
    closed = list(pts)
    closed.append(pts[0])
    s = 0.0
    for p, q in zip(closed[:-1], closed[1:]):
        s += p[0] * q[1] - p[1] * q[0]
    return s
""",
    "every other one beside its neighbour": """
def f(pts):
    ev = pts[::2]
    od = pts[1::2]
    return sum(p[0] * q[1] for p, q in zip(ev, od)) + ev[-1][1]
""",
    "those behind each": """
def f(pts):
    s = 0.0
    for i, (a, b) in enumerate(pts):
        for c, d in pts[i + 1 :]:
            s += a * d - b * c * c
    return s
""",
    "the best of a loop": """
def f(pts):
    b = pts[0]
    for p in pts[1:]:
        if p[0] * p[1] > b[0] * b[1]:
            b = p
    return b[0] ** 2 * b[1]
""",
    "chosen or the first": """
def f(pts):
    out = []
    for p in pts:
        q = p if p[0] > 0.4 else pts[0]
        out.append(q)
    return sum(q[0] * q[1] for q in out)
""",
    "in two lists": """
def f(pts):
    left, right = [], []
    for p in pts:
        if p[0] > 0.4:
            left.append(p)
        else:
            right.append(p)
    return sum(p[1] for p in left) * sum(p[0] for p in right)
""",
}
for name, text in RINGS.items():
    for kind in (tuple, list):
        pts = [kind(p) for p in ((0.7, 2.0), (0.3, 1.0), (0.5, 0.4))]
        case(f"points of the caller, {kind.__name__}s, {name}", text, pts, wrt=("pts",))
for name, text in {
    "in a loop": """
import numpy as np
def f(rows):
    s = 0.0
    for a, v in rows:
        s = s + np.sum(v * a)
    return s
""",
    "sorted": """
import numpy as np
def f(rows):
    s = 0.0
    for i, (a, v) in enumerate(sorted(rows, key=lambda r: r[0])):
        s = s + np.sum(v * a) * (i + 1)
    return s
""",
}.items():
    rows = [(0.7, np.array([0.1, 0.2])), (0.3, np.array([0.5, 0.6]))]
    case(f"pairs of a number and an array, {name}", text, rows, wrt=("rows",))
case(
    "a decorator of numba, or one that gives the function back where it is not installed",
    """\
import numpy as np

try:
    from numba import njit
except ImportError:
    def njit(g):
        return g


@njit
def f(x, k):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2 * k
    return s
""",
    np.array([0.3, 0.5]),
    0.7,
)
case(
    "numba with options, or what takes any arguments and gives the function back",
    """\
import numpy as np

try:
    from numba import njit, prange
    HAVE = True
except ImportError:
    HAVE = False
    prange = range
    def njit(*args, **kwargs):
        if args and callable(args[0]):
            return args[0]
        def wrap(g):
            return g
        return wrap


@njit(cache=True)
def step(x, k):
    s = 0.0
    for i in prange(len(x)):
        s += x[i] ** 2 * k
    return s


def f(x, k):
    return step(x, k) * k
""",
    np.array([0.3, 0.5]),
    0.7,
)
case(
    "numba with options, or what gives back a function that gives it back",
    """\
try:
    import numba as nb
    jit = nb.njit
except ImportError:
    jit = lambda f: f

try:
    from numba import njit
except ImportError:
    def njit(f=None, **kw):
        def wrap(g):
            return g
        return wrap if f is None else f

@njit(fastmath=True)
def step(x, k):
    return x * k

def f(x, k):
    return step(x, k) * k

@jit
def g(x, k):
    return x * k
""",
    np.array([0.3, 0.5]),
    0.7,
)
case(
    "functions that call each other and hand back a value and a place, one of them in a loop",
    """
def expr(x, i, k):
    v, i = term(x, i, k)
    while i < len(x):
        w, i = term(x, i, k)
        v = v + w
    return v


def term(x, i, k):
    if x[i] > 0.35:
        return x[i] * expr(x, i + 1, k) if i + 1 < len(x) else x[i] * k, len(x)
    return x[i] * k, i + 1


def f(x, k):
    return expr(x, 0, k)
""",
    np.array([0.3, 0.4, 0.1, 0.9]),
    0.6,
    wrt=("x", "k"),
)
case(
    "an object with a function in it, which is called, made beside another one that is called at once",
    """
import numpy as np


class Layer:
    def __init__(self, W, act=None):
        self.W, self.act = W, act

    def __call__(self, x):
        z = self.W @ x
        return z if self.act is None else self.act(z)


def f(th, x):
    l = Layer(th[:4].reshape(2, 2), np.tanh)
    return l(x) + Layer(W=th[4:].reshape(2, 2))(Layer(th[1:5].reshape(2, 2), np.sin)(x) + th[0])
""",
    np.array([0.3, 0.4, 0.1, 0.9, -0.2, 0.7, 0.6, 0.5]),
    np.array([0.3, -0.4]),
    wrt=("th", "x"),
)
case(
    "columns of a list of lists, which lists are made of again, and the product with it",
    """
def f(A: list[list[float]]):
    At = [list(r) for r in zip(*A)]
    return [[sum(a * b for a, b in zip(r, s)) for s in At] for r in At]
""",
    [[0.3, 0.4], [0.1, 0.9]],
    wrt=("A",),
)
case(
    "a copy of a dict of numbers, of which an entry is bound anew, beside another dict that is updated",
    """
def f(p: dict[str, float], x):
    q = dict(p)
    q["a"] = 2 * q["a"]
    cache = {"sum": x.sum() * q["a"]}
    cache.update(b=p["b"], c=q["a"])
    tot = 0.0
    for name, v in cache.items():
        tot += v * len(name)
    return tot, {"x": x * p["b"]}
""",
    {"a": 0.3, "b": 0.7},
    np.array([0.3, -0.4]),
    wrt=("p", "x"),
)
case(
    "a copy of a dict that is summed as well, of which an entry is bound anew",
    """
def f(p, x):
    total = sum(p.values())
    q = dict(p)
    q["a"] = 2 * q["a"] * total
    return x * q["a"]
""",
    {"a": 0.3, "b": 0.7},
    np.array([0.3, -0.4]),
    wrt=("p", "x"),
)
case(
    "a copy of a dict that loses entries and gets others, and is summed",
    """
def f(p, x):
    p = dict(p)
    a = p.pop("a")
    del p["b"]
    p["c"] = a * x
    return sum(p.values()) * a
""",
    {"a": 0.3, "b": 0.5},
    1.2,
    wrt=("p", "x"),
)
# Ints for numbers, which `thorough.judge` gives for floats: no zero is one of ints.
NUMBERS_OR_ARRAYS = {
    "a factor of a loop": """
def f(x, k):
    s = 0.0
    for v in x:
        s += v * k
    return s
""",
    "a second name, changed in a branch": """
def f(x, k):
    s = k
    for v in x:
        if v > 0.6:
            s = s * v + k
    return s
""",
    "slots of objects and of a dict": """
class Law:
    def __init__(self, k):
        self.k = k

    def stiffen(self, c):
        self.k = self.k * c


def f(x, k):
    law = Law(k)
    laws = {"a": law, "b": law}
    for v in x:
        laws["a"].stiffen(k)
    return laws["b"].k * x[0]
""",
    "a table of lists": """
def f(x, k: float):
    rows = [[0.0] * 2 for _ in range(2)]
    rows[0] = [x[0], k]
    rows[1][1] = k * rows[0][0]
    return sum(sum(r) for r in rows) * rows[1][1]
""",
}
for name, text in NUMBERS_OR_ARRAYS.items():
    case(f"numbers or arrays, nobody says which: {name}", text, np.array([0.5, 1.5, 1.0]), 1.5, wrt=("x", "k"))
case(
    "numbers or arrays, nobody says which, under texts",
    """
def f(p):
    s = 0.0
    for i in range(3):
        s += p["a"] * p["b"] ** i
    return s
""",
    {"b": 1.5, "a": 0.5},
    wrt=("p",),
)
case(
    "items of a copy of a list of numbers are bound anew, to numbers of any type",
    """
# s2s: w ()
def f(ks, w):
    new = list(ks)
    for i in range(len(new)):
        new[i] = new[i] * w
    return new[0] * new[1]
""",
    np.array([0.5, 1.5]),
    2.5,
    wrt=("ks", "w"),
)
STORED_TWICE = {
    "a value": "    y[idx] = v * v\n",
    "a sum": "    y[idx] += v * y[idx]\n",
    "a difference": "    y[idx] -= v\n",
    "a product": "    y[idx] *= v\n",
    "a product of others": "    y[idx] = y[idx[::-1]] * v\n",
    "what is stored is stored again": "    y[idx] = v\n    z = np.zeros(4)\n    z[idx] = y[idx] * v\n    y = y + z\n",
    "a literal key": "    y[[0, -4, 2, 2]] = v * v\n",
    "names side by side": "    a, b = v[0] * v[1], v[2]\n    y[[1, 1]] = a, b\n",
    "in a loop": "    for r in range(3):\n        y[(idx + r) % 4] = y[idx] * v\n",
    "rows of a matrix": "    A = np.outer(y, v)\n    A[idx] = A[idx[::-1]] * y\n    y = A[2] + A[idx[0]]\n",
    "places of a matrix": "    A = np.outer(y, y)\n    A[idx, idx[::-1]] = v * A[idx, 1]\n    y = A @ v\n",
    "a block": "    A = np.outer(y, y)\n    k = np.ix_(idx[:2], idx[1:])\n    A[k] *= A[:2, 1:]\n    y = A[0] * v\n",
    "behind a slice": "    A = np.outer(y, v)\n    A[1:, idx] = A[:3, ::-1] * v\n    y = A @ v\n",
    "one number for all": "    y[idx] = np.sum(v)\n",
}
for name, body in STORED_TWICE.items():
    for stated, heading in (("", ""), (", of stated shapes", "# s2s: x (4,), v (4,), idx (4,)\n")):
        head = f"import numpy as np\n\n\n{heading}def f(x, v, idx):\n    y = np.sin(x)\n"
        text = f"{head}{body}    return np.sum(y * y * x)\n"
        keys = (np.array([1, 1, 3, 1]), np.array([0, 2, 2, -4]))[len(name) % 2]
        case(f"stores that name an item twice: {name}{stated}", text, v(), v(), keys, wrt=("x", "v"))
case(
    "a dict of the caller, read under texts of the module in a helper that a loop calls",
    """
REACTIONS = [({0: 2}, "k1"), ({1: 1}, "k2")]


def rhs(y, params):
    total = 0.0
    for _, name in REACTIONS:
        rate = params[name]
        total = total + rate * y
    return total


def f(y, params, n):
    for _ in range(n):
        y = y + rhs(y, params)
    return y
""",
    0.3,
    {"k1": 0.2, "k2": 0.4},
    3,
    wrt=("y", "params"),
)
case(
    "matrices and powers of what may be a whole number, used in a loop",
    """
import numpy as np


def cube(v):
    return v**3


def f(x, r, n):
    S = np.array([[r]])
    T = np.full(2, r)
    U = np.outer([r, r], [r, 1])
    V = cube(r) * r
    for i in range(n):
        x = x * np.sum(S) / np.sum(U * T) + x / V
    return x
""",
    0.3,
    2,
    3,
    wrt=("x", "r"),
)
case(
    "bodies with attributes that start from 0.0 and are updated, by a step of which nothing is said",
    """
class Body:
    def __init__(self, x, mass):
        self.x = x
        self.v = 0.0
        self.a = 0.0
        self.mass = mass


def forces(bodies):
    for b in bodies:
        b.a = 0.0
    for i in range(len(bodies)):
        for j in range(i + 1, len(bodies)):
            bi, bj = bodies[i], bodies[j]
            d = bj.x - bi.x
            bi.a += bj.mass * d
            bj.a -= bi.mass * d


def f(xs, masses, dt, steps):
    bodies = [Body(p, m) for p, m in zip(xs, masses)]
    for _ in range(steps):
        forces(bodies)
        for b in bodies:
            b.v += dt * b.a
            b.x += dt * b.v
    return sum(b.mass * b.v**2 for b in bodies)
""",
    np.array([0.1, 0.5, 0.9]),
    np.array([1.0, 2.0, 0.5]),
    0.1,
    3,
    wrt=("xs", "masses", "dt"),
)
case(
    "slots that share an array, or a number, and are updated by what nobody says",
    """
import numpy as np


def f(x, n: int):
    start = 0.0 * x
    counts = [start, start, start]
    for k in range(n):
        counts[k % 3] += x**k
    return np.sum(counts[0] * counts[1])
""",
    0.7,
    4,
    wrt=("x",),
)
case(
    "an item of a tuple of a helper, put into a list and updated there",
    """
import numpy as np


def advance(state, x):
    a, s = state
    return np.sin(a * s), s + 0.3 * x


# s2s: w (3,)
def f(a: float, w, scale):
    state = (w.copy(), np.sum(w * w))
    for k in range(2):
        state = advance(state, scale)
    v, s = state
    ls = [s, a * a]
    ls[0] += a
    return np.sum(ls[0] * ls[1])
""",
    0.4,
    v(3),
    0.7,
)
case(
    "bodies with copies of rows, updated by what nobody says",
    """
import numpy as np


class Body:
    def __init__(self, pos, mass):
        self.pos = np.array(pos)
        self.vel = np.zeros(2)
        self.mass = mass


def f(pos, masses, dt, steps):
    bodies = [Body(p, m) for p, m in zip(pos, masses)]
    for _ in range(steps):
        for a in bodies:
            acc = np.zeros(2)
            for b in bodies:
                if a is not b:
                    d = b.pos - a.pos
                    acc += b.mass * d / (d @ d + 0.1) ** 1.5
            a.vel += dt * acc
        for a in bodies:
            a.pos += dt * a.vel
    return sum(b.mass * (b.vel @ b.vel) for b in bodies)
""",
    m(3, 2),
    v(3),
    0.1,
    3,
    wrt=("pos", "masses", "dt"),
)
EXCHANGES = {  # by indices of which nobody says that they are whole numbers
    "by an index and the one behind it": (
        """
def f(x, i, j):
    a = x.copy()
    a[i], a[i + 1] = a[i + 1], a[i]
    a[i + 1], a[j] = a[j], a[i + 1]
    return a[0] * a[1] ** 2 + a[i] * a[2] ** 3
""",
        (np.array([0.5, 1.5, 1.0, 0.7]), 1, 3),
    ),
    "by a helper": (
        """
def swap(a, i, j):
    a[i], a[j] = a[j], a[i]


def f(x, p, q):
    a = np.sin(x)
    swap(a, 0, 2)
    swap(a, p, q)
    return a[0] * a[1] ** 2 + a[1] * a[2] ** 3
""",
        (np.array([0.5, 1.5, 1.0, 0.7]), 1, 3),
    ),
    "by pairs of indices": (
        """
def f(x, pairs):
    a = x.copy()
    for i, j in pairs:
        a[i], a[j] = a[j], a[i]
    return a[0] * a[1] ** 2 + a[1] * a[2] ** 3
""",
        (np.array([0.5, 1.5, 1.0, 0.7]), [(0, 1), (1, 3)]),
    ),
    "of rows, which are views": (
        """
# s2s: x (n, m)
def f(x, i, j):
    A = x.copy()
    A[i], A[j] = A[j], A[i]
    return np.sum(A[0] * A[1])
""",
        (np.array([[0.5, 1.5], [1.0, 0.7]]), 0, 1),
    ),
    "of the values of a dict": (
        """
def f(x, i, j):
    d = {"a": x, "b": x * 2.0}
    d[i], d[j] = d[j], d[i]
    return d["a"] ** 2 + d["b"] ** 3
""",
        (0.7, "a", "b"),
    ),
}
for name, (text, args) in EXCHANGES.items():
    case(f"items change places: {name}", f"import numpy as np\n\n{text}", *args, wrt=("x",))
STEPPERS = """
import functools

import numpy as np


def euler(f, x, dt):
    return x + dt * f(x)


def midpoint(f, x, dt):
    return x + dt * f(x + 0.5 * dt * f(x))


def square(x):
    return x**2


def compose(f, g):
    return lambda x: g(f(x))


METHODS = {"euler": (euler, 1), "midpoint": (midpoint, 2)}
RULES = {"euler": {"step": euler, "order": 1.5}, "midpoint": {"step": midpoint, "order": 2.5}}
PAIRS = [(euler, 0.1), (midpoint, 0.2)]
"""
FUNCTIONS_HELD = {  # what displays, rows of the module, and `reduce` have of functions
    "dict of functions, gone through where it is shown": (
        """
def f(x):
    total = 0.0
    for name, g in {"a": np.sin, "b": np.cos}.items():
        total += g(x) * len(name)
    return total
""",
        (0.7,),
    ),
    "dict of functions, shown in a loop, and in a generator": (
        """
def f(x, n: int):
    total = sum(h(x) for h in {"a": np.sin, "b": lambda t: t * x}.values())
    for i in range(n):
        for g in {"a": np.sin, "b": np.cos}.values():
            total += g(x * i)
    return total
""",
        (
            0.7,
            3,
        ),
    ),
    "a function and a number of a row, under a key of the run": (
        """
def f(x, m="midpoint"):
    stepper, p = METHODS[m]
    for _ in range(3):
        x = stepper(np.sin, x, 0.1)
    return x**p
""",
        (0.7,),
    ),
    "a function and a number of a row, under keys of a loop": (
        """
def f(x, ms):
    for m in ms:
        step, p = METHODS[m]
        x = step(np.sin, x, 0.1) ** p
    return x
""",
        (
            0.7,
            ["euler", "midpoint"],
        ),
    ),
    "a function and a number of a row that is a dict": (
        """
def f(x, m="midpoint"):
    rule = RULES[m]
    for _ in range(3):
        x = rule["step"](np.sin, x, 0.1)
    return x ** rule["order"] * RULES[m]["step"](np.sin, x, 0.1)
""",
        (0.7,),
    ),
    "a function and a number of a row, by its number": (
        """
def f(x, i: int):
    step, dt = PAIRS[i]
    return step(np.sin, x, dt) * PAIRS[i][0](np.cos, x, dt)
""",
        (
            0.7,
            1,
        ),
    ),
    "functions that `reduce` makes one of": (
        """
def f(x, w):
    fs = [square, np.sin, np.exp]
    h = functools.reduce(compose, fs)
    g = functools.reduce(lambda f, g: lambda t: g(f(t)) * w, [np.sin, square], lambda t: t + w)
    return h(x) * g(x)
""",
        (
            0.7,
            0.4,
        ),
    ),
    "functions that `reduce` calls one after the other": (
        """
def f(x):
    return functools.reduce(lambda v, g: g(v), [square, np.sin, np.exp], x)
""",
        (0.7,),
    ),
}
for name, (text, given) in FUNCTIONS_HELD.items():
    case(f"functions held: {name}", f"{STEPPERS}\n{text}", *given, wrt=("x",))
TAKEN_IN_TURN = {  # by itertools, and by what reads an iterator
    "pairs of places, beside the items in pairs": (
        """
def f(x):
    s = sum(x[i] * x[j] for i, j in itertools.combinations(range(3), 2))
    for i, j in itertools.combinations(range(len(x)), 2):
        s += np.exp(-((x[i] - x[j]) ** 2))
    for a, b in itertools.combinations(x, 2):
        s += a * b**2
    return s
""",
        (np.array([0.5, 1.5, 1.0]),),
    ),
    "neighbours, and products of what they are taken of": (
        """
def f(x):
    return sum(a * b for a, b in itertools.pairwise(x)) + sum(a * b**2 for a, b in itertools.product(x, repeat=2))
""",
        (np.array([0.5, 1.5, 1.0]),),
    ),
    "zip_longest": (
        """
def f(x, y):
    s = 0.0
    for a, b in itertools.zip_longest(x, y, fillvalue=1.5):
        s += a * b**2
    return s
""",
        (
            np.array([0.5, 1.5, 1.0]),
            np.array([0.7, 0.3]),
        ),
    ),
    "arrays of what a generator gives": (
        """
def f(x):
    y = np.fromiter((v**2 for v in x if v > 0.6), float)
    z = np.fromiter((v**3 for v in x), dtype=float, count=len(x))
    w = np.fromiter(map(lambda v: v * 2.0, x), dtype=np.float64, count=-1)
    return np.sum(np.sin(y)) + np.sum(z * w) + np.sum(np.fromiter((x[i] for i in range(2)), float, count=2) ** 3)
""",
        (np.array([0.5, 1.5, 1.0]),),
    ),
}
for name, (text, given) in TAKEN_IN_TURN.items():
    case(f"taken in turn: {name}", f"import itertools\n\nimport numpy as np\n\n{text}", *given)
ENTRIES_LOST = {  # of dicts that show their keys
    "is taken out where it isn't there": (
        """
def f(x, flag):
    d = {"a": x, "b": x**2}
    c = d.pop("c", 1.5)
    d["c"] = x * c
    e = d.pop("c", 3.0)
    h = d.pop("c", x)
    return sum(d.values()) * e * h
""",
        (
            0.7,
            True,
        ),
    ),
    "is taken out where it may be there": (
        """
def f(x, flag):
    d = {"a": x, "b": x**2}
    if flag:
        d["c"] = x * 3
    c = d.pop("c", x)
    e = d.pop("a", 2.0)
    return d["b"] * c + e
""",
        (
            0.7,
            True,
        ),
    ),
    "is taken out where it may be there, and is not": (
        """
def f(x, flag):
    d = {"a": x, "b": x**2}
    if flag:
        d["c"] = x * 3
    c = d.pop("c", x)
    return d["b"] * c
""",
        (
            0.7,
            False,
        ),
    ),
    "is deleted in a branch, and asked for": (
        """
def f(x, flag):
    d = {"a": x, "b": x**2}
    if flag:
        del d["a"]
    else:
        d.pop("b", None)
    if "a" in d:
        return d["a"] ** 3 * d.get("b", x)
    return d.get("a", 2.0) * d.get("b", x) ** 2
""",
        (
            0.7,
            True,
        ),
    ),
    "is deleted in a loop, and comes back": (
        """
def f(x, n: int):
    d = {"a": x}
    s = 0.0
    for i in range(n):
        if "a" in d:
            s += d["a"] * x
            del d["a"]
        else:
            d["a"] = s * x
    return s
""",
        (
            0.7,
            5,
        ),
    ),
}
for name, (text, given) in ENTRIES_LOST.items():
    case(f"an entry that {name}", text, *given, wrt=("x",))
RENEWED = {  # dicts with new entries under their old name, in loops
    "a parameter": """
def f(s, n: int):
    for i in range(n):
        s = {**s, "x": s["x"] + 0.1 * s["v"], "v": s["v"] - 0.1 * s["x"]}
    return s["x"] ** 2 * s["m"]
""",
    "a copy of it, by `dict`": """
def f(s, n: int):
    t = {**s}
    for i in range(n):
        t = dict(t, x=t["x"] * t["v"])
        t = {**t, "v": t["v"] - 0.1 * t["x"] * s["x"]}
    return t["x"] ** 2 * t["m"] + s["v"] * t["v"]
""",
}
for name, text in RENEWED.items():
    case(f"a dict with new entries in a loop: {name}", text, {"x": 0.7, "v": 0.3, "m": 2.0}, 3, wrt=("s",))
COPIES_OF_PAIRS = {
    "list": "q = list(p)",
    "tuple": "q = tuple(p)",
    "part": "q = p[:]",
    "display": "q = [*p]",
    "comprehension": "q = [v for v in p]",
    "items appended": "q = []\n    for v in p:\n        q.append(v)",
    "backwards": "q = p[::-1]",
}
for name, text in COPIES_OF_PAIRS.items():
    case(
        f"items of a copy of a pair have shapes of their own: {name}",
        f"import numpy as np\n\n\ndef f(p):\n    {text}\n    return np.sum(q[0] * q[1])\n",
        (2.0, np.array([1.0, 0.5, -1.5])),
        wrt=("p",),
    )
PAIRS_IN_LISTS = {
    "one of them": "a, v = p[0]\n    return np.sum(a * v)",
    "read at once": "return np.sum(p[1][0] * p[1][1])",
    "under a number": "s = 0.0\n    for i in range(2):\n        a, v = p[i]\n        s += np.sum(a * v)\n    return s",
    "the first of several": "(a, v), *rest = p\n    return np.sum(a * v) * rest[0][0]",
    "of a copy": "q = list(p)\n    a, v = q[1]\n    return np.sum(a * v) * q[0][0]",
    "a copy of one": "q = list(p[1])\n    return np.sum(q[0] * q[1])",
    "a helper of a copy": "return total(list(p[0]))",
    "a helper of its items": "return total(p[0]) + np.sum(scaled(*p[1]))",
}
for name, text in PAIRS_IN_LISTS.items():
    helpers = "def total(q):\n    return np.sum(q[0] * q[1])\n\n\ndef scaled(a, v):\n    return a * v\n\n\n"
    case(
        f"pairs of a number and an array: {name}",
        f"import numpy as np\n\n\n{helpers}def f(p):\n    {text}\n",
        [(2.0, np.array([1.0, 0.5, -1.5])), (0.5, np.array([1.0, 2.0]))],
        wrt=("p",),
    )
case(
    "either of a pair and what it is backwards, whose items have shapes of their own",
    """
import numpy as np


def f(p, k):
    q = p if k > 0.0 else p[::-1]
    return np.sum(q[0] * q[1] * k)
""",
    (2.0, np.array([1.0, 0.5, -1.5])),
    1.5,
    wrt=("p", "k"),
)
ROWS = [[1.0, 2.0, 0.5], [0.3, 0.7, 1.1]]
OF_ROWS = {
    "the greatest of them": "r = max(rows)\n    return r[0] * r[1]",
    "a dict of them": "d = {i: r for i, r in enumerate(rows)}\n    return d[0][0] * d[1][1]",
    "a dict of them, filled": "d = {}\n    for i, r in enumerate(rows):\n        d[i] = r\n"
    "    return sum(sum(r) ** 2 for r in d.values())",
    "the one with the greatest sum": "best = rows[0]\n    for r in rows[1:]:\n        if sum(r) > sum(best):\n"
    "            best = r\n    return best[0] * best[1]",
    "the one with the greatest first item, returned": "best = rows[0]\n    for r in rows[1:]:\n"
    "        if r[0] > best[0]:\n            best = r\n    return best",
    "with their sums, sorted": "q = sorted([(sum(r), r) for r in rows])\n    return q[0][0] * q[0][1][1]",
    "the greatest items": "s = 0.0\n    for r in rows:\n        s += max(r) * min(rows[0])\n    return s",
}
for name, text in OF_ROWS.items():
    case(f"rows of which nothing is stated: {name}", f"def f(rows):\n    {text}\n", ROWS)
OF_STATED_ROWS = {"the greatest of them": OF_ROWS["the greatest of them"], "returned": "return max(rows)"}
for name, text in OF_STATED_ROWS.items():
    case(f"rows of numbers, as is stated: {name}", f"def f(rows: list[list[float]]):\n    {text}\n", ROWS)
OF_RECORDS = {
    "summed": "return sum(r['a'] * r['b'] for r in rows)",
    "sorted": "q = sorted(rows, key=lambda r: r['a'])\n    return q[0]['a'] * q[1]['b']",
    "a ring of them": "q = rows + [rows[0]]\n    return sum(p['a'] * n['b'] for p, n in zip(q, q[1:]))",
    "all entries": "return sum(sum(r.values()) ** 2 for r in rows)",
    "chosen": "r = max(rows, key=lambda r: r['b'])\n    return r['a'] * r['b']",
    "totals": "t = {}\n    for r in rows:\n        for k, v in r.items():\n            t[k] = t.get(k, 0.0) + v\n"
    "    return t['a'] * t['b']",
}
for name, text in OF_RECORDS.items():
    case(
        f"dicts of numbers in a list, as is stated: {name}",
        f"def f(rows: list[dict[str, float]]):\n    {text}\n",
        [{"a": 1.0, "b": 2.0}, {"a": 0.5, "b": 3.0}, {"a": 2.5, "b": 0.3}],
    )
case(
    "the greatest number of a list in a dict",
    """
def f(d):
    m = max(d["xs"])
    return sum((x - m) ** 2 for x in d["xs"]) * d["k"]
""",
    {"xs": [1.0, 3.0, 2.0], "k": 2.0},
)
case(
    "an item of a copy of a pair is bound anew",
    """
import numpy as np


def f(p):
    q = list(p)
    q[0] = q[0] * 2.0
    return np.sum(q[0] * q[1])
""",
    (2.0, np.array([1.0, 0.5, -1.5])),
    wrt=("p",),
)
for name in ("np.concatenate", "np.hstack"):
    case(
        f"arrays of several lengths that the caller gives in a list are joined: {name}",
        f"import numpy as np\n\n\ndef f(parts):\n    v = {name}(parts)\n    return np.sum(v * v[::-1])\n",
        [np.array([1.0, 2.0]), np.array([0.5, 1.5, 2.5])],
    )
case(
    "arrays of a tuple, as is stated, are written into",
    """
import numpy as np


def f(pair: tuple[np.ndarray, np.ndarray]):
    pair[0][...] *= 2
    return np.sum(pair[0] ** 2) * np.sum(pair[1])
""",
    (np.array([1.0, 2.0]), np.array([0.5, 1.5, 2.5])),
    wrt=("pair",),
)
MAPPED = {
    "summed": "ys = [np.tanh(x) for x in xs]\n    return sum(np.sum(y**2) for y in ys)",
    "read by number": "ys = [np.tanh(x) for x in xs]\n    return np.sum(ys[0]) * np.sum(ys[1] ** 2)",
    "joined": "v = np.concatenate([x**2 for x in xs])\n    return np.sum(v * v[::-1])",
    "beside others": "ys = [x - 0.1 * g for x, g in zip(xs, xs[:])]\n    return sum(np.sum(np.sin(y)) for y in ys)",
    "appended": "ys = []\n    for x in xs:\n        z = 0.9 * x + x**2\n        ys.append(x + z)\n"
    "    return sum(np.sum(np.sin(y)) for y in ys)",
}
for name, text in MAPPED.items():
    case(
        f"arrays of several shapes, each computed of one of the caller's: {name}",
        f"import numpy as np\n\n\ndef f(xs):\n    {text}\n",
        [np.array([0.5, 1.5]), np.array([1.0, 0.3, -0.7])],
    )
case(
    "a tuple of a number and a list, made for a helper that runs over the list",
    """
def g(p):
    s = p[0]
    for w in p[1]:
        s = s * w + p[0]
    return s


def f(x):
    return g((x[0], [x[1], x[2]]))
""",
    v(3),
)
case(
    "a tree of dicts with lists of children, which a function walks",
    """
def total(node):
    s = node["value"] ** 2
    for c in node["children"]:
        s += total(c) * node["value"]
    return s


def f(x):
    t = {
        "value": x[0],
        "children": [
            {"value": x[1], "children": []},
            {"value": x[2], "children": [{"value": x[3], "children": []}]},
        ],
    }
    return total(t)
""",
    v(4),
)
case(
    "a tree of tuples, which a function walks",
    """
def total(node):
    if node is None:
        return 0.0
    value, left, right = node
    return value**2 + total(left) + value * total(right)


def f(x):
    return total((x[0], (x[1], None, None), (x[2], (x[3], None, None), None)))
""",
    v(4),
)
for keys, names in {"names": "list(names)", "sorted": "sorted(names)", "places": "[2 * i for i in range(3)]"}.items():
    case(
        f"a comprehension over a list of keys, {keys}, read under those of another dict",
        f"""
def f(x, k, names):
    keys = {names}
    d = {{n: x[i] * k for i, n in enumerate(keys)}}
    more = {{n: d[n] * k for n in keys}}
    s = 0.0
    for n in d:
        s += more[n] ** 2
    return s
""",
        v(3),
        0.7,
        ["a", "c", "b"],
        wrt=("x", "k"),
    )
case(
    "a Fourier transform by functions that call themselves, of real numbers",
    """
import numpy as np


def fft(x):
    n = len(x)
    if n == 1:
        return x
    e = fft(x[::2])
    o = fft(x[1::2])
    w = np.exp(-2j * np.pi * np.arange(n // 2) / n)
    return np.concatenate([e + w * o, e - w * o])


def f(x):
    return np.sum(np.abs(fft(x)) ** 2 * np.arange(4))
""",
    v(4),
)
case(
    "sorted in place, and written through a view from the end",
    """
import numpy as np


def f(x, k):
    y = x.copy()
    y[y > 1.0] *= k
    y.sort()
    z = y[::-1]
    z[:2] += k
    return np.sum(y * np.arange(4))
""",
    v(4),
    0.3,
)
DUAL_FIELDS = {
    "a class": "class Dual:\n    def __init__(self, re, eps=0.0):\n        self.re = re\n        self.eps = eps\n",
    "a frozen dataclass": "@dataclass(frozen=True)\nclass Dual:\n    re: float\n    eps: float = 0.0\n",
    "a named tuple": "class Dual(NamedTuple):\n    re: float\n    eps: float = 0.0\n",
}
DUAL_LIFTS = {
    "a choice": "o = o if isinstance(o, Dual) else Dual(o)",
    "a choice the other way round": "o = Dual(o) if not isinstance(o, Dual) else o",
    "a branch": "if not isinstance(o, Dual):\n            o = Dual(o)",
}
for kind, heading in DUAL_FIELDS.items():
    for way, lift in DUAL_LIFTS.items():
        text = f"""
from dataclasses import dataclass
from typing import NamedTuple


{heading}
    def plus(self, o):
        {lift}
        return Dual(self.re + o.re, self.eps + o.eps)

    def __mul__(self, o):
        {lift}
        return Dual(self.re * o.re, self.re * o.eps + self.eps * o.re)


def f(x, y):
    d = Dual(x, 1.0)
    z = (d * y).plus(d * d).plus(1.0)
    return z.re + z.eps
"""
        case(f"an operand that is an object of {kind} or a number, by {way}", text, 0.3, 0.7)
PUT_TOGETHER = {
    "a sum with tuple(...) of a generator": "    c = (q[0],) + tuple(-v for v in q[1:])\n    return c[0] * c[1]\n",
    "a star before a generator": "    c = (q[0], *(-v for v in q[1:]))\n    return c[0] * c[1]\n",
    "a star before a generator in a list": "    c = [*(v * v for v in q[1:]), q[0]]\n    return c[0] * c[-1]\n",
    "two tuples of generators": "    return tuple(-v for v in q[:2]) + tuple(v * v for v in q[2:])\n",
    "a sum of two tuples in a sum": "    c = tuple([-v for v in q])\n    return sum((c[0],) + c[1:]) * c[1]\n",
    "a star in a sum": "    return sum((q[0], *q[1:])) * q[1]\n",
    "a sum of two tuples in an array": "    c = tuple(v * v for v in q)\n    return np.array((c[0],) + c[1:])\n",
}
for name, body in PUT_TOGETHER.items():
    for given, heading in ((v(), "# s2s: q (4,)\n"), (v(), ""), ([0.3, 0.5, -0.7], "")):
        kind = "a vector" if heading else f"whatever, {type(given).__name__}"
        case(f"tuples put together, {name} of {kind}", f"import numpy as np\n\n\n{heading}def f(q):\n{body}", given)
case(
    "a tree of nested tuples, of whose branches the truth value is taken",
    """
def build(idx, mass):
    m = sum(mass[i] for i in idx)
    if len(idx) == 1:
        return (m, [])
    h = len(idx) // 2
    return (m, [build(idx[:h], mass), build(idx[h:], mass)])


def total(node, theta):
    m, kids = node
    if not kids:
        return m * m
    return theta * m + sum(total(k, theta) for k in kids)


def f(mass, theta):
    return total(build(list(range(len(mass))), mass), theta)
""",
    v(5),
    0.6,
)
for given in ([0.3, 0.5], [], [np.array([0.2, 0.3])]):
    text = "def f(xs, c):\n    if not xs:\n        return c\n    s = 0.0\n    for x in xs:\n        s += x * c\n"
    text += "    return s\n"
    case(f"a truth value of what a loop runs over, {given}", text, given, 0.6)
case(
    "a list of numbers in an object that a method subscripts",
    """
import numpy as np


class CSR:
    def __init__(self, indptr, indices, data):
        self.indptr, self.indices, self.data = indptr, indices, data

    def __matmul__(self, x):
        y = np.zeros(len(self.indptr) - 1)
        for i in range(len(y)):
            for p in range(self.indptr[i], self.indptr[i + 1]):
                y[i] += self.data[p] * x[self.indices[p]]
        return y


def f(data, b, x0, iters):
    A = CSR([0, 2, 4, 6], [0, 1, 1, 2, 0, 2], data)
    x = x0
    for _ in range(iters):
        x = x + 0.1 * (b - A @ x)
    return x @ b
""",
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
    v(3),
    v(3),
    3,
    wrt=("data", "b", "x0"),
)
case(
    "two rows of one array that change places, and a number of one that is copied within it",
    """
import numpy as np


# s2s: u0 (n,)
def f(u0, c, n):
    buf = np.zeros((2,) + u0.shape)
    buf[0] = u0
    cur, nxt = buf[0], buf[1]
    for _ in range(n):
        nxt[1:] = c * cur[:-1] * cur[1:]
        nxt[0] = nxt[1]
        cur, nxt = nxt, cur
    return np.sum(cur**2)
""",
    v(),
    1.7,
    2,
    wrt=("u0", "c"),
)
ITEMS_OF_ZIP = {
    "subscripted": "    s = 0.0\n    for p in zip(xs, ys):\n        s += p[0] * p[1]\n    return s\n",
    "unpacked later": "    s = 0.0\n    for p in zip(xs, ys):\n        a, b = p\n        s += a * b\n    return s\n",
    "kept": "    ps = []\n    for p in zip(xs, ys):\n        if len(ps) > 1:\n            ps.pop()\n"
    "        ps.append(p)\n"
    "    return sum(p[0] * p[1] for p in ps)\n",
    "chosen": "    best = None\n    for p in zip(xs, ys):\n        if best is None or p[0] > best[0]:\n"
    "            best = p\n"
    "    return best[0] * best[1]\n",
    "counted": "    s = 0.0\n    for p in enumerate(xs):\n        s += p[0] * p[1] * ys[p[0]]\n    return s\n",
}
for name, body in ITEMS_OF_ZIP.items():
    case(f"tuples that zip gives, as one name, {name}", f"def f(xs, ys):\n{body}", v(), v())
BODIES = """
class Body:
    def __init__(self, x, mass):
        self.x = x
        self.v = 0.0
        self.mass = mass


# s2s: xs (n,), masses (n,), dt ()
def f(xs, masses, dt, steps):
    bodies = [Body(p, m) for p, m in zip(xs, masses)]
    for _ in range(steps):
        {}
            d = b.x - a.x
            a.v += dt * b.mass * d
            b.v -= dt * a.mass * d
        for b in bodies{}:
            b.x += dt * b.v
    return sum(b.mass * b.v**2 for b in bodies)
"""
SLICES = {
    "neighbours": ("for a, b in zip(bodies[:-1], bodies[1:]):", ""),
    "neighbours of all": ("for a, b in zip(bodies, bodies[1:]):", "[1:]"),
    "pairs": ("for i, a in enumerate(bodies):\n          for b in bodies[i + 1 :]:", ""),
    "pairs of ranges": (
        "for i in range(len(bodies)):\n          a = bodies[i]\n          for b in bodies[i + 1 :]:",
        "[1:]",
    ),
}
for name, parts in SLICES.items():
    case(f"slices of a list of objects that change, {name}", BODIES.format(*parts), v(3), v(3), 0.2, 2)
for name, law in (("a function of NumPy", "tanh"), ("a lambda", "square")):
    case(
        f"a function that is taken out of a dict where it is shown, {name}",
        """
import numpy as np


def f(x, kind, scale):
    act = {"tanh": np.tanh, "square": lambda z: z * z}[kind]
    y = x
    for _ in range(2):
        y = act(scale * y)
    return y.sum()
""",
        v(),
        law,
        0.4,
        wrt=("x", "scale"),
    )
STARRED_RESULTS = {
    "lstsq": "    c, *_ = np.linalg.lstsq(A, b, rcond=None)\n    return np.sum(c**2)\n",
    "eigh": "    w, *rest = np.linalg.eigh(A + A.T)\n    return np.sum(w**3) + np.sum(rest[0] ** 2 * w * b)\n",
    "slogdet": "    *_, logdet = np.linalg.slogdet(A)\n    return logdet * b\n",
}
for name, body in STARRED_RESULTS.items():
    matrix = np.array([[1.2, 0.3, -0.4], [0.2, 0.9, 0.5], [-0.3, 0.4, 1.5]])
    case(
        f"results of a function of NumPy behind a star, {name}",
        f"import numpy as np\n\n\ndef f(A, b):\n{body}",
        matrix,
        v(3),
    )
case(
    "pairs of the caller in a list that loses its first one",
    """
def f(x, events):
    pending = list(events)
    for t in range(5):
        if pending and pending[0][0] <= t:
            _, amount = pending.pop(0)
            x = x * amount
    return x
""",
    0.5,
    [(1.0, 0.3), (3.0, 0.4)],
    wrt=("x", "events"),
)
case(
    "pairs of the caller on a stack that loses its last one",
    """
def f(points):
    lower = []
    for p in points:
        if len(lower) >= 2:
            lower.pop()
        lower.append(p)
    return sum(p[0] * p[1] for p in lower)
""",
    [(0.1, 0.2), (0.9, 0.3), (0.5, 0.9)],
    wrt=("points",),
)
case(
    "pairs of an array and a number, which a helper runs over that a loop calls",
    """
import numpy as np


def distance(p, scene):
    d = 10.0
    for c, r in scene:
        d = min(d, np.linalg.norm(p - c) - r)
    return d


def f(scene, n):
    t = 0.0
    for _ in range(n):
        t += distance(t * np.array([0.0, 0.0, 1.0]), scene)
    return t
""",
    [(np.array([0.0, 0.2, 1.0]), 0.8), (np.array([0.7, 0.2, 0.5]), 0.3)],
    3,
    wrt=("scene",),
)
EDIT_DISTANCE = """
import numpy as np


def cost(x, y, s):
    return 0.0 if x == y else s


def f(a, b, sub, ins):
    n, m = len(a), len(b)
    D = np.zeros((n + 1, m + 1))
    D[:, 0] = ins * np.arange(n + 1)
    D[0, :] = ins * np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            c = cost(a[i - 1], b[j - 1], sub)
            D[i, j] = min(D[i - 1, j - 1] + c, D[i - 1, j] + ins, D[i, j - 1] + ins)
    return D[n, m]
"""
LEVENSHTEIN = """
def f(a, b, sub, ins):
    if len(a) == 0:
        return ins * len(b)
    if len(b) == 0:
        return ins * len(a)
    c = 0.0 if a[0] == b[0] else sub
    return min(f(a[1:], b[1:], sub, ins) + c, f(a[1:], b, sub, ins) + ins, f(a, b[1:], sub, ins) + ins)
"""
HAMMING = """
def f(a, b, sub, ins):
    return sum(sub if x != y else ins * sub for x, y in zip(a, b)) * sub + ins
"""
for name, text in {"table": EDIT_DISTANCE, "recursion": LEVENSHTEIN, "zip": HAMMING}.items():
    for kind, a, b in (
        ("texts", "kite", "sit"),
        ("lists", list("kit"), list("sitt")),
        ("numbers", (1.0, 2.0), (2.0, 1.0)),
    ):
        case(f"{kind} compared item by item, {name}", text, a, b, 0.9, 0.7, wrt=("sub", "ins"))
FILLS_ITS_WORKSPACE = """
import numpy as np


def helper(x, w):
    if w is None:
        w = np.zeros(3)
    w[:] = x * x
    return np.sum(w * x)


def f(x, ws=None):
"""
WORKSPACES = {
    "a parameter": "    return helper(x, ws) * helper(2 * x, ws)\n",
    "by a second name": "    w = ws if ws is not None else None\n    return helper(x, w)\n",
    "in one case": """
    w = np.zeros(3)
    c = ws is not None
    return helper(x, w if c else None) * helper(2 * x, w if c else None)
""",
    "in some turns": """
    s = 0.0
    for k in range(4):
        w = ws if k % 2 else None
        s = s * helper(k * x, w) + helper(x, w)
    return s
""",
    "in a while": """
    s = 0.0
    while s < 5.0:
        s = s + helper((s + 1.0) * x, ws) * helper(x, ws)
    return s
""",
}
for name, body in WORKSPACES.items():
    for given in (None, np.zeros(3)):
        case(
            f"a workspace that may be None, {name}, {'none' if given is None else 'one'} given",
            FILLS_ITS_WORKSPACE + body.strip("\n"),
            v(3),
            given,
            wrt=("x",),
        )
case("a power of zero, beside one of a number", "\ndef f(x):\n    return x**0.5 + 0.0**x\n", 0.7)
case(
    "the gamma function of a number that is read again",
    "\nimport math\n\n\ndef f(a):\n    return math.lgamma(a) + a\n",
    1.4,
)
case(
    "a helper's results of which a star takes the rest",
    """
def parts(w, x):
    e = w * x
    return e * e, 2 * e * x, e + x


def f(w, x):
    loss, *grads = parts(w, x)
    total = loss
    for g in grads:
        total += g
    *first, last = parts(x, w)
    return total * last + first[1]
""",
    0.3,
    0.7,
)
case(
    "pieces of an array of which a star takes the rest",
    """
import numpy as np


def f(x):
    a, *rest = np.split(x, 4)
    return np.sum(a * rest[1]) + np.sum(rest[0] ** 2) + np.sum(rest[2])
""",
    np.arange(1.0, 9.0),
)
case(
    "lists that a sum joins",
    """
def f(x, rows):
    made = []
    for i in range(3):
        made.append([x * i, x])
    flat = sum(made, [])
    return flat[0] * flat[1] + flat[2] * sum([[x], [2.0 * x]], [])[1] * sum(rows, start=[])[2]
""",
    0.7,
    [[0.3, 0.4], [0.9]],
)
case(
    "a copy of a list that a loop binds anew, which keeps the lists that it had",
    """
import numpy as np


def f(start, a):
    points = [start + d for d in (np.zeros(2), np.array([0.1, 0.3]), np.array([0.2, 0.1]))]
    first = list(points)
    kept = []
    s = 0.0
    for _ in range(2):
        kept.append(points)
        points = [points[i] for i in (1, 0, 2)]
        points[-1] = points[0] * a
        s += first[1][0] * points[-1][1]
    while kept:
        points = kept.pop()
        s += points[0][0] * first[2][1]
    return s
""",
    v(2),
    0.7,
)
case(
    "pairs that a list loses before it holds one, kept in another list",
    """
def f(xs, ys):
    ps = []
    kept = []
    for p in zip(xs, ys):
        if len(ps) > 1:
            q = ps[-1]
            ps = ps[:-1]
            kept.append(q)
        ps.append(p)
    return sum(p[0] * p[1] for p in kept + ps)
""",
    v(),
    v(),
)
case(
    "draws in the attributes of objects that change",
    """
import numpy as np


class Agent:
    def __init__(self, x, weight):
        self.x = x
        self.weight = weight
        self.level = 0.0


def f(weights, beta, steps):
    rng = np.random.default_rng(0)
    agents = [Agent(rng.uniform(), w) for w in weights]
    agents[0].level = 1.0
    for _ in range(steps):
        new = []
        for a in agents:
            force = sum(b.level * np.exp(-((a.x - b.x) ** 2)) for b in agents)
            new.append(a.level + beta * a.weight * force)
        for a, level in zip(agents, new):
            a.level = level
    return sum(a.level for a in agents)
""",
    v(3),
    0.4,
    2,
    wrt=("weights", "beta"),
)
case(
    "springs between particles of one list, whose constructor sets what it is not given",
    """
import numpy as np


class Particle:
    def __init__(self, x, v, m):
        self.x = x
        self.v = v
        self.m = m
        self.f = 0.0

class Spring:
    def __init__(self, a, b, k, rest):
        self.a = a
        self.b = b
        self.k = k
        self.rest = rest

    def apply(self):
        d = self.b.x - self.a.x
        f = self.k * (d - self.rest)
        self.a.f += f
        self.b.f -= f

def f(xs, k, dt):
    ps = [Particle(x, 0.0, 1.0) for x in xs]
    springs = [Spring(ps[i], ps[i + 1], k, 0.9) for i in range(len(ps) - 1)]
    for _ in range(3):
        for p in ps:
            p.f = 0.0
        for s in springs:
            s.apply()
        for p in ps:
            p.v += dt * p.f / p.m
            p.x += dt * p.v
    return sum(p.x ** 2 for p in ps)
""",
    np.array([0.0, 1.0, 2.3]),
    0.7,
    0.1,
)
case(
    "sphere that is hit first, whose constructor takes a copy",
    """
import numpy as np


class Sphere:
    def __init__(self, c, r):
        self.c = np.asarray(c)
        self.r = r

    def hit(self, o, d):
        oc = o - self.c
        b = oc @ d
        disc = b * b - oc @ oc + self.r ** 2
        if disc < 0:
            return np.inf
        return -b - np.sqrt(disc)


def f(cs, r):
    spheres = [Sphere(c, r) for c in cs]
    o, d = np.zeros(3), np.array([0.0, 0.0, 1.0])
    best = None
    t_best = np.inf
    for s in spheres:
        t = s.hit(o, d)
        if t < t_best:
            best = s
            t_best = t
    if best is None:
        return 0.0
    n = (o + t_best * d - best.c) / best.r
    return n[2] * t_best
""",
    np.array([[0.1, 0.0, 3.0], [0.0, 0.2, 5.0]]),
    0.8,
)
case(
    "sum of kernels by an operator of their base",
    """
import numpy as np


class Kernel:
    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

class Sum(Kernel):
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x, y):
        return self.a(x, y) + self.b(x, y)

class Product(Kernel):
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x, y):
        return self.a(x, y) * self.b(x, y)

class RBF(Kernel):
    def __init__(self, l):
        self.l = l

    def __call__(self, x, y):
        return np.exp(-0.5 * (x[:, None] - y[None, :]) ** 2 / self.l ** 2)

class White(Kernel):
    def __init__(self, s):
        self.s = s

    def __call__(self, x, y):
        return self.s ** 2 * (x[:, None] == y[None, :])

class Linear(Kernel):
    def __init__(self, c):
        self.c = c

    def __call__(self, x, y):
        return self.c * np.outer(x, y)


def f(l, s, X, y):
    k = RBF(l) + White(s)
    C = k(X, X)
    return y @ np.linalg.solve(C, y)
""",
    0.8,
    0.5,
    np.array([0.4, 0.7, -0.2]),
    np.array([1.0, 0.2, 0.5]),
    wrt=("l", "s", "y"),
)
case(
    "kernel of an operator, handed to a helper",
    """
import numpy as np


class Kernel:
    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

class Sum(Kernel):
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x, y):
        return self.a(x, y) + self.b(x, y)

class Product(Kernel):
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x, y):
        return self.a(x, y) * self.b(x, y)

class RBF(Kernel):
    def __init__(self, l):
        self.l = l

    def __call__(self, x, y):
        return np.exp(-0.5 * (x[:, None] - y[None, :]) ** 2 / self.l ** 2)

class White(Kernel):
    def __init__(self, s):
        self.s = s

    def __call__(self, x, y):
        return self.s ** 2 * (x[:, None] == y[None, :])

class Linear(Kernel):
    def __init__(self, c):
        self.c = c

    def __call__(self, x, y):
        return self.c * np.outer(x, y)


def nll(k, X, y):
    C = k(X, X)
    return y @ np.linalg.solve(C, y) + np.linalg.slogdet(C)[1]

def f(l, s, X, y):
    return nll(RBF(l) + White(s), X, y)
""",
    0.8,
    0.5,
    np.array([0.4, 0.7, -0.2]),
    np.array([1.0, 0.2, 0.5]),
    wrt=("l", "s", "y"),
)
case(
    "sum of three kernels, two of one class",
    """
import numpy as np


class Kernel:
    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

class Sum(Kernel):
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x, y):
        return self.a(x, y) + self.b(x, y)

class Product(Kernel):
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x, y):
        return self.a(x, y) * self.b(x, y)

class RBF(Kernel):
    def __init__(self, l):
        self.l = l

    def __call__(self, x, y):
        return np.exp(-0.5 * (x[:, None] - y[None, :]) ** 2 / self.l ** 2)

class White(Kernel):
    def __init__(self, s):
        self.s = s

    def __call__(self, x, y):
        return self.s ** 2 * (x[:, None] == y[None, :])

class Linear(Kernel):
    def __init__(self, c):
        self.c = c

    def __call__(self, x, y):
        return self.c * np.outer(x, y)


def f(l1, l2, s, X, y):
    k = RBF(l1) + RBF(l2) + White(s)
    C = k(X, X)
    return y @ np.linalg.solve(C, y)
""",
    0.8,
    0.4,
    0.5,
    np.array([0.4, 0.7, -0.2]),
    np.array([1.0, 0.2, 0.5]),
    wrt=("l1", "l2", "s", "y"),
)
case(
    "class of a dict of the text by its name, and a lambda that it keeps",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)

class RK2:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        k = self.f(y)
        return y + self.h * self.f(y + 0.5 * self.h * k)

class Relu:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.maximum(self.w * x, 0.0)

class Tanh:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.tanh(self.w * x)


def f(y, a, h, name):
    s = {"euler": Euler, "rk2": RK2}[name](lambda y: -a * y, h)
    for _ in range(3):
        y = s.step(y)
    return y
""",
    0.8,
    0.5,
    0.1,
    "rk2",
    wrt=("y", "a", "h"),
)
case(
    "class of a list of the module by its number",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)

class RK2:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        k = self.f(y)
        return y + self.h * self.f(y + 0.5 * self.h * k)

class Relu:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.maximum(self.w * x, 0.0)

class Tanh:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.tanh(self.w * x)


CLS = [Relu, Tanh]
def f(x, w, which):
    act = CLS[which](w)
    return act(x) * act(2 * x)
""",
    0.8,
    0.5,
    1,
    wrt=("x", "w"),
)
case(
    "class that has a name first, and its object none",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)

class RK2:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        k = self.f(y)
        return y + self.h * self.f(y + 0.5 * self.h * k)

class Relu:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.maximum(self.w * x, 0.0)

class Tanh:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.tanh(self.w * x)


def f(x, w, name):
    cls = {"relu": Relu, "tanh": Tanh}[name]
    return cls(w)(x)
""",
    0.8,
    0.5,
    "tanh",
    wrt=("x", "w"),
)
case(
    "object of one of two classes, which is called",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)

class RK2:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        k = self.f(y)
        return y + self.h * self.f(y + 0.5 * self.h * k)

class Relu:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.maximum(self.w * x, 0.0)

class Tanh:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.tanh(self.w * x)


def f(x, w, name):
    act = Relu(w) if name == "relu" else Tanh(w)
    return act(x) * act(2 * x)
""",
    0.8,
    0.5,
    "tanh",
    wrt=("x", "w"),
)
case(
    "object of one of several classes, which a function of the module chooses",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)

class RK2:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        k = self.f(y)
        return y + self.h * self.f(y + 0.5 * self.h * k)

class Relu:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.maximum(self.w * x, 0.0)

class Tanh:
    def __init__(self, w):
        self.w = w
    def __call__(self, x):
        return np.tanh(self.w * x)


def make(name, w):
    if name == "relu":
        return Relu(w)
    elif name == "tanh":
        return Tanh(w)
    raise ValueError(name)

def f(x, w, name):
    act = make(name, w)
    return act(x)
""",
    0.8,
    0.5,
    "tanh",
    wrt=("x", "w"),
)
case(
    "lambda that an object keeps and its method calls",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)

class RK2:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        k = self.f(y)
        return y + self.h * self.f(y + 0.5 * self.h * k)

def f(y, a, h):
    s = RK2(lambda y: -a * y, h)
    for _ in range(3):
        y = s.step(y)
    return y
""",
    0.8,
    0.5,
    0.1,
    wrt=("y", "a", "h"),
)
case(
    "function inside of the function that an object of a chosen class keeps",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)

class RK2:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        k = self.f(y)
        return y + self.h * self.f(y + 0.5 * self.h * k)

def f(y, a, h, name):
    def rhs(y):
        return -a * y
    s = {"euler": Euler, "rk2": RK2}[name](rhs, h)
    for _ in range(3):
        y = s.step(y)
    return y
""",
    0.8,
    0.5,
    0.1,
    "rk2",
    wrt=("y", "a", "h"),
)
case(
    "object of a chosen class with a state",
    """
import numpy as np


class Momentum:
    def __init__(self, lr):
        self.lr = lr
        self.v = 0.0
    def update(self, w, g):
        self.v = 0.9 * self.v - self.lr * g
        return w + self.v

class SGD:
    def __init__(self, lr):
        self.lr = lr
    def update(self, w, g):
        return w - self.lr * g

def f(w, lr, name):
    opt = {"sgd": SGD, "momentum": Momentum}[name](lr)
    for _ in range(3):
        g = np.cos(w)
        w = opt.update(w, g)
    return np.sum(w ** 2)
""",
    np.array([0.4, 0.7]),
    0.1,
    "momentum",
    wrt=("w", "lr"),
)
case(
    "entries sorted by their keys, by a lambda",
    """
import numpy as np


def f(d, x):
    s = x
    for name, v in sorted(d.items(), key=lambda kv: kv[0]):
        s = np.sin(s * v)
    return s
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "entries sorted by their values",
    """
import numpy as np


def f(d, x):
    s = x
    for name, v in sorted(d.items(), key=lambda kv: kv[1]):
        s = np.sin(s * v)
    return s
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "keys in reverse order",
    """
import numpy as np


def f(d, x):
    for name in sorted(d.keys(), reverse=True):
        x = np.sin(x * d[name])
    return x
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "entries sorted by itemgetter",
    """
import numpy as np


from operator import itemgetter
def f(d, x):
    s = x
    for name, v in sorted(d.items(), key=itemgetter(0)):
        s = np.sin(s * v)
    return s
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "sorted entries of a dict that is made here",
    """
import numpy as np


def f(x):
    d = {"b": x[0], "a": x[1] ** 2}
    s = 1.0
    for name, v in sorted(d.items()):
        s = np.sin(s * v)
    return s
""",
    np.array([0.4, 0.7]),
)
case(
    "keys sorted by get",
    """
import numpy as np


def f(d, x):
    s = x
    names = sorted(d, key=d.get)
    for name in names:
        s = np.sin(s * d[name])
    return s
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "key of the greatest value, by a lambda",
    """
import numpy as np


def f(d: dict[str, float], x):
    s = x
    best = max(d, key=lambda k: d[k])
    return s * d[best]
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "entry with the greatest value",
    """
import numpy as np


def f(d: dict[str, float], x):
    s = x
    k, v = max(d.items(), key=lambda kv: kv[1])
    return s * v
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "sorted values of a dict",
    """
import numpy as np


def f(d, x):
    s = x
    vals = sorted(d.values())
    return s * vals[0] + vals[1] ** 2
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "sorted entries with numbers",
    """
import numpy as np


def f(d, x):
    s = x
    for i, (name, v) in enumerate(sorted(d.items())):
        s = np.sin(s * v) + i
    return s
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "sorted entries that have a name",
    """
import numpy as np


def f(d, x):
    s = x
    items = sorted(d.items())
    for name, v in items:
        s = np.sin(s * v)
    return s
""",
    {"b": 0.4, "a": 0.7, "c": -0.3},
    0.7,
)
case(
    "list of a parameter that a constructor copies",
    """
import numpy as np


class Poly:
    def __init__(self, coeffs):
        self.coeffs = list(coeffs)

    def __call__(self, x):
        s = 0.0
        for c in reversed(self.coeffs):
            s = s * x + c
        return s

def f(coeffs, x):
    p = Poly(coeffs)
    return p(x)
""",
    [0.4, 0.7, -0.2],
    0.7,
)
case(
    "tuple of a parameter that a constructor makes",
    """
import numpy as np


class Poly:
    def __init__(self, coeffs):
        self.coeffs = tuple(coeffs)

    def __call__(self, x):
        return sum(c * x ** i for i, c in enumerate(self.coeffs))

def f(coeffs, x):
    return Poly(coeffs)(x)
""",
    [0.4, 0.7, -0.2],
    0.7,
)
case(
    "copy of a list in an object, whose items are bound anew",
    """
import numpy as np


class NM:
    def __init__(self, simplex):
        self.simplex = list(simplex)

    def centroid(self):
        return sum(self.simplex[:-1]) / (len(self.simplex) - 1)

    def reflect(self):
        c = self.centroid()
        self.simplex[-1] = c + 1.0 * (c - self.simplex[-1])

def f(simplex):
    m = NM(simplex)
    for _ in range(2):
        m.reflect()
    return sum(np.sum(p ** 2) for p in m.simplex)
""",
    [np.array([0.4, 0.7]), np.array([0.3, 0.1]), np.array([-0.4, 0.2])],
)
case(
    "copy of a list in an object, which grows",
    """
import numpy as np


class Q:
    def __init__(self, xs):
        self.xs = list(xs)
    def push(self, v):
        self.xs.append(v)
    def total(self):
        return sum(x ** 2 for x in self.xs)

def f(xs, v):
    q = Q(xs)
    q.push(v)
    q.push(v * xs[0])
    return q.total()
""",
    [0.4, 0.7, -0.2],
    0.7,
)
case(
    "subscripts of einsum that are a constant of the module",
    """
import numpy as np


SPEC = "ij,jk->ik"
def f(a, b):
    return np.sum(np.einsum(SPEC, a, b) ** 2)
""",
    np.array([[0.4, 0.7], [-0.2, 0.9]]),
    np.array([[0.2, 0.1], [0.3, 0.4]]),
)
case(
    "subscripts of einsum that a helper is given",
    """
import numpy as np


def contract(spec, a, b):
    return np.einsum(spec, a, b)
def f(a, b):
    return np.sum(contract("ij,jk->ik", a, b) ** 2) + np.sum(contract("ij,kj->ik", a, b))
""",
    np.array([[0.4, 0.7], [-0.2, 0.9]]),
    np.array([[0.2, 0.1], [0.3, 0.4]]),
)
case(
    "subscripts of einsum that a helper has as a default",
    """
import numpy as np


def contract(a, b, spec="ij,jk->ik"):
    return np.einsum(spec, a, b)
def f(a, b):
    return np.sum(contract(a, b) ** 2) + np.sum(contract(a, b, spec="ij,kj->ik"))
""",
    np.array([[0.4, 0.7], [-0.2, 0.9]]),
    np.array([[0.2, 0.1], [0.3, 0.4]]),
)
case(
    "subscripts of einsum that are put together",
    """
import numpy as np


def f(a, b):
    spec = "ij,jk" + "->" + "ik"
    return np.sum(np.einsum(spec, a, b) ** 2)
""",
    np.array([[0.4, 0.7], [-0.2, 0.9]]),
    np.array([[0.2, 0.1], [0.3, 0.4]]),
)
case(
    "shortest path with a heap of pairs",
    """
import numpy as np


import heapq
def f(w, graph):
    dist = [np.inf] * len(graph)
    dist[0] = 0.0
    heap = [(0.0, 0)]
    seen = set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in seen:
            continue
        seen.add(u)
        for v, e in graph[u]:
            if d + w[e] < dist[v]:
                dist[v] = d + w[e]
                heapq.heappush(heap, (dist[v], v))
    return dist[3] ** 2
""",
    np.array([0.4, 0.9, 0.2, 1.1, 0.5]),
    [[(1, 0), (2, 1)], [(2, 2), (3, 3)], [(3, 4)], []],
    wrt=("w",),
)
case(
    "shortest path with a set that loses its least node",
    """
import numpy as np


def f(w, graph):
    n = len(graph)
    dist = np.full(n, np.inf)
    dist[0] = 0.0
    unvisited = set(range(n))
    while unvisited:
        u = min(unvisited, key=lambda i: dist[i])
        unvisited.remove(u)
        for v, e in graph[u]:
            alt = dist[u] + w[e]
            if alt < dist[v]:
                dist[v] = alt
    return dist[3] ** 2
""",
    np.array([0.4, 0.9, 0.2, 1.1, 0.5]),
    [[(1, 0), (2, 1)], [(2, 2), (3, 3)], [(3, 4)], []],
    wrt=("w",),
)
case(
    "product of what map gives",
    """
import numpy as np


import math
def f(x):
    return math.prod(map(np.sin, x))
""",
    np.array([0.4, 0.7, -0.2, 0.9]),
)
case(
    "chain of a part and of what NumPy gives",
    """
import numpy as np


from itertools import chain
def f(x):
    return sum(v ** 2 for v in chain(x[:2], np.sin(x)))
""",
    np.array([0.4, 0.7, -0.2, 0.9]),
)
case(
    "parts of unlike lengths side by side",
    """
import numpy as np


from itertools import zip_longest
def f(x):
    return sum(a * b for a, b in zip_longest(x, x[:2], fillvalue=1.0))
""",
    np.array([0.4, 0.7, -0.2, 0.9]),
)
case(
    "item again and again beside a list",
    """
import numpy as np


from itertools import repeat
def f(x):
    return sum(a * b for a, b in zip(x, repeat(x[0])))
""",
    np.array([0.4, 0.7, -0.2, 0.9]),
)
case(
    "numbers without an end beside a list",
    """
import numpy as np


from itertools import count
def f(x):
    return sum(a * b for a, b in zip(x, count(1)))
""",
    np.array([0.4, 0.7, -0.2, 0.9]),
)
case(
    "parts one after the other",
    """
import numpy as np


from itertools import chain
def f(x):
    return sum(v ** 2 for v in chain.from_iterable([x[:2], x[1:]]))
""",
    np.array([0.4, 0.7, -0.2, 0.9]),
)
case(
    "sums beside the items, in one sum",
    """
import numpy as np


from itertools import accumulate
def f(x):
    return sum(a * b for a, b in zip(x, accumulate(x)))
""",
    np.array([0.4, 0.7, -0.2, 0.9]),
)
case(
    "a slice stored from elements of two arrays of unknown ranks",
    """
import numpy as np


def f(h, u, g, nt):
    for _ in range(nt):
        flux = u[1:-1] * 0.5 * (h[1:] + h[:-1])
        u[1:-1] = u[1:-1] - g * (h[1:] - h[:-1])
        h[1:-1] = h[1:-1] - 0.1 * (flux[1:] - flux[:-1])
    return h, u
""",
    v(5),
    0.1 * v(6),
    0.3,
    3,
)
for name, rate in {"a number": 0.7, "an array of rank 0": np.array(0.7), "a vector": v(3)}.items():
    case(
        f"a state of unknown rank that a loop multiplies, {name}",
        """
import numpy as np


def f(x, k, c, n):
    s = 0.0
    for i in range(n):
        new = k * x - c * s
        s = s + 0.1 * new
        x = x - 0.1 * new * s
    return np.sum(x * s)
""",
        0.4,
        rate,
        0.2,
        3,
    )
case(
    "paths of which an array in place takes the sum",
    """
import numpy as np


def f(s, Z):
    S = s * np.ones(Z.shape[0])
    total = np.zeros(Z.shape[0])
    for t in range(Z.shape[1]):
        S = S * np.exp(0.1 * Z[:, t])
        total += S
    v = np.maximum(total - 1.0, 0)
    for _ in range(2):
        v = s * (0.3 * v[1:] + 0.7 * v[:-1])
    return v
""",
    0.9,
    m(4, 3),
)
HELD_FIXED = """
def solve(x, fixed):
    s = 0.0
    for d in range(len(x)):
        if d not in fixed:
            s += x[d] ** 2
    return s


def f(x):
"""
for name, body in {
    "written out": "    return solve(x, {0, 2})\n",
    "with a name": "    fixed = {0, 2}\n    return solve(x, fixed) * len(fixed)\n",
}.items():
    case(f"a set that a helper looks into, {name}", HELD_FIXED + body, v(4))
case(
    "a loop over a set", "\ndef f(x):\n    s = 0.0\n    for k in {0, 2}:\n        s += x[k] ** 2\n    return s\n", v(4)
)
for given in ([0.3, 0.9], v(2)):
    case(
        f"a truth value of an object that holds what the caller has given, a {type(given).__name__}",
        """
class Bag:
    def __init__(self, xs):
        self.xs = xs

    def __len__(self):
        return len(self.xs)

    def total(self):
        return sum(self.xs)


def f(xs, a):
    b = Bag(xs)
    s = 0.0
    if b:
        s += b.total() * a
    return s
""",
        given,
        0.7,
    )
case(
    "entries under labels one of which comes twice, returned beside the sum of their squares",
    """
import numpy as np


def f(x, labels):
    out = {}
    for k in labels:
        out[k] = np.sum(x) * 2.0
    s = 0.0
    for k in out:
        s = s + out[k] ** 2
    return s, out
""",
    v(3),
    ["a", "b", "a"],
    wrt=("x",),
)
case(
    "sum of a list that grows, with a start",
    """
import numpy as np


def f(xs, a):
    out = []
    for x in xs:
        if x > a:
            out.append(x * a)
    return sum(out, 0.0)
""",
    np.array([0.4, 0.9, 0.7]),
    0.5,
)
case(
    "sum of a list that grows, with a start by its name",
    """
import numpy as np


def f(xs, a):
    out = []
    for x in xs:
        if x > a:
            out.append(x * a)
    return sum(out, start=1.0) ** 2
""",
    np.array([0.4, 0.9, 0.7]),
    0.5,
)
case(
    "lists of numbers that objects in a list have, and that grow",
    """
import numpy as np


class Cell:
    def __init__(self, v):
        self.v = v
        self.nbrs = []

def f(vals):
    cells = [Cell(v) for v in vals]
    for i in range(len(cells)):
        for j in range(len(cells)):
            if i != j:
                cells[i].nbrs.append(j)
    s = 0.0
    for c in cells:
        for j in c.nbrs:
            s += c.v * cells[j].v ** 2
    return s
""",
    np.array([0.4, 0.7, -0.2]),
)
case(
    "trails of objects in a list",
    """
import numpy as np


class P:
    def __init__(self, x):
        self.x = x
        self.trail = [x]

    def step(self, h):
        self.x = self.x + h * np.sin(self.x)
        self.trail.append(self.x)

def f(xs, h):
    ps = [P(x) for x in xs]
    for _ in range(3):
        for p in ps:
            p.step(h)
    return sum(p.trail[-1] * p.trail[0] for p in ps) + sum(sum(p.trail) for p in ps)
""",
    np.array([0.4, 0.7, -0.2]),
    0.1,
)
case(
    "path of least cost by recursion over two numbers",
    """
import numpy as np


def g(i, j, A):
    if i == 0 and j == 0:
        return A[0, 0]
    if i == 0:
        return A[0, j] + g(0, j - 1, A)
    if j == 0:
        return A[i, 0] + g(i - 1, 0, A)
    return A[i, j] + min(g(i - 1, j, A), g(i, j - 1, A))

def f(A):
    return g(A.shape[0] - 1, A.shape[1] - 1, A)
""",
    np.array([[0.4, 0.7], [-0.2, 0.9], [1.1, 0.3]]),
)
case(
    "items in one order or the other",
    """
import numpy as np


def f(xs, reverse):
    h = 0.0
    for x in reversed(xs) if reverse else xs:
        h = 0.5 * h + x ** 2
    return h
""",
    np.array([0.4, 0.9, 0.7]),
    True,
)
case(
    "lambda with a default, which one round of a loop makes",
    """
import numpy as np


def f(y, a, h):
    for i in range(2):
        if i == 0:
            g = lambda y, i=i: -a * y * (i + 1)
    return y + h * g(y)
""",
    0.8,
    0.5,
    0.1,
)
case(
    "lambda with a default, which some rounds make and call",
    """
import numpy as np


def f(y, a, h):
    for i in range(3):
        if i != 1:
            g = lambda y, i=i: -a * y * (i + 1)
            y = y + h * g(y)
    return y
""",
    0.8,
    0.5,
    0.1,
)
case(
    "lambda with a default that an object keeps, which one round makes",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)


def f(y, a, h):
    for i in range(2):
        if i == 0:
            s = Euler(lambda y, i=i: -a * y * (i + 1), h)
    return s.step(y)
""",
    0.8,
    0.5,
    0.1,
)
case(
    "lambda that an object keeps, and what it captures bound anew",
    """
import numpy as np


class Euler:
    def __init__(self, f, h):
        self.f = f
        self.h = h
    def step(self, y):
        return y + self.h * self.f(y)


def f(y, a, h):
    s = Euler(lambda y: -a * y, h)
    y = s.step(y)
    a = 2 * a
    return s.step(y)
""",
    0.8,
    0.5,
    0.1,
)
case(
    "a tree of tuples, whose leaves are the places of rows",
    """
import numpy as np


def likelihood(node, q, leaves):
    if isinstance(node, int):
        return leaves[node] * q
    left, a, right, b = node
    return np.exp(-a) * likelihood(left, q, leaves) * np.exp(-b) * likelihood(right, q, leaves)


def f(q, tree, leaves):
    return likelihood(tree, q, leaves)
""",
    0.7,
    ((0, 0.1, 1, 0.2), 0.3, (2, 0.1, 3, 0.4), 0.2),
    v(4),
    wrt=("q", "leaves"),
)
case(
    "a tree of tuples, whose leaves are numbers",
    """
def total(node):
    if isinstance(node, float):
        return node * node
    value, left, right = node
    return value**2 + total(left) + value * total(right)


def f(t):
    return total(t)
""",
    (0.3, (0.2, 0.4, 0.5), 0.6),
    wrt=("t",),
)
case(
    "a sparse matrix by rows, whose entries lie in lists",
    """
import numpy as np


class Matrix:
    def __init__(self, data, indices, indptr):
        self.data, self.indices, self.indptr = data, indices, indptr

    def row(self, i):
        s = slice(self.indptr[i], self.indptr[i + 1])
        return self.indices[s], self.data[s]

    def diagonal(self):
        d = np.zeros(len(self.indptr) - 1)
        for i in range(len(d)):
            cols, vals = self.row(i)
            for c, v in zip(cols, vals):
                if c == i:
                    d[i] = v
        return d


def f(data, b):
    A = Matrix(data, np.array([0, 1, 0, 1, 2, 1, 2]), np.array([0, 2, 5, 7]))
    return b / A.diagonal()
""",
    [4.0, 1.0, 1.0, 5.0, 2.0, 2.0, 6.0],
    v(3),
    wrt=("data", "b"),
)
case(
    "differences of a matrix with numbers at its ends, along its first and its last axis",
    """
import numpy as np


def f(A, k):
    return np.sum(np.diff(A, axis=0, prepend=0) ** 2) * k + np.sum(np.diff(A, axis=-1, append=0.5, prepend=0) ** 3)
""",
    np.array([[0.4, 0.9], [-0.5, 0.7], [0.2, 0.1]]),
    0.7,
)
case(
    "pieces of a number",
    """
import numpy as np


def f(x):
    y = np.piecewise(2.0 * x, [x < 0.5, x > 2.0], [lambda t: 3.0 * t, lambda t: t**2, lambda t: np.sin(t)])
    return np.sum(y)
""",
    0.7,
)
case(
    "means and slices of lists by functions of Python's library",
    """
import statistics
from itertools import islice


def f(xs):
    s = 0.0
    for v in islice(xs, 1, None, 2):
        s += v * v
    for v in islice(xs, None, 3):
        s += 2.0 * v
    return s * statistics.fmean(xs) + statistics.fmean(v * v for v in xs) + sum(v**3 for v in islice(xs, 0, 4, 3))
""",
    [0.4, 0.9, -0.5, 0.7],
    wrt=("xs",),
)
case(
    "a copy of a list of numbers, an item of which a helper takes",
    """
from math import exp


def h(m):
    return exp(-m)


def f(m, s):
    s = list(s)
    t = h(s[1])
    s[1] = t * m
    return s[0] * s[1] + t
""",
    0.7,
    [0.3, 0.9],
)
case(
    "copies of arrays beside a class whose objects can be copied",
    """
class State:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def copy(self):
        return State(self.x.copy(), self.v.copy())


def f(x0, k, n=3):
    x = x0.copy()
    total = 0.0
    for _ in range(n):
        x = x + k * x
        t = State(x.copy(), x.copy())
        u = t.copy()
        total = total + (u.x**2).sum() + (t.v**3).sum()
    return total
""",
    v(3),
    0.7,
)
case(
    "a scheme beside another one that has a constructor of its own, and is not used",
    """
class Stepper:
    def __init__(self, rhs, dt):
        self.rhs = rhs
        self.dt = dt
        self.count = 0

    def run(self, u, n):
        for _ in range(n):
            u = self.step(u)
            self.count += 1
        return u


class Euler(Stepper):
    def step(self, u):
        return u + self.dt * self.rhs(u)


class Other(Stepper):
    def __init__(self, rhs, dt):
        super().__init__(rhs, dt)


def decay(u):
    return -u * u


def f(u, dt):
    s = Euler(decay, dt)
    return s.run(u, 3)
""",
    v(3),
    0.1,
)
case(
    "objects with `__getitem__` and `__len__` that are run over, unpacked and spread",
    """
class Squares:
    def __init__(self, xs):
        self.xs = xs

    def __getitem__(self, i):
        return self.xs[i] ** 2

    def __len__(self):
        return len(self.xs)


def g(a, b, c):
    return a + 2.0 * b * c


def f(xs, w):
    s = Squares(xs)
    a, b, c = s
    t = g(*s)
    for v, u in zip(s, w):
        t += v * u
    for v in s:
        t *= 1.0 + v
    return t + max(s) * a + b * c + sum([v * v for v in s])
""",
    np.array([0.4, 0.9, -0.5]),
    np.array([0.3, -0.8, 1.1]),
)
case(
    "functions of a table by their names, multiplied by reduce",
    """
from functools import reduce

import numpy as np


def free(d):
    return np.array([[1.0, d], [0.0, 1.0]])


def lens(f):
    return np.array([[1.0, 0.0], [-1.0 / f, 1.0]])


ELEMENTS = {"free": free, "lens": lens}  # by the matrices of rays


def system(elements):
    mats = [ELEMENTS[kind](val) for kind, val in elements]
    return reduce(lambda acc, m: m @ acc, mats, np.eye(2))


def f(d, lens_f):
    (A, B), (C, D) = system([("free", d), ("lens", lens_f), ("free", 2.0 * d)])
    return A * B + C * D
""",
    0.7,
    0.4,
)
case(
    "rows of a table with a function and a number, and lambdas of one made by dict()",
    """
from functools import partial

import numpy as np


def leaky(z, slope):
    return np.where(z > 0, z, slope * z)


def square(z):
    return z * z


relu = partial(leaky, slope=0.1)
LAWS = {"relu": (square, 2.0), "tanh": (np.tanh, 3.0)}
GATES = dict(square=lambda z: z * z, tanh=relu, relu=relu)


def act(z, name):
    fn, k = LAWS[name]
    return k * fn(z)


def f(x, names):
    y = act(x, names[0]) * act(x, names[1])
    return np.sum(GATES["square"](y) + GATES[names[1]](x))
""",
    v(3),
    ["tanh", "relu"],
    wrt=("x",),
)
case(
    "zeros under the keys of a dict, returned beside a number",
    """
def scaled(d, x, n):
    if n < 0:
        return dict.fromkeys(d, 0.0), 2.0 * x
    return {k: v * x for k, v in d.items()}, x * x


def f(d: dict[str, float], x):
    e, y = scaled(d, x, 1)
    g, z = scaled(e, y, -1)
    return sum(e.values()) * y + sum(g.values()) * z + z
""",
    {"a": 0.4, "b": 1.2},
    0.7,
)
case(
    "rows in a heap, the least of which is taken, and more pushed",
    """
import heapq


def f(w, n: int):
    dist = [w[0]] + [1e9] * (n - 1)
    heap = [(w[0], 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v in (u + 1, u + 2):
            if v < n and d + w[v] * w[v] < dist[v]:
                dist[v] = d + w[v] * w[v]
                heapq.heappush(heap, (dist[v], v))
    return dist[n - 1]
""",
    np.array([0.3, 1.1, 0.7, 0.9]),
    4,
    wrt=("w",),
)
case(
    "squares of the hypotenuses of a number and a vector, and of two vectors",
    """
import numpy as np


def f(a: float, x):
    y = x[::-1] * a
    return np.sum(np.hypot(a, x) ** 2 * x) + np.sum(np.square(np.hypot(x, y)) * y)
""",
    0.7,
    v(3),
)
case(
    "a table of the best of three, and a battery that the least of three charges",
    """
import numpy as np


def f(a, gap, capacity, power):
    H = np.zeros((4, 4))
    H[:, 0] = gap * np.arange(4)
    H[0, :] = gap * np.arange(4)
    for i in range(1, 4):
        for j in range(1, 4):
            H[i, j] = max(H[i - 1, j - 1] + a[i - 1] * a[j - 1], H[i - 1, j] + gap, H[i, j - 1] + 1.1 * gap)
    energy = 0.5 * capacity
    for p in a:
        energy += min(p, power, (capacity - energy) / 0.9) ** 2
    return H[-1, -1] * energy
""",
    v(3),
    -0.3,
    2.3,
    0.8,
)
case(
    "numbers of which no statement says that they are numbers, in a loop",
    """
def f(xs, k, x, dt: float):
    c = dt / (k + x)
    out = [xs[0]]
    h = 1.0
    for cur in xs[1:]:
        h = h * dt + cur
        out.append(c * cur + dt * out[-1] * h)
    return sum(out) * h
""",
    [0.3, 1.2, -0.4],
    0.7,
    1.1,
    0.3,
)
case(
    "numbers stored that are made of items of which no rank is known",
    """
import numpy as np


def coefficient(h, a):
    return (1 + a * h) ** 2


def f(h, a, dt, n=3):
    c = coefficient(h, a)
    b = np.zeros(n)
    for i in range(1, n):
        b[i] = c[i] / dt * h[i] - (c[i] - c[i - 1]) / dt**2 + np.sum(h[:i] * a)
    return np.sum(b * b)
""",
    v(3),
    0.7,
    0.4,
)
case(
    "a part that is divided under a place that is named twice, by parts of the same array",
    """
import numpy as np


# s2s: u (5,)
def f(u):
    w = u * 1.0
    w[[3, 3]] /= w[:2] * w[2:4]
    return np.sum(w * w)
""",
    v(5) + 1.5,
)
case(
    "properties that are computed once, read in several statements",
    """
import numpy as np
from functools import cached_property


class Process:
    def __init__(self, X, y, ls, noise):
        self.X, self.y = X, y
        self.ls, self.noise = ls, noise

    def k(self, A, B):
        return np.exp(-0.5 * (A[:, None] - B[None, :]) ** 2 / self.ls**2)

    @cached_property
    def L(self):
        return np.linalg.cholesky(self.k(self.X, self.X) + self.noise**2 * np.eye(len(self.X)))

    @cached_property
    def alpha(self):
        return np.linalg.solve(self.L.T, np.linalg.solve(self.L, self.y))

    def nll(self):
        return 0.5 * self.y @ self.alpha + np.log(np.diag(self.L)).sum()


def f(X, y, ls, noise, z):
    gp = Process(X, y, ls, noise)
    a = gp.nll() * z
    b = np.sum(gp.L @ X)
    s = 0.0
    for i in range(2):
        s = s + gp.alpha[i] * a
        if s > 0:
            s = s + np.sum(gp.alpha)
        ls = ls * 1.1
        other = Process(X, y, ls, noise)
        s = s + other.nll() * np.sum(other.L)
    return s * b
""",
    v(3),
    v(3) - 0.4,
    0.8,
    0.6,
    0.7,
)
case(
    "objects in a comprehension whose constructor copies numbers that it is given",
    """
class P:
    def __init__(self, pos):
        self.pos = list(pos)


def f(x: float):
    ps = [P((1.0, 0.0)) for i in range(3)]
    for p in ps:
        p.pos[0] += x
    return ps[-1].pos[0] * x
""",
    0.7,
)
case(
    "objects whose constructor computes, in an order, and the least of them",
    """
class Body:
    def __init__(self, m, r):
        self.m = m
        self.r = r
        self.rho = m / r**3


def f(x, k):
    bodies = [Body(x[i], k + i) for i in range(len(x))]
    total = 0.0
    for b in sorted(bodies, key=lambda b: b.rho):
        total = total * 0.5 + b.rho * b.m
    for i, b in enumerate(sorted(bodies, key=lambda b: -b.m)):
        total += (i + 1) * b.rho
    best = max(bodies, key=lambda b: b.rho)
    return total + best.rho * best.m
""",
    v(4),
    0.4,
)
case(
    "functions that decorators put into a table",
    """
import numpy as np

LAWS = {}


def law(name=None):
    def keep(fn):
        LAWS[name or fn.__name__] = fn
        return fn

    return keep


@law()
def ramp(u):
    return np.maximum(u, 0.0)


@law("quad")
def square(u):
    return u * u


LAWS["sine"] = np.sin


def f(x, w, kinds=("quad", "sine", "ramp")):
    for k in kinds:
        x = LAWS[k](w * x)
    return x
""",
    0.7,
    0.4,
)
case(
    "classes that a decorator puts into a table",
    """
LAYERS = {}


def layer(cls):
    LAYERS[cls.__name__] = cls
    return cls


@layer
class Quad:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return self.k * x * x


@layer
class Linear:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return self.k * x


def f(x, w):
    a = LAYERS["Quad"](w)
    b = LAYERS["Linear"](w * w)
    return a(b(x))
""",
    0.7,
    0.4,
)
case(
    "tokens, and a table of rows with lambdas whose parameters are names of the function, too",
    """
OPS = {
    "+": (1, lambda a, b: a + b),
    "-": (1, lambda a, b: a - b),
    "*": (2, lambda a, b: a * b),
}


def f(x, y, tokens=("x", "y", "+", "x", "*")):
    stack = []
    for tok in tokens:
        if tok in OPS:
            b = stack.pop()
            a = stack.pop()
            stack.append(OPS[tok][1](a, b))
        elif tok == "x":
            stack.append(x)
        else:
            stack.append(y)
    return stack.pop()
""",
    0.7,
    0.4,
)
ACTIVATIONS = """
import numpy as np


def relu(u):
    return np.maximum(u, 0.0)


ACTS = {"relu": relu, "tanh": np.tanh}


class Layer:
    def __init__(self, w, act):
        self.w = w
        self.act = act

    def __call__(self, x):
        return self.act(self.w * x)


class Named:
    def __init__(self, w, act="relu"):
        self.w = w
        self.act = ACTS[act]

    def __call__(self, x):
        return self.act(self.w * x)


"""
case(
    "an activation that is picked from a table when the function runs, and kept",
    ACTIVATIONS
    + """
def f(x, w, name="tanh"):
    layer = Layer(w, ACTS[name])
    return layer(x).sum()
""",
    v(3),
    0.7,
)
case(
    "activations that constructors pick from a table",
    ACTIVATIONS
    + """
def f(x, w):
    layers = [Named(w + i, a) for i, a in enumerate(["tanh", "relu"])]
    for layer in layers:
        x = layer(x)
    last = Named(w, "tanh")
    return last(x).sum()
""",
    v(3),
    0.7,
)
case(
    "classes with two bases, and super() that is the same for all objects",
    """
class Counted:
    def step(self, x):
        y = super().step(x)
        self.count += 1
        return y * self.count


class Decay:
    rate = 2.0

    def __init__(self, k):
        self.k = k
        self.count = 0

    def step(self, x):
        return x - self.k * self.rate * x


class Square(Decay):
    rate = 3.0

    def gain(self):
        return self.k


class Model(Counted, Square):
    def __init__(self, k, c):
        super().__init__(k)
        self.c = c

    def gain(self):
        return super().gain() * self.c


def f(x, k):
    m = Model(k, x * k)
    for _ in range(3):
        x = m.step(x)
    return x * m.gain()
""",
    0.7,
    0.4,
)
case(
    "a diamond of classes: what the first base has from its own base, the second one has anew",
    """
class A:
    def __init__(self, w):
        self.w = w

    def go(self, x):
        return self.w * x

    @property
    def area(self):
        return self.w


class B(A):
    def other(self, x):
        return self.go(x) * 2.0 + self.area


class C(A):
    def go(self, x):
        return self.w * x * x

    @property
    def area(self):
        return self.w * self.w


class D(B, C):
    pass


def f(x, k):
    return D(k).other(x) * B(k).other(x)
""",
    0.7,
    0.4,
)
case(
    "comparisons that total_ordering adds",
    """
from functools import total_ordering


@total_ordering
class V:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __eq__(self, other):
        return self.a == other.a

    def __le__(self, other):
        return self.a <= other.a


def f(x, k):
    p, q, r = V(x, k), V(k, x * k), V(x, x)
    total = 0.0
    if p > q:
        total += p.b
    if p >= r:
        total += 2.0 * r.b * p.a
    if q < p:
        total += q.b
    if p < r:
        total += 100.0
    return total
""",
    0.7,
    0.4,
)
case(
    "a class attribute that is a default: objects bind it anew",
    """
class Optimiser:
    rate = 0.1
    steps = 0

    def __init__(self, w):
        self.w = w

    def step(self, g):
        self.w = self.w - self.rate * g
        self.steps += 1


def f(x, k):
    o = Optimiser(x)
    o.step(k)
    o.rate = k * k
    o.step(o.w)
    return o.w * o.steps
""",
    0.7,
    0.4,
)
case(
    "an object with a list of numbers that a helper makes, of which a method is called twice",
    """
class Arm:
    def __init__(self, w):
        self.w = w

    def total(self, q):
        s = 0.0
        for a in self.w:
            s += a * q
        return s


def make(masses):
    links = []
    for m in masses:
        links.append(2.0 * m)
    return Arm(links)


def f(q, masses):
    arm = make(masses)
    return arm.total(q) * arm.total(q + 1.0)
""",
    0.7,
    np.array([2.0, 1.0, 0.5]),
)
case(
    "a dict with a list of numbers that a helper makes, handed to another one twice",
    """
def make(masses):
    return {"w": [2.0 * m for m in masses], "k": 3.0 * masses[0]}


def total(d, q):
    s = 0.0
    for a in d["w"]:
        s += a * q
    return s * d["k"]


def f(q, masses):
    d = make(masses)
    return total(d, q) * total(d, q + 1.0)
""",
    0.7,
    np.array([2.0, 1.0, 0.5]),
)
case(
    "an object with a list of objects that a helper makes, of which a method is called twice",
    """
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Link:
    mass: float
    com: np.ndarray


@dataclass
class Arm:
    links: list[Link] = field(default_factory=list)
    gravity: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))

    def total(self, q):
        f = self.gravity
        for i, link in enumerate(self.links):
            f = f + link.mass * q[i] * link.com
        return f


def make(masses):
    links = []
    for m in masses:
        links.append(Link(m, np.array([0.5 * m, 0.0, 0.0])))
    return Arm(links)


def f(q, masses):
    arm = make(masses)
    total = arm.total(q) * arm.total(2.0 * q)
    return total @ total
""",
    np.array([0.3, 0.5, -0.2]),
    np.array([2.0, 1.0, 0.5]),
)
case(
    "rows of an array that a helper gives, kept in each round, behind all that is written into it",
    """
import numpy as np


def primitive(U, gamma):
    rho = U[0]
    u = U[1] / rho
    return rho, u


def f(left, gamma=1.4, n=4):
    U = np.zeros((3, n))
    for i in range(n):
        U[:, i] = left, 0.5, gamma
    for k in range(3):
        rho, u = primitive(U, gamma)
        dt = np.max(u / rho)
        U = U + dt * U * u
    return np.sum(U)
""",
    1.1,
    1.4,
)
case(
    "the least cost by state, in dicts that take the place of one another",
    """
def f(costs, rate: float, n: int):
    best = {0: rate}
    for t in range(n):
        new = {}
        for s, cost in best.items():
            for step in (1, 2):
                c = cost * (1.0 + 0.1 * rate) + costs[(s + step) % len(costs)] * costs[t]
                if c < new.get(s + step, float("inf")):
                    new[s + step] = c
        best = new
    return min(best.values()) ** 2
""",
    np.array([0.4, 1.3, 0.7, 0.9]),
    0.6,
    3,
)
case(
    "dicts of dicts, filled in loops in one another",
    """
def f(x: float, n: int):
    table = {}
    for i in range(n):
        row = {}
        for j in range(i + 1):
            row[j] = x * i + j * x * x
        table[i] = row
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            total += table[i][j] ** 2
    return total
""",
    0.7,
    3,
)
case(
    "a pair of the last number of a list of the module, from a helper",
    """
TABLE = [0.2, 0.5, 0.9]


def g(x, k):
    if x > TABLE[-1]:
        return TABLE[-1], 0.0
    return x * x, 2.0 * x * k


def f(x, k):
    a, b = g(x, k)
    return a * b + a
""",
    0.7,
    0.4,
)
case(
    "a pair from a helper, of which one is not read, whose rank is not known",
    """
import numpy as np


def columns(u, x):
    return np.sum(u * x, axis=-2)


def values(u, x):
    return u * x, columns(u, x)


def f(x, b):
    y, _ = values(np.outer(x, b), b)
    return np.sum(y) * np.sum(x)
""",
    np.array([0.3, -0.5]),
    np.array([0.4, 1.3, 0.7]),
)
case(
    "a soil water bucket, with what runs off it in a list, and coefficients by the stage of a crop",
    """
def f(rain, pet, cap, k, crop):
    storage = 0.5 * cap
    runoff = []
    et_total = 0
    stage = "init"
    for day, (p, e) in enumerate(zip(rain, pet)):
        if day > 1:
            stage = "mid"
        kc = crop[stage]
        stress = min(1, storage / (0.4 * cap))
        et = kc * e * stress
        storage += p - et
        if storage > cap:
            runoff.append(storage - cap)
            storage = cap
        drain = k * storage**1.5
        storage -= drain
        et_total += et
    return et_total + sum(runoff, 0.0) + storage
""",
    [0.5, 0.0, 0.9, 0.1, 0.3],
    [0.2, 0.3, 0.1, 0.4, 0.2],
    1.0,
    0.05,
    {"init": 0.4, "mid": 1.1},
    wrt=("rain", "pet", "cap", "k", "crop"),
)
case(
    "numbers in a list that is sorted in a loop, which only an assert behind it says to be numbers",
    """
import numpy as np


def pair(p, a):
    return p[0] * a, p[1] + a


def f(start, a):
    vals = []
    for d in (np.array([0.1, 0.0]), np.array([0.2, 0.4]), np.array([0.3, 0.3])):
        v, w = pair(start + d, a)
        vals.append(v)
    for _ in range(2):
        order = np.argsort(vals)
        vals = [vals[i] for i in order]
        least = vals[0] * vals[1]
        if least < vals[0]:
            vals[-1] = least
    array = np.array(vals)
    assert np.ndim(array) == 1
    return np.min(array)
""",
    np.array([0.4, 0.6]),
    0.9,
)
case(
    "places by bisect: a cubic between knots in lists",
    """
import bisect
from bisect import bisect_right


class Track:
    def __init__(self, s, v):
        self.s = s
        self.v = v

    def place(self, t):
        return max(min(bisect.bisect(self.s, t) - 1, len(self.s) - 2), 0)

    def at(self, t):
        i = self.place(t)
        h = self.s[i + 1] - self.s[i]
        w = (t - self.s[i]) / h
        return (1.0 - w) ** 2 * (1.0 + 2.0 * w) * self.v[i] + w * w * (3.0 - 2.0 * w) * self.v[i + 1]


def f(s, v, t):
    track = Track(s, v)
    total = 0.0
    while t < s[-1]:
        total = total + track.at(t) * v[bisect_right(s, t, 1, len(s)) - 1]
        t = t + 0.4 * v[0]
    return total
""",
    [0.0, 0.9, 1.7, 3.0],
    [1.3, 0.6, 1.1, 0.8],
    0.35,
)
case(
    "a dataclass with a constructor of its own",
    """
from dataclasses import dataclass


@dataclass
class Ellipsoid:
    a: float
    b: float

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def radius(self, s):
        return self.a / (1.0 + (self.a - self.b) * s * s) ** 0.5


def f(x, k):
    e = Ellipsoid(x, b=k)
    same = Ellipsoid(x, k)
    return e.radius(0.3) * (2.0 if e == same else 3.0) + same.b
""",
    0.7,
    0.4,
)
case(
    "records of a class that a call makes, with a default, of the items of a display",
    """\
from collections import namedtuple

P = namedtuple("P", "x y", defaults=(2.0,))


def f(x, y):
    p, q = P(*[x]), P(*(x, y))
    return p.x * p.y * q.y + q.x
""",
    0.7,
    0.4,
)
case(
    "a truth value of a list that is subscripted",
    """
def f(xs, k):
    if not xs:
        return 0.0
    best = xs[0]
    for x in xs[1:]:
        best = best * x + k
    return best
""",
    [0.7, 0.4, -0.3],
    0.4,
    wrt=("k",),
)
case(
    "lists that are sorted in a comprehension over lists",
    """
def f(x, k, n):
    groups = [[x * i * (k - i) for i in range(6) if i % n == j] for j in range(n)]
    weighted = [v * (j + 1) for group in groups for j, v in enumerate(sorted(group))]
    middles = [sorted(group)[len(group) // 2] for group in groups]
    return sum(weighted) * k + middles[0]
""",
    0.7,
    0.4,
    2,
    wrt=("x", "k"),
)
case(
    "lists that are filled and sorted in a comprehension over them",
    """
def f(x, k, n):
    groups = [[] for _ in range(n)]
    for i in range(6):
        groups[i % n].append(x * i * (k - i))
    total = 0.0
    for i, v in enumerate([v for group in groups for v in sorted(group, reverse=True)]):
        total += (i + 1) * v
    return total
""",
    0.7,
    0.4,
    2,
    wrt=("x", "k"),
)
case(
    "modules that have other names",
    """
import numpy
import scipy

try:
    import cupy as cp
except ImportError:
    cp = numpy

xp = numpy
linalg = numpy.linalg
special = scipy.special


def f(x, k):
    return xp.sum(xp.exp(x) * k) + linalg.norm(x) + special.erf(k) * cp.sin(x[0])
""",
    v(3),
    0.4,
)
case(
    "objects that are run over by what they compute of their items",
    """
class Squares:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter([v * v for v in self.items])


class Large:
    def __init__(self, items, least):
        self.items = items
        self.least = least

    def __iter__(self):
        for v in self.items:
            if v > self.least:
                yield v * v


class Bag:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        yield from self.items


def f(x, k):
    squares, large, bag = Squares([x, k]), Large([x, k, x * k], 0.3), Bag([x, k * k])
    total = 0.0
    weighted = 0.0
    for v in large:
        weighted += v * x
    for i, v in enumerate(bag):
        total += i * v
    return total + weighted + sum(squares) * k + sum(v * w for v, w in zip(squares, bag)) + sum(large) + max(bag)
""",
    0.7,
    0.4,
)
case(
    "attributes that texts name, in loops and comprehensions",
    """
FIELDS = ("mass", "heat")


class State:
    def __init__(self, mass, heat):
        self.mass = mass
        self.heat = heat

    def scale(self, k):
        for name in ("mass", "heat"):
            setattr(self, name, getattr(self, name) * k)

    def pick(self, name):
        return getattr(self, name)


def f(x, k):
    s = State(x, k * k)
    s.scale(x)
    total = 0.0
    for name in FIELDS:
        total += getattr(s, name) ** 2
    for name, w in zip(["mass", "heat"], [1.0, 2.0]):
        setattr(s, name, w * getattr(s, name))
    total += sum(getattr(s, name) * (i + 1) for i, name in enumerate(FIELDS))
    return total + s.pick("mass") * s.pick("heat")
""",
    0.7,
    0.4,
)
case(
    "species of a network in dicts, whose rates helpers give by name",
    """
NETWORK = [
    ({"A": 1, "B": 1}, {"C": 1}, "k1"),
    ({"C": 2}, {"D": 1}, "k2"),
]


def rates(conc, k):
    out = []
    for reactants, products, name in NETWORK:
        v = k[name]
        for s, n in reactants.items():
            v = v * conc[s] ** n
        out.append(v)
    return out


def derivative(conc, k):
    d = {s: 0.0 for s in conc}
    for (reactants, products, name), v in zip(NETWORK, rates(conc, k)):
        for s, n in reactants.items():
            d[s] -= n * v
        for s, n in products.items():
            d[s] += n * v
    return d


def f(a0, b0, k1, k2, dt=0.05, n=4):
    conc = {"A": a0, "B": b0, "C": 0.0, "D": 0.0}
    k = {"k1": k1, "k2": k2}
    for _ in range(n):
        d = derivative(conc, k)
        conc = {s: c + dt * d[s] for s, c in conc.items()}
    return conc["D"] + 0.1 * conc["A"] * conc["C"]
""",
    1.0,
    0.8,
    0.9,
    0.5,
)
case(
    "a sum that starts as an item of an array of an object in a list that a helper has",
    """
from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    mean: np.ndarray
    cov: np.ndarray


class Filter:
    def __init__(self, F, q):
        self.F, self.q = F, q
        self.history = []

    def predict(self, s):
        return State(self.F @ s.mean, self.F @ s.cov @ self.F.T + self.q)

    def update(self, s, z):
        K = s.cov[:, 0] / (s.cov[0, 0] + 0.3)
        s = State(s.mean + K * (z - s.mean[0]), s.cov - np.outer(K, s.cov[0]))
        self.history.append(s)
        return s


def smooth(kf):
    s = kf.history[-1]
    total = s.mean[0]
    for old in reversed(kf.history[:-1]):
        p = kf.predict(old)
        C = old.cov @ kf.F.T @ np.linalg.inv(p.cov)
        s = State(old.mean + C @ (s.mean - p.mean), old.cov + C @ (s.cov - p.cov) @ C.T)
        total += s.mean[0]
    return total


def f(zs, dt, q):
    kf = Filter(np.array([[1.0, dt], [0.0, 1.0]]), q * np.eye(2))
    s = State(np.zeros(2), np.eye(2))
    for z in zs:
        s = kf.update(kf.predict(s), z)
    return smooth(kf)
""",
    np.array([0.1, 0.4, 0.9]),
    0.5,
    0.3,
)
case(
    "a list of objects with an attribute T that is handed to the constructor of another object",
    """
class Layer:
    def __init__(self, k, T):
        self.k = k
        self.T = T

    def capacity(self):
        return self.k + 1 / self.T


def exchange(layers, T_in, dt):
    for lay in layers:
        lay.T += dt * lay.k * (T_in - lay.T) / lay.capacity()
    return layers[-1].T


class Wall:
    def __init__(self, layers):
        self.layers = layers
        self.history = []

    def step(self, t):
        y = exchange(self.layers, t, 0.1)
        self.history.append(y)
        return y


def f(ks, T0):
    layers = []
    for k in ks:
        layers.append(Layer(k, T0))
    wall = Wall(layers)
    s = 0.0
    for t in range(3):
        s += wall.step(2.0 + t)
    return s * wall.history[0]
""",
    np.array([1.0, 2.0, 3.0]),
    0.5,
)
case(
    "a dict of objects whose methods are called under keys of the run, in a helper, too",
    """
import numpy as np


class Table:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def value(self, q):
        return np.interp(q, self.x, self.y)


def lookup(tables, name, q):
    if name not in tables:
        raise KeyError(name)
    return tables[name].value(q)


class Plant:
    def __init__(self, gain, tables):
        self.tables = tables
        self.gain = gain

    def step(self, t):
        return lookup(self.tables, "cop", t) * self.gain - self.tables["leak"].value(t)


def f(gain, cop, leak, names=("cop", "leak", "cop")):
    tables = {"cop": Table(np.array([0.0, 1.0, 2.0]), cop), "leak": Table(np.array([0.0, 4.0]), leak)}
    plant = Plant(gain, tables)
    s = 0.0
    for t, n in enumerate(names):
        s += plant.step(0.3 + t / 2) * tables[n].value(0.1 + t / 3) * tables[n].y[0]
    return s
""",
    2.0,
    np.array([1.0, 2.0, 3.0]),
    np.array([1.0, 0.5]),
    wrt=("gain", "cop", "leak"),
)
case(
    "objects in a dict that a loop fills, changed under keys of the run",
    """
from dataclasses import dataclass

import numpy as np


@dataclass
class Species:
    mass: float
    conc: np.ndarray

    def rate(self, k):
        return k * self.conc / self.mass


def f(k, cs, order=("a", "b", "a")):
    species = {}
    for i, n in enumerate(["a", "b", "c"]):
        species[n] = Species(1.0 + i, cs[i])
    s = 0.0
    for n in order:
        species[n].conc = species[n].conc * k
        s = s + np.sum(species[n].rate(k) ** 2)
    return s
""",
    0.7,
    np.array([[1.0, 2.0], [0.5, 0.3], [0.2, 0.9]]),
    wrt=("k", "cs"),
)
case(
    "a dict of objects that loops run over, with keys of the run beside",
    """
class Spring:
    def __init__(self, k, rest):
        self.k = k
        self.rest = rest

    def energy(self, x):
        return 0.5 * self.k * (x - self.rest) ** 2


def f(k, rest, x, names=("a", "b", "a")):
    springs = {"a": Spring(k, rest), "b": Spring(k * rest, 0.1)}
    s = 0.0
    for n in names:
        s += springs[n].energy(x)
    for spring in springs.values():
        s += spring.energy(2.0 * x)
    return s + sum(spring.energy(x * x) * len(n) for n, spring in springs.items())
""",
    2.0,
    0.4,
    0.7,
    wrt=("k", "rest", "x"),
)
case(
    "a list of objects that a function makes, changed by its caller and by an object that holds it",
    """
class Layer:
    def __init__(self, k, T):
        self.k = k
        self.temp = T

    def heat(self, q):
        self.temp += q * self.k


def make_layers(ks, T0):
    layers = []
    for k in ks:
        layers.append(Layer(k, T0))
    return layers


class Wall:
    def __init__(self, layers):
        self.layers = layers
        self.n = 0

    def step(self):
        for lay in self.layers:
            lay.heat(0.2)
        self.n += 1


def f(ks, T0):
    wall = Wall(make_layers(ks, T0))
    for _ in range(3):
        wall.step()
    other = make_layers(ks * T0, 1.0)
    for p, q in zip(wall.layers, other):
        p.temp += 0.1 * p.k * q.temp
        q.heat(p.temp)
    s = 0.0
    for i in range(len(other)):
        other[i].temp *= wall.layers[i].temp
        s += other[i].temp * wall.layers[i].k
    return s
""",
    np.array([1.0, 2.0, 0.5]),
    0.7,
)
case(
    "a truss that methods build of objects, which hold each other and are changed by their places",
    """
import numpy as np


class Node:
    def __init__(self, nid, x, y):
        self.nid = nid
        self.x = x
        self.y = y
        self.loads = [0.0, 0.0]
        self.fixed = (False, False)

    def fix(self, ux=True, uy=True):
        self.fixed = (ux, uy)
        return self

    def load(self, fx=0.0, fy=0.0):
        self.loads[0] += fx
        self.loads[1] += fy


class Bar:
    def __init__(self, a, b, E, A):
        self.a, self.b = a, b
        self.E, self.A = E, A
        self.force = 0.0

    @property
    def length(self):
        return np.hypot(self.b.x - self.a.x, self.b.y - self.a.y)

    def direction(self):
        L = self.length
        return (self.b.x - self.a.x) / L, (self.b.y - self.a.y) / L

    def dofs(self):
        return [2 * self.a.nid, 2 * self.a.nid + 1, 2 * self.b.nid, 2 * self.b.nid + 1]

    def stiffness(self):
        c, s = self.direction()
        k = self.E * self.A / self.length
        v = np.array([-c, -s, c, s])
        return k * np.outer(v, v)


class Truss:
    def __init__(self):
        self.nodes = []
        self.bars = []

    def add_node(self, x, y):
        node = Node(len(self.nodes), x, y)
        self.nodes.append(node)
        return node

    def add_bar(self, i, j, E, A):
        self.bars.append(Bar(self.nodes[i], self.nodes[j], E, A))

    def assemble(self):
        n = 2 * len(self.nodes)
        K = np.zeros((n, n))
        for bar in self.bars:
            idx = bar.dofs()
            K[np.ix_(idx, idx)] += bar.stiffness()
        return K

    def solve(self):
        K = self.assemble()
        f = np.array([p for node in self.nodes for p in node.loads])
        free = [2 * n.nid + d for n in self.nodes for d in range(2) if not n.fixed[d]]
        u = np.zeros(len(f))
        u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
        for bar in self.bars:
            c, s = bar.direction()
            ue = u[bar.dofs()]
            bar.force = bar.E * bar.A / bar.length * (c * (ue[2] - ue[0]) + s * (ue[3] - ue[1]))
        return u


def build(xs, ys, areas, E):
    t = Truss()
    for x, y in zip(xs, ys):
        t.add_node(x, y)
    k = 0
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            t.add_bar(i, j, E, areas[k])
            k += 1
    t.nodes[0].fix()
    t.nodes[1].fix(ux=False)
    return t


def f(xs, ys, areas, E, p):
    t = build(xs, ys, areas, E)
    t.nodes[2].load(fx=p)
    t.nodes[3].load(fy=-2 * p)
    u = t.solve()
    w = sum(bar.length * bar.A for bar in t.bars)
    smax = max(abs(bar.force) / bar.A for bar in t.bars)
    return u @ u + 0.1 * w + 0.01 * smax
""",
    np.array([0.0, 1.0, 0.1, 1.2]),
    np.array([0.0, 0.1, 1.1, 0.9]),
    np.array([1.0, 2.0, 1.5, 0.7, 0.9, 1.1]),
    10.0,
    0.5,
)
case(
    "a circuit to which a method adds components of several classes, with state and without",
    """
import numpy as np


class Component:
    kind = "none"

    def __init__(self, name, n1, n2):
        self.name = name
        self.n1 = n1
        self.n2 = n2

    def stamp(self, G, I, v, dt):
        raise NotImplementedError

    def update(self, v, dt):
        pass

    def drop(self, v):
        return v[self.n1] - v[self.n2]


class Resistor(Component):
    kind = "R"

    def __init__(self, name, n1, n2, R):
        super().__init__(name, n1, n2)
        self.R = R

    def stamp(self, G, I, v, dt):
        g = 1.0 / self.R
        G[self.n1, self.n1] += g
        G[self.n2, self.n2] += g
        G[self.n1, self.n2] -= g
        G[self.n2, self.n1] -= g


class Capacitor(Component):
    kind = "C"

    def __init__(self, name, n1, n2, C, v0=0.0):
        super().__init__(name, n1, n2)
        self.C = C
        self.v = v0

    def stamp(self, G, I, v, dt):
        g = self.C / dt
        G[self.n1, self.n1] += g
        G[self.n2, self.n2] += g
        G[self.n1, self.n2] -= g
        G[self.n2, self.n1] -= g
        I[self.n1] += g * self.v
        I[self.n2] -= g * self.v

    def update(self, v, dt):
        self.v = self.drop(v)


class Diode(Component):
    kind = "D"

    def __init__(self, name, n1, n2, Is, Vt=0.5):
        super().__init__(name, n1, n2)
        self.Is, self.Vt = Is, Vt

    def stamp(self, G, I, v, dt):
        vd = self.drop(v)
        e = np.exp(min(vd / self.Vt, 20.0))
        g = self.Is * e / self.Vt
        i = self.Is * (e - 1.0) - g * vd
        G[self.n1, self.n1] += g
        G[self.n2, self.n2] += g
        G[self.n1, self.n2] -= g
        G[self.n2, self.n1] -= g
        I[self.n1] -= i
        I[self.n2] += i


class Circuit:
    def __init__(self, n):
        self.n = n
        self.parts = []
        self.trace = []

    def add(self, part):
        self.parts.append(part)
        return part

    def step(self, v, source, dt, newton=3):
        for _ in range(newton):
            G = np.zeros((self.n, self.n))
            I = np.zeros(self.n)
            for part in self.parts:
                part.stamp(G, I, v, dt)
            G[0, 0] += 10.0
            G[1, 1] += 5.0
            I[1] += 5.0 * source
            v = np.linalg.solve(G, I)
        for part in self.parts:
            part.update(v, dt)
        self.trace.append(v[2])
        return v


def f(R, C, Is, amps):
    c = Circuit(3)
    c.add(Diode("d1", 1, 2, Is))
    c.add(Resistor("r1", 2, 0, R))
    c.add(Capacitor("c1", 2, 0, C))
    v = np.zeros(3)
    for a in amps:
        v = c.step(v, a, 0.01)
    return np.mean(np.array(c.trace)) + c.trace[-1] ** 2
""",
    10.0,
    0.03,
    0.02,
    np.array([0.2, 0.5, 0.7, 0.3]),
)
case(
    "accounts in a dict that gets them one by one, changed by their keys and in a loop",
    """
class Account:
    def __init__(self, balance, rate):
        self.balance = balance
        self.rate = rate

    def accrue(self):
        self.balance *= 1 + self.rate

    def transfer(self, other, amount):
        amount = min(amount, self.balance)
        self.balance -= amount
        other.balance += amount * 0.99
        return amount


def f(b1, b2, r, x):
    accounts = {}
    accounts["ann"] = Account(b1, r)
    x = x * b2
    accounts["bob"] = Account(b2, r)
    moved = accounts["ann"].transfer(accounts["bob"], x)
    for account in accounts.values():
        account.accrue()
    return accounts["ann"].balance * accounts["bob"].balance + moved
""",
    3.0,
    4.0,
    0.1,
    1.7,
)
case(
    "objects in a list, of which one has read what changes before the next is made",
    """
class Scale:
    def __init__(self, w):
        self.w = w

    def apply(self, x):
        return self.w * x


class Shift(Scale):
    def apply(self, x):
        return self.w + x * x


def f(x, y):
    z = [x, y]
    same = z
    layers = []
    layers.append(Scale(z[0]))
    layers.append(Shift(z[0] * y))
    same[0] = 3.0 * y
    for layer in layers:
        y = layer.apply(y)
    return y * z[0]
""",
    2.0,
    0.7,
)
ELLIPSOID = """
import numpy as np


class Ellipsoid:
    def __init__(self, model="wgs84"):
        if model == "wgs84":
            self.a = 6.378
            self.b = 6.356
        elif model == "grs80":
            self.a = 6.37
            self.b = 6.35
        else:
            raise NotImplementedError(model)
        self.flattening = (self.a - self.b) / self.a

    def radius(self, lat):
        return self.a**2 / np.sqrt(self.a**2 * np.cos(lat) ** 2 + self.b**2 * np.sin(lat) ** 2)
"""
case(
    "an object that is made of literals where none is given, here and in a helper",
    f"""{ELLIPSOID}

def radius(lat, ell=None):
    if ell is None:
        ell = Ellipsoid()
    return ell.a**2 / np.sqrt(ell.a**2 * np.cos(lat) ** 2 + ell.b**2 * np.sin(lat) ** 2)


def f(lat, h, ell=None):
    if ell is None:
        ell = Ellipsoid("grs80")
    return (radius(lat, ell) + h) * np.cos(lat) + ell.flattening * radius(h)
""",
    0.7,
    0.3,
)
case(
    "a method of an object that is made of literals where none is given",
    f"""{ELLIPSOID}

def f(lat, ell: Ellipsoid = None):
    if ell is None:
        ell = Ellipsoid(model="grs80")
    return ell.radius(lat) * lat
""",
    0.7,
    wrt=("lat",),
)
case(
    "an object of literals or that of the caller",
    f"""{ELLIPSOID}

def f(lat, ell=None):
    e = Ellipsoid() if ell is None else ell
    return e.a * np.sin(lat) + e.b * e.flattening * np.cos(lat)
""",
    0.7,
    wrt=("lat",),
)
case(
    "velocities of layers that have the keys of these, by a comprehension in a list",
    """
import numpy as np


def f(x, lr):
    layers = [{"W": np.outer(x, x), "b": x * 2.0}, {"W": np.outer(x, x) * 0.5, "b": x}]
    velocities = [{k: np.zeros_like(v) for k, v in layer.items()} for layer in layers]
    for i in range(2):
        for k in ("W", "b"):
            velocities[i][k] = 0.9 * velocities[i][k] - lr * layers[i][k]
            layers[i][k] = layers[i][k] + velocities[i][k]
    return np.sum(layers[0]["W"] @ layers[1]["b"]) + np.sum(layers[1]["W"] @ layers[0]["b"])
""",
    np.array([0.3, 0.7]),
    0.1,
)
case(
    "a loop over the objects that are attributes of another, with a number for each, in a loop over time",
    """
class Electrode:
    def __init__(self, c, D):
        self.c = c
        self.D = D

    def step(self, flux):
        self.c = self.c + flux * self.D * self.c


class Battery:
    def __init__(self, a, b, D):
        self.neg = Electrode(a, D)
        self.pos = Electrode(b, D * D)
        self.log = []

    def run(self, profile):
        for current in profile:
            for el, sign in ((self.neg, 1.0), (self.pos, -1.0)):
                el.step(sign * current)
            for el in (self.pos, self.neg):
                el.D = el.D * 0.9
            self.log.append(self.pos.c - self.neg.c)
        return self.log


def f(a, b, D, profile):
    battery = Battery(a, b, D)
    first, second = Electrode(a, D), Electrode(b, D)
    for v in battery.run(profile):
        for el in (first, second):
            el.step(v)
    return battery.neg.c * first.c + sum(battery.log) * second.c
""",
    0.7,
    0.4,
    0.9,
    np.array([0.1, -0.2, 0.3]),
)
case(
    "a list that is reversed in a branch of a helper, which returns it beside another value",
    """
import numpy as np


def run(w, xs, back=False):
    s = np.zeros(2)
    out = []
    for x in xs[::-1] if back else xs:
        s = np.tanh(w * x + s)
        out.append(s)
    if back:
        out.reverse()
    return out, s


def f(w, xs):
    ahead, last = run(w, xs)
    behind, first = run(w, xs, back=True)
    total = 0.0
    for a, b in zip(ahead, behind):
        total += a @ b
    return total + last @ first
""",
    np.array([0.1, 0.2]),
    np.array([0.3, 1.2, -0.4]),
)
case(
    "a loop over the attributes of an object that is another one in each round",
    """
from dataclasses import dataclass


@dataclass
class Part:
    c: float


@dataclass
class Pair:
    left: Part
    right: Part


def f(a, b, qs):
    pair = Pair(Part(1.0), Part(2.0))
    pair.left = Part(a)
    pair.right = Part(b)
    s = 0.0
    for q in qs:
        for part in (pair.left, pair.right):
            s += part.c * q
        pair = Pair(Part(b * q), Part(a))
    return s
""",
    1.3,
    0.7,
    [0.1, 0.2, 0.3],
    wrt=("a", "b"),
)
case(
    "an object with a tuple of a list and an array that a helper makes, read by another and by the caller",
    """
import numpy as np


class Holder:
    def __init__(self, a):
        self.a = a


def make(x, k):
    return Holder(([2.0, x[1]], x * k))


def use(t, k):
    return t.a[0][0] * k + np.sum(t.a[1]) * t.a[0][1]


def f(x, k: float):
    t = make(x, k)
    s = use(t, k) * 2.0
    s = s * np.sum(t.a[1])
    return s + use(t, k)
""",
    np.array([0.7, -0.4, 0.9]),
    0.6,
)
case(
    "the nearest of several objects, None at first",
    """
import numpy as np
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def hit(self, x):
        return (x - self.c) ** 2 - self.r
    def shade(self, t):
        return self.c * t + self.r ** 2
def f(cs, rs):
    ss = [S(c, r) for c, r in zip(cs, rs)]
    best_t, best = np.inf, None
    for s in ss:
        t = s.hit(0.3)
        if t < best_t:
            best_t, best = t, s
    if best is None:
        return 0.0
    return best.shade(best_t)
""",
    np.array([0.1, 0.2, -1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "an object that keeps the best of others, None at first",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
class Tracker:
    def __init__(self):
        self.best = None
        self.score = -1.0
    def see(self, s):
        y = s.v(1.0)
        if self.best is None or y > self.score:
            self.best = s
            self.score = y
def f(cs, rs):
    tr = Tracker()
    for c, r in zip(cs, rs):
        tr.see(S(c, r))
    return tr.best.v(2.0) + tr.score
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "a name that is an object, or None, in each round",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
def f(cs, rs):
    a = S(cs[0], rs[0])
    best = None
    for k in range(3):
        if best is not None:
            a = S(best.v(cs[k]), a.r)
        if isinstance(best, S):
            a = S(best.v(cs[k]), a.c)
        if best:
            a = S(best.v(cs[k]), a.c + 1.0)
        best = a if k != 1 else None
    return a.v(2.0)
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "objects that are added to one that is None at first",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
    def __eq__(self, other):
        return isinstance(other, S) and self.c == other.c
    def __add__(self, o):
        return S(self.c + o.c, self.r * o.r)
def f(cs, rs):
    acc = None
    for c, r in zip(cs, rs):
        s = S(c, r)
        acc = s if acc is None else acc + s
        if acc == None:
            return 0.0
    return acc.v(2.0)
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "the least and the largest of objects, None at first",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
def f(cs, rs):
    lo, hi = None, None
    for c, r in zip(cs, rs):
        s = S(c, r)
        if lo is None or s.c < lo.c:
            lo = s
        if hi is None or s.c > hi.c:
            lo, hi = (lo, s)
    return hi.v(2.0) - lo.v(rs[1]) if hi is not None else 0.0
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "one of two objects, or None, which a helper picks",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
def pick(a, b, k):
    out = None
    if k > 1:
        out = a
    elif k == 1:
        out = b
    return out
def f(cs, rs):
    a = S(cs[0], rs[0])
    b = S(cs[1], rs[1])
    t = 0.0
    for k in range(3):
        p = pick(a, b, k)
        if p is None:
            continue
        t += p.v(cs[2]) * (k + 1)
    return t
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "the first object of a list that a helper finds, or None",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
def find(items, lim):
    for s in items:
        if s.c > lim:
            return s
    return None
def f(cs, rs):
    items = [S(c, r) for c, r in zip(cs, rs)]
    a = find(items, 0.15)
    b = find(items, 5.0)
    t = a.v(2.0)
    if b is not None:
        t += b.v(1.0)
    return t
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "objects with a part that is None, or an object",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
class Cell:
    def __init__(self, s=None):
        self.s = s
        self.n = 0
    def val(self):
        if self.s is None:
            return 0.5
        return self.s.v(2.0)
def f(cs, rs):
    cells = [Cell(), Cell(S(cs[0], rs[0])), Cell()]
    cells[2].s = S(cs[1], rs[1])
    return sum(c.val() for c in cells)
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "a part of an object that is bound to an object and to None again",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
class Cell:
    def __init__(self):
        self.s = None
    def val(self):
        return self.s.v(2.0) if self.s is not None else 0.0
    def fill(self, s):
        self.s = s
def f(cs, rs):
    c = Cell()
    a = c.val()
    c.fill(S(cs[0], rs[0]))
    b = c.val()
    c.fill(None)
    d = c.val()
    return a + 2 * b + 3 * d + cs[1]
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "two objects in another one that are swapped, None at first",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
    def bump(self, k):
        self.c = self.c * k
        self.r += 0.1
class Tr:
    def __init__(self):
        self.best = None
        self.score = -1.0
    def see(self, s):
        y = s.v(1.0)
        if self.best is None or y > self.score:
            self.best = s
            self.score = y
    def keep(self, s):
        self.best = s
class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b
    def swap(self):
        self.a, self.b = self.b, self.a
def f(cs, rs):
    p = Pair(None, None)
    p.a = S(cs[0], rs[0])
    p.b = S(cs[1], rs[1])
    for k in range(3):
        p.swap()
        p.a = S(p.a.v(1.0), p.b.r)
    return p.a.v(2.0) - p.b.v(0.5)
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "an object in another one, which changes behind it",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
    def bump(self, k):
        self.c = self.c * k
        self.r += 0.1
class Tr:
    def __init__(self):
        self.best = None
        self.score = -1.0
    def see(self, s):
        y = s.v(1.0)
        if self.best is None or y > self.score:
            self.best = s
            self.score = y
    def keep(self, s):
        self.best = s
def f(cs, rs):
    tr = Tr()
    for c, r in zip(cs, rs):
        s = S(c, r)
        tr.see(s)
        s.bump(2.0)
    return tr.best.v(2.0) + tr.score
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "the first object that a generator gives, or None",
    """
class S:
    def __init__(self, c, r):
        self.c = c
        self.r = r
    def v(self, t):
        return self.c * t + self.r ** 2
def f(cs, rs):
    xs = [S(c, r) for c, r in zip(cs, rs)]
    hit = next((s for s in xs if s.c > 0.15), None)
    miss = next((s for s in xs if s.c > 15.0), None)
    t = 0.0
    if hit is not None:
        t += hit.v(2.0)
    if miss is not None:
        t += miss.v(3.0)
    if miss is None:
        t += 1.5 * rs[2]
    return t
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "an object whose part is another one, or None",
    """
class S:
    def __init__(self, c, r, child=None):
        self.c = c
        self.r = r
        self.child = child
    def total(self, t):
        y = self.c * t + self.r ** 2
        if self.child is not None:
            y += self.child.c * 3.0
        return y
def f(cs, rs):
    a = S(cs[0], rs[0])
    b = S(cs[1], rs[1], a)
    return a.total(1.0) + b.total(2.0)
""",
    np.array([0.1, 0.2, 1.0]),
    np.array([1.0, 0.8, 0.3]),
)
case(
    "a sum over objects that lie in another one, and grow",
    """
import numpy as np

class Compartment:
    def __init__(self, name, value):
        self.name = name
        self.value = value
        self.history = [value]

    def update(self, dv):
        self.value = self.value + dv
        self.history.append(self.value)

class Model:
    def __init__(self, beta, gamma):
        self.beta = beta
        self.gamma = gamma
        self.S = Compartment("S", 0.99)
        self.I = Compartment("I", 0.01)
        self.R = Compartment("R", 0.0)

    def step(self, t, dt):
        b = self.beta[t % len(self.beta)]
        new = b * self.S.value * self.I.value * dt
        rec = self.gamma * self.I.value * dt
        self.S.update(-new)
        self.I.update(new - rec)
        self.R.update(rec)

    def peak(self):
        return max(self.I.history)

def f(beta, gamma, n):
    m = Model(beta, gamma)
    for t in range(n):
        m.step(t, 1.0)
    total = sum(c.value ** 2 for c in (m.S, m.I, m.R))
    return m.peak() + total
""",
    np.array([0.3, 0.2, 0.15]),
    0.1,
    12,
)
case(
    "spheres in a scene, of which a ray hits the nearest",
    """
import numpy as np

class Ray:
    __slots__ = ("o", "d")
    def __init__(self, o, d):
        self.o = o
        self.d = d / np.linalg.norm(d)
    def at(self, t):
        return self.o + t * self.d

class Sphere:
    def __init__(self, c, r, albedo=0.5):
        self.c, self.r, self.albedo = c, r, albedo

    def hit(self, ray):
        oc = ray.o - self.c
        b = np.dot(oc, ray.d)
        c = np.dot(oc, oc) - self.r**2
        disc = b * b - c
        if disc < 0:
            return None
        return -b - np.sqrt(disc)

    def normal(self, p):
        return (p - self.c) / self.r

class Scene:
    def __init__(self, spheres, light):
        self.spheres = spheres
        self.light = light / np.linalg.norm(light)

    def shade(self, ray):
        best_t, best = np.inf, None
        for s in self.spheres:
            t = s.hit(ray)
            if t is not None and t < best_t:
                best_t, best = t, s
        if best is None:
            return 0.1
        n = best.normal(ray.at(best_t))
        return best.albedo * max(0.0, n @ self.light) + 0.05

def f(eye, centers, radii):
    scene = Scene([Sphere(c, r) for c, r in zip(centers, radii)], np.array([0.3, 0.5, -1.0]))
    img = np.zeros((3, 3))
    for i, u in enumerate(np.linspace(-0.3, 0.3, 3)):
        for j, v in enumerate(np.linspace(-0.3, 0.3, 3)):
            img[i, j] = scene.shade(Ray(eye, np.array([u, v, 1.0])))
    return img.sum()
""",
    np.array([0.1, 0.2, -1.0]),
    np.array([[0.0, 0.0, 3.0], [0.5, 0.3, 4.0]]),
    np.array([1.0, 0.8]),
)
case(
    "reservoirs that lie in each other, the last without one",
    """
import numpy as np

class Reservoir:
    def __init__(self, name, storage, k, downstream=None):
        self.name = name
        self.storage = storage
        self.k = k
        self.downstream = downstream
        self.inflow = 0.0

    def release(self, dt):
        q = self.k * self.storage ** 1.5
        q = min(q, self.storage / dt)
        self.storage = self.storage + dt * (self.inflow - q)
        self.inflow = 0.0
        if self.downstream is not None:
            self.downstream.inflow = self.downstream.inflow + q
        return q

def f(s, k, rain):
    sea = Reservoir("low", s[2], k[2])
    mid = Reservoir("mid", s[1], k[1], sea)
    top = Reservoir("top", s[0], k[0], mid)
    out = []
    for r in rain:
        top.inflow += r
        for res in (top, mid, sea):
            q = res.release(0.5)
        out.append(q)
    return sum(o * o for o in out) + sea.storage
""",
    np.array([1.0, 0.5, 0.8]),
    np.array([0.3, 0.2, 0.4]),
    np.array([0.5, 1.0, 0.2, 0.0]),
)
case(
    "accounts in a dict that a loop over a list fills",
    """
class Account:
    def __init__(self, balance):
        self.balance = balance
    def deposit(self, x):
        self.balance += x
    def accrue(self, r):
        self.balance *= 1 + r
def f(x, r):
    accounts = {}
    for name, v in [("a", 1.0), ("b", 2.0), ("c", 3.0)]:
        accounts[name] = Account(v * x[0])
    accounts["a"].deposit(x[1])
    for acc in accounts.values():
        acc.accrue(r)
    accounts["b"].deposit(accounts["a"].balance * x[2])
    return sum(a.balance ** 2 for a in accounts.values())
""",
    np.array([1.0, 2.0, 3.0]),
    0.1,
)
case(
    "an optimiser that is given the parameters of a layer",
    """
import numpy as np
class Parameter:
    def __init__(self, value):
        self.value = value
        self.grad = np.zeros_like(value)
class Linear:
    def __init__(self, W):
        self.W = Parameter(W)
    def forward(self, x):
        self.x = x
        return x @ self.W.value
    def backward(self, g):
        self.W.grad = self.W.grad + self.x.T @ g
        return g @ self.W.value.T
    def parameters(self):
        return [self.W]
class SGD:
    def __init__(self, params, lr):
        self.params = params
        self.lr = lr
    def step(self):
        for p in self.params:
            p.value = p.value - self.lr * p.grad
    def zero_grad(self):
        for p in self.params:
            p.grad = np.zeros_like(p.value)
def f(W, v, X, lr):
    net = Linear(W)
    opt = SGD(net.parameters(), lr)
    for _ in range(3):
        opt.zero_grad()
        y = net.forward(X)
        net.backward(y - v)
        opt.step()
    return np.sum(net.W.value ** 2)
""",
    np.array([[0.1, 0.2], [0.3, -0.1]]),
    np.array([0.5, -0.4]),
    np.array([[1.0, 0.5], [0.2, -0.7]]),
    0.1,
)
case(
    "an optimiser with momentum, given the parameters of all layers of a network",
    """
import numpy as np
class Parameter:
    def __init__(self, value):
        self.value = value
        self.grad = np.zeros_like(value)
class Linear:
    def __init__(self, W, b):
        self.W = Parameter(W)
        self.b = Parameter(b)
    def forward(self, x):
        self.x = x
        return x @ self.W.value + self.b.value
    def backward(self, g):
        self.W.grad = self.W.grad + self.x.T @ g
        self.b.grad = self.b.grad + g.sum(axis=0)
        return g @ self.W.value.T
    def parameters(self):
        return [self.W, self.b]
class Tanh:
    def forward(self, x):
        self.y = np.tanh(x)
        return self.y
    def backward(self, g):
        return g * (1 - self.y ** 2)
    def parameters(self):
        return []
class Net:
    def __init__(self, layers):
        self.layers = layers
    def forward(self, x):
        for l in self.layers:
            x = l.forward(x)
        return x
    def backward(self, g):
        for l in reversed(self.layers):
            g = l.backward(g)
    def parameters(self):
        return [p for l in self.layers for p in l.parameters()]
class Momentum:
    def __init__(self, params, lr, mu=0.9):
        self.params = params
        self.lr = lr
        self.mu = mu
        self.v = [np.zeros_like(p.value) for p in params]
    def step(self):
        for i, p in enumerate(self.params):
            self.v[i] = self.mu * self.v[i] - self.lr * p.grad
            p.value = p.value + self.v[i]
    def zero_grad(self):
        for p in self.params:
            p.grad = np.zeros_like(p.value)
def f(W, v, X, lr):
    net = Net([Linear(W, np.zeros(2)), Tanh(), Linear(W * 0.5, v)])
    opt = Momentum(net.parameters(), lr)
    for _ in range(3):
        opt.zero_grad()
        y = net.forward(X)
        net.backward(y - v)
        opt.step()
    return np.sum(net.forward(X) ** 2)
""",
    np.array([[0.1, 0.2], [0.3, -0.1]]),
    np.array([0.5, -0.4]),
    np.array([[1.0, 0.5], [0.2, -0.7]]),
    0.1,
)
case(
    "a table of functions that a class has",
    """
import numpy as np
class Act:
    TABLE = {"tanh": np.tanh, "exp": np.exp, "sq": lambda v: v * v}
    def __init__(self, name):
        self.name = name
    def __call__(self, v):
        return self.TABLE[self.name](v)
def f(x, name):
    a = Act(name)
    b = Act("sq")
    return np.sum(a(x) * b(x))
""",
    np.array([0.3, 0.6]),
    "tanh",
)
case(
    "tables of functions of a class and of one below it",
    """
import numpy as np
def cube(v):
    return v ** 3
class Act:
    TABLE = {"tanh": np.tanh, "exp": np.exp, "sq": lambda v: v * v, "cube": cube}
    def __init__(self, name):
        self.name = name
    def __call__(self, v):
        return Act.TABLE[self.name](v)
class Other(Act):
    TABLE = {"tanh": np.sin, "exp": np.cos}
    def run(self, v):
        return self.TABLE[self.name](v)
def f(x, name):
    a = Act(name)
    b = Act("cube")
    c = Other("tanh")
    return np.sum(a(x) * b(x)) + np.sum(c.run(x) * c(x))
""",
    np.array([0.3, 0.6]),
    "tanh",
)
case(
    "a tree of objects of several classes",
    """
class Const:
    def __init__(self, v):
        self.v = v
    def eval(self, x):
        return self.v
class Var:
    def eval(self, x):
        return x
class Add:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def eval(self, x):
        return self.a.eval(x) + self.b.eval(x)
class Mul:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def eval(self, x):
        return self.a.eval(x) * self.b.eval(x)
def f(c):
    e = Add(Add(Const(c[0]), Var()), Mul(Var(), Mul(Add(Var(), Var()), Const(c[1]))))
    return e.eval(c[2]) ** 2
""",
    np.array([0.3, 0.6, 1.2]),
)
case(
    "a chain of joints, each with the one before it",
    """
import numpy as np
class Joint:
    def __init__(self, length, parent=None):
        self.length = length
        self.parent = parent
        self.angle = 0.0
    def world_angle(self):
        if self.parent is None:
            return self.angle
        return self.parent.world_angle() + self.angle
    def tip(self):
        base = np.zeros(2) if self.parent is None else self.parent.tip()
        a = self.world_angle()
        return base + self.length * np.array([np.cos(a), np.sin(a)])
def f(q, lengths):
    base = Joint(lengths[0])
    elbow = Joint(lengths[1], base)
    wrist = Joint(lengths[2], elbow)
    for j, a in zip((base, elbow, wrist), q):
        j.angle = a
    p = wrist.tip()
    return (p[0] - 1.0) ** 2 + (p[1] - 0.5) ** 2
""",
    np.array([0.3, 0.6, -0.4]),
    np.array([1.0, 0.8, 0.5]),
)
case(
    "functions that an object keeps in a list, called one by one",
    """
class Bus:
    def __init__(self):
        self.handlers = []
    def subscribe(self, fn):
        self.handlers.append(fn)
    def emit(self, v):
        return [h(v) for h in self.handlers]
def f(x):
    bus = Bus()
    bus.subscribe(lambda v: v * x[0])
    bus.subscribe(lambda v: v ** 2 + x[1])
    out = bus.emit(x[2])
    return sum(out) * out[0]
""",
    np.array([0.3, 0.6, -0.4]),
)
case(
    "pools of a dataclass in a list, each with a list that grows",
    """
from dataclasses import dataclass, field
@dataclass
class Pool:
    S: float
    rate: float = 0.1
    log: list = field(default_factory=list)
    def step(self, inflow):
        out = self.rate * self.S
        self.S += inflow - out
        self.log.append(self.S)
        return out
def f(x):
    pools = [Pool(S=v, rate=0.1 * (i + 1)) for i, v in enumerate(x)]
    for t in range(4):
        q = 0.5
        for p in pools:
            q = p.step(q)
    return q + sum(p.S ** 2 for p in pools) + pools[0].log[1]
""",
    np.array([0.3, 0.6, 0.4]),
)
case(
    "values of equal groups, in lists of a dict",
    """
def f(x, groups):
    d = {}
    for v, g in zip(x, groups):
        d.setdefault(g, []).append(v * v)
    return sum(sum(vs) ** 2 for vs in d.values())
""",
    np.array([0.3, 0.6, -0.4, 0.9]),
    [0, 1, 0, 1],
)
case(
    "a solver with a boundary condition that writes into what it is given, and its base's",
    """
import numpy as np
class BoundaryCondition:
    def apply(self, T, t):
        raise NotImplementedError
class Fixed(BoundaryCondition):
    def __init__(self, left, right):
        self.left, self.right = left, right
    def apply(self, T, t):
        T[0] = self.left
        T[-1] = self.right
        return T
class Ramp(Fixed):
    def __init__(self, left, right, rate):
        super().__init__(left, right)
        self.rate = rate
    def apply(self, T, t):
        T = super().apply(T, t)
        T[0] += self.rate * t
        return T
class HeatSolver:
    def __init__(self, bc):
        self.bc = bc
        self.history = {"t": [], "mean": []}
        self.t = 0.0
    def step(self, T, dt):
        T = T + dt * np.sin(T)
        self.t += dt
        T = self.bc.apply(T, self.t)
        self.history["t"].append(self.t)
        self.history["mean"].append(T.mean())
        return T
    def run(self, T, dt, n):
        for _ in range(n):
            T = self.step(T, dt)
        return T
def f(k, left, rate, n):
    s = HeatSolver(Ramp(left, 0.5, rate))
    T = s.run(np.full(6, 0.2) * k, 0.01, n)
    s2 = HeatSolver(Fixed(left, 0.0))
    T2 = s2.run(T.copy(), 0.005, 3)
    return sum(s.history["mean"]) + T2.max() + (T ** 2).sum()
""",
    0.3,
    1.2,
    0.4,
    5,
)
case(
    "an object with a text of a dict of the module, which a helper makes anew",
    """
import numpy as np
class M:
    def __init__(self, name: str, k: float):
        self.name = name
        self.k = k
    def cond(self, T):
        return self.k * T
LIB = {"steel": M("steel", 2.0), "wax": M("wax", 0.5)}
def lookup(name, s):
    b = LIB[name]
    return M(b.name, b.k * s)
def f(k, name):
    t = 0.0
    m = lookup(name, k)
    for i in range(3):
        t += m.cond(t + 1.0) + k
    return t
""",
    0.3,
    "wax",
)
case(
    "pairs of objects of a list, and those of all, while the list grows",
    """
class P:
    def __init__(self, v, w):
        self.v = v
        self.w = w
def f(x):
    a = P(x[0], 1.0)
    b = P(x[1], 2.0)
    c = P(x[2], 3.0)
    ps = [a, b, c]
    pairs = [(p.v * q.v, p.w) for p in ps for q in ps if p.w < q.w]
    d = {p.w: p.v ** 2 for p in ps}
    ps.append(P(x[0] * 2.0, 4.0))
    t = sum(v * w for v, w in pairs)
    for p in ps:
        p.v = p.v + t
    return sum(p.v for p in ps) + d[2.0] + a.v
""",
    np.array([0.3, 0.6, -0.4]),
)

ROWS = np.array([[0.3, -0.2], [0.8, 0.1], [-0.5, 0.4], [0.6, 0.7]]).tolist()

case(
    "a row that is read when the index has gone on",
    """
import numpy as np

def f(rows: list[list[float]], x: float):
    h = x
    for i in range(len(rows)):
        if i > 0:
            h = np.tanh(h * row[0] + row[1])
        row = rows[i]
    return h
""",
    ROWS,
    0.7,
)

case(
    "a row that stays where the index goes on",
    """
import numpy as np

def f(rows: list[list[float]], x: float):
    h = x
    for i in range(len(rows)):
        if i % 2 == 0:
            row = rows[i]
        h = np.tanh(h * row[0] + row[1])
    return h
""",
    ROWS,
    0.7,
)

case(
    "a row that is read behind the loop, which has been left",
    """
import numpy as np

def f(rows: list[list[float]], x: float):
    for i in range(len(rows)):
        if i == 2:
            break
        row = rows[i]
    return np.tanh(x * row[0] + row[1])
""",
    ROWS,
    0.7,
)

case(
    "dicts of a list from its end: what they get is added in their place",
    """
import numpy as np

def f(layers: list, x: float):
    h = x
    for layer in reversed(layers):
        h = np.tanh(h * layer["w"] + layer["b"])
    n = len(layers)
    for i in range(2 * n):
        j = (n - 1 - i) % n
        layer = layers[j]
        h = np.sin(h * layer["w"]) + layers[-1 - i // 2]["b"]
    return h
""",
    [{"w": w, "b": b} for w, b in ROWS],
    0.7,
)

case(
    "parts of a list of dicts, from both ends",
    """
import numpy as np

def f(layers: list, x: float):
    h = x
    inner = layers[1:-1]
    for i in range(len(inner)):
        h = np.tanh(h * inner[i]["w"] + inner[-1 - i]["b"])
    for layer in reversed(layers[:-1]):
        h = np.sin(h * layer["w"] + layer["b"])
    for first, second in zip(layers[:-1], layers[1:]):
        h = np.sin(h * first["w"] + second["b"])
    for k in range(2):
        part = layers[k:]
        for layer in part:
            h = np.tanh(h * layer["w"])
    return h * layers[-1]["w"] + inner[-1]["b"]
""",
    [{"w": w, "b": b} for w, b in ROWS],
    0.7,
)
case(
    "an item of a list, with entries, that is read in the round behind",
    """
import numpy as np
def f(rows: list, x: float):
    h = x
    for i in range(len(rows)):
        if i > 0:
            h = np.tanh(h * prev["a"] + prev["b"])
        prev = rows[i]
    return h
""",
    [{"a": 0.3, "b": 0.1}, {"a": -0.3, "b": 0.5}, {"a": 0.7, "b": 0.2}],
    0.7,
)
case(
    "lists in a list that are read in the round behind, and behind the loop",
    """
import numpy as np
def f(rows: list, x: float):
    h = x
    for i in range(len(rows)):
        if i > 0:
            h = np.tanh(h * g[0][0] + g[1][1])
        g = rows[i]
    return h * g[0][1]
""",
    [[[0.3, 0.1], [0.2, 0.4]], [[0.3, 0.5], [0.6, 0.7]]],
    0.7,
)
case(
    "parts of a list of lists from both ends",
    """
import numpy as np
def f(rows: list[list[float]], x: float, a: int, b: int):
    h = x
    for row in rows[a:b]:
        a = 0
        b = 1
        h = np.tanh(h * row[0] + row[1])
    for row in rows[-b:]:
        h = h * row[1]
    for row in rows[b:10]:
        h = h + row[0] * h
    for row in rows[-10:a + 2]:
        h = h + row[1] * h
    return h
""",
    ROWS,
    0.7,
    1,
    3,
)
case(
    "a sum over two objects, behind a call that binds one anew, in one expression",
    """
class C:
    def __init__(self, v):
        self.v = v
def f(x):
    a = C(x[0])
    b = C(x[1])
    def swap():
        nonlocal a
        a = C(x[2] * 2.0)
        return 1.0
    return swap() + sum(c.v ** 2 for c in (a, b))
""",
    np.array([0.3, 0.5, 0.9]),
)
case(
    "objects beside numbers, behind a call that swaps them, in one expression",
    """
class C:
    def __init__(self, v):
        self.v = v
def f(x):
    a = C(x[0])
    b = C(x[1])
    def swap():
        nonlocal a, b
        a, b = b, a
        return 1.0
    t = swap() * sum(k * c.v ** 2 for k, c in zip((1.0, 3.0), (a, b)))
    for k, c in zip((1.0, 3.0), (a, b)):
        t += k * c.v
        a = C(x[2])
    return t
""",
    np.array([0.3, 0.5, 0.9]),
)
case(
    "objects of a class with methods alone, that get a number later, in another one",
    """
class Var:
    def ev(self, x):
        return x * self.k
class Add:
    def __init__(self, a, b):
        self.a = a
        self.b = b
    def ev(self, x):
        return self.a.ev(x) + self.b.ev(x)
def f(x):
    v = Var()
    v.k = x[0]
    w = Var()
    w.k = x[1]
    e = Add(v, w)
    v.k = x[2]
    return e.ev(2.0) ** 2
""",
    np.array([0.3, 0.5, 0.9]),
)
