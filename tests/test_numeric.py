"""Central differences where the user asks for them: `# s2s: numeric` at the end of a line."""

from __future__ import annotations

import re
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from s2s import helpers
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate
from test_rules import close, flat, numeric_vjp, random_like

TABLE = """
import numpy as np


def table(x, w, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.sum(np.sin(x * w + i))
    while True:
        break
    return np.asarray_chkfinite(out)


def fall(x):
    return np.asarray_chkfinite(x)[0] * np.asarray_chkfinite(x)[-1]
"""
CALLS = {
    "own function": "    r = table(x, w, 3)  # s2s: numeric\n",
    "its result is returned": "    return np.sum(table(x, w, 3))  # s2s: numeric\n",
    "foreign function": "    r = 2.0 * other.wave(x, w)  # s2s: numeric\n",
    "foreign function with a keyword": "    r = other.wave(x, shift=0.5) * w  # a wave  # s2s: numeric\n",
    "from another module": "    r = wave(x, w)[1:]  # s2s: numeric\n",
    "a scalar result": "    q = fall(x)  # s2s: numeric\n    r = fall(q * x * w)  # s2s: numeric\n",
    "NumPy without a rule": "    r = np.lib.scimath.log(x * x + 1.0) * w  # s2s: numeric\n",
    "two of them": "    r = other.wave(x, 1.0) + other.wave(w * x, 2.0)  # s2s: numeric\n",
    "update": "    r = x * 1.0\n    r += other.wave(x, w)  # s2s: numeric\n",
}  # fmt: skip


def program(lines: str) -> str:
    head = "import numpy as np\nimport other\nfrom other import wave\n"
    end = "" if "return" in lines else "    return np.sum(np.cos(r))\n"
    return head + TABLE.replace("import numpy as np\n", "") + f"\n\ndef f(x, w):\n{lines}{end}"


@pytest.fixture
def other(monkeypatch: Any) -> None:
    module = ModuleType("other")
    exec("import numpy as np\n\ndef wave(x, w=1.0, shift=0.0):\n    return np.cos(w * x + shift)\n", module.__dict__)
    monkeypatch.setitem(sys.modules, "other", module)


@pytest.mark.parametrize("stated", [False, True], ids=["unknown", "stated"])
@pytest.mark.parametrize("name", [n for n in CALLS if n != "its result is returned"])
@pytest.mark.usefixtures("other")
def test_both_modes(name: str, stated: bool) -> None:
    env: dict[str, Any] = {"x": np.array([0.3, -1.2, 2.0]), "w": 0.7}
    source = program(CALLS[name])
    shapes = "x (n,), w ()" if stated else ""
    text = differentiate(source, Request(functions=("f",), emit=("grad", "jvp"), shapes=shapes))
    assert re.search(r"# adjoint of: \(by central differences\) ", text)
    assert "    # derivative by central differences\n" in text[text.index("def f_jvp") :]
    space: dict[str, Any] = {}
    exec(source, space)
    made: dict[str, Any] = {}
    exec(text, made)
    expected = [numeric_vjp(lambda v, n=n: space["f"](**env | {n: v}), env[n], 1.0) for n in env]
    for value, reference, n in zip(made["f_grad"](**env), expected, env, strict=True):
        assert np.shape(value) == np.shape(env[n])
        close(value, reference, 1e-8)
    dots = {n: random_like(v, np.random.default_rng(2)) for n, v in env.items()}
    _, tangent = made["f_jvp"](**env, **{f"{n}_dot": d for n, d in dots.items()})
    close(tangent, sum(flat(e) @ flat(d) for e, d in zip(expected, dots.values(), strict=True)), 1e-8)


def test_the_outermost_call_of_the_models_own() -> None:
    """np.sum has a rule, and the call inside it is not the value of the line."""
    with pytest.raises(S2SError, match="S410"):
        differentiate(program(CALLS["its result is returned"]), Request(functions=("f",)))


REFUSED = {
    "    r = np.sin(x) * w  # s2s: numeric\n": ("S410", "nothing on this line needs"),
    "    r = x * w  # s2s: numeric\n": ("S410", "nothing on this line needs"),
    "    if w > 0.0:  # s2s: numeric\n        x = x * w\n    r = x\n": ("S410", "belongs at the end of an assignment"),
    "    r = other.wave([x, x], w)  # s2s: numeric\n": ("S308", "takes a list, tuple or dict"),
    "    r = other.wave(x, w=w)  # s2s: numeric\n": ("S308", "active keyword `w`"),
    "    xs = [w, 2.0 * w]\n    r = other.wave(xs)  # s2s: numeric\n": ("S303", "of a list that grows"),
    "    r = np.random.normal(x, w)  # s2s: numeric\n": ("S308", "not the same at every call"),
    "    r = poke(x, w)  # s2s: numeric\n": ("S308", "may write into its arguments, through `y`"),
    "    r = counted(x, w)  # s2s: numeric\n": ("S308", "binds a global name"),
}  # fmt: skip
WRITERS = """

def poke(x, w):
    y = np.asarray(x)
    y[0] = w
    return y * w


def counted(x, w):
    global COUNT
    COUNT = 1
    return x * w
"""


@pytest.mark.parametrize("lines", REFUSED)
def test_refusals(lines: str) -> None:
    code, message = REFUSED[lines]
    with pytest.raises(S2SError) as caught:
        differentiate(program(lines) + WRITERS, Request(functions=("f",)))
    assert code in {d.code for d in caught.value.diagnostics}
    assert message in str(caught.value)


def test_what_is_not_of_floats_is_noticed_when_it_runs() -> None:
    with pytest.raises(TypeError, match="not of floating-point numbers"):
        helpers._central_bar(lambda x: np.round(x).astype(int), (np.ones(2),), 0, np.ones(2))
    with pytest.raises(TypeError, match="not of floating-point numbers"):
        helpers._central_dot(lambda x: x + 1j, (1.0,), (1.0,))


def test_helpers() -> None:
    def f(x: Any, k: Any, scale: float = 1.0) -> Any:
        return scale * np.sin(x) * np.sum(k)

    x, k, g = np.array([1e-3, 0.5, 200.0]), np.array([[1.0, 3.0]]), np.array([1.0, -2.0, 0.5])
    close(helpers._central_bar(f, (x, k), 0, g, scale=2.0), 8.0 * np.cos(x) * g, 1e-6)
    close(helpers._central_bar(f, (x, k), 1, g), np.full((1, 2), np.sum(g * np.sin(x))), 1e-9)
    assert isinstance(helpers._central_bar(f, (0.5, k), 0, 1.0), float)
    close(helpers._central_dot(f, (x, k), (g, None)), 4.0 * np.cos(x) * g, 1e-6)
    close(helpers._central_dot(f, (x, k), (None, k)), 4.0 * np.sin(x), 1e-9)
    close(helpers._central_dot(f, (x, k), (0.0 * x, None)), 0.0 * x, 1e-12)
    small = helpers._central_bar(f, (x.astype(np.float32), k.astype(np.float32)), 0, g.astype(np.float32))
    assert small.dtype == np.float32
    close(small[:2], (4.0 * np.cos(x) * g)[:2], 1e-3)
    assert helpers._central_bar(f, (np.zeros((0, 2)), k), 0, np.zeros((0, 2))).shape == (0, 2)
