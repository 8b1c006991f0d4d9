"""Programs on which a rewrite of the syntax tree would be another program: each derivative is right, or refused.

A second name for what is changed, a side effect in what is left out, a name that is bound anew between a read and its
use. Each program is a function `f(x)` of a number.
"""

from __future__ import annotations

from typing import Any

import pytest

import checking
from programs import Program
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

RIGHT: dict[str, str] = {}
REFUSED: dict[str, str] = {}

# ---------------------------------------------------------------- functions and numbers bound side by side

RIGHT |= {
    "an object in a dict, that has a name": """
from dataclasses import dataclass
@dataclass
class P:
    c: float
def f(x):
    p = P(x)
    d = {"p": p}
    d["p"].c = x * x
    return p.c * x
""",
    "arrays in tuples that a loop updates": """
import numpy as np


def f(x):
    x = x * np.array([1.0, -1.3, 0.45])
    u = x * x
    for a, k in ((u, 2.0),):
        a *= k
    return u[0] * x[1]
""",
    "a default that a helper makes, which writes": """
def take(u):
    u[0] = 7.0
    return 2.0
def f(x):
    d = {"k": x, "b": 2.0}
    u = [x, 3.0]
    y = d.get("k", take(u))
    return y * x + sum(u)
""",
    "functions and a number bound side by side": """
import numpy as np


def f(x):
    pi, sine, n = np.pi, np.sin, 2
    return sine(pi * x) * n
""",
    "functions bound side by side anew, in a loop": """
import numpy as np


def f(x):
    g, h = np.sin, np.cos
    for _ in range(2):
        g, h = np.cos, np.exp
    return g(x) * h(2 * x)
""",
    "a function beside another name": """
import numpy as np


def f(x):
    y = x * 2
    g, z = np.sin, y
    return g(z) * y
""",
    "a list with two names that is lengthened": """
def f(x):
    u = [x, 1.0]
    w = u
    w += [x * x]
    return sum(u) * x
""",
    "a list that grows by `+=` under a second name": """
def f(x):
    u = [x, x * 2]
    v = u
    v += [x ** 3]
    return sum(u) * len(v)
""",
}
REFUSED |= {
    "functions that are exchanged": """
import numpy as np


def f(x):
    g, h = np.sin, np.cos
    if x > 0.0:
        g, h = h, g
    return g(x) * h(2 * x)
""",
}

# ---------------------------------------------------------------- objects: private names, calls of them

RIGHT |= {
    "private names of classes": """
class Law:
    def __init__(self, k):
        self.__k = k

    def __square(self, x):
        return self.__k * x**2

    def __call__(self, x):
        return self.__square(x) + x * self.__k


class Stiffer(Law):
    def __init__(self, k):
        super().__init__(k)
        self.__k = 2.0 * k

    def more(self, x):
        return self(x) + self.__k * x


def f(x):
    law = Stiffer(x)
    return law.more(x**2)
""",
    "attributes that are called, of a class that stands below": """
class Pair:
    def __init__(self, k):
        self.law = Law(k)

    def twice(self, x):
        return self.law(x) * 2


class Law:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return self.k * x**3


def f(x):
    return Pair(x).twice(x) + Pair(2.0).twice(x)
""",
}
# ---------------------------------------------------------------- lists that lose items

REFUSED |= {
    "a list under a second name by `or`": """
def f(x):
    u = [x, x * 2.0, 3.0]
    w = u or []
    a = u.pop(0)
    return a * x + sum(w)
""",
    "a list that loses an item while it is enumerated": """
def f(x):
    u = [x, x * x, 3.0]
    s = 0.0
    for i, v in enumerate(u):
        s += v * (i + 1)
        if i == 0:
            u.pop(0)
    return s
""",
    "a list that loses an item while it is zipped": """
def f(x):
    u = [x, x * x, 3.0, x]
    s = 0.0
    for a, b in zip(u, u):
        s += a * b
        if len(u) == 4:
            del u[0]
    return s
""",
    "an item that is not there": """
def f(x):
    u = []
    try:
        u.pop(0)
    except IndexError:
        return x * 7.0
    return sum(u) + x
""",
    "items that a chain of comparisons may leave": """
def f(x):
    u = [x, x * x, 2.0]
    a = 0.0 < u.pop(0) < u.pop(0)
    return x * sum(u) + a * x
""",
}
RIGHT |= {
    "a list that loses items where it is measured, looped over and asked": """
def f(x):
    u = [x, x * x, 2.0, x + 1.0]
    s = 0.0
    while u and (len(u) > 1 or not s):
        a = u.pop(0)
        s += a * sum(v * i for i, v in enumerate(u)) + len(u)
        for v, w in zip(u, [1.0, x, 3.0]):
            s += v * w
    return s
""",
}

# ---------------------------------------------------------------- loops over dicts and sets of the module

RIGHT |= {
    f"a loop over {name}": f"""
import numpy as np

TABLE = {{0: 2.0, 1: 0.5}}
LATER = {{"u": 3.0}}
LATER["v"] = 4.0
BOTH = {{"u": np.sin, "v": np.cos}}


def f(x):
    s = x
    {text}
    return s
"""
    for name, text in {
        "the keys of a table": "for k in TABLE:\n        s = s * x + TABLE[k]",
        "the entries of a table": "for k, v in TABLE.items():\n        s = s * x + k * v",
        "the values of a table": "for v in TABLE.values():\n        s = s * x + v",
        "numbered entries of a table": "for i, (k, v) in enumerate(TABLE.items()):\n        s = s * x + i * v + k",
        "the entries of a table, beside another": "for v, w in zip(TABLE.values(), LATER.items()):\n"
        "        s = s * x * w[1] + v",
        "a dict that the module changes": "for k in LATER:\n        s = s * x + LATER[k]",
        "entries that the module adds": "for k, v in LATER.items():\n        s = s * x + v",
        "a dict of functions": "for k in BOTH:\n        s = s * BOTH[k](x) + LATER[k]",
        "a dict that has functions under its keys": "for k, v in LATER.items():\n        s = s * BOTH[k](x) * v",
    }.items()
}

