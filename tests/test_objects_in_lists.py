"""Lists of objects that the caller gives: the class of the items is known in whatever way the list is gone through.

Both modes against differences, as in `test_objects`; objects that are changed stay as they are for the caller, and what
could not be told apart from a copy is guarded.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import re
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import checking
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate
from test_objects import agree, forgotten, module  # noqa: F401

pytestmark = pytest.mark.table

Make = Callable[[dict[str, Any]], tuple[Any, ...]]

CLASSES = """
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np


@dataclass
class Body:
    m: float
    x: float
    v: float

    def kinetic(self):
        return 0.5 * self.m * self.v**2

    def kick(self, h):
        self.v += h * self.m


@dataclass(frozen=True)
class Fixed:
    m: float
    x: float
    v: float


class Row(NamedTuple):
    m: float
    x: float
    v: float


class Plain:
    def __init__(self, m, x, v):
        self.m = m
        self.x = x
        self.v = v

    def kinetic(self):
        return 0.5 * self.m * self.v**2


@dataclass
class Cell:
    m: float
    p: np.ndarray
    v: np.ndarray


@dataclass
class Named:
    name: str
    m: float
    v: float
    n: int = 2
    fixed: bool = False
    trail: list = field(default_factory=list)

    def kinetic(self):
        return 0.5 * self.m * self.v**2


class System:
    def __init__(self, bodies: list[Body]):
        self.bodies = bodies


def energy(bs):
    e = 0.0
    for b in bs:
        e += b.m * b.v**2
    return e


def kinetic(bs):
    return sum(b.kinetic() for b in bs)


def kick(bs, h):
    for b in bs:
        b.v += h * b.m


def steps(bs: list[Body]):
    e = 0.0
    for a, b in zip(bs, bs[1:]):
        e += a.m * b.v + a.x * b.x
    return e

