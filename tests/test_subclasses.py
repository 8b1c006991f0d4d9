"""Objects that the caller may hand over as ones of a subclass: the output asserts whose methods they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s import verify
from s2s.errors import S2SError

pytestmark = pytest.mark.table

MODEL = """
from dataclasses import dataclass
import numpy as np


@dataclass
class Point:
    x: float
    y: float

    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)

    @property
    def area(self):
        return self.x * self.y

    def __call__(self, k):
        return self.x * k

    def twice(self):
        return 2.0 * self.norm()


@dataclass
class Polar(Point):
    def norm(self):
        return self.x * 2.0

    @property
    def area(self):
        return self.x * 7.0

    def __call__(self, k):
        return self.y * k


@dataclass
class Box:
    p: Point
    q: Point


def same(p: Point):
    return p


def norm_of(r: Point):
    return r.norm()


def f(p: Point, q: Point, box: Box):
"""

BODIES = {
    "two names": "r = p\n    s = r\n    return s.norm()",
    "a property of a second name": "r = p\n    return r.area",
    "a call of a second name": "r = p\n    return r(2.0)",
    "a method that calls another": "r = p\n    return r.twice()",
    "what is handed back": "r = same(p)\n    return r.norm()",
    "a part of an object made here": "b = Box(q=p, p=Point(1.0, 2.0))\n    return b.q.norm() * b.p.norm()",
    "a parameter that is bound again": "if p.x > 2.0:\n        p = Point(1.0, 2.0)\n    return p.norm()",
    "a part of a parameter": "r = box.p\n    return r.norm() + box.q.x",
    "a part of a second name": "b = box\n    r = b.p\n    return norm_of(r) * r.x + b.q.norm()",
}
POINT = "p={0}(0.3, 0.4), q={0}(0.5, 0.6), box=Box({0}(0.7, 0.2), {0}(0.1, 0.8))"


@pytest.mark.parametrize("name", BODIES)
def test_a_subclass_is_right_or_refused(name: str, tmp_path: Path) -> None:
    text = MODEL + f"    {BODIES[name]}\n"
    outcome = verify.verify(tmp_path / "model.py", text, "f", (POINT.format("Point"),))
    assert not outcome.diagnostics, outcome.report
    with pytest.raises(S2SError, match=r"asserts `.*type\("):
        verify.verify(tmp_path / "model.py", text, "f", (POINT.format("Polar"),))


def test_what_is_made_here_needs_no_assertion(tmp_path: Path) -> None:
    text = MODEL + "    r = Point(p.x, p.y)\n    return r.norm() * r.area\n"
    outcome = verify.verify(tmp_path / "model.py", text, "f", (POINT.format("Polar"),))
    assert not outcome.diagnostics, outcome.report


COMPREHENSIONS = {
    "a sum": "return k * sum(p.norm() for p in points)",
    "a sum of properties": "return k * sum(p.area for p in points) + sum(p.x for p in points)",
    "an array of a list": "return np.sum([p.norm() * k for p in points]) * max(p.twice() for p in points)",
    "two loops": "return sum(k * p.norm() * q.norm() for p in points for q in points)",
    "with other things": "return sum(i * w * p.norm() for i, (p, w) in enumerate(zip(points, [1.0, k])))",
    "in a test, and of a part": "if sum(p.norm() for p in points) > 0.1:\n"
    "        return k * sum(p.norm() for p in points[1:])\n    return k",
    "a name that is something else, too": "p = 2.0 * k\n    s = sum(p.norm() for p in points)\n    return s * p",
    "before a loop": "y = [p.norm() * k for p in points]\n"
    "    for p in points:\n        k = k + p.x\n    return y[0] * k",
    "in a loop": "s = 0.0\n    for i in range(2):\n        s += i * k * sum(p.norm() for p in points)\n    return s",
    "of a second name of the list": "qs = points\n    return k * sum(q.norm() for q in qs)",
    "of a copy of the list": "qs = list(points)\n    for q in qs:\n        k = k + q.norm()\n    return k",
    "of a list of its items": "qs = [p for p in points]\n    return k * sum(q.norm() for q in qs)",
}


@pytest.mark.parametrize("name", COMPREHENSIONS)
def test_methods_of_items_in_comprehensions(name: str, tmp_path: Path) -> None:
    text = MODEL.replace("def f(p: Point, q: Point, box: Box):", "def f(points: list[Point], k):")
    text += f"    {COMPREHENSIONS[name]}\n"
    at = "points=[{0}(0.5, 0.2), {0}(0.3, 0.4)], k=0.6"
    outcome = verify.verify(tmp_path / "model.py", text, "f", (at.format("Point"),))
    assert not outcome.diagnostics, outcome.report
    with pytest.raises(S2SError, match=r"asserts `.*type\("):
        verify.verify(tmp_path / "model.py", text, "f", (at.format("Polar"),))


def test_objects_that_are_made_here_in_a_sum(tmp_path: Path) -> None:
    text = MODEL + "    ps = [Point(p.x * i, q.y) for i in range(3)]\n    return sum(r.norm() for r in ps)\n"
    outcome = verify.verify(tmp_path / "model.py", text, "f", (POINT.format("Polar"),))
    assert not outcome.diagnostics, outcome.report


REBOUND = {
    "once": "p = p + q\n    return p.norm()",
    "in a loop": "r = p\n    for i in range(2):\n        p = p + q  # a step\n    return p.x * p.y * r.x",
    "in place": "p += q\n    return p.norm() * q.x",
    "in a branch": "if p.x > 0.1:\n        p = p + q\n    else:\n        q = q + q\n    return p.norm() * q.x",
}


@pytest.mark.parametrize("name", REBOUND)
def test_parameters_that_operators_make_anew(name: str, tmp_path: Path) -> None:
    operator = "    def __add__(self, o):\n        return Point(self.x + o.x, self.y + o.y)\n\n    def twice"
    other = "class Polar(Point):\n    def __add__(self, o):\n        return Point(self.x - o.x, o.y)\n\n"
    text = MODEL.replace("    def twice", operator).replace("class Polar(Point):\n", other) + f"    {REBOUND[name]}\n"
    outcome = verify.verify(tmp_path / "model.py", text, "f", (POINT.format("Point"),))
    assert not outcome.diagnostics, outcome.report
    with pytest.raises(S2SError, match=r"asserts `.*type\("):
        verify.verify(tmp_path / "model.py", text, "f", (POINT.format("Polar"),))


BODIES_AND_WALLS = """
from dataclasses import dataclass


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2