# ---------------------------------------------------------------- dicts whose keys are 0, 1, 2, ...

RIGHT |= {
    "truth values and floats are keys as whole numbers are": """
def f(x):
    large = x > 1.0
    d = {0: x * x, 1: 3.0 * x}
    half = max(0.0, 1.0)
    return d[large] * {0: x, 1: 2.0 * x}[half] * {0: 2.0 * x, 1: x}[x > 1.0]
""",
}

# ---------------------------------------------------------------- dicts of which entries may be missing

RIGHT |= {
    "an entry that is stored beside another target": """
def f(x):
    d = {"a": x}
    if x > 0:
        d["k"], b = x * x, 2.0
    y = d.get("k", 0.0)
    return y * x
""",
    "an entry that is one of two targets": """
def f(x):
    d = {"a": x}
    if x > 0:
        d["k"] = b = x * x
    y = d.get("k", 0.5)
    return y * x
""",
    "a default that takes an item away": """
def f(x):
    d = {"k": x, "b": 2.0}
    u = [x, 3.0]
    y = d.get("k", u.pop())
    return y * x + sum(u)
""",
    "an entry that an update puts in": """
def f(x):
    d = {"a": x}
    if x > 0:
        d.update(k=x * x, j=3.0)
    return d.get("k", 0.5) * x
""",
}
REFUSED |= {
    "a view of a dict that loses an entry": """
def f(x):
    d = {"k": x, "a": x * x}
    vs = d.values()
    del d["k"]
    return sum(vs) * x
""",
    "keys that are compared as a set": """
def f(x):
    d = {"k": x, "b": 2.0}
    z = d.pop("k")
    if d.keys() == {"b"}:
        return z * x
    return z
""",
    "a default that is set, and takes an item away": """
def f(x):
    d = {"k": x, "b": 2.0}
    u = [x, 3.0]
    y = d.setdefault("k", u.pop())
    return y * x + sum(u)
""",
    "a dict that gives one key twice": """
def f(x):
    d = {1: x, True: x * x, 1.0: x ** 3}
    return d[1] * x + len(d)
""",
}

# ---------------------------------------------------------------- patterns, loops and comprehensions

RIGHT |= {
    "a dict in a dict, that has a name": """
def f(x):
    inner = {"c": x * x}
    d = dict(a=x, b=inner)
    d["b"]["c"] = 3.0 * x
    return inner["c"] * x * d["a"]
""",
    "a pattern that exchanges names": """
def f(x):
    a, b = x, x * x
    match (a, b):
        case (b, a):
            return a * 2.0 + b * x * 3.0
""",
    "a pattern that binds its subject": """
def f(x):
    a = [x, x * x]
    match a:
        case [a, b]:
            return a * 2.0 + b * x * 3.0
""",
    "a pattern whose guard fails behind its names": """
def f(x):
    a, b, c = x, x * x, 3.0
    match (a, b, c):
        case (b, c, a) if a > 5:
            return a
        case (c, a, b):
            return a * 2.0 + b * x * 3.0 + c * 5.0
""",
}
REFUSED |= {
    "the numbered keys of a dict from its end": """
def f(x):
    d = {0: x, 1: x * x}
    s = 0.0
    for i, v in reversed(list(enumerate(d))):
        s = s * x + v * i + x
    return s
""",
}

# ---------------------------------------------------------------- parts that two groups share

REFUSED |= {
    "an object that a nested function changes": """
class P:
    def __init__(self, c):
        self.c = c
def f(x):
    p = P(x)
    def g():
        p.c = x * x
    g()
    return p.c * x
""",
    "an object that a nested function is given": """
class P:
    def __init__(self, c):
        self.c = c
def f(x):
    p = P(x)
    def g(q):
        q.c = q.c * x
        return q.c
    return g(p) + p.c
""",
    "a dict with two names that a nested function changes": """
def f(x):
    d = {"a": x}
    e = d
    def g():
        d["a"] = x * x
    g()
    return e["a"] * x
""",
    "a dict to which a nested function adds": """
def f(x):
    d = {"a": x}
    def g():
        d["b"] = x * x
    g()
    return d["b"] * x
""",
    "a dict that is a default value": """
def f(x):
    d = {"a": x}
    def g(e=d):
        e["a"] = x * x
    g()
    return d["a"] * x
""",
}

# ---------------------------------------------------------------- lists and dicts with two names

