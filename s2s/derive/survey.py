"""What the reverse of a function needs to know of the function as a whole, found once for all of its exits."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from s2s import ir
from s2s.algebra import ADD, MULTIPLY, NEGATIVE, SUBTRACT, ZERO, negated
from s2s.analysis.aliases import CONTAINERS, values_read
from s2s.analysis.assigned import definitely
from s2s.analysis.containers import containers, is_cut, is_name, is_zeros, items_put, root_of, uses
from s2s.analysis.facts import FLOATING, Facts, holds_mixed, is_mixed, lacking
from s2s.analysis.heap import taken_from_others
from s2s.analysis.liveness import behind_bindings
from s2s.analysis.transfer import key_kind, key_parts
from s2s.derive.context import Context
from s2s.derive.distinct import picks_items
from s2s.derive.handing import handed
from s2s.derive.owned import held
from s2s.derive.phrases import displayed, dot, is_list_of_numbers
from s2s.ir import Assign, Const, Expr, Index, Op, Stmt, Var

Names = frozenset[str]

WHOLE_OF_WHOLES = frozenset(  # of whole numbers, these make whole numbers
    f"numpy.{n}"
    for n in """
    absolute add amax amin array asarray atleast_1d atleast_2d broadcast_to clip column_stack concatenate copy cumprod
    cumsum diag dot expand_dims flip full full_like hstack inner kron matmul maximum minimum multiply negative ones_like
    outer positive power prod ravel remainder repeat reshape roll sort square squeeze stack subtract sum tile transpose
    vstack where zeros_like
    """.split()  # noqa: SIM905
)

PLACES = (ADD, SUBTRACT, MULTIPLY, NEGATIVE, "numpy.floor_divide", "numpy.remainder", "builtins.len")


@dataclass
class Survey:
    """Facts of a function that do not depend on where the reverse sweep stands."""

    maybe_integer: set[str]  # variables that may hold a whole number somewhere
    sensitive: set[str]  # lists that the reverse sweep takes apart from their end
    bound_before: dict[int, frozenset[str]]  # of each if and loop, by id: what is surely bound
    bound_after: dict[int, frozenset[str]]
    bound_head: dict[int, frozenset[str]]
    parents: dict[str, Op] = field(default_factory=dict)  # the operation that reads a group temporary
    unpacked: set[str] = field(default_factory=set)  # their items may be numbers, of an array or a list
    careful: set[str] = field(default_factory=set)  # updated item by item: an integer zero array would truncate
    filled: set[str] = field(default_factory=set)  # they have an item: one is read in each run
    list_index: dict[str, tuple[str, int]] = field(default_factory=dict)  # filled by a loop: (its index, items before)
    history: dict[str, Expr] = field(default_factory=dict)  # the length of such a list
    items: dict[str, Index] = field(default_factory=dict)  # names that stand for items of containers: what they are
    upwards: frozenset[str] = frozenset()  # indices of loops, from 0 or above
    extents: set[str] = field(default_factory=set)  # names that are bound once, to the length of an axis
    arrays: frozenset[str] = frozenset()  # of which items are read by keys that only arrays take
    texts: set[str] = field(default_factory=set)  # names that are a text, or a key, in one place
    shortened: set[str] = field(default_factory=set)  # lists that lose their first or last item somewhere
    taken: dict[int, Expr | None] = field(
        default_factory=dict
    )  # by id of what shortens a list that has items: the item, if it is bound
    given: frozenset[str] = frozenset()  # what may be, or hold, an object that the caller has given
    absent: frozenset[str] = frozenset()  # what may be None where the reverse sweep asks for a zero
    second: frozenset[str] = frozenset()  # names that are bound to one another: the adjoint of one is added to others
    records: dict[str, ir.Record] = field(default_factory=dict)  # items of `Function.records`
    kept: frozenset[str] = frozenset()  # lists that the function fills with values of names of `containers`
    moved: frozenset[str] = frozenset()  # items of these, and of `containers`, that are only put elsewhere
    containers: frozenset[str] = frozenset()  # of a kind that is not known: arrays, or lists, dicts and objects of them


def given_objects(ctx: Context, open_: frozenset[str]) -> frozenset[str]:
    """The parameters, and names that may be bound to one of them or to what lies in one: items of arrays are new."""
    hands = functools.partial(handed, ctx.calls)
    found = set(ctx.function.names)

    def is_given(e: Expr) -> bool:
        if isinstance(e, Op) and e.fn.startswith("scipy."):
            return False
        array = e.array if isinstance(e, Index) else e
        if isinstance(array, Var) and (isinstance(e, Index) or ctx.facts.is_array(e)):
            closed = array.name not in open_ and not ir.is_part(array.name)
            if closed and ctx.facts.of(array).kind not in CONTAINERS:
                return False
        return any(n in found or ir.is_part(n) for n in held(e, hands))

    while True:
        before = len(found)
        for s in ir.statements(ctx.function.body):
            match s:
                case Assign(value=value) | ir.Unpack(value=value) | ir.For(iterable=value):
                    targets = ir.binds(s) if not isinstance(s, ir.For) else ir.target_names(s.target)
                case ir.Append(array=name, value=value):
                    targets = (name,)
                case ir.Store(target=target, value=value) if not s.update:
                    targets = (ir.written_name(target),)
                case _:
                    continue
            if not found.issuperset(targets) and is_given(value):
                found.update(targets)
        if len(found) == before:
            return frozenset(found)


def survey(ctx: Context) -> Survey:
    """The survey of the function of `ctx`, made when it is first asked for: the facts are final then."""
    if ctx.survey is not None:
        assert isinstance(ctx.survey, Survey)
        return ctx.survey
    ctx.sensitive = sensitive_lists(ctx)
    out = Survey(maybe_integers(ctx), ctx.sensitive, *definitely(ctx.function))
    find_histories(ctx.function.body, ctx, out)
    find_taken(ctx.function.body, out)
    out.texts = {
        s.target
        for s in ir.statements(ctx.function.body)
        if isinstance(s, Assign) and ctx.facts.of(s.value).kind in ("str", "other")
    }
    out.containers, out.arrays, out.kept, out.moved = open_containers(ctx)
    out.items = fixed_items(ctx, out.containers)
    out.upwards = frozenset(upward_indices(ctx))
    out.records = object_records(ctx) | item_records(ctx)
    out.given = given_objects(ctx, out.containers)
    out.absent = maybe_none(ctx)
    for s in ir.statements(ctx.function.body):
        if isinstance(s, Assign | ir.Unpack) and is_extent(s.value, ctx, whole=isinstance(s, ir.Unpack)):
            out.extents |= {n for n in ir.binds(s) if ctx.definitions[n] == 1}
        if isinstance(s, Assign) and (cut := ir.cut(s.value)) and ctx.facts.of(Var(cut[0])).kind == "list":
            out.shortened.add(cut[0])
        if isinstance(s, ir.Unpack) and isinstance(s.value, Var) and is_single(ctx, Index(s.value, Const(0))):
            out.unpacked.add(s.value.name)
        for e in ir.expressions(s):
            for n in ir.walk(e):
                match n:
                    case Op(args=args):
                        out.parents.update((a.name, n) for a in args if isinstance(a, Var) and a.name in ctx.temps)
                    case Index(array=Var(name=name)) if may_be_single(ctx, n) or picks_items(ctx, n):
                        out.careful.add(name)
    out.careful |= added_to(ctx)
    second = [
        (s.target, s.value.name)
        for s in ir.statements(ctx.function.body)
        if isinstance(s, Assign) and isinstance(s.value, Var)
    ]
    out.second = frozenset(n for pair in second for n in pair)
    while new := {n for pair in second if not out.careful.isdisjoint(pair) for n in pair} - out.careful:
        out.careful |= new  # the adjoint of the one becomes that of the other
    for s in ctx.function.body:
        reads = list(ir.nodes(s)) if isinstance(s, Assign | ir.Unpack | ir.Return) else []
        if not any(isinstance(e, ir.Comprehension) or (isinstance(e, Op) and e.fn in PARTIAL) for e in reads):
            out.filled |= {name for e in reads if (name := fixed_item(e, ctx))}
    ctx.survey = out
    return out


def added_to(ctx: Context) -> set[str]:
    """Arrays to parts of whose adjoints the reverses of helpers may add: see `Pull.added_to`."""
    found: set[str] = set()
    inside = {
        id(t)
        for s in ir.statements(ctx.function.body)
        if isinstance(s, ir.For | ir.While)
        for t in ir.statements(s.body)
    }
    for s in ir.statements(ctx.function.body):
        for call in ir.helper_calls(*ir.expressions(s)):
            name = call.fn[6:]
            if name in ctx.calls.source.functions and (id(s) in inside or ctx.calls.calls_itself(name)):
                parts = ctx.calls.read_in_parts(name)
                found |= {e.name for p, e in ctx.calls.given(call).items() if p in parts and isinstance(e, Var)}
    return {n for n in found if ctx.definitions[n] == 1}


PARTIAL = ("operator.ifexp", "operator.and", "operator.or", ir.LAMBDA)  # not all of their operands are computed


def fixed_item(e: Expr, ctx: Context) -> str:
    """The parameter, bound to nothing else, of which an expression reads an item under a literal number."""
    match e:
        case Index(array=Var(name=name), key=Const(value=int())) if ctx.definitions[name] == 1:
            return name if name in ctx.function.names else ""
    return ""


def maybe_none(ctx: Context) -> frozenset[str]:
    """Names that are bound to None somewhere, to such a name or to its zero: `best = None` before a loop that looks
    for it; and to an item of a list that such a name is appended to."""
    found: set[str] = set(ctx.late)
    lists: set[str] = set()

    def is_none(e: Expr) -> bool:
        match e:
            case Const(value=None):
                return True
            case Var(name=name):
                return name in found
            case Op(fn="operator.ifexp", args=(_, a, b)):
                return is_none(a) or is_none(b)
            case Op(fn="helper._zeros_like", args=(of,)):
                return is_none(of)
            case Index(array=Var(name=name)):
                return name in lists
        return False

    while True:
        before = len(found) + len(lists)
        for s in ir.statements(ctx.function.body):
            match s:
                case Assign(target=name, value=value) if is_none(value):
                    found.add(name)
                case ir.Unpack(targets=targets, value=ir.Sequence(items=items)) if len(targets) == len(items):
                    found |= {t for t, e in zip(targets, items, strict=True) if is_none(e)}
                case ir.Append(array=name, value=value) if is_none(value):
                    lists.add(name)
        if len(found) + len(lists) == before:
            return frozenset(found)


def may_lack(ctx: Context, e: Expr) -> bool:
    """Whether a container, or one inside of it, may be None: its adjoint is the number 0.0 there."""
    while isinstance(e, Op) and e.fn == "helper._zeros_like":
        e = e.args[0]
    fact = ctx.facts.of(e)
    if isinstance(e, Var) and fact.kind in CONTAINERS and e.name in survey(ctx).absent | ctx.optional:
        return True
    return lacking(fact)


def is_sum_of_wholes(ctx: Context, s: ir.Store) -> bool:
    """Whether a slot gets the sum of what lies there and something else, of which only the run knows what it is."""
    value, fact = ctx.tree(s.value), ctx.facts.of(s.target)
    if s.update == "at":  # as `_add_at` does it
        kinds = {key_kind(ctx.tree(k), ctx.facts) for k in ir.key_items(s.target.key)}
        if not kinds <= {"int", "str", "any"}:
            return False  # of an array
        return isinstance(value, Op) and value.form is ir.Form.OPERATOR and fact.whole
    return isinstance(value, Op) and value.fn == "helper._added" and fact.kind == "any"


def scattered(ctx: Context, s: ir.Store, tangent: bool = False) -> Stmt:
    """np.add.at as a statement, for what may be a list or a dict, too. tangent: what is written is that of a name."""
    if s.update != "at":
        return s
    known = survey(ctx).containers
    if ir.written_name(s.target) not in (set(map(dot, known)) if tangent else known):
        return s
    match s.value:
        case Op(fn="numpy.add" | "numpy.subtract" as fn, args=(_, e)):
            more = e if fn == "numpy.add" else negated(e)
            args = (s.target.array, ir.as_value(s.target.key), more)
            return ir.Inert("", (Op("helper._add_at", args),), s.origin)
    return s


def is_extent(e: Expr, ctx: Context, whole: bool = False) -> bool:
    """Whether an expression asks for the length of an axis; with `whole`, for the lengths of all axes."""
    match e:
        case Var(name=name) if name in ctx.temps:
            return is_extent(ctx.temps[name], ctx, whole)
        case ir.Attribute(name="shape") | Op(fn="numpy.shape"):
            return whole
        case Index(array=array):
            return not whole and is_extent(array, ctx, whole=True)
        case ir.Attribute(name="size") | Op(fn="builtins.len" | "numpy.size"):
            return not whole
    return False


def maybe_integers(ctx: Context) -> set[str]:
    """Variables that are given a whole number somewhere, though they carry a derivative, and what is copied of them: a
    caller may give 1 for 1.0 where it is not known to be an array, which has a dtype of its own."""
    whole = ("int", "bool")
    facts = ctx.facts
    found: set[str] = set()
    copies: list[tuple[str, Expr]] = []
    put: list[tuple[str, Expr]] = []  # into lists, dicts and objects
    read: set[str] = set()
    with_items: set[str] = set()

    def may_be_whole(e: Expr, found: set[str]) -> bool:
        """Whether a value is made of such variables and of whole numbers alone."""
        match e:
            case Const():
                return facts.of(e).kind in whole
            case Var(name=name):
                return name in found or facts.of(e).kind in whole
            case Index(array=array):
                return may_be_whole(array, found)
            case ir.Sequence(items=items):
                return all(may_be_whole(i, found) for i in items)
            case Op(fn=fn, args=args, options=options) if fn in WHOLE_OF_WHOLES and "dtype" not in dict(options):
                return all(may_be_whole(a, found) for a in args)
            case Op(fn=fn, args=args) if fn.startswith("local."):  # which may hand it back
                return facts.of(e).kind != "float" and any(may_be_whole(a, found) for a in args)
        return False

    def closed(found: set[str], made: list[tuple[str, Expr]]) -> set[str]:
        def is_new(name: str, e: Expr) -> bool:
            return name not in found and not found.isdisjoint(ir.reads(e)) and may_be_whole(e, found)

        while new := {n for n, e in made if is_new(n, e)}:
            found |= new
        return found

    for s in ir.statements(ctx.function.body):
        match s:
            case Assign(target=name, value=value) | ir.Append(array=name, value=value):
                copies.append((name, value))
                put += [(name, e) for e in displayed(value)]
            case ir.Store(target=target, value=value):
                put += [(ir.written_name(target), e) for e in displayed(value)]
            case ir.Unpack(value=value) | ir.For(iterable=value):
                copies += [
                    (name, value) for name in (ir.target_names(s.target) if isinstance(s, ir.For) else s.targets)
                ]
        match s:
            case Assign() if ctx.definitions[s.target] > 1 and facts.of(s.value).kind in whole:
                found.add(s.target)
            case Assign(value=Op(fn=fn) as e) | ir.Unpack(value=Op(fn=fn) as e) if fn.startswith("local."):
                if ctx.calls.may_return_whole(e, facts):
                    found.update(ir.binds(s))
            case ir.Append() if facts.of(s.value).kind in whole:
                found.add(s.array)
            case ir.Store(target=Index(array=Var(name=name) as array), value=value) if (
                facts.of(array).kind == "list" and facts.of(value).kind in whole
            ):
                found.add(name)  # `best = [float("-inf") for _ in x]; best[0] = 0`
            case Assign(target=name, value=ir.Sequence(kind="list", items=items)):
                if any(facts.of(i).kind in whole for i in items):  # floats may be appended
                    found.add(name)
        nodes = [*ir.nodes(s), *(ir.walk(s.target) if isinstance(s, ir.Store) else ())]
        read |= {e.name for e in nodes if isinstance(e, Var)}
        with_items |= {e.array.name for e in nodes if isinstance(e, Index) and isinstance(e.array, Var)}

    def is_open(name: str) -> bool:
        return facts.of(Var(name)).kind in FLOATING and facts.ndim(Var(name)) in (None, 0)

    found = closed(found, copies)
    given = set(filter(is_open, {*ctx.function.names, *filter(ir.is_part, read)}))
    given |= {n for n in ctx.function.names if is_list_of_numbers(facts.of(Var(n)), facts)}
    more = closed(found | given, copies + put) - found
    built = {n for n, e in copies if isinstance(e, Op) and facts.of(Var(n)).kind in FLOATING and n in more}
    built -= {*ctx.function.names, *given}
    return found | {
        n for n in more if facts.of(Var(n)).kind in CONTAINERS or n in built or (is_open(n) and n not in with_items)
    }


def open_containers(ctx: Context) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """The names of a function that may hold lists, dicts or objects, those that hold arrays by their keys, lists that
    it fills with values of the former, and items of these that it only puts elsewhere."""
    facts = ctx.facts
    found = uses(ctx.function, ctx.temps, facts, ctx.calls.holding)
    zeros = {n for n, values in found.made.items() if all(map(is_zeros, values)) or facts.of(Var(n)).whole}
    zeros |= {n for n, values in found.made.items() if all(is_zeros(e) or is_name(zeros)(e) for e in values)}
    found.other |= ctx.aliases.of.keys() - zeros
    given = [n for n in ctx.function.names if n not in facts.given or facts.given[n].shape.rank is None]
    named = {e.name for values in found.made.values() for e in values if isinstance(e, Var)}  # `boxes = par["boxes"]`
    given += [n for n in sorted(found.read | named) if ir.is_part(n) and facts.of(Var(n)).shape.rank is None]
    given += sorted(n for n in results(ctx, found.made) if not facts.is_array(Var(n)))
    made = made_whole(ctx, found.made)
    known = {n for n, fact in facts.names.items() if fact.kind in ("list", "tuple", "dict")}
    held = containers(found, lambda name: facts.of(Var(name)).kind == "any", given, known)
    held |= made - ctx.aliases.of.keys()
    whole = found.other - (found.returned - ctx.aliases.of.keys())
    mixed = {n for n in (found.read | found.returned) - whole if is_mixed(facts.of(Var(n)))}
    mixed |= beside_lists(ctx)
    mixed |= {n for n, fact in facts.names.items() if fact.whole and n not in whole | ctx.temps.keys()}
    held |= mixed
    held |= sums_of(ctx, held, found.made)
    put = {n: [x for e in values for x in items_put(e)] for n, values in found.made.items() if is_list(facts, n)}
    put |= {n: [*put.get(n, []), *values] for n, values in found.filled.items()}
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Store(target=Index(array=Var(name=n)), value=value, update="") if is_list(facts, n):
                put.setdefault(n, []).append(value)
    put = {n: [ctx.tree(e) for e in values] for n, values in put.items()}
    lists: set[str] = set()
    while True:
        known_lists = held | lists
        items = {n for n, values in found.made.items() if any(may_lie_in(e, known_lists, facts) for e in values)}
        more = {n for n, values in put.items() if any(may_lie_in(e, known_lists | items, facts) for e in values)}
        for n, values in found.made.items():  # a part of such a list, or a second name of it, is one, too
            if any(root_of(e) in lists | held for e in values if is_cut(e) or isinstance(e, Var)) and is_list(facts, n):
                more.add(n)
        if more <= lists:
            return held, frozenset(found.surely), frozenset(lists), frozenset(items - found.other)
        lists |= more


def is_list(facts: Facts, name: str) -> bool:
    return facts.of(Var(name)).kind in ("list", "tuple")


def may_lie_in(e: Expr, held: Collection[str], facts: Facts) -> bool:
    """Whether an expression may be a list, a dict or an object by its name, or as an item of what has one, or has such
    an item."""
    if isinstance(e, ir.Sequence):
        return any(may_lie_in(i, held, facts) for i in e.items)
    if not isinstance(e, Index) or isinstance(e.key, ir.Slice):
        return isinstance(e, Var) and e.name in held
    of: Expr = e
    while isinstance(of, Index) or (isinstance(of, Op) and of.args):
        of = of.array if isinstance(of, Index) else of.args[0]
    within = of.name if isinstance(of, Var) else ""
    may_be_list = facts.of(e).kind == "any" and not facts.is_scalar(e)
    return may_be_list and (ir.root_name(within) in held if within else may_lie_in(of, held, facts))


def sums_of(ctx: Context, names: Collection[str], values: dict[str, list[Expr]]) -> set[str]:
    """The names of what has the structure of one of the given names: sums with it, what is added to it, and zeros."""

    def structured(e: Expr) -> Iterator[str]:
        match e:
            case Var(name=name):
                yield name
                if name in ctx.temps:
                    yield from structured(ctx.temps[name])
            case Op(fn="helper._added" | "helper._zeros_like", args=args):
                for a in args:
                    yield from structured(a)

    alike = [{n, *structured(e)} for n, given in values.items() for e in given if isinstance(e, Op)]
    found = set(names)
    while more := {n for group in alike if not found.isdisjoint(group) for n in group} - found:
        found |= more
    return {n for n in found.difference(names) if ctx.facts.of(Var(n)).kind == "any"}


def beside_lists(ctx: Context) -> set[str]:
    """The names whose object may be one that is a list in one place, and an array or what the caller gives in another:
    `w = u`, then `w = [x * v for v in w]`. Of `u`, too, it is only known by the run what it is."""
    facts = ctx.facts
    groups: dict[str, set[str]] = {}

    def join(names: set[str]) -> None:
        whole = set().union(*(groups.get(n, {n}) for n in names))
        groups.update(dict.fromkeys(whole, whole))

    def objects(e: Expr) -> set[str]:
        """The names of what a value itself may be."""
        match e:
            case Var(name=name):
                return objects(ctx.temps[name]) if name in ctx.temps else {name}
            case Op(fn="operator.ifexp", args=(_, a, b)):
                return objects(a) | objects(b)
            case Op(fn=fn) if fn.startswith("local."):
                return set().union(*map(objects, handed(ctx.calls, e)))
            case Index(array=Var(name=name), key=Const(value=int(at))):
                shown = ctx.definition(name)
                if isinstance(shown, ir.Sequence) and not shown.starred and -1 < at < len(shown.items):
                    return objects(shown.items[at])
        return set()

    puts: set[str] = set()
    for s in ir.statements(ctx.function.body):
        match s:
            case Assign(target=target, value=value) if target not in ctx.temps:
                join({target} | objects(value))
                if isinstance(value, ir.Sequence) and holds_mixed(facts.of(Var(target))):
                    puts.update(*map(objects, value.items))
            case ir.Append(array=name, value=value) if holds_mixed(facts.of(Var(name))):
                puts |= objects(value)
            case ir.Store(target=target, value=value) if is_mixed(facts.of(target)):
                puts |= objects(value)
    join(puts)
    either = {m for n, names in groups.items() if n in puts or is_mixed(facts.of(Var(n))) for m in names}
    return {n for n in either if facts.of(Var(n)).kind == "any"}  # a list, too, has the rank that is asserted


def results(ctx: Context, values: dict[str, list[Expr]]) -> set[str]:
    """The names that are bound to what functions of the program return, and to nothing else but None, or 0.0 for its
    tangent: of what kind that is may not be known. values: what names are bound to, without those that are unpacked."""

    def is_result(e: Expr) -> bool:
        return isinstance(e, Op) and e.fn.startswith("local.")

    unpacked = [s for s in ir.statements(ctx.function.body) if isinstance(s, ir.Unpack)]
    found = {t for s in unpacked if is_result(s.value) for t in s.targets}
    others = {t for s in unpacked if not is_result(s.value) for t in s.targets}
    found |= {n for n, given in values.items() if any(map(is_result, given))}
    return {
        n
        for n in found - others
        if all(is_result(e) or isinstance(e, Var) or e in (ir.NONE, ZERO) for e in values.get(n, ()))
    }


def made_whole(ctx: Context, values: dict[str, list[Expr]]) -> set[str]:
    """Names of dicts whose keys are known when the function runs, of what helpers return in the structure of an
    argument, and of sums of such."""
    items = {
        (t, i): s.value
        for s in ir.statements(ctx.function.body)
        if isinstance(s, ir.Unpack) and s.starred < 0
        for i, t in enumerate(s.targets)
    }
    unpacked = {t for (t, i), value in items.items() if ctx.calls.is_keyed(value, i)}
    unpacked -= {t for (t, i), value in items.items() if not ctx.calls.is_keyed(value, i)}
    known = {n for n in unpacked if n not in values}

    def is_made(e: Expr) -> bool:
        match e:
            case Var(name=name) if name in ctx.temps:
                return is_made(ctx.temps[name])
            case Var(name=name):
                return name in known
            case Op(fn="helper._added", args=args):
                return any(map(is_made, args))
        return ctx.calls.is_keyed(e)

    while True:
        more = {n for n, given in values.items() if n not in known and any(map(is_made, given))}
        if not more:
            break
        known |= more
    return known - {n for n, given in values.items() if not all(map(is_made, given))}


def object_records(ctx: Context) -> dict[str, ir.Record]:
    """The names that stand for what a caller gives, or for an object that is made of it: `q if isinstance(q, Dual) else
    Dual(q)`. Whether such objects can be changed does not matter to their cotangents."""
    found: dict[str, ir.Record] = {}
    others: set[str] = set()
    for s in ir.statements(ctx.function.body):
        match s:
            case Assign(target=name, value=ir.Dict(keys=keys, made=cls)) if (
                cls and ctx.facts.of(Var(name)).kind == "any"
            ):
                fields = tuple((k.value, ()) for k in keys if isinstance(k, Const) and isinstance(k.value, ir.Attr))
                others |= {name} if found.setdefault(name, fields) != fields or len(fields) < len(keys) else set()
            case Assign(value=Var()):
                pass
            case _:
                others |= {*ir.binds(s)}
    return {name: record for name, record in found.items() if name not in others}


def item_records(ctx: Context) -> dict[str, ir.Record]:
    """The names that are bound to items of lists of objects that can't be changed."""
    lists = dict(ctx.function.records)
    found: dict[str, ir.Record] = {}
    others: set[str] = set()
    for s in ir.statements(ctx.function.body) if lists else ():
        match s:
            case Assign(target=name, value=Index(array=Var(name=of), key=key)) if of in lists and not isinstance(
                key, ir.Slice
            ):
                others |= {name} if found.setdefault(name, lists[of]) != lists[of] else set()
            case _:
                others |= {*ir.binds(s)}
    return {name: record for name, record in found.items() if name not in others}


