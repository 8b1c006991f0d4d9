"""Products of vectors and matrices, in the form that a person writes for the ranks at hand.

Where a rank is not known, a helper that is right for every rank is called.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.kinds import multilinear
from s2s.rules.shaping import back
from s2s.rules.tracing import dims, h, is_literal, is_sparse, ndim


def matmul_a(g: Any, a: Any, b: Any) -> Any:
    if is_sparse(b):
        return g @ b.T
    match ndim(a), ndim(b):
        case 1, 1:
            return b * g
        case 1, 2:
            return b @ g
        case 2, 1:
            return np.outer(g, b)
        case 2, 2:
            return g @ b.T
        case int() as n, 2 if n > 2:
            return g @ b.T
        case int() as n, int() as k if 2 < n == k and same_stack(a, b):
            return g @ np.swapaxes(b, -1, -2)
    return h._matmul_bar_a(g, a, b)


def matmul_b(g: Any, a: Any, b: Any) -> Any:
    if is_sparse(a):
        return a.T @ g
    match ndim(a), ndim(b):
        case 1, 1:
            return a * g
        case 1, 2:
            return np.outer(a, g)
        case 2, 1 | 2:
            return a.T @ g
        case int() as n, int() as k if 2 < n == k and same_stack(a, b):
            return np.swapaxes(a, -1, -2) @ g
    return h._matmul_bar_b(g, a, b)


def same_stack(a: Any, b: Any) -> bool:
    """Whether two stacks of matrices are known to be equally long, so that none is broadcast."""
    m, n = dims(a), dims(b)
    return m is not None and n is not None and m[:-2] == n[:-2]


def dot_a(g: Any, a: Any, b: Any) -> Any:
    match ndim(a), ndim(b):
        case 0, 0:
            return b * g
        case 0, int():
            return np.sum(b * g)
        case int(), 0:
            return b * g
        case 1 | 2, 1 | 2:
            return matmul_a(g, a, b)
    return h._dot_bar_a(g, a, b)


def dot_b(g: Any, a: Any, b: Any) -> Any:
    match ndim(a), ndim(b):
        case 0, int():
            return a * g
        case int(), 0:
            return np.sum(a * g)
        case 1 | 2, 1 | 2:
            return matmul_b(g, a, b)
    return h._dot_bar_b(g, a, b)


def inner_a(g: Any, a: Any, b: Any) -> Any:
    match ndim(a), ndim(b):
        case 1, 1:
            return b * g
        case 2, 1:
            return np.outer(g, b)
        case 1 | 2, 2:
            return g @ b
    return h._inner_bar_a(g, a, b)


def inner_b(g: Any, a: Any, b: Any) -> Any:
    match ndim(a), ndim(b):
        case 1, 1:
            return a * g
        case 2, 1:
            return g @ a
        case 1, 2:
            return np.outer(g, a)
        case 2, 2:
            return g.T @ a
    return h._inner_bar_b(g, a, b)


def outer_a(g: Any, a: Any, b: Any) -> Any:
    if ndim(a) == 1:
        return g @ (b if ndim(b) == 1 else np.ravel(b))
    return back(g @ np.ravel(b), a)


def outer_b(g: Any, a: Any, b: Any) -> Any:
    if ndim(b) == 1:
        return (a if ndim(a) == 1 else np.ravel(a)) @ g
    return back(np.ravel(a) @ g, b)


def vdot_a(g: Any, a: Any, b: Any) -> Any:
    ranks = {ndim(a), ndim(b)}
    return b * g if ranks in ({0}, {1}) or same_lengths(a, b) else np.reshape(b, np.shape(a)) * g


def same_lengths(a: Any, b: Any) -> bool:
    return dims(a) is not None and dims(a) == dims(b)


multilinear(
    "np.matmul(a, b)",
    matmul_a,
    matmul_b,
    at="v @ v; v @ N; M @ v; M @ N; T @ N; T @ v; np.matmul(w, np.swapaxes(T, 1, 2)); "
    "T @ np.swapaxes(T, 1, 2); T[:1] @ np.swapaxes(T, 1, 2); T @ np.swapaxes(T[:1], 1, 2); "
    "M @ np.swapaxes(T, 1, 2)",
)
multilinear(
    "np.dot(a, b)",
    dot_a,
    dot_b,
    at="np.dot(v, w); np.dot(v, N); np.dot(M, v); np.dot(M, N); np.dot(s, M); np.dot(M, s); "
    "np.dot(s, t); np.dot(T, v); np.dot(T, N); np.dot(v, np.swapaxes(T, 1, 2)); "
    "np.dot(M, np.swapaxes(T, 1, 2))",
)
multilinear(
    "np.inner(a, b)",
    inner_a,
    inner_b,
    at="np.inner(v, w); np.inner(M, v); np.inner(v, M); np.inner(M, T[0]); np.inner(T, M); "
    "np.inner(M, T); np.inner(s, M)",
)
multilinear(
    "np.vdot(a, b)",
    lambda g, a, b: vdot_a(g, a, b),
    lambda g, a, b: vdot_a(g, b, a),
    analytic=False,
    at="np.vdot(v, w); np.vdot(M, M); np.vdot(s, t)",
)
multilinear("np.outer(a, b)", outer_a, outer_b, at="np.outer(v, u); np.outer(M, v); np.outer(s, v); np.outer(v, M)")
multilinear(
    "np.kron(a, b)",
    lambda g, a, b: h._kron_bar_a(g, a, b),
    lambda g, a, b: h._kron_bar_b(g, a, b),
    at="np.kron(v, u); np.kron(M, N)",
)


def wide(g: Any) -> Any:
    return np.expand_dims(g, -1)


multilinear(
    "np.vecdot(a, b)",
    lambda g, a, b: h._unbroadcast(wide(g) * b, a),
    lambda g, a, b: h._unbroadcast(wide(g) * a, b),
    analytic=False,
    at="np.vecdot(v, w); np.vecdot(M, v); np.vecdot(M, W); np.vecdot(T, M)",
)
if hasattr(np, "matvec"):  # NumPy 2.2
    multilinear(
        "np.matvec(a, x)",
        lambda g, a, x: h._unbroadcast(wide(g) * np.expand_dims(x, -2), a),
        lambda g, a, x: h._unbroadcast(np.vecmat(g, a), x),
        at="np.matvec(M, v); np.matvec(T, v); np.matvec(T, M[:2])",
    )
    multilinear(
        "np.vecmat(x, a)",
        lambda g, a, x: h._unbroadcast(np.matvec(a, g), x),
        lambda g, a, x: h._unbroadcast(wide(x) * np.expand_dims(g, -2), a),
        analytic=False,
        at="np.vecmat(v, N); np.vecmat(u, T); np.vecmat(M, N)",
    )


def cross_bar(left: Any, right: Any, own: Any, other: Any, axis: Any) -> Any:
    """The cross product that is the cotangent of `own`; that of vectors of two elements lacks the axis."""
    rank, along = ndim(own), {} if axis is None else {"axis": axis}
    if same_lengths(own, other) and rank and (rank == 1 or (dims(own) or ())[-1 if axis is None else axis] == 3):
        return np.cross(left, right, **along)
    return h._cross_bar(left, right, own) if axis is None else h._cross_bar(left, right, own, axis)


multilinear(
    "np.cross(a, b, *, axis=None)",
    lambda g, a, b, axis: cross_bar(b, g, a, b, axis),
    lambda g, a, b, axis: cross_bar(g, a, b, a, axis),
    at="np.cross(u, T[0, :, 1]); np.cross(T[0].T, u); np.cross(u, T[0].T); np.cross(M, W, axis=0); "
    "np.cross(M[:, :3], T[:, :, :3], axis=1)",
)
# ---------------------------------------------------------------- tensordot


def contracted(a: int, b: int, axes: Any) -> tuple[list[int], list[int]]:
    """The axes that np.tensordot sums over, of an a-dimensional and a b-dimensional array, all from 0."""
    if isinstance(axes, int):
        return list(range(a - axes, a)), list(range(axes))
    left, right = ([i] if isinstance(i, int) else list(i) for i in axes)
    return [i % a for i in left], [i % b for i in right]


def tensordot_a(g: Any, a: Any, b: Any, axes: Any) -> Any:
    m, n = ndim(a), ndim(b)
    if m is None or n is None or not is_literal(axes):
        return h._tensordot_bar_a(g, a, b, axes)
    left, right = contracted(m, n, axes)
    free_a, free_b = ([i for i in range(k) if i not in c] for k, c in ((m, left), (n, right)))
    a_bar = np.tensordot(g, b, axes=(list(range(len(free_a), len(free_a) + len(free_b))), free_b))
    order = free_a + [i for _, i in sorted(zip(right, left, strict=True))]
    return permuted(a_bar, order)


def tensordot_b(g: Any, a: Any, b: Any, axes: Any) -> Any:
    m, n = ndim(a), ndim(b)
    if m is None or n is None or not is_literal(axes):
        return h._tensordot_bar_b(g, a, b, axes)
    left, right = contracted(m, n, axes)
    free_a, free_b = ([i for i in range(k) if i not in c] for k, c in ((m, left), (n, right)))
    b_bar = np.tensordot(a, g, axes=(free_a, list(range(len(free_a)))))
    order = [i for _, i in sorted(zip(left, right, strict=True))] + free_b
    return permuted(b_bar, order)


def permuted(x: Any, order: list[int]) -> Any:
    """x with axis k moved to order[k]."""
    if order == sorted(order):
        return x
    return np.transpose(x, tuple(order.index(i) for i in range(len(order))))


multilinear(
    "np.tensordot(a, b, axes=2)",
    tensordot_a,
    tensordot_b,
    at="np.tensordot(T, M, axes=2); np.tensordot(T, np.reshape(T, (3, 4, 2))); "
    "np.tensordot(T, M, axes=([1, 2], [0, 1])); np.tensordot(M, T, axes=(1, 2)); "
    "np.tensordot(T, np.swapaxes(T, 1, 2), axes=([2, 1], [1, 2])); np.tensordot(v, u, axes=0)",
)

# ---------------------------------------------------------------- einsum


def explicit(subscripts: str) -> tuple[list[str], str]:
    """The subscripts of the operands and of the result; the implicit result is the letters that occur once."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    if not arrow:
        letters = left.replace("...", "").replace(",", "")
        right = ("..." if "..." in left else "") + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return left.split(","), right


