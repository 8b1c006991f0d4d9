"""Forward mode, last step: names that hold memory of their own are updated in place, and returned without a copy.

w_bar_dot = penalty * w_dot
w_bar_dot = w_bar_dot + X.T @ a       ->      w_bar_dot += X.T @ a
return 1.0 * w_bar_dot                        return w_bar_dot

The primal's own `x += e` are new bindings for derivation; where nothing else sees the object they are printed as they
were written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from s2s import ir, rules
from s2s.algebra import ONE
from s2s.analysis.liveness import Live
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, Op, Stmt, Var

NUMBERS = {f"builtins.{n}" for n in ("abs", "bool", "float", "int", "len", "range", "round", "sum")}
SIGNS = {"numpy.add": "+", "numpy.subtract": "-"}


def settle(body: Block, given: Iterable[str]) -> Block:
    """The body of a function as it is printed; `given`: names that are the caller's."""
    results = set(map(id, before_return(body)))
    mine = owned(body, given, results)
    read = Counter(
        v.name for s in ir.statements(body) if id(s) in results or isinstance(s, ir.Return) for v in names(s)
    )
    once = {n for n in mine if read[n] == 1}

    def block(b: Block) -> Block:
        return tuple(map(statement, b))

    def statement(s: Stmt) -> Stmt:
        match s:
            case Assign(target=t, value=Op(fn=fn, args=(Var(name=read), e), form=ir.Form.OPERATOR) as value) if (
                t == read and t in mine and fn in SIGNS and value.spelling.endswith("=")
            ):
                return ir.Augment(Var(t), SIGNS[fn], e, s.origin)
            case ir.Return():
                return replace(s, value=plain(s.value, once))
            case Assign() if id(s) in results:
                return replace(s, value=plain(s.value, once))
        return ir.with_blocks(s, block)

    return block(body)


def before_return(body: Block) -> Iterator[Assign]:
    """The parts of a result that have names: assignments of displays right before it is returned."""
    for i, s in enumerate(body):
        for inner in ir.blocks(s):
            yield from before_return(inner)
        if isinstance(s, ir.Return):
            for t in reversed(body[:i]):
                if not isinstance(t, Assign) or not isinstance(t.value, ir.Sequence | ir.Dict):
                    break
                yield t


def names(s: Stmt) -> Iterator[Var]:
    return (n for n in ir.nodes(s) if isinstance(n, Var))


def plain(e: Expr, mine: set[str]) -> Expr:
    """A result without the copies of what nothing else holds."""
    match e:
        case Op(fn="numpy.multiply", args=(factor, Var(name=name) as v)) if factor == ONE and name in mine:
            return v
        case ir.Sequence() | ir.Dict():
            return ir.rebuild(e, lambda c: plain(c, mine))
    return e


def owned(body: Block, given: Iterable[str], results: set[int]) -> set[str]:
    """Names that are bound to fresh values only, and whose object no other name, list or view ever sees.

    results: assignments that only return.
    """
    bound: set[str] = set()
    other: set[str] = set(given)
    for s in ir.statements(body):
        match s:
            case Assign() if id(s) in results:
                other.add(s.target)
            case Assign():
                (other if held(s.value) else bound).add(s.target)
                other.update(held(s.value))
            case ir.Augment(target=Var()) | ir.Return():
                continue
            case ir.Augment():
                continue
            case ir.Store():
                other.update(held(s.value) if not s.update else ())  # a list holds what is stored into it
            case ir.For():
                other.update(ir.target_names(s.target), held(s.iterable))
            case _:
                other.update(ir.binds(s))
                for e in ir.expressions(s):
                    other.update(held(e))
    return bound - other


Hands = Callable[[str], bool]  # whether the function of a call may return one of its arguments


def held(e: Expr, hands: Hands = lambda fn: True) -> set[str]:
    """Names whose object the value of an expression may be, hold or share memory with."""
    return set(_held(e, hands))


