"""Forward mode: `x += e` and `L[k] += e` of what may be an array, into which they write, or a number, which they bind
anew. Tangents do the same as their values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import checking
import traps
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted

HEAD = """
import numpy as np


def write(M, x):
    M[0] += x * x
    M[1] += M[0]


def f(x):
"""
BODIES = {
    "a number that becomes an array": """
    L = [2.0, x * 2.0]
    y = L[0]
    L[0] += x * np.array([1.0, 2.0, 3.0])
    L[0] += x
    return np.sum(y * L[0]) * L[1]
""",
    "a number that becomes an array by a constant": """
    L = [np.sum(x), x * 2.0]
    y = L[0]
    L[0] += np.array([1.0, 2.0, 3.0])
    return np.sum(L[0] * y) * L[1]
""",
    "arrays of rank 0": """
    L = [np.array(np.sum(x)), np.zeros_like(np.sum(x))]
    a = L[0]
    b = L[1]
    a += np.sum(x * x)
    b += a
    L[0] += b
    return L[0] * L[1] * a * x
""",
    "inner lists": """
    T = [[x * 1.0, 2.0 * x], [x * x]]
    r = T[0]
    r[0] += x
    v = T[1][0]
    T[1][0] += r[0]
    return v * T[0][0] * T[1][0]
""",
    "by a helper": """
    L = [x * 1.0, x * 2.0]
    a = L[0]
    write(L, x)
    return a * L[0] * L[1]
""",
    "two names, and items with names": """
    L = [x * 1.0, 2.0]
    M = L
    t = (L[0], L[1])
    M[0] += x
    M[1] += L[0]
    a, b = t
    return a * b * L[0] * M[1]
""",
    "names of items that change in a loop": """
    L = [x * 1.0, 0.0]
    a = L[0]
    b = L[1]
    for k in range(3):
        L[1] += x * L[0] * a
        L[0] -= b
        a, b = L[1], a
    return a * b * L[0] * L[1]
""",
    "copies of lists": """
    L = [x * 1.0, 0.0]
    K = list(L)
    L[0] += x
    K[1] += L[0]
    J = L + K
    J[3] -= x * x
    return J[0] * J[1] + J[2] * J[3] + K[1] * L[1] + K[0]
""",
    "items under a computed number": """
    L = [0.0, 0.0]
    for k in range(4):
        L[k % 2] += x**k
        if k == 1:
            m = L[0]
            q = L
    q[1] += m
    return m * L[0] * L[1]
""",
    "dicts in a list, that an unpacking names": """
    u = x * 3.0
    T = [{"x": u}, {"x": u}]
    d, e = T
    d["x"] += x
    return u * e["x"] * T[0]["x"]
""",
    "dicts in a list, by a number": """
    T = [{"x": x * 1.0}, {"x": 2.0 * x}]
    for k in range(2):
        d = T[k]
        q = d["x"]
        d["x"] += q * x
        T[0]["x"] -= x
    return q * T[0]["x"] * T[1]["x"]
""",
    "dicts in a list, by loops over it twice": """
    L = [{"x": x * k} for k in range(3)]
    q = [d["x"] for d in L]
    for k, d in enumerate(L):
        d["x"] += x * k
    for d, e in zip(L, L):
        e["x"] -= d["x"] * x
    return q[1] * L[2]["x"] * L[1]["x"]
""",
}


@pytest.mark.parametrize("x", [np.array([0.3, 0.7, 1.2]), 0.6], ids=["array", "number"])
@pytest.mark.parametrize("name", BODIES)
def test_arrays_and_numbers(name: str, x: Any) -> None:
    program = traps.program(name, HEAD + BODIES[name].lstrip("\n"), (x,), ())
    assert checking.check(program, ("jvp",)).kind == "right"


PARAMETER = """
def f(x):
    y = x
    L = [y]
    L[0] += 1.5 * x
    return y * L[0] * x
"""


def test_a_parameter_may_be_either() -> None:
    """It is copied before it is written, and the copy of a number is an array, into which all names would write: the
    output asserts that it is a number."""
    assert checking.check(traps.program("either", PARAMETER, (0.6,), ()), ("vjp", "jvp")).kind == "right"
    scope: dict[str, Any] = {}
    exec(differentiate_unformatted(PARAMETER, Request(functions=("f",), emit=("jvp",))), scope)
    with pytest.raises(AssertionError):
        scope["f_jvp"](np.array([0.6, 0.2]), x_dot=np.ones(2))


RANK_ZERO = """
import numpy as np


# s2s: x (n,)
def f(x):
    L = [np.zeros_like(x[0]), np.zeros_like(x[1])]
    a = L[0]
    assert not np.isscalar(a)
    a += x[1]
    return L[0] * x[2]
"""


def test_a_name_of_an_array_of_rank_0_in_a_list() -> None:
    """What is written under it is written into the array of the list."""
    program = traps.program("rank 0", RANK_ZERO, (np.array([0.3, 0.7, 1.2]),), ())
    assert checking.check(program, ("jvp",)).kind == "right"
    with pytest.raises(S2SError, match="S230"):
        differentiate_unformatted(RANK_ZERO, Request(functions=("f",), emit=("vjp",)))


ENTRIES = """
def f(T, x):
    {bound}
    {name}["x"] += x
    return T[0]["x"] * x
"""


@pytest.mark.parametrize(("bound", "name"), [("d = T[0]", "d"), ("S = [T[0]]", "S[0]"), ("d, *_ = T", "d")])
def test_an_entry_of_what_the_caller_has(bound: str, name: str) -> None:
    """By another name as well: its caller would see what is written."""
    text = ENTRIES.format(bound=bound, name=name)
    for kind in ("vjp", "jvp"):
        with pytest.raises(S2SError, match=r"S201|S202"):
            differentiate_unformatted(text, Request(functions=("f",), emit=(kind,)))


SECOND = {
    "a second name": "    c = k\n    c += 1.0\n    return np.sum(u * c)\n",
    "a second name, in a loop": "    c = k\n    for i in range(3):\n        c += u * c\n    return np.sum(u * c)\n",
    "the parameter of a helper": "    return np.sum(u * raised(k))\n",
}


@pytest.mark.parametrize("name", SECOND)
def test_a_parameter_that_nobody_reads_behind_its_update_may_be_either(name: str) -> None:
    source = "import numpy as np\n\n\ndef raised(c):\n    c += 1.0\n    return c\n\n\ndef f(u, k):\n" + SECOND[name]
    a, b = np.array([0.3, 0.6]), np.array([0.9, 0.2])
    for args in ((a, b), (0.3, 0.7), (a, np.outer(a, b)[0]), (np.array(0.3), np.array(0.7))):
        verdict = checking.check(Program(source, args, ("u", "k"), ("u", "k"), True), ("vjp", "jvp"), seed=1)
        assert verdict.kind == "right", verdict
    for shared in ((a, a), (a[:1], a)):  # what is written would be seen in u
        verdict = checking.check(Program(source, shared, ("u", "k"), ("u", "k"), True), ("vjp",), seed=1, margin=0.0)
        detail = "assert not np.shares_memory(u, k), 'one array under two names: copy it first'"
        assert (verdict.kind, verdict.detail) == ("guarded", detail)
