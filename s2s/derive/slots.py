"""Which arrays lie in one slot of one list only, and are seen by no other name: there `L[k] += e` binds the slot anew.

    v_saved.append(v[i])    the array lies in two slots
    v[i] = np.zeros_like(x) and now in one: what is added to v[i] from here on, nobody else sees
    ...
    s = v[i]                s sees the array of the slot
    v[i] = v_saved.pop()    and now no slot does
    v[i] += s * x

A list itself may have any number of names: what is bound in its slot, all of them see. Followed are the names and the
second slots that may see an array of some slot, with the slot, as long as it is known which one that is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from s2s import ir
from s2s.analysis.aliases import CONTAINERS, Union, tangled
from s2s.analysis.containers import root_of
from s2s.analysis.facts import Facts
from s2s.analysis.liveness import Live
from s2s.derive.owned import Hands, held
from s2s.frozen import replace
from s2s.ir import Append, Assign, Block, Const, Expr, Index, Op, Stmt, Var

SECOND = "*"  # stands for a second slot, in front of a name of the lists in which it may be

Sight = tuple[str, Expr | None]  # a name, or a second slot; the one slot whose array it sees, None if that is not known
State = frozenset[Sight]


def unseen_updates(
    f: ir.Function, facts: Facts, behind: Mapping[int, Live], base: Mapping[str, str], hands: Hands
) -> set[int]:
    """The ids of the stores `L[k] += e` of which nobody sees whether they write into an array or bind the slot.

    Of lists that share items all of them are such, or none: an array of rank 0 that is bound anew becomes a number.
    behind: the names that are read behind each statement. base: the user's names of names.
    """
    slots = _Slots(f, facts, behind, base, hands)
    slots.block(f.body, slots.at_entry())
    seen = {slots.met[s] for s in slots.seen}
    return {s for s, lists in slots.met.items() if lists not in seen}


class _Slots:
    def __init__(
        self, f: ir.Function, facts: Facts, behind: Mapping[int, Live], base: Mapping[str, str], hands: Hands
    ) -> None:
        self.f, self.facts, self.behind, self.base, self.hands = f, facts, behind, base, hands
        self.met: dict[int, str] = {}  # the updates, with the lists that share items with the one that has the slot
        self.seen: set[int] = set()
        self.breaks: list[list[State]] = []
        every = list(ir.statements(f.body))
        bound = Counter(n for s in every for n in ir.binds(s))
        readers: dict[str, set[int]] = {}
        for s in every:
            for n in frozenset[str]().union(*map(ir.reads, ir.expressions(s))):
                readers.setdefault(n, set()).add(id(getattr(s, "origin", None)))
        self.temps = {
            s.target: s.value
            for s in every
            if isinstance(s, Assign) and bound[s.target] == 1 and s.target not in f.names and s.origin is not None
            if readers.get(s.target, set()) <= {id(s.origin)} and isinstance(s.value, Index | Op)
        }
        self.own = set(bound) - set(f.names)
        self.lonely = lonely(every) & self.own
        returned = {n for s in every if isinstance(s, ir.Return) for e in ir.expressions(s) for n in ir.reads(e)}
        alone = self.lonely - returned
        self.emptied = {id(e) for name in alone for e in emptied(f.body, name)}
        self.emptied |= {id(e) for e in read_once(f.body, every, alone)}
        self.single = single(every) & self.own
        spread = {e.name for s in every if isinstance(s, Assign) for e in spread_in(s.value) if isinstance(e, Var)}
        self.spread = {n for n in spread if n in self.temps and is_part(self.temps[n]) and n in self.single}
        self.nested = self.own - {root for s in every for root in self.inner_taken(s)}
        self.union = Union()
        for s in every:
            names = set(ir.binds(s))
            if isinstance(s, ir.Store | Append):
                names = {root_of(s.target) if isinstance(s, ir.Store) else s.array}
            for e in (s.value,) if isinstance(s, ir.Store | Append | Assign) else ir.expressions(s):
                for n in self.given(e) if names else ():
                    for t in names:
                        self.union.unite(t, n)

    # ------------------------------------------------------------ values
    def is_list(self, e: Expr) -> bool:
        return self.facts.of(e).kind in CONTAINERS

    def is_number(self, e: Expr) -> bool:
        """Whether a value is surely nothing that can be written into."""
        if isinstance(e, Const) or (self.facts.of(e).kind in ("int", "bool", "str") and not self.facts.is_array(e)):
            return True
        if isinstance(e, Index) and self.facts.is_scalar(e):  # of an array; in a list an array of rank 0 may lie
            return self.facts.of(e.array).kind in ("float", "int", "bool") and ir.ELLIPSIS not in ir.key_items(e.key)
        return False

    def given(self, e: Expr) -> set[str]:
        """The names whose lists and arrays a value may be, or hold."""
        match e:
            case Op(args=(Var(name=old) as first, _)) if ir.is_update(e):  # of an array, `x += e` leaves it where it is
                return set() if self.is_number(first) else {old}
            case Op(fn="builtins.sum", args=(_, start)):  # of nothing, it is what it starts with
                return self.given(start)
            case Op(form=ir.Form.OPERATOR) if self.is_list(e):  # lists that are joined, or repeated
                return set(ir.reads(e))
            case ir.Comprehension(element=element, clauses=clauses):
                if not self.given(element):
                    return set()
                return {n for it in (element, *(c[1] for c in clauses)) for n in held(it, self.hands)}
            case ir.Sequence(items=items) | ir.Dict(values=items):
                return {n for i in items for n in self.given(i)}
            case _ if self.is_number(e):
                return set()
        return held(e, self.hands)

    def place(self, e: Expr) -> Expr:
        """A slot by the user's names."""
        while isinstance(e, Var) and e.name in self.temps:
            e = self.temps[e.name]
        if isinstance(e, Index):
            return Index(self.place(e.array), self.place(e.key))
        return ir.rebuild(e, self.place) if isinstance(e, Op) else e

    def second(self, name: str) -> str:
        return SECOND + self.union.find(name)

    def resized(self, s: Stmt) -> Expr | None:
        """The slot of a list of lists in which one gets an item at its end, or loses it, and has no other name."""
        if not isinstance(s, ir.Store) or s.update:
            return None
        place, value = self.place(s.target), s.value
        if isinstance(value, ir.Sequence):
            value = replace(value, items=tuple(self.place(e) if i == 0 else e for i, e in enumerate(value.items)))
        elif is_part(value):
            value = self.place(value)
        is_one = ir.longer_slot(place, value) is not None or ir.shorter_slot(place, value)
        return place if is_one else None

    def inner_taken(self, s: Stmt) -> Iterator[str]:
        """The lists of lists of which a statement gives one that lies in a slot to something else, or may do so."""
        if isinstance(s, Assign) and s.target in self.temps and isinstance(s.value, Index):
            return  # where that is read counts
        for call in ir.helper_calls(*ir.expressions(s)):
            yield from (root_of(self.place(Var(n))) for e in self.kept_by(call) for n in ir.reads(e))
        match s:
            case ir.Store() if self.resized(s) is not None:
                given = [s.value.items[1]] if isinstance(s.value, ir.Sequence) else []
            case ir.Store(value=value) | Append(value=value):
                given = [value]
            case ir.If() | ir.While():
                given = []
            case _:
                given = [*ir.expressions(s)]
        for e in given:
            yield from self.lists_of(e)

    def lists_of(self, e: Expr) -> Iterator[str]:
        """The roots of lists that a value may be, or hold."""
        match e:
            case Const():
                return
            case Var(name=name):
                yield from (root_of(self.place(e)),) if self.may_hold(name) else ()
            case Index():
                unknown = self.facts.of(e).kind == "any" and not self.facts.is_array(e)
                yield from (root_of(self.place(e)),) if self.is_list(e) or unknown else ()
            case ir.Sequence(items=items, starred=starred):
                for i, item in enumerate(items):
                    yield from (root_of(self.place(item)),) if i in starred else self.lists_of(item)
            case _:
                yield from (root_of(self.place(Var(n))) for n in self.given(e) if self.may_hold(n))

    def at_entry(self) -> State:
        """What comes from outside may be seen there."""
        names = {n for n in self.union.parent if ir.root_name(n) not in self.own}
        return frozenset({(n, None) for n in names} | {(self.second(n), None) for n in names if self.may_hold(n)})

    def may_hold(self, name: str) -> bool:
        return self.is_list(Var(name)) or (
            self.facts.of(Var(name)).kind == "any" and not self.facts.is_array(Var(name))
        )

    # ------------------------------------------------------------ statements
    def block(self, block: Block, state: State | None) -> State | None:
        for s in block:
            if state is None:
                return None
            state = self.statement(s, state)
        return state

    def statement(self, s: Stmt, state: State) -> State | None:
        match s:
            case ir.If():
                return join(self.block(s.body, state), self.block(s.orelse, state))
            case ir.For() | ir.While():
                return self.loop(s, state)
            case ir.Break():
                self.breaks[-1].append(state)
                return None
            case ir.Return() | ir.Inert(keyword="raise"):
                return None
        taken = (e for call in ir.helper_calls(*ir.expressions(s)) for e in self.kept_by(call))
        lists = {n for e in taken for n in ir.reads(e) if self.is_list(Var(n))}
        state |= {(self.second(n), None) for n in lists}  # what a helper does with them is not followed
        if isinstance(s, Assign) and s.target in self.spread:
            return state  # it is asked for where it is spread
        if self.is_move(s):
            return self.rearranged(s, state)
        match s:
            case Assign(target=name, value=ir.Sequence() | ir.Dict() as value):
                return without(self.put(name, value, state), {name})
            case Assign(target=name, value=value):
                return self.bound(name, value, without(state, {name}))
            case ir.Unpack(targets=targets, value=value):
                state, given = without(state, set(targets)), self.given(value)
                if not given and not tangled(s, self.facts):
                    return state  # what a helper makes anew, each apart from the others
                lists = given if isinstance(value, Op) or s.starred >= 0 else set()  # `a, *b = L`: b has items of L
                state |= {(self.second(n), None) for n in lists}
                return state | self.unknown((*targets, *given))
            case ir.Shrink(array=name):
                return self.moved(lost(state, Index(Var(name), Const(-1)), self.behind[id(s)]), name)
            case Append(array=name, value=value):
                return self.put(name, value, self.moved(state, name))
            case ir.Store(value=value) if (place := self.resized(s)) is not None and root_of(place) in self.nested:
                state = lost(state, Index(place, Const(-1)), self.behind[id(s)]) if is_part(value) else state
                state = self.moved(state, root_of(place))
                return self.put(root_of(place), value.items[1], state) if isinstance(value, ir.Sequence) else state
            case ir.Store():
                return self.stored(s, state)
            case ir.Inert(keyword=""):
                return state | {(self.second(n), None) for e in ir.expressions(s) for n in ir.reads(e)}
        return state

    def kept_by(self, call: Op) -> Iterable[Expr]:
        """The arguments of a helper that it writes into, or of which its result may hold something."""
        calls = self.facts.calls
        if calls is None:
            return (call,)
        return (*calls.maybe_written(call), *self.hands(call))

    def is_move(self, s: Stmt) -> bool:
        """Whether a list gets the items of others, each once, and nothing else sees these lists from there on:
        `q = q[1:]`, `q = [x, *q]`, `p[:-1] = q`."""
        match s:
            case Assign(target=name, value=ir.Sequence() as value):
                parts = spread_in(value)
                parts = [self.temps[e.name] if isinstance(e, Var) and e.name in self.spread else e for e in parts]
            case Assign(target=name, value=value):
                parts = [value] if is_part(value) else []
            case ir.Store(target=Index(array=Var(name=name), key=ir.Slice()), value=value) if not s.update:
                parts = [value]
            case _:
                return False
        taken = [cut_of(e) for e in parts]
        if not taken or name not in self.single or None in taken or not disjoint(parts):
            return False
        lists = {n for n in taken if n is not None}
        if isinstance(s, ir.Store):
            return lists <= self.single - {name} and lists.isdisjoint(self.behind[id(s)])
        return lists <= self.single and (lists - {name}).isdisjoint(self.behind[id(s)])

    def rearranged(self, s: Stmt, state: State) -> State:
        """Behind a move: in which slots the arrays lie is known no more."""
        assert isinstance(s, Assign | ir.Store)
        name = s.target if isinstance(s, Assign) else root_of(s.target)
        state = lost(state, left_out(s.value), self.behind[id(s)])
        lists = {name, *ir.reads(s.value)}
        lists |= {n for t in lists & self.spread for n in ir.reads(self.temps[t])}
        state = frozenset((n, None if place is not None and ir.reads(place) & lists else place) for n, place in state)
        if isinstance(s.value, ir.Sequence):
            for i, e in enumerate(s.value.items):
                if i not in s.value.starred:
                    state = self.put(name, e, state)
        return without(state, {name}) if isinstance(s, Assign) else state

    def bound(self, name: str, value: Expr, state: State) -> State:
        if self.is_number(value) or not self.given(value):
            return state
        match value:
            case Op(args=(Var(name=old), _)) if ir.is_update(value):  # of an array, it is that array
                return state | {(name, place) for n, place in state if n == old}
            case Var() | Index() if self.is_list(value) and not is_part(value):
                return state
            case Index(array=array) if self.is_list(array) and not is_part(value):
                if id(value) in self.emptied:
                    return state
                place = self.place(value)
                known = name not in ir.reads(place) and not self.is_shared(name, state)
                return state | {(name, place if known else None)}
            case Var() | Index():
                return state | self.unknown((name, *self.given(value)))
        # copies of lists, what a helper hands back: arrays may lie in two slots
        return state | self.unknown((name, *self.given(value))) | {(self.second(name), None)}

    def unknown(self, names: Iterable[str]) -> set[Sight]:
        return {(n, None) for n in names}

    def put(self, name: str, value: Expr, state: State) -> State:
        """Behind `value` has been put into a slot of a list."""
        match value:
            case ir.Sequence(items=items) | ir.Dict(values=items) if not starred(value):
                for i in items:
                    state = self.put(name, i, state)
                return state
            case _ if self.is_number(value) or not self.given(value):
                return state
            case Var(name=other):
                if self.is_list(value):
                    return state
                for place in [place for n, place in state if n == other]:
                    state = self.shared(name, place, state)
                return state | {(other, None)}
            case Index() if (self.is_list(value) and not is_part(value)) or id(value) in self.emptied:
                return state
            case Index(array=array) if self.is_list(array) and not is_part(value):
                return self.shared(name, self.place(value), state)
        return state | {(self.second(name), None)} | self.unknown(self.given(value))

    def is_lost(self, place: Expr | None) -> bool:
        """Whether a slot is that of an item which the list has lost: no key names it any more."""
        match place:
            case Index(key=Var(name=top)):
                return self.base.get(top, top) in self.f.tops
        return False

    def is_shared(self, name: str, state: State) -> bool:
        """Whether an array may lie in two slots of these lists."""
        return any(n == self.second(name) for n, _ in state)

    def shared(self, name: str, place: Expr | None, state: State) -> State:
        """Behind the array of a slot has been put into another one, too: what sees it does so where the first slot is
        bound anew."""
        second, own = self.second(name), self.union.find(name)
        found = state | {(n, None) for n, _ in state if n[:1] != SECOND and self.union.find(n) == own}
        return found | {(second, place if not self.is_shared(name, state) else None)}

    def stored(self, s: ir.Store, state: State) -> State:
        place = self.place(s.target)
        root, kind = root_of(place), self.facts.of(s.target.array).kind
        if kind not in CONTAINERS:  # the elements are copied, but for what may be a list
            return state | ({(self.second(root), None)} if kind == "any" and self.given(s.value) else set())
        if ir.is_update(s.value) and not s.update:  # bound anew, where nobody sees that it is
            return state
        if s.update:  # the array that lies there goes on to, as far as it is one
            own = self.second(root)
            self.met[id(s)] = own
            live = self.behind[id(s)]
            names = (n for n, at in state if n[:1] == SECOND or (n in live and not self.is_lost(at)))
            if any(self.second(n.removeprefix(SECOND)) == own for n in names):
                self.seen.add(id(s))
            return state
        if isinstance(s.target.key, ir.Slice):
            state = self.put(root, s.value, self.moved(state, root))
            others = self.given(s.value) if isinstance(s.value, Var) else set()  # its items lie in two lists now
            return state | {(self.second(root), None) for _ in others} | self.unknown(others)
        state = frozenset(x for x in state if x[1] != place)
        if self.given(s.value) or self.is_list(s.value):
            state = self.moved(state, root)  # it may be a list: what lies behind the slot is another one
        return self.put(root, s.value, state)

    def moved(self, state: Iterable[Sight], name: str) -> State:
        """Behind a list has got or lost an item, or another list in a slot: which slots are meant is known no more."""
        if name in self.lonely:
            return frozenset(
                (n, None if place is not None and name in ir.reads(place) else place) for n, place in state
            )
        own = self.union.find(name)
        return frozenset((n, None if self.union.find(n.removeprefix(SECOND)) == own else place) for n, place in state)

    def loop(self, s: ir.For | ir.While, state: State) -> State:
        head = state
        while True:
            self.breaks.append([])
            inner = head
            if isinstance(s, ir.For):
                targets = ir.target_names(s.target)
                inner = without(inner, set(targets))
                if given := self.given(s.iterable):
                    inner |= self.unknown((*targets, *given))
            end = self.block(s.body, inner)
            left = self.breaks.pop()
            again = head | (end or frozenset())
            if again == head:
                return head.union(*left)
            head = again


