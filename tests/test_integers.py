"""Integers never cut off what is written: an integer argument, or tangent, gives what floats would, or an error."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import checking
import numeric
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate, differentiate_unformatted

X = np.array([1, 2, 3])


def derived(source: str, *emit: str, wrt: tuple[str, ...] | None = None) -> dict[str, Any]:
    space: dict[str, Any] = {}
    request = Request(functions=("f",), emit=emit, wrt=wrt)
    exec(differentiate_unformatted(f"import numpy as np\n{source}", request), space)
    return space


# What an array is made of that is written in place: the whole program is `y = ...; y[0] = 0.5 * x[1]`.
MADE_OF_X = [
    "x[::-1].copy()", "x * 2", "-x", "np.concatenate([x, x])[:3]", "np.array([v for v in x])", "np.stack([x, x])[0]",
    "np.array([x[0], x[1], x[2]])", "np.roll(x, 1)", "np.cumsum(x)", "np.zeros_like(x).copy()", "np.full(3, x[0])",
    "np.zeros(3, dtype=x.dtype)", "np.zeros(x.shape, x.dtype)", "np.zeros_like(x[:3])", "np.empty_like(x * 2)",
    "np.outer(x, x)[0]", "x // 1", "np.repeat(x[0], 3)", "np.ones(3).astype(x.dtype)", "np.vstack([x, x])[1]",
    "np.diag(np.diag(x)).copy()", "np.meshgrid(x, x)[0][0].copy()", "np.where(x > 1, x, 0)", "np.round(x)",
]  # fmt: skip


@pytest.mark.parametrize("made", MADE_OF_X)
def test_an_array_that_follows_an_argument(made: str) -> None:
    source = f"def f(x):\n    y = {made}\n    y[0] = 0.5 * x[1]\n    return np.sum(y[:1] * x[:1])\n"
    space = derived(source, "value_and_grad", "jvp")
    value, x_bar = space["f_value_and_grad"](X.astype(float))
    np.testing.assert_allclose((value, *x_bar), (1.0, 1.0, 0.5, 0.0))  # 0.5 * x[1] * x[0]
    tangent = np.array([3, 5, 7])
    assert space["f_jvp"](X.astype(float), x_dot=tangent.astype(float))[1] == 5.5
    for call in (
        lambda: space["f_value_and_grad"](X)[1] @ tangent,
        lambda: space["f_jvp"](X, x_dot=tangent.astype(float))[1],
        lambda: space["f_jvp"](X.astype(float), x_dot=tangent)[1],
    ):
        try:
            assert call() == 5.5
        except AssertionError as e:
            assert "5.5" not in str(e)  # a guard of the output has no message
        except TypeError as e:
            assert "casting" in str(e)


# Of integers whatever the arguments are: refused where that is known, else an error when it runs.
WHOLE = [
    "np.zeros(3, int)", "np.zeros(3, dtype='i8')", "np.ones(3, 'int32')", "np.array([1.0, 2.0, 3.0], int)",
    "np.zeros(3, bool)", "np.empty(3, np.intp)", "np.zeros_like([1, 2, 3])", "np.ones(3).astype(int)",
    "np.zeros_like(np.ones(3), int)", "np.linspace(0, 4, 3, dtype=int)", "np.array(range(3))", "np.cumsum([1, 2, 3])",
    "np.tile([1, 2, 3], 1)", "np.repeat(1, 3)", "np.concatenate([[1], [2, 3]])", "np.full((3,), fill_value=2)",
    "np.zeros(3, dtype=np.dtype('int64'))", "np.sort([3, 1, 2])", "np.argsort(np.ones(3))", "np.unique([1, 2, 3])",
    "np.bincount([0, 1, 2])",
]  # fmt: skip


@pytest.mark.parametrize("made", WHOLE)
def test_an_array_of_integers(made: str) -> None:
    source = f"def f(a):\n    y = {made}\n    y[0] = a\n    return np.sum(y) * 1.0\n"
    try:
        space = derived(source, "grad", "jvp")
    except S2SError as fault:
        assert fault.diagnostics[0].code == "S241"
        return
    with pytest.raises(AssertionError):
        space["f_grad"](1.7)
    with pytest.raises(AssertionError):
        space["f_jvp"](1.7, a_dot=1.0)


@pytest.mark.parametrize(
    "result", ["np.full_like(x, a)", "(a * np.ones(3)).astype(x.dtype)", "np.array([a, a], dtype=x.dtype)"]
)
def test_a_value_that_takes_its_dtype_from_an_argument(result: str) -> None:
    space = derived(f"def f(a, x):\n    return np.sum({result})\n", "vjp", wrt=("a",))
    count = np.size(eval(result, {"np": np, "a": 1.5, "x": X}))
    assert space["f_vjp"](1.5, X.astype(float), out_bar=1.0)[1] == count
    with pytest.raises(AssertionError):
        space["f_vjp"](1.5, X, out_bar=1.0)


HELPERS = {
    "makes": "def g(x):\n    y = np.zeros_like(x)\n    y[0] = 0.5 * x[1]\n    return y\n",
    "is given": "def put(y):\n    y[0] = 0.5 * y[1]\ndef g(x):\n    y = x.copy()\n    put(y)\n    return y\n",
}


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_an_array_that_a_helper_writes(helper: str) -> None:
    space = derived(f"{helper}def f(x):\n    return np.sum(g(x)[:1])\n", "value_and_grad", "jvp")
    np.testing.assert_allclose(space["f_value_and_grad"](X.astype(float))[1], [0.0, 0.5, 0.0])
    for call in (lambda: space["f_value_and_grad"](X), lambda: space["f_jvp"](X, x_dot=np.ones(3))):
        with pytest.raises(AssertionError):
            call()
    try:
        assert space["f_jvp"](X.astype(float), x_dot=X)[1] == 1.0
    except AssertionError as e:
        assert "1.0" not in str(e)


def test_other_arguments_may_be_integers() -> None:
    space = derived("def f(w, counts):\n    y = counts * w\n    y[0] = 0.5 * y[1]\n    return np.sum(y)\n", "grad")
    w_bar, counts_bar = space["f_grad"](np.ones(3), X)
    np.testing.assert_allclose(w_bar, [0.0, 3.0, 3.0])
    np.testing.assert_allclose(counts_bar, [0.0, 1.5, 1.0])
    assert "int" not in str(counts_bar.dtype)


@pytest.mark.parametrize("made", ["np.array(range(4))", "np.asarray(range(1, 9, 2))", "np.array(range(k))"])
def test_a_range_is_an_array_of_one_axis(made: str) -> None:
    space = derived(f"def f(a: float, k: int):\n    y = {made}\n    return np.sum(a * y**2.0)\n", "grad")
    want = np.sum(eval(made, {"np": np, "k": 4}) ** 2.0)
    assert np.shape(space["f_grad"](1.5, 4)) == () and space["f_grad"](1.5, 4) == want


def test_a_dtype_of_numpy_is_no_argument() -> None:
    text = """
