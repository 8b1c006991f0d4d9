"""Entries of dicts that get their earlier values back, where the reverse sweep does not ask which keys are there.

    sums_saved.append(sums.get(k))              sums_saved.append(sums[k])
    sums[k] = sums[k] + x[i]                    sums[k] = sums[k] + x[i]
    ...                                         ...
    _put_back(sums, k, sums_saved.pop())        sums[k] = sums_saved.pop()

An entry that was not there is 0.0 then, or keeps what was stored: nothing reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from s2s import ir
from s2s.algebra import ZERO
from s2s.analysis.aliases import Seen
from s2s.derive.owned import held
from s2s.frozen import replace
from s2s.ir import Append, Assign, Block, Expr, If, Index, Op, Stmt, Store, Var
from s2s.optimise import names
from s2s.optimise.keys import count, makes_dict, parts

DEFAULT = 2  # the number of arguments of GET without one


def unasked(body: Block, seen: Seen) -> Block:
    """`body` with such entries restored by plain stores."""
    dicts = {s.target.array.name for s in restores(body) if isinstance(s.target.array, Var)}
    every = tuple(ir.statements(body)) if dicts else ()
    for d in sorted(d for d in dicts if has_one_name(every, d, seen)):
        first = next(i for i, s in enumerate(body) if any(is_of(t, d) for t in restores((s,))))
        if not asks(body[first:], d):
            plain = _Plain(body, d)
            restored = entries_of(plain.block(body[first:]), d)  # they are all there by then
            body = (*plain.block(body[:first]), *restored)
    return body


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

    return names.apply(inner(body), same)


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


def is_of(s: Store, d: str) -> bool:
    return s.target.array == Var(d)


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

    def __init__(self, body: Block, d: str) -> None:
        self.d = d
        self.added: set[str] = set()  # lists of what was there before entries that were new
        self.find(body)

    def find(self, block: Block) -> None:
        missing: dict[str, Expr] = {}  # tests, with the key that is not there where they hold
        for s in block:
            match s:
                case Assign(target=name, value=Op(fn="operator.not_in", args=(key, of))) if of == Var(self.d):
                    missing[name] = key
                case If(test=Var(name=name), body=(Append(array=saved, value=value), *_)) if name in missing:
                    if self.is_got(value, missing[name]):
                        self.added.add(saved)
                case ir.Comment():
                    pass
                case _:
                    missing = {}
            for inner in ir.blocks(s):
                self.find(inner)

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
        return replace(got, args=(*got.args, ZERO))
