"""Programs of three small grammars: arrays that products of each other update, states that are marched, and vectors
that are gathered and scattered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

import checking
import gathers
import steppers
import traps
import updates
from programs import Program

EACH = 25
DRAWN: dict[str, tuple[Callable[[int], Program | None], int, float]] = {  # how many, and how many are right at least
    "updates": (updates.drawn, 2, 0.7),
    "steppers": (steppers.drawn, 4, 0.4),
    "gathers": (gathers.drawn, 2, 0.2),
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


@pytest.mark.parametrize("made", ["np.array(2.0)", "np.full((), 1.0)", "np.zeros(())", "np.asarray(x[1] * x[0])"])
@pytest.mark.parametrize("taken", ["b = L[1]", "a, b = L"])
def test_the_tangent_of_an_array_of_rank_zero_is_one_where_it_is_updated_in_a_list(made: str, taken: str) -> None:
    source = f"""
import numpy as np


def f(x):
    L = [np.zeros_like(x), {made}]
    {taken}
    assert not np.isscalar(b)
    b += x[0] * x[1]
    return np.sum(L[0]) + L[1] * x[1]
"""
    assert checking.check(traps.program("", source, (np.array([0.3, -0.7, 0.4]),), ()), ("jvp",)).kind == "right"
