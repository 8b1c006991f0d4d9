"""What users asked of such tools (tests/demand.py): right, or refused with a code."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest

import checking
import thorough
from demand import CASES
from s2s.pipeline import Request, differentiate

# What is refused today; an entry goes when it is accepted.
REFUSED: dict[str, str] = {
    "an array of the module is written": "S201",
}
# What is wrong today: strict, so that an entry goes when it is mended. To be empty.
WRONG: dict[str, str] = {}


def case(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=WRONG[name])] if name in WRONG else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [case(n) for n in CASES])
def test_demand(name: str) -> None:
    found = thorough.judge(CASES[name])
    if name in REFUSED:
        assert found.startswith(f"refused {REFUSED[name]}"), found
    else:
        assert found == "right"


def derived(source: str, **options: object) -> dict[str, object]:
    return checking.evaluate(differentiate(source, Request(functions=("f",), **options)), "<derivative>")


LOOPS = {
    "reads": "s = 0.0\n    for i in range(len(x)):\n        s += x[i] ** 2\n    return s",
    "stores": "y = np.zeros(len(x))\n    for i in range(len(x)):\n        y[i] = x[i] ** 2\n    return np.sum(y)",
    "overwrites": "y = x * 1.0\n    for i in range(len(x)):\n        y[i] = y[i] ** 2\n    return np.sum(y)",
    "takes apart": "L = []\n    for i in range(len(x)):\n        L.append(x[i] ** 2)\n    s = 0.0\n    while L:\n"
    "        s = 1.0 * s + L.pop()\n    return s",
    "augments": "y = x * 1.0\n    for i in range(len(x)):\n        y[i] *= x[i]\n    return np.sum(y)",
}
LOOPS_REFUSED: tuple[str, ...] = ()


@pytest.mark.parametrize("name", LOOPS)
def test_loops_over_elements_take_linear_time(name: str) -> None:
    """No array of the full size for each element that is read or written."""
    source = f"import numpy as np\n\n\ndef f(x):\n    {LOOPS[name]}\n"
    if name in LOOPS_REFUSED:
        with pytest.raises(checking.S2SError):
            derived(source)
        return
    grad = derived(source)["f_grad"]
    x = np.linspace(0.0, 1.0, 100_000)
    began = time.process_time()
    assert np.allclose(grad(x), 2.0 * x)
    assert time.process_time() - began < 5.0  # with such arrays: a minute


# Helpers that read or write one element of what they are given: functions `f` of vectors, and how they do it.
TOUCHING = {
    "read": ("def at(a, i):\n    return a[i] ** 2\n", "", "s += at(x, i)", "s"),
    "read in lines": (
        "def at(a, i):\n    b = a[i]\n    if b > 0.5:\n        return b * np.sin(b)\n    return a[i - 1] * b\n",
        "",
        "s += at(x, i)",
        "s",
    ),
    "read by themselves": (
        "def at(a, i, j):\n    if j - i == 1:\n        return a[i] ** 2\n    k = (i + j) // 2\n"
        "    return at(a, i, k) + at(a, k, j)\n",
        "s = at(x, 0, len(x))",
        "pass",
        "s",
    ),
    "read of what is written": (
        "def at(a, i):\n    return np.sin(a[i]) * a[i - 1]\n",
        "y = x * 1.0",
        "y[i] = at(y, i)",
        "np.sum(y)",
    ),
    "read by others": (
        "def at(a, i):\n    return a[i] ** 2\n\n\ndef two(a, i):\n    return at(a, i) * at(a, i - 1)\n",
        "",
        "s += two(x, i)",
        "s",
    ),
    "written": ("def put(a, i, e):\n    a[i] = e\n", "y = x * 1.0", "put(y, i, y[i] ** 2)", "np.sum(y)"),
    "written and read": (
        "def put(a, i, e):\n    t = a[i] * e\n    a[i] = np.sin(t)\n    a[i - 1] = a[i] * t\n",
        "y = x * 1.0",
        "put(y, i, x[i])",
        "np.sum(y)",
    ),
    "swapped": (
        "def swap(a, i, j):\n    a[i], a[j] = a[j], a[i]\n",
        "y = x ** 2",
        "swap(y, i, i - 1)",
        "np.sum(y * x)",
    ),
    "written by others": (
        "def put(a, i, e):\n    a[i] = e\n\n\ndef two(a, i):\n    put(a, i, a[i] ** 2)\n    put(a, i - 1, a[i])\n",
        "y = x * 1.0",
        "two(y, i)",
        "np.sum(y)",
    ),
    "captured": (
        "",
        "y = x * 1.0\n\n    def put(i, e):\n        y[i] = e * y[i - 1]\n",
        "put(i, x[i])",
        "np.sum(y)",
    ),
}


@pytest.mark.parametrize("name", TOUCHING)
@pytest.mark.parametrize("emit", ["vjp", "jvp"])
def test_helpers_that_touch_elements_take_linear_time(name: str, emit: str) -> None:
    """No zeros of the full size for each call, and no copies of all of the array."""
    helper, before, body, result = TOUCHING[name]
    lines = (
        f"def f(x):\n    s = 0.0\n    {before}\n    for i in range(1, len(x)):\n        {body}\n    return {result}\n"
    )
    f = derived(f"import numpy as np\n\n\n{helper}\n\n{lines}", emit=(emit,))[f"f_{emit}"]

    def call(n: int) -> None:
        x = np.linspace(0.1, 0.9, n)
        f(x, out_bar=1.0) if emit == "vjp" else f(x, x_dot=x)

    peaks = []
    for n in (500, 2_000):
        call(n)
        tracemalloc.start()
        call(n)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 6 * peaks[0] + 10_000  # with copies of the array: 16 times as much
    began = time.process_time()
    call(50_000)
    assert time.process_time() - began < 4.0  # with zeros of the full size: a quarter of a minute


def test_a_helper_that_sweeps_keeps_its_call() -> None:
    source = """import numpy as np


