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
