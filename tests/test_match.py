"""`match` on sequences with a star, on classes and on mappings, and tuples of lists, in both modes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2s.pipeline import Request, differentiate
from test_objects import agree, forgotten, generated, module

__all__ = ["forgotten"]

CASES: dict[str, tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]] = {}


def case(name: str, text: str, make: Callable[[dict[str, Any]], tuple[Any, ...]]) -> None:
    CASES[name] = (text, make)


case(
    "a star at the end, of a parameter",
    """
def f(xs):
    match xs:
        case [a]:
            return a ** 2
        case [a, b]:
            return a * b
        case [a, *rest]:
            return a * sum(r ** 2 for r in rest)
        case _:
            return 0.0
""",
    lambda m: ([1.2, 0.3, 0.4, 0.5],),
)

case(
    "a star in the middle, of a local list",
    """
def f(a: float, b: float):
    xs = [a, b, a * b, a + b]
    match xs:
        case [p, *mid, q]:
            return p * q + mid[0] * mid[1]
    return a
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "a dict",
    """
def f(k: float, x: float, kind: str):
    law = {"kind": kind, "k": k, "c": 2.0 * k}
    match law:
        case {"kind": "lin", "k": g}:
            return g * x
        case {"kind": "cubic", "k": g, "c": c}:
            return g * x + c * x ** 3
        case _:
            raise ValueError("law")
""",
    lambda m: (
        0.7,
        0.4,
        "cubic",
    ),
)

case(
    "classes by position, in a helper",
    """
from dataclasses import dataclass
@dataclass
class Circle:
    r: float
@dataclass
class Rect:
    a: float
    b: float
def area(shape):
    match shape:
        case Circle(r):
            return np.pi * r ** 2
        case Rect(a, b):
            return a * b
        case _:
            raise TypeError(f"unknown shape {shape}")
def f(a: float, b: float):
    return area(Circle(a)) + area(Rect(a, b))
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "classes by attribute, of items",
    """
from dataclasses import dataclass
@dataclass
class Circle:
    r: float
@dataclass
class Rect:
    a: float
    b: float
def f(a: float, b: float):
    total = 0.0
    for shape in [Circle(a), Rect(a, b)]:
        match shape:
            case Circle(r=radius):
                total += np.pi * radius ** 2
            case Rect(a=w, b=h):
                total += w * h
    return total
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "a parameter that is stated",
    """
from dataclasses import dataclass
@dataclass
class Circle:
    r: float
@dataclass
class Rect:
    a: float
    b: float
def f(s: Rect):
    match s:
        case Circle(r):
            return np.pi * r ** 2
        case Rect(a, b):
            return a * b
""",
    lambda m: (m["Rect"](0.7, 0.4),),
)

case(
    "texts and numbers, with a guard",
    """
def f(x: float, n: int, method: str):
    match method, n:
        case "euler", _:
            return x
        case "rk4", k if k > 2:
            return x ** 2 * k
        case "rk4" | "rk2", 0 | 1 | 2:
            return x ** 3
    return 0.0 * x
""",
    lambda m: (
        0.7,
        3,
        "rk4",
    ),
)

case(
    "__match_args__, guards and values",
    """
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x = x
        self.y = y
def f(a: float, b: float):
    p = P(a, b)
    match p:
        case P(0, y):
            return y
        case P(x, y) if x > y:
            return x * y ** 2
        case P(x=x):
            return x
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "a pair that is a parameter",
    """
def f(t):
    match t:
        case (x, y):
            return x * y
        case (x, y, z):
            return x * y * z
""",
    lambda m: ((0.7, 0.4),),
)

case(
    "a pair in a pair",
    """
def f(a: float, b: float):
    cmd = ("move", (a, b))
    match cmd:
        case ("move", (x, y)):
            r = x * y
        case ("scale", s):
            r = a
        case _:
            r = 0.0
    return r * a
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "events of a loop that one of them ends",
    """
def f(x: float, k: float):
    events = [("kick", 0.3), ("decay", 2), ("stop",)]
    for ev in events:
        match ev:
            case ("kick", amount):
                x = x + amount * k
            case ("decay", n):
                x = x * k ** n
            case ("stop",):
                break
    return x
""",
    lambda m: (
        0.7,
        0.4,
    ),
)


