"""Random programs that state nothing of the ranks of their parameters, with arguments of many shapes.

Elementwise steps, sums, loops and branches: whatever broadcasts is a program. One text must be right for all shapes.
With `stores`, they also write in place in ways that do not depend on the rank, under several names; an augmented
assignment then means one thing for a number and another for an array.
"""

from __future__ import annotations

import copy
import random

import numpy as np

from programs import Program

SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (2, 3), (1, 3), (2, 1), (2, 2, 3)]
NAMES = ("x", "y", "z")
LITERALS = ["0.5", "2.0", "3"]
FORMS = (
    "({} * {})",
    "({} + {})",
    "({} - {})",
    "({} / (2.0 + {} ** 2))",
    "np.sin({})",
    "np.tanh({})",
    "np.exp(np.tanh({}))",
    "np.sum({})",
    "np.mean({})",
    "np.where({} > 0.2, {}, {})",
    "np.maximum({}, {})",
    "g({}, {})",
    "({}).sum()",
    "np.sqrt(1.0 + {} ** 2)",
)


class _Writer:
    def __init__(self, r: random.Random, stores: bool = False) -> None:
        self.r = r
        self.stores = stores
        self.names = list(NAMES)
        self.lines: list[str] = []

    def expr(self, depth: int) -> str:
        if depth <= 0 or self.r.random() < 0.25:
            return self.r.choice(self.names) if self.r.random() < 0.9 else self.r.choice(LITERALS)
        form = self.r.choice(FORMS)
        parts = [self.expr(depth - 1) for _ in range(form.count("{}"))]
        if form == "({}).sum()" and parts[0] in LITERALS:  # numbers of Python have no methods of arrays
            form = "np.sum({})"
        return form.format(*parts)

    def block(self, count: int, indent: int) -> None:
        for _ in range(count):
            kind, pad = self.r.randrange(10), "    " * indent
            if self.stores and self.r.random() < 0.5:
                self.store(pad, indent)
            elif kind < 4:
                new = f"a{len(self.lines)}"
                name = new if self.r.random() < 0.6 else self.r.choice(NAMES)
                self.lines.append(f"{pad}{name} = {self.expr(2)}")
                if name == new and indent == 1:
                    self.names.append(name)
            elif kind < 6:
                name = self.r.choice(self.names)
                self.lines.append(f"{pad}{name} = {name} {self.r.choice('*+-')} {self.expr(1)}")
            elif kind < 8 and indent < 3:
                self.lines.append(f"{pad}for i{indent} in range({self.r.choice(['2', '3', 'n'])}):")
                self.block(self.r.randint(1, 2), indent + 1)
            elif kind < 10 and indent < 3:
                self.lines.append(f"{pad}if np.sum({self.expr(1)}) > 0.3:")
                self.block(self.r.randint(1, 2), indent + 1)
                if self.r.random() < 0.5:
                    self.lines.append(f"{pad}else:")
                    self.block(1, indent + 1)
            else:
                self.lines.append(f"{pad}{self.r.choice(NAMES)} = {self.expr(2)}")

    def store(self, pad: str, indent: int) -> None:
        name, new = self.r.choice(self.names), f"b{len(self.lines)}"
        small = f"np.tanh({self.expr(1)})"
        forms = [
            f"{name} += {small}",
            f"{name} *= {small}",
            f"{name} -= {small}",
            f"{name}[...] = {small}",
            f"{name}[...] *= {small}",
            f"np.multiply({name}, {small}, out={name})",
            f"h({name}, {small})",
            f"{new} = {name}",
            f"{new} = {name}.T",
            f"{new} = {name}[...]",
            f"{new} = {name}.copy()",
            f"{new} = {name} if np.sum({self.expr(0)}) > 0.3 else {self.r.choice(self.names)}",
            f"{name}, {self.r.choice(self.names)} = {self.r.choice(self.names)}, {name}",
        ]
        text = self.r.choice(forms)
        self.lines.append(pad + text)
        if text.startswith(new) and indent == 1:
            self.names.append(new)


def calls(r: random.Random, count: int = 4, *, stores: bool = False) -> list[Program]:
    """One program with `count` choices of the shapes of its arguments; those on which it raises are left out."""
    writer = _Writer(r, stores)
    writer.block(r.randint(2, 5), 1)
    scalar = r.random() < 0.35
    result = writer.expr(2)
    writer.lines.append(f"    return {f'np.sum({result})' if scalar else result}")
    head = "import numpy as np\n\n\ndef g(p, q):\n    return p * q + np.sin(q)\n\n\n"
    if stores:
        head += "def h(p, q):\n    p *= np.tanh(q)\n\n\n"
    source = head + "def f(x, y, z, n):\n" + "\n".join(writer.lines) + "\n"
    wrt = tuple(name for name in NAMES if r.random() < 0.8) or ("x",)
    rng = np.random.default_rng(r.getrandbits(32))
    namespace: dict[str, object] = {}
    exec(compile(source, "<shapeless>", "exec"), namespace)
    found = []
    for _ in range(count):
        shapes = [r.choice(SHAPES) for _ in NAMES]
        args = tuple(rng.standard_normal(s) if s or r.random() < 0.5 else float(rng.standard_normal()) for s in shapes)
        try:
            with np.errstate(all="ignore"):
                namespace["f"](*copy.deepcopy(args), 2)  # type: ignore[operator]
        except (AttributeError, TypeError, ValueError):  # these shapes do not broadcast; a float has no elements
            continue
        found.append(Program(source, (*args, r.randrange(3)), wrt, (*NAMES, "n"), scalar))
    return found
