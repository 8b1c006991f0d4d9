def table(x, m: int, n: int):
    L = [[0.0] * n for _ in range(m)]
    for i in range(m):
        for j in range(n):
            L[i][j] = x**i * j
    return L[1][2] * L[2][1]
