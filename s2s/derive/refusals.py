"""Refusals found while deriving: what has no rule, or no derivative here."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NoReturn

from s2s import ir, rules
from s2s.errors import Diagnostic, S2SError, Span
from s2s.ir import Expr, Op
from s2s.rules.refused import why_refused

if TYPE_CHECKING:
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
        if s.origin is not None and any(node is e or node == e for x in ir.expressions(s) for node in ir.walk(x)):
            return s.origin.span
    return ctx.function.origin.span if ctx.function.origin else None


def active_label(ctx: Context, e: Expr) -> str:
    from s2s.analysis.activity import operands

    for v in operands(ir.Sequence(tuple(ir.children(e)))):
        if v.name in ctx.activity.active:
            shown = ctx.base.get(v.name, v.name)
            if v.name in ctx.temps:
                return "its argument is active here"
            return f"`{shown}` is active here" + (": it is in wrt" if v.name in ctx.wrt else "")
    return ""


HOLD = "or hold it constant: end the line with `# s2s: constant`"


def missing(ctx: Context, e: Op) -> Diagnostic:
    name = e.fn.removeprefix("builtins.").removeprefix("method.")
    reason = why_refused(f"numpy.ndarray.{name}" if e.fn.startswith("method.") else e.fn)
    if reason:
        message = f"`{e.spelling or name}` has no derivative rule"
        return Diagnostic("S301", message, place(ctx, e), active_label(ctx, e), (reason, HOLD))
    if e.fn.startswith("method."):
        return Diagnostic(
            "S304",
            f"method `.{name}()` of an active value is not known",
            place(ctx, e),
            active_label(ctx, e),
            (HOLD.removeprefix("or "),),
        )
    why = ctx.calls.source.why_not(e.fn)
    if why:
        help_ = (why, "add a rule: `s2s explain your-own-rules`", HOLD)
        return Diagnostic("S301", f"`{name}` has no derivative rule", place(ctx, e), active_label(ctx, e), help_)
    near = difflib.get_close_matches(e.fn, [r.fn for r in rules.all_rules()], 3, 0.75)
    ways = ["add a rule: `s2s explain your-own-rules`", HOLD]
    if near:
        ways.insert(1, "near names that have one: " + ", ".join(f"`{n}`" for n in near))
    return Diagnostic("S301", f"`{name}` has no derivative rule", place(ctx, e), active_label(ctx, e), tuple(ways))


def no_rule(ctx: Context, e: Op) -> NoReturn:
    raise S2SError(missing(ctx, e))


def refuse(ctx: Context, e: Expr, code: str, message: str, *help_: str) -> NoReturn:
    raise S2SError(Diagnostic(code, message, place(ctx, e), active_label(ctx, e), help_ or (HOLD.removeprefix("or "),)))


def whole_result(ctx: Context, e: Op, call: rules.Call) -> NoReturn:
    """A function that returns several values, where its result has not been taken apart."""
    names = ", ".join(call.results)
    refuse(ctx, e, "S302", f"the result of `{call.rule.spelled}` is a tuple of {names}", "unpack it by an assignment")
