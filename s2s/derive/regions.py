"""Stores whose old contents nobody asks for: they need not come back, though elements of the same array are read.

    for i in range(1, n):
        x[i] = np.sin(x[i - 1])      adjoint code reads x[i - 1]: at no point an element that is still to be written

Two subscripts of one element are compared axis by axis. Where both are a loop variable and a constant, the distance of
the two iterations is known, and with it which of them comes first; a constant below all that a loop writes is apart
from it, and so is k from the j of `for j in range(k + 1, n)`, which is k of a later iteration at the earliest.
Everything else is taken for a conflict.
(The strong and weak-zero SIV tests, and bounds of triangular loops: Goff, Kennedy, Tseng, Practical Dependence Testing,
PLDI 1991; Banerjee, Dependence Analysis for Supercomputing, 1988.)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from s2s import ir
from s2s.analysis.aliases import values_read
from s2s.analysis.transfer import fact_of, key_kind
from s2s.derive.context import Context
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node
from s2s.derive.pull import aliased
from s2s.ir import Assign, Const, Expr, Index, Op, Var

Indexed = tuple[str, int]  # a loop variable, or "", and a constant
Axis = Indexed | None  # None for anything else
Ranges = dict[str, "Counted"]
EVERY = ir.Slice(None, None)
Access = tuple[Axis, ...]  # along the first axes; any element where there is none


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop over consecutive integers: its variable, +1 or -1, and the least and the greatest value, as far as they
    are another variable and a constant, or a constant."""

    variable: str
    step: int
    least: Axis
    greatest: Axis


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: the loops around it, from the outside in, and when its store happens in one iteration."""

    loops: tuple[Loop, ...]
    time: int
    block: list[Node]
    around: tuple[Node, ...] = ()  # the loops and branches, from the outside in


@dataclass
class Regions:
    ctx: Context
    root: list[Node]
    places: dict[int, Place] = field(init=False)
    nodes: list[Node] = field(init=False)
    counted: dict[int, Counted | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places, self.nodes = {}, []
        self.enter(self.root, ())

    def enter(self, block: list[Node], around: tuple[Node, ...]) -> None:
        loops = tuple(n for n in around if isinstance(n, Loop))
        for n in block:
            self.places[id(n)] = Place(loops, 3 * len(self.nodes) + 1, block, around)
            self.nodes.append(n)
            if isinstance(n, Loop):
                self.counted[id(n)] = counted(n, self.ctx)
                self.enter(n.body, (*around, n))
            elif isinstance(n, Branch):
                self.enter(n.body, (*around, n))
                self.enter(n.orelse, (*around, n))

    def unasked(self, store: Group, content: str) -> bool:
        """Whether no adjoint code that stands for an earlier point reads what the store overwrites."""
        place = store.places[content]
        if id(store) not in self.places:
            return False
        return any(shows(store, place, content) for shows in (self.is_new, self.is_apart, self.is_put_back))

    def is_new(self, store: Group, place: Index, content: str) -> bool:
        """Whether the array was made in the same iteration, and its elements are not read before the store."""
        array = place.array
        if not isinstance(array, Var):
            return False
        block = self.places[id(store)].block
        at = next(i for i, n in enumerate(block) if n is store)
        made = next((i for i in range(at - 1, -1, -1) if binds(block[i], array.name)), None)
        node = None if made is None else block[made]
        if made is None or not isinstance(node, Group) or not isinstance(node.forward[-1], Assign):
            return False
        if node.forward[-1].target != array.name or aliased(self.ctx.tree(node.forward[-1].value), self.ctx.facts):
            return False
        between = [m for n in block[made + 1 : at] for m in subtree(n)]
        if any(array.name in mentioned(m) and not self.stores_into(m, array) for m in between):
            return False  # another name, or a list, may see it
        behind = [e for when, e in self.adjoint(node) if when == 1]
        own = [e for when, e in self.adjoint(store) if when == -1]
        read = (*behind, *own, *(e for m in between for _, e in self.adjoint(m)))
        return not any(array.name in values_read(self.ctx.tree(e)) for e in read)

    def is_put_back(self, store: Group, place: Index, content: str) -> bool:
        """Whether an earlier store that surely came before writes all of the place, so that undoing it puts back what
        was there, and no adjoint code in between reads the array.

            s[t] = w[0]
            for j in range(m):
                s[t] += w[j] * x[t, j]
        """
        if place.array != Var(self.ctx.aliases.roots.get(content[1:], "")) or not self.ctx.facts.is_array(place.array):
            return False
        inner: Node = store
        read = [e for when, e in self.adjoint(store) if when == -1]
        changed: set[str] = set()
        for outer in reversed((None, *self.places[id(store)].around)):
            block = self.places[id(inner)].block
            at = next(i for i, n in enumerate(block) if n is inner)
            for n in reversed(block[:at]):
                if self.writes_all(n, place, content):
                    assert isinstance(n, Group)
                    key = n.places[content].key
                    read += [e for when, e in self.adjoint(n) if when == 1]
                    if (ir.reads(key) | self.ctx.aliases.contents(key)) & changed:
                        return False
                    return not any(content in self.ctx.aliases.contents(self.ctx.tree(e)) for e in read)
                read += [e for m in subtree(n) for _, e in self.adjoint(m)]
                changed |= set().union(*(bound_by(m) for m in subtree(n)))
            if outer is None:
                return False
            if isinstance(outer, Loop):
                read += [e for m in subtree(outer) for _, e in self.adjoint(m)]
                changed |= set().union(*(bound_by(m) for m in subtree(outer)))
            else:
                read += [e for _, e in self.adjoint(outer)]
            inner = outer
        return False

    def writes_all(self, n: Node, place: Index, content: str) -> bool:
        """Whether a node stores into all of a place of an array, and does it where it is come by."""
        if not isinstance(n, Group) or n.moves or n.undo or n.shrinks:
            return False
        own = n.places.get(content)
        if own is None or own.array != place.array or own.key == ir.ELLIPSIS:
            return own is not None and own.array == place.array
        mine, its = ir.key_items(own.key), ir.key_items(place.key)
        if len(mine) == 1 < len(its) and mine[0] != EVERY and not self.spans_axes(mine[0]):
            return False  # `s[k]` of a tuple is not what `s[k, 0]` lies in
        for i, (k, x) in enumerate(zip(mine, its, strict=False)):
            if k == x or all(m == EVERY for m in mine[i:]):
                continue
            if k != EVERY or not self.spans_axes(x, single=True):
                return False
        return len(mine) <= len(its)

    def spans_axes(self, key: Expr, single: bool = False) -> bool:
        """Whether a subscript stands for axes of the array, of which the next one is not: no tuple of several ones.

        single: for one axis, so that the next subscript is of the next axis: not an ellipsis, None, or a mask
        """
        key = self.ctx.tree(key)
        kind = key_kind(key, self.ctx.facts)
        if kind == "ints":
            return fact_of(key, self.ctx.facts).kind == "int"
        return kind in ("int", "slice") or (not single and kind != "any")

    def stores_into(self, n: Node, array: Var) -> bool:
        """Whether a node is a store into the array, which hands nobody the array."""
        last = n.forward[-1] if isinstance(n, Group) else None
        return isinstance(last, ir.Store) and last.target.array == array

    def is_apart(self, store: Group, place: Index, content: str) -> bool:
        aliases = self.ctx.aliases
        name = content[1:]
        root = aliases.roots.get(name)
        if root is None or name in aliases.dynamic or place.array != Var(root):
            return False
        mine = self.axes(place.key)
        if not any(mine):
            return False
        at = self.places[id(store)]
        for n in self.nodes:
            for when, e in self.adjoint(n):
                for access in self.accesses(e, root, content):
                    if not self.are_apart(mine, at, access, self.places[id(n)], when):
                        return False
        return True

    def adjoint(self, n: Node) -> Iterator[tuple[int, Expr]]:
        """What adjoint code reads at a node, before its statement (-1) or behind it (1)."""
        for _, e in n.rec.recomputed:
            yield -1, e
        match n:
            case Group() | Leaf():
                for s in n.post:
                    for e in ir.expressions(s):
                        yield -1, e
                for s in n.pre if isinstance(n, Group) else ():
                    for e in ir.expressions(s):
                        yield 1, e
            case Branch():
                yield -1, n.test
                for s in (*n.inits, *n.body_end, *n.orelse_end):
                    for e in ir.expressions(s):
                        yield 0, e
            case Loop():
                yield -1, n.iterable
                for s in (*n.inits, *n.ends):
                    for e in ir.expressions(s):
                        yield 0, e

    def accesses(self, e: Expr, root: str, content: str) -> Iterator[Access]:
        """The elements of an array that an expression reads."""
        found: list[Access] = []

        def rest(x: Expr) -> Expr:
            if isinstance(x, Index) and isinstance(x.array, Var) and x.array.name == root:
                found.append(self.axes(x.key))
                return ir.Sequence(tuple(rest(k) for k in ir.key_items(x.key) if not isinstance(k, ir.Slice)))
            if isinstance(x, ir.Comprehension | ir.Raw):
                return x
            return ir.rebuild(x, rest)

        if content in self.ctx.aliases.contents(rest(self.ctx.tree(e))):
            yield ()
        yield from found

    def axes(self, key: Expr) -> tuple[Axis, ...]:
        """The subscripts along the first axes, as far as they are numbers and slices."""
        out: list[Axis] = []
        for k in ir.key_items(self.ctx.tree(key)):
            found = affine(k)
            if not isinstance(k, ir.Slice) and (found is None or not self.spans_axes(k, single=True)):
                break
            out.append(found)
        return tuple(out)

    def are_apart(self, a: tuple[Axis, ...], at: Place, b: tuple[Axis, ...], other: Place, when: int) -> bool:
        """Whether the read at `b` never comes before the store at `a` where both are one element."""
        if when == 0:
            return False
        ranges, its_ranges = self.ranges(at), self.ranges(other)
        pairs = [(x, y) for x, y in zip(a, b, strict=False) if x is not None and y is not None]
        lows = [(low(x, ranges), low(y, its_ranges)) for x, y in pairs]
        known: list[tuple[Indexed, Indexed]] = []  # of which neither counts from the end
        for (x, y), (i, j) in zip(pairs, lows, strict=True):
            if i is None or j is None or i < 0 or j < 0:
                continue
            if (not x[0] and not y[0] and i != j) or (not y[0] and i > j) or (not x[0] and j > i):
                return True
            known.append((x, y))
        for mine, its in zip(at.loops, other.loops, strict=False):
            if mine is not its:
                break
            c = self.counted[id(mine)]
            behind = (distance(x, y, c, ranges, its_ranges) for x, y in known) if c is not None else ()
            later = max((d for d in behind if d is not None), default=-1)
            if later != 0:
                return later > 0
        if other.time + when > at.time:
            return True
        fixed = {c.variable for n in at.loops if n in other.loops and (c := self.counted[id(n)]) is not None}
        return any(
            is_below(end(x, GREATEST, ranges, fixed), end(y, LEAST, its_ranges, fixed))
            or is_below(end(y, GREATEST, its_ranges, fixed), end(x, LEAST, ranges, fixed))
            for x, y in known
        )

    def ranges(self, at: Place) -> Ranges:
        """What the variables of the loops around a place run over, from the outside in."""
        return {c.variable: c for n in at.loops if (c := self.counted[id(n)]) is not None}


def distance(x: Indexed, y: Indexed, c: Counted, ranges: Ranges, its_ranges: Ranges) -> int | None:
    """How many iterations of a loop the read at `y` comes behind the store at `x`, at least, where both are one index.

    j of `for j in range(k + 1, n)` is k' only where k' > k.
    """
    of = {c.variable}
    if c.step > 0:
        least, most = end(x, LEAST, ranges, of), end(y, GREATEST, its_ranges, of)
    else:
        least, most = end(y, LEAST, its_ranges, of), end(x, GREATEST, ranges, of)
    if least is None or most is None or not least[0] == most[0] == c.variable:
        return None
    return least[1] - most[1]


def is_below(most: Axis, least: Axis) -> bool:
    """Whether an index is always less than another one, for the greatest that it is and the least that the other is."""
    return most is not None and least is not None and most[0] == least[0] and most[1] < least[1]


def end(axis: Indexed, side: Callable[[Counted], Axis], ranges: Ranges, of: set[str]) -> Axis:
    """The least or the greatest that an index can be: one of the variables, or nothing, and a constant."""
    found: Axis = axis
    while found is not None and found[0] and found[0] not in of:
        bound = side(ranges[found[0]]) if found[0] in ranges else None
        found = None if bound is None else (bound[0], bound[1] + found[1])
    return found


LEAST: Callable[[Counted], Axis] = operator.attrgetter("least")
GREATEST: Callable[[Counted], Axis] = operator.attrgetter("greatest")


def low(axis: Indexed, ranges: Ranges) -> int | None:
    """The least index, None where it is not known: a negative one counts from the end."""
    found = end(axis, LEAST, ranges, set())
    return None if found is None else found[1]


def affine(e: Expr) -> tuple[str, int] | None:
    """`i + 1` as ("i", 1), `3` as ("", 3)."""
    match e:
        case Const(value=int() as n) if not isinstance(n, bool):
            return "", n
        case Var(name=name):
            return name, 0
        case Op(fn="numpy.add", args=(a, b)):
            x, y = affine(a), affine(b)
            if x is not None and y is not None and not (x[0] and y[0]):
                return x[0] or y[0], x[1] + y[1]
        case Op(fn="numpy.subtract", args=(a, b)):
            x, y = affine(a), affine(b)
            if x is not None and y is not None and not y[0]:
                return x[0], x[1] - y[1]
        case Op(fn="numpy.negative", args=(a,)):
            x = affine(a)
            if x is not None and not x[0]:
                return "", -x[1]
    return None


def counted(n: Loop, ctx: Context) -> Counted | None:
    if n.kind != "for" or not isinstance(n.target, Var) or ctx.definitions[n.target.name] != 1:
        return None
    return count_of(n.target, n.iterable)


def count_of(target: Expr, e: Expr) -> Counted | None:
    """What the variable of a loop runs over, if that is a range of consecutive integers."""
    sign = 1
    while isinstance(e, Op) and e.fn == "builtins.reversed":
        e, sign = e.args[0], -sign
    if not isinstance(target, Var) or not isinstance(e, Op) or e.fn != "builtins.range" or e.options:
        return None
    start = e.args[0] if len(e.args) > 1 else Const(0)
    step = affine(e.args[2]) if len(e.args) > 2 else ("", 1)
    if step not in (("", 1), ("", -1)):
        return None
    first, stop = affine(start), affine(e.args[1] if len(e.args) > 1 else e.args[0])
    if step == ("", 1):
        least, greatest = first, (stop[0], stop[1] - 1) if stop is not None else None
    else:
        least, greatest = (stop[0], stop[1] + 1) if stop is not None else None, first
    return Counted(target.name, sign * step[1], least, greatest)


def binds(n: Node, name: str) -> bool:
    """Whether a node, or one inside it, binds a name."""
    return any(isinstance(m, Group) and name in m.kills for m in subtree(n))


def bound_by(n: Node) -> set[str]:
    """The names that a node binds, not those inside it."""
    if isinstance(n, Loop):
        return {*ir.reads(n.target)} if n.target is not None else set()
    return {*n.kills} if isinstance(n, Group) else set()


def mentioned(n: Node) -> set[str]:
    """The names that the primal statement of a node reads, not those of the nodes inside it."""
    match n:
        case Group() | Leaf():
            read = [e for s in n.forward for e in ir.expressions(s)]
        case Branch():
            read = [n.test]
        case Loop():
            read = [n.iterable]
    return set().union(*map(ir.reads, read))


def subtree(n: Node) -> Iterator[Node]:
    yield n
    match n:
        case Loop():
            for m in n.body:
                yield from subtree(m)
        case Branch():
            for m in (*n.body, *n.orelse):
                yield from subtree(m)
