"""Lists that are read at a position which counts down from their end are taken apart again, as the user wrote it.

E_top = len(E_saved)
for k in range(n):                  for k in range(n):
    E_top -= 1               ->         E_dot = E_saved_dot.pop()
    E_dot = E_saved_dot[E_top]          E = E_saved.pop()
    E = E_saved[E_top]

This undoes `s2s.frontend.stacks` where each item is still read once, and by nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2s import ir
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, Form, Index, Op, Stmt, Var


def pop_again(body: Block) -> Block:
    for s in [s for s in ir.statements(body) if isinstance(s, Assign)]:
        match s.value:
            case Op(fn="builtins.len", args=(Var(name=name),)) if (made := _popped(body, s.target, name)) is not None:
                body = made
    return body


def _popped(body: Block, top: str, name: str) -> Block | None:
    """The block with pops of `name`, and of the tangents beside it, for reads at `top`; None where that is another."""
    lists = {name, f"{name}_dot", f"{name}_dot_"}
    seen: Counter[str] = Counter()
    steps = 0
    for segment in _segments(body, top):
        steps += 1
        reads = Counter(x for s in segment for x in _items(s, top))
        if not reads.keys() <= lists or any(n > 1 for n in reads.values()):
            return None
        seen.update(reads)
    used = {x for x in lists if seen[x]}
    mentions = sum(_count(s, top) for s in ir.statements(body))
    if not steps or any(seen[x] != steps for x in used) or mentions != 1 + 2 * steps + sum(seen.values()):
        return None
    for s in ir.statements(body):
        for x in used | {name}:
            own = isinstance(s, Assign) and s.value == Op("builtins.len", (Var(name),)) and s.target == top
            reads_ = (
                sum(_reads(e, x) for e in ir.expressions(s)) - sum(i == x for i in _items(s, top)) - own * (x == name)
            )
            if reads_:
                return None
    return _written(body, top, used, name if name not in used else "")


def _segments(body: Block, top: str) -> Iterator[list[Stmt]]:
    """What follows each `top -= 1` in its block, up to the next one."""
    current: list[Stmt] | None = None
    for s in body:
        for inner in ir.blocks(s):
            yield from _segments(inner, top)
        if _steps_down(s, top):
            if current is not None:
                yield current
            current = []
        elif current is not None:
            current.append(s)
    if current is not None:
        yield current


def _steps_down(s: Stmt, top: str) -> bool:
    match s:
        case Assign(target=target, value=Op(fn="numpy.subtract", args=(Var(name=read), ir.Const(value=1)))):
            return target == read == top
        case ir.Augment(target=Var(name=target), sign="-", value=ir.Const(value=1)):
            return target == top
    return False


def _items(s: Stmt, top: str) -> Iterator[str]:
    """The lists of which a statement reads the item at `top`."""
    for e in ir.expressions(s):
        for n in ir.walk(e):
            if isinstance(n, Index) and n.key == Var(top) and isinstance(n.array, Var):
                yield n.array.name


def _reads(e: Expr, name: str) -> int:
    return sum(isinstance(n, Var) and n.name == name for n in ir.walk(e))


def _count(s: Stmt, name: str) -> int:
    bound = sum(n == name for n in ir.binds(s))
    return bound + sum(_reads(e, name) for e in ir.expressions(s))


def _written(body: Block, top: str, used: set[str], dead: str) -> Block:
    """dead: a list that is appended to, and that nothing reads any more."""

    def expr(e: Expr) -> Expr:
        if isinstance(e, Index) and e.key == Var(top) and isinstance(e.array, Var) and e.array.name in used:
            return Op("method.pop", (e.array,), form=Form.METHOD, spelling="pop")
        return ir.rebuild(e, expr)

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            if _steps_down(s, top) or (isinstance(s, Assign) and s.target in (top, dead)):
                continue
            if isinstance(s, ir.Append) and s.array == dead:
                continue
            if any(True for _ in _items(s, top)):
                match s:
                    case Assign() | ir.Unpack() | ir.Append() | ir.Return() | ir.Augment() | ir.Store():
                        s = replace(s, value=expr(s.value))
                    case ir.Inert():
                        s = replace(s, values=tuple(map(expr, s.values)))
            out.append(ir.with_blocks(s, block))
        return tuple(out)

    return block(body)
