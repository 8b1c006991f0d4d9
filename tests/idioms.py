"""Random programs of Python's idioms: the grammar of tests/control.py, with what its functions and structures lack.

partial and reduce, zip(*pairs), dicts under keys that the run decides, starred calls, recursion whose depth depends on
the values, functions in dicts and tuples, functions that functions return, lists of lists, sorting by a key, flags that
are texts, `out=` into parts and under a mask.
"""

from __future__ import annotations

import random

import control
from programs import Program

HEAD = {
    "blend": """def blend(x, y, t=0.4):
    return x * t + np.sin(y) * (1.0 - t)
""",
    "make": """def make(x, u):
    def inner(q):
        return np.tanh(q * x) + u[1]

    return inner
""",
    "shrink": """def shrink(x, y):
    if abs(x) < 0.3:
        return x * y
    return shrink(0.5 * np.tanh(x), y) + 0.2 * x
""",
    "ping": """def ping(x, n):
    return x if n <= 0 else pong(np.sin(x), n - 1) * 0.9


def pong(x, n):
    return 0.5 * x if n <= 0 else ping(x * x + 0.1, n - 1)
""",
    "total": """def total(xs):
    if len(xs) == 0:
        return 0.0
    return np.tanh(xs[0] + 0.5 * total(xs[1:]))
""",
    "mix": """def mix(*us, scale=1.0, **more):
    w = 0.0 * us[0]
    for u in us:
        w = w + scale * u
    for k in more:
        w = w * more[k]
    return w
""",
    "mark": """def mark(*us, **more):
    us[0][1] = np.tanh(us[-1][0] * more.get("by", 0.7))
""",
    "Point": """class Point(NamedTuple):
    s: float
    u: np.ndarray
""",
    "State": """@dataclass
class State:
    s: float
    u: np.ndarray

    def add(self, x):
        self.s += x
        self.u[0] *= self.s
        return self
""",
}
IMPORTS = {
    "functools": "import functools",
    "operator": "import operator",
    "dataclass": "from dataclasses import dataclass",
    "NamedTuple": "from typing import NamedTuple",
}


