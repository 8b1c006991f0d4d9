"""Calls into other modules: found by reading, derived as private helpers, checked against differences."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner

import s2s
from s2s import files
from s2s.cli import main
from s2s.errors import S2SError
from s2s.freshness import check, pairs
from s2s.pipeline import Request, differentiate

PACKAGE = {
    "pkg/__init__.py": "from .layers import dense as dense_layer\n",
    "pkg/act.py": """
import numpy

from .consts import SLOPE


def leaky(x, slope=SLOPE):
    return numpy.where(x > 0, x, slope * x)
""",
    "pkg/consts.py": "SLOPE = 0.1\nLIMIT = 2.0\n",
    "pkg/layers.py": '''
import numpy as numpy_

from . import act, consts
from .act import leaky


def _scale(x):
    return numpy_.tanh(x) * consts.LIMIT


def dense(x, W, b):
    """A layer."""
    h = x @ W + b
    h = leaky(h)
    for k in range(3):
        h = h + act.leaky(_scale(h))
    return h
''',
    "pkg/model.py": """
import numpy as np

import pkg
import pkg.losses as losses
from . import layers
from .layers import dense as lay


# s2s: W (n, n), b (n,), x (n,)
def loss(W, b, x):
    h = layers.dense(x, W, b)
    h = lay(h, W, b) + pkg.dense_layer(h, W, b)
    return losses.total(h) + losses.WEIGHT * np.sum(h)
""",
    "pkg/losses.py": """
WEIGHT = 3.0


def total(x):
    s = 0.0
    for v in x.ravel():
        s += v * v * WEIGHT
    return s
""",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that Python imports from; what a test has imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("model", "model_grad"):  # of a test before
        monkeypatch.delitem(sys.modules, name, raising=False)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]


def write(folder: Path, sources: dict[str, str]) -> None:
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    importlib.invalidate_caches()


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def made(folder: Path, sources: dict[str, str], module: str, *options: str) -> tuple[ModuleType, ModuleType]:
    """The module and the one with its derivatives, both imported."""
    write(folder, sources)
    path = folder / (module.replace(".", "/") + ".py")
    run("grad", str(path), *options)
    importlib.invalidate_caches()
    return importlib.import_module(module), importlib.import_module(module + "_grad")


def agree(primal: ModuleType, derived: ModuleType, name: str, *args: np.ndarray | float) -> None:
    """The gradient and the tangent of `name` in all arguments, against central differences along a direction."""
    rng = np.random.default_rng(0)
    f = getattr(primal, name)
    dots = [rng.standard_normal(np.shape(a)) for a in args]
    h = 1e-6
    ends = [f(*(a + s * h * d for a, d in zip(args, dots, strict=True))) for s in (1, -1)]
    want = (ends[0] - ends[1]) / (2 * h)
    kept = [np.copy(a) for a in args]
    value, grads = getattr(derived, name + "_value_and_grad")(*args)
    grads = grads if isinstance(grads, tuple) else (grads,)
    assert value == pytest.approx(f(*args), rel=1e-13)
    assert sum(np.sum(g * d) for g, d in zip(grads, dots, strict=True)) == pytest.approx(want, rel=1e-6)
    names = f.__code__.co_varnames[: len(args)]
    tangent = getattr(derived, name + "_jvp")(*args, **{f"{n}_dot": d for n, d in zip(names, dots, strict=True)})
    assert tangent[1] == pytest.approx(want, rel=1e-6)
    again = getattr(derived, name + "_value_and_grad")(*args)[1]
    for a, b in zip(grads, again if isinstance(again, tuple) else (again,), strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(args, kept, strict=True):
        np.testing.assert_array_equal(a, b)


BOTH = ("--emit", "value_and_grad,jvp")
RNG = np.random.default_rng(1)


def test_a_package_with_every_kind_of_import(project: Path) -> None:
    primal, derived = made(project, PACKAGE, "pkg.model", *BOTH)
    agree(primal, derived, "loss", RNG.uniform(0.1, 0.5, (3, 3)), RNG.uniform(0.1, 1, 3), RNG.uniform(0.1, 1, 3))
    text = (project / "pkg/model_grad.py").read_text()
    assert text.count("def _dense_rev(") == 1, "one module, whatever it is called"
    assert "from .act import leaky" in text and "from .consts import LIMIT, SLOPE" in text


def test_a_module_beside_the_file(project: Path) -> None:
    sources = {
        "helpers.py": """
import math

RATE = 2.0


def decay(x, rate=RATE):
    return math.exp(-rate * x)
""",
        "model.py": """
from helpers import decay


def f(x: float, k: float):
    return decay(x) * decay(k, rate=x)
""",
    }
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", 0.3, 0.7)
    assert "from helpers import decay, RATE" in (project / "model_grad.py").read_text()


def test_a_default_of_the_name_of_its_parameter(project: Path) -> None:
    """`g=g`: the default is that of the module, whatever the function calls its own."""
    sources = {
        "earth.py": "g = 9.81\nSCALES = (1.0, 3.0)\n",
        "flows.py": """
from math import pi, sqrt

from earth import SCALES, g


def froude(V, L, g=g, pi=pi, scale=SCALES[1]):
    return scale * V / sqrt(g * L * pi)
""",
        "model.py": """
from flows import froude


def f(V: float, L: float):
    return froude(V, L) ** 2 + froude(V, L=L, g=V)
""",
    }
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 1.3)


def test_a_module_that_hides_what_it_imported(project: Path) -> None:
    sources = {
        "curves.py": """
from math import pi

import numpy as np

pi = np.linspace(3.0, 4.0, 3)


def total(x):
    return np.sum(pi * x**2)
""",
        "model.py": """
from curves import total


def f(x: float):
    return total(x) * x
""",
    }
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", 0.7)


@pytest.mark.parametrize(
    "hidden",
    [
        "if True:\n    def exp(x):\n        return 1.0 + x * x",
        "for exp in (np.sin, np.cos):\n    pass",
        "exp, k = np.sin, 2.0",
        "try:\n    exp = np.cos\nexcept NameError:\n    pass",
        "def change():\n    global exp\n    exp = np.cos\n\nchange()",
        "(exp := np.cos)",
    ],
)
def test_an_imported_name_that_is_something_else_is_refused(hidden: str) -> None:
    text = f"import numpy as np\nfrom numpy import exp\n\n{hidden}\n\n\ndef f(x: float):\n    return exp(x)\n"
    assert "`module.exp` has no derivative rule" in refusal({}, text)


def test_names_that_differ_between_the_modules(project: Path) -> None:
    """The same name stands for different things in the two files; a local hides an imported function."""
    sources = {
        "other.py": """
