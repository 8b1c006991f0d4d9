def relax(n, u, source):
    u = u.copy()
    for i in range(1, n):
        u[i] = 0.5 * (u[i - 1] + u[i]) + source[i]
    return u


# s2s verify S404_written_rewritten.py::relax --at "n=3, u=np.array([0.3, 0.8, 0.5]), source=np.array([0.1, 0.4, 0.2])"
