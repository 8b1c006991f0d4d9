"""Numeric code with arrays in place (tests/array_models.py): right, or refused with a code."""

from __future__ import annotations

import pytest

import thorough
from array_models import CASES

# What is refused today; an entry goes when it is accepted.
REFUSED: dict[str, str] = {}
# What is wrong today: strict, so that an entry goes when it is mended. To be empty.
WRONG: dict[str, str] = {
    "elimination with pivoting": "the generation does not end: x[k], x[p] = x[p], x[k]",
}


def case(name: str) -> object:
    marks = (
        [pytest.mark.xfail(strict=True, run="not end" not in WRONG[name], reason=WRONG[name])] if name in WRONG else []
    )
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
