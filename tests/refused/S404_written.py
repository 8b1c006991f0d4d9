def relax(n, u, source):
    for i in range(1, n):
        u[i] = 0.5 * (u[i - 1] + u[i]) + source[i]
