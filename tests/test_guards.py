"""Guards are about what the text has, true of what the function takes, and say what is wrong where they say no."""

from __future__ import annotations

import ast
import builtins
import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import checking
import programs
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted
from traps import program

HEAD = "import math\nimport numpy as np\n\n"
A = np.array([[2.0, 0.3], [0.3, 1.5]])
X = np.array([0.7, -0.4])

# What gives a tuple, or a value of unknown rank, beside what is assumed to be a number: (text, arguments).
NUMBERS = {
    "slogdet": ("return x @ A @ x + np.linalg.slogdet(A)[1]", (X, A)),
    "slogdet, halved": ("return -0.5 * (x @ A @ x) - 0.5 * np.linalg.slogdet(A).logabsdet", (X, A)),
    "slogdet, first": ("return np.linalg.slogdet(A)[1] * (x @ A @ x)", (X, A)),
    "eigh": ("return x @ A @ x + np.linalg.eigh(A @ A.T)[0][0]", (X, A)),
    "svd": ("return x @ x + np.linalg.svd(A)[1][0]", (X, A)),
    "qr": ("return x @ x + np.linalg.qr(A)[1][0, 1]", (X, A)),
    "divmod": ("return divmod(x, A)[1] + round(x)", (1.7, 0.6)),
    "divmod, times": ("return divmod(x, A)[1] * x", (1.7, 0.6)),
    "np.divmod": ("return np.divmod(x, A)[1] * x + np.round(A)", (1.7, 0.6)),
    "modf": ("return np.modf(x)[0] * x * A", (1.7, 0.6)),
    "math.modf": ("return math.modf(x)[0] * x * A + math.frexp(A)[0]", (1.7, 0.6)),
    "frexp": ("return np.frexp(x)[0] * x + A", (1.7, 0.6)),
    "a name in an expression": ("return x * (c := unknown(3)) + A * c", (1.7, 0.6)),
    "a call": ("return x * unknown(3) + A", (1.7, 0.6)),
    "a part of what is called": ("return x @ A @ x + np.array(pair(3))[1] + divmod(x[0], x[1])[1]", (X, A)),
    "in a helper": ("return half(x, A) + divmod(x[0], 0.3)[1]", (X, A)),
}  # fmt: skip
KNOWN = """
unknown = eval("lambda n: float(n)")
pair = eval("lambda n: (float(n), 2.0)")

def half(x, A):
    return 0.5 * (x @ A @ x) + np.linalg.slogdet(A)[1]

"""


def unbound(text: str) -> set[str]:
    """The names that a module reads and nothing binds."""
    nodes = list(ast.walk(ast.parse(text)))
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    bound |= {n.name for n in nodes if isinstance(n, ast.FunctionDef)} | {
        n.arg for n in nodes if isinstance(n, ast.arg)
    }
    bound |= {a.asname or a.name for n in nodes if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names}
    return {n.id for n in nodes if isinstance(n, ast.Name)} - bound - vars(builtins).keys()


@pytest.mark.parametrize("name", NUMBERS)
def test_no_guard_is_about_what_the_text_does_not_have(name: str) -> None:
    body, args = NUMBERS[name]
    source = f"{HEAD}{KNOWN}\ndef f(x, A):\n    {body}\n"
    for kinds in (("grad", "jvp"), ("vjp", "jvp")):
        verdict = checking.check(program(name, source, args, ()), kinds)
        assert verdict.kind == "right", verdict
        assert not unbound(verdict.text)


# `x += e` of what another name sees, where nothing else suggests an array: the parameters are numbers.
UPDATES = {
    "a second name, a tuple": "def f(x, y):\n    b = x\n    b += y\n    return b * x, b",
    "a second name": "def f(x, y):\n    b = x\n    b += y\n    return b * x",
    "a sum in a loop": "def f(x, y):\n    s = x\n    for i in range(3):\n        s += y * x\n    return s",
    "of what was computed": "def f(x, y):\n    b = x * y\n    c = b\n    b += y\n    return b * x, c",
    "one of two": "def f(x, y, flag=True):\n    c = x if flag else y\n    c *= 2.0\n    return x * c, y * c",
    "in a helper": "def bump(a, b):\n    a += b\n    return a * b\n\n\n"
    "def f(x, y):\n    z = bump(x, y)\n    return z, x",
    "of a second name in a helper": "def bump(a, b):\n    c = a\n    c += b\n    return c * a, c\n\n\n"
    "def f(x, y):\n    p, q = bump(x, y)\n    return p * x, q",
    "in a list": "def f(x, y):\n    L = [x, y]\n    x += y\n    return L[0] * x",
    "sines": "def f(x, y):\n    s = x\n    s += np.sin(y)\n    return np.sin(s) * x, s",
}  # fmt: skip


@pytest.mark.parametrize("name", UPDATES)
def test_an_update_of_a_number_with_another_name(name: str) -> None:
    for args, wanted in (((0.7, 0.4), ("right",)), ((X, X + 1.0), ("right", "guarded"))):
        verdict = checking.check(program(name, f"{HEAD}\n{UPDATES[name]}\n", args, ()), ("vjp", "jvp"))
        assert verdict.kind in wanted, verdict


# Where something suggests an array, it is one: other arguments are refused by the output.
ARRAYS = {
    "summed": "def f(x, y):\n    b = x\n    b += y\n    return np.sum(b * x), b",
    "beside what is summed": "def f(x, y):\n    b = x\n    b += y\n    return b * x + np.mean(y)",
    "annotated": "def f(x: np.ndarray, y):\n    b = x\n    b += y\n    return b * x",
    "by a helper that returns nothing": "def add(a, b):\n    a += b\n\n\ndef f(x, y):\n    add(x, y)\n    return x * y",
    "a list in a helper": "def put(q, y):\n    view = y\n    both = [view, view]\n"
    "    again = both[1]\n    again *= view + q\n\n\n"
    "def f(x, y):\n    y = y * 2.0\n    put(x, y)\n    return np.sum(y)",
}  # fmt: skip


@pytest.mark.parametrize("name", ARRAYS)
def test_an_update_of_an_array_with_another_name(name: str) -> None:
    for args, wanted in (((X, X + 1.0), ("right",)), ((0.7, 0.4), ("right", "guarded"))):
        verdict = checking.check(program(name, f"{HEAD}\n{ARRAYS[name]}\n", args, ()), ("vjp", "jvp"))
        assert verdict.kind in wanted, verdict


REDUCED = """
def f(x, y, reduction="mean"):
    r = (x - y) ** 2
    if reduction == "mean":
        return np.mean(r)
    if reduction == "sum":
        return np.sum(r)
    return r
"""
BY_EXPRESSIONS = """
def f(x, y, reduction="mean"):
    if reduction == "none":
        return (x - y) ** 2
    return ((x - y) ** 2).sum() if reduction == "sum" else ((x - y) ** 2).mean()
"""


@pytest.mark.parametrize("text", [REDUCED, REDUCED.replace("\ndef", "\n# s2s: x (n,), y (n,)\ndef"), BY_EXPRESSIONS])
def test_a_path_that_returns_an_array_has_no_gradient_and_the_others_have_one(text: str) -> None:
    derived = differentiate_unformatted(HEAD + text, Request(functions=("f",), emit=("grad", "value_and_grad")))
    space: dict[str, Any] = checking.evaluate(derived, "<derivative>")
    y = np.array([0.2, 0.9])
    for reduction, scale in (("mean", 0.5), ("sum", 1.0)):
        want = 2.0 * (X - y) * scale
        np.testing.assert_allclose(space["f_grad"](X, y, reduction), (want, -want))
        np.testing.assert_allclose(space["f_value_and_grad"](X, y, reduction)[0], np.sum((X - y) ** 2) * scale)
    with pytest.raises(ValueError, match=r"the result of f is not a scalar: its shape is \(2,\)"):
        space["f_grad"](X, y, "none")
    if "s2s:" not in text:
        np.testing.assert_allclose(space["f_grad"](0.7, 0.4, "none"), (0.6, -0.6))


