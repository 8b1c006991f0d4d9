"""Facts about each variable and temporary: kind, shape, elements. One forward pass to a fixpoint, no execution.

Names are webs (see `webs`), so a fact belongs to a name. What a test, a key or a range demands flows back to the
parameters: the truth value of an array is taken of scalars only, so `if x > 0.0` proves that x is one. A proof that
stands where it may not run (in a branch, in a loop) is an assumption: it is noted, and guarded in the output.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from s2s import ir, rules
from s2s.analysis import aliases, asserted, counts, grown, linked, numbers
from s2s.analysis.numbers import REAL
from s2s.analysis.shapes import SCALAR, Dim, Length, Shape, Shapes, arithmetic, renamed, slice_length, unknown
from s2s.frozen import by_value, replace
from s2s.ir import Block, Const, Expr, Stmt, Var
from s2s.rules.kinds import FLOAT_TYPES, Reduction

FLOATING = ("float", "any")
OBJECTS = ("O", "object")
OF_NUMBERS = (
    "scipy.integrate.quad",
    *(f"scipy.optimize.{n}" for n in ("brentq", "brenth", "ridder", "bisect", "toms748")),
)
ITERATING = (
    "math.fsum",
    "math.prod",
    "math.dist",
    "math.sumprod",
)  # functions of `math` that take several numbers in one
NOT_DIFFERENTIABLE = ("int", "bool", "str", "none", "other", "range", "dtype", "sparse", "function")


@by_value
class Fact:
    """kind: float, int, bool, str, none, list, tuple, dict, sparse (a matrix of SciPy), other or any; elem: of a list;
    items: of a tuple."""

    kind: str = "any"
    shape: Shape = SCALAR
    elem: Fact | None = None
    items: tuple[Fact, ...] = ()
    length: Dim | None = None  # the value of an integer, as a length; of a list how many items it has; 0 of `()`
    keys: tuple[str, ...] = ()  # of a dict display, whose values' facts are the items
    constant: bool = False  # a zero-dimensional literal: weak for promotion; a list of the module that is written out
    number: str = REAL  # real, complex or either (`numbers`); what may be complex has kind any
    keyed: bool = False  # of a list: its places are keys, for it is a dict that is open (`ir.Dict`)
    absent: bool = False  # a list, tuple, dict or object that is None in another place
    mixed: bool = False  # of any kind: a dict in one place, and something else in another
    whole: bool = False  # of any kind: it may be a list, a dict or an object, as another value is; or a text
    integers: bool = False  # of any kind: an array of integers in one place, and one of floats in another

    @property
    def is_object(self) -> bool:
        """Whether it is an object: a dict whose keys are attributes."""
        return any(isinstance(k, ir.Attr) for k in self.keys)


ANY = Fact("any", unknown("?"))
INT = Fact("int")
BOOL = Fact("bool")
FLOAT = Fact("float")


class Names(dict[str, Fact]):
    """The facts of names. What follows from them is kept for a node until a name is given another fact."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: dict[int, tuple[int, Fact, Expr]] = {}  # by id: version of the shapes, fact, and the node, alive
        self.unknown: set[str] = set()  # asked for in vain
        self.sparse = False  # whether any name may be a sparse matrix; where none is, nobody asks

    def __setitem__(self, name: str, fact: Fact) -> None:
        if (name in self.unknown or name in self) and self.get(name) != fact:
            self.nodes.clear()
        self.sparse |= fact.kind == "sparse"
        super().__setitem__(name, fact)

    def find(self, name: str) -> Fact:
        found = self.get(name)
        if found is None:
            self.unknown.add(name)
            return Fact("any", unknown(name))
        return found

    def copy(self) -> Names:
        found = Names()
        dict.update(found, self)
        found.nodes = dict(self.nodes)
        found.unknown = set(self.unknown)
        found.sparse = self.sparse
        return found

    def restart(self, given: dict[str, Fact]) -> None:
        self.clear()
        self.nodes.clear()
        self.update(given)


