"""Lists whose items are put into other lists, in slots of which something is added: to an array that nobody else sees,
or to a number. Each is right for both, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import checking
import closure
import traps
from programs import Program

pytestmark = pytest.mark.table

HEAD = "import numpy as np\n\n\ndef f(x):\n"

MOVED = {
    "a queue that gets an item at its start and loses one at its end": """
    a = [np.zeros_like(x), x * 2.0, x * 0.5]
    s = 0.0 * x
    for k in range(3):
        s = s + a[1]
        a = [np.sin(x) * k, *a[:-1]]
        a[1] += x * k
        s = s + a[1] * a[0]
    return s * a[2]
""",
    "an item that is taken from the middle, and one that is put there": """
    a = [x * 1.0, x * 2.0, x * 0.5, x * x]
    b = a[1] * x
    a = [*a[:1], *a[2:]]
    a[1] += b * x
    c = [*a[:2], x * b, *a[2:]]
    c[3] += b
    return c[0] * c[1] + c[2] * c[3]
""",
    "a part of a list that gets all items of another one": """
    a = [x * 1.0, x * 2.0]
    b = [np.zeros_like(x), np.zeros_like(x), x * x]
    a[0] += x
    b[:-1] = a
    b[1] += x
    return b[0] * b[1] * b[2]
""",
    "a list turned around": """
    a = [x * 1.0, x * 2.0, x * x]
    for k in range(2):
        a = a[::-1]
        a[k] += a[2] * x
    return a[0] * a[1] + a[2]
""",
    "kept items that come back, each once": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[i])
        v[i] = np.zeros_like(x)
    for i in reversed(range(2)):
        v[i] = L[i]
        v[i] += x * x
    return v[0] * v[1]
""",
}

SEEN = {
    "a part that got the items of a list, which is read": """
    a = [np.zeros_like(x), x * 2.0]
    b = [x * 0.5, x * 1.5, x * 3.0]
    b[:-1] = a
    b[0] += x
    return a[0] * b[1] * b[0] * b[2] + a[0]
""",
    "a longer list, and the shorter one": """
    a = [np.zeros_like(x), x * 2.0]
    b = [*a, x * 3.0]
    b[0] += x
    return a[0] * b[1] * b[0] * b[2] + a[0]
""",
    "items that lie in a list twice": """
    a = [np.zeros_like(x), x * 2.0, x * 0.5]
    b = [*a[:2], *a[1:]]
    b[1] += x
    return b[2] * b[0] + b[1]
""",
    "a list by its other name": """
    a = [np.zeros_like(x), x * 2.0, x * 0.5]
    c = a
    a = a[1:]
    a[0] += x
    return c[1] * a[0] * c[2]
""",
    "an item that has a name": """
    a = [np.zeros_like(x), x * 2.0, x * 0.5]
    w = a[1]
    a = [np.sin(x), *a[1:]]
    a[1] += x
    return w * a[0] * a[1]
""",
    "a list of all of them": """
    a = [np.zeros_like(x), x * 2.0, x * 0.5]
    h = [a]
    for k in range(3):
        a = [np.sin(x) * k, *a[:-1]]
        a[1] += x * k
        h.append(a)
    return h[0][0] * h[1][1] + h[2][2] * h[1][1] + h[3][0]
""",
    "what has a name before it is put in": """
    a = [np.zeros_like(x), x * 2.0, x * 0.5]
    b = x * 3.0
    for k in range(3):
        a = [b, *a[:-1]]
        a[0] += x * k
        b = b * 2.0 if k == 1 else b
    return a[2] * a[0] * b
""",
    "lists that change places": """
    a = [x * 2.0, x * 0.5]
    b = [x * 1.5, x * 2.5]
    for k in range(3):
        c = [*a, *b[1:]]
        a, b = b, c
        a[0] += x
        b[0] += x * k
    return a[1] * b[0] * b[1] * a[0]
""",
    "kept items, in a list that is returned": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[i])
        v[i] = np.zeros_like(x)
    top = len(L)
    for i in range(2):
        top -= 1
        v[i] = L[top]
        v[i] += x * x
    return v, L
""",
    "items that come back, in a list that is returned": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[i])
        v[i] = np.zeros_like(x)
    for i in reversed(range(2)):
        v[i] = L[i]
        v[i] += x * x
    return v, L
""",
    "items that come back twice": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[i])
        v[i] = np.zeros_like(x)
    for j in range(2):
        for i in reversed(range(2)):
            v[i] = L[i]
            v[i] += x * x
    return np.sum(v[0] * v[1])
""",
    "items that come back by numbers from both ends": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[i])
        v[i] = np.zeros_like(x)
    for i in range(-1, 1):
        v[i] = L[i]
        v[i] += x * x
    return np.sum(v[0] * v[1])
""",
    "items that are kept and stay where they are": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[i])
    for i in reversed(range(2)):
        v[i] += x
        v[1 - i] = L[i]
        v[1 - i] += x * x
    return np.sum(v[0] * v[1])
