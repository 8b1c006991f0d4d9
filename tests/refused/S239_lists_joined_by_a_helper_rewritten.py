# s2s: u (n,), v (n,)
def loss(u, v):
    rows = [u, v]
    rows[0][0] = v[1] * v[2]
    return u @ v


# s2s verify S239_lists_joined_by_a_helper_rewritten.py::loss --at "u=np.array([0.3, 0.5, 0.9]), v=np.array([0.2, 0.4, 0.7])"
