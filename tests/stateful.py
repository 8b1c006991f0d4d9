"""Random programs of objects, closures and a module's own values, whose parts change where one doesn't look.

Objects lie in lists and dicts, which lie in objects; constructors keep their arguments or copy them, methods write in
place, bind anew, count, hand out their parts or the object itself; defaults are class attributes, None or a list;
closures change what they capture, generators of random numbers go on where the last draw left them. A program grows by
statements with which it still runs.
"""

from __future__ import annotations

import copy
import random
import re
from typing import Any

import numpy as np

from programs import Program
from snippets import UNFIT, filled, indented, names_in

# Of the classes; <v>: an array, <t>: a number, <o>: another object of the class.
KEPT = ["v", "v", "v.copy()", "np.array(v)", "v * k", "np.asarray(v)", "v if k > 0.5 else v * 1.0"]
INITS = ["self.v = <k>\nself.k = k", "self.k = k * 0.5\nself.v = <k>", "self.v, self.k = <k>, k"]
BEGUN = "self.log = []\nself.count = 0"  # what the constructor binds first

CHANGES = [
    "self.v[0] = <t>",
    "self.v *= <t>",
    "self.v = self.v * <t>",
    "self.v[:] = self.v[::-1]",
    "self.k = self.k * 0.5 + <t>",
    "self.k += <t>",
    "self.v[1] += self.k",
    "self.v = <v>",
    "self.log.append(<t>)",
    "self.log = [*self.log, self.k]",
    "self.count += 1",
    "self.count = self.count + 1\nself.k = self.k / self.count",
    "if self.k > 0.4:\n    self.v = self.v + <t>",
    "for i in range(len(self.v)):\n    self.v[i] *= <t>",
    "v = self.v\nv[0] += <t>",
]
OF_OTHERS = [
    "self.v = o.v",
    "self.v[:] = o.v",
    "self.v += o.v",
    "self.v, o.v = o.v, self.v",
    "o.put(self.k)",
    "if o is self:\n    return self\nself.k = o.k",
    "if o is not self:\n    self.v[0] = o.v[1]",
    "self.log = o.log",
    "self.__dict__.update(v=o.v)",
]
GIVEN = [
    "self",
    "self.v",
    "self.v",
    "self.v * self.k",
    "self.v.copy()",
    "self.v[1:]",
    "self.v[::-1]",
    "Item(self.v, self.k)",
]
NUMBERS_OF = [
    "self.k",
    "np.sum(self.v * self.v)",
    "self.k * self.scale",
    "self.v[0] * self.k",
    "sum(self.log) * self.k",
]
HELD = ["items", "items", "list(items)", "[*items]", "[Item(o.v, o.k) for o in items]", "[copy.copy(o) for o in items]"]
TABLES = [
    "self.table = {} if table is None else table",
    "self.table = table or {}",
    'self.table = {"a": items[0]} if table is None else dict(table)',
    'self.table = {"a": items[0].v, **(table or {})}',
]
STEPS = [
    "for o in self.items:\n    o.put(t)",
    "for o in self.items:\n    o.v = o.v * t",
    "for o, q in zip(self.items, self.items[1:]):\n    o.take(q)",
    "self.items[0].put(t)\nself.last = self.items[0]",
    "self.last = self.items[-1].get()",
    "self.items.append(Item(self.items[0].v, t))",
    'self.table["b"] = self.items[0].v * t',
    'self.table["b"] = self.items[0].v',
    "self.items = self.items[::-1]",
    "self.n += 1",
    "if self.last is None:\n    self.last = self.items[0].v\nself.items[0].v = self.last * t",
    "o = self.items[0]\no.k = t\nself.items[0] = self.items[-1]",
]
MODULE = """{imports}import numpy as np
{head}

class Item:
    scale = 0.5

    def __init__(self, v, k=1.0):
{init}

    def put(self, t):
{put}

    def take(self, o):
{take}

    def get(self):
{get}

    @property
    def size(self):
        return {size}

    @{cached}
    def norm(self):
        return {norm}

    def total(self):
        return {total}


class Box:
    def __init__(self, items, table=None):
        self.items = {held}
{table}
        self.last = None
        self.n = 0

    def step(self, t):
{step}

    def total(self):
        s = 0.0
        for o in self.items:
            s = s + o.total()
        return s * (1 + self.n)


@dataclass
class Pair:
    a: float
    b: np.ndarray

    def moved(self, t):
        return replace(self, {moved})

    def put(self, t):
{pput}


class Two(NamedTuple):
    a: float
    b: np.ndarray


class Noise:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def draw(self):
        return self.rng.normal() * 0.3


def give(o, t=0.5):
{give}


def work(o, v, seen={default}):
{work}


def make(v, t):
    n = 0.0

    def inner(q):
{inner}

    return {made}


"""
GIVES = ["o.put(t)\nreturn o", "return o", "return o if t > 0.4 else Item(o.v, t)", "o.v[0] = t\nreturn o.v", "o.k = t"]
WORKS = [
    "o.take(Item(v, o.k))\nreturn o.total()",
    "if seen is None:\n    seen = []\nseen.append(o.k)\nreturn sum(seen) * v[0]",
    "seen = list(seen or [])\nseen.append(v)\nreturn np.sum(seen[0] * o.v)",
    "for q in seen or ():\n    v[0] = v[0] * q\nreturn v[0] * o.k",
    "o.v[0] += v[1]\no.v = v\nreturn np.sum(o.v)",
    "v[:] = o.v * 0.5\nreturn o.k",
]
INNERS = [
    "n = n * 0.5 + q\nreturn n * t",
    "v[0] = q\nreturn np.sum(v) + n",
    "n += 1\nv[1] *= q\nreturn v[1] * n",
    "n = n + q\nv = v * n\nreturn v[0] + t",
    "t = t * q\nn = t\nreturn n",
]
DEFAULTS = ["None", "None", "()", "[]", "(0.5, 0.7)", "[0.5, 0.7]"]
HEADS = ["", "", "BASE = np.array([0.3, 0.6, -0.2])\n", 'SETTINGS = {"rate": 0.4, "seed": 3}\n']

