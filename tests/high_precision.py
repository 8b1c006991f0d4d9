"""The functions of the table in arithmetic of forty digits: a second reference where the complex step is none.

Most functions of NumPy run on arrays of objects, so they are their own definition there. `DEFINITIONS` has the others,
written with mpmath as a handbook does (DLMF; for SciPy its documentation): functions, never derivatives. Signs that
LAPACK is free to choose are those of the result in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import scipy.linalg

MP = mpmath.mp.clone()
MP.dps = 40
Real: Any = MP.mpf
STEP = Real(10) ** -13  # the error of central differences is the square of it
WIDE = Real(10) ** -10  # of second differences

SAME = ("sin", "cos", "tan", "exp", "log", "sqrt", "hypot", "sinh", "cosh", "tanh", "expm1", "log1p", "log10")
UFUNCS = {n: getattr(MP, n) for n in SAME} | {
    f"arc{n}": getattr(MP, f"a{n}") for n in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")
}
UFUNCS |= {"exp2": lambda x: MP.mpf(2) ** x, "log2": lambda x: MP.log(x, 2), "rint": MP.nint}
for _name, _function in UFUNCS.items():  # np.sin of an object calls its method `sin`
    for _kind in (Real, MP.mpc):
        setattr(_kind, _name, lambda self, *others, of=_function: of(self, *others))


def precise(value: Any) -> Any:
    """Floats and complex numbers with forty digits; integers and all else stay."""
    if isinstance(value, list | tuple):
        return type(value)(precise(v) for v in value)
    if isinstance(value, float | complex):
        return MP.convert(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        numbers = np.empty(value.size, object)
        numbers[:] = [MP.convert(x.item()) for x in value.reshape(-1)]
        return numbers.reshape(value.shape)
    return value


def rounded(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(rounded(v) for v in value)
    return np.asarray(value, float)[()] if isinstance(value, np.ndarray | Real) else value


# ---------------------------------------------------------------- numbers


def each(f: Callable[..., Any], count: int, results: int = 1) -> Any:
    """A function of numbers as one of arrays. Its methods are those of a ufunc."""
    return np.frompyfunc(f, count, results, identity=None)  # None: over several axes, too


def truncated(x: Any) -> Any:
    return MP.floor(x) if x >= 0 else MP.ceil(x)


def fmod(x: Any, y: Any) -> Any:
    return x - y * truncated(x / y)


def logaddexp2(x: Any, y: Any) -> Any:
    return MP.log(MP.mpf(2) ** x + MP.mpf(2) ** y, 2)


def copysign(x: Any, y: Any) -> Any:
    return abs(x) * (1 if y >= 0 else -1)


def heaviside(x: Any, h: Any) -> Any:
    return h if x == 0 else Real(int(x > 0))


def divided(x: Any, y: Any) -> tuple[Any, Any]:
    quotient = MP.floor(x / y)
    return quotient, x - y * quotient


def length(*numbers: Any) -> Any:
    return MP.sqrt(sum(x**2 for x in numbers))


MATH: dict[str, Any] = {
    "fabs": abs,
    "pow": MP.power,
    "fmod": fmod,
    "copysign": copysign,
    "modf": lambda x: (x - truncated(x), truncated(x)),
    "nextafter": lambda x, y: x,
    "lgamma": lambda x: MP.log(abs(MP.gamma(x))),
    "remainder": lambda x, y: x - y * MP.nint(x / y),
    "hypot": length,
    "dist": lambda p, q: length(*(a - b for a, b in zip(p, q, strict=True))),
    "log2": lambda x: MP.log(x, 2),
    "exp2": lambda x: MP.mpf(2) ** x,
    "log10": MP.log10,
    "cbrt": lambda x: MP.cbrt(abs(x)) * MP.sign(x),
} | {
    n: getattr(MP, n)
    for n in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        *("exp", "expm1", "log", "log1p", "sqrt", "degrees", "radians", "erf", "erfc", "gamma"),
        *("ldexp", "frexp", "fsum"),
    )
}

# ---------------------------------------------------------------- special functions


def multigammaln(a: Any, d: int) -> Any:
    return MP.log(MP.pi) * d * (d - 1) / 4 + sum(MP.loggamma(a - Real(j) / 2) for j in range(d))


def betainc(a: Any, b: Any, x: Any) -> Any:
    return MP.betainc(a, b, 0, x, regularized=True)


def inverse_of(f: Callable[..., Any], guess: str) -> Callable[..., Any]:
    """The root of f(..., x) = y in x, from SciPy's."""

    def found(*args: Any) -> Any:
        *numbers, y = args
        near = Real(float(getattr(scipy.special, guess)(*(float(v) for v in numbers), float(y))))
        return MP.findroot(lambda x: f(*numbers, x) - y, (near, near * (1 + STEP)))

    return found


def owens_t(x: Any, a: Any) -> Any:
    return MP.quad(lambda t: MP.exp(-(x**2) * (1 + t**2) / 2) / (1 + t**2), [0, a]) / (2 * MP.pi)


