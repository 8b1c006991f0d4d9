def first(x):
    squares = [v * v for v in x]
    return squares[0] * x[1]


# s2s verify S236_dict_comprehension_rewritten.py::first --at "x=np.array([0.3, 0.8])"