RIGHT |= {
    "a copy of a dict, and a dict in it": """
def f(x):
    d = {"a": x, "b": {"c": x * x}}
    e = d.copy()
    e["b"]["c"] = 3.0 * x
    e["a"] = 1.0
    return d["b"]["c"] * x * d["a"]
""",
    "`append` by a name of its own": """
def f(x):
    u = [x]
    add = u.append
    add(x ** 2)
    return u[0] * u[1]
""",
    "`fill` by a name of its own": """
import numpy as np


def f(x):
    u = np.array([x, x * 2])
    fill = u.fill
    fill(x ** 2)
    return np.sum(u)
""",
    "`update` by a name of its own": """
def f(x):
    u = {"a": x}
    f = u.update
    f(a=x ** 2)
    return u["a"]
""",
    "a dict in a dict that a nested function changes": """
def f(x):
    d = {"a": {"b": x}}
    def g():
        d["a"]["b"] = x * x
    g()
    return d["a"]["b"] * x
""",
    "a list that is written under its first name": """
def f(x):
    u = [x * x, x]
    w = u
    u[0] = 3.0 * x
    return w[0] * x + w[1]
""",
    "a list whose two names are read": """
def f(x):
    u = [x * x, x]
    w = u
    w[0] = 3.0 * x * u[1]
    return u[0] * x + w[0] * w[1]
""",
    "a list that is written in a loop under its first name": """
def f(x):
    u = [x * x, x]
    w = u
    for i in range(2):
        u[i] = w[1 - i] * x
    return u[0] * x + w[1]
""",
    "a dict that is written under its first name": """
def f(x):
    d = {"c": x * x}
    e = d
    d["c"] = 3.0 * x
    return e["c"] * x
""",
    "a dict that is written under its second name": """
def f(x):
    d = {"c": x * x}
    e = d
    e["c"] = 3.0 * x
    return d["c"] * x
""",
    "a list with two names in one statement": """
def f(x):
    u = w = [x, 1.0]
    u[0] = x * x
    return w[0] * x
""",
    "a list that a helper gives back": """
def keep(v):
    return v
def f(x):
    u = [x, 1.0]
    w = keep(u)
    u[0] = x * x
    return w[0] * x
""",
    "a list whose first name is bound anew": """
def f(x):
    u = [x, 1.0]
    w = u
    u = [x * x, 2.0]
    w[0] = x ** 3
    return u[0] * w[0]
""",
    "a list in a dict": """
def f(x):
    u = [x * x, x]
    t = {"k": u}
    u[0] = 3.0 * x
    return t["k"][0] * x
""",
}
REFUSED |= {
    "a list with two names that is repeated": """
def f(x):
    u = [x, 1.0]
    w = u
    w *= 2
    return sum(u) * x
""",
}

# ---------------------------------------------------------------- names of loops that see an array

REFUSED |= {
    "numbered rows from the end, updated": """
import numpy as np


def f(x):
    x = x * np.array([1.0, -1.3, 0.45])
    B = [x * x, x + 1.0]
    for i, v in reversed(list(enumerate(B))):
        v *= x
    return B[0][0] * B[1][1]
""",
    "an update by its method": """
import numpy as np


def f(x):
    x = x * np.array([1.0, -1.3, 0.45])
    u, w = x * x, x + 1.0
    [a.__imul__(2.0) for a in (u, w)]
    return u[0] * w[0]
""",
}

RIGHT |= {
    "a dict of the rows of a list": """
import numpy as np


def f(x):
    x = x * np.array([1.0, -1.3, 0.45])
    u = [x * x, x + 1.0]
    w = {i: r for i, r in enumerate(u)}
    w[0][0] = x[1] ** 3
    return u[0][0] * x[0]
""",
    "rows by a dict comprehension, one written": """
import numpy as np


def f(x):
    u = np.array([[x, x * 2], [x, x]])
    d = {k: r for k, r in zip("ab", u)}
    d["a"][0] = x ** 3
    return np.sum(u)
""",
}

# ---------------------------------------------------------------- functions with the names of builtins

REFUSED |= {
    "a function of the module named list": """
def list(v):
    return v
def f(x):
    w = [x, x * x, 2.0]
    u = list(w)
    u.pop(0)
    return sum(w) * x
""",
}
RIGHT |= {
    "a function of the module named len": """
def len(v):
    return 2
def f(x):
    s = 0.0
    u = [x, x * x, 3.0]
    for v in u:
        s += v * x
    return s * len(u)
""",
}


# ---------------------------------------------------------------- second names

RIGHT |= {
    "a list that is written under a second name, and read under both": """
def f(x):
    u = [x, x * 2]
    v = u
    v[0] = x ** 3
    return sum(u) * v[0]
""",
    "a part of a list that is assigned to, read under a second name": """
def f(x):
    u = [x, x * 2]
    v = u
    u[:] = [x ** 2, x ** 3]
    return v[0] ** 2 + v[1]
""",
    "items that change places in a list with a second name": """
def f(x):
    u = [x, x * 2]
    v = u
    u[0], u[1] = u[1], u[0]
    return v[0] ** 2 + v[1]
""",
    "a dict that is written under a second name": """
def f(x):
    d = {"a": x, "b": 2 * x}
    e = d
    e["a"] = x ** 3
    return d["a"] * d["b"]
""",
    "a list from a helper that gives back what it is given, written": """
def _same(v):
    return v


def f(x):
    u = [x, x * 2]
    w = _same(u)
    w[0] = x ** 3
    return sum(u) * w[0]
""",
}