# Of f: <v> an array, <t> a number, <o> an Item, <b> a Box.
ARRAYS = ["x", "y", "w", "w", "<o>.v", "<o>.v", "p.b", "q.b", "b.items[0].v", "x * y", "w.copy()"]
NUMBERS = [
    "k",
    "s",
    "s",
    "<o>.k",
    "<o>.size",
    "<o>.total()",
    "<o>.norm",
    "w[0]",
    "p.a",
    "q.a",
    "0.7",
    "b.total()",
    "<o>.scale",
]
OBJECTS = ["u", "u", "z", "z", "b.items[0]", "b.items[-1]", "os[0]", 'd["a"]']
STATEMENTS = [
    "s = s * 0.5 + <t>",
    "s = s + <t> * <t>",
    "s += <t>",
    "w = <v>",
    "w = <v> * <t>",
    "w[0] = <t>",
    "<v>[1] = <t>",
    "<v> *= <t>",
    "w += <v>",
    "<o>.v = <v>",
    "<o>.k = <t>",
    "<o>.put(<t>)",
    "<o>.put(<t>)",
    "<o>.take(<o>)",
    "z = <o>",
    "z = <o>.take(<o>) or <o>",
    "z = Item(<v>, <t>)",
    "u = Item(<v>, <t>)",
    "u = Item(<v>)",
    "u, z = z, u",
    "w = <o>.get()",
    "z = give(<o>, <t>)",
    "w = give(<o>)",
    "give(<o>, <t>)",
    "s = s + work(<o>, <v>)",
    "s = s + work(<o>, <v>, [<t>])",
    "work(<o>, <v>)",
    "b.step(<t>)",
    "b.step(<t>)",
    "b.items.append(<o>)",
    "b = Box([<o>, <o>])",
    "b = Box([<o>, Item(<v>, <t>)], {'a': <v>})",
    "b.items[0] = <o>",
    "s = s + np.sum(b.table['a'])",
    "w = b.table['b']",
    "w = b.last",
    "if b.last is not None:\n    s = s + np.sum(b.last)",
    "os.append(<o>)",
    "os[0] = <o>",
    "os = os[::-1]",
    "d['a'] = <o>",
    "for o in os:\n    o.put(<t>)",
    "for o in os:\n    s = s + o.total() * <t>",
    "for o in b.items:\n    o.v[0] = <t>",
    "for o in b.items:\n    s = s * 0.5 + o.size",
    "for i in range(n):\n    <o>.put(<t>)\n    s = s + <o>.total()",
    "for i in range(n):\n    s = s * 0.5 + work(<o>, <v>)",
    "for i in range(n):\n    b.step(<t>)",
    "for i in range(n):\n    u = Item(<o>.v, <t>)\n    os.append(u)",
    "for i in range(n):\n    s = s * 0.5 + g(<t>)",
    "for i in range(n):\n    s = s + noise.draw() * <t>",
    "for i in range(n):\n    w[i] = rng.normal() * <t>",
    "s = s + g(<t>)",
    "s = s + g(<t>) * g(<t>)",
    "g = make(<v>, <t>)",
    "s = s + noise.draw() * <t>",
    "w = w * rng.uniform(0.5, 1.0, 3)",
    "p = p.moved(<t>)",
    "p = replace(p, a=<t>)",
    "p.put(<t>)",
    "p = Pair(<t>, <v>)",
    "p.b = <v>",
    "q = q._replace(a=<t>)",
    "q = q._replace(b=<v>)",
    "q = Two(<t>, <v>)",
    "z = copy.copy(<o>)",
    "z = copy.deepcopy(<o>)",
    "if <o> is z:\n    s = s * <t>",
    "if <o> is not <o>:\n    <o>.put(<t>)",
    "if <t> > 0.45:\n    <o>.put(<t>)\nelse:\n    z = <o>",
    "s = s + sum(o.total() for o in os)",
    "s = s + max(os, key=lambda o: o.k).total()",
    "s = s + sum(np.sum(o.v * <v>) for o in b.items)",
    "w = np.sum([o.v for o in os], axis=0)",
    "s = s + d.get('a').total()",
    "if 'c' in d:\n    s = s + d['c'].k",
    "s = s + np.sum(BASE * <v>)",
    "s = s * SETTINGS['rate']",
    "noise = Noise(SETTINGS['seed'])",
    "f2 = <o>.put\nf2(<t>)",
    "fs = [u.total, z.total]\ns = s + fs[0]() * fs[1]()",
    "def bump(t):\n    nonlocal s\n    s = s + t\n    <o>.k = t\nbump(<t>)\nbump(<t>)",
    "def swap():\n    nonlocal w\n    w = <v>\n    return w[0]\ns = s + swap() * <t>",
]
FIRST = {
    "w": ["x * 1.0", "x.copy()", "x", "y"],
    "s": ["0.2", "k", "x[0]"],
    "u": ["Item(x, k)", "Item(w, 0.6)", "Item(x * y, k)"],
    "z": ["Item(y, k * 0.5)", "u", "Item(y, k * 0.5)", "Item(u.v, 0.3)"],
    "b": ["Box([Item(x, k), Item(y, k)])", "Box([u, z])", "Box([u, u])", "Box([u, z], {'a': w, 'b': y})"],
    "os": ["[Item(x, k), Item(y, 0.4)]", "[u, z]", "[u, u]", "b.items", "[Item(x, t) for t in (k, 0.4)]"],
    "d": ["{'a': Item(x, k)}", "{'a': u}", "{'a': z, 'c': u}", "dict(a=b.items[0])"],
    "p": ["Pair(k, w)", "Pair(0.5, y.copy())", "Pair(k, u.v)"],
    "q": ["Two(k, w)", "Two(0.5, y)"],
    "noise": ["Noise(n)", "Noise(1)"],
    "rng": ["np.random.default_rng(n)", "np.random.default_rng(7)"],
    "g": ["make(w, k)", "make(x, s)", "make(y.copy(), 0.5)"],
}
TERMS = {
    "w": ["np.sum(w * y)", "w[0]"],
    "u": ["u.total()", "u.k * u.v[1]"],
    "z": ["z.total()", "np.sum(z.v * x)"],
    "b": ["b.total()", "b.items[0].k"],
    "os": ["os[0].total()", "os[-1].v[0]"],
    "d": ["d['a'].total()"],
    "p": ["p.a * p.b[0]", "np.sum(p.b)"],
    "q": ["q.a * q.b[0]", "np.sum(q.b)"],
    "g": ["g(0.3)"],
}
ARGS = {"x": np.array([0.9, -0.4, 0.6]), "y": np.array([0.5, 1.3, -0.7]), "k": 0.6, "n": 2}
# What a program is about, beside w and s.
SUBJECTS = [("u",), ("u",), ("u",), ("u", "z"), ("u", "z"), ("os",), ("d",), ("b",), ("u", "os"), ("u", "d"), ("p",)]
SUBJECTS += [("p",), ("q",), ("p", "q"), ("p", "u"), ("noise",), ("noise",), ("rng",), ("g",), ("g",), ("g", "u")]
BESIDE = [(), (), (), ("p",), ("q",), ("noise",), ("rng",), ("g",), ("u",)]
SIZE = 4
TRIES = 6


