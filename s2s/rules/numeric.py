"""Derivatives by central differences, where the user asks for them: `y = f(x)  # s2s: numeric`.

A call on such a line is one of the function `numeric.f`, whose rule calls f itself through `_central_bar` and
`_central_dot` of `s2s.helpers`. The error of a central difference with the step eps**(1/3) is about eps**(2/3), ten
digits of a float64 (Griewank & Walther, Evaluating Derivatives, 2nd ed., section 1).
"""

from __future__ import annotations

from functools import lru_cache

from s2s import ir
from s2s.ir import Attribute, Const, Expr, Op, Sequence, Var
from s2s.rules.kinds import FAMILIES, Call, Operand, Rule
from s2s.rules.tracing import NO_FACTS, Facts, RuleError

PREFIX = "numeric."
FROM_HERE = ("write a rule for it: `s2s explain your-own-rules`",)


class NotNumeric(RuleError):
    """A call that differences can't be right for."""

    code = "S308"
    help = FROM_HERE


class Differences(Rule):
    """The rule of `numeric.f`: every positional argument is an operand."""

    kind = "general"

    def __init__(self, fn: str) -> None:
        super().__init__("len(x)")
        self.fn = self.key = fn
        self.names, self.params = (), ()

    @property
    def spelled(self) -> str:
        return self.fn.removeprefix(PREFIX).removeprefix("local.").removeprefix("module.").replace("numpy.", "np.", 1)

    def bind(self, op: Op) -> Call:
        for a in (*op.args, *(v for _, v in op.options)):
            if isinstance(a, Sequence | ir.Dict | ir.Comprehension):
                raise NotNumeric(f"`{self.spelled}` takes a list, tuple or dict: differences are of arrays and numbers")
        operands = [Operand(f"x{i}", expr=a) for i, a in enumerate(op.args) if not isinstance(a, Const)]
        operands += [Operand(f"={name}", expr=v) for name, v in op.options if not isinstance(v, Const)]
        return Call(self, op, {}, tuple(operands))

    def vjp(self, call: Call, operand: Operand, g: Expr, out: Expr, facts: Facts = NO_FACTS) -> Expr:
        self.verify_operand(operand, facts)
        position = Const(int(operand.name[1:]))
        return Op("helper._central_bar", (callee(call.op), Sequence(call.op.args), position, g), call.op.options)

    def jvp(
        self,
        call: Call,
        dots: dict[Operand, Expr],
        out: Expr,
        facts: Facts = NO_FACTS,
        wanted: tuple[bool, ...] = (),
    ) -> Expr:
        for operand in dots:
            self.verify_operand(operand, facts)
        of = {o.name: d for o, d in dots.items()}
        seeds = Sequence(tuple(of.get(f"x{i}", ir.NONE) for i in range(len(call.op.args))))
        return Op("helper._central_dot", (callee(call.op), Sequence(call.op.args), seeds), call.op.options)

    def verify_operand(self, operand: Operand, facts: Facts) -> None:
        if operand.name.startswith("="):
            message = f"`{self.spelled}` is called with the active keyword `{operand.name[1:]}`: give it by position"
            raise NotNumeric(message)
        is_list = getattr(facts, "is_list", None)
        if is_list is not None and is_list(operand.expr):
            raise NotNumeric(f"`{self.spelled}` takes a list: differences are of arrays and numbers")


def callee(op: Op) -> Expr:
    """The function as a value, under the user's name for it."""
    if op.spelling.startswith("@"):
        return Var(op.spelling)
    name, *rest = op.spelling.split(".")
    found: Expr = Var(name)
    for part in rest:
        found = Attribute(found, part)
    return found


FAMILIES[PREFIX] = lru_cache(maxsize=256)(Differences)
