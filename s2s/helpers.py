"""The few functions that a generated module may carry: NumPy only, short, right for every rank.

A function of this file is copied as text into a module that calls it, so it uses nothing but `np` and its fellows
here. Their names start with an underscore and never end up in the public interface of a generated module.
"""

from __future__ import annotations

import ast
import builtins
import copy
import linecache
from collections.abc import Collection
from functools import cache
from types import CodeType, FunctionType

import numpy as np

# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call"


def _unbroadcast(g, like):
    """Sum g over the axes along which like was broadcast."""
    if isinstance(like, (int, float, complex)) or np.shape(g) == np.shape(like):
        return 1.0 * g if isinstance(g, float) or np.ndim(like) else np.sum(g)
    dims = np.shape(like)
    g = np.broadcast_to(g, np.broadcast_shapes(np.shape(g), dims))
    g = np.sum(g, axis=tuple(range(np.ndim(g) - len(dims))))
    return np.sum(g, axis=tuple(i for i, n in enumerate(dims) if n == 1), keepdims=True)


def _total(g):
    """The sum of all elements of g, an array or a number."""
    return g if isinstance(g, float) else np.sum(g)


def _last_stored(g, key):
    """g[key], zero where a store under this key writes a value that a later one overwrites."""
    if all(np.ndim(k) == 0 for k in (key if isinstance(key, tuple) else (key,))):
        return 1.0 * g[key]
    values = g[key]
    order = np.reshape(np.arange(np.size(values)), np.shape(values))
    stored = np.empty(np.shape(g), dtype=int)
    stored[key] = order
    return np.where(stored[key] == order, values, 0.0)


def _each_once(key, shape):
    """A key that names the same items of an array of this shape, each of them once."""
    keys = [np.asarray(k) for k in (key if isinstance(key, tuple) else (key,))]
    each = [np.nonzero(k) if k.dtype == bool else (k.astype(int),) for k in keys]
    axes = [k % n for k, n in zip(sum(each, ()), shape, strict=False)]
    dims = shape[: len(axes)]
    return np.unravel_index(np.unique(np.ravel_multi_index(axes, dims)), dims)


def _overlaps(a, held):
    """Whether an array shares memory with another, or with one in a list, tuple, dict or object of them."""
    if hasattr(held, "__dict__") and not isinstance(held, np.ndarray):
        held = vars(held)
    if isinstance(held, dict):
        held = list(held.values())
    if isinstance(held, (list, tuple)):
        return any(_overlaps(a, v) for v in held)
    return np.shares_memory(a, held)


