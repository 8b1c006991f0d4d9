"""Stores that copy a part of an array into another part of it, where NumPy may read what it has just written.

    p[::2] = p[:3]          A[4, 1:5] = A[2:6, 4]          p[mask] = p[:n]

NumPy copies first where the target has two axes or more, or a key of integers, and where the two run in opposite
directions. Along one axis it copies in the order of the memory, from the end that is right for equal steps only
(`PyArray_AssignArray`), and so it does through a mask. What the array holds then is not what the statement means.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from s2s import ir
from s2s.analysis.aliases import CONTAINERS, Aliases, sources
from s2s.analysis.facts import Facts
from s2s.analysis.transfer import key_kind, key_parts
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Index, Op, Slice, Var

WHOLE = Slice(None, None)
PLAIN = ("numpy.", "math.", "operator.", "builtins.len")  # what keeps nothing that it is given


def clashing(f: ir.Function, facts: Facts, aliases: Aliases) -> Iterator[ir.Store]:
    """The stores whose target and value may overlap in such a way."""
    parts = _Parts(f, facts, aliases)
    for s in ir.statements(f.body):
        if isinstance(s, ir.Store) and parts.clash(s) and not parts.is_of_new(s):
            yield s


def copies_in_place(f: ir.Function, facts: Facts, aliases: Aliases, s: ir.Store, value: Expr) -> bool:
    """Whether a store that computes something would be such a copy, were it of this part alone: its tangent is, where
    what is added is constant, `p[::2] = p[:3] + c`."""
    return _Parts(f, facts, aliases).clash(replace(s, value=value))


class _Parts:
    """Which parts of the arrays that they belong to values see."""

    def __init__(self, f: ir.Function, facts: Facts, aliases: Aliases) -> None:
        self.facts = facts
        self.body = f.body
        self.given = f.names
        self.class_of = aliases.of
        self.definitions: dict[str, list[Expr]] = {}
        self.partial: set[str | None] = set()  # classes in which some name sees a part of an array
        for s in ir.statements(f.body):
            if isinstance(s, Assign):
                self.definitions.setdefault(s.target, []).append(s.value)
                if not self.is_whole(s.value):
                    self.partial.add(self.class_of.get(s.target))
            elif isinstance(s, ir.Unpack) and s.starred < 0:
                for i, name in enumerate(s.targets):
                    self.definitions.setdefault(name, []).append(Index(s.value, Const(i)))
                    self.partial.add(self.class_of.get(name))
            elif isinstance(s, ir.Shrink):
                pass
            elif isinstance(s, ir.Append) and not self.is_whole(s.value):
                self.partial.add(self.class_of.get(s.array))
            elif isinstance(s, ir.Store) and self.facts.of(s.target.array).kind in CONTAINERS:
                if not self.is_whole(s.value):
                    self.partial.add(self.class_of.get(ir.written_name(s.target)))
            elif not isinstance(s, ir.Append | ir.Store):
                self.partial |= {self.class_of.get(n) for n in ir.binds(s)}
        held = {self.class_of.get(n) for s in ir.statements(f.body) for n in self.put_into(s)}
        self.held = held & self.partial  # those in which a list or a dict may hold a part

    def clash(self, s: ir.Store) -> bool:
        if s.update or self.facts.of(s.target.array).kind in ("list", "dict"):
            return False
        if self.facts.ndim(s.target) not in (1, None) or any(k == "ints" for k in self.kinds(s.target.key)):
            return False
        own = self.class_of.get(ir.written_name(s.target))
        if own is None or all(self.class_of.get(n) != own for n in self.seen_by(s.value)):
            return False
        to, of = self.under(s.target, own), self.of(s.value, own)
        return to is None or of is None or not all(self.is_harmless(t, v) for t in to for v in of)

    def is_of_new(self, s: ir.Store) -> bool:
        """Whether the array that is written, or the one that is read, is new, and the other one no name for it."""
        before = _before(self.body, s)
        read = {v.name if isinstance(v, Var) else "" for v, _ in sources(s.value, self.facts)}
        name = ir.written_name(s.target)

        def is_apart(of: str, others: set[str]) -> bool:
            names = self.names_of_new(before, of)
            return names is not None and names.isdisjoint(others)

        return "" not in read and (is_apart(name, read) or all(is_apart(n, {name}) for n in read))

    def names_of_new(self, before: ir.Block, name: str) -> set[str] | None:
        """The names that may see what a name holds behind some statements, of which one has bound it to a new array;
        None where none has, or where something else may keep it."""
        at = next((i for i in reversed(range(len(before))) if name in ir.binds(before[i])), -1)
        made = before[at] if at >= 0 else None
        if not (isinstance(made, Assign) and isinstance(made.value, Op) and made.value.fn.startswith(PLAIN)):
            return None
        if not self.is_new(made.value):
            return None
        found = {name}
        for s in before[at + 1 :]:
            for t in ir.statements((s,)):
                if name in ir.binds(t) or not all(self.is_plain(e) for e in ir.expressions(t) if ir.reads(e) & found):
                    return None
                kept = () if isinstance(t, ir.Inert | ir.If | ir.While) else ir.expressions(t)[-1:]
                if any(ir.reads(v) & found for e in kept for v, _ in sources(e, self.facts)):
                    if t is not s or not isinstance(s, Assign):
                        return None
                    found.add(s.target)
        return found

    def is_plain(self, e: Expr) -> bool:
        """Whether an expression calls nothing that could keep what it is given."""
        return all(n.fn.startswith(PLAIN) if isinstance(n, Op) else not isinstance(n, ir.Raw) for n in ir.walk(e))

    def put_into(self, s: ir.Stmt) -> Iterator[str]:
        """The lists and dicts into which a statement may put a part of an array."""
        match s:
            case Assign(target=name, value=value):
                if self.facts.of(Var(name)).kind in CONTAINERS and self.may_be_part(value):
                    yield name
            case ir.Shrink():
                pass
            case ir.Append(array=name, value=value):
                if self.may_be_part(value):
                    yield name
            case ir.Store(target=place, value=value):
                if self.facts.of(place.array).kind in CONTAINERS and self.may_be_part(value):
                    yield ir.written_name(place)
            case ir.Unpack(value=value) if self.is_new(value):
                return  # what a function makes and returns is whole: of parts of it `tangles` knows
            case ir.Unpack(value=value) if self.facts.of(value).kind in CONTAINERS and not self.may_be_part(value):
                return
            case _:
                yield from (n for n in ir.binds(s) if self.facts.of(Var(n)).kind in CONTAINERS)

    def may_be_part(self, e: Expr, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a value may be a part of an array, or hold one that no list or dict held before."""
        match e:
            case _ if self.is_new(e):
                return False
            case Var(name=name):
                values = self.definitions.get(name, [])
                inner = (self.may_be_part(v, seen | {name}) for v in values)
                return name not in seen and (any(inner) if values else name not in self.given)
            case Index(array=array):
                return self.facts.of(array).kind not in CONTAINERS
            case ir.Sequence(items=items) | ir.Dict(values=items):
                return any(self.may_be_part(i, seen) for i in items)
        return True

    def is_whole(self, e: Expr) -> bool:
        """Whether a value is new, another name, or an item of a list: no part of an array."""
        match e:
            case _ if self.is_new(e) or isinstance(e, Var):
                return True
            case Index(array=array):
                return self.facts.of(array).kind in CONTAINERS
            case Op(fn="operator.ifexp" | "builtins.max" | "builtins.min", args=args):
                return all(self.is_whole(a) for a in args)
            case ir.Sequence(items=items):
                return all(self.is_whole(i) for i in items)
        return False

    def seen_by(self, e: Expr) -> set[str]:
        """The names that a value may share memory with, through the names that it reads as well."""
        found: set[str] = set()
        todo = [e]
        while todo:
            for v, _ in sources(todo.pop(), self.facts):
                if isinstance(v, Var) and v.name not in found:
                    found.add(v.name)
                    todo += self.definitions.get(v.name, [])
        return found

    def of(self, e: Expr, own: str, seen: frozenset[str] = frozenset()) -> list[Expr] | None:
        """The keys of the parts that a value may be, of whole arrays of the class `own`; None where it may be another.

        A value that is new, or not of that class, is no such part: [].
        """
        match e:
            case _ if not sources(e, self.facts):
                return []
            case Var(name=name):
                if self.class_of.get(name) != own or name in seen:
                    return []
                if own not in self.partial:
                    return [WHOLE]
                values = self.definitions.get(name, []) + [WHOLE] * (name in self.given)
                if not values:
                    return None
                # a swap in a loop binds names to each other: what is seen on the way adds no part
                return self.all_of([WHOLE if self.is_new(v) else v for v in values], own, seen | {name})
            case Index(array=array):
                if self.facts.of(array).kind in CONTAINERS:
                    return None if own in self.held else [WHOLE]
                return self.under(e, own, seen)
            case Op(fn="operator.ifexp", args=(_, a, b)):
                return self.all_of([a, b], own, seen)
            case Op(fn="builtins.max" | "builtins.min", args=args):
                return self.all_of(list(args), own, seen)
        return None

    def is_new(self, e: Expr) -> bool:
        return not sources(e, self.facts)

    def under(self, e: Index, own: str, seen: frozenset[str] = frozenset()) -> list[Expr] | None:
        """The key of a part of a whole array; where it is written, a mask and an array of integers see it, too."""
        keys = self.of(e.array, own, seen)
        if not keys or not all(k == WHOLE or all(kind == "int" for kind in self.kinds(k)) for k in keys):
            return None
        return [e.key if k == WHOLE else ir.Sequence((*ir.key_items(k), *ir.key_items(e.key))) for k in keys]

    def all_of(self, values: list[Expr], own: str, seen: frozenset[str]) -> list[Expr] | None:
        out: dict[Expr, None] = {}
        for value in values:
            inner = [WHOLE] if value == WHOLE else self.of(value, own, seen)
            if inner is None:
                return None
            out |= dict.fromkeys(inner)
        return list(out)

    def kinds(self, key: Expr) -> list[str]:
        return [key_kind(k, self.facts) for k in key_parts(key, self.facts)]

    def is_harmless(self, to: Expr, of: Expr) -> bool:
        """Whether two parts of one array are in the same steps, in opposite directions, or cross where they start."""
        a, b = (ir.key_items(WHOLE if k == ir.ELLIPSIS else k) for k in (to, of))
        steps: list[tuple[Slice, Slice]] = []
        into: list[tuple[Slice, Expr]] = []  # a slice of the target where the value has a number
        out: list[tuple[Expr, Slice]] = []
        for x, y in zip_longest(a, b, fillvalue=WHOLE):
            match x, y:
                case _ if x == y:
                    continue
                case Slice(), Slice():
                    steps.append((x, y))
                case Slice(), _ if self.kinds(y) == ["int"]:
                    into.append((x, y))
                case _, Slice() if self.kinds(x) == ["int"]:
                    out.append((x, y))
                case _ if self.kinds(x) != ["int"] or (self.kinds(y) != ["int"] and not isinstance(y, Var)):
                    return False  # a variable may be an array of integers, too: what is read under it is a copy
        if into or out:  # a row into a column: they have one element in common
            if steps or len(into) != 1 or len(out) != 1:
                return False
            (x, column), (row, y) = into[0], out[0]
            return row == column and x.start == y.start and x.step == y.step
        return all(x.step == y.step for x, y in steps) or (len(steps) == 1 and _opposite(*steps[0]))


def _before(block: ir.Block, s: ir.Stmt) -> ir.Block:
    """What stands before a statement in its own block."""
    every = ir.every_block(block)
    return next(b[:i] for b in every for i, t in enumerate(b) if t is s)


def _opposite(x: Slice, y: Slice) -> bool:
    signs = [(s.step or Const(1)) for s in (x, y)]
    values = [s.value for s in signs if isinstance(s, Const) and isinstance(s.value, int)]
    return len(values) == 2 and values[0] * values[1] < 0


__all__ = ["clashing"]
