"""The checker between stages: what each stage promises to the next is tested on the program at hand.

After normalise, on the IR:

    exits        (I1) no statement stands behind an exit in its block
    normal_form  operands are atoms, each temporary is bound once and named like nothing of the user's

After the reverse derivation, on both sweeps of a function. They are interpreted on *versions* instead of numbers, every
loop 0, 1 and 2 times and every branch both ways as far as `PATHS` reaches; the reverse sweep follows the decisions of
the forward sweep:

    (I2) the temporaries of a group are read inside it only, and are never an adjoint of a variable
    (I3) each read of the primal by adjoint code sees the version it was derived for; tests and loop headers are
         evaluated again to the same; nothing is saved or restored that is not bound
    (I4) each path appends and pops each save list equally often
    (I5) an adjoint is set, for the version it belongs to, before it is read or accumulated
    (I6) no value is read after its buffer was updated in place through another name, no caller's buffer is updated or
         stored into, and results share memory with nothing

A version is a value number: two bindings that surely hold equal values have one version, so that a value which is
computed again counts as the value itself. A buffer that is stored into has contents beside: each store moves them on,
and a restore brings back those before it, if it undoes the last store. A broken invariant is a bug in s2s: S901, with
the statement.
(Value numbers: Alpern, Wegman and Zadeck, POPL 1988.)

The checker runs where the environment holds S2S_CHECK=1; the tests set it.
"""

from __future__ import annotations

import bisect
import itertools
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from s2s import ir, rules
from s2s.analysis import aliases, diagonals
from s2s.analysis.aliases import (
    CONTAINERS,
    METADATA,
    elements,
    holds_numbers,
    is_copying_key,
    is_part_of_numbers,
    is_taken_number,
    is_unwritten_item,
    measured,
    measured_at,
    sharing,
    values_read,
)
from s2s.analysis.loops import forwards
from s2s.derive.distinct import each_once
from s2s.derive.independents import are_apart
from s2s.derive.joint import Joint
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node
from s2s.derive.pull import aliased, calls_helper, whole_of
from s2s.derive.survey import raises
from s2s.errors import Diagnostic, S2SError
from s2s.frozen import replace
from s2s.ir import Block, Const, Expr, Index, Op, Origin, Stmt, Var
from s2s.rules import effects

PATHS = 48  # paths in the order of their decisions, and as many at random where these are not all
WORK = 15_000  # statements: with long functions, fewer paths
TRIPS = (2, 1, 0)
BAR = "%_bar"  # how derivation writes the adjoint of a name


def enabled() -> bool:
    return os.environ.get("S2S_CHECK") == "1"


def broken(invariant: str, message: str, origin: Origin | None = None) -> NoReturn:
    """Raises S901 for a promise that a stage did not keep."""
    where = f" (at: {origin.text})" if origin else ""
    raise S2SError(Diagnostic("S901", f"{invariant}: {message}{where}", origin.span if origin else None, "here"))


# ---------------------------------------------------------------- after normalise


def normalised(f: ir.Function, text: str) -> None:
    """I1, A-normal form, and I2 for the names that normalise gave; `text` is that of the user's functions."""
    exits(f)
    normal_form(f)
    temporaries(f, set(re.findall(r"(?<![\w.])[^\W\d]\w*", text)))  # no attributes: `np.sort`


def exits(f: ir.Function) -> None:
    """I1: an exit ends its block, and so does an if that leaves through a branch."""

    def visit(block: Block, in_loop: bool) -> bool:
        """Whether control never reaches the end of the block."""
        left: Stmt | None = None
        for s in block:
            if isinstance(s, ir.Comment):
                continue
            if left is not None:
                broken("I1", f"`{_text(s)}` stands behind an exit", _origin(s))
            match s:
                case ir.Break() | ir.Return():
                    if isinstance(s, ir.Break) != in_loop:
                        broken("I1", "a break outside of a loop" if not in_loop else "a return inside a loop", s.origin)
                    left = s
                case ir.Inert(keyword="raise"):
                    left = s
                case ir.If():
                    a, b = visit(s.body, in_loop), visit(s.orelse, in_loop)
                    if a and b:
                        left = s
                    elif (_leaves(s.body) or _leaves(s.orelse)) and s is not block[-1]:
                        broken("I1", "statements follow an if that leaves through a branch", _origin(s))
                case ir.For() | ir.While():
                    visit(s.body, True)
                    if s is block[-1] and raises((s,)):
                        left = s
        return left is not None

    if not visit(f.body, False) and any(isinstance(s, ir.Return) for s in ir.statements(f.body)):
        broken("I1", f"a path through `{f.name}` does not return", f.origin)


def _leaves(block: Block) -> bool:
    """Whether a break of this loop, or a return, stands somewhere in the block."""
    for s in block:
        if isinstance(s, ir.Break | ir.Return):
            return True
        if isinstance(s, ir.If) and (_leaves(s.body) or _leaves(s.orelse)):
            return True
    return False


def normal_form(f: ir.Function) -> None:
    """Operands that can carry a derivative are atoms: no operation stands inside another one's operands."""
    for s in ir.statements(f.body):
        match s:
            case ir.Assign() | ir.Unpack() | ir.Append():
                _check_value(s.value, s)
            case ir.Store():
                _check_target(s.target, s)
                _check_value(s.value, s)
            case ir.Augment():
                broken("A-normal form", f"`{_text(s)}` is no statement of a primal", s.origin)
            case _:
                pass


def _check_value(e: Expr, s: Stmt) -> None:
    if not isinstance(e, Op):
        return
    if e.fn == "operator.ifexp":
        for a in e.args[1:]:
            _check_value(a, s)
        return
    rule = rules.lookup(e.fn)
    if rule is None or rule.kind == "constant":
        return
    try:
        operands = rule.bind(e).operands
    except rules.RuleError:
        return  # refused later, if it carries a derivative
    for operand in operands:
        _check_operand(operand.expr, s)


# What the key of a store may compute: it is written again where the elements are saved, restored, and in their adjoint.
KEYS = frozenset(
    (
        ir.KEY,
        *(f"numpy.{n}" for n in ("add", "subtract", "multiply", "negative", "arange")),
        *(f"builtins.{n}" for n in ("len", "min")),
    )
)


def _check_target(target: Expr, s: Stmt) -> None:
    """A store writes to a name under subscripts, whose keys read no elements."""
    while isinstance(target, Index):
        for n in ir.walk(target.key):
            if isinstance(n, Index) or (isinstance(n, Op) and n.fn not in KEYS):
                broken(
                    "A-normal form", f"the key `{ir.Printer()(n)}` of `{_text(s)}` is no index arithmetic", _origin(s)
                )
        target = target.array
    if not isinstance(target, Var):
        broken("A-normal form", f"`{_text(s)}` stores into no name", _origin(s))


def _check_operand(e: Expr, s: Stmt) -> None:
    match e:
        case ir.Sequence():
            for item in e.items:
                _check_operand(item, s)
        case Op(fn=fn) if fn in aliases.READ_ONLY and getattr(s, "value", None) == diagonals.copied(e):
            pass
        case Op(fn=fn) if (rule := rules.lookup(fn)) is not None and rule.kind != "constant":
            broken("A-normal form", f"the operand `{ir.Printer()(e)}` of `{_text(s)}` is no atom", _origin(s))


def temporaries(f: ir.Function, user_names: set[str]) -> None:
    """I2: a name that normalise gave (its statement's text does not hold it) is bound once in its block's paths."""
    bound: dict[str, Stmt] = {}
    for s in ir.statements(f.body):
        for name in ir.binds(s):
            if name in user_names:
                continue
            other = bound.setdefault(name, s)
            if other is not s and _origin(other) is not _origin(s) and name.startswith("t") and name[1:].isdigit():
                broken("I2", f"the temporary `{name}` belongs to two statements", _origin(s))
            for v in user_names:
                if name in (f"{v}_bar", f"{v}_dot", f"{v}_saved"):
                    broken("I2", f"`{name}` is the name of a derivative of `{v}`", _origin(s))


def _origin(s: Stmt) -> Origin | None:
    return getattr(s, "origin", None)


def copied_parameter(e: Expr) -> str:
    """The parameter of which an expression makes a copy of the function's own, or of None."""
    match e:
        case Op(fn="operator.ifexp", args=(_, ir.NONE, of)):
            return copied_parameter(of)
        case Op(fn="numpy.copy" | "builtins.list" | "copy.deepcopy", args=(Var(name=name),)):
            return name
        case Op(
            fn="numpy.astype", args=(Var(name=name), ir.Attribute(name="dtype"))
        ):  # a seed, in the dtype of its array
            return name
        case ir.Comprehension(clauses=((_, Var(name=name), ()),)):
            return name
        case Op(fn="helper._added", args=(Op(fn="helper._zeros_like", args=(Var(name=zero),)), Var(name=name))):
            return name if name == zero else ""
    return ""


def functions_in(e: ir.Expr) -> set[str]:
    return {n.fn for n in ir.walk(e) if isinstance(n, Op)}


def _text(s: Stmt) -> str:
    return ir.print_block([s])[0].strip()


# ---------------------------------------------------------------- both sweeps


