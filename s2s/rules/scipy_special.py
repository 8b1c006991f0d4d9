"""scipy.special. Formulas: NIST Digital Library of Mathematical Functions; chapters 5 (gamma), 6 and 7 (exponential
integrals, error functions), 8 (incomplete gamma and beta), 10 (Bessel), 15, 13, 16 (hypergeometric), 18 (polynomials),
19 (elliptic integrals).

Orders and shape parameters whose derivative is no function of SciPy are closed: a call in which one of them is active
is refused. 0 log 0 and its kin have the derivative 0 in the argument of the logarithm.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.rules.kinds import ALIASES, HOLOMORPHIC, Elementwise, constant, elementwise, for_complex, general, reduction
from s2s.rules.shaping import given
from s2s.rules.tracing import call, h, literal, pi, pick
from s2s.rules.tracing import special as sp

POSITIVE = (0.3, 2.5)
UNIT = (0.1, 0.9)
ORDER = "the derivative in the order is not a function of SciPy"
SHAPE = "the derivative in this parameter is not a function of SciPy"
N = {"n": ORDER}
V = {"v": ORDER}


def root(x: Any) -> Any:
    return call("math.sqrt", x)


def gauss(x: Any) -> Any:
    """The density of the standard normal distribution."""
    return np.exp(-0.5 * x**2) / root(2.0 * pi(x))


def ratio(x: Any, y: Any) -> Any:
    """x / y, and 0 where x is 0."""
    return x / (y + (x == 0.0) * (y == 0.0))


# ---------------------------------------------------------------- gamma and beta

elementwise("sp.special.gamma(x)", lambda g, x, out: out * sp.digamma(x) * g, domain=POSITIVE)
elementwise("sp.special.gammaln(x)", lambda g, x: sp.digamma(x) * g, domain=POSITIVE)
elementwise("sp.special.loggamma(x)", lambda g, x: sp.digamma(x) * g, domain=POSITIVE)
elementwise("sp.special.rgamma(x)", lambda g, x, out: -out * sp.digamma(x) * g, domain=POSITIVE)
elementwise("sp.special.digamma(x)", lambda g, x: sp.zeta(2.0, x) * g, domain=POSITIVE)
elementwise(
    "sp.special.polygamma(n, x)",
    None,
    lambda g, n, x: sp.polygamma(n + 1, x) * g,
    closed=N,
    at="sp.special.polygamma(1, p); sp.special.polygamma(2, p2); sp.special.polygamma(k, p)",
)
elementwise(
    "sp.special.multigammaln(a, d)",
    lambda g, a, d: np.sum(sp.digamma(np.expand_dims(a, -1) - 0.5 * call("numpy.arange", d, like=a)), axis=-1) * g,
    at="sp.special.multigammaln(4.0 + v, 3); sp.special.multigammaln(4.0 + s, 2)",
)
elementwise(
    "sp.special.beta(a, b)",
    lambda g, a, b, out: out * (sp.digamma(a) - sp.digamma(a + b)) * g,
    lambda g, a, b, out: out * (sp.digamma(b) - sp.digamma(a + b)) * g,
    domain=POSITIVE,
)
elementwise(
    "sp.special.betaln(a, b)",
    lambda g, a, b: (sp.digamma(a) - sp.digamma(a + b)) * g,
    lambda g, a, b: (sp.digamma(b) - sp.digamma(a + b)) * g,
    domain=POSITIVE,
)
elementwise(
    "sp.special.binom(x, y)",
    lambda g, x, y, out: out * (sp.digamma(x + 1.0) - sp.digamma(x - y + 1.0)) * g,
    lambda g, x, y, out: out * (sp.digamma(x - y + 1.0) - sp.digamma(y + 1.0)) * g,
    domain=((3.1, 4.0), (0.3, 2.4)),
)
elementwise(
    "sp.special.poch(z, m)",
    lambda g, z, m, out: out * (sp.digamma(z + m) - sp.digamma(z)) * g,
    lambda g, z, m, out: out * sp.digamma(z + m) * g,
    domain=POSITIVE,
)


def not_negative(x: Any) -> Any:
    """The function and its slope are 0 for negative numbers, where the digamma function has poles."""
    return np.clip(x, 0.0, None)


def uncounted(scope: dict[str, Any]) -> str | None:
    """Exact counts are of whole numbers; those of multisets are another function."""
    for option in ("exact", "repetition"):
        if scope.get(option, False) is not False:
            return f"it is supported with {option}=False only"
    if scope.get("extend", "zero") != "zero":
        return "it is supported with extend='zero' only"
    return None


elementwise(
    "sp.special.factorial(n, exact=False, extend='zero')",
    lambda g, n, out: out * sp.digamma(not_negative(n) + 1.0) * g,
    check=uncounted,
    at="sp.special.factorial(p); sp.special.factorial(s**2); sp.special.factorial(v)",
    analytic=False,
)
elementwise(
    "sp.special.comb(N, k, *, exact=False, repetition=False)",
    lambda g, N, k, out: out * (sp.digamma(not_negative(N) + 1.0) - sp.digamma(not_negative(N - k) + 1.0)) * g,
    lambda g, N, k, out: out * (sp.digamma(not_negative(N - k) + 1.0) - sp.digamma(not_negative(k) + 1.0)) * g,
    check=uncounted,
    at="sp.special.comb(3.0 + p, p2); sp.special.comb(4.5, s**2); sp.special.comb(0.5, 2.0 + p)",
)


def gamma_density(a: Any, x: Any) -> Any:
    return np.exp(sp.xlogy(a - 1.0, x) - x - sp.gammaln(a))


def beta_density(a: Any, b: Any, x: Any) -> Any:
    return np.exp(sp.xlogy(a - 1.0, x) + sp.xlog1py(b - 1.0, -x) - sp.betaln(a, b))


A = {"a": SHAPE}
AB = {"a": SHAPE, "b": SHAPE}
BETA = {"domain": (POSITIVE, POSITIVE, UNIT), "closed": AB}
elementwise(
    "sp.special.gammainc(a, x)",
    None,
    lambda g, a, x: gamma_density(a, x) * g,
    domain=POSITIVE,
    closed=A,
    analytic=False,
)
elementwise("sp.special.gammaincc(a, x)", None, lambda g, a, x: -gamma_density(a, x) * g, domain=POSITIVE, closed=A)
elementwise(
    "sp.special.gammaincinv(a, y)", None, lambda g, a, out: g / gamma_density(a, out), domain=(POSITIVE, UNIT), closed=A
)
elementwise(
    "sp.special.gammainccinv(a, y)",
    None,
    lambda g, a, out: -g / gamma_density(a, out),
    domain=(POSITIVE, UNIT),
    closed=A,
)
elementwise("sp.special.betainc(a, b, x)", None, None, lambda g, a, b, x: beta_density(a, b, x) * g, **BETA)
elementwise("sp.special.betaincc(a, b, x)", None, None, lambda g, a, b, x: -beta_density(a, b, x) * g, **BETA)
elementwise("sp.special.betaincinv(a, b, y)", None, None, lambda g, a, b, out: g / beta_density(a, b, out), **BETA)
elementwise("sp.special.betainccinv(a, b, y)", None, None, lambda g, a, b, out: -g / beta_density(a, b, out), **BETA)
elementwise(
    "sp.special.zeta(x, q=None)",
    None,
    lambda g, x, q: -x * sp.zeta(x + 1.0, q) * g,
    closed={"x": "the derivative of the zeta function in its exponent is not a function of SciPy"},
    at="sp.special.zeta(3, p); sp.special.zeta(1.0 + p, p2)",
)

# ---------------------------------------------------------------- error functions and the normal distribution


def bell(x: Any) -> Any:
    """The derivative of erf."""
    return 2.0 / root(pi(x)) * np.exp(-(x**2))


elementwise("sp.special.erf(x)", lambda g, x: bell(x) * g)
elementwise("sp.special.erfc(x)", lambda g, x: -bell(x) * g)
elementwise("sp.special.erfcx(x)", lambda g, x, out: (2.0 * x * out - 2.0 / root(pi(x))) * g)
elementwise("sp.special.erfi(x)", lambda g, x: 2.0 / root(pi(x)) * np.exp(x**2) * g)
elementwise("sp.special.erfinv(y)", lambda g, y, out: 0.5 * root(pi(y)) * np.exp(out**2) * g, domain=(-0.9, 0.9))
elementwise("sp.special.erfcinv(y)", lambda g, y, out: -0.5 * root(pi(y)) * np.exp(out**2) * g, domain=(0.1, 1.9))
elementwise("sp.special.dawsn(x)", lambda g, x, out: (1.0 - 2.0 * x * out) * g)
elementwise("sp.special.ndtr(x)", lambda g, x: gauss(x) * g)
elementwise(
    "sp.special.log_ndtr(x)", lambda g, x, out: np.exp(-0.5 * x**2 - out) / root(2.0 * pi(x)) * g, domain=(-4.0, 2.0)
)
elementwise("sp.special.ndtri(y)", lambda g, y, out: g / gauss(out), domain=UNIT)
elementwise("sp.special.ndtri_exp(y)", lambda g, y, out: np.exp(y) * g / gauss(out), domain=(-3.0, -0.2))
elementwise(
    "sp.special.owens_t(h, a)",
    lambda g, h, a: -0.5 * gauss(h) * sp.erf(a * h / root(2.0)) * g,
    lambda g, h, a: np.exp(-0.5 * h**2 * (1.0 + a**2)) / (2.0 * pi(a) * (1.0 + a**2)) * g,
)

# ---------------------------------------------------------------- logistic functions, entropies, losses

elementwise("sp.special.expit(x)", lambda g, out: out * (1.0 - out) * g)
elementwise("sp.special.logit(x)", lambda g, x: g / (x * (1.0 - x)), domain=UNIT)
elementwise("sp.special.log_expit(x)", lambda g, x: sp.expit(-x) * g)
elementwise("sp.special.xlogy(x, y)", lambda g, y: np.log(y) * g, lambda g, x, y: ratio(x, y) * g, domain=POSITIVE)
elementwise(
    "sp.special.xlog1py(x, y)",
    lambda g, y: np.log1p(y) * g,
    lambda g, x, y: ratio(x, 1.0 + y) * g,
    domain=POSITIVE,
)
elementwise("sp.special.entr(x)", lambda g, x: -(np.log(x) + 1.0) * g, domain=POSITIVE)
elementwise(
    "sp.special.rel_entr(x, y)",
    lambda g, x, y: (np.log(x / y) + 1.0) * g,
    lambda g, x, y: -ratio(x, y) * g,
    domain=POSITIVE,
)
elementwise(
    "sp.special.kl_div(x, y)",
    lambda g, x, y: np.log(x / y) * g,
    lambda g, x, y: (1.0 - ratio(x, y)) * g,
    domain=POSITIVE,
)
elementwise(
    "sp.special.huber(delta, r)",
    lambda g, delta, r: np.maximum(np.abs(r) - delta, 0.0) * g,
    lambda g, delta, r: np.clip(r, -delta, delta) * g,
    domain=((0.7, 0.9), (-2.0, 2.0)),
)


def bend(delta: Any, r: Any) -> Any:
    return np.sqrt(1.0 + (r / delta) ** 2)


elementwise(
    "sp.special.pseudo_huber(delta, r)",
    lambda g, delta, r, out: (2.0 * out - r**2 / bend(delta, r)) / delta * g,
    lambda g, delta, r: r / bend(delta, r) * g,
    domain=((0.7, 0.9), (-2.0, 2.0)),
)


def weights(a: Any, out: Any) -> Any:
    """exp(a - out), where the sum of nothing but exp(-inf) has the derivative 0."""
    return np.exp(a - np.nan_to_num(out))


def logsumexp_check(scope: dict[str, Any]) -> str | None:
    return None if scope["return_sign"] is False else "`scipy.special.logsumexp` is supported with return_sign=False"


reduction(
    "sp.special.logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False)",
    lambda g, a, b, out: weights(a, out) * g if b is None else b * weights(a, out) * g,
    check=logsumexp_check,
    closed={"b": "write its logarithm into the sum, `logsumexp(a + np.log(b))`"},
    analytic=False,
    at="sp.special.logsumexp(M); sp.special.logsumexp(M, axis=1); sp.special.logsumexp(T, (0, 2), keepdims=True); "
    "sp.special.logsumexp(M, axis=0, b=np.abs(W)); sp.special.logsumexp(M, b=p, axis=-1)",
)


def total(x: Any, axis: Any) -> Any:
    return np.sum(x, **given(axis), keepdims=True) if axis is not None else np.sum(x)


def softmax_part(g: Any, out: Any, axis: Any) -> Any:
    return out * (g - total(out * g, axis))


general(
    "sp.special.softmax(x, axis=None)",
    jvp=[softmax_part],
    vjp=[softmax_part],
    analytic=False,
    at="sp.special.softmax(v); sp.special.softmax(M, axis=1); sp.special.softmax(M); "
    "sp.special.softmax(T, axis=(0, 2))",
)
general(
    "sp.special.log_softmax(x, axis=None)",
    jvp=[lambda g, out, axis: g - total(np.exp(out) * g, axis)],
    vjp=[lambda g, out, axis: g - np.exp(out) * total(g, axis)],
    analytic=False,
    at="sp.special.log_softmax(v); sp.special.log_softmax(M, axis=1); sp.special.log_softmax(M)",
)

# ---------------------------------------------------------------- powers, exponentials, logarithms

elementwise("sp.special.cbrt(x)", lambda g, out: g / (3.0 * out**2), domain=POSITIVE)
elementwise("sp.special.exp10(x)", lambda g, out: 2.302585092994046 * out * g)
elementwise("sp.special.exp2(x)", lambda g, out: 0.6931471805599453 * out * g)
elementwise("sp.special.expm1(x)", lambda g, x: np.exp(x) * g)
elementwise("sp.special.log1p(x)", lambda g, x: g / (1.0 + x), domain=POSITIVE)
elementwise("sp.special.cosm1(x)", lambda g, x: -np.sin(x) * g)
elementwise("sp.special.exprel(x)", lambda g, x: h._exprel_slope(x) * g)
elementwise(
    "sp.special.powm1(x, y)",
    lambda g, x, y: y * x ** (y - 1.0) * g,
    lambda g, x, y: x**y * np.log(x) * g,
    domain=POSITIVE,
)


def boxcox_lambda(g: Any, log_x: Any, lmbda: Any) -> Any:
    """The function is log(x) exprel(lmbda log(x)), which is smooth at lmbda = 0."""
    return log_x**2 * h._exprel_slope(lmbda * log_x) * g


elementwise(
    "sp.special.boxcox(x, lmbda)",
    lambda g, x, lmbda: x ** (lmbda - 1.0) * g,
    lambda g, x, lmbda: boxcox_lambda(g, np.log(x), lmbda),
    domain=POSITIVE,
)
elementwise(
    "sp.special.boxcox1p(x, lmbda)",
    lambda g, x, lmbda: (1.0 + x) ** (lmbda - 1.0) * g,
    lambda g, x, lmbda: boxcox_lambda(g, np.log1p(x), lmbda),
    domain=POSITIVE,
)
elementwise(
    "sp.special.inv_boxcox(y, lmbda)",
    lambda g, lmbda, out: out ** (1.0 - lmbda) * g,
    None,
    domain=POSITIVE,
    closed={"lmbda": SHAPE},
)
elementwise(
    "sp.special.inv_boxcox1p(y, lmbda)",
    lambda g, lmbda, out: (1.0 + out) ** (1.0 - lmbda) * g,
    None,
    domain=POSITIVE,
    closed={"lmbda": SHAPE},
)
elementwise("sp.special.wrightomega(z)", lambda g, out: out / (1.0 + out) * g)
elementwise("sp.special.spence(z)", lambda g, z: -g / sp.exprel(np.log(z)), domain=POSITIVE)
DEGREE = 0.017453292519943295
elementwise("sp.special.sindg(x)", lambda g, x: DEGREE * sp.cosdg(x) * g)
elementwise("sp.special.cosdg(x)", lambda g, x: -DEGREE * sp.sindg(x) * g)
elementwise("sp.special.tandg(x)", lambda g, out: DEGREE * (1.0 + out**2) * g)
elementwise(
    "sp.special.radian(d, m, s)",
    lambda g: DEGREE * g,
    lambda g: DEGREE / 60.0 * g,
    lambda g: DEGREE / 3600.0 * g,
)
ALIASES["scipy.special.sinc"] = "numpy.sinc"
ALIASES["scipy.special.psi"] = "scipy.special.digamma"
ALIASES["scipy.special.jn"] = "scipy.special.jv"
constant("sp.special.gammasgn(x)", "sp.special.round(x)")

# ---------------------------------------------------------------- Bessel functions


def order(name: str, slope: Any, domain: Any = POSITIVE, **more: Any) -> None:
    """A function of an order and an argument, that is smooth in the argument."""
    elementwise(f"sp.special.{name}(v, x)", None, slope, domain=((0.2, 2.0), domain), closed=V, analytic=False, **more)


elementwise("sp.special.j0(x)", lambda g, x: -sp.j1(x) * g)
elementwise("sp.special.j1(x)", lambda g, x: 0.5 * (sp.j0(x) - sp.jv(2, x)) * g)
elementwise("sp.special.y0(x)", lambda g, x: -sp.y1(x) * g, domain=POSITIVE)
elementwise("sp.special.y1(x)", lambda g, x: 0.5 * (sp.y0(x) - sp.yv(2, x)) * g, domain=POSITIVE)
elementwise("sp.special.i0(x)", lambda g, x: sp.i1(x) * g)
elementwise("sp.special.i1(x)", lambda g, x: 0.5 * (sp.i0(x) + sp.iv(2, x)) * g)
elementwise("sp.special.i0e(x)", lambda g, x, out: (sp.i1e(x) - np.sign(x) * out) * g)
elementwise("sp.special.i1e(x)", lambda g, x, out: (0.5 * (sp.i0e(x) + sp.ive(2, x)) - np.sign(x) * out) * g)
elementwise("sp.special.k0(x)", lambda g, x: -sp.k1(x) * g, domain=POSITIVE)
elementwise("sp.special.k1(x)", lambda g, x: -0.5 * (sp.k0(x) + sp.kv(2, x)) * g, domain=POSITIVE)
elementwise("sp.special.k0e(x)", lambda g, x, out: (out - sp.k1e(x)) * g, domain=POSITIVE)
elementwise("sp.special.k1e(x)", lambda g, x, out: (out - 0.5 * (sp.k0e(x) + sp.kve(2, x))) * g, domain=POSITIVE)
order("jv", lambda g, v, x: 0.5 * (sp.jv(v - 1, x) - sp.jv(v + 1, x)) * g)
order("yv", lambda g, v, x: 0.5 * (sp.yv(v - 1, x) - sp.yv(v + 1, x)) * g)
order("iv", lambda g, v, x: 0.5 * (sp.iv(v - 1, x) + sp.iv(v + 1, x)) * g)
order("kv", lambda g, v, x: -0.5 * (sp.kv(v - 1, x) + sp.kv(v + 1, x)) * g)
order("jve", lambda g, v, x: 0.5 * (sp.jve(v - 1, x) - sp.jve(v + 1, x)) * g)
order("yve", lambda g, v, x: 0.5 * (sp.yve(v - 1, x) - sp.yve(v + 1, x)) * g)
order("ive", lambda g, v, x, out: (0.5 * (sp.ive(v - 1, x) + sp.ive(v + 1, x)) - np.sign(x) * out) * g)
order("kve", lambda g, v, x, out: (out - 0.5 * (sp.kve(v - 1, x) + sp.kve(v + 1, x))) * g)


def struve_rest(v: Any, x: Any) -> Any:
    return sp.rgamma(v + 1.5) / root(pi(x)) * (0.5 * x) ** v


order("struve", lambda g, v, x: 0.5 * (sp.struve(v - 1, x) - sp.struve(v + 1, x) + struve_rest(v, x)) * g)
order(
    "modstruve",
    lambda g, v, x: 0.5 * (sp.modstruve(v - 1, x) + sp.modstruve(v + 1, x) + struve_rest(v, x)) * g,
)
elementwise(
    "sp.special.yn(n, x)",
    None,
    lambda g, n, x: 0.5 * (sp.yv(n - 1, x) - sp.yv(n + 1, x)) * g,
    closed=N,
    at="sp.special.yn(2, p); sp.special.yn(0, p)",
)
elementwise(
    "sp.special.kn(n, x)",
    None,
    lambda g, n, x: -0.5 * (sp.kv(n - 1, x) + sp.kv(n + 1, x)) * g,
    closed=N,
    at="sp.special.kn(2, p); sp.special.kn(0, p); sp.special.kn(3, p)",
)


def spherical(name: str, sign: float) -> None:
    """Spherical Bessel functions; the second derivative is that of their differential equation."""

    def slope(g: Any, n: Any, z: Any, derivative: Any, out: Any) -> Any:
        function = getattr(sp, name)
        if not derivative:
            return function(n, z, derivative=True) * g
        return -(2.0 / z * out + (sign - n * (n + 1) / z**2) * function(n, z)) * g

    elementwise(
        f"sp.special.{name}(n, z, derivative=False)",
        None,
        slope,
        closed=N,
        analytic=False,
        at=f"sp.special.{name}(2, 1.0 + p); sp.special.{name}(0, 1.0 + p); sp.special.{name}(1, p, derivative=True); "
        f"sp.special.{name}(3, p, derivative=True)",
    )


spherical("spherical_jn", 1.0)
spherical("spherical_yn", 1.0)
spherical("spherical_in", -1.0)
spherical("spherical_kn", -1.0)
general(
    "sp.special.airy(z)",
    jvp=[lambda g, z, out: (out[1] * g, z * out[0] * g, out[3] * g, z * out[2] * g)],
    vjp=[
        lambda g, z, out: summed(g, (out[1], z * out[0], out[3], z * out[2])),
    ],
    results=("ai", "aip", "bi", "bip"),
    analytic=False,
    at="sp.special.airy(v); sp.special.airy(s)",
)


def summed(g: Any, slopes: Any) -> Any:
    """The cotangent of the one operand of a function with several results."""
    terms = [slope * bar for slope, bar in zip(slopes, g, strict=True) if bar is not None]
    return sum(terms[1:], terms[0])


# ---------------------------------------------------------------- exponential and trigonometric integrals

elementwise("sp.special.exp1(x)", lambda g, x: -np.exp(-x) / x * g, domain=POSITIVE)
elementwise("sp.special.expi(x)", lambda g, x: np.exp(x) / x * g, domain=POSITIVE, analytic=False)


def expn_x(g: Any, n: Any, x: Any, out: Any) -> Any:
    """-E_{n-1}; that of order -1 is (exp(-x) + E_0) / x, https://dlmf.nist.gov/8.19#E12."""
    below_0 = (np.exp(-x) + out) / x
    if literal(n) is not None:
        return -(below_0 if n == 0 else sp.expn(n - 1, x)) * g
    return pick(n == 0, -below_0, -sp.expn(np.maximum(n - 1, 0), x)) * g


