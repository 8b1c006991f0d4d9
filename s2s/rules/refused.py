"""Functions of floats that have no rule, and why; and those that are no matter of the table.

Everything else of NumPy and SciPy has a rule or is constant: `tests/test_coverage.py` walks them.
"""

from __future__ import annotations

import numpy as np

from s2s.rules.kinds import lookup
from s2s.rules.sparse import DENSE, MAKERS

SETS = "the number of its results jumps with the values; use np.unique or np.sort, and subscripts"
CALLS = "calls a function of Python for each {0}; write the loop, or the function on whole arrays"
MATRIX = "makes an np.matrix, whose operators mean something else; use arrays and `@`"
BYTES = "reads or writes the memory of an array as something else"

NESTED = (
    "write it as one `scipy.integrate.quad` inside the other: quad(lambda x: quad(lambda y: ..., c, d)[0], a, b)[0]"
)
COMPLEX = "its result is complex, and it has no rule in the complex plane"

REFUSED: dict[str, str] = {
    "scipy.special.lambertw": COMPLEX + "; for a positive argument use scipy.special.wrightomega of its logarithm",
    "scipy.special.zetac": "its derivative is not a function of SciPy",
    "scipy.special.ellipj": "it has no rule yet",
    "scipy.special.bessel_jn": "is a function of JAX; use scipy.special.jn or jv",
    "scipy.special.perm": "counts permutations of whole numbers; use scipy.special.poch",
    "scipy.linalg.schur": "its factors are not unique",
    "scipy.linalg.eig": "its result is complex; use np.linalg.eig for real eigenvalues",
    "scipy.linalg.lstsq": "it has no rule yet; use np.linalg.lstsq",
    "scipy.integrate.odeint": "write it with `solve_ivp(f, (t[0], t[-1]), y0, t_eval=t)` of SciPy: f(t, y), and y.T",
    "scipy.integrate.dblquad": NESTED,
    "scipy.integrate.tplquad": NESTED,
    "scipy.integrate.nquad": NESTED,
    "numpy.real_if_close": "whether its result is complex depends on the values; use np.real",
    "numpy.cdouble": "write np.complex128",
    "numpy.csingle": "write np.complex64",
    "numpy.complex256": "complex numbers of this precision are refused; use np.complex128",
    "numpy.clongdouble": "complex numbers of this precision are refused; use np.complex128",
    "numpy.sort_complex": "its result is complex; use np.sort",
    "numpy.roots": "its result is complex; its roots are those of np.linalg.eigvals of the companion matrix",
    "numpy.apply_along_axis": CALLS.format("row"),
    "numpy.apply_over_axes": CALLS.format("axis"),
    "numpy.vectorize": CALLS.format("element"),
    "numpy.frompyfunc": CALLS.format("element"),
    "numpy.fromfunction": "calls a function of Python; call it on np.indices(shape)",
    "numpy.fromiter": "reads an iterator; make an array of a list: np.array([...])",
    "numpy.from_dlpack": "the array belongs to another library",
    "numpy.histogram2d": "counts are constant in the data, and its weights have no rule; use np.bincount with weights",
    "numpy.histogramdd": "counts are constant in the data, and its weights have no rule; use np.bincount with weights",
    "numpy.histogram_bin_edges": "the number of edges jumps with the data; use np.linspace between np.min and np.max",
    "numpy.float16": "sixteen bits are too few for a derivative; compute in float32",
    "numpy.half": "sixteen bits are too few for a derivative; compute in float32",
    "numpy.union1d": SETS,
    "numpy.intersect1d": SETS,
    "numpy.setdiff1d": SETS,
    "numpy.setxor1d": SETS,
    "numpy.unique_all": "returns a named tuple of arrays; use np.unique(x)",
    "numpy.unique_counts": "returns a named tuple of arrays; use np.unique(x)",
    "numpy.unique_inverse": "returns a named tuple of arrays; use np.unique(x)",
    "numpy.unique_values": "the order of its result is not stated; use np.unique(x)",
    "numpy.asmatrix": MATRIX,
    "numpy.bmat": MATRIX,
    "numpy.matrix": MATRIX,
    "numpy.poly1d": "an object with operators of its own; use arrays of coefficients and np.polyval",
    "numpy.row_stack": "NumPy has deprecated it; write np.vstack",
    "numpy.broadcast": "an iterator over elements; use np.broadcast_arrays",
    "numpy.nditer": "an iterator that writes; loop over indices",
    "numpy.nested_iters": "iterators that write; loop over indices",
    "numpy.ndenumerate": "an iterator over elements; loop over np.ndindex(x.shape)",
    "numpy.flatiter": "an iterator over elements; loop over np.ravel(x)",
    "numpy.memmap": "the array is a file",
    "numpy.recarray": "records have fields of several types; use an array for each",
    "numpy.record": "records have fields of several types; use an array for each",
    "numpy.void": "records have fields of several types; use an array for each",
    "numpy.ndarray": "makes an array of raw memory; use np.zeros or np.empty",
    "numpy.object_": "elements that are objects carry no derivative",
    "numpy.ndarray.byteswap": BYTES,
    "numpy.ndarray.dump": BYTES,
    "numpy.ndarray.dumps": BYTES,
    "numpy.ndarray.getfield": BYTES,
    "numpy.ndarray.setfield": BYTES,
    "numpy.ndarray.tobytes": BYTES,
    "numpy.ndarray.tofile": BYTES,
    "numpy.ndarray.view": BYTES,
    "numpy.ndarray.to_device": "arrays stay in the memory of NumPy",
    "numpy.ndarray.setflags": "what may be written to is decided when the derivative is made",
    "numpy.ndarray.resize": "changes the shape of its argument in place; bind np.resize(x, shape) to a name",
    "numpy.ufunc.reduce": "a fold of this ufunc has no rule; write the loop",
    "numpy.ufunc.accumulate": "a fold of this ufunc has no rule; write the loop",
    "numpy.ufunc.reduceat": "of this ufunc it has no rule; reduce the slices one by one",
    "numpy.ufunc.outer": "of this ufunc it has no rule; write it with np.expand_dims",
    "numpy.ufunc.at": "updates in place at places that may repeat; write the loop",
    "numpy.ndarray.partition": "sorts its argument in place; bind np.partition(x, k) to a name",
}