REFUSED |= {
    "a list that is repeated in place, under a second name": """
def f(x):
    u = [x, x * 2]
    v = u
    u *= 2
    return v[2] ** 2 + len(v) * v[1]
""",
    "a list in a dict from a helper, written there": """
def _make(a, b):
    return [a, b]


def _wrap(u):
    return {"u": u, "n": len(u)}


def f(x):
    u = _make(x, x * 2)
    w = _wrap(u)
    w["u"][0] = x ** 3
    return sum(u) * w["n"]
""",
    "the values of a dict by a name, and the dict written": """
def f(x):
    d = {"a": x, "b": x * 2}
    ks = d.values()
    d["a"] = x ** 3
    return sum(ks)
""",
    "the items of a dict by a name, and the dict written": """
def f(x):
    d = {"a": x, "b": x * 2}
    ks = d.items()
    d["a"] = x ** 3
    s = 0.0
    for k, v in ks:
        s += v ** 2
    return s
""",
    "the values of a dict in a list, and the dict written": """
def f(x):
    d = {"a": x, "b": x * 2}
    w = [d.values(), x]
    d["a"] = x ** 3
    return sum(w[0])
""",
    "a dict that is written while its items are zipped": """
def f(x):
    d = {"a": x, "b": x * 2}
    s = 0.0
    for (k, v), w in zip(d.items(), [1.0, 2.0]):
        d["b"] = x ** 3
        s += v * w
    return s
""",
    "`append` from a tuple": """
def f(x):
    u = [x]
    for add in (u.append, u.append):
        add(x ** 2)
    return sum(u)
""",
    "`append` handed to a helper": """
def f(x):
    u = [x]
    def put(fn, v):
        fn(v)
    put(u.append, x ** 2)
    return sum(u)
""",
    "`append` by partial": """
def f(x):
    from functools import partial
    u = [x]
    add = partial(u.append, x ** 2)
    add()
    return sum(u)
""",
    "`__setitem__` by a name": """
import numpy as np


def f(x):
    u = np.array([x, x])
    f = u.__setitem__
    f(0, x ** 2)
    return np.sum(u)
""",
    "a memoryview that is written": """
import numpy as np


def f(x):
    u = np.array([x, x * 2])
    v = memoryview(u)
    v[0] = 3.0
    return np.sum(u) * x
""",
    "np.nditer that is written": """
import numpy as np


def f(x):
    u = np.array([[x, x * 2], [x, x]])
    for v in np.nditer(u, op_flags=["readwrite"]):
        v[...] = v * x
    return np.sum(u)
""",
    "a sum of nothing, which is what it starts with": """
import numpy as np


def f(x):
    u = np.array([x, x * 2])
    w = sum([], u)
    w[0] = x ** 3
    return np.sum(u)
""",
    "an array in a dict from a helper, written there": """
import numpy as np


def _wrap(u):
    return {"u": u, "n": len(u)}


def f(x):
    u = np.array([x, x * 2])
    w = _wrap(u)
    w["u"][0] = x ** 3
    return sum(u) * w["n"]
""",
    "a list in a dict from a helper, written before it is read": """
def _wrap(u):
    return {"u": u, "n": len(u)}


def f(x):
    u = [x, x * 2]
    w = _wrap(u)
    u[0] = x ** 3
    return sum(w["u"]) * w["n"]
""",
    "a list that grows behind a helper that holds it": """
def _wrap(u):
    return {"u": u, "n": len(u)}


def f(x):
    u = [x, x * 2]
    w = _wrap(u)
    u.append(x ** 3)
    return sum(w["u"]) * w["n"]
""",
    "a list that grows behind a helper that gives it back": """
def _loop(u):
    for i in range(1):
        pass
    return u


def f(x):
    u = [x, x * 2]
    w = _loop(u)
    u.append(x ** 3)
    return sum(w)
""",
    "a dict in a list that a helper gives back, written": """
def _loop(u):
    for i in range(1):
        pass
    return u


def f(x):
    d = {"a": x, "b": [x]}
    w = _loop([d])
    d["a"] = x ** 3
    return w[0]["a"]
""",
    "one list from two calls, written": """
def _loop(u):
    for i in range(1):
        pass
    return u


def f(x):
    u = [x, x * 2]
    w = [_loop(u) for _ in range(2)]
    w[0][0] = x ** 3
    return sum(w[1])
""",
}


# ---------------------------------------------------------------- tables of functions

RIGHT |= {
    "functions of a table, by keys that a loop runs over": """
import numpy as np


def f(x):
    t = {"a": np.sin, "b": lambda v: v * x}
    s = 0.0
    for k in ("a", "b"):
        s += t[k](x)
    return s
""",
}
REFUSED |= {
    "a function of a table that a branch exchanges": """
import numpy as np


def f(x):
    t = {"a": np.sin}
    if x > 0.0:
        t["a"] = np.cos
    return t["a"](x)
""",
    "a function of a table that a loop exchanges": """
import numpy as np


def f(x):
    t = {"a": np.sin}
    s = 0.0
    for _ in range(2):
        s = t["a"](x)
        t["a"] = np.cos
    return s
""",
    "a function of a table that is exchanged behind a call": """
import numpy as np


def f(x):
    t = {"a": np.sin, "b": lambda v: v * x}
    s = 0.0
    for k in ("a", "b"):
        s += t[k](x)
    t["a"] = np.cos
    return s * t["a"](x)
""",
}


# ---------------------------------------------------------------- updates that only others see

RIGHT |= {
    "rows that a loop updates in place": """
import numpy as np


def f(x):
    out = np.zeros((2, 2))
    for row in out:
        row += x
    return np.sum(out ** 2)
""",
    "rows of planes that loops update in place": """
import numpy as np


def f(x):
    out = np.zeros((2, 2, 2))
    for plane in out:
        for row in plane:
            row += x
    return np.sum(out ** 2)
""",
    "rows that are unpacked and updated in place": """
import numpy as np


def f(x):
    out = np.zeros((2, 2))
    a, b = out
    a += x
    b -= x ** 2
    return np.sum(out)
""",
    "items of a list that a loop updates in place": """
import numpy as np


def f(x):
    out = [np.zeros(2), np.ones(2)]
    for row in out:
        row += x
    return np.sum(out[0] * out[1])
""",
    "rows of a list of rows, updated in place": """
import numpy as np


def f(x):
    out = np.zeros((2, 2))
    rows = list(out)
    for row in rows:
        row += x
    return np.sum(out)
""",
    "a row by a counter, updated in place": """
import numpy as np


def f(x):
    out = np.zeros((2, 2))
    i = 0
    while i < 2:
        row = out[i]
        row += x
        i += 1
    return np.sum(out)
""",
}


