"""Entries of dicts that get their earlier values back, where the reverse sweep does not ask which keys are there.

    sums_saved.append(sums.get(k))              sums_saved.append(sums[k])
    sums[k] = sums[k] + x[i]                    sums[k] = sums[k] + x[i]
    ...                                         ...
    _put_back(sums, k, sums_saved.pop())        sums[k] = sums_saved.pop()

An entry that was not there is 0.0 then, or keeps what was stored: nothing reads it. An entry that is known to be new
where it is stored goes, where the reverse sweep asks for keys:

    taken = k not in sums                       taken = k not in sums
    if taken:                                   if taken:
        sums_saved.append(sums.get(k))
        sums[k] = x[i]                              sums[k] = x[i]
    ...                                         ...
    if taken:                                   if taken:
        _put_back(sums, k, sums_saved.pop())        del sums[k]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from s2s import ir
from s2s.algebra import ZERO
from s2s.analysis import webs
from s2s.analysis.aliases import NOBODY, Seen
from s2s.derive.owned import held
from s2s.frozen import replace
from s2s.ir import Append, Assign, Block, Expr, If, Index, Op, Sequence, Stmt, Store, Var
from s2s.optimise.keys import count, makes_dict, parts

DEFAULT = 2  # the number of arguments of GET without one


def unasked(body: Block, seen: Seen) -> Block:
    """`body` with such entries restored by plain stores."""
    dicts = restored(body)
    if not dicts:
        return body
    every = tuple(ir.statements(body))
    if any(isinstance(s, Store) and s.gone for s in every):  # what was stored once need not be there
        return without_new(body)
    for d in sorted(d for d in dicts if is_never_asked(every, d)):
        body = _Plain(body, d, seen).block(body)
        dicts.discard(d)
    every = tuple(ir.statements(body))
    for d in sorted(d for d in dicts if has_one_name(every, d, seen)):
        first = next(i for i, s in enumerate(body) if any(is_of(t, d) for t in restores((s,))))
        if not asks(body[first:], d):
            plain = _Plain(body, d, seen)
            there = entries_of(plain.block(body[first:]), d)  # they are all there by then
            body = (*plain.block(body[:first]), *there)
            dicts.discard(d)
    for group in sorted({tuple(sorted({d} | seen.peers.get(d, frozenset()))) for d in dicts}):
        own = [d for d in group if d in dicts]
        back = (i for i, s in enumerate(body) if any(is_of(t, d) for t in restores((s,)) for d in own))
        first = next(back, len(body))
        holders = [n for n in group if n not in seen.arrays]
        if seen.at_end.isdisjoint(group) and not any(asks_all(body[first:], n, n in own) for n in holders):
            for d in own:
                plain = _Plain(body, d, seen)
                body = (*plain.block(body[:first]), *entries_of(plain.block(body[first:]), d))
    return without_new(body)


def asks_all(block: Block, name: str, is_dict: bool) -> bool:
    """Whether a block does more with one of the names of a dict than `asks` allows; a list that may hold it is only
    shortened, and of another dict numbers and arrays are read or stored."""
    if is_dict:
        return asks(block, name)
    return any(
        name in webs.mentioned(s) and not (is_shortened(s, name) or has_entries_only(s, name))
        for s in ir.statements(block)
    )


def has_entries_only(s: Stmt, name: str) -> bool:
    """Whether all that a statement does with a dict is to compute with entries, or to store them."""

    def alone(e: Expr, computed: bool) -> bool:
        """computed: a function of NumPy takes the value."""
        match e:
            case Var():
                return e != Var(name)
            case Index(array=Var(name=of), key=Op(fn=ir.KEY, args=(key,))) if of == name:
                return computed and alone(key, False)
        inside = isinstance(e, Op) and e.fn.startswith(("numpy.", "helper._unbroadcast"))
        return all(alone(part, inside) for part in ir.children(e))

    if name in ir.binds(s) or (isinstance(s, Append) and s.array == name):
        return False
    target = s.target if isinstance(s, Store | ir.Augment) else None
    return all(alone(e, e is target) for e in ir.expressions(s))


def is_shortened(s: Stmt, name: str) -> bool:
    return isinstance(s, ir.Inert) and s.values == (ir.pop(name),)


def without_new(body: Block) -> Block:
    """Entries that were not there before they were stored go."""
    for d in sorted(restored(body)):
        new = {n for n in _Plain(body, d).added if holds_none_only(body, d, n)}
        if new:
            body = _without(body, new)
    return body


def holds_none_only(body: Block, d: str, saved: str) -> bool:
    """Whether a list gets what was there before new entries of a dict, and nothing else, and only restores take it."""
    new = _Plain(body, d).new
    for s in ir.statements(body):
        match s:
            case Assign(target=name, value=Sequence(items=())) if name == saved:
                pass
            case Append(array=array) if array == saved and s in new:
                pass
            case Store(update="back", value=value) if ir.reads(value) & {saved}:
                if not is_of(s, d):
                    return False
            case _:
                if saved in ir.binds(s) or any(ir.is_use(e, saved) for e in ir.nodes(s)):
                    return False
    return True


def _without(body: Block, new: set[str]) -> Block:
    out: list[Stmt] = []
    for s in body:
        match s:
            case Assign(target=name) | Append(array=name) if name in new:
                pass
            case Store(update="back", value=value) if ir.reads(value) & new:
                out.append(replace(s, value=ir.NONE))
            case _:
                out.append(ir.with_blocks(s, lambda block: _without(block, new)))
    return tuple(out)


def without_idle_zeros(body: Block) -> Block:
    """Without the zeros for adjoints of entries that were not there before: nothing is added to them any more.

    if taken:                                   if taken:
        x_bar[i] += sums_bar[k]                     x_bar[i] += sums_bar[k]
        sums_bar[k] = 0.0               ->
    """
    every = tuple(ir.statements(body))
    tests = {s.target: s.value for s in every if isinstance(s, Assign) and key_asked(s.value) is not None}
    idle: set[int] = set()
    for name, test in sorted(tests.items()):
        found = key_asked(test)
        both = [s for s in every if isinstance(s, If) and s.test == Var(name)]
        if found is None or len(both) != len(("forward", "reverse")):
            continue
        (d, key), missing = found, isinstance(test, Op) and test.fn == "operator.not_in"
        forward, reverse = (tuple(ir.statements(s.body if missing else s.orelse)) for s in both)
        bar = f"{d}%_bar"
        if not is_right_behind(body, name, both[0]) or any(bar in webs.mentioned(s) for s in forward):
            continue
        stored = [s for s in forward if isinstance(s, Store | ir.Augment) and is_keyed(s)]
        changed = {n for s in forward for n in (*ir.binds(s), *(ir.written_name(x.target) for x in written((s,))))} - {
            d
        }
        zeros = [s for s in reverse if isinstance(s, Store) and is_of(s, bar) and is_zero(s) and stored_key(s) == key]
        is_new = (
            len(stored) == 1 and is_of(stored[0], d) and stored_key(stored[0]) == key and not ir.reads(key) & changed
        )
        if is_new and len(zeros) == 1 and is_never_asked(every, bar):
            idle.add(id(zeros[0]))
    return _left_out(body, idle) if idle else body


def _left_out(body: Block, idle: set[int]) -> Block:
    return tuple(ir.with_blocks(s, lambda b: _left_out(b, idle)) for s in body if id(s) not in idle)


def key_asked(e: Expr) -> tuple[str, Expr] | None:
    """The dict and the key of `k in d` and `k not in d`."""
    match e:
        case Op(fn="operator.in" | "operator.not_in", args=(key, Var(name=d))):
            return d, key
    return None


def is_right_behind(body: Block, name: str, test: If) -> bool:
    """Whether an if stands right behind the one statement that binds its test to what is asked."""
    for block in ir.every_block(body):
        plain = [s for s in block if not isinstance(s, ir.Comment)]
        if any(s is test for s in plain):
            at = next(i for i, s in enumerate(plain) if s is test)
            return at > 0 and isinstance(plain[at - 1], Assign) and name in ir.binds(plain[at - 1])
    return False


def is_keyed(s: Store | ir.Augment) -> bool:
    key = s.target.key if isinstance(s.target, Index) else None
    return isinstance(key, Op) and key.fn == ir.KEY


def stored_key(s: Store | ir.Augment) -> Expr | None:
    key = s.target.key if isinstance(s.target, Index) else None
    return key.args[0] if isinstance(key, Op) and key.fn == ir.KEY else key


def is_zero(s: Store) -> bool:
    return s.origin is None and (s.value == ZERO or (isinstance(s.value, Op) and s.value.fn == "numpy.zeros_like"))


def is_never_asked(every: tuple[Stmt, ...], d: str) -> bool:
    """Whether a dict of adjoints, which may lie in lists, or have other names, is only read and written under keys:
    nothing sees which ones it has. The reverse sweep reads those that the dict of values has."""
    places = _Places(d)
    before: dict[str, int] = {}
    while places.depths != before:
        before = dict(places.depths)
        if not all(map(places.follow, every)):
            return False
    return all(is_made_first(every, name) for name in places.depths)


def is_new_dict(e: Expr) -> bool:
    return makes_dict(e) or (isinstance(e, ir.Comprehension) and e.kind == "dict")


def is_made_first(every: tuple[Stmt, ...], name: str) -> bool:
    """Whether a name is bound before it is read: it is no parameter."""
    first = next(s for s in every if name in ir.binds(s) or any(ir.is_use(e, name) for e in ir.nodes(s)))
    return isinstance(first, Assign) and first.target == name


class _Places:
    """Where a dict of adjoints may lie: its names, lists that hold it (the dict is at depth 1 of 2), lists of those."""

    def __init__(self, d: str) -> None:
        self.depths = {d: 1}

    def follow(self, s: Stmt) -> bool:
        """Whether a statement does nothing with these dicts but to read and write entries, and hand the dicts on."""
        match s:
            case Assign(target=name, value=value) if depth := self.depth(value):
                return self.note(name, depth) and not any(self.handed(value, inside=True))
            case Assign(
                target=name,
                value=Var(name=of) | Index(array=Var(name=of)) | Op(fn="method.pop", args=(Var(name=of),)) as value,
            ) if name in self.depths:
                same = isinstance(value, Var) or (isinstance(value, Index) and isinstance(value.key, ir.Slice))
                return self.note(of, self.depths[name] + (not same))
            case Assign(target=name, value=value) if name in self.depths:
                made = is_new_dict(value) if self.depths[name] == 1 else value == Sequence((), "list")
                return made and not any(self.handed(value))
            case Append(array=name, value=value) if depth := self.depth(value):
                return self.note(name, depth + 1) and not any(self.handed(value, inside=True))
            case ir.Inert(keyword="", values=(value,)) if self.depth(value):  # `rows_bar.pop()`
                return not any(self.handed(value, inside=True))
        bound = () if isinstance(s, Append) else ir.binds(s)
        return not self.depths.keys() & set(bound) and not any(e for x in ir.expressions(s) for e in self.handed(x))

    def note(self, name: str, depth: int) -> bool:
        return "%" in name and self.depths.setdefault(name, depth) == depth

    def depth(self, e: Expr) -> int:
        match e:
            case Var(name=name):
                return self.depths.get(name, 0)
            case Index(array=array, key=ir.Slice()):
                return self.depth(array)
            case Index(array=of) | Op(fn="method.pop", args=(of, *_)):
                return max(self.depth(of) - 1, 0)
        return 0

    def handed(self, e: Expr, inside: bool = False) -> Iterator[Expr]:
        """The dicts, and lists of them, with which an expression does more than to read an entry or an item. inside:
        the expression is one of them."""
        if self.depth(e) and not inside:
            yield e
        match e:
            case Var():
                return
            case (
                Index(array=of, key=key)
                | Op(fn="method.pop", args=(of, key))
                | Op(fn=ir.GET, args=(of, key), options=())
            ) if self.depth(of):
                yield from self.handed(of, inside=True)
                yield from self.handed(key)
            case Op(fn="method.pop", args=(of,)) if self.depth(of):
                yield from self.handed(of, inside=True)
            case _:
                for part in ir.children(e):
                    yield from self.handed(part)


def without_copies(body: Block) -> Block:
    """Cotangents that are copies of dicts, of which only entries are read and which nothing changes, are other names:
    `grads_bar = dict(out_bar[1])` is `grads_bar = out_bar[1]`, and `d_bar = dict(out_bar)` goes."""
    every = list(ir.statements(body))
    copies = [(s.target, of) for s in every if isinstance(s, Assign) and (of := copied(s)) is not None]
    if not copies:
        return body
    others = [s for s in every if copied(s) is None and not (isinstance(s, Assign) and s.value == Var(s.target))]
    stored = {ir.written_name(s.target) for s in written(body)}
    stored |= {v.name for e in ir.helper_calls(*(e for s in every for e in ir.expressions(s))) for v in of_call(e)}
    bound = Counter(n for s in every for n in ir.binds(s))
    kept = {d for d, _ in copies if d in stored or asks_any(others, d)}
    kept |= {d for d, of in copies if (root := ir.written_name(of)) != d and (root in stored or bound[root])}
    whole = {s.target for s in every if isinstance(s, Assign) and is_whole_copy(s.value)}  # with arrays of its own
    kept |= whole & {n for s in others if not isinstance(s, ir.Augment) for e in ir.expressions(s) for n in held(e)}
    same = {d: of for d, of in copies if d not in kept and isinstance(of, Var) and (of == Var(d) or bound[d] == 1)}

    def inner(block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            match s:
                case Assign(target=d) if copied(s) == same.get(d, s):
                    pass
                case Assign(target=d) if d not in kept and (of := copied(s)) is not None:
                    out.append(replace(s, value=of))
                case _:
                    out.append(ir.with_blocks(s, inner))
        return tuple(out)

    return ir.renamed_in(inner(body), same)


def copied(s: Stmt) -> Index | Var | None:
    """What a dict of the reverse sweep is a copy of: a name, or an item of what has one."""
    match s:
        case Assign(value=Op(fn="builtins.dict", args=(Var() | Index() as of,), options=()), origin=None):
            return of
        case Assign(value=Op(args=(_, Var() | Index() as of)) as value, origin=None) if is_whole_copy(value):
            return of
    return None


def of_call(call: Op) -> Iterator[Var]:
    """The names that a function of the module is given as they are: it may write into them."""
    return (e for e in call.args if isinstance(e, Var))


def is_whole_copy(e: Expr) -> bool:
    """_added(_zeros_like(d), d)"""
    match e:
        case Op(fn="helper._added", args=(Op(fn="helper._zeros_like", args=(like,)), of)):
            return like == of
    return False


def written(block: Block) -> Iterator[Store | ir.Augment]:
    return (s for s in ir.statements(block) if isinstance(s, Store | ir.Augment))


def restores(body: Block) -> Iterator[Store]:
    return (s for s in ir.statements(body) if isinstance(s, Store) and s.update == "back")


def restored(body: Block) -> set[str]:
    return {s.target.array.name for s in restores(body) if isinstance(s.target.array, Var)}


def is_of(s: Store | ir.Augment, d: str) -> bool:
    return isinstance(s.target, Index) and s.target.array == Var(d)


def has_one_name(every: tuple[Stmt, ...], d: str, seen: Seen) -> bool:
    """Whether a variable is bound to new dicts only, which no other name sees: functions may read it."""
    made = [s for s in every if d in ir.binds(s)]
    if not made or not all(isinstance(s, Assign) and makes_dict(s.value) for s in made):
        return False
    others = sum(e == Var(d) for s in every for e in parts(s) if not isinstance(s, ir.For))
    if others and d in (peers := seen.peers.get(d, frozenset())):
        # its arrays may have other names, of which none is what a function gives that reads the dict
        alone = [s for s in every if peers == {d} or (isinstance(s, Assign) and s.target not in peers)]
        calls = (e for s in alone for e in ir.nodes(s) if isinstance(e, Op) and e.fn.startswith("local."))
        others -= sum(a == Var(d) for e in calls if e.fn not in seen.effects for a in e.args)
    return not others


def asks(block: Block, d: str) -> bool:
    """Whether a block does more with a dict than to read entries, and to store some."""
    every = list(ir.statements(block))
    return asks_any(every, d) or any(d in ir.binds(s) for s in every)


def asks_any(statements: Iterable[Stmt], d: str) -> bool:
    for s in statements:
        entries = sum(e.array == Var(d) if isinstance(e, Index) else is_got(e, d) for e in ir.nodes(s))
        if count([s], d) > entries:
            return True
    return False


def is_got(e: Expr, d: str) -> bool:
    return isinstance(e, Op) and e.fn == ir.GET and e.args[0] == Var(d)


def entries_of(block: Block, d: str) -> Block:
    """`d.get(k, 0.0)` as `d[k]`."""

    def expr(e: Expr) -> Expr:
        match e:
            case Op(fn=ir.GET, args=(Var(name=name), key, _)) if name == d:
                return Index(Var(d), Op(ir.KEY, (key,)))
        return ir.rebuild(e, expr)

    def inner(b: Block) -> Block:
        return tuple(ir.with_expressions(ir.with_blocks(s, inner), expr) for s in b)

    return inner(block)


class _Plain:
    """Writes the restores of a dict as stores, and what they store with a default."""

    def __init__(self, body: Block, d: str, seen: Seen = NOBODY) -> None:
        self.d = d
        self.added: set[str] = set()  # lists of what was there before entries that were new
        self.new: set[Stmt] = set()  # what appends to them there
        self.default = seen.absent.get(d, ZERO)
        self.find(body)

    def find(self, block: Block) -> None:
        tests: dict[str, Expr] = {}  # the names of tests that were computed just before
        for s in block:
            match s:
                case Assign(target=name, value=Op(fn="operator.in" | "operator.not_in") as test):
                    tests[name] = test
                case If(test=test):
                    test = tests.get(test.name, test) if isinstance(test, Var) else test
                    match test:
                        case Op(fn="operator.not_in", args=(key, of)) if of == Var(self.d):
                            self.note(s.body, key)
                        case Op(fn="operator.in", args=(key, of)) if of == Var(self.d):
                            self.note(s.orelse, key)
                    tests = {}
                case ir.Comment():
                    pass
                case _:
                    tests = {}
            for inner in ir.blocks(s):
                self.find(inner)

    def note(self, block: Block, key: Expr) -> None:
        """The key is not there where a block begins."""
        match block:
            case (Append(array=saved, value=value) as append, *_) if self.is_got(value, key):
                self.added.add(saved)
                self.new.add(append)

    def is_got(self, e: Expr, key: Expr | None = None) -> bool:
        return (
            isinstance(e, Op)
            and e.fn == ir.GET
            and len(e.args) == DEFAULT
            and e.args[0] == Var(self.d)
            and (key is None or e.args[1] == key)
        )

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for at, s in enumerate(block):
            s = ir.with_blocks(s, self.block)
            match s:
                case Append(array=saved, value=value) if self.is_got(value):
                    if saved not in self.added:
                        out.append(replace(s, value=self.saved(value, block[at + 1 :])))
                case Assign(value=value) if self.is_got(value):
                    out.append(replace(s, value=self.saved(value, block[at + 1 :])))
                case Assign(target=name, value=value) if name in self.added:
                    pass
                case Store(update="back", value=value) if is_of(s, self.d):
                    if not ir.reads(value) & self.added:
                        out.append(replace(s, update=""))
                case _:
                    out.append(s)
        return tuple(out)

    def saved(self, got: Expr, rest: Block) -> Expr:
        """The entry, where the store that follows reads it, too; else with a default."""
        assert isinstance(got, Op)
        for s in rest:
            if isinstance(s, Store) and is_of(s, self.d):
                entry = s.target
                key = entry.key.args[0] if isinstance(entry.key, Op) and entry.key.fn == ir.KEY else entry.key
                whole = list(ir.walk(s.value))
                if key == got.args[1] and entry in whole and all(map(ir.is_always_evaluated, whole)):
                    return entry
            if ir.blocks(s) or isinstance(s, Store):
                break
        return replace(got, args=(*got.args, self.default))
