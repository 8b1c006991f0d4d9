"""What `+` joins and `*` repeats where it is a list, adds and multiplies where it is an array: right, or asserted."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

import checking
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted

HEAD = "import numpy as np\n\n\ndef g(p, q):\n    return p + q\n\n\ndef f(a, c, n):\n"
MADE = {
    "a sum with itself": "b = a + a",
    "a sum of parts": "b = a[:n] + a[n:]",
    "twice": "b = 2 * a",
    "n times": "b = [a, c][0] * n if n > 5 else n * a",
    "twice, in place": "b = a\n    b *= 2",
    "a sum in a loop": "b = c\n    for k in range(n):\n        b = b + a",
    "a sum in a helper": "b = g(a, a)",
    "a sum of two in a helper": "b = g(a, c)",
    "a list made longer": "b = list(a)\n    b += c",
    "a display made longer": "b = [a[0], 2.0 * a[1]]\n    b += c",
    "a copy of a part made longer": "b = [v for v in a]\n    b += c[1:]",
}
READ = (
    "sum(b)",
    "np.sum(np.array(b) ** 2)",
    "b[0] * b[-1]",
    "np.cumsum(b)",
    "sum([v * v for v in b])",
    "len(b) * b[0]",
)
A, C = [0.7, 1.3, -0.4], [0.2, 0.9, 1.7]


def numbers(value: Any) -> np.ndarray:
    return np.array(value, float).ravel()


def outcome(text: str, kind: str, f: Any, a: Any, c: Any) -> str:
    """ "right", "raises" or what is wrong: wrt a, against differences."""
    along, h = np.array([0.3, -0.8, 0.5]), 1e-6
    like = list if isinstance(a, list) else np.array

    def at(t: float) -> np.ndarray:
        return numbers(f(like(np.array(A) + t * along), copy.copy(c), 2))

    value = f(copy.copy(a), copy.copy(c), 2)
    want = (at(h) - at(-h)) / (2.0 * h)
    weights = np.linspace(0.5, 1.5, want.size)
    derivative = checking.evaluate(text, "<derivative>")[f"f_{kind}"]
    try:
        if kind == "jvp":
            got_value, got = derivative(a, c, 2, a_dot=like(along))
            got = numbers(got)
        else:
            seed = weights if np.ndim(value) else weights[0]
            got_value, cotangent = derivative(a, c, 2, out_bar=list(seed) if isinstance(value, list) else seed)
            if len(numbers(cotangent)) != len(A):
                return f"{len(numbers(cotangent))} numbers for {len(A)}"
            got, want = numbers(cotangent) @ along, weights @ want
    except (AssertionError, TypeError, ValueError):
        return "raises"
    if not np.array_equal(numbers(got_value), numbers(value)):
        return "another value"
    return "right" if np.shape(got) == np.shape(want) and np.allclose(got, want, atol=1e-6) else f"{got} for {want}"


@pytest.mark.parametrize("made", MADE)
def test_lists_and_arrays_are_told_apart_or_asserted(made: str) -> None:
    found = set()
    for read, kind in itertools.product(READ, ("vjp", "jvp")):
        source = f"{HEAD}    {MADE[made]}\n    return {read}\n"
        try:
            text = differentiate_unformatted(source, Request(functions=("f",), wrt=("a",), emit=(kind,)))
        except S2SError:
            continue
        primal = checking.evaluate(source, "<primal>")["f"]
        for of_a, of_c in itertools.product((list, np.array), repeat=2):
            try:
                primal(of_a(A), of_c(C), 2)
            except (TypeError, ValueError):
                continue
            how = outcome(text, kind, primal, of_a(A), of_c(C))
            assert how in ("right", "raises"), (read, kind, of_a, of_c, how)
            found.add((how, of_a is list and of_c is list, of_a is of_c))
    joins = "longer" in made
    assert ("right", joins, True) in found  # of two lists what joins lists, of two arrays what adds
    if not joins:
        assert ("raises", False, True) not in found


def test_what_is_known_to_be_an_array_does_not_make_a_list_longer() -> None:
    for added in ("np.sin(a)", "np.zeros(3)", "a"):
        body = f"    b = [a[0]]\n    b += {added}\n    return sum(b)\n"
        source = f"import numpy as np\n\n\n# s2s: a (n,)\ndef f(a):\n{body}"
        with pytest.raises(S2SError) as fault:
            differentiate_unformatted(source, Request(functions=("f",), emit=("vjp",)))
        assert {d.code for d in fault.value.diagnostics} == {"S236"}