REFUSED |= {
    "the larger one of two lists, one of which loses an item": """
def f(x):
    u = [x, x * 2.0]
    w = max(u, [-9.0])
    y = u.pop()
    return y * len(w) * x
""",
    "a sum of no lists, which is the one that it starts with": """
def f(x):
    u = [x, x * 2.0]
    w = sum([], u)
    y = u.pop()
    return y * len(w) * x
""",
}
RIGHT |= {
    "a list that is zipped before it loses an item": """
def f(x):
    u = [x, x * 2.0]
    s = 0.0
    for p, q in zip(u, [1.0, 2.0]):
        s += p * q
    y = u.pop()
    return y * s
""",
}


RIGHT |= {
    "an array that is made by its type, and written": """
import numpy as np


def f(x):
    energy = np.ndarray(3, dtype=np.float64)
    for i in range(3):
        energy[i] = x ** (i + 1)
    return np.sum(energy)
""",
}


REFUSED |= {
    "the values of a dict that a helper gives back, and the dict written": """
def same(v):
    return v


def f(x):
    d = {"a": x, "b": x * 2.0}
    w = same(d.values())
    d["a"] = x ** 3
    return sum(w)
""",
}


# ---------------------------------------------------------------- slices of lists that are written, lists in lists

RIGHT |= {
    "more items than places": """
def f(x):
    u = [x, x * x, 3.0 * x, x + 1.0]
    u[1:3] = [u[0] * x, u[3] * x, u[1] * u[2]]
    s = 0.0
    for v in u:
        s = s * 0.7 + v * v
    return s * u[-2]
""",
    "fewer items than places, the last ones, none": """
def f(x):
    u = [x, x * x, 3.0 * x, x + 1.0, x ** 3]
    u[0] = u[4] * u[1]
    u[-2:] = [x * u[-1]]
    u[1:2] = []
    u[1:1] = [v * x for v in u]
    s = 0.0
    for v in u:
        s = s * 0.7 + v * v
    return s * u[-1]
""",
    "all items": """
def f(x):
    u = [x, x * x]
    u[:] = [v * u[0] for v in u] + [x ** 3]
    return u[0] * u[1] + u[2]
""",
    "as many items as a slice of unknown bounds has places, the list under a second name": """
def f(x):
    u = [x, x * x, 3.0 * x]
    w = u
    for k in range(2):
        u[k : k + 1] = [u[2] * x]
        w[2] = w[k] * u[1]
    return u[0] * w[2]
""",
    "arrays that are spread out in a list": """
import numpy as np


def f(x):
    y = x * np.arange(1.0, 4.0)
    u = [x * 2.0, *(3 * y), *np.sin(y), x]
    s = 0.0
    for v in u:
        s = s * 0.7 + v * v
    return s
""",
    "a list that is read before loops write all its items": """
import numpy as np


def f(x):
    y = x * np.arange(1.0, 4.0)
    u = [y[0], y[1] * 2.0, y[2]]
    s = u[0] * u[-1] if x > 0 else x
    for k in range(2):
        for i in range(1, len(u)):
            u[i] = u[i] + u[i - 1]
    return s * x
""",
}


# ---------------------------------------------------------------- results that an option makes a tuple

RIGHT |= {
    "places of the different items": """
import numpy as np


def f(x):
    y = x * np.arange(1.0, 4.0)
    u, i = np.unique(np.array([2, 1, 2, 0]), return_inverse=True)
    n = np.unique([2, 1, 2, 0], False, False, True)[1]
    return np.sum(y[i] ** 2) + np.sum(y[n] ** 3) + np.sum(y[u])
""",
    "numbers and the step between them": """
import numpy as np


def f(x):
    t, step = np.linspace(0.0, 1.0, 4, retstep=True)
    y = x * t
    y += step
    return np.sum(y * y)
""",
}


# ---------------------------------------------------------------- objects

RIGHT |= {
    "properties and methods in the target of a store, a default and an assertion": """
import numpy as np


class State:
    def __init__(self, y):
        self.y = y

    @property
    def top(self):
        return self.y[:2]

    @property
    def last(self):
        return 2

    def behind(self, k):
        return self.y[k:]


def f(x):
    s = State(x * np.arange(1.0, 4.0))
    s.top[:] = s.y[1:] * x
    s.top[0] *= 2.0
    s.behind(1)[s.last - 1] += x

    def double(v, k=s.last):
        return v * k

    assert s.last == 2, s.last
    return np.sum(double(s.y) ** 2)
""",
}


RIGHT |= {
    "a sum that reads the attribute that it is bound to": """
class W:
    def __init__(self, s):
        self.s = s

    def go(self, x):
        self.s = sum(self.s * v for v in (x, 2.0))


def f(x):
    w = W(x)
    w.s = sum(w.s * v for v in (x, x + 1.0, 3.0))
    w.go(x)
    return w.s
""",
    "a sum that reads the entry that it is bound to": """
def f(x):
    d = {"s": x}
    d["s"] = sum(d["s"] * v for v in (x, x + 1.0, 3.0))
    return d["s"] * x
""",
    "lists that read the attribute or the entry that they are bound to": """
class W:
    def __init__(self, s):
        self.s = s


def f(x):
    w = W([x, x * 2.0])
    d = {"l": [x, 2.0]}
    for k in range(2):
        w.s = [w.s[j] * x + len(w.s) for j in range(2)]
        d["l"] = [p * q for p in d["l"] for q in d["l"]]
    return sum(w.s) * sum(d["l"])
""",
}


