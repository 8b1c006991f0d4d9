"""Classes of other modules whose objects change, or whose constructors compute: `Filter(2)`, Filter imported.

Their text stands in the function as that of a class of the file does, where the names that it reads are free there.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from s2s.cli import main
from test_modules import BOTH, agree, made, project, write

__all__ = ["project"]

FILTERS = '''"""A filter with state."""

import numpy as np

EPS = 1e-3


def inverse(A):
    return np.linalg.inv(A)


class Base:
    def __init__(self, n):
        self.n = n
        self.x = np.zeros(n)
        self.reset()

    def reset(self):
        self.count = 0


class KF(Base):
    """Linear filter."""

    def __init__(self, n, m, dt=0.1):
        super().__init__(n)
        self.m = m
        self.F = np.eye(n)
        self.F[0, 1] = dt
        self.P = np.eye(n)
        self.Q = np.eye(n) * EPS
        self.R = np.eye(m)
        self.H = np.zeros((m, n))
        self.H[0, 0] = 1.0

    def predict(self):
        # the state first
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ inverse(S)
        self.x = self.x + K @ y
        self.P = self.P - K @ self.H @ self.P
        self.count += 1

    @property
    def spread(self):
        return np.trace(self.P)

    @staticmethod
    def scale(v):
        return v * EPS


class Counter:
    def __init__(self):
        self.total = 0.0

    def add(self, v):
        self.total += v
        return self.total


GAIN = 2.0
TOTAL = 0.0
W = np.array([1.0, 2.0])


def bump(v):
    global TOTAL
    TOTAL += v
    return TOTAL


class Acc:
    def __init__(self, w):
        self.w = w
        self.log = []
        self.gain = GAIN * w

    def add(self, v):
        self.log.append(v * self.gain)
        return self

    def summed(self):
        return sum(self.log) + np.sum(W) * self.w

    def __call__(self, v):
        self.w = self.w + v
        return self.w * GAIN

    def __add__(self, other):
        return Acc(self.w + other.w)

    @classmethod
    def of(cls, a, b):
        return cls(a * b)

    @property
    def half(self):
        return 0.5 * self.w

    @half.setter
    def half(self, v):
        self.w = 2.0 * v


class Glob:
    def __init__(self, w):
        self.w = w * TOTAL
        self.s = w + TOTAL

    def go(self):
        self.w = self.w + 1.0


class Pair:
    def __init__(self, w):
        self.a = Acc(w)
        self.b = Acc(2.0 * w)

    def run(self, v):
        self.a.add(v)
        self.b.add(v * v)
        return self.a.summed() * self.b.summed()


class Law:
    factor = 2.0

    def __init__(self, w):
        self.w = w
        self.parts = np.array([w, 2.0 * w])

    def go(self, v):
        self.w = self.w + v
        return self.w * self.factor

    def put(self, v):
        self.parts[0] = v


class Stepper:
    def __init__(self, f, h):
        self.f = f
        self.h = h
        self.n = 0

    def step(self, y):
        self.n = self.n + 1
        return y + self.h * self.f(0.1 * self.n, y)


class Deriv(Acc):
    def __init__(self, w):
        super().__init__(w)
        self.k = w * w

    def summed(self):
        return super().summed() * self.k
'''

HEAD = """import numpy as np

import filters
from filters import KF, Acc, Counter, Deriv, Glob, Law, Pair, Stepper