import numpy as np


def f(a, b, n):
    Z = np.zeros(np.linspace(a, b, n).shape, dtype=np.complex128)
    I = abs(Z) < 2.0
    Z[I] = Z[I] ** 2 + np.linspace(a, b, n, dtype=np.float64)[I] * 1j
    return Z
"""
    assert "result_type(np)" not in differentiate_unformatted(text, Request(functions=("f",), emit=("vjp",)))


COUNTED = {
    "range": "def f(x, n):\n    for i in range(n):\n        x = x * 0.9\n    return x / n\n",
    "range from 1": "def f(x, n):\n    s = 0.0\n    for i in range(1, n + 1):\n        s += x**i\n    return s / n\n",
    "shape": "import numpy as np\n\n\ndef f(x, n):\n    y = np.zeros((n, 2)) + x\n    return np.sum(y) / n\n",
    "helper": (
        "def steps(x, m):\n    for _ in range(m):\n        x = x * x\n    return x / m\n\n\n"
        "def f(x, n):\n    return steps(x, n) * n\n"
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_numbers_of_things_carry_no_derivative(name: str) -> None:
    """range(n) takes integers only: n is a parameter to differentiate in where it is asked for by name alone."""
    text = differentiate(COUNTED[name], Request(functions=("f",)))
    assert '"""Gradient of f with respect to x.' in text
    asked = differentiate(COUNTED[name], Request(functions=("f",), wrt=("x", "n")))
    assert "with respect to (x, n)" in asked
    grad = checking.evaluate(text, "<derivative>")["f_grad"]
    primal = checking.evaluate(COUNTED[name], "<primal>")["f"]
    want, error = numeric.gradient(primal, [0.7, 3], [0])
    assert numeric.close(numeric.flat(grad(0.7, 3)), want, 1e-7, 20.0 * error)


