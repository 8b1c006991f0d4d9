"""Linear algebra. Formulas: Giles, "An extended collection of matrix derivative results", 2008; Cholesky: Murray,
"Differentiation of the Cholesky decomposition", 2016.

`cholesky` reads one triangle of a matrix that is meant to be symmetric: its derivative is the symmetric one. The
derivatives of `det` and `slogdet` need the inverse, so at a singular matrix they raise `LinAlgError`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.elementwise import nonzero
from s2s.rules.kinds import general, reduction
from s2s.rules.tracing import RuleError, h, is_literal, ndim

# ---------------------------------------------------------------- solve, inv


def solve_a(g: Any, a: Any, b: Any, out: Any) -> Any:
    match ndim(a), ndim(b):
        case 2, 1:
            return -np.outer(np.linalg.solve(a.T, g), out)
        case 2, 2:
            return -np.linalg.solve(a.T, g) @ out.T
    return h._solve_bar_a(g, a, b, out)


def solve_b(g: Any, a: Any, b: Any) -> Any:
    if ndim(a) == 2 and ndim(b) in (1, 2):
        return np.linalg.solve(a.T, g)
    return h._solve_bar_b(g, a, b)


def solve_dot(a: Any, b: Any, out: Any, a_dot: Any, b_dot: Any) -> Any:
    if a_dot is None:
        return np.linalg.solve(a, b_dot)
    if ndim(a) == 2 or ndim(b) not in (1, None):
        moved = a_dot @ out
    else:
        return h._solve_dot(a, b, out, a_dot) if b_dot is None else h._solve_dot(a, b, out, a_dot, b_dot)
    return -np.linalg.solve(a, moved) if b_dot is None else np.linalg.solve(a, b_dot - moved)


def inv_a(g: Any, a: Any, out: Any) -> Any:
    if ndim(a) == 2:
        return -out.T @ g @ out.T
    return -np.swapaxes(out, -1, -2) @ g @ np.swapaxes(out, -1, -2)


general(
    "np.linalg.solve(a, b)",
    jvp=solve_dot,
    vjp=[solve_a, solve_b],
    at="np.linalg.solve(A, v); np.linalg.solve(A, np.transpose(M)); np.linalg.solve(AA, v); "
    "np.linalg.solve(AA, np.transpose(M)); np.linalg.solve(A, np.swapaxes(T, 1, 2))",
)
general("np.linalg.inv(a)", jvp=[lambda g, out: -out @ g @ out], vjp=[inv_a], at="np.linalg.inv(A); np.linalg.inv(AA)")

# ---------------------------------------------------------------- determinants


def traced_solve(a: Any, g: Any) -> Any:
    """tr(inv(a) g)"""
    if ndim(a) == 2:
        return np.trace(np.linalg.solve(a, g))
    return np.trace(np.linalg.solve(a, g), axis1=-2, axis2=-1)


def det_a(g: Any, a: Any, out: Any) -> Any:
    if ndim(a) == 2:
        return g * out * np.linalg.inv(a).T
    return np.expand_dims(g * out, (-2, -1)) * np.swapaxes(np.linalg.inv(a), -1, -2)


def slogdet_a(g: Any, a: Any) -> Any:
    g = g[1]
    if ndim(a) == 2:
        return g * np.linalg.inv(a).T
    return np.expand_dims(g, (-2, -1)) * np.swapaxes(np.linalg.inv(a), -1, -2)


general(
    "np.linalg.det(a)",
    jvp=[lambda g, a, out: out * traced_solve(a, g)],
    vjp=[det_a],
    at="np.linalg.det(A); np.linalg.det(AA)",
)
general(
    "np.linalg.slogdet(a)",
    jvp=[lambda g, a: (None, traced_solve(a, g))],
    vjp=[slogdet_a],
    results=("sign", "logabsdet"),
    smooth=("logabsdet",),
    analytic=False,
    at="np.linalg.slogdet(A); np.linalg.slogdet(AA)",
)

# ---------------------------------------------------------------- cholesky

general(
    "np.linalg.cholesky(a)",
    jvp=[lambda g, out: h._cholesky_dot(g, out)],
    vjp=[lambda g, out: h._cholesky_bar(g, out)],
    analytic=False,
    at="np.linalg.cholesky(S); np.linalg.cholesky(SS)",
    symmetric=True,
)

# ---------------------------------------------------------------- norm


def norm_check(scope: dict[str, Any]) -> str | None:
    axis = scope["axis"]
    if not is_literal(axis):
        return "`np.linalg.norm` is supported with a literal axis"
    if scope["ord"] not in (None, 1, 2, "fro"):
        return "`np.linalg.norm` is supported with ord None, 1, 2 and 'fro'"
    if scope["ord"] in (1, 2) and isinstance(axis, tuple):
        return f"`np.linalg.norm` with ord={scope['ord']} is supported for vectors"
    return None


def norm_x(g: Any, x: Any, out: Any, ord: Any, axis: Any) -> Any:
    if ord in (1, 2) and axis is None and ndim(x) != 1:
        raise RuleError(
            f"`np.linalg.norm` with ord={ord} is supported for vectors: x must be known to be one, or axis given"
        )
    return np.sign(x) * g if ord == 1 else x / nonzero(out) * g


reduction(
    "np.linalg.norm(x, ord=None, axis=None, keepdims=False)",
    norm_x,
    check=norm_check,
    analytic=False,
    at="np.linalg.norm(v); np.linalg.norm(M); np.linalg.norm(M, axis=1); np.linalg.norm(M, 'fro'); "
    "np.linalg.norm(v, 2); np.linalg.norm(v, ord=1); "
    "np.linalg.norm(T, axis=(0, 1), keepdims=True); np.linalg.norm(M, 1, axis=0)",
)
