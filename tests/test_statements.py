"""try, with and match in the text of derivatives, and what happens in runs that raise."""

from __future__ import annotations

import textwrap
import warnings
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate


def derived(text: str, *emit: str) -> tuple[str, dict[str, Any]]:
    source = "import math\nimport numpy as np\n\n\n" + textwrap.dedent(text).strip("\n") + "\n"
    result = differentiate(source, Request(emit=emit, functions=("f",)))
    return result, checking.evaluate(result, "<derivative>")


LOG = """
def f(x):
    try:
        y = math.log(x)
        z = 2.0 * x
    except ValueError:
        z = 0.0
    return z * x
"""


@pytest.mark.parametrize("emit", ["grad", "value_and_grad", "vjp", "jvp"])
def test_a_run_that_raises_in_a_try_has_no_derivative(emit: str) -> None:
    """Nobody reads y; it is computed all the same, for it tells whether the handler runs."""
    _, made = derived(LOG, emit)
    seeds = {"jvp": {"x_dot": 1.0}, "vjp": {"out_bar": 1.0}}.get(emit, {})
    made[f"f_{emit}"](0.5, **seeds)
    with pytest.raises(ValueError, match="domain"):
        made[f"f_{emit}"](-0.5, **seeds)


RAISING = {
    "in a return": "try:\n    return 3.0 * x + 0.0 * math.log(x)",
    "in a test": "try:\n    if math.log(x) > 9.0:\n        pass",
    "in a list": "L = []\ntry:\n    L.append(math.log(x))",
    "in an unpacking": "try:\n    a, b = divmod(1.0, x + 0.5)",
    "in a branch": "try:\n    if x < 1.0:\n        y = 1.0 / (x + 0.5)",
    "in a loop": "try:\n    for k in range(3):\n        y = 1.0 / (k + x - 0.5)",
}


@pytest.mark.parametrize("name", RAISING)
def test_what_may_raise_is_not_left_out(name: str) -> None:
    body = f"{RAISING[name]}\nexcept (ArithmeticError, ValueError):\n    return 0.0\nreturn 3.0 * x"
    text = "def f(x: float):\n" + textwrap.indent(body, "    ")
    for emit in ("grad", "jvp"):
        _, made = derived(text, emit)
        seeds = {"x_dot": 1.0} if emit == "jvp" else {}
        found = made[f"f_{emit}"](0.7, **seeds)
        assert (found[1] if emit == "jvp" else found) == pytest.approx(3.0)
        with pytest.raises((ValueError, ZeroDivisionError)):
            made[f"f_{emit}"](-0.5, **seeds)


WITH = """
def f(x, n: int):
    s = 0.0
    for k in range(n):
        with np.errstate(divide="ignore", invalid="ignore"):
            # not a number is fine here
            y = np.where(x > 0.0, np.log(x), 0.0)
            s = s + np.sum(y * y)
    return s
"""


def test_the_reverse_sweep_stands_in_the_same_errstate() -> None:
    text, made = derived(WITH, "grad", "jvp")
    assert text.count('with np.errstate(divide="ignore", invalid="ignore"):') == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x_bar = made["f_grad"](np.array([-1.0, 2.0]), 2)
    assert x_bar == pytest.approx([0.0, 2 * 2 * np.log(2.0) / 2.0])


def test_a_with_around_nothing_goes() -> None:
    text, made = derived(
        "def f(x):\n    y = x * x\n    with np.errstate(all='ignore'):\n        z = y + x\n    return z", "grad"
    )
    assert "errstate" not in text
    assert made["f_grad"](3.0) == 7.0


def test_match_is_written_as_elif() -> None:
    text, _ = derived(
        """
        def f(x, kind):
            match kind:
                case "sin" | "sine":
                    return np.sin(x)
                case "cos" if x > 0:
                    return np.cos(x)
                case _:
                    raise ValueError(kind)
        """,
        "jvp",
    )
    assert 'if kind in ("sin", "sine"):' in text
    assert 'elif kind == "cos" and x > 0:' in text or 'if kind == "cos" and x > 0:' in text
    assert "raise ValueError(kind)" in text


