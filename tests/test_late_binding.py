"""What functions capture is read when they are called; functions, and objects of loops, under names bound again."""

from __future__ import annotations

import numpy as np
import pytest

import checking
from programs import Program

pytestmark = pytest.mark.table

HEAD = """import numpy as np


def compose(f, g):
    return lambda y: f(g(y))


def scaled(f, c):
    return lambda y: c * f(y)


def twice(f, n=2):
    def composed(y):
        for _ in range(n):
            y = f(y)
        return y

    return composed


def offset(f, c):
    b = f(c)
    return lambda y: f(y) - b


class Scale:
    rate = 0.5

    def __init__(self, k, w):
        self.k = k
        self.w = w

    def __call__(self, y):
        return self.k * y

    def apply(self, y):
        return self.k * y + self.w


"""
U = np.array([0.4, 0.7, 0.3])
V = np.array([0.6, 0.25, 0.85])
PROGRAMS = {
    "composed lambdas": """
def f(u, v, k):
    g = compose(lambda y: k * y, lambda y: y + 1.0)
    k = k * 2.0
    return np.sum(g(u) * v)
""",
    "a nested function, composed": """
def f(u, v, k):
    def scale(y):
        return k * y

    g = compose(scale, np.sin)
    k = k * 2.0
    return np.sum(g(u) * v)
""",
    "a maker inside of the function": """
def f(u, v, k):
    def twice(f):
        return lambda y: f(f(y))

    g = twice(lambda y: k * y)
    k = k * 2.0
    return np.sum(g(u) * v)
""",
    "handed to a nested function": """
def f(u, v, k):
    def call(f, y):
        return f(y)

    def scale(y):
        return k * y

    k = k * 2.0
    a = call(scale, u)
    k = k * 2.0
    return np.sum(call(scale, u) * v * a)
""",
    "rebound by the nested function that calls it": """
def f(u, v, k):
    def call(f, y):
        nonlocal k
        k = k * 3.0
        return f(y)

    a = call(lambda y: y * k, u)
    return np.sum(v * a)
""",
    "scaled, and the factor is read at once": """
def f(u, v, k):
    g = scaled(lambda y: k * y, k)
    k = k * 2.0
    return np.sum(g(u) * v)
""",
    "scaled twice": """
def f(u, v, k):
    g = scaled(scaled(lambda y: k * y, k), k * 3.0)
    k = k * 2.0
    h = scaled(g, k)
    k = k * 2.0
    return np.sum(g(u) * h(v))
""",
    "applied again and again": """
def f(u, v, k):
    g = twice(lambda y: k * y)
    h = twice(g, 3)
    k = k * 0.7
    return np.sum(g(u) * h(v))
""",
    "called at once, and later": """
def f(u, v, k):
    g = offset(lambda y: k * y, u)
    k = k * 0.7
    return np.sum(g(v) * v)
""",
    "called in a loop that rebinds": """
def f(u, v, k):
    r = 0.0
    g = offset(lambda y: k * y, u)
    for c in v:
        k = k * c
        r += np.sum(g(v) * v)
    return r
""",
    "made in a loop": """
def f(u, v, k):
    r = 0.0
    for c in v:
        g = scaled(lambda y: c * y, k)
        k = k * c
        r += np.sum(g(v) * v)
    c = 2.0
    return r + np.sum(g(u))
""",
    "a list of composed functions": """
def f(u, v, k):
    gs = [scaled(lambda y: k * y, c) for c in (0.5, 1.5)]
    k = k * 2.0
    return np.sum(gs[0](u) * gs[1](v))
""",
    "a dict of composed functions": """
def f(u, v, k):
    gs = {"a": scaled(lambda y: k * y, k), "b": scaled(np.sin, k)}
    k = k * 2.0
    return np.sum(gs["a"](u) * gs["b"](v))
""",
    "an array that is captured, written and rebound": """
def f(u, v, k):
    u = u.copy()
    g = scaled(lambda y: u * y, k)
    u[0] = 3.0 * k
    a = g(v)
    u = u * 2.0
    return np.sum(a * g(v))
""",
    "nested functions of composed ones": """
def f(u, v, k):
    def rate(y):
        return k * y

    g = scaled(rate, 2.0)

    def rate2(y):
        return g(y) * k

    h = scaled(rate2, k)
    k = k * 3.0
    return np.sum(h(u) * g(v))
""",
    "a name for the first, then another function": """
def f(u, v, k):
    def g(y):
        return k * y

    g2 = g
    g = lambda y: g2(y) * 2.0
    return np.sum(g(u) * v)
""",
    "a lambda, then another": """
def f(u, v, k):
    g = lambda y: k * y
    g2 = g
    g = lambda y: g2(y) * 2.0
    return np.sum(g(u) * v)
""",
    "one of two, then another": """
def f(u, v, k):
    g = np.sin
    if k > 0.5:
        g = np.cos
    g2 = g
    g = lambda y: g2(y) * 2.0
    return np.sum(g(u) * v)
""",
    "a maker that captures": """
def f(u, v, k):
    def make(c):
        return lambda y: c * y * k

    g = make(u)
    k = k * 3.0
    return np.sum(g(u) * v)
""",
    "a maker with an inner def": """
def f(u, v, k):
    def make(c):
        def g(y):
            return c * y * k
        return g

    g = make(k)
    h = make(2.0)
    return np.sum(g(u) * h(v))
""",
    "a lambda that makes one": """
def f(u, v, k):
    g = (lambda c: lambda y: c * y)(k)
    return np.sum(g(u) * v)
""",
    "a maker of a known function": """
def f(u, v, k):
    def twice(f):
        return lambda y: f(f(y))

    g = twice(np.sin)
    return np.sum(g(u) * v)
""",
    "a maker that takes any number": """
def f(u, v, k):
    def compose(*fs):
        def inner(y):
            for f in fs:
                y = f(y)
            return y

        return inner

    g = compose(np.sin, lambda y: y * k)
    return np.sum(g(u) * v)
""",
    "decorated by hand, twice": """
def f(u, v, k):
    def make(f):
        return lambda y: f(y) * k

    g = lambda y: k * y
    g = make(g)
    g = make(g)
    k = k * 2.0
    return np.sum(g(u) * v)
""",
    "two choices, one after the other": """
def f(u, v, k):
    g = lambda y: k * y
    if k > 0.5:
        g = np.sin
    a = g(u)
    g = lambda y: u * y
    if k > 0.9:
        g = np.cos
    return np.sum(g(u) * v * a)
""",
    "a lambda over an object of a loop": """
def f(u, v, k):
    r = 0.0
    for _ in range(2):
        S = Scale(k, u)
        g = lambda y: S.k * y + S.w
        r += np.sum(g(v))
        k = k * 0.5
    return r + np.sum(g(u)) + k
""",
    "an object of a loop, called": """
def f(u, v, k):
    for _ in range(2):
        S = Scale(k, u)
        g = S
        r = np.sum(g(v))
        k = k * 0.5
    return r + np.sum(g(u))
""",
    "a method of an object of a loop": """
def f(u, v, k):
    for _ in range(2):
        S = Scale(k, u)
        g = S.apply
        k = k * 0.5
    return np.sum(g(u))
""",
    "an object of a loop, read behind it": """
def f(u, v, k):
    for _ in range(2):
        S = Scale(k, u)
        k = k * 0.5
    return np.sum(S.k * u + S.w)
""",
    "an object of a branch in a loop": """
def f(u, v, k):
    r = 0.0
    for c in v:
        if c > 0.3:
            S = Scale(k, u * c)
        r += np.sum(S.w) * S.k
    return r + S.k
""",
    "an object of a loop, written": """
def f(u, v, k):
    r = 0.0
    for c in v:
        S = Scale(k * c, u * c)
        S.w[0] = S.k * c
        r += np.sum(S.w * v) * S.k
    return r + S.k + np.sum(S.w ** 2)
""",
    "a tuple of a loop, read behind it": """
def f(u, v, k):
    r = 0.0
    for c in v:
        S = (k * c, (u * c, v))
        r += np.sum(S[1][0] * v) * S[0]
    a, b = S
    return r + a + np.sum(b[0] * b[1])
""",
    "a list bound before the loop, too": """
def f(u, v, k):
    r = 0.0
    S = [y for y in u]
    for c in v:
        S = [y * c for y in u]
        k = k * 0.5
        r += S[0]
    return r + S[1] * k
""",
    "a method of an object without a name": """
def f(u, v, k):
    g = Scale(k, u).apply
    k = k * 2.0
    return np.sum(g(u)) * k
""",
    "a method of an object without a name, in a loop": """
def f(u, v, k):
    r = 0.0
    for c in v:
        g = Scale(k * c, u).apply
        k = k * 2.0
        r += np.sum(g(u)) * k
    return r
""",
    "a function, and then an object that is called": """
def f(u, v, k):
    h = np.tanh
    r = np.sum(h(u))
    h = Scale(k, u)
    return r + np.sum(h(v))
""",
    "a function, and then a lambda": """
def f(u, v, k):
    h = np.tanh
    r = np.sum(h(u))
    g = lambda y: k * y
    h = g
    return r + np.sum(h(v))
""",
    "a function, and then itself or another": """
def f(u, v, k):
    def g(y):
        return k * y

    g = np.sin if k > 0.5 else g
    return np.sum(g(u) * v)
""",
    "a function, and then a number": """
def f(u, v, k):
    def g(y):
        return k * y

    g = np.sum(g(u))
    return np.sum(g * v)
""",
}


@pytest.mark.parametrize("stated", ["", "# s2s: u (n,), v (n,), k ()\n"], ids=["shapeless", "stated"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, stated: str) -> None:
    source = HEAD + stated + PROGRAMS[name].lstrip()
    program = Program(source, (U, V, 0.7), ("u", "v", "k"), ("u", "v", "k"), True)
    for emit in (("vjp", "jvp"), ("grad",)):
        verdict = checking.check(program, emit, seed=1, margin=0.0)
        assert verdict.kind == "right", verdict