def why_refused(fn: str) -> str | None:
    """The reason for a function by its canonical name; methods of ufuncs have one for all that have no rule."""
    module, _, rest = fn.partition(".")
    name, _, method = rest.rpartition(".")
    if module == "numpy" and isinstance(getattr(np, name, None), np.ufunc) and lookup(fn) is None:
        return REFUSED.get(f"numpy.ufunc.{method}")
    if fn.removesuffix("_array") + "_matrix" in MAKERS or fn in MAKERS:
        return "a sparse matrix is a constant; " + DENSE
    return REFUSED.get(fn)


# What has no derivative of its own because a stage before the rules writes it in other terms: where.
ELSEWHERE: dict[str, str] = {
    "numpy.copyto": "frontend/normalise.py: a store",
    "numpy.fill_diagonal": "frontend/normalise.py: a store",
    "numpy.add.at": "frontend/normalise.py: a store that adds",
    "numpy.subtract.at": "frontend/normalise.py: a store that subtracts",
    "numpy.put": "frontend/normalise.py: a store",
    "numpy.place": "frontend/normalise.py: a store",
    "numpy.putmask": "frontend/normalise.py: a store",
    "numpy.put_along_axis": "frontend/normalise.py: a store",
    "numpy.ndarray.put": "frontend/normalise.py: a store",
    "numpy.ndarray.fill": "frontend/normalise.py: a store",
    "numpy.ndarray.sort": "frontend/normalise.py: a store of np.sort",
    "numpy.piecewise": "frontend/calls.py: a store for each piece",
}

# Functions with a rule for real numbers only, though they take complex ones: why, and what to write.
ORDERED = "complex numbers have no order: NumPy compares their real parts, then their imaginary ones"
ENTRIES = "it reads one triangle of a Hermitian matrix, or chooses phases: numpy.linalg has it"
DENSITY = "a density is one of real numbers"
WRITTEN = "it is not written yet: {}"
ORDERINGS = (
    *("maximum", "minimum", "fmax", "fmin", "clip", "max", "min", "amax", "amin", "ptp", "nanmax", "nanmin"),
    *("sort", "partition", "unique", "median", "nanmedian"),
    *(f"{name}.{way}" for name in ("maximum", "minimum", "fmax", "fmin") for way in ("reduce", "outer", "accumulate")),
)
OF_NUMPY = ("pinv", "norm", "cholesky", "cho_factor", "cho_solve", "eigh", "eigvalsh", "svd", "svdvals", "qr")
REAL_ONLY: dict[str, str] = {
    **{f"numpy.{name}": ORDERED for name in ORDERINGS},
    "numpy.kaiser": "the shape of the window is a real number",
    **{f"numpy.fft.{name}": "the spacing of samples is a real number" for name in ("fftfreq", "rfftfreq")},
    "scipy.special.digamma": "SciPy has its derivative for real numbers only",
    "scipy.special.spence": "SciPy has a function of its derivative for real numbers only",
    "scipy.special.elliprd": "its derivative is chosen for positive numbers",
    **{
        f"scipy.special.{name}": "its scale reads the modulus or one part: multiply by the exponential"
        for name in ("jve", "yve", "ive", "kve")
    },
    **{f"scipy.linalg.{name}": ENTRIES for name in OF_NUMPY},
    "scipy.linalg.solve_continuous_lyapunov": WRITTEN.format("use scipy.linalg.solve_sylvester(a, np.conj(a).T, q)"),
    "scipy.linalg.solve_discrete_lyapunov": WRITTEN.format(
        "solve the linear system np.eye(n * n) - np.kron(a, np.conj(a))"
    ),
    "scipy.linalg.toeplitz": "without a row it takes the conjugates of the column; write an index into both",
}


def real_only(fn: str) -> str:
    """Why a function has no rule for complex numbers; "" where it takes none itself."""
    return DENSITY if fn.startswith("scipy.stats.") else REAL_ONLY.get(fn, "")