def fixed_items(ctx: Context, containers: frozenset[str]) -> dict[str, Index]:
    """Names that are bound once, to an item of a container that is bound once, and whose place there is known later:
    `row = rows[i]`, for the index i of a loop, `body = pairs[i][0]`, and `last = rows[n - 1 - i]`."""
    counted = {
        s.target.name
        for s in ir.statements(ctx.function.body)
        if isinstance(s, ir.For) and isinstance(s.target, Var) and ctx.definitions[s.target.name] == 1
    }
    found: dict[str, Index] = {}
    shrunk = shrunk_lists(ctx)

    every = list(ir.statements(ctx.function.body))
    longer = {s.array for s in every if isinstance(s, ir.Append)}
    unknown = bool(taken_from_others(every))  # lists that get longer under other names
    live = behind_bindings(ctx.function.body)

    def stays(item: Index, of: str) -> bool:
        """Whether an item is the same part of a container later: no slot on the way is bound again, and the last one
        of a list that gets longer is another one then."""
        whole = ctx.tree(item)
        last = any(isinstance(e, Index) and counts_from_end(e.key, counted) for e in ir.walk(whole))
        if last and (unknown or not longer.isdisjoint(ir.reads(whole))):
            return False
        names = ir.reads(ctx.tree(ctx.temps[of])) if of in ctx.temps else frozenset[str]()
        return not (names & (ctx.aliases.of.keys() | shrunk)) and all(ctx.definitions[n] < 2 for n in names)

    def moves(item: Index, name: str) -> bool:
        """Whether the place of an item may be another one where the name is read: a loop moves its index on before."""
        whole = ctx.expanded(item)
        names = ir.reads(whole)
        measured = any(isinstance(e, Op) and e.fn == "builtins.len" for e in ir.walk(whole))
        if measured and unknown:
            return True
        return any(name in live[id(s)] for s in every if not names.isdisjoint((*ir.binds(s), *ir.resized(s))))

    def is_container(e: Expr) -> bool:
        if isinstance(e, Var) and e.name in containers:
            return True
        return isinstance(e, Var | Index) and ctx.facts.of(e).kind in ("list", "tuple", "dict")

    def is_known(key: Expr) -> bool:
        whole = ctx.tree(key)
        parts = [e for e in ir.walk(whole) if not isinstance(e, Const)]
        computed = all(isinstance(e, Var) or (isinstance(e, Op) and e.fn in PLACES) for e in parts)
        number = ctx.facts.of(whole).kind == "int" and ctx.facts.is_scalar(whole)
        return (computed and number) or isinstance(key, Const) or is_counted(key, counted)

    for s in every:
        match s:
            case Assign(target=name, value=Index(array=Var(name=of), key=ir.Slice(step=None)) as cut, constant=False):
                plain = name not in ctx.temps and not {name, of} & (ctx.aliases.of.keys() | longer | shrunk)
                plain = plain and not unknown and name != of and ctx.definitions[name] == 1
                if plain and is_container(Var(of)) and not moves(cut, name):
                    found[name] = cut
            case Assign(target=name, value=Index() as item, constant=False):
                places = list(places_on_the_way(item))
                if not all(is_known(p.key) and is_container(p.array) for p in places) or not is_container(Var(name)):
                    continue
                of = ir.written_name(item)
                once = ctx.definitions[name] == (ctx.definitions[of] or ctx.definitions[ir.root_name(of)]) == 1
                plain = name not in ctx.temps and not {name, of} & ctx.aliases.of.keys() and of not in shrunk
                if once and plain and stays(item, of) and not moves(item, name):
                    found[name] = item
    return found


