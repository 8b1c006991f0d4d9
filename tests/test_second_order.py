"""One sample call of every rule differentiated twice: Hessian-vector products against differences of gradients, and
symmetry. What is written for the first derivative is differentiated as any other program (`--emit hvp`)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request
from s2s.pipeline import differentiate_unformatted as differentiate
from test_rules import Case, case_id, close, flat, name_of, operands_of, random_like
from test_rules_end_to_end import first_samples, program, shapes_of

# Rules whose derivative is a helper of s2s, or a call, that can't be differentiated once more, and what is said then.
# A rule that no longer is refused must leave this list.
REFUSED = {
    "numpy.dstack": "S301", "numpy.kron": "S236", "numpy.block": "S301", "numpy.gradient": "S213",
    "numpy.i0": "S302", "numpy.poly": "S302", "numpy.unique": "S302",
    "numpy.median": "S214", "numpy.nanmedian": "S214", "numpy.quantile": "S214", "numpy.percentile": "S214",
    "numpy.nanquantile": "S214", "numpy.nanpercentile": "S214",
    "numpy.kaiser": "S302", "numpy.maximum.accumulate": "S214", "numpy.minimum.accumulate": "S214",
    "numpy.fmax.accumulate": "S214", "numpy.fmin.accumulate": "S214", "numpy.logaddexp.accumulate": "S214",
    "numpy.logaddexp2.accumulate": "S214", "numpy.hypot.accumulate": "S214", "scipy.linalg.expm": "S301",
    "scipy.linalg.sqrtm": "S305", "numpy.ndarray.tolist": "S231",
    "scipy.special.ellipk": "S301", "scipy.special.ellipkm1": "S301", "scipy.special.ellipe": "S301",
}  # fmt: skip


# What fails when it is run, with a message from NumPy. To be empty.
BROKEN = {"scipy.linalg.toeplitz": "the adjoint of a first column has the length of the column and the row"}


def second(case: Case) -> tuple[dict[str, Any], tuple[str, ...]]:
    wrt = tuple(n for n in case.env if n in {name_of(o) for o in operands_of(case)})
    request = Request(functions=("f",), wrt=wrt, emit=("grad", "hvp"), shapes=shapes_of(case))
    made: dict[str, Any] = {}
    exec(differentiate(program(case), request), made)
    return made, wrt


def as_vector(value: Any, wrt: tuple[str, ...]) -> np.ndarray:
    return flat(value if len(wrt) == 1 else list(value))


@pytest.mark.parametrize("case", first_samples(), ids=case_id)
def test_hessian_vector_product(case: Case) -> None:
    if case.rule.fn in REFUSED:
        with pytest.raises(S2SError, match=REFUSED[case.rule.fn]):
            second(case)
        return
    if case.rule.fn in BROKEN:
        pytest.xfail(BROKEN[case.rule.fn])
    made, wrt = second(case)
    env, rng = case.env, np.random.default_rng(1)
    u, v = ({n: random_like(env[n], rng) for n in wrt} for _ in range(2))

    def gradient(t: float) -> np.ndarray:
        return as_vector(made["f_grad"](**env | {n: env[n] + t * v[n] for n in wrt}), wrt)

    slopes = [(gradient(h) - gradient(-h)) / (2.0 * h) for h in (1e-3, 5e-4, 2.5e-4)]
    first = [(4.0 * b - a) / 3.0 for a, b in itertools.pairwise(slopes)]
    hv, hu = (as_vector(made["f_hvp"](**env, **{f"{n}_dot": d[n] for n in wrt}), wrt) for d in (v, u))
    close(hv, (16.0 * first[1] - first[0]) / 15.0, 1e-5)
    # symmetric to rounding, of what is summed
    left, right = as_vector([u[n] for n in wrt], ("", "")) * hv, as_vector([v[n] for n in wrt], ("", "")) * hu
    scale = np.sum(np.abs(left)) + np.sum(np.abs(right))
    assert abs(np.sum(left) - np.sum(right)) <= 1e-10 * (1.0 + scale)
