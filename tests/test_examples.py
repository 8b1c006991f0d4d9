"""The derivatives in generated_examples/: right by the numbers, and of the quality that was promised.

The numbers come from the complex step where the primal is analytic, from extrapolated differences elsewhere.
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import black
import numpy as np
import pytest

import numeric
from example_cases import CASES, EXAMPLES, Case, load, rng
from s2s import helpers

WRITTEN = sorted({case.written for case in CASES})


def name_of(value: object) -> str:
    return value.name if isinstance(value, Case) else str(value)


def primal(case: Case) -> Any:
    return getattr(load(case.source), case.function)


def derivative(case: Case, kind: str) -> Any:
    return getattr(load(case.written), f"{case.function}_{kind}")


def positions(case: Case) -> list[int]:
    names = list(inspect.signature(primal(case)).parameters)
    return [names.index(name) for name in case.wrt.split(",")]


def reverse(case: Case, args: tuple[Any, ...]) -> tuple[Any, Any]:
    """(value or None, gradient) from the function that was asked for."""
    if "value_and_grad" in case.emit:
        return derivative(case, "value_and_grad")(*args)
    return None, derivative(case, "grad")(*args)


def reference(case: Case, args: tuple[Any, ...]) -> tuple[np.ndarray, float, float]:
    """(gradient, relative tolerance, slack)."""
    f, wrt = primal(case), positions(case)
    if case.analytic:
        return numeric.complex_gradient(f, args, wrt), 1e-12, 0.0
    gradient, error = numeric.gradient(f, args, wrt)
    return gradient, 1e-9, 10.0 * error


def functions(path: Path) -> list[ast.FunctionDef]:
    return [n for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef)]


def methods(path: Path) -> list[ast.FunctionDef]:
    classes = [n for n in ast.parse(path.read_text()).body if isinstance(n, ast.ClassDef)]
    return [m for c in classes for m in c.body if isinstance(m, ast.FunctionDef)]


def one_line(text: str) -> str:
    return "".join(text.split()).replace(",)", ")").replace(",]", "]").replace("(", "").replace(")", "")


# ---------------------------------------------------------------- the numbers


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_gradient_is_right(case: Case) -> None:
    args = case.arguments(rng())
    want, rtol, slack = reference(case, args)
    _, gradient = reverse(case, args)
    assert numeric.close(numeric.flat(gradient), want, rtol, slack), np.max(np.abs(numeric.flat(gradient) - want))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_shapes_and_dtypes_are_those_of_the_arguments(case: Case) -> None:
    args = case.arguments(rng())
    _, gradient = reverse(case, args)
    wrt = positions(case)
    parts = [gradient] if len(wrt) == 1 else list(gradient)
    assert len(parts) == len(wrt)
    for part, i in zip(parts, wrt, strict=True):
        if isinstance(args[i], dict):
            assert list(part) == list(args[i])
        for got, have in zip(numeric.leaves(part), numeric.leaves(args[i]), strict=True):
            assert np.shape(got) == np.shape(have)
            assert np.asarray(got).dtype == np.float64


@pytest.mark.parametrize("case", [c for c in CASES if "value_and_grad" in c.emit], ids=name_of)
def test_value_has_the_bits_of_the_primal(case: Case) -> None:
    args = case.arguments(rng())
    value, _ = reverse(case, args)
    assert float(value).hex() == float(primal(case)(*args)).hex()


@pytest.mark.parametrize("case", [c for c in CASES if "jvp" in c.emit], ids=name_of)
def test_jvp_is_right(case: Case) -> None:
    args, r = case.arguments(rng()), rng()
    wrt = positions(case)
    direction = r.standard_normal(sum(len(numeric.flat(args[i])) for i in wrt))
    dots = {
        f"{name}_dot": dot
        for name, dot in zip(case.wrt.split(","), numeric.unflat([args[i] for i in wrt], direction), strict=True)
    }
    value, tangent = derivative(case, "jvp")(*args, **dots)
    assert float(value).hex() == float(primal(case)(*args)).hex()
    want, error = numeric.along(primal(case), args, wrt, direction)
    assert numeric.close(numeric.flat(tangent), want, 1e-8, 10.0 * error)
    # the same number from the reverse mode
    _, gradient = reverse(case, args)
    assert np.isclose(numeric.flat(gradient) @ direction, float(tangent), rtol=1e-11)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_second_call_gives_the_same_bits_and_arguments_stay_untouched(case: Case) -> None:
    args = case.arguments(rng())
    before = copy.deepcopy(args)
    first = reverse(case, args)
    assert numeric.same_bits(list(args), list(before))
    assert numeric.same_bits(first, reverse(case, args))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_no_memory_is_shared(case: Case) -> None:
    args = case.arguments(rng())
    _, gradient = reverse(case, args)
    assert not numeric.shares_memory(gradient, args)
    assert not numeric.shares_within(gradient)


ZERO_TRIPS = [
    ("goldens/leaky_walk.py", "leaky_walk", (0.7, np.zeros(0), 0.8, 0.3)),
    ("goldens/helper_in_loop.py", "final_energy", (np.ones(3), np.ones(3), 1.3, 0.1, 0)),
    ("goldens/exits.py", "square_root", (3.0, 1e-3, 0)),
    ("goldens/exits.py", "first_crossing", (1.1, np.zeros(0), 2.0)),
    ("goldens/newton.py", "cube_root", (1.0,)),
    ("sir.py", "misfit", (0.6, 0.2, 0.1, np.array([0.3, 0.2]), 0)),
]


@pytest.mark.parametrize(("file", "function", "args"), ZERO_TRIPS[:-1], ids=lambda v: v if isinstance(v, str) else "")
def test_loops_that_make_no_trip(file: str, function: str, args: tuple[Any, ...]) -> None:
    case = next(c for c in CASES if c.file == file and c.function == function)
    f = primal(case)
    if (
        function == "cube_root"
    ):  # at 1 the loop makes no trip, nearby it would: the derivative is that of x = (a + 1) / 2
        want, error = np.array([0.5]), 0.0
    else:
        want, error = numeric.gradient(f, args, positions(case))
    _, gradient = reverse(case, args)
    assert numeric.close(numeric.flat(gradient), want, 1e-9, 10.0 * error)


def test_other_exits_are_right_too() -> None:
    """Each return of the functions with several."""
    for file, function, points in [
        ("goldens/exits.py", "square_root", [(-2.0, 1e-3, 50), (3.0, 1e-9, 2), (2.0, 1e-12, 50)]),
        ("goldens/exits.py", "first_crossing", [(0.1, np.array([1.2, 0.9]), 2.0), (3.0, np.array([1.2, 0.9]), 2.0)]),
        ("black_scholes.py", "call_price", [(102.0, 95.0, 0.0, 0.03, 0.25), (90.0, 95.0, -1.0, 0.03, 0.25)]),
        ("kepler.py", "distance", [(0.3, 1.5, 0.4, 1.8)]),
    ]:
        case = next(c for c in CASES if c.file == file and c.function == function)
        for args in points:
            wrt = positions(case)
            if function == "call_price":  # past expiry nothing depends on it any more
                spot = 1.0 if args[0] > args[1] else 0.0
                want, error = np.array([spot, 0.0, 0.0, 0.0]), 0.0
            else:
                want, error = numeric.gradient(primal(case), args, wrt)
            _, gradient = reverse(case, args)
            assert numeric.close(numeric.flat(gradient), want, 1e-9, 10.0 * error), (function, args)


def test_greeks_are_those_of_the_textbook() -> None:
    case = next(c for c in CASES if c.file == "black_scholes.py")
    spot, strike, expiry, rate, vol = args = (102.0, 95.0, 0.7, 0.03, 0.25)
    _, (delta, theta, rho, vega) = reverse(case, args)
    from math import erf, exp, log, pi, sqrt

    d1 = (log(spot / strike) + (rate + 0.5 * vol**2) * expiry) / (vol * sqrt(expiry))
    d2 = d1 - vol * sqrt(expiry)
    density, n1, n2 = exp(-0.5 * d1**2) / sqrt(2.0 * pi), 0.5 * (1 + erf(d1 / sqrt(2))), 0.5 * (1 + erf(d2 / sqrt(2)))
    assert np.isclose(delta, n1, rtol=1e-13)
    assert np.isclose(vega, spot * density * sqrt(expiry), rtol=1e-12)
    assert np.isclose(rho, strike * expiry * exp(-rate * expiry) * n2, rtol=1e-12)
    assert np.isclose(
        theta, spot * density * vol / (2.0 * sqrt(expiry)) + rate * strike * exp(-rate * expiry) * n2, rtol=1e-12
    )


def test_tie_at_zero_takes_half() -> None:
    """All margins are 0 at w = 0, where a logistic regression starts: the slope there is not a one-sided one."""
    case = next(c for c in CASES if c.file == "goldens/logistic.py")
    r = rng()
    X, y = r.standard_normal((9, 4)), np.sign(r.standard_normal(9))
    _, gradient = reverse(case, (np.zeros(4), X, y, 0.3))
    assert np.allclose(gradient, -0.5 * X.T @ y / 9.0, rtol=1e-13)


def test_integer_array_is_differentiated_as_floats_or_refused() -> None:
    for file, ints in [("rosenbrock.py", np.array([1, 2, 3, 1])), ("goldens/rosenbrock.py", np.array([1, 2, 3, 1]))]:
        case = next(c for c in CASES if c.file == file)
        _, want = reverse(case, (ints.astype(float),))
        try:
            _, got = reverse(case, (ints,))
        except (TypeError, ValueError):
            continue
        assert np.array_equal(got, want)


def test_float32_stays_float32() -> None:
    case = next(c for c in CASES if c.file == "goldens/mlp.py")
    params, x, y = case.arguments(rng())
    _, want = reverse(case, (params, x, y))
    small = {key: value.astype(np.float32) for key, value in params.items()}
    _, got = reverse(case, (small, x.astype(np.float32), y.astype(np.float32)))
    for key in params:
        assert got[key].dtype == np.float32
        assert np.allclose(got[key], want[key], rtol=1e-3, atol=1e-4)


# ---------------------------------------------------------------- the text


def statement_texts(source: str) -> list[str]:
    """Each statement of a source; of one with a block, its head as well."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            text = ast.get_source_segment(source, node) or ""
            found.append(text)
            if hasattr(node, "body"):
                found.append(text[: text.index(":\n") + 1] if ":\n" in text else text)
    return found


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.name)
def test_marks_quote_statements_of_the_source(path: Path) -> None:
    """T2: every `# adjoint of:` is a statement of the primal, joined to one line and cut where it is long."""
    source = path.with_name(path.name.replace("_grad.py", ".py")).read_text()
    statements = {one_line(text) for text in statement_texts(source)}
    marks = re.findall(r"# adjoint of: (.*)", path.read_text())
    assert marks or "jvp" in path.read_text()
    for mark in marks:
        text = re.sub(r"^in \w+: ", "", mark)
        if text.endswith("..."):
            assert any(s.startswith(one_line(text[:-3])) for s in statements), mark
        else:
            assert one_line(text) in statements, mark


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.name)
def test_marks_run_backwards(path: Path) -> None:
    """T3: within a block of a reverse sweep, marks descend in the source; a statement that repeats may stand twice."""
    source = path.with_name(path.name.replace("_grad.py", ".py")).read_text()
    lines: dict[str, list[int]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            lines.setdefault(one_line(ast.get_source_segment(source, node) or ""), []).append(node.lineno)
    previous: tuple[int, int] | None = None
    for line in path.read_text().splitlines():
        found = re.match(r"( *)# adjoint of: (.*)", line)
        if not found:
            code = line.strip()
            # a new block or function starts a new sequence
            if code.startswith(("def ", "for ", "while ", "if ", "elif ", "else", "# reverse sweep")):
                previous = None
            continue
        where = lines.get(one_line(found[2]), [])
        if len(where) == 1:
            if previous is not None and previous[0] == len(found[1]):
                assert where[0] < previous[1], line
            previous = (len(found[1]), where[0])


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.name)
def test_text_is_black_clean_and_within_its_width(path: Path) -> None:
    text = path.read_text()
    assert black.format_str(text, mode=black.Mode()) == text
    # line 2 is the header's, strings and comments of the user are carried over as they are
    long = [line for line in text.splitlines()[2:] if len(line) > 88 and not line.lstrip().startswith(("#", '"""'))]
    source = path.with_name(path.name.replace("_grad.py", ".py")).read_text()
    assert [line for line in long if line.strip() not in source] == []


