"""Loops over what is computed item by item, and over dicts of known keys: what the body changes is seen in turn."""

from __future__ import annotations

import numpy as np
import pytest

import checking
from programs import Program
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

U = np.array([0.4, 0.7, 0.3])
V = np.array([0.6, 0.25, 0.85])
PROGRAMS = {
    "map, a lambda": """
def f(u, v, k):
    r = 0.0
    for w in map(lambda y: y * k, [u, v]):
        r += w[0] * k
        k = k * 0.9
    return r
""",
    "enumerate of a generator": """
def f(u, v, k):
    r = 0.0
    for j, w in enumerate(y * k for y in [u, v]):
        r += w[j] * k
        k = k * 0.9
    return r
""",
    "zip of a generator": """
def f(u, v, k):
    r = 0.0
    for j, w in zip(u, (y * k for y in [u, v])):
        r += w[0] * k * j
        k = k * 0.9
    return r
""",
    "the list itself is written": """
def f(u, v, k):
    r = 0.0
    L = [u, v]
    for w in (y * k for y in L):
        r += w[0] * k
        L[1] = w
    return r
""",
    "the array of an item is written": """
def f(u, v, k):
    r = 0.0
    u = u.copy()
    L = [v, u]
    for w in (y * k for y in L):
        r += w[0] * k
        u *= k
    return r
""",
    "a test, and the counter of a range": """
def f(u, v, k):
    r = 0.0
    for w in (k * u[i] for i in range(3) if u[i] * k > 0.1):
        r += w
        k = k * 0.9
    return r
""",
    "map, a nested function": """
def f(u, v, k):
    r = 0.0

    def scale(y):
        return y * k

    for w in map(scale, [u, v]):
        r += w[0] * k
        k = k * 0.9
    return r
""",
    "filter": """
def f(u, v, k):
    r = 0.0
    for w in filter(lambda y: y[0] > k, [u, v]):
        r += w[0] * k
        k = k * 2.9
    return r
""",
    "two generators side by side": """
def f(u, v, k):
    r = 0.0
    for x, y in zip((a * k for a in [u, v]), (a + k for a in [v, u])):
        r += np.sum(x * y)
        k = k * 0.9
    return r
""",
    "two clauses, and continue": """
def f(u, v, k):
    r = 0.0
    for w in (x * y * k for x in [u, v] for y in (0.2, 0.4)):
        if w[0] > 0.06:
            continue
        r += np.sum(w)
        k = k * 0.9
    return r
""",
    "two clauses and break: nothing changes": """
def f(u, v, k):
    r = 0.0
    for w in (x * y for x in [u, v] for y in (0.2, 0.4)):
        if w[0] > 0.06:
            break
        r += np.sum(w)
    return r
""",
    "the target is what is read": """
def f(u, v, k):
    r = 0.0
    for k in (x * k for x in u):
        r += k
    return r
""",
    "maps of maps, in a map": """
def f(u, v, k):
    r = 0.0
    for a in map(lambda y: y * k, map(lambda y: y + k, [u, v])):
        for b in map(lambda y: y * a, [u, v]):
            r += np.sum(a * b)
        k = k * 0.9
    return r
""",
    "the last item that passed is read behind": """
def f(u, v, k):
    r = 0.0
    w = u
    for w in (y for y in [u, v] if y[0] > 0.5):
        r += np.sum(w)
        k = k * 0.9
    return r + np.sum(w)
""",
    "filtered items, break and else": """
def f(u, v, k):
    r = 0.0
    for w in (y for y in [u, v, u, v] if y[0] > 0.5):
        r += np.sum(w)
        if r > 2.0:
            break
    else:
        r = k
    return r
""",
    "enumerate of filtered items: nothing changes": """
def f(u, v, k):
    r = 0.0
    for j, w in enumerate((y * k for y in [u, v] if y[0] > 0.5), start=1):
        r += j * np.sum(w)
    return r
""",
    "map over two arrays": """
def f(u, v, k):
    r = 0.0
    for a, b in map(lambda p, q: (p * k, q + k), u, v):
        r += a * b
        k *= 0.5
    return r
""",
    "inside of a nested function": """
def f(u, v, k):
    def items():
        return [u, v]

    def inner():
        s = 0.0
        for w in (y * k for y in items()):
            s += np.sum(w * w)
        return s

    y = u[0]
    return inner() * y
""",
    "functions in turn": """
def f(u, v, k):
    r = 0.0
    for f in (lambda x: x * k, lambda x: x + k):
        for w in map(f, [u, v]):
            r += np.sum(w * w)
    return r
""",
    "pairs that are computed": """
def f(u, v, k):
    r = 0.0
    for i, (a, b) in enumerate((y * k, y + k) for y in [u, v]):
        r += i * np.sum(a * b)
        k = k + 1.0
    return r
""",
    "a sum inside of the item": """
def f(u, v, k):
    r = 0.0
    for total in (sum(y * z for y in u) * k for z in v):
        r += total
        k = k + 1.0
    return r
""",
    "the array that is run over is written": """
def f(u, v, k):
    r = 0.0
    u = u.copy()
    for w in (float(c) * k for c in u if c > 0.1):
        r += w
        u[2] = w
    return r + u[2]
""",
    "values of a dict, and their variable behind the loop": """
def f(u, v, k):
    w = u * v
    last = v * k
    d = {'a': u + v, 'b': v * v, 'c': u}
    for w in d.values():
        last = w * 2.0
    return np.sum(w * last)
""",
    "items of a dict, and their variables behind the loop": """
def f(u, v, k):
    d = {'a': u + v, 'b': v * v}
    for name, w in d.items():
        w = w * k
        last = w * 2.0
    return np.sum(w * last) + np.sum(d[name])
""",
    "the keys of a dict twice": """
def f(u, v, k):
    d = {'a': u + v, 'b': v * v}
    for name in d:
        d[name] = d[name] * k
    for name, w in d.items():
        u = u + w
    return np.sum(u * w) + np.sum(d[name])
""",
    "keys that are written out": """
def f(u, v, k):
    d = {'a': u + v, 'b': v * v}
    for name in ("b", "a"):
        d[name] = d[name] * k
    return np.sum(u * d["b"]) + np.sum(d[name])
""",
    "a value of a dict that is written behind the loop": """
def f(u, v, k):
    d = {'a': u + v, 'b': v * v}
    for w in d.values():
        last = w * 2.0
    w[0] = k
    return np.sum(d["b"] * last)
""",
    "values of a dict, break and else": """
def f(u, v, k):
    d = {'a': u + v, 'b': v * v}
    for w in d.values():
        if w[0] > 0.9:
            last = w * k
            break
    else:
        last = v
    return np.sum(d["b"] * last * w)
""",
    "keys of a dict, and break": """
def f(u, v, k):
    last = v
    d = {'a': u + v, 'b': v * v}
    for n in d:
        w = d[n]
        if w[0] > 0.5:
            break
        last = w * k
    return np.sum(w * last)
""",
    "keys of a dict beside a written list, and break": """
def f(u, v, k):
    L = [u, v, u]
    M = np.outer(u, v)
    d = {'a': u + v, 'b': v * v}
    for n in d:
        L[-1] = u * k
        w = d[n]
        if w[0] > 0.5:
            break
        M = M * k
    return np.sum(M * M.T) + np.sum(L[2])
""",
    "keys that are counted, and break": """
def f(u, v, k):
    M = np.outer(u, v)
    d = {'a': u + v, 'b': v * v}
    for j, n in enumerate(d):
        w = d[n]
        if w[0] > 0.5:
            break
        M = M * k * u[j]
    return np.sum(M * M.T)
""",
}