elementwise(
    "sp.special.expn(n, x)",
    None,
    expn_x,
    closed=N,
    at="sp.special.expn(1, p); sp.special.expn(3, p); sp.special.expn(0, p); sp.special.expn(one, p); "
    "sp.special.expn(k, p)",
)


def pair(name: str, results: tuple[str, str], slopes: Any, at: str) -> None:
    general(
        f"sp.special.{name}(x)",
        jvp=[lambda g, x: tuple(slope * g for slope in slopes(x))],
        vjp=[lambda g, x: summed(g, slopes(x))],
        results=results,
        analytic=False,
        at=at,
    )


pair(
    "sici",
    ("si", "ci"),
    lambda x: (np.sinc(x / pi(x)), np.cos(x) / x),
    "sp.special.sici(p); sp.special.sici(s)",
)
pair("shichi", ("shi", "chi"), lambda x: (np.sinh(x) / x, np.cosh(x) / x), "sp.special.shichi(p)")
pair(
    "fresnel",
    ("ssa", "csa"),
    lambda x: (np.sin(0.5 * pi(x) * x**2), np.cos(0.5 * pi(x) * x**2)),
    "sp.special.fresnel(v); sp.special.fresnel(s)",
)

# ---------------------------------------------------------------- elliptic integrals and functions


