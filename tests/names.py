"""Random short programs over a handful of names, where everything collides.

Loops, comprehensions, lambdas and the parameters of helpers share three names; two arrays, two lists and two dicts of
arrays, a list and a dict of numbers are bound to each other, swapped, written through second names and read again.
"""

from __future__ import annotations

import copy
import random
import re

import numpy as np

from programs import Program

HELPERS = """import numpy as np

def put(v, k):
    v[1] = k * 2.0

def swap(k):
    k[0], k[1] = k[1], k[0]
    return k

def item(i, k):
    return i[k]

def bind(v, i, k):
    v[i] = k
    return v

def more(k, v):
    k.append(v)
    return k

def named(k, v):
    return {"a": k, "b": v}

def scaled(v, k):
    return {i: v[i] * k for i in v}

def either(i, k, v):
    if k > 0.5:
        return i
    return v


"""
POOL = ("i", "k", "v")
LISTS, DICTS = ("l", "m"), ("d", "g")  # of arrays; t and p are a list and a dict of numbers
BOUND = 7  # names at the beginning, of which those stay that are used
KEYS = ('"a"', '"b"')


class Writer:
    """The lines of one function; kinds: what each name of the pool, and each plain array or number, is bound to."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.lines: list[str] = []
        self.looping = 0
        self.kinds = {"x": "array", "y": "array", "w": "array", "q": "number", "s": "number"}

    def one(self, *choices: str) -> str:
        return self.r.choice(choices)

    def put(self, text: str, depth: int) -> None:
        self.lines.append("    " * (depth + 1) + text)

    def of(self, kind: str) -> list[str]:
        return [name for name, known in self.kinds.items() if known == kind]

    def new(self, kind: str, name: str = "") -> str:
        """A name of the pool, or one that is of the kind already, bound to something of the kind."""
        name = name or self.one(*POOL, *self.of(kind))
        self.kinds[name] = kind
        return name

    def place(self) -> str:
        return self.one("0", "1", *self.of("place"))

    def key(self) -> str:
        return self.one(*KEYS, *self.of("key"))

    def slot(self) -> str:
        """A place in a list, or in a dict, where an array lies."""
        return self.one(f"{self.one(*LISTS)}[{self.place()}]", f"{self.one(*DICTS)}[{self.key()}]")

    def cell(self) -> str:
        """A place where a number lies."""
        return self.one(f"{self.array()}[{self.place()}]", f"t[{self.place()}]", f"p[{self.key()}]")

    def array(self) -> str:
        return self.one(*self.of("array"), self.one(*self.of("array")), self.slot(), f"M[{self.place()}]")

    def number(self, *more: str) -> str:
        return self.one(*self.of("number"), *more, self.cell(), self.cell())

    def value(self) -> str:
        """An array, old or new."""
        a, b, k = self.array(), self.array(), self.number()
        helped = self.one(
            f"either({a}, {k}, {b})", f"item({self.one(*LISTS)}, {self.place()})", f"swap({a})", f"bind({a}, 0, {k})"
        )
        return self.one(a, a, b, f"{a} * {k}", f"{a} + {b}", f"{a}.copy()", f"{a} * {b}", helped)

    def term(self, *more: str) -> str:
        """A number, old or new; more: names that are numbers here."""
        a, b = self.number(*more, *more), self.number(*more)
        helped = self.one(f"item(t, {self.place()})", f"item(p, {self.key()})", f"either({a}, q, {b})")
        return self.one(a, f"{a} * {b}", f"{a} + {b} * 0.5", f"np.sin({a})", f"np.sum({self.array()})", helped)

    def comprehension(self) -> str:
        """A number made by a comprehension or a lambda, whose variables are of the pool."""
        a, b = self.r.sample(POOL, 2)
        lists, dicts = self.one(*LISTS), self.one(*DICTS)
        return self.one(
            f"sum([{self.term(a)} for {a} in t])",
            f"sum(p[{a}] * {self.number()} for {a} in {self.one('p', dicts)})",
            f"sum({self.term(b)} for {a}, {b} in p.items())",
            f"sum({a}[0] * {self.number()} for {a} in {self.one(lists, dicts + '.values()')})",
            f"sum(np.sum({a} * {b}) for {a}, {b} in zip({lists}, {self.one(*LISTS)}))",
            f"sum({self.term(b)} * {a} for {a}, {b} in enumerate(t))",
            f"(lambda {a}, {b}={self.number()}: {self.term(a, b)})({self.number()})",
            f"[{self.term(a)} for {a} in t][{self.place()}]",
            f"sum({self.term(a)} for {a} in [{self.term(b)} for {b} in t])",
        )

    def begin(self) -> None:
        one = self.one
        self.put(f"w = {one('x.copy()', 'x * y', 'y * q', 'np.zeros(3)')}", 0)
        self.put(f"M = {one('np.array([x, y])', 'np.zeros((2, 3))', 'np.array([w, x])')}", 0)
        self.put(f"t = [q, {one('q * 0.5', 'x[0]', '0.3')}]", 0)
        self.put(f"l = [{one('w', 'x * q', 'y.copy()')}, {one('w', 'M[0]', 'x.copy()')}]", 0)
        self.put(f"m = {one('l', '[w, w]', '[M[1], l[0]]', '[w, y * 2.0]', 'list(l)')}", 0)
        shown = ('{"a": w, "b": w}', '{"a": l[0], "b": M[0]}', "named(w, x * y)", '{"a": x.copy(), "b": w}')
        self.put(f"d = {one(*shown)}", 0)
        self.put(f"g = {one('d', 'dict(d)', 'scaled(d, q)', *shown)}", 0)
        self.put("s = 0.2", 0)

    def holder(self) -> str:
        """A statement that binds a list or a dict anew, or gives it a second name."""
        a, b, k, v = self.value(), self.value(), self.one(*POOL), self.one(*POOL)
        lists, dicts = self.one(*LISTS), self.one(*DICTS)
        made = self.one(
            dicts,
            f'{{"a": {a}, "b": {self.one(a, b)}}}',
            f"named({a}, {b})",
            f"scaled({dicts}, {self.number()})",
            f"dict({dicts})",
            f"{{{k}: {dicts}[{k}] * {self.number()} for {k} in {self.one('p', dicts)}}}",
        )
        listed = self.one(lists, f"[{a}, {b}]", f"[{v} * {self.number()} for {v} in {lists}]", f"{lists}[::-1]")
        numbers = self.one(f"[{self.term(v)} for {v} in t]", f"[{self.term()}, {self.term()}]", "t[::-1]")
        entries = self.one(f"named({self.term()}, {self.term()})", "{k: p[k] * q for k in p}", "scaled(p, q)")
        return self.one(f"{dicts} = {made}", f"{lists} = {listed}", f"t = {numbers}", f"p = {entries}")

    def exchange(self) -> str:
        """A statement that binds two things at once."""
        one, listed, shown = self.one, self.one(*LISTS), self.one(*DICTS)
        a, b, cells, slots = *self.r.sample(self.of("array"), 2), [self.cell(), self.cell()], [self.slot(), self.slot()]
        if self.r.random() < 0.2:
            text = f"{cells[0]} = {cells[0]}, {self.number()}"
            return f"{self.new('number')}, {text}"
        pairs = [
            *2 * [cells, slots, [a, slots[0]]],
            [a, b],
            [f"{listed}[0]", f"{listed}[1]"],
            [f"{shown}[{k}]" for k in KEYS],
        ]
        first, other = self.r.choice(pairs)
        return f"{first}, {other} = {other}, {one(first, first, self.array() if other in slots else first)}"

    def loop(self, depth: int) -> None:
        a, b = self.r.sample(POOL, 2)
        arrays, entries = self.one(*LISTS), self.one(*DICTS)
        heads = [
            ("key", self.one("p", entries), ""),
            ("key", "p.items()", "number"),
            ("key", f"{entries}.items()", "array"),
            ("array", self.one(arrays, f"{entries}.values()"), ""),
            ("number", "t", ""),
            ("place", f"enumerate({arrays})", "array"),
            ("place", f"range({self.one('2', 'n')})", ""),
        ]
        kind, over, second = self.r.choice(heads)
        names = [self.new(kind, a), *([self.new(second, b)] if second else [])]
        self.put(f"for {', '.join(names)} in {over}:", depth)
        self.looping += 1
        self.block(depth + 1)
        if self.r.random() < 0.2:
            self.put(f"if {self.test()}:", depth + 1)
            self.put(self.one("break", "continue"), depth + 2)
            self.statement(depth + 1)
        self.looping -= 1

    def test(self) -> str:
        keys = [f'{k} == "a"' for k in self.of("key")]
        return self.one("q > 0.5", "n > 1", f"{self.number()} > 0.45", *keys, *keys)

    def statement(self, depth: int = 0) -> None:
        match self.r.randrange(9) if depth < 2 else 8:
            case 0 | 1:
                self.loop(depth)
            case 2:
                self.put(f"if {self.test()}:", depth)
                self.block(depth + 1)
                if self.r.random() < 0.5:
                    self.put("else:", depth)
                    self.block(depth + 1)
            case 3:
                test, values = self.test(), (self.array(), self.array())
                name = self.new("array")
                for head, value in zip((f"if {test}:", "else:"), values, strict=True):
                    self.put(head, depth)
                    self.put(f"{name} = {value}", depth + 1)
            case 4 if depth == 0:
                self.put(f"if {self.test()}:", depth)
                self.put(f"return {self.result()}", depth + 1)
            case _:
                self.put(self.simple(), depth)

    def simple(self) -> str:
        """A statement on one line."""
        one, value, number = self.one, self.value(), self.number()
        match self.r.randrange(15):
            case 0 | 1:
                return f"s = s * 0.5 + {one(self.term(), self.comprehension())}"
            case 2 | 3:
                return f"{self.cell()} {one('=', '=', '+=', '*=')} {number}"
            case 4 | 5 | 6:
                return self.exchange()
            case 7:
                return self.holder()
            case 8:
                return f"{self.slot()} = {value}"
            case 9:
                return f"{self.new('array')} = {value}"
            case 10:
                term = one(self.term(), self.comprehension())
                return f"{self.new('number')} = {term}"
            case 11:
                rows, a = one("M[[0]]", "M[[1]]", "M[[0, 1]]"), self.array()
                return one(f"{rows} = {rows}", "M[[0]] = M[[1]]", f"M[0] = {a}", "M[[0, 1]] = M[[1, 0]]")
            case 12 if not self.looping:
                name = one(*LISTS)
                return one(f"{name}.append({value})", f"more({name}, {value})", f"t.append({number})")
            case 13 if not self.looping:
                popped = one(f"{one(*LISTS)}.pop()", "t.pop()")
                kind = "number" if popped[0] == "t" else "array"
                return one(popped, f"{self.new(kind)} = {popped}")
        a, bound = self.array(), f"bind({one(*DICTS)}, {self.key()}, {value})"
        return one(f"put({a}, {number})", f"swap({one(a, *LISTS)})", f"bind({a}, {self.place()}, {number})", bound)

    def block(self, depth: int) -> None:
        for _ in range(self.r.randint(1, 2)):
            self.statement(depth)

    def result(self) -> str:
        parts = [
            f"np.sum({self.array()})",
            f"{self.array()}[2]",
            self.number(),
            f"np.sum({self.slot()} * {self.array()})",
        ]
        return " + ".join(["s", *self.r.sample(parts, 2)])


def drop_unread(lines: list[str], begun: int, result: str) -> None:
    """Takes away those of the first lines, which bind what a program works on, whose names are read nowhere behind."""
    for line in lines[begun - 1 :: -1]:
        if not re.search(rf"\b{line.split()[0]}\b", "\n".join([*lines[lines.index(line) + 1 :], result])):
            lines.remove(line)


def program(r: random.Random, size: int) -> Program | None:
    """A program of at most size + 2 statements behind what they work on, None where it cannot be run."""
    writer = Writer(r)
    writer.begin()
    for _ in range(r.randint(2, size + 2)):
        writer.statement()
    result = writer.result()
    stated = ["    # s2s: x (3,), y (3,)"] if r.random() < 0.8 else []
    drop_unread(writer.lines, BOUND, result)
    lines = ["def f(x, y, q: float, p: dict, n: int):", *stated, *writer.lines, f"    return {result}"]
    source = HELPERS + "\n".join(lines) + "\n"
    args = (np.array([0.5, 1.2, -0.3]), np.array([0.7, -0.4, 0.9]), 0.6, {"a": 0.8, "b": 0.35}, 2)
    found: dict[str, object] = {}
    exec(compile(source, "<names>", "exec"), found)
    try:
        value = found["f"](*copy.deepcopy(args))  # type: ignore[operator]
    except (LookupError, ValueError, TypeError, NameError):
        return None
    params = ("x", "y", "q", "p", "n")
    return Program(source, args, params[:-1], params, np.ndim(value) == 0)