# A reshape of what is not contiguous makes a copy: what a helper writes into a part of it is lost, and is asserted not
# to be.
LAYOUTS = {
    "a row of rows backwards": "M[2::-1, :3].reshape(9, 1)[0]",
    "every second item of columns": "M[:2].T.ravel()[::2]",
    "a row of the transpose": "M.T.reshape(2, 8)[1, :3]",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_helper_that_writes_a_part_of_a_copy(name: str) -> None:
    source = f"{HEAD}def step(p, x):\n    p *= x\n    return p[0]\n\n\n# s2s: M (4, 4)\n"
    source += f"def f(M, a: float):\n    return step({LAYOUTS[name]}, a) * M[0, 0]\n"
    M = np.linspace(0.3, 1.7, 16).reshape(4, 4)
    verdict = checking.check(program(name, source, (M, 0.7), ()), ("vjp", "jvp"))
    assert (verdict.kind, "shares_memory" in verdict.detail) == ("guarded", True), verdict
    contiguous = source.replace(LAYOUTS[name], "M[1:3].reshape(2, 4)[1, ::2]")
    assert checking.check(program(name, contiguous, (M, 0.7), ()), ("vjp", "jvp")).kind == "right"


def test_all_of_what_may_be_a_number_is_a_view_of_an_array_only() -> None:
    source = f"{HEAD}\ndef f(x, y):\n    a = np.sin(x)\n    b = a[...]\n    b += y\n    b *= a\n    return b\n"
    for x, wanted in ((X, "right"), (0.7, "guarded")):
        verdict = checking.check(program("all of a number", source, (x, 0.4), ()), ("vjp", "jvp"))
        assert verdict.kind == wanted, verdict


# np.expand_dims and its like make views of arrays, and arrays of their own of numbers: asserted where it matters.
VIEWS_OF_NUMBERS = {
    "np.expand_dims(z, 0)": True,
    "np.atleast_1d(z)": True,
    "np.atleast_2d(z).T": True,
    "np.atleast_2d(np.squeeze(z))": True,
    "np.expand_dims(z + k, 0)": False,
    "np.atleast_1d(np.copy(z))": False,
}


@pytest.mark.parametrize("first", ["z = x * k", "z = x"])
@pytest.mark.parametrize("view", VIEWS_OF_NUMBERS)
def test_a_view_of_what_may_be_a_number(view: str, first: str) -> None:
    body = f"    {first}\n    y = {view}\n    y[...] = 0.3 * k * y\n    return np.sum(y**2)"
    for rest, wanted in ((" + np.sum(z)", "guarded" if VIEWS_OF_NUMBERS[view] else "right"), ("", "right")):
        source = f"{HEAD}\ndef f(x, k: float):\n{body}{rest}\n"
        assert checking.check(program(view, source, (X, 0.4), ()), ("vjp", "jvp")).kind == "right"
        verdict = checking.check(program(view, source, (0.7, 0.4), ()), ("vjp", "jvp"))
        assert verdict.kind == wanted, verdict


# A part of a part is a view where the key is a number or a slice, and one of a copy where it is an array.
SELECTED = {
    "w = u[::-1][i]\n    w *= k": "np.sum(w**2)",
    "w = u[1:][i]\n    w[0] = k": "np.sum(w**2) + np.sum(u)",
    "w = u.T[i]\n    w *= k": "np.sum(w**2)",
    "w = u[i][1:]\n    w *= k": "np.sum(w**2) + np.sum(u)",
    "put(u[i], k)": "np.sum(u**2)",
    "put(u[::-1][i], k)": "np.sum(u**2)",
    "w = same(u[i])\n    w[0] *= k": "np.sum(u**2) + np.sum(w)",
}


@pytest.mark.parametrize("body", SELECTED)
def test_a_part_by_a_key_that_may_be_an_array(body: str) -> None:
    helpers = "def put(w, k):\n    w[0] *= k\n\n\ndef same(w):\n    return w\n\n\n"
    source = f"{HEAD}\n{helpers}def f(u, k: float, i):\n    u = u.copy()\n    {body}\n    return {SELECTED[body]} * k\n"
    u = np.array([[0.3, -0.7, 0.2], [0.4, 0.9, 0.5], [0.6, -0.1, 0.8]])
    assert checking.check(program(body, source, (u, 0.4, 1), ()), ("vjp", "jvp")).kind == "right"
    for key in (np.array([1, 1]), np.array([0, 1])):  # right where nobody else reads what is written
        kind = checking.check(program(body, source, (u, 0.4, key), ()), ("vjp", "jvp")).kind
        assert kind == ("guarded" if "(u" in body + SELECTED[body] else "right")


@pytest.mark.parametrize("stated", ["", "# s2s: x (2,), y (2, 2), k ()\n"])
@pytest.mark.parametrize("call", ["np.broadcast_arrays(x, y)", "np.meshgrid(x, y[0], copy=False)"])
def test_views_of_several_arrays(call: str, stated: str) -> None:
    """They may repeat elements: not to be written under one name, and read under another."""
    for update, wanted in (("x *= k", "refused"), ("x = x * k", "right")):
        body = f"    x = x.copy()\n    a, b = {call}\n    {update}\n    return np.sum(a * a * b) + np.sum(x)\n"
        source = f"{HEAD}\n{stated}def f(x, y, k: float):\n{body}"
        args = (np.array([0.3, -0.7]), np.array([[0.4, 0.9], [0.2, 0.6]]), 0.4)
        assert checking.check(program(call, source, args, ()), ("vjp", "jvp")).kind == wanted


WALL = """
def f(c, d, n):
    u = np.zeros(len(c))
    for t in range(n):
        a = 2 * u
        a[1:-1] += c[1:-1] * (u[2:] - u[:-2])
        a[0] = u[1] + (c[0] * d - 0.3) / (c[0] * d + 0.3) * (a[1] - u[0]) + d
        u = a
    return np.sum(u**2)
"""


def test_what_is_stored_into_an_element_is_a_number() -> None:
    """Which the output asks its arguments, and is then written for numbers."""
    case = program("wall", HEAD + WALL, (np.array([0.4, 0.7, 0.5, 0.9]), 0.2, 3), ())
    checking.check(case)
    text = differentiate_unformatted(case.source, Request(functions=("f",), emit=("grad",)))
    assert "assert np.ndim(c) == 1 and np.ndim(d) == 0" in text
    assert "_unbroadcast" not in text and ".copy()" not in text
    f_grad = checking.evaluate(text, "f_grad")["f_grad"]
    with pytest.raises(AssertionError):
        f_grad(case.args[0], np.array([0.2]), 3)


SCALED = """
def scaled(x, g, b=0.5):
    return x * g + b

def f(p, x):
    return np.sum(scaled(x, **p) ** 2)
"""


def test_a_default_that_an_item_of_a_dict_would_replace() -> None:
    """`**p` gives what is named in the text of the function that is called; of the rest the output asks."""
    case = program("scaled", HEAD + SCALED, ({"g": X}, X), ())
    checking.check(case)
    text = differentiate_unformatted(case.source, Request(functions=("f",), emit=("grad",)))
    assert "assert 'b' not in p" in text.replace('"', "'")
    f_grad = checking.evaluate(text, "f_grad")["f_grad"]
    with pytest.raises(AssertionError):
        f_grad({"g": X, "b": 0.1}, X)


SHADOWED = """
def f(p, x):
    s = 0.0
    for layer in (p["a"], p["b"]):
        act = lambda layer: layer * 2.0
        s = s + np.sum(act(x) * layer["w"])
    return s
"""


def test_a_variable_of_a_lambda_is_not_the_loops() -> None:
    """It was taken for the item of the dict that the loop runs over, and the result did not depend on x."""
    text = differentiate_unformatted(HEAD + SHADOWED, Request(functions=("f",), wrt=("x",), emit=("grad",)))
    f_grad = checking.evaluate(text, "f_grad")["f_grad"]
    p = {"a": {"w": X}, "b": {"w": 3.0 * X}}
    np.testing.assert_allclose(f_grad(p, X), 8.0 * X)


REPLACED = """
def f(p, x):
    s = 0.0
    for layer in (p["a"], p["b"]):
        s = s + np.sum(layer["w"] * x)
        p["b"] = {"w": layer["w"] * 2.0}
    return s
"""


def test_items_of_a_dict_that_is_written_are_those_before_the_loop() -> None:
    """They were read under their keys in each iteration, and so after the write."""
    text = differentiate_unformatted(HEAD + REPLACED, Request(functions=("f",), wrt=("x",), emit=("grad",)))
    f_grad = checking.evaluate(text, "f_grad")["f_grad"]
    np.testing.assert_allclose(f_grad({"a": {"w": X}, "b": {"w": 3.0 * X}}, X), 4.0 * X)


def test_what_a_local_value_is_taken_for_is_asserted_where_it_is_updated() -> None:
    """`w *= x` writes into what `y` sees, were it an array: what is not known of a local value is asked there."""
    head = "import numpy as np\n\n\ndef f(x):\n    a = np.ones((3, 2))\n"
    text = head + "    y = w = np.einsum({}, a, a)\n    w *= x\n    return np.sum(w * y)\n"
    number, array = text.format('"ij,ij->"'), text.format('"ij,ij->j"')
    for source in (number, array):
        derived = differentiate_unformatted(source, Request("model.py", ("f",), ("x",), emit=("vjp", "jvp")))
        assert derived.count("assert np.ndim(w) > 0") == 2
        space = checking.evaluate(derived, "<derivative>")
        if source == number:
            with pytest.raises(AssertionError):
                space["f_jvp"](0.7, x_dot=1.0)
        else:
            assert checking.check(program("updated sums", source, (0.7,), ()), ("vjp", "jvp")).kind == "right"


def test_a_slice_of_a_list_with_another_name_gets_as_many_items_as_it_has_places() -> None:
    """The reverse sweep puts the old items into the same places."""
    text = "def f(x):\n    u = [x, x * x, 3.0 * x]\n    w = u\n    u[0:n] = [x * u[1]]\n    return w[0] * w[-1]\n"
    derived = differentiate_unformatted(text.replace("(x)", "(x, n: int)"), Request("model.py", ("f",), ("x",)))
    f_grad = checking.evaluate(derived, "<derivative>")["f_grad"]
    np.testing.assert_allclose(f_grad(0.7, 1), 12.0 * 0.7**3)
    with pytest.raises(AssertionError):
        f_grad(0.7, 2)


@pytest.mark.parametrize("store", ["b[0] = W[1, 1] * 2.0", "W[0] = 3.0 * b[1, 0]"])
@pytest.mark.parametrize("emit", ["grad", "jvp"])
def test_a_view_of_what_may_be_a_copy(store: str, emit: str) -> None:
    """`W.T.reshape` copies, so `b` is no view of W: the guard stands for the whole chain of views."""
    source = f"""
import numpy as np


# s2s: W (3, 4)
def f(W):
    b = W.T.reshape((3, 4)).T
    {store}
    return np.sum(W * W) + np.sum(b * b)
"""
    text = differentiate_unformatted(source, Request("model.py", ("f",), emit=(emit,)))
    derivative = checking.evaluate(text, "<derivative>")[f"f_{emit}"]
    W = np.arange(12.0).reshape(3, 4)
    with pytest.raises(AssertionError):
        derivative(W, **({"W_dot": np.ones_like(W)} if emit == "jvp" else {}))


COLUMNS = """
def product(A, B):
    s = 0.0
    for row in A:
        for col in [[r[j] for r in B] for j in range(2)]:
            for a, b in zip(row, col):
                s = s + a * b
    return s


def f(rows, x):
    return product(rows, [[row[j] for row in rows] for j in range(2)]) * x
"""


def test_what_is_added_to_a_number_of_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adjoint of `b` lies in a list of adjoints: what were added to a number would be lost."""
    monkeypatch.delenv("S2S_CHECK", raising=False)  # the checker does not follow columns of rows
    text = differentiate_unformatted(COLUMNS, Request(functions=("f",), emit=("vjp",)))
    value, (rows_bar, x_bar) = checking.evaluate(text, "<derivative>")["f_vjp"](
        [[0.1, 0.2], [0.3, 0.4]], 0.7, out_bar=1.0
    )
    np.testing.assert_allclose(rows_bar, [[0.56, 0.84], [0.56, 0.84]])
    np.testing.assert_allclose([value, x_bar], [0.364, 0.52])


NOTHING = {
    "at once": "    if x > 1.0:\n        return x * y\n",
    "said": "    if x > 1.0:\n        return x * y\n    return None\n",
    "in a loop": "    for k in range(3):\n        x = x * y\n        if x > 1.0:\n            return x\n    y = x\n",
    "before one": "    for k in range(3):\n        x *= y\n        if x < 0.5:\n            return\n    return x\n",
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_path_that_returns_none_has_no_gradient_and_the_others_have_one(name: str) -> None:
    text = f"def f(x, y):\n{NOTHING[name]}"
    emit = ("grad", "value_and_grad", "vjp", "jvp")
    space = checking.evaluate(differentiate_unformatted(text, Request(functions=("f",), emit=emit)), "<derivative>")
    primal = checking.evaluate(text, "<primal>")["f"]
    for args in ((1.2, 1.1), (0.3, 0.9)):
        value = primal(*args)
        if value is None:
            for kind in ("grad", "value_and_grad"):
                with pytest.raises(ValueError, match="the result of f is None"):
                    space[f"f_{kind}"](*args)
            assert space["f_vjp"](*args, out_bar=None)[0] is None
            assert space["f_jvp"](*args, x_dot=1.0, y_dot=0.0) == (None, None)
        else:
            want = tuple((primal(*(np.array(args) + h)) - value) / 1e-7 for h in 1e-7 * np.eye(2))
            np.testing.assert_allclose(space["f_grad"](*args), want, rtol=1e-5)
            np.testing.assert_allclose(space["f_vjp"](*args, out_bar=1.0)[1], want, rtol=1e-5)


def test_a_procedure_that_may_return_nothing() -> None:
    text = f"{HEAD}\n# s2s: v (2,)\ndef f(v, x):\n    if x > 1.0:\n        return x * v[0]\n    v *= x\n"
    derived = differentiate_unformatted(text, Request(functions=("f",), of=("v",), emit=("vjp",)))
    vjp, v, bar = checking.evaluate(derived, "<derivative>")["f_vjp"], np.array([0.4, 0.9]), np.array([1.0, 2.0])
    (value, final), (v_bar, x_bar) = vjp(v, 0.5, v_bar=bar, out_bar=None)
    assert value is None
    np.testing.assert_allclose(final, 0.5 * v)
    np.testing.assert_allclose(v_bar, 0.5 * bar)
    assert x_bar == v @ bar
    (value, _), (v_bar, x_bar) = vjp(v, 1.5, v_bar=bar, out_bar=1.0)
    assert (value, x_bar) == (1.5 * v[0], v[0])
    np.testing.assert_allclose(v_bar, bar + np.array([1.5, 0.0]))


UNNAMED = {
    "a product": "(u[:2] * v[1:3]).reshape(2)",
    "a product in two shapes": "(u * v).reshape(2, 2).reshape(4)[1:]",
    "a product without a part": "np.ravel(u * v)",
    "a sine of a view": "np.sin(u.reshape(2, 2)).ravel()",
}


@pytest.mark.parametrize("name", UNNAMED)
def test_a_helper_that_writes_into_what_is_computed_in_its_call(name: str) -> None:
    """It was taken to write into `u`, and the assertion that it does never held."""
    text = (
        "# s2s: u (4,), v (4,)\ndef f(u, v):\n    u[1] = 0.3\n"
        f"    q = overwrite({UNNAMED[name]})\n    return u * v * q\n\n\n"
        "def overwrite(a):\n    a[0] = a[0] * a[1]\n    return a[0]\n"
    )
    args = (np.array([0.4, 1.1, 0.7, 0.6]), np.array([0.9, 0.3, 1.2, 0.8]))
    verdict = checking.check(program(name, f"{HEAD}\n{text}", args, ()), ("vjp", "jvp"))
    assert verdict.kind == "right", verdict


def test_an_array_of_rank_zero_that_a_helper_updates_under_another_name() -> None:
    """`x` changes with `e`: its derivative, which is written for numbers, stops and does not return another value."""
    helper = "def half(x, w):\n    e = x\n    e -= abs(w)\n    return x + e\n\n\n"
    source = HEAD + helper + "def f(x: float, w: float):\n    return half(np.where(x > w, x, x), w)\n"
    derived: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request("m.py", ("f",), ("x",), emit=("jvp",))), derived)
    with pytest.raises(AssertionError):
        derived["f_jvp"](0.7, 0.2, x_dot=1.0)


def test_a_number_that_is_an_array_in_the_next_iteration() -> None:
    """`b += 2.0` writes into the array that `y` has become: it was taken for a number, for `y` is one at first."""
    loop = "    for i in range(3):\n        b = y\n        y = x\n        b += 2.0\n"
    source = f"{HEAD}def f(x, y):\n    x = x * 2.0\n{loop}    return b\n"
    check_numbers = checking.check(program("numbers", source, (0.7, 1.5), ()), ("vjp", "jvp"))
    assert check_numbers.kind == "right", check_numbers
    derived: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request("m.py", ("f",), emit=("vjp", "jvp"))), derived)
    with pytest.raises(AssertionError):
        derived["f_vjp"](X, 1.5, out_bar=X)
    with pytest.raises(AssertionError):
        derived["f_jvp"](X, 1.5, x_dot=X, y_dot=1.0)


def test_the_elements_of_an_array_of_rank_zero() -> None:
    """The cotangent, a number by then, takes none: `y_bar[...][...] = e` wrote into a copy of it."""
    source = f"{HEAD}def f(x, y):\n    b = y\n    c = b[...]\n    np.multiply(c, b, out=c)\n    return b * x\n"
    derived: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request("m.py", ("f",), ("y",), emit=("vjp",))), derived)
    with pytest.raises(TypeError):
        derived["f_vjp"](1.5, np.array(0.4), out_bar=np.array(1.0))
    np.testing.assert_allclose(derived["f_vjp"](1.5, X, out_bar=X)[1], 3.0 * X * X)


@pytest.mark.parametrize(
    ("keys", "equal", "guard"),
    [
        ('"a", k', "a", 'assert "a" != k'),
        ("(0, k), (1, k)", 3, ""),
        ('f"W{k}", f"b{k}"', 3, ""),
        ("k, k + 1", 3, ""),
        ('f"W{k}", "b"', 3, ""),
        ('f"W{k}", "W2"', 2, 'assert f"W{k}" != "W2"'),
        ('f"""W{k}""", "W2"', 2, 'assert f"W{k}" != "W2"'),
        ('f"\\x57{k}", "W2"', 2, 'assert f"W{k}" != "W2"'),
        ("n, k", 2, "assert n != k"),
    ],
)
def test_keys_of_a_display_that_may_be_equal(keys: str, equal: Any, guard: str) -> None:
    """The last value stays, and the cotangent of the one before it is zero: the output says no there."""
    first, second = (ast.unparse(e) for e in ast.parse(f"[{keys}]", mode="eval").body.elts)  # type: ignore[attr-defined]
    source = (
        f"def f(x: float, y: float, n, k):\n    d = {{{first}: x, {second}: y}}\n    return d[{first}] * d[{second}]\n"
    )
    request = Request("model.py", ("f",), ("x", "y"), emit=("value_and_grad",))
    text = differentiate_unformatted(source, request)
    asserted = [line.strip().replace("'", '"') for line in text.splitlines() if "assert" in line and "!=" in line]
    assert asserted == ([guard] if guard else [])
    g = checking.evaluate(text, "<derivative>")["f_value_and_grad"]
    if guard:
        with pytest.raises(AssertionError):
            g(0.3, 0.5, 2, equal)
    assert g(0.3, 0.5, 2, "b" if guard == 'assert "a" != k' else 7) == (0.15, (0.5, 0.3))


def test_a_view_of_itself() -> None:
    """`B = B.ravel()` in a loop: whether it is a view is asked before B is another one."""
    source = """
import numpy as np


def f(x):
    A = np.outer(x, x)
    B = VIEW
    B[1:] = 0.5
    for i in range(2):
        B = B.ravel()
    B *= x[0]
    return np.sum(A)
"""
    for view, wanted in {"A.T": "guarded", "A[:]": "right"}.items():
        for kinds in (("vjp", "jvp"), ("grad", "jvp")):
            assert checking.check(program(view, source.replace("VIEW", view), (X,), ()), kinds).kind == wanted


@pytest.mark.parametrize("wrt", ["p", "x"])
def test_coefficients_of_more_than_one_axis_have_no_derivative(wrt: str) -> None:
    """np.polyval takes the rows of a matrix for coefficients, and gives a vector for a number."""
    source = "import numpy as np\n\n\ndef f(p, x):\n    return np.sum(np.polyval(p * x, x))\n"
    f = checking.evaluate(differentiate_unformatted(source, Request("model.py", ("f",), (wrt,))), "<d>")["f_grad"]
    f(X, 0.3)
    with pytest.raises((AssertionError, ValueError)):
        f(A, 0.3)


def test_an_item_of_a_gradient_of_no_stated_rank() -> None:
    """np.gradient gives an array of a vector, and a list of arrays of a matrix."""
    source = "import numpy as np\n\n\ndef f(a):\n    return np.sum(np.gradient(a * a)[1] ** 2)\n"
    for a in (np.arange(4.0) ** 2, np.outer(X, np.arange(3.0))):
        assert checking.check(program("gradient", source, (a,), ()), ("grad", "vjp", "jvp")).kind == "right"


def test_an_attribute_called_e_is_no_number_of_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`cell.e` of an object of the module is an array here; it was taken for `np.e`."""
    source = (
        "import numpy as np\n\n\nclass Cell:\n    e = np.array([0.3, 0.5, 0.8])\n\n\ncell = Cell()\n\n\n"
        "# s2s: s ()\ndef f(s):\n    return np.sum(np.log(cell.e * s))\n"
    )
    (tmp_path / "cell_of_e.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    text = differentiate_unformatted(source, Request("cell_of_e.py", ("f",), ("s",)))
    assert np.isclose(checking.evaluate(text, "<d>")["f_grad"](0.7), 3.0 / 0.7)


def test_a_name_that_is_taken_for_a_number_where_a_helper_binds_it() -> None:
    """It was an array in the call, and its cotangent was summed."""
    source = """\
from typing import NamedTuple

import numpy as np


class Two(NamedTuple):
    a: np.ndarray
    b: np.ndarray


def pair(q, r):
    return q * r, q - 0.3 * r


def two(q, r):
    return Two(q * r, q)


def f(x, y, k):
    if k > 0.4:
        x, y = pair(y, x)
    for _ in range(2):
        x, y = two(x, y)
        x *= y
    return x
"""
    two = programs.Program(source, (X, 2.0 * X, 0.7), ("x", "y", "k"), ("x", "y", "k"), False)
    assert checking.check(two, ("vjp", "jvp")).kind == "guarded"


WRITERS = """
def pick(rows, i):
    return rows[i]

def both(rows):
    return rows[0], rows[1]

def write(d, c):
    for k in d:
        d[k][0] = c

def deep(rows, c):
    write(pick(rows, 0), c)

"""


@pytest.mark.parametrize(
    "text",
    [
        "row = pick(rows, 0)\n    write(row, 0.1)",
        "row, other = both(rows)\n    write(row, 0.1)",
        "row, *rest = rows\n    write(row, 0.1)",
        "held = {'row': pick(rows, 0)}\n    write(held['row'], 0.1)",
        "deep(rows, 0.1)",
        "held = [row for row in rows]\n    held[0]['u'][0] = 0.1\n    x = x * held[0]['u'][0]",
        "held = [rows[0], rows[1]]\n    for row in held:\n        row['u'][0] = 0.1\n    x = x * held[0]['u'][0]",
    ],
)
def test_helpers_write_into_no_array_of_a_dict_in_a_list_of_the_callers(text: str) -> None:
    """np.copy of a list of dicts has the caller's dicts."""
    source = HEAD + WRITERS + f"def f(x, rows):\n    {text}\n    return np.sum(2.0 * x)\n"
    written = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x",), emit=("grad",)))
    module: dict[str, Any] = {}
    exec(written, module)
    rows = [{"u": np.ones(3), "v": np.ones(2)}, {"u": np.ones(3)}]
    with pytest.raises(AssertionError):
        module["f_grad"](X, rows)
    assert all(np.all(v == 1.0) for row in rows for v in row.values())


def test_a_helper_writes_into_no_dict_of_the_callers() -> None:
    source = HEAD + WRITERS + "def f(x, d):\n    write(d, 0.1)\n    return np.sum(2.0 * x)\n"
    written = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x",), emit=("grad",)))
    d = {"u": np.ones(3)}
    with pytest.raises(AssertionError):
        checking.evaluate(written, "<d>")["f_grad"](X, d)
    assert np.all(d["u"] == 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "copy = rows.copy()\n    copy[0][1] = 0.3\n    return np.sum(rows[0] * x)",
        "copy = rows.copy()\n    for row in copy:\n        row[1] = 0.3\n    return np.sum(rows[0] * x)",
        "copy = rows.copy()\n    row = copy[0]\n    row[1] = 0.3\n    return np.sum(rows[0] * x)",
        "copy = rows.copy()\n    pick(copy, 0)[1] = 0.3\n    return np.sum(rows[0] * x)",
        "copy = rows.copy()\n    write(copy, 0.3)\n    return np.sum(rows[0] * x)",
    ],
)
def test_a_copy_of_a_list_has_its_items(text: str) -> None:
    """`rows.copy()` of a list of arrays is no copy of these: what is written into one is in both."""
    source = HEAD + WRITERS.replace("in d:", "in range(len(d)):") + f"def f(x, rows):\n    {text}\n"
    written = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x",), emit=("grad",)))
    derived = checking.evaluate(written, "<d>")["f_grad"]
    rows = [np.ones(2), np.ones(2)]
    with pytest.raises(AssertionError):
        derived(X, rows)
    assert all(np.all(v == 1.0) for v in rows)
    assert np.allclose(derived(X, np.ones((2, 2))), 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "return u, u, x[0]",
        'return {"a": u, "b": [u, x[0]]}',
        "w = u\n    for k in range(2):\n        w = u if x[k] > 0 else w\n    return w, u, x[0]",
        "held = [x]\n    held.append(u)\n    held.append(u)\n    return held",
        "w = u[:]\n    w[0] = x[0] * u[1]\n    return np.asarray(u) * x[1]",
        "z = np.asarray(u)\n    u[0] = x[0]\n    return z * z",
        "w = u[:1]\n    w[0] = 5.0\n    return np.asarray(u) * x[1]",
        "start = first(u)\n    start[0] = x[0]\n    return np.asarray(u) * x[1]",
        'd = {"a": u[:]}\n    d["a"][0] = x[0]\n    return np.array(u) * x[1]',
        "for v in (u[:1], u):\n        v[0] = x[0]\n    return np.asarray(u) * x[1]",
    ],
)
@pytest.mark.parametrize("emit", ["vjp", "jvp"])
def test_what_is_another_thing_of_lists_asserts_that_it_is_given_none(text: str, emit: str) -> None:
    """The sum of two cotangents would be a longer list; a slice of a list is a copy of it."""
    source = HEAD + f"def first(v):\n    return v[:1]\n\n\ndef f(x, u):\n    {text}\n"
    assert checking.check(program("f", source, (X, X + 1.0), ()), (emit,)).kind == "right"
    assert checking.check(program("f", source, (X, [0.3, 0.6]), ()), (emit,)).kind == "guarded"


