import time


def _descend(x, n):
    if n == 0:
        return x
    return _descend(x - 0.1 * (x**2 - 2.0), n - 1)


def loss(x):
    tic = time.perf_counter()
    y = _descend(x, 3)
    seconds = time.perf_counter() - tic
    return y**2


# s2s verify S202_helper_reads_clock_rewritten.py::loss --at "x=0.7"
