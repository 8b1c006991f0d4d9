"""Exits as tails: every `break` and `return` ends its branch, and what followed stands in the other branch.

Normalise leaves `Leave` (a return with the pieces of its value) and `Continue` in its blocks; `tails` removes both:

    continue                 if/else around the rest of the body
    break                    ends its branch, the rest of the body is the other branch
    return e in a loop       exit_at = j; break, `if exit_at != 0: break` in each loop around, and behind the outermost
                             loop `if exit_at == j: return e`, the rest of the function being its else; a flag
                             `returned` where there is one exit only
    a shared rest            where two branches fall through to the same rest, a flag: the rest is not copied

A broken iteration is then an iteration that took a branch, and no later stage knows exits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from s2s.ir import (
    NONE,
    Assign,
    Block,
    Break,
    Const,
    Expr,
    For,
    Form,
    If,
    Inert,
    Op,
    Origin,
    Return,
    Stmt,
    Var,
    While,
    is_atom,
)


@dataclass(frozen=True, slots=True, eq=False)
class Continue:
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Leave:
    """A return statement: the pieces that compute its value, ending in `Return`."""

    pieces: Block
    origin: Origin | None = None


Loose = Stmt | Continue | Leave  # what a block may hold before `tails`
NEGATED = {
    "numpy.equal": "numpy.not_equal",
    "numpy.not_equal": "numpy.equal",
    "operator.in": "operator.not_in",
    "operator.not_in": "operator.in",
    "operator.is": "operator.is_not",
    "operator.is_not": "operator.is",
}


def negate(test: Expr) -> Expr:
    """`not test`. Orderings are not reversed: with a NaN both `a < b` and `a >= b` are false."""
    match test:
        case Const(value=bool() as value):
            return Const(not value)
        case Op(fn="operator.not", args=(inner,)):
            return inner
        case Op(fn=fn, args=args) if fn in NEGATED and test.form is Form.OPERATOR:
            return Op(NEGATED[fn], args, form=Form.OPERATOR, span=test.span)
    return Op("operator.not", (test,), form=Form.OPERATOR)


def tails(body: Iterable[Loose], fresh: Callable[[str], str]) -> Block:
    """A function's body with its exits as tails; `fresh(name)` gives names for flags and exit numbers."""
    return Exits(fresh).function(list(body))


# What an If holds is asked again at each level around it: the answers are kept, by the identity of the statement.


def raises(block: Iterable[Loose]) -> bool:
    """A block that can't be left by its end because it raises."""
    for s in block:
        if isinstance(s, Inert) and s.keyword == "raise":
            return True
        if isinstance(s, If) and raises_in_both(s):
            return True
    return False


@lru_cache(maxsize=10_000)
def raises_in_both(s: If) -> bool:
    return bool(s.orelse) and raises(s.body) and raises(s.orelse)


def leaves(block: Iterable[Loose]) -> bool:
    """May control leave the block other than by its end or by an exception? Loops keep their own breaks."""
    for s in block:
        match s:
            case Leave() | Continue() | Break() | Return():
                return True
            case If() if leaves_within(s):
                return True
            case For() | While() if returns_within(s):
                return True
    return False


@lru_cache(maxsize=10_000)
def leaves_within(s: If) -> bool:
    return leaves(s.body) or leaves(s.orelse)


def returns(block: Iterable[Loose]) -> bool:
    for s in block:
        match s:
            case Leave() | Return():
                return True
            case If() | For() | While() if returns_within(s):
                return True
    return False


@lru_cache(maxsize=10_000)
def returns_within(s: If | For | While) -> bool:
    return returns(s.body) or (isinstance(s, If) and returns(s.orelse))


def ends(block: Iterable[Loose]) -> int:
    """How many branches of the block fall through to its end."""
    falling = 1
    for s in block:
        match s:
            case Leave() | Continue() | Break() | Return():
                return 0
            case Inert(keyword="raise"):
                return 0
            case If():
                falling *= ends_of(s)
            case While() if endless(s):
                return 0
        if falling == 0:
            return 0
    return falling


@lru_cache(maxsize=10_000)
def ends_of(s: If) -> int:
    """How many ways lead through an If; one where it holds no exit."""
    if leaves_within(s) or raises(s.body) or raises(s.orelse):
        return ends(s.body) + ends(s.orelse)
    return 1


def endless(s: For | While) -> bool:
    return isinstance(s, While) and isinstance(s.test, Const) and bool(s.test.value) and not breaks(s.body)


def breaks(block: Iterable[Loose]) -> bool:
    return any(isinstance(s, Break) or (isinstance(s, If) and breaks_within(s)) for s in block)


@lru_cache(maxsize=10_000)
def breaks_within(s: If) -> bool:
    return breaks(s.body) or breaks(s.orelse)


