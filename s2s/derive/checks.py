"""What can't be derived is found before anything is derived, so that all problems are reported at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial

from s2s import ir, rules
from s2s.analysis.activity import method_options, operands
from s2s.analysis.aliases import CONTAINERS, holds_rank_zero, rank_zero, sources, written_by
from s2s.analysis.containers import Beside, are_arrays, is_zeros, root_of
from s2s.analysis.facts import absent, is_mixed
from s2s.analysis.heap import changes_seen
from s2s.analysis.overlaps import clashing
from s2s.analysis.shapes import SCALAR
from s2s.analysis.transfer import COMPARISONS, dtype_argument, element_fact, key_kind
from s2s.derive import exchanges
from s2s.derive.calls import Calls, entries, has_result, lost_branch
from s2s.derive.conjugate import rule_of
from s2s.derive.context import Context
from s2s.derive.copied import whole_copies
from s2s.derive.handing import handed
from s2s.derive.owned import NEW, same_object
from s2s.derive.phrases import bind, displayed
from s2s.derive.refusals import FILLED, HOLD, KEYS, UNKNOWN_METHOD, active_label, missing, place, stating
from s2s.derive.stores import parts_of
from s2s.derive.survey import survey
from s2s.errors import Diagnostic, S2SError
from s2s.frontend.text.refuse import TAKEN_OVER_HELP
from s2s.frozen import replace
from s2s.ir import Const, Expr, Op, Var
from s2s.rules.kinds import Rule, RuleError
from s2s.rules.refused import real_only

NUMBERS = ("float", "int", "bool", "any")
TEXTS = ("builtins.str", "builtins.repr", "builtins.format")


def problems(ctx: Context) -> list[Diagnostic]:
    """Operations on active values without a rule, or with options that their rule does not take."""

    found: list[Diagnostic] = [*through_text(ctx), *whole_copies(ctx)]
    active = ctx.activity.active
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Assign(constant=False) | ir.Unpack(constant=False):
                if not any(t in active for t in ir.binds(s)):
                    continue
                value = s.value
            case ir.Store(constant=False):
                value = s.value
                slot = ctx.facts.of(s.target.array).kind in ("list", "dict")
                if s.update and slot and not is_surely_number(ctx, s.target):
                    found.append(item_update(ctx, s))
                read = ir.written_name(s.target) in ctx.activity.useful and not slot
                array = ctx.facts.of(s.target)
                whole = array.kind in ("int", "bool") or (array.integers and ctx.facts.of(value).kind != "int")
                if whole and read and ctx.activity.depends(value):
                    found.append(truncating(ctx, s))
            case ir.Return() | ir.Append():
                value = s.value
            case _:
                continue
        for n in ir.walk(value):
            if isinstance(n, ir.Index) and any(v.name in active for v in operands(n)):
                found += unknown_attribute(ctx, n)
                found += number_or_array(ctx, n)
            if isinstance(n, ir.Sequence) and n.kind == "set" and any(v.name in active for v in operands(n)):
                message = "items of this set carry a derivative, which is not followed"
                span = s.origin.span if s.origin else place(ctx, n)
                found.append(Diagnostic("S236", message, span, help=("keep them in a list, or in an array",)))
        for e in active_operations(value, active):
            if isinstance(e, Op):
                rule = rule_of(e, ctx.facts)
                if rule is None and rules.lookup(e.fn) is not None:
                    found.append(no_complex_rule(ctx, e))
                    continue
                if rule is None:
                    listed = e.fn == "builtins.list" and bool(e.args) and is_iterator(ctx, e.args[0])
                    if not listed and not e.fn.startswith(("local.", "operator.")):
                        found.append(missing(ctx, e))
                    elif e.fn.startswith("operator.") and e.fn != "operator.ifexp":
                        found.append(
                            Diagnostic(
                                "S303",
                                "a truth value of an active expression carries no derivative",
                                place(ctx, e),
                                active_label(ctx, e),
                                ("write the number that is meant: `np.where(test, a, b)`, or `a if test else b`", HOLD),
                            )
                        )
                    continue
                if drops_imaginary(ctx, rule, e):
                    message = f"`{rule.spelled}` drops the imaginary part of a complex value here"
                    help_ = ("write what is meant: `z.real`",)
                    found.append(Diagnostic("S305", message, place(ctx, e), active_label(ctx, e), help_))
                    continue
                try:
                    bind(ctx, rule, e)
                except S2SError as fault:
                    found += fault.diagnostics
            elif isinstance(e, ir.Comprehension) and ir.keyed_parts(e) is None:
                found.append(
                    Diagnostic(
                        "S236",
                        f"this {e.kind} comprehension carries a derivative, which is not followed",
                        s.origin.span if s.origin else place(ctx, e),
                        help=("give a dict a name of its own, and write a set as a list",),
                    )
                )
    found += lost_branches(ctx)
    found += lost_stores(ctx)
    found += unbound_names(ctx)
    found += caught_errors(ctx)
    found += hidden_effects(ctx)
    found += changed_lists(ctx)
    found += repeated_displays(ctx)
    found += complex_numbers(ctx)
    found += reinterpreted(ctx)
    found += arrays_with_fields(ctx)
    found += options_that_vary(ctx)
    found += joined_dicts(ctx)
    found += iterated_dicts(ctx)
    found += written_parts(ctx)
    found += wholes(ctx)
    found += stored_entries(ctx)
    found += keyed_dicts(ctx)
    found += open_dicts(ctx)
    found += keys_that_vary(ctx)
    found += undone_entries(ctx)
    found += written_dicts(ctx)
    found += chains(ctx)
    found += zeros_of_wholes(ctx) if not ctx.forward else []  # a tangent is made in the structure of its value
    found += sorted_lists(ctx)
    found += written_entries(ctx)
    unknown = {d.span for d in found if d.code == "S230"}  # what these say to state decides that, too
    found += [d for d in updated_entries(ctx) if d.span not in unknown]
    found += helpers_that_write(ctx)
    found += containers_written(ctx)
    found += overlapping(ctx)
    found += rank_zero_written(ctx)
    found += lists_or_arrays(ctx)
    found += absent_entries(ctx)
    out: list[Diagnostic] = []
    for d in found:
        if d not in out:
            out.append(d)
    return out


def lost_branches(ctx: Context) -> list[Diagnostic]:
    """Calls of helpers of which no way to a result could be followed, or none on which an active value has a part, and
    of those that call themselves and return lists of what is not known.

    Of other helpers that lack a branch the derivative raises, where that is taken.
    """
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        if not isinstance(s, ir.Assign | ir.Unpack | ir.Inert) or getattr(s, "constant", False):
            continue
        followed = isinstance(s, ir.Inert) or ctx.activity.active.intersection(ir.binds(s))
        useful = isinstance(s, ir.Inert) or ctx.activity.useful.intersection(ir.binds(s))
        for call in ir.helper_calls(*ir.expressions(s)) if useful else ():
            f = ctx.calls.prepare(call.fn[6:]).function
            given = [*call.args, *(v for _, v in call.options)]
            if not any(ir.reads(e) & ctx.activity.active for e in given):
                continue
            if ctx.calls.unsettled.get(call.fn[6:], set()) & {"list", "dict"} and ctx.facts.of(call).kind == "any":
                message = (
                    f"`{call.fn[6:]}` calls itself, and what lies in the list or dict that it returns is not known"
                )
                help_ = ("return a tuple, or append to a list in a loop",)
                out.append(Diagnostic("S236", message, place(ctx, call), active_label(ctx, call), help_))
            if (at := lost_branch(f)) is None:
                continue
            if followed and has_result(f):
                continue
            why = ir.Printer()(at.values[0]).partition("no derivative here: ")[2][:-2]
            message = f"`{call.fn[6:]}` of an active value has a branch that could not be followed: `{why}`"
            out.append(Diagnostic("S301", message, place(ctx, call), active_label(ctx, call), (HOLD,)))
    return out


def lost_stores(ctx: Context) -> list[Diagnostic]:
    """`y[[0, 2]][0] = e` writes into a copy, which nothing reads."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        if not isinstance(s, ir.Store) or ir.written_name(s.target) not in ctx.activity.active:
            continue
        for part in parts_of(ctx.tree(s.target.array)):
            kinds = {key_kind(ctx.tree(k), ctx.facts) for k in ir.key_items(part.key)}
            if kinds & {"ints", "mask"} and ctx.facts.of(part.array).kind not in CONTAINERS:
                text = ir.Printer()(part)
                message = f"`{text}` is a copy: what is written into it is lost"
                help_ = ("write with one subscript: `y[i, 0] = ...`", "or bind the copy to a name, and read that")
                out.append(Diagnostic("S242", message, s.origin.span if s.origin else None, "", help_))
    return out


