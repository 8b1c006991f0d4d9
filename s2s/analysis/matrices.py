"""Shapes of what linear algebra gives, for matrices and for stacks of them; None where the rank is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from s2s.analysis.facts import Fact, literal
from s2s.analysis.shapes import Dim, Length, Shape
from s2s.ir import Op

if TYPE_CHECKING:
    from s2s.analysis.facts import Facts

Transfer = Callable[[Op, "Facts"], Fact | None]


def stack(e: Op, facts: Facts) -> tuple[tuple[Dim, ...], Dim, Dim] | None:
    """The leading axes, rows and columns of the first argument."""
    shape = facts.shape(e.args[0]) if e.args else Shape(())
    if shape.rank is None or shape.rank < 2:
        return None
    return shape.dims[:-2], shape.dims[-2], shape.dims[-1]


def real(*dims: Dim) -> Fact:
    return Fact("float", Shape(dims))


def flag(e: Op, name: str, position: int, default: object) -> object:
    """The value of an option; ValueError where it is no literal."""
    for key, value in e.options:
        if key == name:
            return literal(value)
    return literal(e.args[position]) if len(e.args) > position else default


def smaller(m: Dim, n: Dim) -> Dim:
    if m == n:
        return m
    return min(m, n) if isinstance(m, int) and isinstance(n, int) else Length(f"min({m}, {n})")


def of_stack(make: Callable[[tuple[Dim, ...], Dim, Dim], Fact | None]) -> Transfer:
    def transfer(e: Op, facts: Facts) -> Fact | None:
        found = stack(e, facts)
        return None if found is None else make(*found)

    return transfer


def several(*items: Fact) -> Fact:
    return Fact("tuple", items=items)


def svd(e: Op, facts: Facts) -> Fact | None:
    found = stack(e, facts)
    if found is None:
        return None
    lead, m, n = found
    k = smaller(m, n)
    if not flag(e, "compute_uv", 2, True):
        return real(*lead, k)
    full = flag(e, "full_matrices", 1, True)
    return several(real(*lead, m, m if full else k), real(*lead, k), real(*lead, n if full else k, n))


def qr(e: Op, facts: Facts) -> Fact | None:
    found = stack(e, facts)
    if found is None:
        return None
    lead, m, n = found
    k = smaller(m, n)
    r = real(*lead, k, n)
    return several(real(*lead, m, k), r) if flag(e, "mode", 1, "reduced") == "reduced" else r


def lstsq(e: Op, facts: Facts) -> Fact | None:
    found = stack(e, facts)
    b = facts.shape(e.args[1])
    if found is None or b.rank is None:
        return None
    _, m, n = found
    residuals = Length(f"residuals of {m} by {n}")
    return several(real(n, *b.dims[1:]), real(residuals), Fact("int"), real(smaller(m, n)))


def solve(e: Op, facts: Facts) -> Fact | None:
    a, b = (facts.shape(x) for x in e.args[:2])
    return Fact("float", b) if a.rank == 2 and b.rank in (1, 2) else None


def trace(e: Op, facts: Facts) -> Fact | None:
    return Fact(facts.of(e.args[0]).kind, Shape(())) if facts.shape(e.args[0]).rank == 2 else None


def multi_dot(e: Op, facts: Facts) -> Fact | None:
    shapes = [facts.shapes(item.shape) for item in facts.of(e.args[0]).items]
    if len(shapes) < 2 or any(s.rank not in (1, 2) for s in shapes):
        return None
    return Fact("any", Shape(shapes[0].dims[:-1] + shapes[-1].dims[1:]))


def matrix_norm(e: Op, facts: Facts) -> Fact | None:
    found = stack(e, facts)
    if found is None:
        return None
    return real(*found[0], 1, 1) if flag(e, "keepdims", 9, False) else real(*found[0])


MATRICES: dict[str, Transfer] = {
    "solve": solve,
    "inv": of_stack(lambda lead, m, n: real(*lead, m, n)),
    "cholesky": of_stack(lambda lead, m, n: real(*lead, m, n)),
    "det": of_stack(lambda lead, m, n: real(*lead)),
    "slogdet": of_stack(lambda lead, m, n: several(real(*lead), real(*lead))),
    "eigh": of_stack(lambda lead, m, n: several(real(*lead, n), real(*lead, n, n))),
    "eigvalsh": of_stack(lambda lead, m, n: real(*lead, n)),
    "svdvals": of_stack(lambda lead, m, n: real(*lead, smaller(m, n))),
    "pinv": of_stack(lambda lead, m, n: real(*lead, n, m)),
    "matrix_power": of_stack(lambda lead, m, n: Fact("any", Shape((*lead, m, n)))),
    "cond": of_stack(lambda lead, m, n: real(*lead)),
    "matrix_norm": matrix_norm,
    "svd": svd,
    "qr": qr,
    "lstsq": lstsq,
    "multi_dot": multi_dot,
}


def like_second(e: Op, facts: Facts) -> Fact | None:
    """The shape of a right-hand side of one or several columns, for one matrix: it may be in a pair."""
    a = facts.of(e.args[0])
    matrix = facts.shapes((a.items[0] if a.items else a).shape)
    b = facts.shape(e.args[1]) if len(e.args) > 1 else Shape(())
    return Fact("float", b) if matrix.rank == 2 and b.rank in (1, 2) else None


def same(e: Op, facts: Facts) -> Fact | None:
    found = stack(e, facts)
    return None if found is None else real(*found[0], *found[1:])


def factor(*rest: Fact) -> Transfer:
    def transfer(e: Op, facts: Facts) -> Fact | None:
        found = same(e, facts)
        return None if found is None else several(found, *rest)

    return transfer


def like_second_vector(e: Op, facts: Facts) -> Fact | None:
    """A solution that is a vector where the right-hand side has one column, too."""
    b = facts.shape(e.args[1])
    return Fact("float", b) if b.rank == 1 else None


MATRICES_OF_SCIPY: dict[str, Transfer] = {
    **{name: MATRICES[name] for name in ("inv", "det", "eigvalsh", "svdvals", "pinv")},
    **dict.fromkeys(["solve", "solve_triangular", "cho_solve", "lu_solve"], like_second),
    **dict.fromkeys(["cholesky", "expm", "expm_frechet"], same),
    "cho_factor": factor(Fact("bool")),
    "lu_factor": factor(Fact("int", Shape((Length("pivots"),)))),
}
