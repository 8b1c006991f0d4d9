# s2s: emit=jacobian
def swapped(xs):
    return xs[1] * xs[0] ** 2


# s2s verify S213_star_jacobian_rewritten.py::swapped --at "xs=np.array([0.3, 0.8])"
