"""Classes as people write them: hierarchies, dataclasses with defaults of their own, objects made of objects.

Both modes against differences, as in test_objects.py; each program brings its own classes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from test_objects import agree, mat, vec


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    for name in ("model", "model_grad"):
        sys.modules.pop(name, None)


CASES: dict[str, tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]] = {
    "constructors and methods of base classes": (
        """
        class Body:
            def __init__(self, a):
                self.a = a * 1.1

            def area(self):
                return self.a**2

        class Disc(Body):
            def __init__(self, a, b):
                super().__init__(a * b)
                self.b = b

            def area(self):
                return super().area() * 3.0

        class Ring(Disc):
            def __init__(self, a, b, c):
                super().__init__(a, b)
                self.c = self.b * c

            def total(self):
                return self.area() + self.c * self.b

        def f(x, y):
            return Ring(x, y, x * y).total()
        """,
        lambda m: (0.7, 0.4),
    ),
    "a method that is left to the classes": (
        """
        class Shape:
            def area(self):
                raise NotImplementedError

            def twice(self):
                return 2.0 * self.area()

        class Square(Shape):
            def __init__(self, side):
                self.side = side

            def area(self):
                return self.side**2

        def f(x, y):
            return Square(x).twice() * y
        """,
        lambda m: (0.7, 0.4),
    ),
    "fields with factories": (
        """
        @dataclass
        class Spring:
            k: float
            d: float = 0.1

        @dataclass
        class Mass:
            x: float
            spring: Spring = dataclasses.field(default_factory=lambda: Spring(0.3))
            history: list = dataclasses.field(default_factory=list)

            def step(self, h: float):
                self.x = self.x - h * (self.spring.k * self.x + self.spring.d)
                self.history.append(self.x)

        def f(x, y):
            a = Mass(x, Spring(y))
            b = Mass(y)
            for _ in range(3):
                a.step(0.1)
                b.step(0.2)
            return sum(a.history) * b.history[1] + len(b.history)
        """,
        lambda m: (0.7, 0.4),
    ),
    "what follows the fields": (
        """
        @dataclass
        class Disc:
            r: float
            h: float = 0.5

            def __post_init__(self):
                self.area = 3.0 * self.r**2
                self.volume = self.area * self.h

        def f(x, y):
            return Disc(x).volume * Disc(y, h=x).area
        """,
        lambda m: (0.7, 0.4),
    ),
    "objects that a constructor makes": (
        """
        class Layer:
            def __init__(self, W, scale=1.0):
                self.W = W * scale

            def forward(self, x):
                return np.tanh(self.W @ x)

        class Net:
            def __init__(self, A, B):
                self.first = Layer(A)
                self.second = Layer(B, 0.5)
                self.calls = 0.0

            def forward(self, x):
                self.calls = self.calls + np.sum(x)
                return self.second.forward(self.first.forward(x))

        def f(A, B, x):
            net = Net(A, B)
            return np.sum(net.forward(net.forward(x))) * net.calls
        """,
        lambda m: (mat(), mat(), vec()),
    ),
    "methods in a chain": (
        """
        class Value:
            def __init__(self, x):
                self.x = x

            def plus(self, k):
                self.x = self.x + k
                return self

            def times(self, k):
                self.x = self.x * k
                return self

        def f(x, y):
            return Value(x).plus(2.0).times(y).plus(x).x
        """,
        lambda m: (0.7, 0.4),
    ),
    "new objects from old ones, in helpers": (
        """
        class Point(NamedTuple):
            x: float
            v: float

        @dataclass(frozen=True)
        class Law:
            k: float
            d: float

        def stiffer(law: Law, by: float) -> Law:
            return dataclasses.replace(law, k=law.k * by)

        def made(x, v):
            return Point(x * v, v)

        def step(p, law, h):
            return p._replace(v=p.v - h * law.k * p.x, x=p.x + h * p.v)

        def f(p: Point, k: float):
            law = stiffer(Law(k, 0.1), 1.5)
            q = made(p.x, p.v)._replace(v=k)
            for _ in range(3):
                q = step(q, law, 0.1)
            r = p._replace(x=q.x)
            return r.x * r.v * q.v
        """,
        lambda m: (m["Point"](0.7, 0.4), 0.3),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_both_modes(name: str) -> None:
    text, make = CASES[name]
    agree(text, make)
