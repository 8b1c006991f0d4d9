"""Sorting and order statistics.

Sorting moves elements; the order in which equal ones stand is that of a stable sort. An order statistic (median,
quantile) is a mean of two neighbours in the sorted data: elements that equal one of them get equal shares of its part,
as in max and min. With weights a quantile is one of the elements, so it is constant in the weights but for jumps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.ir import Const
from s2s.rules.kinds import constant, general, reduction
from s2s.rules.tracing import RuleError, Sym, call, h, is_array, is_literal, ndim


def sorted_dot(g: Any, x: Any, axis: Any) -> Any:
    if axis is None:
        return np.ravel(g)[np.argsort(np.ravel(x))]
    return g[np.argsort(x)] if ndim(x) == 1 else np.take_along_axis(g, np.argsort(x, axis=axis), axis=axis)


general(
    "np.sort(x, axis=-1, kind=None, *, stable=None)",
    jvp=[sorted_dot],
    vjp=[lambda g, x, axis: h._sort_bar(g, x, axis)],
    at="np.sort(v); np.sort(M, axis=0); np.sort(T); np.sort(M, axis=None); np.sort(v, kind='stable')",
)
general(
    "np.partition(x, kth, axis=-1)",
    jvp=[lambda g, x, out, axis: h._partition_dot(g, x, out, axis)],
    vjp=[lambda g, x, out, axis: h._partition_bar(g, x, out, axis)],
    at="np.partition(v, 2); np.partition(M, 1, axis=0); np.partition(T, 2); np.partition(M, (3, 7), axis=None)",
)
constant(
    "np.argmax(x)", "np.argmin(x)", "np.nanargmax(x)", "np.nanargmin(x)", "np.argsort(x)", "np.argpartition(x, kth)",
    "np.lexsort(x)", "np.searchsorted(a, v)", "np.digitize(x, bins)", "np.argwhere(x)", "np.nonzero(x)",
    "np.flatnonzero(x)", "np.count_nonzero(x)",
    "bisect.bisect(a, x)", "bisect.bisect_left(a, x)", "bisect.bisect_right(a, x)",
)  # fmt: skip
general(
    "np.unique(x, *, equal_nan=True, sorted=True)",
    jvp=[lambda g, x: h._unique_dot(g, x)],
    vjp=[lambda g, x: h._unique_bar(g, x)],
    at="np.unique(v); np.unique(M)",
)
# ---------------------------------------------------------------- order statistics


def median_x(g: Any, x: Any, axis: Any) -> Any:
    return (h._quantile_shares(x, 0.5) if axis is None else h._quantile_shares(x, 0.5, axis)) * g


MEDIAN_AT = "np.{0}(M); np.{0}(M, axis=0); np.{0}(T, axis=(0, 2), keepdims=True); np.{0}(v); np.{0}(gaps, axis=1)"
reduction("np.median(x, axis=None, *, keepdims=False)", median_x, at=MEDIAN_AT.format("median").replace("gaps", "W"))
reduction("np.nanmedian(x, axis=None, *, keepdims=False)", median_x, at=MEDIAN_AT.format("nanmedian"))


def options(axis: Any, method: Any, keepdims: Any) -> dict[str, Any]:
    """The options of a quantile that are not at their defaults."""
    more = {} if axis is None else {"axis": axis}
    more |= {} if keepdims is False else {"keepdims": keepdims}
    return more | ({} if method == "linear" else {"method": method})


def fraction(q: Any) -> Any:
    """Per cent as a fraction."""
    if isinstance(q, list | tuple) and is_literal(q):
        return [float(v) / 100.0 for v in q]
    return (q if ndim(q) == 0 or is_array(q) else call("numpy.asarray", q)) / 100.0


def literal_or(q: Any) -> Any:
    """The number itself of a literal operand."""
    return q.expr.value if isinstance(q, Sym) and isinstance(q.expr, Const) else q


def weighted(weights: Any, method: str) -> bool:
    """Whether weights may be there: NumPy takes them for one method only, which chooses elements with and without."""
    return weights is not None and method == "inverted_cdf"


WEIGHTED = "keepdims=True, method='inverted_cdf', weights=p"


def quantile_rules(name: str, scale: Any, slope: float) -> None:
    def x_bar(g: Any, x: Any, q: Any, out: Any, axis: Any, method: Any, keepdims: Any, weights: Any) -> Any:
        if weighted(weights, method):
            return h._weighted_quantile_bar(g, x, literal_or(q), out, **options(axis, "linear", keepdims))
        return h._quantile_bar(g, x, scale(literal_or(q)), **options(axis, method, keepdims))

    def x_dot(g: Any, x: Any, q: Any, out: Any, axis: Any, method: Any, keepdims: Any, weights: Any) -> Any:
        if weighted(weights, method):
            return h._weighted_quantile_dot(g, x, literal_or(q), out, **options(axis, "linear", keepdims))
        return h._quantile_dot(g, x, scale(literal_or(q)), **options(axis, method, keepdims))

    def slopes(x: Any, q: Any, item: Any, axis: Any, method: Any, keepdims: Any) -> Any:
        if item is not None or method != "linear":
            raise RuleError(f"`np.{name}` has a derivative with respect to one active q, with method='linear'")
        return h._quantile_slopes(x, scale(q), **options(axis, method, keepdims))

    def q_bar(g: Any, x: Any, q: Any, item: Any, axis: Any, method: Any, keepdims: Any) -> Any:
        product = slopes(x, q, item, axis, method, keepdims) * (slope * g)
        return np.sum(product) if ndim(q) == 0 else h._leading_sum(product, q)

    def q_dot(g: Any, x: Any, q: Any, item: Any, axis: Any, method: Any, keepdims: Any) -> Any:
        slope_of_q = slopes(x, q, item, axis, method, keepdims)
        return slope_of_q * (slope * g) if ndim(q) == 0 else h._scale_leading(slope_of_q, slope * g)

    full = 0.3 if slope == 1.0 else 30.0
    general(
        f"np.{name}(x, q, axis=None, *, method='linear', keepdims=False, weights=None)",
        jvp=[x_dot, q_dot],
        vjp=[x_bar, q_bar],
        at="; ".join(
            f"np.{name}({a})"
            for a in (
                f"M, {full}",
                f"M, {full}, axis=0",
                f"T, [{full}, {full * 2.7}], axis=(0, 2), keepdims=True",
                f"v, {full * 2.0}, method='hazen'",
                f"M, {full}, axis=1, method='nearest'",
                f"v, s * {0.5 / full if slope == 1.0 else 50.0}".replace(f"{0.5 / full}", "0.5"),
                f"M, np.array([{full}, {full * 2.1}]), axis=1",
                f"M, s * {full}, axis=0",
                f"v, {full}, method='inverted_cdf', weights=p",
            )
        )
        + (
            ""
            if name.startswith("nan")
            else f"; np.{name}(M, [{full}, {full * 2.7}], axis=1, {WEIGHTED})"
            + f"; np.{name}(M, [{full}, {full * 2.7}], axis=1, {WEIGHTED.partition(', ')[2]})"
        ),
    )


for prefix in ("", "nan"):
    quantile_rules(f"{prefix}quantile", lambda q: q, 1.0)
    quantile_rules(f"{prefix}percentile", fraction, 0.01)