def einsum_check(scope: dict[str, Any]) -> str | None:
    if not isinstance(scope["subscripts"], str):
        return (
            "the subscripts of `np.einsum` have to be known: write the text in the call, or let a name that is bound "
            "once stand for it, and choose between such calls by `if`; operands and lists in turn are not supported"
        )
    terms, _ = explicit(scope["subscripts"])
    if len(terms) != len(scope["operands"]):
        return "`np.einsum` has another number of operands than its subscripts"
    return None


def einsum_x(g: Any, subscripts: str, operands: Any, item: int) -> Any:
    """The cotangent as an einsum of g and the other operands; a letter of no other operand is a sum undone by ones.

    An operand with a letter twice gets its cotangent on that diagonal; one with an ellipsis behind letters has it in
    front first, where what was broadcast is summed.
    """
    terms, result = explicit(subscripts)
    own, x = terms[item], operands[item]
    letters = "".join(dict.fromkeys(own.replace("...", "")))
    left = [result] + [t for i, t in enumerate(terms) if i != item]
    arrays = [g] + [a for i, a in enumerate(operands) if i != item]
    if set(letters) - set("".join(left)):
        left.append(own)
        arrays.append(np.ones_like(x))
    ellipsis = any("..." in t for t in left)
    plain = len(letters) == len(own.replace("...", "")) and "..." not in own[1:]
    target = "..." + letters if ellipsis else letters
    x_bar = np.einsum(",".join(left) + "->" + target, *arrays)
    if plain:
        return x_bar if not ellipsis and consistent(terms, operands) else h._unbroadcast(x_bar, x)
    picked = f"{own}->{target if '...' in own else letters}"
    return h._set_diagonal(h._unbroadcast(x_bar, np.einsum(picked, x)), picked, x)


