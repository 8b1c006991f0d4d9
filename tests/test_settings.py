"""Values of the module that its functions bind anew, `global TOLERANCE`: derivatives read them as they are when they
run."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from s2s.cli import main
from test_modules import made, project, run, write

__all__ = ["project"]

HEAD = """import numpy as np

K = 2.0
H = np.array([1.0, 2.0])
N = 3
WHOLE = 2
L = [1.0, 2.0]
D = {"a": 1.5}
MODE = None


def _set_all(k):
    global K, H, L, D, MODE
    K, MODE = k, "linear"
    H = H * k
    L = [k, k, 2.0]
    D = {"a": k}


def _set_whole(n):
    global WHOLE
    WHOLE = n


"""
ACCEPTED = {
    "a number": "def f(x):\n    return np.sin(x * K) ** K",
    "in loops": "def f(x):\n    s = x\n    for i in range(N):\n        if s < 100 * K:\n            s = s * K + x\n"
    "    return s",
    "an array": "def f(x):\n    return np.sum(H * x * H[0])",
    "a list and a dict": 'def f(x):\n    return L[0] * x + sum(v * x for v in L) + D["a"] * x**2',
    "a text": 'def f(x):\n    if MODE == "linear":\n        return x * K\n    return x**2',
    "in a comprehension": "def f(x):\n    return sum([x**i * K for i in range(N)])",
    "in a key": "def f(x):\n    a, b = sorted([x, -x], key=lambda v: v * K)\n    return 2.0 * a + 5.0 * b",
    "in a nested function": "def f(x):\n    def g(y):\n        return y * K\n\n    return g(x) * g(x * x)",
    "in helpers": "def h(y):\n    return y * K + H[0]\n\n\ndef f(x):\n    return h(x) * h(h(x))",
    "in what a helper makes": "def _make():\n    k = K\n    return lambda y: y * k\n\n\n"
    "def f(x):\n    return _make()(x) * x",
    "in a class": "class C:\n    def __init__(self, a):\n        self.a = a * K\n\n    def run(self, x):\n"
    "        return self.a * x * K\n\n\ndef f(x):\n    return C(x).run(x)",
    "in a text": 'def f(x):\n    names = {"2.0": x, "1.3": x**2, "0.7": x**3}\n    return names[f"{K}"] * K',
    "in a key that stays a text": "def f(x):\n    i = sorted([0, 1, 2], key=lambda i: abs(i - K))\n"
    "    return x ** (1 + i[0])",
    "its methods": "def f(x):\n    return H.sum() * x + H.T[1] * x**2 + H.dot(H) * x",
    "methods of a text": 'def f(x):\n    return x**2 if str(MODE).startswith("l") else x * 3',
    "a variable of its name": "def f(x):\n    K = x * 2\n    return K * x * H[1]",
    "a variable of the module's name": "def f(x):\n    model = x * 2\n    return model * x * K",
}


def differences(primal: ModuleType, derived: ModuleType, x: float) -> None:
    h = 1e-6
    want = (primal.f(x + h) - primal.f(x - h)) / (2 * h)
    value, grad = derived.f_value_and_grad(x)
    assert value == primal.f(x)
    assert grad == pytest.approx(want, rel=1e-6)
    assert derived.f_jvp(x, x_dot=1.0)[1] == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_setting_is_read_when_the_derivative_runs(name: str, project: Path) -> None:
    primal, derived = made(project, {"model.py": f"{HEAD}{ACCEPTED[name]}\n"}, "model", "--emit", "value_and_grad,jvp")
    for k in (None, 1.3, 0.7):
        if k is not None:
            primal._set_all(k)
        differences(primal, derived, 0.8)


def test_a_setting_of_another_module(project: Path) -> None:
    sources = {
        "units.py": "K = 2.0\n\n\ndef _set_k(k):\n    global K\n    K = k\n\n\ndef scaled(x):\n    return x * x * K\n",
        "model.py": "import units\nfrom units import scaled\n\n\ndef f(x):\n    return scaled(x) * x + units.K * x\n",
    }
    primal, derived = made(project, sources, "model", "--emit", "value_and_grad,jvp")
    differences(primal, derived, 0.8)
    importlib.import_module("units")._set_k(5.0)
    differences(primal, derived, 0.8)


def test_a_value_is_what_it_was_when_it_was_imported(project: Path) -> None:
    """`K` and `H` of `model` and of `scale`, which `units` binds anew behind that."""
    sources = {
        "units.py": "import numpy as np\n\nK = 2.0\nJ, M = 2.0, 7.0\nH = np.ones(2)\nN = 1\nN = 3.0\n\n\ndef _set(k):\n"
        "    global K, H, N\n    K, N = k, k\n    H = H * k\n",
        "scale.py": "from units import N, K as k\n\n\ndef scaled(x):\n    return x * x * k * N\n",
        "model.py": "import scale\nimport units\nfrom units import H, K, M\nfrom scale import scaled\n\n\n"
        "def f(x):\n    return scaled(x) * x + units.K * K * x * scale.k + H.sum() * H[0] * x**2 + x * M * units.N\n",
    }
    write(project, sources)
    primal = importlib.import_module("model")
    importlib.import_module("units")._set(5.0)
    run("grad", "model.py::f", "--emit", "value_and_grad,jvp")
    differences(primal, importlib.import_module("model_grad"), 0.8)


def test_a_setting_in_a_package(project: Path) -> None:
    sources = {"pkg/__init__.py": "", "pkg/model.py": f"{HEAD}{ACCEPTED['in helpers']}\n"}
    primal, derived = made(project, sources, "pkg.model", "--emit", "value_and_grad,jvp")
    primal._set_all(1.3)
    differences(primal, derived, 0.8)
    assert "from . import model" in (project / "pkg/model_grad.py").read_text()


def test_a_derivative_of_a_derivative_reads_it_too(project: Path) -> None:
    primal, derived = made(project, {"model.py": f"{HEAD}{ACCEPTED['in helpers']}\n"}, "model", "--emit", "grad")
    run("grad", "model_grad.py::f_grad", "--emit", "value_and_grad")
    second = importlib.import_module("model_grad_grad")
    primal._set_all(1.3)
    h = 1e-6
    want = (derived.f_grad(0.8 + h) - derived.f_grad(0.8 - h)) / (2 * h)
    assert second.f_grad_value_and_grad(0.8)[1] == pytest.approx(want, rel=1e-6)


BOUND = {
    "by an import": "def _bind():\n    global K\n    from math import pi as K",
    "by the dict of the module": 'def _bind():\n    globals()["K"] = 3.0',
    "by its name": "import sys\n\n\ndef _bind():\n    sys.modules[__name__].K = 3.0",
    "under the name of the module": "def _bind():\n    import model\n\n    model.K = 3.0",
    "under a name for it": 'import model as itself\n\n\ndef _bind():\n    setattr(itself, "K", 3.0)',
    "in a class": "def _bind():\n    class Inside:\n        global K\n        K = 3.0",
}


@pytest.mark.parametrize("name", BOUND)
def test_what_binds_a_setting(name: str, project: Path) -> None:
    text = f"{HEAD}{BOUND[name]}\n\n\ndef f(x):\n    return np.sin(x * K)\n"
    primal, derived = made(project, {"model.py": text}, "model", "--emit", "value_and_grad,jvp")
    primal._bind()
    differences(primal, derived, 0.8)


def test_a_text_of_a_module_of_the_package(project: Path) -> None:
    text = 'def named(x):\n    names = {"2.0": x, "1.3": x**2}\n    return names[f"{K}"] + H.sum() * x\n'
    model = "from .units import named\n\n\ndef f(x):\n    return named(x) * x\n"
    sources = {"pkg/__init__.py": "", "pkg/units.py": f"{HEAD}{text}", "pkg/model.py": model}
    primal, derived = made(project, sources, "pkg.model", "--emit", "value_and_grad,jvp")
    differences(primal, derived, 0.8)
    importlib.import_module("pkg.units")._set_all(1.3)
    differences(primal, derived, 0.8)


REFUSED = {
    "a class": (
        "class C:\n    def run(self, x):\n        return x * 2\n\n\ndef _swap():\n    global C\n    C = dict\n\n\n"
        "def f(x):\n    return C().run(x)",
        "S304",
        "`.run()`",
    ),
    "an import": (
        "from math import sin as g\n\n\ndef _swap():\n    global g\n    from math import cos as g\n\n\n"
        "def f(x):\n    return g(x)",
        "S301",
        "`module.g`",
    ),
    "the default of a constructor": (
        "class C:\n    def __init__(self, a, k=K):\n        self.a = a * k\n\n\ndef f(x):\n    return C(x).a",
        "S204",
        "the constructor of `C`",
    ),
    "a function that was made from it": (
        "def _make():\n    k = K\n    return lambda y: y * k\n\n\nh = _make()\n\n\ndef f(x):\n    return h(x)",
        "S301",
        "`module.h`",
    ),
    "an array that is written": ("def f(x):\n    H[0] = x\n    return np.sum(H * x)", "S201", "`H[0]`"),
    "under another name": ("def f(x):\n    w = H\n    w[0] = x\n    return np.sum(H * x)", "S201", "`H` of the module"),
    "in a list": ("def f(x):\n    a = [H]\n    a[0][0] = x\n    return a[0].sum()", "S201", "`H` of the module"),
    "the function that binds it": ("def f(x):\n    _set_whole(3)\n    return x * K", "S210", "`global` is not"),
    "a function that is bound anew": (
        "def g(y):\n    return y * 2\n\n\ndef _swap():\n    global g\n    g = np.sin\n\n\ndef f(x):\n    return g(x)",
        "S301",
        "`module.g`",
    ),
}


LATE = {
    "a number": ("import units", "K"),
    "a number in a path": ("import units", "units.K"),
    "a number of another module": ("from units import K", "K"),
    "what is calculated": ("import units", "2.0 * units.K"),
    "what a list holds": ("", "L[0]"),
    "what a list of another module holds": ("import units", "units.L[1]"),
    "what a function gives": ("", "get()"),
    "what a function gives by another": ("", "1.0 + other()"),
    "what a function of another module gives": ("import units", "units.get()"),
    "what another name of a list holds": ("", "same[0]"),
    "what a list in a dict holds": ("", 'D["a"][0]'),
}
PLACES = {
    "a function": "def f(x, k={}):\n    return x * k\n",
    "a helper": "def g(x, k={}):\n    return x * k\n\n\ndef f(x):\n    return g(x) * x\n",
    "a constructor": "class C:\n    def __init__(self, a, k={}):\n        self.a = a * k\n\n\ndef f(x):\n"
    "    return C(x).a * x\n",
    "a field": "from dataclasses import dataclass\n\n\n@dataclass\nclass C:\n    a: float\n    k: float = {}\n\n\n"
    "def f(x):\n    return C(x).k * x\n",
    "a method": "class C:\n    def __init__(self, a):\n        self.a = a\n\n    def run(self, x, k={}):\n"
    "        return self.a * k * x\n\n\ndef f(x):\n    return C(x).run(x)\n",
}
UNITS = """K = 2.0
L = [1.0, 2.0]
same = L
D = {"a": [1.0]}


