"""Dicts that are filled under keys which the text does not show, as people write them.

Each: what it is, the text of a module with a function `f`, arguments for it, and what it is differentiated in (where
that is not all that is not annotated as something else).
"""

from __future__ import annotations

from typing import Any

import numpy as np

R = np.random.default_rng(5)
CASES: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {}


def v(n: int) -> Any:
    return R.uniform(0.4, 1.4, n)


def m(a: int, b: int) -> Any:
    return R.uniform(0.4, 1.4, (a, b))


def case(name: str, source: str, *args: Any, wrt: tuple[str, ...] = ()) -> None:
    CASES[name] = (source.strip() + "\n", args, wrt)


case(
    "gradient descent on the entries of a dict that is a parameter",
    """
import numpy as np



def f(params, grads, lr):
    for k in params:
        params[k] = params[k] - lr * grads[k]
    s = 0.0
    for k in params:
        s += np.sum(params[k] ** 2)
    return s
""",
    {"w": v(3), "b": v(2)},
    {"w": v(3), "b": v(2)},
    0.1,
)

case(
    "the Adam optimiser on dicts of arrays",
    """
import numpy as np



def f(params, grads, m, v, t: int, lr=0.1, b1=0.9, b2=0.999, eps=1e-8):
    out = {}
    for k in params:
        m[k] = b1 * m[k] + (1 - b1) * grads[k]
        v[k] = b2 * v[k] + (1 - b2) * grads[k] ** 2
        mhat = m[k] / (1 - b1 ** t)
        vhat = v[k] / (1 - b2 ** t)
        out[k] = params[k] - lr * mhat / (np.sqrt(vhat) + eps)
    total = 0.0
    for k in out:
        total += np.sum(out[k] ** 2)
    return total
""",
    {"w": v(3), "b": v(2)},
    {"w": v(3), "b": v(2)},
    {"w": v(3), "b": v(2)},
    {"w": v(3), "b": v(2)},
    3,
)

case(
    "momentum on a dict that the function shows, by loops over its keys",
    """
import numpy as np



def loss(p, x, y):
    return np.mean((np.tanh(x @ p["w"] + p["b"]) - y) ** 2)

def gradient(p, x, y):
    h = np.tanh(x @ p["w"] + p["b"])
    d = 2 * (h - y) * (1 - h ** 2) / len(y)
    return {"w": x.T @ d, "b": np.sum(d)}

def f(w0, b0, x, y, lr, n: int):
    p = {"w": w0, "b": b0}
    vel = {k: np.zeros_like(p[k]) for k in p}
    for _ in range(n):
        g = gradient(p, x, y)
        for k in p:
            vel[k] = 0.9 * vel[k] - lr * g[k]
            p[k] = p[k] + vel[k]
    return loss(p, x, y)
""",
    v(3),
    0.3,
    m(4, 3),
    v(4),
    0.1,
    3,
)

case(
    "momentum on a dict that is a parameter, which functions are handed",
    """
import numpy as np



def loss(p, x, y):
    return np.mean((np.tanh(x @ p["w"] + p["b"]) - y) ** 2)

def gradient(p, x, y):
    h = np.tanh(x @ p["w"] + p["b"])
    d = 2 * (h - y) * (1 - h ** 2) / len(y)
    return {"w": x.T @ d, "b": np.sum(d)}

def f(p, x, y, lr, n: int):
    vel = {k: np.zeros_like(v) for k, v in p.items()}
    for _ in range(n):
        g = gradient(p, x, y)
        for k in p:
            vel[k] = 0.9 * vel[k] - lr * g[k]
            p[k] = p[k] + vel[k]
    return loss(p, x, y)
""",
    {"w": v(3), "b": 0.3},
    m(4, 3),
    v(4),
    0.1,
    3,
)

case(
    "a training loop that binds its parameters to what a function returns",
    """
import numpy as np



def gradient(p, x, y):
    h = np.tanh(x @ p["w"] + p["b"])
    d = 2 * (h - y) * (1 - h ** 2) / len(y)
    return {"w": x.T @ d, "b": np.sum(d)}

def update(p, g, lr):
    return {k: p[k] - lr * g[k] for k in p}

def f(p, x, y, lr, n: int):
    for _ in range(n):
        g = gradient(p, x, y)
        p = update(p, g, lr)
    return np.mean((np.tanh(x @ p["w"] + p["b"]) - y) ** 2)
""",
    {"w": v(3), "b": 0.3},
    m(4, 3),
    v(4),
    0.1,
    3,
)

case(
    "entries of a dict that is a parameter, updated in place",
    """
import numpy as np



def f(params, grads, lr):
    total = 0.0
    for k in params:
        params[k] -= lr * grads[k]
        total += np.sum(params[k] ** 2)
    return total
""",
    {"w": v(3), "b": v(2)},
    {"w": v(3), "b": v(2)},
    0.1,
)

case(
    "sums by label, by get with a default",
    """
import numpy as np



def f(x, labels: list):
    sums = {}
    for xi, lab in zip(x, labels):
        sums[lab] = sums.get(lab, 0.0) + xi
    s = 0.0
    for lab in sums:
        s += sums[lab] ** 2
    return s
""",
    v(5),
    ["a", "b", "a", "c", "b"],
    wrt=("x",),
)