def test_a_number_that_is_rounded_carries_one() -> None:
    text = differentiate("def f(x, t):\n    for _ in range(int(t)):\n        x = x * t\n    return x\n", Request())
    assert "with respect to (x, t)" in text


@pytest.mark.parametrize(
    ("value", "args"),
    [
        ("np.roll(x, n) * x", (1,)),
        ("np.sum(np.outer(x, x), axis=n) ** 2", (1,)),
        ("np.sum(x**2, where=n)", (np.array([True, False, True]),)),
        ("np.where(n, x**2, x)", (np.array([True, False, True]),)),
        ("np.repeat(x, n) ** 2", (np.array([2, 0, 1]),)),
        ("np.reshape(x, n) ** 2", ((3, 1),)),
        ("np.diff(x, n) ** 2", (2,)),
        ("shifted(x, n) ** 2", (2,)),
    ],
)
def test_what_carries_no_derivative_is_not_differentiated_by(value: str, args: tuple[Any, ...]) -> None:
    source = f"def shifted(a, k):\n    return np.roll(a, k) * a\n\n\ndef f(x, n):\n    return np.sum({value})\n"
    space = derived(source, "grad", "jvp")
    x = X + 0.5
    x_bar = space["f_grad"](x, *args)  # of x alone
    dot = np.array([0.3, -1.0, 0.7])
    np.testing.assert_allclose(x_bar @ dot, space["f_jvp"](x, *args, x_dot=dot)[1])
    exec(f"import numpy as np\n{source}", space)
    slope = (space["f"](x + 1e-6 * dot, *args) - space["f"](x - 1e-6 * dot, *args)) / 2e-6
    np.testing.assert_allclose(x_bar @ dot, slope, rtol=1e-7)


def test_what_has_a_derivative_that_is_not_given_is_refused_where_it_varies() -> None:
    with pytest.raises(S2SError, match="S302"):
        derived("def f(x, p):\n    return np.linalg.norm(x, p)\n", "grad")


@pytest.mark.parametrize(
    "value",
    [
        "sum(x)",
        "np.einsum('i,i', x, x)",
        "x @ x",
        "np.linalg.det(np.outer(x, x) + np.diag(x))",
        "np.sum(x @ np.outer(x, x))",
        "np.sum(np.where(x > 1.0, x, 0.0))",
        "np.mean(np.where(x > 1.0, 2.0 * x, x))",
        "np.sum(np.where(x > 1.0, 0.5, x))",
        "np.sum(np.minimum(x, 1.0))",
        "np.sum(x[x > 1.0])",
        "np.dot(x, x)",
        "np.inner(x, x)",
        "np.median(x) + np.ptp(x)",
        "np.std(x) * np.linalg.norm(x)",
        "np.prod(x) + np.cumsum(x)[1]",
    ],
)
def test_float32_in_is_float32_out(value: str) -> None:
    """The seed is a Python number, and stays one."""
    source = f"def f(x):\n    return {value}\n"
    space = derived(source, "grad", "jvp")
    x = np.array([0.3, 1.7, 2.4], np.float32)
    x_bar = space["f_grad"](x)
    assert x_bar.dtype == np.float32
    wide = space["f_grad"](x.astype(float))
    np.testing.assert_allclose(x_bar, wide, rtol=1e-4)
    np.testing.assert_allclose(wide @ x, space["f_jvp"](x.astype(float), x_dot=x.astype(float))[1])
    if "@" not in value and "det" not in value:
        np.testing.assert_allclose(space["f_grad"](X), space["f_grad"](X.astype(float)))


