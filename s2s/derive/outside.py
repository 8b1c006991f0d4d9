"""What functions have of their module: which of its arrays, lists and dicts they return, or may write into.

    rows = TABLE["u"]           rows[0] = x writes into TABLE
    rows = [TABLE["u"]]         rows[0] = x does not, rows[0][0] = x does

A derivative that wrote into these would leave another module behind than it found, and the next call would see it.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from s2s import ir, rules
from s2s.analysis.aliases import CONTAINERS, sharing
from s2s.analysis.transfer import ELEMENTWISE_CONSTANTS
from s2s.derive.handing import handed, is_update, with_copies
from s2s.derive.owned import held
from s2s.ir import Expr, Op, Var

if TYPE_CHECKING:
    from s2s.derive.calls import Calls

CONSTANTS = frozenset(f"builtins.{n}" for n in ("float", "int", "bool", "str", "len"))  # what these give has no parts


class Outer(NamedTuple):
    """A name of the module, and the helper that returned what it holds, if one did."""

    name: str
    helper: str = ""


def module_parts(calls: Calls, name: str, inside: bool) -> frozenset[str]:
    """See `Calls.module_parts`: where those of the helpers that it calls are what is known of them."""
    f = with_copies(calls.prepare(name).function)
    if f.is_cached and not gives_constants(f, calls.source.is_made(name)):
        return frozenset((f"{name}(...)",))
    origins = Origins(calls, f)
    for s in ir.statements(f.body):
        if isinstance(s, ir.Return):
            origins.follow(s.value, inside)
    return frozenset(o.name for o in origins.found)


def module_names(calls: Calls, f: ir.Function, e: Expr) -> frozenset[str]:
    """The names of the module whose objects a value may be, or be a part of."""
    origins = Origins(calls, f)
    origins.follow(e, inside=False)
    return frozenset(o.name for o in origins.found)


def module_writes(calls: Calls, f: ir.Function, decided: bool = False) -> frozenset[Outer]:
    """The names of the module into whose objects a function may write, but for what the helpers do that it calls.

    f: without the updates `x += e` of what it makes. One of what is known to be a number writes into nothing; those of
    arrays are stores already where that has been `decided` (`updates.as_meant`).
    """
    f = with_copies(f)
    origins = Origins(calls, f)
    updated = Origins(calls, f, numbers=True)
    for s in ir.statements(f.body):
        match s:
            case ir.Store(target=target):
                origins.follow(target.array, inside=False)
            case ir.Append(array=name):
                origins.follow(Var(name), inside=False)
            case ir.Assign(value=Op(args=(Var() as read, _))) if is_update(s) and not decided:
                updated.follow(read, inside=False)
        for call in ir.helper_calls(*ir.expressions(s)):
            for e in calls.maybe_written(call):
                origins.follow(e, inside=False)
                origins.follow(e, inside=True)
    return frozenset(origins.found | {o for o in updated.found if not calls.is_constant(o.name)})


class Origins:
    """Where the objects come from that values may be, or, `inside`, that lie in them."""

    def __init__(self, calls: Calls, f: ir.Function, numbers: bool = False) -> None:
        """numbers: items of which nothing is known are taken for numbers; where they are arrays, the facts of the
        function tell (`updates.meant`)."""
        self.calls, self.numbers = calls, numbers
        self.every = list(ir.statements(f.body))
        self.params = f.names
        self.own = own_names(f)
        self.hands = functools.partial(handed, calls)
        self.seen: set[tuple[str, bool]] = set()
        self.found: set[Outer] = set()

    def follow(self, e: Expr, inside: bool) -> None:
        match e:
            case Var(name=name):
                self.name(name, inside)
            case ir.Index(array=array, key=key):
                if not self.is_number(e):
                    part = any(isinstance(k, ir.Slice) for k in ir.key_items(key))
                    self.follow(array, inside or not part)
            case ir.Attribute(value=value, name=name):
                if path := of_import(e):
                    root = path.partition(".")[0]
                    if root not in self.own:
                        self.found.add(Outer(path))
                        return
                self.follow(value, inside or name != "T")
            case ir.Sequence() | ir.Dict() | ir.Comprehension():
                if inside:
                    self.inner(e)
            case Op(fn="operator.ifexp", args=(_, *chosen)):
                for c in chosen:
                    self.follow(c, inside)
            case Op(fn=fn) if fn.startswith("local."):
                for a in self.hands(e):
                    self.follow(a, inside)
                self.found |= {Outer(n, fn[6:]) for n in self.calls.module_parts(e, inside)}
            case Op(args=args, options=options):
                how = sharing(e, None)
                if how == "item" and not inside:
                    return  # a new list of the same items
                for a in args[:1] if how in ("view", "choice") else (*args, *(v for _, v in options)) if how else ():
                    self.follow(a, inside)

    def name(self, name: str, inside: bool) -> None:
        if (name, inside) in self.seen:
            return
        self.seen.add((name, inside))
        if ir.root_name(name) not in self.own:
            self.found.add(Outer(name))
            return
        for s in self.every:
            if name in ir.binds(s):
                match s:
                    case ir.Assign(value=value):
                        self.follow(value, inside)
                    case ir.Unpack(value=value) | ir.For(iterable=value):
                        self.follow(value, True)
            elif inside and not self.makes_arrays(name):
                match s:
                    case ir.Store(target=target, value=value) if ir.written_name(target) == name:
                        self.inner(value)
                    case ir.Append(array=array, value=value) if array == name:
                        self.inner(value)

    def inner(self, e: Expr) -> None:
        """What lies in what is put into a container, or in a display."""
        parts = e.items if isinstance(e, ir.Sequence) else e.values if isinstance(e, ir.Dict) else (e,)
        for part in parts:
            if isinstance(part, ir.Comprehension):
                for n in held(part, self.hands):
                    self.name(n, inside=True)
            elif isinstance(part, ir.Sequence | ir.Dict):
                self.inner(part)
            else:
                self.follow(part, inside=False)
                self.follow(part, inside=True)

    def is_number(self, e: ir.Index) -> bool:
        """Whether an item of a constant of the module is a number, or a string, which nothing can be written into."""
        name = e.array.name if isinstance(e.array, Var) else ""
        fact = self.calls.numbers.get(name) if name not in self.own else None
        if any(isinstance(k, ir.Slice) for k in ir.key_items(e.key)):
            return False
        if fact is None:
            return self.numbers
        if fact.kind in CONTAINERS:
            inner = (fact.elem,) if fact.elem is not None else fact.items
            return bool(inner) and all(i.kind not in (*CONTAINERS, "any") and i.shape.rank == 0 for i in inner)
        return fact.shape.rank == len(ir.key_items(e.key))

    def makes_arrays(self, name: str) -> bool:
        """Whether a name is bound to new arrays only: what is put into these is copied."""
        values = [s.value if isinstance(s, ir.Assign) else None for s in self.every if name in ir.binds(s)]
        fresh = (isinstance(v, Op) and v.fn.startswith("numpy.") and not rules.may_alias(v) for v in values)
        return name not in self.params and all(fresh)


def gives_constants(f: ir.Function, captures: bool) -> bool:
    """Whether a function whose arguments can't be changed returns numbers, strings, or tuples of them.

    captures: whether it may have parameters for what it captures, which may be arrays.
    """
    values: dict[str, list[ir.Expr | None]] = {}
    for s in ir.statements(f.body):
        for n in ir.binds(s):
            values.setdefault(n, []).append(s.value if isinstance(s, ir.Assign) else None)

    def constant(e: ir.Expr | None, seen: frozenset[str] = frozenset()) -> bool:
        match e:
            case ir.Const():
                return True
            case Var(name=name):
                return name in seen or (
                    all(constant(v, seen | {name}) for v in values[name])
                    if name in values
                    else name in f.names and not captures
                )
            case ir.Sequence(items=items, kind="tuple"):
                return all(constant(i, seen) for i in items)
            case Op(fn="operator.ifexp", args=(_, *args)):
                return all(constant(a, seen) for a in args)
            case Op(fn=fn, args=args):
                if fn in CONSTANTS or fn.startswith("math.") or fn == f"local.{f.name}":
                    return True
                rule = rules.lookup(fn)
                elementwise = fn in ELEMENTWISE_CONSTANTS or (rule is not None and rule.kind == "elementwise")
                return elementwise and all(constant(a, seen) for a in args)
        return False

    returned = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
    return all(map(constant, returned))


def own_names(f: ir.Function) -> set[str]:
    return {*f.names, *(n for s in ir.statements(f.body) for n in ir.binds(s))}


def of_import(e: Expr) -> str:
    """The path of an attribute of a module, or of an object of it: "params.W"; "" for what is none."""
    parts: list[str] = []
    while isinstance(e, ir.Attribute):
        parts, e = [e.name, *parts], e.value
    return ".".join([e.name, *parts]) if parts and isinstance(e, Var) else ""
