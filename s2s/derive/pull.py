"""From the cotangent of a value to what its operands get: rules, reads by subscript, unpacking, calls of helpers.

(Griewank & Walther, Evaluating Derivatives, chapters 3 and 6; Giles 2008 for the matrix rules.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

from s2s import algebra, ir, rules
from s2s.algebra import ONE, ZERO
from s2s.analysis import zeros
from s2s.analysis.aliases import (
    CONTAINERS,
    HELD,
    MAYBE_VIEWS,
    RANK_ZERO,
    READ_ONLY,
    ROOT,
    holds_numbers,
    holds_rank_zero,
    is_number_or_view,
    rank_zero,
    sources,
    taken_apart,
)
from s2s.analysis.containers import root_of
from s2s.analysis.facts import (
    ANY,
    NOT_DIFFERENTIABLE,
    Fact,
    Facts,
    holds_mixed,
    is_mixed,
    is_uniform,
    leaves,
    literal,
    may_hold_items,
    takes_numbers,
)
from s2s.analysis.numbers import EITHER, REAL
from s2s.analysis.shapes import SCALAR, Length, Shape
from s2s.analysis.transfer import key_kind, key_parts
from s2s.derive import solvers
from s2s.derive.adjoints import Adjoint, Adjoints, Collected, Contribution, State, first_of
from s2s.derive.clamps import past_pole
from s2s.derive.conjugate import adjoint, is_complex_call, real_part, rule_of, squared_modulus, tidied
from s2s.derive.context import ALL, SUMS_OF_LISTS, TURNED, is_costly
from s2s.derive.distinct import may_repeat
from s2s.derive.phrases import (
    bar,
    bind,
    displayed,
    entry_name,
    is_list_of_numbers,
    keyed_items,
    makes_empty_places,
    owned,
    repeated,
    traced,
    zeros_of_optional,
)
from s2s.derive.refusals import (
    ENTRIES,
    HOLD,
    PARTS,
    SHAPES,
    no_rule,
    refuse,
    refuse_draws,
    refuse_shared,
    whole_result,
)
from s2s.derive.survey import is_extent, may_lack
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Index, Op, Var
from s2s.rules.kinds import Reduction, Solver

G = Var("%g")


class Pull(Adjoints):
    """The second layer: contributions."""

    def seed_into(self, e: Expr, seed: Expr, shape: Shape, sink: Collected) -> None:
        shown = self.ctx.temps.get(e.name) if isinstance(e, Var) else e
        match shown if isinstance(shown, ir.Dict) else e:
            case ir.Sequence(items=items, starred=starred) if not starred:
                for i, item in enumerate(items):
                    if self.is_active(item):
                        part = Index(seed, Const(i))
                        if self.ctx.masked_seed:
                            self.masks[part] = self.where_not_zero(part, self.facts.shape(item))
                        self.seed_into(item, part, self.facts.shape(item), sink)
            case ir.Dict(keys=keys, values=values):
                for key, item in zip(keys, values, strict=True):
                    if self.is_active(item):
                        self.seed_into(item, Index(seed, key), self.facts.shape(item), sink)
            case _:
                if self.is_active(e):
                    fact = self.facts.of(e)
                    if self.is_tuple_of_lists(fact):
                        parts = (self.own_seed(Index(seed, Const(i)), f) for i, f in enumerate(fact.items))
                        seed = ir.Sequence(tuple(parts), "list")
                    elif fact.elem is not None and is_list_of_numbers(fact.elem, self.facts) and fact.kind == "list":
                        row = Var(self.ctx.names.fresh("row", "item of a seed"))
                        rows = ir.Comprehension(Op("builtins.list", (row,)), ((row, seed, ()),))
                        seed = keyed_items(seed, lambda v: Op("builtins.list", (v,))) if fact.keyed else rows
                    elif isinstance(e, Var) and self.is_container(e.name) and self.holds_containers(e.name):
                        seed = Op("helper._added", (self.zeros(e.name), seed))
                    elif fact.kind == "list" and (holds_mixed(fact) or self.may_lose_items(e, fact)):
                        seed = owned(seed, e)
                    elif fact.kind in ("list", "tuple") and self.may_be_given_back(fact):
                        seed = self.copies(seed, fact)
                    elif fact.kind in ("list", "tuple") and isinstance(e, Var):
                        seed = Op("builtins.dict" if fact.keyed else "builtins.list", (seed,))
                    if fact.kind == "dict":
                        shape = SCALAR
                    self.into(e, seed, shape, sink)

    def is_tuple_of_lists(self, fact: Fact) -> bool:
        """Whether a value is a tuple of which it is known what it holds: lists of numbers and arrays, beside such."""
        lists = [f for f in fact.items if f.kind in CONTAINERS]
        return fact.kind == "tuple" and bool(lists) and all(self.is_flat(f) for f in lists)

    def is_flat(self, fact: Fact) -> bool:
        if fact.kind != "list" or fact.keyed or fact.elem is None or holds_mixed(fact):
            return False
        return fact.elem.kind not in CONTAINERS

    def own_seed(self, seed: Expr, fact: Fact) -> Expr:
        """A seed, as numbers and arrays that nothing else holds."""
        whole = fact.elem if fact.kind == "list" else fact
        if whole is None or whole.kind in NOT_DIFFERENTIABLE or self.facts.shapes(whole.shape) == SCALAR:
            return Op("builtins.list", (seed,)) if fact.kind == "list" else seed
        return self.copies(seed, fact) if fact.kind == "list" else algebra.op(algebra.MULTIPLY, ONE, seed)

    def may_lose_items(self, e: Expr, fact: Fact) -> bool:
        """Whether lists in a seed may become those that the reverse sweep takes apart."""
        inner = fact.elem is not None and fact.elem.kind in CONTAINERS
        return inner and isinstance(e, Index) and bool(self.ctx.sensitive)

    def may_be_given_back(self, fact: Fact) -> bool:
        """Whether items of a seed may become those of a parameter's cotangent: arrays in a list of the caller's."""
        if fact.elem is not None and fact.elem.shape == SCALAR:
            return False
        params = (self.facts.of(Var(n)) for n in self.ctx.function.names if n in self.ctx.activity.active)
        return any(p.kind in ("list", "tuple") and (p.elem is None or p.elem.shape != SCALAR) for p in params)

    def own_part(self, e: Expr, fact: Fact) -> Expr:
        """A part of a seed, as an object, a number or an array that nothing else holds."""
        if fact.is_object:
            parts = (self.own_part(Index(e, Const(k)), f) for k, f in zip(fact.keys, fact.items, strict=True))
            return ir.Dict(tuple(map(Const, fact.keys)), tuple(parts))
        if fact.kind in NOT_DIFFERENTIABLE:
            return ZERO
        if fact.kind in CONTAINERS or fact.whole:
            return owned(e)
        return e if self.facts.shapes(fact.shape) == SCALAR else algebra.op(algebra.MULTIPLY, ONE, e)

    def copies(self, seed: Expr, fact: Fact) -> Expr:
        """New arrays for those in a seed, in a new list or dict."""
        v = Var(self.ctx.names.fresh("v", "item of a seed"))
        item = (
            self.own_part(v, fact.elem)
            if fact.elem is not None and fact.elem.is_object
            else algebra.op(algebra.MULTIPLY, ONE, v)
        )
        held = fact.elem is not None and fact.elem.kind in CONTAINERS and not fact.elem.is_object
        if not fact.keyed and not held and not (fact.elem is not None and may_hold_items(fact.elem)):
            return ir.Comprehension(item, ((v, seed, ()),))
        return owned(seed)

    def companion(self, e: Expr, like: Expr | None = None, slot: Expr | None = None) -> Expr:
        """The adjoint object of what `e` evaluates to. like: where that has been put by then; slot: or will be."""
        whole = e if like is None else like
        if like is None and slot is not None and ir.reads(e) & self.lists_beside(root_of(slot)):
            whole = slot  # by then the list has other items
        while isinstance(whole, Op) and whole.fn == "numpy.copy" and len(whole.args) == 1:
            whole = whole.args[0]
        dtype = (("dtype", Op("numpy.result_type", (whole, Const(1j)))),) if self.facts.number(whole) == EITHER else ()
        zeros = Op("numpy.zeros_like", (whole,), dtype)
        match e:
            case Const(value=None) if like is not None:  # nothing lies there, and nothing is added to it
                return e
            case ir.Comprehension() if like is not None and makes_empty_places(e):
                return e
            case Const(value=str() | bool()):
                return ZERO
            case Var(name=name) if self.shadows((name,)):
                return Var(bar(name))
            case Var(name=name) if name in self.ctx.temps and self.seen(e):
                return self.companion(self.ctx.temps[name])
            case Index(array=array, key=key) if self.seen(e):
                if isinstance(key, ir.Slice):
                    self.arrays_copied(e, array)
                if like is None and (is_number_or_view(e, self.facts, HELD) or self.may_be_copied(e)):
                    message = "an item of an array that is written is put into a list: it is a number or a view"
                    refuse(self.ctx, e, "S239", message, self.stating(e), "or put a copy into the list: `1.0 * x[k]`")
                self.new_values_inside(array)
                return Index(self.companion(array, array), key)
            case Op(fn="operator.ifexp", args=(test, a, b)):
                self.new_values_inside(a)
                self.new_values_inside(b)
                return replace(e, args=(test, self.companion(a, like), self.companion(b, like)))
            case ir.Sequence(items=items):
                place = slot if like is None else like
                for i in items:
                    self.unnamed_view(i)
                copied = {k for k in e.starred if holds_numbers(items[k], self.facts)}
                for k in e.starred:
                    if self.seen(e if k in copied else items[k]):
                        self.items_copied(e, items[k])
                parts = (
                    self.zero_structure(i, self.facts.of(i))
                    if k in copied
                    else self.companion(i, slot=self.item_slot(place, e, k))
                    for k, i in enumerate(items)
                )
                return ir.Sequence(tuple(parts), "list", e.starred)
            case ir.Dict(keys=keys, values=values):
                place = slot if like is None else like
                within = (None if place is None else Index(place, k) for k in keys)
                settled = [isinstance(k, Const) and isinstance(k.value, ir.Settled) for k in keys]
                bars = zip(values, within, settled, strict=True)
                return replace(
                    e, values=tuple(ZERO if none else self.companion(v, slot=p) for v, p, none in bars), made=""
                )
            case Op(fn=fn) if fn.startswith("local.") and self.seen(e):
                refuse_shared(self.ctx, e)
            case Op(form=ir.Form.OPERATOR, args=args) if self.facts.of(e).kind in CONTAINERS and self.seen(e):
                return replace(e, args=tuple(map(self.joined, args)))
            case Op(fn="numpy.copy" | "method.copy", args=(first,)) if (
                shown := self.shown_entries(first)
            ) is not None and self.seen(e):
                return self.companion(shown, like, slot)
            case Op(args=(first, *_)) if self.facts.of(first).kind == "dict" and self.seen(
                e
            ):  # its numbers are its own
                refuse(self.ctx, e, "S239", "a dict is copied here, and arrays in it are written", ENTRIES)
            case Op(args=(first, *rest)) if self.seen(e):
                self.new_values_inside(first)
                return replace(e, args=(self.companion(first), *rest))
        if not dtype and isinstance(place := like or slot, Index) and self.holds_integers(root_of(place)):
            zeros = replace(zeros, options=(("dtype", Op("numpy.result_type", (whole, ZERO))),))
        of_rank_zero = isinstance(e, Op) and e.fn in RANK_ZERO and self.is_held_at_rank_zero(like)
        if self.facts.is_scalar(e) and not of_rank_zero and not self.may_be_array(like or slot):
            return ZERO  # of a name that is an array elsewhere it is one of rank 0, which can be added to in place
        if self.facts.of(whole).kind in CONTAINERS:  # what is bound to its items is seen through other names
            fact = self.opened(self.facts.of(whole), like or slot)
            arrays = None if may_lack(self.ctx, whole) else self.arrays_like(whole, fact)
            return self.zero_structure(whole, fact) if arrays is None else arrays
        return zeros

    def opened(self, fact: Fact, place: Expr | None) -> Fact:
        """What is known of a container that has been put, or will be, into a place under which arrays may lie, too:
        its numbers may be arrays, as adjoints of rank 0 all names see that are added to."""
        if place is None or fact.kind not in CONTAINERS:
            return fact
        if fact.kind == "dict" and fact.keys:  # each entry has a place of its own

            def entry(key: object, f: Fact) -> Fact:
                at = Index(place, Const(key))
                if f.kind in (*CONTAINERS, *NOT_DIFFERENTIABLE):
                    return self.opened(f, at)
                return replace(f, shape=ANY.shape) if self.may_be_array(at) else f

            return replace(fact, items=tuple(map(entry, fact.keys, fact.items)))
        if not self.may_be_array(Index(place, Const(0))):
            return fact

        def part(f: Fact) -> Fact:
            if f.kind in CONTAINERS:
                return replace(f, items=tuple(map(part, f.items)), elem=None if f.elem is None else part(f.elem))
            return f if f.kind in NOT_DIFFERENTIABLE else replace(f, shape=ANY.shape)

        return part(fact)

    def is_held_at_rank_zero(self, e: Expr | None) -> bool:
        """Whether a name is that of an array of rank 0 that lists or objects hold, too: what is added to its adjoint
        there, it sees."""
        if not isinstance(e, Var) or e.name not in rank_zero(self.facts):
            return False
        same = self.ctx.aliases.members.get(self.ctx.aliases.of.get(e.name, ""), frozenset[str]())
        return not holds_rank_zero(self.facts).isdisjoint(same)

    def arrays_like(self, e: Expr, fact: Fact, depth: int = 0) -> Expr | None:
        """Zeros for a list of lists of numbers or arrays, nobody knows which: of numbers they are arrays of rank 0,
        which all names see that are added to."""
        elem = fact.elem
        if fact.kind != "list" or fact.keyed or elem is None or depth > 1:
            return None
        v = Var("vw"[depth])
        if elem.kind != "list":
            unit = ZERO if elem.number == REAL else Const(1j)
            dtype = () if elem.kind == "float" else (("dtype", Op("numpy.result_type", (v, unit))),)
            zeros = Op("numpy.zeros_like", (v,), dtype)
            return ir.Comprehension(zeros, ((v, e, ()),)) if depth and self.is_open_rank(elem) else None
        inner = self.arrays_like(v, elem, depth + 1)
        if inner is not None and elem.absent:  # `[None] * n`, which is filled later
            inner = zeros_of_optional(inner, v)
        return None if inner is None else ir.Comprehension(inner, ((v, e, ()),))

    def shown_entries(self, e: Expr) -> ir.Dict | None:
        """A dict under keys that are known, as the display of its entries."""
        fact = self.facts.of(e)
        if fact.kind != "dict" or fact.keyed or fact.is_object or not fact.keys:
            return None
        keys = tuple(map(Const, fact.keys))
        return ir.Dict(keys, tuple(Index(e, k) for k in keys))

    def new_values_inside(self, e: Expr) -> None:
        """Refuses a display of which a part is read, where new values lie in it beside arrays that are written: what
        is added to their adjoints would go on to nothing."""
        match self.ctx.temps.get(e.name, e) if isinstance(e, Var) else e:
            case ir.Sequence(items=items) | ir.Dict(values=items):
                if any(self.is_active(i) and not self.seen(i) for i in items):
                    message = "a part of a list with new values is taken here, and arrays beside them are written"
                    refuse(self.ctx, e, "S239", message, "bind the list to a name of its own first")
                for i in items:
                    self.new_values_inside(i)

    def item_slot(self, place: Expr | None, e: ir.Sequence, k: int) -> Expr | None:
        """Where an item of a display lies that has been put into a place: from the end, behind other lists in it."""
        if place is None or not any(i < k for i in e.starred):
            return None if place is None else Index(place, Const(k))
        if not any(i > k for i in e.starred):
            return Index(place, Const(k - len(e.items)))
        if ir.reads(e.items[k]) & self.lists_beside(root_of(place)):
            message = "an item is put between those of other lists here, and arrays in them are written"
            refuse(self.ctx, e, "S239", message, self.stating(e))
        return None

    def lists_beside(self, name: str) -> set[str]:
        """The lists, tuples and dicts in the class of a name."""
        aliases = self.ctx.aliases
        return {
            n for n in aliases.members.get(aliases.of.get(name, ""), ()) if self.facts.of(Var(n)).kind in CONTAINERS
        }

    def joined(self, part: Expr) -> Expr:
        """The adjoint object of a list that is joined with others, or repeated; or how often."""
        if self.facts.of(part).kind not in CONTAINERS:
            return part
        if not isinstance(part, Var) or not self.shadows((part.name,)):
            message = "lists are joined here, and arrays in one of them are written"
            refuse(self.ctx, part, "S239", message, "extend a list before, or bind each to a name of its own")
        self.arrays_copied(part, part)
        return self.companion(part)

    def holds_integers(self, name: str) -> bool:
        """Whether integers are written out where a list or a dict is made, or something is put into it; or what a
        caller gives, 1 for 1.0."""
        if name in self.survey.maybe_integer:
            return True
        for s in ir.statements(self.ctx.function.body):
            match s:
                case Assign(target=target, value=value) | ir.Append(array=target, value=value) if target == name:
                    pass
                case ir.Store(target=place, value=value) if root_of(place) == name:
                    pass
                case _:
                    continue
            if any(isinstance(e, Const) and type(e.value) is int for e in displayed(self.ctx.tree(value))):
                return True
        return False

    def may_be_array(self, place: Expr | None) -> bool:
        """Whether what lies in a name or a slot, or in a list that may be seen through it, is of unknown rank."""
        match place:
            case Var():
                return self.facts.shape(place).rank is None
            case Index():
                aliases = self.ctx.aliases
                found = [self.facts.of(Var(n)) for n in aliases.members.get(aliases.of.get(root_of(place), ""), ())]
                items = [i for f in found if f.kind == "list" and f.elem is not None for i in leaves(f)]
                return None in [self.facts.shape(place).rank, *(self.facts.shapes(f.shape).rank for f in items)]
        return False

    def unnamed_view(self, item: Expr) -> None:
        """Refuses an item of a list that may be a view or a copy: without a name, nothing asserts which it is."""
        e = self.ctx.tree(item)
        if self.seen(e) and any(isinstance(n, Op) and n.fn in MAYBE_VIEWS for n in ir.walk(e)) and not self.is_part(e):
            message = "an item of this list is a view of an array that is written, or a copy, as the memory decides"
            refuse(self.ctx, item, "S239", message, "bind it to a name first, in a statement of its own")

    def may_be_copied(self, e: Index) -> bool:
        """Whether an item of an array is a copy, a number or a view as the key decides, of which nothing is known."""
        kind = self.facts.of(e.array).kind
        return kind not in CONTAINERS and any(map(self.ctx.may_select, key_parts(e.key, self.facts)))

    def arrays_copied(self, e: Expr, items: Expr) -> None:
        """A copy of a list of what may be numbers: what is added to the adjoint of the copy were lost."""
        fact = self.facts.of(items)
        if fact.kind != "list" or self.is_copied_with_arrays(fact.elem):
            return
        if fact.elem is None or not self.is_open_rank(fact.elem):
            message = "a list is copied here of which the items are numbers or arrays, and some are written"
            refuse(self.ctx, e, "S239", message, self.stating(e))
        self.assert_no_numbers(items)

    def items_copied(self, e: Expr, items: Expr) -> None:
        """`[*x]` as `arrays_copied`; of an array, the items are rows, or numbers, of which copies are made."""
        rank = self.facts.ndim(items)
        if self.facts.of(items).kind not in ("float", "any"):
            self.arrays_copied(e, items)
        elif rank == 1:
            message = "the numbers of an array are copied into a list here, and the array is written"
            refuse(self.ctx, e, "S239", message, "hold the numbers in an array: `np.array(...)`")
        elif rank is None:
            self.assert_no_numbers(items)

    def assert_no_numbers(self, items: Expr) -> None:
        """Of items of unknown rank the adjoints are arrays, of rank 0 where they are numbers: the output asserts it."""
        v = Var(self.ctx.names.fresh("v", "an item that is copied"))
        numbers = ir.Comprehension(Op("numpy.isscalar", (v,)), ((v, self.companion(items, items), ()),), "generator")
        test = Op("operator.not", (Op("builtins.any", (numbers,)),), form=ir.Form.OPERATOR)
        self.asserted.append(ir.Inert("assert", (test,)))

    def taken_asserted(self) -> list[ir.Stmt]:
        """What has to hold of the adjoints that the last companions are made of."""
        taken, self.asserted = self.asserted, []
        return taken

    def is_copied_with_arrays(self, elem: Fact | None) -> bool:
        """Whether items of lists are surely arrays or containers, so that a copy of their adjoints holds the same."""
        return elem is not None and (self.facts.shapes.has_axis(elem.shape) or elem.kind in CONTAINERS)

    def is_open_rank(self, elem: Fact) -> bool:
        """Whether items are numbers or arrays, for all that is known, and no containers."""
        return elem.kind in ("float", "any") and self.facts.shapes(elem.shape).rank is None and not elem.whole

    def take(self, s: Assign, adjoint: Adjoint, sink: Collected) -> None:
        """Contributions of `target = value`, whose adjoint is given, to what the value reads."""
        full = self.facts.shape(Var(s.target))
        value_shape = self.facts.shape(s.value)
        if isinstance(s.value, Op) and ir.is_update(s.value):  # `x += e` leaves an array its shape
            updated, term = s.value.args
            if self.facts.ndim(updated) and self.facts.is_array(updated):
                array = self.facts.shape(updated)
                self.facts.shapes.fit(self.facts.shape(term), array)
                self.facts.shapes.fit(value_shape, array)
                value_shape = array
        shape = adjoint.shape
        if full != value_shape and shape == full:  # a merged variable: the value's own shape is the sharper fact
            shape = value_shape
        if shape == self.wider(s.target):
            self.facts.shapes.fit(full, shape)
            self.facts.shapes.fit(value_shape, shape)
        self.note_mask(adjoint, full)
        if self.pull_shortened(s, adjoint, sink) or self.pull_without_one(s, adjoint, sink):
            return
        if isinstance(s.value, ir.Sequence) and s.value.starred:
            self.pull_joined(s.value, adjoint.expr, sink, own=adjoint.owned)
        else:
            self.into_value(s.value, s.target, adjoint.expr, shape, sink)
        if self.is_container(s.target):
            sink.note_wholes(adjoint.expr)

    def into_value(self, value: Expr, target: str, g: Expr, shape: Shape, sink: Collected) -> None:
        self.pull(value, Var(target, after=True), g, shape, sink)

    def into(self, e: Expr, g: Expr, shape: Shape, sink: Collected) -> None:
        """A contribution g to the operand e: a variable, or an expression that it is pulled through."""
        match e:
            case Var(name=name):
                if name not in self.active:
                    return
                if name in self.ctx.temps:
                    self.pull(self.ctx.temps[name], e, g, shape, sink)
                elif (taken := self.admitted(e, g)) is not None:
                    sink.add(name, Contribution(taken, shape))
            case Const():
                return
            case _:
                if self.is_active(e):
                    self.pull(e, e, g, shape, sink)

    def admitted(self, e: Expr, g: Expr) -> Expr | None:
        """What of a cotangent the value e takes: the real part if it is real; None where that is zero."""
        if not self.facts.complex or not self.facts.is_real(e):
            return g
        g = real_part(g, self.facts)
        return None if g == ZERO else g

    def pull(self, value: Expr, out: Expr, g: Expr, gshape: Shape, sink: Collected) -> None:
        """Passes the adjoint g of an operation's result on to its operands."""
        if isinstance(value, Var | Const):
            self.into(value, g, gshape, sink)
            return
        taken = self.admitted(value, g)
        if taken is None:
            return
        g = taken
        match value:
            case ir.Index():
                self.pull_index(value, g, gshape, sink, full=gshape == self.facts.shape(out))
            case ir.Sequence() if value.starred:
                self.pull_joined(value, g, sink)
            case ir.Sequence():
                for i, item in enumerate(value.items):
                    if self.is_active(item):
                        self.into(item, self.part(g, Const(i), item), self.facts.shape(item), sink)
            case ir.Dict():
                for key, item in zip(value.keys, value.values, strict=True):
                    if self.is_active(item):
                        self.into(item, self.part(g, key, item), self.facts.shape(item), sink)
            case Op(fn="numpy.add", args=args, form=ir.Form.OPERATOR) if self.facts.of(value).kind in ("list", "tuple"):
                self.pull_joined(ir.Sequence(args, "list", frozenset((0, 1))), g, sink)
            case Op(fn="numpy.multiply", form=ir.Form.OPERATOR) if self.facts.of(value).kind in ("list", "tuple"):
                message = "a list that is repeated carries a derivative"
                refuse(self.ctx, value, "S231", message, "write a comprehension: `[x for _ in range(n)]`", HOLD)
            case Op(fn=fn) if fn.startswith("local."):
                shape = self.facts.shape(out if isinstance(out, Var) and out.name in self.ctx.temps else value)
                self.pull_call(
                    value, g if self.ctx.calls.is_keyed(value) else self.full(g, gshape, shape, value, out), sink
                )
            case Op() if asked := zeros.kept(value, self.ctx.expanded):
                self.pull_kept(value, asked, g, gshape, sink)
            case Op():
                self.pull_op(value, out, g, gshape, sink)
            case _ if not self.is_active(value):
                return
            case ir.Comprehension() if (parts := ir.keyed_parts(value)) is not None:
                keys, values = parts
                k = ir.apart("k", keys, g)
                self.into(values, ir.Comprehension(Index(g, k), ((k, keys, ()),)), SCALAR, sink)
            case _:
                refuse(self.ctx, value, "S236", "this expression has no derivative here", PARTS, HOLD)

    def part(self, g: Expr, key: Expr, item: Expr) -> Expr:
        """The cotangent of an item, from that of the list or dict: as masked as that."""
        part = Index(g, key)
        self.masks.pop(part, None)
        if g in self.masks:
            self.masks[part] = self.where_not_zero(part, self.facts.shape(item))
        return part

    def pull_kept(self, value: Op, asked: tuple[Expr, ...], g: Expr, gshape: Shape, sink: Collected) -> None:
        """A choice that keeps the zero of an adjoint: what the adjoint is multiplied with is the same there."""
        test, zero, of = value.args
        names = {zeros.root(w) for w in asked}
        rest, whole = Collected(), Collected()
        around, self.apart = self.apart, True
        self.pull(of, of, replace(value, args=(self.ctx.tree(test), zero, g)), gshape, rest)
        e = renewed(of, self.ctx.temps)  # what is pulled twice gets names for each time
        self.pull(e, e, g, gshape, whole)
        self.apart = around
        for name, found in rest.by_name.items():
            for c in whole.by_name.get(name, ()) if name in names else found:
                sink.add(name, c)

    def pull_op(self, value: Op, out: Expr, g: Expr, gshape: Shape, sink: Collected) -> None:
        if (squared := squared_modulus(value, self.ctx.temps)) is not None:
            for z in filter(self.is_active, squared[0]):
                self.pull_squared_modulus(value, z, g, gshape, sink)
            return
        rule = rule_of(value, self.facts)
        if rule is None:
            no_rule(self.ctx, value)
        call = bind(self.ctx, rule, value)
        if call.results:
            whole_result(self.ctx, value, call)
        if isinstance(rule, Solver):
            shape = self.facts.shape(out)
            g = g if gshape == self.facts.shape(value) else self.full(g, gshape, shape, value)
            self.pull_solver(value, call, out, g, sink)
            return
        todo = [o for o in call.operands if self.is_active(o.expr)]
        if not todo:
            return
        shape = self.facts.shape(out if isinstance(out, Var) and out.name in self.ctx.temps else value)
        if rule.kind == "elementwise":  # an inner node passes on what its reader broadcast
            shapes = self.facts.shapes
            if shape.rank is None or shapes.fits.get(shape) == gshape:
                shape = shapes.broadcast([shape, gshape])
                for e in value.args:
                    shapes.fit(self.facts.shape(e), shape)
        before = len(self.out)
        mask = self.mask_of(g) if rule.kind == "elementwise" and value.fn != "numpy.where" else None
        made: list[tuple[rules.Operand, Expr, Shape]] = []
        if (
            rule.kind != "elementwise"
            and gshape != shape
            and self.facts.of(value).kind not in ("list", "tuple")
            and not is_mixed(self.facts.of(value))
            and value.fn != "helper._added"  # whose cotangent has its structure
            and not (rule.kind == "reduction" and gshape == SCALAR)
        ):
            g, gshape = self.full(g, gshape, shape, value), shape
        if mask is not None and any(self.is_unbounded(value, call, o, out, rule, mask.items) for o in todo):
            if mask.chosen.args[2] == mask.inner == g:  # it is asked itself, by the name that it will have
                mask = replace(mask, chosen=self.where_not_zero(G, gshape))
            g = mask.inner  # what is made of it has the shape of the choice, as g has
        else:
            mask = None
        number = REAL if self.facts.is_real(g) else self.facts.number(value)
        own = self.own_shape(g) if gshape == self.filled else gshape
        self.facts.names[G.name] = Fact("float", own, number=number)
        if self.is_mean_of_arrays(value):
            g = self.ctx.simplify(self.ctx.resolve(algebra.op(algebra.DIVIDE, g, Op("numpy.size", (value.args[0],)))))
            g = self.name_it(g, gshape, value)  # the same for all items, whose numbers are counted once
        for operand in todo:
            kind = self.facts.of(operand.expr)
            if kind.kind == "list":
                of = self.ctx.tree(operand.expr)
                if is_list(of) or (value.fn in SUMS_OF_LISTS and isinstance(of, Index)):
                    made.append((operand, *self.to_list(value, rule, operand)))
                    continue
            if value.fn in ("numpy.array", "numpy.asarray") and may_hold_items(kind) and self.is_open(operand.expr):
                made.append((operand, owned(G, operand.expr), SCALAR))  # a list of it, where that is a list
                continue
            want = self.facts.shape(operand.expr)
            if isinstance(rule, Reduction):
                wide_g, wide_out = (
                    (G, out)
                    if gshape == SCALAR and shape == SCALAR
                    else (rule.expand(call, G, self.facts), rule.expand(call, out, self.facts))
                )
                if gshape == SCALAR:
                    wide_g = G
                c = traced(self.ctx, value, rule.vjp, call, operand, wide_g, wide_out, self.facts)
                c = adjoint(rule, c, self.facts, G, temps=self.ctx.temps)
                cshape = self.reduced(c, want, operand.expr)
            else:
                c = traced(self.ctx, value, rule.vjp, call, operand, G, out, self.facts)
                c = past_pole(self.ctx, value, out, c)
                c = adjoint(rule, c, self.facts, G, temps=self.ctx.temps)
                cshape = want
                if mask is not None:
                    c = mask.of(c, self.facts.shapes.broadcast([self.facts.shape(v) for v in self.leaves(c)]))
                if rule.kind == "elementwise":
                    cshape = self.facts.shapes.broadcast([self.facts.shape(v) for v in self.leaves(c)])
                    c, cshape = self.to_operand(c, cshape, shape, want, operand.expr, value)
            called = value.fn.startswith("numpy.") and value.form is not ir.Form.OPERATOR  # no arithmetic on lists
            if called and self.is_open(operand.expr) and kind.kind == "any":
                c = c if cshape == want or cshape != SCALAR else self.spread(c, want, operand.expr)
                c, cshape = owned(c, operand.expr), SCALAR  # it may be a list
            made.append((operand, c, cshape))
        uses = sum(algebra.count(c, lambda n: n == G) for _, c, _ in made)
        if uses and isinstance(rule, Reduction) and is_costly(g) and any(is_costly(c) for _, c, _ in made):
            uses += 1  # the largest of a sum's adjoint: a step of its own, though it is used once
        if uses > 1:
            uses = max(uses, self.terms(value, uses + 1))
        kept = self.mask_of(g)
        g = self.named(g, gshape, value, uses)
        if kept is not None and isinstance(g, Var):
            # what is zero by its place is so under its name as well
            self.masks[g] = self.where_not_zero(g, gshape) if kept.chosen.args[2] == kept.inner else kept.chosen
            if kept.items:
                self.cuts.add(g)
        assert len(self.out) >= before
        for operand, c, cshape in made:
            c = ir.substitute(c, {G.name: g})
            if isinstance(g, Const):
                c = algebra.with_weak_constants(c)
            rows = value.fn != "helper._added"  # whose cotangent is a list from the beginning
            if isinstance(c, Op) and c.fn == "builtins.list" and rows and self.facts.of(operand.expr).kind == "list":
                self.row_lists.add(c)
            self.into(operand.expr, tidied(c, self.facts) if self.facts.complex else c, cshape, sink)

    def terms(self, value: Expr, enough: int) -> int:
        """The active terms of a sum, to each of which its adjoint goes; counted up to `enough`."""
        found, todo = 0, [value]
        while todo and found < enough:
            e = todo.pop()
            if isinstance(e, Var) and e.name in self.ctx.temps and e.name not in self.ctx.promoted:
                e = self.ctx.temps[e.name]
            if isinstance(e, Op) and e.fn in (algebra.ADD, algebra.SUBTRACT):
                todo += e.args
            else:
                found += self.is_active(e)
        return found

    def mask_of(self, g: Expr) -> Mask | None:
        """The condition without which an adjoint is zero: it comes from one branch of np.where."""
        match g:
            case Op(fn="numpy.where" | "operator.ifexp", args=(_, a, b)) if (a == ZERO) != (b == ZERO):
                return Mask(g, b if a == ZERO else a)
            case Op(fn="numpy.multiply" | "numpy.divide" | "numpy.negative", args=args, form=ir.Form.OPERATOR):
                found = [(i, m) for i, x in enumerate(args) if (m := self.mask_of(x)) is not None]
                if len(found) == 1 and (found[0][0] == 0 or g.fn != "numpy.divide"):
                    i, m = found[0]
                    return Mask(m.chosen, replace(g, args=(*args[:i], m.inner, *args[i + 1 :])), m.items)
            case Op(fn="numpy.triu" | "numpy.tril"):
                return Mask(self.where_not_zero(g, self.facts.shape(g)), g, True)
            case Op(fn="helper._unbroadcast", args=(inner, _)) if self.mask_of(inner) is not None:
                return Mask(self.where_not_zero(g, self.facts.shape(g)), g, True)
            case Op(fn="numpy.add" | "numpy.subtract", args=args, form=ir.Form.OPERATOR) if all(
                map(self.is_masked, args)
            ):
                return Mask(self.where_not_zero(g, self.facts.shape(g)), g)
            case Var() | Index() if g in self.masks:
                _, a, b = self.masks[g].args
                inner = b if a == ZERO else a  # a number that was chosen stands for itself in what is made of it
                return Mask(self.masks[g], inner if isinstance(inner, Const) else g, g in self.cuts)
        return None

    def is_masked(self, e: Expr) -> bool:
        return self.mask_of(e) is not None

    def note_mask(self, a: Adjoint, shape: Shape) -> None:
        """Notes whether an adjoint that is passed on is a masked one; its name may have been that of another one."""
        self.masks.pop(a.expr, None)
        self.cuts.discard(a.expr)
        if isinstance(a.expr, Var) and (a.masked or (a.cut and shape != SCALAR)):
            self.masks[a.expr] = self.where_not_zero(a.expr, shape)
            if not a.masked:
                self.cuts.add(a.expr)

    def where_not_zero(self, g: Expr, shape: Shape) -> Op:
        """An adjoint as a choice of its own: the condition that has made it zero may not be there any more."""
        test = Op("numpy.equal", (g, ZERO), form=ir.Form.OPERATOR)
        if shape == SCALAR:
            return Op("operator.ifexp", (test, ZERO, g), form=ir.Form.OPERATOR)
        return Op("numpy.where", (test, ZERO, g))

    def is_unbounded(
        self, value: Op, call: rules.Call, o: rules.Operand, out: Expr, rule: rules.Rule, items: bool
    ) -> bool:
        """Whether a partial derivative may be infinite, or no number: times a zero it is none either.

        items: in some items only, and not in others.
        """
        return value.fn in zeros.OVERFLOWING or self.may_overflow(
            traced(self.ctx, value, rule.vjp, call, o, G, out, self.facts), items
        )

    def may_overflow(self, c: Expr, items: bool = False) -> bool:
        for n in ir.walk(c):
            if items and isinstance(n, Op) and self.facts.is_scalar(n.args[-1] if n.fn == "numpy.divide" else n):
                continue
            match n:
                case Var(name=name) if self.may_be_infinite(name):
                    return True
                case Op(fn="numpy.divide", args=(_, below)) if self.is_extent(below):
                    pass
                case Op(fn=fn) if zeros.has_pole(n) or fn in zeros.OVERFLOWING or self.ctx.calls.has_pole(fn):
                    return True
        return False

    def is_extent(self, e: Expr) -> bool:
        """Whether a number is the length of an axis, or made of one: an array is empty where it is zero."""
        match e:
            case Const():
                return False
            case Var(name=name) if name in self.survey.extents:
                return True
            case Var(name=name):
                value = self.ctx.temps.get(name) or self.ctx.definition(name)
                return value is not None and self.is_extent(value)
            case Op(fn="numpy.sqrt" | "math.sqrt" | "builtins.float", args=(of,)):
                return self.is_extent(of)
            case Op(fn="numpy.multiply" | "numpy.floor_divide", args=(a, b)) if self.facts.of(e).kind == "int":
                return self.is_extent(a) or self.is_extent(b)
        return is_extent(e, self.ctx)

    def may_be_infinite(self, name: str) -> bool:
        """Whether a name stands for a value that may be, as far as one definition tells, or what is put into it."""
        if name not in self.infinite:
            self.infinite[name] = False
            value = self.ctx.definition(name)
            made = [*self.put_into.get(name, ()), *(() if value is None or self.is_extent(value) else (value,))]
            self.infinite[name] = any(map(self.may_overflow, made))
        return self.infinite[name]

    @cached_property
    def put_into(self) -> dict[str, list[Expr]]:
        """What is appended, stored or unpacked, by the name that gets it, and over what loops that bind it run."""
        found: dict[str, list[Expr]] = {}
        for s in ir.statements(self.ctx.function.body):
            match s:
                case ir.Append(array=name, value=value):
                    found.setdefault(name, []).append(value)
                case ir.Store(value=value):
                    found.setdefault(ir.written_name(s.target), []).append(value)
                case ir.Unpack(value=Op() as value):
                    for name in s.targets:
                        found.setdefault(name, []).append(value)
                case ir.For(target=target, iterable=value):
                    for name in ir.target_names(target):
                        if self.facts.of(Var(name)).kind != "int":
                            found.setdefault(name, []).append(value)
        return found

    def pull_squared_modulus(self, value: Op, z: Expr, g: Expr, gshape: Shape, sink: Collected) -> None:
        """np.abs(z)**2, of a complex z, too: z_bar is 2 z g."""
        want = self.facts.shape(z)
        shape = self.facts.shapes.broadcast([want, gshape])
        c = algebra.op(algebra.MULTIPLY, algebra.op(algebra.MULTIPLY, Const(2.0), z), self.named(g, gshape, value, 1))
        self.into(z, *self.to_operand(c, shape, shape, want, z, value), sink)

    def is_open(self, e: Expr) -> bool:
        """Whether an operand is a name of what may be a list, a dict or an object."""
        return isinstance(e, Var) and e.name in self.survey.containers

    def is_mean_of_arrays(self, value: Op) -> bool:
        """Whether an operation is the mean of all numbers in a list of what may be arrays."""
        if value.fn != "numpy.mean" or len(value.args) != 1 or value.options:
            return False
        fact = self.facts.of(value.args[0])
        rank = None if fact.elem is None else self.facts.shapes(fact.elem.shape).rank
        return fact.kind == "list" and rank != 0 and is_list(self.ctx.tree(value.args[0]))

    def to_list(self, value: Op, rule: rules.Rule, operand: rules.Operand) -> tuple[Expr, Shape]:
        """The cotangent of a list of values, from that of the array that a function made of it."""
        if value.fn == "helper._added":  # of lists: its cotangent is one, too
            return G, SCALAR
        is_array = value.fn in ("numpy.array", "numpy.asarray")  # of floats, whatever its options are
        options = {} if is_array else dict(value.options)
        if operand.item is not None:  # one of several, `np.array([a, b])`
            elem = self.facts.of(operand.expr).elem
            if not is_array or (elem is not None and elem.kind in CONTAINERS):
                message = f"`{rule.spelled}` of a list within a list has no derivative here"
                refuse(self.ctx, value, "S302", message, "make arrays of the inner lists first: `np.array(...)`")
            path = operand.item if isinstance(operand.item, tuple) else (operand.item,)
            key = Const(path[0]) if len(path) == 1 else ir.Sequence(tuple(map(Const, path)))
            return Op("builtins.list", (Index(G, key),)), SCALAR
        items = value.args[0]
        axis = value.args[1] if len(value.args) > 1 and not is_array else options.pop("axis", Const(0))
        elem = self.facts.of(items).elem
        rank = None if elem is None else self.facts.shapes(elem.shape).rank
        fn = value.fn
        if fn in ("numpy.vstack", "numpy.hstack"):
            if rank is None:
                return Op("helper._columns_like" if fn == "numpy.hstack" else "helper._rows_like", (G, items)), SCALAR
            if fn == "numpy.hstack" or rank > 1:
                axis = Const(1 if fn == "numpy.hstack" and rank > 1 else 0)
                fn = "numpy.concatenate" if rank else "numpy.array"
            elif rank == 0:
                return Op("builtins.list", (Op("numpy.ravel", (G,)),)), SCALAR
        if fn == "numpy.column_stack":
            if rank == 1:
                return Op("builtins.list", (Op("numpy.transpose", (G,)),)), SCALAR
            return Op("helper._columns_apart", (G, items)), SCALAR
        if is_array or (fn in ("numpy.array", "numpy.stack", "numpy.vstack") and not options):
            g: Expr = G if axis == Const(0) else Op("numpy.moveaxis", (G, axis, Const(0)))
            if elem is not None and elem.kind in CONTAINERS:
                if elem.kind == "dict" or (elem.elem is not None and elem.elem.kind in CONTAINERS):
                    message = f"`{rule.spelled}` of lists that hold lists of lists has no derivative here"
                    refuse(self.ctx, value, "S233", message, "make arrays of the inner lists first: `np.array(...)`")
                row = Var(self.ctx.names.fresh("v", "item"))
                return ir.Comprehension(Op("builtins.list", (row,)), ((row, g, ()),)), SCALAR
            return Op("builtins.list", (g,)), SCALAR
        v = Var(self.ctx.names.fresh("v", "item"))
        if fn == "numpy.concatenate" and axis == Const(None):  # of all their elements, one behind the other
            return Op("helper._split_like", (G, items), (("axis", axis),)), SCALAR
        if fn == "numpy.concatenate" and not options:
            size = ir.Index(ir.Attribute(v, "shape"), axis)
            ends = Op("numpy.cumsum", (ir.Comprehension(size, ((v, items, ()),)),))
            cuts = ir.Index(ends, ir.Slice(None, Const(-1)))
            return Op("numpy.split", (G, cuts), () if axis == Const(0) else (("axis", axis),)), SCALAR
        start = [*value.args[1:], *(e for _, e in value.options)]
        if fn == "builtins.sum" and all(isinstance(e, Const) for e in start):
            if elem is not None and (rank == 0 or is_uniform(elem)):
                return repeated(G, items), SCALAR
            return ir.Comprehension(Op("helper._unbroadcast", (G, v)), ((v, items, ()),)), SCALAR
        by_item = len(value.args) > 1 or "axis" in dict(value.options)  # rather than of all numbers in all items
        if fn in ("numpy.sum", "math.fsum", "numpy.mean") and not options and (not by_item or axis == Const(0)):
            g = G
            if fn == "numpy.mean" and (rank == 0 or by_item):
                g = algebra.op(algebra.DIVIDE, G, Op("builtins.len", (items,)))
            if rank == 0:
                return repeated(g, items), SCALAR
            ones = Op("numpy.ones_like", (v,))
            return ir.Comprehension(algebra.op(algebra.MULTIPLY, g, ones), ((v, items, ()),)), SCALAR
        refuse(
            self.ctx,
            value,
            "S303",
            f"`{rule.spelled}` of a list that grows has no derivative here",
            "make an array of it first: `np.array(...)`",
        )

    def to_operand(
        self, c: Expr, cshape: Shape, shape: Shape, want: Shape, operand: Expr, node: Expr
    ) -> tuple[Expr, Shape]:
        """A contribution to a result of `shape`, summed over the axes along which the operand was broadcast."""
        if want == shape and (want != self.filled or self.is_whole(c, want)):
            return c, cshape
        if takes_numbers(node):  # where it runs the operand is a number, whatever it is elsewhere
            return c, want
        if want.rank is None and self.is_elementwise(operand):
            return (c if cshape == shape else self.spread(c, shape, node)), shape  # summed at the leaves
        if want == SCALAR:
            if cshape == SCALAR != shape:
                return algebra.op(algebra.MULTIPLY, c, self.size(shape, node)), SCALAR
            if cshape != shape:
                c = self.spread(c, shape, node)
            number = self.is_repeated() and self.facts.shapes.is_any(self.own_shape(c))
            return Op("numpy.sum", (c,), spelling=ir.TOTAL if number else ""), SCALAR
        narrow = c
        if cshape != shape:
            c = self.spread(c, shape, node)
        # a value may have leading axes of length 1 that the place lacks into which it is stored
        differ = want != shape  # else it is `filled`
        if differ and shape.rank is not None and want.rank is not None and (lead := shape.rank - want.rank) >= 0:
            pairs = list(zip(shape.dims[lead:], want.dims, strict=True))
            if all(a == b or b == 1 for a, b in pairs):
                axes = tuple(range(lead))
                kept = tuple(i for i, (a, b) in enumerate(pairs) if a != b)
                if axes:
                    c = Op("numpy.sum", (c,), (("axis", _axes(axes)),))
                if kept:
                    c = Op("numpy.sum", (c,), (("axis", _axes(kept)), ("keepdims", Const(True))))
                return c, want
        if (found := self.facts.shapes.kept.get(want)) is not None and found[0] == shape:
            over = Var(found[1]) if isinstance(found[1], str) else Const(found[1])
            return Op("numpy.sum", (c,), (("axis", over), ("keepdims", Const(True)))), want
        if self.is_elementwise(operand):
            self.facts.shapes.fit(want, shape)
            return c, shape
        if self.facts.shapes.broadcast([cshape, want]) == shape:
            c = narrow  # _unbroadcast itself broadcasts it against the operand
        return Op("helper._unbroadcast", (c, operand)), want

    def is_whole(self, c: Expr, shape: Shape) -> bool:
        """Whether a contribution surely has this shape: a value that is stored may have leading axes of length 1."""
        return self.own_shape(c) == shape

    def is_elementwise(self, e: Expr) -> bool:
        """Whether an operand is itself the result of an elementwise operation, whose operands can be summed for."""
        inner = self.ctx.temps.get(e.name) if isinstance(e, Var) else e
        rule = rules.lookup(inner.fn) if isinstance(inner, Op) else None
        return rule is not None and rule.kind == "elementwise"

    def is_part(self, e: Expr) -> bool:
        """Whether the value of an expression is surely a part of a variable, through temporaries: no copy of one, and
        no view that nobody can write into."""
        if isinstance(e, Op) and e.fn in READ_ONLY:
            return False
        if isinstance(e, Op) and e.fn in MAYBE_VIEWS:  # another shape of one axis is a view; np.ravel copies steps
            return e.fn == "numpy.reshape" and self.facts.ndim(e.args[0]) == 1 and self.is_part(e.args[0])
        found = [v for v, _ in sources(e, self.facts) if isinstance(v, Var)]
        match e:
            case Index(array=inner, key=key) if found:  # a part of a copy is none
                kinds = [key_kind(self.ctx.tree(k), self.facts) for k in key_parts(key, self.facts)]
                known = "any" not in kinds or self.facts.of(inner).kind in CONTAINERS  # `d["a"]` is what lies there
                return known and self.is_part(inner)
            case ir.Attribute(value=inner) if found:
                return self.is_part(inner)
            case Op(fn=fn, args=(inner, *_)) if found and fn in rules.VIEWS:
                return self.is_part(inner)
        return any(v.name not in self.ctx.temps or self.is_part(self.ctx.temps[v.name]) for v in found)

    def pull_index(self, value: Index, g: Expr, gshape: Shape, sink: Collected, full: bool = False) -> None:
        """y = x[key]: x_bar[key] += y_bar, with np.add.at where the key may hold an index twice; y = x[::-1]: x_bar +=
        y_bar[::-1], since its key leaves out nothing.

        full: whether g has the structure of the item, where that may be a list or an array.
        """
        array, key = value.array, self.ctx.tree(value.key)
        keys = ir.key_items(key)
        row = self.ctx.temps.get(array.name) if isinstance(array, Var) and not self.shadows((array.name,)) else array
        if isinstance(row, Index) and self.path_of(value) is None:  # x[i][j] of an array is x[i, j]
            inner = self.facts.of(row)
            held = self.facts.of(row.array).kind
            open_ = root_of(self.ctx.tree(row)) in self.survey.containers
            if not open_ and inner.kind not in ("list", "tuple", "dict") and held not in ("list", "tuple", "dict"):
                outer = key_parts(row.key, self.facts)
                if all(key_kind(k, self.facts) == "int" for k in outer):
                    path = ir.Sequence((*outer, *keys))
                    self.pull_index(Index(row.array, path), g, gshape, sink)
                    return
        if (
            keys in ((ir.ELLIPSIS,), ()) and self.facts.of(array).kind not in CONTAINERS
        ):  # the whole of it, of a number too
            self.into(array, g, gshape, sink)
            return
        if self.facts.is_scalar(array) and self.facts.of(array).kind not in CONTAINERS:  # x[()], of one item
            self.into(array, g if gshape == SCALAR else Op("numpy.sum", (g,)), SCALAR, sink)
            return
        if (squeezed := self.without_new_axes(value, keys, g, gshape)) is not None:
            self.into(array, *squeezed, sink)
            return
        if key == TURNED and isinstance(g, Var) and not (isinstance(array, Var) and self.shadows((array.name,))):
            every = gshape == self.facts.shape(value) != SCALAR
            if every or (gshape == SCALAR and isinstance(array, Var) and array.name in self.survey.containers):
                self.into(array, Index(g, key), self.facts.shape(array) if every else SCALAR, sink)
                return
        scatter = may_repeat(self.ctx, value) and self.facts.of(array).kind not in CONTAINERS
        if isinstance(key, ir.Slice) and isinstance(array, Var) and array.name in self.survey.containers:
            sink.add(array.name, Contribution(g, gshape, key, whole=True))
            return
        if isinstance(key, ir.Slice) and self.facts.of(array).kind in CONTAINERS:
            self.pull_cut(array, key, g, sink)
            return
        fact = self.facts.of(value)
        listed = fact.kind in CONTAINERS or (is_mixed(fact) and (full or gshape == self.facts.shape(value)))
        listed = listed or (fact.kind == "any" and root_of(array) in self.rich and self.is_moved(g))
        if (found := self.path_of(value)) is not None:
            root, first, *rest = found
            assert isinstance(root, Var)
            sink.add(root.name, Contribution(g, gshape, first, scatter, path=tuple(rest), whole=listed))
            return
        if not isinstance(array, Var) and self.is_shadowed_slot(value):
            place = self.place_in(self.adjoint_place(array), key, array)
            within = self.facts.of(value) if listed else None
            sink.add(self.root_of(array), Contribution(g, gshape, None, place=place, whole=listed, held=within))
            return
        if not isinstance(array, Var):
            refuse(self.ctx, value, "S236", "a subscript of this expression carries a derivative", PARTS, HOLD)
        whole = self.ctx.tree(array)
        if isinstance(whole, Op) and self.is_flattened_vector(whole):  # its items are those of the vector
            self.pull_index(Index(whole.args[0], key), g, gshape, sink)
            return
        apart = self.is_cut(whole) and self.facts.is_scalar(value)
        apart = apart or (isinstance(whole, Op) and whole.fn.startswith("local."))  # its reverse takes the cotangent
        written = array.name in self.ctx.temps and array.name in self.ctx.aliases.of and self.is_part(array)
        if written and isinstance(whole, ir.Dict) and key in whole.keys:  # `Pair(a, w).b` is w
            self.into(whole.values[whole.keys.index(key)], g, gshape, sink)
            return
        if written and isinstance(whole, ir.Sequence) and isinstance(key, Const) and not whole.starred:  # `[a, w][1]`
            self.into(whole.items[key.value], g, gshape, sink)
            return
        if written and not apart and not isinstance(whole, ir.Sequence | ir.Dict):  # of `[a, w][i]`, the run decides
            place = self.place_in(self.adjoint_place(whole), key, whole)
            within = self.facts.of(value) if listed else None
            sink.add(
                self.root_of(whole), Contribution(g, gshape, None, scatter, place=place, whole=listed, held=within)
            )
            return
        if array.name in self.ctx.temps:
            self.into_items(array, [(value, g, gshape)], sink)
            return
        sink.add(array.name, Contribution(g, gshape, key, scatter, whole=listed))

    @property
    def rich(self) -> frozenset[str]:
        """The names of what may hold lists, dicts or objects, for all that is known of it."""
        return self.survey.containers | self.survey.kept

    def is_moved(self, g: Expr) -> bool:
        """Whether a cotangent is that of another place, as it is: of a list, it is one. Arithmetic gives arrays."""
        if isinstance(g, Op) and g.fn == "method.pop":
            g = g.args[0]
        root = ir.root_name(ir.written_name(g)) if isinstance(g, Index) else g.name if isinstance(g, Var) else ""
        return root in self.slots or Var(root) == self.seed or root in {bar(n) for n in self.rich | self.survey.moved}

    def is_flattened_vector(self, e: Op) -> bool:
        """Whether an expression is np.ravel of an array of one axis: a copy of it where it has steps."""
        flat = e.fn == "numpy.ravel"
        return flat and self.facts.ndim(e.args[0]) == 1 and self.facts.of(e.args[0]).kind not in CONTAINERS

    def into_items(self, array: Var, items: list[tuple[Index, Expr, Shape]], sink: Collected) -> None:
        """What items of a temporary get: a cotangent of all of it, which is pulled back once."""
        shape, whole = self.facts.shape(array), self.ctx.tree(array)
        keys = [self.ctx.tree(value.key) for value, _, _ in items]
        name = self.own_name("u_bar", array.name, *keys, "index")
        self.facts.names[name] = Fact("float", shape, number=self.facts.number(array))
        zeros = self.zeros(array.name)
        open_ = root_of(whole) in self.survey.containers or self.ctx.calls.may_return_display(whole)
        open_ = open_ or (isinstance(whole, Op) and whole.fn in rules.LISTS_BY_RANK)
        if self.facts.of(array).kind == "any" and open_:
            zeros = Op("helper._zeros_like", (array,))
        puts: list[ir.Stmt] = []
        for (value, g, gshape), key in zip(items, keys, strict=True):
            scatter = may_repeat(self.ctx, value) and self.facts.of(array).kind not in CONTAINERS
            item, given = Index(Var(name), key), self.ctx.resolve(g)
            listed = self.facts.of(value).kind in CONTAINERS
            if listed:  # `+=` is not that of its items
                shown = shown_with(zeros, key, given)
                zeros = zeros if shown is None else shown
                puts += [ir.Store(item, given)] if shown is None else []
            elif scatter and root_of(whole) in self.survey.containers:  # it may be a list or a dict
                puts.append(ir.Inert("", (Op("helper._add_at", (Var(name), ir.as_value(key), given)),)))
            elif is_zeros_of_any(zeros) and not scatter and self.may_be_list(value) and not self.spreads(given, gshape):
                puts.append(ir.Store(item, Op("helper._added", (item, given))))  # a list may lie there
            else:
                puts.append(self.update(item, Contribution(given, gshape, key, scatter)))
        self.out += [Assign(name, self.ctx.resolve(zeros)), *puts]
        self.pull(self.ctx.temps[array.name], array, Var(name), shape, sink)

    def spreads(self, g: Expr, shape: Shape) -> bool:
        """Whether g is a number, for all items of what it is added to; cotangents of lists have no shape, either."""
        return shape == SCALAR and (self.facts.is_scalar(g) or (isinstance(g, Op) and g.form is ir.Form.OPERATOR))

    def may_be_list(self, e: Expr) -> bool:
        """Whether a value may be a list or a dict, by what is known of it."""
        fact = self.facts.of(e)
        return fact.kind == "any" and (is_mixed(fact) or self.facts.ndim(e) is None)

    def is_shadowed_slot(self, value: Index) -> bool:
        """Whether `L[i][1]` is a slot of a tuple or a list that lies in L, whose adjoint is bound beside it."""
        e: Expr = value
        while isinstance(e, Index):
            if self.facts.of(e.array).kind not in CONTAINERS or isinstance(e.key, ir.Slice):
                return False
            e = e.array
        if isinstance(e, Var) and e.name in self.ctx.temps and e.name in self.ctx.aliases.of:
            return isinstance(self.ctx.tree(e), Index) and not self.is_cut(e) and self.is_part(e)
        return isinstance(e, Var) and bool(self.shadows((e.name,)))

    def without_new_axes(
        self, value: Index, keys: tuple[Expr, ...], g: Expr, gshape: Shape
    ) -> tuple[Expr, Shape] | None:
        """The contribution g to `x[:, None]` as one to x, where g sums over the new axes, or is a number."""
        rank = self.facts.ndim(value.array)
        if not algebra.is_expansion(value) or self.facts.of(value.array).kind in CONTAINERS:
            return None
        if rank is None:  # `x[None]`, of a number too
            if {*keys} != {ir.NONE} or gshape != self.facts.shape(value):
                return None
            if not isinstance(g, Var):
                name = self.ctx.names.fresh("inc", g)
                self.facts.names[name] = Fact("float", gshape, number=self.facts.number(g))
                self.out.append(Assign(name, self.ctx.resolve(g)))
                g = Var(name)
            first = (Const(0),) * len(keys)
            return Index(g, first[0] if len(first) == 1 else ir.Sequence(first)), self.facts.shape(value.array)
        if any(k not in (ir.NONE, ir.ELLIPSIS, ALL) for k in keys) or keys.count(ir.ELLIPSIS) > 1:
            return None
        own = [k for k in keys if k == ALL]
        if ir.ELLIPSIS in keys:
            at = keys.index(ir.ELLIPSIS)
            keys = (*keys[:at], *(ALL,) * (rank - len(own)), *keys[at + 1 :])
        new = {i for i, k in enumerate(keys) if k == ir.NONE}
        if gshape == SCALAR:
            return g, SCALAR
        found = summed_over(g, new, rank + len(new), self.facts.is_scalar)
        return (found, self.facts.shape(value.array)) if found and gshape == self.facts.shape(value) else None

    def pull_cut(self, array: Expr, key: ir.Slice, g: Expr, sink: Collected) -> None:
        """y = x[1:] of a list: the cotangent of x is zero but for that part."""
        if not isinstance(array, Var):
            refuse(self.ctx, Index(array, key), "S231", "a slice of a list that has no name", PARTS, HOLD)
        if key == ir.Slice(None, None):  # the whole list, as a copy
            self.into(array, g, SCALAR, sink)
            return
        zeros = self.zeros(array.name)
        in_place = self.shadows((array.name,)) and first_of(key) is not None  # other names see it
        if in_place or (is_zeros_of_any(zeros) and array.name not in self.ctx.temps):
            sink.add(array.name, Contribution(g, SCALAR, key, whole=True))
            return
        named = array.name not in self.ctx.temps
        base = entry_name(self.ctx.base.get(array.name, array.name)) if named else "items"
        name = self.ctx.names.fresh(f"{base}_inc", array.name, key, g, self.ctx.names.of(sink))
        self.facts.names[name] = self.facts.of(array)
        self.out.append(Assign(name, self.ctx.resolve(zeros)))
        self.out.append(ir.Store(Index(Var(name), key), self.ctx.resolve(g)))
        if self.may_hold_rank_zero(g):
            self.rank_zero.add(name)
        if array.name in self.ctx.temps:
            self.pull(self.ctx.temps[array.name], array, Var(name), SCALAR, sink)
            return
        sink.add(array.name, Contribution(Var(name), SCALAR, fresh=True))

    def pull_shortened(self, s: Assign, adjoint: Adjoint, sink: Collected) -> bool:
        """y = x[:-1] of a list: the adjoint of y, which is read no more, is that of x once it has a zero at its end.

        So it is of y = x[1:]. False where that is not known: somebody else may see y_bar, or what the list loses.
        """
        match ir.cut(s.value):
            case name, at:
                array, elem = Var(name), self.facts.of(Var(name)).elem
            case _:
                return False
        target = Var(bar(s.target))
        own = (adjoint.owned or adjoint.slots) and adjoint.expr == target
        plain = not {name, s.target} & (self.ctx.aliases.views.keys() | self.ctx.temps.keys())
        plain = plain and not self.shadows((name, s.target))
        if (
            not own
            or not plain
            or elem is None
            or self.facts.of(array).kind != "list"
            or id(s) not in self.survey.taken
        ):
            return False
        zero = self.zero_structure(Index(array, Const(at)), elem) if elem.kind in CONTAINERS else ZERO
        if ir.reads(zero) or (zero == ZERO and self.facts.shapes(elem.shape) != SCALAR):  # as what the list loses
            item = self.survey.taken[id(s)]
            if item is not None and ir.reads(item) & self.ctx.aliases.of.keys():
                return False
            if isinstance(item, ir.Sequence) and elem.kind == "tuple" and len(elem.items) == len(item.items):
                if ir.reads(item) & self.ctx.temps.keys():
                    return False
                zero = self.zero_structure(item, elem)
            elif isinstance(item, Var) and item.name not in self.ctx.temps:
                zero = self.zeros(item.name) if elem.kind in CONTAINERS else self.zero_item(item, elem, name)
            elif elem.kind in CONTAINERS:
                return False
            else:
                zero = self.zero_item(Index(array, Const(at)), elem, name)
        if at == 0:
            longer = ir.Sequence((zero, target), "list", starred=frozenset((1,)))
            sink.add(name, Contribution(longer, SCALAR, fresh=adjoint.owned, slots=not adjoint.owned))
            return True
        self.out.append(ir.Append(target.name, zero))
        sink.add(name, Contribution(target, adjoint.shape, fresh=adjoint.owned, slots=not adjoint.owned))
        return True

    def pull_without_one(self, s: Assign, adjoint: Adjoint, sink: Collected) -> bool:
        """y = x[:k] + x[k + 1:] of a list, at the place of its least item: the adjoint of x is that of y with a zero at
        k. False where that is not known."""
        match s.value, adjoint.expr:
            case Op(fn="numpy.add", args=(a, b)), Var() as g:
                pass
            case _:
                return False
        match self.ctx.tree(a), self.ctx.tree(b):
            case (
                Index(array=Var(name=name) as x, key=ir.Slice(start=None, stop=Var() as k, step=None)),
                Index(array=Var(name=other), key=ir.Slice(start=Var() | Op() as after, stop=None, step=None)),
            ) if name == other and self.ctx.tree(after) == algebra.op(algebra.ADD, k, Const(1)):
                pass
            case _:
                return False
        fact = self.facts.of(x)
        if fact.kind != "list" or fact.elem is None or self.shadows((name, s.target)) or not self.is_least(k, name, s):
            return False
        zero = self.zero_structure(Index(x, k), fact.elem) if fact.elem.kind in CONTAINERS else ZERO
        if ir.reads(zero) or (zero == ZERO and self.facts.shapes(fact.elem.shape) != SCALAR):
            return False
        items = Index(g, ir.Slice(None, k)), zero, Index(g, ir.Slice(k, None))
        longer = ir.Sequence(items, "list", starred=frozenset((0, 2)))
        sink.add(name, Contribution(longer, SCALAR, fresh=adjoint.owned, slots=not adjoint.owned))
        return True

    def is_least(self, k: Var, name: str, s: Assign) -> bool:
        """Whether k is the place of the least item of a list, which has stayed as it is up to a statement."""
        for block in ir.every_block(self.ctx.function.body):
            for i, t in enumerate(block):
                match t:
                    case Assign(target=k.name, value=Op(fn="builtins.min", args=(places,))):
                        over = Op("builtins.range", (Op("builtins.len", (Var(name),)),))
                        rest = block[i + 1 : block.index(s)] if s in block else ()
                        found = [n for r in rest for n in ir.statements((r,))]
                        changed = {n for r in found for n in (*ir.binds(r), *ir.resized(r))}
                        once = self.ctx.definitions[k.name] == 1
                        return s in block[i:] and once and self.ctx.tree(places) == over and name not in changed
        return False

    def pull_joined(self, value: ir.Sequence, g: Expr, sink: Collected, own: bool = False) -> None:
        """y = [a, *x, b]: each gets its part, counted from the end behind the one list that is put in.

        own: nobody else sees g or its items, and nobody reads it again.
        """
        lists = sorted(value.starred)
        if lists == [0] and len(value.items) == 1:  # the whole list, as a copy
            fact = self.facts.of(value.items[0])
            array = not self.may_be_sequence(value.items[0])  # whose rows are the items of the list
            self.into(value.items[0], Op("numpy.array", (g,)) if array else g, fact.shape if array else SCALAR, sink)
            return
        for i, item in enumerate(value.items):
            if not self.is_active(item):
                continue
            before: list[Expr] = [Op("builtins.len", (value.items[k],)) for k in lists if k < i]
            behind = len(value.items) - i
            if len(before) == len([k for k in lists if k <= i]) == len(lists):  # behind all lists
                self.into(item, Index(g, Const(-behind)), self.facts.shape(item), sink)
                continue
            first = Const(i - len(before))
            lead = bool(before) and first == Const(0)
            start: Expr = before[0] if lead else first
            for e in before[1:] if lead else before:
                start = algebra.op(algebra.ADD, start, e)
            if i not in lists:
                self.into(item, Index(g, start), self.facts.shape(item), sink)
                continue
            end: Expr | None
            if len([k for k in lists if k <= i]) == len(lists):
                end = Const(1 - behind) if behind > 1 else None
            else:
                length = Op("builtins.len", (item,))
                end = length if start == Const(0) else algebra.op(algebra.ADD, start, length)
            part: Expr = Index(g, ir.Slice(None if start == Const(0) else start, end))
            fact = self.facts.of(item)
            if fact.kind == "list" and own and isinstance(item, Var) and item.name not in self.ctx.temps:
                sink.add(item.name, Contribution(part, SCALAR, handed=True))
            elif self.may_be_sequence(item):
                self.into(item, part, SCALAR, sink)
            else:  # an array, whose rows are items of the list
                self.into(item, Op("numpy.array", (part,)), fact.shape, sink)

    def may_be_sequence(self, e: Expr) -> bool:
        """Whether what is joined to a list is one, or may be for all that is known of it."""
        return self.facts.of(e).kind in CONTAINERS or (isinstance(e, Var) and e.name in self.survey.containers)

    def path_of(self, value: Index) -> list[Expr] | None:
        """The variable and the keys of x[i][j], where x is a container whose items no store writes into.

        Its items may be bound anew: those of its adjoint are then, too. Where i may select several items, x[i] is a
        copy, and no place in x.
        """
        keys: list[Expr] = []
        folded = False
        e: Expr = value
        while isinstance(e, Index):
            key = self.ctx.tree(e.key)
            if keys and self.is_cut(e):
                if (at := item_of_cut(key, keys[0], self.survey.upwards)) is None:
                    return None
                keys[0], folded = at, True
            elif keys and self.picks_several(e.array, key) and not is_text(keys[0]):
                return None
            else:
                keys.insert(0, key)
            e = e.array
            if isinstance(e, Var) and (made := self.ctx.temps.get(e.name) or self.survey.items.get(e.name)):
                if e.name in self.ctx.aliases.of and root_of(self.ctx.tree(e)) not in self.survey.containers:
                    return None
                if e.name in self.survey.items and isinstance(made, Index) and isinstance(made.key, ir.Slice):
                    if not keys or (at := item_of_cut(made.key, keys[0], self.survey.upwards)) is None:
                        break  # what it gets is put in its place as a whole
                    keys[0], made = at, made.array
                e = made
        if not isinstance(e, Var) or len(keys) < 2 - folded or not self.is_container(e.name):
            return None
        if e.name in self.ctx.aliases.of and (
            self.shadows((e.name,)) or self.ctx.aliases.path(e.name) != (e.name, ROOT)
        ):
            return None
        return [e, *keys]

    def picks_several(self, array: Expr, key: Expr) -> bool:
        """Whether a subscript may be a new array of several items, or a new list."""
        return self.facts.of(array).kind != "dict" and any(map(self.ctx.may_select, key_parts(key, self.facts)))

    def is_cut(self, e: Expr) -> bool:
        """Whether an expression is `l[a:b]` of a list: a new list, so that numbers in it have no place in l."""
        e = self.ctx.tree(e)
        return isinstance(e, Index) and isinstance(e.key, ir.Slice) and self.facts.of(e.array).kind in CONTAINERS

    def append(self, s: ir.Append, st: State, sink: Collected) -> None:
        slot = self.survey.list_index.get(s.array) if s.array not in self.ctx.sensitive else None
        adjoint = Var(bar(s.array))
        value: Expr
        if slot is not None:
            index: Expr = Var(slot[0]) if slot[1] == 0 else algebra.op(algebra.ADD, Var(slot[0]), Const(slot[1]))
            value = Index(adjoint, index)
            if not self.is_active(s.value):
                return
        else:
            value = ir.pop(adjoint.name)
            if not self.is_active(s.value):
                self.out.append(ir.Inert("", (value,)))
                return
            name = self.ctx.names.fresh(
                f"{self.ctx.base.get(s.array, s.array)}_item_bar", s.array, self.ctx.names.of(s)
            )
            self.facts.names[name] = Fact("float", self.facts.shape(s.value), number=self.facts.number(adjoint))
            self.slots.add(name)
            self.out.append(Assign(name, value))
            if not st[s.array].owned:
                self.lent.add(name)
            if adjoint.name in self.rank_zero:
                self.rank_zero.add(name)
            value = Var(name)
        shape = self.facts.shape(s.value)
        self.masks.pop(value, None)
        if st[s.array].masked:
            self.masks[value] = self.where_not_zero(value, shape)
        self.into(s.value, value, shape, sink)

    def pull_results(self, s: ir.Unpack, call: rules.Call, taken: dict[str, Adjoint], sink: Collected) -> None:
        """The cotangents of a function that returns several values, from those of them that are used."""
        gs: list[Expr] = [ir.NONE] * len(call.results)
        given: dict[str, tuple[Expr, Shape, str]] = {}
        for i, t in enumerate(s.targets):
            if i in call.parts and t in taken:
                shape = self.facts.shape(Var(t))
                g = self.full(taken[t].expr, taken[t].shape, shape, Var(t, after=True))
                place = Var(f"{G.name}{i}")
                self.facts.names[place.name] = Fact("float", shape, number=self.facts.number(Var(t)))
                gs[i], given[place.name] = place, (g, shape, t)
        if not given:
            return
        result = ir.Sequence(tuple(Var(t, after=True) for t in s.targets))
        made = [
            (o, traced(self.ctx, s.value, call.rule.vjp, call, o, ir.Sequence(tuple(gs)), result, self.facts))
            for o in call.operands
            if self.is_active(o.expr)
        ]
        made = [(o, c) for o, c in made if ir.reads(c) & given.keys()]  # the others are zero: each is linear
        names: dict[str, Expr] = {}
        for name, (g, shape, t) in given.items():
            g = self.ctx.simplify(self.ctx.resolve(g))
            if sum(algebra.count(c, lambda n, name=name: n == Var(name)) for _, c in made) > 1 and is_costly(g):  # type: ignore[misc]
                own = self.ctx.names.fresh(bar(t), self.ctx.names.of(s), t)
                self.facts.names[own] = Fact("float", shape, number=self.facts.number(Var(t)))
                self.out.append(Assign(own, g))
                g = Var(own)
            names[name] = g
        for operand, c in made:
            c = adjoint(call.rule, c, self.facts, *map(Var, given))
            c, want = ir.substitute(c, names), self.facts.shape(operand.expr)
            if call.rule.kind == "elementwise":
                (_, shape, t), *_ = given.values()
                c, want = self.to_operand(c, shape, shape, want, operand.expr, Var(t))
            self.into(operand.expr, c, want, sink)

    def seeds(self, targets: Iterable[str], taken: dict[str, Adjoint]) -> list[Expr]:
        """The adjoint of each of the names in its full shape, zeros where nothing has come to it."""
        out: list[Expr] = []
        for t in targets:
            after = Var(t, after=True)
            if t in taken:
                out.append(self.full(taken[t].expr, taken[t].shape, self.facts.shape(Var(t)), after))
            else:
                out.append(ir.substitute(self.zeros(t), {t: after}))
        return out

    def unpack(self, s: ir.Unpack, taken: dict[str, Adjoint], sink: Collected) -> None:
        value = s.value
        if isinstance(value, Op) and value.fn.startswith("local."):
            for t in s.targets:
                if t in taken:
                    self.note_mask(taken[t], self.facts.shape(Var(t)))
            seeds = tuple(self.seeds(s.targets, taken))
            fields = ir.Dict(tuple(map(Const, self.facts.of(value).keys)), seeds)  # of a named tuple
            is_named = fields.is_object and len(fields.keys) == len(seeds) and s.starred < 0
            whole = self.rows(s, taken) if self.is_array(value) else targets_together(s, seeds)
            self.pull_call(value, fields if is_named else whole, sink)
            return
        if isinstance(value, Op):
            rule = rule_of(value, self.facts)
            if rule is None:
                no_rule(self.ctx, value)
            call = bind(self.ctx, rule, value)
            if call.results:
                if len(s.targets) != len(call.results) or s.starred >= 0:
                    whole_result(self.ctx, value, call)
                if isinstance(rule, Solver):
                    if s.targets[0] in taken:
                        a, y = taken[s.targets[0]], Var(s.targets[0], after=True)
                        shape = self.facts.shape(Var(s.targets[0]))
                        self.pull_integral(value, call, self.full(a.expr, a.shape, shape, y), shape, sink)
                    return
                self.pull_results(s, call, taken, sink)
                return
            if self.facts.of(value).kind not in ("list", "tuple"):  # the rows of an array
                self.pull(value, value, self.rows(s, taken), self.facts.shape(value), sink)
                return
            parts = self.seeds(s.targets, taken)
            for operand in call.operands:
                if self.is_active(operand.expr):
                    g = targets_together(s, tuple(parts), "list")
                    c = traced(
                        self.ctx,
                        value,
                        rule.vjp,
                        call,
                        operand,
                        g,
                        targets_together(s, tuple(Var(t, after=True) for t in s.targets)),
                        self.facts,
                    )
                    if is_complex_call(value, self.facts) and "split" not in rule.fn:  # which has no coefficients
                        refuse(self.ctx, value, "S305", f"`{rule.spelled}` of complex numbers is unpacked")
                    self.into(operand.expr, c, self.facts.shape(operand.expr), sink)
            return
        inner = self.ctx.temps.get(value.name) if isinstance(value, Var) else None
        if isinstance(inner, Op) and isinstance(rules.lookup(inner.fn), Solver) and s.starred < 0:  # solved for once
            parts = self.seeds(s.targets, taken)
            array = Op("numpy.array", (ir.Sequence(tuple(parts), "list"),))
            self.pull(inner, value, array, self.facts.shape(value), sink)
            return
        if self.unpack_whole(s, taken, sink):
            return
        if isinstance(value, Index) and self.facts.of(value).kind not in CONTAINERS and not self.is_place(value):
            self.pull_index(value, self.rows(s, taken), self.facts.shape(value), sink)
            return
        if self.is_part_of_call(value) and s.starred < 0 and not any(a.masked for a in taken.values()):
            whole = ir.Sequence(tuple(self.seeds(s.targets, taken)))
            self.pull_index(value, whole, self.facts.shape(value), sink)
            return
        last = len(s.targets) - 1
        names = self.facts.of(value).keys
        is_named = len(names) == len(s.targets) and all(isinstance(k, ir.Attr) for k in names)  # a named tuple
        if isinstance(value, Var) and s.starred < 0:
            self.unpacked[value.name] = len(s.targets)
        for i, t in enumerate(s.targets):  # a, b = x and a, *b = x
            if t not in taken:
                continue
            a = taken[t]
            key: Expr = Const(names[i] if is_named else i)
            if s.starred >= 0 and i == s.starred:
                key = ir.Slice(Const(i) if i else None, Const(i - last) if i < last else None)
                if self.facts.of(value).kind in ("list", "tuple"):
                    self.pull_cut(value, key, a.expr, sink)
                    continue
            elif s.starred >= 0 and i > s.starred:
                key = Const(i - last - 1)
            self.pull_index(Index(value, key), a.expr, a.shape, sink)
            if self.is_container(t):
                sink.note_wholes(a.expr)

    def is_array(self, value: Expr) -> bool:
        """Whether a value of which several items are taken is an array, as far as anything is known of it."""
        fact = self.facts.of(value)
        if (
            isinstance(value, Op)
            and fact.kind == "any"
            and self.ctx.calls.unsettled.get(value.fn.removeprefix("local."))
        ):
            return False  # a function that calls itself, and returns lists or tuples of what is not known
        return fact.kind in ("float", "int", "bool", "any") and fact.elem is None and not (fact.items or fact.whole)

    def is_part_of_call(self, value: Expr) -> TypeGuard[Index]:
        """Whether a value is a tuple without names in what a helper returns: `g(x)[1]`."""
        fact = self.facts.of(value)
        part = isinstance(value, Index) and fact.kind == "tuple" and not fact.is_object
        return part and calls_helper(whole_of(self.ctx.expanded(value)))

    def rows(self, s: ir.Unpack, taken: dict[str, Adjoint]) -> Expr:
        """The cotangent of an array whose rows are unpacked: `np.array([a_bar, *b_bar])`."""
        rows = tuple(map(as_row, self.seeds(s.targets, taken)))
        return Op("numpy.array", (targets_together(s, rows, "list"),))

    def is_place(self, value: Index) -> bool:
        """Whether an item of this part is one subscript of a variable: `a, b = x[i]` reads `x[i, 0]`."""
        if self.path_of(Index(value, Const(0))) is not None:
            return True
        ints = all(key_kind(self.ctx.tree(k), self.facts) == "int" for k in key_parts(value.key, self.facts))
        return ints and isinstance(value.array, Var)

    def unpack_whole(self, s: ir.Unpack, taken: dict[str, Adjoint], sink: Collected) -> bool:
        """a, b = p of a tuple with two items: p_bar = [a_bar, b_bar], a tuple where p is read here only."""
        value = s.value
        if not isinstance(value, Var) or value.name in self.ctx.temps or value.name in self.ctx.aliases.of:
            return False
        fact = self.facts.of(value)
        if fact.kind != "tuple" or fact.absent or len(fact.items) != len(s.targets) or s.starred >= 0:
            return False
        if all(a.masked for a in taken.values()):
            return False
        if taken_apart(s, self.facts) != value:  # nothing else is added to the adjoint of the whole
            sink.add(value.name, Contribution(ir.Sequence(tuple(self.seeds(s.targets, taken))), SCALAR, fresh=True))
            return True
        parts: list[Expr] = []
        for t in s.targets:
            a = taken.get(t)
            shape = self.facts.shape(Var(t))
            if a is None or not (a.owned or (shape == SCALAR and not self.is_container(t))):
                return False
            parts.append(self.full(a.expr, a.shape, shape, Var(t, after=True)) if not self.is_container(t) else a.expr)
        once = sum(n == value for x in ir.statements(self.ctx.function.body) for n in ir.nodes(x)) == 1
        whole = ir.Sequence(tuple(parts), "tuple" if once else "list")
        sink.add(value.name, Contribution(whole, SCALAR, fresh=True))
        return True

    def pull_solver(self, value: Op, call: rules.Call, out: Expr, g: Expr, sink: Collected) -> None:
        """Of x with f(x, p) = 0: what the call of f contributes to p, x held."""
        if isinstance(call.rule, Solver) and call.rule.equation == "initial":
            self.pull_initial(value, call, g, sink)
            return
        if isinstance(call.rule, Solver) and call.rule.equation == "optimum" and not call.rule.is_place(value):
            f, minimum = solvers.at_minimum(self.ctx, value, call, self.out)
            self.pull_call(f, g, sink, held=minimum, key=value)
            return
        g = solvers.responded(self.ctx, value, call, out, g, self.out, True)
        f = solvers.zeroed(self.ctx, value, call, out)
        if solvers.rank_of(self.ctx, call, out):
            g = solvers.like_result(self.ctx, call, f, out, g)
        self.pull_call(f, g, sink, held=out, key=value)

    def pull_initial(self, value: Op, call: rules.Call, g: Expr, sink: Collected) -> None:
        """Of the solution of an initial value problem: its start, and the parameters of its right-hand side."""
        flow = solvers.Flow(self.ctx, value, call)
        flow.check([p for p, e in flow.bound.items() if self.is_active(e)])
        wanted = tuple(p for p, e in flow.bound.items() if p == flow.state or self.is_active(e))
        reverse, given = self.ctx.calls.reverse(self.ctx, flow.name, flow.bound, wanted)
        if flow.state not in given:
            message = f"`{flow.name}` does not depend on the state `{flow.state}`"
            refuse(self.ctx, value, "S302", message, "integrate it: `y0 + quad(f, a, b)[0]`")
        self.out.append(ir.Comment((solvers.ADJOINT,)))
        pull = flow.derivative(reverse, (ir.COSTATE,), "bar")
        place = given.index(flow.state)
        args = (flow.solver, flow.function, pull, flow.t_span, flow.y0, flow.times, g)
        options = ((("at", Const(place)),) if place else ()) + flow.options
        op = Op("helper._solve_ivp_bar", tuple(map(self.ctx.resolve, args)), options)
        operands = {"y0": flow.y0} | {p: flow.bound[p] for p in given if p != flow.state}
        targets = tuple(self.ctx.names.fresh(f"{p}_inc", flow.name, p, self.ctx.names.of(value)) for p in operands)
        for t, e in zip(targets, operands.values(), strict=True):
            self.facts.names[t] = Fact("float", self.facts.shape(e))
        self.facts.names[targets[0]] = Fact("float", Shape((Length(targets[0]),)))
        self.out.append(ir.Unpack(targets, op))
        for t, e in zip(targets, operands.values(), strict=True):
            if self.facts.of(e).kind == "list" and isinstance(e, Var) and self.is_active(e):
                self.into(e, Op("builtins.list", (Var(t),)), SCALAR, sink)
            elif self.is_active(e):
                self.into_fresh(e, Var(t), sink)

    def pull_integral(self, value: Op, call: rules.Call, g: Expr, gshape: Shape, sink: Collected) -> None:
        """Of the integral of f(t, p) from a to b: the integral of what f(t, p) contributes, and f at the bounds."""
        f = solvers.function_of(call)
        bound = self.ctx.calls.bind(self.ctx, f) if f.fn.startswith("local.") else {}
        ends = [(e, sign) for e, sign in zip(solvers.bounds(call), "-+", strict=True) if self.is_active(e)]
        active = [p for p, e in bound.items() if self.is_active(e) and self.ctx.calls.depends(f.fn[6:], (p,))]
        scalar = solvers.is_scalar(call)
        g = self.named(g, gshape, value, len(active) + len(ends))
        if varying := [p for p, e in bound.items() if self.is_active(e)]:
            solvers.refuse_moving_jumps(self.ctx, call, varying)
        if active:
            self.out.append(ir.Comment((solvers.LEIBNIZ,)))
        for p in active:
            if self.facts.of(bound[p]).kind in ("list", "tuple", "dict"):
                message = f"`{call.rule.spelled}` of a function of the list, tuple or object `{p}`"
                refuse(self.ctx, call.op, "S302", message, "hand on its parts one by one: `args=(p.a, p.b)`")
            reverse, _ = self.ctx.calls.reverse(self.ctx, f.fn[6:], bound, (p,))
            args = tuple(self.ctx.resolve(e) for e in bound.values())
            integrand = Op(f"local.{reverse}", (*args, Const(1.0) if scalar else g))
            total = solvers.integral(call, integrand, scalar and self.facts.is_scalar(bound[p]))
            self.into_fresh(bound[p], algebra.op(algebra.MULTIPLY, g, total) if scalar else total, sink)
        for e, sign in ends:
            c: Expr = algebra.op(algebra.MULTIPLY, g, solvers.at(call, self.ctx.resolve(e)))
            c = c if scalar else Op("numpy.sum", (c,))
            self.into(e, c if sign == "+" else algebra.op("numpy.negative", c), SCALAR, sink)

    def pull_call(self, value: Op, g: Expr, sink: Collected, held: Expr | None = None, key: Op | None = None) -> None:
        """held: an argument that is taken for a constant; key: the node of the primal, where that is not the call."""
        name = value.fn[6:]
        bound = self.ctx.calls.bind(self.ctx, value)
        active = [p for p, e in bound.items() if e != held and self.is_active(e)]
        if not active or not self.ctx.calls.has_result(name):
            return  # it gives a constant, or None
        refuse_draws(self.ctx, value)
        in_parts = self.ctx.calls.read_in_parts(name)
        for e in (bound[p] for p in active if p not in in_parts):
            if isinstance(e, Var) and e.name not in self.survey.containers and is_mixed(self.facts.of(e)):
                if isinstance(self.ctx.tree(e), Index):
                    continue
                message = (
                    f"`{self.ctx.base.get(e.name, e.name)}` may be a list or an array, and is handed on as a whole"
                )
                refuse(self.ctx, value, "S236", message, "make an array of it: `np.array(...)`")
        added = self.added_to(name, bound, tuple(active)) if held is None and key is None else {}
        bars: list[Expr] = []
        args = self.ctx.calls.arguments(self.ctx, name, bound)
        if added:
            w = self.ctx.calls.reverse_in_place(self.ctx, name, bound, tuple(active), tuple(added))
            reverse, given = w.name, w.increments
            bars = [Var(bar(added[p])) for p in w.given_bars]
            args = tuple(e for p, e in zip(bound, args, strict=True) if p not in w.left_out)
            self.added += [added[p] for p in w.given_bars]
        else:
            reverse, given = self.ctx.calls.reverse(self.ctx, name, bound, tuple(active))
        if any(map(self.is_masked, g.items if isinstance(g, ir.Sequence) else (g,))):
            self.masked_calls.append(reverse)
        g = self.ctx.simplify(self.ctx.resolve(g))
        call = Op(f"local.{reverse}", (*args, *bars, g))
        if len(given) == 1:
            p = given[0]
            self.facts.derived[call.fn] = self.facts.number(bound[p])
            whole = self.whole_of(bound[p])
            if whole is not None and self.ctx.calls.covers(name, p, tuple(active), self.facts.of(whole)):
                sink.add(whole.name, Contribution(call, SCALAR, fresh=True))
                return
            if not self.is_taken_apart(bound[p]):
                self.into_fresh(bound[p], call, sink, inside=self.ctx.calls.may_give_list(name, p))
                return
        if not given:
            if added:
                self.out.append(ir.Inert("", (call,)))
            return
        targets = tuple(self.own_name(f"{p}_inc", name, p, self.ctx.names.of(key or value)) for p in given)
        for t, p in zip(targets, given, strict=True):
            self.facts.names[t] = Fact("float", self.facts.shape(bound[p]), number=self.facts.number(bound[p]))
        self.out.append(ir.Unpack(targets, call) if len(targets) > 1 else Assign(targets[0], call))
        for t, p in zip(targets, given, strict=True):
            whole = self.whole_of(bound[p])
            if whole is not None and self.ctx.calls.covers(name, p, tuple(active), self.facts.of(whole)):
                sink.add(whole.name, Contribution(Var(t), SCALAR, fresh=True))
            else:
                self.into_argument(name, p, bound[p], Var(t), sink, self.ctx.calls.parts_of(name, p))

    def added_to(self, name: str, bound: dict[str, Expr], active: tuple[str, ...]) -> dict[str, str]:
        """The parameters of a helper to whose adjoints its reverse adds in place, and the arrays that they are here.

        That is so for arrays of which the helper reads parts, where it is called again and again: in a loop, or by
        itself. Zeros of the full size for each call would take longer than the call.

            s_bar = ...
            _flux_rev(u, i, u_bar, s_bar)
        """
        calls, aliases = self.ctx.calls, self.ctx.aliases
        if self.apart:
            return {}
        found: dict[str, str] = {}
        parted = calls.read_in_parts(name) & {*calls.depends(name, active)}
        for p in (p for p in active if p in parted):
            e = self.ctx.tree(bound[p])
            if not isinstance(e, Var) or e.name in self.ctx.temps or self.ctx.definitions[e.name] != 1:
                continue
            again = bool(self.idle_tests) or e.name in self.ctx.bars or calls.calls_itself(name)
            whole = aliases.path(e.name) == (e.name, ROOT) and not self.shadows((e.name,))
            same = {e.name, *aliases.members.get(aliases.of.get(e.name, ""), ())}
            once = sum(not same.isdisjoint(ir.reads(self.ctx.tree(x))) for x in bound.values()) == 1
            if again and whole and once and not self.facts.is_scalar(e) and not self.is_container(e.name):
                found[p] = e.name
        return found

    def own_name(self, wish: str, *key: object) -> str:
        """A name that nothing before it binds for this statement: what is pulled back twice has two."""
        bound = {n for s in self.out for n in ir.binds(s)}
        again = 0
        while (name := self.ctx.names.fresh(wish, *key, *((again,) if again else ()))) in bound:
            again += 1
        return name

    def is_taken_apart(self, e: Expr) -> bool:
        """Whether what a helper's reverse gives for an argument goes to several places: it is called once for them."""
        e = self.ctx.tree(e)
        return isinstance(e, ir.Dict) or (isinstance(e, ir.Sequence) and sum(map(self.is_active, e.items)) > 1)

    def into_argument(
        self, name: str, p: str, e: Expr, g: Expr, sink: Collected, parts: Set[tuple[Any, ...]] = frozenset()
    ) -> None:
        """What a helper's reverse gives for one of its arguments, by the parts of an object or a dict.

        parts: the items of an object that `g` has, and of those inside, if they are not all.
        """
        if isinstance(e, ir.Dict):
            heads = {path[0] for path in parts}
            pairs = [
                (key, value)
                for key, value in zip(e.keys, e.values, strict=True)
                if self.is_active(value) and (not parts or (isinstance(key, Const) and key.value in heads))
            ]
            if len(pairs) > 1 and (of := self.temporary_of([value for _, value in pairs])) is not None:
                items = [(value, Index(g, key), self.facts.shape(value)) for key, value in pairs]
                self.into_items(of, items, sink)  # type: ignore[arg-type]
                return
            for key, value in pairs:
                part = ir.part_name(p, key.value) if isinstance(key, Const) else p
                inside = {path[1:] for path in parts if isinstance(key, Const) and path[0] == key.value}
                self.into_argument(name, part, value, Index(g, key), sink, inside if () not in inside else set())
            return
        self.into_fresh(e, g, sink, self.ctx.calls.may_give_list(name, p))

    def temporary_of(self, items: list[Expr]) -> Var | None:
        """The temporary that gives all of these entries: what a helper returns is handed on, and read by its keys."""
        of = {e.array.name if isinstance(e, Index) and isinstance(e.array, Var) else "" for e in items}
        name = next(iter(of))
        keyed = all(isinstance(e, Index) and isinstance(e.key, Const) for e in items)
        made = self.ctx.temps.get(name) if len(of) == 1 else None
        return Var(name) if keyed and isinstance(made, Op) and made.fn.startswith("local.") else None

    def into_fresh(self, e: Expr, g: Expr, sink: Collected, inside: bool = False) -> None:
        """inside: `g` may be a list, a dict or an object, of which nothing else is known."""
        if isinstance(e, Var) and e.name in self.active and e.name not in self.ctx.temps:
            listed = inside and self.facts.ndim(e) is None and not self.is_container(e.name)
            sink.add(e.name, Contribution(g, self.facts.shape(e), fresh=True, listed=listed))
        elif inside and self.facts.of(e).kind == "any" and self.facts.ndim(e) is None:
            found = Collected()
            self.into(e, g, self.facts.shape(e), found)
            for name, contributions in found.by_name.items():
                for c in contributions:
                    if c.to_all or (c.place is None and self.is_container(name)):
                        c.whole |= not c.to_all  # `+=` is not that of its items
                        sink.add(name, c)
                    else:
                        message = "what may be a list, a dict or an object is handed on, as an item of one"
                        refuse(self.ctx, e, "S236", message, self.stating(e), PARTS, HOLD)
        else:
            self.into(e, g, self.facts.shape(e), sink)

    def result_seed(
        self, s: ir.Inert | Assign | ir.Unpack, value: Op, targets: tuple[str, ...], taken: dict[str, Adjoint]
    ) -> Expr:
        """The cotangent of the result of a call; zero for what nobody reads."""

        def of(t: str) -> Expr:
            if t in taken:
                return self.full(taken[t].expr, taken[t].shape, self.facts.shape(Var(t)), Var(t, after=True))
            return ir.substitute(self.zeros(t), {t: Var(t, after=True)})

        def unread(fact: Fact) -> Expr | None:
            if fact.kind != "tuple":
                return ZERO if fact.kind not in CONTAINERS and self.facts.shapes(fact.shape) == SCALAR else None
            parts = [part for part in map(unread, fact.items) if part is not None]
            return ir.Sequence(tuple(parts)) if len(parts) == len(fact.items) > 0 else None

        if isinstance(s, ir.Unpack):
            return targets_together(s, tuple(map(of, targets)))
        if targets and targets[0] in taken:
            return of(targets[0])
        if (zero := unread(self.facts.of(value))) is not None:
            return zero
        if targets:
            return of(targets[0])
        refuse(
            self.ctx, value, "S239", f"the result of `{value.fn[6:]}` is not used, and its shape is not known", SHAPES
        )


