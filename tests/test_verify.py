"""`s2s verify` passes right derivatives and finds wrong ones."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from s2s import verify
from s2s.errors import S2SError
from s2s.frontend import read_module
from s2s.verify import Functions

Any_ = Callable[..., Any]


def functions(primal: Any_, vjp: Any_, jvp: Any_, wrt: tuple[str, ...] = ("x",), out_bar: str = "out_bar") -> Functions:
    return Functions(primal.__name__, primal, vjp, jvp, wrt, out_bar, tuple(w + "_dot" for w in wrt))


def outcome(f: Functions, **arguments: Any) -> tuple[str, list[str]]:
    for name in f.wrt:
        arguments[name] = verify.in_double(arguments[name])
    lines, problems = verify.verify_at(f, arguments)
    return "\n".join(lines), [d.code for d in problems]


def cubic(x: Any, k: Any = 2.0) -> Any:
    return np.sum(k * x**3)


def cubic_vjp(x: Any, k: Any = 2.0, *, out_bar: Any) -> Any:
    return cubic(x, k), out_bar * 3.0 * k * x**2


def cubic_jvp(x: Any, k: Any = 2.0, *, x_dot: Any) -> Any:
    return cubic(x, k), np.sum(3.0 * k * x**2 * x_dot)


GOOD = functions(cubic, cubic_vjp, cubic_jvp)


@pytest.mark.parametrize(
    "x",
    [1.5, 2, 0.0, np.linspace(-1, 2, 5), np.ones((2, 3), np.float32), np.linspace(1, 2, 60), np.arange(3), np.ones(0)],
)
def test_a_right_derivative(x: Any) -> None:
    report, codes = outcome(GOOD, x=x, k=2.0)
    assert codes == [], report
    assert "identical" in report and "agree" in report and "untouched" in report


@pytest.mark.parametrize("scale", [1e-8, 1e-3, 1e4, 1e8])
def test_scales(scale: float) -> None:
    assert outcome(GOOD, x=scale * np.array([1.0, -2.0]), k=2.0)[1] == []


def test_a_wrong_factor_is_found_and_named() -> None:
    wrong = functions(cubic, lambda x, k=2.0, *, out_bar: (cubic(x, k), out_bar * 2.99 * k * x**2), cubic_jvp)
    report, codes = outcome(wrong, x=np.array([1.0, 2.0]), k=2.0)
    assert "S511" in codes and "S512" in codes and "x[0]" in report and "differences give 6" in report


def test_one_wrong_entry_of_many_is_found() -> None:
    def vjp(x: Any, k: Any = 2.0, *, out_bar: Any) -> Any:
        x_bar = out_bar * 3.0 * k * x**2
        x_bar[17] *= 1.001
        return cubic(x, k), x_bar

    assert "S511" in outcome(functions(cubic, vjp, cubic_jvp), x=np.linspace(1, 2, 60), k=2.0)[1]


def test_a_wrong_jvp_is_found() -> None:
    wrong = functions(cubic, cubic_vjp, lambda x, k=2.0, *, x_dot: (cubic(x, k), np.sum(3.0 * k * x**2)))
    assert outcome(wrong, x=np.array([1.0, 2.0]), k=2.0)[1] == ["S512"]


def test_a_wrong_shape_is_found_though_its_sum_is_right() -> None:
    def dot(x: Any) -> Any:
        return np.sum(x * np.arange(3.0))

    def vjp(x: Any, *, out_bar: Any) -> Any:
        return dot(x), out_bar * np.arange(3.0)

    def jvp(x: Any, *, x_dot: Any) -> Any:
        return dot(x), x_dot * np.arange(3.0)

    report, codes = outcome(functions(dot, vjp, jvp), x=1.5)
    assert codes == ["S511", "S512"], report
    assert "the cotangent of x has the shape (3,) instead of ()" in report


def test_a_missing_dependence_is_found() -> None:
    wrong = functions(cubic, lambda x, k=2.0, *, out_bar: (cubic(x, k), 0.0 * x), cubic_jvp)
    assert "S511" in outcome(wrong, x=1.5, k=2.0)[1]


def test_nan_is_wrong() -> None:
    wrong = functions(cubic, lambda x, k=2.0, *, out_bar: (cubic(x, k), np.nan * x), cubic_jvp)
    assert outcome(wrong, x=1.5, k=2.0)[1] == ["S511", "S512"]


def test_a_changed_value_argument_or_second_call_is_found() -> None:
    def spoils(x: Any, k: Any = 2.0, *, out_bar: Any) -> Any:
        result = cubic_vjp(x, k, out_bar=out_bar)
        x += 0.0
        x[0] = 7.0
        return result

    assert "S513" in outcome(functions(cubic, spoils, cubic_jvp), x=np.array([1.0, 2.0]), k=2.0)[1]

    def drifts(x: Any, k: Any = 2.0, *, out_bar: Any, calls: list[int] = []) -> Any:  # noqa: B006
        calls.append(0)
        return cubic(x, k), out_bar * 3.0 * k * x**2 + 1e-15 * (len(calls) - 1)

    assert outcome(functions(cubic, drifts, cubic_jvp), x=1.0, k=2.0)[1] == ["S513"]
    other = functions(cubic, lambda x, k=2.0, *, out_bar: (1.0 + cubic(x, k), out_bar * 3.0 * k * x**2), cubic_jvp)
    assert outcome(other, x=1.0, k=2.0)[1] == ["S513"]


def test_a_kink_proves_nothing() -> None:
    def jump(x: Any) -> Any:
        return np.sum(np.where(x > 1.0, x, 0.0))

    f = functions(jump, lambda x, *, out_bar: (jump(x), out_bar * 0.0), lambda x, *, x_dot: (jump(x), x_dot * 0.0))
    assert outcome(f, x=1.0)[1] == ["S515"]


def test_a_function_that_ends_at_its_domain() -> None:
    def root(x: Any) -> Any:
        return np.sqrt(x)

    def vjp(x: Any, *, out_bar: Any) -> Any:
        return root(x), out_bar * 0.5 / root(x)

    f = functions(root, vjp, lambda x, *, x_dot: (root(x), x_dot * 0.5 / root(x)))
    assert outcome(f, x=1e-9)[1] == []


def test_structures() -> None:
    def model(p: Any, x: Any, *, n: int = 2) -> Any:
        return {"y": p["w"] * x, "n": n, "s": (p["b"][0] ** n, "text")}

    def vjp(p: Any, x: Any, *, n: int = 2, out_bar: Any) -> Any:
        y_bar, s_bar = out_bar["y"], out_bar["s"][0]
        assert out_bar["n"] == 0.0 and out_bar["s"][1] is None
        b_bar = [s_bar * n * p["b"][0] ** (n - 1)]
        return model(p, x, n=n), ({"w": np.sum(y_bar * x), "b": b_bar}, y_bar * p["w"])

    def jvp(p: Any, x: Any, *, n: int = 2, p_dot: Any, x_dot: Any) -> Any:
        y_dot = p["w"] * x_dot + p_dot["w"] * x
        return model(p, x, n=n), {"y": y_dot, "n": None, "s": (n * p["b"][0] ** (n - 1) * p_dot["b"][0], None)}

    f = functions(model, vjp, jvp, ("p", "x"))
    report, codes = outcome(f, p={"w": 2.0, "b": [3.0], "unread": 1.0, "k": 3}, x=np.array([1.0, 2.0]), n=3)
    assert codes == [], report


def test_a_whole_number_of_which_the_text_does_not_tell() -> None:
    """Its cotangent is added to: zero is one, and None is not."""

    def model(x: Any, n: Any = None) -> Any:
        return x * x, int(x) if n is None else n, "text"

    def vjp(x: Any, n: Any = None, *, out_bar: Any) -> Any:
        assert out_bar[2] is None
        return model(x, n), (2.0 * x * out_bar[0], 0.0 + out_bar[1])

    def jvp(x: Any, n: Any = None, *, x_dot: Any, n_dot: Any) -> Any:
        return model(x, n), (2.0 * x * x_dot, 0.0, None)

    report, codes = outcome(functions(model, vjp, jvp, ("x", "n")), x=1.3, n=None)
    assert codes == [], report


def test_an_array_beside_a_dict() -> None:
    def model(x: Any) -> Any:
        return x * x, {"n": np.sum(x)}

    def vjp(x: Any, *, out_bar: Any) -> Any:
        return model(x), 2.0 * x * out_bar[0] + out_bar[1]["n"]

    def jvp(x: Any, *, x_dot: Any) -> Any:
        return model(x), (2.0 * x * x_dot, {"n": np.sum(x_dot)})

    assert outcome(functions(model, vjp, jvp), x=np.array([1.0, 2.0, 3.0]))[1] == []


def test_what_the_primal_prints_is_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    def loud(x: Any) -> Any:
        print("boo")
        return x

    f = functions(loud, lambda x, *, out_bar: (loud(x), out_bar), lambda x, *, x_dot: (loud(x), x_dot))
    assert outcome(f, x=1.0)[1] == []
    assert capsys.readouterr().out == ""


def code_of(f: Callable[[], object]) -> str:
    with pytest.raises(S2SError) as e:
        f()
    return e.value.diagnostics[0].code


def test_what_cannot_be_run() -> None:
    broken = functions(lambda x: x.nothing, cubic_vjp, cubic_jvp)
    assert code_of(lambda: outcome(broken, x=1.0)) == "S514"
    word = functions(lambda x: "text", cubic_vjp, cubic_jvp)
    assert code_of(lambda: outcome(word, x=1.0)) == "S514"


@pytest.mark.parametrize("at", ["x=[1, 2", "1.0", "k=2.0", "x=1.0, z=3.0", "x=nothing", "x=1.0, x=2.0", ""])
def test_points_that_cannot_be_used(at: str) -> None:
    assert code_of(lambda: verify.point(GOOD, at, ModuleType("m"))) == "S422"


def test_points() -> None:
    module = ModuleType("m")
    module.START = 4.0  # type: ignore[attr-defined]
    found = verify.point(GOOD, "x=np.linspace(0, START, 3)", module)
    assert found["k"] == 2.0 and list(found["x"]) == [0.0, 2.0, 4.0]
    assert list(inspect.signature(cubic).parameters) == list(found)


# ---------------------------------------------------------------- with generated derivatives

SOURCE = """import numpy as np

