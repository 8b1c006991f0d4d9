"""Random programs over values that helpers make, read, change and make anew: numbers, arrays, lists, dicts, tuples and
objects within each other.

The structure of the value is drawn; `make` builds one from an array and a number, `use` and `more` read parts of it,
`change` writes into it, `anew` makes another one, which may share parts with it. The function calls these several
times, in loops and branches, of two values that may be one: what the calls give for the parts of an argument is added
up, whatever the parts are.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from programs import Program

LEAVES = ("number", "number", "array", "array", "numbers", "arrays")
INNER = ("dict", "object", "tuple", "rows")
ARRAY = (0.7, -0.4, 0.9), (0.5, 1.2, -0.3)


@dataclass(frozen=True)
class Kind:
    """The structure of a value: a leaf, or parts under names, or `rows` of one kind."""

    name: str
    parts: tuple[tuple[str, Kind], ...] = ()
    cls: str = ""
    style: str = ""

    def part(self, place: str, key: str) -> str:
        match self.name:
            case "dict":
                return f'{place}["{key}"]'
            case "object":
                return f"{place}.{key}"
        return f"{place}[{key}]"


class Writer:
    """The lines of a module: classes, helpers, and `f`."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.classes: list[str] = []
        self.lines: list[str] = []
        self.loops = 0
        self.kind = self.draw(0)

    def one(self, *choices: str) -> str:
        return self.r.choice(choices)

    def draw(self, depth: int) -> Kind:
        """A structure, at least one level deep."""
        if depth and (depth > 2 or self.r.random() < 0.6):
            return Kind(self.one(*LEAVES))
        name = self.one(*INNER)
        if name == "rows":
            return Kind(name, (("0", self.draw(depth + 1)),))
        keys = {"dict": "pqr", "object": "abc", "tuple": "012"}[name][: self.r.randint(1, 3)]
        parts = tuple((k, self.draw(depth + 1)) for k in keys)
        if name != "object":
            return Kind(name, parts)
        styles = ("plain", "plain", "dataclass", *(["namedtuple"] * (not depth)))  # inside, only the run may know them
        kind = Kind(name, parts, f"C{len(self.classes)}", self.one(*styles))
        self.classes.append(self.class_text(kind))
        return kind

    def class_text(self, kind: Kind) -> str:
        keys = [k for k, _ in kind.parts]
        match kind.style:
            case "plain":
                sets = "".join(f"        self.{k} = {k}\n" for k in keys)
                return f"class {kind.cls}:\n    def __init__(self, {', '.join(keys)}):\n{sets}"
            case "dataclass":
                return f"@dataclass\nclass {kind.cls}:\n" + "".join(f"    {k}: object\n" for k in keys)
        names = ", ".join(f'"{k}"' for k in keys)
        return f'{kind.cls} = namedtuple("{kind.cls}", [{names}])\n'

    # ------------------------------------------------------------ expressions

    def number(self) -> str:
        return self.one("k", "k * x[0]", "x[1]", "np.sum(x)", "2.0", "k + 0.5")

    def array(self) -> str:
        return self.one("x", "x.copy()", "x * k", "x + 1.0", "x[::-1]", "np.sin(x)", "k * x")

    def built(self, kind: Kind) -> str:
        """An expression of x and k for a value."""
        match kind.name:
            case "number":
                return self.number()
            case "array":
                return self.array()
            case "numbers":
                return self.one("[v * k for v in x]", "[x[0], k, k * x[2]]", "[2.0 * v for v in x]", "list(x * k)")
            case "arrays":
                return self.one("[x * k, x + k]", "[x, k * x]", "[x * v for v in (k, 2.0)]", "[np.sin(x), x.copy()]")
            case "rows":
                item = kind.parts[0][1]
                if self.r.random() < 0.4:
                    return f"[{self.built(item)} for k in (k, 0.5 * k)]"
                return f"[{self.built(item)}, {self.built(item)}]"
        return self.joined(kind, [self.built(p) for _, p in kind.parts])

    def joined(self, kind: Kind, values: list[str]) -> str:
        keys = [k for k, _ in kind.parts]
        match kind.name:
            case "dict":
                return "{" + ", ".join(f'"{k}": {v}' for k, v in zip(keys, values, strict=True)) + "}"
            case "tuple":
                return f"({', '.join(values)}{',' * (len(values) == 1)})"
        if self.r.random() < 0.3:
            return f"{kind.cls}({', '.join(f'{k}={v}' for k, v in zip(keys, values, strict=True))})"
        return f"{kind.cls}({', '.join(values)})"

    def read(self, kind: Kind, place: str) -> str:
        """A number made of a part of a value."""
        match kind.name:
            case "number":
                return self.one(place, f"{place} * k", f"np.tanh({place})")
            case "array":
                return self.one(f"np.sum({place})", f"{place}[1]", f"np.sum({place} * {place})", f"{place} @ {place}")
            case "numbers":
                return self.one(
                    f"sum({place})", f"{place}[0]", f"sum(v * v for v in {place})", f"{place}[-1] * {place}[1]"
                )
            case "arrays":
                return self.one(f"np.sum({place}[0])", f"sum(np.sum(v) * k for v in {place})", f"{place}[1][2]")
            case "rows":
                item = kind.parts[0][1]
                if self.r.random() < 0.5:
                    return self.read(item, f"{place}[{self.r.randrange(2)}]")
                self.loops += 1
                row = f"row{self.loops}"
                return f"sum({self.read(item, row)} for {row} in {place})"
        key, part = self.r.choice(kind.parts)
        return self.read(part, kind.part(place, key))

    def places(self, kind: Kind, place: str, fixed: bool = False) -> list[tuple[str, Kind, bool]]:
        """The parts at any depth with their kinds, and whether they can't be bound anew."""
        found = [(place, kind, fixed)]
        unchanging = kind.name == "tuple" or kind.style == "namedtuple"
        for key, part in kind.parts:
            found += self.places(part, kind.part(place, key), unchanging)
        return found

    # ------------------------------------------------------------ helpers

    def helpers(self) -> list[str]:
        kind, out = self.kind, []
        out.append(self.maker())
        for name in ("use", "more"):
            lines = ["    s = 0.0"]
            for _ in range(self.r.randint(1, 3)):
                lines += self.reading(kind, "t")
            out.append(f"def {name}(t, k):\n" + "\n".join(lines) + "\n    return s\n")
        changes = [self.writing() for _ in range(self.r.randint(1, 2))]
        back = self.one("", "", "    return t\n")
        out.append("def change(t, x, k):\n" + "".join(f"    {c}\n" for c in changes) + back)
        self.gives_back = bool(back)
        out.append(f"def anew(t, x, k):\n    return {self.again(kind, 't')}\n")
        return out

    def maker(self) -> str:
        kind = self.kind
        if kind.name == "rows" and self.r.random() < 0.6:
            item = self.built(kind.parts[0][1])
            lines = ["    rows = []", "    for j in range(2):", f"        rows.append({item})", "    return rows"]
        elif kind.name != "rows" and self.r.random() < 0.5:
            names = [f"v{i}" for i in range(len(kind.parts))]
            lines = [f"    {n} = {self.built(p)}" for n, (_, p) in zip(names, kind.parts, strict=True)]
            lines.append(f"    return {self.joined(kind, names)}")
        else:
            lines = [f"    return {self.built(kind)}"]
        return "def make(x, k):\n" + "\n".join(lines) + "\n"

    def reading(self, kind: Kind, place: str) -> list[str]:
        places = [p for p in self.places(kind, place) if p[1].name in ("numbers", "arrays", "rows")]
        if places and self.r.random() < 0.4:
            where, part, _ = self.r.choice(places)
            inner = {"numbers": Kind("number"), "arrays": Kind("array")}.get(part.name) or part.parts[0][1]
            return [f"    for v in {where}:", f"        s += {self.read(inner, 'v')}"]
        return [f"    s += {self.read(kind, place)}"]

    def writing(self) -> str:
        """A statement that changes `t` in place, or what it holds."""
        every = self.places(self.kind, "t")[1:]
        place, kind, fixed = self.r.choice(every)
        match kind.name:
            case "array" if fixed or self.r.random() < 0.6:
                return self.one(f"{place}[0] += k", f"{place}[1:] *= k", f"{place}[1] = x[0] * k", f"{place}[:] = x")
            case "numbers" if fixed or self.r.random() < 0.6:
                return self.one(f"{place}[0] = k", f"{place}[1] *= k", f"{place}.append(k)", f"{place}[2] += x[0]")
            case "arrays" if fixed or self.r.random() < 0.6:
                return self.one(f"{place}[0] = x * k", f"{place}[1][0] += k", f"{place}.append(x)")
            case "number" if not fixed:
                return self.one(f"{place} = {self.number()}", f"{place} += k", f"{place} *= {self.number()}")
        return "k = k * 2.0" if fixed else f"{place} = {self.built(kind)}"

    def again(self, kind: Kind, place: str) -> str:
        """A new value, some parts of which are those of an old one."""
        t = self.r.random()
        match kind.name:
            case "number":
                return place if t < 0.4 else f"{place} * k"
            case "array":
                return place if t < 0.4 else f"{place} * k" if t < 0.7 else f"{place}.copy()"
            case "numbers":
                return place if t < 0.3 else f"[v * k for v in {place}]" if t < 0.7 else f"list({place})"
            case "arrays":
                return place if t < 0.3 else f"[v * k for v in {place}]" if t < 0.7 else f"{place}[::-1]"
            case "rows":
                if t < 0.2:
                    return place
                if t < 0.4:
                    return self.one(f"{place}[::-1]", f"list({place})")
                return f"[{self.again(kind.parts[0][1], f'{place}[0]')}, {self.again(kind.parts[0][1], f'{place}[1]')}]"
        return self.joined(kind, [self.again(p, kind.part(place, k)) for k, p in kind.parts])

    # ------------------------------------------------------------ the function

    def statement(self, depth: int) -> None:
        put = lambda text: self.lines.append("    " * (depth + 1) + text)  # noqa: E731
        t, x, k = self.one("t", "t", "u"), self.one("x", "y", "x * k"), self.one("k", "k", "s", "x[1]")
        match self.r.randrange(14):
            case 0 | 1 | 2 | 3:
                put(f"s += {self.one('use', 'more')}({t}, {k})")
            case 4:
                put(f"s = s * {self.read(self.kind, t)}")
            case 5 | 6:
                put(f"{f'{t} = ' if self.gives_back else ''}change({t}, {x}, {k})")
            case 7 | 8:
                put(f"{t} = anew({self.one('t', 'u')}, {x}, {k})")
            case 9:
                put(self.one("t, u = u, t", "u = t", f"{t} = make({x}, {k})", f"u = make({x}, s)"))
            case 10 | 11 if depth < 2:
                put(self.one("for i in range(n):", "for k in (0.5, k):"))
                self.block(depth + 1)
            case 12 if depth < 2:
                put(self.one("if n > 1:", "if s < 100.0:", "if n > 5:"))
                self.block(depth + 1)
                if self.r.random() < 0.4:
                    put("else:")
                    self.block(depth + 1)
            case _:
                put(f"s += {self.read(self.kind, t)} * use({t}, {k})")

    def block(self, depth: int) -> None:
        for _ in range(self.r.randint(1, 2)):
            self.statement(depth)