def test_a_list_that_is_joined_is_asserted_to_be_one() -> None:
    """`[1.0] + w` adds to an array, and goes on with a list: which of them w is shows when it runs."""
    text = "import numpy as np\n\n\ndef f(x, w):\n    v = [1.0] + w\n    return x * v[0] * v[1]\n"
    f_vjp = checking.evaluate(differentiate(text, Request(wrt=("x",), emit=("vjp",))), "<derivative>")["f_vjp"]
    assert f_vjp(2.0, [3.0], out_bar=1.0) == (6.0, 3.0)
    with pytest.raises(AssertionError):
        f_vjp(2.0, np.array([3.0, 1.0]), out_bar=1.0)


PUTS = {
    "constants": "y = x**2\n    np.put(y, [0, -1], 0.5)\n    y.put(1, values=2.0)",
    "values that are repeated": "y = np.outer(x, x)\n    np.put(y, np.array([[1, 2], [7, 0]]), np.sin(x[:3]))",
    "a list of numbers": "y = x**2\n    np.put(y, k, [x[0] * x[1], 2.0])",
    "along an axis": "y = np.outer(x, x)\n    np.put_along_axis(y, np.array([[3, 1, 2, 3]]), np.sin(x), axis=0)",
    "along the last axis": "y = np.outer(x, x)\n    np.put_along_axis(y, np.array([[0], [1], [2], [0]]), x[0], -1)",
    "where": "y = np.outer(x, x)\n    np.place(y, y > 0.3, x[:3])\n    np.place(y, mask=y < 0.1, vals=1.0)",
    "a mask of whole numbers": "y = x**2\n    np.place(y, [1, 0, 1, 1], [x[0], 2.0])",
    "mask": "y = np.outer(x, x)\n    np.putmask(y, y > 0.3, x[:3] ** 2)\n    np.putmask(y, y < 0.1, 3.0)",
}