GAIN = 0.5


def energy(x, k, *, power=2):
    return GAIN * k * np.sum(x**power)


def kinky(x):
    return np.abs(x)
"""


def test_names_that_end_in_an_underscore(tmp_path: Path) -> None:
    text = "def f(x, lambda_=1.5, in_=2.0):\n    return x * lambda_ + in_ * x\n"
    outcome = verify.verify(tmp_path / "model.py", text, "f", ["x=0.5"])
    assert not outcome.diagnostics and "with respect to x, lambda_, in_" in outcome.report


def test_generated_derivatives(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(SOURCE)
    found = verify.verify(path, SOURCE, "energy", ["x=np.linspace(0, 1, 4), k=2.0", "x=1.0, k=-1, power=3"])
    assert found.diagnostics == () and found.report.endswith("verified")
    assert found.report.startswith(f"{path}::energy with respect to x, k")
    assert verify.verify(path, SOURCE, "energy", ["x=1.0, k=2.0"], wrt=("k",)).diagnostics == ()


def test_a_file_of_a_package_with_relative_imports(tmp_path: Path) -> None:
    folder = tmp_path / "rods" / "inner"
    folder.mkdir(parents=True)
    (tmp_path / "rods" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("from .model import f\n")
    (tmp_path / "rods" / "constants.py").write_text("STIFFNESS = [2.0]\n")
    (folder / "other.py").write_text("import numpy as np\n\n\ndef wave(x):\n    return np.sum(np.sin(x))\n")
    text = "from ..constants import STIFFNESS\nfrom . import other\n\n\n# s2s: x (n,)\ndef f(x):\n"
    path = folder / "model.py"
    path.write_text(text := f"{text}    return STIFFNESS[0] * other.wave(x)\n")
    found = verify.verify(path, text, "f", ["x=np.array([0.3, 0.7])"])
    assert found.diagnostics == () and found.report.endswith("verified")


OBJECTS = """
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np

