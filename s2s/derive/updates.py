"""Which `x += e` writes into an array that something else sees: that one is a store, every other one a new binding.

NumPy writes into the array, Python rebinds a number. Where no other name can see the object the two are the same, and
a new binding is the simpler thing to differentiate. Elsewhere it must be known which of the two it is.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING

from s2s import ir, rules
from s2s.analysis.aliases import (
    CONTAINERS,
    MAYBE_VIEWS,
    RANK_ZERO,
    classes,
    holds_rank_zero,
    is_copying_key,
    rank_zero,
    reduced_names,
    sharing,
    sources,
    tangled,
)
from s2s.analysis.facts import Facts, is_mixed, is_open_mask
from s2s.analysis.liveness import Live, live_behind
from s2s.analysis.transfer import ELEMENTWISE_CONSTANTS
from s2s.derive.handing import handed, hands_back, is_update
from s2s.derive.outside import module_names, of_import, own_names
from s2s.derive.owned import arrays_of, held, is_unseen, same_object, updates_of_new
from s2s.derive.phrases import asserted_array, is_list_of_numbers
from s2s.derive.refusals import stating, unknown_behind
from s2s.derive.slots import unseen_updates
from s2s.errors import Diagnostic
from s2s.frozen import replace
from s2s.ir import Op, Var

ARITHMETIC = {f"numpy.{n}" for n in ("add", "subtract", "multiply", "divide", "negative", "power")} | {
    "builtins.float",
    *(f"math.{n}" for n in ("sqrt", "exp", "log", "sin", "cos", "tan", "erf", "erfc")),
}

SUMS = ("numpy.add", "numpy.subtract")

if TYPE_CHECKING:
    from s2s.derive.calls import Calls


def meant(
    f: ir.Function, facts: Facts, base: dict[str, str], calls: Calls, outputs: Iterable[str] = ()
) -> tuple[frozenset[ir.Origin], frozenset[ir.Origin], frozenset[ir.Origin], list[Diagnostic]]:
    """The statements `x += e` that are stores, those of them before which that is asserted, those that bind the slot of
    a list anew, and what is refused because it is not known.

    What is of unknown rank is taken for an array where something is done to it, or to what is added to it, that is
    done to arrays (`treated_as_arrays`), or where nobody reads the name behind the update; elsewhere for a number.
    The output guards either.

    outputs: parameters whose final elements somebody reads: those of a helper, of which the caller decides.
    """
    outputs = tuple(outputs)
    arrays: set[Tail] | None = None
    if not outputs:
        for e in given_to_updates(f, calls):
            arrays = treated_as_arrays(f, facts, calls) if arrays is None else arrays
            assume_number(facts, e, arrays)
    for call in (call for s in ir.statements(f.body) for call in ir.helper_calls(*ir.expressions(s))):
        for p in calls.writes(call.fn[6:]) & calls.given(call).keys():
            e = calls.given(call)[p]
            if isinstance(e, Var) and facts.is_scalar(e):
                facts.numbers |= parameters_behind(f, e.name, facts, calls)
    shared = shared_names(f, facts, calls)
    for name in outputs:
        shared.setdefault(name, "")
    behind = functools.lru_cache(None)(lambda: live_behind(f))
    split = functools.lru_cache(None)(lambda: with_entries(f, facts))
    summed = functools.lru_cache(None)(lambda: reduced_names(f))

    def is_only_seen_here(s: ir.Assign, name: str) -> bool:
        t, live = places()[id(s)]
        assert isinstance(t, ir.Assign)
        if id(s) in of_new():
            return True
        general, here = (functools.partial(handed, calls, caller=known) for known in (None, facts))
        return any(is_unseen(split(), t, name, live, hands, apart, outputs, puts) for hands in (general, here))

    def puts(call: Op) -> bool:
        return bool(calls.writes(call.fn[6:]))

    of_new = functools.lru_cache(None)(lambda: updates_of_new(f, functools.partial(handed, calls)))

    @functools.lru_cache(None)
    def places() -> dict[int, tuple[ir.Stmt, Live]]:
        """Each statement as it stands in `split`, and what is read behind it there."""
        live = behind() if split() is f else live_behind(split())
        pairs = zip(ir.statements(f.body), ir.statements(split().body), strict=True)
        return {id(s): (t, live[id(t)]) for s, t in pairs}

    @functools.lru_cache(None)
    def apart(s: ir.Stmt) -> bool:
        call = s.value if isinstance(s, ir.Unpack) else None
        return isinstance(call, Op) and call.fn.startswith("local.") and not tangled(s, facts)

    laid_out = functools.lru_cache(None)(lambda: written_in_parts(f, shared))
    whole = functools.lru_cache(None)(lambda: written_as_wholes(f, facts))
    elements_of = functools.lru_cache(None)(lambda: written_by_elements(f, facts))
    alone = functools.lru_cache(None)(lambda: treated_as_arrays(f, facts, calls, joined=False))
    found: set[ir.Origin] = set()
    guarded: set[ir.Origin] = set()
    anew: set[ir.Origin] = set()
    out: list[Diagnostic] = []
    asserted = asserted_arrays(f.body)
    unseen = functools.lru_cache(None)(
        lambda: unseen_updates(f, facts, behind(), base, functools.partial(handed, calls))
    )
    for s in ir.statements(f.body):
        if isinstance(s, ir.Store) and s.origin is not None and is_item_update(s, facts):
            target = ir.written_name(s.target)
            if facts.is_array(s.target):
                found.add(s.origin)
            elif facts.is_scalar(s.target) and not holds_rank_zero(facts):
                pass
            elif id(s) in unseen():
                anew.add(s.origin)
            elif not (outputs or facts.is_scalar(s.target)) and may_hold_made_arrays(f, target, facts, calls):
                found.add(s.origin)
                guarded.add(s.origin)
        if not is_update(s):
            continue
        assert isinstance(s, ir.Assign) and isinstance(s.value, Op)
        read = s.value.args[0]
        if not isinstance(read, Var):
            continue
        if read.name not in shared:  # a new life of the name (another web) has no other name yet
            if s.target in laid_out() and facts.is_array(read) and s.origin is not None:
                found.add(s.origin)  # a new array may lie in memory in another order, and its parts be copies
            elif s.target in whole() and not facts.is_array(read) and is_made_of_rank_zero(f, read.name):
                found |= {s.origin} if s.origin else set()  # of an array of rank 0, what is new is a number
            continue
        if facts.of(read).kind in ("list", "tuple"):
            if facts.of(read).kind == "list" and not is_only_seen_here(s, read.name):
                out.append(changed_list(s, base.get(s.target, s.target), base.get(shared[read.name], "")))
            continue
        if is_number(facts, read):
            take_for_number(f, read.name, facts, calls)
            continue
        surely = facts.is_array(read) or stands_for_array(f, read.name, facts)
        surely = surely or (id(s) in asserted and is_held(f, read.name, facts, calls))
        if surely and s.origin is not None:
            found.add(s.origin)
            continue
        if not facts.is_scalar(read) and not all(map(calls.is_constant, module_names(calls, f, read))):
            facts.guarded.add(read.name)  # a value of the module of which is not known whether it is an array
            continue
        if is_only_seen_here(s, read.name):
            continue
        parts = parts_behind(f, read.name) if facts.is_scalar(s.value.args[1]) else ()
        if parts and not {read.name, s.target} & summed():  # `self.count += 1`: no array could be written into there
            for part in parts:
                facts.shapes.demand_rank(facts.shape(Var(part)), 0)
            facts.numbers |= parts
            continue
        if not outputs and s.target in behind()[id(s)]:
            arrays = treated_as_arrays(f, facts, calls) if arrays is None else arrays
            assume_number(facts, read, arrays, beside=s.value.args[1])
            if is_number(facts, read):
                take_for_number(f, read.name, facts, calls)
                continue
        shape = facts.shape(read)
        if read.name in outputs and read.name in facts.given and "~" in str(shape):  # bound again, were it a number
            shape = facts.shapes(facts.given[read.name].shape)
        if shape.tail is not None and not shape.dims and shape.tail[0][0] != "?" and "~" not in shape.tail[0]:
            item = shape.tail[1] and read.name not in (*outputs, *summed())  # of a parameter
            if item and s.target in behind()[id(s)] and shape.tail not in alone():  # else nobody would see a number
                facts.assume_scalar(read)
                if is_number(facts, read):
                    continue
            elif s.origin is not None and ":" not in shape.tail[0]:  # not of an item by an unknown key
                symbol, k = shape.tail
                if symbol in f.names or outputs:  # which the output guards, of the parameters
                    facts.arrays[symbol] = max(k, facts.arrays.get(symbol, 0))
                else:
                    guarded.add(s.origin)
                found.add(s.origin)
                continue
        if is_only_seen_here(s, read.name):
            continue
        if (id(s) in asserted or s.target in elements_of()) and s.origin is not None:
            found.add(s.origin)
            guarded.add(s.origin)
            continue
        if not outputs:
            arrays = treated_as_arrays(f, facts, calls) if arrays is None else arrays
            assume_number(facts, read, arrays, beside=s.value.args[1], items=True)
            if is_number(facts, read):
                take_for_number(f, read.name, facts, calls)
                continue
        shown = base.get(s.target, s.target)
        if shown in f.numbers and not outputs and facts.shapes.demand_rank(facts.shape(read), 0):
            facts.guarded |= {read.name, s.target}  # as it is annotated
            continue
        is_local = shown not in f.names
        if is_local and not outputs and read.name in items_by_number(f, facts):  # an array is rare there: it is asked
            facts.guarded.add(read.name)
            continue
        if is_local and s.origin and (word := re.match(r"\w+(?= \S+= )", s.origin.text)):
            shown = word[0]  # as the text of the helper says that stands here
        other = base.get(shared[read.name], "")
        other = "" if re.fullmatch(r"t\d+", other) and other not in f.names else other  # a value without a name
        label = f"if `{shown}` is an array, this writes into it"
        if read.name in outputs and not other:
            label += ", and the caller may read it"
        elif other and other != shown:
            label += f", and `{other}` may be the same array"
        stated = f"state its shape: `# s2s: {shown} (n,)`"
        if is_local:
            stated = stating(f, facts, read)
        sign = ir.OPERATORS[s.value.fn][0]
        anew_ = f"write `{shown} = {shown} {sign} ...` for a new value"
        help_ = (stated, f"or {anew_}") if stated else (anew_,)
        message = f"in-place update of `{shown}`, which may have another name"
        out.append(Diagnostic("S230", message, s.origin.span if s.origin else None, label, help_))
    return frozenset(found), frozenset(guarded), frozenset(anew - found), out


def items_by_number(f: ir.Function, facts: Facts) -> set[str]:
    """The names that are bound to items of what is no list, under whole numbers: `total = s.mean[0]`."""
    found: set[str] = set()
    for s in ir.statements(f.body):
        match s:
            case ir.Assign(target=name, value=ir.Index(array=array, key=key)):
                if facts.of(key).kind == "int" and facts.of(array).kind not in CONTAINERS:
                    found.add(name)
    return found


def of_either_kind(f: ir.Function, facts: Facts, calls: Calls, problems: Iterable[Diagnostic]) -> frozenset[ir.Origin]:
    """The updates `x += e` and `L[k] += e` that are refused, all of them, since it is not known what is updated.

    Tangents do the same as their values: both write into arrays, or both bind numbers anew, which the output asserts.
    What is written is followed as an array is. A parameter that may be one is copied, and the copy of a number, an
    array of rank 0, is written into under all its names: that is not what was meant.
    """
    problems = [d for d in problems if d.code == "S230"]
    spans = {d.span for d in problems}
    found: set[ir.Origin] = set()
    for s in ir.statements(f.body):
        origin = getattr(s, "origin", None)
        if origin is None or origin.span not in spans:
            continue
        match s:
            case ir.Assign(value=Op(fn=fn, args=(Var(name=name), _))) if is_update(s):
                pass
            case ir.Store(target=target, value=Op(fn=fn)) if s.update in ("+", "-"):
                name = ir.written_name(target)
            case _:
                continue
        behind = same_object(f, name, functools.partial(handed, calls))
        given = any(ir.root_name(n) in f.names and not facts.is_array(Var(n)) for n in {name, *behind})
        if fn in SUMS and not given:
            found.add(origin)
    return frozenset(found) if len({o.span for o in found}) == len(spans) else frozenset()


def written_in_parts(f: ir.Function, shared: Mapping[str, str]) -> frozenset[str]:
    """The names that share what np.reshape or np.ravel makes of them, a view or a copy: by their order in memory."""
    found: set[str] = set()
    for s in ir.statements(f.body):
        if isinstance(s, ir.Assign) and s.target in shared:
            every = (n for n in ir.walk(s.value) if isinstance(n, Op) and n.fn in MAYBE_VIEWS)
            found |= {n.args[0].name for n in every if isinstance(n.args[0], Var)}
    return frozenset(found)


def written_by_elements(f: ir.Function, facts: Facts) -> frozenset[str]:
    """The names that are no lists, and of which elements are stored into: arrays, that is."""
    places = (s.target for s in ir.statements(f.body) if isinstance(s, ir.Store))
    names = {p.array.name for p in places if isinstance(p.array, Var) and p.key != ir.ELLIPSIS}
    return frozenset(n for n in names if facts.of(Var(n)).kind == "float")


def with_entries(f: ir.Function, facts: Facts) -> ir.Function:
    """The function with a name for each entry of what a helper returns, where only entries are read of that, and share
    no memory: `s_inc.x` and `s_inc.y` of `s_inc = _energy_rev(s)` are two arrays."""
    every = list(ir.statements(f.body))
    bound = Counter(n for s in every for n in ir.binds(s))
    keys: dict[str, dict[ir.Expr, str]] = {}
    for s in every:
        call = s.value if isinstance(s, ir.Assign | ir.Unpack) else None
        if isinstance(s, ir.Unpack) and s.starred >= 0:
            continue
        if isinstance(call, Op) and call.fn.startswith("local.") and not tangled(s, facts):
            keys |= {n: {} for n in ir.binds(s) if bound[n] == 1 and n not in f.names}
    if not keys:
        return f

    def visit(e: ir.Expr) -> None:
        match e:
            case ir.Index(array=Var(name=name), key=key) if name in keys and (text := shown_key(key)) is not None:
                keys[name][key] = f"{name}%{text}"
            case Var() | ir.Raw():
                for name in ir.reads(e):
                    keys.pop(name, None)
            case _:
                for c in ir.children(e):
                    visit(c)

    for s in every:
        for e in ir.expressions(s):
            visit(e)
        if isinstance(s, ir.Store | ir.Append | ir.Shrink):
            keys.pop(ir.written_name(s.target) if isinstance(s, ir.Store) else s.array, None)
    keys = {n: entries for n, entries in keys.items() if entries}

    def expr(e: ir.Expr) -> ir.Expr:
        match e:
            case ir.Index(array=Var(name=name), key=key) if name in keys:
                return Var(keys[name][key])
        return ir.rebuild(e, expr)

    def block(b: ir.Block) -> ir.Block:
        return tuple(statement(s) for s in b)

    def statement(s: ir.Stmt) -> ir.Stmt:
        s = ir.with_expressions(ir.with_blocks(s, block), expr)
        if isinstance(s, ir.Assign | ir.Unpack) and keys.keys() & set(ir.binds(s)):
            targets = (t for n in ir.binds(s) for t in keys.get(n, {n: n}).values())
            return ir.Unpack(tuple(targets), s.value, s.origin)
        return s

    return replace(f, body=block(f.body)) if keys else f


def shown_key(key: ir.Expr) -> str | None:
    """The text that is the key of an entry."""
    match key:
        case ir.Const(value=str() as text) | Op(fn="operator.key", args=(ir.Const(value=str() as text),)):
            return text
    return None


def changed_list(s: ir.Assign, shown: str, other: str) -> Diagnostic:
    """`v += [e]` changes the list, under all its names."""
    assert isinstance(s.value, Op)
    sign = ir.OPERATORS[s.value.fn][0]
    label = "this changes the list" + (f", and `{other}` may be the same list" if other not in ("", shown) else "")
    message = f"in-place update of `{shown}`, which may have another name"
    help_ = (f"write `{shown} = {shown} {sign} ...` for a new list",)
    return Diagnostic("S230", message, s.origin.span if s.origin else None, label, help_)


ON_ARRAYS = frozenset(f"builtins.{n}" for n in ("len", "sum", "sorted", "zip", "enumerate", "reversed", "list", "map"))


Tail = tuple[str, int]  # the symbol of an unknown rank, and how many of its axes are dropped


def treated_as_arrays(f: ir.Function, facts: Facts, calls: Calls, joined: bool = True) -> set[Tail]:
    """The ranks of what is subscripted, iterated over, annotated as an array, or handed to what takes arrays.

    joined: also the ranks of the operands of what is treated in this way, one of which has to be an array.
    """
    found: set[Tail] = set()
    updated: dict[str, Var] = {}  # what was there before it was updated in place
    for s in ir.statements(f.body):
        match s:
            case ir.Assign(target=target, value=Op(args=(Var() as read, _))) if is_update(s) and target != read.name:
                updated[target] = read

    def treated(e: ir.Expr) -> set[Tail]:
        """Of an array that was made of other values, these are not treated as arrays by that."""
        shape = facts.shape(e)
        if not joined:
            for _ in updated:
                e = updated.get(e.name, e) if isinstance(e, Var) else e
            shape = facts.shapes(facts.shape(e))
            return {shape.tail} if shape.tail is not None and not shape.dims and not shape.over else set()
        made = shape.dims and shape.tail is not None and shape.tail[0] not in facts.given
        return set() if made else tails_of(facts, e)

    for p in f.params:
        if re.search(r"\barray|ndarray|Array", p.annotation):
            found |= treated(Var(p.name))
    for s in ir.statements(f.body):
        if isinstance(s, ir.For):
            found |= treated(s.iterable)
        for e in ir.expressions(s):
            for n in ir.walk(e):
                match n:
                    case ir.Index(array=array):
                        found |= treated(array)
                    case ir.Attribute(value=value, name="shape" | "size" | "T" | "flat" | "dtype" | "flags"):
                        found |= treated(value)
                    case ir.Comprehension(clauses=clauses):
                        for _, iterable, _ in clauses:
                            found |= treated(iterable)
                    case Op(fn=fn, args=args) if fn.startswith("local."):
                        for a in calls.holding(n).arrays:
                            found |= treated(a)
                    case Op(fn=fn, args=args) if fn in ON_ARRAYS or takes_arrays(fn):
                        for a in args:
                            found |= treated(a)
    return found


def takes_arrays(fn: str) -> bool:
    """Whether a function of a library is one of arrays: no arithmetic, no function of each element."""
    if not fn.startswith(("numpy.", "scipy.")) or fn in ELEMENTWISE_CONSTANTS:
        return False
    rule = rules.lookup(fn)
    return rule is None or rule.kind != "elementwise"


def tails_of(facts: Facts, e: ir.Expr) -> set[Tail]:
    """The unknown ranks that the rank of a value depends on, through all bindings of variables."""
    found: set[Tail] = set()
    todo = [(facts.shape(e), 0)]
    while todo:
        given, dropped = todo.pop()
        shape = facts.shapes(given)
        todo += [(s, dropped) for s in shape.over]
        if shape.tail is None:
            continue
        symbol, k = shape.tail
        tail = symbol, k + dropped - len(shape.dims) if symbol.endswith("~") else k
        if tail not in found:
            found.add(tail)
            todo += [(s, tail[1]) for s in facts.definitions.get(symbol[:-1], [])] if symbol.endswith("~") else []
    return found


def assume_number(facts: Facts, e: ir.Expr, arrays: set[Tail], beside: ir.Expr = ir.NONE, items: bool = False) -> None:
    """Takes `e`, of unknown rank, for a number, unless it or what is added to it is treated as an array.

    items: only if it is made of items of parameters, of whose rank it says nothing that the parameters are subscripted.
    """
    own = tails_of(facts, e)
    tails = own | tails_of(facts, beside)
    treated = tails & arrays if items else {s for s, _ in tails} & {s for s, _ in arrays}
    if items and not any(k for symbol, k in own if symbol in facts.given):
        return  # a parameter itself
    if not treated and not facts.is_array(beside):
        facts.assume_scalar(e)


def parameters_behind(
    f: ir.Function, name: str, facts: Facts, calls: Calls, made: list[ir.Expr] | None = None
) -> set[str]:
    """The parameters, and parts of them, whose object a name may stand for, or whose memory it may see: `x[...]` is a
    view of an array.

    made: gets the other values that the name may stand for.
    """
    found: set[str] = set()
    todo, seen = [name], {name}
    made = [] if made is None else made
    while todo:
        at = todo.pop()
        if facts.is_array(Var(at)):
            made.append(Var(at))
            continue  # the name stands for a number, and for no array with axes
        if ir.root_name(at) in f.names:
            found.add(at)
        for s in ir.statements(f.body):
            if isinstance(s, ir.Unpack) and at in s.targets:
                made.append(s.value)
            if not isinstance(s, ir.Assign) or s.target != at:
                continue
            match s.value:
                case Var() | Op(fn="operator.ifexp"):
                    new = ir.reads(s.value)
                case Op(fn=fn) if hands_back(calls, fn):
                    given = calls.returned(s.value) if fn.startswith("local.") else [s.value]
                    new = frozenset(n for e in given for n in ir.reads(e))
                case Op(fn=fn) if fn.startswith("local."):
                    continue
                case Op(args=(inner, *_)) | ir.Index(array=inner) if facts.is_scalar(inner):
                    new = frozenset(v.name for v, _ in sources(s.value, None) if isinstance(v, Var))
                case _:
                    made.append(s.value)
                    continue
            todo += new - seen
            seen |= new
    return found


def stands_for_array(f: ir.Function, name: str, facts: Facts) -> bool:
    """Whether a name is bound to names of arrays only."""
    bound = [s for s in ir.statements(f.body) if name in ir.binds(s)]
    values = [s.value if isinstance(s, ir.Assign) else None for s in bound]
    return name not in f.names and bool(bound) and all(isinstance(e, Var) and facts.is_array(e) for e in values)


def take_for_number(f: ir.Function, name: str, facts: Facts, calls: Calls) -> None:
    """What the output has to guard for that a name stands for a number: parameters, or the name where it is bound,
    which may be an array that is made here, `b = y` behind `y = x * 2.0`."""
    made: list[ir.Expr] = []
    facts.numbers |= parameters_behind(f, name, facts, calls, made)
    if not all(map(facts.is_scalar, made)):
        facts.guarded.add(name)


def numbers_in_lists(f: ir.Function, facts: Facts, calls: Calls) -> set[str]:
    """The scalar parameters, and parts of them, that may lie in a list where `L[i] += e` would write into them, were
    they of rank 0.

    f: a function, or its tangents with their seeds for parameters.
    """
    hands = functools.partial(handed, calls)
    found: set[str] = set()
    for s in ir.statements(f.body):
        if (isinstance(s, ir.Store) and s.update) or (isinstance(s, ir.Augment) and isinstance(s.target, ir.Index)):
            assert isinstance(s.target, ir.Index)
            if facts.of(s.target.array).kind in CONTAINERS:
                found |= same_object(f, ir.written_name(s.target), hands)
    given = {n for n in found if ir.root_name(n) in f.names}
    return {n for n in given if facts.is_scalar(Var(n)) and facts.of(Var(n)).kind in ("float", "any")}


def lists_of_numbers_shared(f: ir.Function, facts: Facts, calls: Calls) -> set[str]:
    """The parameters that are lists of numbers, one of which has another name, too, where `L[i] += e` would write into
    it, were it an array of rank 0."""
    lists = {n for n in f.names if n in facts.given and is_list_of_numbers(facts.given[n], facts)}
    if not lists:
        return set()
    hands = functools.partial(handed, calls)
    live = live_behind(f)
    found: set[str] = set()
    for s in ir.statements(f.body):
        if isinstance(s, ir.Store) and s.update and facts.of(s.target.array).kind in CONTAINERS:
            own = ir.written_name(s.target)
            behind = same_object(f, own, hands, facts=facts)
            if own not in lists or (behind - {own}) & live[id(s)]:
                found |= lists & behind
    return found


def numbers_in_helpers(f: ir.Function, facts: Facts, calls: Calls) -> set[str]:
    """The parameters that helpers take for numbers and update by `x += e`: into arrays of rank 0 this would write."""
    found: set[str] = set()
    for s in ir.statements(f.body):
        for call in ir.helper_calls(*ir.expressions(s)):
            for e in calls.changed(call, facts)[1].values():
                if isinstance(e, Var):
                    found |= parameters_behind(f, e.name, facts, calls)
    return {n for n in found if facts.of(Var(n)).kind in ("float", "any")}


def taken_for_numbers(f: ir.Function, facts: Facts, calls: Calls) -> set[str]:
    """The parameters, and parts of them, that updates bind anew, here and in helpers: into arrays they would write."""
    found = numbers_in_helpers(f, facts, calls)
    for s in ir.statements(f.body):
        if is_update(s):
            assert isinstance(s, ir.Assign) and isinstance(s.value, Op)
            read = s.value.args[0]
            if isinstance(read, Var):
                found |= parameters_behind(f, read.name, facts, calls)
    return found


def parts_behind(f: ir.Function, name: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """The parts of parameters, `self.count`, that a name stands for, if it is bound to those and their updates only."""
    found: frozenset[str] = frozenset()
    for s in ir.statements(f.body):
        if not isinstance(s, ir.Assign) or s.target != name:
            continue
        match s.value:
            case Var(name=other) if ir.is_part(other):
                found |= {other}
            case Var(name=other) | Op(args=(Var(name=other), _)) if isinstance(s.value, Var) or is_update(s):
                more = parts_behind(f, other, seen | {name}) if other not in seen | {name} else found
                if not more and other not in seen | {name}:
                    return frozenset()
                found |= more
            case _:
                return frozenset()
    return found


def given_to_updates(f: ir.Function, calls: Calls) -> list[ir.Expr]:
    """The arguments that helpers update by `x += e` only, of helpers that return something and treat nothing as an
    array: one that returns nothing has no other effect than on arrays."""
    found: list[ir.Expr] = []
    for s in ir.statements(f.body):
        for call in ir.helper_calls(*ir.expressions(s)):
            if not (updated := calls.writes(call.fn[6:])) or not calls.has_result(call.fn[6:]):
                continue
            helper = calls.prepare(call.fn[6:]).function
            nodes = [n for t in ir.statements(helper.body) for n in ir.nodes(t)]
            if any(isinstance(n, ir.Index) or (isinstance(n, Op) and takes_arrays(n.fn)) for n in nodes):
                continue
            stored = classes(helper, None, calls).keys()
            found += [e for p, e in calls.given(call).items() if p in updated - stored]
    return found


def is_item_update(s: ir.Store, facts: Facts) -> bool:
    """Whether `L[k] += e` changes an item of a list or a dict, in place if that is an array."""
    held = s.update not in ("", "at") and facts.of(s.target.array).kind in ("list", "dict")
    return held and not isinstance(s.target.key, ir.Slice) and facts.of(s.target).kind not in CONTAINERS


def may_hold_made_arrays(f: ir.Function, name: str, facts: Facts, calls: Calls, itself: bool = False) -> bool:
    """Whether the slots of a list or a dict get arrays of any rank that are made for them: `[np.zeros_like(x)]`;
    itself: whether a name gets such an array.

    Then `L[k] += e` is meant to write into one, which the output asserts. Of a parameter that lies there it can't:
    the output copies those that are written, and the copy of a number is an array.
    """
    behind = same_object(f, name, functools.partial(handed, calls))
    if any(ir.root_name(n) in f.names and not facts.is_array(Var(n)) for n in behind):
        return False
    every = list(ir.statements(f.body))
    defaults = names_of_entries(every, behind, facts)
    with_axes = with_numbers = False
    for t in every:
        match t:
            case ir.Assign(target=to, value=value) | ir.Append(array=to, value=value) if to in behind:
                pass
            case ir.Store(target=target, value=value) if (to := ir.written_name(target)) in behind:
                if facts.of(target.array).kind not in CONTAINERS:
                    continue  # an element of an array that lies there
            case _:
                continue
        with_axes |= is_made_array(value) and facts.is_array(value)
        with_numbers |= to not in defaults and any(map(facts.is_scalar, (value, *put_into(value))))
        # what is known to have axes is known to be an array in its own slots, not in those of other lists
        apart = to != name and not isinstance(t, ir.Assign)
        if is_made_array(value) and (itself or apart or not facts.is_array(value)):
            return True
        if any(is_made_array(e) and not facts.is_array(e) for e in put_into(value)):
            return True
    return with_axes and not with_numbers


def names_of_entries(every: Iterable[ir.Stmt], behind: Iterable[str], facts: Facts) -> set[str]:
    """The names for what `d.get(k, 0.0)` gives, which is put back into d: entries, and numbers where there is none."""
    values: dict[str, list[ir.Expr]] = {}
    for s in every:
        for name in ir.binds(s):
            values.setdefault(name, []).append(s.value if isinstance(s, ir.Assign) else ir.NONE)

    def is_entry(e: ir.Expr) -> bool:
        return isinstance(e, ir.Index) and facts.of(e.array).kind in CONTAINERS and ir.written_name(e) in behind

    own = {n: [e for e in found if not (isinstance(e, ir.Const) and e.value == 0.0)] for n, found in values.items()}
    return {n for n, left in own.items() if n in behind and left and all(map(is_entry, left))}


def of_numbers(f: ir.Function, facts: Facts, calls: Calls, problems: Iterable[Diagnostic]) -> frozenset[ir.Origin]:
    """The updates `L[k] += e` that are refused, where all of these are meant to bind numbers anew: reverse mode asserts
    it. Forward mode takes both, see `of_either_kind`."""
    spans = {d.span for d in problems if d.code == "S230"}
    stores = (s for s in ir.statements(f.body) if isinstance(s, ir.Store) and s.origin and s.origin.span in spans)
    found = {s.origin: is_meant_for_number(f, s, facts, calls) for s in stores if is_item_update(s, facts)}
    known = all(found.values()) and len({o.span for o in found if o}) == len(spans)
    return frozenset(o for o in found if o) if known else frozenset()


def of_arrays(f: ir.Function, facts: Facts, calls: Calls, problems: Iterable[Diagnostic]) -> frozenset[ir.Origin]:
    """The updates `x += e` and `L[k] += e` that are refused, where all of these write into arrays that are made for
    the names and the slots: `last_bar = np.zeros_like(last)`, or 0.0 where there is no last; `[np.zeros_like(x[0])]`,
    an array of rank 0 where an item of x is taken for a number.

    The output asserts that they are arrays. Those behind such an assertion are stores already.
    """
    spans = {d.span for d in problems if d.code == "S230"}
    found: set[ir.Origin] = set()
    stores: set[ir.Origin] = set()
    for s in ir.statements(f.body):
        origin = getattr(s, "origin", None)
        if origin is None or origin.span not in spans:
            continue
        match s:
            case ir.Assign(value=Op(args=(Var(name=name), _))) if is_update(s):
                pass
            case ir.Store(target=target) if is_item_update(s, facts):
                name = ir.written_name(target)
            case ir.Store(target=ir.Index(key=ir.ELLIPSIS)) if s.update:
                stores.add(origin)
                continue
            case _:
                continue
        if may_hold_made_arrays(f, name, facts, calls, itself=isinstance(s, ir.Assign)):
            found.add(origin)
    known = {o.span for o in found | stores} >= spans
    return frozenset(found) if known else frozenset()


def numbers_behind(f: ir.Function, facts: Facts, problems: Iterable[Diagnostic]) -> list[str]:
    """The parameters that are made numbers of, where it is refused to update items by what comes of them: those that
    nothing shows to be arrays. `b.v += dt * b.a`"""
    spans = {d.span for d in problems if d.code == "S230"}
    stores = (s for s in ir.statements(f.body) if isinstance(s, ir.Store) and s.origin and s.origin.span in spans)
    values = [s.value for s in stores if is_item_update(s, facts)]
    unknown = unknown_behind(f, facts, *values)
    return [n for n in unknown if not (n in facts.assumed or facts.is_array(Var(n)) or is_mixed(facts.of(Var(n))))]


def is_meant_for_number(f: ir.Function, s: ir.Store, facts: Facts, calls: Calls) -> bool:
    """Whether a display puts a literal number into the slot that `L[1] += e` updates, and none puts an array there."""
    target = s.target
    if not isinstance(target.array, Var) or not isinstance(target.key, ir.Const):
        return False
    behind = same_object(f, target.array.name, functools.partial(handed, calls))
    found: list[ir.Expr] = []
    for t in ir.statements(f.body):
        match t:
            case ir.Assign(target=name, value=ir.Sequence(items=items, starred=starred)) if name in behind:
                place = target.key.value
                if not starred and isinstance(place, int) and -len(items) <= place < len(items):
                    found.append(items[place])
    numbers = any(isinstance(e, ir.Const) and e.kind in ("float", "int") for e in found)
    return numbers and not any(facts.is_array(e) or is_made_array(e) for e in found)


def is_held(f: ir.Function, name: str, facts: Facts, calls: Calls) -> bool:
    """Whether the object of a name may lie in a list or a dict: its adjoint is an array then, of rank 0 too."""
    behind = same_object(f, name, functools.partial(handed, calls))
    return any(facts.of(Var(n)).kind in CONTAINERS for n in behind)


def written_as_wholes(f: ir.Function, facts: Facts) -> set[str]:
    """The names of which all is stored into, as an array of rank 0 allows: `x[...] = e`, `x[()] = e`, by a mask."""
    places = (s.target for s in ir.statements(f.body) if isinstance(s, ir.Store))
    every = (ir.ELLIPSIS, ir.Sequence(()))
    return {p.array.name for p in places if isinstance(p.array, Var) and (p.key in every or is_open_mask(p.key, facts))}


def is_made_of_rank_zero(f: ir.Function, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a name is always bound to an array that may be of rank 0, `np.array(y)`, which updates write into."""

    def is_made(s: ir.Stmt) -> bool:
        match s:
            case ir.Assign(value=Op(args=(Var(name=old), *_))) if is_update(s):
                return old in {name, *seen} or is_made_of_rank_zero(f, old, seen | {name})
            case ir.Assign(value=Op(fn=fn)):
                return fn in RANK_ZERO
        return False

    bound = [s for s in ir.statements(f.body) if name in ir.binds(s)]
    return bool(bound) and all(map(is_made, bound))


