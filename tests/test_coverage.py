"""Every public function of NumPy is in the table: with a rule, constant, or refused for a stated reason."""

from __future__ import annotations

import inspect
import types

import numpy as np
import pytest

from s2s import rules
from s2s.frontend.text import names
from s2s.pipeline import Request, differentiate
from s2s.rules.kinds import Rule
from s2s.rules.refused import ELSEWHERE, REFUSED, why_refused

# Classes of scalars that no program calls to compute with: they name kinds of dtypes, or are not public.
ABSTRACT = {
    "busdaycalendar", "character", "complexfloating", "flexible", "floating", "generic", "inexact", "integer", "number",
    "signedinteger", "test", "ufunc", "unsignedinteger",
}  # fmt: skip
METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


def places(fn: str) -> list[str]:
    """Where a function is placed; more than one is a mistake."""
    rule = rules.lookup(fn)
    found = [] if rule is None else ["constant" if rule.kind == "constant" else "rule"]
    return found + ["refused"] * (fn in REFUSED) + ["elsewhere"] * (fn in ELSEWHERE)


def functions() -> list[str]:
    public = [n for n in dir(np) if not n.startswith("_") and n not in ABSTRACT]
    return [n for n in public if callable(getattr(np, n)) and not isinstance(getattr(np, n), types.ModuleType)]


@pytest.mark.parametrize("name", functions())
def test_function(name: str) -> None:
    assert len(places(f"numpy.{name}")) == 1


@pytest.mark.parametrize("name", [n for n in dir(np.ndarray) if not n.startswith("_")])
def test_method_of_arrays(name: str) -> None:
    if not callable(getattr(np.ndarray, name)):
        assert name in names.PLAIN_ATTRIBUTES | names.ARRAY_ATTRIBUTES.keys() | {
            "base",
            "ctypes",
            "data",
            "device",
            "flat",
        }
        return
    fn = names.METHODS.get(name, f"numpy.ndarray.{name}")
    assert len(places(fn)) == 1, fn
    if name not in names.METHODS:
        assert fn in REFUSED or fn in ELSEWHERE


UFUNCS = [n for n in functions() if isinstance(getattr(np, n), np.ufunc) and getattr(np, n).signature is None]


@pytest.mark.parametrize("name", UFUNCS)
def test_methods_of_ufuncs(name: str) -> None:
    for method in METHODS:
        fn = f"numpy.{name}.{method}"
        assert (rules.lookup(fn) is not None) + (why_refused(fn) is not None and fn not in ELSEWHERE) + (
            fn in ELSEWHERE
        ) == 1, fn


def test_tables_name_functions_that_are_there() -> None:
    for fn in [*REFUSED, *ELSEWHERE]:
        if fn.startswith("numpy."):
            value: object = np
            for part in fn.split(".")[1:]:
                value = getattr(value, part, None) or pytest.fail(fn)


SIGNED = [r for r in rules.all_rules() if r.kind != "constant" and r.fn.startswith("numpy.") and not r.star]


@pytest.mark.parametrize("rule", SIGNED, ids=repr)
def test_positions_are_those_of_the_function(rule: Rule) -> None:
    """A key whose parameters stand in another order would bind an option to the wrong name."""
    try:
        signature = inspect.signature(rule.function)
    except (TypeError, ValueError):
        pytest.skip("a function without a signature")
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    own = [p.name for p in signature.parameters.values() if p.kind in kinds]
    if isinstance(rule.function, np.ufunc) or not own:
        return
    positional = rule.params[: rule.positional]
    for mine, other in zip(positional, own, strict=False):
        if mine in own or other in rule.params:
            assert mine == other, f"{rule.key}: {own}"


@pytest.mark.parametrize("fn", ["numpy.apply_along_axis", "numpy.unique_values", "numpy.ndarray.view"])
def test_the_reason_is_printed(fn: str) -> None:
    name = fn.rpartition(".")[2]
    call = f"x.{name}(float)" if "ndarray" in fn else f"np.{name}(np.sum, 0, x)" if "apply" in fn else f"np.{name}(x)"
    with pytest.raises(Exception, match="S301") as fault:
        differentiate(f"import numpy as np\n\n\ndef f(x):\n    return np.sum({call})\n", Request(functions=("f",)))
    assert REFUSED[fn] in str(fault.value)


