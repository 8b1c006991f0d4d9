"""Reductions over axes. In a rule `g` and `out` already have the shape to broadcast against x.

Ties in max and min get equal shares; prod is exact at zeros; std and norm give 0 where they are 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.algebra import is_expansion
from s2s.ir import Index, Op
from s2s.rules.elementwise import nonzero
from s2s.rules.kinds import keeps_floats, reduction
from s2s.rules.tracing import Sym, h, is_open, is_option, pick

AXES = "np.{0}(M); np.{0}(M, axis=0); np.{0}(T, axis=-1, keepdims=True); np.{0}(T, axis=(0, 2)); np.{0}(v, 0)"
NAN_WHERE = "; np.{0}(gaps, where=W > 0.0); np.{0}(gaps, axis=1, where=W < 1.5, keepdims=True)"


def count(x: Any, axis: Any) -> Any:
    """The number of elements that go into one element of the result."""
    if axis is None:
        return np.size(x)
    if is_open(axis):
        return h._count(np.shape(x), axis)
    n = 1
    for i in axis if isinstance(axis, tuple) else (axis,):
        n = n * np.shape(x)[i]
    return n


def over(axis: Any) -> dict[str, Any]:
    """The options of a reduction whose result must broadcast against x."""
    return {} if axis is None else {"axis": axis, "keepdims": True}


def dtype_of(out: Any) -> Any:
    """The dtype of a result, which the expansion of its axes keeps."""
    if isinstance(out, Sym) and isinstance(out.expr, Op) and out.expr.fn in ("numpy.expand_dims", "helper._expand"):
        return out.make(out.expr.args[0]).dtype
    if isinstance(out, Sym) and isinstance(out.expr, Index) and is_expansion(out.expr):
        return out.make(out.expr.array).dtype
    return np.asarray(out).dtype if not isinstance(out, Sym) else out.dtype


def taken(where: Any, value: Any) -> Any:
    """`value` for the elements that the option `where` lets in, else 0."""
    return value if where is True else pick(where, value, 0.0)


def number(x: Any, axis: Any, where: Any) -> Any:
    """`count`, of the elements that `where` lets in."""
    return count(x, axis) if where is True else np.sum(np.ones_like(x), **over(axis), where=where)


def shares(g: Any, x: Any, out: Any, axis: Any, where: Any = True, initial: Any = None) -> Any:
    """Equal shares of g for the elements that attain the extremum; `initial` counts as one of them."""
    equal = (x == out) if where is True else (x == out) & where
    at_out = equal.astype(dtype_of(out)) if isinstance(x, Sym) else np.asarray(equal).astype(dtype_of(out))
    attaining = np.sum(at_out, **over(axis))
    return at_out / (attaining if initial is None else attaining + (out == initial)) * g


def present(x: Any, where: Any) -> Any:
    """1 for the elements that are numbers, 0 for NaN."""
    return taken(where, np.where(np.isnan(x), 0.0, np.ones_like(x)))


def numbers_of(x: Any, axis: Any, where: Any) -> Any:
    """How many elements are numbers, at least 1."""
    return np.maximum(np.sum(present(x, where), **over(axis)), 1.0)


def nan_shares(g: Any, x: Any, out: Any, axis: Any) -> Any:
    """Equal shares of g; none where all elements are NaN, for no comparison with NaN holds."""
    at_out = (x == out).astype(dtype_of(out)) if isinstance(x, Sym) else np.equal(x, out).astype(dtype_of(out))
    return at_out / np.maximum(np.sum(at_out, **over(axis)), 1.0) * g


def chosen(where: Any) -> dict[str, Any]:
    return {} if where is True else {"where": where}


def spread(x: Any, axis: Any, where: Any = True) -> Any:
    return taken(where, x - np.mean(x, **over(axis), **chosen(where)))


def nan_spread(x: Any, axis: Any, where: Any) -> Any:
    """The distance from the mean, 0 for NaN."""
    return np.where(np.isnan(x), 0.0, taken(where, x - np.nanmean(x, **over(axis), **chosen(where))))


def less(n: Any, ddof: Any) -> Any:
    return n if is_option(ddof, 0) else n - ddof


def prod_x(g: Any, x: Any, axis: Any, initial: Any, where: Any) -> Any:
    others = h._prod_of_others(x if where is True else np.where(where, x, 1.0), *([] if axis is None else [axis]))
    return taken(where, (others if is_option(initial, 1) else others * initial) * g)


def nanprod_x(g: Any, x: Any, axis: Any, initial: Any, where: Any) -> Any:
    return np.where(np.isnan(x), 0.0, prod_x(g, np.where(np.isnan(x), 1.0, x), axis, initial, where))


INITIAL = {"initial": "it has no derivative with respect to `initial`: write it as an operation of its own"}
SUMS = "axis=None, dtype=None, *, keepdims=False, initial=0, where=True"
MASKED = "; np.{0}(M, where=M > 0.0); np.{0}(T, axis=1, where=T < 0.5); np.{0}(M, axis=0, initial=0.5)"

reduction(
    f"np.sum(x, {SUMS})",
    lambda g, where: taken(where, g),
    recall=True,
    closed=INITIAL,
    check=keeps_floats,
    at=(AXES + MASKED).format("sum") + "; np.sum(M, 0, float)",
)
reduction(
    "np.mean(x, axis=None, dtype=None, *, keepdims=False, where=True)",
    lambda g, x, axis, where: taken(where, g / number(x, axis, where)),
    recall=True,
    check=keeps_floats,
    at=AXES.format("mean")
    + "; np.mean(M, where=M > 0.0); np.mean(T, axis=1, where=T < 2.5)"
    + "; np.mean(M, where=w > 0.0); np.mean(M, axis=0, where=col > -9.0, keepdims=True); np.mean(T, where=M < 9.0)",
)
reduction(
    "np.prod(x, axis=None, dtype=None, *, keepdims=False, initial=1, where=True)",
    prod_x,
    closed=INITIAL,
    check=keeps_floats,
    at=(AXES + MASKED).format("prod") + "; np.prod(zeros_in, axis=0)",
)
for name in ("max", "min", "amax", "amin"):
    reduction(
        f"np.{name}(x, axis=None, *, keepdims=False, initial=None, where=True)",
        shares,
        closed=INITIAL,
        at=AXES.format(name)
        + f"; np.{name}(M, initial=0.1); np.{name}(T, axis=1, initial=0.1, where=T < 0.5); "
        + f"np.{name}(T, axis=1, where=T < 0.5, initial=-0.1)",
    )


def spans(g: Any, x: Any, axis: Any) -> Any:
    return shares(g, x, np.max(x, **over(axis)), axis) - shares(g, x, np.min(x, **over(axis)), axis)


reduction(
    "np.ptp(x, axis=None, *, keepdims=False)",
    spans,
    at=AXES.format("ptp"),
)
SPREADS = "axis=None, dtype=None, *, ddof=0, keepdims=False, where=True"
DDOF = {"ddof": "it has no derivative with respect to the degrees of freedom: write the quotient out"}
SPREAD_AT = (
    "np.{0}(M); np.{0}(M, axis=0); np.{0}(T, axis=(0, 2), ddof=1, keepdims=True); np.{0}(v, ddof=1); "
    "np.{0}(v, correction=1); np.{0}(M, where=M > 0.0); np.{0}(T, axis=2, where=T < 2.5, ddof=1)"
)


def var_x(g: Any, x: Any, axis: Any, ddof: Any, where: Any) -> Any:
    return 2.0 * spread(x, axis, where) / less(number(x, axis, where), ddof) * g


def std_x(g: Any, x: Any, out: Any, axis: Any, ddof: Any, where: Any) -> Any:
    return spread(x, axis, where) / (less(number(x, axis, where), ddof) * nonzero(out)) * g


reduction(
    f"np.var(x, {SPREADS})",
    var_x,
    also={"correction": "ddof"},
    closed=DDOF,
    check=keeps_floats,
    at=SPREAD_AT.format("var"),
)
reduction(
    f"np.std(x, {SPREADS})",
    std_x,
    also={"correction": "ddof"},
    closed=DDOF,
    check=keeps_floats,
    at=SPREAD_AT.format("std"),
)

# ---------------------------------------------------------------- NaN left out: it gets 0

NAN_AT = "np.{0}(gaps); np.{0}(gaps, axis=0); np.{0}(gaps, axis=-1, keepdims=True); np.{0}(v, 0)"

reduction(
    f"np.nansum(x, {SUMS})",
    lambda g, x, where: np.where(np.isnan(x), 0.0, taken(where, g)),
    closed=INITIAL,
    check=keeps_floats,
    at=NAN_AT.format("nansum") + "; np.nansum(gaps, axis=1, where=gaps > 0.0, initial=2.0)",
)
reduction(
    "np.nanmean(x, axis=None, dtype=None, *, keepdims=False, where=True)",
    lambda g, x, axis, where: present(x, where) / numbers_of(x, axis, where) * g,
    check=keeps_floats,
    at=NAN_AT.format("nanmean") + "; np.nanmean(gaps, axis=1, where=gaps > -1.5)",
)
reduction(
    "np.nanprod(x, axis=None, dtype=None, *, keepdims=False, initial=1, where=True)",
    nanprod_x,
    closed=INITIAL,
    check=keeps_floats,
    at=NAN_AT.format("nanprod") + "; np.nanprod(gaps, axis=1, where=gaps > 0.0, initial=2.0)",
)
reduction("np.nanmax(x, axis=None, *, keepdims=False)", nan_shares, at=NAN_AT.format("nanmax"))
reduction("np.nanmin(x, axis=None, *, keepdims=False)", nan_shares, at=NAN_AT.format("nanmin"))


def nanvar_x(g: Any, x: Any, axis: Any, ddof: Any, where: Any) -> Any:
    return 2.0 * nan_spread(x, axis, where) / less(numbers_of(x, axis, where), ddof) * g


def nanstd_x(g: Any, x: Any, out: Any, axis: Any, ddof: Any, where: Any) -> Any:
    return nan_spread(x, axis, where) / (less(numbers_of(x, axis, where), ddof) * nonzero(out)) * g


reduction(
    f"np.nanvar(x, {SPREADS})",
    nanvar_x,
    also={"correction": "ddof"},
    closed=DDOF,
    check=keeps_floats,
    at=NAN_AT.format("nanvar") + NAN_WHERE.format("nanvar") + "; np.nanvar(gaps, axis=1, ddof=1)",
)
reduction(
    f"np.nanstd(x, {SPREADS})",
    nanstd_x,
    also={"correction": "ddof"},
    closed=DDOF,
    check=keeps_floats,
    at=NAN_AT.format("nanstd") + NAN_WHERE.format("nanstd") + "; np.nanstd(gaps, axis=1, ddof=1)",
)

# ---------------------------------------------------------------- reductions and outer products of ufuncs


def log_shares(g: Any, x: Any, out: Any, axis: Any) -> Any:
    """The shares of a sum of exponentials; equal ones where all are 0."""
    parts = np.exp(np.where(x == out, 0.0, x - out))
    return parts / np.sum(parts, **over(axis)) * g


UFUNC = "axis=0, dtype=None, *, keepdims=False"
UFUNC_AT = "np.{0}.reduce(M); np.{0}.reduce(T, axis=1); np.{0}.reduce(T, axis=None, keepdims=True); np.{0}.reduce(v)"

reduction(
    f"np.add.reduce(x, {UFUNC}, initial=0, where=True)",
    lambda g, where: taken(where, g),
    recall=True,
    closed=INITIAL,
    check=keeps_floats,
    at=UFUNC_AT.format("add") + "; np.add.reduce(M, where=M > 0.0, initial=2.0)",
)
reduction(
    f"np.multiply.reduce(x, {UFUNC}, initial=1, where=True)",
    prod_x,
    closed=INITIAL,
    check=keeps_floats,
    at=UFUNC_AT.format("multiply") + "; np.multiply.reduce(zeros_in, axis=1)",
)
for name in ("maximum", "minimum", "fmax", "fmin"):
    reduction(
        f"np.{name}.reduce(x, {UFUNC}, initial=None, where=True)",
        shares,
        closed=INITIAL,
        check=keeps_floats,
        at=UFUNC_AT.format(name) + f"; np.{name}.reduce(M, initial=0.1, where=M < 0.5)",
    )
reduction(
    f"np.logaddexp.reduce(x, {UFUNC})",
    log_shares,
    check=keeps_floats,
    at=UFUNC_AT.format("logaddexp"),
)
reduction(
    f"np.hypot.reduce(x, {UFUNC})",
    lambda g, x, out: x / nonzero(out) * g,
    check=keeps_floats,
    at=UFUNC_AT.format("hypot"),
)
