"""Names of scipy.sparse, which is not imported to know them: what makes a matrix, what keeps it one, its types.

A sparse matrix is a constant: rules hand on `A @ x`, `A.dot(x)` and `spsolve(A, b)` in x and b, with the transpose of
the matrix in reverse mode, and nothing is made dense.
"""

from __future__ import annotations

TYPES = frozenset(
    f"{form}_{what}" for form in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil") for what in ("array", "matrix")
) | {"spmatrix", "sparray"}
# What always gives a matrix of two axes. The array types are not here but by their first argument: they may have one.
MAKERS = (
    frozenset(
        f"scipy.sparse.{name}"
        for name in """
    eye eye_array identity diags diags_array spdiags block_diag bmat block_array hstack vstack kron kronsum tril triu
    random random_array rand
    """.split()  # noqa: SIM905
    )
    | {f"scipy.sparse.{name}" for name in TYPES if name[3:] == "_matrix"}
)
# Methods of a sparse matrix whose result is one, of the same shape; `transpose` and `.T` turn it.
KEEPING = frozenset(
    """
    tobsr tocoo tocsc tocsr todia todok tolil asformat astype copy conj conjugate
    """.split()  # noqa: SIM905
)
DENSE = "use an array for it, `A.toarray()`, or write the product with a diagonal matrix as `d * x`"


def is_sparse_module(fn: str) -> bool:
    """Whether a canonical name belongs to scipy.sparse, whose Python source is not read: it is of index arithmetic."""
    return fn.startswith("scipy.sparse.")
