"""What is known of numbers and texts that are written out: tests of them, and calculations with those put in."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence

from s2s.frontend.text.scopes import blocks_of, is_number
from s2s.frontend.text.source import made

ORDER: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
}  # fmt: skip


def is_literal(e: ast.expr) -> bool:
    """Whether an expression is written out: a number, a text, a list of them."""
    try:
        ast.literal_eval(e)
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------- tests


def of_literals(e: ast.expr) -> bool | None:
    """What a test of literals says: `"edge" == "wrap"`, `not True`; None of any other."""
    match e:
        case ast.Constant(value=bool() as value):
            return value
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            holds = of_literals(inner)
            return None if holds is None else not holds
        case ast.BoolOp(op=op, values=values):  # a == b and False
            stop = isinstance(op, ast.Or)
            sides = [of_literals(v) for v in values]
            if stop in sides and all(map(is_plain_question, values[: sides.index(stop)])):
                return stop
            return None if None in sides else not stop
        case ast.Compare(left=ast.Constant(value=left), ops=[ast.Is() | ast.IsNot() as op], comparators=[other]) if (
            isinstance(other, ast.Constant) and isinstance(left, str | bool)
        ):
            return (left is other.value) is isinstance(op, ast.Is) if not isinstance(other.value, str) else None
        case ast.Compare(left=left, ops=[op], comparators=[other]) if (
            type(op) in ORDER and is_number(left) and is_number(other)
        ):
            return ORDER[type(op)](ast.literal_eval(left), ast.literal_eval(other))
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str() as text), attr="startswith" | "endswith" as attr),
            args=[ast.Constant(value=str() as part)],
            keywords=[],
        ):
            return text.startswith(part) if attr == "startswith" else text.endswith(part)
        case ast.Compare(left=ast.Constant(value=str() as left), ops=[op], comparators=[other]):
            try:
                right = ast.literal_eval(other)
            except ValueError:
                return None
            match op:
                case ast.Eq() | ast.NotEq() if isinstance(right, str):
                    return (left == right) is isinstance(op, ast.Eq)
                case ast.In() | ast.NotIn() if isinstance(right, tuple | list | set):
                    return (left in right) is isinstance(op, ast.In)
    return None


def is_plain_question(e: ast.expr) -> bool:
    """Whether a test does nothing else: `B is not None`, `a < b`."""
    match e:
        case ast.Compare(left=left, comparators=others):
            return all(isinstance(x, ast.Name | ast.Constant) for x in (left, *others))
    return False


def without_literals(e: ast.expr) -> ast.expr:
    """A test without the parts that are known: `True and x > 0` is `x > 0`."""
    if isinstance(e, ast.BoolOp):
        neutral = isinstance(e.op, ast.And)
        values = [v for v in e.values[:-1] if of_literals(v) is not neutral] + e.values[-1:]
        stop = next((i for i, v in enumerate(values) if of_literals(v) is (not neutral)), len(values))
        values = values[: stop + 1]
        if len(values) == 1:
            return values[0]
        return e if len(values) == len(e.values) else made(ast.BoolOp(e.op, values), e)
    holds = of_literals(e) if isinstance(e, ast.Compare | ast.UnaryOp | ast.Call) else None
    return e if holds is None else made(ast.Constant(holds), e)


# ---------------------------------------------------------------- numbers that the frontend has put in


def calculated(e: ast.expr) -> ast.expr:
    """`3 - 1` as `2`, where one of the numbers was put in: what the user writes stays."""
    match e:
        case ast.BinOp(left=ast.Constant(value=int()) as a, op=op, right=ast.Constant(value=int()) as b) if type(
            op
        ) in ARITHMETIC and (is_known(a) or is_known(b)):
            assert isinstance(a.value, int) and isinstance(b.value, int)
            return made(ast.Constant(ARITHMETIC[type(op)](a.value, b.value)), e)
        case ast.BinOp(left=left, op=ast.Add(), right=ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as b) as minus):
            return made(ast.BinOp(left, ast.Sub(), b), e) if is_put_in(minus) else e  # `n + -1`
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int() as k) as b) if k < 0 and is_put_in(b):
            return made(ast.BinOp(left, ast.Sub(), made(ast.Constant(-k), b)), e)
    return e


def is_put_in(e: ast.expr) -> bool:
    return getattr(e, "made", False)


def folded(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements in which numbers were put in, such as that of an iteration: tests of them are decided."""
    out: list[ast.stmt] = []
    for s in body:
        _Folded().visit(s)
        for inner in blocks_of(s):
            inner[:] = folded(inner)
            if not inner and inner is getattr(s, "body", None):  # of what never runs, nothing is left
                inner.append(made(ast.Pass(), s))
        if isinstance(s, ast.If) and is_known(s.test):
            out += s.body if s.test.value else s.orelse  # type: ignore[attr-defined]
            continue
        out.append(s)
    return out


def is_known(e: ast.AST) -> bool:
    return isinstance(e, ast.Constant) and isinstance(e.value, int) and getattr(e, "made", False)


class _Folded(ast.NodeTransformer):
    """Calculations with numbers that the frontend has put in."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.BinOp():
                return calculated(node)
            case ast.Compare(left=a, comparators=[b]) if is_known(a) or is_known(b):
                return without_literals(node)
            case ast.BoolOp(values=values) if any(map(is_known, values)):
                return without_literals(node)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Constant() as a) if is_known(a):
                return made(ast.Constant(not a.value), node)
            case ast.Subscript(value=ast.List(elts=elts) | ast.Tuple(elts=elts) as row, slice=ast.Constant() as at) if (
                is_known(at) and is_literal(row)
            ):
                assert isinstance(at.value, int)
                return elts[at.value] if at.value < len(elts) else node
            case ast.IfExp(test=ast.Constant() as test) if is_known(test):
                return node.body if test.value else node.orelse
        return node


__all__ = ["ORDER", "calculated", "folded", "is_literal", "is_plain_question", "of_literals", "without_literals"]