def huber(d: Any, r: Any) -> Any:
    return r**2 / 2 if abs(r) <= d else d * (abs(r) - d / 2)


def box(power: Any, x: Any) -> Any:
    return MP.log(x) if power == 0 else (MP.power(x, power) - 1) / power


def logsumexp(a: Any, axis: Any = None, b: Any = 1, keepdims: bool = False) -> Any:
    return each(MP.log, 1)(np.sum(b * each(MP.exp, 1)(a), axis=axis, keepdims=keepdims))


def softmax(x: Any, axis: Any = None) -> Any:
    weights = each(MP.exp, 1)(x)
    return weights / np.sum(weights, axis=axis, keepdims=True)


def spherical(f: Callable[..., Any], sign: int, scale: Any = 1) -> Callable[..., Any]:
    """DLMF 10.47; the derivative by 10.51.2 and 10.51.5, with the sign that the kind has there."""

    def value(n: Any, z: Any) -> Any:
        return scale * MP.sqrt(MP.pi / (2 * z)) * f(n + Real(1) / 2, z)

    def result(n: Any, z: Any, derivative: bool = False) -> Any:
        if not derivative:
            return each(lambda x: value(n, x), 1)(z)
        return each(lambda x: n / x * value(n, x) + sign * value(n + 1, x), 1)(z)

    return result


def gammainc(a: Any, x: Any) -> Any:
    return MP.gammainc(a, 0, x, regularized=True)


def stdtr(df: Any, t: Any) -> Any:
    """DLMF has no name for it; Abramowitz and Stegun 26.7.1."""
    tail = MP.betainc(df / 2, Real(1) / 2, 0, df / (df + t**2), regularized=True) / 2
    return tail if t < 0 else 1 - tail


def comb(n: Any, k: Any) -> Any:
    return MP.binomial(n, k) if 0 <= k <= n else Real(0)


