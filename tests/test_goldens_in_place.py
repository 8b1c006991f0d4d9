"""Two procedures that write into their arguments, against the derivatives that were written by hand for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import checking
import numeric
from s2s.pipeline import Request, differentiate
from test_goldens import sizes

FOLDER = Path(__file__).parent / "by_hand" / "in_place"
R = np.random.default_rng(3)
CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[Any, ...], dict[str, Any]]] = {
    "burgers": (
        ("u",),
        ("u", "nu"),
        (R.standard_normal(8), 0.1, 0.05, 0.5, 4),
        {"u_bar": R.standard_normal(8)},
    ),
    "jacobi": (
        ("u", "v"),
        ("u", "v"),
        (3, R.standard_normal((5, 6)), R.standard_normal((5, 6))),
        {"u_bar": R.standard_normal((5, 6)), "v_bar": R.standard_normal((5, 6))},
    ),
}


def written(name: str) -> str:
    of, wrt, _, _ = CASES[name]
    request = Request(filename=f"{name}.py", of=of, wrt=wrt, emit=("vjp",))
    return differentiate((FOLDER / f"{name}.py").read_text(), request)


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_the_derivative_by_hand(name: str) -> None:
    _, _, args, seeds = CASES[name]
    by_hand = (FOLDER / f"{name}_grad.py").read_text()
    ours, theirs = (checking.evaluate(t, name)[f"{name}_vjp"](*args, **seeds) for t in (written(name), by_hand))
    assert np.allclose(numeric.flat(ours), numeric.flat(theirs), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_text_is_as_short_as_by_hand(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}_grad.py"
    path.write_text(written(name))
    got = sizes(path, FOLDER / f"{name}.py")
    want = sizes(FOLDER / f"{name}_grad.py", FOLDER / f"{name}.py")
    assert got["statements"] <= 1.15 * want["statements"]
    for what in ("saves", "zeros", "helpers"):
        assert got[what] <= want[what], (what, got, want)


def test_a_linear_stencil_saves_nothing_and_a_nonlinear_one_only_its_slice() -> None:
    assert "saved" not in written("jacobi")
    assert written("burgers").count("u_saved.append(u[1:-1].copy())") == 1