def test_a_constant_is_not_summed() -> None:
    text = "import numpy as np\n\ndef f(x, y):\n    if x > 0.0:\n        return np.abs(x) + y\n    return y\n"
    assert "x_bar = np.sign(x)\n" in differentiate(text, Request(emit=("grad",)))


UNPACKED = {
    "a, b = x": "np.sqrt(a) * b",
    "a, *b = x": "np.sqrt(a) * b[0]",
    "c = x\n    a, b = c": "a / b",
    "t = (x, x)\n    (a, b), c = t": "np.sqrt(a) * b * c[0]",
}


@pytest.mark.parametrize("unpack", UNPACKED)
def test_numbers_that_an_argument_is_unpacked_into(unpack: str) -> None:
    f = derived(f"def f(x):\n    {unpack}\n    return {UNPACKED[unpack]}\n", "grad")["f_grad"]
    np.testing.assert_array_equal(f(np.array([2, 3])), f(np.array([2.0, 3.0])))
    assert f(np.array([2.0, 3.0], np.float32)).dtype == np.float32
    if unpack == "a, b = x":
        np.testing.assert_array_equal(f([2.0, 3.0]), f(np.array([2.0, 3.0])))


# What x is multiplied by: arrays and numbers of integers, some of them written; the gradient of sum(x * a) is float(a).
FACTORS = {
    "array": "a = np.arange(3)",
    "written": "a = np.arange(3)\n    a[1] = 5",
    "mask": "a = x > 1.5",
    "entry": "d = {'w': np.arange(3)}\n    d['w'][0] = 2\n    a = d['w']",
    "view": "b = np.arange(3)\n    b[0] = 3\n    a = b[::-1]",
    "number": "a = len([1, 2])",
    "sum": "a = 0\n    for i in range(4):\n        a += i",
    "item": "b = np.arange(3)\n    b[1] = 5\n    a = b[1]",
}


@pytest.mark.parametrize("shape", ["", "# s2s: x (3,)\n"], ids=["unstated", "stated"])
@pytest.mark.parametrize("name", FACTORS)
def test_a_cotangent_is_of_floats(name: str, shape: str) -> None:
    array = name not in ("number", "sum", "item")
    results = ["np.sum(x * a)", "np.sum(x[::-1] * a)", "np.sum(np.tile(x, 2) * np.tile(a, 2))" if array else "x[1] * a"]
    results += ["x @ a", "np.einsum('i,i->', x, a)", "np.dot(x.copy(), a)"] if array else ["a * np.sum(x)"]
    floats = X.astype(float)
    for result in results:
        source = f"{shape}def f(x):\n    {FACTORS[name]}\n    return {result}\n"
        space = derived(source, "grad")
        x_bar = space["f_grad"](floats)
        assert x_bar.dtype.kind == "f", source
        exec(f"import numpy as np\n{source}", space)
        want, _ = numeric.gradient(space["f"], (floats,), (0,))
        np.testing.assert_allclose(x_bar, want, rtol=1e-9, atol=1e-9)
    if not array:
        space = derived(f"def f(x: float):\n    {FACTORS[name]}\n    return x * a\n", "grad")
        assert isinstance(space["f_grad"](1.5), float)


def test_of_an_item_that_is_named_from_both_ends_the_last_value_counts() -> None:
    """y[[2, -1]] of three items is one item twice."""
    for target in ("y[i]", "y[i, i]", "y[:, i]", "y[np.ix_(i, [0, 1])]"):
        value = "x[0, :2]" if target == "y[i, i]" else "x[:2, :2].T" if "ix" in target else "x[:, :2]"
        value = "x[:2]" if target == "y[i]" else value
        source = f"# s2s: x (3, 3)\ndef f(x, i):\n    y = x.copy()\n    {target} = {value}\n    return np.sum(y**2)\n"
        space = derived(source, "grad", wrt=("x",))
        exec(f"import numpy as np\n{source}", space)
        x = np.arange(9.0).reshape(3, 3)
        for places in ([2, -1], [1, -1]):
            want, _ = numeric.gradient(space["f"], (x, np.array(places)), (0,))
            np.testing.assert_allclose(space["f_grad"](x, np.array(places)).ravel(), want, atol=1e-9)


