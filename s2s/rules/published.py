"""The table as people read it: `s2s rules`, and docs/rules.md.

An entry is shown on the first of its sample calls, with what the reverse and the forward mode write for it where the
ranks of the operands are known. What is tested stands beside it, and what is refused.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from s2s import ir
from s2s.ir import Const, Expr, Form, Op, Sequence, Var
from s2s.rules import NoFacts, Operand, Rule, RuleError, lookup, lookup_complex
from s2s.rules import all_rules as table_rules
from s2s.rules.kinds import COMPLEX, MODULES, OWN, TABLE, Reduction, Solver
from s2s.rules.refused import ELSEWHERE, REFUSED, real_only

PRINTER = ir.Printer()
SUBMODULES = ("linalg", "fft", "random", "lib", "emath")
RANKS: dict[str, int] = (
    dict.fromkeys("st", 0) | dict.fromkeys("vwucxpkq", 1) | dict.fromkeys("MWNASB", 2) | {"T": 3, "AA": 3, "SS": 3}
)
RANKS |= {f"z{n}": rank for n, rank in RANKS.items()} | {"R": 2}
OPERATORS = {ast.MatMult: "numpy.matmul", ast.Mult: "numpy.multiply"}

# What a derivative is where there is none: each is a line of EDGES in tests/test_rules.py.
CONVENTIONS = {
    "numpy.abs": "0 at 0",
    "numpy.fabs": "0 at 0",
    "builtins.abs": "0 at 0",
    "math.fabs": "0 at 0",
    "numpy.maximum": "half each at a tie, of infinities too",
    "numpy.minimum": "half each at a tie, of infinities too",
    "numpy.fmax": "half each at a tie",
    "numpy.fmin": "half each at a tie",
    "builtins.max": "at a tie half each of two, equal shares of more",
    "builtins.min": "at a tie half each of two, equal shares of more",
    "numpy.max": "equal shares at a tie",
    "numpy.min": "equal shares at a tie",
    "numpy.ptp": "equal shares at a tie",
    "numpy.clip": "half at a bound; with a_min above a_max the result is a_max",
    "numpy.copysign": "0 for the size at 0; none for the sign",
    "numpy.linalg.norm": "0 where the norm is 0",
    "numpy.std": "0 where the deviation is 0",
    "numpy.hypot": "0 at the origin",
    "math.hypot": "0 at the origin",
    "math.dist": "0 where the points are one",
    "numpy.arctan2": "0 at the origin",
    "math.atan2": "0 at the origin",
    "numpy.sqrt": "inf at 0",
    "numpy.power": "0 for x**0; 0 for b of 0**b, b >= 0",
    "numpy.prod": "exact where factors are 0",
    "numpy.cumprod": "exact where factors are 0",
    "numpy.logaddexp": "half each at a tie, of -inf too",
    "numpy.logaddexp2": "half each at a tie, of -inf too",
    "numpy.heaviside": "for the value at 0: 1 where x is 0, else 0",
    "numpy.sinc": "0 at 0",
    "numpy.nan_to_num": "0 where x is not finite",
    "numpy.nansum": "0 for NaN",
    "numpy.nanmean": "0 for NaN",
    "numpy.nanprod": "0 for NaN; exact where factors are 0",
    "numpy.nanmax": "0 for NaN; equal shares at a tie",
    "numpy.nanstd": "0 for NaN, and where the deviation is 0",
    "numpy.median": "equal shares for elements that are equal",
    "numpy.nanmedian": "0 for NaN; equal shares for elements that are equal",
    "numpy.quantile": "equal shares for elements that are equal",
    "numpy.percentile": "equal shares for elements that are equal",
    "numpy.unique": "equal shares for elements that are equal",
    "numpy.maximum.accumulate": "half each at a tie of an element and the maximum before it",
    "numpy.interp": "at a knot the slope to its right, at the last one that to its left; 0 outside",
}


def all_rules() -> Iterator[Rule]:
    """All entries, those of functions that only have one for complex numbers included."""
    yield from table_rules()
    yield from (rule for rule in COMPLEX.values() if rule.fn not in TABLE)


@dataclass(frozen=True)
class Shown:
    """One call of a function, and what its rule writes: names and expressions, all as text."""

    call: str
    reverse: tuple[tuple[str, str], ...]
    forward: tuple[tuple[str, str], ...]


class Known(NoFacts):
    """Ranks of names; arrays of equal rank have equal shapes."""

    def __init__(self, ranks: dict[str, int], lists: set[str]) -> None:
        self.ranks, self.lists = ranks, lists

    def ndim(self, e: Expr) -> int | None:
        return self.ranks.get(e.name) if isinstance(e, Var) else super().ndim(e)

    def is_float(self, e: Expr) -> bool:
        return isinstance(e, Var) or super().is_float(e)

    def is_array(self, e: Expr) -> bool:
        return isinstance(e, Var) and bool(self.ranks.get(e.name))

    def is_list(self, e: Expr) -> bool:
        return isinstance(e, Var) and e.name in self.lists


# ---------------------------------------------------------------- a call of a rule


class Sample:
    """A sample call of a rule, with the names of its key for its operands."""

    def __init__(self, rule: Rule, text: str) -> None:
        self.rule = rule
        self.ranks: dict[str, int] = {}
        self.lists: set[str] = set()
        match ast.parse(text.strip(), mode="eval").body:
            case ast.Call(args=args, keywords=keywords):
                names = self.names(len(args))
                values = tuple(self.leaf(a, n) for a, n in zip(args, names, strict=True))
                options = tuple((k.arg or "", self.leaf(k.value, k.arg or "")) for k in keywords)
                self.op = Op(rule.fn, values, options)
            case ast.BinOp(left=left, op=op, right=right):
                pair = (self.leaf(left, rule.names[0]), self.leaf(right, rule.names[1]))
                self.op = Op(OPERATORS[type(op)], pair, form=Form.OPERATOR)
            case ast.Subscript(value=of, slice=key):
                items = self.leaf(key, rule.names[0])
                self.op = Op(rule.fn, (items,), form=Form.SUBSCRIPT, spelling=ast.unparse(of))
            case ast.Attribute(value=value):
                self.op = Op("numpy.transpose", (self.leaf(value, rule.names[0]),), form=Form.ATTRIBUTE, spelling="T")
            case _:
                raise ValueError(text)

    def names(self, count: int) -> list[str]:
        if not self.rule.star:
            return list(self.rule.params[:count])
        before = self.rule.names.index(self.rule.star)
        rest = [f"{self.rule.star}{i}" for i in range(1, count - before + 1)]
        return [*self.rule.names[:before], *(rest if len(rest) != 1 else [self.rule.star])]

    def leaf(self, node: ast.expr, name: str) -> Expr:
        match node:
            case ast.Constant(value=value):
                return Const(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return Const(-value)
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                one = name[:-1] if name.endswith("s") else name
                items = tuple(self.leaf(e, f"{one}{i}") for i, e in enumerate(elts, 1))
                return Sequence(items, "list" if isinstance(node, ast.List) else "tuple")
            case ast.Name(id="float"):
                return Var("float")
        pool = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id != "np"]
        if isinstance(node, ast.Name) and node.id in ("L", "Q", "LM"):
            self.lists.add(name)
        elif pool and pool[0] in RANKS and not any(isinstance(n, ast.Constant) for n in ast.walk(node)):
            self.ranks[name] = RANKS[pool[0]]
        return Var(name)


def sample_of(rule: Rule) -> Sample:
    """The first sample of a rule, of a product that of matrices; or a call on its parameters."""
    if rule.at:
        samples = [Sample(rule, text) for text in rule.at.split(";")]
        of_matrices = [s for s in samples if rule.kind == "multilinear" and set(s.ranks.values()) == {2}]
        return (of_matrices or samples)[0]
    names = [n for n in rule.params if rule.actions.get(n) or n in rule.names]
    sample = Sample(rule, f"f({', '.join(names)})")
    sample.ranks = {n: 0 if rule.fn.startswith(("math.", "builtins.")) else 1 for n in names}
    sample.lists = set()
    return sample


# What is made of the partial derivatives of a function that a solver is given: reverse, forward.
SOLVED = {
    "number": ("-x_bar / f_x * f_p", "-(f_p * p_dot) / f_x"),
    "root": ("np.linalg.solve(f_x.T, -x_bar) @ f_p", "np.linalg.solve(f_x, -(f_p @ p_dot))"),
    "fixed": (
        "np.linalg.solve(np.eye(n) - f_x.T, x_bar) @ f_p",
        "np.linalg.solve(np.eye(n) - f_x, f_p @ p_dot)",
    ),
}


def shown_solver(rule: Solver) -> Shown:
    """A call of f with the parameter p, with f_x, f_p, f_xx and f_xp for partial derivatives of f at the solution."""
    where = f", {', '.join(rule.names[1:])}" if rule.names[1:] else ""
    call = f"{rule.fn}(f{where}, args=(p,)){f'.{rule.part}' if rule.part else ''}"
    if rule.equation == "integral":
        reverse = (
            ("p_bar", f"{rule.fn}(lambda t: f_p(t, p) * y_bar, a, b)[0]"),
            ("a_bar", "-f(a, p) * y_bar"),
            ("b_bar", "f(b, p) * y_bar"),
        )
        inner = f"{rule.fn}(lambda t: f_p(t, p) * p_dot, a, b)[0]"
        return Shown(f"y, abserr = {call}", reverse, (("y_dot", f"{inner} + f(b, p) * b_dot - f(a, p) * a_dot"),))
    if rule.equation == "initial":
        after = (("y0_bar", "g(t0)"), ("p_bar", f"{rule.fn}(lambda t, q: -g(t) @ f_p(t, y(t)), (t1, t0), q0).y[:, -1]"))
        return Shown(
            f"y = {call}",
            after,
            (("y_dot", f"{rule.fn}(lambda t, y_dot: f_y @ y_dot + f_p @ p_dot, t_span, y0_dot).y"),),
        )
    if rule.equation == "optimum":
        call = f"r = {call.removesuffix(f'.{rule.part}')}; y, x = r.{rule.part}, r.{rule.place}"
        number = not rule.names[1:]
        back = "- x_bar / f_xx * f_xp" if number else "- np.linalg.solve(f_xx, x_bar) @ f_xp"
        forward = "-(f_xp * p_dot) / f_xx" if number else "np.linalg.solve(f_xx, -(f_xp @ p_dot))"
        return Shown(call, (("p_bar", f"f_p * y_bar {back}"),), (("y_dot", "f_p * p_dot"), ("x_dot", forward)))
    kind = "number" if where == ", a, b" or rule.part == "root" else rule.equation
    back, forward = SOLVED[kind]
    return Shown(f"x = {call}", (("p_bar", back),), (("x_dot", forward),))


def shown(rule: Rule) -> Shown:
    """A call, and what the rule writes for it in each mode."""
    if isinstance(rule, Solver):
        return shown_solver(rule)
    sample = sample_of(rule)
    call = rule.bind(sample.op)
    results = call.results
    ranks = dict(sample.ranks)
    ends = [f"{n}_bar" for n in results] or ["out_bar"]
    if rule.kind == "elementwise":
        ranks |= dict.fromkeys([*ends, *results, "out"], max(sample.ranks.values(), default=0))
    facts = Known(ranks, sample.lists)
    out: Expr = Sequence(tuple(map(Var, results))) if results else Var("out")
    active = [
        Var(e) if not results or n in rule.smooth else ir.NONE for e, n in zip(ends, results or ("",), strict=True)
    ]
    g: Expr = Sequence(tuple(active)) if results else active[0]
    reverse: list[tuple[str, str]] = []
    for operand in call.operands:
        try:
            if isinstance(rule, Reduction):
                wide = rule.expand(call, g, facts), rule.expand(call, out, facts)
                e = rule.vjp(call, operand, *wide, facts)
            else:
                e = rule.vjp(call, operand, g, out, facts)
            text = as_text(e)
        except RuleError as fault:
            text = f"refused: {fault}"
        reverse.append((f"{spelled(operand)}_bar", text))
    dots: dict[Operand, Expr] = {o: Var(f"{spelled(o)}_dot") for o in call.operands}
    known = Known(ranks | {f"{spelled(o)}_dot": ranks[spelled(o)] for o in dots if spelled(o) in ranks}, sample.lists)
    try:
        e = rule.jvp(call, dots, out, known)
        target = ", ".join(f"{n}_dot" for n in results) or "out_dot"
        if isinstance(e, Sequence) and results:
            pairs = [(f"{n}_dot", as_text(x)) for n, x in zip(results, e.items, strict=True) if x != ir.NONE]
        else:
            pairs = [(target, as_text(e))]
    except RuleError as fault:
        pairs = [("out_dot", f"refused: {fault}")]
    left = f"{', '.join(results)} = " if results else "out = "
    return Shown(left + as_text(sample.op), tuple(reverse), tuple(pairs))


def as_text(e: Expr) -> str:
    """An expression as black writes it: no spaces around the power of a name."""
    return re.sub(r"(?<![\w.)\]])(\w[\w.]*) \*\* (-?[\w.]+)", r"\1**\2", PRINTER(e))


def spelled(operand: Operand) -> str:
    return as_text(operand.expr)


# ---------------------------------------------------------------- what is supported, and what is not


def tested_on(rule: Rule) -> str:
    """The intervals of the operands that an elementwise rule is tested on."""
    if rule.kind != "elementwise" or rule.at:
        return ""
    names = [n for n in rule.params if rule.actions.get(n)]
    if isinstance(rule.domain[0], tuple):
        pairs = [(n, rule.domain[rule.params.index(n)]) for n in names]
    else:
        pairs = [(", ".join(names), rule.domain)]
    return "; ".join(f"{n} in [{low:g}, {high:g}]" for n, (low, high) in pairs)


def refused_options(rule: Rule) -> list[str]:
    """The keywords of a function that its rule does not take."""
    if isinstance(rule.function, np.ufunc):
        return ["dtype"] if rule.kind != "elementwise" else []
    try:
        parameters = inspect.signature(rule.function).parameters.values()
    except (TypeError, ValueError):
        return []
    named = [p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    own = set(rule.params) | set(rule.also) | set(positional[: rule.positional if not rule.star else len(rule.names)])
    return [n for n in named if n not in own and n not in ("out", "args", "kwargs")]


def home(fn: str) -> str:
    """The module of a function; `add.reduce` is one of numpy."""
    if fn.startswith(OWN):
        return "the model's own file"
    parts = fn.split(".")
    inner = parts[0] == "scipy" or (parts[0] == "numpy" and parts[1] in SUBMODULES)
    return ".".join(parts[: 2 if inner else 1]) if parts[0] in MODULES else fn.rpartition(".")[0]


def usual(fn: str) -> str:
    return fn.replace("numpy.", "np.", 1).removeprefix("builtins.").removeprefix(OWN)


def status(fn: str) -> str:
    """ "rule", "constant", "rewritten", "refused", or "" for a function that the table does not know."""
    rule = lookup(fn)
    if rule is not None:
        return "constant" if rule.kind == "constant" else "rule"
    return "rewritten" if fn in ELSEWHERE else "refused" if fn in REFUSED else ""


def find(name: str) -> list[str]:
    """The functions of the table that a name means: `np.sin`, `numpy.sin`, `sin`, `linalg.solve`."""
    full = name.removesuffix("()").replace("np.", "numpy.", 1) if name.startswith("np.") else name.removesuffix("()")
    every = [*(r.fn for r in all_rules()), *REFUSED]
    if full in every:
        return [full]
    found = lookup(full) if "." in full else None
    return [found.fn] if found else [fn for fn in every if fn.endswith("." + full)]


def near(name: str) -> list[str]:
    every = {usual(f) for f in [*(r.fn for r in all_rules()), *REFUSED]}
    return difflib.get_close_matches(name, sorted(every), 3)


# ---------------------------------------------------------------- text


def lines_of(fn: str) -> Iterator[str]:
    """What there is to say of one function."""
    if fn in REFUSED and lookup(fn) is None:
        yield f"{usual(fn)}: refused"
        yield ""
        yield f"    {REFUSED[fn]}"
        return
    rule = lookup(fn)
    assert rule is not None
    yield f"{rule.key.replace('sp.', 'scipy.', 1) if rule.fn.startswith('scipy.') else rule.key}: {rule.kind}"
    yield ""
    if rule.kind == "constant":
        yield "    The derivative is zero wherever it exists, or there is none."
        return
    yield from body_of(rule)
    notes = dict(notes_of(rule))
    if notes:
        yield ""
        yield from (f"{k}: {v}" for k, v in notes.items())


def body_of(rule: Rule) -> Iterator[str]:
    text = shown(rule)
    yield f"    {text.call}"
    yield from (f"    {name} += {e}" for name, e in text.reverse)
    yield from (f"    {name} = {e}" for name, e in text.forward)


def notes_of(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.fn in CONVENTIONS:
        yield "where there is no derivative", CONVENTIONS[rule.fn]
    if rule.fn in TABLE:
        own = COMPLEX.get(rule.fn)
        if own is not None:
            yield "complex operands", "; ".join(f"`{name} += {e}`" for name, e in shown(own).reverse)
        elif lookup_complex(rule.fn) is None:
            why = real_only(rule.fn)
            yield "complex operands", f"refused: {why}" if why else "refused"
    if domain := tested_on(rule) if rule.fn in TABLE else "":
        yield "tested on", domain
    if rule.ranks:
        kinds = ("number", "vector", "matrix")
        said = {n: " or a ".join(kinds[rank] for rank in taken) for n, taken in rule.ranks.items()}
        yield "ranks", ", ".join(f"{n} is a {kind}" for n, kind in said.items())
    if rule.closed:
        yield "refused operands", "; ".join(f"{n}: {why}" for n, why in rule.closed.items())
    if options := refused_options(rule):
        yield "refused options", ", ".join(options)
    inner = [n for n, a in rule.actions.items() if a is None and n in rule.names]
    if isinstance(rule, Solver) and rule.equation != "integral":
        inner = list(rule.names[1:2] if rule.equation == "initial" else rule.names[1:])
    if inner and rule.kind != "constant":
        yield "no derivative with respect to", ", ".join(inner)


def listing() -> Iterator[str]:
    """All functions, by module, in columns of names."""
    groups: dict[str, dict[str, list[str]]] = {}
    for rule in all_rules():
        kind = "no derivative" if rule.kind == "constant" else "rules"
        groups.setdefault(home(rule.fn), {}).setdefault(kind, []).append(rule.fn)
    for fn in REFUSED:
        if lookup(fn) is None:
            groups.setdefault(home(fn), {}).setdefault("refused", []).append(fn)
    for module in sorted(groups):
        for kind in ("rules", "no derivative", "refused"):
            if names := groups[module].get(kind):
                yield f"{module}: {kind} ({len(names)})"
                yield from wrapped(sorted(fn.removeprefix(module + ".").removeprefix(OWN) for fn in names), "    ")
                yield ""
    yield "`s2s rules NAME` shows one of them."


def wrapped(words: list[str], indent: str, width: int = 118) -> Iterator[str]:
    line = indent
    for w in words:
        if len(line) + len(w) + 1 > width:
            yield line.rstrip()
            line = indent
        line += w + " "
    yield line.rstrip()


INTRODUCTION = """# The table of derivatives