def as_row(e: Expr) -> Expr:
    """A zero of what may be a number, `0.0 * np.ones_like(v)`, as a row of an array: what scales that is no number."""
    match e:
        case Op(fn=algebra.MULTIPLY, args=(first, Op(fn="numpy.ones_like", args=of))) if first == ZERO:
            return Op("numpy.zeros_like", of)
    return e


def targets_together(s: ir.Unpack, values: tuple[Expr, ...], kind: str = "tuple") -> ir.Sequence:
    """What is unpacked, of a value for each target: `(a, *rest)`."""
    return ir.Sequence(values, kind, frozenset([s.starred]) if s.starred >= 0 else frozenset())


def is_list(e: Expr) -> bool:
    """Whether an expression that makes a list names one, or a slice of one."""
    return isinstance(e, Var) or (isinstance(e, Index) and isinstance(e.key, ir.Slice))


def is_zeros_of_any(e: Expr) -> bool:
    """Whether zeros are made as the run finds that of which they are."""
    return isinstance(e, Op) and e.fn == "helper._zeros_like"


def shown_with(display: Expr, key: Expr, value: Expr) -> Expr | None:
    """A display with another value under a key, None where it has none."""
    match display, key:
        case ir.Dict(keys=keys, values=values), Const() if key in keys:
            at = keys.index(key)
            return replace(display, values=(*values[:at], value, *values[at + 1 :]))
        case ir.Sequence(items=items, starred=starred), Const(value=int() as at) if not starred:
            if 0 <= at < len(items):
                return replace(display, items=(*items[:at], value, *items[at + 1 :]))
    return None


