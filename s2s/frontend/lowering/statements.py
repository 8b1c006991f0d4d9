"""Statements that are sugar: loops with an else, match, try, with np.errstate, del and global reads.

for ... else          a flag that each break sets
match                 if and elif over tests of the subject
try ... finally       the body, and the final statements before each exit
try ... except        the body: a run that raises has no derivative, and raises what the body raises; a `raise` that is
                      written for its handler is refused
with np.errstate()    marks around the body, which the reverse sweep mirrors
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from collections.abc import Sequence as List
from typing import cast

from s2s import ir
from s2s.frontend.lowering.calls import Calls
from s2s.frontend.lowering.expressions import loose_statements
from s2s.frontend.text.exits import Continue, Leave, Loose, apart, branches, breaks, ends, leaves, negate, with_body
from s2s.frontend.text.refuse import ENTRY_HELP
from s2s.frontend.text.scopes import every_block, string_key
from s2s.frontend.text.source import made
from s2s.frozen import replace
from s2s.ir import Assign, Block, Break, Const, If, Inert, Op, Origin, Return, Var

# With statements that change neither a value nor what runs: how NumPy reports errors, prints, and warns.
MIRRORED = ("numpy.errstate", "numpy.printoptions", "warnings.catch_warnings")


class Sugar(Calls):
    """Each construct is written in terms of plainer ones."""

    def conditional(self, s: ast.If) -> None:
        raise NotImplementedError  # `Lowering`

    def assign_to(self, target: ast.expr, value: ast.expr) -> None:
        raise NotImplementedError  # `Lowering`

    def put(self, block: Iterable[Loose]) -> None:
        for s in block:
            self.emit(s)

    # ------------------------------------------------------------ loops with an else

    def with_else(self, s: ast.For | ast.While, body: Block, write: Callable[[Block], None]) -> None:
        """Writes the loop with `write`, and its else: what runs where no break has left the loop."""
        origin = self.origin
        if not s.orelse:
            write(body)
            return
        if not breaks(cast(Iterable[Loose], body)):
            write(body)
            self.put(self.block(s.orelse))
            return
        flag = self.fresh("stopped")
        self.set(flag, Const(False))
        write(cast(Block, tuple(flagged(body, flag))))
        orelse = self.block(s.orelse)
        self.emit(If(negate(Var(flag)), orelse, (), origin))

    # ------------------------------------------------------------ try and with

    def tried(self, s: ast.Try) -> None:
        """The body; where it raises, so does the derivative. The final statements stand before each exit."""
        if leaves(self.muted(s.finalbody)):
            self.refuse("try", s, "an exit in `finally`")
            return
        raised = [n for block in every_block(s.body) for n in block if isinstance(n, ast.Raise | ast.Assert)]
        self.caught |= {id(n) for n in raised if any(self.catches(n, h) for h in s.handlers)}
        outer = self.kept
        self.kept = outer or bool(s.handlers)
        body = self.block(s.body)
        self.kept = outer
        origin = self.origin
        orelse = self.block(s.orelse)
        block: list[Loose] = [*(self.held_exits(body) if s.handlers else body), *orelse]
        if s.finalbody:
            block = self.before_exits(block, lambda: self.once_more(s.finalbody))
            self.origin = origin
            if ends(block):
                block += self.once_more(s.finalbody)
        self.put(block)

    def catches(self, n: ast.Raise | ast.Assert, handler: ast.ExceptHandler) -> bool:
        """Whether a handler may take what is raised here, and go on: one that raises in turn ends the run as well."""
        if isinstance(handler.body[-1], ast.Raise):
            return False
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        exception = made(ast.Name("AssertionError", ast.Load()), n) if isinstance(n, ast.Assert) else n.exc
        raised = self.exception(exception.func if isinstance(exception, ast.Call) else exception)
        for e in kinds:
            kind = self.exception(e)
            if raised is None or e is None or (issubclass(raised, kind) if kind else isinstance(e, ast.Name)):
                return True
        return False

    def exception(self, e: ast.expr | None) -> type[BaseException] | None:
        """The exception of Python's own that an expression names; None where it is of somebody else."""
        found = getattr(builtins, e.id, None) if isinstance(e, ast.Name) and self.is_builtin(e.id) else None
        return found if isinstance(found, type) and issubclass(found, BaseException) else None

    def muted(self, body: List[ast.stmt]) -> Block:
        """What a block is lowered to, for a look at it: nothing is refused."""
        before, given, count, origin = list(self.refusals), set(self.given), self.count, self.origin
        block = self.once_more(body)
        self.refusals, self.given, self.count, self.origin = before, given, count, origin
        return block

    def once_more(self, body: List[ast.stmt]) -> Block:
        """A block that is lowered for each way out: what its functions are given in advance is evaluated each time."""
        for n in (n for s in body for n in ast.walk(s)):
            if id(n) in self.closures:
                self.closures[id(n)].defaults.clear()
        return self.block(body)

    def held_exits(self, block: Block) -> list[Loose]:
        """Values that are returned from a try get a name, so that they are computed even where nobody reads them."""

        def hold(s: Leave) -> list[Loose]:
            *pieces, last = s.pieces
            assert isinstance(last, Return)
            if ir.is_atom(last.value):
                return [s]
            name = self.fresh("result")
            held = replace(s.origin, kept=True) if s.origin else None
            return [Leave((*pieces, Assign(name, last.value, held), Return(Var(name), s.origin)), s.origin)]

        return rewritten(block, hold, lambda e: [e], False)

    def before_exits(self, block: Iterable[Loose], final: Callable[[], Block]) -> list[Loose]:
        """The block with the final statements before each statement that leaves it."""

        def leave(s: Leave) -> list[Loose]:
            *pieces, last = s.pieces
            assert isinstance(last, Return)
            rest = final()
            changed = {n for x in loose_statements(cast(Iterable[Loose], rest)) for n in ir.binds(x)}
            if isinstance(last.value, Const) or (isinstance(last.value, Var) and last.value.name not in changed):
                return [Leave((*pieces, *rest, last), s.origin)]
            name = self.fresh("result")
            held = Assign(name, last.value, s.origin)
            return [Leave((*pieces, held, *rest, Return(Var(name), s.origin)), s.origin)]

        return rewritten(block, leave, lambda e: [*cast(Iterable[Loose], final()), e], False)

    def with_statement(self, s: ast.With) -> None:
        """`with np.errstate(...)`: marks around the body; a return at its end moves behind it."""
        contexts: list[Op] = []
        for item in s.items:
            call = item.context_expr
            found = self.resolve(call.func) if isinstance(call, ast.Call) else None
            if found is None or found[1] is not None or found[0] not in MIRRORED or item.optional_vars is not None:
                opened = isinstance(item.context_expr, ast.Call) and self.text(item.context_expr.func).endswith("open")
                self.refuse("open" if opened else "with", item.context_expr, self.text(item.context_expr))
                continue
            e = self.tree(call)
            if not isinstance(e, Op):  # `np.printoptions(**options)`
                self.refuse("with", item.context_expr, self.text(item.context_expr))
                continue
            if any(self.is_local(n) for n in ir.reads(e)):
                self.refuse("with", item.context_expr, f"{self.text(item.context_expr)}, which reads a local name,")
            contexts.append(e)
        origin = self.origin
        body: list[Loose] = list(self.block(s.body))
        if len(contexts) < len(s.items):
            return
        last = body.pop() if body and isinstance(body[-1], Leave | Break | Continue) else None
        behind: list[Loose] = []
        if leaves(body):  # what is returned is computed inside
            start, body, behind = apart(rewritten(body, self.computed, lambda e: [e], False), self.fresh)
            self.put(start)
        if isinstance(last, Leave):
            *before, last = self.computed(last)
            body += before
        for e in contexts:
            self.emit(Inert("with", (e,), origin))
        self.put(body)
        for e in reversed(contexts):
            self.emit(Inert("end with", (e,)))
        for leaving in behind if last is None else [*behind, last]:
            self.emit(leaving)

    def computed(self, s: Leave) -> list[Loose]:
        """A return of what is computed before it, under a name."""
        *pieces, last = s.pieces
        assert isinstance(last, Return)
        if ir.is_atom(last.value):
            return [*pieces, Leave((last,), s.origin)]
        name = self.fresh("result")
        return [*pieces, Assign(name, last.value, s.origin), Leave((Return(Var(name), s.origin),), s.origin)]

    # ------------------------------------------------------------ del and global

    def deleted(self, s: ast.Delete) -> None:
        """An entry of a dict that is made here is taken out. A name is not read again before it is bound: there, the
        statement has no effect."""
        for t in s.targets:
            if isinstance(t, ast.Subscript) and getattr(t, "keyed", False) and isinstance(t.value, ast.Name):
                if (place := self.place(t)) is not None:
                    self.emit(ir.Store(place, place, self.origin, constant=True, gone=True))
            elif not (isinstance(t, ast.Name) and self.is_local(t.id)):
                help_ = None
                if isinstance(t, ast.Subscript) and string_key(t) is not None:
                    help_ = (ENTRY_HELP.format(self.text(t.value)),)
                self.refuse("del", t, self.text(t), help=help_)

    def global_names(self, s: ast.Global) -> None:
        """What is only read is a name of the module like any other."""
        for name in s.names:
            if name in self.bound:
                self.refuse("global", s, "global")
                return


def flagged(block: Iterable[Loose], flag: str) -> list[Loose]:
    """The body of a loop whose breaks set a flag before."""
    return rewritten(
        block,
        lambda s: [s],
        lambda e: [Assign(flag, Const(True), e.origin), e] if isinstance(e, Break) else [e],
        False,
    )


def rewritten(
    block: Iterable[Loose],
    leave: Callable[[Leave], list[Loose]],
    jump: Callable[[Break | Continue], list[Loose]],
    inside: bool,
) -> list[Loose]:
    """The block with other statements for its exits; in an inner loop only returns leave the block."""
    out: list[Loose] = []
    for s in block:
        match s:
            case Leave():
                out += leave(s)
            case Break() | Continue() if not inside:
                out += jump(s)
            case If():
                body = rewritten(cast(Iterable[Loose], s.body), leave, jump, inside)
                orelse = rewritten(cast(Iterable[Loose], s.orelse), leave, jump, inside)
                out.append(branches(s, body, orelse))
            case ir.For() | ir.While():
                body = rewritten(cast(Iterable[Loose], s.body), leave, jump, True)
                out.append(with_body(s, cast(Block, tuple(body))))
            case _:
                out.append(s)
    return out


__all__ = ["Origin", "Sugar"]
