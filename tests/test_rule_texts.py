"""The text that forty rules become in the output, written down in rule_texts.md: it must read as if written by hand.

`python tests/test_rule_texts.py` writes the page anew; read the difference.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from s2s.pipeline import Request, differentiate

PAGE = Path(__file__).with_suffix("").with_name("rule_texts.md")
# A call, and the shapes of its arguments.
CALLS = [
    ("np.tanh(x)", "x (n,)"),
    ("np.sqrt(x)", "x (n,)"),
    ("x / y", "x (n,), y (n,)"),
    ("x**3", "x (n,)"),
    ("x**y", "x (n,), y ()"),
    ("np.arctan2(y, x)", "x (n,), y (n,)"),
    ("np.hypot(x, y)", "x (n,), y (n,)"),
    ("np.maximum(x, 0.0)", "x (n,)"),
    ("np.minimum(x, y)", "x (n,), y (n,)"),
    ("np.clip(x, 0.0, 1.0)", "x (n,)"),
    ("np.where(m, x, y)", "m (n,), x (n,), y ()"),
    ("np.logaddexp(x, y)", "x (n,), y (n,)"),
    ("math.lgamma(x)", "x ()"),
    ("np.sum(X, axis=0)", "X (n, d)"),
    ("np.mean(X, axis=1, keepdims=True)", "X (n, d)"),
    ("np.max(x)", "x (n,)"),
    ("np.var(x, ddof=1)", "x (n,)"),
    ("np.prod(x)", "x (n,)"),
    ("np.cumsum(x)", "x (n,)"),
    ("np.linalg.norm(x)", "x (n,)"),
    ("np.reshape(X, -1)", "X (n, d)"),
    ("np.transpose(X)", "X (n, d)"),
    ("np.concatenate([x, y])", "x (n,), y (m,)"),
    ("np.stack([x, y], axis=1)", "x (n,), y (n,)"),
    ("np.roll(x, 1)", "x (n,)"),
    ("np.diff(x)", "x (n,)"),
    ("np.take(x, k)", "x (n,), k (m,)"),
    ("np.pad(x, 1)", "x (n,)"),
    ("np.tile(x, 3)", "x (n,)"),
    ("np.sort(x)", "x (n,)"),
    ("A @ x", "A (m, n), x (n,)"),
    ("A @ B", "A (m, n), B (n, p)"),
    ("np.outer(x, y)", "x (n,), y (m,)"),
    ("np.einsum('bij,bj->bi', A, x)", "A (b, m, n), x (b, n)"),
    ("np.linalg.inv(A)", "A (n, n)"),
    ("np.linalg.solve(A, x)", "A (n, n), x (n,)"),
    ("np.linalg.solve(A, B)", "A (n, n), B (n, m)"),
    ("np.linalg.det(A)", "A (n, n)"),
    ("np.linalg.cholesky(A)", "A (n, n)"),
    ("np.convolve(x, y)", "x (n,), y (m,)"),
]


def written(call: str, shapes: str) -> str:
    """What the reverse mode and the forward mode write for a function that returns the call, in one block."""
    names = re.findall(r"(\w+) \(", shapes)
    source = f"import copy\nimport math\n\nimport numpy as np\n\n\ndef f({', '.join(names)}):\n    return {call}\n"
    wrt = tuple(n for n in names if n not in "mk")
    text = differentiate(source, Request(functions=("f",), wrt=wrt, emit=("vjp", "jvp"), shapes=shapes))
    body = dict(re.findall(r"def (f_\w+)\(.*?\n(.*?)(?=\n\n\ndef |\Z)", text, re.S))
    lines = [f"## `{call}`", "", shapes, ""]
    for kind in ("f_vjp", "f_jvp"):
        code = re.sub(r'    """.*?"""\n', "", body[kind], count=1, flags=re.S)
        lines += [line for line in code.splitlines() if not line.strip().startswith(("assert ", "# "))] + [""]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def page() -> str:
    return "\n".join(["# What forty rules become", "", *(written(*c) for c in CALLS)])


def sections(text: str) -> dict[str, str]:
    return {part.split("`")[1]: part.strip() for part in re.split(r"(?m)^## ", text)[1:]}


@pytest.mark.parametrize(("call", "shapes"), CALLS, ids=[c for c, _ in CALLS])
def test_text(call: str, shapes: str) -> None:
    found = sections(PAGE.read_text("utf-8"))[call]
    assert f"## {found}" == written(call, shapes).strip(), "python tests/test_rule_texts.py writes the page anew"


def test_forty() -> None:
    assert len(sections(PAGE.read_text("utf-8"))) == len(CALLS) == 40


def test_solve_solves_with_the_transpose_once() -> None:
    for call in ("np.linalg.solve(A, x)", "np.linalg.solve(A, B)"):
        reverse = sections(PAGE.read_text("utf-8"))[call].partition("return")[0]
        assert reverse.count("np.linalg.solve(A.T,") == 1


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.exit()
