"""Random programs: each derivative is right, or refused with a code; a wrong one fails with its source.

Fixed seeds, and as many fresh ones; the failure message names the seed, and `tests/soak.py --seed N` shows and reduces
it. What has once been wrong stays in tests/regressions/.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import black
import pytest

import checking
import programs
import shapeless
from s2s.pipeline import Request, differentiate

FIXED = range(320)
CHUNK = 20
# Of the programs that reach s2s; each kind of refusal is a documented code.
MOST_REFUSED = 0.02


def run(seeds: list[int], stores: bool = False) -> Counter[str]:
    kinds: Counter[str] = Counter()
    refused: list[str] = []
    for seed in seeds:
        try:
            verdict = checking.check(programs.program(random.Random(seed), stores=stores), seed=seed)
        except checking.Wrong as wrong:
            pytest.fail(f"seed {seed}: {wrong}", pytrace=False)
        kinds[verdict.kind] += 1
        if verdict.kind == "refused":
            refused.append(f"seed {seed}: {verdict.detail}")
    print(dict(kinds), *refused)
    return kinds


@pytest.mark.parametrize("start", FIXED[::CHUNK])
def test_fixed_seeds(start: int) -> None:
    kinds = run(list(range(start, start + CHUNK)))
    assert kinds["right"] > CHUNK // 3


@pytest.mark.parametrize("part", range(4))
def test_fresh_seeds(part: int) -> None:
    fresh = random.SystemRandom()
    kinds = run([fresh.getrandbits(48) for _ in range(40)])
    assert kinds["right"] > 10


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_programs_that_write_into_arrays(start: int) -> None:
    kinds = run(list(range(start, start + 20)), stores=True)
    assert kinds["right"] > 7


def test_few_programs_are_refused() -> None:
    kinds = run(list(range(10_000, 10_080)))
    assert kinds["refused"] <= MOST_REFUSED * (kinds["right"] + kinds["refused"]) + 1


@pytest.mark.parametrize("seed", range(20_000, 20_015))
def test_text_is_the_same_twice_and_stable_under_black(seed: int) -> None:
    program = programs.program(random.Random(seed))
    request = Request(functions=("f",), wrt=program.wrt, emit=("vjp", "jvp"))
    try:
        text = differentiate(program.source, request)
    except checking.S2SError:
        pytest.skip("refused")
    assert differentiate(program.source, request) == text
    assert black.format_str(text, mode=black.Mode()) == text


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_one_text_is_right_for_all_shapes(start: int) -> None:
    """Nothing is stated of the ranks: the derivative is called with scalars, vectors and matrices that broadcast."""
    kinds: Counter[str] = Counter()
    for seed in range(start, start + 20):
        for program in shapeless.calls(random.Random(seed)):
            kinds[checking.check(program, ("vjp", "jvp"), seed).kind] += 1
    assert kinds["right"] > 15, kinds


def test_integer_arrays_are_never_truncated() -> None:
    kinds = Counter(checking.check_integers(programs.program(random.Random(seed))) for seed in range(150))
    assert kinds["equal"] > 50, kinds


REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.py"))


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda p: p.stem)
def test_regression(path: Path) -> None:
    """A program that was once wrong: a module with `f`, ARGS and, where not every parameter is meant, WRT."""
    source = path.read_text()
    module = checking.evaluate(source, str(path))
    code = module["f"].__code__
    params = code.co_varnames[: code.co_argcount]
    wrt = tuple(module.get("WRT", params))
    program = programs.Program(source, tuple(module["ARGS"]), wrt, params, module.get("SCALAR", True))
    verdict = checking.check(program, emit=("grad", "vjp", "jvp") if program.scalar else ("vjp", "jvp"))
    assert verdict.kind == "right", verdict
