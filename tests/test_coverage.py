"""Every public function of NumPy is in the table: with a rule, constant, or refused for a stated reason."""

from __future__ import annotations

import inspect
import types

import numpy as np
import pytest

from s2s import rules
from s2s.frontend import names
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
    "np.gradient(x, x)": "`np.gradient` with an active `spacing`",
    "np.nan_to_num(x, nan=x[0])": "`np.nan_to_num` with an active `nan`",
}


@pytest.mark.parametrize("call", PROGRAMS)
def test_an_option_with_a_derivative_that_is_not_given(call: str) -> None:
    """It was once taken for a constant, without a word."""
    with pytest.raises(Exception, match="S302") as fault:
        differentiate(f"import numpy as np\n\n\ndef f(x):\n    return np.sum(x * {call})\n", Request(functions=("f",)))
    assert PROGRAMS[call] in str(fault.value)
