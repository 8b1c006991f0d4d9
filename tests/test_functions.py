"""Functions as values: nested ones, lambdas, arguments, tables, makers; each checked by numbers in both modes."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import checking
import programs
from test_language import carries

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

# Programs of constructs that are still refused, and the code.
REFUSED: dict[str, str] = {}


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
