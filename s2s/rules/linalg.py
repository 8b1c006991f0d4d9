"""Linear algebra but factorisations. Formulas: Giles, "An extended collection of matrix derivative results", 2008.

The derivative of `slogdet` needs the inverse, so at a singular matrix it raises `LinAlgError`; that of `det` is the
matrix of cofactors, which a singular matrix has as well. A norm at a tie (several largest entries, columns, or
singular values) has the mean of the choices, at 0 the derivative 0; `norm(x, 0)` counts, and has the derivative 0.
"""

from __future__ import annotations

from operator import mul
from typing import Any

import numpy as np

from s2s.rules.elementwise import nonzero
from s2s.rules.kinds import Part, constant, general, linear, multilinear, reduction
from s2s.rules.products import matmul_a, matmul_b, outer_a, outer_b, same_lengths, tensordot_a, tensordot_b
from s2s.rules.tracing import h, is_literal, is_scalar, literal, ndim

# ---------------------------------------------------------------- solve, inv


def solve_adjoint(g: Any, a: Any, b: Any) -> Any:
    """The solution with the transpose, which the cotangents of both operands share."""
    return np.linalg.solve(a.T, g) if ndim(a) == 2 and ndim(b) in (1, 2) else h._solve_adjoint(g, a, b)


def solve_a(g: Any, a: Any, b: Any, out: Any) -> Any:
    match ndim(a), ndim(b):
        case 2, 1:
            return -np.outer(solve_adjoint(g, a, b), out)
        case 2, 2:
            return -solve_adjoint(g, a, b) @ out.T
    return h._solve_bar_a(solve_adjoint(g, a, b), a, b, out)


def solve_b(g: Any, a: Any, b: Any) -> Any:
    adjoint = solve_adjoint(g, a, b)
    return adjoint if ndim(a) == 2 and ndim(b) in (1, 2) else h._unbroadcast(adjoint, b)


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


def slogdet_a(g: Any, a: Any) -> Any:
    g = g[1]
    if ndim(a) == 2:
        return g * np.linalg.inv(a).T
    return per_matrix(g, a) * np.swapaxes(np.linalg.inv(a), -1, -2)


def det_a(g: Any, a: Any, out: Any) -> Any:
    return per_matrix(g, a) * h._cofactors(a, out)


def per_matrix(g: Any, a: Any) -> Any:
    """A number for each matrix of a stack, beside its entries."""
    return g if ndim(a) == 2 or is_scalar(g) else np.expand_dims(g, (-2, -1))


def det_dot(g: Any, a: Any, out: Any) -> Any:
    return summed(h._cofactors(a, out) * g, a)


def summed(products: Any, a: Any) -> Any:
    """The sum over the axes of the matrices."""
    return np.sum(products) if ndim(a) == 2 else np.sum(products, axis=(-2, -1))


general(
    "np.linalg.det(a)",
    jvp=[det_dot],
    vjp=[det_a],
    at="np.linalg.det(A); np.linalg.det(AA); np.linalg.det(null); np.linalg.det(AA * c[:2, None, None]); "
    "np.linalg.det(AA[None])",
)
general(
    "np.linalg.slogdet(a)",
    jvp=[lambda g, a: (None, traced_solve(a, g))],
    vjp=[slogdet_a],
    results=("sign", "logabsdet"),
    smooth=("logabsdet",),
    analytic=False,
    at="np.linalg.slogdet(A); np.linalg.slogdet(AA); np.linalg.slogdet(AA[None])",
)

# ---------------------------------------------------------------- powers and chains


def power_a(g: Any, a: Any, n: Any) -> Any:
    match literal(n):
        case 1:
            return g
        case 2 if ndim(a) == 2:
            return g @ a.T + a.T @ g
        case -1 if ndim(a) == 2:
            return inv_a(g, a, np.linalg.inv(a))
    return h._matrix_power_dot(g, a.T if ndim(a) == 2 else np.swapaxes(a, -1, -2), n)


def power_dot(g: Any, a: Any, n: Any) -> Any:
    match literal(n):
        case 1:
            return g
        case 2:
            return g @ a + a @ g
    return h._matrix_power_dot(g, a, n)


