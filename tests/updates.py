"""Random programs of arrays that are updated by products of each other, under names: `t = u * v`, `u = u + t`.

A cotangent that one statement hands on under a second name, `t_bar = u_bar`, must not be what the next one adds to.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program
from traps import program

NAMES = ("u", "v", "w", "t", "z")
GIVEN = ("u", "v", "w")


def term(r: random.Random, live: list[str]) -> str:
    a, b, c = (r.choice(live) for _ in range(3))
    products = [
        f"{a} * {b}",
        f"{a} * {b}",
        f"{a} * {b} * {c}",
        f"({a} if y > {r.choice(['0.5', '1.5'])} else {b} * {c})",
    ]
    return r.choice([*products, f"np.sin({a})", f"0.5 * {a}", a, f"{a} / (2.0 + {b} ** 2)"])


class _Text:
    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.lines: list[str] = []

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * (depth + 1) + line)

    def statements(self, count: int, live: list[str], depth: int) -> None:
        for _ in range(count):
            self.statement(live, depth)

    def statement(self, live: list[str], depth: int) -> None:
        r, x = self.r, self.r.choice(NAMES)
        kind = r.choice(["update", "in place", "swap", "bind", "bind", "loop", "if"] if x in live else ["bind"])
        if kind in ("loop", "if") and depth > 1:
            kind = "update"
        match kind:
            case "update":
                self.add(depth, f"{x} = {x} {r.choice('+-')} {term(r, live)}")
            case "in place":
                self.add(depth, f"{x} {r.choice(['+=', '-=', '*='])} {term(r, live)}")
            case "swap":
                other = r.choice(live)
                self.add(depth, f"{x}, {other} = {other}, {x} + {r.choice(live)}" if x != other else f"{x} = {x} * 1.1")
            case "bind":
                self.add(depth, f"{x} = {term(r, live)}")
                if depth == 0 and x not in live:
                    live.append(x)
            case "loop":
                self.add(depth, f"for i{depth} in range({r.randint(1, 3)}):")
                self.statements(r.randint(1, 4), list(live), depth + 1)
            case "if":
                self.add(depth, f"if y > {r.choice(['0.5', '1.5'])}:")
                self.statements(r.randint(1, 3), list(live), depth + 1)


def drawn(seed: int) -> Program:
    r, live = random.Random(seed), list(GIVEN)
    text = _Text(r)
    text.statements(r.randint(3, 8), live, 0)
    result = r.choice([" + ".join(live[:3]), f"np.sum({r.choice(live)} * {r.choice(live)})", ", ".join(live[-2:])])
    stated = "# s2s: u (n,), v (n,), w (n,)\n" if r.random() < 0.7 else ""
    body = "\n".join(text.lines)
    source = f"import numpy as np\n\n\n{stated}def f(y: float, u, v, w):\n{body}\n    return {result}\n"
    q = np.random.default_rng(seed)
    return program(f"updates {seed}", source, (1.0, *(q.uniform(-1.0, 1.0, 3) for _ in GIVEN)), ())
