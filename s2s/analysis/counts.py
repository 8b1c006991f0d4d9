"""Parameters that are numbers of things, or texts, by what is done with them: they carry no derivative.

for i in range(n): ...      np.zeros((n, m))      x[1:n]      np.linspace(a, b, n)      1.0 / n
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal

import numpy as np

from s2s import ir
from s2s.ir import Assign, Const, Expr, Op, Var

SHAPED = frozenset(f"numpy.{n}" for n in ("zeros", "ones", "empty", "full", "eye", "identity", "tri", "indices"))
LAID_OUT = frozenset(f"numpy.{n}" for n in ("reshape", "repeat", "tile", "broadcast_to", "roll"))
SPACED = frozenset(f"numpy.{n}" for n in ("linspace", "logspace", "geomspace"))
EXACT = frozenset(f"numpy.{n}" for n in ("add", "subtract", "multiply", "floor_divide", "negative"))
# Methods of texts, which nothing else has that a function may be given.
OTHERS = {name for kind in (list, tuple, dict, set, range, float, int, complex, np.ndarray) for name in dir(kind)}
TEXT_METHODS = frozenset(dir(str)) - OTHERS
Counted = Callable[[Op], list[Expr]]


class _Numbers:
    """The parameters that an expression is, a whole number away: `n`, `n + 1`, a name of it."""

    def __init__(self, f: ir.Function) -> None:
        self.names = f.names
        self.bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
        self.bound.update(f.names)  # a parameter that is bound again has two values
        self.chosen: dict[str, list[Expr]] = {}
        for s in ir.statements(f.body):
            if isinstance(s, Assign):
                self.chosen.setdefault(s.target, []).append(s.value)
        self.made = {name: values[0] for name, values in self.chosen.items() if self.bound[name] == 1}
        self.lists = {name for name, value in self.made.items() if is_list(value)}  # their items have whole numbers

    def of(self, e: Expr) -> Iterator[str]:
        match e:
            case Var(name=name) if name in self.made:
                yield from self.of(self.made[name])
            case Var(name=name) if self.bound[name] == 1 and name in self.names:
                yield name
            case ir.Sequence(items=items):
                for item in items:
                    yield from self.of(item)
            case Op(fn="numpy.add" | "numpy.subtract", args=(a, b), form=ir.Form.OPERATOR):
                if self.is_whole(a):
                    yield from self.of(b)
                if self.is_whole(b):
                    yield from self.of(a)

    def in_sum(self, e: Expr) -> Iterator[str]:
        """What is calculated with in a bound of a slice, which takes whole numbers and, as it is, None."""
        match e:
            case Var(name=name) if name in self.made:
                yield from self.in_sum(self.made[name])
            case Op(fn=fn, args=args, form=ir.Form.OPERATOR) if fn in EXACT:
                for a in args:
                    yield from [a.name] if isinstance(a, Var) else ()
                    yield from self.in_sum(a)

    def is_whole(self, e: Expr) -> bool:
        """1, or 1 in one case and 0 in another"""
        if isinstance(e, Var) and e.name in self.chosen:
            return len(self.chosen[e.name]) == self.bound[e.name] and all(
                isinstance(v, Const) and self.is_whole(v) for v in self.chosen[e.name]
            )
        return isinstance(e, Const) and isinstance(e.value, int)


def is_list(e: Expr) -> bool:
    return isinstance(e, ir.Sequence | ir.Comprehension) and e.kind == "list"


def counts(f: ir.Function, handed: Counted) -> frozenset[str]:
    """The parameters of `f` that range, a slice or a shape takes, as they are or a whole number away.

    handed: the arguments of a helper's call that are such numbers there.
    """
    numbers = _Numbers(f)
    found: set[str] = set()
    products: set[Expr] = set()  # range(x) of `x * [1.0, 2.0]`: x may be an array
    for s in ir.statements(f.body):
        for n in ir.nodes(s):
            taken: list[Expr] = []
            if isinstance(n, ir.Comprehension) and len(n.clauses) > 1 and n.clauses[0][0] == Var("_"):
                products.update(n.clauses[0][1:2])
            if isinstance(n, ir.Index):
                slices = [k for k in ir.key_items(n.key) if isinstance(k, ir.Slice)]
                found.update(name for k in slices for e in (k.start, k.stop, k.step) if e for name in numbers.of(e))
            if not isinstance(n, Op) or n in products:
                continue
            if n.fn in SHAPED:
                taken = list(n.args[:1])
            elif n.fn in LAID_OUT:
                taken = list(n.args[1:])
            elif n.fn == "numpy.bitwise_or":  # of whole numbers, where one of them is; else of dicts, or of masks
                taken = list(n.args) if any(map(numbers.is_whole, n.args)) else []
            elif n.fn.startswith("local."):
                taken = handed(n)
            else:
                taken = lengths(n)
            found.update(name for e in taken for name in numbers.of(e))
    return frozenset(f.names) & found


def texts(f: ir.Function) -> frozenset[str]:
    """The parameters of `f` that are texts, for only these have a method that is called: `line.split()`."""
    bound = {n for s in ir.statements(f.body) for n in ir.binds(s)}
    every = (n for s in ir.statements(f.body) for n in ir.nodes(s))
    found = (n.args[0] for n in every if isinstance(n, Op) and n.args and is_of_text(n.fn))
    return frozenset(e.name for e in found if isinstance(e, Var) and e.name in f.names and e.name not in bound)


def hold_texts(f: ir.Function) -> frozenset[str]:
    """The parameters of `f` of which items are compared with texts: `for word in words: if word == "x"`."""
    every = list(ir.statements(f.body))
    items: dict[str, str] = {}
    for s in every:
        match s:
            case Assign(target=target, value=ir.Index(array=Var(name=of), key=Var())) if of in f.names:
                items[target] = of
    found: set[str] = set()
    for n in (n for s in every for n in ir.nodes(s)):
        match n:
            case Op(fn="numpy.equal" | "numpy.not_equal" | "operator.in", args=(Var(name=name), Const(value=str()))):
                found.add(items.get(name, ""))
            case Op(fn=fn, args=(Var(name=name), *_)) if is_of_text(fn):
                found.add(items.get(name, ""))
    return frozenset(f.names) & found


def compared(f: ir.Function, handed: Counted) -> frozenset[str]:
    """The parameters of `f` that are texts, or sequences of whatever has a `==`: of these only the length is asked for,
    and their items, and parts, are compared where a truth value is taken. `if a[i] == b[j]`, `for c in text: if c in
    vowels`.

    handed: the arguments of a helper's call that are such parameters there.
    """
    every = list(ir.statements(f.body))
    nodes = [n for s in every for n in ir.nodes(s)]
    made: dict[str, list[Expr]] = {}
    taken: list[Expr] = [n for s in every if isinstance(s, ir.If | ir.While) for n in _comparands(s.test)]
    for s in every:
        match s:
            case Assign(target=name, value=value):
                made.setdefault(name, []).append(value)
                taken.append(value)
            case ir.For(target=target, iterable=iterable):
                _run_over(target, iterable, made)
                taken += _run_in(iterable)
            case _:
                for name in ir.binds(s):
                    made.setdefault(name, []).append(ir.NONE)
    for n in nodes:
        match n:
            case ir.Comprehension(clauses=clauses):
                for target, iterable, tests in clauses:
                    _run_over(target, iterable, made)
                    taken += [*_run_in(iterable), *(x for e in tests for x in _comparands(e))]
            case Op(fn="operator.ifexp", args=(test, *_)):
                taken += _comparands(test)
            case Op(fn="builtins.len", args=args):
                taken += args
            case Op(fn=fn, args=args, options=options) if fn == f"local.{f.name}":
                taken += [*args, *(e for _, e in options)]
                for name, e in (*zip(f.names, args, strict=False), *options):
                    made.setdefault(name, []).append(e)
            case Op(fn=fn) if fn.startswith("local."):
                taken += handed(n)
    bound = {n for s in every for n in ir.binds(s)}
    used = ir.uses(every)
    used.subtract(
        n.name
        for e in nodes
        if isinstance(e, ir.Comprehension)
        for t, _, _ in e.clauses
        for n in ir.walk(t)
        if isinstance(n, Var)
    )
    fine = Counter(map(_sequence, taken))
    found = {n for n in {*f.names, *made} if n and used[n] == fine[n]}
    sources = [(name, _sequence(e)) for name, values in made.items() for e in values]
    while wrong := {n for pair in sources if not found.issuperset(pair) for n in pair} & found:
        found -= wrong
    with_items = {_sequence(e) for e in nodes if isinstance(e, ir.Index)} | {
        _sequence(e) for v in made.values() for e in v
    }
    return frozenset(n for n in f.names if n in found and n not in bound and n in with_items)


def only_compared(f: ir.Function) -> set[str]:
    """The parameters of a function that are read where they are compared by `==`, or looked for, and nowhere else:
    they may be texts."""
    every = list(ir.statements(f.body))
    nodes = [n for s in every for n in ir.nodes(s)]
    equal = ("numpy.equal", "numpy.not_equal", "operator.in", "operator.not_in")
    taken = Counter(a.name for n in nodes if isinstance(n, Op) and n.fn in equal for a in n.args if isinstance(a, Var))
    used = ir.uses(every)
    return {n for n in f.names if 0 < used[n] == taken[n]}


def _comparands(test: Expr) -> list[Expr]:
    """What a condition compares by `==`, or looks for."""
    match test:
        case Op(fn="operator.and" | "operator.or" | "operator.not", args=args):
            return [x for a in args for x in _comparands(a)]
        case Op(fn="numpy.equal" | "numpy.not_equal" | "operator.in" | "operator.not_in", args=args):
            return list(args)
    return []


def _run_in(iterable: Expr) -> list[Expr]:
    """The sequences that a loop runs over."""
    match iterable:
        case Op(fn="builtins.zip" | "builtins.enumerate" | "builtins.reversed", args=args):
            return [x for a in args for x in _run_in(a)]
    return [iterable]


def _run_over(target: Expr, iterable: Expr, made: dict[str, list[Expr]]) -> None:
    """Notes what each variable of a loop is an item of."""
    match target, iterable:
        case Var(name=name), Op(fn="builtins.reversed", args=(of,)):
            made.setdefault(name, []).append(of)
        case Var(name=name), _:
            made.setdefault(name, []).append(iterable)
        case ir.Sequence(items=items), Op(fn="builtins.zip", args=args) if len(items) == len(args):
            for t, of in zip(items, args, strict=True):
                _run_over(t, of, made)
        case ir.Sequence(items=(count, item)), Op(fn="builtins.enumerate", args=(of, *_)):
            made |= {n: [*made.get(n, []), ir.NONE] for n in ir.target_names(count)}
            _run_over(item, of, made)
        case _:
            for name in ir.target_names(target):
                made.setdefault(name, []).append(ir.NONE)


def _sequence(e: Expr) -> str:
    """The name of which an expression is an item, a part, or the whole."""
    while isinstance(e, ir.Index):
        e = e.array
    return e.name if isinstance(e, Var) else ""


def is_of_text(fn: str) -> bool:
    return fn.startswith("method.") and fn[7:] in TEXT_METHODS


def lengths(e: Expr) -> list[Expr]:
    """The arguments that a call takes for whole numbers, and for nothing else."""
    if not isinstance(e, Op):
        return []
    if e.fn == "builtins.range":
        return list(e.args)
    if e.fn in SPACED:
        return [*e.args[2:3], *(v for k, v in e.options if k == "num")]
    if e.fn in ("numpy.eye", "numpy.identity", "numpy.tri"):
        return list(e.args[:1])
    return [n for n in e.args[:1] if isinstance(n, ir.Sequence)] if e.fn in SHAPED else []


def whole(f: ir.Function) -> frozenset[str]:
    """The parameters of `f` that are whole numbers in every call, for else it raises: `range(n)`, `np.zeros((n, 2))`,
    `x[: n - 1]` at its top, where nothing has left the function."""
    numbers = _Numbers(f)
    return frozenset(n for n in _whole(numbers, f.body) if n in f.names and numbers.bound[n] == 1)


def repeated(f: ir.Function) -> frozenset[str]:
    """The parameters of `f` that are whole numbers where a loop inside of a loop runs, `for j in range(n)`, and by
    which a list is repeated, `[0.0] * n`, were they no arrays: that is to be asserted."""
    numbers = _Numbers(f)
    every = [n for s in ir.statements(f.body) for n in ir.nodes(s)]
    products = [n.args for n in every if isinstance(n, Op) and n.fn == "numpy.multiply"]
    by = {name for args in products if any(map(is_list, args)) for a in args for name in numbers.of(a)}
    bodies = [s.body for s in ir.statements(f.body) if isinstance(s, ir.For)] if by else []
    return frozenset(by & {n for b in bodies for n in _whole(numbers, b) if n in f.names and numbers.bound[n] == 1})


def asserted(f: ir.Function, handed: Callable[[Op, Literal["keyed", "exchanged"]], list[Expr]]) -> frozenset[str]:
    """The parameters of `f` that are whole numbers as the output asserts: those of `repeated` and `exchanged`, and by
    which items are named, where the text itself asserts that they are numbers.

    handed: the arguments of a helper's call that exchange items there, or name them: the name of the function that says
    which.
    """
    named = keyed(f, lambda call: handed(call, "keyed"))
    return repeated(f) | exchanged(f, lambda call: handed(call, "exchanged")) | (named & scalars(f.body))


def scalars(block: ir.Block) -> set[str]:
    """The names that `assert np.isscalar(i)` states to be numbers."""
    tests = [n for s in block if isinstance(s, ir.Inert) and s.keyword == "assert" for n in ir.walk(s.values[0])]
    return {
        n.args[0].name for n in tests if isinstance(n, Op) and n.fn == "numpy.isscalar" and isinstance(n.args[0], Var)
    }


def keyed(f: ir.Function, handed: Counted) -> frozenset[str]:
    """The names by which items of arrays are named, as they are or a whole number away: `a[i]`, `a[i + 1]`"""
    numbers = _Numbers(f)
    every = list(ir.statements(f.body))
    dicts = _dicts(every)
    indices = [n for s in every for n in ir.nodes(s) if isinstance(n, ir.Index) and n.array not in dicts]
    return frozenset(
        _named(numbers, [k for e in indices for k in ir.key_items(e.key)]) | _given(numbers, every, handed)
    )


def exchanged(f: ir.Function, handed: Counted) -> frozenset[str]:
    """The parameters of `f` that are whole numbers where items change places, `a[i], a[i + 2] = a[i + 2], a[i]`: rows
    would be views, which lose what is read second. That, too, is to be asserted.

    handed: the arguments of a helper's call that are such numbers there.
    """
    numbers = _Numbers(f)
    keys = [k for e in exchanges(f).values() for k in ir.key_items(e.key)]
    found = _named(numbers, keys) | _given(numbers, list(ir.statements(f.body)), handed)
    return frozenset(n for n in found if n in f.names and numbers.bound[n] == 1)


def _named(numbers: _Numbers, keys: list[Expr]) -> set[str]:
    found = {k.name for k in keys if isinstance(k, Var)} | {n for k in keys for n in numbers.in_sum(k)}
    return found | {n for k in keys for n in numbers.of(k)}


def _given(numbers: _Numbers, every: list[ir.Stmt], handed: Counted) -> set[str]:
    calls = (n for s in every for n in ir.nodes(s) if isinstance(n, Op) and n.fn.startswith("local."))
    return {name for call in calls for e in handed(call) for name in numbers.of(e)}


def _dicts(every: list[ir.Stmt]) -> set[Expr]:
    """What is a dict by its text."""
    indices = [n for s in every for n in ir.nodes(s) if isinstance(n, ir.Index)]
    dicts = {n.array for n in indices if isinstance(n.key, Const) and isinstance(n.key.value, str)}
    return dicts | {Var(s.target) for s in every if isinstance(s, Assign) and isinstance(s.value, ir.Dict)}


def exchanges(f: ir.Function) -> dict[str, ir.Index]:
    """The items that change places, by what they are called on their way: t2 of `t1 = a[j]; t2 = a[i]; a[i] = t1;
    a[j] = t2`. Those of a dict by its text, and those that slices take, are none."""
    every = list(ir.statements(f.body))
    dicts = _dicts(every)
    read: dict[str, tuple[ir.Origin | None, ir.Index]] = {}
    stored: dict[tuple[ir.Origin | None, Expr], dict[Expr, str]] = {}  # of one statement into one array, by place
    for s in every:
        match s:
            case Assign(target=name, value=ir.Index() as e):
                read[name] = s.origin, e
            case ir.Store(target=ir.Index() as e, value=Var(name=name)) if name in read and not s.update:
                if read[name][0] == s.origin and read[name][1].array == e.array and e.array not in dicts:
                    stored.setdefault((s.origin, e.array), {})[e] = name
    found: dict[str, ir.Index] = {}
    for places in stored.values():
        items = {name: read[name][1] for name in places.values()}
        parts = [k for e in items.values() for k in ir.key_items(e.key)]
        if len(places) > 1 and {*items.values()} == {*places} and not any(isinstance(k, ir.Slice) for k in parts):
            found |= items
    return found


@lru_cache(maxsize=256)  # asked each time that the facts of a function are collected
def whole_locals(f: ir.Function) -> frozenset[str]:
    """The variables that are whole numbers wherever they are bound: `for i, j in pairs: x[2 * i : 2 * j]`"""
    numbers = _Numbers(f)
    blocks = [f.body, *(b for s in ir.statements(f.body) if isinstance(s, ir.For | ir.While) for b in ir.blocks(s))]
    found: set[str] = set()
    for block in blocks:
        stated = scalars(block)
        known = _whole(numbers, block) | (stated & keyed(f, lambda _: []) if stated else set())
        if known:
            found |= known & {n for s in block if isinstance(s, Assign | ir.Unpack) for n in ir.binds(s)}
    return frozenset(n for n in found if numbers.bound[n] == 1)


def _whole(numbers: _Numbers, block: ir.Block) -> set[str]:
    """The names that are whole numbers where all of a block runs."""
    found: set[str] = set()
    for s in block:
        for n in (n for e in ir.expressions(s) for n in _evaluated(e)):
            found.update(name for e in lengths(n) for name in numbers.of(e))
            for k in ir.key_items(n.key) if isinstance(n, ir.Index) else ():
                for e in (k.start, k.stop, k.step) if isinstance(k, ir.Slice) else ():
                    found.update(numbers.in_sum(e) if e else ())
            if isinstance(n, ir.Index) and isinstance(n.array, Var) and n.array.name in numbers.lists:
                found.update([n.key.name] if isinstance(n.key, Var) else numbers.in_sum(n.key))
        if isinstance(s, ir.Break | ir.Return) or (isinstance(s, ir.Inert) and s.keyword == "raise"):
            break
        if any(isinstance(x, ir.Return | ir.Break | ir.Inert) for b in ir.blocks(s) for x in ir.statements(b)):
            break
    return found


def _evaluated(e: Expr) -> Iterator[Expr]:
    """The expressions inside an expression that are evaluated whenever it is."""
    yield e
    if isinstance(e, ir.Comprehension) and e.clauses[0][0] == Var("_"):
        return  # `[a] * n` is written so, too, where n may be an array
    for x in ir.maybe_run(e)[0]:
        yield from _evaluated(x)
