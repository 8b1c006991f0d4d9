from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    u: np.ndarray
    rows: dict


# s2s: A (2, 3), v (3,)
def f(A, v):
    state = State(v, {10 * i: A[i] for i in range(2)})
    state.rows[10] = v
    state.rows[10] += A[0]
    return np.sum(state.u * v)
