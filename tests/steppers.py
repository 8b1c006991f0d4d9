"""Random programs that march a state of two vectors, in names, a dict, an object, a list, a tuple or rows of an array.

The step stands in the loop, in a function that changes the state or returns another one, or in a method. It updates in
place, rebinds, swaps, writes parts, keeps what was before under other names, and leaves early.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from programs import Program
from traps import program

HELPERS = """
def lap(q):
    r = np.zeros_like(q)
    r[1:-1] = q[2:] - 2.0 * q[1:-1] + q[:-2]
    return r


def lap_into(q, r):
    r[1:-1] = q[2:] - 2.0 * q[1:-1] + q[:-2]


def ends(q, k):
    q[0] = k
    q[-1] = q[-2]
    return q


def limit(q, k=0.5):
    if np.max(q) > k:
        q = q * 0.7
    return q


def pair(q, r):
    return q * r, q - 0.3 * r


def same(q):
    return q


def scale(q, k):
    q *= k


"""

# {x} and {y} are the two vectors of the state, {e} is one of these terms, {t} a name of its own.
TERMS = [
    "np.sin({x}) * {y}",
    "A @ {x}",
    "A.T @ {y} * 0.5",
    "A[1] * {x}",
    "k * {x} - {y}",
    "np.roll({x}, 1) - {x}",
    "lap({x})",
    "{x} / (1.0 + {y} ** 2)",
    "{y}[::-1] * {x}",
    "np.where({x} > {y}, {x}, k * {y})",
    "np.cumsum({x}) * 0.2",
    "np.tanh({x} + {y}) * k",
    "{y}",
    "{x} * {x}",
    "np.maximum({x}, {y})",
    "({x} - np.mean({x}))",
    "np.outer({x}, {y}) @ {x}",
    "np.mean({x}[:, None] * {y}[None, :], axis=1)",
    "np.sum(np.sin({x}[None, :] - {y}[:, None]), axis=0)",
    "limit({x})",
    "same({y}) * k",
    "{x} * np.sum({y})",
    "c",
    "({x} if k > 0.4 else {y})",
    "np.gradient({x})",
    "np.clip({x}, -0.4, 0.6)",
    "np.abs({x} - {y})",
]
TESTS = ["np.sum({x}) > 0.5", "{y}[1] < k", "k > 0.3", "dt > 0.5", "np.max(np.abs({x})) > 0.8"]
STATEMENTS = {
    "bind": ["{x} = {x} + dt * ({e})"] * 2,
    "other": ["{x} = {y}", "{x} = np.copy({y})", "{x} = c", "{x} = {y}.copy()", "{x} = c * k", "{x} = same({y})"],
    "twice": ["{t} = {x} * ({e})\n{x} = {x} + {t}\n{y} += {t}", "{t} = {x} * ({e})\n{x} = {x} - {t}\n{y} = {y} + {t}"],
    "in place": ["{x} += dt * ({e})", "{x} -= dt * ({e})", "{x} *= dt * ({e})"],
    "part": [
        "{x}[1:-1] += dt * ({y}[2:] - 2.0 * {x}[1:-1] + {x}[:-2])",
        "{x}[1:] = {x}[1:] - dt * ({x}[1:] - {x}[:-1]) * {y}[1:]",
        "{x}[::2] *= {y}[::2]",
        "{x}[:2] = {y}[-2:] * {x}[:2]",
        "{x}[-1] = {y}[0] * {x}[1]",
        "{x}[[0, 2]] += {y}[[1, 1]] * k",
        "{x}[0], {x}[-1] = {x}[-1], {x}[0] * k",
        "{x}[:] = {e}",
        "{x}[...] = {e}",
    ],
    "new": [
        "new = np.empty_like({x})\nnew[1:-1] = {x}[1:-1] + dt * ({y}[2:] * {x}[:-2])\n"
        "new[0] = new[1] * k\nnew[-1] = {x}[0]\n{x} = new",
        "new = {x}.copy()\nnew[1:-1] -= dt * ({y}[2:] * {x}[:-2])\nnew[-1] = new[-2]\n{x} = new",
    ],
    "swap": ["{x}, {y} = {y}, {x} + dt * {y}", "{x}, {y} = {y}, {x}", "{t} = {x}\n{x} = {y} * k\n{y} = {t}"],
    "mask": [
        "{x}[{y} > k] *= 0.5",
        "{x}[{y} > 0.1] = k",
        "{t} = {x} > {y}\n{x}[{t}] = {y}[{t}] * {x}[{t}]",
        "{x} = np.where({x} > 0.2, {x} * k, {y})",
    ],
    "element": [
        "for j in range(1, len(c)):\n    {x}[j] = {x}[j - 1] * k + {y}[j]",
        "for j in range(len(c) - 1, 0, -1):\n    {x}[j] += np.sin({x}[j - 1]) * {y}[j]",
        "for j in range(len(c) - 1, 0, -1):\n    {y}[j - 1] -= {x}[j] * {y}[j]",
    ],
    "helper": [
        "ends({x}, k)",
        "{x} = ends({x}, {y}[0])",
        "scale({x}, k)",
        "{x} = limit({x})",
        "{x} = limit({y}, k=0.1)",
        "lap_into({y}, {x})",
        "{x}, {y} = pair({x}, {y})",
    ],
    "term": ["{t} = {e}\n{x} = {x} + dt * {t}\n{y} = {y} * k - {t} * {x}"],
    "before": [
        "{t} = {x}\n{x} = {x} * {y}\n{y} = {y} + {t}",
        "{t} = {x}\n{x} = {x} - {y}\n{y} = {y} + {t}",
        "{t} = {x}\n{x} += {y} * k\n{y} = {y} + {t}",
    ],
    "view": [
        "{t} = {x}\n{t} *= k\n{y} = {y} + np.sum({t} ** 2)",
        "{t} = {x}[1:]\n{t}[0] *= k\n{y} = {y} + np.sum({t} ** 2)",
        "{t} = {x}[::-1]\n{t}[:2] *= k\n{y} = {y} + np.sum({t} ** 2)",
        "{t} = {x}.reshape(-1)\n{t}[0] *= k\n{y} = {y} + np.sum({t} ** 2)",
    ],
}
# What is kept beside the state, how it begins, and what the loop does with it.
KEPT = {
    "total": (
        "total = 0.0",
        ["total += np.sum({x} * {y})", "total = total * k + {x}[1]", "total = max(total, np.max({x}))"],
    ),
    "hist": ("hist = []", ["hist.append({x})", "hist.append({x}.copy())", "hist.append({y} * k)"]),
    "H": (
        "H = np.zeros((3, len(u)))",
        ["H[i % 3] = {x}", "H[i % 3] += {x} * {y}", "H[i % 3, 1:] = {x}[1:]", "H[:, 1] *= {x}[1]", "{x} = {x} + H[0]"],
    ),
    "work": (
        "work = np.zeros_like(u)",
        [
            "lap_into({x}, work)\n{y} += dt * work",
            "np.multiply({x}, {y}, out=work)\n{y} -= dt * work",
            "work[:] = {x}\n{y} += work",
        ],
    ),
    "best": (
        "best = u",
        ["if np.sum({x}) > np.sum(best):\n    best = {x}", "if np.sum({x}) > np.sum(best):\n    best = {x}.copy()"],
    ),
    "old": (
        "old = np.zeros_like(u)",
        ["{t} = np.sum(({x} - old) ** 2)\nold = {x}\n{y} = {y} + {t} * k", "{y} = {y} - 0.1 * old\nold = {x}.copy()"],
    ),
}
RESULTS = {
    "": ["np.sum({x} * {y})", "{x}", "{x} * c + {y}", "({x}, {y})"],
    "total": ["total", "total + np.sum({x})"],
    "hist": ["np.sum({x}) + sum(np.sum(h ** 2) for h in hist)"],
    "H": ["H", "np.sum(H ** 2) + np.sum({y})"],
    "best": ["np.sum(best * {x})"],
}
# Where the state is: its vectors, how it is made, and its step.
STATES: dict[str, tuple[str, list[str], str]] = {
    "names": ("{}", ["u = u.copy()", "u = u * 1.0"], ""),
    "list": ("q[{}]", ["q = [u, v]", "q = [u.copy(), v.copy()]", "q = [u * k, v]"], ""),
    "rows": ("Q[{}]", ["Q = np.stack([u, v])", "Q = np.zeros((2, len(u)))\nQ[0] = u\nQ[1] = v"], ""),
    "entries": ('s["{}"]', ['s = {"u": u, "v": v}', "s = dict(u=u.copy(), v=v)", 's = {"u": u * k, "v": v}'], ""),
    "tuple": ("{}", [""], "u, v = step(u, v, A, c, k, dt, i)"),
    "dict": ('s["{}"]', ['s = {"u": u, "v": v}', 's = {"u": u.copy(), "v": v * k}'], "step(s, A, c, k, dt, i)"),
    "object": ("s.{}", ["s = SimpleNamespace(u=u, v=v)"], "s = step(s, A, c, k, dt, i)"),
    "method": ("s.{}", ["s = Model(u, v)"], "s.step(A, c, k, dt, i)"),
}


class Stepper:
    def __init__(self, r: random.Random) -> None:
        self.r, self.state = r, r.choice(list(STATES))
        self.kept = r.sample(list(KEPT), r.randint(1, 4))
        self.place, self.fresh = STATES[self.state][0], 0

    def vector(self, name: str) -> str:
        return self.place.format("uv".index(name) if self.state in ("list", "rows") else name)

    def filled(self, template: str) -> str:
        names = self.r.choice(["uv", "uv", "vu"])
        x, y = map(self.vector, names)
        if "{t}" in template:
            self.fresh += 1
        term = self.r.choice(TERMS)
        if self.r.random() < 0.3:
            term += f" {self.r.choice('+-')} 0.5 * {self.r.choice(TERMS)}"
        return template.replace("{e}", term).format(x=x, y=y, t=f"t{self.fresh}")

    def block(self, count: int, loop: bool, kept: bool, depth: int = 0) -> list[str]:
        return [line for _ in range(count) for line in self.statement(loop, kept, depth)]

    def statement(self, loop: bool, kept: bool, depth: int) -> list[str]:
        r = self.r
        kinds: list[str] = [*STATEMENTS, *(self.kept * 2 if kept else []), "exit" if loop else "bind"]
        kind = r.choice([*kinds, "if", "if", "else", "for"] if depth < 2 else kinds)
        inner: Callable[[bool], list[str]] = lambda loop: [  # noqa: E731
            "    " + line for line in self.block(r.randint(1, 2), loop, kept, depth + 1)
        ]
        match kind:
            case "if" | "else":
                lines = [f"if {self.filled(r.choice(TESTS))}:", *inner(loop)]
                return [*lines, "else:", *inner(loop)] if kind == "else" else lines
            case "for":
                return [f"for _ in range({r.randint(1, 3)}):", *inner(False)]
            case "exit":
                test = self.filled(r.choice(["np.sum({x}) > 1.5", "{y}[2] > 0.9"]))
                return [f"if {test}:", f"    {r.choice(['break', 'continue'])}"]
        return self.filled(r.choice(STATEMENTS[kind] if kind in STATEMENTS else KEPT[kind][1])).split("\n")

    def source(self) -> str:
        r = self.r
        _, starts, step = STATES[self.state]
        text = "from types import SimpleNamespace\n\nimport numpy as np\n" + HELPERS
        if step:
            if self.state == "method":
                self.place = "self.{}"
            body = self.block(r.randint(2, 5), False, False)
            self.place = STATES[self.state][0]
            returned = {"tuple": "return u, v", "object": "return s"}.get(self.state, "")
            lines = "\n".join("    " + line for line in [*body, returned] if line)
            match self.state:
                case "method":
                    inner = "\n".join("    " + line for line in lines.split("\n"))
                    copy = r.choice(["u", "u.copy()"])
                    text += (
                        f"class Model:\n    def __init__(self, u, v):\n        self.u = {copy}\n        self.v = v\n\n"
                    )
                    text += f"    def step(self, A, c, k, dt, i):\n{inner}\n\n\n"
                case "tuple":
                    text += f"def step(u, v, A, c, k, dt, i):\n{lines}\n\n\n"
                case _:
                    text += f"def step(s, A, c, k, dt, i):\n{lines}\n\n\n"
        start = [*(KEPT[n][0] for n in self.kept), *r.choice(starts).split("\n")]
        loop = r.choice(["for i in range(n):", "while i < n and np.sum({x}) < 5.0:"]).format(x=self.vector("u"))
        if loop.startswith("while"):
            start.append("i = 0")
        body = [*(["i += 1"] if loop.startswith("while") else []), *([step] if step else [])]
        body += self.block(r.randint(0, 2) if step else r.randint(2, 5), True, True)
        result = self.filled(r.choice([e for n in ("", *self.kept) for e in RESULTS.get(n, ())]))
        lines = "\n".join(
            "    " + line
            for line in [*start, loop, *("    " + b for b in body or ["pass"]), f"return {result}"]
            if line
        )
        stated = "# s2s: u (m,), v (m,), A (m, m), c (m,)\n" if r.random() < 0.7 else ""
        return f"{text}{stated}def f(u, v, A, c, k: float, dt: float, n: int):\n{lines}\n"


def drawn(seed: int) -> Program:
    source = Stepper(random.Random(seed)).source()
    q = np.random.default_rng(seed)
    vectors = (q.uniform(-0.8, 0.8, 5), q.uniform(-0.8, 0.8, 5), q.uniform(-0.4, 0.4, (5, 5)), q.uniform(-0.8, 0.8, 5))
    return program(f"steppers {seed}", source, (*vectors, 0.6, 0.3, int(q.choice([0, 1, 2, 2, 3]))), ())
