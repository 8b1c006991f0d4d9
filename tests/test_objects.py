"""Objects and dicts as parameters, locals and results: both modes against differences, the caller's objects kept."""

from __future__ import annotations

import copy
import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

RNG = np.random.default_rng(3)


# ---------------------------------------------------------------- structures


def parts(value: Any) -> Iterator[tuple[str, Any]]:
    """(key, part) of a structure; nothing for a number or an array."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from zip(value._fields, value, strict=True)
    elif isinstance(value, tuple | list):
        yield from ((str(i), v) for i, v in enumerate(value))
    elif hasattr(value, "__dict__") and not isinstance(value, np.ndarray | np.generic):
        yield from vars(value).items()


def is_structure(value: Any) -> bool:
    return isinstance(value, dict | tuple | list) or (
        hasattr(value, "__dict__") and not isinstance(value, np.ndarray | np.generic | float | int)
    )


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    if not is_structure(value):
        return {path: value}
    found: dict[str, Any] = {}
    for k, v in parts(value):
        found |= leaves(v, f"{path}/{k}")
    return found


def mapped(value: Any, f: Callable[[str, Any], Any], path: str = "") -> Any:
    """The structure with `f` applied to its leaves; objects stay objects of their class."""
    if not is_structure(value):
        return f(path, value)
    new = {k: mapped(v, f, f"{path}/{k}") for k, v in parts(value)}
    if isinstance(value, dict):
        return new
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(**new)
    if isinstance(value, tuple | list):
        return type(value)(new.values())
    out = copy.copy(value)
    for k, v in new.items():
        object.__setattr__(out, k, v)
    return out


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    for name in ("model", "model_grad"):
        sys.modules.pop(name, None)


def is_number(v: Any) -> bool:
    return isinstance(v, float | np.ndarray) and np.asarray(v).dtype.kind == "f"


def namespace(value: Any) -> Any:
    """A tangent for a value: dicts stay dicts, objects become namespaces."""
    if not is_structure(value):
        return value
    new = {k: namespace(v) for k, v in parts(value)}
    if isinstance(value, dict):
        return new
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return type(value)(new.values())
    return types.SimpleNamespace(**new)


# ---------------------------------------------------------------- the check


def module(text: str, name: str) -> dict[str, Any]:
    """Executes a text as a module that others can import from."""
    made = types.ModuleType(name)
    sys.modules[name] = made
    exec(compile(text, name + ".py", "exec"), made.__dict__)
    return made.__dict__


HEAD = """
import dataclasses
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

"""


def generated(text: str, name: str, **request: Any) -> str:
    return differentiate(HEAD + textwrap.dedent(text), Request(functions=(name,), **request))


def agree(text: str, make: Callable[[dict[str, Any]], tuple[Any, ...]], name: str = "f") -> str:
    """vjp and jvp of a function of structures in all of its numbers, against differences. Returns the text."""
    source = HEAD + textwrap.dedent(text)
    primal = module(source, "model")
    derived_text = differentiate(source, Request(functions=(name,), emit=("vjp", "jvp")))
    derived = module(derived_text, "model_grad")
    f: Any = primal
    for i, part in enumerate(name.split(".")):
        f = f[part] if i == 0 else getattr(f, part)
    names = list(inspect.signature(f).parameters)
    out = name.replace(".", "_")
    vjp, jvp = derived[f"{out}_vjp"], derived[f"{out}_jvp"]
    wrt = [n.removesuffix("_dot") for n in jvp.__kwdefaults__ or {}] or [
        n[:-4] for n in jvp.__code__.co_varnames[jvp.__code__.co_argcount :][: jvp.__code__.co_kwonlyargcount]
    ]
    args = make(primal)
    kept = copy.deepcopy([leaves(a) for a in args])
    dots = {n: mapped(args[names.index(n)], lambda _, v: noise(v) if is_number(v) else v) for n in wrt}

    def at(h: float) -> dict[str, Any]:
        moved = list(copy.deepcopy(args))
        for n in wrt:
            step = leaves(dots[n])
            moved[names.index(n)] = mapped(
                moved[names.index(n)], lambda p, v, step=step: v + h * step[p] if is_number(v) else v
            )
        return {k: v for k, v in leaves(f(*moved)).items() if is_number(v)}

    h = 1e-6
    up, down = at(h), at(-h)
    want = {k: (up[k] - down[k]) / (2 * h) for k in up}
    value, tangent = jvp(*args, **{f"{n}_dot": namespace(d) for n, d in dots.items()})
    again = jvp(*args, **{f"{n}_dot": namespace(d) for n, d in dots.items()})
    got = leaves(tangent)
    for k, w in want.items():
        np.testing.assert_allclose(got[k], w, rtol=1e-6, atol=1e-7, err_msg=derived_text)
    out_bar = mapped(value, lambda _, v: noise(v) if is_number(v) else None)
    seeds = leaves(out_bar)
    first = vjp(*args, out_bar=namespace(out_bar))
    second = vjp(*args, out_bar=namespace(out_bar))
    bars = first[1] if len(wrt) > 1 else (first[1],)
    pairing = 0.0
    for n, b in zip(wrt, bars, strict=True):
        d = leaves(dots[n])
        pairing += sum(float(np.sum(v * d[k])) for k, v in leaves(b).items() if v is not None)
    total = sum(float(np.sum(seeds[k] * w)) for k, w in want.items())
    assert pairing == pytest.approx(total, rel=1e-6, abs=1e-7), derived_text
    for a, b in ((first, second), ((value, tangent), again)):
        for (k, x), y in zip(leaves(a).items(), leaves(b).values(), strict=True):
            np.testing.assert_array_equal(x, y, err_msg=k)
    for before, arg in zip(kept, args, strict=True):
        now = leaves(arg)
        assert before.keys() == now.keys(), "an argument has changed"
        for k in before:
            np.testing.assert_array_equal(before[k], now[k])
    return derived_text


def noise(v: Any) -> Any:
    return RNG.standard_normal(np.shape(v)) if np.ndim(v) else float(RNG.standard_normal())


def vec(n: int = 3) -> np.ndarray:
    return RNG.uniform(0.3, 1.2, n)


def mat(n: int = 3) -> np.ndarray:
    return RNG.uniform(-1, 1, (n, n))


CLASSES = """
class State(NamedTuple):
    x: np.ndarray
    v: np.ndarray

    def energy(self):
        return 0.5 * np.sum(self.v**2) + np.sum(self.x**4)


@dataclass
class Layer:
    W: np.ndarray
    b: np.ndarray
    gain: float = 1.5

    def forward(self, x):
        return np.tanh(self.W @ x + self.b) * self.gain


@dataclass
class Net:
    first: Layer
    second: Layer
    depth: int = 2

    def __call__(self, x):
        return self.second.forward(self.first.forward(x))

    def loss(self, x):
        h = x
        for _ in range(self.depth):
            h = self.second.forward(self.first.forward(h))
        return np.sum(h * h)


