"""Classes as people write them: hierarchies, dataclasses with defaults of their own, objects made of objects.

Both modes against differences, as in test_objects.py; each program brings its own classes.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate
from test_objects import HEAD, agree, generated, mat, module, vec


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
    "properties that are computed once, of objects that stay as they are": (
        """
        from functools import cached_property

        class Spring:
            def __init__(self, k):
                self.k = k

            @cached_property
            def energy(self):
                return 0.5 * self.k**2

        def f(x, y):
            spring = Spring(x * y)
            total = 0.0
            for i in range(3):
                total += i * spring.energy
            return total + spring.k
        """,
        lambda m: (0.7, 0.4),
    ),
    "a named tuple that helpers read by number, and make of comprehensions": (
        """
        from typing import NamedTuple

        class State(NamedTuple):
            S: float
            R: float

        def axpy(s, k, h):
            return State(*(a + h * b for a, b in zip(s, k)))

        def moved(s, k, h):
            return State(s[0] + h * k[0], s[1] + h * k[-1])

        def rhs(s, c):
            return State(-c * s.S * s.R, c * s.S)

        def f(s0: State, h, c):
            s = s0
            history = [s]
            for _ in range(3):
                k = rhs(axpy(s, rhs(s, c), h / 2), c)
                s = axpy(moved(s, k, h), k, 0.5 * h)
                history.append(s)
            s = s._replace(R=s.R * c)
            return s.S * s.R + history[1].S
        """,
        lambda m: (m["State"](0.7, 0.4), 0.1, 0.6),
    ),
    "a named tuple made of a row": (
        """
        from typing import NamedTuple

        class State(NamedTuple):
            S: float
            R: float

        def f(x, h):
            s = State._make(c * h for c in x)
            t = State(*(x * h))
            for _ in range(2):
                t = State(*[a * b for a, b in zip(s, t)])
            return s.S * t.R + t.S
        """,
        lambda m: (vec(2), 0.4),
    ),
    "a named tuple made of another one, by number and by name": (
        """
        from typing import NamedTuple

        class Point(NamedTuple):
            x: float
            y: float = 3.0

        def f(x, y):
            p = Point(x)
            q = p._replace(y=x * y)
            r = q._replace(x=q.y)
            return p.y * q.y + r.x * r[0] + p[0]
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
    "methods that change their object, in one expression": (
        """
        class Pendulum:
            def __init__(self, x):
                self.x = x

            def step(self, d):
                self.x = self.x * d + 0.1
                return self.x

        def f(x, y):
            p = Pendulum(x)
            q = Pendulum(y)
            z = [p.x, p.step(y), p.x**2, p.step(x)]
            w = max(p.x, p.step(2.0) * 0.1) - p.step(y)
            s = 0.5
            s += p.x * p.step(q.step(x)) * q.step(p.x)
            return z[0] * z[1] + z[2] * z[3] + w * s + p.x * (p.x + p.step(y)) ** p.x - q.x
        """,
        lambda m: (0.7, 0.4),
    ),
    "a function that changes its argument": (
        """
        def double(s):
            s.b = s.b * 2.0
            return np.sum(s.b)

        def f(s, v):
            return np.sum(s.b) * double(s) + np.sum(s.b * v)
        """,
        lambda m: (m["SimpleNamespace"](b=vec()), vec()),
    ),
    "a method that changes a parameter, twice": (
        """
        class Cell:
            def __init__(self, h):
                self.h = h

            def step(self, x):
                self.h = np.tanh(self.h + x)
                return self.h

        def f(cell: Cell, x):
            return np.sum(cell.step(x) + cell.step(x) * cell.h)
        """,
        lambda m: (m["Cell"](vec()), vec()),
    ),
    "methods that leave loops with their results": (
        """
        class Search:
            def __init__(self, k):
                self.k = k

            def find(self, A, level):
                for i in range(4):
                    for j in range(4):
                        self.k = self.k * 1.1
                        if A[i, j] > level:
                            return self.k * A[i, j]
                    self.k = self.k + 0.1
                self.k = 0.5 * self.k
                return self.k

            def shrink(self, v, on):
                if on:
                    for a in v:
                        self.k = self.k * a
                        if self.k < 0.1:
                            return
                self.k = self.k + 1.0

        def f(A, k):
            s = Search(k)
            y = s.find(A, 0.2) * s.k + s.find(A, 9.0) * s.k
            s.shrink(A[0], True)
            s.shrink(A[1], False)
            return y * s.k
        """,
        lambda m: (mat(4), 0.7),
    ),
    "layers in a list": (
        """
        @dataclass
        class Layer:
            W: np.ndarray
            b: np.ndarray

            def affine(self, x):
                return self.W @ x + self.b

            def forward(self, x, gain=1.0):
                z = self.affine(x)
                if np.sum(z) > 100.0:
                    return z
                return np.tanh(z) * gain

        @dataclass
        class Net:
            layers: list[Layer]

            def forward(self, x):
                for i, layer in enumerate(self.layers[:-1]):
                    x = layer.forward(x, gain=i + 1.0)
                last = self.layers[-1]
                return last.affine(x)

        def f(net: Net, more: list[Layer], x):
            for layer in more:
                x = layer.forward(x)
            return np.sum(net.forward(x) ** 2)
        """,
        lambda m: (
            m["Net"]([m["Layer"](mat(), vec()), m["Layer"](mat(), vec())]),
            [m["Layer"](mat(), vec()), m["Layer"](mat(), vec())],
            vec(),
        ),
    ),
    "objects of no class in lists": (
        """
        def f(net, bodies, x):
            e = net.scale
            for b in bodies:
                e = e + 0.5 * b.m * b.v**2
            for i in range(len(bodies)):
                for j in range(i):
                    e = e - bodies[i].m * bodies[j].m / (bodies[i].v - bodies[j].v)
            for layer in net.layers[:-1]:
                W = layer.W
                x = np.tanh(layer.W @ x + W.T @ x + layer.b) / layer.b.size
            return e * np.sum(net.layers[-1].W @ x)
        """,
        lambda m: (
            m["SimpleNamespace"](
                layers=[m["SimpleNamespace"](W=mat(), b=vec()), m["SimpleNamespace"](W=mat(), b=vec())], scale=0.7
            ),
            [m["SimpleNamespace"](m=0.3, v=0.4), m["SimpleNamespace"](m=0.6, v=0.9)],
            vec(),
        ),
    ),
    "a helper that calls itself, beside an object": (
        """
        def doubled(s, n):
            if n > 0:
                return doubled(2.0 * s, n - 1)
            return s

        def f(s, x, n: int):
            r = doubled(s.a, n)
            return r * s.b * x
        """,
        lambda m: (m["SimpleNamespace"](a=0.3, b=0.7), 0.4, 2),
    ),
    "objects that are made, in lists": (
        """
        class Body:
            def __init__(self, m, x):
                self.m = m
                self.x = x

            def force(self, other):
                return self.m * other.m * (other.x - self.x)

        def f(ms, xs):
            bodies = [Body(1.0, ms[0])]
            for m, x in zip(ms, xs):
                bodies.append(Body(m, x))
            bodies = bodies[1:]
            s = 0.0
            for a in bodies:
                for b in bodies:
                    s = s + a.force(b) ** 2
            return s
        """,
        lambda m: (vec(), vec()),
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
    "a parameter that is a named tuple, as a tuple": (
        """
        class Point(NamedTuple):
            x: float
            y: float

        def area(a, b):
            return a * b + a

        def f(p: Point, k: float):
            s = sum(p) * k
            for i, v in enumerate(p):
                s += v**2 * i
            for v in p:
                s = s * v + k
            return s * p[0] + p[-1] * p.x + area(*p) + len(p) * max(p)
        """,
        lambda m: (m["Point"](0.7, 0.4), 0.3),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_both_modes(name: str) -> None:
    text, make = CASES[name]
    agree(text, make)


def test_items_of_a_subclass_are_guarded() -> None:
    """The method is that of the class that is stated, or of one below it; any other raises."""
    text = """
        class Layer:
            def __init__(self, a):
                self.a = a

            def forward(self, x):
                return self.a * x

        class Square(Layer):
            def forward(self, x):
                return self.a * x**2

        def f(layers: list[Layer], x):
            for layer in layers:
                x = layer.forward(x)
            return x
        """
    derived = agree(text, lambda m: ([m["Layer"](0.3), m["Square"](0.7), m["Layer"](0.6)], 0.4))
    assert "if type(layer).forward is Square.forward:" in derived
    assert "assert type(layer).forward is Layer.forward" in derived
    known = sys.modules["model"].Layer
    other = type("Other", (known,), {"forward": lambda self, x: self.a * x**3})
    with pytest.raises(AssertionError):
        sys.modules["model_grad"].f_vjp([known(0.3), other(0.7)], 0.4, out_bar=1.0)


ENGINES = """
        class Engine:
            def __init__(self, a):
                self.a = a

            def power(self, x):
                return self.a * x

        class Turbo(Engine):
            def power(self, x):
                return self.a * x * x

        class Car:
            def __init__(self, engine: Engine, m):
                self.engine = engine
                self.m = m

            def run(self, x):
                return self.engine.power(x) / self.m

        def f(cars: list[Car], x):
            return sum(car.run(x) for car in cars)

        def g(a, m, x):
            cars = [Car(Engine(a), m), Car(Turbo(a), m)]
            return sum(car.run(x) for car in cars)

        def h(a, m, x):
            cars = [Car(Engine(a), m), Car(Engine(a * m), m)]
            s = 0.0
            for car in cars:
                s += car.run(x)
            return s
        """


def test_a_field_that_is_stated_to_be_of_a_base_class_may_be_of_another() -> None:
    assert "assert type(car.engine).power is Engine.power" in generated(ENGINES, "f", wrt=("x",))


def test_objects_whose_fields_are_of_several_classes_are_refused() -> None:
    agree(ENGINES, lambda m: (0.3, 2.0, 0.7), "h")
    with pytest.raises(S2SError) as refused:
        generated(ENGINES, "g")
    assert any(d.code == "S304" for d in refused.value.diagnostics)


@pytest.mark.parametrize("read", ["h.size", "gases[1].size", "sum(k.T for k in gases)"])
def test_what_arrays_have_is_no_attribute_of_an_object(read: str) -> None:
    """`item.size` may be a field of the object, or the size of an array: refused beside attributes of objects."""
    text = f"""
        def f(gases):
            s = 0.0
            for g in gases:
                s = s + g.p
            h = gases[0]
            return s * {read}
        """
    with pytest.raises(S2SError) as caught:
        generated(text, "f", emit=("vjp",))
    assert "S216" in {d.code for d in caught.value.diagnostics}


TANK = """
    class Tank:
        rate = 2.0

        def __init__(self, h):
            self.h = h

        def fill(self):
            self.h *= self.rate
            return self.h


    def f(h: float):
        tank = Tank(h)
        tank.fill()
        tank.rate = 5.0
        return tank.fill()
    """


def test_a_value_of_the_class_is_that_of_each_object_from_the_start() -> None:
    agree(TANK, lambda m: (0.7,))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class Tank:\n        rate = 2.0", "class Base:\n        rate = 2.0\n\n\n    class Tank(Base):"),
        ("tank.rate = 5.0", "Tank.rate = 5.0"),
        ("rate = 2.0", "rate = [2.0][0]"),
    ],
)
def test_a_value_of_the_class_until_an_object_has_its_own_is_refused(old: str, new: str) -> None:
    """Where more than one constructor makes the objects, where the class itself is bound, and where it is no number."""
    assert old in TANK
    with pytest.raises(S2SError) as caught:
        generated(TANK.replace(old, new), "f", emit=("vjp",))
    (found,) = (d for d in caught.value.diagnostics if d.code == "S204")
    assert found.label == "because `.rate` is assigned to, which the class has, too"
    assert found.help == ("let the constructor bind it: `self.rate = ...`",)