"""
FIELDS = [(0.5, 0.2, 0.9), (0.8, -0.5, 1.3), (1.1, -1.2, 1.7)]


def some(name: str) -> Make:
    """Three objects of a class, and a number."""
    return lambda m: ([m[name](*fields) for fields in FIELDS], 0.3)


def cells(m: dict[str, Any]) -> tuple[Any, ...]:
    return [m["Cell"](a, np.array([b, 0.3]), np.array([c, 0.2])) for a, b, c in FIELDS], 0.3


def named(m: dict[str, Any]) -> tuple[Any, ...]:
    return [m["Named"]("sun", 0.5, 0.9), m["Named"]("earth", 0.7, 0.4, 3), m["Named"]("moon", 0.1, 0.3, 2, True)], 0.3


MAKERS: dict[str, Make] = {"Cell": cells, "Named": named}


def text_of(body: str, note: str = "list[Body]") -> str:
    return f"{CLASSES}\ndef f(bodies: {note}, dt: float):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"


def right(body: str, cls: str = "Body", note: str = "", make: Make | None = None) -> str:
    return agree(text_of(body, note or f"list[{cls}]"), make or MAKERS.get(cls, some(cls)))


# ---------------------------------------------------------------- parts, orders and copies

SEQUENCES = {
    "itself": "bodies",
    "a list": "list(bodies)",
    "a copy": "bodies.copy()",
    "all but the first": "bodies[1:]",
    "all but the last": "bodies[:-1]",
    "backwards": "bodies[::-1]",
    "reversed": "reversed(bodies)",
    "sorted": "sorted(bodies, key=lambda b: b.m)",
    "sorted, the largest first": "sorted(bodies, key=lambda b: -b.x, reverse=True)",
    "some": "[b for b in bodies if b.m > 0.6]",
    "filter": "filter(lambda b: b.m > 0.6, bodies)",
    "joined": "bodies[1:] + bodies[:1]",
}
USES = {
    "a loop": "e = 0.0\nfor b in {}:\n    e += b.m * b.v**2 * dt + b.x\nreturn e",
    "a sum": "return sum(b.m * b.v**2 * dt + b.x for b in {})",
    "a method": "return sum(b.kinetic() * dt for b in {})",
    "a name": "bs = {}\ne = 0.0\nfor b in bs:\n    e += b.kinetic() * b.x * dt\nreturn e",
    "numbered": "e = 0.0\nfor i, b in enumerate({}):\n    e += b.m * b.v**2 * dt * (i + 1)\nreturn e",
    "handed on": "return energy({}) * dt",
    "handed on, for a method": "return kinetic({}) * dt",
    "changed": "for b in {}:\n    b.v += dt * b.m\nreturn sum(b.v**2 * b.m for b in bodies)",
}
NOT_YET = {
    ("reversed", "a name"): "S301",  # an iterator
    ("filter", "handed on"): "S217",
    ("filter", "handed on, for a method"): "S217",
    ("joined", "changed"): "S239",  # which arrays of two lists are one
}


@pytest.mark.parametrize(("of", "use"), itertools.product(SEQUENCES, USES))
def test_a_sequence_of_the_objects(of: str, use: str) -> None:
    body = USES[use].format(SEQUENCES[of])
    if (code := NOT_YET.get((of, use))) is not None:
        with pytest.raises(S2SError, match=code):
            right(body)
    else:
        right(body)


CASES: dict[str, tuple[str, str]] = {
    # pairs
    "neighbours": ("Body", "return sum(a.m * b.v * dt + a.x * b.x for a, b in zip(bodies, bodies[1:]))"),
    "neighbours in a helper": ("Body", "return steps(bodies) * dt"),
    "combinations": (
        "Body",
        """
        e = 0.0
        for a, b in itertools.combinations(bodies, 2):
            e -= a.m * b.kinetic() / abs(a.x - b.x) * dt
        return e
        """,
    ),
    "combinations that change": (
        "Body",
        """
        for a, b in itertools.combinations(bodies, 2):
            d = a.x - b.x
            a.v += dt * b.m * d
            b.v -= dt * a.m * d
        return sum(b.v**2 for b in bodies)
        """,
    ),
    "a loop in a loop that changes": (
        "Body",
        """
        for i, a in enumerate(bodies):
            for b in bodies[i + 1:]:
                d = (a.x - b.x) * dt
                a.v -= b.m * d
                b.v += a.m * d
        for b in bodies:
            b.x += dt * b.v
        return sum(b.x**2 for b in bodies)
        """,
    ),
    # single items
    "by number": ("Body", "return bodies[0].kinetic() * dt + bodies[1].kinetic()"),
    "by number, in a sum": ("Body", "return sum(bodies[i].kinetic() * dt for i in range(len(bodies)))"),
    "by number, changed": (
        "Body",
        """
        for i in range(len(bodies)):
            for j in range(len(bodies)):
                if i != j:
                    bodies[i].v += dt * bodies[j].m * (bodies[i].x - bodies[j].x)
        for b in bodies:
            b.x += b.v * dt
        return bodies[0].x + sum(b.x**2 for b in bodies)
        """,
    ),
    "by number, bound anew": (
        "Body",
        """
        for i in range(len(bodies)):
            bodies[i].v = bodies[i].v + dt * bodies[i].m
        return sum(b.v**2 for b in bodies)
        """,
    ),
    "by number in a second list, changed": (
        "Body",
        """
        bs = list(bodies)
        for i in range(len(bs)):
            bs[i].v += dt * bs[i].m
        return sum(b.v**2 for b in bodies)
        """,
    ),
    "a method that changes one": ("Body", "bodies[1].kick(dt)\nreturn sum(b.kinetic() for b in bodies)"),
    "the best": (
        "Body",
        """
        best = bodies[0]
        for b in bodies[1:]:
            if b.m > best.m:
                best = b
        return best.v * dt * best.x
        """,
    ),
    "the largest": ("Body", "b = max(bodies, key=lambda b: b.kinetic())\nreturn b.kinetic() * dt * b.m"),
    "the first and the rest": ("Body", "first, *rest = bodies\nreturn first.m * dt + sum(b.v for b in rest)"),
    # lists of the function
    "two exchanged": (
        "Body",
        """
        bs = list(bodies)
        bs[0], bs[1] = bs[1], bs[0]
        return bs[0].kinetic() * dt + sum(b.m for b in bs) * bs[1].x
        """,
    ),
    "sorted in place": (
        "Body",
        "bs = list(bodies)\nbs.sort(key=lambda b: -b.m)\nreturn bs[0].kinetic() * dt + bs[1].x",
    ),
    "appended one by one": (
        "Body",
        """
        heavy = []
        for b in bodies:
            if b.m > 0.6:
                heavy.append(b)
        return sum(b.kinetic() for b in heavy) * dt
        """,
    ),
    "some that are changed": (
        "Body",
        """
        heavy = [b for b in bodies if b.m > 0.6]
        for b in heavy:
            b.v *= dt
        return sum(b.v for b in heavy) * dt + sum(b.v**2 for b in bodies)
        """,
    ),
    "each twice": (
        "Body",
        """
        for b in [b for b in bodies for _ in range(2)]:
            b.v += dt * b.m * b.v
        return sum(b.v for b in bodies)
        """,
    ),
    "changed by a helper": ("Body", "kick(bodies, dt)\nreturn sum(b.kinetic() for b in bodies)"),
    "some changed by a helper": ("Body", "kick(bodies[1:], dt)\nreturn sum(b.kinetic() for b in bodies)"),
    "in an object": ("Body", "s = System(bodies)\nreturn sum(b.kinetic() for b in s.bodies[1:]) * dt"),
    "new objects": (
        "Body",
        "new = [replace(b, v=b.v + dt * b.m) for b in bodies]\nreturn sum(b.kinetic() for b in new)",
    ),
    # results
    "some are returned": ("Body", "return bodies[1:]"),
    "they are returned in order": ("Body", "return sorted(bodies, key=lambda b: b.m)"),
    "they are changed and returned": ("Body", "for b in bodies:\n    b.v += dt * b.m\nreturn bodies"),
    # other classes
    "frozen": ("Fixed", "return sum(b.m * b.v for b in bodies[1:]) * dt"),
    "frozen, made anew": (
        "Fixed",
        "new = [replace(b, v=b.v + dt * b.m) for b in bodies]\nreturn sum(b.v**2 for b in new[1:])",
    ),
    "no annotated fields": ("Plain", "return sum(b.kinetic() for b in bodies[1:]) * dt"),
    "arrays": ("Cell", "return sum(b.m * b.v @ b.p for b in bodies[1:]) * dt"),
    "arrays bound anew": (
        "Cell",
        "for b in bodies[1:]:\n    b.v = b.v + dt * b.p\nreturn sum(b.m * b.v @ b.v for b in bodies)",
    ),
    "arrays that are written": (
        "Cell",
        "for b in bodies[1:]:\n    b.v[0] += dt * b.p[1]\nreturn sum(b.m * b.v @ b.v for b in bodies)",
    ),
    "arrays that are written, by number": (
        "Cell",
        """
        for i in range(len(bodies)):
            bodies[i].v[0] += dt * bodies[i].p[1]
            bodies[i].p = bodies[i].p + dt * bodies[i].v
        return sum(b.p @ b.p for b in bodies)
        """,
    ),
    # named tuples
    "named tuples": ("Row", "return sum(a.m * b.v for a, b in zip(bodies, bodies[1:])) * dt"),
    "named tuples, taken apart": (
        "Row",
        "e = 0.0\nfor m, x, v in bodies[1:]:\n    e += m * x * v * dt\nreturn e",
    ),
    "named tuples, taken apart in a sum": ("Row", "return sum(m * x * v * dt for m, x, v in bodies)"),
    "pairs of named tuples, taken apart": (
        "Row",
        "return sum(m * w * dt for (m, x, v), (n, y, w) in zip(bodies, bodies[1:]))",
    ),
    "numbered named tuples, taken apart": (
        "Row",
        "e = 0.0\nfor i, (m, x, v) in enumerate(bodies):\n    e += m * x * v * dt * (i + 1)\nreturn e",
    ),
    "named tuples by number": ("Row", "return bodies[0][1] * bodies[1][-1] * dt"),
    "named tuples, made anew": (
        "Row",
        "new = [b._replace(v=b.v + dt * b.m) for b in bodies[1:]]\nreturn sum(b.v**2 for b in new)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_list_of_objects(name: str) -> None:
    right(CASES[name][1], CASES[name][0])


@pytest.mark.parametrize("note", ["Sequence[Body]", "tuple[Body, ...]", "'list[Body]'", "list['Body']"])
def test_annotations(note: str) -> None:
    """Strings are read, and other sequences, too."""
    right("return sum(b.kinetic() for b in bodies[1:]) * dt", note=note)


NAMED = {
    "read": "return sum(b.v ** b.n for b in bodies if b.name != 'sun') * dt",
    "sorted by a text": "return sum(i * b.kinetic() for i, b in enumerate(sorted(bodies, key=lambda b: b.name))) * dt",
    "changed": """
        for b in bodies:
            if b.fixed is not True:
                b.v += dt * b.m
        return sum(b.v ** b.n for b in bodies if b.name != 'sun')
        """,
}


@pytest.mark.parametrize("name", NAMED)
def test_objects_with_texts_and_counts(name: str) -> None:
    """What a copy of an object holds beside numbers stays what it is: a truth value is no float."""
    source = text_of(NAMED[name], "list[Named]")
    primal = module(source, "model")
    derived = module(differentiate(source, Request(functions=("f",), emit=("vjp", "jvp"))), "model_grad")
    bodies, dt = named(primal)
    kept = copy.deepcopy(bodies)
    value, (bars, dt_bar) = derived["f_vjp"](bodies, dt, out_bar=1.0)
    assert value == primal["f"](copy.deepcopy(bodies), dt) and bodies == kept
    for i, attr in itertools.product(range(3), ("m", "v")):
        up, down = copy.deepcopy(bodies), copy.deepcopy(bodies)
        setattr(up[i], attr, getattr(up[i], attr) + 1e-6)
        setattr(down[i], attr, getattr(down[i], attr) - 1e-6)
        want = (primal["f"](up, dt) - primal["f"](down, dt)) / 2e-6
        assert getattr(bars[i], attr) == pytest.approx(want, rel=1e-6, abs=1e-8)
    dots = copy.deepcopy(bodies)
    tangent = derived["f_jvp"](bodies, dt, bodies_dot=dots, dt_dot=0.7)[1]
    assert tangent == pytest.approx(sum(b.m * d.m + b.v * d.v for b, d in zip(bars, dots, strict=True)) + 0.7 * dt_bar)


@pytest.mark.parametrize(
    "body",
    [
        "for b in s.bodies[1:]:\n    e += b.kinetic() * dt",
        "for a, b in zip(s.bodies, s.bodies[1:]):\n    e += b.kinetic() * dt * a.m",
    ],
)
def test_a_list_in_an_object(body: str) -> None:
    """What is added to the cotangent of the list has a name: an attribute of the caller's object it is not."""
    text = f"{CLASSES}\ndef f(s: System, dt: float):\n    e = 0.0\n{textwrap.indent(body, '    ')}\n    return e\n"
    made = agree(text, lambda m: (m["System"](some("Body")(m)[0]), 0.3))
    assert "s.bodies_inc" not in made