def _zeros_like(x):
    """A zero cotangent for x: a number, an array, or a list, tuple, dict or object of them."""
    if isinstance(x, float):
        return 0.0
    if isinstance(x, dict):
        return {k: _zeros_like(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [_zeros_like(v) for v in x]
    if hasattr(x, "__dict__"):
        zeros = x.__class__.__new__(x.__class__)
        zeros.__dict__.update(_zeros_like(vars(x)))
        return zeros
    return np.zeros_like(x, dtype=np.result_type(x, 0.0)) if np.ndim(x) else 0.0


def _added(a, b):
    """a + b: numbers, arrays, or lists, dicts or objects of them, item by item."""
    if isinstance(a, dict):
        return {k: _added(v, b[k]) for k, v in a.items()}
    if isinstance(a, (list, tuple)):
        return [_added(v, w) for v, w in zip(a, b, strict=True)]
    if hasattr(a, "__dict__"):
        total = a.__class__.__new__(a.__class__)
        total.__dict__.update({k: _added(v, getattr(b, k)) for k, v in vars(a).items()})
        return total
    return a + b


def _holds(x, *names):
    """Whether an object holds attributes, and computes none of them: a property has a function for that."""
    kinds = [getattr(type(x), n, None) for n in names]
    return x is not None and not any(hasattr(k, "fget") or hasattr(k, "func") for k in kinds)


def _put_back(d, key, old):
    """d[key] as it was before a store: old, or no entry where that is None."""
    if old is None:
        del d[key]
    else:
        d[key] = old


def _add_at(total, key, g):
    """total[key] += g: an item of a list, or items of an array, however often the key names them."""
    if isinstance(total, np.ndarray):
        np.add.at(total, key, g)
    else:
        total[key] = _added(total[key], g)


def _inverse_axes(axes):
    """The axes that undo np.transpose(x, axes)."""
    return None if axes is None else np.argsort(np.mod(axes, len(axes)))


def _count(shape, axis):
    """The number of elements of an array that go into one element of a reduction over axis."""
    return int(np.prod(shape if axis is None else np.take(shape, axis)))


def _expand(e, axis, keepdims):
    """A reduction's result with the reduced axes back as length 1."""
    return e if axis is None or keepdims else np.expand_dims(e, axis)


def _matmul_bar_a(g, a, b):
    """Cotangent of a in a @ b, for operands of any rank."""
    if np.ndim(b) == 2:
        return g @ np.transpose(b)
    if np.ndim(b) == 1 and np.ndim(a) < 3:
        return np.outer(g, b) if np.ndim(a) == 2 else np.multiply(g, b)
    g = np.asarray(g, np.result_type(g, b))
    g = np.expand_dims(g, -1) if np.ndim(b) == 1 else g
    b = np.expand_dims(b, -1) if np.ndim(b) == 1 else b
    if np.ndim(a) == 1:
        a_bar = np.sum(np.expand_dims(g, -2) * b, axis=-1)
    else:
        a_bar = g @ np.swapaxes(b, -1, -2)
    return np.sum(a_bar, axis=tuple(range(np.ndim(a_bar) - 1))) if np.ndim(a) == 1 else _unbroadcast(a_bar, a)


def _matmul_bar_b(g, a, b):
    """Cotangent of b in a @ b, for operands of any rank."""
    if np.ndim(a) == 2 and np.ndim(b) < 3:
        return np.transpose(a) @ g
    if np.ndim(a) == 1 and np.ndim(b) < 3:
        return np.outer(a, g) if np.ndim(b) == 2 else np.multiply(g, a)
    g = np.asarray(g, np.result_type(g, a))
    g = np.expand_dims(g, -2) if np.ndim(a) == 1 and np.ndim(b) > 1 else g
    g = np.expand_dims(g, -1) if np.ndim(b) == 1 else g
    a = np.expand_dims(a, 0) if np.ndim(a) == 1 and np.ndim(b) > 1 else a
    b_bar = np.swapaxes(a, -1, -2) @ g
    return np.sum(b_bar[..., 0], axis=tuple(range(np.ndim(b_bar) - 2))) if np.ndim(b) == 1 else _unbroadcast(b_bar, b)


def _dot_bar_a(g, a, b):
    """Cotangent of a in np.dot(a, b), for operands of any rank."""
    if np.ndim(a) == 0:
        return np.sum(g * b)
    if np.ndim(b) == 0 or np.ndim(a) == np.ndim(b) == 1:
        return np.multiply(g, b)
    b = np.moveaxis(b, -2, -1) if np.ndim(b) > 1 else np.asarray(b)
    return np.tensordot(np.asarray(g, np.result_type(g, b)), b, axes=np.ndim(b) - 1)


def _dot_bar_b(g, a, b):
    """Cotangent of b in np.dot(a, b), for operands of any rank."""
    if np.ndim(a) == 2 and 0 < np.ndim(b) < 3:
        return np.transpose(a) @ g
    if np.ndim(a) == 0 or np.ndim(a) == np.ndim(b) == 1:
        return np.multiply(g, a)
    if np.ndim(b) == 0:
        return np.sum(g * a)
    axes = tuple(range(np.ndim(a) - 1))
    b_bar = np.tensordot(a, np.asarray(g, np.result_type(g, a)), axes=(axes, axes))
    return np.moveaxis(b_bar, 0, -2) if np.ndim(b) > 1 else b_bar


def _prod_of_others(x, axis=None):
    """For each element of x, the product of the other elements along axis: no division, so exact at zeros."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else tuple(np.atleast_1d(axis) % max(x.ndim, 1))
    order = tuple(i for i in range(x.ndim) if i not in axes) + axes
    moved = np.transpose(x, order)
    kept = moved.shape[: x.ndim - len(axes)]
    count = int(np.prod(moved.shape[len(kept) :]))
    rows = np.reshape(moved, kept + (count,))
    one = np.ones_like(rows[..., :1])
    before = np.cumprod(np.concatenate([one, rows[..., :-1]], axis=-1), axis=-1)
    after = np.cumprod(np.concatenate([one, rows[..., :0:-1]], axis=-1), axis=-1)[..., ::-1]
    return np.transpose(np.reshape(before * after, moved.shape), np.argsort(order))


def _sinc_slope(x):
    """The derivative of np.sinc; by its series where the quotient cancels."""
    t = np.pi * np.asarray(x)
    near = np.abs(t) < 0.01
    d = np.where(near, 1.0, t)
    slope = np.where(near, -t / 3.0 + t**3 / 30.0 - t**5 / 840.0, np.cos(d) / d - np.sin(d) / d**2)
    return np.pi * slope


def _exprel_slope(x):
    """The derivative of (exp(x) - 1) / x; by its series where the quotient cancels."""
    near = np.abs(x) < 0.01
    d = np.where(near, 1.0, x)
    series = 0.5 + x / 3.0 + x**2 / 8.0 + x**3 / 30.0 + x**4 / 144.0
    return np.where(near, series, (np.exp(d) - np.expm1(d) / d) / d)[()]


def _inner_bar_a(g, a, b):
    """Cotangent of a in np.inner(a, b), for operands of any rank."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.sum(g * b) if np.ndim(a) == 0 else g * b
    return np.tensordot(np.asarray(g, np.result_type(g, b)), b, axes=np.ndim(b) - 1)


def _inner_bar_b(g, a, b):
    """Cotangent of b in np.inner(a, b), for operands of any rank."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.sum(g * a) if np.ndim(b) == 0 else g * a
    axes = tuple(range(np.ndim(a) - 1))
    return np.tensordot(np.asarray(g, np.result_type(g, a)), a, axes=(axes, axes))


def _kron_shapes(a, b):
    """The shapes of a and b with as many axes, and those of the blocks of np.kron(a, b)."""
    rank = max(np.ndim(a), np.ndim(b))
    of_a, of_b = (1,) * (rank - np.ndim(a)) + np.shape(a), (1,) * (rank - np.ndim(b)) + np.shape(b)
    return of_a, of_b, tuple(n for pair in zip(of_a, of_b, strict=True) for n in pair)


def _kron_bar_a(g, a, b):
    """Cotangent of a in np.kron(a, b): g by blocks, each times b."""
    _, of_b, of_blocks = _kron_shapes(a, b)
    blocks = np.reshape(g, of_blocks)
    other = np.expand_dims(np.reshape(b, of_b), tuple(range(0, 2 * len(of_b), 2)))
    return np.reshape(np.sum(blocks * other, axis=tuple(range(1, 2 * len(of_b), 2))), np.shape(a))[()]


def _kron_bar_b(g, a, b):
    """Cotangent of b in np.kron(a, b): the sum of the blocks of g, each times its element of a."""
    of_a, _, of_blocks = _kron_shapes(a, b)
    blocks = np.reshape(g, of_blocks)
    other = np.expand_dims(np.reshape(a, of_a), tuple(range(1, 2 * len(of_a), 2)))
    return np.reshape(np.sum(blocks * other, axis=tuple(range(0, 2 * len(of_a), 2))), np.shape(b))[()]


def _cross_bar(left, right, like, axis=-1):
    """Cotangent of the operand `like` in np.cross, the product of the other one and that of the result, in order."""
    if np.shape(left)[axis] != 3 or np.shape(right)[axis] != 3:
        raise ValueError("no derivative: np.cross of vectors of two elements")
    moved = np.cross(np.moveaxis(left, axis, -1), np.moveaxis(right, axis, -1))
    return np.moveaxis(_unbroadcast(moved, np.moveaxis(like, axis, -1)), -1, axis)


def _tensordot_axes(a, b, axes):
    """The summed and the free axes of a and b in np.tensordot(a, b, axes), each counted from 0."""
    m, n = np.ndim(a), np.ndim(b)
    left, right = (range(m - axes, m), range(axes)) if np.ndim(axes) == 0 else axes
    left, right = [int(i) % m for i in np.atleast_1d(left)], [int(i) % n for i in np.atleast_1d(right)]
    return left, right, [i for i in range(m) if i not in left], [i for i in range(n) if i not in right]


def _tensordot_bar_a(g, a, b, axes=2):
    """Cotangent of a in np.tensordot(a, b, axes)."""
    left, right, free_a, free_b = _tensordot_axes(a, b, axes)
    a_bar = np.tensordot(g, b, axes=(list(range(len(free_a), np.ndim(g))), free_b))
    return np.transpose(a_bar, np.argsort(free_a + [left[k] for k in np.argsort(right)]))


def _tensordot_bar_b(g, a, b, axes=2):
    """Cotangent of b in np.tensordot(a, b, axes)."""
    left, right, free_a, free_b = _tensordot_axes(a, b, axes)
    b_bar = np.tensordot(a, g, axes=(free_a, list(range(len(free_a)))))
    return np.transpose(b_bar, np.argsort([right[k] for k in np.argsort(left)] + free_b))


def _split_like(g, arrays, axis=0):
    """The pieces of g for arrays that were joined along axis, each in the shape of its array."""
    sizes = [np.size(a) if axis is None else np.shape(np.atleast_1d(a))[axis] for a in arrays]
    pieces = np.split(g, np.cumsum(sizes)[:-1], axis=0 if axis is None else axis)
    return [1.0 * np.reshape(pieces[k], np.shape(a)) for k, a in enumerate(arrays)]


def _columns_like(g, arrays):
    """The pieces of g for arrays that were joined by np.hstack, each in the shape of its array."""
    return _split_like(g, arrays, axis=min(np.ndim(g), 2) - 1)


def _rows_like(g, arrays):
    """The pieces of g for arrays that were joined by np.vstack, each in the shape of its array."""
    pieces = np.split(g, np.cumsum([len(np.atleast_2d(a)) for a in arrays])[:-1])
    return [1.0 * np.reshape(pieces[k], np.shape(a)) for k, a in enumerate(arrays)]


def _columns_apart(g, arrays, axis=1):
    """The pieces of g for arrays that are columns of it, as np.column_stack has joined them, each in its shape."""
    sizes = [np.shape(a)[axis] if np.ndim(a) > 1 else 1 for a in arrays]
    pieces = np.split(g, np.cumsum(sizes)[:-1], axis=axis)
    return [np.reshape(pieces[k], np.shape(a)) for k, a in enumerate(arrays)]


def _scale_rows(g, weights):
    """g with its part k along the first axis times weights[k]."""
    return g * np.reshape(weights, (-1,) + (1,) * (np.ndim(g) - 1)).astype(np.result_type(g, 0.0))


def _tile_bar(g, x, reps):
    """Cotangent of x in np.tile(x, reps): the sum of the copies."""
    reps = tuple(np.atleast_1d(reps))
    rank = max(len(reps), np.ndim(x))
    reps, shape = (1,) * (rank - len(reps)) + reps, (1,) * (rank - np.ndim(x)) + np.shape(x)
    copies = np.reshape(g, [n for pair in zip(reps, shape, strict=True) for n in pair])
    return np.reshape(np.sum(copies, axis=tuple(range(0, 2 * rank, 2))), np.shape(x))[()]


def _repeat_bar(g, x, repeats, axis=None):
    """Cotangent of x in np.repeat(x, repeats, axis): the sum of the copies."""
    size = np.size(x) if axis is None else np.shape(x)[axis]
    g = g if axis is None else np.moveaxis(g, axis, 0)
    x_bar = np.zeros((size, *np.shape(g)[1:]), np.result_type(g, 0.0))
    np.add.at(x_bar, np.repeat(np.arange(size), repeats), g)
    return np.reshape(x_bar, np.shape(x))[()] if axis is None else np.moveaxis(x_bar, 0, axis)


def _pad_bar(g, x, pad_width):
    """Cotangent of x in np.pad(x, pad_width): g without the margins."""
    before = np.broadcast_to(pad_width, (np.ndim(x), 2))[:, 0]
    return g[tuple(slice(i, i + n) for i, n in zip(before, np.shape(x), strict=True))]


def _diag_bar(g, x, k=0):
    """Cotangent of x in np.diag(x, k), for a vector or a matrix."""
    if np.ndim(x) == 1:
        return np.diag(g, k)
    x_bar = np.zeros(np.shape(x), np.result_type(g, 0.0))
    i = np.arange(np.shape(g)[0])
    x_bar[i + max(-k, 0), i + max(k, 0)] = g
    return x_bar


def _take_bar(g, x, indices, axis=None):
    """Cotangent of x in np.take(x, indices, axis): what an element gives is summed over its repetitions."""
    if axis is None:
        x_bar = np.zeros(np.size(x), np.result_type(g, 0.0))
        np.add.at(x_bar, indices, g)
        return np.reshape(x_bar, np.shape(x))
    x_bar = np.zeros(np.shape(x), np.result_type(g, 0.0))
    rows, first = np.moveaxis(x_bar, axis, 0), axis % np.ndim(x)
    front = tuple(range(np.ndim(indices)))
    np.add.at(rows, indices, np.moveaxis(g, tuple(first + i for i in front), front))
    return x_bar


def _diff_bar(g, x, n=1, axis=-1):
    """Cotangent of x in np.diff(x, n, axis), which ends where nothing is left."""
    margin = [(0, 0)] * np.ndim(x)
    margin[axis] = (1, 1)
    for _ in range(min(n, np.shape(x)[axis])):
        g = -np.diff(np.pad(g, margin), axis=axis)
    return g


def _cumprod_dot(x_dot, x, axis=None):
    """Tangent of np.cumprod(x, axis): out[k] = out[k - 1] x[k] step by step, so exact at zeros."""
    if axis is None:
        x_dot, x, axis = np.ravel(x_dot), np.ravel(x), 0
    x, x_dot = np.moveaxis(x, axis, 0), np.moveaxis(x_dot, axis, 0)
    out, out_dot = np.cumprod(x, axis=0), x_dot + np.zeros_like(x)
    for k in range(1, len(x)):
        out_dot[k] = out_dot[k - 1] * x[k] + out[k - 1] * x_dot[k]
    return np.moveaxis(out_dot, 0, axis)


def _cumprod_bar(g, x, axis=None):
    """Cotangent of x in np.cumprod(x, axis): out[k] = out[k - 1] x[k] step by step, so exact at zeros."""
    if axis is None:
        return np.reshape(_cumprod_bar(g, np.ravel(x), 0), np.shape(x))[()]
    x, out_bar = np.moveaxis(x, axis, 0), np.moveaxis(g + np.zeros_like(x), axis, 0)
    out, x_bar = np.cumprod(x, axis=0), np.zeros_like(out_bar)
    for k in reversed(range(1, len(x))):
        x_bar[k] = out[k - 1] * out_bar[k]
        out_bar[k - 1] += x[k] * out_bar[k]
    x_bar[:1] = out_bar[:1]
    return np.moveaxis(x_bar, 0, axis)


def _sort_bar(g, x, axis=-1):
    """Cotangent of x in np.sort(x, axis): each element of g goes back to where it was."""
    if axis is None:
        return np.reshape(g[np.argsort(np.argsort(np.ravel(x)))], np.shape(x))
    return np.take_along_axis(g, np.argsort(np.argsort(x, axis=axis), axis=axis), axis=axis)


def _one_wide(g, axis):
    """Zeros of the shape of g, but 1 along axis."""
    shape = list(np.shape(g))
    shape[axis] = 1
    return np.zeros(shape, np.result_type(g, 0.0))


def _solve_adjoint(g, a, b):
    """The cotangent of np.linalg.solve(a, b) before the right-hand side: the solution with a transposed."""
    at = np.swapaxes(a, -1, -2)
    return np.linalg.solve(at, np.expand_dims(g, -1))[..., 0] if np.ndim(b) == 1 else np.linalg.solve(at, g)


def _solve_bar_a(adjoint, a, b, out):
    """Cotangent of a in out = np.linalg.solve(a, b): b is a vector, or a stack of matrices."""
    if np.ndim(b) == 1:
        return _unbroadcast(-np.expand_dims(adjoint, -1) * np.expand_dims(out, -2), a)
    return _unbroadcast(-adjoint @ np.swapaxes(out, -1, -2), a)


def _solve_dot(a, b, out, a_dot, b_dot=None):
    """Tangent of out = np.linalg.solve(a, b): b is a vector, or a stack of matrices."""
    moved = (a_dot @ np.expand_dims(out, -1))[..., 0] if np.ndim(b) == 1 else a_dot @ out
    rest = -moved if b_dot is None else b_dot - moved
    return np.linalg.solve(a, np.expand_dims(rest, -1))[..., 0] if np.ndim(b) == 1 else np.linalg.solve(a, rest)


def _cofactors(a, det):
    """The derivative of det = np.linalg.det(a): the matrix of cofactors, by minors where a is singular."""
    det = np.expand_dims(det, (-2, -1))
    if np.all(det != 0.0):
        return det * np.swapaxes(np.linalg.inv(a), -1, -2)
    cofactors = np.zeros_like(a, dtype=np.result_type(a, 0.0))
    for i in range(a.shape[-2]):
        for j in range(a.shape[-1]):
            minor = np.delete(np.delete(a, i, axis=-2), j, axis=-1)
            cofactors[..., i, j] = (-1.0) ** (i + j) * np.linalg.det(minor)
    return cofactors


def _lower_half(p):
    """The lower triangle of p with half of the diagonal."""
    return np.tril(p) - 0.5 * np.eye(p.shape[-1], dtype=p.dtype) * p


def _mirrored(a, upper=False):
    """The symmetric matrix of which a gives one triangle."""
    half = _lower_half(np.swapaxes(a, -1, -2) if upper else a)
    return half + np.swapaxes(half, -1, -2)


def _one_triangle(g, upper=False):
    """Cotangent of a matrix of which one triangle is read, from that of the symmetric matrix."""
    half = _lower_half(g + np.swapaxes(g, -1, -2))
    return np.swapaxes(half, -1, -2) if upper else half


def _cholesky_dot(a_dot, out):
    """Tangent of out = np.linalg.cholesky(a), which reads the lower triangle of a."""
    half = np.swapaxes(np.linalg.solve(out, _mirrored(a_dot)), -1, -2)
    return out @ _lower_half(np.linalg.solve(out, half))


def _cholesky_bar(g, out):
    """Cotangent of a in out = np.linalg.cholesky(a), which reads the lower triangle of a."""
    lt = np.swapaxes(out, -1, -2)
    half = np.linalg.solve(lt, _lower_half(lt @ g))
    return _one_triangle(np.linalg.solve(lt, np.swapaxes(half, -1, -2)))


def _over(p, d):
    """p / d, and 0 where p is 0; where d alone is 0, eigenvectors or singular vectors have no derivative."""
    if np.any((d == 0.0) & (p != 0.0)):
        raise np.linalg.LinAlgError("no derivative: vectors of equal eigenvalues or singular values, or of zero ones")
    return p / (d + (d == 0.0))


def _gaps(w):
    """The differences w[j] - w[i]."""
    return np.expand_dims(w, -2) - np.expand_dims(w, -1)


def _off_diagonal(p):
    """p without its diagonal."""
    return p - np.eye(p.shape[-1], dtype=p.dtype) * p


def _diagonals(w):
    """Diagonal matrices of the last axis of w."""
    return np.expand_dims(w, -1) * np.eye(w.shape[-1], dtype=w.dtype)


def _eigh_dot(a_dot, w, v, upper=False):
    """Tangents of w, v = np.linalg.eigh(a). Raises LinAlgError where equal eigenvalues are split."""
    p = np.swapaxes(v, -1, -2) @ _mirrored(a_dot, upper) @ v
    return np.diagonal(p, axis1=-2, axis2=-1).copy(), v @ _over(_off_diagonal(p), _gaps(w))


def _eigh_bar(w_bar, v_bar, w, v, upper=False):
    """Cotangent of a in w, v = np.linalg.eigh(a). Raises LinAlgError for the vectors of equal eigenvalues."""
    p = _over(_off_diagonal(np.swapaxes(v, -1, -2) @ v_bar), _gaps(w))
    if w_bar is not None:
        p = p + _diagonals(w_bar)
    return _one_triangle(v @ p @ np.swapaxes(v, -1, -2), upper)


def _eigvalsh_dot(a_dot, v, upper=False):
    """Tangent of the eigenvalues of a symmetric matrix, whose eigenvectors are v."""
    return np.sum(v * (_mirrored(a_dot, upper) @ v), axis=-2)


def _eigvalsh_bar(w_bar, v, upper=False):
    """Cotangent of a in its eigenvalues, whose eigenvectors are v: a is symmetric, and one triangle of it is read."""
    return _one_triangle((v * np.expand_dims(w_bar, -2)) @ np.swapaxes(v, -1, -2), upper)


def _eig_dot(a_dot, w, v):
    """Tangents of w, v = np.linalg.eig(a): columns of v have length 1, and their largest entries are real."""
    p = np.linalg.solve(v, a_dot @ v)
    v_dot = v @ _over(_off_diagonal(p), _gaps(w))
    scale = np.sum(np.real(np.conj(v) * v_dot), axis=-2, keepdims=True)
    if np.iscomplexobj(v_dot):
        k = np.argmax(np.abs(v), axis=-2, keepdims=True)
        scale = scale + 1j * np.imag(np.take_along_axis(v_dot, k, -2)) / np.real(np.take_along_axis(v, k, -2))
    return np.diagonal(p, axis1=-2, axis2=-1).copy(), v_dot - v * scale


def _eig_bar(w_bar, v_bar, w, v):
    """Cotangent of a in w, v = np.linalg.eig(a): columns of v have length 1, and their largest entries are real."""
    vh, p = np.swapaxes(np.conj(v), -1, -2), np.zeros_like(v)
    if v_bar is not None:
        along = np.sum(np.conj(v_bar) * v, axis=-2, keepdims=True)
        bar = v_bar - v * np.real(along)
        if np.iscomplexobj(v):
            k = np.argmax(np.abs(v), axis=-2, keepdims=True)
            top = np.arange(v.shape[-1])[:, None] == k
            bar = bar + 1j * np.imag(along) / np.real(np.take_along_axis(v, k, -2)) * top
        p = _over(_off_diagonal(vh @ bar), _gaps(np.conj(w)))
    if w_bar is not None:
        p = p + _diagonals(w_bar)
    return np.linalg.solve(vh, p @ vh)


def _eigvals_dot(a_dot, a):
    """Tangent of np.linalg.eigvals(a)."""
    w, v = np.linalg.eig(a)
    return _eig_dot(a_dot, w, v)[0]


def _eigvals_bar(w_bar, a):
    """Cotangent of a in np.linalg.eigvals(a)."""
    w, v = np.linalg.eig(a)
    return _eig_bar(w_bar, None, w, v)


def _svd_dot(a_dot, u, s, vh):
    """Tangents of u, s, vh = np.linalg.svd(a, full_matrices=False).

    Raises LinAlgError where singular values are equal or 0 (Townsend, Differentiating the singular value
    decomposition, 2016).
    """
    k = s.shape[-1]
    if u.shape[-1] > k or vh.shape[-2] > k:
        raise np.linalg.LinAlgError("no derivative: singular vectors of the null space, see full_matrices=False")
    ut, v = np.swapaxes(u, -1, -2), np.swapaxes(vh, -1, -2)
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    right, left = a_dot @ v, np.swapaxes(a_dot, -1, -2) @ u
    p = ut @ right
    pt, gaps = np.swapaxes(p, -1, -2), row**2 - column**2
    u_dot = u @ _over(_off_diagonal(p * row + column * pt), gaps)
    v_dot = v @ _over(_off_diagonal(column * p + pt * row), gaps)
    if u.shape[-2] > k:
        u_dot = u_dot + _over(right - u @ p, row)
    if v.shape[-2] > k:
        v_dot = v_dot + _over(left - v @ pt, row)
    return u_dot, np.diagonal(p, axis1=-2, axis2=-1).copy(), np.swapaxes(v_dot, -1, -2)


def _svd_bar(u_bar, s_bar, vh_bar, u, s, vh):
    """Cotangent of a in u, s, vh = np.linalg.svd(a).

    Raises LinAlgError for the vectors of equal or zero singular values, and for those that full_matrices=True adds
    (Townsend, Differentiating the singular value decomposition, 2016).
    """
    k = s.shape[-1]
    if (u_bar is not None and np.any(u_bar[..., k:])) or (vh_bar is not None and np.any(vh_bar[..., k:, :])):
        raise np.linalg.LinAlgError("no derivative: singular vectors of the null space, see full_matrices=False")
    u, vh = u[..., :k], vh[..., :k, :]
    ut, v = np.swapaxes(u, -1, -2), np.swapaxes(vh, -1, -2)
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    inner, a_bar = np.zeros_like(u[..., :k, :]), 0.0
    if s_bar is not None:
        inner = inner + _diagonals(s_bar)
    if u_bar is not None:
        u_bar = u_bar[..., :k]
        p = ut @ u_bar
        q = _over(_off_diagonal(p), row**2 - column**2)
        inner = inner + (q + np.swapaxes(q, -1, -2)) * row
        if u.shape[-2] > k:
            a_bar = a_bar + _over(u_bar - u @ p, row) @ vh
    if vh_bar is not None:
        v_bar = np.swapaxes(vh_bar[..., :k, :], -1, -2)
        p = vh @ v_bar
        q = _over(_off_diagonal(p), row**2 - column**2)
        inner = inner + column * (q + np.swapaxes(q, -1, -2))
        if v.shape[-2] > k:
            a_bar = a_bar + u @ np.swapaxes(_over(v_bar - v @ p, row), -1, -2)
    return u @ inner @ vh + a_bar


def _qr_dot(a_dot, q, r):
    """Tangents of q, r = np.linalg.qr(a). Raises LinAlgError where the leading columns of a are dependent."""
    k = q.shape[-1]
    qt, head = np.swapaxes(q, -1, -2), r[..., :k]
    moved = _solve_right(a_dot[..., :k], head)
    p = qt @ moved
    lower = np.tril(p, -1)
    turn = lower - np.swapaxes(lower, -1, -2)
    q_dot = moved - q @ (p - turn)
    return q_dot, np.concatenate([(p - turn) @ head, qt @ a_dot[..., k:] - turn @ r[..., k:]], axis=-1)


def _qr_bar(q_bar, r_bar, q, r):
    """Cotangent of a in q, r = np.linalg.qr(a). Raises LinAlgError where the leading columns of a are dependent."""
    k = q.shape[-1]
    head = r[..., :k]
    q_bar = np.zeros_like(q) if q_bar is None else q_bar
    r_bar = np.zeros_like(r) if r_bar is None else r_bar
    rest_bar = q @ r_bar[..., k:]
    q_bar = q_bar + q @ (r[..., k:] @ np.swapaxes(r_bar[..., k:], -1, -2))
    p = head @ np.swapaxes(r_bar[..., :k], -1, -2) - np.swapaxes(q_bar, -1, -2) @ q
    lower = np.tril(p, -1)
    head_bar = q_bar + q @ (np.tril(p) + np.swapaxes(lower, -1, -2))
    return np.concatenate([_solve_right(head_bar, np.swapaxes(head, -1, -2)), rest_bar], axis=-1)


def _full_qr_dot(a_dot, q, r):
    """Tangents of q, r = scipy.linalg.qr(a). The columns of q beyond those of a are not unique: NaN."""
    k = min(r.shape)
    q_dot, r_dot = _qr_dot(a_dot, q[:, :k], r[:k])
    return np.hstack([q_dot, np.full_like(q[:, k:], np.nan)]), np.vstack([r_dot, np.zeros_like(r[k:])])


def _full_qr_bar(q_bar, r_bar, q, r):
    """Cotangent of a in q, r = scipy.linalg.qr(a). Raises LinAlgError where columns that are not unique matter."""
    k = min(r.shape)
    if q_bar is not None and np.any(q_bar[:, k:]):
        raise np.linalg.LinAlgError("these columns of q are not unique: take those of mode='economic'")
    q_bar = None if q_bar is None else q_bar[:, :k]
    return _qr_bar(q_bar, None if r_bar is None else r_bar[:k], q[:, :k], r[:k])


def _solve_right(b, a):
    """b times the inverse of a."""
    return np.swapaxes(np.linalg.solve(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2)), -1, -2)


def _svdvals_dot(a_dot, a):
    """Tangent of the singular values of a."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(u * (a_dot @ np.swapaxes(vh, -1, -2)), axis=-2)


def _svdvals_bar(g, a):
    """Cotangent of a in its singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * np.expand_dims(g, -2)) @ vh


def _lstsq_dot(inverse, a, b, x, residuals, a_dot, b_dot):
    """Tangents of x, residuals, rank, s = np.linalg.lstsq(a, b), where the rank does not change."""
    a_dot = np.zeros_like(a) if a_dot is None else a_dot
    moved = -(a_dot @ x) if b_dot is None else b_dot - a_dot @ x
    rest, turned = b - a @ x, a_dot.T @ (inverse.T @ x)
    x_dot = inverse @ (moved + inverse.T @ (a_dot.T @ rest)) + turned - inverse @ (a @ turned)
    squares = 2.0 * np.sum(np.reshape(rest * moved, (len(b), -1)), axis=0)
    return x_dot, squares if np.size(residuals) else np.zeros_like(residuals), None, _svdvals_dot(a_dot, a)


def _lstsq_bar_a(inverse, x_bar, residuals_bar, s_bar, a, b, x):
    """Cotangent of a in x, residuals, rank, s = np.linalg.lstsq(a, b), where the rank does not change.

    (Golub & Pereyra, The differentiation of pseudo-inverses, 1973.)
    """
    a_bar = np.zeros_like(a)
    rest, columns = np.reshape(b - a @ x, (len(b), -1)), np.reshape(x, (len(x), -1))
    if x_bar is not None:
        x_bar = np.reshape(x_bar, np.shape(columns))
        b_bar = inverse.T @ x_bar
        turned = x_bar - a.T @ b_bar
        a_bar = rest @ (inverse @ b_bar).T - b_bar @ columns.T + (inverse.T @ columns) @ turned.T
    if residuals_bar is not None and np.size(residuals_bar):
        a_bar = a_bar - 2.0 * (rest * residuals_bar) @ columns.T
    return a_bar if s_bar is None else a_bar + _svdvals_bar(s_bar, a)


def _residuals_bar_b(residuals_bar, a, b, x):
    """Cotangent of b in the residuals of x = np.linalg.lstsq(a, b), which are empty where the rank is not full."""
    return 2.0 * (b - a @ x) * residuals_bar if np.size(residuals_bar) else np.zeros_like(b)


def _of_its_rank(inverse, a):
    """The pseudo-inverse of a matrix, or of a stack.

    Raises LinAlgError where it was cut off at a rank below that of a: such an inverse has another derivative.
    """
    if np.max(np.abs(a @ inverse @ a - a), initial=0.0) > 1e-6 * np.max(np.abs(a), initial=0.0):
        raise np.linalg.LinAlgError("no derivative: rcond or rtol cuts off singular values that are not zero")
    return inverse


def _cutoff(rcond):
    """The cut-off of np.linalg.lstsq; None for that of rounding errors, as LAPACK takes what is not between 0 and 1."""
    return rcond if rcond is not None and 0.0 < rcond < 1.0 else None


def _pinv_dot(a_dot, a, out):
    """Tangent of out = np.linalg.pinv(a), where the rank does not change."""
    at, outt = np.swapaxes(a_dot, -1, -2), np.swapaxes(out, -1, -2)
    left, right = out @ (outt @ at), at @ outt @ out
    return left - (left @ a) @ out + right - out @ (a @ right) - out @ a_dot @ out


def _pinv_bar(g, a, out):
    """Cotangent of a in out = np.linalg.pinv(a), where the rank does not change.

    (Golub & Pereyra, The differentiation of pseudo-inverses, 1973.)
    """
    gt, outt = np.swapaxes(g, -1, -2), np.swapaxes(out, -1, -2)
    left, right = (gt @ out) @ outt, (outt @ out) @ gt
    return left - a @ (out @ left) + right - (right @ out) @ a - outt @ g @ outt


def _conjugate_transpose(a):
    """The conjugate transpose of a, or those of a stack."""
    return np.conj(np.swapaxes(a, -1, -2))


def _hermitian(a, upper=False):
    """The Hermitian matrix of which a gives one triangle."""
    half = _lower_half(_conjugate_transpose(a) if upper else a)
    return half + _conjugate_transpose(half)


def _hermitian_bar(g, upper=False):
    """Cotangent of a matrix of which one triangle is read, from that of the Hermitian matrix."""
    half = _lower_half(g + _conjugate_transpose(g))
    return _conjugate_transpose(half) if upper else half


def _complex_cholesky_dot(a_dot, out):
    """Tangent of out = np.linalg.cholesky(a), which reads the lower triangle of a."""
    half = _conjugate_transpose(np.linalg.solve(out, _hermitian(a_dot)))
    return out @ _lower_half(np.linalg.solve(out, half))


def _complex_cholesky_bar(g, out):
    """Cotangent of a in out = np.linalg.cholesky(a), which reads the lower triangle of a."""
    lh = _conjugate_transpose(out)
    half = np.linalg.solve(lh, _lower_half(lh @ g))
    return _hermitian_bar(np.linalg.solve(lh, _conjugate_transpose(half)))


def _phases_bar(v_bar, v):
    """Cotangents of the phases of the columns of v, and 0 where they are but rounding."""
    turn = np.imag(np.sum(np.conj(v_bar) * v, axis=-2, keepdims=True))
    size = np.sum(np.abs(v_bar), axis=-2, keepdims=True)
    return np.where(np.abs(turn) > 1e3 * np.finfo(size.dtype).eps * size, turn, 0.0)


def _over_fixed(turn, v, row):
    """turn divided by v[row], which LAPACK makes real by the phases of the columns of v.

    Raises LinAlgError where a phase matters and this entry is 0, or is not real.
    """
    fixed = np.take(v, [row], axis=-2)
    if np.any((turn != 0.0) & (np.abs(np.imag(fixed)) > 1e-3 * np.abs(fixed))):
        raise np.linalg.LinAlgError("no derivative: the phases of eigenvectors or singular vectors are not known")
    return _over(turn, np.real(fixed))


def _fix_phases(v_bar, v, turn, row):
    """Cotangent of v with that of the phases of its columns, by which v[row] is real."""
    top = np.expand_dims(np.arange(v.shape[-2]), -1) == row % v.shape[-2]
    return v_bar + 1j * _over_fixed(turn, v, row) * top


def _complex_eigh_dot(a_dot, w, v, upper=False):
    """Tangents of w, v = np.linalg.eigh(a). Raises LinAlgError where equal eigenvalues are split."""
    p = _conjugate_transpose(v) @ _hermitian(a_dot, upper) @ v
    v_dot = v @ _over(_off_diagonal(p), _gaps(w))
    row = -1 if upper else 0
    turn = _over_fixed(np.imag(np.take(v_dot, [row], axis=-2)), v, row)
    return np.real(np.diagonal(p, axis1=-2, axis2=-1)).copy(), v_dot - 1j * turn * v


def _complex_eigh_bar(w_bar, v_bar, w, v, upper=False):
    """Cotangent of a in w, v = np.linalg.eigh(a). Raises LinAlgError for the vectors of equal eigenvalues."""
    v_bar = _fix_phases(v_bar, v, _phases_bar(v_bar, v), -1 if upper else 0)
    vh = _conjugate_transpose(v)
    p = _over(_off_diagonal(vh @ v_bar), _gaps(w))
    if w_bar is not None:
        p = p + _diagonals(w_bar)
    return _hermitian_bar(v @ p @ vh, upper)


def _complex_eigvalsh_dot(a_dot, v, upper=False):
    """Tangent of the eigenvalues of a Hermitian matrix, whose eigenvectors are v."""
    return np.sum(np.real(np.conj(v) * (_hermitian(a_dot, upper) @ v)), axis=-2)


def _complex_eigvalsh_bar(w_bar, v, upper=False):
    """Cotangent of a in its eigenvalues, whose eigenvectors are v: a is Hermitian, and one triangle of it is read."""
    return _hermitian_bar((v * np.expand_dims(w_bar, -2)) @ _conjugate_transpose(v), upper)


def _complex_svd_dot(a_dot, u, s, vh):
    """Tangents of u, s, vh = np.linalg.svd(a, full_matrices=False); the first row of v is real, or that of u.

    Raises LinAlgError where singular values are equal or 0.
    """
    k = s.shape[-1]
    if u.shape[-1] > k or vh.shape[-2] > k:
        raise np.linalg.LinAlgError("no derivative: singular vectors of the null space, see full_matrices=False")
    v = _conjugate_transpose(vh)
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    right, left = a_dot @ v, _conjugate_transpose(a_dot) @ u
    p = _conjugate_transpose(u) @ right
    ph, gaps, diagonal = _conjugate_transpose(p), row**2 - column**2, np.diagonal(p, axis1=-2, axis2=-1)
    turned = 1j * _diagonals(_over(np.imag(diagonal), s))
    u_dot = u @ (_over(_off_diagonal(p * row + column * ph), gaps) + turned)
    v_dot = v @ _over(_off_diagonal(column * p + ph * row), gaps)
    if u.shape[-2] > k:
        u_dot = u_dot + _over(right - u @ p, row)
    if v.shape[-2] > k:
        v_dot = v_dot + _over(left - v @ ph, row)
    fixed, fixed_dot = (v, v_dot) if u.shape[-2] >= v.shape[-2] else (u, u_dot)
    turn = 1j * _over_fixed(np.imag(np.take(fixed_dot, [0], axis=-2)), fixed, 0)
    return u_dot - turn * u, np.real(diagonal).copy(), _conjugate_transpose(v_dot - turn * v)


def _complex_svd_bar(u_bar, s_bar, vh_bar, u, s, vh):
    """Cotangent of a in u, s, vh = np.linalg.svd(a); the first row of v is real, or that of u.

    Raises LinAlgError for the vectors of equal or zero singular values, and for those that full_matrices=True adds.
    """
    k = s.shape[-1]
    if (u_bar is not None and np.any(u_bar[..., k:])) or (vh_bar is not None and np.any(vh_bar[..., k:, :])):
        raise np.linalg.LinAlgError("no derivative: singular vectors of the null space, see full_matrices=False")
    u, vh = u[..., :k], vh[..., :k, :]
    v = _conjugate_transpose(vh)
    u_bar = np.zeros_like(u) if u_bar is None else u_bar[..., :k]
    v_bar = np.zeros_like(v) if vh_bar is None else _conjugate_transpose(vh_bar[..., :k, :])
    turn = _phases_bar(u_bar, u) + _phases_bar(v_bar, v)
    if u.shape[-2] >= v.shape[-2]:
        v_bar = _fix_phases(v_bar, v, turn, 0)
    else:
        u_bar = _fix_phases(u_bar, u, turn, 0)
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    of_u, of_v, gaps = _conjugate_transpose(u) @ u_bar, vh @ v_bar, row**2 - column**2
    p, q = _over(_off_diagonal(of_u), gaps), _over(_off_diagonal(of_v), gaps)
    inner = (p + _conjugate_transpose(p)) * row + column * (q + _conjugate_transpose(q))
    inner = inner - 1j * _diagonals(_over(_phases_bar(u_bar, u)[..., 0, :], s))
    if s_bar is not None:
        inner = inner + _diagonals(s_bar)
    a_bar = u @ inner @ vh
    if u.shape[-2] > k:
        a_bar = a_bar + _over(u_bar - u @ of_u, row) @ vh
    if v.shape[-2] > k:
        a_bar = a_bar + u @ _conjugate_transpose(_over(v_bar - v @ of_v, row))
    return a_bar


def _complex_svdvals_dot(a_dot, a):
    """Tangent of the singular values of a."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(np.real(np.conj(u) * (a_dot @ _conjugate_transpose(vh))), axis=-2)


def _complex_qr_dot(a_dot, q, r):
    """Tangents of q, r = np.linalg.qr(a), where the diagonal of r is real.

    Raises LinAlgError where the leading columns of a are dependent.
    """
    k = q.shape[-1]
    qh, head = _conjugate_transpose(q), r[..., :k]
    moved = _solve_right(a_dot[..., :k], head)
    p = qh @ moved
    lower = np.tril(p, -1)
    turn = lower - _conjugate_transpose(lower) + 1j * _diagonals(np.imag(np.diagonal(p, axis1=-2, axis2=-1)))
    q_dot = moved - q @ (p - turn)
    return q_dot, np.concatenate([(p - turn) @ head, qh @ a_dot[..., k:] - turn @ r[..., k:]], axis=-1)


def _complex_qr_bar(q_bar, r_bar, q, r):
    """Cotangent of a in q, r = np.linalg.qr(a), where the diagonal of r is real.

    Raises LinAlgError where the leading columns of a are dependent.
    """
    k = q.shape[-1]
    head = r[..., :k]
    q_bar = np.zeros_like(q) if q_bar is None else q_bar
    r_bar = np.zeros_like(r) if r_bar is None else r_bar
    rest_bar = q @ r_bar[..., k:]
    q_bar = q_bar + q @ (r[..., k:] @ _conjugate_transpose(r_bar[..., k:]))
    p = head @ _conjugate_transpose(r_bar[..., :k]) - _conjugate_transpose(q_bar) @ q
    lower = np.tril(p, -1)
    turn = lower + _conjugate_transpose(lower) + _diagonals(np.real(np.diagonal(p, axis1=-2, axis2=-1)))
    return np.concatenate([_solve_right(q_bar + q @ turn, _conjugate_transpose(head)), rest_bar], axis=-1)


def _complex_lstsq_dot(inverse, a, b, x, residuals, a_dot, b_dot):
    """Tangents of x, residuals, rank, s = np.linalg.lstsq(a, b), where the rank does not change."""
    a_dot = np.zeros_like(a) if a_dot is None else a_dot
    moved = -(a_dot @ x) if b_dot is None else b_dot - a_dot @ x
    ah_dot, inverse_h = np.conj(a_dot.T), np.conj(inverse.T)
    rest, turned = b - a @ x, ah_dot @ (inverse_h @ x)
    x_dot = inverse @ (moved + inverse_h @ (ah_dot @ rest)) + turned - inverse @ (a @ turned)
    squares = 2.0 * np.sum(np.reshape(np.real(np.conj(rest) * moved), (len(b), -1)), axis=0)
    return x_dot, squares if np.size(residuals) else np.zeros_like(residuals), None, _complex_svdvals_dot(a_dot, a)


def _complex_lstsq_bar_a(inverse, x_bar, residuals_bar, s_bar, a, b, x):
    """Cotangent of a in x, residuals, rank, s = np.linalg.lstsq(a, b), where the rank does not change."""
    a_bar = np.zeros_like(a, dtype=np.result_type(a, b))
    rest, columns = np.reshape(b - a @ x, (len(b), -1)), np.reshape(x, (len(x), -1))
    if x_bar is not None:
        x_bar, inverse_h = np.reshape(x_bar, np.shape(columns)), np.conj(inverse.T)
        b_bar = inverse_h @ x_bar
        turned = x_bar - np.conj(a.T) @ b_bar
        a_bar = rest @ np.conj((inverse @ b_bar).T) - b_bar @ np.conj(columns.T)
        a_bar = a_bar + (inverse_h @ columns) @ np.conj(turned.T)
    if residuals_bar is not None and np.size(residuals_bar):
        a_bar = a_bar - 2.0 * (rest * residuals_bar) @ np.conj(columns.T)
    return a_bar if s_bar is None else a_bar + _svdvals_bar(s_bar, a)


def _complex_pinv_dot(a_dot, a, out):
    """Tangent of out = np.linalg.pinv(a), where the rank does not change."""
    ah, outh = _conjugate_transpose(a_dot), _conjugate_transpose(out)
    left, right = out @ (outh @ ah), ah @ outh @ out
    return left - (left @ a) @ out + right - out @ (a @ right) - out @ a_dot @ out


def _complex_pinv_bar(g, a, out):
    """Cotangent of a in out = np.linalg.pinv(a), where the rank does not change."""
    gh, outh = _conjugate_transpose(g), _conjugate_transpose(out)
    left, right = (gh @ out) @ outh, (outh @ out) @ gh
    return left - a @ (out @ left) + right - (right @ out) @ a - outh @ g @ outh


def _outer_columns(a, b):
    """a b^T, where a and b are vectors, or matrices of as many columns, or stacks of such."""
    return np.outer(a, b) if np.ndim(a) == 1 else a @ np.swapaxes(b, -1, -2)


def _cho_factor_dot(a_dot, c, lower):
    """Tangent of c, lower = scipy.linalg.cho_factor(a), which leaves the other triangle of a as it is."""
    if lower:
        return np.tril(_cholesky_dot(a_dot, np.tril(c))) + np.triu(a_dot, 1)
    return np.triu(_cholesky_dot(a_dot.T, np.triu(c).T).T) + np.tril(a_dot, -1)


def _cho_factor_bar(c_bar, c, lower):
    """Cotangent of a in c, lower = scipy.linalg.cho_factor(a), which leaves the other triangle of a as it is."""
    if lower:
        return _cholesky_bar(np.tril(c_bar), np.tril(c)) + np.triu(c_bar, 1)
    return _cholesky_bar(np.triu(c_bar).T, np.triu(c).T).T + np.tril(c_bar, -1)


def _cho_solve_bar_c(adjoint, c, lower, out):
    """Cotangent of c in out = scipy.linalg.cho_solve((c, lower), b), of which one triangle is read."""
    p = _outer_columns(adjoint, out)
    p = -(p + p.T)
    return np.tril(p @ np.tril(c)) if lower else np.triu(np.triu(c) @ p)


def _cho_moved(c_dot, c, lower, x):
    """The tangent of the matrix whose Cholesky factor is c, times x."""
    root, root_dot = (np.tril(c), np.tril(c_dot)) if lower else (np.triu(c).T, np.triu(c_dot).T)
    return root_dot @ (root.T @ x) + root @ (root_dot.T @ x)


def _lu_parts(lu, piv):
    """The triangular factors that scipy.linalg.lu_factor stores in one matrix, and the order of the rows."""
    order = np.arange(len(piv))
    for i, p in enumerate(piv):
        row = order[i]
        order[i] = order[p]
        order[p] = row
    return np.tril(lu, -1) + np.eye(len(lu), dtype=lu.dtype), np.triu(lu), order


def _lu_factor_dot(a_dot, lu, piv):
    """Tangent of lu, piv = scipy.linalg.lu_factor(a), for a square a."""
    low, up, order = _lu_parts(lu, piv)
    p = _solve_right(np.linalg.solve(low, a_dot[order]), up)
    return low @ np.tril(p, -1) + np.triu(p) @ up


def _lu_factor_bar(lu_bar, lu, piv):
    """Cotangent of a in lu, piv = scipy.linalg.lu_factor(a), for a square a."""
    low, up, order = _lu_parts(lu, piv)
    p = np.tril(low.T @ np.tril(lu_bar, -1), -1) + np.triu(np.triu(lu_bar) @ up.T)
    return _solve_right(np.linalg.solve(low.T, p), up.T)[np.argsort(order)]


def _lu_solve_bar_lu(adjoint, out, lu, piv):
    """Cotangent of lu in out = scipy.linalg.lu_solve((lu, piv), b); transposed systems have both exchanged."""
    low, up, order = _lu_parts(lu, piv)
    p = -_outer_columns(adjoint, out)[order]
    return np.tril(p @ up.T, -1) + np.triu(low.T @ p)


def _lu_matrix_dot(lu_dot, lu, piv):
    """Tangent of the matrix that scipy.linalg.lu_factor has factored."""
    low, up, order = _lu_parts(lu, piv)
    return (np.tril(lu_dot, -1) @ up + low @ np.triu(lu_dot))[np.argsort(order)]


def _block_diag_bar(g, arrays, item):
    """Cotangent of one of the blocks in scipy.linalg.block_diag(*arrays)."""
    shapes = [np.shape(np.atleast_2d(a)) for a in arrays]
    row, column = sum(m for m, _ in shapes[:item]), sum(n for _, n in shapes[:item])
    block = g[row : row + shapes[item][0], column : column + shapes[item][1]]
    return np.reshape(block, np.shape(arrays[item]))[()]


def _toeplitz_bar_c(g, symmetric):
    """Cotangent of the first column in scipy.linalg.toeplitz(c, r); symmetric where c is the first row as well."""
    c_bar = np.array([np.trace(g, -i) for i in range(g.shape[0])])
    if symmetric:
        c_bar[1:] += np.array([np.trace(g, i) for i in range(1, g.shape[1])])
    return c_bar


def _toeplitz_bar_r(g):
    """Cotangent of the first row in scipy.linalg.toeplitz(c, r), whose first item is not read."""
    r_bar = np.array([np.trace(g, i) for i in range(g.shape[1])])
    r_bar[0] = 0.0
    return r_bar


def _circulant_bar(g):
    """Cotangent of c in scipy.linalg.circulant(c)."""
    n = g.shape[0]
    place = np.arange(n)
    return np.array([np.sum(g[place, (place - k) % n]) for k in range(n)])


def _band_places(lower, upper, n):
    """Where the entries of a band matrix are: rows and columns of the matrix, and rows of its bands."""
    i, j = np.nonzero(np.tri(n, n, upper) - np.tri(n, n, -lower - 1))
    return i, j, upper + i - j


def _transposed_bands(ab, lower, upper):
    """The bands of the transpose of a band matrix."""
    i, j, k = _band_places(lower, upper, ab.shape[1])
    turned = np.zeros_like(ab)
    turned[lower + j - i, i] = ab[k, j]
    return turned


def _solve_banded_bar(adjoint, lower, upper, out):
    """Cotangent of the bands in out = scipy.linalg.solve_banded((lower, upper), ab, b)."""
    i, j, k = _band_places(lower, upper, len(out))
    ab_bar = np.zeros((lower + upper + 1, len(out)), np.result_type(adjoint, 0.0))
    products = adjoint[i] * out[j]
    ab_bar[k, j] = -(products if np.ndim(out) == 1 else np.sum(products, axis=-1))
    return ab_bar


def _banded_times(ab, lower, upper, x):
    """A band matrix times x."""
    i, j, k = _band_places(lower, upper, len(x))
    matrix = np.zeros((len(x), len(x)), np.result_type(ab))
    matrix[i, j] = ab[k, j]
    return matrix @ x


def _matrix_power_dot(a_dot, a, n):
    """Tangent of np.linalg.matrix_power(a, n), by squaring; with a and its cotangent transposed also the cotangent."""
    if n == 0:
        return np.zeros_like(a_dot)
    if n < 0:
        a = np.linalg.inv(a)
        a_dot, n = -a @ a_dot @ a, -n
    out, out_dot = a, a_dot
    for bit in bin(n)[3:]:
        out, out_dot = out @ out, out_dot @ out + out @ out_dot
        if bit == "1":
            out, out_dot = out @ a, out_dot @ a + out @ a_dot
    return out_dot


def _multi_dot_bar(g, arrays, item):
    """Cotangent of one of the arrays in np.linalg.multi_dot(arrays), of which the first and the last may be vectors."""
    first, last = np.ndim(arrays[0]) == 1, np.ndim(arrays[-1]) == 1
    g = np.reshape(g, (1 if first else np.shape(arrays[0])[0], 1 if last else np.shape(arrays[-1])[1]))
    for a in arrays[:item]:
        g = (np.expand_dims(a, 0) if np.ndim(a) == 1 else a).T @ g
    for a in reversed(arrays[item + 1 :]):
        g = g @ (np.expand_dims(a, -1) if np.ndim(a) == 1 else a).T
    return np.reshape(g, np.shape(arrays[item]))


def _norm_slope(x, out, ord=None, axis=None):
    """The derivative of out = np.linalg.norm(x, ord, axis), whose axes are kept; at ties the mean of the choices."""
    matrix = np.ndim(x) == 2 if axis is None else np.size(axis) == 2
    if ord is None or ord == "fro" or (ord == 2 and not matrix):
        return x / (out + (out == 0.0))
    if matrix:
        return _matrix_norm_slope(x, ord, (0, 1) if axis is None else axis)
    return _vector_norm_slope(x, out, ord, axis)


def _vector_norm_slope(x, out, ord=2, axis=None):
    """The derivative of out = np.linalg.vector_norm(x, axis, ord), whose axes are kept."""
    size = np.abs(x)
    if np.isinf(ord):
        at = (size == out) + 0.0 * size
        return np.sign(x) * at / np.sum(at, axis=axis, keepdims=True)
    if ord == 0:
        return np.zeros_like(x)
    return np.sign(x) * (size / (out + (out == 0.0))) ** (ord - 1)


def _matrix_norm_slope(x, ord, axis):
    """The derivative of a norm of the matrices that lie in two axes of x; at ties the mean of the choices."""
    x = np.moveaxis(x, axis, (-2, -1))
    if ord in ("nuc", 2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        if ord == "nuc":
            at = (s > 0.0) + 0.0 * s
        else:
            at = (s == np.expand_dims(s[..., 0] if ord == 2 else s[..., -1], -1)) + 0.0 * s
            at = at / np.sum(at, axis=-1, keepdims=True)
        slope = (u * np.expand_dims(at, -2)) @ vh
    else:
        sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
        best = np.max(sums, axis=(-2, -1), keepdims=True) if ord > 0 else np.min(sums, axis=(-2, -1), keepdims=True)
        at = (sums == best) + 0.0 * sums
        slope = np.sign(x) * at / np.sum(at, axis=(-2, -1), keepdims=True)
    return np.moveaxis(slope, (-2, -1), axis)


def _cond_slope(x, out, p=None):
    """The derivative of out = np.linalg.cond(x, p)."""
    out = np.expand_dims(out, (-2, -1))
    if p is None or p in (2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        largest = np.expand_dims(u[..., 0], -1) * vh[..., :1, :] / s[..., :1, None]
        smallest = np.expand_dims(u[..., -1], -1) * vh[..., -1:, :] / s[..., -1:, None]
        return out * (smallest - largest) if p == -2 else out * (largest - smallest)
    inverse = np.linalg.inv(x)
    own = np.linalg.norm(x, p, axis=(-2, -1), keepdims=True)
    slope = _norm_slope(x, own, p, (-2, -1)) / own
    other = out / own
    turned = np.conj(np.swapaxes(inverse, -1, -2))
    return out * (slope - turned @ _norm_slope(inverse, other, p, (-2, -1)) @ turned / other)


def _ones_on_diagonal(x, offset=0):
    """Ones on a diagonal of the last two axes of x, and zeros."""
    return np.eye(np.shape(x)[-2], np.shape(x)[-1], offset, dtype=np.result_type(x))


def _diagonal_bar(g, x, offset=0):
    """Cotangent of x in its diagonals along the last two axes."""
    x_bar = np.zeros(np.shape(x), np.result_type(g, 0.0))
    i = np.arange(np.shape(g)[-1])
    x_bar[..., i + max(-offset, 0), i + max(offset, 0)] = g
    return x_bar


def _tensorinv_dot(a_dot, a, out):
    """Tangent of out = np.linalg.tensorinv(a, ind)."""
    n = round(np.sqrt(np.size(a)))
    flat = np.reshape(out, (n, n))
    return np.reshape(-flat @ np.reshape(a_dot, (n, n)) @ flat, np.shape(out))


def _tensorinv_bar(g, a, out):
    """Cotangent of a in out = np.linalg.tensorinv(a, ind)."""
    n = round(np.sqrt(np.size(a)))
    flat = np.reshape(out, (n, n)).T
    return np.reshape(-flat @ np.reshape(g, (n, n)) @ flat, np.shape(a))


def _tensorsolve_adjoint(g, a, out, axes=None):
    """Cotangent of b in out = np.linalg.tensorsolve(a, b, axes), in the shape of a vector."""
    return np.linalg.solve(_tensorsolve_matrix(a, out, axes).T, np.ravel(g))


def _tensorsolve_matrix(a, x, axes=None):
    """The matrix of the linear map of np.linalg.tensorsolve, of which x is a solution."""
    return np.reshape(np.transpose(a, _tensorsolve_order(a, axes)), (-1, np.size(x)))


def _tensorsolve_order(a, axes=None):
    """The axes of a, those of np.tensordot(a, x) last."""
    moved = [] if axes is None else [int(i) % np.ndim(a) for i in axes]
    return [i for i in range(np.ndim(a)) if i not in moved] + moved


def _tensorsolve_bar_a(adjoint, a, out, axes=None):
    """Cotangent of a in out = np.linalg.tensorsolve(a, b, axes)."""
    order = _tensorsolve_order(a, axes)
    a_bar = -np.reshape(np.outer(adjoint, out), [np.shape(a)[i] for i in order])
    return np.transpose(a_bar, np.argsort(order))


def _tensorsolve_dot(a, out, a_dot, b_dot, axes=None):
    """Tangent of out = np.linalg.tensorsolve(a, b, axes)."""
    rest = 0.0 if b_dot is None else np.ravel(b_dot)
    if a_dot is not None:
        rest = rest - _tensorsolve_matrix(a_dot, out, axes) @ np.ravel(out)
    return np.reshape(np.linalg.solve(_tensorsolve_matrix(a, out, axes), rest), np.shape(out))


def _unit(x, i):
    """Zeros in the shape of x, but a one for its i-th element."""
    unit = np.zeros(np.size(x), dtype=np.result_type(x, 0.0))
    unit[i] = 1.0
    return np.reshape(unit, np.shape(x))[()]


def _fit(g, x):
    """g cut off, or filled up with zeros, to the shape of x."""
    shape = np.shape(x)
    g = g[tuple(slice(n) for n in shape)]
    return np.pad(g, [(0, n - k) for n, k in zip(shape, g.shape, strict=True)])


def _irfft_bar(g, x, axis=-1, norm=None):
    """Cotangent of x in np.fft.irfft(x, n, axis): the frequencies inside count twice; norm is that of rfft."""
    return _irfftn_bar(g, x, (axis,), norm)


def _irfftn_bar(g, x, axes=None, norm=None):
    """Cotangent of x in np.fft.irfftn(x, s, axes): the frequencies inside the last axis count twice."""
    last = -1 if axes is None else axes[-1]
    x_bar = np.fft.rfftn(g, axes=axes, norm=norm)
    np.moveaxis(x_bar, last, 0)[1 : (np.shape(g)[last] + 1) // 2] *= 2.0
    return _fit(x_bar, x)


def _digamma(x):
    """The logarithmic derivative of the gamma function at a number: recurrence, reflection, asymptotic series."""
    if x <= 0.0:
        return _digamma(1.0 - x) - np.pi / np.tan(np.pi * x)
    shift = 0.0
    while x < 10.0:
        shift -= 1.0 / x
        x = x + 1.0
    y = 1.0 / x**2
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * (691 / 32760 - y / 12))))))
    return shift + np.log(x) - 0.5 / x - series


