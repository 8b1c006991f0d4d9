from collections import defaultdict


def bins(x, n: int):
    sums = defaultdict(lambda: x)
    for k in range(n):
        sums[k % 3] += x**k
    return sums[0] * sums[1]