class Model:
    scale = 2.0

    def __init__(self, W, b, lam: float):
        self.W = W
        self.b = b
        self.lam = lam

    @property
    def penalty(self):
        return self.lam * np.sum(self.W**2)

    @staticmethod
    def act(x):
        return np.tanh(x)

    def predict(self, x):
        return self.act(self.W @ x + self.b)

    def loss(self, x, y):
        r = self.predict(x) - y
        return np.sum(r**2) + self.penalty


class Sub(Model):
    def predict(self, x):
        return self.W.T @ x - self.b


class Ball:
    def __init__(self, mass: float, pos, vel):
        self.mass = mass
        self.pos = pos
        self.vel = vel
        self.momentum = mass * vel


def step(s: State, dt: float):
    return State(s.x + dt * s.v, s.v - dt * s.x**3)


def norm2(p):
    return np.sum(p.x**2) * 0.5 + np.sum(p.v)
"""

CASES: dict[str, tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]] = {
    # parameters
    "attributes of a parameter": (
        "def f(p, x):\n    return np.sum(p.net.W @ x * p.scale) + p.cfg['k'] * p.scale",
        lambda m: (
            types.SimpleNamespace(net=types.SimpleNamespace(W=mat()), scale=0.7, cfg={"k": 0.3}),
            vec(),
        ),
    ),
    "a named tuple": (
        "def f(s: State, dt: float):\n    return np.sum(s.x * s.v) * dt",
        lambda m: (m["State"](vec(), vec()), 0.3),
    ),
    "attributes that arrays have, too": (
        "def f(gas, x):\n    return gas.T * np.sum(x.T @ x) / gas.size + gas.n",
        lambda m: (types.SimpleNamespace(T=1.3, size=2.0, n=1.0), mat()),
    ),
    "a second name of a part": (
        """
        def f(p, x):
            layer = p.layer
            W = layer.W
            h = np.tanh(W @ x + layer.b)
            inner = layer
            return np.sum(h * inner.b)
        """,
        lambda m: (types.SimpleNamespace(layer=types.SimpleNamespace(W=mat(), b=vec())), vec()),
    ),
    "a helper with the whole object": (
        "def f(s: State, k: float):\n    return norm2(s) * k + np.sum(s.x)",
        lambda m: (m["State"](vec(), vec()), 0.3),
    ),
    "a part that is an object, handed on": (
        "def f(p, k: float):\n    return norm2(p.state) * k + p.a",
        lambda m: (types.SimpleNamespace(state=types.SimpleNamespace(x=vec(), v=vec()), a=0.3), 0.3),
    ),
    "a method": (
        "def f(s: State, k: float):\n    return s.energy() * k",
        lambda m: (m["State"](vec(), vec()), 0.3),
    ),
    "methods of fields": (
        "def f(net: Net, x):\n    return np.sum(net.second.forward(net.first.forward(x)) ** 2)",
        lambda m: (m["Net"](m["Layer"](mat(), vec()), m["Layer"](mat(), vec(), 0.4)), vec()),
    ),
    "a method that calls methods": (
        "def f(net: Net, x):\n    return net.loss(x) + net.first.gain",
        lambda m: (m["Net"](m["Layer"](mat(), vec()), m["Layer"](mat(), vec(), 0.4)), vec()),
    ),
    "properties and static methods": (
        "def f(model: Model, x, y):\n    return model.loss(x, y) * model.penalty + np.sum(model.act(x))",
        lambda m: (m["Model"](mat(), vec(), 0.2), vec(), vec()),
    ),
    "a method by its class": (
        "def f(model: Model, x, y):\n    return Model.loss(model, x, y)",
        lambda m: (m["Model"](mat(), vec(), 0.2), vec(), vec()),
    ),
    "an inherited method that calls an overridden one": (
        "def f(model: Sub, x, y):\n    return model.loss(x, y)",
        lambda m: (m["Sub"](mat(), vec(), 0.2), vec(), vec()),
    ),
    # locals
    "a named tuple in a loop": (
        """
        def f(x, v, dt: float):
            s = State(x, v)
            for _ in range(3):
                s = State(s.x + dt * s.v, s.v - dt * s.x**3)
            return s.energy()
        """,
        lambda m: (vec(), vec(), 0.1),
    ),
    "replaced fields": (
        """
        def f(x, v, dt: float):
            s = State(x, v)
            for k in range(3):
                s = s._replace(v=s.v - dt * np.sin(s.x))
                s = s._replace(x=s.x + dt * s.v)
            layer = Layer(np.outer(x, v), s.v)
            layer = dataclasses.replace(layer, b=layer.b * layer.gain, gain=layer.gain * dt)
            return np.sum(layer.forward(s.x))
        """,
        lambda m: (vec(), vec(), 0.1),
    ),
    "a named tuple unpacked": (
        """
        def f(x, v):
            s = State(x * 2.0, v)
            a, b = s
            return np.sum(a * b * s.x)
        """,
        lambda m: (vec(), vec()),
    ),
    "attribute stores": (
        """
        def f(W, b, x, y, lam: float):
            m = Model(W, b, lam)
            m.lam = m.lam * 2.0
            m.W = m.W * m.lam
            m.lam += 1.0
            return m.loss(x, y)
        """,
        lambda m: (mat(), vec(), vec(), vec(), 0.3),
    ),
    "a namespace that grows": (
        """
        def f(x, y):
            o = SimpleNamespace(a=x * 2.0)
            o.b = np.sin(o.a) * y
            o.a = o.a + o.b
            return np.sum(o.a * o.b)
        """,
        lambda m: (vec(), vec()),
    ),
    "a constructor with statements": (
        """
        def f(m: float, pos, vel, dt: float):
            ball = Ball(m, pos, vel)
            for _ in range(3):
                ball.vel = ball.vel - dt * ball.pos / ball.mass
                ball.pos = ball.pos + dt * ball.vel
            return np.sum(ball.pos * ball.momentum)
        """,
        lambda m: (1.3, vec(), vec(), 0.1),
    ),
    "objects of objects": (
        """
        def f(W, b, x):
            net = Net(Layer(W, b), Layer(W.T, b * b, 0.5))
            net.first.gain = 0.7
            return np.sum(net.first.forward(x) * net.second.b) + net.loss(x)
        """,
        lambda m: (mat(), vec(), vec()),
    ),
    "in branches": (
        """
        def f(x, v, k: float):
            if k > 0.0:
                s = State(x * k, v)
            else:
                s = State(x, v * k)
            return np.sum(s.x * s.v)
        """,
        lambda m: (vec(), vec(), 0.4),
    ),
    "a copy of an object": (
        """
        def f(x, v):
            a = State(x, v)
            b = a
            a = State(a.v, a.x * 2.0)
            return np.sum(a.x * b.x) + np.sum(b.v**3)
        """,
        lambda m: (vec(), vec()),
    ),
    # stores to parameters
    "a parameter's attributes are local": (
        """
        def f(self, x):
            self.h = np.tanh(x * self.n)
            self.n = self.n + 1.0
            return np.sum(self.h * self.n)
        """,
        lambda m: (types.SimpleNamespace(n=0.4), vec()),
    ),
    "an attribute that is changed in a loop": (
        """
        def f(self, x):
            for k in range(3):
                self.total += np.sum(x) * self.total
            if self.total > 100.0:
                self.total = 0.0
            return self.total * 2.0
        """,
        lambda m: (types.SimpleNamespace(total=0.4), vec()),
    ),
    "a changed dataclass handed on": (
        """
        def f(layer: Layer, x):
            layer.gain = layer.gain * np.sum(x)
            return np.sum(layer.forward(x))
        """,
        lambda m: (m["Layer"](mat(), vec(), 0.3), vec()),
    ),
    "an entry of a dict that is changed": (
        """
        def f(p, x):
            p["W"] = p["W"] * 2.0
            p["n"] = np.sum(x)
            return np.sum(p["W"] @ x) * p["n"]
        """,
        lambda m: ({"W": mat()}, vec()),
    ),
    # results
    "an object is returned": (
        "def f(x, v, dt: float):\n    s = State(x, v)\n    return State(x=s.x + dt * s.v, v=s.v * dt)",
        lambda m: (vec(), vec(), 0.2),
    ),
    "a local object is returned": (
        "def f(x, v):\n    s = Layer(x * v, v)\n    s.gain = np.sum(x)\n    return s, s.gain",
        lambda m: (vec(), vec()),
    ),
    # objects that stay one value
    "a function that returns an object": (
        """
        def f(x, v, dt: float):
            s = State(x, v)
            for _ in range(3):
                s = step(s, dt)
            return np.sum(s.x * s.v)
        """,
        lambda m: (vec(), vec(), 0.1),
    ),
    "a parameter that is replaced by a result": (
        """
        def f(s: State, dt: float):
            for _ in range(3):
                s = step(s, dt)
            return np.sum(s.x * s.v)
        """,
        lambda m: (m["State"](vec(), vec()), 0.1),
    ),
    "methods of a result": (
        """
        def f(s: State, dt: float):
            mid = step(s, dt)
            end = step(mid, dt)
            return s.energy() + mid.energy() * end.energy() + np.sum(mid.x)
        """,
        lambda m: (m["State"](vec(), vec()), 0.1),
    ),
    "a result in a branch": (
        """
        def f(s: State, dt: float):
            if dt > 0.0:
                s = step(s, dt)
            else:
                s = State(s.v, s.x)
            return s
        """,
        lambda m: (m["State"](vec(), vec()), 0.1),
    ),
    "a function that returns an object with more": (
        """
        def both(s: State, k: float):
            e = s.energy()
            return Layer(W=np.outer(s.x, s.v), b=s.v * e, gain=k)

        def f(s: State, k: float, x):
            layer = both(s, k)
            return layer.forward(x) * layer.gain
        """,
        lambda m: (m["State"](vec(), vec()), 0.4, vec()),
    ),
    # dicts
    "a dict with stores": (
        """
        def f(x, y):
            d = {"a": x * 2.0, "n": {"k": y}}
            d["b"] = np.sin(d["a"]) * d["n"]["k"]
            d["a"] += d["b"]
            return np.sum(d["a"] * d["b"])
        """,
        lambda m: (vec(), vec()),
    ),
    "dict calls, merges and get": (
        """
        def f(x, y):
            a = dict(u=x, v=y)
            b = {**a, "v": x * y}
            c = b | {"w": 2.0 * x}
            e = dict(c, u=c["w"])
            e["u"] = e["u"] * e.get("missing", 3.0)
            return np.sum(e["u"] * e["v"] * e.get("w")) + len(e)
        """,
        lambda m: (vec(), vec()),
    ),
    "items, values and keys": (
        """
        def f(x, y):
            d = {"u": x, "v": x * y, "w": y}
            s = 0.0
            for v in d.values():
                s += np.sum(v**2)
            for k, v in d.items():
                if k == "v":
                    s += np.sum(v) * 3.0
            t = sum(np.sum(v**3) for v in d.values())
            for k in d:
                s += np.sum(d[k] ** 2) if k != "w" else 0.0
            return s * t
        """,
        lambda m: (vec(), vec()),
    ),
    "a dict as keywords": (
        """
        def g(a, b, c=2.0):
            return np.sum(a * b) * c

        def f(x, y):
            d = {"a": x, "b": y * y}
            return g(**d) + g(c=3.0, **d)
        """,
        lambda m: (vec(), vec()),
    ),
    "a dict comprehension over known keys": (
        """
        def f(p, x):
            q = {k: np.tanh(p[k]) * x for k in ("a", "b")}
            return np.sum(q["a"] * q["b"])
        """,
        lambda m: ({"a": vec(), "b": vec()}, vec()),
    ),
    "methods called for what they write into arrays": (
        """
        class Series:
            def __init__(self, a, law):
                self.a = a
                self.law = law
                self.kind = "powers"

            def fill(self, eps, c):
                m = 1.0
                for k in range(1, len(c)):
                    m *= eps
                    c[k] = m * self.a

            def scaled(self, c):
                c *= self.a
                return c

            @staticmethod
            def shift(c, a):
                c[1:] += a * c[:-1]

        def f(series: Series, eps: float):
            c = np.ones(4)
            series.fill(eps, c)
            series.fill(2.0 * eps, c[1:3])
            series.scaled(c)
            series.shift(c, series.a)
            return np.sum(c**2)
        """,
        lambda m: (m["Series"](1.3, np.linalg.inv), 0.7),
    ),
    "a function called for what it writes, of an object that holds a function": (
        """
        class Series:
            def __init__(self, a, law):
                self.a = a
                self.law = law

        def fill(series, eps, c):
            for k in range(len(c)):
                c[k] = series.a * eps**k

        def f(series: Series, eps: float):
            c = np.empty(3)
            fill(series, eps, c)
            return np.sum(c**2)
        """,
        lambda m: (m["Series"](1.3, np.linalg.inv), 0.7),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_both_modes(name: str) -> None:
    text, make = CASES[name]
    agree(CLASSES + textwrap.dedent(text), make)


# ---------------------------------------------------------------- two names of one object

SECOND_NAMES: dict[str, str] = {
    "a second name, then a store": (
        "def f(x, v):\n    p = Layer(x, v)\n    q = p\n    p.b = v * 2.0\n    return np.sum(q.b)"
    ),
    "an object in a list, then a store": (
        "def f(x, v):\n    p = Layer(x, v)\n    all_ = [p]\n    p.b = v * 2.0\n    return np.sum(all_[0].b)"
    ),
    "an object in a list, read where a break has left the loop": (
        """
        def f(x, v):
            p, all_ = Layer(x, v), []
            for k in range(3):
                all_.append(p)
                if k == 1:
                    break
                p = Layer(x * k, v)
            p.b = v * 2.0
            return np.sum(all_[1].b)
        """
    ),
    "an object in a list, of an iteration before": (
        """
        def f(x, v):
            all_ = []
            for k in range(3):
                if k == 0:
                    p = Layer(x, v)
                p.b = p.b * 2.0
                all_.append(p)
            return np.sum(all_[0].b)
        """
    ),
    "an object with a second name, and then another one, where a loop is not left": (
        """
        def f(x, v):
            p = Layer(x, v)
            for k in range(3):
                q = p
                if k == 1:
                    continue
                p = Layer(x * k, v)
                p.b = p.b + q.b
            q.b = q.b * 2.0
            return np.sum(p.b * q.b)
        """
    ),
    "an object in an object, then a store": (
        "def f(x, v):\n    p = Layer(x, v)\n    n = Net(p, p)\n    p.b = v * 2.0\n    return np.sum(n.first.b)"
    ),
}


@pytest.mark.parametrize("name", SECOND_NAMES)
def test_objects_that_change_under_two_names(name: str) -> None:
    agree(CLASSES + textwrap.dedent(SECOND_NAMES[name]), lambda m: (noise(np.ones(3)), noise(np.ones(3))))


REFUSED: dict[str, tuple[str, str]] = {
    "a second name of a parameter, then a store": (
        "def f(s, v):\n    q = s\n    s.b = v * 2.0\n    return np.sum(q.b)",
        "S202",
    ),
    "a second name of a part, then a store": (
        "def f(s, v):\n    q = s.inner\n    s.inner.b = v * 2.0\n    return np.sum(q.b)",
        "S202",
    ),
    "a function that changes its argument": (
        "def g(s):\n    s.b = s.b * 2.0\n    return np.sum(s.b)\n\n"
        "def f(s, v):\n    return np.sum(s.b) * (g(s) if v[0] > 0 else 1.0)",
        "S202",
    ),
    "a function that changes it by another name": (
        "def g(s):\n    q = s\n    q.b = q.b * 2.0\n    return s.b\n\n"
        "def f(s, v):\n    return np.sum(s.b * (g(s) if v[0] > 0 else v))",
        "S202",
    ),
    "an object that a comprehension puts into a list several times": (
        """
        def f(x, v):
            p, all_ = Layer(x, v), []
            p.b = v * 2.0
            [all_.append(p) for _ in range(2)]
            all_[0].b = v
            return np.sum(all_[1].b)
        """,
        "S201 S202",
    ),
    "a dict in a dict, changed by way of a list of the values": (
        """
        def f(x, v):
            d = {"a": {"x": x * 2.0, "v": v}, "b": {"x": x, "v": v * 3.0}}
            for p in list(d.values()):
                p["x"] = p["x"] * p["v"]
            return np.sum(d["a"]["x"] * d["b"]["x"])
        """,
        "S301",
    ),
    "by parts and by position": ("def f(s):\n    return np.sum(s[0]) + np.sum(s.x)", "S232"),
    "a setter, and a method of the name that it would be called by": (
        """
        class A:
            def __init__(self, x):
                self._x = x

            @property
            def x(self):
                return self._x

            @x.setter
            def x(self, v):
                self._x = v * 2.0

            @property
            def e(self):
                s = 0.0
                for k in range(3):
                    s = s + self._x ** k
                return s

            def bump(self, v):
                self.x = v
                return self.e


        class B(A):
            def set_x(self, v):
                self._x = v * 9.0

            def get_e(self):
                return 5.0



        def f(k, x):
            m = B(k)
            y = m.bump(x)
            m.x = y + x
            return m.x * m.e + y
        """,
        "S202 S204",
    ),
    "a method that leaves a loop with its result, and by a break": (
        """
        class Cell:
            def __init__(self, h):
                self.h = h

            def settle(self):
                for k in range(9):
                    self.h = self.h * 0.5
                    if self.h < 0.1:
                        return k
                    if k > 5:
                        break

        def f(x):
            cell = Cell(x)
            cell.settle()
            return cell.h
        """,
        "S202",
    ),
    "a method that changes its object, evaluated sometimes": (
        """
        class Cell:
            def __init__(self, h):
                self.h = h

            def step(self):
                self.h = self.h * 0.5
                return self.h

        def f(x, flag):
            cell = Cell(x)
            y = (cell.step() if flag else 0.0) * 2.0
            return cell.h * y
        """,
        "S202",
    ),
    "a function that changes its argument and calls itself": (
        """
        def halve(p, n):
            if n > 0:
                p["b"] = p["b"] * 0.5
                halve(p, n - 1)

        def f(p, n):
            halve(p, n)
            return p["b"]
        """,
        "S202",
    ),
    "a method of an object of unknown class": ("def f(m, x):\n    return m.b * m.gain(x)", "S304"),
    "a method that changes an object of unknown class, where nobody reads its result": (
        """
        class Cell:
            def __init__(self, a, b):
                self.a = a
                self.b = b

            def step(self, v):
                self.b = self.b + v
                return self

        def f(x, y):
            p = Cell(x, y)
            q = y
            for o in [p, Cell(y, x)]:
                q = o
            o = q.step(x)
            return np.sum(p.b)
        """,
        "S202",
    ),
    "a name for an object of one class and then of another, whose fields have the same names": (
        """
        class Cell:
            def __init__(self, a, b):
                self.a = a
                self.b = b

            @property
            def total(self):
                return np.sum(self.a)

        class Pair(NamedTuple):
            a: np.ndarray
            b: np.ndarray

            @property
            def total(self):
                return np.sum(self.a) * self.b[1]

        def f(x, y):
            o = Cell(x, y)
            o = Pair(x * 2.0, y)
            return o.total
        """,
        "S216",
    ),
    "a property of an object of unknown class": (
        """
        class Cell:
            def __init__(self, a, b):
                self.a = a
                self.b = b

            @property
            def total(self):
                return np.sum(self.a)

        def f(x, y):
            p = Cell(x, y * 2.0)
            u = [o.b for o in [p, p]][0]
            for u in [p, Cell(y, y)]:
                pass
            return u.total
        """,
        "S216",
    ),
    "an attribute that is deleted": ("def f(s):\n    y = s.x * 2.0\n    del s.x\n    return y", "S211"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, codes = REFUSED[name]
    source = HEAD + CLASSES + textwrap.dedent(text)
    with pytest.raises(S2SError) as caught:
        differentiate(source, Request(functions=("f",), emit=("vjp", "jvp")))
    assert {d.code for d in caught.value.diagnostics} & set(codes.split()), str(caught.value)


ATTRIBUTES = """
class Filter:
    def __init__(self, P):
        self.P = P
        self.inv = np.linalg.inv

    def gain(self, S):
        # the inverse of the innovation
        return self.inv(S) @ self.P

    def both(self, S):
        return self.gain(S) + self.inv(S)


