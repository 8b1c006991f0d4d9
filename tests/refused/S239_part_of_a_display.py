# s2s: u (n,), v (n,), k ()
def loss(u, v, k):
    i = 0 if k > 0.3 else 1
    t = [v * k, u][i]
    u[1] = k
    t[0] = k
    return t @ u