class Exits:
    """The state of one function's rewriting: exit numbers of the loop nest, and fresh names."""

    def __init__(self, fresh: Callable[[str], str]) -> None:
        self.fresh = fresh
        self.number = ""  # the variable that holds the exit's number, inside a loop nest with returns
        self.pending: list[Leave] = []

    def function(self, body: list[Loose]) -> Block:
        if ends(body):
            body = [*body, Leave((Return(NONE),))]
        return self.block(body)

    def block(self, body: Iterable[Loose]) -> Block:
        """The block in normal form; what stands behind an exit goes."""
        return self.settled(self.expanded(body))

    def expanded(self, body: Iterable[Loose]) -> list[Loose]:
        """The block with its loops in normal form, their returns standing behind them."""
        out: list[Loose] = []
        for s in body:
            match s:
                case For() | While():
                    out += self.loop(s)
                case If():
                    out.append(branches(s, self.expanded(s.body), self.expanded(s.orelse)))
                case _:
                    out.append(s)
        return out

    def loop(self, s: For | While) -> list[Loose]:
        """The loop, and what must stand before and behind it for the returns inside."""
        if not returns(s.body):
            return [with_body(s, self.block(s.body))]
        if self.number:  # an inner loop: the loop around it is left as well
            new = with_body(s, self.block(s.body))
            if endless(s):
                return [new, Break()]
            return [new, If(compare("numpy.not_equal", self.number, 0), (Break(),), ())]
        self.number, self.pending = self.fresh("exit_at"), []
        new = with_body(s, self.block(s.body))
        number, pending = self.number, self.pending
        self.number, self.pending = "", []
        if len(pending) == 1:  # a flag says it as well
            flag = self.fresh("returned")
            new = with_body(new, flag_for(new.body, number, flag))
            last: Loose = pending[0] if endless(s) else branches(If(Var(flag), ()), [pending[0]], [])
            return [Assign(flag, Const(False), s.origin), new, last]
        behind: list[Loose] = [
            branches(If(compare("numpy.equal", number, j), ()), [leave], []) for j, leave in enumerate(pending, 1)
        ]
        if endless(s):  # only a return leaves `while True`, so the last needs no test
            behind[-1] = pending[-1]
        return [Assign(number, Const(0), s.origin), new, *behind]

    def settled(self, body: list[Loose]) -> Block:
        out: list[Stmt] = []
        for i, s in enumerate(body):
            match s:
                case Leave():
                    if not self.number:
                        return (*out, *self.block(s.pieces))  # a loop among them, of a `finally`, has exits, too
                    if not any(are_alike(s, k) for k in self.pending):
                        self.pending.append(s)
                    j = 1 + next(n for n, k in enumerate(self.pending) if are_alike(s, k))
                    return (*out, Assign(self.number, Const(j), s.origin), Break(s.origin))
                case Continue():
                    return tuple(out)
                case If() if leaves([s]):
                    return (*out, *self.branch(s, body[i + 1 :]))
                case If():
                    out.append(self.rebuilt(s, [*s.body], [*s.orelse]))
                case _:
                    out.append(s)
            if ends([s]) == 0:
                break
        return tuple(out)

    def rebuilt(self, s: If, body: list[Loose], orelse: list[Loose]) -> If:
        new, other = self.settled(body), self.settled(orelse)
        if not new and other:
            return If(negate(s.test), other, (), s.origin)
        return If(s.test, new, other, s.origin)

    def branch(self, s: If, rest: list[Loose]) -> Block:
        """An If with exits inside, followed by `rest`."""
        body: list[Loose] = [*s.body]
        orelse: list[Loose] = [*s.orelse]
        falling = (ends(body), ends(orelse))
        if not rest or falling == (0, 0):
            return (self.rebuilt(s, body, orelse),)
        if falling[0] == 0:
            return (self.rebuilt(s, body, orelse + rest),)
        if falling[1] == 0:
            return (self.rebuilt(s, body + rest, orelse),)
        if is_small(rest):
            return (self.rebuilt(s, body + copy(rest), orelse + copy(rest)),)
        return self.settled(self.flagged(s) + rest)

    def flagged(self, s: If) -> list[Loose]:
        """The If with its exits taken out of it: they set a flag that is tested behind it."""
        kinds: list[Loose] = []  # one of each exit
        for e in exits([s]):
            if not any(are_alike(e, k) for k in kinds):
                kinds.append(e)
        single = len(kinds) == 1
        word = {Continue: "skip", Break: "stop"}.get(type(kinds[0]), "done") if single else "exit_at"
        flag = self.fresh(word)

        def code(e: Loose) -> Const:
            if single:
                return Const(True)
            return Const(1 + next(n for n, k in enumerate(kinds) if are_alike(e, k)))

        def unset() -> Expr:
            return negate(Var(flag)) if single else compare("numpy.equal", flag, 0)

        def out(block: list[Loose]) -> list[Loose]:
            new: list[Loose] = []
            for i, b in enumerate(block):
                rest = block[i + 1 :]
                match b:
                    case Leave() | Continue() | Break():
                        return [*new, Assign(flag, code(b), b.origin)]
                    case If() if leaves([b]):
                        body: list[Loose] = [*b.body]
                        orelse: list[Loose] = [*b.orelse]
                        if ends(body) == 0:
                            return [*new, branches(b, out(body), out(orelse + rest))]
                        if ends(orelse) == 0:
                            return [*new, branches(b, out(body + rest), out(orelse))]
                        new.append(branches(b, out(body), out(orelse)))
                        if rest:
                            new.append(branches(If(unset(), ()), out(rest), []))
                        return new
                    case _:
                        new.append(b)
            return new

        start = Assign(flag, Const(False) if single else Const(0), s.origin)
        tests: list[Expr] = [Var(flag) if single else compare("numpy.equal", flag, j + 1) for j in range(len(kinds))]
        behind = [branches(If(test, ()), [k], []) for test, k in zip(tests, kinds, strict=True)]
        return [start, *out([s]), *behind]


