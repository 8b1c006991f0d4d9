"""Sparse matrices of SciPy as constants: products and systems in both modes, and that nothing is made dense."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import checking
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

HEAD = """
import numpy as np
import scipy.sparse as sp
from scipy.sparse import csr_array, diags
from scipy.sparse.linalg import spsolve

LAPLACE = diags([1.0, -4.0, 1.5], [-1, 0, 1], shape=(4, 4), format="csc")
GRADIENT = (2.0 * diags([-1.0, 1.0], [0, 1], shape=(3, 4))).tocsr()
"""

PROGRAMS = {
    "parameter": "def f(x, A):\n    return A @ x",
    "parameter, a matrix of vectors": "def f(X, A):\n    return A @ X",
    "transpose": "def f(u, A):\n    return A.T @ u",
    "annotated": "def f(x, A: csr_array):\n    return A @ np.sin(x)",
    "dot": "def f(x, A):\n    y = A.dot(x)\n    return A.T.dot(y * y)",
    "dot, annotated": "def f(x, A: sp.csr_matrix):\n    return A.dot(x) @ A.dot(x)",
    "on the right": "def f(u, A):\n    return (u @ A) ** 2",
    "on the right of a matrix": "def f(U, A):\n    return np.sum((U @ A) ** 2)",
    "module constant": "def f(x):\n    r = GRADIENT @ x\n    return r @ r + np.sum((x @ LAPLACE) ** 2)",
    "local": "def f(x):\n    n = len(x)\n    A = sp.eye(n).tocsr() * 2.0 - LAPLACE\n    return x @ (A.T @ x)",
    "array type": "def f(x):\n    A = csr_array(np.array([[1.0, 0.0, 2.0, 0.0], [0.0] * 4]))\n    return A @ x**2",
    "of sparse ones": "def f(x):\n    return (GRADIENT.T @ GRADIENT) @ x",
    "loop": "def f(x):\n    for _ in range(3):\n        x = x + 0.1 * np.tanh(LAPLACE @ x)\n    return x",
    "system": "def f(x):\n    return spsolve(LAPLACE, np.exp(x))",
    "system, columns": "def f(V):\n    return spsolve(LAPLACE, V)",
    "system, one column": "def f(x):\n    return spsolve(LAPLACE, np.reshape(x, (4, 1)))",
    "system with the transpose": "def f(x):\n    return spsolve(LAPLACE.T.tocsc(), x * x, permc_spec='NATURAL')",
    "implicit steps": """
def f(x, k):
    A = sp.eye(4, format="csc") - 0.1 * LAPLACE
    for _ in range(3):
        x = spsolve(A, x + k * x**2)
    return x
