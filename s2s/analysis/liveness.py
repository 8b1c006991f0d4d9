"""Which names are read again behind a statement of the primal (backward data flow, to a fixpoint in loops)."""

from __future__ import annotations

from s2s import ir
from s2s.ir import Block, Stmt

Live = frozenset[str]


def live_behind(f: ir.Function) -> dict[int, Live]:
    """For the id of each statement of a normalised function: the names that are read behind it before they are bound.

    What a loop runs over is read at each of its iterations.
    """
    return behind(f.body)


def behind(body: Block) -> dict[int, Live]:
    """The same for a body."""
    walk = _Walk()
    walk.block(body, ir.NO_NAMES)
    return walk.behind


def behind_bindings(body: Block) -> dict[int, Live]:
    """For the id of each statement that binds names: what is read behind it before it is bound again. Of a loop, from
    the begin of an iteration on."""
    walk = _Walk()
    walk.block(body, ir.NO_NAMES)
    return walk.behind | walk.inside


class _Walk:
    def __init__(self) -> None:
        self.behind: dict[int, Live] = {}
        self.inside: dict[int, Live] = {}  # of loops
        self.breaks: list[Live] = []

    def block(self, block: Block, live: Live) -> Live:
        for s in reversed(block):
            self.behind[id(s)] = live
            live = self.statement(s, live)
        return live

    def statement(self, s: Stmt, live: Live) -> Live:
        read = ir.NO_NAMES.union(*map(ir.reads, ir.expressions(s)))
        match s:
            case ir.Return() | ir.Inert(keyword="raise"):
                return read
            case ir.Break():
                return self.breaks[-1]
            case ir.If():
                return read | self.block(s.body, live) | self.block(s.orelse, live)
            case ir.For() | ir.While():
                return self.loop(s, read, live)
            case ir.Append():
                return live | read | {s.array}
        return (live - frozenset(ir.binds(s))) | read

    def loop(self, s: ir.For | ir.While, read: Live, live: Live) -> Live:
        targets = frozenset(ir.target_names(s.target)) if isinstance(s, ir.For) else ir.NO_NAMES
        self.breaks.append(live)
        head = live | read
        while (again := head | ((inside := self.block(s.body, head)) - targets)) != head:
            head = again
        self.inside[id(s)] = inside
        self.breaks.pop()
        return head