@pytest.mark.parametrize("name", PUTS)
def test_put_and_its_kin(name: str) -> None:
    """Written as stores; the values are repeated as often as they are needed, in the order of the elements."""
    source = f"import numpy as np\n\n\ndef f(x, k):\n    {PUTS[name]}\n    return np.sum(y**2 * np.cos(y))\n"
    x = np.array([0.7, 0.3, 1.2, 0.4])
    made: dict[str, Any] = {}
    exec(source, made)
    exec(differentiate(source, Request(functions=("f",), wrt=("x",), emit=("value_and_grad", "jvp"))), made)
    k, dot = np.array([3, 1, 2]), np.array([0.3, -1.1, 0.6, 0.9])
    value, x_bar = made["f_value_and_grad"](x, k)
    assert value == made["f"](x, k)
    slopes = [(made["f"](x + h * e, k) - made["f"](x - h * e, k)) / (2.0 * h) for h in (1e-5,) for e in np.eye(4)]
    np.testing.assert_allclose(x_bar, slopes, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(made["f_jvp"](x, k, x_dot=dot)[1], x_bar @ dot, rtol=1e-12)


def test_put_into_a_copy_is_noticed() -> None:
    """The elements of a transpose have no flat view: the derivative raises instead of missing them."""
    lines = ["y = np.outer(x, x**2).T", "np.put(y, [1], x[0])", "return np.sum(y)"]
    source = "import numpy as np\n\n\ndef f(x):\n    " + "\n    ".join(lines) + "\n"
    made: dict[str, Any] = {}
    exec(differentiate(source, Request(functions=("f",))), made)
    with pytest.raises(AssertionError):
        made["f_grad"](np.arange(3.0))


SPEAKING = """
import math
import numpy as np


def check(x):
    if np.max(x) > 100.0:
        print("large")
    print("checked")


def noisy(x):
    check(x)
    for k in range(2):
        print("noisy", k)
    return np.sin(x)


def outer(x, verbose=True):
    y = noisy(x)
    if verbose:
        print("outer")
    return y * y


def power(x, n):
    print("power", n)
    return 1.0 if n == 0 else x * power(x, n - 1)


def scale(A, s):
    print("scale")
    A *= s


def inside(x, k: float):
    e = outer(x)
    if np.sum(noisy(x)) > 0.0:
        e = e * k
    return np.sum(e * e)


def unwanted(x: float):
    return power(x, 3)


def loop(x, n: int):
    s = 0.0
    for i in range(n):
        s = s + np.sum(noisy(x) * x)
    return s


def writing(x, k: float):
    B = x.copy()
    scale(B, k)
    scale(B, k * k)
    return np.sum(np.sin(B))
"""


@pytest.mark.parametrize("emit", ["grad", "value_and_grad", "vjp", "jvp"])
@pytest.mark.parametrize("name", ["inside", "unwanted", "loop", "writing"])
def test_helpers_print_once(name: str, emit: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = 1.5 if name == "unwanted" else np.array([0.3, 0.5])
    args = (x, {"loop": 3}.get(name, 2.0))[: 1 + (name != "unwanted")]
    request = Request(functions=(name,), wrt=("x",), emit=(emit,))
    text = differentiate(SPEAKING.replace("def writing", "# s2s: x (n,)\ndef writing"), request)
    primal, made = checking.evaluate(SPEAKING, "<primal>")[name], checking.evaluate(text, "<derivative>")
    primal(*args)
    wanted = capsys.readouterr().out
    seeds: dict[str, Any] = {"jvp": {"x_dot": np.ones_like(x)}, "vjp": {"out_bar": 1.0}}.get(emit, {})
    found = made[f"{name}_{emit}"](*args, **seeds)
    assert wanted and capsys.readouterr().out == wanted
    step = 1e-6 * np.ones_like(x)
    difference = (primal(x + step, *args[1:]) - primal(x - step, *args[1:])) / 2e-6
    derivative = found if emit == "grad" else found[1]
    assert np.sum(derivative) == pytest.approx(difference, rel=1e-6)


METHODS = """
from dataclasses import dataclass
import numpy as np


@dataclass
class Model:
    w: np.ndarray
    b: float

    def layer(self, x):
        print("layer")
        return np.tanh(self.w * x + self.b)

    def loss(self, x):
        y = self.layer(x)
        return np.sum(self.layer(y) ** 2)


def f(m: Model, x):
    return m.loss(x)
"""


@pytest.mark.parametrize("wrt", ["x", "m"])
@pytest.mark.parametrize("emit", ["grad", "value_and_grad"])
def test_methods_print_once(emit: str, wrt: str, capsys: pytest.CaptureFixture[str]) -> None:
    primal = checking.evaluate(METHODS, "<primal>")
    made = checking.evaluate(
        differentiate(METHODS, Request(functions=("f",), wrt=(wrt,), emit=(emit,))), "<derivative>"
    )
    m, x = primal["Model"](np.array([0.1, 0.2]), 0.3), np.array([0.3, 0.5])
    found = made[f"f_{emit}"](m, x)
    assert capsys.readouterr().out == "layer\nlayer\n"
    step = np.array([1e-6, 2e-6])
    if wrt == "x":
        ends = [primal["f"](m, x + s * step) for s in (1.0, -1.0)]
    else:
        ends = [primal["f"](primal["Model"](m.w + s * step, m.b), x) for s in (1.0, -1.0)]
    derivative = found if emit == "grad" else found[1]
    derivative = derivative if wrt == "x" else derivative.w
    assert derivative @ step == pytest.approx((ends[0] - ends[1]) / 2.0, rel=1e-6)


def test_the_tangent_of_an_array_and_a_list_of_numbers_is_that_of_the_sum() -> None:
    """Not that of two lists that are joined."""
    text = """
import numpy as np


def f(x):
    y = 2.0 * np.sin(x)
    found = []
    for i in range(3):
        found.append(x[i] * x[0])
    z = y + found
    return z[0] * z[2]
"""
    space: dict[str, Any] = {}
    exec(text, space)
    x, dot = np.array([0.4, -0.7, 1.1]), np.array([1.0, 0.3, -0.6])
    exec(differentiate(text, Request(functions=("f",), emit=("jvp",))), space)
    reference = space["f"](x + 1e-30j * dot).imag / 1e-30
    assert space["f_jvp"](x, x_dot=dot)[1] == pytest.approx(reference, rel=1e-13)


FOREIGN = {
    "a fraction": ("isinstance(x, Fraction)", "return x.numerator", "x * x"),
    "a decimal": ("y > 0.0 and isinstance(x, Decimal)", "return x.sqrt() * y", "x * y"),
    "a dict": ("isinstance(x, dict)", 'return x["a"] * y', "x * y"),
    "no number": ("not isinstance(x, Decimal)", "return x * y", "x.sqrt()"),
}


@pytest.mark.parametrize(("test", "branch", "rest"), FOREIGN.values(), ids=FOREIGN)
def test_a_branch_that_no_number_reaches_says_nothing_of_parameters(test: str, branch: str, rest: str) -> None:
    text = (
        "from decimal import Decimal\nfrom fractions import Fraction\n\n\ndef f(x, y):\n"
        f"    if {test}:\n        {branch}\n    else:\n        return {rest}\n"
    )
    _, made = derived(text, "grad", "jvp")
    x_bar, *y_bar = np.atleast_1d(made["f_grad"](0.7, 0.3))
    wanted = (1.4, 0.0) if "x * x" in rest else (0.3, 0.7)
    np.testing.assert_allclose((x_bar, *y_bar), wanted[: 1 + len(y_bar)])
    with pytest.raises(TypeError, match="has no derivative here"):
        made["f_grad"]({"a": 1.0} if "dict" in test else Fraction(1, 2) if "Fraction" in test else Decimal("0.5"), 0.3)


def test_a_dict_that_is_asked_for_and_taken_apart_keeps_its_derivative() -> None:
    _, made = derived("def f(x, p):\n    if isinstance(p, dict):\n        return x * p['a']\n    return x\n", "grad")
    assert made["f_grad"](2.0, {"a": 3.0}) == (3.0, {"a": 2.0})


@pytest.mark.parametrize(
    "body",
    [
        "s = 0.0\n    for a, b in zip(x, y, strict=True):\n        s = s + a * b\n    return s",
        "return sum([a * b for a, b in zip(x, y, strict=True)])",
    ],
)
def test_zip_that_is_strict_is_strict_in_derivatives(body: str) -> None:
    text, made = derived(f"def f(x, y):\n    {body}\n", "grad", "vjp")
    x, y = np.array([0.5, 2.0]), np.array([3.0, -1.0])
    x_bar, y_bar = made["f_grad"](x, y)
    np.testing.assert_allclose((x_bar, y_bar), (y, x))
    assert "min(len" not in text
    with pytest.raises(AssertionError):
        made["f_grad"](x, y[:1])
    with pytest.raises(AssertionError):
        made["f_vjp"](x, y[:1], out_bar=1.0)


@pytest.mark.parametrize(
    "call",
    [
        "np.median(y, overwrite_input=True)",
        "np.nan_to_num(y, copy=False)",
        "np.nan_to_num(y, False)",
        "np.max(y, 0, y[:1])",
        "np.ndarray.sort(y)",
        "np.random.shuffle(y)",
    ],
)
def test_calls_that_may_write_are_no_statements_to_be_kept(call: str) -> None:
    source = f"import numpy as np\n\n\ndef f(x):\n    y = x * 2.0\n    {call}\n    return np.sum(y * x)\n"
    with pytest.raises(S2SError, match="S202"):
        differentiate(source, Request(functions=("f",)))


LEFT = """
def f(x, c, n: int):
    s = 0.0
    for k in range(n):
        with np.errstate(divide="ignore"), np.errstate(over="ignore"):
            s += np.log(x)
            if k == 1:
                continue
            for j in range(3):
                x = x * c
                if x < 0.3:
                    return s + x**2
                if x > 4.0:
                    return 1.0 / (x - 2.0)
            if k == 3:
                break
            s = s * x
        s = s + c
    with np.errstate(divide="ignore"):
        if s > 1e3:
            raise ValueError("s is too large")
        if s < 0.0:
            return s * x
        return s
"""


@pytest.mark.parametrize(("x", "c", "n"), [(0.7, 0.5, 5), (1.6, 1.5, 5), (0.9, 0.98, 5), (0.9, 0.95, 0), (0.6, 0.9, 2)])
def test_exits_from_the_middle_of_with(x: float, c: float, n: int) -> None:
    """The exits stand behind the with, and what they return is computed inside of it."""
    source = f"import numpy as np\n{LEFT}"
    model = Program(source, (x, c, n), ("x", "c"), ("x", "c", "n"), True)
    for emit in (("vjp", "jvp"), ("grad", "value_and_grad")):
        assert checking.check(model, emit, margin=0.0).kind == "right"


def test_what_is_returned_from_a_with_is_computed_inside() -> None:
    text, made = derived(
        """
def f(x):
    with np.errstate(divide="raise"):
        for k in range(3):
            x = x - 0.5
            if x == 0.0:
                return np.divide(1.0, x)
    return x**2
""",
        "vjp",
    )
    assert text.count("with np.errstate") == 2
    assert made["f_vjp"](2.0, out_bar=1.0) == (0.25, 1.0)
    with pytest.raises(FloatingPointError):
        made["f_vjp"](np.float64(1.0), out_bar=1.0)
