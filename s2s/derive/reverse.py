"""The reverse sweep: one walk over the primal, backwards, that makes the adjoint statements of each user statement.

Adjoint code reads the primal by its own names and never asks how their values come back: that is decided afterwards,
on the finished nodes (`recorded`). Each value adjoint has a state: absent, a constant, or a variable that is owned
(fresh: it may be updated in place) or borrowed (it may share memory: the next contribution goes out of place).
(Griewank & Walther, Evaluating Derivatives, chapters 3, 4 and 6; Giles 2008 for the matrix rules.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from s2s import algebra, ir, rules
from s2s.algebra import ONE, ZERO
from s2s.analysis.activity import operands
from s2s.analysis.aliases import MAYBE_VIEWS, ROOT, sources
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Fact, Facts, is_uniform, literal
from s2s.analysis.shapes import SCALAR, Shape, unknown
from s2s.analysis.transfer import key_kind
from s2s.derive.context import CHEAP, Context, groups, is_costly, role_of
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node
from s2s.derive.refusals import no_rule, refuse
from s2s.derive.survey import has_break, scatters, survey
from s2s.ir import Assign, Augment, Const, Expr, Index, Op, Stmt, Var
from s2s.rules.kinds import Reduction

G = Var("%g")
WIDTH = 88
LONG = 6  # operations from which on an intermediate adjoint gets a name, though it is used once


@dataclass(frozen=True, slots=True)
class Adjoint:
    """The state of a value adjoint. `shape` may be smaller than the value's: a uniform adjoint."""

    expr: Expr
    shape: Shape
    owned: bool

    @property
    def constant(self) -> bool:
        return isinstance(self.expr, Const)


State = dict[str, Adjoint]
FULL = unknown("full")


@dataclass(slots=True)
class Contribution:
    expr: Expr
    shape: Shape
    key: Expr | None = None  # a contribution to name[key] only
    scatter: bool = False  # the key may repeat: np.add.at
    fresh: bool = False  # it shares no memory, though it does not look computed
    place: Index | None = None  # where it goes, as an adjoint: for parts of a written buffer


@dataclass
class Collected:
    """What one group contributes, by variable, in the order in which the statement reads them."""

    by_name: dict[str, list[Contribution]] = field(default_factory=dict)

    def add(self, name: str, c: Contribution) -> None:
        self.by_name.setdefault(name, []).append(c)


def bar(name: str) -> str:
    return name + "%_bar"  # "%" keeps it apart from the user's names; the last pass chooses what is printed


