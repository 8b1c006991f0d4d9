import numpy as np


def chain(x, n: int):
    memo = {}
    for k in range(n + 1):
        if k < 2:
            memo[k] = 1.0 + k * x
        else:
            memo[k] = np.sin(memo[k - 1]) + x * memo[k - 2]
    return memo[n]


# s2s verify S238_memo_rewritten.py::chain --at "x=0.7, n=5"