"""

RIGHT = {
    "of which an attribute has another name": (
        "def f(x, y):\n    p = Law(x)\n    a = p.parts\n    p.put(y)\n    return np.sum(a * p.parts)\n"
    ),
    "with a constant of the class": "def f(x, y):\n    p = Law(x)\n    p.go(x)\n    return p.go(y) * p.factor\n",
    "that hold a function of the file": (
        "def _rhs(t, y):\n    return -np.sin(y) * t\n\n\ndef f(x, y):\n    s = Stepper(_rhs, y)\n"
        "    for _ in range(3):\n        x = s.step(x)\n    return x * s.n\n"
    ),
    "a list that grows": ("def f(x, y):\n    a = Acc(x)\n    a.add(y).add(x * y)\n    return a.summed()\n"),
    "that are called": ("def f(x, y):\n    a = Acc(x)\n    return a(y) * a(x) + a.w\n"),
    "that are added": ("def f(x, y):\n    a = Acc(x) + Acc(y)\n    a.add(x)\n    return a.summed()\n"),
    "made by a class method": ("def f(x, y):\n    a = Acc.of(x, y)\n    a.add(x)\n    return a.summed()\n"),
    "with a property that is set": (
        "def f(x, y):\n    a = Acc(x)\n    a.half = a.half * y\n    a.add(x)\n    return a.summed() * a.half\n"
    ),
    "that hold others": ("def f(x, y):\n    p = Pair(x)\n    p.run(y)\n    return p.run(x * y)\n"),
    "of a class with a base": ("def f(x, y):\n    p = Deriv(x)\n    p.add(y)\n    return p.summed()\n"),
    "by way of the module": ("def f(x, y):\n    p = filters.Deriv(x)\n    p.add(y)\n    return p.summed()\n"),
    "in a list": (
        "def f(x, y):\n    ps = [Acc(x), Acc(y)]\n    for p in ps:\n        p.add(x)\n"
        "    return sum(p.summed() for p in ps)\n"
    ),
    "that are a base of one of the file": (
        "class Mine(Acc):\n    def summed(self):\n        return self.w * 3.0\n\n\ndef f(x, y):\n"
        "    p = Mine(x)\n    p.add(y)\n    return p.summed() * p(y)\n"
    ),
    "asked for their class": (
        "def f(x, y):\n    p = Deriv(x)\n    p.add(y)\n    if isinstance(p, Acc):\n"
        "        return p.summed()\n    return x\n"
    ),
    "that a helper makes": (
        "def _make(x):\n    p = Acc(x)\n    p.add(x)\n    return p\n\n\ndef f(x, y):\n"
        "    p = _make(x)\n    p.add(y)\n    return p.summed()\n"
    ),
    "that one of the file holds": (
        "class Mine:\n    def __init__(self, w):\n        self.acc = Acc(w)\n\n    def run(self, v):\n"
        "        self.acc.add(v)\n        return self.acc.summed()\n\n\ndef f(x, y):\n"
        "    p = Mine(x)\n    p.run(y)\n    return p.run(x)\n"
    ),
    "whose constructor computes": (
        "def f(x, y):\n    k = KF(2, 1, x)\n    k.predict()\n    k.update(np.array([y]))\n    return np.sum(k.x)\n"
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_objects_of_another_module(name: str, project: Path) -> None:
    primal, derived = made(
        project, {"filters.py": FILTERS, "model.py": HEAD + RIGHT[name]}, "model", *BOTH, "--wrt", "x,y"
    )
    agree(primal, derived, "f", 0.7, 0.3)


REFUSED = {
    "an object gets a constant of its class": (
        "def f(x, y):\n    p = Law(x)\n    setattr(p, 'factor', y)\n    return p.go(y)\n",
        "S204",
    ),
    "a class has two names": (
        "from filters import Law as Other\n\n\ndef f(x, y):\n    p = Other(x)\n    q = Law(y)\n    p.go(y)\n"
        "    q.go(x)\n    return p.w * q.w * (x if isinstance(p, Law) else y)\n",
        "S204",
    ),
    "a variable has the name of what they read": (
        ("def f(x, y):\n    GAIN = 5.0\n    W = x\n    a = Acc(x)\n    a.add(y)\n    return a.summed() * GAIN * W\n"),
        "S204",
    ),
    "a parameter has": (("def f(x, GAIN):\n    a = Acc(x)\n    a.add(GAIN)\n    return a.summed()\n"), "S204"),
    "the file has another value of that name": (
        ("GAIN = 7.0\n\n\ndef f(x, y):\n    a = Acc(x)\n    a.add(y)\n    return a.summed() * GAIN\n"),
        "S204",
    ),
    "they read what their module binds again": (
        ("def f(x, y):\n    a = Glob(x)\n    a.go()\n    filters.bump(2.0)\n    return a.w * y\n"),
        "S204",
    ),
    "a function of the file has the name of one": (
        (
            "class Pairs:\n    pass\n\n\ndef inverse(x):\n    return x\n\n\ndef f(x, y):\n"
            "    k = KF(2, 1, x)\n    k.predict()\n    k.update(np.array([y]))\n    return np.sum(k.x)\n"
        ),
        "S204",
    ),
    "a function inside reads them": (
        (
            "def f(x, y):\n    a = Acc(x)\n    def go(v):\n        return a.w * v\n    a.add(y)\n"
            "    return go(y) * a.summed()\n"
        ),
        "S204",
    ),
    "the file has another class of the name": (
        ("Acc = Counter\n\n\ndef f(x, y):\n    a = Acc()\n    a.add(y)\n    return a.total * x\n"),
        "S202",
    ),
    "the file changes what they read": (
        ("filters.GAIN = 3.0\n\n\ndef f(x, y):\n    a = Acc(x)\n    a.add(y)\n    return a.summed() * x\n"),
        "S204",
    ),
    "the file changes a method": (
        (
            "Acc.summed = lambda self: self.w * 9.0\n\n\ndef f(x, y):\n    a = Acc(x)\n    a.add(y)\n"
            "    return a.summed() * x\n"
        ),
        "S202",
    ),
    "the file adds an attribute": (
        ("Acc.extra = 3.0\n\n\ndef f(x, y):\n    a = Acc(x)\n    a.add(y)\n    return a.summed() * a.extra\n"),
        "S202",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_objects_of_another_module_are_refused_where(name: str, project: Path) -> None:
    text, code = REFUSED[name]
    write(project, {"filters.py": FILTERS, "model.py": HEAD + text})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1 and f"error[{code}]" in result.output


def test_an_argument_is_such_an_object(project: Path) -> None:
    text = "def f(f: KF, z):\n    f.predict()\n    f.update(z)\n    return np.sum(f.x)\n"
    primal, derived = made(project, {"filters.py": FILTERS, "model.py": HEAD + text}, "model", "--wrt", "z")
    kf = primal.KF(2, 1)
    kf.x = np.array([0.3, 0.4])
    z, h = np.array([0.7]), 1e-6
    found = derived.f_grad(kf, z)

    def value(z: np.ndarray) -> float:
        other = primal.KF(2, 1)
        other.x = np.array([0.3, 0.4])
        return float(primal.f(other, z))

    assert found == pytest.approx((value(z + h) - value(z - h)) / (2 * h), rel=1e-6)
    assert np.array_equal(kf.x, [0.3, 0.4])


def test_a_change_of_the_class_is_noticed(project: Path) -> None:
    made(project, {"filters.py": FILTERS, "model.py": HEAD + RIGHT["whose constructor computes"]}, "model")
    assert CliRunner().invoke(main, ["check", "model.py"]).exit_code == 0
    for old, new in (
        ("EPS = 1e-3", "EPS = 1e-2"),
        ("np.linalg.inv(A)", "np.linalg.pinv(A)"),
        ("self.F[0, 1] = dt", ""),
    ):
        write(project, {"filters.py": FILTERS.replace(old, new)})
        assert CliRunner().invoke(main, ["check", "model.py"]).exit_code == 1


def test_comments_and_constants_of_methods_are_kept(project: Path) -> None:
    text = FILTERS.replace("y = z - self.H @ self.x", "y = z - self.H @ self.x  # s2s: constant")
    sources = {"filters.py": text, "model.py": HEAD + RIGHT["whose constructor computes"]}
    _, derived = made(project, sources, "model")
    assert "# the state first" in (project / "model_grad.py").read_text()
    assert np.ndim(derived.f_grad(0.7, 0.3)) == 0  # y is no longer active


FUNCTIONS = '''"""Classes whose attributes are functions that the constructor chooses."""

import numpy as np

K = 2.0

def soft(z):
    return np.log(1.0 + np.exp(z)) * K

class Filter:
    def __init__(self, w, g=None):
        self.w = w
        if g is None:
            self.g = soft
        else:
            self.g = g

    def run(self, x):
        y = self.g(self.w * x)
        self.w = self.w + y
        return y

class Lib:
    def __init__(self, w, g=None, mode="sin"):
        self.w = w
        self.k = w * w
        self.g = np.sin if g is None else g
        if mode == "sin":
            self.h = np.sin
        else:
            self.h = np.tanh

    def run(self, x):
        return self.g(self.w * x) * self.h(self.k)

class Sub(Lib):
    def run(self, x):
        return super().run(x) + self.g(x)

class Dflt:
    def __init__(self, w, g=soft):
        self.w = w * 2
        self.g = g

    def run(self, x):
        return self.g(self.w * x)

class Sub2(Lib):
    def __init__(self, w):
        super().__init__(w, np.cos)
        self.h = np.exp


class Base:
    kk = 3.0

    def __init__(self, w):
        self.w = w
        self.log = []

    def law(self, x):
        return x * self.w

    def step(self, x):
        y = self.law(x)
        self.w = self.w + y
        self.log.append(y)
        return y * self.kk

    @property
    def half(self):
        return 0.5 * self.w

    def clone(self):
        return type(self)(self.w)

    def __add__(self, o):
        return Base(self.w + o.w)

    @classmethod
    def of(cls, a, b):
        return cls(a * b)


class Keep:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def area(self):
        return self.a * self.b
'''

FUNCTIONS_HEAD = """import numpy as np

