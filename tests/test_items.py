"""Objects and dicts in a list, whose attributes and entries are bound anew: each derivative is right, or refused.

Each program is a function `f` of an array of four numbers.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import checking
from programs import Program
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

HEAD = """
import numpy as np
from types import SimpleNamespace


class P:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def move(self, dt):
        self.x = self.x + self.v * dt

    def kick(self, other, dt):
        self.v += dt * (other.x - self.x)


class Pair:
    def __init__(self, x):
        self.bodies = [P(xi, 0.0) for xi in x]

    def step(self, h):
        for body in self.bodies:
            for other in self.bodies:
                if other is not body:
                    body.kick(other, h)
        for body in self.bodies:
            body.move(h)

    def double(self):
        self.bodies = [P(p.x * 2.0, p.v) for p in self.bodies]


class Q:
    def __init__(self, x):
        self.x = x
        self.v = np.zeros(4)
        self.age = 0

    def step(self, dt):
        self.v = self.v - dt * self.x
        self.x = self.x + dt * self.v
        self.age += 1

    def energy(self):
        return 0.5 * np.sum(self.v ** 2) + 0.5 * np.sum(self.x ** 2)


class S:
    def __init__(self, x):
        self.x = x
        self.y = x


def distance(a, b):
    return (a.x - b.x) ** 2 + 0.1


class Box:
    def __init__(self, x):
        self.bodies = [P(xi, 0.0) for xi in x]
        self.n = 0

    def step(self):
        for b in self.bodies:
            b.v += b.x
            b.x *= b.v
        self.n += 1

    def add(self, x):
        self.bodies.append(P(x, 1.0))

    def total(self):
        return sum(b.x for b in self.bodies)


def advance(bodies, dt):
    for b in bodies:
        b.x += dt * b.v


def energy(ps):
    return sum(p.v ** 2 for p in ps)


"""

RIGHT = {
    "fields with the names of methods and attributes of arrays": """
class Stats:
    def __init__(self, x):
        self.mean = np.mean(x)
        self.sum = np.sum(x)
        self.T = x * 2.0
        self.real = x[0]


def f(x):
    stats = [Stats(x * k) for k in range(1, 3)]
    return sum(s.mean * s.sum * s.T[0] for s in stats) * stats[0].real
""",
    "objects that are made in the items": """
def f(x):
    ps = [SimpleNamespace(m=x[k], s=SimpleNamespace(y=x * 2.0, z=1.0)) for k in range(3)]
    for k in range(3):
        ps[k].s.y += 0.5 * ps[k].m
        ps[k].s.y[0] = ps[k].s.y[1] ** 2
        ps[k].m = ps[k].m * ps[k].s.z
    for p in ps:
        p.s.z = p.s.z + p.m
    return ps[0].s.y @ ps[2].s.y * ps[1].s.z + np.sum(x**2)
""",
    "an array that lies in all items": """
def f(x):
    w = x * 2.0
    ps = [P(x[i], w) for i in range(2)]
    for p in ps:
        p.v += p.x
    return np.sum(w) + sum(p.x for p in ps)
""",
    "an array that has a name and is written through the item": """
def f(x):
    ps = [P(x[i], np.zeros(2)) for i in range(2)]
    for p in ps:
        p.v += p.x
    a = ps[0].v
    ps[0].v += 1.0
    return np.sum(a * ps[1].v)
""",
    "arrays that are bound anew, and written into": """
def f(x):
    ps = [P(x * i, np.zeros(4)) for i in range(3)]
    for p in ps:
        p.v[1:] = p.x[:-1] * 2.0
        p.x = p.v * p.x
    return sum(np.sum(p.x) for p in ps)
""",
    "arrays of items that are written into": """
def f(x):
    ps = [P(x * i, x) for i in range(3)]
    for p in ps:
        p.x[0] = p.v[1] * 2.0
    return sum(np.sum(p.x) for p in ps)
