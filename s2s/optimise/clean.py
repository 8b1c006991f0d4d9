"""The order of the passes over both sweeps joined."""

from __future__ import annotations

from collections.abc import Callable

from s2s import ir
from s2s.analysis import ifs
from s2s.analysis.aliases import NOBODY, Seen
from s2s.analysis.loops import Header
from s2s.frontend.text.exits import negate
from s2s.frozen import replace
from s2s.ir import FORWARD, REVERSE, Block, Comment, Stmt
from s2s.optimise import (
    asserts,
    backwards,
    dead,
    drained,
    entries,
    fold,
    idle,
    keys,
    kills,
    lists,
    moves,
    names,
    paired,
    pops,
    presence,
    ranges,
    restores,
    rows,
    shared,
    wholes,
)


def clean(
    body: Block,
    wishes: dict[str, str],
    fixed: dict[str, str],
    reserved: set[str],
    keep: Callable[[str, str], None] | None,
    items: frozenset[str] = frozenset(),
    headers: dict[str, Header] | None = None,
    seen: Seen = NOBODY,
) -> Block:
    """Both sweeps as they are printed: dead code gone, single-use values folded, final names."""
    if keep is not None:
        keep("adjoint", _shown(body))
    body = restores.in_parts(idle.without_arrays(body), seen)
    takes = pops.takes(body)
    body = pops.in_place(dead.remove_dead(body, seen), fixed, takes, wishes)
    body = fold.fold(body, items=items, seen=seen)
    body = fold.fold(body, items=items, seen=seen)
    body = lists.as_arrays(fold.adopt(body))
    body = fold.comprehensions(body, headers or {}, wishes)
    body = presence.without_idle_zeros(body)
    body = kills.assign(dead.remove_dead(restores.drop(body, seen), seen), seen)
    body = idle.without_copies(idle.without_zeros(body, seen), seen)
    body = presence.without_copies(presence.unasked(keys.plain(body, fixed, wishes), seen))
    body = dead.remove_dead(entries.made_in_loops(body, wishes), seen)
    body = shared.share(body, wishes, reserved | set(fixed.values()), seen)
    body = backwards.in_headers(backwards.over_items(body, (headers or {}).values(), seen), seen)
    body, final = names.coalesce(body, wishes, fixed, reserved)
    seen = seen.renamed(final)
    body = fold.at_once(names.results(body))
    body = dead.drop_empty_marks(dead.without_idle_withs(body, seen))
    body = fold.rename_in_place(paired.comprehensions(ifs.rejoin(ranges.count_up(body))))
    body = paired.loops(body, seen)
    body = fold.whole_dicts(fold.tuples(lists.returned(body)))
    body = pops.filled(drained.appended(pops.taken(pops.pop_again(body))), seen)
    body = dead.drop_empty_marks(moves.move(body, seen, fixed.values()))
    body = dead.remove_dead(fold.again(rows.in_place(body, {*fixed, *fixed.values()}), seen), seen)
    body = dead.without_idle_withs(body, seen)
    body = leave_early(wholes.made_once(body, reserved | set(fixed.values())))
    body = without_empty_branches(body)
    body = titles(asserts.once(body))
    if keep is not None:
        keep("optimised", _shown(body))
    return body


def leave_early(body: Block) -> Block:
    """What stands in the else of a branch that breaks follows it instead."""
    out: list[Stmt] = []
    for s in body:
        s = ir.with_blocks(s, leave_early)
        if isinstance(s, ir.If) and s.body and isinstance(s.body[-1], ir.Break | ir.Return) and s.orelse:
            out += [replace(s, orelse=()), *s.orelse]
        else:
            out.append(s)
    return tuple(out)


def without_empty_branches(body: Block) -> Block:
    """`if a is None: pass` with an else is `if a is not None`."""
    out: list[Stmt] = []
    for s in body:
        s = ir.with_blocks(s, without_empty_branches)
        if isinstance(s, ir.If) and not s.body and s.orelse:
            s = replace(s, test=negate(s.test), body=s.orelse, orelse=())
        out.append(s)
    return tuple(out)


def _shown(body: Block) -> str:
    """A block as Python; adjoints have their inner names, without the mark that keeps them apart from the user's."""
    return "\n".join(ir.print_block(body)).replace("%", "").strip("\n")


def titles(body: Block) -> Block:
    """Section titles without a section go, and a blank line at the head of a block."""
    out: list[Stmt] = []
    for i, s in enumerate(body):
        if isinstance(s, ir.If):
            s = replace(s, body=titles(s.body), orelse=titles(s.orelse))
        if isinstance(s, Comment) and s.lines[-1:] == (FORWARD,):
            rest = [t for t in body[i + 1 :] if not isinstance(t, Comment)]
            following = body[i + 1] if i + 1 < len(body) else None
            if (isinstance(following, Comment) and REVERSE in following.lines) or not rest:
                continue
        if isinstance(s, Comment) and REVERSE in s.lines:
            following_s = [t for t in body[i + 1 :] if not (isinstance(t, Comment) and t.lines == ("",))]
            if following_s and isinstance(following_s[0], ir.Return):
                continue
            if not any(isinstance(t, Comment) and FORWARD in t.lines for t in out):
                continue
        out.append(s)
    return tuple(out)
