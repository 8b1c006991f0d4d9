"""Random programs of everyday Python: numbers s, t, vectors u, v, w of three, lists, lists of lists, dicts and objects.

Generator expressions, `reduce`, `partial`, `operator`, `zip(*rows)`, properties and class methods, keys that the run
decides, flags that are None, recursion, decorated helpers, views taken in loops, `argsort`, loops with `else`: each a
statement or an expression over names that other statements bind, write and read.
"""

from __future__ import annotations

import random
import re

import numpy as np

import control
from programs import Program

HEAD = """import functools
import operator
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import NamedTuple

import numpy as np
"""
NEEDED = {
    "Pair": """class Pair(NamedTuple):
    a: float
    b: object

    def dot(self, k=1.0):
        return self.a * np.sum(self.b) * k

    @property
    def half(self):
        return 0.5 * self.a
""",
    "Cell": """@dataclass
class Cell:
    s: float
    u: object
    k: float = 0.7

    @classmethod
    def of(cls, u, s=0.4):
        return cls(s * u[0], u * s)

    @staticmethod
    def squash(z):
        return np.tanh(z)

    @property
    def size(self):
        return self.k * self.s + self.u[-1]

    def __call__(self, z):
        return self.squash(z * self.k) + self.s

    def step(self, z=None):
        if z is None:
            z = self.s
        self.s = self.squash(z + self.u[0])
        return self

    def write(self, i, z):
        self.u[i] = z * self.k
""",
    "Sub": """class Sub(Cell):
    def step(self, z=None):
        super().step(z)
        self.u = self.u[::-1] * self.s
        return self

    @property
    def size(self):
        return 2.0 * self.s
""",
    "weigh": """def weigh(*parts, scale=1.0, **more):
    total = scale
    for p in parts:
        total = total * 0.5 + np.sum(p)
    for key in sorted(more):
        total += 0.3 * np.sum(more[key])
    return total
""",
    "maybe": """def maybe(z, u=None, mode="add"):
    if u is None:
        return z * 0.6
    if mode == "add":
        return z + u[1]
    elif mode == "mul":
        return z * u[0]
    return z
""",
    "fold": """def fold(u, i=0):
    if i >= len(u):
        return 0.2
    return np.sin(u[i] + fold(u, i + 1))
""",
    "even": """def even(z, n):
    return z * 0.9 if n == 0 else odd(np.sin(z), n - 1)


def odd(z, n):
    return z + 0.1 if n == 0 else even(z * 0.7, n - 1)
""",
    "halve": """def halve(u):
    if len(u) < 2:
        return u[0] * 0.8
    m = len(u) // 2
    return np.tanh(halve(u[:m]) * halve(u[m:]) + 0.5)
""",
    "nudge": """def nudge(u, z, i=0):
    u[i] += np.tanh(z)
    return u
""",
    "maker": """def maker(z, u):
    def inner(p):
        return p * z + u[1]

    return inner
""",
    "apply": """def apply(g, *args, times=1):
    for _ in range(times):
        args = (g(*args), *args[1:])
    return args[0]
""",
    "rates": """RATES = {"slow": 0.3, "fast": 1.2}


def rates(z, name="slow"):
    return RATES[name] * z
""",
}