@pytest.mark.parametrize("text", ["return x * u if u else x", "u = u or 1.0\n    return x * u"])
@pytest.mark.parametrize("emit", ["vjp", "jvp"])
def test_what_has_a_truth_value_is_a_number_or_a_list(text: str, emit: str) -> None:
    source = HEAD + f"def f(x, u):\n    {text}\n"
    assert checking.check(program("f", source, (X, 0.3), ()), (emit,)).kind == "right"
    assert checking.check(program("f", source, (X, [0.3, 0.6]), ()), (emit,)).kind == "guarded"


@pytest.mark.parametrize("store", ["L[0] = A[:, p]", "L[0] = A[1, p]", "for i in range(1):\n        L[i] = B[q[0], p]"])
def test_a_list_gets_a_part_that_is_a_view_or_a_copy(store: str) -> None:
    source = f"{HEAD}def f(A, u, p, q):\n    B = A\n    L = [u, u]\n    {store}\n"
    source += "    A[0] = 3.0 * A[1]\n    A[1] = 0.5 * A[2]\n    return np.sum(L[0])\n"
    A = np.linspace(0.3, 1.7, 9).reshape(3, 3)
    q = np.array([1, 0])
    verdict = checking.check(program(store, source, (A, A[0] + 1.0, q, q), ()), ("vjp", "jvp"))
    assert (verdict.kind, "shares_memory" in verdict.detail) == ("guarded", True), verdict
    whole = checking.check(program(store, source, (A, A[0] + 1.0, slice(1, 3), q), ()), ("vjp", "jvp"))
    assert whole.kind == "right", whole


