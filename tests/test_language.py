"""The frontend's programs, differentiated: each is right at its points, or refused with the code that stands here."""

from __future__ import annotations

import textwrap
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import checking
import programs
from frontend_programs import EXITS, PROGRAMS
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

HEAD = "import math\nimport numpy as np\nfrom math import sin\n\n"
# What this version refuses, and why.
REFUSED = {
    "texts": "S304",  # "{}".format(x)
}


def cases() -> dict[str, tuple[str, list[tuple[Any, ...]]]]:
    found = {name: (HEAD + textwrap.dedent(text), runs) for name, (text, runs) in PROGRAMS.items()}
    for name, body in EXITS.items():
        block = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
        runs = [(s, n) for s in (0.3, 1.3) for n in (0, 1, 2, 3, 4, 6)]
        found[f"exits: {name}"] = (f"{HEAD}def f(s, n):\n{block}\n    return s\n", runs)
    return found


CASES = cases()


def carries(arg: Any) -> bool:
    """Is this an argument that one differentiates in: a float, an array of floats, or several floats?"""
    if isinstance(arg, np.ndarray):
        return bool(arg.dtype.kind == "f")
    return isinstance(arg, float) or (isinstance(arg, tuple | list) and bool(arg) and all(map(carries, arg)))


@pytest.mark.parametrize("name", CASES)
def test_program(name: str) -> None:
    source, runs = CASES[name]
    f = checking.evaluate(source, "<primal>")["f"]
    params = f.__code__.co_varnames[: f.__code__.co_argcount]
    for args in runs:
        wrt = tuple(p for p, arg in zip(params, args, strict=False) if carries(arg))
        try:
            value = f(*(np.copy(a) if isinstance(a, np.ndarray) else a for a in args))
        except (ArithmeticError, AssertionError, KeyError, TypeError, ValueError, UnboundLocalError):
            continue  # a run that raises has no derivative
        if not wrt or value is None:
            continue
        verdict = checking.check(programs.Program(source, args, wrt, params, False), emit=("vjp", "jvp"))
        if name in REFUSED:
            assert verdict.kind == "refused" and REFUSED[name] in verdict.detail
        else:
            assert verdict.kind in ("right", "dropped"), (verdict, args)


def test_a_branch_for_a_foreign_type_that_binds_a_value_raises() -> None:
    source = """import numpy as np
import units


def f(x, y):
    if isinstance(x, units.Length):
        x = x.to("m")
    elif y > 1.0:
        x = 2.0 * x
    return x * x * y


def g(x):
    if not hasattr(x, "magnitude"):
        x = 3.0 * x
    else:
        x = x.magnitude
    return x * x
"""

    class Length(float):
        def to(self, unit: str) -> float:
            return float(self) * 1000.0

    text = differentiate(source, Request(functions=("f", "g")))
    # the other branch goes on behind it, in both sweeps
    assert "else:" not in text
    space: dict[str, Any] = {}
    exec(text.replace("import units\n", ""), space)
    space["units"] = SimpleNamespace(Length=Length)
    assert space["f_grad"](3.0, 0.5) == (3.0, 9.0)
    assert space["f_grad"](3.0, 2.0) == (48.0, 36.0)
    assert space["g_grad"](2.0) == 36.0
    with pytest.raises(TypeError, match="f has no derivative here: x = "):
        space["f_grad"](Length(3.0), 0.5)


ANNOTATED_DICTS = {
    "lists of arrays": (
        """
        def f(p: dict[str, list[np.ndarray]], x):
            h = x
            for W, b in zip(p["W"], p["b"]):
                h = np.tanh(W @ h + b)
            return np.sum(h**2)
        """,
        ({"W": [np.ones((3, 2)) * 0.3, np.ones((2, 3)) * 0.7], "b": [np.ones(3), np.ones(2)]}, np.array([0.4, 0.9])),
    ),
    "numbers": (
        """
        def f(p: dict[str, float], x: float):
            rate = p["k"] * np.exp(-p["E"] / x)
            return rate * p["k"]
        """,
        ({"k": 0.3, "E": 0.2}, 0.7),
    ),
    "lists of numbers": (
        """
        def f(p: dict[str, list[float]], x: float):
            r = 0.0
            for a in p["c"]:
                r = r * x + a
            return r
        """,
        ({"c": [0.3, 0.4, 0.5]}, 0.7),
    ),
}


@pytest.mark.parametrize("name", ANNOTATED_DICTS)
def test_what_an_annotation_says_of_the_values_of_a_dict(name: str) -> None:
    text, args = ANNOTATED_DICTS[name]
    program = programs.Program(HEAD + textwrap.dedent(text), args, ("p", "x"), ("p", "x"), True)
    verdict = checking.check(program, emit=("grad", "vjp", "jvp"))
    assert verdict.kind == "right", verdict
