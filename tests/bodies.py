"""Random short programs over a handful of objects, whose fields, methods and second names collide.

Two objects of a plain class, a dataclass of a number and an array, and a named tuple share arrays with each other: they
lie in a list, a tuple and a dict, have second names, swap their fields and are handed to helpers that change them.
"""

from __future__ import annotations

import copy
import random
import re
from pathlib import Path

import numpy as np

from names import drop_unread
from programs import Program

IMPORTS = "import copy\nfrom dataclasses import replace\n"
CLASSES = IMPORTS + (Path(__file__).parent / "cells.py").read_text() + "\n\n"
CELLS, FIELDS = ("p", "q"), ("a", "b")
POOL = ("o", "u")  # second names, and variables of loops, comprehensions and lambdas
HELPERS = r"(put|bind|either|across|field|make|copied)\("
WAYS = {"ps": 0.25, "tp": 0.15, "h": 0.1, "n": 0.4, "d": 0.3, "made": 0.6, "helpers": 0.6, "views": 0.5, "change": 0.1}


class Writer:
    """The lines of one function; kinds: what each name is bound to."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.lines: list[str] = []
        self.looping = 0
        self.ways = {way for way, often in WAYS.items() if r.random() < often}  # what this program has
        self.kinds = {"x": "array", "y": "array", "k": "number", "s": "number"}
        self.kinds |= {name: kind for name, kind in (("d", "duo"), ("n", "num")) if name in self.ways}

    def one(self, *choices: str) -> str:
        return self.r.choice(choices)

    def some(self, *choices: str) -> str:
        """One of those that have nothing in them that this program does without."""
        left = [c for c in choices if not any(re.search(rf"\b{w}\b", c) for w in WAYS if w not in self.ways)]
        if "helpers" not in self.ways:
            left = [c for c in left if not re.match(HELPERS, c)]
        if "views" not in self.ways:
            left = [c for c in left if not re.search(r"\.(head|get\(\))", c)]
        return self.r.choice(left or ["w"])

    def put(self, text: str, depth: int) -> None:
        self.lines.append("    " * (depth + 1) + text)

    def of(self, kind: str) -> list[str]:
        return [name for name, known in self.kinds.items() if known == kind]

    def new(self, kind: str, *names: str) -> str:
        """A name, of the pool or one that is of the kind already, bound to something of the kind."""
        name = self.one(*(names or (*POOL, *self.of(kind))))
        self.kinds[name] = kind
        return name

    def cell(self) -> str:
        held = self.some(f"ps[{self.one('0', '1', '-1')}]", 'h["p"]', 'h["q"]', "tp[0]", "tp[1]", *self.of("cell"))
        return self.one(*self.of("cell"), *self.of("cell"), held)

    def owner(self) -> str:
        """Something whose field b is an array."""
        return self.one(self.cell(), self.cell(), *self.of("num"), *self.of("duo"))

    def slot(self) -> str:
        """An array in a field that may be bound."""
        return self.one(*2 * [f"{self.cell()}.{self.one(*FIELDS)}"], *(f"{o}.b" for o in self.of("num")))

    def array(self) -> str:
        return self.some(*self.of("array"), self.slot(), self.slot(), f"{self.owner()}.b", f"{self.cell()}.head")

    def place(self) -> str:
        return f"{self.array()}[{self.one('0', '1')}]"

    def number(self) -> str:
        return self.some(*self.of("number"), "n.a", self.place(), self.place())

    def value(self) -> str:
        """An array, old or new."""
        a, b, k, o = self.array(), self.array(), self.number(), self.cell()
        call = self.some(f"{o}.get()", f"field({self.owner()})", f"field({self.owner()}, {k})", "d.get()", f"{a} * {b}")
        chosen = self.some(f"{a} if {k} > 0.5 else {b}", f"(lambda o: o.b * {k})({o})", "[o.b for o in ps][0]")
        return self.one(a, a, b, f"{a} * {k}", f"{a} + {b}", f"{a}.copy()", f"{a} * {b}", call, chosen)

    def term(self) -> str:
        a, k, o, v = self.number(), self.number(), self.owner(), self.one(*POOL)
        over = self.some("ps", "tp", "h.values()", "[p, q]", f"[{self.cell()}, {self.cell()}]")
        summed = self.some(f"{v}.a[0] * {k}", f"{v}.total", f"np.sum({v}.b * {self.array()})", f"{v}.get()[1]")
        called = self.some(f"{self.cell()}.bump({k})", f"across({self.cell()}, {self.cell()})", f"{o}.total")
        return self.one(
            a, f"{a} * {k}", f"np.sum({self.array()})", f"{o}.total", f"sum({summed} for {v} in {over})", called
        )

    def made(self) -> str:
        """An object of the plain class, old or new."""
        a, b, k, o = self.array(), self.array(), self.number(), self.cell()
        old = self.some(o, f"either({o}, {self.cell()}, {k})", f"{o} if {k} > 0.5 else {self.cell()}")
        changed = self.some(f"{o}.step({a})", f"{o}.bind({a})", f"bind({o}, {a})", f"{o}.step({a}, {k})")
        if "made" not in self.ways:
            return self.one(*self.of("cell"))
        copied = self.some(f"copy.copy({o})", f"copied({o})", f"{o}.new({k})", f"make({a}.copy(), {k})")
        return self.some(old, old, changed, copied, f"Cell({a}, {b})", f"Cell({a}, {a})", f"Cell({a} * {k}, {b})")

    def begin(self) -> None:
        one = self.one
        self.put(f"w = {one('x.copy()', 'x * y', 'y * k', 'np.zeros(3)')}", 0)
        self.kinds["w"] = "array"
        self.put(f"p = Cell({one('w', 'x.copy()', 'x * k')}, {one('w', 'y.copy()', 'y * 2.0')})", 0)
        shared = self.some("Cell(p.a, y * k)", "Cell(w, p.b)", "copied(p)", "p.new(k)", "make(x * y, k)", "p")
        self.put(f"q = {one('Cell(x * y, y.copy())', 'Cell(w, w)', shared, shared)}", 0)
        self.put(f"n = Num({one('k', 'x[0]', 'w[1] * 0.5')}, {one('p.a', 'w', 'q.b', 'y.copy()')})", 0)
        self.put(f"ps = [{one('p, q', 'p, q', 'q, p', 'p, p', 'Cell(w, y), p')}]", 0)
        self.put(f"tp = ({one('p, q', 'q, p')})", 0)
        self.put(f'h = {{"p": {one(*CELLS)}, "q": {one("q", "q", "Cell(p.a, q.a)")}}}', 0)
        self.put("s = 0.2", 0)
        self.begun = len(self.lines)
        self.kinds |= {"p": "cell", "q": "cell"}

    def exchange(self) -> str:
        if self.r.random() < 0.3:
            place = self.place()
            return f"{place}, {self.new('number', 's', *POOL)} = {self.number()}, {place}"
        pairs = [[self.slot(), self.slot()], [self.place(), self.place()], [self.slot(), "w"], ["p", "q"]]
        pairs += [["ps[0]", "ps[1]"] if "ps" in self.ways else [self.slot(), self.slot()]]
        a, b = self.r.choice(pairs)
        return f"{a}, {b} = {b}, {a}"

    def call(self) -> str:
        """A statement that calls what changes an object."""
        o, a, k = self.cell(), self.array(), self.number()
        method = self.one(
            f"put({k})", "same()", "swap()", f"take({self.cell()})", f"bind({a})", f"step({a})", f"bump({k})"
        )
        n = self.some(f"n.put({k})", f"n.step({a})", f"n.bind({a})", f"n.take({self.owner()})", f"{o}.swap()")
        return self.some(
            f"{o}.{method}", f"{o}.{method}", f"put({o}, {k})", f"bind({o}, {a})", f"across({o}, {self.cell()})", n
        )

    def simple(self) -> str:
        """A statement on one line."""
        a, k = self.array(), self.number()
        match self.r.randrange(14):
            case 0 | 1:
                return f"s = s * 0.5 + {self.term()}"
            case 2 | 3:
                return f"{self.place()} {self.one('=', '=', '+=', '*=')} {k}"
            case 4 | 5:
                return f"{self.slot()} {self.one('=', '=', '+=', '*=')} {self.value()}"
            case 6 | 7 | 8:
                return self.call()
            case 9:
                return self.exchange()
            case 10:
                made = self.made()
                return f"{self.new('cell', *POOL, *POOL, *CELLS)} = {made}"
            case 11:
                made = self.some("replace(n, a=" + k + ")", f"replace(n, b={a})", f"Num({k}, {a})", "copy.copy(n)", "n")
                duo = self.some(f"d._replace(a={a})", f"d.new({k})", "d.swap()", f"Duo({a}, {self.array()})")
                kind, text = self.r.choice([("num", made), ("duo", duo)])
                kind = "array" if text == "w" else kind
                return f"{self.new(kind)} = {text}"
            case 12 if not self.looping:
                made = self.made()
                return self.some(
                    f"ps.append({made})", f"ps[0] = {made}", f'h["p"] = {made}', f"ps = [{made}, {self.cell()}]"
                )
        name, value = self.one("array", "number"), self.value()
        text = value if name == "array" else self.term()
        return f"{self.new(name)} = {text}"

    def loop(self, depth: int) -> None:
        o, u = self.r.sample(POOL, 2)
        over = self.some("ps", "ps", "tp", "h.values()", f"[{self.cell()}, {self.cell()}]")
        match self.r.randrange(5):
            case 0 | 1:
                head = f"{self.new('cell', o)} in {over}"
            case 2:
                zipped = self.some("zip(ps, tp)", "zip([p, q], [q, p])", "zip(tp, [q, q])")
                head = f"{self.new('cell', o)}, {self.new('cell', u)} in {zipped}"
            case 3:
                head = f"{self.new('array', o)} in [{self.array()}, {self.array()}]"
            case _:
                head = f"{self.new('place', o)} in range({self.one('2', 'm')})"
        self.put(f"for {head}:", depth)
        self.looping += 1
        self.block(depth + 1)
        if self.r.random() < 0.2:
            self.put(f"if {self.test()}:", depth + 1)
            self.put(self.one("break", "continue"), depth + 2)
            self.put(self.simple(), depth + 1)
        self.looping -= 1

    def test(self) -> str:
        return self.one("k > 0.5", "m > 1", f"{self.number()} > 0.45")

    def statement(self, depth: int = 0) -> None:
        match self.r.randrange(10) if depth < 2 else 9:
            case 0 | 1:
                self.loop(depth)
            case 2:
                self.put(f"if {self.test()}:", depth)
                self.block(depth + 1)
                if self.r.random() < 0.5:
                    self.put("else:", depth)
                    self.block(depth + 1)
            case 3:
                test, values = self.test(), (self.made(), self.cell())
                name = self.new("cell")
                for head, value in zip((f"if {test}:", "else:"), values, strict=True):
                    self.put(head, depth)
                    self.put(f"{name} = {value}", depth + 1)
            case 4 if depth == 0:
                self.put(f"if {self.test()}:", depth)
                self.put(f"return {self.result()}", depth + 1)
            case 5 if depth == 0 and "change" in self.ways:
                self.put("def change(v):", depth)
                self.put(f"{self.cell()}.{self.one('b = v', 'a = v * k', 'a[0] = v[1]')}", depth + 1)
                self.put(f"change({self.array()})", depth)
            case _:
                self.put(self.simple(), depth)

    def block(self, depth: int) -> None:
        for _ in range(self.r.randint(1, 2)):
            self.statement(depth)

    def result(self) -> str:
        parts = [f"np.sum({self.array()})", f"{self.owner()}.total", self.number(), f"np.sum({self.slot()} * y)"]
        return " + ".join(["s", *self.r.sample(parts, 2)])


def program(r: random.Random, size: int) -> Program | None:
    """A program of at most size + 2 statements behind what they work on, None where it cannot be run."""
    writer = Writer(r)
    writer.begin()
    for _ in range(r.randint(2, size + 2)):
        writer.statement()
    result = writer.result()
    stated = ["    # s2s: x (3,), y (3,)"] if r.random() < 0.3 else []
    drop_unread(writer.lines, writer.begun, result)
    handed = r.random() < 0.3  # the named tuple is a parameter, or made of the others
    made = [] if handed else [f"    d = Duo({r.choice(('x', 'x * k'))}, y)"]
    params = ("x", "y", "k", "m", *(("d",) if handed else ()))
    head = f"def f(x, y, k: float, m: int{', d: Duo' if handed else ''}):"
    used = made if any(re.search(r"\bd\b", line) for line in [*writer.lines, result]) else []
    source = CLASSES + "\n".join([head, *stated, *used, *writer.lines, f"    return {result}"]) + "\n"
    found: dict[str, object] = {}
    exec(compile(source, "<bodies>", "exec"), found)
    duo = found["Duo"](np.array([0.4, 0.8, -0.6]), np.array([1.1, 0.3, 0.2]))  # type: ignore[operator]
    args = (np.array([0.5, 1.2, -0.3]), np.array([0.7, -0.4, 0.9]), 0.6, 2, *((duo,) if handed else ()))
    try:
        value = found["f"](*copy.deepcopy(args))  # type: ignore[operator]
    except (LookupError, ValueError, TypeError, NameError, AttributeError):
        return None
    return Program(source, args, tuple(p for p in params if p != "m"), params, np.ndim(value) == 0)