def asserted_arrays(b: ir.Block) -> set[int]:
    """The updates `x += e` behind `assert not np.isscalar(x)`, as derivatives write them: x is an array there."""
    found: set[int] = set()
    arrays: set[str] = set()
    for s in b:
        if isinstance(s, ir.Inert) and s.keyword == "assert":
            match s.values[0]:
                case Op(fn="operator.not", args=(Op(fn="numpy.isscalar", args=(Var(name=name),)),)):
                    arrays.add(name)
        match s:
            case ir.Assign(value=Op(args=(Var(name=name), _))) if name in arrays and is_update(s):
                found.add(id(s))
        for inner in ir.blocks(s):
            found |= asserted_arrays(inner)
        arrays -= {n for t in ir.statements((s,)) for n in ir.binds(t)}
    return found


def put_into(e: ir.Expr) -> list[ir.Expr]:
    """What a display or a comprehension puts into a new list or dict, and into those inside."""
    match e:
        case ir.Sequence(items=items) | ir.Dict(values=items):
            return [x for i in items for x in (i, *put_into(i))]
        case ir.Comprehension(element=element):
            return [element, *put_into(element)]
    return []


def is_made_array(e: ir.Expr) -> bool:
    return isinstance(e, Op) and e.fn in RANK_ZERO and e.fn.endswith(("zeros_like", "ones_like", "copy", ".array"))


