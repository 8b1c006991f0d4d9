"""Derivatives through exits: random functions with break, continue and return anywhere, names rebound to constants.

The branches are decided by integers, so the function is smooth at every point and takes a complex step.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted

pytestmark = pytest.mark.table

VALUES = ["x", "y", "x * y", "2.0", "3", "a * x", "y - a", "x * x + 0.5"]


def block(r: random.Random, depth: int, loop: bool, budget: list[int]) -> list[str]:
    """A block; `c` counts steps, so that every loop ends."""
    out: list[str] = []
    for _ in range(r.randint(1, 3)):
        budget[0] -= 1
        tests = [
            f"c % {r.randint(2, 4)} == 0",
            f"c > {r.randint(1, 9)}",
            f"n > {r.randint(0, 3)}",
            f"m == {r.randint(0, 2)}",
        ]
        kind = (
            r.choice(["assign", "assign", "if", "if", "for", "while", "exit"]) if depth and budget[0] > 0 else "assign"
        )
        if kind == "assign":
            out.append(
                r.choice(
                    [
                        f"x = x * {r.uniform(0.5, 1.2):.2f} + a",
                        f"y = y + {r.uniform(0.1, 0.9):.2f} * x",
                        "x = np.sin(x * y)",
                        f"x = {r.randint(0, 3)}",
                        f"y = {r.uniform(0.5, 2.0):.1f}",
                        "x, y = y, x * a",
                        "y = x",
                        f"m = {r.randint(0, 2)}",
                        "c += 1",
                    ]
                )
            )
        elif kind == "if":
            out.append(f"if {r.choice(tests)}:")
            out += indented(block(r, depth - 1, loop, budget))
            if r.random() < 0.5:
                out.append("else:")
                out += indented(block(r, depth - 1, loop, budget))
        elif kind == "for":
            out.append(f"for {r.choice('ijk')} in range({r.choice(['n', '3', 'm'])}):")
            out += indented(["c += 1", *block(r, depth - 1, True, budget)])
        elif kind == "while":
            out.append(f"while {r.choice(['True', 'c < 8'])}:")
            leave = r.choice(["break", f"return {r.choice(VALUES)}"])
            out += indented(["c += 1", "if c > 12:", f"    {leave}", *block(r, depth - 1, True, budget)])
        elif loop:
            out.append(r.choice(["break", "continue", f"return {r.choice(VALUES)}"]))
        else:
            out.append(f"return {r.choice(VALUES)}")
    return out


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def program(seed: int) -> str:
    r = random.Random(seed)
    body = ["c = 0", "m = 1", "y = a * x", *block(r, 4, False, [22]), f"return x * y + {r.choice(VALUES)}"]
    return "\n".join(["import numpy as np", "", "", "def f(x: float, a: float, n: int):", *indented(body), ""])


def load(text: str) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), scope)
    return scope


def check(seed: int) -> bool:
    """False where the function is refused."""
    source = program(seed)
    try:
        made = load(
            differentiate_unformatted(source, Request(functions=("f",), wrt=("x", "a"), emit=("grad", "vjp", "jvp")))
        )
    except S2SError as e:
        codes = {d.code for d in e.diagnostics}
        assert codes <= {"S404"}, f"{e}\n{source}"  # it may depend on none or only on one of the two
        return False
    f = load(source)["f"]
    for x, a, n in ((0.7, 0.4, 0), (1.3, -0.6, 2), (0.2, 0.9, 4)):
        wanted = [np.imag(f(x + 1e-30j, a, n)) / 1e-30, np.imag(f(x, a + 1e-30j, n)) / 1e-30]  # complex step: exact
        value, bars = made["f_vjp"](x, a, n, out_bar=1.0)
        assert np.allclose(value, f(x, a, n), rtol=1e-13), source
        assert np.allclose(bars, wanted, rtol=1e-12, atol=1e-12), f"vjp at {(x, a, n)}: {bars}, not {wanted}\n{source}"
        assert np.allclose(made["f_grad"](x, a, n), wanted, rtol=1e-12, atol=1e-12), source
        value, dot = made["f_jvp"](x, a, n, x_dot=2.0, a_dot=-3.0)
        assert np.allclose(value, f(x, a, n), rtol=1e-13), source
        assert np.allclose(dot, 2.0 * wanted[0] - 3.0 * wanted[1], rtol=1e-12, atol=1e-12), source
    return True


@pytest.mark.parametrize("start", range(0, 300, 20))
def test_derivatives_through_exits(start: int) -> None:
    assert sum(check(seed) for seed in range(start, start + 20)) >= 8


def test_returns_of_one_value_are_one_exit() -> None:
    """`return p` in several places of a loop is one exit: the derivative tells two apart, not three."""
    source = (
        "def f(x):\n    p = x\n    for i in range(20):\n        q = 0.5 * p * p\n        if q < 0.1:\n"
        "            return p\n"
        "        if q > 9.0:\n            return q\n        if abs(q - p) < 0.1:\n            return p\n        p = q\n"
        "    return 2.0 * p\n"
    )
    text = differentiate_unformatted(source, Request("model.py", ("f",), emit=("vjp",)))
    assert text.count("exit_at = 1") == 2 and "exit_at = 3" not in text