BESSEL = {"j": MP.besselj, "y": MP.bessely, "i": MP.besseli, "k": MP.besselk}
SPECIAL: dict[str, Any] = {
    "polygamma": each(MP.polygamma, 2),
    "multigammaln": each(multigammaln, 2),
    "beta": each(MP.beta, 2),
    "betaln": each(lambda a, b: MP.log(abs(MP.beta(a, b))), 2),
    "binom": each(MP.binomial, 2),
    "poch": each(MP.rf, 2),
    "factorial": each(lambda n: MP.factorial(n) if n >= 0 else Real(0), 1),
    "comb": each(comb, 2),
    "gammainc": each(gammainc, 2),
    "gammaincc": each(lambda a, x: MP.gammainc(a, x, MP.inf, regularized=True), 2),
    "betainc": each(betainc, 3),
    "betaincc": each(lambda a, b, x: 1 - betainc(a, b, x), 3),
    "betaincinv": each(inverse_of(betainc, "betaincinv"), 3),
    "betainccinv": each(inverse_of(lambda a, b, x: 1 - betainc(a, b, x), "betainccinv"), 3),
    "gammaincinv": each(inverse_of(gammainc, "gammaincinv"), 2),
    "gammainccinv": each(inverse_of(lambda a, x: 1 - gammainc(a, x), "gammainccinv"), 2),
    "gammaln": each(lambda x: MP.log(abs(MP.gamma(x))), 1),
    "erfinv": each(MP.erfinv, 1),
    "erfcinv": each(lambda x: MP.erfinv(1 - x), 1),
    "ndtri": each(lambda p: MP.sqrt(2) * MP.erfinv(2 * p - 1), 1),
    "ndtri_exp": each(lambda y: MP.sqrt(2) * MP.erfinv(2 * MP.exp(y) - 1), 1),
    "expit": each(lambda x: 1 / (1 + MP.exp(-x)), 1),
    "logit": each(lambda p: MP.log(p / (1 - p)), 1),
    "log_expit": each(lambda x: -MP.log(1 + MP.exp(-x)), 1),
    "entr": each(lambda x: -x * MP.log(x), 1),
    "xlogy": each(lambda x, y: x * MP.log(y), 2),
    "xlog1py": each(lambda x, y: x * MP.log(1 + y), 2),
    "wrightomega": each(lambda x: MP.re(MP.lambertw(MP.exp(x))), 1),
    "spence": each(lambda x: MP.re(MP.polylog(2, 1 - x)), 1),
    "gamma": each(MP.gamma, 1),
    "rgamma": each(MP.rgamma, 1),
    "loggamma": each(MP.loggamma, 1),
    "digamma": each(MP.digamma, 1),
    "erf": each(MP.erf, 1),
    "erfc": each(MP.erfc, 1),
    "erfi": each(MP.erfi, 1),
    "erfcx": each(lambda x: MP.exp(x**2) * MP.erfc(x), 1),
    "dawsn": each(lambda x: MP.sqrt(MP.pi) / 2 * MP.exp(-(x**2)) * MP.erfi(x), 1),
    "ndtr": each(MP.ncdf, 1),
    "log_ndtr": each(lambda x: MP.log(MP.ncdf(x)), 1),
    "exp1": each(MP.e1, 1),
    "expm1": each(MP.expm1, 1),
    "log1p": each(MP.log1p, 1),
    "cbrt": each(lambda x: MP.cbrt(abs(x)) * MP.sign(x), 1),
    "exp10": each(lambda x: MP.power(10, x), 1),
    "exp2": each(lambda x: MP.power(2, x), 1),
    "cosm1": each(lambda x: MP.cos(x) - 1, 1),
    "exprel": each(lambda x: MP.expm1(x) / x, 1),
    "inv_boxcox": each(lambda y, power: MP.exp(y) if power == 0 else MP.power(power * y + 1, 1 / power), 2),
    "inv_boxcox1p": each(lambda y, power: MP.expm1(y) if power == 0 else MP.power(power * y + 1, 1 / power) - 1, 2),
    "sindg": each(lambda x: MP.sin(MP.radians(x)), 1),
    "cosdg": each(lambda x: MP.cos(MP.radians(x)), 1),
    "tandg": each(lambda x: MP.tan(MP.radians(x)), 1),
    "cotdg": each(lambda x: MP.cot(MP.radians(x)), 1),
    "elliprd": each(MP.elliprd, 3),
    "ellipk": each(MP.ellipk, 1),
    "ellipkm1": each(lambda p: MP.ellipk(1 - p), 1),
    "ellipe": each(MP.ellipe, 1),
    "ellipkinc": each(MP.ellipf, 2),
    "ellipeinc": each(MP.ellipe, 2),
    "stdtr": each(stdtr, 2),
    "stdtrit": each(inverse_of(stdtr, "stdtrit"), 2),
    "chdtr": each(lambda v, x: gammainc(v / 2, x / 2), 2),
    "chdtrc": each(lambda v, x: 1 - gammainc(v / 2, x / 2), 2),
    "zeta": each(MP.zeta, 2),
    "owens_t": each(owens_t, 2),
    "rel_entr": each(lambda x, y: x * MP.log(x / y), 2),
    "kl_div": each(lambda x, y: x * MP.log(x / y) - x + y, 2),
    "huber": each(huber, 2),
    "pseudo_huber": each(lambda d, r: d**2 * (MP.sqrt(1 + (r / d) ** 2) - 1), 2),
    "logsumexp": logsumexp,
    "softmax": softmax,
    "log_softmax": lambda x, axis=None: each(MP.log, 1)(softmax(x, axis)),
    "powm1": each(lambda x, y: MP.power(x, y) - 1, 2),
    "boxcox": each(lambda x, power: box(power, x), 2),
    "boxcox1p": each(lambda x, power: box(power, 1 + x), 2),
    "radian": each(lambda d, m, s: MP.radians(d + m / Real(60) + s / 3600), 3),
    "jv": each(MP.besselj, 2),
    "jve": each(MP.besselj, 2),
    "yv": each(MP.bessely, 2),
    "yve": each(MP.bessely, 2),
    "yn": each(MP.bessely, 2),
    **{f"{k}{n}": each(lambda z, n=n, f=f: f(n, z), 1) for k, f in BESSEL.items() for n in (0, 1)},
    **{f"i{n}e": each(lambda z, n=n: MP.besseli(n, z) * MP.exp(-abs(z)), 1) for n in (0, 1)},
    **{f"k{n}e": each(lambda z, n=n: MP.besselk(n, z) * MP.exp(z), 1) for n in (0, 1)},
    "iv": each(MP.besseli, 2),
    "ive": each(lambda n, z: MP.besseli(n, z) * MP.exp(-abs(z)), 2),
    "kv": each(MP.besselk, 2),
    "kve": each(lambda n, z: MP.besselk(n, z) * MP.exp(z), 2),
    "kn": each(MP.besselk, 2),
    "struve": each(MP.struveh, 2),
    "modstruve": each(MP.struvel, 2),
    "spherical_jn": spherical(MP.besselj, -1),
    "spherical_yn": spherical(MP.bessely, -1),
    "spherical_in": spherical(MP.besseli, 1),
    "spherical_kn": spherical(MP.besselk, -1),
    "airy": each(lambda z: (MP.airyai(z), MP.airyai(z, 1), MP.airybi(z), MP.airybi(z, 1)), 1, 4),
    "expi": each(MP.ei, 1),
    "expn": each(MP.expint, 2),
    "sici": each(lambda x: (MP.si(x), MP.ci(x)), 1, 2),
    "shichi": each(lambda x: (MP.shi(x), MP.chi(x)), 1, 2),
    "fresnel": each(lambda x: (MP.fresnels(x), MP.fresnelc(x)), 1, 2),
    "hyp0f1": each(MP.hyp0f1, 2),
    "hyp1f1": each(MP.hyp1f1, 3),
    "hyperu": each(MP.hyperu, 3),
    "hyp2f1": each(MP.hyp2f1, 4),
    "eval_legendre": each(MP.legendre, 2),
    "eval_chebyt": each(MP.chebyt, 2),
    "eval_chebyu": each(MP.chebyu, 2),
    "eval_hermite": each(MP.hermite, 2),
    "eval_hermitenorm": each(lambda n, x: MP.hermite(n, x / MP.sqrt(2)) / MP.sqrt(2) ** n, 2),
    "eval_laguerre": each(lambda n, x: MP.laguerre(n, 0, x), 2),
    "eval_genlaguerre": each(MP.laguerre, 3),
    "eval_gegenbauer": each(MP.gegenbauer, 3),
    "eval_jacobi": each(MP.jacobi, 4),
    "pdtr": each(lambda k, m: MP.gammainc(MP.floor(k) + 1, m, MP.inf, regularized=True), 2),
}

