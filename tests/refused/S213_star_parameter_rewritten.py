def product(factors):
    p = 1.0
    for v in factors:
        p = p * v
    return p


# s2s verify S213_star_parameter_rewritten.py::product --at "factors=np.array([0.7, 1.3, 0.4])"