def _partition_bar(g, x, out, axis=-1):
    """Cotangent of x in out = np.partition(x, kth, axis): the k-th largest of x is the k-th largest of out."""
    if axis is None:
        return np.reshape(_partition_bar(g, np.ravel(x), out, 0), np.shape(x))
    x_bar = np.empty_like(g)
    moved = np.take_along_axis(g, np.argsort(out, axis=axis), axis=axis)
    np.put_along_axis(x_bar, np.argsort(x, axis=axis), moved, axis=axis)
    return x_bar


def _partition_dot(x_dot, x, out, axis=-1):
    """Tangent of out = np.partition(x, kth, axis): the k-th largest of x is the k-th largest of out."""
    if axis is None:
        return _partition_dot(np.ravel(x_dot), np.ravel(x), out, 0)
    out_dot = np.empty_like(x_dot)
    moved = np.take_along_axis(x_dot, np.argsort(x, axis=axis), axis=axis)
    np.put_along_axis(out_dot, np.argsort(out, axis=axis), moved, axis=axis)
    return out_dot


def _unique_bar(g, x):
    """Cotangent of x in np.unique(x): elements that are equal share alike."""
    place = np.searchsorted(np.unique(x), np.ravel(x))
    counts = np.bincount(place, minlength=len(g)).astype(g.dtype)
    return np.reshape((g / counts)[place], np.shape(x))


