"""scipy.linalg. What is also in numpy.linalg has the rules of there; Sylvester and Lyapunov equations, functions of
matrices by their Fréchet derivatives: Higham, "Functions of Matrices", 2008; LU: Giles, 2008.

Where SciPy reads one triangle of a matrix (`assume_a="pos"`, `cho_factor`, triangular systems), the cotangent has
entries in that triangle only. Options that overwrite an operand are refused: the reverse sweep reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.rules.decompositions import cholesky_a, cholesky_dot, transposed
from s2s.rules.kinds import ALIASES, HOLOMORPHIC, General, for_complex, general, linear, reduction
from s2s.rules.linalg import ORDER, det_a, det_dot, inv_a, norm_x
from s2s.rules.tracing import call, h, is_literal, is_real, length, ndim
from s2s.rules.tracing import scipy_linalg as sla

Check = Callable[[dict[str, Any]], str | None]
OVERWRITE = ("overwrite_a", "overwrite_b", "overwrite_c", "overwrite_ab")


def only(name: str, *literal: str, **values: tuple[Any, ...]) -> Check:
    """A check of options: nothing is overwritten, some are literals, and some have one of the values given."""

    def check(scope: dict[str, Any]) -> str | None:
        for option in OVERWRITE:
            if scope.get(option, False) is not False:
                return f"`{name}` with {option} is not supported: the reverse sweep reads what it overwrites"
        for option in (*literal, *values):
            if not is_literal(scope[option]):
                return f"`{name}` is supported with a literal {option}"
        for option, allowed in values.items():
            if scope[option] not in allowed:
                return f"`{name}` is supported with {option} {', '.join(map(repr, allowed))}"
        return None

    return check


def given(**options: Any) -> dict[str, Any]:
    """Options that are not at their usual defaults."""
    return {k: v for k, v in options.items() if v not in (None, False, 0)}


def outer(a: Any, b: Any, like: Any, matrix: Any) -> Any:
    """a b^T for a right-hand side of one or several columns, in the shape of the matrix: a stack has one for all."""
    match ndim(like), ndim(matrix):
        case 1, _:
            return np.outer(a, b)
        case 2, 2:
            return a @ b.T
    return h._unbroadcast(h._outer_columns(a, b), matrix)


def right_side(x_bar: Any, a: Any, b: Any) -> Any:
    """The cotangent of a right-hand side, which may be one for a stack of matrices."""
    return x_bar if ndim(a) == 2 or ndim(b) == 1 else h._unbroadcast(x_bar, b)


# ---------------------------------------------------------------- systems

SYMMETRIC = ("sym", "symmetric", "pos", "positive definite", "her", "hermitian")


def system(a: Any, g: Any, lower: Any, assume_a: Any) -> Any:
    """The solution with the transpose."""
    if assume_a in SYMMETRIC:
        return sla.solve(a, g, **given(lower=lower), assume_a=assume_a)
    return sla.solve(transposed(a), g, **given(assume_a=assume_a))


def solve_a(g: Any, a: Any, b: Any, out: Any, lower: Any, assume_a: Any) -> Any:
    a_bar = -outer(system(a, g, lower, assume_a), out, b, a)
    return h._one_triangle(a_bar, **given(upper=not lower)) if assume_a in SYMMETRIC else a_bar


def solve_dot(a: Any, out: Any, lower: Any, assume_a: Any, a_dot: Any, b_dot: Any) -> Any:
    if a_dot is not None and assume_a in SYMMETRIC:
        a_dot = h._mirrored(a_dot, **given(upper=not lower))
    rest = b_dot if a_dot is None else -(a_dot @ out) if b_dot is None else b_dot - a_dot @ out
    return sla.solve(a, rest, **given(lower=lower, assume_a=assume_a))


SOLVE = "sp.linalg.solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None)"
SOLVED: dict[str, Any] = {
    "jvp": solve_dot,
    "vjp": [solve_a, lambda g, a, b, lower, assume_a: right_side(system(a, g, lower, assume_a), a, b)],
}
general(
    SOLVE,
    **SOLVED,
    check=only("scipy.linalg.solve", "lower", assume_a=(None, "gen", "general", *SYMMETRIC)),
    analytic=False,
    at="sp.linalg.solve(A, v); sp.linalg.solve(A, np.transpose(M)); sp.linalg.solve(S, v, assume_a='pos'); "
    "sp.linalg.solve(S, np.transpose(M), lower=True, assume_a='pos'); sp.linalg.solve(A, v, assume_a='sym'); "
    "sp.linalg.solve(A, v, assume_a='gen'); "
    "sp.linalg.solve(S + 0.1 * np.triu(A, 1), v, lower=True, assume_a='pos'); sp.linalg.solve(A, talls[:, :4]); "
    "sp.linalg.solve(AA, np.transpose(M)); sp.linalg.solve(AA, talls[:, 1:])",
)
for_complex(  # a Hermitian matrix is no holomorphic function of the triangle that is read
    General(
        SOLVE,
        **SOLVED,
        check=only("scipy.linalg.solve", "lower", assume_a=(None, "gen", "general", "sym", "symmetric")),
        at="sp.linalg.solve(zA, zv); sp.linalg.solve(A, zv); sp.linalg.solve(zA, np.transpose(M)); "
        "sp.linalg.solve(zA, zv, assume_a='sym'); sp.linalg.solve(zA, v, lower=True, assume_a='sym')",
    ),
    adjoint=False,
)


def is_transposed(trans: Any) -> bool:
    return trans in (1, 2, "T", "C")


def triangle(p: Any, lower: Any, unit: Any) -> Any:
    """The entries of a triangular matrix that are read."""
    k = (1 if lower is False else -1) if unit else 0
    part = np.tril if lower else np.triu
    return part(p, k) if k else part(p)


def triangular(a: Any, g: Any, flipped: bool, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    turned = is_transposed(trans) != flipped
    return sla.solve_triangular(a, g, **given(trans="T" if turned else 0, lower=lower, unit_diagonal=unit_diagonal))


def solve_triangular_a(g: Any, a: Any, b: Any, out: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    adjoint = triangular(a, g, True, trans, lower, unit_diagonal)
    pair = (out, adjoint) if is_transposed(trans) else (adjoint, out)
    return -triangle(outer(*pair, b, a), lower, unit_diagonal)


def solve_triangular_dot(a: Any, out: Any, trans: Any, lower: Any, unit_diagonal: Any, a_dot: Any, b_dot: Any) -> Any:
    rest = b_dot
    if a_dot is not None:
        read = triangle(a_dot, lower, unit_diagonal)
        moved = (read.T if is_transposed(trans) else read) @ out
        rest = -moved if b_dot is None else b_dot - moved
    return triangular(a, rest, False, trans, lower, unit_diagonal)


TRIANGULAR = (
    "sp.linalg.solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True)"
)
SOLVED_TRIANGULAR: dict[str, Any] = {
    "jvp": solve_triangular_dot,
    "vjp": [
        solve_triangular_a,
        lambda g, a, b, trans, lower, unit_diagonal: right_side(
            triangular(a, g, True, trans, lower, unit_diagonal), a, b
        ),
    ],
}
general(
    TRIANGULAR,
    **SOLVED_TRIANGULAR,
    check=only("scipy.linalg.solve_triangular", "lower", "unit_diagonal", trans=(0, 1, 2, "N", "T", "C")),
    analytic=False,
    at="sp.linalg.solve_triangular(A, v, lower=True); sp.linalg.solve_triangular(A, v); "
    "sp.linalg.solve_triangular(A, np.transpose(M), trans='T', lower=True); "
    "sp.linalg.solve_triangular(A, v, 1, lower=True, unit_diagonal=True); "
    "sp.linalg.solve_triangular(A, v, unit_diagonal=True); sp.linalg.solve_triangular(A, v, 2); "
    "sp.linalg.solve_triangular(A, talls[:, :4]); sp.linalg.solve_triangular(AA, np.transpose(M))",
)
for_complex(
    General(
        TRIANGULAR,
        **SOLVED_TRIANGULAR,
        check=only("scipy.linalg.solve_triangular", "lower", "unit_diagonal", trans=(0, 1, "N", "T")),
        at="sp.linalg.solve_triangular(zA, zv, lower=True); sp.linalg.solve_triangular(A, zv); "
        "sp.linalg.solve_triangular(zA, np.transpose(M), trans='T'); sp.linalg.solve_triangular(zA, v, 1)",
    ),
    adjoint=False,
)

general(
    "sp.linalg.inv(a, overwrite_a=False, check_finite=True)",
    jvp=[lambda g, out: -out @ g @ out],
    vjp=[inv_a],
    check=only("scipy.linalg.inv"),
    analytic=False,
    at="sp.linalg.inv(A)",
)
general(
    "sp.linalg.det(a, overwrite_a=False, check_finite=True)",
    jvp=[det_dot],
    vjp=[det_a],
    check=only("scipy.linalg.det"),
    analytic=False,
    at="sp.linalg.det(A); sp.linalg.det(null)",
)
general(
    "sp.linalg.pinv(a)",
    jvp=[lambda g, a, out: h._pinv_dot(g, a, out)],
    vjp=[lambda g, a, out: h._pinv_bar(g, a, out)],
    analytic=False,
    at="sp.linalg.pinv(M)",
)
reduction(
    "sp.linalg.norm(a, ord=None, axis=None, keepdims=False, check_finite=True)",
    lambda g, a, out, ord, axis: norm_x(g, a, out, ord, axis),
    analytic=False,
    at="sp.linalg.norm(v); sp.linalg.norm(M); sp.linalg.norm(M, 'nuc'); sp.linalg.norm(M, 1, axis=0)",
    closed=ORDER,
)

# ---------------------------------------------------------------- Cholesky and LU factors

general(
    "sp.linalg.cholesky(a, lower=False, overwrite_a=False, check_finite=True)",
    jvp=[lambda g, out, lower: cholesky_dot(g, out, not lower)],
    vjp=[lambda g, out, lower: cholesky_a(g, out, not lower)],
    check=only("scipy.linalg.cholesky", "lower"),
    analytic=False,
    at="sp.linalg.cholesky(S); sp.linalg.cholesky(S, lower=True)",
)
general(
    "sp.linalg.cho_factor(a, lower=False, overwrite_a=False, check_finite=True)",
    jvp=[lambda g, out: (h._cho_factor_dot(g, out[0], out[1]), None)],
    vjp=[lambda g, out: h._cho_factor_bar(g[0], out[0], out[1])],
    results=("c", "lower"),
    smooth=("c",),
    check=only("scipy.linalg.cho_factor"),
    analytic=False,
    ranks={"a": 2},
    at="sp.linalg.cho_factor(S); sp.linalg.cho_factor(S, lower=True)",
)


def cho_solve_c(g: Any, c_and_lower: Any, out: Any) -> Any:
    return h._cho_solve_bar_c(sla.cho_solve(c_and_lower, g), c_and_lower[0], c_and_lower[1], out)


def cho_solve_dot(c_and_lower: Any, out: Any, c_and_lower_dot: Any, b_dot: Any) -> Any:
    rest = b_dot
    if c_and_lower_dot is not None:
        moved = h._cho_moved(c_and_lower_dot, c_and_lower[0], c_and_lower[1], out)
        rest = -moved if b_dot is None else b_dot - moved
    return sla.cho_solve(c_and_lower, rest)


general(
    "sp.linalg.cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True)",
    jvp=cho_solve_dot,
    vjp=[cho_solve_c, lambda g, c_and_lower: sla.cho_solve(c_and_lower, g)],
    check=only("scipy.linalg.cho_solve"),
    within={"c_and_lower": 0},
    analytic=False,
    ranks={"c_and_lower": 2},
    at="sp.linalg.cho_solve((A, True), v); sp.linalg.cho_solve((A, one), v); "
    "sp.linalg.cho_solve((A, False), np.transpose(M))",
)
general(
    "sp.linalg.lu_factor(a, overwrite_a=False, check_finite=True)",
    jvp=[lambda g, out: (h._lu_factor_dot(g, out[0], out[1]), None)],
    vjp=[lambda g, out: h._lu_factor_bar(g[0], out[0], out[1])],
    results=("lu", "piv"),
    smooth=("lu",),
    check=only("scipy.linalg.lu_factor"),
    analytic=False,
    ranks={"a": 2},
    at="sp.linalg.lu_factor(A); sp.linalg.lu_factor(E)",
)


def lu_solve(lu_and_piv: Any, g: Any, trans: Any, flipped: bool) -> Any:
    return sla.lu_solve(lu_and_piv, g, **given(trans=int(is_transposed(trans) != flipped)))


def lu_solve_lu(g: Any, lu_and_piv: Any, trans: Any, out: Any) -> Any:
    adjoint = lu_solve(lu_and_piv, g, trans, True)
    left, right = (out, adjoint) if is_transposed(trans) else (adjoint, out)
    return h._lu_solve_bar_lu(left, right, lu_and_piv[0], lu_and_piv[1])


def lu_solve_dot(lu_and_piv: Any, trans: Any, out: Any, lu_and_piv_dot: Any, b_dot: Any) -> Any:
    rest = b_dot
    if lu_and_piv_dot is not None:
        a_dot = h._lu_matrix_dot(lu_and_piv_dot, lu_and_piv[0], lu_and_piv[1])
        moved = (a_dot.T if is_transposed(trans) else a_dot) @ out
        rest = -moved if b_dot is None else b_dot - moved
    return lu_solve(lu_and_piv, rest, trans, False)


general(
    "sp.linalg.lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True)",
    jvp=lu_solve_dot,
    vjp=[lu_solve_lu, lambda g, lu_and_piv, trans: lu_solve(lu_and_piv, g, trans, True)],
    check=only("scipy.linalg.lu_solve", trans=(0, 1, 2)),
    within={"lu_and_piv": 0},
    analytic=False,
    ranks={"lu_and_piv": 2},
    at="sp.linalg.lu_solve((A, k), v); sp.linalg.lu_solve((A, k), np.transpose(M), trans=1)",
)

# ---------------------------------------------------------------- decompositions


def eigh_results(scope: dict[str, Any]) -> tuple[str, ...]:
    return () if scope["eigvals_only"] else ("w", "v")


def upper(lower: Any) -> dict[str, Any]:
    return {} if lower else {"upper": True}


def eigh_a(g: Any, a: Any, out: Any, lower: Any, eigvals_only: Any) -> Any:
    if eigvals_only:
        return h._eigvalsh_bar(g, eigenvectors(a, lower), **upper(lower))
    (w_bar, v_bar), (w, v) = g, out
    if v_bar is None:
        return h._eigvalsh_bar(w_bar, v, **upper(lower))
    return h._eigh_bar(w_bar, v_bar, w, v, **upper(lower))


def eigenvectors(a: Any, lower: Any) -> Any:
    return np.linalg.eigh(a)[1] if lower else np.linalg.eigh(a, UPLO="U")[1]


def eigh_dot(g: Any, a: Any, out: Any, lower: Any, eigvals_only: Any) -> Any:
    if eigvals_only:
        return h._eigvalsh_dot(g, eigenvectors(a, lower), **upper(lower))
    return h._eigh_dot(g, out[0], out[1], **upper(lower))


general(
    "sp.linalg.eigh(a, b=None, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, *, driver=None)",
    jvp=[eigh_dot],
    vjp=[eigh_a],
    results=eigh_results,
    smooth=("w", "v"),
    check=only("scipy.linalg.eigh", "lower", "eigvals_only", b=(None,)),
    analytic=False,
    at="sp.linalg.eigh(S, driver='evd'); sp.linalg.eigh(S, lower=False, driver='evd'); "
    "sp.linalg.eigh(S, eigvals_only=True); sp.linalg.eigh(A, lower=False, eigvals_only=True)",
)
general(
    "sp.linalg.eigvalsh(a, b=None, lower=True, overwrite_a=False, overwrite_b=False)",
    jvp=[lambda g, a, lower: h._eigvalsh_dot(g, eigenvectors(a, lower), **upper(lower))],
    vjp=[lambda g, a, lower: h._eigvalsh_bar(g, eigenvectors(a, lower), **upper(lower))],
    check=only("scipy.linalg.eigvalsh", "lower", b=(None,)),
    analytic=False,
    at="sp.linalg.eigvalsh(S); sp.linalg.eigvalsh(A); sp.linalg.eigvalsh(A, lower=False)",
)


def svd_a(g: Any, a: Any, out: Any, compute_uv: Any) -> Any:
    return h._svd_bar(*g, *out) if compute_uv else h._svdvals_bar(g, a)


def svd_dot(g: Any, a: Any, out: Any, compute_uv: Any, wanted: Any) -> Any:
    if not compute_uv:
        return h._svdvals_dot(g, a)
    return h._svd_dot(g, *out) if wanted[0] or wanted[2] else (None, h._svdvals_dot(g, a), None)


general(
    "sp.linalg.svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True)",
    jvp=[svd_dot],
    vjp=[svd_a],
    results=lambda scope: ("U", "s", "Vh") if scope["compute_uv"] else (),
    smooth=("U", "s", "Vh"),
    check=only("scipy.linalg.svd", "compute_uv"),
    analytic=False,
    at="sp.linalg.svd(tall, full_matrices=False); sp.linalg.svd(A); sp.linalg.svd(M, compute_uv=False)",
)
general(
    "sp.linalg.svdvals(a, overwrite_a=False, check_finite=True)",
    jvp=[lambda g, a: h._svdvals_dot(g, a)],
    vjp=[lambda g, a: h._svdvals_bar(g, a)],
    check=only("scipy.linalg.svdvals"),
    analytic=False,
    at="sp.linalg.svdvals(M)",
)
general(
    "sp.linalg.qr(a, overwrite_a=False, lwork=None, mode='full')",
    jvp=[lambda g, out, mode: (h._full_qr_dot if mode == "full" else h._qr_dot)(g, out[0], out[1])],
    vjp=[lambda g, out, mode: (h._full_qr_bar if mode == "full" else h._qr_bar)(g[0], g[1], out[0], out[1])],
    results=("Q", "R"),
    check=only("scipy.linalg.qr", mode=("full", "economic")),
    analytic=False,
    at="sp.linalg.qr(A); sp.linalg.qr(M); sp.linalg.qr(tall, mode='economic'); sp.linalg.qr(M, mode='economic')",
)

# ---------------------------------------------------------------- functions of matrices


def frechet(a: Any, e: Any) -> Any:
    return sla.expm_frechet(a, e, compute_expm=False)


def log_frechet(a: Any, e: Any) -> Any:
    """The block beside the diagonal of the logarithm of [[a, e], [0, a]]"""
    n = np.shape(a)[0]
    return sla.logm(np.block([[a, e], [np.zeros_like(a), a]]))[:n, n:]


def sylvester(a: Any, b: Any, q: Any) -> Any:
    """X with a X + X b = q. SciPy reads real Schur factors as triangular where another of the matrices is complex."""
    return sla.solve_sylvester(as_complex(a, b, q), as_complex(b, a, q), q)


def as_complex(a: Any, *others: Any) -> Any:
    """The matrix a, as a complex one where it is real beside others that may be complex."""
    if not is_real(a) or all(is_real(x) for x in others):
        return a
    return a.astype(call("numpy.result_type", a, *others, like=a))


def sqrt_frechet(root: Any, e: Any) -> Any:
    """X with root X + X root = e. Whether a root is complex shows when it is there: see `sylvester`."""
    if not is_real(root) and not is_real(e):
        root = root.astype(call("numpy.result_type", root, 1j))
    return sylvester(root, root, e)


MATRICES = (
    *("expm", "logm", "sqrtm", "expm_frechet", "inv", "det", "lu_factor", "lu_solve", "solve_banded"),
    *("block_diag", "circulant"),
)
# Of complex matrices, and where the result is complex for a real one: np.real(sqrtm(A)) says that it is not.
HOLOMORPHIC.update(f"scipy.linalg.{name}" for name in MATRICES)
HOLOMORPHIC.add("scipy.sparse.linalg.spsolve")

general(
    "sp.linalg.expm(A)",
    jvp=[lambda g, A: frechet(A, g)],
    vjp=[lambda g, A: frechet(A.T, g)],
    analytic=False,
    ranks={"A": 2},
    at="sp.linalg.expm(H); sp.linalg.expm(A)",
)


def second_frechet(a: Any, e: Any, a_dot: Any) -> Any:
    """The derivative of expm_frechet(a, e) along a_dot: expm_frechet is a block of expm([[a, e], [0, a]])."""
    n, zero = length(a), np.zeros_like(a)
    return frechet(np.block([[a, e], [zero, a]]), np.block([[a_dot, zero], [zero, a_dot]]))[:n, n:]


def frechet_check(scope: dict[str, Any]) -> str | None:
    plain = scope["compute_expm"] is False and scope["method"] is None
    return None if plain else "`scipy.linalg.expm_frechet` is supported with compute_expm=False and without `method`"


general(
    "sp.linalg.expm_frechet(A, E, method=None, compute_expm=True, check_finite=True)",
    jvp=[lambda g, A, E: second_frechet(A, E, g), lambda g, A: frechet(A, g)],
    vjp=[lambda g, A, E: second_frechet(A.T, E.T, g), lambda g, A: frechet(A.T, g)],
    check=frechet_check,
    analytic=False,
    ranks={"A": 2, "E": 2},
    at="sp.linalg.expm_frechet(H, cube[0], compute_expm=False)",
)
general(
    "sp.linalg.logm(A)",
    jvp=[lambda g, A: log_frechet(A, g)],
    vjp=[lambda g, A: log_frechet(A.T, g)],
    analytic=False,
    ranks={"A": 2},
    at="sp.linalg.logm(S); sp.linalg.logm(E)",
)
general(
    "sp.linalg.sqrtm(A)",
    jvp=[lambda g, out: sqrt_frechet(out, g)],
    vjp=[lambda g, out: sqrt_frechet(out.T, g)],
    analytic=False,
    ranks={"A": 2},
    at="sp.linalg.sqrtm(S); sp.linalg.sqrtm(E)",
)


def sylvester_dot(a: Any, b: Any, out: Any, a_dot: Any, b_dot: Any, q_dot: Any) -> Any:
    moved = [a_dot @ out] if a_dot is not None else []
    moved += [out @ b_dot] if b_dot is not None else []
    minus = sum(moved[1:], moved[0]) if moved else None
    rest = q_dot if minus is None else -minus if q_dot is None else q_dot - minus
    return sylvester(a, b, rest)


SYLVESTER: dict[str, Any] = {
    "jvp": sylvester_dot,
    "vjp": [
        lambda g, a, b, out: -sylvester(a.T, b.T, g) @ out.T,
        lambda g, a, b, out: -out.T @ sylvester(a.T, b.T, g),
        lambda g, a, b: sylvester(a.T, b.T, g),
    ],
    "ranks": {"a": 2, "b": 2, "q": 2},
}
general(
    "sp.linalg.solve_sylvester(a, b, q)",
    **SYLVESTER,
    analytic=False,
    at="sp.linalg.solve_sylvester(A, S, W.T @ M); sp.linalg.solve_sylvester(S[:3, :3], A, M)",
)
for_complex(
    General(
        "sp.linalg.solve_sylvester(a, b, q)",
        **SYLVESTER,
        at="sp.linalg.solve_sylvester(zA, zS, zA); sp.linalg.solve_sylvester(zS[:3, :3], zA, zM)",
    ),
    adjoint=False,
)


def continuous_a(g: Any, a: Any, out: Any) -> Any:
    adjoint = sla.solve_continuous_lyapunov(a.T, g)
    return -adjoint @ out.T - adjoint.T @ out


def continuous_dot(a: Any, out: Any, a_dot: Any, q_dot: Any) -> Any:
    moved = None if a_dot is None else a_dot @ out + out @ a_dot.T
    rest = q_dot if moved is None else -moved if q_dot is None else q_dot - moved
    return sla.solve_continuous_lyapunov(a, rest)


def discrete_a(g: Any, a: Any, out: Any) -> Any:
    adjoint = sla.solve_discrete_lyapunov(a.T, g)
    return adjoint @ a @ out.T + adjoint.T @ a @ out


def discrete_dot(a: Any, out: Any, a_dot: Any, q_dot: Any) -> Any:
    moved = None if a_dot is None else a_dot @ out @ a.T + a @ out @ a_dot.T
    rest = q_dot if moved is None else moved if q_dot is None else q_dot + moved
    return sla.solve_discrete_lyapunov(a, rest)


general(
    "sp.linalg.solve_continuous_lyapunov(a, q)",
    jvp=continuous_dot,
    vjp=[continuous_a, lambda g, a: sla.solve_continuous_lyapunov(a.T, g)],
    analytic=False,
    ranks={"a": 2, "q": 2},
    at="sp.linalg.solve_continuous_lyapunov(A, S); sp.linalg.solve_continuous_lyapunov(A, E)",
)
general(
    "sp.linalg.solve_discrete_lyapunov(a, q)",
    jvp=discrete_dot,
    vjp=[discrete_a, lambda g, a: sla.solve_discrete_lyapunov(a.T, g)],
    analytic=False,
    ranks={"a": 2, "q": 2},
    at="sp.linalg.solve_discrete_lyapunov(H, S[:3, :3]); sp.linalg.solve_discrete_lyapunov(H, E[:3, :3])",
)
ALIASES["scipy.linalg.solve_lyapunov"] = "scipy.linalg.solve_continuous_lyapunov"

# ---------------------------------------------------------------- matrices that are put together

linear(
    "sp.linalg.block_diag(*arrs)",
    lambda g, arrs, item: h._block_diag_bar(g, arrs, item),
    at="sp.linalg.block_diag(M, A); sp.linalg.block_diag(M, v, s)",
)
linear(
    "sp.linalg.toeplitz(c, r=None)",
    lambda g, r: h._toeplitz_bar_c(g, r is None),
    lambda g: h._toeplitz_bar_r(g),
    analytic=False,
    ranks={"c": 1, "r": 1},
    at="sp.linalg.toeplitz(v); sp.linalg.toeplitz(v, u)",
)
linear("sp.linalg.circulant(c)", lambda g: h._circulant_bar(g), ranks={"c": 1}, at="sp.linalg.circulant(v)")

# ---------------------------------------------------------------- bands


def banded_adjoint(g: Any, l_and_u: Any, ab: Any) -> Any:
    lower, upper_ = l_and_u
    return sla.solve_banded((upper_, lower), h._transposed_bands(ab, lower, upper_), g)


def banded_dot(l_and_u: Any, ab: Any, out: Any, ab_dot: Any, b_dot: Any) -> Any:
    moved = None if ab_dot is None else h._banded_times(ab_dot, l_and_u[0], l_and_u[1], out)
    rest = b_dot if moved is None else -moved if b_dot is None else b_dot - moved
    return sla.solve_banded(l_and_u, ab, rest)


general(
    "sp.linalg.solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True)",
    jvp=banded_dot,
    vjp=[
        None,
        lambda g, l_and_u, ab, out: h._solve_banded_bar(banded_adjoint(g, l_and_u, ab), l_and_u[0], l_and_u[1], out),
        lambda g, l_and_u, ab: banded_adjoint(g, l_and_u, ab),
    ],
    check=only("scipy.linalg.solve_banded"),
    analytic=False,
    ranks={"ab": 2},
    at="sp.linalg.solve_banded((1, 1), bands, v); sp.linalg.solve_banded((2, 0), bands, np.transpose(M))",
)