case(
    "sums by label, with a test whether there is one",
    """
import numpy as np



def f(x, labels: list):
    sums = {}
    for i in range(len(x)):
        if labels[i] not in sums:
            sums[labels[i]] = 0.0
        sums[labels[i]] += x[i]
    return sum(v ** 2 for v in sums.values())
""",
    v(5),
    ["a", "b", "a", "c", "b"],
    wrt=("x",),
)

case(
    "sums by label, in a defaultdict",
    """
from collections import defaultdict

import numpy as np


def f(x, labels: list):
    sums = defaultdict(float)
    for xi, lab in zip(x, labels):
        sums[lab] += xi
    s = 0.0
    for lab in sums:
        s += sums[lab] ** 2
    return s
""",
    v(5),
    ["a", "b", "a", "c", "b"],
    wrt=("x",),
)

case(
    "lists by label, in a defaultdict",
    """
from collections import defaultdict

import numpy as np


def f(x, labels: list):
    groups = defaultdict(list)
    for xi, lab in zip(x, labels):
        groups[lab].append(xi)
    s = 0.0
    for lab in groups:
        s += sum(groups[lab]) ** 2 / len(groups[lab])
    return s
""",
    v(5),
    ["a", "b", "a", "c", "b"],
    wrt=("x",),
)

case(
    "lists by label, by setdefault",
    """
import numpy as np



def f(x, labels: list):
    groups = {}
    for xi, lab in zip(x, labels):
        groups.setdefault(lab, []).append(xi)
    s = 0.0
    for g in groups.values():
        s += sum(g) ** 2
    return s
""",
    v(5),
    ["a", "b", "a", "c", "b"],
    wrt=("x",),
)

case(
    "sums by label, by setdefault",
    """
import numpy as np



def f(x, labels: list):
    sums = {}
    for xi, lab in zip(x, labels):
        sums.setdefault(lab, 0.0)
        sums[lab] += xi
    s = 0.0
    for g in sums.values():
        s += g ** 2
    return s
""",
    v(5),
    ["a", "b", "a", "c", "b"],
    wrt=("x",),
)

case(
    "means by a number for a label",
    """
import numpy as np



def f(x, labels):
    sums = {}
    counts = {}
    for i in range(len(x)):
        c = int(labels[i])
        sums[c] = sums.get(c, 0.0) + x[i]
        counts[c] = counts.get(c, 0) + 1
    loss = 0.0
    for c in sums:
        loss += (sums[c] / counts[c]) ** 2
    return loss
""",
    v(5),
    np.array([0, 1, 0, 2, 1]),
    wrt=("x",),
)

case(
    "layers of dicts, updated into a new dict of dicts",
    """
import numpy as np



def f(params, grads, lr):
    out = {}
    for layer in params:
        out[layer] = {}
        for k in params[layer]:
            out[layer][k] = params[layer][k] - lr * grads[layer][k]
    s = 0.0
    for layer in out:
        for k in out[layer]:
            s += np.sum(out[layer][k] ** 2)
    return s
""",
    {"l1": {"w": v(3), "b": v(2)}, "l2": {"w": v(2)}},
    {"l1": {"w": v(3), "b": v(2)}, "l2": {"w": v(2)}},
    0.1,
)

case(
    "a loop over pairs that are the keys of a parameter",
    """
import numpy as np



def f(J, s):
    e = 0.0
    for (i, j) in J:
        e += J[(i, j)] * s[i] * s[j]
    return e
""",
    {(0, 1): 0.4, (1, 2): 0.7},
    v(3),
)

case(
    "values of a graph by name",
    """
import numpy as np



def f(inputs, edges: list, w):
    val = {}
    for k in inputs:
        val[k] = inputs[k]
    i = 0
    for dst, a, b in edges:
        val[dst] = np.tanh(w[i] * val[a] + val[b])
        i += 1
    return val["out"]
""",
    {"x": 0.3, "y": 0.7},
    [("h", "x", "y"), ("g", "h", "x"), ("out", "g", "h")],
    v(3),
    wrt=("inputs", "w"),
)

case(
    "rates of species by name",
    """
import numpy as np



def f(y0, rates, dt, n: int):
    y = dict(y0)
    for _ in range(n):
        dy = {}
        for s in y:
            dy[s] = -rates[s] * y[s]
        for s in y:
            y[s] = y[s] + dt * dy[s]
    return y["A"] ** 2 + y["B"]
""",
    {"A": 1.0, "B": 0.5},
    {"A": 0.3, "B": 0.7},
    0.1,
    4,
)

case(
    "a reaction network by name",
    """
import numpy as np



def f(y0, k, dt, n: int, reactions: list):
    y = {s: y0[s] for s in y0}
    for _ in range(n):
        dy = {s: 0.0 for s in y}
        for i, (a, b) in enumerate(reactions):
            r = k[i] * y[a]
            dy[a] -= r
            dy[b] += r
        for s in y:
            y[s] += dt * dy[s]
    total = 0.0
    for s in y:
        total += y[s] ** 2
    return total
""",
    {"A": 1.0, "B": 0.5, "C": 0.1},
    v(3),
    0.1,
    4,
    [("A", "B"), ("B", "C"), ("C", "A")],
    wrt=("y0", "k"),
)