REFUSED |= {
    "an array of rank 0 in a list, updated by another name": """
import numpy as np


def f(x):
    u = [np.zeros_like(x)]
    for k in range(3):
        v = u[0]
        v += x
    return u[0] * x
""",
    "an array of rank 0 that a helper updates, where its result chooses nothing": """
import numpy as np


def halved(w):
    w /= 2.0
    return 2.0


# s2s: x ()
def f(x):
    a = np.where(x < 0.1, x, 2.0 * x)
    if a < halved(a):
        pass
    return a * x
""",
}

# ---------------------------------------------------------------- branches that are left out

TABLE = """
import numpy as np


class Info:
    def __init__(self, fn):
        self.fn = fn


TABLE = {"a": Info(np.sin), "b": Info(np.cos)}
"""

REFUSED |= {
    f"a helper whose only way to a result can't be followed, {way}": f"""{TABLE}

def h(x, metric="a"):
    {test}:
        fn = TABLE[metric].fn
        return fn(x)
    raise TypeError(metric)


def inner(x):
    y = h(x)
    return 2.0 * y


def f(x):
    return {call} + x * x
"""
    for way, test, call in (
        ("by a type", "if isinstance(metric, str)", "h(x)"),
        ("by what can be called", "if not callable(metric)", "np.sum(h(x))"),
        ("in another helper", "if isinstance(metric, str)", "inner(x)"),
    )
}


# ---------------------------------------------------------------- helpers whose result is an argument, or a part of one

HELPERS = """
import numpy as np


def axpy(a, x, y):
    y += a * x
    return y


def choose(a, b, test):
    if test:
        return a
    return b


def row(a, i):
    return a[i]


def start(x):
    return np.array([x, x**2, 3 * x])


"""
LOOP = """
import numpy as np


def _loop(u):
    for i in range(1):
        pass
    return u
"""

RIGHT |= {
    "an array of rank 0 in two lists, updated in one": """
import numpy as np


def f(x):
    z = np.zeros_like(x)
    u, w = [z], [z]
    u[0] += x
    return w[0] * x
""",
    "a list that a helper gives back, written": """
def _loop(u):
    for i in range(1):
        pass
    return u


def f(x):
    u = [x, x * 2]
    w = _loop(u)
    w[0] = x ** 3
    return sum(u) * w[1]
""",
    "an array that a helper may give back, written": """
import numpy as np


def _cond(u, c):
    if c > 0:
        return u
    return u * 2


def f(x):
    u = np.array([x, x * 2])
    w = _cond(u, x)
    w[0] = x ** 3
    return sum(u) * w[1]
""",
    "an array that a helper gives back, written in a loop": f"""{LOOP}

def f(x):
    u = np.array([x, x * 2])
    for _ in range(2):
        w = _loop(u)
        w[0] = w[0] * x
    return sum(u) * w[0]
""",
    "a view that a helper gives back, updated in place": f"""{LOOP}

def f(x):
    u = np.array([x, x * 2])
    for _ in range(2):
        w = _loop(u[1:])
        w *= x
    return sum(u) * w[0]
""",
    "an array that a helper gives back, written": f"""{LOOP}

def f(x):
    u = np.array([x, x * 2])
    w = _loop(u)
    w[0] = x ** 3
    return sum(u) * w[1]
""",
}
RIGHT |= {
    f"the result of a helper is written: {name}": HELPERS + text.strip("\n")
    for name, text in {
        "the argument that it updates": """
def f(x):
    w, v = start(x), start(2 * x)
    z = axpy(2.0, v, w)
    z[0] = x * z[1]
    return sum(z * w + v)
""",
        "the argument is written behind it": """
def f(x):
    w, v = start(x), start(2 * x)
    z = axpy(x, v, w)
    v[0] = x
    w[1] = x * z[1]
    return sum(z * w + v)
""",
        "one of two arguments": """
def f(x):
    w, v = start(x), start(2 * x)
    z = choose(w, v, x > 0)
    z[0] = x * z[1]
    return sum(w * v)
""",
        "rows, in a loop": """
def f(x):
    w = np.outer(start(x), start(x))
    for i in range(3):
        r = row(w, i)
        r[i] = x
        r *= start(x)
    return np.sum(w * w)
""",
        "an item that is a number": """
def f(x):
    w = start(x)
    r = row(w, 0)
    r = r + x
    w[0] = x
    return sum(w) * r
""",
        "an item that is a copy": """
def f(x):
    w = start(x)
    r = row(w, [0, 1])
    r[0] = x
    return sum(w) * sum(r)
""",
        "a number": """
def f(x):
    s = x * 1.0
    t = axpy(x, 2.0, s)
    return s * t
""",
        "in a loop, with a number that is read afterwards": """
def f(x):
    s, t = x * 1.0, 0.0
    for k in range(3):
        t = axpy(x, k, s)
        s = s + t * t
    return s * t
""",
    }.items()
}

# ---------------------------------------------------------------- dicts: what is put in at once, and all of the values

RIGHT |= {
    "dicts that are joined in place": """
def f(x):
    d = dict(a=x, b=2.0)
    d |= {"a": x * x}
    return d["a"] * x
""",
    "a dict takes the entries of another one, from its own": """
def f(x):
    d = {"a": x**2, "b": 2.0}
    e = d
    for k in range(3):
        d |= {"b": d["a"] * x, "a": d["b"] + k}
    if x > 0:
        d |= {"b": d["b"] * 3}
    return d["a"] * d["b"] + e["b"]
""",
    "the values of a dict as a list of its own": """
def f(x):
    d = {"a": x**2, "b": 2.0}
    values, names = list(d.values()), tuple(d.keys())
    d["a"] = 3 * x
    values.append(d["a"] * len(names))
    total = 0.0
    for v in values:
        total = total * x + v
    return total * d["a"]
""",
}
REFUSED |= {
    "entries of another dict, by its name": """
def f(x):
    d = {"a": x**2, "b": 2.0}
    e = {"b": x}
    d |= e
    e["b"] = 3.0
    return d["a"] * d["b"] + x
""",
}