import numpy as n
from math import sin as f


SCALE = 3.0


def inner(x):
    return SCALE * f(x)


def g(x):
    SCALE_ = SCALE * x
    return inner(SCALE_) * n.cos(x)
""",
        "model.py": """
import numpy as np
import other as o

SCALE = 7.0


def inner(x):
    return SCALE * x * x


def h(x: float):
    n = inner(x)
    f = o.g(n)
    return f * SCALE + n
""",
    }
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "h", 0.37)


def test_modules_that_import_each_other(project: Path) -> None:
    sources = {
        "a.py": "import b\n\n\ndef f(x: float):\n    return b.g(x) * x\n\n\ndef k(x: float):\n    return x**3\n",
        "b.py": "import a\n\n\ndef g(x):\n    return a.k(x) + x\n",
    }
    primal, derived = made(project, sources, "a", *BOTH)
    agree(primal, derived, "f", 1.3)


def test_a_star_import_of_a_module_that_is_read(project: Path) -> None:
    sources = {
        "tools.py": "import numpy as np\n\n\ndef soft(x):\n    return np.log1p(np.exp(x))\n",
        "model.py": "from tools import *\n\n\ndef f(x: float):\n    return soft(x) * x\n",
    }
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", 0.4)


def test_a_folder_without_init_is_a_package(project: Path) -> None:
    sources = {
        "space/deep/unit.py": "def sq(x):\n    return x * x\n",
        "model.py": "import space.deep.unit\n\n\ndef f(x: float):\n    return space.deep.unit.sq(x) + x\n",
    }
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", 0.4)


def test_a_helper_with_a_dict_of_another_module(project: Path) -> None:
    sources = {
        "net.py": 'import numpy as np\n\n\ndef layer(p, x):\n    return np.tanh(p["W"] @ x + p["b"])\n',
        "model.py": """
import numpy as np
from net import layer


# s2s: params["W"] (n, n), params["b"] (n,), x (n,)
def loss(params, x):
    return np.sum(layer(params, x) ** 2)
""",
    }
    primal, derived = made(project, sources, "model", "--wrt", "params")
    params = {"W": RNG.normal(size=(3, 3)), "b": RNG.normal(size=3)}
    x = RNG.normal(size=3)
    bar = derived.loss_grad(params, x)
    h = 1e-6
    for key in params:
        direction = RNG.normal(size=params[key].shape)
        ends = [primal.loss(params | {key: params[key] + s * h * direction}, x) for s in (1, -1)]
        assert np.sum(bar[key] * direction) == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)


def test_a_method_of_a_new_object_of_another_module(project: Path) -> None:
    sources = {
        "shapes.py": """
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    u: np.ndarray
    w: np.ndarray

    def squares(self):
        return sum(v @ v for v in self)
""",
        "model.py": """
from shapes import Pair


def f(x, y):
    return Pair(u=x * y, w=y).squares() * x[0]
""",
    }
    primal, derived = made(project, sources, "model", "--wrt", "x")
    x, y, h = RNG.normal(size=3), RNG.normal(size=3), 1e-6
    ends = [[primal.f(x + s * h * e, y) for s in (1, -1)] for e in np.eye(3)]
    np.testing.assert_allclose(derived.f_grad(x, y), [(a - b) / (2 * h) for a, b in ends], rtol=1e-6)


def test_the_library_reads_other_modules_too(project: Path) -> None:
    write(project, PACKAGE)
    model = importlib.import_module("pkg.losses")
    top = project / "top.py"
    top.write_text("from pkg.losses import total\n\n\ndef f(x):\n    return total(x) * 2.0\n")
    f = importlib.import_module("top").f
    np.testing.assert_allclose(s2s.grad(f)(np.array([1.0, 2.0])), 2.0 * model.WEIGHT * 2.0 * np.array([1.0, 2.0]))


def refusal(sources: dict[str, str], main_text: str, **request: object) -> str:
    with pytest.raises(S2SError) as caught:
        differentiate(main_text, Request(read=sources.get, **request))  # type: ignore[arg-type]
    return str(caught.value)


def test_a_module_without_source_is_refused_by_name() -> None:
    text = refusal({}, "import fastlib\n\n\ndef f(x: float):\n    return fastlib.kernel(x)\n")
    assert "error[S301]: `fastlib.kernel` has no derivative rule" in text
    assert "no Python source of the module `fastlib` was found" in text


def test_a_refusal_inside_another_module_names_its_line() -> None:
    text = refusal(
        {"helpers": "def g(x):\n    exec('x = 1')\n    return x[0]\n"},
        "import helpers\n\n\ndef f(x):\n    return helpers.g(x)\n",
    )
    assert "its source can't be differentiated: helpers.py:2: " in text


def test_a_rule_that_another_module_lacks_points_there() -> None:
    text = refusal(
        {"helpers": "import numpy as np\n\n\ndef g(x):\n    return np.vectorize(x)\n"},
        "import helpers\n\n\ndef f(x: float):\n    return helpers.g(x)\n",
    )
    assert "helpers.py:5:12" in text and "    return np.vectorize(x)" in text


def test_what_is_inactive_need_not_be_readable() -> None:
    text = differentiate(
        "import lib\n\n\ndef f(x: float):\n    k = lib.settings('a')\n    return x * x * k\n",
        Request(read={"lib": "def settings(name):\n    import os\n    return eval(os.environ[name])\n"}.get),
    )
    assert "2.0 * x * " in text


def test_a_default_that_reads_a_name_which_is_another_here() -> None:
    text = refusal(
        {},
        "K = 2.0\n\n\ndef g(x, k=K):\n    return x * x * k\n\n\ndef f(x: float):\n    K = 3.0 * x\n    return g(K)\n",
        functions=("f",),
    )
    assert "the default of `k` of `g` reads `K`" in text


def test_nothing_is_imported(project: Path) -> None:
    write(
        project,
        {
            "loud.py": "raise SystemExit('imported')\n\n\ndef g(x):\n    return x * x\n",
            "model.py": "import loud\n\n\ndef f(x: float):\n    return loud.g(x)\n",
        },
    )
    assert "_g_rev" in run("grad", "model.py", "-o", "-")


def test_check_sees_a_change_of_another_module(project: Path) -> None:
    write(project, PACKAGE)
    run("grad", "pkg/model.py")
    (pair,) = pairs([project / "pkg/model.py"])
    assert check(pair) is None and check(pair, fast=True) is None
    for name, old, new in (
        ("pkg/consts.py", "0.1", "0.2"),  # a default of a helper's helper
        ("pkg/layers.py", "range(3)", "range(4)"),
        ("pkg/__init__.py", "dense as", "_scale as"),  # what is offered again
    ):
        text = (project / name).read_text()
        (project / name).write_text(text.replace(old, new))
        for fast in (False, True):
            found = check(pair, fast=fast)
            assert found is not None and found.code == "S502", name
        (project / name).write_text(text)
        assert check(pair) is None
    with (project / "pkg/layers.py").open("a") as f:
        f.write("\n\ndef unrelated(x):\n    return x\n")
    assert check(pair) is None and check(pair, fast=True) is None


def test_the_reader_stays_within_python_names(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    read = files.reader(tmp_path)
    assert read("a") == "x = 1\n" and read(".a") == "x = 1\n"
    for name in ("../a", "a/b", "a.py", "", ".", "a b", "..a", "missing", ".__init__"):
        assert read(name) is None, name


TABLES = {
    "acts.py": """