case(
    "dynamic programming under pairs of numbers",
    """
import numpy as np



def f(a, b):
    n, m = len(a), len(b)
    cost = {}
    for i in range(n):
        for j in range(m):
            d = (a[i] - b[j]) ** 2
            if i == 0 and j == 0:
                cost[i, j] = d
            elif i == 0:
                cost[i, j] = d + cost[i, j - 1]
            elif j == 0:
                cost[i, j] = d + cost[i - 1, j]
            else:
                cost[i, j] = d + 0.3 * cost[i - 1, j] + 0.5 * cost[i, j - 1] + 0.2 * cost[i - 1, j - 1]
    return cost[n - 1, m - 1]
""",
    v(3),
    v(4),
)

case(
    "a grid under pairs of numbers, boundaries first",
    """
import numpy as np



def f(x, n: int):
    u = {}
    for i in range(n):
        u[i, 0] = x[i]
        u[0, i] = x[i] ** 2
    for i in range(1, n):
        for j in range(1, n):
            u[(i, j)] = 0.5 * (u[(i - 1, j)] + u[(i, j - 1)])
    return u[(n - 1, n - 1)]
""",
    v(4),
    4,
)

case(
    "distances of pairs, and a loop over pairs for keys",
    """
import numpy as np



def f(pos, n: int):
    r = {}
    for i in range(n):
        for j in range(i + 1, n):
            r[i, j] = np.sqrt(np.sum((pos[i] - pos[j]) ** 2))
    e = 0.0
    for (i, j), d in r.items():
        e += 1.0 / d
    return e
""",
    m(4, 2),
    4,
)

case(
    "a comprehension over pairs for keys",
    """
import numpy as np



def f(pos):
    n = len(pos)
    r = {(i, j): np.sum((pos[i] - pos[j]) ** 2) for i in range(n) for j in range(i)}
    return sum(np.exp(-d) for d in r.values())
""",
    m(4, 2),
)

case(
    "a parameter with pairs for keys, in a sum",
    """
import numpy as np



def f(J, s):
    return sum(w * s[i] * s[j] for (i, j), w in J.items())
""",
    {(0, 1): 0.4, (1, 2): 0.7},
    v(3),
)

case(
    "the best cost by state, in dicts that replace each other",
    """
import numpy as np



def f(w, n: int):
    best = {0: 0.0}
    for i in range(n):
        new = {}
        for s in best:
            for a in (0, 1):
                t = (s + a) % 3
                c = best[s] + w[i] * (a + 0.5)
                if t not in new or c < new[t]:
                    new[t] = c
        best = new
    return best[0] + best[1]
""",
    v(4),
    4,
)

case(
    "the Viterbi algorithm on dicts",
    """
import numpy as np



def f(states: list, obs: list, start, trans, emit):
    V = {}
    for s in states:
        V[s] = np.log(start[s]) + np.log(emit[s][obs[0]])
    for o in obs[1:]:
        U = {}
        for s in states:
            U[s] = max(V[r] + np.log(trans[r][s]) for r in states) + np.log(emit[s][o])
        V = U
    return max(V.values())
""",
    ["H", "C"],
    [0, 1, 1],
    {"H": 0.6, "C": 0.4},
    {"H": {"H": 0.7, "C": 0.3}, "C": {"H": 0.4, "C": 0.6}},
    {"H": [0.2, 0.8], "C": [0.65, 0.35]},
    wrt=("start", "trans", "emit"),
)

case(
    "the forward algorithm on dicts",
    """
import numpy as np



def f(states: list, obs: list, start, trans, emit):
    alpha = {s: start[s] * emit[s][obs[0]] for s in states}
    for o in obs[1:]:
        new = {}
        for s in states:
            total = 0.0
            for r in states:
                total += alpha[r] * trans[r][s]
            new[s] = total * emit[s][o]
        alpha = new
    p = 0.0
    for s in states:
        p += alpha[s]
    return np.log(p)
""",
    ["H", "C"],
    [0, 1, 1],
    {"H": 0.6, "C": 0.4},
    {"H": {"H": 0.7, "C": 0.3}, "C": {"H": 0.4, "C": 0.6}},
    {"H": [0.2, 0.8], "C": [0.65, 0.35]},
    wrt=("start", "trans", "emit"),
)

case(
    "a dict under even numbers",
    """
import numpy as np



def f(x, n: int):
    d = {}
    for i in range(n):
        d[2 * i] = x[i] ** 2
    s = 0.0
    for k in d:
        s += d[k] * k
    return s
""",
    v(4),
    4,
)

