"""Element-wise functions: the ufuncs of NumPy on floats.

Conventions where the derivative does not exist: abs 0 at 0; ties in every binary maximum and minimum half each; clip at
a bound half; hypot and arctan2 0 at the origin; sqrt inf at 0; x**0 gives 0 for x; 0**b gives 0 for b where b >= 0.

Constants of a rule are Python floats and guards are ufuncs (`d + (d == 0.0)`, not np.where): both keep float32, and
a scalar stays a scalar.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.rules.kinds import constant, elementwise
from s2s.rules.tracing import fraction, h, is_finite, is_integer, is_scalar, literal, pick, quotient

POSITIVE, UNIT, ABOVE_ONE = (0.3, 2.0), (-0.9, 0.9), (1.1, 3.0)
QUOTIENT = ((3.1, 3.3), (0.7, 0.75))  # a / b stays between two integers
LOG_2, LOG_10 = math.log(2.0), math.log(10.0)


def nonzero(d: Any) -> Any:
    """A divisor whose dividend is 0 where it is 0, so that the quotient is 0 there."""
    return d + (d == 0.0)


# ---------------------------------------------------------------- arithmetic


def power_a(g: Any, a: Any, b: Any, out: Any) -> Any:
    """b a**(b - 1) g, in the form that a person writes for the usual exponents; 0 where both are 0."""
    match literal(b):
        case 0:
            return 0.0 * g
        case 1:
            return g
        case 0.5:
            return 0.5 * g / out
        case 2:
            return 2.0 * a * g
        case int() | float() as n:
            return float(n) * a ** (n - 1) * g
    if (parts := fraction(b)) is not None and parts[0] != parts[1]:
        n, d = parts
        return b * a ** quotient(n - d, d, b) * g
    # a**-1 is inf at a = 0, and 0 * inf is nan; where b may change, a**(b - 1) is to stay what it is beside b = 0
    less = (b != 0.0) if is_integer(b) else (a != 0.0) | (b != 0.0)
    return b * a ** (b - less) * g


def power_b(g: Any, a: Any, out: Any) -> Any:
    """out log(a) g, and 0 where a is 0."""
    value = literal(a)
    if value is not None and value >= 0:
        return math.log(value) * out * g if value else 0.0 * g
    return out * np.log(a + (a == 0.0)) * g


def remainder_b(g: Any, a: Any, b: Any) -> Any:
    return -(a // b) * g


def fmod_b(g: Any, a: Any, b: Any, out: Any) -> Any:
    return -np.rint((a - out) / b) * g  # a / b alone may round up to the next integer


elementwise("np.add(a, b)", lambda g: g, lambda g: g)
elementwise("np.subtract(a, b)", lambda g: g, lambda g: -g)
elementwise("np.multiply(a, b)", lambda g, b: b * g, lambda g, a: a * g)
elementwise("np.divide(a, b)", lambda g, b: g / b, lambda g, a, b: -a / b**2 * g, domain=POSITIVE)
elementwise("np.negative(x)", lambda g: -g)
elementwise("np.positive(x)", lambda g: g)
elementwise("np.reciprocal(x)", lambda g, x: -g / x**2, domain=POSITIVE)
elementwise("np.power(a, b)", power_a, power_b, domain=POSITIVE)
elementwise("np.float_power(a, b)", power_a, power_b, domain=POSITIVE)
elementwise("np.square(x)", lambda g, x: 2.0 * x * g)
elementwise("np.sqrt(x)", lambda g, out: 0.5 * g / out, domain=POSITIVE)
elementwise("np.cbrt(x)", lambda g, out: g / (3.0 * out**2), domain=POSITIVE)
elementwise("np.remainder(a, b)", lambda g: g, remainder_b, domain=QUOTIENT)
elementwise("np.fmod(a, b)", lambda g: g, fmod_b, domain=((-3.3, -3.1), (0.7, 0.75)))
REMAINDER: dict[str, Any] = {"results": ("quotient", "remainder"), "smooth": ("remainder",)}
MANTISSA: dict[str, Any] = {"results": ("mantissa", "exponent"), "smooth": ("mantissa",)}
FRACTION: dict[str, Any] = {"results": ("fractional", "integral"), "smooth": ("fractional",)}
elementwise("np.divmod(a, b)", lambda g: g, remainder_b, domain=QUOTIENT, **REMAINDER)
elementwise("np.modf(x)", lambda g: g, domain=(1.1, 1.9), **FRACTION)
elementwise("np.frexp(x)", lambda g, x: np.ldexp(g, -np.frexp(x)[1]), domain=(1.1, 1.9), **MANTISSA)
elementwise("np.ldexp(x, n)", lambda g, n: np.ldexp(g, n), None, at="np.ldexp(v, k); np.ldexp(M, 3); np.ldexp(s, -2)")
constant("np.floor_divide(a, b)", "np.floor(x)", "np.ceil(x)", "np.trunc(x)", "np.rint(x)", "np.fix(x)")
constant("np.round(x)", "np.around(x)", "np.sign(x)", "np.signbit(x)", "np.spacing(x)")
elementwise("np.nextafter(a, b)", lambda g: g, None)

# ---------------------------------------------------------------- exponentials, logarithms


def log_share(g: Any, a: Any, b: Any, out: Any) -> Any:
    """exp(a - out) g, and half where both are infinite; a finite tie is no special point."""
    return np.exp(np.where((a == b) & np.isinf(a), -LOG_2, a - out)) * g


def log2_share(g: Any, a: Any, b: Any, out: Any) -> Any:
    return np.exp2(np.where((a == b) & np.isinf(a), -1.0, a - out)) * g


elementwise("np.exp(x)", lambda g, out: out * g)
elementwise("np.exp2(x)", lambda g, out: LOG_2 * out * g)
elementwise("np.expm1(x)", lambda g, x: np.exp(x) * g)
elementwise("np.log(x)", lambda g, x: g / x, domain=POSITIVE)
elementwise("np.log2(x)", lambda g, x: g / (LOG_2 * x), domain=POSITIVE)
elementwise("np.log10(x)", lambda g, x: g / (LOG_10 * x), domain=POSITIVE)
elementwise("np.log1p(x)", lambda g, x: g / (1.0 + x), domain=UNIT)
elementwise("np.logaddexp(a, b)", log_share, lambda g, a, b, out: log_share(g, b, a, out))
elementwise("np.logaddexp2(a, b)", log2_share, lambda g, a, b, out: log2_share(g, b, a, out))

# ---------------------------------------------------------------- trigonometric, hyperbolic

elementwise("np.sin(x)", lambda g, x: np.cos(x) * g)
elementwise("np.cos(x)", lambda g, x: -np.sin(x) * g)
elementwise("np.tan(x)", lambda g, out: (1.0 + out**2) * g, domain=(-1.2, 1.2))
elementwise("np.arcsin(x)", lambda g, x: g / np.sqrt(1.0 - x**2), domain=UNIT)
elementwise("np.arccos(x)", lambda g, x: -g / np.sqrt(1.0 - x**2), domain=UNIT)
elementwise("np.arctan(x)", lambda g, x: g / (1.0 + x**2))
elementwise(
    "np.arctan2(a, b)",
    lambda g, a, b: b / nonzero(np.hypot(a, b)) ** 2 * g,
    lambda g, a, b: -a / nonzero(np.hypot(a, b)) ** 2 * g,
)
elementwise("np.hypot(a, b)", lambda g, a, out: a / nonzero(out) * g, lambda g, b, out: b / nonzero(out) * g)
elementwise("np.sinh(x)", lambda g, x: np.cosh(x) * g)
elementwise("np.cosh(x)", lambda g, x: np.sinh(x) * g)
elementwise("np.tanh(x)", lambda g, out: (1.0 - out**2) * g)
elementwise("np.arcsinh(x)", lambda g, x: g / np.sqrt(1.0 + x**2))
elementwise("np.arccosh(x)", lambda g, x: g / np.sqrt(x**2 - 1.0), domain=ABOVE_ONE)
elementwise("np.arctanh(x)", lambda g, x: g / (1.0 - x**2), domain=UNIT)
elementwise("np.deg2rad(x)", lambda g: np.deg2rad(g))
elementwise("np.rad2deg(x)", lambda g: np.rad2deg(g))
elementwise("np.radians(x)", lambda g: np.radians(g))
elementwise("np.degrees(x)", lambda g: np.degrees(g))
elementwise("np.sinc(x)", lambda g, x: h._sinc_slope(x) * g)

# ---------------------------------------------------------------- kinks


def larger(g: Any, a: Any, b: Any) -> Any:
    """g where a > b, half of it at a tie, infinite ones included."""
    if is_finite(a) or is_finite(b):
        return np.heaviside(a - b, 0.5) * g
    if is_scalar(a) and is_scalar(b):
        return ((a > b) + 0.5 * (a == b)) * g
    return np.heaviside(np.where(a == b, 0.0, a - b), 0.5) * g  # inf - inf is nan


def smaller(g: Any, a: Any, b: Any) -> Any:
    return larger(g, b, a)


def chosen(g: Any, a: Any, b: Any, out: Any) -> Any:
    """g where the result is a, half of it at a tie: of a number and nan, np.fmax and np.fmin give the number."""
    return np.where(a == b, 0.5 * g, np.where(a == out, g, 0.0))


def clip_x(g: Any, x: Any, a_min: Any, a_max: Any) -> Any:
    above = 1.0 if a_min is None else larger(1.0, x, a_min)
    below = 1.0 if a_max is None else larger(1.0, a_max, x)
    return above * below * g


def clip_min(g: Any, x: Any, a_min: Any, a_max: Any) -> Any:
    below = 1.0 if a_max is None else larger(1.0, a_max, a_min)
    return larger(1.0, a_min, x) * below * g


def clip_max(g: Any, x: Any, a_min: Any, a_max: Any) -> Any:
    return larger(g, x if a_min is None else np.maximum(x, a_min), a_max)


elementwise("np.abs(x)", lambda g, x: np.sign(x) * g)
elementwise("np.fabs(x)", lambda g, x: np.sign(x) * g)
elementwise("np.maximum(a, b)", larger, lambda g, a, b: larger(g, b, a))
elementwise("np.minimum(a, b)", smaller, lambda g, a, b: smaller(g, b, a))
elementwise("np.fmax(a, b)", chosen, lambda g, a, b, out: chosen(g, b, a, out))
elementwise("np.fmin(a, b)", chosen, lambda g, a, b, out: chosen(g, b, a, out))
elementwise("np.clip(x, a_min=None, a_max=None)", clip_x, clip_min, clip_max, also={"min": "a_min", "max": "a_max"})
elementwise("np.copysign(a, b)", lambda g, a, out: np.sign(a) * np.sign(out) * g, None)
elementwise("np.heaviside(x, h)", None, lambda g, x: np.heaviside(-np.abs(x), 1.0) * g)
elementwise(
    "np.where(c, a, b)",
    None,
    lambda g, c: pick(c, g, 0.0),
    lambda g, c: pick(c, 0.0, g),
    jvp=lambda c, a_dot, b_dot: pick(c, a_dot, b_dot),
    at="np.where(c, v, w); np.where(M > 0.0, M, w); np.where(w > 0.1, s, M)",
)
FILLED = dict.fromkeys(("nan", "posinf", "neginf"), "it has no derivative with respect to what stands in for others")
elementwise(
    "np.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)",
    lambda g, x: pick(np.isfinite(x), g, 0.0),
    closed=FILLED,
    check=lambda scope: None if scope["copy"] is True else "`np.nan_to_num` with copy=False writes into its argument",
)

# ---------------------------------------------------------------- real operands only: complex ones are refused before

elementwise("np.real(x)", lambda g: g)
elementwise("np.conj(x)", lambda g: g, analytic=False)
for name in ("float64", "float32", "longdouble"):
    elementwise(f"np.{name}(x)", lambda g: g)
