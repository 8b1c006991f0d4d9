"""Helper functions: what their results are, and which of their derivatives the output needs.

A helper gets a joint reverse by default: `_f_rev(args, out_bar)` runs its own two sweeps and returns the cotangents of
its active arguments. In forward mode `_f_jvp(args, dots)` returns value and tangent.
"""

from __future__ import annotations

import ast
import functools
import json
import keyword
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from s2s import ir, rules
from s2s.analysis import activity, aliases, counts, diagonals, facts, ifs, loops, sparse, tuples, webs, zeros
from s2s.analysis.aliases import CONTAINERS, is_view_without_axes
from s2s.analysis.containers import Handed, Items, is_zeros, keys_of_items, of_themselves, root_of, taken_as
from s2s.analysis.facts import ANY, Fact, Facts, join
from s2s.analysis.numbers import COMPLEX, EITHER, REAL, is_source, upper
from s2s.analysis.shapes import SCALAR, Shape, Shapes, unknown
from s2s.analysis.tangles import tangled
from s2s.derive import handing, outside, scopes, updates
from s2s.derive.owned import all_arguments, is_size, rebound_items, same_object
from s2s.derive.refusals import SHAPES, refuse
from s2s.errors import Diagnostic, S2SError
from s2s.frozen import replace
from s2s.ir import Expr, Op, Origin, Var
from s2s.rules import effects

if TYPE_CHECKING:
    from s2s.derive.context import Context


class Source(Protocol):
    functions: Mapping[str, Any]
    constants: Mapping[str, str]
    imports: Mapping[str, str]
    other_names: set[str]
    complex_values: frozenset[str]
    sparse_values: frozenset[str]
    array_values: Mapping[str, str]
    function_tables: frozenset[str]
    uses_sparse: bool

    def function(self, name: str) -> ir.Function: ...
    def is_made(self, key: str) -> bool: ...
    def is_constant(self, path: str) -> bool: ...
    def why_not(self, path: str) -> str: ...
    def classes_with(self, attribute: str) -> list[str]: ...
    def has_own_items(self) -> bool: ...
    def operator_marks(self) -> list[str]: ...
    def placed(self, key: str, fault: S2SError) -> S2SError: ...
    def add_copy(self, name: str, of: str, copy: ir.Function) -> None: ...
    def gradient(self, key: object) -> str: ...


CONSTANTS = ("pi", "e", "inf", "nan")  # numbers of both `math` and `numpy`
# What constants of the module are made with, so that the shapes of arrays among them are known.
OF_CONSTANTS = ("array", "asarray", "float64", "sqrt", "exp", "log", "sin", "cos", "tan", "deg2rad", "radians")
SIZED = ("zeros", "ones", "full", "eye", "identity", "arange", "linspace")
NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")  # a number of a text


@dataclass(frozen=True)
class Prepared:
    """A function after normalise: webs split, loops over indices."""

    function: ir.Function
    base: dict[str, str]
    headers: dict[int, loops.Header]
    original: ir.Function
    either: frozenset[Origin] = frozenset()  # see `updates.of_either_kind`


@dataclass(eq=False)
class Wanted:
    """A derivative of a helper that the output needs."""

    helper: str
    name: str
    mode: str  # "rev", "jvp", or "grad": the reverse from 1.0, of a number
    active: tuple[str, ...]
    written: tuple[str, ...] = ()  # parameters whose cotangents are changed in place: the helper writes into them, or
    # reads parts of them, see `Pull.added_to`
    left_out: frozenset[str] = frozenset()  # of these, the ones that the derivative is not given: it does not read them
    requests: list[dict[str, Fact]] = field(default_factory=list)
    masked: bool = False  # whether a call hands over a cotangent that is zero where no branch was taken: see `Adjoint`

    @property
    def given_bars(self) -> tuple[str, ...]:
        """Active parameters whose cotangents are given, and changed in place."""
        return tuple(p for p in self.active if p in self.written)

    @property
    def increments(self) -> tuple[str, ...]:
        """Active parameters whose cotangents are returned."""
        return tuple(p for p in self.active if p not in self.written)


class GradientWanted(Exception):
    """A derivative needs that of a gradient, which has to be a function of the program first: see `Calls.gradient`."""

    def __init__(self, wanted: Wanted, key: object) -> None:
        super().__init__(wanted.name)
        self.wanted, self.key = wanted, key


LeftOut = dict[tuple[object, ...], frozenset[str]]  # for derivatives of helpers, by key: see `Wanted`
Lists = frozenset[tuple[str, str]]  # helpers, and their parameters that are lists in some calls only


# What a default makes once, and each call draws from.
STATEFUL = sorted({m.rpartition(".")[2] for m in effects.MAKERS} | {"iter", "count", "cycle"})


TakenFor = Literal["counts", "generators", "keyed", "exchanged", "compared"]
TAKEN_FOR: Mapping[TakenFor, Callable[[ir.Function, counts.Counted], frozenset[str]]] = {
    "counts": counts.counts,
    "generators": effects.generators,
    "keyed": counts.keyed,
    "exchanged": counts.exchanged,
    "compared": counts.compared,
}
# the fact of a result, the assumptions that were given up for it, and what is `restructured`
Under = tuple[Fact, dict[str, tuple[dict[str, Fact], Fact]], frozenset[str]]