""",
    "pairs of items that have names": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    for s in range(3):
        for i in range(4):
            a = ps[i]
            for j in range(i + 1, 4):
                b = ps[j]
                d = b.x - a.x
                f = d / (d ** 2 + 0.5)
                a.v += 0.1 * f
                b.v -= 0.1 * f
        for p in ps:
            p.x += 0.1 * p.v
    return sum(p.x ** 2 for p in ps) + ps[0].v
""",
    "methods that change items, and a constructor that makes more than it is given": """
def f(x):
    qs = [Q(x * i) for i in range(1, 3)]
    for k in range(3):
        for q in qs:
            q.step(0.1)
    return sum(q.energy() for q in qs)
""",
    "items of what is looped over, and a loop that ends by one of their parts": """
def f(x):
    ps = [SimpleNamespace(x=xi, n=0) for xi in x]
    for p in ps:
        while p.x < 2.0:
            p.x = p.x * 1.5 + 1.0
            p.n = p.n + 1
    return sum(p.x for p in ps)
""",
    "a list that grows, and items before the last one": """
def f(x):
    ps = []
    for i in range(4):
        ps.append(P(x[i], 1.0))
        if i > 0:
            ps[i].v = ps[i - 1].x * ps[i].x
    for i, p in enumerate(ps):
        p.x = p.x * i + p.v
    best = ps[0].x
    for p in ps:
        if p.x > best:
            best = p.x
    return best * ps[2].v
""",
    "parts that change places": """
def f(x):
    ps = [P(x[0], x[1]), P(x[2], x[3])]
    out = []
    for k in range(3):
        for p in ps:
            p.x, p.v = p.v, p.x * 0.5
        out.append(ps[0].x + ps[1].v)
    return sum(out)
""",
    "a part that had another name before": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    for p in ps:
        old = p.x
        p.x = p.x * 2.0
        p.v = old * p.x
    return sum(p.v for p in ps)
""",
    "a list of parts, made before they change": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(3)]
    s = [p.x for p in ps]
    for p in ps:
        p.x = p.x ** 2
    return sum(s) + sum(p.x for p in ps) + max(p.x for p in ps)
""",
    "a loop that is left": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(3)]
    for p in ps:
        p.x = p.x ** 2
        if p.x > 0.5:
            break
    else:
        ps[0].x = 0.0
    return ps[0].x * ps[1].x
""",
    "a loop over the list inside of another one": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(3)]
    for p in ps:
        if p.x < 0:
            continue
        p.v = p.x ** 3
        for q in ps:
            q.x = q.x + p.v
    return sum(p.x * p.v for p in ps)
""",
    "integers to begin with": """
def f(x):
    ps = [P(x[i], 0) for i in range(3)]
    for k in range(2):
        for p in ps:
            p.v = p.x
            p.x = p.x * p.v
    return sum(p.x + p.v for p in ps)
""",
    "parts of the item before": """
def f(x):
    ps = [P(x[i], x[i]) for i in range(4)]
    for i in range(1, 4):
        ps[i].x = ps[i - 1].x * ps[i].v
        ps[i - 1].v = ps[i].x
    return sum(p.x * p.v for p in ps)
""",
    "items by numbers from the end": """
def f(x):
    ps = [P(x[i], x[i]) for i in range(4)]
    ps[-1].x = ps[0].x ** 2
    ps[3].v = ps[-1].x * 3
    return ps[3].v + ps[-1].x
""",
    "items that are chosen": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4) if x[i] > 0]
    for p in ps:
        p.v = p.x ** 2
    return sum(p.v for p in ps)
""",
    "a list in a loop": """
def f(x):
    out = 0.0
    for k in range(3):
        ps = [P(x[i] * k, 0.0) for i in range(4)]
        for p in ps:
            p.v = p.x ** 2
        out = out + sum(p.v for p in ps)
    return out
""",
    "items in an order that is known when the function runs": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    order = sorted(range(4), key=lambda i: -i)
    for i in order:
        ps[i].v = ps[i].x * i
    return sum(p.v * p.x for p in ps)
""",
    "a number that is bound again between two items": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    i = 2
    ps[i].x = 5.0 * x[1]
    i = 1
    ps[i].x = ps[i + 1].x * 2
    return ps[1].x * ps[2].x
""",
    "cells of dicts, by their numbers and by name": """