Every function that s2s knows, with what its rule writes in reverse mode (`x_bar += ...`, from the cotangent `out_bar`
of the result) and in forward mode (`out_dot = ...`), on one call. This is the text before it is simplified, where the
ranks of the operands are known; where an operand was broadcast, its contribution is summed over those axes.
`s2s rules NAME` prints an entry. Functions that are not here are differentiated through where their source can be
read, and refused (S301) otherwise; a rule of your own is a line: [your_own_rules.md](your_own_rules.md). The options of
ufuncs that choose a loop or a layout (`casting`, `order`, `subok`, `signature`) are refused throughout.

What is shown is for real operands. For complex ones, the cotangents of an entry stand with conjugates, as the adjoint
for Re(conj(a) b) has it: `x_bar += np.conj(np.cos(x)) * out_bar`; a real operand takes the real part. Where the rule is
another one it is shown as well; where complex operands are refused (S305), the entry says so. A complex cotangent is
dL/dRe(z) + 1j dL/dIm(z), as in PyTorch.

A convention ("where there is no derivative") is one of its function. Along a chain they multiply, and 0 times inf is
NaN: `sqrt(abs(x))` at 0, the tangent of `1 / r**2` at inf. A derivative has terms of its own, which may overflow where
the value does not: `x / b` has `-x / b**2`, which is 0 beyond b = 1e154. Where a clamp holds the operand of a function
whose slope is infinite, `np.sqrt(np.maximum(x, 0.0))`, `np.arccos(np.clip(x, -1.0, 1.0))`, or a choice does with a
number, `np.where(x > 0, x, 0.0)`, `x * (x > 0)`, `if h < 0.0: h = 0.0`, the derivative beyond the bound is 0: the slope
is finite there (`0.5 / (r + (r == 0.0))`). So it is at the bound itself, where the slope is 0 on one side and infinite
on the other: there the derivative of the clamp stands beside 0.5, and `np.sqrt(np.maximum(x, 0.0))` has 0.25 at 0.
Where Python's own division raises and that of NumPy gives inf, so do their derivatives: that of `math.sqrt(x)` raises
ZeroDivisionError at 0, `np.sqrt(x)` has inf.

