# s2s: u (n,), v (n,)
def loss(u, v):
    u = u.copy()
    for k in range(2):
        rows = [[u * v, u], [u - v, u]]
        a, b = rows[k]
        a[1] = 2.0 * b[0]
        b[0] = 3.0 * a[1]
    return a @ b


# s2s verify S239_part_of_a_display_within_a_display_rewritten.py::loss --at "u=np.array([0.3, 0.4]), v=np.array([0.5, 0.7])"
