"""Programs of two small grammars: arrays that products of each other update, and states that are marched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

import checking
import steppers
import updates
from programs import Program

PARTS = 8
EACH = 25


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(("drawn", "right"), [(updates.drawn, 0.7), (steppers.drawn, 0.4)], ids=["updates", "steppers"])
def test_updates(drawn: Callable[[int], Program], right: float, part: int) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(part * EACH, (part + 1) * EACH):
        kinds[checking.check(drawn(seed), ("vjp", "jvp"), seed=seed).kind] += 1
    assert kinds["right"] > right * EACH, kinds
