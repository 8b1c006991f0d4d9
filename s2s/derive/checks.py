"""What can't be derived is found before anything is derived, so that all problems are reported at once."""

from __future__ import annotations

from s2s import ir, rules
from s2s.analysis.activity import operands
from s2s.derive.context import Context
from s2s.derive.refusals import active_label, missing, place
from s2s.errors import Diagnostic, S2SError
from s2s.ir import Expr, Op, Var


def problems(ctx: Context) -> list[Diagnostic]:
    """Operations on active values without a rule, or with options that their rule does not take."""
    from s2s.derive.reverse import bind

    found: list[Diagnostic] = []
    active = ctx.activity.active
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Assign(constant=False) | ir.Unpack(constant=False):
                if not any(t in active for t in ir.binds(s)):
                    continue
                value = s.value
            case ir.Return() | ir.Append():
                value = s.value
            case _:
                continue
        for n in ir.walk(value):
            if isinstance(n, ir.Index) and any(v.name in active for v in operands(n)):
                found += unknown_attribute(ctx, n)
        for e in active_operations(value, active):
            if isinstance(e, Op):
                rule = rules.lookup(e.fn)
                if rule is None:
                    if not e.fn.startswith(("local.", "operator.")):
                        found.append(missing(ctx, e))
                    elif e.fn.startswith("operator.") and e.fn != "operator.ifexp":
                        found.append(
                            Diagnostic(
                                "S303",
                                "a truth value of an active expression carries no derivative",
                                place(ctx, e),
                                active_label(ctx, e),
                            )
                        )
                    continue
                try:
                    bind(ctx, rule, e)
                except S2SError as fault:
                    found += fault.diagnostics
            elif isinstance(e, ir.Comprehension):
                found.append(
                    Diagnostic(
                        "S236", "this comprehension carries a derivative and can't be written as a loop", place(ctx, e)
                    )
                )
    found += aliased_updates(ctx)
    found += nested_lists(ctx)
    found += helpers_that_write(ctx)
    out: list[Diagnostic] = []
    for d in found:
        if d not in out:
            out.append(d)
    return out


def unknown_attribute(ctx: Context, e: ir.Index) -> list[Diagnostic]:
    """`y.weight` of a value that carries a derivative and is not known to be an object with that attribute."""
    match e.key:
        case ir.Const(value=ir.Attr() as name):
            fact = ctx.facts.of(e.array)
            if fact.kind == "dict" and name in fact.keys:
                return []
            help_ = (
                "state the class of the parameter: `def f(state: State)`",
                "or pass the value itself in place of the object",
            )
            message = f"the attribute `{name}` of a value is not supported: what the value is made of is not known"
            return [Diagnostic("S216", message, place(ctx, e), active_label(ctx, e), help_)]
    return []


def active_operations(e: Expr, active: frozenset[str]) -> list[Expr]:
    if not any(v.name in active for v in operands(e)):
        return []
    inner = [x for c in ir.children(e) for x in active_operations(c, active)]
    return [e, *inner] if isinstance(e, Op | ir.Comprehension) else inner


def aliased_updates(ctx: Context) -> list[Diagnostic]:
    """`x += e` rebinds a number but writes into an array: where another name may see that array, it is refused.

    Taking it as a rebinding is right where no other name can see the object.
    """
    shared = shared_names(ctx)
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        if (
            isinstance(s, ir.Assign)
            and isinstance(s.value, Op)
            and s.value.form is ir.Form.OPERATOR
            and s.value.spelling.endswith("=")
            and not s.value.fn.startswith("operator.")
        ):
            read = s.value.args[0]
            if not isinstance(read, Var):
                continue
            fact = ctx.facts.of(read)
            if fact.kind in ("int", "bool", "str", "list", "tuple") or (
                ctx.facts.is_scalar(read) and immutable(ctx, read.name)
            ):
                continue
            if read.name in shared:  # a new life of the name (another web) has no other name yet
                shown = ctx.base.get(s.target, s.target)
                other = ctx.base.get(shared[read.name], "")
                label = f"if `{shown}` is an array, this writes into it" + (
                    f", and `{other}` may be the same array" if other and other != shown else ""
                )
                help_ = (f"write `{shown} = {shown} + ...` if a new value is meant",)
                out.append(
                    Diagnostic(
                        "S230",
                        f"in-place update of `{shown}`, which may have another name",
                        s.origin.span if s.origin else None,
                        label,
                        help_,
                    )
                )
    return out


