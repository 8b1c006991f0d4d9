"""Averages, covariances and weighted counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.kinds import general, linear
from s2s.rules.reductions import AXES, count, over
from s2s.rules.tracing import RuleError, h, is_literal, is_option, ndim

# ---------------------------------------------------------------- average


def average_check(scope: dict[str, Any]) -> str | None:
    if scope["returned"] is not False:
        return "`np.average` is supported without `returned`"
    return None if is_literal(scope["axis"]) else "`np.average` is supported with a literal axis"


def widened(g: Any, axis: Any, keepdims: Any) -> Any:
    return g if axis is None or keepdims is True else np.expand_dims(g, axis)


def spread_weights(x: Any, weights: Any, axis: Any, e: Any = None) -> Any:
    """The weights, or a value of their shape, in a shape that broadcasts against x."""
    e = weights if e is None else e
    if axis is None or (ndim(weights) is not None and ndim(x) == ndim(weights)):
        return e
    return h._weights_along(e, x, axis)


def average_x(g: Any, x: Any, weights: Any, axis: Any, keepdims: Any) -> Any:
    g = widened(g, axis, keepdims)
    if weights is None:
        return g / count(x, axis) * np.ones_like(x)
    w = spread_weights(x, weights, axis)
    return w / np.sum(w, **over(axis)) * g


def average_w(g: Any, x: Any, weights: Any, out: Any, axis: Any, keepdims: Any) -> Any:
    w = spread_weights(x, weights, axis)
    moved = (x - widened(out, axis, keepdims)) / np.sum(w, **over(axis)) * widened(g, axis, keepdims)
    return moved if w is weights else h._reduce_to_weights(moved, weights, axis)


def average_dot(x: Any, weights: Any, out: Any, axis: Any, keepdims: Any, x_dot: Any, weights_dot: Any) -> Any:
    more: dict[str, Any] = {"keepdims": True} if keepdims is True else {}
    more |= {} if axis is None else {"axis": axis}
    if weights is None:
        return np.mean(x_dot, **more)
    w = spread_weights(x, weights, axis)
    terms = []
    if x_dot is not None:
        terms.append(w * x_dot)
    if weights_dot is not None:
        terms.append(spread_weights(x, weights, axis, weights_dot) * (x - widened(out, axis, keepdims)))
    return np.sum(terms[0] if len(terms) == 1 else terms[0] + terms[1], **more) / np.sum(w, **more)


general(
    "np.average(x, axis=None, weights=None, returned=False, *, keepdims=False)",
    jvp=average_dot,
    vjp=[average_x, None, average_w],
    check=average_check,
    at=AXES.format("average")
    + "; np.average(v, weights=W[0] + 3.0); np.average(M, 0, u + 3.0); np.average(M, axis=1, weights=W + 3.0)"
    + "; np.average(M, axis=-1, weights=v + 3.0, keepdims=True); np.average(M, weights=W + 3.0)"
    + "; np.average(M, axis=1, weights=v + 3.0); np.average(T, axis=2, weights=v + 3.0, keepdims=True)",
)

# ---------------------------------------------------------------- covariance


def divisor(bias: Any, ddof: Any) -> dict[str, Any]:
    """The `ddof` of a covariance where it is not 1."""
    if ddof is not None:
        return {} if is_option(ddof, 1) else {"ddof": ddof}
    if not is_literal(bias):
        raise RuleError("`np.cov` is supported with a literal `bias`")
    return {"ddof": 0} if bias else {}


def rows(y: Any, rowvar: Any) -> dict[str, Any]:
    return ({} if y is None else {"y": y}) | ({} if is_option(rowvar, 1) else {"rowvar": rowvar})


def tangent_of_y(y_dot: Any) -> dict[str, Any]:
    return {} if y_dot is None else {"y_dot": y_dot}


def weighted(fweights: Any, aweights: Any) -> dict[str, Any]:
    given = {"fweights": fweights, "aweights": aweights}
    return {n: w for n, w in given.items() if w is not None}


def cov_operand(place: int) -> Any:
    def bar(g: Any, m: Any, y: Any, rowvar: Any, bias: Any, ddof: Any, fweights: Any, aweights: Any) -> Any:
        weights = weighted(fweights, aweights)
        helper = h._weighted_cov_bar if weights else h._cov_bar
        return helper(g, m, **rows(y, rowvar), **divisor(bias, ddof), **weights)[place]

    return bar


def cov_weights(
    g: Any, m: Any, y: Any, rowvar: Any, bias: Any, ddof: Any, fweights: Any, aweights: Any, out: Any
) -> Any:
    return h._cov_bar_weights(g, out, m, **rows(y, rowvar), **divisor(bias, ddof), **weighted(fweights, aweights))


def cov_dot(
    m: Any,
    y: Any,
    rowvar: Any,
    bias: Any,
    ddof: Any,
    fweights: Any,
    aweights: Any,
    out: Any,
    m_dot: Any,
    y_dot: Any,
    aweights_dot: Any,
) -> Any:
    options = rows(y, rowvar) | divisor(bias, ddof) | tangent_of_y(y_dot)
    if weights := weighted(fweights, aweights):
        dots = {"m_dot": m_dot, "w_dot": aweights_dot}
        return h._weighted_cov_dot(out, m, **{n: d for n, d in dots.items() if d is not None}, **options, **weights)
    return h._cov_dot(np.zeros_like(m) if m_dot is None else m_dot, m, **options)


general(
    "np.cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None)",
    jvp=cov_dot,
    vjp=[cov_operand(0), cov_operand(1), None, None, None, None, cov_weights],
    analytic=False,
    at="np.cov(M); np.cov(M, rowvar=False); np.cov(v); np.cov(v, w); np.cov(M, W, ddof=0); np.cov(M, bias=True); "
    "np.cov(M, W, rowvar=False); np.cov(M, aweights=p); np.cov(v, w, aweights=p, ddof=0); "
    "np.cov(M, fweights=k + 1); np.cov(M, W, fweights=k + 1, aweights=p); np.cov(v, aweights=p, fweights=k + 1); "
    "np.cov(M, rowvar=False, aweights=p[:3], bias=True); np.cov(M, W[:2]); np.cov(M, ddof=2)",
)


def corrcoef_x(g: Any, x: Any, y: Any, rowvar: Any, out: Any) -> Any:
    return h._corrcoef_bar(g, out, x, **rows(y, rowvar))[0]


def corrcoef_y(g: Any, x: Any, y: Any, rowvar: Any, out: Any) -> Any:
    return h._corrcoef_bar(g, out, x, **rows(y, rowvar))[1]


def corrcoef_dot(x: Any, y: Any, rowvar: Any, out: Any, x_dot: Any, y_dot: Any) -> Any:
    x_dot = np.zeros_like(x) if x_dot is None else x_dot
    return h._corrcoef_dot(x_dot, out, x, **tangent_of_y(y_dot), **rows(y, rowvar))


general(
    "np.corrcoef(x, y=None, rowvar=True)",
    jvp=corrcoef_dot,
    vjp=[corrcoef_x, corrcoef_y],
    analytic=False,
    at="np.corrcoef(M); np.corrcoef(M, rowvar=False); np.corrcoef(v, w); np.corrcoef(M, W); np.corrcoef(M, W[:2])",
)

# ---------------------------------------------------------------- weighted counts

linear(
    "np.bincount(x, weights=None, minlength=0)",
    None,
    lambda g, x: g[x],
    at="np.bincount(k, weights=v); np.bincount(k, v, minlength=7)",
)


def no_edges(scope: dict[str, Any]) -> str | None:
    density = scope["density"]
    return None if density is None or density is False else "`np.histogram` is supported without `density`"


EDGES = dict.fromkeys(("bins", "range"), "it has no derivative with respect to the edges of its bins")


def constant_edges(g: Any, range: Any) -> None:
    if g is not None and range is None:
        raise RuleError("the edges of `np.histogram` are those of the data: give it a `range`")


def histogram_x(g: Any, x: Any, range: Any) -> Any:
    """The counts are constant in the data; the edges are too, where they are given."""
    constant_edges(g[1], range)
    return np.zeros_like(x)


def histogram_weights(g: Any, x: Any, weights: Any, out: Any) -> Any:
    return np.zeros_like(weights) if g[0] is None else h._histogram_bar(g[0], x, out[1])


def histogram_dot(x: Any, x_dot: Any, weights_dot: Any, range: Any, out: Any, wanted: Any) -> Any:
    if x_dot is not None:
        constant_edges(wanted[1] or None, range)
    counts = np.zeros_like(out[0]) if weights_dot is None else h._histogram_dot(weights_dot, x, out[1])
    return counts, np.zeros_like(out[1])


general(
    "np.histogram(x, bins=10, range=None, density=None, weights=None)",
    jvp=histogram_dot,
    vjp=[histogram_x, None, None, None, histogram_weights],
    results=("hist", "edges"),
    closed=EDGES,
    check=no_edges,
    at="np.histogram(v, 3, (-2.0, 2.0), weights=w); np.histogram(v, 3, (-2.0, 2.0), False, w)",
)
