"""What s2s writes, s2s reads: tangents of gradients, forward over reverse, held against differences of the gradient."""

from __future__ import annotations

import copy
import inspect

import numpy as np
import pytest

import checking
import numeric
from example_cases import CASES, Case
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

# Gradients that are refused as input today, and why. Those that are accepted by now may go; none may be added.
REFUSED = {
    "gmm.py": "S301",  # list(...) of an array
    "black_scholes.py": "S230",  # an adjoint that may have another name is added to
    "goldens/exits.py:first_crossing": "S230",
    "lstm.py": "S230",
    "rnn.py": "S230",
    "kepler.py": "S202",  # E_saved.pop()
    "sir.py": "S202",
}


def is_listed(case: Case) -> bool:
    return case.file in REFUSED or f"{case.file}:{case.function}" in REFUSED


GRADIENTS = [c for c in CASES if c.emit[0] in ("grad", "value_and_grad") and c.file != "mlp.py"]


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda c: c.name)
def test_the_tangent_of_a_gradient(case: Case) -> None:
    text, name = case.written.read_text(), f"{case.function}_{case.emit[0]}"
    try:
        derived = differentiate(text, Request(filename=case.written.name, functions=(name,), emit=("jvp",)))
    except S2SError:
        assert is_listed(case)
        return
    gradient = checking.evaluate(text, "<gradient>")[name]
    tangent = checking.evaluate(derived, "<tangent>")[f"{name}_jvp"]
    args = case.arguments(np.random.default_rng(0))
    params = list(inspect.signature(gradient).parameters)
    dots = [p for p in inspect.signature(tangent).parameters if p not in params]
    wrt = [params.index(d.removesuffix("_dot")) for d in dots]
    random = np.random.default_rng(1)
    seeds = {d: checking.seeds_like(args[i], random) for d, i in zip(dots, wrt, strict=True)}
    direction = np.concatenate([numeric.flat(seeds[d]) for d in dots])
    want, _ = numeric.along(gradient, args, wrt, direction)
    found = numeric.flat(tangent(*copy.deepcopy(args), **seeds)[1])
    assert found == pytest.approx(want, rel=1e-6, abs=1e-7 * max(1.0, float(np.max(np.abs(want)))))