@dataclass(frozen=True)
class Spring:
    rest: np.ndarray
    stiffness: float

@dataclass
class Body:
    spring: Spring
    mass: float
    steps: int = 2

class Plain:
    def __init__(self, a):
        self.a = a

def energy(body: Body, x):
    return np.sum((x - body.spring.rest) ** 2) * body.spring.stiffness / body.mass * body.steps

def area(p, k):
    return np.sum(p.a**2) * k

def moved(body: Body, x):
    return Spring(body.spring.rest * x, body.mass)
"""


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("energy", "body=Body(Spring(np.array([0.1, 0.4]), 3.0), 2.0), x=np.array([0.5, 0.7])"),
        ("energy", "body=Body(Spring(np.array([0.1, 0.4]), 3), 2.0), x=np.array([0.5, 0.7])"),  # an integer
        ("area", "p=Plain(np.array([0.1, 0.4])), k=0.3"),
        ("area", "p=SimpleNamespace(a=np.array([0.1, 0.4])), k=0.3"),
        ("moved", "body=Body(Spring(np.array([0.1, 0.4]), 3.0), 2.0), x=np.array([0.5, 0.7])"),
    ],
)
def test_objects(tmp_path: Path, name: str, at: str) -> None:
    """What objects hold is moved, is compared, and has to be left alone."""
    path = tmp_path / "bodies.py"
    path.write_text(OBJECTS)
    out = verify.verify(path, OBJECTS, name, (at,))
    assert not out.diagnostics, out.report
    assert int(out.report.split("differences")[1].split()[0]) > 3


def test_a_changed_object_is_found() -> None:
    class Plain:
        def __init__(self, a: Any) -> None:
            self.a = a

    def square(p: Any) -> Any:
        return np.sum(p.a**2)

    def vjp(p: Any, *, out_bar: Any) -> Any:
        bar = Plain(2.0 * p.a * out_bar)
        value = square(p)
        p.a[0] = 7.0
        return value, bar

    def jvp(p: Any, *, p_dot: Any) -> Any:
        return square(p), np.sum(2.0 * p.a * p_dot.a)

    assert "S513" in outcome(functions(square, vjp, jvp, ("p",)), p=Plain(np.array([0.3, 0.5])))[1]


def test_a_point_of_the_stated_shapes(tmp_path: Path) -> None:
    text = (
        'import numpy as np\n\n\n# s2s: x (n,), A (n, 2), p["b"] (2,)\n'
        'def f(x, A, p, k: float):\n    return k * np.sum((x @ A + p["b"]) ** 2)\n'
    )
    path = tmp_path / "model.py"
    path.write_text(text)
    assert verify.verify(path, text, "f").diagnostics == ()
    assert verify.verify(path, text, "f", ["k=3.0"]).diagnostics == ()
    found = verify.invented(read_module(text), "f", "", 0)
    assert {n: np.shape(v) for n, v in found.items() if n != "p"} == {"x": (3,), "A": (3, 2), "k": ()}
    assert np.shape(found["p"]["b"]) == (2,)


def test_a_module_that_cannot_be_imported(tmp_path: Path) -> None:
    path, text = tmp_path / "model.py", "raise SystemExit(3)\n\n\ndef f(x):\n    return x * x\n"
    assert code_of(lambda: verify.verify(path, text, "f", ["x=1.0"])) == "S514"


def test_modules_and_path_are_as_before(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    before = list(sys.path), sys.modules.get("model")
    verify.verify(path, SOURCE, "kinky", ["x=2.0"])
    assert before == (list(sys.path), sys.modules.get("model"))


def test_arguments_of_different_sizes() -> None:
    """The steps of the differences are of the size of what is moved, not of the largest argument."""

    def f(x: Any, y: Any) -> Any:
        return x / 5e5 + 1.0 / (1.0 + (y / 0.01) ** 2)

    def by_y(y: Any) -> Any:
        return -2.0 * y / 1e-4 / (1.0 + (y / 0.01) ** 2) ** 2

    def vjp(x: Any, y: Any, *, out_bar: Any) -> Any:
        return f(x, y), (out_bar / 5e5, out_bar * by_y(y))

    def jvp(x: Any, y: Any, *, x_dot: Any, y_dot: Any) -> Any:
        return f(x, y), x_dot / 5e5 + by_y(y) * y_dot

    report, codes = outcome(functions(f, vjp, jvp, ("x", "y")), x=1e6, y=0.01)
    assert codes == [], report


def test_steps_that_leave_the_domain() -> None:
    """`math.log` raises where NumPy's gives nan: that step proves nothing, and one along both arguments suits each."""

    def f(x: Any, y: Any) -> Any:
        return math.log(x) * math.log(y - 0.9e-4)

    def vjp(x: Any, y: Any, *, out_bar: Any) -> Any:
        return f(x, y), (out_bar / x * math.log(y - 0.9e-4), out_bar * math.log(x) / (y - 0.9e-4))

    def jvp(x: Any, y: Any, *, x_dot: Any, y_dot: Any) -> Any:
        x_bar, y_bar = vjp(x, y, out_bar=1.0)[1]
        return f(x, y), x_bar * x_dot + y_bar * y_dot

    report, codes = outcome(functions(f, vjp, jvp, ("x", "y")), x=1e5, y=1e-4)
    assert codes == [] and "3 directions agree" in report, report


