"""Jacobians, Hessians and Hessian-vector products, held against differences, closed forms and each other."""

from __future__ import annotations

import ast
import copy
import inspect
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import checking
import numeric
import s2s
from example_cases import CASES, EXAMPLES, Case, load
from s2s import cli, pipeline
from s2s.emit import header
from s2s.errors import S2SError
from s2s.freshness import request_of
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

# ---------------------------------------------------------------- examples

GRADIENTS = [c for c in CASES if c.emit[0] in ("grad", "value_and_grad")]


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda c: c.name)
def test_products_of_the_examples(case: Case) -> None:
    """f_hvp is the difference of f_grad along the direction; the Hessian that it stands for is symmetric."""
    wrt = tuple(case.wrt.split(",")) if case.wrt else None
    request = Request(case.source.name, (case.function,), wrt, emit=("grad", "hvp"))
    space = checking.evaluate(differentiate(case.source.read_text(), request), case.file)
    gradient, product = space[f"{case.function}_grad"], space[f"{case.function}_hvp"]
    args = case.arguments(np.random.default_rng(0))
    params = list(inspect.signature(gradient).parameters)
    dots = [p for p in inspect.signature(product).parameters if p not in params]
    positions = [params.index(d.removesuffix("_dot")) for d in dots]
    random = np.random.default_rng(1)
    u, v = ({d: checking.seeds_like(args[i], random) for d, i in zip(dots, positions, strict=True)} for _ in "uv")
    before = copy.deepcopy(args)
    hu, hv = (numeric.flat(product(*args, **seeds)) for seeds in (u, v))
    assert numeric.same_bits(before, args)
    flat_u, flat_v = (np.concatenate([numeric.flat(seeds[d]) for d in dots]) for seeds in (u, v))
    want, _ = numeric.along(gradient, args, positions, flat_u)
    scale = max(1.0, float(np.max(np.abs(want))))
    assert hu == pytest.approx(want, rel=1e-6, abs=1e-7 * scale)
    assert flat_v @ hu == pytest.approx(flat_u @ hv, rel=1e-11, abs=1e-11 * scale)
    assert not numeric.shares_memory(product(*args, **u), [args, u])


# ---------------------------------------------------------------- matrices

MODELS = '''
import numpy as np

SCALE = 2.0


# s2s: x (n,)
def waves(x, k: float):
    """Products of neighbours."""
    return np.sin(k * x[1:]) * x[:-1]


def curve(t: float):
    return np.array([np.cos(t), np.sin(t), t**2])


# s2s: A (m, n), b (n,)
def product(A, b):
    return A @ np.tanh(b)


def smooth(u, steps: int):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * u[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def length(x):
    return np.sqrt(np.sum(x**2))


def halved(x, tol):
    while np.sum(x**2) > tol:
        x = 0.5 * x * np.cos(x)
    return x


def row_sums(X, w):
    total = np.zeros(len(X))
    for i in range(len(X)):
        total[i] = np.sum(X[i] * w) ** SCALE
    return total
'''
VECTORS = {
    "waves": (np.array([0.3, -0.7, 1.1, 0.4]), 1.3),
    "curve": (0.8,),
    "product": (np.arange(6.0).reshape(2, 3) / 5.0, np.array([0.1, -0.4, 0.7])),
    "smooth": (np.array([0.0, 1.0, -0.5, 0.3, 0.0]), 3),
    "length": (np.array([3.0, 4.0, 12.0]),),
    "halved": (np.array([1.0, 2.0]), 0.5),
    "row_sums": (np.arange(1.0, 9.0).reshape(4, 2) / 7.0, np.array([0.6, 1.2])),
}


def columns(f: Any, args: tuple[Any, ...], i: int) -> np.ndarray:
    """The Jacobian of f with respect to its i-th argument, by differences."""
    n = np.size(args[i])
    parts = [numeric.along(f, args, [i], np.eye(n)[k])[0] for k in range(n)]
    return np.stack(parts, axis=-1).reshape(np.shape(f(*copy.deepcopy(args))) + np.shape(args[i]))


