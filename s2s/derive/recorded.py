"""To be recorded: how each primal value that the reverse sweep reads comes back.

The reverse sweep walks the primal's environment backwards: at the mirror of a point, every name that is still to be
read holds its value of that point. A value comes back because it is still bound, is recomputed from what is there, or
was saved: a carried name before it is rebound, a local of an iteration at the iteration's end, and what only earlier
code needs once before the loop.
(To-be-recorded analysis: Hascoet, Naumann, Pascual, FGCS 21, 2005; here on names of structured Python.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeGuard

from s2s import ir, rules
from s2s.analysis.aliases import CONTAINERS, holds_numbers
from s2s.analysis.facts import Fact
from s2s.analysis.shapes import SCALAR
from s2s.derive.context import CHEAP, Context, is_costly
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node, all_nodes
from s2s.derive.regions import Regions
from s2s.derive.survey import survey
from s2s.frozen import replace
from s2s.ir import Assign, Expr, Op, Stmt, Var

Names = frozenset[str]
NOTHING: Names = frozenset()


class Restart(Exception):
    """A decision changed the program; the analysis begins anew."""


class Again(NamedTuple):
    """How a name is computed again: before which node, from what, and for the nodes (ids) of which block."""

    site: Node
    value: Expr
    within: frozenset[int]


@dataclass
class Recorder:
    ctx: Context
    primal: set[str]
    recompute: dict[str, Again] = field(default_factory=dict)
    ends: dict[int, tuple[list[str], list[str]]] = field(default_factory=dict)  # branches: locals saved at their ends
    loops: list[Loop] = field(default_factory=list)
    break_sets: list[list[Names]] = field(default_factory=list)
    root: list[Node] = field(default_factory=list)
    scopes: list[list[tuple[set[str], set[str]]]] = field(default_factory=lambda: [[]])  # branches of the current loop
    kept: set[str] = field(default_factory=set)  # see `save_instead`
    decided: bool = False  # something is recomputed from now on: the analysis must begin anew
    read_once: dict[int, set[str]] = field(default_factory=dict)  # see `read_by`
    saved: dict[tuple[int, frozenset[str]], set[str]] = field(default_factory=dict)  # see `saved_inside`
    heads: dict[int, Names] = field(
        default_factory=dict
    )  # of loops, from visits before: a loop inside loops is soon done
    asked: Names = NOTHING  # what is read at the very end
    unasked: dict[tuple[int, str], bool] = field(default_factory=dict)  # see `is_unasked`
    hoisted: list[set[str]] = field(default_factory=list)  # names that an if around has saved for all inside it

    def run(self, nodes: list[Node], start: set[str] | None = None) -> None:
        """Decides on all nodes; `start`: what is read at the very end of the reverse sweep, as it was at the start."""
        self.root = nodes
        first = frozenset(x for x in start or () if x in self.primal or is_content(x))
        for _ in range(200 + 2 * len(all_nodes(nodes))):
            try:
                self.ends.clear()
                self.decided = False
                self.read_once.clear()
                self.saved.clear()
                self.heads.clear()
                self.hoisted, self.loops, self.break_sets, self.scopes = [], [], [], [[]]
                for n in all_nodes(nodes):
                    n.rec.saves, n.rec.recomputed, n.rec.undone = [], [], False
                for name, again in self.recompute.items():
                    again.site.rec.recomputed.append((name, again.value))
                self.regions, self.asked = Regions(self.ctx, nodes), first
                self.unasked.clear()
                self.block(nodes, first)
                break
            except Restart:
                continue
        else:
            raise RuntimeError("what is saved and what is recomputed does not settle")
        every = all_nodes(nodes)
        at = {k: i for i, n in enumerate(every) if isinstance(n, Group) for k in n.kills}
        for n in every:
            n.rec.recomputed = self.in_order(sorted(n.rec.recomputed, key=lambda item: at.get(item[0], 0)))
        for names in (
            *(n.at_end for n in every if isinstance(n, Loop)),
            *(b for ends in self.ends.values() for b in ends),
        ):
            names.sort(key=lambda k: (not is_content(k), at.get(k, 0)))  # saved, and read, as the program computes them

    def in_order(self, items: list[tuple[str, Expr]]) -> list[tuple[str, Expr]]:
        out: list[tuple[str, Expr]] = []
        waiting = list(items)
        while waiting:
            names = {n for n, _ in waiting}
            ready = [(n, e) for n, e in waiting if not (ir.reads(e) & names - {n})] or waiting[:1]
            out += ready
            waiting = [w for w in waiting if w not in ready]
        return out

    # ------------------------------------------------------------ what adjoint code reads
    def reads(self, statements: list[Stmt]) -> set[str]:
        return self.names(e for s in ir.statements(tuple(statements)) for e in ir.expressions(s))

    def names(self, exprs: object) -> set[str]:
        """The names, and the elements of buffers that are written (`*y`), that expressions read."""
        found: set[str] = set()
        elements: set[str] = set()
        aliases = self.ctx.aliases
        for e in exprs:  # type: ignore[attr-defined]
            found |= ir.reads(e)
            if aliases.of:
                elements |= aliases.contents(e)
        return (found & self.primal) | elements

    def inputs(self, name: str, value: Expr) -> set[str]:
        """What computing a name again reads. A view of an array reads no elements: those who read the view do."""
        if self.is_view(name, value):
            assert isinstance(value, ir.Index)
            return self.names([value.key]) | (ir.reads(value.array) & self.primal)
        return self.names([value])

    def is_view(self, name: str, value: Expr) -> bool:
        """Whether a name is bound to a part of an array, which is the same whatever its elements are."""
        if not isinstance(value, ir.Index) or not isinstance(value.array, Var):
            return False
        base, _ = self.ctx.aliases.views.get(name, ("", value))
        return base == value.array.name and self.ctx.facts.is_array(value.array)

    def before(self, n: Node) -> set[str]:
        """Names that the adjoint group of a simple node reads in the state before it."""
        post = n.post if isinstance(n, Group | Leaf) else []
        return self.wanted(self.reads(post), n)

    def wanted(self, names: set[str], n: Node) -> set[str]:
        for name, e in n.rec.recomputed:
            names = names | self.inputs(name, e)
        return {x for x in names if not self.comes_back(x, n)}

    def comes_back(self, name: str, n: Node) -> bool:
        """Whether a name that a node reads is computed again before: behind the loop that binds it, it is not."""
        return name in self.recompute and id(n) in self.recompute[name].within

    def after(self, n: Node) -> set[str]:
        if isinstance(n, Group):
            return {x for x in self.reads(n.pre) if not self.comes_back(x, n)}
        return set()

    # ------------------------------------------------------------ blocks
    def block(self, nodes: list[Node], r: Names | None) -> Names | None:
        for n in nodes:
            if r is None:
                return None
            out = self.node(n, r - self.covered())
            r = None if out is None else out - self.covered()
        return r

    def node(self, n: Node, r: Names) -> Names | None:
        match n:
            case Group():
                need = (r | self.before(n)) - self.covered()
                if n.moves and not self.covered() & {*n.kills}:  # what an if has put back stays where it is
                    wanted = need & {*n.kills}
                    n.rec.undone = bool(wanted)
                    return frozenset((need - wanted) | {n.moves[k] for k in wanted})
                n.rec.saves = sorted(k for k in n.kills if (k in need and not self.is_unasked(n, k)) or k in n.forced)
                after = self.after(n)
                left = need - {k for k in n.kills if k not in n.places} - set(n.births)
                for k, place in n.places.items():
                    if k in n.rec.saves:  # the rest of the buffer stays as it is; the restore reads the place's names
                        named = {x for x in ir.reads(place) & self.primal if not self.is_there(x, n)}
                        self.save_instead(named)
                        left |= named
                        if place == ir.Index(Var(self.ctx.aliases.roots.get(k[1:], "")), ir.ELLIPSIS):
                            left -= {k}
                if n.lengthens:  # what the list was before is what it is, without its last item
                    n.rec.undone, n.rec.saves = bool(n.rec.saves), []
                return frozenset(left | after)
            case Leaf(kind="break"):
                for mine, required in reversed(
                    self.scopes[-1]
                ):  # names that live in a branch around: saved before it is left
                    required |= r & mine
                    r = r - mine
                self.break_sets[-1].append(r)
                return None
            case Leaf(kind="return"):
                return None
            case Leaf():
                if any(isinstance(s, ir.Inert) and s.keyword == "raise" for s in n.forward):
                    return None
                return r
            case Branch():
                return self.branch(n, r)
            case Loop():
                return self.loop(n, r)

    def save_instead(self, names: set[str]) -> None:
        """Names that a restore reads before they could be computed again: they are saved, and read there, too."""
        taken = names & self.recompute.keys()
        for name in taken:
            del self.recompute[name]
        self.kept |= taken
        if taken:
            raise Restart

    def is_there(self, name: str, n: Group) -> bool:
        """Whether a name is computed again before a node restores elements, without what it restores."""
        if not self.comes_back(name, n):
            return False
        site, value, _ = self.recompute[name]
        if site is not n:
            return True
        read = self.inputs(name, value)
        if not self.is_view(name, value):
            read |= {*map(self.ctx.aliases.content, ir.reads(value))}  # its length as well
        return not read & {*n.kills} and all(self.is_there(x, n) for x in read if x in self.recompute)

    def is_unasked(self, n: Group, k: str) -> bool:
        """Whether a store overwrites what is not read, though other elements of the array are."""
        if k not in n.places or k in self.asked or k in self.lengthened:
            return False
        key = (id(n), k)
        if key not in self.unasked:
            self.unasked[key] = self.regions.unasked(n, k)
        return self.unasked[key]

    @cached_property
    def lengthened(self) -> set[str]:
        """The lists of lists that change at their ends: where one is to be as it was, all that was stored behind is
        undone."""
        every = (n for n in all_nodes(self.root) if isinstance(n, Group) and (n.lengthens or n.shortens))
        return {k for n in every for k in n.places}

    def covered(self) -> set[str]:
        return set().union(*self.hoisted) if self.hoisted else set()

    # ------------------------------------------------------------ if
    def branch(self, n: Branch, r: Names) -> Names | None:
        if n.falling is not None:
            return self.leaving(n, r)
        exchanged = only_exchanged([*n.body, *n.orelse]) if self.exchanges else NOTHING
        if exchanged & r and not n.has_reverse:  # back again in a branch of the reverse sweep
            n.has_reverse = True
            raise Restart
        killed = (kills(n.body) | kills(n.orelse)) - self.covered()
        init_reads = self.reads(n.inits)
        test = self.wanted(self.names([n.test]), n) if n.has_reverse else set()
        ends = self.wanted(
            self.reads(n.body_end) | self.reads(n.orelse_end), n
        )  # they see what the head of the if sees
        inside: set[str] | None = None  # what is read in the branches: a walk through them, made where it matters
        hoisted = set()
        if self.resizes and any(
            test & self.lists_seen(r) for r in grown(n)
        ):  # they have their new items there, backwards
            self.record_test(n)
        if n.has_reverse and self.asks_for_lost_keys(n.test, n):
            self.record_test(n)
        for name in sorted(killed):
            if is_content(name):  # the stores inside save what they overwrite
                if name in test:
                    self.record_test(n)
                continue
            if self.ctx.definitions[name] < 2 and name not in r:
                continue
            if name not in r and name not in test and inside is None:
                inside = self.all_reads([*n.body, *n.orelse]) | ends
            if name in r or name in test or (inside is not None and name in inside):
                if name in exchanged:
                    if name in test:
                        self.record_test(n)
                elif not n.has_reverse or (
                    self.sees_entry(n.body, name) is not False and self.sees_entry(n.orelse, name) is not False
                ):
                    hoisted.add(name)
                elif name in test:
                    self.record_test(n)
        n.rec.saves = sorted(hoisted)
        inner = frozenset((r | test | ends) - hoisted)
        self.hoisted.append(hoisted)
        a = self.scope(n, n.body, inner, 0)
        b = self.scope(n, n.orelse, inner, 1)
        self.hoisted.pop()
        merged = merge(a, b)
        if merged is None:
            return None
        ahead = self.ahead(n)
        again = {x for name, e in n.rec.recomputed if name in ahead for x in self.inputs(name, e)}
        return merged | (init_reads - ahead) | {x for x in again if not self.comes_back(x, n)}

    def ahead(self, n: Branch) -> set[str]:
        """What is computed again before the adjoints that a branch begins with, as they are made like it."""
        values = dict(n.rec.recomputed)
        todo = self.reads(n.inits) & values.keys()
        found: set[str] = set()
        while todo:
            name = todo.pop()
            found.add(name)
            inputs = self.inputs(name, values[name])
            if inputs & set(n.rec.saves):  # they come back behind these adjoints
                return set()
            todo |= (inputs & values.keys()) - found
        return found

    def leaving(self, n: Branch, r: Names) -> Names | None:
        """An if of which one branch only is reversed: what the other one has computed is asked for by nobody."""
        left, rest = (n.orelse, n.body) if n.falling == 0 else (n.body, n.orelse)
        before = len(self.break_sets[-1]) if self.break_sets else 0
        self.block(left, NOTHING)
        if self.break_sets:
            del self.break_sets[-1][before:]
        return self.block(rest, r)

    def scope(self, n: Branch, nodes: list[Node], r: Names, side: int) -> Names | None:
        """A branch in a loop: names that live only inside it are saved at its end."""
        if not self.loops:
            return self.block(nodes, r)
        ends_of: list[set[str]] = []
        exposed: set[str] = set()
        last = self.exposure(nodes, set(), exposed, ends_of)
        every = set.intersection(*ends_of, *([] if last is None else [last])) if ends_of or last is not None else set()
        mine = self.local_to(nodes, every - exposed)
        required: set[str] = set()
        self.scopes[-1].append((mine, required))
        out = self.block(nodes, r)
        self.scopes[-1].pop()
        if out is not None:
            required |= out & mine
        self.recompute_cheap(sorted(required), nodes)
        self.ends.setdefault(id(n), ([], []))[side][:] = sorted(required)
        return None if out is None else out - mine

    def local_to(self, nodes: list[Node], names: set[str]) -> set[str]:
        """Those of the names that nothing outside these nodes binds or reads."""
        inside = all_nodes(nodes)
        bound: Counter[str] = Counter()
        for n in inside:
            if isinstance(n, Group):
                bound.update(set(n.kills))
            elif isinstance(n, Loop) and isinstance(n.target, Var):
                bound[n.target.name] += 1
        names = {k for k in names if k in bound and bound[k] == self.ctx.definitions[k]} - set(self.ctx.function.names)
        if not names:
            return names
        known = set(map(id, inside))
        for n in all_nodes(self.root):
            if id(n) not in known:
                names -= self.primal_reads(n) | self.adjoint_reads(n)
        return names

    @cached_property
    def exchanges(self) -> bool:
        """Whether names are exchanged anywhere: a walk through all branches inside each takes quadratic time."""
        return any(isinstance(n, Group) and n.moves for n in all_nodes(self.root))

    @cached_property
    def resizes(self) -> bool:
        """Whether any list gets longer or shorter: a walk through all branches inside each takes quadratic time."""
        return any(isinstance(s, ir.Append) for s in ir.statements(self.ctx.function.body))

    def lists_seen(self, name: str) -> set[str]:
        """The lists and dicts in which a list that changes may be seen, by its names or as an item."""
        aliases = self.ctx.aliases
        others = aliases.members.get(aliases.of.get(name, ""), ())
        return {name, *(n for n in others if self.ctx.facts.of(Var(n)).kind in CONTAINERS)}

    def asks_for_lost_keys(self, e: Expr, n: Node) -> bool:
        """Whether an expression at a node asks for the keys of a dict that gets entries behind it, or in the rounds of
        a loop around it: the reverse sweep would have to take out each one that was new."""
        found = (of for of in ir.walk(e) if isinstance(of, Op) and of.fn in ("operator.in", "operator.not_in"))
        contents = {self.ctx.aliases.content(of.args[1].name) for of in found if isinstance(of.args[1], Var)}
        if not contents:
            return False
        behind = False
        for m in all_nodes(self.root):
            behind = behind or m is n or (isinstance(m, Loop) and find_parent(m.body, n) is not None)
            if behind and isinstance(m, Group) and not contents.isdisjoint(m.kills):
                return True
        return False

    def record_test(self, n: Branch) -> None:
        """The test can't be evaluated again in the reverse sweep: it gets a name before the if."""
        if isinstance(n.test, Var):  # which it has, and which is evaluated again
            self.save_instead({n.test.name})
        taken = self.ctx.names.fresh("taken", self.ctx.names.of(n))
        parent = find_parent(self.root, n)
        assert parent is not None
        test = Op("builtins.bool", (n.test,)) if self.may_change(n.test) else n.test
        parent.insert(parent.index(n), Group([Assign(taken, test)], (taken,)))
        n.test = Var(taken)
        self.primal.add(taken)
        self.ctx.definitions[taken] += 1
        raise Restart

    def may_change(self, test: Expr) -> bool:
        """Whether the value of a test may be an object that is another truth value once it is changed: the list of
        `stack and stack[-1] > v`."""
        match test:
            case Op(fn="operator.and" | "operator.or" | "operator.ifexp", args=args):
                return any(map(self.may_change, args))
            case Var() | ir.Index():
                return not self.ctx.facts.is_scalar(test) or self.ctx.facts.of(test).kind in CONTAINERS
            case Op(fn=fn):
                return fn.startswith("local.")
        return False

    def sees_entry(self, nodes: list[Node], name: str) -> bool | None:
        """False if adjoint code inside reads a later version of `name`; None if the block kills it; else True."""
        killed = False
        for n in nodes:
            reads = name in self.adjoint_reads(n)
            match n:
                case Group():
                    if killed and reads:
                        return False
                    if name in n.kills:
                        if name in self.after(n):
                            return False
                        killed = True
                case Branch():
                    if killed and (name in self.all_reads([n])):
                        return False
                    inner = [self.sees_entry(n.body, name), self.sees_entry(n.orelse, name)]
                    if False in inner:
                        return False
                    if None in inner:
                        if name in self.reads(n.inits):  # those stand behind the inner if
                            return False
                        killed = True
                case Loop():
                    if name in kills([n]):
                        if name in self.all_reads([n]):
                            return False
                        killed = True
                    elif killed and name in self.all_reads([n]):
                        return False
                case Leaf():
                    if killed and reads:
                        return False
        return None if killed else True

    def adjoint_reads(self, n: Node) -> set[str]:
        """Names that the adjoint code of the node itself reads, not of the nodes inside it."""
        return self.wanted(self.read_by(n), n)

    def read_by(self, n: Node) -> set[str]:
        """The same before some of them are recomputed: it stays as it is until the next start."""
        found = self.read_once.get(id(n))
        if found is None:
            found = self.read_once[id(n)] = self.find_reads(n)
        return found

    def find_reads(self, n: Node) -> set[str]:
        match n:
            case Group():  # a restore of elements reads the names of their place
                places = {x for place in n.places.values() for x in ir.reads(place)}
                return self.reads(n.post) | self.reads(n.pre) | (places & self.primal)
            case Leaf():
                return self.reads(n.post)
            case Branch():
                own = self.reads(n.inits) | self.reads(n.body_end) | self.reads(n.orelse_end)
                return own | self.names([n.test]) if n.has_reverse and n.falling is None else own
            case Loop():
                return self.header_reads(n) | self.reads(n.inits) | self.reads(n.ends)

    def all_reads(self, nodes: list[Node]) -> set[str]:
        every = all_nodes(nodes)
        return set().union(*(self.wanted(self.read_by(n), n) for n in every))

    def primal_reads(self, n: Node) -> set[str]:
        match n:
            case Group() | Leaf():
                return self.reads(n.forward) | {name for s in n.forward for name in ir.resized(s)}
            case Branch():
                return self.names([n.test])
            case Loop():
                return self.names([n.iterable])

    # ------------------------------------------------------------ loops
    def header_reads(self, n: Loop) -> set[str]:
        if not n.has_reverse:
            return set()
        names = {n.counter} if n.counter else set()
        if n.kind == "for":
            names |= self.names([n.iterable])
        return names

    def record_bounds(self, n: Loop, written: set[str]) -> None:
        """A bound that is an element which the loop writes gets a name before it: the way back has as many steps."""
        parent = find_parent(self.root, n)
        assert parent is not None

        def named(e: Expr, wish: str) -> Expr:
            if not self.names([e]) & written:
                return e
            name = self.ctx.names.fresh(wish, self.ctx.names.of(n))
            parent.insert(parent.index(n), Group([Assign(name, e)], (name,)))
            self.ctx.facts.names[name] = Fact("int", SCALAR)
            self.primal.add(name)
            self.ctx.definitions[name] += 1
            return Var(name)

        def bounded(e: Expr) -> Expr:
            match e:
                case Op(fn="builtins.range", args=bounds):
                    wishes = ["start", "stop", "step"] if len(bounds) > 1 else ["stop"]
                    return replace(e, args=tuple(map(named, bounds, wishes[: len(bounds)])))
                case Op(args=(inner,)):
                    return replace(e, args=(bounded(inner),))
                case ir.Index(array=inner, key=ir.Slice(start=None, stop=stop, step=None)):
                    return ir.Index(bounded(inner), ir.Slice(None, None if stop is None else named(stop, "stop")))
            return e

        n.iterable = bounded(n.iterable)
        raise Restart

    def loop(self, n: Loop, r: Names) -> Names:
        killed = kills(n.body)
        if written := {k for k in self.header_reads(n) & killed if is_content(k)}:
            self.record_bounds(n, written)
        target = {n.target.name} if isinstance(n.target, Var) else set()
        given = target - killed  # the reverse header binds it
        n.locals = self.locals_of(n) | target
        self.loops.append(n)
        own_saved = self.saved_inside(n, given)
        entry = {k for k in r & (killed | target) if self.kept_at_entry(k, n, killed, own_saved)}
        ends = self.fixpoint(n, frozenset(r - entry), n.locals, given)
        required = sorted((ends & n.locals) - given)
        self.recompute_cheap(required, n.body)
        self.loops.pop()
        n.at_end = required
        n.rec.saves = sorted(entry)
        r = r | {self.ctx.aliases.roots[k[1:]] for k in n.rec.saves if is_content(k)}
        head = frozenset(r - entry) | (ends - n.locals)
        return head | self.wanted(self.header_reads(n) | self.reads(n.inits), n)

    def kept_at_entry(self, k: str, n: Loop, killed: set[str], own_saved: set[str]) -> bool:
        """Whether what only code before the loop reads is saved once, before the loop."""
        if k in n.locals:
            return True
        if is_content(k):
            stores = [m for m in all_nodes(n.body) if isinstance(m, Group) and k in m.places]
            if all(self.is_unasked(m, k) for m in stores):
                return False
            if any(isinstance(m.places[k].array, ir.Index) for m in stores):
                return False  # a copy of the list has the same rows, dicts and objects
            if not all(self.is_swept(m.places[k], n) for m in stores):
                return False  # a copy at each entry of this loop, inside another one, takes longer than the loop
            root = self.ctx.aliases.roots.get(k[1:])
            return k not in own_saved and root is not None and root not in killed and self.is_copied_whole(root)
        return k not in own_saved

    def is_swept(self, place: ir.Index, n: Loop) -> bool:
        """Whether a store in a loop reaches about as much of the buffer as a copy of it has, as far as this is known:
        its subscripts are whole axes and variables of loops that start, or end, at the same number each time. A loop
        that stands in no other one is entered once, at most."""
        if len(self.loops) < 2:
            return True
        inside = {
            m.target.name: m for m in (n, *all_nodes(n.body)) if isinstance(m, Loop) and isinstance(m.target, Var)
        }
        around = self.loops[:-1]
        given = kills([*around]).union(*(ir.reads(m.target) for m in around if m.target is not None))
        for key in ir.key_items(self.ctx.tree(place.key)):
            if key in (ir.ELLIPSIS, ir.Slice(None, None)):
                continue
            loop = inside.get(key.name) if isinstance(key, Var) else None
            if loop is None:
                return False
            counted = loop.iterable.args if isinstance(loop.iterable, Op) else (loop.iterable,)
            if sum(1 for e in counted if self.names([e]) & given) > 1:
                return False
        return True

    def is_copied_whole(self, root: str) -> bool:
        """Whether a copy of a buffer keeps what it holds: that of a list keeps no elements of its arrays.

        A dict is not cut like a list: its entries come back one by one.
        """
        fact = self.ctx.facts.of(Var(root))
        if fact.keyed or fact.kind == "dict":
            return False
        return fact.kind not in CONTAINERS or holds_numbers(Var(root), self.ctx.facts)

    def saved_inside(self, n: Loop, given: set[str]) -> set[str]:
        """What the body saves, or exchanges back, where nothing is read before the loop."""
        key = (id(n), frozenset(self.covered()))
        if key not in self.saved:
            self.fixpoint(n, NOTHING, n.locals, given)
            every = all_nodes(n.body)
            undone = {k for m in every if isinstance(m, Group) and m.rec.undone for k in m.kills}
            self.saved[key] = undone.union(*(m.rec.saves for m in every))
        return self.saved[key]

    def fixpoint(self, n: Loop, r: Names, local: set[str], given: set[str]) -> Names:
        head = r | self.heads.get(id(n), NOTHING) if r else r
        while True:
            self.break_sets.append([])
            self.scopes.append([])
            end = self.block(n.body, head | self.wanted(self.reads(n.ends), n))  # those see the head of the iteration
            self.scopes.pop()
            ends = [*self.break_sets.pop(), *([] if end is None else [end])]
            union = frozenset().union(*ends)
            again = r | (union - local) | (frozenset(head))
            if again == head:
                if r:
                    self.heads[id(n)] = head
                return union
            head = again

    def locals_of(self, n: Loop) -> set[str]:
        """Names killed on every path to an end of the body and never read before."""
        killed: set[str] = set()
        exposed: set[str] = set(self.reads(n.ends))
        if n.kind == "while":
            exposed |= self.names([n.iterable])
        ends: list[set[str]] = []
        last = self.exposure(n.body, killed, exposed, ends)
        if last is not None:
            ends.append(last)
        if not ends:
            return set()
        every = set.intersection(*ends)
        exposed -= {x for x in self.reads(n.ends) if x in every and x not in exposed}
        return {k for k in every - exposed if not is_content(k)}  # a buffer of the last iteration lives on

    def exposure(self, nodes: list[Node], killed: set[str], exposed: set[str], ends: list[set[str]]) -> set[str] | None:
        """Adds to `exposed` what is read before it is killed; returns what is killed at the end, or None."""
        for n in nodes:
            exposed |= (self.primal_reads(n) | (self.adjoint_reads(n) - self.after(n))) - killed
            match n:
                case Group():
                    exposed |= self.after(n) - killed - set(n.kills)
                    killed |= {k for k in n.kills if not is_content(k)} | set(n.births)
                case Branch():
                    a = self.exposure(n.body, set(killed), exposed, [] if n.falling == 1 else ends)
                    b = self.exposure(n.orelse, set(killed), exposed, [] if n.falling == 0 else ends)
                    if a is None and b is None:
                        return None
                    killed |= set.intersection(*(x for x in (a, b) if x is not None))
                case Loop():
                    inner = set(killed) | ({n.target.name} if isinstance(n.target, Var) else set())
                    self.exposure(n.body, inner, exposed, [])
                case Leaf(kind="break"):
                    ends.append(set(killed))
                    return None
                case Leaf(kind="return"):
                    return None
                case Leaf():
                    if any(isinstance(s, ir.Inert) and s.keyword == "raise" for s in n.forward):
                        return None
        return killed

    def recompute_cheap(self, names: list[str], nodes: list[Node]) -> None:
        """Tries all of them, the last defined first: what a recomputation reads is needed at its place as well."""
        if not names:
            return
        at = {k: i for i, n in enumerate(all_nodes(nodes)) if isinstance(n, Group) for k in n.kills}
        for name in sorted(names, key=lambda k: -at.get(k, 0)):
            self.try_recompute(name, nodes)
        if self.decided:
            raise Restart

    def try_recompute(self, name: str, nodes: list[Node]) -> None:
        """Prefers computing a local again to saving it, where that is cheap and its operands have their values."""
        if name in self.recompute or name in self.kept:
            return
        if name in self.ctx.aliases.buffers or self.ctx.aliases.of.get(name) in self.ctx.aliases.dynamic:
            return  # a new buffer would not hold what has been stored
        if "%" in name:
            return
        at = next((i for i, n in enumerate(nodes) if isinstance(n, Group) and n.kills == (name,)), None)
        if at is None or self.ctx.definitions[name] != 1:
            return
        node = nodes[at]
        assert isinstance(node, Group)
        definition = node.forward[-1]
        if not isinstance(definition, Assign):
            return
        item, kind = is_item(definition.value), self.ctx.facts.of(definition.value).kind
        keys = name in self.lists_of_keys and not self.ctx.aliases.contents(definition.value)
        listed = kind == "list" or (isinstance(definition.value, ir.Sequence) and not self.is_place(definition.value))
        if listed and not item and not keys:
            return  # a list may have been appended to since; an item of another list is the same object
        shrinking = self.ctx.sensitive | survey(self.ctx).shortened
        taken = ir.reads(definition.value) & shrinking
        if any(not self.is_filled_before(o, name) for o in taken) or self.ctx.draws(definition.value):
            return
        if self.too_costly(name, definition.value) or name in self.after(node):
            return
        if self.asks_for_lost_keys(definition.value, node):
            return
        readers = [i for i in range(at + 1, len(nodes)) if name in self.all_reads([nodes[i]])]
        if not readers:
            return
        last = readers[-1]
        site = nodes[last]
        for o in self.inputs(name, definition.value):
            if any(o in kills([m]) for m in nodes[at + 1 : last]):
                return
            if o in kills([site]):
                if isinstance(site, Group) and name not in self.after(site):
                    continue
                if isinstance(site, Branch) and o in site.rec.saves:
                    continue
                return
        place = isinstance(definition.value, ir.Sequence)  # of whole numbers, as asked above
        if isinstance(site, Loop) and not (item or keys or place or self.ctx.facts.is_scalar(Var(name))):
            return
        if name in self.after(site):
            return
        if isinstance(site, Branch) and site.falling is not None:
            inner = site.body if site.falling == 0 else site.orelse
            self.try_recompute_in(name, definition.value, inner, nodes)
            return
        self.decide(name, site, definition.value, nodes)

    def is_place(self, e: ir.Sequence) -> bool:
        """Whether a display is a tuple of whole numbers: `p = i, j`."""
        return e.kind == "tuple" and not e.starred and all(self.ctx.facts.of(i).kind == "int" for i in e.items)

    def is_filled_before(self, name: str, item: str) -> bool:
        """Whether a list is appended to only before a variable is bound, once, to an item, and no loop around both
        goes on with it: the reverse sweep takes it apart behind the mirror. Nothing else is done with the list."""
        if name in survey(self.ctx).shortened or name in self.ctx.aliases.of or not self.is_only_read(name):
            return False
        bound = next((self.outermost[id(s)] for s in self.statements if item in ir.binds(s)), None)
        if bound is None:  # a name that the forward sweep keeps a test under
            return False
        at, loop = bound
        appends = [self.outermost[id(s)] for s in self.statements if isinstance(s, ir.Append) and s.array == name]
        return all(i < at and (other == 0 or other != loop) for i, other in appends)

    def is_only_read(self, name: str) -> bool:
        """Whether nothing but items of a list are read, and its length."""
        nodes = [e for s in self.statements for e in ir.nodes(s)]
        items = [e.array for e in nodes if isinstance(e, ir.Index) and not isinstance(e.key, ir.Slice)]
        asked = [e.args[0] for e in nodes if is_len(e) or (isinstance(e, Op) and e.fn == "operator.not")]
        tests = [s.test for s in self.statements if isinstance(s, ir.If | ir.While)]
        known = sum(e == Var(name) for e in (*items, *asked, *tests))
        stored = any(isinstance(s, ir.Store) and ir.written_name(s.target) == name for s in self.statements)
        return known == sum(e == Var(name) for e in nodes) and not stored

    @cached_property
    def statements(self) -> list[Stmt]:
        return list(ir.statements(self.ctx.function.body))

    @cached_property
    def outermost(self) -> dict[int, tuple[int, int]]:
        """For the id of each statement its number, and the id of the outermost loop around it, 0 where none is."""
        found: dict[int, tuple[int, int]] = {}

        def visit(block: ir.Block, loop: int) -> None:
            for s in block:
                found[id(s)] = len(found), loop
                inner = loop or (id(s) if isinstance(s, ir.For | ir.While) else 0)
                for b in ir.blocks(s):
                    visit(b, inner)

        visit(self.ctx.function.body, 0)
        return found

    @cached_property
    def lists_of_keys(self) -> frozenset[str]:
        """The lists of the keys of a dict, and of written out numbers, that loops run over, and nothing else is done
        with."""
        every = list(ir.statements(self.ctx.function.body))
        made = {s.target for s in every if isinstance(s, Assign) and (lists_keys(s.value) or is_written_out(s.value))}
        nodes = [e for s in every for e in ir.nodes(s)] if made else []
        read = Counter(
            of.name
            for e in nodes
            for of in ((e.array,) if isinstance(e, ir.Index) else e.args if is_len(e) else ())
            if isinstance(of, Var)
        )
        changed = {n for s in every for n in ir.resized(s)} | {
            ir.written_name(s.target) for s in every if isinstance(s, ir.Store)
        }
        return frozenset(n for n in made - changed if read[n] == sum(e == Var(n) for e in nodes))

    def too_costly(self, name: str, value: Expr) -> bool:
        """Whether computing a value again is dearer than a reference to it: a scalar function is not."""
        if not is_costly(value):
            return False
        if not self.ctx.facts.is_scalar(Var(name)):
            return True
        calls = [n for n in ir.walk(value) if isinstance(n, ir.Op)]
        return any(
            n.fn not in CHEAP and getattr(rules.lookup(n.fn), "kind", "") != "elementwise" for n in calls
        ) or any(not self.ctx.facts.is_scalar(n) for n in ir.walk(value) if isinstance(n, Var))

    def try_recompute_in(self, name: str, value: Expr, nodes: list[Node], block: list[Node]) -> None:
        """The readers stand in the branch that goes on: the value is computed again before the last of them."""
        readers = [i for i, m in enumerate(nodes) if name in self.all_reads([m])]
        site = nodes[readers[-1]]
        if not isinstance(site, Group) or name in self.after(site):
            return
        if any(o in kills(nodes[: readers[-1]]) for o in self.inputs(name, value)):
            return
        self.decide(name, site, value, block)

    def decide(self, name: str, site: Node, value: Expr, block: list[Node]) -> None:
        """Recompute `name` at a node, for a block. What it reads is needed there now: that is decided anew."""
        todo = list(self.names([value]))
        undone = False
        while todo:
            found = self.recompute.pop(todo.pop(), None)
            if found is not None:
                todo += self.names([found.value])
                undone = True
        self.recompute[name] = Again(site, value, frozenset(map(id, all_nodes(block))))
        self.decided = True
        if undone:
            raise Restart
        site.rec.recomputed.append((name, value))


