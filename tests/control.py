"""Random programs of control flow and functions: few names, each bound, written, captured and shadowed by turns.

The other grammars make programs that are defined by construction; this one makes short programs without such care, over
a handful of names of fixed kinds, and leaves out those that raise. Helpers have the names of their callers, loops and
comprehensions take names that are in use, blocks are left early, and what is captured is bound again.
"""

from __future__ import annotations

import copy
import random
import re
import signal
import sys
import threading
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from programs import Program

SCALARS, VECTORS = ("x", "y", "s", "t"), ("u", "v", "w")
HEAD = {
    "Box": """class Box:
    def __init__(self, s, u):
        self.s = s
        self.u = u

    def step(self, x):
        self.s = np.tanh(self.s * x + self.u[0])
        return self.s

    def write(self, x):
        self.u[1] = np.sin(self.u[0] * x)

    def turn(self, x):
        if x > 0.2:
            self.u = self.u[::-1] * x
            return self.s
        self.u = np.sin(self.u)
        return self.step(x)
""",
    "down": """def down(x, y, n):
    if n <= 0:
        return y
    y = np.sin(y * x)
    return down(y, x, n - 1) * 0.5 + x
""",
    "spread": """def spread(u, x, n):
    if n <= 0:
        return x
    u[n - 1] = np.tanh(u[n - 2] * x)
    return spread(u, u[n - 1] + 0.3, n - 1)
""",
    "weigh": """def weigh(*s, x=0.5, **k):
    y = x
    for t in s:
        y = y * t + k.get("w", 1.0)
    return np.sin(y)
""",
}