def _unique_dot(x_dot, x):
    """Tangent of np.unique(x): the mean of those of equal elements."""
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    return (np.bincount(np.ravel(inverse), np.ravel(x_dot)) / counts).astype(np.result_type(x_dot, 0.0))


def _quantile_axes(x, axis=None):
    """The axes of x that np.quantile(x, q, axis) is taken over, and the shape of the result where these are kept."""
    axes = range(np.ndim(x)) if axis is None else [int(a) % np.ndim(x) for a in np.atleast_1d(axis)]
    return axes, [1 if i in axes else n for i, n in enumerate(np.shape(x))]


def _quantile_rows(x, axis=None):
    """The data of each of the quantiles in order, along a last axis: NaN stands last."""
    axes, shape = _quantile_axes(x, axis)
    kept = [n for i, n in enumerate(shape) if i not in axes]
    rows = np.moveaxis(x, tuple(axes), tuple(range(-len(axes), 0)))
    return np.sort(np.reshape(rows, kept + [np.size(x) // max(int(np.prod(kept)), 1)]), axis=-1)


def _quantile_places(missing, q, method="linear"):
    """The places in the sorted data that a quantile lies between, its place between them, and the number of data.

    NaN, which is missing, does not count.
    """
    n = np.shape(missing)[-1]
    count = np.sum(~missing, axis=-1, keepdims=True)
    if np.any(missing):
        place = np.where(missing, np.nan, np.arange(n))
        place = np.nan_to_num(np.nanquantile(place, q, axis=-1, keepdims=True, method=method))
    else:
        place = np.full(count.shape, np.quantile(np.arange(n), q, method=method))
    first = np.minimum(np.floor(place).astype(int), np.maximum(count - 2, 0))
    return first, np.minimum(first + 1, n - 1), place - first, count


def _quantile_shares(x, q, axis=None, method="linear"):
    """The derivative of np.quantile(x, q, axis), for one q, with respect to each element; equal ones share alike."""
    if np.size(x) == 0:
        return np.zeros_like(x)
    rows, (_, shape) = _quantile_rows(x, axis), _quantile_axes(x, axis)
    first, second, part, _ = _quantile_places(np.isnan(rows), q, method)
    part = np.reshape(part, shape).astype(np.result_type(x, 1.0))
    at_low = (x == np.reshape(np.take_along_axis(rows, first, axis=-1), shape)).astype(part.dtype)
    at_high = (x == np.reshape(np.take_along_axis(rows, second, axis=-1), shape)).astype(part.dtype)
    low_count, high_count = np.sum(at_low, axis=axis, keepdims=True), np.sum(at_high, axis=axis, keepdims=True)
    return (1.0 - part) * at_low / np.maximum(low_count, 1.0) + part * at_high / np.maximum(high_count, 1.0)


def _quantile_bar(g, x, q, axis=None, keepdims=False, method="linear"):
    """Cotangent of x in np.quantile(x, q, axis), for q of any rank."""
    g, q, x_bar = np.asarray(g), np.asarray(q), 0.0
    for k in np.ndindex(q.shape):
        x_bar = x_bar + _quantile_shares(x, q[k], axis, method) * _expand(g[k], axis, keepdims)
    return x_bar


def _quantile_dot(x_dot, x, q, axis=None, keepdims=False, method="linear"):
    """Tangent of np.quantile(x, q, axis), for q of any rank."""
    q = np.asarray(q)
    moved = [_quantile_shares(x, q[k], axis, method) * x_dot for k in np.ndindex(q.shape)]
    sums = [np.sum(m, axis=axis, keepdims=keepdims) for m in moved]
    return np.reshape(np.array(sums), q.shape + np.shape(sums[0]))[()]


def _quantile_slopes(x, q, axis=None, keepdims=False):
    """The derivative of np.quantile(x, q, axis) with respect to q, in the shape of the result."""
    q, rows, slopes = np.asarray(q), _quantile_rows(x, axis), []
    _, shape = _quantile_axes(x, axis)
    for k in np.ndindex(q.shape):
        first, second, _, count = _quantile_places(np.isnan(rows), q[k])
        step = np.take_along_axis(rows, second, axis=-1) - np.take_along_axis(rows, first, axis=-1)
        slope = np.reshape(step * (count - 1.0).astype(np.result_type(x, 1.0)), shape)
        slopes.append(np.sum(slope, axis=axis, keepdims=keepdims))
    return np.reshape(np.array(slopes), q.shape + np.shape(slopes[0]))[()]


def _chosen_shares(x, chosen, axis=None):
    """1 for the element of x that is chosen along axis; those that equal it share alike."""
    there = (x == chosen).astype(np.result_type(x, 1.0))
    return there / np.maximum(np.sum(there, axis=axis, keepdims=True), 1.0)


def _weighted_quantile_bar(g, x, q, out, axis=None, keepdims=False):
    """Cotangent of x in out = np.quantile(x, q, axis, weights=...): each result is an element of x."""
    g, out, x_bar = np.asarray(g), np.asarray(out), 0.0
    for k in np.ndindex(np.shape(q)):
        x_bar = x_bar + _chosen_shares(x, _expand(out[k], axis, keepdims), axis) * _expand(g[k], axis, keepdims)
    return x_bar


def _weighted_quantile_dot(x_dot, x, q, out, axis=None, keepdims=False):
    """Tangent of out = np.quantile(x, q, axis, weights=...): each result is an element of x."""
    out = np.asarray(out)
    moved = [_chosen_shares(x, _expand(out[k], axis, keepdims), axis) * x_dot for k in np.ndindex(np.shape(q))]
    return np.reshape(np.array([np.sum(m, axis=axis, keepdims=keepdims) for m in moved]), out.shape)[()]


def _leading_sum(e, like):
    """The sum of e over the axes behind those of like."""
    return np.sum(e, axis=tuple(range(np.ndim(like), np.ndim(e))))


def _scale_leading(e, weights):
    """e times weights, whose axes are the first ones of e."""
    return e * np.reshape(weights, np.shape(weights) + (1,) * (np.ndim(e) - np.ndim(weights)))


def _weights_along(weights, x, axis):
    """The weights of np.average(x, axis, weights) in a shape that broadcasts against x."""
    if np.shape(weights) == np.shape(x):
        return weights
    axes = [int(a) % np.ndim(x) for a in np.atleast_1d(axis)]
    weights = np.transpose(weights, np.argsort(axes))
    return np.reshape(weights, [n if i in axes else 1 for i, n in enumerate(np.shape(x))])


def _reduce_to_weights(e, weights, axis):
    """What `_weights_along` broadcast, summed back to the shape of the weights."""
    if np.shape(weights) == np.shape(e):
        return e
    axes = [int(a) % np.ndim(e) for a in np.atleast_1d(axis)]
    total = np.sum(e, axis=tuple(i for i in range(np.ndim(e)) if i not in axes))
    return np.transpose(total, np.argsort(np.argsort(axes)))


def _as_rows(m, rowvar=True):
    """The variables of np.cov as the rows of a matrix."""
    m = np.asarray(m)
    return np.atleast_2d(m) if rowvar or m.ndim == 1 else m.T


def _centred_rows(m, y=None, rowvar=True):
    """All variables of np.cov(m, y, rowvar) as rows, each without its mean."""
    rows = np.concatenate([_as_rows(x, rowvar) for x in (m, y) if x is not None])
    return rows - np.mean(rows, axis=1, keepdims=True)


def _cov_bar(g, m, y=None, rowvar=True, ddof=1):
    """Cotangents of m and y in np.cov(m, y, rowvar, ddof=ddof)."""
    rows = _centred_rows(m, y, rowvar)
    g = np.reshape(g, (len(rows), len(rows)))
    rows_bar = (g + g.T) @ rows / (rows.shape[1] - ddof)
    n = len(_as_rows(m, rowvar))
    parts = [(p if rowvar else p.T, x) for p, x in ((rows_bar[:n], m), (rows_bar[n:], y)) if x is not None]
    return [np.reshape(p, np.shape(x)) for p, x in parts]


def _cov_dot(m_dot, m, y=None, y_dot=None, rowvar=True, ddof=1):
    """Tangent of np.cov(m, y, rowvar, ddof=ddof)."""
    if y is not None and y_dot is None:
        y_dot = np.zeros_like(y)
    rows, rows_dot = _centred_rows(m, y, rowvar), _centred_rows(m_dot, y_dot, rowvar)
    half = rows_dot @ rows.T / (rows.shape[1] - ddof)
    return np.squeeze(half + half.T)[()]


def _cov_weights(fweights=None, aweights=None, ddof=1):
    """The weights of np.cov, what the sum of products is divided by, and its derivative in each of aweights."""
    f, a = 1.0 if fweights is None else fweights, 1.0 if aweights is None else aweights
    w = f * a
    total, squares = np.sum(w), np.sum(w * a)
    if aweights is None:
        return w, total - ddof, None
    return w, total - ddof * squares / total, f * (1.0 - ddof * (2.0 * a / total - squares / total**2))


def _weighted_rows(m, y, rowvar, w):
    """All variables of np.cov(m, y, rowvar) as rows, each without its weighted mean."""
    rows = np.concatenate([_as_rows(x, rowvar) for x in (m, y) if x is not None])
    return rows - np.expand_dims(rows @ w / np.sum(w), 1)


def _weighted_cov_bar(g, m, y=None, rowvar=True, ddof=1, fweights=None, aweights=None):
    """Cotangents of m and y in np.cov(m, y, rowvar, ddof=ddof, fweights=fweights, aweights=aweights)."""
    w, divisor, _ = _cov_weights(fweights, aweights, ddof)
    rows = _weighted_rows(m, y, rowvar, w)
    g = np.reshape(g, (len(rows), len(rows)))
    rows_bar = (g + g.T) @ (w * rows) / divisor
    n = len(_as_rows(m, rowvar))
    parts = [(p if rowvar else p.T, x) for p, x in ((rows_bar[:n], m), (rows_bar[n:], y)) if x is not None]
    return [np.reshape(p, np.shape(x)) for p, x in parts]


def _cov_bar_weights(g, out, m, y=None, rowvar=True, ddof=1, fweights=None, aweights=None):
    """Cotangent of aweights in out = np.cov(m, y, rowvar, ddof=ddof, fweights=fweights, aweights=aweights)."""
    w, divisor, slope = _cov_weights(fweights, aweights, ddof)
    rows = _weighted_rows(m, y, rowvar, w)
    g = np.reshape(g, (len(rows), len(rows)))
    products = np.sum(rows * (g @ rows), axis=0)
    return ((products if fweights is None else fweights * products) - slope * np.sum(g * out)) / divisor


def _weighted_cov_dot(
    out, m, m_dot=None, y=None, y_dot=None, rowvar=True, ddof=1, fweights=None, aweights=None, w_dot=None
):
    """Tangent of out = np.cov(m, y, rowvar, ddof=ddof, fweights=fweights, aweights=aweights); w_dot: of aweights."""
    w, divisor, slope = _cov_weights(fweights, aweights, ddof)
    rows, out_dot = _weighted_rows(m, y, rowvar, w), np.zeros_like(out)
    if m_dot is not None or y_dot is not None:
        m_dot = np.zeros_like(m) if m_dot is None else m_dot
        y_dot = np.zeros_like(y) if y_dot is None and y is not None else y_dot
        half = _weighted_rows(m_dot, y_dot, rowvar, w) @ (w * rows).T / divisor
        out_dot = out_dot + np.squeeze(half + half.T)[()]
    if w_dot is not None:
        moved = w_dot if fweights is None else fweights * w_dot
        out_dot = out_dot + (np.squeeze((moved * rows) @ rows.T)[()] - np.sum(slope * w_dot) * out) / divisor
    return out_dot


def _corrcoef_bar(g, out, x, y=None, rowvar=True):
    """Cotangents of x and y in out = np.corrcoef(x, y, rowvar), by way of the covariance c: c[i, j] / (d[i] d[j])."""
    d = np.sqrt(np.diag(np.atleast_2d(np.cov(x, y, rowvar))))
    g, out = np.atleast_2d(g), np.atleast_2d(out)
    of_d = g * out + (g * out).T
    return _cov_bar(g / np.outer(d, d) - np.diag(0.5 * np.sum(of_d, axis=1) / d**2), x, y, rowvar)


def _corrcoef_dot(x_dot, out, x, y=None, y_dot=None, rowvar=True):
    """Tangent of out = np.corrcoef(x, y, rowvar), by way of the covariance c: c[i, j] / (d[i] d[j])."""
    d = np.sqrt(np.diag(np.atleast_2d(np.cov(x, y, rowvar))))
    c_dot = np.atleast_2d(_cov_dot(x_dot, x, y, y_dot, rowvar))
    relative = 0.5 * np.diag(c_dot) / d**2
    return np.squeeze(c_dot / np.outer(d, d) - out * (np.expand_dims(relative, 1) + relative))[()]


def _complex_cov_rows(m, y=None, rowvar=True, ddof=1, fweights=None, aweights=None):
    """The variables as rows without their means, divided so that np.cov(m, y, ...) is a product of them and of m, y."""
    if fweights is None and aweights is None:
        rows = _centred_rows(m, y, rowvar)
        return rows / (rows.shape[1] - ddof)
    w, divisor, _ = _cov_weights(fweights, aweights, ddof)
    return w * _weighted_rows(m, y, rowvar, w) / divisor


def _complex_cov_bar(g, m, y=None, rowvar=True, ddof=1, fweights=None, aweights=None, of_y=False):
    """Cotangent of m, or of y, in np.cov(m, y, rowvar, ddof=ddof, fweights=fweights, aweights=aweights)."""
    rows, n = _complex_cov_rows(m, y, rowvar, ddof, fweights, aweights), len(_as_rows(m, rowvar))
    g = np.reshape(g, (len(rows), len(rows)))
    g = g + np.conj(g).T
    bar = (g[n:] if of_y else g[:n]) @ rows
    return np.reshape(bar if rowvar else bar.T, np.shape(y if of_y else m))


def _complex_cov_dot(m, m_dot=None, y=None, y_dot=None, rowvar=True, ddof=1, fweights=None, aweights=None):
    """Tangent of np.cov(m, y, rowvar, ddof=ddof, fweights=fweights, aweights=aweights)."""
    rows = _complex_cov_rows(m, y, rowvar, ddof, fweights, aweights)
    dots = [np.zeros_like(x) if x_dot is None else x_dot for x, x_dot in ((m, m_dot), (y, y_dot)) if x is not None]
    half = np.concatenate([_as_rows(d, rowvar) for d in dots]) @ np.conj(rows).T
    return np.squeeze(half + np.conj(half).T)[()]


def _complex_corrcoef_bar(g, out, x, y=None, rowvar=True, of_y=False):
    """Cotangent of x, or of y, in out = np.corrcoef(x, y, rowvar): c[i, j] / (d[i] d[j]), of the covariance c."""
    d = np.sqrt(np.real(np.diag(np.atleast_2d(np.cov(x, y, rowvar)))))
    g, out = np.atleast_2d(g), np.atleast_2d(out)
    of_d = np.real(np.conj(g) * out)
    of_d = np.sum(of_d + of_d.T, axis=1)
    return _complex_cov_bar(g / np.outer(d, d) - np.diag(0.5 * of_d / d**2), x, y, rowvar, of_y=of_y)


def _complex_corrcoef_dot(out, x, x_dot=None, y=None, y_dot=None, rowvar=True):
    """Tangent of out = np.corrcoef(x, y, rowvar), by way of the covariance c: c[i, j] / (d[i] d[j])."""
    d = np.sqrt(np.real(np.diag(np.atleast_2d(np.cov(x, y, rowvar)))))
    c_dot = np.atleast_2d(_complex_cov_dot(x, x_dot, y, y_dot, rowvar))
    relative = 0.5 * np.real(np.diag(c_dot)) / d**2
    return np.squeeze(c_dot / np.outer(d, d) - out * (np.expand_dims(relative, 1) + relative))[()]


def _bins(x, edges):
    """The bin of each element between edges, and whether it is in any; the last bin has both of its ends."""
    last = len(edges) - 2
    i = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, last)
    return i, (x >= edges[0]) & (x <= edges[-1])


def _histogram_bar(g, x, edges):
    """Cotangent of the weights in np.histogram(x, weights=...)."""
    i, inside = _bins(x, edges)
    return np.where(inside, g[i], 0.0)


def _histogram_dot(weights_dot, x, edges):
    """Tangent of the counts of np.histogram(x, weights=...)."""
    i, inside = _bins(x, edges)
    counts = np.bincount(i[inside], weights_dot[inside], minlength=len(edges) - 1)
    return counts.astype(np.result_type(weights_dot, 0.0))


def _full_length(g, a, v, mode, reverse=False):
    """The cotangent of the full convolution of a and v, or correlation with reverse, of which mode takes a part."""
    n = min(len(a), len(v))
    start = n - 1 if mode == "valid" else n // 2 if reverse and len(v) > len(a) else (n - 1) // 2
    full = np.zeros(len(a) + len(v) - 1, np.result_type(g, 0.0))
    full[start : start + len(g)] = g
    return full


def _ediff_bar(g, x, to_begin=()):
    """Cotangent of x in np.ediff1d(x, to_begin=to_begin)."""
    start = np.size(to_begin)
    return np.reshape(-np.diff(np.pad(g[start : start + max(np.size(x) - 1, 0)], 1)), np.shape(x))


def _gradient_bar(g, f, spacing=(), axis=None, edge_order=1):
    """Cotangent of f in np.gradient(f, *spacing, axis=axis, edge_order=edge_order)."""
    lanes = _gradient_lanes(g, f, spacing or (1.0,), axis)
    return sum(_gradient_bar_along(part, along, step, edge_order) for along, step, part in lanes)


def _gradient_bar_along(g, axis=0, step=1.0, edge_order=1):
    """Cotangent of f in np.gradient(f, step, axis=axis, edge_order=edge_order).

    A row of the linear map reads at most three elements in turn, so that the gradients of three combs of ones, each
    at every third place, have all of its coefficients.
    """
    rows, f_bar = np.moveaxis(g, axis, 0), np.zeros(np.shape(g), np.result_type(g, 0.0))
    rows_bar = np.moveaxis(f_bar, axis, 0)
    i = np.arange(len(rows))
    first = np.clip(i - 1, 0, max(len(rows) - 3, 0))
    for k in range(min(len(rows), 3)):
        c = np.gradient(np.where(i % 3 == k, 1.0, 0.0), step, edge_order=edge_order)
        np.add.at(rows_bar, first + (k - first) % 3, rows * _column(c, np.ndim(rows)))
    return f_bar


def _column(x, rank):
    """A vector in a shape that broadcasts against rows, arrays of this rank: one number for each row."""
    return np.reshape(x, (-1,) + (1,) * (rank - 1))


def _gradient_slopes(rows, x, edge_order=1):
    """The derivatives of each row of np.gradient(rows, x, axis=0) in the two steps of x that it reads."""
    steps = _column(np.diff(x), np.ndim(rows))
    d = np.diff(rows, axis=0) / steps
    first, second = np.zeros((2, *np.shape(rows)), d.dtype)
    first[0] = -d[0] / steps[0]
    second[-1] = -d[-1] / steps[-1]
    if len(rows) == 2:
        return first[[0, 0]], second[[0, 0]]
    a, b = steps[:-1], steps[1:]
    both = a + b
    inner = (a * d[1:] + b * d[:-1]) / both
    first[1:-1] = (d[1:] - b * d[:-1] / a - inner) / both
    second[1:-1] = (d[:-1] - a * d[1:] / b - inner) / both
    if edge_order == 2:
        bend = (d[:-1] - d[1:]) / both
        first[0] += (bend[0] * b[0] - d[0]) / both[0]
        second[0] = a[0] * (d[1] / b[0] - bend[0]) / both[0]
        first[-1] = b[-1] * (d[-2] / a[-1] + bend[-1]) / both[-1]
        second[-1] -= (bend[-1] * a[-1] + d[-1]) / both[-1]
    return first, second


def _gradient_places(n):
    """The two steps that each row of np.gradient of n elements reads."""
    first = np.clip(np.arange(n) - 1, 0, max(n - 3, 0))
    return first, np.minimum(first + 1, n - 2)


def _gradient_lanes(value, f, spacing, axis=None):
    """The axes that np.gradient(f, *spacing, axis=axis) is along, each with its spacing and its part of value."""
    axes = range(np.ndim(f)) if axis is None else np.atleast_1d(axis)
    parts = np.expand_dims(value, 0) if np.ndim(value) == np.ndim(f) else value
    return [(a, spacing[k % len(spacing)], part) for k, (a, part) in enumerate(zip(axes, parts, strict=True))]


def _gradient_bar_spacing(g, f, out, spacing, item, axis=None, edge_order=1):
    """Cotangent of spacing[item] in out = np.gradient(f, *spacing, axis=axis, edge_order=edge_order)."""
    x, x_bar, parts = spacing[item], 0.0, _gradient_lanes(out, f, spacing, axis)
    for k, (along, _, part) in enumerate(_gradient_lanes(g, f, spacing, axis)):
        if k % len(spacing) == item:
            x_bar = x_bar + _gradient_bar_step(part, f, parts[k][2], x, along, edge_order)
    return x_bar


def _gradient_bar_step(g, f, out, x, axis=0, edge_order=1):
    """Cotangent of x, a number or points, in out = np.gradient(f, x, axis=axis, edge_order=edge_order)."""
    return -np.sum(g * out) / x if np.ndim(x) == 0 else _gradient_bar_points(g, f, x, axis, edge_order)


def _gradient_bar_points(g, f, x, axis=0, edge_order=1):
    """Cotangent of the points x in np.gradient(f, x, axis=axis, edge_order=edge_order)."""
    rows_bar, (left, right) = np.moveaxis(g, axis, 0), _gradient_places(len(x))
    first, second = _gradient_slopes(np.moveaxis(f, axis, 0), x, edge_order)
    steps_bar = np.zeros(len(x) - 1, np.result_type(g, np.asarray(x)))
    np.add.at(steps_bar, left, np.sum(np.reshape(rows_bar * first, (len(x), -1)), axis=1))
    np.add.at(steps_bar, right, np.sum(np.reshape(rows_bar * second, (len(x), -1)), axis=1))
    return -np.diff(np.pad(steps_bar, 1))


def _gradient_dot(f, out, spacing, spacing_dot, f_dot=None, axis=None, edge_order=1):
    """Tangent of out = np.gradient(f, *spacing, axis=axis, edge_order=edge_order); None where spacing has none."""
    moved = 0.0 * np.array(out) if f_dot is None else np.gradient(f_dot, *spacing, axis=axis, edge_order=edge_order)
    several = np.ndim(out) > np.ndim(f)
    dots = list(moved) if several else [moved]
    for k, (along, x, part) in enumerate(_gradient_lanes(out, f, spacing, axis)):
        x_dot = spacing_dot[k % len(spacing)]
        if x_dot is not None:
            dots[k] = dots[k] + _gradient_step_dot(x_dot, f, part, x, along, edge_order)
    return dots if several else dots[0]


def _gradient_step_dot(x_dot, f, out, x, axis=0, edge_order=1):
    """Tangent of out = np.gradient(f, x, axis=axis, edge_order=edge_order) along x, a number or points."""
    return -out * (x_dot / x) if np.ndim(x) == 0 else _gradient_points_dot(x_dot, f, x, axis, edge_order)


def _gradient_points_dot(x_dot, f, x, axis=0, edge_order=1):
    """Tangent of np.gradient(f, x, axis=axis, edge_order=edge_order) along the points x."""
    left, right = _gradient_places(len(x))
    first, second = _gradient_slopes(np.moveaxis(f, axis, 0), x, edge_order)
    steps_dot = _column(np.diff(x_dot), np.ndim(f))
    return np.moveaxis(first * steps_dot[left] + second * steps_dot[right], 0, axis)


def _trapezoid_steps(x, rank, axis=-1):
    """The steps of x in np.trapezoid(y, x, axis=axis), in a shape that broadcasts against a y of this rank."""
    if np.ndim(x) != 1:
        return np.diff(x, axis=axis)
    shape = [1] * rank
    shape[axis] = -1
    return np.reshape(np.diff(x), shape)


def _trapezoid_bar_y(g, y, x=None, dx=1.0, axis=-1):
    """Cotangent of y in np.trapezoid(y, x, dx, axis): a point belongs to half of the step on either side."""
    steps = dx if x is None else _trapezoid_steps(x, np.ndim(y), axis)
    half = 0.5 * steps * np.expand_dims(g, axis)
    if np.ndim(x) > 1 or np.ndim(dx) > 0:
        half = _unbroadcast(half, np.diff(y, axis=axis))
    half = np.moveaxis(half, axis, 0)
    y_bar = np.zeros(np.shape(y), np.result_type(g, 0.0))
    rows_bar = np.moveaxis(y_bar, axis, 0)
    rows_bar[1:] += half
    rows_bar[:-1] += half
    return y_bar


def _trapezoid_bar_dx(g, y, dx, axis=-1):
    """Cotangent of the steps in np.trapezoid(y, dx=dx, axis=axis): the mean of y at the ends of each."""
    rows = np.moveaxis(y, axis, 0)
    means = np.moveaxis(0.5 * (rows[1:] + rows[:-1]), 0, axis)
    return _unbroadcast(means * np.expand_dims(g, axis), dx)


def _trapezoid_bar_x(g, y, x, axis=-1):
    """Cotangent of x in np.trapezoid(y, x, axis=axis)."""
    step_bar = _trapezoid_bar_dx(g, y, _trapezoid_steps(x, np.ndim(y), axis), axis)
    return _diff_bar(np.ravel(step_bar), x) if np.ndim(x) == 1 else _diff_bar(step_bar, x, 1, axis)


def _interp_cell(x, xp):
    """The interval of the knots xp that each element of x lies in, and whether it lies in any."""
    i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, max(len(xp) - 2, 0))
    return i, (x >= xp[0]) & (x <= xp[-1])


def _interp_slope(x, xp, fp):
    """The derivative of np.interp(x, xp, fp) with respect to x: at a knot that to the right, outside 0."""
    xp, fp = np.asarray(xp), np.asarray(fp)
    if len(xp) == 1:
        return 0.0 * np.asarray(x)
    i, inside = _interp_cell(x, xp)
    return np.where(inside, (fp[i + 1] - fp[i]) / (xp[i + 1] - xp[i]), 0.0)[()]


def _interp_bar_fp(g, x, xp, fp, left=True, right=True):
    """Cotangent of fp in np.interp(x, xp, fp); left and right: whether the end values hold outside of the knots."""
    xp, fp_bar = np.asarray(xp), np.zeros(np.shape(fp), np.result_type(g, 0.0))
    i, _ = _interp_cell(x, xp)
    last = np.minimum(i + 1, len(xp) - 1)
    part = np.clip((x - xp[i]) / np.where(xp[last] > xp[i], xp[last] - xp[i], 1.0), 0.0, 1.0)
    g = np.where((left | (x >= xp[0])) & (right | (x <= xp[-1])), g, 0.0)
    np.add.at(fp_bar, i, (1.0 - part) * g)
    np.add.at(fp_bar, last, part * g)
    return fp_bar


def _interp_bar_xp(g, x, xp, fp):
    """Cotangent of the knots xp in np.interp(x, xp, fp): moving a knot is moving x the other way."""
    return _interp_bar_fp(-_interp_slope(x, xp, fp) * g, x, xp, xp)


def _i1(x):
    """The modified Bessel function of order 1, the derivative of np.i0: I1 / I0 by its continued fraction."""
    ratio = 0.0 * x
    for k in range(240, 0, -1):
        ratio = x / (2.0 * k + x * ratio)
    return np.i0(x).astype(np.result_type(x, 1.0))[()] * ratio


def _polyval_slope(p, x):
    """The derivative of np.polyval(p, x) with respect to x, by Horner's rule for both."""
    if np.ndim(p) != 1:
        raise ValueError("no derivative: np.polyval of coefficients of more than one axis")
    value, slope = np.zeros_like(x), np.zeros_like(x)
    for c in p:
        slope = slope * x + value
        value = value * x + c
    return slope[()]


def _polyval_bar_p(g, p, x):
    """Cotangent of p in np.polyval(p, x): a coefficient goes with its power of x."""
    if np.ndim(p) != 1:
        raise ValueError("no derivative: np.polyval of coefficients of more than one axis")
    p_bar, power = np.zeros(np.shape(p), np.result_type(g, 0.0)), g * np.ones_like(x)
    for k in reversed(range(len(p))):
        p_bar[k] = np.sum(power)
        power = power * x
    return p_bar


def _polymul_dot(a_dot, a, other):
    """Tangent of np.polymul(a, other) along a_dot. It leaves leading zeros out of a and other, not those of a_dot."""
    a_dot = a_dot[len(a) - max(len(np.trim_zeros(a, "f")), 1) :]
    return np.convolve(a_dot, np.trim_zeros(other, "f") if np.any(other) else other[-1:])


def _polymul_bar(g, a, other):
    """Cotangent of a in np.polymul(a, other), which leaves leading zeros out."""
    a, other = np.asarray(a), np.trim_zeros(other, "f")
    a_bar = np.zeros(np.shape(a), np.result_type(g, 0.0))
    n = len(np.trim_zeros(a, "f"))
    if n and len(other):
        a_bar[len(a) - n :] = np.convolve(g, other[::-1], "valid")
    return a_bar


def _polyder_bar(g, p, m=1):
    """Cotangent of p in np.polyder(p, m)."""
    for k in range(m):
        n = max(len(p) - m + k, 0)
        g = np.concatenate([g * np.arange(n, 0, -1).astype(g.dtype), np.zeros(min(1, len(p)), g.dtype)])[: len(p)]
    return np.concatenate([g, np.zeros(len(p) - len(g), g.dtype)])


def _polyint_bar(g, m=1):
    """Cotangent of p in np.polyint(p, m)."""
    for _ in range(m):
        g = g[:-1] / np.arange(len(g) - 1, 0, -1).astype(g.dtype)
    return g


def _remainder_like(r, u):
    """A remainder of np.polydiv, which has its leading zeros cut off, in the length of u."""
    return np.concatenate([np.zeros(len(u) - len(r), np.result_type(r)), r]) if len(r) < len(u) else r


def _polydiv_dot(u_dot, v_dot, u, v, q, r):
    """Tangent of (q, r) = np.polydiv(u, v): u_dot - q v_dot = q_dot v + r_dot."""
    moved = np.asarray(u_dot) - _remainder_like(np.convolve(q, v_dot), u) if len(u) >= len(v) else np.asarray(u_dot)
    q_dot = np.zeros_like(q)
    for k in range(len(u) - len(v) + 1):
        q_dot[k] = moved[k] / v[0]
        moved[k : k + len(v)] -= q_dot[k] * v
    return q_dot, moved[len(moved) - len(r) :]


def _polydiv_bar(q_bar, r_bar, u, v, q):
    """Cotangents of u and v in (q, r) = np.polydiv(u, v): the adjoint of `_polydiv_dot`, step by step."""
    zero = np.zeros((), np.result_type(q_bar, r_bar, v))
    moved_bar, q_bar = _remainder_like(r_bar, u) + zero, q_bar + zero
    if len(u) < len(v):
        return moved_bar, np.zeros_like(v)
    for k in reversed(range(len(u) - len(v) + 1)):
        q_bar[k] -= moved_bar[k : k + len(v)] @ v
        moved_bar[k] += q_bar[k] / v[0]
    return moved_bar, -np.convolve(moved_bar, q[::-1], "valid")


def _poly_bar(g, x):
    """Cotangent of the roots x in np.poly(x)."""
    rows = [-g[1:] @ np.atleast_1d(np.poly(np.delete(x, i))) for i in range(len(x))]
    return np.array(rows).astype(np.result_type(g, 0.0))


def _poly_dot(x_dot, x):
    """Tangent of np.poly(x) from that of the roots x."""
    rows = [-d * np.poly(np.delete(x, i)) for i, d in enumerate(x_dot)]
    return np.pad(np.sum(rows, axis=0), (1, 0)).astype(np.result_type(x_dot, 0.0))


def _vander_slopes(x, n=None, increasing=False):
    """The derivative of np.vander(x, n, increasing) with respect to the element of x in each row."""
    n = len(x) if n is None else n
    slopes = np.zeros((len(x), n), np.result_type(x))
    slopes[:, 1:] = np.vander(x, max(n - 1, 0), increasing=True) * np.arange(1, n).astype(slopes.dtype)
    return slopes if increasing else slopes[:, ::-1]


def _pinv_of_columns(a):
    """np.linalg.pinv(a) of a matrix with as many rows as columns at least: else the fit has no derivative."""
    if len(a) < np.shape(a)[1]:
        raise np.linalg.LinAlgError("no derivative: np.polyfit of fewer points than coefficients")
    return np.linalg.pinv(a)


def _polyfit_dot(x_dot, y_dot, x, y, p):
    """Tangent of p = np.polyfit(x, y, deg): a p = y by least squares, with a = np.vander(x)."""
    a, inverse = np.vander(x, len(p)), _pinv_of_columns(np.vander(x, len(p)))
    a_dot = _vander_slopes(x, len(p)) * np.expand_dims(x_dot, 1)
    return inverse @ (y_dot - a_dot @ p) + inverse @ inverse.T @ a_dot.T @ (y - a @ p)


def _polyfit_bar(g, x, y, p):
    """Cotangents of x and y in p = np.polyfit(x, y, deg): a p = y by least squares, with a = np.vander(x)."""
    a, inverse = np.vander(x, len(p)), _pinv_of_columns(np.vander(x, len(p)))
    y_bar = inverse.T @ g
    columns = (np.shape(p)[0], -1)
    residual, weight = np.reshape(y - a @ p, (len(x), -1)), np.reshape(inverse @ y_bar, columns)
    a_bar = residual @ weight.T - np.reshape(y_bar, (len(x), -1)) @ np.reshape(p, columns).T
    return np.sum(a_bar * _vander_slopes(x, len(p)), axis=1), y_bar


def _complex_polyfit_dot(p, x, y, x_dot=None, y_dot=None):
    """Tangent of p = np.polyfit(x, y, deg): a p = y by least squares, with a = np.vander(x)."""
    a, inverse = np.vander(x, len(p)), _pinv_of_columns(np.vander(x, len(p)))
    p_dot = 0.0 if y_dot is None else inverse @ y_dot
    if x_dot is None:
        return p_dot
    a_dot = _vander_slopes(x, len(p)) * np.expand_dims(x_dot, 1)
    return p_dot - inverse @ (a_dot @ p) + inverse @ np.conj(inverse).T @ np.conj(a_dot).T @ (y - a @ p)


def _complex_polyfit_bar(g, x, y, p):
    """Cotangents of x and y in p = np.polyfit(x, y, deg): a p = y by least squares, with a = np.vander(x)."""
    a, inverse = np.vander(x, len(p)), _pinv_of_columns(np.vander(x, len(p)))
    y_bar = np.conj(inverse).T @ g
    columns = (np.shape(p)[0], -1)
    residual, weight = np.reshape(y - a @ p, (len(x), -1)), np.reshape(inverse @ y_bar, columns)
    y_columns = np.reshape(y_bar, (len(x), -1))
    a_bar = residual @ np.conj(weight).T - y_columns @ np.conj(np.reshape(p, columns)).T
    return np.sum(a_bar * np.conj(_vander_slopes(x, len(p))), axis=1), y_bar


def _weighted_polyfit_dot(p, x, y, w, x_dot=None, y_dot=None, w_dot=None):
    """Tangent of p = np.polyfit(x, y, deg, w=w): least squares of w a p = w y, with a = np.vander(x)."""
    a, column = np.vander(x, len(p)), np.reshape(w, (-1,) + (1,) * (np.ndim(y) - 1))
    rest = y - a @ p
    inverse = _pinv_of_columns(np.expand_dims(w, 1) * a)
    moved, turned = np.zeros_like(rest), np.zeros_like(p)
    if x_dot is not None:
        a_dot = _vander_slopes(x, len(p)) * np.expand_dims(x_dot, 1)
        moved, turned = moved - column * (a_dot @ p), turned + a_dot.T @ (column**2 * rest)
    if y_dot is not None:
        moved = moved + column * y_dot
    if w_dot is not None:
        w_dot = np.reshape(w_dot, np.shape(column))
        moved, turned = moved + w_dot * rest, turned + a.T @ (column * w_dot * rest)
    return inverse @ moved + inverse @ inverse.T @ turned


def _weighted_polyfit_bar(g, x, y, w, p):
    """Cotangents of x, y and w in p = np.polyfit(x, y, deg, w=w): least squares of w a p = w y, a = np.vander(x)."""
    a, rows = np.vander(x, len(p)), (len(x), -1)
    rest, column, p = np.reshape(y - a @ p, rows), np.expand_dims(w, 1), np.reshape(p, (len(p), -1))
    inverse = _pinv_of_columns(column * a)
    fitted = inverse.T @ np.reshape(g, np.shape(p))
    weight = inverse @ fitted
    a_bar = column * (column * rest @ weight.T - fitted @ p.T)
    w_bar = np.sum(fitted * rest + column * rest * (a @ weight), axis=1)
    return np.sum(a_bar * _vander_slopes(x, np.shape(p)[0]), axis=1), np.reshape(column * fitted, np.shape(y)), w_bar


def _places(x):
    """The place of each element of x among all of them, in the shape of x."""
    return np.reshape(np.arange(np.size(x)), np.shape(x))


def _gather_bar(g, places, x):
    """Cotangent of x where the result has the element of x at each of the places."""
    x_bar = np.zeros(np.size(x), np.result_type(g, 0.0))
    np.add.at(x_bar, np.ravel(places), np.ravel(g))
    return np.reshape(x_bar, np.shape(x))[()]


def _insert_bar(g, x, obj, values, axis=None):
    """Cotangents of x and values in np.insert(x, obj, values, axis)."""
    n = np.size(x)
    places = np.insert(_places(x), obj, _places(values) + n, axis=axis)
    both = _gather_bar(g, places, np.zeros(n + np.size(values)))
    return np.reshape(both[:n], np.shape(x)), np.reshape(both[n:], np.shape(values))[()]


def _trim_start(x, trim="fb"):
    """Where np.trim_zeros(x, trim) begins."""
    return np.flatnonzero(x)[0] if "f" in trim and np.any(x) else 0


def _trim_bar(g, x, trim="fb"):
    """Cotangent of x in np.trim_zeros(x, trim): what was cut off gets 0."""
    x_bar, start = np.zeros(np.shape(x), np.result_type(g, 0.0)), _trim_start(x, trim)
    x_bar[start : start + len(g)] = g
    return x_bar


def _trim_dot(x_dot, x, out, trim="fb"):
    """Tangent of out = np.trim_zeros(x, trim)."""
    start = _trim_start(x, trim)
    return x_dot[start : start + len(out)]


def _choose_bar(g, a, choices):
    """Cotangent of the choices in np.choose(a, choices)."""
    return np.array([_unbroadcast(np.where(np.equal(a, i), g, 0.0), c) for i, c in enumerate(choices)])


def _select_bar(g, condlist, choicelist):
    """Cotangents of the choices in np.select(condlist, choicelist): a list, or an array of them for an array."""
    parts = [[g if i == k else 0.0 for i in range(len(choicelist))] for k in range(len(choicelist))]
    bars = [_unbroadcast(np.select(condlist, parts[i]), c) for i, c in enumerate(choicelist)]
    return np.array(bars) if isinstance(choicelist, np.ndarray) else bars


def _layers_like(g, arrays):
    """The pieces of g for arrays that were joined by np.dstack, each in the shape of its array."""
    pieces = np.split(g, np.cumsum([np.shape(np.atleast_3d(a))[2] for a in arrays])[:-1], axis=2)
    return [1.0 * np.reshape(pieces[k], np.shape(a)) for k, a in enumerate(arrays)]


def _block_bar(g, arrays):
    """The pieces of g for the arrays of np.block(arrays), nested like them."""
    if not isinstance(arrays, list):
        return np.reshape(g, np.shape(arrays))[()]
    depth, inner = 1, arrays[0]
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]
    sizes = [np.shape(np.block(a))[-depth] if np.ndim(np.block(a)) >= depth else 1 for a in arrays]
    return [_block_bar(p, a) for p, a in zip(np.split(g, np.cumsum(sizes)[:-1], axis=-depth), arrays, strict=True)]


