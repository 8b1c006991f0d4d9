"""Programs as people write them: the derivative of each is right."""

from __future__ import annotations

import pytest

import checking
import programs
from models import MODELS

# Models that are not right yet, each with what happens; a strict xfail tells when one is mended.
OPEN = {}


def case(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=OPEN[name])] if name in OPEN else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [case(n) for n in MODELS])
def test_model(name: str) -> None:
    source, args, wrt = MODELS[name]
    code = checking.evaluate(source, "<model>")["f"].__code__
    params = code.co_varnames[: code.co_argcount]
    program = programs.Program(source, args, wrt or params[: len(args)], params, True)
    # the points are smooth, though a mask or a bisection comes near to a test of its own
    verdict = checking.check(program, emit=("grad", "vjp", "jvp"), margin=0.0)
    assert verdict.kind == "right", verdict