class Rooted:
    def __init__(self, law):
        self.law = law
        self.root = np.sqrt

    def change(self, root):
        self.root = root

    def rooted(self, x):
        return self.root(x)

    def bent(self, x):
        return self.law(x)


class Wider(Filter):
    def twice(self, S):
        return self.inv(S) + self.gain(S)


def f(P, S, n: int):
    made = Filter(P)
    for _ in range(n):
        S = made.gain(S) + S
    return np.sum(S)
"""


@pytest.mark.parametrize("name", ["Filter.gain", "Filter.both", "Wider.gain", "Wider.twice"])
def test_attributes_that_are_functions_of_a_library(name: str) -> None:
    S = RNG.uniform(0.0, 1.0, (3, 3)) + 3.0 * np.eye(3)
    P = RNG.uniform(0.0, 1.0, (3, 3))
    text = agree(ATTRIBUTES, lambda m: (m[name.partition(".")[0]](P), S), name)
    assert "assert self.inv is np.linalg.inv" in text


def test_attributes_of_objects_that_are_made_here() -> None:
    agree(ATTRIBUTES, lambda _: (np.eye(2) + 0.2, 2.0 * np.eye(2) + 0.1, 2))


GIVEN = """
def relu(z):
    return np.maximum(z, 0.1 * z)