def _central_dot(f, args, dots, /, **options):
    """Tangent of f(*args, **options) by a central difference along dots, where None stands for zero."""
    moving = [(a, d) for a, d in zip(args, dots, strict=True) if d is not None]
    size = max(float(np.max(np.abs(d), initial=0.0)) for _, d in moving) or 1.0
    scale = max(1.0, *(float(np.max(np.abs(a) * (d != 0.0), initial=0.0)) for a, d in moving))
    eps = np.finfo(np.result_type(*(a for a, _ in moving), 0.0)).eps
    step = float(np.cbrt(eps)) * scale / size

    def at(h):
        value = np.asarray(f(*(a if d is None else a + h * d for a, d in zip(args, dots, strict=True)), **options))
        if value.dtype.kind != "f":
            raise TypeError(f"no differences of {f.__name__}: its result is not of floating-point numbers")
        return value

    return ((at(step) - at(-step)) / (2.0 * step))[()]


def _central_bar(f, args, i, g, /, **options):
    """Cotangent of args[i] in f(*args, **options): a central difference for each of its elements."""
    x_bar = np.zeros(np.shape(args[i]), np.result_type(args[i], 0.0))
    for k in np.ndindex(x_bar.shape):
        e = np.zeros_like(x_bar)
        e[k] = 1.0
        dots = [e if j == i else None for j in range(len(args))]
        x_bar[k] = np.sum(g * _central_dot(f, args, dots, **options))
    return x_bar[()]


