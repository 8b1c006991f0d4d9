"""Which functions return parts that may share memory with one another: `return u, u[1:]`.

A buffer is known by the statement that makes it, or by the parameter that brings it. For each name it is counted how
often what the name holds may be, hold or see a buffer: once for an array, more often for a container that was given the
array twice, or one array in each pass of a loop. The count does not follow the order of the statements, but for one
thing: what a pass of a loop finds in a name may be what an earlier pass has left there.

Entries of a dict that a helper returns are told apart by their keys: what it returns is not tangled itself.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from s2s import ir
from s2s.analysis.aliases import CONTAINERS, sharing, taken_apart
from s2s.ir import Expr, Index, Op, Stmt, Var

if TYPE_CHECKING:
    from s2s.analysis.facts import Facts

Buffer = str | int
Counts = dict[Buffer, int]  # 2 stands for more
NUMBERS = ("float", "int", "bool", "str", "none")


def tangled(f: ir.Function, facts: Facts) -> bool:
    """Whether two parts of what a function returns may share memory, other than numbers."""
    returned = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
    if all(facts.of(e).kind in NUMBERS or facts.is_array(e) for e in returned):
        return False
    work = _Buffers(f, facts)
    found = map(work.counts, returned)
    return any(2 in counts.values() or work.overlap(counts) for counts in found)


class _Buffers:
    def __init__(self, f: ir.Function, facts: Facts) -> None:
        self.facts = facts
        self.loops: dict[Buffer, frozenset[int]] = {p: frozenset() for p in f.names}  # in which a buffer is made
        self.around: dict[str, frozenset[int]] = {}  # the loops in which a name is bound
        self.bound: dict[str, Counts] = {p: {p: 1} for p in f.names}  # by assignments: the most that one of them gives
        self.held = dict(self.bound)  # with what is put into lists
        self.inside: frozenset[int] = frozenset()
        self.whole: dict[Buffer, Buffer] = {}  # of an entry, an item, an earlier state: what it is of
        self.parts: set[Buffer] = set()  # items and earlier states: two of one may be the same
        self.of_loop: dict[Buffer, int] = {}  # of an item: the loop that takes it
        every = list(ir.statements(f.body))
        self.binds = {
            id(s): {n for t in (s, *ir.statements(s.body)) for n in ir.binds(t)}
            for s in every
            if isinstance(s, ir.For | ir.While)
        }
        self.fresh: dict[int, frozenset[str]] = {}  # of each loop around: the names that this pass has surely bound
        bindings = Counter(n for s in every for n in ir.binds(s))
        self.numbers = {n: id(s) for s in every if isinstance(s, ir.For) and (n := number(s)) and bindings[n] == 1}
        self.numbers |= self.keys(every, bindings)
        self.returned = {n for s in every if is_call(s) for n in ir.binds(s) if bindings[n] == 1}
        while True:
            self.put: dict[str, Counts] = {}
            self.block(f.body)
            held = {n: added(self.bound.get(n, {}), self.put.get(n, {})) for n in {*self.bound, *self.put}}
            if held == self.held:
                break
            self.held = held

    def keys(self, every: list[Stmt], bindings: Counter[str]) -> dict[str, int]:
        """The names that stand for a key of a dict, another one in each pass of a loop: `k = keys[i]`."""
        lists: set[str] = set()
        found: dict[str, int] = {}
        for s in every:
            match s:
                case ir.Assign(target=name, value=Op(fn="builtins.list" | "operator.keys", args=(of,))) if (
                    bindings[name] == 1 and self.facts.of(of).kind == "dict"
                ):
                    lists.add(name)
                case ir.Assign(target=name, value=Index(array=Var(name=of), key=Var(name=i))) if (
                    of in lists and i in self.numbers and bindings[name] == 1
                ):
                    found[name] = self.numbers[i]
        return found

    def overlap(self, counts: Counts) -> bool:
        """Whether of two buffers one is a part of the other, or both are items or earlier states of one."""
        seen = set(counts) - self.whole.keys()
        for b in counts.keys() & self.whole.keys():
            around = b
            while around in self.whole:
                inner, around = around, self.whole[around]
                if around in counts:
                    return True
                if inner in self.parts:  # not those of two keys
                    if around in seen:
                        return True
                    seen.add(around)
        return False

    def block(self, block: ir.Block) -> None:
        for s in block:
            outer = self.inside
            if isinstance(s, ir.For | ir.While):
                self.inside = outer | {id(s)}
            for name in ir.binds(s):
                self.around[name] = self.around.get(name, self.inside) & self.inside
            self.statement(s)
            fresh = self.fresh = {loop: names | set(ir.binds(s)) for loop, names in self.fresh.items()}
            if isinstance(s, ir.For | ir.While):
                self.fresh = fresh | {id(s): frozenset(ir.binds(s))}
            behind = []
            for inner in ir.blocks(s):
                start = self.fresh
                self.block(inner)
                behind.append(self.fresh)
                self.fresh = start
            if isinstance(s, ir.If):
                fresh = {loop: frozenset.intersection(*(b[loop] for b in behind)) for loop in fresh}
            self.inside, self.fresh = outer, fresh

    def statement(self, s: Stmt) -> None:
        match s:
            case ir.Assign():
                self.bind(s.target, self.counts(s.value))
            case ir.Unpack(targets=targets):
                value = taken_apart(s, self.facts)
                found = self.counts(value)
                parts = isinstance(value, Op) and 2 not in found.values()  # that a function makes
                for k, t in enumerate(targets):
                    own = self.made((id(s), k)) if parts else {}
                    given = {b: n for b, n in found.items() if b != id(value)} if parts else found
                    given = given if self.facts.of(Var(t)).kind in CONTAINERS else once(given)
                    self.bind(t, {**own, **given})
            case ir.For(target=target, iterable=iterable):
                found = self.counts(iterable)
                each = is_each(iterable)
                for t in ir.target_names(target):
                    self.bind(t, self.taken(found, id(s)) if each else once(found))
            case ir.Shrink():
                pass
            case ir.Append(array=name, value=value):
                self.add(name, self.counts(value))
            case ir.Store(target=target, value=value) if self.facts.of(target.array).kind in CONTAINERS:
                again = self.replaced(target)
                put = {b: n for b, n in self.counts(value).items() if n > 1 or b not in again}
                self.add(ir.written_name(target), put)

    def bind(self, name: str, found: Counts) -> None:
        before = self.bound.get(name, {})
        self.bound[name] = {b: max(found.get(b, 0), before.get(b, 0)) for b in {*found, *before}}

    def add(self, name: str, found: Counts) -> None:
        """What is put into a list: again in each pass of a loop that makes neither the list nor the buffer."""
        passes = self.inside - self.around.get(name, frozenset())
        found = {b: 2 if passes - self.loops.get(b, frozenset()) else n for b, n in found.items()}
        self.put[name] = added(self.put.get(name, {}), found)

    def found(self, name: str) -> Counts:
        """What a name holds: in a loop, what an earlier pass has made, where this one need not have bound the name."""
        carried = {loop for loop, names in self.fresh.items() if name in self.binds[loop] - names}
        return {self.old(b, carried) if carried else b: n for b, n in self.held.get(name, {}).items()}

    def old(self, b: Buffer, carried: set[int]) -> Buffer:
        """A buffer of an earlier pass of these loops, which later ones may find again."""
        loops = self.loops.get(b, frozenset())
        if not loops & carried:
            return b
        before = hash((b, "before"))
        self.parts.add(before)
        self.whole[before], self.loops[before] = b, self.loops.get(before, loops) & (loops - carried)
        return before

    def taken(self, found: Counts, loop: int) -> Counts:
        """The item that a pass of a loop takes of a list: each pass another one, where the list holds each once."""
        return {self.item(b, loop) if n == 1 else b: 1 for b, n in found.items()}

    def item(self, b: Buffer, loop: int) -> Buffer:
        """One that a loop takes; of what it has taken itself it is that, or items of items would never end."""
        part = hash((b, "item", loop))
        around = b
        while around in self.whole:
            if self.of_loop.get(around) == loop:
                return b
            around = self.whole[around]
        self.of_loop[part] = loop
        self.whole[part] = b
        self.parts.add(part)
        self.loops[part] = self.loops.get(b, frozenset()) | {loop}
        return part

    def made(self, key: object) -> Counts:
        buffer = hash(key)
        self.loops[buffer] = self.inside
        return {buffer: 1}

    def counts(self, e: Expr) -> Counts:
        """How often the value of an expression may be, hold or see each buffer."""
        if self.facts.is_scalar(e) and self.facts.of(e).kind in NUMBERS:
            return {}
        match e:
            case Var(name=name):
                return self.found(name)
            case ir.Sequence(items=items):
                return added(*map(self.counts, items))
            case ir.Dict(values=values):
                return added(*map(self.counts, values))
            case ir.Comprehension():
                return self.items(e)
            case Index(array=Var(name=name), key=ir.Const(value=str() as key)) if name in self.returned:
                return dict(self.entry(b, key) if n == 1 else (b, 1) for b, n in self.held.get(name, {}).items())
            case Index(array=Var(name=name), key=Var(name=key) | Op(fn="operator.key", args=(Var(name=key),))) if (
                loop := self.numbers.get(key)
            ) is not None and (loop in self.inside and name not in self.binds[loop]):
                return self.taken(self.found(name), loop)
            case Index(array=array, key=key):
                inner = self.counts(array)
                return inner if isinstance(key, ir.Slice) else once(inner)
            case ir.Attribute(value=value, name=name):
                return {} if name in ("shape", "size", "ndim", "dtype") else once(self.counts(value))
            case Op(fn="operator.ifexp", args=(_, a, b)):
                x, y = self.counts(a), self.counts(b)
                return {k: max(x.get(k, 0), y.get(k, 0)) for k in {*x, *y}}
            case Op():
                return self.result(e)
        return {}

    def replaced(self, place: Index) -> set[Buffer]:
        """What `s["a"]` of a dict that a helper has returned is, which `s["a"] = s["a"].T` puts there again."""
        match place:
            case Index(array=Var(name=name), key=ir.Const(value=str() as key)) if name in self.returned:
                return {self.entry(b, key)[0] for b in self.held.get(name, {}) if isinstance(b, int)}
        return set()

    def entry(self, whole: Buffer, key: str) -> tuple[Buffer, int]:
        if not isinstance(whole, int) or whole in self.whole:  # of a parameter; or an entry that was put in again
            return whole, 1
        part = hash((whole, key))
        self.whole[part], self.loops[part] = whole, self.loops.get(whole, frozenset())
        return part, 1

    def result(self, e: Op) -> Counts:
        calls = self.facts.calls
        if e.fn.startswith("local."):
            if calls is None:
                return {}
            found = {**self.made(id(e)), **once(added(*map(self.counts, calls.returned(e, self.facts))))}
            return dict.fromkeys(found, 2) if calls.tangled(e, self.facts) else found
        how = sharing(e, self.facts)
        args = e.args[:1] if how in ("view", "choice") else (*e.args, *(v for _, v in e.options))
        given = added(*map(self.counts, args)) if how else {}
        return given if how == "item" else {**self.made(id(e)), **once(given)}

    def items(self, e: ir.Comprehension) -> Counts:
        """An item for each pass: a buffer that is made outside, and is no item of what it runs over, is there again."""
        outer, inside = self.held, self.inside
        self.inside = inside | {id(e)}
        taken: set[Buffer] = set()
        for target, iterable, _ in e.clauses:
            found = once(self.counts(iterable))
            taken |= found.keys()
            self.held = self.held | dict.fromkeys(ir.target_names(target), found)
        found = self.counts(e.element)
        self.held, self.inside = outer, inside
        return {b: n if b in taken or id(e) in self.loops.get(b, ()) else 2 for b, n in found.items()}


def is_each(iterable: Expr) -> bool:
    """Whether a loop takes each item of lists once, as their names hold them."""
    match iterable:
        case Var():
            return True
        case Index(array=array, key=ir.Slice()):
            return is_each(array)
        case Op(fn="builtins.enumerate" | "builtins.zip" | "builtins.reversed", args=args):
            return all(map(is_each, args))
    return False


def number(s: ir.For) -> str | None:
    """The name that counts the passes of a loop: another number in each of them."""
    match s.target, s.iterable:
        case (Var(name=name), Op(fn="builtins.range")) | (
            ir.Sequence(items=(Var(name=name), *_)),
            Op(fn="builtins.enumerate"),
        ):
            return name
    return None


def is_call(s: Stmt) -> bool:
    """Whether names are bound to what a helper returns."""
    return isinstance(s, ir.Assign | ir.Unpack) and isinstance(s.value, Op) and s.value.fn.startswith("local.")


def once(found: Counts) -> Counts:
    return dict.fromkeys(found, 1)


def added(*found: Counts) -> Counts:
    out: Counts = {}
    for counts in found:
        for b, n in counts.items():
            out[b] = min(2, out.get(b, 0) + n)
    return out
