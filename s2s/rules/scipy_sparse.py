"""scipy.sparse.linalg: systems with a constant sparse matrix. The adjoint of the solution solves with the transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.kinds import general
from s2s.rules.tracing import ndim
from s2s.rules.tracing import scipy_sparse_linalg as ssl

OF_MATRIX = "the matrix of a sparse system is a constant: where its entries carry a derivative, use `np.linalg.solve`"


def spsolve_b(g: Any, A: Any, b: Any) -> Any:
    b_bar = ssl.spsolve(A.T, g)
    return b_bar if ndim(b) == 1 else np.reshape(b_bar, np.shape(b))  # one column comes back as a vector


general(
    "sp.sparse.linalg.spsolve(A, b, permc_spec=None, use_umfpack=True)",
    jvp=[None, lambda g, A: ssl.spsolve(A, g)],
    vjp=[None, spsolve_b],
    closed={"A": OF_MATRIX},
    analytic=False,
    at="sp.sparse.linalg.spsolve(sparse, v); sp.sparse.linalg.spsolve(sparse, np.transpose(M)); "
    "sp.sparse.linalg.spsolve(sparse, column)",
)
