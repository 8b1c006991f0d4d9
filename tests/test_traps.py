"""The traps: each derivative is right, or the program is refused with a code. Never wrong.

`python tests/test_traps.py` prints what would stand in REFUSED today, and what is wrong.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import pytest

import checking
import numeric
import thorough
from programs import Program
from s2s.pipeline import differentiate
from traps import PROGRAMS

# Traps that are refused today. One that is accepted has to go from here; none may be added.
REFUSED: tuple[str, ...] = (
    "zero-dimensional alias",  # S230
    "zero-dimensional array from where",  # S230
    "arange is of integers",  # S241
    "buffer of integers truncates",  # S241: it was right for its factor 0.0 only
    "a bare name into integers",  # S241
    "two parameters, one result",  # S230
    "list of integers grows",  # S202
    "list of integers popped",  # S202
    "astype without a copy",  # S302
    "diagonal read after a store",  # S242
    "broadcast read after a store",  # S242
    "transpose by einsum, read after a store",  # S242
    "array of the module under another name",  # S201
    "array of the module written by a helper",  # S201
    "helper writes into arrays of a list",  # S238
    "numbered items from the end, of an array that is written",  # S301: the list has the numbers from before
)
# Traps that are wrong today, each with what happens: a strict xfail tells when one is mended. To be empty.
# Traps that the output itself refuses at run time, by an assertion on what could not be known.
GUARDED: tuple[str, ...] = (
    "ravel of a transpose is a copy",
    "view of a reshaped transpose",
    "updated, then reshaped",
    "reshape of a slice is a copy",
    "part of a reshaped array that lies column by column",
    "wrong swap of rows",
    "store into an array of integers that was given",
    "list parameter written",
)

WRONG: dict[str, str] = {}


def case(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=WRONG[name])] if name in WRONG else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [case(n) for n in PROGRAMS])
def test_trap(name: str) -> None:
    found = thorough.judge(PROGRAMS[name])
    if name in GUARDED:
        assert found == "guarded"
    elif name in REFUSED:
        assert found.startswith("refused S"), f"{name} is accepted, and right: take it out of REFUSED"
    else:
        assert found == "right"


def test_the_lists_name_traps() -> None:
    assert set(REFUSED) | set(WRONG) <= set(PROGRAMS)
    assert not set(REFUSED) & set(WRONG)


# ---------------------------------------------------------------- one array for two parameters

TWICE = {
    "one is written": "import numpy as np\n\n\ndef f(x, y):\n    x[0] = y[1] * y[0]\n    return np.sum(x * y)\n",
    "both are written": (
        "import numpy as np\n\n\ndef f(x, y):\n    x[0] = y[1] ** 2\n    y[1] = x[0] * x[2]\n    return np.sum(x * y)\n"
    ),
    "an alias is written": (
        "import numpy as np\n\n\ndef f(x, y):\n    z = y\n    z[0] = x[1] * x[0]\n    return np.sum(x * z)\n"
    ),
    "none is written": "import numpy as np\n\n\ndef f(x, y):\n    return np.sum(x * y * y)\n",
}


@pytest.mark.parametrize("overlap", ["the same", "views"])
@pytest.mark.parametrize("name", TWICE)
def test_one_array_for_two_parameters(name: str, overlap: str) -> None:
    """The derivative says no, or is that of the function of the one array."""
    source = TWICE[name]
    try:
        text = differentiate(source, checking.request(Program(source, (), ("x", "y"), ("x", "y"), True), ("grad",)))
    except checking.S2SError:
        assert name in TWICE_REFUSED
        return
    assert name not in TWICE_REFUSED
    primal, grad = checking.evaluate(source, "<primal>")["f"], checking.evaluate(text, "<derivative>")["f_grad"]
    base = np.array([0.7, -1.2, 0.4, 1.6, -0.3])
    parts = (slice(None), slice(None)) if overlap == "the same" else (slice(None, -1), slice(1, None))

    def g(z: Any) -> float:
        return float(primal(z[parts[0]], z[parts[1]]))

    try:
        cotangents = grad(base[parts[0]], base[parts[1]])
    except AssertionError:
        assert name != "none is written"
        return
    got = np.zeros(5)
    for part, bar in zip(parts, cotangents, strict=True):
        got[part] += bar
    want, error = numeric.gradient(g, [base], [0])
    assert numeric.close(got, want, 1e-7, 20.0 * error)


# ---------------------------------------------------------------- the order of the elements in memory

LAYOUTS = {
    "ravel of an argument": "v = A.ravel()\n    v[1] = v[0] * v[2]",
    "reshape of an argument": "v = A.reshape(-1)\n    v[1] = v[0] * v[2]",
    "reshape to rows": "v = np.reshape(A, (2, 6))\n    v[1] *= v[0]",
    "ravel of a transpose": "v = A.T.ravel()\n    v[1] = v[0] * v[2]",
    "ravel of a copy": "A = A.copy()\n    v = A.ravel()\n    v[1] = v[0] * v[2]",
    "ravel of a product": "A = A * 2.0\n    v = A.ravel()\n    v[1] = v[0] * v[2]",
    "ravel like an argument": "B = np.zeros_like(A)\n    v = B.ravel()\n    v[:] = A.ravel()\n    A = A * B",
    "flatten of an argument": "v = A.flatten()\n    v[1] = v[0] * v[2]\n    A = A * v[1]",
}
LAYOUTS_REFUSED: tuple[str, ...] = ()


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_a_view_depends_on_the_order_in_memory(name: str) -> None:
    """The derivative is that of what the primal does with such an array; or it is refused, or says no when it runs."""
    source = f"import numpy as np\n\n\ndef f(A):\n    {LAYOUTS[name]}\n    return np.sum(A**3)\n"
    base = np.random.default_rng(5).uniform(0.5, 1.5, (3, 4))
    wide = np.zeros((3, 8))
    wide[:, ::2] = base
    results = []
    for A in (base, np.asfortranarray(base), wide[:, ::2]):
        program = Program(source, (A,), ("A",), ("A",), True)
        results.append(checking.check(program, ("vjp", "jvp"), margin=0.0).kind)
    expected = "refused" if name in LAYOUTS_REFUSED else "guarded" if name == "ravel of a transpose" else "right"
    assert results[0] == expected, results
    assert set(results[1:]) <= {results[0], "guarded"}


TWICE_REFUSED: tuple[str, ...] = ()


def main() -> None:
    os.environ.setdefault("S2S_CHECK", "1")
    refused = []
    for name in PROGRAMS:
        try:
            found = thorough.judge(PROGRAMS[name])
        except AssertionError as error:
            print(f"WRONG {name}: {error}\n")
            continue
        if found == "guarded":
            print(f"GUARDED {name}")
        elif found != "right":
            refused.append((name, found))
    print("REFUSED: tuple[str, ...] = (")
    for name, found in refused:
        print(f'    "{name}",  # {found.removeprefix("refused ")}')
    print(")")


if __name__ == "__main__":
    sys.exit(main())