EXPRESSIONS = [
    "sum(p * {a} for p in {v})",
    "sum(p * q for p, q in zip({v}, {w}))",
    "sum(k * p for k, p in enumerate({v}, 1)) * 0.2",
    "max(p * {a} for p in {v})",
    "min([{a}, {b}, {v}[0]])",
    "max({L}, key=lambda p: p * p)",
    "sum(p for p in {v} if p > {c})",
    "sum(sum(p * q for q in {w}) for p in {v}) * 0.1",
    "reduce(lambda p, q: p * 0.5 + q, {v}, {a})",
    "reduce(operator.mul, [{a}, {b}, {v}[0]])",
    "functools.reduce(operator.add, {v})",
    "partial(maybe, u={v}, mode={m})({a})",
    "partial(weigh, {v}, scale={a})({b})",
    "operator.add({a}, {b}) * operator.neg({a})",
    "operator.itemgetter(1)({v})",
    "sum(map(lambda p, q: p * q, {v}, {w}))",
    "sum(map(np.sin, {v}))",
    "sum(map(operator.mul, {v}, {w}))",
    "sum(filter(lambda p: p > {c}, {v}))",
    "np.sum([np.sin(p) for p in {v}])",
    "np.prod([p for row in {R} for p in row][:3])",
    "sum(row[1] * {a} for row in {R})",
    "sum(np.prod(col) for col in zip(*{R}))",
    "{R}[-1][0] * {R}[0][1]",
    "len({L}) * {a}",
    "{L}[-1] * {L}[0]",
    "sum({L}[1:])",
    "sum({L}[::-1][:2])",
    "sum({D}.values())",
    "sum(p * k for k, p in {D}.items())",
    "{D}[{n}]",
    "{D}.get({n}, {a})",
    "weigh({v}, {a}, *{L}[:2], scale={b}, q={w})",
    "maybe({a}, {v}, mode={m})",
    "maybe({a}, None if {T} else {v})",
    "maybe({a})",
    "fold({v})",
    "even({a}, n)",
    "halve({v})",
    "maker({a}, {v})({b})",
    "apply(maker({a}, {v}), {b}, times=2)",
    "rates({a}, name={m2})",
    "({a} if any(p > {c} for p in {v}) else {b})",
    "({a} if all(p > {c} for p in {v}) else {b})",
    "Pair({a}, {v}).dot({b})",
    "Pair(b={v}, a={a})._replace(a={b}).half",
    "{O}.size",
    "{O}.s",
    "{O}({a})",
    "{O}.step({a}).s",
    "Cell.of({v}).size",
    "Cell.squash({a})",
    "replace(Cell({a}, {v}), k={b}).size",
    "[lambda p: p * {a}, np.sin, np.tanh][{n}]({b})",
    "{{'a': np.sin, 'b': lambda p: p * {a}}}['b']({b})",
    "{v}[np.argsort({w})][0]",
    "{v}[np.argmax({w})]",
    "sorted({v})[1]",
    "np.sort({v})[-1] * {a}",
    "np.dot(*[{v}, {w}])",
    "float({v}[1] * {a})",
    "abs({a}) * {b}",
    "pow({a}, 2)",
    "round(3) * {a}",
    "np.add.reduce({v})",
]
VECTORS = [
    "{v} * {a}",
    "{v} + {w}",
    "{v}[::-1]",
    "np.sin({v})",
    "np.array([p * {a} for p in {v}])",
    "np.array(list(map(lambda p: p * {a}, {v})))",
    "np.array([max(p, {c}) for p in {v}])",
    "np.array({L}[:3])",
    "np.array([{a}, *{L}[:2]])",
    "np.array([*{v}[:2], {a}])",
    "np.asarray([q for q in reversed({v})])",
    "np.array([sum(col) for col in zip(*{R}, [{a}, {b}, 0.3])])",
    "{v}[np.argsort({w})]",
    "{v}[[2, 0, 1]]",
    "np.where({v} > {c}, {v}, {w})",
    "np.atleast_1d({v})",
    "nudge({v}.copy(), {a}, i={n})",
    "nudge({v}, {a})",
    "np.stack([{v}, {w}])[{n} % 2]",
    "np.vstack({R})[0]",
    "np.array({R})[:, 1].repeat(3)[:3]",
    "reduce(np.multiply, [{v}, {w}, {v}])",
    "reduce(lambda p, q: np.sin(p) + q, {R})",
    "sum([{v}, {w}])",
    "sum((np.sin(row) for row in {R}), {v})",
    "{O}.u",
    "{O}.u * {a}",
    "partial(np.multiply, {v})({w})",
    "Pair({a}, {v}).b",
    "np.concatenate([{v}[:k] if k else {v}[:1] for k in (0, 2)])",
    "np.column_stack(({v}, {w}))[:, {n} % 2]",
    "np.cumsum({v})",
    "np.linspace({a}, {b}, 3)",
]
STATEMENTS = [
    "{s} = {e}",
    "{s} = {e}",
    "{s} = {e}",
    "{s} += {e}",
    "{s} *= {e}",
    "{V} = {E}",
    "{V} = {E}",
    "{V} *= {e}",
    "{V} += {E}",
    "{V}[{i}] = {e}",
    "{V}[{i}] += {e}",
    "{V}[1:] = {V}[:-1] * {a}",
    "{V}[{i}], {V}[{j}] = {V}[{j}], {V}[{i}]",
    "{V}[{i}], {W}[{j}] = {W}[{j}], {V}[{i}] * {a}",
    "{V}, {W} = {W}, {V}",
    "{V}[[0, 1]] = {V}[[1, 0]]",
    "{V}[np.argsort({W})] = {E}",
    "{V}[{W} > {c}] = {a}",
    "{V}[{W} > {c}] *= {a}",
    "np.copyto({V}, {E})",
    "np.multiply({V}, {w}, out={W})",
    "np.negative({V}, {V})",
    "np.add.at({V}, [0, 0, 2], {E})",
    "{V}.sort()",
    "{V}.fill({e})",
    "nudge({V}, {e}, i={n})",
    "{V} = nudge({V}, {e})",
    "for row in {R}:\n    row[{i2}] = row[0] * {a}",
    "for row in {R}:\n    row *= {a}",
    "for row, p in zip({R}, {v}):\n    row[1] += p",
    "for col in zip(*{R}):\n    {s} = {s} + col[0] * col[1]",
    "for k in range(2):\n    view = {V}[k:]\n    view *= {a}",
    "for k in range(3):\n    view = {V}[k : k + 1]\n    view[:] = np.tanh(view * {a})",
    "for k, row in enumerate({R}):\n    {V}[k] = row[1] * {a}",
    "for k, (p, q) in enumerate(zip({V}, {W})):\n    {s} += k * p * q",
    "for p in {L}:\n    {s} = np.sin({s} * p)",
    "for k, p in {D}.items():\n    {s} = {s} + k * p",
    "for k in {D}:\n    {D}[k] = {D}[k] * {a}",
    "for k in sorted({D}):\n    {s} = np.tanh({s} + {D}[k])",
    "for _ in range(n):\n    {L}.append({L}[-1] * {a})",
    "for k in range(len({L})):\n    {L}[k] = {L}[k] * {a} + {s}",
    "for k in range(len({L}) - 1):\n    {L}[k], {L}[k + 1] = {L}[k + 1], {L}[k]",
    "while {L} and {L}[-1] > {c}:\n    {s} += {L}.pop()",
    "{L}.append({e})",
    "{L}[{i2}] = {e}",
    "{L}.extend([{a}, {b}])",
    "{L}.insert(0, {e})",
    "{L} += [{e}]",
    "{L} = {L} + [{a}]",
    "{L} = {L}[1:] + [{e}]",
    "{L} = [p * {a} for p in {L}]",
    "{L} = sorted({L})",
    "{L}.sort()",
    "{L}.reverse()",
    "del {L}[0]\n{L}.append({a})",
    "{L}[1:] = [{a}, {b}]",
    "{s}, *rest = {L}\n{s} += sum(rest)",
    "{s}, *_, {t} = {L}",
    "{R}[{i2}] = {E}",
    "{R}[{i2}][{i}] = {e}",
    "{R}[{i2}] *= {a}",
    "{R}.append({E})",
    "{R}[0], {R}[1] = {R}[1], {R}[0]",
    "{R} = [{E} for p in {v}][:2]",
    "{R} = [[p * q for q in {w}] for p in {v}]\n{R}[1][0] *= {a}\n{R} = [np.array(row) for row in {R}]",
    "{V} = {R}[{i2}]",
    "{D}[{n}] = {e}",
    "{D}[{n}] *= {a}",
    "{D}[n + 5] = {e}",
    "{D}[{n}] = {D}.get({n}, 0.0) + {a}",
    "{D} = {{k: p * {a} for k, p in {D}.items()}}",
    "{D}.setdefault(7, {a})",
    "if {n} in {D}:\n    {s} += {D}[{n}]",
    "{O}.s = {e}",
    "{O}.u = {E}",
    "{O}.u[{i}] = {e}",
    "{O}.k *= {a}",
    "{O}.step()",
    "{O}.write({n}, {e})",
    "{O} = replace({O}, s={a})",
    "{O} = {O}.step({a})",
    "{s}, {V} = Pair({a}, {E})",
    "pair = Pair({a}, {E})\n{s} = pair.dot() + pair.half",
    "flag = None\nif {T}:\n    flag = {e}\nif flag is not None:\n    {s} = flag * {a}",
    "best = None\nfor p in {V}:\n    if best is None or p > best:\n        best = p\n{s} = best * {a}",
    "mode = {m} if {T} else {m}\n{s} = maybe({a}, {V}, mode=mode)",
    "match mode0:\n    case 'add':\n        {s} = {e}\n    case 'mul' | 'sub':\n        {s} = {e}",
    "match n:\n    case 0 | 1:\n        {s} = {e}\n    case k if k > 2:\n        {V}[0] = {e}\n"
    "    case _:\n        {s} *= {a}",
    "match {V}.tolist():\n    case [p, q, _]:\n        {s} = p * q",
    "match ({a}, {b}):\n    case (p, q) if p > q:\n        {s} = p\n    case (p, _):\n        {s} = p * 0.5",
    "with np.errstate(divide='ignore'):\n    {S}",
    "with np.errstate(all='ignore'):\n    {s} = np.log(1.2 + {s} ** 2)",
    "try:\n    {S}\nfinally:\n    {s} = {s} * 0.5",
    "try:\n    {S}\nexcept (ValueError, KeyError):\n    {s} = 0.0\nelse:\n    {s} += {a}",
    "if {T}:\n    {S}\nelse:\n    {S}",
    "if {T}:\n    {S}\n    {S}",
    "for k in range(3):\n    {S}\n    {S}",
    "for k in range(n):\n    {S}",
    "for k in range(3):\n    {S}\n    if {T}:\n        break\nelse:\n    {S}",
    "for k in range(4):\n    if {T}:\n        continue\n    {S}",
    "c = 0\nwhile c < n:\n    c += 1\n    {S}\nelse:\n    {S}",
    "c = 3\nwhile True:\n    c -= 1\n    {S}\n    if c <= 0 or {T}:\n        break",
    "c = 0\nwhile (c := c + 1) < 4:\n    {S}",
    "def inner(p, q={a}):\n    return p * q + {V}[0]\n\n{s} = inner({e}) + inner({a}, {b})",
    "def change(p):\n    {V}[1] = p * {a}\n\nchange({e})\nchange({b})",
    "def count(p):\n    nonlocal {s}\n    {s} = {s} * 0.5 + p\n\nfor p in {W}:\n    count(p)",
    "gs = [np.sin, np.cos, lambda p: p * {a}]\nfor g in gs:\n    {s} = g({s})",
    "pick = np.sin if {T} else np.cos\n{s} = pick({e})",
    "assert {s} > -1e9, 'low'",
    "if {s} > 1e9:\n    raise ValueError('high')",
    "args = ({a}, {V})\n{s} = maybe(*args)",
    "kw = dict(u={V}, mode={m})\n{s} = maybe({a}, **kw)",
    "{s} = {t} = {e}",
    "{V}[:] = {W} = {E}",
    "a0 = b0 = np.zeros(3)\na0[1] = {e}\n{V} = b0 + {V}",
    "lo, hi = min({V}), max({V})\n{s} = (hi - lo) * {a}",
    "tmp = {V}.copy()\ntmp[{i}] *= {a}\n{V} = tmp",
    "tmp = {V}[:2]\ntmp[0] = {e}\n{s} += {V}[0]",
    "hist = []\nfor p in {V}:\n    {s} = np.sin({s} + p)\n    hist.append({s})\n{s} = sum(hist) * 0.3",
    "hist = [{V}]\nfor k in range(2):\n    hist.append(np.sin(hist[-1] * {a}))\n{V} = hist[-1]",
    "hist = np.empty((3, 3))\nfor k in range(3):\n    hist[k] = {V} * {a}\n"
    "    {V} = np.sin(hist[k])\n{s} += hist.mean()",
    "stack = [{a}, {b}]\nwhile stack:\n    p = stack.pop()\n    {s} = np.tanh({s} * p)",
    "{s} = {e} if {T} else {e}",
    "{V} = {E} if {T} else {E}",
    "if (z := {e}) > {c}:\n    {s} = z * z",
    "{s} = ({T}) * {a} + {s}",
    "{V} = ({V} > {c}) * {V}",
    "cols = list(zip({V}, {W}))\n{s} = sum(p * q for p, q in cols)",
    "ps, qs = zip(*[(p, p * {a}) for p in {V}])\n{s} = sum(ps) * qs[0]",
    "grid = [[0.0] * 3 for _ in range(2)]\nfor k in range(2):\n    for m in range(3):\n"
    "        grid[k][m] = {V}[m] * {a} + k\n{s} = grid[1][0] * grid[0][2]",
    "memo = {{}}\nfor k in range(4):\n    memo[k] = {a} if k < 2 else np.sin(memo[k - 1] + memo[k - 2])\n{s} = memo[3]",
    "groups = {{0: [], 1: []}}\nfor k, p in enumerate({V}):\n    groups[k % 2].append(p)\n"
    "{s} = sum(groups[0]) * {a} + sum(groups[1])",
    "{V} = np.array([{V}[(k + 1) % 3] - {V}[k - 1] for k in range(3)])",
]
MODES, NAMES = ("'add'", "'mul'", "'none'"), ("'slow'", "'fast'")