def as_meant(
    f: ir.Function, origins: frozenset[ir.Origin], guarded: frozenset[ir.Origin], anew: frozenset[ir.Origin]
) -> ir.Function:
    """The function with `x += e` and `L[k] += e` of these origins as stores into all of x, of what lies in the slot;
    `guarded` of them are asserted to be. Those of `anew` bind the slot: `L[k] = L[k] + e`, of what is asserted to be a
    number if they are `guarded`, too."""

    def block(b: ir.Block) -> ir.Block:
        out: list[ir.Stmt] = []
        for s in b:
            match s:
                case ir.Assign(target=target, value=Op() as value) if is_update(s) and s.origin in origins:
                    place = ir.Index(Var(target), ir.ELLIPSIS, value.span)
                    symbol = value.spelling.rstrip("=")
                    if s.origin in guarded:
                        rank = Op("numpy.ndim", (Var(target),), spelling="np.ndim")
                        test = Op("numpy.greater", (rank, ir.Const(0)), form=ir.Form.OPERATOR)
                        out.append(ir.Inert("assert", (test,), s.origin))
                    out.append(ir.Store(place, replace(value, spelling=""), s.origin, symbol, s.constant))
                    continue
                case ir.Store(value=Op() as value, update=symbol) if symbol and s.origin in anew:
                    if s.origin in guarded:
                        out.append(ir.Inert("assert", (Op("numpy.isscalar", (s.target,)),), s.origin))
                    s = replace(s, update="", value=replace(value, spelling=f"{symbol}="))
                case ir.Store(target=target, update=symbol) if symbol and s.origin in origins:
                    if s.origin in guarded:
                        out.append(asserted_array(target, s.origin))
                    s = replace(s, target=ir.Index(target, ir.ELLIPSIS, target.span))
            out.append(ir.with_blocks(s, block))
        return tuple(out)

    return replace(f, body=block(f.body))