@pytest.mark.parametrize("name", VECTORS)
def test_jacobians(name: str) -> None:
    space = checking.evaluate(MODELS, "model.py") | checking.evaluate(
        differentiate(MODELS, Request(functions=(name,), emit=("jacobian",))), "derivatives"
    )
    args = VECTORS[name]
    before = copy.deepcopy(args)
    found = space[f"{name}_jacobian"](*args)
    assert numeric.same_bits(before, args)
    blocks = found if isinstance(found, tuple) else (found,)
    wrt = [i for i, a in enumerate(args) if not isinstance(a, int) and (name, i) != ("halved", 1)]
    assert len(blocks) == len(wrt)
    for block, i in zip(blocks, wrt, strict=True):
        want = columns(space[name], args, i)
        assert np.shape(block) == want.shape
        assert block == pytest.approx(want, rel=1e-7, abs=1e-8)
    assert not numeric.shares_within(found)


def test_a_jacobian_takes_the_cheaper_mode() -> None:
    """Few results: sweeps back; few parameters: sweeps forward. The result's shape takes one more of those."""
    text = differentiate(MODELS, Request(functions=("product",), wrt=("b",), emit=("jacobian", "vjp", "jvp")))
    counts: dict[str, int] = {}
    for m, n, back, forward in ((1, 4, 1, 1), (6, 1, 0, 2)):
        space = checking.evaluate(text, "derivatives")
        for kind in ("vjp", "jvp"):
            counts[kind] = 0

            def counted(*args: Any, kind: str = kind, f: Any = space[f"product_{kind}"], **options: Any) -> Any:
                counts[kind] += 1
                return f(*args, **options)

            space[f"product_{kind}"] = counted
        space["product_jacobian"](np.ones((m, n)), np.ones(n))
        assert (counts["vjp"], counts["jvp"]) == (back, forward)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_matrices_keep_the_type(dtype: type) -> None:
    text = differentiate(MODELS, Request(functions=("product", "length"), emit=("jacobian",)))
    space = checking.evaluate(text, "derivatives")
    a, b = space["product_jacobian"](np.ones((2, 3), dtype), np.ones(3, dtype))
    assert a.dtype == b.dtype == dtype
    hessian = differentiate(MODELS, Request(functions=("length",), emit=("hessian",)))
    assert checking.evaluate(hessian, "derivatives")["length_hessian"](np.ones(3, dtype)).dtype == dtype


def test_empty_arrays() -> None:
    text = differentiate(MODELS, Request(functions=("product",), emit=("jacobian",)))
    a, b = checking.evaluate(text, "derivatives")["product_jacobian"](np.ones((0, 2)), np.ones(2))
    assert (a.shape, b.shape) == ((0, 0, 2), (0, 2))


def test_a_hessian_in_closed_form() -> None:
    """|x| has the Hessian (I - x x^T / |x|^2) / |x|."""
    text = differentiate(MODELS, Request(functions=("length",), emit=("hessian", "hvp")))
    space = checking.evaluate(text, "derivatives")
    x = np.array([3.0, 4.0, 12.0])
    want = (np.eye(3) - np.outer(x, x) / 169.0) / 13.0
    assert space["length_hessian"](x) == pytest.approx(want, rel=1e-13, abs=1e-15)
    assert space["length_hvp"](x, x_dot=np.array([1.0, 0.0, 0.0])) == pytest.approx(want[0], rel=1e-13, abs=1e-15)


BLOCKS = """
import numpy as np


# s2s: A (n, n), b (n,)
def energy(A, b, c: float):
    return c * b @ A @ b + np.sum(np.exp(b)) * c**2
"""