class Layer:
    def __init__(self, W, act=np.tanh):
        self.W = W
        self.act = act

    def forward(self, x):
        return self.act(self.W @ x)


class Law:
    def __init__(self, law, k):
        self.law = law
        self.k = k

    def rate(self, y):
        return self.law(y) * self.k


def any_law(law):
    return Law(law, 2.0)


def f(W, x):
    layers = [Layer(W), Layer(0.5 * W, act=relu)]
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x**2)
"""


def test_attributes_that_are_functions_that_the_module_gives() -> None:
    W, x = RNG.uniform(-1.0, 1.0, (3, 3)), RNG.uniform(-1.0, 1.0, 3)
    agree(GIVEN, lambda _: (W, x))
    text = agree(GIVEN, lambda m: (m["Layer"](W, m["relu"]), x), "Layer.forward")
    assert "assert self.act is np.tanh or self.act is relu" in text
    assert "    if self.act is np.tanh:\n" in text
    layer = module(HEAD + GIVEN, "model")["Layer"](W, np.sin)
    with pytest.raises(AssertionError):
        module(text, "model_grad")["Layer_forward_vjp"](layer, x, out_bar=np.ones(3))
    with pytest.raises(S2SError, match="S304"):
        generated(GIVEN, "Law.rate")


@pytest.mark.parametrize("name", ["Rooted.bent", "Rooted.rooted"])
def test_attributes_that_may_be_other_functions(name: str) -> None:
    with pytest.raises(S2SError, match="S304"):
        generated(ATTRIBUTES, name)


def test_what_to_do_about_an_object_that_cannot_be_put_together_again() -> None:
    move = "def move({}, v):\n    state.x = state.x + v * np.cos(state.y)\n    return state\n"
    head = "class State:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n"
    with pytest.raises(S2SError) as e:
        generated(head + move.format("state"), "move", emit=("vjp",))
    assert e.value.diagnostics[0].help[0] == "state the class of the parameter: `def f(state: State)`"
    agree(head + move.format("state: State"), lambda m: (m["State"](1.0, 0.3), 2.0), "move")
    with pytest.raises(S2SError) as e:
        generated(head.replace("= y", "= 2.0 * y") + move.format("state: State"), "move", emit=("vjp",))
    assert e.value.diagnostics[0].help[0].startswith("let the constructor of `State` take the attributes")


def test_a_changed_parameter_that_is_given_back() -> None:
    text = """
        def same(p):
            return p

        def f(p: Layer, v):
            p.b = 2.0
            q = same(p)
            p.b = 3.0 * p.W
            return q.b * p.b * np.sum(v)
        """
    source = CLASSES + textwrap.dedent(text)
    primal = module(HEAD + source, "model")
    derived = module(generated(source, "f", emit=("vjp",)), "model_grad")
    value, (p_bar, v_bar) = derived["f_vjp"](primal["Layer"](0.5, 1.0), np.array([1.0, 2.0]), out_bar=1.0)
    assert value == 6.75 and p_bar.W == 27.0
    np.testing.assert_allclose(v_bar, [2.25, 2.25])


def test_objects_that_may_be_one_are_guarded() -> None:
    text = "def f(a, b, x: float):\n    a.w = a.w * x\n    return b.w * a.w\n"
    derived = module(generated(text, "f"), "model_grad")
    a, b = types.SimpleNamespace(w=2.0), types.SimpleNamespace(w=3.0)
    assert derived["f_grad"](a, b, 0.5)[2] == pytest.approx(6.0)
    with pytest.raises(AssertionError):
        derived["f_grad"](a, a, 0.5)
    assert a.w == 2.0


def test_a_method_of_a_subclass_is_guarded() -> None:
    source = HEAD + CLASSES
    primal = module(source, "model")
    text = differentiate(source, Request(functions=("Model.loss",)))
    derived = module(text, "model_grad")
    x, y = vec(), vec()
    derived["Model_loss_grad"](primal["Model"](mat(), vec(), 0.1), x, y)
    with pytest.raises(AssertionError):
        derived["Model_loss_grad"](primal["Sub"](mat(), vec(), 0.1), x, y)


def test_a_method_is_an_entry() -> None:
    agree(CLASSES, lambda m: (m["Model"](mat(), vec(), 0.2), vec(), vec()), "Model.loss")
    text = agree(CLASSES, lambda m: (m["Sub"](mat(), vec(), 0.2), vec(), vec()), "Sub.loss")
    assert "def Sub_loss_vjp(self: Sub, x, y, *, out_bar" in text


CLASS_METHODS = """
class Quaternion:
    OFFSET = 0.25

    def __init__(self, q):
        self.q = q

    def norm(self):
        return np.sqrt(np.sum(self.q**2))

    @staticmethod
    def scale(q):
        return np.sum(q**2)

    @classmethod
    def exp(cls, q):
        v = np.sqrt(cls.scale(q[1:]))
        return np.exp(q[0]) * np.cos(v + cls.OFFSET)

    @classmethod
    def unit(cls, v, s: float):
        p = cls(v * s + cls.OFFSET)
        return p.q / p.norm()