This file is made from the table by `make docs`.
"""


def page() -> str:
    """docs/rules.md"""
    groups: dict[str, list[Rule]] = {}
    for rule in all_rules():
        groups.setdefault(home(rule.fn), []).append(rule)
    order = sorted(groups, key=lambda m: (m != "numpy", not m.startswith("numpy"), m == "builtins", m))
    out = [INTRODUCTION]
    for module in order:
        out.append(f"## {module}\n")
        for rule in sorted((r for r in groups[module] if r.kind != "constant"), key=lambda r: r.fn):
            out.append(f"**{usual(rule.fn)}**: {rule.kind}, `{rule.key}`\n")
            out.append("\n".join(body_of(rule)) + "\n")
            notes = [f"{k.capitalize()}: {v}." for k, v in notes_of(rule)]
            out.append(" ".join(notes) + "\n" if notes else "")
        constants = sorted(f"`{usual(r.fn)}`" for r in groups[module] if r.kind == "constant")
        if constants:
            out.append(
                "\n".join(["**No derivative**, or zero wherever it exists:", *wrapped(constants, "", 122)]) + "\n"
            )
    refused = [(fn, why) for fn, why in sorted(REFUSED.items()) if lookup(fn) is None]
    if refused:
        out.append("## Refused\n\n| function | why |\n|---|---|")
        out += [f"| `{usual(fn)}` | {why} |" for fn, why in refused]
    return "\n".join(filter(None, out)).rstrip("\n") + "\n"


__all__ = ["CONVENTIONS", "find", "lines_of", "listing", "near", "page", "shown", "status", "usual"]
