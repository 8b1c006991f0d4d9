"""scipy.stats: densities, distribution functions and their logarithms of common distributions, in x and in the
parameters. The formulas are the logarithmic derivatives of the densities; outside of the support the derivative is 0.
Integer-valued outcomes (`poisson.logpmf(k, mu)`) have a derivative in the parameters only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.rules.kinds import elementwise
from s2s.rules.scipy_special import gauss, ratio
from s2s.rules.tracing import special as sp

COUNT = "the outcomes are integers: there is no derivative in them"
Part = Callable[..., Any]


def shifted(x: Any, loc: Any, scale: Any) -> Any:
    """Written without what is at its default."""
    return (x - loc) / scale


def density(
    name: str, score: Part | None, shapes: dict[str, Part], inside: Part | None, domain: dict[str, Any]
) -> None:
    """logpdf and pdf of a family of location and scale.

    score: the derivative of the logarithm of the standard density in z, of the shapes, None where it is zero; shapes:
    the same in each shape parameter; inside: where z is in the support, if not everywhere.
    """
    names = list(shapes)

    def part(make: Callable[[dict[str, Any]], Any], times_out: bool) -> Part:
        def action(**scope: Any) -> Any:
            z = shifted(scope["x"], scope["loc"], scope["scale"])
            values = {"z": z, **{n: scope[n] for n in names}, "scale": scope["scale"]}
            slope = make(values)
            if times_out:
                slope = slope * scope["out"]
            if inside is not None:
                slope = np.where(inside(z), slope, 0.0)
            return slope * scope["g"]

        arguments = ", ".join(["g", "out", "x", *names, "loc", "scale"])
        space: dict[str, Any] = {"action": action}
        call = ", ".join(f"{n}={n}" for n in arguments.split(", "))
        return eval(f"lambda {arguments}: action({call})", space)  # type: ignore[no-any-return]

    def of(values: dict[str, Any]) -> Any:
        assert score is not None
        return score(values["z"], *(values[n] for n in names))

    def by_scale(v: dict[str, Any]) -> Any:
        return -1.0 / v["scale"] if score is None else -((1.0 + v["z"] * of(v)) / v["scale"])

    def in_shape(p: Part) -> Callable[[dict[str, Any]], Any]:
        return lambda v: p(v["z"], *(v[n] for n in names))

    for function, times_out in (("logpdf", False), ("pdf", True)):
        elementwise(
            f"sp.stats.{name}.{function}({', '.join(['x', *names])}, loc=0, scale=1)",
            part(lambda v: of(v) / v["scale"], times_out) if score else None,
            *(part(in_shape(p), times_out) for p in shapes.values()),
            part(lambda v: -(of(v) / v["scale"]), times_out) if score else None,
            part(by_scale, times_out),
            analytic=False,
            at=samples(f"sp.stats.{name}.{function}", [domain[n] for n in names], domain["x"], score is not None),
        )


def samples(function: str, shapes: list[str], x: str, in_x: bool = True) -> str:
    """Calls with and without location and scale; those without, where there is a derivative in x."""
    first = ", ".join([x, *shapes])
    full = f"{function}({first}, loc=0.05 * s, scale=1.3 + p)"
    return f"{function}({first}); {function}(0.1 + {first}, loc=0.1); {full}" if in_x else full


digamma = sp.digamma
density("norm", lambda z: -z, {}, None, {"x": "v"})
density("expon", lambda z: -1.0, {}, lambda z: z >= 0.0, {"x": "p"})
density("laplace", lambda z: -np.sign(z), {}, None, {"x": "v"})
density("logistic", lambda z: -np.tanh(0.5 * z), {}, None, {"x": "v"})
density("cauchy", lambda z: -2.0 * z / (1.0 + z**2), {}, None, {"x": "v"})
density("gumbel_r", lambda z: np.exp(-z) - 1.0, {}, None, {"x": "v"})
density(
    "gamma",
    lambda z, a: (a - 1.0) / z - 1.0,
    {"a": lambda z, a: np.log(z) - digamma(a)},
    lambda z: z > 0.0,
    {"x": "p", "a": "1.5 + p"},
)
density(
    "beta",
    lambda z, a, b: (a - 1.0) / z - (b - 1.0) / (1.0 - z),
    {
        "a": lambda z, a, b: np.log(z) - digamma(a) + digamma(a + b),
        "b": lambda z, a, b: np.log1p(-z) - digamma(b) + digamma(a + b),
    },
    lambda z: (z > 0.0) & (z < 1.0),
    {"x": "0.2 * p", "a": "1.5 + p", "b": "2.5 + p"},
)
density(
    "t",
    lambda z, df: -(df + 1.0) * z / (df + z**2),
    {
        "df": lambda z, df: (
            0.5 * (digamma(0.5 * (df + 1.0)) - digamma(0.5 * df) - np.log1p(z**2 / df))
            + 0.5 * (z**2 - 1.0) / (df + z**2)
        )
    },
    None,
    {"x": "v", "df": "1.5 + p"},
)
density(
    "chi2",
    lambda z, df: (0.5 * df - 1.0) / z - 0.5,
    {"df": lambda z, df: 0.5 * (np.log(0.5 * z) - digamma(0.5 * df))},
    lambda z: z > 0.0,
    {"x": "p", "df": "2.5 + p"},
)
density(
    "lognorm",
    lambda z, s: -(1.0 + np.log(z) / s**2) / z,
    {"s": lambda z, s: np.log(z) ** 2 / s**3 - 1.0 / s},
    lambda z: z > 0.0,
    {"x": "p", "s": "0.5 + p"},
)
density("uniform", None, {}, lambda z: (z >= 0.0) & (z <= 1.0), {"x": "0.2 * p"})


def standard(g: Any, x: Any, loc: Any, scale: Any) -> Any:
    return gauss(shifted(x, loc, scale)) / scale * g


def log_standard(g: Any, x: Any, loc: Any, scale: Any, out: Any) -> Any:
    z = shifted(x, loc, scale)
    return np.exp(-0.5 * z**2 - out) / np.sqrt(2.0 * np.pi) / scale * g


def three(name: str, slope: Part, sign: float) -> None:
    """A distribution function of the normal distribution, from its derivative in x up to the sign."""
    elementwise(
        f"sp.stats.norm.{name}(x, loc=0, scale=1)",
        lambda g, x, loc, scale, out: sign * slope(g, x, loc, scale, out),
        lambda g, x, loc, scale, out: -sign * slope(g, x, loc, scale, out),
        lambda g, x, loc, scale, out: -sign * (shifted(x, loc, scale) * slope(g, x, loc, scale, out)),
        analytic=False,
        at=samples(f"sp.stats.norm.{name}", [], "v"),
    )


three("cdf", lambda g, x, loc, scale, out: standard(g, x, loc, scale), 1.0)
three("sf", lambda g, x, loc, scale, out: standard(g, x, loc, scale), -1.0)
three("logcdf", log_standard, 1.0)
three("logsf", log_standard, -1.0)
elementwise(
    "sp.stats.norm.ppf(q, loc=0, scale=1)",
    lambda g, loc, scale, out: scale * g / gauss(shifted(out, loc, scale)),
    lambda g: g,
    lambda g, loc, scale, out: shifted(out, loc, scale) * g,
    analytic=False,
    at="sp.stats.norm.ppf(0.3 * p); sp.stats.norm.ppf(0.3 * p, loc=s, scale=1.3 + p)",
)

# ---------------------------------------------------------------- counts

K = {"k": COUNT}
elementwise(
    "sp.stats.poisson.logpmf(k, mu)",
    None,
    lambda g, k, mu: (ratio(k, mu) - 1.0) * g,
    analytic=False,
    closed=K,
    at="sp.stats.poisson.logpmf(k, p); sp.stats.poisson.logpmf(2, p)",
)
elementwise(
    "sp.stats.bernoulli.logpmf(k, p)",
    None,
    lambda g, k, p: (ratio(k, p) - ratio(1.0 - k, 1.0 - p)) * g,
    analytic=False,
    closed=K,
    at="sp.stats.bernoulli.logpmf(bits, 0.3 * p); sp.stats.bernoulli.logpmf(1, 0.3 * p)",
)
elementwise(
    "sp.stats.binom.logpmf(k, n, p)",
    None,
    None,
    lambda g, k, n, p: (ratio(k, p) - ratio(n - k, 1.0 - p)) * g,
    analytic=False,
    closed=K | {"n": COUNT},
    at="sp.stats.binom.logpmf(k, 5, 0.3 * p); sp.stats.binom.logpmf(2, 5, 0.3 * p)",
)
