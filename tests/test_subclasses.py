"""Objects that the caller may hand over as ones of a subclass: the output asserts whose methods they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s import verify
from s2s.errors import S2SError

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
