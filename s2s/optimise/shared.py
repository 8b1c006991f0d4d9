"""A costly value that derivative code reads again has one name, and is computed once.

    A_dot[i] = 0.5 * A_dot[i] / np.sqrt(A[i])             r = np.sqrt(A[i])
    A[i] = np.sqrt(A[i])                          ->      A_dot[i] = 0.5 * A_dot[i] / r
                                                          A[i] = r

    e = np.exp(-a)                                        e = np.exp(-a)
    e1 = np.exp(-a)                               ->      k = e / (1.0 + e)
    k = e / (1.0 + e1)

    s = np.sin(a)                                         s = np.sin(a)
    x_bar += s * y_bar                            ->      x_bar += s * y_bar
    s1 = np.sin(a)                                        x_bar += s * z_bar
    x_bar += s1 * z_bar

Within a run of simple statements, up to the one that changes what the value is computed from. What the user's own
statements compute twice stays as they wrote it. (Local value numbering: Cocke, Schwartz 1970.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from s2s import ir, rules
from s2s.analysis.aliases import METADATA, NOBODY, Seen
from s2s.derive.context import is_costly, role_of
from s2s.frozen import replace
from s2s.ir import Assign, Augment, Block, Comment, Const, Expr, Op, Return, Stmt, Store, Var
from s2s.optimise.asserts import may_change
from s2s.optimise.fold import written_by
from s2s.rules import effects

# What gives new memory, to be written into: each name has its own.
NEW = frozenset(
    f"numpy.{n}" for n in (
        "zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "eye", "identity",
        "arange", "linspace", "array", "copy", "ndarray", "astype",
    )
)  # fmt: skip
# Parts of these are evaluated in some runs only, or once for each item.
APART = frozenset({"operator.ifexp", "operator.and", "operator.or", "operator.chain", ir.NAMED, ir.LAMBDA})


def share(body: Block, wishes: dict[str, str], reserved: Collection[str], seen: Seen = NOBODY) -> Block:
    """`body` with costly values that are read again under one name; `wishes` gets those of the new names."""
    sharing = _Sharing(body, wishes, reserved, seen)
    while (united := sharing.united(body)) is not None:
        body = united
        sharing = _Sharing(body, wishes, reserved, seen)
    body = sharing.block(body)
    names: dict[str, Var] = {}  # a sweep that comes later may read one that is gone
    for name, other in reversed(sharing.twins.items()):
        names[name] = names.get(other, Var(other))
    return ir.renamed_in(body, names) if names else body


def values(e: Expr, written: Collection[str], operand: bool = False) -> Iterator[Op]:
    """The costly values that an expression surely computes, the larger ones first.

    written: functions of the user's that have effects. operand: the value goes into a new one, which shares no memory
    with it: what a function of the user's returns can then have a name as well.
    """
    if isinstance(e, Op):
        if e.fn in APART:
            return
        if is_value(e) or (operand and e.fn.startswith("local.") and e.fn not in written):
            yield e
    elif isinstance(e, ir.Comprehension | ir.Raw):
        return
    new = isinstance(e, Op) and e.fn.startswith(("numpy.", "math.")) and not rules.may_alias(e)
    for c in ir.children(e):
        yield from values(c, written, new)


def is_value(e: Op) -> bool:
    """Whether an operation computes something that is worth a name, the same each time."""
    return (
        (e.fn.startswith(("numpy.", "math.")) or e.fn == ir.OCCURRENCES)
        and e.fn not in NEW | METADATA
        and effects.repeats(e.fn)
        and e.fn not in effects.MAKERS  # each generator of random numbers has draws of its own
        and is_costly(replace(e, args=tuple(a if isinstance(a, Const) else Var("_") for a in e.args)))
        and not rules.may_alias(e)
    )


def read(s: Stmt) -> list[Expr]:
    """The expressions of a simple statement that are evaluated before it changes anything."""
    match s:
        case Assign() | Return() | ir.Append() | ir.Unpack() | Store() | Augment():
            return [s.value]
    return []


def handed_on(e: Expr) -> Iterator[Expr]:
    """What the value of an expression is or holds: to be seen, or written into, under another name."""
    match e:
        case ir.Sequence(items=items) | ir.Dict(values=items):
            for i in items:
                yield from handed_on(i)
        case Op(fn="operator.ifexp", args=(_, *chosen)):
            for i in chosen:
                yield from handed_on(i)
        case _:
            yield e


class _Sharing:
    def __init__(self, body: Block, wishes: dict[str, str], reserved: Collection[str], seen: Seen) -> None:
        self.wishes, self.reserved, self.seen = wishes, reserved, seen
        every = list(ir.statements(body))
        self.bound = Counter(n for s in every for n in ir.binds(s))
        self.changed = {n for s in body for n in written_by(s, seen)}
        self.reads = Counter(n for s in every for e in ir.expressions(s) for n in ir.reads(e))
        self.taken = {*reserved, *self.bound, *wishes.values()}
        self.kept = {v.name for s in every for x in read(s) for v in handed_on(x) if isinstance(v, Var)}
        self.known: dict[int, tuple[Stmt, list[Op]]] = {}
        self.twins: dict[str, str] = {}  # names that are gone, and those that stand for them

    def values(self, s: Stmt) -> list[Op]:
        """The costly values that a statement computes before it changes anything."""
        found = self.known.get(id(s))
        if found is None:
            found = self.known[id(s)] = s, [v for x in read(s) for v in values(x, self.seen.effects)]
        return found[1]

    def block(self, b: Block) -> Block:
        done: list[Stmt] = []
        rest = [ir.with_blocks(s, self.block) for s in b]
        times = Counter(v for s in rest for v in self.values(s))
        while rest:
            for e in dict.fromkeys(self.values(rest[0])):
                if times[e] > 1 and (shared := self.shared(e, rest)) is not None:
                    rest = shared
                    times = Counter(v for s in rest for v in self.values(s))
                    break
            else:
                done.append(rest.pop(0))
        return tuple(done)

    def united(self, body: Block) -> Block | None:
        """`body` with one name for two of the generator's that get the same value together in both sweeps."""
        times: Counter[tuple[str, str]] = Counter()
        for block in ir.every_block(body):
            times.update(pair for pair, _ in self.pairs(block))
        for (a, b), n in times.items():
            alone = self.is_alone(a) and self.is_alone(b) and not {a, b} <= self.kept
            if alone and self.bound[a] == self.bound[b] == n:
                return ir.renamed_in(self.without_seconds(body, (a, b)), {b: Var(a)})
        return None

    def pairs(self, block: Block) -> Iterator[tuple[tuple[str, str], int]]:
        """Pairs of names that a block gives the same value, each with the place of the second statement that does."""
        for i, s in enumerate(block):
            if not isinstance(s, Assign) or not isinstance(s.value, Op) or not ir.is_unnamed(s):
                continue
            if self.bound[s.target] > 1 and is_value(s.value):
                for k, twin in self.bound_again(s, list(block[i:])):
                    a, b = sorted((s.target, twin))
                    yield (a, b), i + k

    def without_seconds(self, block: Block, pair: tuple[str, str]) -> Block:
        gone = {k for found, k in self.pairs(block) if found == pair}
        kept = (s for k, s in enumerate(block) if k not in gone)
        return tuple(ir.with_blocks(s, lambda b: self.without_seconds(b, pair)) for s in kept)

    def bound_again(self, first: Assign, rest: list[Stmt]) -> Iterator[tuple[int, str]]:
        """Where its value is given to a name which nobody reads in between."""
        assert isinstance(first.value, Op)
        read: set[str] = {first.target}
        for k in range(1, self.reach(first.value, rest)):
            s = rest[k]
            if isinstance(s, Assign) and s.value == first.value and ir.is_unnamed(s) and s.target not in read:
                yield k, s.target
            if first.target in ir.binds(s):
                return
            read |= {n for e in ir.expressions(s) for n in ir.reads(e)} | set(ir.binds(s))

    def shared(self, e: Op, rest: list[Stmt]) -> list[Stmt] | None:
        """The statements from the first that computes `e` on, with one name for it; None where it is computed once."""
        first = rest[0]
        at = [i for i in range(self.reach(e, rest)) if e in self.values(rest[i])]
        if isinstance(first, Assign) and first.value == e and self.is_alone(first.target):
            end = self.end_of(first.target, rest)
            again = [i for i in at[1:] if i <= end]
            twin = next((i for i in again if self.is_twin(rest, i, e) and not self.are_kept(first, rest[i])), None)
            if twin is not None and (self.is_fixed(first.target) or self.is_read_before(rest[twin], rest[:end])):
                s = rest[twin]
                assert isinstance(s, Assign)
                if self.is_fixed(first.target):
                    self.twins[s.target] = first.target
                self.kept |= {first.target} if s.target in self.kept else set()
                return [*rest[:twin], *ir.renamed_in(tuple(rest[twin + 1 :]), {s.target: Var(first.target)})]
            again = [i for i in again if self.is_derived(rest[i]) and not self.holders(rest[i], e)]
            if not again:
                return None
            return [exchanged(s, e, Var(first.target)) if i in again else s for i, s in enumerate(rest)]
        times = sum(self.values(rest[i]).count(e) for i in at)
        whole = [i for i in at if self.is_whole(rest[i], e)]
        if times < 2 or not any(self.is_derived(rest[i]) for i in at) or whole not in ([], at[-1:]):
            return None
        if sum(self.holders(rest[i], e) for i in at) > 1:
            return None
        if whole and self.is_late(rest, whole[0], e):
            named = rest.pop(whole[0])
            assert isinstance(named, Assign)
            return [named, *(exchanged(s, e, Var(named.target)) if i in at[:-1] else s for i, s in enumerate(rest))]
        if any(isinstance(rest[i], Assign | Return | ir.Append) for i in whole):
            return None
        name = self.fresh(e)
        return [Assign(name, e), *(exchanged(s, e, Var(name)) if i in at else s for i, s in enumerate(rest))]

    def reach(self, e: Op, rest: list[Stmt]) -> int:
        """How many statements see the same value of `e`."""
        names = ir.reads(e)
        visible = names.union(*map(self.seen.visible, names))
        for i, s in enumerate(rest):
            if isinstance(s, ir.Inert) and s.keyword == "assert" and not may_change(s):
                continue
            if not isinstance(s, Comment) and not read(s):
                return i
            if isinstance(s, Return) or visible.intersection(ir.binds(s)):
                return i + 1
            if any(call.fn in self.seen.effects for call in ir.helper_calls(*ir.expressions(s))):
                return i + 1
            if not visible.isdisjoint(written_by(s, self.seen)):
                return i + 1
        return len(rest)

    def is_fixed(self, name: str) -> bool:
        return self.bound[name] == 1 and self.is_alone(name)

    def is_alone(self, name: str) -> bool:
        """Whether nobody writes into what a name is bound to."""
        return name not in self.changed and not self.seen.visible(name)

    def end_of(self, name: str, rest: list[Stmt]) -> int:
        """Up to which statement a name holds what the first one binds it to."""
        again = (i for i, s in enumerate(rest) if i and any(name in ir.binds(t) for t in ir.statements((s,))))
        return len(rest) if self.bound[name] == 1 else next(again, len(rest))

    def is_read_before(self, s: Stmt, block: list[Stmt]) -> bool:
        """Whether all that reads what a statement binds stands in a block."""
        (name,) = ir.binds(s)
        return reads_of(name, block) == self.reads[name]

    def is_twin(self, rest: list[Stmt], i: int, e: Expr) -> bool:
        """Whether a statement gives the value a second name, of the generator's, that nothing else binds."""
        s = rest[i]
        return isinstance(s, Assign) and self.is_fixed(s.target) and self.is_late(rest, i, e)

    def is_late(self, rest: list[Stmt], i: int, e: Expr) -> bool:
        """Whether a statement gives the value a name of the generator's that nothing before has to do with."""
        s = rest[i]
        if not isinstance(s, Assign) or s.value != e or not ir.is_unnamed(s) or not self.is_alone(s.target):
            return False
        return not any(s.target in (*ir.binds(t), *ir.reads(x)) for t in rest[:i] for x in ir.expressions(t))

    def are_kept(self, *named: Stmt) -> bool:
        """Whether all of these names are handed on: their values have to have memory of their own."""
        return all(isinstance(s, Assign) and s.target in self.kept for s in named)

    def holders(self, s: Stmt, e: Op) -> int:
        """In how many places a statement hands on the value itself, not what is computed from it."""
        return sum(v == e for x in read(s) for v in handed_on(x))

    def is_derived(self, s: Stmt) -> bool:
        return getattr(s, "origin", None) is None

    def is_whole(self, s: Stmt, e: Op) -> bool:
        """Whether a statement hands on the value itself: the name would be a second one for its memory."""
        return read(s) == [e]

    def fresh(self, e: Op) -> str:
        """A variable for a value; those of different blocks may have one name in the end."""
        role = role_of(e)
        if role == "t" and role in self.reserved:  # often the time, or a temperature
            role = e.fn.rpartition(".")[2]
        wish, name = ir.free_name(role, self.reserved), ir.free_name(role, self.taken)
        self.taken.add(name)
        self.bound[name] = 1
        self.wishes[name] = wish
        return name


def reads_of(name: str, block: list[Stmt]) -> int:
    return sum(name in ir.reads(e) for s in ir.statements(block) for e in ir.expressions(s))


def exchanged(s: Stmt, old: Expr, new: Expr) -> Stmt:
    def f(e: Expr) -> Expr:
        return new if e == old else ir.rebuild(e, f)

    assert isinstance(s, Assign | Return | ir.Append | ir.Unpack | Store | Augment)
    return replace(s, value=f(s.value))