import numpy as np
from numpy import tanh

SLOPE = 0.1


def relu(x):
    return np.maximum(x, 0.0)


def _leaky(x):
    return np.where(x > 0.0, x, SLOPE * x)


leaky = _leaky
scaled = lambda x: SLOPE * x
root = np.sqrt
TABLE = {"relu": relu, "leaky": leaky, "scaled": lambda x: SLOPE * x, "tanh": np.tanh}
STEPS = [relu, np.sin]
""",
    "model.py": """
import numpy as np

import acts
from acts import STEPS, leaky, root, scaled, tanh


def f(x, w):
    y = acts.TABLE["leaky"](w * x) + leaky(x) * acts.scaled(x) + tanh(x) * root(x)
    for step in STEPS:
        y = step(y) + x * scaled(w)
    return np.sum(y)


def g(x, kind):
    if kind not in acts.TABLE:
        raise KeyError(kind)
    return np.sum(acts.TABLE.get(kind, np.cos)(x) * x)
""",
}


def test_functions_that_another_module_holds_under_other_names(project: Path) -> None:
    """Tables, lambdas, second names, and functions of NumPy that it offers again."""
    primal, derived = made(project, TABLES, "model", *BOTH)
    agree(primal, derived, "f", RNG.uniform(0.1, 1.0, 3), RNG.uniform(0.1, 1.0, 3))
    x = RNG.uniform(-1.0, 1.0, 5)
    for kind in ("relu", "leaky", "scaled", "tanh"):
        grad, h = derived.g_value_and_grad(x, kind)[1], 1e-6
        ends = [primal.g(x + s * h * np.ones(5), kind) for s in (1, -1)]
        assert np.sum(grad) == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)
    with pytest.raises(KeyError):
        derived.g_value_and_grad(x, "none")
    line = next(s for s in (project / "model_grad.py").read_text().splitlines() if s.startswith("from acts import "))
    assert {*line[len("from acts import ") :].split(", ")} == {"SLOPE", "TABLE", "_leaky", "relu", "tanh"}


def test_check_sees_a_change_of_a_table_elsewhere(project: Path) -> None:
    write(project, TABLES)
    run("grad", "model.py", *BOTH)
    (pair,) = pairs([project])
    assert check(pair) is None and check(pair, fast=True) is None
    write(project, {"acts.py": TABLES["acts.py"].replace("[relu, np.sin]", "[relu, np.cos]")})
    assert check(pair) is not None and check(pair, fast=True) is not None


def test_a_fallback_of_which_the_functions_have_rules(project: Path) -> None:
    """Where the first module of a try is none that is known, the second one is meant."""
    text = "try:\n    import cupy as xp\nexcept ImportError:\n    import numpy as xp\n\n\n"
    primal, derived = made(project, {"model.py": f"{text}def f(x):\n    return xp.sum(xp.sin(x))\n"}, "model", *BOTH)
    agree(primal, derived, "f", RNG.uniform(0.1, 1.0, 3))


CYCLE = {
    "u.py": "import v\n\n\ndef a(x, n):\n    return x if n == 0 else v.b(x * x, n - 1)\n",
    "v.py": "import u\n\n\ndef b(x, n):\n    return 1.0 + x if n == 0 else u.a(x + 0.1, n - 1) * x\n",
    "model.py": "import u\n\n\ndef f(x):\n    return u.a(x, 3) + u.a(x, 4)\n",
}


def test_functions_of_two_modules_that_call_each_other(project: Path) -> None:
    """The tangent asked for the function by the name that it has in its own module."""
    primal, derived = made(project, CYCLE, "model", *BOTH)
    agree(primal, derived, "f", 0.5)


SET_FROM_OUTSIDE = {
    "lib.py": """
FLAG = False
N = 2
TABLE = {"a": 2.0}


def g(x):
    if FLAG:
        return x**4 * N
    return x**N


def h(x):
    return x ** TABLE["a"] * TABLE["a"]
""",
    "flags.py": "import lib\nfrom lib import g\n\nlib.FLAG = True\nlib.N = 2.5\n\n\ndef f(x):\n    return g(x)\n",
    "tables.py": 'from lib import TABLE, h\n\nTABLE["a"] = 5.0\n\n\ndef f(x):\n    return h(x)\n',
    "patched.py": "import lib\nfrom second import f2\n\n\ndef g(x):\n    return x**5\n\n\nlib.g = g\n\n\n"
    "def f(x):\n    return f2(x)\n",
    "second.py": "import lib\n\n\ndef f2(x):\n    return lib.g(x) * x\n",
}


@pytest.mark.parametrize("name", ["flags", "tables"])
def test_what_the_file_sets_in_another_module_is_set_in_the_output(project: Path, name: str) -> None:
    """The derivative imports the file: without that, it is one of what the other module has by itself."""
    write(project, SET_FROM_OUTSIDE)
    run("grad", f"{name}.py", "--emit", "value_and_grad,jvp")
    derived = importlib.import_module(f"{name}_grad")
    value, slope = derived.f_value_and_grad(0.7)
    agree(importlib.import_module(name), derived, "f", 0.7)
    assert (value, slope) == derived.f_value_and_grad(0.7)


def test_a_function_that_the_file_replaces_in_another_module_is_not_known(project: Path) -> None:
    write(project, SET_FROM_OUTSIDE)
    result = CliRunner().invoke(main, ["grad", "patched.py::f"])
    assert result.exit_code == 1 and "another module binds `g` of `lib` to something else" in result.output


@pytest.mark.parametrize("start", ["from . import impl as util", "from . import util\n\nutil = type(util)"])
def test_a_name_that_a_package_gives_to_something_else_than_its_module(project: Path, start: str) -> None:
    files = {"pkg/__init__.py": f"{start}\n", "pkg/impl.py": "def g(x):\n    return x**3\n"}
    files |= {"pkg/util.py": "def g(x):\n    return x**2\n"}
    write(project, files | {"model.py": "from pkg import util\n\n\ndef f(x):\n    return util.g(x)\n"})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1 and "S301" in result.output


def test_a_package_that_fetches_a_module_when_it_is_asked_for(project: Path) -> None:
    """What it offers is bound by its imports: `globals()[name] =` in `__getattr__` is about the names beside those."""
    sources = {
        "pkg/__init__.py": """