GRADIENTS = """
import numpy as np

def two(x, y):
    b = x
    b += y
    return b * x

def loop(x, y):
    s = x
    for i in range(3):
        s += y * x
    return s

# s2s: x (n,)
def stated(x):
    return np.sum(x**2)
"""


@pytest.mark.parametrize("name", ["two", "loop"])
def test_the_gradient_is_run(tmp_path: Path, name: str) -> None:
    path = tmp_path / "gradients.py"
    path.write_text(GRADIENTS)
    found = verify.verify(path, GRADIENTS, name, ["x=0.7, y=0.4"])
    assert found.diagnostics == () and "gradient     that of the vjp" in found.report, found.report


def gradients(factor: float, value: float) -> Functions:
    def grad(x: Any, k: Any = 2.0) -> Any:
        return factor * 3.0 * k * x**2

    def value_and_grad(x: Any, k: Any = 2.0) -> Any:
        return value * cubic(x, k), 3.0 * k * x**2

    return Functions(
        "cubic", cubic, cubic_vjp, cubic_jvp, ("x",), "out_bar", ("x_dot",), lambda: (grad, value_and_grad)
    )


@pytest.mark.parametrize(("factor", "value", "codes"), [(1.0, 1.0, []), (2.0, 1.0, ["S511"]), (1.0, 2.0, ["S513"])])
def test_a_wrong_gradient_is_found(factor: float, value: float, codes: list[str]) -> None:
    assert outcome(gradients(factor, value), x=np.array([1.0, -2.0]), k=2.0)[1] == codes


