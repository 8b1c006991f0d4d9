"""Drops what nobody reads: liveness backwards over both sweeps joined.

    cost = cost + 0.5 * x**2        (dropped: the gradient never reads cost)
    x_saved.append(x)               (dropped with the restore that would have read it)

A loop runs to a fixpoint from the empty set, so a variable that only feeds itself dies. Statements with an effect
(assert, print, raise, np.add.at, a pop of an adjoint) stay, and so do draws of random numbers that later draws follow:

    t1 = rng.normal()  ->  rng.normal()

what is read of an array is told from what is asked of its shape: a store into the whole of it, `x[...] = e`, is for
those who read elements (`*x` among the names that are live).

And what is known by an unpacking is still asked:

    m, n = A.shape  ->  assert np.ndim(A) == 2
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from s2s import ir
from s2s.analysis.aliases import NOBODY, Seen, Union, values_read
from s2s.frozen import replace
from s2s.ir import Block, Expr, Op, Stmt, Var
from s2s.rules import effects

Live = frozenset[str]


def remove_dead(block: Block, seen: Seen = NOBODY) -> Block:
    """`block` without statements that have no effect on what is returned, printed, or seen by the caller."""
    out, _ = _block(block, at_end(seen), [], _Loops(seen, block))
    return out


def at_end(seen: Seen) -> Live:
    """What is read behind a function: of the caller's arrays, the elements."""
    return seen.at_end | _elements(seen.at_end)


def live_before(block: Block, live: Live, breaks: tuple[Live, ...] = (), seen: Seen = NOBODY) -> Live:
    """The names that are read from the head of `block` on, where those of `live` are read behind it."""
    return _block(block, live, list(breaks), _Loops(seen, block, whole=False))[1]


class _Loops:
    """What is known of the loops from visits before, so that loops inside loops are not settled anew each time."""

    def __init__(self, seen: Seen, block: Block, whole: bool = True) -> None:
        self.peers = seen.peers
        self.holding = frozenset().union(*seen.peers.values())
        self.at_end = at_end(seen)
        self.effects = seen.effects
        self.proofs = seen.proofs
        self.generators = effects.own(block)
        self.sharers = _Sharers(block) if whole else None  # of a part it is not known in which lists another lies
        self.stay: set[int] = set()
        self.heads: dict[tuple[int, bool], Live] = {}

    def effect(self, s: Stmt, value: Expr, live: Live) -> tuple[ir.Inert | None, Live]:
        """The value alone, where nobody wants it but it writes into its arguments, takes an item out of a list that
        somebody reads, or draws what others draw from. Of an expression around one call that does, the call."""
        acting = [n for n in ir.walk(value) if isinstance(n, Op) and self.acts(n, live)]
        if not acting and not any(self.matters(n, live) for n in effects.drawn(value)):
            return None, live
        alone = len(acting) == 1 and any(n is acting[0] for n in ir.surely_evaluated(value))
        kept = ir.Inert("", (acting[0] if alone else value,), s.origin)
        return kept, live | read_by(kept)

    def acts(self, call: Op, live: Live) -> bool:
        """Whether a call writes into its arguments, or takes an item out of a list that somebody reads."""
        match call:
            case Op(fn="method.pop", args=(Var(name=name), *_)):
                return call.fn in self.effects or not self.names_of(name).isdisjoint(live)
        return call.fn in self.effects

    def names_of(self, name: str) -> Live:
        """The names by which a list may be read that gets or loses an item."""
        others = self.sharers.of(name) if self.sharers is not None else Live()
        return others | self.peers.get(name, Live()) | {name}

    def matters(self, call: Op, live: Live) -> bool:
        """Whether somebody may draw from a generator after this call."""
        match call.args:
            case (Var(name=name), *_) if call.fn.startswith("method.") and name in self.generators:
                return name in live
        return True


def _block(block: Block, live: Live, breaks: list[Live], loops: _Loops, idle: bool = False) -> tuple[Block, Live]:
    """`idle`: a branch that only breaks goes, too; the loop around it is on trial (see `_loop`)."""
    out: list[Stmt] = []
    gone: Stmt | None = None
    for s in reversed(block):
        if gone is not None and _guards(s, gone):
            continue
        new, live = _statement(s, live, breaks, loops, idle)
        gone = s if new is None else None
        if new is not None:
            out.append(new)
    return tuple(reversed(out)), live


