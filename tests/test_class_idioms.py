"""Classes as people write them: lists that objects keep, copies, computed fields, objects that are iterated over."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import checking
from programs import Program

pytestmark = pytest.mark.table

HEAD = """
import numpy as np
from dataclasses import dataclass, field, replace
from typing import NamedTuple
"""
CLASSES = {
    "plain": """

class Base:
    gain = 1.5

    def __init__(self, a, k):
        self.a = a
        self.k = k
        self.log = []

    def value(self):
        return np.sum(self.a) * self.k

    def step(self, c):
        self.k = self.k * c
        self.a = self.a * self.factor()
        return self

    def factor(self):
        return 0.9

    def inplace(self, c):
        self.a *= c
        self.log.append(c)

    @property
    def mean(self):
        return np.mean(self.a)

    @property
    def rate(self):
        return self.k * 2.0

    @rate.setter
    def rate(self, r):
        self.k = r / 2.0

    @staticmethod
    def twice(c):
        return 2.0 * c

    @classmethod
    def unit(cls, k):
        return cls(np.ones(3) * k, k)

    def copy(self):
        return type(self)(self.a.copy(), self.k)

    def total(self):
        return sum(self.log) + self.k


class Sub(Base):
    def __init__(self, a, k, m=0.5):
        super().__init__(a, k)
        self.m = m

    def factor(self):
        return self.m * super().factor()

    def value(self):
        return super().value() + self.m


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, c):
        return Vec(self.x * c, self.y * c)

    __rmul__ = __mul__

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __iadd__(self, o):
        self.x = self.x + o.x
        self.y = self.y + o.y
        return self

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __abs__(self):
        return np.sqrt(self @ self)

    def __len__(self):
        return 2

    def __iter__(self):
        return iter((self.x, self.y))

    def __call__(self, t):
        return self.x + t * self.y


class Bag:
    def __init__(self, items):
        self.items = list(items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, c):
        self.items[i] = c

    def __len__(self):
        return len(self.items)

    def add(self, c):
        self.items.append(c)
        return self


@dataclass
class Par:
    a: np.ndarray
    k: float = 0.5
    hist: list = field(default_factory=list)

    def __post_init__(self):
        self.s = self.k * 2.0

    def energy(self):
        return self.s * np.sum(self.a ** 2)


@dataclass(frozen=True)
class Con:
    k: float
    m: float = 2.0

    def law(self, x):
        return self.k * x ** self.m


class Pt(NamedTuple):
    x: float
    y: float

    def norm(self):
        return np.hypot(self.x, self.y)


def bump(o, c):
    o.k = o.k * c
    return o


def fresh(o):
    return Base(o.a * 2.0, o.k)
""",
    "dataclasses": """

@dataclass
class P1:
    a: np.ndarray
    k: float = 0.5
    hist: list = field(default_factory=list)

    def energy(self):
        return self.k * np.sum(self.a ** 2)


@dataclass
class P2:
    a: np.ndarray
    k: float = 0.5

    def __post_init__(self):
        self.s = self.k * 2.0

    def energy(self):
        return self.s * np.sum(self.a ** 2)


@dataclass
class P3:
    a: np.ndarray
    k: float = 0.5
    w: np.ndarray = field(default_factory=lambda: np.ones(3))
    s: float = field(init=False)

    def __post_init__(self):
        self.s = self.k * 2.0

    def energy(self):
        return self.s * np.sum(self.w * self.a ** 2)
""",
    "states": """

@dataclass
class P1:
    a: np.ndarray
    k: float = 0.5

    def energy(self):
        return self.k * np.sum(self.a ** 2)


class N(NamedTuple):
    x: float
    y: float
""",
    "one": """

class Base:
    def __init__(self, a, k):
        self.a = a
        self.k = k

    def value(self):
        return np.sum(self.a) * self.k
""",
    "lists": """

@dataclass
class Par:
    a: np.ndarray
    k: float = 0.5
    hist: list = field(default_factory=list)

    def __post_init__(self):
        self.s = self.k * 2.0


class Plain:
    def __init__(self, a, k=0.5, hist=None):
        self.a = a
        self.k = k
        self.hist = hist if hist is not None else []
        self.s = self.k * 2.0


class Shift:
    @staticmethod
    def add(c, a):
        c[1:] += a * c[:-1]