import functions
from functions import Base, Dflt, Filter, Keep, Lib, Sub, Sub2


def _relu(z):
    return np.maximum(z, 0.1 * z) * 1.5


"""

CHOSEN = {
    "of their module": "def f(x, w):\n    return Filter(w).run(x)\n",
    "of the file": "def f(x, w):\n    return Filter(w, _relu).run(x) * Filter(w).run(w)\n",
    "of NumPy": "def f(x, w):\n    return Lib(w).run(x)\n",
    "given, and by a text": "def f(x, w):\n    return Lib(w, np.tanh, mode='tanh').run(x) * Lib(x).run(w)\n",
    "by their names": "def f(x, w):\n    return Lib(w, g=_relu).run(x)\n",
    "by way of the module": "def f(x, w):\n    return functions.Lib(w, g=_relu).run(x)\n",
    "in a subclass": "def f(x, w):\n    return Sub(w, g=_relu).run(x) * Sub(w).run(x)\n",
    "in a subclass that binds its own": "def f(x, w):\n    return Sub2(w).run(x) * Lib(w).run(x)\n",
    "the default": "def f(x, w):\n    return Dflt(w).run(x)\n",
    "in the place of the default": "def f(x, w):\n    return Dflt(w, np.sin).run(x) * Dflt(w, _relu).run(x)\n",
    "of one of two objects": (
        "def f(x, w):\n    s = Lib(w)\n    if x > w:\n        s = Lib(x, _relu)\n    return s.run(x)\n"
    ),
    "of one of two that change": (
        "def f(x, w):\n    if x > w:\n        s = Filter(x, _relu)\n"
        "    else:\n        s = Filter(x)\n    return s.run(x) * s.run(w)\n"
    ),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_attributes_are_functions(name: str, project: Path) -> None:
    sources = {"functions.py": FUNCTIONS, "model.py": FUNCTIONS_HEAD + CHOSEN[name]}
    primal, derived = made(project, sources, "model", *BOTH, "--wrt", "x,w")
    agree(primal, derived, "f", 0.7, 0.4)


NOT_CHOSEN = {
    "the file binds one anew": "def f(x, w):\n    s = Lib(w)\n    s.g = np.cos\n    return s.run(x)\n",
    "by its name": "def f(x, w):\n    s = Lib(w)\n    setattr(s, 'g', np.cos)\n    return s.run(x)\n",
    "a helper does": "def h(s):\n    s.g = np.cos\n\n\ndef f(x, w):\n    s = Lib(w)\n    h(s)\n    return s.run(x)\n",
    "the file has another function of the name": (
        "def soft(x):\n    return x\n\n\ndef f(x, w):\n    return Dflt(w).run(x) * soft(x)\n"
    ),
}


@pytest.mark.parametrize("name", NOT_CHOSEN)
def test_attributes_that_may_be_other_functions(name: str, project: Path) -> None:
    write(project, {"functions.py": FUNCTIONS, "model.py": FUNCTIONS_HEAD + NOT_CHOSEN[name]})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1 and "error[S" in result.output


DERIVED = {
    "a method of the base calls one of the class": """class M(Base):
    def law(self, x):
        return np.sin(x) * self.w