def sweeps(joint: Joint) -> None:
    """I2 to I6 on the paths through both sweeps. Raises S901.

    Not of functions in which lists become shorter: what such a list is, is followed only while it grows.
    """
    if any(isinstance(s, ir.Shrink) for s in ir.statements(joint.ctx.function.body)):
        return
    layout = Layout(joint)
    size = sum(1 for _ in ir.statements((*joint.forward, *joint.back)))
    for path in paths(min(PATHS, max(8, WORK // max(size, 1)))):
        Versions(layout, path).run()


Vector = tuple[int, ...]  # numbers of the iterations of the loops around, outermost first


class Layout:
    """Which node a statement of the assembled sweeps belongs to."""

    def __init__(self, joint: Joint) -> None:
        self.joint = joint
        self.owner: dict[int, tuple[Node, str]] = {}
        self.around: dict[int, tuple[Node, ...]] = {}  # what surrounds a node in the reverse text
        self.loops: dict[int, int] = {}  # the number of loops around a node
        self.returns: dict[int, Leaf] = {}  # by the test of the if, and the side: the return that ends a branch
        self.lists = {s.where for s in joint.sweeps.saves.values() if s.is_list}
        self.variables = {s.where for s in joint.sweeps.saves.values() if not s.is_list}
        self.saves = {s.where: s for s in joint.sweeps.saves.values()}
        self.kills: dict[str, int] = {}
        aliases = joint.ctx.aliases
        # adjoints that the forward sweep binds beside the names of the primal: they are saved and restored as those are
        self.shadows = {n + BAR for n, of in aliases.of.items() if of in aliases.dynamic} & {
            *(n for s in ir.statements(joint.forward) for n in bound_by(s)),
            *(n + BAR for n in joint.ctx.bars),  # given
        }
        self.visit(joint.nodes, (), 0)
        for s in [*joint.final]:
            self.owner[id(s)] = (START, "start")
        self.adjoints = {n for s in self.adjoint_statements() for n in bound_by(s)}
        for s in self.adjoint_statements():
            for name in {*bound_by(s)} & self.kills.keys():
                if name in self.shadows and not isinstance(s, ir.Assign):
                    continue
                broken("I2", f"adjoint code binds `{_shown(name)}`, a name of the primal", self.owner[id(s)][0].origin)
        self.values = self.primal_values()
        self.own = {
            *self.kills,
            *self.adjoints,
            *self.shadows,
            *self.variables,
            *self.lists,
            *joint.ctx.temps,
            joint.sweeps.value,
        }
        self.compound: dict[int, Node] = {}
        self.pair(joint.nodes, joint.forward)
        self.match(joint.back, ())
        self.popped = {
            n.args[0].name for n in self.calls(joint.back, "method.pop") if isinstance(n.args[0], Var)
        } & self.lists
        self.reads: dict[int, list[Read]] = {}
        self.effects: dict[int, list[Index]] = {}
        self.spelled: dict[int, Spelling] = {}  # by id of an expression
        self.spellings: dict[Expr, int] = {}
        self.trees: dict[int, Expr] = {}  # by id: without temporaries
        self.hold: list[Expr] = []  # what these ids are of
        self.reverses = {f"local.{w.name}": w for w in joint.ctx.calls.wanted.values() if w.mode == "rev"}

    def primal_values(self) -> list[Expr]:
        """What is returned beside the cotangents: the value, and final elements of parameters."""
        result = self.joint.result
        if not (isinstance(result, ir.Sequence) and len(result.items) == 2):
            return []
        leaves = list(_leaves_of([result.items[0]]))
        first = [e.args[0] if isinstance(e, Op) and e.fn == "numpy.copy" else e for e in leaves]
        primal = [e for e in first if isinstance(e, Var) and not e.name.endswith(BAR)]
        return leaves if len(first) == len(primal) else []

    def written(self, e: Expr) -> list[Index]:
        """The places that evaluating an expression of the primal writes by calling helpers."""
        if id(e) not in self.effects:
            ctx = self.joint.ctx
            found = [a for n in ir.walk(e) for a in ctx.written(n).values()]
            self.effects[id(e)] = [elements(a, ctx.facts) for a in found]
        return self.effects[id(e)]

    def spelling(self, e: Expr) -> Spelling:
        """What the text of an expression says: it is the same on all paths."""
        found = self.spelled.get(id(e))
        if found is None:
            self.hold.append(e)
            elements = values_read(e)
            counts = Counter(n.name for n in ir.walk(e) if isinstance(n, Var))
            parts = {n.array.name: n for n in ir.walk(e) if isinstance(n, Index) and isinstance(n.array, Var)}
            found = self.spelled[id(e)] = Spelling(
                self.spellings.setdefault(e, len(self.spellings)),
                tuple((n, n in elements, parts.get(n) if counts[n] == 1 else None) for n in sorted(ir.reads(e))),
                bool(effects.drawn(e)),
            )
        return found

    def tree(self, e: Expr) -> Expr:
        """An expression without the temporaries of normalise: the same object each time."""
        found = self.trees.get(id(e))
        if found is None:
            self.hold.append(e)
            found = self.trees[id(e)] = self.joint.ctx.tree(e)
        return found

    def visit(self, nodes: list[Node], around: tuple[Node, ...], loops: int) -> None:
        for n in nodes:
            self.around[id(n)] = around
            self.loops[id(n)] = loops
            match n:
                case Group():
                    self.place(n, forward=n.forward, pre=n.pre, post=n.post, companion=n.companions, undo=n.undo)
                    for k in n.kills:
                        self.kills[k] = self.kills.get(k, 0) + 1
                case Leaf():
                    self.place(n, forward=n.forward, post=n.post)
                case Branch():
                    self.place(n, inits=n.inits, side=[*n.body_end, *n.orelse_end])
                    inner = around if n.falling is not None else (*around, n)
                    self.visit(n.body, inner, loops)
                    self.visit(n.orelse, inner, loops)
                case Loop():
                    self.place(n, inits=n.inits, ends=n.ends)
                    self.visit(n.body, (*around, n), loops + 1)
                    if n.target is not None:
                        for k in ir.target_names(n.target):
                            self.kills[k] = self.kills.get(k, 0) + 1
                    if n.header is not None:
                        by_name = {g.kills[0]: g for g in n.body if isinstance(g, Group) and g.header}
                        for item in n.header.items:
                            if item.target in by_name:
                                self.owner[id(item)] = (by_name[item.target], "forward")

    def place(self, n: Node, **places: list[Stmt]) -> None:
        for place, statements in places.items():
            for s in ir.statements(statements):
                self.owner[id(s)] = (n, place)

    def adjoint_statements(self) -> list[Stmt]:
        back = [
            s
            for s in ir.statements(tuple(self.joint.back))
            if self.owner.get(id(s), (None, ""))[1] not in ("", "forward", "undo")
        ]
        return [*back, *self.joint.final]

    def calls(self, block: list[Stmt], fn: str) -> Iterator[Op]:
        for s in ir.statements(tuple(block)):
            for e in ir.expressions(s):
                for n in ir.walk(e):
                    if isinstance(n, Op) and n.fn == fn:
                        yield n

    def pair(self, nodes: list[Node], block: list[Stmt]) -> None:
        """Compound nodes and the ifs and loops of the forward text stand in one order."""
        mine = [n for n in preorder(nodes) if isinstance(n, Branch | Loop)]
        texts = [s for s in ir.statements(tuple(block)) if isinstance(s, ir.If | ir.For | ir.While)]
        if len(mine) != len(texts) or any(
            isinstance(n, Branch) != isinstance(s, ir.If) for n, s in zip(mine, texts, strict=True)
        ):
            broken("I3", "the forward sweep has other branches and loops than the primal")
        self.compound.update((id(s), n) for n, s in zip(mine, texts, strict=True))

    def match(self, block: Iterable[Stmt], around: tuple[Node, ...]) -> None:
        """Finds the node of each if and loop of the reverse text: that around the adjoint statements in it."""
        for s in block:
            if is_guarded_restore(s):
                continue
            if isinstance(s, ir.If | ir.For) and self.adjoint_owner(s) is None:
                node = self.mirrored(s, around)
                if isinstance(node, Branch) != isinstance(s, ir.If):
                    broken("I3", f"`{_text(s)}` is not the mirror of its statement", node.origin)
                self.compound[id(s)] = node
                for inner in ir.blocks(s):
                    self.match(inner, (*around, node))
            elif (owner := self.adjoint_owner(s)) is not None:
                chain = self.chain(*owner)
                if len(chain) != len(around) or chain[-1:] != around[-1:]:
                    broken("I3", f"`{_text(s)}` stands outside of its block", owner[0].origin)

    def mirrored(self, s: ir.If | ir.For, around: tuple[Node, ...]) -> Node:
        for inner in ir.statements((s,)):
            owner = self.adjoint_owner(inner)
            if owner is not None:
                chain = self.chain(*owner)
                if len(chain) <= len(around) or chain[len(around) - 1 : len(around)] != around[-1:]:
                    broken("I3", f"`{_text(inner)}` stands outside of its block", owner[0].origin)
                return chain[len(around)]
        for node in preorder(self.joint.nodes):  # it holds restores only, or what is computed again
            if isinstance(node, Branch) and isinstance(s, ir.If) and node.test is s.test:
                return node
        for inner in ir.statements((s,)):
            chain = self.restored_in(inner)
            if len(chain) > len(around) and chain[: len(around)] == around:
                return chain[len(around)]
        for node in preorder(self.joint.nodes):  # it binds the items of its loop, and dies with them
            if isinstance(node, Loop) and isinstance(s, ir.For) and node.target == s.target:
                return node
        broken("I3", f"`{_text(s)}` of the reverse sweep is the mirror of no statement")

    def restored_in(self, s: Stmt) -> tuple[Node, ...]:
        """The branches and loops around a restore, or around what is computed again."""
        names = {n for e in ir.expressions(s) for n in ir.reads(e)}
        nodes = {id(n): n for n in preorder(self.joint.nodes)}
        for (key, _, place), save in self.joint.sweeps.saves.items():
            if save.where in names and key in nodes:
                node = nodes[key]
                inside = place == "end" or (
                    place in ("body", "orelse") and isinstance(node, Branch) and node.falling is None
                )
                return (*self.around[key], node) if inside else self.around[key]
        for node in nodes.values():
            if isinstance(s, ir.Assign) and (s.target, s.value) in node.rec.recomputed:
                return self.around[id(node)]
        return ()

    def adjoint_owner(self, s: Stmt) -> tuple[Node, str] | None:
        owner = self.owner.get(id(s))
        return None if owner is None or owner[1] == "forward" else owner

    def chain(self, node: Node, place: str) -> tuple[Node, ...]:
        inside = place == "ends" or (place == "side" and isinstance(node, Branch) and node.falling is None)
        return (*self.around[id(node)], node) if inside else self.around[id(node)]

    def read(self, s: Stmt) -> list[Read]:
        if id(s) not in self.reads:
            popped = {n.args[0].name for n in self.calls([s], "method.pop") if isinstance(n.args[0], Var)}
            shortened = popped & self.shadows
            self.reads[id(s)] = [r for r in reads_of(s) if r.name not in shortened]
        return self.reads[id(s)]


@dataclass(frozen=True, slots=True)
class Spelling:
    """A number for the text of an expression, and the names that it reads: with their elements or without, and which of
    their elements, where they are read in one place only. `drawn`: it gives another value each time."""

    number: int
    names: tuple[tuple[str, bool, Index | None], ...]
    drawn: bool


START = Leaf([], "start")


@dataclass(frozen=True, slots=True)
class Read:
    name: str
    after: bool
    item: bool = False  # an item of it that later appends leave alone: name[k]
    elements: bool = True  # not only its shape or type
    key: Expr | None = None  # the elements that are read: name[key]


def reads_of(s: Stmt) -> Iterator[Read]:
    """What an adjoint statement reads; names that `pop` shortens are no reads."""
    bound: set[str] = set()

    def shape_of(of: Var, keys: Iterable[Expr], item: bool = False) -> Iterator[Read]:
        if of.name not in bound:
            yield Read(of.name, of.after, item, elements=False)
        for key in keys:
            yield from visit(key)

    def visit(e: Expr) -> Iterator[Read]:
        match e:
            case Var():
                if e.name not in bound:
                    yield Read(e.name, e.after)
            case ir.Raw():
                yield from (Read(n, False) for n in sorted(e.names))
            case ir.Attribute(value=whole, name="shape" | "size" | "ndim" | "dtype") if found := measured(whole):
                yield from shape_of(*found)
            case Op(fn=fn, args=(Index(array=Var() as whole, key=Const() as at), *rest), options=()) if fn in METADATA:
                yield from shape_of(whole, rest, not _from_end(at))  # the shape, or the type, of an item
            case Op(fn=fn, args=args, options=options) if places := measured_at(fn):
                for i, c in enumerate(args):
                    found = measured(c) if i in places else None
                    yield from visit(c) if found is None else shape_of(*found)
                for _, c in options:
                    yield from visit(c)
            case Index(array=Var(name=name, after=after), key=key):
                if name not in bound:
                    yield Read(name, after, not _from_end(key), key=key)
                yield from visit(key)
            case ir.Comprehension(element=Const(), clauses=((_, Var(name=name, after=after), ()),)):
                if name not in bound:  # how many items it has
                    yield Read(name, after, elements=False)
            case ir.Comprehension():
                bound.update(n for t, _, _ in e.clauses for n in ir.target_names(t))
                for c in ir.children(e):
                    yield from visit(c)
            case Op(fn="method.pop", args=(Var(name=name),)) if not name.endswith(BAR):
                return
            case _:
                for c in ir.children(e):
                    yield from visit(c)

    for e in ir.expressions(s):
        if isinstance(s, ir.Store) and e is s.target:
            yield from visit(s.target.key)
            yield from visit(s.target.array)
            continue
        yield from visit(e)


def _from_end(key: Expr) -> bool:
    """Whether a key may count from the end, or reach to it."""
    for n in ir.walk(key):
        match n:
            case Const(value=int(v)) if v < 0:
                return True
            case Op(fn="numpy.negative") | ir.Slice():
                return True
    return False


def preorder(nodes: list[Node]) -> Iterator[Node]:
    for n in nodes:
        yield n
        match n:
            case Branch():
                yield from preorder(n.body)
                yield from preorder(n.orelse)
            case Loop():
                yield from preorder(n.body)


def bound_by(s: Stmt) -> tuple[str, ...]:
    """Names that a statement binds or updates."""
    match s:
        case ir.Augment(target=Index() as target) | ir.Store(target=target):
            name = _base(target)
            return (name,) if name else ()
    return ir.binds(s)


def _base(e: Expr) -> str:
    """The name under subscripts and views."""
    while isinstance(e, Index | ir.Attribute) or (isinstance(e, Op) and e.args):
        e = e.array if isinstance(e, Index) else e.value if isinstance(e, ir.Attribute) else e.args[0]
    return e.name if isinstance(e, Var) else ""


def _primal(e: Expr) -> Expr:
    """The part of the primal that a part of its adjoint has the structure of."""
    base = _base(e)
    return ir.substitute(e, {base: Var(base[: -len(BAR)])}) if base.endswith(BAR) else e


def _uncopied(e: Expr) -> set[str]:
    """The names of which a value holds more than the items: not those that `list(...)` copies."""
    if isinstance(e, Op) and e.fn == "builtins.list":
        return set()
    return {e.name} if isinstance(e, Var) else {n for part in ir.children(e) for n in _uncopied(part)}


# ---------------------------------------------------------------- paths


class PathEnds(Exception):
    """The path raises, or can't be taken."""


class Path:
    """The decisions of one run: those given, then the first option of each."""

    def __init__(self, given: list[int], rng: random.Random | None = None) -> None:
        self.given = given
        self.rng = rng
        self.taken: list[int] = []
        self.options: list[int] = []

    def choose(self, n: int) -> int:
        k = len(self.taken)
        choice = self.given[k] if k < len(self.given) else self.rng.randrange(n) if self.rng else 0
        self.taken.append(choice)
        self.options.append(n)
        return choice


def paths(limit: int) -> Iterator[Path]:
    """All paths, depth first, up to a limit; then as many at random, the same ones each time."""
    given: list[int] = []
    for _ in range(limit):
        path = Path(given)
        yield path
        taken, options = path.taken, path.options
        while taken and taken[-1] + 1 == options[len(taken) - 1]:
            taken = taken[:-1]
        if not taken:
            return
        given = [*taken[:-1], taken[-1] + 1]
    rng = random.Random(0)
    for _ in range(limit):
        yield Path([], rng)


# ---------------------------------------------------------------- the walk over both sweeps


class Env(Protocol):
    """What the names of the primal were bound to at some point of the forward sweep."""

    def get(self, name: str, /) -> Any: ...


class Machine:
    """Runs the forward sweep, then the reverse sweep, and tells its subclass where each statement stands.

    Before and after each statement of the primal the environment is kept, under the statement's node and the numbers of
    the iterations around it. `expected` finds the one that an adjoint statement was derived for.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.joint = layout.joint
        self.vector: Vector = ()
        self.kept: dict[tuple[int, Vector, str], Env] = {}
        self.trips: dict[tuple[int, Vector], int] = {}

    # what a subclass does with a statement
    def environment(self) -> Env:
        raise NotImplementedError

    def execute(self, s: Stmt, node: Node | None) -> None:
        """A statement of the forward sweep; without a node it saves something."""
        raise NotImplementedError

    def decide(self, test: Expr, node: Branch | Loop, trips: int = 0) -> bool:
        raise NotImplementedError

    def items(self, s: ir.For, node: Loop) -> list[Any]:
        raise NotImplementedError

    def bind(self, target: Expr, item: Any) -> None:
        raise NotImplementedError

    def count_from(self, node: Loop, k: int) -> None:
        """Binds the index of a loop over a sequence, which the text does not name."""
        raise NotImplementedError

    def leave(self, node: Leaf) -> None:
        """A return: what it returns is evaluated, whether the text still says so or not."""

    def decide_again(self, test: Expr, node: Branch) -> bool:
        raise NotImplementedError

    def items_again(self, s: ir.For, node: Loop) -> list[Any]:
        raise NotImplementedError

    def restore(self, s: Stmt) -> None:
        """A statement of the reverse sweep that brings a primal value back."""
        raise NotImplementedError

    def exchange_back(self, s: Stmt) -> None:
        """A statement of the reverse sweep that undoes an exchange of what names are bound to."""

    def adjoint(self, s: Stmt, node: Node, place: str) -> None:
        raise NotImplementedError

    def turn(self) -> None:
        """Between the two sweeps."""

    def finish(self) -> None:
        """After the last statement."""

    # ------------------------------------------------------------ the two sweeps
    def run(self) -> None:
        try:
            self.keep(START, "before")
            self.forward_block(tuple(self.joint.forward), self.joint.nodes)
        except PathEnds:
            return
        self.vector = ()
        self.turn()
        self.reverse_block(tuple(self.joint.back))
        for s in self.joint.final:
            self.adjoint(s, START, "start")
        self.finish()

    def keep(self, node: Node, when: str) -> None:
        self.kept[id(node), self.vector, when] = self.environment()

    def forward_block(self, block: Block, nodes: list[Node]) -> bool:
        """Runs a block; True where it leaves the loop."""
        for s in block:
            match s:
                case ir.Comment():
                    continue
                case ir.Break():
                    return True
                case ir.If():
                    if self.forward_if(s):
                        return True
                case ir.For() | ir.While():
                    self.forward_loop(s)
                case ir.Inert(keyword="raise"):
                    raise PathEnds
                case _:
                    node, place = self.layout.owner.get(id(s), (None, ""))
                    if node is None or place not in ("forward", "companion"):
                        self.execute(s, None)
                        continue
                    within = isinstance(node, Group) and node.moves and s is not node.forward[0]
                    if place == "forward" and not within:
                        self.keep(node, "before")
                    self.execute(s, node)
                    self.keep(node, "after")
        if nodes and isinstance(nodes[-1], Leaf) and nodes[-1].kind == "return":
            self.leave(nodes[-1])
            self.keep(nodes[-1], "before")
        return False

    def forward_if(self, s: ir.If) -> bool:
        node = self.layout.compound[id(s)]
        assert isinstance(node, Branch)
        self.keep(node, "before")
        chosen = self.decide(s.test, node)
        left = self.forward_block(s.body if chosen else s.orelse, node.body if chosen else node.orelse)
        self.keep(node, "after")
        return left

    def forward_loop(self, s: ir.For | ir.While) -> None:
        node = self.layout.compound[id(s)]
        assert isinstance(node, Loop)
        self.keep(node, "before")
        outer = self.vector
        started = completed = 0
        items = self.items(s, node) if isinstance(s, ir.For) else None
        while (
            self.decide(s.test, node, started)
            if isinstance(s, ir.While)
            else items is not None and started < len(items)
        ):
            self.vector = (*outer, started)
            if isinstance(s, ir.For) and items is not None:
                self.enter(s, node, items[started], started)
            else:
                self.keep(node, "head")
            started += 1
            left = self.forward_block(s.body, node.body)
            self.vector = outer
            if left:
                break
            completed += 1
        self.trips[id(node), outer] = completed if node.idle else started
        self.keep(node, "after")

    def enter(self, s: ir.For, node: Loop, item: Any, k: int) -> None:
        """Binds the target of a loop; where the user's header stands, that binds the items at the head of the body."""
        if node.header is None or s.target is not node.header.target:
            self.bind(s.target, item)
            self.keep(node, "head")
            return
        self.count_from(node, k)
        self.keep(node, "head")
        for n in node.body:
            if isinstance(n, Group) and n.header:
                self.keep(n, "before")
                for piece in n.forward:
                    self.execute(piece, n)
                self.keep(n, "after")

    def reverse_block(self, block: Block) -> None:
        for s in block:
            match s:
                case ir.Comment():
                    continue
                case ir.If(body=(inner, *_)) if is_guarded_restore(s):
                    self.restore(inner)
                case ir.If() if self.layout.adjoint_owner(s) is None:
                    node = self.layout.compound[id(s)]
                    assert isinstance(node, Branch)
                    self.reverse_block(s.body if self.decide_again(s.test, node) else s.orelse)
                case ir.For() if self.layout.adjoint_owner(s) is None:
                    self.reverse_loop(s)
                case _:
                    node_, place = self.layout.owner.get(id(s), (None, ""))
                    if node_ is None:
                        self.restore(s)
                    elif place == "undo":
                        self.exchange_back(s)
                    else:
                        self.adjoint(s, node_, place)

    def reverse_loop(self, s: ir.For) -> None:
        node = self.layout.compound[id(s)]
        assert isinstance(node, Loop)
        outer = self.vector
        if (id(node), outer) not in self.trips:
            broken("I3", "a loop is reversed that did not run", node.origin)
        expected = self.trips[id(node), outer]
        items = self.items_again(s, node)
        if len(items) != expected:
            broken("I3", f"{len(items)} iterations are reversed where {expected} were run", node.origin)
        for j, item in enumerate(items):
            self.vector = (*outer, expected - 1 - j)
            self.bind(s.target, item)
            self.reverse_block(s.body)
        self.vector = outer

    def expected(self, node: Node, place: str, after: bool) -> Env:
        """The environment that a read in adjoint code was derived for."""
        if node is START:
            return self.kept[id(START), (), "before"]
        vector = self.vector[: self.layout.loops[id(node)]]
        when = "before"
        match node:
            case Group(before=Loop() as loop):
                node = loop
            case Group():
                when = "after" if after else "before"
            case Branch() | Loop() if place == "inits":
                when = "after"
            case Loop() if place == "ends":
                vector, when = self.vector[: self.layout.loops[id(node)] + 1], "head"
        env = self.kept.get((id(node), vector, when))
        if env is None:
            broken("I3", "the adjoint of a statement runs that did not run", node.origin)
        return env


def is_guarded_restore(s: Stmt) -> bool:
    """Whether elements are restored unless there are none: `if w is not None: w[...] = w_saved`."""
    match s:
        case ir.If(
            test=Op(fn="operator.is_not", args=(Var() as array, ir.NONE)), body=(ir.Store(target=target, origin=None),)
        ):
            return target == Index(array, ir.ELLIPSIS)
    return False


# ---------------------------------------------------------------- versions

UNKNOWN = object()


@dataclass(slots=True)
class Cell:
    """What a name is bound to: its version, the binding it stems from, and the buffers that it may be a view of."""

    number: int
    binding: int
    roots: tuple[tuple[int, int], ...] = ()  # (buffer, number of updates that this name has seen)
    constant: Any = UNKNOWN
    items: tuple[int, ...] | None = None  # versions of the items of a list that the function makes
    container: int | None = None  # the buffer of a list's slots
    owner: tuple[int, Vector] | None = None  # of a temporary: its group

    @property
    def buffers(self) -> tuple[int, ...]:
        """Where the elements are that the name sees."""
        held = tuple(b for b, _ in self.roots)
        return held if self.container is None else (self.container, *held)


BORN = -1  # the contents of a buffer into which nothing has been stored


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a buffer: its number, those of what it is a part of, and of all that it covers."""

    number: int
    inside: frozenset[int]
    whole: bool = False  # all elements of the buffer

    def covers(self, other: Place) -> bool:
        return self.number in other.inside


def wider_places(place: Index) -> Iterator[Index]:
    """The parts of an array that a part by several subscripts surely lies in: `C[i]` and `C[:, j]` of `C[i, j]`."""
    every = ir.Slice(None, None)
    keys = ir.key_items(place.key)
    if len(keys) > 3:
        return
    for kept in itertools.product((True, False), repeat=len(keys)):
        items = tuple(k if keep else every for k, keep in zip(keys, kept, strict=True))
        while len(items) > 1 and items[-1] == every:
            yield replace(place, key=items[0] if len(items) == 1 else ir.Sequence(items))
            items = items[:-1]
        if items != keys:
            yield replace(place, key=items[0] if len(items) == 1 else ir.Sequence(items))


@dataclass(frozen=True, slots=True)
class Part:
    """Elements that were saved: a place, and the contents of its buffers at that moment."""

    place: Place
    contents: dict[int, int]
    live: bool  # not a copy: later stores change what was saved


Subscripts = tuple[int | None, ...]  # along the first axes; None where it is not known, or no number


@dataclass(frozen=True, slots=True)
class Stored:
    """One store: the contents before it, and what was written where."""

    before: int
    place: Place
    value: int
    key: Subscripts

    def misses(self, key: Subscripts) -> bool:
        return any(a is not None and b is not None and a != b for a, b in zip(self.key, key, strict=False))


FOLDED: dict[str, Callable[..., Any]] = {
    "numpy.equal": lambda a, b: a == b,
    "numpy.not_equal": lambda a, b: a != b,
    "numpy.less": lambda a, b: a < b,
    "numpy.less_equal": lambda a, b: a <= b,
    "numpy.greater": lambda a, b: a > b,
    "numpy.greater_equal": lambda a, b: a >= b,
    "numpy.add": lambda a, b: a + b,
    "numpy.subtract": lambda a, b: a - b,
    "numpy.multiply": lambda a, b: a * b,
    "operator.not": lambda a: not a,
    "operator.is": lambda a, b: a is b,
    "operator.is_not": lambda a, b: a is not b,
}


class Bindings(dict[str, Cell]):
    """The names that are bound, and what they were bound to at each moment that was kept."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = 0
        self.times: dict[str, list[int]] = {}
        self.cells: dict[str, list[Cell]] = {}

    def __setitem__(self, name: str, cell: Cell) -> None:
        super().__setitem__(name, cell)
        self.times.setdefault(name, []).append(self.clock)
        self.cells.setdefault(name, []).append(cell)

    def now(self) -> Moment:
        self.clock += 1
        return Moment(self, self.clock)


@dataclass(frozen=True, slots=True)
class Moment:
    """The environment before all bindings from `clock` on."""

    bindings: Bindings
    clock: int

    def get(self, name: str) -> Cell | None:
        k = bisect.bisect_left(self.bindings.times.get(name, ()), self.clock)
        return self.bindings.cells[name][k - 1] if k else None


class Versions(Machine):
    """Both sweeps on versions, along one path."""

    def __init__(self, layout: Layout, path: Path) -> None:
        super().__init__(layout)
        self.path = path
        self.ctx = layout.joint.ctx
        self.facts = self.ctx.facts
        self.env = Bindings()
        self.bars: dict[str, Cell] = {}
        self.entries: dict[str, Cell] = {}
        self.slots: dict[str, list[Any]] = {}  # of save lists: cells, or parts of buffers
        self.regions: dict[str, Part] = {}  # parts of buffers that are saved in variables
        self.rebound: set[int | None] = set()  # lists a slot of which was bound to another array
        self.mirror: dict[int, int] = {}  # by buffer of the primal: that of its adjoint, where it is bound beside
        self.stored = bool(self.ctx.aliases.of)
        # what a name was before a step that is taken back: by what it was then, and by what takes the step back
        self.stepped: dict[tuple[str, int, str, Expr], Cell] = {}
        self.undo: dict[int, Stored] = {}  # by the contents after a store
        self.mended: dict[int, tuple[int, tuple[Stored, ...]]] = {}  # as `undo`, by the contents after a restore that
        # puts back what was before some stores, but for those to elements that may be others
        self.flat: set[int] = set()  # buffers of arrays that are made here
        self.births: dict[int, int] = {}  # the version of the object whose elements a buffer holds
        self.given: dict[int, str] = {}  # cotangents that are changed in place for the caller
        self.spoiled: set[str] = set()  # adjoints that share memory with elements that have been restored
        self.rewritten: set[int] = set()  # buffers of which elements have been restored
        self.begun = False  # the first statement of the primal has run
        self.lost = ""  # what is wrong unless the next statement of the primal fails
        self.held: set[int | None] = set()  # the lists of the primal's result
        self.finals: list[tuple[str, tuple[tuple[int, int], ...]]] = []  # what is returned, and its contents
        self.returned: tuple[tuple[int, int], ...] = ()  # the buffers of the primal's result
        self.numbers: dict[object, int] = {}
        self.lengths: dict[int, Cell] = {}  # lists that have got or lost items, by the buffer of their slots
        self.bindings = 0
        self.buffers = 0
        self.updates: dict[int, int] = {}
        self.protected: dict[int, str] = {}
        self.parts: dict[tuple[int, str], int] = {}  # buffers of the entries of a structure
        self.apart: dict[int, int | None] = {}  # of lists whose items share nothing: what each is a part of
        self.decisions: dict[int, bool] = {}
        self.counts: dict[int, int] = {}
        self.iterated: dict[tuple[int, Vector], tuple[int, list[Cell]]] = {}
        self.passed: dict[int, int] = {}  # a binding whose value reads the name's binding before it
        self.constants: dict[int, Any] = {}
        f = self.ctx.function
        killed = layout.kills
        before = [
            n
            for n, k in self.ctx.definitions.items()
            if k > killed.get(n, 0) and n not in self.ctx.temps and not n.endswith(BAR)
        ]
        for name in [*f.names, *before]:  # bound by an argument, or by a statement before these sweeps
            self.env[name] = self.entry(name)
        self.arrays = {*self.ctx.bars}
        for name in self.ctx.bars:
            self.give(name + BAR, self.entry(name).binding)

    # ------------------------------------------------------------ numbers
    def number(self, key: object) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def fresh_buffer(self) -> int:
        self.buffers += 1
        self.updates[self.buffers] = 0
        return self.buffers

    def cell(self, number: int, **options: Any) -> Cell:
        self.bindings += 1
        return Cell(number, self.bindings, constant=self.constants.get(number, UNKNOWN), **options)

    def entry(self, name: str) -> Cell:
        """What a name is bound to before the first statement: an argument, a global, or set before these sweeps."""
        if name not in self.entries:
            buffer = self.fresh_buffer()
            self.protected[buffer] = name
            scalar = self.facts.is_scalar(Var(name))
            self.entries[name] = self.cell(self.number(("entry", name)), roots=() if scalar else ((buffer, 0),))
        return self.entries[name]

    def give(self, name: str, binding: int) -> None:
        """A cotangent that the caller gives: copied first, or changed in place where no final elements are returned."""
        buffer = self.fresh_buffer()
        (self.protected if self.layout.values else self.given)[buffer] = name
        cell = replace(self.cell(self.number(("given", name)), roots=((buffer, 0),)), binding=binding)
        if name in self.layout.shadows:
            self.env[name] = cell
        else:
            self.bars[name] = cell

    def look(self, name: str) -> Cell | None:
        """The binding of a name of the primal."""
        found = self.env.get(name)
        if found is None and name not in self.layout.own and not name.endswith(BAR):
            return self.entry(name)
        return found

    def constant(self, value: Any) -> int:
        number = self.number(("constant", type(value).__name__, repr(value)))
        self.constants[number] = value
        return number

    def content(self, buffer: int, env: Env | None = None) -> int:
        """The contents of a buffer now, or at another moment."""
        found = (self.env if env is None else env).get(f"*{buffer}")
        return BORN if found is None else found.number

    def move(self, buffer: int, content: int) -> None:
        self.env[f"*{buffer}"] = Cell(content, 0)

    def is_born(self, cell: Cell) -> bool:
        return not self.stored or all(self.content(b) == BORN for b in cell.buffers)

    def read(self, name: str, elements: bool = True, part: Index | None = None) -> int:
        """The version of a name's value, of a part of it, or of the object whatever its elements are. Raises
        KeyError."""
        found = self.look(name)
        if found is None:
            raise KeyError(name)
        if not elements or self.is_born(found):
            return found.number
        key = () if part is None or found.container is not None else self.subscripts(part)
        contents = [self.before_others(b, key) for b in found.buffers]
        if found.container is not None:  # arrays that have been put into it since, and are as they were made
            contents = [c for c in contents if c != BORN]
        elif all(c == BORN for c in contents):
            return found.number
        return self.number(("content", found.number, tuple(contents)))

    def before_others(self, buffer: int, key: Subscripts) -> int:
        """The contents of a buffer before the last stores that leave the elements of a key as they are."""
        now = self.content(buffer)
        while now in self.undo and self.undo[now].misses(key):
            now = self.undo[now].before
        return now

    def version(self, e: Expr, objects: frozenset[str] = ir.NO_NAMES) -> int:
        """The version of the value of an expression of the primal. Raises KeyError for a name that is not bound.

        objects: names that the value shares memory with, so that it is the object that counts, not its elements.
        """
        match e:
            case Const():
                return self.constant(e.value)
            case Var():
                return self.read(e.name, e.name not in objects)
            case Op(fn="operator.and" | "operator.or" as fn):
                return self.short_circuit(fn, e.args)
            case Op(fn=fn, args=args) if fn in FOLDED and len(args) <= 2:
                known = [self.constants.get(self.version(a), UNKNOWN) for a in args]
                if all(isinstance(k, int | float | bool | str | None) for k in known):
                    try:
                        return self.constant(FOLDED[fn](*known))
                    except TypeError:
                        pass
            case Op(fn="builtins.len", args=(Var() as v,)):
                found = self.look(v.name)
                if found is not None and found.items is not None:
                    return self.constant(len(found.items))
            case Index(array=Var() as v, key=key) if (list_ := self.look(v.name)) is not None and self.is_born(list_):
                found = self.look(v.name)
                k = (
                    self.constants.get(self.version(key), UNKNOWN)
                    if not isinstance(key, ir.Slice | ir.Sequence)
                    else UNKNOWN
                )
                if (
                    found is not None
                    and found.items is not None
                    and isinstance(k, int)
                    and -len(found.items) <= k < len(found.items)
                ):
                    return found.items[k]
        text = self.layout.spelling(e)
        drawn = self.bindings if text.drawn else 0
        read = (self.read(n, of and n not in objects, at) for n, of, at in text.names)
        return self.number((text.number, drawn, *read))

    def object(self, e: Expr) -> int:
        """The version of the object that an expression gives: of a view it is that of what it is a view of."""
        if not self.stored:
            return self.version(e)
        shared = {b for b, _ in self.roots(e)}
        names = [n for n in ir.reads(e) if (found := self.look(n)) is not None and shared & {*found.buffers}]
        return self.version(e, frozenset(names)) if shared else self.version(e)

    def short_circuit(self, fn: str, args: tuple[Expr, ...]) -> int:
        rest: list[int] = []
        for a in args:
            number = self.version(a)
            known = self.constants.get(number, UNKNOWN)
            if known is UNKNOWN:
                rest.append(number)
            elif bool(known) is (fn == "operator.or"):
                return number
        return self.number((fn, *rest)) if rest else self.constant(fn == "operator.and")

    # ------------------------------------------------------------ memory
    def roots(self, e: Expr) -> tuple[tuple[int, int], ...]:
        """The buffers that the value of an expression may share."""
        match e:
            case Var():
                found = self.bars.get(e.name) or self.look(e.name)
                return found.roots if found is not None else ()
            case Const():
                return ()
            case Index(key=Const(value=str() as key)):  # entries of what a helper returns share nothing
                return self.entry_of(e.array, key)
            case Index(array=Var() as v, key=Const(value=int() as k)) if k >= 0 and self.is_apart(v):
                return self.part_of(v, *["tail"] * k, "head")
            case Index(array=Var() as v, key=ir.Slice(start=Const(value=int() as k), stop=None, step=None)) if (
                k >= 0 and self.is_apart(v)
            ):
                return self.part_of(v, *["tail"] * k)
            case Index():
                if self.facts.is_scalar(_primal(e)) or (self.stored and is_copying_key(e.key, self.facts)):
                    return ()
                if self.stored and is_unwritten_item(_primal(e), self.facts):
                    return ()
                return () if is_part_of_numbers(e, self.facts) else self.roots(e.array)
            case ir.Attribute():
                return self.roots(e.value) if e.name in ("T", "real") else ()
            case Op(fn=fn) if self.stored and fn in rules.VIEWS and not sharing(e, self.facts):
                return ()
            case Op(fn=fn) if self.stored and fn.startswith("local.") and self.facts.calls is not None:
                return tuple(dict.fromkeys(r for a in self.facts.calls.returned(e, self.facts) for r in self.roots(a)))
            case ir.Sequence():
                copied = {e.items[k] for k in e.starred if holds_numbers(e.items[k], self.facts)}
                return tuple(dict.fromkeys(r for i in e.items if i not in copied for r in self.roots(i)))
            case ir.Dict():
                return tuple(dict.fromkeys(r for v in e.values for r in self.roots(v)))
            case ir.Comprehension(element=Op(fn="builtins.list", args=(inner,)), clauses=((row, over, ()),)) if (
                self.is_flat(inner) or (inner == row and self.facts.ndim(_primal(over)) == 2)
            ):
                return ()
            case ir.Comprehension() if is_new(e.element):
                return ()
            case ir.Comprehension():
                if rules.may_alias(e.element) or isinstance(e.element, ir.Sequence):
                    inside = [self.roots(x) for _, x, _ in e.clauses]
                    return tuple(dict.fromkeys(r for rs in [*inside, self.roots(e.element)] for r in rs))
                return ()
            case Op(fn="builtins.zip" | "builtins.enumerate" | "builtins.reversed" | "operator.ifexp" | "numpy.einsum"):
                return tuple(dict.fromkeys(r for a in e.args for r in self.roots(a))) if may_share(e) else ()
            case Op() if rules.may_alias(e):  # a view of its first argument
                return self.roots(e.args[0])
            case Op(fn="numpy.copy" | "method.copy", args=(first,)) if keys := self.facts.of(_primal(first)).keys:
                return self.roots(ir.Dict((), tuple(Index(first, Const(k)) for k in keys)))  # a copy has the arrays
            case Op(fn="method.pop", args=(Var() as v, *_)):  # an item that the list no longer holds
                return self.entry_of(v, f"pop {id(e)}")
        return ()

    def result_roots(self, e: Expr) -> tuple[tuple[int, int], ...]:
        """The buffers of the primal's result."""
        match e:
            case ir.Sequence(items=parts, starred=frozenset()) | ir.Dict(values=parts):
                return tuple(dict.fromkeys(r for part in parts for r in self.result_roots(part)))
            case Index() if self.facts.of(e).kind not in CONTAINERS:
                item = True
            case Op(fn="builtins.list" | "builtins.dict" | "numpy.copy" | "method.copy", args=(Index(),)):
                item = True
            case _:
                item = False
        names = {self.ctx.aliases.of[n] for n in ir.reads(e) if n in self.ctx.aliases.of}
        # what lies in slots that are bound anew stays what it is
        return () if item and self.joint.sweeps.are_slots(names) else self.roots(e)

    def is_flat(self, e: Expr) -> bool:
        elem = self.facts.of(e).elem
        return elem is not None and elem.kind not in CONTAINERS

    def held_roots(self, e: Expr) -> tuple[tuple[int, int], ...]:
        """The same, with buffers of their own for fresh items and choices."""
        match e:
            case ir.Sequence(items=parts) | Op(fn="operator.ifexp", args=(_, *parts)) if self.stored:
                return tuple(dict.fromkeys(r for p in parts for r in self.held_roots(p)))
            case _ if self.stored and self.facts.is_scalar(e):
                return ()
        return self.own_roots(e)

    def entry_of(self, e: Expr, key: str) -> tuple[tuple[int, int], ...]:
        """The buffers of an item that shares memory with no other item of its container."""
        out: list[tuple[int, int]] = []
        for b, n in self.roots(e):
            if b in self.protected:
                out.append((b, n))
                continue
            own = self.part(b, key)
            out.append((own, self.updates[own]))
        return tuple(out)

    def part(self, buffer: int, key: str) -> int:
        """The buffer of a part of what another one holds."""
        if (buffer, key) not in self.parts:
            self.parts[buffer, key] = self.fresh_buffer()
        return self.parts[buffer, key]

    def is_apart(self, e: Expr) -> bool:
        """Whether the items of a list share nothing: each is the head of a list, and the others are its tail."""
        return any(b in self.apart for b, _ in self.roots(e))

    def part_of(self, e: Expr, *keys: str) -> tuple[tuple[int, int], ...]:
        """The buffers of a part of such a list: `L[2:]` is the tail of its tail, and `L[2]` the head of that."""
        out = []
        for b, _ in self.roots(e):
            for key in keys:
                if b in self.apart:
                    own = self.part(b, key)
                    self.apart[own] = b
                    b = own
            out.append((b, self.updates[b]))
        return tuple(out)

    def family(self, buffer: int) -> Iterator[int]:
        """A buffer, those that it is a part of, and those that are parts of it."""
        above: int | None = buffer
        while above is not None:
            yield above
            above = self.apart.get(above)
        below = [buffer] if buffer in self.apart else []
        while below:
            b = below.pop()
            inner = [self.parts[b, key] for key in ("head", "tail") if (b, key) in self.parts]
            yield from inner
            below += inner

    def own_roots(self, e: Expr) -> tuple[tuple[int, int], ...]:
        """The buffers of a name bound to the value of e: those that it shares, or one of its own."""
        shared = self.roots(e)
        borrows = rules.may_alias(e) and not self.stored
        if shared or borrows or isinstance(e, Const):
            return shared
        buffer = self.fresh_buffer()
        listed = isinstance(e, Op) and e.fn == "helper._zeros_like" and self.facts.of(e).kind == "list"
        if listed or (isinstance(e, ir.Comprehension) and is_new(e.element)):
            self.apart[buffer] = None
        return ((buffer, 0),)

    def container(self, e: Expr) -> int | None:
        if isinstance(e, Var):
            found = self.bars.get(e.name)
            return found.container if found is not None else None
        return self.fresh_buffer()

    def update(self, name: str, e: Expr, node: Node) -> None:
        """An update in place through a name."""
        shadow = name in self.layout.shadows
        cell = self.env[name] if shadow else self.bars[name]
        for buffer, _ in cell.roots:
            if buffer in self.protected:
                broken(
                    "I6",
                    f"`{_shown(name)}` is updated in place and may be `{_shown(self.protected[buffer])}` of the caller",
                    node.origin,
                )
            other = self.given.get(buffer, name)
            if not shadow and (other != name or self.is_shadowed(buffer)):
                broken("I6", f"`{_shown(name)}` is updated in place and may be `{_shown(other)}`", node.origin)
            if cell.container is None or not shadow:  # which of its slots a list holds a buffer in is not followed
                for b in self.family(buffer):
                    self.updates[b] += 1
        if not shadow:
            self.bars[name] = replace(cell, roots=tuple((b, self.updates[b]) for b, _ in cell.roots))

    def is_shadowed(self, buffer: int) -> bool:
        """Whether a buffer is that of an adjoint which is bound beside the names of the primal."""
        cells = [self.env[n] for n in self.layout.shadows if n in self.env]
        return any(buffer in cell.buffers for cell in cells)

    def fresh(self, name: str, cell: Cell, node: Node) -> None:
        if name in self.spoiled or any(self.updates[buffer] != seen for buffer, seen in cell.roots):
            broken("I6", f"`{_shown(name)}` is read after its memory was updated through another name", node.origin)

    # ------------------------------------------------------------ contents
    def place(self, target: Index) -> tuple[Place, tuple[int, ...]]:
        """A part of a buffer, and the buffers that it may be a part of. Raises KeyError."""
        target = self.written_out(target)
        name = _base(target)
        cell = self.look(name)
        if cell is None:
            raise KeyError(name)
        held = cell.container if self.is_slot(target) and isinstance(target.array, Var) else None
        if self.is_slot(target):
            buffers = tuple(b for b in cell.buffers if self.may_have_slots(b)) if held is None else (held,)
        else:
            buffers = tuple(b for b, _ in self.roots(target.array))
        this = frozenset((name,))
        around: set[int] = set()
        inner: Expr = target
        while isinstance(inner, Index):
            around.add(self.spot(inner, name))
            if not self.is_slot(inner):
                around.add(self.version(inner.array, this))
                around |= {self.spot(wider, name) for wider in wider_places(inner)}
                around.add(self.spot(each_once(self.ctx, inner), name))  # by another text
            inner = inner.array
        whole = target.key == ir.ELLIPSIS or (target.key == ir.Slice(None, None) and self.is_slot(target))
        number = self.spot(target, name)
        if whole and isinstance(target.array, Var):
            number = cell.number
        born = self.births.get(buffers[0]) if len(buffers) == 1 else None
        own = number == born or held is not None  # a list that got items has another number since then, and no views
        return Place(number, frozenset(around), whole and own), buffers

    def spot(self, target: Index, name: str) -> int:
        """The version of the part that a text names of what `name` holds, whatever its elements are."""
        text = self.layout.spelling(target)
        read = [self.read(n, of and n != name, at) for n, of, at in text.names]
        for i, (n, _, at) in enumerate(text.names):
            while n == name and at is not None and not _from_end(at.key) and ("before", read[i]) in self.numbers:
                read[i] = self.numbers["before", read[i]]  # an item stays where it is when the list grows
        return self.number(("place", text.number, *read))

    def written_out(self, target: Index) -> Index:
        """The same part, spelled without the temporaries: one may have a line of its own in one of the sweeps only."""
        while (value := self.ctx.temps.get(name := _base(target))) is not None and rules.may_alias(value):
            value = self.layout.tree(value)
            if self.look(_base(value)) is None:
                break
            target = replace(target, array=ir.substitute(target.array, {name: value}))
        return target

    def may_have_slots(self, buffer: int) -> bool:
        """Whether a buffer may be a list or a dict: not that of an array that is made here, nor that of a parameter of
        which nothing says so."""
        if buffer in self.flat:
            return False
        owner = self.protected.get(buffer)
        kind = self.facts.of(Var(owner)).kind if owner in self.ctx.function.names else "list"
        return kind in ("list", "tuple", "dict")

    def is_slot(self, target: Index) -> bool:
        """Whether a part is a slot of a list, which holds an object, or elements of an array."""
        return self.facts.of(_primal(target.array)).kind in ("list", "tuple", "dict")

    def store(self, target: Index, value: int, origin: Origin | None) -> None:
        """A store of the primal moves the contents of the buffers on. Raises KeyError."""
        place, buffers = self.place(target)
        for b in buffers:
            if self.protected.get(b) in self.ctx.function.names:
                broken("I6", f"the caller's `{_shown(self.protected[b])}` is stored into", origin)
            before = self.content(b)
            after = self.number(("store", before, place.number, value))
            self.undo.setdefault(after, Stored(before, place, value, self.subscripts(target)))
            self.move(b, after)

    def subscripts(self, target: Index) -> Subscripts:
        """The numbers by which an array is subscripted, as far as they are known and count from its start."""
        found: list[int | None] = []
        cell = self.look(target.array.name) if isinstance(target.array, Var) else None
        if cell is None:
            return ()
        if cell.container is None and any(self.births.get(b) != cell.number for b in cell.buffers):
            return ()  # of a view, whose elements have other numbers in the buffer; a part of a list is another list
        for k in ir.key_items(target.key):
            if isinstance(k, ir.Slice):
                found.append(None)
                continue
            try:
                number = self.constants.get(self.version(self.layout.tree(k)), UNKNOWN)
            except KeyError:
                break
            if not isinstance(number, int) or isinstance(number, bool):
                if self.facts.of(k).kind != "int" or not self.facts.is_scalar(k):
                    break  # it may be any number of axes
                number = -1
            found.append(None if number < 0 else number)
        return tuple(found)

    def take(self, target: Index, value: Expr) -> Part:
        """What a save of elements holds."""
        try:
            place, buffers = self.place(target)
            self.version(value)
        except KeyError as unbound:  # the store itself fails, if it is the next statement of the primal
            name, key = _shown(_base(target)), _shown(unbound.args[0])
            self.lost = f"elements of `{name}` are saved where `{key}` may be unbound"
            return Part(Place(self.number(("lost", self.lost)), frozenset(), False), {}, False)
        live = not self.is_slot(target) and bool(self.roots(value))
        return Part(place, {b: self.content(b) for b in buffers}, live)

    def put_back(self, target: Index, saved: Any) -> None:
        """Elements are restored: the contents are those from before, if all stores since are inside the place."""
        try:
            place, buffers = self.place(target)
        except KeyError as unbound:
            name = _shown(unbound.args[0])
            broken("I3", f"elements of `{_shown(_base(target))}` are restored where `{name}` is not bound")
        for b in buffers:
            now = self.content(b)
            want = saved.contents.get(b) if isinstance(saved, Part) and not saved.live else None
            same = isinstance(saved, Part) and not saved.live and saved.place.number == place.number
            if same and want is None:
                continue  # a buffer that what is restored has never been a part of
            self.bindings += 1
            mixed = self.number(("mixed", self.bindings))
            if want is not None and same:
                if place.whole:
                    now = want
                key = self.subscripts(target)
                beside: list[Stored] = []  # stores that have not been undone, to other elements
                while now != want and (now in self.undo or now in self.mended):
                    if now in self.mended:
                        now, others = self.mended[now]
                        beside += [last for last in others if not place.covers(last.place)]
                        continue
                    last = self.undo[now]
                    if not place.covers(last.place):
                        beside.append(last)
                    now = last.before
                if now == want and all(last.misses(key) for last in beside):
                    for last in reversed(beside):
                        now = self.repeated(now, last)
                    mixed = now
                elif now == want:
                    self.mended[mixed] = (want, tuple(beside))
            self.move(b, mixed)
            self.rewritten.add(b)
            if isinstance(target.array, Var) or not self.is_slot(
                target
            ):  # another item lies in a slot of an inner list
                self.spoiled |= {n for n, cell in self.bars.items() if b in cell.buffers}

    def repeated(self, before: int, stored: Stored) -> int:
        """The contents after the same store into other contents."""
        after = self.number(("store", before, stored.place.number, stored.value))
        self.undo.setdefault(after, replace(stored, before=before))
        return after

    # ------------------------------------------------------------ the forward sweep
    def environment(self) -> Env:
        return self.env.now()

    def execute(self, s: Stmt, node: Node | None) -> None:
        if node is None:
            self.save(s)
            return
        self.begun = True
        counted = s.target if isinstance(s, ir.Assign) and isinstance(node, Group) and node.counts else ""
        before = self.env.get(counted)
        try:
            self.primal(s)
            if before is not None and isinstance(node, Group):
                for back in node.undo:
                    if isinstance(back, ir.Augment):
                        self.stepped[counted, self.env[counted].number, back.sign, back.value] = before
        except KeyError as unbound:
            if self.layout.owner[id(s)][1] == "companion":
                name = _shown(unbound.args[0])
                broken("I5", f"`{_shown(_text(s))}` reads `{name}`, which is not bound", node.origin)
            raise PathEnds from None  # the primal itself fails here
        self.has_failed(node.origin)

    def has_failed(self, origin: Origin | None) -> None:
        """A statement whose elements could not be saved has failed: the primal does not come here."""
        if self.lost:
            broken("I3", self.lost, origin)

    def primal(self, s: Stmt) -> None:
        match s:
            case ir.Assign():
                self.define(s.target, s.value)
                self.effects(ir.expressions(s), _origin(s))
            case ir.Store():
                value = self.version(s.value)
                if not s.new:
                    self.store(s.target, value, s.origin)
                self.hold_in_slot(s)
            case ir.Unpack(value=ir.Sequence(items=names), starred=-1) if all(isinstance(e, Var) for e in names):
                for t, of in {t: self.bound(t, e) for t, e in zip(s.targets, names, strict=True)}.items():
                    self.env[t] = of
            case ir.Unpack():
                number = self.object(s.value)
                before = {t: self.env.get(t) for t in s.targets}
                made = self.ctx.unpacked(s)
                anew = made != s.value and calls_helper(whole_of(made)) and not aliased(made, self.facts)
                shared = () if anew else self.roots(s.value)
                for i, t in enumerate(s.targets):
                    borrows = not anew and (rules.may_alias(s.value) or (self.stored and shared))
                    borrows = borrows and not is_taken_number(self.facts, t, s.value)
                    roots = shared if borrows else ((self.fresh_buffer(), 0),)
                    part = self.number(("part", number, i))
                    container = self.slots_of(t, part)
                    self.env[t] = self.cell(part, roots=roots, container=container)
                    for buffer, _ in () if borrows else roots:
                        self.births[buffer] = self.env[t].number
                    self.passes(t, before[t], s.value)
                self.effects(ir.expressions(s), _origin(s))
            case ir.Append():
                cell = self.look(s.array)
                if cell is None:
                    raise KeyError(s.array)
                value = self.object(s.value)
                items = None if cell.items is None else (*cell.items, value)
                held = self.held_roots(s.value) if self.stored else self.roots(s.value)
                roots = tuple(dict.fromkeys([*cell.roots, *held]))
                longer = replace(cell, number=self.number(("append", cell.number, value)), items=items, roots=roots)
                self.env[s.array] = replace(longer, constant=UNKNOWN)
                self.numbers.setdefault(("before", self.env[s.array].number), cell.number)
                self.resized(s.array)
            case ir.Augment(target=Var(name=name)):
                self.define(name, Op("numpy.add" if s.sign == "+" else "numpy.subtract", (Var(name), s.value)))
            case ir.Inert() | ir.Return():
                for e in ir.expressions(s):
                    self.version(e)
                self.effects(ir.expressions(s), _origin(s))
            case _:
                broken("I3", f"`{_text(s)}` is not expected in the forward sweep", _origin(s))

    def effects(self, evaluated: Iterable[Expr], origin: Origin | None) -> None:
        """The helpers that an evaluated expression calls write into their arguments."""
        for e in evaluated if self.stored else ():
            for target in self.layout.written(e):
                self.store(target, self.number(("effect", id(e), self.bindings)), origin)

    def hold_in_slot(self, s: ir.Store) -> None:
        """A list holds what is stored in a slot of it."""
        if self.is_slot(s.target):
            name = _base(s.target)
            cell = self.env[name]
            held = self.held_roots(s.value)
            if held:
                self.rebound.add(cell.container)
            self.env[name] = replace(cell, roots=tuple(dict.fromkeys([*cell.roots, *held])))

    def define(self, name: str, value: Expr) -> None:
        before = self.env.get(name)
        self.env[name] = self.bound(name, value)
        self.passes(name, before, value)

    def bound(self, name: str, value: Expr) -> Cell:
        """What a name is bound to by `name = value`. Raises KeyError."""
        scalar = self.facts.is_scalar(Var(name))
        number = self.version(value) if scalar else self.object(value)
        items: tuple[int, ...] | None = None
        container: int | None = None
        source = self.look(value.name) if isinstance(value, Var) else None
        if isinstance(value, ir.Sequence) and value.kind == "list" and not value.starred:
            items = tuple(map(self.object, value.items))
        elif source is not None:
            items = source.items
        if source is not None:
            container = source.container
        else:
            container = self.slots_of(name, number)
        roots = () if scalar else self.held_roots(value)
        for buffer, _ in roots:
            if buffer not in self.births and self.facts.is_array(Var(name)):
                self.flat.add(buffer)
            self.births.setdefault(buffer, number)
            if name in self.layout.shadows:  # its items are as much apart as those of the list that it belongs to
                self.apart.pop(buffer, None)
        return self.cell(number, roots=roots, items=items, container=container)

    def slots_of(self, name: str, number: int) -> int | None:
        """A buffer for the slots of a name that is bound to a container."""
        if self.facts.of(Var(name)).kind not in ("list", "tuple", "dict"):
            return None
        container = self.fresh_buffer()
        self.births[container] = number
        return container

    def passes(self, name: str, before: Cell | None, value: Expr) -> None:
        """Notes where the adjoint of a name may stay as it is: in `x = x + e` it is that of both bindings.

        So it is of the list in `x = x[:-1]`, once it has its last item again.
        """
        if before is not None and (self.has_term(value, name) or ir.cut(value) == (name, -1)):
            self.passed[self.env[name].binding] = before.binding

    def has_term(self, e: Expr, name: str) -> bool:
        """Whether `name` may stand in a sum with the coefficient one."""
        match e:
            case Var():
                inner = self.ctx.temps.get(e.name)
                return e.name == name or (inner is not None and self.has_term(inner, name))
            case Op(fn="numpy.add" | "numpy.subtract" | "numpy.negative" | "numpy.positive", args=args):
                return any(self.has_term(a, name) for a in args)
            case Op(fn="numpy.multiply" | "numpy.divide", args=args) if any(isinstance(a, Const) for a in args):
                return any(self.has_term(a, name) for a in args)
            case Op(fn=fn, args=args) if (rule := rules.lookup(fn)) is not None and rule.kind != "constant":
                if rule.kind == "elementwise":
                    args = tuple(a for n, a in zip(rule.params, args, strict=False) if rule.is_sum_in(n))
                return any(self.has_term(a, name) for a in args)
        return False

    def save(self, s: Stmt) -> None:
        match s:
            case ir.Assign(target=where, value=ir.Sequence(items=())) if where in self.layout.lists:
                self.slots[where] = []
            case ir.Append(array=where, value=value) if (region := self.region(where)) is not None:
                self.slots[where].append(self.take(region, value))
            case ir.Assign(target=where, value=value) if (region := self.region(where)) is not None:
                self.regions[where] = self.take(region, value)
            case ir.Append(array=where, value=Var(name=name)) if where in self.layout.lists:
                self.slots[where].append(self.saved(name, where))
            case ir.Assign(target=where, value=Var(name=name)) if where in self.layout.variables:
                self.env[where] = self.saved(name, where)
            case ir.Assign(target=name, value=value) if copied_parameter(value) == name:
                self.own(name, deep=not {"helper._added", "copy.deepcopy"}.isdisjoint(functions_in(value)))
            case ir.Assign(target=name, value=value) if name in self.layout.shadows:
                self.env[name] = self.bound(name, value)
                if not self.begun:
                    self.keep(START, "before")
            case ir.Assign(target=name, value=Const()):
                if name not in self.env:
                    self.env[name] = self.cell(self.number(("placeholder", name)))
            case ir.Assign(target=name, value=value) if name == self.joint.sweeps.value:
                self.returned = self.result_roots(value)
                listed = rules.may_alias(value) and not isinstance(value, Index)  # an item is no list that changes
                held = [self.look(n) for n in sorted(_uncopied(value))] if listed else []
                self.held = {cell.container for cell in held if cell is not None}
            case ir.Assign(target=name, value=Var() | Op(fn="numpy.copy") as value) if ir.reads(value) <= self.arrays:
                self.env[name] = self.bound(name, value)  # the first array of a parameter, or its final elements
                self.arrays |= {name}
            case ir.Inert():
                pass
            case _:
                broken("I3", f"`{_text(s)}` of the forward sweep belongs to no statement", _origin(s))

    def region(self, where: str) -> Index | None:
        """The place whose elements are saved here."""
        found = self.layout.saves.get(where)
        return found.place if found is not None else None

    def own(self, name: str, deep: bool = False) -> None:
        """An argument that is going to be written is copied first. deep: with the arrays and lists in it."""
        cell = self.env[name] if name in self.env else self.bars[name]
        listed = self.facts.of(Var(name)).kind in ("list", "tuple", "dict")
        buffer = self.fresh_buffer()
        held = ((self.fresh_buffer(), 0),) if deep else cell.roots
        copied = replace(cell, roots=held, container=buffer) if listed else replace(cell, roots=((buffer, 0),))
        self.births[buffer] = cell.number
        if name in self.env:
            self.env[name] = copied
            self.keep(START, "before")
        else:
            self.bars[name] = copied

    def leave(self, node: Leaf) -> None:
        try:
            for e in ir.expressions(node.forward[-1]):
                self.version(e)
        except KeyError:
            raise PathEnds from None  # the primal itself fails here

    def saved(self, name: str, where: str) -> Cell:
        found = self.look(name)
        if found is None:
            broken("I3", f"`{_shown(name)}` is saved in `{where}` where it may be unbound")
        return found

    def decide(self, test: Expr, node: Branch | Loop, trips: int = 0) -> bool:
        self.has_failed(node.origin)
        try:
            if isinstance(node, Loop) and trips >= max(TRIPS):
                if self.truth(test, lambda want: want, False):
                    raise PathEnds
                return False
            found = self.truth(test, lambda want: self.path.choose(2) == 0, True)
            self.effects((test,), node.origin)
            return found
        except KeyError:
            raise PathEnds from None

    def truth(self, e: Expr, choose: Callable[[bool], bool], want: bool) -> bool:
        """Whether a test holds: decided once for each version of it, part by part as Python evaluates it."""
        match e:
            case Op(fn="operator.and", args=args):
                return all(self.truth(a, choose, want) for a in args)
            case Op(fn="operator.or", args=args):
                return any(self.truth(a, choose, want) for a in args)
            case Op(fn="operator.not", args=(a,)):
                return not self.truth(a, choose, not want)
            case Op(fn="operator.is_not"):  # decided with its opposite
                return not self.truth(replace(e, fn="operator.is"), choose, not want)
        number = self.version(e)
        if number in self.constants:
            return bool(self.constants[number])
        if number not in self.decisions:
            self.decisions[number] = choose(want)
        return self.decisions[number]

    def items(self, s: ir.For, node: Loop) -> list[Any]:
        try:
            number = self.version(node.iterable)
            self.version(s.iterable)
        except KeyError:
            raise PathEnds from None
        found = self.item_cells(node.iterable, number)
        self.iterated[id(node), self.vector] = (number, found)
        return found

    def item_cells(self, iterable: Expr, number: int) -> list[Cell]:
        if isinstance(iterable, Op) and iterable.fn == "builtins.reversed" and len(iterable.args) == 1:
            return self.item_cells(iterable.args[0], number)[::-1]
        counted = isinstance(iterable, Op) and iterable.fn == "builtins.range" and len(iterable.args) == 1
        if counted:
            assert isinstance(iterable, Op)
            length = self.constants.get(self.version(iterable.args[0]), UNKNOWN)
            if isinstance(length, int):
                return [self.cell(self.constant(i)) for i in range(min(length, max(TRIPS)))]
        known = self.between(iterable)
        if known is not None:
            return [self.cell(self.constant(i)) for i in known[: max(TRIPS)]]
        if number not in self.counts:
            self.counts[number] = TRIPS[self.path.choose(len(TRIPS))]
        known = _consecutive(self.in_constants(iterable), self.counts[number])
        return [
            self.cell(self.number(("item", number, i)) if known is None else self.constant(known[i]))
            for i in range(self.counts[number])
        ]

    def in_constants(self, iterable: Expr) -> Expr:
        """range(k + 1, n) as range(1, n) where k is 0."""

        def known(e: Expr) -> Expr:
            try:
                value = self.constants.get(self.version(e), UNKNOWN)
            except KeyError:
                return e
            return Const(value) if isinstance(value, int) and not isinstance(value, bool) else e

        if isinstance(iterable, Op) and iterable.fn == "builtins.range" and len(iterable.args) > 1:
            return replace(iterable, args=tuple(map(known, iterable.args)))
        return iterable

    def between(self, iterable: Expr) -> list[int] | None:
        """The numbers of a range of which both ends are known."""
        match self.in_constants(iterable):
            case Op(fn="builtins.range", args=(Const(value=int() as start), Const(value=int() as stop), *rest)):
                if not rest:
                    return list(range(start, stop))
                return list(range(start, stop, -1)) if rest[0] in DOWN else None
        return None

    def bind(self, target: Expr, item: Any) -> None:
        match target:
            case Var():
                self.env[target.name] = item
            case _:
                for i, t in enumerate(ir.children(target)):
                    self.bind(t, self.cell(self.number(("part", item.number, i)), roots=item.roots))

    def count_from(self, node: Loop, k: int) -> None:
        assert isinstance(node.target, Var)
        self.env[node.target.name] = self.cell(self.constant(k))

    # ------------------------------------------------------------ the reverse sweep
    def decide_again(self, test: Expr, node: Branch) -> bool:
        vector = self.vector[: self.layout.loops[id(node)]]
        before = self.kept.get((id(node), vector, "before"))
        if before is None:
            broken("I3", "a branch is reversed that did not run", node.origin)
        if self.stored and self.layout.written(test):
            broken("I3", f"the test `{_shown(ir.Printer()(test))}` writes, and is evaluated again", node.origin)
        elements = values_read(test)
        for read in reads_of(ir.Inert("", (test,))):
            self.same(replace(read, elements=read.elements and read.name in elements), before, node)

        def undecided(want: bool) -> bool:
            broken("I3", f"the test `{_shown(ir.Printer()(test))}` was not evaluated in the forward sweep", node.origin)

        # what it reads is the same; other elements may differ, and are as they were for as long as it is asked
        names = [n for n in ir.reads(test) if before.get(n) is not None and n in self.env]
        cells = [cell for n in ir.reads(test) if (cell := self.look(n)) is not None]
        cells += [cell for n in names if (cell := before.get(n)) is not None]
        places = {*names, *(f"*{b}" for cell in cells for b in cell.buffers)}
        now = {c: self.env.get(c) for c in places}
        self.set_contents({c: before.get(c) for c in places})
        try:
            return self.truth(test, undecided, True)
        finally:
            self.set_contents(now)

    def set_contents(self, contents: dict[str, Cell | None]) -> None:
        for name, cell in contents.items():
            if cell is None:
                self.env.pop(name, None)
            else:
                self.env[name] = cell

    def items_again(self, s: ir.For, node: Loop) -> list[Any]:
        return self.iterate(s.iterable, node)

    def iterate(self, e: Expr, node: Loop) -> list[Cell]:
        match e:
            case Op(fn="builtins.reversed", args=(inner,)):
                return self.iterate(inner, node)[::-1]
            case Var(name=name) if name in self.layout.lists:
                self.mark_read(name, range(len(self.slots[name])))
                return list(self.slots[name])
            case Op(fn="builtins.range", args=(Op(fn="builtins.len", args=(Var(name=name),)),)) if (
                name in self.layout.lists
            ):
                return [self.cell(self.constant(i)) for i in range(len(self.slots[name]))]
            case Op(fn="builtins.range", args=(Var(name=name),)) if name == node.counter:
                return [self.cell(self.constant(i)) for i in range(self.counter(node))]
            case Index(array=inner, key=ir.Slice(start=None, stop=None, step=Const(value=-1))):
                return self.iterate(inner, node)[::-1]
            case Index(array=inner, key=ir.Slice(start=None, stop=stop, step=None)) if (
                stop is not None and e != forwards(node.iterable)
            ):
                if isinstance(stop, Var) and stop.name == node.counter:
                    n = self.counter(node)
                else:
                    n = len(self.iterate(Op("builtins.range", (stop,)), node))
                return self.iterate(inner, node)[:n]
        elements = values_read(e)
        for name in sorted(ir.reads(e)):
            read = Read(name, False, elements=name in elements)
            self.same(read, self.kept[id(node), self.vector, "before"], node)
        number, items = self.iterated[id(node), self.vector]
        turned = isinstance(node.iterable, Op) and node.iterable.fn == "builtins.reversed"
        if self.version(Op("builtins.reversed", (e,)) if turned else e) != number:
            broken("I3", "the reverse sweep runs over another range", node.origin)
        return items[::-1] if turned else items

    def counter(self, node: Loop) -> int:
        after = self.kept[id(node), self.vector, "after"]
        self.same(Read(node.counter, False), after, node)
        n = self.constants.get(self.env[node.counter].number)
        if not isinstance(n, int):
            broken("I3", f"`{node.counter}` is no trip count", node.origin)
        return n

    def mark_read(self, where: str, slots: Iterable[int]) -> None:
        pass

    def restore(self, s: Stmt) -> None:
        match s:
            case ir.Assign() if (saved := self.brought(s.value)) is not None:
                if not isinstance(saved, Cell):
                    broken("I3", f"`{_shown(s.target)}` is restored from elements of an array")
                self.env[s.target] = self.as_it_is(saved)
            case ir.Assign(target=name, value=value) if name in self.bars and copied_parameter(value) == name:
                self.own(name)
            case ir.Assign():
                self.compute_again(s, s.value)
            case ir.Store() if (saved := self.brought(ir.longer_slot(s.target, s.value) or s.value)) is not None:
                self.put_back(s.target, saved)
            case _:
                broken("I3", f"`{_text(s)}` of the reverse sweep belongs to no statement", _origin(s))

    def exchange_back(self, s: Stmt) -> None:
        try:
            match s:
                case ir.Store():
                    self.shorten_slot(s.target)
                case ir.Augment(target=Var(name=name), sign=sign, value=step):  # `i -= 1` behind `i += 1`
                    before = self.stepped.get((name, self.env[name].number, sign, step))
                    self.bindings += 1
                    self.env[name] = before or self.cell(self.number(("counted", self.bindings)))
                case _:
                    self.primal(s)
        except KeyError as unbound:
            broken("I3", f"`{_shown(unbound.args[0])}` is not bound where `{_text(s)}` undoes what was done")

    def shorten_slot(self, target: Index) -> None:
        """The list in a slot loses its last item: the contents are those from before it got that."""
        place, buffers = self.place(target)
        for b in buffers:
            last = self.undo.get(self.content(b))
            if last is not None and last.place.number == place.number:
                self.move(b, last.before)
            else:
                self.bindings += 1
                self.move(b, self.number(("mixed", self.bindings)))
            self.rewritten.add(b)

    def brought(self, value: Expr) -> Cell | Part | None:
        """What a restore takes out of a save."""
        found: Any = None
        match value:
            case Var(name=where) if where in self.layout.variables:
                found = self.regions.get(where) or self.env.get(where)
                if found is None:
                    broken("I3", f"`{where}` is read, in which nothing was saved")
            case Op(fn="method.pop", args=(Var(name=where),)) if where in self.layout.lists:
                if not self.slots.get(where):
                    broken("I4", f"`{where}` is popped more often than it was appended to")
                found = self.slots[where].pop()
            case Index(array=Var(name=where), key=key) if where in self.layout.lists:
                try:
                    k = self.constants.get(self.version(key), UNKNOWN)
                except KeyError:
                    k = UNKNOWN
                if not isinstance(k, int) or not 0 <= k < len(self.slots.get(where, ())):
                    broken("I4", f"`{where}` has no slot for `{ir.Printer()(value)}`")
                found = self.slots[where][k]
        return found  # type: ignore[no-any-return]

    def compute_again(self, s: ir.Assign, value: Expr) -> None:
        for name in sorted(ir.reads(value)):
            found = self.look(name)
            if found is None:
                text = f"`{_shown(name)}`, of which `{_shown(s.target)}` is computed again, is not bound"
                broken("I3", text, s.origin)
            self.fresh(name, found, START)
        self.env[s.target] = self.bound(s.target, value)

    def same(self, read: Read, expected: Env, node: Node, s: Stmt | None = None) -> None:
        """I3 for one read of the primal, in a statement of the reverse sweep."""
        name = read.name

        def wrong(text: str) -> NoReturn:
            broken("I3", f"{text} in `{_shown(_text(s))}`" if s is not None else text, node.origin)

        found = self.look(name)
        want = expected.get(name)
        if want is None and name not in self.layout.own:
            want = self.entries.get(name)
        if want is None:
            wrong(f"adjoint code reads `{_shown(name)}` where it may be unbound")
        if found is None:
            wrong(f"adjoint code reads `{_shown(name)}`, which the reverse sweep has not brought back")
        number = found.number
        while number != want.number and read.item and ("before", number) in self.numbers:
            number = self.numbers["before", number]
        if number != want.number:
            wrong(f"adjoint code reads another `{_shown(name)}` than the one it was derived for")
        if name in self.layout.shadows:
            listed = found.container is not None and found.container == want.container
            if not listed and {*found.buffers} != {*want.buffers}:
                wrong(f"`{_shown(name)}` is another array than it was in the forward sweep")
            self.beside(name, want, expected, node)
            return
        if read.elements and self.stored:
            if not self.same_elements(found, want, expected, read):
                wrong(f"adjoint code reads other elements of `{_shown(name)}` than those it was derived for")
            self.fresh(name, found, node)
        elif not self.stored:
            self.fresh(name, found, node)

    def beside(self, name: str, shadow: Cell, then: Env, node: Node) -> None:
        """I5: the adjoint of a name is the one that belongs to the array which the name sees."""
        primal = then.get(name[: -len(BAR)])
        arrays = (n for n in self.ctx.aliases.of if self.facts.of(Var(n)).kind not in ("list", "tuple", "dict"))
        own = map(then.get, arrays)
        followed = {b for cell in own if cell is not None and len(cell.roots) == 1 for b, _ in cell.roots}
        wrong = primal is None or any(
            self.mirror.setdefault(b, s) != s
            for (b, _), (s, _) in zip(primal.roots, shadow.roots, strict=False)
            if b in followed  # what lies in a list, and is never written, has zeros of its own in each list
        )
        if primal is not None and primal.container in self.rebound and shadow.container not in self.rebound:
            others = [self.env[n] for n in self.layout.shadows - {name} if n in self.env]
            wrong = wrong or any({*cell.buffers} & {*shadow.buffers} for cell in others)
        if wrong:
            text = f"`{_shown(name)}` is not the adjoint of the array that `{_shown(name[: -len(BAR)])}` is"
            broken("I5", text, node.origin)

    def same_elements(self, found: Cell, want: Cell, then: Env, read: Read) -> bool:
        """Whether the buffers of a name hold what those that it was bound to held at another moment."""
        here, there = found.buffers, want.buffers
        kept = found.container is not None and found.container == want.container and {*there} <= {*here}
        if read.key is not None and (here == there or kept):  # a list may hold more since then, in other slots
            key = self.subscripts(Index(Var(read.name), read.key))
            slots = want.container  # of the arrays that a list holds, all elements
            return all(self.same_item(b, key if slots in (None, b) else (), then) for b in there)
        same_list = found.container is not None and found.container == want.container
        if not ({*there} <= {*here} or same_list):  # an equal value in memory of its own
            now, before = [self.content(b) for b in here], [self.content(b, then) for b in there]
            return now == before or {*now, *before} == {BORN}  # a list may hold more buffers since then
        return all(self.content(b) == self.content(b, then) for b in there)

    def same_item(self, buffer: int, key: Subscripts, then: Env) -> bool:
        """Whether elements are the same at both moments: stores to others, that nobody undoes, do not count."""
        now, want = self.content(buffer), self.content(buffer, then)
        passed = {want: want}  # contents that agree with `want` in these elements
        while want in self.undo and self.undo[want].misses(key):
            want = self.undo[want].before
            passed[want] = want
        while now not in passed:
            if now in self.undo and self.undo[now].misses(key):
                now = self.undo[now].before
            elif now in self.mended and all(last.misses(key) for last in self.mended[now][1]):
                now = self.mended[now][0]
            else:
                return False
        return True

    def adjoint(self, s: Stmt, node: Node, place: str) -> None:
        for read in self.layout.read(s):
            self.check_read(read, s, node, place)
        match s:
            case ir.Assign(value=Index(array=Index(), key=Const(value=-1))) if getattr(node, "lengthens", False):
                self.put(s.target, (), None, node, place)  # the list in the slot loses it
            case ir.Assign():
                self.set(s.target, s.value, node, place)
                self.shorten(s.value, node)
            case ir.Unpack():
                for t in s.targets:  # what a helper gives for a number is one, and no array of rank 0
                    own = () if self.facts.is_scalar(Var(t)) else ((self.fresh_buffer(), 0),)
                    self.put(t, own, None, node, place)
            case ir.Augment(target=Var(name=name)):
                if self.is_number(name):
                    self.put(name, (), None, node, place)
                else:
                    self.update(name, s.value, node)
            case ir.Augment(target=Index() as target):
                base = self.updated(target, node)
                if not (self.facts.of(Var(base)).kind in ("list", "tuple") and self.facts.is_scalar(target)):
                    self.update(base, s.value, node)
            case ir.Store(target=target):
                base = self.updated(target, node)
                if not self.is_slot(target):
                    self.update(base, s.value, node)
                else:  # it is bound again
                    cell = self.look(base) if base in self.layout.shadows else self.bars[base]
                    assert cell is not None
                    held = replace(cell, roots=tuple(dict.fromkeys([*cell.roots, *self.roots(s.value)])))
                    (self.env if base in self.layout.shadows else self.bars)[base] = held
            case ir.Append(array=name, value=value) if name in self.bars:  # the list gets back what a slice left out
                cell = self.bars[name]
                self.bars[name] = replace(cell, roots=tuple(dict.fromkeys([*cell.roots, *self.roots(value)])))
            case ir.Inert(values=(Op(fn="numpy.add.at" | "helper._add_at", args=(target_, *_)),)):
                self.update(_base(target_), target_, node)
            case ir.Inert(values=(Op(fn="method.pop") as pop,)):
                self.shorten(pop, node)
            case ir.Inert(values=(Op(fn=fn),)) if fn.startswith("local."):
                pass
            case ir.Inert(keyword="with" | "end with" | "assert"):
                pass
            case ir.For(target=target):  # of one statement: over the items of an adjoint
                for n in ir.target_names(target):
                    self.put(n, self.roots(s.iterable), None, node, place)
                for inner in s.body:
                    self.adjoint(inner, node, place)
            case ir.If(body=body, orelse=()):  # of one statement: where an entry is that a dict may lack
                for inner in body:
                    self.adjoint(inner, node, place)
            case _:
                broken("I3", f"`{_text(s)}` is not expected in the reverse sweep", node.origin)
        self.changed_by_helpers(s, node)

    def updated(self, target: Index, node: Node) -> str:
        """The adjoint that a statement changes in place."""
        base = _base(target)
        if base not in self.bars and base not in self.layout.shadows:
            broken("I5", f"`{_shown(base)}` is updated and is no adjoint", node.origin)
        return base

    def changed_by_helpers(self, s: Stmt, node: Node) -> None:
        """Reverses of helpers change the adjoints of arrays in place that the helpers write into."""
        for e in ir.expressions(s) if self.stored else ():
            for n in ir.walk(e):
                wanted = self.layout.reverses.get(n.fn) if isinstance(n, Op) else None
                if wanted is None or not isinstance(n, Op):
                    continue
                names = self.ctx.calls.prepare(wanted.helper).function.names
                params = [p for p in names if p not in wanted.left_out]
                args = dict(zip(params, n.args, strict=False))
                for p, arg in zip(wanted.given_bars, n.args[len(params) :], strict=False):
                    if p in args and self.has_no_elements(args[p]):
                        continue  # of no pass of a loop: the forward sweep raises where it is written
                    if not self.roots(arg) or (p in args and not self.roots(args[p])):
                        show = ir.Printer()
                        of = show(args.get(p, Var(p)))
                        text = f"`{_shown(show(arg))}` is updated in place as the adjoint of `{of}`"
                        broken("I5", text, node.origin)
                    self.update(self.updated(Index(arg, ir.ELLIPSIS), node), arg, node)

    def has_no_elements(self, e: Expr) -> bool:
        """Whether a name is bound to a literal number here, `q = 0`, to which a loop adds, or to None, for which a
        helper makes an array of its own."""
        cell = self.look(e.name) if isinstance(e, Var) else None
        return cell is not None and isinstance(cell.constant, int | float | None)

    def shorten(self, e: Expr, node: Node) -> None:
        """`name.pop()` for the adjoint of a list, or for a list of the primal that shrinks as it grew."""
        if not (isinstance(e, Op) and e.fn == "method.pop" and isinstance(e.args[0], Var)):
            return
        name = e.args[0].name
        if name in self.bars:
            return
        cell = self.look(name)
        if cell is None or ("before", cell.number) not in self.numbers:
            broken("I4", f"`{_shown(name)}` is shortened more often than it grew", node.origin)
        items = None if cell.items is None else cell.items[:-1]
        self.env[name] = replace(cell, number=self.numbers["before", cell.number], items=items)
        self.resized(name)

    def resized(self, name: str) -> None:
        """Notes what a list is that has got or lost an item: all who hold it see it so."""
        cell = self.env[name]
        if cell.container is not None:
            self.lengths[cell.container] = cell

    def as_it_is(self, saved: Cell) -> Cell:
        """A list that was saved is the object itself, with the items that it has now."""
        now = self.lengths.get(saved.container) if saved.container is not None else None
        if now is None:
            return saved
        roots = tuple(dict.fromkeys((*saved.roots, *now.roots)))
        return replace(saved, number=now.number, items=now.items, roots=roots)

    def check_read(self, read: Read, s: Stmt, node: Node, place: str) -> None:
        name = read.name
        if name in self.layout.shadows:
            self.same(read, self.expected(node, place, read.after), node, s)
            return
        if name in self.bars or name in self.layout.adjoints or name.endswith(BAR):
            cell = self.bars.get(name)
            if cell is None:
                broken("I5", f"`{_shown(name)}` is read before it is set", node.origin)
            self.fresh(name, cell, node)
            if cell.owner is not None and cell.owner != (id(node), self.vector):
                broken("I2", f"the temporary `{_shown(name)}` is read outside of its group", node.origin)
            if name.endswith(BAR):
                self.check_binding(name, cell, node, place)
            return
        self.same(read, self.expected(node, place, read.after), node, s)

    def belongs(self, name: str, node: Node, place: str, after: bool) -> int | None:
        """The binding of the primal to which the adjoint of a name belongs here."""
        env = self.expected(node, place, after)
        found = env.get(name)
        if found is None and name not in self.layout.kills:
            found = self.entry(name)
        return found.binding if found is not None else None

    def check_binding(self, name: str, cell: Cell, node: Node, place: str) -> None:
        """I5: an adjoint that was consumed, or is that of another binding, is not there."""
        stem = name[: -len(BAR)]
        allowed = {self.belongs(stem, node, place, False), self.belongs(stem, node, place, True)}
        at: int | None = cell.binding
        if at == -1:
            at = None
        while at not in allowed:
            if at is None or at not in self.passed:
                broken(
                    "I5",
                    f"`{_shown(name)}` is read, but it is the adjoint of another binding of `{_shown(stem)}`",
                    node.origin,
                )
            at = self.passed[at]

    def is_number(self, name: str) -> bool:
        """Whether a variable is one at all times: the adjoint of an array may be one until it is spread out."""
        primal = name.removesuffix(BAR)
        return self.facts.is_scalar(Var(name)) and (primal == name or self.facts.is_scalar(Var(primal)))

    def set(self, name: str, value: Expr, node: Node, place: str) -> None:
        scalar = self.is_number(name) and self.facts.of(Var(name)).kind not in ("list", "tuple")
        match value:
            case Index(array=Var(name=listed)) if listed in self.layout.shadows and self.is_slot(value):
                scalar = True  # which of its slots a list holds a buffer in is not followed
        self.put(name, () if scalar else self.own_roots(value), self.container(value), node, place)

    def put(self, name: str, roots: tuple[tuple[int, int], ...], container: int | None, node: Node, place: str) -> None:
        self.spoiled.discard(name)
        if name in self.layout.shadows:  # a number: what it counts is no concern here
            return
        roots = tuple((b, self.updates[b]) for b, _ in roots)
        if name.endswith(BAR):
            binding = self.belongs(name[: -len(BAR)], node, place, False)
            self.bars[name] = Cell(0, -1 if binding is None else binding, roots, container=container)
        else:
            self.bars[name] = Cell(0, 0, roots, container=container, owner=(id(node), self.vector))

    def turn(self) -> None:
        self.has_failed(None)
        for e in self.layout.values:
            copied = isinstance(e, Op)
            name = _base(e)
            if name != self.joint.sweeps.value and (found := self.look(name)) is not None:
                held = tuple((b, self.content(b)) for b in found.buffers)
                self.finals.append((name, () if copied and name not in self.ctx.aliases.of else held))

    def finish(self) -> None:
        for where in sorted(self.layout.popped):
            if self.slots.get(where):
                broken("I4", f"{len(self.slots[where])} values are left in `{where}`")
        if any(self.updates[buffer] != seen or buffer in self.rewritten for buffer, seen in self.returned):
            broken("I6", "the value that is returned was updated in place", self.ctx.function.origin)
        if self.held & self.rewritten:
            broken("I6", "a list that is returned was updated in place", self.ctx.function.origin)
        result = self.joint.result
        parts: list[Expr] = [result]
        if self.layout.values and isinstance(result, ir.Sequence):
            parts = list(result.items[1:])
        for name, then in self.finals:
            if any(self.content(b) != content for b, content in then):
                broken("I6", f"the final elements of `{name}` that are returned were updated in place")
        seen: dict[int, list[Expr]] = {b: [Var(f"final {name}")] for name, then in self.finals for b, _ in then}
        for e in _leaves_of(parts):
            for read in reads_of(ir.Return(e)):
                self.check_read(read, ir.Return(e), START, "start")
            for buffer, _ in () if self.facts.is_scalar(e) else self.roots(e):
                text = ir.Printer()(e)
                if buffer in self.protected or buffer in self.given:
                    owner = _shown(self.protected.get(buffer) or self.given[buffer])
                    broken("I6", f"the result `{_shown(text)}` may share memory with the caller's `{owner}`")
                for other in seen.get(buffer, ()):
                    if not are_apart(other, e):
                        shown = _shown(ir.Printer()(other))
                        broken("I6", f"the results `{shown}` and `{_shown(text)}` may share memory")
                seen.setdefault(buffer, []).append(e)


def is_new(e: Expr) -> bool:
    """Whether a value is made here, with all that it holds: zeros in the structure of something."""
    match e:
        case Const():
            return True
        case ir.Sequence(items=items) | ir.Dict(values=items):
            return all(map(is_new, items))
        case ir.Comprehension(element=element):
            return is_new(element)
        case Op(fn="numpy.zeros_like" | "helper._zeros_like" | "method.copy" | "numpy.positive"):
            return True
    return False


def may_share(e: Op) -> bool:
    """Whether the result of an operation of several arrays shares memory with them."""
    if e.fn == "numpy.einsum":
        return bool(sharing(e, None))
    return e.fn.startswith("builtins.") or rules.may_alias(e)


def _leaves_of(parts: list[Expr]) -> Iterator[Expr]:
    for e in parts:
        match e:
            case ir.Sequence():
                yield from _leaves_of(list(e.items))
            case ir.Dict():
                yield from _leaves_of(list(e.values))
            case _:
                yield e


def _shown(name: str) -> str:
    return name.replace(BAR, "_bar")


def _consecutive(iterable: Expr, count: int) -> list[int] | None:
    """The numbers of a range of some length, where one of its ends is a literal."""
    match iterable:
        case Op(fn="builtins.range", args=(_,)):
            return list(range(count))
        case Op(fn="builtins.range", args=(Const(value=int() as start), _)):
            return list(range(start, start + count))
        case Op(fn="builtins.range", args=(_, Op(fn="numpy.negative", args=(Const(value=int() as stop),)), step)):
            stop = -stop
        case Op(fn="builtins.range", args=(_, Const(value=int() as stop), step)):
            pass
        case _:
            return None
    return list(range(stop + count, stop, -1)) if step in DOWN else None


DOWN = (Const(-1), Op("numpy.negative", (Const(1),), form=ir.Form.OPERATOR))  # the steps of a range that counts down