@pytest.mark.parametrize("use", ["tank.h += tank.fill()", "if h > 3 or tank.fill() > 1:\n                h = 2 * h"])
def test_a_method_whose_effect_is_that_of_another_one_is_refused_where_its_text_can_not_stand(use: str) -> None:
    source = f"""
        class Tank:
            def __init__(self, h, n):
                self.h = h
                self.n = n

            def double(self):
                self.h = 2.0 * self.h
                self.n = self.n + self.h
                return self.h

            def fill(self):
                return self.double() ** 2


        def f(h: float):
            tank = Tank(h, 1.0)
            {use}
            return tank.h * tank.n * h
    """
    with pytest.raises(S2SError) as caught:
        generated(source, "f", emit=("vjp",))
    assert "S202" in {d.code for d in caught.value.diagnostics}


COUNTED = """
    class Base:
        def __init__(self):
            self.nfev = 0


    class Model(Base):
        def __init__(self, k):
            Base.__init__(self)
            self.k = k

        def fun(self, x, *args):
            self.nfev += 1
            return self.k * np.sum(x**2)

        def three(self, x):
            s = 0.0
            for i in range(3):
                s = s + self.fun(x * (i + 1)) * x[0]
            return s + self.nfev


    def f(model: Model, x):
        return {call} * x[0]
    """