def apart(body: Iterable[Loose], fresh: Callable[[str], str]) -> tuple[list[Loose], list[Loose], list[Loose]]:
    """A block with its exits taken out of it: what stands before it, the block that is run to its end, and the exits,
    each behind a test of a flag."""
    state = Exits(fresh)
    block, behind = state.expanded(body), list[Loose]()
    while block and behind_a_loop(block[-1]):
        behind.insert(0, block.pop())
    if not leaves(block):
        return [], block, behind
    start, whole, *more = state.flagged(branches(If(Const(True), ()), block, []))
    assert isinstance(whole, If)
    if ends(block) == 0:
        *more, final = more
        more += final.body if isinstance(final, If) else [final]
    return [start], [*whole.body], [*more, *behind]


def behind_a_loop(s: Loose) -> bool:
    """A return behind a loop that has been left for it, as `Exits.loop` writes it."""
    match s:
        case If(test=Var() | Op(fn="numpy.equal", args=(Var(), Const(int()))), body=(Leave(),), orelse=()):
            return s.origin is None
    return False


def branches(s: If, body: list[Loose], orelse: list[Loose]) -> If:
    """The If with other branches, which may hold exits for now."""
    return If(s.test, cast(Block, tuple(body)), cast(Block, tuple(orelse)), s.origin)


def with_body(s: For | While, body: Block) -> For | While:
    if isinstance(s, For):
        return For(s.target, s.iterable, body, s.origin)
    return While(s.test, body, s.origin)


def flag_for(block: Block, number: str, flag: str) -> Block:
    """A block in which the number of the only exit is a flag."""
    out: list[Stmt] = []
    for s in block:
        match s:
            case Assign(target=target) if target == number:
                s = Assign(flag, Const(True), s.origin)
            case If():
                test = Var(flag) if s.test == compare("numpy.not_equal", number, 0) else s.test
                s = If(test, flag_for(s.body, number, flag), flag_for(s.orelse, number, flag), s.origin)
            case For() | While():
                s = with_body(s, flag_for(s.body, number, flag))
        out.append(s)
    return tuple(out)


def compare(fn: str, name: str, value: int) -> Op:
    return Op(fn, (Var(name), Const(value)), form=Form.OPERATOR)


def are_alike(a: Loose, b: Loose) -> bool:
    """Whether two exits are one: breaks, continues, and returns of one value that is computed before."""
    match a, b:
        case Leave(pieces=(Return(value=x),)), Leave(pieces=(Return(value=y),)):
            return a is b or (is_atom(x) and x == y)
        case Leave(), Leave():
            return a is b
    return type(a) is type(b)


def exits(block: Iterable[Loose]) -> list[Loose]:
    """The exits in a block that are not inside a loop of it."""
    found: list[Loose] = []
    for s in block:
        match s:
            case Leave() | Continue() | Break():
                found.append(s)
            case If():
                found += exits(s.body) + exits(s.orelse)
    return found


def is_small(rest: list[Loose]) -> bool:
    """A rest of one exit without work, which may stand in two branches."""
    match rest:
        case [Continue() | Break()]:
            return True
        case [Leave(pieces=(Return(value=value),))]:
            return is_atom(value)
    return False


def copy(rest: list[Loose]) -> list[Loose]:
    """Fresh statements (statements are compared by identity)."""
    match rest:
        case [Break(origin=origin)]:
            return [Break(origin)]
        case [Leave(pieces=(Return(value=value, origin=origin),))]:
            return [Leave((Return(value, origin),), origin)]
    return list(rest)
