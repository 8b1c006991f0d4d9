"""A name that still has its value is not saved and restored: what bound it anew is gone, as nobody reads it.

s_saved = s
if c:                      if c:
    y = s * s       ->         y = s * s
s = s_saved
"""

from __future__ import annotations

from collections import Counter

from s2s import ir
from s2s.ir import Assign, Block, Stmt, Var


def drop(body: Block) -> Block:
    """`body` without saves of names that nothing binds until they are restored, in the same block."""
    every = list(ir.statements(body))
    uses = Counter(n for s in every for n in (*ir.binds(s), *(n for e in ir.expressions(s) for n in ir.reads(e))))
    uses.update(n for s in every for n in ir.resized(s))
    uses.update(ir.written_name(s.target) for s in every if isinstance(s, ir.Store | ir.Augment))
    return _drop(body, {n for n, k in uses.items() if k == 2})  # bound once, read once


def _drop(block: Block, saves: set[str]) -> Block:
    saved: dict[str, tuple[str, int]] = {}  # where a name is saved, and when
    bound: dict[str, int] = {}  # when a name was bound last
    gone: set[int] = set()
    for i, s in enumerate(block):
        match s:
            case Assign(target=where, value=Var(name=name), origin=None) if where in saves:
                saved[where] = name, i
            case Assign(target=name, value=Var(name=where), origin=None) if where in saved:
                if saved[where][0] == name and bound.get(name, -1) < saved[where][1]:
                    gone |= {saved[where][1], i}
                    continue
        for inner in ir.statements((s,)):
            bound.update(dict.fromkeys(ir.binds(inner), i))
    out: list[Stmt] = [ir.with_blocks(s, lambda b: _drop(b, saves)) for i, s in enumerate(block) if i not in gone]
    return tuple(out)