from . import scales

if scales.EXACT:
    from . import drag
    from .drag import *

    __all__ = ["drag", "scales"]
    __all__.extend(drag.__all__)

    def __getattr__(name):
        if name == "plots":
            import pkg.plots

            globals()[name] = pkg.plots
            return pkg.plots
        raise AttributeError(name)
""",
        "pkg/scales.py": "EXACT = True\n",
        "pkg/plots.py": "import curses\n",
        "pkg/drag.py": '__all__: list[str] = ["stokes"]\n\n\ndef stokes(re):\n    return 24.0 / re\n',
        "pkg/fall.py": """
from pkg.drag import stokes


def f(speed: float, size: float):
    return stokes(speed * size) + 0.4 * speed
""",
    }
    primal, derived = made(project, sources, "pkg.fall", *BOTH)
    agree(primal, derived, "f", 0.7, 1.3)


def test_objects_of_another_module_that_are_called(project: Path) -> None:
    pid = "class Pid:\n    def __init__(self, kp, ki=0.0):\n        self.kp = kp\n        self.ki = ki\n\n"
    pid += "    def __call__(self, err):\n        return -self.kp * err - self.ki * err**2\n"
    text = "import controllers\nfrom controllers import Pid\n\n\ndef f(k, x):\n    first = Pid(k, ki=0.1 * k)\n"
    text += "    second = controllers.Pid(x)\n    for _ in range(3):\n        x = x + 0.1 * first(x) * second(k)\n"
    sources = {"controllers.py": pid, "loop.py": f"{text}    return x\n"}
    agree(*made(project, sources, "loop", *BOTH), "f", 0.7, 0.4)


BOXES = """
class Box:
    def __init__(self, size, shape):
        self.size = size
        self.shape = shape

    def grown(self, k):
        return Box(self.size * k, self.shape)


def box(x):
    return Box(x[0] * x[1], x[1])


def shifted(x):
    return x + 1.0
"""


def test_words_of_a_text_stay_where_a_constant_gets_another_name(project: Path) -> None:
    lib = 'LIMIT = 3\n\n\ndef weigh(x):\n    return x * x if f"LIMIT {LIMIT}" == "LIMIT 3" else x\n'
    text = "from lib import weigh\n\nLIMIT = 9\n\n\ndef f(x):\n    return weigh(x) * x * LIMIT\n"
    agree(*made(project, {"lib.py": lib, "words.py": text}, "words", *BOTH), "f", 0.7)


def test_an_attribute_of_what_a_method_of_a_class_of_another_module_returns(project: Path) -> None:
    text = "import boxes\n\n\n# s2s: x (n,)\ndef f(x):\n    made = boxes.Box(x[0], x[1]).grown(x[2]).size\n"
    text += "    return made * x[1]\n"
    agree(*made(project, {"boxes.py": BOXES, "grown.py": text}, "grown", *BOTH), "f", RNG.normal(size=3))


def test_attributes_with_names_of_those_of_arrays_of_a_class_of_another_module(project: Path) -> None:
    text = "from boxes import Box\n\n\ndef make(x):\n    return Box(x[0], x[1])\n\n\ndef pick(x):\n"
    text += "    return (Box(x[1], x[2]), x[2]), x[0]\n\n\n# s2s: x (n,)\ndef f(x):\n    (c, y), z = pick(x)\n"
    text += "    whole = pick(x)\n    return make(x).size * c.shape * y + whole[0][0].size * z + x.size\n"
    agree(*made(project, {"boxes.py": BOXES, "sized.py": text}, "sized", *BOTH), "f", RNG.normal(size=3))


@pytest.mark.parametrize(
    "made",
    [
        "box(x).size",
        "wrap(x).size",
        "boxes.box(x).size",
        "list(map(box, [x]))[0].size",
        "other(x).size",
        "sum(b.size for b in [box(x)])",
    ],
)
def test_attributes_of_objects_that_another_module_makes_are_refused(made: str) -> None:
    text = "import boxes\nfrom boxes import box\n\n\ndef wrap(x):\n    return box(x)\n\n\ndef f(x):\n    other = box\n"
    refused = refusal({"boxes": BOXES}, f"{text}    made = {made}\n    return made * x[1]\n")
    assert "S216" in refused and "arrays have it and a class, and which of them is not known" in refused


def test_attributes_of_arrays_that_another_module_makes() -> None:
    text = "import boxes\n\n\ndef f(x):\n    return boxes.shifted(x).size * boxes.shifted(x)[0]\n"
    assert "x_bar" in differentiate(text, Request(read={"boxes": BOXES}.get))


BASE = """
import numpy as np

K = 2.0
TABLE = {"slope": np.sin}
LEVELS = [1.0, 2.0]
CONFIG = {"k": 2.0}


class Law:
    def __init__(self, c):
        self.c = c

    def at(self, x):
        return self.c * x**2


def set_k(k):
    CONFIG["k"] = k


def g(x):
    return x**3


def deep(x):
    return g(x) * x


def slope(x):
    return TABLE["slope"](x) * x


def scaled(x):
    return K * x * x


def levels(x):
    return LEVELS[0] * x * x


def config(x):
    return CONFIG["k"] * x * x