def of_new_values(f: ir.Function) -> ir.Function:
    """`x = a - b`, `x += e` writes into what the lines before have made, which nothing else sees: a new binding."""

    def block(b: ir.Block) -> ir.Block:
        own: set[str] = set()  # names of what has been made in this block, and that nothing else has got since
        out: list[ir.Stmt] = []
        for s in b:
            s = ir.with_blocks(s, block)
            inner = list(ir.statements((s,)))
            value = s.value if isinstance(s, ir.Assign) else None
            made = isinstance(value, Op) and not sources(value, None) and not any(ir.helper_calls(value))
            if is_update(s) and isinstance(s, ir.Assign) and isinstance(value, Op):
                made = made and s.target in own and value.args[0] == Var(s.target)
                s = replace(s, value=replace(value, spelling="")) if made else s
            if not made:
                own.difference_update(n for x in inner for e in ir.expressions(x) for n in ir.reads(e))
            own.difference_update(n for x in inner for n in ir.binds(x))
            own.update(ir.binds(s) if made else ())
            out.append(s)
        return tuple(out)

    return replace(f, body=block(f.body))


def as_written(body: Iterable[ir.Stmt], facts: Facts, kept: Set[str] = frozenset()) -> list[ir.Stmt]:
    """The statements, with those that the user wrote as `x += e` of a number to be printed so; but for names that are
    `kept`."""

    def block(b: Iterable[ir.Stmt]) -> ir.Block:
        return tuple(map(statement, b))

    def statement(s: ir.Stmt) -> ir.Stmt:
        match s:
            case ir.Assign(target=target, value=Op(args=(Var(name=name), _))) if (
                target not in kept and is_update(s) and is_made(facts, name)
            ):
                return replace(s, update=True)
        return ir.with_blocks(s, block)

    return list(block(body))


