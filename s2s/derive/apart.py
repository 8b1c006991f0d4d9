"""Parameters that are taken for arrays of their own: the output asserts that they share no memory.

What is written into one array is seen in another that shares its memory: where somebody looks there behind the store.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any

from s2s import algebra, ir
from s2s.analysis.aliases import CONTAINERS, Union, in_common, united, written_by
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Fact, Facts
from s2s.analysis.liveness import live_behind
from s2s.derive.calls import entries
from s2s.derive.context import Context
from s2s.derive.handing import is_update
from s2s.derive.phrases import equals, is_list_of_numbers, shares_nothing
from s2s.ir import Const, Expr, Op, Stmt, Var


def distinct_guards(ctx: Context, outputs: tuple[str, ...]) -> list[Stmt]:
    """Parameters that are written into overlap with no other array that is read behind that.

    outputs: parameters whose final elements are results.
    """
    f, facts = ctx.function, ctx.facts
    stored = [n for n in f.names if n in ctx.aliases.of]
    arrays = [n for n in f.names if facts.is_array(Var(n)) or n in stored]
    found = [{a, b} for a in stored for b in arrays if a != b]
    found += [{a, b} for a, b in seen_behind(ctx, outputs)]
    every = [x for n in f.names for x in (n, *entries(f, n))]
    order = [*stored, *(n for n in every if n not in stored)]
    pairs = [(a, b) for i, a in enumerate(order) for b in every if {a, b} in found and b not in order[:i]]
    computed = operands(ctx, f, ir.NO_NAMES, whole=True) if pairs else set()
    for s in reversed(list(ir.statements(f.body)) if pairs else []):
        match s:
            case ir.Assign(target=target, value=Var(name=name)) if target in computed:
                computed = computed | {name}  # under its second name
    holders = {n for pair in pairs for n in pair if n not in stored and may_be_list(facts, n, computed)}
    numbers = {n for n in f.names if is_list_of_numbers(facts.of(Var(n)), facts)}
    guards: list[Stmt] = []
    for a, b in pairs:
        lists = {n for n in (a, b) if facts.of(Var(n)).kind == "list"}
        others = {facts.of(Var(n)).kind for n in {a, b} - lists}
        if len(lists) == 2 or (others == {"any"} and lists & {*stored, *numbers}):
            guards.append(_other_list(a, b))
        elif not {a, b} & numbers:
            guards.append(_share_nothing(a, b, holders))
    return guards


def _other_list(a: str, b: str) -> Stmt:
    """assert p is not q: what is bound to a place in the one is seen in the other."""
    return ir.Inert("assert", (Op("operator.is_not", (Var(a), Var(b)), form=ir.Form.OPERATOR),))


def own_items(ctx: Context) -> list[Stmt]:
    """Lists whose objects, lists or arrays are changed hold each of them once, and none that is another parameter, or
    lies in one: a change of the one would be seen in the other, of which a derivative has a copy."""
    f, facts = ctx.function, ctx.facts
    out: list[Stmt] = []
    held = {n: fact for n in f.names if (fact := facts.of(Var(n))).kind == "list" and fact.elem is not None}
    changed = [n for n in held if n in ctx.aliases.of and n not in ctx.optional and changes_items(ctx, n, held[n])]
    for n in f.names:  # of a tuple it is known which of its items are numbers
        items = facts.of(Var(n)).items if facts.of(Var(n)).kind == "tuple" and n in ctx.aliases.of else ()
        held_in = tuple(ir.Index(Var(n), Const(k)) for k, item in enumerate(items) if _holds_arrays(facts, item))
        if len(held_in) > 1:
            ids = ir.Comprehension(Op("builtins.id", (Var("v"),)), ((Var("v"), ir.Sequence(held_in), ()),), "set")
            out.append(ir.Inert("assert", (equals(Op("builtins.len", (ids,)), Const(len(held_in))),)))
    for i, n in enumerate(changed):
        out.append(_each_once(Var(n), (Var("v"),), ((Var("v"), Var(n), ()),)))
        others = [m for m in held if m not in (n, *ctx.optional, *changed[:i]) and is_alike(held[n], held[m])]
        out += [ir.Inert("assert", (_apart(n, m),)) for m in others]
        for m in objects_like(f, held[n]):
            differs = Op("operator.is_not", (Var("v"), Var(m)), form=ir.Form.OPERATOR)
            each = ir.Comprehension(differs, ((Var("v"), Var(n), ()),), "generator")
            out.append(ir.Inert("assert", (Op("builtins.all", (each,)),)))
        if arrays := [*_array_fields(Var("v"), held[n].elem, facts, written_fields(ctx, n))]:
            out.append(_each_once(Var(n), tuple(arrays), ((Var("v"), Var(n), ()),)))
    return out


def stored_attributes(f: ir.Function, wrt: Iterable[str]) -> list[Stmt]:
    """Objects of which no class is known hold the attributes that are differentiated: a property is computed from
    others, and these are what the result depends on."""
    known = {name for name, _, _ in f.classes}
    held: dict[str, list[str]] = {}
    for part in dict.fromkeys(x for n in wrt for x in (n, *entries(f, n))):
        owner, dot, attribute = part.rpartition(".")
        if dot and attribute.isidentifier() and owner not in known:
            held.setdefault(owner, []).append(attribute)
    return [
        ir.Inert("assert", (Op("helper._holds", (Var(owner), *(Const(n, repr(n)) for n in names))),))
        for owner, names in held.items()
    ]


def changes_items(ctx: Context, name: str, fact: Fact) -> bool:
    """Whether a function changes what lies in a list: its slots alone may be bound anew, whatever lies in two."""
    elem = fact.elem
    if elem is None or elem.kind not in CONTAINERS:
        return elem is not None and _holds_arrays(ctx.facts, elem) and writes_arrays(ctx, name)
    if elem.kind == "tuple":
        return False
    of = ctx.aliases.of
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Store(target=ir.Index(array=array) as target) if of.get(ir.written_name(target)) == of[name]:
                owner = ctx.facts.of(array)
                if (
                    owner.kind != "list"
                    or owner.elem is None
                    or (owner.elem.kind, owner.elem.keys)
                    != (
                        elem.kind,
                        elem.keys,
                    )
                ):
                    return True
            case ir.Append(array=array) if array != name and of.get(array) == of[name]:
                return True
        if any(ctx.written(n) for n in ir.nodes(s) if isinstance(n, Op)):
            return True
    return False


def _each_once(items: Expr, parts: tuple[Expr, ...], clauses: ir.Clauses) -> Stmt:
    """assert len({id(v) for v in rows}) == len(rows), or len({id(p) for v in rows for p in (v.a, v.b)}) == ..."""
    count: Expr = Op("builtins.len", (items,))
    if len(parts) > 1:
        count = algebra.op(algebra.MULTIPLY, ir.Const(len(parts)), count)
        clauses, parts = (*clauses, (Var("p"), ir.Sequence(parts), ())), (Var("p"),)
    every = ir.Comprehension(Op("builtins.id", parts), clauses, "set")
    return ir.Inert("assert", (equals(Op("builtins.len", (every,)), count),))


def _apart(a: str, b: str) -> Expr:
    """not {id(v) for v in a} & {id(v) for v in b}"""
    v = Var("v")
    one, other = (ir.Comprehension(Op("builtins.id", (v,)), ((v, Var(n), ()),), "set") for n in (a, b))
    both = Op("numpy.bitwise_and", (one, other), form=ir.Form.OPERATOR)
    return Op("operator.not", (both,), form=ir.Form.OPERATOR)


def objects_like(f: ir.Function, of: Fact) -> list[str]:
    """The parameters, and parts of them, that are objects with the attributes of those in a list."""
    keys = of.elem.keys if of.elem is not None and of.elem.is_object else ()
    return [path for path, _, names in f.classes if keys and tuple(map(str, keys)) == names]


def is_alike(a: Fact, b: Fact) -> bool:
    """Whether an item of one list may be one of another list: of objects, by their attributes."""
    return a.elem is not None and b.elem is not None and (a.elem.kind, a.elem.keys) == (b.elem.kind, b.elem.keys)


def _array_fields(e: Expr, fact: Fact | None, facts: Facts, written: Container[object] | None) -> Iterator[Expr]:
    """The parts of an object that are arrays, or are written as such; none where no arrays are written."""
    for key, item in zip(fact.keys, fact.items, strict=True) if fact is not None and fact.is_object else ():
        array = item.kind not in (*NOT_DIFFERENTIABLE, *CONTAINERS) and facts.shapes(item.shape).rank != 0
        if written is not None and array and (key in written or not item.whole):
            yield ir.Index(e, ir.Const(key))


def written_fields(ctx: Context, name: str) -> set[object] | None:
    """The attributes of objects in a list under which arrays lie that a function writes into; None where it writes into
    none."""
    if not writes_arrays(ctx, name):
        return None
    read = {
        s.target: s.value.key.value
        for s in ir.statements(ctx.function.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Index) and isinstance(s.value.key, ir.Const)
    }
    targets = [s.target.array for s in ir.statements(ctx.function.body) if isinstance(s, ir.Store)]
    return {read[e.name] for e in targets if isinstance(e, Var) and e.name in read}


def writes_arrays(ctx: Context, name: str) -> bool:
    """Whether a function writes into arrays that lie in the items of a list, by their elements."""
    of = ctx.aliases.of
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Store(target=target) if ctx.facts.of(target.array).kind not in CONTAINERS:
                if of.get(ir.written_name(target)) == of[name]:
                    return True
        if any(ctx.written(n) for n in ir.nodes(s) if isinstance(n, Op)):
            return True
    return False


def _share_nothing(a: str, b: str, holders: set[str]) -> Stmt:
    if a in holders:
        a, b = b, a  # what is written into is an array
    shared = "helper._overlaps" if b in holders else "numpy.shares_memory"
    return shares_nothing(Var(a), Var(b), shared)


def seen_behind(ctx: Context, outputs: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """(a parameter that is written into, one whose elements are read behind that): both may be lists or hold arrays."""
    f, facts = ctx.function, ctx.facts
    lists = {n for n in f.names if facts.of(Var(n)).kind == "list"}
    every = [x for n in f.names for x in entries(f, n) or [n]]
    may_be = [x for x in every if x in lists or may_be_array(facts, x) or may_hold_arrays(facts, x)]
    if len(may_be) < 2:
        return
    union, _ = united(f, facts, updates=True)
    shared = in_common(f, facts)
    arrays = {n for n in may_be if n in outputs or n in lists or facts.is_array(Var(n))}
    arrays |= behind_names(shared, may_be, operands(ctx, f, frozenset()))
    live = live_behind(f)
    for s in ir.statements(f.body):
        targets = set(written_by(s, facts))
        if isinstance(s, ir.Assign) and is_update(s):
            assert isinstance(s.value, Op)
            targets |= {v.name for v in s.value.args[:1] if isinstance(v, Var) and not facts.is_scalar(v)}
        written = {p for p in may_be for name in targets if union.find(p) == union.find(name)}
        if not written:
            continue
        later = live[id(s)] | frozenset(outputs)
        if not isinstance(s, ir.Store):  # a helper may read what it has written
            later |= frozenset().union(*(ir.reads(c) for c in ir.helper_calls(*ir.expressions(s))))
        for b in sorted(behind_names(shared, may_be, later)):
            yield from ((a, b) for a in sorted(written) if a != b and b in arrays)


def behind_names(union: Union, params: Iterable[str], names: Iterable[str]) -> set[str]:
    """The parameters that some names may share memory with."""
    found = {union.find(name) for name in names}
    return {p for p in params if union.find(p) in found}


def may_be_array(facts: Facts, name: str) -> bool:
    fact = facts.of(Var(name))
    return fact.kind not in (*NOT_DIFFERENTIABLE, *CONTAINERS) and not facts.is_scalar(Var(name))


def may_hold_arrays(facts: Facts, name: str) -> bool:
    """Whether a parameter is or may be a list, tuple or dict, with arrays in it as far as is known."""
    fact = facts.of(Var(name))
    return name in facts.open or (fact.kind in CONTAINERS and _holds_arrays(facts, fact))


def may_be_list(facts: Facts, name: str, computed: set[str]) -> bool:
    """Whether nothing says that a parameter is an array; computed: the names with which NumPy computes."""
    fact = facts.of(Var(name))
    unknown = fact.kind == "any" and facts.shapes(fact.shape).rank is None and name not in computed
    return unknown or may_hold_arrays(facts, name)


def _holds_arrays(facts: Facts, fact: Fact) -> bool:
    if fact.kind in CONTAINERS:
        held = (*fact.items, *([fact.elem] if fact.elem else []))
        return not held or any(_holds_arrays(facts, x) for x in held)
    return fact.kind not in NOT_DIFFERENTIABLE and facts.shapes(fact.shape).rank != 0


# What NumPy makes one array of may be a list of arrays.
NAMES = """
    array asanyarray asarray block column_stack concatenate dstack hstack meshgrid row_stack stack vstack