# ---------------------------------------------------------------- densities

DENSITIES: dict[str, Callable[..., Any]] = {
    "norm": MP.npdf,
    "expon": lambda x: MP.exp(-x),
    "laplace": lambda x: MP.exp(-abs(x)) / 2,
    "logistic": lambda x: MP.exp(-x) / (1 + MP.exp(-x)) ** 2,
    "cauchy": lambda x: 1 / (MP.pi * (1 + x**2)),
    "gumbel_r": lambda x: MP.exp(-x - MP.exp(-x)),
    "gamma": lambda x, a: MP.power(x, a - 1) * MP.exp(-x) / MP.gamma(a),
    "beta": lambda x, a, b: MP.power(x, a - 1) * MP.power(1 - x, b - 1) / MP.beta(a, b),
    "t": lambda x, df: (
        MP.gamma((df + 1) / 2) / MP.gamma(df / 2) / MP.sqrt(MP.pi * df) / MP.power(1 + x**2 / df, (df + 1) / 2)
    ),
    "chi2": lambda x, df: MP.power(x, df / 2 - 1) * MP.exp(-x / 2) / MP.power(2, df / 2) / MP.gamma(df / 2),
    "lognorm": lambda x, s: MP.exp(-(MP.log(x) ** 2) / (2 * s**2)) / (s * x * MP.sqrt(2 * MP.pi)),
    "uniform": lambda x: Real(1),
}


def scaled(standard: Callable[..., Any], of: str) -> Callable[..., Any]:
    """A function of a distribution with a location and a scale: its density, what sums that up, or its inverse."""

    def one(x: Any, loc: Any, scale: Any, *shapes: Any) -> Any:
        if of == "ppf":
            return loc + scale * standard(x)
        y = (x - loc) / scale
        value = standard(y, *shapes)
        return {
            "pdf": lambda: value / scale,
            "logpdf": lambda: MP.log(value / scale),
            "log": lambda: MP.log(value),
        }.get(of, lambda: value)()

    def density(x: Any, *shapes: Any, loc: Any = 0, scale: Any = 1) -> Any:
        return each(one, 3 + len(shapes))(x, loc, Real(1) * scale, *shapes)

    return density


STATS: dict[str, Any] = {f"{n}.{of}": scaled(f, of) for n, f in DENSITIES.items() for of in ("pdf", "logpdf")} | {
    "norm.cdf": scaled(MP.ncdf, "cdf"),
    "norm.sf": scaled(lambda y: MP.ncdf(-y), "cdf"),
    "norm.logcdf": scaled(MP.ncdf, "log"),
    "norm.logsf": scaled(lambda y: MP.ncdf(-y), "log"),
    "norm.ppf": scaled(lambda q: MP.sqrt(2) * MP.erfinv(2 * q - 1), "ppf"),
    "poisson.logpmf": each(lambda k, mu: k * MP.log(mu) - mu - MP.loggamma(k + 1), 2),
    "bernoulli.logpmf": each(lambda k, p: MP.log(p if k else 1 - p), 2),
    "binom.logpmf": each(
        lambda k, n, p: MP.log(MP.binomial(int(n), int(k))) + k * MP.log(p) + (n - k) * MP.log(1 - p), 3
    ),
}

# ---------------------------------------------------------------- matrices


def matrix(a: Any) -> Any:
    return MP.matrix(np.asarray(a).tolist())


def array(m: Any) -> np.ndarray:
    return np.array(m.tolist(), object).reshape(m.rows, m.cols)


def transposed(a: Any) -> Any:
    return np.swapaxes(a, -1, -2)


