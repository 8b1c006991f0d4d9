"""Forward mode, last step: names that hold memory of their own are updated in place, and returned without a copy.

w_bar_dot = penalty * w_dot
w_bar_dot = w_bar_dot + X.T @ a       ->      w_bar_dot += X.T @ a
return 1.0 * w_bar_dot                        return w_bar_dot

The primal's own `x += e` are new bindings for derivation; where nothing else sees the object they are printed as they
were written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from s2s import ir, rules
from s2s.algebra import ONE
from s2s.ir import Assign, Block, Expr, Op, Stmt, Var

NUMBERS = {f"builtins.{n}" for n in ("abs", "bool", "float", "int", "len", "range", "round", "sum")}
SIGNS = {"numpy.add": "+", "numpy.subtract": "-"}


def settle(body: Block, given: Iterable[str]) -> Block:
    """The body of a function as it is printed; `given`: names that are the caller's."""
    results = set(map(id, before_return(body)))
    mine = owned(body, given, results)
    read = Counter(
        v.name for s in ir.statements(body) if id(s) in results or isinstance(s, ir.Return) for v in names(s)
    )
    once = {n for n in mine if read[n] == 1}

    def block(b: Block) -> Block:
        return tuple(map(statement, b))

    def statement(s: Stmt) -> Stmt:
        match s:
            case Assign(target=t, value=Op(fn=fn, args=(Var(name=read), e), form=ir.Form.OPERATOR) as value) if (
                t == read and t in mine and fn in SIGNS and value.spelling.endswith("=")
            ):
                return ir.Augment(Var(t), SIGNS[fn], e, s.origin)
            case ir.Return():
                return replace(s, value=plain(s.value, once))
            case Assign() if id(s) in results:
                return replace(s, value=plain(s.value, once))
        return ir.with_blocks(s, block)

    return block(body)


def before_return(body: Block) -> Iterator[Assign]:
    """The parts of a result that have names: assignments of displays right before it is returned."""
    for i, s in enumerate(body):
        for inner in ir.blocks(s):
            yield from before_return(inner)
        if isinstance(s, ir.Return):
            for t in reversed(body[:i]):
                if not isinstance(t, Assign) or not isinstance(t.value, ir.Sequence | ir.Dict):
                    break
                yield t


def names(s: Stmt) -> Iterator[Var]:
    return (n for e in ir.expressions(s) for n in ir.walk(e) if isinstance(n, Var))


def plain(e: Expr, mine: set[str]) -> Expr:
    """A result without the copies of what nothing else holds."""
    match e:
        case Op(fn="numpy.multiply", args=(factor, Var(name=name) as v)) if factor == ONE and name in mine:
            return v
        case ir.Sequence() | ir.Dict():
            return ir.rebuild(e, lambda c: plain(c, mine))
    return e


def owned(body: Block, given: Iterable[str], results: set[int]) -> set[str]:
    """Names that are bound to fresh values only, and whose object no other name, list or view ever sees.

    results: assignments that only return.
    """
    bound: set[str] = set()
    other: set[str] = set(given)
    for s in ir.statements(body):
        match s:
            case Assign() if id(s) in results:
                other.add(s.target)
            case Assign():
                (other if held(s.value) else bound).add(s.target)
                other.update(held(s.value))
            case ir.Augment(target=Var()) | ir.Return():
                continue
            case ir.Augment():
                continue
            case ir.Store():
                other.update(held(s.value) if not s.update else ())  # a list holds what is stored into it
            case ir.For():
                other.update(ir.target_names(s.target), held(s.iterable))
            case _:
                other.update(ir.binds(s))
                for e in ir.expressions(s):
                    other.update(held(e))
    return bound - other


def held(e: Expr) -> set[str]:
    """Names whose object the value of an expression may be, hold or share memory with."""
    return set(_held(e))


def _held(e: Expr) -> Iterator[str]:
    match e:
        case Var(name=name):
            yield name
        case ir.Const():
            return
        case Op() if (e.fn.startswith(("numpy.", "math.")) or e.fn in NUMBERS) and not rules.may_alias(e):
            return
        case ir.Index():
            yield from _held(e.array)
        case ir.Attribute(name=name):
            if name == "T":
                yield from _held(e.value)
        case _:
            yield from ir.reads(e)


__all__ = ["held", "owned", "settle"]
