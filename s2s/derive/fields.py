"""Fields of objects that are numbers of the text in all of them: they carry nothing, and so does what reads them.

bodies.append(Body(1.0, q, v))
total = total + 0.5 * bodies[j].m * bodies[j].v ** 2    # nothing is added to the adjoint of bodies[j].m
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2s import ir
from s2s.analysis.facts import Fact, Facts
from s2s.analysis.loops import Header, rewritten
from s2s.frozen import replace
from s2s.ir import Const, Expr, Index, Op, Var


def with_settled_fields(
    f: ir.Function, facts: Facts, headers: dict[int, Header]
) -> tuple[ir.Function, dict[int, Header]]:
    """The function with `ir.Settled` for the names of these fields."""
    found = settled_fields(f, facts)
    if not found:
        return f, headers

    def key(e: Expr) -> Expr:
        return replaced if isinstance(e, Const) and (replaced := found.get(e.value)) else e

    def marked(e: Expr) -> Expr:
        e = ir.rebuild(e, marked)
        match e:
            case Index(key=Const(value=ir.Attr())):
                return replace(e, key=key(e.key))
            case ir.Dict(keys=keys):
                return replace(e, keys=tuple(map(key, keys)))
        return e

    items = {id(t) for h in headers.values() for t in h.items}
    f, headers = rewritten(f, headers, lambda s: (s if id(s) in items else ir.with_expressions(s, marked),))
    facts.function = f
    return f, headers


def settled_fields(f: ir.Function, facts: Facts) -> dict[object, Const]:
    """The fields to which nothing else is given than numbers that the text shows, of objects that are all made here."""
    every = list(ir.statements(f.body))
    nodes = [n for s in every for n in ir.nodes(s)]
    given = {n for e in nodes if isinstance(e, ir.Dict) for n, v in attributes(e) if is_literal(v)}
    if not given:
        return {}
    given -= {n for e in nodes if isinstance(e, ir.Dict) for n, v in attributes(e) if not is_literal(v)}
    for s in every:
        if isinstance(s, ir.Store | ir.Augment):
            own = isinstance(s, ir.Store) and not s.update and is_literal(s.value)
            given -= set(along(s.target.array if own and isinstance(s.target, Index) else s.target))
    for e in nodes:
        match e:
            case Index(array=array, key=Const(value=ir.Attr() as n)) if n in given:
                held = facts.of(array)
                if n not in held.keys or held.mixed or held.whole:
                    given.discard(n)
    calls = [e for e in nodes if isinstance(e, Op) and e.fn.startswith("local.")]
    handed = [facts.of(e) for c in calls for e in (c, *c.args, *(v for _, v in c.options))]
    if any(map(is_unsure, handed)):
        return {}
    given -= set(fields_of([*handed, *(facts.of(Var(p)) for p in f.names)]))
    return {n: Const(ir.Settled(n)) for n in given}


def attributes(e: ir.Dict) -> Iterator[tuple[str, Expr]]:
    for k, v in zip(e.keys, e.values, strict=True):
        if isinstance(k, Const) and type(k.value) is ir.Attr:
            yield k.value, v


def is_literal(e: Expr) -> bool:
    return isinstance(e, Const) and type(e.value) in (int, float)


def along(e: Expr) -> Iterator[str]:
    """The attributes on the way to a place that is written."""
    while isinstance(e, Index):
        if isinstance(e.key, Const) and isinstance(e.key.value, ir.Attr):
            yield e.key.value
        e = e.array


def fields_of(facts: Iterable[Fact]) -> Iterator[str]:
    """The fields of all objects that lie in values."""
    for fact in facts:
        yield from fact.keys
        yield from fields_of(fact.items if fact.elem is None else (fact.elem, *fact.items))


def is_unsure(fact: Fact) -> bool:
    """Whether a value may hold objects of which nothing is known."""
    parts = fact.items if fact.elem is None else (fact.elem, *fact.items)
    return fact.whole or fact.mixed or any(map(is_unsure, parts))
