"""Derivatives of function objects."""

from __future__ import annotations

import functools
import importlib
import inspect
import linecache
import os
import subprocess
import sys
import traceback
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import s2s

GAIN = 0.5
DATA = np.array([1.0, 2.0])


def energy(x, k):  # type: ignore[no-untyped-def]
    return GAIN * k * np.sum(x**2)


def helper(x):  # type: ignore[no-untyped-def]
    return x * x


def through_helper(x):  # type: ignore[no-untyped-def]
    return helper(x) + x


def misfit(x):  # type: ignore[no-untyped-def]
    return np.sum((x - DATA) ** 2)


X = np.array([1.0, 2.0])


def test_grad() -> None:
    g = s2s.grad(energy)
    x_bar, k_bar = g(X, 3.0)
    np.testing.assert_allclose(x_bar, [3.0, 6.0], rtol=1e-6)
    np.testing.assert_allclose(k_bar, 2.5, rtol=1e-6)
    assert g.__name__ == "energy_grad"


@pytest.mark.parametrize("wrt", ["x", ("x",), ["x"]])
def test_wrt(wrt: object) -> None:
    np.testing.assert_allclose(s2s.grad(energy, wrt)(X, 3.0), [3.0, 6.0], rtol=1e-6)  # type: ignore[arg-type]


def test_value_and_grad() -> None:
    value, x_bar = s2s.value_and_grad(energy, wrt="x")(X, 3.0)
    assert value == 7.5
    np.testing.assert_allclose(x_bar, [3.0, 6.0], rtol=1e-6)


def test_vjp_and_jvp() -> None:
    value, x_bar = s2s.vjp(energy, "x")(X, 3.0, out_bar=2.0)
    assert value == 7.5
    np.testing.assert_allclose(x_bar, [6.0, 12.0], rtol=1e-6)
    value, dot = s2s.jvp(energy, "x")(X, 3.0, x_dot=np.array([1.0, 0.0]))
    assert value == 7.5 and dot == pytest.approx(3.0)


def test_the_source_is_at_hand() -> None:
    g = s2s.grad(energy, "x")
    assert "def energy_grad(x, k):" in g.source
    assert inspect.getsource(g) in g.source
    try:
        g("text", 1.0)
    except TypeError as e:
        last = traceback.extract_tb(e.__traceback__)[1]
        assert last.filename.startswith("<s2s energy_grad ") and last.line and last.line in g.source


def test_helpers_and_constants_of_the_module() -> None:
    assert s2s.grad(through_helper)(3.0) == pytest.approx(7.0)


def test_names_that_are_no_literals_are_the_modules_own(monkeypatch: pytest.MonkeyPatch) -> None:
    g = s2s.grad(misfit)
    np.testing.assert_allclose(g(np.zeros(2)), [-2.0, -4.0], rtol=1e-6)
    assert g.__globals__["DATA"] is DATA