class Reverse:
    def __init__(self, ctx: Context, seed: Expr, seed_shape: Shape | None = None) -> None:
        self.ctx = ctx
        self.facts = ctx.facts
        self.active = ctx.activity.active
        self.seed = seed
        self.seed_shape = seed_shape
        self.out: list[Stmt] = []
        self.before: list[set[str]] = []
        self.depth = 1
        self.known: set[str] = set(ctx.function.names)
        self.idle_tests: list[ir.If | None] = []
        self.copy_first: set[str] = set()  # first contributions that must not be borrowed
        self.want_copies: set[str] = set()
        self.whole_numbers: set[str] = set()  # adjoints whose first contribution may be an array of integers
        self.new_copies: set[str] = set()
        self.pinned: set[str] = set()  # parameters whose adjoint is the caller's array: it is changed in place
        self.outputs: State = {}  # adjoints of the final elements of parameters
        self.survey = survey(ctx)

    # ------------------------------------------------------------------ blocks
    def block(self, block: ir.Block, st: State) -> list[Node]:
        """The nodes of a block, and `st` moved from the state behind it to the state before it."""
        nodes: list[Node] = []
        for unit in reversed(groups(block, self.ctx.temps)):
            node = self.unit(unit, st)
            nodes.append(node)
            if isinstance(node, Loop) and node.counter:
                nodes.append(self.counted(node))
            if isinstance(node, Group | Leaf) and len(node.forward) > 1:  # promoted temporaries: lines of their own
                for piece in reversed(node.forward[:-1]):
                    nodes.append(Group([replace(piece, origin=None)], ir.binds(piece)))
                node.forward = node.forward[-1:]
        nodes.reverse()
        return nodes

    def counted(self, node: Loop) -> Group:
        """The trip count is an ordinary variable: it starts at 0 before the loop and is increased in each iteration."""
        counter = node.counter
        self.ctx.definitions[counter] = 2
        self.facts.names[counter] = Fact("int")
        more = Group([Augment(Var(counter), "+", Const(1))], (counter,))
        last = node.body[-1] if node.body else None
        if node.idle and isinstance(last, Branch) and last.falling is not None:
            (last.orelse if last.falling else last.body).insert(0, more)
        else:
            node.body.insert(0, more)
        return Group([Assign(counter, Const(0))], (counter,))

    def unit(self, unit: list[Stmt], st: State) -> Node:
        s = unit[-1]
        match s:
            case ir.If():
                return self.branch(s, st)
            case ir.For() | ir.While():
                return self.loop(s, st)
            case ir.Break():
                return Leaf([s], "break", origin=s.origin)
            case ir.Inert(keyword="with"):
                return Leaf([s], "inert", [ir.Inert("end with", s.values)])
            case ir.Inert(keyword="end with"):
                return Leaf([s], "inert", [ir.Inert("with", s.values)])
            case ir.Inert(values=(Op() as value,)) if self.ctx.written(value):
                return self.effect(unit, s, value, (), st)
            case ir.Inert():
                return Leaf(self.pieces(unit), "inert", origin=s.origin)
            case ir.Comment():
                return Leaf([s], "inert", origin=s.origin)
            case ir.Return():
                return self.returned(unit, s, st)
            case ir.Assign(value=Op() as value) | ir.Unpack(value=Op() as value) if self.ctx.written(value):
                return self.effect(unit, s, value, ir.binds(s), st)
            case ir.Assign() | ir.Unpack() | ir.Append():
                return self.group(unit, s, st)
            case ir.Store():
                return self.store(unit, s, st)
        raise TypeError(type(s).__name__)

    def pieces(self, unit: list[Stmt]) -> list[Stmt]:
        """The forward text of a group: promoted temporaries, then the statement, trees written out."""
        out: list[Stmt] = []
        for s in unit:
            if isinstance(s, Assign):
                if s.target in self.ctx.temps and s.target not in self.ctx.promoted:
                    continue
                out.append(replace(s, value=self.ctx.tree(s.value)))
            elif isinstance(s, ir.Inert):
                out.append(replace(s, values=tuple(map(self.ctx.tree, s.values))))
            elif isinstance(s, ir.Unpack | ir.Append | ir.Return):
                out.append(replace(s, value=self.ctx.tree(s.value)))
            elif isinstance(s, ir.Store):
                place = self.ctx.tree(s.target)
                assert isinstance(place, Index)
                out.append(replace(s, target=place, value=self.ctx.tree(s.value)))
        return out

    # ------------------------------------------------------------------ one statement
    def returned(self, unit: list[Stmt], s: ir.Return, st: State) -> Node:
        st.clear()
        st.update(self.outputs)
        self.out = []
        sink = Collected()
        shape = self.facts.shape(s.value) if self.seed_shape is None else self.seed_shape
        if s.value != ir.NONE:
            self.seed_into(s.value, self.seed, shape, sink)
        post = self.settle(unit, None, sink, st)
        return Leaf(self.pieces(unit), "return", post, s.origin)

    def seed_into(self, e: Expr, seed: Expr, shape: Shape, sink: Collected) -> None:
        match e:
            case ir.Sequence() if not e.starred:
                for i, item in enumerate(e.items):
                    if self.is_active(item):
                        self.seed_into(item, Index(seed, Const(i)), self.facts.shape(item), sink)
            case ir.Dict():
                for key, item in zip(e.keys, e.values, strict=True):
                    if self.is_active(item):
                        self.seed_into(item, Index(seed, key), self.facts.shape(item), sink)
            case _:
                if self.is_active(e):
                    fact = self.facts.of(e)
                    if fact.kind in ("list", "tuple") and isinstance(e, Var):
                        seed = Op("builtins.list", (seed,))
                    if fact.kind == "dict":
                        shape = SCALAR
                    self.into(e, seed, shape, sink)

    def is_active(self, e: Expr) -> bool:
        return any(v.name in self.active for v in operands(e))

    def group(self, unit: list[Stmt], s: ir.Assign | ir.Unpack | ir.Append, st: State) -> Node:
        header = self.ctx.is_item(s)
        kills = ir.binds(s)
        node = Group([], kills, origin=s.origin, header=header)
        aliases = self.ctx.aliases
        node.births = tuple(aliases.content(t) for t in kills if aliases.roots.get(aliases.of.get(t, "")) == t)
        guards: list[Stmt] = []
        if isinstance(s, Assign) and aliases.of.get(s.target) in aliases.dynamic:
            guards = view_guard(s.target, self.ctx.tree(s.value))
        self.out = []
        sink = Collected()
        own: str | None = None
        if isinstance(s, ir.Append) and self.shadows((s.array,)):
            self.shadowed_append(unit, s, node, st)
        elif isinstance(s, ir.Append):
            if s.array in self.ctx.sensitive:  # the list is read from its end: it shrinks as the reverse sweep passes
                self.out.append(ir.Inert("", (Op("method.pop", (Var(s.array),), form=ir.Form.METHOD, spelling="pop"),)))
                node.post = self.out
            if s.array in st:
                self.append(s, st, sink)
                node.post = self.settle(unit, None, sink, st)
        elif self.shadows(kills) and isinstance(s, Assign):
            self.shadowed(unit, s, node, st)
        elif self.shadows(kills) and isinstance(s, ir.Unpack):
            value = self.ctx.tree(s.value)
            if not aliased(value, self.facts):
                refuse(self.ctx, s.value, "S239", "arrays that are written later are unpacked from this expression")
            node.companions = [ir.Unpack(tuple(map(bar, kills)), self.companion(value), starred=s.starred)]
            node.kills = (*kills, *map(bar, kills))
            for t in kills:
                self.facts.names[bar(t)] = replace(self.facts.of(Var(t)), kind="float")
        elif isinstance(s, ir.Unpack):
            taken = {t: st.pop(t) for t in s.targets if t in st}
            if taken and not s.constant and self.is_active(s.value):
                self.unpack(s, taken, sink)
                node.post = self.settle(unit, None, sink, st)
                self.split_after(node, set(s.targets))
        elif s.target in st:
            adjoint = st[s.target]
            if s.constant or not self.is_active(s.value) or adjoint.expr == ZERO:
                del st[s.target]
            else:
                own = s.target
                self.take(s, adjoint, sink)
                node.post = self.settle(unit, own, sink, st)
                self.split_after(node, {own})
        node.forward = self.pieces(unit)
        node.companions += guards
        return node

    # ------------------------------------------------------------------ shadows
    def shadows(self, names: tuple[str, ...]) -> list[str]:
        """Those of the names whose adjoint is bound in the forward sweep: the run decides which buffer they see."""
        aliases = self.ctx.aliases
        return [
            n for n in names if aliases.of.get(n) in aliases.dynamic and n in self.active and n not in self.ctx.temps
        ]

    def seen(self, e: Expr) -> bool:
        """Whether the value of an expression may share memory with a buffer that has a shadow."""
        for v, _ in sources(e, self.facts):
            assert isinstance(v, Var)
            if self.shadows((v.name,)) or (v.name in self.ctx.temps and self.seen(self.ctx.temps[v.name])):
                return True
        return False

    def shadowed(self, unit: list[Stmt], s: Assign, node: Group, st: State) -> None:
        """x = e, and x_bar beside it: new zeros for a new array, else the same expression on adjoints."""
        value = self.ctx.tree(s.value)
        companion = self.companion(value, s.target)
        target = bar(s.target)
        node.companions = [Assign(target, companion)]
        node.kills = (s.target, target)
        fact = self.facts.of(Var(s.target))
        self.facts.names[target] = replace(fact, kind=fact.kind if fact.kind in ("list", "tuple") else "float")
        if s.constant or not self.is_active(s.value):
            return
        sink = Collected()
        if fact.kind in ("list", "tuple"):
            for i, item in enumerate(value.items if isinstance(value, ir.Sequence) else ()):
                if self.is_active(item) and not self.seen(item):
                    self.into(item, Index(Var(target, after=True), Const(i)), self.facts.shape(item), sink)
        elif not self.seen(value):
            own = any(isinstance(v, Var) and v.name == s.target for v in ir.walk(value))
            g: Expr = Var(target, after=True)
            if own:  # the old array is read and its adjoint is added to: that of the new one gets a name
                name = self.ctx.names.fresh("g_bar", id(s))
                self.facts.names[name] = Fact("float", fact.shape)
                node.pre = [Assign(name, g)]
                g = Var(name)
            self.pull(s.value, Var(s.target, after=True), g, self.facts.shape(s.value), sink)
        before, node.pre = node.pre, []
        node.post = self.settle(unit, None, sink, st)
        self.split_after(node, {s.target, target})
        node.pre = before + node.pre

    def companion(self, e: Expr, like: str = "") -> Expr:
        """The adjoint object of what `e` evaluates to."""
        zeros = Op("numpy.zeros_like", (Var(like) if like else e,))
        match e:
            case Var(name=name) if self.shadows((name,)):
                return Var(bar(name))
            case Var(name=name) if name in self.ctx.temps and self.seen(e):
                return self.companion(self.ctx.temps[name])
            case Index(array=array, key=key) if self.seen(e):
                return Index(self.companion(array), key)
            case Op(fn="operator.ifexp", args=(test, a, b)):
                return replace(e, args=(test, self.companion(a, like), self.companion(b, like)))
            case ir.Sequence(items=items):
                return ir.Sequence(tuple(self.companion(i) for i in items), "list")
            case Op(fn=fn) if fn.startswith("local.") and self.seen(e):
                refuse(self.ctx, e, "S239", f"the result of `{fn[6:]}` may be one of its arguments, which is written")
            case Op(args=(first, *rest)) if self.seen(e):
                return replace(e, args=(self.companion(first), *rest))
        if self.facts.is_scalar(e):
            return ZERO
        return zeros

    def shadowed_append(self, unit: list[Stmt], s: ir.Append, node: Group, st: State) -> None:
        """L.append(x), L_bar.append(x_bar); backwards, both lose their last item."""
        value = self.ctx.tree(s.value)
        node.companions = [ir.Append(bar(s.array), self.companion(value))]
        sink = Collected()
        popped = Op("method.pop", (Var(bar(s.array)),), form=ir.Form.METHOD, spelling="pop")
        if s.array in self.ctx.sensitive:
            self.out.append(ir.Inert("", (Op("method.pop", (Var(s.array),), form=ir.Form.METHOD, spelling="pop"),)))
        if self.seen(value) or not self.is_active(s.value):
            self.out.append(ir.Inert("", (popped,)))
        else:
            name = self.ctx.names.fresh(f"{self.ctx.base.get(s.array, s.array)}_item_bar", s.array, id(s))
            self.facts.names[name] = Fact("float", self.facts.shape(s.value))
            self.out.append(Assign(name, popped))
            self.into(s.value, Var(name), self.facts.shape(s.value), sink)
        node.post = self.settle(unit, None, sink, st)

    def shadowed_slot(self, unit: list[Stmt], s: ir.Store, node: Group, st: State) -> None:
        """L[i] = x, L_bar[i] = x_bar; backwards, both slots hold again what they held."""
        value = self.ctx.tree(s.value)
        place = self.adjoint_place(s.target)
        assert isinstance(place, Index)
        node.companions = [ir.Store(place, self.companion(value))]
        held = f"{next(iter(node.kills))}%_bar"
        node.places[held] = place
        node.kills = (*node.kills, held)
        node.forced = (held,)
        if self.seen(value) or s.constant or not self.is_active(s.value):
            return
        g = Var(self.ctx.names.fresh("s_bar", id(s)))
        self.facts.names[g.name] = Fact("float", self.facts.shape(s.value))
        sink = Collected()
        self.pull(s.value, self.ctx.tree(s.target), g, self.facts.shape(s.value), sink)
        node.post = self.settle(unit, None, sink, st)
        node.pre = [Assign(g.name, place)]

    # ------------------------------------------------------------------ stores
    def store(self, unit: list[Stmt], s: ir.Store, st: State) -> Node:
        """a[k] = e: what a_bar[k] holds goes to e, and a_bar[k] starts from zero (algorithms.md, section 6)."""
        aliases = self.ctx.aliases
        base = ir.written_name(s.target)
        root, _ = aliases.path(base)
        self.ctx.hold_keys(s.target)
        place = self.ctx.tree(s.target)
        assert isinstance(place, Index)
        node = Group([], (aliases.content(base),), origin=s.origin, places={aliases.content(base): place})
        self.out = []
        adjoint = st.get(root)
        if self.shadows((base,)) and self.facts.of(s.target.array).kind in ("list", "dict"):
            self.shadowed_slot(unit, s, node, st)
            node.forward = self.pieces(unit)
            return node
        if self.shadows((base,)) or (adjoint is not None and adjoint.expr != ZERO):
            node.post = self.overwritten(unit, s, root, st)
            self.split_after(node, set(aliases.members[aliases.of[base]]))
            guard = self.unique_guard(s)
            node.forward = [*self.pieces(unit)[:-1], *guard, self.pieces(unit)[-1]]
            return node
        node.forward = self.pieces(unit)
        return node

    def unique_guard(self, s: ir.Store) -> list[Stmt]:
        """Two values for one item: only the last one counts, and the adjoint can't tell which it was."""
        if s.update == "at" or s.constant or not self.is_active(s.value):
            return []
        keys = ir.key_items(s.target.key)
        keys = tuple(self.ctx.tree(k) for k in keys)
        lists = [k for k in keys if key_kind(k, self.facts) in ("ints", "any") and not self.facts.is_scalar(k)]
        if not lists:
            return []
        for k in lists:
            if isinstance(k, ir.Sequence) and all(isinstance(i, Const) for i in k.items):
                values = [i.value for i in k.items if isinstance(i, Const)]
                if len(set(values)) == len(values):
                    return []
                if len(lists) == 1:
                    refuse(self.ctx, s.target, "S240", f"`{ir.Printer()(s.target)}` names an item twice")
            if isinstance(k, Op) and k.fn in ("numpy.arange", "numpy.argsort", "numpy.nonzero", "numpy.flatnonzero"):
                return []
        if len(lists) == 1:
            k = lists[0]
            size: Expr = Op("builtins.len", (k,)) if isinstance(k, ir.Sequence) else Op("numpy.size", (k,))
            unique = ir.Attribute(Op("numpy.unique", (k,)), "size")
            test: Expr = Op("numpy.equal", (unique, size), form=ir.Form.OPERATOR)
            if key_kind(k, self.facts) == "any":
                mask = Op(
                    "numpy.equal",
                    (ir.Attribute(Op("numpy.asarray", (k,)), "dtype"), Var("bool")),
                    form=ir.Form.OPERATOR,
                )
                test = Op("operator.or", (mask, test), form=ir.Form.OPERATOR)
        else:
            flat = [k if key_kind(k, self.facts) == "ints" else Op("numpy.ravel", (k,)) for k in lists]
            pairs = Op("builtins.set", (Op("builtins.zip", tuple(flat)),))
            lengths = (Op("builtins.len", (pairs,)), Op("builtins.len", (flat[0],)))
            test = Op("numpy.equal", lengths, form=ir.Form.OPERATOR)
        return [ir.Inert("assert", (test,))]

    def adjoint_place(self, target: Expr) -> Expr:
        """The part of the root's adjoint that belongs to a name or a subscript of it."""
        match target:
            case Index(array=array, key=key):
                place = self.adjoint_place(array)
                holds = self.facts.of(array.array).kind if isinstance(array, Index) else ""
                if holds in ("list", "tuple", "dict", "any"):
                    return Index(place, self.ctx.tree(key))  # one by one: it may be a list
                return joined(place, self.ctx.tree(key), self.facts)
            case Var(name=name) if name in self.ctx.temps and name not in self.ctx.aliases.views:
                return self.adjoint_place(self.ctx.temps[name])
            case Var(name=name):
                root, path = self.ctx.aliases.path(name)
                return ir.substitute(self.ctx.tree(path), {ROOT.name: Var(bar(root))})
            case Op(args=(first, *rest)):
                return replace(target, args=(self.adjoint_place(first), *rest))
        raise TypeError(type(target).__name__)

    def overwritten(self, unit: list[Stmt], s: ir.Store, root: str, st: State) -> list[Stmt]:
        """The adjoint statements of a store into a buffer whose adjoint is not zero."""
        whole = s.target == Index(Var(root), ir.ELLIPSIS) and root not in self.pinned and not self.shadows((root,))
        together = self.ctx.aliases.members.get(self.ctx.aliases.of.get(root, ""), frozenset())
        whole = whole and not (self.read_in_all(s.value) & (together - {root}))
        if whole:
            return self.refilled(unit, s, root, st)
        listed = self.facts.of(Var(root)).kind == "list"
        if listed and not self.shadows((root,)):
            self.own_list(root, st)
        elif not self.shadows((root,)):
            self.own_whole(root, st)
        ready, self.out = self.out, []
        place = self.adjoint_place(s.target)
        assert isinstance(place, Index)
        region = self.facts.shape(s.target)
        accumulates = s.update == "at"
        slot = isinstance(s.target.array, Var) and self.facts.of(s.target.array).kind == "list"
        zero = ZERO if not slot or region == SCALAR else Op("numpy.zeros_like", (self.ctx.tree(s.target),))
        if s.constant or not self.is_active(s.value):
            return [*ready, ir.Store(place, zero)]
        value = s.value
        if accumulates:  # np.add.at: what was there stays, and each item goes to all that name it
            assert isinstance(value, Op)
            value = value.args[1] if value.fn == "numpy.add" else algebra.negated(value.args[1])
        g = Var(self.ctx.names.fresh("s_bar", id(s)))
        self.facts.names[g.name] = Fact("float", region)
        shape = self.facts.shape(value)
        sink = Collected()
        spread, shape_ = self.stored_seed(g, region, shape, value, s.target)
        after = _after(self.ctx.tree(s.target), ir.written_name(s.target))
        if shape != region:  # the value was broadcast: what is written is not the value itself
            after = self.ctx.tree(value)
        if isinstance(value, Op) and not value.fn.startswith("local."):
            self.pull_op(value, after, spread, shape_, sink) if self.is_active(value) else None
        elif self.is_active(value):
            self.pull(value, after, spread, shape_, sink)
        self.prepare(sink)
        named, self.out = self.out, ready
        own: list[Contribution] = []
        others: dict[str, list[Contribution]] = {}
        for name, contributions in sink.by_name.items():
            aliases = self.ctx.aliases
            if name in aliases.of and (
                aliases.path(name)[0] == root or (self.shadows((name,)) and aliases.of[name] == aliases.of[root])
            ):
                own += [self.placed(name, c) for c in contributions]
            else:
                others[name] = contributions
        kept = accumulates
        if not kept:
            for c in own:
                if c.place == place and not c.scatter:
                    rest = ZERO if c.expr == g else _without(c.expr, g)
                    if rest is not None:
                        kept, c.expr = True, rest
                        break
            own = [c for c in own if c.expr != ZERO]
        same = [c for c in own if c.place == place and not c.scatter] if not kept else []
        rest_ = [c for c in own if not any(c is x for x in same)]
        direct = [c for c in own if any(n == g for n in ir.walk(c.expr))]
        single = slot or self.facts.is_scalar(s.target)  # read before it is bound again: no copy is needed
        copied = (len(direct) > 1) if kept else bool(rest_) and bool(direct)
        if copied:
            read = place if single or self.is_copied_read(s.target) else method("copy", place)
            self.out.append(Assign(g.name, read))
            now: Expr = g
        else:
            now = place.array if place.key == ir.ELLIPSIS else place

        def of(e: Expr) -> Expr:
            return self.ctx.simplify(ir.substitute(e, {g.name: now}))

        self.out += [_map_statement(x, of) for x in named]
        order = self.reading_order(unit)
        for name in sorted(others, key=lambda n: order.get(n, 0)):
            for c in others[name]:
                c.expr = of(c.expr)
            for c in self.gathered(name, others[name]):
                self.accumulate(name, c, st)
        if not kept:
            total: Expr = zero
            for c in same:
                total = c.expr if total == zero else algebra.add(total, c.expr)
            total = of(total)
            factor = _factor(total, now) if same and not slot else None
            if factor is not None:
                self.out.append(
                    ir.Store(place, Op("numpy.multiply", (place, factor), form=ir.Form.OPERATOR), update="*")
                )
            else:
                self.out.append(ir.Store(place, total))
        for c in rest_:
            assert c.place is not None
            c.expr = of(c.expr)
            if slot:  # an item may be shared: it is bound again
                self.out.append(ir.Store(c.place, algebra.add(c.place, c.expr)))
            else:
                self.out.append(self.update(c.place, c))
        return self.out

    def own_list(self, name: str, st: State) -> None:
        """Makes the adjoint of a list a list of its own: its slots are going to be bound again."""
        state = st.get(name)
        target = bar(name)
        if state is None:
            self.out.append(Assign(target, self.zeros(name)))
            st[name] = Adjoint(Var(target), SCALAR, True)
        elif not state.owned:
            self.out.append(Assign(target, Op("builtins.list", (state.expr,))))
            st[name] = Adjoint(Var(target), SCALAR, False)

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
                g, gshape = self.stored_seed(g, region, shape, s.value, Var(root))
        after = _after(self.ctx.tree(s.target), root) if shape == region else self.ctx.tree(s.value)
        self.pull(s.value, after, g, gshape, sink)
        return self.settle(unit, root, sink, st)

    def stored_seed(self, g: Var, region: Shape, shape: Shape, value: Expr, target: Expr) -> tuple[Expr, Shape]:
        """g, of the region that is written, in the shape of the value, which may have been broadcast into it."""
        inner = self.ctx.temps.get(value.name, value) if isinstance(value, Var) else value
        rule = rules.lookup(inner.fn) if isinstance(inner, Op) else None
        if shape == region or (rule is not None and rule.kind == "elementwise" and shape.rank is None):
            return g, region  # an elementwise operation sums for each of its operands
        return self.to_operand(g, region, region, shape, value, target)

    def is_copied_read(self, target: Index) -> bool:
        """Whether reading with this key makes a copy."""
        keys = ir.key_items(target.key)
        return any(key_kind(self.ctx.tree(k), self.facts) in ("ints", "mask") for k in keys)

    def placed(self, name: str, c: Contribution) -> Contribution:
        """A contribution to a name of a written class, as one to a part of the root's adjoint."""
        if c.place is not None:
            return c
        place = self.adjoint_place(Var(name))
        if c.key is not None:
            place = joined(place, c.key, self.facts)
        if not isinstance(place, Index):
            place = Index(place, ir.ELLIPSIS)
        return replace(c, place=place)

    def own_whole(self, name: str, st: State) -> None:
        """Makes the adjoint of `name` an array of its own, of full shape: it is going to be changed in place."""
        state = st.get(name)
        target = bar(name)
        full = self.facts.shape(Var(name))
        if state is None or (state.constant and state.expr == ZERO):
            self.out.append(Assign(target, self.zeros(name)))
        elif not state.owned or state.shape != full:
            self.want_copies.add(name)
            expr: Expr = algebra.op(algebra.MULTIPLY, ONE, state.expr)
            if state.shape != full:
                expr = algebra.add(self.full(state.expr, state.shape, full, Var(name)), ZERO)
            self.out.append(Assign(target, expr))
        st[name] = Adjoint(Var(target), full, True)
        self.facts.names[target] = Fact("float", full)

    def split_after(self, node: Group, targets: set[str]) -> None:
        """Splits the adjoint group in what reads the new value of the target, and what reads the old one.

        The old value is restored between the two. A part that reads the new value within an expression that reads the
        old one gets a name in front.
        """
        post = node.post
        last = max((i for i, s in enumerate(post) if any(map(_reads_new, ir.expressions(s)))), default=-1)
        if any(_reads_old(e, targets) for s in post[: last + 1] for e in ir.expressions(s)):
            named: dict[Expr, str] = {}
            rest = [_map_statement(s, lambda e: self.without_new(e, named, targets)) for s in post]
            node.pre = [Assign(n, method("copy", e) if n in self.new_copies else e) for e, n in named.items()]
            node.post = rest
            return
        node.pre, node.post = post[: last + 1], post[last + 1 :]

    def without_new(self, e: Expr, named: dict[Expr, str], targets: set[str]) -> Expr:
        if not _reads_new(e):
            return e
        names = {n.name for n in ir.walk(e) if isinstance(n, Var)}
        if _reads_old(e, targets) or any(n.endswith(("_bar", "_inc")) and n not in self.ctx.definitions for n in names):
            return ir.rebuild(e, lambda x: self.without_new(x, named, targets))
        if e not in named:
            target = sorted(names & targets)[0]
            named[e] = self.ctx.names.fresh(f"{self.ctx.base.get(target, target)}_new", target, e)
            self.facts.names[named[e]] = self.facts.of(e)
            if self.ctx.aliases.contents(e) and rules.may_alias(e) and not self.facts.is_scalar(e):
                self.new_copies.add(named[e])  # its elements are going to be restored
        return Var(named[e])

    def take(self, s: Assign, adjoint: Adjoint, sink: Collected) -> None:
        """Contributions of `target = value`, whose adjoint is given, to what the value reads."""
        full = self.facts.shape(Var(s.target))
        value_shape = self.facts.shape(s.value)
        shape = adjoint.shape
        if full != value_shape and shape == full:  # a merged variable: the value's own shape is the sharper fact
            shape = value_shape
        self.into_value(s.value, s.target, adjoint.expr, shape, sink)

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
                else:
                    sink.add(name, Contribution(g, shape))
            case Const():
                return
            case _:
                if self.is_active(e):
                    self.pull(e, e, g, shape, sink)

    # ------------------------------------------------------------------ one operation
    def pull(self, value: Expr, out: Expr, g: Expr, gshape: Shape, sink: Collected) -> None:
        """Passes the adjoint g of an operation's result on to its operands."""
        match value:
            case Var() | Const():
                self.into(value, g, gshape, sink)
            case ir.Index():
                self.pull_index(value, g, gshape, sink)
            case ir.Sequence():
                for i, item in enumerate(value.items):
                    if self.is_active(item):
                        self.into(item, Index(g, Const(i)), self.facts.shape(item), sink)
            case ir.Dict():
                for key, item in zip(value.keys, value.values, strict=True):
                    if self.is_active(item):
                        self.into(item, Index(g, key), self.facts.shape(item), sink)
            case Op(fn=fn) if fn.startswith("local."):
                shape = self.facts.shape(out if isinstance(out, Var) and out.name in self.ctx.temps else value)
                is_object = self.facts.of(value).kind == "dict"
                self.pull_call(value, g if is_object else self.full(g, gshape, shape, value), sink)
            case Op():
                self.pull_op(value, out, g, gshape, sink)
            case _:
                refuse(self.ctx, value, "S236", "this expression has no derivative here")

    def pull_op(self, value: Op, out: Expr, g: Expr, gshape: Shape, sink: Collected) -> None:
        rule = rules.lookup(value.fn)
        if rule is None:
            no_rule(self.ctx, value)
        call = bind(self.ctx, rule, value)
        todo = [o for o in call.operands if self.is_active(o.expr)]
        if not todo:
            return
        shape = self.facts.shape(out if isinstance(out, Var) and out.name in self.ctx.temps else value)
        if rule.kind == "elementwise" and shape.rank is None:
            shape = self.facts.shapes.broadcast([shape, gshape])  # an inner node passes on what its reader broadcast
        before = len(self.out)
        made: list[tuple[rules.Operand, Expr, Shape]] = []
        if (
            rule.kind != "elementwise"
            and gshape != shape
            and self.facts.of(value).kind not in ("list", "tuple")
            and not (rule.kind == "reduction" and gshape == SCALAR)
        ):
            g, gshape = self.full(g, gshape, shape, value), shape
        self.facts.names[G.name] = Fact("float", gshape)
        for operand in todo:
            kind = self.facts.of(operand.expr)
            if kind.kind == "list" and isinstance(self.ctx.tree(operand.expr), Var):
                made.append((operand, *self.to_list(value, rule)))
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
                c = self.traced(value, rule.vjp, call, operand, wide_g, wide_out, self.facts)
                cshape = self.reduced(c, want, operand.expr)
            else:
                c = self.traced(value, rule.vjp, call, operand, G, out, self.facts)
                cshape = want
                if rule.kind == "elementwise":
                    cshape = self.facts.shapes.broadcast([self.facts.shape(v) for v in self.leaves(c)])
                    c, cshape = self.to_operand(c, cshape, shape, want, operand.expr, value)
            made.append((operand, c, cshape))
        uses = sum(algebra.count(c, lambda n: n == G) for _, c, _ in made)
        if uses and isinstance(rule, Reduction) and is_costly(g) and any(is_costly(c) for _, c, _ in made):
            uses += 1  # the largest of a sum's adjoint: a step of its own, though it is used once
        g = self.named(g, gshape, value, uses)
        assert len(self.out) >= before
        for operand, c, cshape in made:
            self.into(operand.expr, ir.substitute(c, {G.name: g}), cshape, sink)

    def traced(self, value: Expr, trace: Callable[..., Expr], *args: Any, **options: Any) -> Expr:
        """What a rule writes; a rule may need a fact that is not there."""
        try:
            return trace(*args, **options)
        except rules.RuleError as fault:
            refuse(self.ctx, value, "S302", str(fault), "state the shapes: `# s2s: x (n,)`")

    def leaves(self, e: Expr) -> list[Expr]:
        """The operands of an elementwise expression."""
        match e:
            case Var():
                return [e]
            case Const() | ir.Raw():
                return []
            case ir.Attribute() if e.name in ("size", "ndim", "shape", "dtype"):
                return []
            case Op(fn=fn) if fn in ("numpy.size", "numpy.ndim", "builtins.len"):
                return []
            case Op(fn=fn) if fn.startswith("helper."):
                return self.leaves(e.args[0])
            case Op(args=args):
                return [leaf for a in args for leaf in self.leaves(a)]
            case ir.Attribute():
                return []
        return [e]

    def reduced(self, c: Expr, want: Shape, operand: Expr) -> Shape:
        """The shape of a reduction's contribution: the operand's, or one that broadcasts into it."""
        shape = self.facts.shape(c)
        if shape in (want, SCALAR):
            return shape
        if any(self.facts.shape(v) == want for v in self.leaves(c)):
            return want
        self.facts.shapes.within[shape] = want
        return shape

    def to_list(self, value: Op, rule: rules.Rule) -> tuple[Expr, Shape]:
        """The cotangent of a list of values, from that of the array that a function made of it."""
        options = dict(value.options)
        items = value.args[0]
        axis = value.args[1] if len(value.args) > 1 else options.pop("axis", Const(0))
        elem = self.facts.of(items).elem
        rank = None if elem is None else self.facts.shapes(elem.shape).rank
        fn = value.fn
        if fn in ("numpy.vstack", "numpy.hstack"):
            if rank is None:
                refuse(self.ctx, value, "S302", f"`{fn}` of a list needs the rank of its items", "use `np.stack`")
            if fn == "numpy.hstack" or rank > 1:
                axis = Const(1 if fn == "numpy.hstack" and rank > 1 else 0)
                fn = "numpy.concatenate" if rank else "numpy.array"
            elif rank == 0:
                return Op("builtins.list", (Op("numpy.ravel", (G,)),)), SCALAR
        if fn in ("numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack") and not options:
            g: Expr = G if axis == Const(0) else Op("numpy.moveaxis", (G, axis, Const(0)))
            return Op("builtins.list", (g,)), SCALAR
        v = Var(self.ctx.names.fresh("v", "item"))
        if fn == "numpy.concatenate" and not options:
            size = ir.Index(ir.Attribute(v, "shape"), axis)
            ends = Op("numpy.cumsum", (ir.Comprehension(size, ((v, items, ()),)),))
            cuts = ir.Index(ends, ir.Slice(None, Const(-1)))
            return Op("numpy.split", (G, cuts), () if axis == Const(0) else (("axis", axis),)), SCALAR
        if fn == "builtins.sum" and len(value.args) == 1:
            if elem is not None and (rank == 0 or is_uniform(elem)):
                return repeated(G, items), SCALAR
            return ir.Comprehension(Op("helper._unbroadcast", (G, v)), ((v, items, ()),)), SCALAR
        if fn in ("numpy.sum", "math.fsum", "numpy.mean") and len(value.args) == 1 and not options:
            if fn == "numpy.mean":
                n = Op("builtins.len" if rank == 0 else "numpy.size", (items,))
                g = algebra.op(algebra.DIVIDE, G, n)
            else:
                g = G
            if rank == 0:
                return repeated(g, items), SCALAR
            ones = Op("numpy.ones_like", (v,))
            return ir.Comprehension(algebra.op(algebra.MULTIPLY, g, ones), ((v, items, ()),)), SCALAR
        refuse(
            self.ctx,
            value,
            "S303",
            f"`{value.fn}` of a list that grows has no derivative rule here",
            "make an array of it first: `np.array(...)`",
        )

    def to_operand(
        self, c: Expr, cshape: Shape, shape: Shape, want: Shape, operand: Expr, node: Expr
    ) -> tuple[Expr, Shape]:
        """A contribution to a result of `shape`, summed over the axes along which the operand was broadcast."""
        if want == shape:
            return c, cshape
        if (shape.rank is None or want.rank is None) and isinstance(operand, Var):
            inner = self.ctx.temps.get(operand.name)
            rule = rules.lookup(inner.fn) if isinstance(inner, Op) else None
            if rule is not None and rule.kind == "elementwise" and want.rank is None:
                return (c if cshape == shape else self.spread(c, shape, node)), shape  # summed at the leaves
        if want == SCALAR:
            if cshape == SCALAR:
                return algebra.op(algebra.MULTIPLY, c, self.size(shape, node)), SCALAR
            if cshape != shape:
                c = self.spread(c, shape, node)
            return Op("numpy.sum", (c,)), SCALAR
        narrow = c
        if cshape != shape:
            c = self.spread(c, shape, node)
        if shape.rank is not None and want.rank is not None:
            lead = shape.rank - want.rank
            pairs = list(zip(shape.dims[lead:], want.dims, strict=True))
            if all(a == b or b == 1 for a, b in pairs):
                axes = tuple(range(lead))
                kept = tuple(i for i, (a, b) in enumerate(pairs) if a != b)
                if axes:
                    c = Op("numpy.sum", (c,), (("axis", _axes(axes)),))
                if kept:
                    c = Op("numpy.sum", (c,), (("axis", _axes(kept)), ("keepdims", Const(True))))
                return c, want
        if self.facts.shapes.broadcast([cshape, want]) == shape:
            c = narrow  # _unbroadcast itself broadcasts it against the operand
        return Op("helper._unbroadcast", (c, operand)), want

    def like(self, shape: Shape, node: Expr) -> Expr:
        """An expression that has this shape: a variable that the node reads, if there is one."""
        candidates = [v for v in ir.walk(self.ctx.tree(node)) if isinstance(v, Var)]
        for v in candidates:
            if self.facts.shape(v) == shape and self.facts.of(v).kind not in ("list", "tuple", "dict"):
                return v
        return node

    def size(self, shape: Shape, node: Expr) -> Expr:
        like = self.like(shape, node)
        if isinstance(like, Var) and shape.rank is not None:
            return ir.Attribute(like, "size")
        return Op("numpy.size", (like,))

    def spread(self, c: Expr, shape: Shape, node: Expr) -> Expr:
        ones = Op("numpy.ones_like", (self.like(shape, node),))
        return ones if c == ONE else algebra.op(algebra.MULTIPLY, c, ones)

    def full(self, g: Expr, gshape: Shape, shape: Shape, node: Expr) -> Expr:
        """An adjoint in the full shape of its value."""
        return g if gshape == shape else self.spread(g, shape, node)

    def named(self, g: Expr, shape: Shape, value: Op, uses: int) -> Expr:
        """g, under a name of its own where it is costly and used more than once."""
        g = self.ctx.simplify(self.ctx.resolve(g))
        if uses < 1 or isinstance(g, Var | Const):
            return g
        work = algebra.count(g, lambda n: isinstance(n, Op) and n.fn != "numpy.negative")
        if work >= LONG or (uses > 1 and (work > 1 or is_costly(g))):
            return self.name_it(g, shape, value)
        return g

    def name_it(self, g: Expr, shape: Shape, value: Expr) -> Expr:
        wish = self.role(value)
        name = self.ctx.names.fresh(wish, id(value), "bar")
        self.facts.names[name] = Fact("float", shape)
        self.out.append(Assign(name, g))
        return Var(name)

    def role(self, value: Expr) -> str:
        """A name for the adjoint of an unnamed subexpression, by its role in the expression around it."""
        if isinstance(value, Op) and isinstance(rules.lookup(value.fn), Reduction):
            return f"{role_of(value)}_bar"
        for name, tree in self.ctx.temps.items():
            if tree is value:
                return _role(self.survey.parents.get(name), name)
        return "a_bar"

    # ------------------------------------------------------------------ reads of items
    def scatters(self, value: Index) -> bool:
        """Whether a key may name an item twice."""
        return scatters(self.ctx, value)

    def pull_index(self, value: Index, g: Expr, gshape: Shape, sink: Collected) -> None:
        """y = x[key]: x_bar[key] += y_bar, with np.add.at where the key may hold an index twice."""
        array, key = value.array, self.ctx.tree(value.key)
        keys = key.items if isinstance(key, ir.Sequence) and key.kind == "tuple" else (key,)
        if isinstance(array, Index):  # x[i][j]: one path
            inner = self.facts.of(array)
            held = self.facts.of(array.array).kind
            if inner.kind not in ("list", "tuple", "dict") and held not in ("list", "tuple", "dict"):
                outer = array.key.items if isinstance(array.key, ir.Sequence) else (array.key,)
                if all(key_kind(k, self.facts) == "int" for k in outer):
                    path = ir.Sequence((*outer, *keys))
                    self.pull_index(Index(array.array, path), g, gshape, sink)
                    return
        scatter = self.scatters(value)
        if self.facts.of(array).kind in ("list", "tuple", "dict") and any(isinstance(k, ir.Slice) for k in keys):
            refuse(
                self.ctx,
                value,
                "S231",
                "a slice of a list carries a derivative here",
                "make an array of the list first: `np.array(...)`",
                "or take its items one by one",
            )
        if not isinstance(array, Var):
            refuse(self.ctx, value, "S236", "a subscript of this expression carries a derivative")
        whole = self.ctx.tree(array)
        if array.name in self.ctx.temps and array.name in self.ctx.aliases.of and aliased(whole, self.facts):
            place = joined(self.adjoint_place(whole), key, self.facts)
            if isinstance(whole, Index) and self.facts.of(whole.array).kind in ("list", "tuple"):
                place = Index(self.adjoint_place(whole), key)
            sink.add(ir.written_name(whole), Contribution(g, gshape, None, scatter, place=place))
            return
        if array.name in self.ctx.temps:
            shape = self.facts.shape(array)
            name = self.ctx.names.fresh("u_bar", array.name, "index")
            self.facts.names[name] = Fact("float", shape)
            self.out.append(Assign(name, self.ctx.resolve(self.zeros(array.name))))
            self.out.append(self.update(Index(Var(name), key), Contribution(self.ctx.resolve(g), gshape, key, scatter)))
            self.pull(self.ctx.temps[array.name], array, Var(name), shape, sink)
            return
        sink.add(array.name, Contribution(g, gshape, key, scatter))

    # ------------------------------------------------------------------ lists and tuples
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
            value = Op("method.pop", (adjoint,), form=ir.Form.METHOD, spelling="pop")
            if not self.is_active(s.value):
                self.out.append(ir.Inert("", (value,)))
                return
            name = self.ctx.names.fresh(f"{self.ctx.base.get(s.array, s.array)}_item_bar", s.array, id(s))
            self.facts.names[name] = Fact("float", self.facts.shape(s.value))
            self.out.append(Assign(name, value))
            value = Var(name)
        self.into(s.value, value, self.facts.shape(s.value), sink)

    def unpack(self, s: ir.Unpack, taken: dict[str, Adjoint], sink: Collected) -> None:
        value = s.value
        if isinstance(value, Op) and value.fn.startswith("local."):
            parts: list[Expr] = []
            for t in s.targets:
                shape = self.facts.shape(Var(t))
                if t in taken:
                    a = taken[t]
                    parts.append(self.full(a.expr, a.shape, shape, Var(t, after=True)))
                else:
                    parts.append(ir.substitute(self.zeros(t), {t: Var(t, after=True)}))
            self.pull_call(value, ir.Sequence(tuple(parts)), sink)
            return
        if isinstance(value, Op):
            rule = rules.lookup(value.fn)
            if rule is None:
                no_rule(self.ctx, value)
            call = bind(self.ctx, rule, value)
            for operand in call.operands:
                if not self.is_active(operand.expr):
                    continue
                for i in rule.parts or ():
                    if i < len(s.targets) and s.targets[i] in taken:
                        a = taken[s.targets[i]]
                        shape = self.facts.shape(Var(s.targets[i]))
                        g = self.full(a.expr, a.shape, shape, Var(s.targets[i], after=True))
                        result = ir.Sequence(tuple(Var(t, after=True) for t in s.targets))
                        c = self.traced(value, rule.vjp, call, operand, g, result, self.facts, part=i)
                        want = self.facts.shape(operand.expr)
                        if rule.kind == "elementwise":
                            c, want = self.to_operand(c, shape, shape, want, operand.expr, Var(s.targets[i]))
                        self.into(operand.expr, c, want, sink)
            if not rule.parts and self.facts.of(value).kind not in ("list", "tuple"):  # the rows of an array
                rows = [
                    taken[t].expr if t in taken else ir.substitute(self.zeros(t), {t: Var(t, after=True)})
                    for t in s.targets
                ]
                g = Op("numpy.array", (ir.Sequence(tuple(rows), "list"),))
                self.pull_op(value, value, g, self.facts.shape(value), sink)
                return
            if not rule.parts:
                parts = [
                    taken[t].expr if t in taken else ir.substitute(self.zeros(t), {t: Var(t, after=True)})
                    for t in s.targets
                ]
                for operand in call.operands:
                    if self.is_active(operand.expr):
                        g = ir.Sequence(tuple(parts), "list")
                        c = self.traced(
                            value,
                            rule.vjp,
                            call,
                            operand,
                            g,
                            ir.Sequence(tuple(Var(t, after=True) for t in s.targets)),
                            self.facts,
                        )
                        self.into(operand.expr, c, self.facts.shape(operand.expr), sink)
            return
        last = len(s.targets) - 1
        for i, t in enumerate(s.targets):  # a, b = x and a, *b = x
            if t not in taken:
                continue
            a = taken[t]
            key: Expr = Const(i)
            if s.starred >= 0 and i == s.starred:
                if self.facts.of(value).kind in ("list", "tuple"):
                    refuse(
                        self.ctx,
                        value,
                        "S231",
                        "a slice of a list carries a derivative here",
                        "name its items one by one",
                    )
                key = ir.Slice(Const(i) if i else None, Const(i - last) if i < last else None)
            elif s.starred >= 0 and i > s.starred:
                key = Const(i - last - 1)
            self.pull_index(Index(value, key), a.expr, a.shape, sink)

    # ------------------------------------------------------------------ helpers
    def pull_call(self, value: Op, g: Expr, sink: Collected) -> None:
        name = value.fn[6:]
        bound = self.ctx.calls.bind(self.ctx, value)
        active = [p for p, e in bound.items() if self.is_active(e)]
        if not active:
            return
        reverse, given = self.ctx.calls.reverse(self.ctx, name, bound, tuple(active))
        g = self.ctx.simplify(self.ctx.resolve(g))
        args = tuple(self.ctx.resolve(bound[p]) for p in bound)
        call = Op(f"local.{reverse}", (*args, g))
        if len(given) == 1:
            p = given[0]
            whole = self.whole_of(bound[p])
            if whole is not None and self.ctx.calls.covers(name, p, tuple(active), self.facts.of(whole)):
                sink.add(whole.name, Contribution(call, SCALAR, fresh=True))
                return
            if not isinstance(bound[p], ir.Dict):
                self.into_fresh(bound[p], call, sink)
                return
        if not given:
            return
        targets = tuple(self.ctx.names.fresh(f"{p}_inc", name, p, id(value)) for p in given)
        for t, p in zip(targets, given, strict=True):
            self.facts.names[t] = Fact("float", self.facts.shape(bound[p]))
        self.out.append(ir.Unpack(targets, call) if len(targets) > 1 else Assign(targets[0], call))
        for t, p in zip(targets, given, strict=True):
            whole = self.whole_of(bound[p])
            if whole is not None and self.ctx.calls.covers(name, p, tuple(active), self.facts.of(whole)):
                sink.add(whole.name, Contribution(Var(t), SCALAR, fresh=True))
            else:
                self.into_fresh(bound[p], Var(t), sink)

    def whole_of(self, e: Expr) -> Var | None:
        """The variable that a display takes apart by all of its items."""
        match e:
            case ir.Dict(keys=keys, values=(Index(array=Var() as v), *_)) if v.name in self.active:
                if e.values == tuple(Index(v, k) for k in keys) and v.name not in self.ctx.temps:
                    return v
        return None

    def into_fresh(self, e: Expr, g: Expr, sink: Collected) -> None:
        if isinstance(e, ir.Dict):
            for key, value in zip(e.keys, e.values, strict=True):
                if self.is_active(value):
                    self.into_fresh(value, Index(g, key), sink)
            return
        if isinstance(e, Var) and e.name in self.active and e.name not in self.ctx.temps:
            sink.add(e.name, Contribution(g, self.facts.shape(e), fresh=True))
        else:
            self.into(e, g, self.facts.shape(e), sink)

    def effect(
        self, unit: list[Stmt], s: ir.Inert | Assign | ir.Unpack, value: Op, targets: tuple[str, ...], st: State
    ) -> Node:
        """A call of a helper that writes into its arguments: their adjoints go in and are changed in place."""
        aliases = self.ctx.aliases
        calls = self.ctx.calls
        bound = calls.bind(self.ctx, value)
        written = self.ctx.written(value)
        node = Group([], targets, origin=s.origin)
        for p, e in written.items():
            place = self.ctx.tree(e)
            content = aliases.content(ir.written_name(place))
            others = [q for q, x in bound.items() if q != p and content in aliases.contents(self.ctx.tree(x))]
            if content in node.places or others:
                message = f"`{value.fn[6:]}` writes into `{p}`, and `{(others or [p])[0]}` may be the same array"
                refuse(self.ctx, value, "S238", message, "hand a copy of it to the helper")
            node.places[content] = place if isinstance(place, Index) else Index(place, ir.ELLIPSIS)
        node.kills = (*targets, *node.places)
        for t in targets:
            if (t in aliases.of and t in aliases.views) or self.shadows((t,)):
                refuse(self.ctx, value, "S239", f"the result of `{value.fn[6:]}` may be one of its arguments")
        self.out = []
        sink = Collected()
        taken = {t: st.pop(t) for t in targets if t in st}
        roots = {p: aliases.path(ir.written_name(self.ctx.tree(e)))[0] for p, e in written.items()}
        active = [p for p, e in bound.items() if self.is_active(e)]
        wanted = any(a.expr != ZERO for a in taken.values()) or any(
            p in active and (self.shadows((r,)) or (r in st and st[r].expr != ZERO)) for p, r in roots.items()
        )
        if active and wanted:
            w = calls.reverse_in_place(self.ctx, value.fn[6:], bound, tuple(active), tuple(written))
            bars: list[Expr] = []
            for p in w.given_bars:
                if not self.shadows((roots[p],)):
                    self.own_whole(roots[p], st)
                bars.append(self.adjoint_place(self.ctx.tree(written[p])))
            if calls.has_result(value.fn[6:]):
                bars.append(self.result_seed(s, value, targets, taken))
            bars = [self.ctx.simplify(self.ctx.resolve(b)) for b in bars]
            call = Op(f"local.{w.name}", (*(self.ctx.resolve(bound[p]) for p in bound), *bars))
            names = [self.ctx.names.fresh(f"{p}_inc", w.name, p, id(value)) for p in w.increments]
            for t, p in zip(names, w.increments, strict=True):
                self.facts.names[t] = Fact("float", self.facts.shape(bound[p]))
            if not names:
                self.out.append(ir.Inert("", (call,)))
            else:
                self.out.append(ir.Unpack(tuple(names), call) if len(names) > 1 else Assign(names[0], call))
            for t, p in zip(names, w.increments, strict=True):
                self.into_fresh(bound[p], Var(t), sink)
        node.post = self.settle(unit, None, sink, st)
        written_names = {n for k in node.places for n in aliases.members.get(k[1:], ())}
        self.split_after(node, set(targets) | written_names)
        node.forward = self.pieces(unit)
        return node

    def result_seed(
        self, s: ir.Inert | Assign | ir.Unpack, value: Op, targets: tuple[str, ...], taken: dict[str, Adjoint]
    ) -> Expr:
        """The cotangent of the result of a call; zero for what nobody reads."""

        def of(t: str) -> Expr:
            if t in taken:
                return self.full(taken[t].expr, taken[t].shape, self.facts.shape(Var(t)), Var(t, after=True))
            return ir.substitute(self.zeros(t), {t: Var(t, after=True)})

        if isinstance(s, ir.Unpack):
            return ir.Sequence(tuple(map(of, targets)))
        if targets:
            return of(targets[0])
        if self.facts.is_scalar(value):
            return ZERO
        refuse(self.ctx, value, "S239", f"the result of `{value.fn[6:]}` is not used, and its shape is not known")

    # ------------------------------------------------------------------ accumulation
    def prepare(self, sink: Collected) -> None:
        """Contributions as they are written, with costly common parts named."""
        for contributions in sink.by_name.values():
            for c in contributions:
                c.expr = self.ctx.simplify(self.ctx.resolve(c.expr))
        for name, contributions in sink.by_name.items():
            for c in contributions:
                c.expr = algebra.float_coefficients(c.expr)
            if not self.is_container(name):
                sink.by_name[name] = merged(contributions)
        self.name_common(sink)

    def reading_order(self, unit: list[Stmt]) -> dict[str, int]:
        reads = [v for v in ir.walk(self.ctx.tree(_value(unit[-1]))) if isinstance(v, Var)]
        return {v.name: -i for i, v in enumerate(reversed(reads))}

    def settle(self, unit: list[Stmt], own: str | None, sink: Collected, st: State) -> list[Stmt]:
        """The statements that add what a group contributes; `own` is the variable that the group assigns."""
        self.prepare(sink)
        order = self.reading_order(unit)
        names = sorted(sink.by_name, key=lambda n: (n == own, order.get(n, 0)))
        adjoint = st.pop(own) if own is not None and own in st else None
        bare = sum(self.is_bare(c.expr, adjoint) for n in names for c in sink.by_name[n])
        bare += sum(self.is_bare(t.value, adjoint) for t in self.out if isinstance(t, Assign))
        survives = own is not None and own in sink.by_name and adjoint is not None
        self.hand_over(sink)
        for name in names:
            if name == own:
                continue
            for c in self.gathered(name, sink.by_name[name]):
                dies = adjoint is not None and not survives and bare == 1 and len(sink.by_name[name]) == 1
                self.accumulate(name, c, st, adjoint if dies and adjoint is not None and adjoint.owned else None)
        if survives and own is not None and adjoint is not None:
            self.accumulate_own(own, sink.by_name[own], adjoint, st)
        return self.out

    def hand_over(self, sink: Collected) -> None:
        """A fresh value that this group has named, and that one variable gets whole, becomes its adjoint."""
        named = [s for s in self.out if isinstance(s, Assign)]
        fresh = {s.target for s in named if self.is_fresh(Contribution(s.value, FULL))}
        values = [s.value for s in named] + [c.expr for contributions in sink.by_name.values() for c in contributions]
        for contributions in sink.by_name.values():
            match contributions:
                case [Contribution(expr=Var(name=name), key=None) as c] if name in fresh and c.shape != SCALAR:
                    c.fresh = sum(rules.may_alias(e) and name in ir.reads(e) for e in values) == 1

    def name_common(self, sink: Collected) -> None:
        """Costly expressions that the contributions of a group hold twice are evaluated once, under a name."""
        while True:
            counts: dict[Expr, int] = {}
            inner: set[str] = set()  # variables of comprehensions
            for contributions in sink.by_name.values():
                for c in contributions:
                    for n in ir.walk(c.expr):
                        if isinstance(n, ir.Comprehension):
                            inner.update(x for target, _, _ in n.clauses for x in ir.target_names(target))
                        if isinstance(n, Op) and self.is_worth_a_name(n) and not ir.reads(n) & inner:
                            counts[n] = counts.get(n, 0) + 1
            repeated = [n for n, k in counts.items() if k > 1]
            if not repeated:
                return
            widest = max(repeated, key=lambda n: algebra.count(n, lambda _: True))
            wish = (
                "at_max"
                if any(isinstance(n, Op) and n.fn == "numpy.equal" for n in ir.walk(widest))
                else role_of(widest)
            )
            name = self.ctx.names.fresh(wish, widest, id(sink))
            self.facts.names[name] = self.facts.of(widest)
            self.out.append(Assign(name, widest))
            for contributions in sink.by_name.values():
                for c in contributions:
                    c.expr = _exchange(c.expr, widest, Var(name))

    def is_worth_a_name(self, e: Op) -> bool:
        """Whether an expression that is needed twice is computed once: a call, or a sum, of arrays or of many terms."""
        if e.fn in (algebra.ADD, algebra.SUBTRACT):
            if any(isinstance(n, Var) and (n.after or algebra.is_cotangent(n)) for n in ir.walk(e)):
                return False
            work = algebra.count(e, lambda n: isinstance(n, Op) and n.fn != "numpy.negative")
            return work >= (4 if self.facts.is_scalar(e) else 2)
        return e.fn not in CHEAP and not e.fn.startswith(("operator.", "method.")) and e.fn != "numpy.power"

    def is_bare(self, e: Expr, adjoint: Adjoint | None) -> bool:
        """Whether a contribution is the adjoint itself or a view of it."""
        if adjoint is None or not isinstance(adjoint.expr, Var):
            return False
        return e == adjoint.expr or (rules.may_alias(e) and any(n == adjoint.expr for n in ir.walk(e)))

    def gathered(self, name: str, contributions: list[Contribution], together: bool = False) -> list[Contribution]:
        """Contributions of one group to one variable, added up where the sum fits on a line, or all `together`."""
        if self.is_container(name):
            return contributions
        whole = [c for c in contributions if c.key is None]
        out: list[Contribution] = []
        for c in whole:
            if out and (together or (not c.fresh and not out[-1].fresh)):
                total = algebra.factored(algebra.add(out[-1].expr, c.expr))
                fits = len(ir.Printer()(total)) + len(name) + 4 * self.depth + 8 <= WIDTH
                borrowed = out[-1].shape == c.shape and not self.is_fresh(out[-1])  # else it would be copied first
                if together or borrowed or (fits and out[-1].shape == c.shape):
                    out[-1] = Contribution(total, self.facts.shapes.broadcast([out[-1].shape, c.shape]))
                    continue
            out.append(c)
        parts: list[Contribution] = []
        for c in contributions:
            if c.key is None:
                continue
            same = next(
                (p for p in parts if p.key == c.key and not (p.scatter or c.scatter or p.place or c.place)), None
            )
            if same is not None and same.shape == c.shape and not same.fresh and not c.fresh:
                total = algebra.add(same.expr, c.expr)
                if len(ir.Printer()(total)) + len(name) + len(ir.Printer()(c.key)) + 4 * self.depth + 12 <= WIDTH:
                    same.expr = total
                    continue
            parts.append(replace(c))
        return out + parts

    def is_container(self, name: str) -> bool:
        return self.facts.of(Var(name)).kind in ("list", "tuple", "dict")

    def is_fresh(self, c: Contribution) -> bool:
        """Whether a contribution shares memory with nothing else."""
        e = c.expr
        if c.fresh or isinstance(e, Const):
            return True
        if c.shape == SCALAR:  # a number; but an argument or a seed may be an array of rank 0
            base: Expr = e
            while isinstance(base, Index):
                base = base.array
            return not (
                isinstance(base, Var)
                and (base.name in self.ctx.function.names or base == self.seed or ir.is_part(base.name))
            ) or self.is_item(e)
        match e:
            case Op(fn="numpy.diag", args=(a, *_)) if self.facts.ndim(a) == 1:  # a matrix of it; else a view
                return True
        return not rules.may_alias(e)

    def is_lent(self, c: Contribution) -> bool:
        """Whether a contribution shares memory with a buffer that is written, or with the adjoint of one."""
        aliases = self.ctx.aliases
        if not aliases.of or c.fresh or c.shape == SCALAR or not rules.may_alias(c.expr):
            return False
        written = {bar(n) for n in aliases.of} | aliases.of.keys()
        return bool(ir.reads(c.expr) & written)

    def is_float(self, c: Contribution) -> bool:
        """Whether a contribution is surely of a float type, so that floats can be added in place.

        What an active variable enters is taken to be: integers carry no derivative.
        """
        if c.fresh or c.shape == SCALAR or isinstance(c.expr, Const):
            return True
        names = {n.name for n in ir.walk(c.expr) if isinstance(n, Var)}
        if any(n in self.active or n in self.ctx.promoted or n.endswith(("_bar", "_inc")) for n in names):
            return True
        return self.facts.of(c.expr).kind == "float" or any(
            isinstance(n, Const) and isinstance(n.value, float) for n in ir.walk(c.expr)
        )

    def is_item(self, e: Expr) -> bool:
        """Whether a scalar is an item of an array, by integers: NumPy makes a new number of it."""
        if not isinstance(e, Index) or not isinstance(e.array, Var) or "%" in e.array.name or e.array == self.seed:
            return False
        return self.facts.of(e.array).kind not in ("list", "tuple", "dict")

    def accumulate(self, name: str, c: Contribution, st: State, dying: Adjoint | None = None) -> None:
        target = bar(name)
        state = st.get(name)
        fact = self.facts.of(Var(name))
        if c.place is not None:
            if not self.shadows((name,)) and name not in self.pinned:
                self.own_whole(self.ctx.aliases.path(name)[0], st)
            self.out.append(self.update(c.place, c))
            return
        if self.shadows((name,)) or name in self.pinned:
            place: Var | Index = Var(target) if c.key is None else Index(Var(target), c.key)
            if isinstance(place, Index):
                self.out.append(self.update(place, c))
                return
            if fact.kind in ("list", "tuple"):  # the items of the adjoint list are changed, not the list
                i, item = (self.ctx.names.fresh(n, "items of", id(c)) for n in ("i", "g"))
                pairs = Op("builtins.enumerate", (self.ctx.simplify(c.expr),))
                step = Augment(Index(place, Var(i)), "+", Var(item))
                self.out.append(ir.For(ir.Sequence((Var(i), Var(item))), pairs, (step,)))
                return
            sign, rest = algebra.split_sign(self.ctx.simplify(c.expr))
            self.out.append(Augment(place, "+" if sign > 0 else "-", rest))
            if name in self.pinned:
                st[name] = self.outputs[name]
            return
        if fact.kind in ("list", "tuple", "dict"):
            self.accumulate_list(name, c, st)
            return
        if name in self.ctx.aliases.views:
            root, path = self.ctx.aliases.path(name)
            if path == ROOT:
                self.accumulate(root, c, st)
                return
            self.own_whole(root, st)
            placed = self.placed(name, c)
            assert placed.place is not None
            self.out.append(self.update(placed.place, placed))
            return
        if c.key is not None:
            self.own_whole(name, st)
            self.out.append(self.update(Index(Var(target), c.key), c))
            return
        if self.is_lent(c):  # what it reads is going to be changed in place
            c.expr, c.fresh = method("copy", c.expr), True
        if isinstance(c.expr, Const):
            c.shape = SCALAR
        if state is None or state.expr == ZERO:
            if isinstance(c.expr, Const):
                st[name] = Adjoint(c.expr, c.shape, True)
                return
            sure = self.is_float(c)
            owned = (self.is_fresh(c) and sure) or (
                dying is not None and self.is_bare(c.expr, dying) and not _calls_helper(c.expr)
            )
            if not owned and name in self.copy_first:
                c.expr, owned = algebra.op(algebra.MULTIPLY, ONE, c.expr), True
            if c.expr != Var(target):
                self.out.append(Assign(target, c.expr))
            st[name] = Adjoint(Var(target), c.shape, owned)
            if not sure:
                self.whole_numbers.add(name)
            self.facts.names[target] = Fact("float", c.shape)
            return
        shape = self.facts.shapes.broadcast([state.shape, c.shape])
        if state.constant:
            total = algebra.add(c.expr, state.expr)
            if isinstance(total, Const):
                st[name] = Adjoint(total, shape, True)
                return
            self.out.append(Assign(target, total))
        elif state.owned and state.shape == shape:
            sign, rest = algebra.split_sign(c.expr)
            self.out.append(Augment(Var(target), "+" if sign > 0 else "-", rest))
        else:
            if not state.owned and state.shape == shape and name not in self.whole_numbers:
                self.want_copies.add(name)
            total = algebra.add(state.expr, c.expr)
            if isinstance(total, Const):
                st[name] = Adjoint(total, SCALAR, True)
                return
            self.out.append(Assign(target, total))
        st[name] = Adjoint(Var(target), shape, True)
        self.facts.names[target] = Fact("float", shape)

    def accumulate_own(self, own: str, contributions: list[Contribution], adjoint: Adjoint, st: State) -> None:
        """x = f(x): what was x_bar becomes the adjoint of the old x; a coefficient of one needs no statement."""
        target = bar(own)
        before = SCALAR if adjoint.constant else adjoint.shape
        rest: list[Contribution] = []
        kept = False
        for c in contributions:
            if c.key is None and not kept and c.expr == adjoint.expr and c.shape == before:
                kept = True
            elif (
                c.key is None
                and not kept
                and c.shape == before
                and (inner := _without(c.expr, adjoint.expr)) is not None
            ):
                kept = True
                rest.append(replace(c, expr=inner))
            else:
                rest.append(c)
        if kept:
            st[own] = adjoint
            for c in self.gathered(own, rest, together=True):
                self.accumulate(own, c, st)
            return
        whole = [c for c in rest if c.key is None]
        if len(whole) < len(rest) or any(
            isinstance(n, Var) and n == Var(target) for c in whole[1:] for n in ir.walk(c.expr)
        ):
            # read the old adjoint more than once while the new one is built: give it a name
            g = self.ctx.names.fresh("g_bar", own)
            self.facts.names[g] = Fact("float", adjoint.shape)
            if isinstance(adjoint.expr, Var):
                gathered = self.gathered(own, whole, together=True)
                if len(gathered) == 1 and len(whole) == len(rest):
                    self.accumulate(own, gathered[0], st)
                    return
                self.out.append(Assign(g, adjoint.expr))
                for c in rest:
                    c.expr = ir.substitute(c.expr, {target: Var(g)})
        for c in self.gathered(own, rest):
            self.accumulate(own, c, st)

    def accumulate_list(self, name: str, c: Contribution, st: State) -> None:
        target = bar(name)
        state = st.get(name)
        if c.key is None:
            fact = self.facts.of(Var(name))
            if state is None:
                fresh = c.fresh and fact.kind == "dict"
                self.out.append(Assign(target, c.expr if fresh else self.copied(c.expr, fact)))
                st[name] = Adjoint(Var(target), SCALAR, fresh)
                return
            if fact.kind == "dict":
                if not fact.keys:
                    refuse(self.ctx, Var(name), "S232", "a dict gets a derivative from two places")
                inc = c.expr
                if not isinstance(inc, Var):
                    inc = Var(self.ctx.names.fresh(f"{self.ctx.base.get(name, name)}_inc", name, inc))
                    self.facts.names[inc.name] = self.facts.of(Var(name))
                    self.out.append(Assign(inc.name, c.expr))
                for k, item in zip(fact.keys, fact.items, strict=True):
                    slot, part = Index(Var(target), Const(k)), Index(inc, Const(k))
                    if item.kind in NOT_DIFFERENTIABLE:
                        continue
                    if item.kind == "dict":
                        refuse(self.ctx, Var(name), "S232", "an object of objects gets a derivative from two places")
                    more = Augment(slot, "+", part)
                    self.out.append(more if state.owned else ir.Store(slot, algebra.add(slot, part)))
                return
            pairs = Op("builtins.zip", (state.expr, c.expr))
            a, b = Var("a"), Var("b")
            added = ir.Comprehension(algebra.op(algebra.ADD, a, b), ((ir.Sequence((a, b)), pairs, ()),))
            self.out.append(Assign(target, added))
            st[name] = Adjoint(Var(target), SCALAR, True)
            return
        if state is None:
            self.out.append(Assign(target, self.zeros(name)))
            st[name] = state = Adjoint(Var(target), SCALAR, True)
        if self.facts.of(Index(Var(name), c.key)).kind in ("list", "dict"):
            self.nested(name)
        slot = Index(Var(target), c.key)
        if state.owned:
            self.out.append(self.update(slot, replace(c, scatter=False)))
        else:
            self.out.append(ir.Store(slot, algebra.add(slot, c.expr)))

    def nested(self, name: str) -> NoReturn:
        shown = self.ctx.base.get(name, name)
        what = f"`{shown}` holds lists, tuples or objects, and one of their items carries a derivative"
        refuse(self.ctx, Var(name), "S233", what, "keep a list of each part", "or make an array of it: `np.array(...)`")

    def copied(self, e: Expr, fact: Fact) -> Expr:
        """The adjoint of a container as a container of its own, so that its slots can be changed."""
        if fact.kind == "dict" and fact.keys:
            return ir.Dict(tuple(Const(k) for k in fact.keys), tuple(Index(e, Const(k)) for k in fact.keys))
        if fact.kind == "tuple" and isinstance(e, Var | Index):
            return Op("builtins.list", (e,))
        return e

    def update(self, target: Index, c: Contribution) -> Stmt:
        expr = self.ctx.simplify(c.expr)
        if c.scatter:
            return ir.Inert(
                "",
                (
                    Op(
                        "numpy.add.at",
                        (
                            target.array,
                            ir.as_value(target.key),
                            expr,
                        ),
                    ),
                ),
            )
        sign, rest = algebra.split_sign(expr)
        return Augment(target, "+" if sign > 0 else "-", rest)

    def zeros(self, name: str) -> Expr:
        """A zero adjoint for a variable: of its shape, and of a dtype that does not truncate."""
        fact = self.facts.of(Var(name))
        if fact.kind == "list":
            elem = fact.elem
            if elem is not None and elem.kind in ("list", "dict"):
                self.nested(name)
            if elem is not None and self.facts.shapes(elem.shape) == SCALAR:
                return repeated(ZERO, Var(name))
            v = Var("v")
            sure = elem is not None and elem.kind == "float" and name not in self.survey.maybe_integer
            dtype_ = () if sure else (("dtype", Op("numpy.result_type", (v, ZERO))),)
            return ir.Comprehension(Op("numpy.zeros_like", (v,), dtype_), ((v, Var(name), ()),))
        if fact.kind == "dict":
            if not fact.keys:
                refuse(self.ctx, Var(name), "S232", "a dict that carries a derivative has keys that are not known")
            keys = tuple(Const(k) for k in fact.keys)
            return ir.Dict(
                keys, tuple(self.zero_item(Index(Var(name), k), f) for k, f in zip(keys, fact.items, strict=True))
            )
        if fact.kind == "tuple" and fact.items:
            return ir.Sequence(
                tuple(self.zero_item(Index(Var(name), Const(i)), f) for i, f in enumerate(fact.items)), "list"
            )
        if self.facts.shapes(fact.shape) == SCALAR:
            return ZERO
        careful = self.survey.careful | self.ctx.temps.keys()
        if name not in self.survey.maybe_integer and (fact.kind == "float" or name not in careful):
            return Op("numpy.zeros_like", (Var(name),))
        dtype = Op("numpy.result_type", (Var(name), ZERO))
        return Op("numpy.zeros_like", (Var(name),), (("dtype", dtype),))

    def zero_item(self, item: Expr, fact: Fact) -> Expr:
        if fact.kind in NOT_DIFFERENTIABLE or self.facts.shapes(fact.shape) == SCALAR:
            return ZERO
        return Op("numpy.zeros_like", (item,), (("dtype", Op("numpy.result_type", (item, ZERO))),))

    # ------------------------------------------------------------------ control flow
    def materialise(self, name: str, st: State, full: bool = False) -> list[Stmt]:
        """Makes the adjoint of `name` a variable, of its full shape where that is asked for."""
        a = st[name]
        shape = self.facts.shape(Var(name))
        target = bar(name)
        if a.expr == Var(target) and (a.shape == shape or not full):
            return []
        is_list = self.facts.of(Var(name)).kind in ("list", "tuple", "dict")
        expr = a.expr
        if full and a.shape != shape and not is_list:
            expr = self.zeros(name) if expr == ZERO else self.full(expr, a.shape, shape, Var(name))
            a = replace(a, shape=shape, owned=True)
        st[name] = replace(a, expr=Var(target))
        self.facts.names[target] = Fact("float", a.shape)
        return [Assign(target, self.ctx.simplify(expr))]

    def initial(self, name: str, st: State, bound: frozenset[str]) -> list[Stmt]:
        """A zero adjoint, where a branch or a loop will accumulate into it; `bound` names have a value there."""
        shape = self.facts.shape(Var(name))
        target = bar(name)
        if shape != SCALAR and name not in bound and not ir.is_part(name):
            st[name] = Adjoint(Var(target), self.partly(name), False)
            self.facts.names[target] = Fact("float", self.partly(name))
            return [Assign(target, ZERO)]
        st[name] = Adjoint(Var(target), shape, True)
        self.facts.names[target] = Fact("float", shape)
        return [Assign(target, self.zeros(name))]

    def partly(self, name: str) -> Shape:
        """The shape of an adjoint that may be the number 0.0 in place of an array of zeros."""
        shape = unknown(f"0 or {name}")
        self.facts.shapes.within[shape] = self.facts.shape(Var(name))
        return shape

    def order(self, name: str) -> tuple[int, str]:
        """Parameters first, in their order."""
        names = self.ctx.function.names
        base = ir.root_name(name)
        return (names.index(base) if base in names else len(names), name)

    def branch(self, s: ir.If, st: State) -> Node:
        if self.idle_tests and self.idle_tests[-1] is s:  # only iterations that go on are reversed
            self.depth += 1
            first = has_break(s.body)
            broken, falling = (s.body, s.orelse) if first else (s.orelse, s.body)
            inert = self.block(broken, {})
            rest = self.block(falling, st)
            self.depth -= 1
            node = Branch(
                s.test, inert if first else rest, rest if first else inert, s.origin, falling=1 if first else 0
            )
            node.has_reverse = not _is_silent(rest)
            return node
        known = set(self.known)
        start = dict(st)
        inits: list[Stmt] = []
        while True:
            a, b = dict(start), dict(start)
            self.depth += 1
            body = self.block(s.body, a)
            orelse = self.block(s.orelse, b)
            self.depth -= 1
            ends: tuple[list[Stmt], list[Stmt]] = ([], [])
            silent = (_is_silent(body), _is_silent(orelse))
            again = False
            for name in sorted(a.keys() | b.keys(), key=self.order):
                if name not in known and not self.idle_tests and not self.defined_before(name, s):
                    a.pop(name, None)
                    b.pop(name, None)
                    continue
                if a.get(name) == b.get(name):
                    continue
                lacking = [i for i, x in enumerate((a, b)) if name not in x]
                if lacking and name not in start and silent[lacking[0]]:
                    inits += self.initial(name, start, self.survey.bound_after[id(s)])
                    again = True
                    break
                if name in start and start[name].constant:
                    inits += self.materialise(name, start, full=True)
                    again = True
                    break
                for x, end in ((a, ends[0]), (b, ends[1])):
                    if name not in x:
                        end += self.initial(name, x, self.survey.bound_before[id(s)])
                    end += self.materialise(name, x)
                partly = self.partly(name)
                if partly in (a[name].shape, b[name].shape):
                    a[name] = b[name] = Adjoint(a[name].expr, partly, False)
                    continue
                if a[name].shape != b[name].shape:
                    for x, end in ((a, ends[0]), (b, ends[1])):
                        end += self.materialise(name, x, full=True)
                owned = a[name].owned and b[name].owned
                a[name] = b[name] = replace(a[name], owned=owned)
            if not again:
                break
        st.clear()
        st.update(a)
        node = Branch(s.test, body, orelse, s.origin, inits, ends[0], ends[1])
        node.has_reverse = not (_is_silent(body) and _is_silent(orelse) and not ends[0] and not ends[1])
        return node

    def defined_before(self, name: str, s: Stmt) -> bool:
        """Whether a variable may be bound before statement s: it is a parameter, or has a definition outside s."""
        if name in self.ctx.function.names or ir.is_part(name):
            return True
        inside = sum(t == name for inner in ir.statements((s,)) for t in ir.binds(inner))
        return self.ctx.definitions[name] > inside

    def loop(self, s: ir.For | ir.While, st: State) -> Node:
        start = dict(st)
        inits: list[Stmt] = []
        idle = self.idle_test(s, st)
        self.idle_tests.append(idle)
        bound = {t for inner in ir.statements(s.body) for t in ir.binds(inner)}
        while True:
            end = dict(start)
            self.depth += 1
            body = self.block(s.body, end)
            self.depth -= 1
            ends: list[Stmt] = []
            again = False
            for name in sorted(end.keys() | start.keys(), key=self.order):
                if name in end and name not in start:
                    inits += self.initial(name, start, self.survey.bound_after[id(s)])
                    again = True
                elif name in start and name not in end:
                    if start[name].constant:
                        inits += self.materialise(name, start, full=True)
                        again = True
                        continue
                    ends += self.initial(name, end, self.survey.bound_head[id(s)])
                if name in end and name in start and not again and end[name] != start[name]:
                    a, b = start[name], end[name]
                    full = self.facts.shape(Var(name))
                    if a.constant or a.expr != Var(bar(name)):
                        inits += self.materialise(name, start, full=True)
                        again = True
                    elif self.partly(name) in (a.shape, b.shape):
                        if a.shape != self.partly(name):
                            start[name] = Adjoint(a.expr, self.partly(name), False)
                            again = True
                        ends += self.materialise(name, end)
                    elif a.shape != b.shape and self.facts.of(Var(name)).kind not in ("list", "tuple", "dict"):
                        if a.shape != full:
                            inits += self.respread(name, start)
                            again = True
                        else:
                            ends += self.materialise(name, end, full=True)
                    elif a.owned and not b.owned:
                        start[name] = replace(a, owned=False)
                        again = True
                    if b.constant:
                        ends += self.materialise(name, end, full=True)
            if not again:
                break
        self.idle_tests.pop()
        st.clear()
        for name, a in start.items():
            if name in bound and not self.defined_before(name, s):
                continue
            st[name] = a
        kind = "for" if isinstance(s, ir.For) else "while"
        target = s.target if isinstance(s, ir.For) else None
        test = s.iterable if isinstance(s, ir.For) else s.test
        node = Loop(kind, target, self.count(test), body, s.origin, inits, ends)
        node.has_reverse = not _is_silent(body) or bool(ends)
        node.exits = has_break(s.body)
        if kind == "for" and not node.exits:
            node.counter = ""
        elif node.has_reverse:
            node.counter = self.ctx.names.fresh("n_trips", id(s))
            self.facts.names[node.counter] = Fact("int")
            node.idle = idle is not None
        header = self.ctx.headers.get(id(s))
        if header is not None:
            node.header = header
        return node

    def count(self, iterable: Expr) -> Expr:
        """range(min(len(a), len(b))) is range(len(a)) where the lengths are proved equal."""
        match iterable:
            case Op(fn="builtins.range", args=(Op(fn="builtins.min", args=lengths),)):
                known = {self.length(n) for n in lengths}
                if len(known) == 1 and None not in known:
                    return replace(iterable, args=(lengths[0],))
        return iterable

    def length(self, e: Expr) -> object:
        match e:
            case Op(fn="builtins.len", args=(Var(name=name),)) if name in self.survey.history:
                return self.length(self.survey.history[name])
        found = self.facts.of(e).length
        return found if found is None else self.facts.shapes.dim(found)

    def respread(self, name: str, st: State) -> list[Stmt]:
        a = st[name]
        shape = self.facts.shape(Var(name))
        st[name] = Adjoint(a.expr, shape, True)
        return [Assign(bar(name), self.full(a.expr, a.shape, shape, Var(name)))]

    def idle_test(self, s: ir.For | ir.While, st: State) -> ir.If | None:
        """The test that leaves the loop, where an iteration that breaks contributes nothing to the derivative.

        That is so where it stands last, and what stands before it only feeds values that are dead behind the loop.
        """
        last = s.body[-1] if s.body else None
        if not isinstance(last, ir.If) or not has_break((last,)):
            return None
        first, second = has_break(last.body), has_break(last.orelse)
        broken = last.body if first else last.orelse
        if (
            (first and second)
            or not isinstance(broken[-1], ir.Break)
            or any(not isinstance(x, ir.Inert | ir.Break) for x in broken)
        ):
            return None
        for inner in s.body[:-1]:
            if isinstance(inner, ir.Inert):
                continue
            if not isinstance(inner, Assign | ir.Unpack):
                return None
            if any(name in st or self.ctx.definitions[name] > 1 for name in ir.binds(inner)):
                return None
        return last