def is_part(e: Expr) -> bool:
    """Whether a value is a part of a list, a new one with the same items."""
    return isinstance(e, Index) and isinstance(e.key, ir.Slice)


def lost(state: State, place: Expr | None, live: Live) -> State:
    """Behind a slot is gone: the one name that sees its array, and is read again, has that for itself. Of two, both
    see it from there on, wherever it is put."""
    found = frozenset(x for x in state if place is not None and x[1] == place)
    return state - found if sum(n[:1] == SECOND or n in live for n, _ in found) <= 1 else state


def left_out(e: Expr) -> Expr | None:
    """The slot that a part of a list leaves out: the last one of `L[:-1]`."""
    match e:
        case Index(array=array, key=ir.Slice(start=None, stop=stop, step=None)) if stop and literal(stop) == -1:
            return Index(array, Const(-1))
    return None


def starred(e: Expr) -> bool:
    return isinstance(e, ir.Sequence) and bool(e.starred)


def join(a: State | None, b: State | None) -> State | None:
    if a is None or b is None:
        return b if a is None else a
    return a | b


def without(state: State, names: set[str]) -> State:
    """Behind names have been bound anew."""
    kept = ((n, place) for n, place in state if n not in names)
    return frozenset((n, None if place is not None and ir.reads(place) & names else place) for n, place in kept)