def test_numbers_in_a_list_of_an_object() -> None:
    text = "@dataclass\nclass S:\n    xs: list[float]\n\n\ndef f(s: S, dt: float):\n    e = 0.0\n"
    text += "    for a, b in zip(s.xs, s.xs[1:]):\n        e += a * b * dt\n    return e\n"
    assert "s.xs_inc" not in agree(text, lambda m: (m["S"]([0.3, 0.5, 0.7]), 0.3))


# ---------------------------------------------------------------- twice

TWICE = (
    "neighbours",
    "combinations that change",
    "by number, changed",
    "named tuples, taken apart",
    "frozen, made anew",
)


@pytest.mark.parametrize(("name", "kind"), itertools.product(TWICE, ("vjp", "jvp")))
def test_derivatives_of_derivatives(name: str, kind: str) -> None:
    """What s2s has written is differentiated once more, in both modes."""
    cls, body = CASES[name]
    source = text_of(body, f"list[{cls}]")
    text = differentiate(source, Request(functions=("f",), emit=(kind,)))
    own = re.sub(r"^from model import.*$", "", text, flags=re.MULTILINE)
    seeds = "out_bar=0.7" if kind == "vjp" else "bodies_dot=bodies, dt_dot=dt"
    agree(f"{source}\n\n{own}\n\ndef h(bodies: list[{cls}], dt: float):\n    return f_{kind}(bodies, dt, {seeds})\n",
          some(cls), "h")  # fmt: skip