def f(x, w):
    s = M(w)
    return s.step(x) * s.step(w)
""",
    "of a class of the file that is derived itself": """class M(Base):
    def law(self, x):
        return np.sin(x) * self.w


class N(M):
    def law(self, x):
        return super().law(x) * x


def f(x, w):
    s = N(w)
    return s.step(x) * s.step(w) * s.half
""",
    "beside objects of the base": """class M(Base):
    def law(self, x):
        return np.sin(x) * self.w


def f(x, w):
    s = M(w)
    t = Base(x)
    return s.step(x) * t.step(w) * sum(s.log)
""",
    "asked for the base": """class M(Base):
    pass


def f(x, w):
    s = M(w)
    s.step(x)
    if isinstance(s, Base):
        return s.w*2.0
    return s.w
""",
    "that are no objects of the class": """class M(Base):
    pass


def f(x, w):
    s = Base(w)
    s.step(x)
    if isinstance(s, M):
        return s.w*2.0
    return s.w
""",
    "made by a method of the base": """class M(Base):
    def law(self, x):
        return np.sin(x) * self.w


def f(x, w):
    s = M(w).clone()
    return s.step(x)
""",
    "of a base that keeps what it is given": """class M(Keep):
    def __init__(self, a):
        super().__init__(a, a * a)
    def grow(self, x):
        self.a = self.a*x
        return self.area()


