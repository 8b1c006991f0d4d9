"""Parameters that are taken for arrays of their own: the output asserts that they share no memory.

What is written into one array is seen in another that shares its memory: where somebody looks there behind the store.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s import ir
from s2s.analysis.aliases import CONTAINERS, united, written_by
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Facts
from s2s.analysis.liveness import live_behind
from s2s.derive.calls import entries
from s2s.derive.context import Context
from s2s.derive.updates import is_update
from s2s.ir import Expr, Op, Stmt, Var


def distinct_guards(ctx: Context, outputs: tuple[str, ...]) -> list[Stmt]:
    """Parameters that are written into overlap with no other array that is read behind that.

    outputs: parameters whose final elements are results.
    """
    f, facts = ctx.function, ctx.facts
    stored = [n for n in f.names if n in ctx.aliases.of]
    arrays = [n for n in f.names if facts.is_array(Var(n)) or n in stored]
    found = [{a, b} for a in stored for b in arrays if a != b]
    found += [{a, b} for a, b in seen_behind(ctx, outputs)]
    every = [x for n in f.names for x in (n, *entries(f, n))]
    order = [*stored, *(n for n in every if n not in stored)]
    pairs = [(a, b) for i, a in enumerate(order) for b in every if {a, b} in found and b not in order[:i]]
    return [_share_nothing(a, b) for a, b in pairs]


def _share_nothing(a: str, b: str) -> Stmt:
    overlap = Op("numpy.shares_memory", (Var(a), Var(b)))
    return ir.Inert("assert", (Op("operator.not", (overlap,), form=ir.Form.OPERATOR),))


def seen_behind(ctx: Context, outputs: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """(a parameter that is written into, one whose elements are read behind that), where both may be arrays."""
    f, facts = ctx.function, ctx.facts
    may_be = [x for n in f.names for x in entries(f, n) or [n] if may_be_array(facts, x)]
    if len(may_be) < 2:
        return
    every = list(ir.statements(f.body))
    arrays = {n for n in may_be if n in outputs or facts.is_array(Var(n))}
    arrays |= operands(ctx, f, frozenset())
    union, _ = united(f, facts, updates=True)

    def behind_name(name: str) -> set[str]:
        return {p for p in may_be if union.find(p) == union.find(name)}

    live = live_behind(f)
    for s in every:
        targets = set(written_by(s, facts))
        if isinstance(s, ir.Assign) and is_update(s):
            assert isinstance(s.value, Op)
            targets |= {v.name for v in s.value.args[:1] if isinstance(v, Var) and not facts.is_scalar(v)}
        written = set().union(*map(behind_name, targets))
        if not written:
            continue
        later = live[id(s)] | frozenset(outputs)
        if not isinstance(s, ir.Store):  # a helper may read what it has written
            later |= frozenset().union(*(ir.reads(c) for c in ir.helper_calls(*ir.expressions(s))))
        for b in sorted(set().union(*map(behind_name, later))):
            yield from ((a, b) for a in sorted(written) if a != b and b in arrays)


def may_be_array(facts: Facts, name: str) -> bool:
    fact = facts.of(Var(name))
    return fact.kind not in (*NOT_DIFFERENTIABLE, *CONTAINERS) and not facts.is_scalar(Var(name))


def operands(ctx: Context, f: ir.Function, inside: frozenset[str]) -> set[str]:
    """The names that NumPy computes with, stores, or takes a part of: nothing of the kind is a list of arrays.

    inside: the helpers that have been entered.
    """
    found: list[Expr] = []
    for s in ir.statements(f.body):
        if isinstance(s, ir.Store) and (f is not ctx.function or ctx.facts.of(s.target.array).kind not in CONTAINERS):
            found.append(s.value)
        for n in ir.nodes(s):
            match n:
                case Op(fn=fn, args=args) if fn.startswith("numpy."):
                    found += args
                case Op(fn=fn, args=args, options=options) if fn.startswith("local.") and fn not in inside:
                    helper = ctx.calls.prepare(fn[6:]).function
                    names = operands(ctx, helper, inside | {fn})
                    given = [*zip((p.name for p in helper.params if p.by_position), args, strict=False), *options]
                    found += [e for p, e in given if p in names]
                case ir.Index(array=array, key=key) if any(
                    isinstance(k, ir.Slice) or k == ir.ELLIPSIS for k in ir.key_items(key)
                ):
                    found.append(array)
    return {e.name for e in found if isinstance(e, Var)}


__all__ = ["distinct_guards"]
