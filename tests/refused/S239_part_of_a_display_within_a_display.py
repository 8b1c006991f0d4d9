# s2s: u (n,), v (n,)
def loss(u, v):
    u = u.copy()
    for k in range(2):
        a, b = [[u * v, u], [u - v, u]][k]
        a[1] = 2.0 * b[0]
        b[0] = 3.0 * a[1]
    return a @ b
