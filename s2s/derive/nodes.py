"""The program while it is being reversed: each node holds a primal statement's forward text and its adjoint statements.

`recorded` decides on these nodes how primal values come back; `assemble` reads off both sweeps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from s2s.analysis.loops import Header
from s2s.ir import Expr, Index, Origin, Stmt


@dataclass(eq=False)
class Recording:
    """What must happen around a node so that the reverse sweep finds its values.

    saves: before the statement runs, in the forward sweep (name -> list or variable it is saved in)
    restores: at its mirror
    recomputed: definitions repeated at its mirror
    undone: names that are exchanged are exchanged back there; a list in a slot loses the item that it got
    """

    saves: list[str] = field(default_factory=list)
    recomputed: list[tuple[str, Expr]] = field(default_factory=list)
    undone: bool = False


@dataclass(eq=False)
class Group:
    """One user statement: its forward text, and its adjoint group.

    The adjoint statements in `pre` read the state after the statement, those in `post` the state before it. A store
    kills the elements of its buffer (`*y`) at a place; a fresh binding makes a buffer whose elements are its own.
    """

    forward: list[Stmt]
    kills: tuple[str, ...] = ()
    pre: list[Stmt] = field(default_factory=list)
    post: list[Stmt] = field(default_factory=list)
    origin: Origin | None = None
    header: bool = False  # an item of a loop over a sequence: printed as part of the loop's header
    places: dict[str, Index] = field(default_factory=dict)  # what a store writes, by the elements that it kills
    forced: tuple[str, ...] = ()  # what is saved in any case
    before: Loop | None = None  # without forward text: it stands before this loop
    shrinks: bool = False  # what it kills are the last items of lists, which lose them
    lengthens: bool = False  # a store by which the list in a slot gets one item more: undone, it loses that again
    shortens: bool = False  # a store by which the list in a slot loses its last item, which alone is saved
    births: tuple[str, ...] = ()
    companions: list[Stmt] = field(default_factory=list)  # bind the adjoints of buffers beside the buffers
    moves: dict[str, str] = field(default_factory=dict)  # of an exchange: which name has each name's value behind it
    undo: list[Stmt] = field(default_factory=list)  # exchange them back, or shorten the list again
    rec: Recording = field(default_factory=Recording)

    @property
    def counts(self) -> bool:
        """Whether it adds a step to a number, `i += 1`, which the reverse sweep takes back."""
        return any(k == of for k, of in self.moves.items())


@dataclass(eq=False)
class Branch:
    """An if. `inits` stand before its reverse; `ends` at the end of each branch of the reverse."""

    test: Expr
    body: list[Node]
    orelse: list[Node]
    origin: Origin | None = None
    inits: list[Stmt] = field(default_factory=list)
    body_end: list[Stmt] = field(default_factory=list)
    orelse_end: list[Stmt] = field(default_factory=list)
    has_reverse: bool = False
    falling: int | None = None  # 0 or 1, the branch that is reversed: the other raises, or leaves the loop (`idle`)
    rec: Recording = field(default_factory=Recording)


@dataclass(eq=False)
class Loop:
    """A for or while loop. `counter` counts started (where `idle`: completed) iterations."""

    kind: str  # "for" or "while"
    target: Expr | None
    iterable: Expr  # the test of a while
    body: list[Node]
    origin: Origin | None = None
    inits: list[Stmt] = field(default_factory=list)
    ends: list[Stmt] = field(default_factory=list)  # at the end of the reverse body
    has_reverse: bool = False
    counter: str = ""
    header: Header | None = None  # how the user wrote a loop over a sequence
    idle: bool = False  # an iteration that breaks contributes nothing: only completed ones are reversed
    exits: bool = False  # it has a break
    wide: list[str] = field(default_factory=list)  # what it adds up, where the adjoint may have more axes than the sum
    rec: Recording = field(default_factory=Recording)
    at_end: list[str] = field(default_factory=list)  # locals saved at the end of each iteration
    locals: set[str] = field(default_factory=set)


@dataclass(eq=False)
class Leaf:
    """break, return, and statements that only the forward sweep runs."""

    forward: list[Stmt]
    kind: str = "inert"  # inert, break, return
    post: list[Stmt] = field(default_factory=list)
    origin: Origin | None = None
    rec: Recording = field(default_factory=Recording)


Node = Group | Branch | Loop | Leaf


def all_nodes(nodes: list[Node]) -> list[Node]:
    """The nodes and those inside them, in the order of the text."""
    out: list[Node] = []
    stack = nodes[::-1]
    while stack:
        n = stack.pop()
        out.append(n)
        match n:
            case Branch():
                stack += n.orelse[::-1]
                stack += n.body[::-1]
            case Loop():
                stack += n.body[::-1]
    return out
