import numpy as np


def sums(x, bins, n):
    rows = [[1.0] for _ in range(n)]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    return sum(np.prod(np.array(r)) for r in rows)

# s2s verify S202_row_with_a_name_rewritten.py::sums --at "x=np.array([0.3, -1.2, 0.7]), bins=[0, 1, 0], n=2"