general(
    "np.linalg.matrix_power(a, n)",
    jvp=[power_dot],
    vjp=[power_a],
    at="np.linalg.matrix_power(A, 2); np.linalg.matrix_power(AA, 2); np.linalg.matrix_power(A, 5); "
    "np.linalg.matrix_power(AA, 6); np.linalg.matrix_power(A, -1); np.linalg.matrix_power(A, -3); "
    "np.linalg.matrix_power(A, 1); np.linalg.matrix_power(A, 0)",
)


def multi_dot_x(g: Any, arrays: Any, item: int) -> Any:
    if not all(ndim(a) == 2 for a in arrays):
        return h._multi_dot_bar(g, arrays, item)
    before, after = chain(arrays[:item]), chain(arrays[item + 1 :])
    g = g if before is None else before.T @ g
    return g if after is None else g @ after.T


def chain(arrays: Any) -> Any:
    if len(arrays) > 2:
        return np.linalg.multi_dot(arrays)
    return arrays[0] @ arrays[1] if len(arrays) == 2 else arrays[0] if arrays else None


multilinear(
    "np.linalg.multi_dot(arrays)",
    multi_dot_x,
    at="np.linalg.multi_dot([M, A, N]); np.linalg.multi_dot([v, A, w]); np.linalg.multi_dot([v, A, N]); "
    "np.linalg.multi_dot([M, A, A, v]); np.linalg.multi_dot([M, N])",
)

# ---------------------------------------------------------------- NumPy's names for what it has elsewhere

multilinear(
    "np.linalg.matmul(a, b)", matmul_a, matmul_b, at="np.linalg.matmul(M, N); np.linalg.matmul(T, np.swapaxes(T, 1, 2))"
)
multilinear("np.linalg.outer(a, b)", outer_a, outer_b, at="np.linalg.outer(v, u)")
multilinear(
    "np.linalg.tensordot(a, b, axes=2)",
    tensordot_a,
    tensordot_b,
    at="np.linalg.tensordot(T, M); np.linalg.tensordot(T, M, axes=([1, 2], [0, 1]))",
)


def vecdot_part(g: Any, other: Any, own: Any, axis: Any) -> Any:
    if same_lengths(own, other):
        return np.expand_dims(g, axis) * other
    if axis == -1:
        return h._unbroadcast(np.expand_dims(g, -1) * other, own)
    moved = np.expand_dims(g, -1) * np.moveaxis(other, axis, -1)
    return np.moveaxis(h._unbroadcast(moved, np.moveaxis(own, axis, -1)), -1, axis)


multilinear(
    "np.linalg.vecdot(a, b, axis=-1)",
    lambda g, a, b, axis: vecdot_part(g, b, a, axis),
    lambda g, a, b, axis: vecdot_part(g, a, b, axis),
    analytic=False,
    at="np.linalg.vecdot(v, w); np.linalg.vecdot(M, v); np.linalg.vecdot(M, W, axis=0); "
    "np.linalg.vecdot(M[:, :3], T[:, :, :3], axis=1)",
)


def cross_part(first: Any, second: Any, own: Any, other: Any, axis: Any) -> Any:
    along = {} if axis == -1 else {"axis": axis}
    if same_lengths(own, other):
        return np.linalg.cross(first, second, **along)
    if axis == -1:
        return h._unbroadcast(np.linalg.cross(first, second), own)
    return h._cross_bar(first, second, own, axis)


multilinear(
    "np.linalg.cross(a, b, axis=-1)",
    lambda g, a, b, axis: cross_part(b, g, a, b, axis),
    lambda g, a, b, axis: cross_part(g, a, b, a, axis),
    at="np.linalg.cross(u, T[0, :, 1]); np.linalg.cross(u, T[0].T); np.linalg.cross(M, W, axis=0); "
    "np.linalg.cross(T[0].T, u); np.linalg.cross(T[0].T, W.T); np.linalg.cross(M[:, :3], T[:, :, :3], axis=1)",
)
linear("np.linalg.matrix_transpose(x)", lambda g: np.swapaxes(g, -1, -2), at="np.linalg.matrix_transpose(T)")
linear(
    "np.linalg.diagonal(x, offset=0)",
    lambda g, x, offset: h._diagonal_bar(g, x, offset),
    at="np.linalg.diagonal(M); np.linalg.diagonal(T, offset=1); np.linalg.diagonal(A, offset=-2)",
)
linear(
    "np.linalg.trace(x, offset=0)",
    lambda g, x, offset: trace_x(g, x, offset),
    at="np.linalg.trace(M); np.linalg.trace(T); np.linalg.trace(AA, offset=-1); np.linalg.trace(T[None])",
)