@dataclass(frozen=True)
class Mask:
    """An adjoint that is zero under one value of a condition: as it was chosen, and without the choice."""

    chosen: Op
    inner: Expr
    items: bool = False  # it is zero in some items only: what is a number is none that could be infinite there only

    def of(self, c: Expr, shape: Shape) -> Expr:
        """A contribution of a shape, with the same choice: what the other branch makes of it is never a NaN."""
        test, a, _ = self.chosen.args
        args = (test, ZERO, c) if a == ZERO else (test, c, ZERO)
        return replace(self.chosen, args=args) if shape == SCALAR else Op("numpy.where", args)


def renewed(e: Expr, temps: dict[str, Expr]) -> Expr:
    """The same expression, of other objects, with its temporaries written out, but for items: their places are known
    by the name."""
    if isinstance(e, Var) and isinstance(value := temps.get(e.name), Op):
        return renewed(value, temps)
    e = ir.rebuild(e, lambda x: renewed(x, temps))
    return Op(e.fn, e.args, e.options, e.form, e.spelling, e.span) if isinstance(e, Op) else e


def item_of_cut(cut: Expr, key: Expr, upwards: Set[str]) -> Expr | None:
    """k of `l[k]` that is `l[cut][key]`, where it is known from which end these numbers count."""
    match cut:
        case ir.Slice(start=None | Const(value=int()) as start, stop=stop, step=None):
            first = start.value if isinstance(start, Const) else 0
            assert isinstance(first, int)
        case _:
            return None
    last = stop.value if isinstance(stop, Const) and isinstance(stop.value, int) else 0
    from_end = stop is None or last < 0
    match key:
        case Const(value=int(k)) if k >= 0:
            return Const(first + k) if first >= 0 else None
        case Var(name=name) if name in upwards:
            return None if first < 0 else algebra.op(algebra.ADD, key, Const(first)) if first else key
        case Const(value=int(k)) if from_end:
            return Const(last + k)
        case Op(fn=algebra.SUBTRACT, args=(Const() | Op(fn=algebra.NEGATIVE, args=(Const(),)) as given, Var() as t)):
            number = literal(given)
            if not from_end or not isinstance(number, int) or number >= 0 or t.name not in upwards:
                return None
            return algebra.op(algebra.SUBTRACT, Const(last + number), t)
    return None


