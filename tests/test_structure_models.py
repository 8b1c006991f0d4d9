"""Programs with lists, dicts, objects and functions (tests/structure_models.py): all are right."""

from __future__ import annotations

import sys
import types
from dataclasses import replace

import numpy as np
import pytest

import checking
import thorough
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate
from structure_models import CASES, WRITTEN_BY_MASKS
from traps import program

pytestmark = pytest.mark.table


@pytest.mark.parametrize("name", CASES)
def test_model(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("model")  # derivatives of functions that make objects import their classes
    monkeypatch.setitem(sys.modules, "model", module)
    exec(compile(CASES[name].source, "model.py", "exec"), module.__dict__)
    assert thorough.judge(CASES[name]) == "right"


@pytest.mark.parametrize(
    ("name", "wrt"),
    [
        ("lol param iter", ("layers", "x")),
        ("annotated layers", ("layers", "x")),
        ("annotated tuple", ("p", "x")),
        ("annotated tuple of a tuple and a list", ("p", "x")),
        ("statistics that one branch makes anew", ("x",)),
    ],
)
def test_tuples_of_arrays_and_numbers(name: str, wrt: tuple[str, ...]) -> None:
    case = replace(CASES[name], wrt=wrt)
    assert checking.check(case, ("vjp", "jvp"), margin=0.0).kind == "right"


@pytest.mark.parametrize("parts", ["(u + 0.5).reshape(2, 2)", "np.split(u * 1.0, 2)", "np.stack([u[:2], u[2:]]) + 0.0"])
def test_tangents_of_fresh_parts_are_not_those_of_the_argument(parts: str) -> None:
    source = f"import numpy as np\n\n\n# s2s: u (4,)\ndef f(u):\n    a, b = {parts}\n    a *= u[0]\n    b *= u[1]\n"
    source += "    return np.concatenate([a, b]) * u\n"
    model = program("parts", source, (np.array([0.4, 0.9, -0.5, 0.7]),), ())
    assert checking.check(model, ("jvp",), margin=0.0).kind == "right"


@pytest.mark.parametrize(
    "loop", ["sum(p) * x", "max(p) * x", "sum([k * x for k in p])", "sum(p) * x if x > 0 else x", "g(p) * x"]
)
def test_dict_for_an_array_is_refused(loop: str) -> None:
    """Loops over a dict run over its keys, which a derivative must not take for the items of an array."""
    helper = "def g(p):\n    return sum(p)\n\n\n"
    text = differentiate(
        f"{helper}def f(x, p):\n    return {loop}\n", Request("model.py", ("f",), None, emit=("vjp", "jvp"))
    )
    module = checking.evaluate(text, "f_jvp")
    with pytest.raises(AssertionError):
        module["f_jvp"](0.7, {0: 2.0, 1: 3.0}, x_dot=1.0, p_dot={0: 0.0, 1: 0.0})
    with pytest.raises(AssertionError):
        module["f_vjp"](0.7, {0: 2.0, 1: 3.0}, out_bar=1.0)


def test_item_appended_to_a_list_of_a_parameter_is_refused() -> None:
    """Of a list that the caller sees, whose items are written behind it: the analysis of names does not know it."""
    source = (
        "class Body:\n    def __init__(self, m, v):\n        self.m = m\n        self.v = v\n\n\n"
        "class System:\n    def __init__(self, bodies: list[Body]):\n        self.bodies = bodies\n\n\n"
        "def f(system: System, x):\n    bodies = system.bodies\n    bodies.append(bodies[0])\n"
        "    bodies[0].v = x[1] * 2.0\n    return bodies[1].v\n"
    )
    with pytest.raises(S2SError, match="may change a value in place"):
        differentiate(source, Request("model.py", ("f",), None, emit=("vjp",)))


@pytest.mark.parametrize("text", WRITTEN_BY_MASKS.values())
@pytest.mark.parametrize("number", [0.7, -0.3])
def test_what_masks_write_into_may_be_of_rank_zero(text: str, number: float) -> None:
    """Of an array of rank 0, NumPy's arithmetic gives a number, which no mask can pick of: adjoints stay arrays."""
    assert checking.check(program("masked", text, (number,), ()), ("vjp", "jvp"), margin=0.0).kind == "right"


@pytest.mark.parametrize(
    ("w", "v"), [((), (3,)), ((1, 3), (3,)), ((1, 1), (3,)), ((), (1, 3)), ((1,), (1, 1)), ((), ())]
)
def test_slices_stored_from_terms_of_unknown_ranks(w: tuple[int, ...], v: tuple[int, ...]) -> None:
    """A store drops leading axes of length one: nothing is computed again for the shape that its value had."""
    source = """
import numpy as np


def f(c, w, v):
    c = c.copy()
    for k in range(3):
        flux = v * c[:-1] ** 2
        c[1:] = c[1:] - w * (flux - np.sin(flux))
        c[:-1] = w * c[:-1] * 0.5
    return c
"""
    args = np.array([0.4, 0.9, -0.5, 0.7]), np.full(w, 0.7), np.full(v, 0.2)
    assert checking.check(program("slices", source, args, ()), ("vjp",), margin=0.0).kind == "right"
    text = differentiate(source, Request("model.py", ("f",), emit=("vjp",)))
    assert "ones_like" not in text.replace("0.0 * np.ones_like", "")