def f(x, w):
    s = M(w)
    return s.grow(x) * s.grow(w) * Keep(x, w).area()
""",
    "given to a function that takes the base": """class M(Base):
    def law(self, x):
        return np.cos(x) * self.w


def _g(s: Base, x):
    return s.step(x)


def f(x, w):
    return _g(M(w), x) * _g(Base(w),x)
""",
    "whose functions the constructors choose": """class M(Lib):
    def __init__(self, w):
        super().__init__(w, np.tanh)
        self.w = self.w * 2.0


class N(Lib):
    def __init__(self, w):
        super().__init__(w)
        self.h = np.exp
    def run(self, x):
        return super().run(x) * self.h(x)


def f(x, w):
    return M(w).run(x) * N(w).run(x) * Lib(x).run(w)
""",
}


@pytest.mark.parametrize("name", DERIVED)
def test_classes_of_the_file_with_a_base_of_another_module(name: str, project: Path) -> None:
    sources = {"functions.py": FUNCTIONS, "model.py": FUNCTIONS_HEAD + DERIVED[name]}
    primal, derived = made(project, sources, "model", *BOTH, "--wrt", "x,w")
    agree(primal, derived, "f", 0.7, 0.4)


NOT_DERIVED = {
    "the file changes the base": "class M(Base):\n    pass\n\n\nBase.law = lambda self, x: x**3\n",
    "the file changes the class": "class M(Base):\n    pass\n\n\nM.law = lambda self, x: x**3\n",
    "the base is a path": "class M(functions.Base):\n    pass\n",
    "the file has another function of a name": (
        "def soft(z):\n    return z\n\n\nclass M(Filter):\n    step = Filter.run\n"
    ),
}


@pytest.mark.parametrize("name", NOT_DERIVED)
def test_bases_of_another_module_are_refused_where(name: str, project: Path) -> None:
    text = FUNCTIONS_HEAD + NOT_DERIVED[name] + "\n\ndef f(x, w):\n    s = M(w)\n    return s.step(x) * s.step(w)\n"
    write(project, {"functions.py": FUNCTIONS, "model.py": text})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1 and "error[S" in result.output


def test_a_class_has_another_name_here(project: Path) -> None:
    text = "def f(x, w):\n    s = Law(w, np.tanh)\n    return s.run(x) * Law(x).run(w)\n"
    head = "import numpy as np\nfrom functions import Lib as Law\n\n\n"
    primal, derived = made(project, {"functions.py": FUNCTIONS, "model.py": head + text}, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 0.4)
    head = "import numpy as np\nimport functions\nfrom functions import Lib as Law\n\n\n"
    text += "\n\ndef g(x):\n    return isinstance(x, functions.Lib)\n"
    write(project, {"model.py": head + text})
    assert "error[S" in CliRunner().invoke(main, ["grad", "model.py::f"]).output


def test_a_change_of_a_base_is_noticed(project: Path) -> None:
    text = FUNCTIONS_HEAD + DERIVED["beside objects of the base"]
    made(project, {"functions.py": FUNCTIONS, "model.py": text}, "model")
    assert CliRunner().invoke(main, ["check", "model.py"]).exit_code == 0
    write(project, {"functions.py": FUNCTIONS.replace("self.w = self.w + y", "self.w = self.w - y")})
    assert CliRunner().invoke(main, ["check", "model.py"]).exit_code == 1


FIELDS = "    n: int = 3\n    damp: float = 0.5\n"
NAMED = f"from typing import NamedTuple\n\n\nclass Config(NamedTuple):\n{FIELDS}"
DEFAULTS = {
    "a named tuple": NAMED,
    "a dataclass": f"from dataclasses import dataclass\n\n\n@dataclass\nclass Config:\n{FIELDS}",
    "a constructor": (
        "class Config:\n    def __init__(self, n=3, *, damp=0.5):\n        self.n = n\n        self.damp = damp\n"
    ),
    "far down in its file": "\n" * 40 + NAMED,
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults_of_fields_are_those_of_their_file(name: str, project: Path) -> None:
    text = (
        "from shapes import Config\n\n\ndef _decay(x, c):\n    return c.damp * x**c.n\n\n\n"
        "def f(x, y):\n    weight = 2 * x * y\n"
        "    return weight * Config(damp=y).n + _decay(x, Config(n=2)) * Config().damp\n"
    )
    primal, derived = made(project, {"shapes.py": DEFAULTS[name], "model.py": text}, "model", *BOTH, "--wrt", "x,y")
    agree(primal, derived, "f", 0.7, 0.3)


ELLIPSOIDS = """class Ell:
    def __init__(self, a):
        self.a = a

    @classmethod
    def named(cls, name):
        return cls(3.0)