def _curvature_within(x, slope, curvature, bounds):
    """The curvature at a minimum x; infinite where a bound, across which Newton's step would lead, holds x."""
    gap = abs(x - (bounds[0] if slope > 0.0 else bounds[1]))
    if abs(slope) < curvature * min(gap, 1e-3 * abs(x) + 1e-4):
        return curvature
    if abs(slope) < curvature * gap or gap > 2e-5 + 1e-6 * abs(x):  # twice the tolerance of SciPy
        raise ValueError("no derivative: the minimum is not where the slope is zero, nor at a bound")
    return np.inf


def _solve_ivp_dot(solver, push, t_span, y0, y0_dot, t, /, **options):
    """Tangent of solver(f, t_span, y0).y at the times t: push(s, y, y_dot) is the value of f and its tangent.

    The tangent solves y_dot' = push(s, y, y_dot)[1], together with y.
    """
    n = len(y0)

    def slope(s, state):
        return np.concatenate(push(s, state[:n], state[n:]))

    return solver(slope, t_span, np.concatenate([y0, y0_dot]), t_eval=t, **options).y[n:]


def _solve_ivp_bar(solver, f, pull, t_span, y0, t, y_bar, /, at=0, **options):
    """Cotangents of y0 and of the parameters in solver(f, t_span, y0).y at the times t, from y_bar.

    pull(s, y, g) gives the cotangents of y, the one at position `at`, and of the parameters of f, from that of f(s, y).
    The adjoint equation g' = -pull(s, y, g) runs backwards in time, and takes up y_bar on its way.
    """
    y = solver(f, t_span, y0, dense_output=True, **options).sol
    scale = np.max(np.abs(y_bar), initial=0.0) or 1.0  # the tolerances are for numbers of this size
    n = len(y0)

    def parts(s, g):
        found = pull(s, y(s), g)
        found = found if isinstance(found, tuple) else (found,)
        return [found[at], *found[:at], *found[at + 1 :]]

    def slope(s, state):
        return np.concatenate([np.ravel(p) for p in parts(s, -state[:n])])

    shapes = [np.shape(p) for p in parts(t_span[0], np.zeros(n))]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    state = np.zeros(ends[-1])
    for j in reversed(range(len(t))):
        state[:n] += y_bar[:, j] / scale
        before = t[j - 1] if j else t_span[0]
        if before != t[j]:
            state = solver(slope, (t[j], before), state, **options).y[:, -1]
    return tuple(np.reshape(p, shape)[()] for p, shape in zip(np.split(scale * state, ends[:-1]), shapes, strict=True))


