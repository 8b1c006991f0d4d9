"""Rules of the user's own: `--rules FILE`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.emit import header
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate, show, source_slice
from test_rules import close, flat, numeric_vjp, random_like

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "generated_examples" / "own_rules"
HEAD = "import numpy as np\nfrom s2s.rules.user import *\n"

# A function of the file, entries for it, and values for its parameters: each gives both modes.
FORMS = {
    "partials": (
        "def f(a, b):\n    return np.asarray([a * np.sin(b)])[0]",
        'partials("f(a, b)", lambda b: np.sin(b), lambda a, b: a * np.cos(b))',
        {"a": np.array([0.3, -1.2]), "b": 0.7},
    ),
    "a partial of a result": (
        "def f(a):\n    return np.asarray(np.exp(a)).copy()",
        'partials("f(a)", lambda out: out)',
        {"a": np.array([[0.3, -1.2]])},
    ),
    "elementwise": (
        "def f(a, b):\n    return a**2 * b",
        'elementwise("f(a, b)", lambda g, a, b: 2.0 * a * b * g, lambda g, a: a**2 * g)',
        {"a": np.array([[0.3], [-1.2]]), "b": np.array([0.7, 2.0])},
    ),
    "Jacobian of a vector": (
        "def f(a):\n    return np.asarray([a[0] * a[1], a[1] ** 2, a[0]])\n\n\n"
        "def f_jacobian(a):\n    return np.array([[a[1], a[0]], [0.0, 2.0 * a[1]], [1.0, 0.0]])",
        'J = function("f_jacobian")\njacobian("f(a)", lambda a: J(a))',
        {"a": np.array([0.3, -1.2])},
    ),
    "Jacobian of matrices": (
        "def f(a, k):\n    return np.sum(a**2, axis=0) * k\n\n\n"
        "def J(a, k):\n    return 2.0 * k * np.eye(2)[:, None, :] * a",
        'J = function("J")\njacobian("f(a, k)", lambda a, k: J(a, k), lambda out, k: out / k)',
        {"a": np.array([[0.3, -1.2], [0.5, 0.1], [0.5, 3.1]]), "k": 0.7},
    ),
    "multilinear": (
        "def f(a, b):\n    return np.lib.stride_tricks.sliding_window_view(a, len(b)) @ b",
        'f = function("f")\nmultilinear("f(a, b)", lambda g, b: np.convolve(g, b), lambda g, a: f(a, g))',
        {"a": np.array([0.3, -1.2, 0.5, 2.0]), "b": np.array([0.7, 2.0])},
    ),
    "linear with an option": (
        "def f(a, *, k=1):\n    return a[::-1] * k",
        'linear("f(a, *, k=1)", lambda g, k: g[::-1] * k)',
        {"a": np.array([0.3, -1.2])},
    ),
    "reverse and forward parts": (
        "def f(a, b):\n    return np.asarray(a.T @ b)\n\n\ndef f_rev(a, b, g):\n    return b @ g.T, a @ g\n\n\n"
        "def f_fwd(a, b, da, db):\n    return da.T @ b + a.T @ db",
        'rev, fwd = function("f_rev"), function("f_fwd")\n'
        "general(\n"
        '    "f(a, b)",\n'
        "    vjp=[lambda g, a, b: rev(a, b, g)[0], lambda g, a, b: rev(a, b, g)[1]],\n"
        "    jvp=lambda a, b, a_dot, b_dot: fwd(a, b, 0.0 * a if a_dot is None else a_dot, b_dot),\n"
        ")",
        {"a": np.array([[0.3, -1.2]]), "b": np.array([[0.7, 2.0, 0.1]])},
    ),
    "a tuple": (
        "def f(a):\n    return a**3, a.shape",
        'general("f(a)", vjp=[lambda g, a: 3.0 * a**2 * g[0]], jvp=lambda a, a_dot: (3.0 * a**2 * a_dot, None), '
        'results=("r", "shape"), smooth=("r",))',
        {"a": np.array([0.3, -1.2])},
    ),
}  # fmt: skip


def model(text: str, env: dict[str, Any], parts: bool) -> str:
    names = ", ".join(env)
    call = f"    r, _ = f({names})\n" if parts else f"    r = f({names})\n"
    return f"import numpy as np\n\n\n{text}\n\n\ndef energy({names}):\n{call}    return np.sum(np.sin(r))\n"


def shapes_of(env: dict[str, Any]) -> str:
    return ", ".join(f"{n} ({''.join(f'{d},' for d in np.shape(v))})" for n, v in env.items())


@pytest.mark.parametrize("stated", [False, True], ids=["unknown", "stated"])
@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str, stated: bool) -> None:
    text, entries, env = FORMS[form]
    source = model(text, env, form == "a tuple")
    request = Request(
        functions=("energy",), emit=("grad", "jvp"), rules=HEAD + entries, shapes=shapes_of(env) if stated else ""
    )
    written = differentiate(source, request)
    space: dict[str, Any] = {}
    exec(source, space)
    made: dict[str, Any] = {}
    exec(written, made)
    expected = [numeric_vjp(lambda v, n=n: space["energy"](**env | {n: v}), env[n], 1.0) for n in env]
    found = made["energy_grad"](**env)
    found = found if len(env) > 1 else (found,)
    for value, reference, name in zip(found, expected, env, strict=True):
        assert np.shape(value) == np.shape(env[name])
        close(value, reference, 1e-8)
    dots = {n: random_like(v, np.random.default_rng(2)) for n, v in env.items()}
    _, tangent = made["energy_jvp"](**env, **{f"{n}_dot": d for n, d in dots.items()})
    close(tangent, sum(flat(e) @ flat(d) for e, d in zip(expected, dots.values(), strict=True)), 1e-8)


PACKAGE = """
import numpy as np


