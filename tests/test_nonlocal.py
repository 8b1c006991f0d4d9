"""Functions inside that bind names of the function around them: their text stands where they are called."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import checking
from programs import Program
from s2s.pipeline import Request, differentiate

X = np.array([0.5, -1.25, 2.0, 0.75])
TABLE: dict[str, tuple[str, tuple[Any, ...]]] = {
    "captured array written": (
        """
        def f(x):
            a = x.copy()
            k = 0
            def bump():
                nonlocal k
                k += 1
                a[0] = a[0] * 2.0
                return a[0]
            return a[0] + bump() * k
        """,
        (X,),
    ),
    "captured array written 2": (
        """
        def f(x):
            a = x.copy()
            k = 0
            def bump(v):
                nonlocal k
                k += 1
                a[0] = a[0] * v
                return a[0] * k
            y = np.sum(a) + bump(a[1]) * np.sum(a) + k
            return y
        """,
        (X,),
    ),
    "captured dict": (
        """
        def f(x):
            d = {"n": x}
            s = x
            def bump():
                nonlocal s
                s = s * d["n"]
                d["n"] = s + 1.0
                return s
            return d["n"] * s + bump() + d["n"] * s
        """,
        (0.7,),
    ),
    "captured list item": (
        """
        def f(x):
            d = [x, 2 * x]
            s = x
            def bump():
                nonlocal s
                s = s * d[0]
                d[0] = s + 1.0
                return s
            return d[0] * s + bump() + d[0] * s
        """,
        (0.7,),
    ),
    "object attr": (
        """
        class Box:
            def __init__(self, v):
                self.v = v
        def f(x):
            b = Box(x)
            s = x
            def bump():
                nonlocal s
                s = s * b.v
                b.v = s + 1.0
                return s
            return b.v * s + bump() + b.v * s
        """,
        (0.7,),
    ),
    "param is outer name": (
        """
        def f(x):
            s = x
            def bump(s0):
                nonlocal s
                s = s * s0
                return s
            return s + bump(s) + s * bump(s * 2.0)
        """,
        (0.7,),
    ),
    "two nonlocals and early return": (
        """
        def f(x):
            best = 0.0
            n = 0
            def offer(v):
                nonlocal best, n
                n += 1
                if v < best:
                    return best
                best = v * v
                return v
            for k in range(4):
                y = offer(x * k) + offer(1.0 - x * k)
            return best + y * n
        """,
        (0.7,),
    ),
    "two levels": (
        """
        def f(x):
            s = x
            def outer(v):
                t = v
                def inner(w):
                    nonlocal s, t
                    s = s + w
                    t = t * w
                    return t
                inner(v)
                return inner(s) + t
            return outer(x * 2.0) * s
        """,
        (0.7,),
    ),
    "default and local shadow": (
        """
        def f(x, s0):
            s = s0
            def push(v, w=2.0):
                nonlocal s
                t = s * w
                s = t + v
                return t
            t = x
            return push(x) * t + push(t, w=x) + s
        """,
        (
            0.7,
            0.3,
        ),
    ),
    "in comprehension and lambda": (
        """
        def f(x):
            s = x
            def nxt():
                nonlocal s
                s = s * 0.5
                return s
            L = [nxt() for _ in range(3)]
            g = lambda t: t * s
            return g(L[0]) + g(nxt())
        """,
        (0.7,),
    ),
    "while test": (
        """
        def f(x):
            s = x
            def step():
                nonlocal s
                s = s * 0.5
                return s
            n = 0
            while step() > 0.1:
                n += 1
                if n == 2:
                    continue
                x = x * s
            if step() < 1.0:
                s = s * x
            return s * x
        """,
        (3.0,),
    ),
    "while method": (
        """
        class Solver:
            def __init__(self, x):
                self.x = x
                self.n = 0
            def step(self):
                old = self.x
                self.x = 0.5 * (self.x + 2.0 / self.x)
                self.n += 1
                return abs(self.x - old)
        def f(x):
            s = Solver(x)
            while s.step() > 1e-3:
                if s.n > 20:
                    break
            return s.x * x
        """,
        (3.0,),
    ),
    "in expression": (
        """
        def f(x):
            total = 0.0
            def bump():
                nonlocal total
                total = total + x * x
                return total
            y = bump() * x + bump()
            return y * total
        """,
        (0.7,),
    ),
    "counter of evaluations": (
        """
        def f(x):
            n = 0
            def fun(t):
                nonlocal n
                n += 1
                return t**3 - x
            t = 1.0
            for _ in range(6):
                t = t - fun(t) / (3 * t**2)
            return t + 0.0 * n
        """,
        (2.0,),
    ),
    "in argument of another": (
        """
        def f(x, w):
            acc = 0.0
            def add(v):
                nonlocal acc
                acc = acc + v * w
                return acc
            def mul(a, b):
                return a * b
            return mul(add(x), add(x * x)) + acc
        """,
        (
            0.7,
            1.3,
        ),
    ),
    "in a comprehension": (
        """
        def f(x):
            s = 1.0
            def nxt(k):
                nonlocal s
                s = s * x + k
                return s
            L = [nxt(k) for k in range(4)]
            return sum(L) + s
        """,
        (0.6,),
    ),
    "augmented in lambda helper": (
        """
        def f(x):
            cost = 0.0
            def pay(v):
                nonlocal cost
                cost += v
            def visit(k):
                pay(x * k)
                pay(x ** 2)
            for k in range(3):
                visit(k)
            return cost * x
        """,
        (0.6,),
    ),
    "in return tuple": (
        """
        def f(x):
            a = x
            def grow():
                nonlocal a
                a = a * 1.5
                return a
            return grow(), a, grow() + a
        """,
        (0.6,),
    ),
    "in a dict display and index": (
        """
        def f(x):
            i = 0
            vals = [x, x * x, x**3]
            def nxt():
                nonlocal i
                i += 1
                return vals[i - 1]
            d = {"a": nxt(), "b": nxt()}
            return d["a"] * d["b"] + nxt()
        """,
        (0.6,),
    ),
    "array rebound": (
        """
        def f(x):
            state = x * 1.0
            def step(dt):
                nonlocal state
                state = state + dt * np.sin(state)
            for _ in range(3):
                step(0.1)
            return np.sum(state ** 2)
        """,
        (X,),
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_program(name: str) -> None:
    text, args = TABLE[name]
    source = "import numpy as np\n\n" + textwrap.dedent(text)
    code = checking.evaluate(source, "<primal>")["f"].__code__
    params = code.co_varnames[: code.co_argcount]
    assert checking.check(Program(source, args, params, params, False), emit=("vjp", "jvp"), margin=0.0).kind == "right"


def test_a_counter_is_a_line() -> None:
    source = "import numpy as np\n\n" + textwrap.dedent(TABLE["counter of evaluations"][0])
    text = differentiate(source, Request(emit=("value_and_grad",)))
    assert "        n += 1\n" in text and "before" not in text
