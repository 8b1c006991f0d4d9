"""Functions that callers hand over: the comment or the command says which they may be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import s2s
from s2s import cli, verify
from s2s.emit.header import Options
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

MODEL = """
import numpy as np

K = 0.5


def pendulum(t, y, p):
    return -K * np.sin(y) + p * t


def spring(t, y, p):
    return -p * y


def apply(f, g, x):
    return f(g(x)) + f(x)


def step(law, t, y, p, dt):
    k1 = law(t, y, p)
    return y + 0.5 * dt * (k1 + law(t + dt, y + dt * k1, p))


# s2s: act=np.tanh x ()
def one(act, x):
    return act(x) * x


# s2s: act=np.tanh|np.sin|relu x (n,)
def several(act, x):
    inner = lambda t: 2.0 * act(t)
    return np.sum(apply(act, inner, x)) + np.sum(apply(np.exp, act, x))


def relu(x):
    return np.maximum(x, 0.0)


# s2s: rhs=pendulum|spring y0 (n,), p ()
def integrate(rhs, y0, p, n=3):
    y = y0
    for i in range(n):
        y = step(rhs, 0.1 * i, y, p, 0.1)
    return np.sum(y**2)


# s2s: act=np.sin x (n,)
def optional(x, act=None):
    if act is None:
        act = np.tanh
    return np.sum(act(x))


def calls(x):
    return optional(x) + optional(x, np.exp) + integrate(spring, x, 0.3)


class Layer:
    def __init__(self, w):
        self.w = w

    # s2s: act=np.tanh
    def run(self, x, act):
        return np.sum(act(self.w * x))


def plain(act, x):
    return np.sum(act(x))
"""


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("one", ""),
        ("several", ""),
        ("several", "act=np.sin"),
        ("several", "act=relu"),
        ("integrate", ""),
        ("integrate", "rhs=spring"),
        ("integrate", "rhs=spring, n=0"),
        ("optional", ""),
        ("calls", "x=np.array([0.3, -0.7])"),
    ],
)
def test_the_numbers_are_those_of_the_function_that_is_handed_over(name: str, at: str, tmp_path: Path) -> None:
    """Finite differences, and the dot product of both modes, at a point for each of the functions."""
    outcome = verify.verify(tmp_path / "model.py", MODEL, name, (at,) if at else ())
    assert not outcome.diagnostics, outcome.report


def test_the_option_says_the_same_as_the_comment(tmp_path: Path) -> None:
    at = ("x=np.array([0.3, -0.7])",)
    outcome = verify.verify(tmp_path / "model.py", MODEL, "plain", at, callees="act=np.tanh|relu")
    assert not outcome.diagnostics
    with pytest.raises(S2SError, match="S217"):
        verify.verify(tmp_path / "model.py", MODEL, "plain", at)


def test_the_option_goes_before_the_comment() -> None:
    text = differentiate(MODEL, Request(functions=("one",), callees="act=np.sin"))
    assert "assert act is np.sin" in text and "np.cos(x) * x" in text


def test_any_other_function_is_refused_when_it_runs() -> None:
    scope: dict[str, object] = {}
    exec(MODEL, scope)
    f = scope["one"]
    text = differentiate(MODEL, Request(functions=("one", "several"), emit=("grad", "jvp")))
    text = text.replace("from model import relu", "relu = None")
    exec(text, scope)
    assert np.isclose(scope["one_grad"](np.tanh, 0.5), np.tanh(0.5) + 0.5 * (1.0 - np.tanh(0.5) ** 2))  # type: ignore[operator]
    assert f is scope["one"]
    for name in ("one", "several"):
        with pytest.raises(AssertionError):
            scope[f"{name}_grad"](np.cosh, 0.5)  # type: ignore[operator]
        with pytest.raises(AssertionError):
            scope[f"{name}_jvp"](np.cosh, 0.5, x_dot=1.0)  # type: ignore[operator]


def test_functions_of_the_module_are_the_very_ones() -> None:
    """A copy would be another function than the one that the caller has."""
    text = differentiate(MODEL, Request(functions=("integrate",), wrt=("y0",)))
    assert "from model import pendulum, spring\n" in text and "def pendulum(" not in text
    assert "    assert rhs is pendulum or rhs is spring\n" in text
    assert "law_rhs" not in text and "_step_chosen(rhs, 0.1 * i, y, p, 0.1)" in text
    with pytest.raises(S2SError, match="S406"):
        differentiate(MODEL, Request(functions=("integrate",), wrt=("y0",), standalone=True))


def test_the_comment_above_a_method_is_read() -> None:
    text = differentiate(MODEL, Request(functions=("Layer.run",)))
    assert "    assert act is np.tanh\n" in text and "np.tanh(self.w" in text


def handed(x, act):  # s2s: act=square
    return np.sum(act(x))


def square(x):
    return x * x


def test_from_python() -> None:
    gradient = s2s.grad(handed, wrt="x")
    x = np.array([0.5, -2.0])
    assert np.array_equal(gradient(x, square), 2.0 * x)
    hessian = s2s.hessian(handed, wrt="x")
    assert np.array_equal(hessian(x, square), 2.0 * np.eye(2))
    with pytest.raises(AssertionError):
        gradient(x, np.sin)


def test_a_written_file_knows_its_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL)

    def run(*args: str) -> str:
        result = CliRunner().invoke(cli.main, list(args), prog_name="s2s")
        return f"{result.exit_code} {result.output}"

    with_ = ("--with", "act=np.tanh|relu")
    assert run("grad", "model.py::plain", *with_).startswith("0 ")
    head = Path("model_grad.py").read_text().split("\n")[0]
    assert head.endswith("s2s grad model.py::plain --with 'act=np.tanh|relu'")
    assert run("check", "model.py").startswith("0 ")
    Path("model.py").write_text(MODEL.replace("np.maximum(x, 0.0)", "np.maximum(x, 0.5)"))
    assert run("check", "--fast", "model.py").startswith("1 "), "a function that is handed over has changed"
    point = ("--at", "act=relu, x=np.array([0.2, 0.9])")
    assert run("verify", "model.py::plain", *with_, *point).startswith("0 ")


def test_options_are_read_as_they_are_written() -> None:
    options = Options(("f",), callees="act=np.tanh|relu, rhs=laws.spring")
    assert Options.parse(str(options)) == options


@pytest.mark.parametrize(
    ("callees", "code"),
    [
        ("rsh=spring", "S411"),
        ("rhs=sprong", "S217"),
        ("rhs=K", "S217"),
        ("y0=spring", "S217"),
        ("rhs=3", "S410"),
        ("rhs", "S410"),
        ("wrt=y0", "S410"),
        ("rhs=lambda y: y", "S410"),
        ("rhs=spring|", "S410"),
    ],
)
def test_what_names_no_function_is_refused(callees: str, code: str) -> None:
    with pytest.raises(S2SError) as caught:
        differentiate(
            MODEL.replace("    y = y0\n", "    y = y0 = 1.0 * y0\n"), Request(functions=("integrate",), callees=callees)
        )
    assert code in [d.code for d in caught.value.diagnostics]