def _guards(s: Stmt, store: Stmt) -> bool:
    """Whether an assertion is there for a store alone: `assert np.ndim(x) > 0` before `x += e`."""
    if not (isinstance(s, ir.Inert) and s.keyword == "assert" and isinstance(store, ir.Store) and s.origin is not None):
        return False
    return s.origin is store.origin and ir.reads(s.values[0]) == {ir.written_name(store.target)}


@lru_cache(maxsize=10_000)
def read_by(s: Stmt) -> frozenset[str]:
    """The names that a statement reads, and `*x` for those of which it reads elements."""
    names: set[str] = set()
    elements: set[str] = set()
    for e in ir.expressions(s):
        names |= ir.reads(e)
        elements |= values_read(e)
    return frozenset(b for n in names for b in ir.base_names(n)) | _elements(
        b for n in elements for b in ir.base_names(n)
    )


def _elements(names: Iterable[str]) -> Live:
    return frozenset(f"*{n}" for n in names)


def _memory(names: Iterable[str]) -> Live:
    """What is asked of the memory that names see: their elements, and whether all of it is written anew (`!x`)."""
    return frozenset(f"{mark}{n}" for n in names for mark in "*!")


def _pops_adjoint(s: ir.Assign) -> bool:
    return (
        isinstance(s.value, Op)
        and s.value.fn == "method.pop"
        and isinstance(s.value.args[0], Var)
        and s.value.args[0].name.endswith("_bar")
    )


def _shortens_idly(e: Expr, live: Live, loops: _Loops) -> bool:
    """Whether a list loses an item that nobody reads any more."""
    match e:
        case Op(fn="method.pop", args=(Var(name=name), *_)) if loops.sharers is not None:
            return loops.names_of(name).isdisjoint(live)
    return False


# functions whose results are no lists that they were given, nor hold them
NUMBERS = frozenset(f"builtins.{n}" for n in ("len", "sum", "any", "all", "abs", "float", "int", "bool", "range"))
NEW = ("helper._added", "helper._zeros_like")  # lists of new values


class _Sharers:
    """Through which names a list that is shortened may be read: those that are bound to it, and lists that it was put
    into, `s_saved.append(s)`."""

    def __init__(self, block: Block) -> None:
        self.same = Union()
        self.content: dict[str, str] = {}  # of a list, one of the names of what lies in it
        self.found: dict[str, Live] = {}
        every = list(ir.statements(block))
        if not any(_is_shortening(s) for s in every):
            return
        for s in every:
            match s:
                case ir.Append(array=name, value=value):
                    self.put(name, value)
                case ir.Store(target=target, value=value):
                    self.put(ir.written_name(target), value)
                case ir.Assign(target=name, value=value):
                    self.bind(name, value)
                case ir.Unpack(targets=targets, value=value):
                    for t in targets:
                        self.bind(t, ir.Index(value, ir.Const(0)))
                case ir.For(target=target, iterable=iterable):
                    for t in ir.target_names(target):
                        self.bind(t, ir.Index(iterable, ir.Const(0)))

    def put(self, name: str, value: Expr) -> None:
        self.bind(self.content.setdefault(name, f"{name}[]"), value)

    def bind(self, name: str, value: Expr) -> None:
        """Unites the name with what the value may be, and what lies in it with what the value may hold."""
        match value:
            case Var(name=of):
                self.same.unite(of, name)
            case ir.Index(array=array, key=ir.Slice()) | Op(fn="builtins.list", args=(array,)):
                self.put(name, ir.Index(array, ir.Const(0)))
            case ir.Index(array=array) | Op(fn="method.pop", args=(array, *_)):
                for n in ir.reads(array):
                    self.same.unite(self.content.setdefault(n, f"{n}[]"), name)
            case ir.Slice():  # the element of a dict
                if value.stop is not None:
                    self.bind(name, value.stop)
            case ir.Sequence(items=items) | ir.Dict(values=items):
                for item in items:
                    self.put(name, item)
            case ir.Comprehension(clauses=clauses):
                for target, iterable, _ in clauses:
                    for t in ir.target_names(target):
                        self.bind(t, ir.Index(iterable, ir.Const(0)))
                self.put(name, value.element)
            case Op(fn="operator.ifexp", args=(_, *args)):
                for a in args:
                    self.bind(name, a)
            case Op(fn=fn) if fn.startswith(("numpy.", "math.")) or fn in NUMBERS or fn in NEW:
                return
            case _:
                for n in ir.reads(value):
                    self.same.unite(n, name)

    def of(self, name: str) -> Live:
        if name not in self.found:
            names = {name}
            while True:
                same = {self.same.find(n) for n in names}
                more = {n for n in self.same.parent if self.same.find(n) in same and not n.endswith("[]")}
                more |= {n for n, item in self.content.items() if self.same.find(item) in same}
                if more <= names:
                    break
                names |= more
            self.found[name] = frozenset(names)
        return self.found[name]