def _widened(a, b):
    """a with an axis of length 1 behind for each axis of b, as in np.add.outer(a, b)."""
    return np.reshape(a, np.shape(a) + (1,) * np.ndim(b))


def _outer_sum(e, g, a, first):
    """The sum of e, which has the axes of a first, over its other axes, or over those."""
    e = np.broadcast_to(e, np.shape(g))
    axes = range(np.ndim(a), e.ndim) if first else range(np.ndim(a))
    return np.sum(e, axis=tuple(axes))


def _fold_bar(g, a_slope, x_slope, axis=0):
    """Cotangent of x in a fold out[k] = f(out[k - 1], x[k]) with these partial derivatives for k = 1, 2, ..."""
    out_bar = 1.0 * np.moveaxis(g, axis, 0)
    a_slope, x_slope = np.moveaxis(a_slope, axis, 0), np.moveaxis(x_slope, axis, 0)
    x_bar = np.zeros_like(out_bar)
    for k in reversed(range(1, len(out_bar))):
        x_bar[k] = x_slope[k - 1] * out_bar[k]
        out_bar[k - 1] += a_slope[k - 1] * out_bar[k]
    x_bar[:1] = out_bar[:1]
    return np.moveaxis(x_bar, 0, axis)


def _fold_dot(x_dot, a_slope, x_slope, axis=0):
    """Tangent of a fold out[k] = f(out[k - 1], x[k]) with these partial derivatives for k = 1, 2, ..."""
    out_dot = 1.0 * np.moveaxis(x_dot, axis, 0)
    a_slope, x_slope = np.moveaxis(a_slope, axis, 0), np.moveaxis(x_slope, axis, 0)
    for k in range(1, len(out_dot)):
        out_dot[k] = a_slope[k - 1] * out_dot[k - 1] + x_slope[k - 1] * out_dot[k]
    return np.moveaxis(out_dot, 0, axis)