def whole_of(e: Expr) -> Expr:
    """What an expression is a part of, under known keys: `g(x)` of `g(x)[1][0]`."""
    while isinstance(e, Index) and isinstance(e.key, Const):
        e = e.array
    return e


def calls_helper(e: Expr) -> TypeGuard[Op]:
    return isinstance(e, Op) and e.fn.startswith("local.")


def aliased(e: Expr, facts: Facts) -> bool:
    """Whether the value of an expression may share memory with what it reads."""
    return bool(sources(e, facts))


def _axes(axes: tuple[int, ...]) -> Expr:
    return Const(axes[0]) if len(axes) == 1 else ir.Sequence(tuple(Const(a) for a in axes))


def summed_over(g: Expr, axes: set[int], rank: int, is_scalar: Callable[[Expr], bool]) -> Expr | None:
    """`np.sum(e, axis, keepdims=True)` of this rank, and multiples of it, without these axes, if it sums over them."""
    match g:
        case Op(fn="numpy.sum", args=(e,), options=(("axis", axis), ("keepdims", Const(True)))):
            over = [k.value for k in ir.key_items(axis) if isinstance(k, Const) and isinstance(k.value, int)]
            if len(over) < len(ir.key_items(axis)) or {k % rank for k in over} != axes:
                return None
            return Op("numpy.sum", (e,), (("axis", axis),))
        case Op(fn="numpy.negative", args=(e,)):
            inner = summed_over(e, axes, rank, is_scalar)
            return None if inner is None else replace(g, args=(inner,))
        case Op(fn="numpy.multiply", args=(c, e)) if is_scalar(c):
            inner = summed_over(e, axes, rank, is_scalar)
            return None if inner is None else replace(g, args=(c, inner))
        case Op(fn="numpy.multiply" | "numpy.divide", args=(e, c)) if is_scalar(c):
            inner = summed_over(e, axes, rank, is_scalar)
            return None if inner is None else replace(g, args=(inner, c))
    return None


def is_text(key: Expr) -> bool:
    """Whether a key is that of an entry of a dict."""
    return isinstance(key, Const) and isinstance(key.value, str)
