"""A copy of what is not read again takes its memory instead.

    after_bar = now_bar.copy()              after_bar = now_bar
    now_bar = before_bar.copy()     ->      now_bar = before_bar
    ...                                     ...
    before_bar = -after_bar                 before_bar = -after_bar

    u_bar = u_bar.copy()            ->

Only adjoints whose memory no other name, list or view ever sees are moved (see `derive.owned`), and only where no
statement that may follow reads them before they are bound again.
"""

from __future__ import annotations

from collections.abc import Collection

from s2s import ir
from s2s.analysis.aliases import NOBODY, Seen
from s2s.derive.owned import owned
from s2s.frozen import replace
from s2s.ir import Assign, Block, Op, Stmt, Var
from s2s.optimise.dead import Live, at_end, live_before


def move(body: Block, seen: Seen = NOBODY, given: Collection[str] = ()) -> Block:
    """`body` with copies of names that are not read again written as moves; `given`: names that are the caller's."""
    every = list(ir.statements(body))
    if not any(copied(s) or copied(s, True) for s in every):
        return body
    primal = {n for s in every if getattr(s, "origin", None) is not None for n in ir.binds(s)}
    mine = owned(body, live_before(body, Live(), seen=seen) | set(given), set()) - primal

    def block(b: Block, after: Live, breaks: tuple[Live, ...]) -> Block:
        return tuple(statement(s, b[i + 1 :], after, breaks) for i, s in enumerate(b) if copied(s, True) not in mine)

    def statement(s: Stmt, rest: Block, after: Live, breaks: tuple[Live, ...]) -> Stmt:
        match s:
            case Assign(target=target) if (name := copied(s)) and {name, target} <= mine:
                if name not in live_before(rest, after, breaks, seen):
                    return replace(s, value=Var(name))
            case ir.If():
                below = live_before(rest, after, breaks, seen)
                return replace(s, body=block(s.body, below, breaks), orelse=block(s.orelse, below, breaks))
            case ir.For() | ir.While():
                below = live_before(rest, after, breaks, seen)
                again = live_before((s,), below, breaks, seen) | below
                return replace(s, body=block(s.body, again, (*breaks, below)))
        return s

    return block(body, at_end(seen), ())


def copied(s: Stmt, to_itself: bool = False) -> str:
    """The name that a statement of the reverse sweep binds a copy of, to another one or to itself; the user's own
    statements stay as they are."""
    match s:
        case Assign(target=target, value=Op(fn="numpy.copy", args=(Var(name=name),), options=()), origin=None):
            return name if to_itself == (name == target) else ""
    return ""