def repeated_displays(ctx: Context) -> list[Diagnostic]:
    """`x * [1.0, 2.0]` is a list that is repeated where x is a whole number, and a product where x is an array."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        counts: list[tuple[Expr, bool]] = []
        for n in ir.nodes(s):
            match n:
                case ir.Comprehension(clauses=((Var("_"), Op(fn="builtins.range", args=(count,)), ()), *more)):
                    varies = ctx.activity.depends(ctx.tree(count))
                    if more:  # several numbers: rather a product
                        counts.append(
                            (count, varies or not ir.reads(ctx.tree(count)) <= ctx.calls.counts(ctx.function.name))
                        )
                    else:
                        counts.append((count, varies and not (isinstance(count, Var) and ir.is_part(count.name))))
        match s:
            case ir.For(iterable=Op(fn="builtins.range", args=(count,)), body=body) if body and all(
                isinstance(inner, ir.Append) and inner.origin is s.origin for inner in body
            ):
                counts.append((count, False))
        for count, varies in counts:
            fact = ctx.facts.of(count)
            sure = fact.kind == "float" or (fact.kind != "int" and ctx.facts.is_array(count))
            if sure or (varies and fact.kind not in ("int", "bool")):
                text = ir.Printer()(ctx.tree(count))
                message = f"`{text}` {'is' if sure else 'may be'} no whole number: a list is multiplied by it"
                help_ = (
                    "write what is meant: `np.array([...])` for a product, `n: int` for the length of a list",
                    HOLD,
                )
                out.append(Diagnostic("S231", message, s.origin.span if s.origin else None, "", help_))
    return out


def lists_or_arrays(ctx: Context) -> list[Diagnostic]:
    """What is written and is a list in one place, and an array or what the caller gives in another: a store binds a
    slot of the one, and changes the memory of the other."""
    found = []
    mixed = [n for n in sorted(ctx.aliases.of.keys()) if is_mixed(ctx.facts.of(Var(n)))]
    zeros = zero_structures(ctx) if mixed else set()
    zeros &= zeros if ctx.forward else survey(ctx).containers | ctx.temps.keys()
    for name in mixed:
        if name not in zeros:
            shown = ir.Printer()(ctx.temps[name]) if name in ctx.temps else ctx.base.get(name, name)
            given = name in ctx.function.names
            other = "what the caller gives" if given else "an array"
            kind = "dict" if ctx.facts.of(Var(name)).mixed else "list"
            message = f"`{shown}` is written, and is a {kind} in one place and {other} in another"
            stated = (f"or state that it is a list: `{shown}: list[float]`",) if given else ()
            bound = (s.origin for s in ir.statements(ctx.function.body) if name in ir.binds(s) and s.origin)
            at = next(bound, ctx.function.origin)
            help_ = ("make an array of it in both: `np.zeros(n)`, `np.array([...])`", *stated)
            found.append(Diagnostic("S236", message, at.span if at else None, "", help_))
    places = [(s, p) for s in ir.statements(ctx.function.body) if isinstance(s, ir.Store) for p in parts_around(s)]
    places = [(s, p) for s, p in places if is_mixed(ctx.facts.of(p))]
    zeros = zero_structures(ctx) if places else set()
    for s, part in places:
        if root_of(part) not in zeros:
            message = f"`{ir.Printer()(part)}` is written, and may be a list, a dict or an array"
            help_ = ("give what is written a name of its own",)
            found.append(Diagnostic("S236", message, s.origin.span if s.origin else None, "", help_))
    return found


def parts_around(s: ir.Store) -> Iterator[ir.Index]:
    """The items in which a store lies: `c[5][0]` and `c[5]` of `c[5][0][1:] = e`."""
    place = s.target.array
    while isinstance(place, ir.Index):
        yield place
        place = place.array


def zero_structures(ctx: Context) -> set[str]:
    """Names that are bound to zeros in the structure of other values, to sums with such, and to their items only: what
    is written there has floats, and no other name, and its tangent mirrors it."""
    return zeros_in(ctx.function, ctx.calls, frozenset())


def zeros_in(f: ir.Function, calls: Calls, around: frozenset[str]) -> set[str]:
    """See `zero_structures`; around: the functions that are asked what they return."""
    values: dict[str, list[Expr]] = {}
    for s in ir.statements(f.body):
        match s:
            case ir.Unpack(targets=targets, value=value) if s.starred < 0:
                for i, n in enumerate(targets):
                    values.setdefault(n, []).append(ir.Index(value, Const(i)))
            case _:
                for n in ir.binds(s):
                    values.setdefault(n, []).append(s.value if isinstance(s, ir.Assign) else ir.NONE)
    found = values.keys() - set(f.names)

    def is_known(e: Expr) -> bool:
        match e:
            case Op(fn=fn) | ir.Index(array=Op(fn=fn)) if fn.startswith("local."):
                return returns_zeros(calls, fn[6:], e.key if isinstance(e, ir.Index) else None, around)
        return root_of(e) in found if isinstance(e, Var | ir.Index) and not is_zeros(e) else is_made_anew(e)

    while wrong := {n for n in found if not all(map(is_known, values[n]))}:
        found -= wrong
    return found


def returns_zeros(calls: Calls, name: str, at: Expr | None, around: frozenset[str]) -> bool:
    """Whether a helper returns a zero structure, or one at this place of a tuple, that lies nowhere else."""
    if name not in calls.source.functions:
        return False
    if name in around:
        return True  # by what it returns otherwise
    f = calls.prepare(name).function
    found = zeros_in(f, calls, around | {name})
    for s in ir.statements(f.body):
        match s:
            case ir.Return(value=ir.Sequence(items=items)) if isinstance(at, Const) and isinstance(at.value, int):
                part = items[at.value] if at.value < len(items) else ir.NONE
            case ir.Return(value=value):
                part = value if at is None else ir.NONE
            case _:
                continue
        if not isinstance(part, Var) or part.name not in found or [*ir.nodes(s)].count(part) > 1:
            return False
    return has_result(f)


def is_made_anew(e: Expr) -> bool:
    return isinstance(e, Op) and e.fn in NEW


def absent_entries(ctx: Context) -> list[Diagnostic]:
    """An object that holds others in some of its values only: a node of a linked list, or of a tree."""
    found = []
    active = ctx.activity.active | {ir.root_name(n) for n in ctx.activity.active}
    for name in sorted(active & ctx.facts.names.keys()):
        entry = absent(ctx.facts.of(Var(name)))
        if entry:
            bound = (s for s in ir.statements(ctx.function.body) if name in ir.binds(s))
            at = next((s.origin for s in bound if s.origin is not None), ctx.function.origin)
            shown = ctx.base.get(name, name)
            message = f"`{shown}{entry}` is an object, or a dict, in one value of `{shown}` and None in another"
            help_ = ("put what the nodes hold into lists, and the numbers of their neighbours: `left[k]`",)
            found.append(Diagnostic("S236", message, at.span if at else None, "", help_))
    return found


def unbound_names(ctx: Context) -> list[Diagnostic]:
    """Objects that are read where no path has bound them: the function raises there, and so would its derivative, but
    of the name of a part, which stands for something in no text of the user's."""
    local = {ir.root_name(n) for s in ir.statements(ctx.function.body) for n in ir.binds(s)}
    local -= {ir.root_name(n) for n in ctx.function.names}
    found: list[Diagnostic] = []

    def block(b: ir.Block, bound: frozenset[str]) -> frozenset[str]:
        """The names that a path has bound behind the block; bound: those before it."""
        for s in b:
            inside = frozenset(ir.root_name(n) for n in ir.binds(s))
            if isinstance(s, ir.For | ir.While):
                inside |= {ir.root_name(n) for inner in ir.statements(s.body) for n in ir.binds(inner)}
                if isinstance(s, ir.While):
                    bound |= inside
            read = {ir.root_name(n) for e in ir.expressions(s) for n in ir.reads(e)}
            read |= {ir.root_name(s.array)} if isinstance(s, ir.Append) else set()
            for name in sorted((read & local) - bound):
                shown = spelled(ctx.base.get(name, name), s.origin)
                if shown == ctx.base.get(name, name):  # the derivative reads it as well, and raises
                    continue
                message = f"the name `{shown}` is read where no path has bound it"
                help_ = ("bind it before, on the path that leads there",)
                found.append(Diagnostic("S107", message, s.origin.span if s.origin else None, "", help_))
                bound |= {name}
            bound |= inside
            for inner_block in ir.blocks(s):
                inside |= block(inner_block, bound)
            bound |= inside
        return bound

    block(ctx.function.body, frozenset())
    return found


def spelled(name: str, origin: ir.Origin | None) -> str:
    """A name as the text of a statement has it: `u` for the part `u_b` that `u.b` is followed as."""
    words = re.findall(r"\w+", origin.text) if origin else []
    return name if name in words else next((w for w in words if name.startswith(f"{w}_")), name)


