"""Statements that are sugar: loops with an else, match, try, with np.errstate, del and global reads.

for ... else          a flag that each break sets
match                 if and elif over tests of the subject
try ... finally       the body, and the final statements before each exit
try ... except        the body: a run that raises has no derivative, and raises what the body raises
with np.errstate()    marks around the body, which the reverse sweep mirrors
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable
from collections.abc import Sequence as List
from typing import cast

from s2s import ir
from s2s.frontend.calls import Calls
from s2s.frontend.exits import Continue, Leave, Loose, branches, breaks, ends, leaves, negate, with_body
from s2s.frontend.expressions import loose_statements
from s2s.frontend.source import made
from s2s.frozen import replace
from s2s.ir import Assign, Block, Break, Const, If, Inert, Op, Origin, Return, Var

# With statements that change neither a value nor what runs: how NumPy reports errors, prints, and warns.
MIRRORED = ("numpy.errstate", "numpy.printoptions", "warnings.catch_warnings")
SELF_MATCHING = ("bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")


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
        outer = self.kept
        self.kept = outer or bool(s.handlers)
        body = self.block(s.body)
        self.kept = outer
        origin = self.origin
        orelse = self.block(s.orelse)
        block: list[Loose] = [*(self.held_exits(body) if s.handlers else body), *orelse]
        if s.finalbody:
            block = self.before_exits(block, lambda: self.block(s.finalbody))
            self.origin = origin
            if ends(block):
                block += self.block(s.finalbody)
        self.put(block)

    def muted(self, body: List[ast.stmt]) -> Block:
        """What a block is lowered to, for a look at it: nothing is refused."""
        before, given, count, origin = list(self.refusals), set(self.given), self.count, self.origin
        block = self.block(body)
        self.refusals, self.given, self.count, self.origin = before, given, count, origin
        return block

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
        if leaves(body):
            self.refuse("exit", s)
            return
        if isinstance(last, Leave):
            *pieces, result = last.pieces
            assert isinstance(result, Return)
            body += pieces
            if not ir.is_atom(result.value):
                name = self.fresh("result")
                body.append(Assign(name, result.value, last.origin))
                last = Leave((Return(Var(name), last.origin),), last.origin)
            else:
                last = Leave((result,), last.origin)
        for e in contexts:
            self.emit(Inert("with", (e,), origin))
        self.put(body)
        for e in reversed(contexts):
            self.emit(Inert("end with", (e,)))
        if last is not None:
            self.emit(last)

    # ------------------------------------------------------------ del and global

    def deleted(self, s: ast.Delete) -> None:
        """The name is not read again before it is bound: the statement has no effect."""
        for t in s.targets:
            if not (isinstance(t, ast.Name) and self.is_local(t.id)):
                self.refuse("del", t, self.text(t))

    def global_names(self, s: ast.Global) -> None:
        """What is only read is a name of the module like any other."""
        for name in s.names:
            if name in self.bound:
                self.refuse("global", s, "global")
                return

    # ------------------------------------------------------------ match

    def matched(self, s: ast.Match) -> None:
        """if and elif over tests of the subject, which gets a name if it has none."""
        origin = self.origin
        subject = self.subject(s.subject)
        chain: list[ast.stmt] = []
        for case in reversed(s.cases):
            found = self.pattern(case.pattern, subject)
            if found is None:
                return
            tests, bindings = found
            body = [*(bind(name, value, case.pattern) for name, value in bindings), *case.body]
            if case.guard is not None and bindings and tests:
                values = dict(bindings)
                if any(self.bound_elsewhere(name, s) for name in values):
                    self.refuse(
                        "match",
                        cast(ast.expr, case.pattern),
                        "this guard of a pattern that binds a name bound elsewhere",
                    )
                    return
                tests = [*tests, cast(ast.expr, Replaced(values).visit(copy.deepcopy(case.guard)))]
            elif case.guard is not None and bindings:  # the pattern always matches: it binds, then the guard decides
                names, body = body[: len(bindings)], body[len(bindings) :]
                chain = [*names, choice([case.guard], body, chain, case.pattern)]
                continue
            elif case.guard is not None:
                tests = [*tests, case.guard]
            chain = [choice(tests, body, chain, case.pattern)] if tests else body
        self.origin = origin
        for x in chain:
            self.made_statement(x)

    def made_statement(self, s: ast.stmt) -> None:
        """A statement of the rewritten text: it keeps the origin of the statement that it stands for."""
        origin = self.origin
        if isinstance(s, ast.If) and getattr(s, "made", False):
            self.conditional(s)
        elif isinstance(s, ast.Assign) and getattr(s, "made", False):
            self.assign_to(s.targets[0], s.value)
        else:
            self.put(self.block([s]))
        self.origin = origin

    def subject(self, e: ast.expr) -> ast.expr:
        """The subject as an expression that may be read many times."""
        if self.is_simple(e):
            return e
        if isinstance(e, ast.Tuple | ast.List) and not any(isinstance(x, ast.Starred) for x in e.elts):
            return made(ast.Tuple([self.subject(x) for x in e.elts], ast.Load()), e)
        name = self.fresh("subject")
        self.locals.add(name)
        self.assign(name, e)
        return made(ast.Name(name, ast.Load()), e)

    def bound_elsewhere(self, name: str, s: ast.Match) -> bool:
        inside = sum(1 for n in ast.walk(s) if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name == name)
        every = sum(
            1
            for n in ast.walk(self.node)
            if (isinstance(n, ast.MatchAs | ast.MatchStar) and n.name == name)
            or (isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load))
        )
        return name in self.params or every > inside

    def pattern(self, p: ast.pattern, subject: ast.expr) -> tuple[list[ast.expr], list[tuple[str, ast.expr]]] | None:
        """The tests that a pattern stands for, and the names that it binds; None if it is refused."""

        def test(op: ast.cmpop, value: ast.expr) -> ast.expr:
            return made(ast.Compare(subject, [op], [value]), p)

        match p:
            case ast.MatchValue(value=value):
                return [test(ast.Eq(), value)], []
            case ast.MatchSingleton(value=value):
                return [test(ast.Is(), made(ast.Constant(value), p))], []
            case ast.MatchAs(pattern=inner, name=name):
                found = ([], []) if inner is None else self.pattern(inner, subject)
                if found is None:
                    return None
                return found[0], [*found[1], *([(name, subject)] if name is not None else [])]
            case ast.MatchOr(patterns=patterns):
                return self.either(patterns, subject, p)
            case ast.MatchSequence(patterns=patterns):
                return self.sequence_pattern(patterns, subject, p)
            case ast.MatchClass(cls=ast.Name(id=name), patterns=patterns, kwd_attrs=[]) if (
                name in SELF_MATCHING and not self.is_local(name) and len(patterns) <= 1
            ):
                kind = made(ast.Call(made(ast.Name("isinstance", ast.Load()), p), [subject, p.cls], []), p)
                found = self.pattern(patterns[0], subject) if patterns else ([], [])
                return None if found is None else ([kind, *found[0]], found[1])
        self.refuse("match", cast(ast.expr, p), f"the pattern `{self.text(cast(ast.expr, p))}`")
        return None

    def either(
        self, patterns: List[ast.pattern], subject: ast.expr, p: ast.pattern
    ) -> tuple[list[ast.expr], list[tuple[str, ast.expr]]] | None:
        parts: list[ast.expr] = []
        if all(isinstance(x, ast.MatchValue) for x in patterns):
            values = [x.value for x in patterns if isinstance(x, ast.MatchValue)]
            if all(isinstance(v, ast.Constant) for v in values):  # "a" | "b": the subject is in ("a", "b")
                options = made(ast.Tuple(values, ast.Load()), p)
                return [made(ast.Compare(subject, [ast.In()], [options]), p)], []
        for x in patterns:
            found = self.pattern(x, subject)
            if found is None:
                return None
            tests, bindings = found
            if bindings:
                self.refuse("match", cast(ast.expr, p), f"names in alternatives, `{self.text(cast(ast.expr, p))}`,")
                return None
            if not tests:
                return [], []
            parts.append(tests[0] if len(tests) == 1 else made(ast.BoolOp(ast.And(), tests), p))
        return [made(ast.BoolOp(ast.Or(), parts), p)], []

    def sequence_pattern(
        self, patterns: List[ast.pattern], subject: ast.expr, p: ast.pattern
    ) -> tuple[list[ast.expr], list[tuple[str, ast.expr]]] | None:
        """`case [x, y, *rest]`: a list or a tuple of that length."""
        star = next((i for i, x in enumerate(patterns) if isinstance(x, ast.MatchStar)), None)
        least = len(patterns) - (star is not None)
        tests: list[ast.expr] = []
        bindings: list[tuple[str, ast.expr]] = []
        known = subject.elts if isinstance(subject, ast.Tuple) else None
        if known is not None:
            if len(known) != least if star is None else len(known) < least:
                return [made(ast.Constant(False), p)], []
        else:

            def call(name: str, *args: ast.expr) -> ast.expr:
                return made(ast.Call(made(ast.Name(name, ast.Load()), p), list(args), []), p)

            kinds: list[ast.expr] = [made(ast.Name(k, ast.Load()), p) for k in ("list", "tuple")]
            tests.append(call("isinstance", subject, made(ast.Tuple(kinds, ast.Load()), p)))
            op = ast.Eq() if star is None else ast.GtE()
            tests.append(made(ast.Compare(call("len", subject), [op], [made(ast.Constant(least), p)]), p))

        def item(i: int) -> ast.expr:
            if known is not None:
                return known[i]
            return made(ast.Subscript(subject, made(ast.Constant(i), p), ast.Load()), p)

        for i, x in enumerate(patterns):
            if isinstance(x, ast.MatchStar):
                if x.name is not None:
                    rest: ast.expr
                    behind = len(patterns) - 1 - i
                    if known is not None:
                        rest = made(ast.List(list(known[i : len(known) - behind]), ast.Load()), p)
                    else:
                        lower = made(ast.Constant(i), p)
                        upper = made(ast.Constant(-behind), p) if behind else None
                        part = made(ast.Subscript(subject, made(ast.Slice(lower, upper), p), ast.Load()), p)
                        rest = call("list", part)
                    bindings.append((x.name, rest))
                continue
            found = self.pattern(x, item(i if star is None or i < star else i - len(patterns)))
            if found is None:
                return None
            tests += found[0]
            bindings += found[1]
        return tests, bindings


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


def bind(name: str, value: ast.expr, at: ast.pattern) -> ast.stmt:
    return made(ast.Assign([made(ast.Name(name, ast.Store()), at)], value), at)


def choice(tests: List[ast.expr], body: List[ast.stmt], orelse: List[ast.stmt], at: ast.pattern) -> ast.stmt:
    test = tests[0] if len(tests) == 1 else made(ast.BoolOp(ast.And(), list(tests)), at)
    return made(ast.If(test, list(body), list(orelse)), at)


class Replaced(ast.NodeTransformer):
    """Names of a pattern in its guard, as what they are bound to."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


__all__ = ["Origin", "Sugar"]