case(
    "shortest paths in a dict that some nodes are not in yet",
    """
import numpy as np



def f(w, edges: list, n: int):
    dist = {0: 0.0}
    for _ in range(n):
        for e, (a, b) in enumerate(edges):
            if a in dist:
                d = dist[a] + w[e]
                if b not in dist or d < dist[b]:
                    dist[b] = d
    return dist[n - 1]
""",
    v(4),
    [(0, 1), (1, 2), (0, 2), (2, 3)],
    4,
    wrt=("w",),
)

case(
    "a tree of tuples that one function makes and another one walks",
    """
import numpy as np



def build(x, n):
    if n == 0:
        return x
    return (build(x * 0.5, n - 1), build(x + 0.1, n - 1))

def total(t):
    if isinstance(t, tuple):
        a, b = t
        return total(a) * 0.7 + total(b) ** 2
    return t

def f(x, n: int):
    return total(build(x, n))
""",
    0.7,
    3,
)

case(
    "counts of words for weights",
    """
from collections import Counter

import numpy as np


def f(x, words: list):
    c = Counter(words)
    s = 0.0
    for w in c:
        s += c[w] * x[w] ** 2
    return s
""",
    {"a": 0.4, "b": 0.9},
    ["a", "b", "a"],
    wrt=("x",),
)

case(
    "a Counter that adds up numbers",
    """
from collections import Counter

import numpy as np


def f(x, words: list):
    c = Counter()
    for i, w in enumerate(words):
        c[w] += x[i]
    return sum(v ** 2 for v in c.values())
""",
    v(3),
    ["a", "b", "a"],
    wrt=("x",),
)

case(
    "a vector as a dict of arrays of stated shapes",
    """
import numpy as np



def unflatten(vec, shapes):
    out = {}
    i = 0
    for k, shape in shapes.items():
        n = int(np.prod(shape))
        out[k] = vec[i:i + n].reshape(shape)
        i += n
    return out

def f(vec, x, shapes: dict):
    p = unflatten(vec, shapes)
    return np.sum(np.tanh(x @ p["w"] + p["b"]))
""",
    v(8),
    m(4, 3),
    {"w": (3, 2), "b": (2,)},
    wrt=("vec", "x"),
)

case(
    "values by layer, under texts that are put together",
    """
import numpy as np



def f(W, x, n: int):
    cache = {}
    a = x
    for l in range(n):
        cache["a%d" % l] = a
        a = np.tanh(W[l] @ a)
    s = np.sum(a)
    for l in range(n):
        s += np.sum(cache["a%d" % l] ** 2)
    return s
""",
    [m(3, 3), m(3, 3)],
    v(3),
    2,
)

case(
    "layers under texts that are put together, updated",
    """
import numpy as np



def f(params, grads, lr, L: int):
    for l in range(1, L + 1):
        params["W" + str(l)] = params["W" + str(l)] - lr * grads["dW" + str(l)]
        params["b" + str(l)] -= lr * grads["db" + str(l)]
    s = 0.0
    for l in range(1, L + 1):
        s += np.sum(params["W" + str(l)] ** 2) + np.sum(params["b" + str(l)] ** 3)
    return s
""",
    {"W1": m(3, 3), "b1": v(3), "W2": m(3, 3), "b2": v(3)},
    {"dW1": m(3, 3), "db1": v(3), "dW2": m(3, 3), "db2": v(3)},
    0.1,
    2,
)

case(
    "a dict of sums by label that is returned",
    """
import numpy as np



def f(x, labels: list):
    sums = {}
    for i in range(len(x)):
        sums[labels[i]] = sums.get(labels[i], 0.0) + x[i] ** 2
    return sums
""",
    v(5),
    ["a", "b", "a", "c", "b"],
    wrt=("x",),
)

case(
    "two dicts that are returned",
    """
import numpy as np



def f(params, grads, lr):
    out = {}
    sq = {}
    for k in params:
        g = grads[k] * lr
        out[k] = params[k] - g
        sq[k] = g ** 2
    return out, sq
""",
    {"w": v(3), "b": v(2)},
    {"w": v(3), "b": v(2)},
    0.1,
)

case(
    "a loop over the keys of a dict that the function shows, which assigns to them",
    """
import numpy as np



def f(w0, b0, lr, n: int):
    p = {"w": w0, "b": b0}
    for _ in range(n):
        for k in p:
            p[k] = p[k] - lr * p[k] ** 2
    return np.sum(p["w"]) * p["b"]
""",
    v(3),
    0.3,
    0.1,
    3,
)

case(
    "a parameter that is bound anew by a comprehension and handed on",
    """
import numpy as np



def grad(p):
    return {"w": p["w"] ** 2, "b": p["b"] ** 3}

def f(p, lr, n: int):
    for _ in range(n):
        g = grad(p)
        p = {k: p[k] - lr * g[k] for k in p}
    return np.sum(p["w"]) * p["b"]
""",
    {"w": v(3), "b": 0.3},
    0.1,
    3,
)