def test_a_store_into_a_selection_is_told_from_one_into_a_row() -> None:
    """`y[i][0] = e` is lost where i is an array: its adjoint was that of y[i, 0]."""
    for store in ("y[i][0] = 7.0", "y[i][0:2] *= x[0, 0]", "np.add(x[0, 0], 1.0, out=y[i][0:1])"):
        source = f"# s2s: x (3, 3)\ndef f(x, i):\n    y = x * 2\n    {store}\n    return np.sum(y**2)\n"
        space = derived(source, "grad", wrt=("x",))
        exec(f"import numpy as np\n{source}", space)
        x = np.arange(9.0).reshape(3, 3) + 0.5
        with pytest.raises(AssertionError):
            space["f_grad"](x, np.array([0, 2]))
        want, _ = numeric.gradient(space["f"], (x, 1), (0,))
        np.testing.assert_allclose(space["f_grad"](x, 1).ravel(), want, atol=1e-8)


# Keys of which it is not known whether they are numbers, indices or masks: (body, key that is right, key that is told).
UNKNOWN_KEYS = {
    "a part that is written": (
        "y = x * 2\n    z = y[i]\n    z[0] = 3.0\n    return np.sum(y ** 2)",
        1,
        np.array([0, 2]),
    ),
}


@pytest.mark.parametrize("name", UNKNOWN_KEYS)
def test_a_key_that_may_be_an_array(name: str) -> None:
    """The adjoint was that of a view, and of items that no key names twice."""
    body, right, told = UNKNOWN_KEYS[name]
    source = f"def f(x, i):\n    {body}\n"
    space = derived(source, "grad", wrt=("x",))
    exec(f"import numpy as np\n{source}", space)
    x = np.arange(9.0).reshape(3, 3) + 0.5
    want, _ = numeric.gradient(space["f"], (x, right), (0,))
    np.testing.assert_allclose(space["f_grad"](x, right).ravel(), want, atol=1e-8)
    with pytest.raises(AssertionError):
        space["f_grad"](x, told)


@pytest.mark.parametrize("key", ["i", "i + 1"])
def test_a_gather_from_what_may_be_a_list(key: str) -> None:
    """Each item was added once, however often the key names it."""
    source = f"def f(x, i):\n    return np.sum(x[{key}] ** 2)\n"
    space = derived(source, "grad", wrt=("x",))
    exec(f"import numpy as np\n{source}", space)
    x = np.arange(9.0).reshape(3, 3) + 0.5
    for i in (1, np.array([0, 1]), np.array([[0, 0], [-1, 1]])):
        want, _ = numeric.gradient(space["f"], (x, i), (0,))
        np.testing.assert_allclose(space["f_grad"](x, i).ravel(), want, atol=1e-8)
    in_list = space["f_grad"]([x, x[0]], 0)
    np.testing.assert_array_equal(in_list[0 if key == "i" else 1], 2.0 * (x if key == "i" else x[0]))


def test_a_parameter_that_is_left_out_is_written() -> None:
    """`w = np.copy(w)` of None was an array that holds None."""
    source = """
def f(m, w=None):
    if w is None:
        w = np.ones(3)
    y = m * w[:, None]
    w[0] = y[0, 0]
    return np.sum(y * w[:, None])
"""
    space = derived(source, "grad", "jvp", wrt=("m",))
    exec(f"import numpy as np\n{source}", space)
    m, given = np.linspace(0.3, 1.4, 12).reshape(3, 4), np.array([1.0, 2.0, 3.0])
    for args in ((m,), (m, given)):
        want, _ = numeric.gradient(space["f"], args, (0,))
        np.testing.assert_allclose(space["f_grad"](*args).ravel(), want, atol=1e-9)
        assert np.isclose(space["f_jvp"](*args, m_dot=m)[1], want @ m.ravel())
    np.testing.assert_array_equal(given, (1.0, 2.0, 3.0))