def is_item(e: Expr) -> bool:
    """Whether an expression is one item of a sequence under a name: the same object, as often as it is asked for."""
    return isinstance(e, ir.Index) and isinstance(e.array, Var) and isinstance(e.key, Var | ir.Const)


def is_len(e: Expr) -> TypeGuard[Op]:
    return isinstance(e, Op) and e.fn == "builtins.len"


def is_content(location: str) -> bool:
    """Whether a location is the elements of a buffer, not a name."""
    return location.startswith("*")


def merge(a: Names | None, b: Names | None) -> Names | None:
    if a is None:
        return b
    return a if b is None else a | b


def kills(nodes: list[Node]) -> set[str]:
    out: set[str] = set()
    for n in all_nodes(nodes):
        if isinstance(n, Group):
            out |= set(n.kills)
        if isinstance(n, Loop) and isinstance(n.target, Var):
            out.add(n.target.name)
    return out


def only_exchanged(nodes: list[Node]) -> set[str]:
    """The names that nothing but exchanges binds, which are exchanged back."""
    groups = [n for n in all_nodes(nodes) if isinstance(n, Group)]
    exchanged = {k for n in groups for k, of in n.moves.items() if k != of}
    if not exchanged:
        return exchanged
    loops = [n for n in all_nodes(nodes) if isinstance(n, Loop)]
    others = {k for n in groups for k in n.kills if n.moves.get(k, k) == k}
    return exchanged - others - {n.target.name for n in loops if isinstance(n.target, Var)}