"""

CHANGED_BY_OTHERS = {
    "a table": ('import base\nimport numpy as np\n\nbase.TABLE["slope"] = np.exp\n', "base.slope(x)"),
    "a table by a second name": (
        "import base\nimport numpy as np\n\nt = base.TABLE\nt.update(slope=np.exp)\n",
        "base.slope(x)",
    ),
    "a function": ("import base\n\n\ndef fast(x):\n    return x**5\n\n\nbase.g = fast\n", "base.deep(x)"),
    "a function by setattr": ('import base\n\nfor n in ("g",):\n    setattr(base, n, abs)\n', "base.deep(x)"),
    "a function by its dict": ('import base\n\nbase.__dict__["g"] = abs\n', "base.deep(x)"),
    "a method": ("from base import Law\n\n\ndef at(self, x):\n    return x**5\n\n\nLaw.at = at\n", "law.at(x)"),
    "a constant": ("import base\n\nbase.K = 5.0\n", "base.scaled(x)"),
    "a constant that was imported before": ("import base\n\nbase.K = 5.0\n", "K * x"),
}


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("name", CHANGED_BY_OTHERS)
def test_what_one_module_does_to_another_is_seen_by_a_third(project: Path, name: str, beside: bool) -> None:
    """The file calls `base`, and `patch` has changed it: what its text says is not what runs."""
    patch, result = CHANGED_BY_OTHERS[name]
    text = (
        "import base\nfrom base import K\nimport through\n" if beside else f"import base\nfrom base import K\n{patch}"
    )
    text += f"\n\ndef f(x):\n    law = base.Law(2.0)\n    return {result} + x * law.c\n"
    write(project, {"base.py": BASE, "patch.py": patch, "through.py": "import patch\n", "model.py": text})
    found = CliRunner().invoke(main, ["grad", "model.py::f"])
    if name == "a constant" and not beside:
        assert found.exit_code == 0
        derived = importlib.import_module("model_grad")  # and not of the `K` that was imported before
        assert derived.f_grad(0.5) == pytest.approx(2 * 5.0 * 0.5 + 2.0)
    else:
        assert found.exit_code == 1 and "S901" not in found.output, found.output


STIRRED = {
    "a call": ("import base\n\nbase.set_k(7.0)\n", "base.config(x)"),
    "a list": ("import base\n\nbase.LEVELS[0] = 7.0\n", "base.levels(x)"),
    "an attribute": ("import base\n\nbase.K = 7.0\n", "base.K * x * x"),
}


@pytest.mark.parametrize("name", STIRRED)
def test_a_derivative_imports_what_changes_the_modules_that_it_reads(project: Path, name: str) -> None:
    """By itself, without the file: values are as they are when all modules of the file are imported."""
    patch, result = STIRRED[name]
    text = f"import base\nimport patch\n\n\ndef f(x):\n    return {result} + x\n"
    write(project, {"base.py": BASE, "patch.py": patch, "model.py": text})
    run("grad", "model.py::f", "--emit", "value_and_grad,jvp")
    derived = importlib.import_module("model_grad")
    assert derived.f_value_and_grad(2.0) == (30.0, 29.0)
    agree(importlib.import_module("model"), derived, "f", 2.0)


def test_a_derivative_is_out_of_date_once_a_module_changes_another(project: Path) -> None:
    text = "import base\nimport patch\n\n\ndef f(x):\n    return base.deep(x) + x\n"
    write(project, {"base.py": BASE, "patch.py": "import base\n", "model.py": text})
    run("grad", "model.py::f")
    (pair,) = pairs([project / "model.py"])
    assert check(pair) is None and check(pair, fast=True) is None
    write(project, {"patch.py": CHANGED_BY_OTHERS["a function"][0]})
    assert check(pair) is not None and check(pair, fast=True) is not None


def test_a_constant_that_the_module_which_reads_it_changes(project: Path) -> None:
    """The output would import `K` before `patch` has changed it."""
    patch = CHANGED_BY_OTHERS["a constant"][0] + "\n\ndef own(x):\n    return base.K * x * x\n"
    text = "from patch import own\n\n\ndef f(x):\n    return own(x) + x\n"
    write(project, {"base.py": BASE, "patch.py": patch, "model.py": text})
    found = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert found.exit_code == 1 and "`base.K` has no fixed value" in found.output


def test_what_the_file_changes_is_imported_behind_the_file(project: Path) -> None:
    """`g.K` is no name of `K` in a function that has a `g` of its own."""
    text = "import base as g\n\ng.K = 7.0\n\n\ndef f(x):\n    return g.scaled(x) + g.own(x)\n"
    own = "\n\ndef own(x):\n    g = x * x\n    return K * g * x\n"
    write(project, {"base.py": BASE + own, "model.py": text})
    run("grad", "model.py::f", "--emit", "value_and_grad,jvp")
    assert importlib.import_module("model_grad").f_value_and_grad(2.0) == (84.0, 112.0)
    lines = (project / "model_grad.py").read_text().split("\n")
    (base,) = (line for line in lines if line.startswith("from base import "))
    assert lines.index("from model import g") < lines.index(base)


def test_an_import_inside_a_function_that_changes_another_module(project: Path) -> None:
    """The first call changes what later calls read."""
    text = "from base import scaled\n\n\ndef late(x):\n    from patch import base\n\n    return base.g(x)\n\n\n"
    text += "def f(x):\n    return scaled(x) + late(x)\n"
    write(project, {"base.py": BASE, "patch.py": CHANGED_BY_OTHERS["a constant"][0], "model.py": text})
    found = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert found.exit_code == 1 and "S901" not in found.output


def test_attributes_of_objects_of_another_module(project: Path) -> None:
    """`LAW.c` is that of the object: there is no module `laws.LAW`."""
    laws = "class Law:\n    k = 3.0\n\n    def __init__(self, c):\n        self.c = c\n\n\nLAW = Law(2.0)\n\n\n"
    laws += "def at(x):\n    return LAW.c * x * x * Law.k\n"
    text = "from laws import at\n\n\ndef f(x):\n    return at(x)\n"
    agree(*made(project, {"laws.py": laws, "model.py": text}, "model", *BOTH), "f", 0.7)


def test_what_only_a_script_imports(project: Path) -> None:
    """The module has no `demo` for others, and what `demo` does is not done where the module is imported."""
    text = "from base import scaled\n\n\ndef f(x):\n    return scaled(x)\n\n\n"
    text += 'if __name__ == "__main__":\n    from shown import demo\n\n    demo()\n'
    write(project, {"base.py": BASE, "shown.py": "def demo():\n    print(1)\n", "model.py": text})
    run("grad", "model.py::f", "--emit", "value_and_grad,jvp")
    assert "from model import" not in (project / "model_grad.py").read_text()
    assert importlib.import_module("model_grad").f_value_and_grad(2.0) == (8.0, 8.0)


def test_a_method_of_an_object_of_scipy_under_another_name(project: Path) -> None:
    """There is no module `scipy.stats.norm`."""
    base = "import numpy\nfrom scipy.stats import norm\n\nN = norm.cdf\n\n\ndef price(x):\n    return x * N(x)\n"
    text = "import numpy\nfrom base import price\n\n\ndef f(x):\n    y = price(x)\n    return numpy.exp(y) * y\n"
    write(project, {"base.py": base, "model.py": text})
    run("grad", "model.py::f", "--emit", "value_and_grad,jvp")
    f, derived = importlib.import_module("model").f, importlib.import_module("model_grad").f_value_and_grad
    np.testing.assert_allclose(derived(0.7)[1], (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rtol=1e-8)


def test_a_table_that_reads_a_module_beside_it(project: Path) -> None:
    beside = "import numpy\n\nfrom . import laws\n\nT = {'a': laws.cube, 'b': lambda x: laws.cube(x) + numpy.abs(x)}\n"
    laws = "def cube(x):\n    return x**3\n"
    text = "from .tables import T\n\n\ndef f(x):\n    return T['a'](x) * T['b'](x)\n"
    write(project, {"p/__init__.py": "", "p/laws.py": laws, "p/tables.py": beside, "p/model.py": text})
    run("grad", "p/model.py::f", "--emit", "value_and_grad,jvp")
    assert "import numpy\n" in (project / "p/model_grad.py").read_text()
    assert importlib.import_module("p.model_grad").f_value_and_grad(2.0) == (80.0, 12.0 * 10.0 + 8.0 * 13.0)


@pytest.mark.parametrize("call", ["g(x, **options)", "C(x, **options).k"])
def test_options_that_are_handed_on_to_another_module(project: Path, call: str) -> None:
    base = "K = 5.0\n\n\ndef g(x, **opts):\n    return K * x * opts['a']\n"
    own = "\n\nclass C:\n    def __init__(self, k, **kw):\n        self.k = k * kw['a']\n"
    text = f"from base import g\n\nK = 2.0\n{own}\n\ndef f(x, **options):\n    return {call}\n"
    write(project, {"base.py": base, "model.py": text})
    found = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert found.exit_code == 1 and "S901" not in found.output


def test_types_that_another_module_names(project: Path) -> None:
    """`Vector` of a module of types says that a parameter has one axis, in this module and in helpers elsewhere."""
    types = "import numpy as np\n\nVector = np.ndarray[tuple[int], np.dtype[np.float64]]\n"
    helper = "from types_ import Vector\n\n\ndef scaled(v: Vector, w: float):\n    return v * w\n"
    text = (
        "import numpy as np\nfrom types_ import Vector\nimport types_ as t\nfrom helper import scaled\n\n\n"
        "def f(x: Vector, y: t.Vector, w: float):\n    return np.sum(scaled(x, w) * np.outer(x, y))\n"
    )
    sources = {"types_.py": types, "helper.py": helper, "model.py": text}
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", RNG.uniform(0.1, 0.5, 3), RNG.uniform(0.1, 0.5, 3), 0.7)
    written = (project / "model_grad.py").read_text()
    assert "assert np.ndim(x) == np.ndim(y) == 1" in written and "_unbroadcast" not in written


def test_functions_of_one_name_of_two_modules(project: Path) -> None:
    """What a variable holds was told by the last name: both were the one."""
    text = (
        "import cubes\nimport squares\n\n\ndef f(x, c: int):\n    if c > 0:\n        h = squares.g\n    else:\n"
        "        h = cubes.g\n    if h is cubes.g:\n        x = 2.0 * x\n    return h(x) * x\n"
    )
    sources = {"squares.py": "def g(x):\n    return x * x\n", "cubes.py": "def g(x):\n    return x * x * x\n"}
    primal, derived = made(project, sources | {"model.py": text}, "model", "--emit", "value_and_grad,jvp", "--wrt", "x")
    for c in (0, 1):
        h = 1e-6
        want = (primal.f(0.8 + h, c) - primal.f(0.8 - h, c)) / (2 * h)
        value, grad = derived.f_value_and_grad(0.8, c)
        assert value == primal.f(0.8, c) and grad == pytest.approx(want)
        assert derived.f_jvp(0.8, c, x_dot=1.0)[1] == pytest.approx(want)


def test_what_stands_in_for_an_import_that_fails(project: Path) -> None:
    """`def cbrt` behind `except ImportError` does not hide the function that the module imports, and offers again."""
    compat = "try:\n    from math import cbrt\nexcept ImportError:\n    def cbrt(x):\n        return x ** (1.0 / 3.0)\n"
    text = "from compat import cbrt\n\n\ndef f(x):\n    return 2.0 * cbrt(x)\n"
    primal, derived = made(project, {"compat.py": compat, "model.py": text}, "model", *BOTH)
    agree(primal, derived, "f", 0.7)


def test_a_number_that_is_written_into_an_array_elsewhere(project: Path) -> None:
    """`z[z > 9.0] = LARGE` in a module does not change LARGE, which a default reads."""
    other = (
        "from consts import LARGE\n\n\ndef cut(z):\n    w = LARGE\n    w *= 2.0\n    z[z > 9.0] = LARGE\n    return z\n"
    )
    own = "from consts import LARGE\nimport other\n\n\ndef f(x, scale=LARGE):\n    return x * scale\n"
    sources = {"consts.py": "LARGE = 3.0\n", "other.py": other, "model.py": own}
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 1.3)


def test_a_function_that_another_module_replaces_is_called_so(project: Path) -> None:
    """Its module offers what a module of the same package defines."""
    files = {
        "tools/__init__.py": "from tools.inner import soft\n",
        "tools/inner.py": "def soft(x):\n    return x * x\n",
        "other.py": "import tools\n\n\ndef change():\n    tools.soft = abs\n",
        "model.py": "import other\nfrom tools import soft\n\n\ndef f(x):\n    return soft(x)\n",
    }
    write(project, files)
    output = " ".join(CliRunner().invoke(main, ["grad", "model.py::f"]).output.split())
    assert "another module binds `soft` of `tools` to something else" in output


@pytest.mark.parametrize("outside", ["import base\n\nbase.K = 7.0\n", "import patch\n"])
def test_a_module_that_is_imported_inside_is_as_the_file_has_left_it(project: Path, outside: str) -> None:
    """The output imports the file first, though it reads nothing of it."""
    text = outside + "\n\ndef f(x):\n    import base as b\n\n    return b.K * x * x\n"
    write(project, {"base.py": BASE, "patch.py": "import base\n\nbase.K = 7.0\n", "model.py": text})
    run("grad", "model.py::f", "--emit", "value_and_grad,jvp")
    assert importlib.import_module("model_grad").f_value_and_grad(2.0) == (28.0, 28.0)
    agree(importlib.import_module("model"), importlib.import_module("model_grad"), "f", 2.0)


@pytest.mark.parametrize("more", ["", "    kinds = (nosuchmodule.Expr,)\n"])
@pytest.mark.parametrize("otherwise", ["", "    nosuchmodule = None\n"])
def test_a_module_that_may_be_missing_is_imported_as_such(project: Path, more: str, otherwise: str) -> None:
    there = "nosuchmodule is not None" if otherwise else "_there"
    vectors = (
        f"import numpy as np\n\ntry:\n    import nosuchmodule\n{more}    _there = True\n"
        f"except ImportError:\n{otherwise}    _there = False\n\n\n"
        f"def size(v):\n    if {there} and isinstance(v, nosuchmodule.Expr):\n        return nosuchmodule.sqrt(v)\n"
        "    return np.sqrt(np.sum(v**2))\n"
    )
    model = "from vectors import size\n\n\ndef f(v):\n    return v[0] / size(v)\n"
    for sources, module, name in (({"vectors.py": vectors}, "vectors", "size"), ({"model.py": model}, "model", "f")):
        primal, derived = made(project, sources, module, *BOTH)
        agree(primal, derived, name, np.array([0.4, 0.7, 1.1]))


def test_settings_that_a_package_holds(project: Path) -> None:
    files = {
        "pkg/__init__.py": 'SETTINGS = {"gain": 2.0, "power": 3}\nTABLE = {"a": {"gain": 0.5, "power": 2}}\n',
        "pkg/model.py": (
            "import numpy as np\nimport pkg\nfrom . import SETTINGS\n\n\n"
            "def _g(x, gain, power=1):\n    return gain * x**power\n\n\n"
            "def f(x, y):\n    p = {**SETTINGS, 'gain': y}\n"
            "    return _g(x, **SETTINGS) * _g(y, **pkg.TABLE['a']) * p['gain'] * p['power']\n"
        ),
    }
    primal, derived = made(project, files, "pkg.model", *BOTH, "--wrt", "x,y")
    agree(primal, derived, "f", 0.7, 0.3)


def test_settings_of_a_package_that_it_changes(project: Path) -> None:
    files = {
        "pkg/__init__.py": 'SETTINGS = {"gain": 2.0}\nSETTINGS["power"] = 3\n',
        "pkg/model.py": "from . import SETTINGS\n\n\ndef _g(x, gain, power=1):\n    return gain * x**power\n\n\n"
        "def f(x):\n    return _g(x, **SETTINGS)\n",
    }
    write(project, files)
    result = CliRunner().invoke(main, ["grad", str(project / "pkg/model.py")])
    assert result.exit_code == 1 and "S213" in result.output


CONSTANTS = "import numpy as np\n\nG = 9.81\nK = np.array([1.0, 2.0])\nTABLE = {'a': 1.5, 'b': 2.0}\n"
READING = """
import numpy as np
{imports}


