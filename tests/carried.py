"""Random values carried round a loop, of ranks that nobody states: copies, sums and parts of each other.

A number may be an array of rank 0, so the text may not take one for the other: where two adjoints are one, or one is a
part of another, `+=` on it writes into both. Most expressions here hand on their operand as it is, or build a pair, a
list, a dict or an object and take one part back out of it.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program
from snippets import Thing, filled, finished, function, indented, with_terms

HELPERS = """import numpy as np
from functools import reduce


def same(a):
    return a


def add(a, b, c=0.0):
    return a + b


def pair(a, b):
    return a, b


def entries(a, b):
    return {"u": a, "t": b}


class O:
    def __init__(self, u, t):
        self.u = u
        self.t = t

    def two(self):
        return self.u + self.t


"""
NAMES = ("a", "b", "p", "q", "s", "y")  # that are bound anew; x is only read
# Expressions; <v> is a name, and now and then another expression.
ARITHMETIC = [
    "<v>",
    "<v>",
    "max(<v>, <v>)",
    "min(<v>, <v>)",
    "abs(<v>)",
    "-<v>",
    "+<v>",
    "(<v> + <v>)",
    "(<v> - <v>)",
    "<v> * <v>",
    "(<v> if <v> > 0.6 else <v>)",
    "float(<v>)",
    "sum((<v>, <v>))",
    "sum([<v>, <v>])",
]
OF_NUMPY = [
    "np.where(<v> > 0.6, <v>, <v>)",
    "np.asarray(<v>)",
    "np.array(<v>)",
    "np.abs(<v>)",
    "np.add(<v>, <v>)",
    "np.maximum(<v>, <v>)",
    "np.clip(<v>, 0.2, 9.0)",
    "np.float64(<v>)",
    "np.real(<v>)",
    "np.copy(<v>)",
    "np.sum(<v>)",
    "np.mean([<v>, <v>])",
    "np.dot(<v>, <v>)",
    "np.squeeze(<v>)",
]
PARTS = [
    "d['a']",
    "d['b']",
    "sum(d.values())",
    "L[0]",
    "L[-1]",
    "L[m % 2]",
    "sum(L)",
    "w[0]",
    "w[m]",
    "np.sum(w)",
    "w.sum()",
    "np.max(w)",
    "A[0, m]",
    "A[m][0]",
    "A[m].sum()",
]
CALLS = [
    "same(<v>)",
    "add(<v>, <v>)",
    "add(*L)",
    "add(*pair(<v>, <v>))",
    "pair(<v>, <v>)[0]",
    "pair(<v>, <v>)[1]",
    "entries(<v>, <v>)['u']",
    "reduce(add, [<v>, <v>, <v>])",
    "O(<v>, <v>).u",
    "O(<v>, <v>).two()",
]
EXPRESSIONS = ARITHMETIC + OF_NUMPY + PARTS + CALLS
STATEMENTS = [
    "<n> = <e>",
    "<n> = <e>",
    "<n> = <e> * <e>",
    "<n> += <e>",
    "<n> -= <e>",
    "<n> *= <e>",
    "a, b = b, a",
    "a, b = pair(<e>, <e>)",
    "p, q = <e>, <e>",
    "a = b = <e>",
    "a, *L = <e>, <e>, <e>",
    "p, (q, b) = <e>, (<e>, <e>)",
    "L = [<e>, <e>]",
    "L[m % 2] = <e>",
    "L.append(<e>)",
    "d['a'] = <e>",
    "d['b'] = <e>",
    "d = {'a': <e>, 'b': <e>}",
    "w[0] = <e>",
    "w[m] += <e>",
    "w = w + <e>",
    "w = np.array([<e>, <e>, <e>])",
    "A[m] = <e>",
    "A[0, m] = <e>",
    "u = O(<e>, <e>)\na, b = u.u, u.t",
    "if <n> > 0.5:\n    <n> = <e>\nelse:\n    <n> = <e>",
    "for q in L:\n    s = s + q * <e>",
    "s += <e> * <e>",
]
THINGS = [
    Thing("a", ("a = x * y",), "p * p * a"),
    Thing("b", ("b = y + x",), "b * q"),
    Thing("p", ("p = x",)),
    Thing("q", ("q = y",)),
    Thing("s", ("s = x",), "s"),
    Thing("w", ("w = v * x",), "np.sum(w * w)"),
    Thing("A", ("A = np.outer(v, v) * x",), "np.sum(A[0])"),
    Thing("L", ("L = [x, y]", "L = [a, a]"), "L[0] * L[1]"),
    Thing("d", ("d = {'a': x, 'b': x * y}", "d = {'a': a, 'b': a}"), "d['a'] * d['b']"),
]
STATED = ("v (3,), x (), y ()", "v (3,)", "")
DEEPEST = 2  # of expressions in expressions


def expression(r: random.Random, depth: int = 0) -> str:
    def operand() -> str:
        if depth >= DEEPEST or r.random() < 0.7:
            return r.choice((*NAMES, "x"))
        return expression(r, depth + 1)

    return filled(r.choice(EXPRESSIONS), {"v": operand})


def program(r: random.Random, size: int) -> Program | None:
    """A loop of at most size + 2 statements and at most two behind it, None where it cannot be run."""
    fill = {"e": lambda: expression(r), "n": lambda: r.choice(NAMES)}
    parts = [filled(r.choice(STATEMENTS), fill) for _ in range(r.randint(2, size + 2))]
    behind = [filled(r.choice(STATEMENTS), fill) for _ in range(r.randint(0, 2))]
    work = ["for m in range(n):\n" + indented("\n".join(parts)), "m = 0", *behind]
    statements = with_terms(r, THINGS, "a b p q s w", work, " + y * x")
    args = (0.7, 1.2, np.array([1.1, -0.7, 0.9]), 2)
    return finished(HELPERS + function("x, y, v, n: int", r.choice(STATED), statements), args, ("x", "y", "v", "n"))
