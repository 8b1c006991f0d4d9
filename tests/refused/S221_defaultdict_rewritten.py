def bins(x, n: int):
    sums = {}
    for k in range(n):
        sums[k % 3] = sums.get(k % 3, x) + x**k
    return sums[0] * sums[1]


# s2s verify S221_defaultdict_rewritten.py::bins --at "x=0.7, n=5"