NUMBERS_IN_LISTS = {
    "of a list of lists": "g = [[0.0, 0.0], [0.0, 0.0]]\n    g[1][0] = u\n    return g[1][0] * g[0][1] + g[1][0]",
    "of a display": "g = [[u, 0.0], [0.0, 0.0]]\n    g[0][1] = 2.0\n    return g[0][0] * g[0][1]",
    "of lists that a loop fills": "g = [[0.0, 0.0], [0.0, 0.0]]\n    for i in range(2):\n        g[i][1] = 2.0\n"
    "    g[1][0] = u\n    return np.sum(np.array(g[1]))",
}


@pytest.mark.parametrize("name", NUMBERS_IN_LISTS)
def test_a_number_that_a_helper_puts_into_a_list_of_lists(name: str) -> None:
    source = f"{HEAD}def put(u):\n    {NUMBERS_IN_LISTS[name]}\n\n\ndef f(x, y):\n    return put(x) * y + x\n"
    numbers = checking.check(programs.Program(source, (0.7, 1.3), ("x", "y"), ("x", "y"), scalar=False), margin=0)
    assert numbers.kind == "guarded"
    stated = source.replace("def f(", "# s2s: x (), y ()\ndef f(")
    assert checking.check(programs.Program(stated, (0.7, 1.3), ("x", "y"), ("x", "y"), True), margin=0).kind == "right"