def _held(e: Expr, hands: Hands) -> Iterator[str]:
    match e:
        case Var(name=name):
            yield name
        case ir.Const():
            return
        case Op() if (e.fn.startswith(("numpy.", "math.")) or e.fn in NUMBERS) and not rules.may_alias(e):
            return
        case Op() if e.fn.startswith("local.") and not hands(e.fn):
            return
        case Op(fn="helper._unbroadcast"):  # a sum, over no axis at least
            return
        case Op(fn="operator.ifexp", args=(_, *chosen)):
            for c in chosen:
                yield from _held(c, hands)
        case ir.Index():
            yield from _held(e.array, hands)
        case ir.Attribute(name=name):
            if name == "T":
                yield from _held(e.value, hands)
        case ir.Sequence():
            for i in e.items:
                yield from _held(i, hands)
        case _:
            yield from ir.reads(e)


# ---------------------------------------------------------------- names of one object, in the primal


def same_object(f: ir.Function, name: str, hands: Hands) -> set[str]:
    """Names whose objects may be, hold or share memory with that of `name`, whichever of their lives is meant."""
    edges: dict[str, set[str]] = {}
    for s in ir.statements(f.body):
        match s:
            case ir.Store():
                targets = {ir.written_name(s.target)}
            case ir.Append():
                targets = {s.array}
            case ir.For():
                targets = set(ir.target_names(s.target))
            case _:
                targets = set(ir.binds(s))
        for e in ir.expressions(s):
            for n in held(e, hands) if targets else ():
                for t in targets:
                    edges.setdefault(t, set()).add(n)
                    edges.setdefault(n, set()).add(t)
        for t in targets if len(targets) > 1 else ():  # parts of one result
            edges.setdefault(t, set()).update(targets)
    found, todo = {name}, [name]
    while todo:
        new = edges.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def is_unseen(f: ir.Function, s: Assign, name: str, behind: Live, hands: Hands) -> bool:
    """Whether nobody sees what an update `x += e` of the object of `name` writes, if it writes at all.

    behind: the names that are read behind the statement. The caller sees what a parameter may be, or hold.
    """
    group = same_object(f, name, hands)
    return not {ir.root_name(n) for n in group} & set(f.names) and not (group - {s.target}) & behind


def rebound_items(f: ir.Function) -> ir.Function:
    """`L[k] += e` of a list whose items nobody else sees binds the slot to a new value: `L[k] = L[k] + e`."""
    every = list(ir.statements(f.body))
    mine = {
        ir.written_name(s.target)
        for s in every
        if isinstance(s, ir.Store) and s.update and s.update != "at" and isinstance(s.target.array, Var)
    }
    if not mine:
        return f
    bound = Counter(n for s in every for n in ir.binds(s))
    readers: dict[str, list[Stmt]] = {}
    for s in every:
        for n in frozenset[str]().union(*map(ir.reads, ir.expressions(s))):
            readers.setdefault(n, []).append(s)
    temps = {
        s.target: s.value
        for s in every
        if isinstance(s, Assign)
        and bound[s.target] == 1
        and s.target not in f.names
        and s.origin is not None
        and all(r.origin is s.origin for r in readers.get(s.target, ()))
    }

    def deep(e: Expr) -> set[str]:
        return {n for x in held(e) for n in (deep(temps[x]) if x in temps else {x})}

    for s in every:
        match s:
            case Assign() if s.target in temps:
                continue
            case Assign(value=ir.Sequence(kind="list", items=items)) if s.target in mine and not any(map(deep, items)):
                continue
            case Assign() | ir.Unpack() | ir.For():
                mine -= set(ir.binds(s)) | {n for e in ir.expressions(s) for n in deep(e)}
            case ir.Append() if s.array in mine and deep(s.value):
                mine.discard(s.array)
            case ir.Store() if not s.update and deep(s.value):
                mine -= {ir.written_name(s.target), *deep(s.value)}
            case ir.Return() | ir.If() | ir.While() | ir.Store():
                continue
            case _:
                mine -= {n for e in ir.expressions(s) for n in deep(e)}
    mine -= set(f.names)

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            if isinstance(s, ir.Store) and s.update and isinstance(s.target.array, Var) and s.target.array.name in mine:
                s = replace(s, update="")
            out.append(ir.with_blocks(s, block))
        return tuple(out)

    return replace(f, body=block(f.body)) if mine else f


__all__ = ["held", "owned", "settle"]
