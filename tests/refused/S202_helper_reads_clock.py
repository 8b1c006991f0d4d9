import time


def _descend(x, n, tic):
    if n == 0:
        return x, time.perf_counter() - tic
    return _descend(x - 0.1 * (x**2 - 2.0), n - 1, tic)


def loss(x):
    y, seconds = _descend(x, 3, time.perf_counter())
    return y**2
