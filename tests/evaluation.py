"""Random expressions that read something beside a call that changes it: which is evaluated first?

Python evaluates the operands of an expression, the arguments of a call and the parts of a display from left to right,
and a copy, a slice or an element read in front of the call holds what was there before it. Each program puts a reader
and a writer, in either order, into one of many places: operands, conditions, subscripts, loops, what is returned.
A text that moves one of them in front of its statement has to take along what stands to the left of it.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program
from snippets import Thing, filled, finished, function, needed

HELPERS = """import numpy as np
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import NamedTuple


class P(NamedTuple):
    x: float
    y: float

    def tot(self):
        return self.x * self.y + self.x


class P2(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return P2(self.x + other.x, self.y * other.y)

    def __neg__(self):
        return P2(-self.x, self.y)

    def norm(self):
        return self.x * self.x + self.y


@dataclass
class O:
    a: float
    b: float
    n: int = 0

    def tot(self):
        return self.a * self.b + self.a + self.n

    def step(self, t):
        self.a = self.a * t
        return self.a + 1.0

    def count(self, t):
        self.n += 1
        return self.n * t

    def __call__(self, t):
        return self.a * t

    @property
    def twice(self):
        return self.a * 2.0

    @classmethod
    def make(cls, t):
        return cls(t, t * 2.0)

    @staticmethod
    def square(t):
        return t * t


class Cell:
    def __init__(self, a):
        self.a = a

    def get(self):
        return self.a

    def total(self):
        return np.sum(self.a)

    def step(self, t):
        self.a = self.a * t
        return np.sum(self.a)

    def put(self, t):
        self.a[0] = t * t
        return np.sum(self.a)


def filled(u, t):
    u[:] = t * t
    return u


def both(u, t):
    u[:] *= t
    return np.sum(u)


def first(w):
    return w[0] * 2.0


def same(w):
    return w


def mix(a, b):
    return a * b + a


def two(a, b):
    return a, b


def made(a, b):
    return P(a * 2.0, b)


def entries(a):
    return {"u": a, "t": a * 2.0}


def square(t):
    return t * t


def up(o, t):
    o.b = o.a * t
    return o.b * t


def grow(K, q):
    K.append(q * q)
    return K[-1] + K[0]


def grown(L, q):
    L.append(q)
    return L


def within(L):
    L[0][1] = 3.0 * L[0][0]
    return L[0][1]


def scale(d, q):
    d["a"] = q * d["a"]
    return d["a"]


def put_in(K, q):
    K[0] = K[-1] * q
    return K[0]


def insert(K, q):
    K.insert(0, q)
    return K[1]


def ended(K):
    K[-2:] = [K[0] * 2.0, K[0]]
    return K[-1]


def turned(K):
    K.reverse()
    return K[0]


def swapped(K):
    K[0], K[-1] = K[-1], K[0]
    return K[0] * 2.0


"""
READ_ARRAYS = [
    "w[0]",
    "w.item(1)",
    "w.sum()",
    "w.mean()",
    "np.sum(w.copy())",
    "w.dot(v)",
    "w @ v",
    "first(w)",
    "np.sum(same(w))",
    "np.sum(w.T[1:])",
    "w[1:].sum()",
    "(w * y).sum()",
    "w.tolist()[0]",
    "u2.copy().sum()",
    "u2[1]",
    "vw[0]",
    "vw.copy()[0]",
    "D['a'].sum()",
    "D['a'].copy().sum()",
    "c.a.copy().sum()",
    "c.get().sum()",
    "c.get().copy().sum()",
    "c.total()",
    "(lambda: w.copy().sum())()",
    "(lambda z: z.copy().sum())(w)",
    "inner()",
    "w.astype(float).sum()",
    "w.reshape(3, 1).copy().sum()",
    "w.flatten()[1]",
    "w.ravel().copy().sum()",
    "w.take([0, 1]).sum()",
    "w.clip(-9.0, 9.0).sum()",
    "w.cumsum()[2]",
    "abs(w).sum()",
    "(-w).sum()",
    "np.positive(w).sum()",
    "np.add(w, 0.0).sum()",
    "np.array(w).sum()",
    "np.asarray(w).copy().sum()",
    "np.array([w[0], w[1]]).sum()",
    "np.sum(np.array([y, w[0]]))",
    "sum(q for q in w.copy())",
    "sum(q * 1.0 for q in w)",
    "(w.copy(), x)[0].sum()",
    "max(w.copy().sum(), -50.0)",
    "(w.copy().sum() if n > 0 else x)",
    "(y if w[0] > 0.3 else w[1])",
    "float(y > 0.2) * w[0]",
]
READ_LISTS = [
    "len(L) * x",
    "L[-1].sum()",
    "L[0][1]",
    "L[0].copy().sum()",
    "L[-1][1]",
    "np.sum(L[0] + L[-1])",
    "np.sum(L[1:][0])",
    "sum(np.sum(q) for q in L)",
    "np.sum(np.array(L))",
    "K[-1]",
    "-K[0]",
    "sum(K)",
    "max(K)",
    "len(K) * y",
    "sum(K.copy())",
    "list(K)[-1]",
    "sorted(K)[0]",
    "K[::-1][0]",
    "mix(*K[:2])",
    "(lambda z: z[-1] * y)(K)",
    "(K[-1], y)[1]",
    "(x if f'{len(K)}' == '3' else 2.0 * x)",
    "(y if any(q > 0.9 for q in K) else w[0])",
    "sum(a * b for a, b in zip(K, [y, w[0], x]))",
    "sum(i * q for i, q in enumerate(K))",
    "[q * y for q in (x, w[0])][1]",
    "sum(map(lambda t: t * y, [x, w[1]]))",
    "reduce(lambda a, b: a * b + y, [x, w[0]])",
    "d['a'] * x",
    "d.get('a', 2.0)",
    "(x if 'a' in d else 3.0)",
    "len(d) * x",
    "sum(d.values())",
    "max(d.values())",
    "{c: q * y for c, q in d.items()}['a']",
    "mix(**D2)",
    "entries(y)['u']",
]
READ_NUMBERS = ["y", "(y * 1.0)", "last()", "ry()", "rd()", "fs[0](w[0])", "tb['k'](w[0], y)", "part(w[0])"]
READ_OBJECTS = [
    "P(y, w[0]).tot()",
    "P(y, x).x",
    "P(P(y, x).y, w[0]).tot()",
    "O(y, w[0]).tot()",
    "O(y, x).step(w[0])",
    "O(P(y, x).x, O(w[0], y).tot()).tot()",
    "O.make(y).a",
    "O.square(y)",
    "square(y)",
    "p._replace(x=y).tot()",
    "replace(o, a=y).tot()",
    "o.a",
    "o.n * x",
    "o.tot()",
    "o.twice",
    "o(y)",
    "made(y, w[0]).x",
    "two(y, w[0])[1]",
    "sum(q.tot() for q in ps)",
    "sum(q.tot() * y for q in ps)",
    "ps[0].tot()",
    "ps[-1].a",
    "[P(q, y).tot() for q in (x, w[0])][0]",
    "np.array([P(y, x).x, w[1]])[0]",
    "mix(*P(y, x))",
    "(P2(y, x) + P2(w[0], y)).norm()",
    "(-P2(y, w[0])).x",
]
READERS = READ_ARRAYS + READ_LISTS + READ_NUMBERS + READ_OBJECTS
WRITE_ARRAYS = [
    "np.sum(filled(w, x))",
    "filled(w, x)[1]",
    "filled(w, x).copy().sum()",
    "both(w, x)",
    "both(u2, x)",
    "both(vw, x)",
    "both(t=x, u=w)",
    "(both(w, x) + both(u2, 1.1))",
    "(both(w, x) if n > 0 else x)",
    "both(filled(w, 2.0 * x), x)",
    "both(L[0], x)",
    "both(L[-1], x)",
    "both(D['a'], x)",
    "both(c.a, x)",
    "c.put(x)",
    "c.step(x)",
    "within(L)",
    "wr(x)",
    "put(x)",
]
WRITE_LISTS = [
    "L.pop().sum()",
    "np.sum(L.pop(0))",
    "np.sum(grown(L, w * 2.0)[-1])",
    "K.pop()",
    "K.pop(0)",
    "(K.pop() * K.pop())",
    "mix(K.pop(), K[-1])",
    "(K.pop() if n > 0 else x)",
    "grow(K, x)",
    "push(x)",
    "put_in(K, x)",
    "at_end(x)",
    "insert(K, x)",
    "ended(K)",
    "turned(K)",
    "swapped(K)",
    "mix(grow(K, x), bump())",
    "d.pop('a')",
    "d.setdefault('c', x * y)",
    "scale(d, x)",
    "dk(x)",
    "sum(put(q) for q in K)",
]
WRITE_NUMBERS = [
    "k(x)",
    "k(a=y)",
    "k(k(x))",
    "(k(x) if n > 0 else y)",
    "(x if k(x) > -9.0 and put(x) > -9.0 else y)",
    "(lambda t: k(t) * t)(x)",
    "mix(k(x), put(y))",
    "sum(k(q) for q in (x, y))",
    "swap()",
    "bump()",
    "more(x)",
    "(y := y * x + 0.3)",
    "mix((y := y * x), y)",
    "mix((y := x * w[1]), y)",
    "((y := y + x) if n > 1 else y)",
    "(x if (y := y * x) > 0.1 and K.pop() > 0.0 else y)",
]
WRITE_OBJECTS = [
    "o.step(x)",
    "o.count(x)",
    "up(o, x)",
    "ok(x)",
    "pn(x)",
    "ps[0].step(x)",
    "sum(q.step(x) for q in ps)",
    "[q.step(x) for q in ps][-1]",
    "O(y, x).step(put(x))",
    "P(k(x), y).tot()",
    "O(k(x), w[0]).tot()",
    "made(k(x), y).tot()",
]
WRITERS = WRITE_ARRAYS + WRITE_LISTS + WRITE_NUMBERS + WRITE_OBJECTS
# Places for a reader <r> and a writer <w>: statements, and what the last of them makes.
PLACES = [
    ("", "<r> + <w>"),
    ("", "mix(<r>, <w>)"),
    ("", "mix(a=<r>, b=<w>)"),
    ("", "sum([<r>, <w>, <r>, <w>])"),
    ("", "<w> * x - <r> / (2.0 + <w> ** 2)"),
    ("", "(<r> - 1.5 * <w>) ** 2 + <r>"),
    ("", "np.array([<r>, <w>]).sum() * x"),
    ("", "(<r> if x > 0.0 else <w>) + <w>"),
    ("z = <r> * <w>", "z + np.sum(w)"),
    ("z = <r> * <w> + <r>", "z + y + np.sum(w)"),
    ("z = np.dot(np.array([<r>, x]), np.array([<w>, 1.0]))", "z * w[0]"),
    ("z, y = <r>, <w>", "z * y + np.sum(w)"),
    ("z = [<r>, <w>, <r>]", "z[0] * z[1] + z[2]"),
    ("z = {'p': <r>, 'q': <w>}", "z['p'] * z['q']"),
    ("z = [<r> + q * <w> for q in (x, y)]", "z[0] * z[1] + y"),
    ("a = b = <r> + <w>", "a * b + y"),
    ("a, *b = <r>, <w>, <r>", "a * b[0] + b[1] * y"),
    ("z = np.zeros(3)\nz[1] = <r> - <w>", "np.sum(z * w)"),
    ("z = np.zeros(3)\nz[int(0 * <r>)] = <w> + <r>", "np.sum(z * w) * y"),
    ("z = v * x\nz[1] += <r> * <w>", "np.sum(z * w)"),
    ("s = x\ns += <r> * <w>", "s * w[1]"),
    ("s = <r>\ns = s * <w> + sum(K) + y", "s * <r>"),
    ("s = <r>\nassert <w> < 1e9", "s * <r> + y"),
    ("s = <r>\n<w>", "s * <r> + y"),
    ("z = 1.0 if <r> < <w> < 5.0 else x", "z * np.sum(w)"),
    ("if <r> > <w>:\n    return x * w[0]", "np.sum(w) + x"),
    ("if <r> < 99.0 and <w> > -99.0:\n    return np.sum(w) + x", "x"),
    ("if <r> > 1e3:\n    s = x\nelif <w> > 1e3:\n    s = y\nelse:\n    s = <r>", "s * y"),
    ("s = x\nfor q in (<r>, <w>):\n    s = s * 0.5 + q * w[0]", "s"),
    ("s = x\nfor i in range(n):\n    s += <r> * <w>", "s + w[2]"),
    ("s = x\ni = 0\nwhile <r> < 50.0 + <w> and i < 2:\n    s += <r> * x\n    i += 1", "s + y"),
]
THINGS = [
    Thing("w", ("w = v * x",)),
    Thing("y", ("y = x * 1.5",)),
    Thing("s0", ("s0 = x * 0.5",)),
    Thing("u2", ("u2 = w",)),
    Thing("vw", ("vw = w[:2]",)),
    Thing("D", ("D = {'a': w, 'k': x}",)),
    Thing("D2", ("D2 = {'a': y, 'b': x}",)),
    Thing("c", ("c = Cell(w)",)),
    Thing("o", ("o = O(y, x)",)),
    Thing("p", ("p = P(y, x)",)),
    Thing("ps", ("ps = [O(y, x), O(x, x * y)]",)),
    Thing("K", ("K = [x, y, x * y, 0.3, x + y, 1.0 + x, 0.4 * y, y + 2.0]",)),
    Thing("L", ("L = [w, w]", "L = [w * 1.0, w * x, w + y, w, w * 0.5, w + 1.0, w + 2.0, w * 3.0]")),
    Thing("d", ("d = {'a': y, 'b': x}",)),
    Thing("inner", ("def inner():\n    return w.copy().sum()",)),
    Thing("last", ("def last():\n    return K[-1] * w[0]",)),
    Thing("ry", ("def ry():\n    return y * w[0]",)),
    Thing("rd", ("def rd():\n    return d['a'] * y",)),
    Thing("fs", ("fs = [lambda t: t * y, lambda t: t]",)),
    Thing("tb", ("tb = {'k': lambda a, b: a * b + y}",)),
    Thing("part", ("part = partial(lambda a, b: a * b * y, x)",)),
    Thing("wr", ("def wr(t):\n    w[0] = t * t\n    return w[0] + w[1]",)),
    Thing("put", ("def put(t):\n    w[0] = t * w[1]\n    return t",)),
    Thing("push", ("def push(t):\n    K.append(t * t)\n    return K[-2]",)),
    Thing("at_end", ("def at_end(t):\n    K[-1] = K[0] * t\n    return t",)),
    Thing("bump", ("def bump():\n    nonlocal y\n    y = y * x\n    return y + 1.0",)),
    Thing("more", ("def more(t):\n    nonlocal y\n    y += t\n    return y",)),
    Thing("k", ("def k(a):\n    nonlocal y\n    y = a * y\n    return a * y",)),
    Thing("swap", ("def swap():\n    nonlocal y, s0\n    y, s0 = s0, y\n    return y",)),
    Thing("dk", ("def dk(t):\n    d['a'] = d['b'] * t\n    return t",)),
    Thing("pn", ("def pn(t):\n    nonlocal p\n    p = p._replace(x=p.y * t)\n    return p.x",)),
    Thing("ok", ("def ok(t):\n    nonlocal o\n    o = O(o.b * t, o.a)\n    return t",)),
]
TRIES = 4  # to find a reader of what the writer changes


def pair(r: random.Random) -> tuple[str, str]:
    """A reader and a writer, most of them about one thing."""

    def about(text: str) -> set[str]:
        return {thing.name for thing in needed(r, THINGS, text)}

    writer, reader = r.choice(WRITERS), r.choice(READERS)
    named = about(writer) if about(writer) == {"y"} else about(writer) - {"y"}  # most things are made of y
    for _ in range(TRIES):
        if named & about(reader):
            break
        reader = r.choice(READERS)
    return reader, writer


def part(r: random.Random) -> tuple[str, str]:
    """Statements, and the expression of what they make."""
    texts = pair(r)
    left, right = texts if r.random() < 0.7 else texts[::-1]
    statements, result = r.choice(PLACES)
    fill = {"r": lambda: left, "w": lambda: right}
    return filled(statements, fill), filled(result, fill)


def program(r: random.Random, size: int) -> Program | None:
    """One or, of size 4 and more, at times two pairs in their places, None where they cannot be run."""
    parts = [part(r) for _ in range(2 if size >= 4 and r.random() < 0.2 else 1)]
    statements = [parts[0][0]]
    for k, (more, _) in enumerate(parts[1:]):
        statements += [f"before{k} = {parts[k][1]}", more]
    result = " + ".join([parts[-1][1], *(f"before{k}" for k in range(len(parts) - 1))])
    work = [text for text in statements if text]
    things = needed(r, THINGS, "\n".join([*work, result]))
    stated = "v (3,), x ()" if r.random() < 0.9 else ""
    text = function("x, v, n: int", stated, [*things.values(), *work, f"return {result}"])
    return finished(HELPERS + text, (0.7, np.array([1.1, -0.7, 0.9]), 2), ("x", "v", "n"))