@pytest.mark.parametrize("stated", ["", "# s2s: u (n,), v (n,), k ()\n"], ids=["shapeless", "stated"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_loop(name: str, stated: str) -> None:
    source = "import numpy as np\n\n\n" + stated + PROGRAMS[name].lstrip()
    program = Program(source, (U, V, 0.7), ("u", "v", "k"), ("u", "v", "k"), True)
    for emit in (("vjp", "jvp"), ("grad",)):
        verdict = checking.check(program, emit, seed=1, margin=0.0)
        assert verdict.kind == "right", verdict


def test_text_has_no_list() -> None:
    source = """
import numpy as np


# s2s: ys (n,), k ()
def decay(ys, k):
    total = 0.0
    for w in map(lambda y: k * y, ys):
        total += w * w
        k = 0.9 * k
    return total
"""
    text = differentiate(source, Request(functions=("decay",), emit=("vjp",)))
    assert "    for y in ys:\n        w = k * y\n" in text and "item" not in text


WRITTEN = {
    "an array of an item, under its own name": """
def f(u, v, k):
    r = 0.0
    u = u.copy()
    L = [u, v, u]
    for j, w in enumerate(y * k for y in L if y[0] > 0.01):
        u *= 0.5
        r += j * np.sum(w)
    return r
""",
    "an array of an item, by a helper": """
def shrink(p, c):
    p *= c


def f(u, v, k):
    r = 0.0
    u = u.copy()
    L = [v, u, u]
    for j, w in enumerate(y * k for y in L if y[0] > 0.01):
        shrink(u, 0.5)
        r += (j + 1) * np.sum(w)
    return r
""",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_items_that_cannot_wait_are_refused(name: str) -> None:
    """A test beside `enumerate`: the items are computed before the loop, which here would be too early."""
    source = "import numpy as np\n\n\n" + WRITTEN[name].lstrip()
    verdict = checking.check(Program(source, (U, V, 0.7), ("u", "v", "k"), ("u", "v", "k"), True), ("vjp",))
    assert (verdict.kind, verdict.detail) == ("refused", "S214")