""",
    "an item that comes back and has another name": """
    L = []
    v = [x * 1.0, x * 2.0]
    w = v[0]
    for i in range(2):
        L.append(v[i])
        v[i] = np.zeros_like(x)
    for i in reversed(range(2)):
        v[i] = L[i]
        v[i] += x * x
    return np.sum(v[0] * v[1] * w)
""",
    "one item that is kept twice": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[0])
        v[i] = np.zeros_like(x)
    for i in reversed(range(2)):
        v[i] = L[i]
        v[i] += x * x
    return np.sum(v[0] * v[1])
""",
    "one item that is kept under two numbers": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[1])
    v[1] = x * 0.5
    for i in reversed(range(2)):
        v[i] = L[i]
        v[i] += x * x
    return np.sum(v[0] * v[1])
""",
    "items that come back by a name": """
    L = []
    v = [x * 1.0, x * 2.0]
    for i in range(2):
        L.append(v[i])
        v[i] = np.zeros_like(x)
    s = x
    for i in reversed(range(2)):
        a = L[i]
        a += x
        v[i] = a
        v[i] += x * a
        s = s + a
    return np.sum(v[0] * v[1] * s)
""",
}

VALUES = [pytest.param(np.array([0.3, 0.7, 1.1]), id="array"), pytest.param(0.7, id="number")]


@pytest.mark.parametrize("x", VALUES)
@pytest.mark.parametrize("name", MOVED)
def test_moved(name: str, x: Any) -> None:
    program = traps.program(name, HEAD + MOVED[name].lstrip("\n"), (x,), ())
    assert checking.check(program, ("vjp", "jvp"), margin=0.0).kind == "right"
    assert closure.row(program, "vjp", "jvp") == "right"


@pytest.mark.parametrize("x", VALUES)
@pytest.mark.parametrize("name", SEEN)
def test_seen(name: str, x: Any) -> None:
    program = traps.program(name, HEAD + SEEN[name].lstrip("\n"), (x,), ())
    assert checking.check(program, ("vjp",), margin=0.0).kind in ("right", "refused", "guarded")
    assert checking.check(program, ("jvp",), margin=0.0).kind in ("right", "guarded")


NUMBERS = {
    "a list that is kept, gets items and loses some": """
    L = [x[0], x[1], x[2] * x[0], x[3]]
    s = 0.0
    kept = []
    for i in range(2):
        kept.append(L)
        L[1] = L[1] * x[i]
        a = L[-1]
        L = L[:-1]
        L[0] *= a
        s += a * kept[i][i + 1] * kept[0][0]
    return s + L[0] + L[1]
""",
    "parts of a list with two names, and parts of these": """
    L = [x[0], x[1], x[2] * x[0], x[3]]
    M = L
    K = L[1:]
    M[1] = x[0] * L[2]
    K[0] = K[0] * L[1]
    L[2] = K[0] * x[3]
    J = K[:2]
    K[1] = J[0] * J[1]
    return K[0] * L[1] * M[2] + K[1] * J[1]
""",
    "a list that loses its last item or its first one": """
    L = [x * 1.0, x * x, x * 2.0, x**3]
    s = 0.0
    for i in range(3):
        L[i % 2] = L[0] * L[1]
        if x[i] > 0.6:
            s += np.sum(L[-1] * x)
            L = L[:-1]
        else:
            s += np.sum(L[0] * x)
            L = L[1:]
        L[0] = L[0] * s
    return s + np.sum(L[0])
""",
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name: str) -> None:
    program = traps.program(name, HEAD + NUMBERS[name].lstrip("\n"), (np.array([0.3, 0.7, 1.1, 0.5]),), ())
    assert checking.check(program, ("vjp", "jvp"), margin=0.0).kind == "right"


TAKEN = {
    "by a name of the row": "    row = rows[0]\n    a, *rest = row\n",
    "by its number": "    a, *rest = rows[0]\n",
    "in the header of a loop": "    for a, *rest in rows:\n        pass\n",
}


@pytest.mark.parametrize("how", TAKEN)
def test_items_behind_a_star_lie_in_two_lists(how: str) -> None:
    """`rest[1] *= e` writes into the array that lies in the row, too: it is asserted to be a number."""
    text = HEAD + "    rows = [[x * 1.0, x * 3.0, x * x]]\n" + TAKEN[how] + "    rest[1] *= x\n"
    text += "    return np.sum(rows[0][0] * rows[0][2])\n"
    program = traps.program(how, text, (np.array([0.3, 0.7]),), ())
    assert checking.check(program, ("vjp",), margin=0.0).kind == "guarded"
    stated = traps.program(how, text.replace("def f", "# s2s: x (n,)\ndef f"), (np.array([0.3, 0.7]),), ())
    assert checking.check(stated, ("vjp", "jvp"), margin=0.0).kind == "right"


PARTS_OF_NUMBERS = {
    "numbers of a list that others hold, put into a part of another one": """
    p = [w[0], x[1]]
    h = [p]
    b = [x[0], 0.0, 0.0]
    h.append(b)
    b[1:] = p
    p[0] = b[2] * x[0]
    b[1] = p[1] * b[1]
    return b[1] * p[0] + h[0][1] * h[1][2] * b[0]
