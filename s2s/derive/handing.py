"""What helpers hand back: which of its arguments a helper may return, or return a view of."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, TypeGuard

from s2s import ir
from s2s.analysis.aliases import holds_numbers
from s2s.analysis.facts import Facts
from s2s.derive.owned import all_arguments, held, same_object
from s2s.frozen import replace
from s2s.ir import Op, Var

if TYPE_CHECKING:
    from s2s.derive.calls import Calls

ORDERS = frozenset(["numpy.argsort", "numpy.argpartition"])  # of a vector: each place once


def is_update(s: ir.Stmt) -> bool:
    """x += e, written as x = x + e by the front end."""
    return isinstance(s, ir.Assign) and ir.is_update(s.value)


def hands_back(calls: Calls, fn: str) -> bool:
    """Whether a helper may return one of its arguments, or a view of it."""
    return bool(handed_back(calls, fn))


def handed(calls: Calls, call: Op, caller: Facts | None = None) -> list[ir.Expr]:
    """The arguments of a call that the helper may return, or of which it may return a view. caller: see `returned`."""
    found = handed_back(calls, call.fn) if caller is None else calls.handed_back(call, caller)
    if not found:
        return []
    given = calls.given(call)
    spread = any(p.kind in ("star", "double star") for p in calls.prepare(call.fn[6:]).function.params)
    return all_arguments(call) if spread else [a for p, a in given.items() if p in found]


def handed_back(calls: Calls, fn: str) -> frozenset[str]:
    """The parameters of a helper that it may return, or of which it may return a view."""
    if not fn.startswith("local.") or fn[6:] not in calls.source.functions:
        return frozenset()
    if fn not in calls.handing:
        cycle = calls.cycle(fn[6:])
        for name in cycle or [fn[6:]]:
            calls.writes(name)  # which asks in its turn what is handed back: before anything is assumed of it
        if not cycle:
            calls.handing[fn] = handed_by(calls, fn[6:])
        before: dict[str, frozenset[str]] | None = None
        found = {f"local.{n}": frozenset[str]() for n in cycle}
        while found != before:  # what inner calls hand back is what the others do: a least fixpoint
            before = found
            calls.handing |= before
            found = {fn: before[fn] | handed_by(calls, fn[6:]) for fn in before}
    return calls.handing[fn]


def handed_by(calls: Calls, name: str) -> frozenset[str]:
    """What a helper hands back where those that it calls do what is known of them."""
    f = calls.prepare(name).function
    every = frozenset(s.origin for s in ir.statements(f.body) if s.origin is not None and is_update(s))
    if every and calls.writes(name):  # what `u += s` writes into is still the caller's array
        f = calls.prepare(name, every).function
    f = with_copies(f)
    given = {x: p for p in f.names for x in (p, *(x for s in ir.statements(f.body) for x in _parts(s, p)))}
    results = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
    hands = functools.partial(handed, calls)
    names = {n for e in results for n in held(e, hands)}
    return frozenset(given[x] for n in names for x in same_object(f, n, hands) & given.keys())


def is_handed_in_place(calls: Calls, fn: str) -> bool:
    """Whether what a helper hands back depends on its updates `x += e`, which may write into what it is given."""
    body = calls.prepare(fn[6:]).function.body
    return bool(calls.writes(fn[6:])) and any(s.origin is not None and is_update(s) for s in ir.statements(body))


def handed_back_here(calls: Calls, fn: str, found: Facts) -> frozenset[str]:
    """The same for what is known of the arguments of one call. found: the facts of the helper there."""
    f = with_copies(calls.prepare(fn[6:]).function, found)
    given = {x: p for p in f.names for x in (p, *(x for s in ir.statements(f.body) for x in _parts(s, p)))}
    results = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
    hands = functools.partial(handed, calls, caller=found)
    names = {n for e in results for n in held(e, hands, found)}
    return frozenset(given[x] for n in names for x in same_object(f, n, hands, facts=found) & given.keys())


def with_copies(f: ir.Function, facts: Facts | None = None) -> ir.Function:
    """The function with `np.copy` around items that are picked by their places, `x[np.argsort(y)]`: no view of x.

    facts: with them, around the items of lists of numbers, too, which `list(p)` makes a new list of.
    """
    bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    places = {
        s.target
        for s in ir.statements(f.body)
        if isinstance(s, ir.Assign) and is_order(s.value) and bound[s.target] == 1
    }

    def block(b: ir.Block) -> ir.Block:
        return tuple(map(statement, b))

    def statement(s: ir.Stmt) -> ir.Stmt:
        match s:
            case ir.Assign(value=ir.Index(array=of, key=key) as picked) if (
                is_order(key)
                or (isinstance(key, Var) and key.name in places)
                or (facts is not None and holds_numbers(of, facts))
            ):
                return replace(s, value=Op("numpy.copy", (picked,)))
        return ir.with_blocks(s, block)

    return replace(f, body=block(f.body))


def is_order(e: ir.Expr) -> TypeGuard[Op]:
    """An array of places, by which items are picked."""
    return isinstance(e, Op) and (e.fn in ORDERS or e.fn == "numpy.flatnonzero")


def _parts(s: ir.Stmt, name: str) -> list[str]:
    """The parts of a parameter that a statement reads: `params["W"]`."""
    return [n for e in ir.expressions(s) for n in ir.reads(e) if n != name and ir.root_name(n) == name]