@dataclass
class Calls:
    source: Source
    taken: set[str] = field(default_factory=set)
    stated: dict[str, dict[str, Fact]] = field(default_factory=dict)
    prepared: dict[tuple[str, *tuple[object, ...]], Prepared] = field(default_factory=dict)
    held: dict[str, tuple[frozenset[str], frozenset[str], Items]] = field(default_factory=dict)  # see `holding`
    keyed: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)  # see `read_under`
    taken_by_use: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)  # see `taken_for`
    parted: dict[str, frozenset[str]] = field(default_factory=dict)  # see `read_in_parts`
    asked_of_numbers: dict[str, frozenset[str]] = field(default_factory=dict)  # see `numbers_given`
    writers: dict[str, frozenset[str]] = field(default_factory=dict)
    effects: dict[object, tuple[frozenset[str], dict[str, int], frozenset[str]]] = field(default_factory=dict)
    handing: dict[str, frozenset[str]] = field(default_factory=dict)  # see `handing.handed_back`
    of_module: dict[tuple[str, bool], frozenset[str]] = field(default_factory=dict)  # see `module_parts`
    module_writers: dict[str, frozenset[str]] = field(default_factory=dict)  # see `module_writes`
    handed_here: dict[object, frozenset[str]] = field(default_factory=dict)  # the same by the keys of `results`
    found_for: dict[object, Facts] = field(default_factory=dict)  # the facts of helpers, by the keys of `results`
    drawing: dict[str, bool] = field(default_factory=dict)  # see `draws`
    speaking: dict[str, bool] = field(default_factory=dict)  # see `speaks`
    diverging: dict[str, bool] = field(default_factory=dict)  # see `has_pole`
    viewing: dict[str, bool] = field(default_factory=dict)  # see `takes_views`
    adding: dict[str, bool] = field(default_factory=dict)  # see `joins`
    listing: dict[str, bool] = field(default_factory=dict)  # the same
    joining: dict[object, bool] = field(default_factory=dict)  # the same, by the keys of `results`
    copies: dict[str, str] = field(default_factory=dict)  # see `quiet`
    results: dict[object, Fact] = field(default_factory=dict)
    tangled_alone: dict[str, bool] = field(default_factory=dict)  # see `tangled_by_itself`
    tangles: dict[object, bool] = field(default_factory=dict)  # see `tangled`, by the keys of `results`
    wanted: dict[tuple[object, ...], Wanted] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)
    preparing: list[str] = field(default_factory=list)
    reached: dict[str, frozenset[str]] = field(default_factory=dict)  # see `reaching`
    cyclic: dict[str, bool] = field(default_factory=dict)  # whether a function calls itself
    assumed: dict[str, tuple[dict[str, Fact], Fact]] = field(default_factory=dict)  # see `recursive_result`
    reentered: set[str] = field(default_factory=set)  # functions whose inner calls are looked at apart, once
    under: dict[object, Under] = field(default_factory=dict)  # see `recursive_result`
    # functions that call themselves and return structures of what is not known, with the kinds of these
    unsettled: dict[str, set[str]] = field(default_factory=dict)
    restructured: set[str] = field(default_factory=set)  # those that give themselves other lists than they are given
    left_out: LeftOut = field(default_factory=dict)
    lists: Lists = frozenset()

    def prepare(
        self,
        name: str,
        stores: frozenset[Origin] = frozenset(),
        guarded: frozenset[Origin] = frozenset(),
        anew: frozenset[Origin] = frozenset(),
        keyed: frozenset[tuple[Origin, str, str]] = frozenset(),
    ) -> Prepared:
        """A function ready for analysis; its statements `x += e` of these origins are stores, or bind the slot of a
        list anew (see `updates`); its loops of the origins of `keyed` run over these dicts."""
        key = (name, stores, guarded, anew, keyed)
        if key not in self.prepared:
            if stores or anew or keyed:
                original = updates.as_meant(self.prepare(name).original, stores, guarded, anew)
                original = loops.over_keys(original, keyed, _names(original))
            else:
                original = diagonals.apart(rebound_items(ifs.write_out(self.source.function(name))))
            taken = {original.name, *original.names}
            f, base = webs.split(original, taken | _names(original))
            f = parts_named(tuples.take_apart(f))
            f, headers = loops.index_loops(f, _names(f) | _names(original))
            self.preparing.append(name)
            body = self.expand(f)
            self.preparing.pop()
            for old, new in zip(ir.statements(f.body), ir.statements(body), strict=True):
                if id(old) in headers and old is not new:
                    headers[id(new)] = headers.pop(id(old))
            self.prepared[key] = Prepared(replace(f, body=body), base, headers, original)
        return self.prepared[key]

    def settled(
        self,
        name: str,
        given: dict[str, Fact],
        outputs: Iterable[str] = (),
        shapes: Shapes | None = None,
        scalar_result: bool = False,
        either: frozenset[Origin] = frozenset(),
        numbers: frozenset[Origin] = frozenset(),
        arrays: frozenset[Origin] = frozenset(),
    ) -> tuple[Prepared, Facts, list[Diagnostic]]:
        """A function with the facts of its parameters, its updates in place as stores, and what is refused.

        either: updates that are taken for stores, whatever they are.
        numbers: updates of what is asserted to be numbers, which bind slots anew.
        arrays: updates of what is asserted to be arrays, be they of rank 0: no item is taken for a number then.
        """
        stores, guarded, anew = either | arrays, numbers | arrays, numbers
        every = ir.statements(self.prepare(name).function.body) if arrays else ()
        slots = bool(arrays) and not any(handing.is_update(s) and s.origin in arrays for s in every)
        keyed: frozenset[tuple[Origin, str, str]] = frozenset()
        taken: dict[str, int] = {}
        dicts = {p: fact for p, fact in given.items() if fact.keyed}
        given = {p: fact for p, fact in given.items() if p not in dicts}  # of such a dict it finds out itself
        while True:
            prepared = self.prepare(name, stores, guarded, anew, keyed)
            f = prepared.function
            known = shapes.copy() if shapes else None
            found = facts.collect(f, given | self.constants(f), self, known, scalar_result, arrays_made=slots)
            found.any_rank = bool(arrays)
            found.dicts = dicts
            more, asserted, bound, problems = updates.meant(f, found, prepared.base, self, outputs)
            taken |= found.arrays
            found.arrays |= taken  # what was assumed to make stores of them
            over = dicts_run_over(prepared, found, given)
            if more <= stores and bound <= anew and over <= keyed:
                found.settled = True
                return replace(prepared, either=either), found, problems
            stores, guarded, anew, keyed = stores | more, guarded | asserted, anew | bound, keyed | over

    # ------------------------------------------------------------ helpers that write into their arguments
    def maybe_written(self, call: Op) -> list[Expr]:
        """The arguments of a helper call that it may write into, whatever they are."""
        names = self.writes(call.fn[6:])
        return [e for p, e in self.given(call).items() if p in names]

    def writes(self, name: str) -> frozenset[str]:
        """Parameters of a helper that it may write into, whatever they are; for helpers that call each other, too."""
        if name not in self.source.functions:
            return frozenset()
        if name not in self.writers:
            cycle = self.cycle(name)
            texts = {n: webs.split(updates.of_new_values(self.prepare(n).original))[0] for n in cycle or [name]}
            texts = {n: _with_own_lists(f) for n, f in texts.items()}
            self.find_writes(texts)
            if not any(self.writers[n] for n in texts):
                return self.writers[name]
            inner = {n for f in texts.values() for n in _called(f)} & self.source.functions.keys()
            if inner:  # what these return shares memory with what they may hand back only
                handed = functools.partial(handing.handed, self)
                self.find_writes({n: _with_results_of(inner, f, handed) for n, f in texts.items()})
                for n in texts:
                    self.handing.pop(f"local.{n}", None)
                self.handed_here.clear()
        return self.writers[name]

    def writes_items(self, name: str, parameter: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a helper that may write into a parameter may write into an item of it: deeper, under another name, or
        in another helper."""
        if name in seen or name not in self.source.functions:
            return False
        f = self.prepare(name).function
        classes = aliases.classes(f, None, self, updates=True)
        own = classes.get(parameter, frozenset())
        for s in ir.statements(f.body):
            match s:
                case ir.Store(target=ir.Index(array=array) as target) if ir.written_name(target) in own:
                    if array != ir.Var(parameter):
                        return True
            for call in ir.helper_calls(*ir.expressions(s)):
                inner = call.fn[6:]
                for p, e in self.given(call).items():
                    if p not in self.writes(inner) or not own & ir.reads(e):
                        continue
                    if e != ir.Var(parameter) or self.writes_items(inner, p, seen | {name}):
                        return True
        return False

    def find_writes(self, texts: dict[str, ir.Function]) -> None:
        """texts: a function, or all those that call each other: what a call of one of them adds, more rounds find."""
        found = dict.fromkeys(texts, frozenset[str]())
        before = None
        while found != before:
            before = found
            self.writers |= found
            found = {
                n: frozenset(f.names) & {ir.root_name(m) for m in aliases.classes(f, None, self, updates=True)}
                for n, f in texts.items()  # d, where `d["u"]` has another name
            }

    def draws(self, name: str) -> bool:
        """Whether a helper, or one that it calls, draws random numbers, so that another run is another one."""
        return self.holds(name, self.drawing, effects.draws)

    def speaks(self, name: str) -> bool:
        """Whether a helper, or one that it calls, prints, logs or warns."""
        return self.holds(name, self.speaking, effects.speaks)

    def takes_views(self, name: str) -> bool:
        """Whether a helper, or one that it calls, may take a view of rank 0 of an array with axes."""

        def asked(f: ir.Function, inner: frozenset[str]) -> bool:
            found = (n for s in ir.statements(f.body) for n in ir.nodes(s))
            return any(is_view_without_axes(n) or (isinstance(n, Op) and n.fn in inner) for n in found)

        return self.holds(name, self.viewing, asked)

    def has_pole(self, fn: str) -> bool:
        """Whether a call is that of a helper whose value may be infinite, as far as its operations tell."""

        def asked(f: ir.Function, inner: frozenset[str]) -> bool:
            found = (n for s in ir.statements(f.body) for n in ir.nodes(s) if isinstance(n, Op))
            return any(n.fn in inner or zeros.has_pole(n) for n in found)

        return fn.startswith("local.") and self.holds(fn[6:], self.diverging, asked)

    def holds(self, name: str, known: dict[str, bool], asked: Callable[[ir.Function, frozenset[str]], bool]) -> bool:
        """Whether something is so of a helper, given the helpers of which it is so: those that it calls are asked."""
        if name not in self.source.functions:
            return False
        if name not in known:
            texts = {n: self.source.function(n) for n in self.cycle(name) or [name]}
            known |= dict.fromkeys(texts, False)
            inner = {n for f in texts.values() for n in _called(f) if self.holds(n, known, asked)}
            found = any(asked(f, frozenset(f"local.{n}" for n in inner)) for f in texts.values())
            known |= dict.fromkeys(texts, found)  # each calls all of them
        return known[name]

    def runs_once(self, name: str) -> bool:
        """Whether a call of a helper is to be run where the primal runs it, and not again."""
        return self.draws(name) or self.speaks(name)

    def quiet(self, name: str) -> str:
        """A copy of a helper that gives no output, for its reverse: the forward sweep has printed it."""
        if not self.speaks(name):
            return name
        if name not in self.copies:
            text = f"_{name.rpartition('.')[2].strip('_')}_quiet"
            while text in self.taken:
                text += "_"
            self.taken.add(text)
            self.copies[name] = text
            f = effects.hushed(self.source.function(name), self.quiet_call)
            doc = f"{f.name}({', '.join(f.names)}), without its output."
            self.source.add_copy(text, name, replace(f, docstring=doc))
        return self.copies[name]

    def quiet_call(self, name: str) -> str:
        """What is called instead of a helper; "" where nothing need be but for its output."""
        return self.quiet(name) if not self.speaks(name) or self.writes(name) or self.has_result(name) else ""

    def holding(self, call: Op) -> Handed:
        """What a helper does with the arguments of a call, by its text."""
        name = call.fn[6:]
        if name not in self.source.functions:
            return Handed()
        held, arrays, items = self.taken_with_items(name)
        f = self.prepare(name).function
        given = self.given(call)
        inside: list[Expr] = [e for p, e in given.items() if p in held]
        for p, i in sorted(items):  # of a tuple that is put together for the call
            match given.get(p):
                case ir.Sequence(items=shown, starred=starred) if not starred and i < len(shown):
                    inside.append(shown[i])
        for part in sorted(held):  # of an object that is handed on whole
            e = given.get(ir.root_name(part)) if ir.is_part(part) else None
            for key in ir.keys_of(part):
                match e:
                    case Var(name=owner):
                        e = Var(ir.part_name(owner, key))
                    case ir.Dict(keys=keys, values=values):
                        e = next((v for k, v in zip(keys, values, strict=True) if k == ir.Const(key)), None)
            if isinstance(e, Var) and ir.is_part(e.name):
                inside.append(e)
        keyed = [e for p, e in given.items() if entries(f, p)]
        under = [(given[p], given[k]) for p, k in self.read_under(name) if p in given and k in given]
        return Handed(inside, [e for p, e in given.items() if p in arrays], keyed, under)

    def read_under(self, name: str) -> frozenset[tuple[str, str]]:
        """The parameters of a helper of which it reads what lies under another one, with these: `return d[key]`."""
        if name not in self.keyed:
            self.keyed[name] = frozenset()  # what a call of itself adds is not asked
            f = self.prepare(name).function
            found: set[tuple[Expr, Expr]] = set()
            for e in (n for s in ir.statements(f.body) for n in ir.nodes(s)):
                match e:
                    case ir.Index(array=array, key=key):
                        found.add((array, key))
                    case Op(fn=fn) if fn.startswith("local.") and fn[6:] in self.source.functions:
                        given = self.given(e)
                        inner = self.read_under(fn[6:])
                        found |= {(given[p], given[k]) for p, k in inner if p in given and k in given}
            own = {Var(n) for n in f.names} - {Var(n) for s in ir.statements(f.body) for n in ir.binds(s)}
            self.keyed[name] = frozenset((p.name, k.name) for p, k in found if p in own and k in own)
        return self.keyed[name]

    def read_by_entries(self, call: Op) -> list[Expr]:
        """The arguments of a helper's call of which it reads entries, and nothing else."""
        if call.fn[6:] not in self.source.functions:
            return []
        f = self.prepare(call.fn[6:]).function
        nodes = [e for s in ir.statements(f.body) for e in ir.nodes(s)]
        used = ir.uses(ir.statements(f.body))
        read = Counter(e.array.name for e in nodes if isinstance(e, ir.Index) and isinstance(e.array, Var))
        bound = {n for s in ir.statements(f.body) for n in ir.binds(s)}
        return [e for p, e in self.given(call).items() if p not in bound and used[p] == read[p]]

    def read_in_parts(self, name: str) -> frozenset[str]:
        """The parameters of a helper of which it reads parts under keys, and nothing else: what its reverse does with
        their adjoints is to add to parts of them."""
        if name not in self.parted:
            self.parted[name] = frozenset()  # for helpers that call this one in their turn
            f = self.prepare(name).function
            every = [e for s in ir.statements(f.body) for e in ir.expressions(s)]
            mirrored = {root_of(n) for e in every for n in ir.walk(e) if is_zeros(n)}
            nodes = [n for e in every for n in read_for_values(e)]
            used = Counter(e.name for e in nodes if isinstance(e, Var))
            read = Counter(e.array.name for e in nodes if isinstance(e, ir.Index) and isinstance(e.array, Var))
            handed = [
                (call.fn[6:], q, e.name)
                for call in nodes
                if isinstance(call, Op) and call.fn.startswith("local.") and call.fn[6:] in self.source.functions
                for q, e in self.given(call).items()
                if isinstance(e, Var)
            ]
            bound = {n for s in ir.statements(f.body) for n in ir.binds(s)}
            found = frozenset(n for n in f.names if n not in bound) - self.writes(name)
            found -= self.takes(name)[0] - mirrored
            before: frozenset[str] | None = None
            while found != before:  # what it hands to itself is read as it is here
                before = found
                on = Counter(
                    n for inner, q, n in handed if q in (before if inner == name else self.read_in_parts(inner))
                )
                found = frozenset(n for n in before if used[n] == read[n] + on[n] > 0)
            self.parted[name] = found
        return self.parted[name]

    def may_give_list(self, name: str, p: str) -> bool:
        """Whether the reverse of a helper may give a list, a dict or an object for a parameter."""
        return p in self.takes(name)[0] or (name, p) in self.lists

    def takes(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """The parameters of a helper, and parts of them, that it takes for containers, and those taken for arrays."""
        return self.taken_with_items(name)[:2]

    def taken_with_items(self, name: str) -> tuple[frozenset[str], frozenset[str], Items]:
        """`takes`, and the items of parameters that are dicts."""
        if name not in self.held:
            f = self.prepare(name).function
            given = lambda call: self.given(call) if call.fn == f"local.{name}" else {}  # noqa: E731
            self.held[name] = of_themselves(f, given), frozenset(), frozenset()  # for its calls of itself
            self.held[name] = taken_as(f, self.holding, self.constants(f))
        return self.held[name]

    def open_parameters(self, f: ir.Function) -> frozenset[str]:
        """The parameters of a function that may be lists, tuples, dicts or objects, by its text."""
        return taken_as(f, self.holding, self.constants(f))[0]

    def taken_for(self, name: str, kind: TakenFor) -> frozenset[str]:
        """The parameters of a function that are taken for something, by what it does with them, and what helpers do."""
        if (name, kind) not in self.taken_by_use:
            self.taken_by_use[name, kind] = frozenset()  # what a call of itself adds is not asked
            f = self.prepare(name).function
            self.taken_by_use[name, kind] = TAKEN_FOR[kind](f, lambda call: self.given_for(call, kind))
        return self.taken_by_use[name, kind]

    def given_for(self, call: Op, kind: TakenFor) -> list[Expr]:
        """The arguments of a call that the helper takes for that."""
        names = self.taken_for(call.fn[6:], kind) if call.fn[6:] in self.source.functions else ()
        return [e for p, e in self.given(call).items() if p in names] if names else []

    def counts(self, name: str) -> frozenset[str]:
        """The parameters of a function that are numbers of things: see `counts`."""
        return self.taken_for(name, "counts")

    def generators(self, name: str) -> frozenset[str]:
        """The parameters of a function that are generators of random numbers: see `effects.generators`."""
        return self.taken_for(name, "generators")

    def compared(self, name: str) -> frozenset[str]:
        """The parameters of a function of which only the items are compared: see `counts.compared`."""
        return self.taken_for(name, "compared")

    def numbers_asserted(self, f: ir.Function) -> frozenset[str]:
        """The parameters of a function that are taken for whole numbers, which the output asserts."""
        return counts.asserted(f, self.given_for)

    def numbers_given(self, call: Op) -> list[Expr]:
        """The arguments of a call that are numbers wherever the helper returns: it takes their truth value, or hands
        them to functions of `math`."""
        name = call.fn[6:]
        if name not in self.source.functions or name in self.active:
            return []
        if name not in self.asked_of_numbers:
            self.asked_of_numbers[name] = frozenset()  # what a call of itself adds is not asked
            f = self.prepare(name).function
            given = {p: Fact("any", unknown(p)) for p in f.names}
            self.active.append(name)
            found = facts.collect(f, given | self.constants(f), self)
            self.active.pop()
            known = (p for p in f.names if found.shapes(unknown(p)) == SCALAR)
            self.asked_of_numbers[name] = frozenset(known) - found.assumed - counts.only_compared(f)
        names = self.asked_of_numbers[name]
        return [e for p, e in self.given(call).items() if p in names] if names else []

    def given(self, call: Op) -> dict[str, Expr]:
        """The arguments of a call by parameter, without defaults."""
        f = self.prepare(call.fn[6:]).function
        positional = [p.name for p in f.params if p.by_position]
        return dict(zip(positional, call.args, strict=False)) | dict(call.options)

    def written(self, call: Op, caller: Facts) -> dict[str, Expr]:
        """The arguments of a helper call that it writes into, by parameter, for what is known of them at the call."""
        return self.changed(call, caller)[0]

    def changed(self, call: Op, caller: Facts) -> tuple[dict[str, Expr], dict[str, Expr]]:
        """`written`, and the arguments that it takes for numbers, which `x += e` binds anew."""
        name = call.fn[6:]
        names = self.writes(name)
        joins = self.joins(call, caller)
        if not names and not joins:
            return {}, {}
        args = self.given(call)
        if name not in self.active:
            f = self.prepare(name).function
            options = {k: caller.of(v) for k, v in call.options}
            known = self.parameters(f, [caller.of(a) for a in call.args], options, caller.shapes)
            key = (name, tuple(sorted(known.items(), key=lambda kv: kv[0])), caller.shapes.version)
            if key not in self.effects:
                self.active.append(name)
                apart = scopes.kept_apart(f, known, caller.shapes)
                prepared, found, problems = self.settled(name, apart.given, f.names, apart.shapes)
                classes = aliases.analyse(prepared.function, found).of
                parts = filter(ir.is_part, updates.taken_for_numbers(prepared.function, found, self))
                unsure = (n for n in parts if n not in known or not is_number(known[n], caller))
                written = frozenset(map(ir.root_name, (*classes, *unsure))) & names
                numbers = frozenset(p for p in names - written if found.is_scalar(Var(p)))
                self.active.pop()  # not before: a call of itself, of other shapes each time, would have no end
                found_here = {apart.back(k): n for k, n in found.arrays.items()}
                taken = {k: n for k, n in found_here.items() if k in caller.function.names}
                if joins and {ir.root_name(n) for n in classes} & set(f.names) - names:
                    raise self.source.placed(name, S2SError(self.written_in_joined(name)))
                if not names:
                    return {}, {}
                if problems or len(taken) < len(found.arrays):
                    raise self.source.placed(name, S2SError(problems or [self.unknown_rank(name, found)]))
                self.effects[key] = written, taken, numbers
            names, taken, numbers = self.effects[key]
            caller.arrays |= {k: max(n, caller.arrays.get(k, 0)) for k, n in taken.items()}
            return {p: e for p, e in args.items() if p in names}, {p: e for p, e in args.items() if p in numbers}
        return {p: e for p, e in args.items() if p in names and not updates.is_number(caller, e)}, {}

    def written_in_joined(self, name: str) -> Diagnostic:
        """Which of its arguments hold what it writes, inner calls would have to know: `writes` goes by the text, and
        takes lists that are joined for sums."""
        f = self.prepare(name).function
        message = f"`{name}` joins lists, and writes into arrays in them"
        help_ = "write into copies: `1.0 * a` for each of them"
        return Diagnostic("S239", message, f.origin.span if f.origin else None, "", (help_,))

    def unknown_rank(self, name: str, found: Facts) -> Diagnostic:
        f = self.prepare(name).function
        span = f.origin.span if f.origin else None
        message = f"`{name}` updates an argument in place, and the rank of what it is called with is not known"
        return Diagnostic("S230", message, span, "if it is an array, this changes it", (SHAPES,))

    def returned(self, call: Op, caller: Facts | None = None) -> list[Expr]:
        """The arguments of a helper call that its result may share memory with. caller: what is known of them."""
        names = handing.handed_back(self, call.fn) if caller is None else self.handed_back(call, caller)
        return [e for p, e in self.given(call).items() if p in names] if names else []

    def module_parts(self, call: Op, inside: bool = False) -> frozenset[str]:
        """The names of the module that a helper may return, or of which it may return a part or a view; inside: that
        lie in what it returns."""
        name = call.fn[6:]
        if name not in self.source.functions:
            return frozenset()
        if (name, inside) not in self.of_module:
            every = [(n, within) for n in self.cycle(name) or [name] for within in (False, True)]
            found: dict[tuple[str, bool], frozenset[str]] = dict.fromkeys(every, frozenset())
            before: dict[tuple[str, bool], frozenset[str]] | None = None
            while found != before:  # a least fixpoint, as of `handing.handed_back`
                before = found
                self.of_module |= before
                found = {k: outside.module_parts(self, *k) for k in every}
        return self.of_module[name, inside]

    def module_writes(self, name: str) -> frozenset[str]:
        """The names of the module into whose objects a helper, or one that it calls, may write."""
        if name not in self.source.functions:
            return frozenset()
        if name not in self.module_writers:
            every = self.cycle(name) or [name]
            self.module_writers |= dict.fromkeys(every, frozenset())
            texts = {n: webs.split(updates.of_new_values(self.prepare(n).original))[0] for n in every}
            found = {o.name for f in texts.values() for o in outside.module_writes(self, f)}
            found |= {n for f in texts.values() for inner in _called(f) for n in self.module_writes(inner)}
            self.module_writers |= dict.fromkeys(every, frozenset(found))
        return self.module_writers[name]

    def handed_back(self, call: Op, caller: Facts) -> frozenset[str]:
        """The parameters of a helper that it may return for these arguments, or of which it may return a view."""
        name = call.fn[6:]
        if name not in self.source.functions:
            return frozenset()
        alone = self.calls_itself(name) or name in self.active
        if not alone:
            caller.of(call)
            key = self.key_at(call, caller)
            if key in self.handed_here:
                return self.handed_here[key]
            if (found := self.found_for.get(key)) is not None and not handing.is_handed_in_place(self, call.fn):
                self.handed_here[key] = handing.handed_back_here(self, call.fn, found)
                return self.handed_here[key]
        return (
            frozenset(self.prepare(name).function.names)
            if self.joins(call, caller)
            else handing.handed_back(self, call.fn)
        )

    def joins(self, call: Op, caller: Facts, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a helper, or one that it calls, joins lists for these arguments: `a + b`, by its text a sum."""
        name = call.fn[6:]
        if not self.holds(name, self.adding, _adds):
            return False
        inside = caller.function.name == name
        if not inside:
            self.result(name, [caller.of(a) for a in call.args], {k: caller.of(v) for k, v in call.options}, caller)
        key = self.key_at(call, caller)
        found = caller if inside else self.found_for.get(key)
        if found is None:  # it is being looked at, or calls itself with other things than it is given
            given = any(caller.of(a).kind in CONTAINERS for a in all_arguments(call))
            return given or self.holds(name, self.listing, _makes_lists)
        if inside or seen:
            return self.joins_inside(found, seen | {name})
        if key not in self.joining:
            self.joining[key] = self.joins_inside(found, frozenset((name,)))
        return self.joining[key]

    def joins_inside(self, found: Facts, seen: frozenset[str]) -> bool:
        nodes = [n for s in ir.statements(found.function.body) for n in ir.nodes(s)]
        if any(aliases.is_addition(n) and found.of(n).kind in CONTAINERS for n in nodes):
            return True
        calls = (n for n in nodes if isinstance(n, Op) and n.fn.startswith("local.") and n.fn[6:] not in seen)
        return any(self.joins(c, found, seen) for c in calls)

    def key_at(self, call: Op, caller: Facts) -> object:
        name = call.fn[6:]
        given = self.parameters(
            self.prepare(name).function,
            [caller.of(a) for a in call.args],
            {k: caller.of(v) for k, v in call.options},
            caller.shapes,
        )
        if self.calls_itself(name):
            return self.recursive_key(name, _ranks_only(given))
        return self.key_of(name, given, caller)

    def recursive_key(self, name: str, given: dict[str, Fact]) -> object:
        return name, tuple(sorted(given.items(), key=lambda kv: kv[0]))

    def may_return_whole(self, call: Op, caller: Facts) -> bool:
        """Whether a helper may return a whole number, or a part that is one: of its arguments, or a literal."""
        if any(caller.of(v).kind in ("int", "bool") for v in self.returned(call)):
            return True

        def is_literal(e: Expr) -> bool:
            if isinstance(e, ir.Sequence):
                return any(map(is_literal, e.items))
            return isinstance(e, ir.Const) and isinstance(e.value, int)

        body = self.prepare(call.fn[6:]).function.body
        return any(is_literal(s.value) for s in ir.statements(body) if isinstance(s, ir.Return))

    def may_return_display(self, call: Expr) -> bool:
        """Whether a value is the result of a helper that returns a tuple, a list or a dict somewhere."""
        if not isinstance(call, Op) or not call.fn.startswith("local."):
            return False
        returns = [s.value for s in ir.statements(self.prepare(call.fn[6:]).function.body) if isinstance(s, ir.Return)]
        return any(isinstance(e, ir.Sequence | ir.Dict) for e in returns)

    def constants(self, f: ir.Function) -> dict[str, Fact]:
        """Facts of the module's constants, but for names that are the function's own."""
        own = {*f.names, *(n for s in ir.statements(f.body) for n in ir.binds(s))}
        found = {n: Fact("any", unknown(n), number=EITHER) for n in self.source.complex_values if n not in own}
        found |= {n: sparse.matrix(n) for n in self.source.sparse_values if n not in own}
        of_functions = Fact("list", elem=Fact("function"), keyed=True)
        found |= {n: replace(of_functions, shape=unknown(n)) for n in self.source.function_tables if n not in own}
        return found | {n: fact for n, fact in self.numbers.items() if n.partition(".")[0] not in own}

    @cached_property
    def numbers(self) -> dict[str, Fact]:
        """Facts of the module's constants, numbers, strings and displays of them: what their texts give."""
        modules = {"math": math, "numpy": SimpleNamespace(**{n: getattr(np, n) for n in (*CONSTANTS, *OF_CONSTANTS)})}
        vars(modules["numpy"]).update({n: _small(getattr(np, n)) for n in SIZED})
        imported = {n: path for n, path in self.source.imports.items() if path.partition(".")[0] in modules}
        scope: dict[str, object] = {n: modules[path] for n, path in imported.items() if path in modules}
        scope |= {
            n: getattr(math, path[5:])
            for n, path in imported.items()
            if path.startswith("math.") and hasattr(math, path[5:])
        }
        numbers = [f"{module}.{c}" for module in modules for c in CONSTANTS]
        rebound = self.source.other_names
        found = {n: Fact("float") for n, path in imported.items() if path in numbers and n not in rebound}
        found |= {f"@{path}": Fact("float") for path in numbers}
        for n, text in self.source.constants.items():
            fact = _default(ir.Param(n, default=text), None if n.startswith("@") else scope)
            if fact.kind in ("int", "float", "bool", "str", "list", "tuple", "dict") or fact.number != REAL:
                found[n] = fact
        for n, text in self.source.array_values.items():
            fact = _default(ir.Param(n, default=text), scope)
            if fact.kind in ("float", "int", "bool", "any") and fact.shape.rank:
                found[n] = fact
        return found

    @cached_property
    def module_numbers(self) -> frozenset[str]:
        """The module's constants that are numbers, or strings."""
        found = self.numbers.items()
        return frozenset(n for n, fact in found if fact.shape.rank == 0 and fact.kind not in aliases.CONTAINERS)

    @cached_property
    def finite(self) -> frozenset[str]:
        """The module's constants that are written out as finite numbers."""
        texts = ((n, self.source.constants.get(n, "")) for n in self.module_numbers)
        return frozenset(n for n, text in texts if NUMBER.fullmatch(text) and np.isfinite(float(text)))

    def written_number(self, name: str) -> float | None:
        """The number that a name of the module stands for: one that is written out, `EPS = 1e-9`, or `pi` and such."""
        path = self.source.imports.get(name, "")
        if name not in self.source.constants:
            return getattr(math, path.partition(".")[2], None) if name in self.module_numbers else None
        try:
            value = ast.literal_eval(self.source.constants[name])
        except ValueError:  # `TAU = 2.0 * np.pi`
            return None
        return float(value) if isinstance(value, int | float) else None

    def is_constant(self, name: str) -> bool:
        """Whether a name of the module, as `outside.module_names` gives it, stands for what can't be changed."""
        root, _, rest = name.removeprefix("@").partition(".")
        path = self.source.imports.get(root, root if name.startswith("@") else "")
        full = f"{path}.{rest}".strip(".")
        return not self.module_numbers.isdisjoint([name, f"@{full}"]) or (bool(path) and self.source.is_constant(full))

    def expand(self, f: ir.Function) -> ir.Block:
        """Dict parameters that are handed on whole are written out by the entries that the helper reads.

        `layer(params, x)` is `layer({"W": params["W"]}, x)` to all analyses; it is printed as it was. What a function
        hands on to itself as it is, has the entries that are read besides.
        """

        fixed = set(f.names) - {n for s in ir.statements(f.body) for n in ir.binds(s)}

        itself: ir.Function | None = None

        def expr(e: Expr) -> Expr:
            if itself is not None and isinstance(e, Op) and e.fn == f"local.{f.name}":
                names = [p.name for p in f.params if p.by_position]
                args = tuple(whole(a, itself, p) if a == ir.Var(p) else a for p, a in zip(names, e.args, strict=False))
                options = tuple((k, whole(v, itself, k) if v == ir.Var(k) else v) for k, v in e.options)
                return replace(e, args=args + e.args[len(names) :], options=options)
            if (
                isinstance(e, Op)
                and e.fn.startswith("local.")
                and e.fn[6:] in self.source.functions
                and e.fn[6:] not in self.preparing
            ):
                helper = self.prepare(e.fn[6:]).function
                positional = [p.name for p in helper.params if p.by_position]
                args = (
                    tuple(whole(a, helper, p) for p, a in zip(positional, e.args, strict=False))
                    + e.args[len(positional) :]
                )
                options = tuple((k, whole(v, helper, k)) for k, v in e.options)
                return replace(e, args=args, options=options)
            return ir.rebuild(e, expr) if isinstance(e, Op | ir.Sequence) else e

        def whole(a: Expr, helper: ir.Function, p: str) -> Expr:
            if isinstance(a, ir.Var) and ir.root_name(a.name) in fixed and (inside := entries(helper, p)):
                used = [x for x in inside if not only_asserted(helper, x)]
                paths = [ir.keys_of(x) for x in used or inside]
                if a.name in open_ and all(len(k) == 1 and not isinstance(k[0], ir.Attr) for k in paths):
                    keys = tuple(ir.Const(k[0]) for k in paths)
                    return ir.Dict(keys, tuple(ir.Index(a, k) for k in keys))
                return dict_of(a.name, paths)
            return expr(a)

        def block(b: ir.Block) -> ir.Block:
            out: list[ir.Stmt] = []
            for s in b:
                match s:
                    case ir.Assign() | ir.Unpack() | ir.Append() | ir.Return():
                        value = expr(s.value)
                        out.append(s if value is s.value else replace(s, value=value))
                    case ir.Inert(keyword="", values=(Op(fn=fn) as call,)) if fn.startswith("local."):
                        out.append(replace(s, values=(expr(call),)))
                    case ir.If():
                        out.append(replace(s, body=block(s.body), orelse=block(s.orelse)))
                    case ir.For() | ir.While():
                        out.append(replace(s, body=block(s.body)))
                    case _:
                        out.append(s)
            return tuple(out)

        if not _called(f):
            return f.body
        open_ = self.used_whole(f) & fixed
        new = block(f.body)
        if f.name in _called(f):
            itself = replace(f, body=new)
            new = block(new)
        changed = any(isinstance(n, ir.Dict) for s in ir.statements(new) for n in ir.nodes(s))
        return new if changed else f.body

    def used_whole(self, f: ir.Function) -> set[str]:
        """The dict parameters of a function that it loops over, or hands to a helper that does."""
        found: set[str] = set(looped_over(f))
        nodes = (n for s in ir.statements(f.body) for e in ir.expressions(s) for n in ir.walk(e))
        for n in nodes:
            if isinstance(n, Op) and n.fn.startswith("local.") and n.fn[6:] in self.source.functions:
                if n.fn[6:] in self.preparing:
                    continue
                names = looped_over(self.prepare(n.fn[6:]).function)
                found |= {a.name for p, a in self.given(n).items() if p in names and isinstance(a, ir.Var)}
        return found

    # ------------------------------------------------------------ results
    def result(self, name: str, args: list[Fact], options: dict[str, Fact], caller: Facts) -> Fact:
        """The fact of a helper's result, for arguments with these facts."""
        if name not in self.source.functions:
            return ANY
        if self.calls_itself(name):
            given = self.parameters(self.prepare(name).function, args, options, caller.shapes)
            return self.recursive_result(name, _ranks_only(given))
        if name in self.active:
            return self.any_result(name, [*args, *options.values()])
        prepared = self.prepare(name)
        given = self.parameters(prepared.function, args, options, caller.shapes)
        key = self.key_of(name, given, caller)
        if key in self.results:
            return self.results[key]
        self.active.append(name)
        apart = scopes.kept_apart(prepared.function, given, caller.shapes)
        try:
            known = apart.given | self.constants(prepared.function)
            found = facts.collect(prepared.function, known, self, apart.shapes)
        finally:
            self.active.pop()
        out = _joined(ir.statements(prepared.function.body), found)
        own = {s for f in apart.given.values() for s in facts.symbols(f)}
        result = facts.with_symbols(_foreign(out or Fact("none"), own, "?" + name), apart.back)
        if lost_branch(prepared.function) is not None:
            result = ANY
        if not self.assumed:
            self.results[key] = result
            self.tangles[key] = tangled(prepared.function, found)
            self.found_for[key] = found
        return result

    def tangled(self, call: Op, caller: Facts) -> bool:
        """Whether two parts of what a helper returns here may share memory."""
        name = call.fn[6:]
        if name not in self.source.functions or caller.of(call).kind not in (*CONTAINERS, "any"):
            return False
        if self.calls_itself(name):
            return self.tangled_by_itself(name)
        if name in self.active:
            return True
        return self.tangles.get(self.key_at(call, caller), True)

    def tangled_by_itself(self, name: str) -> bool:
        """The same for a function that calls itself, whatever it is given: that inner calls, of it and of those that it
        calls itself through, return no such parts is assumed, and comes out again."""
        if name not in self.tangled_alone:
            if self.assumed:
                return True
            cycle = self.cycle(name)
            self.tangled_alone |= dict.fromkeys(cycle, False)
            found = {name}
            while found:
                found = {n for n in cycle if not self.tangled_alone[n] and self.returns_tangled(n)}
                self.tangled_alone |= dict.fromkeys(found, True)
        return self.tangled_alone[name]

    def returns_tangled(self, name: str) -> bool:
        f = self.prepare(name).function
        given = self.parameters(f, [ANY for p in f.params if p.by_position], {}, Shapes())
        return tangled(f, facts.collect(f, given | self.constants(f), self))

    def key_of(self, name: str, given: dict[str, Fact], caller: Facts) -> object:
        return name, tuple(sorted(given.items(), key=lambda kv: kv[0])), caller.shapes.version

    def calls_itself(self, name: str) -> bool:
        """Whether a function may call itself, through others as well. name: in the program, or in its own module."""
        if name not in self.cyclic:
            known = self.source.functions
            keys = [name] if name in known else [k for k in known if k.rpartition(".")[2] == name]
            self.cyclic[name] = any(k in self.called_from(k) for k in keys)
        return self.cyclic[name]

    def cycle(self, name: str) -> list[str]:
        """The functions that a function calls itself through, with itself; none where it does not."""
        if not self.calls_itself(name):
            return []
        return sorted(n for n in self.called_from(name) if name in self.called_from(n))

    def called_from(self, name: str) -> set[str]:
        """The functions that a function may call, itself or through others."""
        seen: set[str] = set()
        todo = [name]
        while todo:
            inner = _called(self.source.function(todo.pop())) & self.source.functions.keys()
            todo += inner - seen
            seen |= inner
        return seen

    def recursive_result(self, name: str, given: dict[str, Fact]) -> Fact:
        """The fact of the result of a function that calls itself: assumed of the inner calls, it comes out again.

        By induction over the depth it then holds of every call that returns.
        """
        if name in self.assumed:
            expected, assumed = self.assumed[name]
            if all(_is_among(given.get(n, ANY), fact) for n, fact in expected.items()):
                return assumed
            nothing = self.any_result(name, list(given.values()))
            other = any(_structure(given.get(n, ANY)) != _structure(fact) for n, fact in expected.items())
            if other and name not in self.reentered:  # a list at first, and tuples from there on
                del self.assumed[name]
                self.reentered.add(name)
                inner = self.recursive_result(name, given)
                self.reentered.discard(name)
                self.restructured.add(name)
                self.assumed[name] = (expected, assumed)
                if inner != nothing:
                    return inner
            self.assumed[name] = (expected, nothing)  # an inner call with other arguments
            if other:
                self.restructured.add(name)
            return nothing
        key = self.recursive_key(name, given)
        if key in self.results:
            return self.results[key]
        # once under the same assumptions of the calls around: functions that call each other ask again and again
        around = [(self.recursive_key(n, expected), fact) for n, (expected, fact) in sorted(self.assumed.items())]
        state = key, tuple(around), frozenset(self.reentered)
        if state not in self.under:
            before, known, self.restructured = dict(self.assumed), self.restructured, set()
            found = self.settle(name, given, key)
            given_up = {n: pair for n, pair in self.assumed.items() if pair != before[n]}
            self.under[state] = found, given_up, frozenset(self.restructured)
            self.restructured = known
        found, given_up, restructured = self.under[state]
        self.assumed |= given_up
        self.restructured = self.restructured - {name} | restructured
        return found

    def settle(self, name: str, given: dict[str, Fact], key: object) -> Fact:
        """The same of a call of which nothing is assumed yet."""
        f = self.prepare(name).function
        returns = [s for s in ir.statements(f.body) if isinstance(s, ir.Return)]
        late = _depends_on_calls(f, {n for n in _called(f) if self.calls_itself(n)})
        first = [s for s in returns if not any(r in late for r in ir.reads(s.value)) and not _called_in(s.value)]
        nothing = guess = self.any_result(name, list(given.values()))
        for k in range(6):
            self.assumed[name] = (given, guess)
            found = facts.collect(f, given | self.constants(f), self)
            kept = self.assumed.pop(name)[1] == guess
            if k == 0:  # real where nothing is assumed of the inner calls: so it is, whatever its shape is
                nothing = guess = replace(nothing, number=upper(_joined(returns, found)))
            out = _joined(first if guess == nothing and first else returns, found)
            wider = {n: _of_any_shape(x) for n, x in given.items()}
            if wider == given:  # or other structures: a tree, and the trees in it
                wider = {n: replace(ANY, number=upper(x)) for n, x in given.items() if not ir.is_part(n)}
            outlined = out.kind in OUTLINED or out.whole
            if not kept and outlined and wider != given:  # inner calls are given other shapes
                guess = self.recursive_result(name, wider)
                break
            if (facts.symbols(out) and not outlined) or not kept:
                guess = nothing
                break
            if k == 3 or facts.symbols(out):  # how many values it returns, at least
                out = _outline(out, nothing, "?" + name)
            if out == guess:
                break
            guess = replace(out, constant=False)
        else:
            guess = nothing
        kinds = {found.of(s.value).kind for s in returns}.intersection(CONTAINERS)
        if guess == nothing and kinds:
            self.unsettled[name] = kinds
        if not self.assumed:
            self.results[key] = guess
            if name not in self.restructured and (guess != nothing or self.gives_no_lists(f, returns, found)):
                self.found_for[key] = found  # which hold at each depth, as to what is a list
        return guess

    def gives_no_lists(self, f: ir.Function, returns: list[ir.Return], found: Facts) -> bool:
        """Whether a function that calls itself returns no lists, nor tuples but those that are unpacked at once."""
        given = [found.of(s.value) for s in returns]
        if all(fact.kind not in CONTAINERS for fact in given):
            return True
        cycle = {f"local.{n}" for n in self.cycle(f.name)}
        inner = (s for s in ir.statements(f.body) if any(c.fn in cycle for c in ir.helper_calls(*ir.expressions(s))))
        flat = all(fact.kind == "tuple" and all(i.kind not in CONTAINERS for i in fact.items) for fact in given)
        return flat and all(isinstance(s, ir.Unpack | ir.Return) for s in inner)

    def any_result(self, name: str, given: list[Fact]) -> Fact:
        """What is known of a helper's result before it is known."""
        f = self.prepare(name).function
        nodes = (n for s in ir.statements(f.body) for n in ir.nodes(s))
        is_complex = any(upper(fact) != REAL for fact in given) or any(map(is_source, nodes))
        return replace(ANY, number=EITHER) if is_complex else ANY

    def parameters(self, f: ir.Function, args: list[Fact], options: dict[str, Fact], shapes: Shapes) -> dict[str, Fact]:
        given: dict[str, Fact] = {}
        positional = [p.name for p in f.params if p.by_position]
        for p, fact in zip(positional, args, strict=False):
            given[p] = replace(fact, shape=shapes(fact.shape), constant=False)
        for k, fact in options.items():
            given[k] = replace(fact, shape=shapes(fact.shape), constant=False)
        for param in f.params:
            if param.name not in given:  # the caller may have a variable of its name
                given[param.name] = facts.with_symbols(_default(param), lambda s: f"{s}={f.name}")
        for p in f.names:
            given.update(_entry_facts(p, given[p]))
        return given

    # ------------------------------------------------------------ calls
    def arguments(self, ctx: Context, name: str, bound: dict[str, Expr]) -> tuple[Expr, ...]:
        """What the derivative of a helper is handed: `e[()]`, a number, for an array of rank 0 that is made for the
        call alone and that the helper updates by `p += ...`. Its derivative takes p for a number, and asserts it."""

        def argument(p: str, e: Expr) -> Expr:
            found = ctx.resolve(e)
            if p not in self.updated(name) or not self.is_made_number(ctx, e) or found == e:
                return found
            return ir.Index(found, ir.Sequence(()))

        return tuple(argument(p, e) for p, e in bound.items())

    def updated(self, name: str) -> frozenset[str]:
        """The parameters that a helper updates by `p += ...`, under no other name, and not by a store."""
        prepared = self.prepare(name)
        written = self.writes(name) - aliases.classes(prepared.function, None, self).keys()
        hands = functools.partial(handing.handed, self)
        return frozenset(p for p in written if same_object(prepared.original, p, hands) == {p})

    def is_made_number(self, ctx: Context, e: Expr) -> bool:
        """Whether an argument is an array of rank 0 that is made for the call alone."""
        made = ctx.temps.get(e.name) if isinstance(e, ir.Var) else e
        return isinstance(made, Op) and made.fn in aliases.RANK_ZERO and ctx.facts.is_scalar(e)

    def bind(self, ctx: Context, call: Op) -> dict[str, Expr]:
        """Arguments of a helper call by parameter, defaults written out."""
        f = self.prepare(call.fn[6:]).function
        bound: dict[str, Expr] = {}
        if star := next((p.kind for p in f.params if "star" in p.kind), ""):
            mark, one = ("*", "tuple: `def f(xs)`") if star == "star" else ("**", "dict: `def f(options)`")
            message = f"which arguments `{f.name}` gets by its `{mark}` parameter is not known here"
            refuse(ctx, call, "S213", message, f"let it take one {one}")
        takes = f"it takes {', '.join(f.names)}" if f.names else "it takes no arguments"
        positional = [p.name for p in f.params if p.by_position]
        if len(call.args) > len(positional):
            refuse(ctx, call, "S234", f"too many arguments for `{f.name}`", takes)
        bound.update(zip(positional, call.args, strict=False))
        for k, v in call.options:
            if k not in f.names:
                refuse(ctx, call, "S234", f"`{f.name}` has no parameter `{k}`", takes)
            bound[k] = v
        for p, e in bound.items():
            if isinstance(e, ir.Var) and isinstance(ctx.temps.get(e.name), ir.Dict):
                bound[p] = ctx.temps[e.name]
            elif entries(f, p) and (written := ctx.calls.taken_apart(ctx, e)) is not None:
                bound[p] = written
            elif entries(f, p) and (read := self.entries_read(ctx, f, p, e)) is not None:
                bound[p] = read
            elif (
                entries(f, p)
                and not isinstance(e, ir.Dict)
                and any(v.name in ctx.activity.active for v in activity.operands(e))
            ):
                text = ir.Printer()(ctx.tree(e))
                owner, _, part = text.rpartition(".")
                message = f"a dict that carries a derivative is handed to `{f.name}`"
                help_ = 'hand on a parameter as it is, or write the dict in the call: `{"a": a, "b": b}`'
                if owner and part.isidentifier():  # a tree of objects, as a rule
                    message = f"`{text}` is handed to `{f.name}`: an object, or a dict, that carries a derivative"
                    help_ = (
                        f"keep what `{owner}` holds in a list, annotated `list[...]`: `for child in {owner}.children:`"
                    )
                refuse(ctx, call, "S232", message, help_)
        for param in f.params:
            if param.name not in bound:
                if not param.default:
                    refuse(ctx, call, "S234", f"argument `{param.name}` of `{f.name}` is missing", takes)
                hidden = set(re.findall(r"(?<![\w.])[^\W\d]\w*", param.default)) & (
                    ctx.definitions.keys() | set(ctx.function.names)
                )
                if hidden and not param.default.startswith(("'", '"')):
                    name = min(hidden)
                    message = f"the default of `{param.name}` of `{f.name}` reads `{name}`, which is another value here"
                    refuse(ctx, call, "S234", message, f"pass `{param.name}`, or rename the local `{name}`")
                if re.search(rf"\b({'|'.join(STATEFUL)})\(", param.default):
                    message = f"the default of `{param.name}` of `{f.name}` is one object, whose state all calls change"
                    refuse(ctx, call, "S202", message, f"pass `{param.name}` in the call")
                bound[param.name] = _default_value(param.default)
        return {p.name: bound[p.name] for p in f.params}

    def taken_apart(self, ctx: Context, e: Expr) -> ir.Dict | None:
        """A value with known keys by its items: `{"x": state.x}` of `state`; it is printed as it was."""
        fact = ctx.facts.of(e)
        if fact.kind != "dict" or not fact.keys or not isinstance(e, ir.Var | ir.Index) or isinstance(e, ir.Dict):
            return None
        values: list[Expr] = []
        for k in fact.keys:
            item = ir.Index(e, ir.Const(k))
            values.append(self.taken_apart(ctx, item) or item)
        return ir.Dict(tuple(map(ir.Const, fact.keys)), tuple(values))

    def is_keyed(self, value: Expr, item: int = -1) -> bool:
        """Whether a value is a dict whose keys are known when the function runs, or zeros in the structure of another
        value: made here, or by a helper.

        item: which of the values that a helper returns.
        """
        return all(ir.keyed_parts(v) is not None or is_zeros(v) for v in self.values_of(value, item))

    def values_of(self, value: Expr, item: int = -1) -> list[Expr]:
        """What a helper's call may return, by its text, where that is a local of it; of any other value itself."""
        if not isinstance(value, Op) or not value.fn.startswith("local."):
            return [value]
        f = self.prepare(value.fn[6:]).function if value.fn[6:] in self.source.functions else None
        if f is None or not isinstance(end := f.body[-1] if f.body else None, ir.Return):
            return [value]
        found = end.value
        if item >= 0:
            if not isinstance(found, ir.Sequence) or found.starred or item >= len(found.items):
                return [value]
            found = found.items[item]
        values = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Assign) and ir.Var(s.target) == found]
        return values or [found]

    def entries_read(self, ctx: Context, f: ir.Function, param: str, e: Expr) -> ir.Dict | None:
        """What a helper reads of a dict whose keys are known when the function runs: `{"w": params["w"]}`.

        That is a dict made here, or an item of a parameter: `for layer in layers: x = dense(x, layer)`.
        """
        keys = [ir.keys_of(x) for x in entries(f, param)]
        if ctx.facts.of(e).keyed:
            return _read(e, keys)
        if not self.is_item(ctx, e):
            made = ctx.definition(e.name) if isinstance(e, ir.Var) else None
            if made is None or not self.is_keyed(made):
                return None
        return _read(e, keys)

    def is_item(self, ctx: Context, e: Expr) -> bool:
        """Whether an expression is an item of a parameter, or of what a loop runs over."""
        whole = isinstance(e, ir.Var)
        while isinstance(e, ir.Index):
            e = e.array
        if not isinstance(e, ir.Var):
            return False
        if ir.root_name(e.name) in ctx.function.names:
            return not whole
        made = ctx.temps.get(e.name) or ctx.definition(e.name)
        return self.is_item(ctx, made) if isinstance(made, ir.Index) else e.name in ctx.loop_variables

    def depends(self, name: str, active: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the active parameters on which the helper's result depends differentiably."""
        f = self.prepare(name).function
        reaching = self.reaching(name)
        return tuple(p for p in active if reaching & {p, *entries(f, p)})

    def carried(self, call: Op) -> list[Expr]:
        """The arguments of a helper's call on which its result depends differentiably; all where it writes into one."""
        name = call.fn[6:]
        if self.writes(name):
            return [*call.args, *(v for _, v in call.options)]
        f, reaching = self.prepare(name).function, self.reaching(name)
        return [e for p, e in self.given(call).items() if reaching & {p, *entries(f, p)}]

    def reaching(self, name: str) -> frozenset[str]:
        """The names of a function that its results depend on, through the helpers that it calls as well.

        The least answer that agrees with itself: what a function only hands on to itself does not count.
        """
        if name not in self.reached:
            group: list[str] = [name]
            for n in group:
                inner = _called(self.prepare(n).function) & self.source.functions.keys()
                if self.calls_itself(name):
                    group += sorted(x for x in inner if x not in group and x not in self.reached)
                else:  # what it calls does not call it: found first, each once
                    for x in sorted(inner):
                        self.reaching(x)
            found: dict[str, frozenset[str]] = dict.fromkeys(group, frozenset())

            def through(e: Op) -> list[Expr]:
                callee = e.fn[6:]
                if (callee not in found and callee not in self.reached) or self.writes(callee):
                    return [*e.args, *(v for _, v in e.options)]
                f = self.prepare(callee).function
                useful = found[callee] if callee in found else self.reached[callee]
                positional = [p.name for p in f.params if p.by_position]
                pairs = [*zip(positional, e.args, strict=False), *e.options]
                return [a for p, a in pairs if useful & {p, *entries(f, p)}]

            while True:
                new = {n: self.useful(n, through) for n in group}
                if new == found or not self.calls_itself(name):
                    break
                found = new
            self.reached |= new
        return self.reached[name]

    def useful(self, name: str, through: activity.Through) -> frozenset[str]:
        f = self.prepare(name).function
        if lost_branch(f) is not None:
            return frozenset(x for n in f.names for x in (n, *entries(f, n)))
        added = {
            s.origin: s.target
            for s in ir.statements(self.prepare(name).original.body)
            if isinstance(s, ir.Assign) and s.origin is not None and handing.is_update(s)
        }
        if added and not self.writes(name):  # those of names that see what others see
            seen = aliases.classes(self.prepare(name).original, None, updates=True)
            added = {origin: n for origin, n in added.items() if len(seen.get(n, ())) > 1}
        if added:  # which of them are stores does not matter here
            f = self.prepare(name, frozenset(added)).function
        return activity.useful_with(f, self, tuple(n for n in f.names if n in self.writes(name)), through)

    def covers(self, name: str, p: str, active: tuple[str, ...], fact: Fact) -> bool:
        """Whether the helper's reverse returns a cotangent for each item of its parameter that may have one."""
        heads = {path[0] for path in self.parts_of(name, p)}
        wanted = {k for k, i in zip(fact.keys, fact.items, strict=True) if i.kind not in facts.NOT_DIFFERENTIABLE}
        return heads == wanted == set(fact.keys) and all(i.kind != "dict" for i in fact.items)

    def parts_of(self, name: str, p: str) -> set[tuple[Any, ...]]:
        """The items of a helper's parameter for which its reverse returns a cotangent, by the keys on the way there."""
        f = self.prepare(name).function
        return {tuple(ir.keys_of(x)) for x in entries(f, p) if x in self.reaching(name)}

    def has_result(self, name: str) -> bool:
        return has_result(self.prepare(name).function)

    def reverse_in_place(
        self, ctx: Context, name: str, bound: dict[str, Expr], active: tuple[str, ...], written: tuple[str, ...]
    ) -> Wanted:
        """The reverse of a helper that changes the adjoints of some of its arguments in place: of those that it writes
        into, and of those of which the adjoint is added to."""
        depends = self.depends(name, active)
        return self.request(ctx, "rev", name, bound, tuple(p for p in active if p in depends or p in written), written)

    def request(
        self,
        ctx: Context,
        mode: str,
        name: str,
        bound: dict[str, Expr],
        active: tuple[str, ...],
        written: tuple[str, ...] = (),
    ) -> Wanted:
        name = next((n for n, copy in self.copies.items() if copy == name), name)
        numbers = tuple(p for p, e in bound.items() if not ctx.facts.is_real(e))  # which of them may be complex
        key = (name, mode, active, written, numbers)
        wanted = self.wanted.get(key)
        if wanted is None:
            text = f"_{name.rpartition('.')[2].strip('_')}_{mode}"
            if text in self.taken and "." in name:  # a function of another module: with the name of that
                text = "_" + "_".join([*name.split(".")[-2:], mode])
            if any(k[0] == name and k[1] == mode for k in self.wanted) or text in self.taken:
                text += "_" + "_".join(active)
            while text in self.taken:
                text += "_"
            self.taken.add(text)
            helper = self.quiet(name) if mode == "rev" else name
            wanted = self.wanted[key] = Wanted(helper, text, mode, active, written, self.left_out.get(key, frozenset()))
        given = self.handed(ctx, name, bound)
        if given not in wanted.requests:
            wanted.requests.append(given)
        return wanted

    def handed(self, ctx: Context, name: str, bound: dict[str, Expr]) -> dict[str, Fact]:
        """What a call site says of the parameters of a helper."""
        given = {p: _portable(replace(ctx.facts.of(e), constant=False), ctx.facts.shapes, p) for p, e in bound.items()}
        for p in bound:
            given.update(_entry_facts(p, given[p]))
        return _ranks_only(given) if self.calls_itself(name) else _renumber(given)

    def gradient(self, ctx: Context, call: Op, p: str) -> Op:
        """The call of the gradient of a helper in its parameter p, for the same arguments.

        Its text is made first, and is a function of the program from then on, that has derivatives like any other.
        Raises GradientWanted where the program does not have it yet.
        """
        name, bound = call.fn[6:], self.bind(ctx, call)
        given = self.handed(ctx, name, bound)
        text = ir.print_function(replace(self.source.function(name), name=""))
        key = (text, p, tuple((n, repr(fact)) for n, fact in given.items()))
        found = self.source.gradient(key)
        if not found:
            kind = "slope" if ctx.facts.is_scalar(bound[p]) else "gradient"
            found = f"_{name.rpartition('.')[2].strip('_')}_{kind}"
            while found in self.source.functions or found in self.taken:
                found += "_"
            raise GradientWanted(Wanted(name, found, "grad", (p,), requests=[given]), key)
        return Op(f"local.{found}", tuple(bound.values()))

    def reverse(
        self, ctx: Context, name: str, bound: dict[str, Expr], active: tuple[str, ...]
    ) -> tuple[str, tuple[str, ...]]:
        """The name of the helper's reverse, and the parameters whose cotangents it returns."""
        given = self.depends(name, active)
        if not given:
            return "", ()
        return self.request(ctx, "rev", name, bound, given).name, given

    def mask(self, names: Iterable[str]) -> None:
        """Notes that reverses of helpers, by name, are handed cotangents that are zero where no branch was taken."""
        found = set(names)
        for w in self.wanted.values():
            w.masked |= w.name in found

    def jvp(
        self, ctx: Context, name: str, bound: dict[str, Expr], active: tuple[str, ...], written: tuple[str, ...] = ()
    ) -> tuple[str, tuple[str, ...]]:
        depends = self.depends(name, active)
        given = tuple(p for p in active if p in depends or p in written)
        if not given:
            return "", ()
        return self.request(ctx, "jvp", name, bound, given, written).name, given

    def joined(self, w: Wanted) -> dict[str, Fact]:
        """What all call sites agree on about the parameters."""
        common = set.intersection(*(set(r) for r in w.requests))  # one may say more of the parts of an object
        out = {p: fact for p, fact in w.requests[0].items() if p in common}
        shapes = Shapes()
        for other in w.requests[1:]:
            if other == out:
                continue
            for p in out:
                if out[p] != other[p] or out[p].shape.dims:
                    out[p] = _alone(facts.join(out[p], other[p], p, shapes), p)
                if _depth(out[p]) > DEEPEST and self.calls_itself(w.helper):
                    raise S2SError(self.nested_by_itself(w.helper, p))
        return out

    def nested_by_itself(self, name: str, param: str) -> Diagnostic:
        """Of `def f(s, n): ... f([s, n], n - 1)`: what s is made of, no finite number of calls says."""
        f = self.prepare(name).function
        message = f"`{name}` calls itself with more lists or tuples around `{param}` at every depth"
        help_ = "give it numbers or arrays, or fill a list in a loop"
        return Diagnostic("S236", message, f.origin.span if f.origin else None, "", (help_,))


def read_for_values(e: Expr) -> Iterator[Expr]:
    """The nodes of an expression, but not what only asks for sizes and types: `len(x)`, `np.zeros_like(x)`."""
    rule = rules.lookup(e.fn) if isinstance(e, Op) else None
    if is_measure(e) or is_zeros(e) or (rule is not None and rule.kind == "constant" and not rule.closed):
        return
    yield e
    for c in ir.children(e):
        yield from read_for_values(c)


def is_measure(e: Expr) -> bool:
    """`len(x)`, `x.shape`"""
    if isinstance(e, Op) and e.fn == "builtins.len":
        return isinstance(e.args[0], Var)
    return isinstance(e, ir.Attribute) and is_size(e) and isinstance(e.value, Var)


def parts_named(f: ir.Function) -> ir.Function:
    """`state.x` of a parameter that is never rebound is a name: it may have become one when its lives were split."""
    fixed = set(f.names) - {n for s in ir.statements(f.body) for n in ir.binds(s)}

    def expr(e: Expr) -> Expr:
        if isinstance(e, ir.Index) and isinstance(e.key, ir.Const) and isinstance(e.key.value, ir.Attr):
            array = expr(e.array)
            if isinstance(array, Var) and ir.root_name(array.name) in fixed:
                return Var(ir.part_name(array.name, e.key.value))
            return e if array is e.array else replace(e, array=array)
        return ir.rebuild(e, expr) if not isinstance(e, ir.Var | ir.Const) else e

    def named(s: ir.Stmt) -> ir.Stmt:
        match s:
            case ir.Assign() | ir.Unpack() | ir.Append() | ir.Return():
                value = expr(s.value)
                return s if value is s.value else replace(s, value=value)
            case ir.Inert():
                return replace(s, values=tuple(map(expr, s.values)))
            case ir.If():
                return replace(s, test=expr(s.test), body=block(s.body), orelse=block(s.orelse))
            case ir.For():
                return replace(s, iterable=expr(s.iterable), body=block(s.body))
            case ir.While():
                return replace(s, test=expr(s.test), body=block(s.body))
        return s

    def block(b: ir.Block) -> ir.Block:
        return tuple(map(named, b))

    found = (n for s in ir.statements(f.body) for n in ir.nodes(s))
    if not any(
        isinstance(n, ir.Index) and isinstance(n.key, ir.Const) and isinstance(n.key.value, ir.Attr) for n in found
    ):
        return f
    return replace(f, body=block(f.body))


def only_asserted(f: ir.Function, name: str) -> bool:
    """Whether asserts alone read a name, as that of a function of an object: `assert self.inv is np.linalg.inv`."""
    readers = [s for s in ir.statements(f.body) if any(name in ir.reads(e) for e in ir.expressions(s))]
    return bool(readers) and all(isinstance(s, ir.Inert) and s.keyword == "assert" for s in readers)


@lru_cache(maxsize=256)
def lost_branch(f: ir.Function) -> ir.Inert | None:
    """The error that stands for a branch that could not be followed: what it returns may depend on anything."""
    return next((s for s in ir.statements(f.body) if isinstance(s, ir.Inert) and s.left_out), None)


def has_result(f: ir.Function) -> bool:
    """Whether a function returns anything but None."""
    return any(s.value != ir.NONE for s in ir.statements(f.body) if isinstance(s, ir.Return))


@lru_cache(maxsize=64)
def looped_over(f: ir.Function) -> frozenset[str]:
    """The names of a function that it asks for their keys, `list(params)`, `"rate" in params`, and those of which it
    reads entries under such keys: `params_dot[k]` in a loop over params."""
    found: set[str] = set()
    keys = keys_of_items(list(ir.statements(f.body)))
    for s in ir.statements(f.body):
        if isinstance(s, ir.Inert):  # what is stated of a dict is no question
            continue
        for n in (n for e in ir.expressions(s) for n in ir.walk(e)):
            match n:
                case Op(fn="builtins.list" | "builtins.sorted", args=(ir.Var(name=name), *_)):
                    found.add(name)
                case Op(fn="operator.in" | "operator.not_in", args=(ir.Const(value=str()), ir.Var(name=name))):
                    if not entries(f, name):
                        found.add(name)
                case ir.Index(array=ir.Var(name=name), key=ir.Var(name=key)) if key in keys:
                    found.add(name)
    return frozenset(found)


def entries(f: ir.Function, name: str) -> list[str]:
    """The entries of a dict parameter that the function reads, `params["W1"]`, in the order of the text."""
    return list(_all_entries(f).get(name, ()))


def _read(e: Expr, paths: list[tuple[Any, ...]]) -> ir.Dict:
    """The items of e under some paths of keys, as a dict of dicts."""
    heads = dict.fromkeys(path[0] for path in paths)
    values: list[Expr] = []
    for head in heads:
        item = ir.Index(e, ir.Const(head))
        rest = [path[1:] for path in paths if path[0] == head]
        rest = [path for path in rest if path]  # what is asked of the whole of a dict is not its value
        values.append(_read(item, rest) if rest else item)
    return ir.Dict(tuple(map(ir.Const, heads)), tuple(values))


@lru_cache(maxsize=64)
def _all_entries(f: ir.Function) -> dict[str, dict[str, None]]:
    found: dict[str, dict[str, None]] = {}
    for s in ir.statements(f.body):
        for e in ir.expressions(s):
            for n in ir.walk(_without_types(e)):
                if isinstance(n, ir.Var) and (root := ir.root_name(n.name)) != n.name:
                    found.setdefault(root, {}).setdefault(n.name)
    return found


def _without_types(e: Expr) -> Expr:
    """`type(net.layer)` asks nothing of the entry's value, and `max(d, key=d.get)` reads no entry of that name."""
    if isinstance(e, Op) and e.fn == "builtins.type":
        return ir.NONE
    if isinstance(e, Op) and e.fn in ("builtins.max", "builtins.min", "builtins.sorted"):
        read = {Var(f"{a.name}.get") for a in e.args if isinstance(a, Var)}
        e = replace(e, options=tuple((k, v) for k, v in e.options if k != "key" or v not in read))
    return ir.rebuild(e, _without_types) if isinstance(e, Op | ir.Attribute) else e


def dict_of(name: str, paths: Iterable[tuple[str, ...]]) -> ir.Dict:
    """The display of the parts of `name` at these paths: `{"W": params["W"]}`, and of attributes an object."""
    return display_of([(path, Var(functools.reduce(ir.part_name, path, name))) for path in paths])


def display_of(pairs: list[tuple[tuple[str, ...], Expr]], made: str = "") -> ir.Dict:
    """A display that is nested as the paths are."""
    heads: dict[str, list[tuple[tuple[str, ...], Expr]]] = {}
    for path, e in pairs:
        heads.setdefault(path[0], []).append((path[1:], e))
    values = tuple(inside[0][1] if not inside[0][0] else display_of(inside) for inside in heads.values())
    return ir.Dict(tuple(ir.Const(h, json.dumps(h, ensure_ascii=False)) for h in heads), values, made)


def _entry_facts(p: str, fact: Fact) -> dict[str, Fact]:
    """Facts of the entries of a parameter that a dict display is handed to."""
    out: dict[str, Fact] = {}
    for key, item in zip(fact.keys, fact.items, strict=True) if fact.kind == "dict" and fact.keys else ():
        part = ir.part_name(p, key)
        out[part] = replace(item, constant=False)
        out.update(_entry_facts(part, item))
    return out


def dicts_run_over(prepared: Prepared, facts: Facts, given: Mapping[str, Fact]) -> frozenset[tuple[Origin, str, str]]:
    """The loops that run over dicts, with these, and with what lists their keys: the later stages take the items of
    what a loop runs over by number.

    So are those over what may be a dict, for all that is known of it, whose variables do nothing but to name items, or
    name items of what is run over. given: what is stated of parameters.
    Objects are no dicts here: what Python gives of a named tuple in a loop are its items.
    """
    out: set[tuple[Origin, str, str]] = set()
    every = list(ir.statements(prepared.function.body))
    stated = {p for p, fact in given.items() if fact.shape.tail is None}
    bound = [s for s in every if isinstance(s, ir.Assign)]
    listed = {s.target for s in bound if isinstance(s.value, Op)} - {s.target for s in bound if not is_sorted(s.value)}
    unknown = {
        s.target: array.name
        for header in prepared.headers.values()
        for s in header.items
        if isinstance(s.value, ir.Index) and isinstance(array := s.value.array, Var)
        if facts.of(array).kind == "any" and array.name not in stated | listed
    }
    free = without_derivative(every) & in_keys(every) if unknown else frozenset()
    for s in every:
        header = prepared.headers.get(id(s))
        if header is None or s.origin is None:
            continue
        for v in loops.sources(header.iterable):
            fact, name = facts.of(v), prepared.base.get(v.name, v.name)
            items = {i.target for i in header.items if isinstance(i.value, ir.Index) and i.value.array == v}
            keys = {n for n in items if unknown.get(n) == v.name}
            known = fact.keyed or (fact.kind == "dict" and not fact.is_object)
            if known or (isinstance(s, ir.For) and any((v.name, k) in read_under(s.body, k) for k in keys)):
                out.add((s.origin, name, ir.KEYS))
            elif free & keys:
                out.add((s.origin, name, "builtins.list"))
    return frozenset(out)


def read_under(block: ir.Block, k: str) -> set[tuple[str, str]]:
    """What is read under the variable of a loop, in its block, each with that: not where a loop inside binds it to
    something else."""
    found: set[tuple[str, str]] = set()
    for s in block:
        if isinstance(s, ir.For) and k in ir.target_names(s.target):
            continue
        for e in ir.nodes(s):
            if isinstance(e, ir.Index) and isinstance(e.array, Var) and k in ir.reads(e.key):
                found.add((e.array.name, k))
        for inner in ir.blocks(s):
            found |= read_under(inner, k)
    return found


def is_sorted(e: Expr) -> bool:
    return isinstance(e, Op) and e.fn == "builtins.sorted"


ORDERS = frozenset(f"numpy.{name}" for name in ("less", "less_equal", "greater", "greater_equal"))


def in_keys(every: list[ir.Stmt]) -> frozenset[str]:
    """The variables that keys are made of; a mask, `y[w > s]`, is made of numbers."""

    def names(e: Expr) -> Iterator[str]:
        if isinstance(e, Var):
            yield e.name
        elif not (isinstance(e, Op) and e.fn in ORDERS):
            yield from (n for c in ir.children(e) for n in names(c))

    found = {n for s in every for e in ir.nodes(s) if isinstance(e, ir.Index) for n in names(e.key)}
    while True:
        more = {n for s in every if isinstance(s, ir.Assign) and s.target in found for n in names(s.value)}
        if more <= found:
            return frozenset(found)
        found |= more


def without_derivative(every: list[ir.Stmt]) -> frozenset[str]:
    """The variables through which no derivative passes, whatever they hold: they stand in keys and in tests, and in
    what is bound to such variables."""
    free = {n for s in every for n in ir.binds(s)}

    def counts(e: Expr, plain: bool) -> Iterator[str]:
        match e:
            case Var(name=name):
                yield from (name,) if plain else ()
            case ir.Index(array=array):
                yield from counts(array, plain)
            case _:
                yield from (n for c in ir.children(e) for n in counts(c, plain))

    while True:
        used = {
            n
            for s in every
            if not isinstance(s, ir.If | ir.While)
            if not (isinstance(s, ir.Inert) and s.keyword == "assert")
            if not (isinstance(s, ir.Assign) and s.target in free)
            for e in ir.expressions(s)
            for n in counts(e, True)
        }
        if not free & used:
            return frozenset(free)
        free -= used


def _names(f: ir.Function) -> set[str]:
    found = {f.name, *f.names}
    for s in ir.statements(f.body):
        found.update(ir.binds(s))
        for e in ir.expressions(s):
            found |= ir.reads(e)
    return found


def _small(make: Callable[..., Any]) -> Callable[..., Any]:
    """A function that makes an array, for numbers that make no large one."""

    def made(*args: Any, **options: Any) -> Any:
        given = [x for a in (*args, *options.values()) for x in (a if isinstance(a, tuple | list) else [a])]
        numbers = np.abs([x for x in given if isinstance(x, int | float) and x])
        if np.prod(np.maximum(numbers, 1.0 / numbers)) > 1e7:  # a small step makes a long range
            raise ValueError("large")
        return make(*args, **options)

    return made


def _default(p: ir.Param, scope: dict[str, object] | None = None) -> Fact:
    """The fact of a parameter with its default, whose text may read names of a scope; it is known there by its own."""
    try:
        value = eval(p.default, {"__builtins__": {}, **(scope or {})}) if p.default else ...
    except Exception:
        return Fact("any", unknown(p.name))
    if scope is not None:
        scope[p.name] = value
    return fact_of_value(value, p.name)


def fact_of_value(value: object, name: str) -> Fact:
    """The fact of a value that is known now: a number, a string, and lists, tuples and dicts of such."""
    match value:
        case bool() | int() | float():
            return Fact(next(kind.__name__ for kind in (bool, int, float) if isinstance(value, kind)))
        case np.ndarray():
            kind = {"f": "float", "i": "int", "b": "bool"}.get(value.dtype.kind, "any")
            return Fact(kind, Shape(value.shape), number=COMPLEX if value.dtype.kind == "c" else REAL)
        case None:
            return Fact("none")
        case complex():
            return Fact("any", number=COMPLEX)
        case str():
            return Fact("str", unknown(name))
        case list():
            elem = None
            for v in value:
                of = fact_of_value(v, f"{name}[]")
                elem = of if elem is None else join(elem, of, f"{name}[]", Shapes())
            return Fact("list", unknown(name), elem, length=len(value), constant=True)
        case tuple():
            items = tuple(fact_of_value(v, f"{name}[{i}]") for i, v in enumerate(value))
            return Fact("tuple", unknown(name), items=items)
        case dict() if all(isinstance(k, str) for k in value):
            items = tuple(fact_of_value(v, ir.part_name(name, k)) for k, v in value.items())
            return Fact("dict", unknown(name), items=items, keys=tuple(value))
    return Fact("any", unknown(name))


def _default_value(text: str) -> Expr:
    """A default as an argument; a name that starts with "@" is one of another module."""
    if re.fullmatch(r"@[.\w]+", text) or (text.isidentifier() and not keyword.iskeyword(text)):
        return ir.Var(text)
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = ...
    if isinstance(value, bool | int | float | str | None):
        return ir.Const(value, text)
    display = isinstance(value, tuple | list | dict | set) and text[0] in "([{"
    return ir.Raw(text, frozenset(re.findall(r"@[.\w]+", text)), display)


def _foreign(f: Fact, known: set[str], name: str) -> Fact:
    """Symbols of the helper's own become opaque in the caller."""
    rename = lambda s: s if s in known or any(s.startswith(k + ".") for k in known) else f"{name}/{s}"  # noqa: E731
    return facts.with_symbols(f, rename)


def is_number(f: Fact, known: Facts) -> bool:
    """Whether what a caller knows of a value is that it is a number."""
    return f.kind in ("float", "int", "bool", "any") and known.shapes(f.shape) == SCALAR


def _portable(f: Fact, shapes: Shapes, p: str) -> Fact:
    """A fact for the parameter p of a helper, free of the caller's lengths of values.

    Parts that are computed of several operands are not of one shape for that: each shape gets a symbol that nothing of
    the caller's has, whatever its variables are called.
    """
    broadcast: dict[Shape, Shape] = {}

    def full(s: Fact) -> Fact:
        shape = shapes(s.shape)
        if shape.over:
            shape = broadcast.setdefault(shape, unknown(f"{p}//{len(broadcast)}"))
        return replace(s, shape=shape, items=tuple(map(full, s.items)), elem=s.elem and full(s.elem))

    return full(f)


def _renumber(given: dict[str, Fact]) -> dict[str, Fact]:
    """Symbols named by order of appearance, so that two call sites with the same pattern agree. No variable is called
    so: the name begins with a digit."""
    names: dict[str, str] = {}

    def name(s: str) -> str:
        return names.setdefault(s, f"{len(names)}s" + "[]" * ("[]" in s))

    return {p: facts.with_symbols(f, name) for p, f in given.items()}


def _ranks_only(given: dict[str, Fact]) -> dict[str, Fact]:
    """What holds of the parameters at every depth of a recursion: kinds and ranks, but no lengths."""
    return {p: _alone(replace(f, length=None, constant=False), p) for p, f in given.items()}


def _joined(block: Iterable[ir.Stmt], found: Facts) -> Fact:
    """The fact of what the returns among some statements give."""
    out: Fact | None = None
    for s in block:
        if isinstance(s, ir.Return):
            fact = found.of(s.value)
            fact = replace(fact, shape=found.shapes(fact.shape))
            out = fact if out is None else facts.join(out, fact, "?result", found.shapes)
    return out or Fact("none")


OUTLINED = ("tuple", "list", "dict")


def _outline(f: Fact, leaf: Fact, name: str) -> Fact:
    """A tuple of so many values, a dict with such keys, or a list: of the values, only which are whole numbers."""
    if f.kind == "list" and f.elem is not None:
        return Fact("list", unknown(name), _outline(f.elem, leaf, f"{name}[]"))
    if f.kind in ("int", "bool"):
        return Fact(f.kind)
    if f.kind not in ("tuple", "dict") or not f.items:
        return replace(leaf, shape=unknown(name), whole=f.whole or f.kind in OUTLINED)
    items = tuple(_outline(item, leaf, f"{name}[{i}]") for i, item in enumerate(f.items))
    return Fact(f.kind, items=items, keys=f.keys)


def _with_own_lists(f: ir.Function) -> ir.Function:
    """A function in which lists and dicts that it makes are made with what is put into them: what else sees their items
    sees no change of the lists."""
    made: dict[str, bool] = dict.fromkeys(f.names, False)
    for s in ir.statements(f.body):
        match s:
            case ir.Assign(
                value=Op(fn="builtins.list" | "builtins.dict")
                | ir.Sequence(kind="list")
                | ir.Comprehension(kind="list")
                | ir.Dict()
            ):
                made.setdefault(s.target, True)
            case _:
                made |= dict.fromkeys(ir.binds(s), False)
    if not any(made.values()):
        return f

    def block(b: ir.Block) -> ir.Block:
        out: list[ir.Stmt] = []
        for s in b:
            match s:
                case ir.Shrink(array=name) if made.get(name):
                    pass
                case ir.Store(target=ir.Index(key=ir.Slice())):
                    out.append(s)
                case (
                    ir.Append(array=name, value=value)
                    | ir.Store(target=ir.Index(array=Var(name=name)), value=value, update="")
                ) if made.get(name):
                    out.append(ir.Assign(name, ir.Sequence((value,), "list"), s.origin))
                case _:
                    out.append(ir.with_blocks(s, block))
        return tuple(out)

    return replace(f, body=block(f.body))


def _with_results_of(names: set[str], f: ir.Function, handed: Callable[[Op], list[Expr]]) -> ir.Function:
    """A function in which calls of others are made for what they write, and give what they may hand back; the parts of
    one result may share memory with each other."""

    def block(b: ir.Block) -> ir.Block:
        out: list[ir.Stmt] = []
        for s in b:
            match s:
                case ir.Assign(value=Op(fn=fn) as call) | ir.Unpack(value=Op(fn=fn) as call) if (
                    fn.startswith("local.") and fn[6:] in names
                ):
                    out.append(ir.Inert("", (call,), s.origin))
                    first, *others = ir.binds(s)
                    given = tuple(handed(call))
                    out.append(ir.Assign(first, ir.Sequence(given), s.origin))
                    out += [ir.Assign(n, ir.Sequence((*given, Var(first))), s.origin) for n in others]
                case _:
                    out.append(ir.with_blocks(s, block))
        return tuple(out)

    return replace(f, body=block(f.body))


def _of_any_shape(fact: Fact) -> Fact:
    """What is known of a number or an array, or of a list, a tuple, a dict or an object of such, without shapes."""
    if fact.kind in ("tuple", "dict") and fact.items:
        return replace(fact, shape=ANY.shape, items=tuple(map(_of_any_shape, fact.items)))
    if fact.kind == "list" and fact.elem is not None:
        return replace(fact, shape=ANY.shape, elem=_of_any_shape(fact.elem), length=None)
    return replace(ANY, number=fact.number, whole=fact.whole) if fact.kind in ("float", "any") else fact


DEEPEST = 8  # lists in lists that a call of a function by itself may add to what the function is given


def _depth(fact: Fact) -> int:
    """How deep lists, tuples, dicts and objects lie in one another."""
    inner = (*fact.items, *([fact.elem] if fact.elem is not None else []))
    return 1 + max(map(_depth, inner)) if inner else 0


def _structure(fact: Fact) -> tuple[object, ...]:
    """Which lists, tuples and dicts a value is made of."""
    inner = tuple(map(_structure, (*fact.items, *([fact.elem] if fact.elem is not None else []))))
    return (fact.kind, fact.keys, inner) if fact.kind in CONTAINERS else ()


def _is_among(fact: Fact, expected: Fact) -> bool:
    """Whether what has a fact is among the values of another: floats are among those of any kind."""
    if fact == expected or (expected.kind == "any" and fact == replace(expected, kind="float", whole=False)):
        return True
    if fact.kind in ("tuple", "dict") and len(fact.items) == len(expected.items) > 0:
        items = dict(zip(fact.keys or range(len(fact.items)), fact.items, strict=True))
        order = expected.keys if fact.is_object and items.keys() == {*expected.keys} else tuple(items)
        rest = replace(fact, shape=expected.shape, items=expected.items, keys=order if fact.keys else ())
        inner = all(_is_among(items[k], e) for k, e in zip(order, expected.items, strict=True))
        return inner and rest == expected == _of_any_shape(rest)
    if fact.kind == "list" and fact.elem is not None and expected.elem is not None:
        rest = replace(fact, shape=expected.shape, elem=expected.elem, length=expected.length)
        return _is_among(fact.elem, expected.elem) and rest == expected == _of_any_shape(rest)
    return fact.kind in ("float", "any") and expected == _of_any_shape(fact)


def _adds(f: ir.Function, inner: frozenset[str]) -> bool:
    found = (n for s in ir.statements(f.body) for n in ir.nodes(s))
    return any(aliases.is_addition(n) or (isinstance(n, Op) and n.fn in inner) for n in found)


def _makes_lists(f: ir.Function, inner: frozenset[str]) -> bool:
    """Whether a function makes lists, tuples or dicts, or calls one that does."""
    for s in ir.statements(f.body):
        if isinstance(s, ir.Append) or any(isinstance(n, Op) and n.fn in inner for n in ir.nodes(s)):
            return True
        given = (a for call in ir.helper_calls(*ir.expressions(s)) for a in all_arguments(call))
        for e in (*ir.expressions(s), *given):
            if isinstance(e, ir.Sequence | ir.Dict | ir.Comprehension):
                return True
            if isinstance(e, Op) and (e.fn in aliases.HOLDS_ITEMS or e.fn in aliases.LISTS_OF_VIEWS):
                return True
    return False


def _called(f: ir.Function) -> set[str]:
    """The functions that a function calls."""
    return {n for s in ir.statements(f.body) for n in _called_in(*ir.expressions(s))}


def _called_in(*within: Expr) -> set[str]:
    return {call.fn[6:] for call in ir.helper_calls(*within)}


def _depends_on_calls(f: ir.Function, functions: set[str]) -> set[str]:
    """Names whose value may depend on a call of one of these functions."""
    found: set[str] = set()
    while True:
        before = len(found)
        for s in ir.statements(f.body):
            for e in ir.expressions(s):
                if _called_in(e) & functions or ir.reads(e) & found:
                    found.update(ir.binds(s))
                    if isinstance(s, ir.Append):
                        found.add(s.array)
        if len(found) == before:
            return found


def _alone(f: Fact, p: str) -> Fact:
    """The fact with symbols of its own: nothing is known of how it relates to the other parameters."""
    count = iter(range(1000))
    names: dict[str, str] = {}

    def name(s: str) -> str:
        return names.setdefault(s, f"{p}/{next(count)}" + ("[]" if "[]" in s else ""))  # items of several shapes

    return facts.with_symbols(f, name)