def only(texts: list[str], about: set[str]) -> list[str]:
    """Those that name nothing else than what a program is about."""
    return [t for t in texts if not names_in(t) & FIRST.keys() - about - {"w", "s"}]


def bodies(r: random.Random) -> str:
    """The module in front of f, with what its classes and functions do."""
    one = r.choice
    fill = {
        "k": lambda: one(KEPT),
        "t": lambda: one(["t", "t", "self.k", "self.scale", "self.k * t", "0.8"]),
        "v": lambda: one(["self.v * t", "self.v[::-1]", "self.v", "self.v.copy()"]),
    }

    def block(deep: int, *pools: list[str], more: str = "") -> str:
        text = filled("\n".join([*(one(pool) for pool in pools), *([more] if more else [])]), fill)
        for _ in range(deep):
            text = indented(text)
        return text

    inner = one(INNERS)
    assigned = [v for v in ("n", "v", "t") if re.search(rf"^{v} [+*]?=", inner, re.MULTILINE)]
    parts = {
        "imports": "",
        "head": one(HEADS),
        "init": block(2, [BEGUN], INITS),
        "put": block(2, *[CHANGES] * r.randint(1, 2), more=one(["return self", "", "return self.k", ""])),
        "take": block(2, *[OF_OTHERS] * r.randint(1, 2), more=one(["return self", "", ""])),
        "get": block(2, *[CHANGES] * (r.random() < 0.2), more=f"return {one(GIVEN)}"),
        "size": one(NUMBERS_OF),
        "norm": one(NUMBERS_OF),
        "total": one(NUMBERS_OF),
        "cached": one(["property", "cached_property"]),
        "held": one(HELD),
        "table": block(2, TABLES),
        "step": block(2, *[STEPS] * r.randint(1, 2)),
        "moved": one(["a=t", "b=self.b * t", "a=self.a * t, b=self.b"]),
        "pput": block(2, [["self.b[0] = t", "self.a = t", "self.b = self.b * t", "self.b *= t"]][0]),
        "give": block(1, GIVES),
        "default": one(DEFAULTS),
        "work": block(1, WORKS),
        "inner": block(2, *([[f"nonlocal {', '.join(assigned)}"]] if assigned else []), [inner]),
        "made": one(["inner", "inner", "lambda q: inner(q) * 0.5"]),
    }
    return MODULE.format(**parts)