@pytest.mark.parametrize("view", ["np.asarray(y)", "np.reshape(y, -1)", "np.ravel(y)"])
def test_an_array_that_numpy_makes_of_a_number_is_no_second_name_of_it(view: str) -> None:
    """`s = np.asarray(y)` of a number is a new array; of the copy of it, which is an array, it would be a view."""
    source = f"{HEAD}def f(x, y):\n    s = {view}\n    s[...] = x * 2.0\n    return s * y\n"
    verdict = checking.check(program(view, source, (0.7, 1.3), ()), ("vjp", "jvp"), margin=0)
    assert (verdict.kind, "isscalar" in verdict.detail) == ("guarded", True), verdict
    assert checking.check(program(view, source, (X, X + 1.0), ()), ("vjp", "jvp"), margin=0).kind == "right"


def test_a_view_with_an_axis_of_what_is_known_to_have_none() -> None:
    body = "s = np.squeeze(np.array([y]))\n    v = s.reshape(1)\n    v[0] += y\n    return np.array([s, y]) * x"
    verdict = checking.check(program("squeezed", f"{HEAD}def f(x, y):\n    {body}\n", (0.7, 1.3), ()), margin=0)
    assert (verdict.kind, verdict.detail) == ("refused", "S230")


FOR_COMPLEX = {
    "the square of a modulus": "return np.abs(r) ** 2",
    "that of a builtin, in a helper": "return power(r)",
    "a real part": "return (r * r).real",
    "a conjugate": "return r * np.conj(r)",
}


@pytest.mark.parametrize("name", FOR_COMPLEX)
def test_what_is_done_to_complex_numbers_asserts_real_ones(name: str) -> None:
    """`k` may be complex where the file says nothing of it: |k x|^2 has another derivative than (k x)^2."""
    power = "def power(r):\n    return abs(r) ** 2\n\n\n"
    source = f"{HEAD}{power}def f(x, k):\n    r = k * np.sin(x)\n    {FOR_COMPLEX[name]}\n"
    text = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x",), emit=("vjp", "jvp")))
    module = checking.evaluate(text, "<d>")
    assert np.isfinite(module["f_jvp"](0.7, 1.5, x_dot=1.0)[1])
    for derived, seed in (("f_vjp", {"out_bar": 1.0}), ("f_jvp", {"x_dot": 1.0})):
        with pytest.raises(AssertionError):
            module[derived](0.7, 1.5 + 0.3j, **seed)
    stated = differentiate_unformatted(
        source.replace("def f(", "# s2s: k complex ()\ndef f("),
        Request("model.py", ("f",), wrt=("x",), emit=("jvp",)),
    )
    primal = checking.evaluate(source, "<primal>")["f"]
    want = (primal(0.7 + 1e-6, 1.5 + 0.3j) - primal(0.7 - 1e-6, 1.5 + 0.3j)) / 2e-6
    assert np.allclose(checking.evaluate(stated, "<d>")["f_jvp"](0.7, 1.5 + 0.3j, x_dot=1.0)[1], want)


ENTRIES = {
    "of a helper": "g = named(x, y)\n    g[key] = x * x",
    "of a dict in a list": "items = [named(x, y), named(y, y)]\n    g = items[0]\n    items[0][key] = x * x",
    "of another dict than was read": 'now, g = named(x, y), {"a": x - y, "b": 2.0 * x}\n    old = now[key]\n'
    "    now, g = g, now\n    g, now = now, g\n    g[key] = x * old",
    "of another key than was read": 'g = named(x, y)\n    s = g[key]\n    for k in ("a", key):\n'
    "        g[other] = x * s\n        other = key",
}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_store_under_a_key_of_the_run_asserts_that_the_key_is_there(name: str) -> None:
    """The cotangent of a dict whose keys the text shows has these keys."""
    named = 'def named(x, y):\n    return {"a": x * y, "b": x + y, "c": 1.0 * y}\n\n\n'
    body = f'{ENTRIES[name]}\n    return np.sum(g["a"] * g["b"])\n'
    source = f'{HEAD}{named}def f(x, y, key: str, other: str = "a"):\n    {body}'
    text = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x", "y"), emit=("vjp", "jvp")))
    module, primal = checking.evaluate(text, "<d>"), checking.evaluate(source, "<primal>")["f"]
    x, y = np.array([0.4, 1.1]), np.array([0.9, 0.3])
    for key in ("a", "b"):
        want = (primal(x * (1 + 1e-6), y, key) - primal(x * (1 - 1e-6), y, key)) / 2e-6
        assert np.allclose(module["f_jvp"](x, y, key, x_dot=x, y_dot=0 * y)[1], want)
        assert np.allclose(module["f_vjp"](x, y, key)[1][0] @ x, want)
    for derived, seeds in (("f_vjp", {}), ("f_jvp", {"x_dot": x, "y_dot": y})):
        with pytest.raises((AssertionError, KeyError)):
            module[derived](x, y, "new", **seeds)