class Other(Quaternion):
    OFFSET = 0.5

    @classmethod
    def parent(cls, v):
        return super().exp(v)

    @classmethod
    def rebound(cls, v):
        cls = 2.0
        return v * cls
"""


@pytest.mark.parametrize("name", ["Quaternion.exp", "Other.exp", "Quaternion.unit", "Other.unit"])
def test_a_class_method_is_an_entry(name: str) -> None:
    agree(CLASS_METHODS, lambda m: (vec(), 1.3) if name.endswith("unit") else (vec(),), name)


@pytest.mark.parametrize("name", ["Other.parent", "Other.rebound"])
def test_a_class_method_that_asks_for_its_bases_or_binds_its_class_anew(name: str) -> None:
    with pytest.raises(S2SError, match="S212"):
        generated(CLASS_METHODS, name)


def test_the_gradient_is_an_object_of_the_class() -> None:
    source = HEAD + CLASSES + "\n\ndef f(net: Net, x):\n    return net.loss(x)\n"
    primal = module(source, "model")
    derived = module(differentiate(source, Request(functions=("f",), wrt=("net",))), "model_grad")
    bar = derived["f_grad"](primal["Net"](primal["Layer"](mat(), vec()), primal["Layer"](mat(), vec())), vec())
    assert type(bar) is primal["Net"] and type(bar.first) is primal["Layer"] and bar.depth is None


def test_the_text_reads_like_the_source() -> None:
    text = generated(
        CLASSES
        + "\n\ndef f(s: State, dt: float):\n    for _ in range(3):\n        s = step(s, dt)\n    return np.sum(s.x)\n",
        "f",
    )
    assert "        state_bar" not in text and "        s_bar, dt_inc = _step_rev(s, dt, s_bar)" in text


# ---------------------------------------------------------------- with respect to parts

MIXED = """
def f(self, params, x, y):
    return np.sum(self.W @ x * params["b"]) + self.k * np.sum(params["c"]) + np.sum(x**2 * y)