class Writer:
    """Fills in templates: a capital letter is a name or a statement, a small one is read."""

    def __init__(self, r: random.Random) -> None:
        self.r = r

    def fill(self, template: str, depth: int, in_loop: bool) -> str:
        return re.sub(r"\{\{|\}\}|\{(\w+)\}", lambda m: self.piece(m[1], depth, in_loop) if m[1] else m[0][0], template)

    def piece(self, kind: str, depth: int, in_loop: bool) -> str:
        pick = self.r.choice
        match kind:
            case "s" | "t":
                return pick("st")
            case "V" | "W":
                return pick(["u", "v", "w", "w"])
            case "v" | "w":
                return pick(["u", "v", "w", "w", "u * y", "x * w"] if depth else "uvw")
            case "a" | "b":
                return pick(["x", "y", "s", "t", "u[0]", "v[-1]", "w[1]", "0.7"])
            case "c":
                return pick(["0.1", "-0.4", "s", "x"])
            case "n":
                return pick(["n % 3", "1", "0"])
            case "i" | "j":
                return pick(["0", "1", "2", "-1", "n % 3"])
            case "i2":
                return pick(["0", "1", "-1"])
            case "m":
                return pick(MODES)
            case "m2":
                return pick(NAMES)
            case "L" | "R" | "D" | "O":
                return {"L": "items", "R": "rows", "D": "table", "O": "cell"}[kind]
            case "T":
                return pick(
                    [
                        *("s > 0.2", "x < y", "u[1] > w[0]", "n > 1", "len(items) > 2", "not t > 0.3", "0 < s < 0.8"),
                        *("mode0 == 'add'", "any(p > 0.6 for p in v)", "n in (1, 3)", "y > 0 and s < t"),
                    ]
                )
            case "e":
                text = self.fill(pick(EXPRESSIONS), depth + 1, in_loop) if self.r.random() < 0.75 else pick("xyst")
                return f"np.tanh({text})" if in_loop or self.r.random() < 0.2 else text
            case "E":
                text = self.fill(pick(VECTORS), depth + 1, in_loop)
                return f"np.tanh({text})" if in_loop and self.r.random() < 0.5 else text
            case "S":
                if depth > 2:
                    return "s = np.sin(s + x)"
                return self.statement(depth + 1, True)
        raise KeyError(kind)

    def statement(self, depth: int, in_loop: bool) -> str:
        template = self.r.choice(STATEMENTS)
        lines = []
        for line in template.split("\n"):
            pad = line[: len(line) - len(line.lstrip())]
            # one name for a letter in a template is not kept: each place draws its own
            lines += [pad + part if part else part for part in self.fill(line.lstrip(), depth, in_loop).split("\n")]
        return "\n".join(lines)