def caught_errors(ctx: Context) -> list[Diagnostic]:
    """Exceptions that are raised for a handler of their own function: a derivative has no handlers.

    try:
        if k < 0.0:
            raise ValueError(k)
        return k * x
    except ValueError:
        return x
    """
    message = "an exception that is raised for a handler around it is not supported in a function to be differentiated"
    help_ = ("write what the handler does where the exception is raised",)
    raised = (s for s in ir.statements(ctx.function.body) if isinstance(s, ir.Inert) and s.caught)
    return [Diagnostic("S206", message, s.origin.span if s.origin else None, "", help_) for s in raised]


def hidden_effects(ctx: Context) -> list[Diagnostic]:
    """A helper that writes into its arguments is called by a statement of its own, so that it can be gone back over."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        last = isinstance(s, ir.Inert) and s.keyword in ("raise", "assert")  # nothing runs behind its text
        texts = (n.names for e in ir.expressions(s) for n in ir.walk(e) if isinstance(n, ir.Raw) and not last)
        for name in sorted({n for names in texts for n in names if ctx.calls.writes(n)}):  # in an f-string, or a lambda
            message = f"`{name}` writes into its argument, and is called in a text, a lambda or by another function"
            help_ = ("call it in a statement of its own, and bind what it returns to a name",)
            out.append(Diagnostic("S202", message, s.origin.span if s.origin else None, "", help_))
        own: Expr | None = None
        match s:
            case ir.Assign(value=value) | ir.Unpack(value=value) | ir.Inert(values=(value,)):
                own = value
        for call in ir.helper_calls(*ir.expressions(s)):
            if call is not own and ctx.written(call):
                message = f"`{call.fn[6:]}` writes into its argument, and is called inside a statement"
                help_ = ("bind its result to a name first, in a statement of its own",)
                out.append(Diagnostic("S202", message, s.origin.span if s.origin else None, "", help_))
    return out


def place_of(ctx: Context, array: str, name: str) -> str:
    """The slot of a list made here in which a list with a name of its own lies, as it is written: `row = rows[k]`."""
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Assign(target=target, value=ir.Index(array=Var(name=rows)), origin=ir.Origin(text=text)):
                if target == array and rows not in ctx.function.names and text.startswith(f"{name} = "):
                    return text.removeprefix(f"{name} = ")
    return ""


def changed_lists(ctx: Context) -> list[Diagnostic]:
    """`x.pop()` and `x.append(e)` of what is no list, or of a list that the caller sees; lists that change under a loop
    over them."""
    out: list[Diagnostic] = []
    every = list(ir.statements(ctx.function.body))
    seen = changes_seen(ctx.function, ctx.facts, ctx.headers)
    shrunk = any(isinstance(s, ir.Shrink) for s in every)
    sets = shrunk and any(map(gives_set, (e for s in every for e in ir.expressions(s))))  # these are taken for lists
    for s in every:
        if not isinstance(s, ir.Append):
            continue
        unknown = isinstance(s, ir.Shrink) and (sets or ctx.facts.of(Var(s.array)).kind != "list")
        if unknown or s in seen.by_callers:
            name = ctx.base.get(s.array, s.array)
            method = "pop" if isinstance(s, ir.Shrink) else "append"
            message = f"`{name}.{method}` may change a value in place, which is not supported"
            help_ = (f"copy it first, where it is a list: `{name} = list(...)`",)
            if place := place_of(ctx, s.array, name):
                help_ = (f"change it where it lies: `{place}.{method}(...)`",)
            out.append(Diagnostic("S202", message, s.origin.span if s.origin else None, "", help_))
    for array, loop in seen.by_loops:
        message = f"the list `{ctx.base.get(array, array)}` may change while a loop runs over it"
        both = ("loop over a copy of it, `list(...)`", "or over a range, and read the items by their index")
        out.append(Diagnostic("S219", message, loop.origin.span if loop.origin else None, "", both))
    return out


def gives_set(e: Expr) -> bool:
    """Whether a name may get a set that an expression makes: of one that is only compared, a truth value is left."""
    if isinstance(e, Op) and e.fn in COMPARISONS:
        return False
    made = (isinstance(e, ir.Sequence | ir.Comprehension) and e.kind == "set") or (
        isinstance(e, Op) and e.fn in ("builtins.set", "builtins.frozenset")
    )
    return made or any(map(gives_set, ir.children(e)))


# What reads the bits of numbers as other ones: unlike rounding, no step whose derivative is zero.
READS_BITS = ("method.view", "numpy.frombuffer", "struct.unpack", "struct.unpack_from")


def reinterpreted(ctx: Context) -> list[Diagnostic]:
    """The bits of active numbers, read as integers: these carry no derivative, but what is made of them depends on x.

    i = x.view(np.int64)
    """
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        if not isinstance(s, ir.Assign | ir.Unpack | ir.Store | ir.Append) or getattr(s, "constant", False):
            continue
        for e in ir.walk(s.value):
            if isinstance(e, Op) and e.fn in READS_BITS and ctx.activity.depends(e):
                message = "the bits of an active value are read as other numbers"
                help_ = ("write what is meant with arithmetic: `np.frexp` and `np.ldexp` take numbers apart", HOLD)
                out.append(Diagnostic("S303", message, place(ctx, e), active_label(ctx, e), help_))
    return out


def arrays_with_fields(ctx: Context) -> list[Diagnostic]:
    """Arrays of records that carry a derivative: there is no arithmetic on their adjoints, which would be such arrays.

    r = np.zeros(3, dtype=[("a", float), ("n", int)])
    r["a"] = x
    """
    body, active = ctx.function.body, ctx.activity.active
    bound: dict[str, list[Expr]] = {}
    for s in ir.statements(body):
        for name in ir.binds(s):
            bound.setdefault(name, []).append(s.value if isinstance(s, ir.Assign) else ir.NONE)

    def is_array(v: Expr) -> bool:  # a method may be that of a dict, `d.copy()`, as an operator may: `d | e`
        if not isinstance(v, Op) or v.form is ir.Form.METHOD:
            return False
        return v.fn.startswith("numpy.") and v.fn not in BITS

    made = {n for n, found in bound.items() if all(map(is_array, found))}
    shown = {n: v for n in made & active for v in bound[n] if isinstance(v, Op) and has_fields(v)}
    converted = {n for n, v in shown.items() if ctx.activity.depends(v)}  # which the rule of the function refuses
    records = {n: place(ctx, v) for n, v in shown.items() if n not in converted}
    for e in (n for s in ir.statements(body) for n in ir.nodes(s) if isinstance(n, ir.Index)):
        match e.key:
            case Const(value=str() as key) if not isinstance(key, ir.Attr) and root_of(e) in made & active - converted:
                records.setdefault(root_of(e), place(ctx, e))
    message = "the array `{}` has fields: it carries a derivative, which is not followed through fields"
    help_ = ("keep each field in an array of its own", "or in a dict of arrays: `r = {'a': np.zeros(n)}`")
    return [Diagnostic("S302", message.format(ctx.base.get(n, n)), at, "", help_) for n, at in records.items()]


def has_fields(e: Op) -> bool:
    """Whether the dtype that a call asks for is written as one of several fields."""
    dtype = dtype_argument(e)
    if isinstance(dtype, Op) and dtype.fn == "numpy.dtype" and dtype.args:
        dtype = dtype.args[0]
    several = isinstance(dtype, Const) and isinstance(dtype.value, str) and "," in dtype.value
    return several or isinstance(dtype, ir.Sequence | ir.Dict)


def options_that_vary(ctx: Context) -> list[Diagnostic]:
    """`model.mean(x)`, `lens.trace(x)` of what is no array, read as `np.mean(model, axis=x)`: nothing would depend on
    x. Of what is known to be an array, only an axis may not vary: NumPy takes no fractions for the others."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        if not isinstance(s, ir.Assign | ir.Unpack | ir.Store | ir.Append | ir.Return) or getattr(s, "constant", False):
            continue
        for e in ir.walk(s.value):
            if isinstance(e, ir.Index) and under_active_value(ctx, e):
                name = displayed_name(ctx, e.key)
                message = f"`{name}` is active, and what is read under it would be taken for a constant"
                ways = (
                    f"if it is a whole number: say so, `{name}: int`",
                    "if this is no array: say of which class the object is, `def f(table: Table)`",
                )
                out.append(Diagnostic("S304", message, place(ctx, e), active_label(ctx, e.key), (*ways, HOLD)))
            if not isinstance(e, Op):
                continue
            loose = [a for a in method_options(e) if ctx.facts.of(a).kind != "int" and ctx.activity.depends(a)]
            rule = rule_of(e, ctx.facts) if loose else None
            other = "if this is no method of arrays: "
            if rule is not None and loose[0] in e.args[1:2] and tuple(rule.params)[1:2] == ("axis",):
                what = "for an axis"
                ways = (other + UNKNOWN_METHOD, "if it is an axis: name it, `axis=...`")
            elif any(a not in followed_by(rule, e) for a in loose) and ctx.facts.ndim(e.args[0]) is None:
                what = "where the method of arrays takes an option"
                ways = (
                    other + "say of which class the object is, `def f(lens: Lens)`",
                    f"if it is a whole number: say so, `{displayed_name(ctx, loose[0])}: int`",
                )
            else:
                continue
            message = f"`.{e.spelling}()` is given an active value {what}"
            out.append(Diagnostic("S304", message, place(ctx, e), active_label(ctx, loose[0]), (*ways, HOLD)))
    return out


