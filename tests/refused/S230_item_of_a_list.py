def bins(x, n: int):
    counts = [0.0] * 3
    for k in range(n):
        counts[k % 3] += x**k
    return counts[0] * counts[1]
