"""What a loop in a loop has bound last is read behind it: each round of the loop around has its own."""

from __future__ import annotations

import numpy as np
import pytest

import thorough
import traps

pytestmark = pytest.mark.table

LOOPS = {
    "items": "for e in v:\n            r = r + e * u",
    "items, squared": "for e in v:\n            r = r + e**2 * u",
    "by number": "for k in range(len(v)):\n            e = v[k]\n            r = r + e**2",
    "nothing else": "for k in range(2):\n            e = v[k]",
    "computed": "for k in range(2):\n            e = np.sin(v[k])\n            r = r + e**2",
    "of the caller": "for k in range(2):\n            e = x[k]\n            r = r + e**2 * u",
    "enumerated": "for k, e in enumerate(v):\n            r = r + e**2 * k",
    "two at once": "for e, d in zip(v, x * x):\n            r = r + e * d",
    "while": "k = 0\n        while k < 2:\n            e = v[k]\n            r = r + e**2\n            k += 1",
    "left early": "for e in v:\n            r = r + e**2\n            if e > 0.1:\n                break",
    "in a branch": "for e in v:\n            if e > 0.1:\n                r = r + e**2\n            r = r * e",
    "twice": "for e in v:\n            for d in (1.0, 2.0):\n                r = r + e * d * u\n        e = e * d",
    "rows": "for row in np.outer(v, x):\n            r = r + row[0] ** 2\n        e = row[1]",
    "a list": "for row in [v, x * u, 2.0 * x]:\n            r = r + row[0] ** 2\n        e = row[1] * row[0]",
    "bound before": "e = u\n        for k in range(1, 2):\n            e = v[k]\n            r = r + e**2",
}
AROUND = {
    "for": "for u in x:",
    "while": "n = 0\n    while n < 2:\n        u = x[n]\n        n += 1",
    "by number": "for n in range(2):\n        u = x[n] * s",
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("loop", LOOPS)
def test_what_a_loop_has_bound_last(loop: str, around: str) -> None:
    source = f"""
import numpy as np


def f(x):
    s = 1.0
    {AROUND[around]}
        v = x * u
        r = 0.0
        {LOOPS[loop]}
        s = s + r * e + s * e**2
    return s
"""
    assert thorough.judge(traps.program("", source, (np.array([0.3, 0.5]),), ())) == "right"


@pytest.mark.parametrize("inner", ["for k in row:", "for j in range(2):\n            k = idx[i, j]"])
def test_a_place_that_a_loop_has_bound_last(inner: str) -> None:
    """Numbers that carry no derivative are stored there: only their restore reads the place."""
    source = f"""
import numpy as np


def f(x):
    idx = np.array([[1, 0], [0, 1], [1, 1]])
    q = np.array([1.5, 2.0])
    s = 0.0
    for i, row in enumerate(idx):
        {inner}
            s += x[k] ** 2 * q[k]
        q[k] = q[k] * 1.5 + i
        s = s * q[0]
    return s + np.sum(q * x)
"""
    assert thorough.judge(traps.program("", source, (np.array([0.3, 0.5]),), ())) == "right"