@pytest.mark.parametrize("folder", [EXAMPLES, EXAMPLES / "goldens"], ids=lambda p: p.name)
def test_text_is_clean_for_pyflakes(folder: Path) -> None:
    """T5: no unused name, no unused import, nothing undefined (ruff's F rules are pyflakes)."""
    files = [str(p) for p in WRITTEN if p.parent == folder]
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F", "--no-cache", *files]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.name)
def test_text_needs_numpy_only(path: Path) -> None:
    own = path.name.removesuffix("_grad.py")
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert {a.name.split(".")[0] for a in node.names} <= {"numpy", "math"}
        if isinstance(node, ast.ImportFrom):
            assert node.module in ("numpy", "numpy.typing", "math", "types", own), node.module


def statements(defs: list[ast.FunctionDef]) -> int:
    """Statements without docstrings."""
    return sum(
        isinstance(node, ast.stmt)
        and node is not f
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for f in defs
        for node in ast.walk(f)
    )


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.name)
def test_text_is_not_long(path: Path) -> None:
    """T12: of the hand-written goldens, a derivative has two to five times the statements of its primal. Helpers for
    unknown ranks are the same in each file, and not counted."""
    source = path.with_name(path.name.replace("_grad.py", ".py"))
    own = {f.name for f in functions(source)} | set(vars(helpers))
    derived = [f for f in functions(path) if f.name not in own]
    modes = len([f for f in derived if not f.name.startswith("_")])
    wanted = len({(c.function, kind) for c in CASES if c.written == path for kind in c.emit})
    assert modes == wanted
    assert statements(derived) <= 5.5 * wanted * statements([*functions(source), *methods(source)])


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_zeros_are_few(case: Case) -> None:
    """T11: an array of zeros only where an adjoint is filled piece by piece or accumulated over a loop."""
    if sum(c.file == case.file for c in CASES) > 1 and case.function == "square_root":
        return
    text = "".join(ast.get_source_segment(case.written.read_text(), f) or "" for f in functions(case.written))
    source = case.source.read_text()
    added = len(re.findall(r"\bzeros(_like)?\(", text)) - len(re.findall(r"\bzeros(_like)?\(", source))
    assert added <= case.zeros * len(case.emit), added


