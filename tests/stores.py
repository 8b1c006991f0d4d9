"""Random programs that write into arrays: the grammar of tests/programs.py, with stores, views, aliases and buffers.

What is added: stores to elements, slices, ellipsis, masks and integer arrays; augmented assignments of elements,
regions and whole arrays; views of every kind, second names, names bound by a branch, swaps, lists of buffers, copies;
buffers of zeros, and of nothing, filled in loops; helpers that write into their arguments; procedures, whose outputs
are the final contents of parameters. Each program is defined: no element of np.empty is read before it is set
(`programs.margin` fills them with nan and looks), indices are in range, shapes fit.

`Storing` records which constructs a program has.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from programs import SCALAR, Body, Type

NONE: Type = ("n",)

CONSTRUCTS = (
    "element store",
    "slice store",
    "ellipsis store",
    "mask store",
    "integer-array store",
    "store of a broadcast value",
    "store that reads its target",
    "augmented element",
    "augmented region",
    "augmented mask",
    "augmented array",
    "tuple of elements",
    "chained targets",
    "slice view",
    "transposed view",
    "reshaped view",
    "row view",
    "column view",
    "view in a loop",
    "alias",
    "conditional alias",
    "branched alias",
    "swap of arrays",
    "swap in a loop",
    "list of buffers",
    "store through a list",
    "loop over buffers",
    "history of buffers",
    "copy",
    "buffer of zeros",
    "buffer of nothing",
    "element recurrence",
    "row recurrence",
    "stencil",
    "loop over rows",
    "branch on contents",
    "exit around a store",
    "helper writes",
    "helper writes and returns",
    "parameter written",
    "function of NumPy writes",
    "of",
    "of and result",
)


@dataclass
class Storing(Body):
    """A writer of functions that write into arrays."""

    lists: dict[str, tuple[int, Type]] = field(default_factory=dict)  # lists of arrays, by name
    rows: set[str] = field(default_factory=set)  # names bound to rows by loops: not to be rebound, but written
    given: frozenset[str] = frozenset()  # the parameters
    constructs: set[str] = field(default_factory=set)

    def note(self, *what: str) -> None:
        assert set(what) <= set(CONSTRUCTS), what
        self.constructs.update(what)

    # ------------------------------------------------------------ what is there

    def of_type(self, t: Type) -> list[str]:
        elements = [f"{name}[{self.r.randrange(n)}]" for name, (n, u) in self.lists.items() if u == t]
        return super().of_type(t) + elements

    def arrays(self) -> list[str]:
        return [name for name, t in self.env.items() if t[0] in "vm"]

    def storable(self) -> list[str]:
        """Arrays that may be written here; what a loop runs over only now and then."""
        return [n for n in self.arrays() if n not in self.protected or n in self.rows or self.chance(0.08)]

    def array_type(self) -> Type:
        kinds = [t for t in self.env.values() if t[0] in "vm"]
        return self.r.choice(kinds) if kinds else ("v", self.r.choice(self.lengths))

    def inner(self, count: int, **bound: Type) -> dict[str, Type]:
        lists, rows = dict(self.lists), set(self.rows)
        self.rows |= {name for name, t in bound.items() if t[0] in "vm"}
        left = super().inner(count, **bound)
        self.lists, self.rows = lists, rows
        return left

    def calm(self, text: str) -> str:
        """Inside loops values must not run away."""
        return f"np.tanh({text})" if self.loops and self.chance(0.75) else text

    # ------------------------------------------------------------ regions of arrays

    def index(self, n: int) -> str:
        return self.r.choice(["0", "-1", str(self.r.randrange(n)), *self.index_of(n), *self.index_of(n)])

    def cut(self, n: int) -> tuple[str, int]:
        """A slice of n elements, and its length."""
        a = self.r.randrange(n)
        b = self.r.randint(a + 1, n)
        forms = [(f"{a or ''}:{b if b < n else ''}", b - a), (f"{a or ''}:{b - n if b < n else ''}", b - a)]
        forms += [("::-1", n), ("::2", (n + 1) // 2), (":", n)]
        if n >= 3:
            forms += [("1:-1", n - 2), ("1:", n - 1), (":-1", n - 1), ("1::2", n // 2)]
        return self.r.choice(forms)

    def few(self, n: int) -> tuple[str, int]:
        """Some indices below n, each once, now and then one twice."""
        k = self.r.randint(1, min(n, 3))
        picked = self.r.sample(range(n), k)
        if self.chance(0.08):
            picked.append(picked[0])
        text = f"[{', '.join(map(str, picked))}]"
        return self.r.choice([text, f"np.array({text})"]), len(picked)

    def region(self, name: str) -> tuple[str, Type, str]:
        """A region of an array: its key, its type, and what it is called."""
        match self.env[name]:
            case ("v", n):
                kind = self.r.randrange(10)
                if kind < 4:
                    return self.index(n), SCALAR, "element"
                if kind < 8:
                    key, k = self.cut(n)
                    return key, ("v", k), "slice"
                if kind == 8:
                    return "...", ("v", n), "ellipsis"
                key, k = self.few(n)
                return key, ("v", k), "integer-array"
            case ("m", m, n):
                kind = self.r.randrange(14)
                if kind < 4:
                    return f"{self.index(m)}, {self.index(n)}", SCALAR, "element"
                if kind < 6:
                    return self.index(m) + self.r.choice(["", ", :"]), ("v", n), "slice"
                if kind < 8:
                    return f":, {self.index(n)}", ("v", m), "slice"
                if kind < 10:
                    (a, p), (b, q) = self.cut(m), self.cut(n)
                    return f"{a}, {b}", ("m", p, q), "slice"
                if kind == 10:
                    key, k = self.cut(n)
                    return f"{self.index(m)}, {key}", ("v", k), "slice"
                if kind == 11:
                    return self.r.choice(["...", ":"]), ("m", m, n), "ellipsis"
                if kind == 12:
                    return f"..., {self.index(n)}", ("v", m), "ellipsis"
                key, k = self.few(m)
                return key, ("m", k, n), "integer-array"
        raise AssertionError(name)

    # ------------------------------------------------------------ statements

    def statement(self) -> None:
        if not self.arrays() or not self.chance(0.62):
            return super().statement()
        nested = self.depth < 3 and self.loops < 2
        match self.r.randrange(40):
            case 0 | 1 | 2 | 3 | 4 | 5 | 6:
                self.store()
            case 7 | 8 | 9:
                self.augment_region()
            case 10 | 11 | 12:
                self.augment_array()
            case 13 | 14:
                self.mask()
            case 15:
                self.tuple_of_elements()
            case 16:
                self.chained_targets()
            case 17 | 18 | 19 | 20:
                self.view()
            case 21 | 22:
                self.second_name()
            case 23:
                self.copied()
            case 24 | 25:
                self.swap_arrays()
            case 26 | 27:
                self.buffers_in_a_list()
            case 28 | 29 if nested:
                self.filled_buffer()
            case 30 | 31 if nested:
                self.element_loop()
            case 32 | 33 if nested:
                self.row_loop()
            case 34 if nested:
                self.swap_loop()
            case 35 if self.depth < 3:
                self.branch_on_contents()
            case 36:
                self.written_by_numpy()
            case 37 | 38 | 39:
                self.effect()
            case _:
                self.store()

    def target(self) -> str:
        """An array to write into; noted where it is a parameter."""
        name = self.r.choice(self.storable() or [self.fresh_buffer()])
        if name in self.given:
            self.note("parameter written")
        return name

    def fresh_buffer(self) -> str:
        t, name = self.array_type(), self.fresh()
        shape = str(t[1]) if t[0] == "v" else f"({t[1]}, {t[2]})"
        self.put(f"{name} = np.zeros({shape})")
        self.env[name] = t
        self.note("buffer of zeros")
        return name

    def value(self, t: Type, name: str, key: str) -> str:
        """Something to store into a region: of its type, broadcast into it, or made of what it holds."""
        if t == SCALAR:
            return self.bare(self.calm(self.expr(SCALAR, 2)))
        kind = self.r.randrange(10)
        if kind < 2:
            self.note("store of a broadcast value")
            return self.bare(self.calm(self.expr(SCALAR, 2)))
        if kind == 2 and t[0] == "m":
            self.note("store of a broadcast value")
            return self.bare(self.calm(self.expr(("v", t[2]), 2)))
        if kind < 6:
            self.note("store that reads its target")
            return f"np.sin({name}[{key}]) * {self.expr(t if self.chance(0.5) else SCALAR, 1)}"
        if kind == 6 and t == ("v", self.env[name][1] - 1):
            self.note("store that reads its target")
            return f"{name}[1:] * {name}[:-1]" if not self.loops else f"np.tanh({name}[1:] * {name}[:-1])"
        return self.bare(self.calm(self.expr(t, 2)))

    def store(self) -> None:
        name = self.target()
        key, t, kind = self.region(name)
        self.put(f"{name}[{key}] = {self.value(t, name, key)}")
        self.note(f"{kind} store")

    def operation(self, left: str, right: str) -> str:
        op = self.r.choice(["+=", "-=", "*=", "*=", "/=", "+="])
        if op == "/=":
            return f"{left} /= 2.0 + {right} ** 2"
        if op == "*=" or self.loops:
            right = f"np.tanh({right})"
        return f"{left} {op} {self.bare(right)}"

    def augment_region(self) -> None:
        name = self.target()
        key, t, kind = self.region(name)
        e = self.expr(t if self.chance(0.6) else SCALAR, 2)
        self.put(self.operation(f"{name}[{key}]", e))
        self.note("augmented element" if kind == "element" else "augmented region")

    def augment_array(self) -> None:
        name = self.target()
        if name in self.rows or name not in self.protected:
            if self.env[name][0] == "v" and self.chance(0.2):
                return self.put(f"{name} {self.r.choice('+-')}= {self.of_own_elements(name, self.env[name][1])}")
            e = self.expr(self.env[name] if self.chance(0.6) else SCALAR, 2)
            self.put(self.operation(name, e))
            self.note("augmented array")

    def mask(self) -> None:
        name = self.target()
        t = self.env[name]
        other = self.r.choice([n for n in self.arrays() if self.env[n] == t])
        test = f"{other} {self.r.choice('<>')} {self.r.choice(['0.1', '-0.2', '0.4', self.expr(SCALAR, 0)])}"
        if self.chance(0.5):
            m = self.fresh("mask")
            self.put(f"{m} = {test}")
            test = self.r.choice([m, f"~{m}"])
        if self.chance(0.4):
            e = self.expr(SCALAR, 1)
        else:
            e = f"({self.expr(t, 1)})[{test}]"
        if self.chance(0.5):
            self.put(f"{name}[{test}] = {self.calm(e)}")
            self.note("mask store")
        else:
            self.put(self.operation(f"{name}[{test}]", e))
            self.note("augmented mask")

    def tuple_of_elements(self) -> None:
        name = self.target()
        other = self.r.choice(self.storable() or [name])
        (a, t, _), (b, u, _) = self.region(name), self.region(other)
        if t != u or t != SCALAR:
            (a, t), (b, u) = (self.element(name), SCALAR), (self.element(other), SCALAR)
        left, right = f"{name}[{a}]", f"{other}[{b}]"
        form = self.r.choice(
            [f"{right}, {left}", f"{right} * {self.expr(SCALAR, 1)}, {left}", f"np.sin({left}), {right}"]
        )
        self.put(f"{left}, {right} = {form}")
        self.note("tuple of elements", "element store")

    def element(self, name: str) -> str:
        t = self.env[name]
        return self.index(t[1]) if t[0] == "v" else f"{self.index(t[1])}, {self.index(t[2])}"

    def chained_targets(self) -> None:
        name = self.target()
        left = f"{name}[{self.element(name)}]"
        second = f"{name}[{self.element(name)}]" if self.chance(0.6) else self.fresh()
        self.put(f"{second} = {left} = {self.bare(self.calm(self.expr(SCALAR, 2)))}")
        if "[" not in second:
            self.env[second] = SCALAR
        self.note("chained targets", "element store")

    # ------------------------------------------------------------ names of one buffer

    def viewed(self, name: str) -> tuple[str, Type, str]:
        """A view of an array: its text, type and kind."""
        match self.env[name]:
            case ("v", n):
                kind = self.r.randrange(8)
                if kind == 0:
                    return f"{name}[:]", ("v", n), "slice"
                if kind == 1:
                    return f"{name}[:, {self.r.choice(['None', 'np.newaxis'])}]", ("m", n, 1), "reshaped"
                if kind == 2:
                    return f"{name}.reshape(1, {n})", ("m", 1, n), "reshaped"
                key, k = self.cut(n)
                return f"{name}[{key}]", ("v", k), "slice"
            case ("m", m, n):
                kind = self.r.randrange(10)
                if kind < 2:
                    return f"{name}.T", ("m", n, m), "transposed"
                if kind < 5:
                    return f"{name}[{self.index(m)}]", ("v", n), "row"
                if kind < 7:
                    return f"{name}[:, {self.index(n)}]", ("v", m), "column"
                if kind < 9:
                    (a, p), (b, q) = self.cut(m), self.cut(n)
                    return f"{name}[{a}, {b}]", ("m", p, q), "slice"
                form = self.r.choice([f"{name}.ravel()", f"{name}.reshape(-1)", f"np.reshape({name}, ({m * n},))"])
                return form, ("v", m * n), "reshaped"
        raise AssertionError(name)

    def view(self) -> None:
        text, t, kind = self.viewed(self.r.choice(self.arrays()))
        name = self.fresh("view")
        self.put(f"{name} = {text}")
        self.env[name] = t
        self.note(f"{kind} view", *(["view in a loop"] if self.loops else []))
        if self.chance(0.6):
            self.write(name)

    def write(self, name: str) -> None:
        """Some store into this array."""
        key, t, kind = self.region(name)
        match self.r.randrange(4):
            case 0:
                self.put(self.operation(f"{name}[{key}]", self.expr(t, 1)))
                self.note("augmented element" if kind == "element" else "augmented region")
            case 1:
                self.put(self.operation(name, self.expr(self.env[name] if self.chance(0.5) else SCALAR, 1)))
                self.note("augmented array")
            case _:
                self.put(f"{name}[{key}] = {self.value(t, name, key)}")
                self.note(f"{kind} store")

    def second_name(self) -> None:
        first = self.r.choice(self.arrays())
        t, name = self.env[first], self.fresh()
        same = [n for n in self.of_type(t) if n != first]
        if same and self.chance(0.35):
            self.put(f"{name} = {first} if {self.test()} else {self.r.choice(same)}")
            self.note("conditional alias")
        elif same and self.chance(0.5):
            self.put(f"if {self.test()}:")
            self.put(f"    {name} = {first}")
            self.put("else:")
            self.put(f"    {name} = {self.r.choice([*same, f'{self.r.choice(same)}.copy()'])}")
            self.note("branched alias")
        else:
            self.put(f"{name} = {first}")
            self.note("alias")
        self.env[name] = t
        if self.chance(0.6):
            self.write(name)

    def copied(self) -> None:
        first = self.r.choice(self.arrays())
        name = self.fresh()
        form = self.r.choice(["{}.copy()", "np.copy({})", "np.array({})", "{} * 1.0"])
        self.put(f"{name} = {form.format(first)}")
        self.env[name] = self.env[first]
        self.note("copy")
        if self.chance(0.5):
            self.write(self.r.choice([name, first] if first not in self.protected else [name]))

    def pair(self) -> tuple[str, str] | None:
        names = [n for n in self.writable() if self.env[n][0] in "vm"]
        pairs = [(a, b) for a in names for b in names if a != b and self.env[a] == self.env[b]]
        return self.r.choice(pairs) if pairs else None

    def swap_arrays(self) -> None:
        pair = self.pair()
        if pair is None:
            return self.second_name()
        a, b = pair
        self.put(f"{a}, {b} = {b}, {self.r.choice([a, a, a, f'{a}.copy()'])}")
        self.note("swap of arrays", *(["swap in a loop"] if self.loops else []))

    def swap_loop(self) -> None:
        """Two buffers, of which each is made from the other in turn."""
        pair = self.pair()
        if pair is None:
            return self.element_loop()
        a, b = pair
        k = self.fresh("k")
        self.loops += 1
        self.put(f"for {k} in range({self.r.choice([*self.ints, '2', '3'])}):")
        self.indent += 1
        self.ints.append(k)
        key, t, kind = self.region(b)
        self.put(f"{b}[{key}] = np.tanh({self.bare(self.expr(t, 2))})")
        self.note(f"{kind} store", "swap of arrays", "swap in a loop")
        self.indent -= 1
        if self.chance(0.4):
            kept = set(self.protected)
            self.protected |= {a, b}
            self.inner(1)
            self.protected = kept
        self.indent += 1
        if self.chance(0.7):
            self.put(f"{a}, {b} = {b}, {a}")
        else:
            c = self.fresh("keep")
            for line in (f"{c} = {a}", f"{a} = {b}", f"{b} = {c}"):
                self.put(line)
        self.ints.remove(k)
        self.indent -= 1
        self.loops -= 1

    # ------------------------------------------------------------ containers

    def buffers_in_a_list(self) -> None:
        t = self.array_type()
        name = self.fresh("bufs")
        count = self.r.choice([2, 2, 3])
        have = [n for n in self.arrays() if self.env[n] == t] or [self.expr(t, 1)]
        if self.loops < 2 and self.depth < 3 and self.chance(0.4):
            k = self.fresh("k")
            made = self.r.choice(
                [f"{self.expr(t, 1)} * ({k} + 1.0)", f"{self.r.choice(have)}.copy()", self.r.choice(have)]
            )
            self.put(f"{name} = []")
            self.put(f"for {k} in range({count}):")
            self.put(f"    {name}.append({made})")
            self.note("history of buffers")
        else:
            parts = [self.r.choice([*have, self.expr(t, 1), f"{self.r.choice(have)} * 2.0"]) for _ in range(count)]
            self.put(f"{name} = [{', '.join(parts)}]")
        self.protected.add(name)
        self.note("list of buffers")
        self.lists[name] = (count, t)
        for _ in range(self.r.choice([1, 1, 2])):
            slot = self.r.randrange(count)
            match self.r.randrange(8):
                case 6 if t[0] == "v":
                    self.put(f"{name}[{slot}] = {self.of_own_elements(f'{name}[{slot}]', t[1])}")
                case 7 if fitting := [h for h in self.helpers if h.params and h.params[0][1] == t]:
                    h = self.r.choice(fitting)
                    rest = [self.expr(u, 1) for _, u in h.params[1:]]
                    self.put(f"{h.name}({', '.join([f'{name}[{slot}]', *rest])})")
                    self.note("helper writes", "store through a list")
                case 0:
                    self.env["?"] = t
                    key, u, kind = self.region("?")
                    del self.env["?"]
                    self.put(f"{name}[{slot}][{key}] = {self.bare(self.calm(self.expr(u, 1)))}")
                    self.note(f"{kind} store", "store through a list")
                case 1:
                    self.env["?"] = t
                    key, u, _ = self.region("?")
                    del self.env["?"]
                    self.put(self.operation(f"{name}[{slot}][{key}]", self.expr(u, 1)))
                    self.note("store through a list")
                case 2:
                    c = self.fresh("buf")
                    self.put(f"{c} = {name}[{slot}]")
                    self.env[c] = t
                    self.write(c)
                    self.note("store through a list")
                case 3 if self.depth < 3:
                    c = self.fresh("buf")
                    self.put(f"for {c} in {name}:")
                    self.loops += 1
                    self.indent += 1
                    self.env[c] = t
                    self.write(c)
                    del self.env[c]
                    self.indent -= 1
                    self.loops -= 1
                    self.note("loop over buffers", "store through a list")
                case _:
                    self.put(f"{name}[{slot}] = {self.expr(t, 1)}")

    # ------------------------------------------------------------ loops

    def filled_buffer(self) -> None:
        """A buffer that a loop fills, element by element or row by row, now and then from the one before."""
        name, k = self.fresh("buf"), self.fresh("k")
        n = self.r.choice(self.lengths)
        wide = self.chance(0.35)
        width = self.r.choice(self.lengths)
        part: Type = ("v", width) if wide else SCALAR
        shape = f"({n}, {width})" if wide else str(n)
        recurrent = self.chance(0.5)
        empty = self.chance(0.5)
        like = [a for a in self.arrays() if self.env[a] == (("m", n, width) if wide else ("v", n))]
        kind = "empty" if empty else "zeros"
        made = f"np.{kind}_like({self.r.choice(like)})" if like and self.chance(0.4) else f"np.{kind}({shape})"
        self.put(f"{name} = {made}")
        self.note(
            "buffer of nothing" if empty else "buffer of zeros", "row recurrence" if wide else "element recurrence"
        )
        if recurrent:
            self.put(f"{name}[0] = {self.expr(part, 1)}")
        self.put(f"for {k} in range({'1, ' if recurrent else ''}{n}):")
        self.indent += 1
        self.loops += 1
        self.ints.append(k)
        e = self.expr(part, 2)
        self.put(f"{name}[{k}] = " + (f"np.tanh({name}[{k} - 1] * {e} + {self.expr(part, 1)})" if recurrent else e))
        self.indent -= 1
        self.protected.add(name)
        if self.chance(0.4):
            self.inner(1)  # behind the store: what leaves the iteration leaves a full element
            if empty and not self.certain(name, k):
                self.lines = [line.replace(f"{name} = np.empty", f"{name} = np.zeros") for line in self.lines]
        self.protected.discard(name)
        self.ints.remove(k)
        self.loops -= 1
        self.env[name] = ("m", n, width) if wide else ("v", n)

    def certain(self, name: str, k: str) -> bool:
        """Does the loop over `k`, written last, run to its end?"""
        start = max(i for i, line in enumerate(self.lines) if line.lstrip().startswith(f"for {k} in"))
        return not any(word in line for line in self.lines[start:] for word in ("break", "return"))

    def element_loop(self) -> None:
        """A recurrence over the elements of an array, or a stencil, with an exit now and then."""
        vectors = [n for n in self.storable() if self.env[n][0] == "v" and self.env[n][1] >= 2]
        if not vectors:
            return self.row_loop()
        name, k = self.r.choice(vectors), self.fresh("k")
        if name in self.given:
            self.note("parameter written")
        n = self.env[name][1]
        self.loops += 1
        if n >= 3 and self.chance(0.3):
            self.put(f"for {k} in range({self.r.choice([*self.ints, '2', '3'])}):")
            self.ints.append(k)
            right = f"{name}[1:-1] * ({name}[1:-1] - {name}[:-2])"
            e = self.expr(("v", n - 2), 1)
            forms = [
                f"{name}[1:-1] = {name}[1:-1] - 0.1 * np.tanh({right})",
                f"{name}[1:-1] += 0.2 * np.tanh({name}[2:] * {e})",
                f"{name}[1:-1] = 0.3 * ({name}[:-2] + {name}[1:-1] + {name}[2:])",
                f"{name}[1:-1] = 0.5 * np.sin({name}[:-2] * {name}[2:]) + 0.1 * {name}[1:-1]",
            ]
            self.put("    " + self.r.choice(forms))
            self.note("stencil", "slice store")
        else:
            back = self.chance(0.3)
            step, other = ("- 2, -1, -1", f"{k} + 1") if back else ("", f"{k} - 1")
            self.put(f"for {k} in range({n} {step}):" if back else f"for {k} in range(1, {n}):")
            self.ints.append(k)
            e = self.expr(SCALAR, 2)
            forms = [
                f"{name}[{k}] = np.tanh({name}[{k}] + {name}[{other}] * {e})",
                f"{name}[{k}] += np.sin({name}[{other}]) * np.tanh({e})",
                f"{name}[{k}] *= np.tanh({name}[{other}])",
                f"{name}[{k}] = np.sin({name}[{other}]) * {name}[{k}]",
                f"{name}[{other}], {name}[{k}] = {name}[{k}], np.sin({name}[{other}])",
            ]
            self.put("    " + self.r.choice(forms))
            self.note("element recurrence", "element store")
        if self.chance(0.5):
            kept = set(self.protected)
            self.protected.add(name)
            self.inner(self.r.randint(1, 2))
            self.protected = kept
        if self.chance(0.3):
            self.indent += 1
            self.leave_loop()
            self.indent -= 1
            self.note("exit around a store")
        self.ints.remove(k)
        self.loops -= 1

    def row_loop(self) -> None:
        matrices = [n for n in self.storable() if self.env[n][0] == "m"]
        if not matrices:
            return self.store()
        name, k, row = self.r.choice(matrices), self.fresh("i"), self.fresh("row")
        _, m, n = self.env[name]
        if name in self.given:
            self.note("parameter written")
        self.loops += 1
        if self.chance(0.5):
            self.put(f"for {row} in {name}:")
            self.note("loop over rows")
        else:
            self.put(f"for {k} in range({m}):")
            self.ints.append(k)
            self.put(f"    {row} = {name}[{k}]")
        self.note("row view", "view in a loop")
        kept = set(self.protected)
        self.protected |= {name, row}
        self.env[row] = ("v", n)
        self.rows.add(row)
        self.indent += 1
        self.write(row)
        self.indent -= 1
        if self.chance(0.5):
            self.inner(self.r.randint(1, 2))
        self.protected = kept
        self.rows.discard(row)
        del self.env[row]
        if k in self.ints:
            self.ints.remove(k)
        self.loops -= 1

    def branch_on_contents(self) -> None:
        name = self.target()
        self.put(f"if {name}[{self.element(name)}] {self.r.choice('<>')} {self.r.choice(['0.0', '0.3', '-0.2'])}:")
        self.indent += 1
        self.write(name)
        self.indent -= 1
        if self.chance(0.4):
            self.inner(1)
        if self.loops and self.chance(0.2):
            self.indent += 1
            self.put(self.r.choice(["break", "continue"]))
            self.indent -= 1
            self.note("exit around a store")
        if self.chance(0.6):
            self.put("else:")
            self.inner(1)
        self.note("branch on contents")

    # ------------------------------------------------------------ calls that write

    def written_by_numpy(self) -> None:
        name = self.target()
        if name in self.protected and name not in self.rows:
            return self.store()
        t = self.env[name]
        e = self.bare(self.calm(self.expr(t, 1)))
        where = self.viewed(name)
        forms = [
            f"np.copyto({name}, {e})",
            f"np.multiply({name}, {self.expr(SCALAR, 1)}, out={name})",
            f"np.sin({name}, out={name})",
            f"{name}.fill({self.bare(self.calm(self.expr(SCALAR, 1)))})",
        ]
        if t[0] == "v":
            forms.append(f"np.add.at({name}, [0, {t[1] - 1}, 0], {self.bare(self.calm(self.expr(SCALAR, 1)))})")
            forms.append(f"{name}.sort()")
        if where[2] != "reshaped":
            forms.append(f"np.tanh({where[0]}, out={where[0]})")
        self.put(self.r.choice(forms))
        self.note("function of NumPy writes")

    def argument(self, t: Type) -> str:
        """Something to hand to a helper that writes: an array, a part of one, or something fresh."""
        if t[0] == "s":
            return self.expr(t, 1)
        whole = [n for n in self.storable() if self.env[n] == t]
        parts: list[str] = []
        for name in self.storable():
            match self.env[name], t:
                case ("v", n), ("v", k) if n > k:
                    a = self.r.randint(0, n - k)
                    parts.append(f"{name}[{a or ''}:{a + k if a + k < n else ''}]")
                case ("m", m, n), ("v", k):
                    parts += [f"{name}[{self.index(m)}]"] * (n == k) + [f"{name}[:, {self.index(n)}]"] * (m == k)
                case ("m", m, n), ("m", p, q) if (m, n) == (q, p):
                    parts.append(f"{name}.T")
        choice = whole * 3 + parts
        return self.r.choice(choice) if choice and self.chance(0.9) else self.expr(t, 1)

    def effect(self) -> None:
        """A helper called for what it does to its arguments."""
        fitting = [h for h in self.helpers if any(t[0] in "vm" for _, t in h.params)]
        if not fitting:
            return self.store()
        h = self.r.choice(fitting)
        args = [self.argument(t) for _, t in h.params]
        if len({a.split("[")[0].split(".")[0] for a in args}) < len(args) and self.chance(0.85):
            args = [
                a if t[0] == "s" else self.expr(t, 1) if i else a
                for i, (a, (_, t)) in enumerate(zip(args, h.params, strict=True))
            ]
        call = f"{h.name}({', '.join(args)})"
        if h.result == NONE or h.result[0] == "t" or self.chance(0.3):
            self.put(call)
            self.note("helper writes")
        else:
            name = self.fresh()
            if self.chance(0.3):  # what stands before the call is evaluated before it writes
                seen = [n for n in self.arrays() if self.env[n] == h.result]
                before = self.r.choice(seen) if seen else self.expr(h.result, 1)
                call = self.r.choice(
                    [f"np.sin({before}) * {call}", f"{before} + {call}", f"np.tanh({call}) - {before}"]
                )
            self.put(f"{name} = {call}")
            self.env[name] = h.result
            self.note("helper writes and returns")

    def call(self, t: Type, d: int) -> str:
        """Inside expressions mostly helpers that have nothing to write into."""
        kept = self.helpers
        if not self.chance(0.25):
            self.helpers = [h for h in kept if all(u[0] == "s" for _, u in h.params)]
        text = super().call(t, d)
        self.helpers = kept
        return text

    def vectors(self) -> list[str]:
        return [name for name in super().vectors() if self.env[name][1] > 1]

    def vector(self, n: int, d: int) -> str:
        if n == 1:
            return f"np.array([{self.expr(SCALAR, d)}], dtype=float)"
        text = super().vector(n, d)
        # an array of the literals 1 and 3 would be one of integers
        return text[:-1] + ", dtype=float)" if text.startswith("np.array([") and text.endswith("])") else text

    # ------------------------------------------------------------ ends

    def early_return(self) -> None:
        self.note("exit around a store")
        super().early_return()

    def finish(self) -> None:
        if self.result != NONE:
            return super().finish()
        if self.depth or self.indent > 1 or self.chance(0.2):
            self.put("return")