PROGRAMS = {
    "np.arange(x[0], 3.0)": "`np.arange` with an active `start`",
    "np.pad(x, 1, constant_values=x[0])": "`np.pad` with an active `constant_values`",
    "np.sum(x, initial=x[0])": "`np.sum` with an active `initial`",
    "np.nan_to_num(x, nan=x[0])": "`np.nan_to_num` with an active `nan`",
}


@pytest.mark.parametrize("call", PROGRAMS)
def test_an_option_with_a_derivative_that_is_not_given(call: str) -> None:
    """It was once taken for a constant, without a word."""
    with pytest.raises(Exception, match="S302") as fault:
        differentiate(f"import numpy as np\n\n\ndef f(x):\n    return np.sum(x * {call})\n", Request(functions=("f",)))
    assert PROGRAMS[call] in str(fault.value)


OPTIONS = {
    "out": "np.divide(x, y, out=np.zeros_like(x), where=y > 0.0)",
    "unary": "np.sqrt(x, out=np.ones_like(x), where=x > 0.5) * y",
    "narrow": "np.multiply(x, y[0], out=np.zeros((2, 3)), where=np.array([[True], [False]]))",
    "dtype": "np.add(x, y, dtype=float) * np.sum(x, 0, float)",
    "piecewise": "np.piecewise(x, [x < 1.0, x > 2.0], [lambda v: -v * y[0], 3.0, np.sin])",
    "one piece": "np.piecewise(x, [x < 1.0], [lambda v: np.exp(v), lambda v: v**2 * y[2]])",
    "method": "x.compress([True, False, True]) * y[0]",
    "reduce": "np.add.reduce(x * y) * np.multiply.outer(x, y)",
    "alias": "np.true_divide.outer(x, y)",
    "grid": "np.meshgrid(x, y)[0] * np.meshgrid(x, y, indexing='ij')[1]",
    "gradient": "np.array(np.gradient(np.outer(x, y))[1])",
}


@pytest.mark.parametrize("mode", ["grad", "jvp"])
@pytest.mark.parametrize("name", OPTIONS)
def test_options_through_the_whole_tool(name: str, mode: str) -> None:
    source = f"import numpy as np\n\n\ndef f(x, y):\n    r = {OPTIONS[name]}\n    return np.sum(np.sin(r))\n"
    check_program(source, mode)


def test_elements_that_a_ufunc_leaves_alone_keep_their_derivative() -> None:
    source = (
        "import numpy as np\n\n\ndef f(x, y):\n    z = x * y\n"
        "    np.exp(y, out=z, where=x > 1.0)\n    return np.sum(np.sin(z))\n"
    )
    check_program(source, "grad")
    check_program(source, "jvp")


def check_program(source: str, mode: str) -> None:
    """A derivative of f(x, y) against central differences."""
    x, y = np.array([0.7, 1.4, 2.3]), np.array([0.6, -0.8, 1.1])
    space: dict[str, types.FunctionType] = {}
    exec(source, space)
    exec(differentiate(source, Request(functions=("f",), emit=(mode,))), space)
    rng = np.random.default_rng(2)
    dots = rng.uniform(-1.0, 1.0, (2, 3))
    f, h = space["f"], 1e-5
    with np.errstate(all="ignore"):
        numeric = (f(x + h * dots[0], y + h * dots[1]) - f(x - h * dots[0], y - h * dots[1])) / (2.0 * h)
        if mode == "jvp":
            found = space["f_jvp"](x, y, x_dot=dots[0], y_dot=dots[1])[1]
        else:
            x_bar, y_bar = space["f_grad"](x, y)
            assert np.shape(x_bar) == np.shape(y_bar) == (3,)
            found = x_bar @ dots[0] + y_bar @ dots[1]
    np.testing.assert_allclose(found, numeric, rtol=1e-6)