def upward_indices(ctx: Context) -> Iterator[str]:
    """The variables of loops over `range(n)`, and `range(k, n)` for a number k, which nothing else binds."""
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.For(target=Var(name=name), iterable=Op(fn="builtins.range", args=(_,) | (Const(), _) as args)):
                first = args[0].value if len(args) == 2 and isinstance(args[0], Const) else 0
                if isinstance(first, int) and first >= 0 and ctx.definitions[name] == 1:
                    yield name


def places_on_the_way(item: Index) -> Iterator[Index]:
    """`L[i][0]` and `L[i]`."""
    e: Expr = item
    while isinstance(e, Index):
        yield e
        e = e.array


def is_counted(key: Expr, counted: AbstractSet[str]) -> bool:
    return isinstance(key, Var) and key.name in counted


def counts_from_end(key: Expr, counted: AbstractSet[str]) -> bool:
    """Whether a number may be negative, as far as is seen."""
    if isinstance(key, Const):
        return isinstance(key.value, int) and key.value < 0
    return not (isinstance(key, ir.Slice | ir.Sequence) or is_counted(key, counted))


def is_single(ctx: Context, value: Index) -> bool:
    """Whether a subscript may be one item, which is added to without regard to the type of the array."""
    key = value.key
    keys = key_parts(key, ctx.facts)
    return any(key_kind(ctx.tree(k), ctx.facts) == "int" for k in keys) and not ctx.facts.is_array(value)


