"""Reductions over axes. In a rule `g` and `out` already have the shape to broadcast against x.

Ties in max and min get equal shares; prod is exact at zeros; std and norm give 0 where they are 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.ir import Op
from s2s.rules.elementwise import nonzero
from s2s.rules.kinds import reduction
from s2s.rules.tracing import Sym, h

AXES = "np.{0}(M); np.{0}(M, axis=0); np.{0}(T, axis=-1, keepdims=True); np.{0}(T, axis=(0, 2)); np.{0}(v, 0)"


def count(x: Any, axis: Any) -> Any:
    """The number of elements that go into one element of the result."""
    if axis is None:
        return np.size(x)
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
    return np.asarray(out).dtype if not isinstance(out, Sym) else out.dtype


def shares(g: Any, x: Any, out: Any, axis: Any) -> Any:
    """Equal shares of g for the elements that attain the extremum."""
    at_out = (x == out).astype(dtype_of(out)) if isinstance(x, Sym) else np.equal(x, out).astype(dtype_of(out))
    return at_out / np.sum(at_out, **over(axis)) * g


def spread(x: Any, axis: Any) -> Any:
    return x - np.mean(x, **over(axis))


reduction("np.sum(x, axis=None, keepdims=False)", lambda g: g, recall=True, at=AXES.format("sum"))
reduction(
    "np.mean(x, axis=None, keepdims=False)",
    lambda g, x, axis: g / count(x, axis),
    recall=True,
    at=AXES.format("mean"),
)
reduction(
    "np.prod(x, axis=None, keepdims=False)",
    lambda g, x, axis: h._prod_of_others(x) * g if axis is None else h._prod_of_others(x, axis) * g,
    at=AXES.format("prod") + "; np.prod(zeros_in, axis=0)",
)
reduction("np.max(x, axis=None, keepdims=False)", shares, at=AXES.format("max"))
reduction("np.min(x, axis=None, keepdims=False)", shares, at=AXES.format("min"))
reduction("np.amax(x, axis=None, keepdims=False)", shares, at=AXES.format("amax"))
reduction("np.amin(x, axis=None, keepdims=False)", shares, at=AXES.format("amin"))
reduction(
    "np.ptp(x, axis=None, keepdims=False)",
    lambda g, x, axis: shares(g, x, np.max(x, **over(axis)), axis) - shares(g, x, np.min(x, **over(axis)), axis),
    at=AXES.format("ptp"),
)
reduction(
    "np.var(x, axis=None, ddof=0, keepdims=False)",
    lambda g, x, axis, ddof: 2.0 * spread(x, axis) / less(count(x, axis), ddof) * g,
    at="np.var(M); np.var(M, axis=0); np.var(T, axis=(0, 2), ddof=1, keepdims=True); np.var(v, ddof=1)",
)
reduction(
    "np.std(x, axis=None, ddof=0, keepdims=False)",
    lambda g, x, out, axis, ddof: spread(x, axis) / (less(count(x, axis), ddof) * nonzero(out)) * g,
    at="np.std(M); np.std(M, axis=0); np.std(T, axis=(0, 2), ddof=1, keepdims=True); np.std(v, ddof=1)",
)


def less(n: Any, ddof: Any) -> Any:
    return n if isinstance(ddof, int | float) and ddof == 0 else n - ddof
