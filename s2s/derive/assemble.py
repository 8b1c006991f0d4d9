"""Reads both sweeps off the finished nodes: the forward sweep with its saves, the reverse sweep with its restores."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from s2s import ir, rules
from s2s.analysis import loops
from s2s.analysis.aliases import CONTAINERS, written_by
from s2s.analysis.assigned import unsure_reads
from s2s.analysis.containers import root_of
from s2s.analysis.facts import Fact, holds_mixed, may_hold_items
from s2s.analysis.shapes import SCALAR
from s2s.analysis.transfer import key_kind
from s2s.derive.context import Context
from s2s.derive.handing import handed
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node, all_nodes
from s2s.derive.owned import held, same_object
from s2s.derive.phrases import bar, got, is_none, keyed_items, method, owned
from s2s.derive.recorded import Recorder, is_content
from s2s.derive.survey import is_sum_of_wholes, survey
from s2s.frozen import replace
from s2s.ir import Append, Assign, Comment, Const, Expr, Index, Op, Stmt, Var

NUMBERS = ("float", "int", "bool", "str", "none")


def is_read(name: str, block: Iterable[Stmt]) -> bool:
    return any(name in ir.reads(e) for s in ir.statements(tuple(block)) for e in ir.expressions(s))


def statements_of(n: Node) -> list[Stmt]:
    """The statements of a node itself, in both sweeps."""
    match n:
        case Group():
            return [*n.forward, *n.companions, *n.pre, *n.post]
        case Branch():
            return [*n.inits, *n.body_end, *n.orelse_end]
        case Loop():
            return [*n.inits, *n.ends]
    return [*n.forward, *n.post]


@dataclass
class Save:
    """Where the old values of a name are kept: a variable, or a list."""

    name: str
    where: str
    is_list: bool
    index: Expr | None = None  # restored by index
    every: bool = False  # one append in each counted iteration of its loop
    place: Index | None = None  # elements that are saved: a store overwrites them
    copied: bool = True  # reading them shares memory with the buffer
    popped: bool = False  # the last item of a list, which loses it there
    last: bool = False  # only the last item of the list that lies at the place, which loses it there
    there: bool = True  # the place is no entry that a dict may lack
    absent: bool = False  # what a helper is given to write into, which is None in some runs


@dataclass
class Sweeps:
    ctx: Context
    recorder: Recorder
    value: str = ""  # the variable for the result, where it is wanted
    lists: list[str] = field(default_factory=list)  # save lists to be made before the outermost loop
    stack: list[Loop] = field(default_factory=list)
    saves: dict[tuple[int, str, str], Save] = field(default_factory=dict)
    shrinking: set[str] = field(default_factory=set)  # lists that the reverse sweep takes apart
    steps_back: set[int] = field(default_factory=set)  # the ids of statements that count back
    neutral: set[str] = field(default_factory=set)
    holders: dict[str, set[str]] = field(default_factory=dict)  # class of a written buffer -> where its names are saved

    @cached_property
    def restored(self) -> set[str]:
        """The buffers of which the reverse sweep restores elements."""
        every = all_nodes(self.recorder.root)
        undone = {k for n in every if isinstance(n, Group) and n.rec.undone for k in n.kills}
        return {k for k in undone.union(*(n.rec.saves for n in every)) if is_content(k)}

    # ------------------------------------------------------------ where a value is kept
    def save(self, key: Node, name: str, place: str, direct: bool) -> Save:
        """The save of `name` at a node; `direct` if it stands right in the body of the innermost loop."""
        found = self.saves.get((id(key), name, place))
        if found is not None:
            return found
        region: Index | None = None
        if is_content(name):
            if isinstance(key, Group):
                region = key.places[name]
            else:
                root = Var(self.ctx.aliases.roots[name[1:]])
                whole = ir.Slice(None, None) if self.ctx.facts.is_list(root) else ir.ELLIPSIS
                region = Index(root, whole)
            assert region is not None
            name_ = ir.written_name(region)
        else:
            name_ = name
        given = self.ctx.promoted_name(name_) if name_ in self.ctx.promoted else name_
        shown = self.ctx.names.wishes.get(given, self.ctx.base.get(given, given))
        wish = f"{shown}_saved".replace('["', "_").replace('"]', "")
        where = self.ctx.names.fresh(wish, self.ctx.names.of(key), name, place)
        if not self.stack:
            found = Save(name, where, False)
        else:
            loop = self.stack[0]
            index: Expr | None = None
            match loop:
                case Loop(kind="for", target=Var(name=k) as target, iterable=Op(fn="builtins.range", args=(_,))) if (
                    len(self.stack) == 1 and direct
                ):
                    index = target if self.ctx.definitions[k] == 1 and k != "_" else None
            found = Save(name, where, True, index, direct)
            self.lists.append(where)
        if region is not None:
            found.place, found.copied = region, self.is_view(region)
            found.popped = isinstance(key, Group) and key.shrinks
            found.last = isinstance(key, Group) and key.shortens
            found.absent = isinstance(key, Group) and self.may_be_absent(region, key)
            own = key.places[name.removesuffix("%_bar")] if isinstance(key, Group) else region
            found.there = (  # a shadow has the keys of what it is the shadow of
                not ir.is_entry(region) or (isinstance(key, Group) and self.is_read(own, key)) or self.ctx.is_shown(own)
            )
        else:
            primal, _, suffix = name.partition("%")
            if content := self.ctx.aliases.content(primal):
                holder = content[1:] + (f"%{suffix}" if suffix else "")
                self.holders.setdefault(holder, set()).add(where)
        self.saves[(id(key), name, place)] = found
        return found

    def is_read(self, place: Index, n: Group) -> bool:
        """Whether the entry is there that a store replaces: it reads that, in any case, `d[k] = d[k] + x`, or it is
        asserted."""
        stores = [s for s in n.forward if isinstance(s, ir.Store) and s.target == place]
        return any(self.ctx.reads_its_place(s) or self.ctx.is_guarded(s) for s in stores)

    def may_be_absent(self, place: Index, n: Group) -> bool:
        """Whether what a helper is given to write into is None in some runs: `helper(x, work if reuse else None)`."""
        if not isinstance(place.array, Var) or place.key != ir.ELLIPSIS:
            return False
        name = place.array.name
        maybe = name in survey(self.ctx).absent | self.ctx.optional
        return maybe and any(self.ctx.may_be_given_none(name, s) for s in n.forward)

    def is_view(self, place: Index) -> bool:
        """Whether reading a place shares memory with the buffer: not where it is a number, or picks its items."""
        if self.ctx.facts.is_scalar(place) or self.ctx.facts.of(place.array).kind in CONTAINERS:
            return False
        keys = ir.key_items(place.key)
        return not any(key_kind(self.ctx.tree(k), self.ctx.facts) in ("ints", "mask") for k in keys)

    def saved_value(self, s: Save) -> Expr:
        if s.place is None:
            return Var(s.name)
        if s.last:
            return Index(s.place, Const(-1))
        read = s.place.array if s.place.key == ir.ELLIPSIS else s.place
        if not s.there:
            return got(s.place)
        if s.copied and self.may_be_number(read):
            return owned(read) if read in self.wholes else Op("numpy.positive", (read,))
        if s.absent:
            return Op("operator.ifexp", (is_none(read), ir.NONE, method("copy", read)), form=ir.Form.OPERATOR)
        return method("copy", read) if s.copied else s.place

    def may_be_number(self, place: Expr) -> bool:
        """Whether a place may lie in a list, and hold a number, which has no method."""
        if ir.written_name(place) in survey(self.ctx).containers:
            return True
        return isinstance(place, Index) and self.ctx.facts.of(place.array).whole

    @cached_property
    def wholes(self) -> frozenset[Expr]:
        """The places that get sums of wholes."""
        stores = (s for s in ir.statements(self.ctx.function.body) if isinstance(s, ir.Store))
        return frozenset(self.ctx.tree(s.target) for s in stores if is_sum_of_wholes(self.ctx, s))

    def put_back(self, s: Save, value: Expr) -> Stmt:
        if s.place is not None and s.popped:
            return Append(ir.written_name(s.place), value)
        if s.place is not None and s.last:
            return ir.longer(s.place, value)
        if s.place is not None and not s.there:
            return ir.Store(s.place, value, update="back")
        if s.place is not None and s.absent:  # None is taken off a list, too
            there = Op("operator.is_not", (s.place.array, ir.NONE), form=ir.Form.OPERATOR)
            orelse = (ir.popped(s.where),) if value == ir.pop(s.where) else ()
            return ir.If(there, (ir.Store(s.place, value),), orelse)
        return Assign(s.name, value) if s.place is None else ir.Store(s.place, value)

    def keep(self, s: Save) -> Stmt:
        if s.is_list:
            return Append(s.where, self.saved_value(s))
        return Assign(s.where, self.saved_value(s))

    def restore(self, s: Save) -> Stmt:
        if not s.is_list:
            return self.put_back(s, Var(s.where))
        if s.index is not None:
            return self.put_back(s, Index(Var(s.where), s.index))
        return self.put_back(s, ir.pop(s.where))

    # ------------------------------------------------------------ forward
    def forward(self, nodes: list[Node], direct: bool = True) -> list[Stmt]:
        out: list[Stmt] = []
        for n in nodes:
            if not isinstance(n, Loop):
                out += [self.keep(self.save(n, name, "", direct)) for name in n.rec.saves]
            match n:
                case Group():
                    if not n.header or self.is_explicit():
                        out += n.forward
                    out += n.companions
                case Leaf():
                    out += self.leaf(n)
                case Branch():
                    ends = self.recorder.ends.get(id(n), ([], []))
                    body = self.forward(n.body, self.falls_alone(n, n.orelse, direct))
                    body = self.at_ends(body, [self.keep(self.save(n, x, "body", False)) for x in ends[0]])
                    orelse = self.forward(n.orelse, self.falls_alone(n, n.body, direct))
                    orelse = self.at_ends(orelse, [self.keep(self.save(n, x, "orelse", False)) for x in ends[1]])
                    out.append(ir.If(n.test, tuple(body), tuple(orelse), n.origin))
                case Loop():
                    out += self.loop_forward(n, direct)
        return out

    def is_explicit(self) -> bool:
        """Whether the innermost loop binds its items by statements: one of them overwrites a value that is saved."""
        return any(isinstance(g, Group) and g.header and g.rec.saves for g in self.stack[-1].body)

    def falls_alone(self, n: Branch, other: list[Node], direct: bool) -> bool:
        """Whether all iterations that go on take this branch: the other one leaves the loop, and is not reversed."""
        return direct and n.falling is not None and other is not (n.body if n.falling == 0 else n.orelse)

    def leaf(self, n: Leaf) -> list[Stmt]:
        if n.kind != "return":
            return n.forward
        s = n.forward[-1]
        assert isinstance(s, ir.Return)
        out = n.forward[:-1]
        if self.value:
            out = [*out, Assign(self.value, self.kept(s.value), s.origin)]
        return out

    def kept(self, value: Expr) -> Expr:
        """A result as it is now: what the reverse sweep restores in place, or takes apart, is copied."""
        match value:
            case ir.Sequence(items=items):
                return replace(value, items=tuple(map(self.kept, items)))
            case ir.Dict(values=values):
                return replace(value, values=tuple(map(self.kept, values)))
        fact = self.ctx.facts.of(value)
        call = value if isinstance(value, Op) and value.fn.startswith("local.") else None
        within = [value] if call is None else handed(self.ctx.calls, call, self.ctx.facts)  # it may be part of
        restored = {
            self.ctx.aliases.of[n]
            for e in within
            for n in ir.reads(e)
            if n in self.ctx.aliases.of and f"*{self.ctx.aliases.of[n]}" in self.restored
        }
        slots = self.are_slots(restored)
        maybe_list = fact.kind == "any" and may_hold_items(fact)
        if call is not None:
            is_array = fact.kind not in CONTAINERS and not maybe_list and bool(fact.shape.dims)
            if restored and not self.ctx.facts.is_scalar(value):
                return method("copy", value) if is_array else Op("copy.deepcopy", (value,))
            shortened = fact.kind in ("list", "tuple", "any") and self.is_taken_apart(value)
            return Op("copy.deepcopy", (value,)) if shortened else value
        if isinstance(value, Index) and slots and fact.kind not in CONTAINERS and not maybe_list:
            return value
        if restored and root_of(value) in survey(self.ctx).containers:
            return owned(value)
        if fact.kind in ("list", "tuple") and self.is_taken_apart(value):
            return self.copied(value, fact, arrays=bool(restored) and not slots, entries=bool(restored))
        if maybe_list and self.is_taken_apart(value):
            return owned(value)
        if restored and rules.may_alias(value) and not self.ctx.facts.is_scalar(value):
            return self.copied(value, fact, arrays=not slots)
        return value

    def is_taken_apart(self, value: Expr) -> bool:
        """Whether a result may be, or hold, a list that the reverse sweep shortens."""
        if not self.shrinking:
            return False
        hands = functools.partial(handed, self.ctx.calls)
        names = {x for n in held(value, hands, self.ctx.facts) for x in same_object(self.ctx.function, n, hands)}
        return bool(names & self.shrinking)

    def copied(self, e: Expr, fact: Fact, arrays: bool, depth: int = 0, entries: bool = True) -> Expr:
        """A copy of a container with the lists in it, and of arrays and dicts of numbers and arrays if these are asked
        for."""
        if fact.kind == "tuple" and fact.items:
            parts = [self.copied(Index(e, Const(i)), p, arrays, depth, entries) for i, p in enumerate(fact.items)]
            return ir.Sequence(tuple(parts))
        if fact.kind == "dict" and not entries and fact.items and not any(p.kind in CONTAINERS for p in fact.items):
            return e
        if fact.kind not in CONTAINERS:
            if not arrays or (fact.kind in NUMBERS and fact.shape == SCALAR):
                return e
            return method("copy", e) if depth == 0 or fact.shape.dims else Op("numpy.positive", (e,))  # or a number
        elem = fact.elem
        if fact.keyed and elem is not None and elem.kind not in CONTAINERS:
            numbers = not arrays or elem.shape == SCALAR
            return Op("builtins.dict", (e,)) if numbers else keyed_items(e, lambda v: Op("numpy.positive", (v,)))
        if fact.keyed and elem is not None:
            return keyed_items(e, lambda v: self.copied(v, elem, arrays, depth + 1, entries))
        if fact.kind == "list" and elem is not None and (elem.kind in CONTAINERS or (arrays and elem.shape != SCALAR)):
            item = Var(self.ctx.names.fresh("v", "item of a result", depth))
            item = ir.apart("row", e) if item in ir.walk(e) else item
            self.ctx.facts.names[item.name] = elem
            inner = self.copied(item, elem, arrays, depth + 1, entries)
            return Op("builtins.list", (e,)) if inner == item else ir.Comprehension(inner, ((item, e, ()),))
        if fact.kind == "list" and holds_mixed(fact):
            return owned(e)
        if fact.is_object:  # an object, which has no method that copies it
            return owned(e) if arrays or any(part.kind in CONTAINERS for part in fact.items) else e
        if fact.kind == "dict" and not fact.keyed and fact.items:
            keys = tuple(map(Const, fact.keys))
            places = tuple(Index(e, k) for k in keys)
            parts = [self.copied(v, p, arrays, depth, entries) for v, p in zip(places, fact.items, strict=True)]
            return method("copy", e) if (*parts,) == places else ir.Dict(keys, tuple(parts))
        return Op("builtins.list", (e,)) if fact.kind == "list" else method("copy", e)

    def are_slots(self, classes: set[str]) -> bool:
        """Whether what is stored into are slots of lists only, which are bound again: an item stays what it is."""
        of = self.ctx.aliases.of
        writes = [
            s
            for s in ir.statements(self.ctx.function.body)
            if any(of.get(n) in classes for n in written_by(s, self.ctx.facts))
        ]
        kinds = [self.ctx.facts.of(s.target.array).kind if isinstance(s, ir.Store) else "" for s in writes]
        return bool(kinds) and all(kind in CONTAINERS for kind in kinds)

    def loop_forward(self, n: Loop, direct: bool) -> list[Stmt]:
        out: list[Stmt] = [self.keep(self.save(n, name, "entry", direct)) for name in n.rec.saves]
        outermost = not self.stack
        mark = len(self.lists)
        self.stack.append(n)
        explicit = self.is_explicit()
        body = self.forward(n.body)
        body = self.at_ends(body, [self.keep(self.save(n, name, "end", True)) for name in n.at_end])
        self.stack.pop()
        if outermost:
            out = [*(Assign(name, ir.Sequence((), "list")) for name in self.lists[mark:]), *out]
        target, iterable = n.target, n.iterable
        if n.header is not None and not explicit:
            used = is_read(n.header.index, body) or self.is_read_outside(n.header.index, n)
            if not used or n.header.index in ir.target_names(n.header.target):
                target, iterable = n.header.target, n.header.iterable
            else:
                body = [*n.header.items, *body]
        if n.kind == "while":
            out.append(ir.While(iterable, tuple(body), n.origin))
        else:
            assert target is not None
            out.append(ir.For(target, iterable, tuple(body), n.origin))
        return out

    def is_read_outside(self, index: str, loop: Loop) -> bool:
        """Whether the last index of a loop is read behind it: in place of an item that is an element of an adjoint."""
        within = {id(n) for n in all_nodes([loop])}
        return any(is_read(index, statements_of(n)) for n in all_nodes(self.recorder.root) if id(n) not in within)

    def at_ends(self, body: list[Stmt], saves: list[Stmt]) -> list[Stmt]:
        """Saves at each end of a body or branch: before every break of the loop that is left, and at its end; or
        once, before the first break, where nothing changes behind it what is saved."""
        if not saves:
            return body
        leaving = [i for i, s in enumerate(body) if any(isinstance(x, ir.Break) for x in ir.statements((s,)))]
        if leaving and not self.stack[-1].idle and keeps(body[leaving[0] :], saves, self.lists):
            return [*body[: leaving[0]], *saves, *body[leaving[0] :]]

        def visit(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
            out: list[Stmt] = []
            for s in block:
                if isinstance(s, ir.Break) and not self.stack[-1].idle:
                    out += saves
                if isinstance(s, ir.If):
                    s = replace(s, body=visit(s.body), orelse=visit(s.orelse))
                out.append(s)
            return tuple(out)

        return fall_through(list(visit(tuple(body))), saves)

    def with_placeholders(self, forward: list[Stmt], bound: frozenset[str]) -> list[Stmt]:
        """The forward sweep, where a name that is saved before it is bound for the first time is None until then.

        bound: names that are bound before it.
        """
        kept = {s.where: s.name for s in self.saves.values() if s.place is None}
        given = bound.union(self.ctx.function.names, map(bar, self.ctx.bars))
        if not set(kept.values()) - given and not self.ctx.late:
            return forward
        names = unsure_reads(forward, given, set(kept)) & set(kept.values())
        for name in sorted(names | self.ctx.late, reverse=True):
            forward = _bound_to_none(name, forward)
        return forward

    # ------------------------------------------------------------ reverse
    def reverse(self, nodes: list[Node], direct: bool = True) -> list[Stmt]:
        out: list[Stmt] = []
        for n in reversed(nodes):
            saves = sorted(n.rec.saves, key=is_content)  # names first: elements are put back into what they name
            restores = (
                [self.restore(self.save(n, name, "", direct)) for name in saves] if not isinstance(n, Loop) else []
            )
            again: list[Stmt] = [Assign(name, value) for name, value in n.rec.recomputed]
            match n:
                case Group():
                    undo = n.undo if n.rec.undone else []
                    self.steps_back.update(map(id, undo if n.counts else ()))
                    if n.lengthens:  # as elements that are put back: behind what names their place
                        lines = [*n.pre, *self.in_order(n, undo, again), *n.post]
                    else:
                        lines = [*n.pre, *undo, *self.in_order(n, restores, again), *n.post]
                    if lines and (n.pre or n.post or (undo and not n.counts)) and n.origin is not None:
                        out.append(Comment((mark(n.origin),), n.origin))
                    out += lines
                case Leaf():
                    lines = [*restores, *again, *n.post]
                    if lines and n.origin is not None:
                        out.append(Comment((mark(n.origin),), n.origin))
                    out += lines
                case Branch():
                    out += self.branch_reverse(n, restores, again, direct)
                case Loop():
                    out += again + self.loop_reverse(n, direct)
        return out

    def in_order(self, n: Group, restores: list[Stmt], again: list[Stmt]) -> list[Stmt]:
        """What is computed again stands before the restores that put elements to places which it names."""
        back = n.kills if n.rec.undone else n.rec.saves
        needed = {x for k in back if k in n.places for x in ir.reads(n.places[k])}
        saved = {s.target for s in restores if isinstance(s, Assign)}
        first: list[Stmt] = []
        for s in reversed(again):
            if isinstance(s, Assign) and s.target in needed - saved and self.recorder.is_there(s.target, n):
                first.insert(0, s)
                needed |= ir.reads(s.value)
        return [*first, *restores, *(s for s in again if s not in first)]

    def branch_reverse(self, n: Branch, restores: list[Stmt], again: list[Stmt], direct: bool) -> list[Stmt]:
        ahead = self.recorder.ahead(n)
        first = [s for s in again if isinstance(s, Assign) and s.target in ahead]
        out: list[Stmt] = [*first, *n.inits, *restores, *(s for s in again if s not in first)]
        ends = self.recorder.ends.get(id(n), ([], []))
        body = (
            [self.restore(self.save(n, x, "body", False)) for x in ends[0]]
            + self.reverse(n.body, self.falls_alone(n, n.orelse, direct))
            + self.branch_end(n.body, n.body_end)
        )
        orelse = (
            [self.restore(self.save(n, x, "orelse", False)) for x in ends[1]]
            + self.reverse(n.orelse, self.falls_alone(n, n.body, direct))
            + self.branch_end(n.orelse, n.orelse_end)
        )
        if n.falling is not None:
            return out + (body if n.falling == 0 else orelse)
        if body or orelse:
            out.append(ir.If(n.test, tuple(body), tuple(orelse)))
        return out

    def branch_end(self, nodes: list[Node], end: list[Stmt]) -> list[Stmt]:
        """The end of a reversed branch; constants that a return seeds stand under its mark."""
        last = nodes[-1] if nodes else None
        if end and isinstance(last, Leaf) and last.kind == "return" and not last.post and last.origin is not None:
            return [Comment((mark(last.origin),), last.origin), *end]
        return end

    def loop_reverse(self, n: Loop, direct: bool) -> list[Stmt]:
        out: list[Stmt] = list(n.inits)
        self.stack.append(n)
        ends: list[Stmt] = [self.restore(self.save(n, name, "end", True)) for name in n.at_end]
        body = [*ends, *self.reverse(n.body), *n.ends]
        self.stack.pop()
        if body and n.has_reverse:
            out.append(self.header(n, body))
        out += [self.restore(self.save(n, name, "entry", direct)) for name in n.rec.saves]
        return out

    def header(self, n: Loop, body: list[Stmt]) -> Stmt:
        target_name = n.target.name if isinstance(n.target, Var) else ""
        reads = {x for s in ir.statements(tuple(body)) for e in ir.expressions(s) for x in ir.reads(e)}
        index_read = target_name in reads
        if n.counter and index_read and not self.stack:
            body, index_read = self.without_index(n, body, target_name)
        count: Expr | None = None
        if n.counter:
            count = Var(n.counter)
            mine = [
                s
                for (key, _, place), s in self.saves.items()
                if s.every and s.is_list and self.in_loop(n, key, place) and not self.stack
            ]
            if mine:
                count = Op("builtins.len", (Var(mine[0].where),))
            if not index_read and mine:
                ahead = (i for i, s in enumerate(body) if not (isinstance(s, Comment) or id(s) in self.steps_back))
                k = next(ahead, 0)
                driver = next((s for s in mine if self.restores(body[k], s)), None)
                if driver is not None:
                    rest = [*body[:k], *body[k + 1 :]]
                    return ir.For(Var(driver.name), Op("builtins.reversed", (Var(driver.where),)), tuple(rest))
        if n.kind == "while" or (count is not None and not index_read):
            assert count is not None
            return ir.For(self.unread(), Op("builtins.range", (count,)), tuple(body))
        assert isinstance(n.target, Var)
        iterable = n.iterable
        if count is not None:
            iterable = loops.first_of(iterable, count)
        if not index_read:
            return ir.For(self.unread(), loops.forwards(iterable), tuple(body))
        return ir.For(n.target, loops.backwards(iterable), tuple(body))

    def unread(self) -> Var:
        """The target of a loop that nobody reads."""
        return Var(self.ctx.names.fresh("k", "unread") if self.keeps_underscore else "_")

    @functools.cached_property
    def keeps_underscore(self) -> bool:
        """Whether `_` is the user's own, `_, s = parts(x)`, of which zeros may be made."""
        every = ir.statements(self.ctx.function.body)
        taken = any("_" in s.targets for s in every if isinstance(s, ir.Unpack))
        return taken and (self.ctx.facts.of(Var("_")).kind in CONTAINERS or not self.ctx.facts.is_scalar(Var("_")))

    def without_index(self, n: Loop, body: list[Stmt], index: str) -> tuple[list[Stmt], bool]:
        """A first restore `x = x_saved[i]` becomes a pop, where nothing else reads the index: a loop over the list."""
        k = next(i for i, s in enumerate(body) if not isinstance(s, Comment))
        first = body[k]
        rest = {x for s in ir.statements((*body[:k], *body[k + 1 :])) for e in ir.expressions(s) for x in ir.reads(e)}
        for s in self.saves.values():
            if s.index == Var(index) and self.restores(first, s) and index not in rest:
                s.index = None
                return [*body[:k], self.restore(s), *body[k + 1 :]], False
        return body, True

    def restores(self, s: Stmt, save: Save) -> bool:
        """Whether a statement is the restore of this save."""
        restore = self.restore(save)
        return (
            isinstance(s, Assign) and isinstance(restore, Assign) and (s.target, s.value) == (save.name, restore.value)
        )

    def in_loop(self, n: Loop, key: int, place: str) -> bool:
        if place == "end":
            return key == id(n)
        direct = {id(m) for m in n.body}
        for m in n.body:
            if isinstance(m, Branch) and m.falling is not None:
                direct |= {id(x) for x in [*m.body, *m.orelse]}
        return key in direct and place == ""