def may_be_single(ctx: Context, value: Index) -> bool:
    """Whether a subscript may be one item, whether its key is known to be a number or not: `v[n % 5]`."""
    kinds = {key_kind(ctx.tree(k), ctx.facts) for k in key_parts(value.key, ctx.facts)}
    return not kinds.isdisjoint({"int", "any"}) and not ctx.facts.is_array(value)


def find_histories(block: ir.Block, ctx: Context, out: Survey) -> None:
    """Lists with one append, once an iteration of one counted loop: slot t of the adjoint list is iteration t's."""
    appends = Counter(s.array for s in ir.statements(block) if isinstance(s, ir.Append))

    def visit(block: ir.Block, outermost: bool) -> None:
        initial: dict[str, int] = {}  # lists of this block with the number of their items, nothing appended since
        for s in block:
            for inner in ir.blocks(s):
                visit(inner, False)
            if (
                isinstance(s, ir.For)
                and isinstance(s.target, Var)
                and s.target.name != "_"
                and _counts_from_zero(s.iterable)
            ):
                bound = {x for inner in ir.statements(s.body) for x in ir.binds(inner)}
                if s.target.name in bound or has_break(s.body):
                    bound |= initial.keys()
                for x in s.body:
                    if (
                        isinstance(x, ir.Append)
                        and appends[x.array] == 1
                        and x.array in initial
                        and x.array not in bound
                    ):
                        out.list_index[x.array] = (s.target.name, initial[x.array])
                        if initial[x.array] == 0 and outermost and ctx.definitions[x.array] == 1:
                            assert isinstance(s.iterable, Op)
                            out.history[x.array] = s.iterable.args[0]
            for name in [n for t in ir.statements((s,)) for n in ir.binds(t)]:
                initial.pop(name, None)
            match s:
                case Assign(target=target, value=ir.Sequence(kind="list", items=items) as display) if (
                    not display.starred
                ):
                    initial[target] = len(items)

    visit(block, True)