def f(x):
    a = x * {at}K
    a1 = a
    a1 *= {at}G * {at}TABLE["a"]
    s = x[0]
    s *= {at}G
    return np.sum(a1 * a) + s
"""


@pytest.mark.parametrize(
    ("imports", "at"),
    [
        ("from units import G, K, TABLE", ""),
        ("import units", "units."),
        ("import units as u", "u."),
        ("import physics.units", "physics.units."),
        ("from physics import units", "units."),
    ],
)
def test_constants_of_other_modules_are_known(project: Path, imports: str, at: str) -> None:
    """What the text there gives: a number is no array that has to be summed over, and an array is one."""
    sources = {"units.py": CONSTANTS, "physics/__init__.py": "", "physics/units.py": CONSTANTS}
    sources["model.py"] = READING.format(imports=imports, at=at)
    primal, derived = made(project, sources, "model", *BOTH)
    agree(primal, derived, "f", np.array([0.3, -0.7]))
    text = (project / "model_grad.py").read_text()
    assert f"s_bar = {at}G\n" in text
    assert "np.ndim(a1)" not in text  # `a1 *= ...` writes into an array


SWEEPS = '''
import numpy as np

SCALE = 0.5


def limit(a):
    return np.tanh(SCALE * a)


def sweep(F, a, dx, n=2):
    """What is changed is returned, too."""
    # from left to right
    for i in range(1, len(F)):
        F[i] += dx * limit(a[i]) * F[i - 1]  # upwind
    if n > 1:
        F *= SCALE
    return F


def drain(F, flux):
    F += -flux
    F += np.roll(flux, 1)
    return F
'''


@pytest.mark.parametrize("by_name", [True, False])
def test_a_function_of_another_module_that_returns_the_array_it_writes(project: Path, by_name: bool) -> None:
    imported = "from sweeps import drain, sweep" if by_name else "import sweeps"
    own = "" if by_name else "sweeps."
    model = (
        f"import numpy as np\n{imported}\n\n\n# s2s: x (n,)\ndef f(x, k: float):\n    M = x * k\n"
        "    for _ in range(2):\n"
        f"        M = {own}sweep(M, x, k)\n        M = {own}drain(M, x**2)\n"
        f"    N = {own}sweep(M.copy(), x, k, n=1)\n    return np.sum(np.sin(M) * N)\n"
    )
    primal, derived = made(project, {"sweeps.py": SWEEPS, "model.py": model}, "model", *BOTH)
    agree(primal, derived, "f", np.array([0.3, 0.8, -0.5]), 1.3)
    text = (project / "model_grad.py").read_text()
    assert "# from left to right" in text and "# upwind" in text


def test_a_name_that_such_a_function_reads_is_another_one_here() -> None:
    model = (
        "import numpy as np\nfrom sweeps import sweep\n\nSCALE = 3.0\n\n\n# s2s: x (n,)\ndef f(x):\n    M = 2.0 * x\n"
    )
    model += "    for _ in range(2):\n        M = sweep(M, x, 0.1)\n    return np.sum(M * SCALE)\n"
    assert "S239" in refusal({"sweeps": SWEEPS}, model)


def test_a_helper_of_another_module_that_may_write_is_shown_there() -> None:
    model = "import numpy as np\nfrom sweeps import drain\n\nSCALE = 3.0\n\n\ndef f(x, k):\n    M = x * k\n"
    model += "    M = drain(M, x)\n    return np.sum(M * SCALE)\n"
    text = refusal({"sweeps": SWEEPS.replace("-flux", "-SCALE * flux")}, model)
    assert "sweeps.py:" in text and "    F += -SCALE * flux" in text


def test_a_function_of_a_library_that_an_attribute_holds_is_not_changed(project: Path) -> None:
    """`self.sqrt = cholesky` binds an attribute of the object, not of what it holds."""
    files = {
        "roots.py": "from numpy.linalg import cholesky\n\n\nclass Root:\n    def __init__(self, sqrt=None):\n"
        "        if sqrt is None:\n            self.sqrt = cholesky\n        else:\n            self.sqrt = sqrt\n",
        "model.py": "import numpy as np\nimport roots\n\n\n# s2s: x (n,)\ndef f(x):\n"
        "    return np.sum(np.linalg.cholesky(np.outer(x, x) + np.eye(len(x))))\n",
    }
    primal, derived = made(project, files, "model", *BOTH)
    agree(primal, derived, "f", np.array([0.3, 0.8, -0.5]))


@pytest.mark.parametrize(
    "patch", ["self.lib = np\n        self.lib.sin = np.cos", "lib = np\n        lib.sin = np.cos", "patch(np)"]
)
def test_a_library_that_an_attribute_holds_may_be_changed(patch: str) -> None:
    files = {
        "roots": "import numpy as np\n\n\ndef patch(m):\n    m.sin = m.cos\n\n\n"
        f"class Root:\n    def __init__(self):\n        {patch}\n",
    }
    assert "S301" in refusal(files, "import numpy as np\nimport roots\n\n\ndef f(x: float):\n    return np.sin(x)\n")


def test_static_methods_and_objects_that_only_another_module_imports(project: Path) -> None:
    primal, derived = made(
        project,
        {
            "circles.py": "class Circle:\n    @staticmethod\n    def area(r):\n        return 3.0 * r * r\n",
            "geometry.py": (
                "from sys import stderr\n\nfrom circles import Circle\n\n\ndef ring(x, y):\n    if x < y:\n"
                "        stderr.write('inside out\\n')\n    return Circle.area(x) - Circle.area(y)\n"
            ),
            "model.py": "from geometry import ring\n\n\ndef f(x, y):\n    return ring(x, y) * x\n",
        },
        "model",
        *BOTH,
        "--wrt",
        "x,y",
    )
    agree(primal, derived, "f", 0.3, 0.7)


@pytest.mark.parametrize(
    "change",
    [
        "    b = lib.keep(x)\n    b[0] = x\n    return lib.keep(x)[0] * x\n",
        "    b = lib.grown(x)\n    b.append(x)\n    return sum(lib.grown(x)) * x\n",
        "    b = lib.shared(x)\n    b.append(x)\n    return sum(lib.LST) * x\n",
    ],
)
def test_a_default_of_another_module_that_this_one_changes_is_refused(change: str) -> None:
    library = (
        "import numpy as np\n\nLST = [1.0, 2.0]\n\n\ndef keep(x, box=np.zeros(2)):\n    return box\n\n\n"
        "def grown(x, box=[0.0, 0.0]):\n    return box\n\n\ndef shared(x, box=LST):\n    return box\n"
    )
    with pytest.raises(S2SError, match="S212"):
        differentiate(f"import lib\n\n\ndef f(x):\n{change}", Request(read={"lib": library}.get))
    unchanged = "import lib\n\n\ndef f(x):\n    return (lib.keep(x)[0] + lib.grown(x)[1]) * x\n"
    assert "x_bar" in differentiate(unchanged, Request(read={"lib": library}.get))


def test_a_module_that_changes_objects_of_another_one_with_a_property_that_is_computed_once() -> None:
    files = {
        "gp": "from functools import cached_property\n\n\nclass Model:\n    def __init__(self, a):\n"
        "        self.a = a\n\n    @cached_property\n    def square(self):\n        return self.a * self.a\n",
    }
    text = "from gp import Model\n\n\ndef f(x, y):\n    m = Model(x)\n    s = m.square\n    m.a = y\n    return s\n"
    assert "S212" in refusal(files, text)


STATEFUL = {
    "a list of the module": "LOG = []\n\n\ndef count():\n    LOG.append(1.0)\n    return len(LOG)\n",
    "a global variable": "n = 0\n\n\ndef count():\n    global n\n    n += 1\n    return n\n",
    "an object": "class Box:\n    n = 0\n\n\nBOX = Box()\n\n\ndef count():\n    BOX.n += 1\n    return BOX.n\n",
    "a default": "def count(seen={}):\n    seen[len(seen)] = 1\n    return len(seen)\n",
    "a closure": "def make():\n    n = 0\n\n    def hit():\n        nonlocal n\n        n += 1\n        return n\n\n"
    "    return hit\n\n\ncount = make()\n",
}


@pytest.mark.parametrize("name", STATEFUL)
def test_a_function_of_another_module_that_changes_what_it_holds_runs_once(name: str) -> None:
    files = {"lib": STATEFUL[name]}
    again = "from lib import count\n\n\ndef g(x):\n    return x * x * count()\n\n\ndef f(x):\n    return g(g(x)) * x\n"
    assert "`g` calls `lib.count`, which may give something else" in refusal(files, again)
    once = (
        "from lib import count\n\n\ndef f(x):\n    for _ in range(3):\n        if count() % 2:\n            x = x * x\n"
    )
    written = differentiate(once + "    return x\n", Request(read=files.get, emit=("vjp",)))
    assert written.count("count()") == 1


FICKLE = """
class Model:
    def __init__(self):
        self.n = 0

    @property
    def seen(self):
        self.n += 1
        return self.n

    def __getitem__(self, i):
        return self.moved(i)

    def moved(self, i):
        self.n += i
        return self.n


