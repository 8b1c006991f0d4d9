"""Lists where NumPy takes arrays: as operands they are arrays first, and times an array they are refused."""

from __future__ import annotations

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted

X = np.array([0.7, 1.3, 2.2])
LISTS = "    L = [1, 2, 3]\n    D = [[2, 1, 0], [1, 3, 1], [0, 1, 2]]\n"
SHAPES = ("", "# s2s: x (3,)\n")

CONSTANT = [
    "np.dot(x, L)", "np.dot(L, x)", "x @ L", "L @ x", "np.inner(L, x)", "np.vdot(L, x)", "np.sum(np.outer(x, L) ** 2)",
    "np.einsum('i,i->', x, L)", "np.average(x, weights=L)", "np.sum(np.matmul(D, x) ** 2)", "np.sum(x @ D)",
    "np.sum(np.linalg.solve(D, x) ** 2)", "np.sum(np.multiply.outer(x, L) ** 2)", "np.sum(np.concatenate([L, x]) ** 2)",
]  # fmt: skip
ACTIVE = [
    "np.linalg.norm([x[0], 2 * x[1]])", "np.max([x[0], x[1]])", "np.linalg.det([[x[0], 1.0], [0.5, x[1]]])",
    "np.sum(np.linalg.solve([[2.0 + x[0], x[1]], [0.0, 1.0]], x[:2]))", "np.dot([x[0], x[1], 1.0], x)",
    "np.sum(np.concatenate([[x[0], 2 * x[1]], x]) ** 2)", "np.sum(np.sort([x[0], x[1]]) * x[:2])",
    "np.sum(np.cumsum([x[0], x[1]]) ** 2)", "[x[0], x[1], 2.0] @ x", "np.linalg.multi_dot([[x[0], 1.0, 1.0], D, x])",
]  # fmt: skip


def check(body: str, shapes: str = "") -> checking.Verdict:
    source = f"import numpy as np\n\n\n{shapes}def f(x):\n{body}"
    return checking.check(Program(source, (X,), ("x",), ("x",), True), margin=0.0)


@pytest.mark.parametrize("shapes", SHAPES, ids=["unstated", "stated"])
@pytest.mark.parametrize("text", CONSTANT)
def test_a_list_of_constants_is_an_operand(text: str, shapes: str) -> None:
    for body in (
        f"{LISTS}    return {text}\n",
        f"    return {text}\n".replace("L", "[1, 2, 3]").replace("D", "[[2, 1, 0], [1, 3, 1], [0, 1, 2]]"),
    ):
        assert check(body, shapes).kind == "right", body


@pytest.mark.parametrize("text", ACTIVE)
def test_a_list_of_active_numbers_is_an_operand(text: str) -> None:
    assert check(f"{LISTS}    return {text}\n").kind == "right"


def test_an_array_of_lists_that_have_names() -> None:
    rows = "    u = [x[0], 2 * x[1]]\n    v = [x[1] * x[2], x[0]]\n"
    assert check(f"{rows}    return np.sum(np.array([u, v]) ** 2)\n").kind == "right"
    assert check(f"{rows}    return np.sum(np.concatenate([u, x]) ** 2)\n").kind == "right"


@pytest.mark.parametrize("shapes", SHAPES, ids=["unstated", "stated"])
@pytest.mark.parametrize("text", ["x * [1, 2, 3]", "[1.5] * x"])
def test_a_list_times_an_array_is_refused(text: str, shapes: str) -> None:
    """Taken for a list that is repeated, it lost its term of the gradient."""
    verdict = check(f"    return np.sum({text}) + np.sum(x)\n", shapes)
    assert verdict.kind == "refused" and set(verdict.detail.split()) <= {"S231", "S236"}


ARRAYS = [
    "(x + 1.0) * (1, 2, 3)", "2.0 * x * [x[0], 1.0, 2.0]", "x[:2] * [x[0], 2]", "[1, 2] * x[1:]", "x - [x[1], 1, 2]",
    "[1.0, x[0], 2] / x", "np.sin(x) + [x[0], 1, 2]", "[*x[1:], 2.0] - x", "x ** [1, 2, 3]",
]  # fmt: skip


@pytest.mark.parametrize("shapes", SHAPES, ids=["unstated", "stated"])
@pytest.mark.parametrize("text", ARRAYS)
def test_a_list_that_can_only_be_an_operand_is_an_array(text: str, shapes: str) -> None:
    assert check(f"    return np.sum(({text}) ** 2) + np.sum(x)\n", shapes).kind == "right"


def test_a_list_that_is_repeated_is_none_of_that() -> None:
    source = """
import numpy as np

def f(x, n):
    y = [0.0] * n
    z = n * [0.5, 1.5]
    for i in range(n):
        y[i] = x[i] * z[i] * n
    return sum(y)
"""
    assert checking.check(Program(source, (X, 3), ("x",), ("x", "n"), True), margin=0.0).kind == "right"


def test_a_number_of_things_that_is_counted_down() -> None:
    """What range() is asked for was followed through `n = n - 1` without end."""
    source = "def f(x, n):\n    for k in range(n):\n        n = n - 1\n        x = x * x + n\n    return x\n"
    text = differentiate_unformatted(source, Request(functions=("f",), emit=("vjp",)))
    assert checking.check(Program(source, (1.2, 3), ("x",), ("x", "n"), True), margin=0.0).kind == "right"
    assert "def f_vjp" in text


def test_a_list_times_another_parameter_is_refused() -> None:
    source = "import numpy as np\n\ndef f(x, y):\n    return np.sum(y * [1, 2]) + np.sum(x)\n"
    with pytest.raises(S2SError, match="may be no whole number"):
        differentiate_unformatted(source, Request(functions=("f",), emit=("grad",)))


SUMS = {
    "a tuple of several shapes": "def f(s, x):\n    t = (s, x)\n    return np.sum(sum(t) ** 2)\n",
    "arguments of several shapes": "def g(*v):\n    return sum(v)\n\ndef f(s, x):\n    return np.sum(g(s, x) ** 2)\n",
    "arguments that are numbers": "def g(*v):\n    return sum(v)\n\ndef f(s, x):\n    return g(s, x[0])\n",
}


@pytest.mark.parametrize("name", SUMS)
def test_the_sum_of_a_tuple(name: str) -> None:
    source = f"import numpy as np\n\n{SUMS[name]}"
    assert checking.check(Program(source, (1.5, X), ("s", "x"), ("s", "x"), True), margin=0.0).kind == "right"


def test_a_list_that_is_made_of_a_vector() -> None:
    assert check("    r = x.tolist()\n    return r[1] * sum(r)\n").kind == "right"
    assert check("    r = (x[:, None] * x).tolist()\n    return r[1][0] * x[2]\n", SHAPES[1]).kind == "right"
    assert check("    r = np.ones((2, 2, 2)) * x[0]\n    return r.tolist()[0][1][0]\n", SHAPES[1]).detail == "S302"


@pytest.mark.parametrize("shapes", SHAPES, ids=["unstated", "stated"])
@pytest.mark.parametrize("text", ["x.imag + x", "np.angle(x) * x + x.imag", "x.imag[1] + x.real[2]"])
def test_imaginary_parts_of_real_numbers(text: str, shapes: str) -> None:
    """The adjoint of an imaginary part is imaginary: of a real number, it is none."""
    assert check(f"    return np.sum({text})\n", shapes).kind == "right"