def _reads_new(e: Expr) -> bool:
    return any(isinstance(n, Var) and n.after for n in ir.walk(e))


def _reads_old(e: Expr, targets: set[str]) -> bool:
    return any(isinstance(n, Var) and n.name in targets and not n.after for n in ir.walk(e))


def _map_statement(s: Stmt, f: Callable[[Expr], Expr]) -> Stmt:
    match s:
        case Assign() | ir.Unpack() | ir.Append():
            return replace(s, value=f(s.value))
        case Augment() | ir.Store():
            target = f(s.target) if isinstance(s.target, Index) else s.target
            return replace(s, target=target, value=f(s.value))  # type: ignore[arg-type]
        case ir.Inert():
            return replace(s, values=tuple(map(f, s.values)))
    return s


def _calls_helper(e: Expr) -> bool:
    """Whether an inlined helper is called: what its result shares memory with is not looked into."""
    return any(isinstance(n, Op) and n.fn.startswith("helper.") for n in ir.walk(e))


def merged(contributions: list[Contribution]) -> list[Contribution]:
    """`x * x` contributes the same twice: 2.0 times, once."""
    out: list[Contribution] = []
    for c in contributions:
        twin = next(
            (d for d in out if d.key is None and c.key is None and (d.expr, d.shape) == (c.expr, c.shape)), None
        )
        if twin is None or c.fresh or isinstance(c.expr, Const | Var):
            out.append(c)
        else:
            twin.expr = algebra.float_coefficients(algebra.add(twin.expr, c.expr))
    return out