class Writer:
    """The writer of one function: the names of each kind that are bound at this point, and the lines so far."""

    def __init__(self, r: random.Random, helpers: dict[str, tuple[str, ...]], needs: set[str], inner: int = 0) -> None:
        self.r = r
        self.helpers = helpers  # name: the kinds of its parameters ("s", "v"), then that of its result ("" for none)
        self.needs = needs
        self.lines: list[str] = []
        self.indent = 1
        self.loops = 0
        self.level = inner  # of nested functions
        self.scalars, self.vectors = list(SCALARS), list(VECTORS)
        self.lists: list[str] = []
        self.dicts: list[str] = []
        self.objects: list[str] = []
        self.ints: list[str] = []
        self.closures: dict[str, tuple[str, ...]] = {}
        self.result = "s"
        self.count = 0
        self.captured: set[str] = set()

    def chance(self, p: float) -> bool:
        return self.r.random() < p

    def put(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.level or ''}_{self.count}"

    # ------------------------------------------------------------ expressions

    def index(self) -> str:
        return self.r.choice(["0", "1", "2", "-1", *(f"{i} % 3" for i in self.ints)])

    def scalar(self, depth: int = 2) -> str:
        r = self.r
        if depth <= 0 or self.chance(0.15):
            atoms = [*self.scalars, *self.scalars, f"{r.choice(self.vectors)}[{self.index()}]", "0.5", "1.3"]
            atoms += [f"{n}[{r.choice(['0', '-1'])}]" for n in self.lists]
            atoms += [f'{n}["{r.choice("ab")}"]' for n in self.dicts] + [f"{n}.s" for n in self.objects]
            return r.choice(atoms)
        a, b = (self.scalar(depth - 1) for _ in range(2))
        u, v = (self.vector(depth - 1) for _ in range(2))
        name = r.choice([*self.scalars, "q"])
        self.count += 1
        forms = [
            f"({a} * {b})",
            f"({a} + {b})",
            f"({a} - {b})",
            f"np.sin({a})",
            f"np.tanh({a})",
            f"np.sum({u})",
            f"({u}) @ ({v})",
            f"np.max({u})",
            f"({a} if {self.test()} else {b})",
            f"max({a}, {b})",
            f"(lambda {name}: {name} * {r.choice(self.scalars)})({a})",
            f"sum({name} * {r.choice(self.scalars)} for {name} in {r.choice(self.vectors)})",
            f"sum([{name} * {r.choice(self.scalars)} for {name} in {r.choice(self.vectors)} if {name} < 0.4])",
        ]
        forms += [self.call(f, kinds) for f, kinds in {**self.helpers, **self.closures}.items() if kinds[-1] == "s"] * 2
        forms += [self.scalar(0)] * 2
        if self.objects:
            forms += [f"{r.choice(self.objects)}.{r.choice(['step', 'turn'])}({a})"] * 2
        if self.lists:
            forms += [f"sum({r.choice(self.lists)})", f"{r.choice(self.lists)}.pop()"]
        return r.choice(forms)

    def vector(self, depth: int = 2) -> str:
        r = self.r
        if depth <= 0 or self.chance(0.2):
            return r.choice([*self.vectors, *self.vectors, *(f"{n}.u" for n in self.objects)])
        a, u, v = self.scalar(depth - 1), self.vector(depth - 1), self.vector(depth - 1)
        name = r.choice([*self.scalars, "q"])
        forms = [
            f"({u} * {v})",
            f"({u} + {a})",
            f"({u} * {a})",
            f"np.sin({u})",
            f"{u}[::-1]",
            f"np.where({r.choice(self.vectors)} > {self.scalar(0)}, {u}, {v})",
            f"{u}.copy()",
            f"np.array([{a}, {self.scalar(0)}, {self.scalar(0)}])",
            f"np.array([{name} * {r.choice(self.scalars)} for {name} in {r.choice(self.vectors)}])",
            f"np.cumsum({u})",
            f"np.tanh({u} - {v})",
        ]
        forms += [self.call(f, kinds) for f, kinds in {**self.helpers, **self.closures}.items() if kinds[-1] == "v"] * 2
        return r.choice(forms)

    def call(self, name: str, kinds: tuple[str, ...]) -> str:
        args = [self.scalar(0) if k == "s" else self.r.choice(self.vectors) for k in kinds[:-1]]
        return f"{name}({', '.join(args)})"

    def test(self) -> str:
        r = self.r
        forms = [
            f"{self.scalar(0)} > {r.choice(['0.1', '-0.3', '0.6'])}",
            f"{self.scalar(0)} < {self.scalar(0)}",
            f"np.sum({r.choice(self.vectors)}) > 0.2",
            f"-0.5 < {self.scalar(0)} <= 0.7",
            f"not {self.scalar(0)} > 0.3",
            f"{self.scalar(0)} > 0.2 or {self.scalar(0)} < {self.scalar(0)}",
        ]
        forms += [f"{i} == 1" for i in self.ints]
        forms += [f"len({n}) > 2" for n in self.lists]
        return r.choice(forms)

    # ------------------------------------------------------------ statements

    def block(self, count: int) -> None:
        self.indent += 1
        before = len(self.lines)
        for _ in range(count):
            self.statement()
        if len(self.lines) == before:
            self.put("pass")
        self.indent -= 1

    def statement(self) -> None:
        r = self.r
        nested = self.indent < 4
        loops = nested and self.loops < 2
        forms = [self.bind] * 6 + [self.store] * 4 + [self.augment] * 3 + [self.swap, self.view, self.out]
        forms += [self.lists_, self.dicts_, self.objects_, self.calls, self.calls, self.star]
        if nested:
            forms += [self.branch] * 4 + [self.try_, self.match]
        if loops:
            forms += [self.for_] * 4 + [self.while_] * 2
        if self.level < 2 and nested:
            forms += [self.closure] * 2
        if self.loops:
            forms += [self.exit] * 2
        elif self.indent > 1:
            forms += [self.return_]
        r.choice(forms)()

    def calm(self, text: str) -> str:
        return f"np.tanh({text})" if self.loops or self.chance(0.2) else text

    def bind(self) -> None:
        r = self.r
        if self.chance(0.6):
            e = self.calm(self.scalar(3))
            targets = r.sample(self.scalars, 2 if self.chance(0.15) and len(self.scalars) > 1 else 1)
        else:
            e = self.calm(self.vector(2))
            targets = r.sample(self.vectors, 2 if self.chance(0.15) and len(self.vectors) > 1 else 1)
        targets = [n for n in targets if n not in self.captured]
        if targets:
            self.put(f"{' = '.join(targets)} = {e}")

    def store(self) -> None:
        u = self.r.choice(self.vectors)
        e, v = self.calm(self.scalar(2)), self.calm(self.vector(1))
        form = self.r.choice(
            [
                f"{u}[{self.index()}] = {e}",
                f"{u}[{self.index()}] = {e}",
                f"{u}[1:] = ({v})[1:]",
                f"{u}[:-1] = ({v})[1:]",
                f"{u}[:] = {v}",
                f"{u}[{self.r.choice(self.vectors)} > {self.scalar(0)}] = {self.calm(self.scalar(1))}",
                f"{u}[::2] = {e}",
            ]
        )
        self.put(form)

    def augment(self) -> None:
        op = self.r.choice(["+=", "-=", "*="])
        if self.chance(0.4):
            name = self.r.choice(self.scalars)
            if name not in self.captured:
                self.put(f"{name} {op} {self.calm(self.scalar(2))}")
            return
        u = self.r.choice(self.vectors)
        if self.chance(0.4) and u not in self.captured:
            self.put(f"{u} {op} {self.calm(self.vector(2))}")
        else:
            key = self.r.choice([self.index(), self.index(), "1:", ":"])
            e = self.scalar(2) if key != "1:" else f"({self.vector(1)})[:-1]"
            self.put(f"{u}[{key}] {op} {self.calm(e)}")

    def swap(self) -> None:
        r = self.r
        a, b = r.sample(self.scalars, 2) if len(self.scalars) > 1 else ("x", "y")
        u, v = r.sample(self.vectors, 2) if len(self.vectors) > 1 else ("u", "u")
        forms = [f"{u}[{self.index()}], {v}[{self.index()}] = {v}[{self.index()}], {u}[{self.index()}]"]
        if not {a, b, u, v} & self.captured:
            forms += [
                f"{a}, {b} = {b}, {a}",
                f"{u}, {v} = {v}, {u}",
                f"{a}, {u}[{self.index()}] = {u}[{self.index()}], {b}",
            ]
            forms += [f"{a}, {b} = {self.scalar(1)}, {a} * {b}"]
        self.put(r.choice(forms))

    def view(self) -> None:
        u, v = self.r.choice(self.vectors), self.r.choice(self.vectors)
        if u in self.captured:
            return
        e = self.r.choice([f"{v}", f"{v}[::-1]", f"{v}[:]", f"{v} if {self.test()} else {self.r.choice(self.vectors)}"])
        self.put(f"{u} = {e}")

    def out(self) -> None:
        u, v, w = (self.r.choice(self.vectors) for _ in range(3))
        form = self.r.choice(
            [
                f"np.multiply({v}, {w}, out={u})",
                f"np.sin({v}, out={u})",
                f"np.copyto({u}, {self.calm(self.vector(1))})",
                f"{u}.fill({self.calm(self.scalar(1))})",
                f"np.add.at({u}, [0, 1, 0], {self.calm(self.vector(1))})",
                f"{u}.sort()",
            ]
        )
        self.put(form)

    def lists_(self) -> None:
        r = self.r
        if not self.lists or self.chance(0.2):
            if self.indent > 1:
                return
            name = self.fresh("l")
            q = r.choice([*self.scalars, "q"])
            form = r.choice(
                [
                    f"[{self.scalar(1)}, {self.scalar(1)}, {self.scalar(0)}]",
                    f"[{q} * {self.scalar(0)} for {q} in {r.choice(self.vectors)}]",
                    f"[{self.scalar(0)}] * 3",
                    f"list({r.choice(self.vectors)})",
                ]
            )
            self.put(f"{name} = {form}")
            self.lists.append(name)
            return
        name = r.choice(self.lists)
        e = self.calm(self.scalar(1))
        u = r.choice(self.scalars)
        forms = [
            f"{name}.append({e})",
            f"{name}.append({e})",
            f"{name}[{r.choice(['0', '1', '-1'])}] = {e}",
            f"{name}[{r.choice(['0', '1', '-1'])}] *= {e}",
            f"{name}.extend([{e}, {self.scalar(0)}])",
            f"{name}.insert(0, {e})",
            f"{name} += [{e}]",
            f"{name}[0], {name}[1] = {name}[1], {name}[0]",
            f"{name}.reverse()",
        ]
        if u not in self.captured:
            forms += [f"{u} = {name}.pop()", f"{u} = {name}.pop(0)", f"{u} = {name}[-1] * {name}[0]"]
        if name in self.captured:
            forms = forms[:3]
        self.put(r.choice(forms))

    def dicts_(self) -> None:
        r = self.r
        if not self.dicts:
            if self.indent > 1:
                return
            name = self.fresh("d")
            self.put(f'{name} = {{"a": {self.scalar(1)}, "b": {self.scalar(1)}}}')
            self.dicts.append(name)
            return
        name, key, e = r.choice(self.dicts), r.choice("ab"), self.calm(self.scalar(1))
        forms = [
            f'{name}["{key}"] = {e}',
            f'{name}["{key}"] *= {e}',
            f"{name}.update(a={e})",
            f'{name}["a"], {name}["b"] = {name}["b"], {name}["a"]',
        ]
        u = r.choice(self.scalars)
        if u not in self.captured:
            forms += [f"{u} = sum({name}.values())", f'{u} = {name}.get("{key}", 0.0) * {u}']
        self.put(r.choice(forms))

    def objects_(self) -> None:
        r = self.r
        if not self.objects or self.chance(0.2):
            if self.indent > 1:
                return
            name = self.fresh("o")
            self.needs.add("Box")
            self.put(f"{name} = Box({self.scalar(1)}, {r.choice([*self.vectors, self.vector(1)])})")
            self.objects.append(name)
            return
        name = r.choice(self.objects)
        forms = [
            f"{name}.s = {self.calm(self.scalar(1))}",
            f"{name}.s *= {self.calm(self.scalar(1))}",
            f"{name}.u = {self.calm(self.vector(1))}",
            f"{name}.u[{self.index()}] = {self.calm(self.scalar(1))}",
            f"{name}.u *= {self.calm(self.scalar(1))}",
            f"{name}.write({self.scalar(1)})",
            f"{name}.step({self.scalar(1)})",
            f"{name}.turn({self.scalar(1)})",
        ]
        self.put(r.choice(forms))

    def calls(self) -> None:
        r = self.r
        have = {**self.helpers, **self.closures}
        u = r.choice(self.scalars)
        forms = []
        for f, kinds in have.items():
            call = self.call(f, kinds)
            target = u if kinds[-1] == "s" else r.choice(self.vectors)
            forms.append(call if kinds[-1] == "" or target in self.captured else f"{target} = {call}")
        if u not in self.captured:
            n = r.choice(["2", "3", "0", *self.ints])
            forms += [f"{u} = down({self.scalar(0)}, {self.scalar(0)}, {n})"]
            forms += [f"{u} = spread({r.choice(self.vectors)}, {self.scalar(0)}, {n})"]
            forms += [f"{u} = weigh({self.scalar(0)}, *({self.scalar(0)}, {self.scalar(0)}), w={self.scalar(0)})"]
            forms += [f"{u} = weigh({self.scalar(1)}, {self.scalar(0)}, x={self.scalar(0)})"]
        if not forms:
            return
        text = r.choice(forms)
        self.needs |= {n for n in ("down", "spread", "weigh") if f"{n}(" in text}
        self.put(text)

    def star(self) -> None:
        a, b, c = (self.r.choice(self.scalars) for _ in range(3))
        if {a, b, c} & self.captured:
            return
        u = self.r.choice(self.vectors)
        form = self.r.choice([f"{a}, {b}, {c} = {u}", f"{a}, *_ = {u}", f"{a}, ({b}, {c}) = {self.scalar(0)}, {u}[:2]"])
        self.put(form)

    def branch(self) -> None:
        name = self.r.choice(self.scalars)
        if self.chance(0.2) and name not in self.captured:
            self.put(f"if ({name} := np.sin({self.scalar(1)})) > 0.1:")
        else:
            self.put(f"if {self.test()}:")
        self.block(self.r.choice([1, 1, 2]))
        if self.chance(0.2):
            self.put(f"elif {self.test()}:")
            self.block(1)
        if self.chance(0.5):
            self.put("else:")
            self.block(self.r.choice([1, 1, 2]))

    def for_(self) -> None:
        r = self.r
        k, q = self.fresh("k"), r.choice([*self.scalars, "q"])
        if q in self.captured:
            q = "q"
        p = "q" if q != "q" else "p"
        u, v = r.choice(self.vectors), r.choice(self.vectors)
        heads = [
            (f"for {k} in range(3):", k),
            (f"for {k} in range(n):", k),
            (f"for {k} in range(2, -1, -1):", k),
            (f"for {k} in range(1, len({u})):", k),
            (f"for {q} in {u}:", ""),
            (f"for {k}, {q} in enumerate({u}):", k),
            (f"for {q}, {p} in zip({u}, {v}):", ""),
            (f"for {q} in ({self.scalar(0)}, {self.scalar(1)}):", ""),
            (f"for {q} in reversed({u}):", ""),
            (f"for {q} in {u} * {self.scalar(0)}:", ""),
            *((f"for {q} in list({n}):", "") for n in self.lists),
        ]
        head, counter = r.choice(heads)
        self.put(head)
        self.loops += 1
        if counter:
            self.ints.append(counter)
        mine = q in head and q not in self.scalars
        if mine:
            self.scalars.append(q)
        self.block(r.choice([1, 2, 2, 3]))
        if mine:
            self.scalars.remove(q)
        if counter:
            self.ints.remove(counter)
        self.loops -= 1
        if self.chance(0.15):
            self.put("else:")
            self.block(1)

    def while_(self) -> None:
        c = self.fresh("c")
        self.put(f"{c} = 0")
        test = self.r.choice([f"{c} < 3", f"{c} < n", f"{c} < 4 and ({self.test()})", f"({c} := {c} + 1) < 4"])
        self.put(f"while {test}:")
        self.loops += 1
        self.ints.append(c)
        if ":=" not in test:
            self.indent += 1
            if self.chance(0.5):
                self.put(f"{c} += 1")
                self.indent -= 1
                self.block(self.r.choice([1, 2]))
            else:
                self.indent -= 1
                before = len(self.lines)
                self.block(self.r.choice([1, 2]))
                self.lines[before:] = [line for line in self.lines[before:] if line.strip() != "continue"]
                self.put(f"    {c} += 1")
        else:
            self.block(self.r.choice([1, 2]))
        self.ints.remove(c)
        self.loops -= 1
        if self.chance(0.2):
            self.put("else:")
            self.block(1)

    def exit(self) -> None:
        if self.indent >= 6:
            return
        self.put(f"if {self.test()}:")
        if self.chance(0.4):
            self.block(1)
        self.indent += 1
        kind = self.r.choice(["break", "continue", "break", "return"])
        if kind == "return":
            self.return_()
        else:
            self.put(kind)
        self.indent -= 1

    def return_(self) -> None:
        if self.result == "":
            self.put("return")
        else:
            self.put(f"return {self.scalar(2) if self.result == 's' else self.vector(1)}")

    def try_(self) -> None:
        self.put("try:")
        self.block(self.r.choice([1, 2]))
        if self.chance(0.4):
            self.put("except ZeroDivisionError:")
            self.block(1)
        self.put("finally:")
        loops, self.loops, before = self.loops, 0, len(self.lines)
        self.block(1)
        self.loops = loops
        self.lines[before:] = [line.replace("return ", "_ = ") for line in self.lines[before:]]

    def match(self) -> None:
        i = self.r.choice([*self.ints, "n"])
        self.put(f"match {i}:")
        self.indent += 1
        self.put(f"case {self.r.choice(['0', '1', '2'])}:")
        self.block(1)
        if self.chance(0.5):
            self.put(f"case _ if {self.test()}:")
            self.block(1)
        self.put("case _:")
        self.block(1)
        self.indent -= 1

    def closure(self) -> None:
        name = self.fresh("inner")
        kinds = self.r.choice([("s", "s"), ("s", ""), ("v", "s"), ("s", "v"), ("v", ""), ("s", "s", "s")])
        params = [self.r.choice([*SCALARS, "q"]) if k == "s" else self.r.choice(VECTORS) for k in kinds[:-1]]
        if len(set(params)) < len(params):
            return
        inner = type(self)(self.r, {**self.helpers}, self.needs, self.level + 1)
        inner.closures = dict(self.closures)
        inner.lists, inner.dicts, inner.objects = list(self.lists), list(self.dicts), list(self.objects)
        inner.scalars = list(
            dict.fromkeys([*self.scalars, *(p for p, k in zip(params, kinds, strict=False) if k == "s")])
        )
        inner.vectors = list(self.vectors)
        inner.result = kinds[-1]
        free = [n for n in inner.scalars if n not in params]
        rebound = self.r.sample(free, 1) if free and self.chance(0.3) else []
        rebound = [n for n in rebound if n in SCALARS]
        inner.captured = {*inner.scalars, *inner.vectors, *inner.lists, *inner.dicts} - set(params) - set(rebound)
        inner.indent = self.indent + 1
        if rebound:
            inner.put(f"nonlocal {rebound[0]}")
        for _ in range(self.r.choice([0, 1, 1, 2])):
            inner.statement()
        if rebound:
            inner.put(f"{rebound[0]} = np.tanh({inner.scalar(1)})")
        if inner.result:
            inner.put(f"return {inner.scalar(2) if inner.result == 's' else inner.vector(1)}")
        elif not inner.lines:
            inner.put("pass")
        self.put(f"def {name}({', '.join(params)}):")
        self.lines += inner.lines
        self.closures[name] = kinds
        if self.indent > 1:  # bound in a block: called in it only
            self.put(f"_ = {self.call(name, kinds)}")
            del self.closures[name]