def _reduceat_bar(g, x, indices, axis=0):
    """Cotangent of x in np.add.reduceat(x, indices, axis): each sum runs up to the next index, or is one element."""
    x_bar = np.zeros(np.shape(x), np.result_type(g, 0.0))
    rows, sums = np.moveaxis(x_bar, axis, 0), np.moveaxis(g, axis, 0)
    for k, (start, stop) in enumerate(zip(indices, [*indices[1:], len(rows)], strict=True)):
        rows[start : max(stop, start + 1)] += sums[k]
    return x_bar


def _set_diagonal(g, subscripts, x):
    """Zeros in the shape of x but for the elements that np.einsum(subscripts, x) picks, which are those of g."""
    x_bar = np.zeros(np.size(x), np.result_type(g, 0.0))
    x_bar[np.einsum(subscripts, np.reshape(np.arange(np.size(x)), np.shape(x)))] = g
    return np.reshape(x_bar, np.shape(x))


def _kaiser_slope(n, beta):
    """The derivative of np.kaiser(n, beta) with respect to beta."""
    half = max((n - 1) / 2.0, 1.0 if n < 2 else 0.0)
    root = np.sqrt(1.0 - ((np.arange(n) - (n - 1) / 2.0) / half) ** 2)
    return (root * _i1(beta * root) - np.kaiser(n, beta) * _i1(beta)) / np.i0(beta)[()]


# ---------------------------------------------------------------- access for the engine


@cache
def source(name: str) -> str:
    """The text of a helper, as it is copied into a generated module. Raises KeyError for an unknown name."""
    first = names()[name].__code__.co_firstlineno - 1
    lines = linecache.getlines(__file__)
    after = range(first + 1, len(lines))
    end = next((k for k in after if lines[k].strip() and lines[k][0] not in " )"), len(lines))
    return "".join(lines[first:end]).rstrip() + "\n"


@cache
def source_beside(name: str, hidden: frozenset[str], module: str) -> str:
    """The text of a helper where a module has something of its own under these names of builtins. module: what it calls
    the module of the builtins."""
    text = source(name)
    read = hidden & builtins_of(name)
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and n.id in read]
    lines = text.split("\n")
    for n in sorted(nodes, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        line = lines[n.lineno - 1]
        lines[n.lineno - 1] = f"{line[: n.col_offset]}{module}.{line[n.col_offset :]}"
    return "\n".join(lines)


def is_copy(node: ast.AST, name: str, hidden: Collection[str]) -> bool:
    """Whether a function is a copy of a helper, in a module that has something of its own under these names. Raises
    KeyError for an unknown name."""
    nodes = list(ast.walk(node))
    named = {n.id for n in nodes if isinstance(n, ast.Name)}
    if not named.isdisjoint(builtins_of(name).intersection(hidden)):
        return False
    if "builtins" in named:
        node = _Bare().visit(copy.deepcopy(node))
    return ast.dump(node) == tree(name)


class _Bare(ast.NodeTransformer):
    """`zip` for `builtins.zip`."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=ast.Name(id="builtins"), attr=attr):
                return ast.Name(attr, node.ctx)
        self.generic_visit(node)
        return node


@cache
def tree(name: str) -> str:
    """A helper as the parser sees it, to compare others with. Raises KeyError for an unknown name."""
    return ast.dump(ast.parse(source(name)).body[0])


@cache
def requires(name: str) -> tuple[str, ...]:
    """The helpers that a helper calls, in the order of their names. Raises KeyError for an unknown name."""
    return tuple(sorted((names().keys() & _reads(name)) - {name}))


@cache
def builtins_of(name: str) -> frozenset[str]:
    """The builtins that a helper reads. Raises KeyError for an unknown name."""
    return frozenset(dir(builtins)) & _reads(name)


@cache
def _reads(name: str) -> frozenset[str]:
    """The names that a helper reads and does not bind, and those of attributes."""
    found: set[str] = set()
    todo = [names()[name].__code__]
    for code in todo:
        found.update(code.co_names)
        todo += [c for c in code.co_consts if isinstance(c, CodeType)]
    return frozenset(found)


MEASURES = frozenset(
    {
        *("len", "isinstance"),
        *(f"np.{n}" for n in ("shape", "ndim", "size", "zeros_like", "ones_like", "empty_like", "result_type")),
    }
)


@cache
def measured(name: str) -> frozenset[int]:
    """The positions of the arguments of which a helper reads the shape or the type only. KeyError: an unknown name."""
    definition = ast.parse(source(name)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    reads: set[str] = set()

    def visit(e: ast.AST) -> None:
        match e:
            case ast.Call(func=func, args=args, keywords=keywords):
                called = ast.unparse(func)
                other = called if called in names() and called != name else ""
                for i, a in enumerate(args):
                    if not (isinstance(a, ast.Name) and (called in MEASURES or (other and i in measured(other)))):
                        visit(a)
                for inner in (func, *keywords):
                    visit(inner)
            case ast.Attribute(value=ast.Name(), attr="shape" | "ndim" | "size" | "dtype"):
                return
            case ast.Name(id=read):
                reads.add(read)
            case _:
                for inner in ast.iter_child_nodes(e):
                    visit(inner)

    for s in definition.body:
        visit(s)
    return frozenset(i for i, a in enumerate(definition.args.args) if a.arg not in reads)


@cache
def names() -> dict[str, FunctionType]:
    """All helpers."""
    return {n: f for n, f in globals().items() if n.startswith("_") and isinstance(f, FunctionType)}