def resolve(ell: Ell | None) -> Ell:
    return Ell.named("sphere") if ell is None else ell
"""


@pytest.mark.parametrize("note", ["Ell | None", "Optional[Ell]"])
def test_an_object_that_may_be_none_is_chosen_by_a_function_of_another_module(note: str, project: Path) -> None:
    text = (
        "from typing import Optional\n\nfrom ellipsoids import Ell, resolve\n\n\n"
        f"def f(x, y, ell: {note} = None):\n    ell = resolve(ell)\n    return ell.a * x * y\n"
    )
    primal, derived = made(project, {"ellipsoids.py": ELLIPSOIDS, "model.py": text}, "model", *BOTH, "--wrt", "x,y")
    agree(primal, derived, "f", 0.7, 0.3)
    value, _ = derived.f_value_and_grad(0.7, 0.3, primal.Ell(2.0))
    assert value == primal.f(0.7, 0.3, primal.Ell(2.0))


PROJECTS: dict[str, dict[str, str]] = {
    "a tuple is the default of a field": {
        "lib.py": """from dataclasses import dataclass
@dataclass
class Cfg:
    a: float
    limits: tuple = (0.1, 2.0)
""",
        "model.py": """from lib import Cfg
def f(x):
    c = Cfg(x)
    return c.a * c.limits[1] + c.limits[0]
""",
    },
    "a field is a new list, to which a method adds": {
        "lib.py": """from dataclasses import dataclass, field
@dataclass
class Log:
    k: float
    xs: list = field(default_factory=list)
    def add(self, v):
        self.xs.append(v * self.k)
""",
        "model.py": """from lib import Log