"""
WRT = ("y[1]", "self.W", "params['b']", "x[0:2]", "x[-1]", "x[0:3:2]")


def test_with_respect_to_parts_and_items() -> None:
    from s2s.frontend.text.pragma import split_names

    names = split_names(", ".join(WRT))
    source = HEAD + MIXED
    primal = module(source, "model")
    derived = module(differentiate(source, Request(functions=("f",), wrt=names, emit=("grad", "vjp", "jvp"))), "m_grad")
    self_, params = types.SimpleNamespace(W=mat(), k=0.3), {"b": vec(), "c": vec()}
    args = (self_, params, vec(), vec())
    dots = {"self_W": mat(), "params_b": vec(), "x_0_2": vec(2), "x_1": 0.7, "x_0_3_2": vec(2), "y_1": 0.2}

    def at(h: float) -> float:
        x, y = args[2].copy(), args[3].copy()
        x[0:2] += h * dots["x_0_2"]
        x[-1] += h * dots["x_1"]
        x[0:3:2] += h * dots["x_0_3_2"]
        y[1] += h * dots["y_1"]
        moved = types.SimpleNamespace(W=self_.W + h * dots["self_W"], k=0.3)
        return primal["f"](moved, params | {"b": params["b"] + h * dots["params_b"]}, x, y)

    want = (at(1e-6) - at(-1e-6)) / 2e-6
    assert derived["f_jvp"](*args, **{f"{n}_dot": d for n, d in dots.items()})[1] == pytest.approx(want, rel=1e-7)
    bars = derived["f_grad"](*args)
    assert sum(np.sum(b * d) for b, d in zip(bars, dots.values(), strict=True)) == pytest.approx(want, rel=1e-7)
    assert not any(np.shares_memory(a, b) for i, a in enumerate(bars) for b in bars[:i])
    assert sys.modules.pop("m_grad")


PATHS = (
    "self.layers[0].W",
    'self.layers[1].params["b"]',
    "self.layers[-1].W",
    'p["rows"][0]["w"]',
    "p['rows'][1]['w']",
)


def test_with_respect_to_parts_of_items() -> None:
    from s2s import verify
    from s2s.frontend.text.pragma import split_names

    names = split_names(", ".join(PATHS))
    source = HEAD + textwrap.dedent(
        """
        def f(self, p, x):
            h = x
            for layer in self.layers:
                h = np.tanh(layer.W @ h + layer.params["b"])
            return np.sum(h * p["rows"][0]["w"]) + np.sum(p["rows"][1]["w"] ** 2 * self.layers[0].W[0])
        """
    )
    primal = module(source, "model")
    derived = module(differentiate(source, Request(functions=("f",), wrt=names, emit=("grad", "vjp", "jvp"))), "m_grad")
    layers = [types.SimpleNamespace(W=mat(), params={"b": vec()}) for _ in range(2)]
    args = {"self": types.SimpleNamespace(layers=layers), "p": {"rows": [{"w": vec()}, {"w": vec()}]}, "x": vec()}
    dots = {n: RNG.uniform(-1.0, 1.0, np.shape(verify.part(args, n))) for n in names}

    def at(h: float) -> float:
        return primal["f"](**verify.with_parts(args, {n: verify.part(args, n) + h * dots[n] for n in names}))

    want = (at(1e-6) - at(-1e-6)) / 2e-6
    words = (
        "self_layers_0_W",
        "self_layers_1_params_b",
        "self_layers_1_W",
        "p_rows_0_w",
        "p_rows_1_w",
    )
    seeds = {f"{w}_dot": dots[n] for w, n in zip(words, names, strict=True)}
    assert derived["f_jvp"](**args, **seeds)[1] == pytest.approx(want, rel=1e-7)
    bars = derived["f_grad"](**args)
    assert sum(np.sum(b * dots[n]) for b, n in zip(bars, names, strict=True)) == pytest.approx(want, rel=1e-7)
    assert not any(np.shares_memory(a, b) for i, a in enumerate(bars) for b in bars[:i])
    with pytest.raises(AssertionError):
        derived["f_jvp"](**args, **(seeds | {"p_rows_0_w_dot": 1.0}))
    assert sys.modules.pop("m_grad")


@pytest.mark.parametrize(
    ("wrt", "code"),
    [
        (("self.Q",), "S404"),
        (("self.W", "self"), "S402"),
        (("x", "x[0:2]"), "S402"),
        (("q.W",), "S402"),
        (("x[f(1)]",), "S402"),
        (("x[True]",), "S402"),
        (("x[",), "S402"),
        (("self[0]",), "S402"),
        (("x[0:2].W",), "S402"),
        (("y[0]", "y[0].W"), "S402"),
    ],
)
def test_refused_parts(wrt: tuple[str, ...], code: str) -> None:
    with pytest.raises(S2SError) as caught:
        generated(MIXED, "f", wrt=wrt)
    assert [d.code for d in caught.value.diagnostics] == [code]


def test_the_header_keeps_parts() -> None:
    from s2s.emit import header

    text = generated(MIXED, "f", wrt=("self.W", 'params["b"]', "x[0:2]"))
    found = header.read(text)
    assert found is not None and found.options.wrt == ("self.W", 'params["b"]', "x[0:2]")


# ---------------------------------------------------------------- lists

LISTS: dict[str, tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]] = {
    "a slice of a history": (
        """
        def f(x):
            hs = [x]
            for _ in range(4):
                hs.append(np.sin(hs[-1]) * x)
            s = 0.0
            for h in hs[1:-1]:
                s += np.sum(h**2)
            for h in hs[-2:]:
                s += np.sum(h)
            for h in hs[::2]:
                s += np.sum(h**3)
            last = hs[:2]
            return s * np.sum(last[0] * last[1]) + len(hs[7:]) + len(hs[-9:]) + np.sum(hs[::-1][0])
        """,
        lambda m: (vec(),),
    ),
    "extend, insert at the end and +=": (
        """
        def f(x, y):
            a = [x]
            a.extend([y, x * y])
            a.extend(v * v for v in [x, y])
            a.insert(len(a), 2.0 * y)
            b = [x - y]
            a += b
            a.extend(a)
            s = 0.0
            for i in range(len(a)):
                s += np.sum(a[i] ** 2) * (i + 1)
            return s
        """,
        lambda m: (vec(), vec()),
    ),
    "copies grow alone": (
        """
        def f(x, y):
            a = [x, y * 2.0]
            b = a.copy()
            b.append(x * y)
            c = list(a)
            c.append(x - y)
            return np.sum(a[0] * b[2] * c[2] * a[1]) + len(a)
        """,
        lambda m: (vec(), vec()),
    ),
    "extended in a loop": (
        """
        def f(x, y):
            a = []
            for k in range(3):
                a.extend([x * k, y + k])
            s = 0.0
            for v in a:
                s = s * 0.5 + np.sum(v**2)
            return s
        """,
        lambda m: (vec(), vec()),
    ),
    "items of a display": (
        """
        def f(x, y):
            s = 0.0
            for k, v in {"u": x, "v": y * x}.items():
                s += np.sum(v**2) * (2.0 if k == "u" else 3.0)
            return s
        """,
        lambda m: (vec(), vec()),
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists(name: str) -> None:
    text, make = LISTS[name]
    agree(text, make)


def test_a_name_that_becomes_an_array_is_no_list() -> None:
    text = "def f(x):\n    a = [x, x**2]\n    a = np.stack(a)\n    b = a[1:] * 2.0\n    return np.sum(b)"
    agree(text, lambda m: (vec(),))


BARE = {
    "numbers": ("xs: list", "return sum(x**2 for x in xs) * xs[-1]", ([0.3, 0.4, 0.5],)),
    "unpacked": ("xs: tuple", "a, b, c = xs\n    return a**0.5 * b + c**2", ((0.3, 0.4, 0.5),)),
    "a step": ("state: tuple, dt: float", "x, v = state\n    return x + dt * v, v - dt * np.sin(x)", ((0.3, 0.4), 0.1)),
    "made an array": ("xs: typing.List", "return np.sum(np.array(xs) ** 3)", ([0.3, 0.4],)),
    "arrays": (
        "ws: list, x",
        "w, b = ws\n    return np.sum(np.tanh(w @ x + b))",
        ([np.eye(2), np.ones(2)], np.ones(2)),
    ),
    "rows": ("rows: list", "return rows[0][1] * rows[1][0] ** 2", ([[0.3, 0.4], [0.5, 0.6]],)),
    "dicts": (
        "layers: list, x",
        'for layer in layers:\n        x = np.tanh(layer["w"] * x + layer["b"])\n    return np.sum(x)',
        ([{"w": np.ones(2), "b": 0.3}, {"w": 0.4, "b": np.ones(2)}], np.ones(2)),
    ),
}


@pytest.mark.parametrize("name", BARE)
def test_list_and_tuple_that_do_not_say_of_what(name: str) -> None:
    params, body, args = BARE[name]
    agree(f"import typing\n\n\ndef f({params}):\n    {body}\n", lambda _: args)


LOSS = """
def loss(p, x):
    return np.sum(np.tanh(p["w"] * x + p["b"]) ** 2)


