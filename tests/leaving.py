"""Random loops that call helpers which leave early, write into what they are handed, and give back parts of it.

The helpers are as random as their caller, and written over the same kinds of names: each returns from where it likes,
also from within loops in loops, a number, an array, which may be an argument or a view of one, a pair or a dict. The
caller binds what they give in some rounds, swaps it with what it has, and reads it in a later round or behind the loop.
Every name is bound before the first loop, so that any of them may be read in any place.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import numpy as np

from programs import Program
from snippets import Thing, finished, function, indented, with_terms

CLASS = """import numpy as np


class Cell:
    def __init__(self, u, s):
        self.u = u
        self.s = s


def fold(a, n, total=0.0):
    if n == 0:
        return total
    return fold(a, n - 1, total * 0.5 + a[n - 1])


def spread(a, t, n):
    if n == 0 or a[n] > 0.9:
        return t
    a[n] = a[n - 1] * t
    return spread(a, a[n] * 0.5 + 0.2, n - 1)


"""
# What a parameter of each kind is called in a helper, and what in the caller may be handed to it.
PARAMETERS = {"number": "t", "array": "e", "other": "g", "numbers": "P", "arrays": "R", "entries": "h", "object": "z"}
HOLDERS = {"numbers": "K", "arrays": "L", "entries": "d", "object": "o"}
RESULTS = ("number", "number", "array", "array", "pair", "entries", "")
THINGS = [
    Thing("s", ("s = 1.0", "s = x[0]"), "s"),
    Thing("a", ("a = 0.5", "a = x[1]"), "0.3 * a * s"),
    Thing("b", ("b = x[0] * x[2]", "b = 0.4"), "b * 0.2"),
    Thing("prev", ("prev = x[2]", "prev = 0.0"), "prev * x[0]"),
    Thing("best", ("best = -1.0", "best = x[1]"), "best * 0.7"),
    Thing("q", ("q = 0.3",)),
    Thing("u", ("u = x * y", "u = x.copy()", "u = np.zeros(3)"), "np.sum(u * u)"),
    Thing("v", ("v = y + 0.1", "v = u", "v = u[::-1]"), "np.sum(v * y)"),
    Thing("w", ("w = W[0] * x", "w = np.ones(3)", "w = W[1]"), "np.sum(w * y)"),
    Thing("r", ("r = y", "r = v"), "np.sum(r)"),
    Thing("A", ("A = W * 1.0", "A = W * x"), "np.sum(A * A)"),
    Thing("K", ("K = [x[0], 0.3, x[1]]", "K = [x[0], 0.4, x[1] * 0.2]"), "K[0] * K[-1]"),
    Thing("L", ("L = [u, v, x]", "L = [x * 0.5, y * 0.3, u]"), "np.sum(L[0] * L[-1])"),
    Thing("d", ('d = {"s": 0.2, "u": u}', 'd = {"s": x[1], "u": y * 2.0}'), 'd["s"] * np.sum(d["u"])'),
    Thing("o", ("o = Cell(u, x[0])", "o = Cell(x * 0.7, 0.5)"), "o.s * np.sum(o.u)"),
    Thing("i", ("i = 0",), "0.1 * i * x[0]"),
    Thing("j", ("j = 1",)),
]


LONGEST = 1100  # of the text of a program and of its helpers
TRIES = 4


@dataclass(frozen=True)
class Helper:
    name: str
    params: tuple[str, ...]  # kinds
    result: str
    default: bool  # whether its last parameter, a number, need not be given
    writes: bool  # into its arguments: then it is not called within an expression


class Writer:
    """Statements of one function; numbers, arrays and holders: what they may name."""

    def __init__(self, r: random.Random, helpers: list[Helper], result: str, writes: bool = True) -> None:
        self.r = r
        self.writes = writes
        self.helpers = helpers
        self.result = result
        self.lines: list[str] = []
        self.numbers: list[str] = []
        self.arrays: list[str] = []
        self.places: list[str] = []
        self.matrix = ""
        self.holders: dict[str, str] = {}
        self.loops: list[str] = []  # of what kind the loops around are

    def put(self, depth: int, text: str) -> None:
        self.lines += ["    " * depth + line for line in text.split("\n")]

    def chance(self, part: float) -> bool:
        return self.r.random() < part

    # ------------------------------------------------------------ expressions

    def place(self) -> str:
        return self.r.choice([*self.places, *self.places, "0", "1", "-1"])

    def array(self) -> str:
        one = self.r.choice
        texts = 3 * self.arrays
        if self.matrix:
            texts = [*texts, f"{self.matrix}[{self.place()}]"]
        if "arrays" in self.holders:
            texts = [*texts, f"{self.holders['arrays']}[{self.place()}]"]
        if "entries" in self.holders:
            texts = [*texts, f'{self.holders["entries"]}["u"]']
        if "object" in self.holders:
            texts = [*texts, f"{self.holders['object']}.u"]
        return one(texts)

    def atom(self) -> str:
        texts = [*self.numbers, *self.numbers, "0.7", *3 * [f"{self.array()}[{self.place()}]"]]
        if "numbers" in self.holders:
            texts.append(f"{self.holders['numbers']}[{self.place()}]")
        if "entries" in self.holders:
            texts.append(f'{self.holders["entries"]}["s"]')
        if "object" in self.holders:
            texts.append(f"{self.holders['object']}.s")
        return self.r.choice(texts)

    def number(self) -> str:
        a, b, c = self.atom(), self.atom(), self.atom()
        texts = [a, a, f"0.4 * {a} * {b} + 0.3 * {c}", f"np.sin({a} + {b})", f"0.3 * np.sum({self.array()}) - {a}"]
        texts += [f"({a} if {self.test()} else {b})", f"max({a}, 0.6 * {b})", f"fold({self.array()}, 3, {a})"]
        if self.chance(0.3) and (text := self.called("number")):
            return text if self.chance(0.6) else f"{a} * {text}"
        return self.r.choice(texts)

    def fresh(self) -> str:
        a, b, t = self.array(), self.array(), self.atom()
        return self.r.choice([f"{a}.copy()", f"{a} * {t}", f"0.5 * {a} + {b}", f"np.sin({a} * {b})"])

    def whole(self) -> str:
        a = self.array()
        texts = [a, a, f"{a}[::-1]", *3 * [self.fresh()]]
        if self.chance(0.4) and (text := self.called("array")):
            return text
        return self.r.choice(texts)

    def test(self) -> str:
        a, b = self.atom(), self.atom()
        b = "0.21" if a == b else b
        texts = [f"{a} > 0.45", f"{a} < {b}", f"-0.6 < {a} <= {b}", f"{a} > 0.1 and {b} < 0.8", f"not {a} < 0.33"]
        if self.places:
            texts.append(f"{self.r.choice(self.places)} == 1")
        return self.r.choice(texts)

    def called(self, result: str, writes: bool = False) -> str:
        """A call that gives this kind, "" where no helper does. writes: whether it may write into its arguments."""
        fitting = [h for h in self.helpers if h.result == result and (writes or not h.writes)]
        fitting = [h for h in fitting if all(p in ("number", "array", "other", *self.holders) for p in h.params)]
        if not fitting:
            return ""
        helper = self.r.choice(fitting)
        given = [self.argument(kind) for kind in helper.params]
        if helper.default and self.chance(0.4):
            given.pop()
        elif self.chance(0.25):
            given[-1] = f"{PARAMETERS[helper.params[-1]]}={given[-1]}"
        return f"{helper.name}({', '.join(given)})"

    def argument(self, kind: str) -> str:
        if kind in ("array", "other"):
            return self.array()
        texts = [self.atom(), f"{self.atom()} * 0.5", f"{self.atom()} + 0.1"]
        return self.r.choice(texts) if kind == "number" else self.holders[kind]

    # ------------------------------------------------------------ statements

    def block(self, depth: int) -> None:
        for _ in range(self.r.randint(1, 3)):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        r, kind = self.r, self.r.random()
        n, e = r.choice(self.numbers), self.array()
        if kind < 0.12:
            self.put(depth, f"{n} = {self.number()}")
        elif kind < 0.2:
            self.put(depth, f"{r.choice(self.arrays)} = {self.whole()}")
        elif kind < 0.26:
            update = [f"{n} = {n} + {self.number()}", f"{n} = 0.7 * {n} - {self.number()}", f"{n} += {self.number()}"]
            self.put(depth, r.choice(update))
        elif kind < 0.38 and not self.writes:
            self.put(depth, f"{n} = {self.number()}")
        elif kind < 0.34:
            self.put(depth, f"{e}[{self.place()}] {r.choice(['=', '+=', '*='])} {self.number()}")
        elif kind < 0.38:
            self.put(depth, r.choice([f"{e}[:] = {self.whole()}", f"{e} *= {self.atom()}", f"{e} += {self.whole()}"]))
        elif kind < 0.42:
            self.put(depth, self.swapped())
        elif kind < 0.62:
            self.call(depth)
        elif kind < 0.7 and depth < 3:
            self.branch(depth)
        elif kind < 0.84 and depth < 3:
            self.loop(depth)
        elif kind < 0.92 and depth < 4:
            self.leave(depth)
        elif kind < 0.95 and depth < 2:
            self.put(depth, "try:")
            self.block(depth + 1)
            self.put(depth, f"finally:\n    {n} = {n} * 0.5 + {self.atom()}")
        elif self.holders and self.writes:
            self.put(depth, self.held())
        else:
            self.put(depth, f"{n} = {self.number()}")

    def swapped(self) -> str:
        a, b = self.r.sample(self.numbers, 2) if len(self.numbers) > 1 else (self.numbers[0], self.numbers[0])
        e, g = self.array(), self.array()
        texts = [f"{a}, {b} = {b}, {a}", f"{a} = {b}", *([f"{e}[0], {g}[1] = {g}[1], {e}[0]"] if self.writes else [])]
        if len(self.arrays) > 1:
            u, v = self.r.sample(self.arrays, 2)
            texts += 2 * [f"{u}, {v} = {v}, {u}"] + [f"{u}, {v} = {v}, {self.whole()}"]
        return self.r.choice(texts)

    def call(self, depth: int) -> None:
        """A call whose result is bound, added, written, or thrown away."""
        n, e = self.r.choice(self.numbers), self.r.choice(self.arrays)
        result = self.r.choice(RESULTS)
        text = self.called(result, self.writes)
        if not text:
            text = f"spread({self.array()}, {self.atom()}, 2)" if self.writes else f"fold({self.array()}, 2)"
            result = "number"
        one = self.r.choice
        place = f"{self.array()}[{self.place()}]" if self.writes else n
        match result:
            case "number":
                text = one([f"{n} = {text}", f"{n} += {text}", f"{place} += {text}", f"{place} = {text}", text])
            case "array":
                whole = f"{self.array()}[:]" if self.writes else e
                text = one([f"{e} = {text}", f"{e} = {text}", f"{n} += np.sum({text})", f"{whole} = {text}"])
            case "pair":
                m = one([n, place])
                text = one([f"{m}, {e} = {text}", f"_, {e} = {text}", f"{n} = {text}[0]", f"{e} = {text}[1]"])
            case "entries":
                held = self.holders.get("entries")
                text = one([f"{held} = {text}"] if held else [f'{n} = {text}["s"]', f'{e} = {text}["u"]'])
        self.put(depth, text)

    def branch(self, depth: int) -> None:
        test = self.test()
        if self.chance(0.2):
            test = f"({self.r.choice(self.numbers)} := {self.number()}) > 0.4"
        self.put(depth, f"if {test}:")
        self.block(depth + 1)
        if self.chance(0.4):
            self.put(depth, "else:")
            self.block(depth + 1)

    def leave(self, depth: int) -> None:
        exits = [self.given()] if depth > 0 or self.loops else []
        if self.loops:
            exits += ["break", "break"] + (["continue"] if self.loops[-1] == "for" else [])
        if exits:
            self.put(depth, f"if {self.test()}:\n    {self.r.choice(exits)}")
        else:
            self.put(depth, f"{self.r.choice(self.numbers)} = {self.number()}")

    def given(self) -> str:
        given = self.fresh if self.writes and self.chance(0.7) else self.whole
        match self.result:
            case "number":
                return f"return {self.number()}"
            case "array":
                return f"return {given()}"
            case "pair":
                return f"return {self.number()}, {given()}"
            case "entries":
                return f'return {{"s": {self.number()}, "u": {given()}}}'
        return "return"

    def loop(self, depth: int) -> None:
        n, r = self.r.choice(self.numbers), self.r.choice(self.arrays)
        place = "ijkl"[len(self.loops)]
        heads = 3 * [f"{place} in range({self.r.choice(['2', '3', '1, 3', '2, -1, -1'])})"]
        heads += [f"{n} in {self.array()}", f"{place}, {n} in enumerate({self.array()})"]
        heads += [f"{n}, q in zip({self.array()}, {self.array()})"] if n != "q" and "q" in self.numbers else []
        heads += [f"{r} in {self.matrix}", f"{place}, {r} in enumerate({self.matrix})"] if self.matrix else []
        if "numbers" in self.holders:
            heads.append(f"{n} in {self.holders['numbers']}[:3]")
        if "arrays" in self.holders:
            heads.append(f"{r} in {self.holders['arrays']}[:3]")
        if self.chance(0.2):
            self.put(
                depth, f"{place} = 0\nwhile {place} < 2" + (f" and {self.atom()} < 1.5:" if self.chance(0.3) else ":")
            )
            self.loops.append("while")
            self.places.append(place)
            self.put(depth + 1, f"{place} += 1")
        else:
            head = self.r.choice(heads)
            self.put(depth, f"for {head}:")
            self.loops.append("for")
            if head.startswith(place):
                self.places.append(place)
        self.block(depth + 1)
        self.loops.pop()
        if self.chance(0.15):
            self.put(depth, "else:")
            self.block(depth + 1)
        if place in self.places and self.chance(0.5):  # else it is read behind the loop, too
            self.places.remove(place)

    def held(self) -> str:
        kind, name = self.r.choice(list(self.holders.items()))
        match kind:
            case "numbers":
                texts = [f"{name}[{self.place()}] = {self.number()}", f"{name}.append({self.atom()})"]
                texts += [f"{name} = {name}[1:] + {name}[:1]", f"{name}[0], {name}[1] = {name}[1], {name}[0]"]
            case "arrays":
                texts = [f"{name}[{self.place()}] = {self.whole()}", f"{name}.append({self.array()})"]
                texts += [f"{name}[0], {name}[1] = {name}[1], {name}[0]"]
            case "entries":
                texts = [f'{name}["s"] = {self.number()}', f'{name}["u"] = {self.whole()}']
                texts += [f'{name}["s"] += {self.atom()}', f'{name} = {{"s": {self.atom()}, "u": {self.whole()}}}']
            case _:
                texts = [f"{name}.s = {self.number()}", f"{name}.u = {self.whole()}", f"{name}.s += {self.atom()}"]
                texts += [f"{name} = Cell({self.whole()}, {self.atom()})"]
        return self.r.choice(texts)


def helper(r: random.Random, name: str, earlier: list[Helper]) -> tuple[Helper, str]:
    """A helper and its text: a loop, statements about it, and a return at the end."""
    kinds = ["array", *r.sample(["other", *HOLDERS], r.randint(0, 2)), "number"]
    made = Helper(name, tuple(kinds), r.choice(RESULTS), r.random() < 0.3, r.random() < 0.5)
    writer = Writer(r, earlier, made.result, made.writes)
    writer.numbers, writer.arrays = ["t", "c"], ["e"]
    writer.holders = {kind: PARAMETERS[kind] for kind in kinds if kind in HOLDERS}
    if "other" in kinds:
        writer.arrays.append("g")
    params = [PARAMETERS[kind] for kind in kinds]
    if made.default:
        params[-1] += "=0.8"
    writer.put(0, r.choice(["c = t", "c = e[0] * t", "c = 0.6"]))
    if r.random() < 0.7:
        writer.loop(0)
    for _ in range(r.randint(0, 2)):
        writer.statement(0)
    writer.put(0, writer.given())
    return made, f"def {name}({', '.join(params)}):\n{indented(chr(10).join(writer.lines))}\n\n\n"


def program(r: random.Random, size: int) -> Program | None:
    """One or two helpers, and up to four statements and loops that call them; None where none of some can be run."""
    return next((made for _ in range(TRIES) if (made := drawn(r, size)) is not None), None)


def drawn(r: random.Random, size: int) -> Program | None:
    helpers: list[Helper] = []
    texts = []
    for name in ("one", "two")[: r.randint(1, 2)]:
        made, text = helper(r, name, list(helpers))
        helpers.append(made)
        texts.append(text)
    writer = Writer(r, helpers, "number")
    writer.numbers, writer.arrays, writer.matrix = ["s", "a", "b", "prev", "best", "q"], ["u", "v", "w", "r"], "A"
    asked = {kind for made in helpers for kind in made.params if kind in HOLDERS}
    writer.holders = {kind: name for kind, name in HOLDERS.items() if kind in asked or r.random() < 0.15}
    writer.places = ["i", "j"] if r.random() < 0.3 else []
    for _ in range(r.randint(2, size)):
        writer.loop(0) if r.random() < 0.5 else writer.statement(0)
    work = "\n".join(writer.lines)
    used: list[str] = []
    for made, text in zip(reversed(helpers), reversed(texts), strict=True):
        if re.search(rf"\b{made.name}\(", "".join([*used, work])):
            used.insert(0, text)
    if not used or len(work) + sum(map(len, used)) > LONGEST:
        return None
    statements = with_terms(r, THINGS, "s u", work.split("\n"))
    source = CLASS + "".join(used) + function("x, y, W", "x (3,), y (3,), W (3, 3)", statements)
    matrix = np.array([[0.23, 0.12, -0.5], [0.41, -0.37, 0.62], [0.55, 0.3, -0.2]])
    args = (np.array([0.31, 0.57, -0.42]), np.array([0.74, 0.15, 0.36]), matrix)
    return finished(source, args, ("x", "y", "W"))