def trace_x(g: Any, x: Any, offset: Any) -> Any:
    return per_matrix(g, x) * h._ones_on_diagonal(x, offset)


# ---------------------------------------------------------------- tensors

general(
    "np.linalg.tensorinv(a, ind=2)",
    jvp=[lambda g, a, out: h._tensorinv_dot(g, a, out)],
    vjp=[lambda g, a, out: h._tensorinv_bar(g, a, out)],
    at="np.linalg.tensorinv(B6, ind=2); np.linalg.tensorinv(np.moveaxis(B6, 2, 0), 1)",
)


def tensorsolve_dot(a: Any, out: Any, axes: Any, a_dot: Any, b_dot: Any) -> Any:
    return h._tensorsolve_dot(a, out, a_dot, b_dot, **({} if axes is None else {"axes": axes}))


def tensorsolve_adjoint(g: Any, a: Any, out: Any, axes: Any) -> Any:
    return h._tensorsolve_adjoint(g, a, out, **({} if axes is None else {"axes": axes}))


general(
    "np.linalg.tensorsolve(a, b, axes=None)",
    jvp=tensorsolve_dot,
    vjp=[
        lambda g, a, out, axes: h._tensorsolve_bar_a(
            tensorsolve_adjoint(g, a, out, axes), a, out, **({} if axes is None else {"axes": axes})
        ),
        lambda g, a, b, out, axes: np.reshape(tensorsolve_adjoint(g, a, out, axes), np.shape(b)),
    ],
    at="np.linalg.tensorsolve(B6, b23); np.linalg.tensorsolve(A, v); "
    "np.linalg.tensorsolve(np.moveaxis(B6, 2, 0), b23, axes=(0,))",
)

# ---------------------------------------------------------------- norms


def norm_x(g: Any, x: Any, out: Any, ord: Any, axis: Any) -> Any:
    if not is_literal(ord) or (ord not in (None, "fro") and not is_vector_norm(x, axis)):
        return h._norm_slope(x, out, ord, **at_axis(axis)) * g
    return x / nonzero(out) * g if ord in (None, "fro") else vector_norm_x(g, x, out, ord, axis)


def is_vector_norm(x: Any, axis: Any) -> bool:
    """Whether it is known that a norm is one of vectors, so that `ord` means that of their elements."""
    return isinstance(axis, int) or (axis is None and ndim(x) == 1)


def at_axis(axis: Any) -> dict[str, Any]:
    return {} if axis is None else {"axis": axis}


def vector_norm_x(g: Any, x: Any, out: Any, ord: Any, axis: Any) -> Any:
    """The derivative of (sum of |x|**ord)**(1/ord)"""
    if not is_literal(ord) or ord == 0:
        return h._vector_norm_slope(x, out, ord, **at_axis(axis)) * g
    if ord == 1:
        return np.sign(x) * g
    if ord == 2:
        return x / nonzero(out) * g
    if ord in (4, 6, 8):
        return (x / nonzero(out)) ** (ord - 1) * g
    power = ord - 1
    ratio = np.abs(x) / nonzero(out)
    return np.sign(x) * (ratio if power == 1 else ratio**power) * g


ORDER = {"ord": "the derivative of a norm in its order is not known"}