def find_taken(block: ir.Block, out: Survey) -> None:
    """`a = s[-1]`, `s = s[:-1]`: a is what the list loses; None for an item without a name."""
    for i, s in enumerate(block):
        for inner in ir.blocks(s):
            find_taken(inner, out)
        before = ir.item_before(block, i)
        if before is not None:
            out.taken[id(s)] = None
            match before:
                case Assign(target=target, value=Index()) if before is block[i - 1]:
                    out.taken[id(s)] = Var(target)
                case ir.Unpack(targets=targets, value=Index(), starred=-1) if before is block[i - 1]:
                    out.taken[id(s)] = ir.Sequence(tuple(map(Var, targets)))


def sensitive_lists(ctx: Context) -> set[str]:
    """Lists that are appended to, and of which the reverse sweep needs the length, where an append may still follow.

    It needs it where they are read from their end, or as a whole; and where the adjoint of the list begins, which has
    as many items: behind the last statement that reads it.
    """
    appended = {s.array for s in ir.statements(ctx.function.body) if isinstance(s, ir.Append)}
    if not appended:
        return set()
    active = ctx.activity.active

    def read_in(s: ir.Stmt) -> set[str]:
        lists = appended & active
        return {n for inner in ir.statements((s,)) for e in ir.expressions(inner) for n in ir.reads(e) & lists}

    def carries(s: ir.Stmt, begun: Names) -> bool:
        """Whether a statement hands on an adjoint, for sure: that of the result, or one that what it binds has."""
        match s:
            case Assign() | ir.Unpack():
                return not begun.isdisjoint(ir.binds(s))
            case ir.For():
                return not begun.isdisjoint(ir.target_names(s.target))
            case ir.Append(array=name):
                return name in begun
            case ir.Store(target=target):
                return ir.written_name(target) in begun
        return isinstance(s, ir.Return)

    def is_helper(e: Expr) -> bool:
        return isinstance(e, Op) and e.fn.startswith("local.")

    def begins_in(s: ir.Stmt, begun: Names) -> set[str]:
        """The names that surely get an adjoint from a statement alone: it reads their values for one that has one. What
        a helper does with a list is not asked."""
        if not carries(s, begun):
            return set()
        return {n for e in ir.expressions(s) if not is_helper(e) for n in values_read(e) & active}

    def is_silent(block: ir.Block, begun: Names) -> bool:
        """Whether nothing is reversed of a block: what begins in the other branch begins behind both."""
        every = list(ir.statements(block))
        return not any(
            isinstance(s, ir.Store | ir.Append) or carries(s, begun) or any(map(is_helper, ir.expressions(s)))
            for s in every
        )

    def grown_in(block: ir.Block) -> set[str]:
        return {s.array for s in ir.statements(block) if isinstance(s, ir.Append)}

    def bound_in(block: ir.Block) -> set[str]:
        return {n for s in ir.statements(block) for n in ir.binds(s)}

    def begun_at_head(block: ir.Block, longer: Names, first: Names, begun: Names) -> Names:
        """The lists that have an adjoint before a block by another path only: by this one it begins at the head of the
        block, as zeros for the list that is bound anew behind its appends, `L.append(q); L = [a]`.

        longer, first: what `visit` gives for the block; begun: the names that have an adjoint before it.
        """
        return (begun - first) & longer & grown_in(block) & bound_in(block)

    @functools.cache
    def visit(block: ir.Block, later: Names, begun: Names) -> tuple[Names, Names, Names]:
        """Walks a block backwards, with the lists that may still grow, and the names that have an adjoint: from those
        behind it to those before it; and what is found in it."""
        found: Names = frozenset()
        for s in reversed(block):
            found |= (read_in(s) - begun) & later
            match s:
                case ir.Append():
                    later |= {s.array}
                    begun |= begins_in(s, begun)
                case ir.For() | ir.While():
                    own = bound_in((s,))  # what is bound anew has no adjoint of a next iteration
                    while True:  # once more with what a next iteration appends to, and what it begins
                        longer, first, inner = visit(s.body, later, begun)
                        found |= inner | begun_at_head(s.body, longer, first, begun)
                        first = (first | begins_in(s, first)) - own
                        if longer <= later and first <= begun:
                            break
                        later, begun = later | longer, begun | first
                case ir.If():
                    sides = (s.body, s.orelse)
                    behind = [
                        begun | (visit(b, frozenset(), begun)[1] - bound_in(b)) if is_silent(other, begun) else begun
                        for b, other in zip(sides, reversed(sides), strict=True)
                    ]
                    both = [visit(b, later, start) for b, start in zip(sides, behind, strict=True)]
                    for (_, first, _), other in zip(both, reversed(sides), strict=True):
                        # or it is silent, and the adjoint begins behind both
                        found |= (first - begun) & grown_in(other)
                    later, begun, inner = (a | b for a, b in zip(*both, strict=True))
                    found |= inner
                    for b, (longer, first, _) in zip(sides, both, strict=True):
                        found |= begun_at_head(b, longer, first, begun)
                case Assign():
                    later -= {s.target}  # another list from here on
                    begun = (begun - {s.target}) | begins_in(s, begun)
                case _:
                    begun |= begins_in(s, begun)
            for e in ir.expressions(s):
                found |= _read_from_end(e, ctx) & later
        return later, begun, found

    found = set(visit(ctx.function.body, frozenset(), frozenset())[2])
    of, members = ctx.aliases.of, ctx.aliases.members
    others = {s.array for s in taken_from_others(list(ir.statements(ctx.function.body)))}  # each by all its names
    return found.union(others, *(members.get(of.get(n, ""), ()) for n in others))


