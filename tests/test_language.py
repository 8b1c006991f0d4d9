"""The frontend's programs, differentiated: each is right at its points, or refused with the code that stands here."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import checking
import programs
from frontend_programs import EXITS, PROGRAMS

HEAD = "import math\nimport numpy as np\nfrom math import sin\n\n"
# What this version refuses, and why.
REFUSED = {
    "methods": "S302",  # x[0].item(2)
    "list of generator": "S301",  # tuple, sorted, list(zip(...))
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
