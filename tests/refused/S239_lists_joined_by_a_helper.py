def joined(a, b):
    return a + b


# s2s: u (n,), v (n,)
def loss(u, v):
    rows = joined([u], [v])
    rows[0][0] = v[1] * v[2]
    return u @ v
