"""The reverse sweep: one walk over the primal, backwards, that makes the adjoint statements of each user statement.

Adjoint code reads the primal by its own names and never asks how their values come back: that is decided afterwards,
on the finished nodes (`recorded`). The walk stands in four layers, each of which knows only those before it: the states
of adjoints (`adjoints`), a value's contributions to its operands (`pull`), stores and shadows (`stores`), and blocks,
branches and loops here. (Griewank & Walther, Evaluating Derivatives, chapters 3, 4 and 6.)
"""

from __future__ import annotations

from collections.abc import Iterable

from s2s import ir
from s2s.algebra import ZERO
from s2s.analysis.aliases import CONTAINERS
from s2s.analysis.facts import Fact
from s2s.analysis.shapes import SCALAR
from s2s.derive.adjoints import Adjoint, Collected, State
from s2s.derive.context import groups
from s2s.derive.distinct import key_guards
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node, all_nodes
from s2s.derive.phrases import bar, guards_before, view_guard
from s2s.derive.refusals import refuse_unknown_length
from s2s.derive.stores import Stores
from s2s.derive.survey import has_break, raises
from s2s.frozen import replace
from s2s.ir import Assign, Augment, Const, Op, Stmt, Store, Var


class Reverse(Stores):
    """The walk: blocks, groups of one statement, branches, loops."""

    def block(self, block: ir.Block, st: State) -> list[Node]:
        """The nodes of a block, and `st` moved from the state behind it to the state before it."""
        nodes: list[Node] = []
        for unit in reversed(groups(block, self.ctx.temps)):
            node = self.unit(unit, st)
            nodes.append(node)
            if isinstance(node, Loop) and node.counter:
                nodes.append(self.counted(node))
            if isinstance(node, Loop) and node.wide:
                nodes.append(self.narrowed(node, st))
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

    def narrowed(self, loop: Loop, st: State) -> Group:
        """Adjoints of what a loop has added up, in the shape of what was there before the loop."""
        group = Group([], before=loop)
        for name in loop.wide:
            target = bar(name)
            group.post.append(Assign(target, Op("helper._unbroadcast", (st[name].expr, Var(name)))))
            full = self.facts.shape(Var(name))
            st[name] = Adjoint(Var(target), full, self.holds(name, st[name].expr), st[name].masked)
            self.facts.names[target] = Fact("float", full)
        return group

    def unit(self, unit: list[Stmt], st: State) -> Node:
        guards = key_guards(self.ctx, unit[-1])
        node = self.reversed(unit, st)
        if guards and isinstance(node, Group | Leaf):
            node.forward = [*guards, *node.forward]
        return node

    def reversed(self, unit: list[Stmt], st: State) -> Node:
        s = unit[-1]
        self.facts.shapes.fits.clear()
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
            case ir.Shrink():
                return self.shrink(unit, s, st)
            case ir.Assign() | ir.Unpack() | ir.Append():
                return self.group(unit, s, st)
            case ir.Store():
                return self.store(unit, s, st)
        raise TypeError(type(s).__name__)

    def returned(self, unit: list[Stmt], s: ir.Return, st: State) -> Node:
        st.clear()
        st.update(self.outputs)
        self.out = []
        sink = Collected()
        shape = self.facts.shape(s.value) if self.seed_shape is None else self.seed_shape
        if self.ctx.masked_seed and isinstance(self.seed, Var):
            self.masks[self.seed] = self.where_not_zero(self.seed, shape)
            if shape == SCALAR and not self.is_object(s.value):
                self.facts.names[self.seed.name] = Fact("float", SCALAR, number=self.facts.number(s.value))
            else:
                self.facts.names.pop(self.seed.name, None)
        if s.value != ir.NONE:
            self.seed_into(s.value, self.seed, shape, sink)
        post = self.settle(unit, None, sink, st)
        return Leaf(self.pieces(unit), "return", post, s.origin)

    def group(self, unit: list[Stmt], s: ir.Assign | ir.Unpack | ir.Append, st: State) -> Node:
        header = self.ctx.is_item(s)
        kills = ir.binds(s)
        node = Group([], kills, origin=s.origin, header=header)
        aliases = self.ctx.aliases
        node.births = tuple(aliases.content(t) for t in kills if aliases.roots.get(aliases.of.get(t, "")) == t)
        guards: list[Stmt] = []
        before: list[Stmt] = []
        if isinstance(s, Assign) and s.target in aliases.of:
            guards = view_guard(self.ctx, s, self.ctx.tree(s.value))
            before = guards_before(s, self.ctx.tree(s.value), guards)
        self.out = []
        sink = Collected()
        own: str | None = None
        if isinstance(s, ir.Append) and self.shadows((s.array,)):
            self.shadowed_append(unit, s, node, st)
        elif isinstance(s, ir.Append):
            if s.array in self.ctx.sensitive:  # the list is read from its end: it shrinks as the reverse sweep passes
                self.out.append(ir.popped(s.array))
                node.post = self.out
            if s.array in st:
                self.append(s, st, sink)
                node.post = self.settle(unit, None, sink, st)
        elif self.shadows(kills) and isinstance(s, Assign):
            self.shadowed(unit, s, node, st)
        elif self.shadows(kills) and isinstance(s, ir.Unpack):
            self.shadowed_unpack(unit, s, node, st)
        elif isinstance(s, ir.Unpack):
            taken = {t: st.pop(t) for t in s.targets if t in st}
            if taken and not s.constant and self.is_active(s.value):
                self.unpack(s, taken, sink)
                own = next(iter(taken)) if len(taken) == 1 else None
                st |= taken if own else {}
                node.post = self.settle(unit, own, sink, st)
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
        if before:
            node.forward = [*before, *node.forward]
        else:
            node.companions += guards
        return node

    def branch(self, s: ir.If, st: State) -> Node:
        if (falling := self.falling(s)) is not None:
            self.depth += 1
            self.facts.sure.clear()
            sides = [s.body, s.orelse]
            nodes = [self.block(side, st if i == falling else {}) for i, side in enumerate(sides)]
            self.depth -= 1
            node = Branch(s.test, nodes[0], nodes[1], s.origin, falling=falling)
            node.has_reverse = not _is_silent(nodes[falling])
            return node
        known = set(self.known)
        start = dict(st)
        inits: list[Stmt] = []
        noted = self.noted()
        while True:
            self.note_again(noted)
            a, b = dict(start), dict(start)
            self.depth += 1
            self.facts.sure.clear()
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
                beside = self.is_container(name) and name not in self.survey.bound_after[id(s)]  # bound in one branch
                if lacking and name not in start and silent[lacking[0]] and not beside:
                    assert not (name in self.outputs and _returns(s)), f"{name}: zeros in the place of its seed"
                    inits += self.initial(name, start, self.survey.bound_after[id(s)])
                    again = True
                    continue
                if name in start and start[name].constant:
                    inits += self.materialise(name, start, full=True)
                    again = True
                    continue
                if again:  # the blocks are reversed once for all names that need it: branches in branches multiply
                    continue
                for x, end in ((a, ends[0]), (b, ends[1])):
                    if name not in x:
                        end += self.initial(name, x, self.survey.bound_before[id(s)])
                    end += self.materialise(name, x)
                masked = a[name].masked or b[name].masked  # one of them leaves it as zero as it was
                cut = a[name].cut or b[name].cut
                partly = self.partly(name)
                if partly in (a[name].shape, b[name].shape):
                    a[name] = b[name] = Adjoint(a[name].expr, partly, False, masked, cut)
                    continue
                if a[name].shape != b[name].shape:
                    for x, end in ((a, ends[0]), (b, ends[1])):
                        end += self.materialise(name, x, full=True)
                owned = a[name].owned and b[name].owned
                slots, frozen = a[name].slots and b[name].slots, a[name].frozen or b[name].frozen
                a[name] = b[name] = replace(a[name], owned=owned, masked=masked, cut=cut, slots=slots, frozen=frozen)
            if not again:
                break
        st.clear()
        st.update(a)
        node = Branch(s.test, body, orelse, s.origin, inits, ends[0], ends[1])
        node.has_reverse = not (_is_silent(body) and _is_silent(orelse) and not ends[0] and not ends[1])
        return node

    def falling(self, s: ir.If) -> int | None:
        """Which branch alone is reversed: the other one raises, or leaves a loop of which only the iterations that go
        on are reversed."""
        if self.idle_tests and self.idle_tests[-1] is s:
            return 1 if has_break(s.body) else 0
        first, second = raises(s.body), raises(s.orelse)
        return None if first == second else 1 if first else 0

    def noted(self) -> tuple[dict[ir.Expr, Op], set[ir.Expr], int]:
        """What has been noted of masked adjoints before the blocks of a statement are reversed."""
        return dict(self.masks), set(self.cuts), len(self.masked_calls)

    def note_again(self, noted: tuple[dict[ir.Expr, Op], set[ir.Expr], int]) -> None:
        """Back to that, for blocks that are reversed again: the names that they make are those of the time before."""
        masks, cuts, calls = noted
        self.masks, self.cuts = dict(masks), set(cuts)
        del self.masked_calls[calls:]

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
        noted = self.noted()
        sums = [n for n in start if self.adds_up(n, s)]
        widened: set[str] = set()
        while True:
            self.note_again(noted)
            for name in sums:
                if name not in widened and start[name].shape == self.facts.shape(Var(name)):
                    start[name] = replace(start[name], shape=self.wider(name))
                    widened.add(name)
            end = dict(start)
            self.depth += 1
            self.facts.sure.clear()
            body = self.block(s.body, end)
            self.depth -= 1
            ends: list[Stmt] = []
            again = False
            for name in sorted(end.keys() | start.keys(), key=self.order):
                if name in end and name not in start:
                    inits += self.initial(name, start, self.survey.bound_after[id(s)])
                    again = True
                    continue
                if name in start and name not in end:
                    if start[name].constant:
                        inits += self.materialise(name, start, full=True)
                        again = True
                        continue
                    unbound = name not in self.survey.bound_head[id(s)]
                    known = self.facts.of(Var(name)).kind in CONTAINERS or self.zero_parts(name) is not None
                    if unbound and self.is_container(name) and not known:
                        refuse_unknown_length(self.ctx, name)
                    ends += self.initial(name, end, self.survey.bound_head[id(s)])
                if name in end and name in start and end[name] != start[name]:
                    a, b = start[name], end[name]
                    full = self.facts.shape(Var(name))
                    if a.masked and not b.masked and a.expr == Var(bar(name)):
                        start[name] = a = replace(a, masked=False)
                        again = True
                    if a.constant or a.expr != Var(bar(name)):
                        inits += self.materialise(name, start, full=True)
                        again = True
                    elif self.partly(name) in (a.shape, b.shape):
                        if a.shape != self.partly(name):
                            start[name] = Adjoint(a.expr, self.partly(name), False, a.masked)
                            again = True
                        ends += self.materialise(name, end)
                    elif a.shape != b.shape and self.facts.of(Var(name)).kind not in ("list", "tuple", "dict"):
                        if a.shape != full:
                            inits += self.respread(name, start)
                            again = True
                        else:
                            ends += self.materialise(name, end, full=True)
                    elif (a.owned and not b.owned) or (a.slots and not b.slots) or (b.frozen and not a.frozen):
                        owned, slots, frozen = a.owned and b.owned, a.slots and b.slots, a.frozen or b.frozen
                        start[name] = replace(a, owned=owned, slots=slots, frozen=frozen)
                        again = True
                    if b.constant:
                        ends += self.materialise(name, end, full=True)
            if not again:
                break
        self.idle_tests.pop()
        self.refuse_unbound(start, inits, body)
        st.clear()
        for name, a in start.items():
            if name in bound and not self.idle_tests and not self.defined_before(name, s):
                continue  # inside of another loop the round before may have bound it
            st[name] = replace(a, cut=a.cut or (name in end and end[name].cut))
        kind = "for" if isinstance(s, ir.For) else "while"
        target = s.target if isinstance(s, ir.For) else None
        test = s.iterable if isinstance(s, ir.For) else s.test
        node = Loop(kind, target, self.count(test), body, s.origin, inits, ends)
        node.has_reverse = not _is_silent(body) or bool(ends)
        node.exits = has_break(s.body)
        if kind == "for" and not node.exits:
            node.counter = ""
        elif node.has_reverse:
            node.counter = self.ctx.names.fresh("n_trips", self.ctx.names.of(s))
            self.facts.names[node.counter] = Fact("int")
            node.idle = idle is not None
        header = self.ctx.headers.get(id(s))
        if header is not None:
            node.header = header
        node.wide = [n for n in sorted(widened & st.keys(), key=self.order) if not self.starts_from_constants(n, s)]
        return node

    def refuse_unbound(self, names: Iterable[str], inits: list[Stmt], body: list[Node]) -> None:
        """The adjoint of a list that may not be bound behind a loop starts as None, or a number: it has no items."""
        zero = {s.target for s in inits if isinstance(s, Assign) and s.value in (ZERO, Const(None))}
        for name in names:
            if bar(name) in zero and self.is_container(name) and name not in self.late:
                written = [s for n in all_nodes(body) if isinstance(n, Group) for s in (*n.pre, *n.post)]
                changed = [ir.written_name(s.target) for s in ir.statements(written) if isinstance(s, Store | Augment)]
                if bar(name) in changed and not any(bar(name) in ir.binds(s) for s in ir.statements(written)):
                    refuse_unknown_length(self.ctx, name)

    def adds_up(self, name: str, s: ir.For | ir.While) -> bool:
        """Whether all that a loop does with a variable of unknown rank is to add to it: `total += e`.

        The total may get more axes as the loop goes on. Its adjoint need not follow it backwards: one that has more
        axes than the total at that point, or longer ones, stands for its sum over these; what is added has no more.
        """
        var = Var(name)
        if self.is_container(name) or self.facts.shape(var).rank is not None or not self.facts.is_real(var):
            return False
        if name in self.ctx.aliases.of or name in self.pinned:
            return False
        found = False
        for inner in ir.statements(s.body):
            binds = name in ir.binds(inner)
            if binds and not (isinstance(inner, Assign) and self.is_term(var, inner.value)):
                return False
            found |= binds
            if not isinstance(inner, ir.If | ir.While):  # a test carries no derivative
                read = sum(n == var for e in ir.expressions(inner) for n in ir.walk(self.ctx.expanded(e)))
                temporary = isinstance(inner, Assign) and inner.target in self.ctx.temps
                if read > binds and not temporary:
                    return False
        return found

    def is_term(self, var: Var, e: ir.Expr) -> bool:
        """Whether a variable stands in a sum, with a coefficient of one."""
        match e:
            case Var(name=name) if name in self.ctx.temps:
                return self.is_term(var, self.ctx.temps[name])
            case Op(fn="numpy.add", args=(a, b), options=()):
                return self.is_term(var, a) or self.is_term(var, b)
            case Op(fn="numpy.subtract", args=(a, _), options=()):
                return self.is_term(var, a)
        return e == var

    def starts_from_constants(self, name: str, s: ir.For | ir.While) -> bool:
        """Whether a variable is bound to literals only outside of a loop: nothing before it reads its adjoint."""
        inside = {id(inner) for inner in ir.statements(s.body)}
        return name not in self.ctx.function.names and all(
            isinstance(t, Assign) and isinstance(t.value, Const)
            for t in ir.statements(self.ctx.function.body)
            if name in ir.binds(t) and id(t) not in inside
        )

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
            if any(isinstance(n, Op) and self.ctx.written(n) for n in ir.nodes(inner)):
                return None  # what a helper writes is there behind the loop
            if isinstance(inner, ir.Inert):
                continue
            if not isinstance(inner, Assign | ir.Unpack):
                return None
            if any(name in st or self.ctx.definitions[name] > 1 for name in ir.binds(inner)):
                return None
        return last


def _returns(s: ir.If) -> bool:
    return any(isinstance(inner, ir.Return) for inner in ir.statements((s,)))


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