def stacked(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one matrix for stacks of them."""

    def result(a: Any, *more: Any, **options: Any) -> Any:
        if np.ndim(a) == 2:
            return f(a, *more, **options)
        found = [result(item, *more, **options) for item in a]
        if isinstance(found[0], tuple):
            return tuple(np.array([one[i] for one in found], object) for i in range(len(found[0])))
        return np.array(found, object)

    return result


def solve(a: Any, b: Any) -> Any:
    """The solution of a square system for one or several right-hand sides, or of a stack of them."""
    if max(np.ndim(a), np.ndim(b)) > 2:
        stack = np.broadcast_shapes(np.shape(a)[:-2], np.shape(b)[:-2])
        pairs = [np.broadcast_to(x, stack + np.shape(x)[-2:]) for x in (a, b)]
        return np.array([solve(*pair) for pair in zip(*pairs, strict=True)], object)
    columns = np.reshape(b, (len(b), -1)).T
    found = [array(MP.lu_solve(matrix(a), matrix(c)))[:, 0] for c in columns]
    return np.reshape(np.array(found, object).T, np.shape(b))


def signs_of(like: Any, found: Any, axis: int) -> Any:
    """The factor 1 or -1 for each column (axis 0) or row that turns one result into the other."""
    return np.where(np.sum(np.asarray(like, float) * np.asarray(found, float), axis=axis) < 0.0, -1, 1)


def symmetric(a: Any, uplo: str) -> Any:
    half = np.tril(a) if uplo == "L" else np.triu(a).T
    return half + np.tril(half, -1).T


@stacked
def eigh(a: Any, UPLO: str = "L") -> tuple[Any, Any]:
    values, vectors = MP.eigsy(matrix(symmetric(a, UPLO)))
    v = array(vectors)
    return array(values)[:, 0], v * signs_of(np.linalg.eigh(rounded(a), UPLO)[1], v, 0)


@stacked
def eig(a: Any) -> tuple[Any, Any]:
    """Of matrices whose eigenvalues are real; in LAPACK's order."""
    values, right = MP.eig(matrix(a))
    w, v = np.array([MP.re(x) for x in values], object), each(MP.re, 1)(array(right))
    like_w, like_v = np.linalg.eig(rounded(a))
    order = np.argsort(np.asarray(w, float))[np.argsort(np.argsort(like_w))]
    v = (v / np.sqrt(np.sum(v**2, axis=0)))[:, order]
    return w[order], v * signs_of(like_v, v, 0)


@stacked
def svd_of(a: Any) -> tuple[Any, Any, Any]:
    u, s, vt = MP.svd_r(matrix(a))
    like, _, _ = np.linalg.svd(rounded(a), full_matrices=False)
    signs = signs_of(like, array(u), 0)
    return array(u) * signs, array(s)[:, 0], array(vt) * signs[:, None]


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    return svd_of(a) if compute_uv else svd_of(a)[1]


@stacked
def qr(a: Any, mode: str = "reduced") -> Any:
    q = array(MP.qr(matrix(a[:, : len(a)]), mode="skinny")[0])
    r = np.triu(q.T @ a)
    signs = signs_of(np.linalg.qr(rounded(a)).R, r, 1)
    return r * signs[:, None] if mode == "r" else (q * signs, r * signs[:, None])


@stacked
def cholesky(a: Any, upper: bool = False) -> Any:
    lower = array(MP.cholesky(matrix(symmetric(a, "U" if upper else "L"))))
    return lower.T if upper else lower


@stacked
def pinv(a: Any, rcond: Any = None, rtol: Any = None) -> Any:
    """Of matrices of full rank."""
    return solve(a.T @ a, a.T) if a.shape[0] >= a.shape[1] else solve(a @ a.T, a).T


def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Any, Any, int, Any]:
    x = pinv(a) @ b
    rest = np.atleast_1d(np.sum((a @ x - b) ** 2, axis=0)) if a.shape[0] > a.shape[1] else np.zeros(0)
    return x, rest, min(a.shape), svd_of(a)[1]


@stacked
def slogdet(a: Any) -> tuple[Any, Any]:
    value = MP.det(matrix(a))
    return (1 if value > 0 else -1), MP.log(abs(value))


def singular_sum(a: Any, ord: Any) -> Any:
    s = svd_of(a)[1]
    return {"nuc": lambda: np.sum(s, axis=-1), 2: lambda: s[..., 0], -2: lambda: s[..., -1]}[ord]()


def matrix_norm(x: Any, ord: Any = "fro", keepdims: bool = False) -> Any:
    if ord not in ("nuc", 2, -2):
        return np.linalg.matrix_norm(x, ord=ord, keepdims=keepdims)
    value = singular_sum(x, ord)
    return np.expand_dims(value, (-2, -1)) if keepdims else value


