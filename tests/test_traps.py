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
    "alias then store",
    "write through a view",
    "view of view",
    "augmented slice",
    "swap of buffers in a loop",
    "swap by temporaries",
    "buffer in a list written later",
    "buffers in a list, loop",
    "buffer chosen by a branch",
    "buffer chosen by ifexp",
    "element overwritten, used nonlinearly",
    "helper writing its argument",
    "helper writes and returns",
    "x = x[::-1], written",
    "list of lists",
    "row view in a loop",
    "transposed view",
    "local buffer per iteration",
    "carried buffer by copy",
    "parameter rebound and written",
    "array in test, stored",
    "scalar slot swap",
    "list slot overwritten",
    "store of a broadcast scalar",
    "procedure",
    "procedure and result, swap inside",
    "in-place on parameter alias",
    "shadow lent to a value",
    "identity, alias, store",
    "whole slice is a view",
    "ellipsis is a view",
    "reversed view, written",
    "strided view, written",
    "negative step store",
    "integer index is a copy",
    "boolean index is a copy",
    "take is a copy",
    "element is a number",
    "positive is a copy",
    "np.array is a copy",
    "asarray is an alias",
    "atleast_1d is an alias",
    "atleast_2d is a view",
    "newaxis is a view",
    "expand_dims is a view",
    "squeeze is a view",
    "reshape is a view",
    "np.reshape is a view",
    "ravel is a view",
    "reshape(-1) is a view",
    "flatten is a copy",
    "ravel of a transpose is a copy",
    "reshape of a slice is a copy",
    "transposed and copied",
    "transpose twice",
    "swapaxes is a view",
    "moveaxis is a view",
    "column view",
    "block view",
    "row of a row of a transpose",
    "split gives views",
    "rows unpacked are views",
    "slices unpacked are views",
    "loop over rows writes them",
    "enumerate rows writes them",
    "zip of rows writes them",
    "rows reversed",
    "astype is a copy",
    "view chosen by ifexp",
    "view kept over a store",
    "view of a rebound name",
    "diagonal by indices",
    "real is an alias",
    "shift right",
    "shift left, times itself",
    "reverse in place",
    "reversed into the reverse",
    "add its transpose",
    "add its shift",
    "subtract its first row",
    "divide by its element",
    "element divided by itself",
    "power in place",
    "element power",
    "modulo in place",
    "product of two elements into both",
    "chained targets",
    "chained overlapping targets",
    "chained name and element",
    "swap of two rows through copies",
    "swap of two rows by fancy index",
    "wrong swap of rows",
    "swap of slices",
    "rotation of elements",
    "index changed by the same statement",
    "scalar to a slice",
    "scalar to all",
    "row to all rows",
    "column to all columns",
    "one-row block",
    "length one to a slice",
    "scalar times a row",
    "nothing stored",
    "integer array store",
    "integer array augmented",
    "repeated index, last wins",
    "repeated index, augmented once",
    "repeated index, augmented product",
    "repeated rows",
    "add.at with repeats",
    "subtract.at with repeats",
    "add.at a scalar",
    "add.at of pairs",
    "pairs of indices",
    "ix_ block",
    "mask store",
    "mask store of values",
    "mask augmented",
    "mask of its own contents",
    "mask taken before a store",
    "mask and its complement",
    "mask without a hit",
    "mask of rows",
    "mask of a matrix",
    "mask by where",
    "fill with a number",
    "fill with an active value",
    "copyto",
    "copyto a view",
    "copyto where",
    "out of a product",
    "out of an exponential",
    "out, positional",
    "out into a view",
    "out and its result",
    "out of a maximum",
    "out of clip",
    "out of a matmul",
    "out of a sum",
    "sort in place",
    "sort a view",
    "sort each column",
    "fill the diagonal",
    "put",
    "augmented ellipsis",
    "negative index",
    "tuple key",
    "slice object",
    "update of an alias",
    "update after a rebinding",
    "update of a view in a loop",
    "zero-dimensional alias",
    "scalar is rebound",
    "inactive buffer becomes active",
    "active buffer becomes inactive",
    "buffer of integers truncates",
    "arange is of integers",
    "float buffer like an array",
    "full of an active value",
    "ones like, scaled",
    "buffer used, then refilled",
    "buffer refilled from itself",
    "list of views",
    "list twice the same",
    "history of one buffer",
    "tuple of buffers",
    "dict of buffers",
    "list slot replaced",
    "list swapped",
    "loop over buffers",
    "popped buffer",
    "rows stored into a table",
    "table row is a copy of the state",
    "element loop",
    "element loop backwards",
    "loop without a trip",
    "inner loop without a trip",
    "break around a store",
    "break on the contents",
    "continue around a store",
    "return between stores",
    "return in a loop of stores",
    "while with a stored test",
    "while, no trip, stores",
    "branch stores or not",
    "branch on the overwritten",
    "buffer or copy",
    "buffer or copy, the other way",
    "alias in the second trip only",
    "three buffers rotate",
    "minimum by <=",
    "minimum kept in a buffer",
    "insertion sort",
    "overwritten by a constant",
    "logaddexp at a tie",
    "time steps with a stencil",
    "two stencils, one buffer",
    "Gauss-Seidel",
    "cumulative product by hand",
    "Cholesky by hand",
    "forward substitution",
    "Gram-Schmidt",
    "helper returns a view",
    "helper returns its argument",
    "helper writes and returns its argument",
    "the same buffer twice",
    "overlapping views",
    "disjoint views",
    "helper only reads a buffer",
    "helper makes a buffer",
    "helper with exits writes",
    "result and effect",
    "procedure, one array",
    "procedure, nothing written",
    "procedure, one of two",
    "procedure, all overwritten",
    "procedure, rebound",
    "procedure, returns",
    "procedure, returns what it wrote",
    "procedure, returns a view",
    "procedure, returns an array",
    "procedure, returns early",
    "procedure, two buffers swap",
    "procedure, zero trips",
    "procedure, view of a parameter",
    "procedure, matrix",
    "procedure calls a procedure",
    "procedure, scalars change",
    "procedure, a name like a seed",
    "parameter written",
    "two parameters, one result",
    "default and keyword",
    "list parameter written",
    "result is the buffer",
    "result is a view",
    "result is twice the buffer",
    "result is a buffer and its view",
    "result is a list of rows",
    "integer parameter written",
    "integer parameter sorted",
    "list of integers grows",
    "list of integers written",
    "list of integers popped",
    "mask parameter written",
    "zero-dimensional array from where",
    "store into an array of integers that was given",
    "random numbers drawn once, in place",
    "store under errstate",
)
# Traps that are wrong today, each with what happens: a strict xfail tells when one is mended. To be empty.
WRONG = {
    "temporary live after the loop": "S901 from the checker: the primal, too, reads it where it may be unbound",
    "while with break, flags": "S901 from the checker: the primal, too, reads it where it may be unbound",
    "list param": "TypeError in the output: zeros like a list of arrays",
    "list grows in place": "IndexError in the output: the shadow list lacks what += appended",
    "helper writes a view": "a *= c in a helper is taken for a rebinding",
    "helper writes twice": "a *= c in a helper is taken for a rebinding",
    "helper writes in a loop": "a *= c in a helper is taken for a rebinding",
    "helper writes a row": "a *= c in a helper is taken for a rebinding",
    "helper writes in a branch": "a *= c in a helper is taken for a rebinding",
    "like terms that cancel": "what cancels is the number 0.0 where an array is needed",
    "appended from its own end": "pop inside an augmented assignment of the same list",
    "appended from its own end, in a loop": "pop inside an augmented assignment of the same list",
    "integer parameter written by a helper": "the caller's array is modified",
}