case(
    "gradient descent by functions that return dicts",
    """
import numpy as np



def predict(params, x):
    return np.tanh(x @ params["w"] + params["b"])

def grads_of(params, x, y):
    h = predict(params, x)
    d = 2 * (h - y) * (1 - h ** 2) / len(y)
    return {"w": x.T @ d, "b": np.sum(d)}

def sgd(params, grads, lr):
    new = {}
    for name in params:
        new[name] = params[name] - lr * grads[name]
    return new

def f(params, x, y, lr, n: int):
    for _ in range(n):
        params = sgd(params, grads_of(params, x, y), lr)
    return np.mean((predict(params, x) - y) ** 2)
""",
    {"w": v(3), "b": 0.3},
    m(4, 3),
    v(4),
    0.1,
    3,
)

case(
    "gradient descent by a function that changes a dict",
    """
import numpy as np



def sgd(params, grads, lr):
    for name in params:
        params[name] -= lr * grads[name]

def f(params, grads, lr, n: int):
    for _ in range(n):
        sgd(params, grads, lr)
    return np.sum(params["w"]) * params["b"]
""",
    {"w": v(3), "b": 0.3},
    {"w": v(3), "b": 0.3},
    0.1,
    3,
)

case(
    "a dict that a function fills and returns, and a loop over it",
    """
import numpy as np



def make(x, n):
    out = {}
    for i in range(n):
        out[2 * i] = x[i] ** 2
    return out

def f(x, n: int):
    d = make(x, n)
    s = 0.0
    for k in d:
        s += d[k] * k
    return s
""",
    v(3),
    3,
)

case(
    "values of a dict that a function fills, their sum and their number",
    """
import numpy as np



def make(x, n):
    out = {}
    for i in range(n):
        out[2 * i] = x[i] ** 2
    return out

def f(x, n: int):
    d = make(x, n)
    return sum(d.values()) + len(d) * x[0] + d[0] * d[2]
""",
    v(3),
    3,
)

case(
    "a dict that is filled and handed to a function that loops over it",
    """
import numpy as np



def total(d):
    s = 0.0
    for k in d:
        s += d[k] * k
    return s

def f(x, n: int):
    out = {}
    for i in range(n):
        out[2 * i] = x[i] ** 2
    return total(out)
""",
    v(3),
    3,
)

case(
    "a dict that a function returns, with more entries under a second name",
    """
import numpy as np



def make(x, n):
    out = {}
    for i in range(n):
        out[2 * i] = x[i] ** 2
    return out

def f(x, n: int):
    d = make(x, n)
    d[1] = x[0]
    e = d
    e[2] = x[1]
    return d[2] * d[0] * e[1]
""",
    v(3),
    3,
)

case(
    "a dict of dicts that is a parameter, by loops over keys",
    """
import numpy as np



def f(params, lam):
    s = 0.0
    for layer in params:
        for k in params[layer]:
            s += np.sum(params[layer][k] ** 2)
    return lam * s
""",
    {"l1": {"w": v(3), "b": v(2)}, "l2": {"w": v(2)}},
    0.1,
)

case(
    "a dict of dicts that is a parameter, by items()",
    """
import numpy as np



def f(params, lam):
    s = 0.0
    for name, layer in params.items():
        for k, w in layer.items():
            s += np.sum(w ** 2)
    return lam * s
""",
    {"l1": {"w": v(3), "b": v(2)}, "l2": {"w": v(2)}},
    0.1,
)

case(
    "lists by number in a list of empty lists",
    """
import numpy as np



def f(x, n: int):
    groups = [[] for _ in range(3)]
    for i in range(n):
        groups[i % 3] = groups[i % 3] + [x[i]]
    s = 0.0
    for k in range(3):
        s += sum(groups[k]) ** 2
    return s
""",
    v(5),
    5,
    wrt=("x",),
)

case(
    "shortest paths between all pairs of names",
    """
import numpy as np



def f(w, nodes: list):
    dist = {}
    for u in nodes:
        for v in nodes:
            dist[u, v] = w[u][v]
    for k in nodes:
        for i in nodes:
            for j in nodes:
                if dist[i, k] + dist[k, j] < dist[i, j]:
                    dist[i, j] = dist[i, k] + dist[k, j]
    s = 0.0
    for u in nodes:
        for v in nodes:
            s += dist[u, v]
    return s
""",
    {"a": {"a": 0.11, "b": 0.3, "c": 2.0}, "b": {"a": 0.5, "b": 0.12, "c": 0.4}, "c": {"a": 0.9, "b": 3.0, "c": 0.13}},
    ["a", "b", "c"],
    wrt=("w",),
)

case(
    "entries that change by tests of what is there",
    """
import numpy as np



def f(x, n: int):
    d = {}
    for i in range(n):
        d[i % 2] = x[i] * x[0]
        if i > 2:
            d[5] = d[0] * d[1]
        if 5 in d:
            d[5] = d[5] ** 2 + len(d) * x[1]
    s = 0.0
    for k in sorted(d):
        s += d[k] * (k + 1)
    return s
""",
    v(5),
    5,
)

case(
    "a new dict in each iteration, changed by a second loop",
    """
import numpy as np



def f(x, n: int):
    s = 0.0
    for j in range(n):
        d = {}
        for i in range(j + 1):
            d[i * 2] = x[i] * x[j]
        for k in d:
            d[k] = d[k] ** 2 + s
        for k, w in d.items():
            s = s + w * k + np.sin(s)
    return s
""",
    v(3),
    3,
)

