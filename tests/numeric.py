"""Numerical references for derivatives: differences with extrapolation, the complex step, and structures of arrays."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Function = Callable[..., Any]


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays of a structure of tuples, lists and dicts, in order."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    return [] if value is None else [value]


def rebuild(value: Any, new: list[Any]) -> Any:
    """A structure like `value` whose leaves are taken from the front of `new`."""
    if isinstance(value, dict):
        return {key: rebuild(item, new) for key, item in value.items()}
    if isinstance(value, tuple | list):
        items = [rebuild(item, new) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return None if value is None else new.pop(0)


def flat(value: Any) -> np.ndarray:
    """All numbers of a structure as one vector."""
    parts = [np.ravel(np.asarray(leaf)) for leaf in leaves(value)]
    return np.concatenate(parts) if parts else np.zeros(0)


def flat_beside(value: Any, other: Any, cotangent: bool = False) -> np.ndarray:
    """All numbers of `other`, which has the structure of `value`; a None in it stands for zeros (a part that carries no
    derivative), an array for a list that is taken for one. A cotangent may lack the entries that nothing depends on.
    """
    if other is None:
        return np.zeros(len(flat(value)))
    if isinstance(value, dict):
        if not isinstance(other, dict) or not (
            value.keys() >= other.keys() if cotangent else value.keys() == other.keys()
        ):
            raise AssertionError(f"{other!r} is not of the structure of {value!r}")
        return np.concatenate([np.zeros(0), *(flat_beside(value[key], other.get(key), cotangent) for key in value)])
    if isinstance(value, tuple | list):
        if not isinstance(other, tuple | list | np.ndarray) or len(value) != len(other):
            raise AssertionError(f"{other!r} is not of the structure of {value!r}")
        return np.concatenate([np.zeros(0), *(flat_beside(a, b, cotangent) for a, b in zip(value, other, strict=True))])
    return flat(other)


def unflat(value: Any, vector: np.ndarray) -> Any:
    """A structure like `value` that holds the numbers of `vector`; Python numbers stay scalars."""
    new, start = [], 0
    for leaf in leaves(value):
        n = np.size(leaf)
        part = vector[start : start + n].reshape(np.shape(leaf))
        new.append(laid_out_as(leaf, part) if isinstance(leaf, np.ndarray) else part[()].item())
        start += n
    return rebuild(value, new)


def laid_out_as(leaf: np.ndarray, part: np.ndarray) -> np.ndarray:
    """A copy of `part` that lies in memory as `leaf` does: whether .ravel() is a view depends on it."""
    if leaf.flags.c_contiguous:
        return part.copy()
    if leaf.flags.f_contiguous:
        return part.copy(order="F")
    spread = np.zeros((*leaf.shape[:-1], 2 * leaf.shape[-1]), part.dtype)[..., ::2]
    spread[...] = part
    return spread


def duplicate(value: Any) -> Any:
    """A copy of a structure, its arrays laid out as they are; an array that is in it twice becomes two."""
    return rebuild(value, [laid_out_as(x, x) if isinstance(x, np.ndarray) else copy.deepcopy(x) for x in leaves(value)])


def shifted(args: Sequence[Any], wrt: Sequence[int], vector: np.ndarray) -> list[Any]:
    """The arguments with the flattened differentiated ones replaced by `vector`; each is a fresh copy."""
    new = [copy.deepcopy(a) for a in args]
    start = 0
    for i in wrt:
        n = len(flat(args[i]))
        new[i] = unflat(args[i], vector[start : start + n])
        start += n
    return new


def along(
    f: Function, args: Sequence[Any], wrt: Sequence[int], direction: np.ndarray, step: float = 0.02
) -> tuple[np.ndarray, float]:
    """Derivative of flat(f(*args)) along `direction` in the arguments `wrt`, and an estimate of its error.

    Central differences at five step sizes, extrapolated (Ridders 1982): the entry of the table whose neighbours agree
    best. The estimate is the largest over the components. Of what oscillates faster than the steps are long, both are
    without meaning: sin(1e4 * x).
    """
    point = np.concatenate([flat(args[i]).astype(float) for i in wrt]) if wrt else np.zeros(0)
    size = max(1.0, float(np.max(np.abs(direction), initial=0.0)))
    h = step / size
    table: list[list[np.ndarray]] = []
    best, error = np.zeros(0), np.inf
    for row in range(5):
        plus = flat(f(*shifted(args, wrt, point + h * direction))).astype(float)
        minus = flat(f(*shifted(args, wrt, point - h * direction))).astype(float)
        current = [(plus - minus) / (2.0 * h)]
        for k in range(1, row + 1):
            current.append((4.0**k * current[k - 1] - table[-1][k - 1]) / (4.0**k - 1.0))
            distance = max(_gap(current[k], current[k - 1]), _gap(current[k], table[-1][k - 1]))
            if distance < error:
                best, error = current[k], distance
        table.append(current)
        h /= 2.0
    return best, error


def _gap(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.max(np.abs(a - b), initial=0.0))


def gradient(f: Function, args: Sequence[Any], wrt: Sequence[int]) -> tuple[np.ndarray, float]:
    """Flattened gradient of a scalar-valued f by extrapolated differences, and the largest error estimate."""
    n = sum(len(flat(args[i])) for i in wrt)
    out, worst = np.zeros(n), 0.0
    for k in range(n):
        direction = np.zeros(n)
        direction[k] = 1.0
        value, error = along(f, args, wrt, direction)
        out[k] = value[0]
        worst = max(worst, error)
    return out, worst


def complex_gradient(f: Function, args: Sequence[Any], wrt: Sequence[int]) -> np.ndarray:
    """Flattened gradient of a scalar-valued, analytic f by the complex step (Squire and Trapp 1998)."""
    point = np.concatenate([flat(args[i]).astype(complex) for i in wrt])
    out = np.zeros(len(point))
    for k in range(len(point)):
        moved = point.copy()
        moved[k] += 1e-30j
        out[k] = float(np.imag(f(*shifted(args, wrt, moved)))) / 1e-30
    return out


def close(got: np.ndarray, want: np.ndarray, rtol: float, slack: float = 0.0) -> bool:
    """Equal within `rtol` of the largest entry of either, and `slack`."""
    if got.shape != want.shape:
        return False
    scale = max(1.0, float(np.max(np.abs(want), initial=0.0)), float(np.max(np.abs(got), initial=0.0)))
    return bool(np.all(np.abs(got - want) <= rtol * scale + slack))


def shares_memory(a: Any, b: Any) -> bool:
    """Does an array of structure `a` overlap an array of structure `b`?"""
    first = [x for x in leaves(a) if isinstance(x, np.ndarray)]
    second = [x for x in leaves(b) if isinstance(x, np.ndarray)]
    return any(np.shares_memory(x, y) for x in first for y in second)


def shares_within(value: Any) -> bool:
    """Do two arrays of one structure overlap?"""
    arrays = [x for x in leaves(value) if isinstance(x, np.ndarray)]
    return any(np.shares_memory(x, y) for i, x in enumerate(arrays) for y in arrays[i + 1 :])


def same_bits(a: Any, b: Any) -> bool:
    """The same structure, the same shapes and the same bits (a nan equals a nan)."""
    x, y = leaves(a), leaves(b)
    return len(x) == len(y) and all(map(_same, x, y))


def _same(p: Any, q: Any) -> bool:
    if np.asarray(p).dtype.kind == "O":  # a slice, a text: not numbers
        return bool(p == q)
    return np.shape(p) == np.shape(q) and np.asarray(p).tobytes() == np.asarray(q).tobytes()
