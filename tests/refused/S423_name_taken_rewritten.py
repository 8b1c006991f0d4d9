def slope(x):
    return 2.0 * x


def loss(x):
    return slope(x) ** 2


# s2s verify S423_name_taken_rewritten.py::loss --at "x=0.3"
