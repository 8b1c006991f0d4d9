"""The generators of random programs, themselves: their programs are defined, varied, and can be made smaller."""

from __future__ import annotations

import copy
import random
from collections import Counter

import numpy as np
import pytest

import checking
import numeric
import programs
from parts import PARTS
from programs import Program
from stores import CONSTRUCTS

COUNT = 300


@pytest.fixture(scope="module")
def storing() -> list[Program]:
    return [programs.program(random.Random(seed), stores=True) for seed in range(COUNT)]


def test_programs_that_store_run(storing: list[Program]) -> None:
    """None raises, none overflows, and what each returns or leaves is finite."""
    for seed, program in enumerate(storing):
        args = copy.deepcopy(program.args)
        with np.errstate(all="raise", under="ignore"):
            try:
                result = checking.evaluate(program.source, "<primal>")["f"](*args)
            except Exception as error:
                pytest.fail(f"seed {seed}: {type(error).__name__}: {error}\n\n{program.source}")
        final = [args[program.params.index(name)] for name in program.of]
        assert all(np.all(np.isfinite(leaf)) for leaf in numeric.leaves([result, final])), f"seed {seed}"


def test_programs_about_parts_run_and_each_construct_occurs() -> None:
    counts: Counter[str] = Counter()
    for seed in range(COUNT):
        program = programs.program(random.Random(seed), 7, parts=True)
        counts.update(program.constructs)
        checking.evaluate(program.source, "<primal>")["f"](*copy.deepcopy(program.args))
    assert set(PARTS) <= set(counts)
    assert min(counts[p] for p in PARTS) >= 3, counts


def test_nothing_unset_is_read(storing: list[Program]) -> None:
    """With nan in the arrays of np.empty the outputs are as finite as without. A tie is no fault."""
    unset = "import numpy as np\n\ndef f(x):\n    y = np.empty(3)\n    y[1:] = x\n    return np.sum(y)\n"
    assert programs.margin(unset, (np.ones(2),)) == 0.0
    assert programs.margin(unset.replace("[1:]", "[:]"), (np.ones(3),)) == 1.0
    with_buffers = [p for p in storing if "np.empty" in p.source]
    assert len(with_buffers) > COUNT // 10
    of = [tuple(p.params.index(name) for name in p.of) for p in with_buffers]
    usable = [programs.margin(p.source, p.args, o) > 1e-3 for p, o in zip(with_buffers, of, strict=True)]
    assert sum(usable) > 0.7 * len(with_buffers)


def test_each_construct_occurs(storing: list[Program]) -> None:
    counts = Counter(c for program in storing for c in program.constructs)
    assert set(counts) == set(CONSTRUCTS)
    assert min(counts.values()) >= 3, counts.most_common()[-5:]


def test_most_programs_are_smooth_where_they_run_and_depend_on_what_they_are_given(storing: list[Program]) -> None:
    good = 0
    for program in storing[::5]:
        f = checking.outcome(program, checking.evaluate(program.source, "<primal>")["f"])
        of = tuple(program.params.index(name) for name in program.of)
        if programs.margin(program.source, program.args, of) < 1e-3:
            continue
        wrt = [program.params.index(name) for name in program.wrt]
        direction = np.ones(sum(len(numeric.flat(program.args[i])) for i in wrt))
        with np.errstate(all="ignore"):
            want, error = numeric.along(f, program.args, wrt, direction)
        steep = float(np.max(np.abs(want), initial=0.0))
        good += 0.0 < steep < 1e6 and error < 1e-6 * max(1.0, steep)
    assert good > 0.65 * len(storing[::5])


def test_the_same_seed_is_the_same_program() -> None:
    for stores in (False, True):
        a, b = (programs.program(random.Random(7), stores=stores) for _ in range(2))
        assert a.source == b.source and numeric.same_bits(a.args, b.args)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("what", [".sort()", "np.add.at", "] *= ", ".T"])
def test_a_program_is_made_smaller(storing: list[Program], what: str) -> None:
    """What is looked for stays, and the program still runs; little else is left."""
    program = next(p for p in storing if what in p.source and len(p.source.splitlines()) > 20)

    def failing(p: Program) -> bool:
        return what in p.source and np.isfinite(programs.margin(p.source, p.args)) and runs(p)

    def runs(p: Program) -> bool:
        checking.evaluate(p.source, "<smaller>")["f"](*copy.deepcopy(p.args))
        return True

    smaller = checking.reduce(program, failing, rounds=3000)
    assert what in smaller.source
    assert len([line for line in smaller.source.splitlines() if line and "import" not in line]) <= 6, smaller.source