def followed_by(rule: Rule | None, e: Op) -> set[Expr]:
    """The operands through which the rule of a call carries a derivative."""
    try:
        return {o.expr for o in rule.bind(e).operands} if rule is not None else set()
    except RuleError:
        return set()


def under_active_value(ctx: Context, e: ir.Index) -> bool:
    """Whether an item of what carries no derivative, and is not known to be an array, is read under a value that does:
    `table[x]` of an object that interpolates."""
    key = ctx.tree(e.key)
    if not isinstance(key, Var) or ctx.facts.of(key).kind not in ("any", "float"):
        return False
    stated = {p.name for p in ctx.function.params if p.annotation.split("[")[0] in ("list", "tuple", "dict")}
    unknown = ctx.facts.of(e.array).kind == "any" and ctx.facts.ndim(e.array) is None and root_of(e) not in stated
    return unknown and ctx.activity.depends(key) and not ctx.activity.depends(e.array)


def displayed_name(ctx: Context, e: Expr) -> str:
    """What the user calls a value, "n" where it has no name."""
    e = ctx.tree(e)
    return ctx.base.get(e.name, e.name) if isinstance(e, Var) else "n"


def is_iterator(ctx: Context, e: Expr) -> bool:
    """Whether a value is an iterator, of which a list has been made: it is refused itself."""
    made = ctx.definition(e.name) if isinstance(e, Var) else None
    e = ctx.tree(e if made is None else made)
    return isinstance(e, Op) and e.fn.startswith(("itertools.", "builtins.iter", "builtins.reversed", "builtins.zip"))


ITERATING = frozenset(
    f"builtins.{n}" for n in (
        "all", "any", "enumerate", "filter", "frozenset", "iter", "list", "map", "max", "min", "reversed", "set",
        "sorted", "sum", "tuple", "zip",
    )
)  # fmt: skip


def iterated_dicts(ctx: Context) -> list[Diagnostic]:
    """Dicts that are run over, which gives their keys, and objects, of which their class says what the items are: what
    the later stages take the items of is a list.

    for k in d: ...     a, b = d     sum(d)     np.sum(path)
    """

    own_items = ctx.calls.source.has_own_items()  # else they are named tuples, which are what they seem

    def is_dict(e: Expr) -> bool:
        fact = ctx.facts.of(e)
        return fact.kind == "dict" and (own_items or not fact.is_object)

    def over(e: Expr) -> Iterator[Expr]:
        """What an expression runs over itself."""
        match e:
            case Op(fn=fn, args=args) if fn in ITERATING:
                yield from args
            case Op(fn=fn, args=args) if fn.startswith("numpy.") or fn == "builtins.float":
                yield from (a for a in args if own_items and ctx.facts.of(a).is_object)
            case ir.Comprehension(clauses=clauses):
                yield from (iterable for _, iterable, _ in clauses)
            case ir.Sequence(items=items, starred=starred):
                yield from (items[k] for k in starred)

    def in_order(e: Expr) -> Iterator[Expr]:
        """What `sorted` takes the items of by their places: `sorted(range(len(d)), key=lambda k: d[k])`."""
        match e:
            case Op(fn="builtins.sorted", args=(places,)):
                match ctx.tree(places):
                    case Op(fn="builtins.range", args=(Op(args=(of,)),)):
                        yield of

    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        header = ctx.headers.get(id(s))
        tops = [header.iterable] if header is not None else [s.value] if isinstance(s, ir.Unpack) else []
        tops += [of for n in ir.nodes(s) for of in in_order(n)]
        nodes = [n for e in tops for n in ir.walk(e)]
        plain = isinstance(s, ir.Assign | ir.Unpack) and not ctx.activity.active & set(ir.binds(s))
        if not plain and not isinstance(s, ir.Inert):
            nodes += ir.nodes(s)  # keys that carry no derivative are what Python makes them
        found = next((e for e in (*tops, *(x for n in nodes for x in over(n))) if is_dict(e)), None)
        if found is not None:
            shown = ctx.base.get(found.name, found.name) if isinstance(found, Var) else ""
            if ctx.facts.of(found).is_object:
                what = f"`{shown}`" if isinstance(ctx.tree(found), Var) and shown else "an object"
                message = f"the items of {what} are taken, which are what the methods of its class say"
                help_ = ("write what is meant: `for k in range(len(path)): v = path[k]`, or hand on an attribute",)
            else:
                what = f"the dict `{shown}`" if shown else "this dict"
                message = f"the keys of {what} are taken in their order"
                help_ = ("run over the keys themselves, `for k in ('u', 'v')`, or read the entries one by one",)
            out.append(Diagnostic("S232", message, s.origin.span if s.origin else None, "", help_))
    return out


BITS = {"numpy.bitwise_or": "|", "numpy.bitwise_and": "&", "numpy.bitwise_xor": "^"}


def joined_dicts(ctx: Context) -> list[Diagnostic]:
    """Dicts with active entries under an operator: `d | e` has no derivative as numbers, and is not `{**d, **e}` here.

    d |= {"k": x}
    """
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        for e in (n for x in ir.expressions(s) for n in ir.walk(x)):
            if isinstance(e, Op) and e.fn in BITS and any(is_active_dict(ctx, a) for a in e.args):
                message = f"`{BITS[e.fn]}` of values that depend on what is differentiated is not followed"
                help_ = ("bind the dict where all of its entries are known: `d = {...}`, or store into it, `d[k] = x`",)
                out.append(Diagnostic("S303", message, place(ctx, e), active_label(ctx, e), help_))
    return out


def is_active_dict(ctx: Context, e: Expr) -> bool:
    """Whether the bits of a value are no whole number: it varies, or has entries that do."""
    if isinstance(e, ir.Dict):
        return any(v.name in ctx.activity.varied for x in e.values for v in ir.walk(x) if isinstance(v, Var))
    return isinstance(e, Var) and e.name in ctx.activity.varied and ctx.facts.of(e).kind not in ("bool", "int")


def complex_numbers(ctx: Context) -> list[Diagnostic]:
    """What is not right for complex numbers: a store into a real array, a conversion that drops the imaginary part."""
    out: list[Diagnostic] = []
    facts = ctx.facts
    if not facts.complex:
        return out
    for s in ir.statements(ctx.function.body):
        span = s.origin.span if s.origin else None
        match s:
            case ir.Store(target=target, value=value) if facts.of(target.array).kind not in ("list", "dict", "tuple"):
                if facts.is_real(target.array) and not facts.is_real(value) and ctx.activity.depends(value):
                    name = ctx.base.get(ir.written_name(target), ir.written_name(target))
                    message = f"`{name}` is an array of real numbers: what is written into it loses its imaginary part"
                    help_ = ("make it complex: `np.zeros(n, dtype=complex)`", "or write its real part: `z.real`")
                    out.append(Diagnostic("S305", message, span, "this value may be complex", help_))
        for e in ir.expressions(s):
            for n in ir.walk(e):
                if not isinstance(n, Op) or not n.args or facts.is_real(n.args[0]):
                    continue
                if n.fn == "numpy.sign" and ctx.activity.depends(n.args[0]):
                    message = "`np.sign` of complex numbers has no derivative rule: it is z / abs(z)"
                    out.append(Diagnostic("S305", message, span, "", ("write the quotient",)))
    return out


def drops_imaginary(ctx: Context, rule: rules.Rule, e: Op) -> bool:
    """Whether a function that would keep complex numbers gives real ones: by a dtype, or like a real array."""
    if not ctx.facts.complex or rule.adjoint or rule.kind == "constant" or not ctx.facts.is_real(e):
        return False
    return any(not ctx.facts.is_real(v) for a in e.args for v in operands(a) if v.name in ctx.activity.active)


def no_complex_rule(ctx: Context, e: Op) -> Diagnostic:
    """A function that has a rule for real numbers only."""
    name = e.fn.removeprefix("builtins.").replace("numpy.", "np.")
    message = f"`{name}` of complex numbers has no derivative rule"
    why = real_only(e.fn)
    help_ = (*((why,) if why else ()), "take real and imaginary part apart: `z.real`, `z.imag`")
    return Diagnostic("S305", message, place(ctx, e), active_label(ctx, e), help_)


def number_or_array(ctx: Context, e: ir.Index) -> list[Diagnostic]:
    """A name that is subscripted, and a number by what else is known: bound to both, its adjoint has no shape."""
    if not isinstance(e.array, ir.Var) or e.array.name in ctx.temps:
        return []
    if ctx.facts.of(e.array).kind not in ("float", "any"):
        return []
    plain = [k for k in ir.key_items(e.key) if key_kind(k, ctx.facts) in ("int", "slice")]
    if not plain or not ctx.facts.is_scalar(e.array):
        return []
    shown = ctx.base.get(e.array.name, e.array.name)
    message = f"`{shown}` is an array here, and a number elsewhere: what its derivative is would depend on the run"
    help_ = (f"give the number another name than `{shown}`, and return on each path what is meant there",)
    return [Diagnostic("S236", message, place(ctx, e), "this subscripts it", help_)]


