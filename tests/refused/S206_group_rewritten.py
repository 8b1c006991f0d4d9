def reciprocal(x):
    if x == 0.0:
        y = 0.0
    else:
        y = 1.0 / x
    return y


# s2s verify S206_group_rewritten.py::reciprocal --at "x=0.7"
