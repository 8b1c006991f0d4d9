"""Random statements that bind closures, dicts, lists and objects anew while their old values are still named.

A closure reads a name as it is when it is called, a default and a partial hold it as it was; `e = d` is a second name
and `dict(d)` is not; a call inside an expression changes what stands to the right of it, but not what stands to the
left. Each expression is drawn from the same table, so that old and new values meet in one statement.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program
from snippets import Thing, filled, finished, function, indented, with_terms

HELPERS = """import numpy as np
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import NamedTuple


class P(NamedTuple):
    x: float
    y: float


@dataclass
class O:
    a: float
    b: float

    def tot(self):
        return self.a * self.b

    def up(self, t):
        self.a, self.b = self.b * t, self.a
        return self.a + t


def up(o, t):
    o.b = o.a * t
    return o.b * t


def swapped(d):
    d["a"], d["b"] = d["b"], d["a"]
    return d["a"]


def made(d):
    return {"a": d["b"] * 1.5, "b": d["a"]}


"""
READS = ["x", "y", "s", "d['a']", "d['b']", "o.a", "o.b", "p.x", "p.y", "w[0]", "w[1] * x", "e['a']", "L[0]", "L[1]"]
CLOSURES = [  # called with what they change, or change what the call reads
    "g(y)",
    "g(d['a'])",
    "g(o.a)",
    "h()",
    "k(x, y)",
    "k(d['a'], o.b)",
    "k(y, y)",
    "k(*(y, s))",
    "k(b=y, a=s)",
    "fs[0](y)",
    "fs[1](s)",
    "tb['k'](y, s)",
    "part(y)",
    "red()",
    "rd()",
    "ro()",
    "rl()",
    "bd()",
    "bo()",
    "rp()",
    "mo()",
    "rd()",
    "ro()",
]
CALLS = [
    "o.tot()",
    "o.up(x)",
    "o.up(o.a)",
    "up(o, y)",
    "up(o, o.b)",
    "swapped(d)",
    "made(d)['b']",
    "made(d)['a']",
    "P(y, s).x",
    "p._replace(x=y).x",
    "dict(d, a=y)['b']",
    "(y if s > 0.1 else x)",
    "(lambda t: t * y)(s)",
    "(lambda y: y * s)(x)",
    "sum(d.values())",
    "sum(q * y for q in d.values())",
    "max(d.values())",
]
EXPRESSIONS = 2 * READS + CLOSURES + CALLS
OF_NUMBERS = [
    "s = <e> * <e> + s",
    "s += <e> + <e> * <e>",
    "y = <e> * x",
    "y, s = <e>, <e> * 0.5",
    "s, y = y, <e>",
    "z, y = <e>, x",
    "w[0] = <e>",
    "w = w * <e>",
    "w *= <e>",
    "z = <e>\ny = y * x\ns += z * y",
    "s += (y := <e>) * y",
    "s += y * (y := <e>)",
]
OF_DICTS = [
    "d['a'] = <e> * x",
    "d['b'] = <e>",
    "d['a'], d['b'] = <e>, <e>",
    "d = {'a': <e>, 'b': <e>}",
    "d = {c: q * <e> for c, q in d.items()}",
    "d = {**d, 'a': <e>}",
    "d = dict(d, b=<e>)",
    "d |= {'a': <e>, 'b': <e>}",
    "d.update(a=<e>, b=<e>)",
    "e = d",
    "e = dict(d)",
    "e = d.copy()",
    "d, e = e, d",
    "z = d\nd = {'a': <e>, 'b': z['a']}\ns += z['b']",
    "L[0], L[1] = <e>, <e>",
    "L = [<e>, <e>]",
    "L = [q * <e> for q in L]",
]
OF_OBJECTS = [
    "o.a = <e>",
    "o.a, o.b = <e>, <e>",
    "o = O(<e>, <e>)",
    "o = replace(o, a=<e>, b=<e>)",
    "p = P(<e>, <e>)",
    "p = p._replace(x=<e>, y=<e>)",
    "p = p._replace(y=<e>)",
    "s = s + p.x * <e>",
    "z = o\no = O(<e>, z.a)\ns += z.b",
    "u, t = d['a'], o.a\nd['a'] = <e>\no.a = u\ns += t * u",
    "(o.a, y) = (y, <e>)",
]
BLOCKS = [
    "for c, q in d.items():\n    d[c] = q * <e>\n    s += q",
    "for q in d.values():\n    s += q * <e>\n    d['b'] = s",
    "for q in (x, y, d['a']):\n    y = q * <e>\n    d['a'] = y\n    s += q",
    "for i in range(n):\n    y = <e> * 0.5\n    d['a'] = y + <e> * 0.1",
    "if y > 0.3:\n    d['a'] = <e>\nelse:\n    y = <e>",
]
STATEMENTS = OF_NUMBERS + OF_DICTS + OF_OBJECTS + BLOCKS
THINGS = [
    Thing("w", ("w = v * x",), "np.sum(w * w)"),
    Thing("y", ("y = x * 1.5",), "y * x"),
    Thing("s", ("s = x",), "s"),
    Thing("d", ("d = {'a': y, 'b': x}",), "d['a'] * d['b'] * d['a']"),
    Thing("e", ("e = {'a': s * x, 'b': y}",), "e['a']"),
    Thing("o", ("o = O(y, x)",), "o.a * o.b * o.b"),
    Thing("p", ("p = P(y, x * x)",), "p.x * p.y"),
    Thing("L", ("L = [x, y * x]",), "L[0] * L[1]"),
    Thing("rd", ("def rd():\n    return d['a'] * y + d['b']",)),
    Thing("ro", ("def ro():\n    return o.a * y + o.b",)),
    Thing("rl", ("def rl():\n    if y > 0.4:\n        return L[0] * w[0]\n    return L[1] * s",)),
    Thing("bd", ("def bd():\n    d['a'] = d['b'] * s\n    return d['a'] + y",)),
    Thing("bo", ("def bo():\n    o.b = o.a * y\n    return o.b + s",)),
    Thing("rp", ("rp = lambda: p.x * y + p.y",)),
    Thing("mo", ("mo = o.tot",)),
    Thing("g", ("def g(t):\n    nonlocal y\n    y = y * x\n    return t * y",)),
    Thing("h", ("def h():\n    nonlocal y, s\n    s, y = y, s * x\n    return y",)),
    Thing("k", ("def k(a, b):\n    nonlocal y\n    y = a * b\n    a = a + y\n    return a * b",)),
    Thing("part", ("part = partial(lambda a, b: a * b * y, y)",)),
    Thing("red", ("def red():\n    return reduce(lambda a, b: a * y + b, [x, y, s])",)),
    Thing("fs", ("fs = [lambda t: t * y, lambda t: t * s + y]",)),
    Thing("tb", ("tb = {'k': lambda a, b: a * y + b}",)),
]


def program(r: random.Random, size: int) -> Program | None:
    """A program of at most size + 1 statements behind what they work on, None where it cannot be run."""
    fill = {"e": lambda: r.choice(EXPRESSIONS)}
    parts = [filled(r.choice(STATEMENTS), fill) for _ in range(r.randint(2, size + 1))]
    if r.random() < 0.15:
        parts = ["for _ in range(n):\n" + indented("\n".join(parts))]
    statements = with_terms(r, THINGS, "w y s", parts)
    stated = "v (3,), x ()" if r.random() < 0.9 else ""
    args = (0.7, np.array([1.1, -0.7, 0.9]), 2)
    return finished(HELPERS + function("x, v, n: int", stated, statements), args, ("x", "v", "n"))
