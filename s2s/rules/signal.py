"""Functions of sampled data: differences, integrals, interpolation, convolution.

`interp` has at a knot the slope to its right, at the last one that to its left, and 0 outside of the knots.
"""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np

from s2s.rules.kinds import elementwise, general, linear, multilinear
from s2s.rules.tracing import RuleError, Sym, call, h, is_array, is_number, is_option, is_zeros, ndim

# ---------------------------------------------------------------- convolution, correlation

MODES = ("full", "same", "valid")


def mode_check(scope: dict[str, Any]) -> str | None:
    return (
        None
        if isinstance(scope["mode"], str) and scope["mode"] in MODES
        else "a convolution is supported with a literal `mode`"
    )


def whole(g: Any, a: Any, v: Any, mode: Any, reverse: bool = False) -> Any:
    """The cotangent of the full convolution, of which the mode takes a part."""
    if mode == "full":
        return g
    return h._full_length(g, a, v, mode, True) if reverse else h._full_length(g, a, v, mode)


multilinear(
    "np.convolve(a, v, mode='full')",
    lambda g, a, v, mode: np.correlate(whole(g, a, v, mode), v, "valid"),
    lambda g, a, v, mode: np.correlate(whole(g, a, v, mode), a, "valid"),
    check=mode_check,
    ranks={"a": 1, "v": 1},
    at="np.convolve(v, u); np.convolve(u, v); np.convolve(v, w); np.convolve(v, u, 'same'); "
    "np.convolve(u, v, 'same'); np.convolve(v, w, mode='same'); np.convolve(v, u, mode='valid'); "
    "np.convolve(u, v, mode='valid'); np.convolve(v, v2, 'same'); np.convolve(v2, v, 'same')",
)
multilinear(
    "np.correlate(a, v, mode='valid')",
    lambda g, a, v, mode: np.convolve(whole(g, a, v, mode, True), v, "valid"),
    lambda g, a, v, mode: np.correlate(whole(g, a, v, mode, True), a, "valid")[::-1],
    check=mode_check,
    analytic=False,
    ranks={"a": 1, "v": 1},
    at="np.correlate(v, u); np.correlate(u, v); np.correlate(v, w); np.correlate(v, u, 'same'); "
    "np.correlate(u, v, 'same'); np.correlate(v, u, mode='full'); np.correlate(u, v, mode='full'); "
    "np.correlate(v, v2, 'same'); np.correlate(v2, v, 'same')",
)

# ---------------------------------------------------------------- differences


def diff_x(g: Any, x: Any, n: Any, axis: Any) -> Any:
    if ndim(x) == 1 and is_option(n, 1):
        return -np.diff(np.pad(g, 1))
    more = {} if is_option(axis, -1) else {"axis": axis}
    return h._diff_bar(g, x, **more) if is_option(n, 1) else h._diff_bar(g, x, n, **more)


linear(
    "np.diff(x, n=1, axis=-1)",
    diff_x,
    at="np.diff(v); np.diff(M); np.diff(T, axis=0); np.diff(v, 2); np.diff(v2, 3); np.diff(M[:, :1]); np.diff(M, 2, 0)",
)
linear(
    "np.ediff1d(x, to_end=None, to_begin=None)",
    lambda g, x, to_end, to_begin: h._ediff_bar(g, x, to_begin) if to_begin is not None else h._ediff_bar(g, x),
    lambda g, to_end: np.reshape(g[np.size(g) - np.size(to_end) :], np.shape(to_end))[()],
    lambda g, to_begin: np.reshape(g[: np.size(to_begin)], np.shape(to_begin))[()],
    at="np.ediff1d(v); np.ediff1d(M); np.ediff1d(v, to_end=s); np.ediff1d(v, w, u); np.ediff1d(v, to_begin=2.0); "
    "np.ediff1d(v, u[:0])",
)


def gradient_options(axis: Any, edge_order: Any) -> dict[str, Any]:
    more = {} if axis is None else {"axis": axis}
    return more if is_option(edge_order, 1) else more | {"edge_order": edge_order}


def gradient_lanes(f: Any, axis: Any) -> list[int] | None:
    """The axes that the gradient is along; None where they are not known."""
    axes = (axis,) if isinstance(axis, int) else axis
    if axis is None and (rank := ndim(f)) is not None:
        axes = range(rank)
    return list(axes) if isinstance(axes, range | tuple | list) else None


def along(axis: int, edge_order: Any) -> dict[str, Any]:
    return ({"axis": axis} if axis else {}) | gradient_options(None, edge_order)


def part_of(value: Any, lanes: Any, k: int) -> Any:
    """The part of a gradient that is along one of its axes: a gradient along one axis is no list."""
    return value[k] if len(lanes) > 1 else value