def of_vectors(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    sizes = abs(x)
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(sizes, axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum(sizes != 0, axis=axis, keepdims=keepdims)
    return np.sum(sizes ** Real(ord), axis=axis, keepdims=keepdims) ** (1 / Real(ord))


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    of_matrix = isinstance(axis, tuple) or (axis is None and np.ndim(x) == 2)
    if ord in (None, "fro") or not of_matrix:
        return of_vectors(x, 2 if ord in (None, "fro") else ord, axis, keepdims)
    if ord not in ("nuc", 2, -2):
        return np.linalg.norm(x, ord, axis, keepdims)
    axis = axis or (0, 1)
    value = singular_sum(np.moveaxis(x, axis, (-2, -1)), ord)
    return np.expand_dims(value, axis) if keepdims else value


def cond(x: Any, p: Any = None) -> Any:
    if p in (None, 2, -2):
        s = svd_of(x)[1]
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return matrix_norm(x, p) * matrix_norm(inv(x), p)


def scipy_cholesky(a: Any, lower: bool = False) -> Any:
    return cholesky(a, not lower)


def cho_factor(a: Any, lower: bool = False) -> tuple[Any, bool]:
    """Below or above the factor the matrix itself stays."""
    factor = scipy_cholesky(a, lower)
    return (np.tril(factor) + np.triu(a, 1) if lower else np.triu(factor) + np.tril(a, -1)), lower


def cho_solve(pair: Any, b: Any) -> Any:
    c, lower = pair
    half = np.tril(c) if lower else np.triu(c).T
    return solve(half.T, solve(half, b))


def lu_factor(a: Any) -> tuple[Any, Any]:
    """With LAPACK's choice of pivots."""
    _, pivots = scipy.linalg.lu_factor(rounded(a))
    lu = a.copy()
    for k, p in enumerate(pivots):
        lu[[k, p]] = lu[[p, k]]
        lu[k + 1 :, k] = lu[k + 1 :, k] / lu[k, k]
        lu[k + 1 :, k + 1 :] = lu[k + 1 :, k + 1 :] - np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots


def lu_solve(pair: Any, b: Any, trans: int = 0) -> Any:
    lu, pivots = pair
    order = np.arange(len(lu))
    for k, p in enumerate(pivots):
        order[[k, p]] = order[[p, k]]
    product = (np.tril(lu, -1) + np.eye(len(lu), dtype=int)) @ np.triu(lu)
    a = product[np.argsort(order)]
    return solve(a.T if trans else a, b)


def solve_general(
    a: Any, b: Any, lower: bool = False, assume_a: str = "gen", transposed: bool = False, **more: Any
) -> Any:
    if assume_a in ("sym", "her", "pos"):
        a = symmetric(a, "L" if lower else "U")
    elif assume_a != "gen":
        raise NotImplementedError(assume_a)
    return solve(a.T if transposed else a, b)


def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    a = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        a = a - np.diag(np.diag(a)) + np.eye(len(a), dtype=int)
    return solve(a.T if trans in (1, "T", 2, "C") else a, b)


def scipy_eigh(a: Any, lower: bool = True, eigvals_only: bool = False, driver: Any = None) -> Any:
    w, v = eigh(a, "L" if lower else "U")
    if eigvals_only:
        return w
    return w, v * signs_of(scipy.linalg.eigh(rounded(a), lower=lower, driver=driver)[1], v, 0)


def scipy_svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    if not compute_uv:
        return svd_of(a)[1]
    u, s, vt = svd_of(a)
    signs = signs_of(scipy.linalg.svd(rounded(a), full_matrices=False)[0], u, 0)
    return u * signs, s, vt * signs[:, None]


def sylvester(left: Any, right: Any, q: Any) -> Any:
    """X of left X + X right = q, as one system of linear equations."""
    m, n = np.shape(q)
    system = np.kron(left, np.eye(n, dtype=int)) + np.kron(np.eye(m, dtype=int), right.T)
    return np.reshape(solve(system, np.reshape(q, -1)), (m, n))


def discrete_lyapunov(a: Any, q: Any) -> Any:
    n = len(a)
    return np.reshape(solve(np.eye(n * n, dtype=int) - np.kron(a, a), np.reshape(q, -1)), (n, n))


def expm_frechet(a: Any, e: Any, compute_expm: bool = True) -> Any:
    """A block of the exponential of a matrix twice as large (Higham, Functions of Matrices, 3.16)."""
    n = len(a)
    both = array(MP.expm(matrix(np.block([[a, e], [np.zeros((n, n), int), a]]))))
    return (both[:n, :n], both[:n, n:]) if compute_expm else both[:n, n:]


def solve_banded(bands: tuple[int, int], ab: Any, b: Any) -> Any:
    n = ab.shape[1]
    a = np.zeros((n, n), object)
    for i in range(n):
        for j in range(max(0, i - bands[0]), min(n, i + bands[1] + 1)):
            a[i, j] = ab[bands[1] + i - j, j]
    return solve(a, b)


def det(a: Any) -> Any:
    return MP.det(matrix(a))


def inv(a: Any) -> Any:
    return solve(a, np.eye(np.shape(a)[-1], dtype=int))


def tensorinv(a: Any, ind: int = 2) -> Any:
    rows, columns = a.shape[:ind], a.shape[ind:]
    return np.reshape(inv(np.reshape(a, (int(np.prod(rows)), -1))), columns + rows)


def tensorsolve(a: Any, b: Any) -> Any:
    columns = a.shape[np.ndim(b) :]
    return np.reshape(solve(np.reshape(a, (np.size(b), -1)), np.reshape(b, -1)), columns)


LINALG: dict[str, Any] = {
    "numpy.linalg.solve": solve,
    "numpy.linalg.inv": inv,
    "numpy.linalg.det": det,
    "numpy.linalg.tensorinv": tensorinv,
    "numpy.linalg.tensorsolve": tensorsolve,
    "numpy.linalg.cholesky": cholesky,
    "numpy.linalg.eigh": eigh,
    "numpy.linalg.eigvalsh": lambda a, UPLO="L": eigh(a, UPLO)[0],
    "numpy.linalg.eig": eig,
    "numpy.linalg.eigvals": lambda a: eig(a)[0],
    "numpy.linalg.svd": svd,
    "numpy.linalg.svdvals": lambda a: svd_of(a)[1],
    "numpy.linalg.qr": qr,
    "numpy.linalg.lstsq": lstsq,
    "numpy.linalg.pinv": pinv,
    "numpy.linalg.slogdet": slogdet,
    "numpy.linalg.norm": norm,
    "numpy.linalg.vector_norm": lambda x, axis=None, keepdims=False, ord=2: of_vectors(x, ord, axis, keepdims),
    "numpy.linalg.matrix_norm": matrix_norm,
    "numpy.linalg.cond": cond,
    "scipy.linalg.solve": solve_general,
    "scipy.linalg.solve_triangular": solve_triangular,
    "scipy.linalg.inv": inv,
    "scipy.linalg.det": det,
    "scipy.linalg.pinv": pinv,
    "scipy.linalg.norm": norm,
    "scipy.linalg.cholesky": scipy_cholesky,
    "scipy.linalg.cho_factor": cho_factor,
    "scipy.linalg.cho_solve": cho_solve,
    "scipy.linalg.lu_factor": lu_factor,
    "scipy.linalg.lu_solve": lu_solve,
    "scipy.linalg.eigh": scipy_eigh,
    "scipy.linalg.eigvalsh": lambda a, lower=True: eigh(a, "L" if lower else "U")[0],
    "scipy.linalg.svd": scipy_svd,
    "scipy.linalg.svdvals": lambda a: svd_of(a)[1],
    "scipy.linalg.qr": lambda a, mode="full": qr(a),
    "scipy.linalg.expm": lambda a: array(MP.expm(matrix(a))),
    "scipy.linalg.expm_frechet": expm_frechet,
    "scipy.linalg.logm": lambda a: each(MP.re, 1)(array(MP.logm(matrix(a)))),
    "scipy.linalg.sqrtm": lambda a: array(MP.sqrtm(matrix(a))),
    "scipy.linalg.solve_sylvester": sylvester,
    "scipy.linalg.solve_continuous_lyapunov": lambda a, q: sylvester(a, a.T, q),
    "scipy.linalg.solve_discrete_lyapunov": discrete_lyapunov,
    "scipy.linalg.solve_banded": solve_banded,
    "scipy.sparse.linalg.spsolve": lambda a, b: solve(precise(a.toarray()), b),
}

# ---------------------------------------------------------------- the rest of NumPy


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True) -> Any:
    logs = [np.asarray(each(MP.log, 1)(precise(x)), object) for x in (start, stop)]
    steps = num - 1 if endpoint else num
    return each(MP.exp, 1)(np.stack([logs[0] + (logs[1] - logs[0]) * i / steps for i in range(num)]))


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    def one(x: Any) -> Any:
        if x < xp[0]:
            return fp[0] if left is None else left
        if x > xp[-1]:
            return fp[-1] if right is None else right
        k = min(int(np.sum(xp <= x)) - 1, len(xp) - 2)
        return fp[k] + (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k]) * (x - xp[k])

    return each(one, 1)(x)


