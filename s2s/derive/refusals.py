"""Refusals found while deriving: what has no rule, or no derivative here."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, NoReturn

from s2s import ir, rules
from s2s.analysis.facts import is_mixed
from s2s.errors import Diagnostic, S2SError, Span
from s2s.ir import Const, Expr, Index, Op, Var
from s2s.rules import effects
from s2s.rules.refused import why_refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from s2s.analysis.facts import Fact, Facts
    from s2s.derive.context import Context


def span_of(e: Expr) -> Span | None:
    for node in ir.walk(e):
        span: Span | None = getattr(node, "span", None)
        if span is not None:
            return span
    return None


def place(ctx: Context, e: Expr) -> Span | None:
    """The span of an expression, or of the statement that it stands in."""
    found = span_of(e)
    if found is not None:
        return found
    for s in ir.statements(ctx.function.body):
        if s.origin is not None and any(node is e or node == e for node in ir.nodes(s)):
            return s.origin.span
    return ctx.function.origin.span if ctx.function.origin else None


def active_label(ctx: Context, e: Expr) -> str:
    from s2s.analysis.activity import operands

    for v in operands(ir.Sequence(ir.children(e))):
        if v.name in ctx.activity.active:
            shown = ctx.base.get(v.name, v.name)
            origins = (s.origin.text for s in ir.statements(ctx.function.body) if s.origin)
            seen = shown in ctx.function.names or any(re.search(rf"\b{re.escape(shown)}\b", t) for t in origins)
            if v.name in ctx.temps or not seen:
                return "its argument is active here"
            return f"`{shown}` is active here" + (": it is in wrt" if v.name in ctx.wrt else "")
    return ""


DRAW = "or write it as a function of a draw without parameters: `mu + sigma * rng.standard_normal(3)`"
HOLD = "or, if no derivative is meant to pass: end the line with `# s2s: constant`"
ENTRIES = 'give the array a name of its own: `a = d["a"]`, and write and hand on that'
COPY = "let it return a copy, `.copy()`, or nothing"
BIND_ANEW = "bind the list anew where no other name has it: `xs = [*xs[:1], x]` for `xs[1:] = [x]`"
KEYS = "keep the values in a list or an array, and index that: `values.append(e)`"
FILLED = (
    "or make all its entries before, under the keys of another dict: `{k: np.zeros_like(p) for k, p in params.items()}`"
)
BY_ENTRY = "read its entries one by one, and pass those"
PARTS = "write it with arrays, lists and loops over them, and give its parts names"
WITHOUT = "write it without that, as steps that have a derivative: `s2s rules` lists them"
NOWHERE = (
    "look for a comparison, an integer conversion or a `# s2s: constant` on the way to the result",
    "its derivative is zero: there is nothing to write",
)
RULE = "add a rule: `s2s explain your-own-rules`"
SHAPES = "state the shapes of the parameters: `# s2s: x (n,)`"


def unknown_behind(f: ir.Function, facts: Facts, *values: Expr) -> list[str]:
    """The parameters that values are made of, those of which the rank is not known, or is only assumed."""
    made: dict[str, set[str]] = {}
    for s in ir.statements(f.body):
        targets = set(ir.binds(s)) | ({ir.written_name(s.target)} if isinstance(s, ir.Store) else set())
        targets |= {s.array} if isinstance(s, ir.Append) else set()
        read = {n for x in ir.expressions(s) for n in ir.reads(x)}
        for name in targets:
            made.setdefault(name, set()).update(read)
    reached, todo = set[str](), {n for e in values for n in ir.reads(e)}
    while todo:
        reached |= todo
        todo = {n for name in todo for n in made.get(name, ())} - reached
    roots = {ir.root_name(n) for n in reached}
    unknown = [n for n in f.names if n in roots and facts.of(Var(n)).kind in ("any", "float")]
    return [n for n in unknown if facts.ndim(Var(n)) is None or n in facts.assumed]


def stating(f: ir.Function, facts: Facts, e: Expr) -> str:
    """The advice to state what the parameters are of which an expression is made; "" where all are stated."""
    unknown = unknown_behind(f, facts, e) or unknown_behind(f, facts, *map(Var, f.names))
    if not unknown:
        return ""
    rows = {n: row for n in unknown if (row := row_of(f, n))}
    plain = [n for n in unknown if n not in rows]
    ways = [f"`# s2s: {plain[0]} (n,)` of a vector", f"`{plain[-1]}: float` of a number"] if plain else []
    ways += [f"`{n}: list[{row}]` of a list of tuples" for n, row in rows.items()]
    first = ", ".join(f"`{n}`" for n in unknown[:-1])
    names = f"{first} and `{unknown[-1]}` are" if first else f"`{unknown[-1]}` is"
    return f"state what {names}: {', '.join(ways)}"


def row_of(f: ir.Function, name: str) -> str:
    """The annotation of the items of a list that a loop takes apart, `tuple[str, float]`; "" where none does."""
    texts: set[Expr] = set()
    parts: dict[int, Expr] = {}
    for s in ir.statements(f.body):
        match s:
            case ir.Assign(
                target=part, value=Index(array=Index(array=Var(name=of), key=Var()), key=Const(value=int() as k))
            ) if of == name:
                parts[k] = Var(part)
        for e in ir.expressions(s):
            for n in ir.walk(e):
                match n:
                    case Op(fn="numpy.equal" | "numpy.not_equal", args=(tag, Const(value=str()))):
                        texts.add(tag)
    if len(parts) < 2 or parts.keys() != {*range(len(parts))}:
        return ""
    return f"tuple[{', '.join('str' if parts[k] in texts else 'float' for k in sorted(parts))}]"


# What to write for functions without a rule that have a plain equivalent.
INSTEAD = {
    "builtins.sorted": "sort an array: `np.sort(np.array(values))`",
    "builtins.complex": "compute with the real and the imaginary part",
    "builtins.list": "write it as a comprehension: `[v for v in x]`",
    "builtins.zip": "run over it where it is made, `for a, b in zip(x, y)`, or make a list of it: `list(zip(x, y))`",
    "builtins.enumerate": "run over it where it is made: `for i, v in enumerate(x)`",
    "builtins.reversed": "run over it where it is made, `for v in reversed(x)`, or make a list of it: `x[::-1]`",
    "builtins.iter": "take the items by number: `x[0]`, `for v in x[1:]`",
    "builtins.next": "take the items by number: `x[0]`, `for v in x[1:]`",
    "builtins.set": "use a list",
    "builtins.getattr": 'keep the values in a dict, `values[name]`, or read each by name: `if name == "a": v = p.a`',
    "numpy.fromiter": "make a list, and an array of it: `np.array([...])`",
    "numpy.apply_along_axis": "call the function with its `axis`, or run over the rows in a loop",
    "itertools.accumulate": "append to a list in a loop, or use `np.cumsum`",
    "itertools.product": "write a loop inside a loop",
    "itertools.combinations": "run over pairs of indices",
    "itertools.chain": "run over each in a loop of its own, or extend a list",
    "itertools.pairwise": "run over the indices: `for i in range(len(x) - 1)`",
    "itertools.islice": "write a slice of it: `x[1::2]`",
    "functools.reduce": "write it as a loop",
    "statistics.mean": "write `statistics.fmean(x)`, or `sum(x) / len(x)`",
    "copy.copy": "copy the array: `x.copy()`",
    "copy.deepcopy": "copy the arrays: `x.copy()`",
    "numpy.r_": "join the arrays: `np.concatenate([a, b])`",
    "numpy.mgrid": 'make the axes, and the grid of them: `np.meshgrid(np.linspace(0.0, x, 5), y, indexing="ij")`',
    "numpy.ogrid": "make the axes with `np.linspace` or `np.arange`, and add an axis to them: `a[:, None]`",
}
UNKNOWN_METHOD = "write it with functions of NumPy, or call a function of the module: `smooth(x)`"
METHODS = {
    "values": 'name the keys: `for k in ("a", "b"): v = params[k]`',
    "items": 'name the keys: `for k in ("a", "b"): v = params[k]`',
    "get": 'read the entry by its key: `params["a"]`',
}


def missing(ctx: Context, e: Op) -> Diagnostic:
    name = e.fn.removeprefix("builtins.").removeprefix("method.")
    reason = why_refused(f"numpy.ndarray.{name}" if e.fn.startswith("method.") else e.fn)
    if reason:
        message = f"`{e.spelling or name}` has no derivative rule"
        return Diagnostic("S301", message, place(ctx, e), active_label(ctx, e), (reason, HOLD))
    if e.fn.startswith("method."):
        if name in effects.DRAWS:
            wrt = [n for n in ctx.wrt if Var(n) not in e.args]
            size = (f"if it is a size: name what the gradient is with respect to: `--wrt {','.join(wrt)}`",) * bool(wrt)
            message = f"what `.{name}()` draws depends on an active value"
            return Diagnostic("S304", message, place(ctx, e), active_label(ctx, e), (*size, DRAW, HOLD))
        instead = METHODS.get(name, UNKNOWN_METHOD)
        of = ctx.base.get(e.args[0].name, e.args[0].name) if isinstance(e.args[0], Var) else "x"
        instead = stating_class(ctx, ctx.function.name, of, name) or instead
        return Diagnostic(
            "S304",
            f"method `.{name}()` of an active value is not known",
            place(ctx, e),
            active_label(ctx, e),
            (instead, HOLD),
        )
    why = ctx.calls.source.why_not(e.fn)
    if why:
        help_ = (why, RULE, HOLD)
        return Diagnostic("S301", f"`{name}` has no derivative rule", place(ctx, e), active_label(ctx, e), help_)
    ways = [RULE, HOLD]
    near = difflib.get_close_matches(e.fn, [r.fn for r in rules.all_rules() if "." in r.fn], 3, 0.75)
    if e.fn in INSTEAD:
        ways = [INSTEAD[e.fn], HOLD]
    elif near and not e.fn.startswith("builtins."):
        ways.insert(1, "near names that have one: " + ", ".join(f"`{n}`" for n in near))
    return Diagnostic("S301", f"`{name}` has no derivative rule", place(ctx, e), active_label(ctx, e), tuple(ways))


def no_rule(ctx: Context, e: Op) -> NoReturn:
    raise S2SError(missing(ctx, e))


def refuse(ctx: Context, e: Expr, code: str, message: str, *help_: str) -> NoReturn:
    first, *rest = [*filter(None, help_)] or [WITHOUT]
    help_ = (first.removeprefix("or "), *rest)
    raise S2SError(Diagnostic(code, message, place(ctx, e), active_label(ctx, e), help_))


def refuse_shared(ctx: Context, e: Op, whole: Expr | None = None) -> NoReturn:
    """What a helper returns may be what it was given, which is written elsewhere. whole: what the call stands in."""
    message = f"the result of `{e.fn[6:]}` may be one of its arguments, which is written"
    refuse(ctx, e if whole is None else whole, "S239", message, COPY)


def refuse_unknown_length(ctx: Context, name: str) -> NoReturn:
    """The adjoint of a list that a loop or a branch makes is zero before that, in as many parts as it has."""
    message = f"`{name}` is made in a loop or a branch, and how many parts it has where it is read only the run knows"
    refuse(ctx, Var(name), "S236", message, f"bind `{name}` before that, too")


def refuse_joined(ctx: Context, e: Op) -> None:
    """A list is joined with a list, and repeated by a whole number; what may be an array as well would be added item by
    item, and multiplied."""
    facts = {a: ctx.facts.of(a) for a in e.args}
    if e.form is not ir.Form.OPERATOR:
        return
    lists = [a for a, f in facts.items() if f.kind in ("list", "tuple")]
    either = [a for a, f in facts.items() if is_mixed(f)]  # a list in one place, an array in another
    others = [a for a in facts if a not in either]
    known = all(is_list_by_rank(ctx, a) for a in either)  # its derivative raises where it is given more than it has
    if e.fn == "numpy.add" and len(lists) < len(facts):
        joined = all(a in lists or (not known and may_be_list([facts[a]], ctx.facts)) for a in others)
        if (lists and may_be_list(facts.values(), ctx.facts)) or (either and joined):
            message = "a list is added to what may be a list or an array"
            write = "write `[*a, *b]` for lists, `np.array(a) + b` for arrays"
            refuse(ctx, e, "S236", message, write, stating(ctx.function, ctx.facts, e), HOLD)
    if e.fn == "numpy.multiply" and either and others and all(may_be_count(ctx, a, known) for a in others):
        message = "what may be a list or an array is multiplied by what may be a whole number"
        refuse(
            ctx,
            e,
            "S236",
            message,
            "write `np.array(a) * n`, or a comprehension for lists",
            stating(ctx.function, ctx.facts, e),
            HOLD,
        )


def is_list_by_rank(ctx: Context, e: Expr) -> bool:
    """Whether a value is an array of a vector, and a list of arrays of a matrix: `np.gradient(u)`."""
    whole = ctx.tree(e)
    made = ctx.definition(whole.name) if isinstance(whole, Var) else whole
    return isinstance(made, Op) and made.fn in rules.LISTS_BY_RANK


def may_be_count(ctx: Context, e: Expr, known: bool) -> bool:
    """Whether a value may be a whole number: of what carries a derivative, none is. known: where its kind says so."""
    kind = ctx.facts.of(e).kind
    if ctx.facts.is_array(e):
        return False
    return kind in ("int", "bool") or (kind == "any" and not known and not ctx.activity.depends(ctx.tree(e)))


def may_be_list(facts: Iterable[Fact], known: Facts) -> bool:
    return any(f.kind == "any" and known.shapes(f.shape).rank is None for f in facts)


def refuse_draws(ctx: Context, e: Op) -> None:
    """A helper that draws random numbers would draw others where its reverse runs it again."""
    name = e.fn[6:]
    if not ctx.calls.draws(name):
        return
    unknown = unknown_calls(ctx, name, set())
    drawn = sorted(draws_of(ctx, name, set()))
    if drawn and all(fn.startswith("time.") for fn in drawn):
        message = f"`{name}` calls `{drawn[0]}`, which gives another time where its reverse runs it again"
        refuse(ctx, e, "S202", message, f"call `{drawn[0]}` before and after `{name}`, or leave the time out of it")
    if not unknown:
        message = f"`{name}` draws random numbers: its reverse would run it again, and draw others"
        refuse(ctx, e, "S202", message, "draw before the call, and hand the numbers over")
    call, is_method = unknown[0]
    message = f"`{name}` calls `{call}`, which may give something else where its reverse runs it again"
    help_ = [f"call `{call}` before `{name}`, and hand over what it gives"]
    of, _, method = call.rpartition(".")
    if of and is_method:
        if stated := stating_class(ctx, name, of, method):
            help_.insert(0, stated)
        else:
            help_.append("annotate its object, if that is of a class of this file: `def f(model: Model)`")
    if not is_method and (why := ctx.calls.source.why_not(call)):
        help_.insert(0, why)
    refuse(ctx, e, "S202", message, *help_)


def stating_class(ctx: Context, function: str, of: str, method: str) -> str:
    """What says of which class an object is, where one class of the module has a method; "" where that is not known.

    function: where it is called; a class whose method calls one of the same name, calls that of another, as a rule.
    """
    every = ctx.calls.source.classes_with(method)
    classes = [c for c in every if c != function.partition(".")[0]] or every
    if len(classes) != 1:
        return ""
    (cls,) = classes
    kept = ", here or where a constructor keeps it" if "." in function else ""
    return f"state the class of the parameter: `{of}: {cls}`, or `list[{cls}]` of a list of them{kept}"


def draws_of(ctx: Context, name: str, seen: set[str]) -> set[str]:
    """The functions that give something else each time, which a helper calls, or one that it calls."""
    seen.add(name)
    found: set[str] = set()
    for s in ir.statements(ctx.calls.source.function(name).body):
        for e in ir.expressions(s):
            found |= {call.fn for call in effects.drawn(e)}
            for inner in ir.helper_calls(e):
                if inner.fn[6:] not in seen and ctx.calls.draws(inner.fn[6:]):
                    found |= draws_of(ctx, inner.fn[6:], seen)
    return found


def unknown_calls(ctx: Context, name: str, seen: set[str]) -> list[tuple[str, bool]]:
    """The calls in a helper, and those that it calls, of which it is not known what they do, and whether they are those
    of methods; none where it draws."""
    seen.add(name)
    out: list[tuple[str, bool]] = []
    for s in ir.statements(ctx.calls.source.function(name).body):
        for e in ir.expressions(s):
            for call in effects.drawn(e):
                if effects.is_unfollowed(call.fn):
                    out.append((call.fn, False))
                    continue
                if call.fn.startswith("module.") and not effects.is_draw(call.fn):
                    out.append((call.fn[7:], True))
                    continue
                if not effects.is_method(call.fn):
                    return []
                of = call.args[0].name if isinstance(call.args[0], Var) else ""
                out.append((f"{of}.{call.fn[7:]}", True))
            for inner in ir.helper_calls(e):
                if inner.fn[6:] not in seen and ctx.calls.draws(inner.fn[6:]):
                    more = unknown_calls(ctx, inner.fn[6:], seen)
                    if not more:
                        return []
                    out += more
    return out


def whole_result(ctx: Context, e: Op, call: rules.Call) -> NoReturn:
    """A function that returns several values, where its result has not been taken apart."""
    names = ", ".join(call.results)
    refuse(
        ctx,
        e,
        "S302",
        f"the result of `{call.rule.spelled}` is a tuple of {names}",
        "unpack it by an assignment: `a, b = ...`",
    )