def test_names_that_slices_calculate_with_are_whole_numbers() -> None:
    """No code for arrays of places is written for i and j: `x[2 * i : 2 * j]` of another thing raises."""
    text = differentiate(
        "import numpy as np\n\n\n# s2s: x (n, 2), y (m,)\ndef f(x, y, pairs, k):\n    s = 0.0\n"
        "    for i, j in pairs:\n        d = x[j] - x[i]\n        s += d @ y[2 * i : 2 * i + 2]\n"
        "        s += np.sum(y[j + 1 :])\n    return s / k + np.sum(np.zeros((k, 2)) + y[0])\n",
        Request("model.py", ("f",), None, emit=("grad",)),
    )
    assert "add.at" not in text and "_unbroadcast" not in text and "np.ndim(k)" not in text
    assert "Gradient of f with respect to (x, y)." in text


BY_UNKNOWN_KEYS = {
    "a second name in a branch": """
def f(v, n):
    w = v
    if n > 1:
        w = v
    a = w[n % 3]
    if a > 0.3:
        return a * 3.3
    return a + np.sum(np.sin(w))
""",
    "the same name once more": """
def f(v, n):
    a = v[n % 3]
    if 0.5 * n <= a:
        v = v
    if a > 0.3:
        return a * 3.3
    return a + np.sum(np.sin(v))
""",
}


@pytest.mark.parametrize("name", BY_UNKNOWN_KEYS)
def test_an_item_by_a_key_of_no_stated_kind(name: str) -> None:
    """What is added to zeros of the shape of an array of integers would be cut off."""
    source = "# s2s: v (3,)" + BY_UNKNOWN_KEYS[name]
    v_bar = derived(source, "grad")["f_grad"](np.array([2, 1, 3]), 2)
    np.testing.assert_allclose(v_bar, [0.0, 0.0, 3.3])


BEAMS = """
class Beam:
    def __init__(self, w, path):
        self.w = w
        self.path = path


def best_of(beams, n):
    beams = sorted(beams, key=lambda b: b.w, reverse=True)
    while len(beams) > n:
        beams.pop()
    return beams


def f(x, k):
    beams = [Beam(x[0] * k, [x[0]])]
    for i in range(1, 4):
        new = []
        for b in beams:
            for s in (1.0, 0.5):
                new.append(Beam(b.w * x[i] * s, b.path + [x[i] * s]))
        beams = best_of(new, 2)
    return sum(b.w for b in beams) + sum(beams[0].path)
"""


def test_objects_have_no_dtype() -> None:
    """What a helper is given for a list of objects is not asked whether it is of floats."""
    program = Program(BEAMS, (np.array([0.5, 1.2, 0.9, 0.3]), 0.7), ("x", "k"), ("x", "k"), True)
    assert checking.check(program, ("grad", "vjp", "jvp"), margin=0.0).kind == "right"


OF_THE_MODULE = "class Holder:\n    def __init__(self):\n        self.w = np.array([1, 2, 3])\n\n\nHOLDER = Holder()\n"


@pytest.mark.parametrize(
    "made", ["np.copy(HOLDER.w)", "HOLDER.w.copy()", "np.zeros_like(HOLDER.w)", "np.array(HOLDER.w)"]
)
def test_an_array_like_one_that_an_object_of_the_module_has(made: str, tmp_path: Path, monkeypatch: Any) -> None:
    source = (
        f"import numpy as np\n{OF_THE_MODULE}\n\ndef f(x):\n    y = {made}\n    y[0] = x\n    return np.sum(y) * x\n"
    )
    (tmp_path / "integral.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "integral", raising=False)
    space: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request("integral.py", functions=("f",), emit=("grad",))), space)
    with pytest.raises(AssertionError):
        space["f_grad"](0.7)


TYPES = {  # what a dtype is called in the text: a parameter, or what follows from it
    "a default that is a text": "def f(x, dt='float64'):\n    return np.sum(x.astype(dt) ** 2)",
    "another name": "def f(x, kind: str):\n    dt = kind\n    return np.sum(x.astype(dt) ** 2)",
    "one that may be left out": "def f(x, dt=None):\n    if dt is None:\n        dt = float\n"
    "    return np.sum(np.array(x, dtype=dt) ** 2)",
}


