"""Draws that the text of a function does not show as such: of generators, and by functions, that the module holds.

A helper that draws stands where it is called. Where its text does not show that it draws it is refused in reverse mode,
which would run it again; forward mode draws once, as the primal does.
"""

from __future__ import annotations

import numpy as np
import pytest

import checking
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted

X = np.array([0.7, 1.3, 0.4, 0.9])
SEEN = {
    "a generator": "rng = np.random.default_rng(5)\ndef h(x): return np.sin(x * rng.random(4))",
    "a generator in a dict": 'R = {"a": np.random.default_rng(5)}\ndef h(x): return np.sin(x * R["a"].random(4))',
}
NOISE = {
    "another name of a function": "noise = np.random.rand\ndef h(x): return np.sin(x * noise(4))",
    "a bound method": "noise = np.random.default_rng(5).random\ndef h(x): return np.sin(x * noise(4))",
    "a partial": (
        "import functools\nnoise = functools.partial(np.random.normal, 0.0, 1.0)\ndef h(x): return np.sin(x * noise(4))"
    ),
    "an iterator": "it = iter([0.3, 0.9, 0.4, 0.7])\ndef h(x): return np.sin(x * next(it))",
    "a distribution of SciPy": "from scipy import stats\ndef h(x): return np.sin(x * stats.norm.rvs(size=4))",
}
CALL = "\ndef f(x):\n    for i in range(2):\n        x = h(x)\n    return np.sum(x)\n"


@pytest.mark.parametrize("name", NOISE)
def test_a_helper_that_draws(name: str) -> None:
    source = f"import numpy as np\n{NOISE[name]}{CALL}"
    with pytest.raises(S2SError) as fault:
        differentiate_unformatted(source, Request(functions=("f",), emit=("vjp",)))
    assert {d.code for d in fault.value.diagnostics} == {"S202"}
    text = differentiate_unformatted(source, Request(functions=("f",), emit=("jvp",)))
    f = checking.evaluate(source, "<primal>")["f"]
    np.random.seed(3)
    want = f(X)
    checking.evaluate(source, "<primal>")  # all draws from the start
    f_jvp = checking.evaluate(text, "<derivative>")["f_jvp"]
    np.random.seed(3)
    assert f_jvp(X, x_dot=X)[0] == pytest.approx(want, rel=1e-14)


@pytest.mark.parametrize("name", SEEN)
def test_a_helper_that_is_seen_to_draw(name: str) -> None:
    """It draws once, in either mode: the numbers of the primal."""
    source = f"import numpy as np\n{SEEN[name]}{CALL}"
    text = differentiate_unformatted(source, Request(functions=("f",), emit=("vjp", "jvp")))
    results = []
    for kind, seeds in (("vjp", {}), ("jvp", {"x_dot": X})):
        want = checking.evaluate(source, "<primal>")["f"](X)
        checking.evaluate(source, "<primal>")  # all draws from the start
        value, derivative = checking.evaluate(text, "<derivative>")[f"f_{kind}"](X, **seeds)
        assert value == pytest.approx(want, rel=1e-14)
        results.append(np.sum(derivative * X) if kind == "vjp" else derivative)
    assert results[0] == pytest.approx(results[1], rel=1e-12)


def test_a_default_that_all_calls_draw_from() -> None:
    source = f"import numpy as np\ndef h(x, rng=np.random.default_rng(3)): return np.sin(x * rng.random(4)){CALL}"
    for emit in ("vjp", "jvp"):
        with pytest.raises(S2SError):
            differentiate_unformatted(source, Request(functions=("f",), emit=(emit,)))


def test_draws_that_nobody_reads_are_drawn() -> None:
    source = "import numpy as np\nrng = np.random.default_rng(5)\ndef f(x):\n    rng.random(3)\n"
    source += "    _ = rng.random()\n    return np.sum(x * rng.random(4))\n"
    text = differentiate_unformatted(source, Request(functions=("f",), emit=("vjp", "jvp")))
    want = checking.evaluate(source, "<primal>")["f"](X)
    for kind, seeds in (("vjp", {}), ("jvp", {"x_dot": X})):
        checking.evaluate(source, "<primal>")
        assert checking.evaluate(text, "<derivative>")[f"f_{kind}"](X, **seeds)[0] == want


# the body of f, and what is refused: nothing of the module changes in a derivative, by whatever name
CHANGES = {
    "a pop": "return np.sum(x) * W.pop()",
    "a pop, bound": "t = W.pop()\nreturn np.sum(x) * t",
    "a list that is reversed": "W.reverse()\nreturn np.sum(x) * W[0]",
    "an item that is deleted": "del W[0]\nreturn np.sum(x) * W[0]",
    "an item for several": "W[1:2] = [3.0, 4.0]\nreturn np.sum(x) * W[1]",
    "until it is empty": "while W:\n    x = x * W.pop()\nreturn np.sum(x)",
    "a reshape": "y = Q.reshape(2, 2)\ny[0] = 7.0\nreturn np.sum(x * Q)",
    "a view": "y = Q.view()\ny[0] = x[0]\nreturn np.sum(x * Q)",
    "a reshape, written into at once": "Q.reshape(2, 2)[0] = 7.0\nreturn np.sum(x * Q)",
    "a squeezed one": "np.copyto(Q.squeeze(), 7.0)\nreturn np.sum(x * Q)",
    "of an array that is changed above, too": "y = R.ravel()\ny[1] = x[0]\nreturn np.sum(x * R)",
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_the_module_holds_is_not_written_into(name: str) -> None:
    lines = "".join(f"    {line}\n" for line in CHANGES[name].split("\n"))
    source = (
        f"import numpy as np\nW = [3.0, 2.0, 1.0]\nQ = np.arange(4.0)\nR = np.ones(4)\nR[0] = 2.0\ndef f(x):\n{lines}"
    )
    with pytest.raises(S2SError) as fault:
        differentiate_unformatted(source, Request(functions=("f",), emit=("jvp",)))
    assert {d.code for d in fault.value.diagnostics} <= {"S201", "S202", "S211"}


def test_methods_of_an_array_of_the_module() -> None:
    source = "import numpy as np\nA = np.arange(16.0).reshape(4, 4)\ndef f(x):\n    return A.dot(x) @ A.T.dot(x)\n"
    text = differentiate_unformatted(source, Request(functions=("f",), emit=("grad",)))
    checking.evaluate(source, "<primal>")
    A = np.arange(16.0).reshape(4, 4)
    want = (A.T @ A.T + A @ A) @ X
    np.testing.assert_allclose(checking.evaluate(text, "<derivative>")["f_grad"](X), want, rtol=1e-12)
