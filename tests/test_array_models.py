"""Numeric code with arrays in place (tests/array_models.py): right, or refused with a code."""

from __future__ import annotations

import pytest

import thorough
from array_models import CASES

pytestmark = pytest.mark.table

# What is refused today; an entry goes when it is accepted.
REFUSED: dict[str, str] = {}


@pytest.mark.parametrize("name", CASES)
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