def f(x):
    l = Log(x)
    for i in range(3):
        l.add(x * i)
    return sum(l.xs)
""",
    },
    "their base is a class of a third module": {
        "base.py": """class Law:
    def __init__(self, k):
        self.k = k
    def energy(self, d):
        return self.k * self.shape(d)
""",
        "lib.py": """from base import Law
class Quad(Law):
    def shape(self, d):
        return d * d
class Cub(Law):
    def __init__(self, k, m):
        super().__init__(k)
        self.m = m
    def shape(self, d):
        return d**3 * self.m
""",
        "model.py": """from lib import Quad, Cub
def f(x):
    a = Quad(x)
    b = Cub(x, 2.0)
    return a.energy(x) + b.energy(x)
""",
    },
    "a class method of a dataclass makes them": {
        "lib.py": """from dataclasses import dataclass
@dataclass
class Ell:
    a: float
    b: float
    @classmethod
    def sphere(cls, r):
        return cls(r, r)
    def area(self):
        return 3.0 * self.a * self.b
""",
        "model.py": """from lib import Ell
def f(x):
    e = Ell.sphere(x)
    return e.area() + Ell(x, 2.0).area()
""",
    },
    "a package with relative imports, and a base beside it": {
        "pkg/__init__.py": "from .core import Model\n",
        "pkg/core.py": """from . import util
from .base import Base
class Model(Base):
    def __init__(self, k):
        super().__init__(k)
        self.hist = []
    def step(self, x):
        y = util.law(x, self.k)
        self.hist.append(y)
        return y
""",
        "pkg/base.py": """class Base:
    def __init__(self, k):
        self.k = k
    def cost(self):
        return sum(h * h for h in self.hist)
""",
        "pkg/util.py": """def law(x, k):
    return k * x * x
""",
        "model.py": """from pkg import Model
def f(x):
    m = Model(x)
    for i in range(3):
        m.step(x + i)
    return m.cost()
""",
    },
    "a solver with a boundary condition, whose base has methods alone, and a material of a table": {
        "sim/__init__.py": """from .materials import Material, LIBRARY, lookup
from .solver import HeatSolver
from . import post as reports
""",
        "sim/materials.py": """from dataclasses import dataclass, field
import numpy as np
@dataclass(frozen=True)
class Material:
    name: str
    k: float
    rho: float = 1.0
    cp: float = 1.0
    def diffusivity(self):
        return self.k / (self.rho * self.cp)
    def conductivity(self, T):
        return self.k * (1.0 + 0.01 * T)
class PhaseChange(Material):
    def conductivity(self, T):
        return self.k * (1.0 + 0.5 * np.tanh(T - 1.0))
LIBRARY = {"steel": Material("steel", 50.0, 7.8, 0.5), "wax": PhaseChange("wax", 0.3)}
def lookup(name, scale=1.0):
    base = LIBRARY[name]
    return Material(base.name, base.k * scale, base.rho, base.cp)
""",
        "sim/grid.py": """import numpy as np
class Grid:
    def __init__(self, n, length=1.0):
        self.n = n
        self.dx = length / (n - 1)
        self.x = np.linspace(0.0, length, n)
    def gradient(self, T):
        return np.diff(T) / self.dx
    def divergence(self, q):
        out = np.zeros(self.n)
        out[1:-1] = np.diff(q) / self.dx
        return out
""",
        "sim/solver.py": """import numpy as np
from .grid import Grid
from .materials import Material, lookup
class BoundaryCondition:
    def apply(self, T, t):
        raise NotImplementedError
class Fixed(BoundaryCondition):
    def __init__(self, left, right):
        self.left, self.right = left, right
    def apply(self, T, t):
        T[0] = self.left
        T[-1] = self.right
        return T
class Ramp(Fixed):
    def __init__(self, left, right, rate):
        super().__init__(left, right)
        self.rate = rate
    def apply(self, T, t):
        T = super().apply(T, t)
        T[0] += self.rate * t
        return T