NORMS = ["'nuc'", "1", "-1", "2", "-2", "np.inf", "-np.inf"]
reduction(
    "np.linalg.norm(x, ord=None, axis=None, keepdims=False)",
    norm_x,
    analytic=False,
    at="np.linalg.norm(v); np.linalg.norm(M); np.linalg.norm(M, axis=1); np.linalg.norm(M, 'fro'); "
    "np.linalg.norm(v, 2); np.linalg.norm(v, ord=1); np.linalg.norm(v, 3); np.linalg.norm(M, 4, axis=0); "
    "np.linalg.norm(v, -1); np.linalg.norm(M, ord=2.5, axis=1, keepdims=True); np.linalg.norm(v, 0); "
    "np.linalg.norm(T, axis=(0, 1), keepdims=True); np.linalg.norm(M, 1, axis=0); "
    + "; ".join(f"np.linalg.norm(M, {ord})" for ord in NORMS)
    + "; np.linalg.norm(T, 'nuc', axis=(0, 2)); np.linalg.norm(T, 2, axis=(2, 0), keepdims=True); "
    "np.linalg.norm(T, -np.inf, axis=(1, 2)); np.linalg.norm(v, np.inf); np.linalg.norm(M, -np.inf, axis=1); "
    "np.linalg.norm(v, 2.0 + s); np.linalg.norm(v, ord=k[1])",
    closed=ORDER,
)


reduction(
    "np.linalg.vector_norm(x, axis=None, keepdims=False, ord=2)",
    vector_norm_x,
    analytic=False,
    at="np.linalg.vector_norm(v); np.linalg.vector_norm(M); np.linalg.vector_norm(T, axis=(0, 2)); "
    "np.linalg.vector_norm(M, axis=1, ord=1); np.linalg.vector_norm(M, axis=0, ord=np.inf, keepdims=True); "
    "np.linalg.vector_norm(M, ord=3); np.linalg.vector_norm(T, axis=(1, 2), ord=-np.inf); "
    "np.linalg.vector_norm(v, ord=0)",
    closed=ORDER,
)


def matrix_norm_slope(x: Any, out: Any, ord: Any, keepdims: Any) -> Any:
    wide = out if keepdims else np.expand_dims(out, (-2, -1))
    return x / nonzero(wide) if is_literal(ord) and ord == "fro" else h._norm_slope(x, wide, ord, (-2, -1))


def matrix_norm_x(g: Any, x: Any, out: Any, ord: Any, keepdims: Any) -> Any:
    return matrix_norm_slope(x, out, ord, keepdims) * (g if keepdims else per_matrix(g, x))


def matrix_norm_dot(change: Part) -> Part:
    """Forward; change: of a real value along a tangent, from the slope, for real or for complex numbers."""

    def dot(g: Any, x: Any, out: Any, ord: Any, keepdims: Any) -> Any:
        kept = {"keepdims": keepdims} if keepdims else {}
        return np.sum(change(matrix_norm_slope(x, out, ord, keepdims), g), axis=(-2, -1), **kept)

    return dot


general(
    "np.linalg.matrix_norm(x, keepdims=False, ord='fro')",
    jvp=[matrix_norm_dot(mul)],
    vjp=[matrix_norm_x],
    analytic=False,
    at="np.linalg.matrix_norm(M); np.linalg.matrix_norm(T); np.linalg.matrix_norm(T, keepdims=True); "
    "np.linalg.matrix_norm(M, ord='nuc'); np.linalg.matrix_norm(T, ord=2); np.linalg.matrix_norm(T, ord=-1); "
    "np.linalg.matrix_norm(T[None])",
    closed=ORDER,
)


def cond_slope(x: Any, out: Any, p: Any) -> Any:
    return h._cond_slope(x, out) if p is None else h._cond_slope(x, out, p)


def cond_x(g: Any, x: Any, out: Any, p: Any) -> Any:
    return per_matrix(g, x) * cond_slope(x, out, p)


def cond_dot(change: Part) -> Part:
    return lambda g, x, out, p: summed(change(cond_slope(x, out, p), g), x)


general(
    "np.linalg.cond(x, p=None)",
    jvp=[cond_dot(mul)],
    vjp=[cond_x],
    analytic=False,
    at="np.linalg.cond(A); np.linalg.cond(AA); np.linalg.cond(tall); np.linalg.cond(A, 'fro'); np.linalg.cond(A, -2); "
    "np.linalg.cond(A, 1); np.linalg.cond(AA, np.inf); np.linalg.cond(A, 'nuc'); "
    "np.linalg.cond(AA[None]); np.linalg.cond(AA[None], 'fro')",
)
constant("np.linalg.matrix_rank(a)")