def soft(x):
    return np.lib.scimath.log(1.0 + np.exp(x))


def soft_slope(x):
    return 1.0 / (1.0 + np.exp(-x))
"""


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import mypkg.acts", "mypkg.acts.soft(x)"),
        ("import mypkg.acts as acts", "acts.soft(x)"),
        ("from mypkg import acts", "acts.soft(x)"),
        ("from mypkg.acts import soft", "soft(x)"),
        ("from mypkg.acts import soft as act", "act(x)"),
    ],
)
@pytest.mark.parametrize("readable", [False, True])
def test_functions_of_a_package(tmp_path: Path, imports: str, call: str, readable: bool, monkeypatch: Any) -> None:
    folder = tmp_path / "mypkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "acts.py").write_text(PACKAGE)
    source = f"import numpy as np\n{imports}\n\n\ndef energy(x):\n    return np.sum({call} ** 2)\n"
    entries = 'slope = function("mypkg.acts.soft_slope")\npartials("mypkg.acts.soft(x)", lambda x: slope(x))'
    texts = {"mypkg.__init__": "", "mypkg.acts": PACKAGE}
    request = Request(rules=HEAD + entries, read=texts.get if readable else None)
    written = differentiate(source, request)
    assert written.count("soft_slope(x)") == 1
    assert "def soft" not in written
    monkeypatch.syspath_prepend(tmp_path)
    made: dict[str, Any] = {}
    try:
        exec(written, made)
    finally:
        for name in ("mypkg", "mypkg.acts"):
            sys.modules.pop(name, None)
    x = np.array([0.3, -1.2])
    close(made["energy_grad"](x), 2.0 * np.log(1.0 + np.exp(x)) / (1.0 + np.exp(-x)), 1e-12)


def test_a_function_of_a_module_that_is_read() -> None:
    """A call inside another file of a function of that file."""
    layers = "import numpy as np\n\n\ndef act(x):\n    return np.lib.scimath.log(x)\n\n\n"
    layers += "def twice(x):\n    return 2.0 * act(x)\n"
    source = "from layers import twice\n\n\ndef f(x: float):\n    return twice(x)\n"
    with pytest.raises(S2SError, match=r"S301|S405"):
        differentiate(source, Request(read={"layers": layers}.get))
    text = differentiate(
        source, Request(read={"layers": layers}.get, rules=HEAD + 'partials("layers.act(x)", lambda x: 1.0 / x)')
    )
    assert "x_bar = 2.0 * out_bar / x" in text


def test_one_of_the_modes_alone() -> None:
    source = model("def f(a):\n    return np.lib.scimath.log(a)", {"a": 1.0}, False)
    back = HEAD + 'general("f(a)", vjp=[lambda g, a: g / a])'
    assert "/ a" in differentiate(source, Request(functions=("energy",), rules=back))
    with pytest.raises(S2SError, match=r"S306.*no forward part"):
        differentiate(source, Request(functions=("energy",), rules=back, emit=("jvp",)))
    for jvp in ("[lambda g, a: g / a]", "lambda a, a_dot: a_dot / a"):
        forward = HEAD + f'general("f(a)", jvp={jvp})'
        assert "/ a" in differentiate(source, Request(functions=("energy",), rules=forward, emit=("jvp",)))
        with pytest.raises(S2SError, match=r"S306.*no reverse part"):
            differentiate(source, Request(functions=("energy",), rules=forward))


def test_a_function_with_a_rule_is_not_selected_by_itself() -> None:
    source = model("def f(a):\n    return np.lib.scimath.log(a)", {"a": 1.0}, False)
    text = differentiate(source, Request(rules=HEAD + 'partials("f(a)", lambda a: 1.0 / a)'))
    assert "def energy_grad" in text
    assert "def f_grad" not in text


def test_the_derivative_of_a_derivative_uses_the_rules_again() -> None:
    source = "def f(a):\n    return a**3\n\n\ndef energy(a: float):\n    return f(a)\n"
    rules = HEAD + 'partials("f(a)", lambda a: 3.0 * a**2)'
    first = differentiate(source, Request(functions=("energy",), rules=rules, emit=("value_and_grad",)))
    second = differentiate(first, Request(functions=("energy_value_and_grad",), rules=rules, emit=("jvp",)))
    made: dict[str, Any] = {}
    exec(second, made)
    assert made["energy_value_and_grad_jvp"](2.0, a_dot=1.0) == ((8.0, 12.0), (12.0, 12.0))


def test_rules_of_one_run_are_not_those_of_another() -> None:
    source = model("def f(a):\n    return np.lib.scimath.log(a)", {"a": 1.0}, False)
    request = Request(functions=("energy",), rules=HEAD + 'partials("f(a)", lambda a: 1.0 / a)')
    differentiate(source, request)
    assert source_slice(source, request)
    assert "/ a" in show(source, request, "adjoint")[0]
    with pytest.raises(S2SError, match=r"S301|S405"):
        differentiate(source, Request(functions=("energy",)))


# ---------------------------------------------------------------- what is wrong in a file of rules

WRONG = {
    "elementwise('f(a)', lambda g, b: g / b)": ("S441", "reads `b`, which the key does not have"),
    "elementwise('f(axis)', lambda g, axes: g)": ("S441", "did you mean `axis`?"),
    "elementwise('f', lambda g: g)": ("S441", "not a call of a named function"),
    "elementwise('f(a', lambda g: g)": ("S441", "its key is no expression"),
    "elementwise(f, lambda g: g)": ("S440", "NameError"),
    "elementwise('f(a, k=m)', lambda g: g)": ("S441", "the default of `k` is not a literal"),
    "elementwise('f(2)', lambda g: g)": ("S441", "not a call of a named function"),
    "elementwise('f(a)', lambda g: g, lambda g: g)": ("S441", "2 functions for 1 arguments"),
    "general('f(a)', vjp=[lambda g: g, None])": ("S441", "2 functions for 1 arguments"),
    "general('f(a)')": ("S441", "no argument has a derivative"),
    "elementwise('f(a)', None)": ("S441", "no argument has a derivative"),
    "elementwise('f(a)', 1.0)": ("S441", "1.0 is not a function"),
    "elementwise('f(a)', function('f_bar'))": ("S441", "is not a function of the names of the key"),
    "elementwise('f(a)', lambda g: g, domian=(0, 1))": ("S441", "domian"),
    "elementwise('np.sin(a)', lambda g: g)": ("S441", "s2s has a rule for this function"),
    "elementwise('np.absolute(a)', lambda g: g)": ("S441", "s2s has a rule for this function"),
    "elementwise('np.sni(a)', lambda g: g)": ("S441", "no attribute 'sni'"),
    "constant('f(a)')\nconstant('f(b)')": ("S441", "another rule for this function"),
    "import nowhere.at_all": ("S440", "ModuleNotFoundError"),
    "1 / 0": ("S440", "ZeroDivisionError"),
    "raise SystemExit(3)": ("S440", "SystemExit"),
    "elementwise(": ("S440", "was never closed"),
    "x = 1": ("S440", "has no rule"),
}  # fmt: skip


@pytest.mark.parametrize("entry", WRONG)
def test_wrong_entries(entry: str) -> None:
    code, message = WRONG[entry]
    with pytest.raises(S2SError) as caught:
        differentiate("def h(x: float):\n    return x\n", Request(rules=HEAD + entry, rules_name="own.py"))
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert message in found.message
    assert f"own.py:{len(HEAD.splitlines()) + entry.count(chr(10)) + 1}" in str(caught.value) or code == "S440"


def test_all_that_is_wrong_in_one_run() -> None:
    entries = "\n".join(["elementwise('f(a)', lambda g, b: g)", "elementwise('h(a)', lambda g: g)", "constant('k')"])
    with pytest.raises(S2SError) as caught:
        differentiate("def h(x: float):\n    return x\n", Request(rules=HEAD + entries))
    assert [(d.code, d.span.line if d.span else 0) for d in caught.value.diagnostics] == [("S441", 3), ("S441", 5)]


FAILS = {
    "lambda g, a: g if a > 0.0 else 0.0": "cannot branch on a value",
    "lambda g, a: sum(a) * g": "cannot iterate over a value",
    "lambda g, a: nothing * g": "NameError",
    "lambda g, a: 1 / 0": "ZeroDivisionError",
    "lambda g, a: np.arange(3)": "may not use the value",
    "lambda g, a: object()": "may not use the value",
}


@pytest.mark.parametrize("action", FAILS)
def test_rules_that_fail(action: str) -> None:
    source = model("def f(a):\n    return np.lib.scimath.log(a)", {"a": 1.0}, False)
    for emit in ("grad", "jvp"):
        with pytest.raises(S2SError) as caught:
            request = Request(
                functions=("energy",), emit=(emit,), rules=HEAD + f'elementwise("f(a)", {action})', rules_name="own.py"
            )
            differentiate(source, request)
        (found,) = caught.value.diagnostics
        assert found.code == "S307"
        assert "(own.py:3) fails" in found.message
        assert FAILS[action] in found.message
        assert found.span is not None


def test_a_rule_says_what_it_does_not_cover() -> None:
    source = "def f(a, mode):\n    return a\n\n\ndef energy(a: float):\n    return f(a, 'wrap')\n"
    entry = (
        "def check(scope):\n    if scope['mode'] != 'same':\n        return 'only mode=same'\n"
        'elementwise("f(a, mode)", lambda g, a: g / a, check=check)'
    )
    with pytest.raises(S2SError, match=r"S302.*only mode=same"):
        differentiate(source, Request(functions=("energy",), rules=HEAD + entry))


# ---------------------------------------------------------------- the command line


def s2s(*arguments: str, cwd: Path) -> tuple[int, str]:
    run = subprocess.run([sys.executable, "-m", "s2s", *arguments], capture_output=True, text=True, cwd=cwd)
    return run.returncode, run.stdout + run.stderr


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for name in ("blur.py", "conv_rules.py"):
        (tmp_path / name).write_text((EXAMPLE / name).read_text())
    return tmp_path


def test_check_wants_the_rules(copied: Path) -> None:
    written, rules = copied / "blur_grad.py", copied / "conv_rules.py"
    assert s2s("grad", "blur.py", "--rules", "conv_rules.py", cwd=copied)[0] == 0
    found = header.read(written.read_text())
    assert found is not None
    assert found.options.rules == f"conv_rules.py@{header.digest(rules.read_text())}"
    rules.write_text(rules.read_text().replace("import numpy", "print('executed')\nimport numpy"))
    for more in ([], ["--fast"], ["--diff"]):
        code, text = s2s("check", ".", *more, cwd=copied)
        assert code == 1
        assert "S506" in text
        assert "executed" not in text
        code, text = s2s("check", ".", "--rules", "conv_rules.py", *more, cwd=copied)
        assert code == 1
        assert "S502 stale: conv_rules.py has changed since" in text
    assert s2s("grad", "blur.py", "--rules", "conv_rules.py", cwd=copied)[0] == 0
    for more in ([], ["--fast"]):
        assert s2s("check", ".", "--rules", "conv_rules.py", *more, cwd=copied)[0] == 0


def test_only_the_command_line_names_rules(copied: Path) -> None:
    """Neither a comment nor pyproject.toml does."""
    blur = copied / "blur.py"
    (copied / "pyproject.toml").write_text('[tool.s2s]\ntargets = ["blur.py"]\nrules = "conv_rules.py"\n')
    code, text = s2s("grad", cwd=copied)
    assert code == 2
    assert "expected targets" in text
    blur.write_text(blur.read_text().replace("# s2s: wrt=x,w", "# s2s: rules=conv_rules.py wrt=x,w"))
    code, text = s2s("grad", "blur.py", cwd=copied)
    assert code == 1
    assert "S410" in text


def test_other_files_are_checked_without_the_rules(copied: Path) -> None:
    (copied / "plain.py").write_text("# s2s: wrt=x\ndef f(x: float):\n    return x * x\n")
    assert s2s("grad", "plain.py", cwd=copied)[0] == 0
    assert s2s("check", "plain.py", "--rules", "conv_rules.py", cwd=copied)[0] == 0


def test_files_that_are_no_rules(copied: Path) -> None:
    assert s2s("grad", "blur.py", "--rules", "nowhere.py", cwd=copied)[0] == 2
    code, text = s2s("grad", "blur.py", "--rules", "blur.py", cwd=copied)
    assert code == 1
    assert "S440" in text
