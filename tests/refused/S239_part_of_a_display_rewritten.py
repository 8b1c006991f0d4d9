# s2s: u (n,), v (n,), k ()
def loss(u, v, k):
    i = 0 if k > 0.3 else 1
    both = [v * k, u]
    t = both[i]
    u[1] = k
    t[0] = k
    return t @ u


# s2s verify S239_part_of_a_display_rewritten.py::loss --at "u=np.array([0.3, 0.5]), v=np.array([0.2, 0.4]), k=0.7"