def consistent(terms: list[str], operands: Any) -> bool:
    """Whether each letter is known to have one length: einsum lets an axis of length 1 stand for any length."""
    if all("".join(terms).count(c) == 1 for c in "".join(terms)):
        return True
    found: dict[str, object] = {}
    for term, a in zip(terms, operands, strict=True):
        lengths = dims(a)
        if lengths is None or len(lengths) != len(term):
            return False
        if any(found.setdefault(c, n) != n for c, n in zip(term, lengths, strict=True)):
            return False
    return True


multilinear(
    "np.einsum(subscripts, *operands, optimize=False)",
    None,
    einsum_x,
    check=einsum_check,
    at="np.einsum('ij,jk->ik', M, N); np.einsum('ij,j', M, v); np.einsum('ij->i', M); "
    "np.einsum('ij->ji', M); np.einsum('ij->', M); np.einsum('i,j,k->ikj', v, u, w); "
    "np.einsum('...j,j->...', T, v); np.einsum('...ij,jk->...ik', T, N); "
    "np.einsum('ij,ij->i', M, W); np.einsum('i,i', v, w); np.einsum('ji', M); "
    "np.einsum('ijk,jk->i', T, M, optimize=True); np.einsum('ii', A); np.einsum('ii->i', A); "
    "np.einsum('iij->j', cube); np.einsum('iji,j->i', cube, u); np.einsum('i...,i->...', M, u); "
    "np.einsum('i...,j...->ij...', T, T); np.einsum('i...j->j...', T); np.einsum('...ii->...', AA); "
    "np.einsum('i...i', cube); np.einsum('iij,j->i', cube[:, :, :1], u)",
)
