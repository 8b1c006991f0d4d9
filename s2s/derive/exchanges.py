"""Statements that the reverse sweep takes back without a record: those that only exchange what names are bound to,
`a, b = b, a`, and whole numbers that a loop counts with, `i += 1`.

    cur, new = new, cur            # forward sweep, and cur_bar, new_bar = new_bar, cur_bar beside it
    cur, new = new, cur            # reverse sweep, the same for the adjoints
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile

from s2s import ir, rules
from s2s.analysis.aliases import CONTAINERS, sources
from s2s.analysis.facts import Facts
from s2s.derive.nodes import Branch, Group, Leaf, Loop, Node, all_nodes
from s2s.derive.phrases import bar
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Op, Stmt, Var

Pair = tuple[str, str]  # a name, and the one to whose value it is bound
STEPS = {"numpy.add": "-", "numpy.subtract": "+"}  # what takes back a step
LONGEST = 12  # statements that are looked at for one exchange: six names by temporaries


def merged(f: ir.Function, nodes: list[Node], facts: Facts) -> list[Node]:
    """The nodes with each exchange of numbers or arrays as one of them."""
    count = functools.cache(lambda: _counted(f))  # asked for few functions only

    def block(inside: list[Node]) -> list[Node]:
        out: list[Node] = []
        at = 0
        while at < len(inside):
            n = inside[at]
            match n:
                case Branch():
                    n.body, n.orelse = block(n.body), block(n.orelse)
                case Loop():
                    n.body = block(n.body)
            run = list(takewhile(_bound, inside[at : at + LONGEST])) if _bound(n) else []
            groups = [n for n in run if isinstance(n, Group)]
            end = _end([pair for n in groups if (pair := _bound(n))], count)
            listed = any(facts.of(Var(name)).kind in CONTAINERS for n in groups[:end] for name in _bound(n) or ())
            if end and not listed and len({bool(n.companions) for n in groups[:end]}) == 1:
                out.append(_one(groups[:end]))
                at += end
            else:
                out.append(n)
                at += 1
        return out

    return block(nodes)


def count_back(nodes: list[Node], facts: Facts, in_loop: bool = False) -> None:
    """Whole numbers to which each round of a loop adds the same, `i += 1`, are counted back: nothing is saved of them.

    Changes the nodes. What only some rounds add would need the test of these.
    """
    for n in nodes:
        match n:
            case Loop():
                count_back(n.body, facts, True)
            case Branch():
                count_back([*n.body, *n.orelse], facts)
            case Group(
                forward=[Assign(target=name, value=Op(fn=fn, args=(Var(name=old), Const(value=int() as k))))]
            ) if in_loop and old == name and fn in STEPS and not isinstance(k, bool) and _is_plain(n):
                if facts.of(Var(name)).kind == "int" and facts.is_scalar(Var(name)):
                    n.moves, n.undo = {name: name}, [ir.Augment(Var(name), STEPS[fn], Const(k))]


def _is_plain(n: Group) -> bool:
    """Whether a node binds a name, and does nothing else."""
    more = (n.pre, n.post, n.births, n.places, n.forced, n.before, n.shrinks, n.header)
    return not any(more)


def begun_behind(nodes: list[Node], shadows: set[str], facts: Facts, is_float: Callable[[Expr], bool]) -> set[str]:
    """Those of the adjoints beside the names of arrays that need not be there before the reverse sweep, where they are
    bound to zeros now: the forward sweep does nothing but to exchange them with the names.

    Changes the nodes.
    """
    last = nodes[-1] if nodes else None
    every = all_nodes(nodes)
    leaves = [n for n in every if isinstance(n, Leaf) and n.kind != "inert"]
    exchanges = [n for n in every if isinstance(n, Group) and n.moves and n.companions]
    if not exchanges or not isinstance(last, Leaf) or leaves != [last]:
        return set()
    around = [n for n in every if isinstance(n, Branch | Loop) and any(m in exchanges for m in all_nodes([n]))]
    if any(isinstance(n, Loop) and not n.has_reverse for n in around):
        return set()
    made: dict[str, tuple[Group, Assign]] = {}
    for n in nodes:
        match n:
            case Group(forward=[Assign(target=name)], companions=[Assign(target=own, value=Op() as value) as s]) if (
                own == bar(name) and own in shadows and {*ir.reads(value)} == {name}
            ):
                made[own] = (n, s)
    used: Counter[str] = Counter()  # in the forward sweep
    for n in every:
        if isinstance(n, Group) and not n.moves:
            used.update(name for s in (*n.forward, *n.companions) for name in _names(s))
    found = {n for n in made if used[n] == 1}
    together = [{name for s in n.companions for name in ir.binds(s)} for n in exchanges]  # given adjoints, too
    while wrong := {name for names in together if not names <= found for name in names & found}:
        found -= wrong
    zeros: list[Stmt] = []
    for name, (n, s) in made.items():
        if name in found:
            zeros.append(s)
            n.companions, n.kills = [], tuple(k for k in n.kills if k != name)
    for n in around:
        n.has_reverse = n.has_reverse or bool(found)
    for n in exchanges:
        if {*n.kills} & found:
            n.companions = []
            n.kills = tuple(k for k in n.kills if k not in found)
            n.moves = {k: v for k, v in n.moves.items() if k not in found}
            n.undo, n.post = n.undo[:1], n.undo[1:]
    last.post = _begun([*zeros, *last.post], {*map(id, zeros)}, facts, is_float)
    return found


def _begun(block: list[Stmt], zeros: set[int], facts: Facts, is_float: Callable[[Expr], bool]) -> list[Stmt]:
    """`u_bar = np.zeros_like(u)` and then `u_bar += e`, a new array of floats of this shape: `u_bar = e`."""
    out: list[Stmt] = []
    for i, s in enumerate(block):
        out.append(s)
        if id(s) not in zeros or not isinstance(s, Assign):
            continue
        of = Var(s.target.removesuffix(bar("")))
        at = next((k for k in range(i + 1, len(block)) if s.target in _names(block[k])), i)
        match block[at]:
            case ir.Augment(target=Var(), sign="+", value=Op() as value) if not rules.may_alias(value) and is_float(
                value
            ):
                shape = facts.shape(of)
                if shape.rank and shape == facts.shape(value) and s.target not in ir.reads(value):
                    block[at] = Assign(s.target, value)
                    out.pop()
    return out


def of_their_own(f: ir.Function) -> frozenset[str]:
    """Names of which no two ever hold the same array: they are bound to new arrays, and exchange these."""
    count = functools.cache(lambda: _counted(f))
    new: set[str] = set()
    other: set[str] = set(f.names)
    exchanged: list[set[str]] = []

    def block(inside: ir.Block) -> None:
        at = 0
        while at < len(inside):
            s = inside[at]
            run = list(takewhile(_second_name, inside[at : at + LONGEST])) if _second_name(s) else []
            pairs = [pair for t in run if (pair := _second_name(t))]
            if end := _end(pairs, count):
                exchanged.append({*_moved(pairs[:end])})
                at += end
                continue
            for b in ir.blocks(s):
                block(b)
            match s:
                case Assign(value=Op(fn=fn) as value) if not (fn.startswith("local.") or rules.may_alias(value)):
                    new.add(s.target)
                case _:
                    other.update(ir.binds(s))
            if isinstance(s, ir.For):
                other.update(ir.target_names(s.target))
            at += 1

    block(f.body)
    found = (new | set().union(*exchanged)) - other
    while wrong := {n for names in exchanged if not names <= found for n in names & found}:
        found -= wrong
    return frozenset(found)


def arrays_apart(f: ir.Function, facts: Facts) -> frozenset[str]:
    """Those of these names that are arrays."""
    return frozenset(n for n in of_their_own(f) if facts.is_array(Var(n)))


def are_apart(place: Expr, other: Expr, facts: Facts, apart: frozenset[str]) -> bool:
    """Whether what is written at a place surely shares no memory with another value, by the arrays of such names."""
    mine = ir.written_name(place)
    names = {v.name for v, _ in sources(other, facts) if isinstance(v, Var)}
    return {mine, *names} <= apart and mine not in names


def _counted(f: ir.Function) -> Counter[str]:
    """How often each name is bound, read and changed."""
    return Counter(n for s in ir.statements(f.body) for n in _names(s))


def _names(s: Stmt) -> list[str]:
    read = [n.name for e in ir.expressions(s) for n in ir.walk(e) if isinstance(n, Var)]
    return [*ir.binds(s), *read, *ir.resized(s)]


def _second_name(s: Stmt) -> Pair | None:
    match s:
        case Assign(target=name, value=Var(name=other)) if name != other:
            return name, other
    return None


def _bound(n: Node) -> Pair | None:
    """The names of a node that binds one to the value of another, and does nothing else."""
    match n:
        case Group(forward=[s]) if (pair := _second_name(s)) is not None:
            plain = _is_plain(n)
            beside = [(s.target, s.value) if isinstance(s, Assign) else ("", s) for s in n.companions]
            if plain and beside in ([], [(bar(pair[0]), Var(bar(pair[1])))]):
                return pair
    return None


def _end(pairs: Sequence[Pair], count: Callable[[], Counter[str]]) -> int:
    """How many of the statements exchange the values of names; 0 where they do not.

    Temporaries among them are read by nothing else.
    """
    for end in range(3, len(pairs) + 1):
        moved = _moved(pairs[:end])
        if len(moved) > 1 and {*moved} == {*moved.values()}:
            within = Counter(n for pair in pairs[:end] for n in pair)
            return end if all(count()[n] == within[n] for n, _ in pairs[:end] if n not in moved) else 0
    return 0


def _moved(pairs: Sequence[Pair]) -> dict[str, str]:
    """The name that each name's value had before, without those that are not bound to another's value."""
    had: dict[str, str] = {}
    for name, other in pairs:
        had[name] = had.get(other, other)
    kept = {*had.values()}
    return {name: of for name, of in had.items() if name in kept and name != of}


def _one(run: list[Group]) -> Group:
    moved = _moved([pair for n in run if (pair := _bound(n))])
    origin = run[0].origin if all(n.origin is run[0].origin for n in run) else None
    forward: list[Stmt] = [s for n in run for s in n.forward]
    if origin is not None:  # the user has written it at once
        forward = [replace(_exchange(moved), origin=origin)]
    both = [moved]
    companions: list[Stmt] = []
    if run[0].companions:
        bars = {bar(name): bar(of) for name, of in moved.items()}
        companions = [_exchange(bars)]
        both.append(bars)
    back = {of: name for pairs in both for name, of in pairs.items()}
    undo: list[Stmt] = [_exchange({name: back[name] for name in pairs}) for pairs in both]
    kills = tuple(name for pairs in both for name in pairs)
    return Group(forward, kills, origin=origin, companions=companions, moves=back, undo=undo)


def _exchange(pairs: dict[str, str]) -> ir.Unpack:
    return ir.Unpack(tuple(pairs), ir.Sequence(tuple(map(Var, pairs.values()))))
