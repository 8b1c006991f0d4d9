"""Polynomials as arrays of coefficients, that of the highest power first.

`poly` of a matrix, whose characteristic polynomial it is, and `roots`, whose result is complex, are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.kinds import general, linear
from s2s.rules.tracing import RuleError, h, is_option, length, ndim


def polyval_p(g: Any, p: Any, x: Any, item: Any) -> Any:
    if item is None:
        return h._polyval_bar_p(g, p, x)
    power = len(p) - 1 - item
    term = g if power == 0 else g * x if power == 1 else g * x**power
    return np.sum(term) if ndim(x) != 0 else term


def polyval_x(g: Any, p: Any, x: Any) -> Any:
    if not isinstance(p, list | tuple):
        return h._polyval_slope(p, x) * g
    n = len(p) - 1
    scaled = [float(n - i) * c for i, c in enumerate(p[:-1])]
    return np.polyval(scaled, x) * g


def polyval_p_dot(g: Any, p: Any, x: Any, item: Any) -> Any:
    if item is None:
        return np.polyval(g, x)
    power = len(p) - 1 - item
    return g * np.ones_like(x) if power == 0 else g * x if power == 1 else g * x**power


general(
    "np.polyval(p, x)",
    jvp=[polyval_p_dot, lambda g, p, x: polyval_x(g, p, x)],
    vjp=[polyval_p, polyval_x],
    ranks={"p": 1},
    at="np.polyval(v, s); np.polyval(v, M); np.polyval([s, t, s], v); np.polyval(v[:1], w)",
)
linear(
    "np.polyadd(a1, a2)",
    lambda g, a1: g[length(g) - length(a1) :],
    lambda g, a2: g[length(g) - length(a2) :],
    ranks={"a1": 1, "a2": 1},
    at="np.polyadd(v, u); np.polyadd(u, v); np.polyadd(v, w); np.polyadd(v, u[:0]); np.polyadd(u[:0], v)",
)
linear(
    "np.polysub(a1, a2)",
    lambda g, a1: g[length(g) - length(a1) :],
    lambda g, a2: -g[length(g) - length(a2) :],
    ranks={"a1": 1, "a2": 1},
    at="np.polysub(v, u); np.polysub(u, v); np.polysub(v, w); np.polysub(v, u[:0]); np.polysub(u[:0], v)",
)
general(
    "np.polymul(a1, a2)",
    jvp=[lambda g, a1, a2: h._polymul_dot(g, a1, a2), lambda g, a1, a2: h._polymul_dot(g, a2, a1)],
    vjp=[lambda g, a1, a2: h._polymul_bar(g, a1, a2), lambda g, a1, a2: h._polymul_bar(g, a2, a1)],
    ranks={"a1": 1, "a2": 1},
    at="np.polymul(v, u); np.polymul(u, v)",
)
linear(
    "np.polyder(p, m=1)",
    lambda g, p, m: h._polyder_bar(g, p) if is_option(m, 1) else h._polyder_bar(g, p, m),
    at="np.polyder(v); np.polyder(v, 2); np.polyder(v, 5)",
)
general(
    "np.polyint(p, m=1, k=None)",
    jvp=[lambda g, m: np.polyint(g) if is_option(m, 1) else np.polyint(g, m)],
    vjp=[lambda g, p, m: h._polyint_bar(g) if is_option(m, 1) else h._polyint_bar(g, m)],
    closed={"k": "it has no derivative with respect to the constants of integration: add them"},
    at="np.polyint(v); np.polyint(v, 2); np.polyint(v, 1, 3.0)",
)


def quotient_bar(g: Any, u: Any, v: Any, out: Any) -> Any:
    q_bar, r_bar = ((c, e) for c, e in zip(g, out, strict=True))
    return h._polydiv_bar(*(np.zeros_like(e) if c is None else c for c, e in (q_bar, r_bar)), u, v, out[0])


general(
    "np.polydiv(u, v)",
    jvp=lambda u, v, out, u_dot, v_dot: h._polydiv_dot(
        np.zeros_like(u) if u_dot is None else u_dot, np.zeros_like(v) if v_dot is None else v_dot, u, v, *out
    ),
    vjp=[lambda g, u, v, out: quotient_bar(g, u, v, out)[0], lambda g, u, v, out: quotient_bar(g, u, v, out)[1]],
    results=("q", "r"),
    at="np.polydiv(v, u); np.polydiv(v, u[:2]); np.polydiv(u, v); np.polydiv(v, w)",
)


def poly_x(g: Any, seq_of_zeros: Any, item: Any) -> Any:
    if item is not None:
        raise RuleError("`np.poly` is supported for an array of roots: write np.array([...])")
    return h._poly_bar(g, seq_of_zeros)


general(
    "np.poly(seq_of_zeros)",
    jvp=[lambda g, seq_of_zeros: h._poly_dot(g, seq_of_zeros)],
    vjp=[poly_x],
    ranks={"seq_of_zeros": 1},
    at="np.poly(v)",
)
general(
    "np.vander(x, N=None, increasing=False)",
    jvp=[lambda g, x, N, increasing: h._vander_slopes(x, *counts(N, increasing)) * np.expand_dims(g, -1)],
    vjp=[lambda g, x, N, increasing: np.sum(g * h._vander_slopes(x, *counts(N, increasing)), axis=-1)],
    at="np.vander(v); np.vander(v, 3); np.vander(v, 6, increasing=True); np.vander(v, 1); "
    "np.vander(v, 0, increasing=True); np.vander(v, increasing=True)",
)


def counts(n: Any, increasing: Any) -> tuple[Any, ...]:
    if increasing is not False:
        return (n, increasing)
    return () if n is None else (n,)


def polyfit_check(scope: dict[str, Any]) -> str | None:
    if scope["rcond"] is not None or scope["full"] is not False or scope["cov"] is not False:
        return "`np.polyfit` is supported without `rcond`, `full` and `cov`"
    return None


def polyfit_bar(g: Any, x: Any, y: Any, w: Any, out: Any) -> Any:
    return h._polyfit_bar(g, x, y, out) if w is None else h._weighted_polyfit_bar(g, x, y, w, out)


def polyfit_dot(x: Any, y: Any, w: Any, out: Any, x_dot: Any, y_dot: Any, w_dot: Any) -> Any:
    if w is not None:
        dots = {"x_dot": x_dot, "y_dot": y_dot, "w_dot": w_dot}
        return h._weighted_polyfit_dot(out, x, y, w, **{n: d for n, d in dots.items() if d is not None})
    x_dot, y_dot = (np.zeros_like(e) if d is None else d for e, d in ((x, x_dot), (y, y_dot)))
    return h._polyfit_dot(x_dot, y_dot, x, y, out)


general(
    "np.polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False)",
    jvp=polyfit_dot,
    vjp=[
        lambda g, x, y, w, out: polyfit_bar(g, x, y, w, out)[0],
        lambda g, x, y, w, out: polyfit_bar(g, x, y, w, out)[1],
        None,
        None,
        None,
        lambda g, x, y, w, out: polyfit_bar(g, x, y, w, out)[2],
    ],
    check=polyfit_check,
    analytic=False,
    at="np.polyfit(v, w, 2); np.polyfit(v, W.T, 1); np.polyfit(v, w, 0); np.polyfit(v, w, 2, w=p); "
    "np.polyfit(v, W.T, 1, w=p)",
)