def polyfit(x: Any, y: Any, deg: int, w: Any = None) -> Any:
    columns = np.stack([x**n for n in range(deg, -1, -1)], axis=-1)
    weights = np.ones(len(x), int) if w is None else w
    return lstsq(columns * weights[:, None], (y.T * weights).T)[0]


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Any:
    rows = [np.atleast_2d(a) if rowvar or np.ndim(a) == 1 else a.T for a in (m, y) if a is not None]
    x = np.concatenate(rows)
    f = np.ones(x.shape[1], int) if fweights is None else fweights
    w = f if aweights is None else f * aweights
    ddof = (0 if bias else 1) if ddof is None else ddof
    total = np.sum(w)
    rest = x - (np.sum(x * w, axis=1) / (total * Real(1)))[:, None]
    lost = ddof if aweights is None else ddof * np.sum(w * aweights) / total
    found = (rest * w) @ rest.T / (total - lost)
    return found if found.size > 1 else found[0, 0]


def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Any:
    c = cov(x, y, rowvar)
    d = np.sqrt(np.diag(c))
    return c / d / d[:, None]


def polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    """Long division of polynomials."""
    rest, quotient = np.array(u), []
    for k in range(max(len(u) - len(v) + 1, 1) if len(u) >= len(v) else 0):
        factor = rest[k] / v[0]
        quotient.append(factor)
        rest[k : k + len(v)] = rest[k : k + len(v)] - factor * v
    return np.array(quotient, object), rest[len(quotient) :]


def bincount(x: Any, weights: Any, minlength: int = 0) -> Any:
    return np.array([np.sum(weights[x == i]) + Real(0) for i in range(max(minlength, np.max(x) + 1))], object)


