"""Random programs over objects whose constructors compute and append: their parts are variables, and the texts of their
methods stand where they are called.

A method is called twice in one expression, in comprehensions, lambdas and functions inside, by another name, in loops
and beside calls of others that change the same object. Its locals have one name for all calls: what the first has
returned must not be what the second one binds.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program
from snippets import Thing, filled, finished, function, indented, with_terms

VECTORS = ["u", "w", "u * w", "n.a", "0.5 * u", "w + m.a", "n.g(u)", "m.g(w)", "n.h(w)", "n.g(m.h(u))", "m.c(u)"]
NUMBERS = [
    "x",
    "s",
    "n.k",
    "m.k",
    "n.r(<v>)",
    "m.r(<v>)",
    "n.p(<v>)",
    "n.parts[0]",
    "m.parts[-1]",
    "u[1]",
    "np.sum(<v>)",
]
# of methods: of a vector, with what they read and change
BODIES_OF_VECTORS = [
    "for p in self.parts:\n    v = np.tanh(p * v)\nreturn v",
    "y = v * self.k\nfor p in self.parts:\n    y = y * p + v\nreturn y",
    "self.parts.append(v[0])\nv = v * self.parts[-1]\nreturn v",
    "self.k = self.k * 0.5 + v[1]\nreturn self.k * v",
    "self.a = self.a * 0.7 + v\nreturn self.a",
    "self.a[0] += v[0]\ny = np.zeros(3)\ny[:] = self.a * v\nreturn y",
    "if v[0] > 0.2:\n    return v * self.k\nself.k = self.k + 0.3\nv = v - self.k\nreturn v",
    "z = [v, v * self.k]\nfor p in self.parts:\n    z.append(z[-1] * p)\nreturn z[-1] + z[1]",
    "d = {'a': v * self.k}\nd['a'] = d['a'] + self.a\nreturn d['a']",
    "q = Pair(v, self.k)\nq.v = q.v * q.t\nreturn q.v",
    "v = self.c(v) * self.c(v * 0.5)\nreturn v",
    "for i in range(3):\n    if v[i] > 0.8:\n        break\n    self.a[i] = self.a[i] * v[i]\nreturn self.a * 1.0",
    "return self.c(v) + self.k",
]
BODIES_OF_NUMBERS = [
    "t = v @ self.a\nreturn t * self.k",
    "self.k = self.k + 0.1 * np.sum(v)\nreturn self.k",
    "t = self.k\nfor p in self.parts:\n    t = t * p + v[2]\nreturn t",
    "self.parts.append(v[0] * self.k)\nreturn self.parts[-1] * self.parts[0]",
    "e = self.c(v) - v\nreturn e @ e",
    "if v[0] > 0.5:\n    return v[1]\nt = v[2] * self.k\nreturn t",
    "self.parts[0] = self.parts[0] * 0.9 + v[1]\nreturn self.parts[0]",
]
CONSTRUCTORS = [
    "self.k = k\nself.a = a * 0.5\nself.parts = []\nfor t in a[:2]:\n    self.parts.append(t * k)",
    "self.k = k + a[0]\nself.a = np.array(a)\nself.parts = [k * t for t in a[1:]]",
    "self.parts = [k]\nself.parts.append(a[1] * k)\nself.a = a + self.parts[1]\nself.k = self.parts[0] * 0.5",
    "self.a, self.k, self.parts = a * 1.0, k * 1.5, [a[0], k]\nself.parts.append(self.k)",
]
STATEMENTS = [
    "u = <v> * <v>",
    "u = <v> + <e> * <v>",
    "u += <v>",
    "w = <v> - <v>",
    "s = <e> * <e>",
    "s = s + <e> - <e>",
    "s += n.r(<v>)",
    "n.k = <e> * 0.5",
    "m.a = <v> * 1.0",
    "n.a[1] = <e>",
    "m.parts.append(<e>)",
    "n.p(<v>)",
    "u, w = <v> * 1.0, <v> * 0.5",
    "s = max(<e>, <e>)",
    "s = s + np.minimum(<e>, 2.0)",
    "u = mul(<v>, <v>)",
    "u = twice(n, <v>) * <v>",
    "s = s + sum(n.r(t) for t in (u, w))",
    "s = s + sum([m.r(t * <e>) for t in (u, w)]) * <e>",
    "z = [n.g(t) for t in (u, w)]\nu = z[0] * z[1]",
    "g = lambda t: n.g(t) + m.c(t)\nu = g(u) * g(w)",
    "def g(t):\n    y = n.c(t)\n    return y * n.k\nw = g(u) - g(w) * <e>",
    "g = m.c\nw = g(u) * g(w)",
    "u = step(n.c, <v>)",
    "for i in range(2):\n    u = <v> * 0.5\n    s = s + <e>",
    "for t in (u, w):\n    s = s + n.r(t) * m.r(t)",
    "for i in range(2):\n    if s > 0.4:\n        n.k = n.k * 0.5\n    s = s * 0.5 + n.r(u)",
    "if <e> > 0.3:\n    u = <v>\nelse:\n    s = <e>",
    "if s > 5.0:\n    return n.r(u) * m.r(w)",
    "while s < 1.0:\n    s = s + 0.6 + 0.1 * np.tanh(n.r(u))",
    "o = Net(<v>, <e>)\nu = o.g(u) * o.c(w)",
    "n = Net(<v>, <e>)",
]
THINGS = [
    Thing("u", ("u = a * x",), "np.sum(u * u)"),
    Thing("w", ("w = a + 0.3",), "w[0] * w[2]"),
    Thing("s", ("s = x * 0.5",), "s"),
    Thing("n", ("n = Net(a, x)",), "n.k * n.a[1] + n.parts[-1]"),
    Thing("m", ("m = Net(a * x, 0.4)", "m = Net(np.cos(a), x * x)"), "m.k + m.a[0] * m.parts[0]"),
]
MODULE = """import numpy as np


class Pair:
    def __init__(self, v, t):
        self.v = v
        self.t = t


class Net:
    def __init__(self, a, k):
{init}

    def g(self, v):
{g}

    def h(self, v):
{h}

    def c(self, v):
        y = v * 0.5
        for p in self.parts:
            y = y + np.sin(p * v)
        return y

    def r(self, v):
{r}

    def p(self, v):
{p}


def mul(a, b):
    return a * b + a


def twice(net, v):
    return net.g(v) + net.h(v * 0.5)


def step(fun, v):
    k = fun(v)
    return v + 0.1 * fun(v + 0.5 * k)


"""


def program(r: random.Random, size: int) -> Program | None:
    """A program of at most size statements behind what they work on, None where it cannot be run."""
    draw = {key: r.choice(BODIES_OF_VECTORS) for key in "gh"} | {key: r.choice(BODIES_OF_NUMBERS) for key in "rp"}
    draw["init"] = r.choice(CONSTRUCTORS)
    fill = {
        "v": lambda: r.choice(VECTORS),
        "e": lambda: filled(r.choice(NUMBERS), {"v": lambda: r.choice(VECTORS[:5])}),
    }
    parts = [filled(r.choice(STATEMENTS), fill) for _ in range(r.randint(1, size))]
    if r.random() < 0.2:
        parts = ["for _ in range(2):\n" + indented("\n".join(parts))]
    statements = with_terms(r, THINGS, "n m u w s", parts)
    module = MODULE.format(**{key: indented(indented(text)) for key, text in draw.items()})
    stated = "a (3,), x ()" if r.random() < 0.8 else ""
    return finished(module + function("x, a", stated, statements), (0.7, np.array([0.9, -0.4, 0.6])), ("x", "a"))