class Wall(Body):
    def kinetic(self):
        return 3.0 * self.m


"""
OTHERS = {
    "an item that a second name of the list replaces": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    alias = bodies
    alias[1] = Wall(x[0], x[1])
    e = 0.0
    for b in bodies:
        e = e + b.kinetic()
    return e
""",
    "an item that a nested function appends": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    def put(w):
        bodies.append(w)
    put(Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e = e + b.kinetic()
    return e
""",
    "an item that a helper appends": """\
def put(xs, w):
    xs.append(w)


def f(x):
    bodies = [Body(v, v + 1.0) for v in x]

    put(bodies, Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e = e + b.kinetic()
    return e
""",
    "an item that is appended to one of two lists": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    alias = bodies if x[0] > 0 else []
    alias.append(Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e = e + b.kinetic()
    return e
""",
    "an item that a name bound in a tuple appends": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    alias, n = bodies, 3
    alias.append(Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e = e + b.kinetic()
    return e
""",
    "an item that is appended to what a lambda gives": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    alias = (lambda: bodies)()
    alias.append(Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e = e + b.kinetic()
    return e
""",
    "an item of a list in a list": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    box = [bodies]
    box[0].append(Wall(x[0], x[1]))
    e = 0.0
    for i in range(len(bodies)):
        e = e + bodies[i].kinetic()
    return e
""",
    "an item of a list in a dict": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    d = {"b": bodies}
    d["b"].append(Wall(x[0], x[1]))
    e = 0.0
    for i in range(len(bodies)):
        e = e + bodies[i].kinetic()
    return e
""",
    "an item that a method appends": """\
class System:
    def __init__(self, bodies):
        self.bodies = bodies
    def add(self, b):
        self.bodies.append(b)
    def energy(self):
        return sum(b.kinetic() for b in self.bodies)


def f(x):
    s = System([Body(v, v + 1.0) for v in x])
    s.add(Wall(x[0], x[1]))
    return s.energy()
""",
    "items that methods append": """\
class System:
    def __init__(self):
        self.bodies = []
    def add(self, b):
        self.bodies.append(b)
    def energy(self):
        return sum(b.kinetic() for b in self.bodies)


def f(x):
    s = System()
    for v in x:
        s.add(Body(v, v + 1.0))
    s.add(Wall(x[0], x[1]))
    return s.energy()
""",
    "an item that a helper replaces": """\
def swap(bodies, w):
    bodies[0] = w


def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    swap(bodies, Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e += b.kinetic()
    return e
""",
    "an item that a helper appends to a second name": """\
def grown(bodies, w):
    out = bodies
    out.append(w)
    return out


def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    more = grown(bodies, Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e += b.kinetic()
    return e + len(more)
""",
    "an item that is appended by a second name of the method": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    push = bodies.append
    push(Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e += b.kinetic()
    return e
""",
    "an item that a loop over lists appends": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    for xs in (bodies,):
        xs.append(Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e += b.kinetic()
    return e
""",
    "an item that a function which is handed over appends": """\
def push(xs, w):
    xs.append(w)


def twice(fn, xs, w):
    fn(xs, w)
    fn(xs, w)


def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    twice(push, bodies, Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e += b.kinetic()
    return e
""",
    "a field that is said to be a list of the base class": """\
@dataclass
class System:
    bodies: list[Body]
    def energy(self):
        return sum(b.kinetic() for b in self.bodies)


def f(x):
    s = System([Wall(x[0], x[1]), Wall(x[1], x[2])])
    return s.energy()
""",
    "items of a field that is said to be a list of the base class": """\
@dataclass
class System:
    bodies: list[Body]


def f(x):
    s = System([Wall(x[0], x[1]), Wall(x[1], x[2])])
    e = 0.0
    for b in s.bodies:
        e += b.kinetic()
    return e
""",
    "a result that is said to be of the base class": """\
def make(x) -> Body:
    return Wall(x[0], x[1])


def f(x):
    b = make(x)
    return b.kinetic()
""",
    "a result that is of either class": """\
def make(x, heavy) -> Body:
    if heavy:
        return Wall(x[0], x[1])
    return Body(x[0], x[1])


def f(x):
    b = make(x, True)
    c = make(x, False)
    return b.kinetic() + c.kinetic()
""",
    "an attribute that a helper binds": """\
class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def change(p, w):
    p.a = w


def f(x):
    p = Pair(Body(x[0], x[1]), Body(x[1], x[2]))
    change(p, Wall(x[2], x[1]))
    return p.a.kinetic() + p.b.kinetic()
""",
    "an attribute that a method binds": """\
class Holder:
    def __init__(self, body):
        self.body = body
    def put(self, body):
        self.body = body
    def energy(self):
        return self.body.kinetic()


def f(x):
    h = Holder(Body(x[0], x[1]))
    e = h.energy()
    h.put(Wall(x[1], x[2]))
    return e + h.energy()
""",
    "attributes that a helper exchanges in a loop": """\
class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def change(p, w):
    p.a, p.b = w, p.a


def f(x):
    p = Pair(Body(x[0], x[1]), Body(x[1], x[2]))
    for i in range(2):
        e = p.a.kinetic() + p.b.kinetic()
        change(p, Wall(x[2], x[1]))
    return e
""",
    "a list that a nested function binds anew": """\
def f(x):
    bodies = [Body(v, v + 1.0) for v in x]
    def swap(w):
        nonlocal bodies
        bodies = [w, w]
    swap(Wall(x[0], x[1]))
    e = 0.0
    for b in bodies:
        e += b.kinetic()
    return e
""",
    "an item whose constructor has a loop": """\
class Sum:
    def __init__(self, x):
        self.x = 0.0
        for k in range(3):
            self.x = self.x + x * k


def f(x):
    sums = [Sum(v) for v in x]
    sums[0] = Sum(x[1] * x[2])
    return sums[0].x + sums[1].x ** 2
""",
    "an object that a nested function binds anew": """\
def f(x):
    def swap():
        nonlocal b
        b = Wall(x[1], x[2])
    b = Body(x[0], x[1])
    swap()
    return b.kinetic()
""",
}


@pytest.mark.parametrize("name", OTHERS)
def test_objects_of_another_class_than_their_place_shows(name: str, tmp_path: Path) -> None:
    """Right, refused, or said no to by an assertion: what is shown of a list or an attribute is not all of it."""
    try:
        outcome = verify.verify(tmp_path / "model.py", BODIES_AND_WALLS + OTHERS[name], "f", ("x=[0.3, 0.5, -0.2]",))
    except S2SError as error:
        assert all(d.code.startswith(("S2", "S3", "S5")) for d in error.diagnostics), error
    else:
        assert not outcome.diagnostics, outcome.report


PICKED = """
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def norm(self):
        return self.x * self.x + self.y


class Best:
    def __init__(self, point=None):
        self.point = point
        self.weight = 2.0

    def put(self, p):
        self.point = p

    def value(self):
        return self.point.norm() * self.weight


def first(points, low):
    for p in points:
        if p.x > low:
            return p
    return None


def chosen(p, q, k):
    out = None
    if k > 1:
        out = p
    elif k == 1:
        out = q
    return out


def largest(points):
    best = None
    for p in points:
        if best is None or p.x > best.x:
            best = p
    return best


def f(points: list[Point], k):
"""
PICKS = {
    "an item or None": "p = first(points, 0.1)\n    return p.norm() * k",
    "one of two, or None": "p = chosen(points[0], points[1], 2)\n    return p.norm() * k",
    "the largest": "p = largest(points)\n    return p.norm() * k",
    "the largest, in a loop": "best = None\n    for p in points:\n"
    "        if best is None or p.x > best.x:\n            best = p\n    return best.norm() * k",
    "of a generator": "p = next((q for q in points if q.x > 0.1), None)\n    return p.norm() * k",
    "by a key": "p = min(points, key=lambda q: q.x)\n    return p.norm() * k",
    "in an object": "b = Best(points[0])\n    return b.value() * k",
    "put into an object": "b = Best()\n    b.point = points[0]\n    return b.value() * k",
    "put into an object by a method": "b = Best()\n    b.put(points[0])\n    return b.point.norm() * k",
    "in a dict": "d = {}\n    for i, p in enumerate(points):\n        d[i] = p\n    return d[0].norm() * k",
    "of a list that is filled": "ps = []\n    ps.append(points[0])\n    best = None\n    for p in ps:\n"
    "        best = p\n    return best.norm() * k",
    "of a tuple": "both = (points[0], points[1])\n    p = both[0]\n    return p.norm() * k",
    "in a choice": "p = points[0] if k > 0.1 else None\n    return p.norm() * k if p is not None else k",
}


POLAR = "type('Polar', (Point,), dict(norm=lambda p: p.x * 2.0))"


@pytest.mark.parametrize("name", PICKS)
def test_objects_that_are_picked(name: str, tmp_path: Path) -> None:
    text = PICKED + f"    {PICKS[name]}\n"
    at = "points=[{0}(0.5, 0.2), {0}(0.3, 0.4)], k=0.6"
    outcome = verify.verify(tmp_path / "model.py", text, "f", (at.format("Point"),))
    assert not outcome.diagnostics, outcome.report
    with pytest.raises(S2SError, match=r"asserts `.*type\("):
        verify.verify(tmp_path / "model.py", text, "f", (at.format(POLAR),))