def rd_z(y: Any, z: Any) -> Any:
    """The derivative of R_D(0, y, z) in z, from its form as a hypergeometric function (DLMF 19.16.18, 15.8.1)."""
    if literal(y) == 1.0:
        return -27.0 / 32.0 * pi(z) * sp.hyp2f1(0.5, 0.5, 3.0, 1.0 - z) / z**2
    over = np.sqrt(y) if literal(z) == 1.0 else np.sqrt(y) * z**2
    return -27.0 / 32.0 * pi(y) * sp.hyp2f1(0.5, 0.5, 3.0, 1.0 - z / y) / over


elementwise(
    "sp.special.elliprd(x, y, z)",
    None,
    lambda g, y, z, out: -(1.5 * out + z * rd_z(y, z)) / y * g,
    lambda g, y, z: rd_z(y, z) * g,
    closed={"x": "it is supported with x = 0"},
    check=lambda scope: None if scope["x"] in (0, 0.0) else "`scipy.special.elliprd` is supported with x = 0",
    at="sp.special.elliprd(0.0, p, p2); sp.special.elliprd(0.0, 1.0, s); sp.special.elliprd(0.0, s, 1.0)",
)
elementwise("sp.special.ellipk(m)", lambda g, m: sp.elliprd(0.0, 1.0, 1.0 - m) / 6.0 * g, domain=(-0.9, 0.9))
elementwise("sp.special.ellipkm1(p)", lambda g, p: -sp.elliprd(0.0, 1.0, p) / 6.0 * g, domain=UNIT)
elementwise("sp.special.ellipe(m)", lambda g, m: -sp.elliprd(0.0, 1.0 - m, 1.0) / 6.0 * g, domain=(-0.9, 0.9))
elementwise(
    "sp.special.ellipkinc(phi, m)",
    lambda g, phi, m: g / np.sqrt(1.0 - m * np.sin(phi) ** 2),
    None,
    domain=((0.1, 1.4), UNIT),
    closed={"m": SHAPE},
)
elementwise(
    "sp.special.ellipeinc(phi, m)",
    lambda g, phi, m: np.sqrt(1.0 - m * np.sin(phi) ** 2) * g,
    None,
    domain=((0.1, 1.4), UNIT),
    closed={"m": SHAPE},
)