class Base:
    def __init__(self, a, k):
        self.a = a
        self.k = k

    def value(self):
        return np.sum(self.a) * self.k


class Shared:
    def __init__(self, k, hist=[]):
        self.k = k
        self.hist = hist
""",
    "iterated": """

class Poly:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x):
        return self.a * x + self.b

    def __iter__(self):
        return iter((self.a, self.b))

    def __len__(self):
        return 2
""",
}
U = np.array([0.4, 0.7, 0.3])
V = np.array([0.6, 0.25, 0.85])
PROGRAMS = {
    "a static method of an object that has a list": (
        "plain",
        """
def f(u, v, k):
    B = Base(u * 1.0, k)
    return B.twice(u[0])
""",
    ),
    "type(self), and an object that has a list": (
        "plain",
        """
def f(u, v, k):
    B = Base(u * 1.0, k)
    B = B.copy()
    return B.value()
""",
    ),
    "attributes that change places": (
        "plain",
        """
def f(u, v, k):
    p = Vec(u[0], k)
    p.x, p.y = p.y, p.x * 2.0
    return p.x - p.y
""",
    ),
    "a list that is given to a constructor": (
        "plain",
        """
def f(u, v, k):
    G = Bag([u[0], k, v[2]])
    return G[0] * G[-1]
""",
    ),
    "a class around a list": (
        "plain",
        """
def f(u, v, k):
    G = Bag([u[0], k, v[2]])
    G[0] = k
    G.add(u[1])
    return G[0] * G[-1] * len(G)
""",
    ),
    "the sum of an object that is iterated": (
        "plain",
        """
def f(u, v, k):
    p = Vec(u[0], k)
    return sum(p)
""",
    ),
    "the sum of a list that an object has": (
        "plain",
        """
def f(u, v, k):
    G = Bag([u[0], k, v[2]])
    return sum(G.items)
""",
    ),
    "methods that append": (
        "plain",
        """
def f(u, v, k):
    B = Base(u * 1.0, k)
    B.inplace(0.5)
    B.inplace(k)
    return B.total() * B.value()
""",
    ),
    "a comprehension over an object": (
        "plain",
        """
def f(u, v, k):
    p = Vec(u[0], k)
    return np.sum([c for c in p])
""",
    ),
    "a list of a dataclass, appended to": (
        "dataclasses",
        """
def f(u, v, k):
    D = P1(u.copy(), k)
    D.hist.append(k)
    D.hist.append(u[0])
    return D.energy() * sum(D.hist)
""",
    ),
    "replace, and __post_init__": (
        "dataclasses",
        """
def f(u, v, k):
    D = P2(u.copy(), k)
    D = replace(D, k=u[0])
    return D.energy()
""",
    ),
    "a field that __post_init__ computes": (
        "dataclasses",
        """
def f(u, v, k):
    D = P3(u.copy(), k)
    return D.energy()
""",
    ),
    "arrays that a factory makes": (
        "dataclasses",
        """
def f(u, v, k):
    D = P3(u.copy(), k)
    D.w[1:] = k
    D.a *= k
    return D.energy()
""",
    ),
    "replace, and the result written": (
        "dataclasses",
        """
def f(u, v, k):
    D = P2(u.copy(), k)
    E = replace(D, a=v)
    E.s = k * 3.0
    return D.energy() * E.energy()
""",
    ),
    "replace of items of a list": (
        "states",
        """
def f(u, v, k):
    states = [P1(u, k)]
    for c in v:
        s = states[-1]
        states.append(replace(s, k=s.k * c))
    return sum(s.energy() for s in states)
""",
    ),
    "_replace of items of a list": (
        "states",
        """
def f(u, v, k):
    states = [N(u[0], k)]
    for c in v:
        s = states[-1]
        states.append(s._replace(x=s.y * c))
    return sum(s.x * s.y for s in states)
""",
    ),
    "setattr and getattr": (
        "one",
        """
def f(u, v, k):
    B = Base(u * 1.0, k)
    setattr(B, "k", k * 0.5)
    setattr(B, "a", v)
    return B.value() * getattr(B, "k")
""",
    ),
    "a list of a dataclass that computes a field, appended to": (
        "lists",
        """