def test_a_hessian_of_several_parameters_has_blocks() -> None:
    space = checking.evaluate(differentiate(BLOCKS, Request(emit=("grad", "hessian"))), "derivatives")
    args = (np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([0.3, -0.2]), 0.7)
    found = space["energy_hessian"](*args)
    for row in range(3):
        for column in range(3):
            want = columns(lambda *a, row=row: space["energy_grad"](*a)[row], args, column)
            block = found[row][column]
            assert np.shape(block) == np.shape(args[row]) + np.shape(args[column])
            assert block == pytest.approx(want, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize(
    "square", ["np.hypot(a, b) ** 2", "np.square(np.hypot(a, b))", "math.hypot(a, b) ** 2", "abs(a) ** 2 + abs(b) ** 2"]
)
def test_squares_of_moduli_have_no_kink(square: str) -> None:
    text = f"import math\n\nimport numpy as np\n\n\ndef f(a: float, b: float):\n    return {square}\n"
    space = checking.evaluate(differentiate(text, Request(emit=("jvp", "hvp"))), "f")
    for a, b in ((0.0, 0.0), (0.3, -0.4)):
        assert space["f_hvp"](a, b, a_dot=0.5, b_dot=-1.5) == pytest.approx((1.0, -3.0))
        assert space["f_jvp"](a, b, a_dot=0.5, b_dot=-1.5)[1] == pytest.approx(a - 3.0 * b)


def test_what_has_no_second_derivative_is_zero() -> None:
    """Parameters on which the gradient does not depend: their tangents are taken, and their products are zeros."""
    text = "import numpy as np\n\n\ndef f(x, y, z: float):\n    return np.sum(x) + 3.0 * z + np.sum(y**3)\n"
    space = checking.evaluate(differentiate(text, Request(emit=("hvp", "hessian"))), "derivatives")
    x, y = np.ones(2), np.array([2.0, 3.0, 4.0])
    hx, hy, hz = space["f_hvp"](x, y, 1.0, x_dot=x, y_dot=np.ones(3), z_dot=1.0)
    assert (hx.tolist(), hy.tolist(), hz) == ([0.0, 0.0], [12.0, 18.0, 24.0], 0.0)
    (_, xy, _), (_, yy, _), (_, _, zz) = space["f_hessian"](x, y, 1.0)
    assert not xy.any()
    assert np.diag(yy).tolist() == [12.0, 18.0, 24.0]
    assert zz == 0.0


def test_a_dict_of_parameters() -> None:
    text = """
import numpy as np


def loss(params, x):
    return np.sum(np.tanh(params["W"] @ x + params["b"]) ** 2)
"""
    space = checking.evaluate(differentiate(text, Request(wrt=("params",), emit=("grad", "hvp"))), "derivatives")
    params = {"W": np.array([[0.1, 0.4], [-0.3, 0.2]]), "b": np.array([0.5, -0.1])}
    x, random = np.array([1.0, -2.0]), np.random.default_rng(3)
    direction = checking.seeds_like(params, random)
    found = space["loss_hvp"](params, x, params_dot=direction)
    assert found.keys() == params.keys()
    want, _ = numeric.along(space["loss_grad"], (params, x), [0], numeric.flat(direction))
    assert numeric.flat(found) == pytest.approx(want, rel=1e-8, abs=1e-9)


SMOOTH = {
    "np.logaddexp(x[0], x[1])": [0.4, 0.4, 1.0],
    "np.logaddexp2(x[0], x[1]) * x[2]": [0.4, 0.4, 1.0],
    "x[0] ** x[1] * x[2]": [0.7, 0.0, 1.0],
    "np.sum(np.power(x, x[::-1] - 0.9))": [0.7, 1.2, 0.9],
    "np.abs(x[0]) ** 2 * x[1]": [0.0, 1.0, 1.0],
    "np.sum(np.abs(x - 1.0) ** 2)": [1.0, 2.0, 1.0],
    "np.linalg.norm(x) ** 2": [0.0, 0.0, 0.0],
    "np.square(np.linalg.norm(x[1:])) * x[0]": [2.0, 0.0, 0.0],
}


@pytest.mark.parametrize("expression", SMOOTH)
def test_where_rules_guard_a_point(expression: str) -> None:
    """Ties and zeros at which the function is smooth: what its rule does there must be so as well."""
    text = differentiate(f"import numpy as np\n\n\ndef f(x):\n    return {expression}\n", Request(emit=("grad", "hvp")))
    space = checking.evaluate(text, "derivatives")
    x, direction = np.array(SMOOTH[expression]), np.array([0.3, -0.7, 0.5])
    want = (space["f_grad"](x + 1e-6 * direction) - space["f_grad"](x - 1e-6 * direction)) / 2e-6
    assert space["f_hvp"](x, x_dot=direction) == pytest.approx(want, rel=1e-5, abs=1e-6)


ZEROS = """
import numpy as np


def chosen(x):
    s = np.sqrt(x)
    return np.sum(np.where(x > 0.0, s * (x - 2.0), 0.0))


def selected(x):
    z = np.sqrt(x - 1.0) * (x - 2.0)
    y = np.zeros(3)
    m = x > 1.0
    y[m] = z[m]
    return np.sum(y)


def loop(x):
    y = 0.0
    for i in range(3):
        s = np.sqrt(x[i] - 1.0)
        q = np.log(x[i] - 1.0)
        y += s * q if x[i] > 1.0 else x[i]
    return y


def branch(x, t):
    s = np.sqrt(t - 1.0)
    y = 0.0
    if t > 1.0:
        y = s * np.log(x[0])
    return y + np.sum(x * x)


def both(y):
    r = np.sqrt(y)
    return r, r * y


def carried(x):
    y = x * 1.0
    for k in range(3):
        if k == 1:
            y = np.sqrt(y * y)
        r, q = both(y)
        y = np.where(y > 0.5, r + 0.1 * np.log(y) * q, 0.5 * y * x)
    return np.sum(np.cos(y))


def listed(x):
    pairs = []
    for k in range(3):
        pairs.append((np.log(x + k), x * k))
    last = [np.sqrt(x), 1.0 / x]
    s = 0.0 * x
    for a, b in pairs:
        s += np.where(x > 0.0, a * b, b)
    for v in last:
        s += np.where(x > 0.0, s * v, x)
    return np.sum(s)


def looped(x):
    s = 0.0
    for i in range(3):
        for j in range(3):
            d = x[i] - x[j]
            r = np.sqrt(d * d)
            s += x[i] * (1.0 / r if i != j else 0.0)
    return s


def chosen_lists(x, t):
    y, A = 0.5 * x, np.outer(x, x)
    if t > 5.0:
        y = y * t
    elif x[0] > 0.0:
        for i in range(3):
            A[i] = t * t
            y = A @ y * 0.3
            if y[1] > 0.0:
                t = np.sqrt(0.3 + t * t)
    return np.sum(np.cos(y + t))
"""
ZERO_CASES = {
    "chosen": (np.array([2.0, 3.0, -0.5]),),
    "selected": (np.array([2.0, 3.0, 0.5]),),
    "loop": (np.array([2.0, 3.0, 0.5]),),
    "branch": (np.array([1.0, 2.0, 3.0]), 2.0),
    "carried": (np.array([2.0, 3.0, -0.5]),),
    "listed": (np.array([2.0, 3.0, -0.5]),),
    "looped": (np.array([2.0, 3.0, -0.5]),),
    "chosen_lists": (np.array([0.7, 1.3, -0.5]), 0.9),
}


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
@pytest.mark.parametrize("name", ZERO_CASES)
def test_adjoints_that_are_zero_at_the_point(name: str) -> None:
    """What keeps the zero of a branch that was not taken does not take the zero of another one for it."""
    args = ZERO_CASES[name]
    text = differentiate(ZEROS, Request("model.py", (name,), emit=("grad", "hvp")))
    space = checking.evaluate(text, f"{name}_grad.py")
    gradient, random = space[f"{name}_grad"], np.random.default_rng(0)
    directions = [checking.seeds_like(a, random) for a in args]
    want, _ = numeric.along(gradient, args, list(range(len(args))), np.concatenate(list(map(numeric.flat, directions))))
    params = inspect.signature(gradient).parameters
    found = space[f"{name}_hvp"](*args, **{f"{p}_dot": d for p, d in zip(params, directions, strict=True)})
    assert numeric.flat(found) == pytest.approx(want, rel=1e-6, abs=1e-8)
    text = differentiate(text, Request("model_grad.py", (f"{name}_grad",), emit=("vjp",)))
    value = gradient(*args)
    bar = checking.seeds_like(value, random)
    _, back = checking.evaluate(text, f"{name}_grad_vjp.py")[f"{name}_grad_vjp"](*args, out_bar=bar)
    want, _ = numeric.along(gradient, args, list(range(len(args))), np.concatenate(list(map(numeric.flat, directions))))
    back = np.concatenate(list(map(numeric.flat, back if len(args) > 1 else (back,))))
    assert back @ np.concatenate(
        directions if len(args) == 1 else list(map(numeric.flat, directions))
    ) == pytest.approx(numeric.flat(bar) @ want, rel=1e-6, abs=1e-8)


REFUSALS = [
    ("def f(x):\n    return x, x * x\n", {}, "jacobian", "S405"),
    ("def f(x):\n    x[0] = 1.0\n", {"of": ("x",)}, "jacobian", "S405"),
    ('def f(p):\n    return p["a"] * p["b"]\n', {}, "jacobian", "S405"),
    ('def f(p):\n    return p["a"] * p["b"]\n', {}, "hessian", "S405"),
    ("def f(x):\n    return x[1:] * 2.0\n", {}, "hvp", "S405"),
    ("def f(x):\n    return x[1:] * 2.0\n", {}, "hessian", "S405"),
]


@pytest.mark.parametrize(("text", "more", "emit", "code"), REFUSALS)
def test_what_is_refused(text: str, more: dict[str, Any], emit: str, code: str) -> None:
    with pytest.raises(S2SError) as fault:
        differentiate(text, Request(emit=(emit,), **more))
    assert [d.code for d in fault.value.diagnostics] == [code]


def test_what_is_refused_in_the_text_of_the_gradient_is_shown_there() -> None:
    text = """
def f(costs: dict[str, dict[str, float]], x):
    total = {}
    for a in costs:
        total[a] = {}
        for b in costs[a]:
            total[a][b] = costs[a][b] * x
    s = 0.0
    for a in total:
        for b in total[a]:
            s += total[a][b] ** 2
    return s
"""
    with pytest.raises(S2SError) as fault:
        differentiate(text, Request("model.py", emit=("hvp",)))
    assert {d.file[0] for d in fault.value.diagnostics if d.file} == {"model_grad.py"}
    assert all(d.file for d in fault.value.diagnostics)


def test_names_that_are_taken() -> None:
    text = """
import numpy as np


def f(x, out, i, j, jacobian, x_dot, out_bar):
    return x**2 * out * i * j * jacobian * x_dot * out_bar


def g(x, i, hessian, x_dot):
    return np.sum(x**2) * i * hessian * x_dot
"""
    request = Request(functions=("f", "g"), wrt=("x",), emit=("jacobian",))
    ones = (1.0,) * 6
    space = checking.evaluate(differentiate(text, request), "derivatives")
    assert space["f_jacobian"](np.array([1.0, 2.0]), *ones).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    space = checking.evaluate(differentiate(text, replace(request, functions=("g",), emit=("hessian",))), "derivatives")
    assert space["g_hessian"](np.array([1.0, 2.0]), 1.0, 1.0, 1.0).tolist() == [[2.0, 0.0], [0.0, 2.0]]


# ---------------------------------------------------------------- written examples

WRITTEN = sorted(p for p in (EXAMPLES / "second_order").glob("*.py") if not p.stem.endswith("_grad"))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.stem)
def test_writing_an_example_again_gives_the_same_bytes(path: Path) -> None:
    text = path.with_name(f"{path.stem}_grad.py").read_text()
    found = header.read(text)
    assert found is not None and not found.edited
    assert differentiate(path.read_text(), request_of(found.options, found.filename)) == text