@dataclass
class Facts:
    """The facts of one function; `of` gives those of any expression over its names."""

    function: ir.Function
    shapes: Shapes = field(default_factory=Shapes)
    names: Names = field(default_factory=Names)
    definitions: dict[str, list[Shape]] = field(default_factory=dict)
    assumed: set[str] = field(default_factory=set)
    proofs: set[ir.Origin] = field(default_factory=set)  # statements that raise where a rank is another one
    numbers: set[str] = field(default_factory=set)  # parameters into which an update would write, were they arrays
    arrays: dict[str, int] = field(default_factory=dict)  # symbols taken to have more axes than that: an assumption
    stable: frozenset[str] = (
        frozenset()
    )  # names with one value throughout: bound once, outside of loops, and not written into
    symbols: dict[int, tuple[Expr, str]] = field(default_factory=dict)  # see `transfer.symbol`; by id, kept alive
    bound: frozenset[str] | None = None  # the names that the function binds, as soon as anybody asks
    calls: Any = None  # what is known of helpers: `derive.calls.Calls`
    complex: bool = False  # whether any value may be complex; where none may, nobody asks
    sure: set[str] = field(default_factory=set)  # adjoints that are complex by dtype, at the outermost level
    derived: dict[str, str] = field(default_factory=dict)  # the numbers that derivatives of helpers return
    given: dict[str, Fact] = field(default_factory=dict)  # the facts of the parameters, to begin with
    products: dict[str, ir.Op] = field(default_factory=dict)  # of vectors or matrices, by the symbols of their shapes
    guarded: set[str] = field(default_factory=set)  # items that the output asserts to be numbers
    rank_zero: tuple[int, frozenset[str], frozenset[str]] | None = None  # see `aliases.rank_zero`
    beside_written: dict[bool, tuple[int, frozenset[str]]] = field(default_factory=dict)  # see `aliases.beside_written`
    handed_on: tuple[ir.Function, dict[str, ir.Op]] | None = None  # see `aliases.taken_apart`
    lists: tuple[ir.Function, frozenset[str]] | None = None  # see `transfer.is_list`
    from_caller: tuple[ir.Function, frozenset[str]] | None = None  # see `may_be_list`
    settled: bool = False  # whether the updates in place that write into arrays are stores by now: see `updates`
    arrays_made: bool = False  # whether zeros that are made for a number are an array, into which is written in place
    any_rank: bool = False  # whether items that nobody writes keep an unknown rank, for arrays of rank 0 lie in lists
    others: dict[str, int] = field(default_factory=dict)  # ranks of variables and names of the module
    dicts: dict[str, Fact] = field(default_factory=dict)  # parameters that all callers give an open dict for
    open: frozenset[str] = frozenset()  # parameters that may be lists or tuples, whose items are of shapes of their
    # own, and the symbols of those of a caller of which the function gets copies
    of_numbers: set[str] = field(default_factory=set)  # of these, those whose items an assert states to be numbers
    stated_items: dict[Expr, Shape] = field(default_factory=dict)  # items of these whose shapes an assert states

    def copy(self) -> Facts:
        """The same facts, for another derivative: what is found out while it is derived is not known here."""
        shapes = self.shapes.copy()
        shapes.version = self.shapes.version  # `names.nodes` holds for it
        return replace(
            self,
            shapes=shapes,
            names=self.names.copy(),
            definitions={name: list(shapes) for name, shapes in self.definitions.items()},
            assumed=set(self.assumed),
            proofs=set(self.proofs),
            numbers=set(self.numbers),
            arrays=dict(self.arrays),
            symbols=dict(self.symbols),
            sure=set(self.sure),
            derived=dict(self.derived),
            given=dict(self.given),
            products=dict(self.products),
            others=dict(self.others),
            beside_written={},
        )

    # ------------------------------------------------------------ questions
    def of(self, e: Expr) -> Fact:
        return transfer.fact_of(e, self)

    def shape(self, e: Expr) -> Shape:
        return self.shapes(self.of(e).shape)

    def ndim(self, e: Expr) -> int | None:
        fact = self.of(e)
        if fact.kind in ("list", "tuple", "dict", "str"):
            return None
        return self.shapes(fact.shape).rank

    def number(self, e: Expr) -> str:
        """Whether a value is real, complex, or may be either."""
        return numbers.number_of(e, self) if self.complex else REAL

    def is_real(self, e: Expr) -> bool:
        return not self.complex or numbers.number_of(e, self) == REAL

    def is_length(self, symbol: str) -> bool:
        """Whether a symbol surely names a length: that of an axis, and not only an integer that may be negative."""
        named = {
            d.symbol for fact in self.given.values() for d in self.shapes(fact.shape).dims if isinstance(d, Length)
        }
        counts = {f.length.symbol for f in self.given.values() if f.kind == "int" and isinstance(f.length, Length)}
        return symbol in named or symbol.rpartition(".")[2].isdigit() or symbol not in counts

    def assumed_rank(self, name: str) -> int | None:
        """The rank that a parameter, or a part of one, was taken to have: by a test that need not run."""
        shape = self.given[name].shape if name in self.given else unknown(name)
        return self.shapes(shape).rank if shape.tail is not None and shape.tail[0] in self.assumed else None

    def assume_rank(self, e: Expr, rank: int) -> None:
        """Takes `e` for an array of this rank, 0 for a number: an assumption on the parameters, which the output
        guards."""
        _Collector(self, set(), False, {}).of_rank(e, rank, proved=False)

    def assume_scalar(self, e: Expr) -> None:
        """Takes `e` for a number, as `assume_rank` does."""
        self.assume_rank(e, 0)

    def is_scalar(self, e: Expr) -> bool:
        return self.ndim(e) == 0

    def same_shape(self, a: Expr, b: Expr) -> bool:
        shape = self.shape(a)
        return shape == self.shape(b) and shape.tail != ("?", 0)

    def is_array(self, e: Expr) -> bool:
        fact = self.of(e)
        if fact.kind in ("list", "tuple", "dict", "str"):
            return False
        return self.shapes.has_axis(fact.shape)

    def is_list(self, e: Expr) -> bool:
        return self.of(e).kind == "list"

    def may_be_list(self, e: Expr) -> bool:
        """Whether a value is what the caller gives, or an item of that, and no rank is stated of it: it may be a list,
        whatever the rank is by what is done with it."""
        if self.from_caller is None or self.from_caller[0] is not self.function:
            bound = [s for s in ir.statements(self.function.body) if isinstance(s, ir.Assign)]
            found = {n for n, fact in self.given.items() if fact.kind == "any" and fact.shape.rank is None}
            while more := {s.target for s in bound if given_root(s.value) in found} - found:
                found |= more
            self.from_caller = self.function, frozenset(found)
        name = given_root(e)
        entry = name.endswith("]") and (name not in self.given or self.given[name].shape.rank is None)  # `d["xs"]`
        return entry or name in self.from_caller[1]

    def is_sparse(self, e: Expr) -> bool:
        return self.of(e).kind == "sparse"

    def dims(self, e: Expr) -> tuple[Dim, ...] | None:
        """The lengths of all axes; equal ones are equal lengths. None where the rank is not known."""
        shape = self.shape(e)
        return shape.dims if shape.rank is not None else None

    def is_float(self, e: Expr) -> bool:
        return self.of(e).kind == "float"

    def is_integer(self, e: Expr) -> bool:
        return self.of(e).kind == "int"

    def is_float_type(self, e: Expr, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a dtype is one of floats, or follows from what the output asks about it (`derive.integers`): that of
        an array, and a parameter. Numbers that become objects stay what they are."""
        match e:
            case Const(value=value):
                return value is None or value in FLOAT_TYPES or value in OBJECTS
            case ir.Attribute(name=name):
                return name == "dtype" or name in FLOAT_TYPES
            case ir.Op(fn="operator.ifexp", args=(_, one, other)):
                return self.is_float_type(one, seen) and self.is_float_type(other, seen)
            case ir.Op(fn="numpy.dtype", args=(inner,)):
                return self.is_float_type(inner, seen)
            case ir.Op(fn=fn):
                return fn in ("numpy.result_type", "numpy.promote_types")
            case Var(name=name):
                every = [s for s in ir.statements(self.function.body) if name in ir.binds(s)]
                if name in seen:
                    return True
                if not every and name not in self.function.names:
                    return name in FLOAT_TYPES
                values = [s.value for s in every if isinstance(s, ir.Assign)]
                return len(values) == len(every) and all(self.is_float_type(v, seen | {name}) for v in values)
        return False

    def quotient(self, e: Expr) -> tuple[float, float] | None:
        """The two numbers of a quotient that is written out, in place or where its one name is bound: `1.0 / 3.0`."""
        if isinstance(e, Var) and e.name not in self.function.names:
            bound = [s for s in ir.statements(self.function.body) if e.name in ir.binds(s)]
            e = bound[0].value if len(bound) == 1 and isinstance(bound[0], ir.Assign) else e
        match e:
            case ir.Op(fn="numpy.divide", args=(ir.Const(value=n, kind="int" | "float"), ir.Const(value=d))) if n and d:
                return (float(n), float(d)) if isinstance(d, int | float) else None
        return None

    def is_finite(self, e: Expr) -> bool:
        """Whether a value is a number of the module that is written out, and is not infinite."""
        if not isinstance(e, Var) or self.calls is None or e.name not in self.calls.module_numbers:
            return False
        return self.of(e) is self.calls.numbers[e.name] and e.name in self.calls.finite


def join(a: Fact, b: Fact, symbol: str, shapes: Shapes) -> Fact:
    """The fact of a variable with two definitions."""
    if a == b:
        return a
    if "none" in (a.kind, b.kind):
        value = b if a.kind == "none" else a
        return replace(value, length=None, constant=False, absent=value.absent or value.kind in aliases.CONTAINERS)
    held = all(f.items or f.elem or f.length == 0 for f in (a, b))
    other = {a.kind, b.kind} == {"list", "tuple"} or (a.kind == b.kind == "tuple" and len(a.items) != len(b.items))
    if held and other:
        a, b = (_as_list(f, symbol, shapes) for f in (a, b))  # what reads the one reads the other
    elif "tuple" in (a.kind, b.kind) and a.kind != b.kind:
        a, b = (_as_list(f, symbol, shapes) if f.items else f for f in (a, b))
    elif {a.kind, b.kind} == {"list", "dict"} and (a.keyed or b.keyed) and not (a.is_object or b.is_object):
        a, b = (_as_open(f, symbol, shapes) for f in (a, b))
    kind = a.kind
    number = numbers.either([a.number, b.number])
    if a.kind != b.kind:
        pair = {a.kind, b.kind}
        plain = pair <= {"int", "float", "bool"}
        if pair <= {"int", "bool"} or (plain and shapes((b if a.kind == "float" else a).shape) == SCALAR):
            kind = "float" if "float" in pair else "int"
        else:
            kind = "any"
    absent = a.absent or b.absent
    x, y = shapes(a.shape), shapes(b.shape)
    if x == y:
        shape = x
    elif x.rank is not None and x.rank == y.rank:
        dims = (p if p == q else Length(f"{symbol}.{i}") for i, (p, q) in enumerate(zip(x.dims, y.dims, strict=True)))
        shape = Shape(tuple(dims))
    else:
        shape = shapes(unknown(symbol))
    elem = a.elem or b.elem
    if a.elem is not None and b.elem is not None:
        elem = join(a.elem, b.elem, symbol + "[]", shapes)
    items = a.items if a.items == b.items and a.keys == b.keys else ()
    if kind == "tuple" and a.items and b.items and len(a.items) == len(b.items) and not items:
        items = tuple(
            join(p, q, f"{symbol}[{i}]", shapes) for i, (p, q) in enumerate(zip(a.items, b.items, strict=True))
        )
    if kind == "dict" and a.keys == b.keys and a.keys:
        items = tuple(join(p, q, f"{symbol}.{k}", shapes) for k, p, q in zip(a.keys, a.items, b.items, strict=True))
        return Fact(kind, shape, elem, items, keys=a.keys, number=number, absent=absent)
    whole = kind == "any" and (a.whole or b.whole or "str" in (a.kind, b.kind))
    mixed = kind == "any" and ("dict" in (a.kind, b.kind) or a.mixed or b.mixed)
    keyed = a.keyed or b.keyed
    arrays = any(f.kind in ("int", "bool") and shapes(f.shape) != SCALAR for f in (a, b))
    integers = kind == "any" and (a.integers or b.integers or arrays) and not (whole or mixed)
    return Fact(
        kind, shape, elem, items, number=number, absent=absent, keyed=keyed, mixed=mixed, whole=whole, integers=integers
    )


def absent(fact: Fact, path: str = "") -> str:
    """The first entry inside that is an object, or a dict, in one place and None in another; "" where none is."""
    for key, item in zip(fact.keys, fact.items, strict=False):
        inner = f"{path}.{key}" if isinstance(key, ir.Attr) else f"{path}[{key!r}]"
        found = inner if item.absent and item.kind == "dict" else absent(item, inner)
        if found:
            return found
    return ""


def is_mixed(fact: Fact) -> bool:
    """Whether a value is a list, a tuple or a dict in one place, and something else in another."""
    return fact.kind == "any" and bool(fact.elem or fact.items or fact.mixed)


def holds_mixed(fact: Fact | None) -> bool:
    """Whether items of a list, or entries of a dict, are lists in one place, and numbers or arrays in another."""
    return fact is not None and fact.elem is not None and is_mixed(fact.elem)


def may_hold_items(fact: Fact) -> bool:
    """Whether a value of any kind may be a list, a tuple or a dict, by what it is made of."""
    return is_mixed(fact) or (fact.kind == "any" and fact.whole)


def lacking(fact: Fact) -> bool:
    """Whether a container, or one inside of it, is None in one place."""
    return fact.absent or any(lacking(f) for f in (*fact.items, fact.elem) if f is not None)


def _as_list(f: Fact, symbol: str, shapes: Shapes) -> Fact:
    """A tuple as the list of its items."""
    if f.kind != "tuple":
        return f
    return Fact("list", f.shape, _any_item(f, symbol, shapes), number=f.number)


def _as_open(f: Fact, symbol: str, shapes: Shapes) -> Fact:
    """A dict whose keys are known as one of which they are not."""
    if f.kind != "dict":
        return f
    return Fact("list", f.shape, _any_item(f, symbol, shapes), number=f.number, absent=f.absent, keyed=True)


def _any_item(f: Fact, symbol: str, shapes: Shapes) -> Fact | None:
    """What is known of an item of a container, whichever it is."""
    elem = f.elem
    for item in f.items:
        elem = item if elem is None else join(elem, item, symbol + "[]", shapes)
    return elem


def with_item(
    old: Fact, item: Fact, keys: tuple[Expr, ...], symbol: str, shapes: Shapes, held: Callable[[Shape], None]
) -> Fact:
    """The fact of a list or a dict into which an item is put, or into one inside of it; of other values their own.

    held: is told of what such a slot holds by now, and of the item.
    """
    first, rest = keys[0], keys[1:]

    def put(place: Fact, name: str) -> Fact:
        if rest:
            return with_item(place, item, rest, name, shapes, held)
        held(place.shape)
        held(item.shape)
        return join(place, item, name, shapes)

    if old.kind == "list" and old.elem is not None:
        inner = put(old.elem, symbol)
        return old if inner == old.elem else replace(old, elem=inner)
    if old.keyed and not rest:  # the first entry
        return replace(old, elem=item)
    if old.kind == "tuple" and old.items:  # a list that lies in it
        at = first.value if isinstance(first, Const) and isinstance(first.value, int) else None
        at = at + len(old.items) if at is not None and at < 0 else at
        items = tuple(put(f, f"{symbol}.{i}") if at in (None, i) else f for i, f in enumerate(old.items))
        return old if items == old.items else replace(old, items=items)
    if old.kind == "dict" and old.items:
        own = first.value if isinstance(first, Const) and first.value in old.keys else None
        pairs = zip(old.keys, old.items, strict=True)
        items = tuple(put(f, f"{symbol}.{k}") if own in (None, k) else f for k, f in pairs)
        return old if items == old.items else replace(old, items=items)
    return old


def collect(
    f: ir.Function,
    parameters: dict[str, Fact],
    calls: Any = None,
    shapes: Shapes | None = None,
    scalar_result: bool = False,
    loops: dict[int, list[ir.Assign]] | None = None,
    arrays_made: bool = False,
) -> Facts:
    """All facts of a function whose parameters have the given ones."""
    bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    repeated = [s for s in ir.statements(f.body) if isinstance(s, ir.For | ir.While)]
    inside = {n for s in repeated for t in (s, *ir.statements(s.body)) for n in ir.binds(t)}
    rebound = {n for n, count in bound.items() if count > 1 or n in parameters} | inside
    written = aliases.classes(f, None, calls).keys()
    stable = frozenset(n for n in (*parameters, *bound) if n not in rebound | written)
    facts = Facts(f, shapes or Shapes(), stable=stable, calls=calls, arrays_made=arrays_made)
    if calls is not None:
        facts.open = calls.open_parameters(f) - rebound
        facts.open |= {symbol for n in facts.open & parameters.keys() if (symbol := split_from(parameters[n]))}
    stated = asserted.stated_numbers(f)
    parameters = {
        n: numbers.with_number(fact, numbers.COMPLEX) if stated.get(n) else fact for n, fact in parameters.items()
    }
    facts.given = parameters
    for name, fact in parameters.items():
        facts.names[name] = fact
    facts.complex = any(numbers.upper(fact) != REAL for fact in parameters.values()) or any(
        numbers.is_source(n) for s in ir.statements(f.body) for n in ir.nodes(s)
    )
    collector = _Collector(facts, set(parameters), scalar_result, loops or {})
    collector.run()
    if facts.shapes.version and any("~" in x for fact in facts.names.values() for x in symbols(fact)):
        # what was found out late may join what was kept apart: once more, from the start
        facts.names.restart(parameters)
        facts.definitions = {}
        collector.run()
    facts.assumed |= collector.unproved()
    facts.rank_zero = None
    facts.beside_written.clear()
    return facts


class _Collector:
    def __init__(self, facts: Facts, fixed: set[str], scalar_result: bool, loops: dict[int, list[ir.Assign]]) -> None:
        self.facts = facts
        self.fixed = fixed
        self.scalar_result = scalar_result
        self.loops = loops
        inside = [t for s in ir.statements(facts.function.body) if isinstance(s, ir.For | ir.While) for t in s.body]
        self.momentary = momentary(facts.function)
        self.displays = ir.displays(facts.function) | ir.run_over(facts.function)
        self.repeats = bool(inside)
        self.rebinds = {n for s in ir.statements(inside) for n in ir.binds(s)}
        self.given = {x for fact in facts.given.values() for x in symbols(fact)}
        self.taken_from = {
            s.target: s.value
            for s in ir.statements(facts.function.body)
            if isinstance(s, ir.Assign) and isinstance(s.value, ir.Index)
        }
        self.holders = {x: {n for n, fact in facts.names.items() if x in symbols(fact)} for x in self.given}
        self.asked = asked_for_kind(facts.function)
        self.outside = self.from_outside()
        nodes = [n for s in ir.statements(facts.function.body) for n in ir.nodes(s)]
        self.entered = {
            n.array.name
            for n in nodes
            if isinstance(n, ir.Index) and isinstance(n.array, Var)
            if isinstance(n.key, Const) and type(n.key.value) is str  # of a dict; an attribute may be that of an array
        }
        self.whole = counts.whole_locals(facts.function)
        self.open_items = of_open_items(facts.function)
        self.fillings = grown.fillings(facts.function)
        self.converting = any(takes_numbers(n) or is_of_display(n) or self.numbers_given(n) for n in nodes)
        self.links = [
            (a, b)
            for a, b in linked.links(facts.function)
            if not (isinstance(a, Var) and isinstance(b, ir.Index) and a.name in self.momentary)
        ]
        self.reductions = [
            n.args[0]
            for s in (ir.statements(facts.function.body) if scalar_result else ())
            for n in ir.nodes(s)
            if isinstance(n, ir.Op) and n.args and isinstance(rules.lookup(n.fn), Reduction)
        ]
        self.region = 0  # what is in one region runs together, or not at all; region 0 always runs
        self.parents = [0]  # of each region
        self.bound_in: dict[str, set[int]] = {}
        self.read_in: dict[str, set[int]] = {}
        self.tested_in: dict[str, set[int]] = {}  # symbols of parameters

    def from_outside(self) -> dict[str, str]:
        """What names of the module, and variables that are bound once to what an unknown function gives, are called in
        shapes: those of the module by their names, the others by the texts of the calls. No temporary is guarded: the
        text need not have it."""
        if not self.scalar_result:
            return {}
        f = self.facts.function
        bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
        read = {n for s in ir.statements(f.body) for e in ir.expressions(s) for n in ir.reads(e)}
        found = {n: n for n in read - bound.keys() - set(f.names)}
        for s in f.body:
            if isinstance(s, ir.Assign) and isinstance(s.value, ir.Op | ir.Raw):
                if bound[s.target] != 1 or ir.is_unnamed(s):
                    continue
                shape = self.facts.of(s.value).shape
                if shape.tail is not None and shape.tail[1] == 0 and not shape.dims:
                    found["=" + shape.tail[0].lstrip("?=")] = s.target
        return found

    def run(self) -> None:
        self.unfilled: set[str] = set()  # names of what is not known yet
        self.waits = True  # for what a later round knows of dicts and lists that are still empty
        for _ in range(12):
            before = (dict(self.facts.names), self.facts.shapes.version)
            self.region, self.parents, self.bound_in, self.read_in = 0, [0], {}, {}
            self.returned: list[Expr] = []
            self.retold: set[str] = set()
            self.waiting = False
            self.statements(self.facts.function.body)
            again = bool(linked.settle(self.links, self.facts.of, self.facts.shapes, self.put) & self.retold)
            self.take_results_for_numbers()
            done = (self.facts.names, self.facts.shapes.version) == before
            if not self.repeats and not again and self.facts.shapes.version == before[1]:
                done = True  # what is read has been bound above, and no two lengths turned out to be one
            if done and not self.waiting:
                break
            if done:  # what fills these dicts is not seen: their entries may be anything
                self.waits = False

    def varies(self, symbol: str) -> bool:
        """Whether a symbol may stand for something else in another iteration of a loop."""
        return symbol not in self.given and head_name(symbol) in self.rebinds

    def bind(self, name: str, fact: Fact) -> None:
        self.bound_in.setdefault(name, set()).add(self.region)
        if name in self.whole and fact.kind == "any":
            fact = INT
        loses = fact.kind != "tuple" and name in self.rebound()  # of a tuple the length is part of what it is
        if fact.constant or (fact.length is not None and loses):
            fact = replace(fact, constant=False, length=None if loses else fact.length)
        fact = own_symbols(fact, name, self.varies, momentary=name in self.momentary)
        shapes = self.facts.definitions.setdefault(name, [])
        if fact.shape not in shapes:
            shapes.append(fact.shape)
        old = self.facts.names.get(name)
        if old is not None and name not in self.momentary:  # those have one value: an earlier round knew less
            fact = join(old, fact, name + "~", self.facts.shapes) if old != fact else old
        self.facts.names[name] = fact

    def of_wholes(self, fact: Fact) -> Fact:
        """A list of zeros in the structure of another one, whose items may be lists by what is done to them."""
        elem = fact.elem
        if fact.kind != "list" or elem is None or elem.kind != "any" or self.facts.shapes(elem.shape).rank is not None:
            return fact
        return replace(fact, elem=replace(elem, whole=True))

    def is_of_unfilled(self, s: Stmt) -> bool:
        """Whether a statement takes an entry of a dict, or an item of a list, that has none yet, or reads what has been
        taken of such: a later round knows what a loop puts into it."""
        if not isinstance(s, ir.Assign | ir.Unpack | ir.Append | ir.Store):
            return False
        if any(n in self.unfilled and n not in self.facts.names for n in ir.reads(s.value)):
            return True
        match s.value:
            case ir.Index(array=array, key=key) if not isinstance(key, ir.Slice):
                fact = self.facts.of(array)
                return fact.elem is None and (fact.keyed or fact.kind == "list")
        return False

    def rebound(self) -> set[str]:
        if not hasattr(self, "_rebound"):
            seen: set[str] = set(self.facts.function.names)
            twice: set[str] = set()
            for s in ir.statements(self.facts.function.body):
                for name in ir.binds(s):
                    (twice if name in seen else seen).add(name)
            self._rebound = twice
        return self._rebound

    def new_region(self) -> int:
        self.parents.append(self.region)
        return len(self.parents) - 1

    def is_within(self, region: int, outer: int) -> bool:
        while region > outer:
            region = self.parents[region]
        return region == outer

    def read(self, e: Expr) -> None:
        for name in ir.reads(e):
            self.read_in.setdefault(name, set()).add(self.region)

    def unproved(self) -> set[str]:
        """Parameters of which a test says something, that are read where the test may not run."""
        return {
            symbol
            for symbol, tests in self.tested_in.items()
            if not any(all(self.is_within(r, test) for r in self.places(symbol)) for test in tests)
        }

    def places(self, symbol: str) -> set[int]:
        return {r for name in self.holders[symbol] for r in self.read_in.get(name, ())}

    def demand(self, e: Expr) -> None:
        """A truth value is taken of e, which counts as proof: what it compares is scalar."""
        match e:
            case ir.Op(fn="operator.and" | "operator.or", args=args):
                self.demand(args[0])
                before, self.region = self.region, self.new_region()
                for a in args[1:]:
                    self.demand(a)
                self.region = before
                return
            case ir.Op(fn="operator.not", args=(a,)):
                self.demand(a)
                return
        self.read(e)
        match e:
            case ir.Op(fn="numpy.equal" | "numpy.not_equal", args=(a, b)) if "str" in map(self.kind_of, (a, b)):
                return  # a text, which may be an array elsewhere
            case ir.Op(fn="operator.is" | "operator.is_not" | "operator.in" | "operator.not_in"):
                return
            case Var(name=name) if name in self.displays:  # the truth value says whether it has items
                return
            case ir.Op(fn="operator.ifexp"):
                self.demand(e.args[0])
            case Var() | ir.Op() | ir.Index():
                if isinstance(e, ir.Op) and e.fn.startswith(
                    ("builtins.isinstance", "builtins.hasattr", "method.", "builtins.callable")
                ):
                    return
                self.scalar(e, proved=True)

    def kind_of(self, e: Expr) -> str:
        return self.facts.of(e).kind

    def scalar(self, e: Expr, proved: bool) -> None:
        self.of_rank(e, 0, proved)

    def of_rank(self, e: Expr, rank: int, proved: bool) -> None:
        fact = self.facts.of(e)
        if fact.kind in ("list", "tuple", "dict", "str", "other", "none"):
            return
        if rank == 0 and (proved or isinstance(e, ir.Op)):
            self.factors(e, proved)
        parts = self.facts.shapes(fact.shape).over if rank == 0 and not proved else ()  # each is a number, then
        for shape in parts or (fact.shape,):
            if proved or self.may_have(shape, rank):
                self.ranked(shape, rank, proved)

    def factors(self, e: Expr, proved: bool) -> None:
        """A product that is a number is one of vectors; of two numbers, it would not take a part of one."""
        shape = self.facts.shape(e)
        if shape.tail is None or shape.dims or shape.tail[1]:  # `(A @ x)[0]` is one of a vector
            return
        product = e if isinstance(e, ir.Op) and e.fn in PRODUCTS else self.facts.products.get(shape.tail[0])
        if product is None:
            return
        a, b = product.args[:2]
        if any(self.may_be_item(x) for x in (a, b)):  # of a list or a dict: what these hold is asked one by one
            return
        if product.fn == "numpy.matmul" or any(self.facts.shape(x).dims for x in (a, b)):
            self.of_rank(a, 1, proved)
            self.of_rank(b, 1, proved)

    def may_be_item(self, e: Expr) -> bool:
        taken = self.taken_from.get(e.name) if isinstance(e, Var) else e
        match taken:
            case ir.Index(array=Var(name=name), key=key) if name in self.facts.open:
                return not isinstance(key, ir.Sequence | ir.Slice)
        return False

    def may_have(self, shape: Shape, rank: int, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a value has this rank if parameters have the right ones: what the output can guard."""
        shape = self.facts.shapes(shape)
        if shape.rank is not None:
            return shape.rank == rank
        if shape.over:
            return rank == 0 and all(self.may_have(p, 0, seen) for p in shape.over)
        assert shape.tail is not None
        symbol, k = shape.tail
        of_symbol = rank - len(shape.dims) + k
        if of_symbol < k or symbol in seen:
            return symbol in seen
        if of_symbol < self.facts.shapes.axes.get(symbol, 0):
            return False
        if symbol in self.given or symbol in self.outside:
            return self.holders.get(symbol, set()).isdisjoint(self.entered)  # a dict on another path
        product = self.facts.products.get(symbol)
        if product is not None:  # x[:-k] @ x[k:] of a vector is a number
            a, b = (self.facts.shape(a) for a in product.args[:2])
            vectors = a == b or (a.dims and b.dims)  # not two parameters, which may be matrices as well
            return not of_symbol and bool(vectors) and all(self.may_have(s, 1, seen | {symbol}) for s in (a, b))
        if inner := of_name(symbol):  # at one time
            return self.may_have(unknown(inner), of_symbol, seen | {symbol})
        definitions = self.definitions(symbol)
        if definitions and not self.reduced().isdisjoint({symbol, *(d.tail[0] for d in definitions if d.tail)}):
            return False  # an array, that one path has reduced to a number
        return bool(definitions) and all(self.may_have(d, of_symbol, seen | {symbol}) for d in definitions)

    def reduced(self) -> set[str]:
        """The symbols of what is summed, averaged and so on."""
        shapes = [self.facts.shape(a) for a in self.reductions]
        return {p.tail[0] for s in shapes for p in s.parts if p.tail is not None}

    def definitions(self, symbol: str) -> list[Shape]:
        """What a symbol of a variable with several definitions may stand for, that of a parameter too."""
        if not symbol.endswith("~"):
            return []
        bound = self.facts.definitions.get(symbol[:-1], [])
        given = self.facts.given.get(symbol[:-1])
        return [*bound, given.shape] if bound and given is not None else bound

    def ranked(self, shape: Shape, rank: int, proved: bool, seen: frozenset[str] = frozenset()) -> None:
        """proved: by what runs in this region. Of a parameter it is an assumption where the region may not run; of
        what was bound in another region, which may run without this one, nothing is known."""
        shapes = self.facts.shapes
        shape = shapes(shape)
        if shape.rank is not None or (shape.over and rank):
            return
        for part in shape.parts:
            if part.tail is None or part.tail[0] in seen or part.tail[0].startswith("?"):
                continue
            symbol, k = part.tail
            of_symbol = rank - len(part.dims) + k
            if of_symbol < k:  # more axes are there
                continue
            definitions = self.definitions(symbol)
            if proved and self.may_be_another(definitions, symbol):  # of which the one that is read may be known
                if self.may_have(part, rank):
                    self.ranked(part, rank, False, seen)
                continue
            if not proved:
                self.facts.assumed.add(symbol)
                if symbol not in self.given and symbol in self.outside:
                    self.facts.others[self.outside[symbol]] = of_symbol
            elif self.may_be_asked(part):
                continue
            elif symbol in self.given:
                self.tested_in.setdefault(symbol, set()).add(self.region)
            elif self.region and self.bound_in.get(head_name(symbol)) != {self.region}:
                for d in definitions:
                    self.ranked(d, of_symbol, proved, seen | {symbol})
                continue
            shapes.demand_rank(part, rank)
            for d in definitions:
                self.ranked(d, of_symbol, proved, seen | {symbol})
            if not proved:
                self.ranked_behind(symbol, of_symbol, seen | {symbol})

    def may_be_another(self, definitions: list[Shape], symbol: str) -> bool:
        """Whether by one of the definitions of a variable nothing is known of it, and by another it is a number, or
        something else of which nothing is known: what reads it proves nothing of the one that is gone by then, or that
        the run did not come by. A sum that a loop adds to is one variable."""
        known = [self.facts.shapes(d) for d in definitions]
        others = {  # `x[:, None]` is known where x is
            frozenset(p.tail[0] for p in d.parts if p.tail is not None)
            for d in known
            if d.rank is None and symbol not in d.symbols()
        }
        return len(others) > 1 or (bool(others) and any(d.rank == 0 for d in known))

    def ranked_behind(self, symbol: str, rank: int, seen: frozenset[str]) -> None:
        """What `may_have` goes back to: the symbol of another name, and the factors of a product."""
        product = self.facts.products.get(symbol)
        if product is not None:
            for a in product.args[:2] if rank == 0 else ():  # of the factors of a vector, one may be a matrix
                self.ranked(self.facts.shape(a), 1, False, seen)
        elif inner := of_name(symbol):
            self.ranked(unknown(inner), rank, False, seen)

    def block(self, block: Block, before: Callable[[], None] = lambda: None) -> None:
        """A block that may not run; `before` binds what it runs with."""
        outer, self.region = self.region, self.new_region()
        before()
        self.statements(block)
        self.region = outer

    def statements(self, block: Block) -> None:
        for s in block:
            self.statement(s)
            if isinstance(s, ir.If) and (_leaves(s.body) or _leaves(s.orelse)):
                self.region = self.new_region()  # what follows runs only where the branch was not taken

    def statement(self, s: Stmt) -> None:
        facts = self.facts
        for e in ir.expressions(s):
            self.subscripts(e)
            self.solved(e)
            self.ranked_by_rules(e)
            if self.converting:
                self.converted(e)
            if not isinstance(s, ir.If | ir.While) and not (isinstance(s, ir.Inert) and s.keyword == "assert"):
                self.read(e)
        if self.waits and self.is_of_unfilled(s):
            self.waiting = True
            for name in ir.binds(s):
                self.unfilled.add(name)
                self.bound_in.setdefault(name, set()).add(self.region)
            return
        match s:
            case ir.Assign(target=target, value=value):
                if isinstance(value, ir.Dict):
                    self.annotated(zip(value.keys, value.values, strict=True))
                found = facts.of(value)
                if target in self.open_items and isinstance(value, ir.Op) and value.fn == "helper._zeros_like":
                    found = self.of_wholes(found)
                if isinstance(value, ir.Op) and ir.is_update(value):
                    updated = value.args[0]
                    if facts.ndim(updated) and facts.is_array(updated):
                        found = replace(found, shape=facts.shape(updated))  # `v += e` leaves an array its shape
                self.bind(target, found)
                tail = facts.shape(Var(target)).tail
                if isinstance(value, ir.Op) and value.fn in PRODUCTS and tail is not None:
                    facts.products[tail[0]] = value
            case ir.Unpack():
                fact = facts.of(s.value)
                array = None if self.region or s.starred >= 0 else asserted.shaped(s.value)
                if array is not None and facts.of(array).kind in ("float", "int", "bool", "any"):  # m, n = A.shape
                    if facts.ndim(array) is None and s.origin is not None:
                        facts.proofs.add(s.origin)
                    self.ranked(facts.of(array).shape, len(s.targets), proved=True)
                for i, name in enumerate(s.targets):
                    self.bind(name, self.item(fact, i, s))
            case ir.Shrink():
                if (known := facts.names.get(s.array)) is not None and known.length is not None:
                    facts.names[s.array] = replace(known, length=None)
            case ir.Append():
                old = facts.names.get(s.array, Fact("list"))
                fact = replace(facts.of(s.value), length=None, constant=False)
                fact = own_symbols(fact, s.array + "[]", self.varies)
                elem = fact if old.elem is None else join(old.elem, fact, s.array + "[]", facts.shapes)
                if elem != old.elem:
                    self.retold.add(s.array)
                length = self.filled(s.array)
                if elem != old.elem or old.length != length:
                    facts.names[s.array] = replace(old, kind="list", elem=elem, length=length)
            case ir.If():
                self.demand(s.test)
                self.block(s.body)
                self.block(s.orelse)
            case ir.While():
                self.demand(s.test)
                self.block(s.body)
            case ir.For():
                if isinstance(s.iterable, ir.Op) and s.iterable.fn == "builtins.range":
                    for a in s.iterable.args:
                        self.scalar(a, proved=True)

                def targets() -> None:
                    for element in self.loops.get(id(s), ()):
                        self.statement(element)
                    if not self.loops.get(id(s)):
                        self.iterate(s.target, facts.of(s.iterable))

                self.block(s.body, targets)
            case ir.Return():
                self.returned.append(s.value)
            case ir.Store(target=ir.Index(array=array) as target, value=value):
                if facts.of(array).kind in ("float", "any") and facts.is_array(array):
                    rank = facts.ndim(target)
                    if rank == 0:
                        self.scalar(value, proved=False)
                    elif rank and not s.update and fills(value, rank):
                        self.displayed(value, rank)
                self.annotated([(target.key, value)])
                written = s.update or (
                    isinstance(value, ir.Op) and value.form is ir.Form.OPERATOR and value.spelling[1:]
                )
                if written and s.update != "at" and facts.of(array).kind in ("list", "dict") and facts.is_array(target):
                    return  # what lies there is written into, or as good as that: it keeps its shape
                put = facts.of(value)
                several = isinstance(target.key, ir.Slice) and facts.of(array).kind == "list"
                if several and put.kind in ("list", "tuple"):
                    put = element_of(put, facts.shapes, transfer.symbol(value, facts))
                self.put_in(array, replace(put, length=None, constant=False), target.key, s.update)
            case ir.Inert(keyword="assert", values=values):
                self.demand(values[0])
                for e in values[1:]:
                    self.read(e)
                if not self.region:
                    asserted.learn(values[0], facts)

    def annotated(self, put: Iterable[tuple[Expr, Expr]]) -> None:
        """What is put into attributes that their classes annotate as numbers, where `+=` has to know it."""
        for key, value in put:
            if (
                isinstance(key, Const)
                and isinstance(key.value, ir.Attr)
                and f".{key.value}" in self.facts.function.numbers
            ):
                self.scalar(value, proved=False)

    def filled(self, name: str) -> Dim | None:
        """The length of a list that a loop fills."""
        if name not in self.fillings:
            return None
        first, iterable = self.fillings[name]
        try:
            found = {transfer.bound(e, self.facts) for e in grown.trips(iterable)}
        except ValueError:
            return None
        length = found.pop() if len(found) == 1 else None
        if length is None or (isinstance(length, int) and length < 0):
            return None
        return arithmetic("numpy.add", length, first) if first else length

    def take_results_for_numbers(self) -> None:
        """The gradient is that of a number. When all statements have been seen: another path may tell more."""
        facts = self.facts
        for value in self.returned if self.scalar_result else ():
            if self.is_reduced(value):
                continue
            fact = facts.of(value)
            shape = facts.shapes(fact.shape)
            if fact.kind in FLOATING and shape.rank is None:
                for part in shape.parts:
                    if self.may_have(part, 0):
                        self.ranked(part, 0, proved=False)

    def is_reduced(self, e: Expr) -> bool:
        """Whether the sum, the mean or the like is taken of what has the shape of the value that a path returns, in a
        function that returns something else on another path: an array, then, so that the gradient is that of the other
        path, and this one raises."""
        shape = self.facts.shape(e)
        if not any(isinstance(s, ir.Return) and s.value != e for s in ir.statements(self.facts.function.body)):
            return False
        return any(self.facts.shape(a) == shape for a in self.reductions)

    def solved(self, e: Expr) -> None:
        """Between two bounds a function of a number is solved for or integrated, whose values are numbers."""
        match e:
            case ir.Op(fn=fn, args=(ir.Op(fn=ir.NAMED | ir.LAMBDA, args=(call,)), a, b)) if fn in OF_NUMBERS:
                for value in (ir.at_point(call, Const(1.0)), a, b):
                    self.scalar(value, proved=False)

    def ranked_by_rules(self, e: Expr) -> None:
        """Arguments that the rule of a function takes to be vectors or matrices."""
        for n in ir.walk(e):
            for argument, rank in ranked(n):
                self.of_rank(argument, rank, proved=False)

    def converted(self, e: Expr) -> None:
        """What functions of `math` take are numbers, where they run: as good a proof as a truth value.

        (Python still converts an array of one element in an axis, with a DeprecationWarning; so does a test.)
        """
        first, rest = ir.maybe_run(e)
        for part in first:
            self.converted(part)
        if takes_numbers(e):
            for part in first:
                self.scalar(part, proved=True)
        for part in self.numbers_given(e):
            self.scalar(part, proved=True)
        if isinstance(e, ir.Op) and is_of_display(e):
            shape = transfer.display_shape(e.args[0], self.facts)
            if shape is not None and shape.rank is not None:
                self.displayed(e.args[0], shape.rank)
        if rest:
            outer, self.region = self.region, self.new_region()
            for part in rest:
                self.converted(part)
            self.region = outer

    def numbers_given(self, e: Expr) -> list[Expr]:
        """The arguments of a call of a helper that are numbers wherever it returns."""
        if self.facts.calls is None or not isinstance(e, ir.Op) or not e.fn.startswith("local."):
            return []
        given: list[Expr] = self.facts.calls.numbers_given(e)
        return given

    def displayed(self, e: Expr, rank: int) -> None:
        """What stands beside a number in the display of an array is a number: of rows of other ranks NumPy raises."""
        if isinstance(e, ir.Sequence):
            for item in e.items:
                self.displayed(item, rank - 1)
        elif rank == 0:
            self.scalar(e, proved=True)
        else:
            self.of_rank(e, rank, proved=True)

    def put(self, place: Expr, fact: Fact) -> None:
        """What a list or a dict that lies at a place is known to be elsewhere."""
        self.retold |= ir.reads(place)
        if isinstance(place, ir.Index):
            self.put_in(place.array, fact, place.key, "")
        elif isinstance(place, Var) and (old := self.facts.names.get(place.name)) is not None:
            own = own_symbols(fact, place.name, self.varies)
            self.facts.names[place.name] = join(old, own, place.name + "~", self.facts.shapes)

    def copied_shapes(self) -> frozenset[Shape]:
        """The shapes of what is copied: lists, dicts and objects may hold the copies, `Body(pos=np.array(p))`."""
        every = (e for s in ir.statements(self.facts.function.body) for e in ir.nodes(s))
        copies = (e.args[0] for e in every if isinstance(e, ir.Op) and e.fn in ("numpy.array", "numpy.copy") and e.args)
        return frozenset(self.facts.shapes(self.facts.shape(e)) for e in copies)

    def put_in(self, array: Expr, fact: Fact, key: Expr, update: str) -> None:
        """A slot of a list or a dict is bound again: what it holds may be such, too; so may what it lies in hold.

        An item of a parameter that is updated there is taken for a number: a row would be written into.
        """

        copied = self.copied_shapes() if update else frozenset[Shape]()

        def held(shape: Shape) -> None:
            shape = self.facts.shapes(shape)
            for part in shape.parts if update else ():
                of_given = part.tail is not None and part.tail[1] and part.tail[0] in self.given
                if of_given and not part.dims and part not in copied:
                    self.ranked(part, 0, proved=False)

        keys: tuple[Expr, ...] = (key,)
        seen: set[str] = set()  # a list may hold itself
        while True:
            if isinstance(array, Var):
                if array.name in seen:
                    return
                seen.add(array.name)
                old = self.facts.names.get(array.name)
                if old is not None:
                    own = own_symbols(fact, array.name + "[]", self.varies)
                    new = with_item(old, own, keys, array.name + "[]", self.facts.shapes, held)
                    if new != old:
                        self.facts.names[array.name] = new
                        self.retold.add(array.name)
                if array.name not in self.taken_from:
                    return
                array = self.taken_from[array.name]
            match array:
                case ir.Index(array=outer, key=key):
                    array, keys = outer, (key, *keys)
                case _:
                    return

    def subscripts(self, e: Expr) -> None:
        """What is subscripted has an axis for each key."""
        for n in ir.walk(e):
            if isinstance(n, ir.Index) and isinstance(n.array, Var):
                fact = self.facts.of(n.array)
                if fact.kind in ("float", "int", "bool", "any"):
                    keys = ir.key_items(n.key)
                    plain = [k for k in keys if k not in (ir.NONE, ir.ELLIPSIS) and not is_open_mask(k, self.facts)]
                    if not self.may_be_asked(fact.shape):
                        self.facts.shapes.demand_axes(fact.shape, len(plain))

    def may_be_asked(self, shape: Shape) -> bool:
        """Whether this region may run only where a test has said what a value is: on the other path it is another."""
        shape = self.facts.shapes(shape)
        symbol = shape.tail[0] if shape.tail is not None else ""
        if not self.region or not symbol:
            return False
        if self.holders.get(symbol, set()) & self.asked:
            return True
        shapes = (self.facts.shapes(fact.shape) for n in self.asked if (fact := self.facts.names.get(n)) is not None)
        return any(p.tail is not None and p.tail[0] == symbol for s in shapes for p in s.parts)

    def item(self, fact: Fact, i: int, s: ir.Unpack) -> Fact:
        if i == s.starred:
            return Fact("list", unknown(s.targets[i]), element_of(fact, self.facts.shapes, s.targets[i]))
        place = ir.Index(s.value, Const(i - len(s.targets) if 0 <= s.starred < i else i))
        if s.starred >= 0 and fact.items and i > s.starred:
            i += len(fact.items) - len(s.targets)
        if fact.items and i < len(fact.items):
            return fact.items[i]
        if fact.elem is not None:
            return transfer.item_of_copy(one_item(fact.elem, s.targets[i]), place, self.facts)
        if isinstance(s.value, ir.Op) and i in numbers.REAL_PARTS.get(s.value.fn, ()):
            return Fact("any", unknown(s.targets[i]))
        if isinstance(s.value, Var | ir.Index) and transfer.is_open(s.value, fact, self.facts):
            stated = isinstance(s.value, Var) and s.value.name in self.facts.of_numbers
            return Fact("any", SCALAR if stated else transfer.opaque(place, self.facts), number=fact.number)
        first = self.facts.shapes.split_first(fact.shape)
        if fact.kind in ("float", "int", "bool", "any") and first is not None:
            return Fact(fact.kind, first[1], number=fact.number)
        return Fact("any", unknown(s.targets[i]), number=numbers.upper(fact))

    def iterate(self, target: Expr, fact: Fact) -> None:
        if isinstance(target, Var):
            self.bind(target.name, element_of(fact, self.facts.shapes, target.name))
        else:
            for i, t in enumerate(ir.children(target)):
                inner = element_of(fact, self.facts.shapes, "?")
                self.iterate_item(t, inner, i)

    def iterate_item(self, target: Expr, fact: Fact, i: int) -> None:
        item = fact.items[i] if i < len(fact.items) else replace(ANY, number=numbers.upper(fact))
        for name in ir.target_names(target):
            inner = replace(ANY, shape=unknown(name), number=numbers.upper(item))
            self.bind(name, item if isinstance(target, Var) else inner)


def fills(e: Expr, rank: int) -> bool:
    """Whether a display has a level for each axis of what it is put into, so that its items are numbers: no axis of
    theirs would fit behind one of several items."""

    def levels(e: Expr, count: int) -> bool:
        if count == 0:
            return True
        return isinstance(e, ir.Sequence) and not e.starred and all(levels(item, count - 1) for item in e.items)

    return isinstance(e, ir.Sequence) and len(e.items) > 1 and levels(e, rank)


def is_of_display(e: Expr) -> bool:
    """np.array([a, [b, c]]), but not of objects."""
    if not isinstance(e, ir.Op) or e.fn not in ("numpy.array", "numpy.asarray"):
        return False
    objects = any(key == "dtype" and "object" in ir.Printer()(value) for key, value in e.options)
    return bool(e.args) and isinstance(e.args[0], ir.Sequence) and not objects


def ranked(e: Expr) -> list[tuple[Expr, int]]:
    """The arguments of a call that are taken to be vectors or matrices: by its rule; and by `max(x)`, which gives one
    of several rows, as lists are ordered, but is differentiated as that of numbers."""
    if not isinstance(e, ir.Op):
        return []
    largest = e.fn in ("builtins.max", "builtins.min") or (e.fn in EXTREMES and not e.spelling)
    if largest and len(e.args) == 1 and not e.options:
        return [(e.args[0], 1)]
    if e.fn.startswith(rules.NAMESPACES) and (rule := rules.lookup(e.fn)):
        with contextlib.suppress(rules.RuleError):  # refused later, with its place
            return list(rule.ranked(e))
    return []


EXTREMES = ("numpy.max", "numpy.min")  # as lowering writes `max(items)`: the user has not spelled it


def takes_numbers(e: Expr) -> bool:
    """Whether a call takes numbers only: `min(a, b)` takes the truth value of a comparison of its arguments."""
    if not isinstance(e, ir.Op):
        return False
    if e.fn in ("builtins.min", "builtins.max"):
        return len(e.args) > 1
    return e.fn.startswith("math.") and e.fn not in ITERATING


def momentary(f: ir.Function) -> set[str]:
    """Temporaries that are read before any variable is bound again: a symbol of a variable means the same to them."""
    definitions = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    reads = Counter(n for s in ir.statements(f.body) for e in ir.expressions(s) for n in ir.reads(e))
    found: set[str] = set()
    for block in ir.every_block(f.body):
        for _, run in groupby(block, key=lambda s: id(s.origin)):
            *before, last = run
            names = {n for s in before for n in ir.binds(s)}
            inside = Counter(n for s in (*before, last) for e in ir.expressions(s) for n in ir.reads(e))
            if all(isinstance(s, ir.Assign) for s in before) and all(
                definitions[n] == 1 and inside[n] == reads[n] for n in names
            ):
                found |= names
    return found


def own_symbols(fact: Fact, name: str, varies: Callable[[str], bool], momentary: bool = False) -> Fact:
    """`fact` as that of the variable `name`: symbols that are good for a moment only become the variable's.

    Those are what is known of one evaluation ("?"), and the shapes of variables with several definitions ("~"). The
    items of a list ("[]") outlive the iteration that made them: a symbol that varies from one to the next becomes
    theirs, and each item that is read has a shape of its own (`one_item`).
    """
    if fact.shape == SCALAR and fact.length is None and not fact.items and fact.elem is None:
        return fact

    def own(symbol: str) -> str:
        if symbol.startswith("?"):  # what is called may give something else the next time
            return symbol if momentary and "(" not in symbol else f"{name}:{symbol[1:]}"
        if name.endswith("[]") and "[]" not in symbol and varies(symbol):
            return f"{name}:{symbol}"
        return f"{name}:{symbol}" if "~" in symbol and not momentary and not symbol.startswith(name + ":") else symbol

    length = None if fact.length is None else renamed(fact.length, own)
    items = tuple(own_symbols(f, f"{name}[{i}]", varies) for i, f in enumerate(fact.items))
    elem = fact.elem and own_symbols(fact.elem, name + "[]", varies)
    return replace(fact, shape=fact.shape.renamed(own), length=length, items=items, elem=elem)


def with_symbols(f: Fact, of: Callable[[str], str]) -> Fact:
    """The fact with each symbol of a length, and of a shape, replaced."""
    return replace(
        f,
        shape=f.shape.renamed(of),
        length=None if f.length is None else renamed(f.length, of),
        items=tuple(with_symbols(i, of) for i in f.items),
        elem=f.elem and with_symbols(f.elem, of),
    )


def one_item(elem: Fact, symbol: str) -> Fact:
    """The fact of an item that is read from a list: where the items may differ, its shape is its own."""

    def own(name: str) -> str:
        return f"?{symbol.lstrip('?=')}~{name}" if "[]" in name else name

    def item(f: Fact) -> Fact:
        inner = f.elem and item(f.elem)
        return replace(f, shape=f.shape.renamed(own), length=None, items=tuple(map(item, f.items)), elem=inner)

    return item(elem)


def given_root(e: Expr) -> str:
    """The name that an expression is, or of which it reads an item or a part; "" where it is another one."""
    while isinstance(e, ir.Index):
        e = e.array
    return e.name if isinstance(e, Var) else ""


def split_from(fact: Fact) -> str:
    """The symbol of a caller's value, in a function that is called with it: of what may be a list, or of what a list
    has its items of, all of them, for it is a copy."""
    if fact.kind == "any" and fact.shape.tail is not None and not fact.shape.dims:
        return fact.shape.tail[0].lstrip("=?") if fact.shape.tail[1] == 0 else ""
    tail = fact.elem.shape.tail if fact.kind == "list" and fact.elem is not None else None
    return tail[0].lstrip("=?") if tail is not None and tail[1] == 1 else ""


def leaves(fact: Fact) -> list[Fact]:
    """The facts of what lies in a container, and in those inside."""
    if fact.kind == "list" and fact.elem is not None:
        return leaves(fact.elem)
    if fact.kind in aliases.CONTAINERS and fact.items:
        return [leaf for part in fact.items for leaf in leaves(part)]
    return [fact]


def is_open_mask(key: Expr, facts: Facts) -> bool:
    """Whether a key is a mask that may be of rank 0: an array of rank 0 takes that, too."""
    return not isinstance(key, ir.Slice) and facts.of(key).kind == "bool" and not facts.is_array(key)


def is_uniform(elem: Fact) -> bool:
    """Whether all items of a list are proved to have one shape."""
    return not any("[]" in x for x in symbols(elem))


def symbols(fact: Fact) -> set[str]:
    """All symbols of a fact."""
    found = fact.shape.symbols() | {x for f in (*fact.items, *([fact.elem] if fact.elem else [])) for x in symbols(f)}
    return found | {fact.length.symbol} if isinstance(fact.length, Length) else found


ASKING = {f"builtins.{n}" for n in ("isinstance", "type", "hasattr", "callable")} | {
    "numpy.ndim",
    "numpy.isscalar",
    "numpy.iterable",
    "ndim",
}


PRODUCTS = ("numpy.matmul", "numpy.dot")
MEASURING = {"numpy.shape", "numpy.size", "shape", "size"}


def of_open_items(f: ir.Function) -> set[str]:
    """Names of which a part of an item is asked for, `z[i]["v"]`, or whose items are added to others as wholes."""
    every = list(ir.statements(f.body))
    items = {s.target: s.value for s in every if isinstance(s, ir.Assign) and isinstance(s.value, ir.Index)}
    places: list[Expr] = []
    for n in (n for s in every for n in ir.nodes(s)):
        match n:
            case ir.Index(array=array):
                places.append(array)
            case ir.Op(fn="helper._added", args=args):
                places += args
    found: set[str] = set()
    for e in places:
        match items.get(e.name) if isinstance(e, Var) else e:
            case ir.Index(array=Var(name=name)):
                found.add(name)
    return found


def asked_for_kind(f: ir.Function) -> set[str]:
    """Names of which a function asks whether they hold numbers, arrays or something else; a test, of what size, or
    what a function of the user's says of them: `if is_scalar(x)`."""

    def asked(e: Expr, by: set[str]) -> set[str]:
        found: set[str] = set()
        for n in ir.walk(e):
            match n:
                case ir.Op(fn=name, args=(of, *_)) | ir.Attribute(name=name, value=of) if name in by:
                    found |= set(ir.reads(of))
        return found

    found: set[str] = set()
    for s in ir.statements(f.body):
        for e in ir.expressions(s):
            found |= asked(e, ASKING | MEASURING if isinstance(s, ir.If) else ASKING)
            for n in ir.walk(e):
                if isinstance(n, ir.Op) and n.fn == "operator.ifexp":
                    found |= asked(n.args[0], MEASURING)
            for n in ir.walk(e) if isinstance(s, ir.If) else ():
                if isinstance(n, ir.Op) and n.fn.startswith("local."):
                    found |= {a.name for a in n.args if isinstance(a, Var)}
    return found


def head_name(symbol: str) -> str:
    """The variable that a symbol belongs to, "" where it is that of an expression."""
    found = re.match(r"\w+", symbol)
    return found[0] if found else ""


def of_name(symbol: str) -> str:
    """The symbol behind that of a variable, or of the items of a list: `=x @ x` of `e[]:=x @ x`; "" where there is
    none."""
    name, _, inner = symbol.partition(":")
    return inner if inner and re.fullmatch(r"[\w\[\]~]+", name) else ""


def _leaves(block: Block) -> bool:
    """Whether some path through a block raises, returns or leaves a loop."""
    return any(
        isinstance(s, ir.Return | ir.Break) or (isinstance(s, ir.Inert) and s.keyword == "raise")
        for s in ir.statements(block)
    )


def element_of(fact: Fact, shapes: Shapes, symbol: str) -> Fact:
    """The fact of one item of what is iterated over."""
    if fact.kind == "range":
        return INT
    if fact.elem is not None:
        return one_item(fact.elem, symbol)
    if fact.kind == "tuple" and fact.items:
        out = fact.items[0]
        for f in fact.items[1:]:
            out = join(out, f, symbol, shapes)
        return replace(out, length=None, constant=False)
    if fact.whole:
        return Fact("any", unknown(symbol), number=numbers.upper(fact), whole=True)
    first = shapes.split_first(fact.shape)
    if first is not None and fact.kind in ("float", "int", "bool", "any"):
        return Fact(fact.kind, first[1], number=fact.number)
    return Fact("any", unknown(symbol), number=numbers.upper(fact))


def literal(e: Expr) -> object:
    """The value of a literal expression, for axis, keys and the like; raises ValueError where it is not one."""
    match e:
        case Const():
            return e.value
        case ir.Op(fn="numpy.negative", args=(Const(value=v),)):
            return -v
        case ir.Sequence(kind="tuple" | "list", items=items):
            return tuple(literal(i) for i in items)
    raise ValueError("not a literal")


__all__ = [
    "ANY",
    "BOOL",
    "FLOAT",
    "INT",
    "Fact",
    "Facts",
    "Length",
    "collect",
    "element_of",
    "is_open_mask",
    "is_uniform",
    "join",
    "leaves",
    "literal",
    "one_item",
    "slice_length",
]

from s2s.analysis import transfer  # noqa: E402 (the rules for expressions need what stands above)