def _exchange(e: Expr, old: Expr, new: Expr) -> Expr:
    return new if e == old else ir.rebuild(e, lambda c: _exchange(c, old, new))


def _value(s: Stmt) -> Expr:
    return s.value if isinstance(s, Assign | ir.Unpack | ir.Append | ir.Return | ir.Store) else ir.NONE


def method(name: str, e: Expr) -> Op:
    return Op(f"numpy.{name}", (e,), form=ir.Form.METHOD, spelling=name)


def joined(array: Expr, key: Expr, facts: Facts) -> Index:
    """array[key], with x[i][j] as x[i, j]."""
    if isinstance(array, Index) and array.key != ir.ELLIPSIS:
        outer = array.key.items if isinstance(array.key, ir.Sequence) and array.key.kind == "tuple" else (array.key,)
        inner = key.items if isinstance(key, ir.Sequence) and key.kind == "tuple" else (key,)
        if key == ir.ELLIPSIS:
            return array
        if all(key_kind(k, facts) == "int" for k in outer):
            return Index(array.array, ir.Sequence((*outer, *inner)))
    return Index(array, key)


def aliased(e: Expr, facts: Facts) -> bool:
    """Whether the value of an expression may share memory with what it reads."""
    return bool(sources(e, facts))


def _after(e: Expr, name: str) -> Expr:
    return Var(name, after=True) if e == Var(name) else ir.rebuild(e, lambda c: _after(c, name))