# ---------------------------------------------------------------- what a copy would not see


def value_of(text: str, make: Make) -> None:
    """The value that both derivatives give is that of the function."""
    source = CLASSES + text
    primal = module(source, "model")
    derived = module(differentiate(source, Request(functions=("f",), emit=("vjp", "jvp"))), "model_grad")
    args = make(primal)
    want = primal["f"](*copy.deepcopy(args))
    dots = dict(zip(inspect.signature(primal["f"]).parameters, copy.deepcopy(args), strict=True))
    asked = inspect.getfullargspec(derived["f_jvp"]).kwonlyargs
    for got in (
        lambda: derived["f_vjp"](*args, out_bar=1.0)[0],
        lambda: derived["f_jvp"](*args, **{n: dots[n.removesuffix("_dot")] for n in asked})[0],
    ):
        assert got() == pytest.approx(want)


GUARDED: dict[str, tuple[str, Make]] = {
    "one object twice": (
        "def f(bodies: list[Body], dt: float):\n    for b in bodies:\n        b.v += dt * b.v\n"
        "    return sum(b.v for b in bodies)\n",
        lambda m: ([m["Body"](0.5, 0.2, 0.9)] * 2, 0.3),
    ),
    "one object twice, changed by a helper": (
        "def f(bodies: list[Body], dt: float):\n    kick(bodies, dt)\n    return sum(b.v for b in bodies)\n",
        lambda m: ([m["Body"](0.5, 0.2, 0.9)] * 2, 0.3),
    ),
    "in two lists": (
        "def f(bodies: list[Body], others: list[Body], dt: float):\n    for b in bodies:\n        b.v += dt * b.v\n"
        "    return sum(b.v for b in others)\n",
        lambda m: (lambda b: ([b], [b], 0.3))(m["Body"](0.5, 0.2, 0.9)),
    ),
    "a parameter that lies in the list": (
        "def f(bodies: list[Body], sun: Body, dt: float):\n    for b in bodies:\n        b.v += dt * sun.v\n"
        "    return sum(b.v for b in bodies)\n",
        lambda m: (lambda b: ([b, m["Body"](0.5, 0.2, 0.9)], b, 0.3))(m["Body"](0.5, 0.2, 0.9)),
    ),
    "a parameter that is changed, and lies in the list": (
        "def f(bodies: list[Body], sun: Body, dt: float):\n    sun.v += dt\n    return sum(b.v for b in bodies) * dt\n",
        lambda m: (lambda b: ([b, m["Body"](0.5, 0.2, 0.9)], b, 0.3))(m["Body"](0.5, 0.2, 0.9)),
    ),
    "an array that two objects have": (
        "def f(bodies: list[Cell], dt: float):\n    for b in bodies:\n        b.v[0] += dt * b.v[1]\n"
        "    return sum(b.v @ b.v for b in bodies)\n",
        lambda m: (lambda v: ([m["Cell"](0.5, v + 1.0, v), m["Cell"](0.5, v + 2.0, v)], 0.3))(np.array([0.3, 0.4])),
    ),
    "arrays of integers": (
        "def f(bodies: list[Cell], dt: float):\n    for b in bodies:\n        b.v[0] += dt * b.v[1]\n"
        "    return sum(b.v @ b.v for b in bodies)\n",
        lambda m: ([m["Cell"](0.5, np.array([1.0, 2.0]), np.array([1, 2]))], 0.3),
    ),
    "an array for a number": (
        "def f(bodies: list[Body], dt: float):\n    return sum(b.m * b.v for b in bodies[1:]) * dt\n",
        lambda m: ([m["Body"](0.5, 0.2, 0.9), m["Body"](np.array([0.5, 0.2]), 0.2, np.array([0.9, 0.1]))], 0.3),
    ),
    "an array for a number, in a list of an object": (
        "def f(s: System, dt: float):\n    return sum(b.m * b.v for b in s.bodies[1:]) * dt\n",
        lambda m: (m["System"]([m["Body"](0.5, 0.2, 0.9), m["Body"](0.5, 0.2, np.array([0.9, 0.1]))]), 0.3),
    ),
    "one row twice": (
        "def f(rows: list[list[float]], dt: float):\n    for r in rows:\n        r[0] += dt * r[0]\n"
        "    return sum(r[0] for r in rows)\n",
        lambda m: ([[0.3, 0.2]] * 2, 0.3),
    ),
    "one array twice": (
        "def f(rows: list[np.ndarray], dt: float):\n    for r in rows:\n        r[0] += dt * r[0]\n"
        "    return sum(r[0] for r in rows)\n",
        lambda m: ([np.array([0.3, 0.2])] * 2, 0.3),
    ),
    "arrays of integers in a list": (
        "def f(rows: list[np.ndarray], dt: float):\n    for r in rows:\n        r[0] += dt * r[1]\n"
        "    return sum(r[0] for r in rows)\n",
        lambda m: ([np.array([1, 2])], 0.3),
    ),
}