def test_the_numbers_of_the_examples() -> None:
    burgers, decay = (load(EXAMPLES / "second_order" / f"{n}_grad.py") for n in ("burgers", "decay"))
    random = np.random.default_rng(5)
    primal = load(EXAMPLES / "second_order" / "burgers.py").misfit
    args = (random.standard_normal(6), random.standard_normal(6), 0.1, 0.2, 4)
    basis = np.eye(6)
    found = np.array([burgers.misfit_hvp(*args, u_dot=e) for e in basis])
    want = np.array(
        [numeric.along(lambda *a: numeric.complex_gradient(primal, a, [0]), args, [0], e)[0] for e in basis]
    )
    assert found == pytest.approx(want, rel=1e-7, abs=1e-8)
    assert found == pytest.approx(found.T, rel=1e-12, abs=1e-12)
    theta, t = np.array([2.0, 0.5, 0.1]), np.array([0.0, 1.0, 2.0, 4.0])
    e = np.exp(-theta[1] * t)
    want = np.stack([e, -theta[0] * t * e, np.ones(4)], axis=1)
    assert decay.residuals_jacobian(theta, t, t) == pytest.approx(want, rel=1e-14, abs=1e-15)


# ---------------------------------------------------------------- what is emitted together


def test_every_kind_at_once_is_what_each_is_alone() -> None:
    """Each function reads the same, whatever else is asked for, but for the names of private ones."""
    every = differentiate(BLOCKS, Request(emit=pipeline.EMITS))
    together = checking.evaluate(every, "every")
    assert {f"energy_{k}" for k in pipeline.EMITS} <= together.keys()
    args = (np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([0.3, -0.2]), 0.7)
    for kind in ("jacobian", "hessian", "grad"):
        alone = checking.evaluate(differentiate(BLOCKS, Request(emit=(kind,))), kind)
        assert numeric.same_bits(alone[f"energy_{kind}"](*args), together[f"energy_{kind}"](*args))
    assert "import s2s" not in every
    assert every.count("def _unit(") == 1


