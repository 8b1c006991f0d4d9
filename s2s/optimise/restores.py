"""What still has its value is not saved and restored: what changed it is gone, as nobody reads it.

s_saved = s
if c:                      if c:
    y = s * s       ->         y = s * s
s = s_saved

q_saved = q.copy()
q_bar *= 2.0        ->     q_bar *= 2.0
q[...] = q_saved

What writes elements which are restored before anybody reads them goes, be it a call whose result nobody reads:

q_saved = q[m:].copy()
scan(q[m:], c)         ->
q[m:] = q_saved

What is restored as a whole before anybody reads it is not restored in parts:

q[1:] = q1_saved.pop()
q_bar *= 2.0        ->     q_bar *= 2.0
q[:] = q_saved.pop()       q[:] = q_saved.pop()
"""

from __future__ import annotations

from collections import Counter

from s2s import ir
from s2s.analysis.aliases import Seen
from s2s.ir import Assign, Block, Index, Op, Stmt, Store, Var
from s2s.optimise.dead import read_by
from s2s.optimise.fold import written_by
from s2s.rules import effects


def drop(body: Block, seen: Seen) -> Block:
    """`body` without saves of names and of whole arrays that nothing changes until they are restored, in the same
    block."""
    every = list(ir.statements(body))
    uses = Counter(n for s in every for n in (*ir.binds(s), *(n for e in ir.expressions(s) for n in ir.reads(e))))
    uses.update(n for s in every for n in ir.resized(s))
    uses.update(ir.written_name(s.target) for s in every if isinstance(s, ir.Store | ir.Augment))
    return _drop(body, {n for n, k in uses.items() if k == 2}, seen)  # bound once, read once


def _drop(block: Block, saves: set[str], seen: Seen) -> Block:
    saved: dict[str, tuple[str, int]] = {}  # where a name is saved, and when
    copied: dict[str, tuple[Index, int]] = {}  # the same for elements of an array
    bound: dict[str, int] = {}  # when a name was bound last
    written: dict[str, int] = {}  # when something was written into what a name holds
    undone: dict[int, Index] = {}  # what writes elements that are saved, and does nothing else
    gone: set[int] = set()

    def is_as_saved(place: Index, at: int, now: int) -> bool:
        """Whether elements are as they were, but for what statements have written that `undone` knows, unread."""
        names = {n for name in ir.reads(place) for n in (name, *seen.visible(name))}
        mine = [k for k, p in undone.items() if p == place and k > at]
        others = (k for k, p in undone.items() if k not in mine and k not in gone and ir.reads(p) & names)
        changed = (d.get(n, -1) for n in names for d in (bound, written))
        if max((*changed, *others)) > at:
            return False
        between = (block[k] for k in range(mine[0] + 1, now) if k not in mine and k not in gone) if mine else ()
        elements = {f"*{n}" for n in names}
        return not any(
            isinstance(x, ir.Return | ir.Break) or read_by(x) & elements for s in between for x in ir.statements((s,))
        )

    for i, s in enumerate(block):
        match s:
            case Assign(target=where, value=Var(name=name), origin=None) if where in saves:
                saved[where] = name, i
            case Assign(target=name, value=Var(name=where), origin=None) if where in saved:
                if saved[where][0] == name and bound.get(name, -1) < saved[where][1]:
                    gone |= {saved[where][1], i}
                    continue
            case Assign(
                target=where, value=Op(fn="numpy.copy", args=(Var() | Index() as place,), options=()), origin=None
            ) if where in saves:
                copied[where] = place if isinstance(place, Index) else Index(place, ir.ELLIPSIS), i
            case Store(target=target, value=Var(name=where)) if where in copied and copied[where][0] == target:
                at = copied[where][1]
                if is_as_saved(target, at, i):
                    gone |= {at, i, *(k for k, p in undone.items() if p == target and k > at)}
                    continue
        elements = only_written(s, seen)
        if elements is not None and any(p == elements for p, _ in copied.values()):
            undone[i] = elements
            continue
        if copied:  # what was written before the first copy changes none
            written.update(dict.fromkeys(written_by(s, seen), i))
        if saved or copied:
            for inner in ir.statements((s,)):
                bound.update(dict.fromkeys(ir.binds(inner), i))
    out: list[Stmt] = [ir.with_blocks(s, lambda b: _drop(b, saves, seen)) for i, s in enumerate(block) if i not in gone]
    return tuple(out)


def only_written(s: Stmt, seen: Seen) -> Index | None:
    """The elements that a statement writes, where it does nothing else."""
    match s:
        case Store(target=target, value=value):
            found: Index | None = target
            inner = [*ir.walk(target), *ir.walk(value)]
        case ir.Inert(keyword="", values=(Op(args=args, options=options) as call,)):
            found = seen.only_written(call)
            inner = [n for e in (*args, *(v for _, v in options)) for n in ir.walk(e)]
        case _:
            return None
    calls = (n for n in inner if isinstance(n, Op))
    acts = any(n.fn in seen.effects or n.fn.startswith("method.") or effects.drawn(n) for n in calls)
    return None if acts else found


WHOLE = (ir.ELLIPSIS, ir.Slice(None, None, None))


def in_parts(body: Block, seen: Seen) -> Block:
    """`body` without parts that are restored before the whole, where nobody reads them between, and their saves."""
    found: set[int] = set()
    lists: set[str] = set()
    blocks = ir.every_block(body)
    if not any(restored(s) is not None and s.target.key in WHOLE for b in blocks for s in b if isinstance(s, Store)):
        return body
    used = ir.uses(ir.statements(body))
    for block in blocks:
        parts: dict[str, list[tuple[int, str]]] = {}  # of each array those that nobody has read since
        for s in block:
            name, save = restored(s) or ("", "")
            if name and isinstance(s, Store):
                read = set(ir.reads(s.target.key))
            else:
                read = {n for x in ir.statements((s,)) for e in ir.expressions(x) for n in ir.reads(e)}
                read |= {n for x in ir.statements((s,)) for n in (*ir.binds(x), *ir.resized(x))}
            for n in [n for n in parts if read & {n, *seen.visible(n)}]:
                del parts[n]
            if not name or not isinstance(s, Store) or read & {name, *seen.visible(name)}:
                continue
            if s.target.key in WHOLE:
                for part, inner in parts.pop(name, []):
                    found.add(part)
                    lists.add(inner)
            elif used[save] == 1:
                parts.setdefault(name, []).append((id(s), save))

    def without(b: Block) -> Block:
        kept = (s for s in b if id(s) not in found and not (isinstance(s, ir.Append) and s.array in lists))
        return tuple(ir.with_blocks(s, without) for s in kept)

    return without(body) if found else body


def restored(s: Stmt) -> tuple[str, str] | None:
    """The array and the list of a statement `q[k] = q_saved.pop()`."""
    match s:
        case Store(target=Index(array=Var(name=name)), value=Op(fn="method.pop", args=(Var(name=save),))):
            return name, save
    return None