def view_guard(name: str, value: Expr) -> list[Stmt]:
    """Whether np.reshape makes a view or a copy is known when it runs: it is taken for a view."""
    if not isinstance(value, Op) or value.fn not in MAYBE_VIEWS:
        return []
    return [ir.Inert("assert", (Op("numpy.shares_memory", (Var(name), value.args[0])),))]


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


def repeated(e: Expr, of: Expr) -> Expr:
    """[e for _ in of]"""
    return ir.Comprehension(e, ((Var("_"), of, ()),))


def _axes(axes: tuple[int, ...]) -> Expr:
    return Const(axes[0]) if len(axes) == 1 else ir.Sequence(tuple(Const(a) for a in axes))


def _role(parent: Op | None, name: str) -> str:
    """num_bar and den_bar of a quotient, s_bar of a term, a_bar of what a function is applied to."""
    if parent is not None and parent.fn == "numpy.divide":
        return "num_bar" if parent.args[0] == Var(name) else "den_bar"
    if parent is not None and parent.fn in ("numpy.add", "numpy.subtract"):
        return "s_bar"
    return "a_bar"


def _without(e: Expr, term: Expr) -> Expr | None:
    """e - term, where term stands in the sum e with coefficient one."""
    match e:
        case Op(fn="numpy.add", args=(a, b), form=ir.Form.OPERATOR):
            if a == term:
                return b
            if b == term:
                return a
            if (inner := _without(a, term)) is not None:
                return algebra.add(inner, b)
            if (inner := _without(b, term)) is not None:
                return algebra.add(a, inner)
        case Op(fn="numpy.subtract", args=(a, b), form=ir.Form.OPERATOR):
            if a == term:
                return algebra.negated(b)
            if (inner := _without(a, term)) is not None:
                return algebra.add(inner, algebra.negated(b))
    return None