def without_unused(module: str, body: str) -> str:
    """The module without the classes and functions that nothing names, and with the imports that it needs."""
    head, *parts = module.split("\n\n\n")
    kept = [p for p in parts if p.strip()]
    everything = "\n".join([*kept, body])
    while True:
        kept = [without_methods(p, everything) for p in kept]
        everything = "\n".join([*kept, body])
        used = names_in(everything)
        less = []
        for part in kept:
            name = re.search(r"^(?:class|def) (\w+)", part, re.MULTILINE)
            others = names_in("\n".join([*(p for p in kept if p is not part), body]))
            if name is None or name[1] in others:
                less.append(part)
        if len(less) == len(kept) and "\n".join([*less, body]) == everything:
            break
        kept = less
    for line in BEGUN.split("\n"):
        if everything.count(line.split(" ")[0]) == 1:
            kept = [p.replace(f"        {line}\n", "") for p in kept]
    lines = [line for line in head.split("\n") if not (m := re.match(r"([A-Z]+) =", line)) or m[1] in used]
    imports = [
        text
        for name, text in (
            ("copy", "import copy"),
            ("dataclass", "from dataclasses import dataclass, replace"),
            ("replace", "from dataclasses import dataclass, replace"),
            ("cached_property", "from functools import cached_property"),
            ("NamedTuple", "from typing import NamedTuple"),
        )
        if name in used
    ]
    texts = "\n".join([*dict.fromkeys(imports), "\n".join(lines).strip()])
    return "\n\n\n".join([texts, *(p.strip() for p in kept)]) + "\n\n\n"


