"""Random programs that state nothing of their parameters, called with whatever they run on.

A parameter is a number, an array of one of several ranks, a list or a tuple of numbers or of arrays, a dict of either.
Helpers copy it, write into it by other names, unpack it, ask its length or its shape, give it back. Whether `q[:]`,
`+`, `*` or `for v in q: v *= t` copy, write or join then depends on the call: one text must be right for each, or say
no. A program grows by statements with which it still runs on the arguments that it was begun with.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np

import numeric
from programs import Program
from snippets import UNFIT, filled, indented, names_in

ARRAY, OTHER = np.array([0.9, -0.4, 0.6]), np.array([0.5, 1.35, -0.7])
MATRIX = np.array([[1.2, -0.4, 0.8], [0.3, 0.9, -1.1], [0.5, 0.65, 1.4]])
# What may be handed over for each parameter; the first ones are the likeliest.
KINDS: dict[str, list[Any]] = {
    "x": [ARRAY, ARRAY, [0.9, -0.4, 0.6], MATRIX, np.array([0.8]), [0.8], (0.9, -0.4, 0.6), np.array(0.7), 0.7],
    "a": [[ARRAY, OTHER], MATRIX, [[0.9, -0.4], [0.5, 1.3]], (ARRAY, OTHER), [0.4, 0.8], [ARRAY, 0.4], OTHER],
    "p": [
        {"a": ARRAY, "b": OTHER},
        {"a": 0.8, "b": 0.35},
        {"a": [0.9, -0.4], "b": [0.3, 0.7]},
        {"a": MATRIX, "b": ARRAY},
        {"a": ARRAY, "b": 0.3},
        {"a": [ARRAY, OTHER], "b": OTHER},
        {"a": np.array(0.8), "b": np.array([0.3])},
    ],
    "k": [0.6, 0.6, np.array(0.6), np.array([0.6]), np.array([0.6, 0.3, 0.9])],
    "c": [(0.3, 0.8), [0.3, 0.8], (ARRAY, 0.4), np.array([0.3, 0.8]), [0.4, OTHER]],
}
OPTIONS: dict[str, list[Any]] = {"n": [2, 1, 3], "m": [None, 0.5, 1.5], "name": ["a", "b"], "flag": [True, False, None]}
DEFAULTS = {"n": "2", "m": "None", "name": '"a"', "flag": "False"}

# Statements; <q>: a sequence, <d>: a dict, <t>: a number, <h>: a helper. z, v and w are their own names.
OF_SEQUENCES = [
    "u = list(<q>)",
    "u = <q>[:]",
    "u = <q>",
    "u = <q>.copy()",
    "u = <q> * <t>",
    "u = np.array(<q>)",
    "u = np.asarray(<q>)",
    "u = np.asarray(<q>, dtype=float)",
    "u = [v * <t> for v in <q>]",
    "u = tuple(<q>)",
    "u = <q>[1:]",
    "u = <q>[::-1]",
    "u = [*<q>, <t>]",
    "u = <q> + <q>",
    "u = <q> + [<t>]",
    "u = np.zeros_like(<q>)\nu += <t>",
    "u = np.zeros(len(<q>)) + <t>",
    "u = [<t>] * len(<q>)",
    "u = <q> if <c> else <q>",
    "u = <q>[0]",
    "u = [<q>, <q>]",
    "u = [0.0 for v in <q>]\nu[0] = <t>",
    "u = []\nfor v in <q>:\n    u.append(v * <t>)",
    "u = []\nfor v in <q>:\n    u.append(v)",
    "u, v = <q>[0], <q>[1]\nu = u * v",
    "*u, v = <q>\ns = s + np.sum(v)",
    "u = <q> or [<t>]",
    "u = copy.copy(<q>)",
    "u = copy.deepcopy(<q>)",
    "u = np.atleast_1d(<q>)",
    "<q>[0] = <t>",
    "<q>[-1] *= <t>",
    "<q>[0] += <q>[1]",
    "<q> += <t>",
    "<q> *= <t>",
    "<q> += <q>",
    "<q>[:] = <q>[::-1]",
    "<q>[0], <q>[1] = <q>[1], <q>[0]",
    "<q>[0] = <q>[1]",
    "<q>[0][1] = <t>",
    "<q>.append(<t>)",
    "<q>.extend(<q>)",
    "s = s + np.sum(<q>.pop())",
    "for v in <q>:\n    v *= <t>",
    "for v in <q>:\n    v[0] = <t>",
    "for i, v in enumerate(<q>):\n    <q>[i] = v * <t>",
    "for i, v in enumerate(<q>):\n    s = s + i * np.sum(v)",
    "for i in range(len(<q>)):\n    <q>[i] += <t>",
    "for i in range(<q>.shape[0]):\n    s = s + np.sum(<q>[i]) * <t>",
    "for v in <q>:\n    s = s + v * <t>",
    "for v in list(<q>):\n    <q>[0] += v",
    "for v, w in zip(<q>, <q>[1:]):\n    s = s + v * w",
    "for v, w in zip(<q>, <q>):\n    s = s + np.sum(v * w)",
    "v, *w = <q>\ns = s + v * <t> + sum(w)",
    "v, w = <q>\ns = s + v * w",
    "s = s + sum(<q>)",
    "s = s + sum(v * <t> for v in <q>)",
    "s = s + max(<q>)",
    "s = s + min(<q>, key=lambda v: np.sum(v))",
    "s = s + max(<q>, key=len)[0]",
    "s = s + len(<q>) * <t>",
    "s = s + <q>.shape[0] * <t>",
    "s = s + np.shape(<q>)[0] * <t>",
    "s = s + np.size(<q>) * <t>",
    "s = s + np.ndim(<q>) * <t>",
    "s = s + <q>[0] * <q>[-1]",
    "s = s + np.sum(<q>) * <t>",
    "s = s + np.mean(<q>)",
    "s = s + sorted(<q>)[0] * <t>",
    "s = s + np.dot(<q>, <q>)",
    "s = s + np.sum(np.array(<q>) * <t>)",
    "s = s * np.linalg.norm(<q>)",
    "if len(<q>) > 2:\n    s = s * <t>",
    "if <q> is not None:\n    s = s + np.sum(<q>[0])",
    "if isinstance(<q>, list):\n    s = s * <t>",
    "if not len(<q>):\n    return s",
    "if np.ndim(<q>) == 1:\n    s = s + <q>[0]",
]
OF_DICTS = [
    "e = dict(<d>)",
    "e = {**<d>}",
    "e = <d>",
    "e = <d>.copy()",
    'e = {**<d>, "a": <t>}',
    "e = {j: v * <t> for j, v in <d>.items()}",
    "e = {j: list(v) for j, v in <d>.items()}",
    "e = {j: np.zeros_like(v) for j, v in <d>.items()}",
    "e = copy.deepcopy(<d>)",
    "e = dict(<d>, b=<t>)",
    "e = {}\nfor j in <d>:\n    e[j] = <d>[j] * <t>",
    "e = {}\nfor j, v in <d>.items():\n    e[j] = v",
    '<d>["a"] = <d>["b"] * <t>',
    '<d>["a"] = <d>["b"]',
    '<d>["a"] *= <t>',
    '<d>["a"] += <d>["b"]',
    '<d>["b"][0] = <t>',
    '<d>["a"][:] = <d>["a"][::-1]',
    "<d>.update(a=<t>)",
    "<d>[name] = <t>",
    "<d>[name] *= <t>",
    "for j in <d>:\n    <d>[j] = <d>[j] * <t>",
    "for j in <d>:\n    <d>[j] *= <t>",
    "for v in <d>.values():\n    v *= <t>",
    "for v in <d>.values():\n    v[0] = <t>",
    "for v in <d>.values():\n    s = s + np.sum(v) * <t>",
    "for j, v in <d>.items():\n    s = s + np.sum(v) * <t>",
    'for j in ("a", "b"):\n    s = s + np.sum(<d>[j]) * <t>',
    's = s + len(<d>["b"]) * <t>',
    's = s + <d>["b"].shape[0] * <t>',
    's = s + np.size(<d>["a"]) * <t>',
    "s = s + len(<d>) * <t>",
    's = s + np.sum(<d>.get("a", 0.3))',
    's = s + np.sum(<d>.get("q", <t>))',
    "s = s + np.sum(<d>[name]) * <t>",
    "s = s + sum(np.sum(v) for v in <d>.values())",
    "s = s + sum(<d>.values())",
    's = s + np.sum(<d>.pop("a"))',
    'v, w = <d>["a"], <d>["b"]\ns = s + np.sum(v) * np.sum(w)',
    "v, w = <d>.values()\ns = s + np.sum(v * w)",
    'if "b" in <d>:\n    s = s * <t>',
    'if <d>["b"] is None:\n    return s',
    'if np.any(<d>["a"]):\n    s = s * <t>',
    "u = list(<d>.values())",
    'u = [<d>["a"], <d>["b"]]',
    'u = np.zeros(len(<d>["b"])) + <t>',
    'u = np.zeros_like(<d>["a"])\nu += <t>',
    "s = s + sum(np.sum(v) for v in map(lambda j: <d>[j], <d>))",
]
OF_NUMBERS = [
    "s = s + <t> * <t>",
    "s = s * <t>",
    "s += <t>",
    "s = np.sum(s) * <t>",
    "r = <t>",
    "r = <t> * <t>",
    "r += <t>",
    "r = s",
    "r *= s",
    "if m is None:\n    m = <t>\ns = s * m",
    "m = m or <t>\ns = s + m",
    "if flag:\n    s = s * <t>",
    "s = s + <t> if flag else s - <t>",
    "for i in range(n):\n    s = s * 0.5 + <t>",
    "r = m if m is not None else <t>",
]
CALLS = [
    "s = s + np.sum(<h>(<g>, <t>))",
    "s = s + np.sum(<h>(<g>, <t>))",
    "s = s + <h>(<g>, <t>)",
    "s = s + <h>(<g>, <t>)[0]",
    "s = s + sum(<h>(<g>, <t>))",
    "u = <h>(<g>, <t>)",
    "u = <h>(<g>, <t>)",
    "e = <h>(<g>, <t>)",
    "s, u = <h>(<g>, <t>)",
    "<h>(<g>, <t>)",
    "<h>(<g>, <t>)",
    "for v in <q>:\n    s = s + np.sum(<h>(v, <t>))",
    "for i in range(n):\n    s = s + np.sum(<h>(<g>, <t>))",
    "u = [<h>(v, <t>) for v in <q>]",
    "<q>[0] = <h>(<q>[1], <t>)",
    '<d>["a"] = <h>(<d>["b"], <t>)',
    "if <c>:\n    <h>(<g>, <t>)",
]
RESULTS = [
    "s",
    "s",
    "q",
    "q",
    "u",
    "e",
    "s, u",
    "q * t",
    "q[0]",
    "u[0]",
    "s * t",
    "",
    "[s, r]",
    '{"a": s, "b": r}',
    "u, q",
]
OF_HELPERS = {"s": "0.1", "r": "0.5", "u": "q", "e": '{"a": t, "b": 0.3}'}  # the locals of a helper
SIZE = 5  # statements of f, and of its helpers a few
TRIES = 6  # of a statement that goes with what there is


class Writer:
    """A program that grows; runs: whether a text of it runs with the arguments that it was begun with."""

    def __init__(self, r: random.Random, params: tuple[str, ...], base: tuple[Any, ...]) -> None:
        self.r = r
        self.params = params
        self.base = base
        self.helpers: list[list[str]] = []  # the lines of each, without its head
        self.lines: list[str] = []
        self.first: dict[str, str] = {}

    def fill(self, sequences: list[str], dicts: list[str], numbers: list[str]) -> dict[str, Any]:
        one = self.r.choice
        inner = [*(f'{d}["{j}"]' for d in dicts[:2] for j in "ab"), *(f"{q}[{i}]" for q in sequences[:2] for i in "01")]
        tests = ["n > 1", "flag", "np.sum(s) > 0.4", "m is None"]
        return {
            "q": lambda: one([*sequences, *sequences, *inner]),
            "d": lambda: one(dicts),
            "t": lambda: one([*numbers, *numbers, "0.7"]),
            "g": lambda: one([*sequences, *dicts, *inner]),
            "h": lambda: f"h{self.r.randrange(max(1, len(self.helpers)))}",
            "c": lambda: one(tests),
        }

    def statement(self, fill: dict[str, Any], of: list[str], called: bool) -> str:
        pools = [*[OF_SEQUENCES] * 3, *[OF_DICTS] * ("d" in of) * 3, OF_NUMBERS, *[CALLS] * called * 3]
        return filled(self.r.choice(self.r.choice(pools)), fill)

    def helper(self) -> None:
        """A helper of a sequence or of a dict, which names its parameters q and t."""
        kind = self.r.choice(["q", "q", "d"])
        dicts = ["q", "e"] if kind == "d" else ["e"]
        fill = self.fill(["u"] if kind == "d" else ["q", "q", "u"], dicts, ["t", "t", "r", "s"])
        own = [self.statement(fill, [kind] if kind == "d" else [], called=False) for _ in range(self.r.randint(0, 2))]
        result = self.r.choice(RESULTS)
        self.helpers.append([*own, *([f"return {result}"] if result else [])])

    def text(self, lines: list[str], result: str) -> str:
        """The module; a local that a helper names is bound in its first lines, and the others are left out."""
        used = {i for i in range(len(self.helpers)) if f"h{i}(" in "\n".join(lines)}
        texts = [*lines, *(line for helper in self.helpers for line in helper)]
        imports = "import copy\n\n" if any("copy.copy" in t or "copy.deep" in t for t in texts) else ""
        parts = [f"{imports}import numpy as np"]
        for i in sorted(used):
            body = "\n".join(self.helpers[i])
            given = "".join(f", {o}={DEFAULTS[o]}" for o in OPTIONS if o in names_in(body))
            parts.append(f"def h{i}(q, t{given}):\n" + indented("\n".join([*bound(OF_HELPERS, body), body or "pass"])))
        body = "\n".join([*lines, f"return {result}"])
        given = ", ".join(f"{p}={DEFAULTS[p]}" if p in OPTIONS else p for p in self.params)
        parts.append(f"def f({given}):\n" + indented("\n".join([*bound(self.first, body), body])))
        return "\n\n\n".join(parts) + "\n"

    def grow(self) -> str:
        """The text of a program that runs with the arguments that it was begun with."""
        r = self.r
        for _ in range(r.randint(1, 3)):
            self.helper()
        given = [p for p in self.params if p in KINDS]
        sequences = [*(p for p in given if p in "xac"), "u"]
        dicts = [*(p for p in given if p == "p"), "e"]
        numbers = [*(p for p in given if p == "k"), "k" if "k" in given else "s", "s", "r"]
        fill = self.fill(sequences, dicts, numbers)
        self.first = {
            "s": "0.2",
            "r": r.choice(["0.5", numbers[0] if numbers[0] == "k" else "0.4"]),
            "u": r.choice([r.choice(sequences[:-1] or ["[0.3]"]), f"[{numbers[0]}, 0.4]".replace("[s", "[0.9")]),
            "e": r.choice([*dicts[:-1], '{"a": r, "b": 0.4}', f'{{"a": {sequences[0]}, "b": s}}']),
        }
        for _ in range(r.randint(2, SIZE)):
            for _ in range(TRIES):
                new = self.statement(fill, ["d"], called=True)
                if self.value(self.text([*self.lines, new], "s"), self.base) is not None:
                    self.lines.append(new)
                    break
        touched = [n for n in (*given, "u", "e") if n in names_in("\n".join(self.lines)) and n != "k"]
        terms = [f'np.sum({n}["a"])' if n in "pe" else f"np.sum({n})" for n in touched]
        terms = r.sample(terms, min(len(terms), r.randint(1, 2)))
        results = [" + ".join(["np.sum(s)", *terms]), "np.sum(s)"]
        if r.random() < 0.3:
            results = [r.choice(["s", "u", "s, u", "u, s", 'e["a"]', "[s, r]"]), *results]
        values = {t: self.value(self.text(self.lines, t), self.base) for t in results}
        fit = (t for t, v in values.items() if v is not None and not holds_list(v))
        result = next(fit, "np.sum(s)")
        used = names_in("\n".join([*bound(self.first, text := "\n".join([*self.lines, result])), text]))
        kept = [i for i, p in enumerate(self.params) if p in used]
        self.params = tuple(self.params[i] for i in kept)
        self.base = tuple(self.base[i] for i in kept)
        return self.text(self.lines, result)

    def value(self, text: str, args: tuple[Any, ...]) -> Any:
        """What a text gives of these arguments, None where it raises or gives other things than numbers."""
        found: dict[str, Any] = {}
        try:
            exec(compile(text, "<unstated>", "exec"), found)
            with np.errstate(all="ignore"):
                value = found["f"](*copy.deepcopy(args))
        except UNFIT:
            return None
        try:
            parts = [np.asarray(leaf) for leaf in numeric.leaves(value)]
        except RecursionError:  # a list that holds itself
            return None
        if "None" in repr(value):
            return None
        return value if parts and all(part.dtype.kind == "f" for part in parts) else None


def holds_list(value: Any) -> bool:
    """Whether there is a list in a result: of a parameter that is returned as it is, an array is taken for one."""
    return isinstance(value, list) or (isinstance(value, tuple) and any(map(holds_list, value)))


def bound(first: dict[str, str], body: str) -> list[str]:
    """The statements that bind the locals which a body names, those that these name too."""
    lines: list[str] = []
    for name in reversed(first):
        if name in names_in("\n".join([*lines, body])):
            lines.insert(0, f"{name} = {first[name]}")
    return lines


def calls(r: random.Random, count: int = 4) -> list[Program]:
    """One program with up to `count` choices of what its parameters are, the first of which it was grown on."""
    given = tuple(p for p in KINDS if r.random() < (0.75 if p in "xk" else 0.4)) or ("x",)
    options = tuple(o for o in OPTIONS if r.random() < 0.25)
    base = tuple(r.choice(KINDS[p][: r.choice([2, 9])]) for p in given) + tuple(OPTIONS[o][0] for o in options)
    writer = Writer(r, (*given, *options), base)
    text = writer.grow()
    wrt = tuple(p for p in writer.params if p in KINDS)
    found = []
    for i in range(count if wrt else 0):
        args = writer.base
        if i:
            drawn = zip(writer.params, args, strict=True)
            args = tuple(r.choice({**KINDS, **OPTIONS}[p]) if r.random() < 0.5 else a for p, a in drawn)
        value = writer.value(text, args)
        if value is not None and not any(same(args, program.args) for program in found):
            scalar = not isinstance(value, tuple | list | dict) and np.ndim(value) == 0
            found.append(Program(text, args, wrt, writer.params, scalar, unstated=True))
    return found


def same(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return repr(a) == repr(b)