WHOLE = {
    "alone": "d = state(x, y)\n    d[key] = x[1] * 2.0",
    "in a list": "ds = [state(y, y), state(x, y)]\n    d = ds[1]\n    ds[1][key] = x[1] * 2.0",
    "of a tuple": "s, d = pair(x, y)\n    d[key] = s * x[1]",
    "of a comprehension": "ds = [state(x, y) for _ in range(2)]\n    d = ds[0]\n    ds[0][key] = x[1] * 2.0",
    "read first": "d = state(x, y)\n    for t in range(2):\n        d[key] = d[key] * x[t] + t",
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_in_dicts_that_may_become_floats(name: str) -> None:
    """A helper gives no tangent of a whole number; under a key of the run it may have got one."""
    helpers = 'def state(x, y):\n    return {"u": x[0] * y[1], "v": 1.0, "n": 2}\n\n\n'
    helpers += "def pair(x, y):\n    return x[1] * y[0], state(x, y)\n\n\n"
    source = f'{HEAD}{helpers}def f(x, y, key):\n    {WHOLE[name]}\n    return d["u"] * d["n"] + d["v"]\n'
    text = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x",), emit=("vjp", "jvp")))
    module, primal = checking.evaluate(text, "<d>"), checking.evaluate(source, "<primal>")["f"]
    x, y = np.array([0.4, 1.1]), np.array([0.9, 0.3])
    for key in "uvn":
        want = (primal(x * (1 + 1e-6), y, key) - primal(x * (1 - 1e-6), y, key)) / 2e-6
        assert np.allclose(module["f_jvp"](x, y, key, x_dot=x)[1], want)
        assert np.allclose(module["f_vjp"](x, y, key, out_bar=1.0)[1] @ x, want)


def test_parts_of_an_object_that_is_left_out() -> None:
    """What is taken for granted of the parts of a parameter is asked where it is not None."""
    source = (
        "def f(x, y, phase=None):\n    z = x * y\n    if x and phase and y:\n        z = z + phase.d * x + phase.k[1]\n"
    )
    text = differentiate_unformatted(
        source + "    return z * z\n", Request("model.py", ("f",), wrt=("x", "y"), emit=("grad",))
    )
    gradient = checking.evaluate(text, "<d>")["f_grad"]
    assert gradient(2.0, 1.5) == (9.0, 12.0)
    assert gradient(2.0, 1.5, SimpleNamespace(d=0.5, k=np.array([0.0, 1.0]))) == (20.0, 20.0)
    with pytest.raises(AssertionError):
        gradient(2.0, 1.5, SimpleNamespace(d=0.5, k=np.eye(2)))


def test_an_entry_that_is_taken_out_of_a_dict_is_the_last_one() -> None:
    """The reverse sweep puts it back at the end of the dict: elsewhere the loops before would run in another order."""
    source = (
        f"{HEAD}def total(d):\n    s = 0.0\n    for k in d:\n        s = s * 0.5 + d[k]\n    return s\n\n\n"
        "def f(x, keys, lost):\n    d = {}\n    for k in keys:\n        d[k] = x * len(d)\n    e = d\n"
        "    s = total(e)\n    del d[lost]\n    return s * total(e)\n"
    )
    text = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x",), emit=("vjp", "jvp")))
    module, primal = checking.evaluate(text, "<d>"), checking.evaluate(source, "<primal>")["f"]
    for lost in "abc":
        want = 2.0 * primal(0.7, "abc", lost) / 0.7
        assert np.allclose(module["f_jvp"](0.7, "abc", lost, x_dot=1.0)[1], want)
        if lost == "c":
            assert np.allclose(module["f_vjp"](0.7, "abc", lost, out_bar=1.0)[1], want)
        else:
            with pytest.raises(AssertionError):
                module["f_vjp"](0.7, "abc", lost, out_bar=1.0)


STRUCTURES = {
    "values of a dict": ("d: dict[str, float]", "sum(v * v for v in d.values())", {"a": X}, None),
    "a tangent that is too short": ("d: list[float]", "sum(v * v for v in d)", [0.3, 0.4], [1.0]),
    "a tangent that is too long": ("d", "sum([v * v for v in d])", [0.3, 0.4], [1.0, 2.0, 3.0]),
    "rows of a tangent": ("d: list[list[float]]", "sum(sum(r) for r in d)", [[0.3, 0.4]], [[1.0]]),
    "rows without annotation": ("d", "sum(sum(v * v for v in r) for r in d)", [[0.3, 0.4]], [[1.0]]),
    "three levels": ("d", "sum(sum(sum(v * v for v in r) for r in m) for m in d)", [[[0.3, 0.4]]], [[[1.0]]]),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_lists_and_dicts_are_what_is_said_and_tangents_have_their_structure(name: str) -> None:
    param, value, at, tangent = STRUCTURES[name]
    text = differentiate_unformatted(f"def f({param}):\n    return {value}\n", Request(emit=("jvp",)))
    f = checking.evaluate(text, "<derivative>")["f_jvp"]
    with pytest.raises(AssertionError):
        f(at, d_dot=at if tangent is None else tangent)


def test_rows_that_a_helper_goes_through_have_tangents_of_their_lengths() -> None:
    source = """\
def total(M):
    s = 0.0
    for row in M:
        for v in row:
            s = s + v * v
    return s


def f(M):
    return total(M) * total(M)
"""
    text = differentiate_unformatted(source, Request(functions=("f",), emit=("jvp",)))
    f = checking.evaluate(text, "<derivative>")["f_jvp"]
    assert f([[1.0, 2.0], [3.0]], M_dot=[[1.0, 0.0], [0.0]]) == (196.0, 56.0)
    for short in ([[1.0, 0.0]], [[1.0], [0.0]]):
        with pytest.raises(AssertionError):
            f([[1.0, 2.0], [3.0]], M_dot=short)


def test_numbers_of_a_list_that_have_another_name_are_no_arrays_where_they_are_updated() -> None:
    """The function writes into an array of rank 0 that `a`, or the caller's list, has too: a derivative would not."""
    for before, after in (("a = d[0]", "a"), ("e = list(d)", "e[0]")):
        source = f"def f(x, d: list[float]):\n    {before}\n    {after.replace('a', 'd[0]')} += x[0]\n"
        source += f"    return {after} * d[0] * x[1]\n"
        text = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("x",), emit=("vjp", "jvp")))
        module = checking.evaluate(text, "<derivative>")
        primal = checking.evaluate(source, "<primal>")["f"]
        assert module["f_vjp"](X, [2.0], out_bar=1.0)[0] == primal(X, [2.0])
        with pytest.raises(AssertionError):
            module["f_vjp"](X, [np.array(2.0)], out_bar=1.0)
        with pytest.raises(AssertionError):
            module["f_jvp"](X, [np.array(2.0)], x_dot=X)


@pytest.mark.parametrize("emit", ["vjp", "jvp"])
@pytest.mark.parametrize("summed", ["np.sum(a * a, axis=0)", "np.max(a, 0)", "h(2.0 * a)"])
def test_a_sum_along_an_axis_of_what_may_be_a_number(summed: str, emit: str) -> None:
    """NumPy sums a number along its axis 0, too; the adjoint of that would be an array of one item."""
    helper = "def h(a):\n    return np.sum(a, axis=0)\n\n"
    source = f"{HEAD}{helper}def f(a):\n    return np.sum(np.sin({summed}))\n"
    derived: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request("model.py", ("f",), emit=(emit,))), derived)
    x = np.array([0.3, 0.8])
    if emit == "jvp":
        assert np.shape(derived["f_jvp"](np.float64(0.7), a_dot=1.0)[1]) == ()
        return
    assert np.shape(derived["f_vjp"](x, out_bar=1.0)[1]) == (2,)
    with pytest.raises(AssertionError):
        derived["f_vjp"](np.float64(0.7), out_bar=1.0)