def kept_values(body: Iterable[ir.Stmt]) -> set[str]:
    """The names whose values lists hold when they are bound anew. That they are numbers, a statement may have said that
    is not in this text, for nobody needs its value: `out[i] = x`."""
    return {s.value.name for s in ir.statements(tuple(body)) if isinstance(s, ir.Append) and isinstance(s.value, Var)}


NUMBERS = {f"numpy.{n}" for n in ("sum", "mean", "dot", "max", "min", "prod")} | {
    f"builtins.{n}" for n in ("float", "int", "len")
}


def is_made(facts: Facts, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a name is always bound to a number that is made here: no argument, which may be an array of rank 0."""
    f = facts.function
    bound = [s for s in ir.statements(f.body) if name in ir.binds(s)]
    if name in f.names or not bound or not facts.is_scalar(Var(name)):
        return False
    for s in bound:
        match s:
            case ir.Assign(value=ir.Const(value=int() | float())):
                pass
            case ir.Assign(value=Op(fn=fn, form=form)) if not fn.startswith("operator."):
                if form is not ir.Form.OPERATOR and fn not in NUMBERS and not fn.startswith("math."):
                    return False
            case ir.Assign(value=Var(name=other)):
                if other not in seen and not is_made(facts, other, seen | {name}):
                    return False
            case _:
                return False
    return True


def is_number(facts: Facts, e: ir.Expr) -> bool:
    """Whether a value is surely a number, which nothing can be written into."""
    if facts.of(e).kind in ("int", "bool", "str") and not facts.is_array(e):
        return True
    return facts.is_scalar(e) and (not isinstance(e, Var) or immutable(facts.function, facts, e.name))


def immutable(f: ir.Function, facts: Facts, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a scalar is surely a number and not an array of rank 0: np.where, np.array make such arrays."""
    if name in rank_zero(facts):
        return False
    for s in ir.statements(f.body):
        if not isinstance(s, ir.Assign) or s.target != name:
            continue
        match s.value:
            case Op(fn=fn) if fn.startswith("local.") and not gives_number(facts, fn[6:]):
                return False
            case Var(name=other) if other not in seen and not immutable(f, facts, other, seen | {name}):
                return False
    return True


def gives_number(facts: Facts, name: str) -> bool:
    """Whether a helper, whose result is a scalar, returns what arithmetic gives: no array of rank 0, no argument."""
    if facts.calls is None or name not in facts.calls.source.functions:
        return False
    f = facts.calls.prepare(name).function
    returns = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
    given = {
        s.target: s.value
        for s in ir.statements(f.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, Op | ir.Const)
    }
    bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    found = [given.get(r.name) if isinstance(r, Var) and bound[r.name] == 1 else r for r in returns]
    return all(isinstance(e, ir.Const) or (isinstance(e, Op) and e.fn in ARITHMETIC) for e in found)


def shared_names(f: ir.Function, facts: Facts, calls: Calls) -> dict[str, str]:
    """Names whose object another name, a list or a view may see, each with one such name."""
    shared: dict[str, str] = {}
    arrays = functools.lru_cache(None)(lambda: arrays_of(f, facts))
    own = own_names(f)
    numbers = copied_numbers(f.body)
    for s in ir.statements(f.body):
        match s:
            case ir.Assign(value=Var(name=other)) if id(s) not in numbers:
                shared[s.target], shared[other] = other, s.target
            case ir.Assign(value=ir.Index(array=Var(name=other) as array, key=key)) if is_copying_key(key, facts) and (
                facts.is_array(array)
                or (other not in f.names and facts.of(array).kind in ("float", "int", "bool"))
                or other in arrays()
            ):
                pass  # a copy, by a mask or an array of integers
            case ir.Assign(value=ir.Index(array=Var(name=other)) as item) if (
                not facts.is_scalar(item) or ir.ELLIPSIS in ir.key_items(item.key) or s.target in rank_zero(facts)
            ):
                shared[s.target], shared[other] = other, s.target
            case ir.Assign(value=ir.Index(array=ir.Index()) as item) if not facts.is_scalar(
                item
            ) or s.target in rank_zero(facts):
                for v, _ in sources(item, facts):
                    shared[s.target], shared[v.name] = v.name, s.target  # type: ignore[union-attr]
            case ir.Assign(value=Op(fn=fn) as value) if (
                fn == "operator.ifexp" or hands_back(calls, fn) or sharing(value, facts)
            ):
                for a in (*value.args, *(v for _, v in value.options)):
                    if isinstance(a, Var):
                        shared[s.target], shared[a.name] = a.name, s.target
            case ir.Unpack(targets=targets, value=value):
                for v, _ in sources(value, facts):
                    for t in targets:
                        shared[t], shared[v.name] = v.name, t  # type: ignore[union-attr]
            case ir.Assign(value=ir.Sequence() | ir.Dict() as value):
                for name in held(value):
                    shared[name] = s.target
            case ir.For(target=target, iterable=iterable):
                for v, _ in sources(iterable, facts):
                    for t in ir.target_names(target):
                        shared[t], shared[v.name] = v.name, t  # type: ignore[union-attr]
            case ir.Append(value=value):
                for name in held(value):
                    shared[name] = s.array
            case ir.Store(target=target, value=value) if facts.of(target.array).kind in CONTAINERS:
                for name in held(value):
                    shared[name] = ir.written_name(target)
        for call in ir.helper_calls(*ir.expressions(s)):
            for part in calls.module_parts(call):
                shared |= dict.fromkeys(ir.binds(s), part)
        if isinstance(s, ir.Assign) and (path := of_import(s.value)) and path.partition(".")[0] not in own:
            shared[s.target] = path
        shared.update(tangled(s, facts))
    return shared


def copied_numbers(block: ir.Block, known: frozenset[str] = frozenset()) -> frozenset[int]:
    """The assignments `total = term` of a name that holds a number of the text there, `term = 1.0`.

    known: names that hold such a number where the block begins.
    """
    found: set[int] = set()
    for s in block:
        again = {name for inner in ir.statements((s,)) for name in ir.binds(inner)}
        for body in ir.blocks(s):
            found |= copied_numbers(body, known if isinstance(s, ir.If) else known - again)
        copied = isinstance(s, ir.Assign) and isinstance(s.value, Var) and s.value.name in known
        literal = isinstance(s, ir.Assign) and isinstance(s.value, ir.Const) and s.value.kind in ("int", "float")
        found |= {id(s)} if copied else set()
        known = (known | again) if copied or literal else known - again
    return frozenset(found)