def scaled(p, x):
    return {k: v * x for k, v in p.items()}


def squares(p):
    return sum(np.sum(p[k] ** 2) for k in p)


"""
LAYERS = {
    "a loop over names": (
        'for name in ("a", "b"):\n        layer = p[name]\n        x = np.tanh(layer["w"] * x + layer["b"])'
    ),
    "one after the other": (
        'layer = p["a"]\n    x = layer["w"] * x + layer["b"]\n'
        '    for _ in range(2):\n        x = np.tanh(x * layer["w"])\n'
        '    layer = p["b"]\n    x = x * layer["w"]'
    ),
    "a loop over the dict": 'for layer in p.values():\n        x = np.tanh(layer["w"] * x + layer["b"])',
}


@pytest.mark.parametrize("name", LAYERS)
def test_dicts_in_a_dict_under_one_name(name: str) -> None:
    def make(_: dict[str, Any]) -> tuple[Any, ...]:
        return {k: {"w": RNG.uniform(0.4, 1.4, 3), "b": RNG.uniform(0.4, 1.4)} for k in ("a", "b")}, np.ones(3)

    agree(f"def f(p, x):\n    {LAYERS[name]}\n    return np.sum(x**2)\n", make)


DICTS = {  # of which the keys are known when the function runs
    "read": 'q = {k: v * 2.0 for k, v in p.items()}\n    return q["w"] @ q["w"] * x + p["b"] * q["b"]',
    "returned": "return {k: v * x for k, v in sorted(p.items())}",
    "read and returned": 'q = {k: p[k] * x for k in p}\n    return q, np.sum(q["w"])',
    "returned as they are": "q = {k: v for k, v in p.items()}\n    return q",
    "a step, handed on": "new = {k: p[k] - x * g[k] for k in p}\n    return loss(new, x) + loss(p, x)",
    "of another one": (
        "h = {k: np.exp(v) for k, v in p.items()}\n    new = {k: p[k] - x * h[k] for k in p}\n"
        "    return loss(new, x) + sum(np.sum(v**2) for v in new.values())"
    ),
    "in a loop": (
        "s = 0.0\n    for i in range(3):\n        q = {k: v * x * i for k, v in p.items()}\n"
        '        s = s + np.sum(q["w"]) * q["b"]\n    return s'
    ),
    "of a helper": 'q = scaled(p, x)\n    return np.sum(q["w"]) * q["b"]',
    "the parameter, handed on and looped over": "return loss(p, x) * sum(np.sum(v**2) for v in p.values())",
    "the parameter, handed on twice": 'return loss(p, x) + squares(p) * x + loss(p, np.sum(g["w"]))',
    "looped over": (
        "q = {k: v * x for k, v in p.items()}\n    s = 0.0\n    for k, v in q.items():\n"
        "        s = s + np.sum(v * g[k]) * len(q)\n    return s"
    ),
}


@pytest.mark.parametrize("name", DICTS)
def test_dict_comprehensions_over_a_dict(name: str) -> None:
    def make(_: dict[str, Any]) -> tuple[Any, ...]:
        p, g = ({"w": RNG.uniform(0.4, 1.4, 3), "b": RNG.uniform(0.4, 1.4)} for _ in range(2))
        return p, g, 0.7

    agree(f"{LOSS}def f(p, g, x):\n    {DICTS[name]}\n", make)


def test_tangents_of_named_tuples_are_of_their_class() -> None:
    """As the result is, wherever the class comes from, and also within other structures."""
    source = """