@pytest.mark.parametrize("name", GUARDED)
def test_guarded(name: str) -> None:
    with pytest.raises(AssertionError):
        value_of(*GUARDED[name])


def test_an_array_that_two_objects_have_may_be_bound_anew() -> None:
    text = "def f(bodies: list[Cell], dt: float):\n    for b in bodies:\n        b.v = b.v + dt * b.p\n"
    text += "    return sum(b.v @ b.v for b in bodies)\n"
    v = np.array([0.3, 0.4])
    value_of(text, lambda m: ([m["Cell"](0.5, v + 1.0, v), m["Cell"](0.5, v + 2.0, v)], 0.3))


def test_a_row_that_lies_in_two_slots_may_change_places() -> None:
    """What lies there is not changed."""
    text = "def f(rows: list[list[float]], dt: float):\n    rows[0], rows[2] = rows[2], rows[0]\n"
    text += "    return sum(i * r[0] * dt for i, r in enumerate(rows))\n"
    value_of(text, lambda m: ([*[[0.3, 0.2]] * 2, [0.5, 0.1]], 0.3))


@pytest.mark.parametrize(
    ("cls", "body", "code"),
    [
        ("Cell", "for b in bodies:\n    b.v += dt * b.p\nreturn sum(b.v @ b.v for b in bodies)", "S230"),
        ("Plain", "for b in bodies:\n    b.v += dt * b.m\nreturn sum(b.v**2 for b in bodies)", "S230"),
        ("Body", "bs = bodies * 2\nreturn sum(b.v for b in bs) * dt", "S231"),
    ],
)
def test_refused(cls: str, body: str, code: str) -> None:
    """Of `b.v += e`, whether it writes into an array or binds a number anew is not known."""
    with pytest.raises(S2SError) as caught:
        differentiate(text_of(body, f"list[{cls}]"), Request(functions=("f",)))
    assert code in {d.code for d in caught.value.diagnostics}


