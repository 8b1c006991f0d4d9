"""Random programs about the parts of arrays: the grammar of tests/stores.py, with parts of parts wherever it may be.

What is added: chains of views (slices with steps and bounds of either sign, `.T`, reshape, ravel, rows, columns,
new and lost axes) in expressions, as targets of stores, as what loops run over and as what helpers are given; several
parts of one array in one expression, concatenated, stacked, multiplied, chosen from; axes of length one; keys
that the run decides; names bound to parts of themselves; ufuncs with `out=`, `ufunc.at`, sorts and masks of parts.

Each production has a weight: `Parting.forms`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from programs import SCALAR, Type
from stores import Storing

LENGTHS = (1, 1, 2, 2, 3, 4)
STEPS = (None, None, None, 1, 2, -1, -1, -2, 3)
PARTS = (
    "chain of views",
    "parts in one expression",
    "part as a target",
    "swap of parts",
    "parts in a list",
    "unpacked parts",
    "choice of parts",
    "branch of parts",
    "loop over a part",
    "loop over two parts",
    "loop over parts",
    "nested loops with keys",
    "while with a break",
    "rebound to a part",
    "out= of parts",
    "at of a part",
    "sort of a part",
    "mask of parts",
    "chained parts",
    "split",
    "nested function over parts",
    "flat",
)


@cache
def slices(n: int) -> dict[int, tuple[str, ...]]:
    """The slices of n elements, as text, by the number of elements that they take."""
    found: dict[int, list[str]] = {}
    bounds = [None, *range(-n - 1, n + 2)]
    for step in sorted(set(STEPS), key=str):
        for start in bounds:
            for stop in bounds:
                k = len(range(*slice(start, stop, step).indices(n)))
                text = f"{'' if start is None else start}:{'' if stop is None else stop}"
                found.setdefault(k, []).append(text + ("" if step is None else f":{step}"))
    return {k: tuple(texts) for k, texts in found.items()}


@dataclass
class Parting(Storing):
    """A writer of functions that take arrays to parts."""

    lengths: ClassVar[tuple[int, ...]] = LENGTHS

    def notes(self, *what: str) -> None:
        assert set(what) <= set(PARTS), what
        self.constructs.update(what)

    # ------------------------------------------------------------ chains of views

    def slice(self, n: int, k: int) -> str:
        """A slice that takes k of n elements: short ones are the likelier."""
        texts = self.r.sample(slices(n)[k], min(4, len(slices(n)[k])))
        if k == 1 and n > 1 and self.ints and self.chance(0.3):
            i = self.r.choice(self.ints)
            return f"{i} % {n}:{i} % {n} + 1"
        if n > k > 0 and self.ints and self.chance(0.2):
            i, room = self.r.choice(self.ints), n - k + 1
            return f"{i} % {room}:{i} % {room} + {k}"
        return min(texts, key=len) if self.chance(0.7) else texts[0]

    def some(self, n: int, *, least: int = 1) -> tuple[str, int]:
        k = self.r.randint(least, n)
        return self.slice(n, k), k

    def step(self, text: str, t: Type) -> tuple[str, Type]:
        """One view more. The text stays an atom."""
        match t:
            case ("v", n):
                kind = self.r.randrange(14)
                if kind == 0:
                    return f"{text}[:, {self.r.choice(['None', 'np.newaxis'])}]", ("m", n, 1)
                if kind == 1:
                    form = self.r.choice(
                        [f"{text}[None]", f"{text}.reshape(1, {n})", f"{text}[np.newaxis, :]", f"np.atleast_2d({text})"]
                    )
                    return form, ("m", 1, n)
                if kind == 2:
                    p = self.r.choice([d for d in range(1, n + 1) if n % d == 0])
                    form = self.r.choice([f"({p}, {n // p})", f"({p}, -1)"])
                    return f"{text}.reshape{form}", ("m", p, n // p)
                if kind == 3:
                    return self.r.choice([f"np.flip({text})", f"{text}[...]", f"{text}.T", f"{text}[:]"]), t
                key, k = self.some(n)
                return f"{text}[{key}]", ("v", k)
            case ("m", m, n):
                kind = self.r.randrange(14)
                if kind < 2:
                    form = self.r.choice(
                        ["{}.T", "{}.T", "{}.transpose()", "np.transpose({})", "np.swapaxes({}, 0, 1)"]
                    )
                    return form.format(text), ("m", n, m)
                if kind < 4:
                    return f"{text}[{self.index(m)}{self.r.choice(['', ', :', ', ...'])}]", ("v", n)
                if kind < 6:
                    return f"{text}[{self.r.choice([':', '...'])}, {self.index(n)}]", ("v", m)
                if kind == 6:
                    return self.r.choice([f"{text}.ravel()", f"{text}.reshape(-1)", f"np.ravel({text})"]), ("v", m * n)
                if kind == 7 and m * n <= 12:
                    p = self.r.choice([d for d in range(1, m * n + 1) if m * n % d == 0])
                    return f"{text}.reshape({p}, {m * n // p})", ("m", p, m * n // p)
                if kind == 8 and 1 in (m, n):
                    form = self.r.choice(["np.squeeze({})", "{}.squeeze()"])
                    if m * n > 1:
                        return form.format(text), ("v", m * n)
                if kind == 9:
                    key, k = self.some(m)
                    return f"{text}[{key}]", ("m", k, n)
                if kind == 10:
                    key, k = self.some(n)
                    i = self.index(m)
                    return f"{text}[{i}, {key}]", ("v", k)
                if kind == 11:
                    key, k = self.some(m)
                    return f"{text}[{key}, {self.index(n)}]", ("v", k)
                (a, p), (b, q) = self.some(m), self.some(n)
                return f"{text}[{a}, {b}]", ("m", p, q)
        raise AssertionError(t)

    def towards(self, text: str, t: Type, want: Type) -> tuple[str, Type]:
        """One view that may end where it should."""
        match t, want:
            case ("v", n), ("v", k) if n >= k:
                return f"{text}[{self.slice(n, k)}]", want
            case ("m", m, n), ("v", k):
                forms = []
                if n >= k:
                    forms += [f"[{self.index(m)}, {self.slice(n, k)}]"]
                if m >= k:
                    forms += [f"[{self.slice(m, k)}, {self.index(n)}]"]
                if n == k:
                    forms += [f"[{self.index(m)}]"] * 2
                if m == k:
                    forms += [f"[:, {self.index(n)}]"]
                if forms:
                    return text + self.r.choice(forms), want
            case ("m", m, n), ("m", p, q):
                if m >= p and n >= q:
                    return f"{text}[{self.slice(m, p)}, {self.slice(n, q)}]", want
                if m >= q and n >= p:
                    return f"{text}[{self.slice(m, q)}, {self.slice(n, p)}].T", want
        return self.step(text, t)

    def part(self, want: Type, names: list[str] | None = None, steps: int = 2) -> str:
        """A view of this type of one of these arrays, "" where none is found."""
        names = self.arrays() if names is None else names
        if want == SCALAR:
            if not names:
                return ""
            name = self.r.choice(names)
            return f"{name}[{self.element(name)}]"
        for _ in range(12 if names else 0):
            name = self.r.choice(names)
            text, t = name, self.env[name]
            for _ in range(self.r.choice(range(steps + 1))):
                text, t = self.step(text, t)
            if t != want or text == name:
                text, t = self.towards(text, t, want)
            if t == want:
                self.notes("chain of views")
                return text
        return ""

    def read(self, t: Type) -> str:
        """A part to read: of the arrays that are written the likelier."""
        return self.part(t) or self.leaf(t)

    # ------------------------------------------------------------ expressions

    def expr(self, t: Type, depth: int = 2) -> str:
        if t[0] in "vm" and t not in self.env.values() and not self.chance(0.3):
            return self.read(t)
        if self.chance(0.3):
            return self.read(t)
        return super().expr(t, depth)

    def several(self, t: Type) -> tuple[str, str, str]:
        """Three parts of one type, mostly of one array."""
        names = [self.r.choice(self.arrays())] if self.arrays() and self.chance(0.75) else None
        found = [self.part(t, names) or self.read(t) for _ in range(3)]
        self.notes("parts in one expression")
        return found[0], found[1], found[2]

    def size(self) -> int:
        return self.r.choice(self.lengths)

    def scalar(self, d: int) -> str:
        if not self.arrays() or not self.chance(0.45):
            return super().scalar(d)
        n, m = self.size(), self.size()
        v, w, u = self.several(("v", n))
        a, b, c = self.several(SCALAR)
        M, N, _ = self.several(("m", m, n))
        p, _, _ = self.several(("v", m))
        s = self.expr(SCALAR, min(d, 1))
        return self.r.choice(
            [
                f"({a} * {b})",
                f"({a} * {b} - {c} * {a})",
                f"({a} / (2.0 + {b} ** 2))",
                f"({a} if {b} > {s} else {c})",
                f"max({a}, {b})",
                f"np.sum({v} * {w})",
                f"np.sum({v} * {w} * {u})",
                f"({v} @ {w})",
                f"np.dot({v}, {w})",
                f"np.vdot({v}, {w})",
                f"({v} - {w}).sum()",
                f"np.sum(({v} - {w}) ** 2)",
                f"np.einsum('i,i->', {v}, {w})",
                f"np.einsum('i,ij,j->', {p}, {M}, {v})",
                f"np.einsum('ij,ij->', {M}, {N})",
                f"np.sum(np.outer({p}, {v}) * {M})",
                f"np.sum(np.concatenate([{v}, {p}]) ** 2)",
                f"np.sum(np.stack([{v}, {w}, {u}])[{self.index(3)}] * {v})",
                f"np.sum({v} if {a} > {s} else {w})",
                f"np.sum(np.where({v} > {w}, {u}, {v}))",
                f"np.sum(np.maximum({v}, {w}) * {u})",
                f"({p} @ {M} @ {v})",
                f"np.sum({M} @ {v})",
                f"np.sum({M} * {N})",
                f"np.trace({M} @ {N}.T)",
                f"np.sum(np.diagonal({M}))",
                f"np.sum({M} * {v})",
                f"np.sum({M} + {p}[:, None])",
                f"np.mean({M}, axis=0)[{self.index(n)}]",
                f"np.sum({M}, axis=1)[{self.index(m)}]",
                f"np.prod(np.tanh({v}))",
                f"np.var({v})",
                f"sum({v})",
                f"sum([{a}, {b}, {c}])",
                f"np.sum([{a}, {b} * {c}])",
                f"np.linalg.norm({v} - {w} * {s} + 0.1)",
            ]
        )

    def vector(self, n: int, d: int) -> str:
        if not self.arrays() or not self.chance(0.5):
            return super().vector(n, d)
        m = self.size()
        v, w, u = self.several(("v", n))
        one, two, _ = self.several(("v", 1))
        M, N, _ = self.several(("m", m, n))
        p = self.read(("v", m))
        s, a = self.expr(SCALAR, min(d, 1)), self.part(SCALAR) or "0.4"
        forms = [
            v,
            v,
            f"({v} * {w})",
            f"({v} * {w} + {u} * {v})",
            f"({v} - {w})",
            f"({v} / (2.0 + {w} ** 2))",
            f"({v} * {one})",
            f"({one} + {v} * {two})",
            f"np.where({v} > {s}, {w}, {u})",
            f"np.where({v} > {w}, {one}, {u})",
            f"np.maximum({v}, {w})",
            f"np.minimum({v}, {one})",
            f"({v} if {a} > {s} else {w})",
            f"np.stack([{v}, {w}, {u}])[{self.index(3)}]",
            f"np.stack([{v}, {w}]).sum(axis=0)",
            f"np.stack([{v}, {w}, {u}], axis=1)[:, {self.index(3)}]",
            f"np.vstack([{v}, {w}]).mean(axis=0)",
            f"np.einsum('i,i->i', {v}, {w})",
            f"np.einsum('ij,i->j', {M}, {p})",
            f"({p} @ {M})",
            f"({M}.T @ {p})",
            f"np.dot({p}, {M})",
            f"np.outer({p}, {v})[{self.index(m)}]",
            f"np.outer({v}, {p})[:, {self.index(m)}]",
            f"np.sum(np.outer({p}, {v}) * {N}, axis=0)",
            f"np.sum({M} * {v}, axis=0)",
            f"({M} + {p}[:, np.newaxis])[{self.index(m)}]",
            f"np.cumsum({v})",
            f"np.roll({v}, {self.r.choice([1, -1, 2])})",
            f"np.flip({v})",
            f"{v}[::-1]",
            f"np.broadcast_to({one}, ({n},))",
            f"np.tile({one}, {n})",
            f"np.repeat({one}, {n})",
            f"np.array([{', '.join(self.part(SCALAR) or '0.3' for _ in range(n))}], dtype=float)",
            f"np.array([{', '.join(f'{self.part(SCALAR) or s} * {a}' for _ in range(n))}], dtype=float)",
            f"np.diff({self.read(('v', n + 1))})",
            f"{v}.copy()",
            f"np.take({p}, [{', '.join(str(self.r.randrange(m)) for _ in range(n))}])",
            f"({p})[[{', '.join(str(self.r.randrange(m)) for _ in range(n))}]]",
            f"({v} * {w}).reshape({n})",
        ]
        if n > 1:
            k = self.r.randint(1, n - 1)
            x, y, _ = self.several(("v", k))
            z, o, _ = self.several(("v", n - k))
            forms += [
                f"np.concatenate([{x}, {z}])",
                f"np.concatenate([{x}, {z}])",
                f"np.concatenate(({z}, {y}))",
                f"np.hstack([{x} * {y}, {o}])",
                f"np.append({z}, {x} * {s})",
                f"np.concatenate([{x} * {y}, {z} - {o}])",
                f"np.r_[{x}, {z}]",
            ]
        return self.r.choice(forms)

    def matrix(self, m: int, n: int, d: int) -> str:
        if not self.arrays() or not self.chance(0.5):
            return super().matrix(m, n, d)
        M, N, K = self.several(("m", m, n))
        k = self.size()
        A, B = self.several(("m", m, k))[0], self.several(("m", k, n))[0]
        v, w, _ = self.several(("v", n))
        p, q, _ = self.several(("v", m))
        row, column = self.read(("m", 1, n)), self.read(("m", m, 1))
        s = self.expr(SCALAR, min(d, 1))
        forms = [
            M,
            M,
            f"({M} * {N})",
            f"({M} - {N} * {K})",
            f"({M} * {v})",
            f"({M} + {p}[:, None])",
            f"({row} * {column})",
            f"({row} + {M})",
            f"({M} * {column})",
            f"({A} @ {B})",
            f"({self.read(('m', n, k))} @ {self.read(('m', k, m))}).T",
            f"np.outer({p}, {v})",
            f"np.outer({p} * {q}, {v} - {w})",
            f"np.einsum('i,j->ij', {p}, {v})",
            f"np.einsum('ik,kj->ij', {A}, {B})",
            f"np.where({M} > {s}, {N}, {K})",
            f"np.where({v} > {s}, {M}, {N})",
            f"np.maximum({M}, {row})",
            f"np.stack([{', '.join(self.read(('v', n)) for _ in range(m))}])",
            f"np.column_stack([{', '.join(self.read(('v', m)) for _ in range(n))}])",
            f"np.vstack([{', '.join(self.read(('v', n)) for _ in range(m))}])",
            f"np.broadcast_to({v}, ({m}, {n}))",
            f"np.concatenate([{', '.join(self.read(('m', 1, n)) for _ in range(m))}])",
            f"np.concatenate([{', '.join(self.read(('m', m, 1)) for _ in range(n))}], axis=1)",
            f"np.cumsum({M}, axis={self.r.choice([0, 1])})",
            f"np.triu({M})",
            f"{M}.copy()",
        ]
        return self.r.choice(forms)

    # ------------------------------------------------------------ statements

    @property
    def forms(self) -> list[tuple[Callable[[], None], int, bool]]:
        """The productions with their weights, and whether one opens a loop."""
        return [
            (self.store_part, 8, False),
            (self.augment_part, 8, False),
            (self.swap_parts, 3, False),
            (self.list_of_parts, 4, False),
            (self.unpacked_parts, 3, False),
            (self.named_part, 6, False),
            (self.choice_of_parts, 4, False),
            (self.loop_over, 7, True),
            (self.nested_keys, 5, True),
            (self.while_break, 3, True),
            (self.rebind, 3, False),
            (self.out_of_parts, 5, False),
            (self.at_part, 3, False),
            (self.sort_part, 2, False),
            (self.mask_of_parts, 3, False),
            (self.chained_parts, 2, False),
            (self.split, 2, False),
            (self.inner_function, 3, False),
            (self.flat, 2, False),
            (self.effect, 5, False),
        ]

    def statement(self) -> None:
        if not self.arrays() or not self.chance(0.55):
            return super().statement()
        nested = self.depth < 3 and self.loops < 2
        forms = [(form, weight) for form, weight, loops in self.forms if nested or not loops]
        self.r.choices([form for form, _ in forms], [weight for _, weight in forms])[0]()

    def hold(self, t: Type | None = None) -> tuple[str, Type]:
        """A part to write into, and its type: the text is a chain of views, or an array's name."""
        name = self.target()
        text, have = name, self.env[name]
        if t is not None:
            found = self.part(t, self.storable() or [name])
            if found:
                return found, t
        for _ in range(self.r.choice([1, 1, 2])):
            text, have = self.step(text, have)
        return text, have

    def under_a_name(self, text: str, t: Type) -> str:
        """A part of a part mostly gets a name first: some ways of writing into one are refused without."""
        if text.isidentifier() or not self.chance(0.75):
            return text
        name = self.fresh("part")
        self.put(f"{name} = {text}")
        self.env[name] = t
        return name

    def into(self, text: str, t: Type) -> str:
        """A key that makes a store of a part: `text[...]`, or of a part of it."""
        if text.endswith("]") and "(" not in text.rpartition("[")[2] and self.chance(0.75):
            return text
        return f"{text}[{self.r.choice(['...', ':'])}]"

    def new(self, t: Type) -> str:
        """What is stored: mostly made of other parts."""
        if t[0] == "v" and self.chance(0.15):
            return self.bare(self.calm(self.expr(SCALAR, 1)))
        if t[0] == "m" and self.chance(0.2):
            return self.bare(self.calm(self.read(self.r.choice([("v", t[2]), ("m", 1, t[2]), ("m", t[1], 1)]))))
        return self.bare(self.calm(self.expr(t, 2)))

    def store_part(self) -> None:
        text, t = self.hold()
        self.put(f"{self.into(text, t)} = {self.new(t)}")
        self.notes("part as a target")

    def augment_part(self) -> None:
        text, t = self.hold()
        if text.count("[") + text.count("(") > 1:
            text = self.under_a_name(text, t)
        self.put(self.operation(self.into(text, t), self.new(t)))
        self.notes("part as a target")

    def swap_parts(self) -> None:
        a, t = self.hold()
        b, u = self.hold(t)
        if u != t or a == b:
            return self.store_part()
        a, b = self.into(a, t), self.into(b, t)
        form = self.r.choice(
            [f"{b}, {a}", f"{b}.copy(), {a}.copy()", f"np.sin({b}), {a} * 0.7", f"{b} * {a}, {self.expr(t, 1)}"]
        )
        self.put(f"{a}, {b} = {form}")
        self.notes("swap of parts")

    def list_of_parts(self) -> None:
        t: Type = self.r.choice([("v", self.size()), ("v", self.size()), ("m", self.size(), self.size())])
        name, count = self.fresh("parts"), self.r.choice([2, 2, 3])
        names = self.storable() or [self.target()]
        parts = [self.part(t, names) or self.expr(t, 1) for _ in range(count)]
        left, right = self.r.choice(["[]", "()"])
        self.put(f"{name} = {left}{', '.join(parts)}{right}")
        self.protected.add(name)
        self.lists[name] = (count, t)
        for _ in range(self.r.choice([1, 1, 2])):
            i, j = self.r.randrange(count), self.r.randrange(count)
            if self.chance(0.4) and self.depth < 3 and self.loops < 2:
                p = self.fresh("p")
                self.put(f"for {p} in {self.r.choice([name, name, f'reversed({name})'])}:")
                self.loops += 1
                self.indent += 1
                self.env[p] = t
                self.write(p)
                del self.env[p]
                self.indent -= 1
                self.loops -= 1
            else:
                self.put(
                    self.r.choice(
                        [
                            f"{name}[{i}][...] = {self.calm(f'{name}[{j}] * {self.expr(SCALAR, 1)}')}",
                            f"{name}[{i}][:] += np.tanh({name}[{j}])",
                            f"{name}[{i}][0] *= np.tanh({self.expr(SCALAR, 1)})",
                            f"{name}[{i}][...] = {self.new(t)}",
                        ]
                    )
                )
        self.notes("parts in a list")

    def unpacked_parts(self) -> None:
        a, b = self.fresh("p"), self.fresh("q")
        names = [self.r.choice(self.storable() or [self.target()])]
        t: Type = ("v", self.size())
        first, second = self.part(t, names), self.part(t, names)
        if not first or not second:
            return self.store_part()
        self.put(f"{a}, {b} = {first}, {second}")
        self.env |= {a: t, b: t}
        for _ in range(2):
            name, other = self.r.choice([(a, b), (b, a)])
            self.put(
                self.r.choice(
                    [
                        f"{name} *= np.tanh({other})",
                        f"{name} += np.tanh({other} * {self.expr(t, 1)})",
                        f"{name}[...] = {other} * {self.expr(SCALAR, 1)}",
                        f"{name}[{self.index(t[1])}] = {other}[{self.index(t[1])}] * {self.expr(SCALAR, 1)}",
                        f"{name}[:] = np.sin({other}[::-1])",
                    ]
                )
            )
        self.notes("unpacked parts")

    def named_part(self) -> None:
        text, t = self.hold()
        name = self.fresh("view")
        self.put(f"{name} = {text}")
        self.env[name] = t
        if self.chance(0.7):
            self.write(name)
        if self.chance(0.4):
            self.augment_part()
        self.notes("chain of views")

    def choice_of_parts(self) -> None:
        t: Type = self.r.choice([("v", self.size()), ("v", self.size()), ("m", self.size(), self.size())])
        names = self.storable() or [self.target()]
        a, b, name = self.part(t, names), self.part(t, names), self.fresh("w")
        if not a or not b:
            return self.store_part()
        if self.chance(0.5):
            self.put(f"{name} = {a} if {self.test()} else {b}")
            self.notes("choice of parts")
        else:
            self.put(f"if {self.test()}:")
            self.put(f"    {name} = {a}")
            self.put("else:")
            self.put(f"    {name} = {b}")
            self.notes("branch of parts")
        self.env[name] = t
        if self.chance(0.8):
            self.write(name)

    def body(self, header: str, bound: dict[str, Type], ints: list[str], frozen: set[str]) -> None:
        """A loop: what it runs over is written through what it binds, or by the rest of its body."""
        self.put(header)
        self.loops += 1
        self.ints += ints
        kept, outside = self.protected, dict(self.env)
        self.protected = self.protected | frozen | set(bound)
        arrays = [name for name, t in bound.items() if t[0] in "vm"]
        self.env |= bound
        self.rows |= set(arrays)
        self.indent += 1
        for name in arrays:
            if self.chance(0.8):
                self.write(name)
        if not arrays:
            scalars = [n for n in self.writable() if self.env[n] == SCALAR]
            if scalars and self.chance(0.6):
                s = self.r.choice(scalars)
                elements = [name for name, t in bound.items() if t == SCALAR] or [self.expr(SCALAR, 1)]
                self.put(f"{s} = np.tanh({s} + {' * '.join(elements)})")
            else:
                self.augment_part()
        if self.lines[-1].endswith(":"):
            self.put("pass")
        self.indent -= 1
        if self.chance(0.4):
            self.inner(self.r.choice([1, 1, 2]), **bound)
        self.env = outside
        self.rows -= set(arrays)
        self.protected = kept
        for name in ints:
            self.ints.remove(name)
        self.loops -= 1

    def loop_over(self) -> None:
        name = self.target()
        text, t = (name, self.env[name]) if self.chance(0.4) else self.hold()
        item: Type = SCALAR if t[0] == "v" else ("v", t[2])
        a, b, k = self.fresh("row" if t[0] == "m" else "el"), self.fresh("other"), self.fresh("k")
        frozen = set() if self.chance(0.4) else {text.split("[")[0].split(".")[0]}
        kind = self.r.randrange(7)
        if kind <= 1:
            self.body(f"for {a} in {text}:", {a: item}, [], frozen)
        elif kind == 2:
            self.body(f"for {k}, {a} in enumerate({text}):", {a: item}, [k], frozen)
        elif kind == 3:
            over = self.r.choice([f"reversed({text})", f"{text}[::-1]"])
            self.body(f"for {a} in {over}:", {a: item}, [], frozen)
        elif kind == 4:
            other = self.part(t, self.storable() or [name])
            if not other or a == b:
                return self.store_part()
            header = self.r.choice(
                [f"for {a}, {b} in zip({text}, {other}):", f"for {k}, ({a}, {b}) in enumerate(zip({text}, {other})):"]
            )
            self.body(header, {a: item, b: item}, [k] if k in header else [], frozen)
            self.notes("loop over two parts")
        elif kind == 5:
            u: Type = ("v", self.size())
            p, q = self.part(u, [name]), self.part(u, self.storable() or [name])
            if not p or not q:
                return self.store_part()
            self.body(f"for {b} in ({p}, {q}):", {b: u}, [], frozen)
            self.notes("loop over parts")
        else:
            self.body(
                f"for {k} in {self.r.choice([f'range(len({text}))', f'range({t[1]} - 1, -1, -1)'])}:", {}, [k], set()
            )
        self.notes("loop over a part")

    def nested_keys(self) -> None:
        """Two loops, or one, whose variables make the keys, whatever the lengths are."""
        name = self.target()
        sizes = self.env[name][1:]
        i, j = self.fresh("i"), self.fresh("j")
        kept, loops, outside = list(self.ints), self.loops, dict(self.env)
        self.put(f"for {i} in {self.r.choice(['range(2)', 'range(3)', f'range({sizes[0]})', 'range(2, -1, -1)'])}:")
        self.indent += 1
        self.ints.append(i)
        self.loops += 1
        if self.chance(0.3):
            self.augment_part()
        if self.loops < 3 and self.chance(0.7):
            self.put(
                f"for {j} in {self.r.choice(['range(2)', f'range({sizes[-1]})', f'range({i})', f'range({i}, 3)'])}:"
            )
            self.indent += 1
            self.ints.append(j)
            self.loops += 1
        last = self.ints[-1]

        def key() -> str:
            names = [i, last]
            forms = ["{a}", "({a} + 1)", "({a} + {b})", "(2 * {a} + {b})", "({a} * {b})", "({a} - {b})", "(-{a})"]
            texts = []
            for n in sizes:
                form = self.r.choice(forms).format(a=self.r.choice(names), b=self.r.choice(names))
                texts.append(f"{form} % {n}" if n > 1 else "0")
            return ", ".join(texts)

        for _ in range(self.r.choice([1, 1, 2])):
            place, a, b = (f"{name}[{key()}]" for _ in range(3))
            e = self.expr(SCALAR, 1)
            self.put(
                self.r.choice(
                    [
                        f"{place} = np.tanh({a} * {b} + {e})",
                        f"{place} += 0.3 * np.sin({a}) * np.tanh({e})",
                        f"{place} *= np.tanh({a} + {b})",
                        f"{place} = 0.5 * {a} - 0.4 * {b}",
                        f"{place}, {a} = {a}, {place}",
                        f"{place}, {a} = np.sin({b}), {e}",
                        f"{place} = {a} if {b} > {e} else np.tanh({e})",
                    ]
                )
            )
        if self.chance(0.2):
            self.leave_loop()
        self.indent -= self.loops - loops
        self.ints, self.loops, self.env = kept, loops, outside
        self.notes("nested loops with keys")

    def while_break(self) -> None:
        c, outside = self.fresh("count"), dict(self.env)
        self.put(f"{c} = 0")
        self.put(f"while {self.r.choice(['True', f'{c} < 5'])}:")
        self.indent += 1
        self.loops += 1
        self.ints.append(c)
        self.augment_part() if self.chance(0.5) else self.store_part()
        name = self.target()
        test = f"{name}[{self.element(name)}] {self.r.choice('<>')} {self.r.choice(['0.2', '-0.1', '0.5'])}"
        self.put(f"if {test} or {c} >= {self.r.choice([1, 2, 3])}:")
        if self.chance(0.4):
            inside = dict(self.env)
            self.indent += 1
            self.augment_part()
            self.indent -= 1
            self.env = inside
        self.put("    break")
        if self.chance(0.5):
            self.augment_part()
        self.put(f"{c} += 1")
        self.indent -= 1
        self.loops -= 1
        self.ints.remove(c)
        self.env = outside
        self.notes("while with a break")

    def rebind(self) -> None:
        """A name bound to a part of what it held."""
        names = [n for n in self.writable() if self.env[n][0] in "vm"]
        if not names:
            return self.store_part()
        name = self.r.choice(names)
        t = self.env[name]
        forms = [f"{name}[::-1]", f"{name}[...]", f"{name}[:]"]
        if t[0] == "m" and t[1] == t[2]:
            forms += [f"{name}.T"] * 3
        if t[0] == "m":
            forms += [f"{name}[:, ::-1]"]
        if self.depth == 0 and self.chance(0.4):
            text, self.env[name] = self.step(name, t)
            forms = [text]
        self.put(f"{name} = {self.r.choice(forms)}")
        if self.chance(0.6):
            self.write(name)
        self.notes("rebound to a part")

    def out_of_parts(self) -> None:
        text, t = self.hold()
        text = self.under_a_name(text, t)
        a, b, _ = self.several(t)
        c = self.calm(self.expr(t, 1))
        self.put(
            self.r.choice(
                [
                    f"np.multiply({a}, {b}, out={text})",
                    f"np.add({a}, {c}, out={text})",
                    f"np.subtract({text}, {b}, out={text})",
                    f"np.sin({a}, out={text})",
                    f"np.tanh({text}, out={text})",
                    f"np.maximum({a}, {b}, out={text})",
                    f"np.copyto({text}, {a})",
                    f"np.copyto({text}, {c})",
                    f"{text}.fill({self.calm(self.expr(SCALAR, 1))})",
                    f"np.negative({a}, out={text})",
                ]
            )
        )
        self.notes("out= of parts")

    def at_part(self) -> None:
        n = self.size()
        text, t = self.hold(("v", n))
        if t[0] != "v":
            return self.augment_part()
        picked = [self.r.randrange(t[1]) for _ in range(self.r.choice([1, 2, 3]))]
        value = self.r.choice([self.expr(SCALAR, 1), self.read(("v", len(picked)))])
        at = self.r.choice(["np.add.at", "np.add.at", "np.subtract.at"])
        self.put(f"{at}({text}, {picked}, {self.calm(f'({value}) * 1.0')})")
        self.notes("at of a part")

    def sort_part(self) -> None:
        text, t = self.hold()
        if t[0] == "m":
            text, t = f"{text}[{self.index(t[1])}]", ("v", t[2])
        self.put(f"{self.under_a_name(text, t)}.sort()")
        self.notes("sort of a part")

    def mask_of_parts(self) -> None:
        text, t = self.hold()
        a, b, m = self.read(t), self.read(t), self.fresh("mask")
        self.put(f"{m} = {a} {self.r.choice('<>')} {self.r.choice(['0.1', '-0.2', self.expr(SCALAR, 0)])}")
        key = self.r.choice([m, m, f"~{m}"])
        value = self.r.choice([f"({b})[{key}]", f"({b})[{key}] * {self.expr(SCALAR, 1)}", self.expr(SCALAR, 1)])
        left = f"{text}[{key}]"
        self.put(f"{left} = {self.calm(value)}" if self.chance(0.5) else self.operation(left, value))
        self.notes("mask of parts")

    def chained_parts(self) -> None:
        a, t = self.hold()
        b, u = self.hold(t)
        if u != t:
            return self.store_part()
        a, b = self.into(a, t), self.into(b, t)
        new = self.fresh()
        self.put(self.r.choice([f"{a} = {b} = {self.new(t)}", f"{new} = {a} = {self.bare(self.expr(t, 1))}"]))
        if self.lines[-1].lstrip().startswith(f"{new} ="):
            self.env[new] = t
        self.notes("chained parts")

    def split(self) -> None:
        name = self.target()
        t = self.env[name]
        a, b = self.fresh("p"), self.fresh("q")
        n = t[1]
        if n < 2:
            return self.store_part()
        k = self.r.randint(1, n - 1)
        form = f"np.split({name}, [{k}])" if n % 2 or self.chance(0.5) else f"np.split({name}, 2)"
        k = k if "[" in form else n // 2
        self.put(f"{a}, {b} = {form}")
        self.env[a], self.env[b] = (t[0], k, *t[2:]), (t[0], n - k, *t[2:])
        if self.chance(0.6):
            self.write(self.r.choice([a, b]))
        self.notes("split")

    def inner_function(self) -> None:
        """A function inside that writes what it is given, or what it captures, called for several parts."""
        f, p, x = self.fresh("step"), self.fresh("p"), self.fresh("x")
        t: Type = ("v", self.size())
        names = self.storable() or [self.target()]
        buffer = self.r.choice(names)
        inside = self.part(t, [buffer]) or self.expr(t, 0)
        n = t[1]
        forms = [
            f"{p} *= np.tanh({x})",
            f"{p}[...] = np.sin({p}) * {x}",
            f"{p}[{self.index(n)}] += np.tanh({x})",
            f"{p} += np.tanh({inside})",
            f"{p}[:] = {p}[::-1] * {x}",
            f"{buffer}[{self.element(buffer)}] = np.tanh({x} * {p}[0])",
        ]
        self.put(f"def {f}({p}, {x}):")
        self.put(f"    {self.r.choice(forms)}")
        returns = self.chance(0.5)
        if returns:
            self.put(f"    return {self.r.choice([f'np.sum({p}) * {x}', f'{p}[0] * {p}[-1]'])}")
        self.protected |= {f}
        for _ in range(self.r.choice([1, 2])):
            call = f"{f}({self.part(t, names) or self.expr(t, 1)}, {self.expr(SCALAR, 1)})"
            if returns:
                target = self.fresh()
                self.put(f"{target} = {call}")
                self.env[target] = SCALAR
            else:
                self.put(call)
        self.notes("nested function over parts")

    def flat(self) -> None:
        matrices = [n for n in self.storable() if self.env[n][0] == "m"]
        if not matrices:
            return self.store_part()
        name = self.r.choice(matrices)
        _, m, n = self.env[name]
        k = self.r.randrange(m * n)
        e = self.calm(self.expr(SCALAR, 1))
        forms = [f"{name}.flat[{k}] = {e}", f"{name}.reshape(-1)[{k}] *= np.tanh({e})"]
        forms += [f"np.fill_diagonal({name}, {e})"] if min(m, n) > 1 else []
        self.put(self.r.choice(forms))
        self.notes("flat")

    # ------------------------------------------------------------ what the other grammars write

    def argument(self, t: Type) -> str:
        """What a helper is given: mostly a part."""
        if t[0] == "s":
            return self.part(t) if self.chance(0.4) and self.arrays() else self.expr(t, 1)
        return (self.chance(0.75) and self.part(t, self.storable())) or super().argument(t)

    def write(self, name: str) -> None:
        """Some store into this array, now and then into a part of a part."""
        if not self.chance(0.4):
            return super().write(name)
        text, t = self.step(name, self.env[name])
        if self.chance(0.5):
            self.put(f"{self.into(text, t)} = {self.new(t)}")
        else:
            self.put(self.operation(self.into(text, t), self.new(t)))