def _is_shortening(s: Stmt) -> bool:
    values = s.values[:1] if isinstance(s, ir.Inert) else (s.value,) if isinstance(s, ir.Assign) else ()
    return any(isinstance(e, Op) and e.fn == "method.pop" for e in values)


def _is_kept(s: ir.Assign | ir.Unpack | ir.Append) -> bool:
    """Whether a statement in a try is to raise, where it raises, though nobody reads its value."""
    return s.origin is not None and s.origin.kept and not ir.is_atom(s.value)


def _statement(s: Stmt, live: Live, breaks: list[Live], loops: _Loops, idle: bool) -> tuple[Stmt | None, Live]:
    match s:
        case ir.Assign(target=own, value=Op(fn="numpy.copy", args=(Var(name=copied),))) if (
            copied == own and not _memory(loops.peers.get(own, Live()) | {own}) & live
        ):
            return None, live  # its shape is what is read
        case ir.Assign():
            if s.target not in live and not _pops_adjoint(s) and not _is_kept(s):
                return loops.effect(s, s.value, live)
            return s, (live - {s.target} - _memory([s.target])) | read_by(s)
        case ir.Unpack():
            if not any(t in live for t in s.targets) and not _is_kept(s):
                if s.origin in loops.proofs:
                    of = s.value.value if isinstance(s.value, ir.Attribute) else ir.children(s.value)[0]
                    rank = Op("numpy.ndim", (of,))
                    test = Op("numpy.equal", (rank, ir.Const(len(s.targets))), form=ir.Form.OPERATOR)
                    return ir.Inert("assert", (test,), s.origin), live | read_by(s)
                return loops.effect(s, s.value, live)
            return s, (live - set(s.targets) - _memory(s.targets)) | read_by(s)
        case ir.Append():
            if not loops.names_of(s.array).isdisjoint(live):
                return s, live | read_by(s) | {s.array}
            if _is_kept(s):
                return ir.Inert("", (s.value,), s.origin), live | read_by(s)
            return loops.effect(s, s.value, live)
        case ir.Augment() | ir.Store():
            name = ir.written_name(s.target)
            readers = loops.peers.get(name, Live()) | {name}
            if s.target == ir.Index(Var(name), ir.ELLIPSIS):
                if not _elements(readers) & live:
                    return loops.effect(s, s.value, live)
                alone = not readers & loops.at_end  # the caller may have given the same array under two names
                if alone and isinstance(s, ir.Store) and f"*{name}" not in read_by(ir.Inert("", (s.value,))):
                    return s, (live - {f"*{name}"}) | (read_by(s) - {f"*{name}"}) | {f"!{name}"}
                return s, live | read_by(s)
            if readers & live:
                return s, live | read_by(s)
            return loops.effect(s, s.value, live)
        case ir.If():
            body, a = _block(s.body, live, breaks, loops, idle)
            orelse, b = _block(s.orelse, live, breaks, loops, idle)
            if not _effective(body, idle) and not _effective(orelse, idle):
                if s.origin is not None and s.origin.kept and not idle:
                    return ir.Inert("", (s.test,), s.origin), live | read_by(s)
                return None, live
            return replace(s, body=body, orelse=orelse), a | b | read_by(s)
        case ir.For() | ir.While():
            return _loop(s, live, loops)
        case ir.Break():
            return s, breaks[-1]
        case ir.Return():
            return s, read_by(s) | loops.at_end
        case ir.Inert():
            if s.keyword == "raise":
                return s, read_by(s)
            if s.keyword == "" and (isinstance(s.values[0], ir.Const) or _shortens_idly(s.values[0], live, loops)):
                return None, live
            return s, live | read_by(s)
        case ir.Comment():
            return s, live
    raise TypeError(type(s).__name__)