def test_a_guard_of_the_gradient_alone_is_found() -> None:
    def grad(x: Any, k: Any = 2.0) -> Any:
        assert np.ndim(x) == 0
        return 3.0 * k * x**2

    f = Functions("cubic", cubic, cubic_vjp, cubic_jvp, ("x",), "out_bar", ("x_dot",), lambda: (grad, grad))
    with pytest.raises(S2SError, match=r"S514.*can.t be run at this point"):
        outcome(f, x=np.array([1.0, -2.0]), k=2.0)


def test_a_guard_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "gradients.py"
    path.write_text(GRADIENTS)
    with pytest.raises(S2SError, match=r"stated_vjp asserts `np.ndim\(x\) == 1`"):
        verify.verify(path, GRADIENTS, "stated", ["x=np.ones((2, 2))"])


def test_where_vjp_is_refused_the_gradient_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    differentiate = verify.pipeline.differentiate

    def refusing(text: str, request: Any) -> str:
        if "vjp" in request.emit:
            raise S2SError(verify.Diagnostic("S230", "in-place update"))
        return differentiate(text, request)

    monkeypatch.setattr(verify.pipeline, "differentiate", refusing)
    path = tmp_path / "gradients.py"
    path.write_text(GRADIENTS)
    found = verify.verify(path, GRADIENTS, "loop", ["x=0.7, y=0.4"])
    assert found.diagnostics == () and "directions agree" in found.report and "not checked" in found.report
    monkeypatch.undo()
    with pytest.raises(S2SError, match="S4"):
        verify.verify(path, GRADIENTS, "nowhere", ["x=0.7"])