# ---------------------------------------------------------------- hypergeometric functions and polynomials

elementwise(
    "sp.special.hyp0f1(v, z)",
    None,
    lambda g, v, z: sp.hyp0f1(v + 1.0, z) / v * g,
    domain=POSITIVE,
    closed=V,
    analytic=False,
)
elementwise(
    "sp.special.hyp1f1(a, b, x)",
    None,
    None,
    lambda g, a, b, x: a / b * sp.hyp1f1(a + 1.0, b + 1.0, x) * g,
    domain=POSITIVE,
    closed=AB,
    analytic=False,
)
elementwise(
    "sp.special.hyperu(a, b, x)",
    None,
    None,
    lambda g, a, b, x: -a * sp.hyperu(a + 1.0, b + 1.0, x) * g,
    domain=POSITIVE,
    closed=AB,
)
elementwise(
    "sp.special.hyp2f1(a, b, c, z)",
    None,
    None,
    None,
    lambda g, a, b, c, z: a * b / c * sp.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z) * g,
    closed={**AB, "c": SHAPE},
    analytic=False,
    at="sp.special.hyp2f1(0.5, 1.2, 2.1, 0.2 * v); sp.special.hyp2f1(p, p2, 2.0 + p, 0.2 * v)",
)


def polynomial(name: str, slope: Any, extra: str = "", values: str = "") -> None:
    """An orthogonal polynomial, in its argument."""
    names = [n for n in extra.split(", ") if n]
    elementwise(
        f"sp.special.eval_{name}({', '.join(['n', *names, 'x'])})",
        *[None] * (len(names) + 1),
        slope,
        closed=dict.fromkeys(["n", *names], ORDER),
        analytic=False,
        at="; ".join(f"sp.special.eval_{name}({n}, {values}0.4 * v)" for n in (1, 3, 0, "k")),
    )