def _loop(s: ir.For | ir.While, live: Live, loops: _Loops) -> tuple[Stmt | None, Live]:
    """A loop goes if nothing in it has an effect but its breaks; in one that stays, they decide what runs.

    It stays where its last item is read behind it.
    """
    targets = ir.target_names(s.target) if isinstance(s, ir.For) else ()
    if id(s) not in loops.stay:
        if live.isdisjoint(targets) and not _effective(_fixpoint(s, live, loops, True)[0], True):
            return None, live
        loops.stay.add(id(s))  # more that is read behind it can't change that
    body, head = _fixpoint(s, live, loops, False)
    return replace(s, body=body), head | read_by(s)


def _fixpoint(s: ir.For | ir.While, live: Live, loops: _Loops, idle: bool) -> tuple[Block, Live]:
    """The body and what is read from its head on; both grow with `live`, which grows from visit to visit."""
    targets = set(ir.target_names(s.target)) if isinstance(s, ir.For) else set()
    # the items of a loop that are yet to come are seen through what it runs over
    test = read_by(s) if isinstance(s, ir.While) else read_by(s) & (loops.holding | _elements(loops.holding))
    head = live | loops.heads.get((id(s), idle), frozenset())
    while True:
        body, start = _block(s.body, head | test, [live], loops, idle)
        again = live | (start - targets)
        if again <= head:
            loops.heads[id(s), idle] = head
            return body, head
        head |= again


def _effective(block: Block, idle: bool) -> bool:
    """Whether a block does more than comment; with `idle`, more than comment and leave. (An If in it does.)"""
    return any(not isinstance(s, ir.Comment) and not (idle and isinstance(s, ir.Break)) for s in block)


def without_idle_withs(block: Block, seen: Seen) -> Block:
    """`block` without with statements around nothing, and without what only they have kept."""
    while True:
        out = drop_empty_withs(block)
        if sum(1 for _ in ir.statements(out)) == sum(1 for _ in ir.statements(block)):
            return out
        block = remove_dead(out, seen)


def drop_empty_withs(block: Block) -> Block:
    """A with statement around nothing goes."""
    out: list[Stmt] = []
    for s in block:
        s = ir.with_blocks(s, drop_empty_withs)
        match s:
            case ir.Inert(keyword="end with"):
                at = max(i for i, x in enumerate(out) if isinstance(x, ir.Inert) and x.keyword == "with")
                if not _effective(tuple(out[at + 1 :]), False):
                    del out[at:]
                    continue
        out.append(s)
    return tuple(out)


def drop_empty_marks(block: Block, around: ir.Origin | None = None) -> Block:
    """Marks with no statement left under them go; of marks of one statement, also in the blocks of it, the first stays.

    around: the statement whose mark a loop or a branch stands under.
    """
    out: list[Stmt] = []
    last: Stmt | None = None  # the last mark
    for s in block:
        match s:
            case ir.If():
                above = last.origin if last else around
                s = replace(s, body=drop_empty_marks(s.body, above), orelse=drop_empty_marks(s.orelse, above))
            case ir.For() | ir.While():
                s = replace(s, body=drop_empty_marks(s.body, last.origin if last else around))
        if isinstance(s, ir.Comment) and _is_mark(s):
            if s.origin is not None and s.origin is around:
                continue
            if s.lines[0].startswith(ir.MARK + "for ") and last is not None:
                continue  # the items of a loop: they stand under what reads them
            if out and isinstance(out[-1], ir.Comment) and _is_mark(out[-1]):
                out.pop()
            elif isinstance(last, ir.Comment) and last.lines == s.lines:
                continue
            last, around = s, None
        elif isinstance(s, ir.If | ir.For | ir.While):
            if not isinstance(s, ir.If) or any(isinstance(x, ir.Comment) for x in ir.statements((s,))):
                last = None
        elif isinstance(s, ir.Return) and _is_named(s.value):
            while out and isinstance(out[-1], ir.Comment) and _is_mark(out[-1]):
                out.pop()
        out.append(s)
    while out and isinstance(out[-1], ir.Comment) and _is_mark(out[-1]):
        out.pop()
    return tuple(out)


def _is_named(e: Expr) -> bool:
    """Whether a result is put together from names only: nothing is computed where it is returned."""
    match e:
        case ir.Sequence(items=items) | ir.Dict(values=items):
            return all(map(_is_named, items))
    return isinstance(e, Var)


def _is_mark(s: ir.Comment) -> bool:
    return len(s.lines) == 1 and s.lines[0].startswith(ir.MARK)
