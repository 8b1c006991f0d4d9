"""Programs as people write them: the derivative of each is right."""

from __future__ import annotations

import pytest

import checking
import programs
from models import MODELS
from s2s.pipeline import Request, differentiate

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


def test_no_code_for_unknown_ranks() -> None:
    """What displays, slices and loops say of ranks is used: with few shapes stated, nothing is left open."""
    for name in ("Kalman filter of a class", "option price by Crank-Nicolson"):
        source, _, wrt = MODELS[name]
        text = differentiate(source, Request("model.py", ("f",), wrt, emit=("grad",)))
        assert "_unbroadcast" not in text and "_matmul_bar" not in text, name
    helper = (
        differentiate(MODELS["robot arm"][0], Request("model.py", ("f",))).split("def _dh_rev(")[1].split("\ndef ")[0]
    )
    assert "_unbroadcast" not in helper


def test_an_addition_in_place_leaves_the_adjoint() -> None:
    """`K[k] += e` under an array of indices, which may name an item twice: nothing is cleared or added back."""
    text = differentiate(MODELS["bars in a row"][0], Request("model.py", ("f",)))
    assert "np.add.at" not in text and text.count("= _last_stored(") == 1 and "K_bar[k] = 0.0" not in text
