"""Guards are about what the text has, true of what the function takes, and say what is wrong where they say no."""

from __future__ import annotations

import ast
import builtins

import numpy as np
import pytest

import checking
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
