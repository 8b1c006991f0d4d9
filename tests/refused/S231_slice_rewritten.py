import numpy as np


def tail(x, n: int):
    history = [x]
    for k in range(n):
        history.append(x * history[-1])
    return np.sum(np.array(history)[n // 2 :])


# s2s verify S231_slice_rewritten.py::tail --at "x=0.7, n=5"