def gradient_f(g: Any, f: Any, spacing: Any, axis: Any, edge_order: Any) -> Any:
    lanes = gradient_lanes(f, axis)
    if lanes is None:
        options = gradient_options(axis, edge_order)
        bar = g if is_array(g) else call("numpy.asarray", g)  # along several axes it is a list
        return h._gradient_bar(bar, f, tuple(spacing), **options) if spacing else h._gradient_bar(bar, f, **options)
    terms = []
    for k, (a, x) in enumerate(zip(lanes, cycle(spacing or (None,)), strict=False)):
        if not is_zeros(bar := part_of(g, lanes, k)):
            step = {} if x is None else {"step": x}
            terms.append(h._gradient_bar_along(bar, **step, **along(a, edge_order)))
    return sum(terms[1:], start=terms[0])


def gradient_dot(f: Any, out: Any, spacing: Any, axis: Any, edge_order: Any, f_dot: Any, spacing_dot: Any) -> Any:
    options = gradient_options(axis, edge_order)
    if spacing_dot is None:
        return np.gradient(f_dot, *spacing, **options)
    lanes = gradient_lanes(f, axis)
    if lanes is None:
        more = {} if f_dot is None else {"f_dot": f_dot}
        return h._gradient_dot(f, out, tuple(spacing), tuple(spacing_dot), **more, **options)
    dots = []
    for k, (a, (x, x_dot)) in enumerate(zip(lanes, cycle(zip(spacing, spacing_dot, strict=True)), strict=False)):
        terms, part = [], part_of(out, lanes, k)
        if f_dot is not None:
            own = gradient_options(a if len(lanes) > 1 else axis, edge_order)
            terms.append(np.gradient(f_dot, x, **own))
        if x_dot is not None:
            terms.append(step_dot(x_dot, f, part, x, along(a, edge_order)))
        dots.append(sum(terms[1:], start=terms[0]) if terms else np.zeros_like(part))
    return dots if len(lanes) > 1 else dots[0]


def step_dot(x_dot: Any, f: Any, out: Any, x: Any, options: dict[str, Any]) -> Any:
    if ndim(x) == 0:
        return -out * (x_dot / x)
    points = ndim(x) == 1
    return (
        h._gradient_points_dot(x_dot, f, x, **options) if points else h._gradient_step_dot(x_dot, f, out, x, **options)
    )


def gradient_spacing(g: Any, f: Any, out: Any, spacing: Any, item: Any, axis: Any, edge_order: Any) -> Any:
    lanes = gradient_lanes(f, axis)
    if lanes is None:
        return h._gradient_bar_spacing(g, f, out, tuple(spacing), item, **gradient_options(axis, edge_order))
    terms = [
        step_bar(part_of(g, lanes, k), f, part_of(out, lanes, k), spacing[item], along(a, edge_order))
        for k, (a, own) in enumerate(zip(lanes, cycle(range(len(spacing))), strict=False))
        if own == item
    ]
    return sum(terms[1:], start=terms[0])


def step_bar(g: Any, f: Any, out: Any, x: Any, options: dict[str, Any]) -> Any:
    if ndim(x) == 0:
        return -np.sum(g * out) / x
    points = ndim(x) == 1
    return h._gradient_bar_points(g, f, x, **options) if points else h._gradient_bar_step(g, f, out, x, **options)


general(
    "np.gradient(f, *spacing, axis=None, edge_order=1)",
    jvp=gradient_dot,
    vjp=[gradient_f, gradient_spacing],
    at="np.gradient(v); np.gradient(M, axis=0); np.gradient(v, 0.1); np.gradient(M, axis=1, edge_order=2); "
    "np.gradient(v, ramp); np.gradient(v, ramp, edge_order=2); np.gradient(M); np.gradient(T[0], 0.3, ramp); "
    "np.gradient(T, axis=(1, 2)); np.gradient(v[:2]); np.gradient(v, s); np.gradient(M, s); "
    "np.gradient(M, ramp[1:], s); np.gradient(v[:2], ramp[:2]); np.gradient(M, ramp[1:], axis=0, edge_order=2)",
)

# ---------------------------------------------------------------- integrals, interpolation


def trapezoid_y(g: Any, y: Any, x: Any, dx: Any, axis: Any) -> Any:
    return h._trapezoid_bar_y(g, y, **steps_of(x, dx, axis))


def trapezoid_x(g: Any, y: Any, x: Any, axis: Any) -> Any:
    return h._trapezoid_bar_x(g, y, x) if is_option(axis, -1) else h._trapezoid_bar_x(g, y, x, axis)


def trapezoid_dx(g: Any, y: Any, dx: Any, axis: Any) -> Any:
    if ndim(dx) != 0:
        return h._trapezoid_bar_dx(g, y, dx) if is_option(axis, -1) else h._trapezoid_bar_dx(g, y, dx, axis)
    whole_sum = np.trapezoid(y) if is_option(axis, -1) else np.trapezoid(y, axis=axis)
    return g * whole_sum if ndim(g) == 0 else np.sum(g * whole_sum)


def is_one(dx: Any) -> bool:
    """Whether an operand is written as 1: the default."""
    return is_number(dx.expr, 1.0) if isinstance(dx, Sym) else is_option(dx, 1)


