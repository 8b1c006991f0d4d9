"""Functions as values: nested ones, lambdas, arguments, tables, makers; each checked by numbers in both modes."""

from __future__ import annotations

import sys
import textwrap
import types
from typing import Any

import numpy as np
import pytest

import checking
import programs
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate, source_slice
from test_language import carries

pytestmark = pytest.mark.table

HEAD = "import functools\nimport math\nimport operator\nfrom functools import partial, reduce\nimport numpy as np\n\n"
X = np.array([0.5, -1.25, 2.0, 0.75])

HELPERS = """
SCALE = 2.0

def relu(x):
    return np.maximum(x, 0.0)

def square(x):
    return x * x

def apply(f, x, n=2):
    for _ in range(n):
        x = f(x)
    return x

def twice(f):
    return lambda x: f(f(x))

def power(n):
    def p(x):
        return x**n
    return p

def quadratic(a, b):
    c = a * b
    if b > 1.0:
        c = c + 1.0

    def q(t):
        s = c * t * t
        return s + a

    return q

def compose(*functions):
    def composed(x):
        for f in functions:
            x = f(x)
        return x
    return composed

ACTIVATIONS = {"tanh": np.tanh, "relu": relu, "id": lambda x: x, "scaled": lambda x: SCALE * x}
STEPS = [np.sin, square, lambda x: x + 1.0]
cube = lambda x: x**3
half = partial(operator.mul, 0.5)
"""

