"""Which names are surely bound before and after each compound statement."""

from __future__ import annotations

from s2s import ir
from s2s.ir import Block

SIMPLE = ir.Assign | ir.Unpack | ir.Store | ir.Augment | ir.Append
Bound = frozenset[str] | None  # None: the point is not reached


def definitely(
    f: ir.Function,
) -> tuple[dict[int, frozenset[str]], dict[int, frozenset[str]], dict[int, frozenset[str]]]:
    """(before, after, at the head of the body) of each if and loop, by id."""
    walker = _Walker()
    walker.block(f.body, frozenset(f.names))
    return walker.before, walker.after, walker.head


class _Walker:
    def __init__(self) -> None:
        self.before: dict[int, frozenset[str]] = {}
        self.after: dict[int, frozenset[str]] = {}
        self.head: dict[int, frozenset[str]] = {}
        self.breaks: list[list[frozenset[str]]] = []

    def block(self, block: Block, bound: frozenset[str]) -> Bound:
        now: Bound = bound
        fresh: set[str] = set()  # by simple statements since `now`: a new set for each would take quadratic time
        for s in block:
            if now is None:
                return None
            if isinstance(s, SIMPLE):
                fresh.update(ir.binds(s))
                continue
            if fresh:
                now |= fresh
                fresh.clear()
            now = self.statement(s, now)
        return now if now is None else now | fresh

    def statement(self, s: ir.Stmt, bound: frozenset[str]) -> Bound:
        match s:
            case ir.If():
                self.before[id(s)] = bound
                ends = [e for e in (self.block(s.body, bound), self.block(s.orelse, bound)) if e is not None]
                after = frozenset.intersection(*ends) if ends else bound
                self.after[id(s)] = after
                return after if ends else None
            case ir.For() | ir.While():
                self.before[id(s)] = bound
                targets = frozenset(ir.target_names(s.target)) if isinstance(s, ir.For) else frozenset()
                self.head[id(s)] = bound | targets
                self.breaks.append([])
                self.block(s.body, bound | targets)
                breaks = self.breaks.pop()
                endless = isinstance(s, ir.While) and isinstance(s.test, ir.Const) and bool(s.test.value)
                ends = breaks if endless and breaks else [bound, *breaks]
                self.after[id(s)] = frozenset.intersection(*ends)
                return self.after[id(s)]
            case ir.Break():
                self.breaks[-1].append(bound)
                return None
            case ir.Return():
                return None
            case ir.Inert(keyword="raise"):
                return None
        return bound | frozenset(ir.binds(s))