def shrunk_lists(ctx: Context) -> set[str]:
    """The names by which lists lose items."""
    return {s.array for s in ir.statements(ctx.function.body) if isinstance(s, ir.Shrink)}


def _read_from_end(e: Expr, ctx: Context) -> set[str]:
    match e:
        case Index(array=Var(), key=Const(value=int() as k)) if k >= 0:
            return set()
        case Index(array=Var(), key=Var(name=k)) if any(h.index == k for h in ctx.headers.values()) or (
            k in ctx.facts.names and ctx.facts.names[k].kind == "int"
        ):
            return set() if _is_loop_index(k, ctx) else {e.array.name}  # type: ignore[union-attr]
        case Var(name=name):
            return {name}
    return set().union(*(_read_from_end(c, ctx) for c in ir.children(e))) if not isinstance(e, Const) else set()


def _is_loop_index(name: str, ctx: Context) -> bool:
    """Whether a name is bound by loops that count upwards from 0 only."""
    loops = [s for s in ir.statements(ctx.function.body) if isinstance(s, ir.For) and name in ir.target_names(s.target)]
    return ctx.definitions[name] == len(loops) and all(_counts_from_zero(s.iterable) for s in loops)


def has_break(block: ir.Block) -> bool:
    """Whether a break of this loop (not of an inner one) stands in its body."""
    for s in block:
        if isinstance(s, ir.Break):
            return True
        if isinstance(s, ir.If) and (has_break(s.body) or has_break(s.orelse)):
            return True
    return False


def raises(block: ir.Block) -> bool:
    """Whether nothing that stands behind a block is ever run: it ends in a raise, if it ends."""
    match block[-1] if block else None:
        case ir.Inert(keyword="raise"):
            return not has_break(block)
        case ir.While(test=Const(True)) as last:
            return not has_break(last.body) and not has_break(block)
        case ir.If() as last:
            return raises(last.body) and raises(last.orelse)
    return False


def _counts_from_zero(iterable: Expr) -> bool:
    return isinstance(iterable, Op) and iterable.fn == "builtins.range" and len(iterable.args) == 1
