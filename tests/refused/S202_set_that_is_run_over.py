def tree(D):
    seen = {0}
    total = 0.0
    while len(seen) < len(D):
        best, far = 10.0, 0
        for i in seen:
            for j in range(len(D)):
                if j not in seen and D[i, j] < best:
                    best, far = D[i, j], j
        seen.add(far)
        total += best
    return total