def nested_lists(ctx: Context) -> list[Diagnostic]:
    """A list that is put into a list: adjoints of lists of lists are not kept."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        inner: list[Expr] = []
        if isinstance(s, ir.Append) and s.array in ctx.activity.active:
            inner = [s.value]
        if (
            isinstance(s, ir.Assign)
            and isinstance(s.value, ir.Sequence)
            and s.target in ctx.activity.active
            and s.target not in ctx.temps
        ):
            inner = list(s.value.items)
        for e in inner:
            if ctx.facts.of(e).kind == "list" and isinstance(e, Var):
                help_ = ("make an array of the inner list: `np.array(...)`",)
                out.append(
                    Diagnostic(
                        "S233",
                        "a list of lists carries a derivative",
                        s.origin.span if s.origin else None,
                        "this list is put into a list",
                        help_,
                    )
                )
    return out


def helpers_that_write(ctx: Context) -> list[Diagnostic]:
    """Helpers that write into their arguments are refused where they are called, also where no derivative passes."""
    out: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        for e in ir.expressions(s):
            for n in ir.walk(e):
                if isinstance(n, Op) and n.fn.startswith("local.") and n.fn[6:] in ctx.calls.source.functions:
                    try:
                        ctx.calls.source.function(n.fn[6:])
                    except S2SError as fault:
                        out += [d for d in fault.diagnostics if d.code in WRITES]
    return out


WRITES = {"S201", "S202", "S210"}  # in-place writes, calls that may write, global and nonlocal


def immutable(ctx: Context, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a scalar is surely a number and not an array of rank 0: np.where, np.array make such arrays."""
    for s in ir.statements(ctx.function.body):
        if isinstance(s, ir.Assign) and s.target == name and isinstance(s.value, Op):
            if s.value.fn in (
                "numpy.where",
                "numpy.array",
                "numpy.asarray",
                "numpy.reshape",
                "numpy.squeeze",
                "numpy.copy",
                "numpy.zeros_like",
                "numpy.ones_like",
                "numpy.full_like",
                "numpy.full",
                "numpy.zeros",
                "numpy.ones",
            ):
                return False
            if s.value.fn.startswith("local."):
                return False
        if (
            isinstance(s, ir.Assign)
            and s.target == name
            and isinstance(s.value, Var)
            and s.value.name not in seen
            and not immutable(ctx, s.value.name, seen | {name})
        ):
            return False
    return True


def hands_back(ctx: Context, fn: str) -> bool:
    """Whether a helper may return one of its arguments, or a view of it."""
    if not fn.startswith("local.") or fn[6:] not in ctx.calls.source.functions:
        return False
    f = ctx.calls.prepare(fn[6:]).function
    fresh = {
        s.target
        for s in ir.statements(f.body)
        if isinstance(s, ir.Assign)
        and isinstance(s.value, Op)
        and not rules.may_alias(s.value)
        and not s.value.fn.startswith("local.")
    }
    other = {s.target for s in ir.statements(f.body) if isinstance(s, ir.Assign)} - fresh
    other |= {n for s in ir.statements(f.body) if isinstance(s, ir.Unpack) for n in s.targets} | set(f.names)
    for s in ir.statements(f.body):
        if isinstance(s, ir.Return) and any(
            isinstance(v, Var) and (v.name in other or v.name not in fresh) for v in ir.walk(s.value)
        ):
            return True
    return False


def shared_names(ctx: Context) -> dict[str, str]:
    """Names whose object another name, a list or a view may see, each with one such name."""
    shared: dict[str, str] = {}
    for s in ir.statements(ctx.function.body):
        match s:
            case ir.Assign(value=Var(name=other)):
                shared[s.target], shared[other] = other, s.target
            case ir.Assign(value=ir.Index(array=Var(name=other))):
                shared[s.target], shared[other] = other, s.target
            case ir.Assign(value=Op(fn=fn, args=args)) if (
                fn in rules.VIEWS or fn == "operator.ifexp" or hands_back(ctx, fn)
            ):
                for a in args:
                    if isinstance(a, Var):
                        shared[s.target], shared[a.name] = a.name, s.target
            case ir.Assign(value=ir.Sequence(items=items)):
                for i in items:
                    if isinstance(i, Var):
                        shared[i.name] = s.target
            case ir.Append(value=Var(name=name)):
                shared[name] = s.array
    return shared