PROGRAMS: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "nested": (
        """
        def f(x, w):
            def g(t, k=2):
                '''Nested.'''
                u = np.sin(w * t)  # captured
                return u * u * k
            return g(x) + g(2.0 * x, 3) + g(k=1, t=w)
        """,
        [(0.5, 1.5)],
    ),
    "lambda": (
        """
        def f(x, w):
            g = lambda t: w * t * t
            h = lambda a, b=2.0, *, c=1.0: a * b + c * w
            return g(x) + g(g(x * w)) + h(x) + h(b=x, a=w) + h(x, c=x) + (lambda: w * x)()
        """,
        [(0.5, 1.5)],
    ),
    "late binding": (
        """
        def f(x, w):
            def g(t):
                return w * t
            a = g(x)
            w = w * x
            b = g(x)
            for w in (1.0, x):
                b = b + g(x) * b
            return a * b
        """,
        [(0.5, 1.5)],
    ),
    "tables hold what their functions are given in advance": (
        """
        def f(x, w):
            powers = [power(w), power(2.0 * w)]
            laws = {"a": partial(np.multiply, w), "b": lambda v, k=w: v * k, "c": lambda v: v * w, "a": power(w)}
            w = 5.0 * w
            s = powers[0](x) * powers[1](x) + laws["a"](x) * laws["b"](x) * laws["c"](x)
            for _ in range(2):
                steps = (partial(np.multiply, w), np.sin)
                w = w * 0.5
                for g in steps:
                    s = s + g(x)
            return s
        """,
        [(0.5, 1.5)],
    ),
    "comprehensions of functions": (
        """
        def f(x, w):
            late = [lambda v: v * k for k in (w, 2.0 * w)]
            early = [lambda v, k=k: v * k * w for k in (w, 2.0)]
            given = {n: partial(np.multiply, k * w) for n, k in zip(("a", "b", "a"), (1.0, 2.0, 3.0))}
            handed = [lambda v: g(v * w) for g in (np.sin, np.cos)]
            made = tuple(power(i * w) for i in range(1, 3))
            w = 3.0 * w
            s = late[0](x) + late[1](x) ** 2 + early[0](x) * early[1](x) + given["a"](x) * given["b"](x)
            for g in made:
                s = s + g(x) * handed[0](x)
            return s
        """,
        [(0.5, 1.5)],
    ),
    "tables that are filled one by one": (
        """
        def f(x, w):
            laws = {"a": np.sin}
            laws["b"] = partial(np.multiply, w * w)
            laws["a"] = lambda v, k=w: v * k
            powers = []
            for k in (2.0, w):
                powers.append(power(k))
            steps = []
            def first(v):
                return v * w
            steps.append(first)
            def second(v):
                return v + w
            steps.append(second)
            w = 3.0 * w
            for g in steps:
                x = g(x)
            return laws["a"](x) * laws["b"](x) * powers[0](x) + powers[1](w)
        """,
        [(0.5, 1.5)],
    ),
    "makers of several functions": (
        """
        def scaled(w):
            b = w * w
            laws = {"a": lambda v, k=b: v * k, "b": power(b)}
            return laws
        def pair(w):
            return [power(2.0 * w), partial(np.multiply, np.sin(w))]
        def each(w):
            return [power(k * w) for k in (1.0, 2.0)]
        def kept(w):
            return lambda v, k=w: v * k
        def f(x, w):
            laws = scaled(w)
            two = pair(w)
            both = each(w)
            one = kept(w)
            w = 3.0 * w
            return laws["a"](x) * laws["b"](x) + two[0](x) * two[1](w) + both[1](x) * one(x)
        """,
        [(0.5, 1.5)],
    ),
    "defaults are evaluated at the definition": (
        """
        def f(x, w):
            g = lambda t, s=w: s * t
            def h(t, s=w * x, *, r=x):
                u = s * t
                return u + r
            w = 3.0 * w
            x = x * w
            return g(x) + h(x) + g(x, x) + h(w, r=w) + h(x, x, r=2.0)
        """,
        [(0.5, 1.5)],
    ),
    "nested in nested": (
        """
        def f(x, w):
            def g(t):
                v = t * w
                def h(s):
                    r = s * v
                    return r * x
                return h(t) + h(w)
            def k(w):
                y = g(w)
                return y * y
            return k(x) + g(k(w))
        """,
        [(0.5, 1.5)],
    ),
    "siblings": (
        """
        def f(x, w):
            def g(t):
                y = h(t, 2)
                return y * t
            def h(t, n):
                s = t * w
                for _ in range(n):
                    s = s * x
                return s
            return g(x) * w
        """,
        [(0.5, 1.5)],
    ),
    "a dict is captured": (
        """
        def f(p, x):
            q = {"a": x * 2.0, "b": p["w"]}
            def g(t):
                u = p["w"] * t + q["a"]
                return u * p["v"] * q["b"]
            return g(x) + g(p["v"])
        """,
        [({"w": 0.5, "v": 1.5}, 2.0)],
    ),
    "in a loop and a branch": (
        """
        def f(x, w, n):
            s = 0.0
            for i in range(n):
                def g(t):
                    u = t * w + i
                    return u * s
                if i > 1:
                    s = s + g(x) * 0.1
                else:
                    s = s + (lambda t: t * w * (i + 1))(x)
            return s
        """,
        [(0.5, 1.5, n) for n in (0, 1, 4)],
    ),
    "nonlocal": (
        """
        def f(x, w):
            total = 0.0
            count = 0
            def add(v):
                nonlocal total, count
                total = total + v * w
                count += 1
                return total * v
            def reset():
                nonlocal total
                total = x
            a = add(x)
            b = add(a)
            reset()
            c = add(b)
            return total * a + c * count
        """,
        [(0.5, 1.5)],
    ),
    "nonlocal, through another": (
        """
        def f(x, w):
            total = w
            def add(v):
                nonlocal total
                def more(u):
                    nonlocal total
                    total = total + u
                more(v * w)
                return total
            def twice_(v):
                return add(v) * add(v)
            a = twice_(x)
            b = (lambda: add(w))()
            return a * total + b
        """,
        [(0.5, 1.5)],
    ),
    "functions as arguments": (
        """
        def f(x, w):
            def g(t):
                v = np.cos(t) * w
                return v
            return apply(np.sin, x) + apply(g, x, 3) * apply(lambda t: t * w, x, n=1) + apply(n=1, x=w, f=math.exp)
        """,
        [(0.5, 1.5)],
    ),
    "a helper hands functions on": (
        """
        def both(f, g, x):
            return apply(f, x, 1) * apply(lambda t: g(t) * t, x, 1)

        def f(x, w):
            return both(np.sin, square, x) + both(lambda t: w * t, np.tanh, x)
        """,
        [(0.5, 1.5)],
    ),
    "recursion over a function": (
        """
        def iterate(g, x, n):
            if n == 0:
                return x
            return g(iterate(g, x, n - 1))

        def f(x, w):
            return iterate(lambda t: np.sin(t) * w, x, 3) + iterate(square, x, 2)
        """,
        [(0.5, 1.5)],
    ),
    "makers": (
        """
        def f(x, w):
            q = quadratic(w, 2.0)
            p = power(3)
            r = quadratic(x, 0.5)
            w = w * 2.0
            return q(x) * q(w) + p(x) + twice(q)(x) + twice(np.sin)(x) + r(w) + power(2)(x)
        """,
        [(0.5, 1.5)],
    ),
    "partial": (
        """
        def axpy(a, x, y=1.0, *, s=1.0):
            z = a * x
            return s * z + y

        def f(x, w):
            g = partial(axpy, w)
            h = partial(axpy, 2.0, y=w * x, s=x)
            k = partial(h, s=w)
            m = functools.partial(apply, np.tanh, n=1)
            w = w * x
            return g(x) + h(x) * k(x) + h(w, y=3.0) + m(x) + half(x) + apply(partial(axpy, 2.0, y=x), w, 2)
        """,
        [(0.5, 1.5)],
    ),
    "tables": (
        """
        def f(x, kind):
            y = ACTIVATIONS["tanh"](x) + STEPS[-1](x) * STEPS[0](x) + cube(x)
            z = ACTIVATIONS[kind](x * y)
            return z * y + apply(ACTIVATIONS[kind], x, 1) + ACTIVATIONS.get(kind, np.cos)(y)
        """,
        [(X, kind) for kind in ("tanh", "relu", "id", "scaled")],
    ),
    "a table of the function's own": (
        """
        def f(x, w, k):
            steps = [lambda t: t * w, np.sin, square]
            act = steps[k]
            k = 7
            y = act(x)
            table = {True: np.cos, False: lambda t: t * w}
            return y * act(w) + table[k > 3](x)
        """,
        [(0.5, 1.5, k) for k in (0, 1, 2, -1, -2, -3)],
    ),
    "one of two functions": (
        """
        def f(x, w, kind):
            act = np.tanh if kind == "tanh" else lambda t: t * w
            kind = 3
            if x > 0.6:
                g = np.sin
            elif x > 0.2:
                def g(t):
                    s = t * w
                    return s * s
            else:
                g = square
            y = act(x) * g(x)
            return y + apply(g, y) + apply(act, w)
        """,
        [(x, 1.5, kind) for x in (0.1, 0.5, 0.7) for kind in ("tanh", "no")],
    ),
    "in comprehensions": (
        """
        def f(xs, w):
            g = lambda t: t * w
            def h(t):
                u = t * t
                return u * w
            a = [g(x) for x in xs]
            b = [h(x) + y for x, y in zip(xs, a)]
            return sum(h(v) for v in b) + sum([g(v) for v in a]) + max(g(v) for v in b) + min([h(v) for v in a])
        """,
        [(X, 1.5)],
    ),
    "map, filter, reduce": (
        """
        def f(xs, w):
            a = list(map(lambda t: t * w, xs))
            s = 0.0
            for v in map(operator.mul, a, xs):
                s = s + v
            for v in map(np.sin, a):
                s = s * v + v
            c = [v for v in filter(lambda t: t > 0.0, a)]
            p = reduce(lambda u, v: u * v + w, xs)
            q = functools.reduce(operator.add, a, s)
            r = reduce(np.maximum, c, 0.1)
            return s + sum(c) * p + q + r + sum(map(square, xs)) + max(map(abs, a))
        """,
        [(X, 1.5)],
    ),
    "operators": (
        """
        def f(x, w):
            y = operator.mul(x, w) + operator.add(x, 1.0) / operator.sub(w, 3.0)
            return apply(partial(operator.pow, x), y, 1) * operator.truediv(x, w) + operator.neg(x)
        """,
        [(0.5, 1.5)],
    ),
    "star arguments": (
        """
        def total(first, *rest, scale=1.0):
            s = first * scale
            for r in rest:
                s = s * 0.5 + r * r
            return s

        def pair(x, y):
            return x * y * y

        def f(x, w):
            args = (x, w)
            p = [w, x * w]
            return total(x) + total(x, w) * total(x, w, x * w, scale=w) + pair(*args) + pair(*p) + total(*args, 2.0)
        """,
        [(0.5, 1.5)],
    ),
    "keyword arguments": (
        """
        def layer(x, **options):
            y = x * options["gain"]
            if "bias" in options:
                y = y + options["bias"]
            return y * options.get("scale", 2.0)

        def outer(x, **kw):
            return layer(x, **kw) + layer(x, gain=x, **{"bias": 1.0})

        def f(x, w):
            opts = {"gain": w, "scale": x}
            return layer(x, gain=w) * layer(x, gain=2.0, bias=w) + outer(x, gain=w, scale=w) + layer(x, **opts)
        """,
        [(0.5, 1.5)],
    ),
    "zip star": (
        """
        def f(xs, w):
            pairs = [(x, x * w) for x in xs]
            a, b = zip(*pairs)
            s = 0.0
            for u, v in zip(a, b):
                s = s + u * v
            return s * np.sum(np.array(b))
        """,
        [(X, 1.5)],
    ),
    "composed": (
        """
        def f(x, w):
            g = compose(np.sin, lambda t: t * w, square)
            return g(x) * w
        """,
        [(0.5, 1.5)],
    ),
    "loops over functions": (
        """
        def f(x, w):
            for g in [np.sin, lambda t: t * w, square]:
                x = g(x)
            for g, s in zip(STEPS, (1.0, w, 2.0)):
                x = g(x) * s
            return x + sum(g(w) for g in STEPS)
        """,
        [(0.5, 1.5)],
    ),
    "comprehensions": (
        """
        def f(xs, w):
            a = [x * y for x in xs for y in (w, 2.0) if x > y * 0.1]
            n = {i % 2 for i in range(5)}
            d = {k: v for k, v in enumerate(["a", "b"])}
            return sum(a) * w + len(n) + len(d[0]) * w
        """,
        [(X, 1.5)],
    ),
    "a default that is a function": (
        """
        def run(x, act=np.tanh, scale=2.0):
            return act(x) * scale

        def f(x, act=np.sin, w=1.5):
            y = act(x) * w
            return y + run(x) + run(x, np.cos) + run(x, scale=w) + run(y, act=act)
        """,
        [(0.5,), (0.5, np.sin, 2.0)],
    ),
    "functions that are None unless they are given": (
        """
        def layer(x, w, act=None, scale=None):
            y = w * x
            if scale is not None:
                y = y * scale
            if act is None:
                return y
            return act(y)

        def chosen(x, act=None):
            # which
            act = act or np.tanh
            return act(x)

        def cubed(x, w, act=None):
            if not act:
                act = lambda z: z**3 * w
            return act(x)

        def network(x, w, act=None, k=2):
            if k == 0:
                return layer(x, w, act)
            return network(layer(x, w, act=act), w, act, k - 1)

        def newton(residual, x, jac=None, callback=None):
            for _ in range(8):
                r = residual(x)
                d = jac(x) if jac is not None else (residual(x + 1e-3) - r) / 1e-3
                x = x - r / d
                if callback:
                    callback(x)
            return x

        def f(x, w):
            a = layer(x, w) + layer(x, w, np.sin) + layer(x, w, act=square, scale=2.0) + layer(x, x, None)
            b = chosen(a) * chosen(w, np.sin) + cubed(x, w) + cubed(x, a, act=np.cos) + cubed(a, x, None)
            c = newton(lambda t: t**3 - w, 1.1) + newton(lambda t: t**3 - x, 0.9, lambda t: 3.0 * t**2)
            return b * network(x, w) + network(w, x, np.tanh) + c
        """,
        [(0.5, 1.5)],
    ),
    "None is meant of what is differentiated": (
        """
        def f(x, w, mean=None, act=None, *, loss=None):
            '''The loss.'''
            if act is None:
                act = np.tanh
            # the mean
            m = 0.5 * (x + w) if mean is None else mean(x, w)
            y = act(w * m)
            if loss is not None and callable(loss):
                return loss(y)
            return y * y
        """,
        [(0.5, 1.5)],
    ),
    "recursion of a nested function": (
        """
        def f(x, w):
            def g(t, n):
                if n == 0:
                    return t * w
                return np.sin(g(t, n - 1)) + t
            def even(t, n):
                return t if n == 0 else odd(t * w, n - 1)
            def odd(t, n):
                return w if n == 0 else even(t * x, n - 1)
            return g(x, 3) * even(x, 4) + odd(w, 2)
        """,
        [(0.5, 1.5)],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    text, runs = PROGRAMS[name]
    source = HEAD + HELPERS + "\n\n" + textwrap.dedent(text)
    f = checking.evaluate(source, "<primal>")["f"]
    params = f.__code__.co_varnames[: f.__code__.co_argcount]
    found = []
    for args in runs:
        wrt = tuple(p for p, arg in zip(params, args, strict=False) if carries(arg) or isinstance(arg, dict))
        verdict = checking.check(programs.Program(source, args, wrt, params, False), emit=("vjp", "jvp"), margin=0.0)
        found.append(verdict.kind)
        assert verdict.kind in ("right", "dropped"), (verdict, args)
    assert "right" in found


COMPILED = """
import functools
import numba as nb
import numpy as np
from numba import njit, prange


@njit(cache=True,
      fastmath=True)
@functools.lru_cache(maxsize=None)
def steps(n):
    # how many
    return n + 2


@nb.jit
def act(x):
    s = 0.0
    for i in prange(steps(3)):
        s += np.tanh(x * i)
    return s


def slow(x):
    y = x * x
    return y * x


fast = njit(slow)
other = nb.njit(parallel=True)(slow)


def g(x):
    return x * 2.0


g = njit(g)


@njit
@np.errstate(over="ignore")
def f(x, w):
    return act(x) * w + fast(x) + other(w) * g(x)
"""


def test_compiled_functions_are_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The output needs no compiler: its decorators go, prange is range."""

    def njit(*args: Any, **options: Any) -> Any:
        return args[0] if args else lambda f: f

    numba = types.ModuleType("numba")
    numba.__dict__.update(njit=njit, jit=njit, prange=range)
    monkeypatch.setitem(sys.modules, "numba", numba)
    verdict = checking.check(programs.Program(COMPILED, (0.5, 1.5), ("x", "w"), ("x", "w"), True), emit=("grad", "jvp"))
    assert verdict.kind == "right"
    assert "numba" not in verdict.text and "njit" not in verdict.text and "prange" not in verdict.text
    assert "@functools.lru_cache(maxsize=None)\ndef steps(n):\n    # how many\n" in verdict.text
    assert verdict.text.count('with np.errstate(over="ignore"):') == 3


def derived(text: str, *emit: str) -> tuple[str, dict[str, Any]]:
    source = HEAD + HELPERS + "\n\n" + textwrap.dedent(text)
    result = differentiate(source, Request(emit=emit, functions=("f",)))
    return result, checking.evaluate(result, "<derivative>")


def test_a_gradient_is_for_the_function_of_the_default() -> None:
    _, made = derived("def f(x, act=np.tanh):\n    return act(x) * x\n", "grad", "jvp")
    assert made["f_grad"](0.5, np.tanh) == made["f_grad"](0.5)
    for kind, seeds in (("grad", {}), ("jvp", {"x_dot": 1.0})):
        with pytest.raises(AssertionError):
            made[f"f_{kind}"](0.5, np.sin, **seeds)


def test_a_gradient_is_for_the_function_that_is_left_out() -> None:
    text = "def f(x, act=None):\n    if act is None:\n        return x * x\n    return act(x)\n"
    printed, made = derived(text, "grad", "jvp")
    assert made["f_grad"](0.5) == made["f_grad"](0.5, None) == 1.0
    assert "    assert act is None\n" in printed and "if " not in printed.partition("def f_grad")[2]
    with pytest.raises(AssertionError):
        made["f_grad"](0.5, np.sin)


def test_what_is_handed_on_has_one_helper() -> None:
    text, _ = derived("def f(x):\n    return apply(np.sin, x) + apply(np.sin, x * x) + apply(np.cos, x)\n", "grad")
    assert text.count("def _apply_sin_rev(") == text.count("def _apply_cos_rev(") == 1


def test_small_bodies_are_written_out() -> None:
    text, _ = derived("def f(x: float, w: float):\n    g = lambda t: w * t\n    return np.sin(g(x))\n", "grad")
    assert "np.cos(w * x)" in text and "def _f_g" not in text


def test_a_captured_name_keeps_its_name() -> None:
    text, _ = derived(
        """
        def f(x, rate):
            def decay(t):
                # halves
                return np.exp(-rate * t) + [t for t in (1.0, 2.0)][0]
            return decay(x) * rate
        """,
        "grad",
    )
    assert "def _f_decay(rate, t):" in text and "_f_decay_rev(rate, x, " in text


def test_depth_is_decided_at_run_time() -> None:
    _, made = derived(
        """
        def p(x, n):
            if n == 0:
                return 1.0
            return x * p(x, n - 1)

        def f(x, n: int):
            return p(x, n)
        """,
        "grad",
        "jvp",
    )
    for n in (0, 1, 2, 7):
        want = n * 1.5 ** (n - 1) if n else 0.0
        assert made["f_grad"](1.5, n) == pytest.approx(want)
        assert made["f_jvp"](1.5, n, x_dot=2.0)[1] == pytest.approx(2.0 * want)


def test_a_whole_number_stays_one() -> None:
    """n - 1 was n - 1.0 in the reverse, which range does not take."""
    _, made = derived(
        """
        def rep(x, n):
            for _ in range(n):
                x = np.sin(x)
            return x

        def f(x, n: int):
            return rep(rep(np.exp(x), n - 1), n - 1)
        """,
        "grad",
    )
    y = np.exp(0.3)
    assert made["f_grad"](0.3, 2) == pytest.approx(np.cos(np.sin(y)) * np.cos(y) * y)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return operator.length_hint(x)", "S301"),
        ("g = [lambda: x * i for i in [1.0, x] if i]\n    return g[0]()", "S217"),
        ("g = [partial(lambda: x * i) for i in (1.0, x)]\n    return g[0]()", "S217"),
        ("g = []\n    for i in (1.0, x):\n        g.append(lambda: x * i)\n    return g[0]()", "S217"),
        ("g = []\n    for i in (1.0, x):\n        g.append(power(i))\n    return g[0](i)", "S217"),
        ("g = [np.sin]\n    h = g\n    g.append(np.cos)\n    return h[1](x)", "S217"),
        ("def g():\n        nonlocal x\n        x = x * 2.0\n        return x\n    return apply(lambda t: g(), x)", ""),
        ("g = functools.partial(np.power, x)\n    y = g\n    return y(2.0)", None),
        ("return max(map(lambda t: t * x, [1.0, 2.0]), key=lambda v: -v)", "S302"),
        ("return functools.reduce(lambda a, b: a * b, x)", None),
        ("m = map(np.sin, x)\n    return sum(m) + sum(m)", "S301"),
        ("def g(t):\n        return globals()\n    return g(x)", "S221"),
        ("return apply(apply, x)", "S217"),
        ("act = functools.lru_cache(np.sin)\n    return act(x)", None),
    ],
)
def test_refusals(body: str, code: str | None) -> None:
    text = f"def f(x):\n    {body}\n"
    if code is None:
        derived(text, "vjp")
        return
    with pytest.raises(S2SError) as caught:
        derived(text, "vjp")
    assert code in {d.code for d in caught.value.diagnostics} or not code


def test_what_is_only_handed_on_is_no_variable() -> None:
    """The depth goes into each call and nowhere else: it carries no derivative."""
    text, made = derived(
        """
        def tree(x, depth):
            if depth == 0:
                return np.sin(x)
            return tree(x * 0.5, depth - 1) * tree(x + 1.0, depth - 1)

        def rep(x, n):
            for _ in range(n):
                x = tree(x, n)
            return x

        def f(x, n):
            return rep(x, n)
        """,
        "grad",
    )
    assert '"""Gradient of f with respect to x."""' in text
    assert made["f_grad"](0.4, 1) == pytest.approx(np.cos(0.2) * 0.5 * np.sin(1.4) + np.sin(0.2) * np.cos(1.4))


def test_lambdas_that_capture_the_same_share_a_parameter() -> None:
    text, _ = derived(
        """
        def newton(g, dg, x):
            for _ in range(5):
                x = x - g(x) / dg(x)
            return x

        def f(a: float, b: float):
            return newton(lambda x: x**3 + a * x + b, lambda x: 3 * x**2 + a, 1.0)
        """,
        "grad",
    )
    assert "def _newton_function_rev(a, b, x, out_bar):" in text
    assert "x = x - (x**3 + a * x + b) / (3 * x**2 + a)" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("lambda x: x**3", "lambda x: x**4"),
        ("operator.mul, 0.5", "operator.mul, 0.7"),
        ("return np.maximum", "return -np.maximum"),
    ],
)
def test_the_header_sees_changes_of_tables(old: str, new: str) -> None:
    """What a derivative was made from holds the functions that it reaches through names, tables and partial."""
    source = HEAD + HELPERS + "\n\ndef f(x, kind):\n    return ACTIVATIONS[kind](x) + cube(x) * half(x)\n"
    request = Request(functions=("f",))
    assert old in source
    assert source_slice(source, request) != source_slice(source.replace(old, new), request)


def test_functions_of_another_module() -> None:
    """Nested functions, lambdas and helpers that are handed functions, where they stand in another module."""
    modules = {
        "tools": """
import numpy as np

RATE = 2.0

def apply(f, x, n=2):
    for _ in range(n):
        x = f(x)
    return x

def scaled(x, w):
    def g(t):
        u = np.sin(t) * RATE
        return u * w
    return g(x) + apply(lambda t: t * w, x)
"""
    }
    source = "import numpy as np\nimport tools\nfrom tools import scaled\n\n\n"
    source += "def f(x, w):\n    g = lambda t: scaled(t, w)\n    return g(x) * tools.scaled(w, x)\n"
    text = differentiate(source, Request(functions=("f",), emit=("grad", "jvp"), read=modules.get))
    made = types.ModuleType("tools")
    exec(modules["tools"], made.__dict__)
    before = sys.modules.get("tools")
    sys.modules["tools"] = made
    try:
        f = checking.evaluate(source, "<primal>")["f"]
        derivative = checking.evaluate(text, "<derivative>")
    finally:
        sys.modules.pop("tools")
        if before is not None:
            sys.modules["tools"] = before
    step = 1e-6
    want = [
        (f(0.5 + step, 1.5) - f(0.5 - step, 1.5)) / (2 * step),
        (f(0.5, 1.5 + step) - f(0.5, 1.5 - step)) / (2 * step),
    ]
    assert derivative["f_grad"](0.5, 1.5) == pytest.approx(want, rel=1e-6)
    value, dot = derivative["f_jvp"](0.5, 1.5, x_dot=1.0, w_dot=-2.0)
    assert value == pytest.approx(f(0.5, 1.5)) and dot == pytest.approx(want[0] - 2.0 * want[1], rel=1e-6)


@pytest.mark.parametrize("given", ["lib.bent", "bent"])
def test_a_function_of_another_module_is_handed_over(given: str) -> None:
    text = (
        "import numpy as np\nimport lib\nfrom lib import bent\n\n\ndef apply(h, x):\n    y = x * 2.0\n    return h(y)\n"
    )
    text += f"\n\ndef f(x):\n    return np.sum(apply({given}, x))\n"
    lib = "import numpy as np\n\n\ndef bent(x):\n    return np.sin(x) * x\n"
    made = differentiate(text, Request(functions=("f",), read={"lib": lib}.get))
    space = types.ModuleType("lib")
    exec(lib, space.__dict__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "lib", space)
        x = np.array([0.3, 0.5])
        found = checking.evaluate(made, "<derivative>")["f_grad"](x)
    assert np.allclose(found, 2.0 * (np.sin(2 * x) + 2 * x * np.cos(2 * x)), rtol=1e-12)


KEYWORDS = {
    "by literal keys": ("x, **options", 'return np.sum(x * options["k"] ** 2) * options["m"]'),
    "annotated": (
        "x, *, p: float = 2.0, **rates: float",
        "s = 0.0\n    for name, rate in rates.items():\n        s = s + rate**p\n    return s * np.sum(x)",
    ),
    "asked for": ("x, **options", 'return np.sum(x * options.get("k", 2.0)) * options.get("zeta", 1.5)'),
    "values": ("x, **options", "return sum(np.sum(x * v**2) for v in options.values()) * len(options)"),
    "captured": ("x, **options", 'return np.sum((lambda t: t * options["k"])(x)) + options["m"]'),
    "taken out": (
        "x, **options",
        'k = options.pop("k", 1.0)\n    m = options.pop("m")\n    if options:\n'
        '        raise TypeError(f"unexpected {sorted(options)}")\n    return np.sum(x * k) ** 2 * m',
    ),
    "defaults that are set": (
        "x, **options",
        'options.setdefault("k", 1.0)\n    options.setdefault("c", x[0] * options["k"])\n'
        '    return np.sum(x * options["k"]) * options["c"] * options["m"]',
    ),
    "over defaults": (
        "x, **options",
        'settings = {"k": 1.0, "c": x[1] ** 2, **options}\n    y = x * settings["k"]\n'
        '    return np.sum(y**2) * settings["c"] + settings["m"]',
    ),
    "over the defaults of the module": (
        "x, **options",
        "settings = dict(DEFAULTS)\n    settings.update(options)\n    settings.update(m=x[0])\n"
        '    return np.sum(x * settings["k"]) * settings["c"] + settings["m"]\n\n\nDEFAULTS = {"k": 1.0, "c": 2.0}',
    ),
    "handed on": (
        "x, **options",
        "return wave(x, **options)\n\n\ndef wave(x, m, c=3.0, k=1.0):\n    return np.sum(np.sin(k * x) * c) * m",
    ),
    "handed on to options": (
        "x, **options",
        "return wave(x, **options)\n\n\ndef wave(x, m=2.0, **rest):\n"
        '    return np.sum(np.sin(rest["k"] * x)) * m * rest.get("c", 1.5)',
    ),
    "handed on without what is taken out": (
        "x, **options",
        'm = options.pop("m", 2.0)\n    return wave(x, **options) * m\n\n\n'
        "def wave(x, k=1.0, m=0.3):\n    return np.sum(np.sin(k * x)) * m",
    ),
    "taken out by the one that it is handed on to": (
        "x, **options",
        'return wave(x, **options) * options.get("k", 2.0)\n\n\ndef wave(x, **rest):\n'
        '    m = rest.pop("m", 1.0)\n    return bent(x, **rest) * m\n\n\n'
        "def bent(x, k, m=-2.0):\n    return np.sum(x * k**2 + m)",
    ),
    "handed on to itself": (
        "x, **options",
        'if len(x) > 1:\n        return f(x[1:], **options) * 1.5\n    return np.sum(x * options["k"]) + options["m"]',
    ),
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_a_double_star_parameter_is_a_dict(name: str) -> None:
    """`f_vjp(x, *, out_bar, **options)` gives a dict for options: against differences, and the two modes."""
    params, body = KEYWORDS[name]
    source = f"import numpy as np\n\n\ndef f({params}):\n    {body}\n"
    exec(source, primal := {})
    space: dict[str, Any] = {"__name__": "derivative"}
    emit = ("value_and_grad", "grad", "vjp", "jvp")
    exec(differentiate(source, Request(functions=("f",), emit=emit, standalone=True)), space)
    x, given = np.array([0.6, 1.3]), {"k": 0.7, "m": 1.2}
    x_dot, dots = np.array([0.3, -0.8]), {"k": 0.9, "m": 0.4}
    word = params.rpartition("**")[2].partition(":")[0]

    def at(h: float) -> float:
        return float(primal["f"](x + h * x_dot, **{k: v + h * dots[k] for k, v in given.items()}))

    want = (at(1e-5) - at(-1e-5)) / 2e-5
    seeds = {f"{word}_dot": dots} | ({"p_dot": 0.0} if "p:" in params else {})
    value, value_dot = space["f_jvp"](x, x_dot=x_dot, **seeds, **given)
    assert value == primal["f"](x, **given)
    assert value_dot == pytest.approx(want, rel=1e-8)
    for bars in (space["f_vjp"](x, out_bar=1.0, **given)[1], space["f_grad"](x, **given)):
        options_bar = bars[-1]
        assert isinstance(options_bar, dict) and options_bar.keys() <= given.keys()
        total = np.sum(bars[0] * x_dot) + sum(v * dots[k] for k, v in options_bar.items())
        assert total == pytest.approx(value_dot, rel=1e-12)
    assert given == {"k": 0.7, "m": 1.2}


STARS = {
    "a loop": ("*args", "s = 0.0\n    for a in args:\n        s = s + a**2\n    return s * args[-1]"),
    "unpacked": ("x, *params", "a, b, c = params\n    return np.sum(a * np.exp(-b * x) + c)"),
    "annotated": (
        "x, *params: float, scale: float = 2.0",
        "a, b, c = params\n    return a * x**b * scale + c * len(params)",
    ),
    "arrays": ("*arrays", "return np.sum(np.concatenate(arrays) ** 2) * np.sum(arrays[0])"),
    "pairs": ("x, *layers", "for w, b in layers:\n        x = np.tanh(w * x + b)\n    return np.sum(x)"),
    "handed on": ("x, *cs", "return affine(x, *cs) * cs[1]\n\n\ndef affine(x, a, b):\n    return a * x + b"),
}
GIVEN = {"arrays": (np.ones(2), np.array([0.3, 0.4])), "pairs": (np.ones(2), (0.4, np.ones(2)), (0.7, 0.2))}


@pytest.mark.parametrize("name", STARS)
def test_a_star_parameter_is_a_tuple(name: str) -> None:
    """`f_vjp(x, *args, out_bar)` gives a tuple in the place of args: against differences, and the two modes."""
    params, body = STARS[name]
    args = GIVEN.get(name, (0.3, 0.4, 0.8) if "args" in params or "handed" in name else (0.7, 0.3, 0.4, 0.8))
    source = f"import numpy as np\n\n\ndef f({params}):\n    {body}\n"
    space: dict[str, Any] = {}
    exec(source, primal := {})
    text = differentiate(source, Request(functions=("f",), emit=("value_and_grad", "grad", "vjp", "jvp")))
    exec(text, space)
    bars = space["f_grad"](*args)
    assert text.count(f"def f_grad({params})") == 1
    leading = params.startswith("x")
    star = bars if not leading else bars[1]
    assert isinstance(star, tuple) and len(star) == len(args) - leading
    dots = tuple(tuple(p * 0.5 for p in a) if isinstance(a, tuple) else np.cos(a) for a in args)

    def at(h: float) -> float:
        moved = (
            tuple(p + h * q for p, q in zip(a, d, strict=True)) if isinstance(a, tuple) else a + h * d
            for a, d in zip(args, dots, strict=True)
        )
        return float(primal["f"](*moved))

    want = (at(1e-6) - at(-1e-6)) / 2e-6
    name_of = params.split("*")[1].partition(":")[0].partition(",")[0]
    seeds = {"x_dot": dots[0]} if leading else {}
    extra = {"scale_dot": 0.0} if "scale" in params else {}
    value, value_dot = space["f_jvp"](*args, **seeds, **extra, **{f"{name_of}_dot": dots[leading:]})
    assert value == primal["f"](*args)
    assert value_dot == pytest.approx(want, rel=1e-6)

    def inner(a: Any, b: Any) -> float:
        if isinstance(a, list | tuple):
            return sum(inner(p, q) for p, q in zip(a, b, strict=True))
        return float(np.sum(a * b))

    total = inner(star, dots[leading:]) + (inner(bars[0], dots[0]) if leading else 0.0)
    assert total == pytest.approx(want, rel=1e-6)
    again = space["f_vjp"](*args, out_bar=1.0)[1]
    assert inner(again, again) == pytest.approx(inner(bars, bars))


TAKEN_LATER = {
    "a function reads what is taken out below": (
        'pick = lambda y: y * options.get("k", 5.0)\n    k = options.pop("k", 3.0)\n    return pick(x) * k'
    ),
    "a default takes an item": 'k = options.pop("k", rest.pop())\n    return x * k + sum(rest)',
}


@pytest.mark.parametrize("name", TAKEN_LATER)
def test_keywords_that_are_taken_out_in_another_order_are_refused(name: str) -> None:
    source = f"def h(x, rest, **options):\n    {TAKEN_LATER[name]}\n\n\ndef f(x):\n    return h(x, [x, 2.0], k=x * x)\n"
    with pytest.raises(S2SError):
        differentiate(source, Request("m.py", functions=("f",), emit=("grad",)))


def test_keywords_that_are_not_known_are_refused_in_each_call() -> None:
    source = (
        "def run(x, **kwargs):\n    if x > 1.0:\n        x = kwargs.pop('rate') * x\n"
        "    return x * kwargs.pop('rate', 2.0)\n\n\n"
        "def f(x, a):\n    return run(x, rate=a) + run(a, rate=a)\n"
    )
    with pytest.raises(S2SError) as caught:
        differentiate(source, Request(functions=("f",), emit=("vjp",)))
    assert [(d.code, d.span and d.span.line) for d in caught.value.diagnostics] == [("S217", 8), ("S217", 8)]