@pytest.mark.parametrize("call", ["model.fun(x)", "model.three(x)", "Model(2.0).three(x) * model.fun(x)"])
def test_counters_of_calls(call: str) -> None:
    """An object that counts its evaluations is read, and left alone: `agree` looks at its arguments."""
    text = COUNTED.replace("{call}", call).replace("self.nfev = 0", "self.nfev = 0.0")
    agree(text, lambda m: (m["Model"](0.7), vec(3)))


def test_a_counter_that_nobody_reads_may_be_an_array() -> None:
    text = generated(COUNTED.replace("{call}", "model.fun(x)"), "Model.fun", emit=("vjp",), wrt=("x",))
    source = HEAD + textwrap.dedent(COUNTED.replace("{call}", "model.fun(x)"))
    model = module(source, "model")["Model"](0.7)
    vjp = module(text, "model_grad")["Model_fun_vjp"]
    x = vec(3)
    value, x_bar = vjp(model, x, out_bar=1.0)
    assert value == 0.7 * np.sum(x**2)
    np.testing.assert_allclose(x_bar, 1.4 * x)
    assert model.nfev == 0
    model.nfev = np.zeros(2)
    assert vjp(model, x, out_bar=1.0)[0] == value
    assert np.array_equal(model.nfev, np.zeros(2))


