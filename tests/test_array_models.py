"""Numeric code with arrays in place (tests/array_models.py): right, or refused with a code."""

from __future__ import annotations

import pytest

import thorough
from array_models import CASES

# What is refused today; an entry goes when it is accepted.
REFUSED: dict[str, str] = {
    "tridiagonal solver": "S201",
    "elimination with pivoting": "S201",
    "determinant by elimination, in the argument": "S201",
    "QR by Householder": "S201",
    "power iteration": "S201",
    "leapfrog of bodies": "S201",
    "shallow water, staggered": "S2-of",
    "two buffers that swap": "S201",
    "red and black Gauss-Seidel": "S201",
    "advection with a limiter": "S201",
    "boundary values by a helper": "S201",
    "Runge-Kutta into a table": "S201",
    "Kalman filter into tables": "S201",
    "forward algorithm": "S201",
    "soft dynamic time warping": "S201",
    "convolution with padding": "S201",
    "max pooling": "S201",
    "recurrent net, states in a table": "S202",
    "standardised columns": "S201",
    "sums by group": "S202",
    "sums by group in a loop": "S201",
    "finite elements, assembled": "S201",
    "geometry: rotation filled in": "S201",
    "ray through layers": "S201",
    "Monte Carlo with numbers drawn once": "S201",
    "binomial tree, in place": "S201",
    "cubic spline": "S201",
}
# What is wrong today: strict, so that an entry goes when it is mended. To be empty.
WRONG: dict[str, str] = {}


def case(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=WRONG[name])] if name in WRONG else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [case(n) for n in CASES])
def test_model(name: str) -> None:
    found = thorough.judge(CASES[name])
    if name in REFUSED:
        assert found.startswith(f"refused {REFUSED[name]}"), found
    else:
        assert found == "right"


def main() -> None:
    for name, program in CASES.items():
        try:
            found = thorough.judge(program)
        except Exception as error:
            found = f"WRONG {type(error).__name__}: {error}"
        if found != "right":
            print(f"{name}: {found}\n")


if __name__ == "__main__":
    main()