def helper(
    r: random.Random, helpers: dict[str, tuple[str, ...]], needs: set[str], writer: type[Writer] = Writer
) -> tuple[str, str, tuple[str, ...]]:
    """A function of the module: it writes what it is given, binds its parameters anew, returns early."""
    kinds = r.choice(
        [("s", "s"), ("s", "v", "s"), ("v", "s", ""), ("v", "v", ""), ("v", "s", "v"), ("s", "s", "s"), ("v", "v", "s")]
    )
    params = []
    for k in kinds[:-1]:
        params.append(r.choice([n for n in (SCALARS if k == "s" else VECTORS) if n not in params]))
    w = writer(r, dict(helpers), needs)
    w.scalars = [p for p, k in zip(params, kinds, strict=False) if k == "s"] or ["s"]
    w.vectors = [p for p, k in zip(params, kinds, strict=False) if k == "v"] or ["w"]
    if "s" not in kinds[:-1]:
        w.put(f"s = {params[0]}[0] * 0.7")
    if "v" not in kinds[:-1]:
        w.put(f"w = np.array([{params[0]}, 0.3, {params[-1]} * 0.5])")
    w.result = kinds[-1]
    for _ in range(r.choice([1, 2, 3])):
        w.statement()
    if w.result:
        w.put(f"return {w.scalar(2) if w.result == 's' else w.vector(1)}")
    name = f"g{len(helpers)}"
    text = "\n".join([f"def {name}({', '.join(params)}):", *w.lines])
    return (
        name,
        re.sub(r"\bn\b", "2", text.replace("match n:", "match 1:")),
        kinds,
    )