@pytest.mark.parametrize("name", TYPES)
def test_a_type_that_the_caller_names_is_asked(name: str) -> None:
    result = differentiate("import numpy as np\n\n# s2s: x (n,)\n" + TYPES[name] + "\n", Request(emit=("grad", "jvp")))
    made = checking.evaluate(result, "<derivative>")
    x = np.array([0.3, 1.7])
    for kind in ("float64", "float32"):
        np.testing.assert_allclose(made["f_grad"](x, kind), 2 * x, rtol=1e-6)
        np.testing.assert_allclose(made["f_jvp"](x, kind, x_dot=x)[1], 2 * x @ x, rtol=1e-6)
    for call in (lambda: made["f_grad"](x, "int64"), lambda: made["f_jvp"](x, "int64", x_dot=x)):
        with pytest.raises(AssertionError):
            call()


@pytest.mark.parametrize("made", ["np.array(n)", "np.asarray(n) * 2", "np.arange(n[0])"])
def test_an_array_of_a_list_that_is_said_to_hold_whole_numbers(made: str) -> None:
    source = (
        f"import numpy as np\n\n\ndef f(x, n: list[int]):\n    y = {made}\n    y[0] = x\n    return np.sum(y) * x\n"
    )
    space: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request("m.py", functions=("f",), emit=("grad",))), space)
    with pytest.raises(AssertionError):
        space["f_grad"](0.7, [3, 2])
    assert space["f_grad"](0.7, [3.0, 2.0]) > 0.0


def test_what_follows_from_many_values_is_found_at_once() -> None:
    """Each value is made of the one before, three times over: there are 3**60 ways from the last to the first."""
    lines = [f"    a{i + 1} = a{i} + np.roll(a{i}, 1) - np.maximum(a{i}, b)" for i in range(60)]
    body = "\n".join(lines)
    source = f"# s2s: x (n,)\ndef f(x, b):\n    a0 = x - b\n{body}\n    y = a60[::-1].copy()\n"
    source += "    y[0] = x[0]\n    return y\n"
    text = derived(source, "vjp", "jvp")
    x, b = np.array([0.3, 0.8]), 0.1
    assert np.isfinite(text["f_vjp"](x, b, out_bar=np.ones(2))[1][0]).all()


def test_a_type_that_a_loop_passes_on_follows_from_what_was_before_it() -> None:
    source = (
        "# s2s: x (n,), y (n,)\ndef f(x, y):\n    u, v = x, y\n    for _ in range(2):\n        u, v = v, u\n"
        "    w = u * 1\n    w[0] = 0.5 * x[1] * y[0]\n    return w\n"
    )
    made = derived(source, "vjp")["f_vjp"]
    floats = np.array([0.5, 1.5])
    assert np.allclose(made(floats, floats, out_bar=np.ones(2))[1][0], [0.0, 1.25])
    for args in ((floats, X[:2]), (X[:2], floats), (X[:2], X[:2])):
        with pytest.raises(AssertionError):
            made(*args, out_bar=np.ones(2))


@pytest.mark.parametrize("step", ["ys[i] = ys[i] * ys[i - 1] * k", "ys[i] = ys[i] ** 2 * k", "ys[i] = ys[i] / 2 + k"])
def test_whole_numbers_in_a_list_of_numbers(step: str) -> None:
    """Slots of its copy are bound anew, to what may be an array: cotangents of the whole numbers are floats."""
    source = f"def f(xs: list[float], k):\n    ys = list(xs)\n    for i in range(1, 3):\n        {step}\n"
    made = derived(source + "    return sum(y * y for y in ys)\n", "vjp")["f_vjp"]
    _, (xs_bar, k_bar) = made([1, 2, 3], 0.5, out_bar=1.0)
    _, (want, k_want) = made([1.0, 2.0, 3.0], 0.5, out_bar=1.0)
    assert np.allclose(xs_bar, want) and np.isclose(k_bar, k_want)
