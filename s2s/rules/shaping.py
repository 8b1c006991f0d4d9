"""Functions that move elements: reshaping, transposing, joining, splitting, selecting."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s import ir
from s2s.ir import Expr
from s2s.rules.kinds import general, keeps_floats, linear
from s2s.rules.tracing import RuleError, Sym, call, dims, h, is_list, is_literal, length, listed, ndim

VIEWS = frozenset(
    [
        *("numpy.reshape", "numpy.ravel", "numpy.squeeze", "numpy.expand_dims", "numpy.transpose", "numpy.flip"),
        *("numpy.matrix_transpose", "numpy.swapaxes", "numpy.moveaxis", "numpy.flipud", "numpy.fliplr", "numpy.rot90"),
        *("numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d", "numpy.broadcast_to", "numpy.diag"),
        *("numpy.diagonal", "numpy.asarray", "numpy.ascontiguousarray", "numpy.split", "numpy.array_split"),
        *("numpy.vsplit", "numpy.hsplit", "numpy.real", "numpy.float64", "numpy.float32", "numpy.nan_to_num"),
        *("helper._expand", "helper._pad_bar", "helper._split_like", "helper._columns_like", "helper._rows_like"),
        *("helper._diff_bar", "helper._diag_bar", "builtins.list"),
    ]
)


def may_alias(e: Expr) -> bool:
    """Whether the value of an expression may share memory with a value that it reads."""
    match e:
        case ir.Var() | ir.Index():
            return True
        case ir.Op(fn="operator.ifexp", args=(_, a, b)):
            return may_alias(a) or may_alias(b)
        case ir.Op(fn="numpy.einsum", args=(_, _)):  # of one operand: a transpose
            return True
        case ir.Op(fn=fn):
            return fn in VIEWS
    return False


# ---------------------------------------------------------------- one array in another shape


def back(g: Any, x: Any) -> Any:
    """g in the shape of x; a scalar stays a scalar, since a 0-d array could be written through."""
    return np.reshape(g, ())[()] if ndim(x) == 0 else np.reshape(g, np.shape(x))


def ravel_x(g: Any, x: Any) -> Any:
    return g if ndim(x) == 1 else back(g, x)


def transpose_x(g: Any, axes: Any) -> Any:
    if axes is None:
        return g.T
    if not is_literal(axes):
        return np.transpose(g, np.argsort(axes))
    return np.transpose(g, tuple(int(i) for i in np.argsort([a % len(axes) for a in axes])))


def atleast(rank: int) -> Any:
    return lambda g, x: g if (ndim(x) or 0) >= rank else back(g, x)


def total_like(g: Any, x: Any) -> Any:
    """The sum of g over what x was broadcast to."""
    return np.sum(g) if ndim(x) == 0 else h._unbroadcast(g, x)


def filled(g: Any, fill_value: Any) -> Any:
    return total_like(g, fill_value)


def squeeze_x(g: Any, x: Any, axis: Any) -> Any:
    return np.expand_dims(g, axis) if isinstance(axis, int) else back(g, x)


linear("np.reshape(x, shape)", back, at="np.reshape(M, (4, 3)); np.reshape(T, -1); np.reshape(s, 1)")
linear("np.ravel(x)", ravel_x, at="np.ravel(M); np.ravel(v); np.ravel(s)")
linear("np.squeeze(x, axis=None)", squeeze_x, at="np.squeeze(np.reshape(M, (1, 3, 1, 4))); np.squeeze(col, axis=1)")
linear("np.expand_dims(x, axis)", back, at="np.expand_dims(v, 0); np.expand_dims(M, (0, 3)); np.expand_dims(s, 0)")
linear("np.transpose(x, axes=None)", transpose_x, at="np.transpose(M); M.T; np.transpose(T, (1, 2, 0)); v.T")
linear("np.matrix_transpose(x)", lambda g: np.swapaxes(g, -1, -2), at="np.matrix_transpose(T)")
linear(
    "np.swapaxes(x, axis1, axis2)",
    lambda g, axis1, axis2: np.swapaxes(g, axis1, axis2),
    at="np.swapaxes(T, 0, 2); np.swapaxes(M, -1, 0)",
)
linear(
    "np.moveaxis(x, source, destination)",
    lambda g, source, destination: np.moveaxis(g, destination, source),
    at="np.moveaxis(T, 0, -1); np.moveaxis(T, (0, 1), (2, 0))",
)
linear("np.atleast_1d(x)", atleast(1), at="np.atleast_1d(s); np.atleast_1d(M)")
linear("np.atleast_2d(x)", atleast(2), at="np.atleast_2d(s); np.atleast_2d(v); np.atleast_2d(M)")
linear("np.atleast_3d(x)", atleast(3), at="np.atleast_3d(v); np.atleast_3d(M); np.atleast_3d(T)")
linear(
    "np.broadcast_to(x, shape)",
    total_like,
    at="np.broadcast_to(w, (3, 4)); np.broadcast_to(s, (2, 3)); np.broadcast_to(col, (3, 4))",
)
linear("np.full(shape, fill_value)", None, filled, at="np.full((2, 3), s); np.full((3, 4), w)")
linear("np.full_like(a, fill_value)", None, filled, at="np.full_like(M, s); np.full_like(M, w)")
linear(
    "np.roll(x, shift, axis=None)",
    lambda g, shift, axis: np.roll(g, opposite(shift), **given(axis)),
    at="np.roll(v, 1); np.roll(M, -2, axis=1); np.roll(M, 3); np.roll(M, (1, 2), axis=(0, 1))",
)
linear("np.flip(x, axis=None)", lambda g, axis: np.flip(g, **given(axis)), at="np.flip(M); np.flip(T, axis=1)")
linear("np.flipud(x)", lambda g: np.flipud(g), at="np.flipud(M)")
linear("np.fliplr(x)", lambda g: np.fliplr(g), at="np.fliplr(M)")
linear("np.rot90(x, k=1)", lambda g, k: np.rot90(g, -k), at="np.rot90(M); np.rot90(M, 2)")
linear(
    "np.tril(x, k=0)", lambda g, k: np.tril(g, k) if k else np.tril(g), at="np.tril(M); np.tril(A, -1); np.tril(M, k=1)"
)
linear(
    "np.triu(x, k=0)", lambda g, k: np.triu(g, k) if k else np.triu(g), at="np.triu(M); np.triu(A, -1); np.triu(M, k=1)"
)


def opposite(shift: Any) -> Any:
    return tuple(-s for s in shift) if isinstance(shift, tuple) else -shift


def given(axis: Any) -> dict[str, Any]:
    return {} if axis is None else {"axis": axis}


# ---------------------------------------------------------------- copies and conversions


def array_x(g: Any, x: Any, item: Any) -> Any:
    if item is not None:
        return g[item]
    return listed(g) if is_list(x) else g


linear("np.copy(x)", lambda g: g, at="np.copy(M); np.copy(s)")
linear("np.ascontiguousarray(x)", lambda g: g, at="np.ascontiguousarray(M)")
linear(
    "np.asarray(x, dtype=None)",
    array_x,
    check=keeps_floats,
    at="np.asarray(M); np.asarray([s, t]); np.asarray(v, dtype=float)",
)
linear(
    "np.array(x, dtype=None, copy=True)",
    array_x,
    check=keeps_floats,
    at="np.array(M); np.array([s, t, 1.0]); np.array([[s, 0.0], [t, s]]); np.array([v, w]); "
    "np.array([s, t], dtype=float); np.array(L); np.array(Q)",
)
linear("np.astype(x, dtype)", lambda g: g, check=keeps_floats, at="np.astype(M, float)")

# ---------------------------------------------------------------- joining and splitting


def along(axis: int, key: Any) -> Any:
    """The subscript that applies `key` to one axis."""
    if axis == 0:
        return key
    return (..., key, *(slice(None),) * (-1 - axis)) if axis < 0 else (*(slice(None),) * axis, key)


def extent(x: Any, axis: int) -> Any:
    return length(x) if axis == 0 else np.shape(x)[axis]


def piece(g: Any, arrays: Any, item: int, axis: int) -> Any:
    """The part of g that belongs to one of the arrays that were joined along axis."""
    sizes = [extent(a, axis) for a in arrays]
    start = sum(sizes[1:item], sizes[0]) if item else None
    stop = None if item == len(arrays) - 1 else sizes[item] if start is None else start + sizes[item]
    return g[along(axis, slice(start, stop))]


def concatenate_x(g: Any, arrays: Any, item: Any, axis: Any) -> Any:
    if not isinstance(arrays, list | tuple) or item is None:
        return h._split_like(g, arrays, axis) if axis != 0 else h._split_like(g, arrays)
    if not is_literal(axis):
        return h._split_like(g, arrays, axis)[item]
    if axis is None:
        sizes = [np.size(a) for a in arrays]
        start = sum(sizes[1:item], sizes[0]) if item else 0
        return back(g[start : start + sizes[item]], arrays[item])
    return piece(g, arrays, item, axis)


def stack_x(g: Any, arrays: Any, item: Any, axis: Any) -> Any:
    if item is None:
        return listed(g) if axis == 0 else listed(np.moveaxis(g, axis, 0))
    return g[along(axis, item)] if is_literal(axis) else np.take(g, item, axis=axis)


def hstack_x(g: Any, arrays: Any, item: Any) -> Any:
    if item is None:
        return h._columns_like(g, arrays)
    ranks = {ndim(a) for a in arrays} - {None}
    if ranks and ranks <= {1}:
        return piece(g, arrays, item, 0)
    if ranks and 0 not in ranks and 1 not in ranks:
        return piece(g, arrays, item, 1)
    return h._columns_like(g, arrays)[item]


def vstack_x(g: Any, arrays: Any, item: Any) -> Any:
    if item is None:
        return h._rows_like(g, arrays)
    ranks = {ndim(a) for a in arrays}
    if ranks == {1}:
        return g[item]
    if ranks - {None} and 0 not in ranks and 1 not in ranks:
        return piece(g, arrays, item, 0)
    return h._rows_like(g, arrays)[item]


def column_stack_x(g: Any, arrays: Any, item: Any) -> Any:
    ranks = {ndim(a) for a in arrays} if item is not None else {None}
    if ranks == {1}:
        return g[:, item]
    if ranks == {2}:
        return piece(g, arrays, item, 1)
    raise RuleError("`np.column_stack` is supported for vectors, or matrices, whose ranks are known")


def whole_axis(g: Any, axis: Any) -> Any:
    return call("numpy.concatenate", g) if is_literal(axis) and axis == 0 else call("numpy.concatenate", g, axis=axis)


linear(
    "np.concatenate(arrays, axis=0)",
    concatenate_x,
    at="np.concatenate([v, w]); np.concatenate((M, T[0], M)); np.concatenate([M, col], axis=1); "
    "np.concatenate([M, col], -1); np.concatenate([M, v], axis=None); np.concatenate(L)",
)
linear(
    "np.stack(arrays, axis=0)",
    stack_x,
    at="np.stack([v, w]); np.stack([M, M], axis=1); np.stack((v, w), axis=-1); np.stack([s, t]); "
    "np.stack(L); np.stack(L, axis=1)",
)
linear(
    "np.hstack(arrays)",
    hstack_x,
    at="np.hstack([v, w, u]); np.hstack([M, col]); np.hstack([s, v]); np.hstack([s, t]); np.hstack(L)",
)
linear(
    "np.vstack(arrays)",
    vstack_x,
    at="np.vstack([v, w]); np.vstack([M, v]); np.vstack([M, M]); np.vstack([s, t]); np.vstack(L)",
)
linear("np.column_stack(arrays)", column_stack_x, at="np.column_stack([v, w]); np.column_stack([M, col])")
linear(
    "np.append(a, b)",
    lambda g, a: back(g[: np.size(a)], a),
    lambda g, a, b: back(g[np.size(a) :], b),
    at="np.append(v, s); np.append(M, v)",
)
linear(
    "np.split(x, indices_or_sections, axis=0)",
    whole_axis,
    at="np.split(v, 2); np.split(M, [1, 3], axis=1); np.split(M, 3)",
)
linear(
    "np.array_split(x, indices_or_sections, axis=0)",
    whole_axis,
    at="np.array_split(v, 3); np.array_split(M, 3, axis=1)",
)
linear("np.vsplit(x, indices_or_sections)", lambda g: call("numpy.concatenate", g), at="np.vsplit(M, 3)")
linear("np.hsplit(x, indices_or_sections)", lambda g: call("numpy.hstack", g), at="np.hsplit(M, 2); np.hsplit(v, 2)")

# ---------------------------------------------------------------- repeating, padding, selecting


def tile_x(g: Any, x: Any, reps: Any) -> Any:
    if ndim(x) == 0:
        return np.sum(g)
    if ndim(x) == 1 and isinstance(reps, int):
        return np.sum(np.reshape(g, (reps, length(x))), axis=0)
    return h._tile_bar(g, x, reps)


def repeat_x(g: Any, x: Any, repeats: Any, axis: Any) -> Any:
    if ndim(x) == 0:
        return np.sum(g)
    if ndim(x) == 1 and isinstance(repeats, int):
        return np.sum(np.reshape(g, (length(x), repeats)), axis=1)
    return h._repeat_bar(g, x, repeats, **given(axis))


def pad_x(g: Any, x: Any, pad_width: Any) -> Any:
    if ndim(x) == 1 and isinstance(pad_width, int):
        return g[pad_width : pad_width + length(x)]
    if ndim(x) == 1 and isinstance(pad_width, tuple) and len(pad_width) == 2 and not isinstance(pad_width[0], tuple):
        return g[pad_width[0] : pad_width[0] + length(x)]
    return h._pad_bar(g, x, pad_width)


def zero_padding(scope: dict[str, Any]) -> str | None:
    if scope["mode"] != "constant":
        return "`np.pad` is supported with mode='constant' only"
    return None


def diag_x(g: Any, x: Any, k: Any) -> Any:
    if ndim(x) == 1:
        return np.diag(g, k) if k != 0 else np.diag(g)
    lengths = dims(x)
    if k == 0 and lengths is not None and len(lengths) == 2 and lengths[0] == lengths[1]:  # square
        return np.diag(g)
    return h._diag_bar(g, x, k) if k != 0 else h._diag_bar(g, x)


def diagonal_x(g: Any, x: Any, offset: Any) -> Any:
    if ndim(x) not in (2, None):
        raise RuleError("`np.diagonal` is supported for matrices only")
    return h._diag_bar(g, x, offset) if offset != 0 else h._diag_bar(g, x)


def trace_x(g: Any, x: Any, offset: Any) -> Any:
    if ndim(x) not in (2, None):
        raise RuleError("`np.trace` is supported for matrices only")
    more = {} if not isinstance(offset, Sym) and offset == 0 else {"k": offset}
    return g * call("numpy.eye", length(x), np.shape(x)[1], **more, dtype=x.dtype)


def take_x(g: Any, x: Any, indices: Any, axis: Any) -> Any:
    return h._take_bar(g, x, indices, **given(axis))


def diff_x(g: Any, x: Any, n: Any, axis: Any) -> Any:
    if ndim(x) == 1 and n == 1:
        return -np.diff(np.pad(g, 1))
    return h._diff_bar(g, n, axis)


def cumsum_x(g: Any, x: Any, axis: Any) -> Any:
    if ndim(x) == 1:
        return np.cumsum(g[::-1])[::-1]
    if axis is None:
        return back(np.cumsum(g[::-1])[::-1], x)
    return np.flip(np.cumsum(np.flip(g, axis), axis), axis)


linear("np.tile(x, reps)", tile_x, at="np.tile(v, 3); np.tile(M, (2, 1, 3)); np.tile(s, 4); np.tile(T, 2)")
linear(
    "np.repeat(x, repeats, axis=None)",
    repeat_x,
    at="np.repeat(v, 3); np.repeat(M, 2, axis=1); np.repeat(M, 2); np.repeat(v, k); np.repeat(s, 3); "
    "np.repeat(M, [0, 2, 1], axis=0)",
)
general(
    "np.pad(x, pad_width, mode='constant', constant_values=0)",
    jvp=[lambda g, pad_width: np.pad(g, pad_width)],
    vjp=[pad_x],
    check=zero_padding,
    at="np.pad(v, 3); np.pad(v, (1, 2), constant_values=3.0); np.pad(M, 1); np.pad(M, ((0, 1), (2, 0)))",
)
linear("np.diag(x, k=0)", diag_x, at="np.diag(v); np.diag(M); np.diag(A, 1); np.diag(v, -2)")
linear("np.diagonal(x, offset=0)", diagonal_x, at="np.diagonal(M); np.diagonal(M, 1); np.diagonal(A, -1)")
linear("np.trace(x, offset=0)", trace_x, at="np.trace(A); np.trace(M); np.trace(M, 1)")
linear(
    "np.take(x, indices, axis=None)",
    take_x,
    at="np.take(v, k); np.take(M, [0, 0, 2], axis=1); np.take(M, 5); np.take(T, k2, axis=-1); np.take(v, 1)",
)
linear("np.diff(x, n=1, axis=-1)", diff_x, at="np.diff(v); np.diff(M); np.diff(T, axis=0); np.diff(v, 2)")
general(
    "np.cumprod(x, axis=None)",
    jvp=[lambda g, x, out, axis: h._cumprod_dot(g, x, **given(axis))],
    vjp=[lambda g, x, axis: h._cumprod_bar(g, x, **given(axis))],
    at="np.cumprod(v); np.cumprod(M, axis=0); np.cumprod(M); np.cumprod(zeros_in, axis=1)",
)
linear(
    "np.cumsum(x, axis=None)", cumsum_x, at="np.cumsum(v); np.cumsum(M, axis=0); np.cumsum(T, axis=-1); np.cumsum(M)"
)


def linspace_start(g: Any, start: Any, stop: Any, num: Any) -> Any:
    return line_end(g, start, stop, call("numpy.linspace", 1.0, 0.0, num, like=g), start)


def linspace_stop(g: Any, start: Any, stop: Any, num: Any) -> Any:
    return line_end(g, start, stop, call("numpy.linspace", 0.0, 1.0, num, like=g), stop)


def line_end(g: Any, start: Any, stop: Any, weights: Any, x: Any) -> Any:
    """The cotangent of one end of np.linspace, which enters point k with weights[k]."""
    if ndim(start) == ndim(stop) == 0:
        return g @ weights
    return total_like(h._scale_rows(g, weights), x)


linear(
    "np.linspace(start, stop, num=50)",
    linspace_start,
    linspace_stop,
    at="np.linspace(s, t, 7); np.linspace(s, 3.0); np.linspace(v, w, 5)",
)