def case(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=WRONG[name])] if name in WRONG else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [case(n) for n in PROGRAMS])
def test_trap(name: str) -> None:
    found = thorough.judge(PROGRAMS[name])
    if name in REFUSED:
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
LAYOUTS_REFUSED: tuple[str, ...] = (
    "ravel of an argument",
    "reshape of an argument",
    "reshape to rows",
    "ravel of a transpose",
    "ravel of a copy",
    "ravel of a product",
    "ravel like an argument",
    "flatten of an argument",
)


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
        try:
            verdict = checking.check(program, ("vjp", "jvp"), margin=0.0)
        except checking.Wrong as wrong:
            assert str(wrong).startswith("AssertionError"), wrong
            results.append("guarded")
        else:
            results.append(verdict.kind)
    assert results[0] == ("refused" if name in LAYOUTS_REFUSED else "right"), results
    assert set(results[1:]) <= {results[0], "guarded"}


TWICE_REFUSED: tuple[str, ...] = ("one is written", "both are written", "an alias is written")


def main() -> None:
    os.environ.setdefault("S2S_CHECK", "1")
    refused = []
    for name in PROGRAMS:
        try:
            found = thorough.judge(PROGRAMS[name])
        except AssertionError as error:
            print(f"WRONG {name}: {error}\n")
            continue
        if found != "right":
            refused.append((name, found))
    print("REFUSED: tuple[str, ...] = (")
    for name, found in refused:
        print(f'    "{name}",  # {found.removeprefix("refused ")}')
    print(")")


if __name__ == "__main__":
    sys.exit(main())
