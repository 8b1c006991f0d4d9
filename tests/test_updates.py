"""Programs of three small grammars: arrays that products of each other update, states that are marched, and vectors
that are gathered and scattered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

import checking
import gathers
import steppers
import updates
from programs import Program

EACH = 25
DRAWN: dict[str, tuple[Callable[[int], Program | None], int, float]] = {  # how many, and how many are right at least
    "updates": (updates.drawn, 4, 0.7),
    "steppers": (steppers.drawn, 8, 0.4),
    "gathers": (gathers.drawn, 4, 0.2),
}


@pytest.mark.parametrize(
    ("grammar", "part"), [(g, part) for g, (_, parts, _) in DRAWN.items() for part in range(parts)]
)
def test_updates(grammar: str, part: int) -> None:
    drawn, _, right = DRAWN[grammar]
    kinds: Counter[str] = Counter()
    for seed in range(part * EACH, (part + 1) * EACH):
        if (made := drawn(seed)) is not None:
            kinds[checking.check(made, ("vjp", "jvp"), seed=seed).kind] += 1
    assert kinds["right"] > right * EACH, kinds