from typing import NamedTuple

class Pair(NamedTuple):
    a: float
    b: float

def f(x):
    return {"u": Pair(x * 2.0, x[0]), "v": [Pair(x, 1.0)]}
"""
    primal = module(source, "model")
    derived = module(differentiate(source, Request(functions=("f",), emit=("jvp",))), "model_grad")
    x_dot = np.array([0.3, 0.7])
    value, tangent = derived["f_jvp"](np.array([1.0, 2.0]), x_dot=x_dot)
    assert type(tangent["u"]) is type(value["u"]) is primal["Pair"] is type(tangent["v"][0])
    assert tangent["u"].a == pytest.approx(2.0 * x_dot) and tangent["u"].b == 0.3
    assert tangent["v"][0].a == pytest.approx(x_dot) and not np.shares_memory(tangent["v"][0].a, x_dot)


INNER = {
    "of a comprehension": "return sum(v.x**2 * v.y for v in qs) * v.x",
    "of one in another": "return sum(v.x * v.y for w in qs for v in [w, w]) * v.x",
    "of a lambda": "law = lambda v: v.x**2 * v.y\n    return sum(law(q) for q in qs) * v.x",
    "of a function, handed on by name": (
        "def law(v, w=v.x):\n        return v.x * w\n    return sum(law(v=q) for q in qs) * v.x + law(v, w=2.0)"
    ),
    "of a function of its own": (
        "def law(b):\n        v = P(b, a)\n        return v.x * v.y\n    return law(a) * v.x + qs[0].y"
    ),
}


@pytest.mark.parametrize("name", INNER)
def test_inner_names_are_not_the_objects_of_the_function_around(name: str) -> None:
    """They were taken for the parameter: the value itself was another one."""
    source = (
        "@dataclass\nclass P:\n    x: float\n    y: float\n\n\ndef f(v: P, x, a):\n    qs = [P(b, a) for b in x]\n    "
    )
    agree(source + INNER[name], lambda model: (model["P"](0.3, 0.2), vec(2), 0.7))


RECORDS = """
class P(NamedTuple):
    x: float
    v: float
    m: float


@dataclass(frozen=True)
class Q:
    x: float
    v: float
    m: float


def kick(ps, h):
    return [{kick} for p in ps]


def f(ps{note}, h, n: int):
    for _ in range(n):
        ps = [{drift} for p in ps]
        ps = kick(ps, h)
    return sum(p.m * p.x**2 for p in ps)
"""
AS_TUPLES = {"kick": "p._replace(v=p.v - h * p.x)", "drift": "p._replace(x=p.x + h * p.v)"}
AS_OBJECTS = {"kick": "dataclasses.replace(p, v=p.v - h * p.x)", "drift": "dataclasses.replace(p, x=p.x + h * p.v)"}


@pytest.mark.parametrize(("cls", "note"), [("P", ""), ("P", ": list[P]"), ("Q", ""), ("Q", ": list[Q]")])
def test_lists_of_records_that_are_made_anew(cls: str, note: str) -> None:
    """Which class `p._replace(x=...)` makes is known by its fields, and asserted: a list may hold another one."""
    source = RECORDS.format(**(AS_TUPLES if cls == "P" else AS_OBJECTS), note=note)
    agree(source, lambda model: ([model[cls](0.3, 0.2, 1.1), model[cls](0.5, -0.4, 0.8)], 0.1, 2))


def test_records_of_another_class_raise() -> None:
    source = RECORDS.format(**AS_TUPLES, note="")
    primal = module(HEAD + source, "model")
    derived = module(generated(source, "f"), "model_grad")

    class Other(primal["P"]):  # type: ignore[misc]
        pass

    with pytest.raises(AssertionError):
        derived["f_grad"]([Other(0.3, 0.2, 1.1)], 0.1, 2)


COPIES = """
class P(NamedTuple):
    x: float
    v: float


@dataclass
class Q:
    x: float
    v: float


def f(ps: list[{cls}], h: float, n: int):
    qs = {copy}
    for _ in range(n):
        qs = [{cls}(q.x + h * q.v, q.v - h * p.x) for p, q in zip(ps, qs)]
    return {result}
"""


@pytest.mark.parametrize("cls", ["P", "Q"])
@pytest.mark.parametrize("copied", ["list(ps)", "ps[:]", "ps.copy()"])
@pytest.mark.parametrize("result", ["qs", "sum(q.x * q.v for q in qs)"])
def test_copies_of_lists_of_records(cls: str, copied: str, result: str) -> None:
    source = COPIES.format(cls=cls, copy=copied, result=result)
    agree(source, lambda model: ([model[cls](0.3, 0.2), model[cls](0.5, -0.4)], 0.1, 2))


@pytest.mark.parametrize("copied", ["list(ps)", "[P(x=p.x, v=p.x * h) for p in ps]"])
def test_named_tuples_are_cotangents_of_named_tuples(copied: str) -> None:
    source = COPIES.format(cls="P", copy=copied, result="qs")
    kind = module(HEAD + source, "model")["P"]
    vjp = module(generated(source, "f", emit=("vjp",)), "model_grad")["f_vjp"]
    given, bars = ([kind(0.3, 0.2), kind(0.5, -0.4)], 0.1, 2), [kind(0.7, 0.1), kind(-0.2, 0.9)]
    spaces = [types.SimpleNamespace(**b._asdict()) for b in bars]
    of_tuples, of_spaces = vjp(*given, out_bar=bars)[1], vjp(*given, out_bar=spaces)[1]
    assert of_tuples[1] == of_spaces[1]
    assert [vars(b) for b in of_tuples[0]] == [vars(b) for b in of_spaces[0]]


def test_dicts_with_more_entries_than_those_made_anew_raise() -> None:
    source = """
def f(ps, h: float, n: int):
    for _ in range(n):
        ps = [{"x": p["x"] + h * p["v"], "v": p["v"]} for p in ps]
    return sum(p["x"] for p in ps)
"""
    derived = module(generated(source, "f"), "model_grad")
    derived["f_grad"]([{"x": 0.3, "v": 0.2}], 0.1, 2)
    with pytest.raises(AssertionError):
        derived["f_grad"]([{"x": 0.3, "v": 0.2, "m": 1.0}], 0.1, 2)
