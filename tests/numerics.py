"""Random programs of numerics on two axes: 3 by 3 arrays A and B, vectors v and w, a number s.

Rows and columns that are written and swapped, reductions along an axis, `out=`, `where=`, keys of integers and masks,
ufuncs in place, loops with `break`, `continue` and `else`, over numbers and over rows. Names are views of each other
now and then, and no rank is stated.
"""

from __future__ import annotations

import copy
import random

import numpy as np

from programs import Program

NUMBERS = ["v[0]", "w[-1]", "A[0, 1]", "B[-1, 2]", "x[1]", "s", "A[1][2]", "np.sum(A[0])", "v.mean()", "B[:, 1].sum()"]
ROWS = [
    *("v", "w", "A[0]", "B[-1]", "x[:3]", "A[2, :]", "B[:, 1]", "A.T[0]", "v[::-1]", "A[::-1, 1]", "B[1][::-1]"),
    "w.copy()",
]
MADE_ROWS = [
    *("A.sum(axis=0)", "np.mean(B, axis=1)", "np.sum(A * B, axis=-1)", "np.max(A, axis=0)", "np.min(B, axis=1)"),
    *("np.cumsum(v)", "np.prod(A, axis=0) * 0.1", "A @ v", "v @ B", "np.dot(A, w)", "np.einsum('ij,j->i', A, v)"),
    *("np.einsum('ii->i', B)", "np.diag(A)", "A[[0, 1, 1], [2, 0, 0]]", "v[[2, 0, 0]]", "B[np.array([0, 2, 1]), 1]"),
    *("np.where(v > 0.2, v, w)", "np.clip(w, -0.9, 1.7)", "np.sum(A, axis=0, where=B > 0.1)", "np.roll(v, 1)"),
    "np.add(v, w, where=np.array([True, False, True]), out=np.zeros(3))",
    *("np.sum(A, 0, initial=0.5)", "np.flip(w)", "np.take(v, [0, 0, 2])", "np.append(v[:2], w[0])", "np.sort(v)"),
    *("np.concatenate([v[:1], w[1:]])", "np.hstack((v[:2], s))", "np.diff(A, axis=1)[:, 0]"),
]
MATRICES = [
    *("A", "B", "A.T", "B[::-1]", "A[:, ::-1]", "B.copy()", "A[[2, 0, 1]]", "B[:, [1, 1, 0]]", "np.outer(v, w)"),
    *("A.reshape(3, 3)", "B.ravel().reshape(3, 3)"),
]
MADE_MATRICES = [
    *("A @ B", "np.matmul(A, B.T)", "np.einsum('ij,jk->ik', A, B)", "np.tensordot(A, B, axes=1)"),
    *("A - A.mean(axis=0)", "B / (2.5 + np.abs(B).sum(axis=1, keepdims=True))", "A * v[:, None]", "B + v"),
    *("np.where(A > B, A, B * 0.5)", "np.tril(A)", "np.cumsum(A, axis=1)", "np.stack([v, w, v])"),
    *("np.array([v, w, A[0]])", "np.maximum(A, v)", "np.broadcast_to(v, (3, 3)) * B", "np.vstack((A[:2], w))"),
    *("np.swapaxes(A, 0, 1)", "np.roll(A, 1, axis=0)", "np.tile(v, (3, 1))", "np.add(A, B, out=np.empty((3, 3)))"),
    *("np.multiply(A, B, out=B)", "np.add(A[::-1], B, out=A)", "np.add.outer(v, w)"),
    *("np.pad(A[1:, 1:], ((1, 0), (0, 1)))", "np.repeat(v, 3).reshape(3, 3)"),
]
KEYS = ["1:", "::2", ":-1", "::-1", "1:, 1:", ":2, ::-1", "[0, 2]", "[1, 1]", "np.array([2, 0])", "...", "1:2", ":, :2"]
KEYS += ["None", "-2:"]
VIEWS_OF_MATRICES = ["A.T", "B[::-1]", "A", "B", "A[:, ::-1]", "np.transpose(A)", "A.reshape(3, 3)", "np.asarray(B)"]
ROWS_OF = ["{}[0]", "{}[:, 1]", "{}.T[1]", "{}[::-1][0]", "np.diag({}).copy()", "{}.ravel()[:3]", "{}.reshape(-1)[::3]"]
IN_ROWS = [
    *("row *= x[1]", "row[1:] += row[:-1]", "s = s + row[0] * row[1]", "row += v", "row[0] = s", "v = row * 0.5"),
    *("v = row", "row[...] = np.sin(row)"),
]
HEADS = [
    "    A = np.outer(x[:3], x[1:]) * 0.6\n    B = x[:3, None] - 0.5 * x[None, 1:]",
    "    A = np.empty((3, 3))\n    A[...] = x[1:] * 0.7\n    A[1] += x[:3]\n    A[2, 1] *= x[3]\n"
    "    B = np.zeros((3, 3)) + x[1:] * x[0]\n    B[:, 2] = np.sin(x[:3])",
]
VECTORS = [
    "    v = x[:3] * 0.5\n    w = np.cos(x[1:])",
    "    v = x[1:].copy()\n    w = A[1]",
    "    v = B[:, 0] * 1.0\n    w = x[1:] * 0.3",
]
RESULTS = ["np.sum(s * A + v)", "np.sum(A * B) + s + v @ w", "np.sum(A @ v + B @ w) + s", "np.sum((A + B) * w - v * s)"]