MODEL = Model()
"""


@pytest.mark.parametrize("read", ["MODEL.seen", "MODEL[1]", "lib.MODEL.seen", "lib.MODEL[1]"])
def test_an_object_of_a_module_that_a_read_changes_is_refused(read: str) -> None:
    here = FICKLE if not read.startswith("lib") else "import lib\n"
    text = f"{here}\n\ndef g(x):\n    return x * x * {read}\n\n\ndef f(x):\n    return g(g(x)) * x\n"
    assert "that may change by that" in refusal({"lib": FICKLE}, text)


def test_functions_of_another_module_that_change_lists_and_dicts(project: Path) -> None:
    helpers = (
        "def push(xs, v):\n    xs.append(v)\n    xs.append(v * v)\n\n\ndef bump(d):\n    d['x'] *= 3\n\n\n"
        "def drop(xs):\n    xs.pop(0)\n"
    )
    text = (
        "import ops\nfrom ops import push\n\n\ndef f(a: float, b: float):\n    xs = [a]\n    push(xs, b * a)\n"
        "    d = {'x': a}\n    d['y'] = b * b\n    ops.bump(d)\n    ops.drop(xs)\n    return sum(xs) * d['y']\n"
    )
    agree(*made(project, {"ops.py": helpers, "model.py": text}, "model", *BOTH, "--wrt", "a,b"), "f", 0.3, 0.7)