def grown(n: Branch) -> set[str]:
    """The lists that get longer or shorter in one of the branches."""
    simple = (m for m in all_nodes([*n.body, *n.orelse]) if isinstance(m, Group | Leaf))
    return {name for m in simple for s in m.forward for name in ir.resized(s)}


def find_parent(nodes: list[Node], wanted: Node) -> list[Node] | None:
    for n in nodes:
        if n is wanted:
            return nodes
        match n:
            case Branch():
                found = find_parent(n.body, wanted) or find_parent(n.orelse, wanted)
            case Loop():
                found = find_parent(n.body, wanted)
            case _:
                found = None
        if found is not None:
            return found
    return None


def lists_keys(e: Expr) -> bool:
    """Whether an expression lists the keys of a dict."""
    match e:
        case Op(fn=ir.KEYS | "builtins.list", spelling="list", args=(Var(), *_)):
            return True
    return False


def is_written_out(e: Expr) -> bool:
    """Whether an expression is a display of numbers and texts, or of tuples of them: `[(0, 1), (1, 0)]`."""
    parts = [n for i in ir.children(e) for n in ir.walk(i)] if isinstance(e, ir.Sequence) else [e]
    return all(isinstance(n, ir.Const) or (isinstance(n, ir.Sequence) and n.kind == "tuple") for n in parts)
