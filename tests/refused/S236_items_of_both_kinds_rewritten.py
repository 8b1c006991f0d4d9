def f(x):
    table = [x[0], x[1], x[2]]
    first = [table[1], x[2]]
    return first[0] * first[1] * table[2]


# s2s verify S236_items_of_both_kinds_rewritten.py::f --at "x=np.array([0.3, -0.4, 0.5])"