def f(x):
    cells = [{"t": x[i], "q": 0.0} for i in range(4)]
    for s in range(3):
        for i in range(4):
            left = cells[i - 1]["t"] if i > 0 else 0.0
            right = cells[i + 1]["t"] if i < 3 else 0.0
            cells[i]["q"] = left - 2 * cells[i]["t"] + right
        for c in cells:
            c["t"] += 0.1 * c["q"]
    return sum(c["t"] ** 2 for c in cells)
""",
    "items that are compared": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    for p in ps:
        for q in ps:
            if p is not q:
                p.v += (q.x - p.x) ** 3
    for p in ps:
        p.x += p.v
    return max(p.x for p in ps) + min(p.v for p in ps)
""",
    "a part behind `finally`": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    for p in ps:
        try:
            p.v = p.x ** 2
        finally:
            p.x = p.v * 2
    return sum(p.x for p in ps)
""",
    "a list without items": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(0)]
    y = x[0]
    for p in ps:
        p.v = p.x ** 2
        y = y * p.v
    return y
""",
    "numbers of a loop that are read behind it": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    k = 0
    for i, p in enumerate(ps):
        if i == 2:
            k = i
        p.v = p.x * ps[k].x
    return sum(p.v for p in ps) + ps[i].v
""",
    "integers and truth values to begin with": """
def f(x):
    ps = [P(0, False) for i in range(3)]
    for i in range(3):
        ps[i].x = x[i] * 2
        ps[i].v = ps[i].x > 0
    return sum(p.x ** 2 for p in ps if p.v)
""",
    "counts beside sums": """
def f(x):
    ps = [{"n": 0, "s": 0} for i in range(3)]
    for k in range(7):
        ps[k % 3]["n"] += 1
        ps[k % 3]["s"] += x[k % 4]
    return sum(p["s"] / p["n"] for p in ps)
""",
    "integers that are put in between": """
def f(x):
    d = [{"n": 0} for i in range(2)]
    for r in d:
        r["n"] = r["n"] + x[0]
    d[0]["n"] = 3
    return d[0]["n"] * x[1] + d[1]["n"]
""",
    "a method of an item by its number": """
def f(x):
    v = x ** 2
    ps = [P(x * i, v + i) for i in range(3)]
    for k in range(4):
        for i in range(3):
            ps[i].move(0.1)
    return sum(np.sum(p.x ** 2) for p in ps)
""",
    "parts that the reverse sweep restores before a loop": """
def f(x):
    v = x ** 2
    ps = []
    for i in range(3):
        ps.append(P(x[i], v[i]))
    for k in range(4):
        for i in range(3):
            f = 0.0
            for j in range(3):
                if i != j:
                    f = f + np.sin(ps[i].x - ps[j].x)
            ps[i].v = ps[i].v + 0.1 * f
        for i in range(3):
            ps[i].x = ps[i].x + 0.1 * ps[i].v
    return sum(p.x ** 2 for p in ps)
""",
    "items that are lent to a function": """
def f(x):
    ps = [P(x[i], x[i]) for i in range(4)]
    for i in range(1, 4):
        ps[i].v = distance(ps[i], ps[i - 1])
    return sum(p.v for p in ps)
""",
    "a list that is lent to a function": """
def f(x):
    ps = [P(x[i], x[i]) for i in range(4)]
    e = 0.0
    for k in range(2):
        for p in ps:
            p.v = p.v * 0.5 + p.x
        e += energy(ps)
    return e
""",
    "a function that changes the items of a list": """
def f(x):
    v = x ** 2
    ps = [P(x[i], v[i]) for i in range(4)]
    for k in range(3):
        advance(ps, 0.1)
    return sum(p.x ** 2 for p in ps)
""",
    "items that have a name until the list has them": """
def f(x):
    v = x ** 2
    ps = []
    for xi, vi in zip(x, v):
        b = P(xi, vi)
        ps.append(b)
    for p in ps:
        p.x += p.v
    return sum(p.x ** 2 for p in ps)
""",
    "parts that are returned": """
def f(x):
    v = x ** 2
    ps = [P(x[i], v[i]) for i in range(4)]
    for p in ps:
        p.x += p.v
    return sum([p.x for p in ps])
