"""The goldens: small functions whose derivatives were first written by hand (tests/by_hand/).

What s2s writes for each is held in generated_examples/goldens/: writing it again gives the same bytes, the numbers are
those of the derivative by hand, and the text is as short: statements, saved values, arrays of zeros, helpers.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import numeric
from example_cases import CASES, EXAMPLES, ROOT, Case, load, rng
from s2s.emit import header
from s2s.freshness import request_of
from s2s.pipeline import differentiate

BY_HAND = ROOT / "tests" / "by_hand"
GOLDENS = EXAMPLES / "goldens"
NAMES = sorted(path.stem for path in GOLDENS.glob("*.py") if not path.stem.endswith("_grad"))
EMITTED = ("grad", "value_and_grad", "vjp", "jvp")


def by_hand(name: str) -> Path:
    return BY_HAND / f"{name}_grad.py"


def written(name: str) -> Path:
    return GOLDENS / f"{name}_grad.py"


def test_each_golden_has_its_derivative_by_hand() -> None:
    by_hand_names = {path.stem.removesuffix("_grad") for path in BY_HAND.glob("*_grad.py")}
    assert by_hand_names == set(NAMES)
    assert {case.file for case in CASES if case.file.startswith("goldens/")} == {f"goldens/{name}.py" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_writing_it_again_gives_the_same_bytes(name: str) -> None:
    text = written(name).read_text()
    found = header.read(text)
    assert found is not None and not found.edited
    request = request_of(found.options, found.filename)
    assert differentiate((GOLDENS / f"{name}.py").read_text(), request) == text


@pytest.mark.parametrize("case", [c for c in CASES if c.file.startswith("goldens/")], ids=lambda c: c.name)
def test_numbers_are_those_of_the_derivative_by_hand(case: Case) -> None:
    kind = f"{case.function}_{case.emit[0]}"
    ours, theirs = getattr(load(case.written), kind), getattr(load(by_hand(case.source.stem)), kind)
    for seed in range(3):
        args = case.arguments(np.random.default_rng(seed) if seed else rng())
        ours_now, theirs_now = ours(*args), theirs(*args)
        if isinstance(theirs_now, dict):  # the order of the keys is free
            assert ours_now.keys() == theirs_now.keys()
            ours_now = {key: ours_now[key] for key in theirs_now}
        got, want = numeric.flat(ours_now), numeric.flat(theirs_now)
        assert got.shape == want.shape
        assert np.allclose(got, want, rtol=1e-11, atol=1e-13)


def sizes(path: Path, primal: Path) -> dict[str, int]:
    """Statements, saves, arrays of zeros and helper functions of the derivatives in a file."""
    text, source = path.read_text(), primal.read_text()
    own = [f.name for f in ast.parse(source).body if isinstance(f, ast.FunctionDef)]
    derived = [f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef) and f.name not in own]
    statements = [
        node
        for f in derived
        for node in ast.walk(f)
        if isinstance(node, ast.stmt)
        and node is not f
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    forward = "\n".join(re.findall(r"# forward sweep(.*?)# reverse sweep", text, re.S))
    appended = re.findall(r"^\s*(\w+)\.append\(", forward, re.M)
    public = {f"{name}_{kind}" for name in own for kind in EMITTED}
    return {
        "statements": len(statements),
        "saves": sum(not re.search(rf"\b{name}\b", source) for name in appended),
        "zeros": len(re.findall(r"\bzeros(_like)?\(", text)),
        "helpers": sum(f.name not in public for f in derived),
    }


@pytest.mark.parametrize("name", NAMES)
def test_text_is_as_short_as_by_hand(name: str) -> None:
    primal = GOLDENS / f"{name}.py"
    got, want = sizes(written(name), primal), sizes(by_hand(name), primal)
    assert got["statements"] <= 1.15 * want["statements"], (got, want)
    for what in ("saves", "zeros", "helpers"):
        assert got[what] <= want[what], (what, got, want)


def marks(path: Path) -> list[str]:
    return re.findall(r"# adjoint of: (.*)", path.read_text())


@pytest.mark.parametrize("name", NAMES)
def test_marks_are_those_of_the_derivative_by_hand(name: str) -> None:
    """Each statement that a person thought worth a mark has one."""
    missing: list[Any] = [mark for mark in marks(by_hand(name)) if mark not in marks(written(name))]
    assert missing == []