def program(r: random.Random, size: int) -> Program | None:
    """A program of at most size + 2 statements behind two values, None where it can't be run or is not tame."""
    w = Writer(r)
    helpers = w.helpers()
    second = w.one("make(y, 0.5)", "make(x, k)", "t", "anew(t, y, k)")
    for _ in range(r.randint(2, size + 2)):
        w.statement(0)
    result = w.one("s", "s", f"s + use({w.one('t', 'u')}, k)", f"s * {w.read(w.kind, 't')}")
    head = "from collections import namedtuple\nfrom dataclasses import dataclass\n\nimport numpy as np\n"
    stated = ["    # s2s: x (3,), y (3,)"] if r.random() < 0.7 else []
    body = ["    t = make(x, k)", f"    u = {second}", "    s = 0.0", *w.lines, f"    return {result}"]
    parts = [head, *w.classes, *helpers, "\n".join(["def f(x, y, k: float, n: int):", *stated, *body]) + "\n"]
    source = "\n\n".join(parts)
    args = (np.array(ARRAY[0]), np.array(ARRAY[1]), 0.6, 2)
    found: dict[str, object] = {}
    exec(compile(source, "<made>", "exec"), found)
    try:
        with np.errstate(all="ignore"):
            value = found["f"](args[0].copy(), args[1].copy(), *args[2:])  # type: ignore[operator]
    except (IndexError, ValueError, TypeError, AttributeError):
        return None
    if np.ndim(value) or not abs(value) < 1e6:
        return None
    return Program(source, args, ("x", "y", "k"), ("x", "y", "k", "n"), True)
