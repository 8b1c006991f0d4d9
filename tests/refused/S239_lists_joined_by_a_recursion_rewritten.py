def joined(xs, ys, n):
    if n == 0:
        return [1.0 * v for v in xs] + [1.0 * v for v in ys]
    return joined(ys, xs, n - 1)


# s2s: x (n,), y (n,)
def loss(x, y, n: int):
    a = [x * x, x * y]
    b = [y * x, y + 1.0]
    rows = joined(a, b, n)
    rows[0][0] = rows[1][1] * rows[1][2]
    return rows[0] @ rows[2] + a[0] @ b[0]


# s2s verify S239_lists_joined_by_a_recursion_rewritten.py::loss --at "x=np.array([0.3, 0.5, 0.9]), y=np.array([0.2, 0.4, 0.7]), n=2"
