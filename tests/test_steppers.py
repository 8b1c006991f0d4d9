"""Programs that march a state of two vectors: see `steppers`."""

from __future__ import annotations

from collections import Counter

import pytest

import checking
import steppers

PARTS = 8
EACH = 25


@pytest.mark.parametrize("part", range(PARTS))
def test_steppers(part: int) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(part * EACH, (part + 1) * EACH):
        kinds[checking.check(steppers.drawn(seed), ("vjp", "jvp"), seed=seed).kind] += 1
    assert kinds["right"] > 0.4 * EACH, kinds