SAVES = {  # T10: what the forward sweep records, by hand
    "goldens/exits.py": 2,
    "goldens/thomas.py": 2,
    "goldens/leapfrog.py": 1,
    "goldens/saturate.py": 0,
    "goldens/relaxation.py": 1,
    "goldens/springs.py": 0,
    "goldens/gray_scott.py": 2,
    "goldens/diffusion.py": 1,
    "goldens/helper_in_loop.py": 1,
    "goldens/leaky_walk.py": 1,
    "goldens/logistic.py": 0,
    "goldens/mlp.py": 0,
    "goldens/newton.py": 1,
    "goldens/overwritten.py": 0,
    "goldens/rnn.py": 1,
    "goldens/rosenbrock.py": 0,
    "goldens/unknown_ranks.py": 0,
    "rosenbrock.py": 0,
    "logistic.py": 0,
    "oring.py": 0,
    "mlp.py": 0,
    "gp.py": 0,
    "black_scholes.py": 0,
    "kepler.py": 2,
    "sir.py": 2,
    "rnn.py": 3,  # h, and p and log_p of the output layer: a person would take the zeros of log_p from bo
}


@pytest.mark.parametrize(("file", "most"), SAVES.items(), ids=lambda v: str(v))
def test_saves_are_no_more_than_by_hand(file: str, most: int) -> None:
    text = (EXAMPLES / file).with_name(Path(file).stem + "_grad.py").read_text()
    source = (EXAMPLES / file).read_text()
    saves = [name for name in re.findall(r"^\s*(\w+)\.append\(", text, re.M) if not re.search(rf"\b{name}\b", source)]
    assert len(saves) <= most, saves