""",
    "a window that moves on, and its first number bound anew": """
    s = [w[0], w[1], w[2]]
    r = 0.0
    for k in range(3):
        s = s[1:]
        s.append(r * x[k] + s[0])
        s[0] = s[1] * x[k]
        r = r + s[0] * s[1]
    return r + sum(s)
""",
    "a window beside arrays that are written": """
    s = [w[0], w[1], w[2]]
    r = 0.0
    st = [w * 2.0, x * 1.0]
    for k in range(3):
        s = s[1:]
        s.append(r * x[k] + s[0])
        st = st[:1] + [st[1] * s[0]]
        u = st[0]
        u *= x[k]
        s[0] = u[1]
        r = r + s[0] * s[1]
    return r + np.sum(st[1]) + sum(s)
""",
    "lists turned around, by two names, with an early return": """
    s = [w[0], w[1], w[2]]
    p = s[:-1]
    q = p
    p[0] = p[1] * x[0]
    s[1] = p[0] * x[1]
    q.append(s[2])
    t = s[1:]
    for k in range(2):
        t = t[::-1]
        t[k] = t[k] * w[0] + q[k]
        if t[0] > 99.0:
            return t[0]
    return p[0] * s[1] + q[2] * t[0] + t[1] + w[1]
""",
}


@pytest.mark.parametrize("name", PARTS_OF_NUMBERS)
def test_numbers_that_are_copied_into_parts_of_lists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each list has slots of its own, and what is added to those of the copy goes on to the other one."""
    monkeypatch.delenv("S2S_CHECK", raising=False)
    source = f"import numpy as np\n\n\n# s2s: x (3,), w (3,)\ndef f(x, w):\n{PARTS_OF_NUMBERS[name]}"
    args = (np.array([0.3, -0.4, 1.1]), np.array([0.9, 0.2, -0.5]))
    program = Program(source, args, ("x", "w"), ("x", "w"), True)
    assert checking.check(program, ("grad", "vjp", "jvp")).kind == "right"
    assert [closure.row(program, i, o) for i in closure.KINDS for o in closure.KINDS] == ["right"] * 4


COPIED = {
    "a part that grows, and all of a list in another one": """
    z = np.zeros_like(x)
    q = [x * 2.0, z, x * w]
    p = q[1:]
    p.append(w)
    q[0] = w * x
    r = [*q, x]
    z += x * w
    r[2] = r[2] * 2.0
    return p[0] * p[1] + r[1] * q[0] + r[0] + p[2] * r[2]
""",
    "lists joined, copied and shortened": """
    q = [x, w, x * w]
    b = list(q)
    b.append(q[1] * b[0])
    c = [*b, *q]
    c[0] = c[3] * x
    for i in range(3):
        q[i] = c[i + 1] * w
        c.pop()
    d = q + b
    d[0] = d[1] * d[3]
    return c[0] * c[2] + d[0] + q[2] * b[3] + sum(d[1:3])
""",
    "rows of lists": """
    m = [[x, w], [x * w, w * w]]
    rows = m[:1] + [list(m[1])]
    rows[0][1] = rows[1][0] * x
    rows[1][1] = m[1][0] * rows[0][0]
    t = [r[0] * r[1] for r in rows]
    t = t[::-1]
    t.append(m[0][1])
    u = [*t[:2], x]
    u[0] = u[1] * u[2]
    return sum(t) * m[1][1] + sum(u)
""",
}


@pytest.mark.parametrize("x", [(0.3, 0.8), (np.array([0.3, -0.4]), np.array([0.9, 0.2]))])
@pytest.mark.parametrize("name", COPIED)
def test_copies_of_lists_of_numbers_or_arrays(name: str, x: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of unknown rank: their adjoints are arrays, of rank 0 for numbers, which both lists of these hold."""
    monkeypatch.delenv("S2S_CHECK", raising=False)
    source = f"import numpy as np\n\n\ndef f(x, w):\n{COPIED[name]}"
    program = Program(source, x, ("x", "w"), ("x", "w"), False)
    if isinstance(x[0], float) and "zeros_like" in source:
        return  # `z += x * w` of numbers is asserted not to be meant
    assert [closure.row(program, i, o) for i in closure.KINDS for o in closure.KINDS] == ["right"] * 4