def test_the_defining_module_is_not_imported_again(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np, s2s\n"
        "print('running', __name__)\n"
        "DATA = np.ones(2)\n\n\n"
        "def f(x):\n    return np.sum(x * DATA)\n\n\n"
        "print(s2s.grad(f)(np.zeros(2)))\n"
    )
    root = str(Path(s2s.__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=env)
    assert done.stdout == "running __main__\n[1. 1.]\n", done.stderr


def test_a_function_inside_a_function() -> None:
    def inner(x):  # type: ignore[no-untyped-def]
        return helper(x) * GAIN

    assert s2s.grad(inner)(3.0) == pytest.approx(3.0)


def cell(text: str, scope: dict[str, object], name: str) -> None:
    """Runs a text as an interactive session runs a cell."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), scope)


def test_an_interactive_session() -> None:
    scope: dict[str, object] = {"__name__": "__main__"}
    cell("import numpy as np\nfrom numpy import sin\nA = np.arange(2.0)\nK = 3.0\n", scope, "<cell 1>")
    cell("def square(x):\n    return K * x * x\n", scope, "<cell 2>")
    cell("def f(x):\n    return np.sum(A * sin(square(x)))\n", scope, "<cell 3>")
    f = scope["f"]
    assert isinstance(f, types.FunctionType)
    x = 0.3
    expected = np.cos(3.0 * x * x) * 6.0 * x
    assert s2s.grad(f)(x) == pytest.approx(expected)


def test_gradient_of_a_gradient() -> None:
    second = s2s.grad(s2s.grad(helper))
    assert second(3.0) == pytest.approx(2.0, rel=1e-3)


def test_annotations_and_defaults_stay() -> None:
    def f(x: float, k: float = 2.0) -> float:
        return k * x

    assert s2s.grad(f, "x")(1.0) == pytest.approx(2.0)


# ---------------------------------------------------------------- refusals


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(s2s.S2SError) as e:
        call()
    assert str(e.value)
    return e.value.diagnostics[0].code


def test_what_is_not_a_function() -> None:
    k = 2.0

    def closure(x):  # type: ignore[no-untyped-def]
        return k * x

    for f in (np.sin, abs, 3, types.SimpleNamespace(), int, closure, lambda x: x):
        assert code_of(lambda f=f: s2s.grad(f)) == "S431"  # type: ignore[misc]


def test_no_source() -> None:
    scope: dict[str, object] = {}
    exec("def f(x):\n    return x\n", scope)
    assert code_of(lambda: s2s.grad(scope["f"])) == "S430"  # type: ignore[arg-type]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    text = "K = 2.0\n\n\ndef helper(x):\n    return x * x\n\n\ndef f(x):\n    return K * helper(x)\n"
    (tmp_path / "changing.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "changing", raising=False)
    found = importlib.import_module("changing")
    assert s2s.grad(found.f)(3.0) == pytest.approx(12.0)
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [("K * helper", "3.0 * helper"), ("x * x", "x + x"), ("K = 2.0", "\nK = 2.0"), ("def f(x)", "def f(x, y=1.0)")],
)
def test_a_file_that_was_edited_since_its_import(module: types.ModuleType, old: str, new: str) -> None:
    path = Path(str(module.__file__))
    path.write_text(path.read_text().replace(old, new))
    assert code_of(lambda: s2s.grad(module.f)) == "S430"
    importlib.invalidate_caches()
    path.with_name("__pycache__").exists() and [p.unlink() for p in path.with_name("__pycache__").iterdir()]
    s2s.grad(importlib.reload(module).f)


def test_an_edit_elsewhere_in_the_file(module: types.ModuleType) -> None:
    path = Path(str(module.__file__))
    path.write_text(path.read_text() + "\n\ndef more(x):\n    return x\n")
    assert s2s.grad(module.f)(3.0) == pytest.approx(12.0)


def test_constants_and_helpers_replaced_at_run_time(module: types.ModuleType) -> None:
    module.K = 3.0  # type: ignore[attr-defined]
    assert code_of(lambda: s2s.grad(module.f)) == "S430"
    module.K = 2.0  # type: ignore[attr-defined]
    module.helper = helper  # type: ignore[attr-defined]
    assert code_of(lambda: s2s.grad(module.f)) == "S430"


def test_a_diagnostic_names_the_file(module: types.ModuleType) -> None:
    with pytest.raises(s2s.S2SError, match=r"changing\.py"):
        s2s.grad(module.f, wrt="z")


class Owner:
    def __init__(self, w: float) -> None:
        self.w = w

    def scaled(self, x: float) -> float:
        return self.w * x**2

    def twice_scaled(self, x: float) -> float:
        return self.scaled(self.scaled(x))

    @staticmethod
    def square(x: float) -> float:
        return x * x


class Pair:
    def __init__(self, w: float) -> None:
        self.inner = Owner(w)

    def through(self, x: float) -> float:
        return self.inner.scaled(x) + x


def area(width: float, height: float, *, scale: float = 1.0) -> float:
    return scale * width * height


def test_parameters_by_position() -> None:
    assert s2s.grad(area, wrt=0)(2.0, 3.0) == 3.0
    assert s2s.grad(area, wrt=(2, "width"))(2.0, 3.0, scale=5.0) == (15.0, 6.0)
    assert s2s.grad(area, wrt=-1)(2.0, 3.0) == 6.0
    for wrong in (3, -4, True, 0.5, (0, None), (), "", "z"):
        assert code_of(lambda wrong=wrong: s2s.grad(area, wrt=wrong)) == "S402"  # type: ignore[misc]


def residual(y: float, y_: float) -> float:
    return (y - 2.0 * y_) ** 2


def test_tangents_of_names_that_differ_in_an_underscore() -> None:
    assert s2s.jvp(residual)(3.0, 1.0, y_dot=0.5, y__dot=0.1)[1] == pytest.approx(2.0 * (0.5 - 0.2))
    assert s2s.jvp(residual, wrt="y_")(3.0, 1.0, y__dot=0.1)[1] == pytest.approx(-0.4)
    assert s2s.hvp(residual)(3.0, 1.0, y_dot=0.5, y__dot=0.1) == pytest.approx((0.6, -1.2))


def test_functions_of_classes() -> None:
    assert s2s.grad(Owner.square)(3.0) == 6.0
    assert s2s.grad(Owner.scaled, wrt="x")(Owner(2.0), 3.0) == 12.0
    assert s2s.grad(Owner.twice_scaled, wrt="x")(Owner(2.0), 3.0) == 4 * 2.0**3 * 3.0**3
    assert s2s.jvp(Owner.twice_scaled, wrt="x")(Owner(2.0), 3.0, x_dot=0.5)[1] == 2 * 2.0**3 * 3.0**3
    assert s2s.grad(Pair.through, wrt="x")(Pair(2.0), 3.0) == 13.0
    with pytest.raises(s2s.S2SError, match=r"s2s.grad\(Owner.scaled\)"):
        s2s.grad(Owner(2.0).scaled)

    @functools.wraps(area)
    def wrapped(*args: float) -> float:
        return 2.0 * area(*args)

    with pytest.raises(s2s.S2SError, match="area is what a decorator made"):
        s2s.grad(wrapped)


def test_unknown_names_of_the_package() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        s2s.nonsense  # noqa: B018
    assert set(s2s.__all__) <= set(dir(s2s))
    for name in s2s.__all__:
        assert getattr(s2s, name)


def test_differentiate_is_a_function_of_its_text() -> None:
    text = "def f(x):\n    return x * x\n"
    request = s2s.Request(functions=("f",))
    once = s2s.differentiate(text, request)
    assert once == s2s.differentiate(text, request)
    scope: dict[str, Callable[..., float]] = {}
    exec(once, scope)
    assert scope["f_grad"](3.0) == pytest.approx(6.0)