def steps_of(x: Any, dx: Any, axis: Any) -> dict[str, Any]:
    more: dict[str, Any] = {} if x is None else {"x": x}
    if x is None and not is_one(dx):
        more["dx"] = dx
    return more if is_option(axis, -1) else more | {"axis": axis}


def trapezoid_dot(y: Any, x: Any, dx: Any, axis: Any, y_dot: Any, x_dot: Any, dx_dot: Any) -> Any:
    along = {} if is_option(axis, -1) else {"axis": axis}
    terms = []
    if y_dot is not None:
        terms.append(np.trapezoid(y_dot, **steps_of(x, dx, axis)))
    if x_dot is not None:
        terms.append(np.trapezoid(y, x_dot, **along))
    if dx_dot is not None and x is None:
        terms.append(np.trapezoid(y, dx=dx_dot, **along))
    return sum(terms[1:], start=terms[0])


general(
    "np.trapezoid(y, x=None, dx=1.0, axis=-1)",
    jvp=trapezoid_dot,
    vjp=[trapezoid_y, trapezoid_x, trapezoid_dx],
    at="np.trapezoid(v); np.trapezoid(M, dx=0.1, axis=0); np.trapezoid(v, w); np.trapezoid(M, w); "
    "np.trapezoid(M, W); np.trapezoid(T, u, axis=1); np.trapezoid(v, dx=s); np.trapezoid(M, dx=s); "
    "np.trapezoid(M, dx=s, axis=0); np.trapezoid(M, u, axis=0); np.trapezoid(v, W); np.trapezoid(T, W); "
    "np.trapezoid(T, u, axis=-2); np.trapezoid(v, v2)",
    ranks={"dx": 0},
)


def interp_check(scope: dict[str, Any]) -> str | None:
    return None if scope["period"] is None else "`np.interp` is supported without `period`"


def outside(left: Any, right: Any) -> dict[str, Any]:
    """Whether the ends of np.interp have values of their own."""
    return ({} if left is None else {"left": False}) | ({} if right is None else {"right": False})


def interp_fp(g: Any, x: Any, xp: Any, fp: Any, left: Any, right: Any, item: Any) -> Any:
    if item is not None:
        raise RuleError("`np.interp` is supported with arrays: write np.array([...])")
    return h._interp_bar_fp(g, x, xp, fp, **outside(left, right))


def interp_xp(g: Any, x: Any, xp: Any, fp: Any, item: Any) -> Any:
    if item is not None:
        raise RuleError("`np.interp` is supported with arrays: write np.array([...])")
    return h._interp_bar_xp(g, x, xp, fp)


def interp_dot(
    x: Any, xp: Any, fp: Any, left: Any, right: Any, x_dot: Any, xp_dot: Any, fp_dot: Any, left_dot: Any, right_dot: Any
) -> Any:
    ends = ({} if left is None else {"left": 0.0}) | ({} if right is None else {"right": 0.0})
    terms = []
    if x_dot is not None:
        terms.append(h._interp_slope(x, xp, fp) * x_dot)
    if xp_dot is not None:
        terms.append(-h._interp_slope(x, xp, fp) * np.interp(x, xp, xp_dot))
    if fp_dot is not None:
        terms.append(np.interp(x, xp, fp_dot, **ends))
    if left_dot is not None:
        terms.append(np.where(x < xp[0], left_dot, 0.0))
    if right_dot is not None:
        terms.append(np.where(x > xp[-1], right_dot, 0.0))
    return sum(terms[1:], start=terms[0])


general(
    "np.interp(x, xp, fp, left=None, right=None, period=None)",
    jvp=interp_dot,
    vjp=[
        lambda g, x, xp, fp: h._interp_slope(x, xp, fp) * g,
        interp_xp,
        interp_fp,
        lambda g, x, xp: np.sum(np.where(x < xp[0], g, 0.0)),
        lambda g, x, xp: np.sum(np.where(x > xp[-1], g, 0.0)),
    ],
    check=interp_check,
    at="np.interp(s, knots, w); np.interp(v, knots, w); np.interp(M, knots, w, s, t); np.interp(v, knots, w, left=s); "
    "np.interp(3.0 * v, knots, w, left=s); np.interp(3.0 * v, knots, w, right=s)",
)

# ---------------------------------------------------------------- others

JUMPS = dict.fromkeys(("discont", "period"), "it has no derivative with respect to the size of its jumps")
general(
    "np.unwrap(p, discont=None, axis=-1, *, period=6.283185307179586)",
    jvp=[lambda g: g],
    vjp=[lambda g: g],
    closed=JUMPS,
    at="np.unwrap(4.0 * v); np.unwrap(9.0 * M, axis=0)",
)
elementwise("np.i0(x)", lambda g, x: h._i1(x) * g)
general(
    "np.kaiser(M, beta)",
    jvp=[None, lambda g, M, beta: h._kaiser_slope(M, beta) * g],
    vjp=[None, lambda g, M, beta: h._kaiser_slope(M, beta) @ g],
    at="np.kaiser(5, s); np.kaiser(1, s)",
)
