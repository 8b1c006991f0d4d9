"""What is added to a place that has just been set to zero is assigned to it.

    y_bar[:2] = 0.0                         y_bar[:2] = first_bar
    y_bar[:2] += first_bar          ->

    A_bar[:] = 0.0                          A_bar[:] = L.T @ s_bar
    A_bar[...] += L.T @ s_bar       ->

Only in arrays: a slot of a list would share memory with the value.
"""

from __future__ import annotations

from collections.abc import Collection

from s2s import algebra, ir
from s2s.analysis.aliases import LISTS_OF_VIEWS, NOBODY, Seen
from s2s.ir import Assign, Augment, Block, Index, Op, Stmt, Store, Var

WHOLE = (ir.ELLIPSIS, ir.Slice(None, None))


def assign(body: Block, seen: Seen = NOBODY) -> Block:
    """`body` with sums of zeros and one value written as the value."""
    every = list(ir.statements(body))
    if not any(map(is_kill, every)):
        return body
    made = {s.target for s in every if isinstance(s, Assign) and makes_array(s)}
    arrays = made - {n for s in every for n in ir.binds(s) if not isinstance(s, Augment) and not makes_array(s)}

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            s = ir.with_blocks(s, block)
            if isinstance(s, Augment) and (at := killed(s, out, arrays, seen)) is not None:
                kill = out.pop(at)
                assert isinstance(kill, Store)
                s = Store(kill.target, s.value if s.sign == "+" else algebra.negated(s.value))
            out.append(s)
        return tuple(out)

    return block(body)


def is_kill(s: Stmt) -> bool:
    return isinstance(s, Store) and s.origin is None and s.value == algebra.ZERO and isinstance(s.target.array, Var)


def makes_array(s: Stmt) -> bool:
    """Whether a statement binds a name to an array, or a number: no list."""
    return (
        isinstance(s, Assign)
        and isinstance(s.value, Op)
        and s.value.fn.startswith("numpy.")
        and s.value.fn not in LISTS_OF_VIEWS
    )


def killed(s: Augment, before: list[Stmt], arrays: Collection[str], seen: Seen) -> int | None:
    """Where the place that is added to is set to zero, if nothing sees it since then."""
    array = s.target if isinstance(s.target, Var) else s.target.array
    if not isinstance(array, Var) or array.name not in arrays:
        return None
    names = seen.visible(array.name) | {array.name}
    if names & ir.reads(s.value):
        return None
    key = s.target.key if isinstance(s.target, Index) else ir.ELLIPSIS
    keys = ir.reads(key)
    for i in range(len(before) - 1, -1, -1):
        t = before[i]
        if is_kill(t) and isinstance(t, Store) and t.target.array == array:
            same = t.target.key == key or (t.target.key in WHOLE and key in WHOLE)
            return i if same and not names & ir.reads(t.target.key) else None
        if isinstance(t, ir.Comment):
            continue
        if not isinstance(t, Assign | Augment | Store):
            return None
        read = {n for e in ir.expressions(t) for n in ir.reads(e)}
        if names & read or (names | keys).intersection(ir.binds(t)):
            return None
    return None
