import numpy as np


def chain(x, n: int):
    memo = {}

    def value(k):
        if k in memo:
            return memo[k]
        if k < 2:
            return 1.0 + k * x
        memo[k] = np.sin(value(k - 1)) + x * value(k - 2)
        return memo[k]

    return value(n)