def _is_silent(nodes: list[Node]) -> bool:
    """Whether the reverse of these nodes is empty."""
    for n in nodes:
        match n:
            case Group():
                if n.pre or n.post or n.places:  # what is written may have to be restored
                    return False
            case Leaf():
                if n.post:
                    return False
            case Branch() | Loop():
                if n.has_reverse:
                    return False
    return True


def display(ctx: Context, e: Expr) -> Expr:
    """An argument with list displays written out: `[a, b, c][:2]` is `[a, b]`."""
    match e:
        case Var(name=name) if isinstance(ctx.temps.get(name), ir.Sequence | Index):
            inner = display(ctx, ctx.temps[name])
            return inner if isinstance(inner, ir.Sequence) else e
        case Index(array=array, key=ir.Slice(start=start, stop=stop, step=step)):
            items = display(ctx, array)
            try:
                parts: list[Any] = [None if p is None else literal(p) for p in (start, stop, step)]
                cut = slice(*parts)
            except ValueError:
                return e
            return (
                ir.Sequence(items.items[cut], items.kind) if isinstance(items, ir.Sequence) and not items.starred else e
            )
        case ir.Sequence():
            return ir.Sequence(tuple(display(ctx, i) for i in e.items), e.kind, e.starred)
    return e


def bind(ctx: Context, rule: rules.Rule, value: Op) -> rules.Call:
    """The call bound to its rule, or a diagnostic that names what the rule does not take."""
    args = tuple(display(ctx, a) for a in value.args)
    try:
        return rule.bind(replace(value, args=args))
    except rules.RuleError as fault:
        refuse(ctx, value, "S302", str(fault))


Callback = Callable[[], None]
