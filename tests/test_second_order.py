"""One sample call of every rule differentiated twice: Hessian-vector products against differences of gradients, the
second derivative of the function in forty digits, and symmetry. What is written for the first derivative is
differentiated as any other program (`--emit hvp`)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request
from s2s.pipeline import differentiate_unformatted as differentiate
from test_high_precision import curvature
from test_rules import Case, case_id, close, flat, name_of, operands_of, random_like
from test_rules_end_to_end import SAMPLES, first_samples, program, shapes_of

pytestmark = pytest.mark.table

# Rules whose derivative is a helper of s2s, or a call, that can't be differentiated once more, and what is said then.
# A rule that no longer is refused must leave this list.
REFUSED = {
}  # fmt: skip
# Calls beyond the first of their rule, and what of them is refused.
SECOND = {
    "np.take(v, k)": "", "np.take(M, [0, 0, 2], axis=1)": "", "np.take(T, k2, axis=-1)": "", "np.diff(M)": "",
    "np.diff(v, 2)": "", "np.trapezoid(M, W)": "", "np.trapezoid(T, u, axis=1)": "", "np.einsum('ii->i', A)": "",
    "np.einsum('iij,j->i', cube[:, :, :1], u)": "", "np.hstack([s, v])": "", "np.vstack([v, M, w])": "",
    "np.concatenate([M, W], one)": "", "np.kron(M, N)": "", "np.unique(M)": "", "np.dstack([M, W])": "",
    "np.select([c, v > 0.0, w > 0.0], M, w)": "", "sp.linalg.toeplitz(v, u)": "", "np.gradient(v, 0.1)": "",
    "np.gradient(M, axis=1, edge_order=2)": "", "np.gradient(v, ramp)": "", "np.gradient(M)": "",
    "np.gradient(v, ramp, edge_order=2)": "", "np.gradient(M, ramp[1:], s)": "", "np.gradient(v[:2], ramp[:2])": "",
    "np.quantile(v, s * 0.5)": "S302", "np.trapezoid(v, W)": "",
    "sp.special.boxcox(p, 0.5 * bits)": "", "np.divmod((3, 4), (4,))0": "", "np.divmod((4,), (3, 4))0": "",
}  # fmt: skip


def second(case: Case) -> tuple[dict[str, Any], tuple[str, ...]]:
    wrt = tuple(n for n in case.env if n in {name_of(o) for o in operands_of(case)})
    request = Request(functions=("f",), wrt=wrt, emit=("grad", "hvp"), shapes=shapes_of(case))
    made: dict[str, Any] = {}
    exec(differentiate(program(case), request), made)
    return made, wrt


def as_vector(value: Any, wrt: tuple[str, ...]) -> np.ndarray:
    return flat(value if len(wrt) == 1 else list(value))


def chosen() -> list[Case]:
    first = first_samples()
    return first + [c for c in SAMPLES if c.label in SECOND and not any(c is f for f in first)]


def test_all_calls_are_there() -> None:
    assert SECOND.keys() <= {c.label for c in SAMPLES}


@pytest.mark.parametrize("case", chosen(), ids=case_id)
def test_hessian_vector_product(case: Case) -> None:
    if code := SECOND.get(case.label) or REFUSED.get(case.rule.fn):
        with pytest.raises(S2SError, match=code):
            second(case)
        return
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
    assert abs(np.sum(left) - curvature(case, u, v)) <= 1e-9 * (1.0 + scale)


@pytest.mark.parametrize("edge_order", [1, 2])
def test_gradients_along_several_axes(edge_order: int) -> None:
    """The parts of the result by names of their own; of a list they are refused (S230)."""
    source = f"""import numpy as np


def f(M, x, s: float):
    a, b = np.gradient(M, x, s, edge_order={edge_order})
    return np.sum(np.sin(a) * b)
"""
    made: dict[str, Any] = {}
    exec(differentiate(source, Request(functions=("f",), emit=("grad", "hvp"), shapes="M (n, m), x (n,)")), made)
    rng = np.random.default_rng(2)
    at = [rng.normal(size=(4, 3)), np.array([0.1, 0.5, 1.2, 1.6]), 0.7]
    dots = [rng.normal(size=np.shape(v))[()] for v in at]

    def gradient(t: float) -> np.ndarray:
        return flat(list(made["f_grad"](*(v + t * d for v, d in zip(at, dots, strict=True)))))

    slopes = [(gradient(h) - gradient(-h)) / (2.0 * h) for h in (1e-3, 5e-4)]
    product = flat(list(made["f_hvp"](*at, M_dot=dots[0], x_dot=dots[1], s_dot=dots[2])))
    close(product, (4.0 * slopes[1] - slopes[0]) / 3.0, 1e-6)


# Rules whose cotangents are helpers with loops, lists and arrays of unknown rank.
TWICE = (
    "np.block([[M, col], [w, s]])", "np.gradient(v)", "np.gradient(M)", "np.gradient(v, s)", "np.quantile(M, 0.3)",
    "np.quantile(T, [0.3, 0.81], axis=(0, 2), keepdims=True)", "np.percentile(M, 30.0, axis=0)",
)  # fmt: skip


@pytest.mark.parametrize("label", TWICE)
def test_reverse_over_reverse(label: str) -> None:
    """It has the Hessian that forward over reverse has."""
    (case,) = (c for c in SAMPLES if c.label == label)
    made, wrt = second(case)
    gradient = differentiate(program(case), Request(functions=("f",), wrt=wrt, emit=("grad",), shapes=shapes_of(case)))
    exec(differentiate(gradient, Request("f_grad.py", functions=("f_grad",), wrt=wrt, emit=("vjp",))), made)
    rng = np.random.default_rng(1)
    v = {n: random_like(case.env[n], rng) for n in wrt}
    product = made["f_hvp"](**case.env, **{f"{n}_dot": d for n, d in v.items()})
    seed = v[wrt[0]] if len(wrt) == 1 else tuple(v.values())
    _, back = made["f_grad_vjp"](**case.env, out_bar=seed)
    close(as_vector(back, wrt), as_vector(product, wrt), 1e-11)
