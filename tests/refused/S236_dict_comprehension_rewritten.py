def first(x):
    squares = {k: v * v for k, v in enumerate(x)}
    return squares[0] * x[1]


# s2s verify S236_dict_comprehension_rewritten.py::first --at "x=np.array([0.4, 0.7])"