case(
    "a dict that grows until it is long enough",
    """
import numpy as np



def f(x, n: int):
    d = {}
    while len(d) < n:
        d[len(d) * 3] = x[len(d)] ** 2
    return d[0] + d[3] * d[6]
""",
    v(3),
    3,
)

case(
    "a dict that another one replaces, a loop that breaks",
    """
import numpy as np



def f(w, n: int):
    cur = {"a": w, "b": w * 2}
    for i in range(n):
        nxt = {}
        for k in cur:
            nxt[k + str(i)] = np.tanh(cur[k])
            if i == 1:
                break
        cur = nxt
    return sum(np.sum(z) for z in cur.values())
""",
    v(3),
    3,
)

case(
    "comprehensions of one dict after another, under other keys",
    """
import numpy as np



def f(w, n: int):
    d = {i * 2: w[i] for i in range(n)}
    d = {k + 1: d[k] ** 2 for k in d}
    d[0] = w[0]
    return sum(d.values()) * d[1]
""",
    v(3),
    3,
)

case(
    "dict(zip(...)) and a loop over a list of the keys",
    """
import numpy as np



def f(w, keys: list):
    d = dict(zip(keys, w))
    d["z"] = 1.0
    for k in list(d):
        d[k] = d[k] ** 2
    return sum(d.values())
""",
    v(3),
    ["a", "b", "c"],
    wrt=("w",),
)

case(
    "a state that a function steps, and the sum of its values",
    """
import numpy as np



def step(state, dt):
    new = {}
    for k in state:
        new[k] = state[k] - dt * state[k] ** 2
    return new

def f(state, dt, n: int):
    total = 0.0
    for _ in range(n):
        state = step(state, dt)
        total = total + sum(np.sum(z) for z in state.values())
    return total
""",
    {"w": v(3), "b": v(2)},
    0.1,
    3,
)

case(
    "a state that a comprehension steps, and the sum of its values",
    """
import numpy as np



def f(state, dt, n: int):
    hist = []
    for _ in range(n):
        state = {k: z - dt * z ** 2 for k, z in state.items()}
        hist.append(sum(np.sum(z) for z in state.values()))
    return np.sum(np.array(hist) ** 2)
""",
    {"w": v(3), "b": v(2)},
    0.1,
    3,
)

case(
    "entries of a parameter times another entry",
    """
import numpy as np



def f(params, x):
    for name, val in params.items():
        if name != "scale":
            params[name] = val * params["scale"] * x
    return np.sum(params["w"]) + params["b"]
""",
    {"scale": 2.0, "w": v(3), "b": 0.3},
    0.7,
)

case(
    "the number of entries, while they are added",
    """
import numpy as np



# s2s: x (n,)
def f(x, n: int):
    d = {}
    s = 0.0
    for i in range(n):
        d[i % 3] = x[i]
        s += len(d) * x[i]
    return s + d[0]
""",
    v(5),
    5,
)

case(
    "tests of the number of entries",
    """
import numpy as np



# s2s: x (n,)
def f(x, n: int):
    d = {}
    s = 0.0
    for i in range(n):
        if len(d) > 2:
            s += x[i] ** 2
        d[i * 2] = x[i]
        t = len(d)
        s += x[i] * t ** 2
    return s + d[0]
""",
    v(5),
    5,
)

case(
    "whether an entry is there, while they are added",
    """
import numpy as np



# s2s: x (n,)
def f(x, n: int):
    d = {}
    s = 0.0
    for i in range(n):
        s += x[i] * (1 if i - 2 in d else 3)
        d[i] = x[i]
        d[i + 7] = x[i]
    return s + d[0]
""",
    v(5),
    5,
)

case(
    "the keys that are there, while they are added",
    """
import numpy as np



# s2s: x (n,)
def f(x, n: int):
    d = {}
    s = 0.0
    for i in range(n):
        for k in d:
            s += x[i] * k
        d[i * 3] = x[i]
    return s + d[0]
""",
    v(5),
    5,
)

case(
    "get with defaults that are numbers and items",
    """
import numpy as np



# s2s: x (n,)
def f(x, n: int):
    d = {}
    s = 0.0
    for i in range(n):
        d[i % 3] = d.get(i % 3, 2.0) * x[i]
        d[i % 2] = d.get(i % 2, x[0]) + x[i] * len(d)
    return sum(d.values())
""",
    v(5),
    5,
)

case(
    "loops over the keys of dicts from their end",
    """
import numpy as np


def f(params, x, n: int):
    m = {}
    for i in range(n):
        m[2 * i] = x[i] ** 2
    s = 1.0
    for i in reversed(m):
        s = s * 0.5 + m[i]
    for k in reversed(params):
        s = s * np.sum(params[k] ** 2) + 1.0
    return s
""",
    {"w": v(3), "b": v(2)},
    v(3),
    3,
)

