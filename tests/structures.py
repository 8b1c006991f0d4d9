"""Random programs with structures: the grammar of tests/stores.py, with closures, objects, dicts, draws and blocks.

What is added: functions inside the function that read, write or rebind what they capture; lambdas; dicts and objects
with array fields, a NamedTuple, tuples of states handed through helpers; recursion; lists read backwards and written
by slots; loops that store by affine subscripts along one or two axes, in every direction; repeated indices in ufunc.at;
`np.where` over values that are infinite or nan where it does not take them; while loops over arrays; try, with, match;
random draws.

A field is an entry of `env` under its text, `state["a"]` or `state.a`, so that whatever the other grammars do with a
name they do with a field.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from programs import SCALAR, Helper, Type
from stores import NONE, Storing

STRUCTURES = (
    "affine stores",
    "affine stores in two loops",
    "array state of a while",
    "closure",
    "closure that rebinds",
    "closure that writes",
    "dict of fields",
    "draws",
    "indices of a mask",
    "lambda",
    "list read backwards",
    "match",
    "method",
    "named tuple",
    "object",
    "recursion",
    "repeated indices",
    "slots of a list",
    "tuple of a state",
    "try",
    "where over nan",
    "with",
)
CLASSES = {
    "State": (
        "class State:",
        "    def __init__(self, a, s):",
        "        self.a = a",
        "        self.s = s",
        "",
        "    def turn(self, x):",
        "        self.s = np.tanh(self.s * x)",
        "        self.a = self.a * np.cos(self.s)",
        "        return self.s * x",
        "",
        "    def total(self):",
        "        return np.sum(self.a) * self.s",
    ),
    "Pair": ("class Pair(NamedTuple):", "    a: np.ndarray", "    s: float = 0.5"),
    "advance": (
        "def advance(state, x):",
        "    a, s = state",
        "    return np.sin(a * s), s + 0.3 * x * np.sum(a)",
    ),
    "descend": (
        "def descend(v, x, n):",
        "    if n == 0:",
        "        return x",
        "    return descend(v, np.tanh(x * v[n - 1]), n - 1) + 0.5 * x",
    ),
    "scatter": (
        "def scatter(v, x, n):",
        "    if n == 0:",
        "        return",
        "    v[n - 1] = np.tanh(v[n - 1] * x)",
        "    scatter(v, x, n - 1)",
    ),
}


@dataclass
class Structured(Storing):
    """A writer of functions with structures."""

    captured: set[str] = field(default_factory=set)  # names of the function around, which `+=` would make local
    drawing: bool = False
    needs: set[str] = field(default_factory=set)

    def has(self, *what: str) -> None:
        assert set(what) <= set(STRUCTURES), what
        self.constructs.update(what)

    # ------------------------------------------------------------ scopes

    def inner(self, count: int, **bound: Type) -> dict[str, Type]:
        helpers = list(self.helpers)
        left = super().inner(count, **bound)
        self.helpers = helpers
        return left

    def operation(self, left: str, right: str) -> str:
        return super().operation(f"{left}[...]" if left in self.captured else left, right)

    def leaf(self, t: Type) -> str:
        if self.drawing and self.chance(0.15):
            size = {"s": "", "v": f"size={t[1] if len(t) > 1 else 0}", "m": f"size={t[1:]}"}[t[0]]
            self.has("draws")
            return self.r.choice([f"rng.normal({size})", f"rng.uniform(0.1, 0.9{', ' * bool(size)}{size})"])
        return super().leaf(t)

    # ------------------------------------------------------------ statements

    def statement(self) -> None:
        if not self.chance(0.4):
            return super().statement()
        nested = self.depth < 3 and self.loops < 2
        forms: list[Callable[[], None]] = [
            self.closure,
            self.closure,
            self.fields,
            self.fields,
            self.object,
            self.tuple_,
        ]
        forms += [self.at, self.at, self.indices, self.where, self.slots]
        if nested:
            forms += [self.affine, self.affine, self.affine, self.affine, self.backwards, self.backwards]
            forms += [self.while_array, self.named_tuple, self.recursion]
        if self.depth < 3:
            forms += [self.try_, self.with_, self.match]
        self.r.choice(forms)()

    def draw(self) -> None:
        """A generator of random numbers, from here on."""
        self.put(f"rng = np.random.default_rng({self.r.randrange(100)})")
        self.drawing = True

    def closure(self) -> None:
        """A function inside, called now or later: what it captures may be bound again, or written, in between."""
        name, t = self.fresh("inner"), self.fresh("arg")
        result = self.r.choice([SCALAR, SCALAR, self.array_type()])
        scalars = [n for n in self.writable() if self.env[n] == SCALAR and n.isidentifier() and n not in self.captured]
        if self.chance(0.3):
            e = self.with_name(t, lambda: self.expr(result, 2))
            self.put(f"{name} = lambda {t}: {e}")
            self.has("lambda")
        else:
            self.put(f"def {name}({t}):")
            kept = (self.result, self.loops, set(self.protected), set(self.rows), set(self.captured), dict(self.env))
            rebound = self.r.sample(scalars, 1) if scalars and self.chance(0.3) else []
            self.indent += 1
            if rebound:
                self.put(f"nonlocal {rebound[0]}")
                self.has("closure that rebinds")
            self.indent -= 1
            outside = {n for n in self.env if n.isidentifier()} - set(rebound)
            self.captured |= outside
            self.rows |= {n for n in outside if self.env[n][0] in "vm"}
            self.protected |= outside
            self.result, self.loops = result, 0
            lines = len(self.lines)
            self.env[t] = SCALAR
            if rebound or self.chance(0.5):
                self.inner(self.r.choice([1, 1, 2]), **{t: SCALAR})
            if rebound:
                self.put(f"    {rebound[0]} = np.tanh({rebound[0]} * {t})")
            self.indent += 1
            self.put(f"return {self.bare(self.expr(result, 2))}")
            self.indent -= 1
            self.result, self.loops, self.protected, self.rows, self.captured, self.env = kept
            if any("] " in line and "= " in line for line in self.lines[lines:]):
                self.has("closure that writes")
            self.has("closure")
        self.protected.add(name)
        self.helpers.append(Helper(name, ((t, SCALAR),), result, 0))
        for _ in range(self.r.choice([0, 1, 2])):
            target = self.fresh()
            self.put(f"{target} = {name}({self.expr(SCALAR, 1)})")
            self.env[target] = result

    def with_name(self, name: str, write: Callable[[], str]) -> str:
        self.env[name] = SCALAR
        text = write()
        del self.env[name]
        return text

    def array(self) -> tuple[str, Type]:
        """Something that is an array: a new one, or one that has a name."""
        t = self.array_type()
        have = [n for n in self.arrays() if self.env[n] == t]
        forms = [self.bare(self.expr(t, 1))]
        if have:
            forms += [f"{self.r.choice(have)}.copy()", f"{self.r.choice(have)} * 1.0", self.r.choice(have)]
        return self.r.choice(forms), t

    def fields(self) -> None:
        """A dict with an array and a number."""
        name = self.fresh("d")
        text, t = self.array()
        self.put(f'{name} = {{"a": {text}, "s": {self.bare(self.expr(SCALAR, 1))}}}')
        self.protected.add(name)
        self.env[f'{name}["a"]'], self.env[f'{name}["s"]'] = t, SCALAR
        self.has("dict of fields")
        if self.chance(0.6):
            self.write(f'{name}["a"]')
        if self.chance(0.5):
            self.put(f'{name}["s"] = {self.bare(self.calm(self.expr(SCALAR, 2)))}')

    def object(self) -> None:
        name = self.fresh("o")
        text, t = self.array()
        self.needs.add("State")
        self.put(f"{name} = State({text}, {self.bare(self.expr(SCALAR, 1))})")
        self.protected.add(name)
        self.env[f"{name}.a"], self.env[f"{name}.s"] = t, SCALAR
        self.has("object")
        if self.chance(0.6):
            self.write(f"{name}.a")
        if self.chance(0.6):
            target = self.fresh()
            call = self.r.choice([f"{name}.turn({self.expr(SCALAR, 1)})", f"{name}.total()"])
            self.put(f"{target} = {call}")
            self.env[target] = SCALAR
            self.has("method")

    def named_tuple(self) -> None:
        name, k = self.fresh("p"), self.fresh("k")
        text, t = self.array()
        self.needs.add("Pair")
        self.put(f"{name} = Pair({text}, {self.bare(self.expr(SCALAR, 1))})")
        self.put(f"for {k} in range({self.r.choice([*self.ints, '2', '3'])}):")
        self.put(f"    {name} = {name}._replace(s=np.tanh({name}.s + {self.expr(SCALAR, 1)}), a=np.sin({name}.a))")
        self.env[f"{name}.a"], self.env[f"{name}.s"] = t, SCALAR
        self.protected |= {name, f"{name}.a", f"{name}.s"}
        self.has("named tuple")

    def tuple_(self) -> None:
        name = self.fresh("state")
        text, t = self.array()
        a, s = self.fresh("a"), self.fresh("s")
        self.needs.add("advance")
        self.put(f"{name} = ({text}, {self.bare(self.expr(SCALAR, 1))})")
        if self.depth < 3 and self.loops < 2 and self.chance(0.7):
            k = self.fresh("k")
            self.put(f"for {k} in range({self.r.choice([*self.ints, '2', '3'])}):")
            self.put(f"    {name} = advance({name}, {self.expr(SCALAR, 1)})")
        else:
            self.put(f"{name} = advance({name}, {self.expr(SCALAR, 1)})")
        self.put(f"{a}, {s} = {name}")
        self.env |= {a: t, s: SCALAR}
        self.protected.add(name)
        self.has("tuple of a state")

    def recursion(self) -> None:
        vectors = [n for n in self.storable() if self.env[n][0] == "v"]
        if not vectors:
            return self.affine()
        v = self.r.choice(vectors)
        if self.chance(0.4):
            self.needs.add("scatter")
            self.put(f"scatter({v}, {self.expr(SCALAR, 1)}, {self.env[v][1]})")
        else:
            self.needs.add("descend")
            target = self.fresh()
            self.put(f"{target} = descend({v}, {self.expr(SCALAR, 1)}, {self.r.randint(0, self.env[v][1])})")
            self.env[target] = SCALAR
        self.has("recursion")

    # ------------------------------------------------------------ stores

    def at(self) -> None:
        """ufunc.at with repeated indices, and what an augmented assignment makes of them."""
        name = self.target()
        t = self.env[name]
        n = t[1]
        picked = [self.r.randrange(n) for _ in range(self.r.choice([2, 3]))]
        index = self.fresh("idx")
        self.put(f"{index} = np.array({picked})")
        k = len(picked)
        value = self.expr(("v", k) if t[0] == "v" else ("m", k, t[2]), 1)
        if self.chance(0.3):
            value = self.expr(SCALAR, 1)
        forms = [f"np.add.at({name}, {index}, {value})", f"np.subtract.at({name}, {index}, {value})"]
        if len(set(picked)) == k:
            forms += [f"{name}[{index}] += {value}", f"{name}[{index}] *= np.tanh({value})"]
        if t[0] == "m":
            columns = [self.r.randrange(t[2]) for _ in picked]
            forms.append(f"np.add.at({name}, ({index}, np.array({columns})), {self.expr(('v', k), 1)})")
        self.put(self.r.choice(forms))
        self.has("repeated indices")

    def indices(self) -> None:
        """The places where a test holds, as an array of indices."""
        name = self.target()
        t = self.env[name]
        if t[0] != "v":
            return self.at()
        other = self.r.choice([n for n in self.arrays() if self.env[n] == t])
        index = self.fresh("idx")
        made = self.r.choice(["np.where({})[0]", "np.nonzero({})[0]", "np.flatnonzero({})"])
        self.put(f"{index} = {made.format(f'{other} > {self.expr(SCALAR, 0)}')}")
        value = self.r.choice([f"({self.expr(t, 1)})[{index}]", self.expr(SCALAR, 1)])
        form = self.r.choice([f"{name}[{index}] = {self.calm(value)}", self.operation(f"{name}[{index}]", value)])
        self.put(form)
        self.has("indices of a mask")

    def where(self) -> None:
        """A value that is infinite or not a number where np.where does not take it, under a name or not."""
        t = self.array_type()
        have = [n for n in self.arrays() if self.env[n] == t]
        if not have:
            return self.slots()
        v, name, kept = self.r.choice(have), self.fresh(), self.fresh("cut")
        form = self.r.choice(["np.sqrt({})", "np.log({})", "({} ** 0.5)", "(1.0 / np.maximum({}, 0.0))"]).format(v)
        form = self.r.choice([form, f"np.tanh({form}) * {self.expr(SCALAR, 1)}"])
        self.put('with np.errstate(all="ignore"):')
        self.indent += 1
        if self.chance(0.5):
            self.put(f"{kept} = {form}")
            form = kept
        test, other = f"{v} > {self.r.choice(['0.1', '0.15'])}", self.expr(t, 1)
        self.put(f"{name} = np.where({test}, {form}, {other})")
        self.indent -= 1
        self.env[name] = t
        self.has("where over nan", "with")

    def affine(self) -> None:
        """Stores by affine subscripts in one loop, or two: which of them must come back depends on the distances."""
        arrays = [n for n in self.storable() if self.env[n][0] in "vm" and min(self.env[n][1:]) >= 2]
        if not arrays:
            return self.at()
        name = self.r.choice(arrays)
        if name in self.given:
            self.note("parameter written")
        sizes = self.env[name][1:]
        before = self.indent
        offsets = (-1, 0, 1)
        variables: list[tuple[str, int]] = []  # loop variables with the axis that they run along
        axes = list(range(len(sizes))) if self.chance(0.8) else list(range(len(sizes)))[::-1]
        if len(axes) == 2 and self.chance(0.4):
            axes = axes[:1]
        for axis in axes:
            k, n = self.fresh("i"), sizes[axis]
            low, high = self.r.choice([(0, n), (1, n), (1, n - 1), (0, n - 1)])
            outer = [v for v, a in variables if sizes[a] == n]
            forms = [f"range({low}, {high})", f"range({high - 1}, {low - 1}, -1)", f"reversed(range({low}, {high}))"]
            if outer:
                forms += [f"range({outer[-1]})", f"range({outer[-1]}, {n})", f"range({n - 1}, {outer[-1]}, -1)"]
            self.put(f"for {k} in {self.r.choice(forms)}:")
            self.indent += 1
            self.loops += 1
            self.ints.append(k)
            variables.append((k, axis))

        def key() -> str:
            parts = []
            for axis, n in enumerate(sizes):
                mine = [v for v, a in variables if sizes[a] == n]
                if not mine or self.chance(0.12):
                    parts.append(self.r.choice([str(self.r.randrange(n)), "-1", "0"]))
                    continue
                v, offset = self.r.choice(mine), self.r.choice(offsets)
                text = v if offset == 0 else f"{v} {'+-'[offset < 0]} 1"
                parts.append(text if offset <= 0 else f"({text}) % {n}" if self.chance(0.5) else v)
                del axis
            return ", ".join(parts)

        for _ in range(self.r.choice([1, 1, 2])):
            reads = [f"{name}[{key()}]" for _ in range(2)]
            e = self.expr(SCALAR, 1)
            place = f"{name}[{key()}]"
            forms = [
                f"{place} = np.tanh({reads[0]} * {reads[1]} + {e})",
                f"{place} = np.sin({reads[0]}) * {e}",
                f"{place} = 0.5 * {reads[0]} - 0.3 * {reads[1]}",
                f"{place} += 0.5 * np.sin({reads[0]})",
                f"{place} *= np.tanh({reads[0]})",
                f"{place} = np.tanh({e})",
                f"{place} = 0.0",
                f"{place}, {reads[0]} = {reads[0]}, np.sin({place})",
            ]
            if self.chance(0.2):
                self.put(f"if {reads[1]} > {self.r.choice(['0.1', '-0.2'])}:")
                self.indent += 1
                self.put(self.r.choice(forms))
                self.indent -= 1
            else:
                self.put(self.r.choice(forms))
        if self.chance(0.15):
            self.leave_loop()
        if self.chance(0.3):
            total = [n for n in self.writable() if self.env[n] == SCALAR and n not in self.captured]
            if total:
                s = self.r.choice(total)
                self.put(f"{s} = np.tanh({s} + {name}[{key()}] ** 2)")
        self.indent = before
        for k, _ in variables:
            self.ints.remove(k)
        self.loops -= len(variables)
        self.has("affine stores" if len(variables) == 1 else "affine stores in two loops")

    def while_array(self) -> None:
        """A while loop whose state is an array that it writes, or binds again."""
        names = [n for n in self.writable() if self.env[n][0] in "vm"]
        if not names:
            return self.at()
        name, c = self.r.choice(names), self.fresh("count")
        self.put(f"{c} = 0")
        self.put(f"while np.sum({name} ** 2) > {self.r.choice(['0.4', '0.9'])} and {c} < 5:")
        self.indent += 1
        self.put(self.r.choice([f"{name} = 0.7 * {name}", f"{name} *= 0.6", f"{name}[...] = 0.5 * np.sin({name})"]))
        self.put(f"{c} += 1")
        self.indent -= 1
        self.loops += 1
        self.ints.append(c)
        if self.chance(0.6):
            self.inner(self.r.choice([1, 2]))
        self.ints.remove(c)
        self.loops -= 1
        self.has("array state of a while")

    # ------------------------------------------------------------ lists

    def made_list(self) -> tuple[str, Type]:
        name, k = self.fresh("hs"), self.fresh("t")
        element = self.r.choice([SCALAR, SCALAR, self.array_type()])
        self.ints.append(k)
        e = self.with_int(k, element)
        self.ints.remove(k)
        if self.chance(0.5):
            self.put(f"{name} = [{self.expr(element, 1)}]")
            self.put(f"for {k} in range(3):")
            self.put(f"    {name}.append(np.tanh({name}[-1] * 0.9 + {e}))")
        else:
            self.put(f"{name} = [{e} for {k} in range(4)]")
        self.protected.add(name)
        return name, element

    def with_int(self, k: str, t: Type) -> str:
        drawing, self.drawing = self.drawing, False
        text = self.bare(self.expr(t, 1))
        self.drawing = drawing
        return text

    def backwards(self) -> None:
        """A list that a loop has made, read from its end."""
        name, element = self.made_list()
        acc, u, i = self.fresh("acc"), self.fresh("u"), self.fresh("i")
        one = "np.sum({}) * np.cos({})" if element != SCALAR else "{} * np.cos({})"
        self.put(f"{acc} = {self.expr(SCALAR, 1)}")
        head, item = self.r.choice(
            [
                (f"for {u} in reversed({name}):", u),
                (f"for {u} in {name}[::-1]:", u),
                (f"for {i} in range(len({name}) - 1, -1, -1):", f"{name}[{i}]"),
                (f"for {i} in range(1, len({name}) + 1):", f"{name}[-{i}]"),
                (f"for {i} in reversed(range(len({name}))):", f"{name}[{i}]"),
                (f"for {u} in {name}[1:]:", u),
            ]
        )
        self.put(head)
        self.put(f"    {acc} = 0.6 * {acc} + {one.format(item, acc)}")
        self.env[acc] = SCALAR
        self.has("list read backwards")

    def slots(self) -> None:
        """The items of a list of numbers are bound anew, one by one."""
        name, target = self.fresh("ls"), self.fresh()
        self.put(f"{name} = [{', '.join(self.bare(self.expr(SCALAR, 1)) for _ in range(3))}]")
        self.protected.add(name)
        for _ in range(self.r.choice([1, 2, 2])):
            i, j = self.r.randrange(3), self.r.choice([0, 1, 2, -1])
            self.put(
                self.r.choice(
                    [
                        f"{name}[{i}] = {self.bare(self.expr(SCALAR, 1))}",
                        f"{name}[{i}] = {name}[{j}] * {self.expr(SCALAR, 1)}",
                        f"{name}[{i}] *= np.tanh({name}[{j}])",
                        f"{name}[{i}] += {self.bare(self.expr(SCALAR, 1))}",
                        f"{name}[{i}], {name}[{(i + 1) % 3}] = {name}[{(i + 1) % 3}], {name}[{i}]",
                    ]
                )
            )
        self.put(f"{target} = {name}[0] * {name}[1] + np.sin({name}[-1])")
        self.env[target] = SCALAR
        self.has("slots of a list")

    # ------------------------------------------------------------ blocks

    def try_(self) -> None:
        self.put("try:")
        self.inner(self.r.choice([1, 2]))
        form = self.r.randrange(3)
        if form != 1:
            self.put("except (ValueError, ZeroDivisionError):")
            self.inner(1)
        if form:
            self.put("finally:")
            result, self.result = self.result, self.result
            lines, loops = len(self.lines), self.loops
            self.inner(1)
            if any(re.search(r"\b(return|break|continue)\b", line) for line in self.lines[lines:]):
                del self.lines[lines:]  # what leaves a finally block hides an error: Python warns of it
                self.put("    pass")
            self.result, self.loops = result, loops
        self.has("try")

    def with_(self) -> None:
        self.put('with np.errstate(all="ignore"):')
        self.inner(self.r.choice([1, 2]))
        self.has("with")

    def match(self) -> None:
        if not self.ints:
            return self.with_()
        self.put(f"match {self.r.choice(self.ints)}:")
        self.indent += 1
        for pattern in ("0", "1 | 2", "_"):
            self.put(f"case {pattern}:")
            self.inner(1)
        self.indent -= 1
        self.has("match")


def prelude(source: str) -> list[str]:
    """The classes and helpers that a text names, and the imports that they want."""
    lines: list[str] = []
    for name, text in CLASSES.items():
        if re.search(rf"\b{name}\(", source):
            lines += ["", "", *text]
    return lines


__all__ = ["NONE", "STRUCTURES", "Structured", "prelude", "random", "replace"]
