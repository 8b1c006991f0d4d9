"""What is known of a list or a dict is known of it under all its names, and in all places where it lies.

    r = [0.0]
    rows = [r]
    rows[0][0] = x      # now r[0] may be an array, too

A statement binds what its value is known to be; here is the way back, and what happens behind the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from s2s import ir
from s2s.analysis.aliases import CONTAINERS
from s2s.analysis.numbers import REAL
from s2s.analysis.shapes import Length, Shape, Shapes
from s2s.ir import Const, Expr, Index, Op, Var

if TYPE_CHECKING:
    from s2s.analysis.facts import Fact

Link = tuple[Expr, Expr]  # two places where one object lies


def links(f: ir.Function) -> list[Link]:
    """The places that a statement makes hold one object."""
    found: list[Link] = []
    for s in ir.statements(f.body):
        match s:
            case ir.Assign(target=name, value=value):
                found += same(Var(name), value)
            case ir.Append(array=name, value=value) if not isinstance(s, ir.Shrink):
                found += same(Index(Var(name), Const(-1)), value)
            case ir.Store(target=target, value=value) if not s.update and not isinstance(target.key, ir.Slice):
                found += same(target, value)
            case ir.Unpack(targets=targets, value=value) if s.starred < 0:
                for i, t in enumerate(targets):
                    found += same(Var(t), Index(value, Const(i)))
            case ir.For(target=Var() as target, iterable=Var() as whole):
                found += same(target, Index(whole, Op("builtins.len", (whole,))))
    return found


def same(place: Expr, value: Expr) -> Iterator[Link]:
    match value:
        case Var():
            yield place, value
        case Index(key=key) if not isinstance(key, ir.Slice) and is_place(value):
            yield place, value
        case Op(fn="operator.ifexp", args=(_, a, b)):
            yield from same(place, a)
            yield from same(place, b)
        case ir.Sequence(items=items) if not value.starred:
            for i, item in enumerate(items):
                yield from same(Index(place, Const(i)), item)
        case ir.Dict(keys=keys, values=values):
            for k, item in zip(keys, values, strict=True):
                yield from same(Index(place, k), item)


def is_place(e: Expr) -> bool:
    while isinstance(e, Index):
        e = e.array
    return isinstance(e, Var)


def covers(a: Fact, b: Fact, shapes: Shapes) -> bool:
    """Whether what is known of a holds of b as well: then nothing has to be taken back."""
    if a == b or b.kind == "none":
        return True
    if {a.kind, b.kind} == {"list", "tuple"} and a.kind == "list" and a.elem is not None:
        return all(covers(a.elem, item, shapes) for item in b.items)
    if a.kind != b.kind and a.kind != "any" and (a.kind, b.kind) not in (("float", "int"), ("float", "bool")):
        return False
    if a.number == REAL != b.number:
        return False
    if b.elem is not None and (a.elem is None or not covers(a.elem, b.elem, shapes)):
        return False
    if b.items and a.items and a.keys == b.keys and len(a.items) == len(b.items):
        return all(covers(x, y, shapes) for x, y in zip(a.items, b.items, strict=True))
    return a.kind in CONTAINERS or fits(shapes(a.shape), shapes(b.shape))


def fits(x: Shape, y: Shape) -> bool:
    if x == y or (x.tail is not None and not x.dims and is_open(x.tail[0])):
        return True
    if x.rank is None or x.rank != y.rank:
        return False
    return all(p == q or (isinstance(p, Length) and is_open(p.symbol)) for p, q in zip(x.dims, y.dims, strict=True))


def is_open(symbol: str) -> bool:
    """Whether a symbol stands for another shape each time: of an item of a list, or of one of several values."""
    return "[]" in symbol or "~" in symbol or symbol.startswith("?")


def settle(
    found: list[Link], of: Callable[[Expr], Fact], shapes: Shapes, put: Callable[[Expr, Fact], None]
) -> set[str]:
    """Tells each of two places of one object what the other one is known to be, where that is news.

    Returns the names of lists and dicts that have, or lie in, others.
    """
    names: set[str] = set()
    todo = [pair for a, b in found for pair in ((a, b), (b, a))]
    for place, other in todo:
        if (known := of(place)).kind not in CONTAINERS or (more := of(other)).kind not in CONTAINERS:
            continue
        names |= ir.reads(place)
        if "tuple" in (known.kind, more.kind):  # what lies in it stays: it is told in which lists and dicts it lies
            for i, (x, y) in enumerate(zip(known.items, more.items, strict=False)):
                if x.kind in CONTAINERS and y.kind in CONTAINERS:
                    todo.append((Index(place, Const(i)), Index(other, Const(i))))
        elif not covers(known, more, shapes):
            put(place, more)
    return names