def is_surely_number(ctx: Context, slot: ir.Index) -> bool:
    """Whether what lies in a slot of a list or a dict is a number, and no array of rank 0, which others may have."""
    name = ir.written_name(slot)
    same = ctx.aliases.members.get(ctx.aliases.of.get(name, ""), frozenset((name,)))
    return ctx.facts.is_scalar(slot) and not {name, *same} & holds_rank_zero(ctx.facts)


def item_update(ctx: Context, s: ir.Store) -> Diagnostic:
    """`L[0] += e` binds the slot to a new number, or writes into the array that lies there."""
    sign = "+" if s.update == "at" else s.update
    written = s.origin is not None and s.update != "at"
    text = s.origin.text.partition(f"{sign}=")[0].rstrip() if s.origin and written else ir.Printer()(ctx.tree(s.target))
    message = f"`{text} {sign}= ...` writes into an array of the list or binds the item anew: its rank is not known"
    stated = stating(ctx.function, ctx.facts, s.target)
    help_ = (
        f"write `{text} = {text} {sign} ...` for a new value",
        "or make an array of the list: `np.zeros(n)`",
        *((f"or {stated}",) if stated else ()),
    )
    return Diagnostic("S230", message, s.origin.span if s.origin else None, "", help_)


def written_parts(ctx: Context) -> list[Diagnostic]:
    """Stores into a part of a parameter: the caller's object would change, or the structure had to be copied."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        for name in written_by(s, ctx.facts):
            group = ctx.aliases.members.get(ctx.aliases.of.get(name, ""), frozenset((name,)))
            parts = sorted(n for n in group if ir.root_name(n) != n and ir.root_name(n) in ctx.function.names)
            for root in parts[:1]:
                message = f"writing into `{root}`, a part of a parameter, is not supported"
                help_ = (f"copy it first, and write into the copy: `a = {root}.copy()`",)
                span = s.origin.span if s.origin else None
                out.append(Diagnostic("S201", message, span, "this changes the caller's array", help_))
    return out


def through_text(ctx: Context) -> list[Diagnostic]:
    """`float(str(x))`: a number that becomes a text and a number again."""
    texts: set[str] = set()
    found: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        if not isinstance(s, ir.Assign | ir.Return) or (isinstance(s, ir.Assign) and s.constant):
            continue
        for e in ir.walk(s.value):
            if isinstance(e, Op) and e.fn in ("builtins.float", "numpy.float64") and ir.reads(e) & texts:
                used = isinstance(s, ir.Return) or s.target in ctx.activity.useful
                if used and not ctx.activity.active & ir.reads(e):
                    message = "a text that was made of active numbers becomes a number: no derivative passes through it"
                    helps = ("keep the number itself, and write it out where it is printed", HOLD)
                    found.append(Diagnostic("S301", message, place(ctx, e), "this is read from the text", helps))
        if isinstance(s, ir.Assign):
            made = ctx.facts.of(s.value).kind == "str" or (isinstance(s.value, Op) and s.value.fn in TEXTS)
            if made and ir.reads(s.value) & (ctx.activity.varied | texts):
                texts.add(s.target)
    return found


def truncating(ctx: Context, s: ir.Store) -> Diagnostic:
    name = ctx.base.get(ir.written_name(s.target), ir.written_name(s.target))
    where = " in one place, and one of floats in another" if ctx.facts.of(s.target).integers else ""
    return Diagnostic(
        "S241",
        f"`{name}` is an array of integers{where}: what is written into it loses its fraction",
        s.origin.span if s.origin else None,
        "this value carries a derivative",
        ("make it an array of floats: `np.zeros(n)`, `np.arange(n, dtype=float)`",),
    )


def wholes(ctx: Context) -> list[Diagnostic]:
    """A parameter that is read by its parts and as a whole: the whole would carry no derivative."""
    f = ctx.function
    owners = {part[: len(part) - len(rest)] for p in f.names for part in entries(f, p) for rest in tails(part)}
    out: list[Diagnostic] = []
    for s in ir.statements(f.body):
        if not isinstance(s, ir.Assign | ir.Unpack | ir.Append | ir.Return | ir.For | ir.Store):
            continue
        value = s.iterable if isinstance(s, ir.For) else s.value
        known = ctx.activity.active
        if isinstance(s, ir.Return) or not known.isdisjoint(ir.binds(s)):
            known |= ctx.activity.varied  # of the parts, only the shape may count
        for v in operands(value, ctx.calls.carried):
            inside = [x for x in entries(f, ir.root_name(v.name)) if x.startswith((f"{v.name}.", f"{v.name}["))]
            if v.name in owners and any(x in known for x in inside):
                message = f"`{v.name}` is used as a whole here, and by its parts elsewhere"
                help_ = ("name the parts where it is used", "hand it to a function that reads its parts")
                out.append(Diagnostic("S232", message, s.origin.span if s.origin else None, "", help_))
    return out


def tails(part: str) -> list[str]:
    """What stands behind each owner of a part: `.b.c` and `.c` of `a.b.c`."""
    cuts = [m.start() for m in ir.PART.finditer(part, len(ir.root_name(part)))]
    return [part[i:] for i in cuts]


def unknown_attribute(ctx: Context, e: ir.Index) -> list[Diagnostic]:
    """`y.weight` of a value that carries a derivative and is not known to be an object with that attribute."""
    match e.key:
        case ir.Const(value=ir.Attr() as name):
            fact = ctx.facts.of(e.array)
            if fact.kind == "dict" and name in fact.keys:
                return []
            root = root_of(ctx.tree(e))
            held = not isinstance(name, ir.Property)
            held &= root in survey(ctx).containers or is_entry(ctx, e.array, root)
            if held and not taken_for_arrays(ctx, root):
                return []  # an item of a list, or of a dict, which has attributes
            help_ = (
                "state the class of the parameter: `def f(state: State)`",
                "or pass the value itself in place of the object",
            )
            message = f"the attribute `{name}` of a value is not supported: what the value is made of is not known"
            return [Diagnostic("S216", message, place(ctx, e), active_label(ctx, e), help_)]
    return []


def is_entry(ctx: Context, e: Expr, root: str) -> bool:
    """Whether a value is what lies in a dict."""
    return ctx.facts.of(ir.Var(root)).kind == "dict" and e != ir.Var(root)


def taken_for_arrays(ctx: Context, name: str) -> bool:
    """Whether an object in a list is asked for what arrays have: `item.size` may be an attribute of its own as well.

    name: of the list, or of an item of it.
    """
    made: dict[str, list[tuple[str, tuple[str, ...]]]] = {}  # names, what they are parts of, and the attributes between
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.For(target=target, iterable=it):
                for t in ir.target_names(target):
                    made.setdefault(t, []).extend((v.name, ()) for v in ir.walk(ctx.tree(it)) if isinstance(v, ir.Var))
            case ir.Assign(target=t, value=ir.Index() | ir.Var() as value):
                made.setdefault(t, []).append(attributes_of(ctx.tree(value)))

    def paths(n: str, seen: frozenset[str]) -> set[tuple[str, tuple[str, ...]]]:
        if n in seen or n not in made:
            return {(n, ())}
        return {(top, (*up, *own)) for of, own in made[n] for top, up in paths(of, seen | {n})}

    def places(e: Expr) -> set[tuple[str, tuple[str, ...]]]:
        root, own = attributes_of(ctx.tree(e))
        return {(top, (*up, *own)) for top, up in paths(root, frozenset())}

    tops = {top for top, _ in paths(name, frozenset())}
    objects: set[tuple[str, tuple[str, ...]]] = set()
    asked: set[tuple[str, tuple[str, ...]]] = set()
    for s in ir.statements(ctx.function.body):
        for n in (n for e in ir.expressions(s) for n in ir.walk(ctx.tree(e))):
            match n:
                case ir.Index(array=array, key=ir.Const(value=ir.Attr())):
                    objects |= places(array)
                case ir.Attribute(value=ir.Var() | ir.Index() as value):
                    asked |= places(value)
                case Op(form=ir.Form.ATTRIBUTE, args=(ir.Var() | ir.Index() as value, *_)):
                    asked |= places(value)
    return any(top in tops for top, _ in objects & asked)


def attributes_of(e: Expr) -> tuple[str, tuple[str, ...]]:
    """The name that a part is one of, and the attributes and keys on the way; numbers of items are not told apart."""
    keys: list[str] = []
    while isinstance(e, ir.Index):
        if isinstance(e.key, ir.Const) and isinstance(e.key.value, str):
            keys.insert(0, e.key.value)
        e = e.array
    return (e.name if isinstance(e, ir.Var) else ""), tuple(keys)


def active_operations(e: Expr, active: frozenset[str]) -> list[Expr]:
    if not any(v.name in active for v in operands(e)):
        return []
    if isinstance(e, ir.Comprehension):
        return [e]
    inner = [x for c in ir.children(e) for x in active_operations(c, active)]
    if isinstance(e, Op) and e.fn in (ir.NAMED, ir.LAMBDA):
        return inner
    return [e, *inner] if isinstance(e, Op) else inner


def sorted_lists(ctx: Context) -> list[Diagnostic]:
    """A list that is sorted in place and has another name; an array is."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Store(target=ir.Index(array=ir.Var(name=name), key=key)) if (
                key == ir.ELLIPSIS and ctx.facts.of(ir.Var(name)).kind == "list"
            ):
                shown = ctx.base.get(name, name)
                if shown in ctx.function.names:
                    message = f"the list `{shown}` is sorted in place, which the caller sees"
                    help_: tuple[str, ...] = (TAKEN_OVER_HELP.format(shown),)
                else:
                    message = f"the list `{shown}` is sorted in place, and has another name or is not made here"
                    help_ = (f"sort it into a new list: `ordered = sorted({shown})`",)
                out.append(Diagnostic("S202", message, s.origin.span if s.origin else None, "", help_))
    return out