class Writer(control.Writer):
    def statement(self) -> None:
        if self.chance(0.55):
            return super().statement()
        forms = [self.partial, self.reduce, self.pairs, self.keyed, self.keyed, self.starred, self.recursion, self.over]
        forms += [self.chosen, self.rows, self.ordered, self.flag, self.parts, self.record, self.lists_of, self.inside]
        self.r.choice(forms)()

    def set(self, e: str) -> None:
        """A scalar is bound to what e gives, or changed by it."""
        name = self.r.choice(self.scalars)
        if name in self.captured:
            self.put(f"_ = {e}")
        else:
            self.put(
                self.r.choice([f"{name} = {self.calm(e)}", f"{name} = {self.calm(e)}", f"{name} += {self.calm(e)}"])
            )

    def indented(self, *lines: str) -> None:
        self.indent += 1
        for line in lines:
            self.put(line)
        self.indent -= 1

    def partial(self) -> None:
        name = self.fresh("fn")
        form = self.r.choice(
            [
                f"functools.partial(blend, {self.scalar(1)})",
                f"functools.partial(blend, t={self.scalar(0)}, y={self.scalar(1)})",
                f"functools.partial(blend, {self.scalar(1)}, t={self.scalar(0)})",
                f"make({self.scalar(1)}, {self.r.choice(self.vectors)})",
                f"lambda q, {self.r.choice(self.scalars)}={self.scalar(0)}: np.sin(q) * {self.r.choice(self.scalars)}",
            ]
        )
        self.put(f"{name} = {form}")
        if self.indent == 1 and self.chance(0.5):
            self.closures[name] = ("s", "s")
        self.set(f"{name}({self.scalar(1)})")

    def reduce(self) -> None:
        u, v, s = self.r.choice(self.vectors), self.r.choice(self.vectors), self.r.choice(self.scalars)
        form = self.r.choice(
            [
                f"functools.reduce(lambda p, q: np.tanh(p * q + {s}), {u}, {self.scalar(1)})",
                f"functools.reduce(operator.mul, [{self.scalar(1)}, {self.scalar(0)}, {s}])",
                f"functools.reduce(lambda p, q: p + q * {s}, [q * {self.scalar(0)} for q in {u}])",
                f"np.sum(functools.reduce(np.multiply, [{u}, {v}, {self.vector(1)}]))",
                f"functools.reduce(blend, {u})",
                f"sum(map(lambda q: q * {s}, {u}))",
                f"sum(map(operator.mul, {u}, {v}))",
                f"operator.sub({self.scalar(1)}, {s})",
                f"np.sum(np.array(list(map(np.sin, {u}))))",
            ]
        )
        self.set(form)

    def pairs(self) -> None:
        name, a, b = self.fresh("pairs"), self.fresh("a"), self.fresh("b")
        u, v, s = self.r.choice(self.vectors), self.r.choice(self.vectors), self.r.choice(self.scalars)
        self.put(
            self.r.choice(
                [
                    f"{name} = [(q * {s}, p) for q, p in zip({u}, {v})]",
                    f"{name} = [({s}, {self.scalar(1)}), ({self.scalar(1)}, {self.scalar(0)})]",
                    f"{name} = list(zip({u}, {v}))",
                    f"{name} = [(k * {s}, q) for k, q in enumerate({u})]",
                ]
            )
        )
        if self.chance(0.3):
            self.put(f"{name}.append(({self.scalar(1)}, {self.scalar(0)}))")
        form = self.r.randrange(4)
        if form == 0:
            self.put(f"{a}, {b} = zip(*{name})")
            self.set(f"sum({a}) * {b}[0]")
        elif form == 1:
            self.put(f"{a}, {b} = map(np.array, zip(*{name}))")
            self.set(f"{a} @ {b}")
        elif form == 2:
            self.put(f"for {a}, {b} in {name}:")
            self.indent += 1
            self.set(f"{a} * {b}")
            self.indent -= 1
        else:
            self.set(f"sum(p * q for p, q in {name})")

    def keyed(self) -> None:
        """A dict under keys that the run decides."""
        d, k, q = self.fresh("d"), self.fresh("k"), self.fresh("q")
        u = self.r.choice(self.vectors)
        e = self.calm(self.scalar(1))
        key = self.r.choice([f"{k} % 2", f"int({u}[{k}] > 0.1)", f"min({k}, n)"])
        form = self.r.randrange(6)
        if form == 0:
            self.put(f"{d} = {{}}")
            self.put(f"for {k} in range(3):")
            self.indented(f"{d}[{key}] = {d}.get({key}, 0.3) * {u}[{k}] + {e}")
        elif form == 1:
            self.put(f"{d} = {{0: {e}, 1: {self.scalar(1)}, 2: 0.5}}")
            self.put(f"for {k} in range(3):")
            self.indented(f"{d}[{key}] {self.r.choice(['+=', '*=', '-='])} {u}[{k}]")
        elif form == 2:
            self.put(f"{d} = {{{k}: {q} * {self.scalar(0)} for {k}, {q} in enumerate({u})}}")
            self.put(f"{d}[n % 3] = {e}")
        elif form == 3:
            self.put(f"{d} = {{}}")
            self.put(f"for {k}, {q} in enumerate({u}):")
            self.indented(f"if {key} not in {d}:", f"    {d}[{key}] = {e}", f"{d}[{key}] = {d}[{key}] * {q}")
        elif form == 4:
            self.put(f'{d} = {{"a": {e}, "b": {self.scalar(0)}}}')
            self.put(f'for {k} in ("a", "b", "a"):')
            self.indented(f"{d}[{k}] = np.sin({d}[{k}]) * {self.scalar(0)}")
        else:
            self.put(f'{d} = {{"a": {self.vector(1)}, "b": {u} * 1.0}}')
            self.put(f'for {k} in ("a", "b"):')
            self.indented(
                self.r.choice([f"{d}[{k}] *= {self.scalar(0)}", f"{d}[{k}][1] = {e}", f"{d}[{k}] = {d}[{k}][::-1]"])
            )
            self.set(f'np.sum({d}["a"] * {d}["b"])')
            return
        if self.chance(0.4):
            self.put(f"for {k}, {q} in {d}.items():")
            self.indent += 1
            self.set(q)
            self.indent -= 1
        else:
            self.set(f"sum({d}.values())")

    def starred(self) -> None:
        a, k = self.fresh("args"), self.fresh("kw")
        u, v = self.r.choice(self.vectors), self.r.choice(self.vectors)
        form = self.r.randrange(5)
        if form == 0:
            self.put(f"{a} = ({self.scalar(1)}, {self.scalar(0)})")
            self.put(f'{k} = {{"w": {self.scalar(1)}, "x": {self.scalar(0)}}}')
            self.set(f"weigh(*{a}, **{k})")
        elif form == 1:
            self.set(f"np.sum(mix({u}, *[{v}, {self.vector(1)}], scale={self.scalar(1)}))")
        elif form == 2:
            self.set(f"np.sum(mix(*({u}, {v}), **dict(scale={self.scalar(0)}, by={self.scalar(1)})))")
        elif form == 3:
            self.put(f"mark({u}, *[{v}], by={self.scalar(1)})")
        else:
            self.set(f"blend(*{u})")

    def recursion(self) -> None:
        u, s = self.r.choice(self.vectors), self.scalar(1)
        forms = [f"shrink({s}, {self.scalar(0)})", f"ping({s}, n)", f"ping({s}, int({u}[0] > 0.0))"]
        self.set(self.r.choice([*forms, f"total({u})", f"total([{s}, {self.scalar(0)}])", f"total(list({u}))"]))

    def over(self) -> None:
        """Functions that are items."""
        u, s, fn = self.r.choice(self.vectors), self.r.choice(self.scalars), self.fresh("fn")
        form = self.r.randrange(4)
        if form == 0:
            self.put(f'{fn} = {{"a": np.sin, "b": lambda q: q * {s}}}')
            self.set(f'{fn}["{self.r.choice("ab")}"]({self.scalar(1)})')
        elif form == 1 and s not in self.captured:
            self.put(f"for {fn} in (np.sin, np.tanh, lambda q: q * {self.scalar(0)}):")
            self.indented(f"{s} = {fn}({s})")
        elif form == 2:
            self.put(f"{fn} = np.sin if {self.test()} else np.tanh")
            self.set(f"{fn}({self.scalar(1)})")
        else:
            self.set(f"sum(fn({u}[0]) for fn in (np.sin, np.cos))")

    def chosen(self) -> None:
        u, s = self.r.choice(self.vectors), self.r.choice(self.scalars)
        form = self.r.choice(
            [
                f"max({u}, key=lambda q: q * q)",
                f"min(q * {s} for q in {u})",
                f"max([{self.scalar(1)}, {s}, {self.scalar(0)}])",
                f"({s} if any(q > 0.5 for q in {u}) else {self.scalar(1)})",
                f"({s} if all(q < 0.9 for q in {u}) else {self.scalar(1)})",
                f"next(q for q in [*{u}, 2.0] if q > 0.2)",
                f"({s} if n in {{0, 2}} else {self.scalar(1)})",
            ]
        )
        self.set(form)

    def rows(self) -> None:
        """A list of lists."""
        rows, row, k = self.fresh("rows"), self.fresh("row"), self.fresh("k")
        u, e = self.r.choice(self.vectors), self.calm(self.scalar(1))
        made = [
            f"[[{self.scalar(1)}, {self.scalar(0)}], [{self.scalar(0)}, 0.5]]",
            f"[[q, q * {self.scalar(0)}] for q in {u}]",
            f"[[0.5] * 2 for {k} in range(2)]",
            f"[list({u}), [{self.scalar(0)}, {e}]]",
        ]
        self.put(f"{rows} = {self.r.choice(made)}")
        for _ in range(self.r.choice([1, 2])):
            form = self.r.randrange(5)
            if form == 0:
                self.put(f"{rows}[{self.r.choice(['0', '1', '-1', 'n % 2'])}][{self.r.choice(['0', '1', '-1'])}] = {e}")
            elif form == 1:
                self.put(f"for {row} in {rows}:")
                self.indented(self.r.choice([f"{row}.append({e})", f"{row}[0] *= {e}", f"{row}[0] = {row}[1] * {e}"]))
            elif form == 2:
                self.put(f"{rows}[0], {rows}[1] = {rows}[1], {rows}[0]")
            elif form == 3:
                self.put(f"{rows}.append([{e}, {self.scalar(0)}])")
            else:
                self.put(f"{rows}[1][0] += {rows}[0][-1]")
        self.set(self.r.choice([f"sum(sum({row}) for {row} in {rows})", f"{rows}[0][0] * {rows}[-1][-1]"]))

    def ordered(self) -> None:
        u, v, i = self.r.choice(self.vectors), self.r.choice(self.vectors), self.fresh("idx")
        form = self.r.randrange(6)
        if form == 0:
            self.put(f"{i} = np.argsort({v})")
            self.put(f"{u}[{i}] = {self.calm(self.vector(1))}")
        elif form == 1:
            self.put(f"{u}[::-1].sort()")
        elif form == 2:
            self.set(f"sorted({u})[{self.r.choice(['0', '1', '-1'])}]")
        elif form == 3:
            self.set(f"sorted([{self.scalar(1)}, {self.scalar(0)}, 0.2], key=lambda q: -q)[1]")
        elif form == 4:
            self.put(f"{u}[:2].sort()")
        else:
            self.set(f"np.sort({u})[1] * np.sum({v}[np.argsort({u})] * np.arange(3.0))")

    def flag(self) -> None:
        mode = self.fresh("mode")
        other = self.r.choice(['"b"', "None"])
        self.put(f'{mode} = "a" if {self.test()} else {other}')
        if self.indent < 4:
            self.put(self.r.choice([f'if {mode} == "a":', f"if {mode} is not None:", f'if {mode} in ("a", "c"):']))
            self.block(1)
            self.put("else:")
            self.block(1)

    def parts(self) -> None:
        u, v, w = (self.r.choice(self.vectors) for _ in range(3))
        e = self.calm(self.scalar(1))
        form = self.r.choice(
            [
                f"np.multiply({v}[1:], {w}[:-1], out={u}[1:])",
                f"np.add({u}, {v}, out={u})",
                f"np.copyto({u}, {v}, where={w} > {self.scalar(0)})",
                f"np.multiply({v}, {w}, out={u}, where={v} > 0.1)",
                f"np.clip({u}, -0.7, 0.6, out={u})",
                f"np.putmask({u}, {v} > 0.2, {w})",
                f"np.put({u}, [0, 2], {e})",
                f"{u}[[0, 2]] = {u}[[2, 0]]",
                f"{u}[:2], {v}[1:] = {v}[1:].copy(), {u}[:2].copy()",
                f"np.cumsum({v}, out={u})",
                f"{u}[...] *= {e}",
                f"{u}[np.array([True, False, True])] -= {e}",
                f"np.maximum.at({u}, [0, 1], {e})",
                f"np.negative({u}, {u})",
            ]
        )
        self.put(form)

    def record(self) -> None:
        name, u = self.fresh("p"), self.r.choice(self.vectors)
        if self.chance(0.5):
            self.put(f"{name} = Point({self.scalar(1)}, {self.vector(1)})")
            if self.chance(0.5):
                self.put(f"{name} = {name}._replace(s={self.scalar(1)} * {name}.s)")
            self.set(self.r.choice([f"{name}.s * {name}.u[0]", f"{name}[0] * np.sum({name}[1])"]))
            return
        self.put(f"{name} = State({self.scalar(1)}, {self.r.choice([u, f'{u}.copy()', self.vector(1)])})")
        form = [
            f"{name}.add({self.scalar(1)}).add({self.scalar(0)})",
            f"{name}.u += {self.scalar(0)}",
            f"{name}.s *= 0.5",
        ]
        self.put(self.r.choice(form))
        self.set(f"{name}.s * np.sum({name}.u)")

    def lists_of(self) -> None:
        """Parts of lists, and lists that are joined."""
        a, b, c = self.fresh("l"), self.fresh("first"), self.fresh("rest")
        u, e = self.r.choice(self.vectors), self.calm(self.scalar(1))
        self.put(f"{a} = {self.r.choice([f'[{self.scalar(1)}, {self.scalar(0)}]', f'[*{u}]', f'list({u})'])}")
        forms = [f"{a} = {a} + [{e}]", f"{a} = [{e}, *{a}]", f"{a}[1:] = [{e}, {self.scalar(0)}]", f"{a} = {a}[::-1]"]
        forms += [f"{a} = {a} * 2", f"del {a}[0]", f"{a}[0:1] = []", f"{a}.sort()"]
        self.put(self.r.choice(forms))
        if self.chance(0.3):
            self.put(f"{b}, *{c} = {a}")
            self.set(f"{b} * sum({c})")
        else:
            self.set(f"sum({a}[1:]) * {a}[-1]")

    def inside(self) -> None:
        """Arrays in a list, some of them under another name, too."""
        a, k, row = self.fresh("l"), self.fresh("k"), self.fresh("row")
        u, v, e = self.r.choice(self.vectors), self.r.choice(self.vectors), self.calm(self.scalar(1))
        made = [f"[{u}, {v}.copy()]", f"[{u} * {e}, {v} + 1.0]", f"[{u}.copy() for {k} in range(2)]", f"[{u}, {v}]"]
        self.put(f"{a} = {self.r.choice(made)}")
        form = self.r.randrange(5)
        if form == 0:
            self.put(f"{a}[0][1] = {e}")
        elif form == 1:
            self.put(f"for {row} in {a}:")
            self.indented(self.r.choice([f"{row} *= {self.scalar(0)}", f"{row}[0] = {e}"]))
        elif form == 2:
            self.put(f"{a}[0], {a}[1] = {a}[1], {a}[0]")
            self.put(f"{a}[0][0] *= {e}")
        elif form == 3:
            self.put(f"{a}[n % 2][1:] += {self.scalar(0)}")
        else:
            self.put(f"{a}.append({a}[0] * {self.scalar(0)})")
        self.set(f"np.sum({a}[0] * {a}[1])")


def program(r: random.Random, size: int = 6) -> Program | None:
    return control.program(r, size, Writer, HEAD, IMPORTS)
