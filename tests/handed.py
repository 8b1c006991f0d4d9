"""Random short programs whose values are mostly handed on: copies, sums, elements, parts of lists, dicts and objects.

Most numbers are parameters that are used once. There the adjoint of one value is that of another, or an element of it,
and takes over its memory: where the sweep reads it once more, it reads what has been added meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from programs import Program

HELPERS = """import numpy as np


class Cell:
    def __init__(self, u, s):
        self.u = u
        self.s = s

    def bump(self, k):
        self.u[0] += k
        return self.s * k

    def take(self, v):
        self.u = v


def inc(a, k):
    a[1] += k


def made(a, k):
    b = a.copy()
    b[0] += k
    return b


def pair(a, k):
    return a * k, a + k


def first(a, b):
    return a


def state(a, k):
    return {"u": a, "s": k}


"""
HOLDERS = ("list", "dict", "object", "tuple", "rows", *6 * ("none",))
NUMBERS = 9


class Writer:
    """The lines of one function; arrays, written and numbers: what may stand in an expression."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.lines: list[str] = []
        self.left = [f"k{i}" for i in range(NUMBERS)]
        self.used: list[str] = []
        self.arrays, self.written, self.numbers = ["x", "y", "u", "v"], ["u", "v"], list[str]()
        self.holders: list[str] = []

    def one(self, *choices: str) -> str:
        return self.r.choice(choices)

    def put(self, text: str, depth: int) -> None:
        self.lines.append("    " * (depth + 1) + text)

    def number(self) -> str:
        t = self.r.random()
        if t < 0.5 and self.left:
            self.used.append(self.left.pop(0))
            return self.used[-1]
        if t < 0.65 and self.numbers:
            return self.one(*self.numbers)
        if t < 0.75 and self.used:
            return self.one(*self.used)
        return f"{self.array()}[{self.place()}]"

    def array(self) -> str:
        return self.one(*self.arrays)

    def place(self) -> int:
        return self.r.randrange(3)

    def value(self) -> str:
        a, b, k = self.array(), self.array(), self.number
        texts: list[Callable[[], str]] = [
            lambda: f"{a}.copy()",
            lambda: f"{a}.copy()",
            lambda: f"{a} * {b}",
            lambda: f"{a} + {b}",
            lambda: f"{a} - {b}",
            lambda: f"{a} * 2.0",
            lambda: f"-{a}",
            lambda: f"{a} + {k()}",
            lambda: f"{a} * {k()}",
            lambda: f"np.sin({a})",
            lambda: f"{a}",
            lambda: f"{a}[::-1]",
            lambda: f"np.array([{k()}, {k()}, {a}[0]])",
            lambda: f"made({a}, {k()})",
            lambda: f"first({a}, {b})",
        ]
        return self.r.choice(texts)()

    def begin(self) -> None:
        one = self.one
        self.put(f"u = {one('x.copy()', 'x * y', 'x + y', 'y.copy()', 'x * 2.0', 'np.zeros(3)')}", 0)
        self.put(f"v = {one('x.copy()', 'x * y', 'u * y', 'y.copy()', 'u', 'u.copy()')}", 0)
        own = one("u", "v", "x.copy()")
        self.holders = self.r.sample(HOLDERS, 2)
        for holder in self.holders:
            match holder:
                case "list":
                    self.put(f"l = [{one('y * 2.0', 'u', 'x.copy()')}, {own}]", 0)
                    self.holds("l[0]", "l[1]")
                case "dict":
                    shown = '{"u": ' + own + ', "s": ' + self.number() + "}"
                    self.put(f"d = {one(shown, f'state({own}, {self.number()})')}", 0)
                    self.holds('d["u"]')
                    self.numbers.append('d["s"]')
                case "object":
                    self.put(f"o = Cell({own}, {self.number()})", 0)
                    self.holds("o.u")
                    self.numbers.append("o.s")
                case "tuple":
                    self.put(f"t = ({self.array()}, {self.number()})", 0)
                    self.arrays.append("t[0]")
                    self.numbers.append("t[1]")
                case "rows":
                    self.put(f"m = np.array([{one('x', 'y', 'u')}, {one('x', 'y', 'v')}])", 0)
                    self.holds("m[0]", "m[1]")

    def holds(self, *parts: str) -> None:
        self.arrays += parts
        self.written += parts

    def of_holder(self) -> list[str]:
        """Statements about a holder."""
        k, a = self.number, self.array
        match self.one(*self.holders):
            case "list":
                return [
                    f"l.append({a()}.copy())",
                    f"l[0] = {self.value()}",
                    "l[0], l[1] = l[1], l[0]",
                    "l = [a * 2.0 for a in l]",
                    "l = [a.copy() for a in l]",
                ]
            case "dict":
                return [
                    f'd["s"] {self.one("=", "+=", "*=")} {k()}',
                    f'd["u"] = {self.value()}',
                    f"d = state({a()}.copy(), {k()})",
                    f"d = dict(d, s={k()})",
                ]
            case "object":
                return [
                    f"o.s {self.one('=', '+=', '*=')} {k()}",
                    f"o.bump({k()})",
                    f"o.take({self.value()})",
                    f"o = Cell({a()}.copy(), {k()})",
                    "o.u, u = u, o.u",
                ]
            case "tuple":
                return [f"t = ({self.value()}, {k()})", f"t = ({a()}, t[1])", "u, s = t"]
            case "rows":
                return [f"m[:, 0] = {k()}", f"m *= {k()}", "m = m[::-1]", "m[0], m[1] = m[1].copy(), m[0].copy()"]
        return [f"x = {self.value()}"]

    def statement(self, depth: int = 0) -> None:
        w, one = self.one(*self.written), self.one
        match self.r.randrange(18):
            case 0 | 1 | 2 | 3:
                self.put(f"{w}[{self.place()}] {one('+=', '+=', '=', '*=', '-=')} {self.number()}", depth)
            case 4 | 5:
                self.put(f"{one('u', 'v', w)} = {self.value()}", depth)
            case 6:
                self.put(f"{w} {one('+=', '-=', '*=')} {one(self.array(), self.number())}", depth)
            case 7:
                part = one(f"{self.array()}[1:]", f"{self.array()}[:-1]", self.number())
                self.put(f"{w}[1:] {one('=', '+=', '*=')} {part}", depth)
            case 8:
                self.put(f"s = {one(self.number(), f'np.sum({self.array()})')}", depth)
                if depth == 0 and "s" not in self.numbers:
                    self.numbers.append("s")
            case 9:
                self.put(f"inc({w}, {self.number()})", depth)
            case 10:
                self.put(f"u = pair({self.array()}, {self.number()})[{self.r.randrange(2)}]", depth)
            case 11 if depth < 2:
                self.put(f"for i in range({one('2', '3', 'n')}):", depth)
                self.block(depth + 1)
            case 12 if depth < 2:
                self.put(f"if {one('n > 1', 'x[0] > 1.0', 'q > 0.1')}:", depth)
                self.block(depth + 1)
                if self.r.random() < 0.4:
                    self.put("else:", depth)
                    self.block(depth + 1)
            case 13:
                self.put("u, v = v, u", depth)
            case 14:
                self.put(f"{one('u', 'v')} = {self.array()}", depth)
            case 15 | 16:
                self.put(self.r.choice(self.of_holder()), depth)
            case _:
                self.put(f"{w}[{self.place()}] = {w}[{self.place()}] * {self.number()}", depth)

    def block(self, depth: int) -> None:
        for _ in range(self.r.randint(1, 2)):
            self.statement(depth)

    def result(self) -> str:
        sums = [f"np.sum({a})" for a in self.arrays] + [f"np.sum({a} * {self.array()})" for a in self.arrays]
        items = [f"{a}[{self.place()}]" for a in self.arrays]
        return " + ".join(self.r.sample(sums + items + self.numbers, self.r.randint(1, 3)))