def keyed_dicts(ctx: Context) -> list[Diagnostic]:
    """Dicts of a comprehension, `{k: e for k in params}`, with which more is done than to read, return and hand on."""
    made = {
        s.target
        for s in ir.statements(ctx.function.body)
        if isinstance(s, ir.Assign) and ctx.calls.is_keyed(s.value) and not is_zeros(s.value)
        if s.target in ctx.activity.active
        if not (ctx.facts.of(ir.Var(s.target)).kind == "list" and all(map(is_zeros, ctx.calls.values_of(s.value))))
    }
    if not made:
        return []
    plain = survey(ctx).containers
    zeros = {  # of which a reverse sweep would take the entries for items of an array
        s.target
        for s in ir.statements(ctx.function.body)
        if isinstance(s, ir.Assign) and is_zeros(s.value) and root_of(s.value.args[0]) in made and not ctx.forward
    }
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        names: set[str] = set()
        match s:
            case ir.Store():
                names = {ir.written_name(s.target)}
            case ir.Assign(value=value) if all(map(is_zeros, ctx.calls.values_of(value))):
                pass
            case ir.Assign(target=target) if target in made and (ctx.definitions[target] > 1 or target not in plain):
                names = {target}
            case ir.Assign(value=ir.Var(name=name)) | ir.Append(value=ir.Var(name=name)):
                names = {name}
            case ir.Assign(value=ir.Sequence() | ir.Dict() as value):
                names = {c.name for c in ir.children(value) if isinstance(c, ir.Var)}
        for name in sorted(names & (made | zeros)):
            message = f"the keys of `{name}` are not known before the run: it can be read, returned and handed on"
            help_ = ("give what is changed a name of its own, or make another dict by a comprehension",)
            out.append(Diagnostic("S236", message, s.origin.span if s.origin else None, "", help_))
    return out[:1]


def open_dicts(ctx: Context) -> list[Diagnostic]:
    """Dicts whose keys are not known, of which more is asked than entries, keys, and what a function returns; those
    that only comprehensions make have a check of their own."""
    dicts = {n for n, fact in ctx.facts.names.items() if fact.keyed and n in ctx.activity.active}
    dicts -= {
        s.target for s in ir.statements(ctx.function.body) if isinstance(s, ir.Assign) and ctx.calls.is_keyed(s.value)
    }
    if not dicts:
        return []
    keys = keys_of_dicts(ctx)

    def others(e: Expr) -> Iterator[str]:
        match e:
            case ir.Index(array=ir.Var(name=name), key=key) if name in dicts and (
                ir.is_entry(e) or isinstance(key, ir.Const) or (isinstance(key, Var) and key.name in keys)
            ):
                yield from others(key)
            case Op(fn=fn, args=args) if fn in ASKING or fn.startswith("local."):
                written = list(ctx.written(e).values())
                yield from (x for a in args if not isinstance(a, ir.Var) or a in written for x in others(a))
            case Op() if chooses_key(ctx, e):
                pass
            case ir.Var(name=name) if name in dicts:
                yield name
            case _:
                yield from (x for c in ir.children(e) for x in others(c))

    inner = handed_on(ctx)
    for s in ir.statements(ctx.function.body):
        found = [x for e in ir.expressions(s) for x in others(e)]
        match s:
            case ir.Inert(keyword="assert"):
                found = []
            case ir.Assign(target=target) if target in inner:
                found = []
            case ir.Return(value=value) | ir.Assign(value=value) if not isinstance(value, ir.Sequence | ir.Dict):
                found = [] if isinstance(value, ir.Var) else found
            case ir.Append(value=ir.Var()):
                found = []
            case ir.Return(value=ir.Sequence() | ir.Dict() as value):
                found = [x for e in displayed(ctx.tree(value)) if not isinstance(e, ir.Var) for x in others(e)]
        for name in found[:1]:
            message = f"the keys of the dict `{ctx.base.get(name, name)}` are not known, and it is used as a whole"
            help_ = ("read its entries, loop over its keys, or return it",)
            return [Diagnostic("S232", message, s.origin.span if s.origin else None, "", help_)]
    return []


OF_DICTS = ("copy.copy", "copy.deepcopy")  # and what makes a dict of anything


def written_dicts(ctx: Context) -> list[Diagnostic]:
    """Entries that are stored into a dict which is one value that an expression makes, as a comprehension or `dict(x)`
    does: the arrays that lie there may have other names, which is not followed."""

    def of_arrays(e: Expr) -> str:
        match e:
            case ir.Comprehension(kind="dict", element=ir.Slice(stop=value)) if ir.keyed_parts(e) is None:
                fact = element_fact(replace(e, element=value or ir.NONE), ctx.facts)
                return "" if fact.kind in NUMBERS and fact.shape == SCALAR else "a comprehension"
            case Op(fn=fn, args=(inner, *_)) if ctx.facts.of(e).kind not in CONTAINERS:
                if fn.startswith(("builtins.dict", "collections.")):
                    return f"`{fn.removeprefix('builtins.')}`"
                if fn in OF_DICTS and (ctx.facts.of(inner).kind == "dict" or of_arrays(inner)):
                    return f"`{fn}`"
        if isinstance(e, ir.Sequence | ir.Dict) or (isinstance(e, Op) and e.fn == "operator.ifexp"):
            return next((found for c in ir.children(e) if (found := of_arrays(c))), "")
        return ""

    def is_new(e: Expr | None) -> bool:
        """Whether nothing else has the array that an expression makes."""
        return isinstance(e, Op) and not rules.may_alias(e) and not e.fn.startswith(("local.", "operator."))

    def holds_new(e: Expr) -> bool:
        return isinstance(e, ir.Comprehension) and isinstance(e.element, ir.Slice) and is_new(e.element.stop)

    every = list(ir.statements(ctx.function.body))
    stores = [s for s in every if isinstance(s, ir.Store)]
    bound = [s for s in every if isinstance(s, ir.Assign | ir.Unpack)]
    made = {n: by for s in bound if (by := of_arrays(s.value)) for n in ir.binds(s)}
    new = {n for s in bound if holds_new(s.value) for n in ir.binds(s)}
    for s in stores if made else ():
        name = ir.written_name(s.target)
        found = made.keys() & same_object(ctx.function, name, partial(handed, ctx.calls), facts=ctx.facts)
        if found <= new and not s.update and is_new(ctx.tree(s.value)):
            continue  # all that lies there is new
        if found:
            message = f"an entry of a dict is stored that is made by {made[min(found)]}: it is not followed"
            help_ = ("make it by a statement of its own, `d = {}`, and fill it in a loop",)
            return [Diagnostic("S236", message, s.origin.span if s.origin else None, "", help_)]
    return []


def handed_on(ctx: Context) -> set[str]:
    """The names of displays that are returned or handed to functions, alone or in other ones, and used for nothing
    else: `value = total, d` of `return value, n`."""
    every = list(ir.statements(ctx.function.body))
    shown = {s.target for s in every if isinstance(s, ir.Assign) and isinstance(s.value, ir.Sequence)}
    handed = Counter[str]()
    for s in every:
        calls = (e for e in ir.helper_calls(*ir.expressions(s)) if not ctx.written(e))
        tops = [s.value] if isinstance(s, ir.Return) else list(calls)
        tops += [s.value] if isinstance(s, ir.Assign) and s.target in shown else []
        for top in tops:
            items = top.args if isinstance(top, Op) else displayed(top)
            handed.update(v.name for v in items if isinstance(v, Var))
    read = ir.uses(s for s in every if not (isinstance(s, ir.Inert) and s.keyword == "assert"))
    return {name for name in shown if read[name] == handed[name] and ctx.definitions[name] == 1}


