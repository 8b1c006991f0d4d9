"""Random programs: each derivative is right, or refused with a code; a wrong one fails with its source.

Fixed seeds, and fresh ones with every change of the source: drawn from its digest, so that a run of one commit can be
repeated, and the next commit meets other programs (`make soak` draws new ones each time). The failure message names the
seed: `tests/soak.py --seed N --grammar NAME` shows and reduces its program. What was wrong is in tests/regressions/.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import black
import hypothesis
import hypothesis.strategies as st
import pytest

import behind
import bodies
import carried
import checking
import control
import evaluation
import everyday
import fresh
import handed
import idioms
import layered
import leaving
import made
import names
import nested
import numerics
import programs
import rebound
import rounds
import shapeless
import stateful
import unstated
from s2s import check
from s2s.pipeline import Request, differentiate, differentiate_unformatted

# 2,000 programs in every run: these, and those of the tests below them and of test_updates.py.
PLAIN, STORING, STRUCTURED = range(200), range(202_500, 202_700), range(400_000, 400_125)
PARTED = range(600_000, 600_100)
FRESH = 25  # in each of six parts
CHUNK = 25
GRAMMARS: dict[str, dict[str, Any]] = {
    "plain": {},
    "stores": {"stores": True},
    "parts": {"parts": True, "size": 7},
    "structures": {"structures": True},
}
SMALL = tuple(GRAMMARS.values())
# Of the programs that reach s2s; each kind of refusal is a documented code.
MOST_REFUSED = 0.02


@pytest.fixture(autouse=True)
def few_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many programs instead of many paths through each: `make soak` checks them all."""
    monkeypatch.setattr(check, "PATHS", 4)


def run(seeds: list[int], grammar: str = "plain") -> Counter[str]:
    """What came of the programs of these seeds; integers for the arrays of a plain one are never truncated, either."""
    kinds: Counter[str] = Counter()
    refused: list[str] = []
    for seed in seeds:
        try:
            made = programs.program(random.Random(seed), **GRAMMARS[grammar])
            verdict = checking.check(made, seed=seed, stable=seed % 10 == 0, useful=seed % 4 > 0)
            if grammar == "plain" and verdict.kind == "right" and "def f_vjp(" in verdict.text:
                kinds[f"integers: {checking.check_integers(replace(made, wrt=verdict.wrt), verdict.text)}"] += 1
        except checking.Wrong as wrong:
            pytest.fail(f"seed {seed} of the grammar {grammar}: {wrong}", pytrace=False)
        kinds[verdict.kind] += 1
        if verdict.kind == "refused":
            refused.append(f"seed {seed}: {verdict.detail}")
    print(dict(kinds), *refused)
    return kinds


@pytest.mark.parametrize("start", PLAIN[::CHUNK])
def test_plain_programs(start: int) -> None:
    kinds = run(list(range(start, start + CHUNK)))
    assert kinds["right"] > CHUNK // 3
    assert kinds["integers: equal"] > CHUNK // 10


@pytest.mark.parametrize("start", STORING[::CHUNK])
def test_programs_that_write_into_arrays(start: int) -> None:
    assert run(list(range(start, start + CHUNK)), "stores")["right"] > CHUNK // 4


@pytest.mark.parametrize("start", PARTED[::CHUNK])
def test_programs_about_parts_of_arrays(start: int) -> None:
    assert run(list(range(start, start + CHUNK)), "parts")["right"] > CHUNK // 6


@pytest.mark.parametrize("start", STRUCTURED[::CHUNK])
def test_programs_with_structures(start: int) -> None:
    assert run(list(range(start, start + CHUNK)), "structures")["right"] > CHUNK // 5


def run_written(
    seeds: list[int], write: Callable[[random.Random, int], programs.Program | None], right: float = 0.2
) -> None:
    """Programs of a grammar of its own, of four statements or so; right: the part of them that is right at least."""
    kinds: Counter[str] = Counter()
    for seed in seeds:
        if (made := write(random.Random(seed), 4)) is not None:
            try:
                kinds[checking.check(made, seed=seed, useful=True).kind] += 1
            except checking.Wrong as wrong:
                pytest.fail(f"seed {seed}: {wrong}", pytrace=False)
    assert kinds["right"] > int(right * len(seeds)), kinds


@pytest.mark.parametrize("start", range(800_000, 800_030, 15))
def test_programs_of_control_flow(start: int) -> None:
    run_written(list(range(start, start + 15)), control.program)


@pytest.mark.parametrize("start", range(1_100_000, 1_100_040, 20))
def test_programs_that_read_behind_loops(start: int) -> None:
    run_written(list(range(start, start + 20)), behind.program)


def test_fresh_programs_that_read_behind_loops() -> None:
    drawn = random.Random(f"{fresh.digest()} behind")
    run_written([drawn.randrange(10**12) for _ in range(20)], behind.program)


@pytest.mark.parametrize("start", range(950_000, 950_030, 15))
def test_programs_of_idioms(start: int) -> None:
    run_written(list(range(start, start + 15)), idioms.program)


@pytest.mark.parametrize("start", range(900_000, 900_030, 15))
def test_programs_of_numerics(start: int) -> None:
    run_written(list(range(start, start + 15)), numerics.program)


@pytest.mark.parametrize("start", range(1_000_000, 1_000_040, 20))
def test_programs_of_everyday_python(start: int) -> None:
    run_written(list(range(start, start + 20)), everyday.program)


@pytest.mark.parametrize("part", range(2))
def test_fresh_programs_of_numerics(part: int) -> None:
    drawn = random.Random(f"{fresh.digest()} numerics {part}")
    run_written([drawn.getrandbits(48) for _ in range(15)], numerics.program)