@pytest.mark.parametrize(
    "call",
    [
        "np.split(v, [k + 2, k])",
        "np.split(v, np.array([k + 2, k]))",
        "np.array_split(v, [k + 2, k])",
        "np.hsplit(v, [k + 2, k])",
    ],
)
def test_pieces_of_a_split_that_overlap(call: str) -> None:
    """The places go back: pieces share elements, and their cotangents are longer together than v."""
    source = f"{HEAD}# s2s: v (n,)\ndef f(v, k: int):\n    a, b, c = {call}\n"
    source += "    return np.sum(a**2) + np.sum(b) + np.sum(c**3)\n"
    text = differentiate_unformatted(source, Request("model.py", ("f",), wrt=("v",), emit=("vjp",)))
    derived = checking.evaluate(text, "<derivative>")
    v = np.array([0.7, -0.4, 0.3, 1.2])

    with pytest.raises(ValueError, match="reshape"):
        derived["f_vjp"](v, 1, out_bar=1.0)


TALL = np.array([[1.0, 2.0], [3.0, 1.0], [0.5, 2.0]])
FULL = "import numpy as np\nfrom scipy.linalg import qr\n\n\n# s2s: a (m, n)\ndef f(a):\n    q, r = qr(a)\n    return "


@pytest.mark.parametrize("result", ["np.sum(r[:2] ** 2 * a[:2])", "np.sum(q[:, :2] * a) + r[0, 1]"])
def test_qr_of_more_rows_than_columns_has_parts_that_are_unique(result: str) -> None:
    assert checking.check(program("qr", FULL + result + "\n", (TALL,), ()), ("vjp", "jvp")).kind == "right"


def test_qr_of_more_rows_than_columns_has_parts_that_are_not() -> None:
    source = FULL + "q[0, 2] * r[0, 0]\n"
    scope: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request(functions=("f",), wrt=("a",), emit=("vjp", "jvp"))), scope)
    with pytest.raises(np.linalg.LinAlgError, match="not unique"):
        scope["f_vjp"](TALL, out_bar=1.0)
    assert np.isnan(scope["f_jvp"](TALL, a_dot=np.ones_like(TALL))[1])


@pytest.mark.parametrize(
    "text", ["return env[spec[0]] ** 2", "p = 1.5\n    for s in spec:\n        p *= env[s]\n    return p"]
)
def test_a_dict_of_which_nothing_is_known_is_not_taken_for_an_array(text: str) -> None:
    scope: dict[str, Any] = {}
    request = Request(functions=("f",), wrt=("env",), emit=("vjp",))
    exec(differentiate_unformatted(f"def f(env, spec):\n    {text}\n", request), scope)
    with pytest.raises(AssertionError):
        scope["f_vjp"]({"a": 0.3, "b": 0.7}, "ba", out_bar=1.0)
    assert scope["f_vjp"](np.array([0.3, 0.7]), [1, 0], out_bar=1.0)[0] > 0.0


TWICE = {
    "one array twice": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    a = [v, v]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "repeated": """# s2s: x (n,), k ()
def f(x, k):
    a = [[x[0], x[1]]] * 2
    y = copy.deepcopy(a)
    y[0][1] *= k
    return y[0][1] * y[1][1]
""",
    "second name": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    w = v
    a = [v, w]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "appended twice": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    a = []
    for i in range(2):
        a.append(v)
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "comp of one": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    b = [v, v]
    a = [w for w in b]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "dict second name": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    w = v
    a = {"u": v, "w": w}
    y = copy.deepcopy(a)
    y["u"][1] *= k
    return np.sum(y["u"] * y["w"])
""",
    "object twice later": """class S:
    def __init__(self, u, w):
        self.u = u
        self.w = w
# s2s: x (n,), k ()
def f(x, k):
    a = S(x * 2.0, x * 1.0)
    a.w = a.u
    y = copy.deepcopy(a)
    y.u[1] *= k
    return np.sum(y.u * y.w)
""",
    "stored second": """# s2s: x (n,), k ()
def f(x, k):
    a = [x * 2.0, x * 1.0]
    a[1] = a[0]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "extended": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    a = [v]
    a.extend([v])
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "added": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    a = [v]
    a += [v]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "stored by a second name": """# s2s: x (n,), k ()
def f(x, k):
    v = x * 2.0
    a = [v, x * 1.0]
    b = a
    b[1] = v
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "changed by a helper": """def mix(a):
    a[1] = a[0]
# s2s: x (n,), k ()
def f(x, k):
    a = [x * 2.0, x * 1.0]
    mix(a)
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
    "row stored": """# s2s: x (n,), k ()
def f(x, k):
    a = [[x[0], x[1]], [x[2], k]]
    a[1] = a[0]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return y[0][1] * y[1][1]
""",
    "two given arrays in a list": """# s2s: u (n,), w (n,), k ()
def f(u, w, k):
    a = [u, w]
    y = copy.deepcopy(a)
    y[0][1] *= k
    return np.sum(y[0] * y[1])
""",
}


@pytest.mark.parametrize("name", TWICE)
def test_one_array_that_lies_twice_in_what_is_copied_lies_twice_in_the_copy(name: str) -> None:
    params = ("u", "w", "k") if "(u, w, k)" in TWICE[name] else ("x", "k")
    request = Request(functions=("f",), wrt=params, emit=("vjp",))
    with pytest.raises(S2SError, match="S242"):
        differentiate_unformatted(f"import copy\nimport numpy as np\n\n\n{TWICE[name]}", request)


def test_two_arrays_that_are_copied_in_an_object_are_not_one() -> None:
    source = """import copy
import numpy as np


class S:
    def __init__(self, u, w):
        self.u = u
        self.w = w


# s2s: u (n,), w (n,), k ()
def f(u, w, k):
    y = copy.deepcopy(S(u, w))
    y.u[1] *= k
    return np.sum(y.u * y.w)
"""
    args = (np.array([0.4, 1.3]), np.array([0.7, -0.2]), 0.7)
    assert checking.check(program("copied", source, args, ()), ("vjp", "jvp")).kind == "right"
    scope: dict[str, Any] = {}
    exec(differentiate_unformatted(source, Request(functions=("f",), wrt=("u", "w"), emit=("vjp",))), scope)
    with pytest.raises(AssertionError):
        scope["f_vjp"](args[0], args[0], 0.7, out_bar=1.0)


@pytest.mark.parametrize("emit", ["vjp", "jvp"])
def test_numbers_of_which_a_truth_value_is_taken_are_no_arrays_of_one_item(emit: str) -> None:
    """NumPy takes that of an array of one item, which `t += dt` would write into."""
    text = (
        "def f(h, dx, T):\n    t = 0.0\n    for _ in range(3):\n        dt = 0.4 * dx\n        if t + dt > T:\n"
        "            dt = T - t\n        t += dt\n        h = h + dt * h\n    return h\n"
    )
    written = differentiate_unformatted(text, Request(emit=(emit,)))
    derived = checking.evaluate(written, "<derivative>")[f"f_{emit}"]
    seeds = {"out_bar": 1.0} if emit == "vjp" else {"h_dot": 1.0, "dx_dot": np.ones(1), "T_dot": 0.0}
    with pytest.raises(AssertionError):
        derived(1.0, np.array([0.1]), 0.1, **seeds)


def test_what_is_only_asked_for_its_truth_value_may_be_a_list() -> None:
    text = "def f(x, names):\n    if names:\n        x = 2.0 * x\n    return x\n"
    written = differentiate_unformatted(text, Request(emit=("vjp",)))
    derived = checking.evaluate(written, "<derivative>")["f_vjp"]
    assert derived(0.5, ["a"], out_bar=1.0) == (1.0, 2.0)


def test_what_is_stated_below_a_decorator_is_read() -> None:
    text = "import functools\n\n\n@functools.lru_cache\n# s2s: x ()\ndef f(x, y):\n    return x * y\n"
    assert "    assert np.ndim(x) == 0\n" in differentiate_unformatted(text, Request(emit=("vjp",)))


@pytest.mark.parametrize(
    "text",
    [
        "def f(p):\n    return sum(np.sum(p[i] * p[i + 1]) for i in range(len(p) - 1))\n",
        "def f(p):\n    s = 0.0\n    for a, b in zip(p, p[1:]):\n        s += np.sum(a - b)\n    return s\n",
        "def pair(a, b):\n    return np.sum(a * b)\n\n\ndef f(p):\n    total = 0.0\n    for i in range(1, len(p)):\n"
        "        total += pair(p[i], p[i - 1])\n    return total\n",
    ],
    ids=["products", "zip", "helper"],
)
def test_items_that_are_taken_to_have_one_shape(text: str) -> None:
    """Of a number beside arrays, the cotangent would have the shape of these."""
    written = differentiate_unformatted("import numpy as np\n\n\n" + text, Request(emit=("vjp",)))
    derived = checking.evaluate(written, "<derivative>")["f_vjp"]
    of_numbers = derived([0.5, 0.7, 0.2], out_bar=1.0)[1]
    of_arrays = derived([np.ones(2), np.full(2, 0.5)], out_bar=1.0)[1]
    assert np.shape(of_numbers) == (3,) and np.shape(of_arrays) == (2, 2)
    with pytest.raises(AssertionError):
        derived([np.ones(2), 0.5], out_bar=1.0)