CELL = """
    class Cell:
        def __init__(self, r, h):
            self.r = r
            self.h = h

        @property
        def area(self):
            return 3.0 * self.r**2

        def cost(self, x):
            return self.area * self.h + self.r * x

    def f(c, x):
        return {result}
    """


@pytest.mark.parametrize("result", ["c.area * c.h + c.r * x", "c.cost(x) * c.h", "c.cost(x) + Cell(x, c.r).area"])
def test_the_class_of_an_object_is_that_which_has_what_is_asked_for(result: str) -> None:
    """c.area was taken for an attribute that the object holds."""
    agree(CELL.replace("{result}", result), lambda m: (m["Cell"](0.7, 2.0), 0.4))


@pytest.mark.parametrize("outer", ["vjp", "jvp"])
@pytest.mark.parametrize("inner", ["vjp", "jvp"])
def test_a_written_method_knows_its_class(inner: str, outer: str) -> None:
    """Cell_cost_vjp(self: Cell, ...): of self.area in it, the derivative is that of the method."""
    source = HEAD + textwrap.dedent(CELL.replace("{result}", "c.cost(x)"))
    cell = module(source, "model")["Cell"]
    first = generated(source, "f", emit=(inner,), wrt=("c", "x"))
    assert f"def f_{inner}(c: Cell, x" in first
    module(first, "model_grad")
    request = Request("model_grad.py", (f"f_{inner}",), ("c", "x"), emit=(outer,), read={"model": source}.get)
    again = differentiate(first, request)
    seeds: dict[str, Any] = {"c_dot": cell(0.3, -0.2), "x_dot": 0.5} if inner == "jvp" else {"out_bar": 1.0}
    directions: dict[str, Any] = {"c": cell(0.2, 0.6), "x": -0.4}

    def at(t: float) -> np.ndarray:
        c = cell(0.7 + t * directions["c"].r, 2.0 + t * directions["c"].h)
        return parts(module(first, "model_grad")[f"f_{inner}"](c, 0.4 + t * directions["x"], **seeds))

    want = (at(1e-6) - at(-1e-6)) / 2e-6
    more = module(again, "model_grad_grad")[f"f_{inner}_{outer}"]
    args = cell(0.7, 2.0), 0.4
    if outer == "jvp":
        tangents = {
            "c_dot_" if inner == "jvp" else "c_dot": directions["c"],
            "x_dot_" if inner == "jvp" else "x_dot": -0.4,
        }
        found = parts(more(*args, **seeds, **tangents)[1])
        np.testing.assert_allclose(found, want, rtol=1e-6)
    else:
        value = module(first, "model_grad")[f"f_{inner}"](*args, **seeds)
        name = next(
            n
            for n in inspect.signature(more).parameters
            if n.endswith("out_bar_") or (n == "out_bar" and inner == "jvp")
        )
        _, (c_bar, x_bar) = more(*args, **seeds, **{name: ones_like(value)})
        along = c_bar.r * directions["c"].r + c_bar.h * directions["c"].h + x_bar * directions["x"]
        assert along == pytest.approx(np.sum(want), rel=1e-6)