@pytest.mark.parametrize("start", range(0, 80, 40))
def test_programs_that_hand_on_values(start: int) -> None:
    run_written(list(range(start, start + 40)), handed.program, right=0.5)


@pytest.mark.parametrize("part", range(2))
def test_fresh_programs_that_hand_on_values(part: int) -> None:
    drawn = random.Random(f"{fresh.digest()} handed {part}")
    run_written([drawn.getrandbits(48) for _ in range(40)], handed.program, right=0.5)


@pytest.mark.parametrize("start", range(0, 80, 40))
def test_programs_over_few_names(start: int) -> None:
    run_written(list(range(start, start + 40)), names.program, right=0.5)


@pytest.mark.parametrize("start", range(0, 80, 40))
def test_programs_over_few_objects(start: int) -> None:
    run_written(list(range(start, start + 40)), bodies.program, right=0.4)


# Grammars whose programs are put together of snippets; each with programs of 40 fixed seeds and of 20 fresh ones.
OF_SNIPPETS = [rounds, rebound, carried, evaluation, nested, leaving, layered, stateful, made]


@pytest.mark.parametrize("start", range(2_000_000, 2_000_040, 20))
@pytest.mark.parametrize("grammar", OF_SNIPPETS, ids=lambda grammar: grammar.__name__)
def test_programs_of_snippets(grammar: ModuleType, start: int) -> None:
    run_written(list(range(start, start + 20)), grammar.program, right=0.25)


@pytest.mark.parametrize("grammar", OF_SNIPPETS, ids=lambda grammar: grammar.__name__)
def test_fresh_programs_of_snippets(grammar: ModuleType) -> None:
    drawn = random.Random(f"{fresh.digest()} {grammar.__name__}")
    run_written([drawn.getrandbits(48) for _ in range(20)], grammar.program, right=0.25)


@pytest.mark.parametrize("grammar", ["plain", "stores", "parts"])
@pytest.mark.parametrize("part", range(2))
def test_fresh_seeds(part: int, grammar: str) -> None:
    drawn = random.Random(f"{fresh.digest()} {grammar} {part}")
    assert run([drawn.getrandbits(48) for _ in range(FRESH)], grammar)["right"] > FRESH // 5


@st.composite
def small_programs(draw: st.DrawFn) -> programs.Program:
    """A program of one of the grammars; each choice in it is one of hypothesis's, which reduces what fails."""
    return programs.program(draw(st.randoms(use_true_random=False)), **{**draw(st.sampled_from(SMALL)), "size": 5})


@hypothesis.seed(int(fresh.digest(), 16))
@hypothesis.settings(max_examples=80, deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(small_programs())
def test_small_programs(program: programs.Program) -> None:
    try:
        checking.check(program)
    except checking.Wrong as wrong:
        pytest.fail(str(wrong), pytrace=False)


def test_few_programs_are_refused() -> None:
    kinds = run(list(range(10_000, 10_040)))
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
        once = lru_cache(maxsize=1)(differentiate_unformatted)
        for program in shapeless.calls(random.Random(seed)):
            kinds[checking.check(program, ("vjp", "jvp"), seed, differentiate=once, useful=True).kind] += 1
    assert kinds["right"] > 15, kinds


def run_unstated(seeds: list[int]) -> None:
    """Programs that state nothing of their parameters, each with several kinds of arguments."""
    kinds: Counter[str] = Counter()
    for seed in seeds:
        once = lru_cache(maxsize=1)(differentiate_unformatted)
        for program in unstated.calls(random.Random(seed), 3):
            try:
                kinds[checking.check(program, seed=seed, differentiate=once).kind] += 1
            except checking.Wrong as wrong:
                pytest.fail(f"seed {seed}: {wrong}", pytrace=False)
    assert kinds["right"] > 0.25 * kinds.total() and kinds["raises"] < 0.25 * kinds.total(), kinds


@pytest.mark.parametrize("start", range(2_100_000, 2_100_040, 20))
def test_programs_that_state_nothing(start: int) -> None:
    run_unstated(list(range(start, start + 20)))


def test_fresh_programs_that_state_nothing() -> None:
    drawn = random.Random(f"{fresh.digest()} unstated")
    run_unstated([drawn.getrandbits(48) for _ in range(20)])


def test_refusal_comes_to_an_end_where_what_it_states_is_not_enough() -> None:
    """That a parameter is a number was stated again and again, where what it is bound to later is not known, either."""
    made = programs.program(random.Random(2026120101281), 14, structures=True)
    assert checking.check(made, seed=2026120101281).kind == "refused"


REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.py"))


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda p: p.stem)
def test_regression(path: Path) -> None:
    """A program that was once wrong: a module with `f`, ARGS and, where not every parameter is meant, WRT.

    OF: parameters whose final contents are results, too.
    """
    source = path.read_text()
    module = checking.evaluate(source, str(path))
    code = module["f"].__code__
    params = code.co_varnames[: code.co_argcount]
    wrt = tuple(module.get("WRT", params))
    scalar = module.get("SCALAR", "OF" not in module)
    program = programs.Program(source, tuple(module["ARGS"]), wrt, params, scalar, module.get("OF", ()))
    verdict = checking.check(program, emit=("grad", "vjp", "jvp") if program.scalar else ("vjp", "jvp"))
    assert verdict.kind == "right", verdict
    if "OF" not in module:
        assert checking.check_integers(replace(program, wrt=verdict.wrt), verdict.text) in (
            "equal",
            "raises",
            "dropped",
        )