def deviation(root: bool) -> Callable[..., Any]:
    """np.var, or its root, of the elements that are numbers."""

    def result(
        x: Any, axis: Any = None, ddof: Any = 0, keepdims: bool = False, where: Any = True, correction: Any = 0
    ) -> Any:
        there = np.broadcast_to(where, x.shape) & (x == x)
        kept = np.where(there, x, 0)
        count = np.sum(there, axis=axis, keepdims=True) * Real(1)
        rest = np.where(there, x - np.sum(kept, axis=axis, keepdims=True) / count, 0)
        lost = ddof + correction
        found = np.sum(rest**2, axis=axis, keepdims=True) / (count - lost)
        found = np.sqrt(found) if root else found
        return found if keepdims else found.reshape(np.sum(there, axis=axis).shape)[()]

    return result


def gradient(f: Any, *spacings: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Differences of first or second order at points that are given, or evenly apart."""
    axes = range(np.ndim(f)) if axis is None else (axis,) if isinstance(axis, int) else axis
    given = spacings * len(axes) if len(spacings) == 1 else spacings or (1,) * len(axes)
    found = [np.moveaxis(along(np.moveaxis(f, k, 0), h, edge_order), 0, k) for k, h in zip(axes, given, strict=True)]
    return found[0] if len(found) == 1 else tuple(found)


def along(f: Any, spacing: Any, edge_order: int) -> Any:
    n = len(f)
    x = spacing if np.ndim(spacing) else np.arange(n) * (spacing * Real(1))
    result = np.empty(f.shape, object)
    for i in range(n):  # the slope at x[i] of the polynomial through its neighbours
        inner = (
            range(i - 1, i + 2) if 0 < i < n - 1 else range(edge_order + 1) if i == 0 else range(n - 1 - edge_order, n)
        )
        result[i] = sum(f[j] * lagrange_slope(x, list(inner), j, i) for j in inner)
    return result


def lagrange_slope(x: Any, nodes: list[int], j: int, at: int) -> Any:
    total = Real(0)
    for k in nodes:
        if k != j:
            term = 1 / (x[j] - x[k])
            for m in nodes:
                if m not in (j, k):
                    term = term * (x[at] - x[m]) / (x[j] - x[m])
            total += term
    return total


def i0(x: Any) -> Any:
    return MP.besseli(0, x)


def kaiser(m: int, beta: Any) -> Any:
    return np.array([i0(beta * MP.sqrt(1 - (Real(2) * n / (m - 1) - 1) ** 2)) / i0(beta) for n in range(m)], object)


LOGADDEXP = each(lambda x, y: MP.log(MP.exp(x) + MP.exp(y)), 2)
PAIRS: dict[str, Any] = {
    "logaddexp": LOGADDEXP,
    "logaddexp2": each(logaddexp2, 2),
    "copysign": each(copysign, 2),
    "heaviside": each(heaviside, 2),
    "fmod": each(fmod, 2),
    "float_power": each(MP.power, 2),
    "hypot": each(MP.hypot, 2),
}
NUMPY: dict[str, Any] = {
    "ldexp": each(lambda x, n: MP.ldexp(x, int(n)), 2),
    "divmod": each(divided, 2, 2),
    "geomspace": geomspace,
    "interp": interp,
    "polyfit": polyfit,
    "polydiv": polydiv,
    "sinc": each(lambda x: MP.sin(MP.pi * x) / (MP.pi * x), 1),
    "cov": cov,
    "corrcoef": corrcoef,
    "bincount": bincount,
    "var": deviation(False),
    "nanvar": deviation(False),
    "std": deviation(True),
    "nanstd": deviation(True),
    "gradient": gradient,
    "i0": each(i0, 1),
    "kaiser": kaiser,
    "cbrt": each(lambda x: MP.cbrt(abs(x)) * MP.sign(x), 1),
    "fabs": each(abs, 1),
    "modf": each(MATH["modf"], 1, 2),
    "frexp": each(MP.frexp, 1, 2),
    "nextafter": each(MATH["nextafter"], 2),
    "deg2rad": each(MP.radians, 1),
    "radians": each(MP.radians, 1),
    "rad2deg": each(MP.degrees, 1),
    "degrees": each(MP.degrees, 1),
    **dict.fromkeys(("float64", "float32", "longdouble"), each(lambda x: x, 1)),
    "astype": lambda x, dtype: x,
    "full_like": lambda a, fill_value, dtype=None: np.full_like(a, fill_value, dtype=object),
    **PAIRS,
    **{f"{n}.{m}": getattr(f, m) for n, f in PAIRS.items() for m in ("reduce", "outer", "accumulate")},
}

DEFINITIONS: dict[str, Any] = (
    LINALG
    | {f"numpy.{n}": f for n, f in NUMPY.items()}
    | {f"math.{n}": f for n, f in MATH.items()}
    | {f"scipy.special.{n}": f for n, f in SPECIAL.items()}
    | {f"scipy.stats.{n}": f for n, f in STATS.items()}
    | {"builtins.float": lambda x: x, "builtins.divmod": divided, "copy.deepcopy": lambda x: x}
)