case(
    "copies of dicts, of which other keys are read later",
    """
import numpy as np


def f(params, x, n: int):
    new = {}
    for k in params:
        new[k] = params[k]
    m = {k: 0.5 * p for k, p in params.items()}
    for i in range(n):
        new[f"x{i}"] = x[i] ** 2
        for k in m:
            m[k] = m[k] * np.sin(m[k]) + x[i]
    s = 0.0
    for k in new:
        s = s * 0.9 + np.sum(new[k] ** 2)
    for k in m:
        s = s * 0.9 + np.sum(m[k] * params[k])
    return s
""",
    {"w": v(3), "b": v(2)},
    v(3),
    3,
)

case(
    "a list of the keys of a dict, which gets one more",
    """
import numpy as np


def f(params):
    d = {}
    for k in params:
        d[k] = params[k] ** 2
    names = list(d)
    names.append("w")
    s = 0.0
    for k in names:
        s = s * 0.5 + np.sum(d[k])
    return s
""",
    {"w": v(3), "b": v(2)},
)

case(
    "a list of the keys of a dict, of which one is replaced",
    """
import numpy as np


def f(params):
    d = {}
    for k in params:
        d[k] = params[k] ** 2
    names = list(d)
    names[0] = "b"
    s = 0.0
    for k in names:
        s = s * 0.5 + np.sum(d[k])
    return s
""",
    {"w": v(3), "b": v(2)},
)

case(
    "a second name for a dict, under which it gets keys in a loop over a list of them",
    """
import numpy as np


def f(params):
    d = {}
    for k in params:
        d[k] = params[k] ** 2
    e = d
    s = 0.0
    for k in list(d):
        e[k + "q"] = d[k] * 2
        s = s * 0.5 + np.sum(d[k])
    for k in d:
        s = s * 0.5 + np.sum(d[k] ** 2)
    return s
""",
    {"w": v(3), "b": v(2)},
)

case(
    "a loop over the sorted keys of a dict, whose order matters",
    """
def f(x, labels: list):
    h = {}
    for i in range(len(x)):
        h[labels[i]] = h.get(labels[i], 0.0) + x[i]
    s = 0.0
    for k in sorted(h):
        s = 0.5 * s + h[k] ** 2
    return s
""",
    v(5),
    ["c", "a", "b", "a", "c"],
)

case(
    "a Counter that is asked for what it does not have",
    """
from collections import Counter


def f(x, words: list):
    c = Counter()
    for i, w in enumerate(words):
        c[w] += x[i] ** 2
    s = c["z"] * x[0]
    for w in c:
        s = 0.5 * s + c[w] * x[1]
    return s * len(c)
""",
    v(4),
    ["c", "a", "c", "b"],
)

case(
    "a defaultdict that is first read in a test",
    """
from collections import defaultdict


def f(x, labels: list):
    d = defaultdict(float)
    for i in range(len(x)):
        if d[labels[i]] < 1.0:
            d[labels[i]] += x[i] ** 2
    s = 0.0
    for k in d:
        s += d[k] ** 2
    return s
""",
    v(4),
    ["c", "a", "c", "b"],
)

case(
    "one array for all keys at first",
    """
import numpy as np


def f(x, labels: list):
    d = dict.fromkeys(labels, np.zeros(3))
    for i, k in enumerate(labels):
        d[k] = d[k] * 0.5 + x[i]
    s = 0.0
    for k in d:
        s += np.sum(d[k] ** 2)
    return s
""",
    v(4),
    ["c", "a", "c", "b"],
)

case(
    "an entry that is added where it is missing, by except KeyError",
    """
def f(x, labels: list):
    d = {}
    for k, e in zip(labels, x):
        try:
            d[k] = d[k] + e * e
        except KeyError:
            d[k] = e
    s = 0.0
    for k in d:
        s += d[k] ** 2
    return s
""",
    v(4),
    ["c", "a", "c", "b"],
)

case(
    "entries under other keys, of a dict whose entries change",
    """
def f(x, y):
    p = {"a": x, "b": y}
    for i in range(2):
        p["a"] = p["a"] * p["b"]
        q = {k + "_n": v * x for k, v in p.items() if k != "c"}
        p["b"] = q["a_n"]
    return q["a_n"] * q["b_n"]
""",
    0.7,
    0.4,
)

case(
    "entries under other keys, and those that are read by them",
    """
def f(x, y):
    p = {"a": x, "b": y}
    q = {f"w{k}": v * v + len(k) for k, v in p.items()}
    r = {k: q["w" + k] * v for k, v in p.items()}
    return r["a"] * q["wb"]
""",
    0.7,
    0.4,
)

case(
    "an entry of a filled dict is updated under a key that is written out",
    """
def f(x, names: list):
    d = {}
    for k, e in zip(names, x):
        d[k] = e * x[0]
    d["a"] += x[3] * d["b"]
    d["b"] *= d["a"]
    s = 0.0
    for k in d:
        s += d[k] ** 2
    return s
""",
    v(4),
    ["a", "b", "a"],
)

case(
    "an array in a filled dict is updated, which has another name",
    """
import numpy as np


def f(x, names: list):
    d = {}
    for k, e in zip(names, x):
        d[k] = e * x
    y = d["a"]
    d["a"] += x[3] * d["b"]
    s = np.sum(y ** 2)
    for k in d:
        s += np.sum(d[k] ** 2)
    return s
""",
    v(4),
    ["a", "b", "a"],
)

