"""Functions of complex numbers.

The convention is that of PyTorch: for a real loss L, z_bar = dL/dRe(z) + 1j dL/dIm(z), the direction of steepest
ascent (twice the Wirtinger derivative with respect to conj(z)). For y = f(z) holomorphic, z_bar += conj(f'(z)) y_bar;
the engine makes that of the real rule. Here are the others, in the form `z_bar` itself, and the list of those rules
that are holomorphic as they are written. What is in neither is refused for complex operands.

Conventions: abs, norm, std and angle have derivative 0 at 0. The factors of a complex matrix are unique but for phases.
LAPACK makes the diagonal of R in QR real, the first row of the eigenvectors of a Hermitian matrix (the last one with
UPLO='U'), and in a singular value decomposition the first row of V, or of U where the matrix is wider than high.
The derivative is that of this choice; what is the same for every choice is not touched by it. Where a phase matters and
the entry that fixes it is 0, or is not real, `LinAlgError` is raised. Singular vectors: Wan & Zhang, "Automatic
differentiation for complex valued SVD", 2019.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.rules.decompositions import (
    is_upper,
    of_whole,
    pinv_check,
    pinv_of,
    qr_check,
    qr_parts,
    svd_check,
    vectors,
    whole_inverse,
)
from s2s.rules.elementwise import nonzero, power_a
from s2s.rules.kinds import (
    HOLOMORPHIC,
    Elementwise,
    General,
    Multilinear,
    Reduction,
    for_complex,
    keeps_floats,
    projected,
    total,
)
from s2s.rules.linalg import (
    ORDER,
    cond_dot,
    cond_x,
    is_vector_norm,
    matrix_norm_dot,
    matrix_norm_x,
    traced_solve,
    vecdot_part,
)
from s2s.rules.polynomials import polyfit_check
from s2s.rules.products import vdot_a, wide
from s2s.rules.reductions import DDOF, SPREADS, nanstd_x, nanvar_x, std_x, var_x
from s2s.rules.signal import gradient_dot, gradient_f, mode_check, whole
from s2s.rules.statistics import divisor, rows, weighted
from s2s.rules.tracing import RuleError, call, h, is_literal, is_real, literal, ndim

HOLOMORPHIC.update(
    f"numpy.{name}"
    for name in """
    add subtract multiply divide negative positive reciprocal square sqrt exp exp2 expm1 log log2 log10 log1p
    sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arctanh where
    sum mean prod cumsum cumprod diff trace
    matmul dot inner outer kron einsum tensordot cross linspace linalg.matmul linalg.outer
    linalg.tensordot linalg.cross linalg.matrix_transpose linalg.diagonal linalg.trace add.reduce multiply.reduce
    nansum nanprod nanmean average
    reshape ravel squeeze expand_dims transpose matrix_transpose swapaxes moveaxis rollaxis atleast_1d atleast_2d
    atleast_3d broadcast_to full full_like roll flip flipud fliplr rot90 tril triu copy ascontiguousarray asarray array
    astype concatenate stack vstack hstack dstack column_stack c_ append split array_split vsplit hsplit dsplit tile
    repeat diag diagonal take pad fft.fftshift fft.ifftshift
    diagflat asfortranarray asanyarray asarray_chkfinite require ndarray.item ndarray.tolist block unstack
    nancumsum nancumprod cumulative_sum cumulative_prod take_along_axis compress ndarray.compress extract delete resize
    insert trim_zeros choose select meshgrid broadcast_arrays geomspace logspace ediff1d trapezoid
    polyval polyadd polysub polymul polyder polyint polydiv poly vander sinc nan_to_num
    add.outer subtract.outer multiply.outer divide.outer power.outer float_power.outer add.accumulate
    multiply.accumulate add.reduceat
    linalg.solve linalg.inv linalg.matrix_power linalg.multi_dot linalg.tensorinv linalg.tensorsolve
    """.split()  # noqa: SIM905
)
HOLOMORPHIC.update(("builtins.sum", "builtins.pow", "math.prod"))

UPPER = ((0.3, 2.0), (0.2, 1.5))  # real and imaginary parts of samples, off the cuts


# ---------------------------------------------------------------- parts, modulus, argument


def angle_z(g: Any, z: Any) -> Any:
    return 1j * z / nonzero(np.abs(z)) ** 2 * g


def no_degrees(scope: dict[str, Any]) -> str | None:
    return None if scope["deg"] is False else "`np.angle` is supported in radians"


for_complex(Elementwise("np.real(x)", lambda g: g, jvp=lambda x_dot: np.real(x_dot)))
for_complex(Elementwise("np.imag(x)", lambda g: 1j * g, jvp=lambda x_dot: np.imag(x_dot)))
for_complex(Elementwise("np.conj(x)", lambda g: np.conj(g), jvp=lambda x_dot: np.conj(x_dot)))
for_complex(Elementwise("np.abs(x)", lambda g, x, out: x / nonzero(out) * g, gradient=True))
for_complex(Elementwise("abs(x)", lambda g, x, out: x / nonzero(out) * g, gradient=True))
for_complex(
    Elementwise("np.angle(z, deg=False)", angle_z, gradient=True, check=no_degrees, at="np.angle(zv); np.angle(zM)")
)
for_complex(Elementwise("complex(real, imag=0.0)", lambda g: g, lambda g: 1j * g), adjoint=False)
for_complex(Elementwise("np.complex128(x)", lambda g: g), adjoint=False)
for_complex(Elementwise("np.complex64(x)", lambda g: g), adjoint=False)

# ---------------------------------------------------------------- holomorphic, on other sheets than the real rule


def power_b(g: Any, a: Any, b: Any, out: Any) -> Any:
    """out log(a) g, with the logarithm of a negative number."""
    value = literal(a)
    if value is not None and value >= 0:
        return math.log(value) * out * g if value else 0.0 * g
    base = a + (a == 0.0)
    return out * np.log(base + 0j if is_real(a) else base) * g


def arccosh_x(g: Any, x: Any) -> Any:
    return g / (np.sqrt(x - 1.0) * np.sqrt(x + 1.0))


for_complex(Elementwise("np.power(a, b)", power_a, power_b), adjoint=False)
for_complex(Elementwise("np.float_power(a, b)", power_a, power_b), adjoint=False)
for_complex(Elementwise("np.arccosh(x)", arccosh_x), adjoint=False)

# ---------------------------------------------------------------- cmath: numbers


def cmath(name: str, *args: Any) -> Any:
    return call("cmath." + name, *args)


def log_z(g: Any, x: Any, base: Any) -> Any:
    return g / x if base is None else g / (x * cmath("log", base))


def log_base(g: Any, base: Any, out: Any) -> Any:
    return -out / (base * cmath("log", base)) * g


for key, action in (
    ("cmath.exp(x)", lambda g, out: out * g),
    ("cmath.log10(x)", lambda g, x: g / (math.log(10.0) * x)),
    ("cmath.sqrt(x)", lambda g, out: 0.5 * g / out),
    ("cmath.sin(x)", lambda g, x: cmath("cos", x) * g),
    ("cmath.cos(x)", lambda g, x: -cmath("sin", x) * g),
    ("cmath.tan(x)", lambda g, out: (1.0 + out**2) * g),
    ("cmath.asin(x)", lambda g, x: g / cmath("sqrt", 1.0 - x**2)),
    ("cmath.acos(x)", lambda g, x: -g / cmath("sqrt", 1.0 - x**2)),
    ("cmath.atan(x)", lambda g, x: g / (1.0 + x**2)),
    ("cmath.sinh(x)", lambda g, x: cmath("cosh", x) * g),
    ("cmath.cosh(x)", lambda g, x: cmath("sinh", x) * g),
    ("cmath.tanh(x)", lambda g, out: (1.0 - out**2) * g),
    ("cmath.asinh(x)", lambda g, x: g / cmath("sqrt", 1.0 + x**2)),
    ("cmath.acosh(x)", lambda g, x: g / (cmath("sqrt", x - 1.0) * cmath("sqrt", x + 1.0))),
    ("cmath.atanh(x)", lambda g, x: g / (1.0 - x**2)),
):
    for_complex(Elementwise(key, action), adjoint=False)
for_complex(Elementwise("cmath.log(x, base=None)", log_z, log_base), adjoint=False)
for_complex(
    Elementwise("cmath.rect(r, phi)", lambda g, phi: cmath("exp", 1j * phi) * g, lambda g, out: 1j * out * g),
    adjoint=False,
)
for_complex(Elementwise("cmath.phase(x)", lambda g, x: 1j * x / nonzero(abs_of(x)) ** 2 * g, gradient=True))


def abs_of(x: Any) -> Any:
    return call("builtins.abs", x)


# ---------------------------------------------------------------- products that conjugate an operand


for_complex(
    Multilinear(
        "np.vdot(a, b)",
        lambda g, a, b: vdot_a(np.conj(g), a, b),
        lambda g, a, b: vdot_a(g, b, a),
        at="np.vdot(zv, zw); np.vdot(zM, zM); np.vdot(zs, zt); np.vdot(v, zv); np.vdot(zv, v); "
        "np.vdot(zM, np.reshape(zW, (4, 3)))",
    )
)
for_complex(
    Multilinear(
        "np.linalg.vecdot(a, b, axis=-1)",
        lambda g, a, b, axis: vecdot_part(np.conj(g), b, a, axis),
        lambda g, a, b, axis: vecdot_part(g, a, b, axis),
        at="np.linalg.vecdot(zv, zw); np.linalg.vecdot(zM, zv); np.linalg.vecdot(v, zw); "
        "np.linalg.vecdot(zM, M, axis=0)",
    )
)
for_complex(
    Multilinear(
        "np.vecdot(a, b)",
        lambda g, a, b: h._unbroadcast(wide(np.conj(g)) * b, a),
        lambda g, a, b: h._unbroadcast(wide(g) * a, b),
        at="np.vecdot(zv, zw); np.vecdot(zM, zv); np.vecdot(zv, zM)",
    )
)
if hasattr(np, "matvec"):  # NumPy 2.2
    for_complex(
        Multilinear(
            "np.matvec(a, x)",
            lambda g, a, x: h._unbroadcast(wide(g) * np.conj(np.expand_dims(x, -2)), a),
            lambda g, a, x: h._unbroadcast(np.conj(np.vecmat(g, a)), x),
            at="np.matvec(zM, zv); np.matvec(zT, zv); np.matvec(zM, v); np.matvec(zA, zM)",
        )
    )
    for_complex(
        Multilinear(
            "np.vecmat(x, a)",
            lambda g, a, x: h._unbroadcast(np.matvec(a, np.conj(g)), x),
            lambda g, a, x: h._unbroadcast(wide(x) * np.expand_dims(g, -2), a),
            at="np.vecmat(zv, zN); np.vecmat(zu, zT); np.vecmat(zv, N); np.vecmat(zM, zA)",
        )
    )
for_complex(  # np.correlate conjugates its second operand
    Multilinear(
        "np.convolve(a, v, mode='full')",
        lambda g, a, v, mode: np.correlate(whole(g, a, v, mode), v, "valid"),
        lambda g, a, v, mode: np.correlate(whole(g, a, v, mode), a, "valid"),
        check=mode_check,
        at="np.convolve(zv, zu); np.convolve(v, zv); np.convolve(zu, zv, 'same'); np.convolve(zv, zu, mode='valid')",
    )
)
for_complex(
    Multilinear(
        "np.correlate(a, v, mode='valid')",
        lambda g, a, v, mode: np.convolve(whole(g, a, v, mode, True), v, "valid"),
        lambda g, a, v, mode: np.conj(np.correlate(whole(g, a, v, mode, True), a, "valid")[::-1]),
        check=mode_check,
        at="np.correlate(zv, zu); np.correlate(v, zu); np.correlate(zu, zv, 'same'); np.correlate(zv, u, mode='full')",
    )
)


def gradient_z(g: Any, f: Any, spacing: Any, axis: Any, edge_order: Any) -> Any:
    if not all(is_real(x) for x in spacing):
        raise RuleError("`np.gradient` is supported with a real spacing")
    return gradient_f(g, f, spacing, axis, edge_order)


for_complex(
    General(
        "np.gradient(f, *spacing, axis=None, edge_order=1)",
        jvp=gradient_dot,
        vjp=[gradient_z, None],
        closed={"spacing": "of complex values it has no derivative with respect to the spacing"},
        at="np.gradient(zv); np.gradient(zM, axis=0); np.gradient(zv, ramp, edge_order=2); np.gradient(zM, 0.3, ramp)",
    )
)

# ---------------------------------------------------------------- reductions to real numbers, determinants


def norm_x(g: Any, x: Any, out: Any, ord: Any, axis: Any) -> Any:
    if ord in (1, 2) and not is_vector_norm(x, axis):
        raise RuleError(
            "`np.linalg.norm` of complex numbers with `ord` is supported where they are known to be vectors"
        )
    return x / nonzero(np.abs(x)) * g if ord == 1 else x / nonzero(out) * g


def norm_check(scope: dict[str, Any]) -> str | None:
    """Singular values and largest entries are ordered, other powers not written."""
    if isinstance(scope["axis"], list):
        return "`np.linalg.norm` is supported with an axis that is a number or a tuple"
    ord = scope["ord"]
    if is_literal(ord) and ord in (None, "fro", 1, 2):
        return None
    return "`np.linalg.norm` of complex numbers is supported with ord None, 'fro', 1 or 2"


def slogdet_a(g: Any, a: Any, out: Any) -> Any:
    """d sign = 1j sign Im(tr(inv(a) da)), d logdet = Re(tr(inv(a) da))."""
    phase, modulus = g
    terms = [] if modulus is None else [modulus]
    terms += [] if phase is None else [1j * np.imag(phase * np.conj(out[0]))]
    if ndim(a) == 2:
        return total(terms) * np.conj(np.linalg.inv(a)).T
    return np.expand_dims(total(terms), (-2, -1)) * np.swapaxes(np.conj(np.linalg.inv(a)), -1, -2)


def slogdet_dot(g: Any, a: Any, out: Any, wanted: Any) -> Any:
    trace = traced_solve(a, g)
    return (1j * out[0] * np.imag(trace) if wanted[0] else None), (np.real(trace) if wanted[1] else None)


for_complex(
    Reduction(
        "np.linalg.norm(x, ord=None, axis=None, keepdims=False)",
        norm_x,
        gradient=True,
        closed=ORDER,
        check=norm_check,
        at="np.linalg.norm(zv); np.linalg.norm(zM, axis=0); np.linalg.norm(zv, 1); np.linalg.norm(zv, 2); "
        "np.linalg.norm(zM, 1, axis=1); np.linalg.norm(zM, 'fro'); np.linalg.norm(zT, 2, axis=0)",
    )
)
for_complex(
    Reduction(
        "np.linalg.vector_norm(x, axis=None, keepdims=False, ord=2)",
        lambda g, x, out, ord: x / nonzero(np.abs(x)) * g if ord == 1 else x / nonzero(out) * g,
        gradient=True,
        closed=ORDER,
        check=lambda scope: (
            None if is_literal(scope["ord"]) and scope["ord"] in (1, 2) else "of complex numbers `ord` is 1 or 2"
        ),
        at="np.linalg.vector_norm(zv); np.linalg.vector_norm(zM, axis=0); np.linalg.vector_norm(zM, axis=1, ord=1); "
        "np.linalg.vector_norm(zT, axis=(0, 2), keepdims=True)",
    )
)
for_complex(
    General(
        "np.linalg.matrix_norm(x, keepdims=False, ord='fro')",
        jvp=[matrix_norm_dot(projected)],
        vjp=[matrix_norm_x],
        closed=ORDER,
        at="np.linalg.matrix_norm(zM); np.linalg.matrix_norm(zT, keepdims=True); np.linalg.matrix_norm(zM, ord='nuc'); "
        "np.linalg.matrix_norm(zT, ord=2); np.linalg.matrix_norm(zT, ord=-1)",
    )
)
for_complex(
    General(
        "np.linalg.cond(x, p=None)",
        jvp=[cond_dot(projected)],
        vjp=[cond_x],
        at="np.linalg.cond(zA); np.linalg.cond(zAA); np.linalg.cond(ztall); np.linalg.cond(zA, 'fro'); "
        "np.linalg.cond(zA, -2); np.linalg.cond(zA, 1)",
    )
)

# ---------------------------------------------------------------- covariances, polynomials


def cov_operand(**which: Any) -> Any:
    def bar(g: Any, m: Any, y: Any, rowvar: Any, bias: Any, ddof: Any, fweights: Any, aweights: Any) -> Any:
        options = rows(y, rowvar) | divisor(bias, ddof) | weighted(fweights, aweights)
        return h._complex_cov_bar(g, m, **options, **which)

    return bar


def cov_dot(
    m: Any, y: Any, rowvar: Any, bias: Any, ddof: Any, fweights: Any, aweights: Any, m_dot: Any, y_dot: Any
) -> Any:
    options = rows(y, rowvar) | divisor(bias, ddof) | weighted(fweights, aweights)
    return h._complex_cov_dot(m, **tangents(m_dot=m_dot, y_dot=y_dot), **options)


def tangents(**dots: Any) -> dict[str, Any]:
    return {n: d for n, d in dots.items() if d is not None}


for_complex(
    General(
        "np.cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None)",
        jvp=cov_dot,
        vjp=[cov_operand(), cov_operand(of_y=True)],
        closed={"aweights": "of complex values it has no derivative with respect to the weights"},
        at="np.cov(zM); np.cov(zM, rowvar=False); np.cov(zv); np.cov(zv, w); np.cov(v, zw, ddof=0); "
        "np.cov(zM, zW[:2], bias=True); np.cov(zM, aweights=p); np.cov(zM, W, fweights=k + 1, aweights=p, ddof=2)",
    )
)
for_complex(
    General(
        "np.corrcoef(x, y=None, rowvar=True)",
        jvp=lambda x, y, rowvar, out, x_dot, y_dot: h._complex_corrcoef_dot(
            out, x, **tangents(x_dot=x_dot, y_dot=y_dot), **rows(y, rowvar)
        ),
        vjp=[
            lambda g, x, y, rowvar, out: h._complex_corrcoef_bar(g, out, x, **rows(y, rowvar)),
            lambda g, x, y, rowvar, out: h._complex_corrcoef_bar(g, out, x, **rows(y, rowvar), of_y=True),
        ],
        at="np.corrcoef(zM); np.corrcoef(zM, rowvar=False); np.corrcoef(zv, w); np.corrcoef(M, zW[:2])",
    )
)


def polyfit_without_weights(scope: dict[str, Any]) -> str | None:
    return polyfit_check(scope) or (None if scope["w"] is None else "`np.polyfit` of complex numbers takes no `w`")


for_complex(
    General(
        "np.polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False)",
        jvp=lambda x, y, out, x_dot, y_dot: h._complex_polyfit_dot(out, x, y, **tangents(x_dot=x_dot, y_dot=y_dot)),
        vjp=[
            lambda g, x, y, out: h._complex_polyfit_bar(g, x, y, out)[0],
            lambda g, x, y, out: h._complex_polyfit_bar(g, x, y, out)[1],
        ],
        check=polyfit_without_weights,
        at="np.polyfit(v, zw, 2); np.polyfit(zv, zw, 1); np.polyfit(zv, w, 2); np.polyfit(v, zT[0].T, 1)",
    )
)

SPREAD: dict[str, Any] = {"var": var_x, "std": std_x, "nanvar": nanvar_x, "nanstd": nanstd_x}
for name, spread_x in SPREAD.items():
    for_complex(
        Reduction(
            f"np.{name}(x, {SPREADS})",
            spread_x,
            gradient=True,
            also={"correction": "ddof"},
            closed=DDOF,
            check=keeps_floats,
            at=f"np.{name}(zv); np.{name}(zM, axis=0); np.{name}(zT, axis=(0, 2), ddof=1, keepdims=True); "
            f"np.{name}(zM, where=M > 0.0)",
        )
    )

# ---------------------------------------------------------------- factorisations


def cholesky_a(g: Any, out: Any, upper: Any) -> Any:
    if upper:
        return h._conjugate_transpose(h._complex_cholesky_bar(h._conjugate_transpose(g), h._conjugate_transpose(out)))
    return h._complex_cholesky_bar(g, out)


def cholesky_dot(g: Any, out: Any, upper: Any) -> Any:
    if upper:
        return h._conjugate_transpose(h._complex_cholesky_dot(h._conjugate_transpose(g), h._conjugate_transpose(out)))
    return h._complex_cholesky_dot(g, out)


def eigh_a(g: Any, out: Any, UPLO: Any) -> Any:
    (w_bar, v_bar), (w, v) = g, out
    if v_bar is None:
        return h._complex_eigvalsh_bar(w_bar, v, **is_upper(UPLO))
    return h._complex_eigh_bar(w_bar, v_bar, w, v, **is_upper(UPLO))


def eigh_dot(g: Any, out: Any, wanted: Any, UPLO: Any) -> Any:
    w, v = out
    if not wanted[1]:
        return h._complex_eigvalsh_dot(g, v, **is_upper(UPLO)), None
    return h._complex_eigh_dot(g, w, v, **is_upper(UPLO))


for_complex(
    General(
        "np.linalg.cholesky(a, upper=False)",
        jvp=[cholesky_dot],
        vjp=[cholesky_a],
        at="np.linalg.cholesky(zS); np.linalg.cholesky(zSS); np.linalg.cholesky(zS, upper=True)",
    )
)
for_complex(
    General(
        "np.linalg.eigh(a, UPLO='L')",
        jvp=[eigh_dot],
        vjp=[eigh_a],
        results=("eigenvalues", "eigenvectors"),
        at="np.linalg.eigh(zS); np.linalg.eigh(zSS); np.linalg.eigh(zA, 'U'); np.linalg.eigh(zA)",
    )
)
for_complex(
    General(
        "np.linalg.eigvalsh(a, UPLO='L')",
        jvp=[lambda g, a, UPLO: h._complex_eigvalsh_dot(g, vectors(a, UPLO), **is_upper(UPLO))],
        vjp=[lambda g, a, UPLO: h._complex_eigvalsh_bar(g, vectors(a, UPLO), **is_upper(UPLO))],
        at="np.linalg.eigvalsh(zS); np.linalg.eigvalsh(zSS); np.linalg.eigvalsh(zA, 'U')",
    )
)


def svd_a(g: Any, a: Any, out: Any, compute_uv: Any) -> Any:
    if not compute_uv:
        return h._svdvals_bar(g, a)
    return h._complex_svd_bar(g[0], g[1], g[2], out[0], out[1], out[2])


def svd_dot(g: Any, a: Any, out: Any, compute_uv: Any, wanted: Any) -> Any:
    if not compute_uv:
        return h._complex_svdvals_dot(g, a)
    if not wanted[0] and not wanted[2]:
        return None, h._complex_svdvals_dot(g, a), None
    return h._complex_svd_dot(g, *out)


for_complex(
    General(
        "np.linalg.svd(a, full_matrices=True, compute_uv=True, hermitian=False)",
        jvp=[svd_dot],
        vjp=[svd_a],
        results=lambda scope: ("U", "S", "Vh") if scope["compute_uv"] else (),
        smooth=("U", "S", "Vh"),
        check=svd_check,
        at="np.linalg.svd(zM, full_matrices=False); np.linalg.svd(ztall, full_matrices=False); np.linalg.svd(zA); "
        "np.linalg.svd(zT, False); np.linalg.svd(zM, compute_uv=False)",
    )
)
for_complex(
    General(
        "np.linalg.svdvals(x)",
        jvp=[lambda g, x: h._complex_svdvals_dot(g, x)],
        vjp=[lambda g, x: h._svdvals_bar(g, x)],
        at="np.linalg.svdvals(zM); np.linalg.svdvals(ztall); np.linalg.svdvals(zT)",
    )
)


qr_a, qr_dot = qr_parts(h._complex_qr_bar, h._complex_qr_dot)
for_complex(
    General(
        "np.linalg.qr(a, mode='reduced')",
        jvp=[qr_dot],
        vjp=[qr_a],
        results=lambda scope: ("Q", "R") if scope["mode"] == "reduced" else (),
        smooth=("Q", "R"),
        check=qr_check,
        at="np.linalg.qr(ztall); np.linalg.qr(zA); np.linalg.qr(zM); np.linalg.qr(zT); np.linalg.qr(ztall, mode='r'); "
        "np.linalg.qr(zM, 'r')",
    )
)


def lstsq_a(g: Any, a: Any, b: Any, rcond: Any, out: Any) -> Any:
    inverse = None if g[0] is None else whole_inverse(a, rcond)
    return h._complex_lstsq_bar_a(inverse, g[0], g[1], g[3], a, b, out[0])


def lstsq_b(g: Any, a: Any, b: Any, rcond: Any, out: Any) -> Any:
    terms = [] if g[0] is None else [np.conj(pinv_of(a, rcond)).T @ g[0]]
    if g[1] is not None:
        terms.append(h._residuals_bar_b(g[1], a, b, out[0]))
    return total(terms) if terms else np.zeros_like(b)


def lstsq_dot(a: Any, b: Any, rcond: Any, out: Any, a_dot: Any, b_dot: Any, wanted: Any) -> Any:
    if a_dot is None and not wanted[1]:
        return pinv_of(a, rcond) @ b_dot, None, None, np.zeros_like(out[3])
    return h._complex_lstsq_dot(whole_inverse(a, rcond), a, b, out[0], out[1], a_dot, b_dot)


for_complex(
    General(
        "np.linalg.lstsq(a, b, rcond=None)",
        jvp=lstsq_dot,
        vjp=[lstsq_a, lstsq_b],
        results=("x", "residuals", "rank", "s"),
        smooth=("x", "residuals", "s"),
        at="np.linalg.lstsq(ztall, zb5); np.linalg.lstsq(ztall, b52); np.linalg.lstsq(tall, zb5); "
        "np.linalg.lstsq(zM, zu); np.linalg.lstsq(zA, zv, rcond=-1)",
    )
)
for_complex(
    General(
        "np.linalg.pinv(a, rcond=None, hermitian=False, rtol=None)",
        jvp=[of_whole(h._complex_pinv_dot)],
        vjp=[of_whole(h._complex_pinv_bar)],
        check=pinv_check,
        at="np.linalg.pinv(zM); np.linalg.pinv(ztall); np.linalg.pinv(zT); np.linalg.pinv(zA, 1e-12)",
    )
)
for_complex(
    General(
        "np.linalg.eig(a)",
        jvp=[lambda g, out: h._eig_dot(g, out[0], out[1])],
        vjp=[lambda g, out: h._eig_bar(g[0], g[1], out[0], out[1])],
        results=("eigenvalues", "eigenvectors"),
        at="np.linalg.eig(zA); np.linalg.eig(R)",
    )
)
for_complex(
    General(
        "np.linalg.eigvals(a)",
        jvp=[lambda g, a: h._eigvals_dot(g, a)],
        vjp=[lambda g, a: h._eigvals_bar(g, a)],
        at="np.linalg.eigvals(zA); np.linalg.eigvals(R)",
    )
)


def det_a(g: Any, a: Any, out: Any) -> Any:
    """The real rule takes cofactors, by a singular value decomposition where the matrix is singular."""
    if ndim(a) == 2:
        return g * out * np.linalg.inv(a).T
    return np.expand_dims(g * out, (-2, -1)) * np.swapaxes(np.linalg.inv(a), -1, -2)


for_complex(
    General(
        "np.linalg.det(a)",
        jvp=[lambda g, a, out: out * traced_solve(a, g)],
        vjp=[det_a],
        at="np.linalg.det(zA); np.linalg.det(zAA)",
    ),
    adjoint=False,
)
for_complex(
    General(
        "np.linalg.slogdet(a)",
        jvp=[slogdet_dot],
        vjp=[slogdet_a],
        results=("sign", "logabsdet"),
        at="np.linalg.slogdet(zA); np.linalg.slogdet(zAA)",
    )
)
