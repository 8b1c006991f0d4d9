"""What `assert` says of ranks and lengths, at the top of a function: derivatives carry the statement, so it is proof.

assert np.ndim(X) == 2 and np.ndim(w) == np.ndim(y) == 1
assert np.shape(X) == np.shape(y) + np.shape(w)
assert np.ndim(z) > 0 and all(np.ndim(v) == 0 for v in params)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from s2s import ir
from s2s.analysis.shapes import Dim, Shape
from s2s.frozen import replace
from s2s.ir import Attribute, Const, Expr, Index, Op, Var

if TYPE_CHECKING:
    from s2s.analysis.facts import Facts


def learn(test: Expr, facts: Facts) -> None:
    """Records the ranks and lengths that a test states to be equal, and what it states to be numbers."""
    match test:
        case Op(fn="operator.and", args=args) if any(isinstance(a, Op) and a.fn == "numpy.isscalar" for a in args):
            for a in args:
                learn(a, facts)
            return
        case Op(fn="numpy.isscalar", args=(Var() as of,)):
            demand(facts, of, 0)
        case Op(fn="numpy.greater", args=(left, Const(kind="int", value=least))) if (array := ranked(left)) is not None:
            facts.shapes.demand_axes(facts.of(array).shape, least + 1)
        case Op(fn="builtins.all", args=(ir.Comprehension(element=inner, clauses=((item, Var(name=name), ()),)),)):
            if any((ranked(a), b) == (item, Const(0)) for a, b in equal_pairs(inner)) and is_open(name, facts):
                facts.of_numbers.add(name)
    for a, b in equal_pairs(test):
        for x, y in ((a, b), (b, a)):
            rank, dims = number(y, facts), lengths(y, facts)
            if rank is not None and (array := ranked(x)) is not None:
                demand(facts, array, rank)
            if dims is not None and (array := shaped(x)) is not None:
                demand(facts, array, len(dims))
                known = facts.shapes(facts.of(array).shape)
                if known.rank == len(dims):
                    for p, q in zip(known.dims, dims, strict=True):
                        facts.shapes.demand_equal(p, q)
        one_shape(a, b, facts)
        p_, q_ = length(a, facts), length(b, facts)
        if p_ is not None and q_ is not None:
            facts.shapes.demand_equal(p_, q_)


def one_shape(a: Expr, b: Expr, facts: Facts) -> None:
    """assert np.shape(x_dot) == np.shape(x): a parameter that has the shape of another value, whatever that is; and
    assert np.shape(out_bar[0]) == np.shape(y): an item of a parameter that may be a list or a tuple."""
    match a, b:
        case (
            Op(fn="numpy.shape", args=(Index() as item,)),
            Op(fn="numpy.shape", args=(value,)),
        ) if is_item(item, facts) and facts.of(value).kind in ("float", "any"):
            shape = facts.shape(value)
            if shape.rank is not None:
                facts.stated_items[item] = shape
            return
    one, other = shaped(a), shaped(b)
    if one is None or other is None or one.name not in facts.function.names or other == one:
        return
    known, like = facts.of(one), facts.of(other)
    if known.kind != "any" or like.kind not in ("float", "any") or facts.shapes(known.shape).rank is not None:
        return
    if facts.shapes(known.shape).tail == (one.name, 0):  # nothing else is known of it
        facts.names[one.name] = replace(known, shape=like.shape)


def is_item(e: Expr, facts: Facts) -> bool:
    """Whether an expression reads an item of an open parameter, or of such an item, under literal numbers."""
    while isinstance(e, Index) and isinstance(e.key, Const) and e.key.kind == "int":
        e = e.array
    return isinstance(e, Var) and is_open(e.name, facts) and facts.of(e).kind == "any"


def is_open(name: str, facts: Facts) -> bool:
    """Whether a parameter may be a list or a tuple, and what is stated of its items stays true: nothing is stored."""
    return name in facts.open & facts.stable


def stated_rank(f: ir.Function, name: str) -> bool:
    """Whether an assert at the top of the function states the rank of a parameter."""
    pairs = (p for s in f.body if isinstance(s, ir.Inert) and s.keyword == "assert" for p in equal_pairs(s.values[0]))
    return any(ranked(a) == Var(name) and isinstance(b, Const) for a, b in pairs)


def stated_numbers(f: ir.Function) -> dict[str, bool]:
    """The parameters that an assert at the top of the function states to be complex, or real."""
    found: dict[str, bool] = {}
    todo = [s.values[0] for s in f.body if isinstance(s, ir.Inert) and s.keyword == "assert"]
    for test in todo:
        match test:
            case Op(fn="operator.and", args=args):
                todo += args
            case Op(fn="numpy.iscomplexobj" | "numpy.isrealobj" as fn, args=(Var(name=name),)) if name in f.names:
                found[name] = fn == "numpy.iscomplexobj"
    return found


def stated_to_be(f: ir.Function, value: Expr) -> list[Expr]:
    """What asserts at the top of the function state to be equal to a value."""
    tests = (s.values[0] for s in f.body if isinstance(s, ir.Inert) and s.keyword == "assert")
    return [a for test in tests for a, b in equal_pairs(test) if b == value]


def equal_pairs(test: Expr) -> Iterator[tuple[Expr, Expr]]:
    match test:
        case Op(fn="operator.and", args=args):
            for a in args:
                yield from equal_pairs(a)
        case Op(fn="operator.or", args=(Op(fn="operator.is", args=(Var(), ir.NONE)), there)):
            yield from equal_pairs(there)  # of a parameter that may be left out
        case Op(fn="numpy.equal", args=(a, b), form=ir.Form.OPERATOR):
            yield a, b
        case Op(fn="operator.chain", args=args, spelling=spelling) if set(spelling.split(",")) == {"=="}:
            yield from pairwise(args)
            yield from ((a, args[-1]) for a in args[:-2])  # `np.ndim(x) == np.ndim(y) == 1`


def demand(facts: Facts, array: Var, rank: int) -> None:
    fact = facts.of(array)
    if fact.kind in ("float", "int", "bool", "any"):
        facts.shapes.demand_rank(fact.shape, rank)


def ranked(e: Expr) -> Var | None:
    """x of np.ndim(x) and x.ndim."""
    match e:
        case Op(fn="numpy.ndim", args=(Var() as x,)) | Attribute(value=Var() as x, name="ndim"):
            return x
    return None


def shaped(e: Expr) -> Var | None:
    """x of np.shape(x) and x.shape."""
    match e:
        case Op(fn="numpy.shape", args=(Var() as x,)) | Attribute(value=Var() as x, name="shape"):
            return x
    return None


def number(e: Expr, facts: Facts) -> int | None:
    if isinstance(e, Const) and e.kind == "int":
        return int(e.value)
    array = ranked(e)
    return facts.ndim(array) if array is not None else None


def lengths(e: Expr, facts: Facts) -> tuple[Dim, ...] | None:
    """The value of a tuple of lengths, where all of them have names."""
    array = shaped(e)
    if array is not None:
        shape: Shape = facts.shapes(facts.of(array).shape)
        return shape.dims if shape.rank is not None else None
    match e:
        case Op(fn="numpy.add", args=(a, b), form=ir.Form.OPERATOR):
            first, second = lengths(a, facts), lengths(b, facts)
            return None if first is None or second is None else first + second
        case Index(array=inner, key=ir.Slice(start=None | Const() as start, stop=None | Const() as stop, step=None)):
            whole = lengths(inner, facts)
            first, last = (None if p is None else p.value for p in (start, stop))
            return whole[first:last] if whole is not None else None
        case ir.Sequence(kind="tuple", items=items, starred=starred) if not starred:
            found = [length(i, facts) for i in items]
            return tuple(d for d in found if d is not None) if None not in found else None
    return None


def length(e: Expr, facts: Facts) -> Dim | None:
    match e:
        case Const(kind="int", value=value):
            return int(value)
        case Var():
            return facts.of(e).length
        case Op(fn="builtins.len", args=(Var() as x,)):
            return facts.shapes.axis_dim(facts.of(x).shape, 0) if facts.of(x).kind in ("float", "int", "any") else None
        case Index(array=inner, key=Const(kind="int", value=axis)):
            array = shaped(inner)
            return facts.shapes.axis_dim(facts.of(array).shape, int(axis)) if array is not None else None
    return None
