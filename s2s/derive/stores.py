"""Written buffers: a store kills and restores, and moves in the shadow, the buffer's adjoint of the same shape.

A view of a buffer has the same view of its shadow, bound by companion statements beside the primal's. What a store has
overwritten is saved and refilled only where adjoint code reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from s2s import algebra, ir, rules
from s2s.algebra import ZERO
from s2s.analysis.aliases import (
    CONTAINERS,
    HELD,
    MAYBE_VIEWS,
    beside_written,
    elements,
    holds_numbers,
    is_number_or_view,
    of_floats,
    rank_zero,
    sources,
)
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Fact, holds_mixed, is_mixed, may_hold_items
from s2s.analysis.shapes import SCALAR, Shape
from s2s.analysis.transfer import display_shape, key_parts
from s2s.derive import exchanges
from s2s.derive.adjoints import Adjoint, Collected, Contribution, State, map_statement, without
from s2s.derive.context import is_costly
from s2s.derive.distinct import each_once, names_once
from s2s.derive.nodes import Group, Node
from s2s.derive.owned import NEW, is_size
from s2s.derive.phrases import (
    asserted_array,
    bar,
    got,
    is_optional_object,
    item_of,
    method,
    nothing,
    part_guard,
    selected_from,
    shares_memory,
    shares_nothing,
)
from s2s.derive.pull import Pull, aliased, calls_helper
from s2s.derive.refusals import BIND_ANEW, COPY, ENTRIES, refuse, refuse_draws, refuse_shared
from s2s.derive.survey import is_sum_of_wholes, may_lack
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Index, Op, Stmt, Var


class Stores(Pull):
    """The third layer: what is written, and by helpers too."""

    def shadowed(self, unit: list[Stmt], s: Assign, node: Group, st: State) -> None:
        """x = e, and x_bar beside it: new zeros for a new array, else the same expression on adjoints."""
        value = self.ctx.tree(s.value)
        self.new_container(s, s.target)
        # a helper gives 0.0 for the cotangent of an array that is None
        none = value == ir.NONE and self.facts.of(Var(s.target)).kind not in CONTAINERS
        whole = isinstance(value, Const) and isinstance(value.value, int)  # zeros like it would be integers
        companion = ZERO if none or whole else self.companion(value, Var(s.target))
        target = bar(s.target)
        node.companions = [*self.taken_asserted(), Assign(target, companion)]
        node.kills = (s.target, target)
        fact = self.facts.of(Var(s.target))
        self.facts.names[target] = of_floats(fact)
        if s.constant or not self.is_active(s.value):
            return
        sink = Collected()
        anew = not self.seen(value) and self.is_part_of_unwritten(value)
        new = isinstance(value, Op) and value.fn in NEW
        made = isinstance(value, ir.Sequence | ir.Dict) or calls_helper(value) or new
        if fact.kind in CONTAINERS and not made and not self.seen(value) and not anew:
            message = f"arrays that are written later come in a {fact.kind} from this expression"
            refuse(self.ctx, s.value, "S239", message, "unpack it at once, into names")
        if fact.kind == "list" and not anew and self.is_copy_of_numbers(value, fact.elem):
            name = self.ctx.base.get(s.target, s.target)
            message = f"`{name}` is a new list of the numbers of another one, and items of such lists are bound anew"
            refuse(self.ctx, s.value, "S239", message, "hold the numbers in an array: `np.array(...)`")
        match value:
            case Index(array=array) if self.may_mix(array) and self.facts.is_scalar(Var(s.target)):
                message = "whether this item is an array or a number is not known, and arrays beside it are written"
                refuse(self.ctx, s.value, "S239", message, self.stating(s.value))
        listed = fact.kind in CONTAINERS and not new
        if listed or not self.seen(value):
            g: Expr = Var(target, after=True)
            if s.target in self.ctx.read_through(s.value):
                # the old object is read and its adjoint is added to: that of the new one gets a name
                g = self.old_beside(s, s.target, g, node)
            if listed:
                for item, place in self.new_items(s.value, g):
                    self.into(item, place, self.facts.shape(item), sink)
            else:
                self.pull(s.value, Var(s.target, after=True), g, self.facts.shape(s.value), sink)
        before, node.pre = node.pre, []
        node.post = self.settle(unit, None, sink, st)
        self.split_after(node, {s.target, target})
        node.pre = before + node.pre

    def shadowed_unpack(self, unit: list[Stmt], s: ir.Unpack, node: Group, st: State) -> None:
        """C, c = p, and C_bar, c_bar = p_bar beside it. What is a number has an adjoint of the reverse sweep, which
        is added to its slot there: p_bar[1] += c_bar."""
        value = self.ctx.tree(s.value)
        shadows = self.shadows(s.targets)
        numbers = {t for t in s.targets if t in self.active and t not in shadows}
        mixed = [
            t for t in shadows if len(s.targets) > 1 and self.facts.is_scalar(Var(t)) and not self.is_object(Var(t))
        ]
        if self.facts.ndim(value) == 1 and self.facts.of(value).kind not in CONTAINERS:
            mixed = shadows  # the items of a vector
        if mixed or (numbers and s.starred >= 0):
            name = min(mixed) if mixed else min(numbers)
            message = f"`{self.ctx.base.get(name, name)}` is a number, and arrays that are written are unpacked with it"
            refuse(self.ctx, s.value, "S239", message, "pass them apart")
        taken = {t: st.pop(t) for t in numbers if t in st}
        made = self.ctx.unpacked(s)
        if aliased(made, self.facts) and (self.seen(made) or not self.is_active(s.value)):
            beside = made
            if isinstance(made, ir.Sequence) and not made.starred:
                pairs = zip(s.targets, made.items, strict=False)
                beside = ir.Sequence(tuple(i for t, i in pairs if t not in numbers)) if numbers else made
            self.new_values_inside(beside)
            companion = self.companion(value)
            bound: list[Stmt] = [ir.Unpack(tuple(map(bar, s.targets)), companion, starred=s.starred)]
            if numbers:
                places = ((t, Index(companion, Const(k))) for k, t in enumerate(s.targets))
                bound = [Assign(bar(t), place) for t, place in places if t in shadows]
            node.companions = [*self.taken_asserted(), *bound]
            for t in s.targets:
                if t not in numbers:
                    self.facts.names[bar(t)] = of_floats(self.facts.of(Var(t)))
        elif (calls_helper(made) or self.is_part_of_call(s.value)) and self.are_new(shadows, made) and s.starred < 0:
            taken |= self.made_anew(s, value, shadows, node)
        else:
            refuse(self.ctx, s.value, "S239", "arrays that are written later are unpacked from this expression", COPY)
        node.kills = (*s.targets, *(bar(t) for t in s.targets if t not in numbers))
        if not taken or s.constant or not self.is_active(s.value):
            return
        sink = Collected()
        self.unpack(s, taken, sink)
        before, node.pre = node.pre, []
        node.post = self.settle(unit, None, sink, st)
        self.split_after(node, {*s.targets, *map(bar, shadows)})
        node.pre = before + node.pre

    def are_new(self, names: list[str], made: Expr) -> bool:
        """Whether what a helper makes for these names is new: all of it, or the objects and lists, in which lie arrays
        that it is given and nobody writes into."""
        given = [self.facts.of(v) for v, _ in sources(made, self.facts)]
        if not given:
            return True
        hold = all(self.facts.of(Var(n)).kind in CONTAINERS for n in names)
        return hold and not self.seen(made) and not any(f.kind in CONTAINERS or may_hold_items(f) for f in given)

    def made_anew(self, s: ir.Unpack | Assign, value: Expr, names: list[str], node: Group) -> dict[str, Adjoint]:
        """The adjoints of names that are bound to new objects which a helper makes: zeros, bound beside them."""
        taken: dict[str, Adjoint] = {}
        for t in names:
            fact = self.facts.of(Var(t))
            self.new_container(s, t)
            part = value if isinstance(s, Assign) else Index(value, Const(s.targets.index(t)))
            companion = self.companion(part, Var(t))
            node.companions += [*self.taken_asserted(), Assign(bar(t), companion)]
            self.facts.names[bar(t)] = of_floats(fact)
            g = Var(bar(t), after=True)
            if t in self.ctx.read_through(s.value):
                g = self.old_beside(s, t, g, node)
            taken[t] = Adjoint(g, self.facts.shape(Var(t)), True)
        return taken

    def old_beside(self, s: ir.Unpack | Assign, name: str, g: Expr, node: Group) -> Var:
        """A name for the adjoint of a new object, where the old one is read for it, and gets its adjoint back."""
        of_new = Var(self.ctx.names.fresh("g_bar", self.ctx.names.of(s), name))
        self.facts.names[of_new.name] = self.facts.of(Var(bar(name)))
        node.pre.append(Assign(of_new.name, g))
        return of_new

    def new_container(self, s: ir.Unpack | Assign, name: str) -> None:
        """Refuses a dict or an object with arrays in it that are written."""
        fact = self.facts.of(Var(name))
        if fact.kind == "dict" and not fact.keys:
            message = f"`{self.ctx.base.get(name, name)}` holds an array that is written, and is handed on whole, "
            message += "so that its entries have no names"
            named = 'or name its keys where it is made: `{"W": np.zeros_like(q["W"])}`'
            refuse(self.ctx, s.value, "S242", message, ENTRIES, named)

    def new_items(self, value: Expr, adjoint: Expr) -> Iterator[tuple[Expr, Expr]]:
        """What of a value is no buffer with an adjoint of its own, and where the adjoints of that lie."""
        if not self.seen(value):
            if self.is_active(value):
                yield value, adjoint
            return
        value = self.ctx.temps.get(value.name, value) if isinstance(value, Var) else value
        if isinstance(value, ir.Dict):
            for key, item in zip(value.keys, value.values, strict=True):
                yield from self.new_items(item, Index(adjoint, key))
        if not isinstance(value, ir.Sequence):
            return
        for i, item in enumerate(value.items):
            before = any(k < i for k in value.starred)
            if i in value.starred or (before and any(k > i for k in value.starred)):
                if self.is_active(item) and not self.seen(item):
                    message = "a list that is spread out here has new values, and arrays beside them are written"
                    refuse(self.ctx, value, "S239", message, "extend a list before, or bind it to a name of its own")
            else:
                yield from self.new_items(item, Index(adjoint, Const(i - len(value.items) if before else i)))

    def is_part_of_unwritten(self, value: Expr) -> bool:
        """Whether a value is a part of a list of numbers and arrays, or a copy of a dict of them, none of which is
        written into: it gets zeros of its own, and what is added to these goes on to the list, or to the dict."""
        match value:
            case Op(fn="numpy.copy" | "method.copy" | "builtins.dict", args=(of,), options=()):
                shown = self.shown_entries(of)
                plain = shown is not None and not any(self.facts.of(v).kind in CONTAINERS for v in shown.values)
                return plain and ir.reads(value).isdisjoint(beside_written(self.facts))
        if not isinstance(value, Index) or not isinstance(value.array, Var) or not isinstance(value.key, ir.Slice):
            return False
        elem = self.facts.of(value.array).elem
        if self.facts.of(value.array).kind != "list" or elem is None or elem.kind in CONTAINERS:
            return False
        numbers = holds_numbers(value.array, self.facts) and not rank_zero(self.facts)
        return numbers or ir.reads(value).isdisjoint(beside_written(self.facts))

    def is_copy_of_numbers(self, value: Expr, elem: Fact | None) -> bool:
        """Whether a list is a part or a copy of one of numbers: what is added to a copy of its adjoint is lost."""
        if self.is_copied_with_arrays(elem) or (elem is not None and self.is_open_rank(elem)):
            return False
        match value:
            case Var():
                return False
            case Index(key=key) if not isinstance(key, ir.Slice):  # the list that is an item
                return False
            case ir.Sequence():
                return bool(value.starred) and self.seen(value)
            case Op(fn="operator.ifexp", args=(_, a, b)):
                return self.is_copy_of_numbers(a, elem) or self.is_copy_of_numbers(b, elem)
        if calls_helper(value) and not aliased(value, self.facts):
            return False  # what is written in a list that a helper makes was made there
        return self.seen(value) or self.sees_list(value)

    def sees_list(self, value: Expr) -> bool:
        """Whether a value is made of a list whose adjoint is bound in the forward sweep."""
        return any(isinstance(v, Var) and self.shadows((v.name,)) for v in ir.walk(value))

    def may_mix(self, e: Expr) -> bool:
        """Whether arrays may lie beside numbers in a value: in a tuple, or in what lies in a container."""
        kind = self.facts.of(e).kind
        inside = isinstance(e, Index) and self.facts.of(e.array).kind in CONTAINERS
        return kind == "tuple" or (kind == "any" and inside)

    def is_object(self, e: Expr) -> bool:
        """Whether a value is surely an array or a container, whose adjoint can be changed in place."""
        return self.facts.is_array(e) or self.facts.of(e).kind in CONTAINERS

    def shadowed_append(self, unit: list[Stmt], s: ir.Append, node: Group, st: State) -> None:
        """L.append(x), L_bar.append(x_bar); backwards, both lose their last item."""
        value = self.ctx.tree(s.value)
        self.unnamed_view(value)
        longer = self.lists_beside(s.array)

        def as_before(e: Expr) -> Expr:
            """A length that is read when the list has its new item, and its adjoint has none yet."""
            match e:
                case Op(fn="builtins.len", args=(Var(name=name),)) if name in longer:
                    return replace(e, args=(Var(bar(name)),))
            return ir.rebuild(e, as_before)

        slot = Index(Var(s.array), Const(-1))
        item = self.companion(value, slot=slot)
        # a number: `new_items` takes its adjoint to where it comes from
        if self.seen(value) and not self.seen(s.value):
            item = self.ctx.tree(self.companion(s.value, slot=slot))
        node.companions = [*self.taken_asserted(), ir.Append(bar(s.array), as_before(item))]
        sink = Collected()
        if s.array in self.ctx.sensitive:
            self.out.append(ir.popped(s.array))
        if not any(self.new_items(s.value, ZERO)):
            self.out.append(ir.popped(bar(s.array)))
        else:
            name = self.ctx.names.fresh(
                f"{self.ctx.base.get(s.array, s.array)}_item_bar", s.array, self.ctx.names.of(s)
            )
            number = self.facts.number(Var(s.array))
            self.facts.names[name] = Fact("float", self.facts.shape(s.value), number=number)
            self.slots.add(name)
            self.out.append(Assign(name, ir.pop(bar(s.array))))
            if isinstance(value, ir.Sequence | ir.Dict):
                self.facts.names[name] = self.structure(value)
            for item, part in self.new_items(s.value, Var(name)):
                self.into(item, part, self.facts.shape(item), sink)
        node.post = self.settle(unit, None, sink, st)

    def shrink(self, unit: list[Stmt], s: ir.Shrink, st: State) -> Group:
        """L.pop(): the item that the list loses is kept, and comes back; so does its cotangent, or a zero for it."""
        lists = [s.array, *(bar(n) for n in self.shadows((s.array,)))]
        places = {f"*{n}%_last": Index(Var(n), Const(-1)) for n in lists}
        node = Group(
            self.pieces(unit), tuple(places), origin=s.origin, places=places, forced=tuple(places), shrinks=True
        )
        node.companions = [ir.popped(n) for n in lists[1:]]
        self.out = []
        if len(lists) == 1 and s.array in st:
            self.own_list(s.array, st)
            item = self.facts.of(s.value)
            number = item.kind == "float" and self.facts.is_scalar(s.value)
            lost = self.ctx.tree(s.value)
            optional = is_optional_object(item, self.facts)
            known = self.zero_structure(lost, item) if optional else self.zero_of_lost(lost)
            zero = ZERO if number else known
            self.out.append(ir.Append(bar(s.array), zero))
            node.post = self.settle(unit, None, Collected(), st)
        return node

    def shadowed_entry_gone(self, s: ir.Store, node: Group) -> None:
        """del d[k], del d_bar[k]; backwards, both have the entry again."""
        place = self.adjoint_place(s.target)
        assert isinstance(place, Index)
        node.companions = [ir.Store(place, place, gone=True)]
        held = f"{next(iter(node.kills))}%_bar"
        node.places[held] = place
        node.kills = (*node.kills, held)
        node.forced = (held,)

    def shadowed_slot(self, unit: list[Stmt], s: ir.Store, node: Group, st: State) -> None:
        """L[i] = x, L_bar[i] = x_bar; backwards, both slots hold again what they held."""
        value = self.ctx.tree(s.value)
        self.unnamed_view(value)
        place = self.adjoint_place(s.target)
        assert isinstance(place, Index)
        slot = self.ctx.tree(s.target)
        assert isinstance(slot, Index)
        listed = isinstance(slot.key, ir.Slice) and self.facts.of(value).kind == "list"
        numbers = listed and holds_numbers(value, self.facts)  # which are copied: the part gets zeros of its own
        if listed and not numbers and self.seen(value):
            self.arrays_copied(value, value)
        companion: Expr = ZERO  # of a number that is written out: like that one, no array
        if not algebra.is_number(value):
            companion = self.zero_structure(value, self.facts.of(value)) if numbers else self.companion(value, slot)
        if self.item_added(s) is not None and isinstance(companion, ir.Sequence):  # what lies there is longer by then
            companion = replace(companion, items=(place, *companion.items[1:]))
        node.companions = [*self.taken_asserted(), ir.Store(place, companion)]
        held = f"{next(iter(node.kills))}%_bar"
        node.places[held] = place
        node.kills = (*node.kills, held)
        node.forced = (held,)
        if s.constant or not (any(self.new_items(s.value, ZERO)) or (numbers and self.is_active(s.value))):
            return
        g = Var(self.ctx.names.fresh("s_bar", self.ctx.names.of(s)))
        self.slots.add(g.name)
        number = self.facts.number(s.target)
        self.facts.names[g.name] = Fact("float", self.facts.shape(s.value), number=number)
        sink = Collected()
        base = ir.written_name(s.target)
        if isinstance(value, ir.Sequence | ir.Dict):
            self.facts.names[g.name] = self.structure(value)
            for item, part in self.new_items(s.value, g):
                self.into(item, part, self.facts.shape(item), sink)
        else:
            self.pull(s.value, _after(slot), g, self.facts.shape(s.value), sink)
        node.post = self.settle(unit, None, sink, st)
        # the slots of both are bound again in between: of the containers in which this one may be seen, too
        aliases = self.ctx.aliases
        held_in = {n for n in aliases.members[aliases.of[base]] if not self.facts.is_array(Var(n))}
        self.split_after(node, held_in | set(map(bar, held_in)))
        node.pre = [Assign(g.name, place), *node.pre]

    def store(self, unit: list[Stmt], s: ir.Store, st: State) -> Node:
        """A store as a node; an entry under a new key overwrites nothing."""
        node = self.stored(unit, s, st)
        if s.new:
            assert isinstance(node, Group)
            node.kills, node.places, node.forced = (), {}, ()
        return node

    def stored(self, unit: list[Stmt], s: ir.Store, st: State) -> Node:
        """a[k] = e: what a_bar[k] holds goes to e, and a_bar[k] starts from zero (algorithms.md, section 6)."""
        aliases = self.ctx.aliases
        base = ir.written_name(s.target)
        root, _ = aliases.path(base)
        unit, s = self.measurable(unit, s)
        self.ctx.hold_keys(s.target)
        place = self.ctx.tree(s.target)
        assert isinstance(place, Index)
        content = aliases.content(base)
        node = Group([], (content,), origin=s.origin, places={content: self.put_back(s, place, content)})
        if self.is_cut(place.array) and not self.facts.is_array(place) and root in self.active:
            message = f"`{ir.Printer()(place.array)}` is a copy of a part of a list: what is put into it, nobody sees"
            refuse(self.ctx, place, "S239", message, "write into the list itself: `l[1]` for `l[1:][0]`")
        if self.item_added(s) is not None and not self.shadows((base,)):
            node.lengthens, node.undo = True, [ir.shorter(place)]
        node.shortens = self.loses_item(s) and not self.shadows((base,))
        self.out = []
        adjoint = st.get(root)
        if self.shadows((base,)) and self.facts.of(s.target.array).kind in ("list", "dict"):
            if s.gone:
                self.shadowed_entry_gone(s, node)
            else:
                self.shadowed_slot(unit, s, node, st)
            node.forward = self.guarded(unit, s)
            if self.seen(s.value):  # of a number, nobody has an adjoint, nor of a copy
                value = self.ctx.tree(s.value)
                guards = part_guard(self.ctx, value, value)
                if is_number_or_view(s.value, self.facts, HELD):
                    guards.insert(0, asserted_array(value))
                node.forward[-1:-1] = guards
            return node
        if self.shadows((base,)) or (adjoint is not None and adjoint.expr != ZERO and root in self.active):
            node.post = self.overwritten(unit, s, root, st)
            self.split_after(node, set(aliases.members[aliases.of[base]]), stored=True)
            guard = [*self.view_guard(s), *self.length_guard(s), *self.last_guard(s)]
            node.forward = [*self.pieces(unit)[:-1], *guard, self.pieces(unit)[-1]]
            return node
        node.forward = self.guarded(unit, s)
        return node

    def put_back(self, s: ir.Store, place: Index, content: str) -> Index:
        """The place to put back: all of `m` where its own elements tell which, `m[m] = e`; they are others by then.
        What names a slot of a list is no array.

        Nor are items put back twice: a derivative of this one would ask which of the two counts.
        """
        if self.facts.of(place.array).kind in CONTAINERS:
            return place
        own = any(content in self.ctx.aliases.contents(k) for k in ir.key_items(place.key))
        twice = s.update == "at" and not names_once(self.ctx, place.key)
        if twice and not own and self.depth > 1:  # a copy of all in each round is too much
            return each_once(self.ctx, place)
        return replace(place, key=ir.ELLIPSIS) if own or twice else place

    def guarded(self, unit: list[Stmt], s: ir.Store) -> list[Stmt]:
        """The store as it is written, behind what has to hold of it."""
        *before, store = self.pieces(unit)
        return [*before, *self.length_guard(s), *self.last_guard(s), store]

    def last_guard(self, s: ir.Store) -> list[Stmt]:
        """An entry that is taken out comes back at the end of the dict: it is where it was if it was the last one."""
        if not s.gone:
            return []
        return [] if s.origin in self.said_last else [ir.Inert("assert", (self.is_last(s),), s.origin)]

    def is_last(self, s: ir.Store) -> Expr:
        place = self.ctx.tree(s.target)
        assert isinstance(place, Index) and isinstance(place.key, Op)
        last = Index(Op(ir.KEYS, (place.array,), spelling="list"), Const(-1))
        return Op("numpy.equal", (last, place.key.args[0]), form=ir.Form.OPERATOR)

    @cached_property
    def said_last(self) -> frozenset[ir.Origin]:
        """The deletions before which the text itself has the assertion."""
        found: set[ir.Origin] = set()
        body = self.ctx.function.body
        for block in ir.every_block(body):
            for a, s in pairwise(t for t in block if not (isinstance(t, Assign) and t.target in self.ctx.temps)):
                match a, s:
                    case ir.Inert(keyword="assert", values=(test,)), ir.Store(gone=True, origin=ir.Origin() as at):
                        if self.ctx.tree(test) == self.is_last(s):
                            found.add(at)
        return frozenset(found)

    def structure(self, display: ir.Sequence | ir.Dict) -> Fact:
        """The fact of the adjoint of a display: a list for a tuple, as its items change."""
        return replace(self.facts.of(display), kind="dict" if isinstance(display, ir.Dict) else "list")

    def length_guard(self, s: ir.Store) -> list[Stmt]:
        """`l[1:3] = items` makes a list longer or shorter where there are more or fewer items than places."""
        match s.target.key:
            case ir.Slice(step=None) if self.facts.of(s.target.array).kind == "list":
                value = self.ctx.tree(s.value)
                items: Expr = Op("builtins.len", (value,))
                if isinstance(value, ir.Sequence) and not value.starred:
                    items = Const(len(value.items))
                    most = places_at_most(s.target.key)
                    if not value.items or (most is not None and most < len(value.items)):
                        more = "longer" if value.items else "shorter"
                        message = f"`{ir.Printer()(s.target)} = ...` makes a list {more} which may have another name"
                        refuse(self.ctx, s.target, "S236", message, BIND_ANEW)
                places = Op("builtins.len", (self.ctx.tree(s.target),))
                return [ir.Inert("assert", (Op("numpy.equal", (places, items), form=ir.Form.OPERATOR),), s.origin)]
        return []

    def view_guard(self, s: ir.Store) -> list[Stmt]:
        """`y[i][0] = e` is a store into y where i is a number; where it is an array, y[i] is a copy."""
        found: list[Stmt] = []
        for part in parts_of(self.ctx.tree(s.target.array)):
            kept = self.facts.of(part.array).kind in CONTAINERS
            for k in () if kept else key_parts(part.key, self.facts):
                if self.ctx.may_select(k):
                    rank = Op("numpy.ndim", (self.ctx.tree(k),))
                    test = Op("numpy.equal", (rank, Const(0)), form=ir.Form.OPERATOR)
                    found.append(ir.Inert("assert", (test,)))
        return found

    def may_repeat(self, s: ir.Store) -> bool:
        """Whether several values may be stored into one item, of which the last one stays."""
        if s.update == "at" or s.constant or not self.is_active(s.value):
            return False
        if self.facts.of(s.target.array).kind == "list" and not isinstance(s.target.key, ir.Slice):
            return False
        return not names_once(self.ctx, s.target.key)

    def overwritten(self, unit: list[Stmt], s: ir.Store, root: str, st: State) -> list[Stmt]:
        """The adjoint statements of a store into a buffer whose adjoint is not zero."""
        whole = s.target == Index(Var(root), ir.ELLIPSIS) and root not in self.pinned and not self.shadows((root,))
        together = self.ctx.aliases.members.get(self.ctx.aliases.of.get(root, ""), frozenset())
        whole = whole and not (self.read_in_all(s.value) & (together - {root}))
        if whole:
            return self.refilled(unit, s, root, st)
        listed = self.facts.of(Var(root)).kind == "list"
        place = self.adjoint_place(s.target)
        assert isinstance(place, Index)
        if listed and not self.shadows((root,)):
            self.own_list(root, st) if place.array == Var(bar(root)) else self.own_items(root, st)
        elif not self.shadows((root,)):
            self.own_whole(root, st)
        # all of an array is meant by its name as well, and by the slot of the list that it lies in
        item = place.array if place.key == ir.ELLIPSIS else place
        ready, self.out = self.out, []
        region = self.facts.shape(s.target)
        if listed and self.facts.of(s.target).kind in CONTAINERS and not self.shadows((root,)):
            return [*ready, *self.bound_anew(unit, s, place, root, st)]
        accumulates = s.update == "at"
        slot = self.facts.of(s.target.array).kind in ("list", "dict") or root in self.survey.containers
        old = self.ctx.tree(s.target)
        assert isinstance(old, Index)
        meant = old.array if place.key == ir.ELLIPSIS else old
        # L_bar[0][2], not L_bar[0, 2]
        held = isinstance(meant, Index) and self.facts.of(meant.array).kind in CONTAINERS
        if ir.is_entry(old) and not (s.gone or self.ctx.is_shown(old) or self.ctx.is_guarded(s)):  # which may be new
            old = got(old, ZERO)
        if isinstance(old, Index) and self.facts.of(old).kind in CONTAINERS:
            zero = self.zero_structure(old, self.facts.of(old))
        elif is_mixed(self.facts.of(old)):
            zero = Op("helper._zeros_like", (old,))
        elif slot and region != SCALAR and root in self.survey.maybe_integer:
            zero = self.zero_item(old, self.facts.of(old), root)
        else:
            zero = ZERO if not slot or region == SCALAR else Op("numpy.zeros_like", (old,))
        if s.constant or not self.is_active(s.value):
            keys = ir.key_items(s.target.key)
            selects = self.is_copied_read(s.target) or len(keys) > len(set(keys))  # r[mask] = 1.0, r[i, i] = 1.0
            if selects and root in st:
                st[root] = replace(st[root], cut=True)
            return ready if s.new else [*ready, ir.Store(place, zero)]
        value = s.value
        if accumulates:  # np.add.at: what was there stays, and each item goes to all that name it
            assert isinstance(value, Op)
            value = value.args[1] if value.fn == "numpy.add" else algebra.negated(value.args[1])
        binds = self.facts.of(s.target.array).kind in ("list", "dict") and not isinstance(s.target.key, ir.Slice)
        binds = binds and slot and not accumulates
        if binds:
            region = self.facts.shape(value)  # of the new object, not of what lay there
        g = Var(self.ctx.names.fresh("s_bar", self.ctx.names.of(s)))
        self.slots.add(g.name)
        self.facts.names[g.name] = Fact("float", region, number=self.facts.number(s.target))
        if not self.shadows((root,)) and root in st and st[root].masked:
            self.masks[g] = self.where_not_zero(g, region)
        if s.update and not accumulates and isinstance(value, Op):  # written into the place: its operands fit into that
            for e in value.args:
                self.facts.shapes.fit(self.facts.shape(e), region)
        shape = self.facts.shape(value)
        sink = Collected()
        wholes = is_sum_of_wholes(self.ctx, s)
        spread: Expr = g
        shape_ = region
        if not (wholes or (binds and isinstance(value, ir.Sequence))):
            spread, shape_ = self.stored_seed(g, region, shape, value, s.target, fits=slot or bool(s.update))
        target = self.ctx.tree(s.target)
        assert isinstance(target, Index)
        after = _after(target)
        if shape != region:  # the value was broadcast: what is written is not the value itself
            after = self.ctx.tree(value)
        names: tuple[str, ...] = ()
        if spread is g and g not in self.masks and not accumulates and not slot and not self.may_repeat(s):
            names = self.unpacked_seeds(value, item, s, sink)
        if self.is_active(value) and not names:
            self.pull(value, after, spread, shape_, sink)
        self.filled = None
        if wholes:
            for c in (c for contributions in sink.by_name.values() for c in contributions):
                c.whole |= not c.to_all  # `+=` is not that of its items
        self.prepare(sink)
        adds = root in self.added  # helpers that are called add to parts of it: behind the place that is cleared
        self.own_added(st)
        named, self.out = self.out, ready
        if names:
            self.out.append(ir.Unpack(names, item))
        own: list[Contribution] = []
        others: dict[str, list[Contribution]] = {}
        for name, contributions in sink.by_name.items():
            aliases = self.ctx.aliases
            if name in aliases.of and (
                aliases.path(name)[0] == root or (self.shadows((name,)) and aliases.of[name] == aliases.of[root])
            ):
                placed = [self.placed(name, c) for c in contributions]
                placed = [replace(c, place=place) if c.place == item else c for c in placed]
                # of an item that a store names twice, the last value counts: here as in the store of the cotangents
                own += [replace(c, scatter=c.scatter and (accumulates or c.place != place)) for c in placed]
            else:
                others[name] = contributions
        kept = accumulates or s.new
        if not kept:
            if slot:
                self.fill_slot([c for c in own if c.place == place and not (c.scatter or c.whole)], s)
            for c in own:
                if c.place == place and not c.scatter:
                    rest = ZERO if c.expr == g else without(c.expr, g)
                    if rest is not None:
                        kept, c.expr = True, rest
                        break
            own = [c for c in own if c.expr != ZERO]
        same = [c for c in own if c.place == place and not c.scatter] if not kept and not adds else []
        rest_ = [c for c in own if not any(c is x for x in same)]
        direct = [c for c in own if any(n == g for n in ir.walk(c.expr))]
        # one that reads g comes before the others change it; one that binds a slot anew before those of its elements
        rest_.sort(key=lambda c: (not any(c is x for x in direct), slot and c.place != place))
        array = self.facts.of(s.target).kind not in CONTAINERS
        inside = [c for c in rest_ if array and c.place is not None and c.place != place and place in parts_of(c.place)]
        anew = slot and (not (kept and inside) or rest_[0].place == place)
        single = anew or self.facts.is_scalar(s.target)  # read before it is bound again: no copy is needed
        copied = (len(direct) > 1) if kept else bool(rest_) and bool(direct)
        views = any(rules.may_alias(e) and g.name in ir.reads(e) for x in named for e in ir.expressions(x))
        copied = copied or (views and (not kept or bool(rest_)))  # a view of g must not see what becomes of the place
        # what reads the cotangents item by item, other than to store them as the values were stored
        through = {g.name}
        for x in named:
            through |= set(ir.binds(x)) if any(through & ir.reads(e) for e in ir.expressions(x)) else set()
        elsewhere = [c for c in own if (c.scatter or c.place != place) and through & ir.reads(c.expr)]
        repeated = self.may_repeat(s) and bool(others or elsewhere)
        copied |= adds or repeated
        if repeated:
            self.out.append(Assign(g.name, Op("helper._last_stored", (place.array, ir.as_value(place.key)))))
            now: Expr = g
        elif copied:
            read = place if single or self.is_copied_read(s.target) else method("copy", item)
            self.out.append(Assign(g.name, read))
            now = g
        else:
            now = item

        def in_place(e: Expr) -> Expr:
            match e:
                case Index(array=Var(name=g.name), key=Const(value=int() as k)) if isinstance(now, Index):
                    return (None if slot or held else item_of(now, k, self.facts)) or Index(now, e.key)
                case Var(name=g.name):
                    return now
            return ir.rebuild(e, in_place)

        def of(e: Expr) -> Expr:
            return self.ctx.simplify(in_place(e))

        if adds and not kept:
            self.out.append(ir.Store(place, zero))
            kept = True
        self.out += [map_statement(x, of) for x in named]
        order = self.reading_order(unit)
        self.masks.pop(now, None)
        if g in self.masks:
            self.masks[now] = self.where_not_zero(now, region)
        for name in sorted(others, key=lambda n: order.get(n, 0)):
            for c in others[name]:
                c.expr = of(c.expr)
            for c in self.gathered(name, others[name]):
                self.accumulate(name, c, st)
        self.masks.pop(now, None)
        if not kept:
            total: Expr = zero
            for c in same:
                total = c.expr if total == zero else algebra.add(total, c.expr)
            total = of(total)
            factor = _factor(total, now) if same and not slot else None
            if factor is not None and self.facts.same_shape(total, now):  # axes of length one that a store drops
                self.out.append(
                    ir.Store(place, Op("numpy.multiply", (place, factor), form=ir.Form.OPERATOR), update="*")
                )
            else:
                self.out.append(ir.Store(place, total))
        if not copied:  # what reads the place itself comes before what is added there
            rest_.sort(key=lambda c: not any(c is d for d in direct))
        for c in rest_:
            assert c.place is not None
            c.expr = of(c.expr)
            if c.place == Index(Var(bar(root)), ir.ELLIPSIS) and self.is_container(root) and not self.shadows((root,)):
                self.accumulate_list(root, replace(c, place=None), st, None)  # all of a list, as of sum(L)
            elif slot and not any(c is x for x in inside):  # an item may be shared: it is bound again
                self.out.append(ir.Store(c.place, added(c.place, c)))
            elif c.whole:
                self.out += self.add_items(c.place, c.expr, c.held)
            else:
                self.out.append(self.update(c.place, c))
        return self.out

    def fill_slot(self, own: list[Contribution], s: ir.Store) -> None:
        """L[k] = np.sum(L[k]): the adjoint of the old item replaces that of the new one, which may have another shape.
        Where no contribution has that of the old item, one is filled to it."""
        old, shape = self.ctx.tree(s.target), self.facts.shape(s.target)
        reads = (Var(n) for n in self.read_in_all(s.value) if n in self.ctx.temps)
        shapes = {shape, *(self.facts.shape(r) for r in reads if self.ctx.tree(r) == old)}
        if own and all(c.shape not in shapes for c in own):
            own[0].expr, own[0].shape = self.full(own[0].expr, own[0].shape, shape, old), shape

    def bound_anew(self, unit: list[Stmt], s: ir.Store, place: Index, root: str, st: State) -> list[Stmt]:
        """T[i] = row, of a list of lists: the adjoint of the row that was there starts from zero."""
        target = self.ctx.tree(s.target)
        held = self.facts.of(s.target)
        zeros = self.zero_structure(target, held)
        may_be_new = ir.is_entry(target) and not self.ctx.is_shown(target)
        if may_be_new and not held.is_object:
            entry = got(target, nothing(held))
            zeros = Op("helper._zeros_like", (entry,)) if held.items else self.zero_structure(entry, held)
        killed: list[Stmt] = [] if id(s.target) in self.first_entries else [ir.Store(place, zeros)]
        if may_be_new and held.is_object and killed:  # of one that was not there, nothing is read any more
            entry = got(target)
            there = Op("operator.in", (entry.args[1], entry.args[0]), form=ir.Form.OPERATOR)
            killed = [ir.If(there, (*killed,), ())]
        if s.constant or not self.is_active(s.value):
            return [*killed]
        if (item := self.item_added(s)) is not None:
            return self.shortened(unit, s, item, place, root, st)
        if self.loses_item(s):
            return [ir.longer(place, self.zero_of_lost(Index(target, Const(-1))))]
        g = Var(self.ctx.names.fresh("s_bar", self.ctx.names.of(s)))
        self.slots.add(g.name)
        self.facts.names[g.name] = self.facts.of(s.target)
        sink = Collected()
        around, self.apart = self.apart, True
        self.pull(s.value, target, g, SCALAR, sink)
        self.apart = around
        sink.note_wholes(g)  # all that lies in the slot, whatever is known of where it goes
        self.prepare(sink)
        own = sink.by_name.pop(root, [])
        if whole := [c for c in own if c.key is None and c.place is None]:  # what a function gives for all of the list
            sink.by_name[root], own = whole, [c for c in own if c not in whole]
        classes = self.ctx.aliases.of
        same = any(
            classes.get(n) == classes.get(root, "") for n in sink.by_name
        )  # another name of the list: `v[:] = v`
        others = self.settle(unit, None, sink, st)
        if not own and not whole and not same:
            return [*(map_statement(x, lambda e: ir.substitute(e, {g.name: place})) for x in others), *killed]
        for c in own:  # it may be the same row
            slot = c.place or Var(bar(root))
            for key in () if c.key is None else (c.key, *c.path):
                slot = Index(slot, key)
            assert isinstance(slot, Index)
            c.expr = self.ctx.simplify(c.expr)
            others.append(ir.Store(slot, added(slot, c)))
        return [Assign(g.name, place), *killed, *others]

    @cached_property
    def first_entries(self) -> set[int]:
        """Places where a dict gets an entry that it lacks, `if k not in d: d[k] = e`: before, nobody asks for it."""
        every = list(ir.statements(self.ctx.function.body))
        if any(isinstance(s, ir.Store) and (s.update == "back" or s.gone) for s in every):
            return set()
        found: set[int] = set()
        for s in every:
            match self.ctx.tree(s.test) if isinstance(s, ir.If) else ir.NONE:
                case Op(fn="operator.not_in" | "operator.in" as fn, args=(key, Var() as d)):
                    assert isinstance(s, ir.If)
                    block = s.body if fn == "operator.not_in" else s.orelse
                    own = (t for t in block if not (isinstance(t, Assign) and t.target in self.ctx.temps))
                    match next(own, None):
                        case ir.Store(target=target) if self.ctx.tree(target) == Index(d, Op(ir.KEY, (key,))):
                            found.add(id(target))
        return found

    def item_added(self, s: ir.Store) -> Expr | None:
        """What the list in a slot gets at its end, of `rows[k] = [*rows[k], item]`."""
        value = self.ctx.temps.get(s.value.name, s.value) if isinstance(s.value, Var) else s.value
        if ir.longer_slot(self.ctx.tree(s.target), self.ctx.tree(value)) is None or s.constant or s.new:
            return None
        assert isinstance(value, ir.Sequence)
        return value.items[1]

    def loses_item(self, s: ir.Store) -> bool:
        """Whether the list in a slot surely loses its last item: `rows[k] = rows[k][:-1]`."""
        target = self.ctx.tree(s.target)
        shorter = s.sure and not s.constant and ir.shorter_slot(target, self.ctx.tree(s.value))
        return shorter and self.facts.of(target).kind == "list"

    def zero_of_lost(self, item: Expr) -> Expr:
        """A zero for an item that a list loses, as `zero_structure` makes one for each of those that it keeps."""
        fact = self.facts.of(item)
        if fact.kind == "float" and self.facts.is_scalar(item):
            return ZERO
        assert isinstance(item, Index)
        of = self.facts.of(item.array)
        open_ = fact.kind in (*CONTAINERS, *NOT_DIFFERENTIABLE) or may_hold_items(fact) or holds_mixed(of)
        if (
            of.kind != "list"
            or of.elem is None
            or open_
            or may_lack(self.ctx, item.array)
            or self.holds_open(item.array)
        ):
            return Op("helper._zeros_like", (item,))
        name = ir.written_name(item)
        zero = self.zero_item(item, of.elem, name)
        if self.makes_rank_zero(zero, of.elem):
            self.rank_zero.add(bar(name))
        return zero

    def shortened(self, unit: list[Stmt], s: ir.Store, item: Expr, place: Index, root: str, st: State) -> list[Stmt]:
        """rows[k] = [*rows[k], x]: the adjoint of the row loses its last item, which goes to x, and is that of the row
        that was there."""
        shorter = ir.shorter(place)
        if not self.is_active(item):
            return [shorter]
        base = ir.written_name(s.target)
        g = Var(self.ctx.names.fresh(f"{self.ctx.base.get(base, base)}_item_bar", base, self.ctx.names.of(s)))
        self.slots.add(g.name)
        self.facts.names[g.name] = Fact("float", self.facts.shape(item), number=self.facts.number(s.target))
        if not st[root].owned:
            self.lent.add(g.name)
        if bar(root) in self.rank_zero:
            self.rank_zero.add(g.name)
        value = self.ctx.tree(item)
        sink = Collected()
        if isinstance(value, ir.Sequence | ir.Dict):
            self.facts.names[g.name] = self.structure(value)
        self.into(item, g, self.facts.shape(item), sink)
        return [Assign(g.name, Index(place, Const(-1))), shorter, *self.settle(unit, None, sink, st)]

    def read_in_all(self, e: Expr) -> set[str]:
        """The names that an expression reads, those behind its temporaries included."""
        found: set[str] = set()
        todo = [e]
        while todo:
            for name in ir.reads(todo.pop()) - found:
                found.add(name)
                if name in self.ctx.temps:
                    todo.append(self.ctx.temps[name])
        return found

    def refilled(self, unit: list[Stmt], s: ir.Store, root: str, st: State) -> list[Stmt]:
        """y[...] = e: as y = e, for the adjoint."""
        adjoint = st[root]
        if s.constant or not self.is_active(s.value):
            del st[root]
            return self.out
        sink = Collected()
        region, shape = self.facts.shape(Var(root)), self.facts.shape(s.value)
        g, gshape = adjoint.expr, adjoint.shape
        if shape != region:
            g = self.full(g, gshape, region, Var(root))
            if not isinstance(g, Var | Const):
                g = self.name_it(g, region, s.value)
            if isinstance(g, Var):
                g, gshape = self.stored_seed(g, region, shape, s.value, Var(root), fits=bool(s.update))
        after = Var(root, after=True) if shape == region else self.ctx.tree(s.value)
        self.filled = None if s.update or shape == region or shape.rank is not None else region
        around, self.apart = self.apart, True
        self.pull(s.value, after, g, gshape, sink)
        self.filled, self.apart = None, around
        return self.settle(unit, root, sink, st)

    def measurable(self, unit: list[Stmt], s: ir.Store) -> tuple[list[Stmt], ir.Store]:
        """The store of a costly value that may have been broadcast behind a line of its own for that value: its
        cotangent has its shape, and it would be computed again for that alone."""
        value, shape = s.value, self.facts.shape(s.value)
        plain = isinstance(value, Op) and not s.update and not s.new and not s.constant
        region = self.facts.shape(s.target)
        known = shape.rank is not None and region.rank is not None and region.rank >= shape.rank
        if known and all(a == b or b == 1 for a, b in zip(reversed(region.dims), reversed(shape.dims), strict=False)):
            return unit, s  # the axes to sum over are known
        if not plain or shape in (SCALAR, region) or not self.is_active(value):
            return unit, s
        if self.is_elementwise(value) or not is_costly(value) or self.facts.of(s.target.array).kind in CONTAINERS:
            return unit, s
        if self.facts.of(value).kind in CONTAINERS or self.ctx.written(value) or self.seen(value):
            return unit, s
        if is_sum_of_wholes(self.ctx, s):  # whose cotangent has its structure
            return unit, s
        name = self.ctx.names.fresh("t", self.ctx.names.of(s), "stored")
        self.ctx.temps[name] = value
        self.ctx.promoted.add(name)
        self.ctx.definitions[name] = 1
        self.facts.names[name] = self.facts.of(value)
        self.active |= {name}
        s = replace(s, value=Var(name))
        return [*unit[:-1], Assign(name, value), s], s

    def unpacked_seeds(self, value: Expr, place: Expr, s: ir.Store, sink: Collected) -> tuple[str, ...]:
        """The names of the cotangents of numbers that are written side by side: `s_bar, s1_bar = A_bar[i : i + 2]`.
        None where each has a place of its own, as A_bar[0] and A_bar[1] of `A[:2] = a, b`."""
        if not isinstance(value, ir.Sequence) or not isinstance(place, Index) or value.starred:
            return ()
        numbers = all(self.is_active(e) and self.facts.is_scalar(e) for e in value.items)
        if not numbers or self.facts.ndim(s.target) != 1 or item_of(place, 0, self.facts) is not None:
            return ()
        of = self.ctx.names.of(s)
        names = tuple(self.ctx.names.fresh("s_bar", of, str(i)) for i in range(len(value.items)))
        for name, e in zip(names, value.items, strict=True):
            self.facts.names[name] = Fact("float", SCALAR, number=self.facts.number(s.target))
            self.into(e, Var(name), SCALAR, sink)
        return names

    def stored_seed(
        self, g: Var, region: Shape, shape: Shape, value: Expr, target: Expr, fits: bool
    ) -> tuple[Expr, Shape]:
        """g, of the region that is written, in the shape of the value, which may have been broadcast into it.

        fits: the value has no axes of length one before those of the region, which other stores drop: that of an
        update, or of an item of a list.
        """
        if isinstance(value, ir.Sequence):
            shape = display_shape(value, self.facts) or shape
        if shape == region:
            return g, region
        if shape.rank == region.rank is not None and all(isinstance(d, int) and d != 1 for d in shape.dims):
            return g, region  # no axis of it is repeated
        if shape.rank is None and self.is_elementwise(value):
            axes = region.rank or 0
            if not fits:
                fits = all(p == region or (p.rank is not None and p.rank <= axes) for p in shape.parts)
            self.filled = None if fits else region
            self.facts.shapes.fit(shape, region)
            return g, region
        return self.to_operand(g, region, region, shape, value, target)

    def effect(
        self, unit: list[Stmt], s: ir.Inert | Assign | ir.Unpack, value: Op, targets: tuple[str, ...], st: State
    ) -> Node:
        """A call of a helper that writes into its arguments: their adjoints go in and are changed in place."""
        aliases = self.ctx.aliases
        calls = self.ctx.calls
        bound = calls.bind(self.ctx, value)
        written = self.ctx.written(value)
        node = Group([], targets, origin=s.origin)
        guards: list[Stmt] = []
        for p, e in written.items():
            place = self.ctx.tree(e)
            base = place
            while isinstance(base, Index):
                base = base.array
            chosen = isinstance(base, ir.Sequence | ir.Dict)  # `{"a": u, "b": v}[k]`: one of several
            if chosen or not any(isinstance(n, Var) for n in ir.walk(place)):
                message = f"`{value.fn[6:]}` writes into an array that has no name"
                refuse(self.ctx, value, "S242", message, "give it a name first: `a = np.zeros(3)`")
            for n in ir.walk(place):
                if isinstance(n, Op) and n.fn.startswith("local."):
                    refuse_shared(self.ctx, n, value)
            content = aliases.content(self.root_of(place))
            others = [q for q, x in bound.items() if q != p and self.may_hold(self.ctx.tree(x), content)]
            if content in node.places or any(is_part_of(place, self.ctx.tree(bound[q])) for q in others):
                message = f"`{value.fn[6:]}` writes into `{p}`, and `{(others or [p])[0]}` may be the same array"
                refuse(self.ctx, value, "S238", message, "hand a copy to the helper: `.copy()`")
            node.places[content] = elements(place, self.facts)
            laid_out = any(isinstance(n, Op) and n.fn in MAYBE_VIEWS for n in ir.walk(place))
            if (laid_out and not self.is_part(place)) or selected_from(self.ctx, place) is not None:
                guards.append(shares_memory(place, Var(self.root_of(place))))  # what is written into a copy is lost
            guards += [
                shares_nothing(place, x) for q in others if not self.are_apart(place, x := self.ctx.tree(bound[q]))
            ]
        node.kills = (*targets, *node.places)
        for t in targets:
            if (t in aliases.of and t in aliases.views) or (self.shadows((t,)) and aliased(value, self.facts)):
                refuse(self.ctx, value, "S239", f"the result of `{value.fn[6:]}` may be one of its arguments", COPY)
        self.out = []
        sink = Collected()
        taken = {t: st.pop(t) for t in targets if t in st}
        new = self.shadows(targets)
        if new and not isinstance(s, ir.Inert):
            taken |= self.made_anew(s, value, new, node)
            node.kills = (*node.kills, *map(bar, new))
        roots = {p: self.root_of(self.ctx.tree(e)) for p, e in written.items()}
        for root in sorted({*roots.values()} & {*targets}):  # v = step(v): the adjoint of the old v is made beside it
            aside = self.aside(root, [a.expr for a in taken.values()])
            taken = {t: replace(a, expr=ir.substitute(a.expr, aside)) for t, a in taken.items()}
        active = [p for p, e in bound.items() if self.is_active(e)]
        wanted = any(a.expr != ZERO for a in taken.values()) or any(
            p in active and (self.shadows((r,)) or (r in st and st[r].expr != ZERO)) for p, r in roots.items()
        )
        if active and wanted:
            refuse_draws(self.ctx, value)
            added = self.added_to(value.fn[6:], bound, tuple(active))
            w = calls.reverse_in_place(self.ctx, value.fn[6:], bound, tuple(active), (*written, *added))
            bars: list[Expr] = []
            for p in w.given_bars:
                if p in added:
                    self.added.append(added[p])
                    bars.append(Var(bar(added[p])))
                    continue
                if not self.shadows((roots[p],)):
                    self.own_whole(roots[p], st)
                    st[roots[p]] = replace(st[roots[p]], masked=False)
                bars.append(self.adjoint_place(self.ctx.tree(written[p])))
            if calls.has_result(value.fn[6:]):
                bars.append(self.result_seed(s, value, targets, taken))
            bars = [self.ctx.simplify(self.ctx.resolve(b)) for b in bars]
            given = (self.ctx.resolve(e) for p, e in bound.items() if p not in w.left_out)
            call = Op(f"local.{w.name}", (*given, *bars))
            names = [self.ctx.names.fresh(f"{p}_inc", w.name, p, self.ctx.names.of(value)) for p in w.increments]
            for t, p in zip(names, w.increments, strict=True):
                self.facts.names[t] = Fact("float", self.facts.shape(bound[p]), number=self.facts.number(bound[p]))
            if not names:
                self.out.append(ir.Inert("", (call,)))
            else:
                self.out.append(ir.Unpack(tuple(names), call) if len(names) > 1 else Assign(names[0], call))
            for t, p in zip(names, w.increments, strict=True):
                self.into_argument(value.fn[6:], p, bound[p], Var(t), sink, self.ctx.calls.parts_of(value.fn[6:], p))
        before, node.pre = node.pre, []
        node.post = self.settle(unit, None, sink, st)
        written_names = {n for k in node.places for n in aliases.members.get(k[1:], ())}
        self.split_after(node, {*targets, *map(bar, new), *written_names})
        node.pre = before + node.pre
        *first, last = self.pieces(unit)
        node.forward = [*first, *guards, last]
        return node

    @cached_property
    def arrays_apart(self) -> frozenset[str]:
        """Names of which no two ever hold the same array."""
        return exchanges.arrays_apart(self.ctx.function, self.facts)

    def are_apart(self, place: Expr, other: Expr) -> bool:
        """Whether an argument that a helper writes into surely shares no memory with another one."""
        return exchanges.are_apart(place, other, self.facts, self.arrays_apart)

    def may_hold(self, e: Expr, content: str) -> bool:
        """Whether the value of an argument may share memory with these elements; what is computed does not."""
        return any(self.ctx.aliases.contents(v) == {content} for v, _ in sources(e, self.facts))


def is_part_of(place: Expr, other: Expr) -> bool:
    """Whether one of two values is a name, and the other one the same or a part of it."""

    def root(e: Expr) -> Expr:
        while isinstance(e, Index) or (isinstance(e, Op) and e.fn in MAYBE_VIEWS):
            e = e.array if isinstance(e, Index) else e.args[0]
        return e

    return root(place) == root(other) and any(isinstance(e, Var) for e in (place, other))


def _after(place: Index) -> Expr:
    """What a store has written at a place, behind the store; its shape is the same before."""
    name = ir.written_name(place)

    def after(e: Expr) -> Expr:
        if is_size(e):
            return e
        return Var(name, after=True) if e == Var(name) else ir.rebuild(e, after)

    return after(place)


def parts_of(e: Expr) -> Iterator[Index]:
    """The subscripts on the way from an array to a part of it: y[i] and y[i].T[0] of `y[i].T[0]`."""
    match e:
        case Index(array=array):
            yield from parts_of(array)
            yield e
        case Op(args=(first, *_)) if not e.fn.startswith("local."):
            yield from parts_of(first)


def places_at_most(key: ir.Slice) -> int | None:
    """How many items of a list a slice names at most, 2 of `[1:3]` and of `[-2:]`; None where it is not known."""
    match key.start or Const(0), key.stop:
        case Const(value=int() as start), Const(value=int() as stop) if start >= 0 and stop >= 0:
            return max(stop - start, 0)
        case Const(value=int() as start), None if start < 0:
            return -start
    return None


def added(slot: Index, c: Contribution) -> Expr:
    """What an item of a list of adjoints becomes: `+` of lists would join them."""
    return Op("helper._added", (slot, c.expr)) if c.whole else algebra.add(slot, c.expr)


def _factor(e: Expr, place: Expr) -> Expr | None:
    """f where e is the product of `place` and f."""
    match e:
        case Op(fn="numpy.multiply", args=(a, b), form=ir.Form.OPERATOR):
            if a == place:
                return b
            if b == place:
                return a
            if (inner := _factor(a, place)) is not None:
                return algebra.op(algebra.MULTIPLY, inner, b)
    return None
