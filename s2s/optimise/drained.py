"""The cotangent of a list that is taken apart from its end gets longer, item by item, as the reverse sweep goes back.

    E_saved_bar = _zeros_like(E_saved)              E_saved_bar = _zeros_like(E_saved[:E_top])
    for k in range(n):                              for k in range(n):
        E_saved_bar[E_top] = _added(        ->          E_saved_bar.append(E_bar)
            E_saved_bar[E_top], E_bar)                  E_top = E_top_saved.pop()
        E_top = E_top_saved.pop()

Each item is read once (`s2s.frontend.rewrites.stacks`), so that nothing is there yet to which its cotangent could be
added; and zeros that are made at the start would have the lengths that lists among the items have at the end of the
forward sweep.
"""

from __future__ import annotations

from s2s import ir, rules
from s2s.analysis import liveness
from s2s.ir import Append, Assign, Block, Const, Expr, Index, Op, Stmt, Var
from s2s.optimise import pops

ZEROS = "helper._zeros_like"


def appended(body: Block) -> Block:
    """Both sweeps, as they are printed."""
    saved = {s.target for s in ir.statements(body) if isinstance(s, Assign) and zeros_of(s)}
    for name in sorted(saved):
        body = Drained(body, name).changed()
    return body


def zeros_of(s: Stmt) -> str:
    """The list like which a statement makes zeros; "" for others."""
    match s:
        case Assign(value=Op(fn=fn, args=(Var(name=of),)), origin=None) if fn == ZEROS:
            return of
    return ""


class Drained:
    """What a body does to the cotangent `name` of a list."""

    def __init__(self, body: Block, name: str) -> None:
        self.body, self.name = body, name
        self.tops: set[str] = set()  # the positions at which something is added
        self.adds: list[Stmt] = []
        for s in ir.statements(body):
            key, _ = self.added(s)
            if key:
                self.tops.add(key)
                self.adds.append(s)

    def added(self, s: Stmt) -> tuple[str, Expr]:
        """The position at which a statement adds to the list, and what; "" for others."""
        match s:
            case ir.Store(
                target=Index(array=Var(name=of), key=Var(name=top)) as place,
                value=Op(fn="helper._added", args=(old, e)),
            ) if of == self.name and old == place:
                return top, e
            case ir.Augment(target=Index(array=Var(name=of), key=Var(name=top)), sign="+", value=e) if (
                of == self.name and s.full
            ):
                return top, e
        return "", Const(0.0)

    def changed(self) -> Block:
        """The body, with the list made longer in place of additions; as it was where it does something else."""
        if len(self.tops) != 1:
            return self.body
        (top,) = self.tops
        home = self.home()
        if home is None or not self.counts_down(top) or not self.fits(home, top):
            return self.body

        def block(b: Block) -> Block:
            return tuple(ir.with_blocks(self.statement(s, top), block) for s in b)

        return block(self.body)

    def statement(self, s: Stmt, top: str) -> Stmt:
        key, e = self.added(s)
        if key:
            return Append(self.name, e)
        if isinstance(s, Assign) and s.target == self.name and zeros_of(s):
            part = Index(Var(zeros_of(s)), ir.Slice(None, Var(top), None))
            return Assign(self.name, Op(ZEROS, (part,)))
        return s

    def home(self) -> tuple[Block, int] | None:
        """The block in which zeros are made, and where; None where the list is bound elsewhere, too."""
        every = [(b, i) for b in ir.every_block(self.body) for i, s in enumerate(b) if self.name in ir.binds(s)]
        return every[0] if len(every) == 1 and zeros_of(every[0][0][every[0][1]]) else None

    def counts_down(self, top: str) -> bool:
        """Whether each step of the forward sweep reads one item, and the reverse sweep takes back step by step."""
        saved = ""
        for b in ir.every_block(self.body):
            for i, s in enumerate(b):
                if top not in ir.binds(s) or is_length(s):
                    continue
                before = b[i - 1] if i else None
                if pops.steps_down(s, top) and isinstance(before, Append) and before.value == Var(top):
                    saved = saved or before.array
                    if before.array != saved:
                        return False
                elif not is_taken(s, saved):
                    return False
        return bool(saved)

    def fits(self, home: tuple[Block, int], top: str) -> bool:
        block, at = home
        behind = block[at + 1 :]
        inside = [i for i, s in enumerate(behind) if any(self.added(t)[0] for t in ir.statements((s,)))]
        after = list(ir.statements(behind))
        if any(top in ir.binds(s) and (is_length(s) or pops.steps_down(s, top)) for s in after):
            return False
        if sum(bool(self.added(s)[0]) for s in after) != len(self.adds):
            return False
        live = liveness.behind(self.body)
        back = [s for s in ir.statements(self.body) if is_back(s, top)]
        if len(back) != len(self.adds):
            return False
        for b in ir.every_block(behind):
            waiting: Stmt | None = None
            for s in b:
                key, e = self.added(s)
                if key and (waiting is not None or not self.is_own(e, live[id(s)])):
                    return False
                if is_back(s, top) and waiting is None:
                    return False
                waiting = s if key else None if is_back(s, top) else waiting
            if waiting is not None:
                return False
        for s in ir.statements(behind[: inside[-1] + 1]):
            if not self.added(s)[0] and (any(self.name in ir.reads(e) for e in ir.expressions(s)) or self.written(s)):
                return False
        return True

    def written(self, s: Stmt) -> bool:
        return self.name in ir.binds(s) or self.name in ir.resized(s)

    def is_own(self, e: Expr, live: liveness.Live) -> bool:
        """Whether nothing else has what is put on the list."""
        if not isinstance(e, Var):
            return is_new(e)
        for s in ir.statements(self.body):
            put = isinstance(s, Append) and s.array == e.name
            put = put or (isinstance(s, ir.Store) and ir.written_name(s.target) == e.name)
            if (put or e.name in ir.binds(s)) and not (isinstance(s, Assign | Append | ir.Store) and is_new(s.value)):
                return False
        return e.name not in live


def is_new(e: Expr) -> bool:
    """Whether a value, or an item that no list has any more, is seen by no other name, nor are its parts."""
    match e:
        case Op(fn="method.pop") | Op(fn="builtins.list", args=(Op(fn="method.pop"),)):
            return True
        case Op(fn=fn):
            return not fn.startswith(("local.", "method.", "builtins.")) and not rules.may_alias(e)
    return False


def is_length(s: Stmt) -> bool:
    return isinstance(s, Assign) and isinstance(s.value, Op) and s.value.fn == "builtins.len"


def is_back(s: Stmt, top: str) -> bool:
    return isinstance(s, Assign) and s.target == top and isinstance(s.value, Op) and s.value.fn == "method.pop"


def is_taken(s: Stmt, saved: str) -> bool:
    match s:
        case Assign(value=Op(fn="method.pop", args=(Var(name=of),))):
            return not saved or of == saved
    return False