""",
}
rng = np.random.default_rng(0)
A = scipy.sparse.csr_array(np.where(rng.random((3, 4)) < 0.6, rng.standard_normal((3, 4)), 0.0))
VALUES: dict[str, Any] = {
    "x": np.array([0.5, -1.2, 0.3, 0.9]),
    "u": np.array([0.7, -0.4, 1.1]),
    "k": 0.3,
    "X": rng.standard_normal((4, 2)),
    "U": rng.standard_normal((2, 3)),
    "V": rng.standard_normal((4, 2)),
}


def derivatives(source: str, wrt: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    text = differentiate(source, Request(filename="model.py", functions=("f",), wrt=wrt, emit=("vjp", "jvp")))
    own = re.sub(r"^from model import .*$", "", text, flags=re.MULTILINE)  # the module's matrices
    return text, checking.evaluate(source + own, "f")


@pytest.mark.parametrize("stated", [False, True], ids=["", "stated"])
@pytest.mark.parametrize("matrix", [scipy.sparse.csr_array, scipy.sparse.csc_matrix])
@pytest.mark.parametrize("name", PROGRAMS)
def test_in_both_modes(name: str, matrix: Any, stated: bool) -> None:
    body = PROGRAMS[name].strip()
    params = [p.partition(":")[0] for p in re.findall(r"def f\((.*)\)", body)[0].split(", ")]
    wrt = tuple(p for p in params if p != "A")
    if stated:
        ranks = {n: np.ndim(VALUES[n]) for n in wrt} | ({"A": 2} if "A" in params else {})
        dims = {n: ", ".join(f"{n}{i}" for i in range(r)) + "," * (r == 1) for n, r in ranks.items()}
        body = "# s2s: " + ", ".join(f"{n} ({d})" for n, d in dims.items()) + "\n" + body
    source = f"{HEAD}\n\n{body}\n"
    text, module = derivatives(source, wrt)
    assert "toarray" not in text and "todense" not in text and "np.asarray(A" not in text
    values = [matrix(A) if p == "A" else VALUES[p] for p in params]
    primal = checking.evaluate(source, "f")["f"]
    dots = {f"{n}_dot": checking.seeds_like(VALUES[n], rng) for n in wrt}
    value, out_dot = module["f_jvp"](*values, **dots)
    np.testing.assert_array_equal(value, primal(*values))

    def moved(h: float) -> Any:
        return primal(*(v + h * dots[f"{p}_dot"] if p in wrt else v for p, v in zip(params, values, strict=True)))

    def difference(h: float) -> Any:
        return (moved(h) - moved(-h)) / (2.0 * h)

    np.testing.assert_allclose(out_dot, (4.0 * difference(1e-3) - difference(2e-3)) / 3.0, rtol=1e-8, atol=1e-9)
    out_bar = checking.seeds_like(value, rng)
    bars = module["f_vjp"](*values, out_bar=out_bar)[1]
    bars = bars if len(wrt) > 1 else (bars,)
    for n, bar in zip(wrt, bars, strict=True):
        assert isinstance(bar, np.ndarray | float) and np.shape(bar) == np.shape(VALUES[n])
    inner = sum(np.sum(b * dots[f"{n}_dot"]) for n, b in zip(wrt, bars, strict=True))
    np.testing.assert_allclose(inner, np.sum(out_bar * out_dot), rtol=1e-12)


def test_the_text() -> None:
    source = HEAD + "\n\ndef f(x, b):\n    r = LAPLACE @ x\n    return r @ spsolve(LAPLACE, b)\n"
    text = differentiate(source, Request(filename="model.py", functions=("f",), shapes="x (n,), b (n,)"))
    assert "x_bar = LAPLACE.T @ r_bar" in text
    assert re.search(r"b_bar = spsolve\(LAPLACE\.T, \w+\)", text)


def test_a_parameter_that_is_multiplied_is_not_sparse() -> None:
    """The `*` of the matrix classes is the product of matrices, and the gradient would be another one, silently."""
    source = HEAD + "\n\ndef f(x, A, k: float):\n    return np.sum(A * x * k)\n"
    module = derivatives(source, ("x",))[1]
    dense = A[:3, :3].toarray()
    x = np.array([0.3, 0.4, 0.5])
    np.testing.assert_allclose(module["f_vjp"](x, dense, 2.0, out_bar=1.0)[1], 2.0 * np.sum(dense, axis=0))
    with pytest.raises(AssertionError):
        module["f_vjp"](x, scipy.sparse.csr_matrix(dense), 2.0, out_bar=1.0)
    plain = source.partition("\n\ndef")[2]
    text = differentiate("import numpy as np\n\n\ndef" + plain, Request(functions=("f",), wrt=("x",)))
    assert "tocsr" not in text  # the module does not know them


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("return np.sum(LAPLACE * x)", "S302", "of a sparse matrix"),
        ("return np.sum((x[0] * LAPLACE) @ x)", "S302", "of a sparse matrix"),
        ("return np.sum(np.dot(LAPLACE, x))", "S302", "write `A @ x`"),
        ("return np.sum(diags(x) @ x)", "S301", "a sparse matrix is a constant"),
        ("A = sp.csr_array(np.outer(x, x))\n    return np.sum(A @ x)", "S301", "a sparse matrix is a constant"),
        ("return np.sum(spsolve(sp.diags(x).tocsc(), x))", "S302", "the matrix of a sparse system is a constant"),
    ],
)
def test_what_is_refused(body: str, code: str, words: str) -> None:
    with pytest.raises(S2SError) as fault:
        differentiate(f"{HEAD}\n\ndef f(x):\n    {body}\n", Request(functions=("f",)))
    shown = str(fault.value.render() if hasattr(fault.value, "render") else fault.value)
    assert fault.value.diagnostics[0].code == code, shown
    assert words in " ".join([fault.value.diagnostics[0].message, *fault.value.diagnostics[0].help])