@pytest.mark.parametrize(
    "call",
    ["cumsum(x, axis=0)", "nancumprod(x, axis=0)", "logaddexp.reduce(x)", "add.reduce(x)", "ascontiguousarray(x)"],
)
def test_numbers_along_an_axis(call: str) -> None:
    """NumPy takes a number for an array of one, of which the cotangent would be one, too."""
    text = f"import numpy as np\n\n\ndef f(x):\n    return np.sum(np.{call})\n"
    derived = checking.evaluate(differentiate_unformatted(text, Request(emit=("vjp",))), "<derivative>")["f_vjp"]
    assert np.shape(derived(np.ones((2, 3)), out_bar=1.0)[1]) == (2, 3)
    with pytest.raises(AssertionError):
        derived(0.7, out_bar=1.0)


@pytest.mark.parametrize("call", ["math.prod(x)", "max(x)", "min(x)"])
@pytest.mark.parametrize("rows", [np.ones((1, 3)), [[0.4, 0.2]]], ids=["array", "list"])
def test_rows_where_numbers_were_meant(call: str, rows: Any) -> None:
    """Of rows, Python gives a row: the derivative is that of numbers."""
    text = f"import math\n\n\ndef f(x):\n    return 2.0 * {call}\n"
    derived = checking.evaluate(differentiate_unformatted(text, Request(emit=("vjp",))), "<derivative>")["f_vjp"]
    assert np.shape(derived([0.4, 0.7], out_bar=1.0)[1]) == (2,)
    with pytest.raises(AssertionError):
        derived(rows, out_bar=np.ones(np.shape(rows)[1]))


def test_the_spacing_of_frequencies_is_a_number() -> None:
    text = "import numpy as np\n\n\ndef f(d):\n    return np.fft.fftfreq(4, d)\n"
    derived = checking.evaluate(differentiate_unformatted(text, Request(emit=("vjp",))), "<derivative>")["f_vjp"]
    assert np.shape(derived(0.5, out_bar=np.ones(4))[1]) == ()
    with pytest.raises(AssertionError):
        derived(np.ones(4), out_bar=np.ones(4))


@pytest.mark.parametrize(
    "body",
    [
        "    return max(rows)\n",
        "    return min(r for r in rows if r[0] > 0)\n",
        "    good = []\n    for r in rows:\n        good.append(r)\n    return max(good)\n",
    ],
)
def test_the_largest_of_several_rows_is_none_of_numbers(body: str) -> None:
    """Lists are ordered by their first items: a row is what `max` gives of them, and not the largest number."""
    text = differentiate_unformatted(f"def f(rows):\n{body}", Request("model.py", ("f",), None, emit=("vjp", "jvp")))
    module = checking.evaluate(text, "<derivative>")
    rows = [[1.0, 2.0], [3.0, 0.5]]
    with pytest.raises(AssertionError):
        module["f_vjp"](rows, out_bar=np.ones(2))
    with pytest.raises(AssertionError):
        module["f_jvp"](rows, rows_dot=rows)


def test_what_to_state_of_a_list_or_a_dict_is_said() -> None:
    """Of what is written and returned, the output makes an array; under keys that are not known it reads one."""
    stores = "def f({}, a):\n    for i in range(1, len(xs)):\n        xs[i] = xs[i] + a * xs[i - 1]\n    return xs\n"
    reads = "def f({}, names, y):\n    s = 0.0\n    for name in names:\n        s += params[name] * y\n    return s\n"
    for text, name, kind, args in (
        (stores, "xs", "list", ([1.0, 2.0, 3.0], 0.5)),
        (stores, "xs", "list", ([X, A[0], A[1]], 0.5)),
        (reads, "params", "dict", ({"a": 1.0, "b": 2.0}, ["a", "b"], 0.7)),
        (reads, "params", "dict", ({"a": X, "b": 2.0 * X}, ["a", "b"], 0.7)),
    ):
        plain = dataclasses.replace(program("f", text.format(name), args, ()), wrt=(name,))
        verdict = checking.check(plain, ("vjp", "jvp"), margin=0.0)
        assert verdict.kind == "guarded" and f"of a {kind}, state {name}: {kind}" in verdict.detail
        stated = program("f", text.format(f"{name}: {kind}"), args, ())
        stated = dataclasses.replace(stated, wrt=(name,))
        assert checking.check(stated, ("vjp", "jvp"), margin=0.0).kind == "right"


def test_an_update_of_what_may_be_an_array_under_another_name_says_what_to_state() -> None:
    text = "def f(u, w):\n    a = u\n    a += w\n    return a * u\n"
    verdict = checking.check(program("f", text, (X, 2.0 * X), ()), ("vjp",), margin=0.0)
    assert verdict.kind == "guarded" and "state the shape of an array: # s2s: u (n,)" in verdict.detail
    stated = program("f", f"# s2s: u (n,), w (n,)\n{text}", (X, 2.0 * X), ())
    assert checking.check(stated, ("vjp", "jvp"), margin=0.0).kind == "right"


def test_a_copy_that_is_taken_for_a_view_and_a_list_that_is_taken_for_an_array_say_what_to_write() -> None:
    flat = "def f(A, c):\n    B = 2.0 * A\n    t = B.T.ravel(){}\n    t[0] = c\n    return B.sum() + t.sum()\n"
    window = (
        "def f(x, w{}, k):\n    s = 0.0\n    for y in w[:k] + w[k + 1 :]:\n        s += y * x * w[k]\n    return s\n"
    )
    for text, stated, advice, args in (
        (flat, ".copy()", "write .copy()", (A[:1].repeat(2, 0) + A, 0.3)),
        (window, ": list", "of a list, state w: list", (0.7, [0.3, 0.9, 0.4], 1)),
    ):
        unstated, said = (
            dataclasses.replace(made, wrt=made.params[:2])
            for made in (program("f", text.format(s), args, ()) for s in ("", stated))
        )
        verdict = checking.check(unstated, ("vjp",), margin=0.0)
        assert verdict.kind == "guarded" and advice in verdict.detail, verdict
        assert checking.check(said, ("vjp", "jvp"), margin=0.0).kind == "right"


@pytest.mark.parametrize(
    ("bound", "x", "advice"),
    [
        ("x\n    x[0] = 0.2", [0.9, -0.4, 0.6], "of a list, state x: list"),
        ("x[1]", [[0.9, -0.4], [0.6, 0.3]], "of lists in a list, make arrays of x"),
        ("x[1]", [np.array([0.9, -0.4]), np.array([0.6, 0.3])], ""),
        ("x[1]", A, ""),
    ],
)
def test_a_list_that_an_update_by_another_name_leaves_as_it_is(bound: str, x: Any, advice: str) -> None:
    """`u *= k` binds u anew where it is a list and k an array: nothing is written into x."""
    text = f"{HEAD}def f(x, k):\n    u = {bound}\n    u *= k\n    return np.sum(x) * k\n"
    verdict = checking.check(program("f", text, (x, np.array([0.6])), ()), ("vjp", "jvp"), margin=0.0)
    assert (verdict.kind == "guarded" and advice in verdict.detail) if advice else verdict.kind == "right", verdict


@pytest.mark.parametrize(
    ("body", "args", "advice"),
    [
        ("    y = x * k\n    z = y.ravel('F')\n    z[0] = k\n    return np.sum(y * y)", (A, 0.3), "no view: write"),
        ("    y = x.T\n    y.flat[1] = k\n    return np.sum(x * x)", (A.T, 0.3), "np.ascontiguousarray(x)"),
        ("    u = x\n    u += k\n    return x * k", (A[0], A[0]), "under two names: copy it first"),
        ("    np.concatenate((x[:1], x[:1]), out=x)\n    return np.sum(x) * k", (A[0], 0.3), "of its own as out"),
    ],
)
def test_what_was_taken_for_granted_is_said_with_what_to_write(body: str, args: tuple[Any, ...], advice: str) -> None:
    verdict = checking.check(program("f", f"{HEAD}def f(x, k):\n{body}\n", args, ()), ("vjp",), margin=0.0)
    assert verdict.kind == "guarded" and advice in verdict.detail, verdict