def test_forms_of_derivative_are_the_same_everywhere() -> None:
    assert set(cli.EMIT) == set(pipeline.EMITS)
    assert all(callable(getattr(s2s, kind)) for kind in pipeline.EMITS)


def test_a_module_imports_what_the_gradient_imported() -> None:
    """A name of the original module that is no literal is imported by the second order as well."""
    text = "import numpy as np\n\nDATA = np.array([1.0, 2.0])\n\n\ndef f(x):\n    return np.sum(np.exp(DATA * x))\n"
    derived = differentiate(text, Request(filename="model.py", emit=("hvp",)))
    assert '"""Derivatives of model.py. Imports DATA from model."""' in derived
    assert "from model import DATA" in derived


def cubic(x: Any, k: float = 2.0) -> Any:
    return k * np.sum(x**3)


def pair(x: Any) -> Any:
    return np.array([x[0] * x[1], x[1] ** 2])


def test_the_python_functions() -> None:
    x = np.array([1.0, -2.0])
    assert s2s.hvp(cubic, wrt="x")(x, x_dot=np.array([1.0, 1.0])).tolist() == [12.0, -24.0]
    assert s2s.hessian(cubic, wrt="x")(x).tolist() == [[12.0, 0.0], [0.0, -24.0]]
    jacobian = s2s.jacobian(pair)
    assert jacobian(x).tolist() == [[-2.0, 1.0], [0.0, -4.0]]
    assert "def pair_jacobian(x" in jacobian.source  # type: ignore[attr-defined]