def get():
    return L[0]


def other():
    return get() * 2.0


def _set(v):
    global K
    K = v
    L[0] = v
    L[1] = v
    D["a"][0] = v


"""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", LATE)
def test_a_default_that_may_be_another_one_by_then_is_refused(name: str, place: str, project: Path) -> None:
    imported, default = LATE[name]
    text = f"{imported}\n\n" + ("" if imported else UNITS) + PLACES[place].format(default)
    if name == "a number":
        text = UNITS + PLACES[place].format(default)
    write(project, {"units.py": UNITS, "model.py": text})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1
    assert "error[S2" in result.output


@pytest.mark.parametrize("default", ["units.L", "L", "M", "units.M", "A[0]", "made()", "units.made()"])
def test_a_default_that_stays_is_kept(default: str, project: Path) -> None:
    more = "M = 3.0\nA = [0.0, 4.0]\nA[0] = 5.0\n\n\ndef made():\n    return M * A[1]\n\n\n"
    item = "k[0]" if default.endswith("L") else "k"
    text = f"import units\n\n{UNITS}{more}def f(x, k={default}):\n    return x * {item}\n"
    sources = {"units.py": UNITS + more, "model.py": text}
    write(project, sources)
    run("grad", "model.py::f", "--emit", "value_and_grad,jvp", "--wrt", "x")
    primal = importlib.import_module("model")
    primal._set(7.0)
    importlib.import_module("units")._set(7.0)
    differences(primal, importlib.import_module("model_grad"), 0.8)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_setting_is_refused(name: str, project: Path) -> None:
    text, code, words = REFUSED[name]
    write(project, {"model.py": f"{HEAD}{text}\n"})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1
    assert f"error[{code}]" in result.output and words in " ".join(result.output.split())


def test_whole_numbers_that_are_stored_into_are_noticed(project: Path) -> None:
    """Whether `np.full(3, WHOLE)` cuts off what is stored is known when it runs."""
    text = "def f(x):\n    a = np.full(3, WHOLE)\n    a[0] = x * x\n    return np.sum(a) * x\n"
    primal, derived = made(project, {"model.py": HEAD + text}, "model", "--emit", "value_and_grad,jvp")
    with pytest.raises(AssertionError):
        derived.f_value_and_grad(0.8)
    primal._set_whole(2.0)
    differences(primal, derived, 0.8)


def test_whole_numbers_of_a_range_are_noticed(project: Path) -> None:
    text = "def f(x):\n    a = np.arange(WHOLE)\n    a[0] = x * x\n    return np.sum(a) * x\n"
    primal, derived = made(project, {"model.py": HEAD + text}, "model", "--emit", "value_and_grad,jvp")
    with pytest.raises(AssertionError):
        derived.f_value_and_grad(0.8)
    primal._set_whole(2.0)
    differences(primal, derived, 0.8)


def test_a_package_is_refused(project: Path) -> None:
    write(project, {"pkg/__init__.py": f"{HEAD}{ACCEPTED['a number']}\n"})
    result = CliRunner().invoke(main, ["grad", "pkg/__init__.py::f"])
    assert result.exit_code == 1 and "`K` has no fixed value" in result.output


def test_it_does_not_stand_alone(project: Path) -> None:
    write(project, {"model.py": f"{HEAD}{ACCEPTED['a number']}\n"})
    result = CliRunner().invoke(main, ["grad", "model.py::f", "--standalone"])
    assert result.exit_code == 1 and "error[S406]" in result.output
