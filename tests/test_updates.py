"""Arrays that are updated by products of each other: see `updates`."""

from __future__ import annotations

from collections import Counter

import pytest

import checking
import updates

PARTS = 8
EACH = 25


@pytest.mark.parametrize("part", range(PARTS))
def test_updates(part: int) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(part * EACH, (part + 1) * EACH):
        kinds[checking.check(updates.drawn(seed), ("vjp", "jvp"), seed=seed).kind] += 1
    assert kinds["right"] > 0.7 * EACH, kinds
