"""What functions have of their module: which of its arrays, lists and dicts they return, or may write into.

A derivative that wrote into these would leave another module behind than it found, and the next call would see it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from s2s import ir, rules
from s2s.analysis.aliases import classes
from s2s.analysis.transfer import ELEMENTWISE_CONSTANTS
from s2s.derive.handing import handed, is_update, with_copies
from s2s.derive.owned import held, same_object
from s2s.ir import Op, Var

if TYPE_CHECKING:
    from s2s.derive.calls import Calls

CONSTANTS = frozenset(f"builtins.{n}" for n in ("float", "int", "bool", "str", "len"))  # what these give has no parts


def module_parts(calls: Calls, fn: str, asked: frozenset[str] = frozenset()) -> frozenset[str]:
    """See `Calls.module_parts`. asked: helpers that are looked into already, as of one that calls itself."""
    if fn in asked or not fn.startswith("local.") or fn[6:] not in calls.source.functions:
        return frozenset()
    f = with_copies(calls.prepare(fn[6:]).function)
    if f.is_cached and not gives_constants(f, calls.source.is_made(fn[6:])):
        return frozenset((f"{fn[6:]}(...)",))
    returned = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
    return module_names(calls, f, returned, asked | {fn})


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


def module_names(
    calls: Calls, f: ir.Function, values: Iterable[ir.Expr], asked: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The names of the module whose objects these values may be, hold or share memory with."""
    own = own_names(f)
    hands = functools.partial(handed, calls)
    names = {n for e in values for n in held(e, hands)}
    names |= {x for n in names for x in same_object(f, n, hands)}
    values = [*values, *(e for s in ir.statements(f.body) if names & {*ir.binds(s)} for e in ir.expressions(s))]
    found = {n for n in names if ir.root_name(n) not in own and not n.startswith("%")}
    found |= {path for e in values if (path := of_import(e)) and path.partition(".")[0] not in own}
    for call in ir.helper_calls(*values):
        found |= module_parts(calls, call.fn, asked)
    return frozenset(found)


def module_writes(calls: Calls, f: ir.Function) -> frozenset[str]:
    """The names of the module into whose objects a function may write, but for what the helpers do that it calls.

    f: without the updates `x += e` of what it makes. One of what is known to be a number writes into nothing.
    """
    f = with_copies(f)
    stored = {*classes(f, None, calls), *(s.array for s in ir.statements(f.body) if isinstance(s, ir.Append))}
    updated = {s.target for s in ir.statements(f.body) if is_update(s) and isinstance(s, ir.Assign)} - stored
    found = module_names(calls, f, map(Var, sorted(stored)))
    return found | {n for n in module_names(calls, f, map(Var, sorted(updated))) if not calls.is_constant(n)}


def of_import(e: ir.Expr) -> str:
    """The path of an attribute of a module, or of an object of it: "params.W"; "" for what is none."""
    parts: list[str] = []
    while isinstance(e, ir.Attribute | ir.Index):
        parts = [e.name, *parts] if isinstance(e, ir.Attribute) else []
        e = e.value if isinstance(e, ir.Attribute) else e.array
    return ".".join([e.name, *parts]) if parts and isinstance(e, Var) else ""