case(
    "one array under all keys of a filled dict is updated",
    """
import numpy as np


def f(x, names: list):
    d = {}
    y = x * x
    for k, e in zip(names, x):
        d[k] = y
    d["a"] += x[3] * d["b"]
    s = np.sum(y ** 2)
    for k in d:
        s += np.sum(d[k] ** 2)
    return s
""",
    v(4),
    ["a", "b", "a"],
)

case(
    "an entry that is read before it is updated",
    """
def f(x, names: list):
    d = {}
    for k, e in zip(names, x):
        d[k] = e * x[0]
    y = d["a"]
    d["a"] += x[3] * d["b"]
    s = y * x[1]
    for k in d:
        s += d[k] ** 2
    return s
""",
    v(4),
    ["a", "b", "a"],
)

case(
    "copies of dict parameters, with another rate, in helpers and in a loop",
    """
import numpy as np


def loss(p, rate):
    return np.sum(p["w"] ** 2) * p["b"] * rate + p["rate"]


def f(params, rate, x):
    new = dict(params)
    new["w"] = new["w"] * rate
    other = {**params, "b": x * rate, "rate": 3.0}
    third = params.copy()
    third["b"] = third["b"] + x
    for _ in range(2):
        params = {**params, "b": params["b"] * x}
    total = loss(new, rate) + loss(other, x) + loss(third, 2.0) + loss(params, rate)
    return total + loss({**params, "b": rate}, 1.0) + loss(dict(params, rate=x), rate)
""",
    {"w": v(3), "b": 0.8, "rate": 0.3},
    0.7,
    1.2,
)

case(
    "entries that are numbered, and entries in pairs",
    """
import numpy as np


def f(params, rates, x):
    names = list(params)
    total = 0.0
    for i, (name, w) in enumerate(params.items()):
        total += (i + 1) * np.sum(w**2) * rates[name]
    for i, w in enumerate(params.values(), 1):
        if i > 1:
            total += x * np.sum(w)
    for w, (key, rate) in zip(params.values(), rates.items()):
        total += np.sum(w) * rate * len(key)
    for i, name in enumerate(names):
        total += np.sum(params[name]) * i
    scaled = {key: rate * x for (key, rate), k in zip(rates.items(), range(9)) if k < 9}
    total += sum(rate * (i + 2) for i, rate in enumerate(scaled.values()))
    for i, key in enumerate(scaled):
        total *= 1.0 + 0.1 * i * scaled[key]
    return total
""",
    {"w": v(3), "b": v(2)},
    {"w": 0.3, "b": 0.9},
    0.7,
)

case(
    "loops over dicts of known keys, numbered, with continue and with break",
    """
import numpy as np

FIXED = {"c"}


def f(c, k, dt):
    rates = {"a": -k * c["a"], "b": k * c["a"] - c["b"], "c": k * c["b"]}
    new = dict(c)
    for s in rates:
        if s in FIXED:
            continue
        new[s] = new[s] + dt * rates[s]
    for s in rates:
        if s == "c":
            break
        new[s] = new[s] * (1.0 + dt)
    total = 0.0
    for i, s in enumerate(rates):
        total += i * rates[s]
    for s, r in rates.items():
        if r > 1e9:
            break
        total += r**2
    return total + sum(v * (i + 1) for i, v in enumerate(new.values()) if i not in {1, 3})
""",
    {"a": 1.1, "b": 0.4, "c": 0.2},
    0.7,
    0.1,
)
case(
    "entries under labels that may be a list, one of which comes twice",
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
    "arrays in a dict, which are written",
    """
import numpy as np


def f(x, labels: list):
    d = {}
    for k in labels:
        d[k] = np.zeros(2)
    for k, e in zip(labels, x):
        d[k][0] += e
    return sum(np.sum(d[k] ** 2) for k in d)
""",
    v(4),
    ["a", "b", "a", "c"],
)
case(
    "entries that a helper reads, of a dict that nothing is said of, under the keys of another one",
    """
def twice(d, k):
    return 2.0 * d[k]


def f(p: dict, p_dot, x):
    s = 0.0
    for i, k in enumerate(p):
        s = s + i * twice(p_dot, k) * x
    return s
""",
    {"a": 0.8, "b": 0.35, "c": 1.2},
    {"a": -0.3, "b": 0.6, "c": 0.2},
    0.7,
    wrt=("p_dot", "x"),
)
case(
    "arrays in a dict, which are written, of entries that begin as a number",
    """
import numpy as np


def mark(q, k):
    q[1] = k * q[1]


def f(u, v, k: float, n: int):
    d = {}
    u = u.copy()
    for i in range(n):
        d[i % 3] = d.get(i % 3, 0.0) + u
        mark(u, k)
        d[0][0] = k
        d[i % 3] = u
        u = v * u
    return np.sum(u) + np.sum(d[0] * d[1])
""",
    v(2),
    v(2) + 0.4,
    0.6,
    4,
    wrt=("u", "v", "k"),
)
