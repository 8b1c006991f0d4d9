"""Factorisations of matrices: the reverse sweep reads the factors that the forward sweep has computed.

Formulas: Giles, "An extended collection of matrix derivative results", 2008; Cholesky: Murray, "Differentiation of
the Cholesky decomposition", 2016; singular values: Townsend, "Differentiating the singular value decomposition", 2016;
least squares: Golub & Pereyra, "The differentiation of pseudo-inverses", 1973; QR: Roberts & Roberts, "QR and LQ
decomposition matrix backpropagation algorithms", 2020.

`cholesky`, `eigh` and `eigvalsh` read one triangle of their argument: the derivative is that of what they compute, so
the cotangent has entries in that triangle only. Eigenvectors of equal eigenvalues, and singular vectors of equal or
zero singular values, have no derivative: where such a pair matters `LinAlgError` is raised, and where it does not (the
derivative of the values alone, or of other vectors) the rules hold. At 0 a singular value has a one-sided derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.kinds import Part, general
from s2s.rules.tracing import h, is_literal, ndim


def transposed(a: Any, like: Any = None) -> Any:
    """The transpose, or those of a stack; the rank is that of `like`."""
    return a.T if ndim(a if like is None else like) == 2 else np.swapaxes(a, -1, -2)


# ---------------------------------------------------------------- symmetric matrices


def cholesky_a(g: Any, out: Any, upper: Any) -> Any:
    return transposed(h._cholesky_bar(transposed(g, out), transposed(out)), out) if upper else h._cholesky_bar(g, out)


def cholesky_dot(g: Any, out: Any, upper: Any) -> Any:
    return transposed(h._cholesky_dot(transposed(g, out), transposed(out)), out) if upper else h._cholesky_dot(g, out)


general(
    "np.linalg.cholesky(a, upper=False)",
    jvp=[cholesky_dot],
    vjp=[cholesky_a],
    analytic=False,
    at="np.linalg.cholesky(S); np.linalg.cholesky(SS); np.linalg.cholesky(S, upper=True); "
    "np.linalg.cholesky(SS, upper=True)",
)


def is_upper(uplo: Any) -> dict[str, bool]:
    """The option of the helpers, where it is not the default."""
    return {"upper": True} if is_literal(uplo) and uplo in ("U", "u") else {}


def eigh_a(g: Any, out: Any, UPLO: Any) -> Any:
    (w_bar, v_bar), (w, v) = g, out
    if v_bar is None:
        return h._eigvalsh_bar(w_bar, v, **is_upper(UPLO))
    return h._eigh_bar(w_bar, v_bar, w, v, **is_upper(UPLO))


def eigh_dot(g: Any, out: Any, wanted: Any, UPLO: Any) -> Any:
    w, v = out
    if not wanted[1]:
        return h._eigvalsh_dot(g, v, **is_upper(UPLO)), None
    return h._eigh_dot(g, w, v, **is_upper(UPLO))


general(
    "np.linalg.eigh(a, UPLO='L')",
    jvp=[eigh_dot],
    vjp=[eigh_a],
    results=("eigenvalues", "eigenvectors"),
    analytic=False,
    at="np.linalg.eigh(S); np.linalg.eigh(SS); np.linalg.eigh(S, 'U'); np.linalg.eigh(A, UPLO='U')",
)
general(
    "np.linalg.eigvalsh(a, UPLO='L')",
    jvp=[lambda g, a, UPLO: h._eigvalsh_dot(g, vectors(a, UPLO), **is_upper(UPLO))],
    vjp=[lambda g, a, UPLO: h._eigvalsh_bar(g, vectors(a, UPLO), **is_upper(UPLO))],
    analytic=False,
    at="np.linalg.eigvalsh(S); np.linalg.eigvalsh(SS); np.linalg.eigvalsh(A, 'U')",
)


def vectors(a: Any, uplo: Any) -> Any:
    return np.linalg.eigh(a, UPLO="U")[1] if is_upper(uplo) else np.linalg.eigh(a)[1]


# ---------------------------------------------------------------- eigenvalues of other matrices

general(
    "np.linalg.eig(a)",
    jvp=[lambda g, out: h._eig_dot(g, out[0], out[1])],
    vjp=[lambda g, out: h._eig_bar(g[0], g[1], out[0], out[1])],
    results=("eigenvalues", "eigenvectors"),
    analytic=False,
    at="np.linalg.eig(E); np.linalg.eig(EE)",
)
general(
    "np.linalg.eigvals(a)",
    jvp=[lambda g, a: h._eigvals_dot(g, a)],
    vjp=[lambda g, a: h._eigvals_bar(g, a)],
    analytic=False,
    at="np.linalg.eigvals(E); np.linalg.eigvals(EE)",
)

# ---------------------------------------------------------------- singular values


def svd_check(scope: dict[str, Any]) -> str | None:
    if scope["hermitian"] is not False:
        return "`np.linalg.svd` is supported with hermitian=False only"
    return None


def svd_a(g: Any, a: Any, out: Any, compute_uv: Any) -> Any:
    if not compute_uv:
        return h._svdvals_bar(g, a)
    return h._svd_bar(g[0], g[1], g[2], out[0], out[1], out[2])


def svd_dot(g: Any, a: Any, out: Any, compute_uv: Any, full_matrices: Any, wanted: Any) -> Any:
    if not compute_uv:
        return h._svdvals_dot(g, a)
    u, _, vh = out
    if full_matrices is False and not wanted[0] and not wanted[2]:
        return None, np.sum(u * (g @ transposed(vh)), axis=-2), None
    if not wanted[0] and not wanted[2]:
        return None, h._svdvals_dot(g, a), None
    return h._svd_dot(g, *out)


general(
    "np.linalg.svd(a, full_matrices=True, compute_uv=True, hermitian=False)",
    jvp=[svd_dot],
    vjp=[svd_a],
    results=lambda scope: ("U", "S", "Vh") if scope["compute_uv"] else (),
    smooth=("U", "S", "Vh"),
    check=svd_check,
    analytic=False,
    at="np.linalg.svd(M, full_matrices=False); np.linalg.svd(tall, full_matrices=False); np.linalg.svd(A); "
    "np.linalg.svd(T, False); np.linalg.svd(talls, full_matrices=False); np.linalg.svd(M, compute_uv=False)",
)
general(
    "np.linalg.svdvals(x)",
    jvp=[lambda g, x: h._svdvals_dot(g, x)],
    vjp=[lambda g, x: h._svdvals_bar(g, x)],
    analytic=False,
    at="np.linalg.svdvals(M); np.linalg.svdvals(tall); np.linalg.svdvals(T)",
)

# ---------------------------------------------------------------- QR


def qr_check(scope: dict[str, Any]) -> str | None:
    if scope["mode"] not in ("reduced", "r"):
        return "`np.linalg.qr` is supported with mode 'reduced' and 'r': other factors are not unique"
    return None


def qr_parts(bar: Part, dot: Part) -> tuple[Part, Part]:
    """The reverse and the forward part, by the helpers for Q and R of real or of complex matrices."""

    def qr_a(g: Any, a: Any, out: Any, mode: Any) -> Any:
        if mode == "r":
            return bar(None, g, np.linalg.qr(a)[0], out)
        return bar(g[0], g[1], out[0], out[1])

    def qr_dot(g: Any, a: Any, out: Any, mode: Any) -> Any:
        if mode == "r":
            return dot(g, np.linalg.qr(a)[0], out)[1]
        return dot(g, out[0], out[1])

    return qr_a, qr_dot


qr_a, qr_dot = qr_parts(h._qr_bar, h._qr_dot)
general(
    "np.linalg.qr(a, mode='reduced')",
    jvp=[qr_dot],
    vjp=[qr_a],
    results=lambda scope: ("Q", "R") if scope["mode"] == "reduced" else (),
    smooth=("Q", "R"),
    check=qr_check,
    analytic=False,
    at="np.linalg.qr(tall); np.linalg.qr(A); np.linalg.qr(M); np.linalg.qr(talls); np.linalg.qr(T); "
    "np.linalg.qr(tall, mode='r'); np.linalg.qr(M, 'r')",
)

# ---------------------------------------------------------------- least squares


ROUNDING = 1e-10  # a singular value that is smaller, relative to the largest, is taken for zero


def cutoff_of(rcond: Any) -> Any:
    """The cut-off of lstsq(a, b, rcond); None for that of rounding errors: what is not between 0 and 1 means it."""
    if not is_literal(rcond):
        return h._cutoff(rcond)
    return rcond if rcond is not None and 0.0 < rcond < 1.0 else None


def pinv_of(a: Any, rcond: Any) -> Any:
    """The pseudo-inverse by the rank that lstsq(a, b, rcond) takes a to have."""
    return np.linalg.pinv(a, rtol=cutoff_of(rcond))


def of_its_rank(inverse: Any, a: Any, *cutoffs: Any) -> Any:
    """The pseudo-inverse; where a cut-off is given that drops more of a than rounding errors, the output raises."""
    harmless = all(c is None or (isinstance(c, int | float) and c <= ROUNDING) for c in cutoffs)
    return inverse if harmless else h._of_its_rank(inverse, a)


def whole_inverse(a: Any, rcond: Any) -> Any:
    return of_its_rank(pinv_of(a, rcond), a, cutoff_of(rcond))


def lstsq_a(g: Any, a: Any, b: Any, rcond: Any, out: Any) -> Any:
    inverse = None if g[0] is None else whole_inverse(a, rcond)
    return h._lstsq_bar_a(inverse, g[0], g[1], g[3], a, b, out[0])


def lstsq_b(g: Any, a: Any, b: Any, rcond: Any, out: Any) -> Any:
    terms = [] if g[0] is None else [pinv_of(a, rcond).T @ g[0]]
    if g[1] is not None:
        terms.append(h._residuals_bar_b(g[1], a, b, out[0]))
    return sum(terms[1:], terms[0]) if terms else np.zeros_like(b)


def lstsq_dot(a: Any, b: Any, rcond: Any, out: Any, a_dot: Any, b_dot: Any, wanted: Any) -> Any:
    if a_dot is None and not wanted[1]:
        return pinv_of(a, rcond) @ b_dot, None, None, np.zeros_like(out[3])
    return h._lstsq_dot(whole_inverse(a, rcond), a, b, out[0], out[1], a_dot, b_dot)


general(
    "np.linalg.lstsq(a, b, rcond=None)",
    jvp=lstsq_dot,
    vjp=[lstsq_a, lstsq_b],
    results=("x", "residuals", "rank", "s"),
    smooth=("x", "residuals", "s"),
    analytic=False,
    at="np.linalg.lstsq(tall, b5); np.linalg.lstsq(tall, b52); np.linalg.lstsq(M, u); np.linalg.lstsq(A, v, rcond=-1); "
    "np.linalg.lstsq(A, np.transpose(M), 1e-12); np.linalg.lstsq(A, v, 1.0); np.linalg.lstsq(tall, b5, rcond=0)",
)


def of_whole(action: Part) -> Part:
    """The derivative of np.linalg.pinv by a helper."""
    return lambda g, a, rcond, rtol, out: action(g, a, of_its_rank(out, a, rcond, rtol))


def pinv_check(scope: dict[str, Any]) -> str | None:
    return None if scope["hermitian"] is False else "`np.linalg.pinv` is supported with hermitian=False only"


general(
    "np.linalg.pinv(a, rcond=None, hermitian=False, rtol=None)",
    jvp=[of_whole(h._pinv_dot)],
    vjp=[of_whole(h._pinv_bar)],
    check=pinv_check,
    analytic=False,
    at="np.linalg.pinv(M); np.linalg.pinv(tall); np.linalg.pinv(T); np.linalg.pinv(A, 1e-12); "
    "np.linalg.pinv(talls, rtol=1e-12)",
)