def program(
    r: random.Random,
    size: int = 6,
    writer: type[Writer] = Writer,
    more: Mapping[str, str] | None = None,
    imports: Mapping[str, str] | None = None,
) -> Program | None:
    """One program, or None where what was written raises or gives no finite number.

    more: classes and helpers that a writer of another grammar names; imports: the lines that import a name.
    """
    needs: set[str] = set()
    helpers: dict[str, tuple[str, ...]] = {}
    texts: list[str] = []
    for _ in range(r.choice([0, 1, 1, 2])):
        name, text, kinds = helper(r, helpers, needs, writer)
        helpers[name] = kinds
        texts.append(text)
    w = writer(r, helpers, needs)
    w.scalars = ["x", "y"]
    w.vectors = ["u", "v"]
    for _ in range(2):
        if r.random() < 0.6:
            w.put(f"s = {w.scalar(1)}")
            w.scalars = list(dict.fromkeys([*w.scalars, "s"]))
        if r.random() < 0.5:
            w.put(f"w = {w.vector(1)}")
            w.vectors = list(dict.fromkeys([*w.vectors, "w"]))
    for _ in range(size):
        w.statement()
    w.put(f"return {w.scalar(2)} + np.sum({w.vector(1)})")
    written = "\n".join([*texts, *w.lines])
    head = [HEAD[n] for n in HEAD if n in needs or (more and f"{n}(" in written)]
    head += [text for n, text in (more or {}).items() if f"{n}(" in written or (n == "blend" and "blend," in written)]
    pragma = "# s2s: u (3,), v (3,), x (), y ()\n" if r.random() < 0.85 else ""
    lines = [line for n, line in (imports or {}).items() if any(n in text for text in (*head, written))]
    source = "\n".join([*lines, "import numpy as np\n\n\n"]) + "\n\n".join([*head, *texts])
    source += f"\n\n{pragma}def f(x, y, u, v, n):\n" + "\n".join(w.lines) + "\n"
    rng = np.random.default_rng(r.getrandbits(32))
    args = (*rng.uniform(-1.2, 1.2, 2).tolist(), *rng.uniform(-1.2, 1.2, (2, 3)), r.randrange(4))
    if number(source, args) is None:
        return None
    wrt = tuple(name for name in ("x", "y", "u", "v") if r.random() < 0.85) or ("x",)
    return Program(source, args, wrt, ("x", "y", "u", "v", "n"), True)


class Endless(Exception):
    """A program takes too long: a loop over a list that it appends to."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raises Endless in the block after some seconds; in the main thread, for others get no signals."""

    def end(signum: int, frame: object) -> None:
        raise Endless

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler, left = signal.signal(signal.SIGALRM, end), signal.setitimer(signal.ITIMER_REAL, seconds)[0]
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, handler)


def number(source: str, args: tuple[Any, ...], evaluated: bool = False) -> float | None:
    """The value of `f` in a program, or None where the program raises, has no end or gives no finite number.

    evaluated: annotations are evaluated, as in a file of their own, and not kept as texts.
    """
    module = sys.modules["model"] = types.ModuleType("model")  # a dataclass asks for the module of its class
    try:
        exec(compile(source, "<program>", "exec", dont_inherit=evaluated), module.__dict__)
        with np.errstate(all="ignore"), bounded(2.0):
            value = module.f(*copy.deepcopy(args))
    except (
        ArithmeticError,
        AttributeError,
        Endless,
        LookupError,
        NameError,
        RecursionError,
        SyntaxError,
        TypeError,
        ValueError,
    ):
        return None
    return None if np.ndim(value) or not np.isfinite(value) else value
