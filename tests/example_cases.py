"""The examples of generated_examples/ with arguments to run them on."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "generated_examples"


def rng() -> np.random.Generator:
    return np.random.default_rng(20)


@dataclass(frozen=True)
class Case:
    """A function of an example, what was asked of it, and arguments (made anew at each call)."""

    file: str
    function: str
    wrt: str
    emit: tuple[str, ...]
    arguments: Callable[[np.random.Generator], tuple[Any, ...]]
    analytic: bool = False  # the complex step applies
    zeros: int = 0  # most `zeros_like` (and its kin) that a good text needs

    @property
    def name(self) -> str:
        return f"{self.file.removesuffix('.py')}:{self.function}"

    @property
    def source(self) -> Path:
        return EXAMPLES / self.file

    @property
    def written(self) -> Path:
        return self.source.with_name(self.source.stem + "_grad.py")


def spd(r: np.random.Generator, n: int) -> np.ndarray:
    a = r.standard_normal((n, n))
    return a @ a.T + n * np.eye(n)


def mlp_params(r: np.random.Generator) -> dict[str, np.ndarray]:
    n = r.standard_normal
    return {"W1": n((4, 5)), "b1": n(5), "W2": n((5, 3)), "b2": n(3)}


def one_hot(r: np.random.Generator, n: int, c: int) -> np.ndarray:
    return np.eye(c)[r.integers(0, c, n)]


GRAD, BOTH = ("grad",), ("value_and_grad",)
CASES = [
    Case("rosenbrock.py", "rosenbrock", "x", ("grad", "jvp"), lambda r: (r.standard_normal(7),), True, 1),
    Case(
        "logistic.py",
        "logistic_loss",
        "w,bias",
        BOTH,
        lambda r: (r.standard_normal(4), 0.3, r.standard_normal((9, 4)), np.sign(r.standard_normal(9)), 0.2),
    ),
    Case(
        "oring.py",
        "distress_loss",
        "theta",
        BOTH,
        lambda r: (np.array([-2.0, -1.1]), r.uniform(50.0, 80.0, 9), r.integers(0, 3, 9).astype(float)),
        zeros=1,
    ),
    Case(
        "gmm.py",
        "gmm_objective",
        "alphas,means,icf",
        GRAD,
        lambda r: (
            r.standard_normal(3),
            r.standard_normal((3, 4)),
            0.5 * r.standard_normal((3, 10)),
            r.standard_normal((6, 4)),
            1.2,
            2,
        ),
        zeros=8,
    ),
    Case("black_scholes.py", "call_price", "spot,expiry,rate,vol", BOTH, lambda r: (102.0, 95.0, 0.7, 0.03, 0.25)),
    Case("kepler.py", "distance", "time,axis,eccentricity,period", (*BOTH, "jvp"), lambda r: (0.3, 1.5, 0.4, 1.8)),
    Case("sir.py", "misfit", "beta,gamma,i0", BOTH, lambda r: (0.6, 0.2, 0.01, r.uniform(0.0, 0.3, 12), 3), True),
    Case("quadrature.py", "area", "decay,frequency,end", (*BOTH, "jvp"), lambda r: (0.4, 3.0, 5.0, 1e-6)),
    Case(
        "cluster.py",
        "spread",
        "x,y,mass",
        GRAD,
        lambda r: (r.standard_normal(4), r.standard_normal(4), r.uniform(0.5, 1.5, 4), 5, 0.05),
        zeros=3,
    ),
    Case(
        "kalman.py",
        "log_likelihood",
        "F,Q,R,x0",
        GRAD,
        lambda r: (
            0.4 * r.standard_normal((3, 3)),
            r.standard_normal((2, 3)),
            spd(r, 3),
            spd(r, 2),
            r.standard_normal(3),
            spd(r, 3),
            r.standard_normal((6, 2)),
        ),
        zeros=6,
    ),
    Case(
        "rnn.py",
        "sequence_loss",
        "Wx,Wh,b,Wo,bo",
        BOTH,
        lambda r: (
            r.standard_normal((4, 3)),
            0.5 * r.standard_normal((4, 4)),
            r.standard_normal(4),
            r.standard_normal((5, 4)),
            r.standard_normal(5),
            r.standard_normal((6, 3)),
            r.integers(0, 5, 6),
        ),
        zeros=8,
    ),
    Case(
        "lstm.py",
        "series_loss",
        "W,U,b,V",
        BOTH,
        lambda r: (
            r.standard_normal((12, 2)),
            0.5 * r.standard_normal((12, 3)),
            r.standard_normal(12),
            r.standard_normal((2, 3)),
            r.standard_normal((6, 2)),
        ),
        True,
        10,
    ),
    Case("mlp.py", "loss", "params", BOTH, lambda r: (mlp_params(r), r.standard_normal((7, 4)), one_hot(r, 7, 3))),
    Case(
        "gp.py",
        "log_marginal_likelihood",
        "log_amplitude,log_length,log_noise",
        BOTH,
        lambda r: (0.2, -0.3, -1.1, r.standard_normal((7, 2)), r.standard_normal(7)),
    ),
    Case("goldens/exits.py", "square_root", "a", GRAD, lambda r: (3.0, 1e-3, 50)),
    Case(
        "goldens/exits.py",
        "first_crossing",
        "x,v",
        GRAD,
        lambda r: (1.1, np.array([1.2, 1.3, 1.5, 1.1]), 2.0),
        False,
        1,
    ),
    Case(
        "goldens/helper_in_loop.py",
        "final_energy",
        "q,p,k",
        GRAD,
        lambda r: (r.standard_normal(3), r.standard_normal(3), 1.3, 0.1, 5),
        True,
    ),
    Case(
        "goldens/leaky_walk.py",
        "leaky_walk",
        "x,drive,decay,gain",
        GRAD,
        lambda r: (0.7, r.standard_normal(8), 0.8, 0.3),
        False,
        1,
    ),
    Case(
        "goldens/logistic.py",
        "logistic_loss",
        "w",
        BOTH,
        lambda r: (r.standard_normal(4), r.standard_normal((9, 4)), np.sign(r.standard_normal(9)), 0.3),
    ),
    Case(
        "goldens/mlp.py",
        "mlp_loss",
        "params",
        GRAD,
        lambda r: (mlp_params(r), r.standard_normal((7, 4)), one_hot(r, 7, 3)),
    ),
    Case("goldens/newton.py", "cube_root", "a", BOTH, lambda r: (1.7,)),
    Case("goldens/overwritten.py", "squash", "x,w", GRAD, lambda r: (r.standard_normal(5), r.standard_normal(5)), True),
    Case(
        "goldens/rnn.py",
        "rnn_loss",
        "Wh,Wx,b,h",
        GRAD,
        lambda r: (
            r.standard_normal((3, 3)),
            r.standard_normal((3, 2)),
            r.standard_normal(3),
            r.standard_normal(3),
            r.standard_normal((6, 2)),
            r.standard_normal((6, 3)),
        ),
        True,
        4,
    ),
    Case("goldens/rosenbrock.py", "rosenbrock", "x", GRAD, lambda r: (r.standard_normal(7),), True, 1),
    Case(
        "goldens/thomas.py",
        "thomas",
        "lower,diagonal,upper,b",
        GRAD,
        lambda r: (r.standard_normal(6), 5.0 + r.random(6), r.standard_normal(6), r.standard_normal(6)),
        False,
        5,
    ),
    Case(
        "goldens/leapfrog.py",
        "leapfrog",
        "u,speed,dt",
        GRAD,
        lambda r: (r.standard_normal(7), 1.0 + r.random(7), 0.4, 5),
        False,
        2,
    ),
    Case(
        "goldens/saturate.py",
        "saturate",
        "x,limit,softness",
        GRAD,
        lambda r: (r.standard_normal(9), 0.3, 0.7),
    ),
    Case(
        "goldens/relaxation.py",
        "relaxation",
        "y,rate,drive,h",
        GRAD,
        lambda r: (0.4, 0.9, 1.3, 0.2, 6),
    ),
    Case(
        "goldens/springs.py",
        "springs",
        "x,stiffness",
        GRAD,
        lambda r: (
            r.standard_normal(5),
            r.standard_normal(6),
            np.array([0, 1, 2, 3, 0, 2]),
            np.array([1, 2, 3, 4, 2, 2]),
        ),
        False,
        1,
    ),
    Case(
        "goldens/gray_scott.py",
        "gray_scott",
        "u,v,feed,kill",
        GRAD,
        lambda r: (r.random((5, 6)), r.random((5, 6)), 0.04, 0.06, r.random((5, 6)), 4),
        True,
        4,
    ),
    Case(
        "goldens/diffusion.py",
        "diffusion",
        "u0,rate",
        GRAD,
        lambda r: (0.5 + r.random(7), 0.1, r.random(7), 5),
        False,
        4,
    ),
    Case(
        "goldens/unknown_ranks.py",
        "sq_affine",
        "x,scale,shift",
        GRAD,
        lambda r: (r.standard_normal((3, 4)), r.standard_normal(4), 0.7),
        True,
    ),
]


def load(path: Path) -> ModuleType:
    """A file as a module under a name of its own; its folder is importable meanwhile, as for a user beside it."""
    name = "example_" + "_".join(path.relative_to(ROOT).with_suffix("").parts)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module
