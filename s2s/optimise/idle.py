"""Zeros that nobody reads, and copies that nobody writes into.

    y_bar = 1.0 * out_bar                    y_bar = out_bar
    for t in reversed(range(n)):             for t in reversed(range(n)):
        s_bar += y_bar[t] * c        ->          s_bar += y_bar[t] * c
        y_bar[t] = 0.0

Two subscripts are compared axis by axis, as in `derive.regions`: where both are the variable of a loop around them and
a constant, it is known in which iteration they meet. Everything else is taken for a read that comes later.
(A name that is bound to such an element before the zero is no view of it: it would be zero as well.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from s2s import ir, rules
from s2s.analysis.aliases import NOBODY, Seen, Union
from s2s.derive.regions import Counted, Ranges, affine, count_of, low
from s2s.frozen import replace
from s2s.ir import Assign, Augment, Block, Expr, Index, Op, Stmt, Store, Var
from s2s.optimise.fold import written_by
from s2s.optimise.kills import is_kill, makes_array

Axes = tuple[tuple[str, int] | None, ...]


@dataclass(frozen=True, slots=True)
class Access:
    """Where elements of an array are read or written: along which axes, in which loops, and at which statement."""

    axes: Axes
    loops: tuple[ir.For | ir.While, ...]
    time: int


def without_zeros(body: Block, seen: Seen = NOBODY) -> Block:
    """`body` without the stores of zeros whose elements nobody reads behind them."""
    every = list(ir.statements(body))
    if not any(map(is_kill, every)):
        return body
    found = _Places(body, seen)
    idle = {id(s) for s in every if is_kill(s) and isinstance(s, Store) and found.is_unread(s)}

    def block(b: Block) -> Block:
        return tuple(ir.with_blocks(s, block) for s in b if id(s) not in idle)

    return block(body) if idle else body


def without_copies(body: Block, seen: Seen = NOBODY) -> Block:
    """`body` with copies whose elements are read only, as second names, and without those that are only added."""
    body = without_added_copies(body)
    copies = [s for s in ir.statements(body) if copied(s)]
    if not copies:
        return body
    found = _Places(body, seen)
    idle = {id(s): Var(copied(s)) for s in copies if isinstance(s, Assign) and found.is_read_only(s.target, copied(s))}

    def block(b: Block) -> Block:
        return tuple(
            replace(s, value=idle[id(s)]) if isinstance(s, Assign) and id(s) in idle else ir.with_blocks(s, block)
            for s in b
        )

    return block(body) if idle else body


def without_added_copies(body: Block) -> Block:
    """x_bar += np.copy(e) as x_bar += e"""

    def block(b: Block) -> Block:
        return tuple(map(statement, b))

    def statement(s: Stmt) -> Stmt:
        match s:
            case Augment(value=Op(fn="numpy.copy", args=(Var() | Index() as e,), options=())):
                return replace(s, value=e, own=False)
        return ir.with_blocks(s, block)

    return block(body)


def without_arrays(body: Block) -> Block:
    """`body` with adjoints that nothing writes parts of as arithmetic gives them, a number for an array of rank 0."""
    every = list(ir.statements(body))
    made = {s.target for s in every if isinstance(s, Assign) and array_of(s) is not None}
    if not made:
        return body
    kept: set[str] = set()
    for s in every:
        whole = [*s.values] if isinstance(s, ir.Inert) else [s.value] if isinstance(s, Assign | ir.Append) else []
        kept |= {e.name for e in whole if isinstance(e, Var)}
        kept |= {
            a.name for e in whole if isinstance(s, ir.Inert) and isinstance(e, Op) for a in e.args if isinstance(a, Var)
        }
        places = [s.target] if isinstance(s, Store | Augment) else []
        kept |= {n.array.name for n in (*places, *ir.nodes(s)) if isinstance(n, Index) and isinstance(n.array, Var)}

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            inner = array_of(s)
            if isinstance(s, Assign) and inner is not None and s.target not in kept:
                s = replace(s, value=inner)
            out.append(ir.with_blocks(s, block))
        return tuple(out)

    return block(body)


def array_of(s: Stmt) -> Expr | None:
    """What a statement of the reverse sweep makes an array of for an adjoint."""
    match s:
        case Assign(target=name, value=Op(fn="numpy.asarray", args=(inner,), options=()), origin=None) if (
            "%_bar" in name
        ):
            return inner
    return None


def copied(s: Stmt) -> str:
    """The name that a statement of the reverse sweep binds a copy of."""
    match s:
        case Assign(value=Op(fn="numpy.multiply", args=(ir.Const(value=1.0), Var(name=name))), origin=None):
            return name
    return ""


class _Places:
    def __init__(self, body: Block, seen: Seen) -> None:
        self.seen = seen
        self.time = 0
        self.times: dict[int, int] = {}
        self.loops: dict[int, tuple[ir.For | ir.While, ...]] = {}
        self.blocks: dict[int, tuple[int, ...]] = {}  # the blocks that a statement stands in, from the outside in
        self.made: dict[str, list[Stmt]] = {}
        self.accesses: dict[str, list[Access]] = {}
        self.whole: set[str] = set()  # names that are read otherwise than by subscripts
        self.views: dict[str, set[str]] = {}  # of an array, names that are bound to what a subscript gives
        self.held: set[str] = set()  # arrays of which such parts are returned, or put somewhere
        self.written = {n for s in body for n in written_by(s, seen)}
        self.same = Union()  # names that are bound to one another
        self.enter(body, (), ())
        self.groups: dict[str, list[str]] = {}
        for name in self.same.parent:
            self.groups.setdefault(self.same.find(name), []).append(name)

    def enter(self, body: Block, loops: tuple[ir.For | ir.While, ...], blocks: tuple[int, ...]) -> None:
        for s in body:
            self.time += 1
            self.times[id(s)], self.loops[id(s)], self.blocks[id(s)] = self.time, loops, (*blocks, id(body))
            for name in ir.binds(s):
                if not isinstance(s, Augment | Store):
                    self.made.setdefault(name, []).append(s)
            if isinstance(s, Assign) and isinstance(s.value, Var):
                self.same.unite(s.value.name, s.target)
                continue
            if isinstance(s, Assign) and isinstance(s.value, Index) and isinstance(s.value.array, Var):
                self.views.setdefault(s.value.array.name, set()).add(s.target)
                self.visit(s.value, loops, True)
                continue
            for e in ir.expressions(s):
                self.visit(e, loops, isinstance(s, Augment))
            inside = (*loops, s) if isinstance(s, ir.For | ir.While) else loops
            for b in ir.blocks(s):
                self.enter(b, inside, self.blocks[id(s)])

    def visit(self, e: Expr, loops: tuple[ir.For | ir.While, ...], operand: bool = False) -> None:
        """operand: what is made of `e` has memory of its own."""
        match e:
            case Index(array=Var(name=name), key=key):
                self.accesses.setdefault(name, []).append(Access(axes(key), loops, self.time))
                if not operand:
                    self.held.add(name)
                self.visit(ir.as_value(key), loops)
                return
            case Var(name=name) if operand:
                self.accesses.setdefault(name, []).append(Access((), loops, self.time))
                return
            case Var(name=name):
                self.whole.add(name)
                return
            case ir.Comprehension() | ir.Raw():
                self.whole |= {n.name for n in ir.walk(e) if isinstance(n, Var)} | ir.reads(e)
                return
        new = isinstance(e, Op) and e.fn.startswith("numpy.") and not rules.may_alias(e)
        for c in ir.children(e):
            self.visit(c, loops, new)

    def is_read_only(self, copy: str, of: str) -> bool:
        """Whether elements of a copy are read and nothing else, and those of the original stay as they are."""
        if len(self.made.get(of, ())) > 1 or of in self.written or self.seen.visible(of):
            return False
        names = {copy}
        while more := {v for n in names for v in self.views.get(n, ())} - names:
            names |= more
        if any(self.seen.visible(n) or n in self.same.parent for n in names) or len(self.made[copy]) > 1:
            return False
        return names.isdisjoint(self.whole | self.held | self.written)

    def is_unread(self, kill: Store) -> bool:
        """Whether nobody reads the elements that are set to zero, under any name of the array."""
        assert isinstance(kill.target.array, Var)
        name = kill.target.array.name
        names = self.groups.get(self.same.find(name), [name])
        made = [s for n in names for s in self.made.get(n, [])]
        new = [s for s in made if makes_array(s)]
        if len(made) != len(names) or len(new) != 1 or not self.whole.isdisjoint(names):
            return False
        if any(self.blocks[id(s)][-1] not in self.blocks[id(kill)] for s in made) or any(map(self.seen.visible, names)):
            return False
        loops = self.loops[id(kill)]
        variables = [v for s in loops if isinstance(s, ir.For) for v in ir.target_names(s.target)]
        if len({*variables}) < len(variables) or not all(self.only_counts(v) for v in variables):
            return False
        mine = Access(axes(kill.target.key), loops, self.times[id(kill)])
        depth = len(self.loops[id(new[0])])  # the array is another one in each iteration of the loops around that
        return all(
            self.comes_before(a, mine, depth)
            for n in names
            for a in self.accesses.get(n, [])
            if a.time != mine.time or a.axes != mine.axes
        )

    def only_counts(self, name: str) -> bool:
        """Whether only loops bind a variable."""
        return all(isinstance(s, ir.For) for s in self.made[name])

    def comes_before(self, a: Access, kill: Access, depth: int) -> bool:
        """Whether an access is never to the element that has been set to zero, from there on."""
        ranges, its_ranges = ranges_of(kill.loops), ranges_of(a.loops)
        known: list[tuple[tuple[str, int], tuple[str, int]]] = []
        for x, y in zip(kill.axes, a.axes, strict=False):
            if x is None or y is None:
                continue
            i, j = low(x, ranges), low(y, its_ranges)
            if i is None or j is None or i < 0 or j < 0:
                continue  # one of them may count from the end
            if (not x[0] and not y[0] and i != j) or (not y[0] and i > j) or (not x[0] and j > i):
                return True
            known.append((x, y))
        for mine, its in zip(kill.loops[depth:], a.loops[depth:], strict=False):
            if mine is not its:
                break
            counted = count_of(mine.target, mine.iterable) if isinstance(mine, ir.For) else None
            if counted is None:
                return False
            of = counted.variable
            later = next((counted.step * (x[1] - y[1]) for x, y in known if x[0] == y[0] == of), None)
            if later is None or later > 0:
                return False
            if later < 0:
                return True
        return a.time < kill.time


def axes(key: Expr) -> Axes:
    """The subscripts along the first axes, as far as they are numbers and slices."""
    out: list[tuple[str, int] | None] = []
    for k in ir.key_items(key):
        found = affine(k)
        if found is None and not isinstance(k, ir.Slice):
            break
        out.append(found)
    return tuple(out)


def ranges_of(loops: Sequence[ir.For | ir.While]) -> Ranges:
    """What the variables of loops over ranges run over."""
    return {c.variable: c for c in counts(loops)}


def counts(loops: Sequence[ir.For | ir.While]) -> Iterator[Counted]:
    for s in loops:
        if isinstance(s, ir.For) and (c := count_of(s.target, s.iterable)) is not None:
            yield c
