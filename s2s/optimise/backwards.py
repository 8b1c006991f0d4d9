"""Loops of the reverse sweep that read nothing but the items of a list run over these.

for t in reversed(range(len(xs))):
    x = xs[t]                               for x in reversed(xs):
    s_bar = x * s_bar               ->          s_bar = x * s_bar

for t in reversed(range(len(items))):
    i = items[t][0]                         for i, j in reversed(items):
    j = items[t][1]                 ->          ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from s2s import ir
from s2s.analysis import liveness
from s2s.analysis.aliases import Seen
from s2s.analysis.loops import Header
from s2s.frozen import replace
from s2s.ir import Assign, Block, Comment, Const, Expr, Index, Op, Stmt, Var
from s2s.optimise.fold import written_by

ARRANGED = frozenset(f"itertools.{n}" for n in ("combinations", "permutations", "product")) | {"numpy.ndindex"}


def over_items(body: Block, headers: Iterable[Header], seen: Seen) -> Block:
    """Both sweeps with their final names. headers: of the user's loops, also of those that are gone."""
    every = list(ir.statements(body))
    if not any(isinstance(s, ir.For) and counted(s) for s in every):
        return body
    widths = widths_of(every, headers)
    live = liveness.behind(body)

    def block(b: Block) -> Block:
        return tuple(statement(s) for s in b)

    def statement(s: Stmt) -> Stmt:
        found = _over_items(s, widths, live[id(s)], seen) if isinstance(s, ir.For) else None
        return ir.with_blocks(s if found is None else found, block)

    return block(body)


def counted(s: ir.For) -> str:
    """The list over whose places a loop runs backwards; "" for others."""
    match s:
        case ir.For(
            target=Var(),
            iterable=Op(
                fn="builtins.reversed",
                args=(Op(fn="builtins.range", args=(Op(fn="builtins.len", args=(Var(name=name),)),)),),
            ),
        ):
            return name
    return ""


def widths_of(every: list[Stmt], headers: Iterable[Header]) -> dict[str, int]:
    """How many items the tuples have that a loop takes apart, by the name of their list."""
    found: dict[str, int] = {}
    for header in headers:
        match header.target, header.iterable:
            case ir.Sequence(items=items), Var(name=name):
                found[name] = len(items)
    for name in {n for s in every for n in ir.binds(s)}:  # others have that name now
        found.pop(name, None)
    for s in every:
        match s:
            case ir.For(target=ir.Sequence(items=items), iterable=Var(name=name)):
                found[name] = len(items)
    return found


def _over_items(s: ir.For, widths: dict[str, int], live: liveness.Live, seen: Seen) -> ir.For | None:
    name = counted(s)
    if not name or not isinstance(s.target, Var) or s.target.name in live or name in written_by(s, seen):
        return None
    item = Index(Var(name), s.target)
    rest: list[Stmt] = []
    whole = ""
    parts: dict[int, str] = {}
    for t in s.body:
        match t:
            case Assign(target=target, value=value) if value == item and not whole:
                whole = target
            case Assign(target=target, value=Index(array=of, key=Const(value=int() as k))) if (
                of == item and k >= 0 and k not in parts
            ):
                parts[k] = target
            case _:
                rest.append(t)
                continue
        if any(not isinstance(r, Comment) and target in _names(r) for r in rest):
            return None  # what it was before is read, or it is bound again
    if bool(whole) is bool(parts) or name in (whole, *parts.values()):
        return None
    fixed = {name, s.target.name, whole, *parts.values()}
    if any(fixed & {*ir.binds(r)} for t in rest for r in ir.statements((t,))):
        return None
    if any(s.target.name in ir.reads(e) for t in rest for r in ir.statements((t,)) for e in ir.expressions(r)):
        return None
    target_: Expr = Var(whole)
    if parts:
        width = widths.get(name, 0)
        if max(parts) >= width or len({*parts.values()}) < len(parts):
            return None
        target_ = ir.Sequence(tuple(Var(parts.get(k, "_")) for k in range(width)))
    return replace(s, target=target_, iterable=Op("builtins.reversed", (Var(name),)), body=tuple(rest))


def _names(s: Stmt) -> set[str]:
    """The names that a statement reads or binds."""
    every = list(ir.statements((s,)))
    return {n for x in every for n in (*ir.binds(x), *(r for e in ir.expressions(x) for r in ir.reads(e)))}


def in_headers(body: Block, seen: Seen) -> Block:
    """Places and combinations are listed where a loop runs over them: in the forward sweep, they need no list.

    items = list(np.ndindex(A.shape))
    for i, j in items:                      ->      for i, j in np.ndindex(A.shape):
        ...                                             ...
    for i, j in reversed(items):                    for i, j in reversed(list(np.ndindex(A.shape))):
    """
    every = list(ir.statements(body))
    listed = {s.target: s.value for s in every if isinstance(s, Assign) and is_arranged(s.value)}
    if not listed:
        return body
    bound = Counter(n for s in every for n in ir.binds(s))
    read = ir.uses(every)
    over = Counter(n for s in every if isinstance(s, ir.For) and (n := run_over(s.iterable)))
    written = {n for s in body for n in written_by(s, seen)}
    plain = {n for n, e in listed.items() if bound[n] == 1 and read[n] == over[n] and not ir.reads(e) & written}
    chosen = {n: listed[n] for n in plain if all(bound[x] <= 1 for x in ir.reads(listed[n]))}

    def block(b: Block) -> Block:
        return tuple(statement(s) for s in b if not (isinstance(s, Assign) and s.target in chosen))

    def statement(s: Stmt) -> Stmt:
        s = ir.with_blocks(s, block)
        if isinstance(s, ir.For) and (e := chosen.get(run_over(s.iterable))) is not None:
            assert isinstance(e, Op)
            forwards = isinstance(s.iterable, Var)
            return replace(s, iterable=e.args[0] if forwards else Op("builtins.reversed", (e,)))
        return s

    return block(body) if chosen else body


def is_arranged(e: Expr) -> bool:
    match e:
        case Op(fn="builtins.list", args=(Op(fn=fn, options=()),)):
            return fn in ARRANGED
    return False


def run_over(e: Expr) -> str:
    """The list that a loop runs over, forwards or backwards; "" for others."""
    match e:
        case Var(name=name) | Op(fn="builtins.reversed", args=(Var(name=name),)):
            return name
    return ""