def read_whole(e: Expr) -> Iterator[str]:
    """The names that an expression reads as they are: not for an item, nor for their length."""
    match e:
        case Var(name=name):
            yield name
        case Index(array=Var(), key=key):
            yield from read_whole(key)
        case Op(fn="builtins.len", args=(Var(),)):
            return
        case _:
            for c in ir.children(e):
                yield from read_whole(c)


def lonely(every: list[Stmt]) -> set[str]:
    """Lists that have one name: they are appended to, their items are read and bound, and their length is asked for."""

    made = {s.target for s in every if isinstance(s, Assign) and isinstance(s.value, ir.Sequence | ir.Comprehension)}
    return made - {
        n for s in every if not isinstance(s, ir.Return | ir.Shrink) for e in ir.expressions(s) for n in read_whole(e)
    }


def single(every: list[Stmt]) -> set[str]:
    """Lists that are made where they are bound, and have that one name only: items are put into them and read, their
    length is asked for, and their items are put into other lists, as a part of them or all."""

    def is_made(s: Stmt) -> bool:
        return isinstance(s, Assign) and (
            isinstance(s.value, ir.Sequence | ir.Comprehension) or (is_part(s.value) and cut_of(s.value) is not None)
        )

    found = {s.target for s in every if isinstance(s, Assign) and is_made(s)}
    found -= {n for s in every if not is_made(s) for n in ir.binds(s)}
    for s in every:
        parts = list(ir.expressions(s))
        match s:
            case ir.Return():
                continue
            case Assign(value=ir.Sequence(items=items, starred=starred)):
                parts = [e for i, e in enumerate(items) if i not in starred or not isinstance(e, Var)]
            case ir.Store(target=Index(key=ir.Slice() as key), value=Var()):
                parts = [key]
        found -= {n for e in parts for n in read_whole(e)}
    return found