def below(n: Any) -> Any:
    """The degree of the derivative; of degree 0 its factor is 0, and SciPy gives NaN for degree -1."""
    return max(n - 1, 0) if isinstance(n, int) else np.maximum(n - 1, 0)


polynomial("legendre", lambda g, n, x: 0.5 * (n + 1) * sp.eval_jacobi(n - 1, 1.0, 1.0, x) * g)
polynomial("chebyt", lambda g, n, x: n * sp.eval_chebyu(n - 1, x) * g)
polynomial("chebyu", lambda g, n, x: 2.0 * sp.eval_gegenbauer(n - 1, 2.0, x) * g)
polynomial("hermite", lambda g, n, x: 2.0 * n * sp.eval_hermite(below(n), x) * g)
polynomial("hermitenorm", lambda g, n, x: n * sp.eval_hermitenorm(below(n), x) * g)
polynomial("laguerre", lambda g, n, x: -sp.eval_genlaguerre(n - 1, 1.0, x) * g)
polynomial("genlaguerre", lambda g, n, alpha, x: -sp.eval_genlaguerre(n - 1, alpha + 1.0, x) * g, "alpha", "0.5, ")
polynomial(
    "gegenbauer", lambda g, n, alpha, x: 2.0 * alpha * sp.eval_gegenbauer(n - 1, alpha + 1.0, x) * g, "alpha", "0.7, "
)
polynomial(
    "jacobi",
    lambda g, n, alpha, beta, x: 0.5 * (n + alpha + beta + 1.0) * sp.eval_jacobi(n - 1, alpha + 1.0, beta + 1.0, x) * g,
    "alpha, beta",
    "0.5, 1.5, ",
)