def program(r: random.Random, size: int) -> Program | None:
    """A program of at most size + 1 statements behind what they work on, None where it cannot be run."""
    writer = Writer(r)
    writer.begin()
    for _ in range(r.randint(1, size + 1)):
        writer.statement()
    result = writer.result() if writer.r.random() < 0.9 else writer.one("u", "v", "u * v")
    stated = ["    # s2s: x (3,), y (3,)"] if writer.r.random() < 0.8 else []
    params = ("x", "y", "q", "n", *writer.used)
    typed = [f"{p}: {'int' if p == 'n' else 'float'}" if p not in "xy" else p for p in params]
    lines = [f"def f({', '.join(typed)}):", *stated, *writer.lines, f"    return {result}"]
    source = HELPERS + "\n".join(lines) + "\n"
    numbers = tuple(0.3 + 0.2 * k for k in range(len(writer.used)))
    args = (np.array([0.5, 1.2, -0.3]), np.array([0.7, -0.4, 0.9]), 0.6, 2, *numbers)
    found: dict[str, object] = {}
    exec(compile(source, "<handed>", "exec"), found)
    try:
        value = found["f"](*[np.copy(a) if isinstance(a, np.ndarray) else a for a in args])  # type: ignore[operator]
    except (IndexError, ValueError):
        return None
    return Program(source, args, tuple(p for p in params if p != "n"), params, np.ndim(value) == 0)
