"""Random programs that pick and scatter by arrays of integers and Booleans, and keep vectors in lists and dicts.

Two vectors and a matrix go through a loop: rows, columns, repeated places, masks, counts and complex numbers; vectors
lie in a list as themselves or as copies, and in a dict under keys that the run knows. The step stands in the loop, in a
helper, or in methods of a class and of one that extends it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from programs import Program
from traps import program

HELPERS = """
def spread(q, I):
    r = np.zeros_like(q)
    np.add.at(r, I, q)
    return r


def mark(q, m, k):
    q[m] = k * q[m]


def first(L):
    return L[0]


def grown(L, q):
    L.append(q)
    return L


def put(d, key, q):
    d[key] = q


"""

# {x} and {y} are two vectors of five, {M} a matrix of four rows; I has places of a vector with repeats, P without, m is
# a mask of it, J and m4 the same of the rows; i counts the loop.
TERMS = [
    "{x}[I]",
    "{x}[P] * {y}",
    "np.sum({x}[m]) * {y}",
    "{M}[i % 4] * {x}",
    "np.sum({M}[:, I[0]]) * {x}",
    "np.sum({M}[np.arange(4), I[:4]]) * {x}",
    "np.take({x}, I)",
    "np.sum({M}[J][:, I], axis=0)",
    "{M}[J[0], P]",
    "np.sum({M}[m4], axis=0)",
    "np.bincount(I, weights={x}, minlength=5)",
    "np.cumsum({x})[P]",
    "{x}[np.argsort({y})]",
    "np.sort({x})",
    "{x}[::-1][I]",
    "np.where(m, {x}, {y}[I])",
    "np.real(({x} + 1j * {y}) ** 2)",
    "np.abs({x} + 1j * ({y} + 2.0)) ** 2",
    "np.fft.ifft(np.fft.fft({x}) * {y}).real",
    "np.diff({x}, prepend=k)",
    "np.max({M}, axis=0) * {x}",
    "{M}.T @ {M}[:, 0]",
    "np.einsum('ij,j->j', {M}, {x})",
    "m * {x}",
    "({x} > {y}) * {x}",
    "counts * {x}",
    "(counts > 1) * {y}",
    "{x} / (1.0 + np.abs({y}))",
    "spread({x}, I)",
    "np.tile({x}[:1], 5)",
    "np.repeat({x}[[1, 3]], [2, 3])",
    "np.concatenate([{x}[m], {y}[~m]])",
    "np.outer({x}, {y})[P, I]",
    "np.take_along_axis({M}, np.argsort({M}, axis=1), axis=1)[0]",
    "{x}",
]
TESTS = ["np.sum({x}) > 0.3", "m[i % 5]", "I[i] > 1", "k > 0.4", "{x}[I[0]] > {y}[P[0]]", "name == 'a'"]
STATEMENTS = {
    "bind": ["{x} = {e}", "{x} = {x} + k * {e}", "{x} = {y}", "{x} = {y}.copy()"],
    "update": ["{x} += k * {e}", "{x} *= {e}", "{x} -= {e}"],
    "scatter": [
        "{x}[P] = {e}",
        "{x}[P] += {e}",
        "{x}[I] += k",
        "{x}[I] = k",
        "np.add.at({x}, I, {e})",
        "np.subtract.at({x}, I, {y})",
        "{x}[m] = {y}[m] * k",
        "{x}[m] *= {y}[m]",
        "{x}[~m] = 0.0",
        "{x}[{x} > {y}] = k",
        "{x}[np.argmax({y})] = k * {y}[0]",
        "j = int(np.argmin({x}))\n{y}[j] += {x}[j] * k",
        "{t} = np.flatnonzero({x} > 0.0)\n{y}[{t}] *= {x}[{t}]",
        "{x}[P[:2]], {x}[P[2:4]] = {x}[P[2:4]], k * {x}[P[:2]]",
        "np.copyto({x}, {y}, where=m)",
    ],
    "matrix": [
        "{M}[i % 4] = {e}",
        "{M}[i % 4] += {e}",
        "{M}[J] *= k",
        "{M}[:, I[0]] = {x}[:4]",
        "{M}[m4] += {x}",
        "{M}[i % 4, m] = {y}[m]",
        "{M}[{M} > k] *= 0.5",
        "{M} = {M}[[3, 1, 0, 2]]",
        "{M}[[0, 2]] = {M}[[2, 0]]",
        "{M}[:, ::2] -= np.sum({M}[:, 1::2], axis=1, keepdims=True)",
        "{t} = {M}[i % 4]\n{t} *= {x}",
        "for row in {M}:\n    row += {x} * k",
        "for j, row in enumerate({M}):\n    row[j] = {x}[j] * row[0]",
        "{t} = {M}[:, 1]\n{t}[:] = {t} * k",
        "{x} = {M}[1]",
        "{M}[np.arange(4), I[:4]] = {x}[:4]",
        "{M} = np.vstack([{M}[1:], {x}])",
    ],
    "list": [
        "{L}.append({x})",
        "{L}.append({x}.copy())",
        "{L}[-1] = {L}[-1] * k",
        "{L}[0] += {x}",
        "{L}[i % 2] = {e}",
        "{L}[-1][0] = k * {x}[1]",
        "{x} = {x} + sum({L})",
        "{x} = np.mean({L}, axis=0)",
        "{x} = np.array({L})[-1] * k",
        "{L} = [q * k for q in {L}]",
        "{x} = {L}[-1]",
        "for q in {L}:\n    {y} = {y} + q[0] * q",
        "{y} = first({L})",
        "{L} = {L} + [{y}]",
        "{L}.insert(0, {x} * k)",
        "{x}, {y} = {L}[0], {L}[-1]",
        "{L}[0], {L}[1] = {L}[1], {L}[0]",
        "{x} = {L}.pop()\n{L}.append({y})",
    ],
    "dict": [
        "{d}[i % 2] = {x}",
        "{d}[i % 3] = {d}.get(i % 3, 0.0) + {x}",
        "{d}.setdefault(i % 3, {x} * k)",
        "for key in {d}:\n    {d}[key] = {d}[key] * k",
        "for key, q in {d}.items():\n    {x} = {x} + q",
        "if i in {d}:\n    {y} = {y} * {d}[i]",
        "put({d}, i % 2, {x})",
        "{d}[0] += {x}",
        "{y} = sum({d}.values())",
        "{d}[1][0] = k",
        "{x} = {d}[0]",
    ],
    "counts": [
        "counts[I] += 1",
        "np.add.at(counts, I, 1)",
        "m = {x} > {y}",
        "m = m & ({x} > 0.0)",
        "I = I[::-1]",
        "P = np.argsort({x})",
        "s += {x}[I[0]] * np.sum(m)",
        "s = max(s, {x}[P[0]])",
        "s += len({L}) * k",
        "s += float(np.dot({x}[m], {y}[m]))",
    ],
    "complex": [
        "{t} = {x} + 1j * {y}\n{t} = {t} * {t}\n{x} = {t}.real\n{y} = {t}.imag",
        "{t} = np.exp(1j * {x})\n{y} = np.abs({t} + {y})",
        "{t} = {x} * (1.0 + 0.5j)\n{t}[P[:2]] *= 1j\n{y} = {t}.real + k * {t}.imag",
        "{t} = np.zeros(5, dtype=complex)\n{t}.real = {x}\n{t}.imag[m] = {y}[m]\n{y} = np.abs({t}) ** 2",
    ],
    "helper": ["mark({x}, m, k)", "{x} = spread({y}, I)", "{L} = grown({L}, {x})", "mark({M}, m4, k)"],
}
RESULTS = ["np.sum({x} * {y})", "{x} + {y}", "np.sum({M} ** 2) + s", "np.sum({x}) + s", "np.sum(sum({L}) * {y})"]
RESULTS += ["sum({d}.values()) * {x}", "({x}, {M})", "np.sum(np.array({L}) ** 2)", "{M} * s + {x}"]
STARTS = {
    "M": ["M = A.copy()", "M = A", "M = A * k", "M = np.zeros((4, 5))\nM[:] = v"],
    "L": ["L = [u, v]", "L = [u.copy(), v]", "L = [u * k, v * v]", "L = [u, u]", "L = [r * k for r in A]"],
    "d": ["d = {0: u, 1: v}", "d = {0: u * k, 1: v.copy()}", "d = {key: A[key] for key in range(2)}"],
}


class Gatherer:
    def __init__(self, r: random.Random) -> None:
        self.r, self.fresh, self.place = r, 0, "{}"
        self.kinds = r.sample(list(STATEMENTS), r.randint(2, 5))

    def filled(self, template: str) -> str:
        names = dict(zip("xy", self.r.choice(["uv", "uv", "vu"]), strict=True)) | {n: n for n in "MLd"}
        if "{t}" in template:
            self.fresh += 1
        if "{e}" in template:
            template = template.replace("{e}", self.r.choice(TERMS))
        places = {n: self.place.format(name) for n, name in names.items()}
        return template.format(t=f"t{self.fresh}", **places)

    def block(self, count: int, depth: int = 0) -> list[str]:
        return [line for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        r = self.r
        kind = r.choice([*self.kinds, "bind", *(["if", "else", "for"] if depth < 2 else [])])
        inner: Callable[[], list[str]] = lambda: [  # noqa: E731
            "    " + line for line in self.block(r.randint(1, 2), depth + 1)
        ]
        match kind:
            case "if" | "else":
                lines = [f"if {self.filled(r.choice(TESTS))}:", *inner()]
                return [*lines, "else:", *inner()] if kind == "else" else lines
            case "for":
                return [f"for _ in range({r.randint(1, 2)}):", *inner()]
        return self.filled(r.choice(STATEMENTS[kind])).split("\n")

    def source(self) -> str:
        r = self.r
        form = r.choice(["loop", "loop", "class", "sub"])
        text = "import numpy as np\n" + HELPERS
        start = [line for n in ("M" if form != "loop" else "MLd") for line in r.choice(STARTS[n]).split("\n")]
        start += r.choice(["u = u.copy()", "u = u * 1.0", ""]).split("\n")
        start += ["counts = np.zeros(5, dtype=int)", "s = 0.0"]
        if form != "loop":
            text += self.classes(form == "sub")
            start.append(f"q = {'Sub' if form == 'sub' else 'Base'}(u, v, M, A, k)")
            self.place = "q.{}"
        body = self.block(r.randint(3, 6) if form == "loop" else r.randint(0, 2))
        body += [] if form == "loop" else ["q.step(i, I, P, m, J, m4, counts, name)"]
        exits = self.filled(r.choice(["if np.sum({x}) > 3.0:\n    break", "if {y}[0] > 1.5:\n    continue", ""]))
        body += [line for line in exits.split("\n") if line]
        result = f"return {self.filled(r.choice(RESULTS))}"
        lines = [*start, "for i in range(n):", *("    " + b for b in body), result]
        stated = "# s2s: u (5,), v (5,), A (4, 5)\n" if r.random() < 0.6 else ""
        inside = "\n".join("    " + line for line in lines if line)
        return f"{text}{stated}def f(u, v, A, k: float, n: int, I, P, m, J, m4, name):\n{inside}\n"

    def classes(self, extended: bool) -> str:
        self.place = "self.{}"

        def method(head: str, body: list[str]) -> str:
            return f"    def {head}:\n" + "\n".join("        " + line for line in body) + "\n\n"

        step = "step(self, i, I, P, m, J, m4, counts, name)"
        own = ["k = self.k", "s = 0.0"]
        first = [f"self.{n} = {n}" for n in "uvMk"] + ["self.s = 0.0"]
        first += [f"self.{self.r.choice(STARTS[n])}" for n in "Ld"]
        text = "class Base:\n" + method("__init__(self, u, v, M, A, k)", first)
        text += method(step, [*own, *self.block(self.r.randint(2, 4)), "self.s = self.s + s"]) + "\n"
        if extended:
            call = "super().step(i, I, P, m, J, m4, counts, name)"
            parts = [self.block(self.r.randint(0, 2)), [call], self.block(self.r.randint(0, 2))]
            text += "class Sub(Base):\n" + method(step, [*own, *(line for p in parts for line in p)]) + "\n"
        return text


def drawn(seed: int) -> Program | None:
    """None where the program raises: a dict without the key, a list where an array is meant."""
    source = Gatherer(random.Random(seed)).source()
    q = np.random.default_rng(seed)
    vectors = (q.uniform(-0.9, 0.9, 5), q.uniform(-0.9, 0.9, 5), q.uniform(-0.9, 0.9, (4, 5)))
    places = (q.integers(0, 5, 5), q.permutation(5), q.random(5) > 0.5, q.permutation(4)[:2], q.random(4) > 0.5)
    I, P, m, J, m4 = places
    args = (*vectors, 0.6, int(q.choice([0, 1, 2, 2, 3])), I, P, m, J, m4, str(q.choice(["a", "b"])))
    try:
        return program(f"gathers {seed}", source, args, ())
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