# ---------------------------------------------------------------- distribution functions


def t_density(df: Any, t: Any) -> Any:
    scale = np.exp(sp.gammaln(0.5 * (df + 1.0)) - sp.gammaln(0.5 * df)) / np.sqrt(df * pi(t))
    return scale * (1.0 + t**2 / df) ** (-0.5 * (df + 1.0))


DF = {"df": SHAPE}
elementwise(
    "sp.special.stdtr(df, t)", None, lambda g, df, t: t_density(df, t) * g, domain=(POSITIVE, (-2, 2)), closed=DF
)
elementwise(
    "sp.special.stdtrit(df, p)", None, lambda g, df, out: g / t_density(df, out), domain=((1.5, 4.0), UNIT), closed=DF
)
elementwise(
    "sp.special.chdtr(v, x)", None, lambda g, v, x: 0.5 * gamma_density(0.5 * v, 0.5 * x) * g, domain=POSITIVE, closed=V
)
elementwise(
    "sp.special.chdtrc(v, x)",
    None,
    lambda g, v, x: -0.5 * gamma_density(0.5 * v, 0.5 * x) * g,
    domain=POSITIVE,
    closed=V,
)


def pdtr_m(g: Any, k: Any, m: Any) -> Any:
    """The function counts to the largest whole number that is at most k."""
    k = k if isinstance(k, int) else float(math.floor(k)) if isinstance(k, float) else np.floor(k)
    return -(m**k) * np.exp(-m - sp.gammaln(k + 1.0)) * g