def parts(value: Any) -> np.ndarray:
    """The numbers in tuples and objects, in a row."""
    if isinstance(value, tuple):
        return np.concatenate([parts(v) for v in value])
    return (
        np.concatenate([parts(v) for _, v in sorted(vars(value).items())]) if hasattr(value, "r") else np.ravel(value)
    )


def ones_like(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(ones_like, value))
    return SimpleNamespace(**dict.fromkeys(vars(value), 1.0)) if hasattr(value, "r") else 1.0


def test_a_property_of_an_object_of_no_known_class_is_none_of_its_attributes() -> None:
    """Which class c has, the text does not say: that what is differentiated lies in the object, the output asserts."""
    cell = module(HEAD + textwrap.dedent(CELL.replace("{result}", "0.0")), "cells")["Cell"](0.7, 2.0)
    text = generated("def f(c, x):\n    return c.area * c.h + c.r * x\n", "f", emit=("vjp", "jvp"), wrt=("c", "x"))
    m = module(text, "model_grad")
    plain = SimpleNamespace(area=1.5, h=2.0, r=0.7)
    assert m["f_vjp"](plain, 0.4, out_bar=1.0)[1][0] == SimpleNamespace(area=2.0, h=1.5, r=0.4)
    assert m["f_jvp"](plain, 0.4, c_dot=plain, x_dot=0.0)[1] == pytest.approx(6.28)
    with pytest.raises(AssertionError):
        m["f_vjp"](cell, 0.4, out_bar=1.0)
    with pytest.raises(AssertionError):
        m["f_jvp"](cell, 0.4, c_dot=cell, x_dot=0.0)