# ---------------------------------------------------------------- lists that are sorted, and lose items

RIGHT |= {
    "a list is sorted and turned round": """
def f(x):
    q = [x**2, x, 3 * x]
    q.sort()
    q.reverse()
    return q[0] * q[1] + q[2]
""",
    "the two smallest ones are joined": """
def f(x):
    q = [x**2, x, 3 * x]
    q.append(x + 1)
    while len(q) > 1:
        q.sort()
        a = q.pop(0)
        b = q.pop(0)
        q.append(a + b * x)
    return q[0]
""",
}
REFUSED |= {
    "what a list is sorted by adds to another one": """
def f(x):
    q = [x**2, x]
    order = sorted([1, 0], key=lambda k: (q.append(x), q[k])[1])
    return q[order[0]] * q[2] + q[3]
""",
    "a list of two names is sorted and turned round": """
def f(x):
    q = [x**2, x, 3 * x]
    r = q
    q.sort()
    q.reverse()
    return r[0] * q[1] + q[2]
""",
}

# ---------------------------------------------------------------- parts of lists of numbers are copies

RIGHT |= {
    "items of parts of a list of numbers": """
import numpy as np


def f(x):
    y = np.array([x, x**2, 3 * x]).tolist()
    k = len(y) - 2
    return y[:3][0] * y[1:][1] + y[1:][k]
""",
    "a part of a list of numbers is unpacked": """
import numpy as np


def product(a, b):
    return a * b


def f(x):
    y = np.array([x, x**2, 3 * x]).tolist()
    a, b = y[1:]
    return a * b + product(*y[:2])
""",
}
REFUSED |= {
    "the end of a list of numbers, of unknown length, is unpacked": """
import numpy as np


def f(x):
    y = np.array([x, x**2, 3 * x]).tolist()
    a, b = y[-2:]
    return a * b
""",
    "a number is put into a part of a list": """
import numpy as np


def f(x):
    y = np.array([x, x**2, 3 * x]).tolist()
    y[1:][0] = 2 * x
    y[1:][1] += x
    return y[0] * y[1] * y[2]
""",
}

REFUSED |= {
    f"a sum of what may be a list or an array, made an array of: {how}": f"""
import numpy as np


def f(x):
    v = [x, x * 2]
    w = [x, x * 3]
    {text}
    return np.sum(np.array(v + w) ** 2)
"""
    for how, text in (
        (
            "by a function inside",
            "def change():\n        nonlocal v\n        v = np.array(v)\n        return 0.0\n    x = x + change()",
        ),
    )
}

RIGHT |= {
    f"a list beside what is an array by now: {how}": f"""
import numpy as np


def f(x):
    v = [x, x * 2]
    w = [x, x * 3]
    {text}
    return np.sum(np.array(v + w) ** 2)
"""
    for how, text in (("bound again", "v = np.array(v)"), ("repeated", "v = [2.0] * np.array([x, x])"))
}


# ---------------------------------------------------------------- itertools and operator

RIGHT |= {
    "pairs of neighbours that are no variables": """
import itertools

KNOTS = [0.1, 0.5, 0.9]


def f(x):
    s = 0.0
    for a, b in itertools.pairwise(KNOTS):
        s = s * x + (b - a) * x
    for a, b in itertools.pairwise([1.0, x, x**2]):
        s = s * a + b
    for a, b in itertools.combinations(KNOTS, 2):
        s = s * x + a * b
    return s
""",
    "parts of lists, one behind the other": """
from itertools import chain, islice


def f(x):
    u = [x, x**2, 3.0]
    s = 1.0
    for v in chain(u, [x * 2.0, 0.5], (x,)):
        s = s * x + v * v
    for v in islice(u, 1, 3):
        s = s * v
    for v in islice(u, 2):
        s = s + v
    return s
""",
    "a count without an end": """
import itertools


def f(x):
    for k in itertools.count():
        if k == 1:
            continue
        x = x * 0.5 + k * x**2
        if k > 3:
            break
    for n in itertools.count(5, 2):
        x = x + n * x
        if n > 7:
            return x * k + n
""",
    "getters of several entries, and callers of methods": """
import operator

import numpy as np


def f(x):
    p = {"a": x, "b": 2.0 * x}
    get = operator.itemgetter("a", "b")
    total = operator.methodcaller("sum")
    a, b = get(p)
    return a * b + total(np.array([x, b]) ** 2)
""",
    "a text that a pattern binds": """
def g(x, kind):
    match kind:
        case "square":
            return x**2
        case str() as other if other.startswith("p"):
            y = x**3
        case _:
            y = x
    return y * x


def f(x):
    return g(x, "square") + g(x, "power") * g(x, "none")
""",
}


# ---------------------------------------------------------------- deques with a length, and what is read item by item