elementwise(
    "sp.special.pdtr(k, m)",
    None,
    pdtr_m,
    closed={"k": ORDER},
    at="sp.special.pdtr(2, p); sp.special.pdtr(k, p); sp.special.pdtr(1.5, p)",
)


# ---------------------------------------------------------------- complex results


def harmonic_theta(g: Any, n: Any, m: Any, theta: Any, phi: Any) -> Any:
    """By its neighbours in m (NIST 14.10.5), which has no pole at theta = 0."""
    up = np.sqrt((n - m) * (n + m + 1.0)) * np.exp(-1j * phi) * sp.sph_harm_y(n, m + 1, theta, phi)
    down = np.sqrt((n + m) * (n - m + 1.0)) * np.exp(1j * phi) * sp.sph_harm_y(n, m - 1, theta, phi)
    inside = np.copysign(1.0, np.sin(theta))  # SciPy takes the sine of theta for positive
    return 0.5 * inside * (up - down) * g


for_complex(
    Elementwise("sp.special.wofz(z)", lambda g, z, out: (2j / math.sqrt(math.pi) - 2.0 * z * out) * g), adjoint=False
)
for_complex(
    Elementwise(
        "sp.special.sph_harm_y(n, m, theta, phi)",
        None,
        None,
        harmonic_theta,
        lambda g, m, out: 1j * m * out * g,
        at="sp.special.sph_harm_y(3, 2, s, t); sp.special.sph_harm_y(2, 0, v, w); sp.special.sph_harm_y(2, -2, s, v)",
    ),
    adjoint=False,
)
constant("sp.special.bernoulli(n)", "sp.special.euler(n)")

# Functions that SciPy has for complex numbers, and whose derivatives are made of such.
HOLOMORPHIC.update(
    f"scipy.special.{name}"
    for name in """
    gamma loggamma rgamma erf erfc erfcx erfi dawsn ndtr log_ndtr xlogy xlog1py expm1 log1p wrightomega
    jv yv iv kv spherical_jn spherical_yn spherical_in spherical_kn airy exp1 expi sici shichi fresnel
    hyp0f1 hyp1f1 hyp2f1 logsumexp softmax log_softmax
    eval_legendre eval_chebyt eval_chebyu eval_laguerre eval_genlaguerre eval_gegenbauer eval_jacobi
    """.split()  # noqa: SIM905
)