SIMULATIONS = {
    "whose constructor makes an attribute": """
    class Sim:
        def __init__(self, x, k):
            self.x = x
            self.v = np.zeros_like(x)
            self.k = k

        def force(self):
            return -self.k * self.x

        def step(self, dt):
            self.v = self.v + dt * self.force()
            self.x = self.x + dt * self.v

        def f(self, dt):
            for _ in range(3):
                self.step(dt)
            return self.x @ self.x
    """,
    "that changes between two calls in one expression": """
    class Sim:
        def __init__(self, x, k):
            self.x = x
            self.v = np.zeros_like(x)
            self.k = k

        def energy(self):
            return self.k * np.sum(self.x**2) + np.sum(self.v**2)

        def advance(self, dt):
            self.v = self.v - dt * self.k * self.x
            self.x = self.x + dt * self.v
            return np.sum(self.v)

        def f(self, dt):
            return self.energy() * self.advance(dt) + self.energy() + np.sum(self.x) * self.advance(dt) * self.energy()
    """,
}


@pytest.mark.parametrize("name", SIMULATIONS)
def test_an_object_that_can_not_be_put_together_again_changes(name: str) -> None:
    agree(SIMULATIONS[name], lambda m: (m["Sim"](vec(3), 0.7), 0.1), "Sim.f")


def test_a_counter_of_a_constructor() -> None:
    text = """
    class Net:
        def __init__(self, W):
            self.W = W
            self.count = 0

        def forward(self, x):
            return np.tanh(self.W @ x)

        def loss(self, x):
            self.count += 1
            return self.forward(x) ** 2
    """
    source = HEAD + textwrap.dedent(text)
    net = module(source, "model")["Net"](np.array([[0.3, -0.2, 0.5], [0.1, 0.7, -0.4]]))
    derived = module(generated(text, "Net.loss", emit=("vjp", "jvp"), wrt=("self.W",)), "model_grad")
    x, seed = vec(3), vec(2)
    value, W_bar = derived["Net_loss_vjp"](net, x, out_bar=seed)
    assert net.count == 0
    np.testing.assert_array_equal(value, np.tanh(net.W @ x) ** 2)
    np.testing.assert_allclose(W_bar, np.outer(2 * np.tanh(net.W @ x) * (1 - np.tanh(net.W @ x) ** 2) * seed, x))


def test_a_method_that_one_class_has_says_which_class_to_state() -> None:
    text = """
        class Link:
            def __init__(self, length):
                self.length = length

            def height(self, angle):
                return self.length * np.sin(angle)

        def f(links{0}, angles):
            return sum(link.height(a) for link, a in zip(links, angles))
        """
    with pytest.raises(S2SError, match=r"`list\[Link\]` of a list of them"):
        differentiate(HEAD + textwrap.dedent(text.format("")), Request(functions=("f",)))
    agree(text.format(": list[Link]"), lambda m: ([m["Link"](0.3), m["Link"](0.7)], vec(2)))


def test_asserts_of_the_length_of_a_named_tuple() -> None:
    """What is known to hold is left out, alone in a branch too; what is known not to hold raises, as it does."""
    text = """
        from typing import NamedTuple

        class P(NamedTuple):
            x: float
            y: float

        def f(p: P, k):
            if k > 0.0:
                assert len(p) == 2
            if k > 1.0:
                assert len(p) != 2
            return p.x * p.y * k
        """
    derived = module(agree(text, lambda m: (m["P"](0.3, 0.7), 0.4)), "model_grad")
    with pytest.raises(AssertionError):
        derived["f_vjp"](sys.modules["model"].P(0.3, 0.7), 1.5, out_bar=1.0)


