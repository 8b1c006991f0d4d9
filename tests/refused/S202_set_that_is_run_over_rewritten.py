def tree(D):
    seen = {0}
    total = 0.0
    while len(seen) < len(D):
        best, far = 10.0, 0
        for i in sorted(seen):
            for j in range(len(D)):
                if j not in seen and D[i, j] < best:
                    best, far = D[i, j], j
        seen.add(far)
        total += best
    return total


# s2s verify S202_set_that_is_run_over_rewritten.py::tree --at "D=np.array([[0.0, 0.3, 0.9], [0.3, 0.0, 0.5], [0.9, 0.5, 0.0]])"