def spread_in(e: Expr) -> list[Expr]:
    """The lists whose items a display takes: `[a, *L]`."""
    return [e.items[k] for k in sorted(e.starred)] if isinstance(e, ir.Sequence) else []


def cut_of(e: Expr) -> str | None:
    """The list of which a value is a part, or all."""
    match e:
        case Var(name=name) | Index(array=Var(name=name), key=ir.Slice()):
            return name
    return None


def disjoint(parts: list[Expr]) -> bool:
    """Whether no two of these parts of lists have an item in common: `L[:2]` and `L[3:]`."""
    for i, a in enumerate(parts):
        for b in parts[:i]:
            if cut_of(a) == cut_of(b) and not (is_before(b, a) or is_before(a, b)):
                return False
    return True


def is_before(a: Expr, b: Expr) -> bool:
    """Whether a part of a list ends where another one begins, or before."""
    match a, b:
        case Index(key=ir.Slice(start=None, stop=stop, step=None)), Index(key=ir.Slice(start, None, None)):
            ends = [literal(e) if e is not None else None for e in (stop, start)]
            if isinstance(ends[0], int) and isinstance(ends[1], int):
                return ends[0] <= ends[1] and (ends[0] < 0) == (ends[1] < 0)
            return stop is not None and stop == start
    return False


