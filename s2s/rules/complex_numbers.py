"""Functions of complex numbers.

The convention is that of PyTorch: for a real loss L, z_bar = dL/dRe(z) + 1j dL/dIm(z), the direction of steepest
ascent (twice the Wirtinger derivative with respect to conj(z)). For y = f(z) holomorphic, z_bar += conj(f'(z)) y_bar;
the engine makes that of the real rule. Here are the others, in the form `z_bar` itself, and the list of those rules
that are holomorphic as they are written. What is in neither is refused for complex operands.

Conventions: abs, norm and angle have derivative 0 at 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.rules.elementwise import nonzero, power_a
from s2s.rules.kinds import HOLOMORPHIC, Elementwise, General, Multilinear, Reduction, for_complex, total
from s2s.rules.linalg import norm_check, traced_solve
from s2s.rules.products import same_lengths, wide
from s2s.rules.signal import mode_check, whole
from s2s.rules.tracing import call, h, is_real, literal, ndim

HOLOMORPHIC.update(
    f"numpy.{name}"
    for name in """
    add subtract multiply divide negative positive reciprocal square sqrt exp exp2 expm1 log log2 log10 log1p
    sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arctanh where
    sum mean prod cumsum diff trace
    matmul dot inner outer kron einsum tensordot cross linspace linalg.matmul linalg.outer
    linalg.tensordot linalg.cross linalg.matrix_transpose linalg.diagonal linalg.trace add.reduce multiply.reduce
    nansum nanprod nanmean average
    reshape ravel squeeze expand_dims transpose matrix_transpose swapaxes moveaxis rollaxis atleast_1d atleast_2d
    atleast_3d broadcast_to full full_like roll flip flipud fliplr rot90 tril triu copy ascontiguousarray asarray array
    astype concatenate stack vstack hstack dstack column_stack append split array_split vsplit hsplit dsplit tile repeat
    diag diagonal take pad fft.fftshift fft.ifftshift
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
    if value is not None and value > 0:
        return math.log(value) * out * g
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


def vdot_of(g: Any, x: Any, like: Any) -> Any:
    ranks = {ndim(x), ndim(like)}
    return x * g if ranks in ({0}, {1}) or same_lengths(x, like) else np.reshape(x, np.shape(like)) * g


for_complex(
    Multilinear(
        "np.vdot(a, b)",
        lambda g, a, b: vdot_of(np.conj(g), b, a),
        lambda g, a, b: vdot_of(g, a, b),
        at="np.vdot(zv, zw); np.vdot(zM, zM); np.vdot(zs, zt); np.vdot(v, zv); np.vdot(zv, v)",
    )
)
for_complex(
    Multilinear(
        "np.vecdot(a, b)",
        lambda g, a, b: h._unbroadcast(wide(np.conj(g)) * b, a),
        lambda g, a, b: h._unbroadcast(wide(g) * a, b),
        at="np.vecdot(zv, zw); np.vecdot(zM, zv)",
    )
)
if hasattr(np, "matvec"):  # NumPy 2.2
    for_complex(
        Multilinear(
            "np.matvec(a, x)",
            lambda g, a, x: h._unbroadcast(wide(g) * np.conj(np.expand_dims(x, -2)), a),
            lambda g, a, x: h._unbroadcast(np.conj(np.vecmat(g, a)), x),
            at="np.matvec(zM, zv); np.matvec(zT, zv); np.matvec(zM, v)",
        )
    )
    for_complex(
        Multilinear(
            "np.vecmat(x, a)",
            lambda g, a, x: h._unbroadcast(np.matvec(a, np.conj(g)), x),
            lambda g, a, x: h._unbroadcast(wide(x) * np.expand_dims(g, -2), a),
            at="np.vecmat(zv, zN); np.vecmat(zu, zT); np.vecmat(zv, N)",
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

# ---------------------------------------------------------------- reductions to real numbers, determinants


def spread(x: Any, axis: Any) -> Any:
    return x - np.mean(x, **({} if axis is None else {"axis": axis, "keepdims": True}))


def norm_x(g: Any, x: Any, out: Any, ord: Any, axis: Any) -> Any:
    return x / nonzero(np.abs(x)) * g if ord == 1 else x / nonzero(out) * g


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
        check=norm_check,
        at="np.linalg.norm(zv); np.linalg.norm(zM, axis=0); np.linalg.norm(zv, 1)",
    )
)
for_complex(
    Reduction(
        "np.var(x, axis=None, keepdims=False)",
        lambda g, x, axis: 2.0 * spread(x, axis) / (np.size(x) if axis is None else np.shape(x)[axis]) * g,
        gradient=True,
        at="np.var(zv); np.var(zM, axis=0)",
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
        at="np.linalg.det(zA)",
    ),
    adjoint=False,
)
for_complex(
    General(
        "np.linalg.slogdet(a)",
        jvp=[slogdet_dot],
        vjp=[slogdet_a],
        results=("sign", "logabsdet"),
        at="np.linalg.slogdet(zA)",
    )
)