"""
JOINS = frozenset(f"numpy.{n}" for n in NAMES.split())


def operands(ctx: Context, f: ir.Function, inside: frozenset[str], whole: bool = False) -> set[str]:
    """The names that NumPy computes with, stores, or takes a part of. whole: those of arrays only, not of lists of
    arrays; otherwise also the names of what holds them.

    inside: the helpers that have been entered.
    """
    found: list[Expr] = []
    for s in ir.statements(f.body):
        if isinstance(s, ir.Store) and (f is not ctx.function or ctx.facts.of(s.target.array).kind not in CONTAINERS):
            found.append(s.value)
        for n in ir.nodes(s):
            match n:
                case Op(fn=fn, args=args) if fn.startswith("numpy."):
                    joins = fn in JOINS or any(isinstance(a, ir.Sequence) for a in args)
                    found += () if whole and joins else args
                case Op(fn=fn, args=args, options=options) if fn.startswith("local.") and fn not in inside:
                    helper = ctx.calls.prepare(fn[6:]).function
                    names = operands(ctx, helper, inside | {fn}, whole)
                    given = [*zip((p.name for p in helper.params if p.by_position), args, strict=False), *options]
                    union = Union() if whole else in_common(helper, None)
                    for p, e in given:
                        parts = behind_names(union, (p, *entries(helper, p)), names)
                        found += [_part(e, ir.keys_of(x)) for x in parts]
                case ir.Index(array=array, key=key) if any(
                    isinstance(k, ir.Slice) or k == ir.ELLIPSIS for k in ir.key_items(key)
                ):
                    found += () if whole and not isinstance(key, ir.Sequence) else (array,)
    names = {e.name for e in found if isinstance(e, Var)}
    for s in ir.statements(f.body) if whole else ():  # NumPy computes with a slice
        match s:
            case ir.Assign(target=part, value=ir.Index(array=Var(name=name), key=ir.Slice())) if part in names:
                names.add(name)
    return names


def _part(e: Expr, keys: tuple[Any, ...]) -> Expr:
    """What stands under some keys in a display of a dict or of an object's attributes: `{"w": m.w}`."""
    for key in keys:
        match e:
            case ir.Dict(keys=names, values=values) if ir.Const(key) in names:
                e = values[names.index(ir.Const(key))]
            case _:
                return e
    return e


__all__ = ["distinct_guards", "own_items", "writes_arrays"]
