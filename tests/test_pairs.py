"""Loops over combinations and products of what the loop may change: Python has taken the items out before."""

from __future__ import annotations

import numpy as np
import pytest

import checking
import traps

HEAD = """import numpy as np
from itertools import combinations, product


class Holder:
    def __init__(self, z):
        self.z = z

    def change(self):
        self.z[1] += 2.0

    def copy(self):
        return Holder(self.z)


def bump(z):
    z[0] += 1.5
    return z[1]


def f(x, y, k: float):
    # s2s: x (4,), y (4,)
    z = np.array(x)
    s = 0.0
"""
LOOP = "    for a, b in combinations(z, 2):\n        s += a * b * k\n"
CHANGES = {
    "the row itself": LOOP + "        z[1] += a",
    "by a part of it": "    w = z[1:]\n" + LOOP + "        w[0] += a",
    "by another view": "    v = z.T\n" + LOOP + "        v[1] *= 2.0",
    "what it is a view of": "    w = z\n    z = w[:]\n" + LOOP + "        w[1] += a",
    "by an entry": '    d = {"z": z}\n' + LOOP + '        d["z"][1] += b',
    "by an item": "    rows = [z]\n    z = rows[0]\n" + LOOP + "        rows[0][1] += b",
    "by a method": "    h = Holder(z)\n    z = h.z\n" + LOOP + "        h.change()",
    "by a function": LOOP + "        bump(z)",
    "by a function inside": "    def up():\n        z[1] += 2.0\n" + LOOP + "        up()",
    "by out": LOOP + "        np.multiply(z, 2.0, out=z)",
    "by an outer loop": "    for r in (z,):\n        for a, b in product(z, y):\n            s += a * b\n"
    "            r[1] *= 2.0",
    "a new object": LOOP + "        z = z * 2.0",
    "an item of a list": "    z = [a for a in x]\n" + LOOP + "        z[1] = s",
    "by a view with another axis": "    w = z[None]\n" + LOOP + "        w[0, 1] += a",
    "by a part with a name": "    part = slice(1, None)\n    w = z[part]\n" + LOOP + "        w[0] += a",
    "by an entry of a copy": '    d = {"z": z}\n    e = d.copy()\n' + LOOP + '        e["z"][1] += 2.0',
    "by an item of a sum": "    rows = [z]\n    more = rows + [x]\n" + LOOP + "        more[0][1] += 2.0",
    "by an item of a product": "    rows = [z] * 2\n" + LOOP + "        rows[1][1] += 2.0",
    "by an item that is put in": "    rows = []\n    rows.append(z)\n" + LOOP + "        rows[0][1] += 2.0",
    "by a copy of the holder": "    h = Holder(z)\n    z = h.z\n    g = h.copy()\n" + LOOP + "        g.z[1] += 2.0",
    "in a comprehension": "    s = sum(a * b * bump(z) * k for a, b in combinations(z, 2))",
}
KEPT = {
    "nothing": LOOP,
    "another array": "    w = y.copy()\n" + LOOP + "        w[1] += a * b\n    s += np.sum(w)",
    "objects in a list": "    hs = [Holder(x * i) for i in range(3)]\n    for a, b in combinations(hs, 2):\n"
    "        a.z[0] += k * b.z[1]\n        b.z = a.z\n    s = sum(np.sum(h.z) for h in hs)",
    "rows of a matrix": "    m = np.outer(x, y)\n    for a, b in combinations(m, 2):\n        a[0] += k * b[1]\n"
    "        b *= a\n    s = np.sum(m)",
}
POINT = (np.array([0.5, 1.2, -0.3, 0.8]), np.array([0.1, -0.7, 0.9, 1.4]), 0.7)


def verdict(body: str) -> str:
    source = HEAD + body + "\n    return s + np.sum(z) * k + np.sum(x * y)\n"
    return checking.check(traps.program("pairs", source, POINT, ()), margin=0.0).kind


@pytest.mark.parametrize("body", CHANGES.values(), ids=CHANGES)
def test_a_loop_that_may_change_the_items_is_refused(body: str) -> None:
    assert verdict(body) == "refused"


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_a_loop_that_keeps_them_is_right(body: str) -> None:
    assert verdict(body) == "right"