REFUSED |= {
    "a deque with a length that a comprehension fills": """
from collections import deque


def f(x):
    d = deque(maxlen=2)
    done = [d.append(x * k) for k in range(3)]
    return d[0] * len(d) * len(done)
""",
    "a deque with a length that gets an item which it loses": """
from collections import deque


def f(x):
    d = deque([x, 2.0, 3.0], maxlen=3)
    for k in range(4):
        d.append(d.popleft() * d[0])
    return d[0] * len(d)
""",
    "sums over a list that the loop writes into": """
from itertools import accumulate


def f(x):
    y = [x, 2 * x, 3 * x]
    s = 0.0
    for c in accumulate(y):
        y[2] = c * c
        s += c
    return s
""",
    "items by place, under the name of the array": """
import numpy as np


def f(x):
    a = np.array([x, x * x])
    s = 0.0
    for _, a in np.ndenumerate(a):
        s += a * a
    return s
""",
    "items by place of a list": """
import numpy as np


def f(x):
    a = [x, x * x]
    s = 0.0
    for _, b in np.ndenumerate(a):
        s += b * x
    return s
""",
    "weights that the loop which repeats them writes into": """
from itertools import cycle


def f(x):
    w, y = [x, 1.0], [x, 2 * x, 3 * x]
    s = 0.0
    for a, b in zip(y, cycle(w)):
        w[1] = s
        s += a * b
    return s
""",
}

# ---------------------------------------------------------------- comprehensions of calls that change objects

CHANGING = """
class Acc:
    def __init__(self, v):
        self.v = v

    def add(self, x):
        self.v = self.v * x + x
        return self.v * x


def step(d, x):
    d["v"] = d["v"] * x + x
    return d["v"]


def f(x):
    a = Acc(x)
    d = {{"v": x}}
    {}
    return r * x + a.v * d["v"]
"""
RIGHT |= {
    f"comprehensions of calls that change objects: {body}": CHANGING.format(body)
    for body in (
        "r = sum(a.add(x * k) for k in range(3)) * a.v",
        "r = sum([a.add(k) * a.v for k in range(2) if a.v > 0.1]) * a.v",
        "r = max([step(d, x * k) for k in range(3)]) + d['v']",
        "q = tuple(step(d, v) + d['v'] for v in (d['v'], x)); r = q[0] * q[1]",
        "q = [step(d, x) for k in range(1 + int(step(d, x) ** 2))]; r = q[0] * q[-1]",
        "q = [(d['v'], step(d, x), a.add(d['v'])) for k in range(2)]; r = q[0][0] * q[1][0] * q[1][2]",
        "q = [step(e, x) for e in [d, {'v': 2 * x}]]; r = q[0] * q[1] * d['v']",
        "q = [step(e, step(e, x)) for e in [d, {'v': 2 * x}]]; r = q[0] * q[1] * d['v']",
        "k = 3; r = sum(a.add(x * k) for k in range(2)) * k",
    )
}
REFUSED |= {
    f"comprehensions of calls that change objects: {body}": CHANGING.format(body)
    for body in (
        "r = a.v * sum(a.add(x * k) for k in range(3)) + a.v",
        "y = [d['v'], *[step(d, x) for k in range(3)], d['v']]; r = y[0] * y[-1] + y[1]",
        "r = [step(d, x) for k in range(3)][-1] if x > 0 else x",
    )
}


# ---------------------------------------------------------------- functions over variables which they change

RUNNING = """
def running(start, rate=0.5):
    t = start
    n = 0
    def add(v):
        nonlocal t, n
        t = t + rate * v
        n += 1
        return t / n
    return add
"""
RIGHT |= {
    f"functions over variables which they change: {body}": f"{RUNNING}\ndef f(x):\n    {body}\n"
    for body in (
        "t = 3.0\n    add = running(x * t)\n    add(t * x)\n    return add(x) * t",
        "add = running(x)\n    x = 2.0 * x\n    add(x)\n    return add(x) * x",
        "n, rate = x * x, 2.0\n    add = running(rate=n, start=rate)\n    return add(n) * add(x) * n * rate",
        "s = 0.0\n    for k in range(3):\n        if k > 0:\n            s += add(x * k)\n"
        "        add = running(s + x)\n        s += add(1.0)\n    return s + add(x)",
        "t = running(x)\n    a = t(x)\n    return t(a) * a",
    )
}
REFUSED |= {
    f"functions over variables which they change: {body}": f"{RUNNING}\ndef f(x):\n    {body}\n"
    for body in (
        "fs = []\n    for k in range(2):\n        add = running(x * k)\n        fs.append(add)\n"
        "    return fs[0](x) * fs[1](x) + fs[0](2.0)",
        "a = running(x)\n    b = a\n    a = running(x * x)\n    return b(x) * a(x) + b(1.0)",
    )
}


@pytest.mark.parametrize("x", [0.7, -0.6])
@pytest.mark.parametrize("name", [*RIGHT, *REFUSED])
def test_rewrite(name: str, x: float) -> None:
    source = (RIGHT | REFUSED)[name].strip() + "\n"
    found = checking.check(Program(source, (x,), ("x",), ("x",), True), ("grad", "value_and_grad", "jvp"), margin=0.0)
    assert found.kind == ("right" if name in RIGHT else "refused"), found.detail


def test_a_branch_that_is_left_out_raises_where_it_is_taken() -> None:
    """Also where all that can be followed is a number: nothing passes for a derivative of zero."""
    source = f"""{TABLE}

def h(x, metric="a"):
    if isinstance(metric, str):
        fn = TABLE[metric].fn
        return fn(x)
    return 2


def outer(x, k):
    return h(x) * k


def f(x):
    return outer(x, x)
"""
    checking.evaluate(source, "<primal>")
    seeds: dict[str, dict[str, Any]] = {"grad": {}, "jvp": {"x_dot": 1.0}}
    for kind, seed in seeds.items():
        derived = checking.evaluate(differentiate(source, Request("model.py", ("f",), emit=(kind,))), "<derivative>")
        with pytest.raises(TypeError, match="no derivative here"):
            derived[f"f_{kind}"](0.7, **seed)
