"""Random loops in loops whose variables, and items that they bind, are read anywhere behind them.

Every name is bound before the first loop, so that any of them may be read in any place: what a round has left is what
a later one, or the code behind the loop, reads.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program

NUMBERS = ("s", "a", "b", "c")
ROWS = ("row", "q", "x")
START = ["s = 1.0", "a = 0.5", "b = x[0]", "c = x[1] * 2.0", "row = W[0]", "q = W[1] * x"]
END = "return s + 0.3 * a + 0.2 * b * c + np.sum(q * row)"


class Writer:
    """Statements in blocks; places: what indexes an array of two items, beside numbers."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.lines = [f"    {s}" for s in START]

    def place(self, places: list[str]) -> str:
        return self.r.choice([*places, "0", "1"])

    def atom(self, places: list[str]) -> str:
        kind = self.r.random()
        if kind < 0.5:
            return self.r.choice(NUMBERS)
        if kind < 0.8:
            return f"{self.r.choice(ROWS)}[{self.place(places)}]"
        return f"W[{self.place(places)}, {self.place(places)}]" if kind < 0.9 else "0.7"

    def expression(self, places: list[str]) -> str:
        a, b, c = (self.atom(places) for _ in range(3))
        return self.r.choice([a, f"0.4 * {a} * {b} + 0.3 * {c}", f"np.sin({a} * {b})"])

    def row(self, places: list[str]) -> str:
        return self.r.choice(
            [f"W[{self.place(places)}]", f"0.5 * {self.r.choice(ROWS)} * {self.atom(places)}", self.r.choice(ROWS)]
        )

    def block(self, depth: int, places: list[str], looped: bool) -> None:
        for _ in range(self.r.randint(1, 3)):
            self.statement(depth, places, looped)

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def statement(self, depth: int, places: list[str], looped: bool) -> None:
        r, kind = self.r, self.r.random()
        name = r.choice(NUMBERS)
        if kind < 0.2:
            self.put(depth, f"{name} = {r.choice(ROWS)}[{self.place(places)}]")
        elif kind < 0.45:
            self.put(depth, f"{name} = {self.expression(places)}")
        elif kind < 0.52:
            self.put(depth, f"{r.choice(['row', 'q'])} = {self.row(places)}")
        elif kind < 0.6:
            self.put(depth, f"s += 0.3 * {self.atom(places)} * {self.atom(places)}")
        elif kind < 0.64:
            self.put(depth, "q = q * 1.0")
            self.put(depth, f"q[{self.place(places)}] = {self.expression(places)}")
        elif kind < 0.85 and depth < 4:
            self.loop(depth, places, name)
        elif kind < 0.95 and depth < 4:
            self.put(depth, f"if {name} > {r.choice(['0.45', '0.2', r.choice(NUMBERS)])}:")
            self.block(depth + 1, places, False)
            if r.random() < 0.5:
                self.put(depth, "else:")
                self.block(depth + 1, places, False)
        elif looped:
            self.put(depth, f"if {name} > 0.6:")
            self.put(depth + 1, r.choice(["break", "continue"]))
        else:
            self.put(depth, f"{name} = {self.expression(places)}")

    def loop(self, depth: int, places: list[str], name: str) -> None:
        counter, kind = "ijkl"[depth - 1], self.r.random()
        over = self.r.choice(ROWS)
        if kind < 0.1:
            self.put(depth, f"{counter} = 0")
            self.put(depth, f"while {counter} < 2:")
            self.block(depth + 1, [*places, counter], False)
            self.put(depth + 1, f"{counter} += 1")
            return
        header = f"{counter} in range(2)" if kind < 0.45 else f"{name} in {over}"
        header = header if kind < 0.85 else f"{counter}, {name} in enumerate({over})"
        self.put(depth, f"for {header}:")
        self.block(depth + 1, [*places, counter] if header.startswith(counter) else places, True)


def program(r: random.Random, size: int) -> Program | None:
    """A program of some four statements and loops; None where it got too long."""
    writer = Writer(r)
    for _ in range(size):
        writer.loop(1, [], r.choice(NUMBERS)) if r.random() < 0.4 else writer.statement(1, [], False)
    text = "\n".join([*writer.lines, f"    {END}"])
    if len(text) > 1800:
        return None
    args = (np.array([0.31, 0.57]), np.array([[0.23, 0.12], [0.41, -0.37]]))
    return Program(f"import numpy as np\n\n\ndef f(x, W):\n{text}\n", args, ("x", "W"), ("x", "W"), True)