def used_attributes(text: str) -> set[str]:
    return set(re.findall(r"\.(\w+)", text))


def without_methods(part: str, everything: str) -> str:
    """A class without the methods and attributes that nothing asks for."""
    if not part.startswith(("class Item", "class Box")):
        return part
    asked = used_attributes(everything)
    if "scale" not in asked:
        part = part.replace("    scale = 0.5\n\n", "")
    pieces = re.split(r"\n\n(?=    \S)", part)
    named = [re.match(r"(?:    @\w+\n)?    def (\w+)", p) for p in pieces]
    return "\n\n".join(p for p, m in zip(pieces, named, strict=True) if not m or m[1] in asked | {"__init__"})


def program(r: random.Random, size: int = SIZE) -> Program | None:
    """A program of at most size + 1 statements behind what they work on."""
    one = r.choice
    module = bodies(r)
    module_head = "import copy\nfrom dataclasses import dataclass, replace\nfrom functools import cached_property\n"
    module_head += "from typing import NamedTuple\n"
    about = {*r.choice(SUBJECTS), *r.choice(BESIDE)}
    first = {name: f"{name} = {one(only(values, about) or values[:1])}" for name, values in FIRST.items()}
    objects, pool = only(OBJECTS, about), only(STATEMENTS, about)
    arrays, numbers = ([t for t in only(texts, about) if objects or "<o>" not in t] for texts in (ARRAYS, NUMBERS))
    fill = {
        "v": lambda: filled(one(arrays), {"o": lambda: one(objects)}),
        "t": lambda: filled(one(numbers), {"o": lambda: one(objects)}),
        "o": lambda: one(objects or ["u"]),
    }
    stated = "    # s2s: x (3,), y (3,), k ()\n" if r.random() < 0.3 else ""
    head = (
        "def f(x, y, k, n: int):\n" if r.random() < 0.5 else "def f(x: np.ndarray, y: np.ndarray, k: float, n: int):\n"
    )

    def text(lines: list[str], result: str) -> str:
        body = "\n".join([*lines, f"return {result}"])
        begun: list[str] = []
        for name in reversed(first):
            if name in names_in("\n".join([*begun, body])):
                begun.insert(0, first[name])
        return head + stated + indented("\n".join([*begun, body])) + "\n"

    def value(own: str) -> Any:
        found: dict[str, Any] = {}
        try:
            with np.errstate(all="ignore"):
                exec(compile(module_head + module + own, "<stateful>", "exec"), found)
                args = copy.deepcopy(tuple(ARGS.values()))
                values = [found["f"](*copy.deepcopy(args)) for _ in range(2)]  # which runs leave no mark on
        except (*UNFIT, SyntaxError):  # `x * y *= t`
            return None
        numbers = [np.ndim(v) == 0 and isinstance(v, float | np.ndarray) for v in values]
        return values[0] if all(numbers) and np.array_equal(values[0], values[1]) else None

    lines: list[str] = []
    for _ in range(r.randint(2, size + 1)):
        for _ in range(TRIES):
            new = filled(one(pool), fill)
            named = names_in("\n".join([*lines, new]))
            if (
                value(text([*lines, new], " + ".join(["s * k", *(TERMS[n][0] for n in TERMS if n in named)])))
                is not None
            ):
                lines.append(new)
                break
    named = names_in("\n".join(lines))
    terms = [one(TERMS[name]) for name in TERMS if name in named]
    terms = r.sample(terms, min(len(terms), 3))
    results = [" + ".join(["s", *terms[:count]]) for count in range(len(terms), -1, -1)]
    result = next((t for t in results if value(text(lines, t)) is not None), None)
    if result is None or not lines:
        return None
    own = text(lines, result)
    params, module, module_head = tuple(ARGS), without_unused(module, own), ""
    return value(own) and Program(module + own, tuple(ARGS.values()), params[:-1], params, scalar=True)
