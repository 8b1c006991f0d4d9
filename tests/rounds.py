"""Random loops whose bodies write into what the loop runs over, bind it anew, or keep what it hands out.

A loop evaluates what it runs over once, but reads an element only when its turn comes: an array, a list or a dict that
the body writes is read as it is by then, a name that is bound anew is not; a row of a matrix is a view, and an element
of a vector is a number. The reverse sweep has to find each of these as it was in that turn.
"""

from __future__ import annotations

import random

import numpy as np

from programs import Program
from snippets import Thing, finished, function, indented, with_terms

HELPERS = """import numpy as np


def both(u, t):
    u[:] *= t
    return np.sum(u)


def touch(u):
    u[0] = u[1] * u[2]
    return u[0]


"""
# What loops run over, by the names that they bind: q and p are numbers, r and t rows, i a place, j one in a tuple, k a
# key of d.
HEADS = {
    "q in w": "q",
    "q in w.copy()": "q",
    "i, q in enumerate(w)": "qi",
    "q, p in zip(w, w[1:])": "qp",
    "q, p in zip(w, w[::-1])": "qp",
    "q in list(w)": "q",
    "q in reversed(w)": "q",
    "q in w[::-1]": "q",
    "r in A": "r",
    "i, r in enumerate(A)": "ri",
    "r in A.T": "r",
    "r, t in zip(A, A.T)": "rt",
    "r, t in zip(A, A[1:])": "rt",
    "r, q in zip(A, w)": "rq",
    "r in L": "r",
    "r, q in zip(L, w)": "rq",
    "q in K": "q",
    "i, q in enumerate(K)": "qi",
    "q in list(K)": "q",
    "q in K[:2]": "q",
    "q, p in zip(K, K[1:])": "qp",
    "q in sorted(K)": "q",
    "k, q in d.items()": "qk",
    "q in d.values()": "q",
    "k in d": "k",
    "i in range(3)": "i",
    "j in np.ndindex(3)": "j",
    "i, m in ((a, b) for a in range(2) for b in range(a, 3))": "i",
    "q in (z * x for z in w)": "q",
    "q in (z * x for z in K)": "q",
    "q in map(lambda z: z * y, w)": "q",
    "q in filter(lambda z: z > 0.1, K)": "q",
    "q in A.flat": "q",
    "q in A.ravel()": "q",
    "q in (x, y, w[0])": "q",
    "r in (w, w, A[0])": "r",
    "r in [*A, w]": "r",
}
# Statements about what there is in every program.
OF_ARRAYS = [
    "w[0] *= x",
    "w[-1] += s",
    "w[:] = w[::-1]",
    "w *= y",
    "A[0] *= x",
    "A[1, 0] = s",
    "A[:] = A.T.copy()",
    "w = w * x",
    "A = A * y",
    "w, v2 = v2, w",
    "s += w[0] * w[1]",
    "s += A[0] @ A[1]",
    "s += touch(w)",
    "s += both(w, x)",
]
OF_HOLDERS = [
    "K[0] = K[-1] * s",
    "K[1] *= x",
    "K = K[1:] + K[:1]",
    "d['a'] = d['b'] * x",
    "d['a'] *= y",
    "L[0] = L[-1] * x",
    "L[0] *= x",
    "L[-1][0] = s",
    "s += K[0] * K[1]",
    "s += d['a']",
    "s += np.sum(L[0] * L[1])",
]
OF_NUMBERS = ["s += y * s * 0.1", "y = y * x", "x = x * 1.1", "bump()"]
ANYWHERE = OF_ARRAYS + OF_HOLDERS + OF_NUMBERS
EXITS = ["if s > 0.6:\n    continue", "if s > 3.0:\n    break"]
# Statements about what the head of the loop binds, and how often each is put in.
OF_HEAD = {
    "q": [
        "s += q",
        "s = s * q + q",
        "w[0] = q * x",
        "w[1] = q",
        "K[0] = q * y",
        "y = q",
        "q = q * x\ns += q",
        "q += y\ns = s + q * q",
        "d['a'] = q",
        "if q > 0.5:\n    s += q * x\nelse:\n    w[2] = q",
        "keep.append(q)",
        "keep.append(q * x)",
        "s += np.sin(q) * y",
        "A[0, 0] = q",
        "L[0][1] = q",
        "z = q\nw *= z\ns += z",
    ],
    "p": ["s += q * p", "w[0] = p", "p = p * q\ns += p"],
    "r": [
        "s += np.sum(r * r)",
        "r *= x",
        "r[0] = s",
        "r += w",
        "r = r * x\ns += np.sum(r)",
        "rows.append(r)",
        "rows.append(r * y)",
        "s += r @ w",
        "r[:] = r[::-1]",
        "w = r",
        "w += r",
        "r[1] += r[0] * y",
        "A[0] = r",
        "A[-1] -= r",
        "L[0] = r",
        "z = r.copy()\nr *= z",
        "both(r, x)",
        "u = r\nr *= y\ns += np.sum(u)",
    ],
    "t": ["r += t * x", "t[0] = r[1]", "s += r @ t", "r, t = t, r\nr *= x"],
    "i": [
        "w[i] = s * x",
        "A[i] *= y",
        "A[i] = w",
        "w[i] += w[i - 1]",
        "K[i] = K[i - 1] * x",
        "A[:, i] = A[i]",
        "s += w[i] * y",
        "L[i] = L[i] * s",
        "A[i - 1] += A[i] * x",
    ],
    "j": ["w[j] = s * x", "s += w[j] * y", "w[j] *= y\ns += w[0]"],
    "k": ["d[k] = d[k] * x", "s += d[k]", "d[k] += s"],
}
OFTEN = {"q": 2, "p": 4, "r": 3, "t": 4, "i": 3, "j": 6, "k": 5}
THINGS = [
    Thing("w", ("w = v * x",), "y * np.sum(w * w)"),
    Thing("y", ("y = x * 1.5",)),
    Thing("s", ("s = x",), "s"),
    Thing("A", ("A = B * x",), "np.sum(A * A * A)"),
    Thing("K", ("K = [x, y, x * y, 0.3 * x]",), "sum(K) * K[0]"),
    Thing("L", ("L = [w * x, w, w + y]", "L = [w, v * y, w]"), "sum(np.sum(u * u) for u in L)"),
    Thing("d", ("d = {'a': y, 'b': x, 'c': x * y}",), "d['a'] * d['b'] + d['c']"),
    Thing("keep", ("keep = []",), "sum(keep) * x"),
    Thing("rows", ("rows = []",), "sum(np.sum(u * u) for u in rows)"),
    Thing("v2", ("v2 = v * y",), "v2[0]"),
    Thing("bump", ("def bump():\n    nonlocal y\n    y = y * x\n    w[1] = y",)),
]