def test_a_function_of_another_module_that_returns_nothing(tmp_path: Path) -> None:
    (tmp_path / "checks_of_model.py").write_text(
        "def require_positive(x):\n    if x <= 0.0:\n        raise ValueError('not positive')\n"
    )
    path = tmp_path / "model_with_checks.py"
    path.write_text(
        "from checks_of_model import require_positive\n\n\ndef f(x: float):\n    require_positive(x)\n    return x**2\n"
    )
    assert verify.verify(path, path.read_text(), "f", ["x=0.7"]).diagnostics == ()


PARTS = """
from typing import NamedTuple
import numpy as np

class State(NamedTuple):
    mean: np.ndarray
    cov: np.ndarray

class Model:
    def __init__(self, h, n):
        self.W = np.linspace(0.3, 1.2, h * n).reshape(h, n)
        self.out = {"v": np.linspace(0.5, 0.9, h), "c": 0.1}
        self.act = "tanh"

    def hidden(self, x):
        z = self.W @ x
        return np.tanh(z) if self.act == "tanh" else np.maximum(z, 0.0)

    # s2s: wrt=self.W,x[0:2]
    def loss(self, x, y):
        return 0.5 * (self.out["v"] @ self.hidden(x) * x[1] - y) ** 2

    @staticmethod
    def scaled(x, k):
        return x**2 * k

def energy(params, x, pair):
    return np.log(np.sum(np.exp(params["W"] @ x[:2] + params["b"]))) * x[2] * pair[1]

def step(s: State, q):
    return s.mean @ s.cov @ s.mean * q
"""
MODEL = "self=Model(3, 2), x=np.array([0.3, 0.9]), y=0.4"
ENERGY = 'params={"b": np.array([0.1, 0.2]), "W": np.eye(2)}, x=np.array([0.5, 0.7, 0.9]), pair=(0.3, 0.8)'


@pytest.mark.parametrize(
    ("name", "at", "wrt", "named"),
    [
        ("Model.loss", MODEL, ("self.W", 'self.out["v"]'), 'self.W, self.out["v"]'),
        ("Model.loss", MODEL, None, "self.W, x[0:2]"),
        ("Model.loss", MODEL, ("y",), "y"),
        ("Model.scaled", "x=0.3, k=0.7", None, "x, k"),
        ("energy", ENERGY, ('params["b"]', "x[0:2]", "pair[1]"), 'params["b"], x[0:2], pair[1]'),
        ("energy", ENERGY, ("x[-1]", "params"), "params, x[-1]"),
        ("step", "s=State(np.array([0.1, 0.4]), np.eye(2) + 0.3), q=0.7", None, "s, q"),
        ("step", "s=State(np.array([0.1, 0.4]), np.eye(2) + 0.3), q=0.7", ("s.mean",), "s.mean"),
    ],
)
def test_methods_and_parts(tmp_path: Path, name: str, at: str, wrt: tuple[str, ...] | None, named: str) -> None:
    """Of a method, and with respect to what `--wrt` calls a part, which is moved where it lies."""
    path = tmp_path / "parts.py"
    path.write_text(PARTS)
    out = verify.verify(path, PARTS, name, (at,), wrt)
    assert not out.diagnostics, out.report
    assert out.report.partition("\n")[0].endswith(f"{name} with respect to {named}")
