"""Random loops in loops and branches whose variables are bound in some rounds only, and helpers that go through rows.

Most variables have no value in front of the loops: what a branch of an inner loop binds is what a later round of the
outer one reads. Helpers are called for rows of two matrices, or of two lists of lists, and return numbers, pairs and
rows; what they give goes on, into sums, lists, or the next call.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program
from snippets import finished, indented

NAMES = ("p", "q", "t")
HELPERS = {
    "dot": """\
def dot(r, z):
    c = 0.0
    for u, v in zip(r, z):
        c = 0.5 * c + u * v
    return c
""",
    "whole": """\
def whole(r, z):
    return np.sum(r) * z[0] + np.max(z)
""",
    "pair": """\
def pair(r, z):
    c = np.sum(r)
    e = 0.0
    for i in range(len(z)):
        e = e + z[i] * c
    return c, e
""",
    "largest": """\
def largest(r, z):
    best = r[0]
    at = 0
    for i in range(1, len(r)):
        if r[i] > best:
            best = r[i]
            at = i
    return best, z[at]
""",
    "scaled": """\
def scaled(r, z):
    return [u * z[0] for u in r]
""",
    "chosen": """\
def chosen(r, z):
    if r[0] > 0.6:
        return [u * v for u, v in zip(r, z)]
    return [u + 0.5 * z[-1] for u in r]
""",
    "table": """\
def table(r, z):
    c = np.zeros(len(r))
    for i in range(len(r)):
        c[i] = r[i] * z[-1 - i]
    c[0] = c[0] * c[-1]
    return c
""",
}
OF_NUMBERS, OF_PAIRS, OF_ROWS = ("dot", "whole"), ("pair", "largest"), ("scaled", "chosen", "table")
ROWS = {"r": ("r",), "z": ("z",), "i": ("A[i]", "B[i]")}  # by what loops bind


class _Writer:
    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.helpers: set[str] = set()
        self.inside: list[str] = []  # what the loops around bind

    def row(self) -> str:
        return self.r.choice(["A[0]", "B[-1]", *(row for name in "".join(self.inside) for row in ROWS[name])])

    def number(self) -> str:
        return self.r.choice([*NAMES, "s", "a", "A[0][1]", f"{self.row()}[{self.r.choice('012')}]"])

    def value(self) -> str:
        form = self.r.choice(["{} * {}", "{} * {}", "{} + {} * {}", "np.sin({}) * {}", "{} - 0.5 * {}"])
        return form.format(*(self.number() for _ in range(form.count("{}"))))

    def call(self, names: tuple[str, ...]) -> str:
        name = self.r.choice(names)
        self.helpers.add(name)
        return f"{name}({self.row()}, {self.row()})"

    def test(self) -> str:
        return self.r.choice(
            [f"{self.number()} > 0.6", f"{self.number()} < {self.number()}", f"{self.value()} > s", "n > 1"]
        )

    def statement(self) -> str:
        r = self.r
        a, b = r.sample(NAMES, 2)
        best = f"p = {self.value()}\nif p > t:\n    t = p\n    q = {self.value()}"
        return r.choice(
            [
                f"{a} = {self.value()}",
                f"{a} = {self.value()}",
                f"s = s + {self.value()}",
                f"{a}, {b} = {self.value()}, {self.value()}",
                f"s = s + a * {self.call(OF_NUMBERS)}",
                f"{a} = {self.call(OF_NUMBERS)} * {self.call(OF_NUMBERS)}",
                f"{a}, {b} = {self.call(OF_PAIRS)}",
                f"s = s + {self.call(OF_PAIRS)}[1]",
                f"w = {self.call(OF_ROWS)}\n{a} = w[0] * w[-1]",
                f"rows.append({self.call(OF_ROWS)})",
                best,
            ]
        )

    def block(self, depth: int, size: int) -> str:
        lines = []
        for _ in range(self.r.randint(1, size)):
            kind = self.r.random() if depth else 0.0
            if kind < 0.5:
                lines.append(self.statement())
            elif kind < 0.65:
                lines.append(f"if {self.test()}:\n{indented(self.block(depth - 1, 2))}")
                if self.r.random() < 0.4:
                    lines.append(f"else:\n{indented(self.block(depth - 1, 2))}")
            elif kind < 0.93:
                head, names = self.r.choice(
                    [("r in A", "r"), ("z in B", "z"), ("r, z in zip(A, B)", "rz"), ("i in range(2)", "i")]
                )
                self.inside.append(names)
                lines.append(f"for {head}:\n{indented(self.block(depth - 1, size))}")
                self.inside.pop()
            elif self.inside:
                lines.append(f"if {self.test()}:\n    {self.r.choice(['break', 'continue'])}")
        return "\n".join(lines) or "pass"


def program(r: random.Random, size: int) -> Program | None:
    """A program of loops to three levels, None where none of a few can be run: what is read may have no value yet."""
    return next((made for _ in range(6) if (made := _program(r, size)) is not None), None)


def _program(r: random.Random, size: int) -> Program | None:
    w = _Writer(r)
    body = w.block(3, size)
    first = [f"{n} = {e}" for n, e in zip(NAMES, ("a * A[0][0]", "a", "-1.0"), strict=True) if r.random() < 0.6]
    last = f"return s * {r.choice(NAMES)} + {r.choice(NAMES)}"
    if "rows.append" in body:
        first.append("rows = []")
        last += " + sum([row[0] * row[-1] for row in rows])"
    lines = "\n".join([*first, "s = a", body, last])
    source = "import numpy as np\n\n\n" + "".join(f"{HELPERS[h]}\n\n" for h in sorted(w.helpers))
    matrices: list[list[list[float]]] = [[[0.3, 0.7, 1.1], [0.9, 0.4, 0.2]], [[0.5, 1.2, 0.8], [0.6, 0.35, 1.4]]]
    of = r.choice(("lists", "arrays", "stated"))
    stated = "# s2s: A (2, 3), B (2, 3), a ()\n" if of == "stated" else ""
    A, B = matrices if of == "lists" else map(np.array, matrices)
    return finished(f"{source}{stated}def f(A, B, a, n):\n{indented(lines)}\n", (A, B, 0.7, 2), ("A", "B", "a", "n"))