@pytest.mark.parametrize(
    "change",
    [
        "b = x\n    b += y",
        "x += y",
        "t = bump(x, y)",
        "t = np.add(x, y, x)",
        "for row in x:\n        row *= y",
        "for row in m.square:\n        row += y",
        "t = operator.iadd(x, y)",
    ],
)
def test_a_property_that_is_computed_once_may_be_out_of_date(change: str) -> None:
    source = (
        "import operator\nfrom functools import cached_property\nimport numpy as np\n\n\nclass Model:\n"
        "    def __init__(self, a):\n        self.a = a\n\n    @cached_property\n    def square(self):\n"
        "        return self.a * self.a\n\n\ndef bump(v, y):\n    v += y\n    return v\n\n\n"
        f"def f(x, y):\n    m = Model(x)\n    s = m.square.sum()\n    {change}\n    return s + m.square.sum()\n"
    )
    with pytest.raises(S2SError, match="may be out of date"):
        differentiate(source, Request("model.py", ("f",), None, emit=("vjp",)))


def test_an_array_that_an_object_holds_under_another_name_may_be_changed() -> None:
    source = (
        "from functools import cached_property\nimport numpy as np\n\n\nclass Model:\n    def __init__(self, a):\n"
        "        self.a = a\n\n    @cached_property\n    def square(self):\n        return self.a * self.a\n\n\n"
        "def f(x):\n    acc = np.zeros(3)\n    b = acc\n    m = Model(b)\n    s = m.square.sum()\n    acc += x\n"
        "    return s + m.square.sum()\n"
    )
    with pytest.raises(S2SError, match="may be out of date"):
        differentiate(source, Request("model.py", ("f",), None, emit=("vjp",)))


HISTORY = """
from dataclasses import dataclass, replace
from typing import NamedTuple


{head}
    x: float
    v: float


def step(s, h):
    return State(s.x + h * s.v, s.v - h * s.x)


def f(s0: State, h):
    history = [s0]
    s = s0
    for _ in range(3):
        s = {step}
        history.append(s)
    return sum(0.5 * (s.x**2 + s.v**2) * s.x for s in history)
"""
STATES = {"dataclass": "@dataclass\nclass State:", "named tuple": "class State(NamedTuple):"}


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("step", ["step(s, h)", "again"])
def test_list_that_starts_with_the_object_of_the_caller(kind: str, step: str) -> None:
    again = {"dataclass": "replace(s, x=s.x + h * s.v)", "named tuple": "s._replace(x=s.x + h * s.v)"}[kind]
    text = HISTORY.replace("{head}", STATES[kind]).replace("{step}", again if step == "again" else step)
    agree(text, lambda m: (m["State"](0.4, 0.2), 0.1))


def test_object_of_the_caller_that_a_loop_replaces() -> None:
    text = HISTORY.replace("{head}", STATES["dataclass"]).replace("    history = [s0]\n", "")
    text = text.replace("        history.append(s)\n", "").replace("{step}", "replace(s, x=s.x + h * s.v)")
    text = text.replace("sum(0.5 * (s.x**2 + s.v**2) * s.x for s in history)", "s.x * s.v")
    agree(text, lambda m: (m["State"](0.4, 0.2), 0.1))


def test_a_method_that_two_classes_have_says_which_class_to_state() -> None:
    """A class whose method calls one of the same name calls that of the other class, as a rule."""
    text = """
        class Layer:
            def __init__(self, w):
                self.w = w

            def forward(self, x):
                return np.tanh(self.w * x)

        class Net:
            def __init__(self, layers{0}):
                self.layers = layers

            def forward(self, x):
                for layer in self.layers:
                    x = layer.forward(x)
                return x

            def loss(self, x):
                return np.sum(self.forward(x) ** 2)
        """
    for method in ("forward", "loss"):
        with pytest.raises(S2SError, match=r"`list\[Layer\]` of a list of them, here or where a constructor keeps it"):
            differentiate(HEAD + textwrap.dedent(text.format("")), Request(functions=(f"Net.{method}",)))
        stated = text.format(": list[Layer]")
        agree(stated, lambda m: (m["Net"]([m["Layer"](0.3), m["Layer"](0.7)]), vec(2)), f"Net.{method}")