# ---------------------------------------------------------------- tuples of lists
case(
    "a tuple of a list is returned",
    """
def f(x: float, n: int):
    ys = []
    for i in range(n):
        ys.append(x ** i)
    return tuple(ys)
""",
    lambda m: (
        0.7,
        3,
    ),
)
case(
    "tuples of generators and of parts",
    """
def f(xs: list):
    u = tuple(x * x for x in xs)
    v = tuple(u[:2])
    return u[0] * v[1] + sum(u)
""",
    lambda m: ([0.7, 0.4, 0.2],),
)
case(
    "an item of a display with a star",
    """
def f(x: float, a: float):
    xs = [x, x ** 2, x ** 3]
    t = (*xs, 2 * a)
    return t[1] * t[-1] + t[0]
""",
    lambda m: (
        0.7,
        0.3,
    ),
)
case(
    "a tuple of lengths",
    """
def f(A):
    shape = tuple(n for n in A.shape)
    half = tuple(n // 1 for n in shape)
    B = np.zeros(half) + A
    return np.sum(B ** 2) * len(shape)
""",
    lambda m: (np.cos(np.arange(12.0)).reshape(3, 4),),
)
case(
    "a pair of tuples is returned",
    """
def f(x: float, n: int):
    ys = [x ** i for i in range(n)]
    zs = [2.0 * y for y in ys]
    return tuple(ys), tuple(zs)
""",
    lambda m: (
        0.7,
        3,
    ),
)
case(
    "a copy of a list, written into",
    """
def f(xs: list):
    ys = list(xs)
    ys.append(ys[0] * ys[1])
    ys[0] = 2.0 * ys[0]
    return ys[0] * ys[2] + xs[0]
""",
    lambda m: ([0.7, 0.4],),
)
case(
    "max with a default and a key",
    """
def f(x, c: float):
    y = max((xi * c for xi in x), key=lambda t: -t, default=c)
    return y ** 2
""",
    lambda m: (
        np.linspace(0.4, 1.3, 4),
        0.8,
    ),
)
case(
    "setdefault and update",
    """
def f(a: float, b: float):
    d = {"x": a}
    d.setdefault("y", b)
    d.setdefault("x", 3.0)
    d.update({"z": a * b})
    d.update(x=d["x"] * 2)
    return d["x"] * d["y"] + d.get("z", 0.0) + d.get("w", b)
""",
    lambda m: (
        0.7,
        0.4,
    ),
)
case(
    "setdefault of an entry that one branch adds",
    """
def f(a: float, b: float):
    d = {"x": a}
    if a > 0:
        d["y"] = b * b
    y = d.setdefault("y", b)
    return d["x"] * d["y"] * y
""",
    lambda m: (
        0.7,
        0.4,
    ),
)
case(
    "lists unpacked with stars, one from another",
    """
def f(xs: list):
    a, *b = xs
    *c, d = b
    e, (g, *h) = a, c
    return a * sum(b) + d * e * g + len(h) * a
""",
    lambda m: ([0.7, 0.4, 0.3, 0.2],),
)
case(
    "max and min with a default, of generators",
    """
def f(x, c: float):  # s2s: x (n,)
    high = max((xi * c for xi in x if xi > c), default=c)
    low = min((xi * c for xi in x if xi > 10.0), default=c)
    return high**2 * low
""",
    lambda m: (np.linspace(0.4, 1.3, 4), 0.8),
)


@pytest.mark.parametrize("name", CASES)
def test_match(name: str) -> None:
    text, make = CASES[name]
    agree(text, make)


def test_the_gradient_of_star_arguments_is_differentiated_again() -> None:
    source = """
    def g(*xs):
        s = 0.0
        for x in xs:
            s = s + x**3
        return s * xs[0]
    """
    once = differentiate(textwrap.dedent(source), Request(functions=("g",)))
    twice = differentiate(once, Request(functions=("g_grad",), emit=("jvp",)))
    made = module(twice, "model_grad")
    point, dot, h = (0.7, 0.4, 0.2), (0.3, -0.2, 0.5), 1e-6
    first = module(once, "model")["g_grad"]
    up, down = (np.array(first(*(p + s * h * d for p, d in zip(point, dot, strict=True)))) for s in (1, -1))
    value, tangent = made["g_grad_jvp"](*point, xs_dot=dot)
    np.testing.assert_allclose(value, first(*point))
    np.testing.assert_allclose(tangent, (up - down) / (2 * h), rtol=1e-6)
    assert isinstance(value, tuple) and isinstance(tangent, tuple)


def test_comments_of_a_match_are_kept() -> None:
    text = """
    def f(law, x: float):
        # by the law
        match law:
            case {"k": k}:
                y = k * x  # linear
            case _:
                y = x
        return y**2
    """
    made = generated(text, "f", wrt=("x",))
    assert "# by the law" in made and 'if "k" in law:' in made and "# linear" in made
