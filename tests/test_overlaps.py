"""Copies within one array: refused where NumPy may read what it has just written, else right."""

from __future__ import annotations

import numpy as np
import pytest

import checking
import programs

RNG = np.random.default_rng(3)
P, A = RNG.random(6) + 0.3, RNG.random((6, 6)) + 0.3

REFUSED = [
    "p[::2] = p[:3]",
    "p[:6:3] = p[:4:2]",
    "v = p[:3]\np[::2] = v",
    "v = p[:3] if n > 2 else p[1:4]\np[::2] = v",
    "if n > 2:\n    v = p[:3]\nelse:\n    v = p[1:4]\np[::2] = v",
    "p[::2] = p.reshape(-1)[:3]",
    "p[p > 0.6] = p[: np.sum(p > 0.6)]",
    "p[::n] = p[:2]",
    "q = p * 2.0\nv = p[:3]\nfor k in range(n):\n    q[1:] = p[:-1] * p[0]\n    q[::2] = v\n    p, q = q, p",
    "r = [p]\nfor k in range(n):\n    q = r[k] * 2.0\n    r.append(q)\n    p = r[-1]\n    q[::2] = p[:3]",
    "r = [p]\nfor k in range(n):\n    q = r[k] * 2.0\n    p = r[-1]\n    p[::2] = q[:3] if n > 9 else p[1:4]",
    "r = [p, p[1:]]\nfor k in range(1):\n    q, v = r[k], r[k + 1]\n    q[::2] = v[:3]",
    "r = [p]\nr.append(p[1:])\nfor k in range(1):\n    q, v = r[k], r[k + 1]\n    q[::2] = v[:3]",
    "r = [p, x]\nr[1] = p[1:]\nfor k in range(1):\n    q, v = r[k], r[k + 1]\n    q[::2] = v[:3]",
    "A[4, 1:5] = A[2:6, 4]",
    "A[1:, 1] = A[2, :-1]",
    "q = A[2]\nq[1:5] = A[1:5, 2]\nA[3, 1:5] = A[2:6, 3]",
]
RIGHT = [
    "q = p * 2.0\nfor k in range(n):\n    q[1:] = p[:-1] * p[0]\n    q[::2] = p[:3]\n    p, q = q, p",
    "r = [p]\nfor k in range(n):\n    q = r[k] * 2.0\n    q[0] = q[1:] @ q[1:]\n    q[::2] = r[0][:3]\n    r.append(q)",
    "q = x * 2.0\nr = (p, q)\np[1:] = q[:-1]\nq[::2] = p[:3]\np[0] = np.sum(r[0] * r[1])",
    "r = [p]\nfor k in range(n):\n    q = r[k] * 2.0\n    p = r[-1]\n    p[::2] = q[:3]\n    r.append(q)",
    "p[1:] = p[:-1]",
    "p[:-2:2] = p[2::2]",
    "p[:] = p[::-1]",
    "v = p[:-1]\np[1:] = v",
    "p[::2] = 2.0 * p[:3]",
    "p[::2] = p[:3].copy()",
    "p[::2] += p[:3]",
    "p[[0, 2, 4]] = p[:3]",
    "p[0] = p[3]",
    "p[p > 0.6] = p[p > 0.6] ** 2",
    "q = x.copy()\np[::2] = q[:3]\nq[1:] = p[:-1]\np[:] = q",
    "for k in range(n):\n    q = np.sin(p)\n    q[1:] = p[:-1]\n    p, q = q, p",
    "q = p * 2.0\nfor k in range(n):\n    q[1:] = p[:-1] * p[0]\n    q[:2] = p[1:3]\n    p, q = q, p",
    "r = [p, p * 2]\nfor k in range(n):\n    q, v = r[k % 2], r[1 - k % 2]\n    v[2:] = q[:4] ** 2\n    v[1:] = q[:-1]",
    "A[0] = A[1]\nA[:, 2] = A[:, 3]\nA[..., 4] = A[..., 5]",
    "A[1:3] = A[2:4]\nA[::2] = A[:3]\nA[:] = A.T",
    "for k in range(6):\n    A[k + 1 :, k] = A[k, k + 1 :]\n    A[k:, k] = A[k, k:]",
]


def verdict(body: str) -> checking.Verdict:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = "import numpy as np\n\n\n# s2s: x (6,), y (6, 6)\ndef f(x, y, n: int):\n    p = x.copy()\n    A = y.copy()\n"
    text += lines
    text += "    return np.sum(p**3) + np.sum(A**3)\n"
    return checking.check(
        programs.Program(text, (P.copy(), A.copy(), 3), ("x", "y"), ("x", "y", "n"), True), margin=0.0
    )


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body: str) -> None:
    found = verdict(body)
    assert (found.kind, found.detail) == ("refused", "S242")


@pytest.mark.parametrize("body", RIGHT)
def test_right(body: str) -> None:
    assert verdict(body).kind == "right"


def test_a_helper_that_writes_into_a_reshape_which_may_be_a_copy_says_so() -> None:
    """np.ravel of a transpose is a copy: what is written there never reaches the array."""
    source = (
        "import numpy as np\n\n\ndef fill(p, x):\n    p[1] = x\n    p *= 2.0\n\n\n# s2s: A (n, n)\ndef f(A):\n"
        "    fill(np.ravel({}), A[1, 0])\n    return np.sum(A**2)\n"
    )
    for written, kind in (("A", "right"), ("A.T", "guarded")):
        program = programs.Program(source.format(written), (A,), ("A",), ("A",), True)
        assert checking.check(program, ("vjp",)).kind == kind, written
