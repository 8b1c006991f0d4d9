"""Jacobians, Hessians and Hessian-vector products, held against differences, closed forms and each other."""

from __future__ import annotations

import copy
import inspect

import numpy as np
import pytest

import checking
import numeric
from example_cases import CASES, Case
from s2s.pipeline import Request, differentiate

# ---------------------------------------------------------------- examples

REFUSED = {"black_scholes.py", "gmm.py", "kepler.py", "sir.py", "rnn.py", "goldens/exits.py"}  # see test_closed.py
GRADIENTS = [c for c in CASES if c.emit[0] in ("grad", "value_and_grad") and c.file not in REFUSED]


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda c: c.name)
def test_products_of_the_examples(case: Case) -> None:
    """f_hvp is the difference of f_grad along the direction; the Hessian that it stands for is symmetric."""
    wrt = tuple(case.wrt.split(",")) if case.wrt else None
    request = Request(case.source.name, (case.function,), wrt, emit=("grad", "hvp"))
    space = checking.evaluate(differentiate(case.source.read_text(), request), case.file)
    gradient, product = space[f"{case.function}_grad"], space[f"{case.function}_hvp"]
    args = case.arguments(np.random.default_rng(0))
    params = list(inspect.signature(gradient).parameters)
    dots = [p for p in inspect.signature(product).parameters if p not in params]
    positions = [params.index(d.removesuffix("_dot")) for d in dots]
    random = np.random.default_rng(1)
    u, v = ({d: checking.seeds_like(args[i], random) for d, i in zip(dots, positions, strict=True)} for _ in "uv")
    before = copy.deepcopy(args)
    hu, hv = (numeric.flat(product(*args, **seeds)) for seeds in (u, v))
    assert numeric.same_bits(before, args)
    flat_u, flat_v = (np.concatenate([numeric.flat(seeds[d]) for d in dots]) for seeds in (u, v))
    want, _ = numeric.along(gradient, args, positions, flat_u)
    scale = max(1.0, float(np.max(np.abs(want))))
    assert hu == pytest.approx(want, rel=1e-6, abs=1e-7 * scale)
    assert flat_v @ hu == pytest.approx(flat_u @ hv, rel=1e-11, abs=1e-11 * scale)
    assert not numeric.shares_memory(product(*args, **u), [args, u])
