"""Pieces of code that more than one stage of a derivation makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from s2s import ir, rules
from s2s.analysis.activity import operands
from s2s.analysis.aliases import MAYBE_VIEWS
from s2s.analysis.facts import Facts, literal
from s2s.analysis.transfer import key_kind
from s2s.derive.context import Context
from s2s.derive.refusals import HOLD, WITHOUT, refuse
from s2s.ir import Expr, Index, Op, Stmt, Var
from s2s.rules.sparse import DENSE

OF_SPARSE = ("numpy.matmul", "numpy.dot", "scipy.sparse.linalg.spsolve")  # what knows a constant sparse matrix
WIDTH = 88  # of a line of generated text


def bar(name: str) -> str:
    return name + "%_bar"  # "%" keeps it apart from the user's names; the last pass chooses what is printed


def method(name: str, e: Expr) -> Op:
    return Op(f"numpy.{name}", (e,), form=ir.Form.METHOD, spelling=name)


def joined(array: Expr, key: Expr, facts: Facts) -> Index:
    """array[key], with x[i][j] as x[i, j]."""
    if isinstance(array, Index) and array.key != ir.ELLIPSIS:
        if key == ir.ELLIPSIS:
            return array
        outer = ir.key_items(array.key)
        if all(key_kind(k, facts) == "int" for k in outer):
            return Index(array.array, ir.Sequence((*outer, *ir.key_items(key))))
    return Index(array, key)


def repeated(e: Expr, of: Expr) -> Expr:
    """[e for _ in of]"""
    return ir.Comprehension(e, ((Var("_"), of, ()),))


def view_guard(name: str, value: Expr) -> list[Stmt]:
    """Whether np.reshape makes a view or a copy is known when it runs: it is taken for a view."""
    if not isinstance(value, Op) or value.fn not in MAYBE_VIEWS:
        return []
    return [ir.Inert("assert", (Op("numpy.shares_memory", (Var(name), value.args[0])),))]


def display(ctx: Context, e: Expr) -> Expr:
    """An argument with list displays written out: `[a, b, c][:2]` is `[a, b]`."""
    match e:
        case Var(name=name) if isinstance(ctx.temps.get(name), ir.Sequence | Index):
            inner = display(ctx, ctx.temps[name])
            return inner if isinstance(inner, ir.Sequence) else e
        case Index(array=array, key=ir.Slice(start=start, stop=stop, step=step)):
            items = display(ctx, array)
            try:
                parts: list[Any] = [None if p is None else literal(p) for p in (start, stop, step)]
                cut = slice(*parts)
            except ValueError:
                return e
            return (
                ir.Sequence(items.items[cut], items.kind) if isinstance(items, ir.Sequence) and not items.starred else e
            )
        case ir.Sequence():
            return ir.Sequence(tuple(display(ctx, i) for i in e.items), e.kind, e.starred)
    return e


def bind(ctx: Context, rule: rules.Rule, value: Op) -> rules.Call:
    """The call bound to its rule, or a diagnostic that names what the rule does not take."""
    args = tuple(display(ctx, a) for a in value.args)
    try:
        call = rule.bind(replace(value, args=args))
    except rules.RuleError as fault:
        refuse(ctx, value, fault.code, str(fault), *(fault.help or (WITHOUT, HOLD)))
    if value.fn not in OF_SPARSE and any(ctx.facts.is_sparse(a) for a in value.args):
        message = f"`{rule.spelled}` of a sparse matrix and an active value is not supported"
        refuse(
            ctx,
            value,
            "S302",
            message,
            "a sparse matrix is a constant; " + DENSE,
            "or write a product: `A @ x`, `A.dot(x)`, `spsolve(A, b)`",
        )
    if value.fn == "numpy.dot" and value.form is ir.Form.CALL and any(ctx.facts.is_sparse(a) for a in value.args):
        refuse(ctx, value, "S302", "`np.dot` takes a sparse matrix for an object", "write `A @ x`")
    for name, why in rule.closed.items():
        if name in call.values and any(v.name in ctx.activity.active for v in operands(call.values[name])):
            refuse(ctx, value, "S302", f"`{rule.spelled}` with an active `{name}`: {why}", HOLD)
    return call


def traced(ctx: Context, value: Expr, trace: Callable[..., Expr], *args: Any, **options: Any) -> Expr:
    """What a rule writes; it may need a fact that is not there, or lack the mode that is asked for."""
    try:
        return trace(*args, **options)
    except rules.RuleError as fault:
        refuse(ctx, value, fault.code, str(fault), *(fault.help or ("state the shapes: `# s2s: x (n,)`",)))