def test_stubs_of_the_second_order() -> None:
    """In the import hook a function that is refused, at either order, raises its diagnostics when it is called."""
    text = "import numpy as np\n\n\ndef f(x):\n    return np.frexp(x)\n\n\ndef g(x):\n    return np.sum(x**2)\n"
    request = Request(emit=("grad", "hvp"), stubs=True)
    space = checking.evaluate(differentiate(text, request), "derivatives")
    assert space["g_hvp"](np.ones(2), x_dot=np.ones(2)).tolist() == [2.0, 2.0]
    for kind in ("grad", "hvp"):
        with pytest.raises(NotImplementedError):
            space[f"f_{kind}"](np.ones(2))


# ---------------------------------------------------------------- what is held constant

HELD = """
import numpy as np


def copied(x):
    w = x  # s2s: constant
    return np.sum(w * x)


def scaled(x):
    y = x
    for _ in range(3):
        scale = np.sum(np.exp(0.1 * y) * np.cos(0.1 * y)) / (1.0 + np.sum(y**2))  # the scale  # s2s: constant
        y = y * scale
    return np.sum(y**2)


def branched(x):
    w = np.cos(x)
    if x[0] > 0.0:
        w = np.exp(x)  # s2s: constant
    else:
        w += x * x  # s2s: constant
    return np.sum(w * x * x)


def stored(x):
    y = np.zeros(3)
    y[0] = x[0] ** 2
    y[1] = x[1] ** 2  # s2s: constant
    a, b = x[0] * x[1], np.sin(x[2])  # s2s: constant
    return np.sum(y * x * a) * b


# s2s: x (n,)
def norm(x):
    s = np.sqrt(np.sum(x**2))  # s2s: constant
    return x / s


# s2s: x (n,)
def called(x):
    return np.sum(norm(x) * norm(2.0 * x) ** 2 * x)
"""


