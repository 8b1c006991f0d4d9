def joined(xs, ys, n):
    if n == 0:
        return xs + ys
    return joined(ys, xs, n - 1)


# s2s: x (n,), y (n,)
def loss(x, y, n: int):
    a = [x * x, x * y]
    b = [y * x, y + 1.0]
    rows = joined(a, b, n)
    rows[0][0] = rows[1][1] * rows[1][2]
    return rows[0] @ rows[2] + a[0] @ b[0]