OWN_OPERATORS = """
import numpy as np

class Operator:
    def __init__(self, A):
        self.A = A

    def __add__(self, x):
        return self.A @ x

    def __rmul__(self, x):
        return self.A @ (x * x)

    def dot(self, x):
        return self.A.T @ x

class Model:
    def __init__(self, v):
        self.v = v

def added(op, x):
    return np.sum(op + x)

def multiplied(op, x):
    return np.sum(x * op)

def dotted(op, x):
    return np.sum(op.dot(x))

def of_a_part(op, x):
    return np.sum(op.v + x * x)
"""


@pytest.mark.parametrize("emit", ["vjp", "jvp"])
@pytest.mark.parametrize("name", ["added", "multiplied", "dotted", "of_a_part"])
def test_an_operand_without_a_class_is_no_object_with_operators(name: str, emit: str) -> None:
    """What an operator means to an object whose class is not stated is not known: the gradient would be another one."""
    text = differentiate(OWN_OPERATORS, Request(filename="model.py", functions=(name,), wrt=("x",), emit=(emit,)))
    space: dict[str, Any] = {}
    own: dict[str, Any] = {}
    exec(text, space)
    exec(OWN_OPERATORS, own)
    a, x = np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([0.3, 0.7])
    seed = {"out_bar": 1.0} if emit == "vjp" else {"x_dot": x}
    given = own["Model"](x) if name == "of_a_part" else x
    assert np.all(np.isfinite(space[f"{name}_{emit}"](given, x, **seed)[1]))
    operator = own["Operator"](a)
    with pytest.raises(AssertionError):
        space[f"{name}_{emit}"](own["Model"](operator) if name == "of_a_part" else operator, x, **seed)
    numeric = OWN_OPERATORS.partition("class Operator")[0] + OWN_OPERATORS[OWN_OPERATORS.index("class Model") :]
    text = differentiate(numeric, Request(filename="model.py", functions=(name,), wrt=("x",), emit=(emit,)))
    assert "__dict__" not in text  # the module has no such class


HEADS = {
    "plain": "class V:\n",
    "slots": 'class V:\n    __slots__ = ("a",)\n\n',
    "dataclass with slots": "@dataclasses.dataclass(slots=True)\nclass V:\n    a: float\n\n",
    "named tuple": "class V(typing.NamedTuple):\n    a: float\n\n",
}


@pytest.mark.parametrize("wrt", ["v", "x"])
@pytest.mark.parametrize("head", HEADS)
def test_an_operand_is_no_object_of_whatever_class_with_operators(head: str, wrt: str) -> None:
    init = "    def __init__(self, a):\n        self.a = a\n\n" if head in ("plain", "slots") else ""
    product = "    def __mul__(self, k):\n        return self.a * k * k\n"
    source = f"import dataclasses\nimport typing\n\n\n{HEADS[head]}{init}{product}\n\ndef f(v, x):\n    return v * x\n"
    text = differentiate(source, Request(filename="model.py", functions=("f",), wrt=(wrt,), emit=("vjp", "jvp")))
    space: dict[str, Any] = {}
    own: dict[str, Any] = {}
    exec(text, space)
    exec(source, own)
    assert space["f_vjp"](0.4, 0.7, out_bar=1.0)[1] == (0.7 if wrt == "v" else 0.4)
    for emit, seed in (("vjp", {"out_bar": 1.0}), ("jvp", {f"{wrt}_dot": 1.0})):
        with pytest.raises(AssertionError):
            space[f"f_{emit}"](own["V"](0.4), 0.7, **seed)


def test_a_variable_that_hides_the_object_whose_list_it_runs_over() -> None:
    """`for q in q.rows`: of which class q is depends on itself, and is asked once."""
    text = """
        class Rows:
            def __init__(self, A, k):
                self.rows = [k * r for r in A]

        class Sub(Rows):
            pass

        def f(A, k):
            q = Sub(A, k)
            for q in q.rows:
                pass
            return np.sum(q)
        """
    with pytest.raises(S2SError) as refused:
        generated(text, "f")
    assert {d.code for d in refused.value.diagnostics} == {"S204"}