@pytest.mark.parametrize("name", ["copied", "scaled", "branched", "stored", "called"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_is_held_constant_is_so_in_the_second_derivative(name: str, sign: float) -> None:
    """The text of the gradient says where: with the values that these lines have at x, it has the given difference."""
    text = differentiate(HELD, Request("model.py", (name,), emit=("grad", "hvp")))
    marked = {i for i, line in enumerate(text.splitlines(), 1) if line.endswith("# s2s: constant")}
    tree = ast.parse(text)
    kept = [n for n in ast.walk(tree) if isinstance(n, ast.Assign) and n.end_lineno in marked]
    for n in kept:
        n.value = ast.parse(f"hold(lambda: {ast.unparse(n.value)})", mode="eval").body
    assert len(kept) == len(marked) > 0
    held: list[Any] = []
    again: list[Any] = []

    def first(value: Any) -> Any:
        held.append(np.copy(value()))
        return held[-1]

    x, direction = np.array([0.7 * sign, -0.4, 1.1]), np.array([0.3, 1.2, -0.5])
    space = checking.evaluate(ast.unparse(tree), "kept.py")
    space["hold"] = first
    space[f"{name}_grad"](x)
    space["hold"] = lambda value: again.pop(0)

    def gradient(y: Any) -> Any:
        again[:] = held
        return space[f"{name}_grad"](y)

    want = (gradient(x + 1e-5 * direction) - gradient(x - 1e-5 * direction)) / 2e-5
    got = checking.evaluate(text, "text.py")[f"{name}_hvp"](x, x_dot=direction)
    assert got == pytest.approx(want, rel=1e-7, abs=1e-8)


def test_a_jacobian_beside_a_gradient() -> None:
    """The gradient takes the result for a number, as it must be; the vjp that the Jacobian calls does not."""
    text = "import numpy as np\n\n\ndef f(x, k):\n    return np.sum(x**2) * k\n"
    kinds = ("grad", "jacobian", "hessian")
    space = checking.evaluate(differentiate(text, Request(functions=("f",), emit=kinds)), "derivatives")
    for args in ((np.array([0.3, 0.7]), 1.3), (np.array([[0.3], [0.7]]), 2.0)):
        for found, want in zip(space["f_jacobian"](*args), space["f_grad"](*args), strict=True):
            assert found == pytest.approx(want)
    assert np.shape(space["f_jacobian"](np.ones(3), np.ones(2))[0]) == (2, 3)
