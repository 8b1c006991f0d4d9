"""Kinds and shapes of the results of NumPy's less common functions, for `transfer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from s2s import ir
from s2s.analysis import transfer as t
from s2s.analysis.facts import FLOAT, Fact, literal
from s2s.analysis.shapes import SCALAR, Dim, Length, Shape, unknown
from s2s.frozen import replace
from s2s.ir import Op

if TYPE_CHECKING:
    from s2s.analysis.facts import Facts

Result = Fact | None


def dim_of(e: Op, facts: Facts, k: int = 0) -> Length:
    """A length of the result that is not known."""
    return Length(f"{t.symbol(e, facts)}.{k}")


def argument(e: Op, position: int, name: str) -> ir.Expr | None:
    for key, value in e.options:
        if key == name:
            return value
    return e.args[position] if len(e.args) > position else None


def shape_of(e: Op, facts: Facts, position: int = 0) -> Shape | None:
    return t.array_like(t.fact_of(e.args[position], facts), facts)


def kind_of(e: Op, facts: Facts, position: int = 0) -> str:
    kind = t.fact_of(e.args[position], facts).kind
    return kind if kind in ("float", "int", "bool") else "any"


def vector(e: Op, facts: Facts) -> Result:
    """A vector whose length is not known."""
    return Fact("any", Shape((dim_of(e, facts),)))


def places(e: Op, facts: Facts) -> Result:
    return Fact("int", Shape((dim_of(e, facts),)))


def unique(e: Op, facts: Facts) -> Result:
    """A vector whose items are different, and others beside it where they are asked for."""
    if len(e.args) != 1 or any(key != "equal_nan" for key, _ in e.options):
        return None
    kind = t.array_fact(e.args[0], facts).kind
    return Fact(kind if kind in ("float", "int", "bool") else "any", Shape((dim_of(e, facts),)))


def items_of_sets(e: Op, facts: Facts) -> Result:
    """A vector of items of two arrays: of numbers of the one kind that both have, or of the first only."""
    kinds = {kind_of(e, facts), kind_of(e, facts, 0 if e.fn == "numpy.setdiff1d" else 1)}
    if e.options or len(e.args) > 3:  # with places of the items
        return None
    return Fact(kinds.pop() if len(kinds) == 1 else "any", Shape((dim_of(e, facts),)))


def grid(e: Op, facts: Facts) -> Result:
    """np.ix_: each vector along an axis of its own."""
    shapes = [shape_of(e, facts, k) for k in range(len(e.args))]
    if (
        not shapes
        or any(s is None or s.rank != 1 for s in shapes)
        or any(kind_of(e, facts, k) != "int" for k in range(len(shapes)))
    ):
        return None
    ones = (1,) * len(shapes)
    items = tuple(
        Fact("int", Shape((*ones[:k], *s.dims, *ones[k + 1 :]))) for k, s in enumerate(shapes) if s is not None
    )
    return Fact("tuple", SCALAR, items=items)


def matrix(e: Op, facts: Facts) -> Result:
    return Fact("any", Shape((dim_of(e, facts, 0), dim_of(e, facts, 1))))


def like(position: int, kind: str = "float") -> Callable[[Op, Facts], Result]:
    """The shape of an argument."""

    def result(e: Op, facts: Facts) -> Result:
        shape = shape_of(e, facts, position)
        return None if shape is None else Fact(kind, shape)

    return result


def broadcast(*positions: int) -> Callable[[Op, Facts], Result]:
    def result(e: Op, facts: Facts) -> Result:
        shapes = [shape_of(e, facts, i) for i in positions if i < len(e.args)]
        return None if None in shapes else Fact("any", facts.shapes.broadcast([s for s in shapes if s is not None]))

    return result


def by_example(e: Op, facts: Facts) -> Result:
    """A function that permutes axes, evaluated on an array whose lengths are all different."""
    shape = shape_of(e, facts)
    if shape is None or shape.rank is None or shape.rank > 8:
        return None
    rest = [literal(a) for a in e.args[1:]]
    options: dict[str, Any] = {k: literal(v) for k, v in e.options}
    example = np.broadcast_to(0.0, tuple(range(2, 2 + shape.rank)))
    function = getattr(np, e.fn.removeprefix("numpy."))
    return Fact(kind_of(e, facts), Shape(tuple(shape.dims[n - 2] for n in function(example, *rest, **options).shape)))


def sort(e: Op, facts: Facts) -> Result:
    position = 2 if e.fn == "numpy.partition" else 1
    axis = argument(e, position, "axis")
    if isinstance(axis, ir.Const) and axis.value is None:
        return vector(e, facts)
    shape = shape_of(e, facts)
    return None if shape is None else Fact(kind_of(e, facts), shape)


def cumulative(e: Op, facts: Facts) -> Result:
    shape = shape_of(e, facts)
    if shape is None or any(k == "include_initial" for k, _ in e.options):
        return None
    if t.option(e, "axis", 1) is None and shape.rank != 1:
        return vector(e, facts)
    return Fact(kind_of(e, facts), shape)


def one_axis(position: int, default: int | None = -1) -> Callable[[Op, Facts], Result]:
    """A length along one axis that is not known; all elements in a vector where the axis is None."""

    def result(e: Op, facts: Facts) -> Result:
        given = argument(e, position, "axis")
        axis = default if given is None else literal(given)
        shape = shape_of(e, facts)
        if axis is None:
            return vector(e, facts)
        if shape is None or not shape.rank or not isinstance(axis, int):
            return None
        at = axis % shape.rank
        dims: tuple[Dim, ...] = tuple(dim_of(e, facts) if i == at else d for i, d in enumerate(shape.dims))
        return Fact(kind_of(e, facts), Shape(dims))

    return result


def diff(e: Op, facts: Facts) -> Result:
    shape, n = shape_of(e, facts), t.option(e, "n", 1)
    found = one_axis(2)(e, facts)
    if found is None or shape is None or n not in (None, 1) or len(e.args) > 3:
        return found
    pairs = zip(shape.dims, found.shape.dims, strict=True)
    return Fact(found.kind, Shape(tuple(a if a == b else shorter(a) for a, b in pairs)))


def shorter(d: Dim) -> Dim:
    return max(d - 1, 0) if isinstance(d, int) else d.less(1)


def trapezoid(e: Op, facts: Facts) -> Result:
    shape = shape_of(e, facts)
    given = argument(e, 3, "axis")
    axis = -1 if given is None else literal(given)
    if shape is None or not shape.rank or not isinstance(axis, int):
        return None
    points, step = argument(e, 1, "x"), argument(e, 2, "dx")
    if points not in (None, ir.NONE):
        steps = t.array_like(t.fact_of(points, facts), facts)
        if steps is None or (steps.rank != 1 and steps != shape):
            return None
    elif step is not None and not facts.is_scalar(step):
        return None
    return Fact("float", Shape(tuple(d for i, d in enumerate(shape.dims) if i != axis % shape.rank)))


def gradient(e: Op, facts: Facts) -> Result:
    shape = shape_of(e, facts)
    axis = t.option(e, "axis")
    if isinstance(axis, int) or (shape is not None and shape.rank == 1):
        return Fact("float", t.opaque(e, facts) if shape is None else shape)
    if shape is None or shape.rank is None:  # an array, or a list of arrays
        return Fact("any", t.opaque(e, facts), Fact("float", unknown(f"{t.symbol(e, facts)}[]")))
    return Fact("list", t.opaque(e, facts), Fact("float", shape))


def take(e: Op, facts: Facts) -> Result:
    shape, indices = shape_of(e, facts), shape_of(e, facts, 1)
    axis = t.option(e, "axis", 2)
    if indices is None or indices.over:
        return None
    if axis is None:
        return Fact(kind_of(e, facts), indices)
    if shape is None or shape.rank is None or indices.rank is None:
        return None
    at = axis % shape.rank
    return Fact(kind_of(e, facts), Shape((*shape.dims[:at], *indices.dims, *shape.dims[at + 1 :])))


def pad(e: Op, facts: Facts) -> Result:
    shape = shape_of(e, facts)
    if shape is None or shape.rank is None:
        return None
    return Fact(kind_of(e, facts), Shape(tuple(dim_of(e, facts, i) for i in range(shape.rank))))


def reduce_of(e: Op, facts: Facts) -> Result:
    """np.add.reduce: the axis is 0 where none is given."""
    given = argument(e, 1, "axis")
    rest = tuple((k, v) for k, v in e.options if k != "axis")
    return t.reduction(Op("numpy.sum", e.args[:1], (("axis", given or ir.Const(0)), *rest)), facts)


def outer_of(e: Op, facts: Facts) -> Result:
    a, b = shape_of(e, facts), shape_of(e, facts, 1)
    if a is None or b is None or a.rank is None or b.rank is None:
        return None
    return Fact("any", Shape(a.dims + b.dims))


def first_axis(e: Op, facts: Facts) -> Result:
    """np.add.accumulate: the shape of the array."""
    shape = shape_of(e, facts)
    return None if shape is None else Fact(kind_of(e, facts), shape)


def quantile(e: Op, facts: Facts) -> Result:
    if not facts.is_scalar(e.args[1]):
        return None
    return t.reduction(Op("numpy.mean", (e.args[0], *e.args[2:3]), e.options), facts)


def covariance(e: Op, facts: Facts) -> Result:
    shape = shape_of(e, facts)
    two = argument(e, 1, "y") is not None
    if shape is None or shape.rank is None:
        return None
    if shape.rank < 2:
        return Fact("float", Shape((2, 2))) if two else FLOAT
    rows = argument(e, 2, "rowvar")
    if two or rows is not None:
        return matrix(e, facts)
    return Fact("float", Shape((shape.dims[0], shape.dims[0])))


def histogram(e: Op, facts: Facts) -> Result:
    n, edges = dim_of(e, facts, 0), dim_of(e, facts, 1)
    kind = "int" if argument(e, 4, "weights") is None and argument(e, 3, "density") is None else "float"
    return Fact("tuple", SCALAR, items=(Fact(kind, Shape((n,))), Fact("float", Shape((edges,)))))


def vectors(e: Op, facts: Facts) -> Result:
    items = tuple(Fact("float", Shape((dim_of(e, facts, i),))) for i in range(2))
    return Fact("tuple", SCALAR, items=items)


def elementwise(*kinds: str) -> Callable[[Op, Facts], Result]:
    """Several arrays of the shape that the operands broadcast to; "" where the kind is that of the operands."""

    def result(e: Op, facts: Facts) -> Result:
        found = t.elementwise(e, facts)
        return Fact("tuple", SCALAR, items=tuple(replace(found, kind=kind or found.kind) for kind in kinds))

    return result


def meshgrid(e: Op, facts: Facts) -> Result:
    shapes = [shape_of(e, facts, i) for i in range(len(e.args))]
    if any(s is None or s.rank != 1 for s in shapes):
        return None
    dims = [s.dims[0] for s in shapes if s is not None]
    if t.option(e, "sparse"):
        return None
    if (t.option(e, "indexing") or "xy") == "xy":
        dims[:2] = dims[:2][::-1]
    return Fact("tuple", SCALAR, items=(Fact("any", Shape(tuple(dims))),) * len(dims))


def broadcast_arrays(e: Op, facts: Facts) -> Result:
    found = broadcast(*range(len(e.args)))(e, facts)
    return found and Fact("tuple", SCALAR, items=(found,) * len(e.args))


def polyval(e: Op, facts: Facts) -> Result:
    """The shape of x, where the coefficients are a vector."""
    coefficients = shape_of(e, facts)
    return None if coefficients is None or coefficients.rank != 1 else like(1)(e, facts)


def vander(e: Op, facts: Facts) -> Result:
    shape, n = shape_of(e, facts), argument(e, 1, "N")
    if shape is None or shape.rank != 1:
        return None
    if n is None:
        return Fact("any", Shape(shape.dims * 2))
    return Fact("any", Shape((shape.dims[0], t._dim(t.fact_of(n, facts), t.symbol(n, facts)))))


def vecdot(e: Op, facts: Facts) -> Result:
    a, b = shape_of(e, facts), shape_of(e, facts, 1)
    if e.options or not a or not b or not a.rank or not b.rank:
        return None
    return Fact("any", facts.shapes.broadcast([Shape(a.dims[:-1]), Shape(b.dims[:-1])]))


def scalar(e: Op, facts: Facts) -> Result:
    return FLOAT


def ufuncs() -> dict[str, Callable[[Op, Facts], Result]]:
    found: dict[str, Callable[[Op, Facts], Result]] = {}
    for name, f in vars(np).items():  # `getattr` would import the folders that NumPy loads when they are asked for
        if isinstance(f, np.ufunc) and f.nin == 2 and f.signature is None:
            found |= {f"numpy.{name}.reduce": reduce_of, f"numpy.{name}.outer": outer_of}
            found |= {f"numpy.{name}.accumulate": first_axis, f"numpy.{name}.reduceat": one_axis(2, 0)}
    return found


RESULTS: dict[str, Callable[[Op, Facts], Result]] = {
    **ufuncs(),
    **dict.fromkeys(
        ["numpy.swapaxes", "numpy.moveaxis", "numpy.rollaxis", "numpy.rot90", "numpy.matrix_transpose"], by_example
    ),
    "numpy.sort": sort, "numpy.partition": sort, "numpy.unique": unique, "numpy.bincount": vector,
    "numpy.flatnonzero": places, "numpy.ix_": grid,
    **dict.fromkeys(["numpy.setdiff1d", "numpy.intersect1d", "numpy.union1d"], items_of_sets),
    "numpy.flipud": first_axis, "numpy.fliplr": first_axis, "numpy.unwrap": first_axis,
    **dict.fromkeys(["numpy.asanyarray", "numpy.ascontiguousarray", "numpy.asfortranarray"], first_axis),
    **dict.fromkeys(
        ["numpy.cumsum", "numpy.cumprod", "numpy.nancumsum", "numpy.nancumprod", "numpy.cumulative_sum",
         "numpy.cumulative_prod"], cumulative
    ),
    "numpy.interp": like(0), "numpy.polyval": polyval, "numpy.diff": diff, "numpy.ediff1d": vector,
    **dict.fromkeys(
        ["numpy.convolve", "numpy.correlate", "numpy.polyadd", "numpy.polysub", "numpy.polymul", "numpy.polyder",
         "numpy.polyint", "numpy.poly", "numpy.extract", "numpy.trim_zeros"], vector
    ),
    "numpy.trapezoid": trapezoid, "numpy.gradient": gradient, "numpy.take": take, "numpy.pad": pad,
    "numpy.take_along_axis": like(1), "numpy.compress": lambda e, facts: None,
    **dict.fromkeys(["numpy.delete", "numpy.repeat"], one_axis(2, None)), "numpy.insert": one_axis(3, None),
    **dict.fromkeys(
        ["numpy.quantile", "numpy.percentile", "numpy.nanquantile", "numpy.nanpercentile"], quantile
    ),
    "numpy.cov": covariance, "numpy.corrcoef": covariance, "numpy.histogram": histogram, "numpy.polydiv": vectors,
    **dict.fromkeys(["numpy.divmod", "builtins.divmod"], elementwise("", "")),
    **dict.fromkeys(["numpy.modf", "math.modf"], elementwise("float", "float")),
    **dict.fromkeys(["numpy.frexp", "math.frexp"], elementwise("float", "int")),
    "numpy.meshgrid": meshgrid, "numpy.broadcast_arrays": broadcast_arrays, "numpy.vander": vander,
    "numpy.diagflat": matrix, "numpy.vecdot": vecdot, "numpy.ndarray.item": scalar, "numpy.vdot": scalar,
    "numpy.dsplit": t._split, "numpy.unstack": t._split, "numpy.ndarray.tolist": t._tolist,
    "numpy.geomspace": t._linspace, "numpy.logspace": t._linspace,
}  # fmt: skip