class HeatSolver:
    def __init__(self, grid: Grid, material: Material, bc: BoundaryCondition, monitors=()):
        self.grid = grid
        self.material = material
        self.bc = bc
        self.monitors = list(monitors)
        self.history = {"t": [], "mean": []}
        self.t = 0.0
    def step(self, T, dt):
        k = self.material.conductivity(0.5 * (T[1:] + T[:-1]))
        q = k * self.grid.gradient(T)
        T = T + dt * self.grid.divergence(q)
        self.t += dt
        T = self.bc.apply(T, self.t)
        self.history["t"].append(self.t)
        self.history["mean"].append(T.mean())
        return T
    def run(self, T, dt, n):
        for _ in range(n):
            T = self.step(T, dt)
        return T
""",
        "sim/post.py": """import numpy as np
def weighted(history, tau):
    t = np.array(history["t"])
    m = np.array(history["mean"])
    w = np.exp(-t / tau)
    return (w * m).sum() / w.sum()
def peak(T):
    return np.max(T)
""",
        "model.py": """import numpy as np
import sim
from sim import HeatSolver, Material
from sim.grid import Grid
from sim.solver import Fixed, Ramp
import sim.post as post
def f(x, left: float = 1.2, rate: float = 0.4, n: int = 5):
    k = 0.5 * x
    g = Grid(6)
    mat = Material("custom", k)
    s = HeatSolver(g, mat, Ramp(left, 0.5, rate))
    T = s.run(np.full(6, 0.2), 0.01, n)
    s2 = HeatSolver(g, sim.lookup("steel", 0.01 * k), Fixed(left, 0.0))
    T2 = s2.run(T.copy(), 0.005, 3)
    return post.weighted(s.history, 0.1) + sim.reports.peak(T2) + (T ** 2).sum()
""",
    },
}


@pytest.mark.parametrize("name", PROJECTS)
def test_objects_of_other_modules_whose(name: str, project: Path) -> None:
    primal, derived = made(project, PROJECTS[name], "model", *BOTH, "--wrt", "x")
    agree(primal, derived, "f", 0.7)


SPRING = """class Spring:
    def __init__(self, k, m):
        self.k = k
        self.m = m

    def energy(self, q):
        return 0.5 * self.k * q**2
"""
OF_SPRINGS = """import numpy as np


def total(spring, qs):
    # over all displacements
    return sum(spring.energy(q) for q in qs) + spring.m


def stiffen(spring, c):
    spring.k = spring.k * c
    return spring
"""
THIRD = {  # a function of a module is given objects of a class of another one
    "by its method": "def f(x, y):\n    return total(Spring(x, y), [0.5, x])\n",
    "that it changes": (
        "def f(x, y):\n    s = Spring(x, y)\n    stiffen(s, 3.0 * x)\n    return total(s, [0.5, x]) * s.k\n"
    ),
    "that it changes and hands back": (
        "def f(x, y):\n    s = springs.stiffen(Spring(x, y), 2.0 * y)\n    return springs.total(s, [0.5, x])\n"
    ),
}


@pytest.mark.parametrize("name", THIRD)
def test_functions_of_a_third_module_are_given_objects(name: str, project: Path) -> None:
    head = "import springs\nfrom coils import Spring\nfrom springs import stiffen, total\n\n\n"
    files = {"coils.py": SPRING, "springs.py": OF_SPRINGS, "model.py": head + THIRD[name]}
    primal, derived = made(project, files, "model", *BOTH, "--wrt", "x,y")
    agree(primal, derived, "f", 0.7, 0.3)


def test_the_class_of_an_object_is_found_from_a_package_inside(project: Path) -> None:
    other = SPRING.replace("0.5 * self.k * q**2", "5.0 * self.k * q**3")
    files = {
        "pkg/__init__.py": "",
        "pkg/parts.py": SPRING,
        "pkg/sub/__init__.py": "",
        "pkg/sub/springs.py": OF_SPRINGS,
        "pkg/sub/parts.py": other,
        "pkg/model.py": "from .parts import Spring\nfrom .sub.springs import total\n\n\n" + THIRD["by its method"],
    }
    primal, derived = made(project, files, "pkg.model", *BOTH, "--wrt", "x,y")
    agree(primal, derived, "f", 0.7, 0.3)
