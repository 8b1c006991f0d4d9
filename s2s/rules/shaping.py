"""Functions that move elements: reshaping, transposing, joining, splitting, selecting."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from s2s import ir
from s2s.ir import Expr
from s2s.rules.kinds import general, keeps_floats, linear, total, zero_like
from s2s.rules.tracing import (
    RuleError,
    Sym,
    call,
    dims,
    h,
    is_array,
    is_list,
    is_literal,
    is_open,
    is_option,
    length,
    listed,
    ndim,
)

VIEWS = frozenset(
    [
        *("numpy.reshape", "numpy.ravel", "numpy.squeeze", "numpy.expand_dims", "numpy.transpose", "numpy.flip"),
        *("numpy.matrix_transpose", "numpy.swapaxes", "numpy.moveaxis", "numpy.flipud", "numpy.fliplr", "numpy.rot90"),
        *("numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d", "numpy.broadcast_to", "numpy.diag"),
        *("numpy.diagonal", "numpy.asarray", "numpy.ascontiguousarray", "numpy.split", "numpy.array_split"),
        *(
            "numpy.vsplit",
            "numpy.hsplit",
            "numpy.real",
            "numpy.imag",
            "numpy.float64",
            "numpy.float32",
            "numpy.nan_to_num",
        ),
        *("numpy.rollaxis", "numpy.asanyarray", "numpy.asfortranarray", "numpy.asarray_chkfinite", "numpy.require"),
        *("numpy.broadcast_arrays", "numpy.unstack", "numpy.dsplit", "numpy.trim_zeros"),
        *("numpy.linalg.matrix_transpose", "numpy.linalg.diagonal"),
        *("helper._expand", "helper._pad_bar", "helper._split_like", "helper._columns_like", "helper._rows_like"),
        "helper._block_diag_bar",
        *("helper._diag_bar", "helper._trim_dot", "builtins.list"),
    ]
)

# Functions that give an array of a vector, and a list of arrays of what has more axes.
LISTS_BY_RANK = frozenset(["numpy.gradient"])

# NumPy's functions without a rule that may give back what they are given, or a view of it.
MAY_SHARE = frozenset(
    f"numpy.{name}" for name in (
        "asanyarray", "asarray_chkfinite", "asfortranarray", "asmatrix", "broadcast_arrays", "ctypeslib.as_array",
        "flatiter", "from_dlpack", "frombuffer", "imag", "ix_", "lib.stride_tricks.as_strided",
        "lib.stride_tricks.sliding_window_view", "ma.array", "ma.asarray", "ma.masked_array",
        "matrix", "ndarray", "nditer", "nested_iters", "permute_dims", "real_if_close", "require",
        "rollaxis", "trim_zeros", "unstack",
    )
) | {"builtins.memoryview"}  # fmt: skip


def may_alias(e: Expr) -> bool:
    """Whether the value of an expression may share memory with a value that it reads."""
    match e:
        case ir.Var() | ir.Index():
            return True
        case ir.Op(fn="operator.ifexp", args=(_, a, b)):
            return _may_be_old(a) or _may_be_old(b)
        case ir.Op(fn="numpy.real" | "numpy.imag", args=(a,)) if not isinstance(a, ir.Const):
            return _may_be_old(a)
        case ir.Op(fn="numpy.conj" | "numpy.conjugate", form=ir.Form.METHOD):  # of a real array: the array
            return True
        case ir.Op(fn="numpy.einsum", args=(_, _)):  # of one operand: a transpose
            return True
        case ir.Op(fn="numpy.diff" | "helper._diff_bar" as fn):  # of order zero: the array
            order = 2 if fn == "helper._diff_bar" else 1
            n = dict(e.options).get("n", e.args[order] if len(e.args) > order else ir.Const(1))
            return not isinstance(n, ir.Const) or n.value == 0
        case ir.Op(fn="numpy.linalg.matrix_power", args=(_, n)):  # to the power of one: the array
            return not isinstance(n, ir.Const) or n.value == 1
        case ir.Op(fn="numpy.array" | "numpy.astype" | "numpy.meshgrid", options=options):
            return dict(options).get("copy", ir.Const(True)) != ir.Const(True)
        case ir.Op(fn="builtins.sum", args=(_, start)):  # of nothing
            return _may_be_old(start)
        case ir.Op(fn=fn):
            return fn in VIEWS or fn in MAY_SHARE
    return False


def _may_be_old(e: Expr) -> bool:
    """The same for what is handed on as it is: a helper, of which the rules know nothing, may give what it is given."""
    return may_alias(e) or (isinstance(e, ir.Op) and e.fn.startswith("local."))


# ---------------------------------------------------------------- one array in another shape


def back(g: Any, x: Any) -> Any:
    """g in the shape of x; a scalar stays a scalar, since a 0-d array could be written through."""
    return np.reshape(g, ())[()] if ndim(x) == 0 else np.reshape(g, np.shape(x))


def reshape_x(g: Any, x: Any, order: Any) -> Any:
    same = order == "C" or ndim(x) == 0 or ndim(x) == ndim(g) == 1  # orders differ between a vector and a matrix
    return back(g, x) if same else np.reshape(g, np.shape(x), order=order)


def ravel_x(g: Any, x: Any, order: Any) -> Any:
    return g if ndim(x) == 1 else reshape_x(g, x, order)


def row_or_column(scope: dict[str, Any]) -> str | None:
    order = scope["order"]
    return None if isinstance(order, str) and order in "CF" else "an order is supported as a literal 'C' or 'F'"


def transpose_x(g: Any, axes: Any) -> Any:
    if axes is None:
        return g if ndim(g) == 0 else g.T
    if not is_literal(axes):
        return np.transpose(g, h._inverse_axes(axes))
    return np.transpose(g, tuple(int(i) for i in np.argsort([a % len(axes) for a in axes])))


def rollaxis_x(g: Any, axis: Any, start: Any) -> Any:
    """The axis goes in front of the axis `start`, and back."""
    if not isinstance(axis, int) or not isinstance(start, int) or min(axis, start) < 0:
        raise RuleError("`np.rollaxis` is supported with axes that are literal and not negative: write np.moveaxis")
    return np.moveaxis(g, start - (start > axis), axis)


def atleast(rank: int) -> Any:
    return lambda g, x: g if (ndim(x) or 0) >= rank else back(g, x)


def total_like(g: Any, x: Any) -> Any:
    """The sum of g over what x was broadcast to."""
    return np.sum(g) if ndim(x) == 0 else h._unbroadcast(g, x)


def filled(g: Any, fill_value: Any) -> Any:
    return total_like(g, fill_value)


def squeeze_x(g: Any, x: Any, axis: Any) -> Any:
    return np.expand_dims(g, axis) if isinstance(axis, int) else back(g, x)


linear(
    "np.reshape(x, shape, order='C')",
    reshape_x,
    check=row_or_column,
    at="np.reshape(M, (4, 3)); np.reshape(T, -1); np.reshape(s, 1); np.reshape(M, (2, 6), order='F'); "
    "np.reshape(v, (2, 2), order='F'); np.reshape(v, 4, order='F')",
)
linear(
    "np.ravel(x, order='C')",
    ravel_x,
    check=row_or_column,
    at="np.ravel(M); np.ravel(v); np.ravel(s); np.ravel(T, 'F')",
)
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
linear(
    "np.full(shape, fill_value, dtype=None)",
    None,
    filled,
    check=keeps_floats,
    at="np.full((2, 3), s); np.full((3, 4), w); np.full(4, s, dtype=float)",
)
linear(
    "np.full_like(a, fill_value, dtype=None)",
    None,
    filled,
    check=keeps_floats,
    at="np.full_like(M, s); np.full_like(M, w); np.full_like(M, s, dtype=float)",
)
linear(
    "np.roll(x, shift, axis=None)",
    lambda g, shift, axis: np.roll(g, opposite(shift), **given(axis)),
    at="np.roll(v, 1); np.roll(M, -2, axis=1); np.roll(M, 3); np.roll(M, (1, 2), axis=(0, 1))",
)
linear("np.flip(x, axis=None)", lambda g, axis: np.flip(g, **given(axis)), at="np.flip(M); np.flip(T, axis=1)")
linear("np.flipud(x)", lambda g: np.flipud(g), at="np.flipud(M)")
linear("np.fliplr(x)", lambda g: np.fliplr(g), at="np.fliplr(M)")
linear(
    "np.rot90(x, k=1, axes=None)",
    lambda g, k, axes: np.rot90(g, -k) if axes is None else np.rot90(g, -k, axes),
    at="np.rot90(M); np.rot90(M, 2); np.rot90(T, 1, (1, 2)); np.rot90(M, one)",
)
linear(
    "np.rollaxis(x, axis, start=0)",
    rollaxis_x,
    at="np.rollaxis(T, 2); np.rollaxis(T, 0, 2); np.rollaxis(T, 1, 3); np.rollaxis(T, 1, 1)",
)
linear("np.diagflat(x, k=0)", lambda g, x, k: back(np.diag(g, k), x), at="np.diagflat(v); np.diagflat(M, -1)")


def triangle_of(part: Any) -> Any:
    def action(g: Any, x: Any, k: Any) -> Any:
        x_bar = part(g) if is_option(k, 0) else part(g, k)
        rank = ndim(x)  # each row of the triangle of a vector is a part of it
        return x_bar if rank is not None and rank > 1 else np.sum(x_bar, axis=0) if rank else h._unbroadcast(x_bar, x)

    return action


linear("np.tril(x, k=0)", triangle_of(np.tril), at="np.tril(M); np.tril(A, -1); np.tril(M, k=one); np.tril(v)")
linear("np.triu(x, k=0)", triangle_of(np.triu), at="np.triu(M); np.triu(A, -1); np.triu(M, k=one); np.triu(v, 1)")


def opposite(shift: Any) -> Any:
    return tuple(-s for s in shift) if isinstance(shift, tuple) else -shift


def given(axis: Any) -> dict[str, Any]:
    return {} if axis is None else {"axis": axis}


# ---------------------------------------------------------------- copies and conversions


def item_x(g: Any, x: Any) -> Any:
    return g if ndim(x) == 0 else g * np.ones_like(x)


def item_dot(g: Any, x: Any) -> Any:
    return g if ndim(x) == 0 else np.sum(g)


def array_x(g: Any, x: Any, item: Any) -> Any:
    if item is not None:
        return g[item]
    return listed(g) if is_list(x) else g


linear("np.copy(x, order='K')", lambda g: g, at="np.copy(M); np.copy(s); np.copy(M, order='F')")
linear("copy.deepcopy(x)", lambda g: g, at="copy.deepcopy(M); copy.deepcopy(s)")
for name in ("ascontiguousarray", "asfortranarray", "asanyarray", "asarray_chkfinite", "require"):
    linear(
        f"np.{name}(x, dtype=None)",
        array_x,
        check=keeps_floats,
        at=f"np.{name}(M); np.{name}(M, dtype=float)" + ("" if name == "require" else f"; np.{name}([s, t])"),
    )
general(
    "np.ndarray.item(x, index=None)",
    jvp=[item_dot],
    vjp=[item_x],
    check=lambda scope: (
        None if scope["index"] is None else "`.item()` is supported without an index: write a subscript"
    ),
    at="np.ndarray.item(one_number); np.ndarray.item(np.array(0.3))",
)
general(
    "np.ndarray.tolist(x)",
    jvp=[lambda g, x: g.tolist() if ndim(x) == 2 else listed(g)],
    vjp=[lambda g, x: call("numpy.array", g, dtype=call("numpy.result_type", x, 0.0))],
    ranks={"x": (1, 2)},
    at="np.ndarray.tolist(v)",
)
linear(
    "np.asarray(x, dtype=None, order=None)",
    array_x,
    check=keeps_floats,
    at="np.asarray(M); np.asarray([s, t]); np.asarray(v, dtype=float); np.asarray(M, order='C')",
)
linear(
    "np.array(x, dtype=None, *, copy=True, order='K')",
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
    return length(x) if is_option(axis, 0) else np.shape(x)[axis]


def piece(g: Any, arrays: Any, item: int, axis: int) -> Any:
    """The part of g that belongs to one of the arrays that were joined along axis."""
    sizes = [extent(a, axis) for a in arrays]
    start = sum(sizes[1:item], sizes[0]) if item else None
    stop = None if item == len(arrays) - 1 else sizes[item] if start is None else start + sizes[item]
    return g[along(axis, slice(start, stop))]


def is_rows(arrays: Any) -> bool:
    """Whether it is one array whose rows are joined: a list of arrays has no rank."""
    return is_array(arrays) and ndim(arrays) is not None


def concatenate_x(g: Any, arrays: Any, item: Any, axis: Any) -> Any:
    if item is None and is_option(axis, 0) and is_rows(arrays):
        return back(g, arrays)
    if not isinstance(arrays, list | tuple) or item is None:
        return h._split_like(g, arrays) if is_option(axis, 0) else h._split_like(g, arrays, axis)
    if not is_literal(axis):
        return h._split_like(g, arrays, axis)[item]
    if axis is None:
        sizes = [np.size(a) for a in arrays]
        start = sum(sizes[1:item], sizes[0]) if item else 0
        return back(g[start : start + sizes[item]], arrays[item])
    return piece(g, arrays, item, axis)


def stack_x(g: Any, arrays: Any, item: Any, axis: Any) -> Any:
    if item is None:
        return listed(g) if is_option(axis, 0) else listed(np.moveaxis(g, axis, 0))
    return g[along(axis, item)] if is_literal(axis) else np.take(g, item, axis=axis)


def hstack_x(g: Any, arrays: Any, item: Any) -> Any:
    if item is None:
        return h._columns_like(g, arrays)
    ranks = {ndim(a) for a in arrays}
    if ranks == {1}:
        return piece(g, arrays, item, 0)
    if ranks - {None} and not ranks & {0, 1}:  # of which all are, where one is a matrix; numbers join vectors
        return piece(g, arrays, item, 1)
    return h._columns_like(g, arrays)[item]


def vstack_x(g: Any, arrays: Any, item: Any) -> Any:
    if item is None and is_rows(arrays):
        return back(g, arrays)
    if item is None:
        return h._rows_like(g, arrays)
    ranks = {ndim(a) for a in arrays}
    if ranks == {1}:
        return g[item]
    if not ranks & {None, 0, 1}:  # vectors join matrices
        return piece(g, arrays, item, 0)
    return h._rows_like(g, arrays)[item]


def dstack_x(g: Any, arrays: Any, item: Any) -> Any:
    if item is None:
        return h._layers_like(g, arrays)
    ranks = {ndim(a) for a in arrays}
    return piece(g, arrays, item, 2) if ranks == {3} else h._layers_like(g, arrays)[item]


def block_x(g: Any, arrays: Any, item: Any) -> Any:
    if item is None:
        raise RuleError("`np.block` is supported for blocks that are written out")
    parts = h._block_bar(g, arrays)
    for i in item if isinstance(item, tuple) else (item,):
        parts = parts[i]
    return parts


def column_stack_x(g: Any, arrays: Any, item: Any) -> Any:
    return columns(g, arrays, item, 1)


def c_x(g: Any, arrays: Any, item: Any) -> Any:
    if item is None and not isinstance(arrays, tuple | str) and not is_slice(arrays):  # np.c_[x], a column
        return back(g, arrays)
    if not isinstance(arrays, tuple) or any(isinstance(a, str) or is_slice(a) for a in arrays):
        raise RuleError("`np.c_` is supported for arrays alone: make the columns by `np.column_stack([a, b])`")
    return columns(g, arrays, item, -1)


def is_slice(a: Any) -> bool:
    return isinstance(a, Sym) and isinstance(a.expr, ir.Slice)


def columns(g: Any, arrays: Any, item: Any, axis: int) -> Any:
    """The cotangent of one of the arrays that are joined side by side; matrices are joined along an axis."""
    if item is None:
        return h._columns_apart(g, arrays)
    ranks = [ndim(a) for a in arrays]
    first = all(rank == 1 for rank in ranks[:item])
    if first and ranks[item] == 1:
        return g[:, item]
    if first and ranks[item] == 2 and item == len(arrays) - 1:
        return g[:, item:]
    if set(ranks) == {2}:
        return piece(g, arrays, item, 1)
    return (h._columns_apart(g, arrays) if axis == 1 else h._columns_apart(g, arrays, axis))[item]


def along_axis(axis: Any) -> dict[str, Any]:
    return {} if is_option(axis, 0) else {"axis": axis}


def whole_axis(g: Any, axis: Any) -> Any:
    return call("numpy.concatenate", g) if is_literal(axis) and axis == 0 else call("numpy.concatenate", g, axis=axis)


linear(
    "np.concatenate(arrays, axis=0)",
    concatenate_x,
    at="np.concatenate([v, w]); np.concatenate((M, T[0], M)); np.concatenate([M, col], axis=1); "
    "np.concatenate([M, col], -1); np.concatenate([M, v], axis=None); np.concatenate(L); "
    "np.concatenate(LU); np.concatenate([M, v, col], axis=None)",
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
    at="np.vstack([v, w]); np.vstack([M, v]); np.vstack([M, M]); np.vstack([s, t]); np.vstack(L); np.vstack(LR)",
)
linear(
    "np.dstack(arrays)",
    dstack_x,
    at="np.dstack([v, w]); np.dstack([M, W]); np.dstack([T, T]); np.dstack([s, t]); np.dstack(L)",
)
linear(
    "np.block(arrays)",
    block_x,
    at="np.block([[A, A], [A, A]]); np.block([v, w]); np.block([[M, col], [w, s]]); np.block([s, v])",
)
linear(
    "np.column_stack(arrays)",
    column_stack_x,
    at="np.column_stack([v, w]); np.column_stack([M, col]); np.column_stack([u, M, u]); np.column_stack([T, T]); "
    "np.column_stack([u, M]); np.column_stack(L); np.column_stack([v])",
)
linear(
    "np.c_(arrays)", c_x, at="np.c_[v, w]; np.c_[M, col]; np.c_[u, M, u]; np.c_[T, T]; np.c_[u, M]; np.c_[v]; np.c_[M]"
)
linear(
    "np.append(a, b)",
    lambda g, a: back(g[: np.size(a)], a),
    lambda g, a, b: back(g[np.size(a) :], b),
    at="np.append(v, s); np.append(M, v)",
)


def pieces_apart(scope: dict[str, Any]) -> str | None:
    """The cotangents of the pieces are joined: literal places are refused that go back, where pieces overlap."""
    places = scope["indices_or_sections"]
    known = isinstance(places, list | tuple) and all(isinstance(i, int) for i in places)
    back = known and any(b < a and (a < 0) == (b < 0) for a, b in pairwise(places))
    return "the places of a split have to ascend: write each piece as a slice" if back else None


def ascends(places: Any) -> bool:
    """Whether no piece overlaps the one before it, whatever the length: a number of sections, or places that are
    counted from one end, in their order."""
    if not isinstance(places, list | tuple):
        return ndim(places) == 0
    known = all(isinstance(i, int) for i in places) and len({i < 0 for i in places}) == 1
    return len(places) < 2 or (known and not any(b < a for a, b in pairwise(places)))


def joined(join: Callable[[Any, Any], Any]) -> Callable[[Any, Any, Any, Any], Any]:
    """The cotangent of what was split: where pieces overlap they are longer together than x, and `reshape` raises."""

    def cotangent(g: Any, x: Any, indices_or_sections: Any, axis: Any) -> Any:
        whole = join(g, axis)
        return whole if ascends(indices_or_sections) else np.reshape(whole, np.shape(x))

    return cotangent


def joined_along(own: int) -> Callable[[Any, Any, Any], Any]:
    """The same, of a function that splits along an axis of its own."""
    return lambda g, x, indices_or_sections: joined(whole_axis)(g, x, indices_or_sections, own)


for function, examples in (
    ("split", "np.split(v, 2); np.split(M, [1, 3], axis=1); np.split(M, 3)"),
    ("array_split", "np.array_split(v, 3); np.array_split(M, 3, axis=1)"),
):
    linear(f"np.{function}(x, indices_or_sections, axis=0)", joined(whole_axis), check=pieces_apart, at=examples)
linear(
    "np.vsplit(x, indices_or_sections)",
    joined_along(0),
    check=pieces_apart,
    at="np.vsplit(M, 3); np.vsplit(M, [1, -1])",
)
linear(
    "np.dsplit(x, indices_or_sections)",
    joined_along(2),
    check=pieces_apart,
    at="np.dsplit(T, 2)",
)
linear(
    "np.hsplit(x, indices_or_sections)",
    lambda g, x, indices_or_sections: joined(lambda g, _: call("numpy.hstack", g))(g, x, indices_or_sections, 1),
    check=pieces_apart,
    at="np.hsplit(M, 2); np.hsplit(v, 2)",
)
if hasattr(np, "unstack"):  # NumPy 2.1
    linear(
        "np.unstack(x, *, axis=0)",
        lambda g, axis: call("numpy.stack", g, **along_axis(axis)),
        at="np.unstack(M); np.unstack(M, axis=1)",
    )

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


MOVING_MODES = ("edge", "reflect", "symmetric", "wrap")


def pad_x(g: Any, x: Any, pad_width: Any, mode: Any, reflect_type: Any) -> Any:
    if mode in MOVING_MODES:
        return h._gather_bar(g, np.pad(h._places(x), pad_width, mode=mode), x)
    if ndim(x) == 1 and isinstance(pad_width, int):
        return g[pad_width : pad_width + length(x)]
    if ndim(x) == 1 and isinstance(pad_width, tuple) and len(pad_width) == 2 and not isinstance(pad_width[0], tuple):
        return g[pad_width[0] : pad_width[0] + length(x)]
    return h._pad_bar(g, x, pad_width)


def pad_dot(g: Any, pad_width: Any, mode: Any) -> Any:
    return np.pad(g, pad_width) if mode == "constant" else np.pad(g, pad_width, mode=mode)


def pad_check(scope: dict[str, Any]) -> str | None:
    if scope["mode"] not in ("constant", *MOVING_MODES) or scope["reflect_type"] != "even":
        return "`np.pad` is supported with the modes constant, edge, reflect, symmetric and wrap"
    return None


def diag_x(g: Any, x: Any, k: Any) -> Any:
    if ndim(x) == 1:
        return np.diag(g) if is_option(k, 0) else np.diag(g, k)
    lengths = dims(x)
    if is_option(k, 0) and lengths is not None and len(lengths) == 2 and lengths[0] == lengths[1]:  # square
        return np.diag(g)
    return h._diag_bar(g, x) if is_option(k, 0) else h._diag_bar(g, x, k)


def diagonal_x(g: Any, x: Any, offset: Any, axis1: Any, axis2: Any) -> Any:
    if ndim(x) == 2 and (axis1, axis2) == (0, 1):
        return h._diag_bar(g, x) if is_option(offset, 0) else h._diag_bar(g, x, offset)
    return h._gather_bar(g, np.diagonal(h._places(x), **diagonal_options(offset, axis1, axis2)), x)


def diagonal_options(offset: Any, axis1: Any, axis2: Any) -> dict[str, Any]:
    more = {} if is_option(offset, 0) else {"offset": offset}
    return more if is_option(axis1, 0) and is_option(axis2, 1) else more | {"axis1": axis1, "axis2": axis2}


def trace_x(g: Any, x: Any, offset: Any, axis1: Any, axis2: Any) -> Any:
    if ndim(x) == 2 and (axis1, axis2) == (0, 1):
        more = {} if is_option(offset, 0) else {"k": offset}
        return g * call("numpy.eye", length(x), np.shape(x)[1], **more, dtype=x.dtype)
    places = np.diagonal(h._places(x), **diagonal_options(offset, axis1, axis2))
    return h._gather_bar(np.expand_dims(g, -1) * np.ones_like(places, dtype=x.dtype), places, x)


def take_x(g: Any, x: Any, indices: Any, axis: Any, mode: Any) -> Any:
    if mode == "raise":
        return h._take_bar(g, x, indices, **given(axis))
    return h._gather_bar(g, np.take(h._places(x), indices, mode=mode, **given(axis)), x)


linear("np.tile(x, reps)", tile_x, at="np.tile(v, 3); np.tile(M, (2, 1, 3)); np.tile(s, 4); np.tile(T, 2)")
linear(
    "np.repeat(x, repeats, axis=None)",
    repeat_x,
    at="np.repeat(v, 3); np.repeat(M, 2, axis=1); np.repeat(M, 2); np.repeat(v, k); np.repeat(s, 3); "
    "np.repeat(M, [0, 2, 1], axis=0)",
)
general(
    "np.pad(x, pad_width, mode='constant', *, constant_values=0, reflect_type='even')",
    jvp=[pad_dot],
    vjp=[pad_x],
    check=pad_check,
    closed={"constant_values": "it has no derivative with respect to the values of the margin"},
    at="np.pad(v, 2, 'edge'); np.pad(M, ((1, 2), (0, 3)), mode='reflect'); np.pad(v, 6, mode='wrap'); "
    "np.pad(v, 3, mode='symmetric'); np.pad(v, 3); np.pad(u, 3); np.pad(u, (1, 2), constant_values=3.0); "
    "np.pad(M, 1); np.pad(M, ((0, 1), (2, 0)))",
)
linear("np.diag(x, k=0)", diag_x, at="np.diag(v); np.diag(v, one); np.diag(M); np.diag(A, 1); np.diag(v, -2)")
linear(
    "np.diagonal(x, offset=0, axis1=0, axis2=1)",
    diagonal_x,
    at="np.diagonal(M); np.diagonal(M, 1); np.diagonal(A, -1); np.diagonal(T, axis1=-2, axis2=-1); np.diagonal(T); "
    "np.diagonal(T, 1, 1, 2)",
)
linear(
    "np.trace(x, offset=0, axis1=0, axis2=1)",
    trace_x,
    at="np.trace(A); np.trace(M); np.trace(M, 2); np.trace(T, axis1=1, axis2=2); np.trace(T)",
)
linear(
    "np.take(x, indices, axis=None, *, mode='raise')",
    take_x,
    at="np.take(v, far, mode='wrap'); np.take(M, far, axis=1, mode='clip'); "
    "np.take(v, k); np.take(M, [0, 0, 2], axis=1); np.take(M, 5); np.take(T, k2, axis=-1); np.take(v, 1)",
)


def cumsum_x(g: Any, x: Any, axis: Any) -> Any:
    if ndim(x) == 1:
        return np.cumsum(g[::-1])[::-1]
    if axis is None:
        return back(np.cumsum(g[::-1])[::-1], x)
    x_bar = np.flip(np.cumsum(np.flip(g, axis), axis), axis)
    return np.reshape(x_bar, np.shape(x)) if is_open(axis) else x_bar


def without_first(g: Any, axis: Any, include_initial: Any) -> Any:
    """The part of g behind the element that `include_initial` puts in front."""
    if not isinstance(include_initial, bool):
        raise RuleError("`np.cumulative_sum` is supported with a literal `include_initial`")
    if include_initial is False:
        return g
    if not isinstance(axis, int | None):
        raise RuleError("`include_initial` is supported with a literal axis")
    return g[along(axis or 0, slice(1, None))]


CUMULATIVE = "x, axis=None, dtype=None"
CUMULATIVE_AT = "np.{0}(v); np.{0}(M, axis=0); np.{0}(T, axis=-1); np.{0}(M); np.{0}(M, axis=one)"

linear(f"np.cumsum({CUMULATIVE})", cumsum_x, check=keeps_floats, at=CUMULATIVE_AT.format("cumsum"))
general(
    f"np.cumprod({CUMULATIVE})",
    jvp=[lambda g, x, axis: h._cumprod_dot(g, x, **given(axis))],
    vjp=[lambda g, x, axis: h._cumprod_bar(g, x, **given(axis))],
    check=keeps_floats,
    at=CUMULATIVE_AT.format("cumprod") + "; np.cumprod(zeros_in, axis=1)",
)
general(
    f"np.nancumsum({CUMULATIVE})",
    jvp=[lambda g, x, axis: np.cumsum(np.where(np.isnan(x), 0.0, g), **given(axis))],
    vjp=[lambda g, x, axis: np.where(np.isnan(x), 0.0, cumsum_x(g, x, axis))],
    check=keeps_floats,
    at="np.nancumsum(v); np.nancumsum(gaps, axis=0); np.nancumsum(gaps)",
)


def ones_for_nan(x: Any) -> Any:
    return np.where(np.isnan(x), 1.0, x)


general(
    f"np.nancumprod({CUMULATIVE})",
    jvp=[lambda g, x, axis: h._cumprod_dot(np.where(np.isnan(x), 0.0, g), ones_for_nan(x), **given(axis))],
    vjp=[lambda g, x, axis: np.where(np.isnan(x), 0.0, h._cumprod_bar(g, ones_for_nan(x), **given(axis)))],
    check=keeps_floats,
    at="np.nancumprod(v); np.nancumprod(gaps, axis=0); np.nancumprod(gaps)",
)
if hasattr(np, "cumulative_sum"):  # NumPy 2.1
    linear(
        "np.cumulative_sum(x, *, axis=None, dtype=None, include_initial=False)",
        lambda g, x, axis, include_initial: cumsum_x(without_first(g, axis, include_initial), x, axis),
        check=keeps_floats,
        at="np.cumulative_sum(v); np.cumulative_sum(M, axis=0); np.cumulative_sum(M, axis=1, include_initial=True); "
        "np.cumulative_sum(v, include_initial=True)",
    )

    general(
        "np.cumulative_prod(x, *, axis=None, dtype=None)",
        jvp=[lambda g, x, axis: h._cumprod_dot(g, x, **given(axis))],
        vjp=[lambda g, x, axis: h._cumprod_bar(g, x, **given(axis))],
        check=keeps_floats,
        at="np.cumulative_prod(v); np.cumulative_prod(M, axis=0)",
    )

# ---------------------------------------------------------------- selecting by places, inserting, deleting

linear(
    "np.take_along_axis(x, indices, axis=-1)",
    lambda g, x, indices, axis: h._gather_bar(g, np.take_along_axis(h._places(x), indices, axis=axis), x),
    at="np.take_along_axis(M, columns, axis=1); np.take_along_axis(v, k, 0); np.take_along_axis(M, k, axis=None)",
)
linear(
    "np.compress(condition, x, axis=None)",
    None,
    lambda g, x, condition, axis: h._gather_bar(g, np.compress(condition, h._places(x), **given(axis)), x),
    at="np.compress(c, v); np.compress(c, M, axis=1); np.compress(c, M)",
)
general(
    "np.ndarray.compress(x, condition, axis=None)",
    jvp=[lambda g, condition, axis: np.compress(condition, g, **given(axis))],
    vjp=[lambda g, x, condition, axis: h._gather_bar(g, np.compress(condition, h._places(x), **given(axis)), x)],
    at="np.ndarray.compress(v, c); np.ndarray.compress(M, c, axis=1)",
)
linear(
    "np.extract(condition, x)",
    None,
    lambda g, x, condition: h._gather_bar(g, np.extract(condition, h._places(x)), x),
    at="np.extract(c, v); np.extract(M > 0.0, M); np.extract(c, M)",
)
linear(
    "np.delete(x, obj, axis=None)",
    lambda g, x, obj, axis: h._gather_bar(g, np.delete(h._places(x), obj, **given(axis)), x),
    at="np.delete(v, 1); np.delete(M, [0, 2], axis=1); np.delete(M, 3); np.delete(v, k)",
)
linear(
    "np.resize(x, new_shape)",
    lambda g, x, new_shape: h._gather_bar(g, np.resize(h._places(x), new_shape), x),
    at="np.resize(v, 7); np.resize(M, (2, 2)); np.resize(M, (5, 5))",
)
linear(
    "np.insert(x, obj, values, axis=None)",
    lambda g, x, obj, values, axis: h._insert_bar(g, x, obj, values, **given(axis))[0],
    None,
    lambda g, x, obj, values, axis: h._insert_bar(g, x, obj, values, **given(axis))[1],
    at="np.insert(v, 1, s); np.insert(v, [1, 3], w[:2]); np.insert(M, 1, w, axis=0); np.insert(M, 2, s, axis=1); "
    "np.insert(M, 5, s); np.insert(v, 0, 1.0)",
)
general(
    "np.trim_zeros(x, trim='fb')",
    jvp=[lambda g, x, out, trim: h._trim_dot(g, x, out, trim)],
    vjp=[lambda g, x, trim: h._trim_bar(g, x, trim)],
    analytic=False,
    at="np.trim_zeros(v); np.trim_zeros(v, 'f')",
)


def choose_x(g: Any, a: Any, choices: Any, item: Any) -> Any:
    if item is None:
        bars = h._choose_bar(g, a, choices)
        return listed(bars) if is_list(choices) else bars
    chosen = a if is_array(a) else call("numpy.asarray", a, like=g)  # a list is not compared item by item
    return total_like(np.where(chosen == item, g, 0.0), choices[item])


def select_x(g: Any, condlist: Any, choicelist: Any, default: Any, item: Any) -> Any:
    if item is None:
        return h._select_bar(g, condlist, choicelist)
    return total_like(
        call("numpy.select", condlist, [g if i == item else 0.0 for i in range(len(choicelist))]), choicelist[item]
    )


def select_default(g: Any, condlist: Any, choicelist: Any, default: Any) -> Any:
    if not isinstance(choicelist, list | tuple):
        taken = reduce(lambda a, b: a | b, condlist) if isinstance(condlist, list | tuple) else np.any(condlist, axis=0)
        return total_like(np.where(taken, 0.0, g), default)
    return total_like(call("numpy.select", condlist, [0.0] * len(choicelist), g), default)


linear(
    "np.choose(a, choices, *, mode='raise')",
    None,
    choose_x,
    check=lambda scope: None if scope["mode"] == "raise" else "`np.choose` is supported with mode='raise'",
    at="np.choose(bits, [v, w]); np.choose(bits, [v, s]); np.choose(bits, M); np.choose(bits, L); "
    "np.choose([0, 1, 1, 0], [v, w])",
)
linear(
    "np.select(condlist, choicelist, default=0)",
    None,
    select_x,
    select_default,
    at="np.select([c, v > 0.0], [v, w]); np.select([c, v > 0.0], [w, s], t); np.select([v > 0.0], [w], w); "
    "np.select([c, v > 0.0, w > 0.0], L); np.select([c, v > 0.0, w > 0.0], L, t); "
    "np.select([c, v > 0.0, w > 0.0], Q); "
    "np.select([c, v > 0.0, w > 0.0], M, w); np.select(np.array([c, v > 0.0]), M[:2], w)",
)

# ---------------------------------------------------------------- grids


GRID = tuple(f"{n}_grid" for n in "xyzuvw")


def grid_names(scope: dict[str, Any]) -> tuple[str, ...]:
    n = len(scope["xi"])
    return GRID[:n] if n <= len(GRID) else tuple(f"grid_{i}" for i in range(n))


def meshgrid_x(g: Any, xi: Any, item: int, sparse: Any, indexing: Any) -> Any:
    if g[item] is None:
        return zero_like(xi[item])
    if sparse:
        return back(g[item], xi[item])
    axis = 1 - item if indexing == "xy" and item < 2 and len(xi) > 1 else item
    others = tuple(i for i in range(len(xi)) if i != axis)
    x_bar = np.sum(g[item], axis=others[0] if len(others) == 1 else others) if others else g[item]
    return x_bar if ndim(xi[item]) == 1 else back(x_bar, xi[item])


def grid_check(scope: dict[str, Any]) -> str | None:
    literal = is_literal(scope["sparse"]) and isinstance(scope["indexing"], str)
    return None if literal else "`np.meshgrid` is supported with literal options"


linear(
    "np.meshgrid(*xi, copy=True, sparse=False, indexing='xy')",
    meshgrid_x,
    results=grid_names,
    smooth=GRID,
    check=grid_check,
    at="np.meshgrid(v, u); np.meshgrid(v, u, w, indexing='ij'); np.meshgrid(v, u, sparse=True); np.meshgrid(v); "
    "np.meshgrid(v, u, w); np.meshgrid(s, v)",
)
linear(
    "np.broadcast_arrays(*args)",
    lambda g, args, item: zero_like(args[item]) if g[item] is None else total_like(g[item], args[item]),
    results=lambda scope: tuple(f"wide_{i}" for i in range(len(scope["args"]))),
    smooth=tuple(f"wide_{i}" for i in range(16)),
    at="np.broadcast_arrays(M, w); np.broadcast_arrays(s, col, v)",
)

# ---------------------------------------------------------------- points in between


Part = Callable[..., Any]


def falling(g: Any, num: Any, endpoint: Any, **dtype: Any) -> Any:
    """The part of the start in each point."""
    return call("numpy.linspace", 1.0, 0.0, num, like=g, **last(endpoint), **dtype)


def rising(g: Any, num: Any, endpoint: Any, **dtype: Any) -> Any:
    """The part of the stop in each point."""
    return call("numpy.linspace", 0.0, 1.0, num, like=g, **last(endpoint), **dtype)


def last(endpoint: Any) -> dict[str, Any]:
    return {} if endpoint is True else {"endpoint": endpoint}


def between_numbers(start: Any, stop: Any) -> bool:
    """Then the parts are multiplied as they are, and have the dtype of the points; else by a helper that sees to it."""
    return ndim(start) == ndim(stop) == 0


def linspace_start(g: Any, start: Any, stop: Any, num: Any, endpoint: Any) -> Any:
    return line_end(g, between_numbers(start, stop), falling, num, endpoint, start)


def linspace_stop(g: Any, start: Any, stop: Any, num: Any, endpoint: Any) -> Any:
    return line_end(g, between_numbers(start, stop), rising, num, endpoint, stop)


def line_end(g: Any, numbers: bool, part: Part, num: Any, endpoint: Any, x: Any) -> Any:
    """The cotangent of one end of np.linspace, which has its part in each point."""
    if numbers:
        return g @ part(g, num, endpoint, dtype=call("numpy.result_type", g, 0.0))
    return total_like(h._scale_rows(g, part(g, num, endpoint)), x)


linear(
    "np.linspace(start, stop, num=50, endpoint=True, *, dtype=None)",
    linspace_start,
    linspace_stop,
    check=keeps_floats,
    at="np.linspace(s, t, 7); np.linspace(s, 3.0); np.linspace(v, w, 5); np.linspace(s, t, 7, endpoint=False)",
)


def exponent_end(g: Any, numbers: bool, part: Part, num: Any, endpoint: Any, x: Any, out: Any) -> Any:
    """The cotangent of one end of the exponents, whose points are the logarithms of out."""
    if numbers:
        return np.sum(part(g, num, endpoint, dtype=call("numpy.result_type", g, 0.0)) * (out * g))
    return total_like(h._scale_rows(out * g, part(g, num, endpoint)), x)


def geomspace_start(g: Any, start: Any, stop: Any, num: Any, endpoint: Any, out: Any) -> Any:
    return exponent_end(g, between_numbers(start, stop), falling, num, endpoint, start, out) / start


def geomspace_stop(g: Any, start: Any, stop: Any, num: Any, endpoint: Any, out: Any) -> Any:
    return exponent_end(g, between_numbers(start, stop), rising, num, endpoint, stop, out) / stop


def logspace_start(g: Any, start: Any, stop: Any, num: Any, endpoint: Any, base: Any, out: Any) -> Any:
    return np.log(base) * exponent_end(g, between_numbers(start, stop), falling, num, endpoint, start, out)


def logspace_stop(g: Any, start: Any, stop: Any, num: Any, endpoint: Any, base: Any, out: Any) -> Any:
    return np.log(base) * exponent_end(g, between_numbers(start, stop), rising, num, endpoint, stop, out)


def geomspace_dot(start: Any, stop: Any, num: Any, endpoint: Any, out: Any, start_dot: Any, stop_dot: Any) -> Any:
    start_dot = None if start_dot is None else start_dot / start
    stop_dot = None if stop_dot is None else stop_dot / stop
    return points_dot(between_numbers(start, stop), num, endpoint, out, start_dot, stop_dot)


def logspace_dot(
    start: Any, stop: Any, num: Any, endpoint: Any, base: Any, out: Any, start_dot: Any, stop_dot: Any
) -> Any:
    return np.log(base) * points_dot(between_numbers(start, stop), num, endpoint, out, start_dot, stop_dot)


def points_dot(numbers: bool, num: Any, endpoint: Any, out: Any, start_dot: Any, stop_dot: Any) -> Any:
    """out times the tangent of the exponents, which lie evenly between those of start and stop."""
    pairs = [(part, dot) for part, dot in [(falling, start_dot), (rising, stop_dot)] if dot is not None]
    if numbers:
        return out * total([part(out, num, endpoint, dtype=out.dtype) * dot for part, dot in pairs])
    return total([h._scale_rows(out * dot, part(out, num, endpoint)) for part, dot in pairs])


BASE = {"base": "it has no derivative with respect to the base: write `base ** np.linspace(...)`"}
general(
    "np.geomspace(start, stop, num=50, endpoint=True)",
    jvp=geomspace_dot,
    vjp=[geomspace_start, geomspace_stop],
    analytic=False,
    at="np.geomspace(positive, 3.0, 7); np.geomspace(positive, positive * 5.0, 4, endpoint=False); "
    "np.geomspace(p, 3.0, 4); np.geomspace(p, positive, 5); "
    "np.geomspace(positive, p + 2.0, 5, endpoint=False); np.geomspace(p2, p + 2.0, 3)",
)
general(
    "np.logspace(start, stop, num=50, endpoint=True, base=10.0)",
    jvp=logspace_dot,
    vjp=[logspace_start, logspace_stop],
    closed=BASE,
    at="np.logspace(s, t, 5); np.logspace(s, 2.0, 4, endpoint=False, base=2.0); "
    "np.logspace(v, s, 3); np.logspace(s, v, 4, endpoint=False, base=2.0); np.logspace(p2, v, 3)",
)