ASKING = (ir.KEYS, ir.GET, ir.COUNT, "builtins.len", "operator.in", "operator.not_in")


def chooses_key(ctx: Context, e: Expr) -> bool:
    """Whether an expression gives the key of the largest entry of a dict, or of the least."""
    match e:
        case Op(
            fn="builtins.max" | "builtins.min",
            args=(keys,),
            options=(("key", ir.Attribute(value=ir.Var() as own, name="get")),),
        ):
            return ctx.tree(keys) == Op(ir.KEYS, (own,))
    return False


def entries_put(ctx: Context) -> Iterator[tuple[ir.Stmt, str, Expr, Expr]]:
    """What is put into dicts whose keys are not known: the statement, the dict, the key and the value."""
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Store(target=ir.Index(key=Op(fn=ir.KEY, args=(key,))), value=value):
                yield s, ir.written_name(s.target), key, value
            case ir.Assign(target=name, value=ir.Dict(open=True) as value):
                yield from ((s, name, k, v) for k, v in zip(value.keys, value.values, strict=True))


def keys_of_dicts(ctx: Context) -> set[str]:
    """The variables that are bound to keys of a dict: items of it are read under them, or it is made here."""
    every = list(ir.statements(ctx.function.body))
    made = {Var(s.target) for s in every if isinstance(s, ir.Assign) and isinstance(s.value, ir.Dict)}
    read = {
        (ctx.tree(e.array), e.key.args[0] if ir.is_entry(e) and isinstance(e.key, Op) else e.key)
        for s in every
        for top in ir.expressions(s)
        for e in ir.walk(top)
        if isinstance(e, ir.Index)
    }
    items: list[tuple[ir.Stmt, str, Expr]] = []
    for s in every:
        match s:
            case ir.Assign(target=name, value=Op(options=((_, ir.Attribute(value=of)),)) as e) if chooses_key(ctx, e):
                items.append((s, name, of))
            case ir.Assign(target=name, value=ir.Index(array=array)):
                of = ctx.tree(array)
                if isinstance(of, Var) and of not in made and ctx.definitions[of.name] == 1:
                    of = next((d.value for d in every if isinstance(d, ir.Assign) and d.target == of.name), of)
                if isinstance(of, Op) and of.fn in ("builtins.list", "builtins.sorted", ir.KEYS) and of.args:
                    of = ctx.tree(of.args[0])
                elif of not in made:
                    continue
                items.append((s, name, of))
    beside = Beside(every, [(s, of) for s, name, of in items if (of, Var(name)) in read])

    def is_dict(s: ir.Stmt, name: str, of: Expr) -> bool:
        given = isinstance(of, Var) and of.name in ctx.facts.dicts
        return (
            given
            or ctx.facts.of(of).kind == "dict"
            or ctx.facts.of(of).keyed
            or of in made
            or (of, Var(name)) in read
            or beside.has(s, of)
        )

    return {name for s, name, of in items if is_dict(s, name, of)}


def keys_that_vary(ctx: Context) -> list[Diagnostic]:
    """Entries under keys that depend on what is differentiated: a loop over the keys would take them for constants."""
    found = [(s, name, key) for s, name, key, _ in entries_put(ctx) if ctx.activity.depends(key)]
    known = keys_of_dicts(ctx) if found else set()
    for s, name, key in found:
        if any(v.name in ctx.activity.varied - known for v in operands(key)) and not only_names(ctx, name, key):
            shown = ctx.base.get(name, name)
            message = (
                f"a key of the dict `{shown}` depends on what is differentiated: no derivative passes through keys"
            )
            help_ = ("use a whole number for a key, `int(...)`, or keep such values in a list: `values.append(x)`",)
            return [Diagnostic("S232", message, s.origin.span if s.origin else None, "", help_)]
    return []


def only_names(ctx: Context, name: str, key: Expr) -> bool:
    """Whether a variable is used for nothing but to name entries, and so are the keys of the dict that gets one under
    it, which nothing else sees: whatever they are, no derivative passes through them."""
    if not isinstance(key, Var):
        return False
    every = list(ir.statements(ctx.function.body))
    bound = [(Var(s.target), s.value) for s in every if isinstance(s, ir.Assign)]
    lists = {v for v, e in bound if isinstance(e, Op) and e.fn == ir.KEYS and e.args == (Var(name),)}
    items = {v for v, e in bound if isinstance(e, ir.Index) and e.array in lists}
    nodes = [e for s in every for e in ir.nodes(s)]
    asked = Counter[Expr]()  # to name an entry, or an item of the list of keys
    for e in nodes:
        match e:
            case ir.Index(array=array, key=Op(fn=ir.KEY, args=(k,))):
                asked.update((array, k))
            case ir.Index(array=array, key=k):
                asked.update((array, k) if array in lists else (k,))
            case Op(fn=ir.KEYS | ir.COUNT | "builtins.len", args=(of,)):
                asked.update((of,))
            case Op(fn=ir.GET | "operator.in" | "operator.not_in", args=args):
                asked.update(args)
            case Op(fn=fn) if fn.startswith("local."):
                asked.update(ctx.calls.read_by_entries(e))
    used = Counter(e for e in nodes if isinstance(e, Var))
    return all(used[v] == asked[v] for v in (key, Var(name), *lists, *items))


def undone_entries(ctx: Context) -> list[Diagnostic]:
    """Entries that are None in a dict that is asked which keys it has: None stands for no entry where a store is
    undone."""
    holds = {
        name: s
        for s, name, _, value in entries_put(ctx)
        if value == ir.Const(None) or ctx.facts.of(value).kind == "none"
    }
    for s in ir.statements(ctx.function.body) if holds else ():
        for e in (n for top in ir.expressions(s) for n in ir.walk(top)):
            if isinstance(e, Op) and e.fn in ASKING and e.fn != ir.GET:
                for name in sorted({a.name for a in e.args if isinstance(a, ir.Var)} & holds.keys()):
                    message = (
                        f"entries of the dict `{ctx.base.get(name, name)}` may be None, and its keys are asked for"
                    )
                    help_ = ("leave out what is None, and ask whether there is an entry: `if k in d`",)
                    return [Diagnostic("S232", message, s.origin.span if s.origin else None, "", help_)]
    return []


def chains(ctx: Context) -> list[Diagnostic]:
    """`head = (x, head)`: a tuple, a list or a dict that holds the one before it, to any depth."""
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Assign(target=name, value=ir.Sequence() | ir.Dict() as value) if name in ctx.activity.active:
                held = (ir.children(value) if isinstance(value, ir.Sequence) else value.values) if value else ()
                starred = value.starred if isinstance(value, ir.Sequence) else frozenset()
                if any(e == ir.Var(name) and i not in starred for i, e in enumerate(held)):
                    message = f"`{ctx.base.get(name, name)}` holds what it was before: a chain of unknown length"
                    help_ = ("keep the values in a list: `values.append(x)`, `values.pop()`",)
                    return [Diagnostic("S236", message, s.origin.span if s.origin else None, "", help_)]
    return []