""",
    "a list that is an attribute, and grows": """
def f(x):
    a = Box(x)
    a.step()
    a.add(x[0])
    a.step()
    return a.total()
""",
    "an object with a list in each round": """
def f(x):
    s = 0.0
    for k in range(2):
        a = Box(x * (k + 1))
        a.step()
        s += a.total()
    return s
""",
    "items of an attribute by their numbers": """
def f(x):
    a = Box(x)
    for i in range(3):
        a.bodies[i].x += a.bodies[i + 1].x
    hist = [a.total()]
    a.step()
    hist.append(a.total())
    return hist[0] * hist[1]
""",
    "a loop over methods, until an attribute says stop": """
def f(x):
    a = Box(x)
    while a.n < 3:
        a.step()
        for b in a.bodies:
            b.x = np.tanh(b.x)
    return a.total()
""",
    "items beside those of another list, and backwards": """
def f(x):
    v = x ** 2
    ps = [P(x[i], v[i]) for i in range(4)]
    ms = [1.0, 2.0, 3.0, 4.0]
    for p, m in zip(ps, ms):
        p.v += m * p.x
    for p in reversed(ps):
        p.x *= p.v
    return sum(p.x for p in ps)
""",
    "items of two lists": """
def f(x):
    v = x ** 2
    ps = [P(x[i], v[i]) for i in range(4)]
    qs = [P(v[i], x[i]) for i in range(3)]
    for p, q in zip(ps, qs):
        p.x = q.x * p.v
        q.v = p.x ** 2
    return sum(p.x for p in ps) + sum(q.v for q in qs)
""",
    "items beside those of an array, and parts beside them": """
def f(x):
    v = x ** 2
    ps = [P(x[i], v[i]) for i in range(4)]
    for p, xi in zip(ps, x):
        p.x = p.x * xi
    return sum(p.x * w for p, w in zip(ps, v))
""",
    "rows of arrays that are added up in cells": """
def f(x):
    x = np.outer(x, x)
    cells = [{"s": 0.0} for _ in range(2)]
    for i in range(3):
        cells[i % 2]["s"] += x[i]
    return np.sum(cells[0]["s"] * cells[1]["s"])
""",
    "methods of the items of an attribute": """
def f(x):
    c = Pair(x)
    for _ in range(3):
        c.step(0.1)
    return sum(b.x * b.v for b in c.bodies)
""",
    "a list of new items in the place of its own": """
def f(x):
    c = Pair(x)
    ps = [P(xi, 0.5) for xi in x]
    for _ in range(2):
        c.step(0.1)
        c.double()
        for p in ps:
            p.x = p.x * 1.5
        ps = [P(p.x * 2.0, p.v) for p in ps]
    return sum(b.x * b.v for b in c.bodies) + sum(p.x for p in ps)
""",
    "a list whose type is stated": """
def f(x):
    ps: list[P] = [P(xi, 0.0) for xi in x]
    for p in ps:
        p.x = p.x * 2.0
    return sum(p.x for p in ps)
""",
    "an object in an item that has a name": """
def f(x):
    ps = [SimpleNamespace(m=x[k], s=SimpleNamespace(y=x[k] ** 2)) for k in range(3)]
    s = ps[0].s
    ps[0].s.y = ps[0].s.y + ps[0].m
    return s.y * ps[1].s.y
""",
    "an object in items, in a list of its own": """
def f(x):
    ps = [SimpleNamespace(m=x[k], s=SimpleNamespace(y=x[k] ** 2)) for k in range(3)]
    ss = [p.s for p in ps]
    ps[0].s.y = ps[0].s.y + ps[0].m
    return ss[0].y * ps[1].s.y
""",
    "an object inside of items that lies in all of them": """
def f(x):
    s = SimpleNamespace(y=x[0] ** 2)
    ps = [SimpleNamespace(m=x[k], s=s) for k in range(3)]
    ps[0].s.y = ps[0].s.y + ps[0].m
    return ps[1].s.y * ps[2].m