def body(r: random.Random, names: str, size: int) -> list[str]:
    pool = ANYWHERE + EXITS + [text for name in names for text in OFTEN[name] * OF_HEAD[name]]
    lines = [r.choice(pool) for _ in range(r.randint(1, size))]
    if len(lines) > 1 and r.random() < 0.2:
        lines[-1] = f"if y > 1.0:\n{indented(lines[-1])}"
    return lines


def loop(r: random.Random, size: int, depth: int = 0) -> str:
    head, names = r.choice(list(HEADS.items()))
    lines = body(r, names, size)
    if depth == 0 and r.random() < 0.2:
        lines.insert(r.randint(0, len(lines)), loop(r, size, depth + 1))
    after = f"\nelse:\n{indented(r.choice(ANYWHERE))}" if r.random() < 0.12 else ""
    return f"for {head}:\n" + indented("\n".join(lines)) + after


def program(r: random.Random, size: int) -> Program | None:
    """One or two loops of at most size statements each, None where they cannot be run."""
    parts = [loop(r, size) for _ in range(r.randint(1, 2))]
    if r.random() < 0.5:
        parts.insert(r.randint(0, len(parts)), r.choice(ANYWHERE))
    if r.random() < 0.12:
        parts = ["for _ in range(n):\n" + indented("\n".join(parts))]
    statements = with_terms(r, THINGS, "w y s", parts)
    stated = "v (3,), B (3, 3), x ()" if r.random() < 0.9 else ""
    matrix = np.array([[1.2, -0.4, 0.8], [0.3, 0.9, -1.1], [0.5, 0.65, 1.4]])
    args = (0.7, np.array([1.1, -0.7, 0.9]), matrix, 2)
    return finished(HELPERS + function("x, v, B, n: int", stated, statements), args, ("x", "v", "B", "n"))