def literal(e: Expr) -> int | None:
    """The whole number that an expression writes out."""
    match e:
        case Const(value=int() as value):
            return value
        case Op(fn="numpy.negative", args=(Const(value=int() as value),)):
            return -value
    return None


def emptied(body: Block, name: str) -> Iterator[Expr]:
    """The reads of a list that is filled and then taken apart from its end, `x = L[top]` behind `top -= 1`: each item
    is read once, and by nothing else."""
    every = list(ir.statements(body))
    length = Op("builtins.len", (Var(name),))
    places = [i for i, s in enumerate(every) if isinstance(s, Assign) and s.value == length]
    bound = [s for s in every if isinstance(s, Assign) and s.target == name]
    if len(places) != 1 or len(bound) != 1 or not is_one_block(body, bound[0], every[places[0]]):
        return  # where it is filled further, what was read once may be read again
    if any(isinstance(s, Append) and s.array == name for s in every[places[0] :]):
        return
    start = every[places[0]]
    steps = [s for s in every if isinstance(s, Assign) and is_step(s.value)]
    tops = {start.target} if isinstance(start, Assign) else set()
    while more := {s.target for s in steps if ir.reads(s.value) <= tops} - tops:
        tops |= more
    steps = [s for s in steps if ir.reads(s.value) <= tops]
    once = len(steps) == len({n for s in steps for n in ir.reads(s.value)})  # no two count down from one place
    reads = [n for s in every for e in ir.expressions(s) for n in ir.walk(e) if is_item_of(n, name)]
    if not once or any(s not in steps and s is not start for s in every if tops & set(ir.binds(s))):
        return
    taken: list[Expr] = []

    def block(b: Block) -> bool:
        top = ""  # where the item lies that is read next
        for s in b:
            if not all(map(block, ir.blocks(s))):
                return False
            if isinstance(s, ir.If | ir.For | ir.While):
                top = ""
                continue
            if s in steps and isinstance(s, Assign):
                top = s.target
            for n in (n for e in ir.expressions(s) for n in ir.walk(e) if is_item_of(n, name)):
                whole = isinstance(s, Assign | ir.Store | Append) and s.value is n
                if not top or not whole or not isinstance(n, Index) or n.key != Var(top):
                    return False
                top = ""
                taken.append(n)
        return True

    if block(body) and len(taken) == len(reads):
        yield from taken


