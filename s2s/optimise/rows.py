"""Lists in slots of lists and dicts get longer and shorter in place again, as the user wrote it.

    rows[k] = [*rows[k], x]                     rows[k].append(x)

    row_bar = rows_bar[k][-1]                   row_bar = rows_bar[k].pop()
    rows_bar[k] = rows_bar[k][:-1]      ->

This undoes `s2s.frontend.rewrites.rows`, and what the reverse sweep makes of it, where nothing else sees the list in
the slot: each one that is put there is new, and what reads it is done with it at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from s2s import ir
from s2s.frozen import replace
from s2s.ir import Assign, Block, Const, Expr, Index, Op, Stmt, Store, Var

NEW = ("helper._zeros_like", "helper._added")  # what they give shares no list with what they are given
READERS = frozenset(
    f"builtins.{n}" for n in ("len", "sum", "any", "all", "list", "tuple", "sorted", "set", "isinstance")
)
OF_ONE = ("builtins.min", "builtins.max")
ITERATE = ("builtins.enumerate", "builtins.zip", "builtins.reversed")
BRANCHES = ("operator.ifexp", "operator.and", "operator.or")
TESTS = ("operator.not", "operator.in", "operator.is", "operator.is_not", "operator.not_in", "numpy.equal")
LAST = Const(-1)


def in_place(body: Block, given: Collection[str]) -> Block:
    """given: parameters, whose lists the caller sees."""
    depths: dict[str, int] = {}
    for s in ir.statements(body):
        if isinstance(s, Store) and is_resized(s) and (found := path(s.target)):
            depths[found[0]] = max(depths.get(found[0], 0), found[1])
    own = {name for name, depth in depths.items() if name not in given and _Uses(name, depth, body).are_alone()}
    return _changed(body, own) if own else body


def is_resized(s: Store) -> bool:
    return ir.longer_slot(s.target, s.value) is not None or ir.shorter_slot(s.target, s.value)


def path(e: Expr) -> tuple[str, int] | None:
    """The name under subscripts by numbers or keys, and how many they are."""
    depth = 0
    while isinstance(e, Index) and not isinstance(e.key, ir.Slice):
        e, depth = e.array, depth + 1
    return (e.name, depth) if isinstance(e, Var) else None


@dataclass(frozen=True, eq=False)
class At:
    """Where a statement stands: its number, and the blocks around it, of which statement and which one: -1 of loops."""

    number: int
    where: tuple[tuple[int, int], ...]

    @cached_property
    def loops(self) -> frozenset[int]:
        return frozenset(s for s, i in self.where if i < 0)

    def leads_to(self, other: At) -> bool:
        """Whether another statement is reached behind this one only, in the same iteration of all loops around this."""
        return self.number < other.number and other.where[: len(self.where)] == self.where


class _Uses:
    """Whether the lists in the slots of one list are seen by nothing else."""

    def __init__(self, root: str, depth: int, body: Block) -> None:
        self.root, self.depth, self.body = root, depth, body
        self.levels = {root: 0}  # names of what lies so deep in the list: it itself, and variables of loops over it
        self.at = {id(s): At(i, where) for i, (s, where) in enumerate(_places(body, ()))}
        self.changes, self.made, self.binds = list[At](), list[At](), dict[str, list[At]]()
        self.keyed = False  # a dict: loops run over its keys
        for s in ir.statements(body):
            for name in ir.binds(s):
                self.binds.setdefault(name, []).append(self.at[id(s)])
            if isinstance(s, Store) and is_resized(s) and (found := path(s.target)) and found[0] == root:
                self.changes.append(self.at[id(s)])
            if isinstance(s, Assign) and s.target == root and self.is_new(s.value, depth + 1):
                self.made.append(self.at[id(s)])
                self.keyed |= isinstance(s.value, ir.Dict) or getattr(s.value, "kind", "") == "dict"
        self.settled = False  # nothing changes any more behind the statement at hand

    def are_alone(self) -> bool:
        return not any(self.of_block(self.body))

    def level(self, e: Expr) -> int | None:
        """How deep a value lies in the list; None for what is not of it, or one of the items of what changes."""
        found = path(e)
        if found is None or found[0] not in self.levels:
            return None
        level = self.levels[found[0]] + found[1]
        return level if level <= self.depth else None

    # ------------------------------------------------------------ statements
    def of_block(self, block: Block) -> Iterator[bool]:
        for s in block:
            yield from self.of_statement(s)

    def of_statement(self, s: Stmt) -> Iterator[bool]:
        """Whether a statement puts into the list what is not new, or gives what lies there another name."""
        self.settled = self.is_settled(s)
        match s:
            case Assign(target=name, value=value) if name == self.root:
                yield not (self.settled or self.is_new(value, self.depth + 1))
                yield self.is_kept(value)
            case Assign(target=name, value=value) if not self.settled and (level := self.level(value)) is not None:
                yield any(map(self.is_kept, _keys(value))) or not self.is_named(s, name)
                self.levels = {**self.levels, name: level}
            case Store(target=target, value=value):
                yield from map(self.is_kept, _keys(target))
                level = self.level(target)
                yield level is None and self.is_sliced(target)
                if level is None:
                    yield self.is_kept(value)
                elif is_resized(s):
                    yield self.is_item_kept(s) or not self.is_new(value, self.depth + 1 - level)
                else:
                    yield bool(s.update) or not self.is_put(s, value, level)
            case ir.Append(array=name, value=value):
                if name in self.levels:
                    level = self.levels[name]
                    yield isinstance(s, ir.Shrink) or level > 0 or not self.is_put(s, value, 1)
                else:
                    yield self.is_kept(value)
            case ir.Augment(target=target, value=value):
                yield from map(self.is_kept, _keys(target))
                yield self.level(target) is not None or self.is_sliced(target)
                yield self.is_kept(value)
            case ir.If(test=test) | ir.While(test=test):
                yield self.level(test) is None and self.is_kept(test)
                for b in ir.blocks(s):
                    yield from self.of_block(b)
            case ir.For():
                yield from self.of_loop(s)
            case ir.Return():
                return
            case _:
                yield any(n in self.levels for n in ir.binds(s))
                yield from map(self.is_kept, ir.expressions(s))

    def is_settled(self, s: Stmt) -> bool:
        """Whether no list that is there when a statement runs changes any more: what it keeps of them stays as it is.

        In a next iteration of a loop around there is another list, which the loop makes before it changes.
        """
        here = self.at[id(s)]
        around = here.loops | {id(s)}

        def is_made_anew(change: At) -> bool:
            common = change.loops & around
            return not common or any(m.leads_to(change) and common <= m.loops for m in self.made)

        return all(c.number < here.number and is_made_anew(c) for c in self.changes)

    def is_named(self, s: Assign | ir.For, name: str) -> bool:
        """Whether a name for what lies in the list is read only as long as that does not change."""
        here, binds = self.at[id(s)], self.binds[name]
        for t in ir.statements(self.body):
            if name not in {n for e in ir.expressions(t) for n in ir.reads(e)} and name not in ir.resized(t):
                continue
            there = self.at[id(t)]
            last = max((b for b in binds if b.number < there.number), key=lambda b: b.number, default=None)
            if last is None or not last.leads_to(there):
                return False
            if last is not here:
                continue
            if isinstance(s, ir.For) and id(s) not in there.loops:  # the last item
                return False
            around = there.loops | {id(t)} if isinstance(t, ir.While) else there.loops
            for c in self.changes:
                if here.number < c.number < there.number or not (around & c.loops <= here.loops | {id(s)}):
                    return False
        return True

    def is_put(self, s: Stmt, value: Expr, level: int) -> bool:
        """Whether what a statement puts into the list, to lie so deep there, is a new list that is its own."""
        if self.is_new(value, self.depth + 1 - level):
            return not self.is_kept(value)
        return level <= self.depth and isinstance(value, Var) and self.is_moved(s, value.name, level)

    def is_moved(self, s: Stmt, name: str, level: int) -> bool:
        """Whether a name is that of a new list which a statement puts there, and else only gets items, before."""
        here = self.at[id(s)]
        last = max(
            (b for b in self.binds.get(name, ()) if b.number < here.number), key=lambda b: b.number, default=None
        )
        if last is None or last.where != here.where:
            return False
        for t in ir.statements(self.body):
            at = self.at[id(t)]
            if at is last and not (isinstance(t, Assign) and self.is_new(t.value, self.depth + 1 - level)):
                return False
            if at is here or not (name in ir.resized(t) or any(name in ir.reads(e) for e in ir.expressions(t))):
                continue
            own = max((b for b in self.binds[name] if b.number < at.number), key=lambda b: b.number, default=None)
            if own is None or not own.leads_to(at):
                return False
            if own is last and (at.number > here.number or any(_keeps(e, name) for e in ir.expressions(t))):
                return False
        return True

    def is_item_kept(self, s: Store) -> bool:
        item = ir.longer_slot(s.target, s.value)
        return item is not None and self.is_kept(item)

    def of_loop(self, s: ir.For) -> Iterator[bool]:
        if self.settled:
            yield from self.of_block(s.body)
            return
        levels = list(self.run_over(s.iterable))
        names = set(ir.target_names(s.target))
        yield bool(names & self.levels.keys())
        yield min(levels, default=0) < 0
        if levels:
            inner = (t for t in ir.statements(s.body) if isinstance(t, Store) and is_resized(t))
            yield any((found := path(t.target)) is not None and found[0] == self.root for t in inner)
        before = self.levels
        if levels and min(levels) < self.depth:
            yield not all(self.is_named(s, n) for n in names)
            self.levels = {**before, **dict.fromkeys(names, min(levels) + 1)}
        yield from self.of_block(s.body)
        self.levels = before

    def run_over(self, e: Expr) -> Iterator[int]:
        """How deep the lists lie that a loop runs over."""
        if isinstance(e, Op) and e.fn in ITERATE:
            for a in e.args:
                yield from self.run_over(a)
        elif self.keyed and e == Var(self.root):
            return
        elif (level := self.level(e)) is not None:
            yield level
        elif self.is_sliced(e):
            yield 0
        elif self.is_kept(e):
            yield -1  # none of those that are known here

    def is_sliced(self, e: Expr) -> bool:
        """Whether an expression is a part of a list whose items are lists that change."""
        while isinstance(e, Index):
            if isinstance(e.key, ir.Slice) and (level := self.level(e.array)) is not None and level < self.depth:
                return True
            e = e.array
        return False

    # ------------------------------------------------------------ values
    def is_new(self, e: Expr, depth: int) -> bool:
        """Whether a value is a new list, of new lists, to this depth."""
        if depth == 0:
            return True
        match e:
            case ir.Sequence(items=items, kind="list", starred=starred):
                kept = (x for i, x in enumerate(items) if i not in starred)
                return (depth == 1 or not starred or self.is_longer(e)) and all(self.is_new(x, depth - 1) for x in kept)
            case ir.Dict(values=values):
                return all(self.is_new(v, depth - 1) for v in values)
            case ir.Comprehension(kind="list", element=element):
                return self.is_new(element, depth - 1)
            case ir.Comprehension(kind="dict", element=ir.Slice() as entry):
                return entry.stop is not None and self.is_new(entry.stop, depth - 1)
            case Op(fn=fn) if fn in NEW:
                return True
            case Op(fn="builtins.list" | "builtins.sorted"):
                return depth == 1
            case Op(fn="numpy.multiply", args=args):
                return depth == 1 and any(isinstance(a, ir.Sequence) for a in args)
            case Index(key=ir.Slice()):
                return depth == 1 or self.level(e.array) is not None
        return False

    def is_longer(self, e: ir.Sequence) -> bool:
        """Whether a display spreads what lies in its slot: `rows[k] = [*rows[k], []]`."""
        return e.starred == {0} and self.level(e.items[0]) is not None

    def is_kept(self, e: Expr) -> bool:
        """Whether the value of an expression may be, or hold, a list that changes; or something in it keeps one."""
        if self.settled or ir.reads(e).isdisjoint(self.levels):
            return False
        if isinstance(e, ir.Raw) or _is_late(e):
            return True
        if self.level(e) is not None or self.is_sliced(e):
            return True
        match e:
            case Index():
                return any(map(self.is_kept, _keys(e))) or (path(e) is None and self.is_read(e.array))
            case Op(fn=fn, args=args) if fn in READERS or fn in TESTS or (fn in OF_ONE and len(args) == 1):
                return any(self.is_read(a, whole=fn == "builtins.len" or fn in TESTS) for a in args)
            case Op(fn=fn, args=args) if fn in NEW or fn == "method.pop":
                return any(self.is_read(a, whole=True) for a in args)
            case Op(fn=fn, args=args, form=form) if fn.startswith(("numpy.", "math.", "scipy.")):
                plain = form is ir.Form.OPERATOR  # lists that are joined
                return any(self.is_read(a, whole=not plain) for a in (*args, *(v for _, v in e.options)))
            case ir.Sequence(items=items, starred=starred):
                return any(self.is_read(x) if i in starred else self.is_kept(x) for i, x in enumerate(items))
            case ir.Comprehension():
                return self.of_comprehension(e)
        return any(map(self.is_kept, ir.children(e)))

    def is_read(self, e: Expr, whole: bool = False) -> bool:
        """Whether a value that is read at once is kept; whole: what is read are no items of it that could be kept."""
        level = self.level(e)
        if self.settled or (level is None and not self.is_sliced(e)):
            return self.is_kept(e)
        keys = any(map(self.is_kept, _keys(e)))
        return keys or not (whole or level == self.depth or (self.keyed and level == 0))

    def of_comprehension(self, e: ir.Comprehension) -> bool:
        before, found = self.levels, False
        for target, iterable, tests in e.clauses:
            levels = list(self.run_over(iterable))
            names = set(ir.target_names(target))
            found |= bool(names & self.levels.keys()) or min(levels, default=0) < 0
            if levels and min(levels) < self.depth:
                self.levels = {**self.levels, **dict.fromkeys(names, min(levels) + 1)}
            found |= any(self.level(t) is None and self.is_kept(t) for t in tests)
        lazy = e.kind not in ("list", "set", "dict")
        found |= self.is_kept(e.element) or (lazy and bool(self.levels.keys() & ir.reads(e)))
        self.levels = before
        return found


def _places(block: Block, where: tuple[tuple[int, int], ...]) -> Iterator[tuple[Stmt, tuple[tuple[int, int], ...]]]:
    """The statements with the blocks around them, in the order of `ir.statements`."""
    for s in block:
        yield s, where
        for i, b in enumerate(ir.blocks(s)):
            yield from _places(b, (*where, (id(s), -1 if isinstance(s, ir.For | ir.While) else i)))


def _keys(e: Expr) -> Iterator[Expr]:
    while isinstance(e, Index):
        yield e.key
        e = e.array


def _keeps(e: Expr, name: str) -> bool:
    """Whether an expression reads a name elsewhere than to measure it, or to make zeros like it."""
    match e:
        case Op(fn=fn, args=(Var(),)) if fn in NEW or fn == "builtins.len":
            return False
        case ir.Raw():
            return name in e.names
    return e == Var(name) or any(_keeps(c, name) for c in ir.children(e))


def _is_late(e: Expr) -> bool:
    """Whether an expression is a function, which reads its names later."""
    return isinstance(e, Op) and e.fn in (ir.LAMBDA, ir.NAMED)


# ---------------------------------------------------------------- the text


def _changed(block: Block, own: set[str]) -> Block:
    out: list[Stmt] = []
    for s in block:
        s = ir.with_blocks(s, lambda b: _changed(b, own))
        place = s.target if isinstance(s, Store) else None
        found = path(place) if place is not None else None
        if place is None or found is None or found[0] not in own:
            out.append(s)
            continue
        assert isinstance(s, Store)
        if (item := ir.longer_slot(place, s.value)) is not None:
            out.append(ir.Inert("", (Op("method.append", (place, item), form=ir.Form.METHOD),), s.origin))
        elif ir.shorter_slot(place, s.value) and (taken := _taken(out, place)):
            out[-len(taken) :] = taken
        elif ir.shorter_slot(place, s.value) and s.sure:
            out.append(ir.Inert("", (_pop(place),), s.origin))
        else:
            out.append(s)
    return tuple(out)


def _taken(before: list[Stmt], place: Index) -> list[Stmt]:
    """The last statements with a pop, where they give a name to the item that a list is going to lose, and save it."""
    lost, names = Index(place, LAST), ir.reads(place)
    match before[-2:]:
        case [*_, Assign(target=name, value=value) as read] if value == lost and name not in names:
            return [replace(read, value=_pop(place))]
        case [Assign(target=name, value=value) as read, ir.Append(array=saved, value=again) as save]:
            if value == again == lost and not {name, saved} & names:
                return [replace(read, value=_pop(place)), replace(save, value=Var(name))]
    return []


def _pop(place: Index) -> Op:
    return Op("method.pop", (place,), form=ir.Form.METHOD, spelling="pop")