class Writer:
    """Writes the lines of one function."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.lines: list[str] = []

    def number(self) -> str:
        return self.r.choice([*NUMBERS, "0.7"])

    def row(self, d: int = 0) -> str:
        c = self.r.random()
        if c < 0.5:
            return self.r.choice(ROWS if c < 0.35 else MADE_ROWS)
        if d > 1:
            return "v"
        if c < 0.7:
            return f"({self.row(d + 1)} {self.r.choice('+-*')} {self.row(d + 1)})"
        if c < 0.8:
            return f"np.sin({self.row(d + 1)})"
        if c < 0.9:
            return f"{self.number()} * {self.row(d + 1)}"
        return f"({self.row(d + 1)} if {self.number()} > 0.3 else {self.row(d + 1)})"

    def matrix(self, d: int = 0) -> str:
        c = self.r.random()
        if c < 0.5:
            return self.r.choice(MATRICES if c < 0.3 else MADE_MATRICES)
        if d > 1:
            return "A"
        if c < 0.75:
            return f"({self.matrix(d + 1)} {self.r.choice('+-*')} {self.matrix(d + 1)})"
        return f"np.cos({self.matrix(d + 1)})" if c < 0.9 else f"{self.number()} * {self.matrix(d + 1)}"

    def simple(self, loop: bool) -> str:
        """A statement of one line."""
        pick = self.r.choice
        m, n, o = pick("AB"), pick("vw"), pick(["+=", "-=", "*=", "="])
        i = "i" if loop and self.r.random() < 0.6 else pick(["0", "1", "-1"])
        few = pick(["s", "x[0]", "2.0", "v[1]", f"1.0 * {m}[0, 0]"])
        forms = [
            *[f"{m}[{i}] {o} {self.row()}", f"{m}[:, {i}] {o} {self.row()}", f"{m}[{pick(KEYS)}] {o} {few}"] * 3,
            *[f"{m}[1:] {o} {m}[:-1]{pick(['', ' * 0.5'])}", f"s = s + np.sum({self.row()}) * 0.3"] * 2,
            f"{m}[:, 1:] {o} {m}[:, :-1]",
            f"{m}[[0, 2]] = {m}[[2, 0]]",
            f"{m}[:, [0, 1]] = {m}[:, [1, 2]]",
            f"{m}[0], {m}[1] = {m}[1].copy(), {m}[0].copy()",
            f"{n}[0], {n}[1] = {n}[1], {n}[0]",
            f"{m}[{m} > {pick(['0.3', 's', 'v[0]'])}] {pick(['*=', '=', '+='])} {pick(['0.5', 's', 'x[2]'])}",
            f"{n}[{n} < w[0]] = {pick(['0.4', 's'])}",
            f"{n}[{pick(['1:', '::2', ':-1', '::-1', '...', ':'])}] {o} {pick(['s', 'x[0]', '2.0'])}",
            f"{n}[1:] {o} {n}[:-1]",
            f"{n} {o} {self.row()}",
            f"{m} {o} {self.matrix()}",
            f"{m} = {self.matrix()}",
            f"{n} = {pick(ROWS_OF).format(m)}",
            f"{m} = {pick(VIEWS_OF_MATRICES)}",
            f"s = s + {self.number()} * {self.number()}",
            f"s {pick(['*=', '-=', '+='])} {self.number()}",
            f"np.{pick(['add', 'multiply', 'subtract'])}({self.row()}, {self.row()}, out={pick([n, f'{m}[0]', n])})",
            f"np.add.at({n}, [0, 0, 2], {pick(['s', 'x[:3]', 'w', 'v'])})",
            f"np.copyto({pick([n, f'{m}[1]'])}, {self.row()}{pick(['', ', where=np.array([True, False, True])'])})",
            f"np.fill_diagonal({m}, {pick(['s', '0.5'])})",
            f"{n}.fill({pick(['s', '0.5'])})",
            f"{m}[...] = {self.matrix()}",
            f"np.clip({n}, -1.1, 1.2, out={n})",
            f"np.putmask({n}, {n} > 0.5, {pick(['w', 'v * 0.5'])})",
            f"np.sin({m}, out={m})",
        ]
        return pick(forms)

    def statement(self, depth: int, indent: int, loop: bool) -> None:
        p, c = "    " * indent, self.r.random()
        if c < 0.76 or depth > 2:
            self.lines.append(p + self.simple(loop))
        elif c < 0.89 and loop:
            self.lines += [
                f"{p}for row in {self.r.choice(['A', 'B', 'A.T', 'B[1:]'])}:",
                f"{p}    {self.r.choice(IN_ROWS)}",
            ]
        elif c < 0.89:
            self.loop(depth, indent)
        elif c < 0.96 or depth > 1 or loop:
            self.lines.append(f"{p}if {self.number()} > {self.number()}:")
            self.statement(depth + 1, indent + 1, loop)
            if self.r.random() < 0.5:
                self.lines.append(f"{p}else:")
                self.statement(depth + 1, indent + 1, loop)
        else:
            test = self.r.choice(["n < 3", "s < 1.5 and n < 3", "True"])
            self.lines += [f"{p}n = 0", f"{p}while {test}:", f"{p}    n += 1"]
            self.statement(depth + 1, indent + 1, False)
            self.lines += [f"{p}    if n > 2 or s > 3.0:", f"{p}        break"]
            self.statement(depth + 1, indent + 1, False)

    def loop(self, depth: int, indent: int) -> None:
        p = "    " * indent
        self.lines.append(f"{p}for i in range({self.r.choice(['3', '2, -1, -1', '1, 3'])}):")
        for _ in range(self.r.randint(1, 3)):
            self.statement(depth + 1, indent + 1, True)
        if self.r.random() < 0.4:
            self.lines.append(f"{p}    if {self.number()} > {self.r.choice(['0.9', '1.4', '0.1'])}:")
            if self.r.random() < 0.6:
                self.statement(depth + 2, indent + 2, True)
            self.lines.append(f"{p}        {self.r.choice(['break', 'continue', 'return np.sum(s * A + v)', 'break'])}")
            self.statement(depth + 1, indent + 1, True)
            if self.r.random() < 0.4:
                self.lines.append(f"{p}else:")
                self.statement(depth + 1, indent + 1, False)


def program(r: random.Random, size: int = 4) -> Program | None:
    """One program, or None where what was written raises or gives no finite number."""
    w = Writer(r)
    for _ in range(r.randint(2, size + 2)):
        w.statement(0, 1, False)
    parts = [r.choice(HEADS), r.choice(VECTORS), "    s = x[0] * x[1]", *w.lines, f"    return {r.choice(RESULTS)}"]
    source = "import numpy as np\n\n\ndef f(x):\n" + "\n".join(parts) + "\n"
    args = (np.random.default_rng(r.getrandbits(32)).uniform(-1.3, 1.3, 4),)
    namespace: dict[str, object] = {"__name__": "model"}
    try:
        exec(compile(source, "<numerics>", "exec"), namespace)
        with np.errstate(all="ignore"):
            value = namespace["f"](*copy.deepcopy(args))  # type: ignore[operator]
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError):
        return None
    if np.ndim(value) or not np.isfinite(value) or abs(value) > 1e6:
        return None
    return Program(source, args, ("x",), ("x",), True)