def read_once(body: Block, every: list[Stmt], names: set[str]) -> Iterator[Expr]:
    """The reads of lists in loops over their places, `x = L[k]`, where nothing else reads the list, which is filled by
    then: each item is read once."""
    reads = Counter(
        n.array.name
        for s in every
        for e in ir.expressions(s)
        for n in ir.walk(e)
        if isinstance(n, Index) and isinstance(n.array, Var)
    )
    for s in outermost(body):
        if not isinstance(s, ir.For) or not isinstance(s.target, Var) or not is_range(s.iterable):
            continue
        found = {
            t.value.array.name: t.value
            for t in outermost(s.body)
            if isinstance(t, Assign | ir.Store)
            and isinstance(t.value, Index)
            and isinstance(t.value.array, Var)
            and t.value.key == s.target
            and reads[t.value.array.name] == 1
        }
        if not found.keys() & names:
            continue
        inside = list(ir.statements(s.body))
        behind = every[next(i for i, t in enumerate(every) if t is s) :]
        again = {n for t in inside for n in ir.binds(t)} | {t.array for t in behind if isinstance(t, Append)}
        if s.target.name not in again:
            yield from (e for name, e in found.items() if name in names - again)


def outermost(block: Block) -> Iterator[Stmt]:
    """The statements that run at most once."""
    for s in block:
        yield s
        if isinstance(s, ir.If):
            yield from (t for inner in ir.blocks(s) for t in outermost(inner))


def is_range(e: Expr) -> bool:
    """Whether what a loop runs over are whole numbers from 0 on, each once: no two of them are one place in a list."""
    match e:
        case Op(fn="builtins.reversed", args=(inner,)):
            return is_range(inner)
        case Op(fn="builtins.range", args=(_,)):
            return True
        case Op(fn="builtins.range", args=(Const(value=int() as first), _)):
            return first >= 0
    return False


def is_one_block(body: Block, a: Stmt, b: Stmt) -> bool:
    """Whether two statements stand in one block, so that both run equally often."""
    return (a in body and b in body) or any(is_one_block(inner, a, b) for s in body for inner in ir.blocks(s))


def is_item_of(e: Expr, name: str) -> bool:
    return isinstance(e, Index) and e.array == Var(name)


def is_step(e: Expr) -> bool:
    match e:
        case Op(fn="numpy.subtract", args=(Var(), Const(value=1))):
            return True
    return False


__all__ = ["is_one_block", "unseen_updates"]
