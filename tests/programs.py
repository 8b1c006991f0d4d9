"""Random programs of the language that s2s accepts, each defined and (but for the points dropped) smooth where it runs.

`program(rng)` writes one: helpers, then `f` with parameters of known shapes, in a grammar that keeps values bounded
(denominators are 2 + x**2, growth is inside tanh). A program is a function of the random generator alone, so a seed
names it. `margin` runs one and says how near it comes to a kink or to a comparison that would turn out otherwise.
"""

from __future__ import annotations

import ast
import builtins
import copy
import itertools
import math
import operator
import random
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

import numeric

Type = tuple[Any, ...]  # ("s",), ("v", n), ("m", m, n), ("t", Type, Type)
SCALAR: Type = ("s",)
LENGTHS = (2, 3, 5)
AUGMENTED = re.compile(r"^( +)(\w+) ([-+*/])= (.*)$")


@dataclass(frozen=True)
class Program:
    """The text of a module with a function `name`, arguments for it, and the parameters to differentiate in.

    of: the array parameters whose final contents are outputs; `scalar` tells of what f returns. unstated: a derivative
    may raise on arguments of a kind that nothing says it takes.
    """

    source: str
    args: tuple[Any, ...]
    wrt: tuple[str, ...]
    params: tuple[str, ...]
    scalar: bool
    of: tuple[str, ...] = ()
    constructs: frozenset[str] = frozenset()  # what a program of tests/stores.py has
    name: str = "f"
    unstated: bool = False


@dataclass(frozen=True)
class Helper:
    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type
    defaults: int  # how many of the last parameters have one


