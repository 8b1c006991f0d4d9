"""Which values are sparse matrices of SciPy: what makes one, what keeps one, and products with arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.analysis.shapes import Length, Shape
from s2s.frozen import replace
from s2s.ir import Op
from s2s.rules.sparse import KEEPING, MAKERS

if TYPE_CHECKING:
    from s2s.analysis.facts import Fact, Facts

ARITHMETIC = frozenset(f"numpy.{n}" for n in ("add", "subtract", "multiply", "divide", "negative", "positive"))


def matrix(symbol: str) -> Fact:
    """A sparse matrix of unknown lengths."""
    from s2s.analysis.facts import Fact

    return Fact("sparse", Shape((Length(f"{symbol}.0"), Length(f"{symbol}.1"))))


def fact(e: Op, facts: Facts) -> Fact | None:
    """The fact of an operation that sparse matrices take part in; None for any other."""
    if not facts.names.sparse and e.fn not in MAKERS:
        return None
    from s2s.analysis.transfer import symbol

    if e.fn in MAKERS:
        return matrix(symbol(e, facts))
    if not e.args or not e.fn.startswith(("numpy.", "method.")):
        return None
    if e.fn.startswith("numpy.") and e.fn not in ARITHMETIC and e.fn not in ("numpy.matmul", "numpy.dot"):
        name = e.fn.removeprefix("numpy.")
        return facts.of(e.args[0]) if name in KEEPING and facts.is_sparse(e.args[0]) else None
    found = [facts.of(a) for a in e.args]
    here = [f for f in found if f.kind == "sparse"]
    if not here:
        return None
    if e.fn.startswith("method."):
        if e.fn[7:] in KEEPING and found[0].kind == "sparse":
            return found[0]
        return matrix(symbol(e, facts)) if e.fn == "method.transpose" else None
    if e.fn in ("numpy.matmul", "numpy.dot"):
        if len(here) < 2:
            return None
        a, b = (facts.shapes(f.shape) for f in found)
        return replace(found[0], shape=Shape((a.dims[0], b.dims[1])))
    scalars = [f for f in found if f.kind != "sparse" and facts.shapes(f.shape).rank == 0]
    return here[0] if len(here) + len(scalars) == len(found) else None


__all__ = ["fact", "matrix"]