def program(r: random.Random, size: int = 5) -> Program | None:
    """One program, or None where what was written raises or gives no finite number."""
    w = Writer(r)
    body = [
        "s = x * y",
        "t = x - 0.3",
        r.choice(["w = u * v", "w = v[::-1]", "w = u + 1.0", "w = np.array([x, y, 0.4])", "w = u.copy()"]),
        r.choice(["items = [x, y, 0.5]", "items = [p * y for p in u]", "items = list(v)", "items = [s] * 3"]),
        r.choice(["rows = [u * x, v]", "rows = [np.sin(u), v * y]", "rows = [w * p for p in (x, y)]", "rows = [u, v]"]),
        r.choice(["table = {0: x, 1: y, 2: s}", "table = {n: x, n + 1: y}"]),
        r.choice(["cell = Cell(x, u * y)", "cell = Cell.of(v)", "cell = Cell(s=y, u=v, k=x)", "cell = Sub(x, u)"]),
        r.choice(["mode0 = 'add'", "mode0 = 'mul' if n > 1 else 'add'", "mode0 = 'sub'"]),
    ]
    for _ in range(r.randint(2, size + 2)):
        body += w.statement(0, False).split("\n")
    body.append(
        r.choice(
            [
                "return s + t + np.sum(u * v) + w @ w",
                "return s * np.sum(w) + sum(items) + np.sum(rows[0] * u)",
                "return sum(table.values()) + cell.s * t + np.sum(cell.u) + np.sum(w)",
                "return np.sum(rows) + s + cell.size + w[0]",
            ]
        )
    )
    used = needed("\n".join(body))
    body = without_unread(body, r)
    functions = "\n\n".join(text for name, text in NEEDED.items() if name in used)
    pragma = "# s2s: u (3,), v (3,), x (), y ()\n" if r.random() < 0.85 else ""
    source = f"{HEAD}\n\n{functions}\n\n{pragma}def f(x, y, u, v, n):\n"
    source += "".join(f"    {line}\n" if line else "\n" for line in body)
    rng = np.random.default_rng(r.getrandbits(32))
    args = (*rng.uniform(-1.2, 1.2, 2).tolist(), *rng.uniform(-1.2, 1.2, (2, 3)), r.randrange(4))
    value = control.number(source, args, evaluated=True)
    if value is None or abs(value) > 1e6:
        return None
    wrt = tuple(name for name in ("x", "y", "u", "v") if r.random() < 0.85) or ("x",)
    return Program(source, args, wrt, ("x", "y", "u", "v", "n"), True)


def without_unread(body: list[str], r: random.Random) -> list[str]:
    """Most programs bind only the structures that they use."""
    for name in ("items", "rows", "table", "cell", "mode0"):
        if sum(bool(re.search(rf"\b{name}\b", line)) for line in body) == 1 and r.random() < 0.9:
            body = [line for line in body if not re.match(rf"{name} = ", line)]
    return body


def needed(text: str) -> set[str]:
    """The functions and classes that a text names, and those that these name."""
    found: set[str] = set()
    while True:
        new = {n for n in NEEDED if n not in found and re.search(rf"\b{n}\b", text)}
        if not new:
            return found
        found |= new
        text = "\n".join(NEEDED[n] for n in found)
