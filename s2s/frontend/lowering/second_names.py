"""Attributes and entries of objects made in the function that are another variable all along, a function of a module,
None or a truth value: they go by that.

body = Body(m0, x0)         body_mass = m0
...                         ...                     2.0 * m0
                            2.0 * body_mass

solver = Heun(rhs)          solver_rhs = rhs
solver.step(y)              if solver_rhs is rhs: ...       rhs(y)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from s2s import ir
from s2s.frontend.lowering.expressions import decided, joined
from s2s.frontend.text.exits import negate
from s2s.ir import Assign, Block, Const, Expr, If, Inert, Op, Raw, Var

AreOne = Callable[[str, str], bool | None]
TESTS = ("operator.is", "operator.is_not")


def without(
    block: Block, parts: Collection[str], params: Collection[str], named: Collection[str], are_one: AreOne
) -> Block:
    """The block of a function.

    parts: the variables that stand for attributes and entries; named: the names that the user has given; are_one:
    whether two texts stand for one function.
    """
    block = named_at_once(last_values(block, parts), parts, {*named, *params})
    every = list(ir.statements(block))
    bound = Counter(n for s in every for n in ir.binds(s))
    bound.update(params)
    looped = {n for s in every for b in loops_in(s) for inner in ir.statements(b) for n in ir.binds(inner)}
    looped |= {n for s in every if isinstance(s, ir.For) for n in ir.binds(s)}
    fixed = {s.array for s in every if isinstance(s, ir.Append)}
    for n in (n for s in every for n in ir.nodes(s)):
        match n:
            case ir.Comprehension(clauses=clauses):  # inside, the name is another variable's
                fixed.update(name for target, *_ in clauses for name in ir.target_names(target))
            case ir.Op(fn=ir.LAMBDA, spelling=names):
                fixed.update(names.split(", "))
            case ir.Raw(names=names):
                fixed |= names
    own = {*named, *parts}
    other: dict[str, str] = {}
    values: dict[str, Expr] = {}
    present: set[str] = set()  # they are never None
    for s in every:
        match s:
            case Assign(target=part, value=Raw(atom=True) | Const(value=None | bool()) as value) if (
                part in parts and bound[part] == 1 and part not in fixed
            ):
                values[part] = value
            case Assign(target=part, value=Const()) if part in parts and bound[part] == 1 and part not in fixed:
                present.add(part)
            case Assign(target=part, value=Var(name=name)) if part in parts and bound[part] == bound[name] == 1:
                name = other.get(name, name)
                if name in own and name not in looped and not {name, part} & fixed:
                    other[part] = name
    values |= {part: Var(name) for part, name in other.items()}
    if not values and not present:
        return block

    def rest(b: Block) -> Block:
        kept = (s for s in b if not (isinstance(s, Assign) and s.target in values))
        new = (ir.with_expressions(ir.with_blocks(s, rest), in_place) for s in kept)
        return tuple(x for s in new for x in chosen(s))

    def in_place(e: Expr) -> Expr:
        return folded(ir.substitute(e, values), are_one, present)

    return rest(block)


def named_at_once(block: Block, parts: Collection[str], named: Collection[str]) -> Block:
    """A block in which a value without a name of its own has that of the part that it is bound to.

    t1 = x * 1.0                g_u = x * 1.0
    g_u = t1                    g_v = g_u[1:]
    g_v = t1[1:]
    """
    if not parts:
        return block
    every = list(ir.statements(block))
    bound = Counter(n for s in every for n in ir.binds(s))
    nodes = [e for s in every for e in ir.nodes(s)]
    raw = {n for e in nodes if isinstance(e, Raw) for n in e.names}
    reads = Counter(e.name for e in nodes if isinstance(e, Var))
    names: dict[str, Var] = {}

    def find(b: Block) -> None:
        since: dict[str, set[str]] = {}  # what stands behind a value without a name mentions these
        for s in b:
            inner = list(ir.statements((s,)))
            mentions = {n for x in inner for n in (*ir.binds(x), *ir.resized(x))}
            mentions |= {n for x in inner for e in ir.expressions(x) for n in ir.reads(e)}
            match s:
                case Assign(target=part, value=Var(name=temp)) if temp in since.keys() - names.keys() and part in parts:
                    alone = reads[temp] == 1 or (bound[part] == 1 and part not in early)
                    if alone and part not in since[temp]:
                        names[temp] = Var(part)
                case Assign(value=Var()):
                    pass  # one side of an exchange
                case Assign(target=temp) if bound[temp] == 1 and temp not in raw and temp not in (*parts, *named):
                    since[temp] = set()
                    mentions.discard(temp)
            for seen in since.values():
                seen |= mentions
            for nested in ir.blocks(s):
                find(nested)

    early: set[str] = set()  # parts that are read before they are bound
    read: set[str] = set()
    for s in every:
        read |= {n for e in ir.expressions(s) for n in ir.reads(e)}
        early |= read & {*parts} & {*ir.binds(s)}
    find(block)
    return ir.renamed_in(block, names) if names else block


def last_values(block: Block, parts: Collection[str]) -> Block:
    """A block without what is bound to a part and bound anew before anything reads it."""
    kept: list[ir.Stmt] = []
    waiting: dict[str, ir.Stmt] = {}
    for s in block:
        if waiting:
            inner = list(ir.statements((s,)))
            read = {n for x in inner for e in ir.expressions(x) for n in ir.reads(e)}
            if isinstance(s, Assign) and s.target in waiting and s.target not in read:
                kept.remove(waiting[s.target])
            touched = read | {n for x in inner for n in ir.binds(x)}
            waiting = {n: w for n, w in waiting.items() if n not in touched and not ir.blocks(s)}
        if isinstance(s, Assign) and s.target in parts and isinstance(s.value, Raw | Const):
            waiting[s.target] = s
        kept.append(ir.with_blocks(s, lambda b: last_values(b, parts)))
    return tuple(kept)


def chosen(s: ir.Stmt) -> Block:
    """What is left of a statement whose test is known."""
    match s:
        case If(test=test, body=body, orelse=orelse) if (holds := decided(test)) is not None:
            return body if holds else orelse
        case Inert(keyword="assert", values=(test, *_)) if decided(test):
            return ()
    return (s,)


def folded(e: Expr, are_one: AreOne, present: Collection[str]) -> Expr:
    """An expression without the tests and choices that are known; present: variables that are not None."""
    e = ir.rebuild(e, lambda inner: folded(inner, are_one, present))
    match e:
        case Op(fn=fn, args=(Raw(text=a, atom=True), Raw(text=b, atom=True))) if fn in TESTS:
            same = are_one(a, b)
            return e if same is None else Const(same == (fn == TESTS[0]))
        case Op(fn=fn, args=(Const() | Raw() as a, Const() | Raw() as b)) if fn in TESTS and ir.NONE in (a, b):
            return Const((a == b) == (fn == TESTS[0]))
        case Op(fn=fn, args=(Var(name=name), ir.NONE)) if fn in TESTS and name in present:
            return Const(fn != TESTS[0])
        case Op(fn="operator.not", args=(Const(value=bool()) as inner,)):
            return negate(inner)
        case Op(fn="operator.or" | "operator.and" as fn, args=args):
            return joined(fn == "operator.and", [*args], e.span)
        case Op(fn="operator.ifexp", args=(test, a, b)) if (holds := decided(test)) is not None:
            return a if holds else b
    return e


def loops_in(s: ir.Stmt) -> tuple[Block, ...]:
    return ir.blocks(s) if isinstance(s, ir.For | ir.While) else ()


__all__ = ["without"]