def test_the_text() -> None:
    text = right("e = 0.0\nfor b in bodies[1:]:\n    e += b.m * b.v**2 * dt\nreturn e")
    assert "assert np.ndim(dt) == 0 and all(np.ndim(v.m) == np.ndim(v.v) == 0 for v in bodies)" in text
    assert "bodies_bar = [SimpleNamespace(m=0.0, x=0.0, v=0.0) for _ in bodies]" in text
    assert "_zeros_like" not in text and "_unbroadcast" not in text


def test_a_method_that_reads_a_list_whose_items_have_names() -> None:
    """The object that it was called of had lost the list: a constructor with a default made another one."""
    text = """
        import numpy as np

        class Linear:
            def __init__(self, W):
                self.W = W

            def forward(self, x):
                return x * self.W

            def parameters(self):
                return [self.W]

        class Tanh:
            def forward(self, x):
                return np.tanh(x)

            def parameters(self):
                return []

        class Net:
            def __init__(self, layers=()):
                self.layers = layers

            def forward(self, x):
                for layer in self.layers:
                    x = layer.forward(x)
                return x

            def parameters(self):
                return [p for layer in self.layers for p in layer.parameters()]

        def f(W, x):
            net = Net([Linear(W), Tanh()])
            return np.sum(net.forward(x)) + sum(np.sum(p**2) for p in net.parameters())
    """
    space = checking.evaluate(differentiate(textwrap.dedent(text), Request(wrt=("W",), emit=("vjp",))), "f")
    W, x = np.array([0.3, 0.5]), np.array([0.2, 0.9])
    value, W_bar = space["f_vjp"](W, x)
    y = np.tanh(W * x)
    assert value == pytest.approx(y.sum() + (W**2).sum())
    assert W_bar == pytest.approx(x * (1.0 - y**2) + 2.0 * W)