def zeros_of_wholes(ctx: Context) -> list[Diagnostic]:
    """Zeros in the structure of a list or a dict, of which something else is done than to add to its items."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Assign(target=name, value=value) if name in ctx.activity.active and is_zeros(value):
                given = value.args[0]
                known = survey(ctx).containers | survey(ctx).arrays
                tree = ctx.tree(given)
                unknown_ = name not in known and root_of(tree) not in known and ctx.facts.of(Var(name)).whole
                if unknown_ and not is_field_of_arrays(ctx, tree):
                    message = (
                        f"`{name}` has the structure of `{root_of(given)}`, which may be a list, a dict or an object"
                    )
                    help_ = ("only its items may be added to, and it be returned",)
                    out.append(Diagnostic("S236", message, s.origin.span if s.origin else None, "", help_))
    return out


def is_field_of_arrays(ctx: Context, e: Expr) -> bool:
    """Whether a value is a field of objects in a list, and numbers or arrays are what is read of it everywhere."""
    key = e.key if isinstance(e, ir.Index) else None
    if not (isinstance(key, Const) and isinstance(key.value, ir.Attr)):
        return False
    every = list(ir.statements(ctx.function.body))
    items = {s.target: s.value for s in every if isinstance(s, ir.Assign) and isinstance(s.value, ir.Index)}

    def root(e: Expr) -> str:
        name = root_of(e)
        while name in items and name not in ir.reads(items[name]):
            name = root_of(items[name])
        return name

    def is_same(other: Expr) -> bool:
        return isinstance(other, ir.Index) and other.key == key and root(other) == root(e)

    reads = sum(is_same(n) for s in every for n in ir.nodes(s))
    return reads > 1 and are_arrays(ctx.function, is_same)


def stored_entries(ctx: Context) -> list[Diagnostic]:
    """Stores into a dict under keys that are not known: whether they replace an entry or add one is not known."""
    out: list[Diagnostic] = []
    every = list(ir.statements(ctx.function.body))
    made = {s.target for s in every if isinstance(s, ir.Assign) and makes_keys(s.value)}
    for s in every:
        if isinstance(s, ir.Store) and (name := ir.written_name(s.target)) in ctx.activity.active:
            lost = ctx.facts.of(s.target.array).keyed and not ir.is_entry(ctx.tree(s.target))
            unknown_ = ctx.may_add_key(s) or (lost and not ctx.reads_its_place(s))
            if (unknown_ and not ctx.is_guarded(s)) or name in made:
                message = "a dict that carries a derivative has keys that are not known"
                out.append(Diagnostic("S232", message, s.origin.span if s.origin else None, "", (KEYS, FILLED)))
    return out


def makes_keys(e: Expr) -> bool:
    """Whether an expression makes a dict under keys that are not known, which is not followed as one."""
    match e:
        case ir.Comprehension(kind="dict"):
            return ir.keyed_parts(e) is None
        case Op(fn=fn):
            return fn in ("builtins.dict.fromkeys", *DICTS_OF_LIBRARY)
    return False


DICTS_OF_LIBRARY = ("collections.defaultdict", "collections.Counter", "collections.OrderedDict")


def written_entries(ctx: Context) -> list[Diagnostic]:
    """Arrays in a dict parameter whose keys are not known, where the function writes into them."""
    of = ctx.aliases.of
    every = list(ir.statements(ctx.function.body))
    lists = {of.get(s.array) for s in every if isinstance(s, ir.Append)}  # these are refused as lists of the caller
    lists -= {of.get(n) for s in every for n in written_by(s, ctx.facts)}
    given = {n for n in ctx.function.names if n in of and ctx.facts.of(Var(n)).kind == "any"}
    keys = keys_of_dicts(ctx) if given else set()
    out: list[Diagnostic] = []
    for name in (n for n in ctx.function.names if n in of and ctx.facts.of(Var(n)).kind == "dict"):
        message = f"the dict `{name}` may be written, or an array in it, and which keys it has is not known"
        help_ = ("make a new dict, and write into that: `{k: v.copy() for k, v in p.items()}`",)
        by = (s for s in every if any(of.get(n) == of[name] for n in written_by(s, ctx.facts)))
        at = next((s.origin for s in by if getattr(s, "origin", None)), ctx.function.origin)
        out.append(Diagnostic("S242", message, at.span if at else None, "", help_))
    for s in ir.statements(ctx.function.body):
        for e in ir.nodes(s):
            match e:
                case ir.Index(array=ir.Var(name=name), key=ir.Const(value=str()) | Var() as key) if name in given:
                    if isinstance(key, Var) and (key.name not in keys or of[name] in lists):
                        continue
                    message = f"an array in the dict `{name}` may be written, and which keys the dict has is not known"
                    help_ = ("copy the entry, and write into the copy: `.copy()`",)
                    out.append(Diagnostic("S242", message, s.origin.span if s.origin else None, "", help_))
    return out


def updated_entries(ctx: Context) -> list[Diagnostic]:
    """`d["x"] += e` of a dict that may be one of those in a parameter, or may hold an array of one."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Store(target=ir.Index(key=ir.Const(value=str())) as target) if s.update not in ("", "at"):
                of = ctx.aliases.of.get(ir.written_name(target), "")
                group = ctx.aliases.members.get(of, frozenset())
            case _:
                continue
        given = sorted(n for n in group if ir.root_name(n) in ctx.function.names and ctx.facts.of(Var(n)).kind == "any")
        if given:
            text = ir.Printer()(ctx.tree(target))
            message = f"writing into `{text}` in place is not supported: it may lie in `{ir.root_name(given[0])}`"
            help_ = (f"give the new value a name of its own: `value = {text} {s.update} ...`",)
            span = s.origin.span if s.origin else None
            out.append(Diagnostic("S201", message, span, "this changes an existing value", help_))
    return out


def helpers_that_write(ctx: Context) -> list[Diagnostic]:
    """Helpers that write into their arguments are refused where they are called, also where no derivative passes."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        for call in ir.helper_calls(*ir.expressions(s)):
            if call.fn[6:] in ctx.calls.source.functions:
                try:
                    ctx.calls.source.function(call.fn[6:])
                except S2SError as fault:
                    out += [d for d in fault.diagnostics if d.code in WRITES]
    return out


def overlapping(ctx: Context) -> list[Diagnostic]:
    """Copies within one array that NumPy may not make as they are meant."""
    out: list[Diagnostic] = []
    found = list(clashing(ctx.function, ctx.facts, ctx.aliases))
    apart = exchanges.arrays_apart(ctx.function, ctx.facts) if found else frozenset()
    for s in found:
        base = ir.written_name(s.target)
        if base in ctx.activity.active and not exchanges.are_apart(s.target, ctx.tree(s.value), ctx.facts, apart):
            message = f"this copies a part of `{ctx.base.get(base, base)}` into another one, and they may overlap"
            label = "what NumPy reads here it may have written before"
            help_ = ("copy it first: `.copy()`",)
            out.append(Diagnostic("S242", message, s.origin.span if s.origin else None, label, help_))
    return out


def rank_zero_written(ctx: Context) -> list[Diagnostic]:
    """Stores into arrays of rank 0: their adjoint is a number, into which nothing is added in place."""
    out: dict[str, Diagnostic] = {}
    of_rank_zero = views_of_rank_zero(ctx)
    for s in ir.statements(ctx.function.body):
        places = [s.target.array] if isinstance(s, ir.Store) and s.origin not in ctx.either else []
        updated: set[str] = set()  # by `w /= 2.0` of a helper, which binds a number anew
        for call in ir.helper_calls(*ir.expressions(s)):
            places += [e.array if isinstance(e, ir.Index) else e for e in ctx.written(call).values()]
            given = ctx.calls.given(call)
            names = (e.name for p in ctx.calls.writes(call.fn[6:]) if isinstance(e := given.get(p), ir.Var))
            updated |= {n for n in names if n in rank_zero(ctx.facts) and n not in ctx.temps}
        for e in (*places, *map(ir.Var, sorted(updated))):
            e = of_rank_zero.get(e.name, e) if isinstance(e, ir.Var) else e
            if not ctx.facts.is_scalar(e) or ctx.facts.of(e).kind not in NUMBERS:
                continue
            for base in {ir.root_name(v.name) for v, _ in sources(e, None) if isinstance(v, ir.Var)}:
                if base in ctx.activity.active | updated and base not in out:
                    name = ctx.base.get(base, base)
                    message = f"`{name}` is a number here, or an array of rank 0, and is written into"
                    other = f"or make it an array of one item: `{name} = np.zeros(1)`"
                    origin: ir.Origin | None = getattr(s, "origin", None)
                    help_ = (f"bind it again: `{name} = ...`", other)
                    out[base] = Diagnostic("S230", message, origin.span if origin else None, "", help_)
    return list(out.values())


def views_of_rank_zero(ctx: Context) -> dict[str, ir.Var]:
    """Arrays with axes that see an array of rank 0: `s[None]`, `s.reshape(1)`."""
    out: dict[str, ir.Var] = {}
    for s in ir.statements(ctx.function.body) if rank_zero(ctx.facts) else ():
        if isinstance(s, ir.Assign) and not ctx.facts.is_scalar(ir.Var(s.target)):
            for v, how in sources(s.value, ctx.facts):
                if isinstance(v, ir.Var) and how == "view" and (v.name in out or ctx.facts.is_scalar(v)):
                    out[s.target] = out.get(v.name, v)
    return out


def containers_written(ctx: Context) -> list[Diagnostic]:
    """A helper that writes into arrays which it is given in a list or a tuple."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        for call in ir.helper_calls(*ir.expressions(s)):
            for p, given in ctx.written(call).items():
                kind = ctx.facts.of(given).kind
                if kind in CONTAINERS:
                    message = f"`{call.fn[6:]}` writes into what it is given in the {kind} `{p}`"
                    elem = ctx.facts.of(given).elem
                    help_: tuple[str, ...] = ("hand it the arrays themselves, each as an argument",)
                    if kind == "list":
                        shown = ir.Printer()(ctx.tree(given))
                        help_ += (f"or let it return a new list, `[v, *{p}[1:]]`: `{shown} = {call.fn[6:]}(...)`",)
                    if isinstance(given, ir.Var) and elem is not None and ctx.facts.shapes(elem.shape) == SCALAR:
                        help_ = (f"make it an array of numbers: `{given.name} = np.zeros(n)`, `np.array([...])`",)
                    if kind == "dict" and ctx.calls.calls_itself(call.fn[6:]):
                        below = f"fill it from the bottom up, in a loop: `for k in range(n): {p}[k] = ...`"
                        help_ = (below, "or leave it out: each value is calculated again then")
                    out.append(Diagnostic("S238", message, s.origin.span if s.origin else None, "", help_))
    return out


WRITES = {"S201", "S202", "S210"}  # in-place writes, calls that may write, global and nonlocal
