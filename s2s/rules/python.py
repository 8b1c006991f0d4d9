"""The functions of `math` and the builtins on numbers.

A function of `math` that is the same mathematics as one of NumPy takes its rule, written with functions of `math`.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from s2s import ir
from s2s.ir import Comprehension, Const, Expr, Form, Op, Var
from s2s.rules.elementwise import (
    ABOVE_ONE,
    MANTISSA,
    POSITIVE,
    QUOTIENT,
    REMAINDER,
    fmod_b,
    larger,
    nonzero,
    power_a,
    power_b,
    remainder_b,
    smaller,
)
from s2s.rules.kinds import TABLE, Elementwise, elementwise, enter, general, linear
from s2s.rules.reductions import shares
from s2s.rules.tracing import RuleError, Sym, call, h, is_array, is_list, listed, m, may_be_list, ndim, pi, to_expr

TWINS = {  # math's name: NumPy's name
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log2": "log2", "log10": "log10", "log1p": "log1p", "sqrt": "sqrt",
    "cbrt": "cbrt", "fabs": "fabs", "pow": "power", "fmod": "fmod", "copysign": "copysign", "degrees": "degrees",
    "radians": "radians", "modf": "modf", "nextafter": "nextafter",
}  # fmt: skip
RENAMES = {f"numpy.{n}": f"math.{p}" for p, n in TWINS.items() if n != "power"}
RENAMES |= {"numpy.log": "math.log", "numpy.hypot": "math.hypot", "numpy.rint": "builtins.round"}


def twins() -> None:
    for name, twin in TWINS.items():
        rule = TABLE["numpy." + twin]
        assert isinstance(rule, Elementwise)
        key = f"math.{name}({', '.join(rule.names)})"
        more = {"domain": rule.domain, "jvp": rule.whole, "results": rule.results, "smooth": rule.smooth}
        own = Elementwise(key, *rule.actions.values(), **more)
        own.renames = RENAMES
        enter(own)


twins()

# ---------------------------------------------------------------- math


def log_base(g: Any, base: Any, out: Any) -> Any:
    return -out / (base * m.log(base)) * g


class OpenPointError(RuleError):
    """How many coordinates a point has is known at run time only."""

    help = ("write the sum: `math.sqrt(sum((a - b) ** 2 for a, b in zip(x, y)))`",)


def dist_p(g: Any, p: Any, q: Any, item: Any, out: Any) -> Any:
    if item is None:
        raise OpenPointError("`math.dist` is supported for points that are written out: math.dist((x, y), (u, v))")
    return (p[item] - q[item]) / nonzero(out) * g


def dist_q(g: Any, p: Any, q: Any, item: Any, out: Any) -> Any:
    return dist_p(g, q, p, item, out)


def erf_x(g: Any, x: Any) -> Any:
    return 2.0 / m.sqrt(pi(x)) * m.exp(-(x**2)) * g


elementwise(
    "math.log(x, base=None)",
    lambda g, x, base: g / x if base is None else g / (x * m.log(base)),
    log_base,
    domain=ABOVE_ONE,
)
elementwise("math.erf(x)", erf_x)
elementwise("math.erfc(x)", lambda g, x: -erf_x(g, x))
elementwise("math.gamma(x)", lambda g, x, out: h._digamma(x) * out * g, domain=POSITIVE)
elementwise("math.lgamma(x)", lambda g, x: h._digamma(x) * g, domain=POSITIVE)
elementwise("math.remainder(a, b)", lambda g: g, fmod_b, domain=((3.1, 3.13), (0.7, 0.72))).renames = RENAMES
elementwise("math.ldexp(x, n)", lambda g, n: 2.0**n * g, None, at="math.ldexp(s, 3); math.ldexp(s, -2)")
elementwise("math.frexp(x)", lambda g, x: 2.0 ** -m.frexp(x)[1] * g, domain=(1.1, 1.9), **MANTISSA)
elementwise(
    "math.hypot(*x)",
    lambda g, x, item, out: x[item] / nonzero(out) * g,
    at="math.hypot(s, t); math.hypot(s, t, 2.0, s); math.hypot(s)",
)
general(
    "math.dist(p, q)",
    jvp=[dist_p, dist_q],
    vjp=[dist_p, dist_q],
    at="math.dist((s, t), (1.0, 2.0)); math.dist([s, 1.0], [t, 3.0])",
)

# ---------------------------------------------------------------- builtins


def flat(x: Any, item: Any) -> tuple[Any, Any]:
    """The candidates of max(a, b), max([a, b]) or max(x), and which of them is meant; None for all of one array."""
    if len(x) > 1:
        return x, item
    return (x[0], item[1]) if isinstance(item, tuple) else (x[0], None)


def winners(g: Any, x: Any, out: Any) -> Any:
    if is_array(x) and ndim(x) is not None and not may_be_list(x):
        return shares(g, x, out, None)
    array = call("numpy.asarray", x)  # a list compares with a number as a whole
    at_out = (array == out).astype(array.dtype)
    return at_out / np.sum(at_out) * g


def count(x: list[Any] | tuple[Any, ...], out: Any) -> Any:
    """How many of several numbers are equal to the result."""
    if not isinstance(out, Sym):
        return list(x).count(out)
    return out.make(ir.counted(to_expr(list(x)), out.expr))


def extremum(side: Any) -> Any:
    """Of two, half each at a tie; of more, equal shares."""

    def action(g: Any, x: Any, item: Any, out: Any) -> Any:
        x, k = flat(x, item)
        if k is None:
            return winners(g, x, out)
        if len(x) == 2:
            return side(g, x[k], x[1 - k])
        return call("builtins.float", x[k] == out) / count(x, out) * g

    return action


def extremum_bar(side: Any) -> Any:
    def action(g: Any, x: Any, item: Any, out: Any) -> Any:
        x_bar = extremum(side)(g, x, item, out)
        operands, k = flat(x, item)
        if k is None:
            return listed(x_bar) if is_list(x[0]) else x_bar
        one = ndim(operands[k]) == 0 and any(ndim(v) != 0 for v in operands)  # beside an array of one element
        return np.sum(x_bar) if one else x_bar

    return action


def extremum_dot(side: Any) -> Any:
    def action(g: Any, x: Any, item: Any, out: Any) -> Any:
        values, k = flat(x, item)
        if k is None and not is_array(values):  # a list compares with a number as a whole
            return np.mean(call("numpy.asarray", g)[call("numpy.asarray", values) == out])
        x_dot = extremum(side)(g, x, item, out)
        return np.sum(x_dot) if k is None else x_dot

    return action


def scalars(x: Any) -> bool:
    """Whether the terms of a sum are all known to be scalars."""
    return all(ndim(v) == 0 for v in x) if isinstance(x, list | tuple) else ndim(x) == 1


def each(g: Any, x: Any, item: Any, start: Any) -> Any:
    """g for each term of a sum: fresh ones in a list, which may be added to in place."""
    if isinstance(item, tuple):
        raise RuleError("`sum` of tuples joins them: write a comprehension, `[v for row in rows for v in row]`")
    if item is not None:
        return g if scalars(x) and ndim(start) == 0 else h._unbroadcast(g, x[item])
    if not is_list(x) and ndim(start) == 0:
        return np.broadcast_to(g, call("numpy.shape", x))  # which may be a list all the same
    if not is_list(x):
        return np.broadcast_to(h._unbroadcast(g, call("numpy.zeros", np.shape(x)[1:])), np.shape(x))
    assert isinstance(x, Sym)
    if scalars(x) and ndim(start) == 0:
        one: Expr = Op("numpy.multiply", (Const(1.0), to_expr(g)), form=Form.OPERATOR)
        return x.make(Comprehension(one, ((Var("_"), x.expr, ()),)))
    one = Op("helper._unbroadcast", (to_expr(g), Var("_x")))
    return x.make(Comprehension(one, ((Var("_x"), x.expr, ()),)))


def start_bar(g: Any, x: Any, start: Any) -> Any:
    return g if scalars(x) and ndim(start) == 0 else h._unbroadcast(g, start)


def fsum_x(g: Any, x: Any, item: Any) -> Any:
    return g if item is not None else each(g, x, item, 0)


def other_factors(g: Any, x: Any, item: Any) -> Any:
    if item is None:
        return listed(h._prod_of_others(x) * g) if is_list(x) else h._prod_of_others(x) * g
    return total_product([v for i, v in enumerate(x) if i != item]) * g


def total_product(factors: list[Any]) -> Any:
    return reduce(lambda a, b: a * b, factors) if factors else 1.0


elementwise("abs(x)", lambda g, x: np.sign(x) * g)
elementwise("pow(a, b)", power_a, power_b, domain=POSITIVE)
elementwise("float(x)", lambda g: g)
elementwise("divmod(a, b)", lambda g: g, remainder_b, domain=QUOTIENT, **REMAINDER)
general(
    "max(*x)",
    jvp=[extremum_dot(larger)],
    vjp=[extremum_bar(larger)],
    at="max(s, t); max(s, 0.1); max(s, t, 0.2); max([s, t]); max(v); max([s, t, 0.1]); max(s, t, s); max(Q)",
)
general(
    "min(*x)",
    jvp=[extremum_dot(smaller)],
    vjp=[extremum_bar(smaller)],
    at="min(s, t); min(s, 0.1); min(s, t, 0.2); min([s, t]); min(v); min(Q)",
)
linear(
    "sum(x, start=0)",
    each,
    start_bar,
    at="sum(v); sum([s, t, s]); sum([s, t], s); sum(M); sum([v, w], v); sum(M, start=s); sum(Q); sum(L); sum(v, 2.0)",
)
linear("math.fsum(x)", fsum_x, at="math.fsum([s, t]); math.fsum(v); math.fsum(Q)")
general(
    "math.prod(x)",
    jvp=[lambda g, x, item: np.sum(other_factors(g, x, item)) if item is None else other_factors(g, x, item)],
    vjp=[other_factors],
    ranks={"x": 1},
    at="math.prod([s, t, 2.0]); math.prod(v); math.prod([s]); math.prod(Q)",
)