def step(u, a):
    for i in range(1, len(u) - 1):
        u[i] += a * u[i] * (u[i + 1] - u[i - 1])


def f(x, a):
    u = x.copy()
    for t in range(3):
        step(u, a)
    return np.sum(u ** 2)
"""
    assert "_step_rev(" in differentiate(source, Request(functions=("f",), emit=("vjp",)))


def test_a_linear_stencil_keeps_nothing() -> None:
    if not checking.HAS_OF:
        pytest.skip("no --of yet")
    stated = "# s2s: u (n,)\n" + CASES["heat equation"].source.replace("alpha,", "alpha: float,")
    vjp = derived(stated, of=("u",), wrt=("u",), emit=("vjp",))["f_vjp"]
    u = np.linspace(0.0, 1.0, 100)
    vjp(u, 0.2, 3, u_bar=u)
    tracemalloc.start()
    vjp(u, 0.2, 5_000, u_bar=u)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 500_000  # all states: 4 MB


@pytest.mark.parametrize("name", ["components one by one", "block of a larger array", "running sums"])
def test_single_precision_stays(name: str) -> None:
    """The cotangent of a float32 argument is one of float32, or of what the primal itself makes of it."""
    if name in REFUSED:
        pytest.skip("refused")
    program = CASES[name]
    text = differentiate(program.source, Request(functions=("f",), emit=("vjp",)))
    primal, vjp = checking.evaluate(program.source, "<primal>")["f"], checking.evaluate(text, "<derivative>")["f_vjp"]
    args = [a.astype(np.float32) for a in program.args]
    value = primal(*args)
    got, cotangent = vjp(*args, out_bar=np.ones_like(value))
    assert got.dtype == value.dtype
    assert cotangent.dtype in (np.float32, value.dtype)
    wide = vjp(*program.args, out_bar=np.ones_like(value, dtype=float))[1]
    assert np.allclose(cotangent, wide, rtol=1e-5)


def main() -> None:
    for name, program in CASES.items():
        try:
            found = thorough.judge(program)
        except Exception as error:
            found = f"WRONG {type(error).__name__}: {error}"
        if found != "right":
            print(f"{name}: {found}\n")


if __name__ == "__main__":
    main()