""",
    "a list that grows while an item has a name": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(3)]
    first = ps[0]
    ps.append(P(x[3], 1.0))
    for p in ps:
        p.x = p.x * first.x
    return sum(p.x for p in ps)
""",
    "a name that is read behind its loop": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(3)]
    for p in ps:
        p.x = p.x * 2.0
    p.x = 5.0
    return sum(q.x for q in ps)
""",
    "a number that changes while an item has a name": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(3)]
    n = 0
    while n < 3:
        p = ps[n]
        n += 1
        p.x = p.x * n
    return sum(q.x for q in ps)
""",
    "a second name of the list": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(3)]
    qs = ps
    qs[0].x = 3.0
    ps[1].x = ps[0].x * ps[2].x
    return sum(q.x for q in qs)
""",
    "lists of lists": """
def f(x):
    groups = [[P(x[i], 0.0) for i in range(2)] for _ in range(2)]
    for g in groups:
        for p in g:
            p.v = p.x ** 2
    return sum(p.v for g in groups for p in g)
""",
    "a number of a loop that is bound anew": """
def f(x):
    ps = [P(x[i], 0.0) for i in range(4)]
    for i, p in enumerate(ps):
        i = i + 1
        p.v = p.x * i
    return sum(p.v for p in ps)
""",
    "a list that is an attribute, under another name": """
def f(x):
    a = Box(x)
    bs = a.bodies
    bs[0].x = 2.0
    a.step()
    return a.total()
""",
    "an item that a method gives back": """
def f(x):
    a = Box(x)
    f = a.bodies[0]
    a.add(x[1])
    a.step()
    return f.x * a.total()
""",
    "an object that lies in all items": """
def f(x):
    c = P(x[0], 1.0)
    ps = [P(c, xi) for xi in x]
    for p in ps:
        p.x.v = p.x.v * p.v
    return c.v * x[1]
""",
}

REFUSED = {
    "an object in an item that a helper returns": (
        "S239",
        """
def inner(p):
    return p.s

def f(x):
    ps = [SimpleNamespace(m=x[k], s=SimpleNamespace(y=x[k] ** 2)) for k in range(3)]
    s = inner(ps[0])
    ps[0].s.y = ps[0].s.y + ps[0].m
    return s.y * ps[1].s.y
""",
    ),
    "an argument that the constructor keeps twice": (
        "S242",
        """
def f(x):
    ps = [S(x * i) for i in range(3)]
    for p in ps:
        p.x += 1.0
    return sum(np.sum(p.x * p.y) for p in ps)
""",
    ),
    "an item of another class in the list": (
        "S202",
        """
def f(x):
    c = Pair(x)
    c.bodies.append(Q(x))
    c.step(0.1)
    return sum(b.x for b in c.bodies)
""",
    ),
    "an item that is another one from some point on": (
        "S202",
        """
def f(x):
    c = Pair(x)
    c.bodies[0] = P(x[1], 2.0)
    c.step(0.1)
    return sum(b.x for b in c.bodies)
""",
    ),
}


def program(text: str) -> Program:
    return Program(HEAD.lstrip() + text.strip() + "\n", (np.array([0.7, 1.3, -0.4, 0.9]),), ("x",), ("x",), True)


@pytest.mark.parametrize("name", RIGHT)
def test_parts_of_items(name: str) -> None:
    found = checking.check(program(RIGHT[name]), ("vjp", "value_and_grad", "jvp"), margin=0.0)
    assert found.kind == "right", found.detail


@pytest.mark.parametrize("name", REFUSED)
def test_parts_of_items_that_are_refused(name: str) -> None:
    code, text = REFUSED[name]
    found = checking.check(program(text), ("value_and_grad", "jvp"), margin=0.0)
    assert (found.kind, code in found.detail) == ("refused", True), found.detail


def test_items_are_named_by_their_place() -> None:
    """The adjoint of a part of an item is that part of the adjoint: nothing is copied, and nothing added up."""
    text = differentiate(
        program(RIGHT["cells of dicts, by their numbers and by name"]).source, Request(functions=("f",))
    )
    assert re.search(r'cells_bar\[\w\]\["q"\] = cells_bar\[\w\]\["q"\] \+ 0\.1 \* cells_bar\[\w\]\["t"\]', text)
    assert "_added" not in text