@dataclass
class Body:
    """The writer of one function: what is bound at this point, and the lines so far."""

    r: random.Random
    env: dict[str, Type]
    helpers: list[Helper]
    result: Type
    budget: int
    ints: list[str] = field(default_factory=list)
    dicts: dict[str, dict[str, Type]] = field(default_factory=dict)
    protected: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    depth: int = 0  # of blocks
    loops: int = 0
    names: int = 0
    taken: set[str] = field(default_factory=set)  # all names ever made: a name means one thing

    lengths: ClassVar[tuple[int, ...]] = LENGTHS

    # ------------------------------------------------------------ small things

    def chance(self, p: float) -> bool:
        return self.r.random() < p

    def put(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def fresh(self, hint: str = "") -> str:
        """A name that the function does not have yet; now and then one that looks like a name of generated text."""
        self.names += 1
        pool = ["e", "s", "a_bar", "x_saved", "value", "t1", "num_bar", "acc_bar", "g", "r"]
        used = set(self.env) | self.protected | set(self.ints) | set(self.dicts) | self.taken
        name = self.r.choice(pool) if self.chance(0.1) else f"{hint or self.r.choice('abcdpqyz')}{self.names}"
        name = name if name not in used else f"{name}_{self.names}"
        self.taken.add(name)
        return name

    def of_type(self, t: Type) -> list[str]:
        names = [name for name, have in self.env.items() if have == t]
        names += [f'{d}["{key}"]' for d, keys in self.dicts.items() for key, have in keys.items() if have == t]
        return names

    def writable(self) -> list[str]:
        return [name for name in self.env if name not in self.protected and self.env[name][0] in "svm"]

    def vectors(self) -> list[str]:
        return [name for name, t in self.env.items() if t[0] == "v"]

    # ------------------------------------------------------------ expressions

    def expr(self, t: Type, depth: int = 2) -> str:
        """An expression of a type, in brackets where it is not an atom."""
        have = self.of_type(t)
        if depth <= 0 or self.chance(0.25):
            if have and self.chance(0.93):
                return self.r.choice(have)
            return self.leaf(t)
        match t:
            case ("s",):
                return self.scalar(depth - 1)
            case ("v", n):
                return self.vector(n, depth - 1)
            case ("m", m, n):
                return self.matrix(m, n, depth - 1)
        raise AssertionError(t)

    def leaf(self, t: Type) -> str:
        match t:
            case ("s",):
                if self.ints and self.chance(0.2):
                    return f"(0.5 * {self.r.choice(self.ints)})"
                return self.r.choice(["0.5", "2.0", "1.5", "0.3", "1.0", "(-0.7)", "3", "1e-1"])
            case ("v", n):
                bigger = [(name, u[1]) for name, u in self.env.items() if u[0] == "v" and u[1] > n]
                if bigger and self.chance(0.6):
                    name, length = self.r.choice(bigger)
                    k = self.r.randint(0, length - n)
                    return f"{name}[{k or ''}:{k + n if k + n < length else ''}]"
                return self.r.choice(
                    [
                        f"np.ones({n})",
                        f"np.linspace(0.2, 0.9, {n})",
                        f"np.linspace(-0.3, 1.1, {n})",
                        f"np.cos(np.arange({n}))",
                    ]
                )
            case ("m", m, n):
                return self.r.choice([f"np.full(({m}, {n}), 0.3)", f"np.sin(np.arange({m * n}).reshape({m}, {n}))"])
        raise AssertionError(t)

    def unary(self, a: str) -> str:
        """A bounded smooth function, written for scalars and arrays alike."""
        return self.r.choice(
            [
                f"np.sin({a})",
                f"np.cos({a})",
                f"np.tanh({a})",
                f"np.exp(np.tanh({a}))",
                f"np.exp(-({a} ** 2))",
                f"np.sqrt(1.0 + {a} ** 2)",
                f"np.log(2.0 + {a} ** 2)",
                f"np.log1p({a} ** 2)",
                f"np.arctan({a})",
                f"np.square(np.tanh({a}))",
                f"(np.tanh({a}) ** 3)",
                f"(1.0 / (2.0 + {a} ** 2))",
                f"(-{a})",
            ]
        )

    def scalar(self, d: int) -> str:
        def s() -> str:
            return self.expr(SCALAR, d)

        n = self.r.choice(self.lengths)
        if self.of_type(("v", n)) == []:
            n = next((self.env[v][1] for v in self.vectors()), n)
        m = next((u for u in self.env.values() if u[0] == "m"), None)
        kind = self.r.randrange(28)
        match kind:
            case 0 | 1 | 2:
                return f"({s()} * {s()})"
            case 3 | 4:
                return f"({s()} + {s()})"
            case 5:
                return f"({s()} - {s()})"
            case 6:
                return f"({s()} / (2.0 + {s()} ** 2))"
            case 7 | 8 | 9:
                return self.unary(s())
            case 10:
                return self.r.choice([f"math.sin({s()})", f"math.exp(-({s()} ** 2))", f"math.atan({s()})"])
            case 11:
                return f"(np.tanh({s()}) ** {self.r.choice(['2', '3', '2.0'])})"
            case 12:
                a, b = self.two(SCALAR, d)
                return self.r.choice([f"np.abs({a})", f"abs({a})", f"max({a}, {b})", f"min({a}, {b})"])
            case 13:
                a, b = self.two(SCALAR, d)
                return self.r.choice([f"np.maximum({a}, {b})", f"np.minimum({a}, 0.45)"])
            case 14 if self.vectors():
                v = self.r.choice(self.vectors())
                index = self.r.choice(["0", "1", "-1", *self.index_of(self.env[v][1])])
                return f"{v}[{index}]"
            case 15 | 16:
                v = self.expr(("v", n), d)
                return self.r.choice([f"np.sum({v})", f"np.mean({v})", f"({v}).sum()", f"np.sum({v} ** 2)"])
            case 17:
                v, w = self.expr(("v", n), d), self.expr(("v", n), d)
                return self.r.choice([f"({v} @ {w})", f"np.dot({v}, {w})", f"np.sum({v} * {w})", f"np.inner({v}, {w})"])
            case 18:
                v = self.expr(("v", n), d)
                return self.r.choice(
                    [f"np.max({v})", f"np.min({v})", f"np.linalg.norm({v})", f"np.var({v})", f"np.prod(np.tanh({v}))"]
                )
            case 19:
                return f"np.sum({self.expr(('v', n), d)} + {s()})"  # a uniform adjoint into a vector
            case 20 | 21 if m is not None:
                M = self.expr(m, d)
                return self.r.choice([f"np.sum({M})", f"np.mean({M})", f"np.sum({M} * {self.expr(m, d)})"])
            case 22 if m is not None and self.of_type(m):
                M = self.r.choice(self.of_type(m))
                return f"{M}[{self.r.randrange(m[1])}, {self.r.randrange(m[2])}]"
            case 23:
                return f"({s()} if {self.test(d)} else {s()})"
            case 24 | 25:
                return self.call(SCALAR, d) or s()
            case 26:
                return f"np.where({self.comparison(d)}, {s()}, {s()})"
        return s()

    def index_of(self, n: int) -> list[str]:
        return [f"{k} % {n}" for k in self.ints]

    def vector(self, n: int, d: int) -> str:
        t: Type = ("v", n)

        def v() -> str:
            return self.expr(t, d)

        def s() -> str:
            return self.expr(SCALAR, d)

        matrices = [(name, u) for name, u in self.env.items() if u[0] == "m"]
        kind = self.r.randrange(26)
        match kind:
            case 0 | 1 | 2:
                return f"({v()} * {v()})"
            case 3:
                return f"({v()} + {v()})"
            case 4:
                return f"({v()} - {s()})"
            case 5:
                return f"({s()} * {v()})"
            case 6:
                return f"({v()} / (2.0 + {v()} ** 2))"
            case 7 | 8 | 9:
                return self.unary(v())
            case 10 | 11 if matrices:
                name, (_, rows, columns) = self.r.choice(matrices)
                if rows == n:
                    return f"({name} @ {self.expr(('v', columns), d)})"
                if columns == n:
                    return f"({self.expr(('v', rows), d)} @ {name})"
            case 12 if matrices:
                name, (_, rows, columns) = self.r.choice(matrices)
                if columns == n:
                    return self.r.choice([f"{name}[{self.r.randrange(rows)}]", f"np.sum({name}, axis=0)"])
                if rows == n:
                    return self.r.choice([f"{name}[:, {self.r.randrange(columns)}]", f"{name}.mean(axis=1)"])
            case 13:
                return f"({v()})[::-1]"
            case 14:
                return f"np.cumsum({v()})"
            case 15:
                return f"np.where({v()} > {s()}, {v()}, {s()})"
            case 16:
                return f"np.array([{', '.join(self.expr(SCALAR, min(d, 1)) for _ in range(n))}])"
            case 17:
                k = self.r.randint(1, n - 1)
                return f"np.concatenate([({v()})[:{k}], ({v()})[{k}:]])"
            case 18:
                return f"np.maximum({v()}, {s()})"
            case 19:
                return self.r.choice([f"np.roll({v()}, 1)", f"np.clip({v()}, -0.6, 0.8)", f"np.abs({v()})"])
            case 20:
                m = self.r.choice(self.lengths)
                return f"np.sum({self.expr(('m', m, n), d)}, axis=0)"
            case 21:
                m = self.r.choice(self.lengths)
                return f"np.mean({self.expr(('m', n, m), d)}, axis=1)"
            case 22:
                return self.call(t, d) or v()
            case 23:
                return f"({v()} if {self.test(d)} else {v()})"
            case 24:
                return f"({s()} + np.zeros({n}))"
        return v()

    def matrix(self, m: int, n: int, d: int) -> str:
        t: Type = ("m", m, n)

        def M() -> str:
            return self.expr(t, d)

        kind = self.r.randrange(14)
        match kind:
            case 0 | 1:
                return f"({M()} * {M()})"
            case 2:
                return f"({M()} + {self.expr(('v', n), d)})"
            case 3:
                return f"({M()} * ({self.expr(('v', m), d)})[:, np.newaxis])"
            case 4:
                return f"({M()} - {self.expr(SCALAR, d)})"
            case 5 | 6:
                return self.unary(M())
            case 7:
                return f"np.outer({self.expr(('v', m), d)}, {self.expr(('v', n), d)})"
            case 8:
                return f"({self.expr(('m', n, m), d)}).T"
            case 9:
                k = self.r.choice(self.lengths)
                return f"({self.expr(('m', m, k), d)} @ {self.expr(('m', k, n), d)})"
            case 10:
                return f"(({self.expr(('v', m), d)})[:, None] * {self.expr(('v', n), d)})"
            case 11:
                return f"np.stack([{', '.join(self.expr(('v', n), min(d, 1)) for _ in range(m))}])"
        return M()

    def call(self, t: Type, d: int) -> str:
        """A call of a helper with this result, or nothing where there is none."""
        fitting = [h for h in self.helpers if h.result == t]
        if not fitting:
            return ""
        h = self.r.choice(fitting)
        args = [self.expr(u, d) for _, u in h.params]
        if h.defaults and self.chance(0.4):
            args = args[: -h.defaults]
        elif self.chance(0.3):
            args[-1] = f"{h.params[-1][0]}={args[-1]}"
        return f"{h.name}({', '.join(args)})"

    def two(self, t: Type, d: int) -> tuple[str, str]:
        """Two expressions to be compared: not the same text, and not two literals."""
        a, b = self.expr(t, d), self.expr(t, d)
        for _ in range(6):
            if a != b and any(c.isalpha() for c in a.replace("e-1", "")):
                break
            a, b = self.expr(t, d), self.expr(t, d + 1)
        return a, b

    def comparison(self, d: int) -> str:
        a, b = self.two(SCALAR, d)
        return f"{a} {self.r.choice(['<', '>', '<=', '>='])} {b}"

    def test(self, d: int = 1) -> str:
        kind = self.r.randrange(10)
        if kind == 0 and self.ints:
            return f"{self.r.choice(self.ints)} % 2 == {self.r.randrange(2)}"
        if kind == 1:
            return f"{self.comparison(0)} {self.r.choice(['and', 'or'])} {self.comparison(0)}"
        if kind == 2:
            return f"not {self.comparison(0)}"
        if kind == 3:
            return f"-0.4 < {self.expr(SCALAR, 0)} < {self.r.choice(['0.6', '1.1', self.expr(SCALAR, 0)])}"
        if kind == 4 and self.ints:
            return f"{self.r.choice(self.ints)} > 1"
        return self.comparison(min(d, 1))

    # ------------------------------------------------------------ statements

    def block(self, count: int) -> None:
        """Up to `count` statements, at least one line."""
        start = len(self.lines)
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            self.statement()
        if len(self.lines) == start:
            self.assign()

    def statement(self) -> None:
        nested = self.depth < 3
        kind = self.r.randrange(40)
        match kind:
            case 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7:
                self.assign()
            case 8 | 9 | 10 | 11:
                self.self_update()
            case 12 | 13:
                self.augment()
            case 14:
                self.swap()
            case 15:
                self.overwrite_by_constant()
            case 16:
                self.alias()
            case 17:
                self.put(f"{self.fresh('dead')} = {self.expr(self.any_type())}")  # never bound for others: dead code
            case 18 | 19 | 20 | 21 if nested:
                self.branch()
            case 22 | 23 | 24 | 25 | 26 if nested and self.loops < 2:
                self.for_loop()
            case 27 | 28 if nested and self.loops < 2:
                self.while_loop()
            case 29 | 30 if nested and self.loops < 2:
                self.history()
            case 31 if nested and self.loops < 2:
                self.comprehension()
            case 32 if self.depth > 0 or self.chance(0.3):
                self.early_return()
            case 33 if self.loops > 0:
                self.leave_loop()
            case 34:
                self.unpack_helper()
            case 35:
                self.chained()
            case 36 if self.vectors():
                v = self.r.choice(self.vectors())
                self.put(f"assert len({v}) == {self.env[v][1]}")
            case 37:
                self.write_list()
            case _:
                self.assign()

    def any_type(self) -> Type:
        kinds = [t for t in self.env.values() if t[0] in "svm"]
        return self.r.choice(kinds) if kinds and self.chance(0.8) else SCALAR

    def bounded(self, t: Type, text: str) -> str:
        """Inside loops values must not run away."""
        return f"np.tanh({text})" if self.loops and self.chance(0.6) else text

    def bare(self, text: str) -> str:
        """Without the outer brackets, as a user writes a right-hand side."""
        if text.startswith("(") and text.endswith(")"):
            try:
                inner = ast.unparse(ast.parse(text[1:-1], mode="eval"))
            except SyntaxError:
                return text
            return text[1:-1] if ast.unparse(ast.parse(text, mode="eval")) == inner else text
        return text

    def assign(self) -> None:
        t = self.any_type()
        writable = [name for name in self.writable() if self.env[name] == t]
        overwrite = writable and self.chance(0.55 if self.depth else 0.3)
        text = self.bare(self.bounded(t, self.expr(t, 3)))
        if overwrite:
            self.put(f"{self.r.choice(writable)} = {text}")
        elif self.depth == 0 and self.writable() and self.chance(0.05):
            name = self.r.choice(self.writable())  # a name takes another type
            self.put(f"{name} = {text}")
            self.env[name] = t
        else:
            name = self.fresh()
            self.put(f"{name} = {text}")
            self.env[name] = t

    def self_update(self) -> None:
        """x = g(x, ...): the adjoint of x takes a factor, or is kept."""
        if not self.writable():
            return self.assign()
        name = self.r.choice(self.writable())
        t = self.env[name]
        if t[0] == "v" and self.chance(0.3):
            return self.put(f"{name} = {self.of_own_elements(name, t[1])}")
        e = self.expr(t, 2) if self.chance(0.6) else self.expr(SCALAR, 2)
        self.put(
            self.r.choice(
                [
                    f"{name} = {name} * np.tanh({e})",
                    f"{name} = np.cos({e}) * {name}",
                    f"{name} = {name} + {e}" if not self.loops else f"{name} = 0.7 * {name} + np.sin({e})",
                    f"{name} = {name} - 0.5 * np.tanh({e})",
                    f"{name} = np.tanh({name}) * np.sin({name})",
                    f"{name} = np.sin({name} * {name})",
                    f"{name} = {name} / (2.0 + {name} ** 2)",
                    f"{name} = -{name}",
                ]
            )
        )

    def of_own_elements(self, name: str, n: int) -> str:
        """v - v[i] * v: a new value in which the old one stands as a whole and by what is made of it."""
        one = f"{name}[{self.r.choice(['0', '-1', *self.index_of(n)])}]"
        made = self.r.choice([one, one, f"np.sum({name})", f"np.sum({name}[1:])", f"({name} @ {name})"])
        return self.r.choice(
            [
                f"{name} - np.tanh({made}) * {name}",
                f"{name} + np.sin({name}) * np.tanh({made})",
                f"{name} * np.cos({made}) - {name}",
                f"-{name} + np.cos({made}) * np.tanh({name})",
                f"{name} - 0.5 * np.tanh({made} * {name})",
            ]
        )

    def augment(self) -> None:
        scalars = [name for name in self.writable() if self.env[name] == SCALAR]
        if not scalars:
            return self.assign()
        name = self.r.choice(scalars)
        op = self.r.choice(["+=", "-=", "*=", "/="])
        e = self.expr(SCALAR, 2)
        if op == "/=":
            e = f"2.0 + {e} ** 2"
        elif op == "*=" or self.loops:
            e = f"np.tanh({e})"
        self.put(f"{name} {op} {self.bare(e)}")

    def swap(self) -> None:
        t = self.any_type()
        names = [name for name in self.writable() if self.env[name] == t]
        if len(names) >= 2:
            a, b = self.r.sample(names, 2)
            form = self.r.choice([f"{b}, {a}", f"{b}, np.sin({a})", f"np.tanh({a} * {b}), {a}"])
            self.put(f"{a}, {b} = {form}")
        else:
            a, b = self.fresh(), self.fresh()
            if a == b:
                return
            self.put(f"{a}, {b} = {self.expr(t)}, {self.expr(SCALAR)}")
            self.env |= {a: t, b: SCALAR}

    def overwrite_by_constant(self) -> None:
        scalars = [name for name in self.writable() if self.env[name] == SCALAR]
        if scalars and self.chance(0.7):
            self.put(f"{self.r.choice(scalars)} = {self.r.choice(['3.0', '0.0', '-0.4', '1'])}")
        elif self.vectors() and self.depth == 0:
            name = self.r.choice(self.vectors())
            if name not in self.protected:
                self.put(f"{name} = np.zeros({self.env[name][1]})")

    def alias(self) -> None:
        t = self.any_type()
        if not self.of_type(t):
            return
        source, name = self.r.choice(self.of_type(t)), self.fresh()
        self.put(f"{name} = {source}")
        self.env[name] = t

    def chained(self) -> None:
        t = self.any_type()
        a, b = self.fresh(), self.fresh("w")
        if a != b:
            self.put(f"{a} = {b} = {self.bare(self.expr(t, 2))}")
            self.env |= {a: t, b: t}

    def write_list(self) -> None:
        """A short list display, read by constant indices."""
        a, b = self.expr(SCALAR), self.expr(SCALAR)
        name, target = self.fresh("pair"), self.fresh()
        if name != target:
            self.put(f"{name} = {self.r.choice([f'[{a}, {b}, 1.5]', f'({a}, {b}, 2)'])}")
            self.put(f"{target} = {name}[0] * {name}[1] + {name}[{self.r.choice([0, 1, 2, -1])}]")
            self.env[target] = SCALAR

    def inner(self, count: int, **bound: Type) -> dict[str, Type]:
        """A block in an environment of its own; what it leaves bound is returned, not kept."""
        outside, protected = dict(self.env), set(self.protected)
        self.env |= bound
        self.protected |= set(bound)
        self.indent += 1
        self.depth += 1
        self.block(count)
        self.indent -= 1
        self.depth -= 1
        left, self.env, self.protected = self.env, outside, protected
        return left

    def branch(self) -> None:
        both = None
        if self.chance(0.3):
            both = (self.fresh("k"), self.any_type())
        arms = self.r.choice([1, 2, 2, 3]) if not both else self.r.choice([2, 3])
        for arm in range(arms):
            last = arm == arms - 1 and (arm > 1 or both or self.chance(0.7)) and arm > 0
            self.put("else:" if last else f"{'if' if arm == 0 else 'elif'} {self.test()}:")
            self.inner(self.r.randint(1, 3))
            if both:
                self.indent += 1
                self.put(f"{both[0]} = {self.bare(self.expr(both[1], 2))}")
                self.indent -= 1
            if last:
                break
        else:
            if both:
                self.put("else:")
                self.indent += 1
                self.put(f"{both[0]} = {self.expr(both[1], 0)}")
                self.indent -= 1
        if both:
            self.env[both[0]] = both[1]

    def for_loop(self) -> None:
        k = self.r.choice("ijkl") + (str(self.depth) if self.chance(0.5) or self.loops else "")
        if k in self.ints or k in self.env:
            k = self.fresh("i")
        self.loops += 1
        bound: dict[str, Type] = {}
        ints: list[str] = []
        vectors = self.vectors()
        same = [(a, b) for a in vectors for b in vectors if self.env[a] == self.env[b]]
        matrices = [name for name, t in self.env.items() if t[0] == "m"]
        frozen: set[str] = set()
        kind = self.r.randrange(12)
        count = self.r.choice([*self.ints, "3", "2", "0", "1"]) if self.ints else self.r.choice("0123")
        if kind >= 6 and vectors:
            v = self.r.choice(vectors)
            frozen = {v} if self.chance(0.7) else set()
            n = self.env[v][1]
            a = self.fresh("el")
            b = self.fresh("en")
            if kind == 6:
                self.put(f"for {k} in range(len({v})):")
                ints = [k]
            elif kind == 7:
                self.put(f"for {a} in {v}:")
                bound = {a: SCALAR}
            elif kind == 8 and a != k:
                self.put(f"for {k}, {a} in enumerate({v}):")
                ints, bound = [k], {a: SCALAR}
            elif kind == 9 and same and a != b:
                v, w = self.r.choice(same)
                self.put(f"for {a}, {b} in zip({v}, {w}):")
                bound = {a: SCALAR, b: SCALAR}
                frozen = {v, w} if frozen else set()
            elif kind == 10 and matrices:
                M = self.r.choice(matrices)
                self.put(f"for {a} in {M}:")
                bound = {a: ("v", self.env[M][2])}
                frozen = {M} if frozen else set()
            else:
                self.put(f"for {k} in reversed(range({n})):")
                ints = [k]
        else:
            form = self.r.choice(
                [f"range({count})", f"range({count})", f"range(1, {count} + 2)", f"range({count}, -1, -1)"]
            )
            self.put(f"for {k} in {form}:")
            ints = [k]
        self.ints += ints
        kept = self.protected
        self.protected = self.protected | frozen
        self.inner(self.r.randint(1, 4), **bound)
        self.protected = kept
        for name in ints:
            self.ints.remove(name)
        self.loops -= 1

    def while_loop(self) -> None:
        self.loops += 1
        scalars = [name for name in self.writable() if self.env[name] == SCALAR]
        if scalars and self.chance(0.5):
            name = self.r.choice(scalars)
            extra = f" and {self.r.choice(self.ints)} >= 0" if self.ints and self.chance(0.3) else ""
            self.put(f"while np.abs({name}) > 0.35{extra}:")
            self.indent += 1
            self.put(
                self.r.choice([f"{name} = 0.5 * {name}", f"{name} = {name} / (1.6 + {name} ** 2)", f"{name} *= 0.6"])
            )
            self.indent -= 1
            kept = set(self.protected)
            self.protected.add(name)
            self.inner(self.r.randint(1, 2))
            self.protected = kept
        else:
            c = self.fresh("count")
            self.put(f"{c} = 0")
            self.put(f"while {c} < {self.r.choice([*self.ints, '3', '2'])}:")
            self.indent += 1
            self.put(f"{c} {self.r.choice(['+= 1', f'= {c} + 1'])}")
            self.indent -= 1
            self.ints.append(c)
            self.inner(self.r.randint(1, 3))
            self.ints.remove(c)
        self.loops -= 1

    def history(self) -> None:
        """A list by append, read afterwards in one of the usual ways."""
        element = self.r.choice([t for t in self.env.values() if t[0] in "sv"] or [SCALAR])
        writable = [name for name in self.writable() if self.env[name] == element]
        if not writable:
            return self.assign()
        h, hs = self.r.choice(writable), self.fresh("hs")
        k = self.fresh("t")
        started = self.chance(0.4)
        self.protected.add(hs)
        self.put(f"{hs} = [{h}]" if started else f"{hs} = []")
        count = self.r.choice([*self.ints, "3", "4"])
        self.loops += 1
        self.put(f"for {k} in range({count}{'' if started else ' + 1'}):")
        self.ints.append(k)
        recurrent = started and self.chance(0.4)
        if recurrent:
            self.indent += 1
            self.put(f"{hs}.append(np.tanh({hs}[-1] * {self.expr(SCALAR, 1)} + {self.expr(element, 1)}))")
            self.indent -= 1
        else:
            self.indent += 1
            self.put(f"{h} = np.tanh({self.expr(element, 2)} * {h} + {self.expr(element, 1)})")
            self.indent -= 1
            self.inner(1)
            self.indent += 1
            self.put(f"{hs}.append({self.r.choice([h, h, f'np.sin({h})', f'{h} * {h}'])})")
            self.indent -= 1
        self.ints.remove(k)
        acc = self.fresh("acc")
        match self.r.randrange(6):
            case 0 | 1:
                e = self.fresh("u")
                self.put(f"{acc} = 0.0")
                self.put(f"for {e} in {hs}:")
                self.put(f"    {acc} = {acc} + np.sum({e} ** 2)")
                self.env[acc] = SCALAR
            case 2:
                self.put(f"{acc} = {hs}[-1] * {hs}[0]")
                self.env[acc] = element
            case 3:
                i = self.fresh("i")
                self.put(f"{acc} = {self.expr(SCALAR, 1)}")
                self.put(f"for {i} in range(len({hs})):")
                self.put(f"    {acc} += np.sum(np.sin({hs}[{i}])) * {i}")
                self.env[acc] = SCALAR
            case 4:
                self.put(f"{acc} = np.sum(np.array({hs}) ** 2)")
                self.env[acc] = SCALAR
            case 5:
                a, b = self.fresh("u"), self.fresh("w")
                other = self.vectors()
                if a != b and other:
                    v = self.r.choice(other)
                    self.put(f"{acc} = 0.0")
                    self.put(f"for {a}, {b} in zip({hs}, {v}):")
                    self.put(f"    {acc} += np.sum({a}) * {b}")
                    self.env[acc] = SCALAR
        self.loops -= 1

    def comprehension(self) -> None:
        if not self.vectors():
            return self.assign()
        v, name = self.r.choice(self.vectors()), self.fresh("c")
        a = self.fresh("el")
        self.env[a] = SCALAR
        e = self.expr(SCALAR, 2)
        del self.env[a]
        e = self.r.choice([f"{a} * {e}", f"np.sin({a}) + {e}", f"{e}"])
        self.put(
            self.r.choice(
                [
                    f"{name} = np.sum(np.array([{e} for {a} in {v}]))",
                    f"{name} = np.sum([{e} for {a} in {v}])",
                    f"{name} = sum([{e} for {a} in {v}])",
                    f"{name} = sum({e} for {a} in {v})",
                ]
            )
        )
        self.env[name] = SCALAR

    def unpack_helper(self) -> None:
        fitting = [h for h in self.helpers if h.result[0] == "t"]
        if not fitting:
            return self.assign()
        h = self.r.choice(fitting)
        args = ", ".join(self.expr(u, 1) for _, u in h.params)
        targets: list[str] = []
        for t in h.result[1:]:
            have = [name for name in self.writable() if self.env[name] == t and name not in targets]
            targets.append(self.r.choice(have) if have and self.chance(0.5) else self.fresh())
        if len(set(targets)) == len(targets):
            self.put(f"{', '.join(targets)} = {h.name}({args})")
            self.env |= dict(zip(targets, h.result[1:], strict=True))

    def early_return(self) -> None:
        self.put(f"if {self.test()}:")
        self.inner(self.r.choice([0, 1, 1]) if self.chance(0.5) else 1)
        self.indent += 1
        self.finish()
        self.indent -= 1

    def leave_loop(self) -> None:
        self.put(f"if {self.test()}:")
        self.inner(1)
        self.indent += 1
        self.put(self.r.choice(["break", "continue"]))
        self.indent -= 1

    def finish(self) -> None:
        def value(t: Type) -> str:
            """Something that reads several names, so that most of the program is alive."""
            terms = [self.expr(t, 2)]
            if t == SCALAR:
                names = [name for name, u in self.env.items() if u[0] in "svm"]
                for name in self.r.sample(names, min(len(names), 3)):
                    u = self.env[name]
                    terms.append(
                        name if u == SCALAR else f"np.sum({self.r.choice([name, f'np.sin({name})', f'{name} ** 2'])})"
                    )
            return " + ".join(terms)

        if self.result[0] == "t":
            self.put(f"return {', '.join(value(t) for t in self.result[1:])}")
        else:
            self.put(f"return {value(self.result)}")


def write_helper(
    r: random.Random, name: str, helpers: list[Helper], writer: type[Body] | None = None
) -> tuple[Helper, list[str]]:
    lengths = (writer or Body).lengths
    kinds: list[Type] = [SCALAR, SCALAR, ("v", r.choice(lengths))]
    if writer:
        kinds = [
            SCALAR,
            ("v", r.choice(lengths)),
            ("v", r.choice(lengths)),
            ("m", r.choice(lengths), r.choice(lengths)),
        ]
    params = tuple((p, r.choice(kinds)) for p in r.sample(["x", "y", "u", "w", "q"], r.randint(1, 3)))
    vectors = [t for _, t in params if t[0] == "v"]
    result: Type = r.choice([SCALAR, SCALAR, *(vectors or [SCALAR]), ("t", SCALAR, r.choice([SCALAR, *vectors]))])
    if writer and r.random() < 0.4:
        result = ("n",)
    body = (writer or Body)(r, dict(params), list(helpers), result, r.choice([1, 2, 4, 7]))
    defaults = 1 if params[-1][1] == SCALAR and len(params) > 1 and r.random() < 0.3 else 0
    if writer or r.random() < 0.5:
        body.block(body.budget)
    body.finish()
    header = ", ".join(p + ("=0.8" if defaults and p == params[-1][0] else "") for p, _ in params)
    return Helper(name, params, result, defaults), [f"def {name}({header}):", *body.lines]


def value_of(t: Type, r: random.Random) -> Any:
    numbers = np.random.default_rng(r.getrandbits(32))

    def draw(*shape: int) -> Any:
        return numbers.uniform(0.2, 1.4, shape) * numbers.choice([-1.0, 1.0], shape)

    match t:
        case ("s",):
            return float(draw())
        case ("v", n):
            return draw(n)
        case ("m", m, n):
            return draw(m, n)
    raise AssertionError(t)


def program(
    r: random.Random, size: int = 14, *, stores: bool = False, parts: bool = False, structures: bool = False
) -> Program:
    """A random program, its arguments and what to differentiate in.

    With `stores`, one that writes into arrays; with `parts`, into parts of parts of them; with `structures`, one with
    closures, objects, dicts and blocks, too.
    """
    writer: type[Body] | None = None
    stores = stores or parts or structures
    if structures:
        from structures import Structured as writer  # all three stand upon this module
    elif parts:
        from parts import Parting as writer
    elif stores:
        from stores import Storing as writer
    lengths = (writer or Body).lengths
    helpers: list[Helper] = []
    texts: list[list[str]] = []
    for i in range(r.choice([0, 0, 1, 1, 2])):
        helper, lines = write_helper(r, f"helper{i + 1}", helpers, writer)
        helpers.append(helper)
        texts.append(lines)

    env: dict[str, Type] = {}
    for name in r.sample(["x", "y", "a", "b"], r.randint(1, 2)):
        env[name] = SCALAR
    for name in r.sample(["v", "w", "u"], r.randint(1, 3) if stores else r.randint(0, 2)):
        env[name] = ("v", r.choice(lengths))
    if r.random() < (0.6 if stores else 0.4):
        env[r.choice("AMW")] = ("m", r.choice(lengths), r.choice(lengths))
    order = list(env)
    r.shuffle(order)
    env = {name: env[name] for name in order}
    ints = ["n"] if r.random() < 0.5 else []
    dicts: dict[str, dict[str, Type]] = {}
    if r.random() < 0.15:
        dicts["params"] = {"scale": SCALAR, "shift": ("v", r.choice(lengths))}

    results: list[Type] = [SCALAR, SCALAR, SCALAR, SCALAR]
    results += [t for t in env.values() if t[0] == "v"] + [("t", SCALAR, t) for t in env.values()]
    result = r.choice(results)
    of: tuple[str, ...] = ()
    if stores and r.random() < 0.3:
        arrays = [name for name, t in env.items() if t[0] in "vm"]
        of = tuple(name for name in arrays if r.random() < 0.7) or (r.choice(arrays),)
        result = ("n",) if r.random() < 0.6 else result

    stated = r.random() < (0.75 if stores else 0.5)
    differentiable = [*env, *dicts]
    params = [*env, *dicts, *ints]
    types = dict(env)
    values = {name: value_of(t, r) for name, t in env.items()}
    values |= {d: {key: value_of(t, r) for key, t in keys.items()} for d, keys in dicts.items()}
    values |= {name: r.choice([0, 1, 2, 3]) for name in ints}

    constructs: set[str] = set()
    if of:
        constructs |= {"of", "of and result"} if result != ("n",) else {"of"}
    more: dict[str, Any] = {"given": frozenset(params), "constructs": constructs} if stores else {}
    body = (writer or Body)(r, env, helpers, result, size, ints=ints, dicts=dicts, **more)
    if structures and r.random() < 0.3:
        body.draw()  # type: ignore[attr-defined]
    body.block(r.randint(3, size))
    body.finish()

    def header(name: str) -> str:
        if name in ints:
            return f"{name}: int" if r.random() < 0.7 or parts else name
        return f"{name}: float" if stated and types.get(name) == SCALAR else name

    if not stated:
        # an augmented assignment is for scalars, and here s2s often can't know that it has one: most are written out
        body.lines = [
            AUGMENTED.sub(r"\1\2 = \2 \3 (\4)", line) if r.random() < (0.5 if stores else 0.9) else line
            for line in body.lines
        ]

    lines = ["import math", "", "import numpy as np", ""]
    if structures:
        from structures import prelude

        lines[1:1] = ["from typing import NamedTuple"]
        lines += prelude("\n".join([*itertools.chain(*texts), *body.lines]))
    for text in texts:
        lines += ["", *text, ""]
    lines.append("")
    if stated:
        shapes = [
            f"{name} ({', '.join(map(str, t[1:]))}{',' if t[0] == 'v' else ''})"
            for name, t in types.items()
            if t[0] != "s"
        ]
        if shapes:
            lines.append(f"# s2s: {', '.join(shapes)}")
    lines.append(f"def f({', '.join(header(name) for name in params)}):")
    source = "\n".join([*lines, *body.lines]) + "\n"
    wrt = [name for name in differentiable if r.random() < 0.8] or [r.choice(differentiable)]
    if stores:  # the order of the elements in memory decides what is a view
        values |= {k: np.asfortranarray(v) for k, v in values.items() if np.ndim(v) == 2 and r.random() < 0.2}
    args = tuple(values[name] for name in params)
    return Program(source, args, tuple(wrt), tuple(params), result == SCALAR, of, frozenset(constructs))


# ---------------------------------------------------------------- how near a run comes to a kink


COMPARISONS: dict[type[ast.cmpop], str] = {  # of numbers, by their names in the module operator
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}


class _Compare(ast.NodeTransformer):
    """a < b  ->  __compared__(("lt",), a, b), which notes how near numbers are. a.sort() looks at its ties first."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Attribute) and node.func.attr == "sort" and not node.args):
            return node
        ties = ast.Call(ast.Name("__ties__", ast.Load()), [node.func.value], [])
        return ast.Subscript(ast.Tuple([ties, node], ast.Load()), ast.Constant(-1), ast.Load())

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if not all(type(op) in COMPARISONS for op in node.ops):
            return node
        operands = [node.left, *node.comparators]
        if all(isinstance(right, ast.Name | ast.Constant) for right in operands[2:]):
            # Called with values: each operand is evaluated once, as it may change what the others are made of.
            names: list[ast.expr] = [ast.Constant(COMPARISONS[type(op)]) for op in node.ops]
            return ast.Call(ast.Name("__compared__", ast.Load()), [ast.Tuple(names, ast.Load()), *operands], [])
        calls: list[ast.expr] = [
            ast.Call(ast.Name("__near__", ast.Load()), [a, b], []) for a, b in itertools.pairwise(operands)
        ]
        both = ast.Tuple([*calls, node], ast.Load())
        return ast.Subscript(both, ast.Constant(-1), ast.Load())


class _Watched:
    """A module whose functions with kinks say how near to one they are called."""

    def __init__(self, module: Any, watched: dict[str, Any]) -> None:
        self.module, self.watched = module, watched

    def __getattr__(self, name: str) -> Any:
        return self.watched.get(name) or getattr(self.module, name)


def margin(source: str, args: tuple[Any, ...], of: tuple[int, ...] = ()) -> float:
    """The least distance to a kink or to a comparison of floats in a run of f.

    0 where the run fails or diverges, or where what it returns, or leaves in the arguments at the positions `of`, was
    never set: an array of np.empty is filled with nan here.
    """
    least = [1.0]
    args = copy.deepcopy(args)

    def near(a: Any, b: Any) -> None:
        if {np.asarray(a).dtype.kind, np.asarray(b).dtype.kind} & set("fc"):  # no kinks between whole numbers
            least[0] = min(least[0], float(np.min(np.abs(np.subtract(a, b)), initial=1.0)))

    def compared(names: tuple[str, ...], *values: Any) -> Any:
        pairs = list(itertools.pairwise(values))
        for a, b in pairs:
            near(a, b)
        tests = (getattr(operator, name)(a, b) for name, (a, b) in zip(names, pairs, strict=True))
        if len(pairs) == 1:
            return next(tests)
        return all(tests)

    def binary(function: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            items = list(args[0]) if len(args) == 1 else args
            for i, a in enumerate(items):
                for b in items[i + 1 :]:
                    near(a, b)
            return function(*args, **options)

        return call

    def at_zero(function: Any) -> Any:
        def call(a: Any) -> Any:
            near(a, 0.0)
            return function(a)

        return call

    def clip(a: Any, low: Any, high: Any, **options: Any) -> Any:
        near(a, low)
        near(a, high)
        return np.clip(a, low, high, **options)

    def ties(a: Any) -> None:
        ordered = np.sort(np.ravel(a))
        near(ordered[1:], ordered[:-1])

    def extreme(function: Any) -> Any:
        def call(a: Any, **options: Any) -> Any:
            ties(a)
            return function(a, **options)

        return call

    def unset(function: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            made = function(*args, **options)
            made.fill(np.nan if made.dtype.kind == "f" else 0)
            return made

        return call

    def norm(x: Any) -> Any:
        value = np.linalg.norm(x)
        near(value, 0.0)
        return value

    watched = {
        "maximum": binary(np.maximum),
        "minimum": binary(np.minimum),
        "abs": at_zero(np.abs),
        "clip": clip,
        "max": extreme(np.max),
        "min": extreme(np.min),
        "sort": extreme(np.sort),
        "linalg": _Watched(np.linalg, {"norm": norm}),
        "empty": unset(np.empty),
        "empty_like": unset(np.empty_like),
    }
    tree = ast.fix_missing_locations(_Compare().visit(ast.parse(source)))
    namespace: dict[str, Any] = {}
    exec(compile(tree, "<watched program>", "exec"), namespace)
    namespace |= {
        "np": _Watched(np, watched),
        "math": math,
        "__near__": near,
        "__compared__": compared,
        "__ties__": ties,
        "abs": at_zero(builtins.abs),
        "max": binary(builtins.max),
        "min": binary(builtins.min),
    }
    try:
        with np.errstate(all="raise", under="ignore"):
            outputs = [namespace["f"](*args), [args[i] for i in of]]
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        NameError,
        TypeError,
        ValueError,
    ):  # an empty history, an overflow, integers in place, the number of a loop that is left out
        return 0.0
    numbers = [leaf for leaf in numeric.leaves(outputs) if np.asarray(leaf).dtype.kind in "fc"]
    if not all(np.all(np.isfinite(leaf)) for leaf in numbers):
        return 0.0
    return least[0] if least[0] == least[0] else 0.0