def _bound_to_none(name: str, block: list[Stmt]) -> list[Stmt]:
    """A block with `name = None` before the first statement that has to do with the name, as far inside as it goes."""

    def takes_part(s: Stmt) -> bool:
        return any(name in ir.binds(inner) for inner in ir.statements((s,))) or is_read(name, (s,))

    at = [i for i, s in enumerate(block) if takes_part(s)]
    first = block[at[0]]
    if len(at) == 1 and isinstance(first, ir.If) and name not in ir.reads(first.test):
        sides = [list(side) for side in (first.body, first.orelse)]
        inside = [k for k, side in enumerate(sides) if any(map(takes_part, side))]
        if len(inside) == 1:
            sides[inside[0]] = _bound_to_none(name, sides[inside[0]])
            return [*block[: at[0]], replace(first, body=tuple(sides[0]), orelse=tuple(sides[1])), *block[at[0] + 1 :]]
    return [*block[: at[0]], Assign(name, ir.NONE), *block[at[0] :]]


def keeps(block: list[Stmt], saves: list[Stmt], lists: Collection[str]) -> bool:
    """Whether a block leaves alone what these saves read; lists: of what is saved."""
    read = {n for s in saves for e in ir.expressions(s) for n in ir.reads(e)}
    for s in ir.statements(block):
        if isinstance(s, ir.Append) and s.array in lists:
            continue
        if not isinstance(s, ir.If | ir.Break | ir.Comment | Assign) or not read.isdisjoint(ir.binds(s)):
            return False
        if any(ir.helper_calls(*ir.expressions(s))):
            return False
    return True


def fall_through(block: list[Stmt], saves: list[Stmt]) -> list[Stmt]:
    """Adds statements to every end of the block that falls through."""
    if block and isinstance(block[-1], ir.Break):
        return block
    if block and isinstance(block[-1], ir.If) and (_leaves(block[-1].body) or _leaves(block[-1].orelse)):
        last = block[-1]
        body = last.body if _leaves(last.body) else tuple(fall_through(list(last.body), saves))
        orelse = last.orelse if _leaves(last.orelse) else tuple(fall_through(list(last.orelse), saves))
        return [*block[:-1], replace(last, body=body, orelse=orelse)]
    return [*block, *saves]


def _leaves(block: tuple[Stmt, ...]) -> bool:
    return bool(block) and isinstance(block[-1], ir.Break | ir.Return)


def mark(origin: ir.Origin) -> str:
    return f"{ir.MARK}{origin.label or origin.text}"


__all__ = ["Const", "Save", "Sweeps", "mark"]