def f(u, v, k):
    D = Par(u.copy(), k)
    D.hist.append(k)
    D.hist.append(u[0])
    return sum(D.hist) * D.s
""",
    ),
    "a list that a constructor makes for None": (
        "lists",
        """
def f(u, v, k):
    D = Plain(u.copy(), k)
    D.hist.append(k)
    D.hist.append(u[0])
    return sum(D.hist) * D.s
""",
    ),
    "a static method that writes": (
        "lists",
        """
def f(u, v, k):
    c = u.copy()
    Shift.add(c, k)
    return np.sum(c * v)
""",
    ),
    "a number that an object is given, updated": (
        "lists",
        """
def f(u, v, k):
    B = Base(u, k)
    B.k += u[1]
    return B.value()
""",
    ),
    "two objects with lists that a constructor makes for None": (
        "lists",
        """
def f(u, v, k):
    D = Plain(u.copy(), k)
    E = Plain(v, k)
    D.hist.append(k)
    E.hist.append(u[0])
    return sum(D.hist) * sum(E.hist)
""",
    ),
    "a list that a constructor makes for None, appended to in a loop": (
        "lists",
        """
def f(u, v, k):
    D = Plain(u.copy(), k)
    for c in v:
        D.hist.append(k * c)
        D.k = D.k * c
    return sum(D.hist) * D.hist[-1] * D.k
""",
    ),
    "a list that a constructor is given": (
        "lists",
        """
def f(u, v, k):
    D = Shared(k, [u[0], k])
    D.hist.append(k)
    return sum(D.hist) * D.k
""",
    ),
    "objects that are iterated side by side": (
        "iterated",
        """
def f(u, v, k):
    p = Poly(u[0], k)
    q = Poly(k, v[1])
    return sum(x * y for x, y in zip(p, q)) + max(p) * min(q)
""",
    ),
    "a list of what an object runs over": (
        "iterated",
        """
def f(u, v, k):
    p = Poly(u[0], k)
    L = list(p)
    L.append(k * 2.0)
    x, y = p
    return sum(L) * x - y
""",
    ),
    "a tuple of what an object runs over": (
        "iterated",
        """
def f(u, v, k):
    p = Poly(u, k * v)
    r = 0.0
    for j, c in enumerate(p):
        r += np.sum(c) * (j + 1)
    return r * np.sum(np.array(tuple(p)))
""",
    ),
}


@pytest.mark.parametrize("stated", ["", "# s2s: u (n,), v (n,), k ()\n"], ids=["shapeless", "stated"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, stated: str) -> None:
    classes, text = PROGRAMS[name]
    source = HEAD + CLASSES[classes] + "\n\n" + stated + text.lstrip()
    program = Program(source, (U, V, 0.7), ("u", "v", "k"), ("u", "v", "k"), True)
    for emit in (("vjp", "jvp"), ("grad",)):
        verdict = checking.check(program, emit, seed=1, margin=0.0)
        assert verdict.kind == "right", verdict


def test_a_list_by_default_is_shared_by_all_objects() -> None:
    text = "def f(u, v, k):\n    D = Shared(k)\n    D.hist.append(k)\n    return sum(D.hist) * D.k\n"
    program = Program(HEAD + CLASSES["lists"] + "\n\n" + text, (U, V, 0.7), ("k",), ("u", "v", "k"), True)
    assert checking.check(program, ("vjp",)).kind == "refused"


COMPUTED = """
@dataclass
class Fields:
    a: float
    p: np.ndarray = field(init=False, default_factory=lambda: np.ones(3))
    q: np.ndarray = field(init=False, default_factory=lambda: np.ones(3))
    s: np.ndarray = field(init=False, default_factory=lambda: np.zeros(3))

    def __post_init__(self):
        self.p[0] = self.a


def f(x):
    d = Fields(x)
    d.q[0] = x
    d.s[1] = x * x
    return np.sum(d.p * d.q + d.s)
"""


def test_fields_that_a_constructor_does_not_take_are_made_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(HEAD.lstrip() + "\n" + COMPUTED)
    command = [sys.executable, "-m", "s2s", "grad", "model.py::f", "--emit", "vjp", "-o", "-"]
    root = str(Path(__file__).resolve().parent.parent)
    texts = {
        subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": root, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "0123"
    }
    assert len(texts) == 1
